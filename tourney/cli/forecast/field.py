"""The options of `tourney forecast rounds`, and the players to plan for.

The players are a number, or those of an event.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import time
from functools import partial
from typing import TYPE_CHECKING

import click

from tourney.cli.forecast.runs import Amount, RunsRequest, players_of_runs
from tourney.cli.options import F, gathered, positive, profile_option, together
from tourney.cli.session import Session
from tourney.errors import TourneyError
from tourney.event.settings import MatchSettings, Settings
from tourney.pairing.plan import Plan, SchedulePlan, TablePlan, plan, plan_round_robin, plan_tables
from tourney.record import Outcome

if TYPE_CHECKING:
    from tourney.desk import Desk


# -- Options


def _clock_time(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """Return a time of day in minutes after midnight."""
    if value is None:
        return None
    try:
        at = time.fromisoformat(value if ":" in value else "")
    except ValueError:
        raise click.BadParameter(f"`{value}` is not a time of day such as `10:30`", ctx, param) from None
    return 60 * at.hour + at.minute


_minutes = partial(click.option, metavar="MIN", type=click.IntRange(1, 1440))

_options = together(
    positive("--players", "expected", help="The expected number of players. Default: those of the event."),
    positive("--rounds", help="Rounds before the cut. Default: the event's, or as advised."),
    click.option(
        "--advice",
        default="own",
        show_default=True,
        help="The published advice on rounds and cut: own, magic, pokemon, flesh-and-blood.",
    ),
    click.option(
        "--cut", metavar="N", type=click.IntRange(min=0), help="How many players make the cut; 0 for none."
    ),
    click.option(
        "--hours", metavar="H", type=Amount(0, 240, min_open=True), help="Time for the event and its cut."
    ),
    _minutes("--round-minutes", help="Length of a round. Default: the event's, or 50."),
    _minutes("--cut-minutes", help="Length of a round of the cut. Default: as other rounds."),
    click.option(
        "--between",
        metavar="MIN",
        type=click.IntRange(0, 1440),
        help="Time before each round and after the last, for extra turns, results and pairings. Default: 10.",
    ),
    click.option(
        "--start",
        metavar="HH:MM",
        callback=_clock_time,
        help="When registration closes; the timetable and --hours start there.",
    ),
    click.option(
        "--runs",
        metavar="N",
        type=click.IntRange(0, 1_000_000),
        help="The number of simulations; 0 for no estimate. Default: up to 1,000, fewer for large events.",
    ),
    click.option(
        "--best",
        metavar="PERCENT",
        type=Amount(50, 99),
        help="The share of matches that the best player wins against an average player. "
        "Default: from the ratings if every player has one, or 70.",
    ),
    click.option(
        "--draws", metavar="PERCENT", type=Amount(0, 100), help="The share of drawn tables. Default: 5."
    ),
    profile_option("Rules for the ranking (the event's, else `tourney`)."),
    players_of_runs,
)


@dataclass(frozen=True, kw_only=True)
class PlanRequest(RunsRequest):
    """The options. start: minutes after midnight; best, draws: percentages."""

    expected: int | None
    rounds: int | None
    advice: str
    cut: int | None
    hours: float | None
    round_minutes: int | None
    cut_minutes: int | None
    between: int | None
    start: int | None
    best: float | None
    profile: str | None

    @property
    def has_times(self) -> bool:
        """Whether a timetable is asked for."""
        times = self.hours, self.round_minutes, self.cut_minutes, self.between, self.start
        return any(value is not None for value in times)

    @property
    def has_odds(self) -> bool:
        """Whether an estimate is asked for."""
        odds = self.cut or None, self.runs, self.best, self.draws
        return self.runs != 0 and any(value is not None for value in odds)


def planning(function: F) -> F:
    """Add the options to a command, as its argument `request`."""
    return _options(gathered("request", PlanRequest)(function))


# -- The players to plan for


@dataclass(frozen=True, kw_only=True)
class PlannedField:
    """The players to plan for: a number of players, or those of an event.

    plan:     the possible rounds and cuts for this number of players
    rounds:   rounds before the cut, 0 for a bracket; None if the number is not known
    cut:      the size of the planned cut, or of the advised cut if none is planned; 0 for no cut
    settings: the event's settings, or the default settings
    desk:     the event's desk; None if there is only a number of players
    """

    plan: Plan | TablePlan | SchedulePlan
    rounds: int | None
    cut: int
    settings: Settings
    desk: Desk | None = None

    @property
    def is_bracket(self) -> bool:
        """Whether the event is a bracket."""
        return self.settings.pairing.system == "elimination"

    @property
    def is_scheduled(self) -> bool:
        """Whether the system sets the number of rounds."""
        return self.settings.pairing.system in {"round-robin", "elimination"}

    @property
    def has_begun(self) -> bool:
        """Whether a round of the event is paired."""
        return self.desk is not None and bool(self.desk.state.rounds)


def field_of_number(players: int, request: PlanRequest) -> PlannedField:
    """Return a field with a number of players, without an event.

    Raises TourneyError as `plan` does.
    """
    advised = plan(players, rounds=request.rounds, advice=request.advice)
    settings = Settings(match=MatchSettings(best_of=3))
    return PlannedField(plan=advised, rounds=advised.rounds, cut=advised.top_cut, settings=settings)


def field_of_event(desk: Desk, request: PlanRequest) -> PlannedField:
    """Return the field of an event.

    Raises TourneyError if `--rounds` is used although the system sets the number of rounds.
    """
    from tourney.event.brackets import planned_bracket
    from tourney.event.field import scheduled, sizes_of

    state, settings, players = desk.state, desk.state.settings, len(desk.state.playing)
    system = settings.pairing.system
    rounds, cut = request.rounds or settings.pairing.rounds, settings.cut.planned_cut
    advised: Plan | TablePlan | SchedulePlan
    if system in {"round-robin", "elimination"} and request.rounds is not None:
        raise TourneyError(
            f"the number of rounds follows from the system: {system}",
            "`tourney forecast rounds` shows how many",
        )
    if system == "elimination":
        advised, rounds, cut = planned_bracket(state), 0, 0
    elif system == "round-robin":
        members = len(scheduled(state)) if state.rounds else players
        advised = plan_round_robin(members, double=settings.pairing.double)
        rounds = len(advised.rounds)
    elif settings.match.seats != (2,):
        advised = plan_tables(players, sizes_of(state), settings.bracket_seats, settings.bracket_advance)
        if rounds is None:
            schedule = desk.profile(request.profile).schedule
            rounds = next((row.rounds for row in schedule if row.fewest <= players <= row.most), 0) or None
    else:
        byes = [sum(kind is Outcome.AWARDED_BYE for kind in player.byes.values()) for player in state.playing]
        advised = plan(players, rounds=rounds, awarded=[*filter(None, byes)], advice=request.advice)
        rounds, cut = advised.rounds, cut or advised.top_cut
    return PlannedField(plan=advised, rounds=rounds, cut=cut, settings=settings, desk=desk)


def say_plan(session: Session, field: PlannedField) -> None:
    """Print the plan for the number of players."""
    for reason in field.plan.reasons:
        session.say(reason.text)
