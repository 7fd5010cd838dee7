"""A promise of a deck that tells nothing of it: shown now, opened later.

The commitment is SHA-256 of a label, the salt's length (8 bytes), the salt and the deck's hash. Without the salt nobody can try decks against it;
with it anybody can see that the deck shown later is the one that was promised.
"""

from __future__ import annotations

import hashlib
import hmac

_LABEL = b"tourney deck commitment 1\0"
SALT_BYTES = 16


def commitment(deck_hash: str, salt: bytes) -> str:
    """Return the commitment to a deck, in hexadecimal. deck_hash: of `deck_hash`; salt: random, kept secret till then."""
    return hashlib.sha256(_LABEL + len(salt).to_bytes(8) + salt + deck_hash.encode()).hexdigest()


def opens(promised: str, deck_hash: str, salt: bytes) -> bool:
    """Say whether this deck and salt are what was promised."""
    return hmac.compare_digest(promised.strip().lower(), commitment(deck_hash, salt))
