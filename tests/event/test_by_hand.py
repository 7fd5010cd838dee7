"""Tables that the organizer types or pastes."""

import pytest

from tests.event.pad import Pad
from tests.kit import with_rows
from tourney.errors import TourneyError
from tourney.event.seating import read_pairings

NAMES = ("Mira Oake", "Tomo Reed", "Ada", "Ben-Ami", "Cleo vs", "Good Bye", "Dina")


def read(text, **settings):
    tables, byes = read_pairings(Pad(*NAMES, **settings).state, text, source="tables.txt")
    return [(table.number, table.seats) for table in tables], [(bye.player, bye.kind) for bye in byes]


@with_rows(
    "line",
    [
        "Mira Oake - Tomo Reed",
        "Mira Oake – Tomo Reed",
        "mira vs tomo",
        "mira vs. tomo",
        "Mira v Tomo",
        "Mira\tTomo",
        "Mira; Tomo",
        "#1 - #2",
        "1: Mira - Tomo",
        "1. Mira - Tomo",
        "Table 1: Mira - Tomo",
        "Mira - Tomo   # the last ones",
    ],
)
def test_the_ways_to_type_a_table(line):
    """Numbers, dashes, `vs`, tabs and comments are read."""
    assert read(line) == ([(1, (1, 2))], [])


def test_names_with_dashes_and_words_in_them():
    """A separator inside a name is not a separator."""
    assert read("Ben-Ami - Ada\nGood Bye - Dina") == ([(1, (4, 3)), (2, (6, 7))], [])


@with_rows(
    ("line", "kind"),
    [
        ("Ada bye", "bye"),
        ("Ada: bye", "bye"),
        ("Ada - BYE", "bye"),
        ("Ada half-bye", "half-bye"),
        ("Ada\tawarded-bye", "awarded-bye"),
        ("#3, absent", "absent"),
    ],
)
def test_players_without_a_table(line, kind):
    """The line has the name, then the kind of bye."""
    assert read(line) == ([], [(3, kind)])


def test_tables_without_a_number_get_free_numbers():
    """In order, from the event's first table."""
    text = "Mira - Tomo\n11: Ada - Ben\nCleo - Dina"
    assert read(text, first_table=10)[0] == [(10, (1, 2)), (11, (3, 4)), (12, (5, 7))]


def test_tables_of_three():
    """A line has as many names as the table has seats."""
    assert read("Mira - Tomo - Ada")[0] == [(1, (1, 2, 3))]


def test_every_faulty_line_is_named():
    """One refusal has all of them, each after its place."""
    with pytest.raises(TourneyError) as refusal:
        read("# Friday\n\nMira - Nobody Here\nAda - Ben\nwhat is this\nXyz bye")
    lines = refusal.value.message.splitlines()
    assert [line.partition(": ")[0] for line in lines] == ["tables.txt:3", "tables.txt:5", "tables.txt:6"]


@with_rows(
    ("text", "message"),
    [
        ("", "no table was named"),
        ("# nothing\n", "no table was named"),
        ("Mira - Tomo\nAda - Mira", "Mira Oake: named more than once"),
        ("Mira - Tomo\nMira bye", "Mira Oake: named more than once"),
        ("1: Mira - Tomo\n1: Ada - Ben", "table 1: the table number is used twice"),
    ],
)
def test_impossible_rounds_are_refused(text, message):
    """A player twice, a number twice, and an empty text."""
    with pytest.raises(TourneyError, match=message):
        read(text)


def test_of_many_faulty_lines_the_first_are_named():
    """The rest is counted."""
    with pytest.raises(TourneyError) as refusal:
        read("Mira - Nobody\n" * 2_000)
    lines = refusal.value.message.splitlines()
    assert len(lines) == 21
    assert lines[19].startswith("tables.txt:20: there is no player `Nobody`")
    assert lines[20] == "and 1980 more lines with errors"
