"""SQLite as event files need it: how a connection is made, waits and ends, and what its errors mean to an organizer."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tourney.errors import TourneyError
from tourney.event.entry import ALTERED
from tourney.store.journal import Waiting

PATIENCE = 60.0
"""Seconds for which a writer or reader waits for its turn before it is refused."""


_TELL_AFTER, _TELL_AGAIN = 1.0, 10.0


# Durability is these lines: never a write-ahead log (the file alone is the event), and a commit returns only after
# file and folder were synced. The tests read them back from every connection.
_PRAGMAS: tuple[tuple[str, str, object], ...] = (
    ("trusted_schema", "OFF", 0),  # files travel: a view or trigger in one may not call functions
    ("cell_size_check", "ON", 1),  # nor may a cell reach out of its page
    ("busy_timeout", "0", 0),  # `EventConnection` waits: that can be interrupted, and is told
    ("journal_mode", "DELETE", "delete"),
    ("synchronous", "EXTRA", 3),
    ("fullfsync", "ON", 1),  # macOS: fsync alone leaves data in the drive's cache
    ("secure_delete", "ON", 1),  # an erased name is overwritten, not only unlinked
    ("cache_spill", "OFF", 0),  # only a commit needs the file alone, and a commit can be tried again
)


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


def connect(path: Path, *, create: bool = False, waiting: Waiting | None = None) -> EventConnection:
    """Open `path`, with the pragmas above set and read back; transactions are begun by hand.

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
            _prepare(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection


def _prepare(connection: EventConnection, path: Path) -> None:
    for pragma, value, kept in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma} = {value}").close()
        (kept_value,) = connection.execute(f"PRAGMA {pragma}").fetchone()
        if kept_value != kept:
            raise TourneyError(
                f"{path.name}: this computer's SQLite does not keep {pragma} = {value} (it says {kept_value})",
                "the file may have been changed by another program; go back to a copy in `.tourney-backups/`",
            )


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
