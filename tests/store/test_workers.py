"""Runs spread over processes: the same counts, whoever plays them."""

import subprocess
import sys
from contextlib import contextmanager
from dataclasses import replace

import pytest

from tests.forecast.test_simulation import before
from tourney.errors import TourneyError
from tourney.forecast.simulation import Chances, Counts, play
from tourney.record import PlayerId
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


@pytest.mark.parametrize("jobs", [1, 2, None])
def test_any_number_of_processes_counts_the_same(jobs):
    alone = play(SPREAD.position, SPREAD.chances, seed="a", runs=range(130))
    assert added(replace(SPREAD, jobs=jobs)) == alone


def test_what_a_process_refuses_is_refused_here():
    position = SPREAD.position
    coming = replace(position.coming[0], options=replace(position.coming[0].options, allow_rematches=False))
    with pytest.raises(TourneyError, match="rematch") as refused:
        added(replace(SPREAD, position=replace(position, coming=(coming,) * 12), jobs=2))
    assert refused.value.hint


@contextmanager
def workers(number):
    """Start a dask scheduler with so many worker processes; its address."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=number, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as cluster:
        yield cluster.scheduler_address


@pytest.mark.slow
def test_a_cluster_counts_the_same():
    with workers(2) as address:
        assert added(replace(SPREAD, scheduler=address)) == added(replace(SPREAD, jobs=1))


def test_a_scheduler_that_is_not_there_is_refused(monkeypatch):
    monkeypatch.setattr("tourney.store.workers._PATIENCE", 1)
    with pytest.raises(TourneyError, match="no scheduler answers at"):
        added(replace(SPREAD, scheduler="tcp://127.0.0.1:9"))


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


def test_dask_is_imported_for_a_cluster_alone():
    code = "import sys, tourney.store.workers; sys.exit('distributed' in sys.modules)"
    assert not subprocess.run([sys.executable, "-c", code], check=False).returncode


@pytest.mark.slow
def test_a_cluster_that_goes_away_is_refused():
    from distributed import LocalCluster

    cluster = LocalCluster(
        n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    )
    parts = replace(SPREAD, scheduler=cluster.scheduler_address, runs=20_000).played()
    next(parts)
    cluster.close()
    with pytest.raises(TourneyError, match="went away"):
        list(parts)


@pytest.mark.slow
def test_a_worker_of_another_version_is_refused(monkeypatch):
    monkeypatch.setattr("tourney.store.workers.__version__", "9.9")
    with (
        workers(1) as address,
        pytest.raises(TourneyError, match=r"has another tourney than this one \(9\.9\)"),
    ):
        added(replace(SPREAD, scheduler=address))


@pytest.mark.slow
def test_a_worker_without_the_program_is_refused():
    without = (
        "import sys; sys.modules['tourney'] = None; from distributed.cli.dask_worker import main; main()"
    )
    with workers(0) as address:
        line = [sys.executable, "-c", without, address, "--no-nanny", "--no-dashboard", "--nthreads", "1"]
        with subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as worker:
            try:
                with pytest.raises(TourneyError, match="has no tourney"):
                    added(replace(SPREAD, scheduler=address))
            finally:
                worker.terminate()
                worker.wait(30)
