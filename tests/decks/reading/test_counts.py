"""Copies of a card, and numbers that are part of a name."""

from hypothesis import given
from hypothesis import strategies as st

from tests.decks.kit import deck
from tests.kit import with_rows
from tourney.decks import read_all
from tourney.decks.reading.counts import (
    DOUBTS,
    MAX_COPIES,
    is_only_a_count,
    split_count,
    whole_number,
)
from tourney.decks.reading.questions import doubt_about_count

COUNTED = [
    ("4 Kite", "4", "Kite"),
    ("4x Kite", "4", "Kite"),
    ("4X Kite", "4", "Kite"),
    ("4xKite", "4", "Kite"),
    ("4xkite", "4", "kite"),
    ("4 x Kite", "4", "Kite"),
    ("4× Kite", "4", "Kite"),
    ("4 × Kite", "4", "Kite"),
    ("4×Kite", "4", "Kite"),
    ("x4 Kite", "4", "Kite"),
    ("X4 Kite", "4", "Kite"),
    ("Kite x4", "4", "Kite"),
    ("Kite X4", "4", "Kite"),
    ("Kite ×4", "4", "Kite"),
    ("Kite x 4", "4", "Kite"),
    ("Kite (x4)", "4", "Kite"),
    ("Kite [x4]", "4", "Kite"),
    ("Kite 4x", "4", "Kite"),
    ("(4) Kite", "4", "Kite"),
    ("[4] Kite", "4", "Kite"),
    ("(4x) Kite", "4", "Kite"),
    ("4\tKite", "4", "Kite"),
    ("Kite\t4", "4", "Kite"),
    ("Kite\t4x", "4", "Kite"),
    ("4x[ABC] Kite", "4", "[ABC] Kite"),
    ('4x"Kite"', "4", '"Kite"'),
    ("４ Kite", "４", "Kite"),
    ("3x Xenon", "3", "Xenon"),
    ("4 xylophone", "4", "xylophone"),
    ("1 1000 Needles", "1", "1000 Needles"),
    ("1 +2 Mace", "1", "+2 Mace"),
    ("1 Speed x2", "1", "Speed x2"),
    ("9 Lives x2", "9", "Lives x2"),
    ("7 x4 Thing", "7", "x4 Thing"),
    ("4xST01-004", "4", "ST01-004"),
    ("0 Kite", "0", "Kite"),
    ("-3 Kite", "-3", "Kite"),
    ("−3 Kite", "−3", "Kite"),
    ("1.5 Kite", "1.5", "Kite"),
    ("1,5 Kite", "1,5", "Kite"),
    ("1/2 Kite", "1/2", "Kite"),
    ("½ Kite", "½", "Kite"),
    ("2½ Kite", "2½", "Kite"),
    ("10000000 Kite", "10000000", "Kite"),
]

NAMES = [
    "Kite",
    "+2 Mace",
    "2-Headed Ogre",
    "5th Column",
    "2x4 Plank",
    "X",
    "x",
    "X-Ray",
    "XVII",
    "Kite 2",
    "4Kite",
    "8½",
]


@with_rows(("words", "count", "name"), COUNTED)
def test_splits_a_count_from_the_name(words, count, name):
    """Before or after the name, with or without an x."""
    assert split_count(words) == (count, name)


@with_rows("name", NAMES)
def test_keeps_a_number_that_belongs_to_the_name(name):
    assert split_count(name) == (None, name)


@with_rows(
    "count",
    ["0", "00", "-1", "−1", "1.5", "1,5", "1/2", "2½", "1000", "1,000", "10000000", "9" * 400, 1e99, 1.5, -2, "four", "",
     float("nan")],
)  # fmt: skip
def test_refuses_a_wrong_count(count):
    """Counts are whole numbers from 1 to 999. Other counts once made lists seem larger."""
    assert whole_number(count) is None


def test_does_not_count_true():
    """In JSON `true` is not a number, as it is in Python."""
    assert whole_number(True) is None
    assert whole_number(None) is None


@given(st.integers(1, MAX_COPIES))
def test_reads_every_whole_number(number):
    """As text, as a number, with zero decimals."""
    assert whole_number(str(number)) == whole_number(number) == whole_number(float(number)) == number


@with_rows(("words", "only"), [("4", True), ("4x", True), ("x4", True), ("89631139", False), ("X", False)])
def test_refuses_a_count_without_a_card(words, only):
    """A short number alone is a count without its card; a long one is a code."""
    assert is_only_a_count(words) is only


@with_rows("count", ["9" * 5_000, "0" * 5_000])
def test_refuses_a_count_with_too_many_digits(count):
    """In a field for the count."""
    (finding,) = deck(
        f'<deck><section name="Main"><card qty="{count}" id="a">Kite</card></section></deck>'
    ).findings[:1]
    assert (finding.rule, finding.lines) == ("count", (1,))


@with_rows(
    ("name", "text", "message"),
    [
        ("l.csv", "Name,Quantity,Foil Quantity\nAmber Fox,1,1\n", "it has two counts, 1 and 1"),
        ("l.csv", "Name,Count,Etched Count\nAmber Fox,2,1\n", "it has two counts, 2 and 1"),
        ("l.csv", "Quantity,Name,Quantity\n1,Amber Fox,2\n", "it has two counts, 1 and 2"),
        ("l.json", '[{"name": "A", "count": 1, "foil_count": 1}]',
         "it has two counts, `count`: 1 and `foil_count`: 1"),
        ("l.json", '[{"name": "A", "quantity": 1, "foilQuantity": 3}]', "it has two counts"),
        ("l.json", '[{"label": "A", "value": 2}]', "is 2 in `value` the count?"),
        ("l.json", '{"cards": [{"id": 0, "name": "A", "copy": 2}]}', "is 2 in `copy` the count?"),
    ],
)  # fmt: skip
def test_refuses_a_second_count_of_foils_or_in_other_words(name, text, message):
    """Foils in a separate column are not silently omitted."""
    [read_deck] = read_all(text.encode(), source=name)
    assert any(message in fault.message for fault in read_deck.findings)


@with_rows(
    ("name", "text"),
    [
        ("l.csv", "Name,Quantity,Foil Quantity\nAmber Fox,2,0\n"),
        ("l.csv", "Name,Quantity,Foil\nAmber Fox,2,foil\n"),
        ("l.json", '[{"name": "Amber Fox", "count": 2, "foil_count": 0}]'),
        ("l.txt", "2 Amber Fox €4,50\n2 Bitter Heron €4,50\n"),
    ],
)
def test_reads_zero_foils_and_prices_with_a_comma(name, text):
    """The comma of a price does not separate columns."""
    [read_deck] = read_all(text.encode(), source=name)
    assert not read_deck.findings
    assert read_deck.lines[0].count == 2


def test_every_doubt_has_the_examples_that_it_names():
    """`counts.toml` has examples for each doubt; a name in quotes is never in doubt."""
    for doubt, _ in DOUBTS:
        counted = doubt.get("counted", False)
        for example in doubt["examples"]:
            question = doubt_about_count(example, has_count=counted)
            assert question.startswith(doubt["question"].partition("{")[0]), example
            assert not doubt_about_count(f'"{example}"', has_count=counted)


@with_rows("line", ["Kite | ABC | 3", "| Kite | ABC | 3", "Kite | ABC | foil | 3"])
def test_asks_about_a_number_in_a_later_column(line):
    """Only `Kite | 3` is a name and a count; here the number can be a collector's number."""
    (card,) = deck(line).lines
    assert not card.has_count
    assert card.doubt.startswith("is `3` the count?")
