"""The same tournament under several profiles: who would make the cut under each."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from tourney.record import PlayerId, Record
from tourney.standings.profile import Profile
from tourney.standings.ranking import Standings, rank


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """Who goes on to a bracket of `size` under one profile.

    through: the players that go on, in order; who dropped or was disqualified is passed over
    level:   players who share a rank across the line, none of them in `through`; empty where the line is clear
    places:  how many of `level` will go on: what is left of `size`
    """

    standings: Standings
    size: int
    through: tuple[PlayerId, ...]
    level: tuple[PlayerId, ...]

    @property
    def places(self) -> int:
        """How many of those who are level across the line go on."""
        return self.size - len(self.through) if self.level else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The cuts under each profile, in the order in which the profiles were given.

    always:    players that go on under every profile, in the order of the first
    sometimes: players that go on under some and not under others, or only may: they are level across a line
    """

    size: int
    cuts: tuple[Cut, ...]
    always: tuple[PlayerId, ...]
    sometimes: tuple[PlayerId, ...]


def cut_at(standings: Standings, size: int, gone: Collection[PlayerId] = ()) -> Cut:
    """Say who goes on to a bracket of `size`. gone: who has left since the last round, besides those whom the rows name."""
    there = [
        row for row in standings.rows if row.rank is not None and not row.dropped and row.player not in gone
    ]
    split = 0 < size < len(there) and there[size - 1].rank == there[size].rank
    level = [row.player for row in there if row.rank == there[size].rank] if split else []
    through = [row.player for row in there[:size] if row.player not in level]
    return Cut(standings=standings, size=size, through=tuple(through), level=tuple(level))


def compare(
    record: Record,
    profiles: Sequence[Profile],
    *,
    cut: int,
    seed: str = "",
    gone: Collection[PlayerId] = (),
) -> Comparison:
    """Rank `record` under each of `profiles` and say who is among the first `cut`. Raises as `rank` does."""
    return compare_cuts([rank(record, profile, seed=seed) for profile in profiles], cut=cut, gone=gone)


def compare_cuts(standings: Sequence[Standings], *, cut: int, gone: Collection[PlayerId] = ()) -> Comparison:
    """Say who is among the first `cut` of each of several standings of the same tournament."""
    cuts = tuple(cut_at(each, cut, gone) for each in standings)
    every = list(dict.fromkeys(player for found in cuts for player in (*found.through, *found.level)))
    always = tuple(player for player in every if all(player in found.through for found in cuts))
    return Comparison(
        size=cut,
        cuts=cuts,
        always=always,
        sometimes=tuple(player for player in every if player not in always),
    )
