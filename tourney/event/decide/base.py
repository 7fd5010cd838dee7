"""What every decision shares: its shape, and the questions asked before most of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tourney.errors import TourneyError
from tourney.event.ops import Op
from tourney.event.state import Entered, Player, Round, State
from tourney.event.words import result_line, still_playing
from tourney.record import PlayerId

LONGEST_REASON = 500
"""Characters in a reason or a note."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What is to be written.

    op:       the entry; None where the same was entered before
    first:    an entry that goes before it (the bracket of an event that is nothing but a bracket)
    already:  what was entered before, in words, without the full stop: `Round 3, table 4: Mira 2–0 Tomo`
    entered:  when and by whom that was, where it is known
    warnings: what the organizer should know though it may be done
    """

    op: Op | None = None
    first: Op | None = None
    already: str = ""
    entered: Entered | None = None
    warnings: tuple[str, ...] = ()


def open_event(state: State) -> None:
    """Refuse changes to a closed event."""
    if state.closed:
        raise TourneyError("the event is closed", "`tourney event reopen` takes entries again")


def refuse_open_tables(state: State) -> None:
    """Refuse what takes the results as final while a table of any round has none."""
    waiting = state.open_round
    if waiting is not None:
        title = "" if waiting is state.round else f"{waiting.title}: "
        raise TourneyError(f"{title}{still_playing(waiting).removesuffix('.')}", result_line(state, waiting))


def player_of(state: State, player: PlayerId) -> Player:
    """Return a player. Raises TourneyError for a number nobody has."""
    if player not in state.players:
        raise TourneyError(f"there is no player #{player}")
    return state.players[player]


def round_of(state: State, number: int | None) -> Round:
    """Return round `number` (None: the current one). Raises TourneyError where it is not paired yet."""
    if not state.rounds:
        raise TourneyError("no round is paired yet", "`tourney round pair`")
    if number is None:
        return state.rounds[-1]
    if not 1 <= number <= len(state.rounds):
        raise TourneyError(f"there is no round {number}: {len(state.rounds)} paired so far")
    return state.rounds[number - 1]


def checked_reason(reason: str | None) -> str | None:
    """Return a reason that can be kept. Raises TourneyError where it is too long."""
    text = (reason or "").strip()
    if len(text) > LONGEST_REASON:
        raise TourneyError(f"a reason may have {LONGEST_REASON} characters, this one has {len(text)}")
    return text or None


@contextmanager
def at_place(place: str) -> Iterator[None]:
    """Put the file and line in front of whatever is refused within."""
    try:
        yield
    except TourneyError as fault:
        if not place:
            raise
        raise TourneyError(f"{place}: {fault.message}", fault.hint) from None


def with_way_back(hint: str | None) -> str | None:
    """Say how forced and forbidden pairs are taken back, where the engine asks for that: it knows no entries."""
    if not hint or not hint.startswith(("release", "allow")) or "rematches" in hint:
        return hint
    return f"{hint}: `tourney event undo ENTRY` (`tourney event log` tells which)"
