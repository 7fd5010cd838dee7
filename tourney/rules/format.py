"""A format: the construction rules of one way to play a game."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import cached_property
from typing import Any

import msgspec
from msgspec import Struct

from tourney.errors import TourneyError
from tourney.rules.expressions.language import About, Scope
from tourney.rules.vocabulary import (
    BUILT_IN_LISTS,
    DayFile,
    EventDefaultsFile,
    ExampleFile,
    FieldFile,
    JudgeFile,
    LeaderFile,
    MatchFile,
    OverrideFile,
    PrintingsFile,
    RuleEntry,
    SettingFile,
    StandingsFile,
    ZoneFile,
)


class NamedList(Struct, frozen=True):
    """A list of cards that a format file names.

    cards: the card's name as written → the card's number in the list, such as its points; 1 for each card if
           the file gives a list without numbers
    place: the file and the key of the list, for messages
    """

    cards: Mapping[str, int]
    place: str


class Format(Struct, frozen=True, kw_only=True, dict=True):
    """The rules of one format, including those of the formats it extends.

    id:         such as `redline/standard`; game: the part of the id before the slash
    pool:       the name of the card pool
    edition:    the edition of the game's rules, as text
    rules:      the word of a kind of rules, such as `limit` → the rules of this kind
    banlist:    the name of its ban list, or None; banlist_at: the address where that list is published
    parents:    the ids of the formats it extends, the nearest first
    houses:     the ids of those house overlays that are this format or one of its parents. A house overlay is
                an unpublished format that extends another one
    settings:   the organizer's choices
    source:     the file's name in messages; text: the file's text
    digest:     SHA-256 over its text and its parents' texts, in hexadecimal
    is_shipped: whether the format comes with the program, and so has been checked by the program's tests
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
    leader: RuleEntry[LeaderFile] | None
    zones: tuple[RuleEntry[ZoneFile], ...]
    rules: Mapping[str, tuple[RuleEntry[Any], ...]]
    printings: RuleEntry[PrintingsFile]
    overrides: tuple[tuple[str, RuleEntry[OverrideFile]], ...]
    judge: tuple[RuleEntry[JudgeFile], ...]
    day: tuple[RuleEntry[DayFile], ...]
    examples: tuple[RuleEntry[ExampleFile], ...]
    match: MatchFile
    standings: StandingsFile
    event: EventDefaultsFile
    field: FieldFile | None
    source: str
    text: str
    digest: str
    is_shipped: bool = False

    @property
    def names_its_pool(self) -> bool:
        """Whether the pool has another name than the game, and than the games of the parent formats."""
        return self.pool not in {format_id.partition("/")[0] for format_id in (self.id, *self.parents)}

    @cached_property
    def default_zone(self) -> str:
        """The zone of lines under no header."""
        default_ids = [zone.rule.id for zone in self.zones if zone.rule.default]
        return default_ids[0] if default_ids else self.zones[0].rule.id

    @cached_property
    def parts(self) -> Mapping[str, str]:
        """Zone id → the zone's name, the leader's zone first.

        A zone without a name is named by its id. If the leader's zone has no name, it gets the format's word
        for the leader, such as `General`, or else its capitalized id.
        """
        zones = {zone.rule.id: zone.rule.name or zone.rule.id for zone in self.zones}
        if self.leader is None:
            return zones
        leader = self.leader.rule
        name = zones.pop(leader.zone, leader.zone)
        return {leader.zone: (leader.noun or name).capitalize() if name == leader.zone else name, **zones}

    def choice(self, name: str, value: Any) -> Any:
        """Return the organizer's choice for a setting as a valid value.

        Raises TourneyError if there is no such setting, or if the choice is not allowed.
        """
        setting = self.settings.get(name)
        if setting is None:
            choices = ", ".join(f"`{choice}`" for choice in self.settings) or "none"
            raise TourneyError(f"{self.id} has no setting `{name}`", f"settings of {self.id}: {choices}")
        return setting.check_choice(name, value)

    def zone(self, name: str) -> ZoneFile | None:
        """Return the zone with this id; None if there is none."""
        return self._zones.get(name)

    @cached_property
    def _zones(self) -> Mapping[str, ZoneFile]:
        return {zone.rule.id: zone.rule for zone in self.zones}

    def cite(self, entry: RuleEntry[Any]) -> str | None:
        """Return the source of a rule. The source of a house overlay's rule names the overlay."""
        cite: str | None = entry.rule.cite
        if entry.origin in self.houses:
            return f"house rule of {entry.origin}" + (f": {cite}" if cite else "")
        return cite

    @cached_property
    def card_scope(self) -> Scope:
        """The names that an expression about a card may use."""
        return Scope(
            define=self.define,
            zones=frozenset(self._zones),
            lists=None if self.banlist else frozenset(self.lists) | BUILT_IN_LISTS,
            settings=frozenset(self.settings),
            leader=self.leader is not None,
        )

    @cached_property
    def deck_scope(self) -> Scope:
        """The names that an expression about the whole deck may use."""
        return msgspec.structs.replace(self.card_scope, about=About.DECK, this=False)

    def scope(self, about: About) -> Scope:
        """Return the names that an expression about a card, or about the whole deck, may use."""
        return self.deck_scope if about is About.DECK else self.card_scope

    def in_force(self, entry: RuleEntry[Any], day: date) -> bool:
        """Return whether a rule or an override is in force on a day."""
        since, until = getattr(entry.rule, "since", None), getattr(entry.rule, "until", None)
        return (since is None or since <= day) and (until is None or day <= until)
