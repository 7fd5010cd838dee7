"""From pairs to numbered tables: who sits first, which pair sits where."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count

from tourney.pairing.entrant import NOBODY
from tourney.pairing.options import Mode, Pair
from tourney.pairing.swiss.field import Field, seats_of
from tourney.pairing.swiss.levels import sides_of
from tourney.pairing.swiss.order import by_strength
from tourney.pairing.swiss.words import Words
from tourney.record import PlayerId, Table


def seat(field: Field, pairs: Sequence[Pair], words: Words) -> tuple[tuple[Table, ...], tuple[PlayerId, ...]]:
    """Return the tables in order of number, and who has the bye. The pairs are as `seats_of` gives them.

    Tables go by points from the top; equal ones by the round's order (the strongest player first), in a random round by
    the key of their first player. A player with a fixed table keeps it and the pair comes along; if both have one, the
    first seat's counts. The other pairs fill the free numbers.
    """
    byes = tuple(one for one, other in pairs if other == NOBODY)
    points, among_equals = field.points, _order_of_equals(field, words)
    ordered = sorted(
        (-points[one], -points[other], among_equals(one, other), one, other)
        for one, other in pairs
        if other != NOBODY
    )
    if field.options.sides:
        seated = [_in_order_of_sides(field, one, other, words) for *_, one, other in ordered]
    else:
        seated = [(one, other) for *_, one, other in ordered]
    return tuple(Table(number, pair) for number, pair in _numbered(field, seated)), byes


def _order_of_equals(field: Field, words: Words) -> Callable[[PlayerId, PlayerId], int | bytes]:
    """Return what tables of equal points are numbered by, the least first."""
    if field.options.mode is Mode.RANDOM:
        return lambda one, _: words.key(one)
    place = {player: number for number, player in enumerate(by_strength(field, list(field.entrants)))}
    return lambda one, other: min(place[one], place[other])


def _in_order_of_sides(field: Field, one: PlayerId, other: PlayerId, words: Words) -> Pair:
    first = sides_of(field, one, other).first
    if first is None:
        first = min(one, other) if words.coin(one, other) else max(one, other)
    return (first, other if first == one else one)


def fixed_table_of(field: Field, pair: Pair) -> int | None:
    """Return the table a pair must sit at, or None."""
    wishes = (field.entrants[player].fixed_table for player in seats_of(field, pair))
    return next((wish for wish in wishes if wish is not None), None)


def _numbered(field: Field, pairs: list[Pair]) -> list[tuple[int, Pair]]:
    """Return the pairs with their table numbers, in the order of the numbers."""
    first = field.options.first_table
    if all(each.fixed_table is None for each in field.entrants.values()):
        return list(enumerate(pairs, first))
    fixed = {pair: table for pair in pairs if (table := fixed_table_of(field, pair)) is not None}
    taken = set(fixed.values())
    free = (number for number in count(first) if number not in taken)
    return sorted((fixed[pair] if pair in fixed else next(free), pair) for pair in pairs)
