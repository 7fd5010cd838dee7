"""`[[allow]]` and `[[cover]]`: each item needs a place, and places have limited room.

For `[[allow]]`, the items are cards and the places are permissions; for `[[cover]]`, the items are the things
to cover and the places are cards. Both are solved exactly: as a maximum flow from items to places, by
augmenting paths. If items remain without a place, the full places that they fit prove that no arrangement is
better.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tourney.errors import Severity, TourneyError
from tourney.rules.binding import Binder
from tourney.rules.bounds import PlacedExpression, count_words, number_words
from tourney.rules.expressions.deck import Deck, Evaluator, View, holds
from tourney.rules.expressions.describing import Describer, listed_once
from tourney.rules.expressions.language import About
from tourney.rules.expressions.values import Edge, Slot, Truth, Value, both, contains, edges
from tourney.rules.findings import Assignment, Outcome, Rule, Terms, given_holes
from tourney.rules.format import Format
from tourney.rules.kinds.kind import RuleKind, in_zones, names_no_card
from tourney.rules.vocabulary import Bound, RuleEntry, RuleFile


class AllowFile(RuleFile, frozen=True, kw_only=True):
    """`[[allow]]`: a permission. In a zone that has permissions, every copy needs one.

    where: the condition on the cards that can use it
    max:   the number of copies that can use it
    """

    where: str
    zones: tuple[str, ...] = ()
    max: Bound | None = None


class AllowKind(RuleKind[AllowFile]):
    """The kind of rule `[[allow]]`. All permissions of a format are judged as one rule."""

    word = "allow"
    shape = AllowFile
    position = 3
    named = True
    together = True
    card_keys = ("where",)
    deck_keys = ("max",)

    def warnings(self, entries: Sequence[RuleEntry[AllowFile]], format_: Format) -> Iterator[str]:
        """Yield the usual warnings, and one if some permissions are marked `advice` but not all."""
        yield from super().warnings(entries, format_)
        advice = [entry for entry in entries if entry.rule.severity == "advice"]
        if advice and len(advice) < len(entries):
            place = advice[0].place
            yield f"{place}.severity: `advice` has no effect, because other `[[allow]]` rules are not advice"

    def bind(self, entries: Sequence[RuleEntry[AllowFile]], binder: Binder) -> Iterator[Rule]:
        """Compile all `[[allow]]` permissions into one rule.

        Raises TourneyError if one does not fit the pool.
        """
        permissions = tuple(
            Permission(
                terms=binder.terms(entry, About.CARD),
                name=entry.rule.title or entry.rule.id,
                where=binder.bind(entry.rule.where, f"{entry.place}.where"),
                zones=binder.zones(entry.rule.zones),
                max=binder.bind_optional(entry.rule.max, f"{entry.place}.max", About.DECK),
                describer=binder.describer(entry.rule.where),
            )
            for entry in entries
        )
        terms = binder.terms(entries[0], About.CARD, "allow", message=False)
        severities = {permission.terms.severity for permission in permissions}
        severity = Severity.ERROR if Severity.ERROR in severities else terms.severity
        yield Allow(terms=replace(terms, when=None, severity=severity), permissions=permissions)

    def words(self, rule: AllowFile) -> str:
        """Return in words which cards are allowed, and how many of them."""
        most = f", at most {number_words(rule.max)}" if rule.max is not None else ""
        return f"allowed{in_zones(rule.zones)}: cards with `{rule.where}`{most}"


_UNLIMITED = 10**9
"""A number that is larger than any deck."""

_MOST_REFUSALS = 4
"""The maximum number of permissions that a hint lists with the reason why they do not apply."""


class Permission(Struct, frozen=True, kw_only=True):
    """An `[[allow]]` permission, with its expressions compiled for a card pool.

    max: how many copies can use it; name: its name in messages
    """

    terms: Terms
    name: str
    where: Evaluator
    zones: frozenset[str]
    max: Evaluator | None
    describer: Describer


class _Offer(Struct, frozen=True):
    """A permission as it applies to one deck.

    low, high: how many copies the permission allows: at least `low` and at most `high`. Both are equal if
               the number is certain
    """

    permission: Permission
    applies: Truth
    room: Value
    low: int
    high: int

    @property
    def name(self) -> str:
        return self.permission.name


class Allow(Rule, frozen=True, kw_only=True):
    """All permissions of a format. In a zone that has permissions, every copy needs one."""

    permissions: tuple[Permission, ...]

    def find(self, deck: Deck) -> Iterator[Outcome]:
        """Yield findings for the cards that have no permission, or else the proof that all have one.

        The proof is an `Assignment` of cards to permissions. Yields `Undecided` if the result depends on
        unknown facts.
        """
        offers = [_offer(deck, permission) for permission in self.permissions]
        zones = frozenset().union(*(permission.zones for permission in self.permissions))
        slots = [slot for slot in deck.slots if slot.zone in zones]
        fits = [_fits(deck, slot, offers) for slot in slots]
        amounts = [slot.qty for slot in slots]
        possible = _places(fits, certain=False)
        with_room = [[place for place in row if offers[place].high] for row in possible]
        best = arrange(amounts, with_room, [offer.high for offer in offers])
        if best.unplaced:
            yield from self._refusals(deck, slots, offers, best, possible)
            return
        sure = arrange(amounts, _places(fits, certain=True), [offer.low for offer in offers])
        if sure.unplaced:
            doubts = [offer.room for offer in offers] + [fit for row in fits for fit in row.values()]
            yield self.terms.undecided(doubts, (line for item in sure.unplaced for line in slots[item].lines))
        else:
            yield Assignment(self.terms.id, tuple(_assignment(slots, offers, sure)))

    def _refusals(
        self,
        deck: Deck,
        slots: Sequence[Slot],
        offers: Sequence[_Offer],
        best: Arrangement,
        possible: Sequence[Sequence[int]],
    ) -> Iterator[Outcome]:
        """Yield findings for cards that no permission allows, and for more copies than are allowed.

        possible: for each card, the indexes of all permissions that it fits or may fit, including
                  permissions that allow 0 copies in this deck
        """
        used_room = [sum(row.get(place, 0) for row in best.placed.values()) for place in range(len(offers))]
        with_room = [
            offer
            for offer, number in zip(offers, used_room, strict=True)
            if offer.applies is not False and offer.high > number
        ]
        for shortage in best.shortages:
            if shortage.places:
                rivals = [slots[item] for item in shortage.items]
                yield self._too_many(deck, rivals, [offers[place] for place in shortage.places])
                continue
            for item in shortage.items:
                full = [offers[place] for place in possible[item]]
                yield self._not_allowed(deck, slots[item], full, with_room)

    def _not_allowed(self, deck: Deck, slot: Slot, full: list[_Offer], with_room: list[_Offer]) -> Outcome:
        """Return the finding for a card that no permission allows.

        The finding says why each permission that is not used up does not fit the card.
        """
        message = "no rule allows it in this deck"
        if full:
            names = listed_once((offer.name for offer in full), "or")
            message = f"only {names} would allow it, but other cards of this deck use that up"
        view = View(deck).of(slot)
        offers_here = [offer for offer in with_room if slot.zone in offer.permission.zones]
        reasons = [
            (offer.name, offer.permission.describer.explain(view, holds=False)) for offer in offers_here
        ]
        refusals = [f"{name}: {reason.replace('; ', ' and ')}" for name, reason in reasons if reason]
        more = f"; and {len(refusals) - _MOST_REFUSALS} more" if len(refusals) > _MOST_REFUSALS else ""
        hint = f"not allowed as {'; '.join(refusals[:_MOST_REFUSALS])}{more}" if refusals else None
        terms = self._with_message([*full, *offers_here], is_count=False)
        return terms.finding(message, slots=[slot], view=view, have=slot.qty, allowed=0, hint=hint)

    def _too_many(self, deck: Deck, rivals: list[Slot], offers: list[_Offer]) -> Outcome:
        copies = sum(slot.qty for slot in rivals)
        room = sum(offer.high for offer in offers)
        names = listed_once(offer.name for offer in offers)
        verb = "allows" if len(offers) == 1 else "allow"
        cites = [offer.permission.terms.cite for offer in offers if offer.permission.terms.cite]
        return self._with_message(offers, is_count=True).finding(
            f"{count_words(copies, 'copy')} need {names}, which {verb} only {room}",
            slots=rivals,
            view=View(deck).of(rivals[0]),
            have=copies,
            allowed=room,
            hint="; ".join(cites) or None,
        )

    def _with_message(self, offers: Iterable[_Offer], *, is_count: bool) -> Terms:
        """Return the rule's `Terms`, with its message replaced by that of a permission.

        This is the first permission in `offers` that has a message that suits the finding. If no permission
        has one, the terms are returned unchanged.

        is_count: whether the finding is about too many copies. If false, messages with `{have}` or
                  `{allowed}` do not suit it
        """
        for terms in (offer.permission.terms for offer in offers):
            if terms.message is not None and (
                is_count or not given_holes(terms.message) & {"have", "allowed"}
            ):
                return replace(self.terms, message=terms.message, holes=terms.holes)
        return self.terms


def _offer(deck: Deck, permission: Permission) -> _Offer:
    view = View(deck)
    applies = holds(permission.terms.when, view)
    room = permission.max(view) if permission.max else _UNLIMITED
    low, high = edges(room) or (_UNLIMITED, _UNLIMITED)
    return _Offer(permission, applies, room, _copies(low), _copies(high))


def _copies(edge: Edge) -> int:
    return math.floor(max(0, min(_UNLIMITED, edge)))


def _fits(deck: Deck, slot: Slot, offers: Sequence[_Offer]) -> dict[int, Truth]:
    """Return index of a permission → whether it allows the card.

    Leaves out the permissions that are not for the card's zone, or do not apply to the deck.
    """
    row: dict[int, Truth] = {}
    view = View(deck).of(slot)
    for number, offer in enumerate(offers):
        if offer.applies is not False and slot.zone in offer.permission.zones:
            row[number] = both(offer.applies, holds(offer.permission.where, view))
    return row


def _assignment(slots: Sequence[Slot], offers: Sequence[_Offer], best: Arrangement) -> Iterator[str]:
    for number, offer in enumerate(offers):
        used_slots = [
            (slots[item], row[number]) for item, row in sorted(best.placed.items()) if row.get(number)
        ]
        if used_slots:
            total = sum(amount for _, amount in used_slots)
            room = "" if offer.high >= _UNLIMITED else f" of {offer.high}"
            cards = ", ".join(f"{amount} {slot.name}" for slot, amount in used_slots)
            yield f"{offer.name}: {total}{room}: {cards}"


# -- coverings


class CoverFile(RuleFile, frozen=True, kw_only=True):
    """`[[cover]]`: a deck needs a separate card for each of several things, such as elements.

    each: the things: a list of words, or for each word the condition on the card that covers it
    by:   the attribute with the words that a card can cover, such as `type`. It is needed if `each` is a
          list of words, and not allowed otherwise
    """

    each: tuple[str, ...] | dict[str, str]
    by: str | None = None
    where: str | None = None
    zones: tuple[str, ...] = ()


class CoverKind(RuleKind[CoverFile]):
    """The kind of rule `[[cover]]`: the deck needs a separate card for each of several things.

    For example, it needs five cards, one for each of five elements.
    """

    word = "cover"
    shape = CoverFile
    position = 4
    named = True
    card_keys = ("where", "by")

    def normalize(self, rule: CoverFile, place: str) -> CoverFile:
        """Check the `[[cover]]` rule, and return it unchanged.

        Raises TourneyError if `each` is a list of words and `by` is missing, or if `each` gives conditions
        and `by` is set, too.
        """
        is_words = isinstance(rule.each, tuple)
        if is_words and rule.by is None:
            raise TourneyError(f"{place}: `by` is missing: which of {', '.join(rule.each)} can a card cover?")
        if not is_words and rule.by is not None:
            raise TourneyError(f"{place}: `by` cannot be used if `each` gives conditions")
        return rule

    def expressions(self, entry: RuleEntry[CoverFile]) -> Iterator[PlacedExpression]:
        """Yield the rule's expressions. If `each` is a table of conditions, they are included."""
        yield from super().expressions(entry)
        things = entry.rule.each
        for word, condition in things.items() if isinstance(things, dict) else ():
            yield PlacedExpression(condition, f"{entry.place}.each.{word}")

    def warnings(self, entries: Sequence[RuleEntry[CoverFile]], format_: Format) -> Iterator[str]:
        """Yield the usual warnings, and one if the message of a `[[cover]]` rule refers to a card.

        Such a rule finds things that no card covers. So there is no card to which its message could refer.
        """
        for entry in entries:
            if not names_no_card(entry.rule.message, format_):
                yield (
                    f"{entry.place}.message: the text uses facts of a card, "
                    "but the finding of this rule is not about a card"
                )
        yield from super().warnings(entries, format_)

    def bind_one(self, entry: RuleEntry[CoverFile], binder: Binder) -> Rule:
        """Compile a `[[cover]]` rule for a card pool.

        Raises TourneyError if it does not fit the pool.
        """
        rule, place = entry.rule, entry.place
        if isinstance(rule.each, dict):
            things = {word: binder.bind(text, f"{place}.each.{word}") for word, text in rule.each.items()}
        else:
            covers = binder.bind(rule.by or "name", f"{place}.by")
            things = {word: _covers(word, covers) for word in rule.each}
        return Cover(
            terms=binder.terms(entry, About.DECK, message=names_no_card(rule.message, binder.format)),
            where=binder.bind_optional(rule.where, f"{place}.where"),
            zones=binder.zones(rule.zones),
            things=tuple(things.items()),
        )

    def words(self, rule: CoverFile) -> str:
        """Return the rule in words, such as "a card of its own for each of fire, water, by `type`"."""
        things: Iterable[str] = rule.each
        if isinstance(rule.each, dict):
            things = [f"{word} (`{text}`)" for word, text in rule.each.items()]
        by = f", by `{rule.by}`" if rule.by else ""
        return f"a separate card{in_zones(rule.zones)} for each of {', '.join(things)}{by}"


def _covers(word: str, covers: Evaluator) -> Evaluator:
    return lambda view: contains(word, covers(view))


class Cover(Rule, frozen=True, kw_only=True):
    """A `[[cover]]` rule: several things that each need a separate card.

    things: pairs of the word for a thing and the condition on the cards that can cover it
    """

    where: Evaluator | None
    zones: frozenset[str]
    things: tuple[tuple[str, Evaluator], ...]

    def find(self, deck: Deck) -> Iterator[Outcome]:
        """Check that the deck has a separate card for each word in `each`, such as `fire`.

        Yields a finding that names the words for which no card is left, or else the proof: an `Assignment`
        with the card for each word. Yields `Undecided` if the result depends on unknown facts.
        """
        slots = [slot for slot in deck.slots if slot.zone in self.zones]
        fits = [
            {place: self._fits(deck, slot, condition) for place, slot in enumerate(slots)}
            for _, condition in self.things
        ]
        amounts, room = [1] * len(self.things), [slot.qty for slot in slots]
        best = arrange(amounts, _places(fits, certain=False), room)
        if best.unplaced:
            yield self._finding(deck, [self.things[item][0] for item in best.unplaced], slots)
            return
        sure = arrange(amounts, _places(fits, certain=True), room)
        if sure.unplaced:
            yield self.terms.undecided(fit for row in fits for fit in row.values())
        else:
            cards = {item: slots[next(iter(row))].name for item, row in sorted(sure.placed.items())}
            lines = (f"{self.things[item][0]}: {card}" for item, card in cards.items())
            yield Assignment(self.terms.id, tuple(lines))

    def _fits(self, deck: Deck, slot: Slot, condition: Evaluator) -> Truth:
        view = View(deck).of(slot)
        return both(holds(self.where, view), holds(condition, view))

    def _finding(self, deck: Deck, words: list[str], slots: list[Slot]) -> Outcome:
        things = listed_once(word for word, _ in self.things)
        return self.terms.finding(
            f"no card is left for {listed_once(words)}: {things} need a card each",
            slots=slots,
            subjects=words,
            view=View(deck),
            have=len(self.things) - len(words),
            allowed=len(self.things),
        )


def _places(fits: Sequence[Mapping[int, Truth]], *, certain: bool) -> list[list[int]]:
    """Return, for each item, the indexes of the places that it fits.

    The places are permissions for the cards of a deck, or the cards for the things of a `[[cover]]` rule.

    certain: whether to leave out the places for which it is unknown whether the item fits
    """
    return [
        [place for place, fit in row.items() if fit is True or not (certain or fit is False)] for row in fits
    ]


# -- arranging items in places of limited size


class Shortage(Struct, frozen=True):
    """Items that fit only in `places`, which do not have enough room for all of them.

    Items and places are indexes; see `arrange`.
    """

    items: tuple[int, ...]
    places: tuple[int, ...]


class Arrangement(Struct, frozen=True):
    """The copies of items that `arrange` assigned to places, and the copies left over.

    Items and places are given by their indexes. No other assignment leaves fewer copies over.

    placed:    item → place → the number of copies assigned to this place
    unplaced:  item → the number of copies left over
    shortages: why copies are left over; for an item that fits no place, a `Shortage` with no places
    """

    placed: Mapping[int, Mapping[int, int]]
    unplaced: Mapping[int, int]
    shortages: tuple[Shortage, ...]


def arrange(amounts: Sequence[int], fits: Sequence[Sequence[int]], room: Sequence[int]) -> Arrangement:
    """Assign as many copies of items as possible to places that have room for them.

    For example, the items are the cards of a deck, and the places are the permissions of its format. Items
    and places are given as indexes, from 0. If there is too little room, earlier items and earlier places
    take precedence.

    amounts: the copies of each item
    fits:    the places that each item fits
    room:    the number of copies that each place has room for
    """
    network = _Network(fits, room)
    unplaced_items = {}
    for item, amount in enumerate(amounts):
        remaining = amount
        while remaining and (moved_copies := network.place(item, remaining)):
            remaining -= moved_copies
        if remaining:
            unplaced_items[item] = remaining
    return Arrangement(network.placed, unplaced_items, tuple(network.shortages(unplaced_items)))


class _Network:
    """Computes the assignment of items to places (see `arrange`) as a maximum flow.

    placed: the assignment so far: item → place → copies
    guests: the same assignment by place: place → item → copies
    """

    def __init__(self, fits: Sequence[Sequence[int]], room: Sequence[int]) -> None:
        self.fits = fits
        self.room = list(room)
        self.placed: dict[int, dict[int, int]] = {}
        self.guests: dict[int, dict[int, int]] = {}

    def place(self, item: int, amount: int) -> int:
        """Assign copies of `item` to a place that it fits, if necessary by moving other items.

        Returns the number of copies that were assigned, which can be less than `amount`; 0 if there is no
        room.
        """
        taker: dict[int, int] = {}  # place → the item that would take it
        places_left: dict[int, int] = {}  # item → the place that it would leave
        queue = [item]
        for current in queue:
            for place in self.fits[current]:
                if place in taker:
                    continue
                taker[place] = current
                if self.room[place]:
                    return self._move(item, place, amount, taker, places_left)
                for guest in self.guests.get(place, ()):
                    if guest != item and guest not in places_left:
                        places_left[guest] = place
                        queue.append(guest)
        return 0

    def _move(
        self, item: int, place: int, amount: int, taker: Mapping[int, int], places_left: Mapping[int, int]
    ) -> int:
        """Assign copies of `item` to a place, if necessary by moving copies of other items.

        If `item` does not fit `place`, the moves form a chain: `item` goes to the place that a second item
        leaves, the second item to the place that a third item leaves, and so on. The last item in the chain
        goes to `place`, which has room. The same number of copies moves at each step. Returns
        this number, which is at most `amount`.

        taker:       place → the item that would move to it
        places_left: item → the place that it would move away from
        """
        path = [(taker[place], place)]
        while path[-1][0] != item:
            freed_place = places_left[path[-1][0]]
            path.append((taker[freed_place], freed_place))
        amount = min(amount, self.room[place])
        amount = min([amount, *(self.placed[mover][places_left[mover]] for mover, _ in path[:-1])])
        for mover, target in path:
            self._change(mover, target, amount)
            if mover != item:
                self._change(mover, places_left[mover], -amount)
        self.room[place] -= amount
        return amount

    def _change(self, item: int, place: int, amount: int) -> None:
        for table, first, second in ((self.placed, item, place), (self.guests, place, item)):
            row = table.setdefault(first, {})
            row[second] = row.get(second, 0) + amount
            if not row[second]:
                del row[second]

    def shortages(self, unplaced_items: Iterable[int]) -> Iterator[Shortage]:
        """Yield the reasons why copies are left over.

        Items that compete for the same places are in one `Shortage`.
        """
        groups: list[tuple[set[int], set[int]]] = []
        for item in unplaced_items:
            items, places = self._reachable(item)
            for group in [group for group in groups if group[1] & places]:
                groups.remove(group)
                items |= group[0]
                places |= group[1]
            groups.append((items, places))
        for items, places in groups:
            yield Shortage(tuple(sorted(items)), tuple(sorted(places)))

    def _reachable(self, item: int) -> tuple[set[int], set[int]]:
        """Return the items and the places that a chain of moves can reach, beginning with `item`.

        The item could take a place that it fits, an item there could move to another place, and so on.
        """
        items, places = {item}, set()
        queue = [item]
        for current in queue:
            for place in self.fits[current]:
                if place not in places:
                    places.add(place)
                    guests = sorted(set(self.guests.get(place, ())) - items)
                    items.update(guests)
                    queue.extend(guests)
        return items, places
