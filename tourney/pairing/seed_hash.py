"""Seeded randomness: sha-256 and whole numbers, so that any program can repeat it. A Swiss round has its own, `SeedHash`.

Another program repeats a round from these three sentences. Numbers are written in decimal, texts in UTF-8, words are
big-endian.

* The key of player p is sha256(`<seed>|p|<p>`).
* The word of the pair i < j is the 32-bit word number (j mod 8) of sha256(`<seed>|e|<i>|<j div 8>`); the bye is player 0.
* The coin of the pair i < j is the lowest bit of the first byte of sha256(`<seed>|s|<i>|<j>`); 1 gives i the first side.

Everything else is drawn: `draw(seed, *words, below=n)` is the big-endian number sha256(`<seed>|<word>|<word>…`), modulo n.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from struct import Struct
from typing import TypeVar

from tourney.record import PlayerId

Thing = TypeVar("Thing")
Word = str | int
"""What a line that is hashed is made of."""

_EIGHT_WORDS = Struct(">8I")
"""A digest as its eight big-endian words: one digest serves eight pairs."""


class SeedHash:
    """The words that follow from one seed; what has been worked out is kept.

    >>> seed_hash = SeedHash("a")
    >>> seed_hash.key(PlayerId(1)).hex()[:16], seed_hash.of_pairs([(PlayerId(2), PlayerId(9)), (PlayerId(9), PlayerId(2))])
    ('0674284df2896309', [1220924705, 1220924705])
    """

    def __init__(self, seed: str) -> None:
        self._keys: dict[PlayerId, bytes] = {}
        self._blocks: dict[tuple[int, int], tuple[int, ...]] = {}
        self._keyed = f"{seed}|p|".encode()
        self._paired = f"{seed}|e|".encode()
        self._seated = f"{seed}|s|".encode()

    def key(self, player: PlayerId) -> bytes:
        """Return the 32 bytes by which players are shuffled: the smaller comes first."""
        key = self._keys.get(player)
        if key is None:
            key = self._keys[player] = sha256(b"%b%d" % (self._keyed, player)).digest()
        return key

    def shuffled(self, players: Iterable[PlayerId]) -> list[PlayerId]:
        """Return the players in the order of their keys, ties by number."""
        prefix = self._keyed
        keyed = sorted([(sha256(b"%b%d" % (prefix, player)).digest(), player) for player in players])
        order = [player for _, player in keyed]
        self._keys.update(zip(order, (key for key, _ in keyed), strict=True))
        return order

    def of_pairs(self, pairs: Iterable[tuple[PlayerId, PlayerId]]) -> list[int]:
        """Return the 32-bit word of each pair, in order: the lowest digit of its price."""
        blocks, words = self._blocks, []
        for one, other in pairs:
            low, high = (one, other) if one < other else (other, one)
            place = (low, high >> 3)
            block = blocks.get(place)
            if block is None:
                text = b"%b%d|%d" % (self._paired, low, high >> 3)
                block = blocks[place] = _EIGHT_WORDS.unpack(sha256(text).digest())
            words.append(block[high & 7])
        return words

    def coin(self, one: PlayerId, other: PlayerId) -> bool:
        """Return whether the player with the lower number gets the first side, where nothing else decides."""
        text = b"%b%d|%d" % (self._seated, min(one, other), max(one, other))
        return bool(sha256(text).digest()[0] & 1)


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
