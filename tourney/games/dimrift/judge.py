"""DimRift, classic era: what a judge computes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tourney.errors import TourneyError

LIFE_PER_RANK = 3
"""What each missing rank of a rift costs (rules/turn-structure at 0620b5e6: elsewhere, not the rule text)."""

HIGHEST_RANK = 3


def rift_cost(opened: int, summoned: int) -> int:
    """Return the life lost for a rift of rank `opened` when the best card summoned from it has rank `summoned`.

    Three for each missing rank (rules/turn-structure). A higher rank than the rift's cannot come through it.

    >>> rift_cost(3, 1)
    6
    """
    for rank in (opened, summoned):
        if not 0 <= rank <= HIGHEST_RANK:
            raise TourneyError(f"there is no rank {rank}; ranks go from 0 to {HIGHEST_RANK}")
    if summoned > opened:
        raise TourneyError(f"a card of rank {summoned} does not come through a rift of rank {opened}")
    return LIFE_PER_RANK * (opened - summoned)


@dataclass(frozen=True, slots=True)
class Stats:
    """The stats that a crewed vehicle adds to its creature (Cards > Vehicle, L38)."""

    attack: int = 0
    life: int = 0
    armor: int = 0
    movement: int = 0

    def crewing(self, vehicle: Stats) -> Stats:
        """Return the stats of the creature with the vehicle underneath it.

        Raises TourneyError for a vehicle without movement: a vehicle's is above zero (L35).
        """
        if vehicle.movement < 1:
            raise TourneyError("a vehicle has a movement above 0 (Cards > Vehicle, L35)")
        return Stats(
            self.attack + vehicle.attack,
            self.life + vehicle.life,
            self.armor + vehicle.armor,
            self.movement + vehicle.movement,
        )


def duel_result(life: Mapping[str, int]) -> tuple[str, ...] | None:
    """Return who has won a duel, both names for a draw, None while it goes on (wiki/Winning_Condition).

    A player at 0 life has lost once the current effect is finished; both at 0 is a draw.
    """
    standing = tuple(player for player, points in life.items() if points > 0)
    if len(standing) == len(life):
        return None
    return standing or tuple(life)
