"""Three-valued logic and arithmetic, put together from bound parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tourney.rules.expressions.counting import either
from tourney.rules.expressions.operators import arithmetic
from tourney.rules.expressions.values import (
    UNKNOWN,
    Absent,
    Interval,
    Item,
    Span,
    Truth,
    Value,
    items,
    negated,
    span,
    truth,
)

if TYPE_CHECKING:
    from tourney.rules.expressions.binding import Asked
    from tourney.rules.slots import View


def inverted(asked: Asked) -> Asked:
    """Make `not x`."""
    return lambda view: negated(truth(asked(view)))


def joined(parts: Sequence[Asked], *, decisive: bool) -> Asked:
    """Make `a and b` (false decides) or `a or b` (true decides); a decision forgets what was not known on the way."""

    def asked(view: View) -> Truth:
        missing = view.deck.missing
        mark = len(missing)
        result: Truth = not decisive
        for part in parts:
            value = truth(part(view))
            if value is decisive:
                del missing[mark:]
                return decisive
            if value is UNKNOWN:
                result = UNKNOWN
        return result

    return asked


def calculated(operator: str, left: Asked, right: Asked) -> Asked:
    """Make `x + y` and its like."""
    return lambda view: arithmetic(operator, left(view), right(view))


def chosen(condition: Asked, then: Asked, otherwise: Asked) -> Asked:
    """Make `a if c else b`; where the condition is unknown, what both have in common."""

    def asked(view: View) -> Value:
        held = truth(condition(view))
        if held is not UNKNOWN:
            return (then if held else otherwise)(view)
        return either(then(view), otherwise(view))

    return asked


def listed(parts: Sequence[Asked]) -> Asked:
    """Make `[a, b]`: blanks are left out, a list within is opened."""

    def asked(view: View) -> Value:
        values = [part(view) for part in parts]
        if any(value is UNKNOWN or isinstance(value, Interval | Span) for value in values):
            return span(frozenset().union(*(items(value)[0] for value in values)), None)
        found: list[Item] = []
        for value in values:
            if isinstance(value, tuple):
                found.extend(value)
            elif not isinstance(value, Absent | Interval | Span):
                found.append(value)
        return tuple(found)

    return asked


def applied(work: Callable[..., Value], arguments: Sequence[Asked]) -> Asked:
    """Make `max(a, b)`, `len(x)` and what else looks at no cards."""
    return lambda view: work(*(argument(view) for argument in arguments))
