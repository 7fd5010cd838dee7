"""What the pairing engine is asked about a round that stands: the field as it was when the round was paired.

Results corrected and players gone since then do not change why a round was paired as it was, so the questions are put
to the event as it stood before the round's entry; of a round that was edited or repaired, to the event as it stood
then, because players may have left or come in between.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as attribute
from typing import TYPE_CHECKING, Any

from tourney.errors import TourneyError
from tourney.event import ops
from tourney.event.entry import Entry
from tourney.event.field import RoundField, field_of, lot_of, standings
from tourney.event.fold import taken_back
from tourney.event.ops import Proof
from tourney.event.phrases import listed, names_of
from tourney.event.state import Cut, Round, State
from tourney.event.systems import options_of
from tourney.event.undo import root
from tourney.pairing import Cost, Entrant, Mode, NameOf, Options, Pairing
from tourney.record import Outcome, PlayerId

if TYPE_CHECKING:
    from tourney.desk.desk import Desk
    from tourney.desk.verifying import Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundQuestion:
    """A recorded round as the engine sees it.

    known:   the round; before: the event as it stood before the round was paired, or when it was edited last
    field:   who was to be paired, and whose bye or absence was announced
    absent:  why known players were not to be paired
    pairing: the recorded tables (edits by hand included) with what was proved of them
    """

    known: Round
    before: State
    field: RoundField
    options: Options
    absent: Mapping[PlayerId, str]
    pairing: Pairing
    name: NameOf


def question_of(desk: Desk, known: Round) -> RoundQuestion:
    """Return a round of whatever system with the field it was paired from; of a cut the field is left empty."""
    by_hand = bool(known.edits) or known.system == "manual"
    before = desk.at(known.edits[-1].entry if known.edits else known.paired.entry - 1)
    options = options_of(before, known.number)
    left_out = _elsewhere(before, known) if known.edits else set()
    there = (
        RoundField((), {})
        if known.stage == "cut"
        else field_of(
            before,
            desk.evidence().profile(before),
            number=known.number,
            without=left_out | (_sat_out(known) if by_hand else set()),
            newcomers=bool(known.edits),
            ranks=options.mode is Mode.RANK,
        )
    )
    return RoundQuestion(
        known=known,
        before=before,
        field=there,
        options=options,
        absent=_absent(before, there, known),
        pairing=_recorded(known),
        name=names_of(desk.state),
    )


def _sat_out(known: Round) -> set[PlayerId]:
    """Return who has no table and not the odd bye either: in a round by hand that is the organizer's word."""
    return {player for player, outcome in known.byes.items() if outcome is not Outcome.BYE}


def _elsewhere(state: State, known: Round) -> set[PlayerId]:
    """Return who was not to be in an edited round: those who left and those who came meanwhile and were not let in."""
    inside = {player for table in known.tables.values() for player in table.seats} | set(known.byes)
    left = {each.id for each in state.players.values() if not each.playing or each.since > known.number}
    return left - inside


def round_of(state: State, number: int | None) -> Round:
    """Return round `number` (None: the current one). Raises TourneyError where there is none."""
    if not state.rounds:
        raise TourneyError("no round is paired yet", "`tourney round pair`")
    if number is None:
        return state.rounds[-1]
    if not 1 <= number <= len(state.rounds):
        raise TourneyError(f"there is no round {number}; the last one paired is round {len(state.rounds)}")
    return state.rounds[number - 1]


def _absent(before: State, there: RoundField, known: Round) -> dict[PlayerId, str]:
    entrants = {entrant.id for entrant in there.entrants}
    said = {player: f"announced: {outcome.value}" for player, outcome in there.byes.items()}
    for player in _sat_out(known) - entrants - said.keys():
        said[player] = f"was given: {known.byes[player].value}"
    for each in before.players.values():
        if each.id not in entrants and each.id not in said:
            said[each.id] = "had left" if not each.playing else "was not there yet"
    return said


@dataclass(frozen=True, slots=True, kw_only=True)
class Since:
    """What became of the results that a round was paired on.

    entry:  the entry up to which they were counted when the round was paired, or repaired last, or edited
    text:   `paired before entry 31 corrected round 2`; empty where the pairing would be asked the same today
    moved:  whose results count otherwise now: player → half points when the round was paired, and as they stand
    """

    entry: int
    text: str = ""
    moved: Mapping[PlayerId, tuple[int, int]] = attribute(default_factory=dict)


def since(evidence: Evidence, known: Round, *, seen: int = 0) -> Since:
    """Return whether the results that a round was paired on are still those that stand.

    seen: the entry up to which results are counted in what is said of it, where the round was edited after its pairing

    Only what pairing asks for counts: a 2–0 put right to 2–1 changes no pairing. A round of the bracket rests on the
    standings that the cut was made from, a round robin on nothing that happened.
    """
    entries = evidence.entries
    gone = taken_back(entries)
    paired, last = _basis(entries, gone, known, evidence.state.cut)
    by_hand = (
        known.stage != "cut" and seen > paired + 1
    )  # the entry after `paired` is the pairing or the repair itself
    basis = seen if by_hand else paired
    causes = list(_causes(entries, gone, basis, last)) if known.system != "round-robin" else []
    if not causes:
        return Since(entry=basis)
    if known.stage == "cut":
        text = f"the cut was made before {_said(causes)}" if _seeded_otherwise(evidence, basis) else ""
        return Since(entry=basis, text=text)
    moved = _moved(evidence, known, basis)
    made = "edited" if by_hand else "repaired" if basis >= known.paired.entry else "paired"
    return Since(entry=basis, text=f"{made} before {_said(causes)}" if moved else "", moved=moved)


def _basis(
    entries: Sequence[Entry], gone: Mapping[int, int], known: Round, cut: Cut | None
) -> tuple[int, int]:
    """Return the last entry that the pairing of a round could know, and the last round whose results it rests on."""
    if known.stage == "cut" and cut is not None:
        made = [each.seq for each in entries if isinstance(each.op, ops.CutMade) and each.seq not in gone]
        return made[-1] - 1, cut.after
    repaired = [
        each.seq
        for each in entries[known.paired.entry :]
        if isinstance(each.op, ops.RoundEdited)
        and each.op.round == known.number
        and each.op.engine
        and each.seq not in gone
    ]
    return (repaired[-1] if repaired else known.paired.entry) - 1, known.number - 1


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


def _moved(evidence: Evidence, known: Round, basis: int) -> dict[PlayerId, tuple[int, int]]:
    """Return the players of a round whom pairing would see otherwise today, with their points then and now."""
    then = evidence.at(basis)
    ranked = options_of(then, known.number).mode is Mode.RANK
    inside = {player for table in known.tables.values() for player in table.seats} | set(known.byes)
    before, now = (
        {
            each.id: each
            for each in field_of(state, profile, number=known.number, newcomers=True, ranks=ranked).entrants
        }
        for state, profile in ((each, evidence.profile(each)) for each in (then, evidence.state))
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
    there = [row.player for row in rows if then.players[row.player].playing]
    return tuple(there[: len(cut.players)]) != cut.players


def _cost(levels: tuple[int, ...]) -> Cost:
    """Return a recorded cost; levels that came after the entry was written are 0."""
    return Cost(**dict(zip(Cost().as_dict(), levels, strict=False)))


def _recorded(known: Round) -> Pairing:
    proof: Proof = known.proof
    return Pairing(
        tables=tuple(known.tables.values()),
        byes=tuple(player for player, outcome in known.byes.items() if outcome is Outcome.BYE),
        cost=_cost(proof.cost),
        bound=_cost(proof.bound),
        proof=proof.text,
        seed=known.seed,
        method=known.engine,
    )
