"""`[[require]]`: a condition on the whole deck, or on each card that the rule selects."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from tourney.rules.binding import Binder
from tourney.rules.bounds import PlacedExpression
from tourney.rules.expressions.deck import Deck, Evaluator, View, holds
from tourney.rules.expressions.describing import MOST_NAMED, Describer
from tourney.rules.expressions.language import About
from tourney.rules.expressions.values import Slot, Truth, Unknown, truth, unknown
from tourney.rules.findings import Outcome, Rule, Terms
from tourney.rules.kinds.kind import RuleKind, in_zones
from tourney.rules.vocabulary import RuleEntry, RuleFile


class RequireFile(RuleFile, frozen=True, kw_only=True):
    """`[[require]]`: a condition on the deck, or on each card that fits `where` and `zones`."""

    that: str
    where: str | None = None
    zones: tuple[str, ...] = ()


class RequireKind(RuleKind[RequireFile]):
    """The kind of rule `[[require]]`: a condition that must be true."""

    word = "require"
    shape = RequireFile
    position = 2
    card_keys = ("where",)

    def expressions(self, entry: RuleEntry[RequireFile]) -> Iterator[PlacedExpression]:
        """Yield the rule's condition, and the condition that selects its cards."""
        yield from super().expressions(entry)
        yield PlacedExpression(entry.rule.that, f"{entry.place}.that", self.message_about(entry.rule))

    def message_about(self, rule: RequireFile) -> About:
        """Return CARD if the condition is about single cards, DECK if it is about the whole deck."""
        return About.CARD if rule.where or rule.zones else About.DECK

    def bind_one(self, entry: RuleEntry[RequireFile], binder: Binder) -> Rule:
        """Compile a `[[require]]` rule for a card pool.

        Raises TourneyError if it does not fit the pool.
        """
        rule, place = entry.rule, entry.place
        about = self.message_about(rule)
        is_about_card = about is About.CARD
        terms = binder.terms(entry, about)
        return Require(
            terms=binder.with_causes(terms, None, about, rule.where) if is_about_card else terms,
            that=binder.bind(rule.that, f"{place}.that", about),
            where=binder.bind_optional(rule.where, f"{place}.where"),
            zones=binder.zones(rule.zones) if is_about_card else None,
            title=rule.title or "",
            formula=rule.that,
            describer=binder.describer(rule.that, about),
            asks_no_card=is_about_card and binder.asks_no_card(rule.that),
        )

    def words(self, rule: RequireFile) -> str:
        """Return the condition in words, with the cards that must meet it."""
        if self.message_about(rule) is About.DECK:
            return f"`{rule.that}`"
        condition_text = f" with `{rule.where}`" if rule.where else ""
        return f"each card{in_zones(rule.zones)}{condition_text}: `{rule.that}`"


class Require(Rule, frozen=True, kw_only=True):
    """A `[[require]]` rule: a condition that the deck, or each of some cards, must meet.

    zones:        the zones of the cards that must meet the condition; None if it is about the deck
    where:        selects the cards in these zones
    title:        the rule's own title, if it has one
    formula:      the condition as written
    asks_no_card: whether the condition has the same value for every card
    """

    that: Evaluator
    zones: frozenset[str] | None
    where: Evaluator | None
    title: str
    formula: str
    describer: Describer
    asks_no_card: bool = False

    def find(self, deck: Deck) -> Iterator[Outcome]:
        """Yield a finding for the deck, or for each card, that fails the condition."""
        if self.zones is None:
            return self._find_in_deck(View(deck))
        if self.asks_no_card:
            return self._find_once(deck, self.zones)
        return self.find_each(deck, self.zones, self._holds, self._card_finding)

    def _find_in_deck(self, view: View) -> Iterator[Outcome]:
        passes = truth(self.that(view))
        if isinstance(passes, Unknown):
            yield self.terms.undecided([passes])
        elif not passes:
            reason = self.describer.explain(view, holds=False)
            yield self.terms.finding(
                self._message(reason),
                slots=self.describer.culprits(view),
                view=view,
                reason=reason if self.title else "",
            )

    def _find_once(self, deck: Deck, zones: frozenset[str]) -> Iterator[Outcome]:
        """Check the condition once, because it has the same value for every card.

        Yields at most one outcome. A finding names the cards of which there are too many. Without such cards,
        it names the cards that fit `where`, if there is a `where` and at most `MOST_NAMED` cards fit it.
        """
        view = View(deck)
        inside = [slot for slot in deck.slots if slot.zone in zones]
        if not inside:
            return
        passes = truth(self.that(view.of(inside[0])))
        fits = [(slot, holds(self.where, view.of(slot))) for slot in inside]
        bound = [slot for slot, fit in fits if fit is True]
        doubts = [fit for _, fit in fits if isinstance(fit, Unknown)]
        if passes is True or not (bound or doubts):
            return
        if isinstance(passes, Unknown) or not bound:
            yield self.terms.undecided([passes, *([] if bound else doubts)])
            return
        culprits = self.describer.culprits(view.of(bound[0]))
        few = tuple(bound) if self.where and len({slot.key for slot in bound}) <= MOST_NAMED else ()
        terms = replace(self.terms, causes=(*self.terms.causes, lambda _: few)) if culprits else self.terms
        yield self._finding(terms, view, culprits or few, names_cards=False)

    def _holds(self, view: View) -> Truth:
        """Return whether a card meets the condition; True for a card that `where` does not select."""
        fits = holds(self.where, view)
        if fits is False:
            return True
        passes = truth(self.that(view))
        return passes if fits is True or passes is True else unknown(fits, passes)

    def _card_finding(self, view: View) -> Outcome:
        return self._finding(self.terms, view, [view.slot], names_cards=True)

    def _finding(self, terms: Terms, view: View, slots: Sequence[Slot], *, names_cards: bool) -> Outcome:
        reason = self.describer.explain(view, holds=False, names_cards=names_cards)
        return terms.finding(
            self._message(reason),
            slots=slots,
            view=view,
            have=sum(slot.qty for slot in slots),
            allowed=0,
            reason=reason if self.title else "",
        )

    def _message(self, reason: str) -> str:
        """Return the text of a finding: the rule's title, else the reason why the condition fails.

        If the reason has a number and does not say what was counted, the condition as written is added.
        Without title and reason, the text says that the condition as written must hold.
        """
        if self.title or not reason:
            return self.title or f"this must hold: `{self.formula}`"
        return f"{reason} (`{self.formula}`)" if _BARE_NUMBER.search(reason) else reason


_BARE_NUMBER = re.compile(r"(?:^|; (?:or )?)[^\sa-z]+(?: found)?, ")
"""A number in a reason that does not say what was counted: `24, none allowed`."""
