"""The event file: entries in a table that only grows, texts beside them, one transaction for each change."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from tourney.errors import TourneyError
from tourney.event.entry import ALTERED, NEWER, Row
from tourney.event.parts import Ref
from tourney.event.texts import Text, ref_of
from tourney.store.sqlite import APPLICATION, FORMAT, connect, refusals

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
SHORT = 512
"""Texts up to that many bytes (names, reasons) are read all at once; longer ones when they are asked for."""

_MAGIC = b"SQLite format 3\0"
_NOT_AN_EVENT = "`tourney event new` makes an event, `tourney event import` reads an exported one"


class Journal:
    """An open event file. Close it, or use it in a `with`.

    Knows entries, texts and the secret as bytes; what they mean is the business of `tourney.event`.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection

    @classmethod
    def create(cls, path: Path, rows: Sequence[Row], texts: Iterable[Text], secret: bytes | None) -> Journal:
        """Make the event file `path` with its first entries, all or nothing, and open it.

        A file of no bytes (a creation that was killed) may stand there. Raises TourneyError if anything else does,
        or if the folder is not there or not writable.
        """
        new = not path.exists()
        if not new and (not path.is_file() or path.stat().st_size):
            raise TourneyError(
                f"{path.name} exists already", "choose another name, or move the old file away"
            )
        if not path.absolute().parent.is_dir():
            raise TourneyError(f"there is no folder {path.parent}")
        connection = connect(path, create=True)
        journal = cls(path, connection)
        try:
            journal._fill(rows, texts, secret)
        except BaseException:
            journal.close()
            if new and path.exists() and not path.stat().st_size:
                path.unlink()
            raise
        return journal

    @classmethod
    def open(cls, path: Path) -> Journal:
        """Open an event file. Raises TourneyError if there is none, or it is another kind of file, or too new."""
        _look_at(path)
        journal = cls(path, connect(path))
        try:
            journal._recognize()
        except BaseException:
            journal.close()
            raise
        return journal

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- reading

    def rows(self, after: int = 0) -> list[Row]:
        """Return the entries after the number `after`, oldest first, as they lie in the file.

        Their chain is checked by `tourney.event.entry.read`; that none is missing at the end is checked here, against
        the number and digest that every append writes apart. Raises TourneyError.
        """
        query = "SELECT seq, at, by, op, digest FROM journal WHERE seq > ? ORDER BY seq"
        with refusals(self.path), self._snapshot():
            head = self._connection.execute("SELECT seq, digest FROM head").fetchone()
            found = self._fetch(query, after)
        ends = (found[-1].seq, found[-1].digest) if found else None
        if head is None or (ends != head if ends else head[0] != after):
            raise TourneyError(
                f"{self.path.name}: the journal ends with entry {ends[0] if ends else after}, but that is not the last"
                " one written",
                ALTERED,
            )
        return found

    def _fetch(self, query: str, after: int) -> list[Row]:
        with refusals(self.path):
            try:
                found = self._connection.execute(query, (after,)).fetchall()
            except sqlite3.OperationalError as fault:
                if "decode" not in str(fault):
                    raise
                # Damaged text: read it leniently, so that the chain can say which entry it is.
                self._connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
                found = self._connection.execute(query, (after,)).fetchall()
        return list(map(Row._make, found))

    @contextmanager
    def _snapshot(self) -> Iterator[None]:
        """Read several tables as they were at one moment."""
        self._connection.execute("BEGIN")
        try:
            yield
        finally:
            if self._connection.in_transaction:
                self._connection.execute("COMMIT")

    def short_texts(self) -> dict[Ref, str | None]:
        """Return all texts of up to `SHORT` bytes; None for those deleted by request.

        Raises TourneyError for a text that does not fit its digest.
        """
        query = "SELECT digest, salt, bytes FROM texts WHERE bytes IS NULL OR length(bytes) <= ?"
        with refusals(self.path):
            found = self._connection.execute(query, (SHORT,)).fetchall()
        return {Ref(ref): self._verified(ref, salt, content) for ref, salt, content in found}

    def text(self, ref: Ref) -> str | None:
        """Return a text; None if it was deleted by request. Raises TourneyError if it is missing or altered."""
        content = self.text_bytes(ref)
        return None if content is None else content.decode()

    def text_bytes(self, ref: Ref) -> bytes | None:
        """Return a text's bytes; see `text`."""
        with refusals(self.path):
            found = self._connection.execute(
                "SELECT salt, bytes FROM texts WHERE digest = ?", (ref,)
            ).fetchone()
        if found is None:
            raise TourneyError(f"{self.path.name}: the text {ref[:12]}… is missing", ALTERED)
        self._verified(ref, *found)
        content: bytes | None = found[1]
        return content

    def texts(self) -> Iterator[tuple[Ref, bytes | None, bytes | None]]:
        """Yield every text as (ref, salt, bytes), in order of ref, unchecked; salt and bytes are None once deleted."""
        with refusals(self.path):
            yield from self._connection.execute("SELECT digest, salt, bytes FROM texts ORDER BY digest")

    def secret(self) -> bytes | None:
        """Return the event secret; None in a copy that was made without it."""
        with refusals(self.path):
            found = self._connection.execute("SELECT bytes FROM secret").fetchone()
        return bytes(found[0]) if found else None

    def damage(self) -> list[str]:
        """Return what SQLite's own check of the whole file has to say; empty where all is well."""
        with refusals(self.path):
            found = self._connection.execute("PRAGMA integrity_check(20)").fetchall()
        return [line for (line,) in found if line != "ok"]

    # -- writing

    def append(
        self, after: int, rows: Sequence[Row], texts: Iterable[Text] = (), blanked: Iterable[Ref] = ()
    ) -> bool:
        """Append `rows` if the journal still ends with entry `after`; return whether it did.

        When this returns True the entries are on the disk. blanked: texts whose bytes and salt are deleted in the
        same transaction. Raises TourneyError, with nothing changed, where the file cannot be written.
        """
        with self._transaction():
            (last,) = self._connection.execute("SELECT coalesce(max(seq), 0) FROM journal").fetchone()
            if last != after:
                return False
            self._insert(rows, texts)
            self._connection.executemany(
                "UPDATE texts SET salt = NULL, bytes = NULL WHERE digest = ?", [(ref,) for ref in blanked]
            )
        return True

    def copy_to(self, target: sqlite3.Connection) -> None:
        """Copy the file as it stands, whole and consistent, into another database."""
        with refusals(self.path):
            self._connection.backup(target)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with refusals(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    def _fill(self, rows: Sequence[Row], texts: Iterable[Text], secret: bytes | None) -> None:
        from tourney import __version__

        with self._transaction():
            if self._connection.execute("SELECT 1 FROM sqlite_master").fetchone():
                raise TourneyError(f"{self.path.name} was just made by somebody else")
            for statement in _statements(_SCHEMA):
                self._connection.execute(statement)
            self._connection.execute(f"PRAGMA application_id = {APPLICATION}")
            self._connection.execute(f"PRAGMA user_version = {FORMAT}")
            header = {"format": str(FORMAT), "made by": f"tourney {__version__}"}
            self._connection.executemany("INSERT INTO header VALUES (?, ?)", header.items())
            if secret is not None:
                self._connection.execute("INSERT INTO secret VALUES (?)", (secret,))
            self._insert(rows, texts)

    def _insert(self, rows: Sequence[Row], texts: Iterable[Text]) -> None:
        self._connection.executemany("INSERT INTO journal VALUES (?, ?, ?, ?, ?)", rows)
        if rows:
            self._connection.execute(
                "INSERT OR REPLACE INTO head VALUES (1, ?, ?)", (rows[-1].seq, rows[-1].digest)
            )
        self._connection.executemany("INSERT OR IGNORE INTO texts VALUES (?, ?, ?)", texts)

    def _recognize(self) -> None:
        with refusals(self.path):
            (application,) = self._connection.execute("PRAGMA application_id").fetchone()
            (version,) = self._connection.execute("PRAGMA user_version").fetchone()
            tables = {name for (name,) in self._connection.execute("SELECT name FROM sqlite_master")}
        if application != APPLICATION:
            raise TourneyError(
                f"{self.path.name} is a database of another program, not an event", _NOT_AN_EVENT
            )
        if version > FORMAT:
            raise TourneyError(f"{self.path.name} was written by a newer tourney (format {version})", NEWER)
        if version < 1 or not {"header", "head", "journal", "texts", "secret"} <= tables:
            raise TourneyError(f"{self.path.name} is damaged: its tables are not all there", ALTERED)

    def _verified(self, ref: str, salt: object, content: object) -> str | None:
        if content is None and salt is None:
            return None
        if not (isinstance(salt, bytes) and isinstance(content, bytes)) or ref_of(content, salt) != ref:
            raise TourneyError(
                f"{self.path.name}: the text {str(ref)[:12]}… is not as it was written", ALTERED
            )
        return content.decode()


def _statements(script: str) -> Iterator[str]:
    """Split a script at the ends of whole statements; a trigger holds semicolons of its own."""
    statement = ""
    for line in script.splitlines():
        statement += line + "\n"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _look_at(path: Path) -> None:
    """Refuse what is no event before SQLite touches it."""
    try:
        if path.is_dir():
            raise TourneyError(f"{path.name} is a folder, not an event file")
        with path.open("rb") as file:
            start = file.read(len(_MAGIC))
    except FileNotFoundError:
        raise TourneyError(f"there is no event file {path}", _NOT_AN_EVENT) from None
    except OSError as fault:
        raise TourneyError(f"{path.name} cannot be read: {fault.strerror}") from None
    if not start:
        raise TourneyError(
            f"{path.name} is empty: its creation was interrupted", "`tourney event new` may be repeated"
        )
    if start != _MAGIC:
        raise TourneyError(f"{path.name} is not an event file", _NOT_AN_EVENT)
