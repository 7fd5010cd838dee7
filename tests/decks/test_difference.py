"""Differences between decks: only cards, copies and zones matter. All names are invented."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from msgspec.structs import replace

from tests.decks.kit import deck
from tests.decks.strategies import decks
from tests.kit import examples, with_rows
from tourney.decks import Changed, difference, write

ONE = "Deck\n4 Kite\n2 Stone\n\nSideboard\n1 Bell\n"

SAME = {
    "order": "Sideboard\n1 Bell\n\nDeck\n2 Stone\n4 Kite\n",
    "comments": "// a remark\n4 Kite\n# another\n2 Stone\nSB: 1 Bell\n",
    "printings": "4 Kite (ABC) 12 *F*\n1 Stone [XYZ]\n1 Stone (ABC) 3\nSB: 1 Bell #tag\n",
    "case and accents": "4 KITE\n2 Stöne\nSB: 1 bell\n",
    "split lines": "2 Kite\nSB: 1 Bell\n1 Kite\n2 Stone\n1 Kite\n",
    "xml": '<Deck><Cards Quantity="4" Name="Kite"/><Cards Quantity="2" Name="Stone"/><Cards Quantity="1" Sideboard="true" Name="Bell"/></Deck>',
    "a maybeboard": ONE + "\nMaybeboard\n3 Drum\n",
    "a title": "Sky\n\n" + ONE,
}

OTHER = {
    "a copy more": ONE.replace("4 Kite", "5 Kite"),
    "another card": ONE.replace("Bell", "Drum"),
    "another zone": ONE.replace("2 Stone\n\nSideboard\n", "\nSideboard\n2 Stone\n"),
    "a card less": ONE.replace("2 Stone\n", ""),
}


@with_rows("text", SAME.values())
def test_equal_decks_do_not_differ(text):
    """Order, comments, printings, case, file format and uncounted cards do not matter."""
    assert difference(deck(ONE), deck(text)) == ()


@with_rows("text", OTHER.values())
def test_different_decks_differ(text):
    """Copies, cards and zones make a difference."""
    assert difference(deck(ONE), deck(text)) != ()


def test_differences_are_sorted_by_zone_and_name():
    """With the copies before and after."""
    other = "SB: 2 Bell\n3 Kite\n1 Drum\n2 Stone\n"
    assert difference(deck(ONE), deck(other)) == (
        Changed(zone="main", card="Drum", before=0, after=1),
        Changed(zone="main", card="Kite", before=4, after=3),
        Changed(zone="side", card="Bell", before=1, after=2),
    )


@examples(20, of=60)
@given(decks, st.randoms(use_true_random=False))
def test_order_makes_no_difference(decklist, random):
    """Shuffled lines without their marks and comments are the same deck."""
    lines = [structs.replace(line, marks=(), comment="") for line in decklist.lines]
    random.shuffle(lines)
    assert difference(decklist, replace(decklist, lines=tuple(lines))) == ()


@examples(20, of=60)
@given(decks)
def test_writing_and_reading_a_deck_makes_no_difference(decklist):
    assert difference(decklist, deck(write(decklist, "toml")[0])) == ()
