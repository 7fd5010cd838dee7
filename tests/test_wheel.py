"""The wheel works alone: installed in an empty environment, with its data."""

import os
import subprocess
import sys
import sysconfig
import venv
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.kit import ROOT

pytestmark = pytest.mark.slow


def link_dependencies(packages):
    """Link what the installed wheel says it needs, and nothing else, from the environment of the tests.

    This is what pip would install, without asking a package index.
    """
    (wheel,) = metadata.distributions(name="tourney", path=[str(packages)])
    required, linked = list(wheel.requires or ()), set()
    while required:
        requirement = Requirement(required.pop())
        extras = requirement.extras or {""}
        if requirement.marker and not any(requirement.marker.evaluate({"extra": extra}) for extra in extras):
            continue
        distribution = metadata.distribution(requirement.name)
        assert requirement.specifier.contains(distribution.version), requirement
        if distribution.name in linked:
            continue
        linked.add(distribution.name)
        required += distribution.requires or ()
        for top in {file.parts[0] for file in distribution.files or ()} - {"..", "__pycache__"}:
            (packages / top).symlink_to(distribution.locate_file(top))


@pytest.fixture
def tourney(tmp_path):
    """Return a function that runs the installed `tourney` in an empty folder."""
    built = subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--quiet",
            "--no-deps",
            "--wheel-dir",
            tmp_path / "dist",
            ROOT,
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    (wheel,) = (tmp_path / "dist").glob("tourney-*.whl")
    venv.create(tmp_path / "venv", with_pip=False)
    scripts = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin")
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
            "--no-deps",
            "--no-index",
            wheel,
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert installed.returncode == 0, installed.stderr
    packages = Path(
        sysconfig.get_path("purelib", "venv", {"base": tmp_path / "venv", "platbase": tmp_path / "venv"})
    )
    link_dependencies(packages)
    here = tmp_path / "shop"
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


def test_the_installed_program_works(tourney):
    """All five games, a legal and an illegal list, and an event from `event new` to the pages.

    One test, because each worker would make the environment again.
    """
    listed = tourney("format", "list")
    for name in ("red-diamond/standard", "redline/standard", "dimrift/classic", "diamonsters", "kingdoms"):
        assert name in listed

    names = [f"Paper Card {number}" for number in range(1, 61)]
    (tourney.folder / "good.txt").write_text("\n".join(names), encoding="utf-8")
    (tourney.folder / "bad.txt").write_text("\n".join([*names[1:], names[1]]), encoding="utf-8")
    tourney("deck", "check", "good.txt", "--format", "red-diamond/standard")
    output = tourney("deck", "check", "bad.txt", "--format", "red-diamond/standard", code=1)
    assert "Paper Card 2" in output

    tourney("event", "new", "Paper Cup", "--format", "red-diamond/standard", "--banlist", "none")
    tourney("player", "add", "Ada", "Ben", "Cy", "Dee")
    tourney("round", "pair")
    tourney("result", "add", "1", "1-0")
    tourney("result", "add", "2", "=")
    assert "Ada" in tourney("standings")
    tourney("publish", "--to", "pages")
    assert (tourney.folder / "pages" / "index.html").is_file()
    assert not Path(tourney.folder / "tourney").exists()
