"""A recorded round held against its system: is it legal, is it what the system makes, and what of that is proved.

`judge` works for every system, for rounds by hand and for brackets. Its findings are those of `tourney.pairing`; what
is proved and what is not is said claim by claim. `round check`, `round prove` and `verify` print what stands here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tourney.desk.desk import dutch_engine, dutch_version
from tourney.errors import Finding, Severity, TourneyError
from tourney.event.field import RoundField, field_of, record
from tourney.event.kind import round_of
from tourney.event.phrases import names_of
from tourney.event.state import Round, State
from tourney.event.systems import (
    Ask,
    bracket_of,
    dutch_round,
    options_of,
    pods_round,
    schedule_of,
    seats_before,
    sizes_of,
)
from tourney.pairing import (
    PROVED_BY_SEARCH,
    WISHES,
    Cost,
    Entrant,
    Mode,
    NameOf,
    Options,
    Pairing,
    same_engine,
    swiss_engine,
)
from tourney.pairing.pairing import BRACKET_ENGINE, PODS_ENGINE
from tourney.record import Outcome, PlayerId, Table
from tourney.wording import counted, listed

if TYPE_CHECKING:
    from tourney.desk.desk import Desk


_NO_ROUND = {"seated-twice", "not-seated", "not-in-round", "table-size"}
"""Findings after which the cost of a round says nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundQuestion:
    """A recorded round as the engine sees it.

    round:   the round; before: the event as it stood before the round was paired, or when it was edited last
    field:   who was to be paired, and whose bye or absence was announced
    absent:  why known players were not to be paired
    pairing: the recorded tables (edits by hand included) with what was proved of them
    """

    round: Round
    before: State
    field: RoundField
    options: Options
    absent: Mapping[PlayerId, str]
    pairing: Pairing
    name: NameOf


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One thing that is proved of a round, or is not.

    what:   `legal`, `rematches`, `bye`, `sizes` (of tables), `differences`, `below` (the levels below the point
            differences), `seats`, `tables` (those that the system makes)
    proved: True; False where it is shown to be otherwise; None where it is not settled
    text:   in an organizer's words, without a full stop
    """

    what: str
    proved: bool | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What can be said of a recorded round.

    findings: what is wrong with it, errors first; empty where nothing is
    claims:   what is proved and what is not
    rules:    by which rules it was judged: `swiss`, `pods`, `round-robin`, `dutch`, `bracket`, or `seats` alone
    fine:     what is said of it where nothing is wrong: `legal and optimal`
    engine:   what would make this round today, by name and version; empty for a round by hand
    cost:     what it costs; None where it does not seat everybody once, or where its system weighs nothing
    optimal:  whether no round is better; None where that is not proved, or where the system weighs nothing
    best:     the round that the system makes of the same field and seed; None where it makes none, or could not be asked
    """

    question: RoundQuestion
    findings: tuple[Finding, ...]
    claims: tuple[Claim, ...]
    fine: str
    rules: str = "seats"
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
        return self.question.round.system == "manual" or bool(self.question.round.edits)

    def proved(self, *what: str) -> bool | None:
        """Return whether all claims of these names hold (no name: all there are); None where that is not settled."""
        answers = [each.proved for each in self.claims if not what or each.what in what]
        return False if False in answers else None if None in answers else True


def judge(desk: Desk, number: int | None = None, *, made: Pairing | None = None) -> Judged:
    """Hold round `number` (None: the current one) against its system.

    made: what the system's engine makes of the round's field and seed, where the caller has it; else it is made

    Raises TourneyError where there is no such round, and where its entry contradicts itself.
    """
    round_ = round_of(desk.state, number)
    question = question_of(desk, round_)
    if round_.stage == "cut":
        return _bracket(question)
    if round_.system not in _SYSTEMS:
        raise TourneyError(
            f"{round_.title} is entered as paired by {round_.system}, and is not a round of a bracket"
        )
    return _SYSTEMS[round_.system](desk, question, made)


def question_of(desk: Desk, round_: Round) -> RoundQuestion:
    """Return a round of whatever system with the field it was paired from; of a cut the field is left empty."""
    by_hand = bool(round_.edits) or round_.system == "manual"
    before = desk.at(round_.edits[-1].entry if round_.edits else round_.paired.entry - 1)
    options = options_of(before, round_.number)
    left_out = _elsewhere(before, round_) if round_.edits else set()
    field = (
        RoundField((), {})
        if round_.stage == "cut"
        else field_of(
            before,
            desk.evidence().profile(before),
            number=round_.number,
            without=left_out | (_sat_out(round_) if by_hand else set()),
            newcomers=bool(round_.edits),
            ranks=options.mode is Mode.RANK,
        )
    )
    return RoundQuestion(
        round=round_,
        before=before,
        field=field,
        options=options,
        absent=_absent(before, field, round_),
        pairing=_recorded(round_),
        name=names_of(desk.state),
    )


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


def _legal(findings: Sequence[Finding]) -> Claim:
    broken = [each.message for each in findings if each.severity is Severity.ERROR]
    if broken:
        return Claim(
            what="legal", proved=False, text=f"{counted(len(broken), 'rule')} broken: {'; '.join(broken)}"
        )
    return Claim(what="legal", proved=True, text="everybody has one seat, and no rule is broken")


def _the_tables(question: RoundQuestion, *, same: bool, engine: str, source: str) -> Claim:
    """Say whether the tables are those that the system makes. source: from what they follow."""
    round_ = question.round
    if same:
        return Claim(what="tables", proved=True, text=f"the tables are those that follow from {source}")
    if round_.edits:
        editors = listed(f"entry {edit.entry}, {edit.at[11:16]} by {edit.by}" for edit in round_.edits)
        return Claim(what="tables", proved=None, text=f"the tables were changed by hand ({editors})")
    if not same_engine(round_.engine, engine):
        text = f"the round was paired by {round_.engine or 'an engine without a name'}; {engine} would make other tables"
        return Claim(what="tables", proved=None, text=text)
    return Claim(what="tables", proved=False, text=f"other tables follow from {source}")


def _by_the_rules(
    question: RoundQuestion, entrants: Sequence[Entrant] | None = None, *, system: str = "manual"
) -> list[Finding]:
    """Check a round by the rules that bind the organizer, too: seats, sizes, numbers, wishes, rematches, byes.

    system: that a wish is not met which it never looks at is told, and is no fault of the round
    """
    from tourney.pairing import manual

    findings = manual.check(
        question.field.entrants if entrants is None else entrants,
        question.options,
        question.pairing.tables,
        question.pairing.byes,
        sizes=sizes_of(question.before),
        absent=question.absent,
        name=question.name,
    )
    unkept = WISHES["manual"] - WISHES[system]
    return [replace(each, severity=Severity.ADVICE) if each.rule in unkept else each for each in findings]


# -- Swiss rounds, the program's and the organizer's


def _swiss(_desk: Desk, question: RoundQuestion, made: Pairing | None) -> Judged:
    from tourney.pairing import check, pair, verify

    round_, field, tables = question.round, question.field, question.pairing.tables
    if len(question.pairing.byes) > 1:
        return _too_many_byes(question)
    try:
        best = made or pair(field.entrants, question.options, round_.seed, name=question.name)
    except TourneyError as refusal:
        return _without_engine(question, refusal)
    findings = check(
        field.entrants, question.options, tables, question.pairing.bye, absent=question.absent, best=best, name=question.name
    )  # fmt: skip
    verdict = verify(
        field.entrants,
        question.options,
        tables,
        question.pairing.bye,
        round_.seed,
        best=best,
        name=question.name,
    )
    claims, engine = [_legal(findings)], swiss_engine(question.options, len(field.entrants))
    if verdict.cost is not None:
        claims += _swiss_levels(question, verdict.cost, best)
        if round_.system == "swiss":
            claims.append(_the_tables(question, same=verdict.same, engine=engine, source="the round's seed"))
    optimal = "optimal" if best.exact_levels else best.proof
    return Judged(
        question=question,
        findings=tuple(findings),
        claims=tuple(claims),
        fine=f"legal and {optimal}" if verdict.optimal else "legal",
        rules="swiss",
        engine=engine if round_.system == "swiss" else "",
        cost=verdict.cost,
        optimal=verdict.optimal if best.exact_levels or not verdict.optimal else None,
        best=best,
    )


def _too_many_byes(question: RoundQuestion) -> Judged:
    byes = question.pairing.byes
    message = f"{listed(map(question.name, byes))} all have the bye; a Swiss round needs one at most"
    advice = Finding(rule="byes", severity=Severity.ADVICE, message=message, have=str(len(byes)), allowed="1")
    findings = (*_by_the_rules(question), advice)
    return Judged(question=question, findings=findings, claims=(_legal(findings),), fine="legal")


def _without_engine(question: RoundQuestion, refusal: TourneyError) -> Judged:
    """Judge a round whose field the engine refuses, by the rules alone."""
    findings = _by_the_rules(question)
    note = Finding(rule="possible", severity=Severity.ADVICE, message=refusal.message, hint=refusal.hint)
    return Judged(question=question, findings=(*findings, note), claims=(_legal(findings),), fine="legal")


def _swiss_levels(question: RoundQuestion, cost: Cost, best: Pairing) -> list[Claim]:
    """Say level by level whether the round is the best there is; below a level that is not, nothing is said."""
    from tourney.pairing.difference import Difference, Gaps

    claims: list[Claim] = []
    points = {each.id: each.points for each in question.field.entrants}
    gaps = Gaps.at(question.pairing.tables, points)
    worse = Difference.between(
        best.cost, cost, (Gaps.at(best.tables, points), gaps), mode=question.options.mode
    )
    claimed = {
        "rematches": (
            ("rematches", "times_met"),
            f"{counted(cost.rematches, 'rematch', 'rematches')}, and fewer are impossible"
            if cost.rematches
            else "no rematch",
        ),
        "bye": (
            ("bye_earlier", "bye_points"),
            "nobody who comes before in the order of the bye could have it",
        ),
        "differences": (
            ("differences",),
            f"{gaps.priced()}, and no such round has less" if gaps.tables else gaps.priced(),
        ),
    }
    for what, (levels, text) in claimed.items():
        if worse is not None and worse.level in levels and worse.other > worse.best:
            return [*claims, Claim(what=what, proved=False, text=worse.stated)]
        if what == "bye" and not (cost.bye_earlier or cost.bye_points) and best.bye is None:
            continue
        proved = bool(best.exact_levels) or what != "differences" or None
        open_text = f"{gaps.priced()}; {best.proof}"
        claims.append(Claim(what=what, proved=proved, text=text if proved else open_text))
    below = "keep-aparts, the order of the round, floats and sides, in this order"
    if worse is not None and worse.other > worse.best and best.exact_levels == 7:
        claims.append(Claim(what="below", proved=False, text=worse.stated))
    elif best.exact_levels == 7:
        claims.append(Claim(what="below", proved=True, text=f"{below}: as good as can be, by search"))
    else:
        claims.append(
            Claim(what="below", proved=None, text=f"{below}: a good try in a field as large as this")
        )
    return claims


# -- pods


def _pods(desk: Desk, question: RoundQuestion, made: Pairing | None) -> Judged:
    from tourney.pairing import pods

    round_, field = question.round, question.field
    engine = PODS_ENGINE if round_.system == "pods" else ""
    try:
        best = made or pods_round(_ask(desk, question), field)
    except TourneyError as refusal:
        return _without_engine(question, refusal)
    tables, byes = question.pairing.tables, question.pairing.byes
    findings = pods.check(
        field.entrants, question.options, tables, byes, sizes=sizes_of(question.before), best=best, absent=question.absent,
        name=question.name,
    )  # fmt: skip
    if any(each.rule in _NO_ROUND for each in findings):
        return Judged(
            question=question,
            findings=tuple(findings),
            claims=(_legal(findings),),
            fine="legal",
            engine=engine,
        )
    had = seats_before(question.before, round_.number)
    cost = pods.price(field.entrants, question.options, tables, byes, had)
    same = _pairs(tables) == _pairs(best.tables) and set(byes) == set(best.byes)
    alike = pods.divided_alike(tables, byes, best, sizes_of(question.before))
    division = _pod_division(question, best, alike=alike)
    divided = all(each.proved for each in division)
    claims = [_legal(findings), *division]
    if divided:  # of rounds divided otherwise nothing was proved
        claims += _pod_levels(question, cost, best)
    if engine:
        claims.append(_the_tables(question, same=same, engine=engine, source="the round's seed"))
    if not divided:
        return Judged(
            question=question, findings=tuple(findings), claims=tuple(claims), fine="legal", rules="pods", engine=engine,
            cost=cost, optimal=False, best=best,
        )  # fmt: skip
    optimal = cost == best.cost and best.proof.startswith("optimal")
    fine = "legal and optimal" if optimal else f"legal, {best.proof}"
    return Judged(
        question=question,
        findings=tuple(findings),
        claims=tuple(claims),
        fine=fine if cost == best.cost else "legal",
        rules="pods",
        engine=engine,
        cost=cost,
        optimal=None if cost <= best.cost and not optimal else optimal,
        best=best,
    )


def _pod_division(question: RoundQuestion, best: Pairing, *, alike: bool) -> list[Claim]:
    """Say whether as few as can be have a bye, those who come first for it, and whether the tables have the sizes they should."""
    from tourney.pairing import manual, pods

    byes, preferred = question.pairing.byes, sizes_of(question.before).preferred
    if len(byes) > len(best.byes):
        text = f"{counted(len(byes), 'player has', 'players have')} a bye, and {len(best.byes)} would do"
        return [Claim(what="bye", proved=False, text=text)]
    costs = (
        manual.cost_of(question.field.entrants, question.options, (), each) for each in (byes, best.byes)
    )
    have, least = ((each.bye_earlier, each.bye_points) for each in costs)
    text = "nobody who comes before in the order of the byes could have one" if byes else "nobody has a bye"
    if have > least:
        text = "somebody has a bye who has had more of them, or has more points, than somebody who plays"
    claims = [Claim(what="bye", proved=have <= least, text=text)]
    here = pods.sizes_words(question.pairing.tables)
    if not alike:
        text = f"{here}, and {pods.sizes_words(best.tables)} are nearer to the preferred {preferred}"
        return [*claims, Claim(what="sizes", proved=False, text=text)]
    return [
        *claims, Claim(what="sizes", proved=True, text=f"{here}: no division is nearer to the preferred {preferred}")
    ]  # fmt: skip


def _pod_levels(question: RoundQuestion, cost: Cost, best: Pairing) -> list[Claim]:
    from tourney.pairing.difference import Gaps, amount
    from tourney.pairing.pods import LEVELS

    claims = []
    gaps = Gaps.at(question.pairing.tables, {each.id: each.points for each in question.field.entrants})
    every = best.proof == PROVED_BY_SEARCH and cost == best.cost
    for level, words, _ in LEVELS:
        have, least = getattr(cost, level), getattr(best.bound, level)
        count, bound = amount(level, have), amount(level, least)
        what = {"imbalance": "seats", "apart": "below"}.get(level, level)
        level_text = gaps.priced("pair") if level == "differences" else f"{words}: {count}"
        if have == least:
            text = f"{level_text}, and no round has less" if have else level_text
            claims.append(Claim(what=what, proved=True, text=text))
        elif every:
            text = f"{level_text}; every round was looked at, and none is better"
            claims.append(Claim(what=what, proved=True, text=text))
        else:
            text = f"{level_text}; any round has {bound} at least, so at most {amount(level, have - least)} too many"
            claims.append(Claim(what=what, proved=None, text=text))
    return claims


# -- schedules, the Dutch system, brackets


def _round_robin(_desk: Desk, question: RoundQuestion, _made: Pairing | None) -> Judged:
    from tourney.pairing.round_robin import METHOD

    round_, tables = question.round, question.pairing.tables
    plan = schedule_of(question.before, round_.seed)
    entrants = {each.id: each for each in question.field.entrants}
    made = plan.round(
        round_.number,
        gone=set(plan.players) - entrants.keys(),
        first_table=question.before.settings.first_table,
    )
    seated = {player for table in tables for player in table.seats}
    due = [each for each in entrants.values() if each.id in seated or each.id in question.pairing.byes]
    left_out = [table for table in made.tables if seated.isdisjoint(table.seats)]
    findings = [
        *(
            each
            for each in _by_the_rules(question, due, system="round-robin")
            if each.rule not in {"rematch", "second-bye"}
        ),
        *plan.check(round_.number, tables, name=question.name),
        *(
            _error(
                "schedule",
                f"{' – '.join(map(question.name, table.seats))} are due by the schedule and have no table",
            )
            for table in left_out
        ),
    ]
    same = _pairs(tables) == _pairs(made.tables)
    source = f"the Berger tables of {counted(len(plan.players), 'player')}, numbered by the seed of round 1"
    findings = _weighed(question, findings, {"schedule", "sides"})
    return Judged(
        question=question,
        findings=tuple(findings),
        claims=(_legal(findings), _the_tables(question, same=same, engine=METHOD, source=source)),
        fine=f"legal, and as the {METHOD} have it" if same else "legal",
        rules="round-robin",
        engine=METHOD,
        best=made,
    )


def _dutch(desk: Desk, question: RoundQuestion, made: Pairing | None) -> Judged:
    """Check the absolute criteria, which need no engine, and ask the engine where there is one."""
    from tourney.pairing import dutch, dutch_rules

    round_, name = question.round, question.name
    tables, byes = question.pairing.tables, question.pairing.byes
    profile = desk.evidence().profile(question.before)
    rules = [
        each for each in _by_the_rules(question, system="dutch") if each.rule not in {"rematch", "second-bye"}
    ]
    of_two = all(len(table.seats) == 2 for table in tables)
    seated = of_two and not any(each.rule in _NO_ROUND for each in rules)
    if not of_two:
        rules.append(_error("table-size", "the Dutch system seats two at each table"))
    findings = list(rules)
    if seated:
        findings += dutch_rules.broken(
            record(question.before).after(round_.number - 1),
            tables,
            byes,
            points={outcome: rule.points for outcome, rule in profile.outcomes.items()},
            rounds_total=question.before.settings.rounds,
            name=name,
        )
    engine = f"{dutch.METHOD} ({dutch_version()})" if dutch_version() else dutch.METHOD
    when_paired = desk.at(round_.paired.entry - 1)
    try:
        made = made or dutch_round(
            Ask(
                state=when_paired, profile=profile, number=round_.number, seed=round_.seed, dutch=dutch_engine
            ),
            field_of(when_paired, profile, number=round_.number),
        )
    except TourneyError as refusal:
        message = f"whether these are the tables of the Dutch rules is not settled: {refusal.message}"
        return Judged(
            question=question,
            findings=(*findings, _finding(Severity.UNVERIFIED, "dutch", message, refusal.hint)),
            claims=(_legal(findings), Claim(what="tables", proved=None, text=message)),
            fine="legal",
            rules="dutch",
            engine=engine,
        )
    same = _pairs(tables) == _pairs(made.tables) and set(byes) == set(made.byes)
    claim = _the_tables(
        question, same=same, engine=engine, source=f"{dutch.METHOD}, as {dutch_version()} has it"
    )
    differing = dutch.check(made, tables, name=name) if seated else []
    if claim.proved is None and not round_.edits and seated:
        differing = [_finding(Severity.UNVERIFIED, "dutch", claim.text)]
    findings = _weighed(question, [*findings, *differing], {"dutch", "sides"})
    return Judged(
        question=question,
        findings=tuple(findings),
        claims=(_legal(rules), claim),
        fine=f"legal, and as {engine} has it" if same else "legal",
        rules="dutch",
        engine=engine,
        best=made,
    )


def _bracket(question: RoundQuestion) -> Judged:
    """Hold a round of the cut against the seeds and the results before it."""
    from tourney.pairing.elimination import check

    round_, before, name = question.round, question.before, question.name
    if before.cut is None:
        raise TourneyError(f"{round_.title} is entered as a round of a cut, and no cut was made")
    now = bracket_of(before, before.cut, round_.number - 1)
    tables = question.pairing.tables
    findings = [
        *check(
            now,
            {round_.labels.get(each.number, f"table {each.number}"): each.seats for each in tables},
            name=name,
        ),
        *(each for each in _by_the_rules(question, []) if each.rule == "table-number"),
    ]
    same = _pairs(tables) == _pairs(now.tables) and set(question.pairing.byes) == set(now.byes)
    source = "the seeds and the results before the round"
    claim = _the_tables(question, same=same, engine=BRACKET_ENGINE, source=source)
    if claim.proved is False and round_.system != "manual":
        findings = [
            replace(each, severity=Severity.ERROR) if each.rule == "bracket" else each for each in findings
        ]
    if round_.system == "manual" and not same:
        claim = Claim(what="tables", proved=None, text="the organizer seated the bracket otherwise")
    return Judged(
        question=question,
        findings=tuple(findings),
        claims=(_legal(findings), claim),
        fine="legal, and as the bracket has it" if same else "legal",
        rules="bracket",
        engine="" if round_.system == "manual" else BRACKET_ENGINE,
        best=Pairing(tables=now.tables, byes=now.byes),
    )


def _by_hand(desk: Desk, question: RoundQuestion, _made: Pairing | None) -> Judged:
    """Check the organizer's own tables, as Swiss ones where there are two at a table and everybody is to be paired."""
    settings = question.before.settings
    if settings.system == "round-robin":
        findings = _by_the_rules(question)
        return Judged(question=question, findings=tuple(findings), claims=(_legal(findings),), fine="legal")
    return _swiss(desk, question, None) if settings.seats == (2,) else _pods(desk, question, None)


def _weighed(question: RoundQuestion, findings: Sequence[Finding], rules: set[str]) -> list[Finding]:
    """Return findings, errors first; where the organizer changed tables, to differ from the system is no error."""
    if question.round.edits:
        findings = [
            replace(each, severity=Severity.ADVICE) if each.rule in rules and not each.cite else each
            for each in findings
        ]
    order = (Severity.ERROR, Severity.UNVERIFIED, Severity.ADVICE)
    return sorted(findings, key=lambda each: order.index(each.severity))


def _error(rule: str, message: str) -> Finding:
    return _finding(Severity.ERROR, rule, message)


def _finding(severity: Severity, rule: str, message: str, hint: str | None = None) -> Finding:
    return Finding(rule=rule, severity=severity, message=message, hint=hint)


def _pairs(tables: Sequence[Table]) -> set[tuple[int, tuple[PlayerId, ...]]]:
    """Return the numbers and seats of tables, whatever their results."""
    return {(table.number, table.seats) for table in tables}


def _ask(desk: Desk, question: RoundQuestion) -> Ask:
    round_ = question.round
    return Ask(
        state=question.before,
        profile=desk.evidence().profile(question.before),
        number=round_.number,
        seed=round_.seed,
    )


_SYSTEMS: dict[str, Callable[[Desk, RoundQuestion, Pairing | None], Judged]] = {
    "swiss": _swiss,
    "manual": _by_hand,
    "pods": _pods,
    "round-robin": _round_robin,
    "dutch": _dutch,
}
