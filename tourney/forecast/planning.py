"""Before the event: what published tables advise, how the day goes, and how likely whom the rounds let through.

Minutes are counted from the moment registration closes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

from tourney.forecast.shares import Share
from tourney.pairing.elimination import cut_sizes
from tourney.pairing.plan import ADVICE
from tourney.record import PlayerId
from tourney.wording import counted

if TYPE_CHECKING:
    from tourney.forecast.simulation import Counts
    from tourney.standings.profile import Profile

# -- What is published


class AdvisedRow(NamedTuple):
    """What a table that somebody published says of so many players.

    rounds:  before the cut; 0: single elimination from the start
    cut:     0: none
    fewest, most: the players its row is for; most None: any more
    """

    name: str
    source: str
    rounds: int
    cut: int
    fewest: int
    most: int | None


def published(players: int, profiles: Iterable[Profile] = (), *, seats: int = 2) -> list[AdvisedRow]:
    """Return what every table that is known says: the publishers' (`ADVICE`), and the schedules of profiles.

    Those that do not go so far say nothing, nor do those of other games: seats, players at a table.
    """
    said = []
    for name, advice in ADVICE.items() if seats == 2 else ():
        fewest = 1
        for most, rounds, cut in advice.rows:
            if most is None or players <= most:
                source = f"{advice.source}, as of {advice.as_of}"
                said.append(AdvisedRow(name, source, rounds, cut, fewest, most))
                break
            fewest = most + 1
    for profile in profiles:
        larger = bool(profile.win_by_size or profile.placement)
        said += [
            AdvisedRow(profile.name, profile.source, row.rounds, row.cut, row.fewest, row.most)
            for row in profile.schedule
            if larger is (seats > 2) and row.fewest <= players <= row.most
        ]
    return said


# -- How the day goes


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How long things take, in minutes.

    round, cut_round: a round before the cut, and in it
    between: the buffer before each round and after the last: extra turns, results, pairings, finding one's seat
    """

    round: int
    cut_round: int
    between: int

    def lasts(self, rounds: int, cut_rounds: int) -> int:
        """Return how long rounds and cut last, from the end of registration to the last result."""
        number = rounds + cut_rounds
        return rounds * self.round + cut_rounds * self.cut_round + (number + 1) * self.between

    def most_rounds(self, available: int, cut_rounds: int) -> int:
        """Return how many rounds fit before a cut of so many rounds; -1 where not even the cut alone does."""
        left = available - self.lasts(0, cut_rounds)
        return -1 if left < 0 else left // (self.round + self.between)


class TimetableRow(NamedTuple):
    """A round of the timetable, in minutes after registration closed."""

    title: str
    begins: int
    ends: int


def timetable(titles: Sequence[str], cut_titles: Sequence[str], pace: Pace) -> list[TimetableRow]:
    """Return when each round begins and ends."""
    slots: list[TimetableRow] = []
    now = 0
    for number, title in enumerate([*titles, *cut_titles]):
        begins = now + pace.between
        now = begins + (pace.round if number < len(titles) else pace.cut_round)
        slots.append(TimetableRow(title, begins, now))
    return slots


def cut_titles(cut: int, seats: int = 2, advance: int = 1) -> list[str]:
    """Return the rounds of a single-elimination cut to so many players, none for less than two.

    Raises no error for a size that tables of three and more do not fill: the next larger one stands for it.

    >>> cut_titles(8), cut_titles(6), cut_titles(1), cut_titles(9, 3)
    (['quarterfinals', 'semifinals', 'final'], ['quarterfinals', 'semifinals', 'final'], [], ['semifinals', 'final'])
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
    late = ["final", "semifinals", *(["quarterfinals"] if seats == 2 else [])]
    return [
        late[to_go] if (to_go := len(left) - 1 - at) < len(late) else f"round of {size}"
        for at, size in enumerate(left)
    ]


def clock(minutes: int, start: int | None = None) -> str:
    """Write a moment of the day, or where nobody said when it begins, how long after the beginning.

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
    """Write how long something takes.

    >>> duration_text(50), duration_text(60), duration_text(550)
    ('50 minutes', '1 hour', '9 hours 10 minutes')
    """
    hours, left = divmod(minutes, 60)
    parts = [counted(hours, "hour")] if hours else []
    return " ".join(parts + ([counted(left, "minute")] if left or not hours else []))


# -- Who gets through


def spread_strengths(players: Sequence[PlayerId], best: float) -> dict[PlayerId, float]:
    """Return strengths (logarithms, as `Chances` has them) that are spread normally, the first player's the greatest.

    best: the share of matches with a winner that the best player wins against an average one, at least ½

    >>> strengths = spread_strengths([PlayerId(1), PlayerId(2), PlayerId(3)], 0.75)
    >>> [round(1 / (1 + math.exp(-each)), 2) for each in strengths.values()]
    [0.75, 0.5, 0.25]
    """
    number = len(players)
    places = [NormalDist().inv_cdf(1 - (at + 0.5) / number) for at in range(number)]
    if number < 2:
        return dict.fromkeys(players, 0.0)
    unit = math.log(best / (1 - best)) / places[0]
    return {player: place * unit for player, place in zip(players, places, strict=True)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Prospect:
    """What so many rounds would come to, by simulation.

    best:       the chance of the cut of whoever is strongest; None where all are taken to be equal
    unbeaten_out: the share of events in which somebody without a loss misses the cut
    drawn:      the share of tables that ended drawn
    rematches:  rematches in an event, on average
    """

    rounds: int
    counts: Counts
    best: Share | None
    unbeaten_out: Share
    drawn: float
    rematches: float


def prospects(counts: Mapping[int, Counts], strengths: Mapping[PlayerId, float]) -> list[Prospect]:
    """Return what each number of rounds comes to. counts: what came of the runs, by the number of rounds."""
    top = max(strengths.values(), default=0.0)
    strongest = [player for player, each in strengths.items() if each == top]
    even = len(set(strengths.values())) < 2
    return [
        Prospect(
            rounds=rounds,
            counts=each,
            best=None if even else each.chance(strongest[0]),
            unbeaten_out=Share.of(each.undefeated_out, each.runs),
            drawn=each.drawn / each.tables if each.tables else 0.0,
            rematches=each.rematches / each.runs,
        )
        for rounds, each in sorted(counts.items())
    ]
