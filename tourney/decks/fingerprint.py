"""What stays the same for the same deck, whatever the order, comments and printings."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable

from tourney.rules.slots import Slot


def deck_hash(slots: Iterable[Slot]) -> str:
    """Return the deck's fingerprint: SHA-256 over its zones, cards and copies, in hexadecimal.

    Cards are told apart by their own folded name and, where a pool has several of one name, by which of them it is.
    """
    counts: Counter[tuple[str, str]] = Counter()
    for slot in slots:
        several = slot.known is not None and "\0" in slot.known
        counts[slot.zone, slot.keys[-1] if not several else slot.known or ""] += slot.qty
    lines = sorted(f"{zone}\t{card}\t{copies}" for (zone, card), copies in counts.items())
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
