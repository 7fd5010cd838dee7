"""A standings profile: points for outcomes, limits of percentages, order of tie-breaks.

This module only holds the values; `profile_file` reads them from TOML. A profile can have several editions,
each in force from some day.
"""

from __future__ import annotations

import copyreg
from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from msgspec import Struct, field

from tourney.record import Outcome, format_points

Games = tuple[int, int, int]
"""Games won, lost and drawn by one side of a match."""

POINTS, LOT = "PTS", "LOT"
"""The codes of the points and of the lot, which ranking and explanations treat specially."""

Placement = Mapping[tuple[int, int], int]
"""(place from 1, number of players who share it) → half points for each of these players."""


def _unchanging(values: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(values)


# A simulation sends a profile to other processes, and Python cannot pickle mapping proxies by itself.
copyreg.pickle(MappingProxyType, lambda values: (_unchanging, (dict(values),)))


class OutcomeRule(Struct, frozen=True, kw_only=True):
    """What an outcome is worth to the player who has it.

    points: half points
    match:  the round's part of the match-win percentage, from 0 to 1 (for a win); None if the percentage
            skips the round
    games:  the games that the game-win percentage counts for this outcome; None for the games really played
    meets:  whether the other players at the table count as opponents in tie-breaks
    """

    points: int
    match: Fraction | None
    games: Games | None
    meets: bool


class Percentage(Struct, frozen=True, kw_only=True):
    """The limits of a percentage, all from 0 to 1.

    floor, cap:    the minimum and the maximum value
    cap_dropped:   the cap for a player who has dropped
    own_floor:     whether the limits also apply to a player's own value; they always apply to opponents'
                   values
    draw:          the part of a win that a drawn game is worth (for a drawn match, see `OutcomeRule.match`)
    floor_by_size: floors by the number of seats of the event's largest table; they replace `floor`
    """

    floor: Fraction = Fraction(0)
    cap: Fraction = Fraction(1)
    cap_dropped: Fraction = Fraction(1)
    own_floor: bool = True
    draw: Fraction = Fraction(1, 3)
    floor_by_size: Mapping[int, Fraction] = field(default_factory=lambda: MappingProxyType({}))


class ScheduleRow(NamedTuple):
    """The Swiss rounds and the cut that a profile's rules advise for `fewest` to `most` players.

    rounds: the number of Swiss rounds; 0 for a single elimination from the start
    """

    fewest: int
    most: int
    rounds: int
    cut: int


class Edition(Struct, frozen=True, kw_only=True):
    """An edition of a profile: the keys whose values change on the day `since`."""

    since: date
    source: str
    changes: Mapping[str, Any]


class Family(Protocol):
    """A profile's file and the files that it extends, from which editions are built."""

    @property
    def editions(self) -> tuple[Edition, ...]:
        """All editions, oldest first."""

    def on(self, day: date | None) -> Profile:
        """Return the edition in force on `day`. Without a day, return the newest edition."""


class Profile(Struct, frozen=True, kw_only=True):
    """A named, dated set of standings rules, made by `parse_profile`.

    name:               the file's name without its ending, `mtr`
    order:              the codes by which players are ranked, in order, including the points
    outcomes:           a rule for each outcome
    from_score:         whether a match gives its score as points (Netrunner's prestige), not points for its
                        outcome
    points_per_game_win, points_per_game_draw: half points for a game, if `from_score` is set but only games
                        were recorded
    win_by_size:        number of seats at the table → half points for its winner, if they differ from
                        `outcomes[WIN]`
    placement:          number of seats → the half points of each place. At a table with any other number of
                        seats, `outcomes` apply
    head_to_head:       when head-to-head applies: `all-met` if all level players have met each other, `two`
                        only if exactly two players are level and have met
    frozen_codes:       codes whose value a dropped player keeps from the last round before the drop
    rank_never_started: whether a player who dropped before round 1 is ranked
    unplayed_treatment: how Buchholz and similar tie-breaks treat unplayed rounds: `capped-dummy` (FIDE
                        2026), `dummy` (2024), `virtual` (2009) or `as-scored`
    round_robin:        whether the rules of round robins apply even if the record does not say so
    score_cap:          the goal at which the secondary score of a match is capped; None for no cap
    strength_by:        the divisor in strength of schedule: the number of `opponents` met, or of `rounds`,
                        including the player's byes
    strength_rounds:    the rounds by which strength of schedule divides an opponent's points: `all`, or
                        `played` (without byes)
    decimals:           the number of decimals to print
    half_sign:          whether halves are printed as `2½`, not `2.5`
    schedule:           the advised rounds and cut by attendance
    extends:            the name of the profile that it extends
    family:             the files from which its editions are built; None for a profile without editions
    edition:            the day from which this edition is in force; None for a profile without editions
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
    frozen_codes: frozenset[str] = frozenset()
    rank_never_started: bool = False
    unplayed_treatment: str = "capped-dummy"
    round_robin: bool = False
    score_cap: int | None = None
    strength_by: str = "opponents"
    strength_rounds: str = "all"
    decimals: int = 4
    half_sign: bool = True
    schedule: tuple[ScheduleRow, ...] = ()
    family: Family | None = None
    edition: date | None = None

    @property
    def tiebreaks(self) -> tuple[str, ...]:
        """The codes of the tie-breaks, in order: `order` without the code for points."""
        return tuple(code for code in self.order if code != POINTS)

    @property
    def has_lot(self) -> bool:
        """Whether players who are tied on everything else are ranked by drawing lots."""
        return LOT in self.order

    @property
    def editions(self) -> tuple[Edition, ...]:
        """All editions of the profile and of those that it extends, oldest first."""
        return self.family.editions if self.family else ()

    def on(self, day: date | None) -> Profile:
        """Return the edition in force on `day`.

        If `day` is None, return the newest edition; if it is before the first edition, return the first.
        """
        return self.family.on(day) if self.family else self

    def points_of(self, outcome: Outcome) -> Fraction:
        """Return what an outcome is worth, in points."""
        return Fraction(self.outcomes[outcome].points, 2)

    def advised_cut(self, players: int) -> int:
        """Return the size of the cut that the profile advises for `players` players; 0 for no cut."""
        return next((row.cut for row in self.schedule if row.fewest <= players <= row.most and row.cut), 0)

    def points_text(self, half_points: int) -> str:
        """Return half points as text, such as `7` or `2½` (`2.5` if `half_sign` is not set)."""
        if self.half_sign or half_points % 2 == 0:
            return format_points(half_points)
        return f"{half_points / 2:.1f}"

    def games_come_to(self, one: int, other: int) -> bool:
        """Return whether the points of some games can add up to these two scores.

        Always true if the profile gives no points for games.
        """
        win, draw = self.points_per_game_win, self.points_per_game_draw
        if not win:
            return True
        drawn_games = range(2 * min(one, other) // draw + 1) if draw else range(1)
        return any(
            (2 * one - draw * draws) % win == (2 * other - draw * draws) % win == 0 for draws in drawn_games
        )
