"""A deck as the rules see it, and what an expression counts in it.

Cards are counted by zone and name; a fact that is missing leaves a count, a sum or a list certain only so far.
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
"""Cards looked at while judging one deck; a format that needs more is refused rather than waited for."""


class Slot(msgspec.Struct, frozen=True, kw_only=True):
    """Copies of one card in one zone, over all their lines.

    card:  what is known of it, errata and trusted facts applied
    name:  the name it is counted under (aliases and `counts_as` resolved), for messages
    keys:  the folded names it answers to on lists and in `has`: the one it is counted under first, then its own
    declared: whether its list declares facts of it that are not believed
    pool_id: the card's id where it is just what the pool says, so that answers about it can be kept; else None
    """

    card: Card
    name: str
    keys: tuple[FoldedName, ...]
    zone: str
    qty: int
    lines: tuple[int, ...] = ()
    pool_id: str | None = None
    declared: bool = False

    @property
    def key(self) -> FoldedName:
        """The folded name under which its copies add up."""
        return self.keys[0]

    def on(self, names: Mapping[FoldedName, int]) -> int | None:
        """Return the number a list of folded names gives this card, None where the card is not on it."""
        return next((names[key] for key in self.keys if key in names), None)


class Missing(msgspec.Struct, frozen=True):
    """A fact that was asked for and is not known: of a card, or (slot None) of a leader that is in doubt."""

    slot: Slot | None
    attribute: str


class Leader(msgspec.Struct, frozen=True):
    """The cards in the leader's zone. doubt: why nobody can say who leads (`no general`), empty where it is clear."""

    slots: tuple[Slot, ...] = ()
    doubt: str = ""


class Deck(msgspec.Struct):
    """One deck while it is judged.

    slots:  everything that counts, in the order of the list
    sizes:  how many cards each zone has
    lists:  folded name → number, by list name: what `listed` and `points` ask
    answers: those that are the same for every card of the deck, each under a ticket of the expression it answers
    steps:  work done so far
    called: deck and format, for the message when judging takes too long
    """

    slots: Sequence[Slot]
    sizes: Mapping[str, int]
    leader: Leader
    settings: Mapping[str, Value]
    lists: Mapping[str, Mapping[FoldedName, int]]
    answers: dict[object, Any] = {}
    steps: int = 0
    called: str = "the deck"

    def step(self, how_many: int) -> None:
        """Count work. Raises TourneyError when one deck costs more than MOST_STEPS."""
        self.steps += how_many
        if self.steps > MOST_STEPS:
            raise TourneyError(
                f"judging {self.called} takes more than {MOST_STEPS:,} steps",
                "are there counts within counts in the format?",
            )


class View(msgspec.Struct):
    """Where an expression is asked: in this deck, of the card `slot` (bare names), while a rule looks at `this`.

    printing: which of the card's printings bare names are about, inside `printed(…)`

    Expressions that need a card are only bound where there is one, so neither says that it may be missing.
    """

    deck: Deck
    slot: Slot = None  # type: ignore[assignment]
    this: Slot = None  # type: ignore[assignment]
    printing: Printing | None = None

    def of(self, slot: Slot) -> View:
        """Turn to a card that a rule looks at, and return the view itself."""
        self.slot = self.this = slot
        return self


Evaluator = Callable[[View], Value]
"""A bound expression: asked of a deck, of the card that bare names are about, and of the card `this` is."""


# -- Going over the cards of a deck: counts, sums and lists, as far as they are certain


def _each(where: Evaluator | None, view: View) -> Iterator[tuple[View, int, Truth]]:
    """Give each card that fits or may fit, with its copies and whether it does. `this` stays who it is."""
    deck = view.deck
    deck.step(len(deck.slots))
    inner = View(deck, this=view.this)
    for slot in deck.slots:
        inner.slot = slot
        fits = True if where is None else truth(where(inner))
        if fits is not False:
            yield inner, slot.qty, fits


def _count(where: Evaluator | None, _: Evaluator | None = None) -> Evaluator:
    """`n`: copies that fit, from those that surely do to those that may."""

    def evaluator(view: View) -> Value:
        low = high = 0
        doubts: list[Value] = []
        for _, copies, fits in _each(where, view):
            high += copies
            if fits is True:
                low += copies
            else:
                doubts.append(fits)
        return interval(low, high, *doubts)

    return evaluator


def total(where: Evaluator | None, value: Evaluator | None) -> Evaluator:
    """`total`: the value summed over copies. What is not known counts from 0 up: no card weighs less than nothing."""

    def evaluator(view: View) -> Value:
        assert value is not None
        low: Edge = 0
        high: Edge = 0
        doubts: list[Value] = []
        for inner, copies, fits in _each(where, view):
            weighs = value(inner)
            least, most = weight(weighs)
            low += copies * (least if fits is True else min(least, 0))
            high += copies * (most if fits is True else max(most, 0))
            if fits is not True or least != most:
                doubts += (fits, weighs)
        return interval(low, high, *doubts)

    return evaluator


def distinct(where: Evaluator | None, value: Evaluator | None, *, single: bool = False) -> Evaluator:
    """`distinct`: how many different values; a card with a list adds each of its items.

    single: whether a card has at most one value, so that an unknown one adds at most one
    """

    def evaluator(view: View) -> Value:
        assert value is not None
        different = Different(single=single)
        for inner, _, fits in _each(where, view):
            different.add(value(inner), fits)
        return different.number

    return evaluator


class Different:
    """Counts different values, some of which are not known. single: no value is a list."""

    def __init__(self, *, single: bool) -> None:
        self._single = single
        self._sure: set[Item] = set()
        self._maybe: set[Item] = set()
        self._nameless: Edge = 0
        self._doubts: list[Value] = []

    def add(self, value: Value, fits: Truth) -> None:
        """Put in a value of a card that counts, or may."""
        known, possible = items(value)
        (self._sure if fits is True else self._maybe).update(known)
        if fits is not True or possible != known:
            self._doubts += (fits, value)
        if possible is None:
            self._nameless += 1 if self._single else math.inf
        else:
            self._maybe |= possible

    @property
    def number(self) -> Value:
        """How many different ones, as far as that is certain: what is not known may be blank, or one of the known."""
        return interval(len(self._sure), len(self._sure | self._maybe) + self._nameless, *self._doubts)


def union(where: Evaluator | None, value: Evaluator | None) -> Evaluator:
    """`union(condition, value)`: everything that a card that fits has."""

    def evaluator(view: View) -> Value:
        assert value is not None
        whole: Value = ()
        for inner, _, fits in _each(where, view):
            part = value(inner)
            whole = joined(whole, part if fits is True else _perhaps(part, fits))
        return whole

    return evaluator


def common(where: Evaluator | None, value: Evaluator | None) -> Evaluator:
    """`common(condition, value)`: what every card that fits has; of no cards, nothing."""

    def evaluator(view: View) -> Value:
        assert value is not None
        values = [(value(inner), fits) for inner, _, fits in _each(where, view)]
        whole: Value | None = None
        for each in [each for each, fits in values if fits is True]:
            whole = each if whole is None else shared(whole, each)
        for each, fits in values:
            if fits is not True:  # it may not count, so it can only take away doubtfully
                whole = (
                    Span(frozenset(), None, causes=causes_of(fits))
                    if whole is None
                    else span(items(shared(whole, each))[0], items(whole)[1], whole, each, fits)
                )
        return () if whole is None else whole

    return evaluator


def _perhaps(value: Value, fits: Truth) -> Value:
    return span(frozenset(), items(value)[1], value, fits)


def size(zone: str | None = None) -> Evaluator:
    """`size('deck')`: how many cards the zone has; without a zone, the whole list."""
    if zone is None:
        return lambda view: sum(view.deck.sizes.values())
    return lambda view: view.deck.sizes.get(zone, 0)


def has(key: FoldedName, zone: str | None = None) -> Evaluator:
    """`has('name')`: whether the card is there."""
    return lambda view: any(key in slot.keys and zone in {None, slot.zone} for slot in view.deck.slots)


def listed(name: str) -> Evaluator:
    """`listed('list')`: whether the card is on the list."""
    return lambda view: view.slot.on(view.deck.lists.get(name, {})) is not None


def points(name: str) -> Evaluator:
    """`points('list')`: the card's number on the list."""
    return lambda view: view.slot.on(view.deck.lists.get(name, {})) or 0


def printed(condition: Evaluator) -> Evaluator:
    """`printed(condition)`: whether one of the card's printings fits; where nobody listed any, nobody knows.

    Of several cards that share a name it holds if it holds of each of them.
    """

    def fits(view: View, card: Card) -> Truth:
        if not card.printings and not card.complete:
            return Unknown()
        answer: Truth = False
        held: Truth = False
        for view.printing in card.printings:
            held = truth(condition(view))
            if held is True:
                break
            answer = answer if held is False else unknown(answer, held)
        view.printing = None
        return True if held is True else answer

    def evaluator(view: View) -> Truth:
        card = view.slot.card
        answers = [fits(view, each) for each in card.candidates or (card,)]
        if all(answer is True for answer in answers) or all(answer is False for answer in answers):
            return answers[0]
        return Unknown(causes=causes_of(*answers) or (Missing(view.slot, "printings"),))

    return evaluator


MAKERS: Mapping[str, Callable[[Evaluator | None, Evaluator | None], Evaluator]] = {
    "n": _count,
    "total": total,
    "union": union,
    "common": common,
}
