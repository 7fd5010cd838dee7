"""A damaged event at the desk: one warning, everything else works, and `event salvage` says what it saved."""

import json

import pytest
from click.testing import CliRunner

from tourney.cli.command import root


@pytest.fixture
def event(tmp_path, monkeypatch):
    """An event of two players, played, in the folder in which commands are given."""
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


def turn(path, words):
    """Turn one bit in some words of a file."""
    content = path.read_bytes()
    assert content.count(words) == 1
    path.write_bytes(content.replace(words, bytes([words[0] ^ 1]) + words[1:]))


def test_one_flipped_bit_in_a_name_stops_nothing(event):
    """One warning on stderr says what and what helps, also beside JSON; the name is shown as damaged."""
    turn(event, b"Mira")
    for line in ("player list", "standings", "event log", "event show --json", "player list --json --quiet"):
        said = say(line)
        assert said.stderr.count("warning:") == 1
        assert "warning: cup.tourney is damaged: the name of #1 cannot be read; the rest can" in said.stderr
        assert "#1 (name damaged)" in said.stdout
    assert "hint: `tourney event salvage`" in say("player list").stderr
    assert "#1 (name damaged) left after round 1" in say("player drop #1").stdout
    say("event check", 1)


def test_salvage_says_what_it_found_in_a_backup(event):
    """Nothing is missing: 0."""
    say("event backup")
    turn(event, b"Mira")
    answer = say("event salvage")
    assert answer.stdout.startswith("cup-salvaged.tourney: 4 entries (")
    assert [line.split(" in cup-")[0] for line in answer.stdout.splitlines()[1:]] == [
        "restored: the name of #1"
    ]
    assert (
        "`tourney event check -e cup-salvaged.tourney`, then go on in it; cup.tourney is as it was"
        in answer.stderr
    )
    assert "Mira" in say("player list -e cup-salvaged").stdout


def test_salvage_says_what_is_missing(event):
    """1, a line for each, with the command that enters it anew; the same as JSON."""
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
        "missing: entry 4, the last one",
        "missing: the name of #1; `tourney player rename '#1' NAME`",
    ]
    document = json.loads(say("event salvage -e cup --to again.tourney --json", 1).stdout)
    assert (document["schema"], document["entry"], document["written"], document["complete"]) == (
        "tourney.event-salvage/1", 3, 4, False,
    )  # fmt: skip
    assert document["missing"] == [
        {"what": "entry 4, the last one", "command": None},
        {"what": "the name of #1", "command": "tourney player rename '#1' NAME"},
    ]
