"""Expressions of a format bound to a pool: texts in, functions out, refusals with file, key path and column."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

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
from tourney.rules.expressions.nodes import Call, Dotted, Name, Node, walk
from tourney.rules.expressions.values import UNKNOWN, Value
from tourney.rules.format import Format
from tourney.rules.messages import holes
from tourney.rules.proofread import surroundings
from tourney.rules.slots import View
from tourney.rules.vocabulary import Bound

if TYPE_CHECKING:
    from tourney.rules.expressions.binding import Asked

_OF_THE_CARD_ALONE = frozenset({"min", "max", "len", "subset", "printed"})


@dataclass(frozen=True)
class Expressions:
    """Binds the expressions of one ruleset."""

    meaning: Meaning
    around: Surroundings

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
        return cls(meaning, surroundings(format_))

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
        return remembered(asked) if about is About.CARD and self._of_the_card_alone(node) else asked

    def holes(self, message: str | None, place: str, about: About) -> Mapping[str, Asked]:
        """Bind the holes of a message."""
        return {hole: self.need(hole, place, about) for hole in holes(message or "")}

    def _of_the_card_alone(self, node: Node) -> bool:
        """Say whether the answer depends on nothing but the card, so that it can be kept for the next deck."""
        for part in walk(node):
            if isinstance(part, Dotted) or (
                isinstance(part, Call) and part.function not in _OF_THE_CARD_ALONE
            ):
                return False
            if isinstance(part, Name) and not self._is_of_the_card_alone(part.name):
                return False
        return True

    def _is_of_the_card_alone(self, name: str) -> bool:
        if name in self.meaning.define:
            return self._of_the_card_alone(parse(self.meaning.define[name]))
        return name not in {"zone", "qty"}


def counted_key(pool: Pool, name: str) -> str:
    """Return the folded name of the card that `name` (perhaps an alias) means; of an unknown one, its own."""
    card = pool.find(name)
    return fold(card.name if card else name)


def remembered(asked: Asked) -> Asked:
    """Keep what is known of each pool card; what is unknown is asked again, so that it is recorded as missing."""
    known: dict[str, Value] = {}

    def again(view: View) -> Value:
        key = view.card.known
        if key is None:
            return asked(view)
        value = known.get(key, UNKNOWN)
        if value is UNKNOWN:
            value = known[key] = asked(view)
        return value

    return again


def _number(number: int) -> Asked:
    return lambda _: number
