"""Connect to event files with SQLite, and wait while another program has locked the file.

Writes are durable. Limits protect the program against hostile files.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from tourney.errors import TourneyError
from tourney.event.entry import ALTERED
from tourney.store.journal import PATIENCE, REPORT_AFTER, REPORT_EVERY, Waiting

# These pragmas make changes durable. A write-ahead log is not used, because a single file must contain the
# whole event. A commit returns only after the file and its folder were synced. The tests read the pragmas
# back from every connection.
DURABLE: tuple[tuple[str, str, object], ...] = (
    ("trusted_schema", "OFF", 0),  # a file from elsewhere must not call functions in a view or trigger
    ("cell_size_check", "ON", 1),  # a cell may not extend beyond its page
    ("journal_mode", "DELETE", "delete"),
    ("synchronous", "EXTRA", 3),
    ("fullfsync", "ON", 1),  # macOS: fsync alone leaves data in the drive's cache
    ("secure_delete", "ON", 1),  # an erased name is overwritten, not only unlinked
)
"""Pragmas for every database file: name, value, and SQLite's answer when it is read back."""

_PRAGMAS = (
    (
        "busy_timeout",
        "0",
        0,
    ),  # `EventConnection` waits instead, so that waiting can be interrupted and reported
    *DURABLE,
    ("cache_spill", "OFF", 0),  # so that only a commit locks out readers, and a commit can be repeated
)

_PRAGMAS_OF_DAMAGED = (("writable_schema", "ON", 1), *DURABLE[:2])
"""Pragmas for a damaged file.

With the first one, SQLite reads a file that has fewer pages than its header says.
"""

# An event file can come from anyone. These limits are far above what an event needs; they limit the cost of
# reading a file.
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

MOST = 256 * 2**20
"""The maximum number of bytes of entries, or of texts, that are read at once.

A large event has a thousandth of that.
"""

_STEPS = 100_000
"""The number of steps of SQLite's virtual machine between two checks of a statement's limit."""

DAMAGED_FILE = "{file} is damaged: it was cut off, changed from outside, or copied while it was being written"
TORN = (
    "copy it again with `tourney event backup`, or while no program writes to it; "
    f"if that does not help, {ALTERED}"
)
"""The message and the hint for a file that is a mix of two states, or whose end is missing."""

_REFUSALS: tuple[tuple[tuple[str, ...], str, str | None], ...] = (
    (("SQLITE_FULL",), "the disk of {file} is full; nothing was changed",
     "free some space on the disk, then repeat the command"),
    (("SQLITE_IOERR",),
     "{file} could not be written or read: the disk is full or failing; nothing was changed",
     "free some space, or copy the event to another disk"),
    (("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM"),
     "{file} or its folder is not writable; nothing was changed",
     "check the permissions of the file and its folder"),
    (("SQLITE_BUSY", "SQLITE_LOCKED"), "another program has been writing to {file} for more than a minute;"
     " nothing was changed", "repeat the command"),
    (("SQLITE_NOTADB",), "{file} is not an event file", "`tourney event new` makes one"),
    # All statements are ours and are tested. If SQLite cannot run one, the tables are not ours, or damaged.
    (("SQLITE_ERROR",), "{file} is damaged: its tables do not have the expected structure", ALTERED),
    (("SQLITE_CORRUPT", "SQLITE_INTERRUPT"), DAMAGED_FILE, TORN),
    (("SQLITE_TOOBIG",), "the text is too long for {file}", None),
)  # fmt: skip
"""Each row has prefixes of the names of SQLite's errors, the message, and the hint."""


class EventConnection(sqlite3.Connection):
    """A connection that waits for its turn, and that stops statements that would never end.

    If the file is busy, a statement is tried again for `patience` seconds, and `waiting` is called meanwhile.
    SQLite does not have a queue: the program that asks at the right moment is next. So the longer a program
    has waited, the more often it asks, up to once in a millisecond. On a slow disk, the programs that came
    first are then nearly always next. The waiting time starts with the first statement of a change that has
    to wait, and is reset at the end of the turn.

    The limit of steps for a statement grows with the size of the file. Our statements take a few dozen steps
    for each row, and no row is shorter than a few bytes. In a hostile file, pages that form a circle would
    make a statement run forever.
    """

    path: Path
    patience = PATIENCE
    waiting: Waiting | None = None
    steps = 0
    _waiting_since: float | None = None
    _report_at = REPORT_AFTER

    def execute(self, *arguments: Any) -> sqlite3.Cursor:
        """Run a statement; while another program has locked the file, wait and try again.

        Before the statement, the number of steps is set back to 0, because `count` limits the steps of each
        statement.
        """
        self.steps = 0
        try:
            return super().execute(*arguments)
        except sqlite3.OperationalError as fault:
            if not _is_busy(fault):
                raise
        return self._wait_and_execute(*arguments)

    def rows(self, query: str, values: Sequence[object] = ()) -> Iterator[Any]:
        """Yield the rows of a query.

        Raises TourneyError if the rows contain more bytes than the file can hold, or more than `MOST`. This
        happens in a damaged file whose pages refer to each other in a circle.
        """
        pages, page_size = (
            self.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size")
        )
        room = min(MOST, pages * page_size + 2**16)
        for row in self.execute(query, values):
            room -= sum(len(value) for value in row if isinstance(value, bytes | str))
            if room < 0:
                message = f"{self.path.name} is damaged: it contains more data than its size allows"
                raise TourneyError(message, ALTERED)
            yield row

    def _wait_and_execute(self, *arguments: Any) -> sqlite3.Cursor:
        random = Random()  # noqa: S311 - only so that two waiting programs do not ask at the same moments
        if self._waiting_since is None:
            self._waiting_since, self._report_at = time.monotonic(), REPORT_AFTER
        while True:
            waiting_time = time.monotonic() - self._waiting_since
            time.sleep(max(0.02 / (1 + waiting_time) ** 2, 0.001) * random.uniform(0.5, 1.5))
            try:
                return super().execute(*arguments)
            except sqlite3.OperationalError as fault:
                if not _is_busy(fault) or waiting_time > self.patience:
                    raise
            if self.waiting is not None and waiting_time >= self._report_at:
                self.waiting(waiting_time)
                self._report_at = waiting_time + REPORT_EVERY

    def end_turn(self) -> None:
        """End this program's turn to write, and reset its waiting time.

        If this program had to wait, it first sleeps for 20 ms, so that another program can be next.
        """
        if self._waiting_since is not None:
            time.sleep(0.02)
        self._waiting_since = None

    def count(self) -> bool:
        """Count SQLite's steps, and return whether the current statement has made too many.

        Such a statement is stopped. The limit grows with the size of the file.
        """
        self.steps += _STEPS
        return self.steps > 10_000_000 and self.steps > 20 * self.path.stat().st_size


def _is_busy(fault: sqlite3.OperationalError) -> bool:
    return (getattr(fault, "sqlite_errorname", None) or "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))


def connect(
    path: Path, *, create: bool = False, is_damaged: bool = False, waiting: Waiting | None = None
) -> EventConnection:
    """Open `path` and set its pragmas. The caller begins transactions explicitly.

    is_damaged: whether to read the rest of a truncated file, which SQLite would otherwise refuse. The
                pragmas are then `_PRAGMAS_OF_DAMAGED` instead of `_PRAGMAS`

    Raises TourneyError if the file cannot be opened or SQLite does not accept a pragma.
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
            set_pragmas(connection, _PRAGMAS_OF_DAMAGED if is_damaged else _PRAGMAS)
        except BaseException:
            connection.close()
            raise
    return connection


def set_pragmas(connection: sqlite3.Connection, pragmas: Iterable[tuple[str, str, object]]) -> None:
    """Set pragmas. Raises sqlite3.NotSupportedError if SQLite does not accept one."""
    for pragma, value, expected_answer in pragmas:
        connection.execute(f"PRAGMA {pragma} = {value}").close()
        (answer,) = connection.execute(f"PRAGMA {pragma}").fetchone()
        if answer != expected_answer:
            raise sqlite3.NotSupportedError(
                f"this computer's SQLite does not accept {pragma} = {value} (its answer is {answer})"
            )


@contextmanager
def refusals(path: Path) -> Iterator[None]:
    """Raise SQLite's errors in the `with` block as a `TourneyError` about `path`.

    Errors that only a bug can cause are not changed.
    """
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as fault:
        # Python's errors about text that is not UTF-8, even in SQLite's message, have no error name.
        default_name = "SQLITE_CORRUPT" if "decode" in str(fault) else ""
        name = getattr(fault, "sqlite_errorname", None) or default_name
        if isinstance(fault, sqlite3.NotSupportedError):
            raise TourneyError(
                f"{path.name}: {fault}",
                "another program may have changed the file; restore a copy from `.tourney-backups/`",
            ) from fault
        for prefixes, message, hint in _REFUSALS:
            if name.startswith(prefixes):
                raise TourneyError(message.format(file=path.name), hint) from fault
        raise
