"""A deck as the rules see it, and the functions of the expression language.

`FUNCTIONS` declares each function once: how it is written, what it examines, how it is evaluated, and its
words in an explanation. Cards are counted by zone and name. If a fact is missing, a count is an `Interval` of
possible numbers, and a list is a `Span`, which has the sure and the possible items.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import Struct

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
    common_items,
    extreme,
    interval,
    items,
    join,
    length,
    span,
    subset,
    truth,
    unknown,
    weight,
)

MOST_STEPS = 5_000_000
"""The maximum number of times that a card is examined while one deck is judged.

A format that needs more is refused.
"""


class Leader(Struct, frozen=True):
    """The cards in the leader's zone.

    doubt: the reason why the leader is not known, such as `no general`; empty if the leader is known
    """

    slots: tuple[Slot, ...] = ()
    doubt: str = ""


class Deck(Struct):
    """A deck while it is judged.

    slots:   every card that counts, in the order of zones and names
    sizes:   the number of cards in each zone
    lists:   card lists of the format and ban list, for the functions `listed` and `points`: name of the list
             → folded card name → number
    answers: key of an expression → its value, if that is the same for every card of the deck
    steps:   how many times a card was examined so far
    label:   the deck and its format, such as `ada.txt by redline/standard`, for the error message if judging
             takes too long
    """

    slots: Sequence[Slot]
    sizes: Mapping[str, int]
    leader: Leader
    settings: Mapping[str, Value]
    lists: Mapping[str, Mapping[FoldedName, int]]
    answers: dict[object, Any] = {}
    steps: int = 0
    label: str = "the deck"

    def step(self, count: int) -> None:
        """Count examined cards. Raises TourneyError if the limit for one deck is exceeded."""
        self.steps += count
        if self.steps > MOST_STEPS:
            raise TourneyError(
                f"judging {self.label} takes more than {MOST_STEPS:,} steps",
                "simplify the format: a count inside another count takes many steps",
            )


class View(Struct):
    """The deck, the card and the printing for which an expression is evaluated.

    slot:     the card that is examined; a bare name in the expression, such as `cost`, is its attribute
    this:     the card that the rule is about, which the expression calls `this`
    printing: the printing that is examined; inside `printed(…)`, a bare name is an attribute of the printing

    `slot` and `this` are None in parts of a rule that have no card. Their types leave out None, because an
    expression that needs a card is compiled only for parts that have one.
    """

    deck: Deck
    slot: Slot = None  # type: ignore[assignment]
    this: Slot = None  # type: ignore[assignment]
    printing: Printing | None = None

    def of(self, slot: Slot) -> View:
        """Set the card for which expressions are evaluated, and return this view.

        Bare names, such as `cost`, then mean attributes of that card, and `this` means the card itself.
        """
        self.slot = self.this = slot
        return self


Evaluator = Callable[[View], Value]
"""An expression that was compiled into a function."""


def holds(condition: Evaluator | None, view: View) -> Truth:
    """Return whether a condition is true. A condition that is None counts as true."""
    return True if condition is None else truth(condition(view))


def fitting(condition: Evaluator | None, view: View) -> Iterator[tuple[View, int, Truth]]:
    """Yield (view, copies, whether it fits) for each card that fits or may fit a condition.

    In the yielded view, a bare name in an expression is an attribute of that card, and `this` means the same
    card as in the given view. All items have the same view object, so use it before you take the next item.

    condition: the condition; None: all cards fit
    """
    deck = view.deck
    deck.step(len(deck.slots))
    inner = View(deck, this=view.this)
    for slot in deck.slots:
        inner.slot = slot
        fits = holds(condition, inner)
        if fits is not False:
            yield inner, slot.qty, fits


# -- what the functions calculate from the cards that fit

Cards = Iterable[tuple[Value, int, Truth]]
"""For each card that fits or may fit: a value, the number of copies, and whether it fits."""


def total(cards: Cards) -> Value:
    """Return the sum of a value over all copies; a range if a value is unknown (0 or more)."""
    low: Edge = 0
    high: Edge = 0
    doubts: list[Value] = []
    for value, copies, fits in cards:
        if type(value) is int and fits is True:  # most cards
            low += copies * value
            high += copies * value
            continue
        least, most = weight(value)
        low += copies * (least if fits is True else min(least, 0))
        high += copies * (most if fits is True else max(most, 0))
        if fits is not True or least != most:
            doubts += (fits, value)
    return interval(low, high, *doubts)


def distinct(cards: Cards, *, is_single: bool) -> Value:
    """Return the number of different values. Each item of a list is one value.

    An unknown value may be blank or equal to a known value, so it may add nothing.

    is_single: whether no value is a list, so that an unknown value adds at most one
    """
    certain: set[Item] = set()
    likely: set[Item] = set()
    unnamed_count: Edge = 0
    doubts: list[Value] = []
    for value, _, fits in cards:
        sure, possible = items(value)
        (certain if fits is True else likely).update(sure)
        if fits is not True or possible != sure:
            doubts += (fits, value)
        if possible is None:
            unnamed_count += 1 if is_single else math.inf
        else:
            likely |= possible
    return interval(len(certain), len(certain | likely) + unnamed_count, *doubts)


def _union(cards: Cards) -> Value:
    """Return the union of the fitting cards' values: each item that at least one of them has.

    If it is not known whether a card fits, the items of that card's value may be in the union (see `span`).
    """
    union: Value = ()
    for value, _, fits in cards:
        part = value if fits is True else span(frozenset(), items(value)[1], value, fits)
        union = join(union, part)
    return union


def _common(cards: Cards) -> Value:
    """Return the intersection of the fitting cards' values: the items in all of these values.

    It is empty if no card fits. If it is not known whether a card fits, some items may be uncertain.
    """
    values = list(cards)
    common: Value | None = None
    for part, _, fits in values:
        if fits is True:
            common = part if common is None else common_items(common, part)
    for part, _, fits in values:
        if fits is True:
            continue
        if common is None:
            common = Span(frozenset(), None, causes=causes_of(fits))
        else:  # a card that may not count can only make items doubtful
            common = span(items(common_items(common, part))[0], items(common)[1], common, part, fits)
    return () if common is None else common


# -- functions that examine the deck or a card


def _size(zone: str | None = None) -> Evaluator:
    if zone is None:
        return lambda view: sum(view.deck.sizes.values())
    return lambda view: view.deck.sizes.get(zone, 0)


def _has(key: FoldedName, zone: str | None = None) -> Evaluator:
    return lambda view: any(key in slot.keys and zone in {None, slot.zone} for slot in view.deck.slots)


def _make_listed(name: str) -> Evaluator:
    return lambda view: view.slot.number_on(view.deck.lists.get(name, {})) is not None


def _points(name: str = "points") -> Evaluator:
    return lambda view: view.slot.number_on(view.deck.lists.get(name, {})) or 0


def _make_printed(condition: Evaluator) -> Evaluator:
    """Return the function for `printed(condition)`: whether a printing of the card fits.

    The result is unknown if an open pool, which may lack data, lists no printing of the card. If
    several cards share the name, the condition must be true for each of them.
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


# -- the functions of the language


class Function(Struct, frozen=True):
    """A function of the expression language, evaluated by `of_cards`, `of_values` or `make`.

    fewest, most:      the minimum and maximum number of arguments
    usage:             how a call is written, and the value that it returns
    of_cards:          computes the result from the cards that fit the first argument, with the last argument
                       as the value of each card. If there is at most one argument, each card has the value 1
    of_values:         computes the result from the values of the arguments
    make:              returns the evaluator of a call whose arguments are quoted texts, or whose argument is
                       a condition on a printing of the card
    quoted_kinds:      for each argument that is a quoted text, what it names: `zone`, `list` or `name` (of a
                       card)
    asks:              what the function examines besides its arguments: `card`, `deck`, both or nothing
    words:             the sentence that explains the result, for some conditions; else empty. In it, `{not_}`
                       becomes empty or `not `, `{a}` becomes `a` or `no`, and any other braces are replaced
                       by the argument that they name
    is_condition:      whether it returns true or false
    is_also_attribute: whether cards can have an attribute of this name
    """

    fewest: int
    most: int
    usage: str
    of_cards: Callable[..., Value] | None = None
    of_values: Callable[..., Value] | None = None
    make: Callable[..., Evaluator] | None = None
    quoted_kinds: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    words: str = ""
    is_condition: bool = False
    is_also_attribute: bool = False

    @property
    def asks_printings(self) -> bool:
        """Whether the function's argument is a condition on a printing of the card."""
        return self.make is not None and not self.quoted_kinds


_DECK = ("deck",)

FUNCTIONS: Mapping[str, Function] = {
    "n": Function(0, 1, "n(condition): copies of the cards that fit", of_cards=total, asks=_DECK),
    "size": Function(0, 1, "size('zone'): cards in the zone",
                     make=_size, quoted_kinds=("zone",), asks=_DECK, is_also_attribute=True),
    "total": Function(1, 2, "total(condition, value): the value summed over copies",
                      of_cards=total, asks=_DECK),
    "distinct": Function(1, 2, "distinct(condition, value): how many different values",
                         of_cards=distinct, asks=_DECK),
    "union": Function(2, 2, "union(condition, value): the values of all cards that fit; union(list, list)",
                      of_cards=_union, of_values=join, asks=_DECK),
    "common": Function(2, 2, "common(condition, value): the values that all cards that fit share;"
                             " common(list, list)",
                       of_cards=_common, of_values=common_items, asks=_DECK),
    "subset": Function(2, 2, "subset(list, list): whether the second list has all values of the first",
                       of_values=subset, is_condition=True),
    "listed": Function(1, 1, "listed('list'): whether the card is on the list",
                       make=_make_listed, quoted_kinds=("list",), asks=("card", "deck"), is_condition=True,
                       words="it is {not_}on the list `{list}`"),
    "points": Function(0, 1, "points('list'): the card's number on the list, or 0",
                       make=_points, quoted_kinds=("list",), asks=("card", "deck"), is_also_attribute=True),
    "printed": Function(1, 1, "printed(condition): whether a printing of the card fits",
                        make=_make_printed, asks=("card",), is_condition=True,
                        words="it has {a} printing {criteria}"),
    "has": Function(1, 2, "has('name', 'zone'): whether the card is in the deck (the zone)",
                    make=_has, quoted_kinds=("name", "zone"), asks=_DECK, is_condition=True,
                    words="{name} is {not_}in {zone}"),
    "min": Function(1, 20, "min(a, b): the smaller; min(list)",
                    of_values=partial(extreme, min), is_also_attribute=True),
    "max": Function(1, 20, "max(a, b): the larger; max(list)",
                    of_values=partial(extreme, max), is_also_attribute=True),
    "len": Function(1, 1, "len(list): how many items it has", of_values=length),
}  # fmt: skip
"""Every function of the language, for the checks, the evaluation and the explanations."""
