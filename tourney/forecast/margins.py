"""By how much a tie-break tells two apart who are level on points, whatever the open tables end in: the values that a count rests on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from tourney.forecast.bounds import Asker, Counting, Places, Question, Stand, is_none
from tourney.record import PlayerId
from tourney.standings import tiebreaks


@dataclass(frozen=True, slots=True, kw_only=True)
class Margin:
    """How a player is told apart from another by one tie-break, as near as the two can come to each other.

    code:         of the tie-break
    mine, theirs: the values that come nearest to each other, each player's taken alone: the player's least and the other's
                  most where the other stays behind, the other way round where the other stays ahead (and where low is good);
                  None: no value
    gap:          how far the two lie apart at least, what a table does to both taken together; None: one has no value
    alone:        whether `mine` and `theirs` show it by themselves, and not only `gap`
    """

    code: str
    mine: Fraction | None
    theirs: Fraction | None
    gap: Fraction | None
    alone: bool


def told_apart(bounds: Counting, mine: Asker, node: Stand, ask: Question) -> Mapping[PlayerId, Margin]:
    """Return those whom a tie-break keeps behind the player (`may be level`) or ahead (`is above`), whatever the tables of `node` end in.

    Whoever is level on points only with some results of the own table stays on that side by points with the others. Where
    two such results are told apart by two tie-breaks, the later one is named, without values.
    """
    asked = _Asked(bounds, mine, node, ask)
    found = {}
    for other in sorted(bounds.players - {mine.player}):
        nearest: dict[str, _Nearest] = {}
        for code, near in asked.nearest(other):
            nearest[code] = near if code not in nearest else nearest[code].or_nearer(near)
        if nearest:
            last = max(nearest, key=bounds.profile.order.index)
            found[other] = nearest[last].as_margin(last, told=len(nearest) == 1)
    return found


class _Nearest(NamedTuple):
    """Values as near to each other as they can come, the greater the better. side: 1 where the other stays ahead, -1 where behind."""

    side: int
    mine: Fraction | int
    theirs: Fraction | int
    gap: Fraction | int

    def or_nearer(self, other: _Nearest) -> _Nearest:
        """Return what holds for both."""
        mine, theirs = (max, min) if self.side > 0 else (min, max)
        return _Nearest(
            self.side,
            mine(self.mine, other.mine),
            theirs(self.theirs, other.theirs),
            min(self.gap, other.gap),
        )

    def as_margin(self, code: str, *, told: bool) -> Margin:
        """Return it with the values as they are printed. told: whether they hold for all results."""
        sign = -1 if tiebreaks.find(code).low else 1
        values = [
            None if not told or is_none(value) else Fraction(sign * value)
            for value in (self.mine, self.theirs)
        ]
        return Margin(
            code=code,
            mine=values[0],
            theirs=values[1],
            gap=None if None in values else Fraction(self.gap),
            alone=self.side * (self.theirs - self.mine) > 0,
        )


class _Asked(NamedTuple):
    """What is asked of every other player."""

    bounds: Counting
    mine: Asker
    node: Stand
    ask: Question

    def nearest(self, other: PlayerId) -> list[tuple[str, _Nearest]]:
        """Return one for each group of results of the other's table that leaves the two level; none where another way is possible, too."""
        bounds, ahead = self.bounds, self.ask == "is above"
        if self.node.by_points or (other in bounds.early) != (self.mine.player in bounds.early):
            return []
        if ahead and other in bounds.perhaps_gone:
            return []
        found = []
        for members, points in self._results(other):
            line = self.mine.most if ahead else self.mine.least
            if bounds.led_by_points and points != line:
                if (points > line) is not ahead:
                    return []
                continue
            counted, code = bounds.tie_break(self.mine, self.node, other, members, self.ask)
            if counted is not ahead or not code:
                return []
            found.append((code, self._near(code, other, members)))
        return found

    def _results(self, other: PlayerId) -> Iterator[tuple[Places | None, int]]:
        """Give the groups of results of the other's table, with the half points that they bring the other to."""
        bounds, at = self.bounds, self.bounds.table_of.get(other)
        if at is None:
            yield None, bounds.points[other]
            return
        table = bounds.tables[at]
        for members in bounds.groups(at, self.node.state[at]):
            yield members, bounds.points[other] + table.kinds[members[0]][table.seats.index(other)][1]

    def _near(self, code: str, other: PlayerId, members: Places | None) -> _Nearest:
        bounds, mine = self.bounds, self.mine
        side = 1 if self.ask == "is above" else -1
        column = next(column for column in bounds.columns if column.row.code == code)
        if column.moves == "grows":
            met = bounds.table_of.get(other, -1) == bounds.table_of.get(mine.player)
            own = column.ends(mine.player, members if met else mine.results)[side > 0]
            theirs = column.ends(other, members)[side < 0]
            return _Nearest(side, own, theirs, side * (theirs - own))
        node, at = self.node, bounds.table_of.get(other, -1)
        below = column.moving(mine.player).below * column.moving(other).below
        return _Nearest(
            side,
            column.end(mine.player, node, at, members, side),
            column.end(other, node, at, members, -side),
            side * Fraction(column.extreme(mine.player, other, node, members, -side), below),
        )
