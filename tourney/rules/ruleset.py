"""A format, a ban list and a pool on a day: everything a decklist is held against."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import Any

import msgspec

from tourney.cards.card import UNKNOWN, Card, Status
from tourney.cards.names import FACE_SEPARATOR, FoldedName, NearNames, fold, numbers_differ
from tourney.cards.pool import Pool
from tourney.errors import TourneyError
from tourney.rules import kinds
from tourney.rules.banlist import BanList, banlist_rules
from tourney.rules.expressions import About, truth
from tourney.rules.expressions.deck import Deck, Evaluator, Leader, View
from tourney.rules.kinds.kind import Composer, Expressions, Outcome, Rule, Terms, counted_key
from tourney.rules.kinds.zones import Holds, Size, zone_rules
from tourney.rules.loading import Format
from tourney.rules.vocabulary import OverrideFile, Placed, Scalar

_NEARLY = 0.8
"""The share of letters that a name has in common with a banned one that may be meant."""


@dataclass(frozen=True)
class Ruleset:
    """What holds on a day.

    banlist:  the list in force, None where none is installed (the verdict says so)
    settings: the organizer's choices that differ from the format's defaults
    without_banlist: whether that there is no list is the organizer's choice, and nothing to be told
    of_an_event: whether an event keeps these rules, so that it has to adopt a list that is installed later

    Raises TourneyError where the format asks for an attribute that the pool does not have, or for a setting or a
    choice that does not exist.
    """

    format: Format
    banlist: BanList | None
    pool: Pool
    day: date
    settings: Mapping[str, Scalar] = field(default_factory=dict)
    without_banlist: bool = False
    of_an_event: bool = False

    def __post_init__(self) -> None:
        self._check_settings()
        # Bound at once, so that a faulty format is refused here and not at the first deck.
        _ = self.rules, self.printings

    def judge(self, deck: Deck) -> Iterator[Outcome]:
        """Give what every rule finds in a deck, in the order of the format."""
        for rule in self.rules:
            yield from rule.judge(deck)

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """The rules that hold on the day, bound to the pool."""
        format_, composer = self.format, Composer(self.format, self.pool, self._expressions)

        def in_force(placed: Iterable[Placed[Any]]) -> list[Placed[Any]]:
            return [each for each in placed if format_.in_force(each, self.day)]

        rules = [*zone_rules(in_force(format_.zones), composer)]
        for kind in sorted(kinds.KINDS, key=lambda kind: kind.together):
            if placed := in_force(format_.rules[kind.word]):
                rules += kind.bind(placed, composer)
        if self.banlist:
            rules += banlist_rules(self.banlist, composer)
        return tuple(rules)

    def rules_of(self, zone: str) -> Iterator[Rule]:
        """Give the rules of a zone itself: its size, and what it holds."""
        return (rule for rule in self.rules if isinstance(rule, Size | Holds) and rule.zone == zone)

    @cached_property
    def cards(self) -> Lookup:
        """The cards of the pool by name, as they are to be read on the day."""
        written = [name for named_list in self.format.lists.values() for name in named_list.cards]
        written += [name for name, _ in self.format.overrides]
        written += self.banlist.names() if self.banlist else ()
        return Lookup(self.pool, self.read, {fold(name): name for name in written})

    @cached_property
    def banned(self) -> Mapping[FoldedName, str]:
        """The cards that the ban list in force forbids or holds down, folded name → as written."""
        return {fold(name): name for name in self.banlist.cards} if self.banlist else {}

    def near_banned(self, written: str, readings: Iterable[str]) -> str | None:
        """Return the banned or restricted card that a name nearly is; None without one.

        written: the whole name; readings: the shorter ones, without what may be decoration
        """
        for reading in readings:
            if banned := self.banned.get(fold(reading)):
                return banned
        if not self.banned:
            return None
        near = self._near_banned.near(written, limit=1, at_least=_NEARLY)
        return next((name for name in near if not numbers_differ(written, name)), None)

    def banned_as(self, name: str) -> str | None:
        """Return the banned or restricted card that a name is but for signs and blanks, or turned round a comma.

        `InventedComet`, `Invented_Comet` and `Comet, Invented` are Invented Comet; `Invented Comet` is the front face of
        `Invented Comet // Tail`. None without one.
        """
        last, comma, first = name.partition(", ")
        turned = (_letters(first + last),) if comma and "," not in first else ()
        return next(
            (self._banned_letters[key] for key in (_letters(name), *turned) if key in self._banned_letters),
            None,
        )

    @cached_property
    def _banned_letters(self) -> Mapping[str, str]:
        fronts = {
            key: name
            for folded, name in self.banned.items()
            if FACE_SEPARATOR in folded and (key := _letters(folded.partition(FACE_SEPARATOR)[0]))
        }
        return fronts | {key: name for name in self.banned.values() if (key := _letters(name))}

    def card_called(self, name: str) -> str | None:
        """Return the card of exactly this name, as the pool or the rules write it; None without one."""
        match = self.cards.find(name)
        return match.card.name if match else self.cards.named.get(fold(name))

    @cached_property
    def _near_banned(self) -> NearNames:
        return NearNames(self.banned.values())

    @cached_property
    def _expressions(self) -> Expressions:
        return Expressions.of(self.format, self.pool)

    @cached_property
    def holds(self) -> Mapping[str, Evaluator]:
        """What each zone that is choosy takes."""
        return {
            zone.rule.id: self._expressions.bind(zone.rule.holds, f"{zone.place}.holds")
            for zone in self.format.zones
            if zone.rule.holds is not None and self.format.in_force(zone, self.day)
        }

    @cached_property
    def leads(self) -> Evaluator | None:
        """Tell the leader among the cards of an undivided list, None where the format has no such condition."""
        leader = self.format.leader
        return self._expressions.bind_optional(leader.rule.where, f"{leader.place}.where") if leader else None

    @cached_property
    def expected(self) -> Mapping[str, Evaluator]:
        """When each zone that has a `when` is expected in a list."""
        return {
            zone.rule.id: self._expressions.bind(zone.rule.when, f"{zone.place}.when", About.DECK)
            for zone in self.format.zones
            if zone.rule.when is not None
        }

    @cached_property
    def shares(self) -> Mapping[str, bool]:
        """Say of each zone that may be shared whether one list of the event's serves everybody, as the organizer chose."""
        nothing = View(Deck([], {}, Leader(), self.chosen, self.lists))
        return {
            zone.rule.id: zone.rule.shared is True
            or truth(
                self._expressions.bind(str(zone.rule.shared), f"{zone.place}.shared", About.DECK)(nothing)
            )
            is True
            for zone in self.format.zones
            if zone.rule.shared is not False and self.format.in_force(zone, self.day)
        }

    def part(self, zones: Collection[str]) -> Ruleset:
        """Return what holds of some zones alone; see `Format.part`."""
        return replace(self, format=self.format.part(zones))

    @cached_property
    def printings(self) -> Terms | None:
        """The terms on which printings may be played; None where that rule does not hold on the day."""
        placed = self.format.printings
        if not self.format.in_force(placed, self.day):
            return None
        return Composer(self.format, self.pool, self._expressions).terms(placed, About.CARD)

    @cached_property
    def chosen(self) -> Mapping[str, Scalar]:
        """Every setting with the value that holds."""
        return {**{name: setting.default for name, setting in self.format.settings.items()}, **self.settings}

    @cached_property
    def lists(self) -> Mapping[str, Mapping[FoldedName, int]]:
        """The named lists, keyed by folded names: what `listed` and `points` ask."""
        written: dict[str, Mapping[str, int]] = {
            name: named_list.cards for name, named_list in self.format.lists.items()
        }
        written.update(self.banlist.lists if self.banlist else {})
        return {
            name: {counted_key(self.pool, card): number for card, number in cards.items()}
            for name, cards in written.items()
        }

    def read(self, card: Card) -> Card:
        """Return a pool card as it is to be read on the day: with its errata."""
        if not self._errata:
            return card
        overrides = self._errata.get(card.key) or self._errata.get(card.id)
        if not overrides:
            return card
        facts = {key: value for errata in overrides for key, value in errata.set.items()}
        return card.with_errata(facts)

    @cached_property
    def _errata(self) -> Mapping[str, list[OverrideFile]]:
        errata: dict[str, list[OverrideFile]] = {}
        for name, placed in self.format.overrides:
            if self.format.in_force(placed, self.day):
                errata.setdefault(counted_key(self.pool, name), []).append(placed.rule)
        return errata

    def _check_settings(self) -> None:
        for name, value in self.settings.items():
            setting = self.format.settings.get(name)
            if setting is None:
                names = ", ".join(self.format.settings) or "none"
                raise TourneyError(f"{self.format.id} has no setting `{name}`", f"its settings: {names}")
            if setting.choices and value not in setting.choices:
                choices = ", ".join(str(choice) for choice in setting.choices)
                raise TourneyError(f"setting `{name}`: `{value}` is not one of {choices}")


# -- Names to cards on a day: found in the pool, errata applied, counted as what they count as. Each name once


class CardMatch(msgspec.Struct, frozen=True):
    """A card that a name means.

    counted: the name under which its copies add up; keys: that name folded, then its own
    pool_id: under which answers about this card can be kept; of several cards that may be meant, all their ids
    own:     whether the name is the card's own and counts as itself; else it is an alias, an id, another card
    odd:     whether some printing of the card is outdated or a misprint
    shares_name: whether the pool has other cards of this name
    """

    card: Card
    counted: str
    keys: tuple[FoldedName, ...]
    pool_id: str
    own: bool
    odd: bool
    shares_name: bool = False


@dataclass
class Lookup:
    """Finds the cards of one ruleset; what was found is kept, so that a thousand decks ask the pool once a name.

    named: the cards that the rules themselves name (a ban list's, above all), folded name → as written; they are
           known names even where no pool lists them
    """

    pool: Pool
    read: Callable[[Card], Card]
    named: Mapping[FoldedName, str] = field(default_factory=dict)
    _known: dict[tuple[str, str | None, str | None], CardMatch | None] = field(default_factory=dict)
    _near: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def find(self, name: str, set_code: str | None = None, number: str | None = None) -> CardMatch | None:
        """Return the card called `name`, None if the pool has none. The printing tells apart cards that share a name."""
        key = (name, set_code, number)
        if key not in self._known:
            self._known[key] = self._search(name, set_code, number)
        return self._known[key]

    def by_code(self, code: str) -> CardMatch | None:
        """Return the card whose id is exactly `code`, None if the pool has none."""
        key = ("\0" + code, None, None)
        if key not in self._known:
            card = self.pool.find_code(code)
            self._known[key] = self._match((card,), code) if card else None
        return self._known[key]

    def knows(self, name: str) -> bool:
        """Tell whether the pool has a card called `name`, or the rules name one."""
        return fold(name) in self.named or self.find(name) is not None

    def near(self, name: str) -> tuple[str, ...]:
        """Return up to three names of the pool that resemble `name`, the nearest first."""
        if name not in self._near:
            self._near[name] = self.pool.near(name)
        return self._near[name]

    def _search(self, name: str, set_code: str | None, number: str | None) -> CardMatch | None:
        cards = self.pool.find_all(name)
        if not cards:
            return None
        if len(cards) > 1:
            cards = _told_apart(cards, name, set_code, number)
        return self._match(cards, name)

    def _match(self, cards: tuple[Card, ...], name: str) -> CardMatch:
        card = self.read(_blended(cards) if len(cards) > 1 else cards[0])
        counted = card if card.counts_as is None else self.pool.counted_as(cards[0])
        keys = (card.key,) if counted is card else tuple(dict.fromkeys((counted.key, card.key)))
        pool_id = card.id if len(cards) == 1 else "\0".join(each.id for each in cards)
        own = len(keys) == 1 and (name == card.name or fold(name) == card.key)
        odd = any(printing.status is not Status.CURRENT for printing in card.printings)
        shares_name = len(cards) > 1 or len(self.pool.find_all(card.name)) > 1
        return CardMatch(card, counted.name, keys, pool_id, own, odd, shares_name)


def _told_apart(
    cards: tuple[Card, ...], name: str, set_code: str | None, number: str | None
) -> tuple[Card, ...]:
    """Choose among cards of one name: by set and number, by exact spelling, then those that may be played.

    A number that no card has says nothing; the set then still does.
    """
    if set_code is not None:
        cards = tuple(card for card in cards if _is_of_set(card, set_code)) or cards
    if number is not None:
        cards = tuple(card for card in cards if _has_number(card, set_code, number)) or cards
    spelled = tuple(card for card in cards if card.name == name)
    cards = spelled or cards
    best = min(card.status for card in cards)
    return tuple(card for card in cards if card.status == best)


def _is_of_set(card: Card, set_code: str) -> bool:
    return card.printing(set_code) is not None or fold(card.set) == fold(set_code)


def _has_number(card: Card, set_code: str | None, number: str) -> bool:
    """Tell whether the card has the collector's number: in a printing of the set, or as an attribute of its own."""
    printed = [each.number for each in card.printings if set_code is None or fold(each.set) == fold(set_code)]
    known = (*printed, card.get("number"))
    return plain_number(number) in {plain_number(str(each)) for each in known if isinstance(each, str | int)}


def plain_number(number: str) -> str:
    """Return a collector's number without leading zeros and the size of the set.

    >>> plain_number("007/198"), plain_number("TG05"), plain_number("12A"), plain_number("000")
    ('7', 'tg5', '12a', '0')
    """
    return _ZEROS.sub("", fold(number.partition("/")[0])) or "0"


_ZEROS = re.compile(r"(?<![0-9])0+(?=[0-9])")


def _blended(cards: tuple[Card, ...]) -> Card:
    """Return what cards of one name have in common; where they differ, nobody knows which one is meant."""
    first = cards[0]
    names = {"id", "version", "set"}.union(*(card.attributes for card in cards))
    differ = frozenset(name for name in names if len({repr(card.get(name)) for card in cards}) > 1)
    unsaid = frozenset(name for name in names if first.get(name) is UNKNOWN)
    return msgspec.structs.replace(
        first,
        unknown=first.unknown | differ | unsaid,
        printings=tuple(printing for card in cards for printing in card.printings),
        candidates=cards,
    )


def _letters(name: str) -> str:
    """Return the letters and digits of a name, folded; nothing where a digit could run into another."""
    key = fold(name)
    return "" if re.search(r"\d\W+\d", key) else "".join(letter for letter in key if letter.isalnum())
