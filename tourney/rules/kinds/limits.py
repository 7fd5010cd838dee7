"""`[[limit]]`: cards are counted in groups, and each count must stay within its bounds.

If it is not known whether a card counts, or to which group it belongs, the count is an interval.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tourney.cards.card import NONE, Absent
from tourney.errors import TourneyError
from tourney.rules.binding import Binder
from tourney.rules.bounds import (
    SUM,
    Bounds,
    Broken,
    PlacedExpression,
    bound_expressions,
    bound_words,
    check_bounds,
    count_words,
    number_words,
    written_bounds,
)
from tourney.rules.expressions.deck import Deck, Evaluator, View, distinct, holds, total
from tourney.rules.expressions.describing import Describer, named_with_line
from tourney.rules.expressions.language import About
from tourney.rules.expressions.values import (
    InDoubt,
    Interval,
    Item,
    Slot,
    Truth,
    Unknown,
    Value,
    both,
    interval,
    items,
    text_of,
    truth,
    unknown,
    weight,
)
from tourney.rules.findings import Outcome, Rule
from tourney.rules.kinds.kind import RuleKind
from tourney.rules.vocabulary import Bound, FileTable, RuleEntry, RuleFile


class LimitFile(RuleFile, frozen=True, kw_only=True):
    """`[[limit]]`: how many cards that fit a condition a deck may or must have.

    where:             the condition on the cards that count
    zones:             the zones whose cards count; by default all zones that are part of the deck
    by:                how the cards are divided into groups, each with its own count: by `name`, another
                       attribute, `zone`, or several of these. A card whose value is a list counts in the
                       group of each item
    max, min, exactly: the bounds
    weigh:             the weight of a copy; 1 by default
    distinct:          counts the different values of this expression instead of copies
    per:               `copy`: each copy counts; `name`: each different card counts once, and the expression
                       in `weigh` can use its number of copies as `qty`; `zone`: each copy counts, separately
                       in each zone
    except:            see `ExceptionFile`
    unit:              the word for what is counted, such as `influence`
    """

    where: str | None = None
    zones: tuple[str, ...] = ()
    by: str | tuple[str, ...] | None = None
    max: Bound | None = None
    min: Bound | None = None
    exactly: Bound | None = None
    weigh: Bound | None = None
    distinct: str | None = None
    per: Literal["copy", "name", "zone"] = "copy"
    exceptions: tuple[ExceptionFile, ...] = msgspec.field(default=(), name="except")
    unit: str | None = None


class ExceptionFile(FileTable, frozen=True, kw_only=True):
    """An entry of `except`. For each card, the first entry whose `where` fits the card is used.

    If the entry has a bound (`max`, `min`, `exactly`), its cards are counted for this bound and not for the
    limit. If it has `weigh`, they count for the limit with that weight. If it has neither, they do not count.
    """

    where: str
    title: str | None = None
    max: Bound | None = None
    min: Bound | None = None
    exactly: Bound | None = None
    weigh: Bound | None = None
    cite: str | None = None


class LimitKind(RuleKind[LimitFile]):
    """A rule about the number of cards that a deck may or must have."""

    word = "limit"
    shape = LimitFile
    position = 1
    card_keys = ("where", "weigh", "distinct")

    def normalize(self, rule: LimitFile, place: str) -> LimitFile:
        """Check a `[[limit]]` rule, and return it with `by` as a tuple.

        `per = "zone"` is changed to `per = "copy"`, with `zone` as the last item of `by`.

        Raises TourneyError if the rule has no bound or an invalid one, or if keys contradict each other.
        """
        check_bounds(rule, place)
        if not written_bounds(rule):
            raise TourneyError(f"{place}: a limit needs `max`, `min` or `exactly`")
        if rule.distinct is not None and rule.weigh is not None:
            raise TourneyError(f"{place}: `distinct` and `weigh` cannot be used together")
        for number, entry in enumerate(rule.exceptions):
            entry_place = f"{place}.except[{number}]"
            check_bounds(entry, entry_place)
            if entry.weigh is not None and (written_bounds(entry) or rule.distinct is not None):
                raise TourneyError(
                    f"{entry_place}: cards with `weigh` are still counted; leave out bounds and `distinct`"
                )
        by = (rule.by,) if isinstance(rule.by, str) else (rule.by or ())
        if rule.per == "zone":
            return replace(rule, by=(*by, "zone"), per="copy")
        return replace(rule, by=by)

    def expressions(self, entry: RuleEntry[LimitFile]) -> Iterator[PlacedExpression]:
        """Yield the limit's expressions.

        If the limit has `by`, cards are counted in groups. Its bounds are then expressions about a card, so
        that each group can have different bounds. Otherwise, the bounds are expressions about the deck.
        """
        yield from super().expressions(entry)
        rule, place = entry.rule, entry.place
        about = About.CARD if rule.by else About.DECK
        for number, by in enumerate(rule.by or ()):
            yield PlacedExpression(by, f"{place}.by[{number}]")
        yield from bound_expressions(rule, place, about)
        for number, exception in enumerate(rule.exceptions):
            exception_place = f"{place}.except[{number}]"
            yield PlacedExpression(exception.where, f"{exception_place}.where")
            yield PlacedExpression(exception.weigh, f"{exception_place}.weigh")
            yield from bound_expressions(exception, exception_place, about)

    def message_about(self, rule: LimitFile) -> About:
        """Return CARD if the expressions in the limit's message are about a card; DECK otherwise.

        They are about a card if the limit counts cards in groups (`by`), or if its `max` is 0.
        """
        return About.CARD if rule.by or rule.max == 0 else About.DECK

    def for_zones(self, entry: RuleEntry[LimitFile], zones: frozenset[str]) -> RuleEntry[LimitFile] | None:
        """Return the limit as it applies if only `zones` are checked; None if it does not apply.

        A limit that names zones, all of which are checked, is returned unchanged. Any other limit applies
        only if it has just a maximum and is not advice. If it names zones, it then applies to those that
        are checked; if all of them are unchecked, it does not apply. If it names no zone, it applies to all
        checked zones.

        zones: the zones that are checked
        """
        rule, same_entry = entry.rule, super().for_zones(entry, zones)
        if same_entry or rule.min is not None or rule.exactly is not None or rule.severity == "advice":
            return same_entry
        names = tuple(zone for zone in rule.zones if zone in zones)
        if rule.zones and not names:
            return None
        return RuleEntry(replace(rule, zones=names), entry.origin, entry.place)

    def bind_one(self, entry: RuleEntry[LimitFile], binder: Binder) -> Limit:
        """Compile a `[[limit]]` rule for a card pool.

        Raises TourneyError if it does not fit the pool.
        """
        rule, place = entry.rule, entry.place
        by = tuple(rule.by or ())
        about = About.CARD if by else About.DECK
        forbids = rule.max == 0 and not (by or rule.distinct or rule.weigh)
        terms = binder.terms(entry, About.CARD if by or forbids else About.DECK)
        return Limit(
            terms=binder.with_causes(terms, rule, about, rule.where if forbids else None),
            where=binder.bind_optional(rule.where, f"{place}.where"),
            zones=binder.zones(rule.zones),
            by=tuple(binder.bind(text, f"{place}.by[{number}]") for number, text in enumerate(by)),
            by_text=by,
            bounds=binder.bind_bounds(rule, place, about),
            weigh=binder.bind_weight(rule.weigh, f"{place}.weigh"),
            distinct=binder.bind_optional(rule.distinct, f"{place}.distinct"),
            is_single=binder.is_single(rule.distinct),
            once=rule.per == "name",
            forbids=forbids,
            exceptions=tuple(
                _bound_exception(exception, f"{place}.except[{number}]", about, binder)
                for number, exception in enumerate(rule.exceptions)
            ),
            unit=rule.unit or _unit_of(rule, by),
            describer=binder.describer(rule.where),
            place_words=binder.zone_words(rule.zones),
            owner=binder.bound_owner(rule, about),
            at_most=rule.max if isinstance(rule.max, int) and rule.min is None else None,
        )

    def words(self, rule: LimitFile) -> str:
        """Return the limit in words: what is counted, and its bounds."""
        by = tuple(rule.by or ())
        if rule.distinct:
            things = f"different `{rule.distinct}`"
        elif rule.weigh is not None:
            over = " over different cards" if rule.per == "name" else ""
            things = f"the sum of {number_words(rule.weigh)}{over}"
        else:
            things = "different cards" if rule.per == "name" else "copies" if by == ("name",) else "cards"
            if 1 in (rule.max, rule.exactly):
                things = _SINGULARS[things]
        bounds = bound_words(rule)
        count = f"{bounds} {things}" if rule.weigh is None else f"{things} is {bounds}"
        groups = " of any one card" if by == ("name",) else f" for each `{'`, `'.join(by)}`" if by else ""
        condition_text = f" with `{rule.where}`" if rule.where else ""
        zones = f", in {' and '.join(rule.zones)}" if rule.zones else ""
        return f"{count}{groups}{condition_text}{zones}{''.join(map(_exception_words, rule.exceptions))}"


_SINGULARS = {"copies": "copy", "cards": "card", "different cards": "different card"}


def _exception_words(entry: ExceptionFile) -> str:
    cite = f" ({entry.cite})" if entry.cite else ""
    if entry.weigh is not None:
        return f"; `{entry.where}` weighs {number_words(entry.weigh)}{cite}"
    return f"; `{entry.where}`: {bound_words(entry) or 'free'}{cite}"


def _unit_of(rule: LimitFile, by: tuple[str, ...]) -> str:
    if rule.distinct is not None:
        return "different card" if rule.distinct in {"name", "id"} else f"different {rule.distinct}"
    if isinstance(rule.weigh, str):
        return rule.weigh.replace("_", " ") if rule.weigh.isidentifier() else SUM
    return "copy" if "name" in by else "card"


def _bound_exception(entry: ExceptionFile, place: str, about: About, binder: Binder) -> LimitException:
    return LimitException(
        where=binder.bind(entry.where, f"{place}.where"),
        bounds=binder.bind_bounds(entry, place, about),
        weigh=binder.bind_weight(entry.weigh, f"{place}.weigh"),
        cite=entry.cite,
    )


# -- compiled for a pool

_MAIN = -1
"""The `GroupKey.count` of cards that the limit itself counts.

For cards that an exception counts separately, `count` is the number of the exception.
"""

_MOST_PARTS = 6
"""The maximum number of parts of a sum that a hint lists."""

_FEW = 2
"""The maximum number of cards with the same value that a hint names."""

_FEW_OF = 4
"""Cards with unusual values are named as the cause if at most one card in this many has one."""

Key = tuple[Item | Absent | None, ...]
"""The value of each part of `by`: NONE for a blank, None if it is not known."""

_ONE_GROUP: list[Key] = [()]


class GroupKey(Struct, frozen=True):
    """Identifies cards that a limit counts together.

    count: the total to which the cards are added: `_MAIN` for the main total of the limit, otherwise the
           index of an exception that has its own bounds
    key:   the values of `by` that the cards have in common
    """

    count: int
    key: Key


class LimitException(Struct, frozen=True, kw_only=True):
    """An exception to a limit (`except`), with its expressions compiled for a card pool."""

    where: Evaluator
    bounds: Bounds = Bounds()
    weigh: Evaluator | None = None
    cite: str | None = None


class Counted(Struct, frozen=True):
    """Copies of a card in a group. fits: whether they count; value: what they add to the count."""

    slot: Slot
    fits: Truth
    value: Value

    @property
    def is_sure(self) -> bool:
        """Whether it is certain that these copies count in the group."""
        return self.fits is True

    @property
    def is_in_doubt(self) -> bool:
        """Whether it is uncertain if these copies count in the group, or with what value."""
        return self.fits is not True or isinstance(self.value, InDoubt)


class Limit(Rule, frozen=True, kw_only=True):
    """A `[[limit]]` rule, with its expressions compiled for a card pool.

    by, by_text: what divides the cards into groups (the rule's `by`), compiled and as written
    is_single:   whether `distinct` is an attribute that is never a list
    once:        whether each different card counts once
    forbids:     whether the limit forbids the cards that it counts; then each of them has its own finding
    unit:        the word for what is counted
    describer:   explains `where`
    place_words: the zones in words
    owner:       a phrase such as `the general's influence` if the bound is an attribute of the leader
    at_most:     the maximum, if it is a plain number and there is no minimum; else None
    """

    zones: frozenset[str]
    bounds: Bounds
    unit: str
    describer: Describer
    where: Evaluator | None = None
    by: tuple[Evaluator, ...] = ()
    by_text: tuple[str, ...] = ()
    weigh: Evaluator | None = None
    distinct: Evaluator | None = None
    is_single: bool = False
    once: bool = False
    forbids: bool = False
    exceptions: tuple[LimitException, ...] = ()
    place_words: str = "the deck"
    owner: str = ""
    at_most: int | None = None

    @property
    def by_name(self) -> bool:
        """Whether there is one group for each card name."""
        return self.by_text == ("name",)

    @property
    def plain(self) -> bool:
        """Whether the limit counts the copies of each name and does nothing else."""
        extras = (self.where, self.weigh, self.distinct)
        return self.by_name and not self.exceptions and not self.once and extras == (None, None, None)

    def find(self, deck: Deck) -> Iterator[Outcome]:
        """Yield a finding for each group that breaks its bounds.

        All groups for which this is not known share one `Undecided` outcome.
        """
        doubts: list[Value] = []
        lines: list[int] = []
        for group, members in self._groups(deck).items():
            if self.at_most is not None and group.count == _MAIN:
                number = self._number(group, members)
                if isinstance(number, int) and number <= self.at_most:
                    continue
            for outcome in self._check(deck, group, members):
                if isinstance(outcome, Unknown):
                    in_doubt = [member for member in members if member.is_in_doubt]
                    doubts += (
                        outcome,
                        *(value for member in in_doubt for value in (member.fits, member.value)),
                    )
                    lines += (line for member in in_doubt for line in member.slot.lines)
                else:
                    yield outcome
        if doubts:
            yield self.terms.undecided(doubts, lines)

    # -- counting

    def _groups(self, deck: Deck) -> dict[GroupKey, list[Counted]]:
        groups: dict[GroupKey, list[Counted]] = {}
        if not self.by:
            bounded_exceptions = (number for number, entry in enumerate(self.exceptions) if entry.bounds)
            groups = {GroupKey(count, ()): [] for count in (_MAIN, *bounded_exceptions)}
        unplaced_cards: dict[int, list[tuple[Counted, list[Key]]]] = {}
        view, main = View(deck), ((_MAIN, True, self.weigh),)
        for slot in self._slots(deck):
            view.of(slot)
            fits = holds(self.where, view)
            if fits is False:
                continue
            keys, doubts = self._keys(view) if self.by else (_ONE_GROUP, ())
            if doubts:
                fits = unknown(fits, *doubts)
            for count, takes_part, weigh in self._counts_of(view) if self.exceptions else main:
                member = Counted(slot, both(fits, takes_part), self._value(view, weigh))
                if doubts:
                    unplaced_cards.setdefault(count, []).append((member, keys))
                    continue
                for key in keys:
                    groups.setdefault(GroupKey(count, key), []).append(member)
        return _with_unplaced(groups, unplaced_cards) if unplaced_cards else groups

    def _slots(self, deck: Deck) -> Iterable[Slot]:
        """Return the cards in the limit's zones, one `Slot` for each card and zone.

        If the limit counts each different card once (`once`), `qty` of each slot becomes the total number of
        copies of its card in these zones, for use in expressions and findings.
        """
        inside = [slot for slot in deck.slots if slot.zone in self.zones]
        if not self.once:
            return inside
        copies: Counter[str] = Counter()
        for slot in inside:
            copies[slot.key] += slot.qty
        return [replace(slot, qty=copies[slot.key]) for slot in inside]

    def _counts_of(self, view: View) -> Iterator[tuple[int, Truth, Evaluator | None]]:
        """Yield the totals of this limit in which the card counts, or may count.

        A limit has a main total, and one more for each exception with bounds. Yields triples: the index of
        the exception (`_MAIN` for the main total), whether the card counts (true or unknown), and the
        function that returns the weight of a copy (None if the weight is 1).
        """
        is_left: Truth = True  # whether no earlier exception applies to the card
        for number, entry in enumerate(self.exceptions):
            fits = truth(entry.where(view))
            if fits is False:
                continue
            takes_part = both(is_left, fits)
            if entry.weigh is not None:
                yield _MAIN, takes_part, entry.weigh
            elif entry.bounds:
                yield number, takes_part, self.weigh
            if fits is True:
                return
            is_left = takes_part
        yield _MAIN, is_left, self.weigh

    def _keys(self, view: View) -> tuple[list[Key], Sequence[Value]]:
        """Return the keys of the groups in which a card is counted, and the card's uncertain values.

        A key has one value for each part of `by`. If a part gives a list, the card has a key for each item.
        If a part gives an uncertain value, the key has None instead.
        """
        if self.by_name:
            return [(view.slot.key,)], ()
        parts: list[Sequence[Item | Absent | None]] = []
        doubts: list[Value] = []
        for by in self.by:
            value = by(view)
            sure, possible = items(value)
            if possible is None or possible != sure:
                doubts.append(value)
                parts.append([None])
            else:
                parts.append(sorted(sure, key=str) or [NONE])
        return list(product(*parts)), doubts

    def _value(self, view: View, weigh: Evaluator | None) -> Value:
        if self.distinct is not None:
            return self.distinct(view)
        times = 1 if self.once else view.slot.qty
        if weigh is None:
            return times
        weight_of_copy = weigh(view)
        low, high = weight(weight_of_copy)
        return interval(low * times, high * times, weight_of_copy)

    def _number(self, group: GroupKey, members: Sequence[Counted]) -> Value:
        if self.once and self.distinct is None:
            members = list(_once(members, cheapest=self._bounds(group).is_only_minimum))
        cards = [(member.value, 1, member.fits) for member in members]
        if self.distinct is not None:
            return distinct(cards, is_single=self.is_single)
        number = total(cards)
        # `find` adds the causes.
        return replace(number, causes=()) if isinstance(number, Interval) else number

    # -- judging

    def _bounds(self, group: GroupKey) -> Bounds:
        return self.bounds if group.count == _MAIN else self.exceptions[group.count].bounds

    def _check(self, deck: Deck, group: GroupKey, members: list[Counted]) -> Iterator[Outcome | Unknown]:
        """Yield the findings about a group, or `Unknown` if it cannot be decided.

        If the cards of the group give different bounds, the group must meet all of them.
        """
        bounds, number = self._bounds(group), self._number(group, members)
        views = [(View(deck).of(member.slot), member.is_sure) for member in members] if self.by else []
        answers = [
            (bounds.broken_bound(number, view), view, sure) for view, sure in views or [(View(deck), True)]
        ]
        broken_bounds = [
            (answer, view) for answer, view, sure in answers if isinstance(answer, Broken) and sure
        ]
        if broken_bounds and self.forbids and group.count == _MAIN:
            slots = [member.slot for member in members if member.is_sure]
            yield from self._forbidden_cards(deck, slots, broken_bounds[0][0])
        elif broken_bounds:
            strictest, view = min(broken_bounds, key=lambda pair: pair[0].strictness)
            differ = any(answer != strictest for answer, _, _ in answers)
            yield self._finding(view, group, members, number, strictest, differ=differ)
        elif any(answer is not None for answer, _, _ in answers):
            yield unknown(*(answer for answer, _, _ in answers if isinstance(answer, Unknown)))

    def _forbidden_cards(self, deck: Deck, slots: Iterable[Slot], broken_bound: Broken) -> Iterator[Outcome]:
        """Yield a finding for each card that the limit forbids."""
        cards: dict[object, list[Slot]] = {}
        for slot in slots:
            cards.setdefault(slot.key if self.once else len(cards), []).append(slot)
        for card in cards.values():
            view = View(deck).of(card[0])
            yield self.terms.finding(
                f"may not be in {self.place_words}",
                slots=card,
                view=view,
                have=card[0].qty,
                allowed=broken_bound.allowed,
                reason=self.describer.explain(view, holds=True),
            )

    def _finding(
        self,
        view: View,
        group: GroupKey,
        members: Sequence[Counted],
        number: Value,
        broken_bound: Broken,
        *,
        differ: bool,
    ) -> Outcome:
        """Return the finding about a group of cards that breaks a bound.

        broken_bound: the bound that the group breaks
        differ: whether the bound depends on the card, and cards of the group give different bounds. The
                message then ends with the card that gives this bound, or with its zone if the finding is
                about no other card
        """
        sure = [member for member in members if member.is_sure]
        slots = self._culprits(sure, broken_bound)
        if self.forbids and slots:
            view.of(slots[0])  # the message is about a card
        is_main = group.count == _MAIN
        owner = f" ({self.owner})" if is_main and self.owner else ""
        message = f"{self._count_words(number, group.key, view)}, {broken_bound.demand}{owner}"
        if differ:
            other_names = {slot.name for slot in slots} - {view.slot.name}
            message += f" (by {view.slot.name})" if other_names else f" (in {self._zone(view.slot.zone)})"
        return self.terms.finding(
            message,
            slots=slots,
            view=None if self.forbids and not slots else view,
            have=number,
            allowed=broken_bound.allowed,
            hint=self._parts(sure),
            cite=None if is_main else self.exceptions[group.count].cite,
        )

    def _culprits(self, members: Sequence[Counted], broken_bound: Broken) -> list[Slot]:
        """Return the cards that a finding names: usually all cards of the group that breaks a bound.

        The rule may limit the number of different values, such as at most two types. Then the values are
        sorted by the number of copies that have them, and those beyond the first two are surplus. If at most
        one copy in `_FEW_OF` has a surplus value, only the cards with such values are named.
        """
        slots = [member.slot for member in members]
        counts_values = self.distinct is not None and self.is_single
        if not counts_values or not broken_bound.is_maximum or type(broken_bound.allowed) is not int:
            return slots
        unusual = [slot for _, holders in _holders(members)[broken_bound.allowed :] for slot in holders]
        is_few = sum(slot.qty for slot in unusual) * _FEW_OF <= sum(slot.qty for slot in slots)
        return unusual if is_few else slots

    def _count_words(self, number: Value, key: Key, view: View) -> str:
        """Return a count in words with what it counts, such as `3 cards with type pilot`."""
        is_of_cards = self.unit in {"card", "copy"} and not self.by
        parts = [count_words(number, self.unit), self.describer.criteria(view) if is_of_cards else ""]
        attributes, zones = [], []
        for by, item in zip(self.by_text, key, strict=False):
            name = by.replace("_", " ") if by.isidentifier() else ""
            if item is None or isinstance(item, Absent):
                attributes.append(f"no {name or f'`{by}`'}")
            elif by == "zone":
                zones.append(f"in {self._zone(text_of(item))}")
            elif by != "name":
                attributes.append(f"{name} {text_of(item)}".lstrip())
        if attributes:
            parts.append(f"with {' and '.join(attributes)}")
        return " ".join(filter(None, (*parts, *zones)))

    def _zone(self, zone: str) -> str:
        return self.describer.wording.zone(zone)

    def _parts(self, members: Sequence[Counted]) -> str | None:
        """Return in words the parts of a number; None if it has fewer than two parts.

        The parts of a sum are the cards that add to it, the largest amounts first. The parts of a number of
        different values are these values with their cards, the most frequent value first. A number of copies,
        or of different cards, has no parts.
        """
        if self.distinct is not None and self.unit != "different card":
            parts = [f"{text}: {_holder_words(slots)}" for text, slots in _holders(members)]
        elif self.weigh is not None:
            totals: Counter[str] = Counter()
            for member in members:
                if isinstance(member.value, int):
                    totals[member.slot.name] += member.value
            parts = [f"{name}: {value}" for name, value in totals.most_common() if value]
        else:
            return None
        more = f" and {len(parts) - _MOST_PARTS} more" if len(parts) > _MOST_PARTS else ""
        return f"{', '.join(parts[:_MOST_PARTS])}{more}" if len(parts) > 1 else None


def _once(members: Iterable[Counted], *, cheapest: bool) -> Iterator[Counted]:
    """Yield one item for each different card, with the highest weight of the card's items.

    A card has several items if, for example, it is in several zones.

    cheapest: use the lowest weight instead
    """
    cards: dict[str, list[Counted]] = {}
    for member in members:
        cards.setdefault(member.slot.key, []).append(member)
    pick = min if cheapest else max
    for copies in cards.values():
        low, high = (pick(edges) for edges in zip(*(weight(copy.value) for copy in copies), strict=True))
        surest = next((copy for copy in copies if copy.is_sure), copies[0])
        yield replace(surest, value=interval(low, high))


def _holders(members: Iterable[Counted]) -> list[tuple[str, list[Slot]]]:
    """Return each counted value with the cards that have it, the most frequent value first."""
    holders: dict[str, list[Slot]] = {}
    for member in members:
        for item in member.value if isinstance(member.value, tuple) else (member.value,):
            if not isinstance(item, Absent | InDoubt):
                holders.setdefault(text_of(item), []).append(member.slot)
    return sorted(holders.items(), key=lambda pair: -sum(slot.qty for slot in pair[1]))


def _holder_words(slots: Sequence[Slot]) -> str:
    """Return the names and lines of the cards, or only their number if they are many."""
    names = " and ".join(named_with_line(slot) for slot in slots if slot.lines)
    return names if len(slots) <= _FEW and names else count_words(sum(slot.qty for slot in slots))


def _with_unplaced(
    groups: dict[GroupKey, list[Counted]], unplaced_cards: Mapping[int, Sequence[tuple[Counted, list[Key]]]]
) -> dict[GroupKey, list[Counted]]:
    """Add each card whose group is unknown to every group that it may belong to.

    Such cards may also form a group of their own. So a group is first added for each key that such a card
    may have.

    unplaced_cards: `GroupKey.count` → the cards with an unknown group, each with the possible values of its
              `GroupKey.key`
    """
    for count, cards in unplaced_cards.items():
        for _, keys in cards:
            for key in keys:
                groups.setdefault(GroupKey(count, key), [])
        for group, members in groups.items():
            if group.count == count:
                members.extend(
                    member for member, keys in cards if any(_may_be_equal(group.key, key) for key in keys)
                )
    return groups


def _may_be_equal(key: Key, other: Key) -> bool:
    return all(one is None or two is None or one == two for one, two in zip(key, other, strict=True))
