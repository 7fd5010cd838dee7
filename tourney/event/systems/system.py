"""The base class of pairing systems, and the recorded rounds that they check and explain.

A `PairingSystem` pairs the next round, checks a recorded round, and explains why a table was made. A
`RoundQuestion` has the input from which a round was paired, so that today's engine can pair it again. A
`Moment` is a round and its event at the time when the players of a table were first seated together. The
functions below `PairingSystem` are shared by the systems.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

import tourney.pairing as engines
import tourney.standings as rankings
from tourney.errors import Finding, Severity, TourneyError
from tourney.event.field import Ask, RoundField, field_of, groups_of, options_of, proof_of, record, sizes_of
from tourney.event.ops import UNSEATED, CutMade, NoTable, RoundPaired
from tourney.event.settings import System
from tourney.event.state import Entered, Round, State
from tourney.event.titles import in_a_sentence
from tourney.pairing import WISHES
from tourney.record import NOBODY, NameOf, Outcome, PlayerId, Table
from tourney.wording import counted, listed

if TYPE_CHECKING:
    from tourney.pairing import Pairer


class Past(Protocol):
    """The history of an event, from which rounds are checked and explained.

    `tourney.desk.evidence.Evidence` implements this protocol.
    """

    @property
    def state(self) -> State:
        """The event as it is now."""
        ...

    @property
    def at(self) -> Callable[[int], State]:
        """A function that takes the number of an entry, and returns the event after that entry."""
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
        """Return the request to pair round `number`.

        before: the event from which the round is paired
        seed:   the seed of the round's random choices
        """
        ...


# -- the input of a recorded round


class RoundQuestion(Struct, frozen=True, kw_only=True):
    """A recorded round, with the input from which an engine can pair it again.

    before:  the event just before the round was paired; if the round was edited later, the event just after
             its last edit
    field:   the players to pair, and those with a requested bye or absence; empty in a cut
    absent:  player who was not to be paired → why
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
        """Return a recorded round of any system, with the input from which it was paired."""
        before = past.at(round_.edits[-1].entry if round_.edits else round_.paired.entry - 1)
        options = options_of(before, round_.number)
        field = RoundField((), {})
        if round_.stage != "cut":
            excluded_players = _players_left_out(before, round_) if round_.edits else set()
            if round_.edits or round_.system == "manual":
                excluded_players |= _players_sitting_out(round_)
            field = field_of(
                before,
                past.profile(before),
                number=round_.number,
                without=excluded_players,
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
            name=past.state.name_of,
        )

    @property
    def paired_players(self) -> tuple[PlayerId, ...]:
        """The players at tables, then those with the bye.

        Players with a bye that they requested or were awarded are not included.
        """
        seated_players = [player for table in self.pairing.tables for player in table.seats]
        return tuple(dict.fromkeys([*seated_players, *self.pairing.byes]))


def _players_sitting_out(round_: Round) -> set[PlayerId]:
    """Return the players without a table who asked for a bye, were awarded one, or are absent."""
    return {player for player, outcome in round_.byes.items() if outcome is not Outcome.BYE}


def _players_left_out(state: State, round_: Round) -> set[PlayerId]:
    """Return the players who left, or joined late, and have no table and no bye in the round."""
    inside = round_.seated | round_.byes.keys()
    outside = {
        player.id for player in state.players.values() if not player.playing or player.since > round_.number
    }
    return outside - inside


def _absent(before: State, field: RoundField, round_: Round) -> dict[PlayerId, str]:
    entrants = {entrant.id for entrant in field.entrants}
    reasons = {player: f"announced: {outcome.value}" for player, outcome in field.byes.items()}
    for player in _players_sitting_out(round_) - entrants - reasons.keys():
        reasons[player] = f"was given: {round_.byes[player].value}"
    for other in before.players.values():
        if other.id not in entrants and other.id not in reasons:
            reasons[other.id] = "had left" if not other.playing else "was not registered yet"
    return reasons


def _pairing(round_: Round) -> engines.Pairing:
    """Return the tables, byes and seed of a round in the form that engines use.

    Results, the cost, and byes that players requested or were awarded are left out.
    """
    return engines.Pairing(
        tables=tuple(Table(number, table.seats) for number, table in round_.tables.items()),
        byes=tuple(player for player, outcome in round_.byes.items() if outcome is Outcome.BYE),
        seed=round_.seed,
    )


def _cost(levels: tuple[int, ...]) -> engines.Cost:
    """Convert the numbers of a recorded cost to a `Cost`.

    The numbers are the values of the fields of `Cost`, in order. Fields for which an old journal entry has no
    number are 0.
    """
    return engines.Cost(**dict(zip(engines.Cost().as_dict(), levels, strict=False)))


# -- the moment when a table was made


class Moment:
    """A round at the time when it was paired (step 0), or after its n-th edit (step n).

    today:   the round as it is now
    round:   the round as it was then
    entered: when and by whom it was paired or edited
    before:  the event as it was then: for step 0, just before the pairing; for an edit, just after the edit
    how:     how the tables were made: `engine`, `repair` or `hand`
    """

    def __init__(self, past: Past, round_: Round, step: int) -> None:
        self.past = past
        self.today = round_
        self.entered = (round_.paired, *round_.edits)[step]
        after = past.at(self.entered.entry)
        self.round = after.rounds[round_.number - 1]
        self.before = after if step else past.at(self.entered.entry - 1)
        self.how = self.round.origin

    @classmethod
    def of(cls, past: Past, round_: Round, seats: Sequence[PlayerId]) -> Moment:
        """Return the moment when these players were seated together.

        For a single player, return the moment since which the player has had no opponent.

        After a result is corrected, a repair can pair the round again. It then decides every table again,
        even those that stay the same. So the moment is never earlier than the last such repair.
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
        """The earlier rounds, with the results that were in force when this round was paired."""
        return record(self.before).after(self.today.number - 1).rounds

    def has(self, seats: Sequence[PlayerId]) -> bool:
        """Return whether these players, and no others, shared a table at the time of this `Moment`.

        For a single player, return whether the player had no table then, but the same bye or absence as now.
        """
        table = self.round.table_of(seats[0])
        if len(seats) == 1:
            return table is None and self.round.byes.get(seats[0]) is self.today.byes.get(seats[0])
        return table is not None and set(table.seats) == set(seats)

    @cached_property
    def before_pairing(self) -> State:
        """The event just before the round was paired."""
        return self.past.at(self.today.paired.entry - 1)

    @property
    def by_hand(self) -> bool:
        """Whether the organizer or a repair made the tables, not the seed alone."""
        return self.how != "engine"

    @cached_property
    def names(self) -> engines.Names:
        """Functions that return the current names of players and groups, such as clubs."""
        return engines.Names(self.past.state.name_of, groups_of(self.past.state))

    @cached_property
    def profile(self) -> rankings.Profile:
        """The standings profile that the event used when the round was paired or edited."""
        return self.past.profile(self.before)

    # -- the engine's input

    @cached_property
    def inside(self) -> frozenset[PlayerId]:
        """The players at tables and those with the bye.

        Players with a bye that they requested or were awarded are not included.
        """
        return frozenset(self.round.seated.union(self.pairing.byes))

    @cached_property
    def pairing(self) -> engines.Pairing:
        """The tables and byes of the round at this moment, without the recorded cost."""
        return _pairing(self.round)

    @cached_property
    def entrants(self) -> tuple[engines.Entrant, ...]:
        """The players of the round (`inside`) as engines use them, with their earlier rounds.

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
        tables = [entrant.fixed_table for entrant in entrants if entrant.fixed_table is not None]
        if len(set(tables)) < len(tables):  # the organizer may seat two players with the same fixed table
            return tuple(replace(entrant, fixed_table=None) for entrant in entrants)
        return entrants

    @cached_property
    def options(self) -> engines.Options:
        """The options for pairing the round.

        A forced pair or bye is left out if one of its players is not in the round (`inside`). A forced bye is
        also left out if the number of players is even.
        """
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
        """Raise TourneyError if the round has strangers, or if one of `players` is not in the round.

        A stranger is a player of the round who was not in the event at this moment: just before the pairing,
        or just after an edit of the round.
        """
        strangers = self.inside - {entrant.id for entrant in self.entrants}
        if strangers:  # in that case no engine made the round
            names = listed(map(self.names.player, sorted(strangers)))
            raise TourneyError(
                f"{self.today.title} cannot be explained, because it includes players who were not in the"
                f" event at that time: {names}"
            )
        for player in players:
            if player != NOBODY and player not in self.inside:
                away = why_away(self.past.state, self.today, player)
                raise TourneyError(f"{self.names.player(player)} {away}")

    # -- answers

    def without_price(self, one: PlayerId, other: PlayerId, facts: tuple[engines.Fact, ...]) -> engines.Price:
        """Return whether two players meet and why, for an answer without costs.

        If they share a table and `facts` lacks the fact that they meet, this fact is added at the beginning.

        other: `NOBODY` to ask whether `one` has a bye
        facts: the facts that explain the answer
        """
        players = tuple(player for player in (one, other) if player != NOBODY)
        table = self.round.table_of(one)
        meet = self.round.byes.get(one) is Outcome.BYE if table is None else other in table.seats
        if table is not None and meet and not any(fact.kind == "meets" for fact in facts):
            facts = (engines.meeting_fact(self.names, players, table.number), *facts)
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
    """Return the reason why a player was not paired in a round: `had left before round 3`."""
    outcome, player = round_.byes.get(number), state.players[number]
    if outcome is not None:
        suffix = ", as announced" if round_.number in player.byes else ""
        return f"has {outcome.words.award} in {in_a_sentence(round_.title)}{suffix}"
    if player.since > round_.number:
        return f"was not registered yet in {in_a_sentence(round_.title)}"
    if player.last_round is not None and player.last_round < round_.number:
        return f"had left before {in_a_sentence(round_.title)}"
    return f"has no table in {in_a_sentence(round_.title)}"


def why_unpaired(moment: Moment, player: PlayerId) -> engines.RoundExplanation:
    """Explain a bye that the pairing did not give, or an absence."""
    outcome = moment.round.byes[player]
    is_announced = moment.before.players[player].byes.get(moment.today.number) is outcome
    decision, texts = ("announced", _ANNOUNCED) if is_announced else ("organizer", _DECISIONS)
    text = texts[outcome].format(player=moment.names.player(player))
    answer = engines.fact(decision, (player,), text, outcome=outcome)
    return engines.RoundExplanation.of((player,), None, decision, [answer])


_ANNOUNCED = {
    Outcome.AWARDED_BYE: "the organizer gave {player} an awarded bye before this round was paired",
    Outcome.HALF_BYE: "{player} asked for a half-point bye in this round",
    Outcome.ABSENT: "{player} asked not to play in this round",
}
_DECISIONS = {
    Outcome.AWARDED_BYE: "the organizer gave {player} an awarded bye in this round",
    Outcome.HALF_BYE: "the organizer gave {player} a half-point bye in this round",
    Outcome.ABSENT: "the organizer left {player} out of this round",
}


# -- a pairing system


class Proposal(Struct, frozen=True, kw_only=True):
    """A round that a system proposes: the op that records it, and warnings for the organizer.

    pairing: the engine's pairing; None if no engine made it
    first:   the op that makes the bracket, in the first round of an elimination event; else None
    """

    op: RoundPaired
    pairing: engines.Pairing | None = None
    first: CutMade | None = None
    warnings: tuple[str, ...] = ()


class RoundClaim(Struct, frozen=True, kw_only=True):
    """A statement about a round, and whether it is proved.

    what:   what the statement is about: `legal`, `rematches`, `bye`, `sizes` (of tables), `differences` (in
        points), `below` (all criteria that are less important than point differences), `seats`, or `tables`
        (whether they are those that the system makes)
    proved: True if the statement is proved, False if it is disproved, None if it is open
    text:   the statement for an organizer, without a full stop
    """

    what: str
    proved: bool | None
    text: str


class PairingSystem:
    """A pairing system. The default methods check only the seats of a round, and cannot pair.

    phrase:           the system's name in a sentence: `a round robin`
    rules:            the name of the system's rules in a proof
    wishes:           the kinds of the organizer's wishes that the system respects (`tourney.pairing.WISHES`).
                      Other wishes cannot be entered, and checks and proofs ignore them.
    wish_refusal:     two texts: why the system ignores wishes about opponents, and what the organizer can do
                      instead
    weighs:           whether rounds are recorded with a cost, such as the number of rematches
    repairs:          whether its rounds can be repaired, if tables have two players
    rests_on_results: whether its tables depend on earlier results
    seats_count:      whether its tables depend on the seats in earlier rounds
    """

    phrase = ""
    rules = "seats"
    wishes: frozenset[str] = WISHES
    wish_refusal: tuple[str, str] = ("", "")
    weighs = False
    repairs = False
    rests_on_results = True
    seats_count = False

    def planned_rounds(self, state: State) -> int | None:
        """Return the number of rounds that the system itself determines; None if it does not."""
        return None

    def propose(self, ask: Ask) -> Proposal:
        """Return the next round. Raises TourneyError if there is no next round."""
        raise NotImplementedError

    def pairer(self, ask: Ask) -> Pairer | None:
        """Return a pairer for this and later rounds in simulations; None if there is none."""
        return None

    def price(
        self,
        before: State,
        field: RoundField,
        options: engines.Options,
        tables: Sequence[Table],
        byes: Sequence[PlayerId],
    ) -> engines.Cost:
        """Return the cost of a round, such as its rematches; zero in a system without costs."""
        return engines.Cost()

    def judge(self, question: RoundQuestion, engine_pairing: engines.Pairing | None) -> Judgment:
        """Check a recorded round by the system's rules.

        engine_pairing: the pairing that the engine makes today; None if it is not known
        """
        return judge_seats(question)

    def certificate(self, judgment: Judgment) -> dict[str, Any]:
        """Return the parts `certificate` and `best` of the JSON document that proves the round.

        `certificate` is null in a system without certificates. `best` is a better round, if one is known.
        """
        return {"certificate": None}

    def entrants(self, judgment: Judgment) -> Sequence[engines.Entrant]:
        """Return the players whom the system would pair in the round."""
        return judgment.question.field.entrants

    def explains(self, round_: Round) -> System:
        """Return the name of the pairing system whose rules explain a round.

        This is `pods` if the round was paired as pods, or if a table does not seat two players. Otherwise it
        is `swiss`.
        """
        has_pods = any(len(table.seats) != 2 for table in round_.tables.values())
        return "pods" if has_pods or round_.system == "pods" else "swiss"

    def rests(self, state: State, round_: Round, player: PlayerId) -> bool:
        """Return whether a player has no table because the schedule has no opponent for them."""
        return False

    def why(self, moment: Moment, seats: tuple[PlayerId, ...], table: int | None) -> engines.RoundExplanation:
        """Explain why a table was made.

        table: the number of the table; None to explain why the only player in `seats` has no opponent
        """
        raise NotImplementedError

    def why_not(self, moment: Moment, one: PlayerId, other: PlayerId) -> engines.Price:
        """Return what seating two players at one table would cost, with reasons.

        other: the second player; `NOBODY` asks for the cost of giving `one` the bye
        """
        raise NotImplementedError


class Judgment(Struct, frozen=True, kw_only=True):
    """The result of checking a recorded round.

    findings: what is wrong with the round, errors first
    system:   the system by whose rules the round was checked
    fine:     the verdict if nothing is wrong: `legal and optimal`
    engine:   the name and version of the engine that would pair this round today; empty for a round
        paired by hand
    cost:     the cost; None if the round does not seat each player once, or if its system has no costs
    optimal:  whether no round is better; None if that is not proved, or if the system has no costs
    best:     the pairing that the system makes from the same players and seed; None if it makes none, or if
        its engine is not available
    """

    question: RoundQuestion
    findings: tuple[Finding, ...]
    claims: tuple[RoundClaim, ...]
    system: PairingSystem
    fine: str = "legal"
    engine: str = ""
    cost: engines.Cost | None = None
    optimal: bool | None = None
    best: engines.Pairing | None = None

    @property
    def legal(self) -> bool:
        """Whether the round breaks no rule."""
        return all(finding.severity is not Severity.ERROR for finding in self.findings)

    @property
    def is_verified(self) -> bool:
        """Whether every rule could be checked, so that no finding is `unverified`."""
        return all(finding.severity is not Severity.UNVERIFIED for finding in self.findings)

    def proved(self, *what: str) -> bool | None:
        """Return True if all statements of these kinds are proved, and False if one is disproved.

        Returns None if some are not proved, but none are disproved.

        what: the kinds of statements; if none is given, those of all kinds
        """
        answers = [claim.proved for claim in self.claims if not what or claim.what in what]
        return False if False in answers else None if None in answers else True


# -- parts of a check


NO_ROUND = frozenset({"seated-twice", "not-seated", "not-in-round", "table-size"})
"""The rules that a round must keep to have a meaningful cost."""


def judge_seats(question: RoundQuestion, *more: Finding) -> Judgment:
    """Check a round only by rules that even the organizer must follow, such as seats and byes.

    more: findings of other checks, which are added
    """
    findings = (*check_rules(question), *more)
    claims = (legal_claim(findings),)
    return Judgment(question=question, findings=findings, claims=claims, system=PairingSystem())


def judge_without_engine(question: RoundQuestion, refusal: TourneyError) -> Judgment:
    """Check only a round's seats, because the engine cannot pair its players.

    refusal: the engine's error
    """
    advice = Finding(rule="possible", severity=Severity.ADVICE, message=refusal.message, hint=refusal.hint)
    return judge_seats(question, advice)


def check_rules(
    question: RoundQuestion,
    entrants: Sequence[engines.Entrant] | None = None,
    *,
    wishes: Collection[str] = WISHES,
) -> list[Finding]:
    """Check the rules that also bind the organizer, such as seats, wishes and byes.

    wishes: the kinds of wishes that the system respects. A broken wish of another kind is reported only as
        advice. If the organizer made the tables, it is also only advice that a player is not at their fixed
        table.
    """
    findings = engines.check_by_hand(
        question.field.entrants if entrants is None else entrants,
        question.options,
        question.pairing.tables,
        question.pairing.byes,
        sizes=sizes_of(question.before),
        absent=question.absent,
        name=question.name,
    )
    ignored_wishes = WISHES.difference(wishes)
    findings = [
        replace(finding, severity=Severity.ADVICE) if finding.rule in ignored_wishes else finding
        for finding in findings
    ]
    return weigh_findings(question, findings, {"fixed-table"})


def weigh_findings(
    question: RoundQuestion, findings: Sequence[Finding], choices: Collection[str]
) -> list[Finding]:
    """Return findings, errors first; if no engine paired the tables, turn some into advice.

    choices: rules that the organizer and repairs may break, such as those about fixed tables. In a round that
        was made by hand, edited or repaired, findings about these rules become advice.
    """
    if question.round.origin != "engine":
        findings = [
            replace(finding, severity=Severity.ADVICE)
            if finding.rule in choices and not finding.cite
            else finding
            for finding in findings
        ]
    order = (Severity.ERROR, Severity.UNVERIFIED, Severity.ADVICE)
    return sorted(findings, key=lambda finding: order.index(finding.severity))


def legal_claim(findings: Sequence[Finding]) -> RoundClaim:
    """Return the statement that the round breaks no rule, and whether it is true."""
    broken_rules = [finding.message for finding in findings if finding.severity is Severity.ERROR]
    text = "every player has one seat, and no rule is broken"
    if broken_rules:
        text = f"{counted(len(broken_rules), 'rule')} broken: {'; '.join(broken_rules)}"
    return RoundClaim(what="legal", proved=not broken_rules, text=text)


def tables_claim(question: RoundQuestion, *, is_same: bool, engine: str, source: str) -> RoundClaim:
    """Return a statement on whether today's engine would pair the round in the same way.

    is_same: whether the round has the tables that today's engine makes
    engine: the name and version of today's engine
    source: what determines the engine's tables, in words, such as `the round's seed`
    """
    round_ = question.round
    is_proved: bool | None = None
    if is_same:
        is_proved, text = True, f"the tables are those that follow from {source}"
    elif round_.edits:
        ways = {"hand": "by hand", "repair": "by a repair"}
        changes = changes_of(question.past, round_).items()
        edits = listed(f"{ways[origin]} ({listed(words)})" for origin, words in changes)
        text = f"the tables were changed {edits}"
    elif not engines.same_engine(round_.engine, engine):
        paired_by = round_.engine or "an engine without a name"
        text = f"the round was paired by {paired_by}; {engine} would make other tables"
    else:
        is_proved, text = False, f"other tables follow from {source}"
    return RoundClaim(what="tables", proved=is_proved, text=text)


def changes_of(past: Past, round_: Round) -> Mapping[str, Sequence[str]]:
    """Return how a round was changed after its pairing: `hand` or `repair` → entries in words."""
    changes: dict[str, list[str]] = {}
    for edit in round_.edits:
        origin = past.at(edit.entry).rounds[round_.number - 1].origin
        changes.setdefault(origin, []).append(edit.words)
    return changes


def repair_text(round_: Round, edit: Entered, judgment: Judgment | None = None) -> str:
    """Return the sentence which says that a round was repaired, and how good it is.

    round_:   the round after its repair
    edit:     when and by whom it was repaired
    judgment: the check of the repaired round, which says how good it is; None if it was not checked
    """
    proof = round_.proof.text
    method = _REPAIRS.get(proof, _REPAIRS[engines.REPAIRED])
    claims = judgment.claims if judgment else ()
    worse = [claim.text for claim in claims if claim.proved is False and claim.what != "legal"]
    if worse:
        quality = f", but it is worse than a new pairing: it has {listed(worse)}"
    elif proof == engines.REPAIRED_BEST or (judgment and judgment.optimal):
        quality = ", and it is as good as a new pairing"
    else:
        quality = ", so it can be worse than a new pairing"
    return f"{round_.title} was repaired {method} ({edit.words}){quality}"


_REPAIRS = {
    engines.REPAIRED: "with as many tables kept as possible",
    engines.REPAIRED_UNPROVED: "with most tables kept",
    engines.REPAIRED_AROUND: "around its finished tables",
    engines.REPAIRED_BEST: "after a correction",
}
"""Recorded proof of a repair → how the round was repaired."""


def same_tables(first_tables: Sequence[Table], second_tables: Sequence[Table]) -> bool:
    """Return whether tables have the same numbers and seats. Order and results do not matter."""
    one, other = (
        {(table.number, table.seats) for table in tables} for tables in (first_tables, second_tables)
    )
    return one == other


# -- parts of a proposal


def pairing_op(ask: Ask, pairing: engines.Pairing, field: RoundField, engine: str) -> RoundPaired:
    """Return the op that records a round made by an engine."""
    byes = {player: UNSEATED[outcome] for player, outcome in field.byes.items()}
    byes |= dict.fromkeys(pairing.byes, "bye")
    return RoundPaired(
        round=ask.number,
        tables=pairing.tables,
        byes=tuple(NoTable(player, kind) for player, kind in sorted(byes.items())),
        system=ask.state.settings.pairing.system,
        seed=ask.seed,
        engine=engine,
        proof=proof_of(pairing),
    )


def rematch_warnings(
    state: State, pairing: engines.Pairing, entrants: Sequence[engines.Entrant]
) -> tuple[str, ...]:
    """Return a warning that names rematches and says whether they are proved to be unavoidable."""
    if not pairing.cost.rematches:
        return ()
    opponents: Mapping[PlayerId, set[PlayerId]] = {entrant.id: set(entrant.opponents) for entrant in entrants}
    name = state.name_of
    rematches = [
        f"table {table.number} ({name(one)} – {name(other)})"
        for table in pairing.tables
        for one, other in combinations(table.seats, 2)
        if other in opponents[one]
    ]
    is_proved = pairing.cost.rematches <= pairing.bound.rematches or pairing.exact_levels
    proof_note = ", proved to be unavoidable" if is_proved else ""
    return (f"{counted(len(rematches), 'rematch', 'rematches')}{proof_note}: {listed(rematches)}",)
