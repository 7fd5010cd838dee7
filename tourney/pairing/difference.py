"""What two rounds cost, compared in words: which level decides between them, and what that means at the tables.

This is the one place where a cost is told to people: `round check`, `prove`, `why` and `why-not` say what stands here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations

import msgspec

from tourney.pairing.pairing import Cost, Mode
from tourney.record import PlayerId, Table, points_text
from tourney.wording import counted, listed, times


class Gaps(msgspec.Struct, frozen=True):
    """How far apart in points the players of each table are: gap in half points → number of tables, level tables left out."""

    tables: Mapping[int, int]

    @classmethod
    def of(cls, gaps: Iterable[int]) -> Gaps:
        """Count gaps."""
        counts = Counter(abs(gap) for gap in gaps if gap)
        return cls({gap: counts[gap] for gap in sorted(counts, reverse=True)})

    def text(self, noun: str = "table") -> str:
        """Say them, the widest first. noun: what has the gap, a table or (of larger tables) a pair.

        >>> Gaps.of([2, 0, -2, 1]).text()
        '2 tables 1 point apart and 1 table ½ point apart'
        """
        return listed(
            [f"{counted(count, noun)} {points_words(gap)} apart" for gap, count in self.tables.items()]
        )

    @classmethod
    def at(cls, tables: Iterable[Table], points: Mapping[PlayerId, int]) -> Gaps:
        """Count the gaps of every two players of a table. points: half points by player."""
        return cls.of(
            points[one] - points[other] for table in tables for one, other in combinations(table.seats, 2)
        )

    def priced(self, noun: str = "table") -> str:
        """Say them with what they cost.

        >>> Gaps.of([3, 1]).priced(), Gaps.of([0]).priced()
        ('1 table 1½ points apart and 1 table ½ point apart (2½, each gap counted as its square)', 'at every table all are on the same points')
        """
        if not self.tables:
            return "at every table all are on the same points"
        return f"{self.text(noun)} ({amount('differences', self.squares)}, each gap counted as its square)"

    @property
    def squares(self) -> int:
        """What they cost: each gap its square, in half points."""
        return sum(gap * gap * count for gap, count in self.tables.items())

    def beyond(self, other: Gaps) -> Gaps:
        """Return the gaps that are here and not in the other round."""
        return Gaps.of((Counter(self.tables) - Counter(other.tables)).elements())

    def no_wider(self, other: Gaps) -> bool:
        """Whether each gap, from the widest, is at most the other round's in the same place."""
        mine, theirs = (
            [gap for gap, count in each.tables.items() for _ in range(count)] for each in (self, other)
        )
        return len(mine) <= len(theirs) and all(one <= two for one, two in zip(mine, theirs, strict=False))


class Difference(
    msgspec.Struct, frozen=True, kw_only=True, rename={"other": "there", "gaps_other": "gaps_there"}
):  # as `round why --json` has always called them
    """The first level on which a round costs something else than a better one.

    level:  a field of `Cost`
    best, other: its value in the better round, and in the other one; what is said holds where it is more
    gaps_best, gaps_other: the gaps in points of two such rounds
    mode:   what the round's order is, where that is the level
    noun:   what has a gap: a table of two, or a pair at a larger one
    """

    level: str
    best: int
    other: int
    gaps_best: Gaps
    gaps_other: Gaps
    mode: Mode = Mode.RANDOM
    noun: str = "table"

    @classmethod
    def between(
        cls,
        best: Cost,
        other: Cost,
        gaps: tuple[Gaps, Gaps],
        *,
        levels: Sequence[str] = (),
        mode: Mode = Mode.RANDOM,
        noun: str = "table",
    ) -> Difference | None:
        """Return where two costs part first, or None where they are equal on `levels` (none named: on all). gaps: best's, the other's."""
        for level in levels or best.as_dict():
            values = getattr(best, level), getattr(other, level)
            if values[0] != values[1]:
                return cls(
                    level=level,
                    best=values[0],
                    other=values[1],
                    gaps_best=gaps[0],
                    gaps_other=gaps[1],
                    mode=mode,
                    noun=noun,
                )
        return None

    @property
    def text(self) -> str:
        """Say what the dearer round would be like: `there would be 2 rematches instead of none`."""
        return _CONSEQUENCES[self.level](self, _would)

    @property
    def stated(self) -> str:
        """Say what the dearer round is like: `there are 2 rematches instead of none`."""
        return _CONSEQUENCES[self.level](self, _does)

    @property
    def none(self) -> str:
        """The better value, `none` where it is 0."""
        return str(self.best) if self.best else "none"

    def of_bye(self) -> str:
        """Say what a round with a certain bye would be like: `somebody on 0 points can have it`."""
        if self.level == "bye_earlier":
            had = counted(self.best, "bye") if self.best else "no bye yet"
            return f"somebody who has had {had} can have it"
        if self.level == "bye_points":
            return f"somebody on {points_words(self.best)} can have it"
        return f"with this bye {self.text}"

    @property
    def wider(self) -> int:
        """How many more tables have the widest of the gaps that the better round does not have."""
        return next(iter(self.gaps_other.beyond(self.gaps_best).tables.values()), 0)

    def gaps(self) -> str:
        """Say what the gaps in points would be, those left out that both rounds have."""
        more, less = self.gaps_other.beyond(self.gaps_best), self.gaps_best.beyond(self.gaps_other)
        if not self.gaps_best.tables:
            return f"{more.text(self.noun)} instead of none"
        if not less.tables:
            return listed(
                [
                    f"{counted(count, f'more {self.noun}')} {points_words(gap)} apart"
                    for gap, count in more.tables.items()
                ]
            )
        change = f"{more.text(self.noun)} instead of {less.text(self.noun)}"
        if less.no_wider(more):
            return change
        dear, cheap = (amount("differences", each.squares) for each in (more, less))
        return f"{change}; a gap counts as its square, {dear} instead of {cheap}"


_Verb = Callable[[str, int], str]


def _would(verb: str, _: int) -> str:
    return f"would {verb}"


def _does(verb: str, number: int) -> str:
    one, many = {"be": ("is", "are"), "go": ("goes", "go"), "have": ("has", "have")}[verb]
    return one if number == 1 else many


_ORDERS: Mapping[Mode, str] = {
    Mode.FOLD: "the order by rating, in which the first of a score meets the last",
    Mode.SLIDE: "the order by rating, in which the upper half of a score meets the lower half",
    Mode.RANK: "the order of the standings, in which neighbours meet",
    Mode.RANDOM: "the round's order",
}
_CONSEQUENCES: Mapping[str, Callable[[Difference, _Verb], str]] = {
    "rematches": lambda more, verb: (
        f"there {verb('be', more.other)} {counted(more.other, 'rematch', 'rematches')} instead of {more.none}"
    ),
    "times_met": lambda more, verb: (
        f"the players who meet again {verb('have', 2)} met {times(more.other)} before instead of {times(more.best)}, "
        "all of them taken together"
    ),
    "bye_earlier": lambda more, verb: (
        f"the bye {verb('go', 1)} to somebody who has had {counted(more.other, 'bye')} already instead of {more.none}"
    ),
    "bye_points": lambda more, verb: (
        f"the bye {verb('go', 1)} to somebody on {points_words(more.other)} instead of {points_text(more.best)}"
    ),
    "differences": lambda more, verb: f"there {verb('be', more.wider)} {more.gaps()}",
    "apart": lambda more, verb: (
        f"{counted(more.other, 'wish', 'wishes')} to keep players apart {verb('be', more.other)} broken "
        f"instead of {more.none}"
    ),
    "order": lambda more, verb: f"the tables {verb('be', 2)} further from {_ORDERS[more.mode]}",
    "floats": lambda more, verb: (
        f"{counted(more.other, 'player')} {verb('be', more.other)} paired down, or up, twice running "
        f"instead of {more.none}"
    ),
    "imbalance": lambda _, verb: f"the sides {verb('be', 2)} shared out less evenly",
    "side_repeats": lambda more, verb: (
        f"{counted(more.other, 'player')} {verb('have', more.other)} the same side twice running "
        f"instead of {more.none}"
    ),
}
"""What a dearer round is like, by the level that is dearer."""


# The words and numbers that explanations are made of.


def points_words(half_points: int) -> str:
    """Print points with their noun.

    >>> [points_words(each) for each in (0, 1, 2, 3)]
    ['0 points', '½ point', '1 point', '1½ points']
    """
    return f"{points_text(half_points)} point{'' if half_points in {1, 2} else 's'}"


def amount(level: str, value: int) -> str:
    """Print a level's number in the unit people know: points instead of half points.

    >>> amount("differences", 18), amount("differences", 1), amount("bye_points", 3), amount("apart", 2)
    ('4½', '¼', '1½', '2')
    """
    if level == "differences":
        whole, quarters = divmod(value, 4)
        return f"{whole if whole or not quarters else ''}{('', '¼', '½', '¾')[quarters]}"
    return points_text(value) if level == "bye_points" else str(value)
