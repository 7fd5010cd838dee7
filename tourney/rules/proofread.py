"""Proofreading a format: errors when it is loaded, remarks when it is checked.

`proofread` refuses expressions in places where they are not allowed, zones that do not exist, and sizes that
depend on themselves. It needs no pool. `remarks_on` finds keys without effect and, with a pool, misspelt
words, cards and attributes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from tourney.cards.card import NONE, STATUS_WORDS, UNKNOWN, AttributeKind
from tourney.cards.names import fold, nearest, suggestion
from tourney.cards.pool import Pool
from tourney.errors import Finding, Severity, TourneyError
from tourney.rules import kinds
from tourney.rules.bounds import PlacedExpression, bound_expressions
from tourney.rules.expressions.deck import FUNCTIONS
from tourney.rules.expressions.evaluate import OWN_NAMES
from tourney.rules.expressions.language import (
    About,
    Call,
    Compare,
    Dotted,
    ExpressionError,
    ListOf,
    Literal,
    Name,
    Node,
    Scope,
    check,
    children,
    choices,
    counts_cards,
    parse,
    quoted_texts,
    walk,
)
from tourney.rules.expressions.values import contains
from tourney.rules.findings import MessageError, holes
from tourney.rules.format import Format
from tourney.rules.scoring import faults_of_score
from tourney.rules.vocabulary import CutFile, RuleEntry, ScoreFile, ZoneFile
from tourney.rules.zones import zone_size, zone_warnings
from tourney.wording import listed

# -- errors


def proofread(format_: Format) -> None:
    """Check a format for errors that only show when its rules are seen together.

    Raises TourneyError with file, key path and column.
    """
    _check_names(format_)
    for expression in _leader_expressions(format_):
        _check(expression, replace(format_.card_scope, leader=False))
    for expression in _expressions(format_):
        _check(expression, format_.scope(expression.about))
    for zone in format_.zones:
        _check_size(zone)
    for fault in faults_of_score(format_.match, format_.settings):
        raise TourneyError(f"{format_.source}: match.{fault}")
    _check_cut(format_)


def _check(expression: PlacedExpression, scope: Scope) -> None:
    if isinstance(expression.text, str):
        try:
            check(expression.text, scope)
        except ExpressionError as error:
            raise TourneyError(f"{expression.place}: {error}: `{_shorten(expression.text)}`") from None


def _shorten(text: str) -> str:
    return text if len(text) <= 120 else text[:117] + "…"


def _leader_expressions(format_: Format) -> Iterator[PlacedExpression]:
    """Yield the condition that finds the leader in a list, if the format has a leader."""
    if format_.leader:
        yield PlacedExpression(format_.leader.rule.where, f"{format_.leader.place}.where")


def _expressions(format_: Format) -> Iterator[PlacedExpression]:
    """Yield every expression of a format, except the leader's `where`."""
    for entry in format_.zones:
        zone, place = entry.rule, entry.place
        yield PlacedExpression(zone.holds, f"{place}.holds")
        yield from bound_expressions(zone_size(zone), f"{place}.size", About.DECK)
        yield PlacedExpression(zone.shared, f"{place}.shared", About.DECK)
        yield from _terms_expressions(entry, About.CARD)
    for kind in kinds.KINDS:
        for rule in format_.rules[kind.word]:
            yield from kind.expressions(rule)
            yield from _terms_expressions(rule, kind.message_about(rule.rule))
    yield from _terms_expressions(format_.printings, About.CARD)


def _terms_expressions(entry: RuleEntry[Any], about: About) -> Iterator[PlacedExpression]:
    """Yield the condition of a rule, and the expressions in its message."""
    yield PlacedExpression(entry.rule.when, f"{entry.place}.when", About.DECK)
    place = f"{entry.place}.message"
    try:
        expressions = holes(entry.rule.message or "")
    except MessageError as error:
        raise TourneyError(f"{place}: {error}") from None
    for expression in expressions:
        yield PlacedExpression(expression, place, about)


def _check_names(format_: Format) -> None:
    zones = format_.card_scope.zones or frozenset()
    zone_names = [
        zone for kind in kinds.KINDS for entry in format_.rules[kind.word] for zone in kind.named_zones(entry)
    ]
    if format_.leader:
        zone_names.append((format_.leader.rule.zone, f"{format_.leader.place}.zone"))
    for zone, place in zone_names:
        if zone not in zones:
            raise TourneyError(f"{place}: there is no zone `{zone}`{choices(zones)}")
    for name, setting in format_.settings.items():
        if setting.choices and setting.default not in setting.choices:
            raise TourneyError(
                f"{format_.source}: settings.{name}.default: `{setting.default}` is not one of the choices"
            )


def _check_size(entry: RuleEntry[ZoneFile]) -> None:
    """Refuse a zone whose size depends on its own size."""
    zone = entry.rule.id
    for bound in bound_expressions(zone_size(entry.rule), f"{entry.place}.size", About.DECK):
        for node in walk(parse(bound.text)) if isinstance(bound.text, str) else ():
            zones = quoted_texts(node) if isinstance(node, Call) and node.function == "size" else None
            if zones is not None and zones.get("zone", zone) == zone:
                raise TourneyError(f"{bound.place}: the size of `{zone}` cannot be bounded by itself")


def _check_cut(format_: Format) -> None:
    """Refuse a cut whose table size the game does not have, or whose tables eliminate no player."""
    cut = format_.event.cut
    if not isinstance(cut, CutFile):
        return
    fewest, most = format_.match.seat_range
    sizes = format_.event.pods or range(fewest, most + 1)
    if cut.seats not in sizes:
        seats = listed(sorted(sizes), "or")
        raise TourneyError(f"{format_.id}: event.cut.seats: a table has {seats} seats, not {cut.seats}")
    if not 1 <= cut.advance < cut.seats:
        range_ = "1" if cut.seats == 2 else f"1 to {cut.seats - 1}"
        raise TourneyError(
            f"{format_.id}: event.cut.advance: {range_} of {cut.seats} players can advance, not {cut.advance}"
        )


# -- remarks


def format_warnings(format_: Format) -> Iterator[str]:
    """Yield a warning, with its place, for each part of a format that has no effect."""
    yield from zone_warnings(format_)
    for kind in kinds.KINDS:
        yield from kind.warnings(format_.rules[kind.word], format_)


def unused_settings(format_: Format) -> Iterator[Finding]:
    """Yield a remark for each setting that nothing uses and no page shows."""
    texts = [expression.text for expression in _expressions(format_)]
    used_names = {
        node.name
        for text in (*texts, *format_.define.values())
        if isinstance(text, str)
        for node in walk(parse(text))
        if isinstance(node, Dotted) and node.base == "setting"
    }
    if isinstance(format_.match.score, ScoreFile) and format_.match.score.setting:
        used_names.add(format_.match.score.setting)
    for name, setting in format_.settings.items():
        if name not in used_names and not setting.told and setting.decides is None:
            yield _remark(
                "unread",
                f"{format_.source}: settings.{name}: nothing uses this setting; "
                f"use `setting.{name}` in a rule, or add `told = true` to show it on the event's pages",
            )


def remarks_on(format_: Format, pool: Pool) -> Iterator[Finding]:
    """Yield remarks: keys without effect, and names that a complete pool does not have.

    Names of cards and values of their attributes are not checked in an open pool, which may not have them
    yet. If no card of a complete pool has a declared attribute, the remark that says so is advice, not an
    error.

    Raises TourneyError for errors of a format that comes with the program. Any other format with errors was
    already refused when it was loaded.
    """
    if format_.is_shipped:
        proofread(format_)
    if format_.names_its_pool and not len(pool):
        yield _remark(
            "pool", f"format.pool: no card of the pool `{format_.pool}` is installed here", Severity.ADVICE
        )
    for warning in format_warnings(format_):
        yield _remark("unheard", warning)
    for _, entry in format_.overrides:
        for attribute in entry.rule.set:
            if pool.attributes and attribute not in pool.attributes and attribute not in OWN_NAMES:
                near = _near(attribute, pool.attributes)
                yield _remark("word", f"{entry.place}.set: the pool's cards have no `{attribute}`{near}")
    yield from _field_remarks(format_, pool)
    for card, place in _named_cards(format_) if pool.complete else ():
        if card not in pool:
            yield _remark("format-card", f"{place}: {_unknown_card(card, pool)}")
    yield from _spelling_faults(format_, pool)


def _field_remarks(format_: Format, pool: Pool) -> Iterator[Finding]:
    by = format_.field.by if format_.field else ""
    remark = ""
    if by == "tag:":
        remark = "a kind of tag is missing: `tag:archetype`"
    elif by == "leader":
        remark = "" if format_.leader else "`leader`: the format has no [leader]"
    elif by and not by.startswith("tag:") and len(pool):
        attributes = {*pool.attributes, *(name for card in pool for name in card.attributes)}
        if by not in attributes and (pool.complete or pool.attributes):
            remark = f"the pool's cards have no `{by}`{_near(by, attributes)}"
    if remark:
        yield _remark("word", f"{format_.source}: field.by: {remark}")


def _named_cards(format_: Format) -> Iterator[tuple[str, str]]:
    """Yield the cards that a format names outside its expressions, with file and key path."""
    for card_list in format_.lists.values():
        yield from ((card, card_list.place) for card in card_list.cards)
    for kind in kinds.KINDS:
        for entry in format_.rules[kind.word]:
            yield from kind.named_cards(entry)
    yield from ((card, entry.place) for card, entry in format_.overrides)


def refuse_misspelt(format_: Format, pool: Pool) -> None:
    """Raise TourneyError for an unknown zone, choice of a setting, or attribute of a printing.

    Zones, choices and the `status` of a printing are checked if an expression compares with them. Attributes
    of printings are checked only if the pool is complete. A format that comes with the program is not
    checked.
    """
    if format_.is_shipped:
        return
    for fault in _spelling_faults(format_, pool, words=False):
        raise TourneyError(fault.message, "`tourney format show FILE --check` lists all faults")


def misspelt(format_: Format, pool: Pool) -> Iterator[str]:
    """Yield a remark for each unknown word in the expressions of a format.

    A word is unknown if no card of the pool has it, or if the format does not have a zone or choice of this
    name. Attributes that the pool declares are known. Words about cards are checked only if the pool is
    complete. Reads the whole pool.
    """
    for fault in _spelling_faults(format_, pool):
        if fault.severity is Severity.ERROR:
            yield fault.message


def _spelling_faults(format_: Format, pool: Pool, *, words: bool = True) -> Iterator[Finding]:
    expressions = (*_leader_expressions(format_), *_expressions(format_))
    return Spelling(pool, format_).faults(expressions, words=words)


def _remark(rule: str, message: str, severity: Severity = Severity.ERROR) -> Finding:
    return Finding(rule=rule, severity=severity, message=message)


def _unknown_card(card: str, pool: Pool) -> str:
    question = suggestion(card, pool.near(card, limit=1))
    return f"`{card}` is not a card of the pool" + (f"; {question}" if question else "")


_MOST_LISTED = 12
"""The maximum number of words that a remark lists if no word is similar."""


def _near(word: str, words: Iterable[str]) -> str:
    """Return the most similar word as a hint, or all words if they are few; otherwise empty."""
    unique = {fold(other): other for other in words}.values()
    near = nearest(word, unique)
    if near:
        return f"; did you mean `{near}`?"
    return choices(unique) if len(unique) <= _MOST_LISTED else ""


# -- spelling

_PRINTING_KEYS = ("set", "number", "id", "status", "released", "note")


class _Fault(NamedTuple):
    """A misspelt word. at: its column in the expression."""

    message: str
    at: int
    severity: Severity = Severity.ERROR


class Spelling(Struct, frozen=True, dict=True):
    """A check for misspelt words: values in expressions that are not in the pool or format.

    format: the format of the expressions; None for the expressions of a ban list, which fits any format
    """

    pool: Pool
    format: Format | None = None

    @property
    def _define(self) -> Mapping[str, str]:
        return self.format.define if self.format else {}

    def faults(self, expressions: Iterable[PlacedExpression], *, words: bool = True) -> Iterator[Finding]:
        """Yield a finding for each misspelt word in the expressions, without repeating a message.

        words: whether to check words against the values that cards have, which reads the whole pool
        """
        messages: set[object] = set()
        for expression in expressions:
            if isinstance(expression.text, str):
                for fault in self._text_faults(
                    expression.text, expression.place, expression.about, messages, words
                ):
                    if fault.message not in messages:
                        messages.add(fault.message)
                        yield fault

    def _text_faults(
        self, text: str, place: str, about: About, checked_definitions: set[object], words: bool
    ) -> Iterator[Finding]:
        """Yield the misspelt words of an expression, and of the definitions that it uses.

        Skips the definitions in `checked_definitions`, and adds those that it checks.
        """
        for node, inner in self._nodes(parse(text), about):
            if self.format and isinstance(node, Name) and node.name in self._define:
                if (node.name, inner) not in checked_definitions:
                    checked_definitions.add((node.name, inner))
                    define_place = f"{self.format.source}: define.{node.name}"
                    yield from self._text_faults(
                        self._define[node.name], define_place, inner, checked_definitions, words
                    )
                continue
            for fault in self._node_faults(node, inner, words=words):
                message = f"{place}: column {fault.at}: {fault.message}: `{_shorten(text)}`"
                yield _remark("word", message, fault.severity)

    def _nodes(self, node: Node, about: About) -> Iterator[tuple[Node, About]]:
        """Yield every part of an expression with what it is about: the deck, a card or a printing.

        In a part about a card or a printing, a bare name such as `cost` means an attribute of that card or
        printing (see `About`). The arguments of functions that take quoted names, such as names of zones, are
        left out.
        """
        yield node, about
        inner = about
        if isinstance(node, Call):
            if FUNCTIONS[node.function].quoted_kinds:
                return
            if FUNCTIONS[node.function].asks_printings:
                inner = About.PRINTING
            elif counts_cards(node, self._define, about=about):
                inner = About.CARD
        for child in children(node):
            yield from self._nodes(child, inner)

    def _node_faults(self, node: Node, about: About, *, words: bool) -> Iterator[_Fault]:
        if isinstance(node, Name) and about is About.PRINTING:
            yield from self._printing_key_faults(node)
        elif isinstance(node, Name | Dotted) and words:
            yield from self._attribute_faults(node)
        elif isinstance(node, Call) and "name" in FUNCTIONS[node.function].quoted_kinds and words:
            yield from self._literal_faults("name", about, node.arguments[0], whole=True)
        for side, literal, whole in _comparisons(node):
            subject = self._subject(side)
            inner = About.CARD if isinstance(side, Call) else about
            if subject is not None and (words or _is_closed(subject, inner)):
                yield from self._literal_faults(subject, inner, literal, whole=whole)

    def _subject(self, node: Node) -> str | None:
        """Return the name if an expression is only an attribute or `setting.x`; otherwise None."""
        match node:
            case Call("union" | "common", arguments):
                return self._subject(arguments[-1])
            case Name(name) if name in self._define:
                return self._subject(parse(self._define[name]))
            case Dotted("setting", name):
                return f"setting.{name}"
            case Name(name) | Dotted(_, name):
                return name
        return None

    def _printing_key_faults(self, node: Name) -> Iterator[_Fault]:
        name = node.name
        if self.pool.complete and name not in _PRINTING_KEYS and not self.pool.has_key(name):
            near = _near(name, {*_PRINTING_KEYS, *self._printing_values})
            yield _Fault(f"the pool's printings have no `{name}`{near}", node.at)

    def _attribute_faults(self, node: Name | Dotted) -> Iterator[_Fault]:
        name = node.name
        is_own = name in OWN_NAMES or (isinstance(node, Dotted) and node.base == "setting")
        if is_own or not self.pool.complete or not len(self.pool) or name in self._values:
            return
        attribute = self.pool.attributes.get(name)
        if self.pool.attributes if attribute is None else attribute.open or attribute.values:
            return  # binding refuses an undeclared attribute; the values of the others are known
        near = "" if attribute else _near(name, self._values)
        severity = Severity.ADVICE if attribute else Severity.ERROR
        yield _Fault(f"no card of the pool has any `{name}`{near}", node.at, severity)

    def _literal_faults(self, subject: str, about: About, node: Node, *, whole: bool) -> Iterator[_Fault]:
        """Yield a fault if a text can never match the attribute that it is compared with.

        whole: whether the text must equal the whole value, instead of a word in it
        """
        if not (isinstance(node, Literal) and isinstance(node.value, str)):
            return
        word = node.value
        if subject == "name" and about is About.CARD:
            if self.pool.complete and word not in self.pool:
                yield _Fault(_unknown_card(word, self.pool), node.at)
            return
        values, message = self._known_values(subject, about)
        if values is None or any(_matches(word, value, whole=whole) for value in values):
            return
        texts = [value for value in values if isinstance(value, str)]
        texts += [item for value in values if isinstance(value, tuple) for item in value]
        yield _Fault(f"{message.format(word)}{_near(word, texts)}", node.at)

    def _known_values(self, subject: str, about: About) -> tuple[Collection[object] | None, str]:
        """Return the possible values of `subject`, and the message for any other value.

        Instead of the values, returns None if any value is possible.

        subject: an attribute, `zone` or `setting.x`
        """
        if subject.startswith("setting."):
            setting = self.format and self.format.settings.get(subject.removeprefix("setting."))
            choices = setting.choices if setting else ()
            return choices or None, f"`{{}}` is not a choice of `{subject}`"
        if about is About.PRINTING:
            return self._known_printing_values(subject), f"no printing of the pool has the {subject} `{{}}`"
        if subject == "zone":
            return (self.format.card_scope.zones if self.format else None), "there is no zone `{}`"
        attribute = self.pool.attributes.get(subject)
        if not self.pool.complete or (attribute and attribute.open):
            return None, ""
        if attribute and attribute.kind in {AttributeKind.NUMBER, AttributeKind.FLAG}:
            return (), f"`{subject}` is {attribute.kind.words}, never `{{}}`"
        values = {*self._values.get(subject, ()), *(attribute.values if attribute else ())}
        return values or None, f"no card of the pool has the {subject} `{{}}`"

    def _known_printing_values(self, subject: str) -> Collection[object] | None:
        if subject == "status":
            return STATUS_WORDS
        values = self._printing_values.get(subject) if self.pool.complete else None
        return {*values, *self.pool.sets} if values and subject == "set" else values

    @cached_property
    def _values(self) -> Mapping[str, set[object]]:
        """Attribute → the values that cards have, without blanks."""
        values: dict[str, set[object]] = {}
        for card in self.pool:
            for name in (*card.attributes, "id", "version", "set"):
                if (value := card.get(name)) is not NONE and value is not UNKNOWN:
                    values.setdefault(name, set()).add(value)
            for name in card.unknown:
                values.setdefault(name, set())
        for _, entry in self.format.overrides if self.format else ():
            for name, errata_value in entry.rule.set.items():
                values.setdefault(name, set()).add(errata_value)
        return values

    @cached_property
    def _printing_values(self) -> Mapping[str, set[object]]:
        """Attribute → the values that printings have."""
        values: dict[str, set[object]] = {}
        for printing in (printing for card in self.pool for printing in card.printings):
            for name in (*_PRINTING_KEYS, *printing.attributes):
                if (value := printing.get(name)) is not None:
                    values.setdefault(name, set()).add(value)
        return values


def _is_closed(subject: str, about: About) -> bool:
    """Return whether the possible values of an attribute are known without reading the cards.

    This is so for `zone`, for settings, and for the `status` of a printing.
    """
    closed_subject = "status" if about is About.PRINTING else "zone"
    return subject == closed_subject or subject.startswith("setting.")


def _matches(word: str, value: object, *, whole: bool) -> bool:
    """Return whether a value equals a word, or is a list that has the word.

    whole: whether a text must equal the word; if not, a text that contains the word also matches
    """
    if isinstance(value, str):
        return fold(value) == fold(word) if whole else contains(word, value) is True
    return isinstance(value, tuple) and fold(word) in map(fold, value)


def _comparisons(node: Node) -> Iterator[tuple[Node, Node, bool]]:
    """Yield (expression, value, whole) for each value that `node` compares with an expression.

    whole: whether the value must be equal to the expression's value, or to an item of it. If not, a text only
           has to contain the value, as in `"Pilot" in type`
    """
    pairs: list[tuple[Node, Node, bool]] = []
    match node:
        case Compare():
            for left, sign, right in node.pairs():
                if sign in {"==", "!="}:
                    pairs += [(left, right, True), (right, left, True)]
                elif sign in {"in", "not in"}:
                    pairs.append((left, right, True) if isinstance(right, ListOf) else (right, left, False))
        case Call("common" | "subset" | "union", (one, other)):
            pairs = [(one, other, True), (other, one, True)]
    for side, values, whole in pairs:
        for value in values.items if isinstance(values, ListOf) else (values,):
            yield side, value, whole
