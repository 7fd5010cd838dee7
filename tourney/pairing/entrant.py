"""A player as pairing sees one: an id with points and a history, no name and no deck."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tourney.record import PlayerId

NameOf = Callable[[PlayerId], str]
"""How a text says who is meant; the engine itself knows only ids."""

NOBODY = PlayerId(0)
"""The opponent of whoever has the bye."""


def number_of(player: PlayerId) -> str:
    """Name a player by the number of registration, for callers that have no names.

    >>> number_of(PlayerId(7))
    '#7'
    """
    return f"#{player}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A player who is to be paired in this round. Players with a requested or an awarded bye are not entrants.

    points:       half points so far, by the event's standings profile
    opponents:    everyone met at a table that was played, in round order, one entry a meeting (repeats stay).
                  Meetings are mutual: whoever stands here and is an entrant lists this player too, as often.
    no_shows:     opponents of tables where somebody did not show; they count as met only by `Options.no_show_meets`
    byes:         byes given by the pairing (the odd player's)
    awarded_byes: full-point byes given by the organizer; they count by `Options.awarded_bye_counts`
    half_byes:    half-point byes taken; they count by `Options.half_bye_counts`
    floats:       one entry a round, in round order: -1 met somebody with fewer points (floated down),
                  1 somebody with more (floated up), 0 neither
    sides:        one entry for each table played in a game with sides, in round order: 1 had the first side, -1 the second
    tags:         groups to be kept apart softly, as `kind:name` (`club:Ravens`); two that share one are kept apart
    fixed_table:  the table this player must sit at (mobility), or None
    rating:       for first rounds by rating; None ranks below every rating
    rank:         place in the standings from 1, for rounds paired by rank
    """

    id: PlayerId
    points: int = 0
    opponents: tuple[PlayerId, ...] = ()
    no_shows: tuple[PlayerId, ...] = ()
    byes: int = 0
    awarded_byes: int = 0
    half_byes: int = 0
    floats: tuple[int, ...] = ()
    sides: tuple[int, ...] = ()
    tags: tuple[str, ...] = ()
    fixed_table: int | None = None
    rating: int | None = None
    rank: int | None = None
