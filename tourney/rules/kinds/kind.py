"""What makes a kind of rule: its words in a file, its proofreading, its binding to a pool, its words for people.

A kind is a class in a module of this package, and a row of `KINDS`. Nothing else knows which kinds there are: loading,
proofreading, judging, the judge's sheet and the scaffold ask every row alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import msgspec

from tourney.rules.expressions import ExpressionError, check
from tourney.rules.kinds.terms import holes
from tourney.rules.vocabulary import Ruled

if TYPE_CHECKING:
    from tourney.rules.composing import Composer
    from tourney.rules.expressions import Surroundings
    from tourney.rules.format import Format, Placed
    from tourney.rules.kinds.terms import Rule

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
        """Give the rules of this kind, bound to a pool. Raises TourneyError."""
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
