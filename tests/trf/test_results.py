"""Conversion between a Tournament Report File and a record, and the points of a file."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit import golden, with_rows
from tests.trf.lines import player, text
from tourney.errors import TourneyError
from tourney.record import Outcome, PlayerId, Record, Result, Seat, Table
from tourney.trf import check_points, file_of, read, record_of, scoring_of, write


def read_lines(*lines):
    return read(text(*lines), source="x.trf")


def read_record(*lines):
    return record_of(read_lines(*lines))


@with_rows(
    ("white", "black", "outcomes"),
    [
        ("1", "0", (Outcome.WIN, Outcome.LOSS)),
        ("W", "L", (Outcome.WIN, Outcome.LOSS)),
        ("=", "=", (Outcome.DRAW, Outcome.DRAW)),
        ("D", "D", (Outcome.DRAW, Outcome.DRAW)),
        ("+", "-", (Outcome.FORFEIT_WIN, Outcome.FORFEIT_LOSS)),
        ("-", "-", (Outcome.FORFEIT_LOSS, Outcome.FORFEIT_LOSS)),
        ("0", "0", (Outcome.DOUBLE_LOSS, Outcome.DOUBLE_LOSS)),
        ("=", "0", (Outcome.DRAW, Outcome.LOSS)),
    ],
)
def test_converts_the_results_of_a_table(white, black, outcomes):
    """White has the first seat."""
    (table,) = read_record(player(1, f"2 b {black}"), player(2, f"1 w {white}")).rounds[0]
    assert table.seats == (2, 1)
    assert tuple(table.result.seat_of(p).outcome for p in table.seats) == outcomes


@with_rows(
    ("cell", "outcome"),
    [
        ("0000 - U", Outcome.BYE),
        ("0000 - F", Outcome.AWARDED_BYE),
        ("0000 - +", Outcome.AWARDED_BYE),
        ("0000 - H", Outcome.HALF_BYE),
        ("0000 - =", Outcome.HALF_BYE),
        ("0000 - Z", None),
        ("0000 - -", None),
        ("", None),
    ],
)
def test_converts_a_round_without_an_opponent(cell, outcome):
    """A game result without an opponent is a bye of the same value."""
    record = read_record(player(1, "2 w 1"), player(2, "1 b 0"), player(3, cell))
    assert record.byes[0] == ({3: outcome} if outcome else {})
    assert record.absences[0] == (set() if outcome else {3})


def test_converts_open_tables_and_leaves_out_requests():
    """A table without results is open; a last column of requests is a round not yet paired."""
    record = read_record(player(1, "2 w ", "0000 - H"), player(2, "1 b "), player(3, "0000 - U", "0000 - Z"))
    assert record == Record(
        players=(1, 2, 3), rounds=((Table(1, (1, 2)),),), byes=({3: Outcome.BYE},), absences=(frozenset(),)
    )


@with_rows(
    ("players", "column", "message"),
    [
        (
            [player(1, "2 w 1"), player(2, "3 b 0"), player(3, "2 w 1")],
            92,
            "player 1 names player 2, but that player names player 3",
        ),
        (
            [player(1, "2 w 1"), player(2)],
            92,
            "player 1 names player 2, but that player names no opponent",
        ),
        ([player(1, "2 w 1"), player(2, "1 w 0")], 97, "both players have the side `w`"),
        (
            [player(1, "2 w 1"), player(2, "1 b 1")],
            99,
            "the results `1` and `1` of players 1 and 2 contradict each other",
        ),
        (
            [player(1, "2 w 1"), player(2, "1 b ")],
            99,
            "the results `1` and ` ` of players 1 and 2 contradict each other",
        ),
        (
            [player(1, "2 w +"), player(2, "1 b 0")],
            99,
            "the results `+` and `0` of players 1 and 2 contradict each other",
        ),
        ([player(1, "2 w H"), player(2, "1 b H")], 99, "`H` is a bye, but the player has an opponent"),
    ],
)
def test_refuses_players_who_contradict_each_other(players, column, message):
    """The refusal names line, column and round."""
    with pytest.raises(TourneyError) as refused:
        read_record(*players)
    assert str(refused.value) == f"x.trf: line 1, column {column}: round 1: {message}"


CODES = {
    Outcome.WIN: "1",
    Outcome.LOSS: "0",
    Outcome.DRAW: "=",
    Outcome.FORFEIT_WIN: "+",
    Outcome.FORFEIT_LOSS: "-",
    Outcome.BYE: "U",
    Outcome.AWARDED_BYE: "F",
    Outcome.HALF_BYE: "H",
}


def test_converts_the_golden_files():
    """Tables, sides and byes of each round are those of the JSON file beside it."""
    rounds = 0
    for path in sorted(golden("dutch").glob("*.json")):
        facts = json.loads(path.read_text("utf-8"))
        record = record_of(read(path.with_suffix(".trf").read_text("utf-8"), source=path.name))
        if path.name.startswith("nc"):
            continue
        for number, (tables, byes) in enumerate(zip(record.rounds, record.byes, strict=True), 1):
            played = facts["rounds"][number - 1]["played"]
            games = sorted(
                [*t.seats, "".join(CODES[seat.outcome] for seat in t.result.seats)] for t in tables
            )
            rated = str.maketrans("WLD", "10=")
            expected_games = sorted(
                [white, black, codes.translate(rated)] for white, black, codes in played["games"]
            )
            assert games == expected_games, (path.name, number)
            expected_byes = {int(p): code for p, code in played["byes"].items() if code != "Z"}
            assert {p: CODES[bye] for p, bye in byes.items()} == expected_byes, (path.name, number)
            rounds += 1
    print(f"{rounds} golden rounds compared")
    assert rounds > 300


outcome_pairs = st.sampled_from(
    [
        (Outcome.WIN, Outcome.LOSS),
        (Outcome.LOSS, Outcome.WIN),
        (Outcome.DRAW, Outcome.DRAW),
        (Outcome.FORFEIT_WIN, Outcome.FORFEIT_LOSS),
        (Outcome.FORFEIT_LOSS, Outcome.FORFEIT_LOSS),
        (Outcome.DOUBLE_LOSS, Outcome.DOUBLE_LOSS),
        None,
    ]
)
byes_and_absences = st.sampled_from([Outcome.BYE, Outcome.AWARDED_BYE, Outcome.HALF_BYE, Outcome.ABSENT])


@st.composite
def records(draw):
    """Return records of single games, with tables in the order that `record_of` numbers them."""
    players = list(range(1, draw(st.integers(2, 8)) + 1))
    rounds, byes, absences = [], [], []
    for _ in range(draw(st.integers(0, 3))):
        order = draw(st.permutations(players))
        seated = draw(st.integers(1, len(players) // 2))
        pairs = sorted((order[2 * n : 2 * n + 2] for n in range(seated)), key=min)
        rounds.append(tuple(_table(n, tuple(pair), draw(outcome_pairs)) for n, pair in enumerate(pairs, 1)))
        unpaired = {p: draw(byes_and_absences) for p in order[2 * seated :]}
        byes.append({p: bye for p, bye in unpaired.items() if bye is not Outcome.ABSENT})
        absences.append(frozenset(p for p, bye in unpaired.items() if bye is Outcome.ABSENT))
    return Record(
        players=tuple(players),
        rounds=tuple(rounds),
        byes=tuple(byes),
        absences=tuple(absences),
        ratings=draw(st.dictionaries(st.sampled_from(players), st.integers(1, 3000))),
        planned_rounds=draw(st.none() | st.integers(1, 20)),
    )


def _table(number, seats, outcomes):
    if outcomes is None:
        return Table(number, seats)
    has_winner = {Outcome.WIN, Outcome.FORFEIT_WIN} & set(outcomes)
    losses = {Outcome.LOSS, Outcome.FORFEIT_LOSS}
    sides = [
        Seat(p, outcome, 2 if has_winner and outcome in losses else 1, int(outcome is Outcome.WIN))
        for p, outcome in zip(seats, outcomes, strict=True)
    ]
    return Table(number, seats, Result(tuple(sides), drawn_games=int(Outcome.DRAW in outcomes)))


@settings(deadline=None)
@given(records())
def test_a_record_survives_its_file(record):
    """A record of single games that is written and read again is the same."""
    names = {p: f"Player{p}" for p in record.players}
    file = file_of(record, points=dict.fromkeys(record.players, 0), names=names)
    assert record_of(file) == record
    assert record_of(read(write(file), source="x")) == record


def test_numbers_players_in_the_given_order():
    """The first player of `order` has pairing number 1. With `sides=False` no sides are written."""
    record = Record(players=(7, 9), rounds=((Table(1, (7, 9)),),), byes=({},), absences=(frozenset(),))
    names = {7: "Mira", 9: "Tomo"}
    file = file_of(record, points={7: 0, 9: 2}, names=names, order=(9, 7), sides=False)
    assert [(p.number, p.name, p.points) for p in file.players] == [(1, "Tomo", 2), (2, "Mira", 0)]
    assert [p.rounds[0].opponent for p in file.players] == [2, 1]
    assert {p.rounds[0].side for p in file.players} == {""}


def test_refuses_tables_of_three():
    """The format can only hold tables of two."""
    record = Record(players=(1, 2, 3), rounds=((Table(4, (1, 2, 3)),),), byes=({},), absences=(frozenset(),))
    with pytest.raises(TourneyError, match="round 1, table 4 has 3 seats"):
        file_of(record, points=dict.fromkeys((1, 2, 3), 0), names=dict.fromkeys((1, 2, 3), ""))


@with_rows(
    ("scoring", "points"),
    [
        ((), ("1.5", "1.0", "0.5", "1.0")),
        (("162  W 3.0    D 1.0    P 2.0",), ("4.0", "3.0", "1.0", "2.0")),
        (("XXS W=3 D=1",), ("4.0", "3.0", "1.0", "3.0")),
        (("XXS W=3 D=1",), ("4.0", "3.0", "1.0", "1.0")),
        (("XXS WW=3 BW=2 WD=1 BD=0.5 HPB=0", "XXS PAB=0.5"), ("4.0", "2.0", "0.5", "0.5")),
        (("BBW 2.0", "BBD 1.0", "BBU 1.5"), ("3.0", "2.0", "1.0", "1.5")),
        (("299 W         3.0    1    1",), ("3.5", "1.0", "0.5", "1.0")),
        (("299          -0.5    2    3    4",), ("1.5", "1.0", "0.0", "0.5")),
        (("299 P         0.0",), ("1.5", "1.0", "0.5", "0.0")),
    ],
)
def test_checks_the_points_of_the_players(scoring, points):
    """Points follow from results, records 162, XXS, BB. and 299; others get a remark."""
    cells = (("2 w 1", "3 w ="), ("1 b 0", "4 b 1"), ("0000 - Z", "1 b ="), ("0000 - U", "2 w 0"))
    lines = [player(n, *cells[n - 1], points=points[n - 1]) for n in (1, 2, 3, 4)]
    assert check_points(read_lines(*scoring, *lines)) == ()
    lines[2] = player(3, *cells[2], points="9.5")
    (remark,) = check_points(read_lines(*scoring, *lines))
    place, total = f"line {len(scoring) + 3}", {"0.0": "0", "0.5": "½", "1.0": "1"}[points[2]]
    assert remark == f"{place}: the points of player 3 are 9½, but the results in the file give {total}"


@with_rows(
    "players",
    [
        (player(1, "2 w 1", points=""), player(2, "1 b 0", points="")),
        (player(1, "2 w 1", points="1.0"), player(2, "1 b 0", "0000 - H", points="0.5")),
    ],
)
def test_accepts_blank_points_and_points_of_a_coming_bye(players):
    """A file may have no points, or count the points of a requested bye in advance."""
    assert check_points(read_lines(*players)) == ()


def test_returns_the_scoring_by_outcome():
    """A specific code (FL) overrides a general one (A). Outcomes without a code are left out."""
    file = read_lines("162  W 3.0    D 1.0    A 0.5", "XXS FL=0", player(1), player(2))
    assert scoring_of(file) == {
        Outcome.WIN: 6,
        Outcome.DRAW: 2,
        Outcome.ABSENT: 1,
        Outcome.FORFEIT_LOSS: 0,
    }
    assert scoring_of(read_lines(player(1))) == {}


def test_reads_and_writes_negative_points():
    """A penalty can take away more points than a player has."""
    penalty = "299          -0.5    1    2"
    file = read_lines(player(1, "2 w 1", points="1.0"), player(2, "1 b 0", points="-0.5"), penalty)
    assert (file.players[1].points, check_points(file)) == (-1, ())
    assert record_of(file).extra_points == ({PlayerId(2): -1},)
    assert read(write(file), source="y.trf").players[1].points == -1
