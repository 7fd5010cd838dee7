"""What an event is kept in: entries that only grow, texts beside them by their digests, and the secret.

`Journal` is all that the rooms above know of it. An event file is one (`event_file`); whatever else is to keep events is
another, and nothing above has to learn of it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from tourney.event.entry import JournalRow, Text
from tourney.event.ops import Ref

SHORT = 2048
"""Texts up to that many bytes (names, reasons) are read all at once; longer ones when they are asked for.

The longest reason has 500 characters of four bytes.
"""

SECRET_BYTES = 32
"""Bytes of an event's secret."""

Waiting = Callable[[float], None]
"""Is told, after a second and then every ten, for how many seconds the event has been waited for."""


class Journal(Protocol):
    """An open event. It knows entries, texts and the secret as bytes; what they mean is the business of `tourney.event`.

    Everybody reads, folds and decides without a lock, and appends on the condition that the journal still ends where it
    was read (`append`); `turn` keeps others from writing while that is looked at. A text is named by the digest of its
    salt and bytes, and the entries hold only that name: so its salt and bytes can be deleted, and the chain holds.

    Every method raises TourneyError where the event cannot be read, or written; nothing is written then.
    """

    path: Path
    """What the event is called in messages, and beside what its copies, exports and pages lie."""

    # -- reading

    def rows(self, after: int = 0) -> list[JournalRow]:
        """Return the entries after the number `after`, oldest first, as they were written.

        That none is missing at the end is checked here; their chain is checked by `tourney.event.entry.read`.
        """

    def short_texts(self, among: Collection[Ref] | None = None) -> dict[Ref, str | None]:
        """Return all texts of up to `SHORT` bytes; None for those deleted by request, `DAMAGED` for the damaged ones.

        among: these at least, of whatever others there are; None: all
        """

    def text(self, ref: Ref) -> str | None:
        """Return a text; None if it was deleted by request. Raises TourneyError if it is missing or altered."""

    def texts(self) -> Iterator[tuple[Ref, bytes | None, bytes | None]]:
        """Yield every text as (ref, salt, bytes), in order of ref, unchecked; salt and bytes are None once deleted."""

    def held(self, refs: Collection[Ref]) -> frozenset[Ref]:
        """Return those of `refs` whose texts are here and were not deleted."""

    def gone(self) -> frozenset[Ref]:
        """Return the texts that were deleted by request."""

    def secret(self) -> bytes | None:
        """Return the event secret; None in a copy that was made without it."""

    # -- writing

    def turn(self) -> AbstractContextManager[None]:
        """Wait until nobody else writes, and keep it so; what is written within is there for good at the end, or none of it.

        What is read within is the event as it stands, with what was written within.
        """

    def append(
        self, after: int, rows: Sequence[JournalRow], texts: Iterable[Text] = (), erased: Iterable[Ref] = ()
    ) -> bool:
        """Append `rows` and the texts that they name if the journal still ends with entry `after`; return whether it did.

        Outside a `turn` it takes one: when this returns True the entries are there for good. A text that is there already
        stays as it is. erased: texts whose bytes and salt are deleted in the same turn.
        """

    def mend(self, texts: Iterable[Text]) -> bool:
        """Put texts of the event right where they are damaged or missing; return whether any was. Each fits its digest: the event says no more than before."""

    # -- keeping it

    def copy_to(self, path: Path) -> None:
        """Write the event as it stands at one moment into an event file; nobody else is to open it before this returns."""

    def close(self) -> None:
        """Let go of the event."""

    def erased(self) -> frozenset[Ref]:
        """Return the texts that were deleted from this copy because they were deleted from the event."""
        return frozenset()

    def compact(self) -> None:
        """Leave nothing of deleted texts in places that are not used any more."""

    def damage(self) -> list[str]:
        """Return what a check of how the event is stored has to say; empty where all is well."""
        return []
