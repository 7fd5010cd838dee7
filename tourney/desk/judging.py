"""A recorded round held against its system: is it legal, is it what the system makes, and what of that is proved.

`judge` works for every system, for rounds by hand and for brackets. Its findings are those of `tourney.pairing`; what
is proved and what is not is said claim by claim. `round check`, `round prove` and `verify` print what stands here.

A round's proof as data: all that it rests on, for a stranger who has never seen this program.

`proof_of` gives the object that `tourney round prove --json` prints (`tourney.proof/1`) and `scripts/check-certificate`
checks without it. Numbers are half points and their squares; player 0 is the bye. Its keys:

* `round`, `title`, `system`, `stage`, `by_hand`; `rules`: by which rules it is checked (`Judged.rules`)
* `event`: `entry` and `digest` of the event as it stands, `round_entry` and `round_digest` of the entry that made the
  tables: what binds the proof to the event's history
* `engine`, `seed`: as they are recorded
* `players`: whoever was to be paired, with points, opponents (one entry a meeting), byes, fixed table, tags (as digests),
  in pods the seats had before
* `sat_out`: who else has no table, and why
* `options`: what the system looks at of forbidden and forced pairs, forced bye, who must not have it; the switches, the
  first table; `sizes` of tables
* `tables`, `byes`; `cost`: by level, None where the system weighs nothing; `claims`: what is proved and what is not
* `certificate`: of a Swiss round that of `tourney.pairing.prove`; of pods the groups that have all met; of a round robin
  the schedule's numbers, its seed and who has left; of a bracket its seeds and matches
* `best`: only where a better round is known: its tables and byes; then the certificate is that round's
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from tourney.desk.desk import dutch_engine, dutch_version
from tourney.desk.questions import RoundQuestion, question_of, round_of
from tourney.errors import Finding, Severity, TourneyError
from tourney.event.field import field_of, record
from tourney.event.phrases import counted, listed
from tourney.event.systems import (
    Ask,
    bracket_of,
    dutch_round,
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
    Options,
    Pairing,
    heeded,
    same_engine,
    swiss_engine,
)
from tourney.pairing.pairing import BRACKET_ENGINE, PODS_ENGINE, upper_levels
from tourney.record import PlayerId, Table

if TYPE_CHECKING:
    from tourney.desk.desk import Desk


_NO_ROUND = {"seated-twice", "not-seated", "not-in-round", "table-size"}
"""Findings after which the cost of a round says nothing."""


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
        return self.question.known.system == "manual" or bool(self.question.known.edits)

    def proved(self, *what: str) -> bool | None:
        """Return whether all claims of these names hold (no name: all there are); None where that is not settled."""
        said = [each.proved for each in self.claims if not what or each.what in what]
        return False if False in said else None if None in said else True


def judge(desk: Desk, number: int | None = None, *, made: Pairing | None = None) -> Judged:
    """Hold round `number` (None: the current one) against its system.

    made: what the system's engine makes of the round's field and seed, where the caller has it; else it is made

    Raises TourneyError where there is no such round, and where its entry contradicts itself.
    """
    known = round_of(desk.state, number)
    question = question_of(desk, known)
    if known.stage == "cut":
        return _bracket(question)
    if known.system not in _SYSTEMS:
        raise TourneyError(
            f"{known.title} is entered as paired by {known.system}, and is no round of a bracket"
        )
    return _SYSTEMS[known.system](desk, question, made)


def _legal(findings: Sequence[Finding]) -> Claim:
    broken = [each.message for each in findings if each.severity is Severity.ERROR]
    if broken:
        return Claim(
            what="legal", proved=False, text=f"{counted(len(broken), 'rule')} broken: {'; '.join(broken)}"
        )
    return Claim(what="legal", proved=True, text="everybody has one seat, and no rule is broken")


def _the_tables(question: RoundQuestion, *, same: bool, engine: str, source: str) -> Claim:
    """Say whether the tables are those that the system makes. source: from what they follow."""
    known = question.known
    if same:
        return Claim(what="tables", proved=True, text=f"the tables are those that follow from {source}")
    if known.edits:
        said = listed(f"entry {edit.entry}, {edit.at[11:16]} by {edit.by}" for edit in known.edits)
        return Claim(what="tables", proved=None, text=f"the tables were changed by hand ({said})")
    if not same_engine(known.engine, engine):
        text = f"the round was paired by {known.engine or 'an engine without a name'}; {engine} would make other tables"
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

    known, there, tables = question.known, question.field, question.pairing.tables
    if len(question.pairing.byes) > 1:
        return _too_many_byes(question)
    try:
        best = made or pair(there.entrants, question.options, known.seed, name=question.name)
    except TourneyError as refusal:
        return _without_engine(question, refusal)
    findings = check(
        there.entrants, question.options, tables, question.pairing.bye, absent=question.absent, best=best, name=question.name
    )  # fmt: skip
    verdict = verify(
        there.entrants,
        question.options,
        tables,
        question.pairing.bye,
        known.seed,
        best=best,
        name=question.name,
    )
    claims, engine = [_legal(findings)], swiss_engine(question.options, len(there.entrants))
    if verdict.cost is not None:
        claims += _swiss_levels(question, verdict.cost, best)
        if known.system == "swiss":
            claims.append(_the_tables(question, same=verdict.same, engine=engine, source="the round's seed"))
    optimal = "optimal" if best.exact_levels else best.proof
    return Judged(
        question=question,
        findings=tuple(findings),
        claims=tuple(claims),
        fine=f"legal and {optimal}" if verdict.optimal else "legal",
        rules="swiss",
        engine=engine if known.system == "swiss" else "",
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
    told = {
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
    for what, (levels, text) in told.items():
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

    known, there = question.known, question.field
    engine = PODS_ENGINE if known.system == "pods" else ""
    try:
        best = made or pods_round(_ask(desk, question), there)
    except TourneyError as refusal:
        return _without_engine(question, refusal)
    tables, byes = question.pairing.tables, question.pairing.byes
    findings = pods.check(
        there.entrants, question.options, tables, byes, sizes=sizes_of(question.before), best=best, absent=question.absent,
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
    had = seats_before(question.before, known.number)
    cost = pods.price(there.entrants, question.options, tables, byes, had)
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
        said = f"{counted(len(byes), 'player has', 'players have')} a bye, and {len(best.byes)} would do"
        return [Claim(what="bye", proved=False, text=said)]
    costs = (
        manual.cost_of(question.field.entrants, question.options, (), each) for each in (byes, best.byes)
    )
    have, least = ((each.bye_earlier, each.bye_points) for each in costs)
    said = "nobody who comes before in the order of the byes could have one" if byes else "nobody has a bye"
    if have > least:
        said = "somebody has a bye who has had more of them, or has more points, than somebody who plays"
    claims = [Claim(what="bye", proved=have <= least, text=said)]
    here = pods.sizes_words(question.pairing.tables)
    if not alike:
        said = f"{here}, and {pods.sizes_words(best.tables)} are nearer to the preferred {preferred}"
        return [*claims, Claim(what="sizes", proved=False, text=said)]
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
        said = gaps.priced("pair") if level == "differences" else f"{words}: {count}"
        if have == least:
            text = f"{said}, and no round has less" if have else said
            claims.append(Claim(what=what, proved=True, text=text))
        elif every:
            text = f"{said}; every round was looked at, and none is better"
            claims.append(Claim(what=what, proved=True, text=text))
        else:
            text = (
                f"{said}; any round has {bound} at least, so at most {amount(level, have - least)} too many"
            )
            claims.append(Claim(what=what, proved=None, text=text))
    return claims


# -- schedules, the Dutch system, brackets


def _round_robin(_desk: Desk, question: RoundQuestion, _made: Pairing | None) -> Judged:
    from tourney.pairing.round_robin import METHOD

    known, tables = question.known, question.pairing.tables
    plan = schedule_of(question.before, known.seed)
    entrants = {each.id: each for each in question.field.entrants}
    made = plan.round(
        known.number,
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
        *plan.check(known.number, tables, name=question.name),
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

    known, name = question.known, question.name
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
            record(question.before).after(known.number - 1),
            tables,
            byes,
            points={outcome: rule.points for outcome, rule in profile.outcomes.items()},
            rounds_total=question.before.settings.rounds,
            name=name,
        )
    engine = f"{dutch.METHOD} ({dutch_version()})" if dutch_version() else dutch.METHOD
    when_paired = desk.at(known.paired.entry - 1)
    try:
        made = made or dutch_round(
            Ask(state=when_paired, profile=profile, number=known.number, seed=known.seed, dutch=dutch_engine),
            field_of(when_paired, profile, number=known.number),
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
    if claim.proved is None and not known.edits and seated:
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

    known, before, name = question.known, question.before, question.name
    if before.cut is None:
        raise TourneyError(f"{known.title} is entered as a round of a cut, and no cut was made")
    now = bracket_of(before, before.cut, known.number - 1)
    tables = question.pairing.tables
    findings = [
        *check(
            now,
            {known.labels.get(each.number, f"table {each.number}"): each.seats for each in tables},
            name=name,
        ),
        *(each for each in _by_the_rules(question, []) if each.rule == "table-number"),
    ]
    same = _pairs(tables) == _pairs(now.tables) and set(question.pairing.byes) == set(now.byes)
    source = "the seeds and the results before the round"
    claim = _the_tables(question, same=same, engine=BRACKET_ENGINE, source=source)
    if claim.proved is False and known.system != "manual":
        findings = [
            replace(each, severity=Severity.ERROR) if each.rule == "bracket" else each for each in findings
        ]
    if known.system == "manual" and not same:
        claim = Claim(what="tables", proved=None, text="the organizer seated the bracket otherwise")
    return Judged(
        question=question,
        findings=tuple(findings),
        claims=(_legal(findings), claim),
        fine="legal, and as the bracket has it" if same else "legal",
        rules="bracket",
        engine="" if known.system == "manual" else BRACKET_ENGINE,
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
    if question.known.edits:
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
    known = question.known
    return Ask(
        state=question.before,
        profile=desk.evidence().profile(question.before),
        number=known.number,
        seed=known.seed,
    )


_SYSTEMS: dict[str, Callable[[Desk, RoundQuestion, Pairing | None], Judged]] = {
    "swiss": _swiss,
    "manual": _by_hand,
    "pods": _pods,
    "round-robin": _round_robin,
    "dutch": _dutch,
}


# -- A round's proof as data: all that it rests on, for a stranger who has never seen this program


Plain = dict[str, Any]

_SYSTEMS_OF_RULES = {"bracket": "elimination", "seats": "manual"}
"""The system whose wishes count, where the rules of `Judged` are not called like one."""


def proof_of(desk: Desk, judged: Judged) -> Plain:
    """Return the proof of a judged round as plain data, as the docstring of this module has it."""
    question, known = judged.question, judged.question.known
    made = known.edits[-1] if known.edits else known.paired
    system = _SYSTEMS_OF_RULES.get(judged.rules, judged.rules)
    entrants, options = heeded(system, _entrants(judged), question.options)
    had = seats_before(question.before, known.number) if judged.rules == "pods" else {}
    return {
        "round": known.number,
        "title": known.title,
        "system": known.system,
        "stage": known.stage,
        "rules": judged.rules,
        "by_hand": judged.by_hand,
        "event": {
            "entry": desk.state.entry,
            "digest": desk.state.digest,
            "round_entry": made.entry,
            "round_digest": desk.at(made.entry).digest,
        },
        "engine": known.engine,
        "seed": known.seed,
        "players": [player_data(each, question.name(each.id), had) for each in entrants],
        "sat_out": {
            str(player): outcome.value
            for player, outcome in known.byes.items()
            if player not in question.pairing.byes
        },
        "options": options_data(options),
        "sizes": asdict(sizes_of(question.before)),
        "tables": [
            {"number": table.number, "seats": list(table.seats), "label": known.labels.get(table.number, "")}
            for table in question.pairing.tables
        ],
        "byes": list(question.pairing.byes),
        "cost": None if judged.cost is None else judged.cost.as_dict(),
        "claims": [asdict(each) for each in judged.claims],
        **_CERTIFICATES.get(judged.rules, _none)(judged),
    }


def _entrants(judged: Judged) -> Sequence[Entrant]:
    """Return who was to be paired, as far as the rules look at them."""
    question = judged.question
    seated = [player for table in question.pairing.tables for player in table.seats]
    here = dict.fromkeys([*seated, *question.pairing.byes])
    if judged.rules == "bracket":
        return [Entrant(id=player) for player in here]
    if judged.rules == "round-robin":  # who came late has no opponents
        return [each for each in question.field.entrants if each.id in here]
    return question.field.entrants


def player_data(entrant: Entrant, name: str, had: Mapping[PlayerId, Sequence[int]]) -> Plain:
    """Return a player as a proof has them. had: the seats of earlier rounds, by player."""
    return {
        "player": entrant.id,
        "name": name,
        "points": entrant.points,
        "opponents": list(entrant.opponents),
        "no_shows": list(entrant.no_shows),
        "byes": entrant.byes,
        "awarded_byes": entrant.awarded_byes,
        "half_byes": entrant.half_byes,
        "fixed_table": entrant.fixed_table,
        "tags": list(entrant.tags),
        "seats_before": list(had.get(entrant.id, ())),
    }


def options_data(options: Options) -> Plain:
    """Return the organizer's words and switches as a proof has them."""
    return {
        "mode": options.mode.value,
        "forbidden": sorted([min(pair), max(pair)] for pair in options.forbidden),
        "forced": [list(pair) for pair in options.forced],
        "forced_bye": options.forced_bye,
        "no_bye": sorted(options.no_bye),
        "keep_apart": options.keeps_apart_now,
        "sides": options.sides,
        "awarded_bye_counts": options.awarded_bye_counts,
        "half_bye_counts": options.half_bye_counts,
        "no_show_meets": options.no_show_meets,
        "first_table": options.first_table,
    }


def _none(_judged: Judged) -> Plain:
    return {"certificate": None}


def _swiss_proof(judged: Judged) -> Plain:
    from tourney.pairing import prove

    question, best = judged.question, judged.best
    if judged.cost is None or best is None:
        return {"certificate": None}
    if upper_levels(judged.cost) <= upper_levels(best.cost):
        return {"certificate": prove(question.field.entrants, question.options, question.pairing)}
    better = {"tables": [list(table.seats) for table in best.tables], "byes": list(best.byes)}
    return {"best": better, "certificate": prove(question.field.entrants, question.options, best)}


def _pods_proof(judged: Judged) -> Plain:
    from tourney.pairing import pods

    question = judged.question
    groups = pods.prove(
        question.field.entrants, question.options, question.known.seed, sizes=sizes_of(question.before)
    )
    return {"certificate": {"groups": groups}}


def _round_robin_proof(judged: Judged) -> Plain:
    question = judged.question
    plan = schedule_of(question.before, question.known.seed)
    there = {each.id for each in question.field.entrants}
    return {
        "certificate": {
            "members": sorted(plan.players),
            "numbered": list(plan.players),
            "seed": plan.seed,
            "double": question.before.settings.double,
            "gone": [player for player in plan.players if player not in there],
        }
    }


def _bracket_proof(judged: Judged) -> Plain:
    question, cut = judged.question, judged.question.before.cut
    assert cut is not None, "a round of the cut follows the cut"
    now = bracket_of(question.before, cut, question.known.number - 1)
    return {
        "certificate": {
            "seeds": list(cut.players),
            "kind": cut.kind,
            "reseed": cut.reseed,
            "third_place": cut.third_place,
            "vacancy": cut.vacancy,
            "stages": [
                {
                    "name": stage.name,
                    "matches": [
                        {
                            "label": match.label,
                            "seats": list(match.seats),
                            "sources": list(match.sources),
                            "winner": match.winner,
                            "done": match.done,
                        }
                        for match in stage.matches
                    ],
                }
                for stage in now.stages
            ],
        }
    }


_CERTIFICATES: dict[str, Callable[[Judged], Plain]] = {
    "swiss": _swiss_proof,
    "pods": _pods_proof,
    "round-robin": _round_robin_proof,
    "bracket": _bracket_proof,
}
