"""Two costs compared, in words: which level decides between two rounds and by how much."""

from __future__ import annotations

from dataclasses import dataclass

from tourney.pairing.pairing import Cost
from tourney.record import points_text

PHRASES = {
    "rematches": "rematches",
    "times_met": "earlier meetings of the players who meet again",
    "bye_earlier": "earlier byes of the player with the bye",
    "bye_points": "points of the player with the bye",
    "differences": "squared point differences, added up",
    "apart": "keep-aparts broken",
    "order": "squared distance from the round's order",
    "floats": "players floated twice running",
    "imbalance": "squared imbalance of sides, added up",
    "side_repeats": "players with the same side twice running",
}
"""What each level counts, as a heading before its number."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The first level on which two costs differ.

    level: a field of `Cost`
    best:  its value in the better round; there: in the other one
    """

    level: str
    best: int
    there: int

    @property
    def more(self) -> int:
        """By how much the other round is dearer on this level (negative: cheaper)."""
        return self.there - self.best


def first_difference(best: Cost, other: Cost) -> Difference | None:
    """Return the first level on which `other` differs from `best`, or None where all are equal."""
    values = other.as_dict()
    return next(
        (
            Difference(level, value, values[level])
            for level, value in best.as_dict().items()
            if value != values[level]
        ),
        None,
    )


def amount(level: str, value: int) -> str:
    """Print a level's number in the unit people know: points instead of half points.

    >>> amount("differences", 18), amount("bye_points", 3), amount("apart", 2)
    ('4½', '1½', '2')
    """
    if level == "differences":
        whole, quarters = divmod(value, 4)
        return f"{whole if whole or not quarters else ''}{('', '¼', '½', '¾')[quarters]}"
    return points_text(value) if level == "bye_points" else str(value)


def points_words(half_points: int) -> str:
    """Print points with their noun.

    >>> [points_words(each) for each in (0, 1, 2, 3)]
    ['0 points', '½ point', '1 point', '1½ points']
    """
    return f"{points_text(half_points)} point{'' if half_points in {1, 2} else 's'}"


def sentence(difference: Difference) -> str:
    """Say how a round is dearer than the best one.

    >>> sentence(Difference("differences", 8, 16))
    'squared point differences, added up: 4, where 2 is possible'
    """
    there, best = amount(difference.level, difference.there), amount(difference.level, difference.best)
    return f"{PHRASES[difference.level]}: {there}, where {best} is possible"
