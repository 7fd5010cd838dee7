"""TrfFile → text: the round trip, and what does not fit the columns."""

import string
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit import golden
from tests.trf.lines import player, text
from tourney.errors import TourneyError
from tourney.trf import Abnormal, Byes, Cell, ForbiddenPairs, TrfFile, TrfHeader, TrfPlayer, read, write

words = st.text(string.ascii_letters + "äß,.'- 6", max_size=20).map(lambda t: " ".join(t.split()))
points = st.integers(0, 199)


def short(width):
    return st.text(string.ascii_letters, max_size=width)


headers = st.builds(
    TrfHeader, name=words, city=words, federation=short(3), start=words, end=words, kind=words, arbiter=words,
    deputies=st.lists(words.filter(bool), max_size=3).map(tuple), time_control=words, system=short(12),
    dates=st.lists(st.just("26/03/01"), max_size=4).map(tuple), program=words, tie_breaks=words,
    standings_order=words, encoded_time_control=words, start_rank_method=words,
)  # fmt: skip


def cells(numbers):
    seated = st.builds(
        Cell,
        st.sampled_from(numbers),
        st.sampled_from(["w", "b", ""]),
        st.sampled_from([*"10=WDL+-", ""]),
    )
    alone = st.builds(Cell, st.just(0), st.just(""), st.sampled_from([*"HFUZ", ""]))
    return st.lists(st.one_of(seated, alone), max_size=5)


@st.composite
def players(draw):
    numbers = draw(st.lists(st.integers(1, 9999), min_size=2, max_size=6, unique=True))
    found = []
    for number in numbers:
        rounds = draw(cells([other for other in numbers if other != number]))
        while rounds and rounds[-1].empty:
            rounds.pop()
        found.append(
            TrfPlayer(
                number=number, name=draw(words), sex=draw(st.sampled_from(["", "m", "w"])), title=draw(short(3)),
                rating=draw(st.none() | st.integers(0, 3000)), federation=draw(short(3)), fide_id=draw(short(11)),
                birth=draw(st.sampled_from(["", "2001/02/03"])), points=draw(st.none() | points),
                rank=draw(st.none() | st.integers(1, 999)), rounds=tuple(rounds),
            )
        )  # fmt: skip
    return tuple(found)


@st.composite
def files(draw):
    """Files in their normal form: byes gathered, virtual points without zeros at the end, numbers in order."""
    field = draw(players())
    numbers = sorted(player.number for player in field)
    some = st.lists(st.sampled_from(numbers), min_size=1, unique=True).map(lambda who: tuple(sorted(who)))
    byes = draw(st.dictionaries(st.tuples(st.integers(1, 9), st.sampled_from("FHZ")), some, max_size=3))
    virtual = st.lists(st.integers(0, 4), min_size=1, max_size=5).filter(lambda given: given[-1]).map(tuple)
    return TrfFile(
        header=draw(headers),
        players=field,
        rounds_total=draw(st.none() | st.integers(1, 30)),
        initial_side=draw(st.sampled_from(["", "w", "b"])),
        by_rank=draw(st.booleans()),
        scoring=draw(st.dictionaries(st.sampled_from(["W", "D", "L", "A", "P", "X", "HPB", "WW", "FL"]), points)),
        byes=tuple(Byes(kind, number, who) for (number, kind), who in sorted(byes.items())),
        accelerations=dict(sorted(draw(st.dictionaries(st.sampled_from(numbers), virtual)).items())),
        forbidden=draw(st.lists(st.builds(ForbiddenPairs, some, st.integers(1, 9), st.none() | st.integers(9, 20)), max_size=2).map(tuple)),
        abnormal=draw(st.lists(st.builds(Abnormal, st.sampled_from("HFP"), st.none() | points, st.none() | points, st.integers(0, 9), some), max_size=2).map(tuple)),
        others=draw(st.lists(st.sampled_from(["### a comment", "XYZ  1234 what", "801 x"]), max_size=2).map(tuple)),
    )  # fmt: skip


@settings(deadline=None, max_examples=50)
@given(files())
def test_what_is_written_in_fides_dialect_is_read_as_it_was(file):
    """read(write(file)) is the file."""
    assert read(write(file), source="x") == file


@settings(deadline=None, max_examples=50)
@given(files(), st.data())
def test_what_is_written_in_javafos_dialect_is_read_as_it_was(file, data):
    """read(write(file, javafo)) is the file, as far as JaVaFo has words for it: absences now, bans that always hold."""
    numbers = [player.number for player in file.players]
    absent = data.draw(st.lists(st.sampled_from(numbers), unique=True).map(lambda who: tuple(sorted(who))))
    bans = tuple(ForbiddenPairs(ban.players) for ban in file.forbidden)
    file = replace(file, byes=(), absent=absent, forbidden=bans)
    assert read(write(file, "javafo"), source="x") == file


@settings(deadline=None, max_examples=50)
@given(files(), st.data())
def test_writing_again_changes_nothing(file, data):
    """Once written and read, a file is written byte for byte the same in either dialect."""
    numbers = sorted(player.number for player in file.players)
    file = replace(file, absent=tuple(sorted(data.draw(st.sets(st.sampled_from(numbers))))))
    for dialect in ("trf26", "javafo"):
        once = write(file, dialect)
        assert write(read(once, source="x"), dialect) == once


def test_every_golden_file_survives_both_dialects():
    """Every golden TRF, written in either dialect, is read as the same file."""
    for place in sorted(golden().rglob("*.trf")):
        file = read(place.read_bytes().decode("utf-8"), source=place.name)
        assert read(write(file), source="x") == file, place
        assert read(write(file, "javafo"), source="x") == file, place


def test_absent_players_are_byes_in_fides_dialect():
    """TRF26 has no record for who is away from the next round: they ask for a zero-point bye in it."""
    file = read(text("XXZ 2", player(1, "2 w 1"), player(2, "1 b 0")), source="x")
    assert "240 Z   2    2\n" in write(file)


def test_byes_of_the_next_round_stand_in_javafos_column():
    """JaVaFo finds the byes asked for the next round in its column; those of later rounds are none of its business."""
    lines = text("240 H   2    2", "240 F   3    1", player(1, "2 w 1"), player(2, "1 b 0"), player(3))
    told = read(write(read(lines, source="x"), "javafo"), source="x")
    assert [player.cell(2) for player in told.players] == [Cell(), Cell(0, "", "H"), Cell()]
    assert told.rounds_paired == 1


def test_bans_that_hold_now_are_javafos():
    """A ban of other rounds than the next is not written for JaVaFo, whose bans always hold."""
    lines = text(
        "260   1   1    1    2", "260   2   5    1    3", player(1, "2 w 1"), player(2, "1 b 0"), player(3)
    )
    said = write(read(lines, source="x"), "javafo")
    assert [line for line in said.splitlines() if line.startswith("XXP")] == ["XXP 1 3"]


def test_neighbours_share_a_line_of_virtual_points():
    """Players and rounds that get the same are one 250 line; who comes between without any parts them."""
    file = TrfFile(
        players=tuple(TrfPlayer(number=n) for n in (1, 2, 3, 4)),
        accelerations={1: (2, 2, 1), 2: (2, 2, 1), 4: (2, 2, 1)},
    )
    assert [line for line in write(file).splitlines() if line.startswith("250")] == [
        "250       1.0   1   2    1    2",
        "250       0.5   3   3    1    2",
        "250       1.0   1   2    4    4",
        "250       0.5   3   3    4    4",
    ]


def test_texts_stay_on_their_line_and_in_their_columns():
    """A line end inside a text becomes a blank, a name is cut at its 33 columns: no field disturbs another."""
    long = "A" * 40
    file = TrfFile(
        header=TrfHeader(name="Friday\nNight\r\n001 9"), players=(TrfPlayer(number=1, name=long, points=3),)
    )
    told = read(write(file), source="x")
    assert (told.header.name, told.players[0].name, told.players[0].points) == (
        "Friday Night  001 9",
        "A" * 33,
        3,
    )
    broken = replace(file, players=(TrfPlayer(number=1, name="Mira\n001    2 Oake"),))
    assert [each.name for each in read(write(broken), source="x").players] == ["Mira 001    2 Oake"]


@pytest.mark.parametrize(
    ("file", "said"),
    [
        (TrfFile(players=(TrfPlayer(number=10000),)), "pairing number 10000 does not fit"),
        (TrfFile(players=(TrfPlayer(number=1, points=201),)), "the points of player 1 do not fit"),
        (TrfFile(players=(TrfPlayer(number=1, points=-20),)), "the points of player 1 do not fit"),
        (TrfFile(players=(TrfPlayer(number=1, rating=12345),)), "the rating of player 1 does not fit"),
        (TrfFile(players=(TrfPlayer(number=1),), rounds_total=1000), "at most 999 rounds"),
        (TrfFile(players=(TrfPlayer(number=1),), scoring={"W": 200}), "the points for `W` do not fit"),
    ],
)
def test_numbers_too_wide_are_refused(file, said):
    """A number that does not fit its columns is refused, not cut."""
    with pytest.raises(TourneyError, match=said):
        write(file)


def test_a_hundred_points_fit():
    """Whole points from 100 up are written without their decimal, which has no column left."""
    assert (
        read(write(TrfFile(players=(TrfPlayer(number=1, points=246),))), source="x").players[0].points == 246
    )
