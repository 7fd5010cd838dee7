"""FIDE's Dutch system. Its engine is a separate program (the extra `fide`)."""

from __future__ import annotations

from tourney.errors import Finding, Severity, TourneyError
from tourney.event.field import Ask, RoundField, field_of, options_of, record
from tourney.event.settings import System
from tourney.event.state import Round
from tourney.event.systems.system import (
    NO_ROUND,
    Judgment,
    Moment,
    PairingSystem,
    Proposal,
    RoundClaim,
    RoundQuestion,
    check_rules,
    legal_claim,
    pairing_op,
    same_tables,
    tables_claim,
    weigh_findings,
)
from tourney.pairing import DutchPairer, Pairing, Price, RoundExplanation, dutch
from tourney.record import PlayerId


class Dutch(PairingSystem):
    """The rules of FIDE's handbook, C.04.3: `tourney.pairing.dutch`."""

    phrase = "the Dutch system"
    rules = "dutch"
    wishes = frozenset({"forced", "forbidden"})

    def propose(self, ask: Ask) -> Proposal:
        """Return the next round as the engine pairs it."""
        field = field_of(ask.state, ask.profile, number=ask.number)
        pairing = _make_pairing(ask, field)
        return Proposal(op=pairing_op(ask, pairing, field, pairing.method), pairing=pairing)

    def pairer(self, ask: Ask) -> DutchPairer | None:
        """Return a pairer for simulations that calls the engine; None if it is not installed."""
        state = ask.state
        if ask.dutch is None:
            return None
        return DutchPairer(
            engine=ask.dutch,
            points={outcome: rule.points for outcome, rule in ask.profile.outcomes.items()},
            seed=state.rounds[0].seed if state.rounds else None,
            rounds_total=state.settings.pairing.rounds,
            version=ask.dutch_engine,
        )

    def judge(self, question: RoundQuestion, engine_pairing: Pairing | None) -> Judgment:
        """Check the absolute criteria of FIDE's rules.

        If the engine is installed, also compare the round with the one that the engine makes.
        """
        round_, name, past = question.round, question.name, question.past
        tables, byes = question.pairing.tables, question.pairing.byes
        rules = [
            finding
            for finding in check_rules(question, wishes=self.wishes)
            if finding.rule not in {"rematch", "second-bye"}
        ]
        of_two = all(len(table.seats) == 2 for table in tables)
        is_checkable = of_two and not any(finding.rule in NO_ROUND for finding in rules)
        if not of_two:
            message = "the Dutch system seats two at each table"
            rules.append(Finding(rule="table-size", severity=Severity.ERROR, message=message))
        findings = list(rules)
        if is_checkable:
            profile = past.profile(question.before)
            findings += dutch.broken_criteria(
                record(question.before).after(round_.number - 1),
                tables,
                byes,
                points={outcome: rule.points for outcome, rule in profile.outcomes.items()},
                rounds_total=question.before.settings.pairing.rounds,
                name=name,
            )
        version = past.dutch_engine
        engine = f"{dutch.METHOD} ({version})" if version else dutch.METHOD
        ask = past.ask(past.at(round_.paired.entry - 1), round_.number, round_.seed)
        try:
            engine_pairing = engine_pairing or _make_pairing(
                ask, field_of(ask.state, ask.profile, number=round_.number)
            )
        except TourneyError as refusal:
            message = f"not checked whether the tables follow the Dutch rules: {refusal.message}"
            return Judgment(
                question=question,
                findings=(*findings, _open(message, refusal.hint)),
                claims=(legal_claim(findings), RoundClaim(what="tables", proved=None, text=message)),
                fine="legal",
                system=self,
                engine=engine,
            )
        is_same = same_tables(tables, engine_pairing.tables) and set(byes) == set(engine_pairing.byes)
        claim = tables_claim(
            question, is_same=is_same, engine=engine, source=f"{dutch.METHOD}, as {version} applies it"
        )
        differences = dutch.check(engine_pairing, tables, name=name) if is_checkable else []
        if claim.proved is None and not round_.edits and is_checkable:
            differences = [_open(claim.text)]
        findings = weigh_findings(question, [*findings, *differences], {"dutch", "sides"})
        return Judgment(
            question=question,
            findings=tuple(findings),
            claims=(legal_claim(rules), claim),
            fine=f"legal, and as {engine} pairs it" if is_same else "legal",
            system=self,
            engine=engine,
            best=engine_pairing,
        )

    def explains(self, round_: Round) -> System:
        """Return the name of the pairing system whose rules explain a round.

        This is `pods` if the round was paired as pods, or if a table does not seat two players. Otherwise it
        is the Dutch system, even if the organizer made the tables.
        """
        other = super().explains(round_)
        return "dutch" if other == "swiss" else other

    def why(self, moment: Moment, seats: tuple[PlayerId, ...], table: int | None) -> RoundExplanation:
        """Explain by the criteria of FIDE's handbook why two players meet, or why one has the bye."""
        moment.refuse_strangers()
        return RoundExplanation.of(seats, table, "dutch", _situation(moment).why(seats))

    def why_not(self, moment: Moment, one: PlayerId, other: PlayerId) -> Price:
        """Explain by the criteria of FIDE's handbook why two players do not meet."""
        moment.refuse_strangers(one, other)
        return moment.without_price(one, other, _situation(moment).why_not(one, other))


def _make_pairing(ask: Ask, field: RoundField) -> Pairing:
    """Return the engine's round. Raises TourneyError if the engine is not installed."""
    pairer = SYSTEM.pairer(ask)
    if pairer is None:
        raise TourneyError(
            "the Dutch system needs its engine, the extra `fide`", "`pip install 'tourney[fide]'`"
        )
    state, number = ask.state, ask.number
    past_record = record(state).after(number - 1)
    return pairer(
        past_record, field.entrants, options_of(state, number), lambda _: ask.seed, name=state.name_of
    )


def _open(message: str, hint: str | None = None) -> Finding:
    return Finding(rule="dutch", severity=Severity.UNVERIFIED, message=message, hint=hint)


def _situation(moment: Moment) -> dutch.Situation:
    state, profile = moment.before, moment.profile
    past_record = record(state).after(moment.today.number - 1)
    first = moment.before_pairing.rounds
    return dutch.Situation(
        record=past_record,
        entrants=moment.entrants,
        options=moment.options,
        pairing=moment.pairing,
        points={outcome: rule.points for outcome, rule in profile.outcomes.items()},
        order=dutch.initial_order({player: state.players[player].rating for player in past_record.players}),
        initial_side=dutch.drawn_side((first[0].seed if first else "") or moment.today.seed),
        names=moment.names,
        rounds_total=state.settings.pairing.rounds,
        sides=state.settings.match.both_sides or ("first", "second"),
        by_hand=moment.by_hand,
    )


SYSTEM = Dutch()
