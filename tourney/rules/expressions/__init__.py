"""The language of conditions, weights and bounds in formats and ban lists.

`language` turns text into a tree and checks it · `values` and `deck` define the values and the cards that are
asked · `evaluate` turns a tree into a function · `describing` explains an answer in words.
"""

from tourney.cards.card import NONE
from tourney.rules.expressions.deck import FUNCTIONS
from tourney.rules.expressions.evaluate import Meaning, bind, bind_weight, is_single
from tourney.rules.expressions.language import (
    About,
    ExpressionError,
    Scope,
    check,
    check_definitions,
    parse,
)
from tourney.rules.expressions.values import Interval, Span, Truth, Unknown, Value, causes_of, text_of, truth

__all__ = [
    "FUNCTIONS",
    "NONE",
    "About",
    "ExpressionError",
    "Interval",
    "Meaning",
    "Scope",
    "Span",
    "Truth",
    "Unknown",
    "Value",
    "bind",
    "bind_weight",
    "causes_of",
    "check",
    "check_definitions",
    "is_single",
    "parse",
    "text_of",
    "truth",
]
