"""The event file: a journal in SQLite.

One file contains the whole event, and each change of the event is one transaction.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Self, TypeVar

from tourney import __version__
from tourney.errors import TourneyError
from tourney.event.entry import ALTERED, NEWER, JournalRow, Text
from tourney.event.ops import Ref
from tourney.store.files import file_id, special_kind
from tourney.store.journal import EventPlace, EventRow, Journal, StoredEvent, Waiting
from tourney.store.sql_journal import LastEntry, SqlJournal
from tourney.store.sqlite import DAMAGED_FILE, TORN, EventConnection, connect, refusals

APPLICATION = 0x54524E59
"""SQLite's application id of an event file: `TRNY`."""

FORMAT = 1
"""The version of the tables' structure.

The contents of entries (ops) have versions of their own.
"""

T = TypeVar("T")

FREE_PAGES = 4
"""The number of pages (of 4 kB) that a new event file keeps free for its first entries.

They are before the pages with the rules of the event.
"""


class EventFile(SqlJournal):
    """An open event file; see `Journal`. Use it in a `with`, or close it."""

    _torn = ("it was copied while it was being written, or changed from outside", TORN)

    def __init__(self, path: Path, connection: EventConnection) -> None:
        self.path = path
        self.place = FilePlace(path)
        self._connection = connection
        self._file = file_id(path)

    @classmethod
    def begin(cls, place: Path, content: StoredEvent, begun: Callable[[Self], T]) -> T:
        """Create an event file at the path `place`; see `EventPlace.begin`.

        An empty file, which a killed command may have left there, is used. Raises TourneyError if any other
        file exists, or if the folder does not exist or is not writable.
        """
        path, new = place, not place.exists()
        FilePlace(path).refuse_taken()
        with suppress(OSError):  # SQLite reports the reason below
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))  # it has names, decklists and the secret
        journal = cls(path, connect(path, create=True))
        try:
            with journal.turn():
                journal._fill(content)
                if content.erased:
                    journal._note_erased(content.erased)
                return begun(journal)
        except BaseException:
            journal.close()
            if new and path.exists() and not path.stat().st_size:
                path.unlink()
            raise

    def _fill(self, content: StoredEvent) -> None:
        if self._connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            raise TourneyError(f"{self.path.name} was just created by another program")
        for sql in filter(None, (sql for *_, sql in _schema())):
            self._connection.execute(sql)
        self._connection.execute(f"PRAGMA application_id = {APPLICATION}")
        self._connection.execute(f"PRAGMA user_version = {FORMAT}")
        header = {"format": str(FORMAT), "made by": f"tourney {__version__}"}
        self._connection.executemany("INSERT INTO header VALUES (?, ?)", header.items())
        if content.secret is not None:
            self._connection.execute("INSERT INTO secret VALUES (?)", (content.secret,))
        self._write(content.rows, ())
        with self._pages_kept_free():
            self._write((), content.texts)

    @contextmanager
    def _pages_kept_free(self) -> Iterator[None]:
        """Leave free pages in the file before the rows that the `with` block writes.

        A truncated file loses its last pages, so the first entries should be near the start of the file. When
        they fill their first page, SQLite moves them to unused pages: to the free pages or, without these, to
        new pages at the end of the file, behind the rows of the block.
        """
        self._connection.execute("CREATE TABLE room (page INTEGER PRIMARY KEY, bytes BLOB)")
        pages = range(FREE_PAGES)
        self._connection.executemany(
            "INSERT INTO room VALUES (?, zeroblob(4500))", [(page,) for page in pages]
        )
        yield
        # SQLite has a list of free pages. It uses the first page of the list, moves the last page to the
        # front of the list, and so on. If the rows are deleted in this order, pages at the start of the file
        # are used before pages at its end.
        last, first, *other_pages = pages[-1], pages[0], *reversed(pages[1:-1])
        self._connection.executemany(
            "DELETE FROM room WHERE page = ?", [(page,) for page in (last, first, *other_pages)]
        )
        self._connection.execute("DROP TABLE room")

    @classmethod
    def open(cls, path: Path, *, waiting: Waiting | None = None) -> Self:
        """Open an event file. `waiting` is called while another program keeps the file locked.

        Raises TourneyError if the file does not exist, is not an event file, or was written by a newer
        version.
        """
        _look_at(path)
        journal = cls(path, connect(path, waiting=waiting))
        try:
            journal._recognize()
        except BaseException:
            journal.close()
            raise
        return journal

    def _recognize(self) -> None:
        with refusals(self.path), self._snapshot():
            application, version = self._pragma("application_id"), self._pragma("user_version")
            objects = self._ask("SELECT type, name, tbl_name, sql FROM sqlite_master LIMIT 100")
            whole = self._pragma("page_count") * self._pragma("page_size")
        if self.path.stat().st_size < whole:  # SQLite would read the missing end as zeros
            raise TourneyError(DAMAGED_FILE.format(file=self.path.name), TORN)
        expected_objects, schema = schema_objects(), {(*names, one_line(sql)) for *names, sql in objects}
        if application != APPLICATION and not expected_objects & schema:
            raise TourneyError(
                f"{self.path.name} is a database of another program, not an event", _NOT_AN_EVENT
            )
        if version > FORMAT:
            raise TourneyError(
                f"{self.path.name} was written by a newer tourney (format {version})",
                f"{NEWER}; if there is no newer one, it is damaged: {ALTERED}",
            )
        if (application, version) != (APPLICATION, FORMAT) or schema != expected_objects:
            raise TourneyError(
                f"{self.path.name} is damaged: its tables do not have the expected structure", ALTERED
            )

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    # -- reading

    def _refusals(self) -> AbstractContextManager[None]:
        return refusals(self.path)

    def _of(self, table: str) -> str:
        return f"{table} WHERE 1 = 1"

    def _head(self) -> LastEntry | None:
        row = self._connection.execute("SELECT seq, digest FROM head").fetchone()
        return LastEntry._make(row) if row else None

    @contextmanager
    def _snapshot(self) -> Iterator[None]:
        """Let all reads in the `with` block see the file as it is at one moment."""
        if self._in_turn():
            yield
            return
        self._connection.execute("BEGIN")
        try:
            yield
        finally:
            if self._in_turn():
                self._connection.execute("COMMIT")

    # -- writing

    def _begin(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")

    def _commit(self) -> None:
        """Commit the transaction. If this raises an exception, nothing was written.

        A commit can fail or be interrupted after it took effect, if the rollback journal was deleted but the
        folder could not be synced. So after an error, the file is read to find out whether the commit took
        effect.
        """
        last = self._head()
        try:
            self._connection.execute("COMMIT")
        except BaseException:
            if self._in_turn() or last is None or self._head() != last:
                raise

    def _end(self) -> None:
        if self._in_turn():
            self._connection.execute("ROLLBACK")
        self._connection.end_turn()

    def _last_in_turn(self) -> int | None:
        if not self._in_turn():
            return None
        last: int = self._connection.execute("SELECT coalesce(max(seq), 0) FROM journal").fetchone()[0]
        return last

    def _write(
        self,
        rows: Sequence[JournalRow],
        texts: Iterable[Text],
        erased: Iterable[Ref] = (),
        *,
        replace: bool = False,
    ) -> None:
        self._connection.executemany("INSERT INTO journal VALUES (?, ?, ?, ?, ?)", rows)
        if rows:
            head = rows[-1].seq, rows[-1].digest
            self._connection.execute("INSERT OR REPLACE INTO head VALUES (1, ?, ?)", head)
        action = "REPLACE" if replace else "IGNORE"
        self._connection.executemany(f"INSERT OR {action} INTO texts VALUES (?, ?, ?)", texts)  # noqa: S608
        query = "UPDATE texts SET salt = NULL, bytes = NULL WHERE digest = ?"
        self._connection.executemany(query, [(ref,) for ref in erased])

    # -- the file itself

    def erase(self, refs: Collection[Ref]) -> None:
        """Delete texts from a copy of an event, and record the deletion in the header of the file.

        The journal gets no entry about the deletion.

        Raises TourneyError if the file cannot be written.
        """
        with self.turn():
            self._write((), (), refs)
            self._note_erased(refs)

    def _note_erased(self, refs: Collection[Ref]) -> None:
        all_refs = " ".join(sorted(self.erased() | frozenset(refs)))
        self._connection.execute("INSERT OR REPLACE INTO header VALUES ('erased', ?)", (all_refs,))

    def erased(self) -> frozenset[Ref]:
        """Return the refs of the texts that `erase` deleted from this file."""
        with refusals(self.path):
            row = self._connection.execute("SELECT value FROM header WHERE key = 'erased'").fetchone()
        return frozenset(map(Ref, str(row[0]).split())) if row else frozenset()

    def compact(self) -> None:
        """Rewrite the file without its unused space, which may still contain deleted texts."""
        with refusals(self.path):
            self._connection.execute("PRAGMA temp_store = MEMORY")
            self._connection.execute("VACUUM")

    def last(self) -> tuple[int, str]:
        """Return the number of the last entry, and the time that is stated in this entry."""
        with refusals(self.path):
            rows = self._ask("SELECT seq, at FROM journal ORDER BY seq DESC LIMIT 1")
        return rows[0] if rows else (0, "")

    def damage(self) -> list[str]:
        """Return the faults that SQLite's integrity check of the whole file reports."""
        with refusals(self.path):
            lines = self._connection.execute("PRAGMA integrity_check(20)").fetchall()
        return [f"the database is damaged: {line}" for (line,) in lines if line != "ok"]

    def has_moved(self) -> bool:
        """Return whether another file, such as a restored copy, has replaced the open file.

        Raises TourneyError if the file no longer exists.
        """
        current = file_id(self.path)
        if current is None:
            raise TourneyError(
                f"the event's file {self.path.name} was moved or deleted; "
                "nothing can be entered until it is back"
            )
        return current != self._file

    def copy_to(self, path: Path) -> None:
        """Copy the file page by page under SQLite's locks. The copy is neither checked nor synced."""
        copy = sqlite3.connect(path)
        try:
            copy.execute("PRAGMA journal_mode = OFF")  # the copy is not used before it is complete
            copy.execute("PRAGMA synchronous = OFF")
            with refusals(self.path), self._snapshot():
                self._head()  # takes the read lock
                self._connection.backup(copy)
        finally:
            copy.close()

    # -- queries

    def _ask(self, query: str, *values: object) -> list[Any]:
        """Return all rows of a query. In text that is not UTF-8, unreadable letters are replaced."""
        try:
            return list(self._connection.rows(query, values))
        except sqlite3.OperationalError as fault:
            if "decode" not in str(fault):
                raise
            self._connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
            return list(self._connection.rows(query, values))

    def _pragma(self, name: str) -> int:
        value: int = self._connection.execute(f"PRAGMA {name}").fetchone()[0]
        return value

    def _in_turn(self) -> bool:
        return self._connection.in_transaction


@cache
def _schema() -> tuple[tuple[str, str, str, str | None], ...]:
    """Return the type, name, table and SQL of each schema object that an event file has."""
    with closing(sqlite3.connect(":memory:")) as memory:
        memory.executescript(Path(__file__).with_name("event.sql").read_text(encoding="utf-8"))
        return tuple(memory.execute("SELECT type, name, tbl_name, sql FROM sqlite_master"))


def schema_objects() -> frozenset[tuple[str, ...]]:
    """Return the schema of an event file, with each statement on one line.

    A file must have exactly this schema. A file can come from anyone, and an unknown trigger, view, generated
    column or index could run any function of SQLite.
    """
    return frozenset((*names, one_line(sql)) for *names, sql in _schema())


def one_line(sql: object) -> str:
    """Return an SQL statement with single spaces, so that schemas can be compared."""
    return " ".join(str(sql or "").split())


_MAGIC = b"SQLite format 3\0"

_HEADER = re.compile(
    _MAGIC + rb"(?:[\x02\x04\x08\x10\x20\x40\x80]\x00|\x00\x01)[\x01\x02][\x01\x02].\x40\x20\x20", re.DOTALL
)
"""Matches the first bytes of an SQLite file.

They are a magic string, the page size, two versions, the number of reserved bytes, and three fixed numbers.
SQLite does not open a file that begins with other bytes.
"""

_APPLICATION_AT = 68
"""The offset of the application id (four bytes) in an SQLite file."""

_NOT_AN_EVENT = "`tourney event new` makes an event, `tourney event import` reads an exported one"


def _look_at(path: Path) -> None:
    """Raise TourneyError if a file is not an event file. Call this before SQLite opens the file."""
    try:
        if kind := special_kind(path):
            raise TourneyError(f"{path.name} {kind.partition(',')[0]}, not an event file")
        with path.open("rb") as file:
            start = file.read(100)
    except FileNotFoundError:
        raise TourneyError(f"there is no event file {path}", _NOT_AN_EVENT) from None
    except OSError as fault:
        raise TourneyError(f"{path.name} cannot be read: {fault.strerror}") from None
    if not start:
        raise TourneyError(
            f"{path.name} is empty: its creation was interrupted", "repeat `tourney event new`"
        )
    is_event = start[_APPLICATION_AT : _APPLICATION_AT + 4] == APPLICATION.to_bytes(4, "big")
    if is_event and not _HEADER.match(start):
        raise TourneyError(f"{path.name} is damaged: its first bytes are not as they were written", ALTERED)
    if not start.startswith(_MAGIC):
        raise TourneyError(f"{path.name} is not an event file", _NOT_AN_EVENT)


# -- the place of an event file


@dataclass(frozen=True, slots=True)
class FilePlace(EventPlace):
    """The path of an event file."""

    file: Path

    @property
    def name(self) -> str:
        """The file's name."""
        return self.file.name

    @property
    def stem(self) -> str:
        """The file's name without its extension."""
        return self.file.stem

    def __str__(self) -> str:
        return str(self.file)

    def open(self, *, waiting: Waiting | None = None) -> EventFile:
        """Open the file."""
        return EventFile.open(self.file, waiting=waiting)

    def begin(self, content: StoredEvent, begun: Callable[[Journal], T]) -> T:
        """Create the file."""
        return EventFile.begin(self.file, content, begun)

    def refuse_taken(self) -> None:
        """Raise TourneyError if the path is taken or its folder does not exist."""
        if self.file.exists() and (special_kind(self.file) or self.file.stat().st_size):
            raise TourneyError(
                f"{self.name} exists already", "choose another name, or move the old file away"
            )
        if not self.folder.is_dir():
            raise TourneyError(f"there is no folder {self.file.parent}")

    def warnings(self) -> tuple[str, ...]:
        """Return a warning if the file is in a folder in which two computers can damage it."""
        from tourney.store.shared_folders import warnings_about  # only a new event needs it

        return warnings_about(self.file)

    @contextmanager
    def looking(self) -> Iterator[Callable[[], object]]:
        """Provide a function that returns the file's size and time; see `EventPlace.looking`."""

        def look() -> object:
            try:
                status = self.file.stat()
            except OSError:
                return None
            return status.st_dev, status.st_ino, status.st_mtime_ns, status.st_size

        yield look


def list_folder(folder: Path) -> list[EventRow]:
    """Return the event files of a folder, sorted by name.

    Raises TourneyError if the folder does not exist.
    """
    if not folder.is_dir():
        raise TourneyError(f"there is no folder {folder}")
    events = []
    for path in sorted(folder.glob("*.tourney")):
        try:
            with EventFile.open(path) as journal:
                events.append(EventRow(path.name, *journal.last(), None))
        except TourneyError as fault:
            events.append(EventRow(path.name, 0, "", fault.message))
    return events
