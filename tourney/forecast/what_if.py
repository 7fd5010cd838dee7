"""What-if forecasts: the standings and the cut of an event, before and after a change.

The change can be other results, drops, rules or rounds. The comparison has two *sides*: the event as it is,
and the event as it would be after the change. The module also has the JSON documents.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal, NamedTuple

from msgspec import Struct, field, structs
from msgspec.structs import replace

from tourney.document import Document
from tourney.errors import TourneyError
from tourney.forecast.cut import Forecast, ShownVerdict, Verdict, forecast_cut
from tourney.forecast.question import CutQuestion
from tourney.forecast.shares import Names, OfPlayer, PlayedOn, Share
from tourney.record import PlayerId, Record, Result
from tourney.standings.ranking import Standings, cut_at, rank

# -- The change


class TableAt(NamedTuple):
    """A table, by its round and its number. Both count from 1."""

    round: int
    table: int


def change_record(
    record: Record, *, results: Mapping[TableAt, Result], dropped_players: Collection[PlayerId] = ()
) -> Record:
    """Return a copy of the record in which some tables have other results.

    Rounds that were paired after a changed result keep their tables. Players who leave after the last round
    do not change the record, because they have missed no round (`drops_before`); the caller puts them into
    `CutQuestion.late_drops`, so that they take no place in the cut.

    dropped_players: players who leave after the last round; this function only checks them

    Raises TourneyError for a table that does not exist, and for a player who has already left.
    """
    rounds = [list(tables) for tables in record.rounds]
    for at, result in results.items():
        place = _place(record, at)
        rounds[at.round - 1][place] = structs.replace(rounds[at.round - 1][place], result=result)
    for player in dropped_players:
        if player in record.drops or player in record.disqualified:
            raise TourneyError(f"player #{player} has left already")
    return replace(record, rounds=tuple(map(tuple, rounds)))


def _place(record: Record, at: TableAt) -> int:
    tables = record.rounds[at.round - 1] if 0 < at.round <= len(record.rounds) else ()
    for place, table in enumerate(tables):
        if table.number == at.table:
            return place
    raise TourneyError(f"there is no table {at.table} in round {at.round}")


# -- Documents


CutWord = Literal["in", "level", "out"]


class WhatIfPlace(Struct, frozen=True):
    """A player's place in the event as it is, or as it would be after the change.

    rank: the place in the standings so far; null if the player has no place
    points: the points so far
    cut: by the standings so far, `in`, `out` or `level` (level with the last place of the cut)
    proved: `in` or `out` if this is proved, otherwise `open`; null if nothing is left to play
    stands: the verdict about the cut: `in`, `out` or `open`; `level` instead of `open` if nothing is left to
        play and a lot or a match decides whether the player makes the cut
    estimate: the chance of making the cut; null if it was not estimated
    """

    rank: int | None
    points: float
    cut: CutWord
    proved: Verdict | None
    stands: ShownVerdict
    estimate: Share | None

    @property
    def open_chance(self) -> Share | None:
        """The chance of making the cut, if the verdict is open and a chance was estimated."""
        return self.estimate if self.proved == "open" else None


class WhatIfPlayer(OfPlayer, frozen=True):
    """A player before and after the change.

    now: the place before the change; null if the player is not in these standings
    then: the place after the change; null if the player is not in these standings
    moves: the verdict after the change; null if it is the same as before
    chance: `rises` or `falls` if the confidence intervals of the chance before and after the change do not
        overlap; otherwise null
    """

    now: WhatIfPlace | None
    then: WhatIfPlace | None
    moves: ShownVerdict | None
    chance: Literal["rises", "falls"] | None


class WhatIfProfiles(Struct, frozen=True):
    """The names of the standings profiles (ranking rules) before and after the change.

    now: the profile of the event as it is
    then: the profile of the event as it would be after the change
    """

    now: str
    then: str


class WhatIfEstimates(Struct, frozen=True):
    """How the rest of the event was simulated, without and with the change.

    now: the simulation of the event as it is; null if nothing was estimated
    then: the simulation of the event as it would be after the change; null if nothing was estimated
    """

    now: PlayedOn | None
    then: PlayedOn | None


class WhatIfForecast(Document, frozen=True, tag="tourney.forecast-what-if/1"):
    """What `tourney forecast what-if --drop PLAYER --json` prints: the event before and after.

    cut: the number of players who make the cut
    after: the number of rounds paired so far
    changes: the changes, in words
    profiles: the standings profiles before and after the change
    players: the players in the order of the standings after the change
    estimate: how the rest of the event was simulated
    """

    cut: int
    after: int
    changes: tuple[str, ...]
    profiles: WhatIfProfiles
    players: tuple[WhatIfPlayer, ...]
    estimate: WhatIfEstimates


# -- The two sides


class Side(Struct, frozen=True, kw_only=True):
    """The event before the change, or after it.

    forecast:  the verdicts for each player who can still make the cut
    standings: the standings so far
    chances:   the players' chances of making the cut; empty if they were not estimated
    """

    forecast: Forecast
    standings: Standings
    chances: Mapping[PlayerId, Share] = field(default_factory=dict)

    @classmethod
    def of(cls, question: CutQuestion, *, seed: str = "") -> Side:
        """Return the standings and the verdicts of an event, without chances.

        seed: the seed of the random lot that breaks ties in the standings

        Raises TourneyError as `forecast_cut` does.
        """
        return cls(
            forecast=forecast_cut(question), standings=rank(question.record, question.profile, seed=seed)
        )

    @property
    def question(self) -> CutQuestion:
        """The question that the verdicts answer. It contains the record and the size of the cut."""
        return self.forecast.question

    @property
    def over(self) -> bool:
        """Whether nothing is left to play."""
        return self.question.is_over

    @property
    def is_open(self) -> bool:
        """Whether a verdict depends on results that are still open."""
        return not (self.over or self.forecast.is_settled)

    def places(self) -> dict[PlayerId, WhatIfPlace]:
        """Return the places of all players, from first to last."""
        cut = cut_at(self.standings, self.question.cut, self.question.late_drops)
        words: dict[PlayerId, CutWord] = dict.fromkeys(cut.through, "in")
        words |= dict.fromkeys(cut.level, "level")
        places = {}
        for row in self.standings.rows:
            outlook = self.forecast.by_player.get(row.player)
            places[row.player] = WhatIfPlace(
                rank=row.rank,
                points=row.points // 2 if row.points % 2 == 0 else row.points / 2,
                cut=words.get(row.player, "out"),
                proved=None if self.over else outlook.now if outlook else "out",
                stands=outlook.shown_verdict if outlook else "out",
                estimate=self.chances.get(row.player),
            )
        return places


def side_by_side(before: Side, after: Side, names: Names) -> tuple[WhatIfPlayer, ...]:
    """Return each player's place before and after the change.

    The players are in the order of the standings after the change.
    """
    old_places, new_places = before.places(), after.places()
    return tuple(
        WhatIfPlayer(
            player=names[player],
            number=player,
            now=old_places.get(player),
            then=new_places.get(player),
            moves=_moves(old_places.get(player), new_places.get(player)),
            chance=_chance_moves(old_places.get(player), new_places.get(player)),
        )
        for player in {**new_places, **old_places}
    )


def _moves(old_place: WhatIfPlace | None, new_place: WhatIfPlace | None) -> ShownVerdict | None:
    """Return the new verdict about the cut; None if it is the same as before the change.

    old_place, new_place: the player's place before and after the change; None for a player who is not in the
                          standings, which counts as the verdict `out`
    """
    old_verdict, new_verdict = (place.stands if place else "out" for place in (old_place, new_place))
    return None if old_verdict == new_verdict else new_verdict


def _chance_moves(
    old_place: WhatIfPlace | None, new_place: WhatIfPlace | None
) -> Literal["rises", "falls"] | None:
    """Return `rises` or `falls` if the chance of making the cut clearly changes; otherwise None.

    The change is clear if the intervals of the two estimates do not overlap. Also return None if the verdict
    before or after the change is proved, or if a chance was not estimated.
    """
    old_chance, new_chance = (place.open_chance if place else None for place in (old_place, new_place))
    if (
        old_chance is None
        or new_chance is None
        or (old_chance.low <= new_chance.high and new_chance.low <= old_chance.high)
    ):
        return None
    return "rises" if new_chance.low > old_chance.high else "falls"
