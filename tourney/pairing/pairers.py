"""Pairers: pairing systems as values that can be called to pair the next round of a record.

    pairer = PodsPairer(Sizes(3, 4, 4))
    pairing = pairer(record, entrants, options, seeds)

`tourney.event.systems` makes the pairer of an event. Simulations use the same pairer, so they pair as the
event does. Pairers are plain values, so that other processes can receive them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import ClassVar, Protocol

from msgspec import Struct
from msgspec.structs import replace

from tourney.pairing import dutch, pods, round_robin
from tourney.pairing.manual import Sizes
from tourney.pairing.pairing import Entrants, Options, Pairing, number_of
from tourney.pairing.swiss.engine import pair
from tourney.record import NameOf, Outcome, PlayerId, Record

Seeds = Callable[[int], str]
"""A function that returns the seed of a round from its number."""


class Pairer(Protocol):
    """A pairing system as a function that pairs the next round.

    The next round is the first after `record`; its number is `options.round_number`.

    slow: whether the pairer runs another program, which takes many times as long as our own engines
    """

    slow: ClassVar[bool]

    def __call__(
        self, record: Record, entrants: Entrants, options: Options, seeds: Seeds, *, name: NameOf = number_of
    ) -> Pairing:
        """Return the paired round.

        An entrant without a table and without a bye does not play and gets no points for the round.

        Raises NoRoundError if the system's rules allow no round, and TourneyError if the engine refuses the
        input.
        """
        ...


class SwissPairer(Struct, frozen=True):
    """Swiss rounds of two at a table: `tourney.pairing.swiss`."""

    slow: ClassVar[bool] = False

    def __call__(
        self, record: Record, entrants: Entrants, options: Options, seeds: Seeds, *, name: NameOf = number_of
    ) -> Pairing:
        """Return the round, paired by the Swiss engine."""
        return pair(entrants, options, seeds(options.round_number), name=name)


class PodsPairer(Struct, frozen=True):
    """Tables of three and more: `tourney.pairing.pods`."""

    slow: ClassVar[bool] = False
    sizes: Sizes

    def __call__(
        self, record: Record, entrants: Entrants, options: Options, seeds: Seeds, *, name: NameOf = number_of
    ) -> Pairing:
        """Return the round, paired by the engine for pods."""
        seats: dict[PlayerId, list[int]] = {}
        for tables in record.rounds:
            for table in tables:
                for seat, player in enumerate(table.seats, 1):
                    seats.setdefault(player, []).append(seat)
        seed = seeds(options.round_number)
        return pods.pair(entrants, options, seed, sizes=self.sizes, seats_before=seats, name=name)


class RoundRobinPairer(Struct, frozen=True):
    """The schedule of `tourney.pairing.round_robin`.

    If the number of players is odd, one player rests in each round. This is not a bye.

    members: the players of the schedule
    double:  whether all players meet twice
    seed:    the seed of round 1, from which the schedule is drawn; None if round 1 is not paired yet
    """

    slow: ClassVar[bool] = False
    members: tuple[PlayerId, ...]
    double: bool = False
    seed: str | None = None

    def __call__(
        self, record: Record, entrants: Entrants, options: Options, seeds: Seeds, *, name: NameOf = number_of
    ) -> Pairing:
        """Return the round of the schedule. Opponents of absent players have a bye."""
        number = options.round_number
        plan = _schedule(self.members, self.double, seeds(1) if self.seed is None else self.seed)
        present = {entrant.id for entrant in entrants}
        absent_players = [player for player in self.members if player not in present]
        pairing = plan.round(number, absent_players=absent_players, first_table=options.first_table)
        resting_player = plan.rests[number - 1]
        return replace(pairing, byes=tuple(player for player in pairing.byes if player != resting_player))


@lru_cache(maxsize=4)
def _schedule(members: tuple[PlayerId, ...], double: bool, seed: str) -> round_robin.Schedule:
    return round_robin.schedule(members, double=double, seed=seed)


class DutchPairer(Struct, frozen=True):
    """FIDE's Dutch system, with an external engine: `tourney.pairing.dutch`.

    points:       half points of every outcome, by the event's standings profile
    seed:         the random seed of round 1, which decides the side of the player who is ranked first; None
                  if round 1 is not paired yet; empty if round 1 was paired without a random seed
    rounds_total: the planned number of rounds, if known
    version:      name and version of the engine, if known
    """

    slow: ClassVar[bool] = True
    engine: dutch.Engine
    points: Mapping[Outcome, int]
    seed: str | None = None
    rounds_total: int | None = None
    version: str = ""

    def __call__(
        self, record: Record, entrants: Entrants, options: Options, seeds: Seeds, *, name: NameOf = number_of
    ) -> Pairing:
        """Return the round, paired by the external engine."""
        round_seed = seeds(options.round_number)
        first_seed = seeds(1) if self.seed is None else self.seed or round_seed
        question = dutch.ask(
            record,
            entrants,
            options,
            points=self.points,
            order=dutch.initial_order({player: record.ratings.get(player) for player in record.players}),
            initial_side=dutch.drawn_side(first_seed),
            rounds_total=self.rounds_total,
            name=name,
        )
        pairing = dutch.answer(question, self.engine(question), seed=round_seed)
        return replace(pairing, method=f"{pairing.method} ({self.version})") if self.version else pairing
