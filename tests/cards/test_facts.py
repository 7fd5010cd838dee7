"""Attribute values written as text."""

from fractions import Fraction

import pytest

from tests.kit import with_rows
from tourney.cards import Attribute, AttributeKind, parse_facts, parse_value

FACTION = Attribute(name="faction", kind=AttributeKind.LIST, values=("UNE", "CPM"), open=True)
KIND = Attribute(name="kind", kind=AttributeKind.TEXT, values=("unit", "spell"))
COST = Attribute(name="cost", kind=AttributeKind.NUMBER)
UNIQUE = Attribute(name="unique", kind=AttributeKind.FLAG)


@with_rows(
    ("text", "attribute", "value"),
    [
        ("CPM", FACTION, ("CPM",)),
        ("cpm | une", FACTION, ("CPM", "UNE")),
        ("Shamrock/CPM", FACTION, ("Shamrock", "CPM")),
        ("UNIT", KIND, "unit"),
        ("-2", COST, -2),
        ("−2", COST, -2),
        ("2.5", COST, Fraction(5, 2)),
        ("3", None, 3),
        ("3b", None, "3b"),
        ("yes", UNIQUE, True),
        ("0", UNIQUE, False),
        ("none", COST, None),
        ("–", KIND, None),
        ("", None, None),
        (" ", KIND, None),
        ("", COST, None),
        ('""', FACTION, None),
    ],
)
def test_parses_a_value_by_the_type_of_its_attribute(text, attribute, value):
    assert parse_value(text, attribute) == value


@with_rows(
    ("text", "attribute", "message"),
    [
        ("two", COST, "cost: expected a number, found `two`"),
        ("1" * 40, COST, "cost: expected a number, found `1"),
        ("perhaps", UNIQUE, "unique: expected true or false, found `perhaps`"),
        ("creature", KIND, "kind: `creature` is not one of unit, spell"),
    ],
)
def test_rejects_a_value_that_does_not_fit_its_attribute(text, attribute, message):
    with pytest.raises(ValueError) as error:
        parse_value(text, attribute)
    assert str(error.value).startswith(message)


def test_parses_facts_and_collects_their_problems():
    """Names of attributes ignore case, and attributes that the pool does not declare are kept."""
    values, problems = parse_facts(
        {"Faction": "une", "cost": "two", "mood": "calm"}, {"faction": FACTION, "cost": COST}
    )
    assert values == {"faction": ("UNE",), "mood": "calm"}
    assert problems == ("cost: expected a number, found `two`",)


def test_rejects_a_fact_above_the_maximum_of_its_attribute():
    """A card of Red Diamond is at most 7 high (Card Anatomy > Height, L78)."""
    height = Attribute(name="hgt", kind=AttributeKind.NUMBER, max=7, about="at most 7 (L78)")
    for number in range(12):
        values, problems = parse_facts({"HGT": str(number)}, {"hgt": height})
        assert values == ({"hgt": number} if number <= 7 else {})
        assert problems == (() if number <= 7 else (f"hgt: {number} is more than 7; at most 7 (L78)",))
