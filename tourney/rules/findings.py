"""What a rule finds in a deck: findings, doubts and proofs.

A `Rule` is compiled for a card pool and judges decks. Its `Terms` are the parts that all rules have: id,
severity, source, condition and message. A message is text with expressions in braces. In addition, the
message of any rule can contain `{have}`, `{allowed}`, `{card}` and `{zone}`; `{{` is a brace.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping

from msgspec import Struct

from tourney.errors import Finding, Severity
from tourney.rules.expressions.deck import Deck, Evaluator, View, holds
from tourney.rules.expressions.describing import named_with_line
from tourney.rules.expressions.values import Missing, Slot, Truth, Unknown, Value, causes_of, text_of
from tourney.wording import listed_short


class Undecided(Struct, frozen=True):
    """The outcome that a rule cannot be decided.

    missing: the facts that would decide it
    lines:   the lines of the cards in doubt
    """

    rule: str
    severity: Severity
    missing: tuple[Missing, ...]
    lines: tuple[int, ...]
    cite: str | None


class Assignment(Struct, frozen=True):
    """Proof that a deck meets an `[[allow]]` or `[[cover]]` rule.

    lines: the proof as text: for `[[allow]]`, one line for each permission that cards use; for `[[cover]]`,
           one line for each thing that needs a card, with its card
    """

    rule: str
    lines: tuple[str, ...]


Outcome = Finding | Undecided | Assignment
"""The possible results of a rule for a deck."""

CardsOf = Callable[[View], tuple[Slot, ...]]
"""A function that returns some cards of a deck."""


def distinct_lines(lines: Iterable[int]) -> tuple[int, ...]:
    """Return line numbers in ascending order, without duplicates."""
    return tuple(sorted(set(lines)))


class Terms(Struct, frozen=True, kw_only=True):
    """The parts that rules of every kind have, with expressions compiled for a card pool.

    when:   the condition under which the rule applies; None: always
    holes:  expression in the message → the function that evaluates it
    causes: functions that return the cards that a finding names as reasons, such as the leader because of
        whom the rule applies
    """

    id: str
    severity: Severity = Severity.ERROR
    cite: str | None = None
    message: str | None = None
    when: Evaluator | None = None
    holes: Mapping[str, Evaluator] = {}
    causes: tuple[CardsOf, ...] = ()

    def undecided(self, doubts: Iterable[Value], lines: Iterable[int] | None = None) -> Undecided:
        """Return the outcome that a rule is undecided because of uncertain values.

        lines: the lines of the cards in doubt; by default those of the cards with missing facts
        """
        missing = causes_of(*doubts)
        if lines is None:
            lines = (line for fact in missing if fact.slot for line in fact.slot.lines)
        unique = {
            (fact.slot and (fact.slot.key, fact.slot.zone, fact.slot.pool_id), fact.attribute): fact
            for fact in missing
        }
        return Undecided(self.id, self.severity, tuple(unique.values()), distinct_lines(lines), self.cite)

    def finding(
        self,
        message: str,
        *,
        slots: Iterable[Slot] = (),
        subjects: Iterable[str] | None = None,
        view: View | None = None,
        have: Value | None = None,
        allowed: Value | None = None,
        hint: str | None = None,
        rule: str | None = None,
        cite: str | None = None,
        zone: str = "",
        reason: str = "",
    ) -> Finding:
        """Return a finding. The rule's own message, if it has one, replaces `message` and `reason`.

        slots:    the cards that the finding is about, in any order
        subjects: the names that the finding is about; by default the names of the cards
        view:     where the expressions in the rule's message are evaluated; None if `message` is not replaced
        """
        about = sorted(slots, key=lambda slot: slot.lines)
        names = tuple(dict.fromkeys(slot.name for slot in about)) if subjects is None else tuple(subjects)
        have_text, allowed_text = (None if value is None else text_of(value) for value in (have, allowed))
        if self.message is not None and view is not None:
            zone = zone or (view.slot.zone if view.slot else "")
            values = {"have": have_text, "allowed": allowed_text, "card": ", ".join(names), "zone": zone}
            message, reason = self._fill(self.message, values, view), ""
        if view is not None:
            message = self._with_causes(message, view, about)
        return Finding(
            rule=rule or self.id,
            severity=self.severity,
            message=": ".join(filter(None, (message, reason))),
            lines=distinct_lines(line for slot in about for line in slot.lines),
            subjects=names,
            have=have_text,
            allowed=allowed_text,
            cite=cite or self.cite,
            hint=hint,
            reason=reason if message and reason else None,
        )

    def _with_causes(self, message: str, view: View, about: Iterable[Slot]) -> str:
        """Add to a message the cards that cause the rule to apply, unless the finding is about them."""
        lines = {line for slot in about for line in slot.lines}
        causes = [cards_of(view) for cards_of in self.causes]
        cause_slots = [
            slots for slots in causes if not lines or not lines <= {n for slot in slots for n in slot.lines}
        ]
        unnamed_cards: dict[str, None] = {}
        for slot in (slot for slots in cause_slots for slot in slots if slot.lines):
            card = named_with_line(slot)
            if card in message:
                continue
            if slot.name in message:
                message = message.replace(slot.name, card, 1)
            else:
                unnamed_cards[card] = None
        return f"{message}, because of {listed_short([*unnamed_cards])}" if unnamed_cards else message

    def _fill(self, message: str, values: Mapping[str, str | None], view: View) -> str:
        def fill(part: re.Match[str]) -> str:
            if part[0] in {"{{", "}}"}:
                return part[0][0]
            hole = part[1].strip()
            return values.get(hole) or (text_of(self.holes[hole](view)) if hole in self.holes else "")

        return _PART.sub(fill, message)


class Rule(Struct, frozen=True, kw_only=True):
    """A rule, with its expressions compiled for one card pool."""

    terms: Terms

    def judge(self, deck: Deck) -> Iterator[Outcome]:
        """Yield what the rule finds in a deck (see `find`); nothing if the rule does not apply.

        If it is not known whether the rule applies, its findings become `Undecided`.
        """
        terms = self.terms
        applies = holds(terms.when, View(deck))
        if applies is False:
            return
        for outcome in self.find(deck):
            if isinstance(applies, Unknown) and isinstance(outcome, Finding):
                yield Undecided(terms.id, terms.severity, applies.causes, outcome.lines, terms.cite)
            else:
                yield outcome

    def find(self, deck: Deck) -> Iterable[Outcome]:
        """Yield what the rule finds in a deck: findings, `Undecided` outcomes, and proofs.

        Assumes that the rule applies to the deck.
        """
        raise NotImplementedError

    def find_each(
        self,
        deck: Deck,
        zones: Container[str],
        condition: Callable[[View], Truth],
        finding_of: Callable[[View], Outcome],
    ) -> Iterator[Outcome]:
        """Yield a finding for each card that fails a condition.

        If the condition is unknown for some cards, finally yield one `Undecided` for all of them together.

        finding_of: a function that returns the finding for a card that fails
        """
        view = View(deck)
        doubts: list[Value] = []
        lines: list[int] = []
        for slot in deck.slots:
            if slot.zone not in zones:
                continue
            holds = condition(view.of(slot))
            if isinstance(holds, Unknown):
                doubts.append(holds)
                lines.extend(slot.lines)
            elif not holds:
                yield finding_of(view.of(slot))
        if doubts:
            yield self.terms.undecided(doubts, lines)


# -- messages

_GIVEN = frozenset({"have", "allowed", "card", "zone"})
_PART = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")


class MessageError(Exception):
    """The braces of a message do not match, or have nothing between them."""


def holes(message: str) -> tuple[str, ...]:
    """Return the expressions in a message, except names such as `{have}` that every rule has.

    Raises MessageError if the braces of the message are faulty.
    """
    return tuple(hole for hole in _all_holes(message) if hole not in _GIVEN)


def given_holes(message: str) -> frozenset[str]:
    """Return which of `{have}`, `{allowed}`, `{card}` and `{zone}` a message contains.

    Raises MessageError if the braces of the message are faulty.
    """
    return frozenset(_all_holes(message)) & _GIVEN


def _all_holes(message: str) -> Iterator[str]:
    for part in _PART.finditer(message):
        column = f"column {part.start() + 1}"
        if part[0] in {"{", "}"}:
            raise MessageError(f"{column}: a brace without its partner (write `{part[0] * 2}` for a brace)")
        if part[0] not in {"{{", "}}"}:
            if not part[1].strip():
                raise MessageError(f"{column}: nothing between the braces")
            yield part[1].strip()


def escape_braces(text: str) -> str:
    """Return a message that shows exactly this text, because its braces are escaped."""
    return text.replace("{", "{{").replace("}", "}}")
