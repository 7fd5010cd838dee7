"""The test cases of Cockatrice's clipboard reader: cards, title and comments."""

import json

import pytest

from tests.kit import golden
from tourney.cards import fold
from tourney.decks import read

CASES = json.loads(golden("decks", "cockatrice_clipboard_cases.json").read_text(encoding="utf-8"))["cases"]
TEXTS = {case["id"]: case for case in CASES if "hash" not in case}  # reading does not depend on their hashes


def cards(lines):
    return [[line.count, fold(line.name)] for line in lines]


def folded(pairs):
    return [[count, fold(name)] for count, name in pairs]


def test_all_cases_are_there():
    """Sixteen texts, and two hashes of Cockatrice that are not run."""
    assert (len(TEXTS), len(CASES)) == (16, 18)


@pytest.mark.parametrize("case", TEXTS.values(), ids=TEXTS.keys())
def test_a_clipboard_is_read_like_cockatrice_reads_it(case):
    """Main deck and sideboard agree card by card in order, by folded names."""
    deck = read(case["text"], source="clipboard")
    side = [line for line in deck.lines if line.zone_id == "side"]
    main = [line for line in deck.lines if line.zone_id != "side"]
    if case.get("empty"):
        assert deck.lines == ()
        assert [finding.rule for finding in deck.findings] == ["empty"]
        return
    assert cards(main) == folded(case["main"])
    assert cards(side) == folded(case["side"])
    assert (deck.name or "") == case["name"]
    comments = [words for key, words in deck.about if key == "comment"]
    assert comments == [line for line in case["comments"].split("\n") if line]
