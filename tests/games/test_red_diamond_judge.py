"""Red Diamond's arithmetic: scoring, battles, heights."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit import amount, with_rows
from tourney.errors import TourneyError
from tourney.games.red_diamond.judge import (
    Fighter,
    VictoryCard,
    battle,
    best_scoring,
    can_target,
    fewest_to_add,
    least_cards,
    pile,
    reach,
    set_value,
    ways_to_split,
)

PRINTED = [VictoryCard(2, 40), VictoryCard(3, 30), VictoryCard(4, 20)]


def partitions(cards):
    """Yield every way to split a list into groups."""
    if not cards:
        yield []
        return
    first, *rest = cards
    for smaller in partitions(rest):
        yield [[first], *smaller]
        for place, group in enumerate(smaller):
            yield [*smaller[:place], [first, *group], *smaller[place + 1 :]]


@with_rows(
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
    assert best_scoring([VictoryCard(9, 5)]).total == 9


def test_a_card_worth_one_is_better_alone():
    """A factor of one adds nothing to a set and one alone; an empty pile scores nothing."""
    scoring = best_scoring([VictoryCard(1, 40), VictoryCard(4, 40), VictoryCard(5, 40)])
    assert scoring.total == 21
    assert best_scoring([]).total == 0


cards = st.lists(st.builds(VictoryCard, st.integers(0, 6), st.integers(0, 60)), max_size=7)


@settings(max_examples=150, deadline=None)
@given(cards)
def test_the_best_scoring_is_the_best_of_all_partitions(pile):
    """Compared with all partitions; each card is scored exactly once."""
    scoring = best_scoring(pile)
    assert scoring.total == max(sum(map(set_value, groups)) for groups in partitions(pile))
    assert sorted(card for group in scoring.piles for card in group) == sorted(pile)
    assert scoring.total == sum(map(set_value, scoring.piles))


@pytest.mark.slow
def test_too_many_different_cards_are_refused_early(monkeypatch):
    """The work is limited by counted steps; by fewer of them unless with --long."""
    monkeypatch.setattr("tourney.games.red_diamond.judge.MOST_STEPS", amount(30_000, of=1_000_000))
    with pytest.raises(TourneyError, match="different VP cards are too many"):
        best_scoring([VictoryCard(2 + number % 7, 10**9 + number) for number in range(60)])


@pytest.mark.slow
def test_too_many_choices_of_cards_are_refused_early():
    """Twelve cards to choose from, and a goal that needs nearly all of them."""
    pile = [VictoryCard(*card) for card in [(2, 40), (3, 30), (4, 20), (5, 25)]]
    others = [VictoryCard(2 + number % 5, 15 + 5 * number) for number in range(12)]
    goal = best_scoring([*pile, *others]).total
    with pytest.raises(TourneyError, match="too many choices"):
        fewest_to_add(pile, goal, others)
    assert fewest_to_add(pile, goal + 1, others) is None


def test_values_below_zero_are_refused():
    """No printed card has one."""
    with pytest.raises(TourneyError, match=r"^Debt cannot have "):
        VictoryCard(-1, 5, "Debt")


@with_rows(
    ("stats", "destroyed"),
    [((3, 3), True), ((2, 3), False), ((4, 3), True), ((0, 0), True)],
)
def test_an_attack_succeeds_if_atk_is_equal_or_above_def(stats, destroyed):
    """Battle Rules, L224."""
    atk, def_ = stats
    value = battle((Fighter(atk, None), Fighter(None, def_))).value
    assert value == {"target_destroyed": destroyed, "attacker_destroyed": False}


def test_a_pile_is_as_high_as_its_top_and_what_is_below():
    """Card Piles, L266: one for each card below the top card."""
    assert [pile(2, below).value["height"] for below in range(6)] == [2, 3, 4, 5, 6, 7]
    assert pile(2, 2, max_hgt=4).value["height"] == 4


@with_rows(
    ("case", "line"),
    [
        ((2, 6, None), "L78"),
        ((2, 3, 4), "L214"),
        ((2, 6, 9), "L78"),
        ((8, 0, None), "L78"),
        ((2, -1, None), "L266"),
    ],
)
def test_a_pile_over_its_height_is_refused(case, line):
    """No card is added to a pile at its limit, so there is no higher one."""
    top, below, limit = case
    with pytest.raises(TourneyError, match=line):
        pile(top, below, max_hgt=limit)


def test_by_the_other_reading_the_height_stays_at_seven():
    """L78 limits the HGT; a card's own Max. HGT also limits the number of cards (L214)."""
    assert pile(2, 6, over_height="stays at 7").value["height"] == 7
    with pytest.raises(TourneyError, match="L214"):
        pile(2, 3, max_hgt=4, over_height="stays at 7")


@with_rows("number", range(7))
def test_the_ways_to_break_up_a_pile_are_counted(number):
    """Compared with all partitions."""
    assert ways_to_split(number) == sum(1 for _ in partitions(list(range(number))))


few = st.lists(st.builds(VictoryCard, st.integers(0, 5), st.integers(0, 30)), max_size=4)


@settings(max_examples=60, deadline=None)
@given(few, st.integers(1, 15))
def test_the_least_card_that_reaches_the_goal(pile, more):
    """Each listed card just reaches it: with a lower VP or Max it does not."""
    goal = best_scoring(pile).total + more
    least = least_cards(pile, goal, most=100)

    def reaches(vp, max_):
        everything = [*pile, VictoryCard(vp, max_)]
        return max(sum(map(set_value, groups)) for groups in partitions(everything)) >= goal

    for vp in range(0, goal + 1, max(goal // 8, 1)):
        for max_ in range(0, goal + 1, max(goal // 8, 1)):
            assert reaches(vp, max_) == any(vp >= v and max_ >= m for v, m in least), (vp, max_)
    for vp, max_ in least:
        assert reaches(vp, max_)
        assert not (max_ and reaches(vp, max_ - 1))
        assert not reaches(vp - 1, max_)


@settings(max_examples=60, deadline=None)
@given(few, st.integers(1, 60), few)
def test_the_fewest_cards_that_reach_the_goal(pile, goal, others):
    """No smaller choice of the other cards reaches it."""
    chosen = fewest_to_add(pile, goal, others)
    reaching = [
        len(some)
        for number in range(len(others) + 1)
        for some in itertools.combinations(others, number)
        if best_scoring([*pile, *some]).total >= goal
    ]
    assert (None if chosen is None else len(chosen)) == min(reaching, default=None)


@with_rows(
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


# -- against enumerations of the text, written down anew


STATS = [None, 0, 1, 2, 3]


def test_every_battle_of_small_cards():
    """The attacker needs ATK and the target DEF (L222); equal or greater destroys (L224).

    Self-Defense compares the target's ATK with the attacker's DEF at the same time (L205). A blank stat
    is not compared (L54).
    """
    for atk, own, other, dfn, back in itertools.product(STATS, STATS, STATS, STATS, (False, True)):
        cards = (Fighter(atk, own), Fighter(other, dfn))
        if atk is None or dfn is None:
            with pytest.raises(TourneyError, match="L222"):
                battle(cards, self_defense=back)
            continue
        fallen = {"target"} if not atk < dfn else set()
        if back and None not in (other, own) and not other < own:
            fallen.add("attacker")
        assert battle(cards, self_defense=back).value == {
            "target_destroyed": "target" in fallen,
            "attacker_destroyed": "attacker" in fallen,
        }


HEIGHTS = [None, *range(8)]


@with_rows("reading", ["attacks back", "does not reach"])
def test_self_defense_at_every_height(reading):
    """Whether a card attacks back at a much higher one is a reading (L205, L78)."""
    for mine, other in itertools.product(HEIGHTS, HEIGHTS):
        if None not in (mine, other) and other - mine >= 2:
            continue  # the attack itself is out of reach
        cards = (Fighter(3, 2, mine), Fighter(4, 3, other))
        fought = battle(cards, self_defense=True, self_defense_height=reading).value
        below = None not in (mine, other) and mine - other >= 2
        assert fought["target_destroyed"]
        assert fought["attacker_destroyed"] == (not below or reading == "attacks back")


@with_rows("range_reach", ["also that high", "only that high"])
@with_rows("height", ["neither affected nor targeted", "only not targeted"])
def test_every_height_against_every_other(height, range_reach):
    """2 or more higher is out of reach (L78) unless in the Range of the acting card (L213).

    A blank height does not matter (L54). By the other reading, a higher pile only cannot be targeted
    (L266).
    """
    for own, other, range_ in itertools.product(HEIGHTS, HEIGHTS, [None, 0, 3, 7]):
        near = own is None or other is None or other in range(own + 2)
        within = range_ is not None and other is not None and other <= range_
        can = near or within
        if range_reach == "only that high" and range_ is not None and None not in (own, other):
            can = within
        assert can_target(own, other, reach=range_, range_reach=range_reach) == can, (own, other, range_)
        for is_pile, untargeted in itertools.product((False, True), repeat=2):
            value = reach(
                (own, other), range_=range_, pile=is_pile, untargeted=untargeted, height=height,
                range_reach=range_reach,
            ).value  # fmt: skip
            spared = height == "only not targeted" and is_pile and untargeted
            out_of_range = range_reach == "only that high" and range_ is not None and not can
            assert value["reaches"] == (can or (spared and not out_of_range)), (own, other, range_, is_pile)


@with_rows("over", ["refused", "stays at 7"])
def test_every_pile_built_card_by_card(over):
    """Each card below adds 1 (L266) up to 7 (L78) or the top card's Max. HGT (L214).

    By the other reading only the height stops at 7, and cards can still be added.
    """
    for top, limit in itertools.product(range(8), [None, *range(10)]):
        possible, height = set(), top
        for below in range(12):
            if (limit is not None and height > limit) or (over == "refused" and height > 7):
                break
            possible.add(below)
            height += 1
        for below in range(12):
            if below not in possible:
                with pytest.raises(TourneyError, match=r"L78|L214"):
                    pile(top, below, max_hgt=limit, over_height=over)
                continue
            value = pile(top, below, max_hgt=limit, over_height=over).value
            assert value["height"] == min(top + below, 7)
            more = len([value for value in possible if value > below])
            assert value["room"] == (None if over == "stays at 7" and limit is None else more)
