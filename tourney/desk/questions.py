"""What the pairing engine is asked about a round that stands: the field as it was when the round was paired.

Results corrected and players gone since then do not change why a round was paired as it was, so the questions are put
to the event as it stood before the round's entry; of a round that was edited or repaired, to the event as it stood
then, because players may have left or come in between.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tourney.errors import TourneyError
from tourney.event.field import Field, field
from tourney.event.parts import Proof
from tourney.event.state import Round, State
from tourney.event.systems import options_of
from tourney.event.words import names_of
from tourney.pairing import Cost, Mode, NameOf, Options, Pairing
from tourney.record import Outcome, PlayerId

if TYPE_CHECKING:
    from tourney.desk.desk import Desk


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A recorded round as the engine sees it.

    known:   the round; before: the event as it stood before the round was paired, or when it was edited last
    field:   who was to be paired, and whose bye or absence was announced
    absent:  why known players were not to be paired
    pairing: the recorded tables (edits by hand included) with what was proved of them
    """

    known: Round
    before: State
    field: Field
    options: Options
    absent: Mapping[PlayerId, str]
    pairing: Pairing
    name: NameOf


def ask(desk: Desk, number: int | None = None) -> Asked:
    """Return round `number` (None: the current one) ready for `tourney.pairing`'s questions.

    Raises TourneyError where there is no such round, or where it was not paired as a Swiss round.
    """
    known = _round(desk.state, number)
    if known.stage == "cut" or known.system not in {"swiss", "manual"}:
        raise TourneyError(f"{known.title} {_paired_by(known)}")
    before = desk.at(known.edits[-1].entry if known.edits else known.paired.entry - 1)
    options = options_of(before, known.number)
    there = field(
        before,
        desk.profile(),
        number=known.number,
        without=_elsewhere(before, known) if known.edits else (),
        newcomers=bool(known.edits),
        ranks=options.mode is Mode.RANK,
    )
    return Asked(
        known=known,
        before=before,
        field=there,
        options=options,
        absent=_absent(before, there),
        pairing=_recorded(known),
        name=names_of(desk.state),
    )


def _elsewhere(state: State, known: Round) -> set[PlayerId]:
    """Return who was not to be in an edited round: those who left and those who came meanwhile and were not let in."""
    inside = {player for table in known.tables.values() for player in table.seats} | set(known.byes)
    left = {each.id for each in state.players.values() if not each.playing or each.since > known.number}
    return left - inside


def _paired_by(known: Round) -> str:
    """Say why there is nothing to ask about a round that the program's own Swiss engine did not pair."""
    if known.stage == "cut":
        return "is no Swiss round: its tables follow from the bracket"
    if known.system == "pods":
        return "is no Swiss round of two at a table: larger tables are weighed as a whole, not pair by pair"
    if known.system == "dutch":
        return "was paired by the FIDE Dutch rules, which are not explained here"
    return "is no Swiss round: its tables follow from the schedule"


def _round(state: State, number: int | None) -> Round:
    if not state.rounds:
        raise TourneyError("no round is paired yet", "`tourney round pair`")
    if number is None:
        return state.rounds[-1]
    if not 1 <= number <= len(state.rounds):
        raise TourneyError(f"there is no round {number}; the last one paired is round {len(state.rounds)}")
    return state.rounds[number - 1]


def _absent(before: State, there: Field) -> dict[PlayerId, str]:
    entrants = {entrant.id for entrant in there.entrants}
    said = {player: f"announced: {outcome.value}" for player, outcome in there.byes.items()}
    for player in before.players.values():
        if player.id not in entrants and player.id not in said:
            said[player.id] = "had left" if not player.playing else "was not there yet"
    return said


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
