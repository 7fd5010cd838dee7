"""One table of one round: who sat where, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NewType

PlayerId = NewType("PlayerId", int)
"""A player's number in order of registration, from 1. Names live elsewhere; 0 is nobody (the bye)."""


class Outcome(Enum):
    """One seat's side of one round. Ask `.played`, never "is it a bye?"."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"
    BYE = "bye"  # the odd player's bye, given by the pairing
    AWARDED_BYE = "awarded-bye"  # a full-point bye given by the organizer
    HALF_BYE = "half-bye"  # a requested bye worth half a win
    FORFEIT_WIN = "forfeit-win"  # the opponent did not show
    FORFEIT_LOSS = "forfeit-loss"  # paired, but did not show
    DOUBLE_LOSS = "double-loss"  # both met, both lose by ruling
    ABSENT = "absent"  # not paired: not there, no points

    # Members are singletons: hashing by identity spares every set and table of outcomes a call into `enum`.
    __hash__ = object.__hash__

    @property
    def played(self) -> bool:
        """Whether the two sides met at the table (forfeits and byes are not played; a double loss is)."""
        return self in _PLAYED


_PLAYED = frozenset({Outcome.WIN, Outcome.DRAW, Outcome.LOSS, Outcome.DOUBLE_LOSS})


@dataclass(frozen=True, slots=True)
class Seat:
    """One player's side of a result.

    place: 1 for the winner; shared places are equal (1, 1, 3)
    games: games won in the match
    score: victory points, diamonds …, where the game has them
    """

    player: PlayerId
    outcome: Outcome
    place: int = 1
    games: int = 0
    score: int | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one table: a seat for each player, in the table's seat order, and the drawn games."""

    seats: tuple[Seat, ...]
    drawn_games: int = 0

    def seat_of(self, player: PlayerId) -> Seat:
        """Return the seat of `player`; KeyError if the player did not sit here."""
        for seat in self.seats:
            if seat.player == player:
                return seat
        raise KeyError(player)

    @property
    def played(self) -> bool:
        """Whether anybody met anybody: at least one seat's outcome is a played one."""
        return any(seat.outcome.played for seat in self.seats)


@dataclass(frozen=True, slots=True)
class Table:
    """A numbered table of one round. In games with sides, the seat order is the side order (seat 1 moves first)."""

    number: int
    seats: tuple[PlayerId, ...]
    result: Result | None = None
