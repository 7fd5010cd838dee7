"""Importing tables of cards, and reporting what cannot be used."""

import json
from fractions import Fraction

import pytest

from tests.kit import takes_linear_time, with_rows
from tourney.cards import import_cards, parse_pool, parse_schema, read_table
from tourney.errors import TourneyError

HEAD = (
    'game = "g"\ncomplete = false\n[attributes]\nkind = { type = "text", values = ["unit", "spell"] }\n'
    'capture_cost = "number"\nunique = "flag"\nfaction = "list"\n'
)
SCHEMA = parse_schema(HEAD, source="pool.toml")


def imported(text, shape="csv", schema=SCHEMA, **options):
    return import_cards(read_table(text, shape, source="x"), schema, source="x", **options)


# -- reading tables


@with_rows(
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
def test_reads_the_same_cards_in_every_format(shape, text):
    rows = read_table(text, shape, source="x")
    assert [dict(row.cells) for row in rows] == [
        {"name": "Ant, Queen", "cost": "3"},
        {"name": "Bee", "cost": ""},
    ]


def test_a_quotation_mark_in_a_tab_separated_file_belongs_to_the_name():
    (row,) = read_table('name\n"Ant" and friends\n', "tsv", source="x")
    assert row.cells["name"] == '"Ant" and friends'


@with_rows("shape", ["csv", "tsv"])
def test_a_quoted_cell_may_contain_line_ends(shape):
    """A name that contains one is reported and left out."""
    between = "," if shape == "csv" else "\t"
    text = 'name|text|cost\nAnt|"Draw one.\n\nThen ""discard"" one."|3\n"Bee\nQueen"|x|2\n'.replace(
        "|", between
    )
    ant, bee = read_table(text, shape, source="x")
    assert dict(ant.cells) == {"name": "Ant", "text": 'Draw one.\n\nThen "discard" one.', "cost": "3"}
    assert (ant.place, bee.place) == ("line 2", "line 5")
    result = import_cards([ant, bee], None, source="x")
    assert [card["name"] for card in result.cards] == ["Ant"]
    assert result.unused_parts == ["line 5: there is a line end inside the name `Bee Queen`"]


@with_rows(
    ("shape", "text", "message"),
    [
        ("csv", "", "x: there are no cards in it"),
        ("csv", "name,cost\n", "x: there are no cards in it"),
        ("csv", "name,name\nA,B\n", "x: line 1: two columns have the heading `name`"),
        ("csv", "name\n" + "x" * 200_000, "x: line 2: not readable as a table: a cell has more than"),
        ("json", "{", "x: not readable as JSON"),
        ("json", "3", "x: there is no list of cards in it"),
        ("json", "[3]", "x: card 1: expected a card, found a number"),
        ("json", "[" * 50_000, "x: not readable as JSON"),
        ("jsonl", '{"name": "A"}\n{', "x: line 2: not readable as JSON"),
    ],
)
def test_rejects_a_file_that_is_not_a_table(shape, text, message):
    with pytest.raises(TourneyError) as refusal:
        read_table(text, shape, source="x")
    assert refusal.value.message.startswith(message)


# -- cards


def test_reads_columns_by_the_attributes_of_the_pool():
    """Headings ignore case and spaces, and ids are made from names."""
    result = imported("Name,Capture Cost,UNIQUE,Faction,Kind\nAnt & Co.,2,yes,cpm|une,UNIT\n")
    assert result.cards == [
        {
            "id": "ant_and_co",
            "name": "Ant & Co.",
            "capture_cost": 2,
            "unique": True,
            "faction": ["cpm", "une"],
            "kind": "unit",
        }
    ]
    assert result.unused_parts == []


def test_infers_types_from_the_cells_without_a_pool():
    """A column of 0 and 1 is numbers; one number with a letter makes a column text."""
    result = imported("name,cost,unique,fabled,power\nA,3,yes,0,1\nB,,no,1,1+\n", schema=None)
    assert {name: attribute.kind.value for name, attribute in result.attributes.items()} == {
        "cost": "number", "unique": "flag", "fabled": "number", "power": "text",
    }  # fmt: skip
    assert result.cards[1] == {"id": "b", "name": "B", "unique": False, "fabled": 1, "power": "1+"}


def test_reads_blanks_and_guesses():
    """An empty cell has no meaning, `none` means none, `CPM?` and `?` are unknown."""
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


def test_reports_what_cannot_be_used():
    text = "name,kind,art\nA,unit,x\n,unit,x\nB,creature,x\na,unit,x\nC,unit,x\n"
    others = parse_pool(HEAD, {"core": '{"id": "c", "name": "C"}'}, source="pool.toml")
    result = imported(text, other_sets=others)
    assert [card["name"] for card in result.cards] == ["A", "B"]
    assert "kind" not in result.cards[1]
    assert result.unused_parts == [
        "column `art`: the pool declares no such attribute",
        "line 3: the card has no name",
        "line 4: B: kind: `creature` is not one of unit, spell",
        "line 5: the name `a` is already used (line 2)",
        "line 6: the name `C` is already used (another set of the pool)",
    ]


def test_does_not_take_aliases_and_ids_of_other_cards():
    """An alias that another card has is left out; an id gets a number."""
    others = parse_pool(
        HEAD, {"core": '{"id": "ant", "name": "Emmet", "aliases": ["Pismire"]}'}, source="pool.toml"
    )
    result = imported("name,aliases\nAnt,Bee|Pismire|ant|Pharaoh\nBee,\n", other_sets=others)
    assert result.cards == [
        {"id": "ant_2", "name": "Ant", "aliases": ["Pharaoh"]},
        {"id": "bee", "name": "Bee"},
    ]
    assert result.unused_parts == [
        "line 2: Ant: `Bee` is the name of another card",
        "line 2: Ant: `Pismire` is the name of another card",
    ]


def test_can_add_columns_as_attributes():
    result = imported("name,kind,art\nA,unit,7\n", add_attributes=True)
    assert result.cards == [{"id": "a", "name": "A", "kind": "unit", "art": 7}]
    assert list(result.attributes) == ["art"]


def test_reads_ids_aliases_and_printings():
    result = imported("title,aliases,set,number,status\nA-B,Ab|Bee,core,7,outdated\nA B,,core?,,\n")
    assert result.cards == [
        {
            "id": "a_b",
            "name": "A-B",
            "aliases": ["Ab", "Bee"],
            "printings": [{"set": "core", "number": "7", "status": "outdated"}],
        },
        {"id": "a_b_2", "name": "A B", "note": "set: core?"},
    ]


def test_json_values_keep_their_types():
    text = """[
        {"name": "A", "capture_cost": 2.5, "unique": true, "faction": ["x"], "kind": null},
        {"name": "B", "kind": {"a": 1}}
    ]"""
    result = imported(text, "json")
    assert result.cards[0] == {
        "id": "a", "name": "A", "capture_cost": 2.5, "unique": True, "faction": ["x"], "kind": None,
    }  # fmt: skip
    assert result.unused_parts == ["card 2: B: kind: expected text, found a table"]
    assert Fraction("2.5") == Fraction(result.cards[0]["capture_cost"])


def test_rejects_a_table_without_names():
    with pytest.raises(TourneyError, match="no column is called `name`; the columns are kind, cost"):
        imported("kind,cost\nunit,3\n")


def test_admits_thousands_of_cards_with_the_same_id_in_linear_time():
    def ants(number_of_cards):
        many = [{"name": f"Ant {number}", "id": "ant"} for number in range(number_of_cards)]
        return import_cards(read_table(json.dumps(many), "json", source="x"), None, source="x").cards

    cards = ants(8_000)
    assert [card["id"] for card in cards[:3]] == ["ant", "ant_2", "ant_3"]
    assert len({card["id"] for card in cards}) == 8_000
    assert takes_linear_time(ants, 200)


def test_finds_a_repeated_heading_among_thousands_in_linear_time():
    def refused(columns):
        heading = ",".join(["name", *(f"c{number}" for number in range(columns)), "c7"])
        with pytest.raises(TourneyError, match="line 1: two columns have the heading `c7`"):
            read_table(f"{heading}\nAnt\n", "csv", source="x")

    refused(20_000)
    assert takes_linear_time(refused, 500)
