"""The smallest repair: the fewest changes that make a deck legal.

A change is one copy removed, added or moved to another zone, or one line read as a card with a similar name.
The search is greedy: of all changes that a finding suggests, it takes the one that leaves the least to
repair. The repaired deck is checked, so it is legal. `Repair.proved` says that no repair has fewer changes.
It is true only for a single change, or if the number of changes equals the lower bound that `min_changes`
returns.

This bound considers only rules that are equally strict for every deck: sizes that are plain numbers, limits
of copies by name, cards that a ban list limits, and unknown names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from math import ceil

from msgspec import Struct
from msgspec.structs import replace

from tourney.decks.decklist import Decklist
from tourney.decks.resolving import deck_of_slots, in_rule_order, resolve
from tourney.decks.verdict import Fix, Repair
from tourney.errors import Finding, Severity
from tourney.rules.banlist import Banned
from tourney.rules.expressions.values import Slot
from tourney.rules.findings import Undecided
from tourney.rules.kinds.limits import Limit
from tourney.rules.ruleset import CardMatch, Ruleset
from tourney.rules.vocabulary import SizeFile

_MOST_CHANGES = 60
_BEST_OUTS = 3
_MOST_TRIED = 500
"""The largest complete pool of which every card is tried in place of a removed card."""

_LEADERLESS = 100
_IN_DOUBT = 1_000
"""The weight of a rule that becomes undecided.

It is so large that the search avoids such changes.
"""
_MOST_STEPS = 250_000
"""The maximum number of lines that are judged in the search, over all decks.

That many take a few seconds.
"""


def repair(decklist: Decklist, ruleset: Ruleset, *, trust_declared: bool = False) -> Repair | None:
    """Return a repair of a deck; None if none was found, or if the rules find no error in it.

    A repair removes copies, moves them to other zones, corrects unknown names, or adds copies of cards that
    the deck already has. If none of this helps, one copy is replaced with a card from the pool that the deck
    does not have. This is done only if it repairs everything, and if the pool is complete and not too large.
    """
    resolved_deck = resolve(decklist, ruleset, trust_declared=trust_declared)
    slots = tuple(in_rule_order(resolved_deck.slots, ruleset))  # the order of the list does not matter
    search = _Search(ruleset)
    faults, search.undecided_rules = search.judge(slots)
    try:
        fixes = search.search_downhill(slots) if faults else None
    except _LongEnoughError:
        return None
    if fixes is None:
        return None
    return Repair(_merge_changes(fixes), len(fixes), len(fixes) <= max(1, min_changes(slots, ruleset)))


class _Step(Struct, frozen=True):
    """Changes made together, and the deck after them."""

    changes: tuple[Fix, ...]
    slots: tuple[Slot, ...]


class _LongEnoughError(Exception):
    """Raised if the search takes more than `_MOST_STEPS`."""


class _Search:
    """Looks for a repair under one ruleset.

    steps:           the number of lines judged so far
    undecided_rules: the number of rules that the original deck leaves undecided
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.zones = [zone.rule.id for zone in ruleset.format.zones if zone.rule.counts]
        self.steps = 0
        self.undecided_rules = 0

    def search_downhill(self, slots: tuple[Slot, ...]) -> list[Fix] | None:
        """Return the changes that repair the deck; None if the search fails.

        Repeats the best change until no rule is broken. If no single change helps, tries pairs of changes.
        """
        changes: list[Fix] = []
        remaining = self.badness(slots)
        while remaining and len(changes) < _MOST_CHANGES:
            ranked_steps = self._rank_steps(self._steps(slots))
            if not ranked_steps or ranked_steps[0][0] >= remaining:
                singles, ranked_steps = ranked_steps, self._rank_steps(self._pairs(ranked_steps))
                if not changes and (not ranked_steps or ranked_steps[0][0] >= remaining):
                    replacement_steps = self._rank_steps(self._replacement_steps(singles))
                    ranked_steps = [(badness, step) for badness, step in replacement_steps if not badness]
            if not ranked_steps or ranked_steps[0][0] >= remaining:
                return None
            remaining, step = ranked_steps[0]
            changes.extend(step.changes)
            slots = step.slots
        return None if remaining else changes

    # -- how good a deck is

    def badness(self, slots: tuple[Slot, ...]) -> int:
        """Return how much is left to repair: surplus, shortage, and newly undecided rules."""
        faults, undecided_rules = self.judge(slots)
        return sum(map(_excess, faults)) + _IN_DOUBT * max(0, undecided_rules - self.undecided_rules)

    def judge(self, slots: tuple[Slot, ...]) -> tuple[list[Finding], int]:
        """Return the errors of a deck, and the number of rule outcomes that are undecided.

        Only outcomes of severity `ERROR` count. An unknown leader adds `_LEADERLESS` to the number.

        Raises _LongEnoughError if the search has taken too many steps.
        """
        self.steps += len(slots) + 10  # the cost of a deck in addition to its lines
        if self.steps > _MOST_STEPS:
            raise _LongEnoughError
        deck = deck_of_slots(slots, self.ruleset)
        outcomes = [
            outcome
            for outcome in self.ruleset.judge(deck)
            if isinstance(outcome, Finding | Undecided) and outcome.severity is Severity.ERROR
        ]
        faults = [outcome for outcome in outcomes if isinstance(outcome, Finding)]
        undecided_rules = len(outcomes) - len(faults)
        if deck.leader.doubt:  # rules that depend on an unknown leader are not judged
            undecided_rules += _LEADERLESS
        if self.ruleset.pool.complete:
            faults += [_unknown_card(slot) for slot in slots if not slot.card.is_listed]
        return faults, undecided_rules

    def _rank_steps(self, steps: Iterable[_Step]) -> list[tuple[int, _Step]]:
        """Return each step with its badness (how much is then left to repair), the lowest first.

        Steps with the same badness keep their order.
        """
        return sorted(((self.badness(step.slots), step) for step in steps), key=lambda pair: pair[0])

    # -- what can be changed

    def _steps(self, slots: tuple[Slot, ...]) -> Iterator[_Step]:
        """Yield changes that may resolve the findings, from the last card of the deck to the first."""
        faults, _ = self.judge(slots)
        subjects = {name for finding in faults for name in finding.subjects}
        needs_cards = any(map(_has_too_few, faults))
        for slot in reversed(slots):
            if not slot.card.is_listed:
                yield from self._reading_steps(slots, slot)
            if slot.name in subjects or needs_cards or self._is_crowded(slot.zone, faults):
                yield _Step((_change("out", slot),), _set_copies(slots, slot, slot.qty - 1))
                for zone in self.zones:
                    if zone != slot.zone:
                        yield _Step((_change("move", slot, to=zone),), _move_copy(slots, slot, zone))
            if needs_cards:
                yield _Step((_change("in", slot),), _set_copies(slots, slot, slot.qty + 1))

    def _is_crowded(self, zone: str, faults: Iterable[Finding]) -> bool:
        """Return whether a finding is about the whole zone or the whole deck, not about cards."""
        rule = self.ruleset.format.zone(zone)
        names = {zone, rule.name if rule else ""}
        return any(
            not finding.lines and (not finding.subjects or not names.isdisjoint(finding.subjects))
            for finding in faults
        )

    def _reading_steps(self, slots: tuple[Slot, ...], slot: Slot) -> Iterator[_Step]:
        for name in self.ruleset.cards.near(slot.name)[:1]:
            if match := self.ruleset.cards.find(name):
                corrected_slot = _slot_of(match, slot)
                after = tuple(corrected_slot if other is slot else other for other in slots)
                yield _Step((_change("read", slot, to=match.card.name),), after)

    def _pairs(self, ranked_steps: list[tuple[int, _Step]]) -> Iterator[_Step]:
        """Yield steps that exchange a copy of a card for one of another card in the list."""
        outs = [step for _, step in ranked_steps if step.changes[0].what == "out"]
        for step in outs[:_BEST_OUTS]:
            for slot in step.slots:
                if slot.zone == step.changes[0].zone and slot.name != step.changes[0].card:
                    yield _Step(
                        (*step.changes, _change("in", slot)), _set_copies(step.slots, slot, slot.qty + 1)
                    )

    def _replacement_steps(self, ranked_steps: list[tuple[int, _Step]]) -> Iterator[_Step]:
        """Yield steps that replace a copy with one copy of a card that the deck does not have.

        The copy is the one whose removal leaves the least to repair. Each card of the pool is tried in its
        place. Yields nothing if no step removes a copy, if the deck would then be empty, or if the pool is
        open or too large.

        ranked_steps: steps of one change each, the best first
        """
        out = next((step for _, step in ranked_steps if step.changes[0].what == "out"), None)
        pool = self.ruleset.pool
        if out is None or not out.slots or not pool.complete or len(pool) > _MOST_TRIED:
            return
        present = {slot.card.id for slot in out.slots}
        for card in pool:
            match = self.ruleset.cards.find(card.name)
            if match and match.card.id not in present and match.counted != out.changes[0].card:
                new = replace(_slot_of(match, out.slots[0]), zone=out.changes[0].zone, qty=1, lines=())
                yield _Step((*out.changes, _change("in", new)), (*out.slots, new))


def _change(kind: str, slot: Slot, to: str = "") -> Fix:
    return Fix(what=kind, card=slot.name, zone=slot.zone, to=to, lines=slot.lines)


def _slot_of(match: CardMatch, slot: Slot) -> Slot:
    """Return `slot` with its card replaced by the one that a name search found (`match`)."""
    return replace(slot, card=match.card, name=match.counted, keys=match.keys, pool_id=match.pool_id)


def _set_copies(slots: tuple[Slot, ...], slot: Slot, copies: int) -> tuple[Slot, ...]:
    changed_slots = (replace(other, qty=copies) if other is slot else other for other in slots)
    return tuple(other for other in changed_slots if other.qty)


def _move_copy(slots: tuple[Slot, ...], slot: Slot, zone: str) -> tuple[Slot, ...]:
    rest = _set_copies(slots, slot, slot.qty - 1)
    same_slot = next((other for other in slots if other.zone == zone and other.card.id == slot.card.id), None)
    return (
        _set_copies(rest, same_slot, same_slot.qty + 1)
        if same_slot
        else (*rest, replace(slot, zone=zone, qty=1))
    )


def _unknown_card(slot: Slot) -> Finding:
    counts = {"have": str(slot.qty), "allowed": "0"}
    return Finding("card", Severity.ERROR, "no such card", subjects=(slot.name,), lines=slot.lines, **counts)


def _numbers(finding: Finding) -> tuple[int, int] | None:
    have, allowed = finding.have or "", finding.allowed or ""
    return (int(have), int(allowed)) if have.isdecimal() and allowed.isdecimal() else None


def _excess(finding: Finding) -> int:
    numbers = _numbers(finding)
    return max(1, abs(numbers[0] - numbers[1])) if numbers else 1


def _has_too_few(finding: Finding) -> bool:
    numbers = _numbers(finding)
    return numbers is None or numbers[0] < numbers[1]


def _merge_changes(changes: Iterable[Fix]) -> tuple[Fix, ...]:
    """Merge equal changes, in the order in which they first occur."""
    changes_by_key: dict[tuple[str, str, str, str], Fix] = {}
    for change in changes:
        key = (change.what, change.card, change.zone, change.to)
        copies = change.copies + (changes_by_key[key].copies if key in changes_by_key else 0)
        changes_by_key[key] = replace(change, copies=copies)
    return tuple(changes_by_key.values())


# -- a lower bound for the number of changes


def min_changes(slots: Iterable[Slot], ruleset: Ruleset) -> int:
    """Return a lower bound for the number of changes that make a deck legal.

    A zone is a part of the deck, such as the sideboard. `_need` returns how many changes a zone needs at
    least, and one change can affect at most two zones. So the bound is the largest need of a zone, or half of
    the sum of all needs (rounded up) if that is larger.
    """
    slots = list(slots)
    sizes = deck_of_slots(slots, ruleset).sizes
    surplus = _surplus(slots, ruleset)
    needs = []
    for placed_zone in ruleset.format.zones:
        zone = placed_zone.rule
        if zone.counts and not zone.optional and ruleset.format.in_force(placed_zone, ruleset.day):
            zone_slots = [slot for slot in slots if slot.zone == zone.id]
            other_keys = {slot.key for slot in slots if slot.zone != zone.id}
            surplus_copies = sum(
                surplus.get(key, 0) for key in {slot.key for slot in zone_slots} - other_keys
            )
            misread_names = ruleset.pool.complete and sum(
                not slot.card.is_listed and not surplus.get(slot.key) for slot in zone_slots
            )
            needs.append(_need(zone.size, sizes.get(zone.id, 0), surplus_copies, misread_names))
    return max(max(needs, default=0), ceil(sum(needs) / 2))


def _need(size: object, have: int, surplus: int, misread_names: int) -> int:
    """Return a lower bound for the number of changes that a zone needs.

    A change removes or adds one copy of a card, or replaces the name of an unknown card.

    size:          the size that the format requires
    have:          the number of cards in the zone
    surplus:       the number of copies to remove
    misread_names: the number of names to replace
    """
    least, most = 0, have
    if isinstance(size, SizeFile):
        exactly = isinstance(size.exactly, int)
        low, high = (size.exactly, size.exactly) if exactly else (size.min, size.max)
        least = low if isinstance(low, int) else 0
        most = high if isinstance(high, int) else have
    return max(surplus + misread_names + max(0, least - (have - surplus)), have - most)


def _surplus(slots: list[Slot], ruleset: Ruleset) -> dict[str, int]:
    """Return the surplus of each card under the strictest rule that limits this card."""
    surplus: Counter[str] = Counter()
    for rule in ruleset.rules:
        for key, number in _excesses(rule, slots):
            surplus[key] = max(surplus[key], number)
    return surplus


def _excesses(rule: object, slots: Iterable[Slot]) -> Iterator[tuple[str, int]]:
    if isinstance(rule, Limit) and rule.plain and rule.at_most is not None and rule.terms.when is None:
        copies: Counter[str] = Counter()
        for slot in slots:
            if slot.zone in rule.zones:
                copies[slot.key] += slot.qty
        yield from ((key, number - rule.at_most) for key, number in copies.items() if number > rule.at_most)
    if isinstance(rule, Banned):
        for slot in slots:
            allowed_copies = rule.cards.get(slot.keys[0])
            if allowed_copies is not None and slot.qty > allowed_copies:
                yield slot.key, slot.qty - allowed_copies
