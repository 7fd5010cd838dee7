"""The smallest repair: the fewest changes that make a deck legal.

A change is one copy removed, added or moved to another zone, or one line read as the card with a near name.
The search is greedy: of all changes that a finding suggests, it takes the one that leaves the least to repair.
Its result is checked, so it is legal. It is called the fewest only if it meets the lower bound of `fewest`.

The bound counts only rules that no other change can loosen: sizes that are plain numbers, limits of copies by
name, cards that a ban list limits, and unknown names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import ceil

import msgspec

from tourney.decks.decklist import Decklist
from tourney.decks.resolving import deck_of_slots, in_rule_order, resolve
from tourney.decks.verdict import Fix, Repair
from tourney.errors import Finding, Severity
from tourney.rules.banlist import Banned
from tourney.rules.expressions.slot import Slot
from tourney.rules.findings import Undecided
from tourney.rules.kinds.limits import Limit
from tourney.rules.ruleset import CardMatch, Ruleset
from tourney.rules.vocabulary import SizeFile

_MOST_CHANGES = 60
_BEST_OUTS = 3
_MOST_TRIED = 500
"""Cards of a complete pool that are tried in place of a removed one; a larger pool is not tried."""

_LEADERLESS = 100
_IN_DOUBT = 1_000
"""The weight of a rule that a change leaves undecided, so that no repair leads there."""
_MOST_STEPS = 250_000
"""Lines judged in search of a repair, in all decks together: some seconds at most."""


def repair(decklist: Decklist, ruleset: Ruleset, *, trust_declared: bool = False) -> Repair | None:
    """Return a repair of a deck; None if none was found, or if cards are not what is wrong.

    Adds cards that the deck has. It adds another card of a complete pool only if these do not help, and if
    one card in place of a removed one repairs everything.
    """
    resolved = resolve(decklist, ruleset, trust_declared=trust_declared)
    slots = in_rule_order(resolved.slots, ruleset)  # the repair does not depend on the order of the list
    search = _Search(ruleset)
    faults, search.undecided = search.judged(slots)
    if not faults:
        return None
    try:
        fixes = search.downhill(tuple(slots))
    except _LongEnoughError:
        return None
    if fixes is None:
        return None
    return Repair(tuple(_together(fixes)), len(fixes), len(fixes) <= max(1, fewest(slots, ruleset)))


@dataclass(frozen=True, slots=True)
class _Step:
    changes: tuple[Fix, ...]
    slots: tuple[Slot, ...]


class _LongEnoughError(Exception):
    """The search has taken MOST_STEPS."""


class _Search:
    """Looks for a repair under one ruleset.

    steps:     lines judged
    undecided: rules that the deck itself leaves open
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.zones = [zone.rule.id for zone in ruleset.format.zones if zone.rule.counts]
        self.steps = 0
        self.undecided = 0

    def downhill(self, slots: tuple[Slot, ...]) -> list[Fix] | None:
        """Take the best change until nothing is broken; if one does not help, take two together."""
        done: list[Fix] = []
        left = self.badness(slots)
        while left and len(done) < _MOST_CHANGES:
            weighed = self._weighed(self._steps(slots))
            if not weighed or weighed[0][0] >= left:
                outs, weighed = weighed, self._weighed(self._pairs(weighed))
                if not done and (not weighed or weighed[0][0] >= left):
                    weighed = [each for each in self._weighed(self._replaced(outs)) if not each[0]]
            if not weighed or weighed[0][0] >= left:
                return None
            left, step = weighed[0]
            done.extend(step.changes)
            slots = step.slots
        return None if left else done

    def _weighed(self, steps: Iterable[_Step]) -> list[tuple[int, _Step]]:
        """Return steps with what they leave to repair, the best first; equal ones as suggested."""
        return sorted(((self.badness(step.slots), step) for step in steps), key=lambda pair: pair[0])

    def _pairs(self, weighed: list[tuple[int, _Step]]) -> Iterator[_Step]:
        """Yield pairs of a copy removed and one added, the most common change of two steps."""
        outs = [step for _, step in weighed if step.changes[0].what == "out"]
        for step in outs[:_BEST_OUTS]:
            for slot in step.slots:
                if slot.zone == step.changes[0].zone and slot.name != step.changes[0].card:
                    yield _Step((*step.changes, _change("in", slot)), _with(step.slots, slot, slot.qty + 1))

    def _replaced(self, weighed: list[tuple[int, _Step]]) -> Iterator[_Step]:
        """Yield each other card of a complete pool in place of the copy that is best removed."""
        out = next((step for _, step in weighed if step.changes[0].what == "out"), None)
        if (
            out is None
            or not out.slots
            or not self.ruleset.pool.complete
            or len(self.ruleset.pool) > _MOST_TRIED
        ):
            return
        present = {slot.card.id for slot in out.slots}
        for card in self.ruleset.pool:
            match = self.ruleset.cards.find(card.name)
            if match is not None and match.card.id not in present:
                zone = out.changes[0].zone
                own = msgspec.structs.replace(
                    out.slots[0], card=match.card, name=match.counted, keys=match.keys, pool_id=match.pool_id,
                    zone=zone, qty=1, lines=(),
                )  # fmt: skip
                if own.name != out.changes[0].card:
                    yield _Step((*out.changes, _change("in", own)), (*out.slots, own))

    def faults(self, slots: Iterable[Slot]) -> list[Finding]:
        """Return the errors of a deck of these slots."""
        return self.judged(slots)[0]

    def badness(self, slots: Iterable[Slot]) -> int:
        """Return how much there is to repair: surplus, shortage, and what became undecided."""
        faults, undecided = self.judged(slots)
        return sum(_excess(finding) for finding in faults) + _IN_DOUBT * max(0, undecided - self.undecided)

    def judged(self, slots: Iterable[Slot]) -> tuple[list[Finding], int]:
        """Return the errors of a deck, and how many rules it leaves undecided."""
        held = list(slots)
        self.steps += len(held) + 10  # what a deck costs beside its lines
        if self.steps > _MOST_STEPS:
            raise _LongEnoughError
        deck = deck_of_slots(held, self.ruleset)
        outcomes = list(self.ruleset.judge(deck))
        errors = [each for each in outcomes if isinstance(each, Finding) and each.severity is Severity.ERROR]
        undecided = sum(isinstance(each, Undecided) and each.severity is Severity.ERROR for each in outcomes)
        undecided += _LEADERLESS if deck.leader.doubt else 0  # an unknown leader hides what depends on it
        return errors + [_unknown(slot) for slot in self._unknown(held)], undecided

    def _unknown(self, slots: Iterable[Slot]) -> list[Slot]:
        return [slot for slot in slots if self.ruleset.pool.complete and not slot.card.listed]

    def _steps(self, slots: tuple[Slot, ...]) -> Iterator[_Step]:
        """Yield the changes that the findings suggest, those nearest to their cause first."""
        faults = self.faults(slots)
        named = {name for finding in faults for name in finding.subjects}
        wanting = any(_too_few(finding) for finding in faults)
        for slot in reversed(slots):
            if not slot.card.listed:
                yield from self._read(slots, slot)
            if slot.name in named or wanting or self._crowded(slot.zone, faults):
                yield _Step((_change("out", slot),), _with(slots, slot, slot.qty - 1))
                yield from self._moves(slots, slot)
            if wanting:
                yield _Step((_change("in", slot),), _with(slots, slot, slot.qty + 1))

    def _crowded(self, zone: str, faults: Iterable[Finding]) -> bool:
        rule = self.ruleset.format.zone(zone)
        names = {zone, rule.name if rule else ""}
        return any(
            not finding.lines and (not finding.subjects or names & set(finding.subjects))
            for finding in faults
        )

    def _moves(self, slots: tuple[Slot, ...], slot: Slot) -> Iterator[_Step]:
        for zone in self.zones:
            if zone != slot.zone:
                change = Fix(what="move", card=slot.name, zone=slot.zone, to=zone, lines=slot.lines)
                yield _Step((change,), _moved(slots, slot, zone))

    def _read(self, slots: tuple[Slot, ...], slot: Slot) -> Iterator[_Step]:
        for name in self.ruleset.cards.near(slot.name)[:1]:
            match = self.ruleset.cards.find(name)
            if match:
                change = Fix(
                    what="read", card=slot.name, zone=slot.zone, to=match.card.name, lines=slot.lines
                )
                yield _Step((change,), _read_as(slots, slot, match))


def _change(what: str, slot: Slot) -> Fix:
    return Fix(what=what, card=slot.name, zone=slot.zone, lines=slot.lines)


def _with(slots: tuple[Slot, ...], slot: Slot, copies: int) -> tuple[Slot, ...]:
    changed = (msgspec.structs.replace(each, qty=copies) if each is slot else each for each in slots)
    return tuple(each for each in changed if each.qty)


def _moved(slots: tuple[Slot, ...], slot: Slot, zone: str) -> tuple[Slot, ...]:
    same = next((each for each in slots if each.zone == zone and each.card.id == slot.card.id), None)
    rest = _with(slots, slot, slot.qty - 1)
    if same is not None:
        return _with(rest, same, same.qty + 1)
    return (*rest, msgspec.structs.replace(slot, zone=zone, qty=1))


def _read_as(slots: tuple[Slot, ...], slot: Slot, match: CardMatch) -> tuple[Slot, ...]:
    corrected = msgspec.structs.replace(
        slot, card=match.card, name=match.counted, keys=match.keys, pool_id=match.pool_id
    )
    return tuple(corrected if each is slot else each for each in slots)


def _unknown(slot: Slot) -> Finding:
    return Finding(
        rule="card",
        severity=Severity.ERROR,
        message="no such card",
        subjects=(slot.name,),
        lines=slot.lines,
        have=str(slot.qty),
        allowed="0",
    )


def _numbers(finding: Finding) -> tuple[int, int] | None:
    have, allowed = finding.have or "", finding.allowed or ""
    return (int(have), int(allowed)) if have.isdecimal() and allowed.isdecimal() else None


def _excess(finding: Finding) -> int:
    numbers = _numbers(finding)
    return max(1, abs(numbers[0] - numbers[1])) if numbers else 1


def _too_few(finding: Finding) -> bool:
    numbers = _numbers(finding)
    return numbers is None or numbers[0] < numbers[1]


def _together(changes: Iterable[Fix]) -> Iterator[Fix]:
    """Merge equal changes, in the order of their first ones."""
    merged: dict[tuple[str, str, str, str], Fix] = {}
    for change in changes:
        key = (change.what, change.card, change.zone, change.to)
        equal = merged.get(key)
        copies = change.copies + (equal.copies if equal else 0)
        merged[key] = Fix(
            what=change.what,
            card=change.card,
            zone=change.zone,
            copies=copies,
            to=change.to,
            lines=change.lines,
        )
    yield from merged.values()


# -- a lower bound for the number of changes


def fewest(slots: list[Slot], ruleset: Ruleset) -> int:
    """Return a number of changes that every repair has at least.

    A change affects a zone once, and at most two zones. So a zone's own need is a bound, and half of all
    needs.
    """
    sizes = deck_of_slots(slots, ruleset).sizes
    surplus = dict(_surplus(slots, ruleset))
    needs = [
        _need(zone.rule.size, sizes.get(zone.rule.id, 0), _inside(zone.rule.id, slots, surplus, ruleset))
        for zone in ruleset.format.zones
        if zone.rule.counts and not zone.rule.optional and ruleset.format.in_force(zone, ruleset.day)
    ]
    return max(max(needs, default=0), ceil(sum(needs) / 2))


def _need(size: object, have: int, inside: tuple[int, int]) -> int:
    """Return the changes a zone needs: cards to remove, to read otherwise, and to add."""
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
    """Return the surplus of cards that are in no other zone, and the number of unknown names."""
    here = {slot.key for slot in slots if slot.zone == zone}
    elsewhere = {slot.key for slot in slots if slot.zone != zone}
    too_many = sum(surplus.get(key, 0) for key in here - elsewhere)
    misread = [slot for slot in slots if slot.zone == zone and ruleset.pool.complete and not slot.card.listed]
    return too_many, len([slot for slot in misread if not surplus.get(slot.key)])


def _surplus(slots: list[Slot], ruleset: Ruleset) -> Iterator[tuple[str, int]]:
    """Return the surplus of each card under the strictest rule that limits it alone."""
    worst: dict[str, int] = {}
    for rule in ruleset.rules:
        for key, number in _excesses(rule, slots):
            worst[key] = max(worst.get(key, 0), number)
    yield from worst.items()


def _excesses(rule: object, slots: Iterable[Slot]) -> Iterator[tuple[str, int]]:
    if isinstance(rule, Limit) and rule.plain and rule.at_most is not None and rule.terms.when is None:
        copies: Counter[str] = Counter()
        for slot in slots:
            if slot.zone in rule.zones:
                copies[slot.key] += slot.qty
        yield from ((key, number - rule.at_most) for key, number in copies.items() if number > rule.at_most)
    if isinstance(rule, Banned):
        for slot in slots:
            allowed = rule.cards.get(slot.keys[0])
            if allowed is not None and slot.qty > allowed:
                yield slot.key, slot.qty - allowed
