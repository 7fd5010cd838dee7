"""What an expression can be worth, when not everything is known.

A condition is true, false or UNKNOWN (Kleene's three values: `unknown and false` is false). A count is a whole
number or an `Interval` of what it may be; a list is a tuple or a `Span` between what is surely in it and what may
be. NONE is a blank: it equals only itself, is not above or below anything, adds nothing to a sum, and is false.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
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


# -- The operators of the language over values that may be in doubt


HUGE = 10**18
"""Results beyond this are nobody's deck: they are unknown, so that no number grows without bound."""


def equal(left: Value, right: Value) -> Truth:
    """Compare two values; texts ignore case, accents and spaces, lists ignore order."""
    if left is UNKNOWN or right is UNKNOWN:
        return UNKNOWN
    if isinstance(left, Absent) or isinstance(right, Absent):
        return left is right
    if isinstance(left, str) and isinstance(right, str):
        return left == right or fold(left) == fold(right)
    if isinstance(left, tuple | Span) or isinstance(right, tuple | Span):
        return _equal_lists(left, right)
    if isinstance(left, Interval) or isinstance(right, Interval):
        return _equal_numbers(left, right)
    return isinstance(left, bool) == isinstance(right, bool) and left == right


def _equal_lists(left: Value, right: Value) -> Truth:
    (sure_left, may_left), (sure_right, may_right) = items(left), items(right)
    if sure_left == may_left and sure_right == may_right:
        return sure_left == sure_right
    impossible = (may_right is not None and not sure_left <= may_right) or (
        may_left is not None and not sure_right <= may_left
    )
    return False if impossible else UNKNOWN


def _equal_numbers(left: Value, right: Value) -> Truth:
    first, second = edges(left), edges(right)
    if first is None or second is None or first[0] > second[1] or second[0] > first[1]:
        return False
    return UNKNOWN


def below(left: Value, right: Value) -> Truth:
    """Say whether `left < right`. A blank is never below or above; two texts go by the alphabet."""
    return _ordered(left, right, strict=True)


def at_most(left: Value, right: Value) -> Truth:
    """Say whether `left <= right`."""
    return _ordered(left, right, strict=False)


def _ordered(left: Value, right: Value, *, strict: bool) -> Truth:
    if left is NONE or right is NONE:
        return False
    if isinstance(left, str) and isinstance(right, str):
        return fold(left) < fold(right) if strict else fold(left) <= fold(right)
    first, second = edges(left), edges(right)
    if first is None or second is None:
        return UNKNOWN  # a text against a number: `*` as a strength
    if first[1] < second[0] or (not strict and first[1] == second[0]):
        return True
    if first[0] > second[1] or (strict and first[0] == second[1]):
        return False
    return UNKNOWN


def contains(item: Value, whole: Value) -> Truth:
    """Say whether `item in whole`: a member of a list, or whole words of a text; every one of them if it is a list."""
    if isinstance(item, str) and isinstance(whole, str):
        return f" {fold(item)} " in f" {fold(whole)} "
    if item is UNKNOWN:
        return UNKNOWN
    if item is NONE:
        return False
    return subset(item, whole)


def subset(left: Value, right: Value) -> Truth:
    """Say whether everything in `left` is in `right`."""
    (sure_left, may_left), (sure_right, may_right) = items(left), items(right)
    if may_left is not None and may_left <= sure_right:
        return True
    if may_right is not None and not sure_left <= may_right:
        return False
    return UNKNOWN


def _add(left: Edge, right: Edge) -> Edge:
    return left + right


def _multiply(left: Edge, right: Edge) -> Edge:
    return 0 if 0 in (left, right) else left * right  # 0 × ∞ is 0 here: nothing of something unbounded


def _plus(first: tuple[Edge, Edge], second: tuple[Edge, Edge]) -> Value:
    return interval(_add(first[0], second[0]), _add(first[1], second[1]))


def _minus(first: tuple[Edge, Edge], second: tuple[Edge, Edge]) -> Value:
    return interval(first[0] - second[1], first[1] - second[0])


def _times(first: tuple[Edge, Edge], second: tuple[Edge, Edge]) -> Value:
    corners = [_multiply(one, other) for one in first for other in second]
    return interval(min(corners), max(corners))


def _floor_divided(first: tuple[Edge, Edge], second: tuple[Edge, Edge]) -> Value:
    if second[0] <= 0 <= second[1]:
        return NONE if second == (0, 0) else UNKNOWN
    corners = [_quotient(one, other) for one in first for other in second]
    return interval(min(corners), max(corners))


def _quotient(one: Edge, other: Edge) -> Edge:
    if abs(one) == math.inf:
        return one if other > 0 else -one
    if abs(other) == math.inf:
        return 0 if (one >= 0) == (other > 0) else -1
    return one // other


def _remainder(first: tuple[Edge, Edge], second: tuple[Edge, Edge]) -> Value:
    divisor = second[0]
    if second[0] != second[1] or isinstance(divisor, float) or divisor <= 0:
        return NONE if second == (0, 0) else UNKNOWN
    if first[0] != first[1] or isinstance(first[0], float):
        whole = all(isinstance(edge, int) or abs(edge) == math.inf for edge in (*first, divisor))
        return interval(0, divisor - 1) if whole else interval(0, divisor)
    return first[0] % divisor


_ARITHMETIC: Mapping[str, Callable[[tuple[Edge, Edge], tuple[Edge, Edge]], Value]] = {
    "+": _plus,
    "-": _minus,
    "*": _times,
    "//": _floor_divided,
    "%": _remainder,
}


def arithmetic(operator: str, left: Value, right: Value) -> Value:
    """Work out `left operator right`; a blank makes the result blank, a text makes it unknown.

    Dividing by 0 gives a blank: there is no such number, and a bound that is blank does not bind.
    """
    if left is NONE or right is NONE:
        return NONE
    first, second = edges(left), edges(right)
    if first is None or second is None or left is UNKNOWN or right is UNKNOWN:
        return UNKNOWN
    return _tamed(_ARITHMETIC[operator](first, second))


def _tamed(result: Value) -> Value:
    whole = edges(result)
    return UNKNOWN if whole and (_beyond(whole[0]) or _beyond(whole[1])) else result


def _beyond(edge: Edge) -> bool:
    return not isinstance(edge, float) and not -HUGE <= edge <= HUGE


def minus(value: Value) -> Value:
    """Return the number with its sign turned."""
    return arithmetic("-", 0, value)


COMPARISONS: Mapping[str, Callable[[Value, Value], Truth]] = {
    "==": equal,
    "!=": lambda left, right: negated(equal(left, right)),
    "<": below,
    "<=": at_most,
    ">": lambda left, right: below(right, left),
    ">=": lambda left, right: at_most(right, left),
    "in": contains,
    "not in": lambda left, right: negated(contains(left, right)),
}
