"""Names to cards on a day: found in the pool, errata applied, counted as what they count as. Each name once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import msgspec

from tourney.cards import UNKNOWN, Card, Pool, Status
from tourney.cards.names import FoldedName, fold


class Found(msgspec.Struct, frozen=True):
    """A card that a name means.

    counted: the name under which its copies add up; keys: that name folded, then its own
    fixed:   an id under which answers about this card can be kept
    own:     whether the name is the card's own and counts as itself; else it is an alias, an id, another card
    odd:     whether some printing of the card is outdated or a misprint
    """

    card: Card
    counted: str
    keys: tuple[str, ...]
    fixed: str
    own: bool
    odd: bool


@dataclass
class Lookup:
    """Finds the cards of one ruleset; what was found is kept, so that a thousand decks ask the pool once a name.

    named: the cards that the rules themselves name (a ban list's, above all), folded name → as written; they are
           known names even where no pool lists them
    """

    pool: Pool
    read: Callable[[Card], Card]
    named: Mapping[FoldedName, str] = field(default_factory=dict)
    _known: dict[tuple[str, str | None, str | None], Found | None] = field(default_factory=dict)
    _near: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def find(self, name: str, set_code: str | None = None, number: str | None = None) -> Found | None:
        """Return the card called `name`, None if the pool has none. The printing tells apart cards that share a name."""
        key = (name, set_code, number)
        if key not in self._known:
            self._known[key] = self._search(name, set_code, number)
        return self._known[key]

    def by_code(self, code: str) -> Found | None:
        """Return the card whose id is exactly `code`, None if the pool has none."""
        key = ("\0" + code, None, None)
        if key not in self._known:
            card = self.pool.coded(code)
            self._known[key] = self._found((card,), code) if card else None
        return self._known[key]

    def knows(self, name: str) -> bool:
        """Tell whether the pool has a card called `name`, or the rules name one."""
        return fold(name) in self.named or self.find(name) is not None

    def near(self, name: str) -> tuple[str, ...]:
        """Return up to three names of the pool that resemble `name`, the nearest first."""
        if name not in self._near:
            self._near[name] = self.pool.near(name)
        return self._near[name]

    def _search(self, name: str, set_code: str | None, number: str | None) -> Found | None:
        cards = self.pool.find_all(name)
        if not cards:
            return None
        if len(cards) > 1:
            cards = _told_apart(cards, name, set_code, number)
        return self._found(cards, name)

    def _found(self, cards: tuple[Card, ...], name: str) -> Found:
        card = self.read(blended(cards) if len(cards) > 1 else cards[0])
        counted = card if card.counts_as is None else self.pool.counted_as(cards[0])
        own_key = fold(card.name)
        keys = (own_key,) if counted is card else tuple(dict.fromkeys((fold(counted.name), own_key)))
        fixed = card.id if len(cards) == 1 else "\0".join(each.id for each in cards)
        own = len(keys) == 1 and (name == card.name or fold(name) == own_key)
        odd = any(printing.status is not Status.CURRENT for printing in card.printings)
        return Found(card, counted.name, keys, fixed, own, odd)


def _told_apart(
    cards: tuple[Card, ...], name: str, set_code: str | None, number: str | None
) -> tuple[Card, ...]:
    """Choose among cards of one name: by printing, by exact spelling, then those that may be played."""
    if set_code is not None:
        printed = tuple(
            card for card in cards if card.printing(set_code, number) or fold(card.set) == fold(set_code)
        )
        cards = printed or cards
    spelled = tuple(card for card in cards if card.name == name)
    cards = spelled or cards
    best = min(card.status for card in cards)
    return tuple(card for card in cards if card.status == best)


def blended(cards: tuple[Card, ...]) -> Card:
    """Return what cards of one name have in common; where they differ, nobody knows which one is meant."""
    first = cards[0]
    names = {"id", "version", "set"}.union(*(card.attributes for card in cards))
    differ = frozenset(name for name in names if len({repr(card.get(name)) for card in cards}) > 1)
    unsaid = frozenset(name for name in names if first.get(name) is UNKNOWN)
    return msgspec.structs.replace(
        first,
        unknown=first.unknown | differ | unsaid,
        printings=tuple(printing for card in cards for printing in card.printings),
        among=cards,
    )
