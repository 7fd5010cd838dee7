"""Bounds (`min`, `max` and `exactly`): as written, compiled for a card pool, and in words."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Protocol

from msgspec import Struct

from tourney.cards.card import NONE
from tourney.errors import TourneyError
from tourney.rules.expressions.deck import Evaluator, View
from tourney.rules.expressions.language import About
from tourney.rules.expressions.values import Edge, Unknown, Value, at_most, edges, equal, text_of, unknown
from tourney.rules.vocabulary import Bound, SizeFile

_WORDS = {"exactly": "exactly", "min": "at least", "max": "at most"}
"""The key of a bound → the words for it, the strictest first."""


# -- as written


class WrittenBounds(Protocol):
    """A TOML table with `min`, `max` and `exactly`: a size, a limit or an exception to a limit.

    Each of these bounds is a number, an expression or None.
    """

    @property
    def min(self) -> Bound | None:
        """The smallest number allowed."""

    @property
    def max(self) -> Bound | None:
        """The largest number allowed."""

    @property
    def exactly(self) -> Bound | None:
        """The only number allowed. If it is set, `min` and `max` are None."""


class PlacedExpression(Struct, frozen=True):
    """A value in a rule file, with its place (file and key path).

    Only a string is an expression.
    """

    text: object
    place: str
    about: About = About.CARD


def bound_expressions(bounds: WrittenBounds | None, place: str, about: About) -> Iterator[PlacedExpression]:
    """Yield the values of `exactly`, `min` and `max`, each with its file and key path."""
    if bounds is not None:
        for key in _WORDS:
            yield PlacedExpression(getattr(bounds, key), f"{place}.{key}", about)


def written_bounds(bounds: WrittenBounds | None) -> list[Bound]:
    """Return the bounds that a file gives (`exactly`, `min`, `max`), without the missing ones."""
    all_bounds = [getattr(bounds, key, None) for key in _WORDS]
    return [bound for bound in all_bounds if bound is not None]


def check_bounds(bounds: WrittenBounds, place: str) -> None:
    """Raise TourneyError if bounds contradict each other, or if one is below 0."""
    if bounds.exactly is not None and (bounds.min is not None or bounds.max is not None):
        raise TourneyError(f"{place}: with `exactly`, leave out `min` and `max`")
    for key in _WORDS:
        bound = getattr(bounds, key)
        if isinstance(bound, int) and bound < 0:
            raise TourneyError(f"{place}.{key}: {bound} is below 0")
    if isinstance(bounds.min, int) and isinstance(bounds.max, int) and bounds.min > bounds.max:
        raise TourneyError(f"{place}: at least {bounds.min} and at most {bounds.max} cannot both hold")


def bound_words(bounds: WrittenBounds) -> str:
    """Return bounds in words: `at most 4`, `exactly 15`; empty if there are none."""
    parts = [
        f"{words} {number_words(getattr(bounds, key))}"
        for key, words in _WORDS.items()
        if getattr(bounds, key) is not None
    ]
    return " and ".join(parts)


def size_words(size: SizeFile) -> str:
    """Return the size of a zone in words.

    >>> size_words(SizeFile(min=40, max=60)), size_words(SizeFile(max="n() // 2"))
    ('40 to 60 cards', 'at most `n() // 2` cards')
    """
    if size.min is not None and size.max is not None:
        return f"{number_words(size.min)} to {number_words(size.max)} cards"
    return f"{bound_words(size)} {'card' if 1 in written_bounds(size) else 'cards'}"


def number_words(bound: Bound) -> str:
    """Return a bound as text: a number in digits, or an expression in backticks."""
    return str(bound) if isinstance(bound, int) else f"`{bound}`"


# -- compiled for a pool


class Broken(Struct, frozen=True):
    """A bound that is broken.

    words:      the kind of bound in words, such as `at most`
    allowed:    the number that the bound allows
    is_maximum: whether the count is too high
    """

    words: str
    allowed: Value
    is_maximum: bool

    @property
    def demand(self) -> str:
        """The bound in words: `at most 4`."""
        return f"{self.words} {text_of(self.allowed)}"

    @property
    def strictness(self) -> tuple[int, Edge]:
        """A sort key that puts the strictest bound of a kind first.

        The strictest maximum is the lowest; the strictest minimum is the highest.
        """
        low, high = edges(self.allowed) or (-math.inf, math.inf)
        return list(_WORDS.values()).index(self.words), -low if self.words == "at least" else high


class Bounds(Struct, frozen=True, kw_only=True):
    """The minimum, maximum and exact number of a rule.

    Each is a compiled expression; None if the rule does not have this bound. A bound whose value is blank
    (`NONE`) is ignored.
    """

    exactly: Evaluator | None = None
    min: Evaluator | None = None
    max: Evaluator | None = None

    def __bool__(self) -> bool:
        return any(bound is not None for bound in (self.min, self.max, self.exactly))

    @property
    def is_only_minimum(self) -> bool:
        """Whether `min` is the only bound that is given."""
        return self.min is not None and self.max is None and self.exactly is None

    def broken_bound(self, count: Value, view: View) -> Broken | Unknown | None:
        """Return the bound that a count breaks.

        Returns None if the count breaks no bound, Unknown if that is not known.
        """
        doubts: list[Value] = []
        for key, words in _WORDS.items():
            bound: Evaluator | None = getattr(self, key)
            limit = NONE if bound is None else bound(view)
            if limit is NONE:
                continue
            if key == "exactly":
                holds = equal(count, limit)
            else:
                holds = at_most(count, limit) if key == "max" else at_most(limit, count)
            if holds is False:
                is_above = at_most(limit, count) is True if key == "exactly" else key == "max"
                return Broken(words, limit, is_above)
            if isinstance(holds, Unknown):
                doubts.append(holds)
        return unknown(*doubts) if doubts else None


# -- counts in words

SUM = "in all"
"""The unit of a sum in messages (`12 in all`) if the rule has no word for what it counts."""

_PLURALS = {"card": "cards", "copy": "copies", "different card": "different cards"}
_SINGULAR_ENDINGS = {"ies": "y", "sses": "ss", "ches": "ch", "shes": "sh", "xes": "x"}


def count_words(count: Value, unit: str = "card") -> str:
    """Return a count in words.

    unit: `card`, `copy`, `different card`, or a format's own plural or mass noun

    >>> [count_words(1), count_words(0), count_words(5, "copy"), count_words(12, "influence")]
    ['1 card', 'no cards', '5 copies', '12 influence']
    >>> [count_words(1, "base creatures"), count_words(0, "in all")]
    ['1 base creature', '0 in all']
    """
    is_whole = isinstance(count, int)
    word = _PLURALS.get(unit, unit)
    if is_whole and count == 1:
        word = unit if unit in _PLURALS else _singular(unit)
    return f"{'no' if is_whole and count == 0 and unit != SUM else text_of(count)} {word}"


def _singular(noun: str) -> str:
    """Return the singular of an English plural: `pilots`, `copies`, `classes`. Mass nouns stay."""
    for ending, singular in _SINGULAR_ENDINGS.items():
        if noun.endswith(ending):
            return noun.removesuffix(ending) + singular
    return noun if noun.endswith(("ss", "us", "is")) else noun.removesuffix("s")
