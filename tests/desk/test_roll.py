"""Lists of players as organizers have them."""

import pytest

from tourney.desk.roll import read_players
from tourney.errors import TourneyError


def names(text):
    return [each.name for each in read_players(text, source="list")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Ada\nBen\n", ["Ada", "Ben"]),
        ("\ufeffAda\r\nBen\r\n", ["Ada", "Ben"]),
        ("# Friday\n\n  Ada  \n", ["Ada"]),
        ("Oake, Mira\nReed, Tomo", ["Oake, Mira", "Reed, Tomo"]),
        ("name\nAda\n", ["Ada"]),
        ("Name,Rating\nAda,1500\n", ["Ada"]),
        ("first,last\nMira,Oake\n", ["Mira Oake"]),
        ("Last Name\tFirst Name\nOake\tMira", ["Mira Oake"]),
        ('name,club\n"Oake, Mira","Harbour, North"\n', ["Oake, Mira"]),
        ("Player;Club\nAda;Harbour", ["Ada"]),
    ],
)
def test_a_name_a_line_or_a_table(text, found):
    """A header makes it a table; without one every line is a name."""
    assert names(text) == found


def test_columns_become_facts_and_the_rest_are_tags():
    """Ratings, tables, awarded byes, announced byes, late, contact; numbers are passed over."""
    text = "#,name,rating,table,awarded,byes,late,email,club,team\n1,Ada,1500,3,2,4:half-bye 5:absent,bye,a@x.org,Harbour,\n"
    (ada,) = read_players(text, source="list")
    assert (ada.rating, ada.table, ada.awarded, ada.late, ada.contact) == (1500, 3, 2, "bye", "a@x.org")
    assert ada.byes == {4: "half-bye", 5: "absent"}
    assert ada.tags == {"club": "Harbour"}
    assert ada.place == "list:2"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "list: there is no player in it"),
        ("# nobody\n\n", "list: there is no player in it"),
        ("name,rating\nAda,high\n", "list:2: rating: `high` is not a whole number"),
        ("name,rating\nAda,1500,3\n", "list:2: 3 columns, the header has 2"),
        ("name,byes\nAda,soon\n", "list:2: byes: `soon` is not a round and a kind"),
        ("name,table\nAda,-1\n", "list:2: table: `-1` is not a whole number"),
    ],
)
def test_lists_that_will_not_do(text, said):
    """File, line, column."""
    with pytest.raises(TourneyError) as refusal:
        read_players(text, source="list")
    assert said in refusal.value.message


def test_a_cell_without_end_is_refused_not_crashed():
    """An open quote and two hundred thousand letters."""
    with pytest.raises(TourneyError, match="list: line 2: not readable as a table"):
        read_players('name\n"' + "x" * 200_000, source="list")


def test_a_quoted_cell_with_line_ends_stays_one_cell():
    """Two lines of an address are no two players; further players keep their lines."""
    text = 'name,contact\n"Mira Oake","Harbour Street 1\nNorth Town"\nTomo,\n'
    mira, tomo = read_players(text, source="list")
    assert (mira.name, mira.contact, mira.place) == ("Mira Oake", "Harbour Street 1\nNorth Town", "list:2")
    assert (tomo.name, tomo.place) == ("Tomo", "list:4")
    assert names('"name","home\nclub"\nMira,x\n') == ["Mira"]


def test_a_line_end_in_a_name_is_refused():
    """With its place: a name stands on one line."""
    from tourney.event.who import clean_name

    (wanted,) = read_players('name\n"Mira\nOake"\n', source="list")
    with pytest.raises(TourneyError, match=r"may not hold U\+000A \(a line end\)"):
        clean_name(wanted.name)
    with pytest.raises(TourneyError, match="list:1: a quotation mark is opened and not closed"):
        read_players('"Mira\nOake"\nTomo\n', source="list")
    assert names('"Fox" Mira\nTomo\n') == ['"Fox" Mira', "Tomo"]
