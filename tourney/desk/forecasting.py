"""An event as a forecast asks for it: what is known, and what its rounds to come are paired by."""

from __future__ import annotations

from tourney.errors import TourneyError
from tourney.event.field import apart_by, fixed_table, round_robin
from tourney.event.state import State
from tourney.event.systems import options_of, planned_rounds, sizes_of
from tourney.forecast.simulation import Coming, refuse_too_many
from tourney.record import PlayerId


def rounds_to_come(state: State, paired: int, rounds: int | None = None) -> tuple[Coming, ...]:
    """Return the rounds before the cut from `paired` + 1 on, as the event pairs them.

    rounds: how many there will be in all; None: as planned, and where nothing is, no more

    A round robin before its first round is drawn by a seed of its own: its real one tells who meets whom. Raises
    TourneyError for an event that is a bracket, whose rounds lead to no cut, and for more rounds than an event can have.
    """
    if state.settings.system == "elimination":
        raise TourneyError("an event that is a bracket has no cut", "`tourney event show` shows the bracket")
    last = rounds or planned_rounds(state) or paired
    if state.cut is not None:
        last = min(last, len(state.swiss))
    refuse_too_many(last)
    schedule = round_robin(state, "forecast").rounds if state.settings.system == "round-robin" else ()
    return tuple(
        _coming(state, number, schedule[number - 1] if number <= len(schedule) else None)
        for number in range(paired + 1, last + 1)
    )


def _coming(state: State, number: int, tables: tuple[tuple[PlayerId, ...], ...] | None) -> Coming:
    players = state.players.values()
    return Coming(
        options=options_of(state, number),
        byes={
            player.id: player.late if player.since > number else player.byes[number]
            for player in players
            if player.since > number or number in player.byes
        },
        tags={player.id: apart_by(state, player, number) for player in players},
        fixed_tables={
            player.id: table
            for player in players
            if (table := fixed_table(state, player, number)) is not None
        },
        tables=tables,
        sizes=sizes_of(state) if state.settings.system == "pods" else None,
    )
