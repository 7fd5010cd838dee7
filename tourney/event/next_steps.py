"""What is next: one or two sentences after every change."""

from __future__ import annotations

from tourney.errors import TourneyError
from tourney.event.state import Round, State
from tourney.event.systems import bracket_of, planned_rounds
from tourney.event.words import be, counted, names_of, result_line, still_playing


def next_steps(state: State) -> tuple[str, ...]:
    """Say what the desk waits for: players, a pairing, results, the end."""
    if state.closed:
        return ("The event is closed: `tourney standings`, `tourney publish`.",)
    current = state.round
    if current is None:
        return _before_round_one(state)
    if current.playing:
        return (still_playing(current),)
    if state.open_round is not None:
        waiting = state.open_round
        return (
            _all_in(current),
            f"{waiting.title}: {still_playing(waiting)} Next: {result_line(state, waiting)}.",
        )
    return (_all_in(current), *_after(state, current))


def _before_round_one(state: State) -> tuple[str, ...]:
    there = len(state.playing)
    if there < 2:
        return (f"{counted(there, 'player')} registered: `tourney player add NAME`.",)
    if state.waits_for_beacon:
        return (
            f"{there} players registered: `tourney event beacon VALUE` when all are here and"
            f" {state.settings.beacon} is out.",
        )
    if state.beacon is not None:
        return (
            f"{there} players registered: `tourney round pair`. Whoever comes or changes from now on is named by"
            " `tourney verify`.",
        )
    return (f"{there} players registered: `tourney round pair` when all are here.",)


def _all_in(current: Round) -> str:
    return f"{current.title} {be(current.title)} complete."


def _after(state: State, current: Round) -> tuple[str, ...]:
    if state.cut is not None:
        try:
            now = bracket_of(state, state.cut)
        except TourneyError as fault:  # an entry of an older version; it can be looked at and taken back
            return (
                f"The bracket cannot go on: {fault.message}. `tourney event log`, `tourney event undo ENTRY`.",
            )
        if not now.finished:
            return ("Next: `tourney round pair`.",)
        won = f"{names_of(state)(now.champion)} has won. " if now.champion else ""
        return (f"{won}Next: `tourney publish`, `tourney event close`.",)
    planned = planned_rounds(state)
    if planned is None or current.number < planned:
        return ("Next: `tourney round pair`.",)
    size = cut_advised(len(state.playing))
    cut = f"`tourney event cut {size}` or " if size else ""
    return (f"That was the last planned round: `tourney standings`, then {cut}`tourney event close`.",)


def cut_advised(players: int) -> int | None:
    """Return the size of the cut that is usual for so many players (Magic Tournament Rules, appendix E).

    >>> [cut_advised(players) for players in (8, 9, 16, 17, 200)]
    [None, 4, 4, 8, 8]
    """
    if players < 9:
        return None
    return 4 if players < 17 else 8
