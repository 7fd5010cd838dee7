"""Which class of players has the bye: fewest earlier byes, then lowest points, among choices that keep level 1 at 0."""

from __future__ import annotations

from itertools import combinations

from tourney.pairing.entrant import NOBODY
from tourney.pairing.swiss.deficiency import deficiency
from tourney.pairing.swiss.field import Field
from tourney.pairing.swiss.matching import cheapest
from tourney.pairing.swiss.whole import vertices
from tourney.record import PlayerId


def conflict_free_for_sure(field: Field) -> bool:
    """Whether size alone shows that a conflict-free round exists, whoever of the free players has the bye.

    Lemma 1: an even pool of m ≥ 2d + 2 players with at most d conflicts each has a conflict-free complete pairing.
    """
    return len(field.free) - field.odd >= 2 * field.most_barred + 2


def bye_class(field: Field) -> list[PlayerId] | None:
    """Return the best class that leaves a conflict-free round ([] in an even field), or None if no class does."""
    classes = field.bye_classes or [[]]
    if conflict_free_for_sure(field):
        return classes[0]
    if not deficiency(vertices(field), field.unmet_with_bye(frozenset(classes[0]))):
        return classes[0]
    rank = {player: number for number, each in enumerate(classes) for player in each}
    tables = [pair for pair in combinations(field.free, 2) if field.unmet(*pair)]
    prices = [0] * len(tables) + list(rank.values())
    tables += [(player, NOBODY) for player in rank]
    round_found = cheapest(vertices(field), tables, prices)
    if round_found is None:
        return None
    return next((classes[rank[one]] for one, other in round_found if other == NOBODY), [])
