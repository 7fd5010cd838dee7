"""The base class of the kinds of rules in a format file, such as `[[limit]]`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from tourney.rules.binding import Binder
from tourney.rules.bounds import PlacedExpression
from tourney.rules.expressions.language import About, ExpressionError, check
from tourney.rules.findings import Rule, holes
from tourney.rules.format import Format
from tourney.rules.vocabulary import RuleEntry, RuleFile

FileT = TypeVar("FileT", bound=RuleFile)


class RuleKind(Generic[FileT]):
    """The base class of the kinds of rules. FileT is the type of a rule in a format file.

    word:     the name of the TOML table for such a rule: `limit` for `[[limit]]`
    shape:    the type of the rule in a format file
    position: a number; on the judge's sheet, kinds with lower numbers come first
    single:   whether a format has at most one rule of the kind, such as `[kit]`. Such a rule needs no id. A
              format that extends another one inherits or replaces it as a whole
    named:    whether a rule without an id gets one that is made from `word`
    together: whether all TOML tables of the kind become one rule. Such a rule is judged after the rules of
              all kinds for which `together` is false
    card_keys, deck_keys: the keys whose values are expressions about a card, or about the whole deck
    """

    word: ClassVar[str]
    shape: ClassVar[type[Any]]
    position: ClassVar[int] = 100
    single: ClassVar[bool] = False
    named: ClassVar[bool] = False
    together: ClassVar[bool] = False
    card_keys: ClassVar[tuple[str, ...]] = ()
    deck_keys: ClassVar[tuple[str, ...]] = ()

    def normalize(self, rule: FileT, place: str) -> FileT:  # noqa: ARG002
        """Return the rule with its short forms written out.

        Raises TourneyError for keys that contradict each other.

        place: file and key path, for the error
        """
        return rule

    def named_zones(self, entry: RuleEntry[FileT]) -> Iterator[tuple[str, str]]:
        """Yield each zone that a rule names, with its place (file and key path)."""
        for number, zone in enumerate(getattr(entry.rule, "zones", ())):
            yield zone, f"{entry.place}.zones[{number}]"

    def named_cards(self, entry: RuleEntry[FileT]) -> Iterator[tuple[str, str]]:  # noqa: ARG002
        """Yield the cards that a rule names outside its expressions, with file and key path."""
        return iter(())

    def expressions(self, entry: RuleEntry[FileT]) -> Iterator[PlacedExpression]:
        """Yield the expressions of a rule, except those in its `when` and `message`."""
        for keys, about in ((self.card_keys, About.CARD), (self.deck_keys, About.DECK)):
            for key in keys:
                yield PlacedExpression(getattr(entry.rule, key), f"{entry.place}.{key}", about)

    def message_about(self, rule: FileT) -> About:  # noqa: ARG002
        """Return what the expressions in a rule's message are about: CARD or DECK."""
        return About.CARD

    def for_zones(self, entry: RuleEntry[FileT], zones: frozenset[str]) -> RuleEntry[FileT] | None:
        """Return the rule if it names at least one zone, and only zones in `zones`; else None."""
        zone_names = {zone for zone, _ in self.named_zones(entry)}
        return entry if zone_names and zone_names <= zones else None

    def warnings(self, entries: Sequence[RuleEntry[FileT]], format_: Format) -> Iterator[str]:
        """Yield a warning, with its place, for each part of these rules that has no effect."""
        counting = {zone.rule.id for zone in format_.zones if zone.rule.counts}
        for entry in entries:
            zones = [zone for zone, _ in self.named_zones(entry)]
            if zones and not counting.intersection(zones):
                yield f"{entry.place}.zones: nothing counts in {' or '.join(zones)} (`counts = false`)"

    def bind(self, entries: Sequence[RuleEntry[FileT]], binder: Binder) -> Iterable[Rule]:
        """Compile the rules of this kind for a card pool.

        entries: the rules; at least one

        Raises TourneyError if a rule does not fit the pool.
        """
        return (self.bind_one(entry, binder) for entry in entries)

    def bind_one(self, entry: RuleEntry[FileT], binder: Binder) -> Rule:
        """Compile a rule for a card pool: its expressions become functions.

        Raises TourneyError if the rule does not fit the pool.
        """
        raise NotImplementedError

    def words(self, rule: FileT) -> str:
        """Return a rule in words, for the judge's sheet."""
        raise NotImplementedError


def names_no_card(message: str | None, format_: Format) -> bool:
    """Return whether a message can be shown without a card, so that it suits the whole deck."""
    try:
        for hole in holes(message or ""):
            check(hole, format_.deck_scope)
    except ExpressionError:
        return False
    return True


def in_zones(zones: tuple[str, ...]) -> str:
    """Return ` in deck and side` for the zones that a rule names; empty if it names none."""
    return f" in {' and '.join(zones)}" if zones else ""
