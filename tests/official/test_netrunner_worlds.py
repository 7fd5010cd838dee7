"""World-champion Netrunner decks: legal on the day of the event, illegal under a later list.

Source: netrunner-cards-json, prebuilts.json; the cards are named by the codes of their printings.
"""

import json
from datetime import date

import pytest

from tests.kit import golden
from tests.official import netrunner
from tests.rules.kit import judged
from tourney.decks import Decklist, Line, Reading, check

CASES = json.loads(golden("decks", "netrunner_worlds_asof.json").read_text(encoding="utf-8"))["cases"]


def decklist(cards):
    lines = [
        Line(number=number, count=copies, readings=(Reading(name=code),), code=code)
        for number, (code, copies) in enumerate(cards.items(), 1)
    ]
    return Decklist(source="worlds", grammar="codes", lines=tuple(lines))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_champions_deck_is_legal_on_its_day(case):
    """It is not legal under today's pool and list."""
    verdict = judged(decklist(case["cards"]), netrunner.ruleset_on(date.fromisoformat(case["on"])))
    assert (verdict.verdict == "legal") is case["legal"], verdict.findings
    assert verdict.verdict != "unverified"


def test_a_rotated_deck_has_a_reason_for_each_card():
    """The finding names the card, and the list with its date."""
    verdict = check(decklist(CASES[0]["cards"]), netrunner.ruleset_on(date(2026, 8, 1)))
    out = [finding for finding in verdict.findings if finding.rule == "banned"]
    assert {finding.message for finding in out} == {"not in the card pool"}
    assert all(finding.cite == "ban list netrunner/standard of 2026-08-01" for finding in out)


def test_all_12_cases_ran():
    """Six decks, each on its day and on a later one."""
    assert len(CASES) == 12


@pytest.mark.parametrize("game_format", ["standard", "startup", "eternal"])
def test_every_snapshot_is_a_valid_ban_list(game_format):
    """Each dated restriction list can be written as a ban list file and bound to the pool."""
    for start in netrunner.snapshots(game_format):
        assert netrunner.ruleset_of(game_format, start, start).rules
