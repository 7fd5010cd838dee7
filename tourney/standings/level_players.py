"""Tie-breaks among level players, and the last resorts: registration order and the lot.

Direct encounter (FIDE C.07, article 6) and head-to-head count only the matches within a group of players who
are still level, so they are calculated separately for each group.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial

from msgspec.structs import replace

from tourney.record import Outcome, PlayerId
from tourney.standings.exact import exact_sum
from tourney.standings.scorecards import Scorecards
from tourney.standings.tally import FIDE, REVERSED, GroupTally, Meetings, Modifier, Tally, Tiebreak


def rating(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the player's rating; None for a player without one."""
    return Tally(scorecards.record.ratings.get(player), "rating")


def registration(_: Scorecards, player: PlayerId) -> Tally:
    """Return the player's position in the order of registration, from 1."""
    return Tally(int(player), "order of registration")


def lot(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the player's lot, a number calculated from the seed and the player's number.

    The lot is the first 48 bits of a SHA-256 of both. Without a seed, players have no lot.
    """
    if not scorecards.seed:
        return Tally(None, "no lot was drawn")
    digest = hashlib.sha256(f"{scorecards.seed}\nlot\n{player}".encode()).digest()
    number = int.from_bytes(digest[:6], "big")
    return Tally(number, f"sha-256 of `{scorecards.seed}` and player {player}")


def direct_encounter(
    scorecards: Scorecards, group: Sequence[PlayerId], *, counts_forfeits: bool = False
) -> GroupTally:
    """Rank a group of level players by direct encounter (FIDE C.07, article 6).

    counts_forfeits: whether unplayed matches count too (DE/P); in a round robin they always count
    """
    counts_forfeits = counts_forfeits or scorecards.round_robin
    meetings = _meetings(scorecards, group, counts_forfeits=counts_forfeits)
    win = Fraction(scorecards.profile.outcomes[Outcome.WIN].points, 2)
    reason_unused = "" if any(meetings.values()) else "none of them have met"
    return GroupTally(_places(_order_group(meetings, win)), meetings, counts_forfeits, reason_unused)


def head_to_head(scorecards: Scorecards, group: Sequence[PlayerId]) -> GroupTally:
    """Rank a group of level players by the matches among them, including forfeits.

    The profile decides when head-to-head applies: if all players of the group have met, or only for groups of
    two. If it does not apply, all players share place 1.
    """
    if scorecards.profile.head_to_head == "two" and len(group) > 2:
        reason_unused = f"{len(group)} players are level, but this tie-break decides only between two"
        return GroupTally(_places([list(group)]), {}, counts_forfeits=True, reason_unused=reason_unused)
    members = set(group)
    meetings: dict[PlayerId, Mapping[PlayerId, Fraction]] = {}
    for player in group:
        meetings[player] = _points_against(scorecards, player, members, counts_forfeits=True)
        if len(meetings[player]) < len(group) - 1:
            return GroupTally(
                _places([list(group)]), {}, counts_forfeits=True, reason_unused="they have not all met"
            )
    return GroupTally(_places(_by_sum(meetings)), meetings, counts_forfeits=True)


def _places(levels: list[list[PlayerId]]) -> dict[PlayerId, int]:
    places: dict[PlayerId, int] = {}
    for level in levels:
        places.update(dict.fromkeys(level, len(places) + 1))
    return places


def _meetings(scorecards: Scorecards, group: Sequence[PlayerId], *, counts_forfeits: bool) -> Meetings:
    """Return the mean points of each player of the group against each of the others."""
    if len(group) == 1:
        return {group[0]: {}}
    members = set(group)
    return {
        player: _points_against(scorecards, player, members, counts_forfeits=counts_forfeits)
        for player in group
    }


def _points_against(
    scorecards: Scorecards, player: PlayerId, members: set[PlayerId], *, counts_forfeits: bool
) -> dict[PlayerId, Fraction]:
    """Return a player's mean points against each of `members`."""
    points_by_opponent: dict[PlayerId, list[int]] = {}
    for entry in scorecards[player]:
        for opponent in entry.opponents:
            if opponent in members and (counts_forfeits or entry.outcome.played):
                points_by_opponent.setdefault(opponent, []).append(entry.points)
    return {
        opponent: Fraction(sum(points), 2 * len(points)) for opponent, points in points_by_opponent.items()
    }


def _order_group(meetings: Meetings, win: Fraction) -> list[list[PlayerId]]:
    """Split level players into smaller groups, best first (FIDE C.07, article 6).

    Article 6.2 applies if all have met, otherwise article 6.3.
    """
    if len(meetings) < 2:
        return [list(meetings)] if meetings else []
    if all(len(points_by_opponent) == len(meetings) - 1 for points_by_opponent in meetings.values()):
        return _by_sum(meetings, win)
    certain_players = _certain_players(meetings, win)
    if not certain_players:
        return [list(meetings)]
    rest = [player for player in meetings if player not in certain_players]
    return [[player] for player in certain_players] + _order_group(_meetings_among(rest, meetings), win)


def _by_sum(meetings: Meetings, win: Fraction = Fraction(1)) -> list[list[PlayerId]]:
    """Rank players by the sum of their points in `meetings`.

    Returns groups of equal players, best first. Players with equal sums are ranked again by their matches
    among themselves, unless all players have the same sum.

    meetings: player → opponent → the player's mean points against this opponent
    win: the points for a win
    """
    level_at: dict[Fraction, list[PlayerId]] = {}
    for player, points_by_opponent in meetings.items():
        level_at.setdefault(exact_sum(points_by_opponent.values()), []).append(player)
    levels = []
    for _, level in sorted(level_at.items(), reverse=True):
        levels.extend(
            [level]
            if len(level) in (1, len(meetings))
            else _order_group(_meetings_among(level, meetings), win)
        )
    return levels


def _certain_players(meetings: Meetings, win: Fraction) -> dict[PlayerId, None]:
    """Return the players at the top of a group whose places are certain, the best player first.

    A player's place is certain if all players further down would still have fewer points, even after a win
    against every member of the group whom they have not met. The first player whose place is not certain,
    and all players further down, are left out. Only points against members of the group count.
    """
    sums = {player: exact_sum(points_by_opponent.values()) for player, points_by_opponent in meetings.items()}
    best_first = sorted(meetings, key=sums.__getitem__, reverse=True)
    # For each place, starting with the last: the maximum points that any player behind it can reach.
    reachable: list[Fraction] = []
    for player in reversed(best_first[1:]):
        possible_points = sums[player] + (len(meetings) - 1 - len(meetings[player])) * win
        reachable.append(max(possible_points, reachable[-1]) if reachable else possible_points)
    certain_players: dict[PlayerId, None] = {}
    for player, most in zip(best_first, [*reversed(reachable), None], strict=True):
        if most is not None and sums[player] <= most:
            break
        certain_players[player] = None
    return certain_players


def _meetings_among(group: Sequence[PlayerId], meetings: Meetings) -> Meetings:
    """Return only the points in `meetings` that players of `group` made against each other."""
    members = set(group)
    return {
        player: {opponent: points for opponent, points in meetings[player].items() if opponent in members}
        for player in group
    }


_WITH_FORFEITS = Modifier(
    "including forfeits",
    lambda row, _: replace(row, group_function=partial(direct_encounter, counts_forfeits=True)),
)

ROWS = (
    Tiebreak("RTNG", "rating", f"{FIDE} 7", "rating", rating, modifiers=REVERSED),
    Tiebreak("TPN", "pairing number", f"{FIDE} 7", "number", registration, low=True, modifiers=REVERSED),
    Tiebreak("DE", "direct encounter", f"{FIDE} 6", "place", low=True, group_function=direct_encounter,
             modifiers={"P": _WITH_FORFEITS}),
    Tiebreak("H2H", "head-to-head", '"head-to-head" of the profile', "place", low=True,
             group_function=head_to_head),
    Tiebreak("REG", "order of registration", "Play! Pokémon tournament rules handbook 5.3", "number",
             registration, low=True),
    Tiebreak("LOT", "lot", "drawn from the seed", "lot", lot, low=True),
)  # fmt: skip
