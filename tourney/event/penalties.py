"""What judges note: penalties, and decks checked at the table."""

from __future__ import annotations

from tourney.errors import TourneyError
from tourney.event import ops
from tourney.event.kind import (
    NO_MARKS,
    Decision,
    EntryKind,
    Footprint,
    LogContext,
    checked_reason,
    open_event,
    player_marks,
    player_of,
    stranger,
)
from tourney.event.players import clean_name
from tourney.event.state import Entered, Remark, State, StateDraft
from tourney.event.texts import Sealing, Texts
from tourney.record import PlayerId

LONGEST_KIND = 60


def penalty(state: State, player: PlayerId, kind: str, *, reason: str | None, seal: Sealing) -> Decision:
    """Note a penalty; `kind` as the organizer calls it (`warning`, `game loss`). It changes no result by itself."""
    open_event(state)
    player_of(state, player)
    name = clean_name(kind, what="kind of penalty", longest=LONGEST_KIND)
    op = ops.PenaltyGiven(
        player=player,
        kind=name,
        round=len(state.rounds),
        reason=seal.maybe(checked_reason(reason), "penalty"),
    )
    return Decision(op=op)


def _apply_penalty(draft: StateDraft, op: ops.PenaltyGiven, at: Entered, _texts: Texts) -> None:
    draft.penalties.append(
        Remark(entry=at.entry, player=op.player, round=op.round, kind=op.kind, text=op.reason)
    )


def _say_penalty(op: ops.PenaltyGiven, context: LogContext) -> str:
    return f"{context.name(op.player)} has a penalty ({op.kind}) in round {op.round}{context.why(op.reason)}"


def _marks_of_remark(op: ops.PenaltyGiven | ops.AuditRecorded) -> Footprint:
    return Footprint(NO_MARKS, player_marks((op.player,)))


def audit(state: State, player: PlayerId, *, clean: bool, found: str | None, seal: Sealing) -> Decision:
    """Note that a deck was checked at the table, and what was found."""
    open_event(state)
    owner = player_of(state, player)
    note = checked_reason(found)
    if not clean and note is None:
        raise TourneyError(f"the deck of {owner.name} was not in order: what was found?")
    op = ops.AuditRecorded(
        player=player, round=len(state.rounds), clean=clean, found=seal.maybe(note, "audit")
    )
    return Decision(op=op)


def _apply_audit(draft: StateDraft, op: ops.AuditRecorded, at: Entered, _texts: Texts) -> None:
    kind = "clean deck" if op.clean else "deck problem"
    draft.audits.append(Remark(entry=at.entry, player=op.player, round=op.round, kind=kind, text=op.found))


def _say_audit(op: ops.AuditRecorded, context: LogContext) -> str:
    order = "was in order" if op.clean else "was not in order"
    return f"The deck of {context.name(op.player)} {order} in round {op.round}{context.why(op.found)}"


KINDS = (
    EntryKind(ops.PenaltyGiven, _apply_penalty, _say_penalty, footprint=_marks_of_remark, misfits=stranger),
    EntryKind(ops.AuditRecorded, _apply_audit, _say_audit, footprint=_marks_of_remark, misfits=stranger),
)
"""What can happen here, in the order of `tourney.event.ops`."""
