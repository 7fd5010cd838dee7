"""The evidence in an event: its past states, its secret, and what follows from them.

The secret is checked against its hash, and seeds against the secret. The recorded cost of a pairing is
checked against its tables, and a draw of deck checks against its seed. These checks do not pair rounds again,
so `close` can run them. `verifying` has the checks that do. No check trusts the owner of the file.

If the setting `beacon` names a *public value*, that value is part of every seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct, field

import tourney.pairing as engines
from tourney.desk.rules import KeptRules
from tourney.errors import Finding, Severity, TourneyError
from tourney.event import decks, ops, rounds
from tourney.event.entry import ALTERED, Entry
from tourney.event.field import DAMAGED, NO_SECRET, Ask, audit_seed, field_of, options_of, round_seed
from tourney.event.fold import undos_by_entry
from tourney.event.ops import Proof, Ref
from tourney.event.state import State
from tourney.event.systems import propose, system_called
from tourney.event.titles import cut_title, round_title
from tourney.record import Outcome
from tourney.wording import counted, listed

if TYPE_CHECKING:
    from tourney.event.systems.system import Proposal
    from tourney.pairing.dutch import Engine
    from tourney.standings import Profile


def error(rule: str, message: str, hint: str | None = None) -> Finding:
    """Return a finding with the severity `error`, for a contradiction."""
    return Finding(rule=rule, severity=Severity.ERROR, message=message, hint=hint)


def doubt(rule: str, message: str, hint: str | None = None) -> Finding:
    """Return a finding with the severity `unverified`.

    It is about something that this copy of the event, or this version of the program, cannot verify.
    """
    return Finding(rule=rule, severity=Severity.UNVERIFIED, message=message, hint=hint)


def advice(rule: str, message: str) -> Finding:
    """Return a finding that is advice: something that a reader should know."""
    return Finding(rule=rule, severity=Severity.ADVICE, message=message)


# -- the evidence


def pairing_question(state: State, profile: Profile, number: int, seed: str) -> Ask:
    """Return the input from which an engine pairs round `number`.

    If the pairing system is Dutch, this includes the function that runs FIDE's engine, and its version.
    """
    engine, version = _dutch_engine() if state.settings.pairing.system == "dutch" else (None, "")
    return Ask(state=state, profile=profile, number=number, seed=seed, dutch=engine, dutch_engine=version)


def _dutch_engine() -> tuple[Engine, str]:
    from tourney.store import fide  # for an optional package that runs as a process

    return fide.dutch_pairs, fide.version()


class Seal(NamedTuple):
    """The event's secret, compared with its published hash.

    secret:   the secret that matches the hash; None if it is unknown
    findings: contradictions, and a finding if the secret is unknown
    """

    secret: bytes | None
    findings: tuple[Finding, ...]


class Evidence(Struct, frozen=True, dict=True):
    """The entries, states, secret and rule files by which an event can be verified.

    entries: all entries; their chain has been checked
    state:   the state after these entries
    secret:  the stored secret; None in a copy without the secret
    at:      returns the state after an entry
    text:    returns the text of a rule file that the event keeps
    """

    entries: Sequence[Entry]
    state: State
    secret: bytes | None
    at: Callable[[int], State]
    text: Callable[[Ref], str | None]
    _proposals: dict[int, Proposal] = field(default_factory=dict)

    @cached_property
    def seal(self) -> Seal:
        """The secret that matches the hash in entry 1 (None if unknown), and the findings about it."""
        published_digest, is_sealed = self.state.secret_digest, self.state.sealed
        findings: list[Finding] = []
        secret: bytes | None = None
        for entry in self.entries:
            if not isinstance(entry.op, ops.EventClosed):
                continue
            try:
                revealed_secret = None if entry.op.secret is None else bytes.fromhex(entry.op.secret)
            except ValueError:
                revealed_secret = b""
            if revealed_secret is not None and sha256(revealed_secret).hexdigest() == published_digest:
                secret = revealed_secret
            elif revealed_secret is not None:
                message = f"entry {entry.seq} reveals a secret that does not match the SHA-256 in entry 1"
                findings.append(error("secret", message))
            elif is_sealed:
                message = f"entry {entry.seq} closed the sealed event without revealing its secret"
                findings.append(error("secret", message))
        if self.secret is not None and sha256(self.secret).hexdigest() == published_digest:
            secret = self.secret
        elif self.secret is not None:
            findings.append(error("secret", DAMAGED, ALTERED))
        if secret is None and not findings:
            place = (
                "which is revealed when the event closes" if is_sealed else "which is in the original file"
            )
            findings.append(doubt("secret", f"the secret's hash and the seeds: {NO_SECRET}, {place}"))
        return Seal(secret, tuple(findings))

    @cached_property
    def dutch_engine(self) -> str:
        """Name and version of the Dutch system's engine.

        The text is empty if no round needs the engine, or if it is not installed.
        """
        systems = {self.state.settings.pairing.system, *(round_.system for round_ in self.state.rounds)}
        return _dutch_engine()[1] if "dutch" in systems else ""

    def profile(self, state: State) -> Profile:
        """Return the standings profile in force in `state`."""
        return KeptRules(state, self.text).profile

    def pair_again(self, pairing: int) -> Proposal:
        """Pair a round again, from the state before its pairing and with the recorded seed.

        pairing: the number of the entry that recorded the pairing
        """
        if pairing not in self._proposals:
            op, before = self.entries[pairing - 1].op, self.at(pairing - 1)
            assert isinstance(op, ops.RoundPaired), "a repair or an edit needs an earlier pairing"
            self._proposals[pairing] = propose(self.ask(before, op.round, op.seed))
        return self._proposals[pairing]

    def seed(self, before: State, number: int) -> str | None:
        """Return the seed of round `number`, as it follows from the event's secret.

        before: the state in which the round is paired

        Returns None if the secret is unknown, or if the event still waits for the public value of the setting
        `beacon`.
        """
        secret = self.seal.secret
        if secret is None or before.waits_for_beacon:
            return None
        return round_seed(secret, number, before.beacon.value if before.beacon else None)

    def ask(self, before: State, number: int, seed: str) -> Ask:
        """Return the input from which an engine pairs round `number` in the state `before`."""
        return pairing_question(before, self.profile(before), number, seed)


# -- the entries that can be checked


class TablesEntry(NamedTuple):
    """An entry that made tables of a round.

    place: the round and the entry in words: `Round 2 (entry 9)`
    """

    number: int
    op: ops.RoundPaired | ops.RoundEdited
    place: str


def tables_entries(evidence: Evidence, number: int | None = None) -> list[TablesEntry]:
    """Return the entries that made the tables of round `number` (None: of all rounds), in order.

    Entries of cancelled rounds are left out.
    """
    entries = []
    for round_ in evidence.state.rounds:
        for origin in (round_.paired, *round_.edits) if number in {None, round_.number} else ():
            op = evidence.entries[origin.entry - 1].op
            if isinstance(op, ops.RoundPaired):
                title = cut_title(op.labels) if op.labels else round_title(op.round)
                entries.append(TablesEntry(origin.entry, op, f"{title} (entry {origin.entry})"))
            elif isinstance(op, ops.RoundEdited):
                kind = "repair" if op.engine else "edit"
                entries.append(
                    TablesEntry(origin.entry, op, f"{round_.title} ({kind}, entry {origin.entry})")
                )
    return sorted(entries)


class CutEntry(NamedTuple):
    """The entry that made the cut."""

    number: int
    op: ops.CutMade


def cut_entry(evidence: Evidence) -> CutEntry | None:
    """Return the entry that made the cut; None if there is no cut."""
    cut = evidence.state.cut
    if cut is None:
        return None
    return CutEntry(next(entry.seq for entry in evidence.entries if entry.op is cut), cut)


# -- checks of the recorded entries


def check_seals(evidence: Evidence) -> Iterator[Finding]:
    """Yield findings about the secret, the seeds, the costs and the draws of deck checks.

    A finding is a contradiction, or says what cannot be verified.
    """
    yield from evidence.seal.findings
    for entry in tables_entries(evidence):
        yield from check_seed(evidence, entry)
        yield from check_cost(evidence, entry)
    yield from check_draws(evidence)


def check_seed(evidence: Evidence, entry: TablesEntry) -> Iterator[Finding]:
    """Yield the faults in the seed of a pairing."""
    number, op, place = entry
    if not isinstance(op, ops.RoundPaired) or op.stage == "cut":
        return  # a bracket's tables follow from its players, and a repair uses the seed of its round
    if not op.seed:
        if op.system != "manual":
            yield error("seed", f"{place}: no seed is recorded")
        return
    before = evidence.at(number - 1)
    if before.waits_for_beacon:
        source = before.settings.pairing.beacon
        yield error("seed", f"{place}: it was drawn before the public value ({source}) was entered")
        return
    seed = evidence.seed(before, op.round)
    if seed not in {None, op.seed}:
        value = " and the public value" if before.beacon else ""
        message = f"the recorded seed does not follow from the event's secret{value}: it should be {seed}"
        yield error("seed", f"{place}: {message}")


def check_cost(evidence: Evidence, entry: TablesEntry) -> Iterator[Finding]:
    """Yield a finding if the recorded cost of a pairing is not the cost of its tables.

    Also yields a finding if the cost of the tables cannot be computed, and if a cost or a proof is recorded
    for tables that no engine made.
    """
    _, op, place = entry
    if not op.engine:
        if op.proof != Proof():
            message = "a cost or a proof is recorded, but no engine that could have made it"
            yield error("cost", f"{place}: {message}")
        return
    try:
        levels = _cost(evidence, entry).as_dict()
    except TourneyError as fault:
        yield doubt("cost", f"{place}, the recorded cost: {fault.message}", fault.hint)
        return
    has_cost = isinstance(op, ops.RoundEdited) or (op.stage != "cut" and system_called(op.system).weighs)
    recorded_cost = op.proof.cost
    if recorded_cost == tuple(levels.values()) or not (has_cost or recorded_cost):
        return
    if not recorded_cost:
        yield error("cost", f"{place}: no cost is recorded, but {op.engine} records one")
        return
    differences = [
        f"{level.replace('_', ' ')} {recorded_part}, but the tables cost {cost}"
        for (level, cost), recorded_part in zip(levels.items(), recorded_cost, strict=False)
        if recorded_part != cost
    ]
    if len(recorded_cost) != len(levels):
        differences.append(f"{counted(len(recorded_cost), 'cost')} instead of {len(levels)}")
    yield error("cost", f"{place}: the recorded cost is not the cost of its tables: {listed(differences)}")


def _cost(evidence: Evidence, entry: TablesEntry) -> engines.Cost:
    """Return the cost of a round, such as its rematches, as an entry paired or changed it.

    The cost is computed for the players as they were before the entry. It is empty if the entry paired a
    round of a bracket, or a round by a system without costs.
    """
    number, op, _ = entry
    before = evidence.at(number - 1)
    options, profile = options_of(before, op.round), evidence.profile(before)
    if isinstance(op, ops.RoundEdited):
        field = rounds.field_to_repair(before, profile, before.rounds[op.round - 1])
        after = evidence.at(number).rounds[op.round - 1]
        byes = [player for player, outcome in after.byes.items() if outcome is Outcome.BYE]
        return engines.price(field.entrants, options, after.record, byes)
    system = system_called(op.system)
    if op.stage == "cut" or not system.weighs:
        return engines.Cost()
    field = field_of(before, profile, number=op.round, ranks=options.mode is engines.Mode.RANK)
    byes = [bye.player for bye in op.byes if bye.kind == "bye"]
    return system.price(before, field, options, op.tables, byes)


def check_draws(evidence: Evidence, number: int | None = None) -> Iterator[Finding]:
    """Yield the faults in the recorded random draws of tables for deck checks.

    A draw's seed must follow from the event's secret, if this copy has the secret. The drawn tables must
    follow from the seed, and the round must have been the current one. A draw by the method of another
    version is reported as unverified. Draws that were undone are skipped.

    number: the round whose draws are checked; None for all rounds
    """
    undone_entries = undos_by_entry(evidence.entries)
    for entry in evidence.entries:
        op = entry.op
        if (
            not isinstance(op, ops.AuditDrawn)
            or entry.seq in undone_entries
            or number not in {None, op.round}
        ):
            continue
        before, secret = evidence.at(entry.seq - 1), evidence.seal.secret
        place = f"Deck checks of round {op.round} (entry {entry.seq})"
        if secret is not None:
            public_value = before.beacon.value if before.beacon else None
            if audit_seed(secret, op.round, decks.count_draws(before), public_value) != op.seed:
                yield error("draw", f"{place}: the recorded seed does not follow from the event's secret")
        if op.method != decks.DRAW_METHOD:
            message = f"{place}: drawn by `{op.method}`, but this version draws by `{decks.DRAW_METHOD}`"
            yield doubt("draw", message, "verify this draw with the version of tourney that made it")
        elif op.round != len(before.rounds):
            yield error("draw", f"{place}: the round was not the current round at that time")
        else:
            new_draw = decks.draw_tables(before, before.rounds[-1], op.seed, len(op.tables))
            if new_draw != (op.tables, op.players):
                players = listed(map(evidence.state.name_of, new_draw.players))
                word = "table" if len(new_draw.tables) == 1 else "tables"
                tables = f"{word} {listed(new_draw.tables)} ({players})" if new_draw.tables else "no table"
                yield error("draw", f"{place}: this seed draws {tables}")


# -- imported rounds, and draws made after the secret was public


def unproved_imports(state: State, number: int | None = None) -> Iterator[Finding]:
    """Yield a finding for the rounds that were imported from another program's file.

    This program cannot verify how these rounds were paired.

    number: only this round; None: all rounds
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
    yield doubt("imported", message, "compare these rounds with the imported file, which has this SHA-256")


def draws_after_reveal(evidence: Evidence, number: int | None = None) -> Iterator[Finding]:
    """Yield a finding for each draw that was made after the secret of a sealed event was public.

    With the secret, anyone can predict such a draw. A secret that was revealed when the event closed stays
    public, even if the event is reopened or the closing is undone.
    """
    state = evidence.state
    reveal_entries = [
        entry.seq
        for entry in evidence.entries
        if isinstance(entry.op, ops.EventClosed) and entry.op.secret is not None
    ]
    if not state.sealed or not reveal_entries:
        return
    timing = f"after the secret was public (entry {reveal_entries[0]})"
    for entry, op, place in tables_entries(evidence, number):
        verb, seed = ("paired", op.seed) if isinstance(op, ops.RoundPaired) else ("made", op.engine)
        is_bracket = isinstance(op, ops.RoundPaired) and op.stage == "cut"
        if entry > reveal_entries[0] and seed and not is_bracket:
            yield advice("secret", f"{place} was {verb} {timing}: its seed could be known beforehand")
    cut = cut_entry(evidence) if number is None else None
    if (
        cut
        and cut.number > reveal_entries[0]
        and (cut.op.lot or state.settings.pairing.system == "elimination")
    ):
        message = f"The cut (entry {cut.number}) was drawn {timing}: its lot could be known beforehand"
        yield advice("secret", message)
