"""Red Diamond: what a judge computes. Sections and lines are those of the rulebook 7.5.2025."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod

from tourney.errors import TourneyError

TALLEST = 7
"""No card or pile is higher (Card Stats > HGT, L78)."""

MOST_STEPS = 1_000_000
"""How many cards in sets the search for the best scoring looks at before it gives up (a few seconds)."""


@dataclass(frozen=True, slots=True, order=True)
class VictoryCard:
    """A VP card: its value, and the Max that limits a set it is scored in. Raises TourneyError below zero."""

    vp: int
    max: int
    name: str = ""

    def __post_init__(self) -> None:
        if self.vp < 0 or self.max < 0:
            raise TourneyError(
                f"{self.name or 'a VP card'}: a value or a Max below 0 is not printed on any card"
            )


@dataclass(frozen=True, slots=True)
class Scoring:
    """A way to score a Victory Pile: the sets and single cards, and what each is worth."""

    piles: tuple[tuple[VictoryCard, ...], ...]
    values: tuple[int, ...]

    @property
    def total(self) -> int:
        """The sum of the piles (Scoring, L236)."""
        return sum(self.values)


def set_value(cards: Sequence[VictoryCard]) -> int:
    """Return the victory points of cards scored together (Scoring, L232-243).

    A single card is worth its value; Max limits sets of two or more (a reading: L234 speaks of sets only).

    >>> set_value([VictoryCard(2, 40), VictoryCard(3, 30), VictoryCard(4, 20)])
    20
    """
    if len(cards) < 2:
        return sum(card.vp for card in cards)
    return min(prod(card.vp for card in cards), *(card.max for card in cards))


def best_scoring(cards: Sequence[VictoryCard]) -> Scoring:
    """Return a scoring of the whole pile that is worth most; of several the one found first in order of Max.

    Exact. A pile may be broken up into any sets and single cards (L236). Raises TourneyError where the pile has so
    many different cards that the search would take too long.
    """
    singles = [(card,) for card in cards if card.vp < 2]  # a factor of 1 or 0 never helps a set
    kinds: dict[tuple[int, int], list[VictoryCard]] = {}
    for card in sorted(cards, key=lambda card: (-card.max, -card.vp, card.name)):
        if card.vp >= 2:
            kinds.setdefault((card.vp, card.max), []).append(card)
    search = _Search(tuple(kinds))
    sets = search.best(tuple(len(same) for same in kinds.values()))[1]
    piles = [tuple(kinds[search.kinds[kind]].pop(0) for kind in chosen) for chosen in sets]
    whole = (*piles, *singles)
    return Scoring(whole, tuple(set_value(pile) for pile in whole))


class _Search:
    """The best way to break up a pile, cards of equal value and Max being one kind; kinds go by falling Max.

    The first card left goes into each set that could be worth it in turn. A set is worth it only if it scores more
    than the same set with one card taken out and scored alone; so a set that has reached its limit never grows.
    """

    def __init__(self, kinds: tuple[tuple[int, int], ...]) -> None:
        self.kinds = kinds
        self._steps = 0
        self.best = lru_cache(maxsize=None)(self._best)

    def _best(self, left: tuple[int, ...]) -> tuple[int, tuple[tuple[int, ...], ...]]:
        first = next((kind for kind, number in enumerate(left) if number), None)
        if first is None:
            return 0, ()
        best: tuple[int, tuple[tuple[int, ...], ...]] = (-1, ())
        for chosen, value, rest in self._sets((first,), self.kinds[first][0], _without(left, first)):
            rest_value, others = self.best(rest)
            if value + rest_value > best[0]:
                best = (value + rest_value, (chosen, *others))
        return best

    def _sets(
        self, chosen: tuple[int, ...], product: int, left: tuple[int, ...]
    ) -> Iterator[tuple[tuple[int, ...], int, tuple[int, ...]]]:
        """Give the sets that start with `chosen`, what each is worth, and what is left without it."""
        self._steps += len(chosen)
        if self._steps > MOST_STEPS:
            said = f"{len(self.kinds)} different VP cards are too many to find the best scoring"
            raise TourneyError(said, "ask for a part of the pile")
        value = self._value(chosen, product)
        if self._worth_it(chosen, product, value):
            yield chosen, value, left
        if len(chosen) > 1 and product >= self.kinds[chosen[-1]][1]:
            return
        for kind in range(chosen[-1], len(self.kinds)):
            if left[kind]:
                yield from self._sets((*chosen, kind), product * self.kinds[kind][0], _without(left, kind))

    def _value(self, chosen: tuple[int, ...], product: int) -> int:
        return product if len(chosen) == 1 else min(product, self.kinds[chosen[-1]][1])

    def _worth_it(self, chosen: tuple[int, ...], product: int, value: int) -> bool:
        if len(chosen) == 1:
            return True
        for place, kind in enumerate(chosen):
            vp = self.kinds[kind][0]
            others = (
                chosen[:-1] if place == len(chosen) - 1 else chosen[1:]
            )  # only the last one matters: its Max
            if self._value(others, product // vp) + vp >= value:
                return False
        return True


def _without(left: tuple[int, ...], kind: int) -> tuple[int, ...]:
    return (*left[:kind], left[kind] - 1, *left[kind + 1 :])


def can_reach(goal: int, cards: Sequence[VictoryCard]) -> bool:
    """Say whether a deck with these VP cards can win at all: its best scoring reaches the goal (Win Condition, L17)."""
    return best_scoring(cards).total >= goal


@dataclass(frozen=True, slots=True)
class AttackResult:
    """What an attack destroys (Battle Rules, L224)."""

    target_destroyed: bool
    attacker_destroyed: bool = False


def battle(
    atk: int | None,
    dfn: int | None,
    *,
    self_defense: bool = False,
    target_atk: int | None = None,
    attacker_dfn: int | None = None,
) -> AttackResult:
    """Return what an attack with `atk` on a card with `dfn` destroys; None is a blank stat.

    ATK equal to or above DEF destroys. With Self-Defense the target attacks back at the same moment and both may
    fall (Play Conditions, L205). Raises TourneyError where the attack may not be declared (L222).
    """
    if atk is None:
        raise TourneyError("a card without ATK cannot declare an attack (Battle Rules, L222)")
    if dfn is None:
        raise TourneyError("a card without DEF cannot be the target of an attack (Battle Rules, L222)")
    strikes_back = self_defense and target_atk is not None and attacker_dfn is not None
    return AttackResult(atk >= dfn, strikes_back and (target_atk or 0) >= (attacker_dfn or 0))


def pile_height(top: int, below: int, *, limit: int = TALLEST) -> int:
    """Return the height of a pile: its top card's and one for each card below (Card Piles, L266).

    limit: the top card's own "Max. HGT" (Play Conditions, L214); nothing is ever higher than 7 (L78).
    """
    return min(top + below, limit, TALLEST)


def can_target(own_height: int | None, other_height: int | None, *, reach: int | None = None) -> bool:
    """Say whether a card may attack or affect another one: not if that is 2 or more higher (Card Stats > HGT, L78).

    reach: the X of "Range: X", which reaches every card up to that height (L213). A blank height hinders nothing.
    """
    if own_height is None or other_height is None:
        return True
    return other_height - own_height < 2 or (reach is not None and other_height <= reach)


def turns_until_open(pile: int) -> int:
    """Return at which of your next turns a card in Recycle Pile 1, 2 or 3 comes to the Open Deck (L117-121).

    >>> [turns_until_open(pile) for pile in (1, 2, 3)]
    [3, 2, 1]
    """
    if pile not in {1, 2, 3}:
        raise TourneyError(f"there is no Recycle Pile {pile}; there are 1, 2 and 3")
    return 4 - pile
