"""Levels packed into one integer, so that one matching decides them in their order.

**Columns.** A round seats its 2·t vertices (the bye is one) at exactly t tables. Subtracting a level's least value and
dividing by the greatest common divisor of the differences changes every round's total on the level by the same affine map,
because every round has exactly t tables; so the order of rounds stays. After it the values are integers from 0 to m.

**Widths.** Let M be the lexicographic optimum, T its total on a level, and b > T the level's base. With levels from the top,
price(e) = (…(v1·b2 + v2)·b3 + v3 …). Take a round N that is worse than M on some level first, by at least 1, which is worth
the product W of the bases below it. On the levels below, N saves at most what M has there: the sum of T·(product of the
bases further below), which is at most the sum of (b − 1)·(…) = W − 1. So N is dearer in all: the least total price is the
optimum. b = t·m + 1 exceeds every total. Where the optimum's own total is known already, b = T + 1 does, which is narrower.

**Limit.** rustworkx computes `y_u + y_v - 2w` in signed 128 bits. It is right to 125-bit weights and panics, or errs, from
126 on; on incomplete graphs the duals can sink by a factor of the number of tables. `MOST_BITS` = 112 leaves
2^112 · 4 · 2n < 2^127 for n < 4096. Wider prices are not matched: see `lexicographic`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

MOST_BITS = 112

Column = Sequence[int]
"""One level's value for each candidate table, in the order of the candidates."""


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
