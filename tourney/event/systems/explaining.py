"""A recorded round at the moment when it was made, by whatever system: what the question why is answered from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from tourney.errors import TourneyError
from tourney.event.field import field_of, groups_of, record
from tourney.event.phrases import names_of
from tourney.event.state import Round, State
from tourney.event.systems import PairingSystem, Past, options_of, system_called
from tourney.pairing import NOBODY, Cost, Entrant, Mode, Options, Pairing, Price, RoundExplanation
from tourney.pairing.facts import Fact, Meets, Names, reasons_of
from tourney.record import Outcome, PlayerId, Table
from tourney.standings import Profile
from tourney.wording import listed


class Moment:
    """A round as it was when it was paired (step 0), or after its n-th edit.

    today: the round as it stands; round: as it was then; entered: when and by whom
    before: the event that the tables were made from; how: who made them, `engine`, `repair` or `hand`
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
        """Return the moment since which these players have been together, or one has had no opponent.

        A repair after a correction chooses every table anew, those too that it keeps.
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
        """The rounds before, as they were counted then."""
        return record(self.before).after(self.today.number - 1).rounds

    def has(self, seats: Sequence[PlayerId]) -> bool:
        """Whether these players were together then, or the one without an opponent."""
        if len(seats) == 1:
            had = self.round.byes.get(seats[0])
            return self.round.table_of(seats[0]) is None and had is self.today.byes.get(seats[0])
        table = self.round.table_of(seats[0])
        return table is not None and set(table.seats) == set(seats)

    @cached_property
    def before_pairing(self) -> State:
        """The event as it stood when the round was paired, whatever was edited since."""
        return self.past.at(self.today.paired.entry - 1)

    @property
    def system(self) -> PairingSystem:
        """By whose rules the tables are explained."""
        if self.round.stage == "cut":
            return system_called("elimination")
        return system_called(self.before.settings.system).explains(self.round)

    @property
    def by_hand(self) -> bool:
        """Whether somebody chose the tables, so that nobody says that chance did."""
        return self.how != "engine"

    @cached_property
    def names(self) -> Names:
        """How players and groups are called now."""
        return Names(names_of(self.past.state), groups_of(self.past.state))

    @cached_property
    def profile(self) -> Profile:
        """The standings profile that held then."""
        return self.past.profile(self.before)

    # -- what the engines are asked

    @cached_property
    def inside(self) -> frozenset[PlayerId]:
        """Who was to be paired: whoever has a table, or the odd bye."""
        seated = {player for table in self.round.tables.values() for player in table.seats}
        return frozenset(seated | set(self.pairing.byes))

    @cached_property
    def pairing(self) -> Pairing:
        """The tables as they stood; nothing of what was recorded of their cost."""
        return Pairing(
            tables=tuple(Table(number, table.seats) for number, table in self.round.tables.items()),
            byes=tuple(player for player, outcome in self.round.byes.items() if outcome is Outcome.BYE),
            seed=self.round.seed,
        )

    @cached_property
    def entrants(self) -> tuple[Entrant, ...]:
        """The players inside, from the rounds before; what they had announced does not count against them."""
        number = self.today.number
        players = {
            player: replace(each, byes={n: kind for n, kind in each.byes.items() if n != number})
            if player in self.inside
            else each
            for player, each in self.before.players.items()
        }
        entrants = field_of(
            replace(self.before, players=players),
            self.profile,
            number=number,
            without=self.before.players.keys() - self.inside,
            newcomers=True,
            ranks=options_of(self.before, number).mode is Mode.RANK,
        ).entrants
        fixed = [each.fixed_table for each in entrants if each.fixed_table is not None]
        if len(set(fixed)) < len(fixed):  # by hand two may have the same one
            return tuple(replace(each, fixed_table=None) for each in entrants)
        return entrants

    @cached_property
    def options(self) -> Options:
        """The switches of the round, as far as they are about the players inside."""
        options = options_of(self.before, self.today.number)
        rated = any(each.rating is not None for each in self.entrants)
        bye = options.forced_bye
        return replace(
            options,
            forced=tuple(pair for pair in options.forced if self.inside.issuperset(pair)),
            forced_bye=bye if bye in self.inside and len(self.entrants) % 2 else None,
            mode=Mode.RANDOM
            if options.mode in {Mode.FOLD, Mode.SLIDE} and not rated and self.by_hand
            else options.mode,
        )

    def refuse_strangers(self, *players: PlayerId) -> None:
        """Refuse a round in which somebody sits who had left, or was not there yet; and whoever of `players` is not in it."""
        strangers = self.inside - {each.id for each in self.entrants}
        if strangers:  # no engine made it
            named = listed(map(self.names.player, sorted(strangers)))
            raise TourneyError(
                f"{self.today.title} is not explained: {named} had left before it, and is in it all the same"
            )
        for player in players:
            if player != NOBODY and player not in self.inside:
                away = why_away(self.past.state, self.today, player)
                raise TourneyError(f"{self.names.player(player)} {away}")

    # -- what is answered

    def explanation(
        self, seats: tuple[PlayerId, ...], table: int | None, decided_by: str, facts: tuple[Fact, ...]
    ) -> RoundExplanation:
        """Return facts as an explanation of a table, or (None) of one player without an opponent."""
        return RoundExplanation(
            table=None if table is None else self.today.tables[table],
            players=seats,
            decided_by=decided_by,
            reasons=reasons_of(facts, self.names),
            facts=facts,
        )

    def without_price(self, one: PlayerId, other: PlayerId, facts: tuple[Fact, ...]) -> Price:
        """Return an answer where tables follow from a rule and have no price."""
        players = tuple(player for player in (one, other) if player != NOBODY)
        table = self.round.table_of(one)
        meet = self.round.byes.get(one) is Outcome.BYE if table is None else other in table.seats
        if table is not None and meet and not any(isinstance(fact, Meets) for fact in facts):
            facts = (Meets(players=players, table=table.number), *facts)
        return Price(
            players=players,
            possible=meet,
            best=Cost(),
            forced=None,
            level=None,
            more=0,
            reasons=reasons_of(facts, self.names),
            facts=facts,
        )


def why_away(state: State, round_: Round, player: PlayerId) -> str:
    """Say why a player was not to be paired: `had left before round 3`."""
    outcome, each = round_.byes.get(player), state.players[player]
    if outcome is not None:
        announced = ", as was announced" if round_.number in each.byes else ""
        return f"has no table in {round_.title.lower()} but {outcome.words.given}{announced}"
    if each.since > round_.number:
        return f"was not there yet in {round_.title.lower()}"
    last = [rounds for rounds in (each.dropped, each.disqualified) if rounds is not None]
    if any(rounds < round_.number for rounds in last):
        return f"had left before {round_.title.lower()}"
    return f"has no table in {round_.title.lower()}"
