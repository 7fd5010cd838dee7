"""Damaged and hostile files for every target: accepted and usable, or refused with a message.

`scripts/test --long` tries a million inputs. A failure names its input: `python -m
tests.hostile.targets NUMBER 1` repeats it.
"""

import os
import subprocess
import sys
from dataclasses import replace

import pytest

from tests.hostile import targets
from tests.kit import ROOT
from tourney.errors import TourneyError

if not hasattr(sys, "getwindowsversion"):  # fork and limits of memory
    pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
else:
    pytest.skip("needs fork and setrlimit: POSIX only", allow_module_level=True)

PARTS = 20


def test_no_target_fails_at_damaged_input():
    """Some inputs for every target, the same ones each time."""
    tally = targets.run(range(300))
    assert tally.faults == []
    assert min((tally.accepted + tally.refused)[name] for name in targets.TARGETS) > 0
    assert tally.accepted.total() > 60, (
        "if no damaged file is accepted, only the first lines of the readers are tested"
    )


@pytest.mark.long
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("part", range(PARTS))
def test_no_target_fails_at_a_million_inputs(part):
    size = 1_000_000 // PARTS
    tally = targets.run(range(part * size, (part + 1) * size))
    print(tally.summary())
    assert tally.faults == []


WRITING = ("event files", "installed data", "remembered fetches", "published lists", "players")
"""Targets that write files."""


@pytest.mark.slow
def test_targets_run_by_hand_leave_nothing_behind(tmp_path):
    """`python -m tests.hostile.targets` leaves the home and the temporary folder empty."""
    home, temporary = tmp_path / "home", tmp_path / "tmp"
    home.mkdir()
    temporary.mkdir()
    command = [sys.executable, "-m", "tests.hostile.targets", "0", "30", *WRITING]
    surroundings = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "TMPDIR": str(temporary),
        "TOURNEY_DATA": str(home),
    }
    done = subprocess.run(command, cwd=ROOT, env=surroundings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert [*home.iterdir(), *temporary.iterdir()] == []


def test_files_a_target_writes_are_removed(monkeypatch, tmp_path):
    """A target has its own user folder, also in child processes."""
    from tourney.store.files import user_folder

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    opened = targets.prepared_targets(["decklists"])

    def enter(*_):
        folder = user_folder()
        assert not folder.is_relative_to(tmp_path)
        folder.mkdir(parents=True)

    monkeypatch.setattr(
        targets,
        "prepared_targets",
        lambda _: {"decklists": replace(opened["decklists"], enter=enter)},
    )
    assert targets.run(range(7, 8), ["decklists"]).faults == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("enter", "message"),
    [
        (lambda *_: int("x"), "ValueError"),
        (lambda *_: [None for _ in iter(int, 1)], "too long"),
        (lambda *_: bytearray(targets.MEMORY + (1 << 20)), "MemoryError"),
        (lambda *_: sys.exit(0), "SystemExit"),
        (lambda *_: (_ for _ in ()).throw(TourneyError("")), "a refusal without words"),
        (lambda *_: (_ for _ in ()).throw(TourneyError("file: <class 'int'>")), "speaks Python"),
        (lambda *_: (_ for _ in ()).throw(TourneyError("broken")), "without its place"),
        (lambda *_: targets.os._exit(3), "the process ended"),
    ],
)
def test_a_failing_target_is_reported(enter, message, monkeypatch):
    """The report has the number of the input, for every kind of failure."""
    opened = targets.prepared_targets(["decklists"])
    broken = replace(opened["decklists"], enter=enter)
    monkeypatch.setattr(targets, "prepared_targets", lambda _: {"decklists": broken})
    monkeypatch.setattr(targets, "SECONDS", 0.2)
    (fault,) = targets.run(range(7, 8), ["decklists"]).faults
    assert fault.startswith("input 7 at decklists: ")
    assert message in fault
