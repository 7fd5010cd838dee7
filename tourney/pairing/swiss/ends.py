"""A tighter bound than crossings alone: the few players at the top and at the bottom, solved among themselves.

Late in a tournament the ends of the field have met each other, and tables there jump over several scores, which crossings
do not count. Let an end be the first (last) groups together, and charge a player who leaves it downwards (upwards) the
squared distance to the first group outside. The least cost of pairing an end inside, everybody free to leave at that charge,
is one small matching: its weights are what a table saves over both leaving. A table from an end to outside costs at least the
charge, and the charges and weights it spans add up to its slack as before. So

    cost of a round ≥ least cost of both ends + least sum of weight · crossings between them + slack of any table it uses,

where tables inside an end have no slack: all of them are candidates.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations_with_replacement

from tourney.pairing.entrant import NOBODY
from tourney.pairing.options import Pair
from tourney.pairing.swiss.bound import Bound, least_sum
from tourney.pairing.swiss.matching import heaviest
from tourney.pairing.swiss.window import Window

MOST_PLAYERS = 32
"""How many players an end has at most."""


def with_ends(window: Window, bound: Bound) -> Bound:
    """Return a bound of the same window that counts its ends exactly, or the plain one where that is as good.

    It rests on matchings, so it is no proof that anyone could recompute by counting; groups that are lent make no end.
    """
    groups, points = window.groups, window.points
    last = len(groups) - 1
    top = 0 if 0 in window.lent else _groups_of_end(groups[:-1])  # one group at least stays between the ends
    low = last + 1 if last in window.lent else last + 1 - _groups_of_end(groups[top + 1 :][::-1])
    between = range(top, low - 1)  # the boundaries of groups outside the ends
    weights = [weight if place in between else 0 for place, weight in enumerate(bound.weights)]
    runs = [run for run in bound.runs if run.first - 1 in between and run.last in between]
    charges = [
        (points[place] - points[top]) ** 2
        if place < top
        else (points[low - 1] - points[place]) ** 2
        if place >= low
        else 0
        for place in range(len(groups))
    ]
    total = least_sum(bound.crossings, weights, runs)
    total += _least_cost(window, range(top), charges) + _least_cost(window, range(low, len(groups)), charges)
    tighter = replace(
        bound, weights=tuple(weights), runs=tuple(runs), total=total, top=top, low=low, charges=tuple(charges)
    )
    return max(bound, tighter, key=lambda each: each.total)


def _groups_of_end(groups: Iterable[Sequence[int]]) -> int:
    """Return how many of the first groups together have at most `MOST_PLAYERS` players."""
    players = count = 0
    for group in groups:
        players += len(group)
        if players > MOST_PLAYERS:
            break
        count += 1
    return count


def _least_cost(window: Window, places: range, charges: Sequence[int]) -> int:
    """Return the least cost of pairing an end inside, where everybody but the bye may leave at the group's charge."""
    points = window.points
    players = [player for place in places for player in window.groups[place]]
    leaving = sum(charges[place] for place in places for player in window.groups[place] if player != NOBODY)
    dear = leaving + 1  # what the bye would pay for leaving
    saved: dict[Pair, int] = {}
    for upper, lower in combinations_with_replacement(places, 2):
        saving = charges[upper] + charges[lower] - (points[upper] - points[lower]) ** 2
        if saving > 0:
            saved |= dict.fromkeys(window.block(upper, lower), saving)
    for place in places:
        if NOBODY in window.groups[place]:
            saved |= dict.fromkeys([(player, NOBODY) for player in window.bye_class], charges[place] + dear)
    made = heaviest(players, list(saved), list(saved.values()))
    return leaving + (dear if NOBODY in players else 0) - sum(saved[pair] for pair in made)
