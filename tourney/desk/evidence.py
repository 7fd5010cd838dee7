"""What an event file has to show for itself: the event as it stood after each entry, its secret, its rounds made anew.

`since` says of a round whether the results that it was paired on are still those that stand, `resting` which rounds rest on
a result that is put right. A recorded round is asked whether it is what its system makes and what of that is proved (`judge`,
`proof_of`), and why this table and not that one (`why`, `why_not`).

`judge` works for every system, for rounds by hand and for brackets; how, each system says (`tourney.event.systems`). What is
proved and what is not is said claim by claim. `round check`, `round prove` and `verify` print what stands here.

`proof_of` gives the object that `tourney round prove --json` prints (`tourney.proof/1`) and `scripts/check-certificate`
checks without it. Numbers are half points and their squares; player 0 is the bye. Its keys:

* `round`, `title`, `system`, `stage`, `by_hand`; `rules`: by which rules it is checked (`PairingSystem.rules`)
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

A table is explained (`why`, `why_not`) by the event as it stood when the table was made: by the pairing, by a repair, or by
hand. What was recorded of its cost is not asked; where somebody chose the table, nobody says that chance did.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from tourney.decode import MAX_DIGITS
from tourney.desk.rules import KeptRules
from tourney.errors import Finding, Severity, TourneyError
from tourney.event import ops, rounds
from tourney.event.entry import ALTERED, Entry, Sealing
from tourney.event.field import (
    DAMAGED,
    NO_SECRET,
    Ask,
    field_of,
    groups_of,
    lot_of,
    options_of,
    round_seed,
    seats_before,
    sizes_of,
    standings,
)
from tourney.event.fold import foreseen, root, taken_back
from tourney.event.kind import Decision, round_of
from tourney.event.ops import Ref
from tourney.event.phrases import names_of
from tourney.event.state import Cut, Entered, Round, State
from tourney.event.systems import explaining_system, propose, system_called
from tourney.event.systems.recorded import Moment, RoundQuestion, why_away
from tourney.event.systems.system import Judged, Proposal
from tourney.event.titles import be, in_a_sentence
from tourney.pairing import Entrant, Mode, Options, Pairing, Price, RoundExplanation, keep_wishes
from tourney.record import Outcome, PlayerId
from tourney.wording import listed, listed_short

if TYPE_CHECKING:
    from tourney.desk.desk import Desk
    from tourney.pairing.dutch import Engine
    from tourney.pairing.facts import Fact
    from tourney.standings import Profile


@dataclass(frozen=True)
class Evidence:
    """What an event file has to show.

    entries: all of them, their chain intact; state: the event after them
    secret:  the bytes the file has as the event's secret, None in a copy that came without
    at:      gives the event as it stood after an entry; text: gives the bytes of a kept rule
    dutch:   the engine of FIDE's system, started from outside; dutch_engine: its name and version
    """

    entries: Sequence[Entry]
    state: State
    secret: bytes | None
    at: Callable[[int], State]
    text: Callable[[Ref], str | None]
    dutch: Engine | None = None
    dutch_engine: str = ""
    _made: dict[int, Proposal] = dataclasses.field(default_factory=dict)

    @cached_property
    def seal(self) -> Seal:
        """The event's secret, held against the hash that entry 1 published."""
        return _seal(self)

    def profile(self, state: State) -> Profile:
        """Return the standings profile that held in `state`."""
        return KeptRules(state, self.text).profile

    def made_anew(self, entry: Entry) -> Proposal:
        """Return what the engines make of the question that `entry` answered, with the seed it recorded."""
        if entry.seq not in self._made:
            assert isinstance(entry.op, ops.RoundPaired), "only a pairing is made from nothing"
            before = self.at(entry.seq - 1)
            self._made[entry.seq] = propose(self.ask(before, entry.op.round, entry.op.seed))
        return self._made[entry.seq]

    def seed(self, before: State, number: int) -> str | None:
        """Return the seed that a round drawn in the state `before` must have; None where nobody here can tell."""
        secret = self.seal.secret
        if secret is None or before.waits_for_beacon:
            return None
        return round_seed(secret, number, before.beacon.value if before.beacon else None)

    def ask(self, before: State, number: int, seed: str) -> Ask:
        """Return the question of a round, put to the event as it stood before."""
        return Ask(
            state=before,
            profile=self.profile(before),
            number=number,
            seed=seed,
            dutch=self.dutch,
            dutch_engine=self.dutch_engine,
        )


class Seal(NamedTuple):
    """secret: the bytes behind the published hash, None where nobody has them here; findings: what does not fit."""

    secret: bytes | None
    findings: tuple[Finding, ...]

    @property
    def fits(self) -> bool | None:
        """Whether the secret is the one that was promised; None where that cannot be settled."""
        if any(each.severity is Severity.ERROR for each in self.findings):
            return False
        return None if self.secret is None else True


def _seal(evidence: Evidence) -> Seal:
    promised = evidence.state.secret_digest
    findings: list[Finding] = []
    secret: bytes | None = None
    for entry in evidence.entries:
        if isinstance(entry.op, ops.EventClosed) and entry.op.secret is not None:
            revealed = _bytes(entry.op.secret)
            if revealed is None or sha256(revealed).hexdigest() != promised:
                message = f"entry {entry.seq} reveals a secret that does not match the SHA-256 in entry 1"
                findings.append(_fault(Severity.ERROR, message))
            else:
                secret = revealed
        elif isinstance(entry.op, ops.EventClosed) and evidence.state.sealed:
            message = f"entry {entry.seq} closed the sealed event without revealing its secret"
            findings.append(_fault(Severity.ERROR, message))
    if evidence.secret is not None and sha256(evidence.secret).hexdigest() != promised:
        findings.append(Finding(rule="secret", severity=Severity.ERROR, message=DAMAGED, hint=ALTERED))
    elif evidence.secret is not None:
        secret = evidence.secret
    if secret is None and not findings:
        sealed = evidence.state.sealed
        when = "which is revealed when the event closes" if sealed else "which is in the original file"
        message = f"the secret's hash and the seeds, since {NO_SECRET}, {when}"
        findings.append(_fault(Severity.UNVERIFIED, message))
    return Seal(secret, tuple(findings))


def _fault(severity: Severity, message: str) -> Finding:
    return Finding(rule="secret", severity=severity, message=message)


def _bytes(text: str) -> bytes | None:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return None


# -- the results that a round was paired on, and those that stand


@dataclass(frozen=True, slots=True, kw_only=True)
class Since:
    """What became of the results that a round was paired on.

    entry:  the entry up to which they were counted when the round was paired, or repaired last, or edited
    text:   `paired before entry 31 corrected round 2`; empty where the pairing would be asked the same today
    moved:  whose results count otherwise now: player → half points when the round was paired, and as they stand
    """

    entry: int
    text: str = ""
    moved: Mapping[PlayerId, tuple[int, int]] = dataclasses.field(default_factory=dict)


def since(evidence: Evidence, round_: Round, *, seen: int = 0) -> Since:
    """Return whether the results that a round was paired on are still those that stand.

    seen: the entry up to which results are counted in what is said of it, where the round was edited after its pairing

    Only what pairing asks for counts: a 2–0 put right to 2–1 changes no pairing. A round of the bracket rests on the
    standings that the cut was made from, a round robin on nothing that happened.
    """
    entries = evidence.entries
    gone = taken_back(entries)
    paired, last = _basis(entries, gone, round_, evidence.state.cut)
    by_hand = (
        round_.stage != "cut" and seen > paired + 1
    )  # the entry after `paired` is the pairing or the repair itself
    basis = seen if by_hand else paired
    causes = (
        list(_causes(entries, gone, basis, last)) if system_called(round_.system).rests_on_results else []
    )
    if not causes:
        return Since(entry=basis)
    if round_.stage == "cut":
        text = f"the cut was made before {_said(causes)}" if _seeded_otherwise(evidence, basis) else ""
        return Since(entry=basis, text=text)
    moved = _moved(evidence, round_, basis)
    made = "edited" if by_hand else "repaired" if basis >= round_.paired.entry else "paired"
    return Since(entry=basis, text=f"{made} before {_said(causes)}" if moved else "", moved=moved)


def _basis(
    entries: Sequence[Entry], gone: Mapping[int, int], round_: Round, cut: Cut | None
) -> tuple[int, int]:
    """Return the last entry that the pairing of a round could know, and the last round whose results it rests on."""
    if round_.stage == "cut" and cut is not None:
        made = [each.seq for each in entries if isinstance(each.op, ops.CutMade) and each.seq not in gone]
        return made[-1] - 1, cut.after
    repaired = [
        each.seq
        for each in entries[round_.paired.entry :]
        if isinstance(each.op, ops.RoundEdited)
        and each.op.round == round_.number
        and each.op.engine
        and each.seq not in gone
    ]
    return (repaired[-1] if repaired else round_.paired.entry) - 1, round_.number - 1


def _causes(
    entries: Sequence[Entry], gone: Mapping[int, int], basis: int, last: int
) -> Iterator[tuple[int, int]]:
    """Yield the entries after `basis` that changed a result of rounds 1 to `last`, with the round; 0: the points of all."""
    for entry in entries[basis:]:
        if entry.seq in gone:
            continue
        what = entry.op
        if isinstance(what, ops.Undone):
            undone = root(entries, entry)
            if undone.seq > basis:
                continue  # whatever it was, it came after the pairing: it stands by itself, or is gone
            what = undone.op
        if isinstance(what, ops.ResultChanged) and what.noted:
            continue
        if isinstance(what, (ops.ResultChanged, ops.ResultReported)) and what.round <= last:
            yield entry.seq, what.round
        elif (isinstance(what, ops.EventChanged) and what.profile) or isinstance(what, ops.EventRebased):
            yield entry.seq, 0


def _said(causes: Sequence[tuple[int, int]]) -> str:
    numbers = sorted({number for number, _ in causes})
    rounds = sorted({played for _, played in causes if played})
    done = [f"corrected {'round' if len(rounds) == 1 else 'rounds'} {listed(rounds)}"] if rounds else []
    done += ["changed what results are worth"] if any(not played for _, played in causes) else []
    return f"{'entry' if len(numbers) == 1 else 'entries'} {listed(numbers)} {listed(done)}"


def _moved(evidence: Evidence, round_: Round, basis: int) -> dict[PlayerId, tuple[int, int]]:
    """Return the players of a round whom pairing would see otherwise today, with their points then and now."""
    return _moved_between(evidence, evidence.at(basis), evidence.state, round_)


def _moved_between(
    evidence: Evidence, then: State, today: State, round_: Round
) -> dict[PlayerId, tuple[int, int]]:
    ranked = options_of(then, round_.number).mode is Mode.RANK
    inside = {player for table in round_.tables.values() for player in table.seats} | set(round_.byes)
    before, now = (
        {
            each.id: each
            for each in field_of(state, profile, number=round_.number, newcomers=True, ranks=ranked).entrants
        }
        for state, profile in ((each, evidence.profile(each)) for each in (then, today))
    )
    return {
        player: (before[player].points, now[player].points)
        for player in sorted(inside & before.keys() & now.keys())
        if _history(before[player]) != _history(now[player])
    }


def _history(entrant: Entrant) -> tuple[Any, ...]:
    """Return what results made of an entrant, as pairing asks for it."""
    had = (entrant.byes, entrant.awarded_byes, entrant.half_byes)
    return entrant.points, entrant.opponents, entrant.no_shows, had, entrant.sides, entrant.rank


def _seeded_otherwise(evidence: Evidence, basis: int) -> bool:
    """Return whether a cut made today, among those who were there then, would have other seeds."""
    state, then = evidence.state, evidence.at(basis)
    cut = state.cut
    if cut is None:
        return False
    rows = standings(state, evidence.profile(state), lot_of(state, evidence.secret)).rows
    ranks = {row.player: row.rank for row in rows if then.players[row.player].playing}
    # Ranks and not players are compared: without the lot, players share one, and any order among them is theirs.
    return [ranks.get(player) for player in cut.players] != list(ranks.values())[: len(cut.players)]


# -- a result that is put right in an earlier round


def resting(evidence: Evidence, changes: Sequence[ops.ResultChanged]) -> tuple[str, ...]:
    """Name later pairings that depend on results of a round that `changes` would change, and the commands that redo them.

    A pairing rests on it where pairing would see somebody at the table otherwise: a 2–0 put right to 2–1 is none. Nothing
    is said of rounds that stand as they would have been asked for.
    """
    before = evidence.state
    after = before
    for op in changes:
        after = foreseen(after, op)
    said = []
    for round_ in before.rounds[changes[0].round :]:
        if round_.stage == "cut":
            break
        if not system_called(round_.system).rests_on_results:
            continue
        if moved := _moved_between(evidence, before, after, round_):
            said.append(_rests(evidence, round_, moved))
            said += _ways_anew(evidence, after, round_, moved)
    if before.cut is not None and _seeds(evidence, before) != _seeds(evidence, after):
        said.append(_cut_from_old(before))
    return tuple(said)


def _cut_from_old(state: State) -> str:
    said = "the cut was made from the old result and stays as it is: other players, or others' seeds, follow from the new one"
    if state.rounds[-1].stage == "cut":
        return said
    return f"{said}; no match of it is paired, so `tourney event undo ENTRY` can take it back (`tourney event log` tells which)"


def _seeds(evidence: Evidence, state: State) -> tuple[PlayerId, ...]:
    rows = standings(state, evidence.profile(state), lot_of(state, evidence.secret)).rows
    size = len(state.cut.players) if state.cut else 0
    return tuple(row.player for row in rows if state.players[row.player].playing)[:size]


def _rests(evidence: Evidence, round_: Round, moved: Mapping[PlayerId, tuple[int, int]]) -> str:
    profile, name = evidence.profile(evidence.state), names_of(evidence.state)

    def called(player: PlayerId) -> str:
        then, now = moved.get(player, (0, 0))
        points = f" ({profile.points_text(then)}, now {profile.points_text(now)})" if then != now else ""
        return f"{name(player)}{points}"

    tables = [
        f"table {table.number} {' – '.join(map(called, table.seats))}"
        for table in round_.tables.values()
        if not moved.keys().isdisjoint(table.seats)
    ]
    tables += [
        f"{kind.words.result} {called(player)}" for player, kind in round_.byes.items() if player in moved
    ]
    was = "was" if be(round_.title) == "is" else "were"
    return f"{in_a_sentence(round_.title)} {was} paired from the old result: {listed_short(tables)}"


def _ways_anew(evidence: Evidence, after: State, round_: Round, moved: Collection[PlayerId]) -> Iterator[str]:
    """Say how a round that rests on an old result is paired anew; nothing where it stays, because it is played.

    after: the event with the new result; moved: whom pairing sees otherwise by it
    """
    state, title = evidence.state, in_a_sentence(round_.title)
    if round_ is not state.round or not round_.playing:
        yield f"{title} stays as it is: {'later rounds are paired' if round_ is not state.round else 'every table of it has its result'}"
        return
    untouched = not round_.started and len(round_.playing) == len(round_.tables)
    seated = {
        player for table in round_.playing for player in round_.tables[table].seats
    } | round_.byes.keys()
    if not untouched and seated.isdisjoint(moved):
        yield f"{title} stays as it is: these tables of it have their results"
        return
    repaired = _repaired(evidence, after, round_)
    if repaired is not None and repaired.op is None:
        yield f"{title} stays as it is: by the new result `tourney round repair` finds nothing to change"
    elif untouched:
        again = "`tourney round cancel`, then `tourney round next` pairs all of it anew"
        repair = "`tourney round repair` changes only what has to be; " if repaired else ""
        yield f"no table of {title} has begun: {repair}{again}"
    elif repaired:
        yield f"{title} has begun: `tourney round repair` pairs its open tables by the new result"
    else:
        yield f"{title} has begun, and stays as it is"


def _repaired(evidence: Evidence, after: State, round_: Round) -> Decision | None:
    """Return what a repair of the last round would do once the event is as in `after`; None where it would refuse."""
    seed = evidence.seed(after, round_.number)
    if seed is None:
        return None
    basis = evidence.at(since(evidence, round_).entry)
    moved = _moved_between(evidence, basis, after, round_)
    try:
        return rounds.repair(evidence.ask(after, round_.number, seed), None, Sealing(bytes), moved)
    except TourneyError:
        return None


# -- whether a round is what its system makes, and its proof as data


def judge(desk: Desk, number: int | None = None, *, made: Pairing | None = None) -> Judged:
    """Hold round `number` (None: the current one) against its system.

    made: what the system's engine makes of the round's field and seed, where the caller has it; else it is made

    Raises TourneyError where there is no such round, and where its entry contradicts itself.
    """
    round_ = round_of(desk.state, number)
    system = system_called("elimination" if round_.stage == "cut" else round_.system)
    return system.judge(RoundQuestion.of(desk.evidence(), round_), made)


def proof_of(desk: Desk, judged: Judged) -> dict[str, Any]:
    """Return the proof of a judged round as plain data, as the docstring of this module has it."""
    question, round_ = judged.question, judged.question.round
    made = round_.edits[-1] if round_.edits else round_.paired
    system = judged.system
    entrants, options = keep_wishes(system.wishes, system.entrants(judged), question.options)
    had = seats_before(question.before, round_.number) if system.seats_count else {}
    return {
        "round": round_.number,
        "title": round_.title,
        "system": round_.system,
        "stage": round_.stage,
        "rules": system.rules,
        "by_hand": judged.by_hand,
        "event": {
            "entry": desk.state.entry,
            "digest": desk.state.digest,
            "round_entry": made.entry,
            "round_digest": desk.at(made.entry).digest,
        },
        "engine": round_.engine,
        "seed": round_.seed,
        "players": [player_data(each, question.name(each.id), had) for each in entrants],
        "sat_out": {
            str(player): outcome.value
            for player, outcome in round_.byes.items()
            if player not in question.pairing.byes
        },
        "options": options_data(options),
        "sizes": asdict(sizes_of(question.before)),
        "tables": [
            {"number": table.number, "seats": list(table.seats), "label": round_.labels.get(table.number, "")}
            for table in question.pairing.tables
        ],
        "byes": list(question.pairing.byes),
        "cost": None if judged.cost is None else judged.cost.as_dict(),
        "claims": [asdict(each) for each in judged.claims],
        **system.certificate(judged),
    }


def player_data(entrant: Entrant, name: str, had: Mapping[PlayerId, Sequence[int]]) -> dict[str, Any]:
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


def options_data(options: Options) -> dict[str, Any]:
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


# -- why this table, why not that one


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundAnswer:
    """What there is to say about a table, a bye, or a pairing that was not made.

    round: the round
    how:   who made what is explained: `engine`, `repair` or `hand`; entered: when and by whom
    stale: `paired before entry 31 corrected round 2`; empty where the results still stand
    said:  the explanation, or the price
    names: how the players in it are called
    """

    round: Round
    how: str
    entered: Entered
    stale: str
    said: RoundExplanation | Price
    names: Mapping[PlayerId, str]


def why(desk: Desk, number: int | None, what: str) -> RoundAnswer:
    """Explain a table (by its number or somebody who sits there), or why somebody has no opponent (`bye`, or by name).

    Raises TourneyError where there is no such round, table or player, and for players who were not to be paired.
    """
    round_ = round_of(desk.state, number)
    seats, table = _meant(desk, round_, what)
    evidence = desk.evidence()
    moment = Moment.of(evidence, round_, seats)
    return _answer(desk, evidence, moment, explaining_system(moment).why(moment, seats, table))


def why_not(desk: Desk, number: int | None, one: PlayerId, other: PlayerId) -> RoundAnswer:
    """Say what it would have cost to pair two players, or to give one the bye (`other` = `NOBODY`); see `why`."""
    round_ = round_of(desk.state, number)
    if one == other:
        raise TourneyError(f"{names_of(desk.state)(one)} cannot meet themselves")
    evidence = desk.evidence()
    moment = Moment(evidence, round_, len(round_.edits))
    return _answer(desk, evidence, moment, explaining_system(moment).why_not(moment, one, other))


def _answer(desk: Desk, evidence: Evidence, moment: Moment, said: RoundExplanation | Price) -> RoundAnswer:
    name, group = names_of(desk.state), groups_of(desk.state)
    players = {*said.players, *(player for reason in said.reasons for player in reason.players)}
    return RoundAnswer(
        round=moment.today,
        how=moment.how,
        entered=moment.entered,
        stale=since(evidence, moment.today, seen=moment.before.entry).text,
        said=replace(said, facts=tuple(_named(fact, group) for fact in said.facts)),
        names={player: name(player) for player in sorted(players)},
    )


def _named(fact: Fact, group: Callable[[str], str]) -> Fact:
    """Return a fact with its groups by name; the engines know them by digest."""
    from tourney.pairing.facts import APART, SharedGroups

    if not isinstance(fact, SharedGroups):
        return fact
    tags = tuple(tag if tag.startswith(APART) else group(tag) for tag in fact.tags)
    return msgspec.structs.replace(fact, tags=tags)


def _meant(desk: Desk, round_: Round, what: str) -> tuple[tuple[PlayerId, ...], int | None]:
    """Return who sits at the table that `what` means, with its number; one player and None for a bye."""
    title, name = round_.title, names_of(desk.state)
    if what.isascii() and what.isdigit():
        table = round_.tables.get(int(what)) if len(what) <= MAX_DIGITS else None
        if table is None:
            raise TourneyError(
                f"{title} has no table {what}", f"tables: {', '.join(map(str, round_.tables))}"
            )
        return table.seats, table.number
    if what.casefold() == "bye":
        byes = [player for player, outcome in round_.byes.items() if outcome is Outcome.BYE]
        if not byes:
            raise TourneyError(f"nobody has the bye in {title.lower()}")
        if len(byes) > 1:
            raise TourneyError(f"{listed(map(name, byes))} have a bye in {title.lower()}", "name one of them")
        return (byes[0],), None
    player = desk.who(what)
    sitting = round_.table_of(player)
    if sitting is not None:
        return sitting.seats, sitting.number
    has_bye = round_.byes.get(player) is Outcome.BYE
    if not has_bye and not system_called(round_.system).rests(desk.state, round_, player):
        raise TourneyError(f"{name(player)} {why_away(desk.state, round_, player)}")
    return (player,), None
