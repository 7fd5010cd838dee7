"""Before the event: published tables, the timetable, and what a number of rounds leads to."""

import math
from itertools import product

from tests.forecast.fields import PROFILES
from tests.forecast.test_simulation import before
from tests.kit import with_rows
from tests.standings.profiles import shipped
from tourney.errors import TourneyError
from tourney.forecast.planning import (
    Pace,
    clock,
    cut_titles,
    prospects,
    published_advice,
    spread_strengths,
    timetable,
)
from tourney.forecast.simulation import Chances, play
from tourney.pairing import ADVICE, plan
from tourney.record import PlayerId


@with_rows("advice", ["own", *ADVICE])
def test_more_players_than_most_get_more_rounds(advice):
    for players in range(2, 800):
        try:
            now = plan(players, advice=advice, rematches=True)
        except TourneyError:
            assert (advice, players) == ("flesh-and-blood", 737)
            return
        if now.most_players is None:
            assert plan(10**6, advice=advice).advised == now.advised
            return
        assert plan(now.most_players, advice=advice, rematches=True).advised == now.advised
        if now.most_players < 700:
            assert plan(now.most_players + 1, advice=advice).advised == now.advised + 1 or players < 17


@with_rows("players", [2, 8, 9, 57, 226, 227, 409, 410, 5000])
def test_every_table_for_that_many_players_is_named_with_its_source(players):
    tables = {table.name: table for table in published_advice(players, map(shipped, PROFILES))}
    for name in ADVICE:
        row = ADVICE[name].row(players)
        assert (name in tables) is (row is not None)
        if row:
            assert (tables[name].rounds, tables[name].cut) == (row.rounds, row.cut)
            assert ADVICE[name].source in tables[name].source
            assert tables[name].fewest <= players <= (tables[name].most or players)
    assert not tables.keys() - ADVICE.keys()


def test_larger_tables_get_only_schedules_for_such_tables():
    (pods,) = published_advice(20, map(shipped, PROFILES), seats=4)
    assert (pods.name, pods.rounds, pods.cut, pods.fewest, pods.most) == ("pods", 3, 7, 17, 24)
    assert pods.source == shipped("pods").source
    assert not published_advice(65, map(shipped, PROFILES), seats=4)


def test_the_timetable_lasts_as_long_as_announced():
    """Rounds that fit the time available fit the timetable."""
    for length, cut_length, between, rounds, cut in product(
        (1, 50), (40, 75), (0, 10), (0, 1, 6), (0, 2, 8, 12)
    ):
        pace = Pace(round=length, cut_round=cut_length, between=between)
        titles, cut_rounds = [str(number) for number in range(rounds)], cut_titles(cut)
        slots = timetable(titles, cut_rounds, pace).rounds
        assert [slot.title for slot in slots] == [*titles, *cut_rounds]
        ends = [0, *(slot.ends for slot in slots)]
        assert all(slot.begins == end + between for slot, end in zip(slots, ends, strict=False))
        assert pace.lasts(rounds, len(cut_rounds)) == ends[-1] + between
        for available in (0, 30, 300, 420):
            most = pace.most_rounds(available, len(cut_rounds))
            assert pace.lasts(most + 1, len(cut_rounds)) > available
            assert most < 0 or pace.lasts(most, len(cut_rounds)) <= available


def test_a_cut_has_as_many_rounds_as_its_bracket():
    assert [len(cut_titles(cut)) for cut in (0, 1, 2, 3, 4, 5, 8, 9, 16)] == [0, 0, 1, 2, 2, 3, 3, 4, 4]
    assert cut_titles(16, 4, 1) == ["semifinals", "final"]
    assert cut_titles(16, 4, 2) == ["round of 16", "semifinals", "final"]
    assert cut_titles(7, 4, 1) == ["semifinals", "final"]
    assert cut_titles(4, 4, 3) == ["final"]


def test_times_go_past_midnight():
    assert [clock(minutes, 22 * 60) for minutes in (0, 120, 24 * 60 + 120)] == [
        "22:00",
        "00:00 (next day)",
        "00:00 (2 days later)",
    ]
    assert clock(25 * 60) == "25:00"


def test_strengths_are_spread_evenly_around_the_average():
    players = [PlayerId(number) for number in range(1, 58)]
    strengths = spread_strengths(players, 0.7)
    assert math.isclose(Chances(strengths=strengths).win_chance(PlayerId(1), PlayerId(29)), 0.7)
    assert list(strengths.values()) == sorted(strengths.values(), reverse=True)
    assert math.isclose(sum(strengths.values()), 0, abs_tol=1e-9)
    assert spread_strengths(players[:1], 0.7) == {PlayerId(1): 0.0}


def test_the_best_of_four_wins_as_often_as_calculated():
    players = [PlayerId(number) for number in range(1, 5)]
    chances = Chances(strengths=spread_strengths(players, 0.7))
    counts = play(before(4, 2, cut=1), chances, seed="a", runs=range(1000))
    best, *others = players
    exact = 0.0
    for first, (two, three) in zip(
        others, [(others[1], others[2]), (others[0], others[2]), others[:2]], strict=True
    ):
        then = chances.win_chance(two, three)
        exact += (
            chances.win_chance(best, first)
            / 3
            * (then * chances.win_chance(best, two) + (1 - then) * chances.win_chance(best, three))
        )
    (prospect,) = prospects({2: counts}, chances.strengths)
    assert prospect.best_player.low < exact < prospect.best_player.high
    assert (prospect.unbeaten_out.share, prospect.drawn, prospect.rematches) == (0, 0, 0)


def test_among_equals_no_player_is_best():
    counts = play(before(9, 2, cut=2), Chances(draws=1), seed="a", runs=range(5))
    (prospect,) = prospects({2: counts}, {})
    assert (prospect.best_player, prospect.drawn, prospect.unbeaten_out.share) == (None, 1, 1)
