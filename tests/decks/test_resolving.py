"""Lines and the pool: which words may be taken for decoration. All cards are invented."""

import pytest

from tests.rules.kit import handles, rules, verdict

COPIES = '[[limit]]\nid = "copies"\nby = "name"\nmax = 1\n'
CARDS = {"Kite": {}, "Bell": {}}


@pytest.mark.parametrize("marked", ["Kite (ABC) 12", "Kite [ABC]", "Kite|ABC"])
@pytest.mark.parametrize("complete", [True, False])
def test_a_full_printing_mark_is_decoration_in_every_pool(marked, complete):
    """The marked line and the bare name are the same card."""
    assert handles(verdict(rules(COPIES, CARDS, complete=complete), f"1 {marked}\n1 Kite")) == ["copies"]


def test_a_lone_parenthesis_belongs_to_the_name_in_an_open_pool():
    """`Kite (Red)` may be a card the pool does not list; a complete pool knows that it is not."""
    assert handles(verdict(rules(COPIES, CARDS, complete=False), "1 Kite (Red)\n1 Kite")) == []
    assert "copies" in handles(verdict(rules(COPIES, CARDS, complete=True), "1 Kite (Red)\n1 Kite"))


@pytest.mark.parametrize("remark", ["// the same deck", "# my friend's cards", "// Tuned for Friday's pool"])
def test_a_remark_between_the_cards_is_no_zone(remark):
    """A comment that happens to end in `deck` or `cards` changes neither zones nor counts."""
    found = verdict(rules(COPIES, CARDS), f"1 Kite\n{remark}\n1 Bell")
    assert (found.verdict, found.cards) == ("legal", 2)
