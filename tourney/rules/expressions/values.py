"""What an expression can be worth, when not everything is known.

A condition is true, false or UNKNOWN (Kleene's three values: `unknown and false` is false). A count is a whole
number or an `Interval` of what it may be; a list is a tuple or a `Span` between what is surely in it and what may
be. NONE is a blank: it equals only itself, is not above or below anything, adds nothing to a sum, and is false.
"""

from __future__ import annotations

import math
from fractions import Fraction

import msgspec

from tourney.cards import NONE, UNKNOWN, Absent
from tourney.cards.names import fold

Number = int | Fraction
Edge = int | Fraction | float
"""A number or an infinity (the only floats there are)."""


class Interval(msgspec.Struct, frozen=True):
    """A number of which only is known that it lies between `low` and `high`, both included; never `low == high`."""

    low: Edge
    high: Edge

    def __str__(self) -> str:
        if self.high == math.inf:
            return f"at least {number_text(self.low)}"
        return f"{number_text(self.low)} to {number_text(self.high)}"


class Span(msgspec.Struct, frozen=True):
    """A list of which only is known what is surely in it and, unless that is None, what may be. Items are folded."""

    sure: frozenset[Item]
    possible: frozenset[Item] | None


Item = str | int | Fraction | bool
Value = str | int | Fraction | bool | tuple[Item, ...] | Absent | Interval | Span
Truth = bool | Absent


def interval(low: Edge, high: Edge) -> Value:
    """Return the interval, or the number where there is only one left."""
    if low == high and not isinstance(low, float):
        return low
    return Interval(low, high)


def span(sure: frozenset[Item], possible: frozenset[Item] | None) -> Value:
    """Return the span, or the list (sorted) where nothing is in doubt."""
    if possible is not None and sure == possible:
        return tuple(sorted(sure, key=lambda item: (str(type(item)), item)))
    return Span(sure, possible)


def number_text(number: Edge) -> str:
    """Write a number as people do: `3`, `2½`, `7/3`.

    >>> number_text(3), number_text(Fraction(5, 2)), number_text(Fraction(-1, 2)), number_text(Fraction(7, 3))
    ('3', '2½', '-½', '7/3')
    """
    if isinstance(number, Fraction) and number.denominator == 2:
        whole = int(number)
        sign = "-" if number < 0 else ""
        return f"{sign}{abs(whole) or ''}½"
    return str(number)


def text_of(value: Value) -> str:
    """Write a value in a message."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(text_of(item) for item in value) or "none"
    if isinstance(value, Span):
        return ", ".join(sorted(text_of(item) for item in value.sure)) + " …"
    if isinstance(value, int | Fraction):
        return number_text(value)
    return str(value)


def truth(value: Value) -> Truth:
    """Say whether a value counts as true: blanks, 0, empty texts and empty lists do not."""
    if isinstance(value, bool):
        return value
    if isinstance(value, Absent):
        return UNKNOWN if value is UNKNOWN else False
    if isinstance(value, Interval):
        return UNKNOWN if value.low <= 0 <= value.high else True
    if isinstance(value, Span):
        if value.sure:
            return True
        return UNKNOWN if value.possible is None or value.possible else False
    return bool(value)


def negated(value: Truth) -> Truth:
    """Return the three-valued `not`."""
    return UNKNOWN if value is UNKNOWN else not value


def is_number(value: object) -> bool:
    """Say whether this is a number (a flag is none)."""
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def edges(value: Value) -> tuple[Edge, Edge] | None:
    """Return the lowest and the highest number a value may be, None if it is no number at all."""
    if isinstance(value, Interval):
        return value.low, value.high
    if value is UNKNOWN:
        return -math.inf, math.inf
    if isinstance(value, int | Fraction):  # a flag counts as 0 or 1
        return value, value
    return None


def items(value: Value) -> tuple[frozenset[Item], frozenset[Item] | None]:
    """Return what is surely and what is possibly in a list; a single value is a list of one, a blank is empty."""
    if isinstance(value, Span):
        return value.sure, value.possible
    if isinstance(value, Absent):
        return frozenset(), (None if value is UNKNOWN else frozenset())
    if isinstance(value, Interval):
        return frozenset(), None
    whole = value if isinstance(value, tuple) else (value,)
    folded = frozenset(fold(item) if isinstance(item, str) else item for item in whole)
    return folded, folded


__all__ = [
    "NONE",
    "UNKNOWN",
    "Absent",
    "Edge",
    "Interval",
    "Item",
    "Number",
    "Span",
    "Truth",
    "Value",
    "edges",
    "interval",
    "is_number",
    "items",
    "negated",
    "number_text",
    "span",
    "text_of",
    "truth",
]
