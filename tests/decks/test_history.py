"""Periods of legality, differences between decks, commitments, and files for other tools.

All cards are invented.
"""

import json
from datetime import date
from xml.etree import ElementTree

from tests.kit import with_rows
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
    periods = history(deck, on, {*days_of(format_of(FORMAT)), *LISTS})
    return [
        (item.first, item.last, item.verdict, [reason.rule for reason in item.findings]) for item in periods
    ]


def test_days_of_a_format_are_first_days_and_days_after_last_ones():
    assert days_of(format_of(FORMAT)) == {date(2025, 3, 1), date(2025, 7, 1)}


def test_periods_have_no_gap_and_neighbours_differ():
    """They run from the beginning of time until further notice.

    A ban list that changes nothing starts no period.
    """
    assert periods("3 Ant\n1 Bee") == [
        (None, date(2025, 6, 30), "illegal", ["early"]),
        (date(2025, 7, 1), date(2025, 8, 31), "legal", []),
        (date(2025, 9, 1), date(2025, 11, 30), "illegal", ["banned"]),
        (date(2025, 12, 1), date(2026, 2, 28), "legal", []),
        (date(2026, 3, 1), None, "illegal", ["banned"]),
    ]


def test_without_days_there_is_one_period():
    ruleset = rules("", CARDS)
    (only,) = history(read("1 Ant", source="deck"), lambda day: ruleset, ())
    assert (only.first, only.last, only.verdict) == (None, None, "legal")


def changed(first, second, **options):
    ruleset = rules(FORMAT, CARDS) if options.get("known", True) else None
    decks = (read(text, source="deck") for text in (first, second))
    return [(change.zone, change.card, change.before, change.after) for change in difference(*decks, ruleset)]


def test_another_spelling_of_a_deck_has_no_difference():
    """Order, splitting, aliases, printings and comments do not matter."""
    assert changed("2 Ant\n1 Bee\n1 Cat", "// c\n1 Cat (ONE) 1\n1 Old Bee\n1 Ant\n1 Ant") == []


def test_differences_are_by_zone_and_card():
    """A card that moved to another zone is removed and added."""
    assert changed("2 Ant\n1 Bee", "1 Ant\n\nSideboard\n1 Ant\n2 Cat") == [
        ("deck", "Ant", 2, 1),
        ("deck", "Bee", 1, 0),
        ("side", "Ant", 0, 1),
        ("side", "Cat", 0, 2),
    ]


def test_without_rules_names_are_compared_as_written():
    """Case is still ignored."""
    assert changed("1 Bee", "1 bee", known=False) == []
    assert changed("1 Bee", "1 Old Bee", known=False) == [("main", "Bee", 1, 0), ("main", "Old Bee", 0, 1)]


def test_a_commitment_opens_only_with_its_deck_and_salt():
    salt = bytes(range(16))
    commitment_ = commitment("ab" * 32, salt)
    assert opens(commitment_, "ab" * 32, salt)
    assert opens(f" {commitment_.upper()}\n", "ab" * 32, salt)
    assert not opens(commitment_, "ac" * 32, salt)
    assert not opens(commitment_, "ab" * 32, salt[::-1])
    assert not opens("", "ab" * 32, salt)
    assert commitment("ab", b"1") != commitment("1ab", b"")


HOSTILE = "1 Ant\x07 <&> and a name that is long enough to be a text\n4 Bee\n1 Nobody"


@with_rows(("options", "counts"), [({"strict": False, "accept": False}, ("2", "1", "0"))])
def test_junit_output_is_well_formed_for_any_names(options, counts):
    """XML does not allow control characters, not even escaped."""
    results = [verdict(rules(FORMAT, CARDS), text) for text in (HOSTILE, "1 Ant")]
    tree = ElementTree.fromstring(junit(results, **options))
    assert (tree.get("tests"), tree.get("failures"), tree.get("skipped")) == counts
    assert "no such card" in tree[0][0].text


def test_junit_skips_unverified_lists_by_default():
    """A build server counts a skipped test as neither pass nor failure."""
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
    """One rule for each rule id, levels by severity, paths as URIs."""
    result = verdict(rules(FORMAT, CARDS), "4 Bee\n1 Nobody")
    log = json.loads(json.dumps(sarif([result], "1.2")))
    run = log["runs"][0]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["copies", "card"]
    first = run["results"][0]
    assert (first["ruleId"], first["ruleIndex"], first["level"]) == ("copies", 0, "error")
    assert first["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "deck.txt"},
        "region": {"startLine": 1},
    }
