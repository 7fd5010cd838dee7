"""Texts kept apart from the chain: what is personal, and the rules, each under its salted digest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import NamedTuple

from tourney.event.ops import Ref

SALT_BYTES = 16
"""Salt of a personal text: without it nobody can tell from a ref whether a guessed name is behind it."""


class Text(NamedTuple):
    """A text and its name in entries. salt: empty for rules, whose digest is to be compared by anybody."""

    ref: Ref
    salt: bytes
    content: bytes


Texts = Mapping[Ref, str | None]
"""Texts by ref; None for those deleted by request, `DAMAGED` for those that are not as they were written, or missing."""


class Damaged(str):
    """What is shown in the place of a text that is damaged; no text that anybody typed is one."""

    __slots__ = ()


DAMAGED = Damaged("(damaged)")


def ref_of(content: bytes, salt: bytes) -> Ref:
    """Return the name of a text: SHA-256 of salt + bytes, in hexadecimal."""
    return Ref(sha256(salt + content).hexdigest())


def intact(ref: object, salt: object, content: object) -> bool:
    """Say whether a text as it lies in a file fits its digest; one that was deleted by request has neither salt nor bytes."""
    if content is None and salt is None:
        return True
    return isinstance(salt, bytes) and isinstance(content, bytes) and ref_of(content, salt) == ref


def sealed(content: str, randomness: Callable[[int], bytes]) -> Text:
    """Return a personal text under a fresh salt."""
    salt, raw = randomness(SALT_BYTES), content.encode()
    return Text(ref_of(raw, salt), salt, raw)


def plain(content: bytes) -> Text:
    """Return a text that is not personal (a rule file), without salt."""
    return Text(ref_of(content, b""), b"", content)


class Sealing:
    """Seals the personal texts of one change, and keeps them to be written with its entry.

    The same text of the same kind gives the same ref, so that deciding a second time writes nothing twice; kinds
    keep a player's name apart from a club that is called the same.
    """

    def __init__(self, randomness: Callable[[int], bytes]) -> None:
        self._randomness = randomness
        self._sealed: dict[tuple[str, str], Text] = {}
        self._plain: dict[Ref, Text] = {}

    def __call__(self, content: str, kind: str = "") -> Ref:
        """Return the ref of a text, sealing it if it is new."""
        if (kind, content) not in self._sealed:
            self._sealed[kind, content] = sealed(content, self._randomness)
        return self._sealed[kind, content].ref

    def maybe(self, content: str | None, kind: str = "") -> Ref | None:
        """Seal a text if there is one."""
        return self(content, kind) if content else None

    def keep(self, text: Text) -> Ref:
        """Take a text that is not personal along."""
        self._plain[text.ref] = text
        return text.ref

    @property
    def texts(self) -> tuple[Text, ...]:
        """Everything sealed and kept so far."""
        return (*self._sealed.values(), *self._plain.values())
