"""`[[zone]]` and `[leader]`: how many cards a part of the list has, and which may stand in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from tourney.errors import TourneyError
from tourney.rules.expressions import About, Unknown, Value, truth
from tourney.rules.expressions.describing import Describer
from tourney.rules.expressions.evaluate import Evaluator
from tourney.rules.expressions.values import at_most
from tourney.rules.format import Format, Placed
from tourney.rules.kinds.kind import asks_the_deck
from tourney.rules.kinds.terms import Bounds, Broken, Outcome, Rule, Terms, check_bounds, copies, given
from tourney.rules.slots import Deck, Slot, View
from tourney.rules.vocabulary import Bound, FormatFile, LeaderFile, Ruled, SizeFile, ZoneFile

if TYPE_CHECKING:
    from tourney.rules.composing import Composer

SIZE = "size"
WRONG_ZONE = "wrong-zone"


# -- As it is written


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
    said, told = leader.rule, _stated(leader.rule, _LEADER_KEYS)
    inherited = tuple(base.zones) if base else ()
    declared = next((placed for placed in (*zones, *inherited) if placed.rule.id == said.zone), None)
    if declared is None:
        zone = ZoneFile(
            id=said.zone,
            name=said.noun,
            size=1 if said.size is None else said.size,
            holds=said.holds,
            optional=said.optional,
            headers=said.headers,
            **told,
        )
        return [*zones, Placed(_plain_zone(zone, leader.place), leader.origin, leader.place)]
    if said.size is not None or said.holds is not None or said.headers or said.optional:
        raise TourneyError(
            f"{leader.place}: `size`, `holds`, `headers` and `optional` belong to the zone `{said.zone}`, which is declared"
        )
    told = {key: value for key, value in told.items() if key not in _stated(declared.rule, _LEADER_KEYS)}
    if not told:
        return zones
    whole = replace(declared.rule, **told)
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
    return replace(zone, size=_plain_size(zone.size, f"{place}.size"))


def _plain_size(size: Bound | SizeFile | None, place: str) -> SizeFile | None:
    if size is None:
        return None
    if not isinstance(size, SizeFile):
        size = SizeFile(exactly=size)
    check_bounds(size, place)
    return size


def no_doubles(handles: Iterable[tuple[str, str]], what: str) -> None:
    """Raise TourneyError for the second of two handles that are the same, each given with its place."""
    seen: dict[str, str] = {}
    for handle, place in handles:
        if handle in seen:
            raise TourneyError(
                f"{place}.id: there is a {what} `{handle}` already ({seen[handle].rpartition(': ')[2]})"
            )
        seen[handle] = place


# -- What is said to no effect


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


# -- Bound to a pool


def zone_rules(placed: Iterable[Placed[ZoneFile]], composer: Composer) -> Iterator[Rule]:
    """Give the rules of zones: their size, and which cards they hold. Raises TourneyError."""
    return (rule for each in placed for rule in _zone_rules(each, composer))


def _zone_rules(placed: Placed[ZoneFile], composer: Composer) -> Iterator[Rule]:
    format_ = composer.format
    zone = placed.rule
    if zone.size is not None:
        # A zone's `when` says whether it is expected, not whether its rules hold: what stands in it is checked.
        terms = composer.terms(placed, About.DECK, SIZE, message=_speaks_of_size(format_, placed))
        yield Size(
            terms=replace(composer.due_to(terms, zone.size, About.DECK), when=None),
            expected=terms.when,
            zone=zone.id,
            called=zone.name or zone.id,
            bounds=composer.bounds(zone.size, f"{placed.place}.size", About.DECK),
            optional=zone.optional,
            whose=composer.whose(zone.size, About.DECK),
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
        called = composer.expressions.wording.zones
        places = " or ".join(f"in {called[zone.id]}{full}" for zone, full in free)
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
    there = sum(slot.qty for slot in holders)
    if most is None or at_most(there + 1, most(View(deck))) is not False:
        return ""
    if there == 1 and holders[0].lines:
        return f", which {holders[0].name} (line {holders[0].lines[0]}) has already"
    return f", which is full ({copies(there)})"


class Size(msgspec.Struct, frozen=True, kw_only=True):
    """How many cards a zone has; of an optional zone only once it has any.

    expected: whether a list is to have the zone at all; while it is not, an empty one is no fault
    whose:    number the bound is, for messages
    """

    terms: Terms
    zone: str
    called: str
    bounds: Bounds
    optional: bool
    expected: Evaluator | None = None
    whose: str = ""

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
            whose = f" ({self.whose})" if self.whose else ""
            said = f"{copies(number)}, {broken.said}{needed}{whose}"
            yield self.terms.finding(
                said,
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
        return self.terms.judged(deck, self._judge)

    def _judge(self, deck: Deck) -> Iterator[Outcome]:
        view = View(deck)
        doubts: list[Value] = []
        lines: list[int] = []
        for slot in deck.slots:
            if slot.zone != self.zone:
                continue
            fits = truth(self.holds(view.of(slot)))
            if isinstance(fits, Unknown):
                doubts.append(fits)
                lines.extend(slot.lines)
            elif not fits:
                yield self._wrong(view.of(slot), slot)
        if doubts:
            yield self.terms.undecided(doubts, lines)

    def _wrong(self, view: View, slot: Slot) -> Outcome:
        return self.terms.finding(
            f"cannot be the {self.leads}" if self.leads else f"does not belong in {self.called}",
            slots=[slot],
            view=view,
            hint=self.elsewhere(view),
            have=slot.qty,
            allowed=0,
            reason=self.describer.why(view, holds=False) if self.describer else "",
        )
