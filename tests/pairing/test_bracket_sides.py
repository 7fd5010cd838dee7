"""The sides of a match in a bracket."""

import random

from tests.kit import with_rows
from tourney.pairing import Names
from tourney.pairing.elimination import BracketOptions, bracket, first_side, seat_by_sides
from tourney.pairing.elimination.why import why_first_side
from tourney.record import Outcome, Result, Seat, Table


@with_rows(
    ("higher", "lower", "expected"),
    [
        ((), (), (1, "seed")),
        ((1,), (), (2, "balance")),
        ((-1, -1), (1,), (1, "balance")),
        ((1, -1), (-1, 1), (1, "turns")),
        ((-1, 1), (1, -1), (2, "turns")),
        ((-1, 1), (-1, 1), (1, "seed")),
        ((-1, 1), (), (2, "turns")),
    ],
)
def test_the_first_side_goes_by_balance_then_change_then_seed(higher, lower, expected):
    assert first_side(1, 2, {1: higher, 2: lower}.__getitem__) == expected


@with_rows(
    ("higher", "lower", "text"),
    [
        ((1, 1), (1, -1),
         "Ben is Red to keep the sides even: before, Ben was Red 1 time and Blue 1 time, Ada "
         "Red 2 times and Blue 0 times"),
        ((1, -1), (-1, 1), "Ada is Red to change sides: in the match before, Ada was Blue and Ben was Red"),
        ((-1, 1), (), "Ben is Red to change sides: in the match before, Ada was Red"),
        ((), (), "Ada is Red as the higher seed: the sides in earlier matches do not decide"),
    ],
)  # fmt: skip
def test_the_reason_names_the_sides_before(higher, lower, text):
    names = Names({1: "Ada", 2: "Ben"}.__getitem__)
    fact = why_first_side(1, 2, {1: higher, 2: lower}.__getitem__, ("Red", "Blue"), names=names)
    assert fact.reason.text == text


@with_rows("seed", range(20))
def test_no_match_of_a_double_bracket_would_be_more_even_the_other_way_round(seed):
    dice, options, players = random.Random(seed), BracketOptions(double=True), tuple(range(1, 9))
    sides = {player: [] for player in players}
    earlier, now = [], bracket(players, options)
    while not now.is_finished:
        played = {}
        for label, table in zip(now.labels, seat_by_sides(now.tables, sides.__getitem__), strict=True):
            first, second = table.seats
            kept, turned = (
                (sum(sides[one]) + 1) ** 2 + (sum(sides[other]) - 1) ** 2
                for one, other in ((first, second), (second, first))
            )
            assert kept <= turned
            sides[first].append(1)
            sides[second].append(-1)
            winner = dice.choice(table.seats)
            seats = tuple(
                Seat(player, Outcome.WIN if player == winner else Outcome.LOSS, 1 + (player != winner))
                for player in table.seats
            )
            played[label] = Table(table.number, table.seats, Result(seats))
        earlier.append(played)
        now = bracket(players, options, earlier=earlier)
