"""The randomness of a round: sha-256 of (round seed, player numbers), integers only.

Another program repeats it from these three sentences. Numbers are written in decimal, texts in UTF-8, words are
big-endian.

* The key of player p is sha256(`<seed>|p|<p>`).
* The word of the pair i < j is the 32-bit word number (j mod 8) of sha256(`<seed>|e|<i>|<j div 8>`); the bye is player 0.
* The coin of the pair i < j is the lowest bit of the first byte of sha256(`<seed>|s|<i>|<j>`); 1 gives i the first side.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from struct import Struct

from tourney.record import PlayerId

_EIGHT_WORDS = Struct(">8I")


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
