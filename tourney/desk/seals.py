"""Check recorded entries against the secret and the tables.

The secret is checked against its hash, seeds against the secret, and costs against the tables.

None of these checks pairs a round again, so `close` can run them. `verifying` has the other checks.
"""

from __future__ import annotations

from collections.abc import Iterator

import tourney.pairing as engines
from tourney.desk.evidence import Evidence
from tourney.errors import Finding, Severity, TourneyError
from tourney.event import deck_checks, ops, rounds
from tourney.event.entry import Entry
from tourney.event.field import audit_seed, field_of, options_of
from tourney.event.fold import taken_back
from tourney.event.ops import Proof
from tourney.event.phrases import names_of
from tourney.event.state import State
from tourney.event.systems import system_called
from tourney.event.titles import cut_title, round_title
from tourney.record import Outcome, Table
from tourney.wording import listed

Paired = ops.RoundPaired | ops.RoundEdited
"""The entries that make tables."""


def error(rule: str, message: str) -> Finding:
    """Return the finding for a contradiction."""
    return Finding(rule=rule, severity=Severity.ERROR, message=message)


def unsettled(rule: str, message: str, hint: str | None = None) -> Finding:
    """Return the finding for something that this copy or this version cannot verify."""
    return Finding(rule=rule, severity=Severity.UNVERIFIED, message=message, hint=hint)


def advice(rule: str, message: str) -> Finding:
    """Return the finding for something that a reader should know."""
    return Finding(rule=rule, severity=Severity.ADVICE, message=message)


def seals(evidence: Evidence) -> Iterator[Finding]:
    """Yield contradictions in the secret, the seeds and the costs, and what cannot be verified."""
    yield from evidence.seal.findings
    for entry in pairing_entries(evidence):
        yield from seed_findings(evidence, entry)
        yield from cost_findings(evidence, entry)
    for entry in draw_entries(evidence):
        yield from draw_findings(evidence, entry)


def pairing_entries(evidence: Evidence) -> list[Entry]:
    """Return the entries that made the tables of the current rounds."""
    rounds = evidence.state.rounds
    numbers = {round_.paired.entry for round_ in rounds}
    numbers |= {edit.entry for round_ in rounds for edit in round_.edits}
    return [evidence.entries[number - 1] for number in sorted(numbers)]


def place_of(evidence: Evidence, entry: Entry) -> str:
    """Return a round and its entry in words: `Round 2 (entry 9)`."""
    op = entry.op
    if isinstance(op, ops.RoundPaired):
        title = cut_title(op.labels) if op.labels else round_title(op.round)
        return f"{title} (entry {entry.seq})"
    assert isinstance(op, ops.RoundEdited), "only these make tables"
    made = "repair" if op.engine else "edit"
    return f"{evidence.state.rounds[op.round - 1].title} ({made}, entry {entry.seq})"


def is_by_engine(op: ops.RoundPaired) -> bool:
    """Return whether an engine paired the round."""
    return op.system != "manual"


# -- seeds


def seed_findings(evidence: Evidence, entry: Entry) -> Iterator[Finding]:
    """Yield the faults in the seed of a pairing."""
    op = entry.op
    if not isinstance(op, ops.RoundPaired) or op.stage == "cut":
        return  # a bracket's tables follow from its players, and a repair uses the seed of its round
    place = place_of(evidence, entry)
    if not op.seed:
        if is_by_engine(op):
            yield error("seed", f"{place}: no seed is recorded")
        return
    before = evidence.at(entry.seq - 1)
    if before.waits_for_beacon:
        source = before.settings.pairing.beacon
        yield error("seed", f"{place}: it was drawn before the public value ({source}) was entered")
        return
    seed = evidence.seed(before, op.round)
    if seed not in {None, op.seed}:
        value = " and the public value" if before.beacon else ""
        message = f"the recorded seed does not follow from the event's secret{value}: it should be {seed}"
        yield error("seed", f"{place}: {message}")


# -- costs


def cost_findings(evidence: Evidence, entry: Entry) -> Iterator[Finding]:
    """Yield the differences between the recorded cost and the cost of the recorded tables."""
    op = entry.op
    assert isinstance(op, Paired), "only these make tables"
    place = place_of(evidence, entry)
    if not op.engine:
        if op.proof != Proof():
            message = "a cost or a proof is recorded, but no engine that could have made it"
            yield error("cost", f"{place}: {message}")
        return
    try:
        levels = _cost(evidence, entry).as_dict()
    except TourneyError as fault:
        yield unsettled("cost", f"{place}, the recorded cost: {fault.message}", fault.hint)
        return
    has_cost = isinstance(op, ops.RoundEdited) or (op.stage != "cut" and system_called(op.system).weighs)
    if has_cost and not op.proof.cost:
        yield error("cost", f"{place}: no cost is recorded, and {op.engine} records one")
    recorded = dict(zip(levels, op.proof.cost, strict=False))
    wrong = [level for level, cost in recorded.items() if cost != levels[level]]
    if wrong:
        differences = listed(
            f"{level.replace('_', ' ')} {recorded[level]}, but the tables cost {levels[level]}"
            for level in wrong
        )
        yield error("cost", f"{place}: the recorded cost is not the cost of its tables: {differences}")
    if op.proof.cost and len(op.proof.cost) != len(levels):
        message = f"the recorded cost has {len(op.proof.cost)} levels, but there are {len(levels)}"
        yield error("cost", f"{place}: {message}")


def _cost(evidence: Evidence, entry: Entry) -> engines.Cost:
    """Return the cost of an entry's tables in the field of that time.

    An empty cost if the system has no costs.
    """
    before, op = evidence.at(entry.seq - 1), entry.op
    if isinstance(op, ops.RoundEdited):
        field = rounds.field_to_repair(before, evidence.profile(before), before.rounds[op.round - 1])
        after = evidence.at(entry.seq).rounds[op.round - 1]
        byes = [player for player, outcome in after.byes.items() if outcome is Outcome.BYE]
        options = options_of(before, op.round)
        return engines.price(field.entrants, options, tuple(after.tables.values()), byes)
    assert isinstance(op, ops.RoundPaired), "only these make tables"
    system = system_called(op.system)
    if op.stage == "cut" or not system.weighs:
        return engines.Cost()
    options = options_of(before, op.round)
    ranked = options.mode is engines.Mode.RANK
    field = field_of(before, evidence.profile(before), number=op.round, ranks=ranked)
    tables = [Table(table.number, table.seats) for table in op.tables]
    byes = [bye.player for bye in op.byes if bye.kind == "bye"]
    return system.price(before, field, options, tables, byes)


# -- draws of deck checks


def draw_entries(evidence: Evidence) -> list[Entry]:
    """Return the entries that drew tables for deck checks."""
    return [evidence.entries[number - 1] for number in sorted({draw.entry for draw in evidence.state.draws})]


def draw_findings(evidence: Evidence, entry: Entry) -> Iterator[Finding]:
    """Draw the deck checks of an entry again, and compare its seed with the secret."""
    op = entry.op
    assert isinstance(op, ops.AuditDrawn), "only these draw decks"
    place, before = f"Deck checks of round {op.round} (entry {entry.seq})", evidence.at(entry.seq - 1)
    secret = evidence.seal.secret
    if secret is not None:
        public = before.beacon.value if before.beacon else None
        if audit_seed(secret, op.round, deck_checks.count_draws(before), public) != op.seed:
            yield error("draw", f"{place}: the recorded seed does not follow from the event's secret")
    if op.method != deck_checks.DRAW_METHOD:
        message = f"{place}: drawn by `{op.method}`, but this version draws by `{deck_checks.DRAW_METHOD}`"
        yield unsettled("draw", message, "verify it with the version that drew it")
        return
    if op.round != len(before.rounds):
        yield error("draw", f"{place}: it was not the current round")
        return
    draw = deck_checks.draw_tables(before, before.rounds[op.round - 1], op.seed, len(op.tables))
    if draw != (op.tables, op.players):
        yield error("draw", f"{place}: this seed draws {_describe(evidence.state, draw)}")


def _describe(state: State, draw: deck_checks.TableDraw) -> str:
    if not draw.tables:
        return "no table"
    tables = f"{'table' if len(draw.tables) == 1 else 'tables'} {listed(draw.tables)}"
    return f"{tables} ({listed(map(names_of(state), draw.players))})"


# -- imported rounds, and draws that could be foreseen


def imported(state: State, number: int | None = None) -> Iterator[Finding]:
    """Yield a finding for rounds from another program's file.

    The claims of these rounds cannot be proved.
    """
    source = state.imported
    if source is None:
        return
    titles = [
        round_.title
        for round_ in state.rounds
        if state.is_imported(round_.paired) and number in {None, round_.number}
    ]
    if not titles and number is not None:
        return
    subject = f"{titles[0]} to {titles[-1]}" if len(titles) > 1 else "".join(titles) or "the players"
    message = (
        f"{subject}: imported, not proved (entry {source.first - 1}, {source.form}, SHA-256 {source.file})"
    )
    yield unsettled("imported", message, "compare them with the file that has this SHA-256")


def foreseeable(evidence: Evidence, number: int | None = None) -> Iterator[Finding]:
    """Yield a finding for each draw that was made after the secret of a sealed event was public.

    Such a draw could be known beforehand. After an event is closed, its secret stays public, even if it is
    reopened or the closing is undone.
    """
    revealed = [
        entry.seq
        for entry in evidence.entries
        if isinstance(entry.op, ops.EventClosed) and entry.op.secret is not None
    ]
    if not evidence.state.sealed or not revealed:
        return

    def note(subject: str, drawn: str) -> Finding:
        public = f"after the secret was public (entry {revealed[0]})"
        return advice("secret", f"{subject} {public}: its {drawn} could be known beforehand")

    for entry in pairing_entries(evidence):
        op = entry.op
        assert isinstance(op, Paired), "only these make tables"
        seeded = op.stage != "cut" and op.seed if isinstance(op, ops.RoundPaired) else op.engine
        if entry.seq > revealed[0] and seeded and number in {None, op.round}:
            made = "paired" if isinstance(op, ops.RoundPaired) else "made"
            yield note(f"{place_of(evidence, entry)} was {made}", "seed")
    for entry in current_cut(evidence) if number is None else ():
        by_dice = evidence.state.settings.pairing.system == "elimination"
        if entry.seq > revealed[0] and (by_dice or getattr(entry.op, "lot", None)):
            yield note(f"The cut (entry {entry.seq}) was drawn", "lot")


def current_cut(evidence: Evidence) -> list[Entry]:
    """Return a list with the entry in which the cut was made; empty if there is no cut."""
    gone = taken_back(evidence.entries)
    cuts = [
        entry for entry in evidence.entries if isinstance(entry.op, ops.CutMade) and entry.seq not in gone
    ]
    return cuts[-1:] if evidence.state.cut is not None else []
