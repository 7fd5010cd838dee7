"""A ban list: complete, in force from a day until the next one.

Its file, the rules it makes for a deck, and what changed since the list before.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Literal

import msgspec

from tourney.cards.names import FoldedName, fold
from tourney.decode import from_toml
from tourney.errors import TourneyError
from tourney.rules.expressions import About, ExpressionError, Scope, check
from tourney.rules.expressions.deck import Deck
from tourney.rules.expressions.slot import Slot
from tourney.rules.kinds.kind import Bounds, Outcome, Rule, Terms, copies
from tourney.rules.kinds.limits import Exempt, Limit
from tourney.rules.vocabulary import Bound
from tourney.wording import listed

if TYPE_CHECKING:
    from tourney.rules.kinds.kind import Composer


class Points(msgspec.Struct, frozen=True):
    """`[points]`: a number for each card, and the `total` a deck may have. per: `copy` or `name`."""

    total: int
    cards: Mapping[str, int]
    per: str


class BanList(msgspec.Struct, frozen=True, kw_only=True):
    """One ban list file, read.

    name:   what it is called in verdicts: `game/list`, or what the file calls itself
    day:    the day from which it is in force
    cards:  0 banned, n at most n copies; names as written
    lists:  what `listed` and `points` ask: `banned`, `restricted`, `points` and the file's own lists
    digest: SHA-256 of the file's text, in hexadecimal; `fingerprint` is what a terminal shows of it, and proves nothing
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
    wheres: tuple[BanWhereFile, ...]
    lists: Mapping[str, Mapping[str, int]]
    text: str
    digest: str

    @property
    def fingerprint(self) -> str:
        """The first twelve digits of the digest."""
        return self.digest[:12]

    def names(self) -> Iterator[str]:
        """Give every card the list names, as written, each once."""
        seen: set[str] = set()
        parts = [self.cards, *(group.cards for group in self.groups), *self.lists.values()]
        parts += [where.except_cards for where in self.wheres]
        for name in (name for part in parts for name in part):
            if fold(name) not in seen:
                seen.add(fold(name))
                yield name


def parse_banlist(text: str, *, source: str, day: date, name: str = "") -> BanList:
    """Read a ban list file.

    source: names the file in messages; day: from which it is in force (its file's name); name: `game/list`

    Raises TourneyError with file and key path: a wrong shape, one card said twice, a negative number, a condition
    that is not in the language.
    """
    file = from_toml(text, BanListFile, source=source)
    _check_cards(file.cards, f"{source}: cards")
    points = _points(file, source)
    for number, where in enumerate(file.where):
        _check_where(where, f"{source}: where[{number}]")
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
    seen: dict[str, str] = {}
    for name, number in cards.items():
        if number < 0:
            raise TourneyError(
                f'{place}."{name}": {number} is not a number of copies; 0 bans a card, 1 restricts it to one copy'
            )
        first = seen.setdefault(fold(name), name)
        if first != name:
            raise TourneyError(f'{place}."{name}": the same card as "{first}"')
        if not fold(name):
            raise TourneyError(f"{place}: a card without a name")


def _points(file: BanListFile, source: str) -> Points | None:
    if not file.points:
        return None
    table = dict(file.points)
    total, per, nested = table.pop("total", None), table.pop("per", "copy"), table.pop("cards", {})
    place = f"{source}: points"
    if not isinstance(total, int):
        raise TourneyError(f"{place}: the key `total` is missing: how many points may a deck have?")
    if per not in {"copy", "name"}:
        raise TourneyError(f'{place}.per: expected "copy" or "name", found `{per}`')
    cards: dict[str, int] = dict(nested) if isinstance(nested, dict) else {}
    for name, number in table.items():
        if not isinstance(number, int):
            raise TourneyError(f'{place}."{name}": expected a whole number')
        cards[name] = number
    _check_cards(cards, place)
    return Points(total, cards, str(per))


def _check_where(where: BanWhereFile, place: str) -> None:
    bound = About.CARD if where.by else About.DECK
    for key, text, about in (("where", where.where, About.CARD), ("max", where.max, bound)):
        if isinstance(text, str):
            try:
                check(text, Scope(about=about, this=about is About.CARD))
            except ExpressionError as fault:
                raise TourneyError(f"{place}.{key}: {fault}: `{text}`") from None


BUILT_IN_LISTS = frozenset({"banned", "restricted", "points"})
"""The lists that every ban list has, made from its `[cards]` and `[points]`."""


def _lists(file: BanListFile, points: Points | None, source: str) -> Mapping[str, Mapping[str, int]]:
    named: dict[str, Mapping[str, int]] = {
        "banned": {name: 1 for name, copies in file.cards.items() if copies == 0},
        "restricted": {name: copies for name, copies in file.cards.items() if copies > 0},
        "points": points.cards if points else {},
    }
    for name, cards in file.lists.items():
        if name in named:
            raise TourneyError(
                f"{source}: lists.{name}: this list is made from the rest of the file; choose another name"
            )
        named[name] = dict(cards) if isinstance(cards, dict) else dict.fromkeys(cards, 1)
    return named


# -- The words of a ban list file, as they are written


class GroupFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[[group]]` of a ban list: at most `max` of these, counted by different card (`per = "copy"`: by copy)."""

    cards: tuple[str, ...]
    max: int = 1
    name: str = ""
    per: Literal["name", "copy"] = "name"
    zones: tuple[str, ...] = ()


class BanWhereFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[[where]]` of a ban list: what the condition fits may be there `max` times in all (0: banned), for `reason`.

    by: `name` holds each card to `max` by itself
    """

    where: str
    max: Bound = 0
    by: Literal["", "name"] = ""
    reason: str = ""
    except_cards: tuple[str, ...] = msgspec.field(default=(), name="except")


class BanListFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ban list file; its date stands in the file's name only.

    cards:  0 banned, 1 restricted to one copy, n at most n copies
    points: `total` and a number for each card; with `per = "name"` copies beyond the first cost nothing
    lists:  further named lists that the format's expressions ask with `listed` and `points`
    region: where it holds, if that matters
    """

    source: str | None = None
    name: str | None = None
    announced: date | None = None
    region: str | None = None
    note: str | None = None
    cards: dict[str, int] = {}
    points: dict[str, int | str | dict[str, int]] = {}
    group: tuple[GroupFile, ...] = ()
    where: tuple[BanWhereFile, ...] = ()
    lists: dict[str, tuple[str, ...] | dict[str, int]] = {}


# -- A ban list as rules: cards, points, groups and conditions


BANNED, RESTRICTED, POINTS, GROUP = "banned", "restricted", "points", "group"
"""The ids of its rules, printed at the end of their findings."""


def banlist_rules(banlist: BanList, composer: Composer) -> Iterator[Rule]:
    """Give a ban list's parts as rules. Raises TourneyError for a condition that asks for what no card has."""
    listed = f"list of {banlist.day.isoformat()}"
    cite = f"ban list {banlist.name} of {banlist.day.isoformat()}" + (
        f", {banlist.published}" if banlist.published else ""
    )
    if banlist.cards:
        yield Banned(terms=Terms(id=BANNED, cite=cite), cards=composer.keyed(banlist.cards), listed=listed)
    if banlist.points:
        points = banlist.points
        yield Total(
            terms=Terms(id=POINTS, cite=cite),
            cards=composer.keyed(points.cards),
            total=points.total,
            once=points.per == "name",
            listed=listed,
        )
    zones = composer.zones(())
    for number, group in enumerate(banlist.groups, 1):
        yield Group(
            terms=Terms(id=GROUP, cite=cite),
            cards=composer.keyed(dict.fromkeys(group.cards, 1)),
            most=group.max,
            once=group.per == "name",
            zones=frozenset(group.zones) or zones,
            called=f"`{group.name}`" if group.name else f"group {number} of the {listed}",
        )
    for number, where in enumerate(banlist.wheres):
        yield _where(composer, where, f"{banlist.source}: where[{number}]", cite, zones)


def _where(composer: Composer, where: BanWhereFile, place: str, cite: str, zones: frozenset[str]) -> Rule:
    ask = composer.expressions.bind
    free: Iterable[Exempt] = ()
    if where.except_cards:
        spared = composer.keyed(dict.fromkeys(where.except_cards, 1))
        free = (
            Exempt(where=lambda view: view.slot.number_on(spared) is not None, bounds=Bounds(), weigh=None),
        )
    banned = where.max == 0
    by_name = where.by == "name" and not banned
    reason = where.reason or ("banned" if banned else "restricted")
    return Limit(
        terms=Terms(
            id=BANNED if banned else RESTRICTED,
            cite=cite,
            message=_plain(reason) if banned else f"{{have}}, at most {{allowed}}: {_plain(reason)}",
        ),
        where=ask(where.where, f"{place}.where"),
        zones=zones,
        by=(ask("name", place),) if by_name else (),
        by_name=by_name,
        bounds=Bounds(most=ask(where.max, f"{place}.max", About.CARD if by_name else About.DECK)),
        weigh=None,
        distinct=None,
        single=False,
        once=False,
        each=banned,
        exempt=tuple(free),
        unit="copy" if by_name else "card",
    )


def _plain(text: str) -> str:
    """Keep braces in a list's own words from being read as holes."""
    return text.replace("{", "{{").replace("}", "}}")


class Banned(msgspec.Struct, frozen=True, kw_only=True):
    """`[cards]`: 0 bans a card, n allows n copies. cards: folded name → copies."""

    terms: Terms
    cards: Mapping[FoldedName, int]
    listed: str

    def judge(self, deck: Deck) -> Iterator[Outcome]:
        """Give a finding for each card of which the list allows fewer copies."""
        return self.terms.judged(deck, self._judge)

    def _judge(self, deck: Deck) -> Iterator[Outcome]:
        by_key: dict[FoldedName, list[Slot]] = {}
        for slot in deck.slots:
            for key in dict.fromkeys(slot.keys):
                if key in self.cards:
                    by_key.setdefault(key, []).append(slot)
        for key, slots in by_key.items():
            allowed, number = self.cards[key], sum(slot.qty for slot in slots)
            if number > allowed:
                message = (
                    f"banned ({self.listed})"
                    if allowed == 0
                    else f"{copies(number, 'copy')}, at most {allowed} ({self.listed})"
                )
                rule = BANNED if allowed == 0 else RESTRICTED
                yield self.terms.finding(message, slots=slots, have=number, allowed=allowed, rule=rule)


class Total(msgspec.Struct, frozen=True, kw_only=True):
    """`[points]`: what the listed cards add up to. once: copies beyond the first cost nothing."""

    terms: Terms
    cards: Mapping[FoldedName, int]
    total: int
    once: bool
    listed: str

    def judge(self, deck: Deck) -> Iterator[Outcome]:
        """Give a finding where the deck has more points than the list allows."""
        return self.terms.judged(deck, self._judge)

    def _judge(self, deck: Deck) -> Iterator[Outcome]:
        slots = [slot for slot in deck.slots if slot.number_on(self.cards)]
        if self.once:  # of cards that count as one the dearest
            cards: dict[FoldedName, int] = {}
            for slot in slots:
                cards[slot.key] = max(cards.get(slot.key, 0), slot.number_on(self.cards) or 0)
            number = sum(cards.values())
        else:
            number = sum(slot.qty * (slot.number_on(self.cards) or 0) for slot in slots)
        if number > self.total:
            message = f"{copies(number, 'points')}, at most {self.total} ({self.listed})"
            each = {slot.name: slot.number_on(self.cards) or 0 for slot in slots}
            costs = ", ".join(
                f"{name}: {cost}" for name, cost in sorted(each.items(), key=lambda item: -item[1])
            )
            hint = costs if len(each) > 1 else None
            yield self.terms.finding(message, slots=slots, have=number, allowed=self.total, hint=hint)


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """`[[group]]`: at most so many of these, by different card or by copy."""

    terms: Terms
    cards: Mapping[FoldedName, int]
    most: int
    once: bool
    zones: frozenset[str]
    called: str

    def judge(self, deck: Deck) -> Iterator[Outcome]:
        """Give a finding where the deck has more of the group than may be together."""
        return self.terms.judged(deck, self._judge)

    def _judge(self, deck: Deck) -> Iterator[Outcome]:
        slots = [
            slot for slot in deck.slots if slot.zone in self.zones and slot.number_on(self.cards) is not None
        ]
        number = len({slot.key for slot in slots}) if self.once else sum(slot.qty for slot in slots)
        if number > self.most:
            noun = "different card" if self.once else "copy"
            message = f"{copies(number, noun)} of {self.called}, at most {self.most}"
            yield self.terms.finding(message, slots=slots, have=number, allowed=self.most)


# -- What changed from one list to the next, in words, and why a new one should not be taken unseen


@dataclass(frozen=True, slots=True)
class Change:
    """One change. cards: the names it is about, as written; none where it is about a condition or a total."""

    words: str
    cards: tuple[str, ...] = ()


def changes(old: BanList | None, new: BanList) -> tuple[Change, ...]:
    """Return what changed from `old` (None: there was no list) to `new`, cards first, each by the alphabet."""
    return (
        *_card_changes(old.cards if old else {}, new.cards),
        *_point_changes(old, new),
        *_list_changes(old, new),
        *_group_changes(old.groups if old else (), new.groups),
        *_where_changes(old.wheres if old else (), new.wheres),
    )


def _card_changes(old: Mapping[str, int], new: Mapping[str, int]) -> Iterator[Change]:
    for name, before, after in _number_changes(old, new):
        if before is None:
            yield Change(f"{name}: {status(after)}", (name,))
        elif after is None:
            yield Change(f"{name}: free again, was {status(before)}", (name,))
        else:
            yield Change(f"{name}: {status(after)}, was {status(before)}", (name,))


def status(copies: int | None) -> str:
    """Say how many copies a list allows.

    >>> [status(copies) for copies in (0, 1, 2, None)]
    ['banned', 'restricted to 1 copy', 'at most 2 copies', 'free']
    """
    if copies is None:
        return "free"
    return {0: "banned", 1: "restricted to 1 copy"}.get(copies, f"at most {copies} copies")


def _point_changes(old: BanList | None, new: BanList) -> Iterator[Change]:
    before = old.points if old else None
    after = new.points
    if (before.total if before else None) != (after.total if after else None):
        yield Change(_bound("points", before.total if before else None, after.total if after else None))
    if before and after and before.per != after.per:
        yield Change(f"points: {points_counted(after)}, was {points_counted(before)}")
    for name, was, now in _number_changes(before.cards if before else {}, after.cards if after else {}):
        yield Change(_bound(f"{name}: points", was, now), (name,))


def _bound(what: str, was: int | None, now: int | None) -> str:
    if was is None:
        return f"{what}: {now}"
    return f"{what}: no longer, was {was}" if now is None else f"{what}: {now}, was {was}"


def points_counted(points: Points) -> str:
    """Say what a card's points are counted for."""
    return "once for each card, however many copies" if points.per == "name" else "for each copy"


def _list_changes(old: BanList | None, new: BanList) -> Iterator[Change]:
    before, after = old.lists if old else {}, new.lists
    for key in sorted((before.keys() | after.keys()) - BUILT_IN_LISTS):  # told by cards and points already
        for name, was, now in _number_changes(before.get(key, {}), after.get(key, {})):
            place = (
                "no longer on" if now is None else "now on" if was is None else f"{now} instead of {was} on"
            )
            yield Change(f"{name}: {place} the list `{key}`", (name,))


def _number_changes(
    old: Mapping[str, int], new: Mapping[str, int]
) -> Iterator[tuple[str, int | None, int | None]]:
    """Give (name, before, after) of every card whose number changed; names are compared folded."""
    before = {fold(name): (name, number) for name, number in old.items()}
    after = {fold(name): (name, number) for name, number in new.items()}
    for key in sorted(before.keys() | after.keys()):
        was, now = before.get(key), after.get(key)
        if (was and was[1]) != (now and now[1]) or (was is None) != (now is None):
            name = (now or was or ("", 0))[0]
            yield name, was[1] if was else None, now[1] if now else None


def _group_changes(old: tuple[GroupFile, ...], new: tuple[GroupFile, ...]) -> Iterator[Change]:
    before, after = {_group_key(each): each for each in old}, {_group_key(each): each for each in new}
    for key in (each for each in before if each not in after):
        yield Change(f"no longer: {_group_words(before[key])}", before[key].cards)
    for key in (each for each in after if each not in before):
        yield Change(_group_words(after[key]), after[key].cards)


def _group_key(group: GroupFile) -> tuple[object, ...]:
    return (frozenset(map(fold, group.cards)), group.max, group.per, frozenset(group.zones))


def _group_words(group: GroupFile) -> str:
    colon = ":" if group.name or group.zones else ""
    return f"{group_limit(group)}{colon} {', '.join(group.cards)}"


def group_limit(group: GroupFile) -> str:
    """Say what holds for the cards of a group, which are to follow.

    >>> group_limit(GroupFile(cards=("Ant", "Bee")))
    'at most 1 of'
    >>> group_limit(GroupFile(cards=("Ant", "Bee"), max=2, per="copy", name="bugs", zones=("main",)))
    'at most 2 copies in all of `bugs`, in main'
    """
    what = f"{copies(group.max, 'copy')} in all of" if group.per == "copy" else f"{group.max} of"
    name = f" `{group.name}`" if group.name else ""
    return f"at most {what}{name}{f', in {listed(group.zones)}' if group.zones else ''}"


def _where_changes(old: tuple[BanWhereFile, ...], new: tuple[BanWhereFile, ...]) -> Iterator[Change]:
    before, after = {_where_key(each): each for each in old}, {_where_key(each): each for each in new}
    gone = [before[key] for key in before if key not in after]
    come = [after[key] for key in after if key not in before]
    seen = Counter(where_words(each) for each in (*gone, *come))

    def words(where: BanWhereFile) -> str:
        brief = where_words(where)
        return brief if seen[brief] == 1 else where_words(where, whole=True)

    yield from (Change(f"no longer: {words(each)}") for each in gone)
    yield from (Change(words(each)) for each in come)


def _where_key(where: BanWhereFile) -> tuple[object, ...]:
    counted_by = "" if where.max == 0 else where.by
    return (where.where, where.max, counted_by, frozenset(map(fold, where.except_cards)))


def where_words(where: BanWhereFile, *, whole: bool = False) -> str:
    """Say what a condition of a list allows. whole: with the condition though the list gives a reason.

    >>> where_words(BanWhereFile(where="cost > 9", max=1, by="name", reason="too big", except_cards=("Ant",)), whole=True)
    'at most 1 of each: too big (cards with `cost > 9`), but not Ant'
    """
    allowed = "banned" if where.max == 0 else f"at most {where.max}{' of each' if where.by else ''}"
    cards = f"cards with `{where.where}`"
    what = where.reason or cards
    if whole and where.reason:
        what += f" ({cards})"
    return f"{allowed}: {what}{f', but not {listed(where.except_cards)}' if where.except_cards else ''}"


def entries(banlist: BanList) -> int:
    """Return how many things a list says: cards, groups and conditions."""
    return len(set(map(fold, banlist.names()))) + len(banlist.groups) + len(banlist.wheres)


def objections(new: BanList, installed: Iterable[BanList], unknown: Iterable[str] = ()) -> tuple[str, ...]:
    """Say why `new` should not be installed unseen: empty, a third shorter, unknown names, back in date.

    installed: the lists of the same name that are there
    unknown:   sentences about names that are no cards
    """
    by_day = sorted(installed, key=lambda each: each.day)
    reasons = list(unknown)
    if not entries(new):
        reasons.insert(0, "it is empty")
    before = [each for each in by_day if each.day <= new.day]
    if before and entries(new) and 3 * entries(new) < 2 * entries(before[-1]):
        had = entries(before[-1])
        reasons.append(f"it shrinks from {had} {'entry' if had == 1 else 'entries'} to {entries(new)}")
    if by_day and new.day < by_day[-1].day:
        reasons.append(f"a newer list is installed, that of {by_day[-1].day}")
    return tuple(reasons)
