"""Compiles the expressions of a format into functions, for a card pool."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tourney.cards.card import AttributeKind
from tourney.cards.names import FoldedName, fold
from tourney.cards.pool import Pool
from tourney.errors import Severity, TourneyError
from tourney.rules.bounds import Bounds, WrittenBounds, written_bounds
from tourney.rules.expressions.deck import Evaluator
from tourney.rules.expressions.describing import Describer, Wording
from tourney.rules.expressions.evaluate import (
    Meaning,
    asks_no_card,
    bind,
    bind_weight,
    depends_on_card_alone,
    is_single,
    remember,
)
from tourney.rules.expressions.language import About, ExpressionError, Node, check, parse
from tourney.rules.findings import Terms, holes
from tourney.rules.format import Format
from tourney.rules.vocabulary import Bound, RuleEntry


class Binder(Struct, frozen=True, dict=True):
    """Compiles the rules of one format for one card pool: expressions become functions.

    is_proofread: whether every expression was already checked, so that it only needs to be parsed
    """

    format: Format
    pool: Pool
    is_proofread: bool = False

    @cached_property
    def _meaning(self) -> Meaning:
        attributes = self.pool.attributes
        return Meaning(
            define=self.format.define,
            attributes=frozenset(attributes) if attributes else None,
            flags=frozenset(name for name, entry in attributes.items() if entry.kind is AttributeKind.FLAG),
            singles=frozenset(
                name for name, entry in attributes.items() if entry.kind is not AttributeKind.LIST
            ),
            canonical=self.key,
        )

    @cached_property
    def wording(self) -> Wording:
        """The format's words for its leader and its zones.

        The words for a zone without a name are its id in backticks.
        """
        leader = self.format.leader.rule if self.format.leader else None
        noun = (leader.noun if leader else "") or "leader"
        zones = {}
        for zone in (entry.rule for entry in self.format.zones):
            name = zone.name or ("deck" in zone.id and zone.id.replace("-", " "))
            zones[zone.id] = f"the {name}" if name else f"`{zone.id}`"
        if leader:
            zones[leader.zone] = f"the {noun}'s place"
        return Wording(noun=noun, zones=zones)

    # -- names

    def key(self, name: str) -> FoldedName:
        """Return the key with which rules refer to a card: the card's own name, folded.

        name: the card's name or an alias. If the pool does not have the card, the key is this name, folded
        """
        return counted_key(self.pool, name)

    def keyed(self, cards: Mapping[str, int]) -> dict[FoldedName, int]:
        """Return `cards` with each card's name or alias replaced by the card's key (see `key`)."""
        return {self.key(name): number for name, number in cards.items()}

    def zones(self, names: tuple[str, ...]) -> frozenset[str]:
        """Return the zones that a rule names; if it names none, all zones that are part of the deck."""
        return frozenset(names or (zone.rule.id for zone in self.format.zones if zone.rule.counts))

    def zone_words(self, names: tuple[str, ...]) -> str:
        """Return the words for the zones that a rule names: `the Arsenal`, or else `the deck`."""
        zones = self.wording.zones
        return " or ".join(zones[name] for name in names if name in zones) or "the deck"

    # -- expressions

    def bind(self, text: Bound, place: str, about: About = About.CARD) -> Evaluator:
        """Compile an expression or a number into a function.

        Raises TourneyError with file, key path and column.
        """
        return self._bound(text, place, about, lambda node: bind(node, self._meaning, about))

    def bind_optional(self, text: Bound | None, place: str, about: About = About.CARD) -> Evaluator | None:
        """Compile an expression or a number into a function, as `bind` does. None stays None."""
        return None if text is None else self.bind(text, place, about)

    def bind_weight(self, text: Bound | None, place: str) -> Evaluator | None:
        """Compile the weight of a copy (a number or an expression) into a function. None stays None.

        Raises TourneyError with file, key path and column if the expression is invalid.
        """
        if text is None:
            return None
        return self._bound(text, place, About.CARD, lambda node: bind_weight(node, self._meaning))

    def _bound(self, text: Bound, place: str, about: About, make: Callable[[Node], Evaluator]) -> Evaluator:
        if isinstance(text, int):
            return lambda _: text
        try:
            node = parse(text) if self.is_proofread else check(text, self.format.scope(about))
            evaluator = make(node)
        except ExpressionError as error:
            raise TourneyError(f"{place}: {error}: `{text}`") from None
        is_kept = about is About.CARD and depends_on_card_alone(node, self.format.define)
        return remember(evaluator) if is_kept else evaluator

    def bind_bounds(self, bounds: WrittenBounds, place: str, about: About) -> Bounds:
        """Compile the bounds `min`, `max` and `exactly` into functions.

        Raises TourneyError with file, key path and column.
        """
        return Bounds(
            exactly=self.bind_optional(bounds.exactly, f"{place}.exactly", about),
            min=self.bind_optional(bounds.min, f"{place}.min", about),
            max=self.bind_optional(bounds.max, f"{place}.max", about),
        )

    def is_single(self, text: str | None) -> bool:
        """Return whether an expression is one attribute that is never a list."""
        return text is not None and is_single(parse(text), self._meaning)

    def asks_no_card(self, text: str) -> bool:
        """Return whether an expression about a card has the same value for every card of a deck."""
        return asks_no_card(parse(text), self._meaning)

    # -- terms and words

    def terms(self, entry: RuleEntry[Any], about: About, rule_id: str = "", *, message: bool = True) -> Terms:
        """Return the `Terms` of a rule, which are the parts that all rules have.

        about:   whether the message's expressions are about a card or about the deck
        message: whether to include the rule's own message
        """
        rule = entry.rule
        text = rule.message if message else None
        return Terms(
            id=rule_id or rule.id,
            severity=Severity(rule.severity),
            cite=self.format.cite(entry),
            message=text,
            when=self.bind_optional(rule.when, f"{entry.place}.when", About.DECK),
            holes={hole: self.bind(hole, f"{entry.place}.message", about) for hole in holes(text or "")},
            causes=(self.describer(rule.when, About.DECK).causes,) if rule.when else (),
        )

    def with_causes(
        self, terms: Terms, bounds: WrittenBounds | None, about: About, condition: str | None = None
    ) -> Terms:
        """Return a rule's terms with more `causes`: cards that a finding names as a reason.

        bounds:    the cards that decide which bound applies become causes, such as the Prince in
                   `40 if has('Prince') else 30`
        condition: the cards that make this condition true become causes, except the leader, because its
                   values are already in the explanation
        """
        causes = [self.describer(bound, about).choosers for bound in _expressions(bounds)]
        if condition:
            causes.append(partial(self.describer(condition).causes, leader=False))
        return replace(terms, causes=(*terms.causes, *causes))

    def bound_owner(self, bounds: WrittenBounds | None, about: About) -> str:
        """Return a phrase for the leader's attribute that sets a bound: `the general's influence`.

        A bound is a minimum, a maximum or an exact number. Empty if no bound is such an attribute.
        """
        owners = (self.describer(bound, about).owner for bound in _expressions(bounds))
        return next(filter(None, owners), "")

    def describer(self, text: str | None, about: About = About.CARD) -> Describer:
        """Return a `Describer`, which explains an expression in words.

        text: the expression; None is read as the expression `true`
        """
        return Describer(parse(text or "true"), self._meaning, self.wording, about)


def _expressions(bounds: WrittenBounds | None) -> list[str]:
    return [bound for bound in written_bounds(bounds) if isinstance(bound, str)]


def counted_key(pool: Pool, name: str) -> FoldedName:
    """Return the card's own name, folded, for the card called `name`, which may be an alias.

    If the pool does not have the card, this is `name` itself, folded.
    """
    card = pool.find(name)
    return card.key if card else fold(name)
