"""The prepared input of every tie-break: for each player, what each round was and what it was worth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import replace
from typing import NamedTuple

from tourney.errors import TourneyError
from tourney.record import Outcome, PlayerId, Record, Table
from tourney.standings.profile import Games, Profile
from tourney.standings.values import Value
from tourney.standings.worth import Scale, Worth


class Entry(NamedTuple):
    """One player's side of one round.

    opponents: all others at the table, forfeits too; empty for a bye or an absence
    met:       those of them who count as opponents under the profile
    worth:     points, share of the match-win percentage and games under the profile
    side:      the seat, from 0 (in games with sides: 0 moves first)
    """

    round: int
    outcome: Outcome
    worth: Worth
    opponents: tuple[PlayerId, ...] = ()
    met: tuple[PlayerId, ...] = ()
    side: int = 0
    score: int | None = None

    @property
    def points(self) -> int:
        """Half points."""
        return self.worth.points

    @property
    def games(self) -> Games:
        """Games won, lost and drawn, as the profile counts them."""
        return self.worth.games


Sheet = tuple[Entry, ...]


class Sheets:
    """All players' sheets of one record under one profile, with what tie-breaks have worked out so far.

    rounds:  number of rounds
    playing: (round, table) of tables without a result; nobody at them has an entry for that round
    memo, adjusted, fore, earlier: values, adjusted scores, other sheets worked out so far
    """

    def __init__(self, record: Record, profile: Profile, *, seed: str = "") -> None:
        """Lay out `record`. Raises TourneyError naming round and table for a record that cannot be."""
        self.record = record
        self.profile = profile
        self.seed = seed
        self.rounds = len(record.rounds)
        self.playing: list[tuple[int, int]] = []
        self.memo: dict[str, dict[PlayerId, Value]] = {}
        self.adjusted: dict[PlayerId, int] = {}
        self.fore: Sheets | None = None
        self.earlier: dict[int, Sheets] = {}
        self._scale = Scale(profile)
        self._pending: dict[PlayerId, set[int]] = {}
        self.by_player: dict[PlayerId, Sheet] = self._lay_out()
        self.points: dict[PlayerId, int] = {
            player: _points(sheet) for player, sheet in self.by_player.items()
        }

    def __getitem__(self, player: PlayerId) -> Sheet:
        return self.by_player[player]

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """All players of the record, in order of registration."""
        return self.record.players

    def after(self, round_number: int) -> Sheets:
        """Return the sheets as they stood after `round_number`."""
        if round_number >= self.rounds:
            return self
        if round_number not in self.earlier:
            self.earlier[round_number] = Sheets(self.record.after(round_number), self.profile, seed=self.seed)
        return self.earlier[round_number]

    def waiting(self, player: PlayerId) -> frozenset[int]:
        """Return the rounds in which `player` sits at a table that has no result yet."""
        return frozenset(self._pending.get(player, ()))

    def with_table(self, round_number: int, table: Table) -> Sheets:
        """Return the sheets as they would be had `table` (same number, same seats) ended as it says."""
        changed = {
            player: tuple(entry if old.round == round_number else old for old in self.by_player[player])
            for player, entry in self._at_table(round_number, table)
        }
        return self.with_entries(changed, _with_table(self.record, round_number, table))

    def with_entries(self, changed: Mapping[PlayerId, Sheet], record: Record | None = None) -> Sheets:
        """Return the sheets with the sheets of `changed` in place of these players' own."""
        other = copy(self)
        other.record = record or self.record
        other.memo, other.adjusted, other.fore, other.earlier = {}, {}, None, {}
        other.by_player = {**self.by_player, **changed}
        other.points = {**self.points, **{player: _points(sheet) for player, sheet in changed.items()}}
        return other

    def _lay_out(self) -> dict[PlayerId, Sheet]:
        record = self.record
        sheets: dict[PlayerId, list[Entry]] = {player: [] for player in record.players}
        if len(sheets) != len(record.players):
            raise TourneyError("a player is in the record twice")
        for number, tables in enumerate(record.rounds, start=1):
            seen: set[PlayerId] = set()
            for place, player, entry in self._of_round(number, tables):
                if player in seen:
                    raise TourneyError(f"round {number}, {place}: player #{player} is in this round twice")
                seen.add(player)
                if player not in sheets:
                    raise TourneyError(f"round {number}, {place}: there is no player #{player}")
                if entry is not None:
                    sheets[player].append(entry)
        return {player: tuple(sheet) for player, sheet in sheets.items()}

    def _of_round(
        self, number: int, tables: tuple[Table, ...]
    ) -> Iterator[tuple[str, PlayerId, Entry | None]]:
        for table in tables:
            place = f"table {table.number}"
            if table.result is None:
                self.playing.append((number, table.number))
                for player in table.seats:
                    self._pending.setdefault(player, set()).add(number)
                    yield place, player, None
            else:
                for player, entry in self._at_table(number, table):
                    yield place, player, entry
        yield from self._without_table(number)

    def _at_table(self, number: int, table: Table) -> Iterator[tuple[PlayerId, Entry]]:
        result = table.result
        if result is None or tuple(seat.player for seat in result.seats) != table.seats:
            raise TourneyError(f"round {number}, table {table.number}: the result is of other players")
        for side, seat in enumerate(result.seats):
            worth = self._scale.seat(seat, result)
            others = tuple([other for other in table.seats if other != seat.player])
            if len(others) != len(table.seats) - 1:
                raise TourneyError(
                    f"round {number}, table {table.number}: player #{seat.player} plays against themselves"
                )
            met = others if worth.meets else ()
            yield seat.player, Entry(number, seat.outcome, worth, others, met, side, seat.score)

    def _without_table(self, number: int) -> Iterator[tuple[str, PlayerId, Entry]]:
        for byes in self.record.byes[number - 1 : number]:
            for player, outcome in byes.items():
                yield "byes", player, Entry(number, outcome, self._scale.alone(outcome))
        for absent in self.record.absences[number - 1 : number]:
            for player in sorted(absent):
                yield "absences", player, Entry(number, Outcome.ABSENT, self._scale.alone(Outcome.ABSENT))


def _points(sheet: Sheet) -> int:
    return sum([entry.worth.points for entry in sheet])


def _with_table(record: Record, round_number: int, table: Table) -> Record:
    rounds = list(record.rounds)
    rounds[round_number - 1] = tuple(
        table if old.number == table.number else old for old in rounds[round_number - 1]
    )
    return replace(record, rounds=tuple(rounds))
