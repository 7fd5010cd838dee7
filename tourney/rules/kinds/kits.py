"""`[kit]`: a fixed box, exactly these cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from tourney.rules.kinds.bounds import copies
from tourney.rules.kinds.terms import Outcome, Terms
from tourney.rules.slots import Deck, Slot, View


class Kit(msgspec.Struct, frozen=True, kw_only=True):
    """What the box holds. cards: folded name → copies; names: folded name → name as written."""

    terms: Terms
    zone: str
    cards: Mapping[str, int]
    names: Mapping[str, str]

    def judge(self, deck: Deck) -> Iterator[Outcome]:
        """Give a finding for each card with another number of copies than the box holds."""
        return self.terms.judged(deck, self._judge)

    def _judge(self, deck: Deck) -> Iterator[Outcome]:
        inside: dict[str, list[Slot]] = {}
        for slot in deck.slots:
            if slot.zone == self.zone:
                key = next((key for key in slot.keys if key in self.cards), slot.key)
                inside.setdefault(key, []).append(slot)
        for key, slots in inside.items():
            view = View(deck).of(slots[0])
            yield from self._compared(sum(slot.qty for slot in slots), self.cards.get(key, 0), slots, view)
        # A message that asks a card for something cannot be said of a card that is not there.
        view_of_none = None if self.terms.holes else View(deck)
        for key, wanted in self.cards.items():
            if key not in inside:
                said = f"missing; the box holds {copies(wanted, 'copy')}"
                yield self.terms.finding(
                    said,
                    subjects=(self.names[key],),
                    view=view_of_none,
                    have=0,
                    allowed=wanted,
                    zone=self.zone,
                )

    def _compared(self, found: int, wanted: int, slots: list[Slot], view: View) -> Iterator[Outcome]:
        if found == wanted:
            return
        said = f"{copies(found, 'copy')}, the box holds {wanted}" if wanted else "is not in the box"
        yield self.terms.finding(said, slots=slots, view=view, have=found, allowed=wanted)
