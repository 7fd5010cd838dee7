"""Bounds: a number held against `min`, `max` or `exactly`, and the words for it."""

from __future__ import annotations

import math

import msgspec

from tourney.rules.expressions import NONE, UNKNOWN, Truth, Value, text_of
from tourney.rules.expressions.binding import Asked
from tourney.rules.expressions.operators import at_most, equal
from tourney.rules.expressions.values import Edge, edges
from tourney.rules.slots import View


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

    least: Asked | None = None
    most: Asked | None = None
    exactly: Asked | None = None

    def __bool__(self) -> bool:
        return any(bound is not None for bound in (self.least, self.most, self.exactly))

    @property
    def is_floor(self) -> bool:
        """Whether there is nothing but a minimum."""
        return self.least is not None and self.most is None and self.exactly is None

    def broken(self, count: Value, view: View) -> Broken | Truth | None:
        """Return the bound that `count` breaks, None if all are kept, UNKNOWN if nobody can say."""
        doubt = False
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
            doubt = doubt or held is UNKNOWN
        return UNKNOWN if doubt else None


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
