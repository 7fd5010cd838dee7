"""DimRift's calculators: vehicles, the end of a duel."""

import itertools

import pytest

from tourney.errors import TourneyError
from tourney.games.dimrift.judge import Stats, crew, duel


def test_a_duel_of_small_lives():
    """A player at 0 has lost, both at 0 is a draw (elsewhere: wiki/Winning_Condition)."""
    for one, other in itertools.product(range(-2, 4), repeat=2):
        alive = [name for name, life in (("A", one), ("B", other)) if life >= 1]
        result = duel({"A": one, "B": other}).value["result"]
        assert result == {2: None, 1: alive[0] if alive else "", 0: "draw"}[len(alive)]


def test_every_crew_step_by_step():
    """Crewing costs one movement (L35); attack, life, armor and movement are added (L38)."""
    for attack, movement, moved, own in itertools.product(range(3), range(4), range(4), range(3)):
        cards = (Stats(2, 3, own, own), Stats(attack, 0, 1, movement))
        points = ["point"] * movement
        if not points or len(points[moved:]) < 1:
            with pytest.raises(TourneyError, match="L35"):
                crew(cards, moved=moved)
            continue
        assert crew(cards, moved=moved).value == {
            "attack": 2 + attack,
            "life": 3,
            "armor": own + 1,
            "movement": own + movement,
            "vehicle_movement_left": len(points[moved:][1:]),
        }
