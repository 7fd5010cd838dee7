"""What if: a position changed by results, drops, other rules or more rounds, and the standings of both side by side."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from tourney.errors import TourneyError
from tourney.record import PlayerId, Record, Result
from tourney.standings.profile import Profile
from tourney.standings.ranking import Standings, cut_at, rank


class TableAt(NamedTuple):
    """A table, by round and number, both from 1."""

    round: int
    table: int


def changed(
    record: Record, *, results: Mapping[TableAt, Result], dropped: Collection[PlayerId] = ()
) -> Record:
    """Return the record with other results, and without whoever is to have left after its last round.

    Rounds that were paired after a changed result stay as they were paired, and a table of somebody who leaves keeps its
    result. Raises TourneyError for a table that there is not, and for somebody who has left already.
    """
    rounds = [list(tables) for tables in record.rounds]
    for at, result in results.items():
        place = _place(record, at)
        rounds[at.round - 1][place] = replace(rounds[at.round - 1][place], result=result)
    for player in dropped:
        if player in record.drops or player in record.disqualified:
            raise TourneyError(f"player #{player} has left already")
    return replace(
        record,
        rounds=tuple(map(tuple, rounds)),
        drops={**record.drops, **dict.fromkeys(dropped, len(record.rounds))},
    )


def _place(record: Record, at: TableAt) -> int:
    tables = record.rounds[at.round - 1] if 0 < at.round <= len(record.rounds) else ()
    for place, table in enumerate(tables):
        if table.number == at.table:
            return place
    raise TourneyError(f"there is no table {at.table} in round {at.round}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """Standings as they are, or as they would be, and who makes the cut by them.

    gone: who has left, and is passed over by the cut, besides those whom the record names
    """

    standings: Standings
    cut: int
    gone: frozenset[PlayerId]

    @classmethod
    def of(
        cls, record: Record, profile: Profile, *, cut: int, gone: Collection[PlayerId] = (), seed: str = ""
    ) -> Side:
        """Rank a record. Raises TourneyError as `rank` does."""
        return cls(standings=rank(record, profile, seed=seed), cut=cut, gone=frozenset(gone))

    def places(self) -> dict[PlayerId, Place]:
        """Return everybody's place, from first to last."""
        qualifiers = cut_at(self.standings, self.cut, self.gone)
        through, level = set(qualifiers.through), set(qualifiers.level)
        return {
            row.player: Place(
                row.rank,
                row.points,
                "in" if row.player in through else "level" if row.player in level else "out",
            )
            for row in self.standings.rows
        }


CutWord = Literal["in", "level", "out"]
"""Where somebody stands by the standings; level: with the last place, so that a lot or a match decides."""


class Place(NamedTuple):
    """A place. rank: from 1, None for who has none; points: half points."""

    rank: int | None
    points: int
    cut: CutWord


class Move(NamedTuple):
    """A player's place before and after; None where they are not in those standings."""

    player: PlayerId
    before: Place | None
    after: Place | None

    @property
    def across(self) -> CutWord | None:
        """What they are at the cut now, and were not before; None: the same."""
        before = self.before.cut if self.before else "out"
        after = self.after.cut if self.after else "out"
        return None if before == after else after


def side_by_side(before: Side, after: Side) -> Sequence[Move]:
    """Return everybody's two places, in the order of those after."""
    was, would = before.places(), after.places()
    players = [*would, *(player for player in was if player not in would)]
    return [Move(player, was.get(player), would.get(player)) for player in players]
