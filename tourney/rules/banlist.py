"""A ban list: its file, its rules, the changes since another list, and the JSON documents.

A ban list is complete: it is in force from the day in its file's name until the next one.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from datetime import date
from typing import Literal, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tourney.cards.names import FoldedName, fold
from tourney.decode import from_toml
from tourney.document import Document
from tourney.errors import TourneyError
from tourney.rules.binding import Binder
from tourney.rules.bounds import Bounds, count_words
from tourney.rules.expressions.deck import Deck
from tourney.rules.expressions.language import About, ExpressionError, Scope, check
from tourney.rules.expressions.values import Slot
from tourney.rules.findings import Outcome, Rule, Terms, escape_braces
from tourney.rules.kinds.limits import Limit, LimitException
from tourney.rules.vocabulary import BUILT_IN_LISTS, Bound, FileTable
from tourney.wording import listed

T = TypeVar("T")


# -- the file


class GroupFile(FileTable, frozen=True, kw_only=True):
    """`[[group]]`: a deck may have at most `max` of these cards.

    Different cards are counted, or copies with `per = "copy"`.

    cards: the names of the cards
    max: the maximum number of these cards in a deck
    name: the name of the group; empty if it has no name
    per: `name` for different cards, `copy` for copies
    zones: the zones that count; empty for all
    """

    cards: tuple[str, ...]
    max: int = 1
    name: str = ""
    per: Literal["name", "copy"] = "name"
    zones: tuple[str, ...] = ()


class ConditionFile(FileTable, frozen=True, kw_only=True):
    """`[[where]]`: at most `max` copies of the cards that fit a condition; 0 bans them.

    where:  the condition, as an expression
    max:    the maximum number of copies in a deck
    by:     `name` to limit each card separately; empty to limit all these cards together
    reason: the reason in words
    except: cards that fit the condition but are not limited
    """

    where: str
    max: Bound = 0
    by: Literal["", "name"] = ""
    reason: str = ""
    except_cards: tuple[str, ...] = msgspec.field(default=(), name="except")


class BanListFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ban list file.

    cards:  0 bans a card, 1 restricts it to one copy, n allows n copies
    points: `total` and a number for each card; with `per = "name"`, copies beyond the first cost nothing
    lists:  additional named lists, for `listed` and `points` in a format's expressions
    region: where the list is in force
    """

    source: str | None = None
    name: str | None = None
    announced: date | None = None
    region: str | None = None
    note: str | None = None
    cards: dict[str, int] = {}
    points: dict[str, int | str | dict[str, int]] = {}
    group: tuple[GroupFile, ...] = ()
    where: tuple[ConditionFile, ...] = ()
    lists: dict[str, tuple[str, ...] | dict[str, int]] = {}


class Points(Struct, frozen=True):
    """`[points]`: the points of each card, and the total that a deck can have.

    total: the maximum number of points in a deck
    cards: card to points
    per: `copy` or `name`
    """

    total: int
    cards: Mapping[str, int]
    per: str


class BanList(Struct, frozen=True, kw_only=True):
    """A ban list.

    name:   `game/list`, or the name in the file
    day:    the first day on which it is in force
    cards:  name as written → copies allowed
    lists:  name → list, for the functions `listed` and `points`: `banned`, `restricted`, `points` and the
            lists of the file
    digest: SHA-256 of the file's text, in hexadecimal
    """

    name: str
    day: date
    source: str
    published: str | None
    announced: date | None
    region: str | None
    note: str | None
    cards: Mapping[str, int]
    points: Points | None
    groups: tuple[GroupFile, ...]
    wheres: tuple[ConditionFile, ...]
    lists: Mapping[str, Mapping[str, int]]
    text: str
    digest: str

    @property
    def fingerprint(self) -> str:
        """The first twelve digits of the ban list's SHA-256, for display; too few to prove anything."""
        return self.digest[:12]

    def names(self) -> Iterator[str]:
        """Yield every card that the list names, as written, each once."""
        parts: list[Iterable[str]] = [
            self.cards,
            *(group.cards for group in self.groups),
            *self.lists.values(),
        ]
        parts += [condition.except_cards for condition in self.wheres]
        unique: dict[str, str] = {}
        for name in (name for part in parts for name in part):
            unique.setdefault(fold(name), name)
        yield from unique.values()


def parse_banlist(text: str, *, source: str, day: date, name: str = "") -> BanList:
    """Parse a ban list file.

    source: the file's name in messages
    day:    the first day on which the list is in force, from the file's name
    name:   `game/list`

    Raises TourneyError with file and key path for a wrong type, a card named twice, a negative number, or a
    condition that is not in the language.
    """
    file = from_toml(text, BanListFile, source=source)
    _check_cards(file.cards, f"{source}: cards")
    points = _points(file, source)
    for number, condition in enumerate(file.where):
        _check_condition(condition, f"{source}: where[{number}]")
    for number, group in enumerate(file.group):
        if group.max < 0 or not group.cards:
            raise TourneyError(
                f"{source}: group[{number}]: a group needs at least one card and a `max` of 0 or more"
            )
    return BanList(
        name=name or file.name or source,
        day=day,
        source=source,
        published=file.source,
        announced=file.announced,
        region=file.region,
        note=file.note,
        cards=file.cards,
        points=points,
        groups=file.group,
        wheres=file.where,
        lists=_lists(file, points, source),
        text=text,
        digest=hashlib.sha256(text.encode()).hexdigest(),
    )


def _check_cards(cards: Mapping[str, int], place: str) -> None:
    names: dict[str, str] = {}
    for name, number in cards.items():
        if number < 0:
            raise TourneyError(
                f'{place}."{name}": {number} is not a number of copies; '
                "0 bans a card, 1 restricts it to one copy"
            )
        first = names.setdefault(fold(name), name)
        if first != name:
            raise TourneyError(f'{place}."{name}": the same card as "{first}"')
        if not fold(name):
            raise TourneyError(f"{place}: a card without a name")


def _points(file: BanListFile, source: str) -> Points | None:
    if not file.points:
        return None
    place = f"{source}: points"
    table = dict(file.points)
    total, per, card_table = table.pop("total", None), table.pop("per", "copy"), table.pop("cards", {})
    if not isinstance(total, int):
        raise TourneyError(f"{place}: the key `total` is missing: how many points may a deck have?")
    if per not in {"copy", "name"}:
        raise TourneyError(f'{place}.per: expected "copy" or "name", found `{per}`')
    cards: dict[str, int] = dict(card_table) if isinstance(card_table, dict) else {}
    for name, number in table.items():
        if not isinstance(number, int):
            raise TourneyError(f'{place}."{name}": expected a whole number')
        cards[name] = number
    _check_cards(cards, place)
    return Points(total, cards, str(per))


def _check_condition(condition: ConditionFile, place: str) -> None:
    about_max = About.CARD if condition.by else About.DECK
    for key, text, about in (("where", condition.where, About.CARD), ("max", condition.max, about_max)):
        if isinstance(text, str):
            try:
                check(text, Scope(about=about, this=about is About.CARD))
            except ExpressionError as error:
                raise TourneyError(f"{place}.{key}: {error}: `{text}`") from None


def _lists(file: BanListFile, points: Points | None, source: str) -> Mapping[str, Mapping[str, int]]:
    lists: dict[str, Mapping[str, int]] = {
        "banned": {name: 1 for name, copies in file.cards.items() if copies == 0},
        "restricted": {name: copies for name, copies in file.cards.items() if copies > 0},
        "points": points.cards if points else {},
    }
    for name, cards in file.lists.items():
        if name in lists:
            raise TourneyError(
                f"{source}: lists.{name}: this name is used in every ban list; choose another name"
            )
        lists[name] = dict(cards) if isinstance(cards, dict) else dict.fromkeys(cards, 1)
    return lists


# -- the rules

BANNED, RESTRICTED, POINTS, GROUP = "banned", "restricted", "points", "group"
"""The ids of a ban list's rules. Reports show the id at the end of a finding: `[banned]`."""


def banlist_rules(banlist: BanList, binder: Binder) -> Iterator[Rule]:
    """Yield the rules of a ban list, with their conditions compiled for a card pool.

    Raises TourneyError for a condition that does not fit the pool, such as one with an unknown attribute.
    """
    title = f"list of {banlist.day.isoformat()}"
    address = f", {banlist.published}" if banlist.published else ""
    cite = f"ban list {banlist.name} of {banlist.day.isoformat()}{address}"
    zones = binder.zones(())
    if banlist.cards:
        yield Banned(terms=Terms(id=BANNED, cite=cite), cards=binder.keyed(banlist.cards), title=title)
    if banlist.points:
        yield ListTotal(
            terms=Terms(id=POINTS, cite=cite),
            cards=binder.keyed(banlist.points.cards),
            max=banlist.points.total,
            once=banlist.points.per == "name",
            zones=zones,
            unit="points",
            source=f" ({title})",
        )
    for number, group in enumerate(banlist.groups, 1):
        name = f"`{group.name}`" if group.name else f"group {number} of the {title}"
        once = group.per == "name"
        yield ListTotal(
            terms=Terms(id=GROUP, cite=cite),
            cards=binder.keyed(dict.fromkeys(group.cards, 1)),
            max=group.max,
            once=once,
            zones=frozenset(group.zones) or zones,
            unit="different card" if once else "copy",
            group=f" of {name}",
        )
    for number, condition in enumerate(banlist.wheres):
        yield _condition_rule(condition, binder, f"{banlist.source}: where[{number}]", cite)


def _condition_rule(condition: ConditionFile, binder: Binder, place: str, cite: str) -> Rule:
    free = binder.keyed(dict.fromkeys(condition.except_cards, 1))
    exception = LimitException(where=lambda view: view.slot.number_on(free) is not None)
    bans = condition.max == 0
    by_name = condition.by == "name" and not bans
    reason = escape_braces(condition.reason or ("banned" if bans else "restricted"))
    return Limit(
        terms=Terms(
            id=BANNED if bans else RESTRICTED,
            cite=cite,
            message=reason if bans else f"{{have}}, at most {{allowed}}: {reason}",
        ),
        where=binder.bind(condition.where, f"{place}.where"),
        zones=binder.zones(()),
        by=(binder.bind("name", place),) if by_name else (),
        by_text=("name",) if by_name else (),
        bounds=Bounds(max=binder.bind(condition.max, f"{place}.max", About.CARD if by_name else About.DECK)),
        forbids=bans,
        exceptions=(exception,) if free else (),
        unit="copy" if by_name else "card",
        describer=binder.describer(None),
    )


class Banned(Rule, frozen=True, kw_only=True):
    """The rule of `[cards]`. cards: folded name → copies allowed; title: the list's name."""

    cards: Mapping[FoldedName, int]
    title: str

    def find(self, deck: Deck) -> Iterator[Outcome]:
        """Yield a finding for each card with more copies than the ban list allows."""
        slots_of: dict[FoldedName, list[Slot]] = {}
        for slot in deck.slots:
            for key in dict.fromkeys(slot.keys):
                if key in self.cards:
                    slots_of.setdefault(key, []).append(slot)
        for key, slots in slots_of.items():
            maximum, number = self.cards[key], sum(slot.qty for slot in slots)
            if number > maximum:
                limit = f"{count_words(number, 'copy')}, at most {maximum}" if maximum else "banned"
                yield self.terms.finding(
                    f"{limit} ({self.title})",
                    slots=slots,
                    have=number,
                    allowed=maximum,
                    rule=RESTRICTED if maximum else BANNED,
                )


class ListTotal(Rule, frozen=True, kw_only=True):
    """The rule of `[points]` or of a `[[group]]`: a maximum for a sum over the cards of a list.

    cards:  folded name → what a copy adds to the sum
    once:   whether copies beyond the first add nothing
    unit:   the word for what is summed
    group:  text that follows the unit in messages
    source: text that follows the limit in messages
    """

    cards: Mapping[FoldedName, int]
    max: int
    once: bool
    zones: frozenset[str]
    unit: str
    group: str = ""
    source: str = ""

    def find(self, deck: Deck) -> Iterator[Outcome]:
        """Yield a finding if the sum over the deck's cards is higher than the ban list allows."""
        inside = [(slot, slot.number_on(self.cards) or 0) for slot in deck.slots if slot.zone in self.zones]
        costs = [(slot, cost) for slot, cost in inside if cost]
        if self.once:  # if several cards are counted under one name, the highest cost applies
            highest: dict[FoldedName, int] = {}
            for slot, cost in costs:
                highest[slot.key] = max(highest.get(slot.key, 0), cost)
            number = sum(highest.values())
        else:
            number = sum(slot.qty * cost for slot, cost in costs)
        if number > self.max:
            by_name = Counter({slot.name: cost for slot, cost in costs})
            hint = ", ".join(f"{name}: {cost}" for name, cost in by_name.most_common())
            yield self.terms.finding(
                f"{count_words(number, self.unit)}{self.group}, at most {self.max}{self.source}",
                slots=[slot for slot, _ in costs],
                have=number,
                allowed=self.max,
                hint=hint if len(by_name) > 1 and not self.group else None,
            )


# -- changes from one list to another


class Change(Struct, frozen=True):
    """A change between two ban lists.

    words: the change, as a phrase
    cards: the names of the changed cards, as written; empty if a condition or a total changed
    """

    words: str
    cards: tuple[str, ...] = ()


def changes(old: BanList | None, new: BanList) -> tuple[Change, ...]:
    """Return the changes between two ban lists.

    Changes in the number of copies of a card come first, in alphabetical order.

    old: the previous list; None if there was none
    """
    old = old or replace(new, cards={}, points=None, lists={}, groups=(), wheres=())
    return (
        *_card_changes(old, new),
        *_point_changes(old.points, new.points),
        *_list_changes(old.lists, new.lists),
        *_group_changes(old.groups, new.groups),
        *_condition_changes(old.wheres, new.wheres),
    )


def _card_changes(old: BanList, new: BanList) -> Iterator[Change]:
    for name, before, after in _number_changes(old.cards, new.cards):
        now = "no longer limited" if after is None else status(after)
        was = "" if before is None else f", was {status(before)}"
        yield Change(f"{name}: {now}{was}", (name,))


def status(copies: int | None) -> str:
    """Return the number of copies that a list allows, in words.

    >>> [status(copies) for copies in (0, 1, 2, None)]
    ['banned', 'restricted to 1 copy', 'at most 2 copies', 'free']
    """
    if copies is None:
        return "free"
    return {0: "banned", 1: "restricted to 1 copy"}.get(copies, f"at most {copies} copies")


def _point_changes(old: Points | None, new: Points | None) -> Iterator[Change]:
    before, after = old.total if old else None, new.total if new else None
    if before != after:
        yield Change(f"points: {_number_change(before, after)}")
    if old and new and old.per != new.per:
        yield Change(f"points: {points_counted(new)}, was {points_counted(old)}")
    for name, before, after in _number_changes(old.cards if old else {}, new.cards if new else {}):
        yield Change(f"{name}: points: {_number_change(before, after)}", (name,))


def _number_change(before: int | None, after: int | None) -> str:
    was = "" if before is None else f", was {before}"
    return f"{'no longer' if after is None else after}{was}"


def points_counted(points: Points) -> str:
    """Return how the points of a card are counted, in words."""
    return "once for each card, however many copies" if points.per == "name" else "for each copy"


def _list_changes(
    before: Mapping[str, Mapping[str, int]], after: Mapping[str, Mapping[str, int]]
) -> Iterator[Change]:
    for key in sorted((before.keys() | after.keys()) - BUILT_IN_LISTS):
        for name, was, now in _number_changes(before.get(key, {}), after.get(key, {})):
            move = (
                "no longer on" if now is None else "now on" if was is None else f"{now} instead of {was} on"
            )
            yield Change(f"{name}: {move} the list `{key}`", (name,))


def _number_changes(
    old: Mapping[str, int], new: Mapping[str, int]
) -> Iterator[tuple[str, int | None, int | None]]:
    """Yield the name, the number before and the number after of each card that changed.

    Names that fold alike are one card.
    """
    before = {fold(name): (name, number) for name, number in old.items()}
    after = {fold(name): (name, number) for name, number in new.items()}
    for key in sorted(before.keys() | after.keys()):
        old_name, was = before.get(key, ("", None))
        new_name, now = after.get(key, ("", None))
        if was != now:
            yield new_name or old_name, was, now


def _removed_and_added(
    old: Iterable[T], new: Iterable[T], key: Callable[[T], Hashable]
) -> tuple[list[T], list[T]]:
    """Return the entries that were removed and the entries that were added."""
    before, after = {key(entry): entry for entry in old}, {key(entry): entry for entry in new}
    removed_entries = [entry for entry_key, entry in before.items() if entry_key not in after]
    return removed_entries, [entry for entry_key, entry in after.items() if entry_key not in before]


def _group_changes(old: tuple[GroupFile, ...], new: tuple[GroupFile, ...]) -> Iterator[Change]:
    removed_groups, added_groups = _removed_and_added(
        old,
        new,
        lambda group: (frozenset(map(fold, group.cards)), group.max, group.per, frozenset(group.zones)),
    )
    yield from (Change(f"no longer: {_group_words(group)}", group.cards) for group in removed_groups)
    yield from (Change(_group_words(group), group.cards) for group in added_groups)


def _group_words(group: GroupFile) -> str:
    colon = ":" if group.name or group.zones else ""
    return f"{group_limit(group)}{colon} {', '.join(group.cards)}"


def group_limit(group: GroupFile) -> str:
    """Return the limit of a group in words, without its cards.

    >>> group_limit(GroupFile(cards=("Ant", "Bee")))
    'at most 1 of'
    >>> group_limit(GroupFile(cards=("Ant", "Bee"), max=2, per="copy", name="bugs", zones=("main",)))
    'at most 2 copies in all of `bugs`, in main'
    """
    limit = f"{count_words(group.max, 'copy')} in all of" if group.per == "copy" else f"{group.max} of"
    name = f" `{group.name}`" if group.name else ""
    return f"at most {limit}{name}{f', in {listed(group.zones)}' if group.zones else ''}"


def _condition_changes(old: tuple[ConditionFile, ...], new: tuple[ConditionFile, ...]) -> Iterator[Change]:
    removed_conditions, added_conditions = _removed_and_added(
        old,
        new,
        lambda entry: (
            entry.where,
            entry.max,
            "" if entry.max == 0 else entry.by,
            frozenset(map(fold, entry.except_cards)),
        ),
    )
    frequency = Counter(map(where_words, (*removed_conditions, *added_conditions)))

    def words(condition: ConditionFile) -> str:
        return where_words(condition, whole=frequency[where_words(condition)] > 1)

    yield from (Change(f"no longer: {words(condition)}") for condition in removed_conditions)
    yield from (Change(words(condition)) for condition in added_conditions)


def where_words(condition: ConditionFile, *, whole: bool = False) -> str:
    """Return in words how many cards a condition of a ban list allows.

    whole: whether to show the condition, too, if it has a reason; otherwise the reason replaces it

    >>> entry = ConditionFile(where="cost > 9", max=1, by="name", reason="too big", except_cards=("Ant",))
    >>> where_words(entry, whole=True)
    'at most 1 of each: too big (cards with `cost > 9`), but not Ant'
    """
    per_card = " of each" if condition.by else ""
    limit = "banned" if condition.max == 0 else f"at most {condition.max}{per_card}"
    cards = f"cards with `{condition.where}`"
    reason = condition.reason or cards
    if whole and condition.reason:
        reason += f" ({cards})"
    free = f", but not {listed(condition.except_cards)}" if condition.except_cards else ""
    return f"{limit}: {reason}{free}"


def entries(banlist: BanList) -> int:
    """Return the number of entries of a ban list: named cards, groups and conditions."""
    return len(list(banlist.names())) + len(banlist.groups) + len(banlist.wheres)


def objections(
    new: BanList, installed_lists: Iterable[BanList], unknown: Iterable[str] = ()
) -> tuple[str, ...]:
    """Return reasons why a person should check a ban list before it is installed.

    installed_lists: the installed lists of the same name
    unknown:         a sentence for each name on the list that is not a card; these are added to the reasons
    """
    by_day = sorted(installed_lists, key=lambda banlist: banlist.day)
    count = entries(new)
    reasons = list(unknown)
    if not count:
        reasons.insert(0, "the list is empty")
    earlier = [banlist for banlist in by_day if banlist.day <= new.day]
    before = entries(earlier[-1]) if earlier else 0
    if count and 3 * count < 2 * before:
        reasons.append(f"the list shrinks from {before} {'entry' if before == 1 else 'entries'} to {count}")
    if by_day and new.day < by_day[-1].day:
        reasons.append(f"a newer list is installed, that of {by_day[-1].day}")
    return tuple(reasons)


# -- JSON documents


class ListedBanList(Struct, frozen=True):
    """A ban list that is installed, or that a format asks for.

    name: the name of the list
    days: the first day of each installed edition; empty if none is installed
    in_force: the first day of the edition in force; null if none is
    next: the first day of the next edition; null if none is installed
    formats: the formats that ask for it
    published: where it is published; null if no format says so
    """

    name: str
    days: tuple[date, ...]
    in_force: date | None
    next: date | None
    formats: tuple[str, ...]
    published: str | None


class BanListList(Document, frozen=True, tag="tourney.banlist-list/1"):
    """What `tourney banlist list --json` prints. on: today; banlists: the ban lists."""

    on: date
    banlists: tuple[ListedBanList, ...]


class ShownBanList(Document, frozen=True, tag="tourney.banlist/1"):
    """What `tourney banlist show NAME --json` prints.

    name: the name of the list
    from: the first day on which it is in force
    announced: the day on which it was announced; null if unknown
    source: where it is published; null if unknown
    fingerprint: the first digits of the digest
    digest: the SHA-256 of the list's text
    cards: name of a card to the number of copies that are allowed
    points: the points of the cards and their limit; null if the list has no points
    groups: groups of cards, each with the maximum number that a deck can have
    where: conditions by which cards are banned or restricted
    lists: further named lists that the file defines: name of the list to its cards, each with a number
    region: the region in which the list is in force; null for everywhere
    note: a remark; null if there is none
    """

    name: str
    day: date = msgspec.field(name="from")
    announced: date | None
    source: str | None
    fingerprint: str
    digest: str
    cards: Mapping[str, int]
    points: Points | None
    groups: tuple[GroupFile, ...]
    where: tuple[ConditionFile, ...]
    lists: Mapping[str, Mapping[str, int]]
    region: str | None
    note: str | None


def shown_banlist(banlist: BanList) -> ShownBanList:
    """Return the JSON document of a ban list."""
    return ShownBanList(
        name=banlist.name,
        day=banlist.day,
        announced=banlist.announced,
        source=banlist.published,
        fingerprint=banlist.fingerprint,
        digest=banlist.digest,
        cards=banlist.cards,
        points=banlist.points,
        groups=banlist.groups,
        where=banlist.wheres,
        lists={name: cards for name, cards in banlist.lists.items() if name not in BUILT_IN_LISTS},
        region=banlist.region,
        note=banlist.note,
    )
