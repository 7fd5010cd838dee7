"""A record laid out player by player: what each round was, and what it was worth."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import NamedTuple

from tourney.errors import TourneyError
from tourney.record import Outcome, PlayerId, Record, Table
from tourney.standings.profile import Games
from tourney.standings.worth import Scale, Worth


class Entry(NamedTuple):
    """One player's side of one round.

    opponents: all others at the table, forfeits too; empty for a bye or an absence
    worth:     points, share of the match-win percentage and games under the profile
    side:      the seat, from 0 (in games with sides: 0 moves first)
    """

    round: int
    outcome: Outcome
    worth: Worth
    opponents: tuple[PlayerId, ...] = ()
    side: int = 0
    score: int | None = None

    @property
    def met(self) -> tuple[PlayerId, ...]:
        """Those at the table who count as opponents under the profile."""
        return self.opponents if self.worth.meets else ()

    @property
    def points(self) -> int:
        """Half points."""
        return self.worth.points

    @property
    def games(self) -> Games:
        """Games won, lost and drawn, as the profile counts them."""
        return self.worth.games


Sheet = tuple[Entry, ...]


class Rounds:
    """One player's rounds, in order, as lists side by side: what ranking reads of every player again and again.

    numbers: the rounds; unfinished ones and those the player was not in are left out
    worths:  what each was worth
    places:  the table, or the outcome of a round without one
    met:     the opponents that count; who was met twice is there twice
    """

    __slots__ = ("met", "numbers", "places", "worths")

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self.worths: list[Worth] = []
        self.places: list[Table | Outcome] = []
        self.met: list[PlayerId] = []

    @classmethod
    def of(cls, sheet: Sheet) -> Rounds:
        """Return the rounds of a sheet (without its places)."""
        rounds = cls()
        rounds.numbers = [entry.round for entry in sheet]
        rounds.worths = [entry.worth for entry in sheet]
        rounds.met = [opponent for entry in sheet for opponent in entry.met]
        return rounds


class Layout:
    """All players' rounds.

    rounds:  player → rounds
    playing: (round, table) of tables without a result; nobody at them has that round among theirs
    waiting: player → the rounds in which they sit at such a table
    """

    def __init__(self, record: Record, scale: Scale) -> None:
        """Lay out `record`. Raises TourneyError naming round and table for a record that cannot be."""
        self.scale = scale
        self.playing: list[tuple[int, int]] = []
        self.waiting: dict[PlayerId, set[int]] = {}
        self.rounds: dict[PlayerId, Rounds] = {player: Rounds() for player in record.players}
        if len(self.rounds) != len(record.players):
            raise TourneyError("a player is in the record twice")
        for number, tables in enumerate(record.rounds, start=1):
            seen: set[PlayerId] = set()
            for table in tables:
                self._add(number, table, seen)
            for where, player, outcome in _without_table(record, number):
                self._sit(number, where, (player,), seen)
                _append(self.rounds[player], number, scale.alone(outcome), outcome)

    def sheet(self, player: PlayerId) -> Sheet:
        """Return the player's entries."""
        rounds = self.rounds[player]
        return tuple(
            _entry(number, player, place, worth)
            for number, place, worth in zip(rounds.numbers, rounds.places, rounds.worths, strict=True)
        )

    def _sit(self, number: int, where: int | str, players: Sequence[PlayerId], seen: set[PlayerId]) -> None:
        for player in players:
            if player in seen or player not in self.rounds:
                place = (
                    f"round {number}, {where}" if isinstance(where, str) else f"round {number}, table {where}"
                )
                raise _misplaced(place, player, players, self.rounds)
            seen.add(player)

    def _wait(self, number: int, table: Table) -> None:
        self.playing.append((number, table.number))
        for player in table.seats:
            self.waiting.setdefault(player, set()).add(number)

    def _add(self, number: int, table: Table, seen: set[PlayerId]) -> None:
        rounds = self.rounds
        self._sit(number, table.number, table.seats, seen)
        if table.result is None:
            self._wait(number, table)
            return
        if len(table.result.seats) != len(table.seats):
            raise _others(number, table)
        worths = self.scale.table(table.result)
        for seat, player, worth in zip(table.result.seats, table.seats, worths, strict=True):
            if seat.player != player:
                raise _others(number, table)
            mine = rounds[player]
            mine.numbers.append(number)
            mine.worths.append(worth)
            mine.places.append(table)
            if worth.meets:
                mine.met += [other for other in table.seats if other != player]


def at_table(number: int, table: Table, scale: Scale) -> tuple[Entry, ...]:
    """Return the entries of a reported table, in the order of its seats."""
    assert table.result is not None
    worths = scale.table(table.result)
    return tuple(
        _entry(number, player, table, worth) for player, worth in zip(table.seats, worths, strict=True)
    )


def _entry(number: int, player: PlayerId, place: Table | Outcome, worth: Worth) -> Entry:
    if isinstance(place, Outcome):
        return Entry(number, place, worth)
    assert place.result is not None
    side = place.seats.index(player)
    seat = place.result.seats[side]
    others = (*place.seats[:side], *place.seats[side + 1 :])
    return Entry(number, seat.outcome, worth, others, side, seat.score)


def _append(rounds: Rounds, number: int, worth: Worth, place: Outcome) -> None:
    rounds.numbers.append(number)
    rounds.worths.append(worth)
    rounds.places.append(place)


def _without_table(record: Record, number: int) -> list[tuple[str, PlayerId, Outcome]]:
    byes = [
        ("byes", player, outcome)
        for of_round in record.byes[number - 1 : number]
        for player, outcome in of_round.items()
    ]
    absent = [
        ("absences", player, Outcome.ABSENT)
        for of_round in record.absences[number - 1 : number]
        for player in sorted(of_round)
    ]
    return byes + absent


def _others(number: int, table: Table) -> TourneyError:
    return TourneyError(f"round {number}, table {table.number}: the result is of other players")


def _misplaced(
    place: str, player: PlayerId, players: Sequence[PlayerId], known: Container[PlayerId]
) -> TourneyError:
    """Say that `player`, one of `players` at this place, is a stranger or in this round already."""
    if player not in known:
        return TourneyError(f"{place}: there is no player #{player}")
    if players.count(player) > 1:
        return TourneyError(f"{place}: player #{player} plays against themselves")
    return TourneyError(f"{place}: player #{player} is in this round twice")
