"""A format read once over: what cannot be is refused when it is loaded, what is said in vain or misspelt is told.

Refused are expressions out of place, zones that there are not, sizes bounded by themselves. Words, cards and attributes that
nothing in the pool has need the pool, and are told by `format show --check`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from tourney.cards.card import NONE, STATUS_WORDS, UNKNOWN, AttributeKind
from tourney.cards.names import fold, nearest, suggestion
from tourney.cards.pool import Pool
from tourney.errors import Finding, Severity, TourneyError
from tourney.rules import kinds
from tourney.rules.expressions import About, ExpressionError, Scope, check, parse
from tourney.rules.expressions.evaluate import OWN_NAMES
from tourney.rules.expressions.language import (
    FUNCTIONS,
    Call,
    Compare,
    Dotted,
    ListOf,
    Literal,
    Name,
    Node,
    children,
    counts_cards,
    walk,
)
from tourney.rules.expressions.values import contains
from tourney.rules.kinds.kind import MessageError, PlacedExpression, bound_expressions, holes
from tourney.rules.kinds.zones import idle_zones, zone_size
from tourney.rules.scoring import faults_of_score
from tourney.rules.vocabulary import CutFile, Placed, ScoreFile, ZoneFile
from tourney.wording import listed

if TYPE_CHECKING:
    from tourney.rules.loading import Format


def proofread(format_: Format) -> None:
    """Check what only the whole format shows. Raises TourneyError with file, key path, column and reason."""
    _check_names(format_)
    for written in _expressions(format_):
        if isinstance(written.text, str):
            _check(written)
    for zone in format_.zones:
        _check_size(zone, format_.of_the_deck)
    for fault in faults_of_score(format_.match, format_.settings):
        raise TourneyError(f"{format_.source}: match.{fault}")
    _check_cut(format_)


def _check_cut(format_: Format) -> None:
    """Refuse tables of a cut that the game has not, or from which nobody goes out."""
    cut, seats = format_.event.cut, format_.match.seats
    if not isinstance(cut, CutFile):
        return
    fewest, most = (seats, seats) if isinstance(seats, int) else (seats.min, seats.max)
    sizes = format_.event.pods or range(fewest, most + 1)
    if cut.seats not in sizes:
        raise TourneyError(
            f"{format_.id}: event.cut.seats: a table has {listed(sorted(sizes), 'or')} seats, not {cut.seats}"
        )
    if not 1 <= cut.advance < cut.seats:
        raise TourneyError(
            f"{format_.id}: event.cut.advance: from a table of {cut.seats}, "
            f"{'1' if cut.seats == 2 else f'from 1 to {cut.seats - 1}'} can go on, not {cut.advance}"
        )


def _check(written: PlacedExpression) -> Node:
    text = str(written.text)
    try:
        return check(text, written.around)
    except ExpressionError as fault:
        raise TourneyError(f"{written.place}: {fault}: `{_shown(text)}`") from None


def _shown(text: str) -> str:
    return text if len(text) <= 120 else text[:117] + "…"


def _expressions(format_: Format) -> Iterator[PlacedExpression]:
    card, deck = format_.of_a_card, format_.of_the_deck
    leader = format_.leader
    if leader and leader.rule.where:
        yield PlacedExpression(leader.rule.where, f"{leader.place}.where", replace(card, leader=False))
    for zone in format_.zones:
        yield PlacedExpression(zone.rule.holds, f"{zone.place}.holds", card)
        yield from bound_expressions(zone_size(zone.rule), f"{zone.place}.size", deck)
        yield PlacedExpression(zone.rule.shared, f"{zone.place}.shared", deck)
    for kind in kinds.KINDS:
        for placed in format_.rules[kind.word]:
            yield from kind.expressions(placed, card, deck)
    for placed, of_a_card in _rules(format_):
        yield PlacedExpression(placed.rule.when, f"{placed.place}.when", deck)
        yield from _of_message(placed, card if of_a_card else deck)


def _rules(format_: Format) -> Iterator[tuple[Placed[Any], bool]]:
    """Give everything that may have a `when` and a message, and whether the message is said of a card."""
    yield from ((zone, True) for zone in format_.zones)
    for kind in kinds.KINDS:
        yield from ((placed, kind.speaks_of_a_card(placed.rule)) for placed in format_.rules[kind.word])
    yield format_.printings, True


def _of_message(placed: Placed[Any], around: Scope) -> Iterator[PlacedExpression]:
    text = placed.rule.message
    if text is None:
        return
    try:
        expressions = holes(text)
    except MessageError as fault:
        raise TourneyError(f"{placed.place}.message: {fault}") from None
    for hole in expressions:
        yield PlacedExpression(hole, f"{placed.place}.message", around)


def _check_names(format_: Format) -> None:
    zones = format_.of_a_card.zones or frozenset()
    for kind in kinds.KINDS:
        for placed in format_.rules[kind.word]:
            for zone, place in kind.zones(placed):
                _check_zone(zone, place, zones)
    if format_.leader:
        _check_zone(format_.leader.rule.zone, f"{format_.leader.place}.zone", zones)
    for name, setting in format_.settings.items():
        if setting.choices and setting.default not in setting.choices:
            raise TourneyError(
                f"{format_.source}: settings.{name}.default: `{setting.default}` is not one of the choices"
            )


def _check_zone(zone: str, place: str, zones: frozenset[str]) -> None:
    if zone not in zones:
        raise TourneyError(f"{place}: there is no zone `{zone}`; there are {', '.join(sorted(zones))}")


def _check_size(zone: Placed[ZoneFile], deck: Scope) -> None:
    """Refuse a zone whose size is bounded by its own size: such a rule says nothing, or cannot be kept."""
    for written in bound_expressions(zone_size(zone.rule), f"{zone.place}.size", deck):
        if isinstance(written.text, str) and any(
            _is_size_of(node, zone.rule.id) for node in walk(_check(written))
        ):
            raise TourneyError(f"{written.place}: the size of `{zone.rule.id}` cannot be bounded by itself")


def _is_size_of(node: Node, zone: str) -> bool:
    if not (isinstance(node, Call) and node.function == "size"):
        return False
    return not node.arguments or (isinstance(node.arguments[0], Literal) and node.arguments[0].value == zone)


# -- what is said to no effect


def unheard(format_: Format) -> Iterator[str]:
    """Say what a format says to no effect, each with its place."""
    yield from idle_zones(format_)
    for kind in kinds.KINDS:
        yield from kind.idle(format_.rules[kind.word], format_)


def unread_choices(format_: Format) -> Iterator[Finding]:
    """Say which of the organizer's choices no rule asks for, no event does anything by, and nobody is told."""
    texts = [str(written.text) for written in _expressions(format_) if isinstance(written.text, str)]
    asked = {
        node.name
        for text in (*texts, *format_.define.values())
        for node in walk(parse(text))
        if isinstance(node, Dotted) and node.base == "setting"
    }
    if isinstance(format_.match.score, ScoreFile) and format_.match.score.setting:
        asked.add(format_.match.score.setting)
    for name, setting in format_.settings.items():
        if name not in asked and not setting.told and setting.decides is None:
            yield _remark(
                "unread",
                f"{format_.source}: settings.{name}: nothing reads it: no rule asks `setting.{name}`, and it decides nothing of"
                " the event; `told = true` makes it a choice that is told at the table",
            )


# -- what is misspelt


def remarks_on(format_: Format, pool: Pool) -> Iterator[Finding]:
    """Say what a format says in vain: to no effect, of cards, words and attributes that a complete pool does not have.

    An open pool may not list them yet. An attribute that the pool declares and no card has is only remarked upon.
    """
    if format_.names_its_pool and not len(pool):
        remark = f"format.pool: there is no card of a pool `{format_.pool}` here"
        yield _remark("pool", remark, Severity.ADVICE)
    for remark in unheard(format_):
        yield _remark("unheard", remark)
    for _, placed in format_.overrides:
        for attribute in placed.rule.set:
            if pool.attributes and attribute not in pool.attributes and attribute not in OWN_NAMES:
                remark = f"{placed.place}.set: the pool's cards have no `{attribute}`"
                yield _remark("word", remark + _near(attribute, pool.attributes))
    yield from _of_field(format_, pool)
    for card, place in _named_cards(format_) if pool.complete else ():
        if card not in pool:
            question = suggestion(card, pool.near(card, limit=1))
            remark = f"{place}: `{card}` is not a card of the pool"
            yield _remark("format-card", "; ".join(filter(None, (remark, question))))
    yield from Spelling.of(format_, pool).faults(_expressions(format_))


def _of_field(format_: Format, pool: Pool) -> Iterator[Finding]:
    """Say where decks are counted by what the format or the pool's cards have not."""
    by = format_.field.by if format_.field else ""
    remark = ""
    if by == "tag:":
        remark = "a kind of tag is missing: `tag:archetype`"
    elif by == "leader":
        remark = "" if format_.leader else "`leader`: the format has no [leader]"
    elif by and not by.startswith("tag:") and len(pool):
        known = {*pool.attributes, *(name for card in pool for name in card.attributes)}
        if by not in known and (pool.complete or pool.attributes):
            remark = f"the pool's cards have no `{by}`{_near(by, known)}"
    if remark:
        yield _remark("word", f"{format_.source}: field.by: {remark}")


def _named_cards(format_: Format) -> Iterator[tuple[str, str]]:
    """Give the cards that a format names outside expressions, each with its place."""
    for named in format_.lists.values():
        yield from ((card, named.place) for card in named.cards)
    for kind in kinds.KINDS:
        for each in format_.rules[kind.word]:
            yield from kind.cards(each)
    yield from ((card, placed.place) for card, placed in format_.overrides)


def refuse_misspelt(format_: Format, pool: Pool) -> None:
    """Raise TourneyError for a zone, a choice or a printing's attribute in a format that there cannot be."""
    for fault in Spelling.of(format_, pool).faults(_expressions(format_), words=False):
        raise TourneyError(fault.message, "`tourney format show FILE --check` tells all of them")


def misspelt(format_: Format, pool: Pool) -> Iterator[str]:
    """Give the words in a format's expressions that no card of a complete pool has; the whole pool is read."""
    for fault in Spelling.of(format_, pool).faults(_expressions(format_)):
        if fault.severity is Severity.ERROR:
            yield fault.message


def _remark(rule: str, message: str, severity: Severity = Severity.ERROR) -> Finding:
    return Finding(rule=rule, severity=severity, message=message)


def _near(word: str, words: Iterable[str]) -> str:
    """Ask for the nearest word, or name them all where they are few."""
    spelled = {fold(each): each for each in words}.values()
    near = nearest(word, spelled)
    if near:
        return f"; did you mean `{near}`?"
    return f"; there are {', '.join(sorted(spelled))}" if 0 < len(spelled) <= _MOST_LISTED else ""


_MOST_LISTED = 12
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
            for fault, at, severity in self._of_node(node, here, words=words):
                yield _remark("word", f"{place}: column {at}: {fault}: `{_shown(text)}`", severity)

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
            if self.pool.complete and node.name not in _PRINTED and not self.pool.has_key(node.name):
                attributes = {*_PRINTED, *self._printed}
                yield (
                    f"the pool's printings have no `{node.name}`{_near(node.name, attributes)}",
                    node.at,
                    Severity.ERROR,
                )
        elif isinstance(node, Name | Dotted) and words:
            yield from self._of_attribute(node)
        elif isinstance(node, Call) and node.function == "has" and words:
            yield from self._of_literal("name", about, node.arguments[0], whole=True)
        for side, literal, whole in _compared(node):
            subject = self._subject(side)
            inner = About.CARD if isinstance(side, Call) else about
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
                question = suggestion(word, self.pool.near(word, limit=1))
                yield (
                    "; ".join(filter(None, (f"`{word}` is not a card of the pool", question))),
                    at,
                    Severity.ERROR,
                )
            return
        values, fault = self._known(subject, about)
        if values is None or any(_has(word, each, whole=whole) for each in values):
            return
        listed = [each for each in values if isinstance(each, str)]
        listed += [item for each in values if isinstance(each, tuple) for item in each]
        yield f"{fault.format(word)}{_near(word, listed)}", at, Severity.ERROR

    def _known(self, subject: str, about: About) -> tuple[Collection[object] | None, str]:
        """Return what a subject can be, None where that is anything, and the words for a literal that it cannot be."""
        if subject.startswith("setting."):
            choices = self.choices.get(subject.removeprefix("setting."))
            return choices or None, f"`{{}}` is not a choice of `{subject}`"
        if about is About.PRINTING:
            words: Collection[object] | None = (
                STATUS_WORDS if subject == "status" else self._printed.get(subject)
            )
            if subject == "set" and words:
                words = {*words, *self.pool.sets}
            if subject != "status" and not self.pool.complete:
                words = None
            return words, f"no printing of the pool has the {subject} `{{}}`"
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
        values: dict[str, set[object]] = {}
        for card in self.pool:
            for name in (*card.attributes, "id", "version", "set"):
                if (value := card.get(name)) is not NONE and value is not UNKNOWN:
                    values.setdefault(name, set()).add(value)
            for name in card.unknown:
                values.setdefault(name, set())
        for facts in self.errata:
            for name, errata in facts.items():
                values.setdefault(name, set()).add(errata)
        return values

    @cached_property
    def _printed(self) -> Mapping[str, set[object]]:
        """What printings have: attribute → values."""
        values: dict[str, set[object]] = {}
        for card in self.pool:
            for printing in card.printings:
                for name in (*_PRINTED, *printing.attributes):
                    if (value := printing.get(name)) is not None:
                        values.setdefault(name, set()).add(value)
        return values


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
    for side, literals, whole in pairs:
        for literal in literals.items if isinstance(literals, ListOf) else (literals,):
            yield side, literal, whole
