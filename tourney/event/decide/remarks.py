"""Decisions about what judges note: penalties, and decks checked at the table."""

from __future__ import annotations

from tourney.errors import TourneyError
from tourney.event import ops
from tourney.event.decide.base import Decision, checked_reason, open_event, player_of
from tourney.event.state import State
from tourney.event.texts import Sealing
from tourney.event.who import clean_name
from tourney.record import PlayerId

LONGEST_KIND = 60


def penalty(state: State, player: PlayerId, kind: str, *, reason: str | None, seal: Sealing) -> Decision:
    """Note a penalty; `kind` as the organizer calls it (`warning`, `game loss`). It changes no result by itself."""
    open_event(state)
    player_of(state, player)
    said = clean_name(kind, what="kind of penalty", longest=LONGEST_KIND)
    op = ops.PenaltyGiven(
        player=player,
        kind=said,
        round=len(state.rounds),
        reason=seal.maybe(checked_reason(reason), "penalty"),
    )
    return Decision(op=op)


def audit(state: State, player: PlayerId, *, clean: bool, found: str | None, seal: Sealing) -> Decision:
    """Note that a deck was checked at the table, and what was found."""
    open_event(state)
    known = player_of(state, player)
    said = checked_reason(found)
    if not clean and said is None:
        raise TourneyError(f"the deck of {known.name} was not in order: what was found?")
    op = ops.AuditRecorded(
        player=player, round=len(state.rounds), clean=clean, found=seal.maybe(said, "audit")
    )
    return Decision(op=op)
