"""What changed from one ban list to the next, in words, and why a new one should not be taken unseen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tourney.cards.names import fold
from tourney.rules.banlist import BanList, BanWhereFile, GroupFile


@dataclass(frozen=True, slots=True)
class Change:
    """One change. cards: the names it is about, as written; none where it is about a condition or a total."""

    words: str
    cards: tuple[str, ...] = ()


def changes(old: BanList | None, new: BanList) -> tuple[Change, ...]:
    """Return what changed from `old` (None: there was no list) to `new`, cards first, each by the alphabet."""
    return (
        *_cards(old.cards if old else {}, new.cards),
        *_points(old, new),
        *_lists(old, new),
        *_groups(old.groups if old else (), new.groups),
        *_wheres(old.wheres if old else (), new.wheres),
    )


def _cards(old: Mapping[str, int], new: Mapping[str, int]) -> Iterator[Change]:
    for name, before, after in _numbers(old, new):
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


def _points(old: BanList | None, new: BanList) -> Iterator[Change]:
    before = old.points if old else None
    after = new.points
    if (before.total if before else None) != (after.total if after else None):
        yield Change(_bound("points", before.total if before else None, after.total if after else None))
    for name, was, now in _numbers(before.cards if before else {}, after.cards if after else {}):
        yield Change(_bound(f"{name}: points", was, now), (name,))


def _bound(what: str, was: int | None, now: int | None) -> str:
    if was is None:
        return f"{what}: {now}"
    return f"{what}: no longer, was {was}" if now is None else f"{what}: {now}, was {was}"


def _lists(old: BanList | None, new: BanList) -> Iterator[Change]:
    ours = {"banned", "restricted", "points"}  # those that `cards` and `points` have told already
    before, after = old.lists if old else {}, new.lists
    for key in sorted((before.keys() | after.keys()) - ours):
        for name, was, now in _numbers(before.get(key, {}), after.get(key, {})):
            said = (
                "no longer on" if now is None else "now on" if was is None else f"{now} instead of {was} on"
            )
            yield Change(f"{name}: {said} the list `{key}`", (name,))


def _numbers(old: Mapping[str, int], new: Mapping[str, int]) -> Iterator[tuple[str, int | None, int | None]]:
    """Give (name, before, after) of every card whose number changed; names are compared folded."""
    before = {fold(name): (name, number) for name, number in old.items()}
    after = {fold(name): (name, number) for name, number in new.items()}
    for key in sorted(before.keys() | after.keys()):
        was, now = before.get(key), after.get(key)
        if (was and was[1]) != (now and now[1]) or (was is None) != (now is None):
            name = (now or was or ("", 0))[0]
            yield name, was[1] if was else None, now[1] if now else None


def _groups(old: tuple[GroupFile, ...], new: tuple[GroupFile, ...]) -> Iterator[Change]:
    before, after = {_group_key(each): each for each in old}, {_group_key(each): each for each in new}
    for key in (each for each in before if each not in after):
        yield Change(f"no longer: {_group_words(before[key])}", before[key].cards)
    for key in (each for each in after if each not in before):
        yield Change(_group_words(after[key]), after[key].cards)


def _group_key(group: GroupFile) -> tuple[object, ...]:
    return (frozenset(map(fold, group.cards)), group.max, group.per, frozenset(group.zones))


def _group_words(group: GroupFile) -> str:
    return f"at most {group.max} of {', '.join(group.cards)}"


def _wheres(old: tuple[BanWhereFile, ...], new: tuple[BanWhereFile, ...]) -> Iterator[Change]:
    before, after = {_where_key(each): each for each in old}, {_where_key(each): each for each in new}
    for key in (each for each in before if each not in after):
        yield Change(f"no longer: {_where_words(before[key])}")
    for key in (each for each in after if each not in before):
        yield Change(_where_words(after[key]))


def _where_key(where: BanWhereFile) -> tuple[object, ...]:
    return (where.where, where.max, where.by, frozenset(map(fold, where.except_cards)))


def _where_words(where: BanWhereFile) -> str:
    said = "banned" if where.max == 0 else f"at most {where.max}{' of each' if where.by else ''}"
    return f"{said}: {where.reason or f'cards with `{where.where}`'}"


def entries(banlist: BanList) -> int:
    """Return how many things a list says: cards, groups and conditions."""
    return len(set(map(fold, banlist.names()))) + len(banlist.groups) + len(banlist.wheres)


def objections(new: BanList, installed: Iterable[BanList], unknown: Iterable[str] = ()) -> tuple[str, ...]:
    """Say why `new` should not be installed unseen: empty, a third shorter, unknown names, back in date.

    installed: the lists of the same name that are there
    unknown:   sentences about names that are no cards
    """
    known = sorted(installed, key=lambda each: each.day)
    found = list(unknown)
    if not entries(new):
        found.insert(0, "it is empty")
    before = [each for each in known if each.day <= new.day]
    if before and entries(new) and 3 * entries(new) < 2 * entries(before[-1]):
        had = entries(before[-1])
        found.append(f"it shrinks from {had} {'entry' if had == 1 else 'entries'} to {entries(new)}")
    if known and new.day < known[-1].day:
        found.append(f"it goes back in date: the list of {known[-1].day} is installed")
    return tuple(found)
