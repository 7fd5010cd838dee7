"""`[[cover]]`: each of several things needs a card of its own: five elements over five provinces. A matching."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from tourney.rules.expressions import Truth, truth
from tourney.rules.expressions.binding import Asked
from tourney.rules.expressions.telling import listed
from tourney.rules.kinds.flow import arrange
from tourney.rules.kinds.terms import Outcome, Proof, Terms
from tourney.rules.slots import Deck, Missing, Slot, View


class Cover(msgspec.Struct, frozen=True, kw_only=True):
    """What must be covered. each: word → the condition a card must meet to cover it."""

    terms: Terms
    where: Asked | None
    zones: frozenset[str]
    each: tuple[tuple[str, Asked], ...]

    def judge(self, deck: Deck) -> Iterator[Outcome]:
        """Give the matching as proof, or a finding that names what is left uncovered."""
        return self.terms.judged(deck, self._judge)

    def _judge(self, deck: Deck) -> Iterator[Outcome]:
        missing: list[Missing] = []
        slots = [slot for slot in deck.slots if slot.zone in self.zones]
        fits = [
            [(slot, self._covers(deck, slot, asked, missing)) for slot in slots] for _, asked in self.each
        ]
        amounts = [1] * len(self.each)
        room = [slot.qty for slot in slots]
        best = arrange(
            amounts, [[n for n, (_, may) in enumerate(row) if may is not False] for row in fits], room
        )
        if best.unplaced:
            yield self._uncovered(deck, [self.each[word][0] for word in best.unplaced], slots)
            return
        sure = arrange(amounts, [[n for n, (_, may) in enumerate(row) if may is True] for row in fits], room)
        if sure.unplaced:
            yield self.terms.undecided(
                missing, (line for each in missing if each.slot for line in each.slot.lines)
            )
        else:
            yield Proof(
                self.terms.id,
                tuple(
                    f"{self.each[word][0]}: {slots[next(iter(row))].name}"
                    for word, row in sorted(sure.placed.items())
                ),
            )

    def _covers(self, deck: Deck, slot: Slot, asked: Asked, missing: list[Missing]) -> Truth:
        view = View(deck).of(slot)
        deck.forget()
        may = True if self.where is None else truth(self.where(view))
        if may is not False:
            fits = truth(asked(view))
            may = fits if may is True or fits is False else may
        missing.extend(deck.missing)
        return may

    def _uncovered(self, deck: Deck, words: list[str], slots: list[Slot]) -> Outcome:
        said = (
            f"no card is left for {listed(words)}: {listed(word for word, _ in self.each)} need a card each"
        )
        return self.terms.finding(
            said,
            slots=slots,
            subjects=tuple(words),
            view=View(deck),
            have=len(self.each) - len(words),
            allowed=len(self.each),
        )
