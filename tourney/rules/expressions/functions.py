"""The functions of the language that look at no cards: `min`, `max`, `len`, `subset`, and the joining of two lists."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from tourney.rules.expressions.counting import joined, shared
from tourney.rules.expressions.operators import subset
from tourney.rules.expressions.values import NONE, UNKNOWN, Edge, Value, edges, interval, items


def _extreme(values: Sequence[Value], pick: Callable[..., Edge]) -> Value:
    """Pick among the arguments, lists opened; blanks do not compete."""
    flat = [item for value in values for item in (value if isinstance(value, tuple) else (value,))]
    ranges = [edges(value) for value in flat if value is not NONE]
    if not ranges:
        return NONE
    known = [each for each in ranges if each is not None]
    if len(known) < len(ranges):
        return UNKNOWN
    low, high = pick(low for low, _ in known), pick(high for _, high in known)
    return UNKNOWN if (low, high) == (-math.inf, math.inf) else interval(low, high)


def smallest(*values: Value) -> Value:
    """Return the smallest; a blank where there is nothing."""
    return _extreme(values, min)


def largest(*values: Value) -> Value:
    """Return the largest; a blank where there is nothing."""
    return _extreme(values, max)


def length(value: Value) -> Value:
    """Return how many things are in a list; a single value is one, a blank none."""
    sure, possible = items(value)
    return interval(len(sure), math.inf if possible is None else len(possible))


PLAIN: Mapping[str, Callable[..., Value]] = {
    "min": smallest,
    "max": largest,
    "len": length,
    "subset": subset,
    "union": joined,
    "common": shared,
}
