"""A recorded round, looked at again: held against its system, and at the moment when it was made.

How it is judged: the question that the engine would be asked today, the findings, and claim by claim what is proved. How it
is explained: who was there when these players came together, and what answers the question why.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from tourney.errors import Finding, Severity, TourneyError
from tourney.event.field import RoundField, field_of, groups_of, record
from tourney.event.phrases import names_of
from tourney.event.state import Round, State
from tourney.event.systems import PairingSystem, Past, options_of, sizes_of, system_called
from tourney.pairing import (
    NOBODY,
    WISHES,
    Cost,
    Entrant,
    Mode,
    Options,
    Pairing,
    Price,
    RoundExplanation,
    same_engine,
)
from tourney.record import NameOf, Outcome, PlayerId, Table
from tourney.wording import counted, listed

if TYPE_CHECKING:
    from tourney.pairing.facts import Fact, Names
    from tourney.standings import Profile

NO_ROUND = {"seated-twice", "not-seated", "not-in-round", "table-size"}
"""Findings after which the cost of a round says nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundQuestion:
    """A recorded round as the engine sees it.

    round:   the round; before: the event as it stood before the round was paired, or when it was edited last
    field:   who was to be paired, and whose bye or absence was announced; empty in a cut
    absent:  why known players were not to be paired
    pairing: the recorded tables (edits by hand included) with what was proved of them
    """

    past: Past
    round: Round
    before: State
    field: RoundField
    options: Options
    absent: Mapping[PlayerId, str]
    pairing: Pairing
    name: NameOf

    @classmethod
    def of(cls, past: Past, round_: Round) -> RoundQuestion:
        """Return the question of a round of whatever system, with the field it was paired from."""
        by_hand = bool(round_.edits) or round_.system == "manual"
        before = past.at(round_.edits[-1].entry if round_.edits else round_.paired.entry - 1)
        options = options_of(before, round_.number)
        left_out = _elsewhere(before, round_) if round_.edits else set()
        field = (
            RoundField((), {})
            if round_.stage == "cut"
            else field_of(
                before,
                past.profile(before),
                number=round_.number,
                without=left_out | (_sat_out(round_) if by_hand else set()),
                newcomers=bool(round_.edits),
                ranks=options.mode is Mode.RANK,
            )
        )
        return cls(
            past=past,
            round=round_,
            before=before,
            field=field,
            options=options,
            absent=_absent(before, field, round_),
            pairing=_recorded(round_),
            name=names_of(past.state),
        )

    @property
    def by_hand(self) -> bool:
        """Whether the organizer made the tables, or changed some."""
        return self.round.system == "manual" or bool(self.round.edits)

    @property
    def here(self) -> tuple[PlayerId, ...]:
        """Whoever has a table or the odd bye, in this order."""
        seated = [player for table in self.pairing.tables for player in table.seats]
        return tuple(dict.fromkeys([*seated, *self.pairing.byes]))


def _sat_out(round_: Round) -> set[PlayerId]:
    """Return who has no table and not the odd bye either: in a round by hand that is the organizer's word."""
    return {player for player, outcome in round_.byes.items() if outcome is not Outcome.BYE}


def _elsewhere(state: State, round_: Round) -> set[PlayerId]:
    """Return who was not to be in an edited round: those who left and those who came meanwhile and were not let in."""
    inside = {player for table in round_.tables.values() for player in table.seats} | set(round_.byes)
    left = {each.id for each in state.players.values() if not each.playing or each.since > round_.number}
    return left - inside


def _absent(before: State, field: RoundField, round_: Round) -> dict[PlayerId, str]:
    entrants = {entrant.id for entrant in field.entrants}
    reasons = {player: f"announced: {outcome.value}" for player, outcome in field.byes.items()}
    for player in _sat_out(round_) - entrants - reasons.keys():
        reasons[player] = f"was given: {round_.byes[player].value}"
    for each in before.players.values():
        if each.id not in entrants and each.id not in reasons:
            reasons[each.id] = "had left" if not each.playing else "was not there yet"
    return reasons


def _recorded(round_: Round) -> Pairing:
    proof = round_.proof
    return Pairing(
        tables=tuple(round_.tables.values()),
        byes=tuple(player for player, outcome in round_.byes.items() if outcome is Outcome.BYE),
        cost=_cost(proof.cost),
        bound=_cost(proof.bound),
        proof=proof.text,
        seed=round_.seed,
        method=round_.engine,
    )


def _cost(levels: tuple[int, ...]) -> Cost:
    """Return a recorded cost; levels that came after the entry was written are 0."""
    return Cost(**dict(zip(Cost().as_dict(), levels, strict=False)))


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundClaim:
    """One thing that is proved of a round, or is not.

    what:   `legal`, `rematches`, `bye`, `sizes` (of tables), `differences`, `below` (the levels below the point
            differences), `seats`, `tables` (those that the system makes)
    proved: True; False where it is shown to be otherwise; None where it is not settled
    text:   in an organizer's words, without a full stop
    """

    what: str
    proved: bool | None
    text: str


_SEATS_ALONE = PairingSystem()


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What can be said of a recorded round.

    findings: what is wrong with it, errors first; empty where nothing is
    claims:   what is proved and what is not
    fine:     what is said of it where nothing is wrong: `legal and optimal`
    system:   by whose rules it was judged
    engine:   what would make this round today, by name and version; empty for a round by hand
    cost:     what it costs; None where it does not seat everybody once, or where its system weighs nothing
    optimal:  whether no round is better; None where that is not proved, or where the system weighs nothing
    best:     the round that the system makes of the same field and seed; None where it makes none, or could not be asked
    """

    question: RoundQuestion
    findings: tuple[Finding, ...]
    claims: tuple[RoundClaim, ...]
    fine: str
    system: PairingSystem = _SEATS_ALONE
    engine: str = ""
    cost: Cost | None = None
    optimal: bool | None = None
    best: Pairing | None = None

    @property
    def legal(self) -> bool:
        """Whether nothing breaks a rule."""
        return all(each.severity is not Severity.ERROR for each in self.findings)

    @property
    def settled(self) -> bool:
        """Whether every question of `check` could be settled."""
        return all(each.severity is not Severity.UNVERIFIED for each in self.findings)

    @property
    def by_hand(self) -> bool:
        """Whether the organizer made the tables, or changed some."""
        return self.question.by_hand

    def proved(self, *what: str) -> bool | None:
        """Return whether all claims of these names hold (no name: all there are); None where that is not settled."""
        answers = [each.proved for each in self.claims if not what or each.what in what]
        return False if False in answers else None if None in answers else True


# -- what the systems' judgements are made of


def by_seats_alone(question: RoundQuestion, *more: Finding) -> Judged:
    """Judge a round by the rules that bind the organizer, too, and by nothing else. more: what else there is to say."""
    findings = (*by_the_rules(question), *more)
    return Judged(question=question, findings=findings, claims=(legal(findings),), fine="legal")


def without_engine(question: RoundQuestion, refusal: TourneyError) -> Judged:
    """Judge a round whose field the engine refuses, by the rules alone."""
    return by_seats_alone(
        question,
        Finding(rule="possible", severity=Severity.ADVICE, message=refusal.message, hint=refusal.hint),
    )


def by_the_rules(
    question: RoundQuestion, entrants: Sequence[Entrant] | None = None, *, wishes: Collection[str] = WISHES
) -> list[Finding]:
    """Check a round by the rules that bind the organizer, too: seats, sizes, numbers, wishes, rematches, byes.

    wishes: those that the system looks at; that another one is not met is told, and is no fault of the round. Nor is it
            that somebody sits elsewhere than at their fixed table where the organizer seated the round
    """
    from tourney.pairing import manual  # here: whoever pairs a round judges none

    findings = manual.check(
        question.field.entrants if entrants is None else entrants,
        question.options,
        question.pairing.tables,
        question.pairing.byes,
        sizes=sizes_of(question.before),
        absent=question.absent,
        name=question.name,
    )
    unkept = WISHES.difference(wishes)
    findings = [replace(each, severity=Severity.ADVICE) if each.rule in unkept else each for each in findings]
    return weighed(question, findings, {"fixed-table"})


def legal(findings: Sequence[Finding]) -> RoundClaim:
    """Say whether any rule is broken."""
    broken = [each.message for each in findings if each.severity is Severity.ERROR]
    if broken:
        return RoundClaim(
            what="legal", proved=False, text=f"{counted(len(broken), 'rule')} broken: {'; '.join(broken)}"
        )
    return RoundClaim(what="legal", proved=True, text="everybody has one seat, and no rule is broken")


def the_tables(question: RoundQuestion, *, same: bool, engine: str, source: str) -> RoundClaim:
    """Say whether the tables are those that the system makes. source: from what they follow."""
    round_ = question.round
    if same:
        return RoundClaim(what="tables", proved=True, text=f"the tables are those that follow from {source}")
    if round_.edits:
        editors = listed(f"entry {edit.entry}, {edit.at[11:16]} by {edit.by}" for edit in round_.edits)
        return RoundClaim(what="tables", proved=None, text=f"the tables were changed by hand ({editors})")
    if not same_engine(round_.engine, engine):
        text = f"the round was paired by {round_.engine or 'an engine without a name'}; {engine} would make other tables"
        return RoundClaim(what="tables", proved=None, text=text)
    return RoundClaim(what="tables", proved=False, text=f"other tables follow from {source}")


def same_tables(some: Sequence[Table], others: Sequence[Table]) -> bool:
    """Say whether tables have the same numbers and seats, in whatever order and whatever their results."""
    one, other = ({(table.number, table.seats) for table in tables} for tables in (some, others))
    return one == other


def weighed(question: RoundQuestion, findings: Sequence[Finding], rules: set[str]) -> list[Finding]:
    """Return findings, errors first; where the organizer made or changed tables, those of `rules` are no errors.

    rules: what the system would have made otherwise, and which table is whose: who seats by hand says where
    """
    if question.by_hand:
        findings = [
            replace(each, severity=Severity.ADVICE) if each.rule in rules and not each.cite else each
            for each in findings
        ]
    order = (Severity.ERROR, Severity.UNVERIFIED, Severity.ADVICE)
    return sorted(findings, key=lambda each: order.index(each.severity))


# -- at the moment when it was made


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
        return system_called(self.before.settings.pairing.system).explains(self.round)

    @property
    def by_hand(self) -> bool:
        """Whether somebody chose the tables, so that nobody says that chance did."""
        return self.how != "engine"

    @cached_property
    def names(self) -> Names:
        """How players and groups are called now."""
        from tourney.pairing.facts import Names  # here and below: whoever pairs a round explains none

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
        from tourney.pairing.facts import reasons_of

        return RoundExplanation(
            table=None if table is None else self.today.tables[table],
            players=seats,
            decided_by=decided_by,
            reasons=reasons_of(facts, self.names),
            facts=facts,
        )

    def without_price(self, one: PlayerId, other: PlayerId, facts: tuple[Fact, ...]) -> Price:
        """Return an answer where tables follow from a rule and have no price."""
        from tourney.pairing.facts import Meets, reasons_of

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
        return f"has no table in {round_.title.lower()} but {outcome.words.award}{announced}"
    if each.since > round_.number:
        return f"was not there yet in {round_.title.lower()}"
    if each.last_round is not None and each.last_round < round_.number:
        return f"had left before {round_.title.lower()}"
    return f"has no table in {round_.title.lower()}"
