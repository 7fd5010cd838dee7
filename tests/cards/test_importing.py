"""Tables of cards as other people keep them become pool lines; what cannot be used is told."""

import json
import time
from fractions import Fraction

import pytest

from tourney.cards import parse_pool, parse_schema
from tourney.cards.importing import import_cards, read_table
from tourney.errors import TourneyError

HEAD = (
    'game = "g"\ncomplete = false\n[attributes]\nkind = { type = "text", values = ["unit", "spell"] }\n'
    'capture_cost = "number"\nunique = "flag"\nfaction = "list"\n'
)
SCHEMA = parse_schema(HEAD, source="pool.toml")


def imported(text, shape="csv", schema=SCHEMA, **options):
    return import_cards(read_table(text, shape, source="x"), schema, source="x", **options)


# -- reading tables


@pytest.mark.parametrize(
    ("shape", "text"),
    [
        ("csv", 'name,cost\n"Ant, Queen",3\n\nBee,\n'),
        ("csv", '\nname;cost\n"Ant, Queen";3\nBee;\n'[1:]),
        ("csv", 'name,cost\r\n"Ant, Queen",3\r\nBee,\r\n'),
        ("tsv", "name\tcost\nAnt, Queen\t3\nBee\t\n"),
        ("json", '[{"name": "Ant, Queen", "cost": "3"}, {"name": "Bee", "cost": ""}]'),
        ("json", '{"cards": [{"name": "Ant, Queen", "cost": "3"}, {"name": "Bee", "cost": ""}]}'),
        ("json", '{"data": {"Ant, Queen": {"cost": "3"}, "Bee": {"cost": ""}}}'),
        ("jsonl", '{"name": "Ant, Queen", "cost": "3"}\n\n{"name": "Bee", "cost": ""}\n'),
    ],
)
def test_the_same_cards_in_every_shape(shape, text):
    """Commas in quoted cells, semicolons, tabs, lists, objects by name, lines."""
    rows = read_table(text, shape, source="x")
    assert [dict(row.cells) for row in rows] == [
        {"name": "Ant, Queen", "cost": "3"},
        {"name": "Bee", "cost": ""},
    ]


def test_quotes_in_a_tab_separated_file_are_quotes():
    """Card names have quotation marks; tab-separated files do not quote."""
    (row,) = read_table('name\n"Ant" and friends\n', "tsv", source="x")
    assert row.cells["name"] == '"Ant" and friends'


@pytest.mark.parametrize("shape", ["csv", "tsv"])
def test_a_quoted_cell_with_line_ends_stays_one_cell(shape):
    """Rules text on several lines is one card's; a name on several lines is told and left out."""
    between = "," if shape == "csv" else "\t"
    text = 'name|text|cost\nAnt|"Draw one.\n\nThen ""discard"" one."|3\n"Bee\nQueen"|x|2\n'.replace(
        "|", between
    )
    ant, bee = read_table(text, shape, source="x")
    assert dict(ant.cells) == {"name": "Ant", "text": 'Draw one.\n\nThen "discard" one.', "cost": "3"}
    assert (ant.place, bee.place) == ("line 2", "line 5")
    done = import_cards([ant, bee], None, source="x")
    assert [card["name"] for card in done.cards] == ["Ant"]
    assert done.unused == ["line 5: there is a line end inside the name `Bee Queen`"]


@pytest.mark.parametrize(
    ("shape", "text", "said"),
    [
        ("csv", "", "x: there are no cards in it"),
        ("csv", "name,cost\n", "x: there are no cards in it"),
        ("csv", "name,name\nA,B\n", "x: line 1: two columns are called `name`"),
        ("csv", "name\n" + "x" * 200_000, "x: line 2: not readable as a table: a cell has more than"),
        ("json", "{", "x: not readable as JSON"),
        ("json", "3", "x: there is no list of cards in it"),
        ("json", "[3]", "x: card 1: expected a card, found a number"),
        ("json", "[" * 50_000, "x: not readable as JSON"),
        ("jsonl", '{"name": "A"}\n{', "x: line 2: not readable as JSON"),
    ],
)
def test_what_is_no_table_is_refused(shape, text, said):
    """With its place."""
    with pytest.raises(TourneyError) as refusal:
        read_table(text, shape, source="x")
    assert refusal.value.message.startswith(said)


# -- cards


def test_columns_are_used_by_the_pool_s_attributes():
    """Headings ignore case and spaces; values take the declared types; ids are made from names."""
    result = imported("Name,Capture Cost,UNIQUE,Faction,Kind\nAnt & Co.,2,yes,cpm|une,UNIT\n")
    assert result.cards == [
        {"id": "ant_and_co", "name": "Ant & Co.", "capture_cost": 2, "unique": True, "faction": ["cpm", "une"], "kind": "unit"}
    ]  # fmt: skip
    assert result.unused == []


def test_without_a_pool_the_types_are_read_off_the_cells():
    """Numbers, yes and no, text; a column of 0 and 1 is numbers; a number with a letter in it is text."""
    result = imported("name,cost,unique,fabled,power\nA,3,yes,0,1\nB,,no,1,1+\n", schema=None)
    assert {name: each.kind.value for name, each in result.attributes.items()} == {
        "cost": "number", "unique": "flag", "fabled": "number", "power": "text",
    }  # fmt: skip
    assert result.cards[1] == {"id": "b", "name": "B", "unique": False, "fabled": 1, "power": "1+"}


def test_blank_is_not_empty_and_a_guess_is_unknown():
    """An empty cell says nothing, `none` says none, `CPM?` and `?` are unknown, the guess in the note."""
    result = imported("name,faction,kind,capture_cost,note\nA,CPM?,none,,by a review\nB,?,unit,-,\n")
    assert result.cards[0] == {
        "id": "a", "name": "A", "kind": None, "unknown": ["faction"], "note": "by a review; faction: CPM?",
    }  # fmt: skip
    assert result.cards[1] == {
        "id": "b",
        "name": "B",
        "kind": "unit",
        "capture_cost": None,
        "unknown": ["faction"],
    }


def test_what_cannot_be_used_is_told_with_its_place():
    """Unknown columns, rows without a name, wrong values, cards that are there twice: the rest is taken."""
    text = "name,kind,art\nA,unit,x\n,unit,x\nB,creature,x\na,unit,x\nC,unit,x\n"
    others = parse_pool(HEAD, {"core": '{"id": "c", "name": "C"}'}, source="pool.toml")
    result = imported(text, others=others)
    assert [card["name"] for card in result.cards] == ["A", "B"]
    assert "kind" not in result.cards[1]
    assert result.unused == [
        "column `art`: the pool declares no such attribute",
        "line 3: no name",
        "line 4: B: kind: `creature` is not one of unit, spell",
        "line 5: `a` is there already (line 2)",
        "line 6: `C` is there already (another set of the pool)",
    ]


def test_aliases_and_ids_of_others_are_not_taken():
    """An alias that is another card's name is left out and told; an id that is taken gets a number."""
    others = parse_pool(
        HEAD, {"core": '{"id": "ant", "name": "Emmet", "aliases": ["Pismire"]}'}, source="pool.toml"
    )
    result = imported("name,aliases\nAnt,Bee|Pismire|ant|Pharaoh\nBee,\n", others=others)
    assert result.cards == [
        {"id": "ant_2", "name": "Ant", "aliases": ["Pharaoh"]},
        {"id": "bee", "name": "Bee"},
    ]
    assert result.unused == [
        "line 2: Ant: `Bee` is the name of another card",
        "line 2: Ant: `Pismire` is the name of another card",
    ]


def test_columns_the_pool_does_not_know_can_be_added():
    """Asked for, they become attributes; the known ones keep their types."""
    result = imported("name,kind,art\nA,unit,7\n", add_attributes=True)
    assert result.cards == [{"id": "a", "name": "A", "kind": "unit", "art": 7}]
    assert list(result.attributes) == ["art"]


def test_ids_aliases_and_printings_have_columns_of_their_own():
    """Two names that make one id get two; set, number and status are a printing."""
    result = imported("title,aliases,set,number,status\nA-B,Ab|Bee,core,7,outdated\nA B,,core?,,\n")
    assert result.cards == [
        {"id": "a_b", "name": "A-B", "aliases": ["Ab", "Bee"], "printings": [{"set": "core", "number": "7", "status": "outdated"}]},
        {"id": "a_b_2", "name": "A B", "note": "set: core?"},
    ]  # fmt: skip


def test_json_values_keep_their_types():
    """Numbers, flags, lists and null come as they are; what is nested is told."""
    text = '[{"name": "A", "capture_cost": 2.5, "unique": true, "faction": ["x"], "kind": null}, {"name": "B", "kind": {"a": 1}}]'
    result = imported(text, "json")
    assert result.cards[0] == {
        "id": "a", "name": "A", "capture_cost": 2.5, "unique": True, "faction": ["x"], "kind": None,
    }  # fmt: skip
    assert result.unused == ["card 2: B: kind: expected text, found a table"]
    assert Fraction("2.5") == Fraction(result.cards[0]["capture_cost"])


def test_a_table_without_names_is_refused():
    """It says which columns there are."""
    with pytest.raises(
        TourneyError, match="no column holds the names of the cards; there are kind, cost"
    ) as refusal:
        imported("kind,cost\nunit,3\n")
    assert refusal.value.hint == "call the column `name`"


def test_thousands_of_cards_are_let_in_one_after_the_other():
    """Each is looked up among those before it, not held against all of them; the same id is numbered on."""
    many = [{"name": f"Ant {number}", "id": "ant"} for number in range(8_000)]
    begun = time.process_time()
    cards = import_cards(read_table(json.dumps(many), "json", source="x"), None, source="x").cards
    assert time.process_time() - begun < 8
    assert [card["id"] for card in cards[:3]] == ["ant", "ant_2", "ant_3"]
    assert len({card["id"] for card in cards}) == 8_000


def test_thousands_of_columns_are_counted_once():
    """Two of the same name are found without holding each against all."""
    heading = ",".join(["name", *(f"c{number}" for number in range(20_000)), "c7"])
    begun = time.process_time()
    with pytest.raises(TourneyError, match="line 1: two columns are called `c7`"):
        read_table(f"{heading}\nAnt\n", "csv", source="x")
    assert time.process_time() - begun < 2
