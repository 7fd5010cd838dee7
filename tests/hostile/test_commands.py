"""Random command lines: none ends in a traceback, a hang or a full memory.

`scripts/test --long` runs many more. A failure names the number of its case: `python -m tests.hostile.fuzz
NUMBER 1` repeats it.
"""

import contextlib
import os
import pwd
import sys

import pytest

from tests.hostile import fuzz
from tests.kit import amount

if not hasattr(sys, "getwindowsversion"):  # fork and limits of memory
    pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
else:
    pytest.skip("needs fork and setrlimit: POSIX only", allow_module_level=True)


@pytest.fixture(scope="module")
def ground(tmp_path_factory):
    return fuzz.Ground(tmp_path_factory.mktemp("ground"))


def test_no_random_command_line_fails(ground):
    """Thirty cases, the same ones each time."""
    assert list(ground.faults(range(amount(30, of=50)))) == []


@pytest.mark.long
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("part", range(20))
def test_no_command_line_fails_in_many(ground, part):
    """Fifty thousand cases, those of the short test among them."""
    assert list(ground.faults(range(part * 2_500, (part + 1) * 2_500))) == []


@pytest.mark.parametrize("variables", [{}, {"HOME": None}, {"HOME": ""}])
def test_nothing_is_written_to_the_users_home(variables, tmp_path, monkeypatch):
    """Also where a case unsets the variable of the home; what it imports is removed afterwards."""
    home, place = tmp_path / "home", tmp_path / "case"
    home.mkdir()
    place.mkdir()
    for name in "XDG_DATA_HOME", "TOURNEY_DATA":
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    account = pwd.getpwuid(os.getuid())
    monkeypatch.setattr(
        "pwd.getpwuid", lambda _: pwd.struct_passwd((*account[:5], str(home), account.pw_shell))
    )
    case = fuzz.Case(
        ["pool", "import", "cards.csv", "--game", "own"], variables, files={"cards.csv": b"name\nAnt\n"}
    )
    assert fuzz.play(case, place) is None
    assert list(home.iterdir()) == []
    monkeypatch.setattr(fuzz, "away", contextlib.nullcontext)
    assert fuzz.play(case, place) is None
    written = [path.name for path in tmp_path.rglob("pool.toml")]
    assert written == ["pool.toml"], "the case is one that writes"


def test_the_runner_detects_a_failure(ground, monkeypatch):
    """A crash, a hang, a flood of memory and an unknown exit code are reported."""
    from tourney.cli import command

    case = fuzz.Case(["--help"])
    assert fuzz.play(case, ground.folder) is None

    def crash():
        raise ValueError("x")

    monkeypatch.setattr(fuzz, "SECONDS", 1)
    for wrong, run in {
        "escaped": crash,
        "exit 70": lambda: 70,
        "signal 14": lambda: [None for _ in iter(int, 1)],
        "MemoryError": lambda: bytearray(fuzz.MEMORY),
        "Traceback": lambda: print("Traceback (most recent call last)") or 0,
    }.items():
        monkeypatch.setattr(command, "run", run)
        assert wrong in fuzz.play(case, ground.folder)
