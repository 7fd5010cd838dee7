"""Exact values of tie-breaks, and what they are made of."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from tourney.record import PlayerId

if TYPE_CHECKING:
    from tourney.standings.sheets import Entry, Sheets

Value = Fraction | int | None
"""A tie-break's value: exact; None is "has no value" and sorts last."""

NOBODY = PlayerId(0)


class Term(NamedTuple):
    """What one round gives to a tie-break.

    opponent: whose record the value is taken from; NOBODY where it is the player's own (or a dummy's)
    value:    what is counted, floors and caps applied
    """

    entry: Entry
    opponent: PlayerId
    value: Fraction | int


class Tally(NamedTuple):
    """A tie-break of one player: its value, the terms it was made from, and how (`mean`, `sum` …)."""

    value: Value
    terms: Sequence[Term] = ()
    how: str = ""


TieBreakFunction = Callable[["Sheets", PlayerId], Tally]
"""A tie-break that looks at one player at a time."""


def exact_sum(values: Iterable[Fraction | int]) -> Fraction:
    """Add exactly, over one common denominator: several times faster than adding Fractions one by one.

    >>> exact_sum([Fraction(1, 3), Fraction(1, 6), 1])
    Fraction(3, 2)
    """
    total, below = 0, 1
    for value in values:
        over, under = value.as_integer_ratio()
        if under != below:
            common = math.lcm(below, under)
            total, over, below = total * (common // below), over * (common // under), common
        total += over
    return Fraction(total, below)


def remembered(sheets: Sheets, name: str, player: PlayerId, function: TieBreakFunction) -> Value:
    """Return the value of `function` for `player`, worked out at most once for these sheets under `name`."""
    known = sheets.memo.setdefault(name, {})
    if player not in known:
        known[player] = function(sheets, player).value
    return known[player]


def opponents_mean(sheets: Sheets, player: PlayerId, name: str, function: TieBreakFunction) -> Tally:
    """Return the mean of `function` over the opponents met: repeats count again, byes are skipped."""
    known = sheets.memo.setdefault(name, {})
    terms = []
    for entry in sheets[player]:
        for opponent in entry.met:
            if opponent not in known:
                known[opponent] = function(sheets, opponent).value
            value = known[opponent]
            if value is not None:
                terms.append(Term(entry, opponent, value))
    return mean(terms)


def mean(terms: Sequence[Term]) -> Tally:
    """Return the mean of the terms' values; None without a term."""
    value = exact_sum([term.value for term in terms]) / len(terms) if terms else None
    return Tally(value, terms, "mean")


def total(terms: Sequence[Term]) -> Tally:
    """Return the sum of the terms' values."""
    return Tally(exact_sum([term.value for term in terms]), terms, "sum")
