"""The prepared input of every tie-break: all players' rounds, and what has been worked out from them so far."""

from __future__ import annotations

from collections.abc import Container, Mapping
from copy import copy
from dataclasses import replace
from typing import TypeVar

from tourney.record import PlayerId, Record, Result, Table
from tourney.standings.exact import NEAR, OWN, Scaled, Value
from tourney.standings.layout import Layout, Rounds, Sheet, at_table
from tourney.standings.profile import Profile
from tourney.standings.worth import Scale, Worth

K = TypeVar("K")
V = TypeVar("V")


class Sheets:
    """All players' sheets of one record under one profile: `sheets[player]` are the player's entries.

    rounds:  number of rounds
    playing: (round, table) of tables without a result; nobody at them has an entry for that round
    points:  player → half points
    change:  what the sheets were made of, and the one table that ended otherwise there: round, table, result
    few:     whether only few players' values are asked for, so that preparing everybody's does not pay
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
        self.few = False
        self._layout = layout
        self.change: tuple[Sheets, int, Table, Result] | None = None

    def __getitem__(self, player: PlayerId) -> Sheet:
        try:
            return self.entries[player]
        except KeyError:
            sheet = self.entries[player] = self._layout.sheet(player)
            return sheet

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
            self.earlier[round_number] = self._after(round_number)
        return self.earlier[round_number]

    def _after(self, round_number: int) -> Sheets:
        if self.change is None:
            return Sheets(self.record.after(round_number), self.profile, seed=self.seed)
        original, number, table, result = self.change
        then = original.after(round_number)
        return then if number > round_number else then.with_table(number, table, result)

    def waiting(self, player: PlayerId) -> frozenset[int]:
        """Return the rounds in which `player` sits at a table that has no result yet."""
        return frozenset(self._layout.waiting.get(player, ()))

    @property
    def scale(self) -> Scale:
        """What the profile gives for each kind of result."""
        return self._layout.scale

    def with_table(self, round_number: int, table: Table, result: Result) -> Sheets:
        """Return the sheets as they would be had `table` ended in `result`; `record` stays as it was."""
        entries = at_table(round_number, replace(table, result=result), self.scale)
        other = self.with_entries(
            {
                player: tuple(entry if old.round == round_number else old for old in self[player])
                for player, entry in zip(table.seats, entries, strict=True)
            }
        )
        other.change = self, round_number, table, result
        return other

    def with_entries(self, changed: Mapping[PlayerId, Sheet]) -> Sheets:
        """Return the sheets with the sheets of `changed` in place of these players' own.

        Nothing is copied and nothing worked out for everybody, so that thousands of changes can be tried.
        """
        rounds = {player: Rounds.of(sheet) for player, sheet in changed.items()}
        other = copy(self)
        other.lines = _Laid(self.lines, rounds)
        other.points = _Laid(self.points, {player: _points(own) for player, own in rounds.items()})
        other.entries = _Laid(self.entries, changed)
        met = {opponent for player in changed for entry in self[player] for opponent in entry.opponents}
        hidden = {OWN: changed.keys(), NEAR: met.union(changed)}
        other.memo = {
            name: _Laid(known, {}, hidden=stale)
            for name, known in self.memo.items()
            for start, stale in hidden.items()
            if name.startswith(start)
        }
        other.adjusted = _Laid(self.adjusted, {}, hidden=changed)
        other.few = True
        other.scaled, other.fore, other.earlier = {}, None, {}
        return other


class _Laid(dict[K, V]):
    """A mapping laid over another: what is not in it is looked up below, unless it is hidden there."""

    __slots__ = ("below", "hidden")

    def __init__(self, below: Mapping[K, V], own: Mapping[K, V], hidden: Container[K] = ()) -> None:
        super().__init__(own)
        self.below = below
        self.hidden = hidden

    def __missing__(self, key: K) -> V:
        if key in self.hidden:
            raise KeyError(key)
        return self.below[key]


def _points(rounds: Rounds) -> int:
    return sum([worth.points for worth in rounds.worths])
