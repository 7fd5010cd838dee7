"""The expression language of `where`, `when`, `weigh`, `max`: small, closed, three-valued.

`check` reads and checks a text when a format is loaded, `bind` makes it a function once a pool is known.

`language.py` text to tree, and what a tree may say where · `values.py` what can be known of an answer · `deck.py` the deck
that is asked, and counting in it · `evaluate.py` tree to function · `describing.py` why it holds, in words.
"""

from tourney.cards.card import NONE
from tourney.rules.expressions.evaluate import Meaning, bind, bind_weight, is_single
from tourney.rules.expressions.language import (
    FUNCTIONS,
    About,
    ExpressionError,
    Surroundings,
    check,
    check_defines,
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
    "Span",
    "Surroundings",
    "Truth",
    "Unknown",
    "Value",
    "bind",
    "bind_weight",
    "causes_of",
    "check",
    "check_defines",
    "is_single",
    "parse",
    "text_of",
    "truth",
]
