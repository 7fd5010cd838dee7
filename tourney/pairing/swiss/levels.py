"""The levels of a Swiss round: the cost of a table on each level, and the best round.

A *level* is one criterion of a round's cost, such as the number of rematches. The levels are the fields of
`Cost`, in that order; the lowest is the random choice by the seed. A better value on one level outweighs all
levels below it. *Candidates* are the tables that the best round may have. The best round is found by
matchings on the candidates, level by level.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, compress
from math import gcd
from operator import le
from typing import NamedTuple

from tourney.errors import TourneyError
from tourney.pairing.pairing import Cost, Entrant, Mode, Pair, SeedHash, imbalance_of_sides
from tourney.pairing.swiss.field import Field, seats_of
from tourney.pairing.swiss.matching import cheapest_matching
from tourney.record import NOBODY, PlayerId

# -- the cost of candidate tables


Column = Sequence[int]
"""The cost of each candidate table on one level, in the order of the candidates."""
Columns = dict[str, Column]
"""Columns by the name of their level (a field of `Cost`), in the order of the levels."""


class Sides(NamedTuple):
    """The best seating of a table in a game with sides.

    imbalance: the sum over both players of (first sides − second sides)² after this round
    repeats:   how many of the two players would have the same side again
    first:     the player with the first side, or None if both seatings cost the same
    """

    imbalance: int
    repeats: int
    first: PlayerId | None


def columns(field: Field, tables: Sequence[Pair]) -> Columns:
    """Return the cost of each candidate table on levels 3 to 6 of `Cost`.

    Levels that cannot matter in this round are left out.

    tables: the candidates; each pair is in the order of `field.seats_of`
    """
    points = field.points
    values: Columns = {
        "differences": [0 if other == NOBODY else (points[one] - points[other]) ** 2 for one, other in tables]
    }
    if field.options.keeps_apart_now and field.tags:
        values["apart"] = _apart_column(field, tables)
    if field.options.mode is not Mode.RANDOM:
        values["order"] = _order_column(field, tables)
    if field.options.float_repeats and (field.floated_down or field.floated_up):
        values["floats"] = _floats_column(field, tables)
    if field.options.sides:
        seatings = [sides_of(field, one, other) for one, other in tables]
        values["imbalance"] = [seating.imbalance for seating in seatings]
        values["side_repeats"] = [seating.repeats for seating in seatings]
    return values


def _apart_column(field: Field, tables: Iterable[Pair]) -> Column:
    tags = field.tags
    return [len(tags[one] & tags[other]) if one in tags and other in tags else 0 for one, other in tables]


def _floats_column(field: Field, tables: Iterable[Pair]) -> Column:
    points, down, up = field.points, field.floated_down, field.floated_up
    return [
        (one in down) + (other in up) if other != NOBODY and points[one] > points[other] else 0
        for one, other in tables
    ]


def conflict_columns(field: Field, tables: Sequence[Pair]) -> Columns:
    """Return the cost of each table on levels 1 (rematches) and 2 (the bye).

    Level 1 has two columns: whether the table is a rematch, and how often its players have met before.
    """
    conflicts = field.conflicts
    meetings = [field.times_met(one, other) if other in conflicts[one] else 0 for one, other in tables]
    return {
        "rematches": [min(count, 1) for count in meetings],
        "times_met": meetings,
        "bye_earlier": [field.earlier_byes(one) if other == NOBODY else 0 for one, other in tables],
        "bye_points": [field.points[one] if other == NOBODY else 0 for one, other in tables],
    }


def cost_of(field: Field, tables: Sequence[Pair]) -> Cost:
    """Return the cost of a round, including forced tables and the bye (a table with `NOBODY`)."""
    conflicts = field.conflicts
    conflict_tables = [(one, other) for one, other in tables if other == NOBODY or other in conflicts[one]]
    values = {**conflict_columns(field, conflict_tables), **columns(field, tables)}
    return Cost(**{name: sum(column) for name, column in values.items()})


def sides_of(field: Field, one: PlayerId, other: PlayerId) -> Sides:
    """Return the better way to seat two players.

    It has the least imbalance of sides, then the fewest repeated sides. The bye does not change a
    player's sides.
    """
    one_sides = field.entrants[one].sides
    if other == NOBODY:
        return Sides(sum(one_sides) ** 2, 0, one)
    other_sides = field.entrants[other].sides
    seatings = [imbalance_of_sides(one_sides, other_sides), imbalance_of_sides(other_sides, one_sides)]
    if seatings[0] == seatings[1]:
        return Sides(*seatings[0], None)
    return Sides(*min(seatings), one if seatings[0] < seatings[1] else other)


# -- rounds by rating or standings: the distance of a table from the order of the round's mode
#
# In a group of m players (place 0 is the strongest), FOLD pairs places that add up to m - 1, and SLIDE pairs
# places that differ by m / 2. If m is odd, the last player is left over (to float or to have the bye), and m
# is one less. A player who floats down should be the last of the upper group and meet the first of the lower
# one. RANK pairs neighbours in the standings. Each table costs the square of its distance from this order, in
# places. The organizer's tables do not count in the order.


def by_strength(field: Field, players: Sequence[PlayerId]) -> list[PlayerId]:
    """Return players by rank or rating, the strongest first; those without a rating come last.

    Players with equal values are in order of number.
    """
    entrants = field.entrants
    if field.options.mode is Mode.RANK:
        return sorted(players, key=lambda player: (_rank(entrants[player]), player))
    return sorted(players, key=lambda player: (-_rating(entrants[player]), player))


def _rank(entrant: Entrant) -> int:
    assert entrant.rank is not None, "refused by `refuse_contradictions`"
    return entrant.rank


def _rating(entrant: Entrant) -> int:
    return -(2**31) if entrant.rating is None else entrant.rating


def _order_column(field: Field, tables: Sequence[Pair]) -> Column:
    """Return how far each table is from the order in which the round's `Mode` pairs players.

    The distance is a number of places, squared. It is 0 for tables with a player whom the organizer paired.
    """
    distance = _rank_distance(field) if field.options.mode is Mode.RANK else _rating_distance(field)
    forced_players = field.options.forced_players
    return [distance(*table) ** 2 if forced_players.isdisjoint(table) else 0 for table in tables]


def _rank_distance(field: Field) -> Callable[[PlayerId, PlayerId], int]:
    place = {player: number for number, player in enumerate(by_strength(field, field.players_to_order))}
    last = len(place) - 1
    return lambda one, other: place[one] - (last if other == NOBODY else place[other])


def _rating_distance(field: Field) -> Callable[[PlayerId, PlayerId], int]:
    points, is_fold = field.points, field.options.mode is Mode.FOLD
    groups = field.by_points(field.players_to_order)
    size = {points[group[0]]: len(group) for group in groups}
    place = {player: number for group in groups for number, player in enumerate(by_strength(field, group))}

    def distance(one: PlayerId, other: PlayerId) -> int:
        players = size[points[one]]
        if other == NOBODY or points[one] != points[other]:
            return (players - 1 - place[one]) + (0 if other == NOBODY else place[other])
        even = players - players % 2
        if is_fold:
            return place[one] + place[other] - (even - 1)
        return abs(place[one] - place[other]) - even // 2

    return distance


# -- levels packed into one integer, so that one matching decides them in order
#
# **Columns.** A round seats its 2·t vertices (the players and the bye) at exactly t tables. Subtract a
# level's least value from all its values, and divide by the greatest common divisor of the differences.
# Because every round has t tables, this changes every round's total on the level by the same affine map, and
# the order of rounds does not change. The values are then integers from 0 to m.
#
# **Widths.** Let M be the lexicographic optimum, T its total on a level, and b > T the level's base. With
# levels from the top, a table with the values v1, v2, v3 … has the price (…(v1·b2 + v2)·b3 + v3 …). Take a
# round N that is worse than M, and the first level on which they differ. N is worse on it by at least 1,
# which is worth the product W of the bases below. On the levels below, N saves at most the sum of T·(product
# of the bases further below), which is at most the sum of (b − 1)·(…) = W − 1. So N costs more in all, and
# the least total price is the optimum. b = t·m + 1 exceeds every total. If the optimum's own total is known,
# b = T + 1 is enough and needs fewer bits.
#
# **Limit.** rustworkx computes `y_u + y_v - 2w` in signed 128 bits. It is right up to 125-bit weights, and
# panics or returns wrong matchings from 126 bits on. On incomplete graphs its duals `y` can become negative,
# by a factor of the number of tables. With `MOST_BITS` = 112, 2^112 · 4 · 2n < 2^127 for n < 4096.
# `best_round` does not match wider prices.


MOST_BITS = 112
"""The maximum width of a price, in bits.

With wider prices, rustworkx can return wrong matchings (see **Limit** in the comment above).
"""


def normalize_column(column: Column) -> list[int]:
    """Shift and divide the values of a column so that they are as small as possible.

    The least value becomes 0.

    >>> normalize_column([13, 5, 9, 5])
    [2, 0, 1, 0]
    """
    least = min(column, default=0)
    step = gcd(*(value - least for value in set(column))) or 1
    return [(value - least) // step for value in column] if least or step > 1 else list(column)


def pack(columns: Sequence[Column], tables: int, totals: Sequence[int] = ()) -> list[int]:
    """Return a price for each candidate table: one number that combines its costs on all levels.

    A level is one criterion, such as rematches. The round with the lowest sum of prices has the lowest total
    cost on the first level. Among rounds that are equal on the first level, it has the lowest on the second,
    and so on.

    columns: for each level, the first level first, the costs of all candidates, as `normalize_column`
             returns them
    tables:  the number of tables in a round
    totals:  the best round's total cost on each of the first levels, as far as known. With these, the prices
             are smaller

    >>> pack([[0, 1, 1], [5, 0, 0]], tables=2)
    [5, 11, 11]
    >>> pack([[0, 1, 1], [5, 0, 0]], tables=2, totals=[1, 5])
    [5, 6, 6]
    """
    prices: list[int] = []
    for level, column in enumerate(columns):
        base = 1 + (totals[level] if level < len(totals) else tables * max(column, default=0))
        prices = (
            [price * base + value for price, value in zip(prices, column, strict=True)]
            if prices
            else list(column)
        )
    return prices


def width(prices: Sequence[int]) -> int:
    """Return the number of bits of the largest price."""
    return max(prices, default=0).bit_length()


# -- the best round on given candidates: one matching if the levels fit into one price, otherwise several
#
# If the price of all levels has too many bits, the first levels, which fit, are decided first. Then the best
# round's totals on them are known. So these levels need far fewer bits (`pack`), and tables that alone cost
# more than a total are removed. Then the next levels fit as well.


def best_round(
    vertices: Sequence[PlayerId], tables: Sequence[Pair], levels: Iterable[Column]
) -> list[Pair] | None:
    """Return the complete round that is best on the first level, then the second, and so on.

    Return None if the candidates make no complete round.

    vertices: the players to seat, including the bye
    tables:   the candidates
    levels:   the candidates' costs on each level, from the top

    Raises TourneyError if the costs of a single level need too many bits for an exact matching.
    """
    columns = [normalize_column(column) for column in levels]
    totals: list[int] = []
    while True:
        count, prices = _widest_that_fits(columns, len(vertices) // 2, totals)
        pairs = cheapest_matching(vertices, tables, prices)
        if pairs is None or count == len(columns):
            return pairs
        totals = _totals(columns[:count], tables, pairs)
        keep = [all(map(le, values, totals)) for values in zip(*columns[:count], strict=True)]
        tables = list(compress(tables, keep))
        columns = [list(compress(column, keep)) for column in columns]


def _widest_that_fits(columns: Sequence[Column], tables: int, totals: Sequence[int]) -> tuple[int, list[int]]:
    """Return how many levels, from the top, fit into one price, and each candidate's price.

    The price of a candidate table is one number of at most `MOST_BITS` bits. It combines the costs of the
    table on these levels.

    columns: the cost of each candidate table, for each level
    tables:  the number of tables in a round
    totals:  the best round's totals on the levels that are already decided

    Raises TourneyError if the decided levels and one more level do not fit.
    """
    for count in range(len(columns), len(totals), -1):
        prices = pack(columns[:count], tables, totals)
        if width(prices) <= MOST_BITS:
            return count, prices
    raise TourneyError(
        f"this round needs prices of {width(prices)} bits; at most {MOST_BITS} can be matched exactly",
        "the reason is points that differ by millions; use a profile with smaller points",
    )


def _totals(columns: Sequence[Column], tables: Sequence[Pair], round_tables: Sequence[Pair]) -> list[int]:
    chosen_tables = set(round_tables)
    places = [place for place, table in enumerate(tables) if table in chosen_tables]
    return [sum(column[place] for place in places) for column in columns]


# -- small or saturated fields: every allowed table is a candidate


def solve_whole(field: Field, seed_hash: SeedHash) -> list[Pair] | None:
    """Return the free players' best tables, or None if forbidden pairs leave no complete round.

    The function tries all O(n²) tables, so it is only used if a conflict is unavoidable, or if there are very
    few players.
    """
    tables = candidates(field)
    values = {**conflict_columns(field, tables), **columns(field, tables)}
    return best_round(vertices(field), tables, [*values.values(), seed_hash.of_pairs(tables)])


def vertices(field: Field) -> list[PlayerId]:
    """Return the players who are not in a forced pair, most points first.

    If their number is odd, the bye (`NOBODY`) is added at the end.
    """
    players = [player for group in field.groups for player in group]
    return [*players, NOBODY] if field.is_odd else players


def candidates(field: Field) -> list[Pair]:
    """Return every pair of players whom the organizer allows to meet, and every possible bye.

    Players in a forced pair are left out. Players who have met before count as allowed to meet.
    """
    players = [player for group in field.groups for player in group]
    tables = [seats_of(field, pair) for pair in combinations(players, 2) if field.is_allowed(*pair)]
    return tables + [(player, NOBODY) for player in field.bye_takers]
