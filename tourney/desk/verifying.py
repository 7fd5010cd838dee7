"""Verify an event: `verify` pairs each round again, `check` checks the whole file.

Findings have three severities. An error is a contradiction. `unverified` marks something that this copy or
this version cannot verify. Advice is something that a reader should know.

No check trusts the owner of the file. The secret must match the hash in entry 1, and a recorded cost must be
the cost of the tables. The same version of the engine must make the same tables from the seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress

from msgspec import Struct, structs

from tourney.desk.corrections import basis_of
from tourney.desk.evidence import (
    Evidence,
    TablesEntry,
    advice,
    check_cost,
    check_draws,
    check_seals,
    check_seed,
    cut_entry,
    doubt,
    draws_after_reveal,
    error,
    tables_entries,
    unproved_imports,
)
from tourney.desk.open_event import OpenEvent
from tourney.desk.proofs import judge
from tourney.desk.receipts import next_steps
from tourney.desk.registration import contradictions
from tourney.desk.rules import KeptRules
from tourney.document import Document
from tourney.errors import Finding, Severity, TourneyError
from tourney.event import brackets, ops, rounds
from tourney.event.entry import ALTERED, Entry, EntryError, erased_refs, is_intact, text_descriptions
from tourney.event.event_document import show_what_changed
from tourney.event.field import NO_SECRET, lot_of, standings
from tourney.event.fold import History, MisfitError, footprint, root, undos_by_entry
from tourney.event.kind import FIELD, EventChange
from tourney.event.phrases import tables_text
from tourney.event.showing import points_after, round_view, show_tables
from tourney.event.state import Entered, Round, State
from tourney.event.systems import propose
from tourney.event.systems.system import Judgment, changes_of, repair_text
from tourney.pairing import same_engine
from tourney.record import PlayerId
from tourney.standings import Profile, with_order
from tourney.standings.profile import LOT
from tourney.store.journal import EventPlace, Journal
from tourney.wording import listed

# -- the rounds, the secret and the draws


class VerifiedRound(Struct, frozen=True, kw_only=True):
    """The verification of a round. A value is null if it cannot be decided, or does not apply.

    round: the number of the round
    title: the name of the round
    entry: the number of the journal entry that paired it
    system: how it was paired
    legal: whether the round breaks no rule: each player has one seat, no forbidden pair meets, and rematches
        or second byes occur only if they are unavoidable
    optimal: whether no pairing is better by the rules of the event
    same: whether the engine makes the same tables from the seed, and no table was changed by hand. The tables
        of a repair are made again from the seed, too
    engine: the version of the engine that paired it; empty if no engine did
    seed: the seed of its random choices; empty if there is none
    seed_follows: whether the seed follows from the event's secret
    cost_fits: whether the recorded cost is the cost of the tables
    edits: edits by hand and repairs after the pairing
    findings: contradictions, what cannot be verified, and a note if the round was repaired
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


class BeaconRow(Struct, frozen=True):
    """The public value that the seeds depend on.

    source: where it is published, as the organizer announced it
    value: the value; null if it has not been entered yet
    entry: the number of the journal entry with the value; null if it has not been entered yet
    """

    source: str
    value: str | None
    entry: int | None


class Verification(Document, frozen=True, tag="tourney.verify/1"):
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


def verify(event: OpenEvent, number: int | None = None) -> Verification:
    """Check the secret, the texts, the cut, each round, and the draws for deck checks.

    Each pairing and each repair is made again from its seed. The current tables of each round are checked:
    whether they are legal, and whether the pairing is optimal.

    number: the only round to check, with its draws; texts and the cut are then not checked. None: check all
    """
    evidence, state = event.evidence(), event.state
    texts: list[Finding] = []
    cut: list[Finding] = []
    if number is None:
        with _as_finding(texts, "text"):
            texts += _check_texts(event.journal, event.entries, from_backup=False)
        cut += _check_cut(evidence)
    checked_rounds = tuple(
        _verify_round(event, evidence, round_) for round_ in state.rounds if number in {None, round_.number}
    )
    return Verification(
        entry=state.entry,
        digest=state.digest,
        secret_sha256=state.secret_digest,
        secret=_answer(evidence.seal.findings),
        beacon=_beacon(state),
        rounds=checked_rounds,
        audit_draws=sum(number in {None, draw.round} for draw in state.draws),
        findings=(
            *evidence.seal.findings,
            *texts,
            *(finding for round_ in checked_rounds for finding in round_.findings),
            *cut,
            *check_draws(evidence, number),
            *unproved_imports(state, number),
            *draws_after_reveal(evidence, number),
            *_changes_after_beacon(event),
        ),
    )


def _beacon(state: State) -> BeaconRow | None:
    source, beacon = state.settings.pairing.beacon, state.beacon
    if not source:
        return None
    return BeaconRow(source, beacon.value, beacon.entered.entry) if beacon else BeaconRow(source, None, None)


def _answer(findings: Iterable[Finding]) -> bool | None:
    """Return True for no findings, False if one is an error, None for findings without an error."""
    severities = {finding.severity for finding in findings}
    return False if Severity.ERROR in severities else None if severities else True


def _verify_round(event: OpenEvent, evidence: Evidence, round_: Round) -> VerifiedRound:
    entries = tables_entries(evidence, round_.number)
    seeds, costs, tables = (
        tuple(finding for entry in entries for finding in check(evidence, entry))
        for check in (check_seed, check_cost, _check_tables)
    )
    by_hand = any(not edit.op.engine for edit in entries[1:])
    legal, optimal, judge_findings = _legal_and_optimal(event, evidence, round_)
    return VerifiedRound(
        round=round_.number,
        title=round_.title,
        entry=round_.paired.entry,
        system=round_.system,
        legal=legal,
        optimal=optimal,
        same=_answer(tables) and not by_hand if round_.system != "manual" else None,
        engine=round_.engine,
        seed=round_.seed,
        seed_follows=_answer(seeds) if round_.seed and evidence.seal.secret is not None else None,
        cost_fits=_answer(costs) if any(entry.op.proof.cost for entry in entries) else None,
        edits=round_.edits,
        findings=(*seeds, *costs, *tables, *judge_findings),
    )


def _legal_and_optimal(
    event: OpenEvent, evidence: Evidence, round_: Round
) -> tuple[bool | None, bool | None, tuple[Finding, ...]]:
    """Return whether a round is legal, whether it is optimal, and findings.

    If an error prevents the decision, both values are None, and a finding has the error. If the round was
    repaired, a finding says how good its tables are.
    """
    is_unchanged = round_.origin == "engine" and round_.stage == "swiss"
    try:
        pairing = evidence.pair_again(round_.paired.entry).pairing if is_unchanged else None
        judgment = judge(event, round_.number, pairing=pairing)
    except TourneyError as fault:
        place = tables_entries(evidence, round_.number)[0].place
        message = f"{place}, legal and optimal: {fault.message}"
        return None, None, (doubt("legal", message, fault.hint),)
    if event.state.is_imported(round_.paired):
        # The other program's rules are unknown. So are the players who came late.
        return judgment.legal or None, None, ()
    return judgment.legal, judgment.optimal, tuple(_repair_findings(evidence, round_, judgment))


def _repair_findings(evidence: Evidence, round_: Round, judgment: Judgment) -> Iterator[Finding]:
    """Yield a finding about the repair that made the tables, and one about earlier repairs."""
    earlier = [*changes_of(evidence, round_).get("repair", ())]
    if round_.origin == "repair":
        earlier.pop()
        yield advice("repaired", repair_text(round_, round_.edits[-1], judgment))
    if earlier:
        message = f"{round_.title} was repaired ({listed(earlier)}), and its tables were changed again later"
        yield advice("repaired", message)


_PLAY = (
    ops.RoundPaired,
    ops.RoundEdited,
    ops.RoundCancelled,
    ops.ResultReported,
    ops.ResultChanged,
    ops.CutMade,
)
"""Entries that record play.

All other facts that a pairing depends on should be entered before the public value for seeds is known.
"""


def _changes_after_beacon(event: OpenEvent) -> Iterator[Finding]:
    """Yield a finding for each change of the players after the public value was entered.

    The public value (see the setting `beacon`) is a part of every seed. Registrations, changes of a player
    and undos count as changes. Also yields a finding if the public value is entered again or undone, and for
    each change of the setting, at any time.
    """
    log, is_out = event.log(), False
    for entry in event.entries:
        op = root(event.entries, entry).op
        makes_field = FIELD in footprint(op).makes and not isinstance(op, _PLAY)
        is_beacon = isinstance(op, ops.BeaconEntered)
        is_source = isinstance(op, ops.EventChanged) and "beacon" in op.settings
        if is_source or (is_out and (is_beacon or makes_field)):
            line = log[entry.seq - 1]
            after = " was made after the public value" if is_out else ""
            yield advice("beacon", f"entry {entry.seq}{after}: {line.text} ({line.minute} by {line.by})")
        is_out = is_out or is_beacon


# -- tables paired again


def _check_tables(evidence: Evidence, tables_entry: TablesEntry) -> Iterator[Finding]:
    """Pair an entry's round again from the recorded seed, and yield the differences."""
    number, op, place = tables_entry
    if not op.engine and (isinstance(op, ops.RoundEdited) or op.system == "manual"):
        return
    try:
        new_op = (
            evidence.pair_again(number).op
            if isinstance(op, ops.RoundPaired)
            else _repair(evidence, tables_entry)
        )
    except TourneyError as fault:
        yield doubt("tables", f"{place}, the tables: {fault.message}", fault.hint)
        return
    if new_op is None:
        yield error("tables", f"{place}: there was nothing to repair")
        return
    difference = _difference(op, new_op)
    if not same_engine(op.engine, new_op.engine):  # another version may make other tables
        engine_text = f"signed by {op.engine}" if op.engine else "not signed by any engine"
        message = (
            f"it is {engine_text}, but {new_op.engine} makes {difference or 'the same tables'} from its seed"
        )
        yield doubt("tables", f"{place}: {message}", "verify the round with the version that paired it")
    elif difference:
        yield error("tables", f"{place}: {new_op.engine} makes {difference} from this seed")


def _repair(evidence: Evidence, tables_entry: TablesEntry) -> ops.RoundEdited | None:
    """Return the repair that the engine makes now; None if it would repair nothing."""
    before = evidence.at(tables_entry.number - 1)
    round_ = before.rounds[tables_entry.op.round - 1]
    seed = round_.seed or evidence.seed(before, round_.number)
    if seed is None:
        raise TourneyError(f"a round that was paired by hand has no seed, and {NO_SECRET}")
    earlier_evidence = structs.replace(
        evidence, entries=evidence.entries[: tables_entry.number - 1], state=before
    )
    ask = evidence.ask(before, round_.number, seed)
    repair = rounds.repair(
        EventChange(before), ask, corrected_points=basis_of(earlier_evidence, round_).corrected_points
    ).op
    assert repair is None or isinstance(repair, ops.RoundEdited), "a repair is an edit"
    return repair


def _difference(op: ops.Op, new_op: ops.Op) -> str:
    """Return the first difference between two pairings of a round; empty if there is none."""
    for name in ("tables", "byes", "round", "system", "stage", "labels", "removed", "seed", "proof"):
        old_value, new_value = getattr(op, name, ()), getattr(new_op, name, ())
        if old_value == new_value:
            continue
        if isinstance(old_value, ops.Proof) and isinstance(new_value, ops.Proof):
            if old_value.cost != new_value.cost:
                return "another cost"
            return (
                "another lower bound"
                if old_value.bound != new_value.bound
                else f"another proof, `{new_value.text}`,"
            )
        if name != "tables":
            return "other byes" if name == "byes" else f"another {name}"
        new_tables, old_tables = (
            {table.number: table.seats for table in tables} for tables in (new_value, old_value)
        )
        numbers = [
            number
            for number in new_tables.keys() | old_tables.keys()
            if new_tables.get(number) != old_tables.get(number)
        ]
        return f"other tables ({tables_text(numbers)})"
    return ""


# -- the cut


def _check_cut(evidence: Evidence) -> Iterator[Finding]:
    """Compare the seeds of the cut with the standings or ratings from which it was made."""
    cut = cut_entry(evidence)
    if cut is None:
        return
    entry, op = cut
    place = f"The cut (entry {entry})"
    try:
        orders = _possible_seeds(evidence, evidence.at(entry - 1), op)
    except TourneyError as fault:
        yield doubt("cut", f"{place}: {fault.message}", fault.hint)
        return
    if op.players in orders:
        return
    name = evidence.state.name_of
    ways = dict.fromkeys(listed(map(name, order)) for order in orders)
    message = f"the standings of that moment give {' or '.join(ways) or 'no cut of this size'}"
    source = evidence.state.imported
    if source is not None and source.first <= entry <= source.last:
        # The other program's ranking is unknown.
        yield doubt("cut", f"{place}, imported: {message}")
    else:
        yield error("cut", f"{place}: {message}")


def _possible_seeds(evidence: Evidence, before: State, op: ops.CutMade) -> list[tuple[PlayerId, ...]]:
    """Return the orders of seeds that are possible for a cut.

    Tied players are ordered by the standings profile or by lot. For an imported cut, both ways are
    tried, because it is unknown which one was used.

    Raises TourneyError if the order cannot be determined.
    """
    if not before.rounds and before.settings.pairing.system == "elimination":
        if before.settings.cut.seeding == "hand":
            return [op.players]
        seed = evidence.seed(before, 1)
        if seed is None and before.settings.cut.seeding != "registration":
            raise TourneyError(f"equal players are seeded at random, and {NO_SECRET}")
        first = propose(evidence.ask(before, 1, seed or "")).first
        return [first.players] if first else []
    profile, lot = evidence.profile(before), lot_of(before, evidence.seal.secret)
    profile_order, lot_order = tuple(profile.order), (*(code for code in profile.order if code != LOT), LOT)
    # If no lot could be drawn, none separated the players.
    no_lot = not lot and not before.waits_for_beacon
    orders = {
        None: dict.fromkeys((profile_order, lot_order)),
        False: [profile_order],
        True: [profile_order if LOT in profile_order else lot_order],
    }[op.lot]
    seeds = []
    for order in orders:
        if LOT in order and no_lot:
            continue
        ranking = standings(before, with_order(profile, order), lot)
        with suppress(TourneyError):  # a tie across the line is not a cut; another order may give one
            cut_op = brackets.cut(
                EventChange(before),
                ranking,
                len(op.players),
                kind=op.kind,
                reseed=op.reseed,
                third_place=op.third_place,
                vacancy=op.vacancy,
                lot=True,
                seats=op.seats,
                advance=op.advance,
            ).op
            seeds += [cut_op.players] if isinstance(cut_op, ops.CutMade) else []
    if op.players not in seeds and no_lot and any(LOT in order for order in orders):
        raise TourneyError(f"ties may be broken by lot, and {NO_SECRET}")
    return seeds


# -- the whole file: database pages, texts, rules


class EventCheck(Document, frozen=True, tag="tourney.event-check/1"):
    """What `tourney event check --json` prints.

    entry: the number of the last entry in the journal; null if an entry cannot be read
    digest: the digest of the journal up to that entry, a SHA-256; null if an entry cannot be read
    findings: damage, contradictions, and what cannot be verified
    """

    entry: int | None
    digest: str | None
    findings: tuple[Finding, ...]


def check(event: OpenEvent) -> tuple[Finding, ...]:
    """Check the whole file.

    The checks cover database pages, texts, rules, secret, seeds, recorded costs, and all views.

    The chain of digests was checked when the event was opened. The result is empty if there is no fault. A
    finding is `unverified` if this copy cannot decide it.
    """
    findings = _check_pages(event.journal)
    with _as_finding(findings, "text"):
        findings += list(_check_texts(event.journal, event.entries))
    undone_entries = undos_by_entry(event.entries)
    rules_entry = max(
        entry.seq
        for entry in event.entries
        if isinstance(entry.op, (ops.EventCreated, ops.EventRebased)) and entry.seq not in undone_entries
    )
    for name in ("format", "banlist", "profile"):
        with _as_finding(findings, "rules", f"entry {rules_entry}: "):
            getattr(event.rules, name)
    findings += check_seals(event.evidence())
    if any(finding.rule == "rules" for finding in findings):
        return tuple(findings)  # without rules, nothing can be shown
    with _as_finding(findings, "shown"):
        if (last := _show_every_state(event)) < event.state.entry:
            message = f"the event is too large to check all its earlier states; checked up to entry {last}"
            findings.append(doubt("entry", message))
    with _as_finding(findings, "shown"):
        _show(event)
    with _as_finding(findings, "rules"):
        # If two registered lists declare the same card differently, one is wrong, but no rule says which.
        findings += list(contradictions(event))
    return tuple(findings)


def refuse_unsound(event: OpenEvent) -> None:
    """Raise a TourneyError that names the first entry after which the event cannot be shown.

    Rules that cannot be read are accepted: such an event can be shown, and `event rebase` replaces its rules.
    """
    _show_every_state(event, without_rules=True)


def examine_unread(place: EventPlace, fault: EntryError) -> list[Finding]:
    """Return the faults of an event whose entries cannot be read to the end."""
    with closing(place.open()) as journal:
        return [*_check_pages(journal), error("entry", fault.message, fault.hint or ALTERED)]


@contextmanager
def _as_finding(findings: list[Finding], rule: str, place: str = "") -> Iterator[None]:
    """Turn a TourneyError from the `with` block, caused by damage to the file, into a finding."""
    try:
        yield
    except TourneyError as fault:
        rule = "entry" if isinstance(fault, MisfitError) else rule
        findings.append(error(rule, f"{place}{fault.message}", fault.hint or ALTERED))


def _check_pages(journal: Journal) -> list[Finding]:
    findings: list[Finding] = []
    with _as_finding(findings, "file"):
        findings += [error("file", damage, ALTERED) for damage in journal.damage()]
    return findings


def _check_texts(
    journal: Journal, entries: Sequence[Entry], *, from_backup: bool = True
) -> Iterator[Finding]:
    """Yield texts that are missing or altered.

    from_backup: whether to accept a deleted text if only the file's header lists it as deleted. This is
                 normal in a backup: erasing a person also deletes the texts from older backups, but adds no
                 entry there. The header proves nothing, because anyone with the file can write it
    """
    uses = text_descriptions(entries)
    missing_refs, deletions, noted_refs = set(uses), erased_refs(entries), journal.erased()
    for ref, salt, content in journal.texts():
        name = uses[ref].title if ref in uses else "a text of no entry"
        missing_refs.discard(ref)
        if content is None and salt is None:
            if ref not in deletions and not (from_backup and ref in noted_refs):
                hint = (
                    "this is expected in a backup from before the deletion" if ref in noted_refs else ALTERED
                )
                yield error("text", f"{name} was deleted, but no entry records that", hint)
        elif ref in deletions:
            message = f"{name} was deleted by request, but it is still there"
            yield error("erased", message, f"`tourney player blank '#{deletions[ref]}'` deletes it")
        elif not is_intact(ref, salt, content):
            yield error("text", f"{name} was changed after it was written", ALTERED)
    for ref in uses:
        if ref in missing_refs:
            yield error("text", f"{uses[ref].title} is missing ({ref[:12]}…)", ALTERED)


# -- the whole history, folded and shown after each entry


MOST_WORK = 20_000_000
"""The limit for the work of checking all states.

Each player and each table of a state counts as 1, each folded entry as 10. An event of 1,000 players and 15
rounds needs half of the limit. Undoing an early entry folds all later entries again.
"""


def _show_every_state(event: OpenEvent, *, without_rules: bool = False) -> int:
    """Fold the event entry by entry, show each state, and return the last shown entry.

    Raises TourneyError for the first entry after which the event cannot be folded or shown. It is a fault
    even if later entries repair it. Users can request the event as of that entry (`--at`), and an undo or a
    redo can lead back to its state. An event that is too large is not checked to the end.

    without_rules: if the rules cannot be read, check everything else
    """
    history, shown_state, work = History(event.texts), State(), 0
    profile: Callable[[], Profile] | None = None
    for entry in event.entries:
        if work + 10 * history.folded > MOST_WORK:
            break
        try:
            history.add(entry)
            state = history.state()
            if shown_state.entry == 0 or not state.has_rules_of(shown_state):
                profile = _profile_of(event, state, without_rules=without_rules)
            next_steps(state)
            show_what_changed(state, shown_state)
            show_tables(state, shown_state, profile)
        except MisfitError:
            raise
        except TourneyError as fault:
            message = f"the event cannot be shown as of entry {entry.seq}: {fault.message}"
            raise TourneyError(message, fault.hint or ALTERED) from None
        work += len(state.players) + (len(state.rounds[-1].tables) if state.rounds else 0)
        shown_state = state
    return shown_state.entry


def _profile_of(event: OpenEvent, state: State, *, without_rules: bool) -> Callable[[], Profile] | None:
    """Return a function that reads the event's standings profile as of `state`.

    without_rules: if the profile cannot be read, return None instead of a function that raises TourneyError
    """
    rules = KeptRules(state, event.journal.text)
    if without_rules:
        try:
            rules.profile  # noqa: B018 - read for its errors
        except TourneyError:
            return None
    return lambda: rules.profile


def _show(event: OpenEvent) -> None:
    """Show the event's log, rounds with points, and standings. Raises TourneyError if it cannot."""
    state = event.state
    event.log()
    points = points_after(state, event.rules.profile)
    for round_ in state.rounds:
        round_view(state, round_, points)
    event.standings(lots_needed=False)
