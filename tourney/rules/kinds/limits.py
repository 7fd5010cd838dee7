"""`[[limit]]` and `[[require]]`: a count held to a bound, group by group, and a condition that must hold.

Of the whole deck, or of each card by itself: neither looks for an arrangement, as permissions do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Literal

import msgspec
from msgspec.structs import replace

from tourney.cards.card import NONE, Absent
from tourney.errors import TourneyError
from tourney.rules.expressions import About, Scope, Truth, Unknown, Value, text_of, truth
from tourney.rules.expressions.deck import Deck, Different, Evaluator, View
from tourney.rules.expressions.describing import MOST_NAMED, Describer
from tourney.rules.expressions.slot import Slot
from tourney.rules.expressions.values import Edge, InDoubt, Item, interval, items, unknown, weight
from tourney.rules.kinds.kind import (
    IN_ALL,
    Bounds,
    Broken,
    Composer,
    Outcome,
    PlacedExpression,
    Rule,
    RuleKind,
    Terms,
    bound_expressions,
    bound_words,
    check_bounds,
    copies,
    number_words,
)
from tourney.rules.vocabulary import Bound, Placed, Ruled


class LimitFile(Ruled, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[[limit]]`: count cards, and hold the count to a bound.

    where:    which cards are counted (all)
    zones:    in which zones (all that count)
    by:       one count for each value of this: `name`, another attribute, `zone`, or several; a card whose value
              is a list is counted under each of its values
    max, min, exactly: the bound
    weigh:    what one copy adds (1)
    distinct: count different values of this instead of copies
    per:      `copy` (default), `name` (each different card once, `qty` in `weigh` says how many copies there are),
              or `zone` (each zone by itself)
    except:   see `ExceptionFile`
    unit:     what is counted, for messages: `influence`
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


class ExceptionFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entry of `except`: the first whose `where` fits a card is taken.

    With a bound, the cards it fits are held to that bound instead; with `weigh` they stay in the count at another
    weight; with neither they are free. title: it in words; cite: where it stands.
    """

    where: str
    title: str | None = None
    max: Bound | None = None
    min: Bound | None = None
    exactly: Bound | None = None
    weigh: Bound | None = None
    cite: str | None = None


class LimitKind(RuleKind[LimitFile]):
    """How many cards there may be of something."""

    word = "limit"
    shape = LimitFile
    sketch = """\
# -- how many ---------------------------------------------------------------------------------------------------

[[limit]]
id     = "copies"                        # printed at the end of each finding
by     = "name"                          # one count for each name, over all zones, lines and printings
max    = 4
# except = [{ where = "'basic' in types" }]                          # these are free …
# except = [{ where = "rarity == 'legendary'", max = 1 }]            # … or held to another bound; first match wins
cite   = "where the rules say so"

# max  = "copies_allowed"                # a bound may be an expression: here what each card's line in the pool says

# [[limit]]
# id    = "influence"                    # a sum: every copy weighs what the card costs
# zones = ["deck"]
# where = "faction != leader.faction"    # which cards are counted
# weigh = "influence"                    # what a copy adds
# max   = "leader.influence_limit"       # a bound that comes out blank does not bind
# unit  = "influence"                    # the word in messages
# when  = "leader.side == 'corp'"        # asleep while this is false
# also: min, exactly · distinct = "faction" counts different values · per = "name" counts each card once
#       by = ["name", "zone"] · severity = "advice" never makes a deck illegal · since, until = 2026-01-01

# [[limit]]
# id      = "class"                      # max = 0: such a card may not be there at all; told card by card
# where   = "class != 'neutral' and not common(class, leader.class)"
# max     = 0
# message = "{card} is {class}, but {leader.name} is {leader.class}"
"""

    def of_a_part(self, placed: Placed[LimitFile], zones: frozenset[str]) -> Placed[LimitFile] | None:
        """Return also what is said of more: no part of a deck may have more of a card than the whole."""
        rule, own = placed.rule, super().of_a_part(placed, zones)
        if own or rule.min is not None or rule.exactly is not None or rule.severity == "advice":
            return own
        mine = tuple(zone for zone in rule.zones if zone in zones)
        return (
            Placed(replace(rule, zones=mine), placed.origin, placed.place) if mine or not rule.zones else None
        )

    def plain(self, rule: LimitFile, place: str) -> LimitFile:
        """Give `by` as a tuple, and `per = "zone"` as one of its parts. Raises TourneyError."""
        check_bounds(rule, place)
        if rule.max is None and rule.min is None and rule.exactly is None:
            raise TourneyError(f"{place}: a limit needs `max`, `min` or `exactly`")
        if rule.distinct is not None and rule.weigh is not None:
            raise TourneyError(f"{place}: `distinct` counts values, `weigh` adds up copies: only one of them")
        for which, entry in enumerate(rule.exceptions):
            _check_exception(rule, entry, f"{place}.except[{which}]")
        by = (rule.by,) if isinstance(rule.by, str) else (rule.by or ())
        if rule.per == "zone":
            return replace(rule, by=(*by, "zone"), per="copy")
        return replace(rule, by=by)

    def expressions(self, placed: Placed[LimitFile], card: Scope, deck: Scope) -> Iterator[PlacedExpression]:
        """Give its conditions, weights and bounds; a bound is asked of a card where each group has its own."""
        rule, place = placed.rule, placed.place
        bound = card if rule.by else deck
        for key in ("where", "weigh", "distinct"):
            yield PlacedExpression(getattr(rule, key), f"{place}.{key}", card)
        for number, by in enumerate(rule.by or ()):
            yield PlacedExpression(by, f"{place}.by[{number}]", card)
        yield from bound_expressions(rule, place, bound)
        for number, entry in enumerate(rule.exceptions):
            yield PlacedExpression(entry.where, f"{place}.except[{number}].where", card)
            yield PlacedExpression(entry.weigh, f"{place}.except[{number}].weigh", card)
            yield from bound_expressions(entry, f"{place}.except[{number}]", bound)

    def speaks_of_a_card(self, rule: LimitFile) -> bool:
        """Say whether a message is said of a card: of one of the group, or of one that may not be there at all."""
        return bool(rule.by) or rule.max == 0

    def bind(self, placed: Sequence[Placed[LimitFile]], composer: Composer) -> Iterator[Rule]:
        """Give each limit as a rule of its own. Raises TourneyError."""
        return (self._bound(each, composer) for each in placed)

    def _bound(self, placed: Placed[LimitFile], composer: Composer) -> Rule:
        rule, place = placed.rule, placed.place
        expressions = composer.expressions
        ask = expressions.bind_optional
        about = About.CARD if rule.by else About.DECK
        by = tuple(rule.by or ())
        each = rule.max == 0 and not (by or rule.distinct or rule.weigh)
        return Limit(
            terms=composer.due_to(
                composer.terms(placed, About.CARD if by or each else About.DECK),
                rule,
                about,
                rule.where if each else None,
            ),
            where=ask(rule.where, f"{place}.where"),
            zones=composer.zones(rule.zones),
            by=tuple(expressions.bind(text, f"{place}.by[{number}]") for number, text in enumerate(by)),
            by_name=by == ("name",),
            bounds=composer.bounds(rule, place, about),
            weigh=expressions.bind_weight(rule.weigh, f"{place}.weigh"),
            distinct=ask(rule.distinct, f"{place}.distinct"),
            single=expressions.is_single(rule.distinct),
            once=rule.per == "name",
            each=each,
            exempt=tuple(
                self._exempt(entry, f"{place}.except[{number}]", about, composer)
                for number, entry in enumerate(rule.exceptions)
            ),
            unit=rule.unit or _unit(rule, by),
            describer=expressions.describer(rule.where),
            places=composer.places(rule.zones),
            whose=composer.whose(rule, about),
            by_words=by,
            zone_words=expressions.wording.zones,
            at_most=rule.max if isinstance(rule.max, int) and rule.min is None else None,
        )

    @staticmethod
    def _exempt(entry: ExceptionFile, place: str, about: About, composer: Composer) -> Exempt:
        return Exempt(
            where=composer.expressions.bind(entry.where, f"{place}.where"),
            bounds=composer.bounds(entry, place, about),
            weigh=composer.expressions.bind_weight(entry.weigh, f"{place}.weigh"),
            cite=entry.cite,
        )

    def words(self, rule: LimitFile) -> str:
        """Say what is counted, and its bound."""
        by = tuple(rule.by or ())
        if rule.distinct:
            what = f"different `{rule.distinct}`"
        elif rule.weigh is not None:
            what = f"the sum of {number_words(rule.weigh)}" + (
                " over different cards" if rule.per == "name" else ""
            )
        else:
            what = "different cards" if rule.per == "name" else "copies" if by == ("name",) else "cards"
        if rule.max == 1 or rule.exactly == 1:
            what = _ONE.get(what, what)
        counted = f"{bound_words(rule)} {what}" if rule.weigh is None else f"{what} is {bound_words(rule)}"
        groups = " of any one card" if by == ("name",) else f" for each `{'`, `'.join(by)}`" if by else ""
        where = f" with `{rule.where}`" if rule.where else ""
        zones = f", in {' and '.join(rule.zones)}" if rule.zones else ""
        spared = "".join(f"; {_exception_words(entry)}" for entry in rule.exceptions)
        return f"{counted}{groups}{where}{zones}{spared}"


def _unit(rule: LimitFile, by: tuple[str, ...]) -> str:
    if rule.distinct is not None:
        return "different card" if rule.distinct in {"name", "id"} else f"different {rule.distinct}"
    if isinstance(rule.weigh, str):
        return rule.weigh.replace("_", " ") if rule.weigh.isidentifier() else IN_ALL
    return "copy" if "name" in by else "card"


def _check_exception(limit: LimitFile, entry: ExceptionFile, place: str) -> None:
    check_bounds(entry, place)
    bounded = any(bound is not None for bound in (entry.max, entry.min, entry.exactly))
    if entry.weigh is not None and (bounded or limit.distinct is not None):
        raise TourneyError(
            f"{place}: `weigh` keeps the cards in the count; a bound or `distinct` beside it does not fit"
        )


_ONE = {"copies": "copy", "cards": "card", "different cards": "different card"}


def _exception_words(entry: ExceptionFile) -> str:
    cite = f" ({entry.cite})" if entry.cite else ""
    if entry.weigh is not None:
        return f"`{entry.where}` weighs {number_words(entry.weigh)}{cite}"
    return f"`{entry.where}`: {bound_words(entry) or 'free'}{cite}"


# -- A limit bound to a pool


_MAIN = -1
"""Where a card is counted unless an exception takes it; else the number of the exception."""

_MOST_PARTS, _FEW = 6, 2
"""Parts of a sum that are told, and holders of one value that are named; --json has all lines."""
_FEWER = 4
"""Cards of other values than most have are at fault where they are at most one in so many."""
Key = tuple[Item | Absent | None, ...]
"""One value for each part of `by`: NONE for a blank, which is a group of its own, None where it is not known."""
_ONE_GROUP: list[Key] = [()]
Group = tuple[int, Key]


class Exempt(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of `except`, bound. With neither bounds nor weigh the cards it fits are free. cite: where that stands."""

    where: Evaluator
    bounds: Bounds
    weigh: Evaluator | None
    cite: str | None = None


class Counted(msgspec.Struct, frozen=True):
    """Copies that count in a group, surely or perhaps, and what they add to it."""

    slot: Slot
    fits: Truth
    value: Value

    @property
    def in_doubt(self) -> bool:
        """Whether something is missing to say whether they count, or what they add."""
        return self.fits is not True or isinstance(self.value, InDoubt)


class Limit(msgspec.Struct, frozen=True, kw_only=True):
    """A limit bound to a pool.

    by_name: the one thing it groups by is the card's name
    single:  what `distinct` counts is no list
    once:    each different card counts once (`per = "name"`)
    each:    nothing it fits may be there at all, so each card is told by itself
    unit:    what is counted, for messages
    at_most: the bound, where that is one number and nothing else
    describer:  tells why `where` fits a card, and which cards it fits
    places:  the parts of the deck it is about, for messages
    whose:   says whose number the bound is, where it is one of the leader's
    by_words: `by` as it is written; zone_words: what the parts of a deck are called
    """

    terms: Terms
    where: Evaluator | None
    zones: frozenset[str]
    by: tuple[Evaluator, ...]
    by_name: bool
    bounds: Bounds
    weigh: Evaluator | None
    distinct: Evaluator | None
    single: bool
    once: bool
    each: bool
    exempt: tuple[Exempt, ...]
    unit: str
    at_most: int | None = None
    describer: Describer | None = None
    places: str = "the deck"
    whose: Callable[[], str] = str
    by_words: tuple[str, ...] = ()
    zone_words: Mapping[str, str] = {}

    @property
    def plain(self) -> bool:
        """Whether it counts copies by name and does nothing else."""
        odd = (self.where, self.weigh, self.distinct)
        return self.by_name and not self.exempt and not self.once and odd == (None, None, None)

    def judge(self, deck: Deck) -> Iterator[Outcome]:
        """Give a finding for each group whose count breaks its bound, and one for all that cannot be said."""
        return self.terms.judged(deck, self._judge)

    def _judge(self, deck: Deck) -> Iterator[Outcome]:
        doubts: list[Value] = []
        lines: list[int] = []
        groups = self._plain_groups(deck) if self.plain else self._groups(deck)
        for (bucket, key), counted in groups.items():
            if self.at_most is not None and bucket == _MAIN:
                number = self._number(counted, bucket)
                if isinstance(number, int) and number <= self.at_most:
                    continue
            for outcome in self._hold(deck, bucket, key, counted):
                if isinstance(outcome, Unknown):
                    in_doubt = [each for each in counted if each.in_doubt]
                    doubts += (outcome, *(value for each in in_doubt for value in (each.fits, each.value)))
                    lines += (line for each in in_doubt for line in each.slot.lines)
                else:
                    yield outcome
        if doubts:
            yield self.terms.undecided(doubts, lines)

    # -- counting

    def _plain_groups(self, deck: Deck) -> dict[Group, list[Counted]]:
        """Count copies by name: the commonest limit, and nothing about it can be in doubt."""
        groups: dict[Group, list[Counted]] = {}
        for slot in deck.slots:
            if slot.zone in self.zones:
                groups.setdefault((_MAIN, slot.keys[:1]), []).append(Counted(slot, True, slot.qty))
        return groups

    def _groups(self, deck: Deck) -> dict[Group, list[Counted]]:
        groups: dict[Group, list[Counted]] = {}
        if not self.by:
            bounded = (number for number, entry in enumerate(self.exempt) if entry.bounds)
            groups = {(bucket, ()): [] for bucket in (_MAIN, *bounded)}
        in_doubt: dict[int, list[tuple[Counted, list[Key]]]] = {}
        view, where, main = View(deck), self.where, ((_MAIN, True, self.weigh),)
        for slot in self._slots(deck):
            view.of(slot)
            fits = True if where is None else truth(where(view))
            if fits is False:
                continue
            keys, doubts = self._keys(view) if self.by else (_ONE_GROUP, ())
            if doubts:
                fits = unknown(fits, *doubts)
            for bucket, takes_part, weigh in self._buckets(view) if self.exempt else main:
                sure = fits if takes_part is True else unknown(fits, takes_part)
                counted = Counted(slot, sure, self._value(view, weigh, slot))
                if doubts:
                    in_doubt.setdefault(bucket, []).append((counted, keys))
                    continue
                for key in keys:
                    groups.setdefault((bucket, key), []).append(counted)
        return _spread(groups, in_doubt) if in_doubt else groups

    def _slots(self, deck: Deck) -> Iterable[Slot]:
        """Give the cards in the zones; where each different card counts once, each says how many of it there are."""
        inside = [slot for slot in deck.slots if slot.zone in self.zones]
        if not self.once:
            return inside
        copies = dict.fromkeys((slot.key for slot in inside), 0)
        for slot in inside:
            copies[slot.key] += slot.qty
        return [replace(slot, qty=copies[slot.key]) for slot in inside]

    def _buckets(self, view: View) -> Iterator[tuple[int, Truth, Evaluator | None]]:
        """Give the counts a card takes part in, whether it surely does, and at what weight."""
        earlier: Truth = True  # whether it is sure that no entry before this one takes the card
        for number, entry in enumerate(self.exempt):
            fits = truth(entry.where(view))
            if fits is False:
                continue
            takes_part = earlier if fits is True else unknown(earlier, fits)
            if entry.weigh is not None:
                yield _MAIN, takes_part, entry.weigh
            elif entry.bounds:
                yield number, takes_part, self.weigh
            if fits is True:
                return
            earlier = takes_part
        yield _MAIN, earlier, self.weigh

    def _keys(self, view: View) -> tuple[list[Key], Sequence[Value]]:
        """Return the groups that a card belongs to, and the values that are not known, each None in the keys."""
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

    def _value(self, view: View, weigh: Evaluator | None, slot: Slot) -> Value:
        if self.distinct is not None:
            return self.distinct(view)
        times = 1 if self.once else slot.qty
        if weigh is None:
            return times
        weighs = weigh(view)
        low, high = weight(weighs)
        return interval(low * times, high * times, weighs)

    def _number(self, counted: Sequence[Counted], bucket: int) -> Value:
        if self.distinct is not None:
            different = Different(is_single=self.single)
            for each in counted:
                different.add(each.value, each.fits)
            return different.number
        low: Edge = 0
        high: Edge = 0
        if self.once:
            counted = list(_once(counted, floor=self._bounds(bucket).is_floor))
        for each in counted:
            if type(each.value) is int and each.fits is True:
                low += each.value
                high += each.value
                continue
            least, most = weight(each.value)
            low += least if each.fits is True else min(least, 0)
            high += most if each.fits is True else max(most, 0)
        return interval(low, high)

    # -- judging

    def _bounds(self, bucket: int) -> Bounds:
        return self.bounds if bucket == _MAIN else self.exempt[bucket].bounds

    def _hold(self, deck: Deck, bucket: int, key: Key, counted: list[Counted]) -> Iterator[Outcome | Unknown]:
        """Hold a count to its bound. Where the cards of a group give bounds that differ, each of them must be kept.

        Unknown, of the bounds in doubt, where nobody can say.
        """
        bounds, number = self._bounds(bucket), self._number(counted, bucket)
        views = [View(deck).of(each.slot) for each in counted] if self.by and counted else [View(deck)]
        answers = [bounds.broken(number, view) for view in views]
        certain = [each.fits is True for each in counted] if self.by and counted else [True]
        broken = [
            (answer, view)
            for answer, view, sure in zip(answers, views, certain, strict=True)
            if isinstance(answer, Broken) and sure
        ]
        if broken and self.each and bucket == _MAIN:
            yield from self._one_by_one(
                deck, [each.slot for each in counted if each.fits is True], broken[0][0]
            )
        elif broken:
            strictest, view = min(broken, key=lambda pair: pair[0].strictness)
            differ = any(answer != strictest for answer in answers)
            cite = None if bucket == _MAIN else self.exempt[bucket].cite
            yield self._finding(view, counted, (bucket, key), number, strictest, differ=differ, cite=cite)
        elif any(answer is not None for answer in answers):
            yield unknown(*(answer for answer in answers if isinstance(answer, Unknown)))

    def _one_by_one(self, deck: Deck, slots: Iterable[Slot], broken: Broken) -> Iterator[Outcome]:
        cards: dict[object, list[Slot]] = {}
        for slot in slots:
            cards.setdefault(slot.key if self.once else len(cards), []).append(slot)
        for of_card in cards.values():
            view = View(deck).of(of_card[0])
            yield self.terms.finding(
                f"may not be in {self.places}",
                slots=of_card,
                view=view,
                have=of_card[0].qty,
                allowed=broken.allowed,
                reason=self.describer.why(view, holds=True) if self.describer else "",
            )

    def _finding(
        self,
        view: View,
        counted: Sequence[Counted],
        group: Group,
        number: Value,
        broken: Broken,
        *,
        differ: bool,
        cite: str | None,
    ) -> Outcome:
        bucket, key = group
        sure = [each for each in counted if each.fits is True]
        slots = self._culprits(sure, broken)
        if self.each and slots:  # its words may ask a card, as those of each card that may not be there do
            view.of(slots[0])
        whose = self.whose() if bucket == _MAIN else ""
        message = f"{self._said(number, key, view)}, {broken.said}" + (f" ({whose})" if whose else "")
        if differ:
            others = {slot.name for slot in slots} - {view.slot.name}
            message += f" (by {view.slot.name})" if others else f" (in {self._zone(view.slot.zone)})"
        return self.terms.finding(
            message,
            slots=slots,
            view=None if self.each and not slots else view,
            have=number,
            allowed=broken.allowed,
            hint=self._parts(sure),
            cite=cite,
        )

    def _culprits(self, counted: Sequence[Counted], broken: Broken) -> list[Slot]:
        """Return the cards a finding names: of too many different values, those of a few cards beside the many.

        Where nearly all share the values there may be, the others are at fault; else nobody can say who is.
        """
        every = [each.slot for each in counted]
        if (
            self.distinct is None
            or not self.single
            or not broken.is_maximum
            or type(broken.allowed) is not int
        ):
            return every
        holders = _holders(counted)
        few = [slots for _, slots in holders[broken.allowed :]]
        odd = sum(slot.qty for slots in few for slot in slots)
        return (
            [slot for slots in few for slot in slots]
            if odd * _FEWER <= sum(slot.qty for slot in every)
            else every
        )

    def _said(self, number: Value, key: Key, view: View) -> str:
        """Say what was counted: in the format's word for it, else by describing the cards; and which group of them."""
        cards = ""
        if self.describer and self.unit in {"card", "copy"} and not self.by:
            cards = self.describer.criteria(view)
        kinds, zones = [], []
        for by, item in zip(self.by_words, key, strict=False):
            what = by.replace("_", " ") if by.isidentifier() else ""
            if item is None or isinstance(item, Absent):
                kinds.append(f"no {what or f'`{by}`'}")
            elif by == "zone":
                zones.append(f"in {self._zone(text_of(item))}")
            elif by != "name":
                kinds.append(f"{what} {text_of(item)}".lstrip())
        which = f"with {' and '.join(kinds)}" if kinds else ""
        return " ".join(filter(None, (copies(number, self.unit), cards, which, *zones)))

    def _zone(self, zone: str) -> str:
        return self.zone_words.get(zone, f"`{zone}`")

    def _parts(self, counted: Sequence[Counted]) -> str | None:
        """Say what the cards add to a sum, the most first, or which cards have which of the values counted."""
        if self.distinct is not None and self.unit != "different card":
            parts = [f"{text}: {cards}" for text, cards in _by_value(counted)]
        elif self.weigh is not None:
            added: dict[str, int] = {}
            for each in counted:
                if isinstance(each.value, int):
                    added[each.slot.name] = added.get(each.slot.name, 0) + each.value
            ranked = sorted(added.items(), key=lambda item: -item[1])
            parts = [f"{name}: {value}" for name, value in ranked if value]
        else:
            parts = []
        more = f" and {len(parts) - _MOST_PARTS} more" if len(parts) > _MOST_PARTS else ""
        return f"{', '.join(parts[:_MOST_PARTS])}{more}" if len(parts) > 1 else None


def _once(counted: Iterable[Counted], *, floor: bool) -> Iterator[Counted]:
    """Count each different card once: where its copies weigh differently at their dearest, under a floor at their cheapest."""
    cards: dict[str, list[Counted]] = {}
    for each in counted:
        cards.setdefault(each.slot.key, []).append(each)
    for same in cards.values():
        pick = min if floor else max
        low, high = (pick(ends) for ends in zip(*(weight(each.value) for each in same), strict=True))
        surest = next((each for each in same if each.fits is True), same[0])
        yield replace(surest, value=interval(low, high))


def _by_value(counted: Sequence[Counted]) -> Iterator[tuple[str, str]]:
    """Give each value with how many cards have it, the commonest first; few are named, with their lines."""
    for text, slots in _holders(counted):
        number = sum(slot.qty for slot in slots)
        named = " and ".join(f"{slot.name} (line {slot.lines[0]})" for slot in slots if slot.lines)
        yield text, named if len(slots) <= _FEW and named else copies(number)


def _holders(counted: Iterable[Counted]) -> list[tuple[str, list[Slot]]]:
    """Return each value with the cards that have it, the commonest first."""
    holders: dict[str, list[Slot]] = {}
    for each in counted:
        for item in each.value if isinstance(each.value, tuple) else (each.value,):
            if not isinstance(item, Absent | InDoubt):
                holders.setdefault(text_of(item), []).append(each.slot)
    return sorted(holders.items(), key=lambda item: -sum(slot.qty for slot in item[1]))


def _spread(
    groups: dict[Group, list[Counted]], in_doubt: Mapping[int, Sequence[tuple[Counted, list[Key]]]]
) -> dict[Group, list[Counted]]:
    """Put each card whose group is not known into every group that it may belong to.

    Such cards may also share a group that no other card is in, so each of their keys gets a group, too.
    """
    for bucket, cards in in_doubt.items():
        for _, keys in cards:
            for key in keys:
                groups.setdefault((bucket, key), [])
        for (of, key), members in groups.items():
            if of == bucket:
                members.extend(counted for counted, keys in cards if any(_may_be_one(key, k) for k in keys))
    return groups


def _may_be_one(key: Key, other: Key) -> bool:
    """Return whether two keys are the same, where None may be any value."""
    return all(one is None or two is None or one == two for one, two in zip(key, other, strict=True))


# -- [[require]]: a condition on the deck, or on each card of some


class RequireFile(Ruled, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[[require]]`: a condition that must hold, once for the deck, or with `where` or `zones` for each such card."""

    that: str
    where: str | None = None
    zones: tuple[str, ...] = ()


class RequireKind(RuleKind[RequireFile]):
    """`[[require]]`: a condition that the deck, or each of some cards, must meet."""

    word = "require"
    shape = RequireFile
    sketch = """\
# -- conditions -------------------------------------------------------------------------------------------------

# [[require]]
# id   = "deck-of-40-or-60"
# that = "size('deck') in [40, 60]"      # of the whole deck; with `where` or `zones`, of each such card
# title = "40 or 60 cards"

# [[require]]
# id    = "colours"
# zones = ["deck"]
# that  = "subset(colours, union(zone == 'hero', colours))"
"""

    def expressions(
        self, placed: Placed[RequireFile], card: Scope, deck: Scope
    ) -> Iterator[PlacedExpression]:
        """Give its condition and which cards it is about."""
        rule, place = placed.rule, placed.place
        yield PlacedExpression(rule.where, f"{place}.where", card)
        yield PlacedExpression(rule.that, f"{place}.that", card if self.speaks_of_a_card(rule) else deck)

    def speaks_of_a_card(self, rule: RequireFile) -> bool:
        """Say whether each card of some must meet the condition; else the deck must."""
        return bool(rule.where or rule.zones)

    def bind(self, placed: Sequence[Placed[RequireFile]], composer: Composer) -> Iterator[Rule]:
        """Give each condition as a rule of its own. Raises TourneyError."""
        return (self._bound(each, composer) for each in placed)

    @staticmethod
    def _bound(placed: Placed[RequireFile], composer: Composer) -> Rule:
        rule, place = placed.rule, placed.place
        title = rule.title or ""
        if rule.where is None and not rule.zones:
            that = composer.expressions.bind(rule.that, f"{place}.that", About.DECK)
            return Require(
                terms=composer.terms(placed, About.DECK),
                that=that,
                title=title,
                formula=rule.that,
                describer=composer.expressions.describer(rule.that, About.DECK),
            )
        return RequireEach(
            terms=composer.due_to(composer.terms(placed, About.CARD), None, About.CARD, rule.where),
            where=composer.expressions.bind_optional(rule.where, f"{place}.where"),
            zones=composer.zones(rule.zones),
            that=composer.expressions.bind(rule.that, f"{place}.that"),
            title=title,
            formula=rule.that,
            describer=composer.expressions.describer(rule.that),
            asks_deck=composer.expressions.is_of_the_deck(rule.that),
        )

    def words(self, rule: RequireFile) -> str:
        """Say the condition, and which cards must meet it."""
        if not (rule.where or rule.zones):
            return f"`{rule.that}`"
        zones = f" in {' and '.join(rule.zones)}" if rule.zones else ""
        where = f" with `{rule.where}`" if rule.where else ""
        return f"each card{zones}{where}: `{rule.that}`"


class Require(msgspec.Struct, frozen=True, kw_only=True):
    """A condition on the whole deck. title: the rule in words, where it has any; formula: it as it is written."""

    terms: Terms
    that: Evaluator
    title: str
    formula: str
    describer: Describer | None = None

    def judge(self, deck: Deck) -> Iterator[Outcome]:
        """Give a finding where the condition does not hold."""
        return self.terms.judged(deck, self._judge)

    def _judge(self, deck: Deck) -> Iterator[Outcome]:
        view = View(deck)
        held = truth(self.that(view))
        if isinstance(held, Unknown):
            yield self.terms.undecided([held])
        elif not held:
            reason = self.describer.why(view, holds=False) if self.describer else ""
            yield self.terms.finding(
                _words(self.title, reason, self.formula),
                slots=self.describer.culprits(view) if self.describer else (),
                view=view,
                reason=reason if self.title else "",
            )


class RequireEach(msgspec.Struct, frozen=True, kw_only=True):
    """A condition on each card that `where` fits in `zones`.

    asks_deck: whether the condition asks nothing of the card, so that it comes out alike for all of them
    """

    terms: Terms
    where: Evaluator | None
    zones: frozenset[str]
    that: Evaluator
    title: str
    formula: str
    describer: Describer | None = None
    asks_deck: bool = False

    def judge(self, deck: Deck) -> Iterator[Outcome]:
        """Give a finding for each card that does not meet the condition, and one for all that cannot be said."""
        if self.asks_deck:
            return self.terms.judged(deck, self._judge_once)
        return self.terms.judged_each(deck, self.zones, self._held, self._broken)

    def _judge_once(self, deck: Deck) -> Iterator[Outcome]:
        """Give one finding, about the cards that the condition found too many of; without any, about those it binds."""
        view = View(deck)
        inside = [slot for slot in deck.slots if slot.zone in self.zones]
        if not inside:
            return
        held = truth(self.that(view.of(inside[0])))
        fits = [(slot, True if self.where is None else truth(self.where(view.of(slot)))) for slot in inside]
        bound = [slot for slot, fit in fits if fit is True]
        perhaps = [fit for _, fit in fits if isinstance(fit, Unknown)]
        if held is True or not (bound or perhaps):
            return
        if isinstance(held, Unknown) or not bound:
            yield self.terms.undecided([held, *([] if bound else perhaps)])
            return
        found = self.describer.culprits(view.of(bound[0])) if self.describer else ()
        few = tuple(bound) if self.where and len({slot.key for slot in bound}) <= MOST_NAMED else ()
        terms = replace(self.terms, due=(*self.terms.due, lambda _: few)) if found else self.terms
        yield self._finding(terms, view, found or few)

    def _held(self, view: View) -> Truth:
        """Say whether `that` holds wherever `where` does."""
        fits = True if self.where is None else truth(self.where(view))
        if fits is False:
            return True
        held = truth(self.that(view))
        return held if fits is True or held is True else unknown(fits, held)

    def _broken(self, view: View) -> Outcome:
        return self._finding(self.terms, view, [view.slot], names_cards=True)

    def _finding(
        self, terms: Terms, view: View, slots: Sequence[Slot], *, names_cards: bool = False
    ) -> Outcome:
        reason = self.describer.why(view, holds=False, names_cards=names_cards) if self.describer else ""
        return terms.finding(
            _words(self.title, reason, self.formula),
            slots=slots,
            view=view,
            have=sum(slot.qty for slot in slots),
            allowed=0,
            reason=reason if self.title else "",
        )


def _words(title: str, reason: str, formula: str) -> str:
    """Return the rule in words; of one without words why it is broken, and the rule itself if that says too little."""
    if title or not reason:
        return title or f"this must hold: `{formula}`"
    return f"{reason} (`{formula}`)" if _BARE_NUMBER.search(reason) else reason


_BARE_NUMBER = re.compile(r"(?:^|; (?:or )?)[^\sa-z]+(?: found)?, ")
"""A number in a reason that does not say what it counts: `24, none allowed`."""
