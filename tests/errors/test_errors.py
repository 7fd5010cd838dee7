"""Run the error examples, and check that every error message has one."""

from pathlib import Path

import pytest

from tests.errors.sites import without_example
from tests.golden.transcript import Transcript, check
from tests.kit import with_rows

CASES = sorted(Path(__file__).parent.glob("*/*.txt"))


def name(path):
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.parametrize("path", CASES, ids=name)
def test_an_example_is_what_the_commands_answer(path, tmp_path, request):
    """The transcript matches the output of its commands; `README.md` shows the same text."""
    check(path, tmp_path, update=request.config.getoption("--update"))


@with_rows("path", CASES)
def test_an_example_ends_in_a_refusal_or_a_finding(path):
    """The exit code is 1 to 4, and the output has no traceback, Python type or "invalid"."""
    last = Transcript.read(path.read_text(encoding="utf-8")).steps[-1].answer
    assert last[-1] in {"[1]", "[2]", "[3]", "[4]"}
    text = "\n".join(last)
    for word in ("Traceback", "NoneType", "nvalid", "ailed to", "None", "<class"):
        assert word not in text, f"the output shows `{word}` to an organizer"


UNSHOWN = {
    "a journal that was altered or cut (tests/event, tests/store)": (
        "… holds no entries", "`…` in the entries is not a date",
        "the event has no copy of its …", "the event has no copy of the …",
        "… is entered as paired by …", "… is entered as a round of a cut", "the deck of … is damaged",
        "the … of the event is damaged", "the event's copy of the … … is damaged",
    ),
    "entries of a newer version (tests/event/test_versions.py, tests/event/test_entry.py)": (
        "entry … was written by a newer tourney",
        "entry … (…) contains something that this tourney does not know",
    ),
    "entries that are impossible at their place in the journal (tests/hostile)": (
        "… cannot be explained, because it includes players", "… was paired before its bracket was made",
    ),
    "a copy of the event without its secret, or with a damaged secret (tests/desk)": (
        "this copy of the event does not have the secret", "the event's secret is damaged",
    ),
    "entries by another author (tests/event)": ("none of the entries is yours",),
    "errors that the command line reports before the desk can": (
        "name what to change for …",
        "extra time must be at least 1 minute",
    ),
    "a copy without its secret, which cannot replay rounds (tests/desk/test_beacon.py, test_verifying.py)": (
        "a round that was paired by hand has no seed", "equal players are seeded at random",
        "ties may be broken by lot",
    ),
    "reasons why a part of an imported event is left out (tests/desk/test_takeover.py)": (
        "… left before the bracket but played in it",
    ),
    "an optional package that is installed for the tests": ("the Dutch system needs its engine",),
    "files of many megabytes (tests/hostile/test_memory.py)": (
        "… is larger than … MB", "…:…: a list has at most … players",
        "at most … lines are read at once",
    ),
    "searches that take seconds before they give up (tests/games/test_red_diamond_judge.py)": (
        "too many choices of cards to try each", "… different VP cards are too many to find the best scoring",
    ),
    "messages on a player's phone (tests/desk/test_claims.py, tests/serve)": (
        "your page showed another round",
        "in this event, only the desk enters results", "you are out of the event",
        "only the desk enters no-shows and rulings", "that report no longer counts",
        "this is your own report", "round 1 is paired: check-in is over", "you have left the event",
        "the page sent an invalid request key", "your result is the same as the report",
    ),
    "a hundred thousand players (a limit of tourney.decode)": ("an event has at most … players",),
    "binary files and workbooks (tests/desk/test_player_list.py, tests/store/test_workbook.py)": (
        "… is not text", "`…` is a date, not a name",
    ),
    "input typed in a terminal, and binary standard input (tests/cli/test_enter.py)": (
        "the line is not UTF-8 text", "a line of standard input is too long",
        "name the table and its new result",
    ),
}  # fmt: skip
"""Messages that no transcript can show, by the reason and the tests that cover them."""


def test_every_refusal_has_an_example():
    """Every message of games, event, desk and cli has an example, or is listed in UNSHOWN."""
    folders = (Path(__file__).parent, Path(__file__).parent.parent / "golden" / "cases")
    text = "\n".join(path.read_text(encoding="utf-8") for folder in folders for path in folder.rglob("*.txt"))
    excused = tuple(message for messages in UNSHOWN.values() for message in messages)
    sites = without_example(text, "games", "event", "desk", "cli")
    missing = [site for site in sites if not site.shown.startswith(excused)]
    assert not missing, "\n".join(f"{site.place}: {site.shown}" for site in missing)
    idle = [message for message in excused if not any(site.shown.startswith(message) for site in sites)]
    assert not idle, f"no code has these messages any more, or a transcript shows them: {idle}"
