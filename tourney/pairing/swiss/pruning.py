"""Fewer candidates for large fields: leave out tables that cannot be in the best round, by linear-programming duality.

Give each player a potential such that no table is cheaper than the potentials of its two players together. Then a round
costs at least the sum of all potentials, and a round that uses a table costs that sum plus what the table costs beyond its
own two potentials. So with one round of cost u at hand, tables that cost more than u minus the sum beyond their potentials
are in no better round. The potentials need not be best for that; they only decide how much is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress

from tourney.pairing.options import Pair
from tourney.record import PlayerId

NEAREST = 12
PASSES = 6

Neighbours = dict[PlayerId, list[tuple[int, PlayerId]]]


def nearest(tables: Sequence[Pair], prices: Sequence[int], count: int = NEAREST) -> list[bool]:
    """Mark the tables that are among the `count` cheapest of one of their players."""
    rows: dict[PlayerId, list[int]] = {}
    for (one, other), price in zip(tables, prices, strict=True):
        rows.setdefault(one, []).append(price)
        rows.setdefault(other, []).append(price)
    reach = {player: sorted(row)[:count][-1] for player, row in rows.items()}
    return [
        price <= reach[one] or price <= reach[other]
        for (one, other), price in zip(tables, prices, strict=True)
    ]


def worth_keeping(
    tables: Sequence[Pair], prices: Sequence[int], near: Sequence[bool], reached: int
) -> list[bool]:
    """Mark the tables that a round of price `reached` or less may use.

    prices:  what each table costs at least, non-negative
    near:    the marks of `nearest`, on which the potentials are raised
    """
    potentials = _raised(list(compress(tables, near)), list(compress(prices, near)))
    for (one, other), price in zip(tables, prices, strict=True):
        excess = potentials[one] + potentials[other] - price
        if excess > 0:
            potentials[one] -= excess
    room = reached - sum(potentials.values())
    return [
        price - potentials[one] - potentials[other] <= room
        for (one, other), price in zip(tables, prices, strict=True)
    ]


def _raised(tables: Sequence[Pair], prices: Sequence[int]) -> dict[PlayerId, int]:
    """Return good potentials for some tables: each player in turn takes half of what is still free, the last time all."""
    neighbours: Neighbours = {}
    for (one, other), price in zip(tables, prices, strict=True):
        neighbours.setdefault(one, []).append((price, other))
        neighbours.setdefault(other, []).append((price, one))
    potentials = {player: min(row)[0] // 2 for player, row in neighbours.items()}
    for number in range(PASSES):
        share = 1 if number == PASSES - 1 else 2
        for player, row in neighbours.items():
            free = min([price - potentials[other] for price, other in row]) - potentials[player]
            potentials[player] += free // share
    return potentials
