"""Reading a format once over: every expression in its place, every zone it names there, nothing bounded by itself."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import msgspec
from msgspec.structs import replace

from tourney.cards import NONE, UNKNOWN, AttributeKind, Pool
from tourney.cards.card import STATUS_WORDS
from tourney.cards.names import fold, meant, nearest
from tourney.errors import Finding, Severity, TourneyError
from tourney.rules.expressions import About, ExpressionError, Surroundings, check, parse
from tourney.rules.expressions.evaluate import OWN_NAMES
from tourney.rules.expressions.language import FUNCTIONS, counts_cards
from tourney.rules.expressions.parsing import (
    Call,
    Compare,
    Dotted,
    ListOf,
    Literal,
    Name,
    Node,
    children,
    walk,
)
from tourney.rules.expressions.values import contains
from tourney.rules.format import Format, Placed
from tourney.rules.kinds.terms import MessageError, given, holes
from tourney.rules.sugar import OF_THE_LEADER, said_of
from tourney.rules.vocabulary import LimitFile, RequireFile, ZoneFile

BUILT_IN_LISTS = frozenset({"banned", "restricted", "points"})


class PlacedExpression(msgspec.Struct, frozen=True):
    """An expression where it stands."""

    text: object
    place: str
    around: Surroundings


def surroundings(format_: Format) -> Surroundings:
    """Return what the expressions of a format may name, whatever their place."""
    lists = None if format_.banlist else frozenset(format_.lists) | BUILT_IN_LISTS
    return Surroundings(
        define=format_.define,
        zones=frozenset(zone.rule.id for zone in format_.zones),
        lists=lists,
        settings=frozenset(format_.settings),
        leader=format_.leader is not None,
    )


def proofread(format_: Format) -> None:
    """Check what only the whole format shows. Raises TourneyError with file, key path, column and reason."""
    around = surroundings(format_)
    _check_names(format_, around)
    for written in _expressions(format_, around):
        if isinstance(written.text, str):
            _check(written)
    for zone in format_.zones:
        _check_size(zone, around)


def _check(written: PlacedExpression) -> Node:
    text = str(written.text)
    try:
        return check(text, written.around)
    except ExpressionError as fault:
        raise TourneyError(f"{written.place}: {fault}: `{_shown(text)}`") from None


def _shown(text: str) -> str:
    return text if len(text) <= 120 else text[:117] + "…"


def _expressions(format_: Format, card: Surroundings) -> Iterator[PlacedExpression]:
    deck = replace(card, about=About.DECK, this=False)
    if format_.leader and format_.leader.rule.where:
        yield PlacedExpression(
            format_.leader.rule.where, f"{format_.leader.place}.where", replace(card, leader=False)
        )
    for zone in format_.zones:
        yield PlacedExpression(zone.rule.holds, f"{zone.place}.holds", card)
        yield from _bounds(zone.rule.size, f"{zone.place}.size", deck)
    for limit in format_.limits:
        yield from _of_limit(limit, card, deck)
    for require in format_.requires:
        each = bool(require.rule.where or require.rule.zones)
        yield PlacedExpression(require.rule.where, f"{require.place}.where", card)
        yield PlacedExpression(require.rule.that, f"{require.place}.that", card if each else deck)
    for allow in format_.allows:
        yield PlacedExpression(allow.rule.where, f"{allow.place}.where", card)
        yield PlacedExpression(allow.rule.max, f"{allow.place}.max", deck)
    for cover in format_.covers:
        yield PlacedExpression(cover.rule.where, f"{cover.place}.where", card)
        yield PlacedExpression(cover.rule.by, f"{cover.place}.by", card)
        conditions = cover.rule.each if isinstance(cover.rule.each, dict) else {}
        for word, condition in conditions.items():
            yield PlacedExpression(condition, f"{cover.place}.each.{word}", card)
    for placed in _all_rules(format_):
        yield PlacedExpression(placed.rule.when, f"{placed.place}.when", deck)
        yield from _of_message(placed, card, deck)


def _of_limit(limit: Placed[LimitFile], card: Surroundings, deck: Surroundings) -> Iterator[PlacedExpression]:
    rule, place = limit.rule, limit.place
    bound = card if rule.by else deck
    for key in ("where", "weigh", "distinct"):
        yield PlacedExpression(getattr(rule, key), f"{place}.{key}", card)
    for number, by in enumerate(rule.by or ()):
        yield PlacedExpression(by, f"{place}.by[{number}]", card)
    yield from _bounds(rule, place, bound)
    for number, entry in enumerate(rule.exceptions):
        yield PlacedExpression(entry.where, f"{place}.except[{number}].where", card)
        yield PlacedExpression(entry.weigh, f"{place}.except[{number}].weigh", card)
        yield from _bounds(entry, f"{place}.except[{number}]", bound)


def _bounds(bounds: Any, place: str, around: Surroundings) -> Iterator[PlacedExpression]:
    if bounds is not None:
        for key in ("min", "max", "exactly"):
            yield PlacedExpression(getattr(bounds, key), f"{place}.{key}", around)


def _of_message(placed: Placed[Any], card: Surroundings, deck: Surroundings) -> Iterator[PlacedExpression]:
    text = placed.rule.message
    if text is None:
        return
    try:
        asked = holes(text)
    except MessageError as fault:
        raise TourneyError(f"{placed.place}.message: {fault}") from None
    for hole in asked:
        yield PlacedExpression(
            hole, f"{placed.place}.message", card if _is_about_cards(placed.rule) else deck
        )


def _is_about_cards(rule: Any) -> bool:
    if isinstance(rule, RequireFile):
        return bool(rule.where or rule.zones)
    return not isinstance(rule, LimitFile) or bool(rule.by) or rule.max == 0


def _all_rules(format_: Format) -> Iterator[Placed[Any]]:
    yield from format_.zones
    yield from format_.limits
    yield from format_.requires
    yield from format_.allows
    yield from format_.covers
    yield from filter(None, (format_.kit, format_.printings))


def _check_names(format_: Format, around: Surroundings) -> None:
    zones = around.zones or frozenset()
    in_zones: list[Placed[Any]] = [*format_.limits, *format_.requires, *format_.allows, *format_.covers]
    for placed in in_zones:
        for number, zone in enumerate(placed.rule.zones):
            _check_zone(zone, f"{placed.place}.zones[{number}]", zones)
    for placed in format_.covers:
        _check_cover(placed)
    if format_.kit and format_.kit.rule.zone:
        _check_zone(format_.kit.rule.zone, f"{format_.kit.place}.zone", zones)
    if format_.leader:
        _check_zone(format_.leader.rule.zone, f"{format_.leader.place}.zone", zones)
    for name, setting in format_.settings.items():
        if setting.choices and setting.default not in setting.choices:
            raise TourneyError(
                f"{format_.source}: settings.{name}.default: `{setting.default}` is none of the choices"
            )


# -- what is said to no effect


def unheard(format_: Format) -> Iterator[str]:
    """Say which settings of a format nothing asks for, each with its place."""
    yield from _of_the_leader(format_)
    counting = {zone.rule.id for zone in format_.zones if zone.rule.counts}
    for placed in format_.zones:
        zone, place = placed.rule, placed.place
        if not zone.counts and (zone.size is not None or zone.holds is not None):
            yield f"{place}: `size` and `holds` say nothing of a zone that does not count (`counts = false`)"
        elif zone.message is not None and not (
            speaks_of_size(format_, placed) or speaks_of_cards(format_, placed)
        ):
            yield f"{place}.message: " + (
                "the zone has neither `size` nor `holds` to speak of"
                if zone.size is None and zone.holds is None
                else "it asks for a card, but the zone has no `holds` that a card could break"
            )
    for cover in format_.covers:
        if not asks_the_deck(format_, cover):
            yield f"{cover.place}.message: it asks a card for something, but what is missing is no card"
    zoned: list[Placed[Any]] = [*format_.limits, *format_.requires, *format_.allows, *format_.covers]
    for rule in zoned:
        if rule.rule.zones and not counting.intersection(rule.rule.zones):
            yield f"{rule.place}.zones: nothing counts in {' or '.join(rule.rule.zones)} (`counts = false`)"
    severities = {allow.rule.severity for allow in format_.allows}
    if len(severities) > 1:
        advice = next(allow for allow in format_.allows if allow.rule.severity == "advice")
        yield f"{advice.place}.severity: all `[[allow]]` are one rule, and others of them are no advice"


def _of_the_leader(format_: Format) -> Iterator[str]:
    placed = format_.leader
    zone = format_.zone(placed.rule.zone) if placed else None
    if placed is None or zone is None:
        return
    if placed.rule.id:
        yield f"{placed.place}.id: a leader's findings are those of its zone `{zone.id}`: `size` and `wrong-zone`"
    for key, value in said_of(placed.rule, OF_THE_LEADER).items():
        if getattr(zone, key) != value:
            yield f"{placed.place}.{key}: the zone `{zone.id}` says another, which goes first"


def asks_the_deck(format_: Format, placed: Placed[Any]) -> bool:
    """Say whether a rule's message can be said of the whole deck: it asks no card for anything."""
    deck = replace(surroundings(format_), about=About.DECK, this=False)
    try:
        for hole in holes(placed.rule.message or ""):
            check(hole, deck)
    except ExpressionError:
        return False
    return True


def speaks_of_cards(format_: Format, placed: Placed[ZoneFile]) -> bool:
    """Say whether a zone's message is meant for cards that do not belong there, going by what it asks for."""
    zone, asked = placed.rule, given(placed.rule.message or "")
    if zone.holds is None:
        return False
    of_a_card = "card" in asked or not asks_the_deck(format_, placed)
    return of_a_card or zone.size is None or not asked & {"have", "allowed"}


def speaks_of_size(format_: Format, placed: Placed[ZoneFile]) -> bool:
    """Say whether a zone's message is meant for its size: it asks for the numbers, or there is nothing else to speak of.

    The message of a leader's zone that names neither is said of both: of no general, of two, and of one who is none.
    """
    zone, asked = placed.rule, given(placed.rule.message or "")
    if zone.size is None or "card" in asked or not asks_the_deck(format_, placed):
        return False
    leads = format_.leader is not None and format_.leader.rule.zone == zone.id and format_.leader.rule.message
    return zone.holds is None or bool(asked & {"have", "allowed"}) or bool(leads)


# -- what is misspelt


def remarks_on(format_: Format, pool: Pool) -> Iterator[Finding]:
    """Say what a format says in vain: to no effect, of cards, words and attributes that a complete pool does not have.

    An open pool may not list them yet. An attribute that the pool declares and no card has is only remarked upon.
    """
    if format_.names_its_pool and not len(pool):
        said = f"format.pool: there is no card of a pool `{format_.pool}` here"
        yield _remark("pool", said, Severity.ADVICE)
    for said in unheard(format_):
        yield _remark("unheard", said)
    for _, placed in format_.overrides:
        for attribute in placed.rule.set:
            if pool.attributes and attribute not in pool.attributes and attribute not in OWN_NAMES:
                said = f"{placed.place}.set: the pool's cards have no `{attribute}`"
                yield _remark("word", said + _near(attribute, pool.attributes))
    for place, card in _named_cards(format_) if pool.complete else ():
        if card not in pool:
            asked = meant(card, pool.near(card, limit=1))
            said = f"{place}: `{card}` is no card of the pool"
            yield _remark("format-card", "; ".join(filter(None, (said, asked))))
    yield from Spelling.of(format_, pool).faults(_expressions(format_, surroundings(format_)))


def _named_cards(format_: Format) -> Iterator[tuple[str, str]]:
    """Give the cards that a format names outside expressions, with their places."""
    for said in format_.lists.values():
        yield from ((said.place, card) for card in said.cards)
    if format_.kit:
        yield from ((f"{format_.kit.place}.cards", card) for card in format_.kit.rule.cards)
    yield from ((placed.place, card) for card, placed in format_.overrides)


def refuse_misspelt(format_: Format, pool: Pool) -> None:
    """Raise TourneyError for a zone, a choice or a printing's attribute in a format that there cannot be."""
    for fault in Spelling.of(format_, pool).faults(_expressions(format_, surroundings(format_)), words=False):
        raise TourneyError(fault.message, "`tourney format show FILE --check` tells all of them")


def misspelt(format_: Format, pool: Pool) -> Iterator[str]:
    """Give the words in a format's expressions that no card of a complete pool has; the whole pool is read."""
    for fault in Spelling.of(format_, pool).faults(_expressions(format_, surroundings(format_))):
        if fault.severity is Severity.ERROR:
            yield fault.message


def _remark(rule: str, message: str, severity: Severity = Severity.ERROR) -> Finding:
    return Finding(rule=rule, severity=severity, message=message)


def _near(word: str, known: Iterable[str]) -> str:
    """Ask for the nearest word, or name them all where they are few."""
    spelled = {fold(each): each for each in known}.values()
    near = nearest(word, spelled)
    if near:
        return f"; did you mean `{near}`?"
    return f"; there are {', '.join(sorted(spelled))}" if 0 < len(spelled) <= MOST_LISTED else ""


MOST_LISTED = 12
"""Words named where none of them is near."""
_PRINTED = ("set", "number", "id", "status", "released", "note")


@dataclass(frozen=True)
class Spelling:
    """The words that expressions may compare with: a pool's, and those of the format itself.

    zones, choices: of the format, None where they are not known (a ban list is for any format)
    errata:  what overrides put in place of the pool's values
    source:  the file, for the places of definitions
    """

    pool: Pool
    define: Mapping[str, str] = field(default_factory=dict)
    zones: frozenset[str] | None = None
    choices: Mapping[str, tuple[object, ...]] = field(default_factory=dict)
    errata: tuple[Mapping[str, object], ...] = ()
    source: str = ""

    @classmethod
    def of(cls, format_: Format, pool: Pool) -> Spelling:
        """Return the words of a format and its pool."""
        return cls(
            pool,
            format_.define,
            frozenset(zone.rule.id for zone in format_.zones),
            {name: setting.choices for name, setting in format_.settings.items()},
            tuple(placed.rule.set for _, placed in format_.overrides),
            format_.source,
        )

    def faults(self, written: Iterable[PlacedExpression], *, words: bool = True) -> Iterator[Finding]:
        """Say which words of expressions nothing has. words: also those of cards, for which the whole pool is read."""
        seen: set[tuple[str, About] | str] = set()
        for each in written:
            if isinstance(each.text, str):
                for fault in self._of_text(each.text, each.place, each.around.about, seen, words=words):
                    if fault.message not in seen:
                        seen.add(fault.message)
                        yield fault

    def _of_text(
        self, text: str, place: str, about: About, seen: set[tuple[str, About] | str], *, words: bool
    ) -> Iterator[Finding]:
        for node, here in self._nodes(parse(text), about):
            if isinstance(node, Name) and node.name in self.define:
                if (node.name, here) not in seen:
                    seen.add((node.name, here))
                    inner = self.define[node.name]
                    yield from self._of_text(
                        inner, f"{self.source}: define.{node.name}", here, seen, words=words
                    )
                continue
            for said, at, severity in self._of_node(node, here, words=words):
                yield _remark("word", f"{place}: column {at}: {said}: `{_shown(text)}`", severity)

    def _nodes(self, node: Node, about: About) -> Iterator[tuple[Node, About]]:
        """Give every part of an expression with what bare names in it are about."""
        yield node, about
        inner = about
        if isinstance(node, Call):
            if node.function == "printed":
                inner = About.PRINTING
            elif FUNCTIONS[node.function].quoted:
                return
            elif counts_cards(node, self.define, about=about):
                inner = About.CARD
        for child in children(node):
            yield from self._nodes(child, inner)

    def _of_node(self, node: Node, about: About, *, words: bool) -> Iterator[tuple[str, int, Severity]]:
        if isinstance(node, Name) and about is About.PRINTING:
            if self.pool.complete and node.name not in _PRINTED and not self.pool.mentions(node.name):
                known = {*_PRINTED, *self._printed}
                yield (
                    f"the pool's printings have no `{node.name}`{_near(node.name, known)}",
                    node.at,
                    Severity.ERROR,
                )
        elif isinstance(node, Name | Dotted) and words:
            yield from self._of_attribute(node)
        elif isinstance(node, Call) and node.function == "has" and words:
            yield from self._of_literal("name", about, node.arguments[0], whole=True)
        for asked, literal, whole in _compared(node):
            subject = self._subject(asked)
            inner = About.CARD if isinstance(asked, Call) else about
            if subject is not None and (words or self._closed(subject, inner)):
                yield from self._of_literal(subject, inner, literal, whole=whole)

    def _subject(self, node: Node) -> str | None:
        """Return the attribute that an expression is, `setting.x` in full, None where it is more than that."""
        if isinstance(node, Call) and node.function in {"union", "common"}:
            return self._subject(node.arguments[-1])
        if isinstance(node, Name) and node.name in self.define:
            return self._subject(parse(self.define[node.name]))
        if isinstance(node, Dotted):
            return f"setting.{node.name}" if node.base == "setting" else node.name
        return node.name if isinstance(node, Name) else None

    @staticmethod
    def _closed(subject: str, about: About) -> bool:
        """Whether the words are the format's own, or the program's, so that no card need be read."""
        return subject.startswith("setting.") or (
            subject == "status" if about is About.PRINTING else subject == "zone"
        )

    def _of_literal(
        self, subject: str, about: About, node: Node, *, whole: bool
    ) -> Iterator[tuple[str, int, Severity]]:
        if not (isinstance(node, Literal) and isinstance(node.value, str)):
            return
        word, at = node.value, node.at
        if subject == "name" and about is About.CARD:
            if self.pool.complete and word not in self.pool:
                asked = meant(word, self.pool.near(word, limit=1))
                yield "; ".join(filter(None, (f"`{word}` is no card of the pool", asked))), at, Severity.ERROR
            return
        known, said = self._known(subject, about)
        if known is None or any(_has(word, each, whole=whole) for each in known):
            return
        listed = [each for each in known if isinstance(each, str)]
        listed += [item for each in known if isinstance(each, tuple) for item in each]
        yield f"{said.format(word)}{_near(word, listed)}", at, Severity.ERROR

    def _known(self, subject: str, about: About) -> tuple[Collection[object] | None, str]:
        """Return what a subject can be, None where that is anything, and the words for a literal that it cannot be."""
        if subject.startswith("setting."):
            choices = self.choices.get(subject.removeprefix("setting."))
            return choices or None, f"`{{}}` is no choice of `{subject}`"
        if about is About.PRINTING:
            known: Collection[object] | None = (
                STATUS_WORDS if subject == "status" else self._printed.get(subject)
            )
            if subject == "set" and known:
                known = {*known, *self.pool.sets}
            if subject != "status" and not self.pool.complete:
                known = None
            return known, f"no printing of the pool has the {subject} `{{}}`"
        if subject == "zone":
            return self.zones, "there is no zone `{}`"
        attribute = self.pool.attributes.get(subject)
        if not self.pool.complete or (attribute and attribute.open):
            return None, ""
        if attribute and attribute.kind in {AttributeKind.NUMBER, AttributeKind.FLAG}:
            return (), f"`{subject}` is {attribute.kind.words}, never `{{}}`"
        values = {*self._values.get(subject, ()), *(attribute.values if attribute else ())}
        return values or None, f"no card of the pool has the {subject} `{{}}`"

    def _of_attribute(self, node: Name | Dotted) -> Iterator[tuple[str, int, Severity]]:
        name = node.name
        own = name in OWN_NAMES or (isinstance(node, Dotted) and node.base == "setting")
        if own or not self.pool.complete or not len(self.pool) or name in self._values:
            return
        declared = self.pool.attributes.get(name)
        if self.pool.attributes if declared is None else declared.open or declared.values:
            return  # refused where the format is bound to the pool; or known to come
        near = "" if declared else _near(name, self._values)
        yield (
            f"no card of the pool has any `{name}`{near}",
            node.at,
            Severity.ADVICE if declared else Severity.ERROR,
        )

    @cached_property
    def _values(self) -> Mapping[str, set[object]]:
        """What cards have: attribute → values, blanks left out."""
        found: dict[str, set[object]] = {}
        for card in self.pool:
            for name in (*card.attributes, "id", "version", "set"):
                if (value := card.get(name)) is not NONE and value is not UNKNOWN:
                    found.setdefault(name, set()).add(value)
            for name in card.unknown:
                found.setdefault(name, set())
        for said in self.errata:
            for name, errata in said.items():
                found.setdefault(name, set()).add(errata)
        return found

    @cached_property
    def _printed(self) -> Mapping[str, set[object]]:
        """What printings have: attribute → values."""
        found: dict[str, set[object]] = {}
        for card in self.pool:
            for printing in card.printings:
                for name in (*_PRINTED, *printing.attributes):
                    if (value := printing.get(name)) is not None:
                        found.setdefault(name, set()).add(value)
        return found


def _has(word: str, value: object, *, whole: bool) -> bool:
    """Say whether a value is the word, has it among its items, or (unless it must be whole) among its words."""
    if isinstance(value, str):
        return fold(value) == fold(word) if whole else contains(word, value) is True
    return isinstance(value, tuple) and fold(word) in map(fold, value)


def _compared(node: Node) -> Iterator[tuple[Node, Node, bool]]:
    """Give what is compared with which literals; whether the whole value must be the literal, not a word of it."""
    pairs: list[tuple[Node, Node, bool]] = []
    if isinstance(node, Compare):
        left = node.first
        for sign, right in node.rest:
            if sign in {"==", "!="}:
                pairs += [(left, right, True), (right, left, True)]
            elif sign in {"in", "not in"}:
                pairs += [(left, right, True)] if isinstance(right, ListOf) else [(right, left, False)]
            left = right
    elif (
        isinstance(node, Call) and node.function in {"common", "subset", "union"} and len(node.arguments) == 2
    ):
        one, other = node.arguments
        pairs = [(one, other, True), (other, one, True)]
    for asked, literals, whole in pairs:
        for literal in literals.items if isinstance(literals, ListOf) else (literals,):
            yield asked, literal, whole


def _check_cover(placed: Placed[Any]) -> None:
    words = isinstance(placed.rule.each, tuple)
    if words and placed.rule.by is None:
        raise TourneyError(
            f"{placed.place}: `by` is missing: which of {', '.join(placed.rule.each)} can a card cover?"
        )
    if not words and placed.rule.by is not None:
        raise TourneyError(f"{placed.place}: `by` has nothing to say where `each` gives conditions")


def _check_zone(zone: str, place: str, zones: frozenset[str]) -> None:
    if zone not in zones:
        raise TourneyError(f"{place}: there is no zone `{zone}`; there are {', '.join(sorted(zones))}")


def _check_size(zone: Placed[ZoneFile], around: Surroundings) -> None:
    """Refuse a zone whose size is bounded by its own size: such a rule says nothing, or cannot be kept."""
    deck = replace(around, about=About.DECK, this=False)
    for written in _bounds(zone.rule.size, f"{zone.place}.size", deck):
        if isinstance(written.text, str) and any(
            _is_size_of(node, zone.rule.id) for node in walk(_check(written))
        ):
            raise TourneyError(f"{written.place}: the size of `{zone.rule.id}` cannot be bounded by itself")


def _is_size_of(node: Node, zone: str) -> bool:
    if not (isinstance(node, Call) and node.function == "size"):
        return False
    return not node.arguments or (isinstance(node.arguments[0], Literal) and node.arguments[0].value == zone)
