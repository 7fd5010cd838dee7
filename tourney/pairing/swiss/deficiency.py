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
    left = _greedy(players, may_meet)
    if left <= len(players) % 2:
        return left
    tables = pairs_among(players, may_meet)
    return len(players) - 2 * len(most(players, tables))


def _greedy(players: Sequence[PlayerId], may_meet: MayMeet) -> int:
    waiting: list[PlayerId] = []
    for player in players:
        partner = next((other for other in waiting if may_meet(other, player)), None)
        if partner is None:
            waiting.append(player)
        else:
            waiting.remove(partner)
    return len(waiting)


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
