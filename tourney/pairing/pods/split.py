"""How many tables of which size, and how many byes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tourney.errors import TourneyError
from tourney.pairing.manual import Sizes


@dataclass(frozen=True, slots=True)
class Split:
    """Sizes of the tables, the largest first, and the number of players left over."""

    tables: tuple[int, ...]
    byes: int


def split(players: int, sizes: Sizes, *, least_byes: int = 0) -> Split:
    """Divide players into tables: the fewest byes, then sizes nearest to the preferred one, then smaller tables.

    Nearest: the least sum of squared distances from the preferred size. There are never as many byes as the fewest
    seats of a table, but for `least_byes`. Raises TourneyError if there is not even one table.

    >>> split(13, Sizes(2, 4, 6)), split(7, Sizes(3, 3, 3)), split(10, Sizes(3, 4, 5))
    (Split(tables=(5, 4, 4), byes=0), Split(tables=(3, 3), byes=1), Split(tables=(4, 3, 3), byes=0))
    """
    best = _divisions(players, sizes)
    for byes in range(least_byes, players - sizes.fewest + 1):
        division = best[players - byes]
        if division is not None:
            return Split(tuple(sorted(division[2], reverse=True)), byes)
    raise TourneyError(
        f"{players - least_byes} players cannot fill a table of {sizes}",
        f"a round needs {sizes.fewest} players at least; let players return or enter, or allow smaller tables",
    )


def place_of(tables: Sequence[int], byes: int, sizes: Sizes) -> tuple[int, int, int]:
    """Return where a division stands in the order of `split`: byes, distance from the preferred size, minus the tables."""
    return byes, sum((size - sizes.preferred) ** 2 for size in tables), -len(tables)


def _divisions(players: int, sizes: Sizes) -> list[tuple[int, int, tuple[int, ...]] | None]:
    """Return for each number of players: distance from the preferred size, minus the number of tables, the tables."""
    best: list[tuple[int, int, tuple[int, ...]] | None] = [(0, 0, ())]
    for count in range(1, players + 1):
        options = []
        for size in range(sizes.fewest, min(sizes.most, count) + 1):
            rest = best[count - size]
            if rest is not None:
                distance = rest[0] + (size - sizes.preferred) ** 2
                options.append((distance, rest[1] - 1, (*rest[2], size)))
        best.append(min(options, default=None))
    return best
