"""Red Kingdom & Blue Kingdom: what a judge computes. Lines are those of the rule sheet."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from tourney.errors import TourneyError

AREAS = 5
HAND = 5
NORMAL_COST, ACE_COST = 1, 2

Side = Literal["Red", "Blue"]


@dataclass(frozen=True, slots=True, order=True)
class Draw:
    """How many normal cards and aces to draw; decided before any of them is looked at (L126)."""

    normal: int
    ace: int

    @property
    def cost(self) -> int:
        """The funds it takes (L120)."""
        return self.normal * NORMAL_COST + self.ace * ACE_COST


def funds(areas: Sequence[int]) -> int:
    """Return a kingdom's funds: the sum of its values on the areas it occupies (L116)."""
    return sum(areas)


def draws(available: int, in_hand: int, *, spend_all: bool = False) -> tuple[Draw, ...]:
    """Return every legal draw with these funds: within them, and no more than 5 cards in hand (L116-126).

    spend_all: only draws that leave no funds, or a full hand (a reading: L124 shows only such draws).

    >>> [(each.normal, each.ace) for each in draws(4, 0, spend_all=True)]
    [(0, 2), (2, 1), (4, 0)]
    """
    if not 0 <= in_hand <= HAND:
        raise TourneyError(f"{in_hand} cards in hand: there are 0 to {HAND}")
    legal = [
        Draw(normal, ace)
        for normal in range(HAND - in_hand + 1)
        for ace in range(HAND - in_hand - normal + 1)
        if normal * NORMAL_COST + ace * ACE_COST <= available
    ]
    if not spend_all:
        return tuple(legal)
    return tuple(draw for draw in legal if draw.cost == available or in_hand + draw.normal + draw.ace == HAND)


@dataclass(frozen=True, slots=True)
class Battle:
    """A battle's points. winner: `attack`, `defense`, or None for a tie, which empties the area (L181-191)."""

    attack: int
    defense: int

    @property
    def winner(self) -> Literal["attack", "defense"] | None:
        """The side with the higher total."""
        if self.attack == self.defense:
            return None
        return "attack" if self.attack > self.defense else "defense"


def battle(
    swords: Sequence[int],
    shields: Sequence[int],
    *,
    attack_offsets: Sequence[int] = (),
    defense_offsets: Sequence[int] = (),
) -> Battle:
    """Return a battle (C, L165-177): one or two attackers, the occupying card and at most one more to defend.

    swords, shields: the points of the cards on either side
    attack_offsets, defense_offsets: what the area, the cards and Archers in adjacent areas add to a side

    Raises TourneyError for more or fewer cards than may take part.
    """
    if not 1 <= len(swords) <= 2:
        raise TourneyError(f"{len(swords)} attacking cards: 1 or 2 may attack an area")
    if not 1 <= len(shields) <= 2:
        raise TourneyError(f"{len(shields)} defending cards: the occupying one, and at most one more")
    return Battle(sum(swords) + sum(attack_offsets), sum(shields) + sum(defense_offsets))


def game_result(
    *,
    discarded: Collection[Side] = (),
    occupied: tuple[int, int] = (0, 0),
    tied_battle: bool = False,
    monarch_tie: Literal["loses", "plays on"] = "loses",
) -> Side | Literal["draw"] | None:
    """Return who has won, `draw`, or None while the game goes on (Win Condition, L147-155).

    discarded:   whose monarch was discarded in the battle just fought
    occupied:    the areas that Red and Blue occupy; all five win
    tied_battle: whether that battle was tied; it then discards a lone monarch without being won (see the setting)
    """
    if len(set(discarded)) == 2:
        return "draw"
    if discarded and not (tied_battle and monarch_tie == "plays on"):
        return "Blue" if "Red" in discarded else "Red"
    if AREAS in occupied:
        return "Red" if occupied[0] == AREAS else "Blue"
    return None
