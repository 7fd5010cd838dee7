"""The exact round of a window, on as few candidate tables as its bound allows.

A table of slack s cannot be in a round that costs less than bound + s. So the candidates of slack ≤ reach contain every
optimum, as soon as a round of cost ≤ bound + reach is found among them; and because they contain all optima of level 3, the
levels below are exact too. Reach 0 is tried first, which nearly always does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import compress

from tourney.pairing.options import Pair
from tourney.pairing.swiss.bound import Bound, bound_of
from tourney.pairing.swiss.digits import normal, pack
from tourney.pairing.swiss.ends import with_ends
from tourney.pairing.swiss.levels import Columns, columns
from tourney.pairing.swiss.lexicographic import best_round
from tourney.pairing.swiss.pruning import nearest, worth_keeping
from tourney.pairing.swiss.window import Window
from tourney.pairing.swiss.words import Words

FEW = 32
MANY = 65_000  # candidates from which pruning pays: one large group, as in a first round


@dataclass(frozen=True)
class Solved:
    """The best round of a window: its tables (the bye last in its own), their point differences squared, the bound."""

    pairs: list[Pair]
    cost: int
    bound: Bound


def solve_window(window: Window, words: Words, small: int) -> Solved | None:
    """Return the best conflict-free round of a window, or None if there is none. `small` is that of `bound_of`."""
    bound = bound_of(window, small)
    solved = _widen(window, words, with_ends(window, bound))
    return None if solved is None else replace(solved, bound=bound)


def _widen(window: Window, words: Words, bound: Bound) -> Solved | None:
    """Try wider and wider candidates until a round is found that proves itself; among few players all, next."""
    few = len(window.players) <= FEW
    for reach in (0, bound.greatest_slack) if few else _reaches(bound):
        solved = _attempt(window, words, bound, reach)
        if solved is not None:
            gap = solved.cost - bound.total
            return solved if gap <= reach else _attempt(window, words, bound, gap)
    return None


def _reaches(bound: Bound) -> Iterator[int]:
    """Yield wider and wider reaches, from 0; the last one takes every table in."""
    reach: int | None = 0
    while reach is not None:
        yield reach
        reach = bound.next_reach(reach)


def _attempt(window: Window, words: Words, bound: Bound, reach: int) -> Solved | None:
    tables, slacks = candidates(window, bound, reach)
    values = columns(window.field, tables)
    values["seed"] = words.of_pairs(tables)
    if len(tables) > MANY:
        keep = _pruned(window, bound, tables, slacks, values)
        tables = list(compress(tables, keep))
        values = {level: list(compress(column, keep)) for level, column in values.items()}
    return _cheapest(window, bound, tables, values)


def _cheapest(window: Window, bound: Bound, tables: Sequence[Pair], values: Columns) -> Solved | None:
    pairs = best_round(window.players, tables, values.values())
    if pairs is None:
        return None
    points = window.field.points
    cost = sum((points[one] - points[other]) ** 2 for one, other in pairs if other)
    assert cost >= bound.total, "no round undercuts the bound"
    return Solved(pairs, cost, bound)


def _pruned(
    window: Window, bound: Bound, tables: Sequence[Pair], slacks: Sequence[int], values: Columns
) -> Sequence[bool]:
    """Mark the tables that can be in the best round, judged by a round found on few of them.

    A round of cost c on level 3 has slacks of c − bound at most; so (slack, lower levels) prices a table at least as low as
    it must be for the round found to be undercut.
    """
    half = len(window.players) // 2
    lower = pack([normal(column) for level, column in values.items() if level != "differences"], half)
    width = half * max(lower) + 1
    floors = [slack * width + price for slack, price in zip(slacks, lower, strict=True)]
    near = nearest(tables, floors)
    few: Columns = {level: list(compress(column, near)) for level, column in values.items()}
    found = _cheapest(window, bound, list(compress(tables, near)), few)
    if found is None:
        return [True] * len(tables)
    made = set(found.pairs)
    reached = (found.cost - bound.total) * width
    reached += sum(price for table, price in zip(tables, lower, strict=True) if table in made)
    return worth_keeping(tables, floors, near, reached)


def candidates(window: Window, bound: Bound, reach: int) -> tuple[list[Pair], list[int]]:
    """Return the candidate tables of a window whose slack is at most `reach`, and their slacks."""
    tables: list[Pair] = []
    slacks: list[int] = []
    for upper, lower, slack in bound.blocks(reach):
        tables.extend(window.block(upper, lower))
        slacks.extend([slack] * (len(tables) - len(slacks)))
    return tables, slacks
