"""Exact values of tie-breaks, and what they are made of."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple

from tourney.record import PlayerId

if TYPE_CHECKING:
    from tourney.standings.layout import Entry
    from tourney.standings.sheets import Sheets

Value = Fraction | int | None
"""A tie-break's value: exact; None is "has no value" and sorts last."""

Ratio = tuple[int, int]
"""A value as numerator and denominator."""

OWN = "own "
"""What a name begins with if its values hang on nothing but the player's own sheet."""

NOBODY = PlayerId(0)

Term = tuple["Entry", PlayerId, Fraction | int]
"""What one round gives to a tie-break: the round; whose record the value is taken from (NOBODY: the player's own, or a
dummy's); and the value counted, floors and caps applied."""


class Tally(NamedTuple):
    """A tie-break of one player: its value, how its terms make it (`mean`, `sum` …), and a way to list the terms.

    Ranking needs values only, so that the terms are not made before somebody asks.
    """

    value: Value
    how: str = ""
    list_terms: Callable[[], Sequence[Term]] = tuple

    @property
    def terms(self) -> Sequence[Term]:
        """The terms, in order of rounds."""
        return self.list_terms()


TieBreakFunction = Callable[["Sheets", PlayerId], Tally]
"""A tie-break that looks at one player at a time."""


@cache
def halves(half_points: int) -> Fraction:
    """Return half points as points."""
    return Fraction(half_points, 2)


def exact_sum(values: Iterable[Fraction | int]) -> Fraction:
    """Add exactly.

    >>> exact_sum([Fraction(1, 3), Fraction(1, 6), 1])
    Fraction(3, 2)
    """
    return Fraction(*sum_of_ratios([value.as_integer_ratio() for value in values]))


def sum_of_ratios(ratios: Iterable[Ratio]) -> Ratio:
    """Add exactly over one common denominator: several times faster than adding Fractions one by one."""
    total, below = 0, 1
    for over, under in ratios:
        if under == below:
            total += over
        elif below % under == 0:
            total += over * (below // under)
        else:
            common = math.lcm(below, under)
            total = total * (common // below) + over * (common // under)
            below = common
    return total, below


def over_one_denominator(values: Sequence[Value]) -> tuple[int, list[int | None]]:
    """Return a common denominator and the values' numerators over it: whole numbers of the same order.

    >>> over_one_denominator([Fraction(1, 3), None, Fraction(1, 2), 1])
    (6, [2, None, 3, 6])
    """
    ratios = [None if value is None else value.as_integer_ratio() for value in values]
    below = math.lcm(*{ratio[1] for ratio in ratios if ratio})
    return below, [ratio and ratio[0] * (below // ratio[1]) for ratio in ratios]


def remembered(sheets: Sheets, name: str, player: PlayerId, function: TieBreakFunction) -> Value:
    """Return the value of `function` for `player`, worked out at most once for these sheets under `name`."""
    known = sheets.memo.setdefault(name, {})
    if player not in known:
        known[player] = function(sheets, player).value
    return known[player]


@dataclass(frozen=True, slots=True)
class Scaled:
    """All players' values over one denominator: sums of them are sums of whole numbers. None: no value."""

    below: int
    above: Mapping[PlayerId, int | None]


def opponents_mean(sheets: Sheets, player: PlayerId, name: str, function: TieBreakFunction) -> Tally:
    """Return the mean of `function` over the opponents met: repeats count again, byes are skipped."""
    scaled = sheets.scaled.get(name)
    if scaled is None:
        scaled = sheets.scaled[name] = _scaled(sheets, name, function)
    above = scaled.above
    numbers = [number for opponent in sheets.met(player) if (number := above[opponent]) is not None]
    if not numbers:
        return Tally(None)
    value = Fraction(sum(numbers), scaled.below * len(numbers))
    return Tally(value, "mean", partial(_terms, sheets, player, name))


def _scaled(sheets: Sheets, name: str, function: TieBreakFunction) -> Scaled:
    values = [remembered(sheets, name, player, function) for player in sheets.players]
    below, above = over_one_denominator(values)
    return Scaled(below, dict(zip(sheets.players, above, strict=True)))


def _terms(sheets: Sheets, player: PlayerId, name: str) -> list[Term]:
    known = sheets.memo[name]
    return [
        (entry, opponent, value)
        for entry in sheets[player]
        for opponent in entry.met
        if (value := known[opponent]) is not None
    ]


def mean(terms: Sequence[Term]) -> Tally:
    """Return the mean of the terms' values; None without a term."""
    if not terms:
        return Tally(None)
    above, below = sum_of_ratios([value.as_integer_ratio() for _, _, value in terms])
    return Tally(Fraction(above, below * len(terms)), "mean", lambda: terms)


def total(terms: Sequence[Term]) -> Tally:
    """Return the sum of the terms' values."""
    return Tally(exact_sum([value for _, _, value in terms]), "sum", lambda: terms)
