"""The randomness of a round: sha-256 of (round seed, player numbers), integers only.

Another program repeats it from these three sentences. Numbers are written in decimal, texts in UTF-8, words are
big-endian.

* The key of player p is the first 8 bytes of sha256(`<seed>|p|<p>`).
* The word of the pair i < j is the 32-bit word number (j mod 8) of sha256(`<seed>|e|<i>|<j div 8>`); the bye is player 0.
* The coin of the pair i < j is the lowest bit of the first byte of sha256(`<seed>|s|<i>|<j>`); 1 gives i the first side.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from struct import Struct

from tourney.record import PlayerId

WORD_BITS = 32
_EIGHT_WORDS = Struct(">8I")


def player_key(seed: str, player: PlayerId) -> int:
    """Return the 64-bit key by which players are shuffled.

    >>> player_key("a", PlayerId(1))
    465040976772686601
    """
    return int.from_bytes(sha256(f"{seed}|p|{player}".encode()).digest()[:8], "big")


def pair_words(seed: str, pairs: Iterable[tuple[PlayerId, PlayerId]]) -> list[int]:
    """Return the 32-bit word of each pair, in order: the lowest digit of its price.

    >>> pair_words("a", [(PlayerId(2), PlayerId(9)), (PlayerId(9), PlayerId(2))])
    [1220924705, 1220924705]
    """
    blocks: dict[tuple[int, int], tuple[int, ...]] = {}
    words = []
    for one, other in pairs:
        low, high = (one, other) if one < other else (other, one)
        place = (low, high >> 3)
        block = blocks.get(place)
        if block is None:
            block = blocks[place] = _EIGHT_WORDS.unpack(
                sha256(f"{seed}|e|{low}|{high >> 3}".encode()).digest()
            )
        words.append(block[high & 7])
    return words


def coin(seed: str, one: PlayerId, other: PlayerId) -> bool:
    """Return whether the player with the lower number gets the first side, where nothing else decides."""
    low, high = sorted((one, other))
    return bool(sha256(f"{seed}|s|{low}|{high}".encode()).digest()[0] & 1)


def shuffled(seed: str, players: Sequence[PlayerId]) -> list[PlayerId]:
    """Return the players in the order of their keys, ties by number."""
    return [player for _, player in sorted((player_key(seed, player), player) for player in players)]
