"""The shape of a bracket before play: its stages, and the source of each seat's player."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from itertools import groupby
from typing import Literal

from msgspec import Struct

from tourney.errors import TourneyError
from tourney.record import PlayerId, Table


class FromSeed(Struct, frozen=True):
    """The source of a seat that is filled by a seed. Seeds are numbered from 1.

    As text: `seed 3`.
    """

    seed: int

    def __str__(self) -> str:
        return f"seed {self.seed}"


MatchRole = Literal["winner", "loser"] | int
"""A player's role after a match: winner, loser, or a place at a larger table."""


class FromMatch(Struct, frozen=True):
    """The source of a seat that is filled by a player of an earlier match.

    As text: `winner of Semifinal 1`.

    label: the label of the earlier match
    """

    role: MatchRole
    label: str

    def __str__(self) -> str:
        return f"{self.role_text} of {self.label}"

    @property
    def role_text(self) -> str:
        """The role of the player in the earlier match, in words: `winner`, `loser`, `place 2`."""
        return f"place {self.role}" if isinstance(self.role, int) else self.role


Source = FromSeed | FromMatch
"""Where the player of a seat comes from: a seed or an earlier match."""

Feeds = tuple[tuple[Source, ...], ...]
"""The sources of the seats at each match of a stage."""


class StagePlan(Struct, frozen=True, kw_only=True):
    """One stage of a bracket, such as the semifinals, as planned before play.

    labels:      the labels of the matches
    feeds:       for each match, where the player of each seat comes from: a seed or an earlier match
    depth:       how far the losers of this stage got; greater numbers get better places. Losers with equal
                 numbers share places, unless the result of a larger table ranks them. A winner without
                 another stage (of the final, or of the match for third place) gets one more than this number
    advance:     how many players advance from each match
    is_reseeded: whether players are sorted by seed before the matches, so that the highest meets the lowest
    is_reset:    whether the stage is played only if the winner of the stage before came from the lower
                 bracket (the second seat)
    """

    name: str
    labels: tuple[str, ...]
    feeds: Feeds
    depth: int
    advance: int = 1
    is_reseeded: bool = False
    is_reset: bool = False

    def is_played(self, players: Sequence[PlayerId]) -> bool:
        """Return whether a match has more players than can advance, so that it must be played."""
        return len(players) > self.advance


def plan(players: int, options: BracketOptions) -> tuple[StagePlan, ...]:
    """Return the stages of a bracket of two or more players.

    In matches of two, seats beyond the last seed stay empty. Raises TourneyError if a match has more than two
    seats and the number of players does not fill all tables.
    """
    if options.seats > 2:
        return _of_tables(players, options.seats, options.advance)
    rounds = (players - 1).bit_length()
    return _double(rounds) if options.double else _single(rounds, options)


def _seed_feeds(places: int) -> Feeds:
    order = [FromSeed(seed) for seed in fold(places)]
    return tuple(zip(order[::2], order[1::2], strict=True))


def _neighbours(role: MatchRole, stage: StagePlan) -> Feeds:
    """Return the sources of the seats in a new stage, which takes all its players from `stage`.

    The first two matches of `stage` feed the first match of the new stage, the next two the second, and so
    on.

    role: which player of each match of `stage` goes to the new stage, such as `winner` or `loser`
    """
    feeds = [FromMatch(role, label) for label in stage.labels]
    return tuple(zip(feeds[::2], feeds[1::2], strict=True))


def _single(rounds: int, options: BracketOptions) -> tuple[StagePlan, ...]:
    stages: list[StagePlan] = []
    for number in range(rounds):
        matches = 2 ** (rounds - 1 - number)
        name, labels = _single_names(matches)
        feeds = _neighbours("winner", stages[-1]) if stages else _seed_feeds(2 * matches)
        is_reseeded = options.reseed and bool(stages)
        stages.append(
            StagePlan(name=name, labels=labels, feeds=feeds, depth=2 * number, is_reseeded=is_reseeded)
        )
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
    """Return upper stages 1 to k, lower stages 1 to 2(k - 1), the final and a second final.

    Lower stage 1 takes the losers of upper stage 1. Lower stage 2j pairs the losers of upper stage j + 1 with
    the winners of lower stage 2j - 1. Lower stage 2j + 1 pairs the winners of lower stage 2j.
    """
    upper = _upper(rounds)
    lower: list[StagePlan] = []
    for number in range(1, 2 * (rounds - 1) + 1):
        if number == 1:
            feeds = _neighbours("loser", upper[0])
        elif number % 2:
            feeds = _neighbours("winner", lower[-1])
        else:
            feeds = _loser_feeds(lower[-1], upper[number // 2], number // 2)
        lower.append(_stage("Lower", number, 2 * (rounds - 1), feeds, depth=2 * (number - 1)))
    top = FromMatch("winner", upper[-1].labels[0])
    bottom = FromMatch("winner", lower[-1].labels[0]) if lower else FromMatch("loser", upper[-1].labels[0])
    depth = 2 * (2 * rounds + 1)
    final = StagePlan(name="Final", labels=("Final",), feeds=((top, bottom),), depth=depth)
    reset_feeds = ((FromMatch("winner", "Final"), FromMatch("loser", "Final")),)
    reset_stage = StagePlan(
        name="Final reset", labels=("Final reset",), feeds=reset_feeds, depth=depth, is_reset=True
    )
    return (*upper, *lower, final, reset_stage)


def _upper(rounds: int) -> list[StagePlan]:
    stages: list[StagePlan] = []
    for number in range(1, rounds + 1):
        feeds = _neighbours("winner", stages[-1]) if stages else _seed_feeds(2**rounds)
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


def _loser_feeds(lower: StagePlan, upper: StagePlan, crossing: int) -> Feeds:
    """Return the sources of the seats of a lower stage that takes the losers of an upper stage.

    Each match pairs one of these losers with a winner of the previous lower stage. The losers are rearranged,
    so that players who met in the upper bracket meet again as late as possible: their order is reversed in
    one such stage, and its halves are swapped in the next.

    lower:    the previous lower stage
    crossing: if odd, the order of the losers is reversed; if even, its halves are swapped
    """
    matches = len(lower.labels)
    mask = matches - 1 if crossing % 2 else matches // 2
    return tuple(
        (FromMatch("loser", upper.labels[match ^ mask]), FromMatch("winner", lower.labels[match]))
        for match in range(matches)
    )


# -- brackets of tables with three or more seats: the first few players of each table advance, until the final
#
# Every table is full at the start, so only some numbers of players are possible (`cut_sizes`). No rule text
# of a game for three or more players has a cut, so the seating is a house rule:
#
# * The first round is dealt in snake order: seeds 1, 2, 3 to tables 1, 2, 3, the next three to tables 3, 2,
#   1, and so on. With tables of two, this gives the usual bracket: the seeds of each match have the same sum.
# * The winner of table n takes the place of seed n, and the winners are dealt in the same way. The players in
#   second place are dealt in the same order, one table further, and those in third place two tables further.
#   So players who met at a table meet again as late as the number of tables allows.
# * A player who leaves is not replaced: the seat stays empty. A table that no player can lose has no match.


def cut_sizes(seats: int, advance: int, most: int) -> tuple[int, ...]:
    """Return the possible numbers of players of a bracket, up to `most`.

    seats, advance: the number of players at a table, and how many of them advance

    The final is one table with `seats` players. Each earlier round has seats/advance times as many players as
    the next. If `advance` does not divide `seats`, the players of an earlier round could not fill its tables,
    so the final is the only round.

    >>> cut_sizes(3, 1, 100), cut_sizes(4, 2, 40), cut_sizes(6, 2, 60), cut_sizes(4, 3, 100)
    ((3, 9, 27, 81), (4, 8, 16, 32), (6, 18, 54), (4,))
    """
    sizes = [seats] if seats <= most else []
    while (
        sizes and seats % advance == 0 and advance < seats and (more := sizes[-1] * seats // advance) <= most
    ):
        sizes.append(more)
    return tuple(sizes)


def _of_tables(players: int, seats: int, advance: int) -> tuple[StagePlan, ...]:
    """Return the rounds of a bracket at tables of three and more.

    Raises TourneyError if the players do not fill the tables.

    >>> [[source.seed for source in table] for table in _of_tables(9, 3, 1)[0].feeds]
    [[1, 6, 7], [2, 5, 8], [3, 4, 9]]
    """
    refuse_size(players, seats, advance)
    stages: list[StagePlan] = []
    remaining = players
    while True:
        tables = remaining // seats
        name, labels = _table_names(remaining, tables, last_but_one=tables * advance == seats)
        feeds = _advancing_feeds(stages[-1], tables, advance) if stages else _dealt_seed_feeds(tables, seats)
        advance_count = advance if tables > 1 else 1
        stages.append(
            StagePlan(name=name, labels=labels, feeds=feeds, depth=len(stages), advance=advance_count)
        )
        if tables == 1:
            return tuple(stages)
        remaining = tables * advance


def refuse_size(players: int, seats: int, advance: int) -> None:
    """Raise TourneyError if this number of players does not fill the tables of a bracket.

    The error names some numbers of players that fill the tables.
    """
    if players not in cut_sizes(seats, advance, players):
        advancing = "the winner advances" if advance == 1 else f"the first {advance} advance"
        raise TourneyError(
            f"{players} players cannot fill a bracket with tables of {seats}, from which {advancing}",
            possible_cuts(seats, advance),
        )


def possible_cuts(seats: int, advance: int, most: int | None = None) -> str:
    """Return a phrase that lists the possible numbers of players in a cut.

    seats:   the number of players at a table
    advance: how many players of a table advance
    most:    the maximum number of players in the cut; if None, at most three possible numbers are listed

    >>> possible_cuts(seats=3, advance=1)
    'possible sizes: 3, 9, 27 …'
    >>> possible_cuts(seats=4, advance=3)
    'possible sizes: 4'
    >>> possible_cuts(seats=4, advance=2, most=3)
    'a table of 4 needs 4 players'
    """
    first = cut_sizes(seats, advance, seats**3)[:3]
    sizes = first if most is None else cut_sizes(seats, advance, most)
    if not sizes:
        return f"a table of {seats} needs {seats} players"
    more = " …" if most is None and len(sizes) > 1 else ""
    return f"possible sizes: {', '.join(map(str, sizes))}{more}"


def _table_names(players: int, tables: int, *, last_but_one: bool) -> tuple[str, tuple[str, ...]]:
    if tables == 1:
        return "Final", ("Final",)
    if last_but_one:
        return "Semifinals", tuple(f"Semifinal {number}" for number in range(1, tables + 1))
    return f"Round of {players}", tuple(
        f"Round of {players}, table {number}" for number in range(1, tables + 1)
    )


def _snake(place: int, tables: int) -> int:
    """Return the index of the table to which a player is dealt, in snake order.

    place: the player's index in the order of seeds
    """
    turn, step = divmod(place, tables)
    return step if turn % 2 == 0 else tables - 1 - step


def _dealt_seed_feeds(tables: int, seats: int) -> Feeds:
    feeds: list[list[Source]] = [[] for _ in range(tables)]
    for place in range(tables * seats):
        feeds[_snake(place, tables)].append(FromSeed(place + 1))
    return tuple(map(tuple, feeds))


def _advancing_feeds(before: StagePlan, tables: int, advance: int) -> Feeds:
    feeds: list[list[Source]] = [[] for _ in range(tables)]
    for place in range(1, advance + 1):
        for table, label in enumerate(before.labels):
            target = (_snake(table, tables) + place - 1) % tables
            feeds[target].append(FromMatch("winner" if advance == 1 else place, label))
    return tuple(map(tuple, feeds))


# -- a bracket as a value: its stages of matches, the next round, and the places


class Vacancy(Enum):
    """The rule that gives a bye when a player leaves after the cut was made.

    OPPONENT:     the opponent of the player who left gets the bye
    HIGHEST_SEED: the highest remaining seed gets the bye (Magic: MTR 2.10); the two players without an
                  opponent meet each other
    """

    OPPONENT = "opponent"
    HIGHEST_SEED = "highest-seed"


class BracketOptions(Struct, frozen=True, kw_only=True):
    """The options of a bracket.

    double:      whether there is an upper and a lower bracket, so that players are out after their second
                 loss. If the winner of the lower bracket wins the final, the final is played again.
    reseed:      whether, after each round, the highest remaining seed meets the lowest (single brackets only)
    third_place: whether the losers of the semifinals play for third place (single brackets only)
    vacancy:     who gets the bye when a player leaves
    seats:       players at a table
    advance:     how many players advance from each table; one from tables of two
    """

    double: bool = False
    reseed: bool = False
    third_place: bool = False
    vacancy: Vacancy = Vacancy.OPPONENT
    seats: int = 2
    advance: int = 1


class BracketMatch(Struct, frozen=True, kw_only=True):
    """One match of a bracket, usually of two players.

    label:   the unique name of the match: `Semifinal 1`, `Upper round 2, match 3`, `Final`
    seats:   the players, the higher seed first; None for a player who is not known yet, and for an empty
             seat. If the rules of the game give a choice to one of the players (such as who begins), the
             first of `seats` has this choice
    sources: the source of each seat's player; None if reseeding decides, or if the seat stays empty
    round:   the cut round in which the match was or will be played; None if that is not known yet, or if a
             player advanced without playing
    winner:  the player who advanced; None if the match is open, or if no player advanced
    is_done: whether the match is decided: by a result, by a bye, or because no player came
    through: the players who advance, in order; empty for matches of two
    places:  the place of each player in `seats`; empty for matches of two and while the match is open
    away:    the players who did not play; empty for matches of two
    """

    label: str
    seats: tuple[PlayerId | None, ...]
    sources: tuple[Source | None, ...] = (None, None)
    round: int | None = None
    winner: PlayerId | None = None
    is_done: bool = False
    through: tuple[PlayerId, ...] = ()
    places: tuple[int | None, ...] = ()
    away: tuple[PlayerId, ...] = ()

    @property
    def ahead(self) -> tuple[PlayerId, ...]:
        """The players who advance from the match; in a match of two, the winner."""
        return self.through or (() if self.winner is None else (self.winner,))

    def player_in_role(self, role: MatchRole) -> PlayerId | None:
        """Return the player who came out of the match in this role: winner, loser, or a place.

        Returns None if there is no such player or the match is open.
        """
        if isinstance(role, int):
            return self.through[role - 1] if role <= len(self.through) else None
        if role == "winner" or self.winner is None:
            return self.winner
        losers = [player for player in self.seats if player not in (None, self.winner)]
        return losers[0] if len(losers) == 1 else None


class Stage(Struct, frozen=True, kw_only=True):
    """The matches of one round of a bracket, such as `Quarterfinals` or `Lower round 2`."""

    name: str
    matches: tuple[BracketMatch, ...]


class BracketPlace(Struct, frozen=True, kw_only=True):
    """A player's final place.

    Players who are out in the same stage share places `first` to `last`.
    """

    player: PlayerId
    first: int
    last: int


class Bracket(Struct, frozen=True, kw_only=True):
    """A bracket after some cut rounds, with its next round.

    round:       the number of the next cut round, from 1
    tables:      the numbered tables of that round; the higher seed has seat 1; empty at the end
    labels:      the label of each table, in the same order
    byes:        the players who are still in but have no table in this round, by seed
    waiting:     the players in `byes` whose next match is not due yet (double brackets only)
    stages:      all stages, in the order of play
    champion:    the winner; None while the bracket is open, or if no player is left
    is_finished: whether all matches have been played
    places:      the places of the champion and of all players who are out, best first; players who share
                 places are in order of seed
    seats:       the number of players at a full table
    """

    round: int
    tables: tuple[Table, ...]
    labels: tuple[str, ...]
    byes: tuple[PlayerId, ...]
    waiting: tuple[PlayerId, ...]
    stages: tuple[Stage, ...]
    champion: PlayerId | None
    is_finished: bool
    places: tuple[BracketPlace, ...]
    seats: int = 2


# -- the order of seeds


def fold(places: int) -> tuple[int, ...]:
    """Return the seeds 1 to `places` (a power of two) in bracket order.

    Neighbours in this order meet, and 1 meets 2 only in the final.

    >>> fold(8)
    (1, 8, 4, 5, 2, 7, 3, 6)
    """
    order = [1]
    while len(order) < places:
        total = 2 * len(order) + 1
        order = [seed for best in order for seed in (best, total - best)]
    return tuple(order)


def places_of(
    progress: Mapping[PlayerId, tuple[float, float]], remaining_count: int, seed: Callable[[PlayerId], int]
) -> tuple[BracketPlace, ...]:
    """Return the places of the players who are out, best first.

    Players with equal values in `progress` share a range of places, such as 5 to 8. They are returned in
    order of seed.

    progress:        player → how far the player came; the least value has the best place
    remaining_count: the number of players who can still win the bracket; as many places are kept for them at
                     the top
    """
    order = sorted(progress, key=lambda player: (progress[player], seed(player), player))
    places: list[BracketPlace] = []
    better_count = remaining_count
    for _, group in groupby(order, key=progress.__getitem__):
        players = list(group)
        last = better_count + len(players)
        places += [BracketPlace(player=player, first=better_count + 1, last=last) for player in players]
        better_count = last
    return tuple(places)
