"""Exit codes if the output cannot be written: changes succeed, errors change nothing."""

import os
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from tests.desk.kit import new_desk, open_desk
from tests.kit import ROOT, sampled
from tourney.desk import export

POSIX = pytest.mark.skipif(
    os.name != "posix", reason="streams are closed and processes signalled here: POSIX only"
)
FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
SEEN = {
    "TOURNEY_BY": "Ann",
    "TOURNEY_NOW": "2026-10-04T18:00:00+02:00",
    "PYTHONPATH": str(ROOT),
    "NO_COLOR": "1",
}


@pytest.fixture
def event(tmp_path):
    """Make an event of five players whose first round is being played."""
    with new_desk(tmp_path, "Ada", "Ben", "Cleo", "Dina", "Eli", rounds=2) as desk:
        desk.pair_round()
    return tmp_path / "friday.tourney"


def run(folder, *words, lost=""):
    """Run `tourney WORDS` with redirections `lost`, and return code, stdout and stderr."""
    line = f'exec "$0" -m tourney "$@" {lost}'
    done = subprocess.run(
        ["sh", "-c", line, sys.executable, *words],
        cwd=folder,
        env={**os.environ, **SEEN, "XDG_DATA_HOME": str(folder / "home")},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def entries(event):
    with open_desk(event.parent) as desk:
        return desk.state.entry


EVERYWHERE = ("result add 1 1-0", "result add 1 1-0 --json", "player blank Ada --yes", "player add Ada")
ONCE = (
    "result add 1 1-0 --quiet", "player add Zoe", "player drop Ada", "round edit swap Ada Cleo",
    "round start", "round cancel", "event undo", "event change --rounds 5", "event rebase --on 2026-11-11",
    "result add 9 1-0",
)  # fmt: skip
REFUSED = ("player add Ada", "result add 9 1-0")
STREAMS = (">&-", ">/dev/full", ">&- 2>&-", ">/dev/full 2>/dev/full", "<&- >&-")
ONE_STREAM = [*zip(ONCE, STREAMS * 2, strict=True)]


@pytest.mark.slow
@POSIX
@FULL
@pytest.mark.parametrize(
    "change",
    sampled(
        [*product(EVERYWHERE, STREAMS), *ONE_STREAM],
        [*product(EVERYWHERE[:1], STREAMS), *zip(EVERYWHERE[1:], STREAMS, strict=False), *ONE_STREAM],
    ),
    ids=" ".join,
)
def test_a_recorded_change_succeeds_without_readable_output(event, change):
    """Exit with 0 exactly if an entry was written, even if stdout is full or streams are closed."""
    line, lost = change
    before, written = entries(event), line not in REFUSED
    code, _, errors = run(event.parent, *line.split(), lost=lost)
    assert code == (0 if written else 3), errors
    assert entries(event) == before + written
    if written and "2>" not in lost and "--quiet" not in line:
        assert errors.startswith("warning: the output could not be shown (")
        assert f"(entry {before + 1})." in errors
    assert "Traceback" not in errors


FILES = {
    "event new Other --format red-diamond/standard --banlist none": "other.tourney",
    "event generate Trial --players 4 --rounds 1 --seed x": "trial.tourney",
    "event export out -e friday.tourney": "out/friday.jsonl",
    "event backup -e friday.tourney": ".tourney-backups",
    "event import friday.jsonl --file again.tourney": "again.tourney",
    "publish --to pages -e friday.tourney": "pages/index.html",
    "format new house/draft": "draft.toml",
    "banlist new red-diamond/standard --from 2027-01-01": "2027-01-01.toml",
    "banlist import list.toml --as red-diamond/standard --from 2027-02-01 --accept": "home/tourney/banlists",
    "pool import cards.csv --game mine": "home/tourney/cardpools/mine/pool.toml",
}


@pytest.mark.slow
@POSIX
@FULL
@pytest.mark.parametrize(("line", "lost"), [*zip(FILES, STREAMS[:2] * 5, strict=True)])
def test_a_written_file_is_a_success_without_stdout(event, line, lost):
    """What stdout could not take is shown on stderr."""
    folder = event.parent
    (folder / "cards.csv").write_text("name\nAnt\nBee\n", encoding="utf-8")
    (folder / "list.toml").write_text('source = "us"\n[cards]\n"Ant" = 0\n', encoding="utf-8")
    with open_desk(folder) as desk:
        export(desk, folder)
    code, _, errors = run(folder, *line.split(), lost=lost)
    assert code == 0, errors
    assert "warning: the output could not be shown" in errors
    assert (folder / FILES[line]).exists()


READING = (
    "event show", "event log", "round show", "standings", "player list --json", "--help", "event --help",
    "--version",
)  # fmt: skip


@POSIX
@FULL
@pytest.mark.parametrize(
    "reading",
    sampled(product(READING, STREAMS[:2]), zip(READING, STREAMS[:2] * 4, strict=True)),
    ids=" ".join,
)
def test_a_reading_command_without_output_fails(event, reading):
    """It does nothing but print, so the exit code is 3, with an error message."""
    line, lost = reading
    code, _, errors = run(event.parent, *line.split(), lost=lost)
    assert code == 3
    assert errors.startswith("error: ")
    assert "Traceback" not in errors


@POSIX
@FULL
def test_a_dry_run_without_output_fails(event):
    """Nothing is written in any case."""
    before = event.read_bytes()
    assert run(event.parent, "player", "add", "Zoe", "--dry-run", lost=">/dev/full")[0] == 3
    assert run(event.parent, "player", "add", "Zoe", "--dry-run")[0] == 0
    assert event.read_bytes() == before


@POSIX
def test_a_full_or_closed_stderr_changes_nothing(event):
    """Neither the data on stdout nor the exit code differs."""
    code, out, _ = run(event.parent, "round", "show", lost="2>&-")
    assert code == 0
    assert "Ada" in out
    code, out, _ = run(event.parent, "player", "add", "Zoe", lost="2>&-")
    assert code == 0
    assert "Zoe (#6) is registered" in out
