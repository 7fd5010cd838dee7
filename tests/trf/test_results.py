"""TrfFile ⇄ Record."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit import golden
from tests.trf.lines import player, text
from tourney.errors import TourneyError
from tourney.record import Outcome, PlayerId, Record, Result, Seat, Table
from tourney.trf import file_of, points_contradicted, read, record_of, scoring_of, write


def record(*lines):
    return record_of(read(text(*lines), source="x.trf"))


@pytest.mark.parametrize(
    ("one", "other", "outcomes"),
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
def test_results(one, other, outcomes):
    """Each pair of codes is what it says; a table names White first."""
    (table,) = record(player(1, f"2 b {other}"), player(2, f"1 w {one}")).rounds[0]
    assert table.seats == (2, 1)
    assert tuple(table.result.seat_of(p).outcome for p in table.seats) == outcomes


@pytest.mark.parametrize(
    ("cell", "outcome"),
    [
        ("0000 - U", Outcome.BYE), ("0000 - F", Outcome.AWARDED_BYE), ("0000 - +", Outcome.AWARDED_BYE),
        ("0000 - H", Outcome.HALF_BYE), ("0000 - =", Outcome.HALF_BYE), ("0000 - Z", None), ("0000 - -", None), ("", None),
    ],
)  # fmt: skip
def test_rounds_without_an_opponent(cell, outcome):
    """H, F and U are byes, Z and a blank an absence; game codes without an opponent are what they are worth."""
    told = record(player(1, "2 w 1"), player(2, "1 b 0"), player(3, cell))
    assert told.byes[0] == ({3: outcome} if outcome else {})
    assert told.absences[0] == (set() if outcome else {3})


def test_open_tables_and_requests():
    """A table without a result is still playing; a column of requests alone is a round still to be paired."""
    told = record(player(1, "2 w ", "0000 - H"), player(2, "1 b "), player(3, "0000 - U", "0000 - Z"))
    assert told == Record(
        players=(1, 2, 3), rounds=((Table(1, (1, 2)),),), byes=({3: Outcome.BYE},), absences=(frozenset(),)
    )


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([player(1, "2 w 1"), player(2, "3 b 0"), player(3, "2 w 1")], "line 1, column 92: round 1: player 1 names player 2, who names player 3"),
        ([player(1, "2 w 1"), player(2)], "line 1, column 92: round 1: player 1 names player 2, who names nobody"),
        ([player(1, "2 w 1"), player(2, "1 w 0")], "line 1, column 97: round 1: both players of the table have the side `w`"),
        ([player(1, "2 w 1"), player(2, "1 b 1")], "line 1, column 99: round 1: the results `1` and `1` of players 1 and 2 do not go together"),
        ([player(1, "2 w 1"), player(2, "1 b ")], "line 1, column 99: round 1: the results `1` and ` ` of players 1 and 2 do not go together"),
        ([player(1, "2 w +"), player(2, "1 b 0")], "line 1, column 99: round 1: the results `+` and `0` of players 1 and 2 do not go together"),
        ([player(1, "2 w H"), player(2, "1 b H")], "line 1, column 99: round 1: `H` is a bye, but there is an opponent"),
    ],
)  # fmt: skip
def test_contradicting_players_are_refused(lines, said):
    """Two players of a table who do not agree are refused, naming line, column and round."""
    with pytest.raises(TourneyError) as refused:
        record(*lines)
    assert str(refused.value) == f"x.trf: {said}"


def test_golden_records_are_what_was_played():
    """Tables, sides and byes of every Dutch golden file are those its JSON tells, round by round."""
    codes = {
        Outcome.WIN: "1",
        Outcome.LOSS: "0",
        Outcome.DRAW: "=",
        Outcome.FORFEIT_WIN: "+",
        Outcome.FORFEIT_LOSS: "-",
    }
    rounds = 0
    for place in sorted(golden("dutch").glob("*.json")):
        facts = json.loads(place.read_text("utf-8"))
        told = record_of(read(place.with_suffix(".trf").read_text("utf-8"), source=place.name))
        for round_number, tables in enumerate(told.rounds, 1):
            played = facts["rounds"][round_number - 1]["played"]
            games = sorted([*t.seats, "".join(codes[s.outcome] for s in t.result.seats)] for t in tables)
            want = sorted(
                [white, black, result.replace("W", "1").replace("L", "0").replace("D", "=")]
                for white, black, result in played["games"]
            )
            if place.name.startswith("nc"):
                continue
            assert games == want, (place.name, round_number)
            byes = {int(p): kind for p, kind in played["byes"].items()}
            here = {
                p: {Outcome.BYE: "U", Outcome.AWARDED_BYE: "F", Outcome.HALF_BYE: "H"}[o]
                for p, o in told.byes[round_number - 1].items()
            }
            assert here == {p: kind for p, kind in byes.items() if kind != "Z"}, (place.name, round_number)
            rounds += 1
    print(f"{rounds} golden rounds compared")
    assert rounds > 300


outcome_pairs = st.sampled_from(
    [(Outcome.WIN, Outcome.LOSS), (Outcome.LOSS, Outcome.WIN), (Outcome.DRAW, Outcome.DRAW), (Outcome.FORFEIT_WIN, Outcome.FORFEIT_LOSS),
     (Outcome.FORFEIT_LOSS, Outcome.FORFEIT_LOSS), (Outcome.DOUBLE_LOSS, Outcome.DOUBLE_LOSS), None]
)  # fmt: skip


@st.composite
def records(draw):
    """Records of single games: tables in the order in which the format's reader numbers them."""
    players = list(range(1, draw(st.integers(2, 8)) + 1))
    rounds, byes, absences = [], [], []
    for _ in range(draw(st.integers(0, 3))):
        order = draw(st.permutations(players))
        seated = draw(st.integers(1, len(players) // 2))
        pairs = sorted((order[2 * n : 2 * n + 2] for n in range(seated)), key=min)
        rounds.append(
            tuple(_table(number, tuple(pair), draw(outcome_pairs)) for number, pair in enumerate(pairs, 1))
        )
        kinds = {
            p: draw(st.sampled_from([Outcome.BYE, Outcome.AWARDED_BYE, Outcome.HALF_BYE, Outcome.ABSENT]))
            for p in order[2 * seated :]
        }
        byes.append({p: kind for p, kind in kinds.items() if kind is not Outcome.ABSENT})
        absences.append(frozenset(p for p, kind in kinds.items() if kind is Outcome.ABSENT))
    ratings = draw(st.dictionaries(st.sampled_from(players), st.integers(1, 3000)))
    planned = draw(st.none() | st.integers(1, 20))
    return Record(
        players=tuple(players), rounds=tuple(rounds), byes=tuple(byes), absences=tuple(absences), ratings=ratings,
        planned_rounds=planned,
    )  # fmt: skip


def _table(number, seats, outcomes):
    if outcomes is None:
        return Table(number, seats)
    beaten = {Outcome.WIN, Outcome.FORFEIT_WIN} & set(outcomes)
    lost = {Outcome.LOSS, Outcome.FORFEIT_LOSS}
    sides = [
        Seat(p, o, 2 if beaten and o in lost else 1, int(o is Outcome.WIN))
        for p, o in zip(seats, outcomes, strict=True)
    ]
    return Table(number, seats, Result(tuple(sides), drawn_games=int(Outcome.DRAW in outcomes)))


@settings(deadline=None)
@given(records())
def test_a_record_survives_its_file(told):
    """A record of single games, written as a file and read again, is the same record."""
    file = file_of(told, points=dict.fromkeys(told.players, 0), names={p: f"Player{p}" for p in told.players})
    assert record_of(file) == told
    assert record_of(read(write(file), source="x")) == told


def test_another_order_gives_other_numbers():
    """`order` makes the pairing numbers: the first is 1; without sides, none are written."""
    told = Record(players=(7, 9), rounds=((Table(1, (7, 9)),),), byes=({},), absences=(frozenset(),))
    file = file_of(told, points={7: 0, 9: 2}, names={7: "Mira", 9: "Tomo"}, order=(9, 7), sides=False)
    assert [(p.number, p.name, p.points) for p in file.players] == [(1, "Tomo", 2), (2, "Mira", 0)]
    assert [p.rounds[0].opponent for p in file.players] == [2, 1]
    assert {p.rounds[0].side for p in file.players} == {""}


def test_tables_of_three_cannot_be_said():
    """The format knows only tables of two: more are refused."""
    told = Record(players=(1, 2, 3), rounds=((Table(4, (1, 2, 3)),),), byes=({},), absences=(frozenset(),))
    with pytest.raises(TourneyError, match="round 1, table 4 has 3 seats"):
        file_of(told, points=dict.fromkeys((1, 2, 3), 0), names=dict.fromkeys((1, 2, 3), ""))


def contradicted(*lines):
    return points_contradicted(read(text(*lines), source="x.trf"))


@pytest.mark.parametrize(
    ("scoring", "points"),
    [
        ((), ("1.5", "1.0", "0.5", "1.0")),
        (("162  W 3.0    D 1.0    P 2.0",), ("4.0", "3.0", "1.0", "2.0")),
        (("XXS W=3 D=1",), ("4.0", "3.0", "1.0", "3.0")),
        (("XXS WW=3 BW=2 WD=1 BD=0.5 HPB=0", "XXS PAB=0.5"), ("4.0", "2.0", "0.5", "0.5")),
        (("BBW 2.0", "BBD 1.0", "BBU 1.5"), ("3.0", "2.0", "1.0", "1.5")),
        (("299 W         3.0    1    1",), ("3.5", "1.0", "0.5", "1.0")),
        (("299          -0.5    2    3    4",), ("1.5", "1.0", "0.0", "0.5")),
        (("299 P         0.0",), ("1.5", "1.0", "0.5", "0.0")),
    ],
)
def test_the_points_column_is_held_against_the_files_own_account(scoring, points):
    """Scoring by 162, XXS and BB., abnormal points; a column that says something else is told with its line."""
    cells = (("2 w 1", "3 w ="), ("1 b 0", "4 b 1"), ("0000 - Z", "1 b ="), ("0000 - U", "2 w 0"))
    lines = [
        player(n, *each, points=made) for n, (each, made) in enumerate(zip(cells, points, strict=True), 1)
    ]
    assert contradicted(*scoring, *lines) == ()
    wrong = player(3, *cells[2], points="9.5")
    number = len(scoring) + 3
    assert contradicted(*scoring, *lines[:2], wrong, lines[3]) == (
        f"line {number}: the points of player 3 are 9½, the file's results make "
        f"{points[2].replace('.5', '½').replace('.0', '').replace('0½', '½')}",
    )


def test_blank_points_and_rounds_to_come_contradict_nothing():
    """A file without points; a bye entered beforehand with its points."""
    assert contradicted(player(1, "2 w 1", points=""), player(2, "1 b 0", points="")) == ()
    assert contradicted(player(1, "2 w 1", points="1.0"), player(2, "1 b 0", "0000 - H", points="0.5")) == ()


def test_what_the_file_gives_for_outcomes():
    """The finer code says it where both do; nothing where the file is silent."""
    lines = ["162  W 3.0    D 1.0    A 0.5", "XXS FL=0", *(player(n) for n in (1, 2))]
    assert scoring_of(read(text(*lines), source="x")) == {
        Outcome.WIN: 6,
        Outcome.DRAW: 2,
        Outcome.ABSENT: 1,
        Outcome.FORFEIT_LOSS: 0,
    }
    assert scoring_of(read(text(player(1)), source="x")) == {}


def test_points_below_nothing_are_read_and_written():
    """A penalty can take more than somebody had."""
    lines = (
        player(1, "2 w 1", points="1.0"),
        player(2, "1 b 0", points="-0.5"),
        "299          -0.5    1    2",
    )
    file = read(text(*lines), source="x.trf")
    assert (file.players[1].points, points_contradicted(file)) == (-1, ())
    assert record_of(file).extra_points == ({PlayerId(2): -1},)
    assert read(write(file), source="y.trf").players[1].points == -1
