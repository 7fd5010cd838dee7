"""Reconstruct a recorded round, to check it and to explain its tables.

A `RoundQuestion` is the input of the engine that paired the round, so that today's engine can be given the
same. A `Moment` is the round and the event at the time when the players of a table came together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import tourney.pairing as engines
import tourney.standings as rankings
from tourney.errors import TourneyError
from tourney.event.field import Ask, RoundField, field_of, groups_of, options_of, record
from tourney.event.phrases import names_of
from tourney.event.state import Round, State
from tourney.record import NOBODY, NameOf, Outcome, PlayerId, Table
from tourney.wording import listed


class Past(Protocol):
    """The history of an event, for checks and explanations: `tourney.desk.evidence.Evidence`."""

    @property
    def state(self) -> State:
        """The event as it is now."""
        ...

    @property
    def at(self) -> Callable[[int], State]:
        """A function that returns the event after an entry."""
        ...

    @property
    def dutch_engine(self) -> str:
        """The name and version of the installed engine of the Dutch system.

        Empty if it is not installed or not needed.
        """
        ...

    def profile(self, state: State) -> rankings.Profile:
        """Return the standings profile of `state`."""
        ...

    def ask(self, before: State, number: int, seed: str) -> Ask:
        """Return the request to pair round `number` of the event in `before`."""
        ...


# -- the input of a recorded round


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundQuestion:
    """A recorded round with the input for its engine.

    before:  the event before the round was paired, or after its last edit
    field:   the players to pair, and those with a requested bye or absence; empty in a cut
    absent:  other players → why they were not to be paired
    pairing: the recorded tables, including edits by hand, with their recorded proof
    """

    past: Past
    round: Round
    before: State
    field: RoundField
    options: engines.Options
    absent: Mapping[PlayerId, str]
    pairing: engines.Pairing
    name: NameOf

    @classmethod
    def of(cls, past: Past, round_: Round) -> RoundQuestion:
        """Return the input of a recorded round of any system."""
        before = past.at(round_.edits[-1].entry if round_.edits else round_.paired.entry - 1)
        options = options_of(before, round_.number)
        field = RoundField((), {})
        if round_.stage != "cut":
            excluded = _left_out(before, round_) if round_.edits else set()
            if round_.edits or round_.system == "manual":
                excluded |= _sat_out(round_)
            field = field_of(
                before,
                past.profile(before),
                number=round_.number,
                without=excluded,
                newcomers=bool(round_.edits),
                ranks=options.mode is engines.Mode.RANK,
            )
        return cls(
            past=past,
            round=round_,
            before=before,
            field=field,
            options=options,
            absent=_absent(before, field, round_),
            pairing=replace(
                _pairing(round_),
                cost=_cost(round_.proof.cost),
                bound=_cost(round_.proof.bound),
                proof=round_.proof.text,
                method=round_.engine,
            ),
            name=names_of(past.state),
        )

    @property
    def by_hand(self) -> bool:
        """Whether the organizer made the tables, or changed some."""
        return self.round.system == "manual" or bool(self.round.edits)

    @property
    def here(self) -> tuple[PlayerId, ...]:
        """The players who have a table, then those who have the bye of an odd number of players."""
        seated = [player for table in self.pairing.tables for player in table.seats]
        return tuple(dict.fromkeys([*seated, *self.pairing.byes]))


def _sat_out(round_: Round) -> set[PlayerId]:
    """Return the players without a table who have another kind of bye, or are absent."""
    return {player for player, outcome in round_.byes.items() if outcome is not Outcome.BYE}


def _left_out(state: State, round_: Round) -> set[PlayerId]:
    """Return players who are not in an edited round: they left, or joined late and got no seat."""
    inside = {player for table in round_.tables.values() for player in table.seats} | set(round_.byes)
    outside = {
        player.id for player in state.players.values() if not player.playing or player.since > round_.number
    }
    return outside - inside


def _absent(before: State, field: RoundField, round_: Round) -> dict[PlayerId, str]:
    entrants = {entrant.id for entrant in field.entrants}
    reasons = {player: f"announced: {outcome.value}" for player, outcome in field.byes.items()}
    for player in _sat_out(round_) - entrants - reasons.keys():
        reasons[player] = f"was given: {round_.byes[player].value}"
    for other in before.players.values():
        if other.id not in entrants and other.id not in reasons:
            reasons[other.id] = "had left" if not other.playing else "was not registered yet"
    return reasons


def _pairing(round_: Round) -> engines.Pairing:
    """Return the tables of a round without their results and cost."""
    return engines.Pairing(
        tables=tuple(Table(number, table.seats) for number, table in round_.tables.items()),
        byes=tuple(player for player, outcome in round_.byes.items() if outcome is Outcome.BYE),
        seed=round_.seed,
    )


def _cost(levels: tuple[int, ...]) -> engines.Cost:
    """Return a recorded cost. Levels that did not exist when the entry was written are 0."""
    return engines.Cost(**dict(zip(engines.Cost().as_dict(), levels, strict=False)))


# -- the moment when a table was made


class Moment:
    """A round at the time when it was paired (step 0), or after its n-th edit (step n).

    today:   the round as it is now
    round:   the round as it was then
    entered: when and by whom it was paired or edited
    before:  the event that the tables were made from
    how:     how the tables were made: `engine`, `repair` or `hand`
    """

    def __init__(self, past: Past, round_: Round, step: int) -> None:
        self.past = past
        self.today = round_
        self.entered = (round_.paired, *round_.edits)[step]
        after = past.at(self.entered.entry)
        self.round = after.rounds[round_.number - 1]
        self.before = after if step else past.at(self.entered.entry - 1)
        if step:
            self.how = "repair" if self.round.engine else "hand"
        else:
            self.how = "hand" if self.round.system == "manual" else "engine"

    @classmethod
    def of(cls, past: Past, round_: Round, seats: Sequence[PlayerId]) -> Moment:
        """Return the moment when these players came together, or when one player lost the opponent.

        A repair after a corrected result decides on every table again, even on those that it keeps. So the
        moment is never before such a repair.
        """
        step = len(round_.edits)
        moment = cls(past, round_, step)
        while step and (earlier := cls(past, round_, step - 1)).has(seats):
            if moment.how == "repair" and earlier.results != moment.results:
                break
            moment, step = earlier, step - 1
        return moment

    @cached_property
    def results(self) -> tuple[tuple[Table, ...], ...]:
        """The earlier rounds, with the results that counted then."""
        return record(self.before).after(self.today.number - 1).rounds

    def has(self, seats: Sequence[PlayerId]) -> bool:
        """Return whether these players were at one table then, or the only one had no opponent."""
        table = self.round.table_of(seats[0])
        if len(seats) == 1:
            return table is None and self.round.byes.get(seats[0]) is self.today.byes.get(seats[0])
        return table is not None and set(table.seats) == set(seats)

    @cached_property
    def before_pairing(self) -> State:
        """The event before the round was paired, without later edits."""
        return self.past.at(self.today.paired.entry - 1)

    @property
    def by_hand(self) -> bool:
        """Whether the tables were not drawn by an engine, so that chance had no part in them."""
        return self.how != "engine"

    @cached_property
    def names(self) -> engines.Names:
        """The names of players and groups as they are now."""
        return engines.Names(names_of(self.past.state), groups_of(self.past.state))

    @cached_property
    def profile(self) -> rankings.Profile:
        """The standings profile that the event had then."""
        return self.past.profile(self.before)

    # -- the engine's input

    @cached_property
    def inside(self) -> frozenset[PlayerId]:
        """The players to pair: those who have a table, or the bye of an odd number of players."""
        seated = {player for table in self.round.tables.values() for player in table.seats}
        return frozenset(seated | set(self.pairing.byes))

    @cached_property
    def pairing(self) -> engines.Pairing:
        """The tables as they were, without their recorded cost."""
        return _pairing(self.round)

    @cached_property
    def entrants(self) -> tuple[engines.Entrant, ...]:
        """The players of `inside` as entrants, with their earlier rounds.

        Byes that they requested for this round are ignored.
        """
        number = self.today.number
        players = {
            player.id: replace(player, byes={n: kind for n, kind in player.byes.items() if n != number})
            if player.id in self.inside
            else player
            for player in self.before.players.values()
        }
        entrants = field_of(
            replace(self.before, players=players),
            self.profile,
            number=number,
            without=self.before.players.keys() - self.inside,
            newcomers=True,
            ranks=options_of(self.before, number).mode is engines.Mode.RANK,
        ).entrants
        fixed = [entrant.fixed_table for entrant in entrants if entrant.fixed_table is not None]
        if len(set(fixed)) < len(fixed):  # the organizer may seat two players with the same fixed table
            return tuple(replace(entrant, fixed_table=None) for entrant in entrants)
        return entrants

    @cached_property
    def options(self) -> engines.Options:
        """The options of the round, limited to the players of `inside`."""
        options, mode = options_of(self.before, self.today.number), engines.Mode
        has_ratings = any(entrant.rating is not None for entrant in self.entrants)
        is_unrated = options.mode in {mode.FOLD, mode.SLIDE} and not has_ratings and self.by_hand
        bye = options.forced_bye
        return replace(
            options,
            forced=tuple(pair for pair in options.forced if self.inside.issuperset(pair)),
            forced_bye=bye if bye in self.inside and len(self.entrants) % 2 else None,
            mode=mode.RANDOM if is_unrated else options.mode,
        )

    def refuse_strangers(self, *players: PlayerId) -> None:
        """Raise TourneyError if the round has strangers, or if `players` are not in the round.

        A stranger is a player of the round who was not in the event at that time.
        """
        strangers = self.inside - {entrant.id for entrant in self.entrants}
        if strangers:  # then no engine made the round
            names = listed(map(self.names.player, sorted(strangers)))
            raise TourneyError(
                f"{self.today.title} cannot be explained: it includes {names}, not in the event at that time"
            )
        for player in players:
            if player != NOBODY and player not in self.inside:
                away = why_away(self.past.state, self.today, player)
                raise TourneyError(f"{self.names.player(player)} {away}")

    # -- answers

    def explanation(
        self, seats: tuple[PlayerId, ...], table: int | None, decided_by: str, facts: tuple[engines.Fact, ...]
    ) -> engines.RoundExplanation:
        """Return `facts` as an explanation of a table.

        table: the number of the table; None: `facts` explain a player without an opponent
        """
        return engines.RoundExplanation.of(seats, table, decided_by, facts)

    def without_price(self, one: PlayerId, other: PlayerId, facts: tuple[engines.Fact, ...]) -> engines.Price:
        """Return a price without costs, for a system whose rules determine the tables."""
        players = tuple(player for player in (one, other) if player != NOBODY)
        table = self.round.table_of(one)
        meet = self.round.byes.get(one) is Outcome.BYE if table is None else other in table.seats
        if table is not None and meet and not any(fact.what == "meets" for fact in facts):
            facts = (engines.meets(self.names, players, table.number), *facts)
        return engines.Price(
            players=players,
            possible=meet,
            best=engines.Cost(),
            forced=None,
            level=None,
            more=0,
            reasons=tuple(fact.reason for fact in facts),
            facts=tuple(fact.data for fact in facts),
        )


def why_away(state: State, round_: Round, number: PlayerId) -> str:
    """Return why player `number` was not paired in a round: `had left before round 3`."""
    outcome, player = round_.byes.get(number), state.players[number]
    if outcome is not None:
        announced = ", as announced" if round_.number in player.byes else ""
        return f"has {outcome.words.award} in {round_.title.lower()}{announced}"
    if player.since > round_.number:
        return f"was not registered yet in {round_.title.lower()}"
    if player.last_round is not None and player.last_round < round_.number:
        return f"had left before {round_.title.lower()}"
    return f"has no table in {round_.title.lower()}"
