"""Decklists: registered, or not needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, cast

from tourney.event import ops
from tourney.event.kind import (
    Decision,
    EntryKind,
    LogContext,
    checked_reason,
    marks_of_fact,
    marks_of_note,
    names_nobody,
    open_event,
    player_of,
    stranger,
    strangers_among,
)
from tourney.event.state import Entered, RegisteredDeck, State, StateDraft
from tourney.event.texts import Sealing, Texts
from tourney.record import PlayerId
from tourney.wording import listed


def submit(
    state: State, player: PlayerId, text: str, *, verdict: str, cards: str | None, seal: Sealing
) -> Decision:
    """Register a decklist that was checked."""
    open_event(state)
    player_of(state, player)
    checked = cast("Literal['legal', 'illegal', 'unverified', 'unchecked']", verdict)
    return Decision(
        op=ops.DeckSubmitted(player=player, text=seal(text), verdict=checked, cards=seal.maybe(cards))
    )


def _apply_deck(draft: StateDraft, op: ops.DeckSubmitted, at: Entered, _texts: Texts) -> None:
    draft.change(
        op.player, deck=RegisteredDeck(text=op.text, verdict=op.verdict, cards=op.cards, entry=at.entry)
    )


def _say_deck(op: ops.DeckSubmitted, context: LogContext) -> str:
    return f"The deck of {context.name(op.player)} is registered ({op.verdict})"


def waive(state: State, players: Sequence[PlayerId], reason: str | None, seal: Sealing) -> Decision:
    """Note that players need no list."""
    open_event(state)
    new = [each for each in players if not player_of(state, each).waived]
    if not new:
        return Decision(
            already=f"{listed(state.players[each].name for each in players)} may play without a decklist"
        )
    return Decision(
        op=ops.DeckWaived(players=tuple(dict.fromkeys(new)), reason=seal.maybe(checked_reason(reason)))
    )


def _apply_waived(draft: StateDraft, op: ops.DeckWaived, _at: Entered, _texts: Texts) -> None:
    for player in op.players:
        draft.change(player, waived=True)


def _say_waived(op: ops.DeckWaived, context: LogContext) -> str:
    return f"{context.names(op.players)} {'needs' if len(op.players) == 1 else 'need'} no decklist{context.why(op.reason)}"


KINDS = (
    EntryKind(ops.DeckSubmitted, _apply_deck, _say_deck, footprint=marks_of_fact("deck"), misfits=stranger),
    EntryKind(
        ops.DeckWaived,
        _apply_waived,
        _say_waived,
        footprint=marks_of_note,
        alone=names_nobody,
        misfits=strangers_among,
    ),
)
"""What can happen here, in the order of `tourney.event.ops`."""
