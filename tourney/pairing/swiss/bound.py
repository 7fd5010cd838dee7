"""A lower bound for the sum of squared point differences, from how many tables must cross each score boundary.

Boundary k lies between group k and group k+1, `gap` is their difference in points. Write x_k for the number of tables of a
round with one player above boundary k and one below.

* x_k ≥ f_k and x_k ≡ f_k (mod 2): f_k is the parity of the players above, or the number who cannot be paired among
  themselves when everybody above (or below) is a small set.
* For a run of groups i … j: x_{i-1} + x_j ≥ the number who cannot be paired inside the run.
* A table that spans boundaries costs (sum of gaps)² ≥ sum of gap². With weights w_k ≤ gap_k² its `slack` is what it costs
  beyond the sum of the weights it spans, and cost of the round = sum of slacks + sum of w_k · x_k.

So no conflict-free round costs less than `total` = the least sum of w_k · x_k under these constraints, and none that uses a
table of slack s costs less than total + s.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from tourney.pairing.entrant import NOBODY
from tourney.pairing.swiss.deficiency import MayMeet, deficiency, fewest_left, left_by_greed
from tourney.pairing.swiss.window import Window
from tourney.record import PlayerId

MANY_GROUPS = 2**31


@dataclass(frozen=True)
class Run:
    """Neighbouring groups first … last (from 0) of which `leaving` players at least must meet somebody outside."""

    first: int
    last: int
    leaving: int


@dataclass(frozen=True)
class Bound:
    """The bound of a window, with everything it rests on.

    crossings: f_k, for each boundary
    runs:      the runs inside the window that ask for more than the crossings next to them
    weights:   w_k, for each boundary
    total:     no conflict-free round of the window costs less
    top, low:  groups before `top` are one end, groups from `low` on the other (`ends`); none unless said
    charges:   what a player of each group is charged for leaving an end; 0 outside the ends
    """

    points: tuple[int, ...]
    crossings: tuple[int, ...]
    runs: tuple[Run, ...]
    weights: tuple[int, ...]
    total: int
    top: int = 0
    low: int = MANY_GROUPS
    charges: tuple[int, ...] = ()

    @cached_property
    def _spanned(self) -> list[int]:
        return list(accumulate(self.weights, initial=0))

    def slack(self, upper: int, lower: int) -> int:
        """Return what a table of two groups costs beyond what the bound counts for it; never less further down."""
        if lower < self.top or upper >= self.low:
            return 0
        charged = self.charges[upper] + self.charges[lower] if self.charges else 0
        return (
            (self.points[upper] - self.points[lower]) ** 2
            - self._spanned[lower]
            + self._spanned[upper]
            - charged
        )

    def blocks(self, reach: int) -> Iterator[tuple[int, int, int]]:
        """Yield (upper, lower, slack) of the pairs of groups whose tables have a slack of at most `reach`."""
        for upper in range(len(self.points)):
            for lower in range(upper, len(self.points)):
                slack = self.slack(upper, lower)
                if slack > reach:
                    break
                yield upper, lower, slack

    @property
    def greatest_slack(self) -> int:
        """The reach that takes every table in."""
        last = len(self.points) - 1
        return max(self.slack(upper, last) for upper in range(last + 1))

    def next_reach(self, reach: int) -> int | None:
        """Return the least slack beyond twice `reach`, or the greatest slack, or None if `reach` takes everything in."""
        last, greatest = len(self.points) - 1, self.greatest_slack
        if greatest <= reach:
            return None
        beyond = [
            next(
                (
                    slack
                    for lower in range(upper, last + 1)
                    if (slack := self.slack(upper, lower)) > 2 * reach
                ),
                greatest,
            )
            for upper in range(last + 1)
        ]
        return min(beyond)


def bound_of(window: Window, small: int) -> Bound:
    """Return the bound of a window; sets of at least `small` players leave nobody over but the odd one (lemma 1: 2d + 4)."""
    crossings = _crossings(window, small)
    runs = _runs(window, small, crossings)
    gaps = [above - below for above, below in zip(window.points, window.points[1:], strict=False)]
    pressed = {boundary for run in runs for boundary in (run.first - 1, run.last)}
    weights = [
        gap**2 if least or boundary in pressed else 0
        for boundary, (gap, least) in enumerate(zip(gaps, crossings, strict=True))
    ]
    total = least_sum(crossings, weights, runs)
    return Bound(tuple(window.points), tuple(crossings), tuple(runs), tuple(weights), total)


def _crossings(window: Window, small: int) -> list[int]:
    """Return f_k for each boundary."""
    boundaries = len(window.groups) - 1
    above = list(accumulate(len(group) for group in window.groups))[:-1]
    crossings = [players % 2 for players in above]
    may_meet = _may_meet(window)
    for groups in (range(boundaries), range(boundaries, 0, -1)):
        players: list[PlayerId] = []
        left: list[PlayerId] = []
        for group in groups:
            boundary = group if groups.step == 1 else group - 1
            players = players + window.groups[group]
            if len(players) - (NOBODY in players) >= small:
                break
            left = left_by_greed(window.groups[group], may_meet, left)
            crossings[boundary] = max(crossings[boundary], fewest_left(players, may_meet, left))
    return crossings


def left_over(window: Window, players: Sequence[PlayerId]) -> int:
    """Return how many of some players of a window cannot be paired among themselves."""
    return deficiency(players, _may_meet(window))


def _may_meet(window: Window) -> MayMeet:
    """Return the question whether two players of a window may be paired; lent players of one group may, met or not."""
    if not window.lent:
        return window.unmet
    group_of = {player: number for number, group in enumerate(window.groups) for player in group}
    lent = window.lent

    def may_meet(one: PlayerId, other: PlayerId) -> bool:
        return (group_of[one] == group_of[other] and group_of[one] in lent) or window.unmet(one, other)

    return may_meet


def _runs(window: Window, small: int, crossings: Sequence[int]) -> list[Run]:
    """Return the groups between two boundaries that need more crossings than their boundaries give."""
    found = []
    for place in range(1, len(window.groups) - 1):
        players = window.groups[place]
        if len(players) - (NOBODY in players[-1:]) < small:
            leaving = left_over(window, players)
            if leaving > crossings[place - 1] + crossings[place]:
                found.append(Run(place, place, leaving))
    return found


def least_sum(crossings: Sequence[int], weights: Sequence[int], runs: Sequence[Run]) -> int:
    """Return the least sum of weight · x over all numbers of crossings that the bound allows.

    A walk along the boundaries that remembers the last few x. Numbers above everything a run asks for are cut to the
    least such number of the right parity: that satisfies the same constraints and costs no more.
    """
    ending: dict[int, list[Run]] = {}
    most_asked = [0] * len(crossings)
    for run in runs:
        ending.setdefault(run.last, []).append(run)
        for boundary in (run.first - 1, run.last):
            most_asked[boundary] = max(most_asked[boundary], run.leaving)
    memory = max((run.last - run.first + 1 for run in runs), default=0)
    best: dict[tuple[int, ...], int] = {(): 0}
    for boundary, least in enumerate(crossings):
        step: dict[tuple[int, ...], int] = {}
        for number in range(least, max(least, most_asked[boundary] + 1) + 1, 2):
            for past, total in best.items():
                if all(
                    past[run.first - 1 - boundary] + number >= run.leaving for run in ending.get(boundary, ())
                ):
                    now = (*past, number)[-memory:] if memory else ()
                    cost = total + weights[boundary] * number
                    step[now] = min(step.get(now, cost), cost)
        best = step
    return min(best.values())
