"""What all rules share: their handle, where they stand, when they hold, their bounds, and how they speak.

A rule's own words for a finding are text with holes in braces, each hole an expression; those of `_GIVEN` (`{have}`,
`{allowed}`, `{card}`, `{zone}`) are known to every rule, and `{{` is a brace.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from typing import Any, Protocol

import msgspec

from tourney.errors import Finding, Severity, TourneyError
from tourney.rules.expressions import NONE, Unknown, Value, causes_of, text_of, truth
from tourney.rules.expressions.deck import Deck, Evaluator, Missing, Slot, View
from tourney.rules.expressions.values import Edge, Truth, at_most, edges, equal, unknown
from tourney.rules.vocabulary import Bound, SizeFile


class Undecided(msgspec.Struct, frozen=True):
    """A rule that the facts do not settle: which, what is missing, and on which lines."""

    rule: str
    severity: Severity
    missing: tuple[Missing, ...]
    lines: tuple[int, ...]
    cite: str | None


class Assignment(msgspec.Struct, frozen=True):
    """Why a rule that looks for an arrangement holds: the arrangement, one line each."""

    rule: str
    lines: tuple[str, ...]


Outcome = Finding | Undecided | Assignment
"""What a rule says of a deck."""


class Rule(Protocol):
    """A rule bound to a pool: asked of a deck, it tells what is wrong."""

    def judge(self, deck: Deck) -> Iterable[Outcome]:
        """Give what the rule finds in the deck."""
        ...


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """The part of a rule that is not its arithmetic.

    when:  asleep while this is false
    holes: bound message parts
    due:   give the cards that brought it in: a companion, the leader, the card that chooses its bound
    """

    id: str
    severity: Severity = Severity.ERROR
    cite: str | None = None
    message: str | None = None
    when: Evaluator | None = None
    holes: Mapping[str, Evaluator] = {}
    due: tuple[Callable[[View], tuple[Slot, ...]], ...] = ()

    def judged(self, deck: Deck, judge: Callable[[Deck], Iterable[Outcome]]) -> Iterator[Outcome]:
        """Ask the rule, if it applies. While nobody knows whether it does, what it finds is only undecided."""
        applies = True if self.when is None else truth(self.when(View(deck)))
        if applies is False:
            return
        for outcome in judge(deck):
            if isinstance(applies, Unknown) and isinstance(outcome, Finding):
                yield Undecided(self.id, self.severity, applies.causes, outcome.lines, self.cite)
            else:
                yield outcome

    def judged_each(
        self,
        deck: Deck,
        zones: Container[str],
        condition: Callable[[View], Truth],
        broken: Callable[[View], Outcome],
    ) -> Iterator[Outcome]:
        """Ask a condition of each card in some zones, if the rule applies; of all cards in doubt one outcome is made.

        broken: makes the finding of a card that does not meet it
        """

        def judge(deck: Deck) -> Iterator[Outcome]:
            view = View(deck)
            doubts: list[Value] = []
            lines: list[int] = []
            for slot in deck.slots:
                if slot.zone not in zones:
                    continue
                held = condition(view.of(slot))
                if isinstance(held, Unknown):
                    doubts.append(held)
                    lines.extend(slot.lines)
                elif not held:
                    yield broken(view.of(slot))
            if doubts:
                yield self.undecided(doubts, lines)

        return self.judged(deck, judge)

    def undecided(self, sources: Iterable[Value], lines: Iterable[int] | None = None) -> Undecided:
        """Say that the rule could not be decided, because of values in doubt.

        lines: of the cards that are in doubt; those of the cards of which something is missing, unless they are given
        """
        missing = causes_of(*sources)
        if lines is None:
            lines = (line for fact in missing if fact.slot for line in fact.slot.lines)
        unique = {
            (fact.slot and (fact.slot.key, fact.slot.zone, fact.slot.pool_id), fact.attribute): fact
            for fact in missing
        }
        return Undecided(self.id, self.severity, tuple(unique.values()), ordered(lines), self.cite)

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
        """Make a finding; the rule's own message goes before the usual one with its reason. Cards are in list order.

        view: where the rule was asked: for the message's holes, and for the cards that brought the rule in
        """
        about = sorted(slots, key=lambda slot: slot.lines)
        names = tuple(dict.fromkeys(slot.name for slot in about)) if subjects is None else tuple(subjects)
        counted = [None if value is None else text_of(value) for value in (have, allowed)]
        if self.message is not None and view is not None:
            message = _fill(self.message, self._said(view, names, counted, zone))
            reason = ""
        if view is not None:
            message = self._due_to(message, view, about)
        return Finding(
            rule=rule or self.id,
            severity=self.severity,
            message=": ".join(filter(None, (message, reason))),
            lines=ordered(line for slot in about for line in slot.lines),
            subjects=names,
            have=counted[0],
            allowed=counted[1],
            cite=cite or self.cite,
            hint=hint,
            reason=reason if message and reason else None,
        )

    def _due_to(self, message: str, view: View, about: Iterable[Slot]) -> str:
        """Name the card that brings the rule in (a companion, the leader), with its line, where it is another one."""
        mine = {line for slot in about for line in slot.lines}
        causes = [cards_behind(view) for cards_behind in self.due]
        # a condition on the very cards that it is about is no other card's doing
        others = [each for each in causes if not mine or not mine <= {n for slot in each for n in slot.lines}]
        for slot in (slot for each in others for slot in each if slot.lines):
            where = f"{slot.name} (line {slot.lines[0]})"
            if where not in message:
                named = message.replace(slot.name, where, 1)
                message = named if named != message else f"{message}, because of {where}"
        return message

    def _said(
        self, view: View, names: tuple[str, ...], counted: list[str | None], zone: str
    ) -> Callable[[str], str]:
        zone = zone or (view.slot.zone if view.slot else "")
        values = {"have": counted[0], "allowed": counted[1], "card": ", ".join(names), "zone": zone}
        return lambda hole: (
            values.get(hole) or (text_of(self.holes[hole](view)) if hole in self.holes else "")
        )


def ordered(lines: Iterable[int]) -> tuple[int, ...]:
    """Return line numbers sorted, each once."""
    return tuple(sorted(set(lines)))


# -- Bounds: a number held against min, max or exactly, and the words for it


class Broken(msgspec.Struct, frozen=True):
    """A bound that is not kept: in words (`at most`), and the number it allows."""

    words: str
    allowed: Value
    is_maximum: bool

    @property
    def said(self) -> str:
        """The bound in words: `at most 4`."""
        return f"{self.words} {text_of(self.allowed)}"

    @property
    def strictness(self) -> tuple[int, Edge]:
        """Orders broken bounds, the strictest first: of maxima the lowest, of minima the highest."""
        low, high = edges(self.allowed) or (-math.inf, math.inf)
        return _WORDS.index(self.words), -low if self.words == "at least" else high


_WORDS = ("exactly", "at least", "at most")


class Bounds(msgspec.Struct, frozen=True, kw_only=True):
    """The bounds of a rule; one that comes out blank does not bind."""

    least: Evaluator | None = None
    most: Evaluator | None = None
    exactly: Evaluator | None = None

    def __bool__(self) -> bool:
        return any(bound is not None for bound in (self.least, self.most, self.exactly))

    @property
    def is_floor(self) -> bool:
        """Whether there is nothing but a minimum."""
        return self.least is not None and self.most is None and self.exactly is None

    def broken(self, count: Value, view: View) -> Broken | Unknown | None:
        """Return the bound that `count` breaks, None if all are kept, Unknown if nobody can say."""
        doubts: list[Value] = []
        for bound, words, is_maximum in (
            (self.exactly, _WORDS[0], None),
            (self.least, _WORDS[1], False),
            (self.most, _WORDS[2], True),
        ):
            if bound is None:
                continue
            allowed = bound(view)
            if allowed is NONE:
                continue
            held = _held(count, allowed, is_maximum=is_maximum)
            if held is False:
                above = is_maximum if is_maximum is not None else at_most(allowed, count) is True
                return Broken(words, allowed, above)
            if held is not True:
                doubts.append(held)
        return unknown(*doubts) if doubts else None


def _held(count: Value, allowed: Value, *, is_maximum: bool | None) -> Truth:
    if is_maximum is None:
        return equal(count, allowed)
    return at_most(count, allowed) if is_maximum else at_most(allowed, count)


def copies(count: Value, noun: str = "card") -> str:
    """Say a number of things: `1 card`, `5 cards`, `3 to 5 cards`.

    >>> copies(1), copies(0), copies(5, "copy"), copies(12, "influence"), copies(1, "base creatures"), copies(0, "in all")
    ('1 card', 'no cards', '5 copies', '12 influence', '1 base creature', '0 in all')
    """
    word = _PLURALS.get(noun, noun)
    if count == 1 and isinstance(count, int):
        word = noun if noun in _PLURALS else _singular(noun)
    none = count == 0 and isinstance(count, int) and noun != IN_ALL
    return f"{'no' if none else text_of(count)} {word}"


def _singular(noun: str) -> str:
    """Return a format's own word for what is counted as it is said of one: `pilots`, `copies`, `classes`; `influence` stays."""
    for end, one in (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x")):
        if noun.endswith(end):
            return noun.removesuffix(end) + one
    return noun if noun.endswith(("ss", "us", "is")) else noun.removesuffix("s")


IN_ALL = "in all"
"""The unit of a sum that has no word of its own."""
_PLURALS = {"card": "cards", "copy": "copies", "different card": "different cards"}


def check_bounds(bounds: Any, place: str) -> None:
    """Raise TourneyError for bounds that contradict each other, or ask for less than nothing."""
    if bounds.exactly is not None and (bounds.min is not None or bounds.max is not None):
        raise TourneyError(f"{place}: `exactly` says it all, `min` and `max` beside it do not make sense")
    for key in ("min", "max", "exactly"):
        bound = getattr(bounds, key)
        if isinstance(bound, int) and bound < 0:
            raise TourneyError(f"{place}.{key}: {bound} is less than no cards at all")
    if isinstance(bounds.min, int) and isinstance(bounds.max, int) and bounds.min > bounds.max:
        raise TourneyError(f"{place}: at least {bounds.min} and at most {bounds.max} cannot both hold")


def size_words(size: SizeFile) -> str:
    """Say a size in words: `exactly 60 cards`, `40 to 60 cards`.

    >>> size_words(SizeFile(min=40, max=60)), size_words(SizeFile(exactly=1)), size_words(SizeFile(max="n() // 2"))
    ('40 to 60 cards', 'exactly 1 card', 'at most `n() // 2` cards')
    """
    if size.min is not None and size.max is not None:
        return f"{number_words(size.min)} to {number_words(size.max)} cards"
    return f"{bound_words(size)} {'card' if 1 in (size.exactly, size.max, size.min) else 'cards'}"


def bound_words(bounds: Any) -> str:
    """Say what a rule allows: `at most 4`, `exactly 15`."""
    words = {"exactly": "exactly", "min": "at least", "max": "at most"}
    parts = [
        f"{word} {number_words(getattr(bounds, key))}"
        for key, word in words.items()
        if getattr(bounds, key) is not None
    ]
    return " and ".join(parts)


def number_words(bound: Bound) -> str:
    """Say a number, or the expression that gives it."""
    return str(bound) if isinstance(bound, int) else f"`{bound}`"


# -- A rule's own words for a finding: text with holes in braces, each hole an expression


_GIVEN = frozenset({"have", "allowed", "card", "zone"})

_PART = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")


class MessageError(Exception):
    """A message's braces do not match, or a hole is empty."""


def holes(text: str) -> tuple[str, ...]:
    """Return the expressions in a message's holes, without those every rule knows. Raises MessageError."""
    expressions = []
    for part in _PART.finditer(text):
        if part[0] in {"{", "}"}:
            raise MessageError(
                f"column {part.start() + 1}: a brace without its partner (write `{part[0] * 2}` for a brace)"
            )
        if part[0] not in {"{{", "}}"}:
            if not part[1].strip():
                raise MessageError(f"column {part.start() + 1}: nothing between the braces")
            expressions.append(part[1].strip())
    return tuple(hole for hole in expressions if hole not in _GIVEN)


def given(text: str) -> frozenset[str]:
    """Return which of the holes that every rule knows a message has. Raises MessageError."""
    holes(text)
    return frozenset(part[1].strip() for part in _PART.finditer(text) if part[1]) & _GIVEN


def _fill(text: str, value_of: Callable[[str], str]) -> str:
    """Put what `value_of` gives for each hole into the message."""

    def put(part: re.Match[str]) -> str:
        if part[0] in {"{{", "}}"}:
            return part[0][0]
        return value_of(part[1].strip())

    return _PART.sub(put, text)
