"""A bound from who may meet at all, by kinds of players: what a club that is kept apart costs a whole field.

Players of one group and one club are of one kind; a club of more than half a group cannot be paired inside it, and where
most groups are like that, its members float in chains that no boundary alone can count. Let everybody be paired by halves
with others whose kind they may meet, histories left aside: that is a problem of transport between kinds, and its duals give
each player a potential such that no two who may meet cost less than their potentials together. So

    cost of a round ≥ sum of all potentials,

and to match by what a table costs beyond its two potentials gives the same rounds as to match by what it costs, much faster:
the tables of the best round are among those that cost nothing. (Weak duality of linear programming; halves make it a bound
and not always the optimum.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tourney.pairing.entrant import NOBODY
from tourney.pairing.swiss.window import Window
from tourney.record import PlayerId

FEWEST_OF_A_CLUB = 20
"""Smaller ones are left out of account: that makes the bound lower, never wrong."""
MOST_KINDS = 100

Kind = tuple[int, frozenset[PlayerId]]
"""Points and club; nobody's kind has points that nobody can have."""

_NO_CLUB: frozenset[PlayerId] = frozenset()


def potentials(window: Window) -> tuple[dict[PlayerId, int], int]:
    """Return twice the potential of each player of a window (the bye's as well), and the least cost they prove."""
    kind_of = _kinds(window)
    kinds = sorted(set(kind_of.values()), key=lambda kind: (-kind[0], len(kind[1]), min(kind[1], default=0)))
    if len(kinds) > MOST_KINDS:
        return dict.fromkeys(kind_of, 0), 0
    counts = Counter(kind_of.values())
    takers = {kind_of[player] for player in window.bye_class}
    nobodys = kind_of.get(NOBODY)

    def price(one: Kind, other: Kind) -> int | None:
        if nobodys in (one, other):
            return 0 if (other if one == nobodys else one) in takers and one != other else None
        if (one == other and counts[one] < 2) or (one[1] and one[1] == other[1]):
            return None
        return (one[0] - other[0]) ** 2

    prices = [[price(one, other) for other in kinds] for one in kinds]
    twice = _duals(prices, [counts[kind] for kind in kinds])
    of_kind = dict(zip(kinds, twice, strict=True))
    total = -(-sum(of_kind[kind] for kind in kind_of.values()) // 2)
    points = window.field.points
    odd = sum(points[player] for player in kind_of if player != NOBODY)
    odd -= points[next(iter(window.bye_class))] if nobodys is not None else 0
    return {player: of_kind[kind] for player, kind in kind_of.items()}, max(total + (total - odd) % 2, 0)


def _kinds(window: Window) -> dict[PlayerId, Kind]:
    """Return the kind of every player; a club is a set of players who are all kept apart from each other."""
    field = window.field
    clubs: dict[PlayerId, frozenset[PlayerId]] = {}
    for player in window.players:
        if player not in clubs and len(field.apart.get(player, ())) >= FEWEST_OF_A_CLUB:
            club = field.apart[player] | {player}
            members = [each for each in club if field.apart.get(each, _NO_CLUB) | {each} == club]
            clubs |= dict.fromkeys(members, club if len(members) >= FEWEST_OF_A_CLUB else _NO_CLUB)
    lent = {player for number in window.lent for player in window.groups[number]}
    return {
        player: (-1, _NO_CLUB)
        if player == NOBODY
        else (field.points[player], _NO_CLUB if player in lent else clubs.get(player, _NO_CLUB))
        for player in window.players
    }


def _duals(prices: Sequence[Sequence[int | None]], counts: Sequence[int]) -> list[int]:
    """Return twice the duals of the transport from each kind to each kind; zeros where it cannot be done at all.

    Shortest augmenting paths: what is left of a kind goes to the nearest that has room, others give way on the path.
    """
    size = range(len(counts))
    rows, columns = [0] * len(counts), [0] * len(counts)
    flow = [[0] * len(counts) for _ in size]
    left, room = list(counts), list(counts)
    for start in size:
        while left[start]:
            path = _path(start, prices, flow, room, (rows, columns))
            if path is None:
                return [0] * len(counts)
            amount = min(left[start], room[path[-1][1]], *(flow[row][column] for row, column in path[1::2]))
            for place, (row, column) in enumerate(path):
                flow[row][column] += -amount if place % 2 else amount
            left[start] -= amount
            room[path[-1][1]] -= amount
    return [row + column for row, column in zip(rows, columns, strict=True)]


def _path(
    start: int,
    prices: Sequence[Sequence[int | None]],
    flow: Sequence[Sequence[int]],
    room: Sequence[int],
    duals: tuple[list[int], list[int]],
) -> list[tuple[int, int]] | None:
    """Return the cheapest path to a kind with room, as (row, column) there and back in turn, and raise the duals by it."""
    rows, columns = duals
    walk = _Walk(start, prices, duals)
    while True:
        nearest = walk.nearest()
        if nearest is None:
            return None
        distance, column = nearest
        if room[column]:
            break
        walk.go_on(column, distance, [row for row in range(len(flow)) if flow[row][column]])
    for row, here in walk.reached.items():
        rows[row] += distance - here
    for each, here in walk.done.items():
        columns[each] -= distance - here
    return walk.way_to(column)


class _Walk:
    """A search for the nearest kind with room, by what tables cost beyond the duals.

    reached: rows and their distance; came: the column by which each was reached; near: columns, their distance and the row
    before; done: columns whose distance is settled
    """

    def __init__(
        self, start: int, prices: Sequence[Sequence[int | None]], duals: tuple[list[int], list[int]]
    ) -> None:
        self.prices, self.duals = prices, duals
        self.reached: dict[int, int] = {}
        self.came: dict[int, int] = {}
        self.near: dict[int, tuple[int, int]] = {}
        self.done: dict[int, int] = {}
        self.go_on(-1, 0, [start])

    def go_on(self, column: int, distance: int, rows: Sequence[int]) -> None:
        """Look on from the rows that a column leads back to."""
        for row in rows:
            if row not in self.reached:
                self.reached[row], self.came[row] = distance, column
                self._look(row, distance - self.duals[0][row])

    def _look(self, row: int, so_far: int) -> None:
        for column, price in enumerate(self.prices[row]):
            if price is not None and column not in self.done:
                distance = so_far + price - self.duals[1][column]
                if column not in self.near or distance < self.near[column][0]:
                    self.near[column] = (distance, row)

    def nearest(self) -> tuple[int, int] | None:
        """Settle the nearest column that is not, and return its distance and itself; None where there is none."""
        waiting = [(here, column) for column, (here, _) in self.near.items() if column not in self.done]
        if not waiting:
            return None
        distance, column = min(waiting)
        self.done[column] = distance
        return distance, column

    def way_to(self, column: int) -> list[tuple[int, int]]:
        """Return the way from the start to a column: there and back in turn."""
        way = []
        while column != -1:
            row = self.near[column][1]
            way.append((row, column))
            column = self.came[row]
            if column != -1:
                way.append((row, column))
        return way[::-1]
