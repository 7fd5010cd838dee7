"""Strength of schedule as Netrunner's tools count it, opponents' match points, and the history tie-breaks."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial

from tourney.record import Outcome, PlayerId
from tourney.standings.exact import (
    NOBODY,
    Tally,
    Term,
    TieBreakFunction,
    Value,
    exact_sum,
    halves,
    opponents_mean,
    remembered,
)
from tourney.standings.layout import Entry
from tourney.standings.percentages import opponents_match_win, opponents_opponents_match_win
from tourney.standings.sheets import Sheets


def strength_of_schedule(sheets: Sheets, player: PlayerId) -> Tally:
    """Return the mean, weighted by round, of the opponents' points per round; 0 without an opponent."""
    return _weighted(sheets, player, "points per round", points_per_round)


def extended_strength_of_schedule(sheets: Sheets, player: PlayerId) -> Tally:
    """Return the mean, weighted by round, of the opponents' strength of schedule; 0 without an opponent."""
    return _weighted(sheets, player, "SOS", strength_of_schedule)


def points_per_round(sheets: Sheets, player: PlayerId) -> Tally:
    """Return points over rounds taken part in, each by its weight, byes among them."""
    rounds = exact_sum([_weight(sheets, entry) for entry in _taken_part(sheets, player)])
    value = Fraction(sheets.points[player], 2) / rounds if rounds else Fraction(0)
    return Tally(value, "points per round")


def opponents_match_points(sheets: Sheets, player: PlayerId) -> Tally:
    """Return the mean of the opponents' points."""
    return opponents_mean(sheets, player, "PTS", match_points)


def match_points(sheets: Sheets, player: PlayerId) -> Tally:
    """Return the player's points."""
    return Tally(halves(sheets.points[player]), "sum", partial(_points, sheets, player))


def _points(sheets: Sheets, player: PlayerId) -> list[Term]:
    return [(entry, NOBODY, halves(entry.points)) for entry in sheets[player]]


def cumulative(sheets: Sheets, player: PlayerId) -> Tally:
    """Return Flesh and Blood's CTB: a quarter of last round's, plus the points so far; all the event's rounds count."""
    gained = {entry.round: entry for entry in sheets[player]}
    value, points, terms = Fraction(0), 0, []
    for number in range(1, sheets.rounds + 1):
        points += gained[number].points if number in gained else 0
        value = value / 4 + Fraction(points, 2)
        if number in gained:
            terms.append((gained[number], NOBODY, value))
    return Tally(value, "a quarter of last round's, plus the points so far", lambda: terms)


def opponents_cumulative(sheets: Sheets, player: PlayerId) -> Tally:
    """Return the mean of the opponents' CTB."""
    return opponents_mean(sheets, player, "CTB", cumulative)


def konami_number(sheets: Sheets, player: PlayerId) -> Tally:
    """Return AABBBCCCDDD: points, opponents' and their opponents' match-win in tenths of a percent, late losses."""
    own = remembered(sheets, "OMW", player, opponents_match_win)
    theirs = remembered(sheets, "OOMW", player, opponents_opponents_match_win)
    lost = [(entry, NOBODY, entry.round**2) for entry in sheets[player] if entry.outcome in _LOST]
    value = packed(sheets.points[player] // 2, own, theirs, sum(squares for _, _, squares in lost))
    return Tally(value, "points, OMW, OOMW, squares of the rounds lost", lambda: lost)


def packed(points: int, own: Value, theirs: Value, late: int) -> int:
    """Pack points, two percentages (0 to 1) and the squares of the rounds lost into Konami's number.

    The tenths are rounded half up and stop at 999, as do the squares: how the program rounds is not published.

    >>> packed(33, Fraction("0.726"), Fraction("0.677"), 9)
    33726677009
    """
    return ((points * 1000 + _tenths(own)) * 1000 + _tenths(theirs)) * 1000 + min(999, late)


_LOST = frozenset({Outcome.LOSS, Outcome.FORFEIT_LOSS, Outcome.DOUBLE_LOSS})


def _tenths(share: Value) -> int:
    return min(999, math.floor(Fraction(share or 0) * 1000 + Fraction(1, 2)))


def _weighted(sheets: Sheets, player: PlayerId, name: str, function: TieBreakFunction) -> Tally:
    terms = opponents_mean(sheets, player, name, function).terms
    if sheets.profile.strength_by == "rounds":
        below = exact_sum([_weight(sheets, entry) for entry in _taken_part(sheets, player)])
        how = "divided by the rounds, own byes included"
    else:
        below = exact_sum([_weight(sheets, term[0]) for term in terms])
        how = "mean"
    above = exact_sum([term[2] * _weight(sheets, term[0]) for term in terms])
    return Tally(above / below if below else Fraction(0), how, lambda: terms)


def _taken_part(sheets: Sheets, player: PlayerId) -> list[Entry]:
    return [entry for entry in sheets[player] if entry.outcome is not Outcome.ABSENT]


def _weight(sheets: Sheets, entry: Entry) -> Fraction | int:
    weights = sheets.record.weights
    return weights[entry.round - 1] if entry.round <= len(weights) else 1
