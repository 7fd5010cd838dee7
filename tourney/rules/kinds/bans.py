"""A ban list as rules: cards, points, groups and conditions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from tourney.rules.kinds.bounds import copies
from tourney.rules.kinds.terms import Outcome, Terms
from tourney.rules.slots import Deck, Slot

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
