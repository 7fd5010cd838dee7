"""Texts kept apart from the chain: what is personal, and the rules, each under its salted digest."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import NamedTuple

from tourney.event.parts import Ref

SALT_BYTES = 16
"""Salt of a personal text: without it nobody can tell from a ref whether a guessed name is behind it."""


class Text(NamedTuple):
    """A text and its name in entries. salt: empty for rules, whose digest is to be compared by anybody."""

    ref: Ref
    salt: bytes
    content: bytes


Lookup = Callable[[Ref], str | None]
"""Gives the text of a ref; None where it was deleted by request."""


def ref_of(content: bytes, salt: bytes) -> Ref:
    """Return the name of a text: SHA-256 of salt + bytes, in hexadecimal."""
    return Ref(sha256(salt + content).hexdigest())


def sealed(content: str, randomness: Callable[[int], bytes]) -> Text:
    """Return a personal text under a fresh salt."""
    salt, raw = randomness(SALT_BYTES), content.encode()
    return Text(ref_of(raw, salt), salt, raw)


def plain(content: bytes) -> Text:
    """Return a text that is not personal (a rule file), without salt."""
    return Text(ref_of(content, b""), b"", content)
