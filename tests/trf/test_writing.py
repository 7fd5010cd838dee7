"""Writing Tournament Report Files: both dialects survive, and too large numbers are refused."""

import string
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit import examples, golden, with_rows
from tests.trf.lines import player, text
from tourney.errors import TourneyError
from tourney.trf import (
    AbnormalPoints,
    Byes,
    Cell,
    ForbiddenPairs,
    TrfFile,
    TrfHeader,
    TrfPlayer,
    read,
    write,
)

words = st.text(string.ascii_letters + "äß,.'- 6", max_size=20).map(lambda t: " ".join(t.split()))
points = st.integers(0, 199)
optional_points = st.none() | points


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
    drawn = []
    for number in numbers:
        rounds = draw(cells([other for other in numbers if other != number]))
        while rounds and rounds[-1].is_empty:
            rounds.pop()
        drawn.append(
            TrfPlayer(
                number=number,
                name=draw(words),
                sex=draw(st.sampled_from(["", "m", "w"])),
                title=draw(short(3)),
                rating=draw(st.none() | st.integers(0, 3000)),
                federation=draw(short(3)),
                fide_id=draw(short(11)),
                birth=draw(st.sampled_from(["", "2001/02/03"])),
                points=draw(optional_points),
                rank=draw(st.none() | st.integers(1, 999)),
                rounds=tuple(rounds),
            )
        )
    return tuple(drawn)


@st.composite
def files(draw):
    """Return files as `read` returns them: byes merged, no zeros last, numbers in order."""
    everyone = draw(players())
    numbers = sorted(player.number for player in everyone)
    some = st.lists(st.sampled_from(numbers), min_size=1, unique=True).map(lambda drawn: tuple(sorted(drawn)))
    byes = draw(st.dictionaries(st.tuples(st.integers(1, 9), st.sampled_from("FHZ")), some, max_size=3))
    virtual = st.lists(st.integers(0, 4), min_size=1, max_size=5).filter(lambda drawn: drawn[-1]).map(tuple)
    codes = st.sampled_from(["W", "D", "L", "A", "P", "X", "HPB", "WW", "FL"])
    bans = st.builds(ForbiddenPairs, some, st.integers(1, 9), st.none() | st.integers(9, 20))
    abnormal = st.builds(
        AbnormalPoints, st.sampled_from("HFP"), optional_points, optional_points, st.integers(0, 9), some
    )
    unknown_lines = st.sampled_from(["### a comment", "XYZ  1234 what", "801 x"])
    return TrfFile(
        header=draw(headers),
        players=everyone,
        rounds_total=draw(st.none() | st.integers(1, 30)),
        initial_side=draw(st.sampled_from(["", "w", "b"])),
        by_rank=draw(st.booleans()),
        scoring=draw(st.dictionaries(codes, points)),
        byes=tuple(Byes(kind, number, drawn) for (number, kind), drawn in sorted(byes.items())),
        accelerations=dict(sorted(draw(st.dictionaries(st.sampled_from(numbers), virtual)).items())),
        forbidden_pairs=tuple(draw(st.lists(bans, max_size=2))),
        abnormal_points=tuple(draw(st.lists(abnormal, max_size=2))),
        unknown_lines=tuple(draw(st.lists(unknown_lines, max_size=2))),
    )


@examples(20, of=100)
@given(files())
def test_a_file_survives_trf26(file):
    """A file that is written and read again is the same."""
    assert read(write(file), source="x") == file


@examples(20, of=100)
@given(files(), st.data())
def test_a_file_survives_javafo(file, data):
    """Without byes, and with bans for all rounds, because JaVaFo has no other records for them."""
    numbers = [player.number for player in file.players]
    absent = data.draw(
        st.lists(st.sampled_from(numbers), unique=True).map(lambda drawn: tuple(sorted(drawn)))
    )
    bans = tuple(ForbiddenPairs(ban.players) for ban in file.forbidden_pairs)
    file = replace(file, byes=(), absent_players=absent, forbidden_pairs=bans)
    assert read(write(file, "javafo"), source="x") == file


@examples(20, of=100)
@given(files(), st.data())
def test_writing_again_changes_nothing(file, data):
    """A file that was written and read is written byte for byte the same in either dialect."""
    numbers = sorted(player.number for player in file.players)
    file = replace(file, absent_players=tuple(sorted(data.draw(st.sets(st.sampled_from(numbers))))))
    for dialect in ("trf26", "javafo"):
        once = write(file, dialect)
        assert write(read(once, source="x"), dialect) == once


def test_every_golden_file_survives_both_dialects():
    """Each golden file is read, written in either dialect, and read as the same file."""
    for path in sorted(golden().rglob("*.trf")):
        file = read(path.read_bytes().decode("utf-8"), source=path.name)
        assert read(write(file), source="x") == file, path
        assert read(write(file, "javafo"), source="x") == file, path


def test_trf26_writes_absent_players_as_byes():
    """TRF26 has no record for players absent from the next round, so they get a zero-point bye."""
    file = read(text("XXZ 2", player(1, "2 w 1"), player(2, "1 b 0")), source="x")
    assert "240 Z   2    2\n" in write(file)


def test_javafo_has_the_byes_of_the_next_round_in_its_column():
    """Byes of later rounds are left out, because JaVaFo pairs only the next round."""
    lines = text("240 H   2    2", "240 F   3    1", player(1, "2 w 1"), player(2, "1 b 0"), player(3))
    file = read(write(read(lines, source="x"), "javafo"), source="x")
    assert [player.cell(2) for player in file.players] == [Cell(), Cell(0, "", "H"), Cell()]
    assert file.rounds_paired == 1


def test_javafo_has_only_the_bans_of_the_next_round():
    """JaVaFo's bans apply in every round, so a ban that does not apply next round is left out."""
    bans = "260   1   1    1    2", "260   2   5    1    3"
    lines = text(*bans, player(1, "2 w 1"), player(2, "1 b 0"), player(3))
    written = write(read(lines, source="x"), "javafo")
    assert [line for line in written.splitlines() if line.startswith("XXP")] == ["XXP 1 3"]


def test_neighbours_share_a_line_of_virtual_points():
    """One record 250 covers neighbouring players and consecutive rounds with equal points."""
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


def test_texts_stay_in_their_line_and_columns():
    """A line end in a text becomes a blank and a long name is cut, so that other fields stay."""
    long_name = TrfPlayer(number=1, name="A" * 40, points=3)
    file = TrfFile(header=TrfHeader(name="Friday\nNight\r\n001 9"), players=(long_name,))
    again = read(write(file), source="x")
    assert again.header.name == "Friday Night  001 9"
    assert (again.players[0].name, again.players[0].points) == ("A" * 33, 3)
    file = TrfFile(players=(TrfPlayer(number=1, name="Mira\n001    2 Oake"),))
    assert [player.name for player in read(write(file), source="x").players] == ["Mira 001    2 Oake"]


@with_rows(
    ("file", "message"),
    [
        (TrfFile(players=(TrfPlayer(number=10000),)), "pairing number 10000 is not between 1 and 9999"),
        (
            TrfFile(players=(TrfPlayer(number=1, points=201),)),
            "the points of player 1 do not fit four columns",
        ),
        (
            TrfFile(players=(TrfPlayer(number=1, points=-20),)),
            "the points of player 1 do not fit four columns",
        ),
        (
            TrfFile(players=(TrfPlayer(number=1, rating=12345),)),
            "the rating 12345 of player 1 is not between 0 and 9999",
        ),
        (
            TrfFile(players=(TrfPlayer(number=1),), rounds_total=1000),
            "a Tournament Report File has at most 999 rounds",
        ),
        (
            TrfFile(players=(TrfPlayer(number=1),), scoring={"W": 200}),
            "the value of `W` is not between 0 and 99.5",
        ),
    ],
)
def test_refuses_numbers_that_do_not_fit(file, message):
    """A number that is too wide for its columns is refused, not cut."""
    with pytest.raises(TourneyError) as refused:
        write(file)
    assert str(refused.value) == message


def test_writes_points_from_a_hundred_on():
    """Whole points from 100 on are written without the decimal, which has no column left."""
    file = TrfFile(players=(TrfPlayer(number=1, points=246),))
    assert read(write(file), source="x").players[0].points == 246
