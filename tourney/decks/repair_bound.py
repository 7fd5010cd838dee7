"""How few changes could do at best: a number that no repair can be below.

Only rules that nothing else can loosen count: sizes that are plain numbers, copies of a name at most so many, cards a
ban list allows fewer of, names that no card has. Everything else may be mended by changing other cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import ceil

from tourney.decks.checking import counted
from tourney.rules import Ruleset
from tourney.rules.kinds.bans import Banned
from tourney.rules.kinds.limits import Limit
from tourney.rules.slots import Slot
from tourney.rules.vocabulary import SizeFile


def fewest(slots: list[Slot], ruleset: Ruleset) -> int:
    """Return a number of changes that any repair has at least.

    A change touches a zone once and at most two zones, so neither a zone's own need nor half of all needs can be
    undercut.
    """
    sizes = counted(slots, ruleset).sizes
    surplus = dict(_surplus(slots, ruleset))
    needs = [
        _need(zone.rule.size, sizes.get(zone.rule.id, 0), _inside(zone.rule.id, slots, surplus, ruleset))
        for zone in ruleset.format.zones
        if zone.rule.counts and not zone.rule.optional and ruleset.format.in_force(zone, ruleset.day)
    ]
    return max(max(needs, default=0), ceil(sum(needs) / 2))


def _need(size: object, have: int, inside: tuple[int, int]) -> int:
    """Return the changes a zone needs: what must go, what must be read otherwise, and what must come in its place."""
    surplus, misread = inside
    least, most = _plain(size)
    fill = max(0, least - (have - surplus)) if least is not None else 0
    crowd = max(0, have - most) if most is not None else 0
    return max(surplus + misread + fill, crowd)


def _plain(size: object) -> tuple[int | None, int | None]:
    if not isinstance(size, SizeFile):
        return None, None
    if isinstance(size.exactly, int):
        return size.exactly, size.exactly
    return (
        size.min if isinstance(size.min, int) else None,
        size.max if isinstance(size.max, int) else None,
    )


def _inside(zone: str, slots: list[Slot], surplus: dict[str, int], ruleset: Ruleset) -> tuple[int, int]:
    """Return how many copies too many of cards that stand in no other zone, and how many names that no card has."""
    here = {slot.key for slot in slots if slot.zone == zone}
    elsewhere = {slot.key for slot in slots if slot.zone != zone}
    too_many = sum(surplus.get(key, 0) for key in here - elsewhere)
    misread = [slot for slot in slots if slot.zone == zone and ruleset.pool.complete and not slot.card.listed]
    return too_many, len([slot for slot in misread if not surplus.get(slot.key)])


def _surplus(slots: list[Slot], ruleset: Ruleset) -> Iterator[tuple[str, int]]:
    """Give for each card how many copies are too many under the strictest rule that says so by itself."""
    found: dict[str, int] = {}
    for rule in ruleset.rules:
        for key, number in _excesses(rule, slots):
            found[key] = max(found.get(key, 0), number)
    yield from found.items()


def _excesses(rule: object, slots: Iterable[Slot]) -> Iterator[tuple[str, int]]:
    if isinstance(rule, Limit) and rule.plain and rule.at_most is not None and rule.terms.when is None:
        copies: dict[str, int] = {}
        for slot in slots:
            if slot.zone in rule.zones:
                copies[slot.key] = copies.get(slot.key, 0) + slot.qty
        yield from ((key, number - rule.at_most) for key, number in copies.items() if number > rule.at_most)
    if isinstance(rule, Banned):
        for slot in slots:
            allowed = rule.cards.get(slot.keys[0])
            if allowed is not None and slot.qty > allowed:
                yield slot.key, slot.qty - allowed
