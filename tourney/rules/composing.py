"""A format's rules bound to a pool: one function for each kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from tourney.cards import AttributeKind, Pool
from tourney.cards.names import fold
from tourney.errors import Severity, TourneyError
from tourney.rules.banlist import BanList, BanWhereFile
from tourney.rules.expressions import (
    About,
    ExpressionError,
    Meaning,
    Surroundings,
    bind,
    bind_weight,
    check,
    is_single,
    parse,
    truth,
)
from tourney.rules.expressions.describing import Describer, Wording
from tourney.rules.expressions.evaluate import Evaluator, is_of_the_card, remembered
from tourney.rules.expressions.parsing import Node
from tourney.rules.expressions.values import at_most, contains
from tourney.rules.format import Format, Placed
from tourney.rules.kinds.limits import Exempt, Limit
from tourney.rules.kinds.permissions import Require, RequireEach
from tourney.rules.kinds.terms import IN_ALL, Bounds, Rule, Terms, copies, holes
from tourney.rules.kinds.zones import (
    BANNED,
    GROUP,
    POINTS,
    RESTRICTED,
    SIZE,
    WRONG_ZONE,
    Banned,
    Group,
    Holds,
    Size,
    Total,
)
from tourney.rules.proofread import asks_the_deck, speaks_of_cards, speaks_of_size, surroundings
from tourney.rules.slots import Deck, View
from tourney.rules.vocabulary import AllowFile, Bound, CoverFile, LimitFile, RequireFile, ZoneFile

if TYPE_CHECKING:
    from tourney.rules.expressions.evaluate import Evaluator


@dataclass(frozen=True)
class Composer:
    """Binds the rules of a format; `rules` gives them in the order of the judge's sheet."""

    format: Format
    pool: Pool
    expressions: Expressions

    def rules(self, placed: Iterable[Placed[Any]]) -> Iterator[Rule]:
        """Give the bound rules among `placed`. Raises TourneyError."""
        allows: list[Placed[AllowFile]] = []
        for each in placed:
            match each.rule:
                case ZoneFile():
                    yield from self._zone(each)
                case LimitFile():
                    yield self._limit(each)
                case RequireFile():
                    yield self._require(each)
                case CoverFile():
                    yield self._cover(each)
                case AllowFile():
                    allows.append(each)
        if allows:
            yield self._allow(allows)

    def terms(self, placed: Placed[Any], about: About, rule_id: str = "", *, message: bool = True) -> Terms:
        """Return what all rules share.

        message: whether these terms say the rule's own message
        """
        rule = placed.rule
        text = rule.message if message else None
        when = self.expressions.describer(rule.when, About.DECK)
        return Terms(
            id=rule_id or rule.id,
            severity=Severity(rule.severity),
            cite=whose(self.format, placed),
            message=text,
            when=self.expressions.asked(rule.when, f"{placed.place}.when", About.DECK),
            holes=self.expressions.holes(text, f"{placed.place}.message", about),
            due=(when.causes,) if when else (),
        )

    def _zones(self, names: tuple[str, ...]) -> frozenset[str]:
        if names:
            return frozenset(names)
        return frozenset(zone.rule.id for zone in self.format.zones if zone.rule.counts)

    def _bounds(self, said: Any, place: str, about: About) -> Bounds:
        least, most, exactly = (
            self.expressions.asked(getattr(said, key), f"{place}.{key}", about)
            for key in ("min", "max", "exactly")
        )
        return Bounds(least=least, most=most, exactly=exactly)

    def _places(self, names: tuple[str, ...]) -> str:
        """Name the parts of a deck that a rule is about: `the Arsenal`, `the deck`."""
        called = self.expressions.wording.zones
        return " or ".join(called[name] for name in names if name in called) or "the deck"

    def _zone(self, placed: Placed[ZoneFile]) -> Iterator[Rule]:
        zone = placed.rule
        if zone.size is not None:
            # A zone's `when` says whether it is expected, not whether its rules hold: what stands in it is checked.
            terms = self.terms(placed, About.DECK, SIZE, message=speaks_of_size(self.format, placed))
            yield Size(
                terms=replace(self._due_to(terms, zone.size, About.DECK), when=None),
                expected=terms.when,
                zone=zone.id,
                called=zone.name or zone.id,
                bounds=self._bounds(zone.size, f"{placed.place}.size", About.DECK),
                optional=zone.optional,
                whose=self._whose(zone.size, About.DECK),
            )
        if zone.holds is not None:
            speaks = speaks_of_cards(self.format, placed)
            yield Holds(
                terms=replace(self.terms(placed, About.CARD, WRONG_ZONE, message=speaks), when=None),
                zone=zone.id,
                called=self.expressions.wording.zones[zone.id],
                holds=self.expressions.need(zone.holds, f"{placed.place}.holds"),
                elsewhere=self._elsewhere(zone),
                leads=self._noun(zone),
                describer=self.expressions.describer(zone.holds),
            )

    def _due_to(self, terms: Terms, rule: Any, about: About, where: str | None = None) -> Terms:
        """Add to what a rule is due to: the cards in its condition, and those that choose its bound (`40 if has('Prince') else 30`)."""
        bounds = (
            self.expressions.describer(getattr(rule, key, None), about) for key in ("min", "max", "exactly")
        )
        due = [*terms.due, *(bound.chosen_by for bound in bounds if bound)]
        if fits := self.expressions.describer(where):
            due.append(partial(fits.causes, leader=False))  # the leader's part is told by its values
        return replace(terms, due=tuple(due))

    def _whose(self, bounds: Any, about: About) -> str:
        """Say whose number the bound is, where it is one of the leader's."""
        describers = (
            self.expressions.describer(getattr(bounds, key), about) for key in ("min", "max", "exactly")
        )
        return next((describer.whose for describer in describers if describer and describer.whose), "")

    def _elsewhere(self, here: ZoneFile) -> Callable[[View], str]:
        """Make what says where a card belongs: the choosy parts that take it, else the default one if that is not choosy."""
        others = [
            (
                placed.rule,
                self.expressions.need(placed.rule.holds, f"{placed.place}.holds"),
                self._most(placed),
            )
            for placed in self.format.zones
            if placed.rule.holds is not None and placed.rule.id != here.id
        ]
        plain = [
            placed.rule
            for placed in self.format.zones
            if placed.rule.holds is None
            and placed.rule.id == self.format.default_zone
            and placed.rule.id != here.id
        ]

        def asked(view: View) -> str:
            taking = [
                (zone, self._full(zone, holds, most, view.deck))
                for zone, holds, most in others
                if truth(holds(view)) is True
            ]
            taking = taking or [(zone, "") for zone in plain]
            if not taking:
                return "no part of a deck in this format takes it"
            free = [(zone, full) for zone, full in taking if not full] or taking
            called = self.expressions.wording.zones
            places = " or ".join(f"in {called[zone.id]}{full}" for zone, full in free)
            return f"it belongs {places}"

        return asked

    def _noun(self, zone: ZoneFile) -> str:
        """Return what the card that stands in a zone is called, if that is the leader; else nothing."""
        leader = self.format.leader
        return (leader.rule.noun or "leader") if leader and leader.rule.zone == zone.id else ""

    def _most(self, placed: Placed[ZoneFile]) -> Evaluator | None:
        size = placed.rule.size
        most = None if size is None else size.exactly if size.exactly is not None else size.max  # type: ignore[union-attr]
        return self.expressions.asked(most, f"{placed.place}.size", About.DECK)

    @staticmethod
    def _full(zone: ZoneFile, holds: Evaluator, most: Evaluator | None, deck: Deck) -> str:
        """Say that the cards which belong in a part leave no room, and who does where that is one; empty where there is."""
        view = View(deck)
        holders = [
            slot for slot in deck.slots if slot.zone == zone.id and truth(holds(view.of(slot))) is True
        ]
        there = sum(slot.qty for slot in holders)
        if most is None or at_most(there + 1, most(View(deck))) is not False:
            return ""
        if there == 1 and holders[0].lines:
            return f", which {holders[0].name} (line {holders[0].lines[0]}) has already"
        return f", which is full ({copies(there)})"

    def _limit(self, placed: Placed[LimitFile]) -> Rule:
        rule, place = placed.rule, placed.place
        ask = self.expressions.asked
        about = About.CARD if rule.by else About.DECK
        by = tuple(rule.by or ())
        each = rule.max == 0 and not (by or rule.distinct or rule.weigh)
        return Limit(
            terms=self._due_to(
                self.terms(placed, About.CARD if by or each else About.DECK),
                rule,
                about,
                rule.where if each else None,
            ),
            where=ask(rule.where, f"{place}.where"),
            zones=self._zones(rule.zones),
            by=tuple(self.expressions.need(text, f"{place}.by[{number}]") for number, text in enumerate(by)),
            by_name=by == ("name",),
            bounds=self._bounds(rule, place, about),
            weigh=self.expressions.weight(rule.weigh, f"{place}.weigh"),
            distinct=ask(rule.distinct, f"{place}.distinct"),
            single=self.expressions.single(rule.distinct),
            once=rule.per == "name",
            each=each,
            exempt=tuple(self._exempt(rule, number, place, about) for number in range(len(rule.exceptions))),
            unit=rule.unit or _unit(rule, by),
            describer=self.expressions.describer(rule.where),
            places=self._places(rule.zones),
            whose=self._whose(rule, about),
            by_words=by,
            zone_words=self.expressions.wording.zones,
            at_most=rule.max if isinstance(rule.max, int) and rule.min is None else None,
        )

    def _exempt(self, rule: LimitFile, number: int, place: str, about: About) -> Exempt:
        entry, where = rule.exceptions[number], f"{place}.except[{number}]"
        return Exempt(
            where=self.expressions.need(entry.where, f"{where}.where"),
            bounds=self._bounds(entry, where, about),
            weigh=self.expressions.weight(entry.weigh, f"{where}.weigh"),
            cite=entry.cite,
        )

    def _require(self, placed: Placed[RequireFile]) -> Rule:
        rule, place = placed.rule, placed.place
        said = rule.title or ""
        if rule.where is None and not rule.zones:
            that = self.expressions.need(rule.that, f"{place}.that", About.DECK)
            return Require(
                terms=self.terms(placed, About.DECK),
                that=that,
                said=said,
                formula=rule.that,
                describer=self.expressions.describer(rule.that, About.DECK),
            )
        return RequireEach(
            terms=self._due_to(self.terms(placed, About.CARD), rule, About.CARD, rule.where),
            where=self.expressions.asked(rule.where, f"{place}.where"),
            zones=self._zones(rule.zones),
            that=self.expressions.need(rule.that, f"{place}.that"),
            said=said,
            formula=rule.that,
            describer=self.expressions.describer(rule.that),
        )

    def _cover(self, placed: Placed[CoverFile]) -> Rule:
        from tourney.rules.kinds.permissions import Cover

        rule, place = placed.rule, placed.place
        if isinstance(rule.each, dict):
            each = tuple((w, self.expressions.need(t, f"{place}.each.{w}")) for w, t in rule.each.items())
        else:
            covers = self.expressions.need(rule.by or "name", f"{place}.by")
            each = tuple((word, _covering(word, covers)) for word in rule.each)
        return Cover(
            terms=self.terms(placed, About.DECK, message=asks_the_deck(self.format, placed)),
            where=self.expressions.asked(rule.where, f"{place}.where"),
            zones=self._zones(rule.zones),
            each=each,
        )

    def _allow(self, allows: list[Placed[AllowFile]]) -> Rule:
        from tourney.rules.kinds.permissions import Allow, Permission

        permissions = tuple(
            Permission(
                terms=self.terms(placed, About.CARD),
                said=placed.rule.title or placed.rule.id,
                where=self.expressions.need(placed.rule.where, f"{placed.place}.where"),
                zones=self._zones(placed.rule.zones),
                most=self.expressions.asked(placed.rule.max, f"{placed.place}.max", About.DECK),
                describer=self.expressions.describer(placed.rule.where),
            )
            for placed in allows
        )
        first = self.terms(allows[0], About.CARD, "allow", message=False)
        severities = {permission.terms.severity for permission in permissions}
        severity = Severity.ERROR if Severity.ERROR in severities else first.severity
        return Allow(terms=replace(first, when=None, severity=severity), permissions=permissions)

    def kit(self) -> Iterator[Rule]:
        """Give the fixed box, if the format has one."""
        placed = self.format.kit
        if placed:
            from tourney.rules.kinds.zones import Kit

            names = {counted_key(self.pool, name): name for name in placed.rule.cards}
            yield Kit(
                terms=self.terms(placed, About.CARD),
                zone=placed.rule.zone or self.format.default_zone,
                cards={counted_key(self.pool, name): number for name, number in placed.rule.cards.items()},
                names=names,
            )


def _covering(word: str, covers: Any) -> Any:
    return lambda view: contains(word, covers(view))


def _unit(rule: LimitFile, by: tuple[str, ...]) -> str:
    if rule.distinct is not None:
        return "different card" if rule.distinct in {"name", "id"} else f"different {rule.distinct}"
    if isinstance(rule.weigh, str):
        return rule.weigh.replace("_", " ") if rule.weigh.isidentifier() else IN_ALL
    return "copy" if "name" in by else "card"


def whose(format_: Format, placed: Placed[Any]) -> str | None:
    """Return where a rule stands; a house overlay's own rule says whose it is."""
    if placed.origin in format_.houses:
        return f"house rule of {placed.origin}" + (f": {placed.rule.cite}" if placed.rule.cite else "")
    cite: str | None = placed.rule.cite
    return cite


# -- Expressions of a format bound to a pool: texts in, functions out, refusals with file, key path and column


@dataclass(frozen=True)
class Expressions:
    """Binds the expressions of one ruleset."""

    meaning: Meaning
    around: Surroundings
    wording: Wording = field(default_factory=Wording)

    @classmethod
    def of(cls, format_: Format, pool: Pool) -> Expressions:
        """Return what binds the format's expressions to the pool's attributes."""
        declared = pool.attributes
        meaning = Meaning(
            define=format_.define,
            attributes=frozenset(declared) if declared else None,
            flags=frozenset(
                name for name, attribute in declared.items() if attribute.kind is AttributeKind.FLAG
            ),
            singles=frozenset(
                name for name, attribute in declared.items() if attribute.kind is not AttributeKind.LIST
            ),
            canonical=lambda name: counted_key(pool, name),
        )
        return cls(meaning, surroundings(format_), wording_of(format_))

    def asked(self, text: Bound | None, place: str, about: About = About.CARD) -> Evaluator | None:
        """Bind an expression or a number, None for None. Raises TourneyError."""
        if text is None:
            return None
        return self.need(text, place, about)

    def need(self, text: Bound, place: str, about: About = About.CARD) -> Evaluator:
        """Bind an expression or a number. Raises TourneyError with file, key path and column."""
        if isinstance(text, int):
            return _number(text)
        return self._bound(text, place, about, lambda node: bind(node, self.meaning, about))

    def weight(self, text: Bound | None, place: str) -> Evaluator | None:
        """Bind what a copy weighs, None for None. Raises TourneyError."""
        if text is None or isinstance(text, int):
            return self.asked(text, place)
        return self._bound(text, place, About.CARD, lambda node: bind_weight(node, self.meaning))

    def describer(self, text: Bound | None, about: About = About.CARD) -> Describer | None:
        """Return what tells of an expression in words; None for none, and for a number, which speaks for itself."""
        return Describer(parse(text), self.meaning, self.wording, about) if isinstance(text, str) else None

    def single(self, text: str | None) -> bool:
        """Say whether an expression is one attribute that is no list."""
        return text is not None and is_single(parse(text), self.meaning)

    def _bound(self, text: str, place: str, about: About, make: Callable[[Node], Evaluator]) -> Evaluator:
        around = self.around if about is About.CARD else replace(self.around, about=about, this=False)
        try:
            node = check(text, around)
            asked = make(node)
        except ExpressionError as fault:
            raise TourneyError(f"{place}: {fault}: `{text}`") from None
        return (
            remembered(asked) if about is About.CARD and is_of_the_card(node, self.meaning.define) else asked
        )

    def holes(self, message: str | None, place: str, about: About) -> Mapping[str, Evaluator]:
        """Bind the holes of a message."""
        return {hole: self.need(hole, place, about) for hole in holes(message or "")}


def wording_of(format_: Format) -> Wording:
    """Return what a format calls its leader and the parts of its decks; a part without a name is its header, in quotes."""
    noun = (format_.leader.rule.noun or "leader") if format_.leader else "leader"
    zones = {}
    for placed in format_.zones:
        zone = placed.rule
        plain = zone.name or ("deck" in zone.id and zone.id.replace("-", " "))
        zones[zone.id] = f"the {plain}" if plain else f"`{zone.id}`"
    if format_.leader:
        zones[format_.leader.rule.zone] = f"the {noun}'s place"
    return Wording(noun=noun, zones=zones)


def counted_key(pool: Pool, name: str) -> str:
    """Return the folded name of the card that `name` (perhaps an alias) means; of an unknown one, its own."""
    card = pool.find(name)
    return fold(card.name if card else name)


def _number(number: int) -> Evaluator:
    return lambda _: number


# -- A ban list bound to a pool: its parts as rules


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
