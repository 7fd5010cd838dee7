"""What binds a format's rules to a pool: its expressions as functions, and what every kind of rule asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from msgspec.structs import replace

from tourney.cards import AttributeKind, Pool
from tourney.cards.names import fold
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
from tourney.rules.expressions.describing import Describer, Wording
from tourney.rules.expressions.evaluate import Evaluator, is_of_the_card, remembered
from tourney.rules.expressions.parsing import Node
from tourney.rules.format import Format, Placed
from tourney.rules.kinds.terms import Bounds, Terms, holes
from tourney.rules.vocabulary import Bound


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

    def bounds(self, said: Any, place: str, about: About) -> Bounds:
        """Bind `min`, `max` and `exactly`. Raises TourneyError."""
        least, most, exactly = (
            self.expressions.bind_optional(getattr(said, key), f"{place}.{key}", about)
            for key in ("min", "max", "exactly")
        )
        return Bounds(least=least, most=most, exactly=exactly)

    def places(self, names: tuple[str, ...]) -> str:
        """Name the parts of a deck that a rule is about: `the Arsenal`, `the deck`."""
        called = self.expressions.wording.zones
        return " or ".join(called[name] for name in names if name in called) or "the deck"

    def due_to(self, terms: Terms, rule: Any, about: About, where: str | None = None) -> Terms:
        """Add to what a rule is due to: the cards in its condition, and those that choose its bound (`40 if has('Prince') else 30`)."""
        bounds = (
            self.expressions.describer(getattr(rule, key, None), about) for key in ("min", "max", "exactly")
        )
        due = [*terms.due, *(bound.chosen_by for bound in bounds if bound)]
        if fits := self.expressions.describer(where):
            due.append(partial(fits.causes, leader=False))  # the leader's part is told by its values
        return replace(terms, due=tuple(due))

    def whose(self, bounds: Any, about: About) -> str:
        """Say whose number the bound is, where it is one of the leader's."""
        describers = (
            self.expressions.describer(getattr(bounds, key), about) for key in ("min", "max", "exactly")
        )
        return next((describer.whose for describer in describers if describer and describer.whose), "")

    def key(self, name: str) -> str:
        """Return the folded name under which the card called `name` counts."""
        return counted_key(self.pool, name)

    def keyed(self, cards: Mapping[str, int]) -> dict[str, int]:
        """Return the numbers of a list by the folded names under which its cards count."""
        return {self.key(name): number for name, number in cards.items()}


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
        return cls(meaning, format_.of_a_card, wording_of(format_))

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
    return card.key if card else fold(name)


def _number(number: int) -> Evaluator:
    return lambda _: number
