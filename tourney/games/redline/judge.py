"""REDLINE: what a judge computes. Sections and lines are those of the rules page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from tourney.errors import TourneyError

CAPTURE_BONUS: Mapping[str, int] = {"light": -2, "medium": 0, "heavy": 2}
"""What an efreet's class adds to its capture die (Capturing Missions, L218)."""

RUBBLE_COST = 5
"""The capture cost of rubble (SCORCHED EARTH, L451)."""

SCRAMBLE_TARGET = 25
"""The scramble count that wins (REDLINE Scramble, L410)."""

_ATTACK_DIE = 12
_CAPTURE_DIE = 6


@dataclass(frozen=True, slots=True)
class Odds:
    """So many favourable rolls of so many equally likely ones."""

    favourable: int
    total: int

    @property
    def chance(self) -> Fraction:
        """The share of favourable rolls."""
        return Fraction(self.favourable, self.total)

    def __str__(self) -> str:
        return f"{self.favourable}/{self.total}"


# -- capturing -----------------------------------------------------------------------------------------------------


def capture_cost(printed: int, counters: int = 0) -> int:
    """Return what a capture roll must reach: the printed cost and one for each capture counter (L222, L275).

    >>> capture_cost(2, 1)
    3
    """
    return printed + counters


def capture_damage(printed: int) -> int:
    """Return the damage a capture deals, to one target: the printed cost, whatever the counters (L232-234)."""
    return printed


def capture_odds(squad: Sequence[str], cost: int) -> Odds:
    """Return the odds that a squad captures a mission of `cost` (counters included): each efreet rolls a d6.

    squad: `light`, `medium` or `heavy` for each efreet (L218). A sum below zero stays below zero: no floor is printed.
    Raises TourneyError for another class or an empty squad.

    >>> print(capture_odds(["light", "light"], 3))
    21/36
    """
    if not squad:
        raise TourneyError("nobody is there to capture the mission")
    sums = {sum(_bonus(each) for each in squad): 1}
    for _ in squad:
        sums = _one_die_more(sums)
    return Odds(sum(ways for total, ways in sums.items() if total >= cost), _CAPTURE_DIE ** len(squad))


def _bonus(efreet: str) -> int:
    bonus = CAPTURE_BONUS.get(efreet.casefold())
    if bonus is None:
        raise TourneyError(f"`{efreet}` is no class of efreets; there are {', '.join(CAPTURE_BONUS)}")
    return bonus


def _one_die_more(sums: Mapping[int, int]) -> dict[int, int]:
    more: dict[int, int] = {}
    for total, ways in sums.items():
        for face in range(1, _CAPTURE_DIE + 1):
            more[total + face] = more.get(total + face, 0) + ways
    return more


# -- firing --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Shot:
    """A shot: its total after modifiers, whether it hits, and whether it is a critical hit."""

    total: int
    hit: bool
    critical: bool


def shot(face: int, speed: int, *, accuracy: int = 0, entrenched: bool = False) -> Shot:
    """Return what a roll of `face` on the d12 does to a target of `speed` (Combat, L251-255, L265).

    A hit if the total reaches the speed, critical if it equals it. A face of 12 always hits and is critical, whatever
    the modifiers (Glossary > Natural 12, L563). An entrenched target takes no critical hit (L283).
    Raises TourneyError where the die has no such face.
    """
    if not 1 <= face <= _ATTACK_DIE:
        raise TourneyError(f"a d12 does not show {face}")
    total = face + accuracy
    natural = face == _ATTACK_DIE
    return Shot(total, natural or total >= speed, (natural or total == speed) and not entrenched)


def shot_odds(speed: int, *, accuracy: int = 0, entrenched: bool = False) -> tuple[Odds, Odds]:
    """Return the odds of a hit and of a critical hit."""
    shots = [
        shot(face, speed, accuracy=accuracy, entrenched=entrenched) for face in range(1, _ATTACK_DIE + 1)
    ]
    hits, criticals = sum(each.hit for each in shots), sum(each.critical for each in shots)
    return Odds(hits, _ATTACK_DIE), Odds(criticals, _ATTACK_DIE)


def firing_order(speeds: Mapping[str, int]) -> tuple[tuple[str, ...], ...]:
    """Return who fires when in a combat round: by speed, high first; equals together (L242-247).

    Damage among those who fire together is applied after all of them have fired.
    """
    ranked = sorted(speeds, key=lambda unit: -speeds[unit])
    return tuple(tuple(units) for _, units in groupby(ranked, key=lambda unit: speeds[unit]))


def entrenched_damage(damage: int, counters: int) -> tuple[int, int]:
    """Return the damage that comes through entrenchment counters, and the counters left: each absorbs 1 (L283)."""
    absorbed = min(damage, counters)
    return damage - absorbed, counters - absorbed


def mine_damage(final_roll: int) -> int:
    """Return what a mine deals for a roll there: 1 if it is odd after modifiers, captures included (L289)."""
    return final_roll % 2


def unit_destroyed(damage: int, armor: int) -> bool:
    """Say whether an efreet is destroyed: damage equal to or above its armor (Unit Destruction, L269)."""
    return damage >= armor


def general_falls(damage: int, armor: int) -> bool:
    """Say whether a general goes back to the bunker: damage above the armor (Bunker/HQ, L307).

    A reading: L383 has "how much damage they can take"; L307 says "greater than".
    """
    return damage > armor


def general_cost(printed: int, deployment: int) -> int:
    """Return what it costs to deploy a general for the n-th time: 2 more each time after the first (L307, L383).

    >>> [general_cost(5, nth) for nth in (1, 2, 3)]
    [5, 7, 9]
    """
    if deployment < 1:
        raise TourneyError("deployments are counted from 1")
    return printed + 2 * (deployment - 1)


# -- order of play, Scramble ---------------------------------------------------------------------------------------


def playing_order(rolls: Mapping[str, int]) -> tuple[str, ...]:
    """Return the players in the order in which they act: the lowest d12 first, the highest last (L146, L415, L557).

    The highest has initiative. Raises TourneyError for equal rolls: the rules do not settle them.
    """
    order = sorted(rolls, key=lambda player: rolls[player])
    same = [player for player in order if list(rolls.values()).count(rolls[player]) > 1]
    if same:
        raise TourneyError(f"{' and '.join(same)} rolled the same", "roll again: the rules do not say more")
    return tuple(order)


def scramble_count(capture_costs: Sequence[int]) -> int:
    """Return a player's scramble count: the printed capture costs of the missions owned (L410)."""
    return sum(capture_costs)


def scramble_winners(
    counts: Mapping[str, int], *, target: int = SCRAMBLE_TARGET, missions_left: bool = True
) -> tuple[str, ...]:
    """Return who has won a game of Scramble: nobody yet, one player, or several that the rules do not part.

    counts: the scramble count of each player who is still in (an empty arsenal puts a player out, L412).
    Whoever reaches the target first wins (L410). When a mission cannot be replaced, the game ends with that turn and
    the highest count wins (L413); a tie there is not settled. The last player left has won.
    """
    if len(counts) == 1:
        return tuple(counts)
    best = max(counts.values(), default=0)
    if missions_left and best < target:
        return ()
    return tuple(player for player, count in counts.items() if count == best)
