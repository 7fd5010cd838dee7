"""`tourney forecast rounds`: how many rounds, which cut, how long.

The plain plan is fast. The parts that need simulations and published tables are in `prospects`.
"""

from __future__ import annotations

from tourney.cli.command import command
from tourney.cli.forecast.field import (
    PlannedField,
    PlanRequest,
    field_of_event,
    field_of_number,
    planning,
    say_plan,
)
from tourney.cli.session import Session


@command("rounds", event=True)
@planning
def rounds_(session: Session, *, request: PlanRequest) -> None:
    """Show how many rounds are advised, when rematches begin, the byes, and when the event ends.

    With --players no event is needed. For tables of three and more players, it shows how many tables there
    are and which cuts are possible. For a round robin or a bracket, it shows the number of rounds.

    With --hours, --round-minutes or --start it shows a timetable, and how long registration can stay open.
    With --cut it shows what published tables advise, and simulates the event to estimate how likely the best
    player makes the cut, and how likely a player without a loss misses it.

    Examples:
      tourney forecast rounds --players 57 --cut 8 --hours 7 --round-minutes 50
      tourney forecast rounds --players 40 --cut 8 --start 10:00 --draws 3 --best 75
      tourney forecast rounds --players 40 --advice magic --hours 8
    """
    _plan(session, request)


def _plan(session: Session, request: PlanRequest) -> None:
    if request.expected is not None:
        _answer(session, request, field_of_number(request.expected, request))
        return
    with session.desk() as desk:
        _answer(session, request, field_of_event(desk, request))


def _answer(session: Session, request: PlanRequest, field: PlannedField) -> None:
    if session.json or request.has_times or request.has_odds or request.cut is not None:
        from tourney.cli.forecast.prospects import show_prospects

        show_prospects(session, request, field)
    else:
        say_plan(session, field)
