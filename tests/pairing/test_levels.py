"""Levels packed into one number: wide enough, and decided in stages if too wide."""

import random
from itertools import combinations

import pytest

from tests.pairing.judge import matchings
from tourney.errors import TourneyError
from tourney.pairing import Entrant, Mode, Options, pair
from tourney.pairing.swiss import levels, matching
from tourney.pairing.swiss.levels import MOST_BITS, normalize_column, pack, width

GREATEST = [1, 2, 3, 10, 2**16, 2**32 - 1]


def field(dice, vertices, greatest):
    """Return random columns with the given greatest values over all pairs of vertices."""
    edges = list(combinations(range(vertices), 2))
    columns = [[dice.choice([0, dice.randint(0, most), most]) for _ in edges] for most in greatest]
    return edges, columns


def totals(edges, columns, made):
    places = [edges.index(tuple(sorted(pair))) for pair in made]
    return tuple(sum(column[place] for place in places) for column in columns)


def test_the_least_price_is_the_lexicographic_optimum():
    """On random and extreme levels, the least packed price is the best level by level."""
    for number in range(200):
        dice = random.Random(f"digits {number}")
        vertices = dice.choice([2, 4, 6])
        edges, columns = field(dice, vertices, dice.choices(GREATEST, k=dice.randint(1, 5)))
        best = min(totals(edges, columns, made) for made in matchings(list(range(vertices))))
        prices = pack([normalize_column(column) for column in columns], vertices // 2)
        cheapest = min(matchings(list(range(vertices))), key=lambda made: totals(edges, [prices], made))
        assert totals(edges, columns, cheapest) == best


def test_a_level_below_never_outweighs_the_one_above():
    """All tables at the greatest value of every lower level cost less than one unit above."""
    for tables in (1, 2, 30, 300):
        for greatest in GREATEST:
            low, high = pack([[0, 1], [greatest, 0], [greatest, 0]], tables)
            assert tables * low < high


def test_known_totals_make_narrower_digits_and_keep_the_optimum():
    """The cheapest round is still the best one."""
    for number in range(200):
        dice = random.Random(f"known {number}")
        vertices = dice.choice([4, 6])
        edges, columns = field(dice, vertices, dice.choices(GREATEST, k=3))
        columns = [normalize_column(column) for column in columns]
        every = list(matchings(list(range(vertices))))
        best = min(totals(edges, columns, made) for made in every)
        fixed_levels = dice.randint(1, 3)
        prices = pack(columns, vertices // 2, best[:fixed_levels])
        cheapest = min(every, key=lambda made: totals(edges, [prices], made))
        assert totals(edges, columns, cheapest) == best
        assert width(prices) <= width(pack(columns, vertices // 2)), "never wider"


def test_shifting_and_dividing_keeps_the_order_of_rounds():
    """`normalize_column` changes every round's total by the same affine map."""
    dice = random.Random("normal")
    for _ in range(100):
        column = [dice.choice([7, 7 + 12, 7 + 36, 7 + 6]) for _ in range(15)]
        edges = list(combinations(range(6), 2))
        rounds = sorted(matchings(list(range(6))), key=lambda made: totals(edges, [column], made))
        small = [totals(edges, [normalize_column(column)], made) for made in rounds]
        assert small == sorted(small)
    assert normalize_column([]) == []
    assert normalize_column([5, 5]) == [0, 0]


def test_too_wide_prices_are_decided_in_stages():
    """Levels that need hundreds of bits together still give the lexicographic optimum."""
    for number in range(40):
        dice = random.Random(f"wide {number}")
        vertices = 8
        edges, columns = field(dice, vertices, [2**60, 2**50, 3, 2**70, 2**32])
        columns[:4] = [[dice.choice([0, 0, value]) for value in column] for column in columns[:4]]
        assert width(pack([normalize_column(column) for column in columns], 3)) > MOST_BITS
        best = min(totals(edges, columns, made) for made in matchings(list(range(vertices))))
        made = levels.best_round(list(range(vertices)), edges, columns)
        assert totals(edges, columns, made) == best


def test_a_single_level_that_is_too_wide_is_refused():
    """The matching library never gets more than 112 bits."""
    with pytest.raises(TourneyError, match="needs prices of 120 bits; at most 112 can be matched exactly"):
        levels.best_round([1, 2, 3, 4], [(1, 2), (3, 4), (1, 3), (2, 4)], [[0, 2**119, 0, 1]])


def test_the_matching_is_right_up_to_the_limit():
    """With costs of 112 bits, the library's round is as cheap as the one that brute force finds."""
    for number in range(60):
        dice = random.Random(f"limit {number}")
        vertices = dice.choice([4, 6, 8])
        edges = [
            combination
            for combination in combinations(range(vertices), 2)
            if dice.random() < dice.choice([0.5, 1])
        ]
        prices = [dice.choice([0, 1, 2**MOST_BITS - 1, dice.getrandbits(MOST_BITS)]) for _ in edges]
        price = dict(zip(edges, prices, strict=True))
        costs = [
            sum(price[pair] for pair in made)
            for made in matchings(list(range(vertices)))
            if all(pair in price for pair in made)
        ]
        made = matching.cheapest_matching(list(range(vertices)), edges, prices)
        assert (made is None) == (not costs)
        if made is not None:
            assert sum(price[pair] for pair in made) == min(costs)


def test_wild_points_and_every_level_at_once_are_paired():
    """300 players on points up to a thousand, with all levels on."""
    dice = random.Random("wild points")
    entrants = [
        Entrant(id=number, points=dice.randrange(0, 2000, 7), rating=dice.randint(0, 3000),
                tags=(f"club:{number % 5}",), floats=(dice.choice([-1, 0, 1]),),
                sides=tuple(dice.choices([1, -1], k=9)))
        for number in range(1, 301)
    ]  # fmt: skip
    made = pair(entrants, Options(mode=Mode.FOLD, sides=True), "s")
    assert made.exact_levels == 7
    assert sorted(player for table in made.tables for player in table.seats) == list(range(1, 301))
