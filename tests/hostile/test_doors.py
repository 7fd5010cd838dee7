"""Damaged and hostile files at every door: accepted and usable, or refused with a message.

`scripts/test --long` puts a million inputs to the doors. A failure names its input: `python -m
tests.hostile.doors NUMBER 1` repeats it.
"""

import os
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from tests.hostile import doors
from tests.kit import ROOT
from tourney.errors import TourneyError

if not hasattr(sys, "getwindowsversion"):  # fork and limits of memory
    pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
else:
    pytest.skip("needs fork and setrlimit: POSIX only", allow_module_level=True)

PARTS = 20


def test_no_door_fails_at_damaged_input():
    """Some inputs for every door, the same ones each time."""
    tally = doors.run(range(300))
    assert tally.faults == []
    assert min((tally.taken + tally.refused)[name] for name in doors.DOORS) > 0
    assert tally.taken.total() > 60, "damage that nobody survives tests only the first line of a reader"


@pytest.mark.long
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("part", range(PARTS))
def test_no_door_fails_at_a_million_inputs(part):
    size = 1_000_000 // PARTS
    tally = doors.run(range(part * size, (part + 1) * size))
    print(tally.told())
    assert tally.faults == []


@pytest.mark.slow
def test_doors_opened_by_hand_leave_nothing_behind(tmp_path):
    """As `python -m tests.hostile.doors` opens them; home and temporary folder stay empty."""
    home, temporary = tmp_path / "home", tmp_path / "tmp"
    home.mkdir()
    temporary.mkdir()
    command = [sys.executable, "-m", "tests.hostile.doors", "0", "30"]
    surroundings = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "TMPDIR": str(temporary),
        "TOURNEY_DATA": str(home),
    }
    done = subprocess.run(command, cwd=ROOT, env=surroundings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert [*home.iterdir(), *temporary.iterdir()] == []


def test_files_a_door_writes_are_removed(monkeypatch, tmp_path):
    """A door's user folder is another than the user's own, also in child processes."""
    from tourney.store.files import user_folder

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    opened = doors.open_doors()

    def enter(*_):
        folder = user_folder()
        assert not folder.is_relative_to(tmp_path)
        folder.mkdir(parents=True)

    monkeypatch.setattr(
        doors, "open_doors", lambda: {**opened, "decklists": replace(opened["decklists"], enter=enter)}
    )
    assert doors.run(range(7, 8), ["decklists"]).faults == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("enter", "message"),
    [
        (lambda *_: int("x"), "ValueError"),
        (lambda *_: [None for _ in iter(int, 1)], "too long"),
        (lambda *_: bytearray(doors.MEMORY + (1 << 20)), "MemoryError"),
        (lambda *_: sys.exit(0), "SystemExit"),
        (lambda *_: (_ for _ in ()).throw(TourneyError("")), "a refusal without words"),
        (lambda *_: (_ for _ in ()).throw(TourneyError("file: <class 'int'>")), "speaks Python"),
        (lambda *_: (_ for _ in ()).throw(TourneyError("broken")), "without its place"),
        (lambda *_: doors.os._exit(3), "the process ended"),
    ],
)
def test_a_failing_door_is_reported(enter, message, monkeypatch):
    """With the number of the input, for everything that a door can do wrong."""
    opened = doors.open_doors()
    broken = replace(opened["decklists"], enter=enter)
    monkeypatch.setattr(doors, "open_doors", lambda: {**opened, "decklists": broken})
    monkeypatch.setattr(doors, "SECONDS", 0.2)
    begun = time.monotonic()
    (fault,) = doors.run(range(7, 8), ["decklists"]).faults
    assert fault.startswith("input 7 at decklists: ")
    assert message in fault
    assert time.monotonic() - begun < 20
