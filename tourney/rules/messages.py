"""A rule's own words for a finding: text with holes in braces, each hole an expression.

`{have}`, `{allowed}` and `{card}` are known to every rule; `{{` is a brace.
"""

from __future__ import annotations

import re
from collections.abc import Callable

GIVEN = frozenset({"have", "allowed", "card", "zone"})

_PART = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")


class MessageError(Exception):
    """A message's braces do not match, or a hole is empty."""


def holes(text: str) -> tuple[str, ...]:
    """Return the expressions in a message's holes, without those every rule knows. Raises MessageError."""
    found = []
    for part in _PART.finditer(text):
        if part[0] in {"{", "}"}:
            raise MessageError(
                f"column {part.start() + 1}: a brace without its partner (write `{part[0] * 2}` for a brace)"
            )
        if part[0] not in {"{{", "}}"}:
            if not part[1].strip():
                raise MessageError(f"column {part.start() + 1}: nothing between the braces")
            found.append(part[1].strip())
    return tuple(hole for hole in found if hole not in GIVEN)


def given(text: str) -> frozenset[str]:
    """Return which of the holes that every rule knows a message has. Raises MessageError."""
    holes(text)
    return frozenset(part[1].strip() for part in _PART.finditer(text) if part[1]) & GIVEN


def fill(text: str, said: Callable[[str], str]) -> str:
    """Put what `said` gives for each hole into the message."""

    def put(part: re.Match[str]) -> str:
        if part[0] in {"{{", "}}"}:
            return part[0][0]
        return said(part[1].strip())

    return _PART.sub(put, text)
