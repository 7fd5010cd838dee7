"""Explanations of recorded rounds, whatever system made them: why this table, why not that one.

A table is explained by the event as it stood when the table was made: by the pairing, by a repair, or by hand. What was
recorded of its cost is not asked; where somebody chose the table, nobody says that chance did.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from tourney.decode import MOST_DIGITS
from tourney.desk.evidence import since
from tourney.errors import TourneyError
from tourney.event.field import field_of, groups_of, record
from tourney.event.kind import round_of
from tourney.event.phrases import names_of
from tourney.event.state import Entered, Round, State
from tourney.event.systems import bracket_of, bracket_options, options_of, schedule_of, sizes_of
from tourney.pairing import NOBODY, Entrant, Mode, Options, Pairing, Price, RoundExplanation
from tourney.pairing.facts import APART, Fact, Meets, Names, SharedGroups, reasons_of
from tourney.pairing.pairing import Cost
from tourney.record import Outcome, PlayerId, Table
from tourney.wording import listed

if TYPE_CHECKING:
    from tourney.desk.desk import Desk
    from tourney.pairing.dutch_rules import Situation
    from tourney.pairing.round_robin import Schedule


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What there is to say about a table, a bye, or a pairing that was not made.

    round: the round
    how:   who made what is explained: `engine`, `repair` or `hand`; entered: when and by whom
    stale: `paired before entry 31 corrected round 2`; empty where the results still stand
    said:  the explanation, or the price
    names: how the players in it are called
    """

    round: Round
    how: str
    entered: Entered
    stale: str
    said: RoundExplanation | Price
    names: Mapping[PlayerId, str]


def why(desk: Desk, number: int | None, what: str) -> Answer:
    """Explain a table (by its number or somebody who sits there), or why somebody has no opponent (`bye`, or by name).

    Raises TourneyError where there is no such round, table or player, and for players who were not to be paired.
    """
    round_ = round_of(desk.state, number)
    seats, table = _meant(desk, round_, what)
    moment = _Moment.of(desk, round_, seats)
    return _answer(desk, moment, moment.explain(seats, table))


def why_not(desk: Desk, number: int | None, one: PlayerId, other: PlayerId) -> Answer:
    """Say what it would have cost to pair two players, or to give one the bye (`other` = `NOBODY`); see `why`."""
    round_ = round_of(desk.state, number)
    if one == other:
        raise TourneyError(f"{names_of(desk.state)(one)} cannot meet themselves")
    moment = _Moment(desk, round_, len(round_.edits))
    return _answer(desk, moment, moment.price(one, other))


def _answer(desk: Desk, moment: _Moment, said: RoundExplanation | Price) -> Answer:
    name, group = names_of(desk.state), groups_of(desk.state)
    players = {*said.players, *(player for reason in said.reasons for player in reason.players)}
    return Answer(
        round=moment.known,
        how=moment.how,
        entered=moment.entered,
        stale=since(desk.evidence(), moment.known, seen=moment.before.entry).text,
        said=replace(said, facts=tuple(_named(fact, group) for fact in said.facts)),
        names={player: name(player) for player in sorted(players)},
    )


def _named(fact: Fact, group: Callable[[str], str]) -> Fact:
    """Return a fact with its groups by name; the engines know them by digest."""
    if not isinstance(fact, SharedGroups):
        return fact
    tags = tuple(tag if tag.startswith(APART) else group(tag) for tag in fact.tags)
    return msgspec.structs.replace(fact, tags=tags)


def _meant(desk: Desk, round_: Round, what: str) -> tuple[tuple[PlayerId, ...], int | None]:
    """Return who sits at the table that `what` means, with its number; one player and None for a bye."""
    title, name = round_.title, names_of(desk.state)
    if what.isascii() and what.isdigit():
        table = round_.tables.get(int(what)) if len(what) <= MOST_DIGITS else None
        if table is None:
            raise TourneyError(
                f"{title} has no table {what}", f"tables: {', '.join(map(str, round_.tables))}"
            )
        return table.seats, table.number
    if what.casefold() == "bye":
        byes = [player for player, outcome in round_.byes.items() if outcome is Outcome.BYE]
        if not byes:
            raise TourneyError(f"nobody has the bye in {title.lower()}")
        if len(byes) > 1:
            raise TourneyError(f"{listed(map(name, byes))} have a bye in {title.lower()}", "name one of them")
        return (byes[0],), None
    player = desk.who(what)
    sitting = round_.table_of(player)
    if sitting is not None:
        return sitting.seats, sitting.number
    if round_.byes.get(player) is not Outcome.BYE and not _rests(desk.state, round_, player):
        raise TourneyError(f"{name(player)} {_away(desk.state, round_, player)}")
    return (player,), None


def _rests(state: State, round_: Round, player: PlayerId) -> bool:
    """Whether a player of a round robin has no opponent by the schedule."""
    return round_.system == "round-robin" and player in schedule_of(state, round_.seed).players


def _away(state: State, round_: Round, player: PlayerId) -> str:
    """Say why a player was not to be paired."""
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


class _Moment:
    """A round as it was when it was paired (step 0), or after its n-th edit."""

    def __init__(self, desk: Desk, round_: Round, step: int) -> None:
        self.desk = desk
        self.known = round_
        self.entered = (round_.paired, *round_.edits)[step]
        after = desk.at(self.entered.entry)
        self.round = after.rounds[round_.number - 1]
        self.before = after if step else desk.at(self.entered.entry - 1)
        if step:
            self.how = "repair" if self.round.engine else "hand"
        else:
            self.how = "hand" if self.round.system == "manual" else "engine"

    @classmethod
    def of(cls, desk: Desk, round_: Round, seats: Sequence[PlayerId]) -> _Moment:
        """Return the moment since which these players have been together, or one has had no opponent.

        A repair after a correction chooses every table anew, those too that it keeps.
        """
        step = len(round_.edits)
        moment = cls(desk, round_, step)
        while step and (earlier := cls(desk, round_, step - 1)).has(seats):
            if moment.how == "repair" and earlier.results != moment.results:
                break
            moment, step = earlier, step - 1
        return moment

    @cached_property
    def results(self) -> tuple[tuple[Table, ...], ...]:
        """The rounds before, as they were counted then."""
        return record(self.before).after(self.known.number - 1).rounds

    def has(self, seats: Sequence[PlayerId]) -> bool:
        """Whether these players were together then, or the one without an opponent."""
        if len(seats) == 1:
            had = self.round.byes.get(seats[0])
            return self.round.table_of(seats[0]) is None and had is self.known.byes.get(seats[0])
        table = self.round.table_of(seats[0])
        return table is not None and set(table.seats) == set(seats)

    @property
    def by_hand(self) -> bool:
        return self.how != "engine"

    @cached_property
    def names(self) -> Names:
        return Names(names_of(self.desk.state), groups_of(self.desk.state))

    # What the Swiss engine is asked.

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
        number = self.known.number
        players = {
            player: replace(each, byes={n: kind for n, kind in each.byes.items() if n != number})
            if player in self.inside
            else each
            for player, each in self.before.players.items()
        }
        entrants = field_of(
            replace(self.before, players=players),
            self.desk.evidence().profile(self.before),
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
        options = options_of(self.before, self.known.number)
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

    # The answers, by system.

    def explain(self, seats: tuple[PlayerId, ...], table: int | None) -> RoundExplanation:
        """Explain a table, or (None) why one player has no opponent."""
        if self.round.stage == "cut":
            label = None if table is None else self.round.labels.get(table)
            return self._told(seats, table, "bracket", self._bracket("why", label, seats))
        if self._schedule:
            return self._told(seats, table, "schedule", self._plan.why(self.known.number, seats))
        self._refuse_strangers()
        if self._larger:
            from tourney.pairing.pods import why as pods

            facts = pods.why(self.entrants, self.options, self.pairing, seats, sizes=sizes_of(self.before))
            return self._told(seats, table, "pods", facts)
        if self._dutch:
            return self._told(seats, table, "dutch", self._situation.why(seats))
        from tourney.pairing import why as explain

        number = None if table is None else self._number(seats)
        made = self.pairing if table is not None else replace(self.pairing, byes=self._first(seats[0]))
        return explain(
            self.entrants, self.options, made, number, by_hand=self.by_hand, name=self.names.player, group=self.names.group
        )  # fmt: skip

    def _refuse_strangers(self) -> None:
        """Refuse a round in which somebody sits who had left, or was not there yet: no engine made it."""
        strangers = self.inside - {each.id for each in self.entrants}
        if strangers:
            named = listed(map(self.names.player, sorted(strangers)))
            raise TourneyError(
                f"{self.known.title} is not explained: {named} had left before it, and is in it all the same"
            )

    def price(self, one: PlayerId, other: PlayerId) -> Price:
        """Say what it would have cost to pair two players, or to give one the bye."""
        if self.round.stage == "cut":
            seats = table.seats if (table := self.round.table_of(one)) else ()
            instead = () if other in seats else self._bracket("why_not", one, other)
            return self._not_weighed(one, other, instead)
        if self._schedule:
            return self._not_weighed(one, other, self._plan.why_not(one, other))
        self._refuse_strangers()
        for player in (one, other):
            if player != NOBODY and player not in self.inside:
                away = _away(self.desk.state, self.known, player)
                raise TourneyError(f"{self.names.player(player)} {away}")
        if self._larger:
            from tourney.pairing.pods import why as pods

            sizes = sizes_of(self.before)
            return self._not_weighed(
                one, other, pods.why_not(self.entrants, self.options, self.pairing, one, other, sizes=sizes)
            )
        if self._dutch:
            return self._not_weighed(one, other, self._situation.why_not(one, other))
        from tourney.pairing import why_not as weigh

        return weigh(
            self.entrants, self.options, self.round.seed, one, other, pairing=self.pairing, by_hand=self.by_hand,
            name=self.names.player, group=self.names.group,
        )  # fmt: skip

    @property
    def _larger(self) -> bool:
        """Whether the tables are larger than those of two."""
        seats = {len(table.seats) for table in self.round.tables.values()}
        return self.round.system == "pods" or bool(seats - {2})

    @property
    def _schedule(self) -> bool:
        return self.before.settings.system == "round-robin" and self.round.stage == "swiss"

    @property
    def _plan(self) -> Schedule:
        return schedule_of(self.round_before, self.known.seed)

    def _number(self, seats: Sequence[PlayerId]) -> int:
        table = self.round.table_of(seats[0])
        assert table is not None, "it was found by its players"
        return table.number

    def _first(self, player: PlayerId) -> tuple[PlayerId, ...]:
        return (player, *(each for each in self.pairing.byes if each != player))

    @property
    def _dutch(self) -> bool:
        return self.before.settings.system == "dutch"

    @property
    def _situation(self) -> Situation:
        from tourney.pairing.dutch import drawn_side, initial_order
        from tourney.pairing.dutch_rules import Situation

        state, profile = self.before, self.desk.evidence().profile(self.before)
        played = record(state).after(self.known.number - 1)
        sides, first = state.settings.sides, self.round_before.rounds
        return Situation(
            record=played,
            entrants=self.entrants,
            options=self.options,
            pairing=self.pairing,
            points={outcome: rule.points for outcome, rule in profile.outcomes.items()},
            order=initial_order({player: state.players[player].rating for player in played.players}),
            initial_side=drawn_side((first[0].seed if first else "") or self.known.seed),
            rounds_total=state.settings.rounds,
            sides=(sides[0], sides[1]) if len(sides) == 2 else ("first", "second"),
            by_hand=self.by_hand,
        )

    def _bracket(self, question: str, *asked: Any) -> tuple[Fact, ...]:
        from tourney.pairing.elimination import why as elimination

        cut = self.round_before.cut
        if cut is None:
            raise TourneyError(
                f"{self.known.title} was paired before its bracket was made: entry {self.known.paired.entry}"
            )
        now = bracket_of(self.round_before, cut)
        ask: Callable[..., tuple[Fact, ...]] = getattr(elimination, question)
        return ask(cut.players, bracket_options(cut), now, *asked)

    @cached_property
    def round_before(self) -> State:
        """The event as it stood when the round was paired, whatever was edited since."""
        return self.desk.at(self.known.paired.entry - 1)

    def _told(
        self, seats: tuple[PlayerId, ...], table: int | None, decided_by: str, facts: tuple[Fact, ...]
    ) -> RoundExplanation:
        return RoundExplanation(
            table=None if table is None else self.known.tables[table],
            players=seats,
            decided_by=decided_by,
            reasons=reasons_of(facts, self.names),
            facts=facts,
        )

    def _not_weighed(self, one: PlayerId, other: PlayerId, facts: tuple[Fact, ...]) -> Price:
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
