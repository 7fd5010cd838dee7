"""Round robins: all players meet, sides are even, and the tables are the published ones."""

from collections import Counter
from itertools import combinations, pairwise

import pytest

from tests.kit import with_rows
from tourney.errors import Severity, TourneyError
from tourney.pairing import schedule
from tourney.record import Table

SIZES = [2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 16, 21, 30]


def players(count):
    return tuple(range(1, count + 1))


def sides(plan):
    return Counter(pair[0] for pairs in plan.rounds for pair in pairs), Counter(
        pair[1] for pairs in plan.rounds for pair in pairs
    )


def side_streaks(plan):
    """Count how often a player has the same side in two consecutive games."""
    sides = {player: [] for player in plan.players}
    for pairs in plan.rounds:
        for first, second in pairs:
            sides[first].append(1)
            sides[second].append(-1)
    return sum(one == other for side in sides.values() for one, other in pairwise(side))


@with_rows("count", SIZES)
@with_rows("double", [False, True])
def test_all_players_meet_and_rest_equally_often(count, double):
    """Once, or twice with each side first."""
    plan = schedule(players(count), double=double)
    times = 2 if double else 1
    assert len(plan.rounds) == times * (count - 1 + count % 2)
    met = Counter(frozenset(pair) for pairs in plan.rounds for pair in pairs)
    assert met == dict.fromkeys(map(frozenset, combinations(players(count), 2)), times)
    assert max(Counter(pair for pairs in plan.rounds for pair in pairs).values()) == 1
    rests = Counter(rest for rest in plan.rests if rest is not None)
    assert rests == (dict.fromkeys(players(count), times) if count % 2 else {})
    for pairs, rest in zip(plan.rounds, plan.rests, strict=True):
        seated = [player for pair in pairs for player in pair]
        assert sorted([*seated, *([rest] if rest else [])]) == list(players(count))


@with_rows("count", SIZES)
def test_sides_are_even_with_the_fewest_repeats(count):
    """First and second sides differ by at most one; n - 2 repeats are the fewest possible."""
    plan = schedule(players(count))
    first, second = sides(plan)
    assert {abs(first[p] - second[p]) for p in players(count)} == ({0} if count % 2 else {1})
    assert side_streaks(plan) == (0 if count % 2 else count - 2)


@with_rows("count", SIZES)
def test_a_double_schedule_changes_every_side_with_few_repeats(count):
    """Both sides equally often, no side three times in a row."""
    plan = schedule(players(count), double=True)
    first, second = sides(plan)
    assert all(first[p] == second[p] for p in players(count))
    assert side_streaks(plan) <= (1 if count % 2 else max(0, 2 * count - 2))
    running = dict.fromkeys(players(count), "")
    for pairs in plan.rounds:
        for one, other in pairs:
            running[one] += "w"
            running[other] += "b"
    assert not any("www" in side_row or "bbb" in side_row for side_row in running.values())
    if count > 2:
        for one, other in zip(plan.rounds, plan.rounds[1:], strict=False):
            assert not set(map(frozenset, one)) & set(map(frozenset, other))


def test_the_published_tables_for_six_and_eight():
    """Rounds, sides and order agree with the FIDE Handbook's Berger tables."""
    six = ["1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"]
    eight = [
        "1-8 2-7 3-6 4-5", "8-5 6-4 7-3 1-2", "2-8 3-1 4-7 5-6", "8-6 7-5 1-4 2-3", "3-8 4-2 5-1 6-7",
        "8-7 1-6 2-5 3-4",
        "4-8 5-3 6-2 7-1",
    ]  # fmt: skip
    for count, table in ((6, six), (8, eight)):
        plan = schedule(players(count))
        assert [" ".join(f"{a}-{b}" for a, b in pairs) for pairs in plan.rounds] == table


def test_numbers_are_drawn_by_the_seed():
    """A seed draws the numbers; the same seed gives the same schedule, another one another."""
    assert schedule(players(8), seed="a") == schedule(players(8), seed="a")
    assert schedule(players(8), seed="a").players != schedule(players(8), seed="b").players
    assert sorted(schedule(players(8), seed="a").players) == list(players(8))


def test_the_opponent_of_a_player_who_left_rests():
    """Tables are numbered without a gap."""
    plan = schedule(players(6))
    round_ = plan.round(2, absent_players={5}, first_table=10)
    assert [(t.number, t.seats) for t in round_.tables] == [(10, (6, 4)), (11, (1, 2))]
    assert round_.byes == (3,)
    assert plan.round(1, absent_players=set(players(6))).tables == ()


@with_rows("number", [0, 6, -1])
def test_rounds_out_of_range_are_refused(number):
    """The message gives the range."""
    with pytest.raises(TourneyError, match=f"6 players has rounds 1 to 5, not {number}"):
        schedule(players(6)).round(number)


@with_rows(
    ("field", "message"),
    [((), "at least two players, not 0"), ((4,), "not 1"), ((4, 2, 4), "#4 is entered twice")],
)
def test_impossible_fields_are_refused(field, message):
    """No players, one player, and a player named twice."""
    with pytest.raises(TourneyError, match=message):
        schedule(field)


def test_check_distinguishes_wrong_opponents_from_changed_sides():
    """Changed sides are advice, wrong opponents an error."""
    plan = schedule(players(5))
    (one, *others), rest = plan.rounds[0], plan.rests[0]
    assert plan.check(1, [Table(1, one), *(Table(2, pair) for pair in others)]) == []
    turned, wrong, resting = plan.check(
        1, [Table(1, one[::-1]), Table(2, (one[0], others[0][0])), Table(3, (rest, one[1]))]
    )
    assert (turned.rule, turned.severity) == ("sides", Severity.ADVICE)
    assert (wrong.rule, wrong.severity) == ("schedule", Severity.ERROR)
    assert resting.message == f"round 1, table 3: #{rest} – #{one[1]}; by the schedule #{rest} rests"
