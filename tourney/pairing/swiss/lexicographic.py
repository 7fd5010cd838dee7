"""The best round on given candidates, level by level: one matching where the levels fit into one price, else several.

When all levels together are too wide, as many as fit are decided first. That tells what the best round has on them, which
makes their digits much narrower (`digits`), and leaves out tables that alone cost more; so the next levels fit as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import compress
from operator import le

from tourney.errors import TourneyError
from tourney.pairing.options import Pair
from tourney.pairing.swiss.digits import MOST_BITS, Column, normal, pack, width
from tourney.pairing.swiss.matching import cheapest
from tourney.record import PlayerId


def best_round(
    vertices: Sequence[PlayerId], tables: Sequence[Pair], levels: Iterable[Column]
) -> list[Pair] | None:
    """Return the complete round that is best on the first level, then on the second …; None if there is none.

    vertices: who is to be seated, the bye included; tables: the candidates; levels: from the top, a value for each candidate

    Raises TourneyError if a single level is too wide to be matched exactly.
    """
    columns = [normal(column) for column in levels]
    totals: list[int] = []
    while True:
        decided, prices = _widest_that_fits(columns, len(vertices) // 2, totals)
        made = cheapest(vertices, tables, prices)
        if made is None or decided == len(columns):
            return made
        totals = _totals(columns[:decided], tables, made)
        keep = [all(map(le, values, totals)) for values in zip(*columns[:decided], strict=True)]
        tables = list(compress(tables, keep))
        columns = [list(compress(column, keep)) for column in columns]


def _widest_that_fits(columns: Sequence[Column], tables: int, totals: Sequence[int]) -> tuple[int, list[int]]:
    """Return how many levels fit into one price, at least one more than are decided, and the prices."""
    for count in range(len(columns), len(totals), -1):
        prices = pack(columns[:count], tables, totals)
        if width(prices) <= MOST_BITS:
            return count, prices
    raise TourneyError(
        f"this round needs prices of {width(prices)} bits, at most {MOST_BITS} can be matched exactly",
        "points that differ by millions are what makes it so wide; use a profile with smaller points",
    )


def _totals(columns: Sequence[Column], tables: Sequence[Pair], made: Sequence[Pair]) -> list[int]:
    chosen = set(made)
    places = [place for place, table in enumerate(tables) if table in chosen]
    return [sum(column[place] for place in places) for column in columns]
