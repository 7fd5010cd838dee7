"""The best tables for the free players of a field: the whole field at once, windows between large groups, or saturated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from tourney.pairing.entrant import NOBODY
from tourney.pairing.options import Pair
from tourney.pairing.swiss.bound import bound_of
from tourney.pairing.swiss.bye import bye_class
from tourney.pairing.swiss.field import Field
from tourney.pairing.swiss.matching import most
from tourney.pairing.swiss.search import solve_window
from tourney.pairing.swiss.separators import MIDDLE, QUICK, Separation, proved_sizes
from tourney.pairing.swiss.transport import potentials
from tourney.pairing.swiss.whole import solve_whole, vertices
from tourney.pairing.swiss.window import Window, whole_field
from tourney.pairing.swiss.words import Words
from tourney.record import PlayerId

WHOLE = 600
"""Up to so many players every level is solved at once."""
MOST_CANDIDATES = 500_000
"""Beyond so many candidate tables a field without proved separators is not searched: that would take minutes."""


@dataclass(frozen=True)
class Solution:
    """The free players' tables (the bye last in its own), and what is proved of them.

    total:     the lower bound of their point differences squared
    rematches: the least number of rematches, proved by a largest matching of unmet players
    method:    how they were found
    exact_levels: the last level up to which they are the optimum; 0 where the point differences are only near the bound
    """

    pairs: list[Pair]
    total: int
    rematches: int
    method: str
    exact_levels: int


def solve(field: Field, words: Words) -> Solution | None:
    """Return the best round of a field, or None if the organizer's pairs leave no complete one."""
    if not field.free:
        return Solution([], 0, 0, "forced", 7)
    bye = bye_class(field)
    solution = None if bye is None else _conflict_free(field, bye, words)
    if solution is not None:
        return solution
    pairs = solve_whole(field, words)
    return None if pairs is None else Solution(pairs, 0, least_rematches(field), "saturated", 7)


def least_rematches(field: Field) -> int:
    """Return how many rematches the free players need at least, whoever has the bye.

    A round with r rematches has an unmet matching of its other tables, so a largest one leaves at most 2r players over.
    """
    unmet = [pair for pair in combinations(field.free, 2) if field.unmet(*pair)]
    unmet += [(player, NOBODY) for each in field.bye_classes for player in each]
    players = vertices(field)
    return (len(players) - 2 * len(most(players, unmet))) // 2


def _conflict_free(field: Field, bye: Sequence[PlayerId], words: Words) -> Solution | None:
    small = 2 * field.most_barred + 4
    window = whole_field(field, bye)
    bound = bound_of(window, small)
    near = None
    if len(field.free) > WHOLE and not _pressed(window, bound.total):
        near = _separated(field, bye, words, small, bound.total)
        if near is not None and (near.exact_levels or _too_many(window)):
            return near
    solved = solve_window(window, words, bound)
    if solved is None:
        return near
    method, exact = ("whole", 7) if solved.every_level else ("whole, few partners", 3)
    return Solution(solved.pairs, bound.total, 0, method, exact)


def _pressed(window: Window, total: int) -> bool:
    """Whether clubs that are kept apart cost more than the bound knows of, so that no separation can meet it."""
    return bool(window.field.apart) and not _too_many(window) and potentials(window)[1] > total


def _too_many(window: Window) -> bool:
    return sum(len(group) ** 2 for group in window.groups) // 2 > MOST_CANDIDATES


def _separated(
    field: Field, bye: Sequence[PlayerId], words: Words, small: int, total: int
) -> Solution | None:
    """Return the round of the first pass that proves itself, else that of the last pass, or None. total: the bound."""
    proved = proved_sizes(field.most_barred)
    found: list[Solution] = []
    for sizes in (QUICK, MIDDLE, proved):
        separation = Separation(field, bye, words, sizes)
        if not separation.separators or (sizes != proved and sizes >= proved):
            continue
        made = separation.solve(small)
        if made is not None:
            exact = sizes == proved or made.cost == total
            found.append(
                Solution(made.pairs, total, 0, f"separators {sizes[0]}/{sizes[1]}", 3 if exact else 0)
            )
            if exact:
                return found[-1]
    return found[-1] if found else None
