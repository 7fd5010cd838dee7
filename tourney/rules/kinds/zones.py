"""The parts of a list: `[[zone]]` and `[leader]` say how many cards and which, `[kit]` exactly what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from tourney.cards.names import FoldedName, fold
from tourney.errors import TourneyError
from tourney.rules.expressions import About, Scope, Unknown, Value, truth
from tourney.rules.expressions.deck import Deck, Evaluator, View
from tourney.rules.expressions.describing import Describer, listed_once
from tourney.rules.expressions.slot import Slot
from tourney.rules.expressions.values import at_most
from tourney.rules.kinds.kind import (
    Bounds,
    Broken,
    Composer,
    Outcome,
    PlacedExpression,
    Rule,
    RuleKind,
    Terms,
    asks_the_deck,
    check_bounds,
    copies,
    given,
)
from tourney.rules.vocabulary import FormatFile, LeaderFile, Placed, Ruled, SizeFile, ZoneFile

if TYPE_CHECKING:
    from tourney.rules.loading import Format

_SIZE = "size"
WRONG_ZONE = "wrong-zone"
"""The ids of a zone's rules, printed at the end of their findings."""


# -- Zones and the leader as they are written


def plain_zones(
    file: FormatFile, base: Format | None, source: str
) -> tuple[tuple[Placed[ZoneFile], ...], Placed[LeaderFile] | None]:
    """Return the zones a file declares, the leader's own among them, and its leader. Raises TourneyError."""
    origin = file.format.id
    zones = [
        Placed(_plain_zone(zone, f"{source}: zone[{number}]"), origin, f"{source}: zone[{number}]")
        for number, zone in enumerate(file.zone)
    ]
    no_doubles([(placed.rule.id, placed.place) for placed in zones], "zone")
    leader = Placed(file.leader, origin, f"{source}: leader") if file.leader else None
    if leader:
        zones = _with_leader(zones, leader, base)
    if not zones and base is None:
        zones = [Placed(ZoneFile(id="deck", default=True), origin, f"{source}: zone")]
    defaults = [placed for placed in zones if placed.rule.default]
    if len(defaults) > 1:
        raise TourneyError(
            f"{defaults[1].place}.default: `{defaults[0].rule.id}` is the default zone already"
        )
    return tuple(zones), leader


def _with_leader(
    zones: list[Placed[ZoneFile]], leader: Placed[LeaderFile], base: Format | None
) -> list[Placed[ZoneFile]]:
    """Add the leader's zone, or add to it what the leader says of it; the zone's own word goes first."""
    rule, stated = leader.rule, _stated(leader.rule, _LEADER_KEYS)
    inherited = tuple(base.zones) if base else ()
    declared = next((placed for placed in (*zones, *inherited) if placed.rule.id == rule.zone), None)
    if declared is None:
        zone = ZoneFile(
            id=rule.zone,
            name=rule.noun,
            size=1 if rule.size is None else rule.size,
            holds=rule.holds,
            optional=rule.optional,
            headers=rule.headers,
            **stated,
        )
        return [*zones, Placed(_plain_zone(zone, leader.place), leader.origin, leader.place)]
    if rule.size is not None or rule.holds is not None or rule.headers or rule.optional:
        raise TourneyError(
            f"{leader.place}: `size`, `holds`, `headers` and `optional` belong to the zone `{rule.zone}`, which is declared"
        )
    stated = {key: value for key, value in stated.items() if key not in _stated(declared.rule, _LEADER_KEYS)}
    if not stated:
        return zones
    whole = replace(declared.rule, **stated)
    if declared in zones:
        return [Placed(whole, each.origin, each.place) if each is declared else each for each in zones]
    return [*zones, Placed(whole, leader.origin, leader.place)]


_LEADER_KEYS = ("title", "cite", "standing", "severity", "when", "message", "since", "until")
"""What `[leader]` says of the rules of its zone: that there is such a card, and which cards it may be."""


def _stated(rule: Ruled, keys: Iterable[str]) -> dict[str, Any]:
    """Return those keys of a rule that say something else than what holds unsaid."""
    return {key: getattr(rule, key) for key in keys if getattr(rule, key) != getattr(Ruled(), key)}


def _plain_zone(zone: ZoneFile, place: str) -> ZoneFile:
    if not zone.id:
        raise TourneyError(f"{place}: the key `id` is missing")
    own = {fold(header) for header in (zone.id, zone.name, *zone.headers)}
    for header in zone.header_facts:
        if fold(header) not in own:
            raise TourneyError(f'{place}.header_facts."{header}": not one of the zone\'s `headers`')
    size = zone_size(zone)
    if size is not None:
        check_bounds(size, f"{place}.size")
    return replace(zone, size=size)


def zone_size(zone: ZoneFile) -> SizeFile | None:
    """Return how many cards a zone has, where a number is exactly so many; None where any number may be."""
    if zone.size is None or isinstance(zone.size, SizeFile):
        return zone.size
    return SizeFile(exactly=zone.size)


def no_doubles(handles: Iterable[tuple[str, str]], what: str) -> None:
    """Raise TourneyError for the second of two handles that are the same, each given with its place."""
    seen: dict[str, str] = {}
    for handle, place in handles:
        if handle in seen:
            raise TourneyError(
                f"{place}.id: there is a {what} `{handle}` already ({seen[handle].rpartition(': ')[2]})"
            )
        seen[handle] = place


# -- What is said of them to no effect


def idle_zones(format_: Format) -> Iterator[str]:
    """Say what the zones and the leader of a format say to no effect, each with its place."""
    yield from _idle_leader(format_)
    for placed in format_.zones:
        zone, place = placed.rule, placed.place
        if not zone.counts and (zone.size is not None or zone.holds is not None):
            yield f"{place}: `size` and `holds` say nothing of a zone that does not count (`counts = false`)"
        elif zone.message is not None and not (
            _speaks_of_size(format_, placed) or _speaks_of_cards(format_, placed)
        ):
            yield f"{place}.message: " + (
                "the zone has neither `size` nor `holds` to speak of"
                if zone.size is None and zone.holds is None
                else "it asks for a card, but the zone has no `holds` that a card could break"
            )


def _idle_leader(format_: Format) -> Iterator[str]:
    placed = format_.leader
    zone = format_.zone(placed.rule.zone) if placed else None
    if placed is None or zone is None:
        return
    if placed.rule.id:
        yield f"{placed.place}.id: a leader's findings are those of its zone `{zone.id}`: `size` and `wrong-zone`"
    for key, value in _stated(placed.rule, _LEADER_KEYS).items():
        if getattr(zone, key) != value:
            yield f"{placed.place}.{key}: the zone `{zone.id}` says another, which goes first"


def _speaks_of_cards(format_: Format, placed: Placed[ZoneFile]) -> bool:
    """Say whether a zone's message is meant for cards that do not belong there, going by what it asks for."""
    zone, holes = placed.rule, given(placed.rule.message or "")
    if zone.holds is None:
        return False
    of_a_card = "card" in holes or not asks_the_deck(zone.message, format_.of_the_deck)
    return of_a_card or zone.size is None or not holes & {"have", "allowed"}


def _speaks_of_size(format_: Format, placed: Placed[ZoneFile]) -> bool:
    """Say whether a zone's message is meant for its size: it asks for the numbers, or there is nothing else to speak of.

    The message of a leader's zone that names neither is said of both: of no general, of two, and of one who is none.
    """
    zone, holes = placed.rule, given(placed.rule.message or "")
    if zone.size is None or "card" in holes or not asks_the_deck(zone.message, format_.of_the_deck):
        return False
    leads = format_.leader is not None and format_.leader.rule.zone == zone.id and format_.leader.rule.message
    return zone.holds is None or bool(holes & {"have", "allowed"}) or bool(leads)


# -- Their rules, bound to a pool


def zone_rules(placed: Iterable[Placed[ZoneFile]], composer: Composer) -> Iterator[Rule]:
    """Give the rules of zones: their size, and which cards they hold. Raises TourneyError."""
    return (rule for each in placed for rule in _zone_rules(each, composer))


def _zone_rules(placed: Placed[ZoneFile], composer: Composer) -> Iterator[Rule]:
    format_ = composer.format
    zone = placed.rule
    size = zone_size(zone)
    if size is not None:
        # A zone's `when` says whether it is expected, not whether its rules hold: what stands in it is checked.
        terms = composer.terms(placed, About.DECK, _SIZE, message=_speaks_of_size(format_, placed))
        yield Size(
            terms=replace(composer.due_to(terms, size, About.DECK), when=None),
            expected=terms.when,
            zone=zone.id,
            called=zone.name or zone.id,
            bounds=composer.bounds(size, f"{placed.place}.size", About.DECK),
            optional=zone.optional,
            whose=composer.whose(size, About.DECK),
        )
    if zone.holds is not None:
        speaks = _speaks_of_cards(format_, placed)
        yield Holds(
            terms=replace(composer.terms(placed, About.CARD, WRONG_ZONE, message=speaks), when=None),
            zone=zone.id,
            called=composer.expressions.wording.zones[zone.id],
            holds=composer.expressions.bind(zone.holds, f"{placed.place}.holds"),
            elsewhere=_elsewhere(zone, composer),
            leads=_leads(zone, format_),
            describer=composer.expressions.describer(zone.holds),
        )


def _leads(zone: ZoneFile, format_: Format) -> str:
    """Return what the card that stands in a zone is called, if that is the leader; else nothing."""
    leader = format_.leader
    return (leader.rule.noun or "leader") if leader and leader.rule.zone == zone.id else ""


def _elsewhere(here: ZoneFile, composer: Composer) -> Callable[[View], str]:
    """Make what says where a card belongs: the choosy parts that take it, else the default one if that is not choosy."""
    others = [
        (
            placed.rule,
            composer.expressions.bind(placed.rule.holds, f"{placed.place}.holds"),
            _most(placed, composer),
        )
        for placed in composer.format.zones
        if placed.rule.holds is not None and placed.rule.id != here.id
    ]
    plain = [
        placed.rule
        for placed in composer.format.zones
        if placed.rule.holds is None
        and placed.rule.id == composer.format.default_zone
        and placed.rule.id != here.id
    ]

    def place_for(view: View) -> str:
        taking = [
            (zone, _full(zone, holds, most, view.deck))
            for zone, holds, most in others
            if truth(holds(view)) is True
        ]
        taking = taking or [(zone, "") for zone in plain]
        if not taking:
            return "no part of a deck in this format takes it"
        free = [(zone, full) for zone, full in taking if not full] or taking
        zones = composer.expressions.wording.zones
        places = " or ".join(f"in {zones[zone.id]}{full}" for zone, full in free)
        return f"it belongs {places}"

    return place_for


def _most(placed: Placed[ZoneFile], composer: Composer) -> Evaluator | None:
    size = placed.rule.size
    most = None if size is None else size.exactly if size.exactly is not None else size.max  # type: ignore[union-attr]
    return composer.expressions.bind_optional(most, f"{placed.place}.size", About.DECK)


def _full(zone: ZoneFile, holds: Evaluator, most: Evaluator | None, deck: Deck) -> str:
    """Say that the cards which belong in a part leave no room, and who does where that is one; empty where there is."""
    view = View(deck)
    holders = [slot for slot in deck.slots if slot.zone == zone.id and truth(holds(view.of(slot))) is True]
    number = sum(slot.qty for slot in holders)
    if most is None or at_most(number + 1, most(View(deck))) is not False:
        return ""
    if number == 1 and holders[0].lines:
        return f", which {holders[0].name} (line {holders[0].lines[0]}) has already"
    return f", which is full ({copies(number)})"


class Size(msgspec.Struct, frozen=True, kw_only=True):
    """How many cards a zone has; of an optional zone only once it has any.

    expected: whether a list is to have the zone at all; while it is not, an empty one is no fault
    whose:    says whose number the bound is, where it is one of the leader's
    """

    terms: Terms
    zone: str
    called: str
    bounds: Bounds
    optional: bool
    whose: Callable[[], str]
    expected: Evaluator | None = None

    def judge(self, deck: Deck) -> Iterator[Outcome]:
        """Give a finding where the zone is too small or too large."""
        return self.terms.judged(deck, self._judge)

    def _judge(self, deck: Deck) -> Iterator[Outcome]:
        number = deck.sizes.get(self.zone, 0)
        if self.optional and number == 0:
            return
        view = View(deck)
        expected = True if number or self.expected is None else truth(self.expected(view))
        if expected is False:
            return
        broken = self.bounds.broken(number, view)
        if isinstance(broken, Unknown) or (isinstance(broken, Broken) and expected is not True):
            yield self.terms.undecided((expected, *([broken] if isinstance(broken, Unknown) else [])), ())
        elif isinstance(broken, Broken):
            needed = "" if broken.is_maximum and broken.words == "at most" else _are_needed(broken)
            whose = self.whose()
            message = f"{copies(number)}, {broken.said}{needed}" + (f" ({whose})" if whose else "")
            yield self.terms.finding(
                message,
                subjects=(self.called,),
                view=view,
                have=number,
                allowed=broken.allowed,
                zone=self.called,
            )


def _are_needed(broken: Broken) -> str:
    return " is needed" if broken.allowed == 1 else " are needed"


class Holds(msgspec.Struct, frozen=True, kw_only=True):
    """Which cards may stand in a zone. elsewhere: says where a card belongs instead.

    describer: says why a card does not belong here; leads: what its card is called, where that is the leader
    """

    terms: Terms
    zone: str
    called: str
    holds: Evaluator
    elsewhere: Callable[[View], str]
    describer: Describer | None = None
    leads: str = ""

    def judge(self, deck: Deck) -> Iterator[Outcome]:
        """Give a finding for each card that does not belong in the zone."""
        return self.terms.judged_each(deck, {self.zone}, lambda view: truth(self.holds(view)), self._wrong)

    def _wrong(self, view: View) -> Outcome:
        return self.terms.finding(
            f"cannot be the {self.leads}" if self.leads else f"does not belong in {self.called}",
            slots=[view.slot],
            view=view,
            hint=self.elsewhere(view),
            have=view.slot.qty,
            allowed=0,
            reason=self.describer.why(view, holds=False) if self.describer else "",
        )


# -- The kit: a fixed box


class KitFile(Ruled, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[kit]`: a fixed box, exactly these cards in `zone` (the default one).

    members: where a card of the box stands for several: which cards may be listed by their own names in its place, a
             condition on the card. A card that no pool lists is not in the box, unless the list declares facts of it
    """

    cards: dict[str, int]
    zone: str = ""
    members: dict[str, str] = msgspec.field(default_factory=dict)


class KitKind(RuleKind[KitFile]):
    """`[kit]`: the deck is a fixed box, with exactly these cards."""

    word = "kit"
    shape = KitFile
    single = True
    together = True
    sketch = """\
# [kit]                                  # a fixed box: exactly these
# cards = { "Red Prince" = 1, "Archer" = 3 }
"""

    def plain(self, rule: KitFile, place: str) -> KitFile:
        """Give the kit its handle. Raises TourneyError for a card that is not in the box at all."""
        for card, number in rule.cards.items():
            if number < 1:
                raise TourneyError(
                    f'{place}.cards."{card}": {number} copies: a card in the box has at least one'
                )
        for card in rule.members:
            if card not in rule.cards:
                raise TourneyError(f'{place}.members."{card}": there is no such card among `cards`')
        return replace(rule, id=rule.id or "kit")

    def zones(self, placed: Placed[KitFile]) -> Iterator[tuple[str, str]]:
        """Give the zone of the box, where it names one."""
        if placed.rule.zone:
            yield placed.rule.zone, f"{placed.place}.zone"

    def cards(self, placed: Placed[KitFile]) -> Iterator[tuple[str, str]]:
        """Give the cards in the box."""
        return ((card, f"{placed.place}.cards") for card in placed.rule.cards)

    def expressions(self, placed: Placed[KitFile], card: Scope, _deck: Scope) -> Iterator[PlacedExpression]:
        """Give which cards may stand by their own names for one of the box."""
        for name, text in placed.rule.members.items():
            yield PlacedExpression(text, f'{placed.place}.members."{name}"', card)

    def idle(self, _placed: Sequence[Placed[KitFile]], _format: Format) -> Iterator[str]:
        """Give none: what a box names is in it, whether its zone counts or not."""
        return iter(())

    def bind(self, placed: Sequence[Placed[KitFile]], composer: Composer) -> Iterator[Rule]:
        """Give the box as a rule. Raises TourneyError for an expression of `members` that is none."""
        for each in placed:
            kit = each.rule
            yield Kit(
                terms=composer.terms(each, About.CARD),
                zone=kit.zone or composer.format.default_zone,
                cards=composer.keyed(kit.cards),
                names={composer.key(name): name for name in kit.cards},
                members={
                    composer.key(name): composer.expressions.bind(text, f'{each.place}.members."{name}"')
                    for name, text in kit.members.items()
                },
            )

    def words(self, rule: KitFile) -> str:
        """Say what is in the box."""
        return "exactly " + ", ".join(f"{number} {card}" for card, number in rule.cards.items())


class Kit(msgspec.Struct, frozen=True, kw_only=True):
    """What the box holds.

    cards: folded name → copies; names: folded name → name as written
    members: folded name → whether a card may be listed in its place by its own name
    """

    terms: Terms
    zone: str
    cards: Mapping[FoldedName, int]
    names: Mapping[FoldedName, str]
    members: Mapping[FoldedName, Evaluator] = {}

    def judge(self, deck: Deck) -> Iterator[Outcome]:
        """Give a finding for each card with another number of copies than the box holds."""
        return self.terms.judged(deck, self._judge)

    def _judge(self, deck: Deck) -> Iterator[Outcome]:
        inside: dict[FoldedName, list[Slot]] = {}
        for slot in deck.slots:
            if slot.zone == self.zone:
                key = next((key for key in slot.keys if key in self.cards), slot.key)
                inside.setdefault(key, []).append(slot)
        doubts = self._place_members(deck, inside)
        broken = list(self._counted(deck, inside))
        yield from broken
        if doubts and not broken:
            yield self.terms.undecided(doubts)

    def _counted(self, deck: Deck, inside: Mapping[FoldedName, list[Slot]]) -> Iterator[Outcome]:
        """Give a finding for each card with another number of copies than the box holds, and for each that is missing."""
        for key, slots in inside.items():
            view = View(deck).of(slots[0])
            yield from self._compared(sum(slot.qty for slot in slots), self.cards.get(key, 0), slots, view)
        # A message that asks a card for something cannot be said of a card that is not there.
        view_of_none = None if self.terms.holes else View(deck)
        for key, allowed in self.cards.items():
            if key not in inside:
                message = f"missing; the box holds {copies(allowed, 'copy')}"
                yield self.terms.finding(
                    message,
                    subjects=(self.names[key],),
                    view=view_of_none,
                    have=0,
                    allowed=allowed,
                    zone=self.zone,
                )

    def _place_members(self, deck: Deck, inside: dict[FoldedName, list[Slot]]) -> list[Value]:
        """Put cards listed by their own names where they belong in the box: all where there is room, if that can be.

        Return what is not known of cards that no pool lists; one of which the list declares nothing is left out.
        """
        listed: list[tuple[Slot, list[FoldedName]]] = []
        doubts: list[Value] = []
        for key in [key for key in inside if key not in self.cards]:
            slot = inside[key][0]
            view = View(deck).of(slot)
            answers = {name: truth(member(view)) for name, member in self.members.items()}
            fits = [name for name, answer in answers.items() if answer is not False]
            if not slot.card.listed and not slot.card.attributes:
                if not slot.declared:
                    continue
                doubts += answers.values()
            listed += [(slot, fits) for slot in (inside.pop(key) if fits else ()) for _ in range(slot.qty)]
        room = {key: self.cards[key] - sum(slot.qty for slot in inside.get(key, ())) for key in self.members}
        slots = {id(slot): slot for slot, _ in listed}
        for key, numbers in _seated([fits for _, fits in listed], room).items():
            taken = Counter(id(listed[number][0]) for number in numbers)
            for which, qty in taken.items():
                inside.setdefault(key, []).append(replace(slots[which], qty=qty))
        return doubts

    def _compared(self, number: int, allowed: int, slots: list[Slot], view: View) -> Iterator[Outcome]:
        if number == allowed:
            return
        message = f"{copies(number, 'copy')}, the box holds {allowed}" if allowed else "is not in the box"
        hint = None
        if not allowed and self.members:
            names = listed_once((self.names[key] for key in self.members), "or")
            hint = f"write {names} for a card of the box whose name is not published"
        yield self.terms.finding(message, slots=slots, view=view, have=number, allowed=allowed, hint=hint)


def _seated(
    fits: Sequence[Sequence[FoldedName]], room: Mapping[FoldedName, int]
) -> dict[FoldedName, list[int]]:
    """Return which copies go where, as many as can be within the room there is; the others go where they fit first.

    fits: for each copy where it may go
    """
    held: dict[FoldedName, list[int]] = {key: [] for key in room}

    def seat(number: int, tried: set[FoldedName]) -> bool:
        for key in fits[number]:
            if key in tried:
                continue
            tried.add(key)
            if len(held[key]) < room[key]:
                held[key].append(number)
                return True
            for place, other in enumerate(held[key]):
                if seat(other, tried):
                    held[key][place] = number
                    return True
        return False

    for number, keys in enumerate(fits):
        if not seat(number, set()):
            held[keys[0]].append(number)
    return held
