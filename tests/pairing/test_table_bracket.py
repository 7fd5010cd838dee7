"""Brackets with tables of three and more, compared with a second model."""

from collections import Counter
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit import examples, with_rows
from tourney.errors import TourneyError
from tourney.pairing.elimination import (
    BracketOptions,
    FromMatch,
    bracket,
    check,
    cut_sizes,
    possible_cuts,
    refuse_size,
)
from tourney.record import Outcome, Result, Seat, Table

SHAPES = [(3, 1), (4, 1), (4, 2), (6, 1), (6, 2), (6, 3), (5, 1), (3, 2)]


def placed(table, order):
    """Return the table with players placed in this order; players not in it did not show."""
    seats = tuple(
        Seat(player, Outcome.FORFEIT_LOSS, len(order) + 1)
        if player not in order
        else Seat(player, Outcome.LOSS if order.index(player) else Outcome.WIN, order.index(player) + 1)
        for player in table.seats
    )
    return Table(table.number, table.seats, Result(seats))


def tables(now):
    return {label: table.seats for label, table in zip(now.labels, now.tables, strict=True)}


def play(count, shape, order=sorted, left=None):
    """Play a bracket; return its states before each round, and the end.

    order: returns the order of places from the seats
    """
    options = BracketOptions(seats=shape[0], advance=shape[1])
    earlier, stood = [], []
    while True:
        now = bracket(range(1, count + 1), options, earlier=earlier, departures=left)
        stood.append(now)
        if now.is_finished:
            return stood
        earlier.append(
            {
                label: placed(table, order(table.seats))
                for label, table in zip(now.labels, now.tables, strict=True)
            }
        )


def sizes_by_trying(seats, advance, most):
    """Return the possible sizes by checking each number."""

    def works(count):
        while count != seats:
            if count < seats or count % seats:
                return False
            smaller = count // seats * advance
            if smaller >= count:
                return False
            count = smaller
        return True

    return tuple(size for size in range(2, most + 1) if works(size))


@with_rows("seats", range(3, 9))
def test_possible_sizes_lead_to_one_full_table(seats):
    """The closed form agrees with trying every number."""
    for advance in range(1, seats):
        assert cut_sizes(seats, advance, 700) == sizes_by_trying(seats, advance, 700)


def test_impossible_sizes_are_refused_and_the_possible_ones_named():
    """All up to the number of players, or the first ones."""
    with pytest.raises(TourneyError, match="8 players cannot fill a bracket with tables of 3") as refused:
        bracket(range(8), BracketOptions(seats=3))
    assert refused.value.hint == "possible sizes: 3, 9, 27 …"
    with pytest.raises(TourneyError, match="the first 2 advance"):
        refuse_size(12, 4, 2)
    assert possible_cuts(3, 1, 26) == "possible sizes: 3, 9"
    for options in (
        {"double": True},
        {"reseed": True},
        {"third_place": True},
        {"advance": 3},
        {"advance": 0},
    ):
        with pytest.raises(TourneyError):
            bracket(range(9), BracketOptions(seats=3, **options))


def test_nine_at_tables_of_three():
    """1–6–7, 2–5–8, 3–4–9, and the three winners play the final."""
    first, final, end = play(9, (3, 1))
    assert tables(first) == {"Semifinal 1": (1, 6, 7), "Semifinal 2": (2, 5, 8), "Semifinal 3": (3, 4, 9)}
    assert tables(final) == {"Final": (1, 2, 3)}
    assert final.stages[1].matches[0].sources == tuple(
        FromMatch("winner", f"Semifinal {n}") for n in (1, 2, 3)
    )
    assert [(place.player, place.first, place.last) for place in end.places] == [
        (1, 1, 1), (2, 2, 2), (3, 3, 3), (4, 4, 6), (5, 4, 6), (6, 4, 6), (7, 7, 9), (8, 7, 9), (9, 7, 9),
    ]  # fmt: skip


def test_sixteen_at_tables_of_four_from_which_two_advance():
    """The first two of a table are at different tables in the next round."""
    first, second, final, _ = play(16, (4, 2))
    assert tables(first)["Round of 16, table 1"] == (1, 8, 9, 16)
    assert tables(second) == {"Semifinal 1": (1, 4, 6, 7), "Semifinal 2": (2, 3, 5, 8)}
    assert tables(final) == {"Final": (1, 2, 3, 4)}


@with_rows("shape", SHAPES)
def test_brackets_with_larger_tables_are_fair(shape):
    """Tables of the first round have equal sums of seeds; tables of two are the usual bracket."""
    for count in cut_sizes(*shape, 200):
        first = play(count, shape)[0]
        assert sorted(p for seats in tables(first).values() for p in seats) == list(range(1, count + 1))
        sums = {sum(seats) for seats in tables(first).values()}
        assert len(sums) == 1 or shape[0] % 2


@given(st.sampled_from(SHAPES), st.integers(0, 2), st.randoms(use_true_random=False))
@examples(30, of=120)
def test_places_agree_with_a_second_model(shape, rounds, dice):
    """The round reached, then the place at its table."""
    seats, advance = shape
    sizes = cut_sizes(seats, advance, 120)
    count = sizes[min(rounds, len(sizes) - 1)]
    left = {player: dice.randrange(3) for player in range(1, count + 1) if dice.random() < 0.1}

    def order(seated):
        there = [player for player in seated if dice.random() > 0.05]
        dice.shuffle(there)
        return there

    stood = play(count, shape, order, left)
    reached = {}  # player → (rounds survived, minus the place at the last table)
    for number, stage in enumerate(stood[-1].stages):
        for match in stage.matches:
            for player, place in zip(match.seats, match.places or [None] * seats, strict=True):
                if player is not None:
                    reached[player] = (number, -(place or 10**6) if match.round else 0)
            assert len(match.through) <= (advance if number + 1 < len(stood[-1].stages) else 1)
            if match.round:
                ranked = sorted(
                    (place, player)
                    for player, place in zip(match.seats, match.places, strict=True)
                    if player is not None
                )
                assert match.through == tuple(player for _, player in ranked)[: len(match.through)]
    # Everybody is in exactly one table of a round until they are out, and never after it.
    for earlier, later in pairwise(stood[-1].stages):
        through = Counter(player for match in earlier.matches for player in match.through)
        here = Counter(player for match in later.matches for player in match.seats if player is not None)
        assert here <= through
        assert all(left[player] < 3 for player in through - here)
    # The places: better is who went further, then who was placed better; who left before a round is behind
    # all of it.
    end = stood[-1]
    place = {place.player: place.first for place in end.places}
    assert place.keys() == set(range(1, count + 1))
    assert sum(place.first == 1 for place in end.places) >= 1
    if end.champion is not None:
        assert place[end.champion] == 1
    gone = {player for stage in end.stages for match in stage.matches for player in match.through} | {
        player for player in place if player not in reached
    }
    players = [player for player in reached if player not in gone or player == end.champion]
    for one, other in combinations(players, 2):
        if end.champion in (one, other):
            assert place[end.champion] < place[other if one == end.champion else one]
        elif reached[one] != reached[other]:
            assert (place[one] < place[other]) == (reached[one] > reached[other])
        else:
            assert place[one] == place[other]


@with_rows("shape", [(4, 2), (6, 2), (6, 3), (3, 1)])
def test_players_meet_again_as_late_as_possible(shape):
    """If the next round has enough tables, no two players of a table meet in it."""
    for count in cut_sizes(*shape, 250)[1:]:
        stood = play(count, shape)
        for now, then in pairwise(stood):
            if len(then.tables) >= shape[1]:
                met = {pair for table in now.tables for pair in combinations(sorted(table.seats), 2)}
                again = {pair for table in then.tables for pair in combinations(sorted(table.seats), 2)}
                assert not met & again


def test_the_seat_of_a_player_who_leaves_stays_empty():
    """A table at which no player can go out has no match."""
    _, final, end = play(9, (3, 1), left={1: 1})
    assert tables(final) == {"Final": (2, 3)}
    assert [place.player for place in end.places[:3]] == [2, 3, 1]
    first = play(9, (3, 1), left={6: 0, 7: 0})[0]
    assert tables(first) == {"Semifinal 2": (2, 5, 8), "Semifinal 3": (3, 4, 9)}
    assert first.byes == (1,)
    assert play(3, (3, 1), left={2: 0, 3: 0})[0].champion == 1
    alone = play(3, (3, 1), left=dict.fromkeys((1, 2, 3), 0))[0]
    assert (alone.champion, alone.is_finished) == (None, True)


def test_results_that_leave_open_who_advances_are_refused():
    """Shared places, no result, other labels, tables without a match."""
    options = BracketOptions(seats=4, advance=2)
    now = bracket(range(1, 9), options)
    played = {label: placed(table, table.seats) for label, table in zip(now.labels, now.tables, strict=True)}
    shared = Table(
        1,
        now.tables[0].seats,
        Result(
            tuple(
                Seat(player, outcome, place)
                for player, outcome, place in zip(
                    now.tables[0].seats, [Outcome.WIN, *[Outcome.LOSS] * 3], (1, 2, 2, 4), strict=True
                )
            )
        ),
    )
    for wrong, message in (
        ({**played, "Semifinal 1": shared}, "does not decide who advances"),
        ({**played, "Semifinal 1": now.tables[0]}, "has no result yet"),
        ({**played, "Semifinal 3": played["Semifinal 1"]}, "is not a match of this round"),
        ({"Semifinal 1": played["Semifinal 1"]}, "Semifinal 2 has no table, but .* must play it"),
    ):
        with pytest.raises(TourneyError, match=message):
            bracket(range(1, 9), options, earlier=[wrong])
    after = bracket(range(1, 9), options, earlier=[played])
    final = {"Final": placed(after.tables[0], after.tables[0].seats)}
    with pytest.raises(TourneyError, match="was decided after cut round 2"):
        bracket(range(1, 9), options, earlier=[played, final, final])


def test_tables_of_the_organizer_are_checked():
    """Other players at a table are advice; a seat too many or a stranger is an error."""
    now = bracket(range(1, 10), BracketOptions(seats=3))
    due = tables(now)
    assert check(now, due) == []
    swapped = {**due, "Semifinal 1": (1, 5, 7), "Semifinal 2": (2, 6, 8)}
    assert {finding.rule for finding in check(now, swapped)} == {"bracket"}
    assert "table-size" in {finding.rule for finding in check(now, {**due, "Semifinal 1": (1, 6)})}
    assert "not-in-round" in {finding.rule for finding in check(now, {**due, "Semifinal 1": (1, 6, 77)})}
