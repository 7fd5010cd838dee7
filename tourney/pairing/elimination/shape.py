"""The shape of a bracket before play: its stages, and the source of each seat."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import groupby
from typing import Literal

from tourney.record import PlayerId, Table


@dataclass(frozen=True, slots=True)
class FromSeed:
    """The source of a seat that is filled by a seed. Seeds are numbered from 1.

    As text: `seed 3`.
    """

    seed: int

    def __str__(self) -> str:
        return f"seed {self.seed}"


Came = Literal["winner", "loser"] | int
"""How a player leaves a match: as winner, as loser, or with a place at a larger table."""


@dataclass(frozen=True, slots=True)
class FromMatch:
    """The source of a seat that is filled by a player of an earlier match.

    As text: `winner of Semifinal 1`.

    label: the label of that match
    """

    came: Came
    label: str

    def __str__(self) -> str:
        return f"{self.role} of {self.label}"

    @property
    def role(self) -> str:
        """The player's role in that match, in words: `winner`, `loser`, `place 2`."""
        return f"place {self.came}" if isinstance(self.came, int) else self.came


Source = FromSeed | FromMatch
"""The place from which the player of a seat comes."""

Feeds = tuple[tuple[Source, ...], ...]
"""The sources of the seats at each match of a stage."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StagePlan:
    """One stage of a bracket.

    feeds:    the sources of the seats at each match
    depth:    how far a loser of this stage came; losers with equal depths share places. A winner who has no
              further stage came one further.
    advance:  how many players advance from each match
    reseeded: whether players are sorted by seed before the matches, so that the highest meets the lowest
    reset:    whether the stage is played only if the winner of the stage before came from the lower bracket
              (the second seat)
    """

    name: str
    labels: tuple[str, ...]
    feeds: Feeds
    depth: int
    advance: int = 1
    reseeded: bool = False
    reset: bool = False

    def is_played(self, players: Sequence[PlayerId]) -> bool:
        """Return whether these players have a match to play.

        They do if at least one of them will go out.
        """
        return len(players) > self.advance


def plan(players: int, options: BracketOptions) -> tuple[StagePlan, ...]:
    """Return the stages of a bracket of two or more players.

    Seats beyond the last seed stay empty.
    """
    rounds = (players - 1).bit_length()
    return _double(rounds) if options.double else _single(rounds, options)


def _seeded(places: int) -> Feeds:
    order = [FromSeed(seed) for seed in fold(places)]
    return tuple(zip(order[::2], order[1::2], strict=True))


def _neighbours(came: Came, stage: StagePlan) -> Feeds:
    """Return the seats of the next stage, in which neighbouring winners (or losers) meet."""
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

    Lower stage 1 takes the losers of upper stage 1. Lower stage 2j pairs the losers of upper stage j + 1 with
    the winners of lower stage 2j - 1. Lower stage 2j + 1 pairs the winners among themselves.
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
        # A player who leaves here counts as out in the lower stage that the losers of this stage play next.
        depth = 0 if number == 1 else 2 * (2 * (number - 1) - 1)
        stages.append(_stage("Upper", number, rounds, feeds, depth=depth))
    return stages


def _stage(side: str, number: int, last: int, feeds: Feeds, *, depth: int) -> StagePlan:
    if number == last:
        return StagePlan(name=f"{side} final", labels=(f"{side} final",), feeds=feeds, depth=depth)
    name = f"{side} round {number}"
    labels = tuple(f"{name}, match {match}" for match in range(1, len(feeds) + 1))
    return StagePlan(name=name, labels=labels, feeds=feeds, depth=depth)


def _falling(lower: StagePlan, upper: StagePlan, crossing: int) -> Feeds:
    """Return the seats of a lower stage that the losers of an upper stage join.

    The losers change places so that players who met above meet again as late as possible: their order is
    reversed in one stage, and its halves are swapped in the next.
    """
    matches = len(lower.labels)
    mask = matches - 1 if crossing % 2 else matches // 2
    return tuple(
        (FromMatch("loser", upper.labels[match ^ mask]), FromMatch("winner", lower.labels[match]))
        for match in range(matches)
    )


# -- the state of a bracket: stages of matches, the next round, and places


class Vacancy(Enum):
    """The rule for the bye that arises when a seed leaves after the cut was made.

    OPPONENT:     the opponent of the player who left gets the bye
    HIGHEST_SEED: the highest remaining seed gets the bye (Magic: MTR 2.10); the two players without an
                  opponent meet each other
    """

    OPPONENT = "opponent"
    HIGHEST_SEED = "highest-seed"


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketOptions:
    """The options of a bracket.

    double:      whether there is an upper and a lower bracket, so that players are out after their second
                 loss. If the winner of the lower bracket wins the final, it is played again.
    reseed:      whether, after each round, the highest remaining seed meets the lowest (single brackets only)
    third_place: whether the losers of the semifinals meet for the third place (single brackets only)
    seats:       players at a table; for three and more see `tourney.pairing.elimination.tables`
    advance:     how many players advance from each table; one from tables of two
    """

    double: bool = False
    reseed: bool = False
    third_place: bool = False
    vacancy: Vacancy = Vacancy.OPPONENT
    seats: int = 2
    advance: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketMatch:
    """One match of a bracket, usually of two players.

    label:   the unique name of the match: `Semifinal 1`, `Upper round 2, match 3`, `Final`
    seats:   the players, the higher seed first (this player chooses, if there is a choice); None for a player
             who is not known yet, and for an empty seat
    sources: the source of each seat's player; None if reseeding decides, or if the seat stays empty
    round:   the cut round in which the match was or will be played; None: not known yet, or a walkover
    winner:  the player who advanced; None if the match is open, or if no player advanced
    done:    whether the match is decided: by a result, by a bye, or because no player came
    through: the players who advance, in order; only at tables of three and more
    places:  the place of each player in `seats`; only at such tables, and empty while the match is open
    away:    the players who did not play; only at such tables
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
        """The players who advance from the match, or its winner."""
        return self.through or (() if self.winner is None else (self.winner,))

    def who(self, came: Came) -> PlayerId | None:
        """Return the player of the match with this role.

        Returns None if there is none, or the match is open.
        """
        if isinstance(came, int):
            return self.through[came - 1] if came <= len(self.through) else None
        if came == "winner" or self.winner is None:
            return self.winner
        others = [player for player in self.seats if player not in (None, self.winner)]
        return others[0] if len(others) == 1 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """The matches of one round of a bracket, such as `Quarterfinals` or `Lower round 2`."""

    name: str
    matches: tuple[BracketMatch, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketPlace:
    """A player's final place.

    Players who are out in the same stage share places `first` to `last`.
    """

    player: PlayerId
    first: int
    last: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Bracket:
    """The state of a bracket, with its next round.

    round:    the number of the next cut round, from 1
    tables:   the numbered tables of that round; the higher seed has seat 1; empty at the end
    labels:   the label of each table, in the same order
    byes:     the players who are still in but have no table in this round, by seed
    waiting:  the players in `byes` whose next match is not due yet (double brackets only)
    stages:   all stages, in the order of play
    champion: the winner; None while the bracket is open, or if no player is left
    finished: whether all matches have been played
    places:   the places of the champion and of all players who are out, best first; players who share places
              are in order of seed
    seats:    the number of players at a full table
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


# -- the order of seeds


def fold(places: int) -> tuple[int, ...]:
    """Return the seeds 1 to `places` (a power of two) in bracket order.

    Neighbours meet, and 1 meets 2 only in the final.

    >>> fold(8)
    (1, 8, 4, 5, 2, 7, 3, 6)
    """
    order = [1]
    while len(order) < places:
        total = 2 * len(order) + 1
        order = [seed for best in order for seed in (best, total - best)]
    return tuple(order)


def places_of(
    reached: Mapping[PlayerId, tuple[float, float]], still_in: int, seed: Callable[[PlayerId], int]
) -> tuple[BracketPlace, ...]:
    """Return the places of players who are out.

    Players with equal values share places, in order of seed.

    reached:  player → how far the player came; the least value has the best place
    still_in: the number of players who can still win, who will have better places
    """
    ordered = sorted(reached, key=lambda player: (reached[player], seed(player), player))
    placed: list[BracketPlace] = []
    better = still_in
    for _, group in groupby(ordered, key=reached.__getitem__):
        players = list(group)
        last = better + len(players)
        placed += [BracketPlace(player=player, first=better + 1, last=last) for player in players]
        better = last
    return tuple(placed)
