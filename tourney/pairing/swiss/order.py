"""Rounds by rating or by standings: how far a table is from the place the round's mode would give it.

Inside a group of m players (0 is the strongest) FOLD wants places that add up to m - 1, SLIDE places that differ by m / 2;
where the group is odd its last player is left over (to float or to have the bye), and m is one less. A player who floats
down should be the last of the upper group and meet the first of the lower one. RANK wants neighbours of the standings.
Each table costs the square of the distance from that, in places. The organizer's tables are left out of the order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tourney.pairing.entrant import NOBODY, Entrant
from tourney.pairing.options import Mode, Pair
from tourney.pairing.swiss.digits import Column
from tourney.pairing.swiss.field import Field
from tourney.record import PlayerId


def by_strength(field: Field, players: Sequence[PlayerId]) -> list[PlayerId]:
    """Return players by the mode's measure, the strongest first: rank, or rating with unrated last; ties by number."""
    entrants = field.entrants
    if field.options.mode is Mode.RANK:
        return sorted(players, key=lambda player: (_rank(entrants[player]), player))
    return sorted(players, key=lambda player: (-_rating(entrants[player]), player))


def _rank(entrant: Entrant) -> int:
    assert entrant.rank is not None, "refused by `contradictions`"
    return entrant.rank


def _rating(entrant: Entrant) -> int:
    return -(2**31) if entrant.rating is None else entrant.rating


def order_column(field: Field, tables: Sequence[Pair]) -> Column:
    """Return the squared distance of each candidate table from the mode's wish; the organizer's pairs are at none."""
    distance = _rank_distance(field) if field.options.mode is Mode.RANK else _rating_distance(field)
    forced = {player for pair in field.options.forced for player in pair}
    return [distance(*table) ** 2 if forced.isdisjoint(table) else 0 for table in tables]


def _rank_distance(field: Field) -> Callable[[PlayerId, PlayerId], int]:
    place = {player: number for number, player in enumerate(by_strength(field, field.ordered))}
    last = len(place) - 1
    return lambda one, other: place[one] - (last if other == NOBODY else place[other])


def _rating_distance(field: Field) -> Callable[[PlayerId, PlayerId], int]:
    points, fold = field.points, field.options.mode is Mode.FOLD
    groups = field.by_points(field.ordered)
    size = {points[group[0]]: len(group) for group in groups}
    place = {player: number for group in groups for number, player in enumerate(by_strength(field, group))}

    def distance(one: PlayerId, other: PlayerId) -> int:
        players = size[points[one]]
        if other == NOBODY or points[one] != points[other]:
            return (players - 1 - place[one]) + (0 if other == NOBODY else place[other])
        even = players - players % 2
        if fold:
            return place[one] + place[other] - (even - 1)
        return abs(place[one] - place[other]) - even // 2

    return distance
