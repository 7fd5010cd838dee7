"""Where an event stands, and what is next: a sentence or two after every change."""

from __future__ import annotations

from tourney.errors import TourneyError
from tourney.event.brackets import bracket_of, winner_of
from tourney.event.decks import list_doubts, unsettled_lists, waits_for_lists
from tourney.event.phrases import (
    at_tables,
    be,
    names_of,
    result_line,
    still_playing,
)
from tourney.event.players import absent, absent_text
from tourney.event.state import Round, State
from tourney.event.systems import planned_rounds
from tourney.pairing.plan import usual_cut
from tourney.wording import MOST_NAMED, counted


def status_text(state: State) -> str:
    """Say in one line where the event stands."""
    if state.closed:
        return "The event is over."
    current = state.round
    if current is None:
        return f"{len(state.players)} players are registered; nothing is paired yet."
    if current.held:
        return f"{current.title} {be(current.title)} paired and held back."
    if current.playing:
        return f"{current.title}: {still_playing(current)}"
    return f"{current.title} {be(current.title)} finished."


def next_steps(state: State) -> tuple[str, ...]:
    """Say what the desk waits for: players, a pairing, results, the end."""
    if state.closed:
        return ("The event is closed: `tourney standings`, `tourney publish`.",)
    current = state.round
    if current is None:
        return _before_round_one(state)
    if current.held:
        return (
            f"{current.title} {be(current.title)} held back: `tourney round release`, or `tourney round start` with its clock.",
        )
    if current.playing:
        return (still_playing(current), *_from_players(current))
    if state.open_round is not None:
        waiting = state.open_round
        return (
            _all_in(current),
            f"{waiting.title}: {still_playing(waiting)} Next: {result_line(state, waiting)}.",
        )
    return (_all_in(current), *_no_shows(state), *_after(state, current))


def _from_players(current: Round) -> tuple[str, ...]:
    """Say what players sent that waits for the desk: results that they disagree about, calls for a judge."""
    disputed = [table for table, claim in current.claims.items() if claim.disputed]
    called = sorted({call.table for call in current.calls.values()})
    return (
        *([f"Disputed by the players: {at_tables(disputed)}; `tourney result claims`."] if disputed else []),
        *([f"A judge is called to {at_tables(called)}; `tourney round calls`."] if called else []),
    )


def _before_round_one(state: State) -> tuple[str, ...]:
    players = len(state.playing)
    if players < 2:
        return (f"{counted(players, 'player')} registered: `tourney player add NAME`.",)
    missing = _missing_at_first(state)
    if state.waits_for_beacon:
        return (
            *missing,
            f"{players} players registered: `tourney event beacon VALUE` when all are here and"
            f" {state.settings.beacon} is out.",
        )
    if state.beacon is not None:
        return (
            *missing,
            f"{players} players registered: `{_pairing(state)}`. Whoever comes or changes from now on is named by"
            " `tourney verify`.",
        )
    return (*missing, f"{players} players registered: `{_pairing(state)}` when all are here.")


def _missing_at_first(state: State) -> tuple[str, ...]:
    """Say who is not here and whose decklist is not, where the desk looks at that."""
    gone, said = len(absent(state)), absent_text(state)
    if gone > MOST_NAMED:
        here = (
            f"{gone} of {len(state.playing)} players are not checked in yet: `tourney player list --absent`."
        )
    else:
        here = f"{said}; `tourney player drop --absent` takes {'them' if gone > 1 else 'that player'} out."
    lists = (*list_doubts(state), *unsettled_lists(state)) if waits_for_lists(state) else ()
    return (*([here] if said else []), *(f"{said[:1].upper()}{said[1:]}." for said in lists))


def _all_in(current: Round) -> str:
    return f"{current.title} {be(current.title)} complete."


def _no_shows(state: State) -> tuple[str, ...]:
    """Name who did not show in the round that is over, and what takes them out."""
    said, gone = absent_text(state), absent(state)
    if not said:
        return ()
    if state.settings.no_show == "drop":
        by = "the next pairing" if _goes_on(state) else "the cut, if there is one"
        return (f"{said}, and {'are' if len(gone) > 1 else 'is'} dropped by {by}.",)
    way = "--absent" if len(gone) > 1 else f'"{state.players[gone[0]].name}"'
    return (f"{said}: `tourney player drop {way}` if they have left.",)


def _goes_on(state: State) -> bool:
    planned = planned_rounds(state)
    return state.cut is None and (planned is None or len(state.rounds) < planned)


def _after(state: State, current: Round) -> tuple[str, ...]:
    if state.cut is not None:
        try:
            now = bracket_of(state, state.cut)
        except TourneyError as fault:  # an entry of an older version; it can be looked at and taken back
            return (
                f"The bracket cannot go on: {fault.message}. `tourney event log`, `tourney event undo ENTRY`.",
            )
        if not now.finished:
            return (f"Next: `{_pairing(state)}`.",)
        winner = winner_of(state, now)
        won = f"{names_of(state)(winner)} has won. " if winner else ""
        return (f"{won}Next: `tourney publish`, `tourney event close`.",)
    planned = planned_rounds(state)
    if planned is None or current.number < planned:
        return (f"Next: `{_pairing(state)}`.",)
    size = usual_cut(len(state.playing), state.settings.bracket_seats, state.settings.bracket_advance)
    cut = f"`tourney event cut {size}` or " if size else ""
    return (f"That was the last planned round: `tourney standings`, then {cut}`tourney event close`.",)


def _pairing(state: State) -> str:
    settings = state.settings
    return "tourney round next" if settings.publish_to or settings.post_to else "tourney round pair"


def unplayed(state: State) -> str:
    """Say what of the event was planned and is not played; empty where nothing is left."""
    if state.cut is not None:
        try:
            left = not bracket_of(state, state.cut).finished
        except TourneyError:  # an entry of an older version
            left = True
        return "the bracket is not played to its end, so those still in it share their places" if left else ""
    planned, played = planned_rounds(state), len(state.rounds)
    if planned is None or played >= planned:
        return ""
    return f"{played or 'none'} of the {planned} planned rounds {'was' if played == 1 else 'were'} played"
