"""The event file, a journal in SQLite: entries in a table that only grows, texts beside them, one transaction for each change."""

from __future__ import annotations

import os
import re
import sqlite3
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Self, TypeVar

from tourney.errors import TourneyError
from tourney.event.entry import ALTERED, DAMAGED, NEWER, JournalRow, Text, intact
from tourney.event.ops import Ref
from tourney.store.files import file_id, home_folder, resolved, what_else
from tourney.store.journal import SHORT, EventPlace, Journal, Listed, Waiting

APPLICATION = 0x54524E59
"""SQLite's application id of an event file: `TRNY`."""

FORMAT = 1
"""The version of the tables. Ops have versions of their own."""

_SCHEMA = """
CREATE TABLE header (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE journal (
    seq INTEGER PRIMARY KEY, at TEXT NOT NULL, by TEXT NOT NULL, op BLOB NOT NULL, digest TEXT NOT NULL
);
CREATE TABLE head (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, digest TEXT NOT NULL);
CREATE TABLE texts (digest TEXT PRIMARY KEY, salt BLOB, bytes BLOB);
CREATE TABLE secret (bytes BLOB NOT NULL);
CREATE TRIGGER journal_is_never_changed BEFORE UPDATE ON journal
    BEGIN SELECT RAISE(ABORT, 'the journal is never changed'); END;
CREATE TRIGGER journal_is_never_shortened BEFORE DELETE ON journal
    BEGIN SELECT RAISE(ABORT, 'the journal is never shortened'); END;
"""


T = TypeVar("T")


MOST_ASKED = 500
"""Texts that are asked for one by one; of more, all are read."""


MOST = 256 * 2**20
"""Bytes of entries, or of short texts, that are read at once: a thousand times what a large event has."""


ROOM = 4
"""Pages of 4 kB kept free for the first entries before the rules of a new event file."""


class EventFile(Journal):
    """An open event file; see `Journal`. Close it, or use it in a `with`."""

    def __init__(self, path: Path, connection: EventConnection) -> None:
        self.path = path
        self.place = FilePlace(path)
        self._connection = connection
        self._file = file_id(path)

    @classmethod
    def create(
        cls, path: Path, rows: Sequence[JournalRow], texts: Iterable[Text], secret: bytes | None
    ) -> Self:
        """Make the event file `path` and open it; see `begin`."""
        return cls.begin(path, rows, texts, secret, lambda journal: journal)

    @classmethod
    def begin(
        cls,
        path: Path,
        rows: Sequence[JournalRow],
        texts: Iterable[Text],
        secret: bytes | None,
        begun: Callable[[Self], T],
        *,
        erased: Collection[Ref] = (),
    ) -> T:
        """Make the event file `path` with its first entries, all or nothing; return what `begun` makes of it.

        erased: see `Journal.erased`. `begun` looks at the journal before it is there for good; what it raises takes the file back. A file of no
        bytes (a creation that was killed) may stand there. Raises TourneyError if anything else does, or if the folder
        is not there or not writable.
        """
        new = not path.exists()
        FilePlace(path).refuse_taken()
        connection = _private(path)
        journal = cls(path, connection)
        try:
            with journal.turn():
                journal._fill(rows, texts, secret)
                if erased:
                    journal._note_erased(erased)
                return begun(journal)
        except BaseException:
            journal.close()
            if new and path.exists() and not path.stat().st_size:
                path.unlink()
            raise

    def _fill(self, rows: Sequence[JournalRow], texts: Iterable[Text], secret: bytes | None) -> None:
        from tourney import __version__

        if self._connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            raise TourneyError(f"{self.path.name} was just made by somebody else")
        for statement in _statements(_SCHEMA):
            self._connection.execute(statement)
        self._connection.execute(f"PRAGMA application_id = {APPLICATION}")
        self._connection.execute(f"PRAGMA user_version = {FORMAT}")
        header = {"format": str(FORMAT), "made by": f"tourney {__version__}"}
        if rows:
            # The journal's pages move as it grows; this row stays in the second page of the file, where salvage finds it.
            _, at, by, op, digest = rows[0]
            header["entry 1"] = f"{at}{by}{op.decode(errors='replace')}{digest}"
        self._connection.executemany("INSERT INTO header VALUES (?, ?)", header.items())
        if secret is not None:
            self._connection.execute("INSERT INTO secret VALUES (?)", (secret,))
        self._insert(rows)
        with self._room_kept():
            self._insert((), texts)

    @contextmanager
    def _room_kept(self) -> Iterator[None]:
        """Leave free pages before what is written within; SQLite uses them for the entries to come.

        A file that is cut off at its end loses the pages that were written last. Without free pages the first entries
        move behind the rules as soon as the journal fills its first page.
        """
        self._connection.execute("CREATE TABLE room (page INTEGER PRIMARY KEY, bytes BLOB)")
        pages = range(ROOM)
        self._connection.executemany(
            "INSERT INTO room VALUES (?, zeroblob(4500))", [(page,) for page in pages]
        )
        yield
        # SQLite keeps free pages in a list. It takes the first of them, moves the last to its place, and so on: in this
        # order the front of the file is used before its end.
        last, first, *others = pages[-1], pages[0], *reversed(pages[1:-1])
        freed = [(page,) for page in (last, first, *others)]
        self._connection.executemany("DELETE FROM room WHERE page = ?", freed)
        self._connection.execute("DROP TABLE room")

    @classmethod
    def open(cls, path: Path, *, waiting: Waiting | None = None) -> Self:
        """Open an event file. waiting: is told while somebody else has the file.

        Raises TourneyError if there is none, or it is another kind of file, or too new.
        """
        _look_at(path)
        journal = cls(path, connect(path, waiting=waiting))
        try:
            journal._recognize()
            journal._clear()
        except BaseException:
            journal.close()
            raise
        return journal

    def _recognize(self) -> None:
        with refusals(self.path), self._snapshot():
            (application,) = self._connection.execute("PRAGMA application_id").fetchone()
            (version,) = self._connection.execute("PRAGMA user_version").fetchone()
            objects = self._all("SELECT type, name, tbl_name, sql FROM sqlite_master LIMIT 100")
            (page,) = self._connection.execute("PRAGMA page_size").fetchone()
            (pages,) = self._connection.execute("PRAGMA page_count").fetchone()
            refuse_torn(self.path, pages, page)
        ours, schema = schema_objects(), {(*named, one_line(sql)) for *named, sql in objects}
        if application != APPLICATION and not ours & schema:
            raise TourneyError(
                f"{self.path.name} is a database of another program, not an event", _NOT_AN_EVENT
            )
        if version > FORMAT:
            odd = "" if self._made_by(version) else f"; if nobody has one, it is damaged: {ALTERED}"
            raise TourneyError(
                f"{self.path.name} was written by a newer tourney (format {version})", NEWER + odd
            )
        if (application, version) != (APPLICATION, FORMAT) or schema != ours:
            raise TourneyError(f"{self.path.name} is damaged: its tables are not as they were made", ALTERED)

    def _made_by(self, version: int) -> bool:
        """Say whether the file's own table, too, says that it is of this version; a damaged number does not."""
        with refusals(self.path):
            try:
                row = self._connection.execute("SELECT value FROM header WHERE key = 'format'").fetchone()
            except sqlite3.OperationalError:
                return True  # nothing is known of how a newer one is made
        return row is None or row == (str(version),)

    def _clear(self) -> None:
        """Remove the empty rollback journal that a process leaves which is killed as it begins to write.

        SQLite has rolled back any other by now; while the file is ours to write in, nobody is about to fill it.
        """
        rollback_journal = self.path.with_name(f"{self.path.name}-journal")
        if not rollback_journal.exists():
            return
        with suppress(OSError, sqlite3.Error):
            self._connection.patience = 0
            self._connection.execute("BEGIN IMMEDIATE")
            if not rollback_journal.stat().st_size:
                rollback_journal.unlink()
        if self._in_turn():
            self._connection.execute("ROLLBACK")
        del self._connection.patience

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- reading

    def rows(self, after: int = 0) -> list[JournalRow]:
        """Return entries; that none is missing at the end is told by the number and digest that every append writes apart."""
        query = "SELECT seq, at, by, op, digest FROM journal WHERE seq > ? ORDER BY seq"
        with refusals(self.path), self._snapshot():
            head = self._head()
            rows = list(map(JournalRow._make, self._all(query, after)))
        ends = (rows[-1].seq, rows[-1].digest) if rows else None
        if head is None or (ends != head if ends else head[0] != after):
            raise TourneyError(
                f"{self.path.name}: the journal ends with entry {ends[0] if ends else after}, but that is not the last"
                " one written: it was copied while it was being written, or changed from outside",
                TORN,
            )
        return rows

    def _head(self) -> tuple[int, str] | None:
        """Return number and digest of the last entry as every append writes them; None where there is none."""
        head: tuple[int, str] | None = self._connection.execute("SELECT seq, digest FROM head").fetchone()
        return head

    @contextmanager
    def _snapshot(self) -> Iterator[None]:
        """Read several tables as they were at one moment."""
        if self._in_turn():
            yield
            return
        self._connection.execute("BEGIN")
        try:
            yield
        finally:
            if self._in_turn():
                self._connection.execute("COMMIT")

    def short_texts(self, among: Collection[Ref] | None = None) -> dict[Ref, str | None]:
        """Return short texts; where more than `MOST_ASKED` are asked for, all."""
        query = "SELECT digest, salt, bytes FROM texts WHERE (bytes IS NULL OR length(bytes) <= ?)"
        asked = tuple(among or ()) if among is None or len(among) <= MOST_ASKED else ()
        if asked:
            query += f" AND digest IN ({', '.join('?' * len(asked))})"
        with refusals(self.path):
            rows = self._all(query, SHORT, *asked)
        return {Ref(ref): _shown(ref, salt, content) for ref, salt, content in rows}

    def text(self, ref: Ref) -> str | None:
        """Return a text, be the index damaged."""
        with refusals(self.path):
            # `+` has the table read row by row.
            for query in (
                "SELECT salt, bytes FROM texts WHERE digest = ?",
                "SELECT salt, bytes FROM texts WHERE +digest = ?",
            ):
                row = self._connection.execute(query, (ref,)).fetchone()
                if row is not None:
                    break
        if row is None:
            raise TourneyError(f"{self.path.name}: the text {ref[:12]}… is missing", ALTERED)
        salt, content = row
        if content is not None and _shown(ref, salt, content) is DAMAGED:
            raise TourneyError(f"{self.path.name}: the text {ref[:12]}… is not as it was written", ALTERED)
        return None if content is None else bytes(content).decode(errors="replace")

    def texts(self) -> Iterator[tuple[Ref, bytes | None, bytes | None]]:
        """Yield every text as it lies in the file, its ref with the letters it has."""
        with refusals(self.path):
            query = "SELECT CAST(digest AS BLOB), salt, bytes FROM texts ORDER BY digest"
            for ref, salt, content in self._connection.execute(query):
                yield Ref(bytes(ref or b"").decode("ascii", "replace")), salt, content

    def held(self, refs: Collection[Ref]) -> frozenset[Ref]:
        """Return those of `refs` whose texts are here and were not deleted."""
        with refusals(self.path):
            here = self._all("SELECT digest FROM texts WHERE bytes IS NOT NULL")
        return frozenset(refs) & {Ref(ref) for (ref,) in here}

    def gone(self) -> frozenset[Ref]:
        """Return the texts that were deleted by request."""
        with refusals(self.path):
            return frozenset(Ref(ref) for (ref,) in self._all("SELECT digest FROM texts WHERE bytes IS NULL"))

    def secret(self) -> bytes | None:
        """Return the secret; whatever else lies there as bytes that are not it: they draw nothing, and `verify` says so."""
        with refusals(self.path):
            row = self._connection.execute("SELECT bytes FROM secret").fetchone()
        if row is None:
            return None
        return row[0] if isinstance(row[0], bytes) else repr(row[0]).encode()

    # -- writing

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Write within alone, in one transaction of SQLite, which waits for up to a minute and syncs file and folder at the end."""
        with refusals(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._commit()
            finally:
                if self._in_turn():
                    self._connection.execute("ROLLBACK")
                self._connection.had_its_turn()

    def _commit(self) -> None:
        """Commit; whatever is raised means that nothing was written.

        A commit can fail, or be interrupted, after it has taken place: when the rollback journal is gone and only the
        folder could not be synced. So the file is asked.
        """
        last = self._head()
        try:
            self._connection.execute("COMMIT")
        except BaseException:
            if self._in_turn() or last is None or self._head() != last:
                raise

    def append(
        self, after: int, rows: Sequence[JournalRow], texts: Iterable[Text] = (), erased: Iterable[Ref] = ()
    ) -> bool:
        """Append in the `turn` that is going on, else in one of its own."""
        if not self._in_turn():
            with self.turn():
                return self.append(after, rows, texts, erased)
        (last,) = self._connection.execute("SELECT coalesce(max(seq), 0) FROM journal").fetchone()
        if last != after:
            return False
        self._insert(rows, texts)
        self._erase(erased)
        return True

    def _insert(self, rows: Sequence[JournalRow], texts: Iterable[Text] = ()) -> None:
        self._connection.executemany("INSERT INTO journal VALUES (?, ?, ?, ?, ?)", rows)
        if rows:
            self._connection.execute(
                "INSERT OR REPLACE INTO head VALUES (1, ?, ?)", (rows[-1].seq, rows[-1].digest)
            )
        self._connection.executemany("INSERT OR IGNORE INTO texts VALUES (?, ?, ?)", texts)

    def _erase(self, refs: Iterable[Ref]) -> None:
        query = "UPDATE texts SET salt = NULL, bytes = NULL WHERE digest = ?"
        self._connection.executemany(query, [(ref,) for ref in refs])

    def mend(self, texts: Iterable[Text]) -> bool:
        """Put right what does not fit its digest, or is not there."""
        with self.turn():
            stored = {ref: (salt, content) for ref, salt, content in self.texts()}
            broken = [
                text for text in texts if text.ref not in stored or not intact(text.ref, *stored[text.ref])
            ]
            query = "INSERT OR REPLACE INTO texts VALUES (?, ?, ?)"
            self._connection.executemany(query, broken)
        return bool(broken)

    # -- the file itself

    def erase(self, refs: Collection[Ref]) -> None:
        """Delete texts of a copy without an entry that says so; the header does. Raises TourneyError."""
        with self.turn():
            self._erase(refs)
            self._note_erased(refs)

    def _note_erased(self, refs: Collection[Ref]) -> None:
        every = " ".join(sorted(self.erased() | frozenset(refs)))
        self._connection.execute("INSERT OR REPLACE INTO header VALUES ('erased', ?)", (every,))

    def erased(self) -> frozenset[Ref]:
        """Return what `erase` deleted here."""
        with refusals(self.path):
            row = self._connection.execute("SELECT value FROM header WHERE key = 'erased'").fetchone()
        return frozenset(map(Ref, str(row[0]).split())) if row else frozenset()

    def compact(self) -> None:
        """Write the file anew without what is in its unused places: also a deleted cell that a page once gave away."""
        with refusals(self.path):
            self._connection.execute("PRAGMA temp_store = MEMORY")
            self._connection.execute("VACUUM")

    def last(self) -> tuple[int, str]:
        """Return the number of the last entry and when it was written, as it says."""
        with refusals(self.path):
            rows = self._all("SELECT seq, at FROM journal ORDER BY seq DESC LIMIT 1")
        return rows[0] if rows else (0, "")

    def damage(self) -> list[str]:
        """Return what SQLite's own check of the whole file has to say; empty where all is well."""
        with refusals(self.path):
            lines = self._connection.execute("PRAGMA integrity_check(20)").fetchall()
        return [f"the database is damaged: {line}" for (line,) in lines if line != "ok"]

    def has_moved(self) -> bool:
        """Say whether another file stands there: a copy that was put back."""
        there = file_id(self.path)
        if there is None:
            raise TourneyError(
                f"the event's file {self.path.name} is not where it was; nothing can be entered until it is back"
            )
        return there != self._file

    def copy_to(self, path: Path) -> None:
        """Copy the file as it stands, page by page under SQLite's own locks; the copy is not checked, and not synced."""
        copy = sqlite3.connect(path)
        try:
            copy.execute("PRAGMA journal_mode = OFF")  # it is no copy until it is whole
            copy.execute("PRAGMA synchronous = OFF")
            with refusals(self.path), self._snapshot():
                self._head()  # waits until it may be read, and keeps it so
                self._connection.backup(copy)
        finally:
            copy.close()

    # -- how it is read

    def _all(self, query: str, *values: object) -> list[Any]:
        """Return all rows of a query, text that is no UTF-8 with the letters it has.

        Raises TourneyError where the rows hold more than the file: its pages lead in a circle.
        """
        try:
            return self._bounded(query, values)
        except sqlite3.OperationalError as fault:
            if "decode" not in str(fault):
                raise
            self._connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
            return self._bounded(query, values)

    def _bounded(self, query: str, values: Sequence[object]) -> list[Any]:
        rows, room = [], min(MOST, self._size() + 2**16)
        for row in self._connection.execute(query, values):
            room -= sum(len(each) for each in row if isinstance(each, bytes | str))
            if room < 0:
                raise TourneyError(f"{self.path.name} is damaged: it holds more than it can hold", ALTERED)
            rows.append(row)
        return rows

    def _size(self) -> int:
        """Return the file's bytes, with those of a turn that is not committed yet and so are not in it."""
        size = self.path.stat().st_size
        if not self._in_turn():
            return size
        pages, each = (
            self._connection.execute(f"PRAGMA {what}").fetchone()[0] for what in ("page_count", "page_size")
        )
        return max(size, int(pages) * int(each))

    def _in_turn(self) -> bool:
        return self._connection.in_transaction


def _shown(ref: Ref, salt: bytes | None, content: bytes | None) -> str | None:
    """Return a short text; None where it was deleted, `DAMAGED` where it does not fit its digest."""
    if content is None and salt is None:
        return None
    return (content or b"").decode(errors="replace") if intact(ref, salt, content) else DAMAGED


@cache
def schema_objects() -> frozenset[tuple[str, ...]]:
    """Return what the schema of an event file holds: type, name, table and SQL of each object, and nothing else.

    A file may come from anybody: a trigger, a view, a generated column or an index more could run what it likes.
    """
    objects = {("index", f"sqlite_autoindex_{table}_1", table, "") for table in ("header", "texts")}
    for statement in _statements(_SCHEMA):
        _, kind, name, *rest = statement.split()
        table = rest[rest.index("ON") + 1] if kind == "TRIGGER" else name
        objects.add((kind.lower(), name, table, one_line(statement).removesuffix(";")))
    return frozenset(objects)


def _statements(script: str) -> Iterator[str]:
    """Split a script at the ends of whole statements; a trigger holds semicolons of its own."""
    statement = ""
    for line in script.splitlines():
        statement += line + "\n"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def one_line(sql: object) -> str:
    """Return a statement with single spaces, as schemas are compared."""
    return " ".join(str(sql or "").split())


def _private(path: Path) -> EventConnection:
    """Connect to a new file that nobody else may read: it holds names, decklists and the secret."""
    with suppress(OSError):  # SQLite will say why in a moment
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    return connect(path, create=True)


def _look_at(path: Path) -> None:
    """Refuse what is no event before SQLite touches it."""
    try:
        if kind := what_else(path):
            raise TourneyError(f"{path.name} {kind.partition(',')[0]}, not an event file")
        with path.open("rb") as file:
            start = file.read(100)
    except FileNotFoundError:
        raise TourneyError(f"there is no event file {path}", _NOT_AN_EVENT) from None
    except OSError as fault:
        raise TourneyError(f"{path.name} cannot be read: {fault.strerror}") from None
    if not start:
        raise TourneyError(
            f"{path.name} is empty: its creation was interrupted", "`tourney event new` may be repeated"
        )
    ours = start[_APPLICATION_AT : _APPLICATION_AT + 4] == APPLICATION.to_bytes(4, "big")
    if ours and not _HEADER.match(start):
        raise TourneyError(f"{path.name} is damaged: its first bytes are not as they were written", ALTERED)
    if not start.startswith(_MAGIC):
        raise TourneyError(f"{path.name} is not an event file", _NOT_AN_EVENT)


_MAGIC = b"SQLite format 3\0"


_HEADER = re.compile(
    _MAGIC + rb"(?:[\x02\x04\x08\x10\x20\x40\x80]\x00|\x00\x01)[\x01\x02][\x01\x02].\x40\x20\x20", re.DOTALL
)
"""Page size, the two versions, what is reserved, three fixed numbers: SQLite calls any other file none of its own."""


_APPLICATION_AT = 68
"""Where SQLite keeps the application's id, four bytes."""


_NOT_AN_EVENT = "`tourney event new` makes an event, `tourney event import` reads an exported one"


# -- where one may lie: not where something stands, and better not where locks fail


@dataclass(frozen=True, slots=True)
class FilePlace(EventPlace):
    """Where an event file lies, or is to."""

    file: Path

    @property
    def name(self) -> str:
        """The file's name."""
        return self.file.name

    @property
    def stem(self) -> str:
        """The file's name without its ending."""
        return self.file.stem

    def __str__(self) -> str:
        return str(self.file)

    def open(self, *, waiting: Waiting | None = None) -> EventFile:
        """Open the file."""
        return EventFile.open(self.file, waiting=waiting)

    def begin(
        self,
        rows: Sequence[JournalRow],
        texts: Iterable[Text],
        secret: bytes | None,
        begun: Callable[[Journal], T],
        *,
        erased: Collection[Ref] = (),
    ) -> T:
        """Make the file."""
        return EventFile.begin(self.file, rows, texts, secret, begun, erased=erased)

    def refuse_taken(self) -> None:
        """Refuse what an event file cannot be: something stands there, or there is no folder."""
        if self.file.exists() and (what_else(self.file) or self.file.stat().st_size):
            raise TourneyError(
                f"{self.name} exists already", "choose another name, or move the old file away"
            )
        if not self.folder.is_dir():
            raise TourneyError(f"there is no folder {self.file.parent}")

    def warnings(self) -> tuple[str, ...]:
        """Say where two computers may spoil the file."""
        return warnings_about(self.file)

    @contextmanager
    def looking(self) -> Iterator[Callable[[], object]]:
        """Look at the file's size and time."""
        yield self._looks

    def _looks(self) -> object:
        try:
            status = self.file.stat()
        except OSError:
            return None
        return status.st_dev, status.st_ino, status.st_mtime_ns, status.st_size


def list_folder(folder: Path) -> list[Listed]:
    """Return the event files of a folder, by name. Raises TourneyError where there is no folder."""
    if not folder.is_dir():
        raise TourneyError(f"there is no folder {folder}")
    events = []
    for path in sorted(folder.glob("*.tourney")):
        try:
            with EventFile.open(path) as journal:
                events.append(Listed(path.name, *journal.last()))
        except TourneyError as fault:
            events.append(Listed(path.name, 0, "", fault=fault.message))
    return events


def warnings_about(path: Path, *, mounts: str | None = None, platform: str = sys.platform) -> tuple[str, ...]:
    """Return what should be said of the folder of `path`. mounts: the text of `/proc/mounts`, read if not given."""
    folder = resolved(path.absolute().parent)
    where = _synced(folder) or _network(folder, mounts, platform)
    if where is None:
        return ()
    home = home_folder()
    such_as = f", such as {home / 'tournaments'}," if home else ","
    return (
        f"{folder} is {where}: two computers may spoil the file there; better a folder of this computer{such_as}"
        " and `tourney event backup` or `event export` for the copy",
    )


# Folders whose contents a program copies behind the user's back: half-written files and conflicting copies.
_SYNCED = (
    r"dropbox|onedrive( - .*)?|google ?drive|my drive|icloud ?drive|mobile documents|com~apple~clouddocs|nextcloud|"
    r"owncloud|pcloud ?drive|mega(sync)?|box( sync)?|proton ?drive|yandex\.?disk|sync\.com|seafile|tresorit"
)
_MARKERS = (".dropbox", ".stfolder", ".sync", ".owncloudsync.log")


def _synced(folder: Path) -> str | None:
    for part in (folder, *folder.parents):
        if re.fullmatch(_SYNCED, part.name, re.IGNORECASE) or any(
            (part / marker).exists() for marker in _MARKERS
        ):
            return "a synced folder"
    return None


_NETWORK = frozenset({
    "nfs", "nfs4", "cifs", "smb", "smb2", "smb3", "smbfs", "afs", "afpfs", "ncpfs", "9p", "ceph", "glusterfs", "lustre",
    "davfs", "webdav", "fuse.sshfs", "fuse.rclone", "fuse.davfs2", "fuse.glusterfs", "fuse.gvfsd-fuse", "vboxsf",
})  # fmt: skip


def _network(folder: Path, mounts: str | None, platform: str) -> str | None:
    if str(folder).startswith(("\\\\", "//")):
        return "on a network drive"
    if platform == "win32":
        return "on a network drive" if _is_remote(folder) else None
    kind = _mounted_as(folder, _mount_table(platform) if mounts is None else mounts)
    return "on a network drive" if kind in _NETWORK else None


def _mounted_as(folder: Path, mounts: str) -> str:
    """Return the file system of a folder: that of the longest mount point above it; empty where nobody says."""
    best, kind = "", ""
    for line in mounts.splitlines():
        words = line.split()
        if len(words) < 3:
            continue
        point = words[1].replace("\\040", " ")
        if (folder == Path(point) or Path(point) in folder.parents) and len(point) >= len(best):
            best, kind = point, words[2]
    return kind


def _mount_table(platform: str) -> str:
    """Return the mounts in the form of Linux; on macOS from the command `mount`."""
    table = Path("/proc/mounts")
    if table.exists():
        return table.read_text(encoding="utf-8", errors="replace")
    if platform != "darwin":
        return ""
    import subprocess

    mounts = subprocess.run(["/sbin/mount"], capture_output=True, text=True, timeout=5, check=False).stdout
    rows = re.findall(r"^(\S+) on (.+) \((\w+)[,)]", mounts, re.MULTILINE)
    return "\n".join(f"{what} {point.replace(' ', chr(92) + '040')} {kind}" for what, point, kind in rows)


def _is_remote(folder: Path) -> bool:
    """Say whether Windows calls the drive of a folder remote."""
    import ctypes

    remote = 4
    windows = getattr(ctypes, "windll")  # noqa: B009 - there is none elsewhere, and mypy knows
    return bool(windows.kernel32.GetDriveTypeW(f"{folder.drive}\\") == remote)


# -- SQLite as event files need it: how a connection is made, waits and ends, and what its errors mean to an organizer


PATIENCE = 60.0
"""Seconds for which a writer or reader waits for its turn before it is refused."""


_TELL_AFTER, _TELL_AGAIN = 1.0, 10.0


# Durability is these lines: never a write-ahead log (the file alone is the event), and a commit returns only after
# file and folder were synced. The tests read them back from every connection.
DURABLE: tuple[tuple[str, str, object], ...] = (
    ("trusted_schema", "OFF", 0),  # files travel: a view or trigger in one may not call functions
    ("cell_size_check", "ON", 1),  # nor may a cell reach out of its page
    ("journal_mode", "DELETE", "delete"),
    ("synchronous", "EXTRA", 3),
    ("fullfsync", "ON", 1),  # macOS: fsync alone leaves data in the drive's cache
    ("secure_delete", "ON", 1),  # an erased name is overwritten, not only unlinked
)
"""Pragmas of every file of ours, each with its value and what SQLite then says."""

_PRAGMAS = (
    ("busy_timeout", "0", 0),  # `EventConnection` waits: that can be interrupted, and is told
    *DURABLE,
    ("cache_spill", "OFF", 0),  # only a commit needs the file alone, and a commit can be tried again
)


_PRAGMAS_OF_DAMAGED = (("writable_schema", "ON", 1), *DURABLE[:2])
"""With the first, SQLite reads a file that has fewer pages than it says."""

# An event file may come from anybody. These are far above what an event needs, and bound what reading one may cost.
_LIMITS = (
    (sqlite3.SQLITE_LIMIT_LENGTH, 64 * 2**20),  # bytes of a text or an entry
    (sqlite3.SQLITE_LIMIT_SQL_LENGTH, 10_000),
    (sqlite3.SQLITE_LIMIT_COLUMN, 32),
    (sqlite3.SQLITE_LIMIT_EXPR_DEPTH, 32),
    (sqlite3.SQLITE_LIMIT_COMPOUND_SELECT, 4),
    (sqlite3.SQLITE_LIMIT_FUNCTION_ARG, 8),
    (sqlite3.SQLITE_LIMIT_ATTACHED, 1),  # VACUUM needs one
    (sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH, 1),
    (sqlite3.SQLITE_LIMIT_WORKER_THREADS, 0),
)


_STEPS = 100_000
"""How many steps of its machine SQLite takes between two looks at whether a statement goes on for too long."""


TORN = f"copy it again with `tourney event backup`, or while nobody writes; else {ALTERED}"
"""What helps where a file is half of one state and half of another."""


_SAID: tuple[tuple[str, str, str | None], ...] = (
    ("SQLITE_FULL", "no room is left for {file}; nothing was changed", "make room on the disk, then repeat the command"),
    ("SQLITE_IOERR", "{file} could not be written or read: the disk is full or failing; nothing was changed", "make room, or copy the event to another disk"),
    ("SQLITE_READONLY", "{file} may not be written to; nothing was changed", "check the rights of the file and its folder"),
    ("SQLITE_CANTOPEN", "{file} or its folder may not be written to; nothing was changed", "check the rights of the file and its folder"),
    ("SQLITE_PERM", "{file} may not be opened", "check the rights of the file and its folder"),
    ("SQLITE_BUSY", "somebody else has been writing to {file} for more than a minute; nothing was changed", "repeat the command"),
    ("SQLITE_LOCKED", "somebody else has been writing to {file} for more than a minute; nothing was changed", "repeat the command"),
    ("SQLITE_NOTADB", "{file} is not an event file", "`tourney event new` makes one"),
    ("SQLITE_CORRUPT", "{file} is damaged", ALTERED),
    # All statements are ours and tested: one that SQLite cannot run means that the tables are not.
    ("SQLITE_ERROR", "{file} is damaged: its tables are not as they were made", ALTERED),
    ("SQLITE_INTERRUPT", "{file} is damaged: reading it would never end", ALTERED),
    ("SQLITE_TOOBIG", "the text is too long for {file}", None),
)  # fmt: skip


class EventConnection(sqlite3.Connection):
    """A connection that waits for its turn, and whose statements end.

    What is busy is tried again for `patience` seconds, `waiting` is told meanwhile. SQLite has no queue: whoever asks at
    the right moment is next. So the longer one has waited the more often one asks, in the end a thousand times a
    second, and on a slow disk those who came first are next nearly always. A change begins to wait with its first
    statement that had to, and has waited enough when it has had its `turn`.

    A statement may take a number of steps that grows with the file: all are ours and take a few dozen for each row, and
    no row is shorter than a few bytes; pages that lead in a circle would make them take more and more.
    """

    path: Path
    patience = PATIENCE
    waiting: Waiting | None = None
    steps = 0
    _since: float | None = None
    _tell_at = _TELL_AFTER

    def execute(self, *words: Any) -> sqlite3.Cursor:
        """Run a statement, counting its steps from 0, as soon as nobody else is in the way."""
        self.steps = 0
        try:
            return super().execute(*words)
        except sqlite3.OperationalError as fault:
            if not _is_busy(fault):
                raise
        return self._waited(*words)

    def _waited(self, *words: Any) -> sqlite3.Cursor:
        from random import Random

        dice = Random()  # noqa: S311 - only so that two who wait do not ask in step
        if self._since is None:
            self._since, self._tell_at = time.monotonic(), _TELL_AFTER
        while True:
            waited = time.monotonic() - self._since
            time.sleep(max(0.02 / (1 + waited) ** 2, 0.001) * dice.uniform(0.5, 1.5))
            try:
                return super().execute(*words)
            except sqlite3.OperationalError as fault:
                if not _is_busy(fault) or waited > self.patience:
                    raise
            if self.waiting is not None and waited >= self._tell_at:
                self.waiting(waited)
                self._tell_at = waited + _TELL_AGAIN

    def had_its_turn(self) -> None:
        """Begin anew to count how long it has waited; whoever had to wait lets the next one go first."""
        if self._since is not None:
            time.sleep(0.02)
        self._since = None

    def count(self) -> bool:
        """Say whether the statement is to be stopped."""
        self.steps += _STEPS
        return self.steps > 10_000_000 and self.steps > 20 * self.path.stat().st_size


def _is_busy(fault: sqlite3.OperationalError) -> bool:
    return (getattr(fault, "sqlite_errorname", None) or "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))


def connect(
    path: Path, *, create: bool = False, damaged: bool = False, waiting: Waiting | None = None
) -> EventConnection:
    """Open `path`, with the pragmas above set and read back; transactions are begun by hand.

    damaged: read what is left of the file, even if it was cut off; SQLite would refuse it otherwise

    Raises TourneyError where the file cannot be opened or SQLite does not keep a pragma.
    """
    mode = "rwc" if create else "rw"
    with refusals(path):
        address = f"{path.absolute().as_uri()}?mode={mode}"
        connection = sqlite3.connect(
            address, uri=True, isolation_level=None, timeout=0, factory=EventConnection
        )
        try:
            for limit, most in _LIMITS:
                connection.setlimit(limit, most)
            connection.path, connection.waiting = path, waiting
            connection.set_progress_handler(connection.count, _STEPS)
            _prepare(connection, path, _PRAGMAS_OF_DAMAGED if damaged else _PRAGMAS)
        except BaseException:
            connection.close()
            raise
    return connection


def _prepare(connection: EventConnection, path: Path, pragmas: Iterable[tuple[str, str, object]]) -> None:
    if fault := set_pragmas(connection, pragmas):
        raise TourneyError(
            f"{path.name}: {fault}",
            "the file may have been changed by another program; go back to a copy in `.tourney-backups/`",
        )


def set_pragmas(connection: sqlite3.Connection, pragmas: Iterable[tuple[str, str, object]]) -> str:
    """Set pragmas and read them back; return what SQLite does not keep, in words, or nothing."""
    for pragma, value, kept in pragmas:
        connection.execute(f"PRAGMA {pragma} = {value}").close()
        (kept_value,) = connection.execute(f"PRAGMA {pragma}").fetchone()
        if kept_value != kept:
            return f"this computer's SQLite does not keep {pragma} = {value} (it says {kept_value})"
    return ""


@contextmanager
def refusals(path: Path) -> Iterator[None]:
    """Turn SQLite's errors about `path` into refusals in our words; whatever is a bug of ours still crashes."""
    try:
        yield
    except sqlite3.Error as fault:
        name = getattr(fault, "sqlite_errorname", None) or _guess(fault)
        if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
            refuse_torn(path, *_pages(path))
        for known, said, hint in _SAID:
            if name.startswith(known):
                raise TourneyError(said.format(file=path.name), hint) from fault
        raise
    except UnicodeDecodeError as fault:
        # SQLite quotes damaged tables in its own message, and Python cannot read that.
        raise TourneyError(
            f"{path.name} is damaged: its tables are not as they were made", ALTERED
        ) from fault


def refuse_torn(path: Path, pages: int, size: int) -> None:
    """Refuse a file that has not all of its pages of `size` bytes. SQLite reads what is missing of the last as zeros."""
    present = path.stat().st_size
    if present < pages * size:
        raise TourneyError(
            f"{path.name} is torn: {present / size:.1f} of its {pages} pages are there; it was cut off, or copied while it was"
            " being written",
            TORN,
        )


def _pages(path: Path) -> tuple[int, int]:
    """Return how many pages a database says that it has, and their size; see SQLite's file format, section 1.3."""
    with path.open("rb") as file:
        start = file.read(100)
    counted = len(start) == 100 and start[24:28] == start[92:96]
    size = int.from_bytes(start[16:18], "big")
    return (int.from_bytes(start[28:32], "big") if counted else 0), 2**16 if size == 1 else size or 1


def _guess(fault: sqlite3.Error) -> str:
    """Name an error that Python raised without SQLite's own name: text in the file that is no UTF-8."""
    return "SQLITE_CORRUPT" if "decode" in str(fault) else type(fault).__name__
