"""Zones, which are the parts of a list: their sizes, and the cards that they can hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tourney.cards.names import fold
from tourney.errors import TourneyError
from tourney.rules.binding import Binder
from tourney.rules.bounds import Bounds, Broken, check_bounds, count_words
from tourney.rules.expressions.deck import Deck, Evaluator, View, holds
from tourney.rules.expressions.describing import Describer, named_with_line
from tourney.rules.expressions.language import About
from tourney.rules.expressions.values import Unknown, at_most, truth
from tourney.rules.findings import Outcome, Rule, given_holes
from tourney.rules.format import Format
from tourney.rules.kinds.kind import names_no_card
from tourney.rules.vocabulary import FormatFile, LeaderFile, RuleEntry, RuleFile, SizeFile, ZoneFile

SIZE = "size"
WRONG_ZONE = "wrong-zone"
"""The ids of the rules about a zone. Reports show the id at the end of a finding: `[size]`."""


# -- as written


def normalized_zones(
    file: FormatFile, base: Format | None, source: str
) -> tuple[tuple[RuleEntry[ZoneFile], ...], RuleEntry[LeaderFile] | None]:
    """Return two things: the zones that a file declares, and its leader (None if it has none).

    The zone of the leader is added if it is declared neither in the file nor in the `base` format. A file
    without zones, leader and base format gets the zone `deck`.

    Raises TourneyError for faulty zones, such as two default zones.
    """
    origin = file.format.id
    zones = []
    for number, zone in enumerate(file.zone):
        place = f"{source}: zone[{number}]"
        zones.append(RuleEntry(_normalize(zone, place), origin, place))
    check_unique([(entry.rule.id, entry.place) for entry in zones], "zone")
    leader = RuleEntry(file.leader, origin, f"{source}: leader") if file.leader else None
    if leader:
        zones = _with_leader(zones, leader, base)
    if not zones and base is None:
        zones = [RuleEntry(ZoneFile(id="deck", default=True), origin, f"{source}: zone")]
    defaults = [entry for entry in zones if entry.rule.default]
    if len(defaults) > 1:
        raise TourneyError(
            f"{defaults[1].place}.default: `{defaults[0].rule.id}` is the default zone already"
        )
    return tuple(zones), leader


def _normalize(zone: ZoneFile, place: str) -> ZoneFile:
    if not zone.id:
        raise TourneyError(f"{place}: the key `id` is missing")
    headers = {fold(header) for header in (zone.id, zone.name, *zone.headers)}
    for header in zone.header_facts:
        if fold(header) not in headers:
            raise TourneyError(f'{place}.header_facts."{header}": not one of the zone\'s `headers`')
    size = zone_size(zone)
    if size is not None:
        check_bounds(size, f"{place}.size")
    return replace(zone, size=size)


def zone_size(zone: ZoneFile) -> SizeFile | None:
    """Return the size of a zone; None if any size is allowed.

    A plain number in the file becomes a `SizeFile` with `exactly`.
    """
    if zone.size is None or isinstance(zone.size, SizeFile):
        return zone.size
    return SizeFile(exactly=zone.size)


_LEADER_KEYS = ("title", "cite", "standing", "severity", "when", "message", "since", "until")
"""The keys of `[leader]` that apply to the rules of its zone."""


def _with_leader(
    zones: list[RuleEntry[ZoneFile]], leader: RuleEntry[LeaderFile], base: Format | None
) -> list[RuleEntry[ZoneFile]]:
    """Return the zones, including the zone that the `[leader]` table names.

    If neither the file nor the `base` format declares this zone, it is made from `[leader]`. If one of them
    declares it, the zone gets the values of the `_LEADER_KEYS` (such as `title` and `when`) that `[leader]`
    sets and the zone's own table does not. Raises TourneyError if `[leader]` sets `size`, `holds`,
    `headers` or `optional` for a declared zone.
    """
    rule, keys = leader.rule, _set_keys(leader.rule)
    candidates = (*zones, *(base.zones if base else ()))
    declared_zone = next((entry for entry in candidates if entry.rule.id == rule.zone), None)
    if declared_zone is None:
        zone = ZoneFile(
            id=rule.zone,
            name=rule.noun,
            size=1 if rule.size is None else rule.size,
            holds=rule.holds,
            optional=rule.optional,
            headers=rule.headers,
            **keys,
        )
        return [*zones, RuleEntry(_normalize(zone, leader.place), leader.origin, leader.place)]
    if rule.size is not None or rule.holds is not None or rule.headers or rule.optional:
        raise TourneyError(
            f"{leader.place}: the zone `{rule.zone}` has a table of its own; "
            "write `size`, `holds`, `headers` and `optional` there"
        )
    keys = {key: value for key, value in keys.items() if key not in _set_keys(declared_zone.rule)}
    if not keys:
        return zones
    zone = replace(declared_zone.rule, **keys)
    if declared_zone in zones:
        return [
            RuleEntry(zone, entry.origin, entry.place) if entry is declared_zone else entry for entry in zones
        ]
    return [*zones, RuleEntry(zone, leader.origin, leader.place)]


def _set_keys(rule: RuleFile) -> dict[str, Any]:
    """Return key → value for the `_LEADER_KEYS` of a rule that do not have the default value."""
    default = RuleFile()
    return {key: getattr(rule, key) for key in _LEADER_KEYS if getattr(rule, key) != getattr(default, key)}


def check_unique(ids: Iterable[tuple[str, str]], noun: str) -> None:
    """Raise TourneyError for an id that occurs twice. ids: pairs of an id and its place."""
    places: dict[str, str] = {}
    for name, place in ids:
        if name in places:
            other = places[name].rpartition(": ")[2]
            raise TourneyError(f"{place}.id: there is a {noun} `{name}` already ({other})")
        places[name] = place


# -- keys without effect


def zone_warnings(format_: Format) -> Iterator[str]:
    """Yield warnings about keys of a format's zones or leader that have no effect.

    Each warning begins with the place in the format's file.
    """
    yield from _leader_warnings(format_)
    for entry in format_.zones:
        zone, place = entry.rule, entry.place
        has_rules = zone.size is not None or zone.holds is not None
        if not zone.counts and has_rules:
            yield f"{place}: `size` and `holds` have no effect, as the zone does not count (`counts = false`)"
        elif zone.message is None or _is_about_size(format_, zone) or _is_about_cards(format_, zone):
            continue
        elif has_rules:
            yield (
                f"{place}.message: the text uses facts of a card, but the zone has no `holds`, "
                "so its findings are not about a card"
            )
        else:
            yield f"{place}.message: the zone has neither `size` nor `holds`, so it is never shown"


def _leader_warnings(format_: Format) -> Iterator[str]:
    entry = format_.leader
    zone = format_.zone(entry.rule.zone) if entry else None
    if entry is None or zone is None:
        return
    if entry.rule.id:
        findings = f"{SIZE}` and `{WRONG_ZONE}"
        yield (
            f"{entry.place}.id: `id` has no effect, because a leader has the findings of its zone: "
            f"`{findings}`"
        )
    for key, value in _set_keys(entry.rule).items():
        if getattr(zone, key) != value:
            yield f"{entry.place}.{key}: the zone `{zone.id}` has another one, which takes precedence"


_NUMBERS = frozenset({"have", "allowed"})


def _is_about_cards(format_: Format, zone: ZoneFile) -> bool:
    """Return whether a zone's message is used for cards that do not belong in the zone."""
    holes = given_holes(zone.message or "")
    if zone.holds is None:
        return False
    needs_card = "card" in holes or not names_no_card(zone.message, format_)
    return needs_card or zone.size is None or not holes & _NUMBERS


def _is_about_size(format_: Format, zone: ZoneFile) -> bool:
    """Return whether a zone's message is used if the zone has a wrong number of cards.

    The message is used if the zone has a `size` and the message does not need a card. If the zone also has
    `holds`, the message must contain `{have}` or `{allowed}`, too. Without them, it is used only for cards
    that do not belong in the zone. The leader's zone needs neither placeholder if `[leader]` has a message.
    """
    holes = given_holes(zone.message or "")
    if zone.size is None or "card" in holes or not names_no_card(zone.message, format_):
        return False
    leader = format_.leader.rule if format_.leader else None
    is_leaders = leader is not None and leader.zone == zone.id and bool(leader.message)
    return zone.holds is None or bool(holes & _NUMBERS) or is_leaders


# -- compiled for a pool


def zone_rules(zones: Iterable[RuleEntry[ZoneFile]], binder: Binder) -> Iterator[Rule]:
    """Compile the rules about zones' sizes and cards for a card pool.

    Raises TourneyError if one does not fit the pool.
    """
    for entry in zones:
        zone, format_ = entry.rule, binder.format
        size = zone_size(zone)
        if size is not None:
            about_size = _is_about_size(format_, zone)
            terms = binder.terms(entry, About.DECK, SIZE, message=about_size)
            yield Size(
                # The condition says whether a list needs the zone. The cards in it are checked in any case.
                terms=replace(binder.with_causes(terms, size, About.DECK), when=None),
                is_expected=terms.when,
                zone=zone.id,
                name=zone.name or zone.id,
                bounds=binder.bind_bounds(size, f"{entry.place}.size", About.DECK),
                optional=zone.optional,
                owner=binder.bound_owner(size, About.DECK),
            )
        if zone.holds is not None:
            terms = binder.terms(entry, About.CARD, WRONG_ZONE, message=_is_about_cards(format_, zone))
            leader = format_.leader
            yield Holds(
                terms=replace(terms, when=None),
                zone=zone.id,
                words=binder.wording.zone(zone.id),
                holds=binder.bind(zone.holds, f"{entry.place}.holds"),
                other_zones=tuple(_destinations(zone, binder)),
                leader=binder.wording.noun if leader and leader.rule.zone == zone.id else "",
                describer=binder.describer(zone.holds),
            )


class Size(Rule, frozen=True, kw_only=True):
    """The rule about the number of cards in a zone. An optional zone may also be empty.

    is_expected: the condition under which a deck needs the zone; if it is false, the zone may be empty. None:
                 every deck needs the zone, unless it is optional
    owner:       a phrase such as `the general's influence` if an attribute of the deck's leader sets the
                 minimum, the maximum or the exact number; else empty
    """

    zone: str
    name: str
    bounds: Bounds
    optional: bool
    owner: str
    is_expected: Evaluator | None

    def find(self, deck: Deck) -> Iterator[Outcome]:
        """Yield a finding if the zone is too small or too large."""
        number = deck.sizes.get(self.zone, 0)
        if self.optional and number == 0:
            return
        view = View(deck)
        is_expected = True if number else holds(self.is_expected, view)
        if is_expected is False:
            return
        broken_bound = self.bounds.broken_bound(number, view)
        if isinstance(broken_bound, Unknown) or (
            isinstance(broken_bound, Broken) and is_expected is not True
        ):
            yield self.terms.undecided(
                (is_expected, *([broken_bound] if isinstance(broken_bound, Unknown) else [])), ()
            )
        elif isinstance(broken_bound, Broken):
            verb = " is needed" if broken_bound.allowed == 1 else " are needed"
            demand = broken_bound.demand + ("" if broken_bound.words == "at most" else verb)
            owner = f" ({self.owner})" if self.owner else ""
            yield self.terms.finding(
                f"{count_words(number)}, {demand}{owner}",
                subjects=(self.name,),
                view=view,
                have=number,
                allowed=broken_bound.allowed,
                zone=self.name,
            )


class Destination(Struct, frozen=True):
    """A zone in which a misplaced card may belong.

    holds: the condition on the zone's cards; None if it holds any. max: its maximum size
    """

    zone: str
    words: str
    holds: Evaluator | None
    max: Evaluator | None

    def fullness(self, deck: Deck) -> str:
        """Return a phrase if the cards that belong in the zone leave no room for another card.

        Returns an empty string otherwise.
        """
        if self.holds is None or self.max is None:
            return ""
        view = View(deck)
        inside = [
            slot for slot in deck.slots if slot.zone == self.zone and truth(self.holds(view.of(slot))) is True
        ]
        number = sum(slot.qty for slot in inside)
        if at_most(number + 1, self.max(View(deck))) is not False:
            return ""
        if number == 1 and inside[0].lines:
            return f", where {named_with_line(inside[0])} is already"
        return f", which is full ({count_words(number)})"


def _destinations(current_zone: ZoneFile, binder: Binder) -> Iterator[Destination]:
    """Yield the zones in which a card may belong if it does not belong in `current_zone`.

    These are the default zone and the zones that hold only certain cards.
    """
    for entry in binder.format.zones:
        zone, place = entry.rule, entry.place
        if zone.id == current_zone.id or (zone.holds is None and zone.id != binder.format.default_zone):
            continue
        size = zone_size(zone)
        most = None if size is None else size.max if size.exactly is None else size.exactly
        yield Destination(
            zone.id,
            binder.wording.zone(zone.id),
            binder.bind_optional(zone.holds, f"{place}.holds"),
            binder.bind_optional(most, f"{place}.size", About.DECK),
        )


class Holds(Rule, frozen=True, kw_only=True):
    """The rule about the cards that a zone can hold.

    words:       the words for the zone
    leader:      the word for the leader, if it is the leader's zone; otherwise empty
    other_zones: other zones that a hint can suggest for a card that does not belong in this one
    """

    zone: str
    words: str
    holds: Evaluator
    other_zones: tuple[Destination, ...]
    leader: str
    describer: Describer

    def find(self, deck: Deck) -> Iterator[Outcome]:
        """Yield a finding for each card that does not belong in the zone."""
        return self.find_each(deck, {self.zone}, lambda view: truth(self.holds(view)), self._finding)

    def _finding(self, view: View) -> Outcome:
        message = f"cannot be the {self.leader}" if self.leader else f"does not belong in {self.words}"
        return self.terms.finding(
            message,
            slots=[view.slot],
            view=view,
            hint=self._destination(view),
            have=view.slot.qty,
            allowed=0,
            reason=self.describer.explain(view, holds=False),
        )

    def _destination(self, view: View) -> str:
        """Return a hint that names the zones in which the card may belong.

        If any of these have room, only they are named. If no zone is meant for the card, the default zone is
        named.
        """
        choosy = [other for other in self.other_zones if other.holds and truth(other.holds(view)) is True]
        places = [
            (other, other.fullness(view.deck))
            for other in choosy or [other for other in self.other_zones if other.holds is None]
        ]
        if not places:
            return "no part of a deck in this format can contain it"
        free = [(other, full) for other, full in places if not full] or places
        return f"it belongs {' or '.join(f'in {other.words}{full}' for other, full in free)}"
