"""A deck registered now and shown later: a commitment to its hash, and the difference between the two.

A commitment to a deck reveals nothing about it: handed in now, opened later. It is SHA-256 of a label, the salt's length (8
bytes), the salt and the deck's hash. Without the salt nobody can try decks against it; with it anybody can see that the
deck shown later is the one that was committed to.
"""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from tourney.cards.names import fold
from tourney.decks.decklist import Decklist
from tourney.decks.reading.headers import vocabulary_of
from tourney.decks.resolving import Resolver
from tourney.rules import Ruleset

_LABEL = b"tourney deck commitment 1\0"
SALT_BYTES = 16


def commitment(deck_hash: str, salt: bytes) -> str:
    """Return the commitment to a deck, in hexadecimal. deck_hash: `Resolved.hash`; salt: random, kept secret till then."""
    return hashlib.sha256(_LABEL + len(salt).to_bytes(8) + salt + deck_hash.encode()).hexdigest()


def opens(committed: str, deck_hash: str, salt: bytes) -> bool:
    """Say whether this deck and salt are what was committed to."""
    return hmac.compare_digest(committed.strip().lower(), commitment(deck_hash, salt))


# -- A presented deck against the registered one, as multisets of cards


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """A card of which the decks have different numbers in a zone. before, after: copies in the first and the second."""

    zone: str
    card: str
    before: int
    after: int


Copies = Counter[tuple[str, str]]
Names = dict[str, str]


def difference(first: Decklist, second: Decklist, ruleset: Ruleset | None = None) -> tuple[Changed, ...]:
    """Return what the second deck has otherwise than the first, by zone and name; empty if they are the same deck.

    ruleset: finds aliases, printings and zones; without it names are compared as they are written
    """
    names: Names = {}
    before, after = (_copies(deck, ruleset, names) for deck in (first, second))
    order = {zone.rule.id: number for number, zone in enumerate(ruleset.format.zones)} if ruleset else {}
    keys = sorted(
        before.keys() | after.keys(), key=lambda key: (order.get(key[0], len(order)), key[0], names[key[1]])
    )
    return tuple(
        Changed(zone=zone, card=names[card], before=before[zone, card], after=after[zone, card])
        for zone, card in keys
        if before[zone, card] != after[zone, card]
    )


def _copies(deck: Decklist, ruleset: Ruleset | None, names: Names) -> Copies:
    total: Copies = Counter()
    for zone, card, name, copies in _counted(deck, ruleset):
        names.setdefault(card, name)
        total[zone, card] += copies
    return total


def _counted(deck: Decklist, ruleset: Ruleset | None) -> Iterator[tuple[str, str, str, int]]:
    if ruleset is None:
        for line in deck.lines:
            yield line.zone_id or fold(line.zone or "main"), line.reading.key, line.name, line.count
        return
    resolved = Resolver(ruleset, vocabulary_of(ruleset.format), trust_declared=False).resolve(deck)
    for slot in resolved.slots:
        yield slot.zone, slot.pool_id or slot.keys[-1], slot.card.name, slot.qty
