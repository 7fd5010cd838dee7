"""The demo as a test: a whole event by commands, with the same pages from the same seed."""

import hashlib
import os
import shlex
import subprocess
import sys
from contextlib import chdir
from datetime import timedelta

import pytest

from scripts import demonstration
from tests.kit import ROOT
from tourney.cli import run

pytestmark = pytest.mark.slow


def play(folder, seed):
    """Run the demo in `folder`, and return its output."""
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "demonstration.py", folder, "--seed", seed],
        env=os.environ | {"HOME": str(folder.parent), "USERPROFILE": str(folder.parent)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=180,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
    return done.stdout


def play_here(folder, seed, monkeypatch):
    """Play the night of the demo in `folder`, with every command in this process."""

    def tourney(night, line, code=0):
        night.minute += 1
        now = demonstration.START + timedelta(minutes=night.minute)
        monkeypatch.setenv("TOURNEY_NOW", now.isoformat())
        monkeypatch.setattr("sys.argv", ["tourney", *shlex.split(line)])
        with chdir(night.folder):
            assert run() == code, line

    monkeypatch.setattr(demonstration.Night, "tourney", tourney)
    monkeypatch.setattr("sys.argv", ["demo", str(folder), "--seed", seed])
    for name in ("TOURNEY_EVENT", "TOURNEY_DATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"TOURNEY_SEED": seed, "TOURNEY_BY": "desk", "HOME": str(folder.parent)}.items():
        monkeypatch.setenv(name, value)
    assert demonstration.main() == 0


def pages(folder):
    """Return the digest of every published file."""
    digests = {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in (folder / "pages").rglob("*")
        if path.is_file()
    }
    assert "pages/index.html" in digests
    return digests


def test_the_demo_depends_only_on_its_seed(tmp_path, monkeypatch):
    """The same seed writes the same pages byte for byte; another seed pairs differently."""
    output = play(tmp_path / "one", "friday")
    play_here(tmp_path / "two", "friday", monkeypatch)
    play_here(tmp_path / "three", "saturday", monkeypatch)
    assert pages(tmp_path / "one") == pages(tmp_path / "two")
    assert pages(tmp_path / "one") != pages(tmp_path / "three")
    for shown in (
        "$ tourney deck check",
        "$ tourney event undo",
        "$ tourney result change",
        "$ tourney event cut 4",
    ):
        assert shown in output
    assert "index.html" in output.splitlines()[-1]


def test_the_demo_refuses_a_folder_with_files(tmp_path):
    """Before anything is written."""
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "demonstration.py", tmp_path],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "not empty" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
