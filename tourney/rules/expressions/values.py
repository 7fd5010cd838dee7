"""What an expression can be worth, when not everything is known.

A condition is true, false or `Unknown` (Kleene's three values: `unknown and false` is false). A count is a whole
number or an `Interval` of what it may be; a list is a tuple or a `Span` between what is surely in it and what may
be. NONE is a blank: it equals only itself, is not above or below anything, adds nothing to a sum, and is false.

What is in doubt carries its causes, the facts that would settle it; what is certain needs none. So an `and` that is
false whatever the unknown half says has no causes, and nobody has to take them back.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec

from tourney.cards.card import NONE, Absent
from tourney.cards.names import fold

if TYPE_CHECKING:
    from tourney.rules.expressions.deck import Missing

Edge = int | Fraction | float
"""A number or an infinity (the only floats there are)."""


class InDoubt(msgspec.Struct, frozen=True, kw_only=True):
    """What every value that is not certain has. causes: the facts that are missing to say more, each once."""

    causes: tuple[Missing, ...] = ()


class Unknown(InDoubt, frozen=True):
    """A value of which nothing is known, and a condition of which nobody can say whether it holds."""

    def __str__(self) -> str:
        return "unknown"


class Interval(InDoubt, frozen=True):
    """A number of which only is known that it lies between `low` and `high`, both included; never `low == high`."""

    low: Edge
    high: Edge

    def __str__(self) -> str:
        if self.high == math.inf:
            return f"at least {number_text(self.low)}"
        return f"{number_text(self.low)} to {number_text(self.high)}"


class Span(InDoubt, frozen=True):
    """A list of which only is known what is surely in it and, unless that is None, what may be. Items are folded.

    blank: whether a list that an expression spells out has a blank in it; None where that is not known
    """

    sure: frozenset[Item]
    possible: frozenset[Item] | None
    blank: bool | None = False


Item = str | int | Fraction | bool
"""What can stand in a list."""
Value = str | int | Fraction | bool | tuple[Item | Absent, ...] | Absent | Unknown | Interval | Span
"""What an expression comes to."""
Truth = bool | Unknown
"""What a condition comes to."""


def causes_of(*sources: Value) -> tuple[Missing, ...]:
    """Return the facts that leave values in doubt, each once."""
    doubtful = [source for source in sources if isinstance(source, InDoubt)]
    if len(doubtful) < 2:
        return doubtful[0].causes if doubtful else ()
    facts = {(id(fact.slot), fact.attribute): fact for source in doubtful for fact in source.causes}
    return tuple(facts.values())


def unknown(*sources: Value) -> Unknown:
    """Return the unknown that comes of values in doubt: of a single one that is unknown, itself."""
    doubtful = [source for source in sources if isinstance(source, InDoubt)]
    if len(doubtful) == 1 and isinstance(doubtful[0], Unknown):
        return doubtful[0]
    return Unknown(causes=causes_of(*doubtful))


def interval(low: Edge, high: Edge, *sources: Value) -> Value:
    """Return the interval that comes of values in doubt, or the number where there is only one left."""
    if low == high and not isinstance(low, float):
        return low
    return Interval(low, high, causes=causes_of(*sources))


def span(sure: frozenset[Item], possible: frozenset[Item] | None, *sources: Value) -> Value:
    """Return the span that comes of values in doubt, or the list (sorted) where nothing is."""
    if possible is not None and sure == possible:
        return tuple(sorted(sure, key=lambda item: (str(type(item)), item)))
    return Span(sure, possible, causes=causes_of(*sources))


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
    """Write a value as a message says it: flags as yes or no, a list with commas, halves as ½."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(text_of(item) for item in value if item is not NONE) or "none"
    if isinstance(value, Span):
        return ", ".join(sorted(text_of(item) for item in value.sure)) + " …"
    if isinstance(value, int | Fraction):
        return number_text(value)
    return str(value)


def truth(value: Value) -> Truth:
    """Say whether a value counts as true: blanks, 0, empty texts and empty lists do not."""
    if isinstance(value, bool | Unknown):
        return value
    if value is NONE:
        return False
    if isinstance(value, Interval):
        return unknown(value) if value.low <= 0 <= value.high else True
    if isinstance(value, Span):
        if value.sure:
            return True
        return unknown(value) if value.possible is None or value.possible else False
    if isinstance(value, tuple):
        return any(item is not NONE for item in value)
    return bool(value)


def negated(value: Truth) -> Truth:
    """Return the three-valued `not`: what is unknown stays unknown."""
    return value if isinstance(value, Unknown) else not value


def is_number(value: object) -> bool:
    """Say whether this is a number (a flag is none)."""
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def edges(value: Value) -> tuple[Edge, Edge] | None:
    """Return the lowest and the highest number a value may be, None if it is no number at all."""
    if isinstance(value, Interval):
        return value.low, value.high
    if isinstance(value, Unknown):
        return -math.inf, math.inf
    if isinstance(value, int | Fraction):  # a flag counts as 0 or 1
        return value, value
    return None


def items(value: Value) -> tuple[frozenset[Item], frozenset[Item] | None]:
    """Return what is surely and what is possibly in a list, blanks left out; a single value is a list of one."""
    if isinstance(value, Span):
        return value.sure, value.possible
    if isinstance(value, Absent):
        return frozenset(), frozenset()
    if isinstance(value, Unknown | Interval):
        return frozenset(), None
    whole = value if isinstance(value, tuple) else (value,)
    folded = frozenset(
        fold(item) if isinstance(item, str) else item for item in whole if not isinstance(item, Absent)
    )
    return folded, folded


# -- The operators of the language over values that may be in doubt


_HUGE = 10**18
"""No deck needs a number beyond this: it is unknown, so that none grows without bound."""


def equal(left: Value, right: Value) -> Truth:
    """Compare two values; texts ignore case, accents and spaces, lists ignore order."""
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        return unknown(left, right)
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
    return False if impossible else unknown(left, right)


def _equal_numbers(left: Value, right: Value) -> Truth:
    first, second = edges(left), edges(right)
    if first is None or second is None or first[0] > second[1] or second[0] > first[1]:
        return False
    return unknown(left, right)


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
        return unknown(left, right)  # a text against a number: `*` as a strength
    if first[1] < second[0] or (not strict and first[1] == second[0]):
        return True
    if first[0] > second[1] or (strict and first[0] == second[1]):
        return False
    return unknown(left, right)


def contains(item: Value, whole: Value) -> Truth:
    """Say whether `item in whole`: a member of a list, or whole words of a text; every one of them if it is a list.

    `none in [none]` is true, as `none == none` is.
    """
    if isinstance(item, str) and isinstance(whole, str):
        return f" {fold(item)} " in f" {fold(whole)} "
    if isinstance(item, Unknown):
        return unknown(item, whole)
    if item is NONE:
        return _has_blank(whole)
    return subset(item, whole)


def _has_blank(whole: Value) -> Truth:
    """Return whether a blank is in a list: only a list that an expression spells out, `[none, 'red']`, has any."""
    if isinstance(whole, Span):
        return unknown(whole) if whole.blank is None else whole.blank
    return isinstance(whole, tuple) and NONE in whole


def subset(left: Value, right: Value) -> Truth:
    """Say whether everything in `left` is in `right`."""
    (sure_left, may_left), (sure_right, may_right) = items(left), items(right)
    if may_left is not None and may_left <= sure_right:
        return True
    if may_right is not None and not sure_left <= may_right:
        return False
    return unknown(left, right)


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
"""What each sign of the language asks of two values."""


Range = tuple[Edge, Edge]
"""Between which numbers a value lies, both included."""


def _plus(first: Range, second: Range) -> Range:
    return first[0] + second[0], first[1] + second[1]


def _minus(first: Range, second: Range) -> Range:
    return first[0] - second[1], first[1] - second[0]


def _times(first: Range, second: Range) -> Range:
    # 0 × ∞ is 0 here: nothing of something unbounded
    corners = [0 if 0 in (one, other) else one * other for one in first for other in second]
    return min(corners), max(corners)


def _floor_divided(first: Range, second: Range) -> Range | Absent | None:
    if second[0] <= 0 <= second[1]:
        return NONE if second == (0, 0) else None
    corners = [_quotient(one, other) for one in first for other in second]
    return min(corners), max(corners)


def _quotient(one: Edge, other: Edge) -> Edge:
    if abs(one) == math.inf:
        return one if other > 0 else -one
    if abs(other) == math.inf:
        return 0 if (one >= 0) == (other > 0) else -1
    return one // other


def _remainder(first: Range, second: Range) -> Range | Absent | None:
    divisor = second[0]
    if second[0] != second[1] or isinstance(divisor, float) or divisor <= 0:
        return NONE if second == (0, 0) else None
    if first[0] != first[1] or isinstance(first[0], float):
        whole = all(isinstance(edge, int) or abs(edge) == math.inf for edge in (*first, divisor))
        return 0, divisor - 1 if whole else divisor
    return first[0] % divisor, first[0] % divisor


_ARITHMETIC: Mapping[str, Callable[[Range, Range], Range | Absent | None]] = {
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
    if first is None or second is None or isinstance(left, Unknown) or isinstance(right, Unknown):
        return unknown(left, right)
    result = _ARITHMETIC[operator](first, second)
    if isinstance(result, Absent):
        return result
    if result is None or any(not isinstance(edge, float) and not -_HUGE <= edge <= _HUGE for edge in result):
        return unknown(left, right)
    return interval(*result, left, right)


def minus(value: Value) -> Value:
    """Return the number with its sign turned."""
    return arithmetic("-", 0, value)


def joined(left: Value, right: Value) -> Value:
    """`union(list, list)`: everything in one or the other."""
    (sure_left, may_left), (sure_right, may_right) = items(left), items(right)
    possible = None if may_left is None or may_right is None else may_left | may_right
    return span(sure_left | sure_right, possible, left, right)


def shared(left: Value, right: Value) -> Value:
    """`common(list, list)`: what is in both."""
    (sure_left, may_left), (sure_right, may_right) = items(left), items(right)
    if may_left is None or may_right is None:
        possible = may_left if may_right is None else may_right
    else:
        possible = may_left & may_right
    return span(sure_left & sure_right, possible, left, right)


def either(one: Value, other: Value, condition: Unknown) -> Value:
    """Return what is certain of a choice whose condition is unknown."""
    if one == other and not isinstance(one, Unknown) and isinstance(one, bool) == isinstance(other, bool):
        return one
    first, second = edges(one), edges(other)
    if first is None or second is None or any(isinstance(value, Unknown | bool) for value in (one, other)):
        return unknown(condition, one, other)
    return interval(min(first[0], second[0]), max(first[1], second[1]), condition, one, other)


def weight(value: Value) -> tuple[Edge, Edge]:
    """Return the least and the most a value may weigh; a blank or a text weighs nothing, the unknown 0 or more."""
    if isinstance(value, Unknown):
        return 0, math.inf
    return edges(value) or (0, 0)
