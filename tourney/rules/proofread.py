"""Reading a format once over: every expression in its place, every zone it names there, nothing bounded by itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from tourney.errors import TourneyError
from tourney.rules.expressions import About, ExpressionError, Surroundings, check
from tourney.rules.expressions.nodes import Call, Literal, Node, walk
from tourney.rules.format import Format, Placed
from tourney.rules.messages import MessageError, given, holes
from tourney.rules.sugar import OF_THE_LEADER, said_of
from tourney.rules.vocabulary import LimitFile, RequireFile, ZoneFile

BUILT_IN_LISTS = frozenset({"banned", "restricted", "points"})


class Written(msgspec.Struct, frozen=True):
    """An expression where it stands."""

    text: object
    place: str
    around: Surroundings


def surroundings(format_: Format) -> Surroundings:
    """Return what the expressions of a format may name, whatever their place."""
    lists = None if format_.banlist else frozenset(format_.lists) | BUILT_IN_LISTS
    return Surroundings(
        define=format_.define,
        zones=frozenset(zone.rule.id for zone in format_.zones),
        lists=lists,
        settings=frozenset(format_.settings),
        leader=format_.leader is not None,
    )


def proofread(format_: Format) -> None:
    """Check what only the whole format shows. Raises TourneyError with file, key path, column and reason."""
    around = surroundings(format_)
    _check_names(format_, around)
    for written in _expressions(format_, around):
        if isinstance(written.text, str):
            _check(written)
    for zone in format_.zones:
        _check_size(zone, around)


def _check(written: Written) -> Node:
    text = str(written.text)
    try:
        return check(text, written.around)
    except ExpressionError as fault:
        raise TourneyError(f"{written.place}: {fault}: `{_shown(text)}`") from None


def _shown(text: str) -> str:
    return text if len(text) <= 120 else text[:117] + "…"


def _expressions(format_: Format, card: Surroundings) -> Iterator[Written]:
    deck = replace(card, about=About.DECK, this=False)
    if format_.leader and format_.leader.rule.where:
        yield Written(format_.leader.rule.where, f"{format_.leader.place}.where", replace(card, leader=False))
    for zone in format_.zones:
        yield Written(zone.rule.holds, f"{zone.place}.holds", card)
        yield from _bounds(zone.rule.size, f"{zone.place}.size", deck)
    for limit in format_.limits:
        yield from _of_limit(limit, card, deck)
    for require in format_.requires:
        each = bool(require.rule.where or require.rule.zones)
        yield Written(require.rule.where, f"{require.place}.where", card)
        yield Written(require.rule.that, f"{require.place}.that", card if each else deck)
    for allow in format_.allows:
        yield Written(allow.rule.where, f"{allow.place}.where", card)
        yield Written(allow.rule.max, f"{allow.place}.max", deck)
    for cover in format_.covers:
        yield Written(cover.rule.where, f"{cover.place}.where", card)
        yield Written(cover.rule.by, f"{cover.place}.by", card)
        conditions = cover.rule.each if isinstance(cover.rule.each, dict) else {}
        for word, condition in conditions.items():
            yield Written(condition, f"{cover.place}.each.{word}", card)
    for placed in _all_rules(format_):
        yield Written(placed.rule.when, f"{placed.place}.when", deck)
        yield from _of_message(placed, card, deck)


def _of_limit(limit: Placed[LimitFile], card: Surroundings, deck: Surroundings) -> Iterator[Written]:
    rule, place = limit.rule, limit.place
    bound = card if rule.by else deck
    for key in ("where", "weigh", "distinct"):
        yield Written(getattr(rule, key), f"{place}.{key}", card)
    for number, by in enumerate(rule.by or ()):
        yield Written(by, f"{place}.by[{number}]", card)
    yield from _bounds(rule, place, bound)
    for number, entry in enumerate(rule.exceptions):
        yield Written(entry.where, f"{place}.except[{number}].where", card)
        yield Written(entry.weigh, f"{place}.except[{number}].weigh", card)
        yield from _bounds(entry, f"{place}.except[{number}]", bound)


def _bounds(bounds: Any, place: str, around: Surroundings) -> Iterator[Written]:
    if bounds is not None:
        for key in ("min", "max", "exactly"):
            yield Written(getattr(bounds, key), f"{place}.{key}", around)


def _of_message(placed: Placed[Any], card: Surroundings, deck: Surroundings) -> Iterator[Written]:
    text = placed.rule.message
    if text is None:
        return
    try:
        asked = holes(text)
    except MessageError as fault:
        raise TourneyError(f"{placed.place}.message: {fault}") from None
    for hole in asked:
        yield Written(hole, f"{placed.place}.message", card if _is_about_cards(placed.rule) else deck)


def _is_about_cards(rule: Any) -> bool:
    if isinstance(rule, RequireFile):
        return bool(rule.where or rule.zones)
    return not isinstance(rule, LimitFile) or bool(rule.by) or rule.max == 0


def _all_rules(format_: Format) -> Iterator[Placed[Any]]:
    yield from format_.zones
    yield from format_.limits
    yield from format_.requires
    yield from format_.allows
    yield from format_.covers
    yield from filter(None, (format_.kit, format_.printings))


def _check_names(format_: Format, around: Surroundings) -> None:
    zones = around.zones or frozenset()
    in_zones: list[Placed[Any]] = [*format_.limits, *format_.requires, *format_.allows, *format_.covers]
    for placed in in_zones:
        for number, zone in enumerate(placed.rule.zones):
            _check_zone(zone, f"{placed.place}.zones[{number}]", zones)
    for placed in format_.covers:
        _check_cover(placed)
    if format_.kit and format_.kit.rule.zone:
        _check_zone(format_.kit.rule.zone, f"{format_.kit.place}.zone", zones)
    if format_.leader:
        _check_zone(format_.leader.rule.zone, f"{format_.leader.place}.zone", zones)
    for name, setting in format_.settings.items():
        if setting.choices and setting.default not in setting.choices:
            raise TourneyError(
                f"{format_.source}: settings.{name}.default: `{setting.default}` is none of the choices"
            )


# -- what is said to no effect


def unheard(format_: Format) -> Iterator[str]:
    """Say which settings of a format nothing asks for, each with its place."""
    yield from _of_the_leader(format_)
    counting = {zone.rule.id for zone in format_.zones if zone.rule.counts}
    for placed in format_.zones:
        zone, place = placed.rule, placed.place
        if not zone.counts and (zone.size is not None or zone.holds is not None):
            yield f"{place}: `size` and `holds` say nothing of a zone that does not count (`counts = false`)"
        elif zone.message is not None and not (
            speaks_of_size(format_, placed) or speaks_of_cards(format_, placed)
        ):
            yield f"{place}.message: " + (
                "the zone has neither `size` nor `holds` to speak of"
                if zone.size is None and zone.holds is None
                else "it asks for a card, but the zone has no `holds` that a card could break"
            )
    for cover in format_.covers:
        if not asks_the_deck(format_, cover):
            yield f"{cover.place}.message: it asks a card for something, but what is missing is no card"
    zoned: list[Placed[Any]] = [*format_.limits, *format_.requires, *format_.allows, *format_.covers]
    for rule in zoned:
        if rule.rule.zones and not counting.intersection(rule.rule.zones):
            yield f"{rule.place}.zones: nothing counts in {' or '.join(rule.rule.zones)} (`counts = false`)"
    severities = {allow.rule.severity for allow in format_.allows}
    if len(severities) > 1:
        advice = next(allow for allow in format_.allows if allow.rule.severity == "advice")
        yield f"{advice.place}.severity: all `[[allow]]` are one rule, and others of them are no advice"


def _of_the_leader(format_: Format) -> Iterator[str]:
    placed = format_.leader
    zone = format_.zone(placed.rule.zone) if placed else None
    if placed is None or zone is None:
        return
    if placed.rule.id:
        yield f"{placed.place}.id: a leader's findings are those of its zone `{zone.id}`: `size` and `wrong-zone`"
    for key, value in said_of(placed.rule, OF_THE_LEADER).items():
        if getattr(zone, key) != value:
            yield f"{placed.place}.{key}: the zone `{zone.id}` says another, which goes first"


def asks_the_deck(format_: Format, placed: Placed[Any]) -> bool:
    """Say whether a rule's message can be said of the whole deck: it asks no card for anything."""
    deck = replace(surroundings(format_), about=About.DECK, this=False)
    try:
        for hole in holes(placed.rule.message or ""):
            check(hole, deck)
    except ExpressionError:
        return False
    return True


def speaks_of_cards(format_: Format, placed: Placed[ZoneFile]) -> bool:
    """Say whether a zone's message is meant for cards that do not belong there, going by what it asks for."""
    zone, asked = placed.rule, given(placed.rule.message or "")
    if zone.holds is None:
        return False
    of_a_card = "card" in asked or not asks_the_deck(format_, placed)
    return of_a_card or zone.size is None or not asked & {"have", "allowed"}


def speaks_of_size(format_: Format, placed: Placed[ZoneFile]) -> bool:
    """Say whether a zone's message is meant for its size: it asks for the numbers, or there is nothing else to speak of.

    The message of a leader's zone that names neither is said of both: of no general, of two, and of one who is none.
    """
    zone, asked = placed.rule, given(placed.rule.message or "")
    if zone.size is None or "card" in asked or not asks_the_deck(format_, placed):
        return False
    leads = format_.leader is not None and format_.leader.rule.zone == zone.id and format_.leader.rule.message
    return zone.holds is None or bool(asked & {"have", "allowed"}) or bool(leads)


def _check_cover(placed: Placed[Any]) -> None:
    words = isinstance(placed.rule.each, tuple)
    if words and placed.rule.by is None:
        raise TourneyError(
            f"{placed.place}: `by` is missing: which of {', '.join(placed.rule.each)} can a card cover?"
        )
    if not words and placed.rule.by is not None:
        raise TourneyError(f"{placed.place}: `by` has nothing to say where `each` gives conditions")


def _check_zone(zone: str, place: str, zones: frozenset[str]) -> None:
    if zone not in zones:
        raise TourneyError(f"{place}: there is no zone `{zone}`; there are {', '.join(sorted(zones))}")


def _check_size(zone: Placed[ZoneFile], around: Surroundings) -> None:
    """Refuse a zone whose size is bounded by its own size: such a rule says nothing, or cannot be kept."""
    deck = replace(around, about=About.DECK, this=False)
    for written in _bounds(zone.rule.size, f"{zone.place}.size", deck):
        if isinstance(written.text, str) and any(
            _is_size_of(node, zone.rule.id) for node in walk(_check(written))
        ):
            raise TourneyError(f"{written.place}: the size of `{zone.rule.id}` cannot be bounded by itself")


def _is_size_of(node: Node, zone: str) -> bool:
    if not (isinstance(node, Call) and node.function == "size"):
        return False
    return not node.arguments or (isinstance(node.arguments[0], Literal) and node.arguments[0].value == zone)
