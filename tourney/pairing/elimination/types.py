"""What a bracket is: stages of matches, and what follows from them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tourney.record import PlayerId, Table


class Vacancy(Enum):
    """Who has the bye when a seed leaves after the cut was made.

    OPPONENT:     the player who would have met the one who left
    HIGHEST_SEED: the highest remaining seed (Magic: MTR 2.10); the other two who are left over meet
    """

    OPPONENT = "opponent"
    HIGHEST_SEED = "highest-seed"


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketOptions:
    """How a bracket is played.

    double:      an upper and a lower bracket: out after the second loss; the final is played again if the winner of the
                 lower bracket takes the first
    reseed:      after each round the highest remaining seed meets the lowest (single only)
    third_place: the losers of the semifinals meet for the third place (single only)
    """

    double: bool = False
    reseed: bool = False
    third_place: bool = False
    vacancy: Vacancy = Vacancy.OPPONENT


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """One match of a bracket.

    label:   what it is, unique in the bracket: `Semifinal 1`, `Upper round 2, match 3`, `Final`
    seats:   the two players, the higher seed first (who chooses, where there is something to choose); None where nobody
             is known yet or nobody will come
    sources: where each of them comes from: `seed 3`, `winner of Semifinal 1`; empty text where that is not settled
             (reseeding) or the seat stays empty
    round:   the cut round in which it was played or is to be played next; None: not yet, or a walkover
    winner:  who went on; None where that is open, or where nobody did
    done:    whether it is decided, by a result, by a bye or because nobody came
    """

    label: str
    seats: tuple[PlayerId | None, PlayerId | None]
    sources: tuple[str, str] = ("", "")
    round: int | None = None
    winner: PlayerId | None = None
    done: bool = False

    @property
    def chooser(self) -> PlayerId | None:
        """The higher seed, who chooses; None where the match is a walkover or not known."""
        return self.seats[0] if None not in self.seats else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """The matches of one round of one bracket: `Quarterfinals`, `Lower round 2`."""

    name: str
    matches: tuple[Match, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A player's place in the end; players out in the same stage share places `first` to `last`."""

    player: PlayerId
    first: int
    last: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Bracket:
    """Where a bracket stands, and what comes next.

    round:    the number of the cut round that comes next, from 1
    tables:   its tables, numbered; the higher seed has seat 1; empty once the bracket is finished
    labels:   what each table is, in the same order
    byes:     who is still in and has no table in this round (a bye, or waiting for the lower bracket), by seed
    stages:   all matches, in the order of play
    champion: who won; None while it is open, or if nobody is left
    finished: nothing more is to be played
    places:   who is out, and the champion, best first; players who share places stand in order of seed
    """

    round: int
    tables: tuple[Table, ...]
    labels: tuple[str, ...]
    byes: tuple[PlayerId, ...]
    stages: tuple[Stage, ...]
    champion: PlayerId | None
    finished: bool
    places: tuple[Place, ...]
