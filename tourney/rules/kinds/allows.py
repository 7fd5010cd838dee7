"""`[[allow]]`: every copy needs a permission, and permissions are limited. Solved exactly, the assignment is the proof."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

import msgspec
from msgspec.structs import replace

from tourney.rules.expressions import UNKNOWN, Truth, truth
from tourney.rules.expressions.binding import Asked
from tourney.rules.expressions.telling import Teller, listed
from tourney.rules.expressions.values import Edge, edges
from tourney.rules.kinds.bounds import copies
from tourney.rules.kinds.flow import Arrangement, arrange
from tourney.rules.kinds.terms import Outcome, Proof, Terms
from tourney.rules.messages import given
from tourney.rules.slots import Deck, Missing, Slot, View

UNLIMITED = 10**9
"""Room enough for any deck: lists have far fewer cards."""
MOST_ASKED = 4
"""Permissions that a card that has none is held against in its message."""


class Permission(msgspec.Struct, frozen=True, kw_only=True):
    """One `[[allow]]`, bound. most: how many copies may use it; said: what it is called in messages."""

    terms: Terms
    said: str
    where: Asked
    zones: frozenset[str]
    most: Asked | None
    teller: Teller | None = None


class _Offer(msgspec.Struct, frozen=True):
    """A permission in this deck: whether it is awake, and the least and the most room it may have."""

    permission: Permission
    awake: Truth
    low: int
    high: int


class Allow(msgspec.Struct, frozen=True, kw_only=True):
    """All permissions of a format together: the zones any of them speaks of are the ones that need permission."""

    terms: Terms
    permissions: tuple[Permission, ...]

    def judge(self, deck: Deck) -> Iterator[Outcome]:
        """Give the assignment as proof, or a finding for the cards that find no permission."""
        return self.terms.judged(deck, self._judge)

    def _judge(self, deck: Deck) -> Iterator[Outcome]:
        missing: list[Missing] = []
        offers = [self._offer(deck, permission, missing) for permission in self.permissions]
        zones = frozenset().union(*(permission.zones for permission in self.permissions))
        slots = [slot for slot in deck.slots if slot.zone in zones]
        fits = [self._fits(deck, slot, offers, missing) for slot in slots]
        amounts = [slot.qty for slot in slots]
        best = arrange(
            amounts, [[n for n, may in row if may is not False] for row in fits], [o.high for o in offers]
        )
        if best.unplaced:
            yield from self._refused(deck, slots, offers, best)
            return
        sure = arrange(
            amounts, [[n for n, may in row if may is True] for row in fits], [o.low for o in offers]
        )
        if sure.unplaced:
            doubtful = [slots[item] for item in sure.unplaced]
            yield self.terms.undecided(missing, (line for slot in doubtful for line in slot.lines))
        else:
            yield Proof(self.terms.id, tuple(_assignment(slots, offers, sure)))

    def _offer(self, deck: Deck, permission: Permission, missing: list[Missing]) -> _Offer:
        deck.forget()
        awake = True if permission.terms.when is None else truth(permission.terms.when(View(deck)))
        room = edges(permission.most(View(deck))) if permission.most else None
        missing.extend(deck.missing)
        low, high = room or (UNLIMITED, UNLIMITED)
        return _Offer(permission, awake, _whole(low), _whole(high))

    def _fits(
        self, deck: Deck, slot: Slot, offers: Sequence[_Offer], missing: list[Missing]
    ) -> list[tuple[int, Truth]]:
        row: list[tuple[int, Truth]] = []
        view = View(deck).of(slot)
        for number, offer in enumerate(offers):
            if offer.awake is False or slot.zone not in offer.permission.zones:
                continue
            deck.forget()
            may = truth(offer.permission.where(view))
            missing.extend(deck.missing)
            row.append((number, UNKNOWN if offer.awake is UNKNOWN and may is True else may))
        return row

    def _refused(
        self, deck: Deck, slots: Sequence[Slot], offers: Sequence[_Offer], best: Arrangement
    ) -> Iterator[Outcome]:
        """Tell which cards find no permission at all, and which together want too much of some.

        A permission that is asleep or has no room left is none that a player could use, and is not told of.
        """
        used = [sum(row.get(place, 0) for row in best.placed.values()) for place in range(len(offers))]
        open_ = [
            offer
            for offer, taken in zip(offers, used, strict=True)
            if offer.awake is not False and offer.high > taken
        ]
        for shortage in best.shortages:
            rivals = [slots[item] for item in shortage.items]
            wanted = [offers[place] for place in shortage.places if offers[place].high]
            if wanted:
                yield self._too_many(deck, rivals, wanted)
                continue
            for slot in rivals:
                full = [offers[place] for place in shortage.places]
                yield self._unallowed(deck, slot, full, open_)

    def _unallowed(self, deck: Deck, slot: Slot, without: list[_Offer], open_: list[_Offer]) -> Outcome:
        """Say that nothing allows a card, and what each permission with room would ask of it."""
        said = "nothing allows it in this deck"
        if without:
            said = f"only {listed((offer.permission.said for offer in without), 'or')} would allow it, and this deck has no room for that"
        view = View(deck).of(slot)
        asked = [
            f"{offer.permission.said}: {why.replace('; ', ' and ')}"
            for offer in open_
            if slot.zone in offer.permission.zones
            and offer.permission.teller
            and (why := offer.permission.teller.why(view, holds=False))
        ]
        more = f"; and {len(asked) - MOST_ASKED} more" if len(asked) > MOST_ASKED else ""
        hint = f"not allowed as {'; '.join(asked[:MOST_ASKED])}{more}" if asked else None
        here = [*without, *(offer for offer in open_ if slot.zone in offer.permission.zones)]
        return self._worded(here, of_numbers=False).finding(
            said, slots=[slot], view=view, have=slot.qty, allowed=0, hint=hint
        )

    def _worded(self, offers: Iterable[_Offer], *, of_numbers: bool) -> Terms:
        """Return the rule's terms with the message of the first permission that has one for this case.

        of_numbers: whether it is said of too many copies; else of a card that nothing allows, which no numbers explain
        """
        for terms in (offer.permission.terms for offer in offers):
            if terms.message is not None and (of_numbers or not given(terms.message) & {"have", "allowed"}):
                return replace(self.terms, message=terms.message, holes=terms.holes)
        return self.terms

    def _too_many(self, deck: Deck, rivals: list[Slot], offers: list[_Offer]) -> Outcome:
        wanted = sum(slot.qty for slot in rivals)
        allowed = sum(offer.high for offer in offers)
        named = listed(offer.permission.said for offer in offers)
        said = (
            f"{copies(wanted, 'copy')} need {named}, which allow{'s' if len(offers) == 1 else ''} {allowed}"
        )
        cites = [offer.permission.terms.cite for offer in offers if offer.permission.terms.cite]
        return self._worded(offers, of_numbers=True).finding(
            said,
            slots=rivals,
            view=View(deck).of(rivals[0]),
            have=wanted,
            allowed=allowed,
            hint="; ".join(cites) or None,
        )


def _whole(edge: Edge) -> int:
    """Return the room that an edge means: whole copies, none below 0."""
    return math.floor(max(0, min(UNLIMITED, edge)))


def _assignment(slots: Sequence[Slot], offers: Sequence[_Offer], best: Arrangement) -> Iterator[str]:
    for number, offer in enumerate(offers):
        used = [(slots[item], row[number]) for item, row in sorted(best.placed.items()) if row.get(number)]
        if used:
            total = sum(amount for _, amount in used)
            room = "" if offer.high >= UNLIMITED else f" of {offer.high}"
            cards = ", ".join(f"{amount} {slot.name}" for slot, amount in used)
            yield f"{offer.permission.said}: {total}{room}: {cards}"
