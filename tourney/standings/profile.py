"""A standings profile: what each outcome is worth, how percentages are made, and the order of the tie-breaks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from types import MappingProxyType
from typing import Any, NamedTuple

from tourney.record import Outcome, points_text

Games = tuple[int, int, int]
"""Games won, lost and drawn by one side of a match."""

POINTS, LOT = "PTS", "LOT"
"""The two codes that not only the table of tie-breaks speaks of: a row has the points apart, an event has a secret to draw a lot from."""

Placement = Mapping[tuple[int, int], int]
"""(place from 1, how many share it) → half points each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeRule:
    """What one outcome is worth to the player who has it.

    points: half points
    match:  its share of a match-win percentage, 0 to 1; None: the round is left out of the percentage
    games:  the games it stands for in game-win percentages; None: as they were played (none, if nothing was played)
    meets:  whether the other side counts as an opponent in tie-breaks that look at opponents
    """

    points: int
    match: Fraction | None
    games: Games | None
    meets: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Percentage:
    """The limits of a percentage, all from 0 to 1.

    floor, cap:  what a value is raised or lowered to
    cap_dropped: the cap for a player who has dropped
    own_floor:   whether the player's own displayed and ranked value is floored too (opponents' always are)
    draw:        what a drawn game counts for (game percentages; matches have it in their outcome)
    floor_by_size: floors by the number of seats of the event's largest table, before `floor`
    """

    floor: Fraction = Fraction(0)
    cap: Fraction = Fraction(1)
    cap_dropped: Fraction = Fraction(1)
    own_floor: bool = True
    draw: Fraction = Fraction(1, 3)
    floor_by_size: Mapping[int, Fraction] = field(default_factory=lambda: MappingProxyType({}))


class ScheduleRow(NamedTuple):
    """What a profile's rules advise for so many players: Swiss rounds (0: single elimination from the start), and the cut."""

    fewest: int
    most: int
    rounds: int
    cut: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """What a profile said from a day on: `changes` are the keys it overrides."""

    since: date
    source: str
    changes: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """One file of a profile's family, as plain values: its body and its editions by date."""

    body: Mapping[str, Any]
    editions: tuple[Edition, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A named, dated set of standings rules, checked; made by `parse_profile`.

    name:       the file's name without its ending, `mtr`
    order:      codes in the order in which they rank, the points among them
    outcomes:   a rule for each outcome
    from_score: whether points are the match's recorded scores (Netrunner's prestige) instead of its outcome
    game_win, game_draw: half points a game where `from_score` holds but only games were recorded
    win_by_size: half points for the winner by the number of seats, where it is not `outcomes[WIN]`
    placement:  by number of seats, what each place is worth; a number that is missing goes by outcome
    head_to_head: `all-met`: among all who are level, if they have all met; `two`: only between exactly two
    frozen:     codes whose value stays as it was after a dropped player's last round
    rank_never_started: whether a player who dropped before round 1 is ranked at all
    unplayed:   how Buchholz and its kin treat unplayed rounds: `capped-dummy` (FIDE 2026), `dummy` (2024),
                `virtual` (2009) or `as-scored`
    round_robin: whether round-robin readings apply even if the record does not say so
    score_cap:  the goal at which a match's secondary score is capped; None: no cap
    strength_by: whether strength of schedule divides by `opponents` met or by `rounds`, own byes included
    decimals:   places printed after the point
    half_sign:  whether halves are printed `2½` (else `2.5`)
    schedule:   rounds and cut by attendance, as the rules advise them
    layers:     the files it was made from, the first ancestor first
    edition:    the day from which this edition holds; None: the profile has no editions
    """

    name: str
    title: str
    source: str
    since: date
    order: tuple[str, ...]
    outcomes: Mapping[Outcome, OutcomeRule]
    match_win: Percentage
    game_win: Percentage
    notes: tuple[str, ...] = ()
    extends: str | None = None
    from_score: bool = False
    points_per_game_win: int = 0
    points_per_game_draw: int = 0
    win_by_size: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))
    placement: Mapping[int, Placement] = field(default_factory=lambda: MappingProxyType({}))
    head_to_head: str = "all-met"
    frozen: frozenset[str] = frozenset()
    rank_never_started: bool = False
    unplayed: str = "capped-dummy"
    round_robin: bool = False
    score_cap: int | None = None
    strength_by: str = "opponents"
    decimals: int = 4
    half_sign: bool = True
    schedule: tuple[ScheduleRow, ...] = ()
    layers: tuple[Layer, ...] = field(default=(), repr=False)
    edition: date | None = None

    @property
    def tiebreaks(self) -> tuple[str, ...]:
        """The order without the points."""
        return tuple(code for code in self.order if code != POINTS)

    @property
    def editions(self) -> tuple[Edition, ...]:
        """All editions of the family, oldest first."""
        every = [edition for layer in self.layers for edition in layer.editions]
        return tuple(sorted(every, key=lambda edition: edition.since))

    def points_of(self, outcome: Outcome) -> Fraction:
        """Return what an outcome is worth, in points."""
        return Fraction(self.outcomes[outcome].points, 2)

    def points_text(self, half_points: int) -> str:
        """Print half points as the rules do: `2½`, or `2.5` and `7` where they count in threes."""
        if self.half_sign or half_points % 2 == 0:
            return points_text(half_points)
        return f"{half_points / 2:.1f}"

    def on(self, day: date | None) -> Profile:
        """Return the edition in force on `day`; None is the newest. The profile itself if it has no editions."""
        from tourney.standings.profile_file import edition_on

        return edition_on(self, day)
