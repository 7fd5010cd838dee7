"""Comparisons, the commonest ones made fast: an attribute against a literal, an attribute in a list that does not change."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tourney.cards.names import fold
from tourney.rules.expressions.operators import COMPARISONS, contains, equal
from tourney.rules.expressions.values import UNKNOWN, Truth, Value, items, negated

if TYPE_CHECKING:
    from tourney.rules.expressions.binding import Asked
    from tourney.rules.slots import View

_ORDERS: Mapping[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


def against_number(asked: Asked, sign: str, number: int | Fraction) -> Asked:
    """Make `cost <= 3`."""
    compare, order = COMPARISONS[sign], _ORDERS[sign]

    def compared(view: View) -> Truth:
        value = asked(view)
        return order(value, number) if type(value) is int else compare(value, number)

    return compared


def against_text(asked: Asked, text: str, *, differs: bool) -> Asked:
    """Make `kind == 'vp'`, or `!=`."""
    key = fold(text)

    def compared(view: View) -> Truth:
        value = asked(view)
        same = (value == text or fold(value) == key) if isinstance(value, str) else equal(value, text)
        return negated(same) if differs else same

    return compared


def membership(item: Asked, whole: Asked, *, outside: bool) -> Asked:
    """Make `type in [...]`, or `not in`, where the list is the same for every card of a deck."""
    ticket = object()

    def asked(view: View) -> Truth:
        deck = view.deck
        known = deck.kept.get(ticket)
        if known is None:
            before = len(deck.missing)
            value = whole(view)
            known = deck.kept[ticket] = (value, items(value), tuple(deck.missing[before:]))
            del deck.missing[before:]
        result = _inside(item(view), known[0], *known[1])
        if result is UNKNOWN:
            deck.missing.extend(known[2])
        return negated(result) if outside else result

    return asked


def _inside(item: Value, whole: Value, sure: frozenset[object], possible: frozenset[object] | None) -> Truth:
    if not isinstance(item, str) or isinstance(whole, str):
        return contains(item, whole)
    key = fold(item)
    if key in sure:
        return True
    return UNKNOWN if possible is None or key in possible else False


def compared(first: Asked, rest: list[tuple[str, Asked]]) -> Asked:
    """Make `a < b`, and `a < b < c`."""
    parts = [(COMPARISONS[sign], part) for sign, part in rest]
    if len(parts) == 1:
        compare, second = parts[0]
        return lambda view: compare(first(view), second(view))

    def asked(view: View) -> Truth:
        left = first(view)
        result: Truth = True
        for compare, part in parts:
            right = part(view)
            held = compare(left, right)
            if held is False:
                return False
            result = held if held is UNKNOWN else result
            left = right
        return result

    return asked
