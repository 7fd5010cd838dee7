"""DimRift's arithmetic: vehicles, the end of a duel."""

import itertools

import pytest

from tourney.errors import TourneyError
from tourney.games.dimrift.judge import GAME, Stats, duel_result
from tourney.games.questions import Thing


def test_a_crewed_vehicle_adds_its_stats():
    """Attack, life, armor and movement are combined (L38); a vehicle moves (L35)."""
    assert Stats(2, 3, 0, 1).crewing(Stats(1, 0, 2, 2)) == Stats(3, 3, 2, 3)
    with pytest.raises(TourneyError, match="movement"):
        Stats(2, 3).crewing(Stats(1, 1))


def test_both_at_zero_is_a_draw():
    """Nobody, one, or both: the duel goes on, is won, is drawn."""
    assert duel_result({"a": 3, "b": 1}) is None
    assert duel_result({"a": 3, "b": 0}) == ("a",)
    assert duel_result({"a": 0, "b": -2}) == ("a", "b")


# -- against enumerations of the text, written down anew


def answer(name, **typed):
    question = next(each for each in GAME.questions if each.name == name)
    return question.answer(**typed)


def test_every_duel_of_small_lives():
    """Who is at 0 has lost, both at 0 is a draw (elsewhere: wiki/Winning_Condition)."""
    for one, other in itertools.product(range(-2, 4), repeat=2):
        alive = {name for name, life in (("A", one), ("B", other)) if life >= 1}
        found = duel_result({"A": one, "B": other})
        assert found == {2: None, 1: tuple(alive), 0: ("A", "B")}[len(alive)]


def test_every_crew_step_by_step():
    """One movement point for crewing (L35), out of a movement above 0; attack, life, armor and movement are combined (L38)."""
    for attack, movement, moved, own in itertools.product(range(3), range(4), range(4), range(3)):
        cards = (Thing("", (2, 3, own, own)), Thing("", (attack, 0, 1, movement)))
        points = ["point"] * movement
        if not points or len(points[moved:]) < 1:
            with pytest.raises(TourneyError, match="L35"):
                answer("crew", cards=cards, moved=moved)
            continue
        value = answer("crew", cards=cards, moved=moved).value
        assert value == {
            "attack": 2 + attack, "life": 3, "armor": own + 1, "movement": own + movement,
            "vehicle_movement_left": len(points[moved:][1:]),
        }  # fmt: skip
