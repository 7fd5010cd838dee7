"""No acknowledged entry is lost by `kill -9`, a full disk, a second desk or missing rights."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from tests.desk.kit import new_desk, open_desk
from tests.kit import ROOT
from tourney.desk import check
from tourney.errors import Severity, TourneyError

POSIX = pytest.mark.skipif(os.name != "posix", reason="processes are forked and killed here: POSIX only")


def clerk(*words, **more):
    """Run a scorekeeper's process to its end, and return its output."""
    command = [sys.executable, "-m", "tests.store.clerk", *map(str, words)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=240, check=False, **more)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def event(tmp_path):
    """Make an event of 32 players whose first round is being played."""
    with new_desk(tmp_path, *(f"Player {n}" for n in range(1, 33))) as desk:
        desk.pair_round()
    return tmp_path / "friday.tourney"


def entries(event):
    with open_desk(event.parent) as desk:
        return [entry.digest for entry in desk.entries]


def files(event):
    return sorted(path.name for path in event.parent.iterdir())


def killed(event, number):
    """Kill a writing process at random moments, and check that acknowledged entries are there.

    After each kill the chain is checked, and at the end the database's pages.
    """
    seen = json.loads(clerk("kills", event, number, 20261004))
    assert seen["kills"] == number
    assert seen["acknowledged"] >= number
    # 3 entries made the event; each kill may leave one entry that was written and not yet acknowledged
    assert seen["acknowledged"] + 3 <= seen["entries"] <= seen["acknowledged"] + 3 + number
    print(seen)


@POSIX
@pytest.mark.slow
def test_fifty_kills_lose_no_acknowledged_entry(event):
    killed(event, 50)


@POSIX
@pytest.mark.long
def test_many_kills_lose_no_acknowledged_entry(event):
    """Four hundred, or as many as TOURNEY_KILLS says."""
    killed(event, int(os.environ.get("TOURNEY_KILLS", "400")))


@POSIX
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="strace is a Linux tool")
def test_every_acknowledgement_comes_after_the_syncs(event, tmp_path):
    """With strace: an entry is acknowledged after all syncs (synchronous=EXTRA).

    The event is synced after its last write, the rollback journal is deleted, and the folder is synced.
    """
    strace = shutil.which("strace")
    if strace is None:
        pytest.skip("strace is not installed")
    trace = tmp_path / "trace.txt"
    calls = "trace=write,pwrite64,fsync,fdatasync,unlink"
    command = [
        strace,
        "-f",
        "-y",
        "-e",
        calls,
        "-o",
        trace,
        sys.executable,
        "-m",
        "tests.store.clerk",
        "report",
        event,
        "Ann",
        "3",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    if "ptrace" in done.stderr and done.returncode:
        pytest.skip(f"strace may not trace here: {done.stderr.strip()[:100]}")
    assert done.returncode == 0, done.stderr
    seen = trace.read_text(encoding="utf-8", errors="replace").splitlines()
    file, folder = re.escape(str(event)), re.escape(str(event.parent))
    written = last(seen, rf"pwrite64\(\d+<{file}>")
    synced = last(seen, rf"f(data)?sync\(\d+<{file}>")
    gone = last(seen, rf"unlink\(\"{file}-journal\"")
    folder_synced = last(seen, rf"f(data)?sync\(\d+<{folder}>")
    acknowledged = last(seen, r"write\(1<")
    assert 0 <= written < synced < gone < folder_synced < acknowledged
    journal_synced = [
        n for n, line in enumerate(seen) if re.search(rf"f(data)?sync\(\d+<{file}-journal>", line)
    ]
    first_written = next(n for n, line in enumerate(seen) if re.search(rf"pwrite64\(\d+<{file}>", line))
    assert min(journal_synced) < first_written, "the way back is on the disk before the event is touched"


def last(lines, pattern):
    numbers = [number for number, line in enumerate(lines) if re.search(pattern, line)]
    return numbers[-1] if numbers else -1


@POSIX
@pytest.mark.slow
def test_four_scorekeepers_at_once(event):
    """Four processes enter four tables each: nothing is refused, lost, or written twice."""
    before = len(entries(event))
    tables = {
        by: range(start, start + 4) for by, start in (("Ann", 1), ("Ben", 5), ("Cleo", 9), ("Dina", 13))
    }
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.store.clerk", "report", str(event), by, *map(str, numbers)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for by, numbers in tables.items()
    ]
    outputs = [process.communicate(timeout=120) for process in running]
    assert [process.returncode for process in running] == [0] * 4, outputs
    acknowledgements = [line.split() for out, _ in outputs for line in out.splitlines()]
    assert sorted(int(entry) for entry, *_ in acknowledgements) == list(range(before + 1, before + 17))
    with open_desk(event.parent) as desk:
        assert desk.state.round.done
        assert {table.entered.by for table in desk.state.round.tables.values()} == set(tables)
        assert {entry.digest for entry in desk.entries} >= {digest for _, digest, _ in acknowledgements}


@POSIX
@pytest.mark.slow
def test_four_scorekeepers_with_the_same_slip(event):
    """One entry is written; the other three are answered that it is already entered."""
    before = len(entries(event))
    command = [sys.executable, "-m", "tests.store.clerk", "report", str(event)]
    running = [
        subprocess.Popen([*command, by, "7"], cwd=ROOT, stdout=subprocess.PIPE, text=True) for by in "ABCD"
    ]
    outputs = [process.communicate(timeout=120)[0].split() for process in running]
    assert [process.returncode for process in running] == [0] * 4
    assert sorted(already for _, _, already in outputs) == ["0", "1", "1", "1"]
    assert len(entries(event)) == before + 1


def many_at_once(event, *, writers, times, seconds):
    """Run many processes that write on a disk with slow syncs, and return their reports."""
    before = len(entries(event))
    command = [sys.executable, "-m", "tests.store.clerk", "slow", str(event)]
    running = [
        subprocess.Popen(
            [*command, f"Clerk {n}", str(seconds), str(times)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for n in range(writers)
    ]
    outputs = [process.communicate(timeout=280) for process in running]
    assert [process.returncode for process in running] == [0] * writers, outputs
    assert len(entries(event)) == before + writers * times
    return [json.loads(out) for out, _ in outputs]


@POSIX
@pytest.mark.slow
def test_eight_scorekeepers_on_a_slow_disk_all_succeed(event):
    """With syncs of 0.15 s, each waits for its turn."""
    many_at_once(event, writers=8, times=3, seconds=0.15)


@POSIX
@pytest.mark.long
def test_eight_scorekeepers_on_a_very_slow_disk_all_succeed(event):
    """174 entries, each more than half a second."""
    print(many_at_once(event, writers=8, times=22, seconds=0.5))


def stacks(folder, *, writers, slips, twice):
    """Let many desks enter slips at once, some of them twice; return the seconds.

    Every result must be one entry, by a desk that had its slip. The last `twice` slips of a desk are also
    at the next one.
    """
    tables = writers * slips
    with new_desk(folder, *(f"Player {n}" for n in range(1, 2 * tables + 1))) as desk:
        desk.pair_round()
        before = desk.state.entry
    event = folder / "friday.tourney"
    stack = [[*range(n * slips, (n + 1) * slips + twice)] for n in range(writers)]
    begun = time.monotonic()
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.store.clerk", "report", str(event), f"Desk {n}"]
            + [str(table % tables + 1) for table in stack[n]],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for n in range(writers)
    ]
    outputs = [process.communicate(timeout=1500) for process in running]
    took = time.monotonic() - begun
    assert [process.returncode for process in running] == [0] * writers, [err[-500:] for _, err in outputs]
    acknowledgements = [line.split() for out, _ in outputs for line in out.splitlines()]
    assert len(acknowledgements) == writers * (slips + twice)
    own = [digest for _, digest, already in acknowledgements if already == "0"]
    assert len(own) == len(set(own)) == tables
    with open_desk(folder) as desk:
        assert desk.state.entry == before + tables
        assert desk.state.round.done
        assert {entry.digest for entry in desk.entries} >= set(own)
        reported = [table for entry in desk.entries[before:] for table in entry.op.results]
        assert sorted(reported) == list(range(1, tables + 1))
        assert not [finding for finding in check(desk) if finding.severity is Severity.ERROR]
    return took


@POSIX
@pytest.mark.slow
def test_eight_desks_with_a_stack_of_slips_each(tmp_path):
    """Eight times twelve results, some at two desks: none is lost or entered twice."""
    stacks(tmp_path, writers=8, slips=12, twice=3)


@POSIX
@pytest.mark.long
@pytest.mark.timeout(1600)
def test_eight_desks_with_five_hundred_results_each(tmp_path):
    """4,000 results by eight processes on one file: none is lost or entered twice."""
    print(f"{stacks(tmp_path, writers=8, slips=500, twice=5):.1f} s")


@pytest.fixture
def holder(event):
    """Another program that locks the event until its stdin is closed."""
    command = [sys.executable, "-m", "tests.store.clerk", "hold", str(event)]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout.readline() == "held\n"
        yield other
        other.stdin.close()
        assert other.wait(30) == 0


def tourney(event, *words):
    return subprocess.Popen(
        [sys.executable, "-m", "tourney", *words, "-e", str(event)],
        cwd=event.parent,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TOURNEY_BY": "Ann"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@POSIX
@pytest.mark.slow
def test_a_waiting_command_reports_it_and_succeeds(event, holder):
    """Another program has locked the file for a while."""
    process = tourney(event, "result", "add", "1", "1-0")
    message = process.stderr.readline()
    assert re.match(
        r"another program is writing to friday\.tourney; waiting for \d+ s, up to a minute", message
    )
    assert process.poll() is None, "it waits still"
    holder.stdin.close()
    out, more = process.communicate(timeout=60)
    assert process.returncode == 0, message + more
    assert "(entry 4)." in out


@POSIX
@pytest.mark.slow
def test_ctrl_c_while_waiting_for_a_lock_writes_nothing(event, holder):
    """Exit code 130 at once, without a traceback."""
    process = tourney(event, "result", "add", "1", "1-0")
    assert "; waiting for " in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    assert process.wait(20) == 130
    assert process.stderr.read() == "error: interrupted\n"
    process.communicate()
    holder.stdin.close()
    assert holder.wait(30) == 0
    assert len(entries(event)) == 3


def test_no_room_in_the_database(event):
    """SQLite's own limit acts as a full disk. With room again, the event works."""
    with open_desk(event.parent) as desk:
        whole, connection = desk.state, desk.journal._connection
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(
            TourneyError, match=r"the disk of friday\.tourney is full; nothing was changed"
        ) as refusal:
            desk.report_block(
                f"{table} 1-0 30,{table}" for table in range(1, 17) for _ in range(1)
            ) and desk.add_player("x" * 90, tags={f"kind {n}": "y" * 90 + str(n) for n in range(60)})
        assert "free some space" in refusal.value.hint
        written = desk.state.entry - whole.entry
        assert desk.journal.damage() == []
    assert len(entries(event)) == whole.entry + written
    assert files(event) == ["friday.tourney"]
    with open_desk(event.parent) as desk:
        assert desk.add_player("Late", tags={f"kind {n}": "y" * 90 + str(n) for n in range(60)}).entries


@POSIX
def test_no_room_by_the_limit_of_the_system(event):
    """RLIMIT_FSIZE: an error, and no change."""
    before = entries(event)
    content = event.read_bytes()
    message, hint = json.loads(clerk("limit", event, 100))
    assert "friday.tourney" in message
    assert "nothing was changed" in message
    assert hint
    assert entries(event) == before
    assert event.read_bytes() == content


@pytest.fixture
def open_place(event):
    """Copy the event to a folder that other users may read, unlike pytest's folders."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        place.chmod(0o755)
        yield shutil.copy(event, place / "friday.tourney")
        place.chmod(0o755)


@POSIX
@pytest.mark.parametrize(("folder_mode", "file_mode"), [(0o755, 0o444), (0o555, 0o644), (0o555, 0o444)])
def test_read_only_files_and_folders_can_be_read_but_not_written(open_place, folder_mode, file_mode):
    """Writing is refused with a hint, and no file is left."""
    before = entries(open_place)
    open_place.chmod(file_mode)
    open_place.parent.chmod(folder_mode)
    message, hint = json.loads(clerk("nobody", open_place))
    assert "is not writable; nothing was changed" in message
    assert "permissions" in hint
    assert files(open_place) == ["friday.tourney"]
    open_place.parent.chmod(0o755)
    open_place.chmod(0o644)
    assert entries(open_place) == before


@POSIX
def test_files_that_may_not_be_read_are_refused(open_place):
    """A closed folder and a closed file are errors, not crashes."""
    open_place.chmod(0o000)
    message, _ = json.loads(clerk("nobody", open_place, "look"))
    assert "friday.tourney cannot be read: Permission denied" in message
    open_place.parent.chmod(0o700)
    message, _ = json.loads(clerk("nobody", open_place, "look"))
    assert "friday.tourney cannot be read: Permission denied" in message


def test_a_locked_file_is_refused_after_a_while(event):
    """If another program keeps the file locked, the command waits, and then refuses."""
    import sqlite3

    other = sqlite3.connect(event, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        with open_desk(event.parent) as desk:
            desk.journal._connection.patience = 0.05
            with pytest.raises(TourneyError, match=r"another program has been writing to friday\.tourney"):
                desk.report(1, "w")
            other.execute("ROLLBACK")
            assert desk.report(1, "w").entries
    finally:
        other.close()


def test_a_copy_of_the_file_is_the_event(event, tmp_path):
    """It needs no second file, so a copy made while nothing is written is complete."""
    (tmp_path / "copy").mkdir()
    shutil.copy(event, tmp_path / "copy" / "friday.tourney")
    with open_desk(event.parent) as one, open_desk(tmp_path / "copy") as other:
        assert other.state == one.state
