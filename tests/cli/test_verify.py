"""`verify` on the command line: its output and exit codes."""

import json
import re
import sqlite3

import pytest
from click.testing import CliRunner

from tests.desk.kit import lent
from tests.desk.test_verifying import NAMES, forge, new_desk, play, replace
from tourney.cli import root
from tourney.desk import Desk, erase


def run(*words):
    done = CliRunner(env={"TOURNEY_BY": "desk", "TOURNEY_DATA": None}).invoke(
        root, ["verify", *map(str, words)]
    )
    return done.exit_code, done.stdout


@pytest.fixture
def event(tmp_path):
    with new_desk(tmp_path, *NAMES) as desk:
        play(desk)
        play(desk)
    return tmp_path / "friday.tourney"


def test_an_honest_event_leaves_with_0(event):
    """The answer to every question is yes."""
    code, output = run("-e", event)
    assert code == 0
    assert "NO" not in output.split()
    assert "?" not in output.split()


def test_forgeries_leave_with_1_and_are_named(event):
    """The message names round and entry; with --json, each forgery is a finding."""
    with sqlite3.connect(event) as database:
        database.execute("UPDATE secret SET bytes = ?", (b"x" * 32,))
    code, output = run("-e", event)
    assert code == 1
    assert "wrong: the secret in this file does not match the SHA-256 in entry 1" in output

    def change(seq, op):
        return replace(op, proof=replace(op.proof, cost=(1, *op.proof.cost[1:]))) if seq == 3 else op

    forge(event.parent, change).leave()
    code, output = run("-e", event.parent / "forged.tourney", "--round", 1, "--json")
    document = json.loads(output)
    assert code == 1
    assert document["rounds"][0]["cost_fits"] is False
    assert any("Round 1 (entry 3)" in finding["message"] for finding in document["findings"])


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("DELETE FROM texts WHERE length(bytes) < 30", "wrong: the name of #1 is missing"),
        (
            "UPDATE texts SET salt = NULL, bytes = NULL WHERE length(bytes) < 30",
            "wrong: the name of #1 was deleted, but no entry records that",
        ),
        (
            "UPDATE texts SET bytes = 'Mia' WHERE length(bytes) < 30",
            "wrong: the name of #1 was changed after it was written",
        ),
        (
            "INSERT OR REPLACE INTO header SELECT 'erased', group_concat(digest, ' ') FROM texts;"
            "UPDATE texts SET salt = NULL, bytes = NULL WHERE length(bytes) < 30",
            "wrong: the name of #1 was deleted, but no entry records that",
        ),
    ],
    ids=["missing", "deleted", "altered", "deleted with a note"],
)
def test_texts_missing_without_an_entry_leave_with_1(event, statement, message):
    """The exit code is 1, except if an entry deleted the text."""
    with Desk.open(event, lent()) as desk:
        erase(desk, NAMES[-1])
    assert run("-e", event)[0] == 0
    with sqlite3.connect(event) as database:
        database.executescript(statement)
    code, output = run("-e", event)
    assert code == 1
    assert message in output


def test_undecidable_questions_leave_with_4(event):
    """A copy without its secret; another engine's tables."""
    forge(event.parent, lambda _, op: op, secret=False, name="copy.tourney").leave()
    code, output = run("-e", event.parent / "copy.tourney")
    assert code == 4
    assert "undecided: " in output
    assert "?" in output.split()

    def change(seq, op):
        return (
            replace(op, engine="tourney swiss 9", tables=op.tables[:-1][::-1] + op.tables[-1:])
            if seq == 3
            else op
        )

    forge(event.parent, change, name="elder.tourney").leave()
    code, output = run("-e", event.parent / "elder.tourney", "--round", 1)
    assert code == 4
    assert "signed by tourney swiss 9" in output


def test_against_leaves_with_0_or_1(event):
    """The code is 4 for the start of a digest; with several digests, the worst answer counts."""
    digest = json.loads(run("-e", event, "--json")[1])["digest"]
    assert run("-e", event, "--against", digest)[0] == 0
    assert run("-e", event, "--against", digest[:20])[0] == 4
    assert run("-e", event, "--against", digest, "--against", "0" * 64)[0] == 1
    code, output = run("-e", event, "--against", digest, "--json")
    assert (code, json.loads(output)["compared"][0]["continues"]) == (0, True)
    assert run("-e", event, "--against", digest, "--round", 1)[0] == 2
    assert run("-e", event, "--against", "nothing.html")[0] == 3


@pytest.mark.parametrize(
    "line",
    [
        "standings",
        "round next",
        "event export",
        "event copy friday.tourney copy.tourney",
        "event close",
        "event show",
        "player add Zed",
        "verify",
    ],
)
def test_a_damaged_secret_is_named_once(event, monkeypatch, line):
    """It is named in the error, in a check of the event, or in a warning."""
    with sqlite3.connect(event) as database:
        database.execute("UPDATE secret SET bytes = ?", (b"x" * 32,))
    monkeypatch.chdir(event.parent)
    monkeypatch.setenv("TOURNEY_BY", "desk")
    done = CliRunner().invoke(root, line.split())
    text = f"{done.output}\n{done.exception or ''}"
    assert len(re.findall("secret.* is damaged", text)) == 1, text
