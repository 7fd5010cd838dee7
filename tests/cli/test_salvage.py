"""A damaged event: one warning, the rest works, and `event salvage` reports what it saved."""

import json

import pytest
from click.testing import CliRunner

from tourney.cli import root


@pytest.fixture
def event(tmp_path, monkeypatch):
    """Make a finished event of two players in the current folder."""
    monkeypatch.chdir(tmp_path)
    say("event new Cup --format red-diamond/standard --banlist none")
    say("player add Mira Tomo")
    say("round pair")
    say("result add 1 1-0")
    return tmp_path / "cup.tourney"


def say(line, code=0):
    result = CliRunner().invoke(root, line.split())
    assert result.exit_code == code, result.output
    return result


def flip_bit(path, words):
    """Flip one bit in some words of a file."""
    content = path.read_bytes()
    assert content.count(words) == 1
    path.write_bytes(content.replace(words, bytes([words[0] ^ 1]) + words[1:]))


def test_a_flipped_bit_in_a_name_stops_nothing(event):
    """One warning explains it, also beside JSON, and the name is shown as damaged."""
    flip_bit(event, b"Mira")
    for line in ("player list", "standings", "event log", "event show --json", "player list --json --quiet"):
        result = say(line)
        assert result.stderr.count("warning:") == 1
        assert "warning: cup.tourney is damaged: the name of #1 cannot be read; the rest can" in result.stderr
        assert "#1 (name damaged)" in result.stdout
    assert "hint: `tourney event salvage`" in say("player list").stderr
    assert "#1 (name damaged) left after round 1" in say("player drop #1").stdout
    say("event check", 1)


def test_salvage_reports_what_a_backup_restored(event):
    """Nothing is missing, so the exit code is 0."""
    say("event backup")
    flip_bit(event, b"Mira")
    answer = say("event salvage")
    assert answer.stdout.startswith("cup-salvaged.tourney: 4 entries (")
    assert [line.split(" in cup-")[0] for line in answer.stdout.splitlines()[1:]] == [
        "restored: the name of #1"
    ]
    assert (
        "run `tourney event check -e cup-salvaged.tourney`, then continue in the new file;"
        " cup.tourney is unchanged" in answer.stderr
    )
    assert "Mira" in say("player list -e cup-salvaged").stdout


def test_salvage_reports_what_is_missing(event):
    """Exit code 1, and for each loss a line with the command that enters it again."""
    content = event.read_bytes()
    for words in (b"Mira", b'"op":"result.reported"'):
        content = content.replace(words, b"?" * len(words))
    event.write_bytes(content)
    assert "hint: `tourney event salvage`" in say("standings", 3).stderr
    for backup in event.parent.glob(".tourney-backups/*"):
        backup.unlink()
    lines = say("event salvage --to saved.tourney", 1).stdout.splitlines()
    assert lines[0].startswith("saved.tourney: 3 of 4 entries (")
    assert lines[1:] == [
        "missing: entry 4, the last entry",
        "missing: the name of #1; `tourney player rename '#1' NAME`",
    ]
    document = json.loads(say("event salvage -e cup --to again.tourney --json", 1).stdout)
    assert (document["schema"], document["entry"], document["written"], document["complete"]) == (
        "tourney.event-salvage/1", 3, 4, False,
    )  # fmt: skip
    assert document["missing"] == [
        {"what": "entry 4, the last entry", "command": None},
        {"what": "the name of #1", "command": "tourney player rename '#1' NAME"},
    ]


def test_salvage_names_the_last_backup_and_not_its_own_file(event):
    """The new event may be written among the backups."""
    backup = next(event.parent.glob(".tourney-backups/*.tourney"))
    event.write_bytes(event.read_bytes().replace(b'"op":"result.reported"', b"?" * 22))
    answer = say("event salvage --to .tourney-backups/saved.tourney", 1)
    assert f"or go back to the last backup: `tourney event copy {backup} " in answer.stderr
