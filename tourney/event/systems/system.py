"""The base of the pairing systems.

A `PairingSystem` pairs the next round, checks a recorded round, and explains why a table was made. The
functions below it are shared by the systems.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import tourney.pairing as engines
from tourney.errors import Finding, Severity, TourneyError
from tourney.event.field import Ask, RoundField, proof_of, sizes_of
from tourney.event.ops import UNSEATED, CutMade, NoTable, RoundPaired
from tourney.event.phrases import names_of
from tourney.event.settings import System
from tourney.event.state import Round, State
from tourney.event.systems.recorded import Moment, RoundQuestion
from tourney.pairing import WISHES
from tourney.record import PlayerId, Table
from tourney.wording import counted, listed

if TYPE_CHECKING:
    from tourney.pairing import Pairer


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A round that can be recorded, with warnings for the organizer.

    made:  the engine's pairing; None if there was no engine
    first: the op that makes the bracket, in the first round of an elimination event; else None
    """

    op: RoundPaired
    made: engines.Pairing | None = None
    first: CutMade | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundClaim:
    """A statement about a round, and whether it is proved.

    what:   the kind of statement: `legal`, `rematches`, `bye`, `sizes` (of tables), `differences`, `below`
            (the levels below the point differences), `seats`, or `tables` (they are those that the system
            makes)
    proved: False if the statement is disproved; None if it is open
    text:   the statement for an organizer, without a full stop
    """

    what: str
    proved: bool | None
    text: str


class PairingSystem:
    """A pairing system. The default methods check only the seats of a round, and cannot pair.

    called:  the name in a sentence: `a round robin`
    rules:   the name of the rules in a proof
    wishes:  the organizer's wishes that it respects (`tourney.pairing.WISHES`). Other wishes cannot be
             entered, and a round is neither checked nor proved by them.
    settled: why the system ignores wishes about opponents, and what the organizer can do instead
    weighs:  whether its rounds are recorded with their cost
    repairs: whether its rounds can be repaired, if they have two players at a table
    rests_on_results: whether its tables depend on results
    seats_count: whether the seats in earlier rounds matter
    """

    called = ""
    rules = "seats"
    wishes: frozenset[str] = WISHES
    settled: tuple[str, str] = ("", "")
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
        """Return the pairer of this round and later ones in simulations, or None."""
        return None

    def price(
        self,
        before: State,
        field: RoundField,
        options: engines.Options,
        tables: Sequence[Table],
        byes: Sequence[PlayerId],
    ) -> engines.Cost:
        """Return the cost of a round; zero in a system without costs."""
        return engines.Cost()

    def judge(self, question: RoundQuestion, made: engines.Pairing | None) -> Judged:
        """Check a recorded round by the system's rules. made: the engine's pairing, if known."""
        return judge_seats(question)

    def certificate(self, judged: Judged) -> dict[str, Any]:
        """Return JSON values for a proof in addition to the round (`certificate`, `best`)."""
        return {"certificate": None}

    def entrants(self, judged: Judged) -> Sequence[engines.Entrant]:
        """Return the players to pair that the system takes into account."""
        return judged.question.field.entrants

    def explains(self, round_: Round) -> System:
        """Return the system whose rules explain a round of an event with this system."""
        has_pods = any(len(table.seats) != 2 for table in round_.tables.values())
        return "pods" if has_pods or round_.system == "pods" else "swiss"

    def rests(self, state: State, round_: Round, player: PlayerId) -> bool:
        """Return whether a player has no table because the system's schedule has no opponent."""
        return False

    def why(self, moment: Moment, seats: tuple[PlayerId, ...], table: int | None) -> engines.RoundExplanation:
        """Explain a table; if `table` is None, explain why the player in `seats` has no opponent."""
        raise NotImplementedError

    def why_not(self, moment: Moment, one: PlayerId, other: PlayerId) -> engines.Price:
        """Return the price of pairing two players, or of giving one the bye if `other` is `NOBODY`."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The result of checking a recorded round.

    findings: what is wrong with the round, errors first
    system:   the system whose rules it was checked by
    fine:     the verdict if nothing is wrong: `legal and optimal`
    engine:   the name and version of the engine that would pair this round today; empty for a round by hand
    cost:     the cost; None if the round does not seat each player once, or if its system has no costs
    optimal:  whether no round is better; None if that is not proved, or if the system has no costs
    best:     the pairing that the system makes from the same field and seed; None if it makes none or is not
        available
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
    def settled(self) -> bool:
        """Whether every check had a definite result."""
        return all(finding.severity is not Severity.UNVERIFIED for finding in self.findings)

    @property
    def by_hand(self) -> bool:
        """Whether the organizer made the tables, or changed some."""
        return self.question.by_hand

    def proved(self, *what: str) -> bool | None:
        """Return whether all claims of these kinds are proved; None if one is open.

        what: the kinds; if none is given, all claims count
        """
        answers = [claim.proved for claim in self.claims if not what or claim.what in what]
        return False if False in answers else None if None in answers else True


# -- parts of a check


NO_ROUND = frozenset({"seated-twice", "not-seated", "not-in-round", "table-size"})
"""Rules of findings that make the cost of a round meaningless."""


def judge_seats(question: RoundQuestion, *more: Finding) -> Judged:
    """Check a round only by the rules that also bind the organizer. more: further findings."""
    findings = (*check_rules(question), *more)
    claims = (legal_claim(findings),)
    return Judged(question=question, findings=findings, claims=claims, system=PairingSystem())


def judge_without_engine(question: RoundQuestion, refusal: TourneyError) -> Judged:
    """Check a round only by its seats, because the engine cannot pair its players (`refusal`)."""
    advice = Finding(rule="possible", severity=Severity.ADVICE, message=refusal.message, hint=refusal.hint)
    return judge_seats(question, advice)


def check_rules(
    question: RoundQuestion,
    entrants: Sequence[engines.Entrant] | None = None,
    *,
    wishes: Collection[str] = WISHES,
) -> list[Finding]:
    """Check the rules that also bind the organizer, such as seats, wishes and byes.

    wishes: the kinds of wishes that the system respects. A broken wish of another kind is only advice. So is
            a seat away from the player's fixed table, if the organizer made the tables.
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
    ignored = WISHES.difference(wishes)
    findings = [
        replace(finding, severity=Severity.ADVICE) if finding.rule in ignored else finding
        for finding in findings
    ]
    return weigh_findings(question, findings, {"fixed-table"})


def weigh_findings(
    question: RoundQuestion, findings: Sequence[Finding], choices: Collection[str]
) -> list[Finding]:
    """Sort findings, errors first, and turn some into advice if the organizer made the tables.

    choices: rules that the organizer may break, such as those about fixed tables. If the organizer made or
             changed the tables, breaking them is only advice.
    """
    if question.by_hand:
        findings = [
            replace(finding, severity=Severity.ADVICE)
            if finding.rule in choices and not finding.cite
            else finding
            for finding in findings
        ]
    order = (Severity.ERROR, Severity.UNVERIFIED, Severity.ADVICE)
    return sorted(findings, key=lambda finding: order.index(finding.severity))


def legal_claim(findings: Sequence[Finding]) -> RoundClaim:
    """Claim that no rule is broken."""
    broken = [finding.message for finding in findings if finding.severity is Severity.ERROR]
    text = "every player has one seat, and no rule is broken"
    if broken:
        text = f"{counted(len(broken), 'rule')} broken: {'; '.join(broken)}"
    return RoundClaim(what="legal", proved=not broken, text=text)


def tables_claim(question: RoundQuestion, *, same: bool, engine: str, source: str) -> RoundClaim:
    """Claim that the tables are those that the system makes. source: what determines them."""
    round_ = question.round
    proved: bool | None = None
    if same:
        proved, text = True, f"the tables are those that follow from {source}"
    elif round_.edits:
        editors = listed(edit.words for edit in round_.edits)
        text = f"the tables were changed by hand ({editors})"
    elif not engines.same_engine(round_.engine, engine):
        paired_by = round_.engine or "an engine without a name"
        text = f"the round was paired by {paired_by}; {engine} would make other tables"
    else:
        proved, text = False, f"other tables follow from {source}"
    return RoundClaim(what="tables", proved=proved, text=text)


def same_tables(some: Sequence[Table], others: Sequence[Table]) -> bool:
    """Return whether tables have the same numbers and seats. Order and results do not matter."""
    one, other = ({(table.number, table.seats) for table in tables} for tables in (some, others))
    return one == other


# -- parts of a proposal


def pairing_op(ask: Ask, made: engines.Pairing, field: RoundField, engine: str) -> RoundPaired:
    """Return the op that records a round made by an engine."""
    byes = {player: UNSEATED[outcome] for player, outcome in field.byes.items()}
    byes |= dict.fromkeys(made.byes, "bye")
    return RoundPaired(
        round=ask.number,
        tables=tuple(Table(table.number, table.seats) for table in made.tables),
        byes=tuple(NoTable(player, kind) for player, kind in sorted(byes.items())),
        system=ask.state.settings.pairing.system,
        seed=ask.seed,
        engine=engine,
        proof=proof_of(made),
    )


def rematch_warnings(
    state: State, made: engines.Pairing, entrants: Sequence[engines.Entrant]
) -> tuple[str, ...]:
    """Return a warning about rematches, and whether they are proved to be unavoidable."""
    if not made.cost.rematches:
        return ()
    opponents: Mapping[PlayerId, set[PlayerId]] = {entrant.id: set(entrant.opponents) for entrant in entrants}
    name = names_of(state)
    rematches = [
        f"table {table.number} ({name(one)} – {name(other)})"
        for table in made.tables
        for one, other in combinations(table.seats, 2)
        if other in opponents[one]
    ]
    is_proved = made.cost.rematches <= made.bound.rematches or made.exact_levels
    proved = ", proved to be unavoidable" if is_proved else ""
    return (f"{counted(len(rematches), 'rematch', 'rematches')}{proved}: {listed(rematches)}",)
