"""`tourney forecast rounds`, also `tourney round plan`: rounds, cut, times, estimates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import time
from functools import partial
from typing import TYPE_CHECKING

import click
from msgspec import Struct
from msgspec.structs import replace

from tourney.cli.command import command
from tourney.cli.forecast_runs import (
    Amount,
    RunsRequest,
    mean_text,
    players_of_runs,
    print_records,
    run_lines,
    share_cells,
)
from tourney.cli.options import gather_options, positive, profile_option, together
from tourney.cli.session import Session
from tourney.errors import TourneyError
from tourney.event.settings import MatchSettings, Settings
from tourney.forecast.planning import (
    USUAL_BEST,
    USUAL_DRAWS,
    AdvisedRow,
    Pace,
    PlanEstimate,
    RoundsForecast,
    ScheduleForecast,
    SwissForecast,
    TablesForecast,
    Timetable,
    clock,
    cut_titles,
    duration_text,
    plan_chances,
    prospects,
    published_advice,
    rounds_to_compare,
    timetable,
)
from tourney.forecast.shares import Share
from tourney.pairing.plan import Plan, SchedulePlan, TablePlan, plan, plan_round_robin, plan_tables
from tourney.record import Outcome, PlayerId, Record
from tourney.wording import counted

# A plan for a number needs no event, and one without an estimate no engine: functions import them.
if TYPE_CHECKING:
    from tourney.desk import Desk
    from tourney.forecast.simulation import Position

_LARGE = 500
"""The largest number of players for an estimate without --runs.

For more players, it would take minutes.
"""

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
    positive(
        "--players", "player_count", help="The expected number of players. Default: those of the event."
    ),
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
        "--hours",
        metavar="H",
        type=Amount(0, 240, min_open=True),
        help="The hours available for the event and its cut.",
    ),
    _minutes("--round-minutes", help="Minutes in a round. Default: the event's, or 50."),
    _minutes("--cut-minutes", help="Minutes in a round of the cut. Default: as in other rounds."),
    click.option(
        "--between",
        metavar="MIN",
        type=click.IntRange(0, 1440),
        help="Minutes before each round and after the last, for extra turns, results and pairings. "
        "Default: 10.",
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
        help="The percentage of matches that the best player wins against an average player. "
        "Default: from the ratings if every player has one, or 70.",
    ),
    click.option(
        "--draws", metavar="PERCENT", type=Amount(0, 100), help="The percentage of drawn tables. Default: 5."
    ),
    profile_option("The standings profile for the ranking. Default: the event's, or `tourney`."),
    players_of_runs,
)


class PlanRequest(RunsRequest, frozen=True, kw_only=True):
    """The options of `tourney forecast rounds`.

    start: minutes after midnight
    best:  the percentage of matches that the best player wins against an average one
    draws: the percentage of tables that end drawn
    """

    player_count: int | None
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
        """Whether any option for a timetable was given."""
        times = self.hours, self.round_minutes, self.cut_minutes, self.between, self.start
        return any(value is not None for value in times)

    @property
    def has_odds(self) -> bool:
        """Whether the options ask for an estimate of the players' chances."""
        odds = self.cut or None, self.runs, self.best, self.draws
        return self.runs != 0 and any(value is not None for value in odds)


# -- The players to plan for


class PlannedField(Struct, frozen=True, kw_only=True):
    """The players to plan for: a number of players, or those of an event.

    plan:     the possible rounds and cuts for this number of players
    rounds:   rounds before the cut, 0 for a bracket; None if the number is not known
    cut:      the size of the planned cut, or of the advised cut if none is planned; 0 for no cut
    settings: the event's settings, or the default settings
    desk:     the open event (`tourney.desk.Desk`); None if there is only a number of players
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


def _field_of_number(players: int, request: PlanRequest) -> PlannedField:
    """Return the players to plan for, given only their number, without an event.

    Raises TourneyError as `plan` does.
    """
    advised_plan = plan(players, rounds=request.rounds, advice=request.advice)
    settings = Settings(match=MatchSettings(best_of=3))
    return PlannedField(
        plan=advised_plan, rounds=advised_plan.rounds, cut=advised_plan.top_cut, settings=settings
    )


def _field_of_event(desk: Desk, request: PlanRequest) -> PlannedField:
    """Return the players to plan for: those of an event.

    Raises TourneyError if `--rounds` is used although the system sets the number of rounds.
    """
    from tourney.event.brackets import planned_bracket
    from tourney.event.field import scheduled_players, sizes_of

    state, settings, players = desk.state, desk.state.settings, len(desk.state.playing)
    system = settings.pairing.system
    rounds, cut = request.rounds or settings.pairing.rounds, settings.cut.planned_cut
    advised_plan: Plan | TablePlan | SchedulePlan
    if system in {"round-robin", "elimination"} and request.rounds is not None:
        raise TourneyError(
            f"the number of rounds cannot be chosen: the system ({system}) determines it",
            "`tourney forecast rounds` shows the number of rounds",
        )
    if system == "elimination":
        advised_plan, rounds, cut = planned_bracket(state), 0, 0
    elif system == "round-robin":
        members = len(scheduled_players(state)) if state.rounds else players
        advised_plan = plan_round_robin(members, double=settings.pairing.double)
        rounds = len(advised_plan.rounds)
    elif settings.match.seats != (2,):
        advised_plan = plan_tables(players, sizes_of(state), settings.bracket_seats, settings.bracket_advance)
        if rounds is None:
            schedule = desk.profile(request.profile).schedule
            rounds = next((row.rounds for row in schedule if row.fewest <= players <= row.most), 0) or None
    else:
        byes = [sum(kind is Outcome.AWARDED_BYE for kind in player.byes.values()) for player in state.playing]
        advised_plan = plan(players, rounds=rounds, awarded_byes=[*filter(None, byes)], advice=request.advice)
        rounds, cut = advised_plan.rounds, cut or advised_plan.top_cut
    return PlannedField(plan=advised_plan, rounds=rounds, cut=cut, settings=settings, desk=desk)


# -- tourney forecast rounds


@command("rounds", event=True)
@_options
@gather_options("request", PlanRequest)
def rounds_(session: Session, *, request: PlanRequest) -> None:
    """Show how many rounds are advised, when rematches begin, the byes, and when the event ends.

    With --players no event is needed. For tables of three and more players, it shows how many tables there
    are and which cuts are possible. For a round robin or a bracket, it shows the number of rounds.

    With --hours, --round-minutes or --start it shows a timetable, and how long registration can stay open.
    With --cut it shows the rounds and the cut that published recommendations give for this number of players.
    It also simulates the event to estimate how likely the best player is to make the cut, and how likely a
    player without a loss is to miss it.

    Examples:
      tourney forecast rounds --players 57 --cut 8 --hours 7 --round-minutes 50
      tourney forecast rounds --players 40 --cut 8 --start 10:00 --draws 3 --best 75
      tourney forecast rounds --players 40 --advice magic --hours 8
    """
    _answer(session, request)


@command("plan", event=True)
@_options
@gather_options("request", PlanRequest)
def plan_(session: Session, *, request: PlanRequest) -> None:
    """Show how many rounds are advised, when rematches begin, and how many byes there are.

    This command is the same as `tourney forecast rounds`, whose help explains more.

    Examples:
      tourney round plan
      tourney round plan --players 23 --rounds 5
    """
    _answer(session, request)


def _answer(session: Session, request: PlanRequest) -> None:
    if request.player_count is not None:
        _show(session, request, _field_of_number(request.player_count, request))
        return
    with session.desk() as desk:
        _show(session, request, _field_of_event(desk, request))


def _show(session: Session, request: PlanRequest, field: PlannedField) -> None:
    """Print the plan, and the advice, times and estimates that the options ask for."""
    document = None
    if session.json or request.has_times or request.has_odds or request.cut is not None:
        document = _document(session, request, field)
        session.emit(document)
    session.say(reason.text for reason in field.plan.reasons)
    if document is None:
        return
    _print_advice(session, field, document)
    if document.estimate or (document.timetable and len(document.timetable.compared) > 1):
        session.say()
        _print_compared(session, request, document)
    if document.estimate:
        _print_records(session, document, document.estimate)
    if document.timetable:
        _print_timetable(session, request, field, document, document.timetable)
    for line in _estimate_lines(request, field, document):
        session.talk(line)


# -- Working it out


def _document(session: Session, request: PlanRequest, field: PlannedField) -> RoundsForecast:
    settings, players = field.settings, field.plan.players
    cut = field.cut if request.cut is None else request.cut
    _refuse_impossible(request, field)
    length = request.round_minutes or settings.match.minutes or 50
    between = 10 if request.between is None else request.between
    pace = Pace(round=length, cut_round=request.cut_minutes or length, between=between)
    available = None if request.hours is None else round(60 * request.hours)
    cut_rounds = cut_titles(cut, settings.bracket_seats, settings.bracket_advance)
    advice_rows = _advice_rows(session, field)
    fit = 0 if available is None else pace.most_rounds(available, len(cut_rounds))
    round_counts = [field.rounds] if field.is_scheduled and field.rounds else []
    if field.rounds and not field.is_scheduled:
        round_counts = rounds_to_compare(field.rounds, advice_rows, players=players, fit=fit)
    can_estimate = not field.has_begun and not field.is_bracket and 0 < cut < players
    can_estimate = can_estimate and (players <= _LARGE or bool(request.runs))
    kinds: Mapping[type, type[RoundsForecast]] = {
        Plan: SwissForecast,
        TablePlan: TablesForecast,
        SchedulePlan: ScheduleForecast,
    }
    return kinds[type(field.plan)](
        plan=field.plan,
        rounds=field.rounds,
        cut=cut,
        published=tuple(advice_rows),
        timetable=timetable(
            _titles(field),
            cut_rounds,
            pace,
            start=request.start,
            available=available,
            other_rounds=round_counts,
        )
        if request.has_times
        else None,
        estimate=_estimate(session, request, field, cut, round_counts)
        if request.has_odds and can_estimate
        else None,
    )


def _refuse_impossible(request: PlanRequest, field: PlannedField) -> None:
    from tourney.forecast.simulation import refuse_too_many

    if request.cut and field.is_bracket:
        raise TourneyError("an event that is a bracket has no cut", "leave out `--cut`")
    if request.cut and request.cut >= field.plan.players:
        raise TourneyError(
            f"a cut to {request.cut} includes all {field.plan.players} players",
            "choose a smaller cut, or `--cut 0` for none",
        )
    if request.has_times or request.has_odds:
        if field.rounds is None:
            raise TourneyError("the number of rounds is not known", "`--rounds 4` sets the number of rounds")
        refuse_too_many(field.rounds)


def _advice_rows(session: Session, field: PlannedField) -> list[AdvisedRow]:
    if field.is_scheduled:
        return []
    library = session.library()
    players = field.plan.counted if isinstance(field.plan, Plan) else field.plan.players
    profiles = map(library.profile, library.profiles())
    return published_advice(players, profiles, seats=field.settings.match.seats[0])


def _titles(field: PlannedField) -> list[str]:
    """Return the names of the rounds before the cut; for a bracket, of all its rounds."""
    if field.is_bracket and isinstance(field.plan, SchedulePlan):
        return [
            f"{planned_round.title[:1].lower()}{planned_round.title[1:]}"
            for planned_round in field.plan.rounds
        ]
    return [f"round {number}" for number in range(1, (field.rounds or 0) + 1)]


def _estimate(
    session: Session, request: PlanRequest, field: PlannedField, cut: int, round_counts: Sequence[int]
) -> PlanEstimate:
    """Simulate the event many times, with the largest of the compared numbers of rounds.

    The same runs give the estimates for the smaller numbers: they count each run's standings after that many
    rounds, too.
    """
    from tourney.desk.forecasting import paired_by

    position = replace(
        _position(session, request, field, round_counts[-1], cut),
        rounds_to_count=frozenset(round_counts[:-1]),
    )
    draws = request.draw_share(field.settings.match.draws, USUAL_DRAWS)
    best = None if request.best is None else request.best / 100
    chances = plan_chances(position, best=best, draws=draws or 0.0, best_of=field.settings.match.best_of)
    is_slow = position.coming[0].pairer.slow
    work = len(position.record.players) * len(position.coming)
    counts = request.play(
        session, position, chances, max(40, min(1000, (60_000 if is_slow else 120_000) // work) // 10 * 10)
    )
    return PlanEstimate(
        runs=counts.runs,
        dice=request.dice,
        paired_by=paired_by(field.settings.pairing.system, position.coming)
        if field.desk
        else "by this program's Swiss rules",
        no_round=counts.no_round,
        strengths=chances.source,
        draws=chances.draws,
        best_of=chances.best_of,
        best=(best or USUAL_BEST) if chances.source == "given" else None,
        rounds=prospects({**counts.earlier, round_counts[-1]: counts}, chances.strengths),
    )


def _position(session: Session, request: PlanRequest, field: PlannedField, rounds: int, cut: int) -> Position:
    """Return the starting point of the simulated runs: the event before its first round."""
    from tourney.desk.forecasting import rounds_to_come
    from tourney.event.field import leavers_until
    from tourney.forecast.simulation import Position, coming_rounds

    if field.desk is None:
        return Position(
            record=Record(players=tuple(map(PlayerId, range(1, field.plan.players + 1)))),
            profile=session.library().profile(request.profile or "tourney"),
            cut=cut,
            coming=coming_rounds(1, rounds),
        )
    ranking, state = field.desk.ranking_input(profile=request.profile), field.desk.state
    return Position(
        record=ranking.record,
        profile=ranking.profile,
        cut=cut,
        late_drops=leavers_until(state, 0),
        coming=rounds_to_come(state, ranking.profile, 0, rounds),
    )


# -- In words


def _print_advice(session: Session, field: PlannedField, document: RoundsForecast) -> None:
    if document.published:
        session.say()
        rows = [
            [row.source.partition(" (http")[0], row.rounds or "bracket", row.cut or ""]
            for row in document.published
        ]
        session.table(["published", "rounds", "cut"], rows, right=(1, 2))
    plan = field.plan  # with awarded byes, more players can mean more or fewer rounds
    if isinstance(plan, Plan) and plan.counted == plan.players and plan.most_players is not None:
        session.say(f"the same number of rounds is advised for up to {counted(plan.most_players, 'player')}")


def _print_compared(session: Session, request: PlanRequest, document: RoundsForecast) -> None:
    """Print a table that compares several numbers of rounds by duration and by estimates."""
    times, effects = document.timetable, document.estimate.rounds if document.estimate else ()
    numbers = [row.rounds for row in (times.compared if times else effects)]
    columns: list[_Column] = [("rounds", numbers)]
    columns += _time_columns(times, document.cut, request.start) if times else []
    columns += _chance_columns("best player in", [row.best_player for row in effects])
    columns += _chance_columns("unbeaten but out", [row.unbeaten_out for row in effects])
    right = range(len(columns))
    if times and times.available is not None and times.compared[-1].lasts > times.available:
        columns.append(("", ["too long" if row.lasts > times.available else "" for row in times.compared]))
    rows = zip(*(cells for _, cells in columns), strict=True)
    session.table([title for title, _ in columns], rows, right=right)


_Column = tuple[str, Sequence[object]]
"""The title of a column, and its cells."""


def _time_columns(times: Timetable, cut: int, start: int | None) -> Iterator[_Column]:
    """Yield columns with the times at which the rounds and the cut are over."""
    yield "over", [clock(row.before_cut, start) for row in times.compared]
    if cut > 1:
        yield f"top {cut} over", [clock(row.lasts, start) for row in times.compared]


def _chance_columns(title: str, shares: Iterable[Share | None]) -> Iterator[_Column]:
    """Yield a column of estimated percentages, and a column of their 95 % intervals.

    Yields nothing if all estimates are unknown.
    """
    if cells := [share_cells(share) for share in shares if share]:
        yield from zip((title, "95 %"), zip(*cells, strict=True), strict=True)


def _print_records(session: Session, document: RoundsForecast, estimate: PlanEstimate) -> None:
    """Print how often each final record makes the cut after the planned rounds."""
    prospect = next((row for row in estimate.rounds if row.rounds == document.rounds), None)
    if prospect is None:
        return
    session.say(f"\nafter {counted(prospect.rounds, 'round')}:")
    records = [record for record in prospect.records if record.in_]
    print_records(session, records, estimate.runs, document.cut)
    drawn_tables = mean_text(prospect.drawn * prospect.tables)
    tables = counted(round(prospect.tables), "table")
    rematches = mean_text(prospect.rematches) if prospect.rematches else "no"
    session.say(f"on average, {drawn_tables} of {tables} end drawn, and there are {rematches} rematches")


def _print_timetable(
    session: Session, request: PlanRequest, field: PlannedField, document: RoundsForecast, times: Timetable
) -> None:
    session.say()
    rows = [
        [row.title, clock(row.begins, request.start), clock(row.ends, request.start)] for row in times.rounds
    ]
    session.table(["", "begins", "ends"], rows, right=(1, 2))
    rounds_text = counted(len(_titles(field)), "round") + (
        f" and the top {document.cut}" if document.cut > 1 else ""
    )
    over = "from the end of registration to the last result"
    if times.start is not None:
        over = f"over at {clock(times.lasts, request.start)} if registration closes at {times.start}"
    session.say(f"{rounds_text}: {duration_text(times.lasts)}, {over}")
    if times.too_long:
        fits = "" if field.is_scheduled else _fits_text(document, times)
        session.say(f"{duration_text(times.too_long)} longer than the available time{fits}")
    elif times.registration_open is not None:
        spare = times.registration_open
        until = f"until {clock(spare, request.start)}" if times.start else f"for {duration_text(spare)}"
        session.say(f"registration can stay open {until}")


def _fits_text(document: RoundsForecast, times: Timetable) -> str:
    fits, parts = times.fits, []
    if fits and document.cut > 1 and fits.with_cut > 0:
        parts.append(f"{counted(fits.with_cut, 'round')} and the top {document.cut}")
    if fits and fits.without_cut > 0:
        parts.append(f"{counted(min(fits.without_cut, document.rounds or 0), 'round')} without a cut")
    return f"; what fits: {', or '.join(parts)}" if parts else "; not even one round fits"


def _estimate_lines(request: PlanRequest, field: PlannedField, document: RoundsForecast) -> Iterator[str]:
    """Yield sentences on how the estimate was made, or why there is no estimate."""
    if document.estimate:
        yield from run_lines(document.estimate, best=document.estimate.best)
        if field.settings.pairing.system in {"dutch", "manual"}:
            yield f"rounds are paired in every run {document.estimate.paired_by}"
    elif request.has_odds and not document.cut:
        yield "chances are not estimated without a cut; add one, such as `--cut 8`"
    elif request.has_odds and field.has_begun:
        yield "the event has begun: `tourney forecast chances` estimates the rest"
    elif request.has_odds and field.plan.players > _LARGE:
        yield (
            f"for more than {_LARGE} players, chances are estimated only with `--runs`;"
            " `--runs 40` takes minutes"
        )
