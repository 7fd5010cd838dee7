"""`[[allow]]` and `[[cover]]`: who takes which place, solved exactly.

Copies on one side, places of limited size on the other: a maximum flow in a bipartite network by augmenting paths; the
numbers are those of a decklist. What remains unplaced comes with the set of places that it and its rivals fill: the
proof that there is no better arrangement.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from tourney.errors import Severity, TourneyError
from tourney.rules.expressions import About, Scope, Truth, Value, truth
from tourney.rules.expressions.deck import Deck, Evaluator, View
from tourney.rules.expressions.describing import Describer, listed_once
from tourney.rules.expressions.slot import Slot
from tourney.rules.expressions.values import Edge, contains, edges, unknown
from tourney.rules.kinds.kind import (
    Assignment,
    Composer,
    Outcome,
    PlacedExpression,
    Rule,
    RuleKind,
    Terms,
    asks_the_deck,
    copies,
    given,
    number_words,
)
from tourney.rules.vocabulary import Bound, Placed, Ruled

if TYPE_CHECKING:
    from tourney.rules.loading import Format


class AllowFile(Ruled, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[[allow]]`: a permission. Where a format has any, every copy in their zones must use one.

    A permission that fits several cards lends itself to at most `max` copies; a card that fits several takes
    whichever leaves the others enough: solved exactly.
    """

    where: str
    zones: tuple[str, ...] = ()
    max: Bound | None = None


class AllowKind(RuleKind[AllowFile]):
    """Permissions; where there is any, every copy in its zones needs one."""

    word = "allow"
    shape = AllowFile
    named = True
    together = True
    sketch = """\
# -- permissions and coverings, solved exactly -------------------------------------------------------------------

# [[allow]]                              # where there is any, every copy in its zones needs one
# id    = "own class"
# zones = ["deck"]
# where = "class == leader.class"
# [[allow]]
# id    = "splash"
# zones = ["deck"]
# where = "level == 0"
# max   = 5                              # for at most five copies"""

    def expressions(self, placed: Placed[AllowFile], card: Scope, deck: Scope) -> Iterator[PlacedExpression]:
        """Give which cards it fits, and how many copies may use it."""
        yield PlacedExpression(placed.rule.where, f"{placed.place}.where", card)
        yield PlacedExpression(placed.rule.max, f"{placed.place}.max", deck)

    def idle(self, placed: Sequence[Placed[AllowFile]], format_: Format) -> Iterator[str]:
        """Say, too, which permission is called advice and is none, because others are not."""
        yield from super().idle(placed, format_)
        advice = [each for each in placed if each.rule.severity == "advice"]
        if advice and len(advice) < len(placed):
            yield f"{advice[0].place}.severity: all `[[allow]]` are one rule, and the others are not advice"

    def bind(self, placed: Sequence[Placed[AllowFile]], composer: Composer) -> Iterator[Rule]:
        """Give all permissions as one rule."""
        permissions = tuple(
            Permission(
                terms=composer.terms(each, About.CARD),
                name=each.rule.title or each.rule.id,
                where=composer.expressions.bind(each.rule.where, f"{each.place}.where"),
                zones=composer.zones(each.rule.zones),
                most=composer.expressions.bind_optional(each.rule.max, f"{each.place}.max", About.DECK),
                describer=composer.expressions.describer(each.rule.where),
            )
            for each in placed
        )
        first = composer.terms(placed[0], About.CARD, "allow", message=False)
        severities = {permission.terms.severity for permission in permissions}
        severity = Severity.ERROR if Severity.ERROR in severities else first.severity
        yield Allow(terms=replace(first, when=None, severity=severity), permissions=permissions)

    def words(self, rule: AllowFile) -> str:
        """Say which cards are allowed, in which zones, and how many."""
        zones = f" in {' and '.join(rule.zones)}" if rule.zones else ""
        return f"allowed{zones}: cards with `{rule.where}`" + (
            f", at most {number_words(rule.max)}" if rule.max is not None else ""
        )


# -- [[allow]]: every copy needs a permission, and permissions are limited. Solved exactly, the assignment is the proof


_UNLIMITED = 10**9
"""Room enough for any deck: lists have far fewer cards."""
_MOST_ASKED = 4
"""Permissions that a card that has none is held against in its message."""


class Permission(msgspec.Struct, frozen=True, kw_only=True):
    """One `[[allow]]`, bound. most: how many copies may use it; name: what it is called in messages."""

    terms: Terms
    name: str
    where: Evaluator
    zones: frozenset[str]
    most: Evaluator | None
    describer: Describer | None = None


class _Offer(msgspec.Struct, frozen=True):
    """A permission in this deck: whether it applies, its room, and the least and the most that this may be."""

    permission: Permission
    applies: Truth
    room: Value
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
        offers = [self._offer(deck, permission) for permission in self.permissions]
        zones = frozenset().union(*(permission.zones for permission in self.permissions))
        slots = [slot for slot in deck.slots if slot.zone in zones]
        fits = [self._fits(deck, slot, offers) for slot in slots]
        amounts = [slot.qty for slot in slots]
        possible = [[n for n, may in row if may is not False] for row in fits]
        with_room = [[n for n in row if offers[n].high] for row in possible]
        best = arrange(amounts, with_room, [o.high for o in offers])
        if best.unplaced:
            yield from self._refused(deck, slots, offers, best, possible)
            return
        sure = arrange(
            amounts, [[n for n, may in row if may is True] for row in fits], [o.low for o in offers]
        )
        if sure.unplaced:
            doubts = [offer.room for offer in offers] + [may for row in fits for _, may in row]
            yield self.terms.undecided(doubts, (n for item in sure.unplaced for n in slots[item].lines))
        else:
            yield Assignment(self.terms.id, tuple(_assignment(slots, offers, sure)))

    def _offer(self, deck: Deck, permission: Permission) -> _Offer:
        applies = True if permission.terms.when is None else truth(permission.terms.when(View(deck)))
        room = permission.most(View(deck)) if permission.most else _UNLIMITED
        low, high = edges(room) or (_UNLIMITED, _UNLIMITED)
        return _Offer(permission, applies, room, _whole(low), _whole(high))

    def _fits(self, deck: Deck, slot: Slot, offers: Sequence[_Offer]) -> list[tuple[int, Truth]]:
        row: list[tuple[int, Truth]] = []
        view = View(deck).of(slot)
        for number, offer in enumerate(offers):
            if offer.applies is False or slot.zone not in offer.permission.zones:
                continue
            may = truth(offer.permission.where(view))
            row.append(
                (number, may if may is False or offer.applies is True else unknown(offer.applies, may))
            )
        return row

    def _refused(
        self,
        deck: Deck,
        slots: Sequence[Slot],
        offers: Sequence[_Offer],
        best: Arrangement,
        possible: Sequence[Sequence[int]],
    ) -> Iterator[Outcome]:
        """Tell which cards find no permission at all, and which together want too much of some.

        A permission that is asleep or has no room left is none that a player could use, and is not told of.
        possible: for each slot the permissions that might be for it, room or not
        """
        used = [sum(row.get(place, 0) for row in best.placed.values()) for place in range(len(offers))]
        open_ = [
            offer
            for offer, taken in zip(offers, used, strict=True)
            if offer.applies is not False and offer.high > taken
        ]
        for shortage in best.shortages:
            rivals = [slots[item] for item in shortage.items]
            if shortage.places:
                yield self._too_many(deck, rivals, [offers[place] for place in shortage.places])
                continue
            for item in shortage.items:
                yield self._unallowed(deck, slots[item], [offers[place] for place in possible[item]], open_)

    def _unallowed(self, deck: Deck, slot: Slot, without: list[_Offer], open_: list[_Offer]) -> Outcome:
        """Say that nothing allows a card, and what each permission with room would ask of it."""
        message = "nothing allows it in this deck"
        if without:
            message = f"only {listed_once((offer.permission.name for offer in without), 'or')} would allow it, and this deck has no room for that"
        view = View(deck).of(slot)
        refusals = [
            f"{offer.permission.name}: {why.replace('; ', ' and ')}"
            for offer in open_
            if slot.zone in offer.permission.zones
            and offer.permission.describer
            and (why := offer.permission.describer.why(view, holds=False))
        ]
        more = f"; and {len(refusals) - _MOST_ASKED} more" if len(refusals) > _MOST_ASKED else ""
        hint = f"not allowed as {'; '.join(refusals[:_MOST_ASKED])}{more}" if refusals else None
        here = [*without, *(offer for offer in open_ if slot.zone in offer.permission.zones)]
        return self._worded(here, of_numbers=False).finding(
            message, slots=[slot], view=view, have=slot.qty, allowed=0, hint=hint
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
        needed = sum(slot.qty for slot in rivals)
        allowed = sum(offer.high for offer in offers)
        named = listed_once(offer.permission.name for offer in offers)
        message = (
            f"{copies(needed, 'copy')} need {named}, which allow{'s' if len(offers) == 1 else ''} {allowed}"
        )
        cites = [offer.permission.terms.cite for offer in offers if offer.permission.terms.cite]
        return self._worded(offers, of_numbers=True).finding(
            message,
            slots=rivals,
            view=View(deck).of(rivals[0]),
            have=needed,
            allowed=allowed,
            hint="; ".join(cites) or None,
        )


def _whole(edge: Edge) -> int:
    """Return the room that an edge means: whole copies, none below 0."""
    return math.floor(max(0, min(_UNLIMITED, edge)))


def _assignment(slots: Sequence[Slot], offers: Sequence[_Offer], best: Arrangement) -> Iterator[str]:
    for number, offer in enumerate(offers):
        used = [(slots[item], row[number]) for item, row in sorted(best.placed.items()) if row.get(number)]
        if used:
            total = sum(amount for _, amount in used)
            room = "" if offer.high >= _UNLIMITED else f" of {offer.high}"
            cards = ", ".join(f"{amount} {slot.name}" for slot, amount in used)
            yield f"{offer.permission.name}: {total}{room}: {cards}"


# -- [[cover]]: each of several things needs a card of its own: five elements over five provinces. A matching


class CoverFile(Ruled, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[[cover]]`: each of several things needs a card of its own.

    each: what must be covered: words (then `by` says which of them a card can cover), or a condition for each word
    """

    each: tuple[str, ...] | dict[str, str]
    by: str | None = None
    where: str | None = None
    zones: tuple[str, ...] = ()


class CoverKind(RuleKind[CoverFile]):
    """Things of which each needs a card of its own."""

    word = "cover"
    shape = CoverFile
    named = True
    sketch = """\
# [[cover]]
# id    = "elements"                     # each needs a card of its own
# zones = ["provinces"]
# each  = ["air", "earth", "fire"]
# by    = "elements"                     # the attribute that says what a card can cover
"""

    def plain(self, rule: CoverFile, place: str) -> CoverFile:
        """Return the rule. Raises TourneyError where `by` is missing, or has nothing to say."""
        words = isinstance(rule.each, tuple)
        if words and rule.by is None:
            raise TourneyError(f"{place}: `by` is missing: which of {', '.join(rule.each)} can a card cover?")
        if not words and rule.by is not None:
            raise TourneyError(f"{place}: `by` has nothing to say where `each` gives conditions")
        return rule

    def expressions(self, placed: Placed[CoverFile], card: Scope, _deck: Scope) -> Iterator[PlacedExpression]:
        """Give which cards count, and what each can cover."""
        rule, place = placed.rule, placed.place
        yield PlacedExpression(rule.where, f"{place}.where", card)
        yield PlacedExpression(rule.by, f"{place}.by", card)
        conditions = rule.each if isinstance(rule.each, dict) else {}
        for word, condition in conditions.items():
            yield PlacedExpression(condition, f"{place}.each.{word}", card)

    def idle(self, placed: Sequence[Placed[CoverFile]], format_: Format) -> Iterator[str]:
        """Say, too, which message asks a card for something."""
        for each in placed:
            if not asks_the_deck(each.rule.message, format_.of_the_deck):
                yield f"{each.place}.message: it asks a card for something, but what is missing is not a card"
        yield from super().idle(placed, format_)

    def bind(self, placed: Sequence[Placed[CoverFile]], composer: Composer) -> Iterator[Rule]:
        """Give each list of what must be covered as a rule of its own. Raises TourneyError."""
        return (self._bound(each, composer) for each in placed)

    @staticmethod
    def _bound(placed: Placed[CoverFile], composer: Composer) -> Rule:
        rule, place = placed.rule, placed.place
        if isinstance(rule.each, dict):
            each = tuple((w, composer.expressions.bind(t, f"{place}.each.{w}")) for w, t in rule.each.items())
        else:
            covers = composer.expressions.bind(rule.by or "name", f"{place}.by")
            each = tuple((word, _covering(word, covers)) for word in rule.each)
        return Cover(
            terms=composer.terms(
                placed, About.DECK, message=asks_the_deck(rule.message, composer.format.of_the_deck)
            ),
            where=composer.expressions.bind_optional(rule.where, f"{place}.where"),
            zones=composer.zones(rule.zones),
            each=each,
        )

    def words(self, rule: CoverFile) -> str:
        """Say for each of what there must be a card of its own."""
        zones = f" in {' and '.join(rule.zones)}" if rule.zones else ""
        words = (
            rule.each
            if isinstance(rule.each, tuple)
            else tuple(f"{word} (`{text}`)" for word, text in rule.each.items())
        )
        by = f", by `{rule.by}`" if rule.by else ""
        return f"a card of its own{zones} for each of {', '.join(words)}{by}"


def _covering(word: str, covers: Evaluator) -> Evaluator:
    return lambda view: contains(word, covers(view))


class Cover(msgspec.Struct, frozen=True, kw_only=True):
    """What must be covered. each: word → the condition a card must meet to cover it."""

    terms: Terms
    where: Evaluator | None
    zones: frozenset[str]
    each: tuple[tuple[str, Evaluator], ...]

    def judge(self, deck: Deck) -> Iterator[Outcome]:
        """Give the matching as proof, or a finding that names what is left uncovered."""
        return self.terms.judged(deck, self._judge)

    def _judge(self, deck: Deck) -> Iterator[Outcome]:
        slots = [slot for slot in deck.slots if slot.zone in self.zones]
        fits = [[self._covers(deck, slot, condition) for slot in slots] for _, condition in self.each]
        amounts = [1] * len(self.each)
        room = [slot.qty for slot in slots]
        best = arrange(amounts, [[n for n, may in enumerate(row) if may is not False] for row in fits], room)
        if best.unplaced:
            yield self._uncovered(deck, [self.each[word][0] for word in best.unplaced], slots)
            return
        sure = arrange(amounts, [[n for n, may in enumerate(row) if may is True] for row in fits], room)
        if sure.unplaced:
            yield self.terms.undecided(may for row in fits for may in row)
        else:
            yield Assignment(
                self.terms.id,
                tuple(
                    f"{self.each[word][0]}: {slots[next(iter(row))].name}"
                    for word, row in sorted(sure.placed.items())
                ),
            )

    def _covers(self, deck: Deck, slot: Slot, condition: Evaluator) -> Truth:
        view = View(deck).of(slot)
        counts = True if self.where is None else truth(self.where(view))
        if counts is False:
            return False
        fits = truth(condition(view))
        return fits if counts is True or fits is False else unknown(counts, fits)

    def _uncovered(self, deck: Deck, words: list[str], slots: list[Slot]) -> Outcome:
        message = f"no card is left for {listed_once(words)}: {listed_once(word for word, _ in self.each)} need a card each"
        return self.terms.finding(
            message,
            slots=slots,
            subjects=tuple(words),
            view=View(deck),
            have=len(self.each) - len(words),
            allowed=len(self.each),
        )


# -- Who takes which place: copies on one side, places of limited size on the other, solved exactly


class Arrangement(msgspec.Struct, frozen=True):
    """The best arrangement.

    placed:    item → place → how many
    unplaced:  item → how many found no place
    shortages: for the unplaced, which items compete for which full places (no places: none would take the item)
    """

    placed: Mapping[int, Mapping[int, int]]
    unplaced: Mapping[int, int]
    shortages: tuple[Shortage, ...]


class Shortage(msgspec.Struct, frozen=True):
    """Items that fit nowhere but in these places, and together are more than these have room for."""

    items: tuple[int, ...]
    places: tuple[int, ...]


def arrange(amounts: Sequence[int], fits: Sequence[Sequence[int]], room: Sequence[int]) -> Arrangement:
    """Place as many as possible. amounts: of each item; fits: the places each item may take; room: of each place.

    The same input gives the same arrangement: earlier items and earlier places go first.
    """
    network = _Network(fits, room)
    unplaced = {}
    for item, amount in enumerate(amounts):
        left = amount
        while left and (moved := network.place(item, left)):
            left -= moved
        if left:
            unplaced[item] = left
    return Arrangement(network.placed, unplaced, tuple(network.shortages(unplaced)))


class _Network:
    def __init__(self, fits: Sequence[Sequence[int]], room: Sequence[int]) -> None:
        self.fits = fits
        self.room = list(room)
        self.placed: dict[int, dict[int, int]] = {}
        self.guests: dict[int, dict[int, int]] = {}

    def place(self, item: int, number: int) -> int:
        """Find room for some of `item`, moving others where that helps; return how many found room, 0 if none."""
        came: dict[int, int] = {}
        seen = {item}
        waiting = [item]
        for one in waiting:
            for place in self.fits[one]:
                if place in came:
                    continue
                came[place] = one
                if self.room[place]:
                    return self._move(item, place, came, number)
                rivals = [guest for guest in self.guests.get(place, ()) if guest not in seen]
                seen.update(rivals)
                waiting.extend(rivals)
                for guest in rivals:
                    came[-1 - guest] = place
        return 0

    def _move(self, item: int, place: int, came: Mapping[int, int], number: int) -> int:
        # Each item of the path takes one place and, but for the first, leaves one.
        steps: list[tuple[int, int]] = []
        amount = min(number, self.room[place])
        one = came[place]
        end = place
        while True:
            steps.append((one, place))
            if one == item:
                break
            place = came[-1 - one]
            amount = min(amount, self.placed[one][place])
            steps.append((one, -1 - place))
            one = came[place]
        for one, where in steps:
            self._change(one, where if where >= 0 else -1 - where, amount if where >= 0 else -amount)
        self.room[end] -= amount
        return amount

    def _change(self, item: int, place: int, amount: int) -> None:
        for table, first, second in ((self.placed, item, place), (self.guests, place, item)):
            row = table.setdefault(first, {})
            row[second] = row.get(second, 0) + amount
            if not row[second]:
                del row[second]

    def shortages(self, unplaced: Iterable[int]) -> Iterator[Shortage]:
        """Put the unplaced together where they want the same places."""
        found: list[tuple[set[int], set[int]]] = []
        for item in unplaced:
            items, places = self._reachable(item)
            for other in [other for other in found if other[1] & places]:
                found.remove(other)
                items |= other[0]
                places |= other[1]
            found.append((items, places))
        for items, places in found:
            yield Shortage(tuple(sorted(items)), tuple(sorted(places)))

    def _reachable(self, item: int) -> tuple[set[int], set[int]]:
        """Return the full places an item could take, who sits in them, where else those could sit, and so on."""
        items, places = {item}, set()
        waiting = [item]
        for one in waiting:
            for place in self.fits[one]:
                if place not in places:
                    places.add(place)
                    new = sorted(set(self.guests.get(place, ())) - items)
                    items.update(new)
                    waiting.extend(new)
        return items, places
