"""Deck validation cases of the Netrunner API.

From NetrunnerDB/netrunnerdb-api-server at 4962f2f, Apache-2.0. Two verdicts of the API are known to be wrong,
as it reverses the condition of Mumba Temple: the card costs no influence with 15 or FEWER ice.
"""

import json
import re

import pytest

from tests.kit import golden
from tests.official import netrunner
from tests.rules.kit import judged
from tourney.decks import read
from tourney.decks.reading.vocabulary import vocabulary_of
from tourney.errors import Severity, TourneyError

FILE = json.loads(golden("decks", "netrunner_api_cases.json").read_text(encoding="utf-8"))
CASES = FILE["cases"]

# What each of the API's errors is to us: the handle of the finding, and the number it must have counted.
ERRORS = [
    (r"`identity_card_id` `.*` does not exist|^Card `.*` does not exist", "card"),
    (r"^Identity `.*` has side", "identity-side"),
    (r"^Card `.*` side `.*` does not match", "side"),
    (r"^Ampere decks .* There are (\d+)", "agendas-of-a-faction"),
    (r"agenda points, but deck only has (\d+)", "agenda-points"),
    (r"has a deck limit of \d+, but (\d+) copies", "copies"),
    (r"spent (\d+) influence", "influence"),
    (r"^Minimum deck size is \d+, but deck has (\d+) cards", "size"),
    (r"multiple identities", "wrong-zone"),
    (r"^Agenda `.*` with faction_id `.*` is not allowed", "agenda-faction"),
]
BY_CARD_TEXT = {"mumba_9ice": True, "mumba_more_ice": False}


def verdict_on(deck):
    lines = [f"{copies} {card}" for card, copies in deck["cards"].items()]
    text = "\n".join(["Identity", f"1 {deck['identity_card_id']}", "", "Deck", *lines])
    decklist = read(text, source="api", vocabulary=vocabulary_of(netrunner.format_()))
    return judged(decklist, netrunner.plain_ruleset(deck["side_id"]))


def handle_and_number(error):
    for pattern, handle in ERRORS:
        if match := re.search(pattern, error):
            return handle, match[1] if match.groups() else None
    raise AssertionError(f"an error this test does not know: {error}")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_the_verdict_is_that_of_the_api(case):
    """With its reasons. Where the API is known to be wrong, the card text decides."""
    deck = FILE["decks"][case["deck"]]
    if deck["side_id"] not in {"corp", "runner"}:
        with pytest.raises(TourneyError, match="`super_mega_corp` is not one of any, corp, runner"):
            verdict_on(deck)
        return
    verdict = verdict_on(deck)
    legal = BY_CARD_TEXT[case["deck"]] if case["legal"] is None else case["legal"]
    assert verdict.verdict == ("legal" if legal else "illegal"), verdict.findings
    if case["legal"] is not None:
        reasons = {(finding.rule, finding.have) for finding in verdict.findings}
        for handle, number in map(handle_and_number, case["errors"]):
            assert (handle, number) in reasons or (number is None and handle in {rule for rule, _ in reasons})
    assert not legal or not [
        finding for finding in verdict.findings if finding.severity is not Severity.ADVICE
    ]


def test_all_31_cases_ran():
    assert len(CASES) == 31
