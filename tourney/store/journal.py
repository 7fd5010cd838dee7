"""The interface for the storage of an event: its entries, their texts, and the secret.

Other packages use only `Journal`. `event_file` stores an event in a file, and `postgres` stores it in a
database. An `EventPlace` is the path or address of an event, and opens its journal. Each computer or program
that writes to an event is called a desk.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self, TypeVar

from msgspec import Struct

from tourney.document import Document
from tourney.errors import TourneyError

if TYPE_CHECKING:  # only for start-up time
    from tourney.event.entry import JournalRow, Text
    from tourney.event.ops import Ref

SHORT = 2048
"""The maximum size of a short text (a name, a reason) in bytes.

Short texts are read all at once, longer texts only on request. The longest reason has 500 characters of four
bytes.
"""

SECRET_BYTES = 32
"""The number of bytes of an event's secret."""

BACKUPS = ".tourney-backups"
"""The name of the folder beside an event that holds its copies."""

PATIENCE = 60.0
"""How many seconds a writer or reader waits for its turn before it is refused."""

REPORT_AFTER, REPORT_EVERY = 1.0, 10.0
"""The seconds before the first call of a `Waiting` function, and between two calls."""

Waiting = Callable[[float], None]
"""A function that is called, with the seconds waited so far, while another desk writes."""

GRANTED = "ask the database's owner to run `GRANT tourney_desk TO …` for this login"
"""The hint for a login that is not allowed to open an event or to write to it."""

T = TypeVar("T")


class AwayError(TourneyError):
    """The database cannot be reached.

    Nothing was changed, and everything that was read earlier stays valid.
    """


class ShutOutError(AwayError):
    """The database answers, but refuses this login or its access to the event."""


class Closing(ABC):
    """Something that is closed at the end of a `with` block."""

    @abstractmethod
    def close(self) -> None:
        """Release the file or the connection."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class StoredEvent(NamedTuple):
    """Everything in an event.

    secret: None in a copy without the secret
    erased: see `Journal.erased`
    """

    rows: list[JournalRow]
    texts: list[Text]
    secret: bytes | None
    erased: frozenset[Ref] = frozenset()


class EventPlace(ABC):
    """The place where an event is stored: a file, or a name in a database."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The event's name in messages: `friday.tourney`, `pg:friday`."""

    @property
    @abstractmethod
    def stem(self) -> str:
        """The name of the event in the names of its copies, exports and sheets: `friday`."""

    @property
    def file(self) -> Path | None:
        """The path of the event's file; None in a database."""
        return None

    @abstractmethod
    def __str__(self) -> str:
        """Return the event's name as a user enters it after `-e`, without connection settings."""

    @property
    def folder(self) -> Path:
        """The folder of the event's file; the current folder if the event is in a database."""
        return self.file.absolute().parent if self.file else Path.cwd()

    @property
    def backup_folder(self) -> Path:
        """The folder for the event's copies; it may not exist."""
        return self.folder / BACKUPS

    def make_backup_folder(self) -> int:
        """Create the folder for the event's copies, if needed, and return the mode of its files.

        Users who can read the event can read its copies. Only the current user can read those of an event in
        a database. Raises OSError if the folder cannot be created.
        """
        mode = self.file.stat().st_mode & 0o666 if self.file else 0o600
        self.backup_folder.mkdir(exist_ok=True, mode=0o700 | mode & 0o066 | (mode & 0o044) >> 2)
        return mode

    @abstractmethod
    def open(self, *, waiting: Waiting | None = None) -> Journal:
        """Open the event. `waiting` is called while another program locks it.

        Raises TourneyError if the event cannot be opened.
        """

    @abstractmethod
    def begin(self, content: StoredEvent, begun: Callable[[Journal], T]) -> T:
        """Create the event in this file or database, and return the result of `begun`.

        begun: a function that is called with the new journal before the commit; if it raises an exception,
               nothing is created

        Raises TourneyError if the name already exists, or if an event cannot be created here.
        """

    @abstractmethod
    def refuse_taken(self) -> None:
        """Raise TourneyError if an event cannot be created at this path or address.

        The reason can be that the name already exists, or that the folder does not exist.
        """

    def warnings(self) -> tuple[str, ...]:
        """Return warnings about where the event is stored, such as in a synchronized folder.

        In such a folder, two computers can damage the event's file.
        """
        return ()

    @abstractmethod
    def looking(self) -> AbstractContextManager[Callable[[], object]]:
        """Provide a function whose result changes with each new entry of the event.

        Callers poll it, that is, call it again and again. It returns None while the event does not exist. It
        raises TourneyError if a database cannot be reached.
        """


class EventRow(Struct, frozen=True):
    """An event in a list of events.

    event: its file, or its name in the database
    entries: the number of its entries
    last: when the last entry was written; empty if there are no entries
    fault: why the event cannot be read; null if it can
    """

    event: str
    entries: int
    last: str
    fault: str | None


class EventList(Document, frozen=True, tag="tourney.events/1"):
    """What `tourney event list --json` prints.

    events: the events, sorted by name
    """

    events: tuple[EventRow, ...]


class Listening(Closing):
    """Waits for new entries of an event, until it is closed."""

    @abstractmethod
    def wait(self, seconds: float) -> bool:
        """Wait up to `seconds`, and return whether the event may have new entries.

        Also returns True if a lost connection was restored. Raises AwayError if the database cannot be
        reached.
        """


class Journal(Closing):
    """An open event. Its entries, texts and secret are bytes that `tourney.event` interprets.

    A desk (a computer or program that writes to the event) reads the entries and decides what to write
    without a lock. It then appends its entries on the condition that the journal still ends with the last
    entry that the desk has read (`append`). During a `turn`, other desks cannot write.

    Entries refer to a text by the digest of its salt and bytes (its ref). Therefore the salt and bytes can be
    deleted, and the chain of the entries' digests stays intact.

    Every method raises TourneyError, and writes nothing, if the event cannot be read or written.
    """

    place: EventPlace
    """The file or database that stores the event."""

    # -- reading

    @abstractmethod
    def rows(self, after: int = 0) -> list[JournalRow]:
        """Return the entries after entry `after`, oldest first, as they were written.

        Checks that no entry is missing at the end. `tourney.event.entry.read` checks the chain of digests.
        """

    @abstractmethod
    def short_texts(self, among: Collection[Ref] | None = None) -> dict[Ref, str | None]:
        """Return ref → text for the texts of up to `SHORT` bytes.

        A text is None if it was deleted by request, and `DAMAGED` if it is damaged.

        among: the refs of the texts that are needed. Without it, all short texts are returned. The result can
               contain more texts than these
        """

    @abstractmethod
    def text(self, ref: Ref) -> str | None:
        """Return a text; None if it was deleted by request. Raises TourneyError if it is damaged."""

    @abstractmethod
    def texts(self) -> Iterable[Text]:
        """Return every text, sorted by ref, without checking its digest.

        The salt and the bytes of a deleted text are None.
        """

    @abstractmethod
    def stored_refs(self, refs: Collection[Ref]) -> frozenset[Ref]:
        """Return the refs in `refs` whose text exists and was not deleted."""

    @abstractmethod
    def deleted_refs(self) -> frozenset[Ref]:
        """Return the refs of the texts that were deleted by request."""

    @abstractmethod
    def secret(self) -> bytes | None:
        """Return the event's secret; None in a copy without the secret."""

    def content(self) -> StoredEvent:
        """Return everything in the event."""
        return StoredEvent(self.rows(), list(self.texts()), self.secret(), self.erased())

    # -- writing

    @abstractmethod
    def turn(self) -> AbstractContextManager[None]:
        """Let only this program write to the event during the `with` block; first wait for others.

        After the block, everything that was written in it is durable. If the block raises an exception,
        nothing is written. Reads inside the block include what the block has written.
        """

    @abstractmethod
    def append(
        self, after: int, rows: Sequence[JournalRow], texts: Iterable[Text] = (), erased: Iterable[Ref] = ()
    ) -> bool:
        """If the journal ends with entry `after`, append `rows` and `texts`, and return True.

        Otherwise write nothing and return False. Outside a `turn` block, this method opens one itself, so
        that the entries are durable when it returns True. A text that is already stored is not changed.

        texts:  texts to store, to which the entries refer
        erased: refs of texts to delete (their bytes and salt) in the same turn
        """

    @abstractmethod
    def restore_texts(self, texts: Iterable[Text]) -> bool:
        """Restore texts that are damaged or missing in this journal; return whether any were.

        texts: copies of the journal's texts; their digests have been checked
        """

    # -- maintenance

    @abstractmethod
    def copy_to(self, path: Path) -> None:
        """Copy the event, as it is at one moment, to an event file.

        Other programs must not open the file before this method returns.
        """

    def erased(self) -> frozenset[Ref]:
        """Return the refs (digests) of the texts that were deleted from this copy of the event.

        Such a deletion adds no entry to the journal. An event that is made from the copy keeps the refs.
        """
        return frozenset()

    def compact(self) -> None:
        """Remove deleted texts from unused space in the storage."""
        return

    def others_holding(self, refs: Collection[Ref]) -> tuple[str, ...]:
        """Return the names of other events in the same database that have any of these texts."""
        del refs
        return ()

    def not_compacted(self) -> tuple[str, ...]:
        """Return warnings about storage that may still contain deleted texts after `compact`."""
        return ()

    def damage(self) -> list[str]:
        """Check the storage of the event, and return its faults in words."""
        return []

    def has_moved(self) -> bool:
        """Return whether another file, such as a restored copy, has replaced the event's file.

        The event must then be opened again. Always False in a database. Raises TourneyError if the file no
        longer exists.
        """
        return False

    def listen(self) -> Listening | None:
        """Start to listen for new entries; return None if the storage does not support it.

        The result can be used in another thread.
        """
        return None
