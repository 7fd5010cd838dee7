"""When a deck was legal; what differs between two; promises; other tools' files. All cards are invented."""

import json
from datetime import date
from xml.etree import ElementTree

import pytest

from tests.rules.kit import format_of, pool_of, rules, verdict
from tourney.decks import difference, read
from tourney.decks.history import commitment, days_of, history, opens
from tourney.decks.reports import junit, sarif
from tourney.rules import Ruleset, parse_banlist

CARDS = {"Ant": {}, "Bee": {"aliases": ["Old Bee"]}, "Cat": {"printings": [{"set": "ONE", "number": "1"}]}}
FORMAT = """
[format]
id = "invented/standard"
banlist = "invented/list"
[[zone]]
id = "deck"
[[zone]]
id = "side"
[[limit]]
id = "early"
by = "name"
max = 2
until = 2025-06-30
[[limit]]
id = "copies"
by = "name"
max = 3
since = 2025-03-01
"""
LISTS = {date(2025, 9, 1): '"Bee" = 0', date(2025, 12, 1): '"Cat" = 1', date(2026, 3, 1): '"Ant" = 0'}


def on(day):
    days = [deck_list for deck_list in LISTS if deck_list <= day]
    listed = parse_banlist(f"[cards]\n{LISTS[max(days)]}", source="l", day=max(days)) if days else None
    return Ruleset(format_of(FORMAT), listed, pool_of(CARDS), day)


def periods(text):
    deck = read(text, source="deck")
    found = history(deck, on, {*days_of(format_of(FORMAT)), *LISTS})
    return [
        (item.first, item.last, item.verdict, [reason.rule for reason in item.findings]) for item in found
    ]


def test_the_days_of_a_format_are_those_on_which_something_begins_or_has_ended():
    """First days, and the days after last ones."""
    assert days_of(format_of(FORMAT)) == {date(2025, 3, 1), date(2025, 7, 1)}


def test_periods_have_no_gap_and_neighbours_differ():
    """From ever to further notice; what stays the same is one period whatever lists came and went."""
    assert periods("3 Ant\n1 Bee") == [
        (None, date(2025, 6, 30), "illegal", ["early"]),
        (date(2025, 7, 1), date(2025, 8, 31), "legal", []),
        (date(2025, 9, 1), date(2025, 11, 30), "illegal", ["banned"]),
        (date(2025, 12, 1), date(2026, 2, 28), "legal", []),
        (date(2026, 3, 1), None, "illegal", ["banned"]),
    ]


def test_without_days_there_is_one_period():
    """Nothing ever changes."""
    known = rules("", CARDS)
    (only,) = history(read("1 Ant", source="deck"), lambda day: known, ())
    assert (only.first, only.last, only.verdict) == (None, None, "legal")


def changed(first, second, **options):
    known = rules(FORMAT, CARDS) if options.get("known", True) else None
    decks = (read(text, source="deck") for text in (first, second))
    return [(change.zone, change.card, change.before, change.after) for change in difference(*decks, known)]


def test_the_same_deck_written_otherwise_has_no_difference():
    """Order, splitting, aliases, printings and comments do not matter."""
    assert changed("2 Ant\n1 Bee\n1 Cat", "// c\n1 Cat (ONE) 1\n1 Old Bee\n1 Ant\n1 Ant") == []


def test_differences_are_told_by_zone_and_card():
    """A card that moved is one out and one in."""
    assert changed("2 Ant\n1 Bee", "1 Ant\n\nSideboard\n1 Ant\n2 Cat") == [
        ("deck", "Ant", 2, 1),
        ("deck", "Bee", 1, 0),
        ("side", "Ant", 0, 1),
        ("side", "Cat", 0, 2),
    ]


def test_without_rules_names_are_compared_as_they_are_written():
    """Folded, at least."""
    assert changed("1 Bee", "1 bee", known=False) == []
    assert changed("1 Bee", "1 Old Bee", known=False) == [("main", "Bee", 1, 0), ("main", "Old Bee", 0, 1)]


def test_a_promise_opens_with_its_deck_and_salt_only():
    """Another deck, another salt, another letter: not what was promised."""
    salt = bytes(range(16))
    promise = commitment("ab" * 32, salt)
    assert opens(promise, "ab" * 32, salt)
    assert opens(f" {promise.upper()}\n", "ab" * 32, salt)
    assert not opens(promise, "ac" * 32, salt)
    assert not opens(promise, "ab" * 32, salt[::-1])
    assert not opens("", "ab" * 32, salt)
    assert commitment("ab", b"1") != commitment("1ab", b"")


HOSTILE = "1 Ant\x07 <&> and a name that is long enough to be a text\n4 Bee\n1 Nobody"


@pytest.mark.parametrize(("options", "counts"), [({"strict": False, "accept": False}, ("2", "1", "0"))])
def test_junit_is_well_formed_whatever_the_names(options, counts):
    """Control characters cannot stand in XML, not even escaped."""
    found = [verdict(rules(FORMAT, CARDS), text) for text in (HOSTILE, "1 Ant")]
    tree = ElementTree.fromstring(junit(found, **options))
    assert (tree.get("tests"), tree.get("failures"), tree.get("skipped")) == counts
    assert "no such card" in tree[0][0].text


def test_junit_skips_what_is_unverified_unless_told_otherwise():
    """A build server takes a skipped test for neither pass nor failure."""
    doubtful = verdict(
        rules(
            "[[limit]]\nid = 'x'\nwhere = \"kind == 'a'\"\nmax = 0",
            {},
            complete=False,
            attributes={"kind": "text"},
        ),
        "1 Fly",
    )
    for strict, accept, kind in ((False, False, "skipped"), (True, False, "failure"), (False, True, None)):
        case = ElementTree.fromstring(junit([doubtful], strict=strict, accept=accept))[0]
        assert [change.tag for change in case] == ([kind] if kind else [])


def test_sarif_has_a_result_for_each_finding_at_its_lines():
    """One rule for each handle, levels by severity, paths as URIs."""
    found = verdict(rules(FORMAT, CARDS), "4 Bee\n1 Nobody")
    log = json.loads(json.dumps(sarif([found], "1.2")))
    run = log["runs"][0]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["copies", "card"]
    first = run["results"][0]
    assert (first["ruleId"], first["ruleIndex"], first["level"]) == ("copies", 0, "error")
    assert first["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "deck.txt"},
        "region": {"startLine": 1},
    }
