"""Printings of a card, and which of them may be played with."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from fractions import Fraction
from types import MappingProxyType

import msgspec

_EMPTY: Mapping[str, str | int | Fraction | bool] = MappingProxyType({})


class Status(IntEnum):
    """Whether a printing is the version this pool plays with; the lower, the better."""

    CURRENT = 0
    OUTDATED = 1  # another version of the card: older, or of another era than the pool's
    MISPRINT = 2

    @property
    def word(self) -> str:
        """The word written in pool files and messages."""
        return self.name.lower()


STATUS_WORDS: Mapping[str, Status] = MappingProxyType({status.word: status for status in Status})


class Printing(msgspec.Struct, frozen=True, kw_only=True):
    """One printing: the set's code, the collector's number and its own id where there are such.

    released: ISO date or year as text; note: what the source says; attributes: anything else the pool wrote
    """

    set: str
    number: str | None = None
    id: str | None = None
    status: Status = Status.CURRENT
    released: str | None = None
    note: str | None = None
    attributes: Mapping[str, str | int | Fraction | bool] = msgspec.field(default_factory=lambda: _EMPTY)

    def get(self, attribute: str) -> str | int | Fraction | bool | None:
        """Return an attribute of the printing (`set`, `number`, `id`, `status`, `released`, own ones), else None."""
        if attribute in self.attributes:
            return self.attributes[attribute]
        if attribute == "status":
            return self.status.word
        return getattr(self, attribute) if attribute in _OWN else None


_OWN = frozenset({"set", "number", "id", "released"})
