"""What no round of pods can beat, level by level, without a search.

* Rematches: a player at a table of s shares it with s - 1 others; as many of them as there are not others unmet are
  rematches. Each is counted at both its players. Times met: for each player the least met of those. And where the field
  falls into c groups of players who have all met (such as the tables of one earlier round), a table of s has at least as
  many pairs from one group as s players spread over c groups as evenly as can be.
* Point differences: at each boundary between two scores, with u players above it, some pairs share a table across it
  unless the tables' sizes add up to u; c(u) is the least number of such pairs. A pair across several boundaries costs
  (g1 + g2 + …)² ≥ g1² + g2² + …, so the sum of gap² · c(u) is a bound. Where all tables are of one size, filling them
  from the top is the least there is: for two tables of equal size the cost is concave in the sum of one's points.
* Seats: each player's cheapest seat.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb, factorial

from tourney.pairing.pods.field import PodField, seat_price


def rematch_bound(field: PodField) -> tuple[int, int]:
    """Return the least number of pairs that share a table again, and of their earlier meetings."""
    pairs, meetings = _by_player(field)
    groups = len(groups_all_met(field))
    spread = sum(_evenly_spread(size, groups) for size in field.tables)
    return max(pairs, spread), max(meetings, spread)


def _evenly_spread(size: int, groups: int) -> int:
    each, more = divmod(size, groups)
    return more * comb(each + 1, 2) + (groups - more) * comb(each, 2)


def groups_all_met(field: PodField) -> list[list[int]]:
    """Return the field, by places, cut into few groups of players who have all met, going from the top."""
    rematch = field.prices[0]
    met = [
        {other for other, price in extra.items() if price % field.hard >= rematch} for extra in field.extra
    ]
    left = set(range(len(field.players)))
    groups = []
    while left:
        group = {min(left)}
        common = met[min(left)] & left
        while common:
            joining = max(sorted(common), key=lambda place: len(met[place] & common))
            group.add(joining)
            common &= met[joining]
        left -= group
        groups.append(sorted(group))
    return groups


def _by_player(field: PodField) -> tuple[int, int]:
    rematch, meeting, _ = field.prices
    short: list[tuple[int, int]] = []
    for place in range(len(field.players)):
        prices = [price % field.hard for price in field.extra[place].values()]
        times = sorted(price % rematch // meeting for price in prices if price >= rematch)
        barred = sum(1 for price in field.extra[place].values() if price >= rematch)
        mates = min(field.tables) - 1
        missing = max(0, mates - (len(field.players) - 1 - barred))
        missing = min(missing, len(times))
        short.append((missing, sum(times[:missing])))
    short.sort(reverse=True)
    # Whoever rests shares no table: the worst off may be among them.
    pairs = sum(missing for missing, _ in short[field.resting :])
    meetings = sorted((times for _, times in short), reverse=True)[field.resting :]
    return -(-pairs // 2), -(-sum(meetings) // 2)


def difference_bound(field: PodField) -> int:
    """Return the least sum of squared point differences, rematches left aside."""
    points = _seated_points(field)
    bound = _boundaries(points, field.tables)
    if len(set(field.tables)) == 1:
        bound = max(bound, _from_the_top(points, field.tables[0]))
    return bound


def _seated_points(field: PodField) -> list[int]:
    """Return the points of all who are seated, from the top: those who may rest all have the same."""
    points = list(field.points)
    if field.resting:
        shared = field.points[min(field.may_rest)]
        for _ in range(field.resting):
            points.remove(shared)
    return points


def _boundaries(points: Sequence[int], tables: Sequence[int]) -> int:
    if len(set(points)) < 2:
        return 0
    crossing = _least_crossing(tables)
    gaps = ((n, points[n - 1] - points[n]) for n in range(1, len(points)))
    return sum(gap**2 * crossing[above] for above, gap in gaps if gap)


def _least_crossing(tables: Sequence[int]) -> list[int]:
    """Return for each number u of players the least number of pairs of one table, one of them among the u, one not."""
    total = sum(tables)
    never = total * total
    least = [0] + [never] * total
    seated = 0
    for size in tables:
        seated += size
        least = [
            min(
                (least[above - part] + part * (size - part) for part in range(min(size, above) + 1)),
                default=never,
            )
            if above <= seated
            else never
            for above in range(total + 1)
        ]
    return least


def _from_the_top(points: Sequence[int], size: int) -> int:
    tables = [points[start : start + size] for start in range(0, len(points), size)]
    return sum((a - b) ** 2 for table in tables for number, a in enumerate(table) for b in table[:number])


def seat_bound(field: PodField) -> int:
    """Return the least that the unevenness of seats grows by."""
    most = max(field.tables)
    least = sorted(2 * min(seats[seat] for seat in range(1, most + 1)) + 1 for seats in field.seats)
    return sum(least[: len(least) - field.resting])


# -- All rounds there are, for small fields: the best one is proved by having seen every other


MOST = 20_000
"""How many rounds are looked at one by one; more are left to the local search."""

Tables = tuple[tuple[int, ...], ...]
"""The places in the field of those who sit at each table."""


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
            seated = set(table)
            rest = [place for place in places if place not in seated]
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
