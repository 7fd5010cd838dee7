"""`[[limit]]`: count cards, group by group, and hold each count to a bound."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from tourney.rules.expressions import UNKNOWN, Value, text_of, truth
from tourney.rules.expressions.binding import Asked
from tourney.rules.expressions.counting import Different, weight
from tourney.rules.expressions.values import Edge, Item, interval, items
from tourney.rules.kinds.bounds import Bounds, Broken, copies
from tourney.rules.kinds.terms import Outcome, Terms, Undecided
from tourney.rules.slots import Deck, Missing, Slot, View

MAIN = -1
"""Where a card is counted unless an exception takes it; else the number of the exception."""

_ONE_GROUP: list[tuple[Item, ...]] = [()]
Group = tuple[int, tuple[Item, ...] | None]


class Exempt(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of `except`, bound. With neither bounds nor weigh the cards it fits are free."""

    where: Asked
    bounds: Bounds
    weigh: Asked | None


class Counted(NamedTuple):
    """Copies that count in a group, surely or perhaps, and what is missing to say more."""

    slot: Slot
    sure: bool
    value: Value
    missing: tuple[Missing, ...]


class Limit(msgspec.Struct, frozen=True, kw_only=True):
    """A limit bound to a pool.

    by_name: the one thing it groups by is the card's name
    single:  what `distinct` counts is no list
    once:    each different card counts once (`per = "name"`)
    each:    nothing it fits may be there at all, so each card is told by itself
    unit:    what is counted, for messages
    at_most: the bound, where that is one number and nothing else
    """

    terms: Terms
    where: Asked | None
    zones: frozenset[str]
    by: tuple[Asked, ...]
    by_name: bool
    bounds: Bounds
    weigh: Asked | None
    distinct: Asked | None
    single: bool
    once: bool
    each: bool
    exempt: tuple[Exempt, ...]
    unit: str
    at_most: int | None = None

    @property
    def plain(self) -> bool:
        """Whether it counts copies by name and does nothing else."""
        odd = (self.where, self.weigh, self.distinct)
        return self.by_name and not self.exempt and not self.once and odd == (None, None, None)

    def judge(self, deck: Deck) -> Iterator[Outcome]:
        """Give a finding for each group whose count breaks its bound, and one for all that cannot be said."""
        return self.terms.judged(deck, self._judge)

    def _judge(self, deck: Deck) -> Iterator[Outcome]:
        doubts: list[Undecided] = []
        groups = self._plain_groups(deck) if self.plain else self._groups(deck)
        for (bucket, key), counted in groups.items():
            number = self._number(counted)
            if (
                self.at_most is not None
                and bucket == MAIN
                and isinstance(number, int)
                and number <= self.at_most
            ):
                continue
            for outcome in self._hold(deck, bucket, key, counted, number):
                if isinstance(outcome, Undecided):
                    doubts.append(outcome)
                else:
                    yield outcome
        if doubts:
            lines = (line for doubt in doubts for line in doubt.lines)
            yield self.terms.undecided((missing for doubt in doubts for missing in doubt.missing), lines)

    # -- counting

    def _plain_groups(self, deck: Deck) -> dict[Group, list[Counted]]:
        """Count copies by name: the commonest limit, and nothing about it can be in doubt."""
        groups: dict[Group, list[Counted]] = {}
        for slot in deck.slots:
            if slot.zone in self.zones:
                groups.setdefault((MAIN, slot.keys[:1]), []).append(Counted(slot, True, slot.qty, ()))
        return groups

    def _groups(self, deck: Deck) -> dict[Group, list[Counted]]:
        groups: dict[Group, list[Counted]] = {}
        if not self.by:
            bounded = (number for number, entry in enumerate(self.exempt) if entry.bounds)
            groups = {(bucket, ()): [] for bucket in (MAIN, *bounded)}
        anywhere: dict[int, list[Counted]] = {}
        view = View(deck)
        missing = deck.missing
        for slot in self._slots(deck):
            missing.clear()
            view.of(slot)
            fits = True if self.where is None else truth(self.where(view))
            if fits is False:
                continue
            keys = self._keys(view) if self.by else _ONE_GROUP
            for bucket, certain, weigh in self._buckets(view) if self.exempt else self._main:
                value = self._value(view, weigh, slot)
                counted = Counted(
                    slot,
                    certain and fits is True and keys is not None,
                    value,
                    tuple(missing) if missing else (),
                )
                for key in keys or ():
                    groups.setdefault((bucket, key), []).append(counted)
                if keys is None:
                    anywhere.setdefault(bucket, []).append(counted)
        return _spread(groups, anywhere) if anywhere else groups

    def _slots(self, deck: Deck) -> Iterable[Slot]:
        inside = [slot for slot in deck.slots if slot.zone in self.zones]
        return merged(inside) if self.once else inside

    @property
    def _main(self) -> tuple[tuple[int, bool, Asked | None], ...]:
        return ((MAIN, True, self.weigh),)

    def _buckets(self, view: View) -> Iterator[tuple[int, bool, Asked | None]]:
        """Give the counts a card takes part in, whether it surely does, and at what weight."""
        certain = True
        for number, entry in enumerate(self.exempt):
            fits = truth(entry.where(view))
            if fits is False:
                continue
            if entry.weigh is not None:
                yield MAIN, certain and fits is True, entry.weigh
            elif entry.bounds:
                yield number, certain and fits is True, self.weigh
            if fits is True:
                return
            certain = False
        yield MAIN, certain, self.weigh

    def _keys(self, view: View) -> list[tuple[Item, ...]] | None:
        """Return the groups a card belongs to; None if nobody knows."""
        if self.by_name:
            return [(view.slot.key,)]
        parts: list[Sequence[Item]] = []
        for by in self.by:
            sure, possible = items(by(view))
            if possible is None or possible != sure:
                return None
            parts.append(sorted(sure, key=str))
        return list(product(*parts))

    def _value(self, view: View, weigh: Asked | None, slot: Slot) -> Value:
        if self.distinct is not None:
            return self.distinct(view)
        times = 1 if self.once else slot.qty
        if weigh is None:
            return times
        low, high = weight(weigh(view))
        return interval(low * times, high * times)

    def _number(self, counted: Sequence[Counted]) -> Value:
        if self.distinct is not None:
            different = Different(single=self.single)
            for each in counted:
                different.add(each.value, sure=each.sure)
            return different.number
        low: Edge = 0
        high: Edge = 0
        for each in counted:
            if type(each.value) is int and each.sure:
                low += each.value
                high += each.value
                continue
            least, most = weight(each.value)
            low += least if each.sure else min(least, 0)
            high += most if each.sure else max(most, 0)
        return interval(low, high)

    # -- judging

    def _hold(
        self, deck: Deck, bucket: int, key: tuple[Item, ...] | None, counted: list[Counted], number: Value
    ) -> Iterator[Outcome]:
        bounds = self.bounds if bucket == MAIN else self.exempt[bucket].bounds
        view = View(deck).of(counted[0].slot) if self.by and counted else View(deck)
        deck.forget()
        broken = bounds.broken(number, view)
        if broken is UNKNOWN:
            missing = [*deck.missing, *(each for one in counted for each in one.missing)]
            yield self.terms.undecided(
                missing, (line for one in counted if one.missing for line in one.slot.lines)
            )
        elif isinstance(broken, Broken):
            sure = [each.slot for each in counted if each.sure]
            if self.each and bucket == MAIN:
                yield from self._one_by_one(deck, sure, broken)
            else:
                yield self._finding(view, sure, key or (), number, broken)

    def _one_by_one(self, deck: Deck, slots: Iterable[Slot], broken: Broken) -> Iterator[Outcome]:
        for slot in slots:
            yield self.terms.finding(
                "may not be in the deck",
                slots=[slot],
                view=View(deck).of(slot),
                have=slot.qty,
                allowed=broken.allowed,
            )

    def _finding(
        self, view: View, slots: list[Slot], key: tuple[Item, ...], number: Value, broken: Broken
    ) -> Outcome:
        said = f"{copies(number, self.unit)}, {broken.said}"
        if key and not self.by_name:
            named = ", ".join(
                slots[0].name if slots and item == slots[0].key else text_of(item) for item in key
            )
            said = f"{named}: {said}"
        return self.terms.finding(said, slots=slots, view=view, have=number, allowed=broken.allowed)


def merged(slots: Iterable[Slot]) -> list[Slot]:
    """Put the copies of each card together, whatever their zones."""
    found: dict[str, Slot] = {}
    for slot in slots:
        known = found.get(slot.key)
        found[slot.key] = (
            replace(known, qty=known.qty + slot.qty, lines=(*known.lines, *slot.lines)) if known else slot
        )
    return list(found.values())


def _spread(
    groups: dict[Group, list[Counted]], anywhere: dict[int, list[Counted]]
) -> dict[Group, list[Counted]]:
    """Put cards of which nobody knows the group into every group of theirs, and into one of their own."""
    for bucket, counted in anywhere.items():
        for (of, _), members in groups.items():
            if of == bucket:
                members.extend(counted)
        groups[bucket, None] = counted
    return groups
