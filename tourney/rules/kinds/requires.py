"""`[[require]]`: a condition on the deck, or on each card of some."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from tourney.rules.expressions import UNKNOWN, truth
from tourney.rules.expressions.binding import Asked
from tourney.rules.expressions.telling import Teller
from tourney.rules.kinds.terms import Outcome, Terms
from tourney.rules.slots import Deck, Missing, View


class Require(msgspec.Struct, frozen=True, kw_only=True):
    """A condition on the whole deck. said: the rule in words, where it has any; formula: it as it is written."""

    terms: Terms
    that: Asked
    said: str
    formula: str
    teller: Teller | None = None

    def judge(self, deck: Deck) -> Iterator[Outcome]:
        """Give a finding where the condition does not hold."""
        return self.terms.judged(deck, self._judge)

    def _judge(self, deck: Deck) -> Iterator[Outcome]:
        view = View(deck)
        deck.forget()
        held = truth(self.that(view))
        if held is UNKNOWN:
            yield self.terms.undecided(
                deck.missing, (line for each in deck.missing if each.slot for line in each.slot.lines)
            )
        elif held is False:
            reason = self.teller.why(view, holds=False) if self.teller else ""
            yield self.terms.finding(
                _words(self.said, reason, self.formula), view=view, reason=reason if self.said else ""
            )


class RequireEach(msgspec.Struct, frozen=True, kw_only=True):
    """A condition on each card that `where` fits in `zones`."""

    terms: Terms
    where: Asked | None
    zones: frozenset[str]
    that: Asked
    said: str
    formula: str
    teller: Teller | None = None

    def judge(self, deck: Deck) -> Iterator[Outcome]:
        """Give a finding for each card that does not meet the condition, and one for all that cannot be said."""
        return self.terms.judged(deck, self._judge)

    def _judge(self, deck: Deck) -> Iterator[Outcome]:
        view = View(deck)
        missing: list[Missing] = []
        lines: list[int] = []
        for slot in deck.slots:
            if slot.zone not in self.zones:
                continue
            deck.forget()
            held = self._held(view.of(slot))
            if held is UNKNOWN:
                missing.extend(deck.missing)
                lines.extend(slot.lines)
            elif held is False:
                reason = self.teller.why(view, holds=False) if self.teller else ""
                yield self.terms.finding(
                    _words(self.said, reason, self.formula),
                    slots=[slot],
                    view=view.of(slot),
                    have=slot.qty,
                    allowed=0,
                    reason=reason if self.said else "",
                )
        if missing:
            yield self.terms.undecided(missing, lines)

    def _held(self, view: View) -> object:
        """Say whether `that` holds wherever `where` does."""
        asked = True if self.where is None else truth(self.where(view))
        if asked is False:
            return True
        held = truth(self.that(view))
        return held if asked is True or held is True else UNKNOWN


def _words(said: str, reason: str, formula: str) -> str:
    """Return the rule in words; of one without words why it is broken, and if that cannot be said the rule itself."""
    return said or reason or f"this must hold: `{formula}`"
