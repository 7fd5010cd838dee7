"""The engine's round is the optimum: against brute force, and against one global matching by other code."""

import random

import pytest

from tests.pairing.fields import dressed, history, options_for
from tests.pairing.judge import as_levels, brute
from tourney.errors import TourneyError
from tourney.pairing import pair


def small_field(number):
    dice = random.Random(f"small field {number}")
    players = dice.randint(2, 8)
    rounds = dice.randint(0, min(players, 8))
    entrants = dressed(dice, history(dice, players, rounds, wild=dice.choice([0.1, 0.5, 1.0])))
    return entrants, options_for(dice, entrants)


def assert_same_as_brute_force(number):
    entrants, options = small_field(number)
    seed = f"seed {number}"
    best = brute(entrants, options, seed)
    if best is None:
        with pytest.raises(TourneyError):
            pair(entrants, options, seed)
        return False
    made = pair(entrants, options, seed)
    assert as_levels(made.cost) == best[0], number
    assert ({frozenset(table.seats) for table in made.tables}, made.bye) == best[1:], number
    return True


def test_every_level_is_that_of_brute_force():
    """Up to 8 players the cost of each level, and the very pairing, are those of the best of all rounds."""
    paired = sum(assert_same_as_brute_force(number) for number in range(600))
    assert paired > 450


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_every_level_is_that_of_brute_force_in_thousands_of_fields():
    """The same over 10,000 histories."""
    paired = sum(assert_same_as_brute_force(number) for number in range(600, 10_600))
    assert paired > 8_000
