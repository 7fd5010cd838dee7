"""What a seat at a table, or a round without one, is worth under a profile."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from tourney.record import Outcome, Result, Seat
from tourney.standings.exact import Ratio
from tourney.standings.profile import Games, Profile

NO_GAMES: Games = (0, 0, 0)


_RESULTS = {
    Outcome.WIN: "win",
    Outcome.FORFEIT_WIN: "win",
    Outcome.BYE: "win",
    Outcome.AWARDED_BYE: "win",
    Outcome.DRAW: "draw",
    Outcome.HALF_BYE: "draw",
    Outcome.LOSS: "loss",
    Outcome.FORFEIT_LOSS: "loss",
    Outcome.DOUBLE_LOSS: "loss",
    Outcome.ABSENT: "absent",
}


class Worth(NamedTuple):
    """What one outcome gave.

    points: half points
    share:  its part of a match-win percentage; None: the round is left out
    ratio:  `share` as numerator and denominator
    games:  won, lost, drawn
    result: `win`, `loss`, `draw` or `absent`: what it is in a record such as 2-0-1
    meets:  whether the others at the table count as opponents
    """

    points: int
    share: Fraction | None
    ratio: Ratio | None
    games: Games
    result: str
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
    """A profile's scale of worths, worked out once a kind of result instead of once a match."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self._tables: dict[tuple[object, ...], tuple[Worth, ...]] = {}
        self._alone: dict[Outcome, Worth] = {}

    def table(self, result: Result) -> tuple[Worth, ...]:
        """Return what each seat of `result` is worth, in the order of the seats."""
        seats = result.seats
        if len(seats) == 2:
            one, two = seats
            kind: tuple[object, ...] = (
                *(one.outcome, one.games, one.place, one.score),
                *(two.outcome, two.games, two.place, two.score),
                result.drawn_games,
            )
        else:
            kind = (
                result.drawn_games,
                *[(seat.outcome, seat.games, seat.place, seat.score) for seat in seats],
            )
        known = self._tables.get(kind)
        if known is None:
            known = self._tables[kind] = tuple(self._seat(seat, result) for seat in result.seats)
        return known

    def _seat(self, seat: Seat, result: Result) -> Worth:
        place, sharing = _place(seat, result)
        games = _games(seat, result)
        return self._worth(_Kind(seat.outcome, games, len(result.seats), place, sharing, seat.score))

    def alone(self, outcome: Outcome) -> Worth:
        """Return what a round without a table is worth: a bye, a half bye, an absence."""
        if outcome not in self._alone:
            self._alone[outcome] = self._worth(_Kind(outcome))
        return self._alone[outcome]

    def _worth(self, kind: _Kind) -> Worth:
        rule = self.profile.outcomes[kind.outcome]
        points, top = self._points(kind)
        share = rule.match
        if top is not None and share is not None:
            share = Fraction(points, top)
        games = kind.games if rule.games is None else rule.games
        ratio = None if share is None else share.as_integer_ratio()
        return Worth(points, share, ratio, games, _RESULTS[kind.outcome], rule.meets)

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
