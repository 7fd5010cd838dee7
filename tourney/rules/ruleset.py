"""A format, a ban list and a pool on a day: everything a decklist is held against."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from tourney.cards import Card, Pool
from tourney.cards.names import FoldedName, fold
from tourney.cards.near_names import NamesInside, NearNames, another_number
from tourney.errors import TourneyError
from tourney.rules.banlist import BanList
from tourney.rules.bound import Expressions, counted_key
from tourney.rules.composing import Composer
from tourney.rules.expressions.binding import Asked
from tourney.rules.format import Format
from tourney.rules.kinds.terms import Outcome, Rule, Terms
from tourney.rules.kinds.zones import Holds, Size
from tourney.rules.lookup import Lookup
from tourney.rules.slots import Deck
from tourney.rules.vocabulary import OverrideFile, Scalar

_NEARLY = 0.8
"""The share of letters that a name has in common with a banned one that may be meant."""


@dataclass(frozen=True)
class Ruleset:
    """What holds on a day.

    banlist:  the list in force, None where none is installed (the verdict says so)
    settings: the organizer's choices that differ from the format's defaults
    without_banlist: whether that there is no list is the organizer's choice, and nothing to be told

    Raises TourneyError where the format asks for an attribute that the pool does not have, or for a setting or a
    choice that does not exist.
    """

    format: Format
    banlist: BanList | None
    pool: Pool
    day: date
    settings: Mapping[str, Scalar] = field(default_factory=dict)
    without_banlist: bool = False

    def __post_init__(self) -> None:
        self._check_settings()
        _ = (
            self.rules,
            self.printings,
        )  # bound at once, so that a faulty format is refused here and not at the first deck

    def judge(self, deck: Deck) -> Iterator[Outcome]:
        """Give what every rule finds in a deck, in the order of the format."""
        for rule in self.rules:
            yield from rule.judge(deck)

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """The rules that hold on the day, bound to the pool."""
        format_ = self.format
        kinds = (format_.zones, format_.limits, format_.requires, format_.covers, format_.allows)
        placed = [each for kind in kinds for each in kind if format_.in_force(each, self.day)]
        composer = Composer(format_, self.pool, self._expressions)
        return (*composer.rules(placed), *composer.kit(), *self._bans(composer))

    def _bans(self, composer: Composer) -> Iterator[Rule]:
        if self.banlist:
            from tourney.rules.banning import bans

            yield from bans(self.banlist, composer)

    def rules_of(self, zone: str) -> Iterator[Rule]:
        """Give the rules of a zone itself: its size, and what it holds."""
        return (rule for rule in self.rules if isinstance(rule, Size | Holds) and rule.zone == zone)

    @cached_property
    def cards(self) -> Lookup:
        """The cards of the pool by name, as they are to be read on the day."""
        written = [name for said in self.format.lists.values() for name in said.cards]
        written += [name for name, _ in self.format.overrides]
        written += self.banlist.names() if self.banlist else ()
        return Lookup(self.pool, self.read, {fold(name): name for name in written})

    @cached_property
    def banned(self) -> Mapping[FoldedName, str]:
        """The cards that the ban list in force forbids or holds down, folded name → as written."""
        return {fold(name): name for name in self.banlist.cards} if self.banlist else {}

    def near_banned(self, written: str, readings: Iterable[str]) -> str | None:
        """Return the banned or restricted card that a name nearly is, or is with words behind it; None without one.

        written: the whole name; readings: the shorter ones, without what may be decoration
        """
        for reading in readings:
            if fold(reading) in self.banned:
                return self.banned[fold(reading)]
        if not self.banned:
            return None
        near = self._near_banned.near(written, limit=1, at_least=_NEARLY)
        return next((name for name in near if not another_number(written, name)), None) or (
            self._banned_inside.inside(written)
        )

    @cached_property
    def _near_banned(self) -> NearNames:
        return NearNames(self.banned.values())

    @cached_property
    def _banned_inside(self) -> NamesInside:
        return NamesInside(self.banned.values())

    @cached_property
    def _expressions(self) -> Expressions:
        return Expressions.of(self.format, self.pool)

    @cached_property
    def holds(self) -> Mapping[str, Asked]:
        """What each zone that is choosy takes."""
        return {
            zone.rule.id: self._expressions.need(zone.rule.holds, f"{zone.place}.holds")
            for zone in self.format.zones
            if zone.rule.holds is not None and self.format.in_force(zone, self.day)
        }

    @cached_property
    def leads(self) -> Asked | None:
        """Tell the leader among the cards of an undivided list, None where the format has no such condition."""
        leader = self.format.leader
        return self._expressions.asked(leader.rule.where, f"{leader.place}.where") if leader else None

    @cached_property
    def expected(self) -> Mapping[str, Asked]:
        """When each zone that has a `when` is expected in a list."""
        from tourney.rules.expressions import About

        return {
            zone.rule.id: self._expressions.need(zone.rule.when, f"{zone.place}.when", About.DECK)
            for zone in self.format.zones
            if zone.rule.when is not None
        }

    @cached_property
    def printings(self) -> Terms | None:
        """The terms on which printings may be played; None where that rule does not hold on the day."""
        from tourney.rules.expressions import About

        placed = self.format.printings
        if not self.format.in_force(placed, self.day):
            return None
        return Composer(self.format, self.pool, self._expressions).terms(placed, About.CARD)

    @cached_property
    def chosen(self) -> Mapping[str, Scalar]:
        """Every setting with the value that holds."""
        return {**{name: setting.default for name, setting in self.format.settings.items()}, **self.settings}

    @cached_property
    def lists(self) -> Mapping[str, Mapping[str, int]]:
        """The named lists, keyed by folded names: what `listed` and `points` ask."""
        written: dict[str, Mapping[str, int]] = {name: said.cards for name, said in self.format.lists.items()}
        written.update(self.banlist.lists if self.banlist else {})
        return {
            name: {counted_key(self.pool, card): number for card, number in cards.items()}
            for name, cards in written.items()
        }

    def read(self, card: Card) -> Card:
        """Return a pool card as it is to be read on the day: with its errata."""
        if not self._errata:
            return card
        said = self._errata.get(fold(card.name)) or self._errata.get(card.id)
        if not said:
            return card
        facts = {key: value for errata in said for key, value in errata.set.items()}
        return card.overridden(facts)

    @cached_property
    def _errata(self) -> Mapping[str, list[OverrideFile]]:
        found: dict[str, list[OverrideFile]] = {}
        for name, placed in self.format.overrides:
            if self.format.in_force(placed, self.day):
                found.setdefault(counted_key(self.pool, name), []).append(placed.rule)
        return found

    def _check_settings(self) -> None:
        for name, value in self.settings.items():
            known = self.format.settings.get(name)
            if known is None:
                there = ", ".join(self.format.settings) or "none"
                raise TourneyError(f"{self.format.id} has no setting `{name}`", f"its settings: {there}")
            if known.choices and value not in known.choices:
                choices = ", ".join(str(choice) for choice in known.choices)
                raise TourneyError(f"setting `{name}`: `{value}` is none of {choices}")
