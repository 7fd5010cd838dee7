"""A format: the construction rules of one way to play a game, as data, ready to be asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any, Generic, TypeVar

import msgspec

from tourney.rules.expressions import About, Surroundings
from tourney.rules.vocabulary import (
    EventFile,
    ExampleFile,
    JudgeFile,
    LeaderFile,
    MatchFile,
    OverrideFile,
    PrintingsFile,
    SettingFile,
    StandingsFile,
    ZoneFile,
)

Rule_co = TypeVar("Rule_co", covariant=True)
BUILT_IN_LISTS = frozenset({"banned", "restricted", "points"})


class Placed(msgspec.Struct, Generic[Rule_co], frozen=True):
    """A rule and whose it is.

    rule:   what the file says, sugar already rewritten
    origin: the id of the format that says it (a house overlay's rules are told apart in messages)
    place:  file and key path, for messages
    """

    rule: Rule_co
    origin: str
    place: str


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
    examples: tuple[Placed[ExampleFile], ...]
    match: MatchFile
    standings: StandingsFile
    event: EventFile
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
    def of_a_card(self) -> Surroundings:
        """What an expression may name that is asked of a card."""
        lists = None if self.banlist else frozenset(self.lists) | BUILT_IN_LISTS
        return Surroundings(
            define=self.define,
            zones=frozenset(zone.rule.id for zone in self.zones),
            lists=lists,
            settings=frozenset(self.settings),
            leader=self.leader is not None,
        )

    @cached_property
    def of_the_deck(self) -> Surroundings:
        """What an expression may name that is asked of the whole deck."""
        return msgspec.structs.replace(self.of_a_card, about=About.DECK, this=False)

    def in_force(self, placed: Placed[Any], day: date) -> bool:
        """Say whether a rule (or an override) holds on `day`."""
        since, until = getattr(placed.rule, "since", None), getattr(placed.rule, "until", None)
        return (since is None or since <= day) and (until is None or day <= until)
