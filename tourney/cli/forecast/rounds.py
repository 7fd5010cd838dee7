"""`tourney forecast rounds`, which `tourney round plan` is, too: how many rounds, what cut, and when it is over."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import time
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from tourney.cli.command import command
from tourney.cli.options import Amount, F, gathered, players_of_runs, profile_option, together
from tourney.cli.session import Session
from tourney.errors import TourneyError
from tourney.record import Outcome
from tourney.wording import counted

if TYPE_CHECKING:
    from tourney.desk import Desk
    from tourney.event.settings import System
    from tourney.event.state import State
    from tourney.forecast.planning import AdvisedRow, Pace, Prospect, TimetableRow
    from tourney.forecast.simulation import Chances, Counts, Position
    from tourney.pairing.plan import Plan, SchedulePlan, TablePlan
    from tourney.standings import Profile


# -- What is asked


def _clock_time(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """Return a time of the day in minutes after midnight."""
    if value is None:
        return None
    try:
        at = time.fromisoformat(value if ":" in value else "")
    except ValueError:
        raise click.BadParameter(f"`{value}` is no time of the day; one is `10:30`", ctx, param) from None
    return 60 * at.hour + at.minute


_options = together(
    click.option(
        "--players",
        "expected",
        type=click.IntRange(min=1),
        help="How many are expected; else those of the event.",
    ),
    click.option(
        "--rounds",
        type=click.IntRange(min=1),
        help="Rounds wished for; else those of the event, else as advised.",
    ),
    click.option(
        "--advice",
        default="own",
        show_default=True,
        help="Whose advice on rounds and cut: own, magic, pokemon, flesh-and-blood.",
    ),
    click.option("--cut", metavar="N", type=click.IntRange(min=0), help="How many make the cut; 0: nobody."),
    click.option(
        "--hours",
        metavar="H",
        type=Amount(0, 240, min_open=True),
        help="How long there is for all of it, the cut included.",
    ),
    click.option(
        "--round-minutes",
        metavar="MIN",
        type=click.IntRange(1, 1440),
        help="How long a round is (as the event has it, else 50).",
    ),
    click.option(
        "--cut-minutes",
        metavar="MIN",
        type=click.IntRange(1, 1440),
        help="How long a round of the cut is (as long as the others).",
    ),
    click.option(
        "--between",
        metavar="MIN",
        type=click.IntRange(0, 1440),
        help="Buffer before each round and after the last, for extra turns, results, pairings and finding one's seat (10).",
    ),
    click.option(
        "--start",
        metavar="HH:MM",
        callback=_clock_time,
        help="When registration is to close; times are told from there, and --hours begin.",
    ),
    click.option(
        "--runs",
        metavar="N",
        type=click.IntRange(0, 1_000_000),
        help="How often the event is played to estimate (up to 1,000 times, fewer the larger it is); 0: nothing is estimated.",
    ),
    click.option(
        "--best",
        metavar="PERCENT",
        type=Amount(50, 99),
        help="How many matches the best player wins against an average one (by the ratings where everybody has one, else 70).",
    ),
    click.option("--draws", metavar="PERCENT", type=Amount(0, 100), help="How many tables end drawn (5)."),
    profile_option("Rules that rank them (the event's; `tourney`)."),
    players_of_runs,
)

_DRAWS, _BEST = 5.0, 70.0

_LARGE = 500
"""Players from which on nothing is estimated unasked: it would take minutes."""


@dataclass(frozen=True, kw_only=True)
class _Wishes:
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
    runs: int | None
    best: float | None
    draws: float | None
    profile: str | None
    dice: str
    jobs: int | None
    scheduler: str | None

    @property
    def of_day(self) -> bool:
        """Whether the timetable is asked for."""
        said = (self.hours, self.round_minutes, self.cut_minutes, self.between, self.start)
        return any(each is not None for each in said)

    @property
    def of_field(self) -> bool:
        """Whether an estimate is asked for."""
        said = (self.cut or None, self.runs, self.best, self.draws)
        return self.runs != 0 and any(each is not None for each in said)

    @property
    def anything(self) -> bool:
        """Whether anything is asked for besides the plain plan, which players, rounds and advice make."""
        return self.of_day or self.of_field or self.cut is not None

    def pace(self, minutes: int) -> Pace:
        """Return how long things take. minutes: of a round of the event, 0 for no limit."""
        from tourney.forecast.planning import Pace

        length = self.round_minutes or minutes or 50
        between = 10 if self.between is None else self.between
        return Pace(round=length, cut_round=self.cut_minutes or length, between=between)

    @property
    def available(self) -> int | None:
        """How many minutes there are."""
        return None if self.hours is None else round(60 * self.hours)

    def often(self, position: Position) -> int:
        """Return how many runs there are to be."""
        work = len(position.record.players) * len(position.coming)
        most = 60_000 if position.coming[0].pairer.slow else 120_000
        return self.runs or max(40, min(1000, most // work) // 10 * 10)


def _wishing(function: F) -> F:
    return _options(gathered("wishes", _Wishes)(function))


# -- What is planned


@dataclass(frozen=True, kw_only=True)
class _Field:
    """What is planned, of an event or of a number of players.

    schema, plan: the plain plan, and the schema of its JSON
    players:  how many; counted: the same with awarded byes as the players they stand for; seats: at a table
    rounds:   before the cut; None: nobody says. fixed: whether they follow from the system
    advised:  the cut that the event plans, else the advised one, 0 for none
    stage:    how many players a table of the cut has, and how many go on from each
    system:   that the event pairs by; of a number of players there is none yet
    titles:   the rounds of an event that is nothing but a bracket
    minutes:  of a round, 0 for no limit; match: games a match can have, and whether it may be drawn
    begun:    whether the event has begun, so that its rest is another question
    most_players: with how many no more rounds are advised; None: nobody says
    profiles: whose schedules are asked
    position: given a number of rounds and a cut, the event before it begins; None: there is nothing to estimate
    """

    schema: str
    plan: Plan | TablePlan | SchedulePlan
    players: int
    counted: int
    rounds: int | None
    profiles: Callable[[], Sequence[Profile]]
    position: Callable[[int, int], Position] | None
    advised: int = 0
    seats: int = 2
    stage: tuple[int, int] = (2, 1)
    fixed: bool = False
    system: System | None = None
    titles: tuple[str, ...] = ()
    minutes: int = 0
    match: tuple[int, bool] = (3, True)
    begun: bool = False
    most_players: int | None = None


def _of_number(session: Session, players: int, wishes: _Wishes) -> _Field:
    from tourney.pairing import plan

    advised = plan(players, rounds=wishes.rounds, advice=wishes.advice)
    library = session.library()

    def position(rounds: int, cut: int) -> Position:
        from tourney.forecast.simulation import Position, coming_rounds
        from tourney.record import PlayerId, Record

        return Position(
            record=Record(players=tuple(PlayerId(number) for number in range(1, players + 1))),
            profile=library.profile(wishes.profile or "tourney"),
            cut=cut,
            coming=coming_rounds(1, rounds),
        )

    return _Field(
        schema="plan/1",
        plan=advised,
        players=players,
        counted=players,
        rounds=advised.rounds,
        advised=advised.top_cut,
        most_players=advised.most_players,
        profiles=lambda: [library.profile(name) for name in library.profiles()],
        position=position,
    )


def _of_event(session: Session, desk: Desk, wishes: _Wishes) -> _Field:
    """Return what an event allows. Raises TourneyError where rounds are wished for that follow from the system."""
    state = desk.state
    settings = state.settings
    fixed = settings.pairing.system in {"round-robin", "elimination"}
    if fixed and wishes.rounds is not None:
        raise TourneyError(
            f"the number of rounds follows from the system: {settings.pairing.system}",
            "`tourney round plan` says how many",
        )
    planned = _planned(desk, wishes)
    library = session.library()
    is_bracket = settings.pairing.system == "elimination"
    return _Field(
        **planned._asdict() | {"advised": (0 if is_bracket else settings.cut.planned_cut) or planned.advised},
        profiles=lambda: [library.profile(name) for name in library.profiles()],
        position=None if state.rounds or is_bracket else _position_of(desk, wishes.profile),
        fixed=fixed,
        seats=settings.match.seats[0],
        stage=(settings.bracket_seats, settings.bracket_advance),
        system=settings.pairing.system,
        minutes=settings.match.minutes,
        match=(settings.match.best_of, settings.match.draws),
        begun=bool(state.rounds),
    )


class _Planned(NamedTuple):
    """The plain plan of an event's system, and what it says of the field; named as in `_Field`."""

    schema: str
    plan: Plan | TablePlan | SchedulePlan
    rounds: int | None
    players: int
    counted: int
    advised: int = 0
    titles: tuple[str, ...] = ()
    most_players: int | None = None


def _planned(desk: Desk, wishes: _Wishes) -> _Planned:
    settings = desk.state.settings
    if settings.pairing.system == "elimination":
        return _bracket_planned(desk.state)
    if settings.pairing.system == "round-robin":
        return _schedule_planned(desk.state)
    if any(size != 2 for size in settings.match.seats):
        return _tables_planned(desk, wishes)
    return _swiss_planned(desk.state, wishes)


def _bracket_planned(state: State) -> _Planned:
    from tourney.event.brackets import planned_bracket

    bracket, players = planned_bracket(state), len(state.playing)
    titles = tuple(each.title for each in bracket.rounds)
    return _Planned("plan-rounds/1", bracket, 0, players, players, titles=titles)


def _schedule_planned(state: State) -> _Planned:
    from tourney.event.field import scheduled
    from tourney.pairing.plan import plan_round_robin

    members = len(scheduled(state)) if state.rounds else len(state.playing)
    schedule = plan_round_robin(members, double=state.settings.pairing.double)
    return _Planned("plan-rounds/1", schedule, len(schedule.rounds), members, members)


def _tables_planned(desk: Desk, wishes: _Wishes) -> _Planned:
    from tourney.event.field import sizes_of
    from tourney.pairing.plan import plan_tables

    settings, players = desk.state.settings, len(desk.state.playing)
    tables = plan_tables(players, sizes_of(desk.state), settings.bracket_seats, settings.bracket_advance)
    rounds = wishes.rounds or settings.pairing.rounds
    if rounds is None:
        rows = desk.profile(wishes.profile).schedule
        rounds = next((row.rounds for row in rows if row.fewest <= players <= row.most), 0) or None
    return _Planned("plan-tables/1", tables, rounds, players, players)


def _swiss_planned(state: State, wishes: _Wishes) -> _Planned:
    from tourney.pairing.plan import plan

    byes = [sum(kind is Outcome.AWARDED_BYE for kind in player.byes.values()) for player in state.playing]
    awarded = [number for number in byes if number]
    rounds = wishes.rounds or state.settings.pairing.rounds
    swiss = plan(len(state.playing), rounds=rounds, awarded=awarded, advice=wishes.advice)
    return _Planned(
        "plan/1",
        swiss,
        swiss.rounds,
        len(state.playing),
        swiss.counted,
        advised=swiss.top_cut,
        most_players=None if awarded else swiss.most_players,
    )


def _position_of(desk: Desk, profile: str | None) -> Callable[[int, int], Position]:
    """Return how an event that has not begun is played: given a number of rounds and a cut."""

    def position(rounds: int, cut: int) -> Position:
        from tourney.desk.forecasting import rounds_to_come
        from tourney.event.field import left_by
        from tourney.forecast.simulation import Position

        ranked = desk.ranked(profile=profile)
        return Position(
            record=ranked.record,
            profile=ranked.profile,
            cut=cut,
            gone=left_by(desk.state, 0),
            coming=rounds_to_come(desk.state, ranked.profile, 0, rounds),
        )

    return position


# -- tourney forecast rounds


@command(
    "rounds",
    event=True,
    examples=[
        "tourney forecast rounds --players 57 --cut 8 --hours 7 --round-minutes 50",
        "tourney forecast rounds --players 40 --cut 8 --start 10:00 --draws 3 --best 75",
        "tourney forecast rounds --players 40 --advice magic --hours 8",
    ],
)
@_wishing
def rounds_(session: Session, *, wishes: _Wishes) -> None:
    """Say what the numbers allow: rounds advised, when rematches begin, how many byes, and when all is over.

    With --players no event is needed. Of an event with three and more at a table: how many tables, and which cuts; of a
    round robin and of an event that is nothing but a bracket, the rounds that it has.

    What is asked for besides is told: with --hours, --round-minutes or --start the timetable, and until when registration
    can stay open; with --cut what every published table advises, and by playing the event many times how likely the best
    player makes it, and somebody without a loss does not. `tourney round plan` is the same command.
    """
    _plan(session, wishes)


@command(
    "plan",
    event=True,
    examples=[
        "tourney round plan",
        "tourney round plan --players 23 --rounds 5",
        "tourney round plan --players 40 --advice magic",
    ],
)
@_wishing
def plan_(session: Session, *, wishes: _Wishes) -> None:
    """Say what the numbers allow: rounds advised, when rematches begin, how many byes.

    The same as `tourney forecast rounds`, whose help says more.
    """
    _plan(session, wishes)


def _plan(session: Session, wishes: _Wishes) -> None:
    if wishes.expected is None:
        with session.desk() as desk:
            _answer(session, _of_event(session, desk, wishes), wishes)
    else:
        _answer(session, _of_number(session, wishes.expected, wishes), wishes)


def _answer(session: Session, field: _Field, wishes: _Wishes) -> None:
    if not wishes.anything and not session.json:
        for each in field.plan.reasons:
            session.say(each.text)
        return
    outlook = _Outlook.of(session, field, wishes)
    if session.json:
        session.emit(field.schema, {"plan": field.plan, **_as_json(outlook)})
        return
    for each in field.plan.reasons:
        session.say(each.text)
    _print(session, outlook)


@dataclass(frozen=True, kw_only=True)
class _Outlook:
    """What is worked out besides the plain plan. prospects: what the compared numbers of rounds come to; none where nothing is estimated."""

    field: _Field
    wishes: _Wishes
    cut: int
    pace: Pace
    cut_titles: tuple[str, ...]
    advised: Sequence[AdvisedRow]
    compared: Sequence[int]
    prospects: Sequence[Prospect]
    chances: Chances | None

    @classmethod
    def of(cls, session: Session, field: _Field, wishes: _Wishes) -> _Outlook:
        """Work it out. Raises TourneyError for a cut of everybody, and where it is not known how many rounds there are."""
        from tourney.forecast.planning import cut_titles, published
        from tourney.forecast.simulation import refuse_too_many

        cut = field.advised if wishes.cut is None else wishes.cut
        if field.titles and wishes.cut:
            raise TourneyError("an event that is a bracket has no cut", "leave out `--cut`")
        if wishes.cut and cut >= field.players:
            raise TourneyError(
                f"all {field.players} players make a cut to {cut}",
                "name a smaller one, or `--cut 0` for none",
            )
        if field.rounds is None and (wishes.of_day or wishes.of_field):
            raise TourneyError("how many rounds there are to be is not known", "`--rounds 4` says so")
        if wishes.of_day or wishes.of_field:
            refuse_too_many(field.rounds or 0)
        pace = wishes.pace(field.minutes)
        last = tuple(cut_titles(cut, *field.stage))
        advised = [] if field.fixed else published(field.counted, field.profiles(), seats=field.seats)
        fit = -1 if wishes.available is None else pace.most_rounds(wishes.available, len(last))
        compared = _compared(field, advised, fit)
        chances: Chances | None = None
        prospects: list[Prospect] = []
        if (
            wishes.of_field
            and 0 < cut < field.players
            and field.position
            and (field.players <= _LARGE or wishes.runs)
        ):
            chances, prospects = _played(session, field, wishes, cut, compared)
        return cls(
            field=field,
            wishes=wishes,
            cut=cut,
            pace=pace,
            cut_titles=last,
            advised=advised,
            compared=compared,
            prospects=prospects,
            chances=chances,
        )

    @property
    def rounds(self) -> int:
        """How many rounds there are before the cut."""
        return self.field.rounds or 0

    @property
    def slots(self) -> list[TimetableRow]:
        """The timetable."""
        from tourney.forecast.planning import timetable

        titles = self.field.titles or [f"round {number}" for number in range(1, self.rounds + 1)]
        return timetable([each[:1].lower() + each[1:] for each in titles], self.cut_titles, self.pace)

    @property
    def lasts(self) -> int:
        """How long all of it takes, in minutes from the end of registration."""
        return self.pace.lasts(self.rounds or len(self.field.titles), len(self.cut_titles))

    @property
    def spare(self) -> int | None:
        """For how many minutes registration can stay open; below 0, how many are missing; None: nobody says how many there are."""
        return None if self.wishes.available is None else self.wishes.available - self.lasts

    @property
    def paired_by(self) -> str:
        """How the rounds of an estimate were paired, after `paired in every run`."""
        from tourney.desk.forecasting import paired_by

        if self.field.system is None:
            return "by this program's Swiss rules"
        assert self.field.position is not None
        return paired_by(self.field.system, self.field.position(self.compared[-1], self.cut).coming)

    @property
    def counts(self) -> Counts:
        """What came of the runs of an estimate, after the most rounds that are compared."""
        return self.prospects[-1].counts


_EVEN = 50.0


def _compared(field: _Field, advised: Sequence[AdvisedRow], fit: int) -> list[int]:
    """Return the numbers of rounds that are worth a comparison: from the fewest that are advised or fit to one more than planned.

    fit: how many fit into the time there is, 0 or less where none does, or nobody says
    """
    if not field.rounds:
        return []
    if field.fixed:
        return [field.rounds]
    most = max(field.players - 1, field.rounds)
    found = [field.rounds, min(field.rounds + 1, most), *(each.rounds for each in advised)]
    first = min([each for each in found if each > 0] + ([fit] if fit > 0 else []))
    last = min(max(found), most)
    return list(range(max(first, last - _MOST_COMPARED + 1), last + 1))


_MOST_COMPARED = 8


def _played(
    session: Session, field: _Field, wishes: _Wishes, cut: int, compared: Sequence[int]
) -> tuple[Chances, list[Prospect]]:
    """Play the event many times; one run of the most rounds serves the fewer ones, too."""
    from tourney.cli.forecast.chances import added
    from tourney.forecast.planning import prospects, spread_strengths
    from tourney.forecast.simulation import Chances, chances_of
    from tourney.store.workers import Spread

    assert field.position is not None
    position = replace(field.position(compared[-1], cut), also_after=frozenset(compared[:-1]))
    best_of, may_draw = field.match
    share = _DRAWS if wishes.draws is None else wishes.draws
    if wishes.draws and not may_draw:
        raise click.UsageError("--draws: no match of this event can be drawn")
    draws = share / 100 if may_draw else 0.0
    record = position.record
    if wishes.best is None and record.ratings.keys() >= set(record.players):
        chances = chances_of(record, source="ratings", draws=draws, best_of=best_of)
    else:
        best = wishes.best or _BEST
        staying = [player for player in record.players if player not in position.gone]
        chances = Chances(
            strengths={} if best == _EVEN else spread_strengths(staying, best / 100),
            source="equal" if best == _EVEN else "given",
            draws=draws,
            best_of=best_of,
        )
    spread = Spread(
        position=position,
        chances=chances,
        seed=wishes.dice,
        runs=wishes.often(position),
        jobs=wishes.jobs,
        scheduler=wishes.scheduler,
    )
    counts = added(session, spread)
    return chances, prospects({**counts.earlier, compared[-1]: counts}, chances.strengths)


# -- What is told of it


def _print(session: Session, outlook: _Outlook) -> None:
    """Say all of it: the tables, then what an organizer must know."""
    from tourney.cli.forecast.chances import mean_text, say_records

    if outlook.advised:
        session.say()
        rows = [
            [each.source.partition(" (http")[0], each.rounds or "bracket", each.cut or ""]
            for each in outlook.advised
        ]
        session.table(["published", "rounds", "cut"], rows, right=(1, 2))
    if outlook.field.most_players is not None:
        session.say(f"up to {counted(outlook.field.most_players, 'player')} no more rounds are advised")
    if outlook.prospects or (outlook.wishes.of_day and len(outlook.compared) > 1):
        session.say()
        _print_compared(session, outlook)
    planned = next((each for each in outlook.prospects if each.rounds == outlook.rounds), None)
    if planned is not None:
        session.say(f"\nafter {counted(outlook.rounds, 'round')}:")
        say_records(session, planned.counts, outlook.cut, only_made=True)
        counts = planned.counts
        drawn, tables = mean_text(counts.drawn / counts.runs), round(counts.tables / counts.runs)
        again = f"{mean_text(planned.rematches)} rematches" if counts.rematches else "no rematch"
        session.say(f"on average {drawn} of {counted(tables, 'table')} end drawn, and {again}")
    if outlook.wishes.of_day:
        session.say()
        rows = [[each.title, _at(outlook, each.begins), _at(outlook, each.ends)] for each in outlook.slots]
        session.table(["", "begins", "ends"], rows, right=(1, 2))
        for line in _day_lines(outlook):
            session.say(line)
    for line in _field_lines(outlook):
        session.talk(line)


def _print_compared(session: Session, outlook: _Outlook) -> None:
    """Print what several numbers of rounds come to, side by side."""
    from tourney.cli.forecast.chances import share_cells

    by_rounds = {each.rounds: each for each in outlook.prospects}
    strongest = any(each.best for each in outlook.prospects)
    headers = ["rounds"]
    if outlook.wishes.of_day:
        headers += ["over", f"top {outlook.cut} over"] if outlook.cut_titles else ["over"]
    if by_rounds:
        headers += ["best player in", "95 %"] if strongest else []
        headers += ["unbeaten, and out", "95 %"]
    rows = []
    for rounds in outlook.compared:
        row: list[object] = [rounds]
        over = outlook.pace.lasts(rounds, len(outlook.cut_titles))
        if outlook.wishes.of_day:
            row += [_at(outlook, outlook.pace.lasts(rounds, 0))] if outlook.cut_titles else []
            row.append(_at(outlook, over))
        if prospect := by_rounds.get(rounds):
            row += share_cells(prospect.best) if prospect.best else []
            row += share_cells(prospect.unbeaten_out)
        too_long = outlook.wishes.available is not None and over > outlook.wishes.available
        rows.append([*row, "too long" if too_long else ""])
    noted = any(row[-1] for row in rows)
    if noted:
        headers.append("")
    session.table(headers, [row if noted else row[:-1] for row in rows], right=range(len(headers) - noted))


def _at(outlook: _Outlook, minutes: int) -> str:
    from tourney.forecast.planning import clock

    return clock(minutes, outlook.wishes.start)


def _day_lines(outlook: _Outlook) -> Iterator[str]:
    """Give what the timetable means."""
    from tourney.forecast.planning import duration_text

    number = outlook.rounds or len(outlook.field.titles)
    what = counted(number, "round") + (f" and the top {outlook.cut}" if outlook.cut_titles else "")
    over = "from the end of registration to the last result"
    if outlook.wishes.start is not None:
        over = f"over at {_at(outlook, outlook.lasts)}, if registration closes at {_at(outlook, 0)}"
    yield f"{what}: {duration_text(outlook.lasts)}, {over}"
    if outlook.spare is None:
        return
    if outlook.spare >= 0:
        yield f"the last moment to close registration: {_latest(outlook, outlook.spare)}"
        return
    yield f"too long by {duration_text(-outlook.spare)}{_instead(outlook)}"


def _latest(outlook: _Outlook, spare: int) -> str:
    from tourney.forecast.planning import duration_text

    if outlook.wishes.start is not None:
        return _at(outlook, spare)
    return f"{duration_text(spare)} after the beginning" if spare else "the beginning"


def _instead(outlook: _Outlook) -> str:
    """Say what would fit."""
    if outlook.field.fixed:
        return ""
    available = outlook.wishes.available or 0
    with_cut = outlook.pace.most_rounds(available, len(outlook.cut_titles))
    without = outlook.pace.most_rounds(available, 0)
    fits = []
    if outlook.cut_titles and with_cut > 0:
        fits.append(f"{counted(with_cut, 'round')} and the top {outlook.cut}")
    if without > 0:
        fits.append(f"{counted(min(without, outlook.rounds), 'round')} without a cut")
    return f"; what fits: {', or '.join(fits)}" if fits else "; not even one round fits"


def _field_lines(outlook: _Outlook) -> Iterator[str]:
    """Give how it was estimated, or why it was not."""
    from tourney.cli.forecast.chances import no_round_lines
    from tourney.forecast.shares import percent_text

    if outlook.wishes.of_field and not outlook.cut:
        yield "without a cut nothing is estimated: `--cut 8`"
    if outlook.chances is not None:
        yield f"estimated from {outlook.prospects[0].counts.runs:,} runs: {_strengths(outlook)}; {percent_text(outlook.chances.draws)} of the tables end drawn; nobody drops"
        if outlook.field.system in {"dutch", "manual"}:
            yield f"rounds are paired in every run {outlook.paired_by}"
        yield from no_round_lines(outlook.counts)
        return
    if not outlook.wishes.of_field or not outlook.cut:
        return
    if outlook.field.begun:
        yield "the event has begun: `tourney forecast chances` estimates how it goes on"
    elif outlook.field.players > _LARGE:
        yield f"more than {_LARGE} players: `--runs 40` estimates, and takes minutes"


def _strengths(outlook: _Outlook) -> str:
    assert outlook.chances is not None
    if outlook.chances.source == "ratings":
        return "strengths are from the ratings"
    best = outlook.wishes.best or _BEST
    if best == _EVEN:
        return "all players are taken to be equal"
    return f"the best player wins {best:g} % of the matches against an average one"


def _as_json(outlook: _Outlook) -> dict[str, Any]:
    """Return what `--json` has besides the plan; nothing in place of what was not asked for."""
    return {
        "cut": outlook.cut,
        "published": [each._asdict() for each in outlook.advised],
        "timetable": _timetable_json(outlook) if outlook.wishes.of_day else None,
        "estimate": _estimate_json(outlook, outlook.chances) if outlook.chances else None,
    }


def _timetable_json(outlook: _Outlook) -> dict[str, Any]:
    return {
        "start": None if outlook.wishes.start is None else _at(outlook, 0),
        "round_minutes": outlook.pace.round,
        "cut_minutes": outlook.pace.cut_round,
        "between": outlook.pace.between,
        "rounds": [each._asdict() for each in outlook.slots],
        "lasts": outlook.lasts,
        "available": outlook.wishes.available,
        "registration_open": outlook.spare if outlook.spare is not None and outlook.spare >= 0 else None,
        "too_long": -outlook.spare if outlook.spare is not None and outlook.spare < 0 else None,
        "compared": [
            {"rounds": rounds, "lasts": outlook.pace.lasts(rounds, len(outlook.cut_titles))}
            for rounds in outlook.compared
        ],
    }


def _estimate_json(outlook: _Outlook, chances: Chances) -> dict[str, Any]:
    from tourney.forecast.documents import record_chances, share_fields

    return {
        "runs": outlook.counts.runs,
        "dice": outlook.wishes.dice,
        "paired_by": outlook.paired_by,
        "no_round": outlook.counts.no_round,
        "strengths": chances.source,
        "best": (outlook.wishes.best or _BEST) / 100 if chances.source == "given" else None,
        "draws": chances.draws,
        "best_of": chances.best_of,
        "rounds": [
            {
                "rounds": each.rounds,
                "best_player": share_fields(each.best) if each.best else None,
                "unbeaten_out": share_fields(each.unbeaten_out),
                "drawn": round(each.drawn, 6),
                "rematches": round(each.rematches, 6),
                "records": record_chances(each.counts),
            }
            for each in outlook.prospects
        ],
    }
