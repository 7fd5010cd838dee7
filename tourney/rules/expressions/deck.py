"""A deck as the rules see it, and the functions of the language that look at its cards.

Cards are counted by zone and name. If a fact is missing, a count is an interval and a list a span.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from tourney.cards.card import Card, Printing
from tourney.cards.names import FoldedName
from tourney.errors import TourneyError
from tourney.rules.expressions.values import (
    Edge,
    Item,
    Missing,
    Slot,
    Span,
    Truth,
    Unknown,
    Value,
    causes_of,
    interval,
    items,
    joined,
    shared,
    span,
    truth,
    unknown,
    weight,
)

MOST_STEPS = 5_000_000
"""The maximum number of cards that are looked at to judge one deck.

A format that needs more is refused.
"""


class Leader(msgspec.Struct, frozen=True):
    """The cards in the leader's zone.

    doubt: the reason why the leader is not known, such as `no general`; empty if the leader is known
    """

    slots: tuple[Slot, ...] = ()
    doubt: str = ""


class Deck(msgspec.Struct):
    """A deck while it is judged.

    slots:   every card that counts, in the order of the list
    sizes:   the number of cards in each zone
    lists:   list name → folded card name → number, for `listed` and `points`
    answers: values that are the same for every card of the deck, by a key of their expression
    steps:   the number of cards that were looked at so far
    called:  the deck and the format, for the message if judging takes too long
    """

    slots: Sequence[Slot]
    sizes: Mapping[str, int]
    leader: Leader
    settings: Mapping[str, Value]
    lists: Mapping[str, Mapping[FoldedName, int]]
    answers: dict[object, Any] = {}
    steps: int = 0
    called: str = "the deck"

    def step(self, count: int) -> None:
        """Count cards looked at. Raises TourneyError above the limit for one deck."""
        self.steps += count
        if self.steps > MOST_STEPS:
            raise TourneyError(
                f"judging {self.called} takes more than {MOST_STEPS:,} steps",
                "are there counts within counts in the format?",
            )


class View(msgspec.Struct):
    """The place where an expression is evaluated.

    slot:     the card that bare names belong to
    this:     the card that the rule looks at
    printing: the printing that bare names belong to, inside `printed(…)`

    An expression that needs a card is bound only in places that have one, so the fields are not optional.
    """

    deck: Deck
    slot: Slot = None  # type: ignore[assignment]
    this: Slot = None  # type: ignore[assignment]
    printing: Printing | None = None

    def of(self, slot: Slot) -> View:
        """Look at another card, and return the view itself."""
        self.slot = self.this = slot
        return self


Evaluator = Callable[[View], Value]
"""A bound expression."""

Maker = Callable[[Evaluator | None, Evaluator | None], Evaluator]
"""Makes a counting function from the condition on a card and the value of a card."""


def fitting(where: Evaluator | None, view: View) -> Iterator[tuple[View, int, Truth]]:
    """Yield a view of each card that fits or may fit, its copies, and whether it fits.

    `this` stays the card outside.
    """
    deck = view.deck
    deck.step(len(deck.slots))
    inner = View(deck, this=view.this)
    for slot in deck.slots:
        inner.slot = slot
        fits = True if where is None else truth(where(inner))
        if fits is not False:
            yield inner, slot.qty, fits


def _count(where: Evaluator | None, _: Evaluator | None) -> Evaluator:
    """Return the function that evaluates `n(condition)`."""

    def evaluator(view: View) -> Value:
        low = high = 0
        doubts: list[Value] = []
        for _, copies, fits in fitting(where, view):
            high += copies
            if fits is True:
                low += copies
            else:
                doubts.append(fits)
        return interval(low, high, *doubts)

    return evaluator


class Sum:
    """A sum over cards. Some may not count, or have no certain value."""

    def __init__(self) -> None:
        self.low: Edge = 0
        self.high: Edge = 0
        self.doubts: list[Value] = []

    def add(self, copies: int, value: Value, fits: Truth) -> None:
        """Add the value of each copy. An unknown value is 0 or more."""
        least, most = weight(value)
        self.low += copies * (least if fits is True else min(least, 0))
        self.high += copies * (most if fits is True else max(most, 0))
        if fits is not True or least != most:
            self.doubts += (fits, value)

    @property
    def value(self) -> Value:
        """The sum, as far as it is certain."""
        return interval(self.low, self.high, *self.doubts)


def _total(where: Evaluator | None, value: Evaluator | None) -> Evaluator:
    """Return the function that evaluates `total(condition, value)`."""
    value_of = _required(value)

    def evaluator(view: View) -> Value:
        total = Sum()
        for inner, copies, fits in fitting(where, view):
            total.add(copies, value_of(inner), fits)
        return total.value

    return evaluator


class Different:
    """The number of different values. Some may not be known.

    is_single: no value is a list, so an unknown one adds at most one
    """

    def __init__(self, *, is_single: bool) -> None:
        self._is_single = is_single
        self._sure: set[Item] = set()
        self._possible: set[Item] = set()
        self._unnamed: Edge = 0
        self._doubts: list[Value] = []

    def add(self, value: Value, fits: Truth) -> None:
        """Add the value of a card that counts or may count. A list adds each of its items."""
        sure, possible = items(value)
        (self._sure if fits is True else self._possible).update(sure)
        if fits is not True or possible != sure:
            self._doubts += (fits, value)
        if possible is None:
            self._unnamed += 1 if self._is_single else math.inf
        else:
            self._possible |= possible

    @property
    def number(self) -> Value:
        """The number, as far as it is certain. An unknown value may be blank, or equal a known one."""
        most = len(self._sure | self._possible) + self._unnamed
        return interval(len(self._sure), most, *self._doubts)


def distinct(where: Evaluator | None, value: Evaluator | None, *, is_single: bool) -> Evaluator:
    """Return the function that evaluates `distinct(condition, value)`.

    is_single: the value is never a list
    """
    value_of = _required(value)

    def evaluator(view: View) -> Value:
        different = Different(is_single=is_single)
        for inner, _, fits in fitting(where, view):
            different.add(value_of(inner), fits)
        return different.number

    return evaluator


def _union(where: Evaluator | None, value: Evaluator | None) -> Evaluator:
    """Return the function that evaluates `union(condition, value)`.

    The union has the items of all cards that fit.
    """
    value_of = _required(value)

    def evaluator(view: View) -> Value:
        union: Value = ()
        for inner, _, fits in fitting(where, view):
            part = value_of(inner)
            if fits is not True:
                part = span(frozenset(), items(part)[1], part, fits)
            union = joined(union, part)
        return union

    return evaluator


def _common(where: Evaluator | None, value: Evaluator | None) -> Evaluator:
    """Return the function that evaluates `common(condition, value)`.

    The result has the items that all cards that fit share. It is empty if no card fits.
    """
    value_of = _required(value)

    def evaluator(view: View) -> Value:
        values = [(value_of(inner), fits) for inner, _, fits in fitting(where, view)]
        common: Value | None = None
        for part in [part for part, fits in values if fits is True]:
            common = part if common is None else shared(common, part)
        for part, fits in values:
            if fits is True:
                continue
            if common is None:
                common = Span(frozenset(), None, causes=causes_of(fits))
            else:  # a card that may not count can only make items doubtful
                common = span(items(shared(common, part))[0], items(common)[1], common, part, fits)
        return () if common is None else common

    return evaluator


def _required(value: Evaluator | None) -> Evaluator:
    assert value is not None, "the parser counts the arguments"
    return value


COUNTS: Mapping[str, Maker] = {"n": _count, "total": _total, "union": _union, "common": _common}
"""The counting functions of the language, without `distinct`."""


def size(zone: str | None = None) -> Evaluator:
    """Return the function for `size('deck')`: the number of cards.

    It counts the zone, or the whole list without a zone.
    """
    if zone is None:
        return lambda view: sum(view.deck.sizes.values())
    return lambda view: view.deck.sizes.get(zone, 0)


def has(key: FoldedName, zone: str | None = None) -> Evaluator:
    """Return the function for `has('name')`: whether the card is in the deck, or in the zone."""
    return lambda view: any(key in slot.keys and zone in {None, slot.zone} for slot in view.deck.slots)


def listed(name: str) -> Evaluator:
    """Return the function that evaluates `listed('list')`: whether the card is on the list."""
    return lambda view: view.slot.number_on(view.deck.lists.get(name, {})) is not None


def points(name: str) -> Evaluator:
    """Return the function that evaluates `points('list')`: the card's number on the list."""
    return lambda view: view.slot.number_on(view.deck.lists.get(name, {})) or 0


def printed(condition: Evaluator) -> Evaluator:
    """Return the function that evaluates `printed(condition)`.

    It is true if a printing of the card fits. Unknown if no printings are listed and the pool is open. If
    several cards share the name, it must be true of each of them.
    """

    def fits(view: View, card: Card) -> Truth:
        if not card.printings and not card.complete:
            return Unknown()
        answer: Truth = False
        for view.printing in card.printings:
            printing_fits = truth(condition(view))
            if printing_fits is True:
                answer = True
                break
            answer = answer if printing_fits is False else unknown(answer, printing_fits)
        view.printing = None
        return answer

    def evaluator(view: View) -> Truth:
        card = view.slot.card
        answers = [fits(view, candidate) for candidate in card.candidates or (card,)]
        if all(answer is True for answer in answers) or all(answer is False for answer in answers):
            return answers[0]
        return Unknown(causes=causes_of(*answers) or (Missing(view.slot, "printings"),))

    return evaluator
