"""A ban list as rules: cards, points, groups and conditions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import msgspec

from tourney.rules.expressions import About
from tourney.rules.kinds.limits import Exempt, Limit
from tourney.rules.kinds.terms import Bounds, Outcome, Rule, Terms, copies
from tourney.rules.slots import Deck, Slot

if TYPE_CHECKING:
    from tourney.rules.banlist import BanList, BanWhereFile
    from tourney.rules.composing import Composer


BANNED, RESTRICTED, POINTS, GROUP = "banned", "restricted", "points", "group"


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


def _plain(text: str) -> str:
    """Keep braces in a list's own words from being read as holes."""
    return text.replace("{", "{{").replace("}", "}}")


class Banned(msgspec.Struct, frozen=True, kw_only=True):
    """`[cards]`: 0 bans a card, n allows n copies. cards: folded name → copies."""

    terms: Terms
    cards: Mapping[str, int]
    listed: str

    def judge(self, deck: Deck) -> Iterator[Outcome]:
        """Give a finding for each card of which the list allows fewer copies."""
        return self.terms.judged(deck, self._judge)

    def _judge(self, deck: Deck) -> Iterator[Outcome]:
        found: dict[str, list[Slot]] = {}
        for slot in deck.slots:
            for key in dict.fromkeys(slot.keys):
                if key in self.cards:
                    found.setdefault(key, []).append(slot)
        for key, slots in found.items():
            allowed, number = self.cards[key], sum(slot.qty for slot in slots)
            if number > allowed:
                said = (
                    f"banned ({self.listed})"
                    if allowed == 0
                    else f"{copies(number, 'copy')}, at most {allowed} ({self.listed})"
                )
                rule = BANNED if allowed == 0 else RESTRICTED
                yield self.terms.finding(said, slots=slots, have=number, allowed=allowed, rule=rule)


class Total(msgspec.Struct, frozen=True, kw_only=True):
    """`[points]`: what the listed cards add up to. once: copies beyond the first cost nothing."""

    terms: Terms
    cards: Mapping[str, int]
    total: int
    once: bool
    listed: str

    def judge(self, deck: Deck) -> Iterator[Outcome]:
        """Give a finding where the deck has more points than the list allows."""
        return self.terms.judged(deck, self._judge)

    def _judge(self, deck: Deck) -> Iterator[Outcome]:
        slots = [slot for slot in deck.slots if slot.on(self.cards)]
        if self.once:  # of cards that count as one the dearest
            cards: dict[str, int] = {}
            for slot in slots:
                cards[slot.key] = max(cards.get(slot.key, 0), slot.on(self.cards) or 0)
            number = sum(cards.values())
        else:
            number = sum(slot.qty * (slot.on(self.cards) or 0) for slot in slots)
        if number > self.total:
            said = f"{copies(number, 'points')}, at most {self.total} ({self.listed})"
            each = {slot.name: slot.on(self.cards) or 0 for slot in slots}
            costs = ", ".join(
                f"{name}: {cost}" for name, cost in sorted(each.items(), key=lambda item: -item[1])
            )
            hint = costs if len(each) > 1 else None
            yield self.terms.finding(said, slots=slots, have=number, allowed=self.total, hint=hint)


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """`[[group]]`: at most so many of these, by different card or by copy."""

    terms: Terms
    cards: Mapping[str, int]
    most: int
    once: bool
    zones: frozenset[str]
    called: str

    def judge(self, deck: Deck) -> Iterator[Outcome]:
        """Give a finding where the deck has more of the group than may be together."""
        return self.terms.judged(deck, self._judge)

    def _judge(self, deck: Deck) -> Iterator[Outcome]:
        slots = [slot for slot in deck.slots if slot.zone in self.zones and slot.on(self.cards) is not None]
        number = len({slot.key for slot in slots}) if self.once else sum(slot.qty for slot in slots)
        if number > self.most:
            noun = "different card" if self.once else "copy"
            said = f"{copies(number, noun)} of {self.called}, at most {self.most}"
            yield self.terms.finding(said, slots=slots, have=number, allowed=self.most)
