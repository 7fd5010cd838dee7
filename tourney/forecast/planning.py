"""Before the event: published advice, the timetable, and what each number of rounds would lead to.

Minutes count from the moment registration closes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import msgspec

from tourney.document import Document
from tourney.forecast.documents import RecordChance, Simulated, record_chances
from tourney.forecast.shares import Share
from tourney.forecast.simulation import Counts
from tourney.pairing.elimination import cut_sizes
from tourney.pairing.plan import ADVICE, Plan, SchedulePlan, TablePlan
from tourney.record import PlayerId
from tourney.standings.profile import Profile
from tourney.wording import counted

# -- Published tables


class AdvisedRow(msgspec.Struct, frozen=True):
    """The row of a published table for a number of players.

    name: the name of the table, as for `--advice`, or of the standings profile that has it
    source: where the table is published
    rounds: rounds before the cut; 0: single elimination from the start
    cut: players in the cut; 0: none
    fewest: the fewest players the row is for
    most: the most players the row is for; null: any number
    """

    name: str
    source: str
    rounds: int
    cut: int
    fewest: int
    most: int | None


def published(players: int, profiles: Iterable[Profile] = (), *, seats: int = 2) -> list[AdvisedRow]:
    """Return the rows for a number of players in `ADVICE` and in the schedules of profiles.

    Tables that end below this number are left out, and so are those of games with other tables. seats:
    players at a table
    """
    rows = []
    for name, advice in ADVICE.items() if seats == 2 else ():
        fewest = 1
        for most, rounds, cut in advice.rows:
            if most is None or players <= most:
                source = f"{advice.source}, as of {advice.as_of}"
                rows.append(AdvisedRow(name, source, rounds, cut, fewest, most))
                break
            fewest = most + 1
    for profile in profiles:
        is_for_large_tables = bool(profile.win_by_size or profile.placement)
        rows += [
            AdvisedRow(profile.name, profile.source, row.rounds, row.cut, row.fewest, row.most)
            for row in profile.schedule
            if is_for_large_tables is (seats > 2) and row.fewest <= players <= row.most
        ]
    return rows


# -- The timetable


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How long things take, in minutes.

    round:     a round before the cut
    cut_round: a round of the cut
    between:   the time before each round and after the last: extra turns, results, pairings, finding one's
               seat
    """

    round: int
    cut_round: int
    between: int

    def lasts(self, rounds: int, cut_rounds: int) -> int:
        """Return how long rounds and cut last, from the end of registration to the last result."""
        number = rounds + cut_rounds
        return rounds * self.round + cut_rounds * self.cut_round + (number + 1) * self.between

    def most_rounds(self, available: int, cut_rounds: int) -> int:
        """Return how many rounds fit before a cut of so many rounds; -1 if the cut alone does not fit."""
        left = available - self.lasts(0, cut_rounds)
        return -1 if left < 0 else left // (self.round + self.between)


class TimetableRow(msgspec.Struct, frozen=True):
    """A round of the timetable.

    title: the name of the round
    begins: when the round begins, in minutes after registration closes
    ends: when its time is up
    """

    title: str
    begins: int
    ends: int


class RoundsLength(msgspec.Struct, frozen=True):
    """How long the event lasts with another number of rounds.

    rounds: rounds before the cut
    before_cut: minutes from the end of registration to the last result before the cut
    lasts: minutes from the end of registration to the last result
    """

    rounds: int
    before_cut: int
    lasts: int


class RoundsThatFit(msgspec.Struct, frozen=True):
    """How many rounds the time allows.

    with_cut: rounds before the cut, if there is time for the cut; below 1: none
    without_cut: rounds without a cut; below 1: none
    """

    with_cut: int
    without_cut: int


class Timetable(msgspec.Struct, frozen=True):
    """The rounds by the clock, in minutes after registration closes.

    start: when registration closes, as `HH:MM`; null if no time was given
    round_minutes: the minutes of a round
    cut_minutes: the minutes of a round of the cut
    between: the minutes before each round and after the last
    rounds: the rounds, and then those of the cut
    lasts: minutes from the end of registration to the last result
    available: the minutes for the whole event; null if no time was given
    registration_open: how many of these minutes registration can stay open; null if there are too few
    too_long: how many minutes are missing; null if none are
    fits: how many rounds the time allows; null if no time was given
    compared: how long the event lasts with other numbers of rounds
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
    compared: Iterable[int] = (),
) -> Timetable:
    """Return when each round begins and ends.

    start:     minutes after midnight
    available: minutes for the whole event
    compared:  other numbers of rounds
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
            RoundsLength(rounds, pace.lasts(rounds, 0), pace.lasts(rounds, cut_rounds)) for rounds in compared
        ),
    )


def cut_titles(cut: int, seats: int = 2, advance: int = 1) -> list[str]:
    """Return the rounds of a single-elimination cut; none for fewer than two players.

    A size that tables of three and more do not fill counts as the next larger possible one.

    >>> cut_titles(6), cut_titles(1), cut_titles(9, 3)
    (['quarterfinals', 'semifinals', 'final'], [], ['semifinals', 'final'])
    >>> cut_titles(32)[:2]
    ['round of 32', 'round of 16']
    """
    if cut < 2:
        return []
    if seats == 2:
        left = [2**step for step in range((cut - 1).bit_length(), 0, -1)]
    else:
        sizes = cut_sizes(seats, advance, cut * seats)
        left = [*[size for size in sizes if size < cut], *[size for size in sizes if size >= cut][:1]][::-1]
    names = ["final", "semifinals", *(["quarterfinals"] if seats == 2 else [])]
    return [
        names[to_go] if (to_go := len(left) - 1 - at) < len(names) else f"round of {size}"
        for at, size in enumerate(left)
    ]


def clock(minutes: int, start: int | None = None) -> str:
    """Return a time of day; without a start, the time since registration closed.

    start: minutes after midnight

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
    hours, left = divmod(minutes, 60)
    parts = [counted(hours, "hour")] if hours else []
    return " ".join(parts + ([counted(left, "minute")] if left or not hours else []))


# -- Simulations


def spread_strengths(players: Sequence[PlayerId], best: float) -> dict[PlayerId, float]:
    """Return normally distributed strengths (logarithms, as in `Chances`), the first player's the greatest.

    best: the share of matches with a winner that the best player wins against an average one, at least ½

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


class Prospect(msgspec.Struct, frozen=True):
    """What a number of rounds leads to, by simulation.

    rounds: rounds before the cut
    best_player: the strongest player's chance of the cut; null if all players are equal
    unbeaten_out: the share of events in which a player without a loss misses the cut
    tables: tables in an event, on average
    drawn: the share of tables that end drawn
    rematches: rematches in an event, on average
    records: how often each final record makes the cut, the best first
    """

    rounds: int
    best_player: Share | None
    unbeaten_out: Share
    tables: float
    drawn: float
    rematches: float
    records: tuple[RecordChance, ...]


def prospects(counts: Mapping[int, Counts], strengths: Mapping[PlayerId, float]) -> tuple[Prospect, ...]:
    """Return what each number of rounds leads to. counts: the counts of the runs, by number of rounds."""
    strongest = max(strengths, key=strengths.__getitem__) if len(set(strengths.values())) > 1 else None
    return tuple(
        Prospect(
            rounds=rounds,
            best_player=None if strongest is None else played.chance(strongest),
            unbeaten_out=Share.of(played.undefeated_out, played.runs),
            tables=round(played.tables / played.runs, 6),
            drawn=round(played.drawn / played.tables, 6) if played.tables else 0.0,
            rematches=round(played.rematches / played.runs, 6),
            records=record_chances(played),
        )
        for rounds, played in sorted(counts.items())
    )


class PlanEstimate(Simulated, frozen=True):
    """What each number of rounds leads to, by playing the event many times.

    best: the share of matches that the best player wins against an average one; null if strengths are from
        ratings, or equal
    rounds: each number of rounds
    """

    best: float | None
    rounds: tuple[Prospect, ...]


# -- Documents


class RoundsForecast(Document, frozen=True):
    """What `tourney forecast rounds --json` and `tourney round plan --json` print for any kind of plan.

    plan: what the number of players allows, with the reasons
    rounds: rounds before the cut; 0 for a bracket; null if the number is not known
    cut: how many make the cut, as given or advised; 0: there is none
    published: what published tables say about so many players; empty if the system sets the number of rounds
    timetable: the rounds by the clock; null unless a time was given
    estimate: what each number of rounds leads to; null unless it was asked for and is possible
    """

    plan: Any
    rounds: int | None
    cut: int
    published: tuple[AdvisedRow, ...]
    timetable: Timetable | None
    estimate: PlanEstimate | None


class SwissForecast(RoundsForecast, frozen=True, tag="tourney.plan/1"):
    """What `tourney forecast rounds --json` and `tourney round plan --json` print for Swiss rounds."""

    plan: Plan


class TablesForecast(RoundsForecast, frozen=True, tag="tourney.plan-tables/1"):
    """What `forecast rounds --json` and `round plan --json` print for tables of three and more."""

    plan: TablePlan


class ScheduleForecast(RoundsForecast, frozen=True, tag="tourney.plan-rounds/1"):
    """What `forecast rounds --json` and `round plan --json` print for a round robin or a bracket."""

    plan: SchedulePlan
