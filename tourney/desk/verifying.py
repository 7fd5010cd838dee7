"""Verify an event: `verify` proves each round again, `check` checks the whole file.

Findings have three severities: an error is a contradiction, `unverified` marks what this copy or this version
cannot verify, and advice is something that a reader should know. No check trusts the owner of the file: the
hash of the secret is in entry 1, costs follow from the tables, and tables follow from the seed with the same
version of the engine.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import partial

import msgspec

from tourney.desk.evidence import Evidence, Seal, since
from tourney.desk.open_event import OpenEvent
from tourney.desk.proofs import judge
from tourney.desk.receipts import next_steps
from tourney.desk.registration import contradictions
from tourney.desk.rules import KeptRules
from tourney.desk.seals import (
    Paired,
    advice,
    cost_findings,
    current_cut,
    draw_entries,
    draw_findings,
    error,
    foreseeable,
    imported,
    is_by_engine,
    place_of,
    seals,
    seed_findings,
    unsettled,
)
from tourney.document import Document
from tourney.errors import Finding, Severity, TourneyError
from tourney.event import brackets, ops, rounds
from tourney.event.entry import ALTERED, Entry, EntryError, described, erased, intact
from tourney.event.event_document import show_what_changed
from tourney.event.field import NO_SECRET, lot_of, standings
from tourney.event.fold import History, MisfitError, footprint, root, taken_back
from tourney.event.kind import FIELD, EventChange
from tourney.event.phrases import names_of, tables_text
from tourney.event.showing import points_after, round_view, show_tables
from tourney.event.state import Cut, Entered, Round, State
from tourney.event.systems import propose
from tourney.event.systems.elimination import are_byes
from tourney.pairing import same_engine
from tourney.record import PlayerId
from tourney.standings import Profile, with_order
from tourney.standings.profile import LOT
from tourney.store.journal import EventPlace, Journal
from tourney.wording import listed


class VerifiedRound(msgspec.Struct, frozen=True, kw_only=True):
    """The verification of a round. An answer is null if it cannot be decided, or does not apply.

    round: the number of the round
    title: the name of the round
    entry: the number of the journal entry that paired it
    system: how it was paired
    legal: whether all players are seated once, no forbidden pair meets, and nothing avoidable happens
    optimal: whether no pairing is better by the rules of the event
    same: whether the engine makes the same tables from the seed, and no table was changed by hand
    engine: the version of the engine that paired it; empty if no engine did
    seed: the seed of its random choices; empty if there is none
    seed_follows: whether the seed follows from the event's secret
    cost_fits: whether the recorded cost is the cost of the tables
    edits: changes by hand after the pairing
    findings: contradictions, and what cannot be verified
    """

    round: int
    title: str
    entry: int
    system: str
    legal: bool | None
    optimal: bool | None
    same: bool | None
    engine: str
    seed: str
    seed_follows: bool | None
    cost_fits: bool | None
    edits: tuple[Entered, ...]
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """The result of `verify`.

    seal:   the check of the secret
    texts:  findings about names, decks and rules that are missing, or were altered without an entry
    rounds: the results for each round
    cut:    findings about the seeds of the cut
    draws:  findings about draws of deck checks
    drawn:  the number of draws that were checked
    notes:  findings about draws after the secret was public, and about changes after the public value was
        known
    """

    seal: Seal
    texts: tuple[Finding, ...]
    rounds: tuple[VerifiedRound, ...]
    cut: tuple[Finding, ...]
    draws: tuple[Finding, ...]
    drawn: int
    notes: tuple[Finding, ...]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings."""
        rounds = (finding for verified in self.rounds for finding in verified.findings)
        return (*self.seal.findings, *self.texts, *rounds, *self.cut, *self.draws, *self.notes)


def verify(event: OpenEvent, number: int | None = None) -> Verification:
    """Check the secret, the texts and each round. number: check only this round.

    Each pairing and each repair is made again from its seed, and the current tables are judged.
    """
    evidence, whole = event.evidence(), number is None
    draws = [entry for entry in draw_entries(evidence) if number in {None, entry.op.round}]  # type: ignore[attr-defined]
    texts = _fault_of("text", lambda: list(_texts(event.journal, event.entries, from_backup=False)))
    return Verification(
        seal=evidence.seal,
        texts=tuple(texts) if whole else (),
        rounds=tuple(
            _verified(event, evidence, round_)
            for round_ in event.state.rounds
            if number in {None, round_.number}
        ),
        cut=tuple(_cut_findings(evidence)) if whole else (),
        draws=tuple(finding for entry in draws for finding in draw_findings(evidence, entry)),
        drawn=len(draws),
        notes=(
            *imported(event.state, number),
            *foreseeable(evidence, number),
            *_after_beacon(event),
        ),
    )


def _verified(event: OpenEvent, evidence: Evidence, round_: Round) -> VerifiedRound:
    numbers = {round_.paired.entry, *(edit.entry for edit in round_.edits)}
    entries = [evidence.entries[number - 1] for number in sorted(numbers)]
    made = [entry.op for entry in entries if isinstance(entry.op, Paired)]
    seeds = [finding for entry in entries for finding in seed_findings(evidence, entry)]
    costs = [finding for entry in entries for finding in cost_findings(evidence, entry)]
    tables = [finding for entry in entries for finding in _table_findings(evidence, entry)]
    first = made[0]
    assert isinstance(first, ops.RoundPaired), "a round begins with its pairing"
    by_hand = any(not op.engine for op in made[1:])
    legal, optimal, unjudged = _legal_and_optimal(event, evidence, round_)
    return VerifiedRound(
        round=round_.number,
        title=round_.title,
        entry=round_.paired.entry,
        system=round_.system,
        legal=legal,
        optimal=optimal,
        same=_answer(tables) and not by_hand if is_by_engine(first) else None,
        engine=round_.engine,
        seed=round_.seed,
        seed_follows=_answer(seeds) if first.seed and evidence.seal.secret is not None else None,
        cost_fits=_answer(costs) if any(op.proof.cost for op in made) else None,
        edits=round_.edits,
        findings=(*seeds, *costs, *tables, *unjudged),
    )


def _legal_and_optimal(
    event: OpenEvent, evidence: Evidence, round_: Round
) -> tuple[bool | None, bool | None, tuple[Finding, ...]]:
    """Return whether a round is legal and optimal, and a finding if that cannot be decided."""
    pairing = evidence.entries[round_.paired.entry - 1]
    is_unchanged = not round_.edits and round_.system != "manual" and round_.stage == "swiss"
    try:
        made = evidence.paired_again(pairing).made if is_unchanged else None
        judged = judge(event, round_.number, made=made)
    except TourneyError as fault:
        message = f"{place_of(evidence, pairing)}, legal and optimal: {fault.message}"
        return None, None, (unsettled("legal", message, fault.hint),)
    if event.state.is_imported(round_.paired):
        # The other program's rules are unknown. So are the players who came late.
        return judged.legal or None, None, ()
    return judged.legal, judged.optimal, ()


def _answer(findings: Sequence[Finding]) -> bool | None:
    severities = {finding.severity for finding in findings}
    return False if Severity.ERROR in severities else None if severities else True


# -- the document of `tourney verify`


class BeaconRow(msgspec.Struct, frozen=True):
    """The public value that the seeds depend on.

    source: where it is published, as the organizer announced it
    value: the value; null if it has not been entered yet
    entry: the number of the journal entry with the value; null if it has not been entered yet
    """

    source: str
    value: str | None
    entry: int | None


class VerificationDocument(Document, frozen=True, tag="tourney.verify/1"):
    """What `tourney verify --json` prints.

    entry: the number of the last entry in the journal
    digest: the digest of the journal up to that entry, a SHA-256
    secret_sha256: the SHA-256 of the secret, which the event published before round 1
    secret: whether the secret has that SHA-256; null if this copy does not have the secret
    beacon: the public value that the seeds depend on; null if there is none
    rounds: the rounds that were verified
    audit_draws: the number of draws of deck checks that were verified
    findings: contradictions, and what cannot be verified
    """

    entry: int
    digest: str
    secret_sha256: str
    secret: bool | None
    beacon: BeaconRow | None
    rounds: tuple[VerifiedRound, ...]
    audit_draws: int
    findings: tuple[Finding, ...]


def verification_document(state: State, verification: Verification) -> VerificationDocument:
    """Return the document about the verification of an event."""
    return VerificationDocument(
        entry=state.entry,
        digest=state.digest,
        secret_sha256=state.secret_digest,
        secret=verification.seal.fits,
        beacon=_beacon(state),
        rounds=verification.rounds,
        audit_draws=verification.drawn,
        findings=verification.findings,
    )


def _beacon(state: State) -> BeaconRow | None:
    source, beacon = state.settings.pairing.beacon, state.beacon
    if not source:
        return None
    return BeaconRow(source, beacon.value, beacon.entered.entry) if beacon else BeaconRow(source, None, None)


# -- what changed after the public value could be known


_PLAY = (
    ops.RoundPaired,
    ops.RoundEdited,
    ops.RoundCancelled,
    ops.ResultReported,
    ops.ResultChanged,
    ops.CutMade,
)
"""Entries of play.

All other facts that a pairing depends on should be entered before the public value is known.
"""


def _after_beacon(event: OpenEvent) -> Iterator[Finding]:
    """Yield a finding for each change to the field after the public value could be known.

    Registrations, changes and undos count.
    """
    log, is_out = event.log(), False
    for entry in event.entries:
        op = root(event.entries, entry).op
        makes_field = FIELD in footprint(op).makes and not isinstance(op, _PLAY)
        is_beacon = isinstance(op, ops.BeaconEntered)
        is_source = isinstance(op, ops.EventChanged) and "beacon" in op.settings
        if is_source or (is_out and (is_beacon or makes_field)):
            line = log[entry.seq - 1]
            when = f"{line.at[:16].replace('T', ' ')} by {line.by}"
            after = ", after the public value" if is_out else ""
            yield advice("beacon", f"entry {entry.seq}{after}: {line.text} ({when})")
        is_out = is_out or is_beacon


# -- the cut


def _cut_findings(evidence: Evidence) -> Iterator[Finding]:
    """Compare the seeds of the cut with the standings or ratings from which it was made."""
    for entry in current_cut(evidence):
        op, place = entry.op, f"The cut (entry {entry.seq})"
        assert isinstance(op, ops.CutMade), "current_cut returns nothing else"
        try:
            orders = _possible_seeds(evidence, evidence.at(entry.seq - 1), op)
        except TourneyError as fault:
            yield unsettled("cut", f"{place}: {fault.message}", fault.hint)
            continue
        if op.players in orders:
            continue
        name = names_of(evidence.state)
        ways = dict.fromkeys(listed(map(name, order)) for order in orders)
        message = f"the standings of that moment give {' or '.join(ways) or 'no cut of this size'}"
        source = evidence.state.imported
        if source is not None and source.first <= entry.seq <= source.last:
            # The other program's ranking is unknown.
            yield unsettled("cut", f"{place}, imported: {message}")
        else:
            yield error("cut", f"{place}: {message}")


def _possible_seeds(evidence: Evidence, before: State, op: ops.CutMade) -> list[tuple[PlayerId, ...]]:
    """Return the possible orders of seeds: by the profile, or by lot between tied players.

    For an imported cut both are possible. Raises TourneyError if the order cannot be determined.
    """
    if not before.rounds and before.settings.pairing.system == "elimination":
        if before.settings.cut.seeding == "hand":
            return [op.players]
        seed = evidence.seed(before, 1)
        if seed is None and before.settings.cut.seeding == "registration":
            seed = ""
        if seed is None:
            raise TourneyError(f"equal players are seeded at random, and {NO_SECRET}")
        first = propose(evidence.ask(before, 1, seed)).first
        return [first.players] if first else []
    profile, lot = evidence.profile(before), lot_of(before, evidence.seal.secret)
    own, drawn = tuple(profile.order), (*(code for code in profile.order if code != LOT), LOT)
    # If no lot could be drawn, none separated the players.
    no_lot = not lot and not before.waits_for_beacon
    orders = {None: dict.fromkeys((own, drawn)), False: [own], True: [own if LOT in own else drawn]}[op.lot]
    seeds = []
    cut = Cut.by(op)
    for order in orders:
        if LOT in order and no_lot:
            continue
        ranked = standings(before, with_order(profile, order), lot)
        with suppress(TourneyError):  # a tie across the line is not a cut; another order may give one
            made = brackets.cut(
                EventChange(before),
                ranked,
                len(op.players),
                kind=cut.kind,
                reseed=cut.reseed,
                third_place=cut.third_place,
                vacancy=cut.vacancy,
                lot=True,
                seats=cut.seats,
                advance=cut.advance,
            ).op
            seeds += [made.players] if isinstance(made, ops.CutMade) else []
    if op.players not in seeds and no_lot and any(LOT in order for order in orders):
        raise TourneyError(f"ties may be broken by lot, and {NO_SECRET}")
    return seeds


# -- tables paired again


def _table_findings(evidence: Evidence, entry: Entry) -> Iterator[Finding]:
    """Pair an entry's round again from the recorded seed, and yield the differences."""
    op, place = entry.op, place_of(evidence, entry)
    assert isinstance(op, Paired), "only these make tables"
    if not op.engine and not (isinstance(op, ops.RoundPaired) and is_by_engine(op)):
        return
    try:
        made = _made_again(evidence, entry)
    except TourneyError as fault:
        yield unsettled("tables", f"{place}, the tables: {fault.message}", fault.hint)
        return
    if made is None:
        yield error("tables", f"{place}: there was nothing to repair")
        return
    if op.byes != made.byes and _are_byes_of_bracket(evidence, entry):
        made = msgspec.structs.replace(made, byes=op.byes)
    differences = _differences(op, made)
    if not same_engine(op.engine, made.engine):  # another version may make other tables
        signed = f"signed by {op.engine}" if op.engine else "not signed by any engine"
        message = f"it is {signed}, but {made.engine} makes {differences or 'the same tables'} from its seed"
        yield unsettled("tables", f"{place}: {message}", "verify it with the version that paired it")
    elif differences:
        yield error("tables", f"{place}: {made.engine} makes {differences} from this seed")


def _are_byes_of_bracket(evidence: Evidence, entry: Entry) -> bool:
    """Return whether recorded byes are the byes of the bracket.

    Older versions also recorded players who wait as byes.
    """
    op, before = entry.op, evidence.at(entry.seq - 1)
    if not isinstance(op, ops.RoundPaired) or op.stage != "cut" or before.cut is None:
        return False
    byes = [bye.player for bye in op.byes if bye.kind == "bye"]
    in_order = list(op.byes) == sorted(op.byes, key=lambda bye: bye.player)
    return in_order and len(byes) == len(op.byes) and are_byes(brackets.bracket_of(before, before.cut), byes)


def _made_again(evidence: Evidence, entry: Entry) -> Paired | None:
    """Return the entry that the engine makes now; None if it would repair nothing."""
    if isinstance(entry.op, ops.RoundPaired):
        return evidence.paired_again(entry).op
    assert isinstance(entry.op, ops.RoundEdited), "only these make tables"
    before = evidence.at(entry.seq - 1)
    round_ = before.rounds[entry.op.round - 1]
    seed = round_.seed or evidence.seed(before, round_.number)
    if seed is None:
        raise TourneyError(f"a round that was paired by hand has no seed, and {NO_SECRET}")
    then = dataclasses.replace(evidence, entries=evidence.entries[: entry.seq - 1], state=before)
    ask = evidence.ask(before, round_.number, seed)
    repair = rounds.repair(EventChange(before), ask, moved=since(then, round_).moved).op
    assert repair is None or isinstance(repair, ops.RoundEdited), "a repair is an edit"
    return repair


def _differences(op: Paired, made: Paired) -> str:
    """Return the first difference between two pairings of a round; empty if none."""
    if op.tables != made.tables:
        recorded, again = (
            {table.number: table.seats for table in tables} for tables in (op.tables, made.tables)
        )
        numbers = [
            number for number in recorded.keys() | again.keys() if recorded.get(number) != again.get(number)
        ]
        return f"other tables ({tables_text(numbers)})"
    if op.byes != made.byes:
        return "other byes"
    for field in ("round", "system", "stage", "labels", "removed", "seed"):
        if getattr(op, field, None) != getattr(made, field, None):
            return f"another {field}"
    if op.proof.cost != made.proof.cost:
        return "another cost"
    if op.proof.bound != made.proof.bound:
        return "another lower bound"
    if op.proof.text != made.proof.text:
        return f"another proof, `{made.proof.text}`,"
    return ""


# -- the whole file: database pages, texts, rules


def check(event: OpenEvent) -> tuple[Finding, ...]:
    """Check the whole file.

    The checks cover database pages, texts, rules, secret, seeds, recorded costs, and all views.

    The chain of digests was checked when the event was opened. The result is empty if there is no fault. A
    finding is `unverified` if this copy cannot decide it.
    """
    findings = (*_file_findings(event), *seals(event.evidence()))
    if any(finding.rule == "rules" for finding in findings):
        return findings  # without rules, nothing can be shown
    # If two registered lists declare the same card differently, one of them is wrong, but no rule says which.
    declared = _fault_of("rules", lambda: list(contradictions(event)))
    return (*findings, *_replayed(event), *_shown(event), *declared)


def refuse_unsound(event: OpenEvent) -> None:
    """Raise TourneyError with the first entry after which the event cannot be folded or shown.

    Rules that cannot be read are accepted: such an event can be shown, and `event rebase` replaces its rules.
    """
    for finding in _replayed(event, without_rules=True):
        if finding.severity is Severity.ERROR:
            raise TourneyError(finding.message, finding.hint)


def examine_unread(place: EventPlace, fault: EntryError) -> Iterator[Finding]:
    """Yield the faults of an event whose entries cannot be read to the end."""
    with closing(place.open()) as journal:
        yield from _pages(journal)
    yield _fault("entry", fault.message, fault.hint or ALTERED)


def _file_findings(event: OpenEvent) -> Iterator[Finding]:
    yield from _pages(event.journal)
    yield from _fault_of("text", lambda: list(_texts(event.journal, event.entries)))
    gone = taken_back(event.entries)
    based = max(
        entry.seq
        for entry in event.entries
        if isinstance(entry.op, (ops.EventCreated, ops.EventRebased)) and entry.seq not in gone
    )
    for rule in ("format", "banlist", "profile"):
        for fault in _rule_fault(event.rules, rule):
            yield replace(fault, message=f"entry {based}: {fault.message}")


def _pages(journal: Journal) -> Iterator[Finding]:
    yield from _fault_of("file", lambda: [_fault("file", damage) for damage in journal.damage()])


def _texts(journal: Journal, entries: Sequence[Entry], *, from_backup: bool = True) -> Iterator[Finding]:
    """Yield texts that are missing or altered.

    from_backup: accept texts that only the file's header lists as deleted. Erasing a person also deletes the
                 texts from older backups, whose entries do not change. The header proves nothing, because
                 anyone with the file can write it
    """
    uses = described(entries)
    missing, gone, noted = set(uses), erased(entries), journal.erased()
    for ref, salt, content in journal.texts():
        name = uses[ref].what if ref in uses else "a text of no entry"
        missing.discard(ref)
        if content is None and salt is None:
            if ref not in gone and not (from_backup and ref in noted):
                hint = "this is expected in a backup from before the deletion" if ref in noted else ALTERED
                yield _fault("text", f"{name} was deleted, but no entry records that", hint)
        elif ref in gone:
            message = f"{name} was deleted by request, but it is still there"
            yield _fault("erased", message, f"`tourney player blank '#{gone[ref]}'` deletes it")
        elif not intact(ref, salt, content):
            yield _fault("text", f"{name} is not as it was written")
    for ref in uses:
        if ref in missing:
            yield _fault("text", f"{uses[ref].what} is missing ({ref[:12]}…)")


def _rule_fault(rules: KeptRules, rule: str) -> list[Finding]:
    """Return a finding if a rule file in the event cannot be read; empty if it can."""

    def read() -> list[Finding]:
        getattr(rules, rule)
        return []

    return _fault_of("rules", read)


def _fault_of(rule: str, look: Callable[[], list[Finding]]) -> list[Finding]:
    """Return the findings of `look`.

    If it raises TourneyError because the file is damaged, return that as a finding.
    """
    try:
        return look()
    except TourneyError as fault:
        return [_fault(rule, fault.message)]


def _fault(rule: str, message: str, hint: str = ALTERED) -> Finding:
    return Finding(rule=rule, severity=Severity.ERROR, message=message, hint=hint)


# -- the whole history, folded and shown after each entry


_PATIENCE = 20
"""The most times that an entry is folded, on average.

Undoing an early entry folds all later entries again.
"""

_SOME = 1000
"""The additional entries that can be folded, so that a short event is checked completely."""

MOST_SHOWN = 20_000_000
"""The most players and tables that are compared, over all entries.

15 rounds of 1,000 players use half of that.
"""


def _replayed(event: OpenEvent, *, without_rules: bool = False) -> Iterator[Finding]:
    """Yield the first entry after which the event cannot be folded or shown.

    It is a fault even if later entries repair it. Users can request the event as of that entry (`--at`), and
    an undo or a redo can lead back to its state.

    without_rules: if the rules cannot be read, check everything else
    """
    history, shown, compared = History(event.texts), State(), 0
    profile: Callable[[], Profile] | None = None
    for entry in event.entries:
        if history.folded > _PATIENCE * len(event.entries) + _SOME or compared > MOST_SHOWN:
            message = (
                f"the event is too large to check all its earlier states; checked up to entry {entry.seq - 1}"
            )
            yield unsettled("entry", message)
            return
        try:
            history.add(entry)
            state = history.state()
            if shown.entry == 0 or not state.has_rules_of(shown):
                rules = KeptRules(state, event.journal.text)
                unreadable = without_rules and _rule_fault(rules, "profile")
                profile = None if unreadable else partial(getattr, rules, "profile")
            next_steps(state)
            show_what_changed(state, shown)
            show_tables(state, shown, profile)
            tables = len(state.rounds[-1].tables) if state.rounds else 0
            shown, compared = state, compared + len(state.players) + tables
        except MisfitError as fault:
            yield _fault("entry", fault.message, fault.hint or ALTERED)
            return
        except TourneyError as fault:
            message = f"the event cannot be shown as of entry {entry.seq}: {fault.message}"
            yield _fault("shown", message, fault.hint or ALTERED)
            return


def _shown(event: OpenEvent) -> Iterator[Finding]:
    """Yield a finding if the event's log, rounds with points, or standings cannot be shown."""
    state = event.state
    try:
        event.log()
        next_steps(state)
        points = points_after(state, event.rules.profile)
        for round_ in state.rounds:
            round_view(state, round_, points)
        event.standings(lots_needed=False)
    except TourneyError as fault:
        yield _fault("shown", fault.message, fault.hint or ALTERED)
