"""The exact round of a window, on as few candidate tables as its bound allows.

A table of slack s cannot be in a round that costs less than bound + s. So the candidates of slack ≤ reach contain every
optimum, as soon as a round of cost ≤ bound + reach is found among them; and because they contain all optima of level 3, the
levels below are exact too. Reach 0 is tried first, which nearly always does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tourney.pairing.options import Pair
from tourney.pairing.swiss.bound import Bound, bound_of
from tourney.pairing.swiss.digits import pack
from tourney.pairing.swiss.levels import columns
from tourney.pairing.swiss.matching import cheapest
from tourney.pairing.swiss.window import Window
from tourney.pairing.swiss.words import pair_words

LONGEST_RUN = 3


@dataclass(frozen=True)
class Solved:
    """The best round of a window: its tables (the bye last in its own), their point differences squared, the bound."""

    pairs: list[Pair]
    cost: int
    bound: Bound


def solve_window(window: Window, seed: str, small: int) -> Solved | None:
    """Return the best conflict-free round of a window, or None if there is none. `small` is that of `bound_of`."""
    bound = bound_of(window, small)
    solved = _attempt(window, seed, bound, 0)
    if solved is None or solved.cost > bound.total:
        bound = max(bound, bound_of(window, small, LONGEST_RUN), key=lambda each: each.total)
        solved = _widen(window, seed, bound)
    return solved


def _widen(window: Window, seed: str, bound: Bound) -> Solved | None:
    """Try wider and wider candidates until a round is found that proves itself."""
    for reach in _reaches(bound):
        solved = _attempt(window, seed, bound, reach)
        if solved is not None:
            gap = solved.cost - bound.total
            return solved if gap <= reach else _attempt(window, seed, bound, gap)
    return None


def _reaches(bound: Bound) -> Iterator[int]:
    """Yield slacks of tables, from 0, more than doubling; the last one takes every table in."""
    slacks = sorted({slack for row in bound.slacks() for slack in row})
    reach = 0
    yield reach
    for slack in slacks:
        if slack > reach and (slack >= 2 * reach or slack == slacks[-1]):
            reach = slack
            yield reach


def _attempt(window: Window, seed: str, bound: Bound, reach: int) -> Solved | None:
    tables = candidates(window, bound, reach)
    values = columns(window.field, tables)
    prices = pack([*values.values(), pair_words(seed, tables)], len(window.players) // 2)
    pairs = cheapest(window.players, tables, prices)
    if pairs is None:
        return None
    points = window.field.points
    cost = sum((points[one] - points[other]) ** 2 for one, other in pairs if other)
    assert cost >= bound.total, "no round undercuts the bound"
    return Solved(pairs, cost, bound)


def candidates(window: Window, bound: Bound, reach: int) -> list[Pair]:
    """Return the candidate tables of a window whose slack is at most `reach`."""
    tables: list[Pair] = []
    for upper, row in enumerate(bound.slacks()):
        for lower, slack in enumerate(row, upper):
            if slack <= reach:
                tables.extend(window.block(upper, lower))
    return tables
