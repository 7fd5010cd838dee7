"""`[[zone]]`: how many cards a part of the list has, and which may stand in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import msgspec

from tourney.rules.expressions import Unknown, Value, truth
from tourney.rules.expressions.describing import Describer
from tourney.rules.expressions.evaluate import Evaluator
from tourney.rules.kinds.terms import Bounds, Broken, Outcome, Terms, copies
from tourney.rules.slots import Deck, Slot, View

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
    expected: Evaluator | None = None
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
        if isinstance(broken, Unknown) or (isinstance(broken, Broken) and expected is not True):
            yield self.terms.undecided((expected, *([broken] if isinstance(broken, Unknown) else [])), ())
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

    describer: says why a card does not belong here; leads: what its card is called, where that is the leader
    """

    terms: Terms
    zone: str
    called: str
    holds: Evaluator
    elsewhere: Callable[[View], str]
    describer: Describer | None = None
    leads: str = ""

    def judge(self, deck: Deck) -> Iterator[Outcome]:
        """Give a finding for each card that does not belong in the zone."""
        return self.terms.judged(deck, self._judge)

    def _judge(self, deck: Deck) -> Iterator[Outcome]:
        view = View(deck)
        doubts: list[Value] = []
        lines: list[int] = []
        for slot in deck.slots:
            if slot.zone != self.zone:
                continue
            fits = truth(self.holds(view.of(slot)))
            if isinstance(fits, Unknown):
                doubts.append(fits)
                lines.extend(slot.lines)
            elif not fits:
                yield self._wrong(view.of(slot), slot)
        if doubts:
            yield self.terms.undecided(doubts, lines)

    def _wrong(self, view: View, slot: Slot) -> Outcome:
        return self.terms.finding(
            f"cannot be the {self.leads}" if self.leads else f"does not belong in {self.called}",
            slots=[slot],
            view=view,
            hint=self.elsewhere(view),
            have=slot.qty,
            allowed=0,
            reason=self.describer.why(view, holds=False) if self.describer else "",
        )


# -- [kit]: a fixed box, exactly these cards


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


# -- A ban list as rules: cards, points, groups and conditions


BANNED, RESTRICTED, POINTS, GROUP = "banned", "restricted", "points", "group"


class Banned(msgspec.Struct, frozen=True, kw_only=True):
    """`[cards]`: 0 bans a card, n allows n copies. cards: folded name → copies."""

    terms: Terms
    cards: Mapping[str, int]
    listed: str

    def judge(self, deck: Deck) -> Iterator[Outcome]:
        """Give a finding for each card of which the list allows fewer copies."""
        return self.terms.judged(deck, self._judge)

    def _judge(self, deck: Deck) -> Iterator[Outcome]:
        found: dict[str, list[Slot]] = {}
        for slot in deck.slots:
            for key in dict.fromkeys(slot.keys):
                if key in self.cards:
                    found.setdefault(key, []).append(slot)
        for key, slots in found.items():
            allowed, number = self.cards[key], sum(slot.qty for slot in slots)
            if number > allowed:
                said = (
                    f"banned ({self.listed})"
                    if allowed == 0
                    else f"{copies(number, 'copy')}, at most {allowed} ({self.listed})"
                )
                rule = BANNED if allowed == 0 else RESTRICTED
                yield self.terms.finding(said, slots=slots, have=number, allowed=allowed, rule=rule)


class Total(msgspec.Struct, frozen=True, kw_only=True):
    """`[points]`: what the listed cards add up to. once: copies beyond the first cost nothing."""

    terms: Terms
    cards: Mapping[str, int]
    total: int
    once: bool
    listed: str

    def judge(self, deck: Deck) -> Iterator[Outcome]:
        """Give a finding where the deck has more points than the list allows."""
        return self.terms.judged(deck, self._judge)

    def _judge(self, deck: Deck) -> Iterator[Outcome]:
        slots = [slot for slot in deck.slots if slot.on(self.cards)]
        if self.once:  # of cards that count as one the dearest
            cards: dict[str, int] = {}
            for slot in slots:
                cards[slot.key] = max(cards.get(slot.key, 0), slot.on(self.cards) or 0)
            number = sum(cards.values())
        else:
            number = sum(slot.qty * (slot.on(self.cards) or 0) for slot in slots)
        if number > self.total:
            said = f"{copies(number, 'points')}, at most {self.total} ({self.listed})"
            each = {slot.name: slot.on(self.cards) or 0 for slot in slots}
            costs = ", ".join(
                f"{name}: {cost}" for name, cost in sorted(each.items(), key=lambda item: -item[1])
            )
            hint = costs if len(each) > 1 else None
            yield self.terms.finding(said, slots=slots, have=number, allowed=self.total, hint=hint)


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """`[[group]]`: at most so many of these, by different card or by copy."""

    terms: Terms
    cards: Mapping[str, int]
    most: int
    once: bool
    zones: frozenset[str]
    called: str

    def judge(self, deck: Deck) -> Iterator[Outcome]:
        """Give a finding where the deck has more of the group than may be together."""
        return self.terms.judged(deck, self._judge)

    def _judge(self, deck: Deck) -> Iterator[Outcome]:
        slots = [slot for slot in deck.slots if slot.zone in self.zones and slot.on(self.cards) is not None]
        number = len({slot.key for slot in slots}) if self.once else sum(slot.qty for slot in slots)
        if number > self.most:
            noun = "different card" if self.once else "copy"
            said = f"{copies(number, noun)} of {self.called}, at most {self.most}"
            yield self.terms.finding(said, slots=slots, have=number, allowed=self.most)
