"""The interface for the storage of an event: its entries, their texts, and the secret.

Other packages use only `Journal`. `event_file` stores an event in a file, `postgres` in a database. An `EventPlace` is the
path or address of an event, and opens its journal.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, Self, TypeVar

from tourney.errors import TourneyError

if TYPE_CHECKING:  # only for start-up time
    from datetime import datetime

    from tourney.event.entry import JournalRow, Text
    from tourney.event.ops import Ref

SHORT = 2048
"""Texts up to that many bytes (names, reasons) are read together; longer ones only on request.

The longest reason has 500 characters of four bytes.
"""

SECRET_BYTES = 32
"""Bytes of an event's secret."""

PATIENCE = 60.0
"""Seconds for which a writer or reader waits for its turn before it is refused."""

REPORT_AFTER, REPORT_EVERY = 1.0, 10.0
"""Seconds after which `Waiting` is called for the first time, and between two calls."""

Waiting = Callable[[float], None]
"""Called with the seconds waited so far while another desk writes."""

GRANTED = "the database's owner grants it: `GRANT tourney_desk TO …`"
"""The hint for a login that may not open an event, or not write to it."""

T = TypeVar("T")


class AwayError(TourneyError):
    """The database cannot be reached. Nothing was changed, and what was read before is valid."""


class ShutOutError(AwayError):
    """The database answers, but it refuses this login, or access to the event."""


class EventPlace(ABC):
    """The place of an event: a file, or a name in a database."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The event in messages: `friday.tourney`, `pg:friday`."""

    @property
    @abstractmethod
    def stem(self) -> str:
        """The name for its copies, exports and sheets: `friday`."""

    @property
    def file(self) -> Path | None:
        """Its path; None in a database."""
        return None

    @abstractmethod
    def __str__(self) -> str:
        """Return what names it after `-e`; nothing of a database's connection settings."""

    @property
    def folder(self) -> Path:
        """The folder for its copies: the file's, or the current folder for a database."""
        return self.file.absolute().parent if self.file else Path.cwd()

    @abstractmethod
    def open(self, *, waiting: Waiting | None = None) -> Journal:
        """Open the event. `waiting` is called while another program locks it. Raises TourneyError."""

    @abstractmethod
    def begin(
        self,
        rows: Sequence[JournalRow],
        texts: Iterable[Text],
        secret: bytes | None,
        begun: Callable[[Journal], T],
        *,
        erased: Collection[Ref] = (),
    ) -> T:
        """Create an event there with its first entries, all or nothing; return what `begun` returns.

        erased: see `Journal.erased`. `begun` receives the journal before the commit; if it raises, nothing is created.
        Raises TourneyError if the name exists, or nothing can be created there.
        """

    @abstractmethod
    def refuse_taken(self) -> None:
        """Raise TourneyError if no event can be created: the name exists, or there is no folder."""

    def warnings(self) -> tuple[str, ...]:
        """Return warnings about the place: a folder in which two computers may spoil the file."""
        return ()

    @abstractmethod
    def looking(self) -> AbstractContextManager[Callable[[], object]]:
        """Provide a function whose value changes with every entry.

        It returns None while the event does not exist. It raises TourneyError if a database cannot be asked.
        """


class Listed(NamedTuple):
    """An event of a folder or a database.

    entries:  the number of its entries
    last:     the time of the last entry, from the entry itself
    made_by:  in a database, the version of tourney that created it
    created:  in a database, the server's time when it was created
    fault:    why the event cannot be read; empty if it can
    """

    name: str
    entries: int
    last: str
    made_by: str = ""
    created: datetime | None = None
    fault: str = ""


class Listening(Protocol):
    """Waits for new entries of an event."""

    def wait(self, seconds: float) -> bool:
        """Wait up to `seconds`; return whether the event may have grown.

        It may have grown, too, after a lost connection was restored. Raises AwayError while the database is away.
        """

    def close(self) -> None:
        """Stop listening."""


class Journal(ABC):
    """An open event. Its entries, texts and secret are bytes that `tourney.event` interprets.

    Every desk reads, folds and decides without a lock, and appends on the condition that the journal still ends where it
    was read (`append`). A `turn` keeps others from writing meanwhile. A text is named by the digest of its salt and bytes,
    and the entries hold only that name: its salt and bytes can be deleted, and the chain of digests still holds.

    Every method raises TourneyError if the event cannot be read or written; then nothing was written.
    """

    place: EventPlace
    """Where the event is kept."""

    # -- reading

    @abstractmethod
    def rows(self, after: int = 0) -> list[JournalRow]:
        """Return the entries after the number `after`, oldest first, as they were written.

        Checks that none is missing at the end; `tourney.event.entry.read` checks their chain.
        """

    @abstractmethod
    def short_texts(self, among: Collection[Ref] | None = None) -> dict[Ref, str | None]:
        """Return the texts of up to `SHORT` bytes.

        A text is None if it was deleted by request, and `DAMAGED` if it is damaged.

        among: the texts that are needed (others may be returned, too); None: all
        """

    @abstractmethod
    def text(self, ref: Ref) -> str | None:
        """Return a text; None if it was deleted by request. Raises TourneyError if it is damaged."""

    @abstractmethod
    def texts(self) -> Iterable[tuple[Ref, bytes | None, bytes | None]]:
        """Return every text as (ref, salt, bytes), sorted by ref and unchecked.

        Salt and bytes of a deleted text are None.
        """

    @abstractmethod
    def held(self, refs: Collection[Ref]) -> frozenset[Ref]:
        """Return those of `refs` whose texts exist and were not deleted."""

    @abstractmethod
    def gone(self) -> frozenset[Ref]:
        """Return the texts that were deleted by request."""

    @abstractmethod
    def secret(self) -> bytes | None:
        """Return the event secret; None in a copy that was made without it."""

    # -- writing

    @abstractmethod
    def turn(self) -> AbstractContextManager[None]:
        """Wait until no other desk writes, and keep others from writing.

        At the end, everything that was written within the turn is durable; after an exception, nothing was written. Reading
        within a turn includes what was written within it.
        """

    @abstractmethod
    def append(
        self, after: int, rows: Sequence[JournalRow], texts: Iterable[Text] = (), erased: Iterable[Ref] = ()
    ) -> bool:
        """Append `rows` and their texts, and return True, if the journal ends with entry `after`.

        Otherwise nothing is written, and it returns False. Outside a `turn` it takes one: when this returns True the entries are durable. A text that exists already stays as
        it is. erased: texts whose bytes and salt are deleted in the same turn.
        """

    @abstractmethod
    def mend(self, texts: Iterable[Text]) -> bool:
        """Restore damaged or missing texts; return whether there were any.

        texts: their digests have been checked
        """

    # -- keeping it

    @abstractmethod
    def copy_to(self, path: Path) -> None:
        """Write the event at one moment to an event file.

        Other programs must not open the file before this returns.
        """

    @abstractmethod
    def close(self) -> None:
        """Release the file or the connection."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def erased(self) -> frozenset[Ref]:
        """Return the texts that were deleted from this copy only, without an entry that says so."""
        return frozenset()

    def compact(self) -> None:
        """Remove deleted texts from unused places of the storage."""
        return

    def others_holding(self, refs: Collection[Ref]) -> tuple[str, ...]:
        """Return the names of other events of the same database that have any of these texts."""
        del refs
        return ()

    def not_compacted(self) -> tuple[str, ...]:
        """Return warnings about places with deleted texts that `compact` perhaps does not reach."""
        return ()

    def damage(self) -> list[str]:
        """Check how the event is stored; return the faults in words."""
        return []

    def has_moved(self) -> bool:
        """Return whether another event has taken its place and must be opened.

        Raises TourneyError if its place is empty.
        """
        return False

    def listen(self) -> Listening | None:
        """Start to listen for entries of others; None if the storage does not support it.

        The result can be used in another thread.
        """
        return None
