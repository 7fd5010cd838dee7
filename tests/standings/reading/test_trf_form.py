"""Results from a Tournament Report File."""

from datetime import date

import pytest

from tests.kit import with_rows
from tests.standings.profiles import shipped
from tourney.errors import TourneyError
from tourney.standings import rank
from tourney.standings.reading import read_results

LINE = "001 {:4} m    {:<33} {:>4}" + " " * 28 + "{:4}    1  {}"


def trf(*players, kind="Individual: Swiss-System", extra=()):
    lines = ["012 Open", "042 2025/03/04", f"092 {kind}", *extra]
    for number, (name, rating, points, rounds) in enumerate(players, 1):
        lines.append(LINE.format(number, name, rating, points, rounds))
    return "\n".join(lines) + "\n"


TWO = (("Oake, Mira", 2000, 1.0, "   2 w 1"), ("Reed, Tomo", 1900, 0.0, "   1 b 0"))


def read(text):
    return read_results(text, source="open.trf")


@with_rows("end", ["\n", "\r\n", "\r"])
def test_reads_names_ratings_day_and_rounds(end):
    """With any line ends."""
    results = read(trf(*TWO, extra=["142 5"]).replace("\n", end))
    assert results.names == {1: "Oake, Mira", 2: "Reed, Tomo"}
    assert results.record.ratings == {1: 2000, 2: 1900}
    assert results.record.planned_rounds == 5
    assert results.day == date(2025, 3, 4)
    assert [row.player for row in rank(results.record, shipped("fide")).rows] == [1, 2]


@with_rows("kind", ["Individual: Round-Robin", "round robin", "FIDE_BERGER"])
def test_recognizes_a_round_robin_by_record_092(kind):
    """In words or by code."""
    assert read(trf(*TWO, kind=kind)).record.round_robin
    assert not read(trf(*TWO)).record.round_robin


def test_players_without_names_have_their_number():
    """The name columns can be blank."""
    blank = [("", rating, points, rounds) for _, rating, points, rounds in TWO]
    assert read(trf(*blank)).names == {1: 1, 2: 2}


def test_ignores_an_invalid_day():
    """It selects no edition."""
    assert read(trf(*TWO).replace("2025/03/04", "2025/13/44")).day is None
    assert read(trf(*TWO).replace("2025/03/04", "in spring")).day is None


def test_passes_on_errors_of_the_format():
    """With line and column."""
    with pytest.raises(TourneyError, match=r"open\.trf: line 4"):
        read(trf(("Oake, Mira", 2000, 1.0, "   9 w 1")))


def test_compares_the_points_of_the_file():
    """Points columns, points beside the results, and the scoring."""
    wrong = (TWO[0], ("Reed, Tomo", 1900, 0.5, "   1 b 0"))
    results = read(trf(*wrong, extra=["162  W 3.0    D 1.0", "299          -0.5    1    2"]))
    assert results.remarks == (
        "line 6: the points of player 1 are 1, but the results in the file give 3",
        "line 7: the points of player 2 are ½, but the results in the file give −½",
        "line 5 (record 299): −½ is added to the points of `Reed, Tomo` in round 1, whatever the result;"
        " the standings include it",
    )
    assert results.scoring_difference(shipped("fide")) == (
        "the file's scoring differs from that of fide: win 3 instead of 1, draw 1 instead of ½"
    )
    assert results.scoring_difference(shipped("mtr")) == ""
    assert read(trf(*TWO)).remarks == ()
    assert read(trf(*TWO)).scoring_difference(shipped("mtr")) == ""


@with_rows("names", [("Zoe", "Zoë"), ("  Player ONE", "Player one"), ("Ann", "Ａｎｎ"), ("Ann", "Ann")])
def test_remarks_on_similar_names(names):
    """The pairing numbers separate the players."""
    results = read(trf((names[0], 1500, 1.0, "   2 w 1"), (names[1], 1500, 0.0, "   1 b 0")))
    assert results.remarks == (
        f"line 5: `{names[1]}` and `{names[0].strip()}` (line 4) are equal or similar names;"
        " they were read as two players",
    )


def test_limits_the_remarks_on_points():
    """Five are listed, the others counted."""
    many = [
        (
            f"Player {n}",
            1500,
            9.5,
            f"{n + 1 if n % 2 else n - 1:4} w 1".replace("w 1", "w 1" if n % 2 else "b 0"),
        )
        for n in range(1, 9)
    ]
    remarks = read(trf(*many)).remarks
    assert len(remarks) == 6
    assert remarks[-1] == "and the points of 3 more players"


@with_rows(
    ("rank", "cells", "dropped"),
    [
        ("", "0000 - Z", {3: 0}),
        ("", "", {3: 0}),
        ("3", "0000 - Z", {}),
        ("", "0000 - H", {}),
        ("", "0000 - F", {}),
    ],
)
def test_does_not_rank_players_who_never_started(rank, cells, dropped):
    """No match, bye or rank in a file that ranks others."""
    line = LINE.format(3, "Voss, Ansel", 1800, 0.0, cells).replace("    1  " + cells, f"{rank:>5}  {cells}")
    results = read(trf(*TWO) + line + "\n")
    assert results.record.drops == dropped
    ranked = [row.player for row in rank_rows(results)]
    assert (3 in ranked) is not bool(dropped)
    assert (3 in results.record.absences[0]) is (rank == "3")


def test_ranks_all_players_of_a_file_without_ranks():
    """Files made for pairing programs often have no ranks."""
    text = trf(*TWO, ("Voss, Ansel", 1800, 0.0, "0000 - Z")).replace("    1  ", "       ")
    results = read(text)
    assert results.record.drops == {}
    assert [row.player for row in rank_rows(results)] == [1, 2, 3]


def rank_rows(results):
    return rank(results.record, shipped("fide")).rows
