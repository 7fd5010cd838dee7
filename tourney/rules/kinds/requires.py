"""`[[require]]`: a condition on the deck, or on each card of some."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from tourney.rules.expressions import About, Surroundings, Truth, Unknown, truth
from tourney.rules.expressions.deck import Deck, Evaluator, View
from tourney.rules.expressions.describing import Describer
from tourney.rules.expressions.values import unknown
from tourney.rules.kinds.kind import Composer, PlacedExpression, RuleKind
from tourney.rules.kinds.terms import Outcome, Rule, Terms
from tourney.rules.vocabulary import Placed, Ruled


class RequireFile(Ruled, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[[require]]`: a condition that must hold, once for the deck, or with `where` or `zones` for each such card."""

    that: str
    where: str | None = None
    zones: tuple[str, ...] = ()


class RequireKind(RuleKind[RequireFile]):
    """A condition that must hold."""

    word = "require"
    shape = RequireFile
    sketch = """\
# -- conditions -------------------------------------------------------------------------------------------------

# [[require]]
# id   = "deck-of-40-or-60"
# that = "size('deck') in [40, 60]"      # of the whole deck; with `where` or `zones`, of each such card
# title = "40 or 60 cards"

# [[require]]
# id    = "colours"
# zones = ["deck"]
# that  = "subset(colours, union(zone == 'hero', colours))"
"""

    def expressions(
        self, placed: Placed[RequireFile], card: Surroundings, deck: Surroundings
    ) -> Iterator[PlacedExpression]:
        """Give its condition and which cards it is about."""
        rule, place = placed.rule, placed.place
        yield PlacedExpression(rule.where, f"{place}.where", card)
        yield PlacedExpression(rule.that, f"{place}.that", card if self.speaks_of_a_card(rule) else deck)

    def speaks_of_a_card(self, rule: RequireFile) -> bool:
        """Say whether each card of some must meet the condition; else the deck must."""
        return bool(rule.where or rule.zones)

    def bind(self, placed: Sequence[Placed[RequireFile]], composer: Composer) -> Iterator[Rule]:
        """Give each condition as a rule."""
        return (self._bound(each, composer) for each in placed)

    @staticmethod
    def _bound(placed: Placed[RequireFile], composer: Composer) -> Rule:
        rule, place = placed.rule, placed.place
        title = rule.title or ""
        if rule.where is None and not rule.zones:
            that = composer.expressions.bind(rule.that, f"{place}.that", About.DECK)
            return Require(
                terms=composer.terms(placed, About.DECK),
                that=that,
                title=title,
                formula=rule.that,
                describer=composer.expressions.describer(rule.that, About.DECK),
            )
        return RequireEach(
            terms=composer.due_to(composer.terms(placed, About.CARD), rule, About.CARD, rule.where),
            where=composer.expressions.bind_optional(rule.where, f"{place}.where"),
            zones=composer.zones(rule.zones),
            that=composer.expressions.bind(rule.that, f"{place}.that"),
            title=title,
            formula=rule.that,
            describer=composer.expressions.describer(rule.that),
        )

    def words(self, rule: RequireFile) -> str:
        """Say the condition, and which cards must meet it."""
        if not (rule.where or rule.zones):
            return f"`{rule.that}`"
        zones = f" in {' and '.join(rule.zones)}" if rule.zones else ""
        where = f" with `{rule.where}`" if rule.where else ""
        return f"each card{zones}{where}: `{rule.that}`"


class Require(msgspec.Struct, frozen=True, kw_only=True):
    """A condition on the whole deck. title: the rule in words, where it has any; formula: it as it is written."""

    terms: Terms
    that: Evaluator
    title: str
    formula: str
    describer: Describer | None = None

    def judge(self, deck: Deck) -> Iterator[Outcome]:
        """Give a finding where the condition does not hold."""
        return self.terms.judged(deck, self._judge)

    def _judge(self, deck: Deck) -> Iterator[Outcome]:
        view = View(deck)
        held = truth(self.that(view))
        if isinstance(held, Unknown):
            yield self.terms.undecided([held])
        elif not held:
            reason = self.describer.why(view, holds=False) if self.describer else ""
            yield self.terms.finding(
                _words(self.title, reason, self.formula), view=view, reason=reason if self.title else ""
            )


class RequireEach(msgspec.Struct, frozen=True, kw_only=True):
    """A condition on each card that `where` fits in `zones`."""

    terms: Terms
    where: Evaluator | None
    zones: frozenset[str]
    that: Evaluator
    title: str
    formula: str
    describer: Describer | None = None

    def judge(self, deck: Deck) -> Iterator[Outcome]:
        """Give a finding for each card that does not meet the condition, and one for all that cannot be said."""
        return self.terms.judged_each(deck, self.zones, self._held, self._broken)

    def _held(self, view: View) -> Truth:
        """Say whether `that` holds wherever `where` does."""
        fits = True if self.where is None else truth(self.where(view))
        if fits is False:
            return True
        held = truth(self.that(view))
        return held if fits is True or held is True else unknown(fits, held)

    def _broken(self, view: View) -> Outcome:
        reason = self.describer.why(view, holds=False) if self.describer else ""
        return self.terms.finding(
            _words(self.title, reason, self.formula),
            slots=[view.slot],
            view=view,
            have=view.slot.qty,
            allowed=0,
            reason=reason if self.title else "",
        )


def _words(title: str, reason: str, formula: str) -> str:
    """Return the rule in words; of one without words why it is broken, and if that cannot be said the rule itself."""
    return title or reason or f"this must hold: `{formula}`"
