"""The pairing systems, with a module for each.

A system pairs rounds, and checks, proves and explains them.

The modules `swiss`, `pods`, `round_robin`, `dutch`, `elimination` and `manual` each define a `SYSTEM`, an
instance of a subclass of `PairingSystem` (`system`).

To add a system, write an engine in `tourney.pairing`, add its name to `tourney.event.settings.System`, and
add a module with this name here.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import tourney.standings as rankings
from tourney.event.field import Ask, leavers_until
from tourney.event.settings import System
from tourney.event.state import State
from tourney.pairing.plan import usual_cut

if TYPE_CHECKING:
    from tourney.event.systems.system import Moment, PairingSystem, Proposal


def system_called(name: System) -> PairingSystem:
    """Return a system by its name.

    The system's module is imported only now, because most commands need no system.
    """
    system: PairingSystem = import_module(f"{__name__}.{name.replace('-', '_')}").SYSTEM
    return system


def propose(ask: Ask) -> Proposal:
    """Return the next round, paired by the event's system, or by the bracket after a cut.

    Raises TourneyError if there is no next round.
    """
    return system_called(ask.state.system).propose(ask)


def explaining_system(moment: Moment) -> PairingSystem:
    """Return the pairing system whose rules explain the tables of `moment.round`."""
    if moment.round.stage == "cut":
        return system_called("elimination")
    system = system_called(moment.before.settings.pairing.system)
    return system_called(system.explains(moment.round))


def planned_rounds(state: State) -> int | None:
    """Return the planned number of rounds before a cut; None if no number is planned.

    The organizer's number takes precedence over the number that the system determines.
    """
    if state.settings.pairing.rounds is not None:
        return state.settings.pairing.rounds
    return system_called(state.settings.pairing.system).planned_rounds(state)


def rounds_before_cut(state: State) -> int | None:
    """Return the number of rounds before the cut; None if it is not planned.

    Once the cut is made or the event is closed, this is the number of rounds played before the cut.
    """
    return len(state.swiss) if state.cut is not None or state.closed else planned_rounds(state)


def cut_to_come(state: State, profile: rankings.Profile | None = None) -> int:
    """Return the expected number of players in a cut; 0 if no cut is expected.

    This is the number that the organizer planned. Without one, it is the number that the profile advises, or
    else the usual number; both depend on how many players started, including those who left later.

    profile: the standings profile; None if the caller does not have it
    """
    settings = state.settings
    if settings.cut.planned_cut or settings.pairing.system in {"elimination", "round-robin"}:
        return settings.cut.planned_cut
    player_count = len(state.players) - len(leavers_until(state, 0))
    advised_size = profile.advised_cut(player_count) if profile else 0
    return advised_size or usual_cut(player_count, settings.bracket_seats, settings.bracket_advance)
