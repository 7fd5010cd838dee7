"""Holding an event against its own word: the secret against its hash, seeds against the secret, costs against the tables.

An entry says what somebody wrote; here it is asked whether it can be true. Three severities: an error is a
contradiction, `unverified` is what this copy or this version cannot settle, advice is what a reader should know. None
of it needs the good will of whoever holds the file: the hash of the secret stands in entry 1, costs follow from the
tables, and tables follow from the seed wherever the engine that signed them is the one that is asked.

`verify` asks of every round, `check` of the whole file: pages, chain, texts, rules, and what is deleted that nobody asked to
delete; `refuse_unsound` of an event that is made from another's file.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from tourney.desk.evidence import Evidence, Seal, judge, since
from tourney.desk.open_event import next_steps
from tourney.desk.rules import KeptRules
from tourney.errors import Finding, Severity, TourneyError
from tourney.event import brackets, deck_checks, ops, rounds
from tourney.event.entry import ALTERED, Entry, EntryError, Sealing, described, erased, intact
from tourney.event.event_document import show_what_changed
from tourney.event.field import NO_SECRET, audit_seed, field_of, lot_of, options_of, standings
from tourney.event.fold import History, MisfitError, footprint, root, taken_back
from tourney.event.kind import FIELD
from tourney.event.ops import Proof
from tourney.event.phrases import names_of, tables_text
from tourney.event.showing import points_after, round_view, show_tables
from tourney.event.state import Cut, Round, State
from tourney.event.systems import propose, system_called
from tourney.event.titles import cut_title, round_title
from tourney.pairing import Cost, Mode, same_engine
from tourney.record import Outcome, PlayerId, Table
from tourney.standings import with_order
from tourney.standings.profile import LOT
from tourney.store.journal import EventPlace, Journal
from tourney.wording import listed

if TYPE_CHECKING:
    from tourney.desk.desk import Desk
    from tourney.standings import Profile


Paired = ops.RoundPaired | ops.RoundEdited


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What can be said of an event.

    seal:   the secret; rounds: each by itself; cut: its seeds
    draws:  of the decks to be checked; drawn: how many such draws were looked at
    texts:  names, decks and rules that are missing or altered although no entry says that they were deleted
    notes:  what was drawn once the secret, or entered once the public value could be known
    """

    seal: Seal
    texts: tuple[Finding, ...]
    rounds: tuple[Verified, ...]
    cut: tuple[Finding, ...]
    draws: tuple[Finding, ...]
    drawn: int
    notes: tuple[Finding, ...]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All that was found."""
        rounds = (finding for each in self.rounds for finding in each.findings)
        return (*self.seal.findings, *self.texts, *rounds, *self.cut, *self.draws, *self.notes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """What can be said of one round. Each answer is None where it cannot be settled, or where there is nothing to ask.

    seed:    whether the recorded seed is the one that follows from the event's secret
    cost:    whether the recorded cost is that of the recorded tables
    legal:   every player seated once, nobody forbidden, nothing avoidable
    optimal: no round would have been better
    same:    the tables are those that the engines that signed them make from the recorded seed, and nobody edited them
    findings: all that contradicts the entries, or cannot be settled, with round and entry
    """

    round: Round
    seed: bool | None = None
    cost: bool | None = None
    legal: bool | None = None
    optimal: bool | None = None
    same: bool | None = None
    findings: tuple[Finding, ...] = ()


def seals(evidence: Evidence) -> Iterator[Finding]:
    """Yield what contradicts the secret, the seeds and the recorded costs, or cannot be settled. Pairs nothing anew."""
    yield from evidence.seal.findings
    for entry in _paired(evidence):
        yield from _seed_findings(evidence, entry)
        yield from _cost_findings(evidence, entry)
    for entry in _audit_draws(evidence):
        yield from _draw_findings(evidence, entry)


def verify(desk: Desk, number: int | None = None) -> Verification:
    """Return what can be said of the secret, the texts and each round (of round `number` alone where one is named).

    Each entry that paired or repaired a round is made anew from its seed; the tables as they stand are judged.
    """
    evidence = desk.evidence()
    rounds = [each for each in desk.state.rounds if number in {None, each.number}]
    verified = tuple(_verified(desk, evidence, each) for each in rounds)
    cut = tuple(_cut_findings(evidence)) if number is None else ()
    notes = (
        *imported(desk.state, number),
        *foreseeable(evidence, number),
        *_after_beacon(desk, evidence.entries),
    )
    drawn = [each for each in _audit_draws(evidence) if number in {None, each.op.round}]  # type: ignore[attr-defined]
    return Verification(
        seal=evidence.seal,
        texts=tuple(_told("text", lambda: list(_texts(desk.journal, desk.entries, from_backup=False))))
        if number is None
        else (),
        rounds=verified,
        cut=cut,
        draws=tuple(finding for each in drawn for finding in _draw_findings(evidence, each)),
        drawn=len(drawn),
        notes=notes,
    )


def imported(state: State, number: int | None = None) -> Iterator[Finding]:
    """Say which rounds were taken from another program's file: what it claims of them nobody can prove."""
    source = state.imported
    if source is None:
        return
    rounds = [
        each for each in state.rounds if state.is_imported(each.paired) and number in {None, each.number}
    ]
    if not rounds and number is not None:
        return
    titles = [each.title for each in rounds]
    what = f"{titles[0]} to {titles[-1]}" if len(titles) > 1 else "".join(titles) or "the players"
    message = f"{what}: imported, not proved (entry {source.first - 1}, {source.form}, SHA-256 {source.file})"
    yield _unsettled("imported", message, "the file with this SHA-256 is all there is to hold them against")


_PLAY = (
    ops.RoundPaired,
    ops.RoundEdited,
    ops.RoundCancelled,
    ops.ResultReported,
    ops.ResultChanged,
    ops.CutMade,
)
"""What goes on once rounds are played: everything else that pairing is made from should stand before the value is out."""


def _after_beacon(desk: Desk, entries: Sequence[Entry]) -> Iterator[Finding]:
    """Name who was registered and what else was changed, or taken back, once the public value could be known."""
    log, out = desk.log(), False
    for entry in entries:
        op = root(entries, entry).op
        source = isinstance(op, ops.EventChanged) and "beacon" in op.settings
        if source or (out and (isinstance(op, ops.BeaconEntered) or _makes_the_field(op))):
            line = log[entry.seq - 1]
            when = f"{line.at[:16].replace('T', ' ')} by {line.by}"
            after = ", after the public value" if out else ""
            yield _finding(Severity.ADVICE, "beacon", f"entry {entry.seq}{after}: {line.text} ({when})")
        out = out or isinstance(op, ops.BeaconEntered)


def _makes_the_field(op: ops.Op) -> bool:
    return FIELD in footprint(op).makes and not isinstance(op, _PLAY)


def _verified(desk: Desk, evidence: Evidence, round_: Round) -> Verified:
    own = {round_.paired.entry, *(edit.entry for edit in round_.edits)}
    entries = [evidence.entries[number - 1] for number in sorted(own)]
    seeds = [finding for each in entries for finding in _seed_findings(evidence, each)]
    costs = [finding for each in entries for finding in _cost_findings(evidence, each)]
    tables = [finding for each in entries for finding in _table_findings(evidence, each)]
    first = entries[0].op
    by_hand = any(not each.op.engine for each in entries[1:])  # type: ignore[attr-defined]
    assert isinstance(first, ops.RoundPaired), "a round begins with its pairing"
    legal = optimal = None
    open_still: list[Finding] = []
    try:
        legal, optimal = _judged(desk, evidence, round_)
    except TourneyError as fault:
        place = _place(evidence, entries[0])
        open_still = [_unsettled("legal", f"{place}, legal and optimal: {fault.message}", fault.hint)]
    if desk.state.is_imported(round_.paired):
        # by whose lights it was paired, and who came late, is not known
        legal, optimal = legal or None, None
    return Verified(
        round=round_,
        seed=_answer(seeds) if first.seed and evidence.seal.secret is not None else None,
        cost=_answer(costs) if any(each.op.proof.cost for each in entries) else None,  # type: ignore[attr-defined]
        legal=legal,
        optimal=optimal,
        same=_answer(tables) and not by_hand if _by_engine(first) else None,
        findings=(*seeds, *costs, *tables, *open_still),
    )


def _judged(desk: Desk, evidence: Evidence, round_: Round) -> tuple[bool | None, bool | None]:
    """Return whether the tables as they stand are legal, and whether none would be better; None where nobody can say."""
    entry = evidence.entries[round_.paired.entry - 1]
    again = not round_.edits and round_.system != "manual" and round_.stage == "swiss"
    judged = judge(desk, round_.number, made=evidence.made_anew(entry).made if again else None)
    return judged.legal, judged.optimal


def _answer(findings: Sequence[Finding]) -> bool | None:
    severities = {each.severity for each in findings}
    return False if Severity.ERROR in severities else None if severities else True


def _paired(evidence: Evidence) -> list[Entry]:
    """Return the entries that made the rounds of the event as it stands."""
    own = {round_.paired.entry for round_ in evidence.state.rounds}
    own |= {edit.entry for round_ in evidence.state.rounds for edit in round_.edits}
    return [evidence.entries[number - 1] for number in sorted(own)]


def _finding(severity: Severity, rule: str, message: str, hint: str | None = None) -> Finding:
    return Finding(rule=rule, severity=severity, message=message, hint=hint)


def _error(rule: str, message: str) -> Finding:
    return _finding(Severity.ERROR, rule, message)


def _unsettled(rule: str, message: str, hint: str | None = None) -> Finding:
    return _finding(Severity.UNVERIFIED, rule, message, hint)


# -- what was drawn though the secret was public


def foreseeable(evidence: Evidence, number: int | None = None) -> Iterator[Finding]:
    """Name what was drawn after the secret of a sealed event was public: whoever looked knew the dice before.

    An event that was closed and reopened, or whose closing was taken back, keeps the secret that everybody has. number:
    ask only about that round
    """
    opened = [
        each.seq
        for each in evidence.entries
        if isinstance(each.op, ops.EventClosed) and each.op.secret is not None
    ]
    if not evidence.state.sealed or not opened:
        return
    for entry in _paired(evidence):
        op = entry.op
        assert isinstance(op, Paired), "only these make tables"
        seeded = op.stage != "cut" and op.seed if isinstance(op, ops.RoundPaired) else op.engine
        if entry.seq > opened[0] and seeded and number in {None, op.round}:
            done = "paired" if isinstance(op, ops.RoundPaired) else "made"
            yield _foreseen(f"{_place(evidence, entry)} was {done}", opened[0], "seed")
    for entry in _standing_cut(evidence) if number is None else ():
        by_dice = evidence.state.settings.pairing.system == "elimination"
        if entry.seq > opened[0] and (by_dice or getattr(entry.op, "lot", None)):
            yield _foreseen(f"The cut (entry {entry.seq}) was drawn", opened[0], "lot")


def _foreseen(what_was_drawn: str, opened: int, what: str) -> Finding:
    message = (
        f"{what_was_drawn} after the secret was public (entry {opened}): its {what} could be known beforehand"
    )
    return _finding(Severity.ADVICE, "secret", message)


# -- seeds


def _by_engine(op: ops.RoundPaired) -> bool:
    return op.system != "manual"


def _seed_findings(evidence: Evidence, entry: Entry) -> Iterator[Finding]:
    op = entry.op
    if not isinstance(op, ops.RoundPaired) or op.stage == "cut":
        return  # a bracket's tables follow from its players, a repair takes the round's own seed
    if not op.seed:
        if _by_engine(op):
            yield _error("seed", f"{_place(evidence, entry)}: no seed is recorded")
        return
    before = evidence.at(entry.seq - 1)
    if before.waits_for_beacon:
        message = f"it was drawn before the public value ({before.settings.pairing.beacon}) was entered"
        yield _error("seed", f"{_place(evidence, entry)}: {message}")
        return
    seed = evidence.seed(before, op.round)
    if seed not in {None, op.seed}:
        value = " and the public value" if before.beacon else ""
        message = f"the recorded seed does not follow from the event's secret{value}: it should be {seed}"
        yield _error("seed", f"{_place(evidence, entry)}: {message}")


def _place(evidence: Evidence, entry: Entry) -> str:
    """Name a round and its entry: `Round 2 (entry 9)`."""
    op = entry.op
    if isinstance(op, ops.RoundPaired):
        title = cut_title(op.labels) if op.labels else round_title(op.round)
        return f"{title} (entry {entry.seq})"
    assert isinstance(op, ops.RoundEdited), "only these make tables"
    return f"{evidence.state.rounds[op.round - 1].title} ({'repair' if op.engine else 'edit'}, entry {entry.seq})"


# -- decks drawn to be checked


def _audit_draws(evidence: Evidence) -> list[Entry]:
    own = {each.entry for each in evidence.state.draws}
    return [evidence.entries[number - 1] for number in sorted(own)]


def _draw_findings(evidence: Evidence, entry: Entry) -> Iterator[Finding]:
    """Draw the decks of an entry again, from the event as it was then and the recorded seed; hold the seed to the secret."""
    op = entry.op
    assert isinstance(op, ops.AuditDrawn), "only these draw decks"
    place, before = f"Deck checks of round {op.round} (entry {entry.seq})", evidence.at(entry.seq - 1)
    secret = evidence.seal.secret
    if secret is not None:
        public = before.beacon.value if before.beacon else None
        seed = audit_seed(secret, op.round, deck_checks.count_draws(before), public)
        if seed != op.seed:
            yield _error("draw", f"{place}: the recorded seed does not follow from the event's secret")
    if op.method != deck_checks.DRAW_METHOD:
        message = f"{place}: drawn by `{op.method}`, and this version draws by `{deck_checks.DRAW_METHOD}`"
        yield _unsettled("draw", message, "verify it with the version that drew it")
        return
    if op.round != len(before.rounds):
        yield _error("draw", f"{place}: it was not the current round")
        return
    again = deck_checks.draw_tables(before, before.rounds[op.round - 1], op.seed, len(op.tables))
    if again != (op.tables, op.players):
        yield _error("draw", f"{place}: this seed draws {_drawn_words(evidence.state, again)}")


def _drawn_words(state: State, drawn: deck_checks.TableDraw) -> str:
    tables = f"{'table' if len(drawn.tables) == 1 else 'tables'} {listed(drawn.tables)}"
    return f"{tables} ({listed(map(names_of(state), drawn.players))})" if drawn.tables else "nobody"


# -- the cut


def _cut_findings(evidence: Evidence) -> Iterator[Finding]:
    """Hold the seeds of the cut against the standings, or the ratings, that it was made from."""
    for entry in _standing_cut(evidence):
        op = entry.op
        assert isinstance(op, ops.CutMade), "just picked"
        try:
            orders = _cuts(evidence, evidence.at(entry.seq - 1), op)
        except TourneyError as fault:
            yield _unsettled("cut", f"The cut (entry {entry.seq}): {fault.message}", fault.hint)
            continue
        if op.players in orders:
            continue
        name = names_of(evidence.state)
        ways = dict.fromkeys(listed(map(name, each)) for each in orders)
        message = f"the standings of that moment give {' or '.join(ways) or 'no cut of this size'}"
        source = evidence.state.imported
        if source is not None and source.first <= entry.seq <= source.last:
            # how the other program ranked is not known
            yield _unsettled("cut", f"The cut (entry {entry.seq}), imported: {message}")
        else:
            yield _error("cut", f"The cut (entry {entry.seq}): {message}")


def _standing_cut(evidence: Evidence) -> list[Entry]:
    gone = taken_back(evidence.entries)
    made = [each for each in evidence.entries if isinstance(each.op, ops.CutMade) and each.seq not in gone]
    return made[-1:] if evidence.state.cut is not None else []


def _cuts(evidence: Evidence, before: State, op: ops.CutMade) -> list[tuple[PlayerId, ...]]:
    """Return what the seeds may be: as the profile ranks, or with a lot between equals where the entry says so.

    An imported cut may be either. Raises TourneyError where it is open.
    """
    if not before.rounds and before.settings.pairing.system == "elimination":
        if before.settings.cut.seeding == "hand":
            return [op.players]
        seed = evidence.seed(before, 1)
        if seed is None and before.settings.cut.seeding == "registration":
            seed = ""
        if seed is None:
            raise TourneyError(f"equals are seeded by the dice, and {NO_SECRET}")
        first = propose(evidence.ask(before, 1, seed)).first
        return [first.players] if first else []
    profile, lot = evidence.profile(before), lot_of(before, evidence.seal.secret)
    own, drawn = tuple(profile.order), (*(code for code in profile.order if code != LOT), LOT)
    beyond_reach = not lot and not before.waits_for_beacon  # a lot that nobody could draw then parted nobody
    orders = {None: dict.fromkeys((own, drawn)), False: [own], True: [own if LOT in own else drawn]}[op.lot]
    cuts = []
    how = Cut.by(op)
    for order in orders:
        if LOT in order and beyond_reach:
            continue
        ranked = standings(before, with_order(profile, order), lot)
        with suppress(TourneyError):  # a tie across the line without a lot is no cut, another way may be one
            made = brackets.cut(
                before,
                ranked,
                len(op.players),
                kind=how.kind,
                reseed=how.reseed,
                third_place=how.third_place,
                vacancy=how.vacancy,
                lot=True,
                seats=how.seats,
                advance=how.advance,
            ).op
            cuts += [made.players] if isinstance(made, type(op)) else []
    if op.players not in cuts and beyond_reach and any(LOT in order for order in orders):
        raise TourneyError(f"equals may be parted by lot, and {NO_SECRET}")
    return cuts


# -- costs


def _cost_findings(evidence: Evidence, entry: Entry) -> Iterator[Finding]:
    op = entry.op
    assert isinstance(op, Paired), "only these make tables"
    place = _place(evidence, entry)
    if not op.engine:
        if op.proof != Proof():
            yield _error(
                "cost", f"{place}: a cost or a proof is recorded, but no engine that could have made it"
            )
        return
    try:
        cost = _cost(evidence, entry)
    except TourneyError as fault:
        yield _unsettled("cost", f"{place}, the recorded cost: {fault.message}", fault.hint)
        return
    levels = cost.as_dict()
    weighed = isinstance(op, ops.RoundEdited) or (op.stage != "cut" and system_called(op.system).weighs)
    if weighed and not op.proof.cost:
        yield _error("cost", f"{place}: no cost is recorded, and {op.engine} records one")
    recorded = dict(zip(levels, op.proof.cost, strict=False))
    wrong = [level for level, cost in recorded.items() if cost != levels[level]]
    if wrong:
        differences = listed(
            f"{_words(level)} {recorded[level]}, and the tables make {levels[level]}" for level in wrong
        )
        yield _error("cost", f"{place}: the recorded cost is not that of its tables: {differences}")
    if op.proof.cost and len(op.proof.cost) != len(levels):
        yield _error(
            "cost", f"{place}: the recorded cost has {len(op.proof.cost)} levels, there are {len(levels)}"
        )


def _words(level: str) -> str:
    return level.replace("_", " ")


def _cost(evidence: Evidence, entry: Entry) -> Cost:
    """Return what the tables of an entry cost, by the field as it was; systems that weigh nothing cost nothing."""
    from tourney.pairing import price

    before, op = evidence.at(entry.seq - 1), entry.op
    if isinstance(op, ops.RoundEdited):
        field = rounds.field_to_repair(before, evidence.profile(before), before.rounds[op.round - 1])
        after = evidence.at(entry.seq).rounds[op.round - 1]
        byes = [player for player, outcome in after.byes.items() if outcome is Outcome.BYE]
        return price(field.entrants, options_of(before, op.round), tuple(after.tables.values()), byes)
    assert isinstance(op, ops.RoundPaired), "only these make tables"
    system = system_called(op.system)
    if op.stage == "cut" or not system.weighs:
        return Cost()
    options = options_of(before, op.round)
    field = field_of(before, evidence.profile(before), number=op.round, ranks=options.mode is Mode.RANK)
    tables = [Table(table.number, table.seats) for table in op.tables]
    byes = [each.player for each in op.byes if each.kind == "bye"]
    return system.price(before, field, options, tables, byes)


# -- tables


def _table_findings(evidence: Evidence, entry: Entry) -> Iterator[Finding]:
    """Make an entry's round anew, from the event as it was then and the recorded seed; tell what came out otherwise."""
    op, place = entry.op, _place(evidence, entry)
    assert isinstance(op, Paired), "only these make tables"
    if not op.engine and not (isinstance(op, ops.RoundPaired) and _by_engine(op)):
        return
    try:
        made = _made_anew(evidence, entry)
    except TourneyError as fault:
        yield _unsettled("tables", f"{place}, the tables: {fault.message}", fault.hint)
        return
    if made is None:
        yield _error("tables", f"{place}: nothing was to be repaired")
        return
    if op.byes != made.byes and _are_byes_of_bracket(evidence, entry):
        made = msgspec.structs.replace(made, byes=op.byes)
    differences = _differences(op, made)
    if not same_engine(op.engine, made.engine):  # what another version makes is not for this one to say
        signed = f"signed by {op.engine}" if op.engine else "not signed by any engine"
        message = f"it is {signed}, and {made.engine} makes {differences or 'the same'} from its seed"
        yield _unsettled("tables", f"{place}: {message}", "verify it with the version that paired it")
    elif differences:
        yield _error("tables", f"{place}: {made.engine} makes {differences} from this seed")


def _are_byes_of_bracket(evidence: Evidence, entry: Entry) -> bool:
    """Say whether who has no table is recorded as the bracket has it, or had it: who waits was recorded with a bye once."""
    from tourney.event.systems.elimination import are_byes

    op, before = entry.op, evidence.at(entry.seq - 1)
    if not isinstance(op, ops.RoundPaired) or op.stage != "cut" or before.cut is None:
        return False
    byes = [each.player for each in op.byes if each.kind == "bye"]
    in_order = list(op.byes) == sorted(op.byes, key=lambda each: each.player)
    return in_order and len(byes) == len(op.byes) and are_byes(brackets.bracket_of(before, before.cut), byes)


def _made_anew(evidence: Evidence, entry: Entry) -> Paired | None:
    if isinstance(entry.op, ops.RoundPaired):
        return evidence.made_anew(entry).op
    assert isinstance(entry.op, ops.RoundEdited), "only these make tables"
    before = evidence.at(entry.seq - 1)
    round_ = before.rounds[entry.op.round - 1]
    seed = round_.seed or evidence.seed(before, round_.number)
    if seed is None:
        raise TourneyError(f"a round by hand has no seed of its own, and {NO_SECRET}")
    then = dataclasses.replace(evidence, entries=evidence.entries[: entry.seq - 1], state=before)
    ask = evidence.ask(before, round_.number, seed)
    mended = rounds.repair(ask, None, Sealing(bytes), since(then, round_).moved).op
    assert mended is None or isinstance(mended, ops.RoundEdited), "a repair is an edit"
    return mended


def _differences(op: Paired, made: Paired) -> str:
    """Say in what two makings of a round differ; empty where they do not."""
    if op.tables != made.tables:
        ours, theirs = ({each.number: each.seats for each in tables} for tables in (op.tables, made.tables))
        other = [number for number in ours.keys() | theirs.keys() if ours.get(number) != theirs.get(number)]
        return f"other tables ({tables_text(other)})"
    if op.byes != made.byes:
        return "other byes"
    for what in ("round", "system", "stage", "labels", "removed", "seed"):
        if getattr(op, what, None) != getattr(made, what, None):
            return f"another {what}"
    if op.proof.cost != made.proof.cost:
        return "another cost"
    if op.proof.bound != made.proof.bound:
        return "another lower bound"
    if op.proof.text != made.proof.text:
        return f"another proof, `{made.proof.text}`,"
    return ""


# -- the whole file looked at


def check(desk: Desk) -> tuple[Finding, ...]:
    """Look at the whole file of an event whose chain was read already, as `Desk.check` has it."""
    findings = (*_file_findings(desk), *seals(desk.evidence()))
    if any(each.rule == "rules" for each in findings):
        return findings  # without them nothing can be shown
    # Where registered lists declare the same card differently, one of them is wrong, and no rule says which.
    declared = _told("rules", lambda: list(desk.contradictions()))
    return (*findings, *_replayed(desk), *_shown(desk), *declared)


def refuse_unsound(desk: Desk) -> None:
    """Raise TourneyError naming the first entry up to which the event cannot be folded or shown.

    Rules that cannot be read, and what hangs on them, are the business of `check`: such an event can be looked at, and
    `event rebase` gives it others.
    """
    for each in _replayed(desk, without_rules=True):
        if each.severity is Severity.ERROR:
            raise TourneyError(each.message, each.hint)


def examine_unread(place: EventPlace, fault: EntryError) -> Iterator[Finding]:
    """Yield what is wrong with an event whose entries end at one that is at fault."""
    with closing(place.open()) as journal:
        yield from _pages(journal)
    yield _fault("entry", fault.message, fault.hint or ALTERED)


# -- the whole file: database pages, texts, rules


def _file_findings(desk: Desk) -> Iterator[Finding]:
    yield from _pages(desk.journal)
    yield from _told("text", lambda: list(_texts(desk.journal, desk.entries)))
    for what in ("format", "banlist", "profile"):
        for fault in _told("rules", partial(_read, desk.rules, what)):
            yield replace(fault, message=f"entry {_based(desk.entries)}: {fault.message}")


def _pages(journal: Journal) -> Iterator[Finding]:
    yield from _told("file", lambda: [_fault("file", damage) for damage in journal.damage()])


def _texts(journal: Journal, entries: Sequence[Entry], *, from_backup: bool = True) -> Iterator[Finding]:
    """Yield texts that are missing or altered.

    from_backup: accept texts that the file notes as deleted, without an entry. Deleting a person's texts deletes them in
                 older backups, too, whose entries stay. The note proves nothing: anybody with the file can write it.
    """
    names = described(entries)
    missing, gone, noted = set(names), erased(entries), journal.erased()
    for ref, salt, content in journal.texts():
        what = names[ref].what if ref in names else "a text of no entry"
        missing.discard(ref)
        if content is None and salt is None:
            if ref not in gone and not (from_backup and ref in noted):
                hint = "this is expected in a backup from before the deletion" if ref in noted else ALTERED
                yield _fault("text", f"{what} was deleted, and no entry says so", hint)
        elif ref in gone:
            yield _fault(
                "erased",
                f"{what} was deleted by request, and is there all the same",
                f"`tourney player blank '#{gone[ref]}'` deletes it",
            )
        elif not intact(ref, salt, content):
            yield _fault("text", f"{what} is not as it was written")
    for ref in names:
        if ref in missing:
            yield _fault("text", f"{names[ref].what} is missing ({ref[:12]}…)")


def _read(rules: KeptRules, what: str) -> list[Finding]:
    getattr(rules, what)
    return []


_RULES = (ops.EventCreated, ops.EventRebased)


def _based(entries: Sequence[Entry]) -> int:
    """Return the entry from which the event has its rules."""
    gone = taken_back(entries)
    return max(each.seq for each in entries if isinstance(each.op, _RULES) and each.seq not in gone)


def _told(rule: str, look: Callable[[], list[Finding]]) -> list[Finding]:
    """Return what a look found; where the file is too damaged to look, that is the finding."""
    try:
        return look()
    except TourneyError as fault:
        return [_fault(rule, fault.message)]


def _fault(rule: str, message: str, hint: str = ALTERED) -> Finding:
    return Finding(rule=rule, severity=Severity.ERROR, message=message, hint=hint)


# -- the whole file: folded and shown as it stood after each entry


_PATIENCE = 20
"""How many times over an event is folded at most, where early entries are taken back late and often."""

_SOME = 1000
"""Entries folded beyond that: a short event is always looked through."""

MOST_SHOWN = 20_000_000
"""Players and tables, entry by entry, that are looked through for what an entry changed; 15 rounds of 1,000 players use half of this."""


def _replayed(desk: Desk, *, without_rules: bool = False) -> Iterator[Finding]:
    """Yield the first entry up to which the event cannot be folded or shown, though later ones may mend that.

    The event stood so once, can be asked for as of that entry (`--at`), and an undo or a redo may lead there again.
    without_rules: where they cannot be read, show all else
    """
    entries = desk.entries
    history, shown, looked = History(desk.texts), State(), 0
    profile: Callable[[], Profile] | None = None
    for entry in entries:
        if history.folded > _PATIENCE * len(entries) + _SOME or looked > MOST_SHOWN:
            message = f"only entries up to {entry.seq - 1} were checked for whether the event can be shown as of each"
            yield Finding(rule="entry", severity=Severity.UNVERIFIED, message=message)
            return
        try:
            history.add(entry)
            state = history.state()
            if shown.entry == 0 or not state.has_rules_of(shown):
                profile = _profile_of(KeptRules(state, desk.journal.text), without_rules=without_rules)
            next_steps(state)
            show_what_changed(state, shown)
            show_tables(state, shown, profile)
            tables = len(state.rounds[-1].tables) if state.rounds else 0
            shown, looked = state, looked + len(state.players) + tables
        except MisfitError as fault:
            yield _fault("entry", fault.message, fault.hint or ALTERED)
            return
        except TourneyError as fault:
            message = f"as of entry {entry.seq} the event cannot be shown: {fault.message}"
            yield _fault("shown", message, fault.hint or ALTERED)
            return


def _profile_of(rules: KeptRules, *, without_rules: bool) -> Callable[[], Profile] | None:
    """Return what reads the standings profile; None where it cannot be read and that is no matter."""
    if without_rules and _told("rules", partial(_read, rules, "profile")):
        return None
    return lambda: rules.profile


def _shown(desk: Desk) -> Iterator[Finding]:
    """Yield why the event as it stands cannot be shown: log, rounds with points, standings."""
    state = desk.state
    try:
        desk.log()
        next_steps(state)
        points = points_after(state, desk.rules.profile)
        for each in state.rounds:
            round_view(state, each, points)
        desk.standings(lots_needed=False)
    except TourneyError as fault:
        yield _fault("shown", fault.message, fault.hint or ALTERED)
