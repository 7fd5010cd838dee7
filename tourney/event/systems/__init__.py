"""The pairing systems, one module each: to pair rounds, and to judge, prove and explain them.

`swiss`, `pods`, `round_robin`, `dutch`, `elimination` and `manual` each have a `SYSTEM`, a subclass of
`PairingSystem` (`system`). `recorded` is a round as it was made: the question its engine answered, and the
moment when a table was made.

A new system is an engine in `tourney.pairing`, a name in `tourney.event.settings.System` and a module here
with that name.
"""

from __future__ import annotations

from importlib import import_module

import tourney.standings as rankings
from tourney.event.field import Ask, left_by
from tourney.event.settings import System
from tourney.event.state import State
from tourney.event.systems.recorded import Moment
from tourney.event.systems.system import PairingSystem, Proposal
from tourney.pairing.plan import usual_cut


def system_called(name: System) -> PairingSystem:
    """Return a system by its name. Its module is imported only then, as entering a result needs no engine."""
    system: PairingSystem = import_module(f"{__name__}.{name.replace('-', '_')}").SYSTEM
    return system


def propose(ask: Ask) -> Proposal:
    """Return the next round by the event's system, or by its bracket in the cut.

    Raises TourneyError if there is none.
    """
    return system_called(ask.state.system).propose(ask)


def explaining_system(moment: Moment) -> PairingSystem:
    """Return the system whose rules explain the tables of a round."""
    if moment.round.stage == "cut":
        return system_called("elimination")
    system = system_called(moment.before.settings.pairing.system)
    return system_called(system.explains(moment.round))


def planned_rounds(state: State) -> int | None:
    """Return the number of rounds before a cut: the organizer's, or the system's.

    None if the event is open-ended.
    """
    if state.settings.pairing.rounds is not None:
        return state.settings.pairing.rounds
    return system_called(state.settings.pairing.system).planned_rounds(state)


def rounds_before_cut(state: State) -> int | None:
    """Return the number of rounds before the cut: those played once it is made, or else those planned."""
    return len(state.swiss) if state.cut is not None or state.closed else planned_rounds(state)


def cut_to_come(state: State, profile: rankings.Profile | None = None) -> int:
    """Return how many players a cut will take; 0 if no cut is to be expected.

    It is the size that the organizer planned, or that the profile advises, or the usual one for the number of players who
    started, including those who leave later.

    profile: None if the caller has none
    """
    settings = state.settings
    if settings.cut.planned_cut or settings.pairing.system in {"elimination", "round-robin"}:
        return settings.cut.planned_cut
    started = len(state.players) - len(left_by(state, 0))
    advised = profile.advised_cut(started) if profile else 0
    return advised or usual_cut(started, settings.bracket_seats, settings.bracket_advance)
