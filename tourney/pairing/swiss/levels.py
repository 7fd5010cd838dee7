"""The levels of a Swiss round: what each candidate table costs on each of them, and the round that is best level by level."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, compress
from math import gcd
from operator import le
from typing import NamedTuple

from tourney.errors import TourneyError
from tourney.pairing.pairing import Cost, Entrant, Mode, Pair, SeedHash
from tourney.pairing.swiss.field import Field, seats_of
from tourney.pairing.swiss.matching import cheapest
from tourney.record import NOBODY, PlayerId

# -- What each candidate table costs


Column = Sequence[int]
"""One level's value for each candidate table, in the order of the candidates."""
Columns = dict[str, Column]
"""Values by the name of the level (the fields of `Cost`), in the order in which the levels rank."""


class Sides(NamedTuple):
    """How a table would be seated in a game with sides.

    imbalance: (first sides − second sides)² of both players afterwards, added up
    repeats:   how many of the two would have the same side again
    first:     who gets the first side, or None if both ways cost the same
    """

    imbalance: int
    repeats: int
    first: PlayerId | None


def columns(field: Field, tables: Sequence[Pair]) -> Columns:
    """Return levels 3 to 6 of each candidate table; levels that cannot matter in this field are left out.

    Each table has more points first and the bye last (`field.seats_of`).
    """
    points = field.points
    values: Columns = {
        "differences": [0 if other == NOBODY else (points[one] - points[other]) ** 2 for one, other in tables]
    }
    if field.options.keeps_apart_now and field.tags:
        values["apart"] = _apart(field, tables)
    if field.options.mode is not Mode.RANDOM:
        values["order"] = _order_column(field, tables)
    if field.options.float_repeats and (field.floated_down or field.floated_up):
        values["floats"] = _floats(field, tables)
    if field.options.sides:
        seatings = [sides_of(field, one, other) for one, other in tables]
        values["imbalance"] = [seating.imbalance for seating in seatings]
        values["side_repeats"] = [seating.repeats for seating in seatings]
    return values


def _apart(field: Field, tables: Iterable[Pair]) -> Column:
    tags = field.tags
    return [len(tags[one] & tags[other]) if one in tags and other in tags else 0 for one, other in tables]


def _floats(field: Field, tables: Iterable[Pair]) -> Column:
    points, down, up = field.points, field.floated_down, field.floated_up
    return [
        (one in down) + (other in up) if other != NOBODY and points[one] > points[other] else 0
        for one, other in tables
    ]


def conflict_columns(field: Field, tables: Sequence[Pair]) -> Columns:
    """Return levels 1 and 2 of each candidate table."""
    barred = field.barred
    times = [field.times_met(one, other) if other in barred[one] else 0 for one, other in tables]
    return {
        "rematches": [min(each, 1) for each in times],
        "times_met": times,
        "bye_earlier": [field.earlier_byes(one) if other == NOBODY else 0 for one, other in tables],
        "bye_points": [field.points[one] if other == NOBODY else 0 for one, other in tables],
    }


def cost_of(field: Field, tables: Sequence[Pair]) -> Cost:
    """Return what a whole round costs, forced tables and the bye (a table with `NOBODY`) included."""
    barred = field.barred
    conflicts = [(one, other) for one, other in tables if other == NOBODY or other in barred[one]]
    values = {**conflict_columns(field, conflicts), **columns(field, tables)}
    return Cost(**{name: sum(column) for name, column in values.items()})


def sides_of(field: Field, one: PlayerId, other: PlayerId) -> Sides:
    """Return the better way to seat two players: least imbalance, then fewest repeats. The bye keeps its player's."""
    mine = field.entrants[one].sides
    if other == NOBODY:
        return Sides(sum(mine) ** 2, 0, one)
    theirs = field.entrants[other].sides
    ways = [_seating(mine, theirs), _seating(theirs, mine)]
    if ways[0] == ways[1]:
        return Sides(*ways[0], None)
    return Sides(*min(ways), one if ways[0] < ways[1] else other)


def _seating(first: Sequence[int], second: Sequence[int]) -> tuple[int, int]:
    imbalance = (sum(first) + 1) ** 2 + (sum(second) - 1) ** 2
    return imbalance, (first[-1:] == (1,)) + (second[-1:] == (-1,))


def shared_tags(field: Field, one: PlayerId, other: PlayerId) -> set[str]:
    """Return the groups two players share and should be kept apart by."""
    return set(field.tags.get(one, ())) & set(field.tags.get(other, ()))


# -- Rounds by rating or by standings: how far a table is from the place the round's mode would give it
#
# Inside a group of m players (0 is the strongest) FOLD wants places that add up to m - 1, SLIDE places that differ by m / 2;
# where the group is odd its last player is left over (to float or to have the bye), and m is one less. A player who floats
# down should be the last of the upper group and meet the first of the lower one. RANK wants neighbours of the standings.
# Each table costs the square of the distance from that, in places. The organizer's tables are left out of the order.


def by_strength(field: Field, players: Sequence[PlayerId]) -> list[PlayerId]:
    """Return players by the mode's measure, the strongest first: rank, or rating with unrated last; ties by number."""
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
    """Return the squared distance of each candidate table from the mode's wish; the organizer's pairs are at none."""
    distance = _rank_distance(field) if field.options.mode is Mode.RANK else _rating_distance(field)
    forced = {player for pair in field.options.forced for player in pair}
    return [distance(*table) ** 2 if forced.isdisjoint(table) else 0 for table in tables]


def _rank_distance(field: Field) -> Callable[[PlayerId, PlayerId], int]:
    place = {player: number for number, player in enumerate(by_strength(field, field.ordered))}
    last = len(place) - 1
    return lambda one, other: place[one] - (last if other == NOBODY else place[other])


def _rating_distance(field: Field) -> Callable[[PlayerId, PlayerId], int]:
    points, fold = field.points, field.options.mode is Mode.FOLD
    groups = field.by_points(field.ordered)
    size = {points[group[0]]: len(group) for group in groups}
    place = {player: number for group in groups for number, player in enumerate(by_strength(field, group))}

    def distance(one: PlayerId, other: PlayerId) -> int:
        players = size[points[one]]
        if other == NOBODY or points[one] != points[other]:
            return (players - 1 - place[one]) + (0 if other == NOBODY else place[other])
        even = players - players % 2
        if fold:
            return place[one] + place[other] - (even - 1)
        return abs(place[one] - place[other]) - even // 2

    return distance


# -- Levels packed into one integer, so that one matching decides them in their order
#
# **Columns.** A round seats its 2·t vertices (the bye is one) at exactly t tables. Subtracting a level's least value and
# dividing by the greatest common divisor of the differences changes every round's total on the level by the same affine map,
# because every round has exactly t tables; so the order of rounds stays. After it the values are integers from 0 to m.
#
# **Widths.** Let M be the lexicographic optimum, T its total on a level, and b > T the level's base. With levels from the top,
# price(e) = (…(v1·b2 + v2)·b3 + v3 …). Take a round N that is worse than M on some level first, by at least 1, which is worth
# the product W of the bases below it. On the levels below, N saves at most what M has there: the sum of T·(product of the
# bases further below), which is at most the sum of (b − 1)·(…) = W − 1. So N is dearer in all: the least total price is the
# optimum. b = t·m + 1 exceeds every total. Where the optimum's own total is known already, b = T + 1 does, which is narrower.
#
# **Limit.** rustworkx computes `y_u + y_v - 2w` in signed 128 bits. It is right to 125-bit weights and panics, or errs, from
# 126 on; on incomplete graphs the duals can sink by a factor of the number of tables. `MOST_BITS` = 112 leaves
# 2^112 · 4 · 2n < 2^127 for n < 4096. Wider prices are not matched: see `best_round`.


MOST_BITS = 112
"""How wide a price may be: see **Limit**."""


def normal(column: Column) -> list[int]:
    """Shift and divide a column so that it starts at 0 and is as narrow as it can be.

    >>> normal([13, 5, 9, 5])
    [2, 0, 1, 0]
    """
    least = min(column, default=0)
    step = gcd(*(value - least for value in set(column))) or 1
    return [(value - least) // step for value in column] if least or step > 1 else list(column)


def pack(columns: Sequence[Column], tables: int, totals: Sequence[int] = ()) -> list[int]:
    """Return one price for each candidate; the round of least total price is the best, level by level.

    columns: the levels from the top, each `normal`; tables: how many tables a round has
    totals:  what the best round is known to have on the first levels, where it is known

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
    """Return how many bits the widest price has."""
    return max(prices, default=0).bit_length()


# -- The best round on given candidates, level by level: one matching where the levels fit into one price, else several
#
# When all levels together are too wide, as many as fit are decided first. That tells what the best round has on them, which
# makes their digits much narrower (`pack`), and leaves out tables that alone cost more; so the next levels fit as well.


def best_round(
    vertices: Sequence[PlayerId], tables: Sequence[Pair], levels: Iterable[Column]
) -> list[Pair] | None:
    """Return the complete round that is best on the first level, then on the second …; None if there is none.

    vertices: who is to be seated, the bye included; tables: the candidates; levels: from the top, a value for each candidate

    Raises TourneyError if a single level is too wide to be matched exactly.
    """
    columns = [normal(column) for column in levels]
    totals: list[int] = []
    while True:
        decided, prices = _widest_that_fits(columns, len(vertices) // 2, totals)
        made = cheapest(vertices, tables, prices)
        if made is None or decided == len(columns):
            return made
        totals = _totals(columns[:decided], tables, made)
        keep = [all(map(le, values, totals)) for values in zip(*columns[:decided], strict=True)]
        tables = list(compress(tables, keep))
        columns = [list(compress(column, keep)) for column in columns]


def _widest_that_fits(columns: Sequence[Column], tables: int, totals: Sequence[int]) -> tuple[int, list[int]]:
    """Return how many levels fit into one price, at least one more than are decided, and the prices."""
    for count in range(len(columns), len(totals), -1):
        prices = pack(columns[:count], tables, totals)
        if width(prices) <= MOST_BITS:
            return count, prices
    raise TourneyError(
        f"this round needs prices of {width(prices)} bits, at most {MOST_BITS} can be matched exactly",
        "points that differ by millions are what makes it so wide; use a profile with smaller points",
    )


def _totals(columns: Sequence[Column], tables: Sequence[Pair], made: Sequence[Pair]) -> list[int]:
    chosen = set(made)
    places = [place for place, table in enumerate(tables) if table in chosen]
    return [sum(column[place] for place in places) for column in columns]


# -- Small or saturated fields: every allowed table is a candidate and all levels are packed into one matching


def solve_whole(field: Field, seed_hash: SeedHash) -> list[Pair] | None:
    """Return the free players' tables of the lexicographic optimum, or None if keep-aparts leave no complete round.

    Takes O(n²) candidates: for fields in which a conflict cannot be avoided, or too small for anything else to pay.
    """
    tables = candidates(field)
    values = {**conflict_columns(field, tables), **columns(field, tables)}
    return best_round(vertices(field), tables, [*values.values(), seed_hash.of_pairs(tables)])


def vertices(field: Field) -> list[PlayerId]:
    """Return the free players from the top, and the bye where their number is odd."""
    players = [player for group in field.groups for player in group]
    return [*players, NOBODY] if field.odd else players


def candidates(field: Field) -> list[Pair]:
    """Return every table that the organizer's keep-aparts allow, and every bye."""
    players = [player for group in field.groups for player in group]
    tables = [seats_of(field, pair) for pair in combinations(players, 2) if field.allowed(*pair)]
    return tables + [(player, NOBODY) for each in field.bye_classes for player in each]
