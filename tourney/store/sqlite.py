"""Connections to event files: durable, bounded in what a hostile file may cost, patient while another program writes."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from tourney.errors import TourneyError
from tourney.event.entry import ALTERED
from tourney.store.journal import PATIENCE, REPORT_AFTER, REPORT_EVERY, Waiting

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
"""Pragmas of every file of ours, each with its value and the answer of SQLite."""

_PRAGMAS = (
    ("busy_timeout", "0", 0),  # `EventConnection` waits: that can be interrupted and reported
    *DURABLE,
    ("cache_spill", "OFF", 0),  # only a commit needs the file alone, and a commit can be tried again
)

_PRAGMAS_OF_DAMAGED = (("writable_schema", "ON", 1), *DURABLE[:2])
"""With the first, SQLite reads a file that has fewer pages than it says."""

# An event file may come from anyone. These are far above what an event needs, and bound what reading one may cost.
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
"""Steps of SQLite's virtual machine between two checks whether a statement takes too long."""

TORN = f"copy it again with `tourney event backup`, or while nobody writes; else {ALTERED}"
"""The hint for a file that is half of one state and half of another."""

_REFUSALS: tuple[tuple[str, str, str | None], ...] = (
    ("SQLITE_FULL", "no room is left for {file}; nothing was changed",
     "make room on the disk, then repeat the command"),
    ("SQLITE_IOERR", "{file} could not be written or read: the disk is full or failing; nothing was changed",
     "make room, or copy the event to another disk"),
    ("SQLITE_READONLY", "{file} may not be written to; nothing was changed",
     "check the rights of the file and its folder"),
    ("SQLITE_CANTOPEN", "{file} or its folder may not be written to; nothing was changed",
     "check the rights of the file and its folder"),
    ("SQLITE_PERM", "{file} may not be opened", "check the rights of the file and its folder"),
    ("SQLITE_BUSY", "another program has been writing to {file} for more than a minute; nothing was changed",
     "repeat the command"),
    ("SQLITE_LOCKED", "another program has been writing to {file} for more than a minute; nothing was changed",
     "repeat the command"),
    ("SQLITE_NOTADB", "{file} is not an event file", "`tourney event new` makes one"),
    ("SQLITE_CORRUPT", "{file} is damaged", ALTERED),
    # All statements are ours and tested: one that SQLite cannot run means that the tables are not.
    ("SQLITE_ERROR", "{file} is damaged: its tables are not as they were made", ALTERED),
    ("SQLITE_INTERRUPT", "{file} is damaged: reading it would never end", ALTERED),
    ("SQLITE_TOOBIG", "the text is too long for {file}", None),
)  # fmt: skip
"""Prefix of SQLite's error name, message, hint."""


class EventConnection(sqlite3.Connection):
    """A connection that waits for its turn, and whose statements end.

    A busy file is tried again for `patience` seconds; `waiting` is called meanwhile. SQLite has no queue: the program that
    asks at the right moment is next. So the intervals get shorter the longer a program waits, down to a millisecond, and on a
    slow disk those who came first are nearly always next. The wait is counted from the first statement of a change
    that had to wait to the end of its turn.

    A statement may take a number of steps that grows with the file: all are ours and take a few dozen for each row, and
    no row is shorter than a few bytes. Pages that lead in a circle would make them take more and more.
    """

    path: Path
    patience = PATIENCE
    waiting: Waiting | None = None
    steps = 0
    _waiting_since: float | None = None
    _report_at = REPORT_AFTER

    def execute(self, *arguments: Any) -> sqlite3.Cursor:
        """Run a statement, counting its steps from 0, as soon as the file is free."""
        self.steps = 0
        try:
            return super().execute(*arguments)
        except sqlite3.OperationalError as fault:
            if not _is_busy(fault):
                raise
        return self._wait_and_execute(*arguments)

    def _wait_and_execute(self, *arguments: Any) -> sqlite3.Cursor:
        dice = Random()  # noqa: S311 - only so that two waiting programs do not ask in step
        if self._waiting_since is None:
            self._waiting_since, self._report_at = time.monotonic(), REPORT_AFTER
        while True:
            waited = time.monotonic() - self._waiting_since
            time.sleep(max(0.02 / (1 + waited) ** 2, 0.001) * dice.uniform(0.5, 1.5))
            try:
                return super().execute(*arguments)
            except sqlite3.OperationalError as fault:
                if not _is_busy(fault) or waited > self.patience:
                    raise
            if self.waiting is not None and waited >= self._report_at:
                self.waiting(waited)
                self._report_at = waited + REPORT_EVERY

    def end_turn(self) -> None:
        """Count the next wait from zero; a program that had to wait lets another one go first."""
        if self._waiting_since is not None:
            time.sleep(0.02)
        self._waiting_since = None

    def count(self) -> bool:
        """Return whether the current statement has to be stopped."""
        self.steps += _STEPS
        return self.steps > 10_000_000 and self.steps > 20 * self.path.stat().st_size


def _is_busy(fault: sqlite3.OperationalError) -> bool:
    return (getattr(fault, "sqlite_errorname", None) or "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))


def connect(
    path: Path, *, create: bool = False, damaged: bool = False, waiting: Waiting | None = None
) -> EventConnection:
    """Open `path` with the pragmas above set and read back; transactions are begun by hand.

    damaged: read what is left of the file, even if it was cut off; SQLite would refuse it otherwise

    Raises TourneyError if the file cannot be opened or SQLite does not keep a pragma.
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
            _prepare(connection, _PRAGMAS_OF_DAMAGED if damaged else _PRAGMAS)
        except BaseException:
            connection.close()
            raise
    return connection


def _prepare(connection: EventConnection, pragmas: Iterable[tuple[str, str, object]]) -> None:
    if fault := set_pragmas(connection, pragmas):
        raise TourneyError(
            f"{connection.path.name}: {fault}",
            "the file may have been changed by another program; go back to a copy in `.tourney-backups/`",
        )


def set_pragmas(connection: sqlite3.Connection, pragmas: Iterable[tuple[str, str, object]]) -> str:
    """Set pragmas and read them back; return the first fault in words, or nothing."""
    for pragma, value, expected in pragmas:
        connection.execute(f"PRAGMA {pragma} = {value}").close()
        (answer,) = connection.execute(f"PRAGMA {pragma}").fetchone()
        if answer != expected:
            return f"this computer's SQLite does not keep {pragma} = {value} (it says {answer})"
    return ""


@contextmanager
def refusals(path: Path) -> Iterator[None]:
    """Turn SQLite's errors about `path` into refusals; a bug of ours still crashes."""
    try:
        yield
    except sqlite3.Error as fault:
        # Python raises errors about text that is not UTF-8 without SQLite's name.
        unnamed = "SQLITE_CORRUPT" if "decode" in str(fault) else ""
        name = getattr(fault, "sqlite_errorname", None) or unnamed
        if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
            refuse_torn(path, *_pages(path))
        for prefix, message, hint in _REFUSALS:
            if name.startswith(prefix):
                raise TourneyError(message.format(file=path.name), hint) from fault
        raise
    except UnicodeDecodeError as fault:
        # SQLite quotes damaged tables in its own message, and Python cannot read that.
        raise TourneyError(
            f"{path.name} is damaged: its tables are not as they were made", ALTERED
        ) from fault


def refuse_torn(path: Path, pages: int, size: int) -> None:
    """Refuse a file that lacks some of its `pages` of `size` bytes. SQLite reads a missing end as zeros."""
    present = path.stat().st_size
    if present < pages * size:
        raise TourneyError(
            f"{path.name} is torn: {present / size:.1f} of its {pages} pages are there; it was cut off, or copied"
            " while it was being written",
            TORN,
        )


def _pages(path: Path) -> tuple[int, int]:
    """Return how many pages a database says that it has, and their size; see SQLite's file format, section 1.3."""
    with path.open("rb") as file:
        start = file.read(100)
    counted = len(start) == 100 and start[24:28] == start[92:96]
    size = int.from_bytes(start[16:18], "big")
    return (int.from_bytes(start[28:32], "big") if counted else 0), 2**16 if size == 1 else size or 1
