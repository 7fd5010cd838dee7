"""What makes a kind of rule, what its rules share (handle, bounds, own words), and what binds them to a pool.

A kind is a class in a module of this package, and a row of `KINDS`. Nothing else knows which kinds there are: loading,
proofreading, judging, the judge's sheet and the scaffold ask every row alike.

A rule's own words for a finding are text with holes in braces, each hole an expression; those of `_GIVEN` (`{have}`,
`{allowed}`, `{card}`, `{zone}`) are known to every rule, and `{{` is a brace.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

import msgspec
from msgspec.structs import replace

from tourney.cards.card import AttributeKind
from tourney.cards.names import FoldedName, fold
from tourney.cards.pool import Pool
from tourney.errors import Finding, Severity, TourneyError
from tourney.rules.expressions import (
    NONE,
    About,
    ExpressionError,
    Meaning,
    Scope,
    Unknown,
    Value,
    bind,
    bind_weight,
    causes_of,
    check,
    is_single,
    parse,
    text_of,
    truth,
)
from tourney.rules.expressions.deck import Deck, Evaluator, View
from tourney.rules.expressions.describing import Describer, Wording
from tourney.rules.expressions.evaluate import asks_no_card, depends_on_card_alone, remembered
from tourney.rules.expressions.language import Node
from tourney.rules.expressions.slot import Missing, Slot
from tourney.rules.expressions.values import Edge, Truth, at_most, edges, equal, unknown
from tourney.rules.vocabulary import Bound, Placed, Ruled, SizeFile
from tourney.wording import listed_short

if TYPE_CHECKING:
    from tourney.rules.loading import Format


FileT = TypeVar("FileT", bound=Ruled)


class PlacedExpression(msgspec.Struct, frozen=True):
    """An expression where it stands, and what it may name there. text: no expression at all where it is no text."""

    text: object
    place: str
    around: Scope


class RuleKind(Generic[FileT]):
    """A kind of rule. FileT is the shape of its table in a format file.

    word:     what the table is called: `[[limit]]`
    shape:    that shape
    single:   whether there is at most one, `[kit]`; it needs no handle, and is inherited or replaced whole
    named:    whether entries without a handle get one from the word
    together: whether all entries are one rule; it is judged after those that stand alone
    sketch:   how it is shown in a new format: comments, or what is in force there
    """

    word: ClassVar[str]
    shape: ClassVar[type[Any]]
    single: ClassVar[bool] = False
    named: ClassVar[bool] = False
    together: ClassVar[bool] = False
    sketch: ClassVar[str]

    def plain(self, rule: FileT, _place: str) -> FileT:
        """Return the rule with its short ways of writing rewritten. Raises TourneyError for what contradicts itself."""
        return rule

    def zones(self, placed: Placed[FileT]) -> Iterator[tuple[str, str]]:
        """Give the zones that a rule names, each with its place."""
        for number, zone in enumerate(getattr(placed.rule, "zones", ())):
            yield zone, f"{placed.place}.zones[{number}]"

    def of_a_part(self, placed: Placed[FileT], zones: frozenset[str]) -> Placed[FileT] | None:
        """Return what a rule says of these zones alone; None where it is about others, or about all together."""
        named = {zone for zone, _ in self.zones(placed)}
        return placed if named and named <= zones else None

    def cards(self, _placed: Placed[FileT]) -> Iterator[tuple[str, str]]:
        """Give the cards that a rule names outside its expressions, each with its place."""
        return iter(())

    def expressions(self, placed: Placed[FileT], card: Scope, deck: Scope) -> Iterator[PlacedExpression]:
        """Give a rule's own expressions: those that are asked of a card, and those of the whole deck."""
        raise NotImplementedError

    def speaks_of_a_card(self, _rule: FileT) -> bool:
        """Say whether the holes of a rule's message are asked of a card; else of the whole deck."""
        return True

    def idle(self, placed: Sequence[Placed[FileT]], format_: Format) -> Iterator[str]:
        """Say what the rules of this kind say to no effect, each with its place."""
        counting = {zone.rule.id for zone in format_.zones if zone.rule.counts}
        for each in placed:
            zones = [zone for zone, _ in self.zones(each)]
            if zones and not counting.intersection(zones):
                yield f"{each.place}.zones: nothing counts in {' or '.join(zones)} (`counts = false`)"

    def bind(self, placed: Sequence[Placed[FileT]], composer: Composer) -> Iterator[Rule]:
        """Give the rules of this kind that a format has, at least one, bound to a pool. Raises TourneyError."""
        raise NotImplementedError

    def words(self, rule: FileT) -> str:
        """Say a rule in words, for the judge's sheet."""
        raise NotImplementedError


def asks_the_deck(message: str | None, deck: Scope) -> bool:
    """Say whether a message can be said of the whole deck: it asks no card for anything."""
    try:
        for hole in holes(message or ""):
            check(hole, deck)
    except ExpressionError:
        return False
    return True


class Bounded(Protocol):
    """What says a bound: a size, a limit, an exception of one. Each is a number, an expression, or not said."""

    @property
    def min(self) -> Bound | None:
        """At least so many."""

    @property
    def max(self) -> Bound | None:
        """At most so many."""

    @property
    def exactly(self) -> Bound | None:
        """So many and no other number; then neither of the others is said."""


_ENDS = ("min", "max", "exactly")


def bound_expressions(bounds: Bounded | None, place: str, around: Scope) -> Iterator[PlacedExpression]:
    """Give the expressions among `min`, `max` and `exactly`."""
    if bounds is not None:
        for key in _ENDS:
            yield PlacedExpression(getattr(bounds, key), f"{place}.{key}", around)


# -- What all rules share once they are bound: their handle, when they hold, and how they speak


class Undecided(msgspec.Struct, frozen=True):
    """A rule that the facts do not settle: which, what is missing, and on which lines."""

    rule: str
    severity: Severity
    missing: tuple[Missing, ...]
    lines: tuple[int, ...]
    cite: str | None


class Assignment(msgspec.Struct, frozen=True):
    """Why a rule that looks for an arrangement holds: the arrangement, one line each."""

    rule: str
    lines: tuple[str, ...]


Outcome = Finding | Undecided | Assignment
"""What a rule says of a deck."""


class Rule(Protocol):
    """A rule bound to a pool: asked of a deck, it tells what is wrong."""

    def judge(self, deck: Deck) -> Iterable[Outcome]:
        """Give what the rule finds in the deck."""
        ...


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """The part of a rule that is not its arithmetic.

    when:  asleep while this is false
    holes: bound message parts
    due:   give the cards that brought it in: a companion, the leader, the card that chooses its bound
    """

    id: str
    severity: Severity = Severity.ERROR
    cite: str | None = None
    message: str | None = None
    when: Evaluator | None = None
    holes: Mapping[str, Evaluator] = {}
    due: tuple[Callable[[View], tuple[Slot, ...]], ...] = ()

    def judged(self, deck: Deck, judge: Callable[[Deck], Iterable[Outcome]]) -> Iterator[Outcome]:
        """Ask the rule, if it applies. While nobody knows whether it does, what it finds is only undecided."""
        applies = True if self.when is None else truth(self.when(View(deck)))
        if applies is False:
            return
        for outcome in judge(deck):
            if isinstance(applies, Unknown) and isinstance(outcome, Finding):
                yield Undecided(self.id, self.severity, applies.causes, outcome.lines, self.cite)
            else:
                yield outcome

    def judged_each(
        self,
        deck: Deck,
        zones: Container[str],
        condition: Callable[[View], Truth],
        broken: Callable[[View], Outcome],
    ) -> Iterator[Outcome]:
        """Ask a condition of each card in some zones, if the rule applies; of all cards in doubt one outcome is made.

        broken: makes the finding of a card that does not meet it
        """

        def judge(deck: Deck) -> Iterator[Outcome]:
            view = View(deck)
            doubts: list[Value] = []
            lines: list[int] = []
            for slot in deck.slots:
                if slot.zone not in zones:
                    continue
                held = condition(view.of(slot))
                if isinstance(held, Unknown):
                    doubts.append(held)
                    lines.extend(slot.lines)
                elif not held:
                    yield broken(view.of(slot))
            if doubts:
                yield self.undecided(doubts, lines)

        return self.judged(deck, judge)

    def undecided(self, sources: Iterable[Value], lines: Iterable[int] | None = None) -> Undecided:
        """Say that the rule could not be decided, because of values in doubt.

        lines: of the cards that are in doubt; those of the cards of which something is missing, unless they are given
        """
        missing = causes_of(*sources)
        if lines is None:
            lines = (line for fact in missing if fact.slot for line in fact.slot.lines)
        unique = {
            (fact.slot and (fact.slot.key, fact.slot.zone, fact.slot.pool_id), fact.attribute): fact
            for fact in missing
        }
        return Undecided(self.id, self.severity, tuple(unique.values()), ordered(lines), self.cite)

    def finding(
        self,
        message: str,
        *,
        slots: Iterable[Slot] = (),
        subjects: Iterable[str] | None = None,
        view: View | None = None,
        have: Value | None = None,
        allowed: Value | None = None,
        hint: str | None = None,
        rule: str | None = None,
        cite: str | None = None,
        zone: str = "",
        reason: str = "",
    ) -> Finding:
        """Make a finding; the rule's own message goes before the usual one with its reason. Cards are in list order.

        view: where the rule was asked: for the message's holes, and for the cards that brought the rule in
        """
        about = sorted(slots, key=lambda slot: slot.lines)
        names = tuple(dict.fromkeys(slot.name for slot in about)) if subjects is None else tuple(subjects)
        counted = [None if value is None else text_of(value) for value in (have, allowed)]
        if self.message is not None and view is not None:
            message = _fill(self.message, self._said(view, names, counted, zone))
            reason = ""
        if view is not None:
            message = self._due_to(message, view, about)
        return Finding(
            rule=rule or self.id,
            severity=self.severity,
            message=": ".join(filter(None, (message, reason))),
            lines=ordered(line for slot in about for line in slot.lines),
            subjects=names,
            have=counted[0],
            allowed=counted[1],
            cite=cite or self.cite,
            hint=hint,
            reason=reason if message and reason else None,
        )

    def _due_to(self, message: str, view: View, about: Iterable[Slot]) -> str:
        """Name the card that brings the rule in (a companion, the leader), with its line, where it is another one."""
        mine = {line for slot in about for line in slot.lines}
        causes = [cards_behind(view) for cards_behind in self.due]
        # a condition on the very cards that it is about is no other card's doing
        others = [each for each in causes if not mine or not mine <= {n for slot in each for n in slot.lines}]
        because: dict[str, None] = {}
        for slot in (slot for each in others for slot in each if slot.lines):
            where = f"{slot.name} (line {slot.lines[0]})"
            if where not in message:
                named = message.replace(slot.name, where, 1)
                because |= {} if named != message else {where: None}
                message = named
        return f"{message}, because of {listed_short([*because])}" if because else message

    def _said(
        self, view: View, names: tuple[str, ...], counted: list[str | None], zone: str
    ) -> Callable[[str], str]:
        zone = zone or (view.slot.zone if view.slot else "")
        values = {"have": counted[0], "allowed": counted[1], "card": ", ".join(names), "zone": zone}
        return lambda hole: (
            values.get(hole) or (text_of(self.holes[hole](view)) if hole in self.holes else "")
        )


def ordered(lines: Iterable[int]) -> tuple[int, ...]:
    """Return line numbers sorted, each once."""
    return tuple(sorted(set(lines)))


# -- Bounds: a number held against min, max or exactly, and the words for it


class Broken(msgspec.Struct, frozen=True):
    """A bound that is not kept: in words (`at most`), and the number it allows."""

    words: str
    allowed: Value
    is_maximum: bool

    @property
    def said(self) -> str:
        """The bound in words: `at most 4`."""
        return f"{self.words} {text_of(self.allowed)}"

    @property
    def strictness(self) -> tuple[int, Edge]:
        """Orders broken bounds, the strictest first: of maxima the lowest, of minima the highest."""
        low, high = edges(self.allowed) or (-math.inf, math.inf)
        return _WORDS.index(self.words), -low if self.words == "at least" else high


_WORDS = ("exactly", "at least", "at most")


class Bounds(msgspec.Struct, frozen=True, kw_only=True):
    """The bounds of a rule; one that comes out blank does not bind."""

    least: Evaluator | None = None
    most: Evaluator | None = None
    exactly: Evaluator | None = None

    def __bool__(self) -> bool:
        return any(bound is not None for bound in (self.least, self.most, self.exactly))

    @property
    def is_floor(self) -> bool:
        """Whether there is nothing but a minimum."""
        return self.least is not None and self.most is None and self.exactly is None

    def broken(self, count: Value, view: View) -> Broken | Unknown | None:
        """Return the bound that `count` breaks, None if all are kept, Unknown if nobody can say."""
        doubts: list[Value] = []
        for bound, words, is_maximum in (
            (self.exactly, _WORDS[0], None),
            (self.least, _WORDS[1], False),
            (self.most, _WORDS[2], True),
        ):
            if bound is None:
                continue
            allowed = bound(view)
            if allowed is NONE:
                continue
            held = _held(count, allowed, is_maximum=is_maximum)
            if held is False:
                above = is_maximum if is_maximum is not None else at_most(allowed, count) is True
                return Broken(words, allowed, above)
            if held is not True:
                doubts.append(held)
        return unknown(*doubts) if doubts else None


def _held(count: Value, allowed: Value, *, is_maximum: bool | None) -> Truth:
    if is_maximum is None:
        return equal(count, allowed)
    return at_most(count, allowed) if is_maximum else at_most(allowed, count)


def copies(count: Value, noun: str = "card") -> str:
    """Say a number of things: `1 card`, `5 cards`, `3 to 5 cards`.

    >>> copies(1), copies(0), copies(5, "copy"), copies(12, "influence"), copies(1, "base creatures"), copies(0, "in all")
    ('1 card', 'no cards', '5 copies', '12 influence', '1 base creature', '0 in all')
    """
    word = _PLURALS.get(noun, noun)
    if count == 1 and isinstance(count, int):
        word = noun if noun in _PLURALS else _singular(noun)
    none = count == 0 and isinstance(count, int) and noun != IN_ALL
    return f"{'no' if none else text_of(count)} {word}"


def _singular(noun: str) -> str:
    """Return a format's own word for what is counted as it is said of one: `pilots`, `copies`, `classes`; `influence` stays."""
    for end, one in (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x")):
        if noun.endswith(end):
            return noun.removesuffix(end) + one
    return noun if noun.endswith(("ss", "us", "is")) else noun.removesuffix("s")


IN_ALL = "in all"
"""The unit of a sum that has no word of its own."""
_PLURALS = {"card": "cards", "copy": "copies", "different card": "different cards"}


def check_bounds(bounds: Bounded, place: str) -> None:
    """Raise TourneyError for bounds that contradict each other, or ask for less than nothing."""
    if bounds.exactly is not None and (bounds.min is not None or bounds.max is not None):
        raise TourneyError(f"{place}: `exactly` says it all, `min` and `max` beside it do not make sense")
    for key in _ENDS:
        bound = getattr(bounds, key)
        if isinstance(bound, int) and bound < 0:
            raise TourneyError(f"{place}.{key}: {bound} is less than no cards at all")
    if isinstance(bounds.min, int) and isinstance(bounds.max, int) and bounds.min > bounds.max:
        raise TourneyError(f"{place}: at least {bounds.min} and at most {bounds.max} cannot both hold")


def size_words(size: SizeFile) -> str:
    """Say a size in words: `exactly 60 cards`, `40 to 60 cards`.

    >>> size_words(SizeFile(min=40, max=60)), size_words(SizeFile(exactly=1)), size_words(SizeFile(max="n() // 2"))
    ('40 to 60 cards', 'exactly 1 card', 'at most `n() // 2` cards')
    """
    if size.min is not None and size.max is not None:
        return f"{number_words(size.min)} to {number_words(size.max)} cards"
    return f"{bound_words(size)} {'card' if 1 in (size.exactly, size.max, size.min) else 'cards'}"


def bound_words(bounds: Bounded) -> str:
    """Say what a rule allows: `at most 4`, `exactly 15`."""
    words = {"exactly": "exactly", "min": "at least", "max": "at most"}
    parts = [
        f"{word} {number_words(getattr(bounds, key))}"
        for key, word in words.items()
        if getattr(bounds, key) is not None
    ]
    return " and ".join(parts)


def number_words(bound: Bound) -> str:
    """Say a number, or the expression that gives it."""
    return str(bound) if isinstance(bound, int) else f"`{bound}`"


# -- A rule's own words for a finding: text with holes in braces, each hole an expression


_GIVEN = frozenset({"have", "allowed", "card", "zone"})

_PART = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")


class MessageError(Exception):
    """A message's braces do not match, or a hole is empty."""


def holes(text: str) -> tuple[str, ...]:
    """Return the expressions in a message's holes, without those every rule knows. Raises MessageError."""
    expressions = []
    for part in _PART.finditer(text):
        if part[0] in {"{", "}"}:
            raise MessageError(
                f"column {part.start() + 1}: a brace without its partner (write `{part[0] * 2}` for a brace)"
            )
        if part[0] not in {"{{", "}}"}:
            if not part[1].strip():
                raise MessageError(f"column {part.start() + 1}: nothing between the braces")
            expressions.append(part[1].strip())
    return tuple(hole for hole in expressions if hole not in _GIVEN)


def given(text: str) -> frozenset[str]:
    """Return which of the holes that every rule knows a message has. Raises MessageError."""
    holes(text)
    return frozenset(part[1].strip() for part in _PART.finditer(text) if part[1]) & _GIVEN


def _fill(text: str, value_of: Callable[[str], str]) -> str:
    """Put what `value_of` gives for each hole into the message."""

    def put(part: re.Match[str]) -> str:
        if part[0] in {"{{", "}}"}:
            return part[0][0]
        return value_of(part[1].strip())

    return _PART.sub(put, text)


# -- Binding to a pool: what every kind of rule asks for


@dataclass(frozen=True)
class Composer:
    """What a kind of rule is given to bind its rules with."""

    format: Format
    pool: Pool
    expressions: Expressions

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
            cite=self.format.cite(placed),
            message=text,
            when=self.expressions.bind_optional(rule.when, f"{placed.place}.when", About.DECK),
            holes=self.expressions.bind_holes(text, f"{placed.place}.message", about),
            due=(when.causes,) if when else (),
        )

    def zones(self, names: tuple[str, ...]) -> frozenset[str]:
        """Return the zones that a rule is about: those it names, else all that count."""
        if names:
            return frozenset(names)
        return frozenset(zone.rule.id for zone in self.format.zones if zone.rule.counts)

    def bounds(self, written: Bounded, place: str, about: About) -> Bounds:
        """Bind `min`, `max` and `exactly`. Raises TourneyError."""
        least, most, exactly = (
            self.expressions.bind_optional(getattr(written, key), f"{place}.{key}", about) for key in _ENDS
        )
        return Bounds(least=least, most=most, exactly=exactly)

    def places(self, names: tuple[str, ...]) -> str:
        """Name the parts of a deck that a rule is about: `the Arsenal`, `the deck`."""
        zones = self.expressions.wording.zones
        return " or ".join(zones[name] for name in names if name in zones) or "the deck"

    def due_to(self, terms: Terms, bounds: Bounded | None, about: About, where: str | None = None) -> Terms:
        """Add to what a rule is due to: the cards in its condition, and those that choose its bound (`40 if has('Prince') else 30`)."""
        due = [*terms.due, *(bound.choosers for bound in self._describers(bounds, about))]
        if fits := self.expressions.describer(where):
            due.append(partial(fits.causes, leader=False))  # the leader's part is told by its values
        return replace(terms, due=tuple(due))

    def whose(self, bounds: Bounded | None, about: About) -> Callable[[], str]:
        """Return what says whose number the bound is, where it is one of the leader's; asked once it is broken."""
        describers = self._describers(bounds, about)
        return lambda: next((bound.owner for bound in describers if bound.owner), "")

    def _describers(self, bounds: Bounded | None, about: About) -> list[Describer]:
        written = (getattr(bounds, key, None) for key in _ENDS)
        return [bound for each in written if (bound := self.expressions.describer(each, about))]

    def key(self, name: str) -> FoldedName:
        """Return the folded name under which the card called `name` counts."""
        return counted_key(self.pool, name)

    def keyed(self, cards: Mapping[str, int]) -> dict[FoldedName, int]:
        """Return the numbers of a list by the folded names under which its cards count."""
        return {self.key(name): number for name, number in cards.items()}


# -- A format's expressions bound to a pool: texts in, functions out


@dataclass(frozen=True)
class Expressions:
    """Binds the expressions of one ruleset."""

    meaning: Meaning
    around: Scope
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
        return cls(meaning, format_.of_a_card, _wording_of(format_))

    def bind_optional(self, text: Bound | None, place: str, about: About = About.CARD) -> Evaluator | None:
        """Bind an expression or a number, None for None. Raises TourneyError."""
        if text is None:
            return None
        return self.bind(text, place, about)

    def bind(self, text: Bound, place: str, about: About = About.CARD) -> Evaluator:
        """Bind an expression or a number. Raises TourneyError with file, key path and column."""
        if isinstance(text, int):
            return _number(text)
        return self._bound(text, place, about, lambda node: bind(node, self.meaning, about))

    def bind_weight(self, text: Bound | None, place: str) -> Evaluator | None:
        """Bind what a copy weighs, None for None. Raises TourneyError."""
        if text is None or isinstance(text, int):
            return self.bind_optional(text, place)
        return self._bound(text, place, About.CARD, lambda node: bind_weight(node, self.meaning))

    def describer(self, text: Bound | None, about: About = About.CARD) -> Describer | None:
        """Return what tells of an expression in words; None for none, and for a number, which speaks for itself."""
        return Describer(parse(text), self.meaning, self.wording, about) if isinstance(text, str) else None

    def is_of_the_deck(self, text: str) -> bool:
        """Return whether an expression that is asked of a card comes out alike for every card of a deck."""
        return asks_no_card(parse(text), self.meaning)

    def is_single(self, text: str | None) -> bool:
        """Say whether an expression is one attribute that is no list."""
        return text is not None and is_single(parse(text), self.meaning)

    def _bound(self, text: str, place: str, about: About, make: Callable[[Node], Evaluator]) -> Evaluator:
        around = self.around if about is About.CARD else replace(self.around, about=about, this=False)
        try:
            node = check(text, around)
            evaluator = make(node)
        except ExpressionError as fault:
            raise TourneyError(f"{place}: {fault}: `{text}`") from None
        return (
            remembered(evaluator)
            if about is About.CARD and depends_on_card_alone(node, self.meaning.define)
            else evaluator
        )

    def bind_holes(self, message: str | None, place: str, about: About) -> Mapping[str, Evaluator]:
        """Bind the holes of a message: the text of each → what it gives. Raises TourneyError as `bind` does."""
        return {hole: self.bind(hole, place, about) for hole in holes(message or "")}


def _wording_of(format_: Format) -> Wording:
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


def counted_key(pool: Pool, name: str) -> FoldedName:
    """Return the folded name of the card that `name` (perhaps an alias) means; of an unknown one, its own."""
    card = pool.find(name)
    return card.key if card else fold(name)


def _number(number: int) -> Evaluator:
    return lambda _: number
