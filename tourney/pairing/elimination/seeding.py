"""Who is in the bracket, and which seeds meet."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tourney.errors import TourneyError
from tourney.record import PlayerId


def seeds(standing: Sequence[PlayerId], size: int, gone: Collection[PlayerId] = ()) -> tuple[PlayerId, ...]:
    """Return the first `size` of the standings who are still there, in seed order: for each one gone the next moves up.

    Raises TourneyError for a cut of fewer than two, or of more than are there.

    >>> seeds([PlayerId(n) for n in (5, 3, 8, 1)], 2, gone={PlayerId(5)})
    (3, 8)
    """
    there = [player for player in standing if player not in gone]
    if size < 2:
        raise TourneyError(f"a cut needs two players at least, not {size}")
    if len(there) < size:
        raise TourneyError(
            f"a cut to {size} needs {size} players, and {len(there)} are still there",
            f"cut to {len(there)}" if len(there) >= 2 else "let players return first",
        )
    return tuple(there[:size])


def fold(places: int) -> tuple[int, ...]:
    """Return the seeds 1 to `places` (a power of two) in bracket order: neighbours meet, and 1 meets 2 only in the final.

    >>> fold(8)
    (1, 8, 4, 5, 2, 7, 3, 6)
    """
    order = [1]
    while len(order) < places:
        total = 2 * len(order) + 1
        order = [seed for best in order for seed in (best, total - best)]
    return tuple(order)
