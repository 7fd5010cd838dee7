"""`[[zone]]`: how many cards a part of the list has, and which may stand in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from tourney.rules.expressions import UNKNOWN, truth
from tourney.rules.expressions.binding import Asked
from tourney.rules.expressions.telling import Teller
from tourney.rules.kinds.bounds import Bounds, Broken, copies
from tourney.rules.kinds.terms import Outcome, Terms
from tourney.rules.slots import Deck, Missing, Slot, View

SIZE = "size"
WRONG_ZONE = "wrong-zone"


class Size(msgspec.Struct, frozen=True, kw_only=True):
    """How many cards a zone has; of an optional zone only once it has any.

    expected: whether a list is to have the zone at all; while it is not, an empty one is no fault
    whose:    number the bound is, for messages
    """

    terms: Terms
    zone: str
    called: str
    bounds: Bounds
    optional: bool
    expected: Asked | None = None
    whose: str = ""

    def judge(self, deck: Deck) -> Iterator[Outcome]:
        """Give a finding where the zone is too small or too large."""
        return self.terms.judged(deck, self._judge)

    def _judge(self, deck: Deck) -> Iterator[Outcome]:
        number = deck.sizes.get(self.zone, 0)
        if self.optional and number == 0:
            return
        view = View(deck)
        expected = True if number or self.expected is None else truth(self.expected(view))
        if expected is False:
            return
        broken = self.bounds.broken(number, view)
        if broken is UNKNOWN or (isinstance(broken, Broken) and expected is UNKNOWN):
            yield self.terms.undecided(deck.missing, ())
        elif isinstance(broken, Broken):
            needed = "" if broken.is_maximum and broken.words == "at most" else _are_needed(broken)
            whose = f" ({self.whose})" if self.whose else ""
            said = f"{copies(number)}, {broken.said}{needed}{whose}"
            yield self.terms.finding(
                said,
                subjects=(self.called,),
                view=view,
                have=number,
                allowed=broken.allowed,
                zone=self.called,
            )


def _are_needed(broken: Broken) -> str:
    return " is needed" if broken.allowed == 1 else " are needed"


class Holds(msgspec.Struct, frozen=True, kw_only=True):
    """Which cards may stand in a zone. elsewhere: says where a card belongs instead.

    teller: says why a card does not belong here; leads: what its card is called, where that is the leader
    """

    terms: Terms
    zone: str
    called: str
    holds: Asked
    elsewhere: Callable[[View], str]
    teller: Teller | None = None
    leads: str = ""

    def judge(self, deck: Deck) -> Iterator[Outcome]:
        """Give a finding for each card that does not belong in the zone."""
        return self.terms.judged(deck, self._judge)

    def _judge(self, deck: Deck) -> Iterator[Outcome]:
        view = View(deck)
        doubtful: list[Slot] = []
        missing: list[Missing] = []
        for slot in deck.slots:
            if slot.zone != self.zone:
                continue
            deck.forget()
            fits = truth(self.holds(view.of(slot)))
            if fits is UNKNOWN:
                doubtful.append(slot)
                missing.extend(deck.missing)
            elif fits is False:
                yield self._wrong(view.of(slot), slot)
        if doubtful:
            yield self.terms.undecided(missing, (line for slot in doubtful for line in slot.lines))

    def _wrong(self, view: View, slot: Slot) -> Outcome:
        return self.terms.finding(
            f"cannot be the {self.leads}" if self.leads else f"does not belong in {self.called}",
            slots=[slot],
            view=view,
            hint=self.elsewhere(view),
            have=slot.qty,
            allowed=0,
            reason=self.teller.why(view, holds=False) if self.teller else "",
        )
