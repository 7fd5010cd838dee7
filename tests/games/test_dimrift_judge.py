"""DimRift's arithmetic: rifts, vehicles, the end of a duel."""

import pytest

from tourney.errors import TourneyError
from tourney.games.dimrift.judge import Stats, duel_result, rift_cost


@pytest.mark.parametrize(
    ("opened", "summoned", "life"), [(3, 1, 6), (3, 3, 0), (1, 0, 3), (0, 0, 0), (3, 0, 9)]
)
def test_each_missing_rank_costs_three_life(opened, summoned, life):
    """The page's example: opened 3, best summoned 1: 6 life."""
    assert rift_cost(opened, summoned) == life


@pytest.mark.parametrize(("opened", "summoned"), [(4, 1), (2, -1), (1, 2)])
def test_ranks_that_cannot_be_are_refused(opened, summoned):
    """Ranks go from 0 to 3, and nothing comes through a smaller rift."""
    with pytest.raises(TourneyError, match="rank"):
        rift_cost(opened, summoned)


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
