"""What a seat at a table, or a round without one, is worth under a profile."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from tourney.record import Outcome, Result, Seat
from tourney.standings.profile import Games, Profile

NO_GAMES: Games = (0, 0, 0)


class Worth(NamedTuple):
    """points: half points; share: of a match-win percentage (None: left out); games: won, lost, drawn; meets: see profile."""

    points: int
    share: Fraction | None
    games: Games
    meets: bool


class _Kind(NamedTuple):
    """All that a seat's worth can hang on."""

    outcome: Outcome
    games: Games = NO_GAMES
    seats: int = 1
    place: int = 1
    sharing: int = 1
    score: int | None = None


class Scale:
    """A profile's scale of worths, looked up once a kind of result instead of once a match."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self._known: dict[_Kind, Worth] = {}

    def seat(self, seat: Seat, result: Result) -> Worth:
        """Return what `seat` of `result` is worth."""
        place, sharing = _place(seat, result) if self.profile.placement else (1, 1)
        games = _games(seat, result)
        return self._of(_Kind(seat.outcome, games, len(result.seats), place, sharing, seat.score))

    def alone(self, outcome: Outcome) -> Worth:
        """Return what a round without a table is worth: a bye, a half bye, an absence."""
        return self._of(_Kind(outcome))

    def _of(self, kind: _Kind) -> Worth:
        known = self._known.get(kind)
        if known is None:
            known = self._known[kind] = self._worth(kind)
        return known

    def _worth(self, kind: _Kind) -> Worth:
        rule = self.profile.outcomes[kind.outcome]
        points, top = self._points(kind)
        share = rule.match
        if top is not None and share is not None:
            share = Fraction(points, top)
        return Worth(points, share, kind.games if rule.games is None else rule.games, rule.meets)

    def _points(self, kind: _Kind) -> tuple[int, int | None]:
        """Return the half points, and the most this table could give where that is not the profile's win."""
        profile = self.profile
        usual = profile.outcomes[kind.outcome].points
        if not kind.outcome.played:
            return 2 * kind.score if profile.from_score and kind.score is not None else usual, None
        by_place = profile.placement.get(kind.seats)
        if by_place is not None and kind.outcome is not Outcome.DOUBLE_LOSS:
            return by_place[kind.place, kind.sharing], by_place[1, 1]
        if kind.seats in profile.win_by_size:
            top = profile.win_by_size[kind.seats]
            return top if kind.outcome is Outcome.WIN else usual, top
        return self._scored(kind) if profile.from_score else usual, None

    def _scored(self, kind: _Kind) -> int:
        if kind.score is not None:
            return 2 * kind.score
        won, _, drawn = kind.games
        by_games = won * self.profile.points_per_game_win + drawn * self.profile.points_per_game_draw
        return by_games or self.profile.outcomes[kind.outcome].points


def _games(seat: Seat, result: Result) -> Games:
    lost = sum(other.games for other in result.seats) - seat.games
    return seat.games, lost, result.drawn_games


def _place(seat: Seat, result: Result) -> tuple[int, int]:
    """Return the place counted from the better seats, and how many share it, however the places were numbered."""
    better = sum(other.place < seat.place for other in result.seats)
    return better + 1, sum(other.place == seat.place for other in result.seats)
