"""Which seat at the table: evenly over the rounds, then by the seed."""

from __future__ import annotations

from collections.abc import Sequence

from tourney.pairing.dice import draw
from tourney.pairing.pods.field import PodField

_SHARE = 2**24


def seat_price(field: PodField, members: Sequence[int]) -> int:
    """Return by how much a table adds to the unevenness of seats: sum over players and seats of (times had)²."""
    return _best_order(field, members, None)[0]


def seated(field: PodField, members: Sequence[int], seed: str) -> tuple[int, ...]:
    """Return a table's members in the order of their seats: the least added unevenness, ties by the seed."""
    return _best_order(field, members, seed)[1]


def _best_order(field: PodField, members: Sequence[int], seed: str | None) -> tuple[int, tuple[int, ...]]:
    """Fill the seats one after the other, keeping the best way to have seated each set of players (2^k sets)."""
    count = len(members)
    ways: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for seat in range(1, count + 1):
        further: dict[int, tuple[int, tuple[int, ...]]] = {}
        for taken, (price, order) in ways.items():
            for index, member in enumerate(members):
                if taken >> index & 1:
                    continue
                more = 2 * field.seats[member][seat] + 1
                if seed is not None:
                    more = more * _SHARE + draw(seed, "seat", field.players[member], seat, below=_SHARE // 64)
                way = (price + more, (*order, member))
                if taken | 1 << index not in further or way < further[taken | 1 << index]:
                    further[taken | 1 << index] = way
        ways = further
    return ways[(1 << count) - 1]
