"""Direct encounter and head-to-head: tie-breaks among players who are level, worked out anew for each such group."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tourney.record import Outcome, PlayerId
from tourney.standings.exact import GroupTally, Meetings, exact_sum
from tourney.standings.scorecards import Scorecards


def direct_encounter(
    scorecards: Scorecards, group: Sequence[PlayerId], *, forfeits: bool = False
) -> GroupTally:
    """Place those of `group` by FIDE C.07 article 6: 1 is best, level players share the better place.

    forfeits: whether unplayed matches count too (DE/P); in a round robin they always do
    """
    forfeits = forfeits or scorecards.round_robin
    met = _meetings(scorecards, group, forfeits=forfeits)
    win = Fraction(scorecards.profile.outcomes[Outcome.WIN].points, 2)
    unused = "" if any(met.values()) else "none of them have met"
    return GroupTally(_places(_ordered(met, win)), met, forfeits, unused)


def head_to_head(scorecards: Scorecards, group: Sequence[PlayerId]) -> GroupTally:
    """Place those of `group` by the matches among them, forfeits too; all are first where it does not apply.

    The profile says when: among all who are level if they have all met, or only between exactly two.
    """
    met = _meetings(scorecards, group, forfeits=True)
    unused = "" if _all_met(met) else "they have not all met"
    if scorecards.profile.head_to_head == "two" and len(group) > 2:
        unused = f"{len(group)} are level, it decides between two only"
    levels = [list(group)] if unused else _by_sum(met)
    return GroupTally(_places(levels), met, forfeits=True, unused=unused)


def _places(levels: list[list[PlayerId]]) -> dict[PlayerId, int]:
    places: dict[PlayerId, int] = {}
    for level in levels:
        places.update(dict.fromkeys(level, len(places) + 1))
    return places


def _meetings(scorecards: Scorecards, group: Sequence[PlayerId], *, forfeits: bool) -> Meetings:
    """Return what each of `group` made against each of the others they met, averaged over their meetings."""
    members = set(group) if len(group) > 1 else set()
    met: dict[PlayerId, dict[PlayerId, Fraction]] = {player: {} for player in group}
    for player in group if members else ():
        made: dict[PlayerId, list[int]] = {}
        for entry in scorecards[player]:
            for opponent in entry.opponents:
                if opponent in members and (forfeits or entry.outcome.played):
                    made.setdefault(opponent, []).append(entry.points)
        met[player] = {opponent: Fraction(sum(points), 2 * len(points)) for opponent, points in made.items()}
    return met


def _all_met(met: Meetings) -> bool:
    """Return whether everybody in `met` has met all the others."""
    return all(len(others) == len(met) - 1 for others in met.values())


def _ordered(met: Meetings, win: Fraction) -> list[list[PlayerId]]:
    """Order those who are level into levels, best first (6.2 where all have met, 6.3 where not)."""
    if len(met) < 2:
        return [list(met)] if met else []
    if _all_met(met):
        return _by_sum(met, win)
    certain = _certain(met, win)
    if not certain:
        return [list(met)]
    rest = [player for player in met if player not in certain]
    return [[player] for player in certain] + _ordered(_among(rest, met), win)


def _by_sum(met: Meetings, win: Fraction = Fraction(1)) -> list[list[PlayerId]]:
    """Rank by the sum of points among each other, then each level subset again among itself."""
    level_at: dict[Fraction, list[PlayerId]] = {}
    for player, made in met.items():
        level_at.setdefault(exact_sum(made.values()), []).append(player)
    levels = []
    for _, level in sorted(level_at.items(), reverse=True):
        levels.extend([level] if len(level) in (1, len(met)) else _ordered(_among(level, met), win))
    return levels


def _certain(met: Meetings, win: Fraction) -> dict[PlayerId, None]:
    """Return, in order, those on top whom nobody left could overtake even by winning every missing match."""
    sums = {player: exact_sum(made.values()) for player, made in met.items()}
    best_first = sorted(met, key=sums.__getitem__, reverse=True)
    # What the best of those behind each place could still reach, from the last place up.
    reachable: list[Fraction] = []
    for player in reversed(best_first[1:]):
        own = sums[player] + (len(met) - 1 - len(met[player])) * win
        reachable.append(max(own, reachable[-1]) if reachable else own)
    certain: dict[PlayerId, None] = {}
    for player, most in zip(best_first, [*reversed(reachable), None], strict=True):
        if most is not None and sums[player] <= most:
            break
        certain[player] = None
    return certain


def _among(group: Sequence[PlayerId], met: Meetings) -> Meetings:
    """Return the meetings of `group` alone."""
    members = set(group)
    return {
        player: {opponent: points for opponent, points in met[player].items() if opponent in members}
        for player in group
    }
