"""What makes a kind of rule, and what it is given to bind its rules to a pool.

A kind is a class in a module of this package, and a row of `KINDS`. Nothing else knows which kinds there are: loading,
proofreading, judging, the judge's sheet and the scaffold ask every row alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import msgspec
from msgspec.structs import replace

from tourney.cards import AttributeKind, Pool
from tourney.cards.names import FoldedName, fold
from tourney.errors import Severity, TourneyError
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
)
from tourney.rules.expressions.deck import Evaluator
from tourney.rules.expressions.describing import Describer, Wording
from tourney.rules.expressions.evaluate import is_of_the_card, remembered
from tourney.rules.expressions.language import Node
from tourney.rules.kinds.terms import Bounds, Rule, Terms, holes
from tourney.rules.vocabulary import Bound, Placed, Ruled

if TYPE_CHECKING:
    from tourney.rules.loading import Format


FileT = TypeVar("FileT", bound=Ruled)


class PlacedExpression(msgspec.Struct, frozen=True):
    """An expression where it stands, and what it may name there. text: no expression at all where it is no text."""

    text: object
    place: str
    around: Surroundings


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

    def expressions(
        self, placed: Placed[FileT], card: Surroundings, deck: Surroundings
    ) -> Iterator[PlacedExpression]:
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


def asks_the_deck(message: str | None, deck: Surroundings) -> bool:
    """Say whether a message can be said of the whole deck: it asks no card for anything."""
    try:
        for hole in holes(message or ""):
            check(hole, deck)
    except ExpressionError:
        return False
    return True


def bound_expressions(bounds: Any, place: str, around: Surroundings) -> Iterator[PlacedExpression]:
    """Give the expressions among `min`, `max` and `exactly`."""
    if bounds is not None:
        for key in ("min", "max", "exactly"):
            yield PlacedExpression(getattr(bounds, key), f"{place}.{key}", around)


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

    def bounds(self, written: Any, place: str, about: About) -> Bounds:
        """Bind `min`, `max` and `exactly`. Raises TourneyError."""
        least, most, exactly = (
            self.expressions.bind_optional(getattr(written, key), f"{place}.{key}", about)
            for key in ("min", "max", "exactly")
        )
        return Bounds(least=least, most=most, exactly=exactly)

    def places(self, names: tuple[str, ...]) -> str:
        """Name the parts of a deck that a rule is about: `the Arsenal`, `the deck`."""
        zones = self.expressions.wording.zones
        return " or ".join(zones[name] for name in names if name in zones) or "the deck"

    def due_to(self, terms: Terms, rule: Any, about: About, where: str | None = None) -> Terms:
        """Add to what a rule is due to: the cards in its condition, and those that choose its bound (`40 if has('Prince') else 30`)."""
        due = [*terms.due, *(bound.chosen_by for bound in self._describers(rule, about))]
        if fits := self.expressions.describer(where):
            due.append(partial(fits.causes, leader=False))  # the leader's part is told by its values
        return replace(terms, due=tuple(due))

    def whose(self, bounds: Any, about: About) -> Callable[[], str]:
        """Return what says whose number the bound is, where it is one of the leader's; asked once it is broken."""
        describers = self._describers(bounds, about)
        return lambda: next((bound.whose for bound in describers if bound.whose), "")

    def _describers(self, bounds: Any, about: About) -> list[Describer]:
        written = (getattr(bounds, key, None) for key in ("min", "max", "exactly"))
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
            if about is About.CARD and is_of_the_card(node, self.meaning.define)
            else evaluator
        )

    def bind_holes(self, message: str | None, place: str, about: About) -> Mapping[str, Evaluator]:
        """Bind the holes of a message."""
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
