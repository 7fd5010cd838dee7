"""The wheel works alone: installed in an empty environment, with its data."""

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tests.kit import ROOT

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def tourney(tmp_path_factory):
    """Return a function that runs the installed `tourney` in an empty folder."""
    folder = tmp_path_factory.mktemp("wheel")
    built = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder / "dist", ROOT],
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    (wheel,) = (folder / "dist").glob("tourney-*.whl")
    venv.create(folder / "venv", with_pip=False)
    scripts = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
    installed = subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "--python",
            scripts / "python",
            "install",
            "--quiet",
            "--no-compile",
            wheel,
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert installed.returncode == 0, installed.stderr
    here = folder / "shop"
    here.mkdir()
    surroundings = {
        key: value for key, value in os.environ.items() if not key.startswith(("TOURNEY", "PYTHON"))
    }
    surroundings |= {"HOME": str(here), "USERPROFILE": str(here), "PYTHONUTF8": "1"}

    def run(*words, code=0):
        done = subprocess.run(
            [scripts / "tourney", *words], cwd=here, env=surroundings, capture_output=True, text=True,
            encoding="utf-8", timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode == code, f"{' '.join(words)}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout

    run.folder = here
    return run


def test_the_shipped_formats_are_inside(tourney):
    """All five games, without a checkout."""
    listed = tourney("format", "list")
    for name in ("red-diamond/standard", "redline/standard", "dimrift/classic", "diamonsters", "kingdoms"):
        assert name in listed


def test_a_deck_is_checked(tourney):
    """A legal and an illegal list, by their exit codes."""
    names = [f"Paper Card {number}" for number in range(1, 61)]
    (tourney.folder / "good.txt").write_text("\n".join(names), encoding="utf-8")
    (tourney.folder / "bad.txt").write_text("\n".join([*names[1:], names[1]]), encoding="utf-8")
    tourney("deck", "check", "good.txt", "--format", "red-diamond/standard")
    output = tourney("deck", "check", "bad.txt", "--format", "red-diamond/standard", code=1)
    assert "Paper Card 2" in output


def test_an_event_is_played(tourney):
    """From `event new` to the pages."""
    tourney("event", "new", "Paper Cup", "--format", "red-diamond/standard", "--banlist", "none")
    tourney("player", "add", "Ada", "Ben", "Cy", "Dee")
    for _ in range(2):
        tourney("round", "pair")
        tourney("result", "add", "1", "1-0")
        tourney("result", "add", "2", "=")
    assert "Ada" in tourney("standings")
    tourney("publish", "--to", "pages")
    assert (tourney.folder / "pages" / "index.html").is_file()
    assert not Path(tourney.folder / "tourney").exists()
