"""Tie-breaks from the opponents' ratings: FIDE C.07 article 10. Only opponents met over the board count.

If anybody in the event has no rating, these have no value for anybody: the regulation drops them unless the event
announced a rule of its own.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from fractions import Fraction

from tourney.record import PlayerId
from tourney.standings.exact import Tally, Term, TieBreakFunction, remembered
from tourney.standings.layout import Entry
from tourney.standings.sheets import Sheets

HALF = Fraction(1, 2)

# Rating difference for a result of 100 %, 99 % … 50 % (FIDE's table 8.1a).
_DIFFERENCE = (
    800, 677, 589, 538, 501, 470, 444, 422, 401, 383, 366, 351, 336, 322, 309, 296, 284,
    273, 262, 251, 240, 230, 220, 211, 202, 193, 184, 175, 166, 158, 149, 141, 133, 125,
    117, 110, 102, 95, 87, 80, 72, 65, 57, 50, 43, 36, 29, 21, 14, 7, 0,
)  # fmt: skip

# The largest difference for an expected result of 50 %, 51 % … 99 % (table 8.1b); above the last: 100 %.
_UPPER_END = (
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145, 153, 162, 170, 179, 188,
    197, 206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315, 328, 344, 357, 374, 391, 411, 432, 456, 484, 517,
    559, 619, 735,
)  # fmt: skip


def average_rating_of_opponents(sheets: Sheets, player: PlayerId, *, low: int = 0) -> Tally:
    """Return the mean rating of the opponents, the `low` lowest cut, .5 up (ARO); None where nobody is left."""
    terms = sorted(_met(sheets, player), key=lambda term: term[2])[low:]
    return Tally(_rounded_mean([term[2] for term in terms]), "mean, rounded", lambda: terms)


def performance_rating(sheets: Sheets, player: PlayerId) -> Tally:
    """Return ARO plus the difference that goes with the percentage scored (TPR)."""
    terms = _met(sheets, player)
    average = _rounded_mean([term[2] for term in terms])
    if average is None:
        return Tally(None)
    scored = sum((_result(term[0]) for term in terms), Fraction(0))
    percent = _half_up(100 * scored / len(terms))
    difference = _DIFFERENCE[100 - percent] if percent >= 50 else -_DIFFERENCE[percent]
    return Tally(average + difference, f"{average} and {difference:+d} for {percent} %", lambda: terms)


def perfect_performance(sheets: Sheets, player: PlayerId) -> Tally:
    """Return the lowest rating expected to score what the player scored against these opponents (PTP)."""
    terms = _met(sheets, player)
    ratings = [int(term[2]) for term in terms]
    if not ratings:
        return Tally(None)
    scored = sum((_result(term[0]) for term in terms), Fraction(0))
    if scored == 0:
        return Tally(min(ratings) - 800, "800 below the lowest opponent", lambda: terms)
    below, enough = min(ratings) - 800, max(ratings) + 800
    while enough - below > 1:
        middle = (below + enough) // 2
        reached = sum(_expected(middle - rating) for rating in ratings) >= 100 * scored
        below, enough = (below, middle) if reached else (middle, enough)
    return Tally(enough, "the lowest rating expected to score as much", lambda: terms)


def average_performance_of_opponents(sheets: Sheets, player: PlayerId) -> Tally:
    """Return the mean TPR of the opponents, .5 up (APRO)."""
    return _average(sheets, player, "TPR", performance_rating)


def average_perfect_performance_of_opponents(sheets: Sheets, player: PlayerId) -> Tally:
    """Return the mean PTP of the opponents, .5 up (APPO)."""
    return _average(sheets, player, "PTP", perfect_performance)


def _met(sheets: Sheets, player: PlayerId) -> list[Term]:
    ratings = sheets.record.ratings
    if len(ratings) < len(sheets.players):
        return []
    return [
        (entry, opponent, ratings[opponent])
        for entry in sheets[player]
        if entry.outcome.played
        for opponent in entry.opponents
    ]


def _average(sheets: Sheets, player: PlayerId, name: str, function: TieBreakFunction) -> Tally:
    terms = []
    for entry, opponent, _ in _met(sheets, player):
        value = remembered(sheets, name, opponent, function)
        assert value is not None  # they met, so the opponent has a game too
        terms.append((entry, opponent, value))
    return Tally(_rounded_mean([term[2] for term in terms]), "mean, rounded", lambda: terms)


def _result(entry: Entry) -> Fraction:
    """Return the game's result from 0 to 1, whatever scale the points have."""
    share = entry.worth.share
    return Fraction(share) if share is not None else Fraction(0)


def _rounded_mean(values: list[Fraction | int]) -> int | None:
    return _half_up(Fraction(sum(values), len(values))) if values else None


def _half_up(value: Fraction) -> int:
    return math.floor(value + HALF)


def _expected(difference: int) -> int:
    """Return the expected result in percent against an opponent rated `difference` lower."""
    over = 50 + bisect_left(_UPPER_END, abs(difference))
    return over if difference >= 0 else 100 - over
