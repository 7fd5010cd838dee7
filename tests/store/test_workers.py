"""Simulated runs spread over processes: the counts do not depend on the processes."""

import socketserver
import subprocess
import sys
import threading
from contextlib import contextmanager
from multiprocessing import active_children

import pytest
from msgspec.structs import replace

from tests.forecast.test_simulation import before
from tests.kit import with_rows
from tourney.errors import TourneyError
from tourney.forecast.simulation import Chances, Counts, play
from tourney.pairing import DutchPairer
from tourney.record import PlayerId
from tourney.store import fide
from tourney.store.fide import dutch_pairs_kept
from tourney.store.workers import Spread, cores

SPREAD = Spread(
    position=before(9, 3, cut=4), chances=Chances(strengths={PlayerId(1): 1.0}, draws=0.1), seed="a", runs=130
)


def added(spread):
    whole = Counts()
    for part in spread.played():
        whole += part
    return whole


def test_parts_are_all_the_runs():
    assert [number for part in SPREAD.parts for number in part] == list(range(130))
    assert cores() >= 1


@pytest.mark.slow
@with_rows("jobs", [1, 2])
def test_any_number_of_processes_counts_the_same(jobs):
    alone = play(SPREAD.position, SPREAD.chances, seed="a", runs=range(130))
    assert added(replace(SPREAD, jobs=jobs)) == alone


def test_an_error_in_a_process_is_raised_here():
    position = SPREAD.position
    coming = replace(position.coming[0], options=replace(position.coming[0].options, allow_rematches=False))
    with pytest.raises(TourneyError, match="rematch") as refused:
        added(replace(SPREAD, position=replace(position, coming=(coming,) * 12), jobs=2))
    assert refused.value.hint


@contextmanager
def workers(number):
    """Start a dask scheduler with that many workers; yield its address."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=number,
        threads_per_worker=1,
        processes=True,
        dashboard_address="127.0.0.1:0",
        silence_logs=50,
    ) as cluster:
        yield cluster.scheduler_address


@pytest.fixture(scope="module")
def cluster():
    """Return the address of a scheduler with two workers."""
    with workers(2) as address:
        yield address


@pytest.mark.slow
def test_a_cluster_counts_the_same(cluster):
    for spread in (SPREAD, DUTCH):
        alone = added(replace(spread, jobs=1))
        assert alone.runs == spread.runs
        assert added(replace(spread, scheduler=cluster)) == alone


def dutch(rounds=2):
    """Return runs whose later rounds are paired by FIDE's engine."""
    position = before(8, rounds, cut=2, profile="fide")
    pairer = DutchPairer(
        dutch_pairs_kept,
        {outcome: rule.points for outcome, rule in position.profile.outcomes.items()},
        rounds_total=rounds,
        version=fide.version(),
    )
    coming = tuple(replace(round_, pairer=pairer) for round_ in position.coming)
    return replace(SPREAD, position=replace(position, coming=coming), runs=5)


DUTCH = dutch()


@pytest.mark.slow
def test_runs_with_the_dutch_engine_do_not_depend_on_processes():
    """No engine is left running."""
    alone = added(replace(DUTCH, jobs=1))
    assert added(replace(DUTCH, jobs=2)) == alone
    swiss = replace(DUTCH.position, coming=before(8, 2).coming)
    assert added(replace(DUTCH, position=swiss, jobs=1)) != alone


@pytest.mark.slow
def test_a_worker_of_a_cluster_with_another_engine_is_refused(cluster):
    spread = dutch()
    pairer = replace(spread.position.coming[0].pairer, version="gacrux 9.9")
    coming = tuple(replace(round_, pairer=pairer) for round_ in spread.position.coming)
    with pytest.raises(TourneyError, match=r"but this machine has gacrux 9\.9"):
        added(replace(spread, position=replace(spread.position, coming=coming), scheduler=cluster))


@pytest.mark.slow
def test_a_worker_of_another_version_is_refused(cluster, monkeypatch):
    monkeypatch.setattr("tourney.store.workers.__version__", "9.9")
    with pytest.raises(TourneyError, match=r"but this machine has tourney 9\.9"):
        added(replace(SPREAD, scheduler=cluster))


@pytest.mark.slow
def test_the_runs_of_a_dead_worker_are_played_by_others():
    """If it was the last worker, the error comes after a limited time."""
    runs = replace(SPREAD, runs=400)
    with workers(0) as address, worker(address) as first:
        with worker(address) as second:
            wait_for(address, 2)
            parts = replace(runs, scheduler=address).played()
            whole = next(parts)
            second.kill()
            for part in parts:
                whole += part
            assert whole == added(replace(runs, jobs=2))
        parts = replace(SPREAD, runs=20_000, scheduler=address).played()
        next(parts)
        first.kill()
        with pytest.raises(TourneyError, match="lost the scheduler"):
            list(parts)


def test_a_killed_process_is_reported():
    others = {*active_children()}  # a cluster of other tests
    parts = replace(SPREAD, runs=20_000, jobs=2).played()
    next(parts)
    next(child for child in active_children() if child not in others).kill()
    with pytest.raises(TourneyError, match="was killed") as refused:
        list(parts)
    assert "--jobs 1" in refused.value.hint


@contextmanager
def worker(address):
    """Start a worker that is not restarted."""
    line = [sys.executable, "-m", "distributed.cli.dask_worker", address]
    line += ["--no-nanny", "--no-dashboard", "--nthreads", "1"]
    with subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as started:
        try:
            yield started
        finally:
            started.kill()


def wait_for(address, number):
    from distributed import Client

    with Client(address) as client:
        client.wait_for_workers(number, timeout=60)


def test_a_missing_scheduler_is_refused(monkeypatch):
    monkeypatch.setattr("tourney.store.workers._PATIENCE", 1)
    with pytest.raises(TourneyError, match="no scheduler answers at"):
        added(replace(SPREAD, scheduler="tcp://127.0.0.1:9"))


_ECHO = b""
_HTTP = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
_NOISE = bytes(range(7, 256)) * 16


@pytest.mark.parametrize(
    ("says", "closes", "because"),
    [
        (_HTTP, True, "another program answers there"),
        (_NOISE, False, "another program answers there"),
        (bytes(4096), False, "another program answers there"),
        (_ECHO, False, "another program answers there"),
        (None, True, "another program answers there"),
        (None, False, "no answer within 1 second"),
        ((1 << 20).to_bytes(8, "little"), False, "no answer within 1 second"),
    ],
    ids=["http", "noise", "zeros", "echo", "closes", "silence", "less than it says"],
)
def test_a_server_that_is_not_a_scheduler_is_refused(monkeypatch, says, closes, because):
    """With any answer or none, after a short time."""
    monkeypatch.setattr("tourney.store.workers._PATIENCE", 1)
    over = threading.Event()

    class Other(socketserver.BaseRequestHandler):
        def handle(self):
            if says:
                self.request.sendall(says)
            while says is _ECHO and (heard := self.request.recv(65536)):
                self.request.sendall(heard)
            if not closes:
                over.wait(30)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Other) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            with pytest.raises(TourneyError, match="no scheduler answers at") as refused:
                added(replace(SPREAD, scheduler=f"tcp://127.0.0.1:{server.server_address[1]}"))
        finally:
            over.set()
            server.shutdown()
    assert because in str(refused.value)
    assert "dask scheduler" in refused.value.hint


@pytest.mark.parametrize(
    "address", ["10.0.0.5", "http://10.0.0.5:8786", "tls://127.0.0.1:9", "inproc://here", ""]
)
def test_an_impossible_address_is_refused(monkeypatch, address):
    monkeypatch.setattr("tourney.store.workers._PATIENCE", 1)
    with pytest.raises(TourneyError, match="no scheduler answers at"):
        added(replace(SPREAD, scheduler=address))


def test_a_scheduler_without_workers_is_refused(monkeypatch):
    monkeypatch.setattr("tourney.store.workers._PATIENCE", 1)
    with workers(0) as address, pytest.raises(TourneyError, match="has no workers"):
        added(replace(SPREAD, scheduler=address))


def test_without_the_extra_only_a_cluster_is_refused(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(TourneyError, match="is not installed") as refused:
        added(replace(SPREAD, scheduler="tcp://127.0.0.1:9"))
    assert "tourney[cluster]" in refused.value.hint
    assert added(replace(SPREAD, jobs=1)).runs == 130


def test_dask_is_imported_only_for_a_cluster():
    code = "import sys, tourney.store.workers; sys.exit('distributed' in sys.modules)"
    assert not subprocess.run([sys.executable, "-c", code], check=False).returncode


@pytest.mark.slow
def test_a_cluster_that_disappears_is_refused():
    from distributed import LocalCluster

    cluster = LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, protocol="tcp://",
        dashboard_address="127.0.0.1:0", silence_logs=50,
    )  # fmt: skip
    parts = replace(SPREAD, scheduler=cluster.scheduler_address, runs=20_000).played()
    next(parts)
    cluster.close()
    with pytest.raises(TourneyError, match="lost the scheduler"):
        list(parts)


@pytest.mark.slow
def test_a_worker_without_the_program_is_refused():
    without = (
        "import sys; sys.modules['tourney'] = None; from distributed.cli.dask_worker import main; main()"
    )
    with workers(0) as address:
        line = [sys.executable, "-c", without, address, "--no-nanny", "--no-dashboard", "--nthreads", "1"]
        with subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as worker:
            try:
                with pytest.raises(TourneyError, match="does not have tourney installed"):
                    added(replace(SPREAD, scheduler=address))
            finally:
                worker.terminate()
                worker.wait(30)
