"""Seeded randomness for everything but the Swiss round: sha-256 and whole numbers, repeatable by any program.

`draw(seed, *words, below=n)` is the big-endian number sha256(`<seed>|<word>|<word>…` in UTF-8), modulo n.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import TypeVar

Thing = TypeVar("Thing")
Word = str | int


def draw(seed: str, *words: Word, below: int) -> int:
    """Return a number from 0 to `below` - 1, always the same one for the same seed and words.

    >>> draw("a", "coin", 1, below=2), draw("a", "die", 1, below=6)
    (0, 2)
    """
    text = "|".join((seed, *map(str, words)))
    return int.from_bytes(sha256(text.encode()).digest(), "big") % below


def chance(seed: str, *words: Word, percent: int) -> bool:
    """Return True in `percent` of 100 cases."""
    return draw(seed, *words, below=100) < percent


def shuffled(seed: str, word: Word, things: Iterable[Thing]) -> list[Thing]:
    """Return the things in a random order: from the last place down, each swaps with a drawn one at or before it."""
    order = list(things)
    for last in range(len(order) - 1, 0, -1):
        other = draw(seed, word, last, below=last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def by_weight(seed: str, word: Word, weights: Sequence[int]) -> list[int]:
    """Return all indexes in a random order in which each next one is drawn in proportion to its weight (from 1 up)."""
    left = list(range(len(weights)))
    order: list[int] = []
    while left:
        ticket = draw(seed, word, len(order), below=sum(weights[index] for index in left))
        for index in left:
            ticket -= weights[index]
            if ticket < 0:
                order.append(index)
                left.remove(index)
                break
    return order
