"""Damaged and hostile files at every door: taken and usable, or refused in words; never a crash, a hang, a full machine.

`scripts/test --long` puts a million inputs to the doors. A fault names the input:
`python -m tests.hostile.doors NUMBER 1` puts it there again.
"""

import sys
import time
from dataclasses import replace

import pytest

from tests.hostile import doors
from tourney.errors import TourneyError

if not hasattr(sys, "getwindowsversion"):  # fork and limits of memory
    pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
else:
    pytest.skip("needs fork and setrlimit: POSIX only", allow_module_level=True)

PARTS = 20


def test_no_door_is_broken_by_what_comes_in():
    """Some inputs at every door, the same ones each time."""
    tally = doors.run(range(1_500))
    assert tally.faults == []
    assert min((tally.taken + tally.refused)[name] for name in doors.DOORS) > 0
    assert tally.taken.total() > 300, "damage that nobody survives tests only the first line of a reader"


@pytest.mark.long
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("part", range(PARTS))
def test_no_door_is_broken_by_a_million(part):
    """A million inputs in all."""
    size = 1_000_000 // PARTS
    tally = doors.run(range(part * size, (part + 1) * size))
    print(tally.told())
    assert tally.faults == []


@pytest.mark.parametrize(
    ("enter", "told"),
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
def test_a_fault_is_seen(enter, told, monkeypatch):
    """The test itself can fail: whatever a door does wrong is told with the input's number."""
    opened = doors.open_doors()
    broken = replace(opened["decklists"], enter=enter)
    monkeypatch.setattr(doors, "open_doors", lambda: {**opened, "decklists": broken})
    monkeypatch.setattr(doors, "SECONDS", 0.2)
    begun = time.monotonic()
    (fault,) = doors.run(range(7, 8), ["decklists"]).faults
    assert fault.startswith("input 7 at decklists: ")
    assert told in fault
    assert time.monotonic() - begun < 20
