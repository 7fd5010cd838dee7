"""Levels packed into one integer, so that one matching decides them in their order.

**Widths.** A round seats its 2·t vertices (the bye is one) at exactly t tables. Write v(e) for the value of table e on
some level. Subtracting the least value and dividing by the greatest common divisor of the differences changes every
round's total by the same affine map, because every round has exactly t tables; so the order of rounds stays. After it
every value is an integer in 0..m, a round's total on the level is in 0..t·m, and the base b = t·m + 1 exceeds every total.
With digits ordered from the top, packed(e) = (…(v1·b2 + v2)·b3 + v3 …): two rounds that agree above a level and differ
on it by at least 1 differ by at least b_next·… on the packed total, which no lower level can make up, as its totals stay
below its base. By induction the least packed total is the lexicographic optimum. The random digit is packed the same way.

**Limit.** rustworkx computes `y_u + y_v - 2w` in signed 128 bits. It is right to 125-bit weights and panics, or errs, from
126 on; on incomplete graphs the duals can sink by a factor of the number of tables. `MOST_BITS` = 112 leaves
2^112 · 4 · 2n < 2^127 for n < 4096. A packed weight that is wider is refused before anything is matched.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

from tourney.errors import TourneyError

MOST_BITS = 112

Column = Sequence[int]
"""One level's value for each candidate table, in the order of the candidates."""


def pack(columns: Sequence[Column], tables: int) -> list[int]:
    """Return one price a candidate; the round of least total price is the best, level by level.

    `columns` are the levels from the top, each with a value for every candidate; `tables` is how many tables a round has.
    Raises TourneyError if a price needs more than 112 bits.

    >>> pack([[0, 1, 1], [5, 0, 0]], tables=2)
    [1, 3, 3]
    """
    prices: list[int] = []
    for column in columns:
        values, greatest = _from_zero(column)
        if not prices:
            prices = values
        elif greatest:
            base = tables * greatest + 1
            prices = [price * base + value for price, value in zip(prices, values, strict=True)]
    _refuse_too_wide(max(prices, default=0))
    return prices


def _from_zero(column: Column) -> tuple[list[int], int]:
    """Shift and divide a column so that it starts at 0 and is as narrow as it can be; with its greatest value."""
    least = min(column, default=0)
    step = gcd(*(set(column) if least == 0 else {value - least for value in column})) or 1
    if least == 0 and step == 1:
        return list(column), max(column, default=0)
    values = [(value - least) // step for value in column]
    return values, max(values, default=0)


def _refuse_too_wide(price: int) -> None:
    if price.bit_length() > MOST_BITS:
        raise TourneyError(
            f"the levels of this round need {price.bit_length()} bits, at most {MOST_BITS} can be matched exactly",
            "points that differ by thousands are what makes it so wide; use a profile with smaller points",
        )
