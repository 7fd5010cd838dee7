"""Lists of players as organizers have them."""

import time

import pytest

from tourney.desk.player_list import read_players
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
        ("", "list: there are no players in it"),
        ("# nobody\n\n", "list: there are no players in it"),
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
    from tourney.event.players import clean_name

    (wanted,) = read_players('name\n"Mira\nOake"\n', source="list")
    with pytest.raises(TourneyError, match=r"cannot contain U\+000A \(a line end\)"):
        clean_name(wanted.name)
    with pytest.raises(TourneyError, match="list:1: a quotation mark is opened and not closed"):
        read_players('"Mira\nOake"\nTomo\n', source="list")
    assert names('"Fox" Mira\nTomo\n') == ['"Fox" Mira', "Tomo"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('Vorname,Nachname,Notiz\nMira,Oake,"first\nsecond"\nTomo,Reed,\n', ["Mira Oake", "Tomo Reed"]),
        ("Spieler;Verein\nMira;Harbour\n", ["Mira"]),
        ("# Friday, October\nname,club\nMira,Harbour\n", ["Mira"]),
        ("Nom;Prénom\nOake;Mira\n", ["Mira Oake"]),
        ("Name;Vorname\nOake;Mira\n", ["Mira Oake"]),
        ("Name,Surname\nMira,Oake\n", ["Mira Oake"]),
        ("Name,First name\nMira Oake,Mira\n", ["Mira Oake"]),
        ("First_Name,LAST-NAME*\nMira,Oake\n", ["Mira Oake"]),
        ("Timestamp,Email Address,Your name:\n1/2/2026 10:00:00,m@x.org,Mira Oake\n", ["Mira Oake"]),
        ("sep=;\nname;club\nMira;Harbour, North\n", ["Mira"]),
        ("sep=|\nname|club\nMira|Harbour\n", ["Mira"]),
        ("選手,チーム\n田中,港\n", ["田中"]),
        ('"Oake, Mira"\n"Tomo ""Fox"" Reed"\n', ["Oake, Mira", 'Tomo "Fox" Reed']),
        ("[KEY] Mira\nO'Neil, Tomo\n", ["[KEY] Mira", "O'Neil, Tomo"]),
    ],
)
def test_tables_as_forms_and_other_programs_write_them(text, found):
    """Headers in other languages, of forms, with a spreadsheet's own first line; a surname beside a first name."""
    assert names(text) == found


def test_whatever_a_form_asks_is_kept_where_it_belongs():
    """Addresses are contacts, never names or tags; a time stamp is nothing."""
    (mira,) = read_players(
        "Timestamp\tE-Mail\tPhone\tFull Name\tClub\n1/2/2026 10:00\tm@x.org\t0171\tMira\tHarbour", source="x"
    )
    assert (mira.name, mira.contact, mira.tags) == ("Mira", "m@x.org, 0171", {"club": "Harbour"})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            'Wer,Woher,Notiz\nMira,Oake,"first\nsecond"\n',
            "list:1: `Wer,Woher,Notiz` is not a name: it has several cells",
        ),
        ('Mira,"note one\nnote two"\n', "list:1: a quotation mark is opened"),
        ('Mira,"note"\n', 'list:1: `Mira,"note"` is not a name: it has two cells'),
        ("Wer;Woher\nMira;Harbour", "list:1: `Wer;Woher` is not a name: it has several cells"),
        ("Ada\nMira\tHarbour", "list:2: `Mira\tHarbour` is not a name: it has several cells"),
        ("Ada\nMira,Harbour", "list:2: `Mira,Harbour` is not a name: it has two cells"),
        ("Ada\nMira, 1800", "list:2: `Mira, 1800` is not a name: it has two cells"),
        ("Ada\nMira   Harbour", "list:2: `Mira   Harbour` is not a name: it has several cells"),
        ("Mira m@x.org", "list:1: `Mira m@x.org` is not a name: it holds an e-mail address"),
        ('[{"name": "Mira"}]', "is not a name: the file is not a list of names but of another format"),
        ('{\n  "players": ["Mira"]\n}', "list:1: `{` is not a name"),
        ("<ul>\n<li>Mira</li>", "list:1: `<ul>` is not a name"),
        ("Friday Cup\nname,club\nMira,Harbour", "list:1: this stands above the header in line 2"),
        ("Friday Cup\n\nSpieler;Verein\nMira;Harbour", "list:1: this stands above the header in line 3"),
        ("name,name\nMira,Tomo", "list:1: `name` and `name` are one column twice"),
        ("name,Player\nMira,Tomo", "list:1: `name` and `Player` are one column twice"),
        ("name,club,Club\nMira,Harbour,North", "list:1: `club` and `Club` are one column twice"),
        ("name,rating,elo\nMira,1,2", "list:1: `rating` and `elo` are one column twice"),
        ("name,,club\nMira,Oake,North", "list:2: `Oake` stands in a column without a header"),
        ("name,byes\nMira,3:absent 3:half-bye", "list:2: byes: round 3 is named twice"),
    ],
)
def test_what_is_no_list_of_names_is_refused_by_line(text, said):
    """Never half a person, and never a row as a name: an e-mail address would stand on public pages."""
    with pytest.raises(TourneyError) as refusal:
        read_players(text, source="list")
    assert said in refusal.value.message
    assert refusal.value.hint


def test_names_on_the_command_line_are_names(tmp_path):
    """`player add name Ada` registers two; no word of it is taken for a header or a remark."""
    from tests.desk.kit import new_desk

    with new_desk(tmp_path) as desk:
        desk.add_players(["name", "Ada", "# Mira", "Oake;Tomo"])
        found = [player.name for player in desk.state.players.values()]
        assert found == ["name", "Ada", "# Mira", "Oake;Tomo"]


def test_thousands_of_columns_are_counted_once():
    """A column that is there twice is found without holding each against all."""
    heading = ",".join(["name", *(f"kind {number}" for number in range(20_000))])
    begun = time.process_time()
    with pytest.raises(TourneyError, match="`kind 7` and `kind 7` are one column twice"):
        read_players(f"{heading},kind 7\nUma\n", source="list.csv")
    assert time.process_time() - begun < 3
