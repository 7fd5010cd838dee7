"""Plans for a coming event: published advice on its rounds, the timetable, and simulations.

The effects of each number of rounds are estimated by simulation. Minutes count from the end of registration.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from tourney.document import Document
from tourney.forecast.shares import Counts, RecordChance, Share, Simulated, record_chances
from tourney.pairing.elimination import cut_sizes
from tourney.pairing.plan import ADVICE, Plan, SchedulePlan, TablePlan
from tourney.record import PlayerId
from tourney.standings.profile import Profile
from tourney.wording import counted

if TYPE_CHECKING:  # with the engines; a plan without runs needs none
    from tourney.forecast.simulation import Chances, Position

# -- Published tables


class AdvisedRow(Struct, frozen=True):
    """The row of a published table for a number of players.

    name: the name of the table, as for `--advice`, or the name of the standings profile that has the table
    source: the publication with the table
    rounds: the number of rounds before the cut; 0 for single elimination from the start
    cut: the number of players in the cut; 0 for no cut
    fewest: the fewest players for whom the row applies
    most: the maximum number of players for whom the row applies; null for no limit
    """

    name: str
    source: str
    rounds: int
    cut: int
    fewest: int
    most: int | None


def published_advice(players: int, profiles: Iterable[Profile] = (), *, seats: int = 2) -> list[AdvisedRow]:
    """Return the published advice for an event with this number of players.

    The advice comes from `ADVICE` and from the schedules of profiles. A source without advice for this
    number is left out.

    seats: the number of players at a table. With 2, only advice for games of two is returned; with more, only
           advice for games of three or more, which `ADVICE` does not have
    """
    rows = []
    for name, advice in ADVICE.items() if seats == 2 else ():
        if row := advice.row(players):
            rows.append(AdvisedRow(name, advice.dated_source, row.rounds, row.cut, row.fewest, row.most))
    for profile in profiles:
        is_for_large_tables = bool(profile.win_by_size or profile.placement)
        rows += [
            AdvisedRow(profile.name, profile.source, row.rounds, row.cut, row.fewest, row.most)
            for row in profile.schedule
            if is_for_large_tables is (seats > 2) and row.fewest <= players <= row.most
        ]
    return rows


_MOST_COMPARED = 8


def rounds_to_compare(
    rounds: int, advised_rows: Iterable[AdvisedRow], *, players: int, fit: int
) -> list[int]:
    """Return the numbers of rounds that a plan compares: up to eight consecutive numbers.

    The last one is the planned number plus one, or the largest advised number if that is larger. It is
    limited to the number of players minus one, or to the planned number if that is larger. The first one is
    the smallest positive number among the planned number, the advised numbers and `fit`. If that gives more
    than eight numbers, only the eight largest are returned.

    rounds: the planned number
    fit:    the number of rounds that the time allows; below 1 if it allows none, or if no time was given
    """
    numbers = [rounds, *(row.rounds for row in advised_rows)]
    last = min(max(rounds + 1, *numbers), max(players - 1, rounds))
    first = min(number for number in [*numbers, fit] if number > 0)
    return list(range(max(first, last - _MOST_COMPARED + 1), last + 1))


# -- The timetable


class Pace(Struct, frozen=True, kw_only=True):
    """The durations in a timetable, in minutes.

    round:     a round before the cut
    cut_round: a round of the cut
    between:   the time before each round and after the last round, for extra turns, results, pairings and
               finding seats
    """

    round: int
    cut_round: int
    between: int

    def lasts(self, rounds: int, cut_rounds: int) -> int:
        """Return the minutes from the end of registration to the last result, including the cut."""
        number = rounds + cut_rounds
        return rounds * self.round + cut_rounds * self.cut_round + (number + 1) * self.between

    def most_rounds(self, available: int, cut_rounds: int) -> int:
        """Return the most rounds that fit before the cut; -1 if the cut alone does not fit.

        available:  minutes for the rounds and the cut
        cut_rounds: the number of rounds of the cut
        """
        remaining_minutes = available - self.lasts(0, cut_rounds)
        return -1 if remaining_minutes < 0 else remaining_minutes // (self.round + self.between)


class TimetableRow(Struct, frozen=True):
    """A round of the timetable.

    title: the name of the round
    begins: the time when the round begins, in minutes after registration closes
    ends: the time when the round ends, in minutes after registration closes
    """

    title: str
    begins: int
    ends: int


class RoundsLength(Struct, frozen=True):
    """The duration of the event with another number of rounds.

    rounds: the number of rounds before the cut
    before_cut: minutes from the end of registration to the last result before the cut
    lasts: minutes from the end of registration to the last result
    """

    rounds: int
    before_cut: int
    lasts: int


class RoundsThatFit(Struct, frozen=True):
    """The maximum number of rounds that the time allows.

    with_cut: the maximum number of rounds before the cut; below 1 if there is no time for them
    without_cut: the maximum number of rounds of an event without a cut; below 1 if there is no time for them
    """

    with_cut: int
    without_cut: int


class Timetable(Struct, frozen=True):
    """The timetable of an event, in minutes after registration closes.

    start: the time when registration closes, as `HH:MM`; null if no time was given
    round_minutes: the minutes of a round
    cut_minutes: the minutes of a round of the cut
    between: the minutes before each round and after the last round
    rounds: the rounds before the cut, then the rounds of the cut
    lasts: minutes from the end of registration to the last result
    available: the minutes for the whole event; null if no time was given
    registration_open: the minutes that are left for registration; null if the rounds need more minutes than
        are available
    too_long: the minutes by which the event exceeds the time that is available; null if it does not
    fits: the maximum number of rounds that the time allows; null if no time was given
    compared: the duration of the event with other numbers of rounds
    """

    start: str | None
    round_minutes: int
    cut_minutes: int
    between: int
    rounds: tuple[TimetableRow, ...]
    lasts: int
    available: int | None
    registration_open: int | None
    too_long: int | None
    fits: RoundsThatFit | None
    compared: tuple[RoundsLength, ...]


def timetable(
    titles: Sequence[str],
    cut_titles: Sequence[str],
    pace: Pace,
    *,
    start: int | None = None,
    available: int | None = None,
    other_rounds: Iterable[int] = (),
) -> Timetable:
    """Return the timetable of an event.

    start:        the time when registration closes, in minutes after midnight
    available:    the minutes for the whole event
    other_rounds: other numbers of rounds, to compare their durations
    """
    rows: list[TimetableRow] = []
    now, cut_rounds = 0, len(cut_titles)
    for number, title in enumerate([*titles, *cut_titles]):
        begins = now + pace.between
        now = begins + (pace.round if number < len(titles) else pace.cut_round)
        rows.append(TimetableRow(title, begins, now))
    lasts = pace.lasts(len(titles), cut_rounds)
    spare = None if available is None else available - lasts
    return Timetable(
        start=None if start is None else clock(0, start),
        round_minutes=pace.round,
        cut_minutes=pace.cut_round,
        between=pace.between,
        rounds=tuple(rows),
        lasts=lasts,
        available=available,
        registration_open=spare if spare is not None and spare >= 0 else None,
        too_long=-spare if spare is not None and spare < 0 else None,
        fits=None
        if available is None
        else RoundsThatFit(pace.most_rounds(available, cut_rounds), pace.most_rounds(available, 0)),
        compared=tuple(
            RoundsLength(rounds, pace.lasts(rounds, 0), pace.lasts(rounds, cut_rounds))
            for rounds in other_rounds
        ),
    )


def cut_titles(cut: int, seats: int = 2, advance: int = 1) -> list[str]:
    """Return the names of the rounds of a single-elimination cut, the first round first.

    Brackets without byes have certain sizes: 2, 4, 8 … players at tables of two, and 3, 9, 27 … players at
    tables of three with one winner. A cut of another size has the rounds of the next larger size, if there
    is one. The list is empty for fewer than two players.

    cut: the number of players
    seats, advance: the number of players at a table, and how many of them advance

    >>> cut_titles(6), cut_titles(1), cut_titles(9, 3)
    (['quarterfinals', 'semifinals', 'final'], [], ['semifinals', 'final'])
    >>> cut_titles(32)[:2]
    ['round of 32', 'round of 16']
    """
    if cut < 2:
        return []
    sizes = cut_sizes(seats, advance, cut * seats)
    round_sizes = [*[size for size in sizes if size < cut], *[size for size in sizes if size >= cut][:1]]
    names = ["final", "semifinals", *(["quarterfinals"] if seats == 2 else [])]
    titles = [*names, *(f"round of {size}" for size in round_sizes[len(names) :])]
    return titles[: len(round_sizes)][::-1]


def clock(minutes: int, start: int | None = None) -> str:
    """Return a time of day as text, such as `11:40`.

    Without `start`, return the hours and minutes since registration closed instead.

    minutes: minutes after registration closes
    start:   the time when registration closes, in minutes after midnight

    >>> clock(70), clock(70, 10 * 60 + 30), clock(65, 23 * 60)
    ('1:10', '11:40', '00:05 (next day)')
    """
    if start is None:
        return f"{minutes // 60}:{minutes % 60:02}"
    days, at = divmod(start + minutes, 24 * 60)
    after = " (next day)" if days == 1 else f" ({days} days later)" if days else ""
    return f"{at // 60:02}:{at % 60:02}{after}"


def duration_text(minutes: int) -> str:
    """Return a duration in words.

    >>> duration_text(50), duration_text(60), duration_text(550)
    ('50 minutes', '1 hour', '9 hours 10 minutes')
    """
    hours, minutes_left = divmod(minutes, 60)
    parts = [counted(hours, "hour")] if hours else []
    return " ".join(parts + ([counted(minutes_left, "minute")] if minutes_left or not hours else []))


# -- Simulations


USUAL_DRAWS, USUAL_BEST = 0.05, 0.7
"""Usual shares: of tables that end drawn, and of matches that the best player wins."""


def plan_chances(position: Position, *, best: float | None, draws: float, best_of: int) -> Chances:
    """Return the model that generates results to simulate an event that has not begun.

    If every player has a rating and `best` is not given, the players' strengths come from the ratings.
    Otherwise, strengths are assumed by `spread_strengths`.

    best: the share of matches that the best player wins against an average player, not counting draws; ½ if
          all players are equal; None: `USUAL_BEST`, unless the ratings are used
    """
    from tourney.forecast.simulation import Chances, chances_of  # with the engines

    record = position.record
    if best is None and record.ratings.keys() >= set(record.players):
        return chances_of(record, source="ratings", draws=draws, best_of=best_of)
    staying = [player for player in record.players if player not in position.late_drops]
    is_even = best == 0.5
    return Chances(
        strengths={} if is_even else spread_strengths(staying, best or USUAL_BEST),
        source="equal" if is_even else "given",
        draws=draws,
        best_of=best_of,
    )


def spread_strengths(players: Sequence[PlayerId], best: float) -> dict[PlayerId, float]:
    """Return normally distributed strengths for players.

    Strengths are logarithms, as in `Chances`.

    players: the players, the strongest first
    best: the share of matches that the best player wins against an average player, not counting draws; at
          least ½

    >>> strengths = spread_strengths([PlayerId(1), PlayerId(2), PlayerId(3)], 0.75)
    >>> [round(1 / (1 + math.exp(-strength)), 2) for strength in strengths.values()]
    [0.75, 0.5, 0.25]
    """
    number = len(players)
    places = [NormalDist().inv_cdf(1 - (at + 0.5) / number) for at in range(number)]
    if number < 2:
        return dict.fromkeys(players, 0.0)
    unit = math.log(best / (1 - best)) / places[0]
    return {player: place * unit for player, place in zip(players, places, strict=True)}


class Prospect(Struct, frozen=True):
    """What happens in events with a certain number of rounds, by simulation.

    rounds: the number of rounds before the cut
    best_player: the strongest player's chance of making the cut; null if all players are equally strong
    unbeaten_out: the share of events in which a player without a loss misses the cut
    tables: the average number of tables in an event
    drawn: the share of tables that end drawn
    rematches: the average number of rematches in an event
    records: the chance of the cut with each final record, the best record first
    """

    rounds: int
    best_player: Share | None
    unbeaten_out: Share
    tables: float
    drawn: float
    rematches: float
    records: tuple[RecordChance, ...]


def prospects(counts: Mapping[int, Counts], strengths: Mapping[PlayerId, float]) -> tuple[Prospect, ...]:
    """Summarize the simulated events for each number of rounds, the fewest rounds first.

    counts:    number of rounds → what was counted in events with this many rounds
    strengths: the strength of each player
    """
    strongest = max(strengths, key=strengths.__getitem__) if len(set(strengths.values())) > 1 else None
    return tuple(
        Prospect(
            rounds=rounds,
            best_player=None if strongest is None else round_counts.chance(strongest),
            unbeaten_out=Share.of(round_counts.undefeated_out, round_counts.runs),
            tables=round(round_counts.tables / round_counts.runs, 6),
            drawn=round(round_counts.drawn_tables / round_counts.tables, 6) if round_counts.tables else 0.0,
            rematches=round(round_counts.rematches / round_counts.runs, 6),
            records=record_chances(round_counts),
        )
        for rounds, round_counts in sorted(counts.items())
    )


class PlanEstimate(Simulated, frozen=True):
    """The effects of each number of rounds, estimated by playing the event many times.

    best: the share of matches that the best player wins against an average player; null if strengths come
        from ratings, or are equal
    rounds: the effects, one entry for each number of rounds
    """

    best: float | None
    rounds: tuple[Prospect, ...]


# -- Documents


class RoundsForecast(Document, frozen=True):
    """What `tourney forecast rounds --json` prints for every pairing system.

    plan: what the number of players allows, with the reasons
    rounds: the number of rounds before the cut; 0 for a bracket; null if the number is not known
    cut: the number of players who make the cut, as given or advised; 0 for no cut
    published: the rows of published tables for this number of players; empty if the system sets the number of
        rounds
    timetable: the timetable; null unless a time was given
    estimate: the effects of each number of rounds; null unless an estimate was requested and is possible
    """

    plan: Any
    rounds: int | None
    cut: int
    published: tuple[AdvisedRow, ...]
    timetable: Timetable | None
    estimate: PlanEstimate | None


class SwissForecast(RoundsForecast, frozen=True, tag="tourney.plan/1"):
    """What `forecast rounds --json` prints for Swiss rounds."""

    plan: Plan


class TablesForecast(RoundsForecast, frozen=True, tag="tourney.plan-tables/1"):
    """What `forecast rounds --json` prints for tables of three or more players."""

    plan: TablePlan


class ScheduleForecast(RoundsForecast, frozen=True, tag="tourney.plan-rounds/1"):
    """What `forecast rounds --json` prints for a round robin or a bracket."""

    plan: SchedulePlan
