"""Places: whoever gets further is better, equals share."""

from __future__ import annotations

from itertools import groupby

from tourney.pairing.elimination.types import Place
from tourney.pairing.elimination.walk import Walk
from tourney.record import PlayerId


def places(walk: Walk) -> tuple[Place, ...]:
    """Return the places of the champion and of everybody who is out, best first, equals in order of seed.

    While the bracket is being played, whoever is still in is better than whoever is out.
    """
    depth = dict(walk.out)
    if walk.champion is not None:
        depth[walk.champion] = max((stage.depth for stage in walk.plan), default=0) + 2

    def reached(player: PlayerId) -> int:
        return depth[player]

    found: list[Place] = []
    better = sum(player not in depth for player in walk.players)
    ordered = sorted(depth, key=lambda player: (-depth[player], walk.seed(player), player))
    for _, group in groupby(ordered, key=reached):
        members = list(group)
        found += [Place(player=player, first=better + 1, last=better + len(members)) for player in members]
        better += len(members)
    return tuple(found)
