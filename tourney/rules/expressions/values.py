"""Values of expressions, which can be uncertain, and the cards that expressions examine.

A condition is true, false or `Unknown` (Kleene's three-valued logic: `unknown and false` is false). A number
is an `Interval` if only its range is known. A list is a tuple if all its items are known. Otherwise it is a
`Span`, which has the items that are surely in the list and the items that may be in it. `NONE` is a blank: it
equals only itself, is neither above nor below anything, adds nothing to a sum, and is false.

An uncertain value carries its causes: the missing facts that would make it certain. A certain value has none:
`false and unknown` is False, without causes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction

from msgspec import Struct

from tourney.cards.card import NONE, Absent, Card
from tourney.cards.names import FoldedName, fold

# -- cards, and missing facts about them


class Slot(Struct, frozen=True, kw_only=True):
    """All copies of one card in one zone.

    card:     the card with its facts, including errata and trusted facts that the decklist declares
    name:     the name under which the card is counted, with aliases and `counts_as` resolved
    keys:     the folded names under which the function `has` and lists, such as a ban list, find the card:
              first the counted name, then its own
    lines:    the numbers of the decklist's lines with these copies
    pool_id:  the card's id if its facts are exactly the pool's, so that results for it can be cached; else
              None
    declared: whether the decklist declares facts about the card that are not trusted
    """

    card: Card
    name: str
    keys: tuple[FoldedName, ...]
    zone: str
    qty: int
    lines: tuple[int, ...] = ()
    pool_id: str | None = None
    declared: bool = False

    @property
    def key(self) -> FoldedName:
        """The folded name under which the card's copies are added up."""
        return self.keys[0]

    def number_on(self, names: Mapping[FoldedName, int]) -> int | None:
        """Return the number that a list (folded name → number) has for the card.

        Returns None if the list does not have the card.
        """
        return next((names[key] for key in self.keys if key in names), None)


class Missing(Struct, frozen=True):
    """An attribute whose value is not known.

    slot: the card; None for an attribute of the leader if the leader is not known
    """

    slot: Slot | None
    attribute: str


# -- values


Edge = int | Fraction | float
"""A number, or an infinity, which is the only float that occurs."""

Range = tuple[Edge, Edge]
"""The lowest and the highest number that a value may be."""

Item = str | int | Fraction | bool
"""The types of the items of a list."""


class InDoubt(Struct, frozen=True, kw_only=True):
    """A value that is not certain. causes: the missing facts, each once."""

    causes: tuple[Missing, ...] = ()


class Unknown(InDoubt, frozen=True):
    """A value or a condition that is not known at all."""

    def __str__(self) -> str:
        return "unknown"


class Interval(InDoubt, frozen=True):
    """A number of which only the range is known: from `low` to `high`, both included.

    The two ends are never equal, because the number would then be known.
    """

    low: Edge
    high: Edge

    def __str__(self) -> str:
        if self.high == math.inf:
            return f"at least {number_text(self.low)}"
        return f"{number_text(self.low)} to {number_text(self.high)}"


class Span(InDoubt, frozen=True):
    """A list of which not all items are known. Items that are text are folded (`fold`).

    sure:     the items that are certainly in the list
    possible: the items that can be in the list; None if any item can be
    blank:    whether one of the items is a blank (`NONE`, the value of an attribute that a card does not
              have); None if this is not known. Only a list that is written in an expression can have one
    """

    sure: frozenset[Item]
    possible: frozenset[Item] | None
    blank: bool | None = False


Value = str | int | Fraction | bool | tuple[Item | Absent, ...] | Absent | Unknown | Interval | Span
"""The value of an expression."""

Truth = bool | Unknown
"""The value of a condition."""


# -- making values in doubt


def causes_of(*sources: Value) -> tuple[Missing, ...]:
    """Return the missing facts that make some of the values uncertain, without duplicates."""
    doubts = [source for source in sources if isinstance(source, InDoubt)]
    if len(doubts) < 2:
        return doubts[0].causes if doubts else ()
    facts = {(id(fact.slot), fact.attribute): fact for doubt in doubts for fact in doubt.causes}
    return tuple(facts.values())


def unknown(*sources: Value) -> Unknown:
    """Return an `Unknown` with the causes of the values that are uncertain."""
    doubts = [source for source in sources if isinstance(source, InDoubt)]
    if len(doubts) == 1 and isinstance(doubts[0], Unknown):
        return doubts[0]
    return Unknown(causes=causes_of(*doubts))


def interval(low: Edge, high: Edge, *sources: Value) -> Value:
    """Return the interval of possible results if values are uncertain.

    If only one number is possible, return that number.
    """
    if low == high and not isinstance(low, float):
        return low
    return Interval(low, high, causes=causes_of(*sources))


def span(sure: frozenset[Item], possible: frozenset[Item] | None, *sources: Value) -> Value:
    """Return a list as a `Span`, which separates the sure items from the possible items.

    If all possible items are sure, returns a sorted tuple instead.

    sure:     the items that the list surely has
    possible: the items that it may have, including the sure ones; None if it may have any item
    sources:  the values that may be uncertain; their missing facts become the causes of the `Span`
    """
    if possible is not None and sure == possible:
        return tuple(sorted(sure, key=lambda item: (str(type(item)), item)))
    return Span(sure, possible, causes=causes_of(*sources))


# -- values as text


def number_text(number: Edge) -> str:
    """Return a number as people write it: `3`, `2½`, `7/3`.

    >>> number_text(3), number_text(Fraction(5, 2)), number_text(Fraction(-1, 2)), number_text(Fraction(7, 3))
    ('3', '2½', '-½', '7/3')
    """
    if isinstance(number, Fraction) and number.denominator == 2:
        sign = "-" if number < 0 else ""
        return f"{sign}{abs(int(number)) or ''}½"
    return str(number)


def text_of(value: Value) -> str:
    """Return a value as messages show it: flags as yes or no, lists with commas, halves as ½."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(text_of(item) for item in value if item is not NONE) or "none"
    if isinstance(value, Span):
        return ", ".join(sorted(text_of(item) for item in value.sure)) + " …"
    if isinstance(value, int | Fraction):
        return number_text(value)
    return str(value)


# -- the certain part of a value


def truth(value: Value) -> Truth:
    """Return whether a value counts as true. Blanks, 0, empty texts and empty lists do not."""
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
    """Return `not value` in three-valued logic: true, false or unknown."""
    return value if isinstance(value, Unknown) else not value


def both(one: Truth, other: Truth) -> Truth:
    """Return `one and other` in three-valued logic: true, false or unknown."""
    if one is False or other is False:
        return False
    return True if one is True and other is True else unknown(one, other)


def is_number(value: object) -> bool:
    """Return whether a value is one exact number, not an interval. A flag (bool) does not count."""
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def edges(value: Value) -> Range | None:
    """Return the lowest and the highest number a value may be; None if it is not a number.

    A flag is 0 or 1.
    """
    if isinstance(value, Interval):
        return value.low, value.high
    if isinstance(value, Unknown):
        return -math.inf, math.inf
    if isinstance(value, int | Fraction):
        return value, value
    return None


def weight(value: Value) -> Range:
    """Return the lowest and the highest number that a value can add to a weighted count.

    Both are 0 for a value that is not a number, such as a text or NONE. An unknown value adds 0 or more.
    """
    if isinstance(value, Unknown):
        return 0, math.inf
    return edges(value) or (0, 0)


def items(value: Value) -> tuple[frozenset[Item], frozenset[Item] | None]:
    """Return two sets: the items that a list surely has, and those that it may have.

    Items without a value (`Absent`) are left out. The second set includes the first; it is None if the list
    may have any item. A single value is a list of one.
    """
    if isinstance(value, Span):
        return value.sure, value.possible
    if isinstance(value, Absent):
        return frozenset(), frozenset()
    if isinstance(value, Unknown | Interval):
        return frozenset(), None
    members = value if isinstance(value, tuple) else (value,)
    folded_items = frozenset(
        fold(item) if isinstance(item, str) else item for item in members if not isinstance(item, Absent)
    )
    return folded_items, folded_items


# -- comparisons


def equal(left: Value, right: Value) -> Truth:
    """Return whether two values are equal. Ignores case, accents, spaces and the order of lists."""
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
    (left_sure, left_possible), (right_sure, right_possible) = items(left), items(right)
    if left_sure == left_possible and right_sure == right_possible:
        return left_sure == right_sure
    is_impossible = (right_possible is not None and not left_sure <= right_possible) or (
        left_possible is not None and not right_sure <= left_possible
    )
    return False if is_impossible else unknown(left, right)


def _equal_numbers(left: Value, right: Value) -> Truth:
    first, second = edges(left), edges(right)
    if first is None or second is None or first[0] > second[1] or second[0] > first[1]:
        return False
    return unknown(left, right)


def below(left: Value, right: Value) -> Truth:
    """Return whether `left < right`.

    A blank is never below anything; two texts compare alphabetically.
    """
    return _in_order(left, right, strict=True)


def at_most(left: Value, right: Value) -> Truth:
    """Return whether `left <= right`."""
    return _in_order(left, right, strict=False)


def _in_order(left: Value, right: Value, *, strict: bool) -> Truth:
    if left is NONE or right is NONE:
        return False
    if isinstance(left, str) and isinstance(right, str):
        return fold(left) < fold(right) if strict else fold(left) <= fold(right)
    first, second = edges(left), edges(right)
    if first is None or second is None:
        return unknown(left, right)  # a text and a number, such as the strength `*`
    if first[1] < second[0] or (not strict and first[1] == second[0]):
        return True
    if first[0] > second[1] or (strict and first[0] == second[1]):
        return False
    return unknown(left, right)


def contains(item: Value, whole: Value) -> Truth:
    """Return whether `whole` contains `item`, as an item of a list or as whole words of a text.

    If `item` is a list, all its members must be in `whole`. `none in [none]` is true, like `none == none`.
    """
    if isinstance(item, str) and isinstance(whole, str):
        return f" {fold(item)} " in f" {fold(whole)} "
    if isinstance(item, Unknown):
        return unknown(item, whole)
    if item is NONE:
        return _has_blank(whole)
    return subset(item, whole)


def _has_blank(whole: Value) -> Truth:
    """Return whether a list has the item `NONE`, which represents a missing value.

    Only a list that is written in an expression can have this item: `[none, 'red']`.
    """
    if isinstance(whole, Span):
        return unknown(whole) if whole.blank is None else whole.blank
    return isinstance(whole, tuple) and NONE in whole


def subset(left: Value, right: Value) -> Truth:
    """Return whether everything in `left` is in `right`."""
    (left_sure, left_possible), (right_sure, right_possible) = items(left), items(right)
    if left_possible is not None and left_possible <= right_sure:
        return True
    if right_possible is not None and not left_sure <= right_possible:
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
"""The comparison for each sign of the language."""


# -- lists and numbers


def join(left: Value, right: Value) -> Value:
    """Return `union(list, list)`: the items that are in at least one of the lists."""
    (left_sure, left_possible), (right_sure, right_possible) = items(left), items(right)
    is_open = left_possible is None or right_possible is None
    possible = None if is_open else left_possible | right_possible  # type: ignore[operator]
    return span(left_sure | right_sure, possible, left, right)


def common_items(left: Value, right: Value) -> Value:
    """Return `common(list, list)`: the items that are in both lists."""
    (left_sure, left_possible), (right_sure, right_possible) = items(left), items(right)
    if left_possible is None or right_possible is None:
        possible = left_possible if right_possible is None else right_possible
    else:
        possible = left_possible & right_possible
    return span(left_sure & right_sure, possible, left, right)


def extreme(pick: Callable[..., Edge], *values: Value) -> Value:
    """Return `min(…)` or `max(…)` of values and of the items of lists, ignoring `NONE`.

    `NONE` represents a missing value. The result is `NONE` if there is nothing else.
    """
    members = [item for value in values for item in (value if isinstance(value, tuple) else (value,))]
    ranges = [edges(member) for member in members if member is not NONE]
    numbers = [range_ for range_ in ranges if range_ is not None]
    if not ranges:
        return NONE
    if len(numbers) < len(ranges):
        return unknown(*values)
    low, high = pick(low for low, _ in numbers), pick(high for _, high in numbers)
    return unknown(*values) if (low, high) == (-math.inf, math.inf) else interval(low, high, *values)


def length(value: Value) -> Value:
    """Return `len(list)`: the number of different items; 1 for a single value, 0 for `none`."""
    sure, possible = items(value)
    return interval(len(sure), math.inf if possible is None else len(possible), value)


def either(one: Value, other: Value, condition: Unknown) -> Value:
    """Return the value of `one if condition else other` if the condition is unknown.

    Equal values give that value, and two numbers give an interval; otherwise, the result is unknown.
    """
    if one == other and not isinstance(one, Unknown) and isinstance(one, bool) == isinstance(other, bool):
        return one
    first, second = edges(one), edges(other)
    if first is None or second is None or any(isinstance(value, Unknown | bool) for value in (one, other)):
        return unknown(condition, one, other)
    return interval(min(first[0], second[0]), max(first[1], second[1]), condition, one, other)


# -- arithmetic

_HUGE = 10**18
"""A larger result is unknown, so that no number grows without limit."""


def arithmetic(operator: str, left: Value, right: Value) -> Value:
    """Calculate `left operator right`.

    The result is a blank if either value is a blank, and unknown if either is a text. Division by 0 also
    gives a blank. A rule whose bound is a blank has no bound.
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
    """Return `-value`."""
    return arithmetic("-", 0, value)


def _times(first: Range, second: Range) -> Range:
    # 0 × ∞ is 0: no copies of something without a limit.
    corners = [0 if 0 in (one, other) else one * other for one in first for other in second]
    return min(corners), max(corners)


def _floor_divide(first: Range, second: Range) -> Range | Absent | None:
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
        is_whole = all(isinstance(edge, int) or abs(edge) == math.inf for edge in (*first, divisor))
        return 0, divisor - 1 if is_whole else divisor
    return first[0] % divisor, first[0] % divisor


_ARITHMETIC: Mapping[str, Callable[[Range, Range], Range | Absent | None]] = {
    "+": lambda first, second: (first[0] + second[0], first[1] + second[1]),
    "-": lambda first, second: (first[0] - second[1], first[1] - second[0]),
    "*": _times,
    "//": _floor_divide,
    "%": _remainder,
}
"""Operator → its function for intervals.

The function returns None for an unknown result, and NONE for a blank.
"""
