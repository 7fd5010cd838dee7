"""Cards of a deck in their zones, and the facts about them that are missing."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from tourney.cards.card import Card
from tourney.cards.names import FoldedName


class Slot(msgspec.Struct, frozen=True, kw_only=True):
    """All copies of one card in one zone.

    card:     its facts, with errata and trusted declarations applied
    name:     the name under which it is counted, with aliases and `counts_as` resolved
    keys:     the folded names under which lists and `has` find it: first the counted name, then its own
    lines:    the lines of the list
    pool_id:  the card's id if its facts are exactly the pool's, so that answers about it can be kept; else
              None
    declared: whether the list declares facts of it that are not trusted
    """

    card: Card
    name: str
    keys: tuple[FoldedName, ...]
    zone: str
    qty: int
    lines: tuple[int, ...] = ()
    pool_id: str | None = None
    declared: bool = False

    @property
    def key(self) -> FoldedName:
        """The folded name under which its copies add up."""
        return self.keys[0]

    def number_on(self, names: Mapping[FoldedName, int]) -> int | None:
        """Return the card's number in a list of folded names.

        Returns None if the list does not have the card.
        """
        return next((names[key] for key in self.keys if key in names), None)


class Missing(msgspec.Struct, frozen=True):
    """An attribute that is not known.

    slot: the card; None if it is not known who the leader is
    """

    slot: Slot | None
    attribute: str
