"""Facts written as text become values of the pool's types."""

from fractions import Fraction

import pytest

from tourney.cards import Attribute, AttributeKind, declared_facts, value_of

FACTION = Attribute(name="faction", kind=AttributeKind.LIST, values=("UNE", "CPM"), open=True)
KIND = Attribute(name="kind", kind=AttributeKind.TEXT, values=("unit", "spell"))
COST = Attribute(name="cost", kind=AttributeKind.NUMBER)
UNIQUE = Attribute(name="unique", kind=AttributeKind.FLAG)


@pytest.mark.parametrize(
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
def test_text_is_read_by_the_attribute_s_type(text, attribute, value):
    """Lists, numbers, flags, blanks: as people write them."""
    assert value_of(text, attribute) == value


@pytest.mark.parametrize(
    ("text", "attribute", "said"),
    [
        ("two", COST, "cost: expected a number, found `two`"),
        ("1" * 40, COST, "cost: expected a number, found `1"),
        ("perhaps", UNIQUE, "unique: expected true or false, found `perhaps`"),
        ("creature", KIND, "kind: `creature` is not one of unit, spell"),
    ],
)
def test_what_does_not_fit_is_said(text, attribute, said):
    """A closed list of words and the type are held to."""
    with pytest.raises(ValueError) as fault:
        value_of(text, attribute)
    assert str(fault.value).startswith(said)


def test_declared_facts_are_read_together_with_their_faults():
    """Names of attributes ignore case, unknown ones are kept, faults do not hide the rest."""
    values, faults = declared_facts(
        {"Faction": "une", "cost": "two", "mood": "calm"}, {each.name: each for each in (FACTION, COST)}
    )
    assert values == {"faction": ("UNE",), "mood": "calm"}
    assert faults == ("cost: expected a number, found `two`",)


def test_a_number_beyond_what_the_game_allows_is_no_fact():
    """A card of Red Diamond is at most 7 high (Card Anatomy > Height, L78)."""
    height = Attribute(name="hgt", kind=AttributeKind.NUMBER, max=7, about="at most 7 (L78)")
    for number in range(12):
        values, faults = declared_facts({"HGT": str(number)}, {"hgt": height})
        assert values == ({"hgt": number} if number <= 7 else {})
        assert faults == (() if number <= 7 else (f"hgt: {number} is more than 7; at most 7 (L78)",))
