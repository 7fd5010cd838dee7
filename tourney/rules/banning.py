"""A ban list bound to a pool: its parts as rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from tourney.rules.banlist import BanList
from tourney.rules.banlist_file import BanWhereFile
from tourney.rules.bound import counted_key
from tourney.rules.composing import Composer
from tourney.rules.expressions import About
from tourney.rules.kinds.bans import BANNED, GROUP, POINTS, RESTRICTED, Banned, Group, Total
from tourney.rules.kinds.bounds import Bounds
from tourney.rules.kinds.limits import Exempt, Limit
from tourney.rules.kinds.terms import Rule, Terms


def bans(banlist: BanList, composer: Composer) -> Iterator[Rule]:
    """Give a ban list's parts as rules. Raises TourneyError for a condition that asks for what no card has."""
    listed = f"list of {banlist.day.isoformat()}"
    cite = f"ban list {banlist.name} of {banlist.day.isoformat()}" + (
        f", {banlist.published}" if banlist.published else ""
    )
    if banlist.cards:
        cards = {counted_key(composer.pool, name): copies for name, copies in banlist.cards.items()}
        yield Banned(terms=Terms(id=BANNED, cite=cite), cards=cards, listed=listed)
    if banlist.points:
        points = banlist.points
        yield Total(
            terms=Terms(id=POINTS, cite=cite),
            cards=_keyed(composer, points.cards),
            total=points.total,
            once=points.per == "name",
            listed=listed,
        )
    zones = frozenset(zone.rule.id for zone in composer.format.zones if zone.rule.counts)
    for number, group in enumerate(banlist.groups, 1):
        yield Group(
            terms=Terms(id=GROUP, cite=cite),
            cards=_keyed(composer, dict.fromkeys(group.cards, 1)),
            most=group.max,
            once=group.per == "name",
            zones=frozenset(group.zones) or zones,
            called=f"`{group.name}`" if group.name else f"group {number} of the {listed}",
        )
    for number, where in enumerate(banlist.wheres):
        yield _where(composer, where, f"{banlist.source}: where[{number}]", cite, zones)


def _where(composer: Composer, where: BanWhereFile, place: str, cite: str, zones: frozenset[str]) -> Rule:
    ask = composer.expressions.need
    free: Iterable[Exempt] = ()
    if where.except_cards:
        spared = _keyed(composer, dict.fromkeys(where.except_cards, 1))
        free = (Exempt(where=lambda view: view.slot.on(spared) is not None, bounds=Bounds(), weigh=None),)
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


def _keyed(composer: Composer, cards: Mapping[str, int]) -> dict[str, int]:
    return {counted_key(composer.pool, name): number for name, number in cards.items()}


def _plain(text: str) -> str:
    """Keep braces in a list's own words from being read as holes."""
    return text.replace("{", "{{").replace("}", "}}")
