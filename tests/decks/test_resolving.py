"""Which words of a line are read as decoration, given the pool. All cards are invented."""

from tests.kit import with_rows
from tests.rules.kit import handles, rules, verdict

COPIES = '[[limit]]\nid = "copies"\nby = "name"\nmax = 1\n'
CARDS = {"Kite": {}, "Bell": {}}


@with_rows("marked", ["Kite (ABC) 12", "Kite [ABC]", "Kite|ABC"])
@with_rows("complete", [True, False])
def test_a_full_printing_mark_is_decoration_in_every_pool(marked, complete):
    """The line with the mark and the bare name are the same card."""
    assert handles(verdict(rules(COPIES, CARDS, complete=complete), f"1 {marked}\n1 Kite")) == ["copies"]


def test_parentheses_belong_to_the_name_in_an_open_pool():
    """`Kite (Red)` may be a card that the open pool does not list."""
    assert handles(verdict(rules(COPIES, CARDS, complete=False), "1 Kite (Red)\n1 Kite")) == []
    assert "copies" in handles(verdict(rules(COPIES, CARDS, complete=True), "1 Kite (Red)\n1 Kite"))


@with_rows("remark", ["// the same deck", "# my friend's cards", "// Tuned for Friday's pool"])
def test_a_comment_between_cards_is_not_a_zone(remark):
    """A comment that ends in `deck` or `cards` changes neither zones nor counts."""
    result = verdict(rules(COPIES, CARDS), f"1 Kite\n{remark}\n1 Bell")
    assert (result.verdict, result.cards) == ("legal", 2)
