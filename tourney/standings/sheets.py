"""The prepared input of every tie-break: all players' rounds, and what has been worked out from them so far."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import replace

from tourney.record import PlayerId, Record, Table
from tourney.standings.exact import OWN, Scaled, Value
from tourney.standings.layout import Layout, Rounds, Sheet, at_table
from tourney.standings.profile import Profile
from tourney.standings.worth import Scale, Worth


class Sheets:
    """All players' sheets of one record under one profile: `sheets[player]` are the player's entries.

    rounds:  number of rounds
    playing: (round, table) of tables without a result; nobody at them has an entry for that round
    points:  player → half points
    memo, scaled, adjusted, fore, earlier: what tie-breaks have worked out so far
    """

    def __init__(self, record: Record, profile: Profile, *, seed: str = "") -> None:
        """Lay out `record`. Raises TourneyError naming round and table for a record that cannot be."""
        layout = Layout(record, Scale(profile))
        self.record = record
        self.profile = profile
        self.seed = seed
        self.rounds = len(record.rounds)
        self.playing = layout.playing
        self.lines: dict[PlayerId, Rounds] = layout.rounds
        self.points = {player: _points(rounds) for player, rounds in layout.rounds.items()}
        self.memo: dict[str, dict[PlayerId, Value]] = {}
        self.scaled: dict[str, Scaled] = {}
        self.adjusted: dict[PlayerId, int] = {}
        self.fore: Sheets | None = None
        self.earlier: dict[int, Sheets] = {}
        self.entries: dict[PlayerId, Sheet] = {}
        self._layout = layout

    def __getitem__(self, player: PlayerId) -> Sheet:
        if player not in self.entries:
            self.entries[player] = self._layout.sheet(player)
        return self.entries[player]

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """All players of the record, in order of registration."""
        return self.record.players

    @property
    def by_player(self) -> dict[PlayerId, Sheet]:
        """Every player's entries, in order of registration."""
        return {player: self[player] for player in self.players}

    def worths(self, player: PlayerId) -> list[Worth]:
        """Return what the player's rounds were worth, in their order."""
        return self.lines[player].worths

    def met(self, player: PlayerId) -> list[PlayerId]:
        """Return the opponents that count, in order of rounds; who was met twice is there twice."""
        return self.lines[player].met

    def after(self, round_number: int) -> Sheets:
        """Return the sheets as they stood after `round_number`."""
        if round_number >= self.rounds:
            return self
        if round_number not in self.earlier:
            self.earlier[round_number] = Sheets(self.record.after(round_number), self.profile, seed=self.seed)
        return self.earlier[round_number]

    def waiting(self, player: PlayerId) -> frozenset[int]:
        """Return the rounds in which `player` sits at a table that has no result yet."""
        return frozenset(self._layout.waiting.get(player, ()))

    def with_table(self, round_number: int, table: Table) -> Sheets:
        """Return the sheets as they would be had `table` (same number, same seats) ended as it says."""
        entries = at_table(round_number, table, self._layout.scale)
        changed = {
            player: tuple(entry if old.round == round_number else old for old in self[player])
            for player, entry in zip(table.seats, entries, strict=True)
        }
        return self.with_entries(changed, _with_table(self.record, round_number, table))

    def with_entries(self, changed: Mapping[PlayerId, Sheet], record: Record | None = None) -> Sheets:
        """Return the sheets with the sheets of `changed` in place of these players' own."""
        rounds = {player: Rounds.of(sheet) for player, sheet in changed.items()}
        other = copy(self)
        other.record = record or self.record
        other.lines = {**self.lines, **rounds}
        other.points = {**self.points, **{player: _points(own) for player, own in rounds.items()}}
        other.entries = {**self.entries, **changed}
        other.memo = {
            name: {player: value for player, value in known.items() if player not in changed}
            for name, known in self.memo.items()
            if name.startswith(OWN)
        }
        other.scaled, other.adjusted, other.fore, other.earlier = {}, {}, None, {}
        return other


def _points(rounds: Rounds) -> int:
    return sum([worth.points for worth in rounds.worths])


def _with_table(record: Record, round_number: int, table: Table) -> Record:
    rounds = list(record.rounds)
    rounds[round_number - 1] = tuple(
        table if old.number == table.number else old for old in rounds[round_number - 1]
    )
    return replace(record, rounds=tuple(rounds))
