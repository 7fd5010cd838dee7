"""The shape of a bracket before anybody has played: its stages, and where each seat's player comes from."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Literal

from tourney.errors import TourneyError
from tourney.record import PlayerId, Table


@dataclass(frozen=True, slots=True)
class FromSeed:
    """A seat of a seed, from 1. Its text is how data has it: `seed 3`."""

    seed: int

    def __str__(self) -> str:
        return f"seed {self.seed}"


Came = Literal["winner", "loser"] | int
"""As what somebody comes from a match: as its winner or loser; from a table of three and more as who came to that place."""


@dataclass(frozen=True, slots=True)
class FromMatch:
    """A seat for whoever comes from the match `label`. Its text is how data has it: `winner of Semifinal 1`."""

    came: Came
    label: str

    def __str__(self) -> str:
        return f"{self.role} of {self.label}"

    @property
    def role(self) -> str:
        """What they were there: `winner`, `loser`, `place 2`."""
        return f"place {self.came}" if isinstance(self.came, int) else self.came


Source = FromSeed | FromMatch
"""Where the player of a seat comes from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StagePlan:
    """One stage. `depth`: how far its losers have come (equal depths share places), the winner of a last match one more.

    reseeded: the players are put in order of seed first, the highest meets the lowest
    reset:    played only if the winner of the stage before came from the lower bracket (its second seat)
    """

    name: str
    labels: tuple[str, ...]
    feeds: tuple[tuple[Source, Source], ...]
    depth: int
    reseeded: bool = False
    reset: bool = False


def plan(players: int, options: BracketOptions) -> tuple[StagePlan, ...]:
    """Return the stages of a bracket of any size from two up; seats beyond the last seed stay empty."""
    rounds = (players - 1).bit_length()
    return _double(rounds) if options.double else _single(rounds, options)


def _seeded(places: int) -> tuple[tuple[Source, Source], ...]:
    order = [FromSeed(seed) for seed in fold(places)]
    return tuple(zip(order[::2], order[1::2], strict=True))


def _neighbours(came: Came, stage: StagePlan) -> tuple[tuple[Source, Source], ...]:
    """Return the seats of the stage after one: its winners (or losers) in order, each with the next."""
    feeds = [FromMatch(came, label) for label in stage.labels]
    return tuple(zip(feeds[::2], feeds[1::2], strict=True))


def _single(rounds: int, options: BracketOptions) -> tuple[StagePlan, ...]:
    stages: list[StagePlan] = []
    for number in range(rounds):
        matches = 2 ** (rounds - 1 - number)
        name, labels = _single_names(matches)
        feeds = _neighbours("winner", stages[-1]) if stages else _seeded(2 * matches)
        reseeded = options.reseed and bool(stages)
        stages.append(StagePlan(name=name, labels=labels, feeds=feeds, depth=2 * number, reseeded=reseeded))
    if options.third_place and rounds >= 2:
        semifinals = stages[-2]
        feeds = _neighbours("loser", semifinals)
        stages.append(
            StagePlan(name="Third place", labels=("Third place",), feeds=feeds, depth=semifinals.depth)
        )
    return tuple(stages)


def _single_names(matches: int) -> tuple[str, tuple[str, ...]]:
    if matches == 1:
        return "Final", ("Final",)
    word = {2: "Semifinal", 4: "Quarterfinal"}.get(matches, f"Round of {2 * matches}, match")
    name = f"{word}s" if matches in (2, 4) else f"Round of {2 * matches}"
    return name, tuple(f"{word} {number}" for number in range(1, matches + 1))


def _double(rounds: int) -> tuple[StagePlan, ...]:
    """Return upper stages 1 to k, lower stages 1 to 2(k - 1), the final and its reset.

    Lower stage 1 takes the losers of upper stage 1; lower stage 2j sends the losers of upper stage j + 1 against the
    winners of lower stage 2j - 1; lower stage 2j + 1 pairs the winners among themselves.
    """
    upper = _upper(rounds)
    lower: list[StagePlan] = []
    for number in range(1, 2 * (rounds - 1) + 1):
        if number == 1:
            feeds = _neighbours("loser", upper[0])
        elif number % 2:
            feeds = _neighbours("winner", lower[-1])
        else:
            feeds = _falling(lower[-1], upper[number // 2], number // 2)
        lower.append(_stage("Lower", number, 2 * (rounds - 1), feeds, depth=2 * (number - 1)))
    top = FromMatch("winner", upper[-1].labels[0])
    bottom = FromMatch("winner", lower[-1].labels[0]) if lower else FromMatch("loser", upper[-1].labels[0])
    depth = 2 * (2 * rounds + 1)
    final = StagePlan(name="Final", labels=("Final",), feeds=((top, bottom),), depth=depth)
    again = ((FromMatch("winner", "Final"), FromMatch("loser", "Final")),)
    reset = StagePlan(name="Final reset", labels=("Final reset",), feeds=again, depth=depth, reset=True)
    return (*upper, *lower, final, reset)


def _upper(rounds: int) -> list[StagePlan]:
    stages: list[StagePlan] = []
    for number in range(1, rounds + 1):
        feeds = _neighbours("winner", stages[-1]) if stages else _seeded(2**rounds)
        # Who leaves here is out where the loser of this stage would have played next.
        depth = 0 if number == 1 else 2 * (2 * (number - 1) - 1)
        stages.append(_stage("Upper", number, rounds, feeds, depth=depth))
    return stages


def _stage(
    side: str, number: int, last: int, feeds: tuple[tuple[Source, Source], ...], *, depth: int
) -> StagePlan:
    if number == last:
        return StagePlan(name=f"{side} final", labels=(f"{side} final",), feeds=feeds, depth=depth)
    name = f"{side} round {number}"
    labels = tuple(f"{name}, match {match}" for match in range(1, len(feeds) + 1))
    return StagePlan(name=name, labels=labels, feeds=feeds, depth=depth)


def _falling(lower: StagePlan, upper: StagePlan, crossing: int) -> tuple[tuple[Source, Source], ...]:
    """Cross the losers over, so that two who met above meet again as late as can be: reversed, then halves swapped, in turn."""
    matches = len(lower.labels)
    mask = matches - 1 if crossing % 2 else matches // 2
    return tuple(
        (FromMatch("loser", upper.labels[match ^ mask]), FromMatch("winner", lower.labels[match]))
        for match in range(matches)
    )


# -- What a bracket is: stages of matches, and what follows from them


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
    seats:       players at a table; from three on, `tourney.pairing.elimination.tables` says how it is played
    advance:     how many go on from each table, the first ones; one at tables of two
    """

    double: bool = False
    reseed: bool = False
    third_place: bool = False
    vacancy: Vacancy = Vacancy.OPPONENT
    seats: int = 2
    advance: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketMatch:
    """One match of a bracket, mostly of two.

    label:   what it is, unique in the bracket: `Semifinal 1`, `Upper round 2, match 3`, `Final`
    seats:   the players, the higher seed first (who chooses, where there is something to choose); None where nobody is
             known yet or nobody will come
    sources: where each of them comes from; None where that is not settled (reseeding) or the seat stays empty
    round:   the cut round in which it was played or is to be played next; None: not yet, or a walkover
    winner:  who went on; None where that is open, or where nobody did
    done:    whether it is decided, by a result, by a bye or because nobody came
    through: at tables of three and more, who goes on, the first first
    places:  there, what each of `seats` came to; empty while that is open
    away:    there, who did not play
    """

    label: str
    seats: tuple[PlayerId | None, ...]
    sources: tuple[Source | None, ...] = (None, None)
    round: int | None = None
    winner: PlayerId | None = None
    done: bool = False
    through: tuple[PlayerId, ...] = ()
    places: tuple[int | None, ...] = ()
    away: tuple[PlayerId, ...] = ()

    @property
    def ahead(self) -> tuple[PlayerId, ...]:
        """Who goes on from it, or has won it."""
        return self.through or (() if self.winner is None else (self.winner,))

    def who(self, came: Came) -> PlayerId | None:
        """Return who came from it so; None where nobody did, or nobody is known yet."""
        if isinstance(came, int):
            return self.through[came - 1] if came <= len(self.through) else None
        if came == "winner" or self.winner is None:
            return self.winner
        others = [player for player in self.seats if player not in (None, self.winner)]
        return others[0] if len(others) == 1 else None

    @property
    def chooser(self) -> PlayerId | None:
        """The higher seed, who chooses; None where the match is a walkover or not known."""
        return self.seats[0] if None not in self.seats else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """The matches of one round of one bracket: `Quarterfinals`, `Lower round 2`."""

    name: str
    matches: tuple[BracketMatch, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketPlace:
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
    byes:     who is still in and has no table in this round, by seed
    waiting:  those of them who pass no match by that: their next one is not due yet (double only)
    stages:   all matches, in the order of play
    champion: who won; None while it is open, or if nobody is left
    finished: nothing more is to be played
    places:   who is out, and the champion, best first; players who share places stand in order of seed
    seats:    of a full table
    """

    round: int
    tables: tuple[Table, ...]
    labels: tuple[str, ...]
    byes: tuple[PlayerId, ...]
    waiting: tuple[PlayerId, ...]
    stages: tuple[Stage, ...]
    champion: PlayerId | None
    finished: bool
    places: tuple[BracketPlace, ...]
    seats: int = 2


# -- Who is in the bracket, and which seeds meet


def seeds(standing: Sequence[PlayerId], size: int, gone: Collection[PlayerId] = ()) -> tuple[PlayerId, ...]:
    """Return the first `size` of the standings who are still there, in seed order: for each one gone the next moves up.

    Raises TourneyError for a cut of fewer than two, or of more than are there.

    >>> seeds([PlayerId(n) for n in (5, 3, 8, 1)], 2, gone={PlayerId(5)})
    (3, 8)
    """
    present = [player for player in standing if player not in gone]
    if size < 2:
        raise TourneyError(f"a cut needs two players at least, not {size}")
    if len(present) < size:
        raise TourneyError(
            f"a cut to {size} needs {size} players, and {len(present)} are still there",
            f"cut to {len(present)}" if len(present) >= 2 else "let players return first",
        )
    return tuple(present[:size])


def fold(places: int) -> tuple[int, ...]:
    """Return the seeds 1 to `places` (a power of two) in bracket order: neighbours meet, and 1 meets 2 only in the final.

    >>> fold(8)
    (1, 8, 4, 5, 2, 7, 3, 6)
    """
    order = [1]
    while len(order) < places:
        total = 2 * len(order) + 1
        order = [seed for best in order for seed in (best, total - best)]
    return tuple(order)
