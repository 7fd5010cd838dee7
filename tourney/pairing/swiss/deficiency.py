"""How many players of a set cannot be paired inside it, and why (Berge, Tutte, Gallai and Edmonds)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tourney.pairing.options import Pair
from tourney.pairing.swiss.duals import forest_of
from tourney.pairing.swiss.matching import most
from tourney.record import PlayerId

MayMeet = Callable[[PlayerId, PlayerId], bool]


def deficiency(players: Sequence[PlayerId], may_meet: MayMeet) -> int:
    """Return how many of `players` are left over at least when only pairs that may meet are made among them."""
    return fewest_left(players, may_meet, left_by_greed(players, may_meet))


def left_by_greed(
    players: Sequence[PlayerId], may_meet: MayMeet, waiting: Sequence[PlayerId] = ()
) -> list[PlayerId]:
    """Return who is left over when each player in turn meets the first who waits and may be met; no two of them may meet.

    waiting: who is waiting before the first of `players` comes
    """
    left = list(waiting)
    for player in players:
        partner = next((other for other in left if may_meet(other, player)), None)
        if partner is None:
            left.append(player)
        else:
            left.remove(partner)
    return left


def fewest_left(players: Sequence[PlayerId], may_meet: MayMeet, left: Sequence[PlayerId]) -> int:
    """Return how many of `players` are left over at least. left: those whom greed left over.

    A club that is kept apart needs no matching: where so many of whom no two may meet are more than all the others
    together, each of the others can take one of them at best.
    """
    if len(left) <= len(players) % 2:
        return len(left)
    apart, waiting = list(left), set(left)
    for player in players:
        if player not in waiting and not any(may_meet(player, other) for other in apart):
            apart.append(player)
    inside = set(apart)
    others = [player for player in players if player not in inside]
    again = len(left_by_greed(others, may_meet, apart))
    if again <= max(len(apart) - len(others), len(players) % 2):
        return again
    return len(players) - 2 * len(most(players, pairs_among(players, may_meet)))


def pairs_among(players: Sequence[PlayerId], may_meet: MayMeet) -> list[Pair]:
    """Return all pairs that may meet; the two sides in the order of `players`."""
    return [
        (one, other)
        for number, one in enumerate(players)
        for other in players[number + 1 :]
        if may_meet(one, other)
    ]


@dataclass(frozen=True)
class Witness:
    """Why a set of players leaves somebody over.

    Take `removed` away: the others fall into `parts` between which nobody may meet. A part of odd size cannot be paired
    inside itself, so each needs one of `removed` or leaves somebody over: at least (odd parts − removed) are left over.
    """

    removed: tuple[PlayerId, ...]
    parts: tuple[tuple[PlayerId, ...], ...]

    @property
    def left_over(self) -> int:
        """How many must be left over."""
        return sum(len(part) % 2 for part in self.parts) - len(self.removed)


def witness(players: Sequence[PlayerId], may_meet: MayMeet) -> Witness:
    """Return a set whose removal shows that the deficiency is as large as it is (Gallai and Edmonds)."""
    tables = pairs_among(players, may_meet)
    _, removed = forest_of(players, tables, most(players, tables))
    rest = [player for player in players if player not in removed]
    return Witness(tuple(player for player in players if player in removed), tuple(_parts(rest, tables)))


def _parts(players: Sequence[PlayerId], tables: Sequence[Pair]) -> list[tuple[PlayerId, ...]]:
    """Return the connected components of the players under the tables among them."""
    neighbours: dict[PlayerId, list[PlayerId]] = {player: [] for player in players}
    for one, other in tables:
        if one in neighbours and other in neighbours:
            neighbours[one].append(other)
            neighbours[other].append(one)
    seen: set[PlayerId] = set()
    parts = []
    for player in players:
        if player not in seen:
            part, stack = [], [player]
            seen.add(player)
            while stack:
                part.append(stack.pop())
                fresh = [other for other in neighbours[part[-1]] if other not in seen]
                seen.update(fresh)
                stack.extend(fresh)
            parts.append(tuple(part))
    return parts
