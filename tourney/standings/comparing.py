"""The same tournament under several profiles: who would make the cut under each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tourney.record import PlayerId, Record
from tourney.standings.profile import Profile
from tourney.standings.ranking import Row, Standings, rank


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """Who goes on under one profile.

    through: the players that go on, in order; dropped and disqualified players are passed over
    level:   players who share the rank across the line, some in `through` and some not; empty where the line is clear
    """

    standings: Standings
    through: tuple[PlayerId, ...]
    level: tuple[PlayerId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The cuts under each profile, in the order in which the profiles were given.

    always:    players that go on under every profile, in the order of the first
    sometimes: players that go on under some and not under others
    """

    size: int
    cuts: tuple[Cut, ...]
    always: tuple[PlayerId, ...]
    sometimes: tuple[PlayerId, ...]


def compare(record: Record, profiles: Sequence[Profile], *, cut: int, seed: str = "") -> Comparison:
    """Rank `record` under each of `profiles` and say who is among the first `cut`. Raises as `rank` does."""
    return compare_cuts([rank(record, profile, seed=seed) for profile in profiles], cut=cut)


def compare_cuts(standings: Sequence[Standings], *, cut: int) -> Comparison:
    """Say who is among the first `cut` of each of several standings of the same tournament."""
    cuts = tuple(_cut(each, cut) for each in standings)
    every = list(dict.fromkeys(player for found in cuts for player in found.through))
    always = tuple(player for player in every if all(player in found.through for found in cuts))
    return Comparison(
        size=cut,
        cuts=cuts,
        always=always,
        sometimes=tuple(player for player in every if player not in always),
    )


def _cut(standings: Standings, size: int) -> Cut:
    there = [row for row in standings.rows if row.rank is not None and not row.dropped]
    through = there[:size]
    return Cut(
        standings=standings, through=tuple(row.player for row in through), level=_level(there, through)
    )


def _level(there: list[Row], through: list[Row]) -> tuple[PlayerId, ...]:
    if not through or len(through) == len(there) or there[len(through)].rank != through[-1].rank:
        return ()
    return tuple(row.player for row in there if row.rank == through[-1].rank)
