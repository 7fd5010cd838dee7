"""A presented deck against the registered one, as multisets of cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from tourney.cards.names import fold
from tourney.decks.decklist import Decklist
from tourney.decks.resolving import Resolver
from tourney.decks.zones import words_of
from tourney.rules import Ruleset


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
    found: Copies = Counter()
    for zone, card, name, copies in _counted(deck, ruleset):
        names.setdefault(card, name)
        found[zone, card] += copies
    return found


def _counted(deck: Decklist, ruleset: Ruleset | None) -> Iterator[tuple[str, str, str, int]]:
    if ruleset is None:
        for line in deck.lines:
            yield line.zone_id or fold(line.zone or "main"), fold(line.name), line.name, line.count
        return
    resolved = Resolver(ruleset, words_of(ruleset.format), trust_declared=False).resolve(deck)
    for slot in resolved.slots:
        yield slot.zone, slot.known or slot.keys[-1], slot.card.name, slot.qty
