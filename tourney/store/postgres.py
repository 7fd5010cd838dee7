"""Events in PostgreSQL, shared by several machines; the tables are those of an event file.

This package's `README.md` describes the lock, the handling of a lost answer, and the roles.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any, Self, TypeVar

import psycopg
from psycopg import errors

from tourney import __version__
from tourney.errors import TourneyError, UnsettledError
from tourney.event.entry import JournalRow, Text, check_chain
from tourney.event.ops import Ref
from tourney.store.database import LOCK, TABLES, Address, Database, refusals, refuse_newer
from tourney.store.event_file import EventFile
from tourney.store.journal import (
    PATIENCE,
    REPORT_AFTER,
    REPORT_EVERY,
    AwayError,
    EventPlace,
    Journal,
    Listening,
    StoredEvent,
    Waiting,
)
from tourney.store.sql_journal import LastEntry, SqlJournal

T = TypeVar("T")

BACK_WITHIN = 20.0
"""The maximum time to wait for a server that was lost during a commit, in seconds."""

_LOOKS = 0.5
"""The seconds between two checks of an event on a server that does not send notifications."""

_VACUUM = "ask the owner of the tables to run `VACUUM (FULL) tourney.texts`"

_INSERT_ROWS = (
    "INSERT INTO tourney.journal (event, seq, at, by, op, digest) SELECT %s, added.* FROM"
    " unnest(%s::bigint[], %s::text[], %s::text[], %s::bytea[], %s::text[]) AS added"
)
_INSERT_TEXTS = (
    "INSERT INTO tourney.texts (event, digest, salt, bytes) SELECT %s, added.* FROM"
    " unnest(%s::text[], %s::bytea[], %s::bytea[]) AS added ON CONFLICT"
)
_REPLACE = " (event, digest) DO UPDATE SET salt = excluded.salt, bytes = excluded.bytes"


class PostgresPlace(Address, EventPlace):
    """The place of an event that is stored in a PostgreSQL database."""

    def require_event(self) -> None:
        """Raise TourneyError if the address does not name an event."""
        if not self.event:
            raise TourneyError(
                "the database's address does not name an event",
                "write an address such as `pg:friday`; `tourney event list -e pg:` lists the events",
            )

    def open(self, *, waiting: Waiting | None = None) -> PostgresJournal:
        """Open the event."""
        return PostgresJournal.open(self, waiting=waiting)

    def begin(self, content: StoredEvent, begun: Callable[[Journal], T]) -> T:
        """Create the event."""
        return PostgresJournal.begin(self, content, begun)

    def refuse_taken(self) -> None:
        """Raise TourneyError if the name is taken or the database cannot be reached."""
        with Database.open(self) as database:
            database.refuse_taken()

    @contextmanager
    def looking(self) -> Iterator[Callable[[], object]]:
        """Provide a function for polling the event; see `EventPlace.looking`.

        The result of the function changes with each new entry. The function uses a connection of its own.
        """
        database: Database | None = None

        def look() -> object:
            nonlocal database
            database = database or Database.open(self)
            rows = database.ask(
                "SELECT e.id, h.seq, h.digest FROM tourney.events e JOIN tourney.head h ON h.event = e.id"
                " WHERE e.name = %s",
                self.event,
            )
            return next(iter(rows), None)

        try:
            yield look
        finally:
            if database is not None:
                database.close()


class PostgresJournal(SqlJournal):
    """An open event in a database; see `Journal`. Use it in a `with`, or close it.

    A turn is a READ COMMITTED transaction that begins with a lock on the event's row in `head`. Meanwhile,
    other writers wait, and readers see the state before the turn.
    """

    def __init__(self, place: PostgresPlace, database: Database, event: int) -> None:
        self.place = place
        self.patience = PATIENCE
        self._database = database
        self._event = event
        self._waiting: Waiting | None = None
        self._head: LastEntry | None = None
        """The last entry in the current turn; None if there is no turn."""
        self._written = ""
        """The kind of rows that were written in the turn: `entries`, `texts`, or empty for none."""
        self._is_new = False
        """Whether the event's creation is not committed yet."""

    @classmethod
    def begin(cls, place: PostgresPlace, content: StoredEvent, begun: Callable[[Self], T]) -> T:
        """Create the event; see `EventPlace.begin`."""
        place.require_event()
        journal = cls(place, Database.open(place), 0)
        try:
            with refusals(place.name):
                journal._fill(content)
                answer = begun(journal)
                journal._commit()
        except BaseException:
            journal.close()  # then the server rolls back
            raise
        journal._head, journal._is_new = None, False
        return answer

    def _fill(self, content: StoredEvent) -> None:
        """Reserve the event's name, and write its first entries.

        Another program that wants to create an event with the same name waits for the commit or rollback.
        """
        self._lock_name()
        run = self._database.run
        # No desk can see the event yet, so no desk waits for it, and a long import must not time out.
        run("SET LOCAL idle_in_transaction_session_timeout = 0")
        self._database.refuse_taken()
        ((self._event,),) = run(
            "INSERT INTO tourney.events (name, made_by, erased) VALUES (%s, %s, %s::text[]) RETURNING id",
            self._database.address.event,
            f"tourney {__version__}",
            sorted(content.erased),
        )
        self._head, self._is_new = LastEntry(0, ""), True
        if content.secret is not None:
            run("INSERT INTO tourney.secrets VALUES (%s, %s)", self._event, content.secret)
        self._write(list(check_chain(content.rows)), content.texts)

    def _lock_name(self) -> None:
        """Begin a transaction in which no other program can create an event of this name."""
        self._database.run("BEGIN ISOLATION LEVEL READ COMMITTED")
        name = self._database.address.event.casefold()
        self._database.run("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", LOCK, name)

    @classmethod
    def open(cls, place: PostgresPlace, *, waiting: Waiting | None = None) -> Self:
        """Open an event. `waiting` is called while another program writes to it.

        Raises TourneyError if the event does not exist, or the database cannot be read.
        """
        place.require_event()
        database = Database.open(place)
        try:
            journal = cls(place, database, database.event())
        except BaseException:
            database.close()
            raise
        journal._waiting = waiting
        return journal

    def close(self) -> None:
        """Close the connection."""
        self._database.close()

    # -- reading

    def _refusals(self) -> AbstractContextManager[None]:
        return refusals(self.place.name)

    def _of(self, table: str) -> str:
        return f"tourney.{'secrets' if table == 'secret' else table} WHERE event = {self._event:d}"

    def _ask(self, query: str, *values: object) -> list[Any]:
        return self._database.ask(query.replace("?", "%s"), *values)

    def rows(self, after: int = 0) -> list[JournalRow]:
        """Return the entries after entry `after`; see `Journal.rows`."""
        if self._head is not None and 0 < after == self._head.seq:
            return []  # no other desk writes in our turn
        return super().rows(after)

    def erased(self) -> frozenset[Ref]:
        """Return the refs of texts that were deleted from a copy before this event was made from it.

        The result is empty if the event was not made from a copy.
        """
        rows = self._ask("SELECT unnest(erased) FROM tourney.events WHERE id = ?", self._event)
        return frozenset(Ref(ref) for (ref,) in rows)

    # -- writing

    def _begin(self) -> None:
        """Begin a transaction and wait until it has locked the event's row."""
        since = time.monotonic()
        wait = min(REPORT_AFTER, self.patience)
        has_reconnected = False
        self._written = ""
        while True:
            try:
                self._head = self._lock(wait)
            except (errors.LockNotAvailable, errors.SerializationFailure, errors.DeadlockDetected):
                self._database.roll_back()
                waiting_time = time.monotonic() - since
                if waiting_time >= self.patience:
                    raise
                if self._waiting is not None:
                    self._waiting(waiting_time)
                wait = max(min(REPORT_EVERY, self.patience - waiting_time), 0.001)
            except psycopg.OperationalError:
                if has_reconnected or not self._database.is_lost:
                    raise
                has_reconnected = True
                self._database.connect_again()
            else:
                return

    def _lock(self, wait: float) -> LastEntry:
        """Begin a transaction, lock the record of the event's last entry, and return this record.

        All of this is one message to the server.

        wait: the maximum time to wait for the lock, in seconds
        """
        rows = self._database.run(
            f"BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = {wait * 1000:.0f};"  # noqa: S608 - numbers
            " SELECT h.seq, h.digest, v.number FROM tourney.version v, tourney.head h"
            f" WHERE h.event = {self._event:d} FOR UPDATE OF h"
        )
        if not rows:
            raise TourneyError(f"{self.place.name} is not in the database any more")
        seq, digest, version = rows[0]
        refuse_newer(version)  # the tables may have been upgraded since they were opened
        return LastEntry(seq, digest)

    def _commit(self) -> None:
        """Send the queued statements and commit them.

        Raises UnsettledError if it is unknown whether the commit took place. Any other exception means that
        nothing was written.
        """
        if self._database.has_failed or self._database.idle:
            raise TourneyError(f"the database refused a change: nothing was written to {self.place.name}")
        try:
            self._database.run("COMMIT")
        except BaseException:
            # If the transaction has failed, it is still open, because the server did not reach the COMMIT.
            if self._database.has_failed or not self._is_written():
                raise

    def _is_written(self) -> bool:
        """Return whether a commit took effect although its answer was lost.

        The server may still be working on that transaction, so this method waits for its end before it reads
        the journal. Raises UnsettledError if the server cannot be reached.
        """
        if self._head is None or not self._written:
            return False
        self._database.roll_back()  # closes a connection that does not answer
        head, was_lost = self._head, self._database.is_lost
        changes = f"entry {head.seq} was" if self._written == "entries" else "texts were"
        unsettled_error = UnsettledError(
            f"the connection to the database was lost while {changes} being written to {self.place.name}:"
            " it may have been written, or not",
            "repeat the command when the database is back; nothing is entered twice",
        )
        if self._written == "texts":
            if was_lost:
                raise unsettled_error from None
            return False
        try:
            if was_lost:
                self._reach_again()
                # When the lost transaction ends, its row lock, or the name that it reserved, is free again.
                if self._is_new:
                    self._lock_name()
                else:
                    self._lock(self.patience)
            self._database.roll_back()
            query = "SELECT 1 FROM tourney.journal WHERE event = %s AND seq = %s AND digest = %s"
            return bool(self._database.run(query, self._event, *head))
        except (TourneyError, psycopg.Error):
            raise unsettled_error from None

    def _reach_again(self) -> None:
        """Restore the connection.

        A server that was restarted may need some seconds until it answers.
        """
        end = time.monotonic() + min(BACK_WITHIN, self.patience)
        while True:
            try:
                self._database.connect_again()
            except AwayError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.2)
            else:
                return

    def _end(self) -> None:
        self._head = None
        self._database.roll_back()

    def _last_in_turn(self) -> int | None:
        return None if self._head is None else self._head.seq

    def _write(
        self,
        rows: Sequence[JournalRow],
        texts: Iterable[Text],
        erased: Iterable[Ref] = (),
        *,
        replace: bool = False,
    ) -> None:
        """Queue the statements that write entries and texts; see `SqlJournal._write`.

        The next `run`, usually the COMMIT, sends all of them in one message.
        """
        later, refs = self._database.later, list(erased)
        if rows:
            later(_INSERT_ROWS, self._event, *_columns(rows))
            self._head, self._written = LastEntry(rows[-1].seq, rows[-1].digest), "entries"
        if columns := _columns(texts):
            later(_INSERT_TEXTS + (_REPLACE if replace else " DO NOTHING"), self._event, *columns)
            self._written = self._written or "texts"
        if refs:
            query = "UPDATE tourney.texts SET salt = NULL, bytes = NULL WHERE event = %s AND digest = ANY(%s)"
            later(query, self._event, refs)

    # -- maintenance

    def copy_to(self, path: Path) -> None:
        """Copy the event, as it is at one moment, to an event file."""
        with self._moment():
            content = self.content()
        EventFile.begin(path, content, lambda copy: copy).close()

    @contextmanager
    def _moment(self) -> Iterator[None]:
        """Let all reads in the `with` block see the database as it was at one moment.

        If a transaction is already open, the block runs in that transaction.
        """
        if self._database.in_transaction:
            yield
            return
        self._database.ask("SELECT 1")  # restores a lost connection
        with refusals(self.place.name):
            try:
                self._database.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                yield
            finally:
                self._database.roll_back()

    def compact(self) -> None:
        """Rewrite the table of texts without the deleted texts.

        Only the owner of the table can do this. Write-ahead logs, replicas and backups are not changed.
        Raises TourneyError if the table cannot be rewritten now.
        """
        warnings: list[str] = []
        with Database.connect(self._database.address) as database:
            database.connection.add_notice_handler(
                lambda notice: warnings.append(notice.message_primary or "")
            )
            database.ask("SET statement_timeout = 0")
            database.ask("SET lock_timeout = '2s'")  # while this waits for the lock, every desk waits, too
            try:
                database.ask("VACUUM (FULL) tourney.texts")
            except TourneyError as fault:
                raise TourneyError(
                    f"the database could not clear its unused space: {fault}", _VACUUM
                ) from fault
        if warnings:
            raise TourneyError(f"the database did not clear its unused space: {warnings[0]}", _VACUUM)

    def readable_tables(self, columns_of: Mapping[str, str]) -> dict[str, list[tuple[Any, ...]]]:
        """Return the rows of each table that can be read.

        columns_of: table → the columns to read

        Raises TourneyError if no rows can be read.
        """
        tables: dict[str, list[tuple[Any, ...]]] = {table: [] for table in columns_of}
        for table, columns in columns_of.items():
            with suppress(TourneyError):
                tables[table] = self._ask(f"SELECT {columns} FROM {self._of(table)}")  # noqa: S608
        if not any(tables.values()):
            self.rows()  # raises the reason
        return tables

    def others_holding(self, refs: Collection[Ref]) -> tuple[str, ...]:
        """Return the names of the other events in the database that hold any of these texts."""
        rows = self._ask(
            "SELECT DISTINCT e.name FROM tourney.texts t JOIN tourney.events e ON e.id = t.event"
            " WHERE t.event <> ? AND t.digest = ANY(?) AND t.bytes IS NOT NULL ORDER BY e.name",
            self._event,
            list(refs),
        )
        return tuple(f"pg:{name}" for (name,) in rows)

    def not_compacted(self) -> tuple[str, ...]:
        """Return a warning that logs, replicas and backups may still contain deleted texts."""
        return (
            "the database's write-ahead log, replicas and backups may still hold the texts "
            "until they are overwritten;"
            " ask the database's owner how long that takes",
        )

    def damage(self) -> list[str]:
        """Return a message for each database trigger that is missing or disabled.

        These triggers protect the event's tables. Damaged pages of the database are not looked for, because
        the database server checks its pages itself.
        """
        active = self._database.ask(
            "SELECT t.tgname || ' on tourney.' || c.relname FROM pg_trigger t JOIN "
            "pg_class c ON c.oid = t.tgrelid"
            " JOIN pg_namespace n ON n.oid = c.relnamespace"
            " WHERE n.nspname = 'tourney' AND t.tgenabled IN ('O', 'A')"
        )
        expected_triggers = re.findall(r"CREATE (?:CONSTRAINT )?TRIGGER (\w+) .*?ON (tourney\.\w+)", TABLES)
        missing = sorted(
            {f"{name} on {table}" for name, table in expected_triggers} - {name for (name,) in active}
        )
        return [
            f"the database no longer protects the event: its trigger {trigger} is missing or disabled"
            for trigger in missing
        ]

    def listen(self) -> PostgresListening:
        """Start to listen for new entries, on a separate connection."""
        return PostgresListening(self._database.address, self._event)


def _columns(rows: Iterable[tuple[Any, ...]]) -> list[list[Any]]:
    """Return the columns of rows as lists; empty if there are no rows."""
    return list(map(list, zip(*rows, strict=True)))


class PostgresListening(Listening):
    """Waits for new entries of an event, on a separate connection.

    Use it in a `with`, or close it.
    """

    def __init__(self, address: Address, event: int) -> None:
        self._event = event
        self._database = Database.connect(address)
        self._listens = False
        self._is_replica = False

    def wait(self, seconds: float) -> bool:
        """Wait up to `seconds`, and return whether the event may have new entries.

        See `Listening.wait`.
        """
        end = time.monotonic() + seconds
        try:
            if self._database.is_lost or not self._listens:
                self._begin()
                return True
            if self._is_replica:
                time.sleep(min(seconds, _LOOKS))
                return True
            with refusals(self._database.name):
                while (remaining := end - time.monotonic()) > 0:
                    for notice in self._database.connection.notifies(timeout=remaining, stop_after=1):
                        if notice.payload.partition(":")[0] == str(self._event):
                            return True
        except AwayError:
            if not self._listens:
                raise
            self._listens = False  # the next call raises if the database is still away
            return True
        return False

    def _begin(self) -> None:
        if self._database.is_lost:
            self._database.connect_again()
        with refusals(self._database.name):
            try:
                self._database.run("LISTEN tourney")
                self._is_replica = False
            except errors.ReadOnlySqlTransaction:  # a replica does not notify, so `wait` polls
                self._is_replica = True
        self._listens = True

    def close(self) -> None:
        """Stop listening."""
        self._database.close()
