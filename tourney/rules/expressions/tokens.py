"""Text of an expression → words, each with its column."""

from __future__ import annotations

import re

import msgspec

LONGEST = 2_000
"""Letters in one expression; a longer one is refused."""

_TOKEN = re.compile(
    r"""(?P<space>\s+)
      | (?P<number>\d+(?:\.\d+)?(?![\w.]))
      | (?P<word>[^\W\d]\w*)
      | (?P<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
      | (?P<sign>==|!=|<=|>=|//|[-+*%<>()\[\],.])""",
    re.VERBOSE,
)
_MEANT = {
    "=": "to compare, write `==`",
    "!": "write `not`",
    "&": "write `and`",
    "|": "write `or`",
    "/": "to divide, write `//` (rounded down)",
    "'": "the text is not closed: a `'` is missing",
    '"': 'the text is not closed: a `"` is missing',
    "{": "lists are written `['a', 'b']`",
    "@": "",
}


class ExpressionError(Exception):
    """An expression is not in the language. `at` is the column, from 1; `reason` says what should be there."""

    def __init__(self, reason: str, at: int) -> None:
        super().__init__(f"column {at}: {reason}")
        self.reason = reason
        self.at = at


class Token(msgspec.Struct, frozen=True):
    """One word of an expression. kind: `number`, `word`, `text`, `sign` or `end`."""

    kind: str
    text: str
    at: int


def tokens(text: str) -> list[Token]:
    """Split an expression into words, the last one of kind `end`. Raises ExpressionError."""
    if len(text) > LONGEST:
        raise ExpressionError(
            f"the expression has {len(text):,} letters, at most {LONGEST:,} are read", LONGEST
        )
    found: list[Token] = []
    place = 0
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise _foreign(text, place)
        if match.lastgroup and match.lastgroup != "space":
            found.append(Token(match.lastgroup, match[0], place + 1))
        place = match.end()
    return [*found, Token("end", "", len(text) + 1)]


def _foreign(text: str, place: int) -> ExpressionError:
    letter = text[place]
    if letter.isdigit():
        return ExpressionError("numbers are written `3` or `2.5`", place + 1)
    meant = _MEANT.get(letter, "")
    return ExpressionError(meant or f"`{letter}` is not in the language", place + 1)


def unquoted(text: str) -> str:
    """Take the quotes off a text and the backslashes out of it."""
    return re.sub(r"\\(.)", r"\1", text[1:-1])
