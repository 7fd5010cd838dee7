"""Short ways to write a rule, rewritten to the plain ones; and what the shape of a file alone cannot say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from tourney.errors import TourneyError
from tourney.rules.format import Format, Placed
from tourney.rules.vocabulary import (
    AllowFile,
    Bound,
    CoverFile,
    ExampleFile,
    FormatFile,
    KitFile,
    LeaderFile,
    LimitFile,
    OverrideFile,
    RequireFile,
    Ruled,
    SizeFile,
    ZoneFile,
)

R = TypeVar("R", AllowFile, CoverFile, LimitFile, RequireFile)


class PlainRules(msgspec.Struct, frozen=True, kw_only=True):
    """The rules a file says itself, sugar rewritten."""

    limits: tuple[Placed[LimitFile], ...]
    requires: tuple[Placed[RequireFile], ...]
    allows: tuple[Placed[AllowFile], ...]
    covers: tuple[Placed[CoverFile], ...]
    kit: Placed[KitFile] | None
    overrides: tuple[tuple[str, Placed[OverrideFile]], ...]
    examples: tuple[Placed[ExampleFile], ...]


def plain_zones(
    file: FormatFile, base: Format | None, source: str
) -> tuple[tuple[Placed[ZoneFile], ...], Placed[LeaderFile] | None]:
    """Return the zones a file declares, the leader's own among them, and its leader. Raises TourneyError."""
    origin = file.format.id
    zones = [
        Placed(_plain_zone(zone, f"{source}: zone[{number}]"), origin, f"{source}: zone[{number}]")
        for number, zone in enumerate(file.zone)
    ]
    _no_doubles([(placed.rule.id, placed.place) for placed in zones], "zone")
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


OF_THE_LEADER = ("title", "cite", "standing", "severity", "when", "message", "since", "until")
"""What `[leader]` says of the rules of its zone: that there is such a card, and which cards it may be."""


def said_of(rule: Ruled, keys: Iterable[str]) -> dict[str, Any]:
    """Return those keys of a rule that say something else than what holds unsaid."""
    return {key: getattr(rule, key) for key in keys if getattr(rule, key) != getattr(Ruled(), key)}


def _with_leader(
    zones: list[Placed[ZoneFile]], leader: Placed[LeaderFile], base: Format | None
) -> list[Placed[ZoneFile]]:
    """Add the leader's zone, or add to it what the leader says of it; the zone's own word goes first."""
    said, told = leader.rule, said_of(leader.rule, OF_THE_LEADER)
    elders = tuple(base.zones) if base else ()
    declared = next((placed for placed in (*zones, *elders) if placed.rule.id == said.zone), None)
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
    told = {key: value for key, value in told.items() if key not in said_of(declared.rule, OF_THE_LEADER)}
    if not told:
        return zones
    whole = replace(declared.rule, **told)
    if declared in zones:
        return [Placed(whole, each.origin, each.place) if each is declared else each for each in zones]
    return [*zones, Placed(whole, leader.origin, leader.place)]


def _plain_zone(zone: ZoneFile, place: str) -> ZoneFile:
    if not zone.id:
        raise TourneyError(f"{place}: the key `id` is missing")
    return replace(zone, size=_plain_size(zone.size, f"{place}.size"))


def _plain_size(size: Bound | SizeFile | None, place: str) -> SizeFile | None:
    if size is None:
        return None
    if not isinstance(size, SizeFile):
        size = SizeFile(exactly=size)
    _one_kind_of_bound(size, place)
    return size


def _one_kind_of_bound(bounds: Any, place: str) -> None:
    if bounds.exactly is not None and (bounds.min is not None or bounds.max is not None):
        raise TourneyError(f"{place}: `exactly` says it all, `min` and `max` beside it do not make sense")
    for key in ("min", "max", "exactly"):
        bound = getattr(bounds, key)
        if isinstance(bound, int) and bound < 0:
            raise TourneyError(f"{place}.{key}: {bound} is less than no cards at all")
    if isinstance(bounds.min, int) and isinstance(bounds.max, int) and bounds.min > bounds.max:
        raise TourneyError(f"{place}: at least {bounds.min} and at most {bounds.max} cannot both hold")


def plain_rules(file: FormatFile, source: str) -> PlainRules:
    """Return the rules a file says itself. Raises TourneyError for doubled handles and bounds that contradict."""
    origin = file.format.id
    limits = _placed(
        (_plain_limit(rule, source, number) for number, rule in enumerate(file.limit)), "limit", file, source
    )
    rules = PlainRules(
        limits=limits,
        requires=_placed(file.require, "require", file, source),
        allows=_placed(_named(file.allow, "allow"), "allow", file, source),
        covers=_placed(_named(file.cover, "cover"), "cover", file, source),
        kit=Placed(_plain_kit(file.kit, source), origin, f"{source}: kit") if file.kit else None,
        overrides=tuple(
            (card, Placed(said, origin, f'{source}: override."{card}"'))
            for card, said in file.override.items()
        ),
        examples=tuple(
            Placed(example, origin, f"{source}: example[{number}]")
            for number, example in enumerate(file.example)
        ),
    )
    handles = (rules.limits, rules.requires, rules.allows, rules.covers)
    _no_doubles([(placed.rule.id, placed.place) for kind in handles for placed in kind], "rule")
    for example in rules.examples:
        _check_example(example)
    return rules


def _check_example(example: Placed[ExampleFile]) -> None:
    said = example.rule
    if said.unverified and (said.legal is not None or said.breaks):
        raise TourneyError(
            f"{example.place}: a deck that is `unverified` is neither `legal` nor `breaks` anything"
        )
    if said.legal and said.breaks:
        raise TourneyError(f"{example.place}: a deck cannot be `legal` and break {', '.join(said.breaks)}")


def _placed(rules: Iterable[R], kind: str, file: FormatFile, source: str) -> tuple[Placed[R], ...]:
    placed = []
    for number, rule in enumerate(rules):
        place = f"{source}: {kind}[{number}]"
        if not rule.id:
            raise TourneyError(
                f"{place}: the key `id` is missing", 'the handle that findings print: id = "copies"'
            )
        placed.append(Placed(rule, file.format.id, place))
    return tuple(placed)


def _named(rules: Sequence[R], word: str) -> list[R]:
    """Give rules without a handle one: `allow`, or `allow-2` where there are several."""
    several = len(rules) > 1
    return [
        rule if rule.id else replace(rule, id=f"{word}-{number}" if several else word)
        for number, rule in enumerate(rules, 1)
    ]


def _plain_limit(limit: LimitFile, source: str, number: int) -> LimitFile:
    place = f"{source}: limit[{number}]"
    _one_kind_of_bound(limit, place)
    if limit.max is None and limit.min is None and limit.exactly is None:
        raise TourneyError(f"{place}: a limit needs `max`, `min` or `exactly`")
    if limit.distinct is not None and limit.weigh is not None:
        raise TourneyError(f"{place}: `distinct` counts values, `weigh` adds up copies: only one of them")
    for which, entry in enumerate(limit.exceptions):
        _check_exception(limit, entry, f"{place}.except[{which}]")
    by = (limit.by,) if isinstance(limit.by, str) else (limit.by or ())
    if limit.per == "zone":
        return replace(limit, by=(*by, "zone"), per="copy")
    return replace(limit, by=by)


def _check_exception(limit: LimitFile, entry: Any, place: str) -> None:
    _one_kind_of_bound(entry, place)
    bounded = any(bound is not None for bound in (entry.max, entry.min, entry.exactly))
    if entry.weigh is not None and (bounded or limit.distinct is not None):
        raise TourneyError(
            f"{place}: `weigh` keeps the cards in the count; a bound or `distinct` beside it does not fit"
        )


def _plain_kit(kit: KitFile, source: str) -> KitFile:
    for card, copies in kit.cards.items():
        if copies < 1:
            raise TourneyError(f'{source}: kit.cards."{card}": {copies} copies are none')
    return replace(kit, id=kit.id or "kit")


def _no_doubles(handles: list[tuple[str, str]], kind: str) -> None:
    seen: dict[str, str] = {}
    for handle, place in handles:
        if handle in seen:
            raise TourneyError(
                f"{place}.id: there is a {kind} `{handle}` already ({seen[handle].rpartition(': ')[2]})"
            )
        seen[handle] = place
