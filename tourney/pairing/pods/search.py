"""The local search for fields too large to see every round: start from the top down, exchange, shake, keep the best.

Everything follows from the seed and the field; nothing looks at a clock. One step exchanges two players of different
tables (or a resting one with one who may rest), or moves a player to a table that is smaller by one. `effort` bounds the
number of exchanges that are weighed.
"""

from __future__ import annotations

from collections.abc import Iterator

from tourney.pairing.dice import draw, shuffled
from tourney.pairing.pods.field import PodField
from tourney.pairing.pods.seats import seat_price

REACH = 40
"""A player is exchanged with those at most so many places away in the order of points; smaller fields: with all."""


class Search:
    """A round in the making. `tables` are lists of places; the last one, if anybody rests, is those who rest."""

    def __init__(self, field: PodField, seed: str, effort: int) -> None:
        self.field = field
        self.seed = seed
        self.effort = self.left = effort
        self.tables = _start(field)
        self.rest = len(field.tables) if field.resting else None
        self.at = {place: number for number, table in enumerate(self.tables) for place in table}
        self.weights = [self._weight(number) for number in range(len(self.tables))]

    @property
    def price(self) -> int:
        """What the round costs now, the seats left aside."""
        return sum(self.weights)

    def run(self, target: int) -> None:
        """Search until the price is `target` or the effort is spent; the best round found stays."""
        if self.price <= target or len(self.tables) == 1:
            return
        self._descend(shuffled(self.seed, "first", range(len(self.field.players))))
        shake = 0
        while self.left > 0 and self.price > target:
            shake += 1
            left = self.left
            before = self.price, [list(table) for table in self.tables]
            self._descend(self._shake(shake))
            if self.price > before[0]:
                self._restore(before[1])
            if self.left == left:
                self.left -= (
                    1  # nothing could be exchanged; that counts, or a single table would be shaken for ever
                )

    def even_seats(self) -> None:
        """Exchange players where that costs nothing and makes the seats more even, for a tenth of the effort."""
        if not any(self.field.seats):
            return
        self.left = self.effort // 10
        for one in range(len(self.field.players)):
            for other in self._within_reach(one):
                if self.left <= 0:
                    return
                if other > one and self._costs_nothing(one, other):
                    self._keep_if_more_even(one, other)

    def _costs_nothing(self, one: int, other: int) -> bool:
        self.left -= 1
        return self._allowed(one, other) and self._exchanged(one, other) == self._together(one, other)

    def _keep_if_more_even(self, one: int, other: int) -> None:
        here, there = self.at[one], self.at[other]
        before = self._unevenness(here) + self._unevenness(there)
        self._exchange(one, other)
        if self._unevenness(here) + self._unevenness(there) >= before:
            self._exchange(one, other)

    def _unevenness(self, table: int) -> int:
        return 0 if table == self.rest else seat_price(self.field, self.tables[table])

    def _weight(self, number: int) -> int:
        return 0 if number == self.rest else self.field.table_price(self.tables[number])

    def _descend(self, queue: list[int]) -> None:
        """Make every exchange that helps, until no player of the queue, nor any touched since, has one."""
        waiting = dict.fromkeys(queue)
        while waiting and self.left > 0:
            one = next(iter(waiting))
            del waiting[one]
            if self._improve(one):
                waiting |= dict.fromkeys(self.tables[self.at[one]])
                waiting[one] = None

    def _improve(self, one: int) -> bool:
        for other in self._within_reach(one):
            if not self._together(one, other):
                continue  # two tables that cost nothing cannot get better
            self.left -= 1
            if self._allowed(one, other) and self._exchanged(one, other) < self._together(one, other):
                self._exchange(one, other)
                return True
        return any(self._move_helps(one, number) for number in range(len(self.tables)))

    def _within_reach(self, one: int) -> Iterator[int]:
        """Return who may be exchanged with a player, the nearest in points first."""
        count = len(self.field.players)
        reach = count if count <= 3 * REACH else REACH
        for distance in range(1, reach + 1):
            for other in (one - distance, one + distance):
                if 0 <= other < count and self.at[other] != self.at[one]:
                    yield other

    def _allowed(self, one: int, other: int) -> bool:
        if self.at[one] == self.at[other]:
            return False
        resting = self.rest in (self.at[one], self.at[other])
        return not resting or {one, other} <= self.field.may_rest

    def _together(self, one: int, other: int) -> int:
        return self.weights[self.at[one]] + self.weights[self.at[other]]

    def _exchanged(self, one: int, other: int) -> int:
        total = 0
        for number, leaves, comes in ((self.at[one], one, other), (self.at[other], other, one)):
            if number != self.rest:
                total += self.field.table_price(
                    [comes if place == leaves else place for place in self.tables[number]]
                )
        return total

    def _exchange(self, one: int, other: int) -> None:
        here, there = self.at[one], self.at[other]
        self.tables[here][self.tables[here].index(one)] = other
        self.tables[there][self.tables[there].index(other)] = one
        self.at[one], self.at[other] = there, here
        self.weights[here], self.weights[there] = self._weight(here), self._weight(there)

    def _move_helps(self, one: int, there: int) -> bool:
        """Move a player to a table that is smaller by one, if that helps; the sizes stay what they were."""
        here = self.at[one]
        if self.rest in (here, there) or len(self.tables[there]) + 1 != len(self.tables[here]):
            return False
        self.left -= 1
        without = [place for place in self.tables[here] if place != one]
        price = self.field.table_price(without) + self.field.table_price([*self.tables[there], one])
        if price >= self.weights[here] + self.weights[there]:
            return False
        self.tables[here] = without
        self.tables[there] = [*self.tables[there], one]
        self.at[one] = there
        self.weights[here], self.weights[there] = self._weight(here), self._weight(there)
        return True

    def _shake(self, number: int) -> list[int]:
        """Exchange a few players at random, one of them from a dear table; return whom to look at again."""
        dear = [place for place in self.at if self.weights[self.at[place]]] or list(self.at)
        dear.sort()
        touched: list[int] = []
        for step in range(2 + draw(self.seed, "kicks", number, below=3)):
            pool = dear if step == 0 else range(len(self.field.players))
            one = pool[draw(self.seed, "kick", number, step, below=len(pool))]
            near = [other for other in self._within_reach(one) if self._allowed(one, other)]
            if near:
                self._exchange(
                    one, near[draw(self.seed, "with", number, step, below=min(len(near), 2 * REACH))]
                )
                touched += self.tables[self.at[one]] + self.tables[self.at[near[0]]]
        return list(dict.fromkeys(touched))

    def _restore(self, tables: list[list[int]]) -> None:
        self.tables = tables
        self.at = {place: number for number, table in enumerate(tables) for place in table}
        self.weights = [self._weight(number) for number in range(len(tables))]


def _start(field: PodField) -> list[list[int]]:
    """Fill the tables from the top; the last ones of those who may rest, rest."""
    resting = sorted(field.may_rest)[len(field.may_rest) - field.resting :]
    seated = [place for place in range(len(field.players)) if place not in resting]
    tables: list[list[int]] = []
    for size in field.tables:
        tables.append(seated[:size])
        seated = seated[size:]
    return [*tables, resting] if resting else tables
