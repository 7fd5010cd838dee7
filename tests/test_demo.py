"""The demo as a test: a whole event by commands, with the same pages from the same seed."""

import hashlib
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


def play(folder, seed, monkeypatch, processes=0):
    """Play the night of the demo in `folder`.

    The first commands run in processes of their own, as in the demo; the others in this process.
    """
    run_process = demonstration.Night.tourney

    def tourney(night, line, code=0):
        if night.minute < processes:
            run_process(night, line, code)
            return
        night.minute += 1
        now = demonstration.START + timedelta(minutes=night.minute)
        patch.setenv("TOURNEY_NOW", now.isoformat())
        patch.setattr("sys.argv", ["tourney", *shlex.split(line)])
        print(f"$ tourney {line}")
        with chdir(night.folder):
            assert run() == code, line

    with monkeypatch.context() as patch:
        patch.setattr(demonstration.Night, "tourney", tourney)
        patch.setattr("sys.argv", ["demo", str(folder), "--seed", seed])
        for name in ("TOURNEY_EVENT", "TOURNEY_DATA"):
            patch.delenv(name, raising=False)
        for name, value in {"TOURNEY_SEED": seed, "TOURNEY_BY": "desk", "HOME": str(folder.parent)}.items():
            patch.setenv(name, value)
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


def test_the_demo_depends_only_on_its_seed(tmp_path, monkeypatch, capfd):
    """The same seed writes the same pages byte for byte; another seed pairs differently."""
    play(tmp_path / "one", "friday", monkeypatch, processes=12)
    output = capfd.readouterr().out
    play(tmp_path / "two", "friday", monkeypatch)
    play(tmp_path / "three", "saturday", monkeypatch)
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
