"""Direct encounter and head-to-head: tie-breaks among players who are level, worked out anew for each such group."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from tourney.record import Outcome, PlayerId
from tourney.standings.exact import Value, exact_sum
from tourney.standings.scorecards import Sheets, is_round_robin

Pair = tuple[PlayerId, PlayerId]
Meetings = dict[Pair, Fraction]
"""(player, opponent) → the player's mean points (not halves) in their matches against each other."""


def direct_encounter(
    sheets: Sheets, group: Sequence[PlayerId], *, forfeits: bool = False
) -> dict[PlayerId, Value]:
    """Return each player's place inside `group` by FIDE C.07 article 6: 1 is best, level players share the lower one.

    forfeits: whether unplayed matches count too (DE/P); in a round robin they always do
    """
    if len(group) == 1:
        return {group[0]: 1}
    met = meetings(sheets, group, forfeits=forfeits or is_round_robin(sheets))
    win = Fraction(sheets.profile.outcomes[Outcome.WIN].points, 2)
    places: dict[PlayerId, Value] = {}
    for level in _ordered(list(group), met, win):
        place = len(places) + 1
        places.update(dict.fromkeys(level, place))
    return places


def head_to_head(sheets: Sheets, group: Sequence[PlayerId]) -> dict[PlayerId, Value]:
    """Return each player's place inside `group` by the matches among them, or 1 for all where it does not apply.

    The profile says when: among all who are level if they have all met, or only between exactly two.
    """
    if len(group) == 1:
        return {group[0]: 1}
    met = meetings(sheets, group, forfeits=True)
    applies = _all_met(group, met) and (sheets.profile.head_to_head == "all-met" or len(group) == 2)
    places: dict[PlayerId, Value] = {}
    for level in _by_sum(list(group), met) if applies else [list(group)]:
        place = len(places) + 1
        places.update(dict.fromkeys(level, place))
    return places


def meetings(sheets: Sheets, group: Sequence[PlayerId], *, forfeits: bool) -> Meetings:
    """Return what each pair of `group` made against each other, averaged over their meetings."""
    members = set(group)
    found: dict[Pair, list[int]] = {}
    for player in group:
        for entry in sheets[player]:
            for opponent in entry.opponents:
                if opponent in members and (forfeits or entry.outcome.played):
                    found.setdefault((player, opponent), []).append(entry.points)
    return {pair: Fraction(sum(points), 2 * len(points)) for pair, points in found.items()}


def _ordered(group: list[PlayerId], met: Meetings, win: Fraction) -> list[list[PlayerId]]:
    """Order `group` into levels, best first (6.2 where all have met, 6.3 where not)."""
    if len(group) < 2:
        return [group] if group else []
    if _all_met(group, met):
        return _by_sum(group, met, win)
    certain, rest = _certain(group, met, win)
    if not certain:
        return [group]
    return [[player] for player in certain] + _ordered(rest, met, win)


def _by_sum(group: list[PlayerId], met: Meetings, win: Fraction = Fraction(1)) -> list[list[PlayerId]]:
    """Rank by the sum of points among `group`, then each level subset again among itself."""
    sums = {player: _sum(player, group, met) for player in group}
    levels = []
    for value in sorted(set(sums.values()), reverse=True):
        level = [player for player in group if sums[player] == value]
        levels.extend([level] if len(level) in (1, len(group)) else _ordered(level, met, win))
    return levels


def _certain(group: list[PlayerId], met: Meetings, win: Fraction) -> tuple[list[PlayerId], list[PlayerId]]:
    """Take from the top those whom nobody left could overtake even by winning every missing match."""
    sums = {player: _sum(player, group, met) for player in group}
    missing = {
        player: sum(other != player and (player, other) not in met for other in group) for player in group
    }
    certain: list[PlayerId] = []
    rest = list(group)
    while rest:
        best = max(rest, key=sums.__getitem__)
        rivals = [player for player in rest if player != best]
        if any(sums[best] <= sums[rival] + missing[rival] * win for rival in rivals):
            break
        certain.append(best)
        rest.remove(best)
    return certain, rest


def _all_met(group: Sequence[PlayerId], met: Meetings) -> bool:
    return all(pair in met for pair in combinations(group, 2))


def _sum(player: PlayerId, group: Sequence[PlayerId], met: Meetings) -> Fraction:
    return exact_sum([met[player, other] for other in group if (player, other) in met])
