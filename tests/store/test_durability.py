"""Nothing acknowledged is ever lost: not by `kill -9`, a full disk, a second scorekeeper, or missing rights."""

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
    """Run a scorekeeper's process to its end and return what it printed."""
    command = [sys.executable, "-m", "tests.store.clerk", *map(str, words)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=240, check=False, **more)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def event(tmp_path):
    """An event of 32 players whose first round is being played."""
    with new_desk(tmp_path, *(f"Player {n}" for n in range(1, 33))) as desk:
        desk.pair_round()
    return tmp_path / "friday.tourney"


def entries(event):
    with open_desk(event.parent) as desk:
        return [entry.digest for entry in desk.entries]


def files(event):
    return sorted(path.name for path in event.parent.iterdir())


def killed(event, number):
    """Kill a writing process so often at random moments; every acknowledged entry must be there.

    After each kill the whole chain is checked, and at the end the database's pages.
    """
    seen = json.loads(clerk("kills", event, number, 20261004))
    assert seen["kills"] == number
    assert seen["acknowledged"] >= number
    # 3 entries made the event; each kill may leave one entry that was written and not yet acknowledged
    assert seen["acknowledged"] + 3 <= seen["entries"] <= seen["acknowledged"] + 3 + number
    print(seen)


@POSIX
@pytest.mark.slow
def test_kill_minus_nine_loses_nothing_acknowledged(event):
    """A writing process killed fifty times: every acknowledged entry is there."""
    killed(event, 50)


@POSIX
@pytest.mark.long
def test_many_kills_lose_nothing_acknowledged(event):
    """The same four hundred times (TOURNEY_KILLS: how many)."""
    killed(event, int(os.environ.get("TOURNEY_KILLS", "400")))


@POSIX
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="strace is a Linux tool")
def test_every_acknowledgement_comes_after_the_syncs(event, tmp_path):
    """Seen from the kernel: the event is synced after its last write, the rollback journal goes, the folder is synced,

    and only then is anything acknowledged (synchronous=EXTRA).
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
    """Four processes enter four tables each at the same time: all are in, nobody was refused, nothing was written twice."""
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
    said = [process.communicate(timeout=120) for process in running]
    assert [process.returncode for process in running] == [0] * 4, said
    told = [line.split() for out, _ in said for line in out.splitlines()]
    assert sorted(int(entry) for entry, *_ in told) == list(range(before + 1, before + 17))
    with open_desk(event.parent) as desk:
        assert desk.state.round.done
        assert {entry.by for entry in desk.state.round.entered.values()} == set(tables)
        assert {entry.digest for entry in desk.entries} >= {digest for _, digest, _ in told}


@POSIX
@pytest.mark.slow
def test_four_scorekeepers_with_the_same_slip(event):
    """The same result from four at once is one entry; the other three hear that it is entered already."""
    before = len(entries(event))
    command = [sys.executable, "-m", "tests.store.clerk", "report", str(event)]
    running = [
        subprocess.Popen([*command, by, "7"], cwd=ROOT, stdout=subprocess.PIPE, text=True) for by in "ABCD"
    ]
    said = [process.communicate(timeout=120)[0].split() for process in running]
    assert [process.returncode for process in running] == [0] * 4
    assert sorted(already for _, _, already in said) == ["0", "1", "1", "1"]
    assert len(entries(event)) == before + 1


def many_at_once(event, *, writers, times, seconds):
    """Let so many processes write so often on a disk that takes `seconds` for a sync; return what they told."""
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
    said = [process.communicate(timeout=280) for process in running]
    assert [process.returncode for process in running] == [0] * writers, said
    assert len(entries(event)) == before + writers * times
    return [json.loads(out) for out, _ in said]


@POSIX
@pytest.mark.slow
def test_eight_scorekeepers_on_a_slow_disk_all_get_their_turn(event):
    """Each sync takes 0.15 s: nobody is refused, and nobody waits much longer than one turn of everybody."""
    told = many_at_once(event, writers=8, times=3, seconds=0.15)
    assert max(report["longest"] for report in told) < 24 * 0.15 + 3


@POSIX
@pytest.mark.long
def test_eight_scorekeepers_on_a_very_slow_disk_all_get_their_turn(event):
    """174 entries, more than half a second each: a hundred seconds of waiting, and not one is refused."""
    print(many_at_once(event, writers=8, times=22, seconds=0.5))


def stacks(folder, *, writers, slips, twice):
    """Let so many desks enter a stack of slips each at the same time, the last `twice` of which the next desk has, too.

    Every result is one entry, by one of those who had its slip; return how long it took, in seconds.
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
    said = [process.communicate(timeout=1500) for process in running]
    took = time.monotonic() - begun
    assert [process.returncode for process in running] == [0] * writers, [err[-500:] for _, err in said]
    told = [line.split() for out, _ in said for line in out.splitlines()]
    assert len(told) == writers * (slips + twice)
    own = [digest for _, digest, already in told if already == "0"]
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
    """Eight times twelve results, some slips at two desks: none is lost, and none is entered twice."""
    stacks(tmp_path, writers=8, slips=12, twice=3)


@POSIX
@pytest.mark.long
@pytest.mark.timeout(1600)
def test_eight_desks_with_five_hundred_results_each(tmp_path):
    """4,000 results of a round of 8,000 players by eight processes on one file: none is lost, and none is entered twice."""
    print(f"{stacks(tmp_path, writers=8, slips=500, twice=5):.1f} s")


@pytest.fixture
def holder(event):
    """Another program that has the event until its stdin is closed."""
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
def test_waiting_is_said_and_ends_with_the_entry(event, holder):
    """While somebody else has the file the command waits and says so on stderr; once it is free it has written."""
    process = tourney(event, "result", "add", "1", "1-0")
    said = process.stderr.readline()
    assert re.match(r"another program is writing to friday\.tourney; waiting for \d+ s, up to a minute", said)
    assert process.poll() is None, "it waits still"
    holder.stdin.close()
    out, more = process.communicate(timeout=60)
    assert process.returncode == 0, said + more
    assert "(entry 4)." in out


@POSIX
@pytest.mark.slow
def test_giving_up_while_waiting_is_clean(event, holder):
    """Ctrl-C while somebody else has the file: 130 without waiting for it, no traceback, and nothing was written."""
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
    """SQLite's own limit stands for a full disk: a refusal, the event as it was, and all is well once there is room."""
    with open_desk(event.parent) as desk:
        whole, connection = desk.state, desk.journal._connection
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(
            TourneyError, match=r"no room is left for friday\.tourney; nothing was changed"
        ) as refusal:
            desk.report_block(
                f"{table} 1-0 30,{table}" for table in range(1, 17) for _ in range(1)
            ) and desk.add_player("x" * 90, tags={f"kind {n}": "y" * 90 + str(n) for n in range(60)})
        assert "make room" in refusal.value.hint
        taken = desk.state.entry - whole.entry
        assert desk.journal.damage() == []
    assert len(entries(event)) == whole.entry + taken
    assert files(event) == ["friday.tourney"]
    with open_desk(event.parent) as desk:
        assert desk.add_player("Late", tags={f"kind {n}": "y" * 90 + str(n) for n in range(60)}).entries


@POSIX
def test_no_room_by_the_limit_of_the_system(event):
    """RLIMIT_FSIZE: the kernel refuses to let the file grow; the refusal is in words and nothing changed."""
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
    """The event in a folder that everybody may look into (pytest's own are closed to others)."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        place.chmod(0o755)
        yield shutil.copy(event, place / "friday.tourney")
        place.chmod(0o755)


@POSIX
@pytest.mark.parametrize(("folder_mode", "file_mode"), [(0o755, 0o444), (0o555, 0o644), (0o555, 0o444)])
def test_read_only_files_and_folders_can_be_read_but_not_written(open_place, folder_mode, file_mode):
    """Reading works; writing is refused with what to look at, and nothing is left behind."""
    before = entries(open_place)
    open_place.chmod(file_mode)
    open_place.parent.chmod(folder_mode)
    message, hint = json.loads(clerk("nobody", open_place))
    assert "may not be written to; nothing was changed" in message
    assert "rights" in hint
    assert files(open_place) == ["friday.tourney"]
    open_place.parent.chmod(0o755)
    open_place.chmod(0o644)
    assert entries(open_place) == before


@POSIX
def test_files_that_may_not_even_be_looked_at(open_place):
    """A closed folder and a closed file are refusals, not crashes."""
    open_place.chmod(0o000)
    message, _ = json.loads(clerk("nobody", open_place, "look"))
    assert "friday.tourney cannot be read: Permission denied" in message
    open_place.parent.chmod(0o700)
    message, _ = json.loads(clerk("nobody", open_place, "look"))
    assert "friday.tourney cannot be read: Permission denied" in message


def test_somebody_else_holding_the_file_is_told(event):
    """A program that keeps the file locked: patience, then a refusal."""
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
    """No second file belongs to it: copied while nobody writes, it is all there."""
    (tmp_path / "copy").mkdir()
    shutil.copy(event, tmp_path / "copy" / "friday.tourney")
    with open_desk(event.parent) as one, open_desk(tmp_path / "copy") as other:
        assert other.state == one.state
