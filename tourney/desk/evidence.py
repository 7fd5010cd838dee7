"""The evidence in an event: its past states, its secret, and its rounds paired again.

`since` returns whether a round was paired on results that were corrected later. `resting` returns which
rounds depend on a result that is being corrected. `seals` and `verifying` compare the recorded entries with
this evidence.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

import tourney.pairing as engines
from tourney.desk.rules import KeptRules
from tourney.errors import Finding, Severity, TourneyError
from tourney.event import ops, rounds
from tourney.event.entry import ALTERED, Entry
from tourney.event.field import DAMAGED, NO_SECRET, Ask, field_of, lot_of, options_of, round_seed, standings
from tourney.event.fold import foreseen, root, taken_back
from tourney.event.kind import Decision, EventChange
from tourney.event.ops import Ref
from tourney.event.phrases import names_of
from tourney.event.state import Cut, Round, State
from tourney.event.systems import propose, system_called
from tourney.event.titles import be, in_a_sentence
from tourney.record import PlayerId
from tourney.wording import listed, listed_short

if TYPE_CHECKING:
    from tourney.event.systems.system import Proposal
    from tourney.pairing import Entrant
    from tourney.pairing.dutch import Engine
    from tourney.standings import Profile


def pairing_question(state: State, profile: Profile, number: int, seed: str) -> Ask:
    """Return the question that pairs round `number`, with FIDE's engine if the system is Dutch."""
    engine, version = _dutch_engine() if state.settings.pairing.system == "dutch" else (None, "")
    return Ask(state=state, profile=profile, number=number, seed=seed, dutch=engine, dutch_engine=version)


def _dutch_engine() -> tuple[Engine, str]:
    from tourney.store import fide  # for an optional package that runs as a process

    return fide.dutch_pairs, fide.version()


@dataclass(frozen=True)
class Evidence:
    """The evidence in an event.

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
        """The event's secret, compared with the hash in entry 1."""
        return _seal(self)

    @cached_property
    def dutch_engine(self) -> str:
        """Name and version of the Dutch system's engine.

        Empty if no round needs it, or it is not installed.
        """
        systems = {self.state.settings.pairing.system, *(round_.system for round_ in self.state.rounds)}
        return _dutch_engine()[1] if "dutch" in systems else ""

    def profile(self, state: State) -> Profile:
        """Return the standings profile in force in `state`."""
        return KeptRules(state, self.text).profile

    def paired_again(self, entry: Entry) -> Proposal:
        """Return the round that the engine pairs from the question and the seed of a pairing entry."""
        if entry.seq not in self._proposals:
            assert isinstance(entry.op, ops.RoundPaired), "a repair or an edit needs an earlier pairing"
            before = self.at(entry.seq - 1)
            self._proposals[entry.seq] = propose(self.ask(before, entry.op.round, entry.op.seed))
        return self._proposals[entry.seq]

    def seed(self, before: State, number: int) -> str | None:
        """Return the seed of a round that is paired in the state `before`.

        Returns None if the secret or the public value is missing.
        """
        secret = self.seal.secret
        if secret is None or before.waits_for_beacon:
            return None
        return round_seed(secret, number, before.beacon.value if before.beacon else None)

    def ask(self, before: State, number: int, seed: str) -> Ask:
        """Return the question that pairs round `number` in the state `before`."""
        return pairing_question(before, self.profile(before), number, seed)


class Seal(NamedTuple):
    """The event's secret, compared with its published hash.

    secret:   the secret that matches the hash; None if it is unknown
    findings: contradictions, and a finding if the secret is unknown
    """

    secret: bytes | None
    findings: tuple[Finding, ...]

    @property
    def fits(self) -> bool | None:
        """Whether the secret matches the hash in entry 1; None if that cannot be decided."""
        if any(finding.severity is Severity.ERROR for finding in self.findings):
            return False
        return None if self.secret is None else True


def _seal(evidence: Evidence) -> Seal:
    promised, sealed = evidence.state.secret_digest, evidence.state.sealed
    findings: list[Finding] = []
    secret: bytes | None = None

    def fault(severity: Severity, message: str, hint: str | None = None) -> None:
        findings.append(Finding(rule="secret", severity=severity, message=message, hint=hint))

    for entry in evidence.entries:
        if not isinstance(entry.op, ops.EventClosed):
            continue
        if entry.op.secret is not None:
            revealed = _bytes(entry.op.secret)
            if revealed is None or sha256(revealed).hexdigest() != promised:
                message = f"entry {entry.seq} reveals a secret that does not match the SHA-256 in entry 1"
                fault(Severity.ERROR, message)
            else:
                secret = revealed
        elif sealed:
            fault(Severity.ERROR, f"entry {entry.seq} closed the sealed event without revealing its secret")
    if evidence.secret is not None and sha256(evidence.secret).hexdigest() != promised:
        fault(Severity.ERROR, DAMAGED, ALTERED)
    elif evidence.secret is not None:
        secret = evidence.secret
    if secret is None and not findings:
        place = "which is revealed when the event closes" if sealed else "which is in the original file"
        fault(Severity.UNVERIFIED, f"the secret's hash and the seeds: {NO_SECRET}, {place}")
    return Seal(secret, tuple(findings))


def _bytes(text: str) -> bytes | None:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return None


# -- whether a round was paired on results that were corrected later


@dataclass(frozen=True, slots=True, kw_only=True)
class Since:
    """Corrections of the results that a round was paired on.

    entry: the last entry that the pairing, the last repair or the last edit considered
    text:  `paired before entry 31 corrected round 2`; empty if the corrections do not affect the pairing
    moved: the players whose results differ for the pairing: player → half points then and now
    """

    entry: int
    text: str = ""
    moved: Mapping[PlayerId, tuple[int, int]] = field(default_factory=dict)


def since(evidence: Evidence, round_: Round, *, seen: int = 0) -> Since:
    """Return the later corrections of the results that a round was paired on.

    Only facts that the pairing uses count: correcting 2–0 to 2–1 does not change a pairing. A bracket's round
    depends on the standings from which the cut was made. A round robin depends on no results.

    seen: the last entry that an edit after the pairing considered; 0 if there was no edit
    """
    entries, gone = evidence.entries, taken_back(evidence.entries)
    paired, last = _basis(entries, gone, round_, evidence.state.cut)
    # The entry after `paired` is the pairing or the repair itself.
    by_hand = round_.stage != "cut" and seen > paired + 1
    basis = seen if by_hand else paired
    if not system_called(round_.system).rests_on_results:
        return Since(entry=basis)
    causes = list(_causes(entries, gone, basis, last))
    if not causes:
        return Since(entry=basis)
    if round_.stage == "cut":
        text = f"the cut was made before {_describe(causes)}" if _seeded_otherwise(evidence, basis) else ""
        return Since(entry=basis, text=text)
    moved = _moved(evidence, evidence.at(basis), evidence.state, round_)
    made = "edited" if by_hand else "repaired" if basis >= round_.paired.entry else "paired"
    return Since(entry=basis, text=f"{made} before {_describe(causes)}" if moved else "", moved=moved)


def _basis(
    entries: Sequence[Entry], gone: Mapping[int, int], round_: Round, cut: Cut | None
) -> tuple[int, int]:
    """Return the last entry and the last round on which the pairing of a round depends."""
    if round_.stage == "cut" and cut is not None:
        cuts = [entry.seq for entry in entries if isinstance(entry.op, ops.CutMade) and entry.seq not in gone]
        return cuts[-1] - 1, cut.after
    repairs = [
        entry.seq
        for entry in entries[round_.paired.entry :]
        if isinstance(entry.op, ops.RoundEdited)
        and entry.op.round == round_.number
        and entry.op.engine
        and entry.seq not in gone
    ]
    return (repairs[-1] if repairs else round_.paired.entry) - 1, round_.number - 1


def _causes(
    entries: Sequence[Entry], gone: Mapping[int, int], basis: int, last: int
) -> Iterator[tuple[int, int]]:
    """Yield each entry after `basis` that changed a result of rounds 1 to `last`.

    Each entry comes with its round. The round is 0 if the entry changed the points of all results.
    """
    for entry in entries[basis:]:
        if entry.seq in gone:
            continue
        op = entry.op
        if isinstance(op, ops.Undone):
            undone = root(entries, entry)
            if undone.seq > basis:
                continue  # the undone entry came after the pairing, so this loop yields it by itself
            op = undone.op
        if isinstance(op, ops.ResultChanged) and op.noted:
            continue
        if isinstance(op, (ops.ResultChanged, ops.ResultReported)) and op.round <= last:
            yield entry.seq, op.round
        elif (isinstance(op, ops.EventChanged) and op.profile) or isinstance(op, ops.EventRebased):
            yield entry.seq, 0


def _describe(causes: Sequence[tuple[int, int]]) -> str:
    numbers = sorted({number for number, _ in causes})
    played = sorted({number for _, number in causes if number})
    changes = [f"corrected {'round' if len(played) == 1 else 'rounds'} {listed(played)}"] if played else []
    changes += ["changed the points for results"] if any(not number for _, number in causes) else []
    return f"{'entry' if len(numbers) == 1 else 'entries'} {listed(numbers)} {listed(changes)}"


def _moved(evidence: Evidence, then: State, today: State, round_: Round) -> dict[PlayerId, tuple[int, int]]:
    """Return the players of a round whose results differ for the pairing in two states.

    The values are their points in both states.
    """
    ranked = options_of(then, round_.number).mode is engines.Mode.RANK
    before, now = (
        {
            entrant.id: entrant
            for entrant in field_of(
                state, evidence.profile(state), number=round_.number, newcomers=True, ranks=ranked
            ).entrants
        }
        for state in (then, today)
    )
    inside = {player for table in round_.tables.values() for player in table.seats} | set(round_.byes)
    return {
        player: (before[player].points, now[player].points)
        for player in sorted(inside & before.keys() & now.keys())
        if _history(before[player]) != _history(now[player])
    }


def _history(entrant: Entrant) -> tuple[Any, ...]:
    """Return the results that the pairing uses for an entrant."""
    byes = (entrant.byes, entrant.awarded_byes, entrant.half_byes)
    return entrant.points, entrant.opponents, entrant.no_shows, byes, entrant.sides, entrant.rank


def _seeded_otherwise(evidence: Evidence, basis: int) -> bool:
    """Return whether a cut made now would have other seeds.

    Only players who were in the event at entry `basis` are considered.
    """
    state, then = evidence.state, evidence.at(basis)
    cut = state.cut
    if cut is None:
        return False
    rows = standings(state, evidence.profile(state), lot_of(state, evidence.secret)).rows
    ranks = {row.player: row.rank for row in rows if then.players[row.player].playing}
    # Ranks are compared, not players: without the lot, players can share a rank, and then their order does
    # not matter.
    return [ranks.get(player) for player in cut.players] != list(ranks.values())[: len(cut.players)]


def repairable(evidence: Evidence) -> Decision | None:
    """Return what a repair of the current round would do now; None if it would be refused."""
    round_ = evidence.state.round
    return _repair(evidence, evidence.state, round_, since(evidence, round_).moved) if round_ else None


def _repair(
    evidence: Evidence, state: State, round_: Round, moved: Mapping[PlayerId, tuple[int, int]]
) -> Decision | None:
    """Return what a repair of the last round would do in `state`; None if it would be refused."""
    seed = evidence.seed(state, round_.number)
    if seed is None:
        return None
    try:
        return rounds.repair(EventChange(state), evidence.ask(state, round_.number, seed), moved=moved)
    except TourneyError:
        return None


# -- which rounds depend on a result that is being corrected


def resting(evidence: Evidence, changes: Sequence[ops.ResultChanged]) -> tuple[str, ...]:
    """Return warnings about later rounds that were paired on results that `changes` correct.

    They name the commands that pair these rounds again. A round counts only if the correction affects its
    pairing.
    """
    before = evidence.state
    after = before
    for op in changes:
        after = foreseen(after, op)
    warnings = []
    for round_ in before.rounds[changes[0].round :]:
        if round_.stage == "cut":
            break
        if not system_called(round_.system).rests_on_results:
            continue
        if moved := _moved(evidence, before, after, round_):
            warnings.append(_paired_from_old(evidence, round_, moved))
            warnings += _ways_to_repair(evidence, after, round_, moved)
    if before.cut is not None and _seeds(evidence, before) != _seeds(evidence, after):
        warnings.append(_cut_from_old(before))
    return tuple(warnings)


def _cut_from_old(state: State) -> str:
    text = (
        "the cut was made from the old result and is not changed;"
        " by the new result it would have other players or other seeds"
    )
    if state.rounds[-1].stage == "cut":
        return text
    return (
        f"{text}. None of its matches is paired yet, so you can undo it: `tourney event undo ENTRY`"
        " (`tourney event log` shows the entry)"
    )


def _seeds(evidence: Evidence, state: State) -> tuple[PlayerId, ...]:
    rows = standings(state, evidence.profile(state), lot_of(state, evidence.secret)).rows
    size = len(state.cut.players) if state.cut else 0
    return tuple(row.player for row in rows if state.players[row.player].playing)[:size]


def _paired_from_old(evidence: Evidence, round_: Round, moved: Mapping[PlayerId, tuple[int, int]]) -> str:
    profile, name = evidence.profile(evidence.state), names_of(evidence.state)

    def label(player: PlayerId) -> str:
        then, now = moved.get(player, (0, 0))
        points = f" ({profile.points_text(then)}, now {profile.points_text(now)})" if then != now else ""
        return f"{name(player)}{points}"

    tables = [
        f"table {table.number} {' – '.join(map(label, table.seats))}"
        for table in round_.tables.values()
        if not moved.keys().isdisjoint(table.seats)
    ]
    tables += [
        f"{kind.words.result} {label(player)}" for player, kind in round_.byes.items() if player in moved
    ]
    was = "was" if be(round_.title) == "is" else "were"
    return f"{in_a_sentence(round_.title)} {was} paired from the old result: {listed_short(tables)}"


def _ways_to_repair(
    evidence: Evidence, after: State, round_: Round, moved: Collection[PlayerId]
) -> Iterator[str]:
    """Yield how a round that depends on an old result can be paired again, or why it cannot.

    after: the event with the new result
    moved: the players whose results differ for the pairing
    """
    state, title = evidence.state, in_a_sentence(round_.title)
    if round_ is not state.round:
        yield f"{title} is not paired again: later rounds are paired"
        return
    if not round_.playing:
        yield f"{title} is not paired again: all its tables have results"
        return
    untouched = not round_.started and len(round_.playing) == len(round_.tables)
    seated = {
        player for table in round_.playing for player in round_.tables[table].seats
    } | round_.byes.keys()
    if not untouched and seated.isdisjoint(moved):
        yield f"{title} is not paired again: these tables have results"
        return
    basis = evidence.at(since(evidence, round_).entry)
    repair = _repair(evidence, after, round_, _moved(evidence, basis, after, round_))
    if repair is not None and repair.op is None:
        yield f"{title} is still right: by the new result `tourney round repair` finds nothing to change"
    elif untouched:
        again = "`tourney round cancel`, then `tourney round next` pairs the whole round again"
        fewest = "`tourney round repair` makes only the necessary changes; " if repair else ""
        yield f"no table of {title} has begun: {fewest}{again}"
    elif repair:
        yield f"{title} has begun: `tourney round repair` pairs its open tables by the new result"
    else:
        yield f"{title} has begun, and is not paired again"
