"""The pairing systems, a module for each.

They pair rounds, and check, prove and explain them.

The modules `swiss`, `pods`, `round_robin`, `dutch`, `elimination` and `manual` each define a `SYSTEM`, an
instance of a subclass of `PairingSystem` (`system`).

To add a system, write an engine in `tourney.pairing`, add its name to `tourney.event.settings.System`, and
add a module with this name here.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import tourney.standings as rankings
from tourney.event.field import Ask, left_by
from tourney.event.settings import System
from tourney.event.state import State
from tourney.pairing.plan import usual_cut

if TYPE_CHECKING:
    from tourney.event.systems.system import Moment, PairingSystem, Proposal


def system_called(name: System) -> PairingSystem:
    """Return a system by its name.

    Its module is imported only now, because most commands need none.
    """
    system: PairingSystem = import_module(f"{__name__}.{name.replace('-', '_')}").SYSTEM
    return system


def propose(ask: Ask) -> Proposal:
    """Return the next round by the event's system, or by the bracket after a cut.

    Raises TourneyError if there is no next round.
    """
    return system_called(ask.state.system).propose(ask)


def explaining_system(moment: Moment) -> PairingSystem:
    """Return the system whose rules explain the tables of a round."""
    if moment.round.stage == "cut":
        return system_called("elimination")
    system = system_called(moment.before.settings.pairing.system)
    return system_called(system.explains(moment.round))


def planned_rounds(state: State) -> int | None:
    """Return the planned number of rounds before a cut; None if the event is open-ended.

    The organizer's number takes precedence over that of the system.
    """
    if state.settings.pairing.rounds is not None:
        return state.settings.pairing.rounds
    return system_called(state.settings.pairing.system).planned_rounds(state)


def rounds_before_cut(state: State) -> int | None:
    """Return the number of rounds before the cut.

    These are the played rounds once the cut is made or the event is closed, else the planned ones.
    """
    return len(state.swiss) if state.cut is not None or state.closed else planned_rounds(state)


def cut_to_come(state: State, profile: rankings.Profile | None = None) -> int:
    """Return the expected number of players in a cut; 0 if no cut is expected.

    This is the number that the organizer planned, or else that the profile advises, or else the usual number.
    The last two depend on the number of players who started, including those who left later.

    profile: the standings profile; None if the caller does not have it
    """
    settings = state.settings
    if settings.cut.planned_cut or settings.pairing.system in {"elimination", "round-robin"}:
        return settings.cut.planned_cut
    started = len(state.players) - len(left_by(state, 0))
    advised = profile.advised_cut(started) if profile else 0
    return advised or usual_cut(started, settings.bracket_seats, settings.bracket_advance)
