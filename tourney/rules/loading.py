"""A format: the construction rules of one way to play a game, read from its file into data ready to be asked."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import date
from functools import cached_property, lru_cache
from typing import Any

import msgspec
from msgspec.structs import replace

from tourney.decode import from_toml
from tourney.errors import TourneyError
from tourney.rules import kinds
from tourney.rules.banlist import BUILT_IN_LISTS
from tourney.rules.expressions import About, Scope, check_definitions, parse
from tourney.rules.expressions.language import Name, walk
from tourney.rules.kinds.kind import RuleKind, holes
from tourney.rules.kinds.zones import no_doubles, plain_zones
from tourney.rules.proofread import proofread
from tourney.rules.vocabulary import (
    DayFile,
    EventDefaultsFile,
    ExampleFile,
    FieldFile,
    FormatFile,
    JudgeFile,
    LeaderFile,
    MatchFile,
    OverrideFile,
    Placed,
    PrintingsFile,
    SettingFile,
    StandingsFile,
    ZoneFile,
)


class NamedList(msgspec.Struct, frozen=True):
    """A list of cards with a number for each (1 where the file gives none); keys are names as written."""

    cards: Mapping[str, int]
    place: str


@dataclass(frozen=True, kw_only=True)
class Format:
    """The rules of one format, parents merged in, expressions parsed but not yet bound to a pool.

    id:       `redline/standard`
    game:     the part of the id before the slash
    pool:     the card pool it is played with
    edition:  of the game's rules, as text
    rules:    the rules of each kind, by its word (`limit`)
    banlist:  the name of its ban list, None if it has none; `banlist_at` is where that is published
    parents:  ids of the formats it extends, the nearest first
    houses:   ids of those among it and its parents that extend another and are published nowhere: house overlays
    settings: the organizer's choices with their defaults
    source:   the file it was read from, for messages; `text` what stood there
    digest:   SHA-256 over its own text and its parents', in hexadecimal
    """

    id: str
    name: str
    game: str
    pool: str
    edition: str | None
    about: str | None
    published: str | None
    banlist: str | None
    banlist_at: str | None
    parents: tuple[str, ...]
    houses: frozenset[str]
    define: Mapping[str, str]
    lists: Mapping[str, NamedList]
    settings: Mapping[str, SettingFile]
    leader: Placed[LeaderFile] | None
    zones: tuple[Placed[ZoneFile], ...]
    rules: Mapping[str, tuple[Placed[Any], ...]]
    printings: Placed[PrintingsFile]
    overrides: tuple[tuple[str, Placed[OverrideFile]], ...]
    judge: tuple[Placed[JudgeFile], ...]
    day: tuple[Placed[DayFile], ...]
    examples: tuple[Placed[ExampleFile], ...]
    match: MatchFile
    standings: StandingsFile
    event: EventDefaultsFile
    field: FieldFile | None
    source: str
    text: str
    digest: str

    @property
    def names_its_pool(self) -> bool:
        """Whether the format says which pool it is played with: it is no game's of its own name or of its parents'."""
        return self.pool not in {each.partition("/")[0] for each in (self.id, *self.parents)}

    @cached_property
    def default_zone(self) -> str:
        """The zone where lines under no header go."""
        marked = [zone.rule.id for zone in self.zones if zone.rule.default]
        return marked[0] if marked else self.zones[0].rule.id

    @cached_property
    def parts(self) -> Mapping[str, str]:
        """What people call each zone, by its id, in the order in which a list is read: who leads the deck first.

        The leader's zone goes by what the leader is called, unless it has a name of its own.
        """
        led = self.leader.rule if self.leader else None
        zones = {zone.rule.id: zone.rule.name or zone.rule.id for zone in self.zones}
        if led is None:
            return zones
        own = zones.pop(led.zone, led.zone)
        return {led.zone: (led.noun or own).capitalize() if own == led.zone else own, **zones}

    def choice(self, name: str, typed: Any) -> Any:
        """Return the organizer's choice `name` as it was typed. Raises TourneyError if the format does not have it."""
        setting = self.settings.get(name)
        if setting is None:
            choices = ", ".join(f"`{each}`" for each in self.settings) or "none"
            raise TourneyError(f"{self.id} leaves no choice called `{name}`", f"its choices: {choices}")
        value = setting.value(typed)
        if setting.choices and value not in setting.choices:
            raise TourneyError(f"{name}: `{typed}` is not among {', '.join(map(str, setting.choices))}")
        if isinstance(setting.default, bool) and not isinstance(value, bool):
            raise TourneyError(f"{name}: `{typed}` is neither yes nor no")
        if type(value) is not type(setting.default):
            raise TourneyError(f"{name}: `{typed}` is not of the same kind as its default, {setting.default}")
        return value

    def zone(self, name: str) -> ZoneFile | None:
        """Return the zone with this id, None if there is none."""
        return self._zones.get(name)

    @cached_property
    def _zones(self) -> Mapping[str, ZoneFile]:
        return {zone.rule.id: zone.rule for zone in self.zones}

    def cite(self, placed: Placed[Any]) -> str | None:
        """Return where a rule stands; a house overlay's own rule says whose it is."""
        cite: str | None = placed.rule.cite
        if placed.origin in self.houses:
            return f"house rule of {placed.origin}" + (f": {cite}" if cite else "")
        return cite

    @cached_property
    def of_a_card(self) -> Scope:
        """What an expression may name that is asked of a card."""
        lists = None if self.banlist else frozenset(self.lists) | BUILT_IN_LISTS
        return Scope(
            define=self.define,
            zones=frozenset(zone.rule.id for zone in self.zones),
            lists=lists,
            settings=frozenset(self.settings),
            leader=self.leader is not None,
        )

    @cached_property
    def of_the_deck(self) -> Scope:
        """What an expression may name that is asked of the whole deck."""
        return msgspec.structs.replace(self.of_a_card, about=About.DECK, this=False)

    def part(self, zones: Collection[str]) -> Format:
        """Return the rules of some zones alone, as of a mission deck that everybody plays with: there has to be such a part.

        What is asked of the leader, or of the deck as a whole, is not asked of a part.
        """
        kept = [placed for placed in self.zones if placed.rule.id in zones]
        mine = frozenset(placed.rule.id for placed in kept)
        parts = tuple(
            Placed(
                replace(placed.rule, optional=False, when=None, default=number == 0),
                placed.origin,
                placed.place,
            )
            for number, placed in enumerate(kept)
        )
        rules = {
            kind.word: tuple(
                own
                for each in self.rules[kind.word]
                if (own := kind.of_a_part(each, mine)) and not self._asks_the_leader(kind, each)
            )
            for kind in kinds.KINDS
        }
        return dataclasses.replace(self, zones=parts, leader=None, rules=rules, examples=())

    def _asks_the_leader(self, kind: RuleKind[Any], placed: Placed[Any]) -> bool:
        texts = [each.text for each in kind.expressions(placed, self.of_a_card, self.of_the_deck)]
        texts += [placed.rule.when, *holes(placed.rule.message or "")]
        return any(
            getattr(node, "base", "") == "leader" or (isinstance(node, Name) and node.name == "leader")
            for text in texts
            if isinstance(text, str)
            for node in walk(parse(text))
        )

    def in_force(self, placed: Placed[Any], day: date) -> bool:
        """Say whether a rule (or an override) holds on `day`."""
        since, until = getattr(placed.rule, "since", None), getattr(placed.rule, "until", None)
        return (since is None or since <= day) and (until is None or day <= until)


# -- From the text of a file: parents merged, short ways of writing rewritten, every expression read once


_loading: ContextVar[tuple[str, ...]] = ContextVar("formats being loaded", default=())


def parse_format(text: str, *, source: str, parent: Callable[[str], Format]) -> Format:
    """Read a format file.

    source: names the file in messages
    parent: gives the format that an `extends` names; it may call `parse_format` again

    Raises TourneyError with file, key path and reason: a wrong shape, an expression that is not in the language
    (with its column), two rules of one id, a format that extends itself, a rule bounded by itself.
    """
    file = from_toml(text, _shape(kinds.KINDS), source=source)
    file_id = _checked_id(file.format.id, source)
    chain = _loading.get()
    if file_id in chain:
        way = " → ".join((*chain[chain.index(file_id) :], file_id))
        raise TourneyError(f"{source}: extends: a format cannot extend itself ({way})")
    token = _loading.set((*chain, file_id))
    try:
        base = _extended(file, source, parent)
    finally:
        _loading.reset(token)
    format_ = _assemble(file, base, text, source)
    try:
        proofread(format_)
    except TourneyError as fault:
        if base is None or fault.message.startswith(f"{source}:"):
            raise
        inherited = f"{source}: a rule that it inherits does not hold in it: {fault.message}"
        raise TourneyError(inherited, fault.hint) from None
    return format_


@lru_cache
def _shape(kinds_: tuple[RuleKind[Any], ...]) -> type[FormatFile]:
    """Return the shape of a format file: its own words, and a table for each kind of rule."""
    tables = [
        (kind.word, kind.shape | None, None) if kind.single else (kind.word, tuple[kind.shape, ...], ())  # type: ignore[name-defined]
        for kind in kinds_
    ]
    return msgspec.defstruct(  # type: ignore[return-value]
        "FormatFile", tables, bases=(FormatFile,), frozen=True, kw_only=True, forbid_unknown_fields=True
    )


def _checked_id(name: str, source: str) -> str:
    if name != name.strip() or any(part in {"", ".", ".."} for part in name.split("/")):
        raise TourneyError(
            f"{source}: format.id: `{name}` should be the game, a slash and the format",
            'id = "redline/standard"',
        )
    return name


def _extended(file: FormatFile, source: str, parent: Callable[[str], Format]) -> Format | None:
    named = [name for name in (file.extends, file.format.extends) if name]
    if len(named) > 1:
        raise TourneyError(f"{source}: extends: said twice, once at the top and once under [format]")
    if not named:
        return None
    try:
        return parent(named[0])
    except TourneyError as fault:
        raise TourneyError(f"{source}: extends `{named[0]}`: {fault.message}", fault.hint) from None
    except KeyError:
        raise TourneyError(f"{source}: extends: there is no format `{named[0]}`") from None


def _assemble(file: FormatFile, base: Format | None, text: str, source: str) -> Format:
    head, mine = file.format, file.format.id
    dropped = _dropped(file, base, source)
    define = {**(base.define if base else {}), **file.define}
    check_definitions(define, source)
    own_zones, leader = plain_zones(file, base, source)
    examples = _examples(file, source)
    return Format(
        id=mine,
        name=head.name or mine,
        game=mine.partition("/")[0],
        pool=head.pool or (base.pool if base else mine.partition("/")[0]),
        edition=head.rules or (base.edition if base else None),
        about=head.about,
        published=head.source or (base.published if base else None),
        banlist=_banlist(file, base),
        banlist_at=head.banlist_at or (base.banlist_at if base else None),
        parents=(base.id, *base.parents) if base else (),
        houses=_houses(file, base),
        define=define,
        lists={**(base.lists if base else {}), **_lists(file, source)},
        settings={**(base.settings if base else {}), **file.settings},
        leader=leader or (base.leader if base else None),
        zones=_merged(base.zones if base else (), own_zones, dropped, "zone:"),
        rules=_rules(file, base, dropped, source),
        printings=_printings(file, base, source),
        overrides=(*(base.overrides if base else ()), *_overrides(file, source)),
        judge=(*(base.judge if base else ()), *_judge(file, source)),
        day=(*(base.day if base else ()), *_day(file, source)),
        examples=examples,
        match=file.match or (base.match if base else MatchFile()),
        standings=file.standings or (base.standings if base else StandingsFile()),
        event=file.event or (base.event if base else EventDefaultsFile()),
        field=file.field or (base.field if base else None),
        source=source,
        text=text,
        digest=_digest(text, base),
    )


def _examples(file: FormatFile, source: str) -> tuple[Placed[ExampleFile], ...]:
    for number, example in enumerate(file.example):
        place = f"{source}: example[{number}]"
        if example.unverified and (example.legal is not None or example.breaks):
            raise TourneyError(
                f"{place}: a deck that is `unverified` is neither `legal` nor `breaks` anything"
            )
        if example.legal and example.breaks:
            raise TourneyError(f"{place}: a deck cannot be `legal` and break {', '.join(example.breaks)}")
    return tuple(
        Placed(example, file.format.id, f"{source}: example[{number}]")
        for number, example in enumerate(file.example)
    )


def _rules(
    file: FormatFile, base: Format | None, dropped: frozenset[str], source: str
) -> dict[str, tuple[Placed[Any], ...]]:
    """Return the rules of each kind, those of the extended format first. Raises TourneyError."""
    own = {kind.word: tuple(_placed(kind, file, source)) for kind in kinds.KINDS}
    no_doubles(
        ((each.rule.id, each.place) for kind in kinds.KINDS for each in own[kind.word] if not kind.single),
        "rule",
    )
    rules = {}
    for kind in kinds.KINDS:
        inherited = base.rules[kind.word] if base else ()
        if kind.single:
            rules[kind.word] = own[kind.word] or (() if kind.word in dropped else inherited)
        else:
            rules[kind.word] = _merged(inherited, own[kind.word], dropped)
    return rules


def _placed(kind: RuleKind[Any], file: FormatFile, source: str) -> Iterator[Placed[Any]]:
    """Give the rules of a kind that a file says itself, short ways of writing rewritten."""
    written = getattr(file, kind.word)
    if kind.single:
        if written is not None:
            place = f"{source}: {kind.word}"
            yield Placed(kind.plain(written, place), file.format.id, place)
        return
    several = len(written) > 1
    for number, entry in enumerate(written):
        place = f"{source}: {kind.word}[{number}]"
        rule = kind.plain(entry, place)
        if not rule.id and kind.named:
            rule = replace(rule, id=f"{kind.word}-{number + 1}" if several else kind.word)
        if not rule.id:
            raise TourneyError(
                f"{place}: the key `id` is missing", 'the handle that findings print: id = "copies"'
            )
        yield Placed(rule, file.format.id, place)


def _merged(
    inherited: tuple[Placed[Any], ...],
    own: tuple[Placed[Any], ...],
    dropped: frozenset[str],
    prefix: str = "",
) -> tuple[Placed[Any], ...]:
    """Return the extended format's rules without those that are dropped, those said anew in their place, and the new ones."""
    anew = {placed.rule.id: placed for placed in own}
    remaining = [anew.pop(old.rule.id, old) for old in inherited if prefix + old.rule.id not in dropped]
    return (*remaining, *(placed for placed in own if placed.rule.id in anew))


def _overrides(file: FormatFile, source: str) -> Iterator[tuple[str, Placed[OverrideFile]]]:
    for card, errata in file.override.items():
        yield card, Placed(errata, file.format.id, f'{source}: override."{card}"')


def _judge(file: FormatFile, source: str) -> tuple[Placed[JudgeFile], ...]:
    return tuple(
        Placed(entry, file.format.id, f"{source}: judge[{number}]") for number, entry in enumerate(file.judge)
    )


def _day(file: FormatFile, source: str) -> Iterator[Placed[DayFile]]:
    for number, entry in enumerate(file.day):
        yield Placed(entry, file.format.id, f"{source}: day[{number}]")


def _banlist(file: FormatFile, base: Format | None) -> str | None:
    name = file.format.banlist
    if name is None:
        return base.banlist if base else None
    return None if name in {"", "none"} else name


def _digest(text: str, base: Format | None) -> str:
    whole = hashlib.sha256(text.encode())
    if base:
        whole.update(base.digest.encode())
    return whole.hexdigest()


def _lists(file: FormatFile, source: str) -> dict[str, NamedList]:
    return {
        name: NamedList(
            dict(cards) if isinstance(cards, dict) else dict.fromkeys(cards, 1), f"{source}: lists.{name}"
        )
        for name, cards in file.lists.items()
    }


def _printings(file: FormatFile, base: Format | None, source: str) -> Placed[PrintingsFile]:
    if file.printings:
        return Placed(
            replace(file.printings, id=file.printings.id or "printing"),
            file.format.id,
            f"{source}: printings",
        )
    if base:
        return base.printings
    usual = PrintingsFile(id="printing", standing="reading", cite="usual, unless a format says otherwise")
    return Placed(usual, file.format.id, f"{source}: printings")


def _houses(file: FormatFile, base: Format | None) -> frozenset[str]:
    """Name the house overlays: what extends another format and says of no page that it is published there."""
    if base is None:
        return frozenset()
    return base.houses if file.format.source else base.houses | {file.format.id}


def _dropped(file: FormatFile, base: Format | None, source: str) -> frozenset[str]:
    if not file.format.drop:
        return frozenset()
    if base is None:
        raise TourneyError(f"{source}: format.drop: there is nothing to drop, this format extends no other")
    droppable = {f"zone:{zone.rule.id}" for zone in base.zones}
    for kind in kinds.KINDS:
        droppable |= {kind.word if kind.single else each.rule.id for each in base.rules[kind.word]}
    for name in file.format.drop:
        if name not in droppable:
            raise TourneyError(
                f"{source}: format.drop: `{base.id}` has no rule `{name}`",
                f"its rules: {', '.join(sorted(droppable))}",
            )
    return frozenset(file.format.drop)
