"""Tie-breaks from the opponents' ratings: FIDE C.07, article 10.

Only opponents met over the board count. The regulation does not use these tie-breaks if any player of the
event has no rating. All players get the value None in this case.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from fractions import Fraction

from msgspec.structs import replace

from tourney.record import PlayerId
from tourney.standings.exact import quotient_text, sum_text
from tourney.standings.scorecards import RoundEntry, Scorecards
from tourney.standings.tally import FIDE, LOW_CUTS, Tally, Term, Tiebreak, TieBreakFunction, cached_value

# The rating difference for a result of 100 %, 99 % … 50 % (FIDE's table 8.1a).
_DIFFERENCE = (
    800, 677, 589, 538, 501, 470, 444, 422, 401, 383, 366, 351, 336, 322, 309, 296, 284,
    273, 262, 251, 240, 230, 220, 211, 202, 193, 184, 175, 166, 158, 149, 141, 133, 125,
    117, 110, 102, 95, 87, 80, 72, 65, 57, 50, 43, 36, 29, 21, 14, 7, 0,
)  # fmt: skip

# The largest rating difference at which the expected result is still 50 %, 51 % … 99 % (table 8.1b). Above
# the last one, the expected result is 100 %.
_UPPER_END = (
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145, 153, 162, 170, 179,
    188, 197, 206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315, 328, 344, 357, 374, 391, 411, 432, 456,
    484, 517, 559, 619, 735,
)  # fmt: skip


def average_rating_of_opponents(scorecards: Scorecards, player: PlayerId, *, low: int = 0) -> Tally:
    """Return the mean rating of the opponents without the `low` lowest ones (ARO).

    A fraction of .5 is rounded up.
    """
    return _mean_of(sorted(_opponent_ratings(scorecards, player), key=_value)[low:])


def performance_rating(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the performance rating: the opponents' mean rating plus a rating difference (TPR).

    FIDE's table 8.1a gives the difference for the percentage of the points that the player scored.
    """
    terms = _opponent_ratings(scorecards, player)
    average = _rounded_mean(terms)
    if average is None:
        return Tally(None)
    points = sum((_result(term.entry) for term in terms), Fraction(0))
    # In a house profile, a draw can be worth more than a win, and a loss less than 0. The table has only 0 to
    # 100 %.
    percent = min(100, max(0, _half_up(100 * points / len(terms))))
    difference = _DIFFERENCE[100 - percent] if percent >= 50 else -_DIFFERENCE[percent]

    def write_arithmetic() -> tuple[str, str]:
        mean = quotient_text(sum_text([_value(term) for term in terms]), len(terms))
        return (
            f"{average} {'-' if difference < 0 else '+'} {abs(difference)}",
            f"{average} is the mean {mean}, with .5 rounded up; {points} points of {len(terms)} are"
            f" {percent} %, for which FIDE's table has {difference:+d}",
        )

    method = f"{average} and {difference:+d} for {percent} %"
    return Tally(
        average + difference, method, lambda: [_with_result(term) for term in terms], write_arithmetic
    )


def perfect_performance(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the lowest rating with which this score against the opponents is expected (PTP)."""
    terms = _opponent_ratings(scorecards, player)
    ratings = [int(_value(term)) for term in terms]
    if not ratings:
        return Tally(None)
    points = sum((_result(term.entry) for term in terms), Fraction(0))
    lowest = min(ratings)
    if points <= 0:
        return Tally(
            lowest - 800,
            "800 below the lowest opponent",
            lambda: [_with_result(term) for term in terms],
            lambda: (f"{lowest} - 800", ""),
        )
    low, high = lowest - 800, max(ratings) + 800
    while high - low > 1:
        middle = (low + high) // 2
        is_enough = _expected_score(middle, ratings) >= 100 * points
        low, high = (low, middle) if is_enough else (middle, high)

    def write_arithmetic() -> tuple[str, str]:
        percent, lower_percent = (_expected_score(rating, ratings) for rating in (high, high - 1))
        return (
            "",
            f"scored: {points}; expected: {percent} % of a point at {high}, {lower_percent} % at {high - 1}",
        )

    def list_terms() -> list[Term]:
        return [
            _with_result(term, f", {_expected_percent(high - rating)} % expected at {high}")
            for term, rating in zip(terms, ratings, strict=True)
        ]

    return Tally(high, "the lowest rating expected to score as much", list_terms, write_arithmetic)


def average_performance_of_opponents(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the mean TPR of the opponents, with .5 rounded up (APRO)."""
    return _average(scorecards, player, performance_rating)


def average_perfect_performance_of_opponents(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the mean PTP of the opponents, with .5 rounded up (APPO)."""
    return _average(scorecards, player, perfect_performance)


def _opponent_ratings(scorecards: Scorecards, player: PlayerId) -> list[Term]:
    ratings = scorecards.record.ratings
    if len(ratings) < len(scorecards.players):
        return []
    return [
        Term(entry, ratings[opponent], (opponent,))
        for entry in scorecards[player]
        if entry.outcome.played
        for opponent in entry.opponents
    ]


def _average(scorecards: Scorecards, player: PlayerId, function: TieBreakFunction) -> Tally:
    terms = []
    for term in _opponent_ratings(scorecards, player):
        value = cached_value(scorecards, term.sources[0], function, 0)
        assert value is not None  # they met, so the opponent has a game too
        terms.append(replace(term, value=value))
    return _mean_of(terms)


def _value(term: Term) -> Fraction | int:
    assert term.value is not None
    return term.value


def _mean_of(terms: list[Term]) -> Tally:
    """Return the mean of the terms, with .5 rounded up."""

    def write_arithmetic() -> tuple[str, str]:
        mean = quotient_text(sum_text([_value(term) for term in terms]), len(terms))
        return "", f"the mean {mean}, with .5 rounded up" if terms else ""

    return Tally(_rounded_mean(terms), "mean, rounded", lambda: terms, write_arithmetic)


def _with_result(term: Term, more: str = "") -> Term:
    return replace(term, note=f"scored {_result(term.entry)}{more}")


def _result(entry: RoundEntry) -> Fraction:
    """Return the result of a game, from 0 to 1, independent of the profile's points for a win."""
    return entry.worth.share or Fraction(0)


def _rounded_mean(terms: list[Term]) -> int | None:
    return _half_up(Fraction(sum(map(_value, terms)), len(terms))) if terms else None


def _half_up(value: Fraction) -> int:
    return math.floor(value + Fraction(1, 2))


def _expected_score(rating: int, opponents: list[int]) -> int:
    """Return the expected points against `opponents`, in percent of a point."""
    return sum(_expected_percent(rating - opponent) for opponent in opponents)


def _expected_percent(difference: int) -> int:
    """Return the expected result, in percent, against an opponent rated `difference` lower."""
    percent = 50 + bisect_left(_UPPER_END, abs(difference))
    return percent if difference >= 0 else 100 - percent


ROWS = (
    Tiebreak("ARO", "average rating of opponents", f"{FIDE} 10", "rating", average_rating_of_opponents,
             modifiers=LOW_CUTS),
    Tiebreak("TPR", "performance rating", f"{FIDE} 10", "rating", performance_rating),
    Tiebreak("PTP", "perfect performance", f"{FIDE} 10", "rating", perfect_performance),
    Tiebreak("APRO", "average performance rating of opponents", f"{FIDE} 10", "rating",
             average_performance_of_opponents, reach=1, opponent_function=performance_rating,
             monotone=True),
    Tiebreak("APPO", "average perfect performance of opponents", f"{FIDE} 10", "rating",
             average_perfect_performance_of_opponents, reach=1,
             opponent_function=perfect_performance, monotone=True),
)  # fmt: skip
