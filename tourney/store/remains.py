"""What can still be read of an event that may be damaged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from tourney.event.entry import JournalRow, Text, intact
from tourney.event.ops import Ref


@dataclass(frozen=True, slots=True, kw_only=True)
class Remains:
    """What can still be read of an event that may be damaged. Nothing of it is proved, except that texts have their digest.

    last:    number and digest of the last entry, as the event says; None if it does not say
    texts:   those that have the digest they are kept under; deleted: those without bytes, as if deleted by request
    erased:  see `Journal.erased`
    without_secret: whether it is a copy made without the secret
    """

    name: str
    rows: Mapping[int, JournalRow] = field(default_factory=dict)
    texts: Mapping[Ref, Text] = field(default_factory=dict)
    deleted: frozenset[Ref] = frozenset()
    erased: frozenset[Ref] = frozenset()
    secret: bytes | None = None
    last: tuple[int, str] | None = None
    without_secret: bool = False

    @property
    def written(self) -> int | None:
        """How many entries the event had; None if it does not say."""
        return self.last[0] if self.last else None

    @classmethod
    def of(
        cls,
        name: str,
        rows: Iterable[tuple[Any, ...]],
        texts: Iterable[tuple[Any, ...]],
        heads: Iterable[tuple[Any, ...]],
        secrets: Iterable[tuple[Any, ...]],
        **others: Any,
    ) -> Self:
        """Return what the rows of the four tables say, leaving out values of a wrong type.

        rows: (seq, at, by, op, digest); texts: (digest, salt, bytes); heads: (seq, digest). Words are bytes, as damaged
        words need not be UTF-8.
        """
        whole, deleted = {}, set()
        for ref, salt, content in texts:
            if isinstance(ref, bytes) and intact(known := Ref(_word(ref)), salt, content):
                if content is None:
                    deleted.add(known)
                else:
                    whole[known] = Text(known, salt, content)
        return cls(
            rows={
                seq: JournalRow(seq, _word(at), _word(by), op, _word(digest))
                for seq, at, by, op, digest in rows
                if isinstance(seq, int) and all(isinstance(value, bytes) for value in (at, by, op, digest))
            },
            texts=whole,
            deleted=frozenset(deleted),
            secret=next((secret for (secret,) in secrets if isinstance(secret, bytes)), None),
            last=next(
                (
                    (seq, _word(digest))
                    for seq, digest in heads
                    if isinstance(seq, int) and isinstance(digest, bytes)
                ),
                None,
            ),
            name=name,
            **others,
        )


def _word(raw: bytes) -> str:
    return raw.decode(errors="replace")
