"""Everything that a decklist is checked against: format, ban list, card pool and day."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import date
from functools import cached_property
from typing import Any

import msgspec
from msgspec import Struct, field, structs
from msgspec.structs import replace

from tourney.cards.card import UNKNOWN, Card, Status
from tourney.cards.names import FACE_SEPARATOR, FoldedName, NearNames, fold, numbers_differ
from tourney.cards.pool import Pool
from tourney.rules import kinds
from tourney.rules.banlist import BanList, banlist_rules
from tourney.rules.binding import Binder
from tourney.rules.expressions.deck import Deck, Evaluator, Leader, View
from tourney.rules.expressions.language import About, Dotted, Name, parse, walk
from tourney.rules.expressions.values import truth
from tourney.rules.findings import Outcome, Rule, Terms, holes
from tourney.rules.format import Format
from tourney.rules.kinds.kind import RuleKind
from tourney.rules.vocabulary import OverrideFile, RuleEntry, Scalar
from tourney.rules.zones import Holds, Size, zone_rules

_NEARLY = 0.8
"""A name may be a misspelt banned name if at least this share of their letters is the same."""


class Ruleset(Struct, frozen=True, dict=True):
    """The rules in force on a day.

    banlist:         the list in force; None if none is installed, which the verdict notes
    settings:        the organizer's choices that differ from the defaults
    without_banlist: whether the organizer chose to use no ban list, so that the verdict does not mention it
    of_an_event:     whether these are the rules of an event. If so, a ban list that is installed later
                     applies only after `tourney event rebase`

    Raises TourneyError if the format does not fit the pool, and for a setting or a choice that does not
    exist.
    """

    format: Format
    banlist: BanList | None
    pool: Pool
    day: date
    settings: Mapping[str, Scalar] = field(default_factory=dict)
    without_banlist: bool = False
    of_an_event: bool = False

    def __post_init__(self) -> None:
        for name, value in self.settings.items():
            self.format.choice(name, value)
        # Compile now, so that a faulty format is refused here and not at the first deck.
        _ = self.rules, self.printings

    # -- rules

    def judge(self, deck: Deck) -> Iterator[Outcome]:
        """Yield what the rules find in a deck: findings, proofs and `Undecided` outcomes."""
        for rule in self.rules:
            yield from rule.judge(deck)

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """The rules in force, with their expressions compiled for the card pool."""
        rules = [*zone_rules(self._in_force(self.format.zones), self._binder)]
        for kind in sorted(kinds.KINDS, key=lambda kind: kind.together):
            if entries := self._in_force(self.format.rules[kind.word]):
                rules += kind.bind(entries, self._binder)
        if self.banlist:
            rules += banlist_rules(self.banlist, replace(self._binder, is_proofread=False))
        return tuple(rules)

    def _in_force(self, rules: Iterable[RuleEntry[Any]]) -> list[RuleEntry[Any]]:
        return [entry for entry in rules if self.format.in_force(entry, self.day)]

    @cached_property
    def _binder(self) -> Binder:
        return Binder(self.format, self.pool, is_proofread=self.format.is_shipped)

    def rules_of(self, zone: str) -> Iterator[Rule]:
        """Yield the rules that a zone itself has: about its size and the cards in it."""
        return (rule for rule in self.rules if isinstance(rule, Size | Holds) and rule.zone == zone)

    def part(self, zones: Collection[str]) -> Ruleset:
        """Return a ruleset for only these zones, such as a mission deck that all players share.

        It has no rules about the leader, or about the deck as a whole.
        """
        return replace(self, format=_part(self.format, zones))

    @cached_property
    def printings(self) -> Terms | None:
        """The `Terms` (id, source, message …) of the rule about printings; None if not in force."""
        entry = self.format.printings
        return self._binder.terms(entry, About.CARD) if self._in_force([entry]) else None

    # -- zones and settings

    @cached_property
    def holds(self) -> Mapping[str, Evaluator]:
        """Zone id → the condition on its cards, for zones that have one."""
        return {
            entry.rule.id: self._binder.bind(entry.rule.holds, f"{entry.place}.holds")
            for entry in self._in_force(self.format.zones)
            if entry.rule.holds is not None
        }

    @cached_property
    def leads(self) -> Evaluator | None:
        """The condition that finds the leader in a list without headers.

        None if the format has no such condition.
        """
        leader = self.format.leader
        return self._binder.bind_optional(leader.rule.where, f"{leader.place}.where") if leader else None

    @cached_property
    def zone_conditions(self) -> Mapping[str, Evaluator]:
        """Zone id → the condition under which a list needs the zone, for zones with a condition."""
        return {
            entry.rule.id: self._binder.bind(entry.rule.when, f"{entry.place}.when", About.DECK)
            for entry in self.format.zones
            if entry.rule.when is not None
        }

    @cached_property
    def shares(self) -> Mapping[str, bool]:
        """Zone id → whether all players of an event share one list, for zones that can be shared."""
        view = View(Deck([], {}, Leader(), self.choices, self.lists))
        return {
            entry.rule.id: entry.rule.shared is True
            or truth(self._binder.bind(str(entry.rule.shared), f"{entry.place}.shared", About.DECK)(view))
            is True
            for entry in self._in_force(self.format.zones)
            if entry.rule.shared is not False
        }

    @cached_property
    def choices(self) -> Mapping[str, Scalar]:
        """The value of every setting."""
        return {**{name: setting.default for name, setting in self.format.settings.items()}, **self.settings}

    # -- cards

    @cached_property
    def cards(self) -> Lookup:
        """The cards of the pool by name, with their errata."""
        names = [name for named_list in self.format.lists.values() for name in named_list.cards]
        names += [name for name, _ in self.format.overrides]
        names += self.banlist.names() if self.banlist else ()
        return Lookup(self.pool, self.read, {fold(name): name for name in names})

    @cached_property
    def lists(self) -> Mapping[str, Mapping[FoldedName, int]]:
        """The named lists of cards that the functions `listed` and `points` use in expressions.

        Name of the list → folded card name → the card's number in the list, which `points` returns. A list of
        the ban list replaces a list of the format with the same name.
        """
        lists = {name: named_list.cards for name, named_list in self.format.lists.items()}
        lists.update(self.banlist.lists if self.banlist else {})
        return {name: self._binder.keyed(cards) for name, cards in lists.items()}

    def read(self, card: Card) -> Card:
        """Return the pool's card with its errata applied."""
        errata = self._errata.get(card.key) or self._errata.get(card.id)
        if not errata:
            return card
        return card.with_errata({key: value for entry in errata for key, value in entry.set.items()})

    @cached_property
    def _errata(self) -> Mapping[str, list[OverrideFile]]:
        errata: dict[str, list[OverrideFile]] = {}
        for name, entry in self.format.overrides:
            if self.format.in_force(entry, self.day):
                errata.setdefault(self._binder.key(name), []).append(entry.rule)
        return errata

    def card_called(self, name: str) -> str | None:
        """Return the name of the card called `name`, as the pool or the rules write it.

        Returns None if there is no such card.
        """
        match = self.cards.find(name)
        return match.card.name if match else self.cards.named.get(fold(name))

    # -- banned cards

    @cached_property
    def banned_names(self) -> Mapping[FoldedName, str]:
        """The cards that the ban list bans or restricts: folded name → name as written."""
        return {fold(name): name for name in self.banlist.cards} if self.banlist else {}

    def near_banned(self, full_name: str, readings: Iterable[str]) -> str | None:
        """Return the banned or restricted card that a name resembles; None if there is none.

        full_name: the whole name; readings: shorter names, without words that may be decoration
        """
        for reading in readings:
            if banned := self.banned_names.get(fold(reading)):
                return banned
        if not self.banned_names:
            return None
        near = self._near_banned.near(full_name, limit=1, at_least=_NEARLY)
        return next((name for name in near if not numbers_differ(full_name, name)), None)

    def banned_as(self, name: str) -> str | None:
        """Return the banned or restricted card that `name` means; None if there is none.

        Punctuation, spaces and word order may differ: `InventedComet`, `Invented_Comet` and
        `Comet, Invented` mean Invented Comet. A front face also means its card: `Invented Comet` means
        `Invented Comet // Tail`.
        """
        last, comma, first = name.partition(", ")
        spellings = [_letters(name)]
        if comma and "," not in first:
            spellings.append(_letters(first + last))
        return next((self._banned_letters[key] for key in spellings if key in self._banned_letters), None)

    @cached_property
    def _banned_letters(self) -> Mapping[str, str]:
        fronts = {
            key: name
            for folded, name in self.banned_names.items()
            if FACE_SEPARATOR in folded and (key := _letters(folded.partition(FACE_SEPARATOR)[0]))
        }
        return fronts | {key: name for name in self.banned_names.values() if (key := _letters(name))}

    @cached_property
    def _near_banned(self) -> NearNames:
        return NearNames(self.banned_names.values())


def _letters(name: str) -> str:
    """Return only the letters and digits of a name, folded.

    Returns an empty text if two numbers would become one, as in `1 000`.
    """
    key = fold(name)
    return "" if re.search(r"\d\W+\d", key) else "".join(letter for letter in key if letter.isalnum())


def _part(format_: Format, zones: Collection[str]) -> Format:
    """Return the format reduced to the zones in `zones`, to check a part of a deck separately.

    At least one of these zones must exist. The result has no leader, and only rules that can be checked in
    these zones. Its expressions are checked again, because they may name zones that it no longer has.
    """
    zone_entries = [entry for entry in format_.zones if entry.rule.id in zones]
    names = frozenset(entry.rule.id for entry in zone_entries)
    alone = tuple(
        msgspec.structs.replace(
            entry, rule=msgspec.structs.replace(entry.rule, optional=False, when=None, default=number == 0)
        )
        for number, entry in enumerate(zone_entries)
    )
    rules = {
        kind.word: tuple(
            rule
            for entry in format_.rules[kind.word]
            if (rule := kind.for_zones(entry, names)) and not _names_leader(kind, entry)
        )
        for kind in kinds.KINDS
    }
    return structs.replace(format_, zones=alone, leader=None, rules=rules, examples=(), is_shipped=False)


def _names_leader(kind: RuleKind[Any], entry: RuleEntry[Any]) -> bool:
    texts = [expression.text for expression in kind.expressions(entry)]
    texts += [entry.rule.when, *holes(entry.rule.message or "")]
    return any(
        (isinstance(node, Dotted) and node.base == "leader")
        or (isinstance(node, Name) and node.name == "leader")
        for text in texts
        if isinstance(text, str)
        for node in walk(parse(text))
    )


# -- names to cards


class CardMatch(Struct, frozen=True):
    """The card that a name or a code means.

    counted:     the name under which the copies of the card are added up
    keys:        `counted`, folded; then the card's own name, folded, if the two are different
    pool_id:     the card's id, under which its results are cached; if several cards are possible, all their
                 ids
    own:         whether the given name is the card's own name, and copies are added up under it
    odd:         whether a printing of the card is outdated or a misprint
    shares_name: whether the pool has other cards of this name
    """

    card: Card
    counted: str
    keys: tuple[FoldedName, ...]
    pool_id: str
    own: bool
    odd: bool
    shares_name: bool = False


class Lookup(Struct):
    """Finds the cards of one ruleset.

    Cards are cached, so that each name is looked up in the pool only once.

    read:  returns a card with its errata
    named: the cards that the rules name, folded name → name as written. These names are known even if the
           pool does not have them
    """

    pool: Pool
    read: Callable[[Card], Card]
    named: Mapping[FoldedName, str] = field(default_factory=dict)
    _matches: dict[tuple[str, str | None, str | None], CardMatch | None] = field(default_factory=dict)
    _near: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def find(self, name: str, set_code: str | None = None, number: str | None = None) -> CardMatch | None:
        """Return the card called `name`; None if the pool has none.

        set_code, number: a printing, which distinguishes cards that share a name
        """
        key = (name, set_code, number)
        if key not in self._matches:
            self._matches[key] = self._search(name, set_code, number)
        return self._matches[key]

    def by_code(self, code: str) -> CardMatch | None:
        """Return the card whose id is exactly `code`; None if the pool has none."""
        key = ("\0" + code, None, None)
        if key not in self._matches:
            card = self.pool.find_code(code)
            self._matches[key] = self._match((card,), code) if card else None
        return self._matches[key]

    def knows(self, name: str) -> bool:
        """Return whether the pool has a card called `name`, or the rules name one."""
        return fold(name) in self.named or self.find(name) is not None

    def near(self, name: str) -> tuple[str, ...]:
        """Return up to three names in the pool that resemble `name`, the most similar first."""
        if name not in self._near:
            self._near[name] = self.pool.near(name)
        return self._near[name]

    def _search(self, name: str, set_code: str | None, number: str | None) -> CardMatch | None:
        cards = self.pool.find_all(name)
        if len(cards) > 1:
            cards = _narrow(cards, name, set_code, number)
        return self._match(cards, name) if cards else None

    def _match(self, cards: tuple[Card, ...], name: str) -> CardMatch:
        card = self.read(_blend(cards) if len(cards) > 1 else cards[0])
        counted_card = card if card.counts_as is None else self.pool.counted_as(cards[0])
        keys = (card.key,) if counted_card is card else tuple(dict.fromkeys((counted_card.key, card.key)))
        return CardMatch(
            card=card,
            counted=counted_card.name,
            keys=keys,
            pool_id=card.id if len(cards) == 1 else "\0".join(candidate.id for candidate in cards),
            own=len(keys) == 1 and (name == card.name or fold(name) == card.key),
            odd=any(printing.status is not Status.CURRENT for printing in card.printings),
            shares_name=len(cards) > 1 or len(self.pool.find_all(card.name)) > 1,
        )


def _narrow(cards: tuple[Card, ...], name: str, set_code: str | None, number: str | None) -> tuple[Card, ...]:
    """Return the cards of one name that fit best.

    Compares, in this order, the set, the number, the spelling, and the status of the printings. A set, number
    or spelling that no card has is ignored.
    """
    if set_code is not None:
        cards = tuple(card for card in cards if _is_of_set(card, set_code)) or cards
    if number is not None:
        cards = tuple(card for card in cards if _has_number(card, set_code, number)) or cards
    cards = tuple(card for card in cards if card.name == name) or cards
    best = min(card.status for card in cards)
    return tuple(card for card in cards if card.status == best)


def _is_of_set(card: Card, set_code: str) -> bool:
    return card.printing(set_code) is not None or fold(card.set) == fold(set_code)


def _has_number(card: Card, set_code: str | None, number: str) -> bool:
    """Return whether a card has this collector number.

    The number can be that of a printing, or the card's attribute `number`. Leading zeros and the size of the
    set (`007/198`) are ignored.

    set_code: only printings of this set count; None for all printings
    """
    numbers = [
        printing.number
        for printing in card.printings
        if set_code is None or fold(printing.set) == fold(set_code)
    ]
    values = [*numbers, card.get("number")]
    return plain_number(number) in {
        plain_number(str(value)) for value in values if isinstance(value, str | int)
    }


def plain_number(number: str) -> str:
    """Return a collector's number without leading zeros and without the size of the set.

    >>> plain_number("007/198"), plain_number("TG05"), plain_number("12A"), plain_number("000")
    ('7', 'tg5', '12a', '0')
    """
    return _ZEROS.sub("", fold(number.partition("/")[0])) or "0"


_ZEROS = re.compile(r"(?<![0-9])0+(?=[0-9])")


def _blend(cards: tuple[Card, ...]) -> Card:
    """Return a card with the attributes that several cards of one name have in common.

    Attributes that differ are unknown.
    """
    first = cards[0]
    names = {"id", "version", "set"}.union(*(card.attributes for card in cards))
    differing = frozenset(name for name in names if len({repr(card.get(name)) for card in cards}) > 1)
    unknown_names = frozenset(name for name in names if first.get(name) is UNKNOWN)
    return msgspec.structs.replace(
        first,
        unknown=first.unknown | differing | unknown_names,
        printings=tuple(printing for card in cards for printing in card.printings),
        candidates=cards,
    )
