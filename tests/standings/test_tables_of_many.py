"""Tables of three and more: winner, shared first place, points by place, pods."""

import json
import re
from fractions import Fraction
from itertools import groupby, product
from pathlib import Path

import pytest

import tourney.standings
from tests.kit import sampled, with_rows
from tests.standings.fields import pods_record
from tests.standings.profiles import house, shipped
from tourney.errors import TourneyError
from tourney.record import Outcome, PlayerId, Record, Result, Seat, Table
from tourney.standings import Scorecards, explain_place, points, rank, values
from tourney.standings.describing import describe
from tourney.standings.ranking import columns
from tourney.standings.reading import read_results
from tourney.standings.tiebreaks import find

A, B, C, D = map(PlayerId, range(1, 5))


def table(*places):
    pod = {"players": list("ABCD"[: len(places)]), "places": list(places)}
    return read_results(json.dumps({"rounds": [[pod]]}), source="pod").record


def house_places(lines):
    return house(f'extends = "tourney"\ntitle = "by place"\n[tables]\n{lines}\n')


@with_rows(
    ("places", "half_points"),
    [((1, 2, 3), (2, 0, 0)), ((1, 1, 3), (1, 1, 0)), ((1, 1, 1), (1, 1, 1)), ((2, 1, 2, 4), (0, 2, 0, 0))],
)
def test_first_place_is_a_win_and_a_shared_one_a_draw(places, half_points):
    """1 for the winner, ½ for each player of a shared first place, 0 for the others."""
    assert tuple(points(table(*places), shipped("tourney")).values()) == half_points


@with_rows(
    ("places", "half_points"),
    [
        ((1, 2, 3, 4), (6, 4, 2, 0)),
        ((1, 1, 3, 4), (5, 5, 2, 0)),
        ((1, 2, 2, 4), (6, 3, 3, 0)),
        ((1, 1, 1, 4), (4, 4, 4, 0)),
        ((1, 1, 1, 1), (3, 3, 3, 3)),
        ((1, 2, 3, 3), (6, 4, 1, 1)),
        ((4, 3, 2, 1), (0, 2, 4, 6)),
    ],
)
def test_shares_points_by_place(places, half_points):
    """3, 2, 1, 0 points."""
    assert (
        tuple(points(table(*places), house_places("placement = { 4 = [3, 2, 1, 0] }")).values())
        == half_points
    )


@with_rows(("how", "half_points"), [("higher", 8), ("lower", 2)])
def test_shared_places_can_be_worth_the_better_or_worse_place(how, half_points):
    """The key `shared` of the profile."""
    profile = house_places(f'shared = "{how}"\nplacement = {{ 4 = [4, 2, 1, 0] }}')
    assert points(table(1, 1, 1, 4), profile)[A] == half_points


def test_accepts_any_numbering_of_places():
    """1, 5, 9 is first, second, third."""
    profile = house_places("placement = { 3 = [3, 1, 0] }\nshared = 'lower'")
    assert points(table(1, 5, 9), profile) == points(table(1, 2, 3), profile)


def test_tables_without_points_by_place_count_the_outcome():
    """Points for tables of four do not apply to a table of three."""
    assert points(table(1, 2, 3), house_places("placement = { 4 = [3, 2, 1, 0] }")) == {A: 2, B: 0, C: 0}


def test_shares_depend_on_the_most_points_of_the_table():
    """Second of four with 2 of 3 points: two thirds of a win; in a pod of four 1 of 7."""
    by_place = house_places("placement = { 4 = [3, 2, 1, 0] }")
    assert Scorecards(table(1, 2, 3, 4), by_place)[B][0].worth.share == Fraction(2, 3)
    assert Scorecards(table(1, 1, 3, 4), shipped("pods"))[A][0].worth.share == Fraction(1, 7)
    assert Scorecards(table(1, 2, 3), shipped("pods"))[A][0].worth.share == 1


def test_all_others_at_the_table_are_opponents():
    """Three terms for a round at a table of four."""
    happened = table(1, 2, 3, 4)
    assert Scorecards(happened, shipped("tourney")).counted_opponents(A) == [B, C, D]
    assert values(happened, shipped("pods"), "OMP")[B] == Fraction(7, 3)
    assert values(happened, shipped("tourney"), "OMW")[A] == Fraction(1, 3)


def test_head_to_head_counts_larger_tables():
    """The better place is ahead."""
    text = """{"rounds": [[{"players": ["A","B","C"], "places": [1,2,3]}],
                          [{"players": ["B","D","C"], "places": [1,2,3]}]]}"""
    record = read_results(text, source="pods").record
    profile = house('extends = "tourney"\ntitle = "x"\norder = ["PTS", "H2H"]\n')
    assert [(row.player, row.rank) for row in rank(record, profile).rows][:2] == [(A, 1), (B, 2)]


@pytest.mark.parametrize("name", ["tourney", "pods", "mtr"])
@pytest.mark.parametrize("seed", sampled(range(5), [0]))
def test_ranks_and_explains_random_pods(name, seed):
    """Tables of three and four."""
    happened, profile = pods_record(seed), shipped(name)
    rows = rank(happened, profile).rows
    assert [row.rank for row in rows] == sorted(row.rank for row in rows)
    for row in rows:
        assert explain_place(happened, profile, row.player).row == row


@with_rows(
    ("text", "message"),
    [
        ('{"players": ["A", "B"], "places": [1]}', "players, places and scores differ in number"),
        ('{"players": ["A"], "places": [1]}', "expected two players or more, and places from 1"),
        ('{"players": ["A", "B"], "places": [0, 1]}', "expected two players or more, and places from 1"),
        ('{"players": ["A", "A"], "places": [1, 2]}', "`A` is in round 1 twice (also rounds[0][0])"),
        (
            '{"players": ["A", "B"], "places": [1, 2], "scores": [3]}',
            "players, places and scores differ in number",
        ),
    ],
)
def test_rejects_impossible_tables(text, message):
    """With the place in the file."""
    with pytest.raises(TourneyError) as caught:
        read_results(f'{{"rounds": [[{text}]]}}', source="pod.json")
    assert caught.value.message == f"pod.json: rounds[0][0]: {message}"


def at_tables(*rounds):
    """Return a record from rounds of tables with seats (player, outcome, place[, games])."""
    made = tuple(
        tuple(
            Table(
                number, tuple(seat[0] for seat in seats), Result(tuple(Seat(*seat) for seat in seats), drawn)
            )
            for number, (seats, drawn) in enumerate(tables, 1)
        )
        for tables in rounds
    )
    nobody = tuple(frozenset() for _ in rounds)
    return Record(
        players=(A, B, C, D), rounds=made, byes=tuple({} for _ in rounds), absences=nobody, drops={}
    )


WON = (((A, Outcome.WIN, 1), (B, Outcome.LOSS, 2), (C, Outcome.LOSS, 3)), 0)
ALONE = (((A, Outcome.FORFEIT_WIN, 1), (B, Outcome.FORFEIT_LOSS, 2), (C, Outcome.FORFEIT_LOSS, 2)), 0)
DRAWN = (((A, Outcome.DRAW, 1), (B, Outcome.DRAW, 1), (C, Outcome.DRAW, 1)), 1)
OF_TWO = (((A, Outcome.WIN, 1, 2), (D, Outcome.LOSS, 2, 1)), 0)


@with_rows("tables", [*product((WON, ALONE, DRAWN), repeat=2)])
@with_rows("profile", ["tourney", "mtr", "topdeck", "melee", "tables", "pods"])
def test_does_not_show_games_of_larger_tables(tables, profile):
    """`describe` says that they are not counted."""
    record = at_tables(*([table] for table in tables))
    assert len(set(values(record, shipped(profile), "GW").values())) == 1
    standings = rank(record, shipped(profile), seed="x")
    assert standings.has_only_large_tables
    assert not {"GW", "OGW"} & set(columns(standings))
    lines = describe(explain_place(record, shipped(profile), A, seed="x"), str)
    assert lines[1].startswith("at tables of three and more the first place is a win")
    assert not any(line.startswith(("GW,", "OGW,")) for line in lines)
    assert ("GW" in shipped(profile).order) == ("GW and OGW do not apply" in lines[1])


def test_shows_games_if_there_is_a_table_of_two():
    """One such table is enough."""
    standings = rank(at_tables([OF_TWO], [WON]), shipped("tourney"), seed="x")
    assert not standings.has_only_large_tables
    assert {"GW", "OGW"} <= set(columns(standings))
    assert values(at_tables([OF_TWO], [WON]), shipped("tourney"), "GW")[A] == Fraction(2, 3)


@with_rows(("seats", "floor"), [(3, 5), (4, 7), (5, 9), (6, 11)])
@with_rows("name", ["tables", "pods"])
def test_the_floor_at_larger_tables(name, seats, floor):
    """1/(2n−1), as a pod of n gives its winner 2n−1 points."""
    profile = shipped(name)
    assert profile.match_win.floor_by_size[seats] == Fraction(1, floor)
    assert Fraction(1, floor) < Fraction(1, seats)
    if name == "pods":
        assert points(places(seats), profile)[A] == 2 * floor


def places(size):
    players = tuple(map(PlayerId, range(1, size + 1)))
    seats = tuple(Seat(player, Outcome.LOSS if player > 1 else Outcome.WIN, player) for player in players)
    happened = ((Table(1, players, Result(seats)),),)
    return Record(players=players, rounds=happened, byes=({},), absences=(frozenset(),), drops={})


SHIPPED = sorted(path.stem for path in (Path(tourney.standings.__file__).parent / "profiles").glob("*.toml"))


@pytest.mark.parametrize("size", sampled([3, 4, 5, 6], [3, 4]))
@pytest.mark.parametrize("name", SHIPPED)
def test_percentages_of_larger_tables_separate_the_winner(name, size):
    """Under every shipped profile; a floor for matches of two is explained."""
    profile, record = shipped(name), places(size)
    shown = [code for code in columns(rank(record, profile, seed="x")) if find(code).unit == "percent"]
    for code in shown:
        percentages = values(record, profile, code)
        assert len({percentages[player] for player in record.players}) > 1, code
    assert not [code for code in shown if find(code).looks_at == "games"]
    floor = profile.match_win.floor_by_size.get(size, profile.match_win.floor)
    is_explained = any(
        "is meant for matches of two" in line
        for line in describe(explain_place(record, profile, A, seed="x"), str)
    )
    assert is_explained == bool(shown and floor >= Fraction(1, size)), floor


def change(result):
    """Return the winners and missing players of a larger table, or `lost` if all lose."""
    if all(seat.outcome is Outcome.DOUBLE_LOSS for seat in result.seats):
        return "lost"
    away = frozenset(seat.player for seat in result.seats if seat.outcome is Outcome.FORFEIT_LOSS)
    return frozenset(seat.player for seat in result.seats if seat.place == 1) - away, away


@pytest.mark.parametrize("size", sampled([3, 4, 5, 6], [3, 4]))
def test_describes_changes_of_a_larger_table(size):
    """At most ten, and the others are counted."""
    players = tuple(map(PlayerId, range(1, 2 * size + 1)))
    rounds = []
    for turn in range(2):
        order = players[turn:] + players[:turn]
        seats = [order[:size], order[size:]]
        rounds.append(
            tuple(
                Table(
                    number,
                    table,
                    Result(
                        tuple(
                            Seat(player, Outcome.LOSS if at else Outcome.WIN, at + 1)
                            for at, player in enumerate(table)
                        )
                    ),
                )
                for number, table in enumerate(seats, 1)
            )
        )
    nobody = (frozenset(), frozenset())
    record = Record(players=players, rounds=tuple(rounds), byes=({}, {}), absences=nobody, drops={})
    for player in players:
        explained = explain_place(record, shipped("tables"), player, seed="x")
        lines = [*describe(explained, lambda player: f"P{player}"), "below:", "below:"]
        starts = [at for at, line in enumerate(lines) if line.startswith(("above:", "below:"))]
        neighbours = [neighbour for neighbour in (explained.above, explained.below) if neighbour]
        for neighbour, start, end in zip(neighbours, starts, starts[1:], strict=False):
            search = neighbour.search
            by_table = groupby(search.swaps, lambda swap: (swap.round, swap.table))
            swapping = {key: [swap.new_result for swap in swaps] for key, swaps in by_table}
            for line in lines[start + 2 : end]:
                if match := re.fullmatch(r"    round (\d), ([P\d, ]+): (.*)", line):
                    (table,) = (
                        candidate
                        for number, candidate in swapping
                        if (str(number), f"{', '.join(f'P{seat}' for seat in candidate.seats)}")
                        == match.groups()[:2]
                    )
                    check_changes(match[3], table, {*swapping[int(match[1]), table]}, search.alternatives)


def check_changes(line, table, results, alternatives):
    """Check that exactly the sole winners by such results are named, and the rest counted.

    Missing players are named only if the same winners do not swap the players with all present.
    """
    kinds = {change(result) for result in results}
    every = {}
    for result in [*alternatives.of(table), table.result]:
        every.setdefault(change(result), set()).add(result)
    kinds -= {
        kind for kind in kinds if kind != "lost" and kind[1] and kind[0] and (kind[0], frozenset()) in kinds
    }
    left = re.search(r"or any of ([\d,]+) other change", line)
    assert int(left[1]) == len(kinds) - 10 if left else len(kinds) <= 10
    nobody = frozenset()
    winners = {seat for seat in table.seats if every.get((frozenset({seat}), nobody), {None}) <= results}
    wins = re.match(r"([^;]+) wins(?:;|$)", line)
    assert {PlayerId(int(number)) for number in re.findall(r"P(\d+)", wins[1] if wins else "")} == winners


def test_the_first_places_of_a_result_do_not_describe_its_swaps():
    """E is first in round 2 already. Only other later places can swap A and E."""
    rounds = [
        [{"players": list("ABCDEF"), "places": [1, 2, 3, 4, 5, 6]}],
        [{"players": list("FEDCBA"), "places": [2, 1, 3, 4, 5, 6]}],
    ]
    record = read_results(json.dumps({"rounds": rounds}), source="two pods").record
    order = 'extends = "tourney"\norder = ["PTS"]\n'
    profile = house(f"{order}[tables]\nplacement = {{ 6 = [6, 5, 4, 3, 2, 1] }}\n")
    lines = describe(explain_place(record, profile, A, seed="x"), lambda player: "ABCDEF"[player - 1])
    (line,) = (line for line in lines if line.startswith("    round 2, "))
    assert "F, D, C, B or A wins;" in line
    assert "1 E, 2 F, D, C, B and A;" in line
