"""Expressions of a format bound to a pool: texts in, functions out, refusals with file, key path and column."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from msgspec.structs import replace

from tourney.cards import Kind, Pool
from tourney.cards.names import fold
from tourney.errors import TourneyError
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
from tourney.rules.expressions.keeping import is_of_the_card, remembered
from tourney.rules.expressions.nodes import Node
from tourney.rules.expressions.telling import Teller, Tongue
from tourney.rules.format import Format
from tourney.rules.messages import holes
from tourney.rules.proofread import surroundings
from tourney.rules.vocabulary import Bound

if TYPE_CHECKING:
    from tourney.rules.expressions.binding import Asked


@dataclass(frozen=True)
class Expressions:
    """Binds the expressions of one ruleset."""

    meaning: Meaning
    around: Surroundings
    tongue: Tongue = field(default_factory=Tongue)

    @classmethod
    def of(cls, format_: Format, pool: Pool) -> Expressions:
        """Return what binds the format's expressions to the pool's attributes."""
        declared = pool.attributes
        meaning = Meaning(
            define=format_.define,
            attributes=frozenset(declared) if declared else None,
            flags=frozenset(name for name, attribute in declared.items() if attribute.kind is Kind.FLAG),
            singles=frozenset(
                name for name, attribute in declared.items() if attribute.kind is not Kind.LIST
            ),
            canonical=lambda name: counted_key(pool, name),
        )
        return cls(meaning, surroundings(format_), tongue_of(format_))

    def asked(self, text: Bound | None, place: str, about: About = About.CARD) -> Asked | None:
        """Bind an expression or a number, None for None. Raises TourneyError."""
        if text is None:
            return None
        return self.need(text, place, about)

    def need(self, text: Bound, place: str, about: About = About.CARD) -> Asked:
        """Bind an expression or a number. Raises TourneyError with file, key path and column."""
        if isinstance(text, int):
            return _number(text)
        return self._bound(text, place, about, lambda node: bind(node, self.meaning, about))

    def weight(self, text: Bound | None, place: str) -> Asked | None:
        """Bind what a copy weighs, None for None. Raises TourneyError."""
        if text is None or isinstance(text, int):
            return self.asked(text, place)
        return self._bound(text, place, About.CARD, lambda node: bind_weight(node, self.meaning))

    def teller(self, text: Bound | None, about: About = About.CARD) -> Teller | None:
        """Return what tells of an expression in words; None for none, and for a number, which speaks for itself."""
        return Teller(parse(text), self.meaning, self.tongue, about) if isinstance(text, str) else None

    def single(self, text: str | None) -> bool:
        """Say whether an expression is one attribute that is no list."""
        return text is not None and is_single(parse(text), self.meaning)

    def _bound(self, text: str, place: str, about: About, make: Callable[[Node], Asked]) -> Asked:
        around = self.around if about is About.CARD else replace(self.around, about=about, this=False)
        try:
            node = check(text, around)
            asked = make(node)
        except ExpressionError as fault:
            raise TourneyError(f"{place}: {fault}: `{text}`") from None
        return (
            remembered(asked) if about is About.CARD and is_of_the_card(node, self.meaning.define) else asked
        )

    def holes(self, message: str | None, place: str, about: About) -> Mapping[str, Asked]:
        """Bind the holes of a message."""
        return {hole: self.need(hole, place, about) for hole in holes(message or "")}


def tongue_of(format_: Format) -> Tongue:
    """Return what a format calls its leader and the parts of its decks; a part without a name is its header, in quotes."""
    noun = (format_.leader.rule.noun or "leader") if format_.leader else "leader"
    zones = {}
    for placed in format_.zones:
        zone = placed.rule
        plain = zone.name or ("deck" in zone.id and zone.id.replace("-", " "))
        zones[zone.id] = f"the {plain}" if plain else f"`{zone.id}`"
    if format_.leader:
        zones[format_.leader.rule.zone] = f"the {noun}'s place"
    return Tongue(noun=noun, zones=zones)


def counted_key(pool: Pool, name: str) -> str:
    """Return the folded name of the card that `name` (perhaps an alias) means; of an unknown one, its own."""
    card = pool.find(name)
    return fold(card.name if card else name)


def _number(number: int) -> Asked:
    return lambda _: number
