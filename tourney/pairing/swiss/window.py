"""A window: consecutive point groups that are solved together, and the candidate tables among them.

Up to 600 players the window is the whole field. Above, windows lie between large groups (`separators`), of which only a few
representatives are lent to a window; what is lent and not used is given back, so representatives of one group may be
paired with each other whether or not they have met.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from tourney.pairing.entrant import NOBODY
from tourney.pairing.options import Pair
from tourney.pairing.swiss.field import Field, Groups
from tourney.record import PlayerId


@dataclass(frozen=True)
class Window:
    """Groups from the top; in an odd field the bye is the last player of the group whose points it gets.

    bye_class: who may have the bye: all of one group
    lent:      numbers of the groups that are representatives
    """

    field: Field
    groups: Groups
    points: Sequence[int]
    bye_class: frozenset[PlayerId] = frozenset()
    lent: frozenset[int] = frozenset()

    @property
    def players(self) -> list[PlayerId]:
        """Everybody in it from the top, the bye included."""
        return [player for group in self.groups for player in group]

    def unmet(self, one: PlayerId, other: PlayerId) -> bool:
        """Whether two may be paired without a conflict; one of them may be the bye."""
        if other == NOBODY:
            return one in self.bye_class
        if one == NOBODY:
            return other in self.bye_class
        return other not in self.field.barred[one]

    def inside(self, group: int) -> Iterator[Pair]:
        """Yield the candidate tables inside a group."""
        pairs = combinations(self.groups[group], 2)
        return pairs if group in self.lent else (pair for pair in pairs if self.unmet(*pair))

    def between(self, upper: int, lower: int) -> Iterator[Pair]:
        """Yield the candidate tables of two groups."""
        barred = self.field.barred
        lower_group = [player for player in self.groups[lower] if player != NOBODY]
        for one in self.groups[upper]:
            if one != NOBODY:
                met = barred[one]
                for other in lower_group:
                    if other not in met:
                        yield one, other

    def block(self, upper: int, lower: int) -> Iterator[Pair]:
        """Yield the candidate tables of two groups, which may be the same one."""
        return self.inside(upper) if upper == lower else self.between(upper, lower)


def whole_field(field: Field, bye_class: Sequence[PlayerId]) -> Window:
    """Return the window that is the whole field, with the bye in the group of `bye_class` (empty: nobody has it)."""
    points = [field.points[group[0]] for group in field.groups]
    groups = list(field.groups)
    if bye_class:
        place = points.index(field.points[bye_class[0]])
        groups[place] = [*groups[place], NOBODY]
    return Window(field, groups, points, frozenset(bye_class))
