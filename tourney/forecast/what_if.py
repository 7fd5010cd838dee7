"""What if: a position changed by results, drops, other rules or more rounds; standings and cut of both side by side."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from msgspec import structs

from tourney.errors import TourneyError
from tourney.forecast.cut import Outlook, Stands, forecast_cut
from tourney.record import PlayerId, Record, Result
from tourney.standings.completions import CutQuestion
from tourney.standings.ranking import Standings, cut_at, rank


class TableAt(NamedTuple):
    """A table, by round and number, both from 1."""

    round: int
    table: int


def changed(
    record: Record, *, results: Mapping[TableAt, Result], dropped: Collection[PlayerId] = ()
) -> Record:
    """Return the record with other results, and without players who leave after its last round.

    Rounds that were paired after a changed result stay as they were paired, and the table of a player who leaves keeps its
    result. A player who leaves after the last round has missed none (`drops_before`), so the standings do not change; the
    cut passes over the players that `CutQuestion.gone` names.

    Raises TourneyError for a table that does not exist, and for a player who has left already.
    """
    rounds = [list(tables) for tables in record.rounds]
    for at, result in results.items():
        place = _place(record, at)
        rounds[at.round - 1][place] = structs.replace(rounds[at.round - 1][place], result=result)
    for player in dropped:
        if player in record.drops or player in record.disqualified:
            raise TourneyError(f"player #{player} has left already")
    return replace(record, rounds=tuple(map(tuple, rounds)))


def _place(record: Record, at: TableAt) -> int:
    tables = record.rounds[at.round - 1] if 0 < at.round <= len(record.rounds) else ()
    for place, table in enumerate(tables):
        if table.number == at.table:
            return place
    raise TourneyError(f"there is no table {at.table} in round {at.round}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A position as it is, or as it would be: the standings so far, and what is proved of the cut.

    question: the position, and how many make the cut
    """

    question: CutQuestion
    standings: Standings
    outlooks: Mapping[PlayerId, Outlook]

    @classmethod
    def of(cls, question: CutQuestion, *, seed: str = "") -> Side:
        """Rank a position and ask who makes the cut. seed: of the lot. Raises TourneyError as `forecast_cut` does."""
        return cls(
            question=question,
            standings=rank(question.record, question.profile, seed=seed),
            outlooks={outlook.player: outlook for outlook in forecast_cut(question).outlooks},
        )

    @property
    def over(self) -> bool:
        """Whether nothing is left to play."""
        return self.question.exact and not self.question.tables

    def places(self) -> dict[PlayerId, Place]:
        """Return everybody's place, from first to last."""
        qualifiers = cut_at(self.standings, self.question.cut, self.question.gone)
        through, level = set(qualifiers.through), set(qualifiers.level)
        return {
            row.player: Place(
                rank=row.rank,
                points=row.points,
                cut="in" if row.player in through else "level" if row.player in level else "out",
                stands=self.outlooks[row.player].stands if row.player in self.outlooks else "out",
            )
            for row in self.standings.rows
        }


CutWord = Literal["in", "level", "out"]
"""Where somebody stands by the standings so far; level: with the last place, so that a lot or a match decides."""


class Place(NamedTuple):
    """A place. rank: from 1, None for who has none; points: half points; cut: by the standings so far; stands: as it is proved."""

    rank: int | None
    points: int
    cut: CutWord
    stands: Stands


class Move(NamedTuple):
    """A player's place before and after; None where they are not in those standings."""

    player: PlayerId
    before: Place | None
    after: Place | None

    @property
    def across(self) -> Stands | None:
        """How they stand at the cut now, by what is proved, and did not before; None: the same."""
        before = self.before.stands if self.before else "out"
        after = self.after.stands if self.after else "out"
        return None if before == after else after


def side_by_side(before: Side, after: Side) -> Sequence[Move]:
    """Return everybody's two places, in the order of those after."""
    was, would = before.places(), after.places()
    players = [*would, *(player for player in was if player not in would)]
    return [Move(player, was.get(player), would.get(player)) for player in players]
