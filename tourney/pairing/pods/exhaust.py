"""All rounds there are, for small fields: the best one is proved by having seen every other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb, factorial

from tourney.pairing.pods.field import PodField
from tourney.pairing.pods.seats import seat_price

MOST = 20_000
"""How many rounds are looked at one by one; more are left to the local search."""

Tables = tuple[tuple[int, ...], ...]


def rounds_there_are(field: PodField) -> int:
    """Return the number of ways to seat the field."""
    ways = comb(len(field.may_rest), field.resting)
    left = sum(field.tables)
    for size in field.tables:
        ways *= comb(left, size)
        left -= size
    for size in set(field.tables):
        ways //= factorial(field.tables.count(size))
    return ways


def best_of_all(field: PodField) -> tuple[Tables, tuple[int, ...]]:
    """Return the tables of least price, even seats last, and who rests; the first found in order of place."""
    walk = _Walk(field)
    everybody = range(len(field.players))
    for resting in combinations(sorted(field.may_rest), field.resting):
        walk.fill([place for place in everybody if place not in resting], field.tables, (), (0, 0), resting)
    assert walk.best is not None, "a split leaves at least one way to fill the tables"
    return walk.best[1], walk.best[2]


class _Walk:
    """A search through all rounds that leaves a branch as soon as it costs as much as the best round seen."""

    def __init__(self, field: PodField) -> None:
        self.field = field
        self.best: tuple[tuple[int, int], Tables, tuple[int, ...]] | None = None
        self.prices: dict[tuple[int, ...], tuple[int, int]] = {}

    def fill(
        self,
        places: Sequence[int],
        sizes: Sequence[int],
        done: Tables,
        price: tuple[int, int],
        resting: tuple[int, ...],
    ) -> None:
        """Seat the first place with others at a table of each size that is left, and go on with the rest."""
        if self.best is not None and price >= self.best[0]:
            return
        if not places:
            self.best = (price, done, resting)
            return
        for table, left in _tables_of_first(places, sizes):
            added = self._price(table)
            there = set(table)
            rest = [place for place in places if place not in there]
            self.fill(rest, left, (*done, table), (price[0] + added[0], price[1] + added[1]), resting)

    def _price(self, table: tuple[int, ...]) -> tuple[int, int]:
        if table not in self.prices:
            self.prices[table] = (self.field.table_price(table), seat_price(self.field, table))
        return self.prices[table]


def _tables_of_first(
    places: Sequence[int], sizes: Sequence[int]
) -> Iterator[tuple[tuple[int, ...], list[int]]]:
    for size in sorted(set(sizes)):
        left = list(sizes)
        left.remove(size)
        for mates in combinations(places[1:], size - 1):
            yield (places[0], *mates), left
