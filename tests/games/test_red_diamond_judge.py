"""Red Diamond's arithmetic: scoring, battles, heights."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tourney.errors import TourneyError
from tourney.games.red_diamond.judge import (
    AttackResult,
    VictoryCard,
    battle,
    best_scoring,
    can_reach,
    can_target,
    pile_height,
    set_value,
    turns_until_open,
)

PRINTED = [VictoryCard(2, 40), VictoryCard(3, 30), VictoryCard(4, 20)]


def partitions(cards):
    """Every way to break a list into groups, by brute force."""
    if not cards:
        yield []
        return
    first, *rest = cards
    for smaller in partitions(rest):
        yield [[first], *smaller]
        for place, group in enumerate(smaller):
            yield [*smaller[:place], [first, *group], *smaller[place + 1 :]]


@pytest.mark.parametrize(
    ("piles", "total"),
    [
        ([[0, 1, 2]], 20),
        ([[0], [1, 2]], 14),
        ([[1], [0, 2]], 11),
        ([[0, 1], [2]], 10),
        ([[0], [1], [2]], 9),
    ],
)
def test_each_partition_of_the_printed_example_scores_what_it_should(piles, total):
    """VP 2, 3, 4 with Max 40, 30, 20 (Scoring, L240-243), broken up in all five ways."""
    assert sum(set_value([PRINTED[card] for card in pile]) for pile in piles) == total


def test_the_best_scoring_of_the_printed_example_is_the_printed_one():
    """All three together: 24, limited to 20."""
    scoring = best_scoring(PRINTED)
    assert (scoring.total, len(scoring.piles)) == (20, 1)


def test_a_single_card_is_worth_its_value_whatever_its_max():
    """Max limits sets of two or more."""
    assert set_value([VictoryCard(9, 5)]) == 9
    assert best_scoring([VictoryCard(9, 5)]).values == (9,)


def test_a_card_worth_one_is_better_alone():
    """A factor of one adds nothing to a set and one alone; an empty pile scores nothing."""
    scoring = best_scoring([VictoryCard(1, 40), VictoryCard(4, 40), VictoryCard(5, 40)])
    assert scoring.total == 21
    assert best_scoring([]).total == 0


cards = st.lists(st.builds(VictoryCard, st.integers(0, 6), st.integers(0, 60)), max_size=7)


@settings(max_examples=150, deadline=None)
@given(cards)
def test_the_best_scoring_is_the_best_of_all_partitions(pile):
    """Against every partition, tried one by one; and each card is scored exactly once."""
    scoring = best_scoring(pile)
    assert scoring.total == max(sum(map(set_value, groups)) for groups in partitions(pile))
    assert sorted(card for group in scoring.piles for card in group) == sorted(pile)
    assert scoring.values == tuple(set_value(group) for group in scoring.piles)


@pytest.mark.slow
def test_too_many_different_cards_are_refused_not_waited_for():
    """Work is bounded by counted steps."""
    with pytest.raises(TourneyError, match="different VP cards are too many"):
        best_scoring([VictoryCard(2 + number % 7, 10**9 + number) for number in range(60)])


def test_a_deck_that_cannot_reach_the_goal_is_known_beforehand():
    """The best scoring of all VP cards against the goal."""
    assert can_reach(20, PRINTED)
    assert not can_reach(21, PRINTED)


def test_values_below_zero_are_refused():
    """No card is printed so."""
    with pytest.raises(TourneyError, match=r"^Debt: "):
        VictoryCard(-1, 5, "Debt")


@pytest.mark.parametrize(
    ("stats", "destroyed"),
    [((3, 3), True), ((2, 3), False), ((4, 3), True), ((0, 0), True)],
)
def test_an_attack_succeeds_if_atk_is_equal_or_above_def(stats, destroyed):
    """Battle Rules, L224."""
    assert battle(*stats) == AttackResult(destroyed)


def test_self_defense_compares_both_at_once():
    """Both may fall (L205); a defender without ATK, or an attacker without DEF, strikes or falls not."""
    assert battle(3, 3, self_defense=True, target_atk=2, attacker_dfn=2) == AttackResult(True, True)
    assert battle(3, 3, self_defense=True, target_atk=1, attacker_dfn=2) == AttackResult(True, False)
    assert battle(3, 3, self_defense=True, target_atk=None, attacker_dfn=2) == AttackResult(True, False)
    assert battle(3, 3, target_atk=9, attacker_dfn=1) == AttackResult(True, False)


@pytest.mark.parametrize("stats", [(None, 3), (3, None)])
def test_a_blank_stat_forbids_the_attack(stats):
    """Without ATK nothing attacks, without DEF nothing is attacked (L222)."""
    with pytest.raises(TourneyError, match="L222"):
        battle(*stats)


def test_a_pile_is_as_high_as_its_top_and_what_is_below_up_to_seven():
    """Card Piles, L266; Max. HGT, L214; never above 7, L78."""
    assert [pile_height(2, below) for below in (0, 3, 5, 9)] == [2, 5, 7, 7]
    assert pile_height(2, 5, limit=4) == 4
    assert pile_height(2, 9, limit=9) == 7


@pytest.mark.parametrize(
    ("own", "other", "reach", "can"),
    [
        (1, 2, None, True),
        (1, 3, None, False),
        (5, 1, None, True),
        (1, 5, 5, True),
        (1, 6, 5, False),
        (None, 7, None, True),
        (1, None, None, True),
    ],
)
def test_two_higher_is_out_of_reach_unless_in_range(own, other, reach, can):
    """HGT, L78; Range, L213."""
    assert can_target(own, other, reach=reach) is can


def test_a_discarded_card_is_back_at_the_third_turn():
    """Recycle Pile, L117-121; there are three piles."""
    assert turns_until_open(1) == 3
    with pytest.raises(TourneyError, match="no Recycle Pile 4"):
        turns_until_open(4)
