"""What an event is kept in: entries that only grow, texts beside them by their digests, and the secret.

`Journal` is all that the rooms above know of it. An event file is one (`event_file`), an event in a database another
(`postgres`); which, is said by where it lies, a path or an address, and nothing above has to learn of it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from tourney.errors import TourneyError

if TYPE_CHECKING:
    from datetime import datetime

    from tourney.event.entry import JournalRow, Text
    from tourney.event.ops import Ref

SHORT = 2048
"""Texts up to that many bytes (names, reasons) are read all at once; longer ones when they are asked for.

The longest reason has 500 characters of four bytes.
"""

SECRET_BYTES = 32
"""Bytes of an event's secret."""

Waiting = Callable[[float], None]
"""Called with the seconds waited so far while another desk writes: after one second, then every ten."""


GRANTED = "the database's owner grants it: `GRANT tourney_desk TO …`"
"""The hint for a login that may not open an event, or not write to it."""

T = TypeVar("T")


class AwayError(TourneyError):
    """The database cannot be reached just now: nothing was changed, and what was read before stands."""


class ShutOutError(AwayError):
    """The database answers, but refuses this login or keeps the event from it: the message says which."""


class EventPlace(ABC):
    """Where an event lies, and so what it is kept in: a file, or a database."""

    @property
    @abstractmethod
    def name(self) -> str:
        """What messages call it: `friday.tourney`, `pg:friday`."""

    @property
    @abstractmethod
    def stem(self) -> str:
        """What its copies, exports and sheets are called after: `friday`."""

    @property
    def file(self) -> Path | None:
        """Its path; None in a database."""
        return None

    @abstractmethod
    def __str__(self) -> str:
        """Return what names it after `-e`; of a database nothing of how one gets there."""

    @property
    def folder(self) -> Path:
        """Where its copies lie, and from where its folders and files are named: the file's, for a database the current one."""
        return self.file.absolute().parent if self.file else Path.cwd()

    @abstractmethod
    def open(self, *, waiting: Waiting | None = None) -> Journal:
        """Open the event that lies there. waiting: is told while somebody else has it. Raises TourneyError."""

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
        """Make an event there with its first entries, all or nothing; return what `begun` makes of it.

        erased: see `Journal.erased`. `begun` looks at the journal before it is there for good; what it raises takes it back. Raises TourneyError where
        something of that name is there, or nothing can be made.
        """

    @abstractmethod
    def refuse_taken(self) -> None:
        """Raise TourneyError where no event can be made: something of that name is there, or there is no folder."""

    def warnings(self) -> tuple[str, ...]:
        """Return what should be said of where an event is to lie: a folder that two computers may spoil it in."""
        return ()

    @abstractmethod
    def looking(self) -> AbstractContextManager[Callable[[], object]]:
        """Give what may be asked now and then for what changes with every entry; it answers None while the event is not there.

        It raises TourneyError where a database cannot be asked.
        """


class Listed(NamedTuple):
    """An event of a folder or a database. entries: how many it has; last: when the last was written, as it says.

    made_by, created: by which tourney and, of a database, when by its clock; fault: why a file cannot be read, else empty
    """

    name: str
    entries: int
    last: str
    made_by: str = ""
    created: datetime | None = None
    fault: str = ""


class Listening(Protocol):
    """Hears when an event has grown."""

    def wait(self, seconds: float) -> bool:
        """Wait for so long at most; say whether the event may have grown meanwhile.

        It may have, too, when the connection was lost and is there again. Raises AwayError while nobody answers.
        """

    def close(self) -> None:
        """Stop listening."""


class Journal(Protocol):
    """An open event. It knows entries, texts and the secret as bytes; what they mean is the business of `tourney.event`.

    Everybody reads, folds and decides without a lock, and appends on the condition that the journal still ends where it
    was read (`append`); `turn` keeps others from writing while that is looked at. A text is named by the digest of its
    salt and bytes, and the entries hold only that name: so its salt and bytes can be deleted, and the chain holds.

    Every method raises TourneyError where the event cannot be read, or written; nothing is written then.
    """

    place: EventPlace
    """Where it lies."""

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
        """Return the texts that were deleted from this copy because they were deleted from the event: no entry of it says so."""
        return frozenset()

    def compact(self) -> None:
        """Leave nothing of deleted texts in places that are not used any more."""

    def others_holding(self, refs: Collection[Ref]) -> tuple[str, ...]:
        """Name the other events that lie in the same database and hold any of these texts: copies of this one."""
        del refs
        return ()

    def not_compacted(self) -> tuple[str, ...]:
        """Say where deleted texts may still be that `compact` does not reach."""
        return ()

    def damage(self) -> list[str]:
        """Return what a check of how the event is stored has to say; empty where all is well."""
        return []

    def has_moved(self) -> bool:
        """Say whether something else stands in its place now, and is to be opened anew. Raises TourneyError where nothing does."""
        return False

    def listen(self) -> Listening | None:
        """Hear of entries that others write, from another thread, too; None where one has to look."""
        return None
