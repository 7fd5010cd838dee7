"""The 23 Red Diamond and REDLINE cases from the rule texts, with invented card names."""

import json
from datetime import date
from functools import cache

import pytest

from tests.kit import ROOT, golden
from tests.rules.kit import judged
from tourney.cards import parse_pool
from tourney.decks import read
from tourney.errors import Severity
from tourney.rules import Ruleset, parse_banlist, parse_format

FILE = json.loads(golden("decks", "own_red_diamond_redline.json").read_text(encoding="utf-8"))
DAY = date(2026, 11, 20)
FORMATS = {"red-diamond": "red_diamond.toml", "redline": "redline.toml"}
ATTRIBUTES = 'complete = true\n[attributes]\nkind = "text"\nfaction = "text"\nbasic = "flag"\n'


@cache
def ruleset(game):
    name = FORMATS[game]
    text = (ROOT / "tests" / "official" / name).read_text(encoding="utf-8")
    cards = "\n".join(json.dumps(card) for card in FILE["pools"][game])
    pool = parse_pool(f'game = "{game}"\n{ATTRIBUTES}', {"core": cards}, source="pool.toml")
    banned = FILE["lists"].get(game, {}).get("banned", [])
    lines = "\n".join(f'"{card}" = 0' for card in banned)
    banlist = parse_banlist(f"[cards]\n{lines}", source="list", day=DAY, name="own") if banned else None
    return Ruleset(parse_format(text, source=name, parent=lambda name: None), banlist, pool, DAY)


def text_of(deck):
    zones = [
        "\n".join([zone.capitalize(), *(f"{copies} {card}" for copies, card in lines)])
        for zone, lines in deck.items()
    ]
    return "\n\n".join(zones)


@pytest.mark.parametrize("case", FILE["cases"], ids=lambda case: case["id"])
def test_a_case_has_its_verdict_and_reasons(case):
    """The rules of the errors are exactly the case's.

    If a count is invalid, the rest of the list is still judged; then the case's rule is one of several.
    """
    rules = ruleset(case["format"])
    verdict = judged(read(text_of(case["deck"]), source=case["id"], format_=rules.format), rules)
    assert verdict.verdict == ("legal" if case["legal"] else "illegal"), verdict.findings
    broken = {finding.rule for finding in verdict.findings if finding.severity is Severity.ERROR}
    if "count" in case["rules"]:
        assert broken >= set(case["rules"])
    else:
        assert broken == set(case["rules"])


def test_all_23_cases_ran():
    assert len(FILE["cases"]) == 23
