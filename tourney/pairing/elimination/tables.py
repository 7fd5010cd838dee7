"""A bracket of tables with three or more seats.

The first few players of each table advance, until the final.

Every table is full at the start, so only some numbers of players are possible (`cut_sizes`). No rule text of
a game for three or more players has a cut, so the seating is a house rule:

* The first round is dealt in snake order: seeds 1, 2, 3 to tables 1, 2, 3, the next three to tables 3, 2, 1,
  and so on. With tables of two, this gives the usual bracket: the seeds of each match have the same sum.
* A table is worth its number: its winner replaces the seed of that number, and the winners are dealt in the
  same way. The second players are dealt by the same snake one table further, the third players two further.
  So players who met at a table meet again as late as the number of tables allows.
* A player who leaves has no successor: the seat stays empty. A table at which no player can go out has no
  match.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf

from tourney.errors import TourneyError
from tourney.pairing.elimination.shape import (
    Bracket,
    BracketMatch,
    BracketOptions,
    BracketPlace,
    Came,
    FromMatch,
    FromSeed,
    Source,
    Stage,
    places_of,
)
from tourney.record import NameOf, Outcome, PlayerId, Table
from tourney.wording import listed


def cut_sizes(seats: int, advance: int, most: int) -> tuple[int, ...]:
    """Return the possible numbers of players of a bracket, up to `most`.

    seats, advance: players at a table, and how many of them advance

    The final is one table with `seats` players. The round before has seats/advance times as many. That is a
    whole number of full tables only if `advance` divides `seats`. If it does not, the final is the only
    round.

    >>> cut_sizes(3, 1, 100), cut_sizes(4, 2, 40), cut_sizes(6, 2, 60), cut_sizes(4, 3, 100)
    ((3, 9, 27, 81), (4, 8, 16, 32), (6, 18, 54), (4,))
    """
    sizes = [seats] if seats <= most else []
    while (
        sizes and seats % advance == 0 and advance < seats and (more := sizes[-1] * seats // advance) <= most
    ):
        sizes.append(more)
    return tuple(sizes)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableStage:
    """One round: its tables by label, and where the player of each seat comes from."""

    name: str
    labels: tuple[str, ...]
    feeds: tuple[tuple[Source, ...], ...]


def _plan_tables(players: int, seats: int, advance: int) -> tuple[TableStage, ...]:
    """Return the rounds of a bracket.

    Raises TourneyError for a number that does not fill its tables.

    >>> [[source.seed for source in table] for table in _plan_tables(9, 3, 1)[0].feeds]
    [[1, 6, 7], [2, 5, 8], [3, 4, 9]]
    """
    refuse_size(players, seats, advance)
    stages: list[TableStage] = []
    left = players
    while True:
        tables = left // seats
        name, labels = _names(left, tables, last_but_one=tables * advance == seats)
        feeds = _risen(stages[-1], tables, advance) if stages else _seeded(tables, seats)
        stages.append(TableStage(name=name, labels=labels, feeds=feeds))
        if tables == 1:
            return tuple(stages)
        left = tables * advance


def refuse_size(players: int, seats: int, advance: int, most: int | None = None) -> None:
    """Raise TourneyError, naming possible numbers, if the players do not fill the tables of a bracket.

    most: the number of players present; None: unknown
    """
    if players not in cut_sizes(seats, advance, players):
        going = "the winner goes" if advance == 1 else f"the first {advance} go"
        raise TourneyError(
            f"{players} players do not fill tables of {seats} down to the final, where {going} on from each",
            possible_cuts(seats, advance, most),
        )


def possible_cuts(seats: int, advance: int, most: int | None = None) -> str:
    """Return the possible sizes of a cut in words, up to `most` players or the first ones.

    >>> possible_cuts(3, 1), possible_cuts(3, 1, 10), possible_cuts(4, 3), possible_cuts(4, 2, 3)
    ('possible are 3, 9, 27 …', 'possible are 3 and 9', 'possible is 4', 'a table of 4 needs 4 players')
    """
    first = cut_sizes(seats, advance, seats**3)[:3]
    sizes = first if most is None else cut_sizes(seats, advance, most)
    if not sizes:
        return f"a table of {seats} needs {seats} players"
    if most is None and len(sizes) > 1:
        return f"possible are {', '.join(map(str, sizes))} …"
    return f"possible {'is' if len(sizes) == 1 else 'are'} {listed(sizes)}"


def _names(left: int, tables: int, *, last_but_one: bool) -> tuple[str, tuple[str, ...]]:
    if tables == 1:
        return "Final", ("Final",)
    if last_but_one:
        return "Semifinals", tuple(f"Semifinal {number}" for number in range(1, tables + 1))
    return f"Round of {left}", tuple(f"Round of {left}, table {number}" for number in range(1, tables + 1))


def _snake(place: int, tables: int) -> int:
    """Return the table (from 0) of a place (from 0) in snake order."""
    turn, step = divmod(place, tables)
    return step if turn % 2 == 0 else tables - 1 - step


def _seeded(tables: int, seats: int) -> tuple[tuple[Source, ...], ...]:
    dealt: list[list[Source]] = [[] for _ in range(tables)]
    for place in range(tables * seats):
        dealt[_snake(place, tables)].append(FromSeed(place + 1))
    return tuple(map(tuple, dealt))


def _risen(before: TableStage, tables: int, advance: int) -> tuple[tuple[Source, ...], ...]:
    dealt: list[list[Source]] = [[] for _ in range(tables)]
    for place in range(1, advance + 1):
        for table, label in enumerate(before.labels):
            to = (_snake(table, tables) + place - 1) % tables
            dealt[to].append(FromMatch("winner" if advance == 1 else place, label))
    return tuple(map(tuple, dealt))


def table_bracket(
    players: Sequence[PlayerId],
    options: BracketOptions,
    earlier: Sequence[Mapping[str, Table]],
    *,
    left: Mapping[PlayerId, int],
    first_table: int,
    name: NameOf,
) -> Bracket:
    """Return the state of the bracket. `elimination.bracket` has checked the input."""
    walk = _Walk(players, options, left, name)
    for number, tables in enumerate(earlier, 1):
        if walk.decided:
            raise TourneyError(
                f"cut round {number} has results, but the bracket was decided after cut round {number - 1}"
            )
        walk.play(tables)
    return walk.standing(first_table)


_MISSING = frozenset({Outcome.FORFEIT_LOSS, Outcome.DOUBLE_LOSS, Outcome.ABSENT})
"""Outcomes with which no player advances, whatever the place."""


class _Walk:
    """The state of a bracket: settled rounds, the next round, and players out by round and place."""

    def __init__(
        self, players: Sequence[PlayerId], options: BracketOptions, left: Mapping[PlayerId, int], name: NameOf
    ) -> None:
        self.players, self.seats, self.advance = tuple(players), options.seats, options.advance
        self.plan = _plan_tables(len(players), self.seats, self.advance)
        self.left, self.name = left, name
        self.round = 1
        self.came: dict[tuple[str, Came], PlayerId] = {}
        self.settled: list[Stage] = []
        self.out: dict[PlayerId, tuple[int, float]] = {}
        self.champion: PlayerId | None = None
        self._seed = {player: seed for seed, player in enumerate(players, 1)}
        self.due = self._due()
        self._pass()

    @property
    def decided(self) -> bool:
        return len(self.settled) == len(self.plan)

    def seed(self, player: PlayerId) -> int:
        return self._seed.get(player, len(self.players) + 1)

    def going(self, stage: int) -> int:
        """Return how many players advance from each table of a round; from the final, one."""
        return self.advance if stage + 1 < len(self.plan) else 1

    def _due(self) -> list[list[PlayerId]]:
        """Return the players of each table of the next round, by seed, without those who left before it."""
        if self.decided:
            return []
        at = len(self.settled)
        due = []
        for feeds in self.plan[at].feeds:
            here = []
            for player in map(self._entry, feeds):
                if player is not None and self.left.get(player, self.round) < self.round:
                    self.out[player] = (at, inf)
                elif player is not None:
                    here.append(player)
            due.append(sorted(here, key=self.seed))
        return due

    def _entry(self, source: Source) -> PlayerId | None:
        if isinstance(source, FromSeed):
            return self.players[source.seed - 1]
        return self.came.get((source.label, source.came))

    def _is_played(self, here: Sequence[PlayerId]) -> bool:
        """Return whether a table has a match: a player can go out."""
        return len(here) > self.going(len(self.settled))

    def _pass(self) -> None:
        """Settle rounds in which no table has a match."""
        while not self.decided and not any(map(self._is_played, self.due)):
            self._settle([(tuple(here), None) for here in self.due])
            self.due = self._due()

    def play(self, tables: Mapping[str, Table]) -> None:
        """Add one round's tables, by label, and continue with the next round."""
        stage = self.plan[len(self.settled)]
        for label, table in tables.items():
            if label not in stage.labels:
                raise TourneyError(
                    f"cut round {self.round}: `{label}` is not a table of this round; "
                    f"its tables are {listed(stage.labels)}"
                )
            if not 2 <= len(table.seats) <= self.seats:
                raise TourneyError(
                    f"cut round {self.round}: {label} has {len(table.seats)} seats, a table has {self.seats}"
                )
        seated = {player for table in tables.values() for player in table.seats}
        sat: list[tuple[tuple[PlayerId, ...], Table | None]] = []
        for label, here in zip(stage.labels, self.due, strict=True):
            resting = [player for player in here if player not in seated]
            if (label in tables and resting) or self._is_played(resting):
                raise TourneyError(
                    f"cut round {self.round}: {listed(map(self.name, resting))} "
                    f"{'has' if len(resting) == 1 else 'have'} no table, but must play {label}"
                )
            played = tables.get(label)
            sat.append((played.seats if played else tuple(resting), played))
        self._settle(sat)
        self.round += 1
        self.due = self._due()
        self._pass()

    def _settle(self, sat: Sequence[tuple[tuple[PlayerId, ...], Table | None]]) -> None:
        at = len(self.settled)
        stage, going = self.plan[at], self.going(at)
        matches = []
        for label, feeds, (seats, table) in zip(stage.labels, stage.feeds, sat, strict=True):
            through = seats if table is None else self._first(label, table, going)
            for player in through:
                self.out.pop(player, None)
            result = table.result.seats if table and table.result else ()
            places = {seat.player: seat.place for seat in result}
            away = tuple(seat.player for seat in result if seat.outcome is Outcome.FORFEIT_LOSS)
            self.out |= {player: (at, places.get(player, inf)) for player in seats if player not in through}
            self.came |= {(label, place): player for place, player in enumerate(through, 1)}
            if going == 1 and through:
                self.came[label, "winner"] = through[0]
            played = table is not None
            match = self._match(label, feeds, seats, through=through, places=places, played=played)
            matches.append(replace(match, away=away))
        self.settled.append(Stage(name=stage.name, matches=tuple(matches)))
        if self.decided:
            self.champion = self.came.get((stage.labels[0], "winner"))

    def _first(self, label: str, table: Table, going: int) -> tuple[PlayerId, ...]:
        """Return the players who advance from a table, in order.

        Raises TourneyError if their places are open or shared.
        """
        if table.result is None:
            raise TourneyError(f"cut round {self.round}: {label} (table {table.number}) has no result yet")
        there = sorted(
            (seat for seat in table.result.seats if seat.outcome not in _MISSING), key=lambda seat: seat.place
        )
        for better, worse in pairwise(there[: going + 1]):
            if better.place == worse.place:
                raise TourneyError(
                    f"cut round {self.round}: {label} (table {table.number}) leaves open who "
                    f"{'has won' if going == 1 else 'advances'}: {self.name(better.player)} and "
                    f"{self.name(worse.player)} share a place",
                    "change the result: give each of them a place",
                )
        return tuple(seat.player for seat in there[:going])

    def _match(
        self,
        label: str,
        feeds: Sequence[Source],
        here: Sequence[PlayerId],
        *,
        through: tuple[PlayerId, ...] = (),
        places: Mapping[PlayerId, int] | None = None,
        played: bool = True,
        done: bool = True,
    ) -> BracketMatch:
        from_where = {player: source for source in feeds if (player := self._entry(source)) is not None}
        order = sorted(here, key=self.seed)
        empty = self.seats - len(order)
        return BracketMatch(
            label=label,
            seats=(*order, *[None] * empty),
            sources=(*(from_where.get(player) for player in order), *[None] * empty),
            round=self.round if played else None,
            winner=through[0] if through and (played or len(self.settled) + 1 == len(self.plan)) else None,
            done=done,
            through=through,
            places=(*(places.get(player) for player in order), *[None] * empty) if places else (),
        )

    def standing(self, first_table: int) -> Bracket:
        """Return the state of the bracket."""
        due = [] if self.decided else list(zip(self.plan[len(self.settled)].labels, self.due, strict=True))
        playing = [(label, here) for label, here in due if self._is_played(here)]
        seated = {player for _, here in playing for player in here}
        return Bracket(
            round=self.round,
            tables=tuple(Table(first_table + place, tuple(here)) for place, (_, here) in enumerate(playing)),
            labels=tuple(label for label, _ in playing),
            byes=tuple(player for _, here in due for player in here if player not in seated),
            waiting=(),
            stages=(*self.settled, *self._coming()),
            champion=self.champion,
            finished=self.decided,
            places=self._places(),
            seats=self.seats,
        )

    def _coming(self) -> Iterator[Stage]:
        """Yield the open rounds: the next one with its players, later ones with their sources."""
        at = len(self.settled)
        for number, stage in enumerate(self.plan[at:], at):
            if number == at:
                matches = [
                    self._match(label, feeds, here, played=self._is_played(here), done=False)
                    for label, feeds, here in zip(stage.labels, stage.feeds, self.due, strict=True)
                ]
            else:
                matches = [
                    BracketMatch(label=label, seats=(None,) * self.seats, sources=feeds)
                    for label, feeds in zip(stage.labels, stage.feeds, strict=True)
                ]
            yield Stage(name=stage.name, matches=tuple(matches))

    def _places(self) -> tuple[BracketPlace, ...]:
        """Return the places of the champion and of players out: by round reached, then by place at the table.

        Equals share places. Players who left before a round come after all who played it.
        """
        reached = {player: (-stage, place) for player, (stage, place) in self.out.items()}
        if self.champion is not None:
            reached[self.champion] = (-len(self.plan), 0.0)
        still_in = {player for here in self.due for player in here} - reached.keys()
        return places_of(reached, len(still_in), self.seed)
