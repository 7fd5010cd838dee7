"""Events in PostgreSQL, for more machines than one: the same journal as in a file, in tables that many events share.

`README.md` of this room says which lock is taken, what a lost answer means and who may do what. psycopg is imported here
alone, and this module only where an address asks for it.
"""

from __future__ import annotations

import atexit
import os
import re
import time
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Timer
from typing import Any, Self, TypeVar
from urllib.parse import unquote

import psycopg
from psycopg import errors, pq
from psycopg.sql import Literal

from tourney.errors import TourneyError, UnsettledError
from tourney.event.entry import ALTERED, DAMAGED, JournalRow, Text, intact, linked
from tourney.event.ops import Ref
from tourney.store.event_file import PATIENCE, EventFile
from tourney.store.journal import (
    GRANTED,
    SHORT,
    AwayError,
    EventPlace,
    Journal,
    Listed,
    Listening,
    ShutOutError,
    Waiting,
)
from tourney.store.remains import Remains

_LOCK = 0x54524E59
"""The advisory lock for making tables: `TRNY`."""

_VERSION = 1
"""The version of the tables."""

_TABLES = f"""
CREATE SCHEMA tourney;
CREATE TABLE tourney.version (one boolean PRIMARY KEY DEFAULT true CHECK (one), number integer NOT NULL);
INSERT INTO tourney.version (number) VALUES ({_VERSION});

-- erased: texts that had been deleted from the copy that the event was made of; no entry of the event says so.
CREATE TABLE tourney.events (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text COLLATE "C" NOT NULL UNIQUE,
    made_by text NOT NULL,
    created timestamptz NOT NULL DEFAULT now(),
    erased text[] NOT NULL DEFAULT '{{}}'
);
-- Entries as they were written, byte for byte.
CREATE TABLE tourney.journal (
    event bigint NOT NULL REFERENCES tourney.events,
    seq bigint NOT NULL CHECK (seq > 0),
    at text NOT NULL, by text NOT NULL, op bytea NOT NULL, digest text NOT NULL,
    PRIMARY KEY (event, seq)
);
-- The last entry of each event: an append locks its row.
CREATE TABLE tourney.head (
    event bigint PRIMARY KEY REFERENCES tourney.events, seq bigint NOT NULL, digest text NOT NULL
) WITH (fillfactor = 50);
CREATE TABLE tourney.texts (
    event bigint NOT NULL REFERENCES tourney.events, digest text COLLATE "C" NOT NULL, salt bytea, bytes bytea,
    PRIMARY KEY (event, digest)
);
CREATE TABLE tourney.secrets (event bigint PRIMARY KEY REFERENCES tourney.events, bytes bytea NOT NULL);
-- ANALYZE would keep samples of texts in pg_statistic, where deleting a text does not reach them.
ALTER TABLE tourney.texts ALTER salt SET STATISTICS 0, ALTER bytes SET STATISTICS 0;

-- The search path is fixed, so that a login's own sha256() or operator > cannot decide what may be changed.
CREATE FUNCTION tourney.refuse() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN RAISE EXCEPTION 'tourney.% is never changed or shortened', TG_TABLE_NAME; END $$;
CREATE FUNCTION tourney.refuse_other_texts() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NEW.event = OLD.event AND NEW.digest = OLD.digest AND (
        (NEW.salt IS NULL AND NEW.bytes IS NULL)
        OR ((OLD.salt IS NOT NULL OR OLD.bytes IS NOT NULL)
            AND encode(sha256(NEW.salt || NEW.bytes), 'hex') = NEW.digest)
    ) THEN RETURN NEW; END IF;
    RAISE EXCEPTION 'a text never changes: it can be deleted, or restored to what its digest says';
END $$;
CREATE FUNCTION tourney.refuse_moves() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF pg_trigger_depth() > 1 AND (TG_OP = 'INSERT' OR (NEW.event = OLD.event AND NEW.seq > OLD.seq)) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'the head of an event never goes back, and moves only with its entries';
END $$;
CREATE FUNCTION tourney.refuse_empty() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM tourney.journal j WHERE j.event = NEW.id) THEN RETURN NULL; END IF;
    RAISE EXCEPTION 'event "%" has no entries', NEW.name;
END $$;
CREATE FUNCTION tourney.notify() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN PERFORM pg_notify('tourney', NEW.event || ':' || NEW.seq); RETURN NULL; END $$;
-- Runs with the rights of the tables' owner: no login moves a head. The digest is that of event/entry.py.
CREATE FUNCTION tourney.append() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE last tourney.head; entry tourney.journal;
BEGIN
    FOR entry IN SELECT * FROM added LOOP
        IF last.event IS NULL THEN
            SELECT * INTO last FROM tourney.head h WHERE h.event = entry.event FOR UPDATE;
            IF NOT FOUND THEN last := (entry.event, 0, repeat('0', 64)); END IF;
        END IF;
        IF entry.event <> last.event OR entry.seq <> last.seq + 1 OR entry.digest <> encode(sha256(
            convert_to(concat_ws(E'\\n', last.digest, entry.seq, entry.at, entry."by", ''), 'UTF8') || entry.op
        ), 'hex') THEN
            RAISE EXCEPTION 'entry % does not continue event %, which ends with entry %',
                entry.seq, last.event, last.seq;
        END IF;
        last.seq := entry.seq;
        last.digest := entry.digest;
    END LOOP;
    UPDATE tourney.head SET seq = last.seq, digest = last.digest WHERE event = last.event;
    IF last.event IS NOT NULL AND NOT FOUND THEN INSERT INTO tourney.head VALUES (last.*); END IF;
    RETURN NULL;
END $$;
REVOKE EXECUTE ON FUNCTION tourney.append() FROM PUBLIC; -- so that no login attaches it to a table of its own

CREATE CONSTRAINT TRIGGER begins_with_entries AFTER INSERT ON tourney.events
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION tourney.refuse_empty();
CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON tourney.journal
    FOR EACH STATEMENT EXECUTE FUNCTION tourney.refuse();
CREATE TRIGGER moves_the_head AFTER INSERT ON tourney.journal
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tourney.append();
CREATE TRIGGER never_shortened BEFORE DELETE OR TRUNCATE ON tourney.head
    FOR EACH STATEMENT EXECUTE FUNCTION tourney.refuse();
CREATE TRIGGER moves_with_entries BEFORE INSERT OR UPDATE ON tourney.head
    FOR EACH ROW EXECUTE FUNCTION tourney.refuse_moves();
CREATE TRIGGER notifies AFTER INSERT OR UPDATE ON tourney.head FOR EACH ROW EXECUTE FUNCTION tourney.notify();
CREATE TRIGGER never_shortened BEFORE DELETE OR TRUNCATE ON tourney.texts
    FOR EACH STATEMENT EXECUTE FUNCTION tourney.refuse();
CREATE TRIGGER deleted_or_restored BEFORE UPDATE ON tourney.texts
    FOR EACH ROW EXECUTE FUNCTION tourney.refuse_other_texts();
CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON tourney.secrets
    FOR EACH STATEMENT EXECUTE FUNCTION tourney.refuse();
"""  # noqa: S608 - all of it stands here

_PRE_RELEASE = "the database's tables were written by a pre-release of tourney"
_NEW_DATABASE = "events need a new database: `createdb NAME`"

_OWNED = "\n".join(
    f"ALTER {kind} {name} OWNER TO tourney_owner;"
    for kind, name in re.findall(r"CREATE (SCHEMA|TABLE|FUNCTION) ([\w.]+(?:\(\))?)", _TABLES)
)

ROLES = f"""
DO $$ BEGIN
    IF to_regrole('tourney_owner') IS NULL THEN CREATE ROLE tourney_owner NOLOGIN; END IF;
    IF to_regrole('tourney_desk') IS NULL THEN CREATE ROLE tourney_desk NOLOGIN; END IF;
    -- Only a member of the owners may give them the schema, and they must be able to create one.
    IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)
        AND EXISTS (SELECT FROM pg_namespace WHERE nspname = 'tourney' AND nspowner <> 'tourney_owner'::regrole) THEN
        IF NOT pg_has_role('tourney_owner', 'MEMBER') THEN EXECUTE format('GRANT tourney_owner TO %I', current_user); END IF;
        EXECUTE format('GRANT CREATE ON DATABASE %I TO tourney_owner', current_database());
    END IF;
END $$;
-- The owner makes and vacuums the tables; nobody works at a desk as the owner.
{_OWNED}
-- A desk reads, appends and deletes texts by request; no right changes or shortens the journal.
GRANT USAGE ON SCHEMA tourney TO tourney_desk;
GRANT SELECT ON tourney.version TO tourney_desk;
GRANT SELECT, INSERT ON tourney.events, tourney.journal, tourney.texts, tourney.secrets TO tourney_desk;
GRANT UPDATE (salt, bytes) ON tourney.texts TO tourney_desk;
-- To lock the head a login needs the right to update one of its columns; a trigger refuses the update itself.
GRANT SELECT, UPDATE (event) ON tourney.head TO tourney_desk;
"""  # noqa: S608 - all of it stands here
"""Makes the roles that logins are granted, an owner and a desk; can be run again."""


def sql() -> str:
    """Return the SQL that makes the tables and the roles, for psql; running it again changes nothing."""
    return f"""\
BEGIN;
SET LOCAL client_min_messages = warning;
DO $tables$ BEGIN
PERFORM pg_advisory_xact_lock({_LOCK});
IF to_regnamespace('tourney') IS NULL THEN EXECUTE $script${_TABLES}$script$; END IF;
IF to_regclass('tourney.version') IS NULL THEN
    RAISE EXCEPTION '{_PRE_RELEASE.replace("'", "''")}' USING HINT = '{_NEW_DATABASE.replace("`", "")}';
END IF;
IF (SELECT v.number FROM tourney.version v) > {_VERSION} THEN
    RAISE EXCEPTION 'the database''s tables were made by a newer tourney'
        USING HINT = 'install the newest tourney';
END IF;
END $tables$;
{ROLES}COMMIT;
"""  # noqa: S608 - all of it stands here


# -- where an event lies


T = TypeVar("T")


_NAME = re.compile(r"[^\W_](?:[\w .+@#()-]{0,98}[\w.+@#()-])?")
"""A name that is one on every system as that of a file, too: copies and exports are called after it."""

_NAME_BYTES = 160
"""What leaves room in a file's name of 255 bytes for what a copy adds: `-1234-5ed0fd0d-round-12.tourney`."""

_DEVICE = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?: *\..*)?", re.IGNORECASE)
"""What Windows takes for a device, whatever follows the point."""


@dataclass(frozen=True, slots=True)
class Address(EventPlace):
    """An event in a database: `pg:friday`, `postgresql://user@host/club?event=friday`.

    event:    its name; empty for the database as a whole
    conninfo: how one gets there, as libpq has it; empty: by the usual `PG*` settings. Never shown: it may hold a password
    """

    event: str
    conninfo: str = field(default="", repr=False)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read an address; `pg:` is the database of `$TOURNEY_PG`, or else of the `PG*` settings.

        Capitals make no difference in its scheme. Raises TourneyError for an address that cannot be read, holds a
        password, or gives the event a name that it cannot have.
        """
        scheme, _, rest = text.partition(":")
        if scheme.lower() == "pg" and not rest.startswith("/"):
            return cls(_named(rest), _for_libpq(os.environ.get("TOURNEY_PG", "")))
        base, _, query = _for_libpq(text).partition("?")
        if not base.startswith("postgresql://"):
            raise TourneyError("the address is not that of a PostgreSQL database", _AN_ADDRESS)
        settings = query.split("&") if query else []
        events = [each for each in settings if each.startswith("event=")]
        if len(events) > 1:
            raise TourneyError("the database's address names more than one event", _AN_ADDRESS)
        event = unquote(events[0].removeprefix("event=")) if events else ""
        rest = "&".join(each for each in settings if each not in events)  # as it was: libpq reads it
        conninfo = f"{base}?{rest}" if rest else base
        _refuse_password(conninfo)
        return cls(_named(event), conninfo)

    @property
    def name(self) -> str:
        """What the event is called: `pg:friday`, without where that is."""
        return f"pg:{self.event}"

    @property
    def stem(self) -> str:
        """The event's name."""
        return self.event

    def __str__(self) -> str:
        return self.name

    def open(self, *, waiting: Waiting | None = None) -> PostgresJournal:
        """Open the event."""
        return PostgresJournal.open(self, waiting=waiting)

    def begin(
        self,
        rows: Sequence[JournalRow],
        texts: Iterable[Text],
        secret: bytes | None,
        begun: Callable[[Journal], T],
        *,
        erased: Collection[Ref] = (),
    ) -> T:
        """Make the event."""
        return PostgresJournal.begin(self, rows, texts, secret, begun, erased=erased)

    def refuse_taken(self) -> None:
        """Ask the database whether the name is free."""
        with Database.open(self) as database:
            database.refuse_taken()

    def looking(self) -> Glance:
        """Ask the database, on a connection of its own."""
        return Glance(self)


def _refuse_password(conninfo: str) -> None:
    """Refuse an address with a password: the shell keeps it, and other users of the machine see it."""
    with suppress(psycopg.Error, UnicodeError):  # an address that cannot be read is refused when it is used
        if not {"password", "sslpassword"}.isdisjoint(psycopg.conninfo.conninfo_to_dict(conninfo)):
            raise TourneyError("an address given here must not hold a password", _PASSWORD)


def _for_libpq(conninfo: str) -> str:
    """Return an address with its scheme as libpq knows it, which capitals would make it overlook; anything else as it is."""
    return re.sub("^postgres(ql)?://", "postgresql://", conninfo, flags=re.IGNORECASE)


_LIST = "`tourney event list -e pg:` lists those there are"
_ESCAPED = "`/`, `@`, `:`, `?`, `%` and a space of a password are `%2F`, `%40`, `%3A`, `%3F`, `%25` and `%20` there; better it stands in ~/.pgpass"
_A_CONNECTION = "`postgresql://user@host/database?event=friday`; in $TOURNEY_PG `postgresql://user@host/database`, or `host=… dbname=… user=…`"
_AN_ADDRESS = "`pg:friday`, or `postgresql://user@host/database?event=friday`"


def _named(event: str) -> str:
    name = unicodedata.normalize("NFC", event)
    if name and not _NAME.fullmatch(name):
        # What looks like an address with a login, or like its settings, may be one that was mistyped: it is not repeated.
        shown = "that" if re.search("[@?=]", name) else f"`{name}`"
        raise TourneyError(
            f"{shown} is no name of an event in a database",
            "up to 100 letters, digits, spaces and . _ - + @ # ( ), the first a letter or a digit: `pg:friday`",
        )
    if len(name.encode()) > _NAME_BYTES:
        raise TourneyError(
            f"the event's name is {len(name.encode())} bytes long in UTF-8; {_NAME_BYTES} is the most, as copies are called after it",
            "choose a shorter one: `pg:friday`",
        )
    if _DEVICE.fullmatch(name):
        raise TourneyError(
            f"`{name}` cannot be an event's name: on Windows a file may not be called so, and copies are called after it",
            "choose another name: `pg:friday`",
        )
    return name


# -- a connection: how it is made, taken up again, and what its errors mean to an organizer


_OLDEST = 13_00_00
"""The oldest PostgreSQL, as libpq counts; older ones are not maintained any more."""

_CONNECTING = {
    "application_name": "tourney",
    "connect_timeout": "10",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "30000",
}
"""How long a server that is gone is waited for; an address may say otherwise."""

_ENVIRONMENT = {"application_name": "PGAPPNAME", "connect_timeout": "PGCONNECT_TIMEOUT"}

# What a desk does is over in milliseconds. These bound how long one that froze, or whose machine is gone, keeps others
# from writing: less than the others' `PATIENCE`. A commit is on the disk before it is answered, whatever the server's habit.
_SETTINGS = """
SELECT set_config('search_path', 'pg_catalog', false),
       set_config('statement_timeout', '60s', false), set_config('lock_timeout', '60s', false),
       set_config('idle_in_transaction_session_timeout', '50s', false),
       set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
       set_config('tcp_keepalives_count', '3', false), set_config('tcp_user_timeout', '25s', false),
       set_config('synchronous_commit',
                  CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END,
                  false)
"""


class Database:
    """A connection to a database, which is taken up again where it was lost between two statements.

    name:    what it is called in messages
    """

    def __init__(self, address: Address, name: str, *, looking: bool = False) -> None:
        self.address = address
        self.name = name
        self._version = 0
        self._found: int | None = None
        self._later: list[tuple[str, tuple[object, ...]]] = []
        self._looking = looking
        self._connection: psycopg.Connection | None = (
            _spared(address, self._look) or _connected(address, self._look)
            if looking
            else _connected(address)
        )

    @classmethod
    def open(cls, address: Address) -> Self:
        """Connect, and make the tables in a database that has none.

        Raises TourneyError if there is no connection, if the login is neither owner nor desk, or if the tables
        were made by another version.
        """
        database = cls(address, address.name if address.event else "the database", looking=True)
        try:
            database._make_tables()
        except BaseException:
            database.close()
            raise
        return database

    @property
    def connection(self) -> psycopg.Connection:
        """The connection, be it lost. Raises psycopg's error for one that was let go of."""
        if self._connection is None:
            raise psycopg.OperationalError("the connection is closed")
        return self._connection

    def close(self) -> None:
        """Let go of it; the next command of this process may go on with what was `open`ed."""
        connection, self._connection = self._connection, None
        if connection is not None:
            if self._looking:
                _spare(self.address, connection)
            else:
                connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def events(self, named: str = "") -> list[Listed]:
        """Return the events of the database, by name. named: that one alone; raises TourneyError if there is none of that name."""
        if named:
            self.event()
        return [
            Listed(*row)
            for row in self.ask(
                "SELECT e.name, coalesce(h.seq, 0), coalesce(j.at, ''), e.made_by, e.created,"
                " CASE WHEN h.event IS NULL THEN %s WHEN j.event IS NULL THEN 'its last entry is missing' ELSE '' END"
                " FROM tourney.events e LEFT JOIN tourney.head h ON h.event = e.id"
                " LEFT JOIN tourney.journal j ON j.event = e.id AND j.seq = h.seq"
                " WHERE %s::text IN ('', e.name) ORDER BY e.name",
                _BY_HAND,
                named,
            )
        ]

    def event(self) -> int:
        """Return the number of the address's event, as it was found on opening. Raises TourneyError if there is none."""
        if self._found is None:
            there = self._namesake()
            raise TourneyError(f"there is no event {self.name}", f"there is `pg:{there}`" if there else _LIST)
        return self._found

    def refuse_taken(self) -> None:
        """Raise TourneyError where an event of the address's name is there, be it in other capitals.

        Copies and exports are called after an event, and two files of one name are one on Windows and on a Mac.
        """
        there = self._namesake()
        if there == self.address.event:
            begun = "SELECT 1 FROM tourney.events e JOIN tourney.head h ON h.event = e.id WHERE e.name = %s"
            if not self.ask(begun, there):
                raise self.by_hand()
            raise TourneyError(f"{self.name} exists already", "choose another name")
        if there:
            raise TourneyError(
                f"{self.name} exists already, as pg:{there}",
                "choose a name that differs in more than its capitals: copies and exports are called after it",
            )

    def by_hand(self) -> TourneyError:
        """Say of the address's event that it is none, and how its name is freed."""
        name = Literal(self.address.event).as_string(self.connection)
        return TourneyError(
            f"pg:{self.address.event} has {_BY_HAND}",
            f"the owner of the tables frees its name: `DELETE FROM tourney.events WHERE name = {name}`",  # noqa: S608 - quoted
        )

    def _namesake(self) -> str:
        """Return the name of the event that is called as the address says, whatever the capitals; empty where there is none."""
        wanted = self.address.event
        names = [name for (name,) in self.ask("SELECT name FROM tourney.events ORDER BY name")]
        folded = [name for name in names if name.casefold() == wanted.casefold()]
        return wanted if wanted in folded else next(iter(folded), "")

    # -- asking

    def ask(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Return the rows of one statement: of one moment. Outside a transaction a lost connection is taken up again."""
        with refusals(self.name):
            within, writing = self.in_transaction, bool(self._later)
            try:
                return self.run(query, *values)
            except errors.InsufficientPrivilege as fault:
                if writing:
                    raise
                raise ShutOutError(f"this login may not read {self.name}", GRANTED) from fault
            except psycopg.Error:
                if within or not self.lost:
                    raise
            self.connect_again()
            return self.run(query, *values)

    def run(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Run a statement, in the transaction that is going on if there is one, and return its rows, or those of the last of several.

        What was left for `later` goes first, in a transaction or not at all; where that is refused, nothing of what follows is
        done, and this raises.
        """
        if not self._later:
            cursor = self.connection.execute(query.encode(), values or None, binary=bool(values))
        else:
            sent, self._later = [*self._later, (query, values)], []
            if self.idle:
                raise errors.InFailedSqlTransaction
            with self.connection.pipeline():
                for each, given in sent:
                    cursor = self.connection.execute(each.encode(), given or None, binary=bool(given))
        while cursor.nextset():
            pass
        return cursor.fetchall() if cursor.description else []

    def later(self, query: str, *values: object) -> None:
        """Leave a statement of a transaction until the next one that is answered: all of it is sent at once.

        Over a network each answer that is waited for costs a millisecond.
        """
        self._later.append((query, values))

    @property
    def lost(self) -> bool:
        """Whether there is no connection any more."""
        return self._connection is None or self._connection.closed

    @property
    def failed(self) -> bool:
        """Whether the transaction has failed: its COMMIT would take it back, and be no error."""
        return not self.lost and self.connection.info.transaction_status == pq.TransactionStatus.INERROR

    @property
    def idle(self) -> bool:
        """Whether there is a connection and no transaction: one that had begun went with the connection before."""
        return not self.lost and self.connection.info.transaction_status == pq.TransactionStatus.IDLE

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is going on, be it one that has failed."""
        return not self.lost and not self.idle

    def roll_back(self) -> None:
        """End whatever transaction is going on; a connection on which that cannot be done is given up, and the server does it."""
        self._later.clear()
        try:
            if self.in_transaction:
                self.connection.execute("ROLLBACK")
        except psycopg.Error:
            self.connection.close()
        except BaseException:
            self.connection.close()
            raise

    def connect_again(self) -> None:
        """Take up a lost connection. Raises AwayError where nobody answers, or who was let in once is not any more."""
        self._later.clear()
        if self._connection is not None:
            self._connection.close()
        try:
            self._connection = _connected(self.address)
        except AwayError:
            raise
        except TourneyError as fault:
            raise ShutOutError(fault.message, fault.hint) from None

    # -- the tables

    def _look(self, connection: psycopg.Connection) -> None:
        """Set what a desk needs and read the tables' version and the event's number: one message, one answer.

        On a socket three of them take half as long again, and a pipeline gains nothing. Raises ShutOutError for a
        login that is neither owner nor desk.
        """
        name = Literal(self.address.event).as_string(connection)
        query = (
            f"{_SETTINGS}; SELECT v.number, e.id,"  # noqa: S608 - quoted
            " has_table_privilege('tourney.secrets', 'SELECT')"
            f" FROM tourney.version v LEFT JOIN tourney.events e ON e.name = {name}"
        )
        with refusals(self.name):
            try:
                answers = connection.execute(query.encode())
                answers.nextset()
                self._version, self._found, admitted = answers.fetchone() or (0, None, True)
            except errors.InsufficientPrivilege:
                admitted = False
            except (errors.UndefinedTable, errors.InvalidSchemaName):
                _settle(connection)  # the failed message took the settings back
                return
        _refuse_newer(self._version)
        if not admitted:
            raise ShutOutError(f"this login is neither owner nor desk of {self.name}", GRANTED)

    def _make_tables(self) -> None:
        """Make the tables if the database has none."""
        if self._version:
            return
        with refusals(self.name):
            try:
                with self.connection.transaction():
                    self.run(f"SELECT pg_advisory_xact_lock({_LOCK})")
                    if not self.run("SELECT 1 FROM pg_namespace WHERE nspname = 'tourney'"):
                        self.connection.execute(_TABLES.encode())
            except (errors.InsufficientPrivilege, errors.ReadOnlySqlTransaction):
                raise TourneyError(
                    "the database has no tables for events yet, and this login may not make them",
                    "its owner makes them: `tourney event tables` prints the SQL for psql",
                ) from None
        self._look(self.connection)
        if not self._version:
            raise TourneyError(_PRE_RELEASE, _NEW_DATABASE)


def _refuse_newer(version: int) -> None:
    if version > _VERSION:
        raise TourneyError(
            f"the database's tables were made by a newer tourney (version {version})",
            "install the newest tourney",
        )


def _settle(connection: psycopg.Connection) -> None:
    connection.execute(_SETTINGS.encode())


def _connected(address: Address, begin: Callable[[psycopg.Connection], None] = _settle) -> psycopg.Connection:
    """Connect and set what a desk needs. Raises TourneyError, in which no password stands, where that cannot be."""
    try:
        given = psycopg.conninfo.conninfo_to_dict(address.conninfo)
    except (psycopg.Error, UnicodeError):  # it quotes what it cannot read
        hint = _ESCAPED if re.search("://.*(@|password)", address.conninfo, re.DOTALL) else _A_CONNECTION
        raise TourneyError("the database's address cannot be read", hint) from None
    if _misread(address.conninfo):
        raise TourneyError("the database's address cannot be read", _ESCAPED)
    ours = {
        key: value
        for key, value in _CONNECTING.items()
        if key not in given and _ENVIRONMENT.get(key, "") not in os.environ
    }
    try:
        settled = {**ours, **given, "client_encoding": "UTF8"}
        connection = psycopg.connect(**settled, autocommit=True, prepare_threshold=None)  # type: ignore[arg-type]
    except UnicodeError:  # a host's name that cannot be one
        raise TourneyError("the database's address cannot be read", _A_CONNECTION) from None
    except psycopg.Error as fault:
        raise _not_connected(fault, given) from None
    try:
        _refuse_old(connection.info.server_version)
        with refusals("the database"):
            begin(connection)
    except BaseException:
        connection.close()
        raise
    return connection


_UNUSED = 5.0
"""Seconds for which a connection is kept that nobody uses."""

_spares: dict[tuple[Any, ...], tuple[psycopg.Connection, Timer]] = {}
"""The connection that this process used last, by what it hangs on, until it is used again or `_UNUSED` are over."""


def _whose(address: Address) -> tuple[Any, ...]:
    """Return what a connection hangs on: the process, for a fork shares its parent's; the address, and what stands around it."""
    around = sorted(each for each in os.environ.items() if each[0].startswith("PG"))
    return os.getpid(), address.conninfo, *around


def _spare(address: Address, connection: psycopg.Connection) -> None:
    """Keep a connection for the next command of this process, or close it: within a transaction, and where a password was asked.

    Whether a password is still right is seen in connecting alone; what a login may do, by the server with each statement.
    """
    _let_go()
    idle = not connection.closed and connection.info.transaction_status == pq.TransactionStatus.IDLE
    kept = connection, Timer(_UNUSED, _let_go)
    if not idle or connection.pgconn.used_password or _spares.setdefault(_whose(address), kept) is not kept:
        connection.close()
        return
    kept[1].daemon = True
    kept[1].start()


@atexit.register
def _let_go() -> None:
    """Close what this process keeps; in a fork, what its parent keeps is the parent's."""
    for whose in [each for each in list(_spares) if each[0] == os.getpid()]:
        connection, timer = _spares.pop(whose, (None, None))
        if connection is not None and timer is not None:
            timer.cancel()
            connection.close()


def _spared(address: Address, begin: Callable[[psycopg.Connection], None]) -> psycopg.Connection | None:
    """Return the connection that is kept, begun as a new one is; None where there is none, or it died meanwhile.

    Nothing was sent on one that died but the question with which one begins.
    """
    connection, timer = _spares.pop(_whose(address), (None, None))
    if connection is None or timer is None:
        return None
    timer.cancel()
    try:
        begin(connection)
    except BaseException as fault:
        died = connection.closed
        connection.close()
        if not (died and isinstance(fault, AwayError)):
            raise
        return None
    return connection


def _misread(conninfo: str) -> bool:
    """Say whether a sign of a password ends it too early, so that libpq would name the rest of it as a host or a port."""
    scheme, _, rest = conninfo.partition("://")
    whole, _, settings = rest.partition("?")
    early = "@" in settings.partition("=")[0] or re.search("[/@].*@", whole)
    return scheme in ("postgresql", "postgres") and bool(early)


def _refuse_old(version: int) -> None:
    if version < _OLDEST:
        raise TourneyError(
            f"the database is PostgreSQL {version // 10_000}; {_OLDEST // 10_000} or newer is needed"
        )


def _not_connected(fault: psycopg.Error, given: dict[str, Any]) -> TourneyError:
    """Say why there is no connection. libpq has no code for it, only words, the server's in the server's language."""
    words = str(fault)
    for secret in (given.get("password"), os.environ.get("PGPASSWORD")):
        words = words.replace(str(secret), "…") if secret else words
    words = " ".join(words.split())
    for sign, said, hint in _NOT_CONNECTED:
        if re.search(sign, words):
            return (AwayError if hint == _LATER else TourneyError)(said.format(_tail(words)), hint)
    if fault.pgconn is not None and fault.pgconn.used_password:
        return TourneyError(f"the database does not let this login in: {_tail(words)}", _PASSWORD)
    return AwayError(f"the database does not answer: {_tail(words)}", _REACHED)


def _tail(words: str) -> str:
    return words.partition(" failed: ")[2] or words.partition(": ")[2] or words


_LATER = "repeat the command in a moment"
_PASSWORD = "`PGPASSWORD`, or a line of ~/.pgpass that only you may read: `host:port:database:user:password`"  # noqa: S105 - where one stands
_REACHED = "`PGHOST`, `PGPORT` and `PGDATABASE`, or `TOURNEY_PG`, say where it is; `psql` with the same settings must get in"

_NOT_CONNECTED = (
    (r"password authentication failed|no password supplied", "the database does not let this login in: the password is wrong, or there is none", _PASSWORD),
    (r'database ".*" does not exist', "the server has no such database", "`createdb NAME` makes one; `PGDATABASE`, or the address, names it"),
    (r'role ".*" does not exist|no pg_hba\.conf entry|authentication failed', "the database does not let this login in", "`PGUSER`, or the address, says who one is; the server's `pg_hba.conf` who may come from where"),
    (r"too many (clients|connections)|remaining connection slots", "the database has no connection left for one more", _LATER),
    (r"starting up|shutting down|in recovery mode|not yet accepting", "the database is just starting or stopping", _LATER),
    # What is no value may be the end of a password with a space or an & in it.
    (r"invalid .*(value|port number)|bad value for|to parse|match \d+ (port|host)|Servname", "a setting of the database's address has a value that it cannot have", "`port` and `connect_timeout` are numbers, `sslmode` is a word; a password with a space or an & in it stands better in ~/.pgpass"),
    (r"certificate|does not support SSL", "the connection to the database cannot be made as safe as is asked for: {}", "`sslmode` asks for it, and `sslrootcert` names the certificate of who vouches for the server, whose own names the host of the address"),
    (r"resolve host|translate host name|parse network address", "the database's host is not known here", _REACHED),
    (r"permission denied for database|is not permitted to log in", "this login may not use the database", "its owner grants it: `GRANT CONNECT ON DATABASE …`"),
)  # fmt: skip


_GONE = ("08", "57P01", "57P02", "57P03", "57P05")
"""States after which there is no connection: it was lost, or the server ended it."""

_WRITES_FILES = ("md.c", "buffile.c")
"""Where the server extends its files; it has no state of its own for a quota, or for a limit on a file's size."""

_SAID: tuple[tuple[str, str, str | None], ...] = (
    ("42501", "this login may not do that with {event}; nothing was changed", GRANTED),
    ("25006", "{event} may only be read here: the server is a copy of another one, or is set so; nothing was changed", "write to the primary server"),
    ("53100", "no room is left on the database's disk for {event}; nothing was changed", "make room on the server, then repeat the command"),
    ("53", "the database has no memory or connections left for {event}; nothing was changed", _LATER),
    ("55P03", "somebody else has been writing to {event} for more than a minute; nothing was changed", "repeat the command"),
    ("57014", "the database took too long over {event}; nothing was changed", "repeat the command; the server may be overloaded"),
    ("40", "somebody else was writing to {event} just now; nothing was changed", "repeat the command"),
    ("25P02", "the database refused a part of it: nothing was written to {event}", _LATER),
    ("25P03", "this desk kept {event} for too long, and the database took it back; nothing was changed", "repeat the command"),
    ("42P01", "the database's tables are not as they were made", ALTERED),
    ("3F000", "the database's tables are not as they were made", ALTERED),
    ("42703", "the database's tables are not as they were made", ALTERED),
    ("XX", "the database is damaged: {said}", "its owner restores it; `tourney event salvage` helps with a copy beside"),
    ("58", "the database's disk fails: {said}; nothing was changed", "its owner must look at the server"),
    ("54", "that is too much for the database: {said}; nothing was changed", None),
    ("22021", "the database cannot hold a sign of {event}: {said}; nothing was changed", None),
    ("22P05", "the database cannot hold a sign of {event}: {said}; nothing was changed", None),
)  # fmt: skip


@contextmanager
def refusals(event: str) -> Iterator[None]:
    """Turn the database's errors about an event into refusals in our words; whatever is a bug of ours still crashes."""
    try:
        yield
    except psycopg.Error as fault:
        state, said = fault.sqlstate or "", fault.diag.message_primary or ""
        if state.startswith(_GONE) or (not state and isinstance(fault, psycopg.OperationalError)):
            raise AwayError("the connection to the database was lost; nothing was changed", _LATER) from None
        if state == "XX000" and fault.diag.source_file in _WRITES_FILES:
            state = "53100"
        for known, words, hint in _SAID:
            if state.startswith(known):
                raise TourneyError(words.format(event=event, said=said), hint) from fault
        raise


# -- an event


class PostgresJournal(Journal):
    """An open event in a database; see `Journal`. Close it, or use it in a `with`.

    A turn is a transaction, READ COMMITTED, that begins with a lock on the event's row of `head`: others read what was
    there, and who wants to write waits.
    """

    def __init__(self, database: Database, event: int, *, waiting: Waiting | None = None) -> None:
        self.place = database.address
        self.patience = PATIENCE
        self._database = database
        self._event = event
        self._waiting = waiting
        self._head: tuple[int, str] | None = None
        self._changed = ""
        self._creation: tuple[Any, ...] = ()

    @classmethod
    def create(
        cls, address: Address, rows: Sequence[JournalRow], texts: Iterable[Text], secret: bytes | None
    ) -> Self:
        """Make the event and open it; see `begin`."""
        return cls.begin(address, rows, texts, secret, lambda journal: journal)

    @classmethod
    def begin(
        cls,
        address: Address,
        rows: Sequence[JournalRow],
        texts: Iterable[Text],
        secret: bytes | None,
        begun: Callable[[Self], T],
        *,
        erased: Collection[Ref] = (),
    ) -> T:
        """Make the event with its first entries, all or nothing; return what `begun` makes of it.

        erased: see `Journal.erased`. `begun` looks at the journal before anybody else sees it; what it raises takes it back. Raises TourneyError
        where an event of that name is there, or the database cannot be written to.
        """
        if not address.event:
            raise TourneyError("the address names no event", _AN_ADDRESS)
        journal = cls(Database.open(address), 0)
        try:
            with refusals(journal.place.name):
                journal._fill(rows, texts, secret, erased)
                answer = begun(journal)
                journal._commit()
        except BaseException:
            journal.close()  # and the server takes it back
            raise
        journal._head, journal._creation = None, ()
        return answer

    def _fill(
        self, rows: Sequence[JournalRow], texts: Iterable[Text], secret: bytes | None, erased: Collection[Ref]
    ) -> None:
        """Take the name of a new event; whoever takes the same one, in whatever capitals, waits until it is there for good, or free again."""
        from tourney import __version__

        run = self._database.run
        run("BEGIN ISOLATION LEVEL READ COMMITTED")
        # Nobody waits for an event that nobody sees: a long import may take its time.
        run("SET LOCAL idle_in_transaction_session_timeout = 0")
        name = self._database.address.event
        run("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", _LOCK, name.casefold())
        self._database.refuse_taken()
        self._creation = _CREATION, name, f"tourney {__version__}", sorted(erased)
        made = run(*self._creation)
        if not made:  # taken just now by somebody who asked for no lock
            raise TourneyError(f"{self.place.name} exists already", "choose another name")
        self._event, self._head = made[0][0], (0, "")
        if secret is not None:
            run("INSERT INTO tourney.secrets VALUES (%s, %s)", self._event, secret)
        self._write(list(linked(rows)), texts, ())

    @classmethod
    def open(cls, address: Address, *, waiting: Waiting | None = None) -> Self:
        """Open an event. waiting: is told while somebody else writes.

        Raises TourneyError if there is none, or the database cannot be read.
        """
        if not address.event:
            raise TourneyError("the address names no event", _LIST)
        database = Database.open(address)
        try:
            return cls(database, database.event(), waiting=waiting)
        except BaseException:
            database.close()
            raise

    def close(self) -> None:
        """Let go of the connection."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- reading

    def rows(self, after: int = 0) -> list[JournalRow]:
        """Return entries, read in one statement with the number and digest that every append writes apart."""
        if self._head is not None and 0 < after == self._head[0]:
            return []  # nobody else writes in our turn
        found = self._database.ask(
            "SELECT seq, NULL, NULL, NULL, digest FROM tourney.head WHERE event = %s UNION ALL"
            " SELECT seq, at, by, op, digest FROM tourney.journal WHERE event = %s AND seq > %s",
            self._event, self._event, after,
        )  # fmt: skip
        head = next(((row[0], row[4]) for row in found if row[1] is None), None)
        rows = sorted(JournalRow._make(row) for row in found if row[1] is not None)
        ends = (rows[-1].seq, rows[-1].digest) if rows else None
        if head is None and not rows:
            raise self._database.by_hand()
        if head is None or (ends != head if ends else head[0] != after):
            raise TourneyError(
                f"{self.place.name}: the journal ends with entry {ends[0] if ends else after}, but that is not the last"
                " one written: it was changed from outside",
                ALTERED,
            )
        return rows

    def short_texts(self, among: Collection[Ref] | None = None) -> dict[Ref, str | None]:
        """Return short texts; of those asked for, no others."""
        query = f"{_READ_TEXTS} AND (bytes IS NULL OR octet_length(bytes) <= %s)"
        if among is None:
            found = self._database.ask(query, self._event, SHORT)
        else:
            found = self._database.ask(f"{query} AND digest = ANY(%s)", self._event, SHORT, list(among))
        return {Ref(ref): _words(Ref(ref), *rest) for ref, *rest in found}

    def text(self, ref: Ref) -> str | None:
        """Return a text."""
        found = self._database.ask(f"{_READ_TEXTS} AND digest = %s", self._event, ref)
        if not found:
            raise TourneyError(f"{self.place.name}: the text {ref[:12]}… is missing", ALTERED)
        text = _words(*found[0])
        if text is DAMAGED:
            raise TourneyError(f"{self.place.name}: the text {ref[:12]}… is not as it was written", ALTERED)
        return text

    def texts(self) -> Iterator[tuple[Ref, bytes | None, bytes | None]]:
        """Yield every text as it lies in the table."""
        for ref, salt, content in self._database.ask(
            "SELECT digest, salt, bytes FROM tourney.texts WHERE event = %s ORDER BY digest", self._event
        ):
            yield Ref(ref), salt, content

    def held(self, refs: Collection[Ref]) -> frozenset[Ref]:
        """Return those of `refs` whose texts are here and were not deleted."""
        return self._refs("bytes IS NOT NULL") & frozenset(refs)

    def gone(self) -> frozenset[Ref]:
        """Return the texts that were deleted by request."""
        return self._refs("bytes IS NULL")

    def _refs(self, which: str) -> frozenset[Ref]:
        query = f"SELECT digest FROM tourney.texts WHERE event = %s AND {which}"  # noqa: S608 - the two conditions above
        return frozenset(Ref(ref) for (ref,) in self._database.ask(query, self._event))

    def secret(self) -> bytes | None:
        """Return the event secret; None if there is none."""
        found = self._database.ask("SELECT bytes FROM tourney.secrets WHERE event = %s", self._event)
        return found[0][0] if found else None

    # -- writing

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Write within alone, in one transaction, on the server's disk at its end."""
        with refusals(self.place.name):
            try:
                self._begin()
                yield
                self._commit()
            finally:
                self._head = None
                self._database.roll_back()

    def _begin(self) -> None:
        """Begin a transaction and wait until the event's row is ours."""
        since = time.monotonic()
        most = min(_TELL_AFTER, self.patience)
        again = True
        while True:
            try:
                self._head = self._locked(most)
            except (errors.LockNotAvailable, errors.SerializationFailure, errors.DeadlockDetected):
                self._database.roll_back()
                waited = time.monotonic() - since
                if waited >= self.patience:
                    raise
                if self._waiting is not None:
                    self._waiting(waited)
                most = max(min(_TELL_AGAIN, self.patience - waited), 0.001)
            except psycopg.OperationalError:
                if not (again and self._database.lost):
                    raise
                again = False
                self._database.connect_again()
            else:
                self._changed = ""
                return

    def _locked(self, most: float) -> tuple[int, str]:
        """Begin a transaction and return the number and digest of the last entry, whose row it locks within so many seconds: one message."""
        found = self._database.run(
            f"BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = {most * 1000:.0f};"  # noqa: S608 - numbers
            " SELECT h.seq, h.digest, v.number FROM tourney.version v, tourney.head h"
            f" WHERE h.event = {self._event:d} FOR UPDATE OF h"
        )
        if not found:
            raise TourneyError(f"{self.place.name} is not in the database any more")
        seq, digest, version = found[0]
        _refuse_newer(version)  # the tables may have been renewed since they were opened
        return seq, digest

    def _commit(self) -> None:
        """Commit, and write before what was left for that; whatever is raised means that nothing was written, or says that this is not known."""
        if self._database.failed or self._database.idle:
            raise TourneyError(f"the database refused a part of it: nothing was written to {self.place.name}")
        try:
            self._database.run("COMMIT")
        except BaseException:
            # A transaction that has failed is still open: the server came to no COMMIT.
            if self._database.failed or not self._is_written():
                raise

    def _is_written(self) -> bool:
        """Say whether a commit took place whose answer did not come.

        The lost transaction may still be at work in the server, so its end is waited for before the journal is read.
        Raises UnsettledError where nobody can be asked.
        """
        if self._head is None or not self._changed:
            return False
        self._database.roll_back()  # which gives up a connection that does not answer
        (seq, digest), lost = self._head, self._database.lost
        what = f"entry {seq} was" if self._changed == "entries" else "texts were"
        unsettled = UnsettledError(
            f"the connection to the database was lost while {what} being written to {self.place.name}: that is done, or it is not",
            "repeat the command when the database is back: what is there already is not entered twice",
        )
        if self._changed != "entries":
            if lost:
                raise unsettled from None
            return False
        try:
            if lost:
                self._reach_again()
                # The same row locked, or the same name taken: either ends when the lost transaction does.
                if self._creation:
                    self._database.run("BEGIN ISOLATION LEVEL READ COMMITTED")
                    self._database.run(f"SET LOCAL lock_timeout = {self.patience * 1000:.0f}")
                    self._database.run(*self._creation)
                else:
                    self._locked(self.patience)
            self._database.roll_back()
            query = "SELECT 1 FROM tourney.journal WHERE event = %s AND seq = %s AND digest = %s"
            return bool(self._database.run(query, self._event, seq, digest))
        except (TourneyError, psycopg.Error):
            raise unsettled from None

    def _reach_again(self) -> None:
        """Take up the connection; a server that was stopped may need some seconds to be back."""
        end = time.monotonic() + min(_BACK, self.patience)
        while True:
            try:
                self._database.connect_again()
            except AwayError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.2)
            else:
                return

    def append(
        self, after: int, rows: Sequence[JournalRow], texts: Iterable[Text] = (), erased: Iterable[Ref] = ()
    ) -> bool:
        """Append in the `turn` that is going on, else in one of its own."""
        if self._head is None:
            with self.turn():
                return self.append(after, rows, texts, erased)
        if self._head[0] != after:
            return False
        self._write(rows, texts, erased)
        return True

    def _write(self, rows: Sequence[JournalRow], texts: Iterable[Text], erased: Iterable[Ref]) -> None:
        """Leave it for the next question, which mostly is the COMMIT: all of it is one message."""
        later, gone = self._database.later, list(erased)
        if rows:
            later(_INSERT_ROWS, self._event, *map(list, zip(*rows, strict=True)))
            self._head, self._changed = (rows[-1].seq, rows[-1].digest), "entries"
        if columns := list(map(list, zip(*texts, strict=True))):
            later(f"{_INSERT_TEXTS} DO NOTHING", self._event, *columns)
        if gone:
            query = "UPDATE tourney.texts SET salt = NULL, bytes = NULL WHERE event = %s AND digest = ANY(%s)"
            later(query, self._event, gone)

    def mend(self, texts: Iterable[Text]) -> bool:
        """Put right what does not fit its digest, or is not there; the table itself refuses any other change."""
        with self.turn():
            stored = {ref: (salt, content) for ref, salt, content in self.texts()}
            broken = [
                text for text in texts if text.ref not in stored or not intact(text.ref, *stored[text.ref])
            ]
            if broken:
                put_right = "(event, digest) DO UPDATE SET salt = excluded.salt, bytes = excluded.bytes"
                columns = map(list, zip(*broken, strict=True))
                self._database.run(f"{_INSERT_TEXTS} {put_right}", self._event, *columns)
                self._changed = self._changed or "texts"
        return bool(broken)

    # -- keeping it

    def copy_to(self, path: Path) -> None:
        """Write the event as it stands at one moment into an event file."""
        secret = self.secret()
        with self._moment():
            rows, texts = self.rows(), [Text._make(each) for each in self.texts()]
        EventFile.begin(path, rows, texts, secret, lambda made: made, erased=self.erased()).close()

    @contextmanager
    def _moment(self) -> Iterator[None]:
        """Read several tables as they were at one moment."""
        if self._database.in_transaction:
            yield
            return
        self._database.ask("SELECT 1")  # a lost connection is taken up again
        with refusals(self.place.name):
            try:
                self._database.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                yield
            finally:
                self._database.roll_back()

    def compact(self) -> None:
        """Write the table of texts anew without what was deleted; only its owner may.

        Raises TourneyError where that cannot be done now. Write-ahead logs, replicas and backups are not reached.
        """
        warned: list[str] = []
        with Database(self._database.address, self._database.name) as database:
            database.connection.add_notice_handler(lambda told: warned.append(told.message_primary or ""))
            database.ask("SET statement_timeout = 0")
            database.ask("SET lock_timeout = '2s'")  # whoever comes meanwhile waits, too
            try:
                database.ask("VACUUM (FULL) tourney.texts")
            except TourneyError as fault:
                raise TourneyError(
                    f"the database could not clear its unused places: {fault}", _VACUUM
                ) from fault
        if warned:
            raise TourneyError(f"the database did not clear its unused places: {warned[0]}", _VACUUM)

    def remains(self) -> Remains:
        """Return what can be read of the event; of a table that cannot be read, nothing. Raises TourneyError if nothing is there."""

        def rows(query: str) -> list[tuple[Any, ...]]:
            with suppress(TourneyError):
                return self._database.ask(query, self._event)
            return []

        secrets = rows("SELECT bytes FROM tourney.secrets WHERE event = %s")
        remains = Remains.of(
            self.place.name,
            rows(
                "SELECT seq, convert_to(at, 'UTF8'), convert_to(by, 'UTF8'), op, convert_to(digest, 'UTF8')"
                " FROM tourney.journal WHERE event = %s"
            ),
            rows("SELECT convert_to(digest, 'UTF8'), salt, bytes FROM tourney.texts WHERE event = %s"),
            rows("SELECT seq, convert_to(digest, 'UTF8') FROM tourney.head WHERE event = %s"),
            secrets,
            without_secret=not secrets,
        )
        if not (remains.rows or remains.texts or remains.last or remains.secret):
            self.rows()  # which says why
        return remains

    def erased(self) -> frozenset[Ref]:
        """Return what had been deleted from the copy that this event was made of."""
        found = self._database.ask("SELECT unnest(erased) FROM tourney.events WHERE id = %s", self._event)
        return frozenset(Ref(ref) for (ref,) in found)

    def others_holding(self, refs: Collection[Ref]) -> tuple[str, ...]:
        """Name the other events of the database that hold any of these texts."""
        found = self._database.ask(
            "SELECT DISTINCT e.name FROM tourney.texts t JOIN tourney.events e ON e.id = t.event"
            " WHERE t.event <> %s AND t.digest = ANY(%s) AND t.bytes IS NOT NULL ORDER BY e.name",
            self._event, list(refs),
        )  # fmt: skip
        return tuple(f"pg:{name}" for (name,) in found)

    def not_compacted(self) -> tuple[str, ...]:
        """Name what the database keeps besides its tables."""
        return (
            "the database's write-ahead log, replicas and backups may still hold the texts until their turn comes to be"
            " overwritten; whoever keeps the database knows when",
        )

    def damage(self) -> list[str]:
        """Say which of the tables' own guards are gone or switched off; the server looks after its pages itself."""
        on = self._database.ask(
            "SELECT t.tgname || ' on tourney.' || c.relname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid"
            " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'tourney' AND t.tgenabled IN ('O', 'A')"
        )
        wanted = re.findall(r"CREATE (?:CONSTRAINT )?TRIGGER (\w+) .*?ON (tourney\.\w+)", _TABLES)
        missing = sorted({f"{name} on {table}" for name, table in wanted} - {name for (name,) in on})
        return [
            f"the database does not guard the event any more: its trigger {each} is gone or switched off"
            for each in missing
        ]

    def listen(self) -> PostgresListening:
        """Hear of entries that are new, on a connection of its own."""
        return PostgresListening(self._database.address, self._event)


class Glance:
    """Looks at the number and digest of an event's last entry, on a connection that is kept and taken up again."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._database: Database | None = None

    def __call__(self) -> object:
        """Return what changes with every entry; None while there is no such event."""
        self._database = self._database or Database.open(self._address)
        rows = self._database.ask(
            "SELECT e.id, h.seq, h.digest FROM tourney.events e JOIN tourney.head h ON h.event = e.id WHERE e.name = %s",
            self._address.event,
        )
        return rows[0] if rows else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._database is not None:
            self._database.close()


class PostgresListening(Listening):
    """Hears when an event has grown, on a connection of its own. Close it, or use it in a `with`."""

    def __init__(self, address: Address, event: int) -> None:
        self._event = event
        self._database = Database(address, address.name)
        self._heard = False
        self._deaf = False

    def wait(self, seconds: float) -> bool:
        """Wait for so long at most; say whether the event may have grown meanwhile.

        It may have, too, when the connection was lost and is there again. Raises AwayError while nobody answers.
        """
        end = time.monotonic() + seconds
        try:
            if self._database.lost or not self._heard:
                self._begin()
                return True
            if self._deaf:
                time.sleep(min(seconds, _LOOKS))
                return True
            with refusals(self._database.name):
                while (left := end - time.monotonic()) > 0:
                    for told in self._database.connection.notifies(timeout=left, stop_after=1):
                        if told.payload.partition(":")[0] == str(self._event):
                            return True
        except AwayError:
            if not self._heard:
                raise
            self._heard = False  # from the next time on
            return True
        return False

    def _begin(self) -> None:
        if self._database.lost:
            self._database.connect_again()
        with refusals(self._database.name):
            try:
                self._database.run("LISTEN tourney")
                self._deaf = False
            except errors.ReadOnlySqlTransaction:  # a replica is told of nothing: it has to be looked at
                self._deaf = True
        self._heard = True

    def close(self) -> None:
        """Stop listening."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


_CREATION = (
    "INSERT INTO tourney.events (name, made_by, erased) VALUES (%s, %s, %s::text[])"
    " ON CONFLICT DO NOTHING RETURNING id"
)
_INSERT_ROWS = (
    "INSERT INTO tourney.journal (event, seq, at, by, op, digest) SELECT %s, each.* FROM"
    " unnest(%s::bigint[], %s::text[], %s::text[], %s::bytea[], %s::text[]) AS each"
)
_INSERT_TEXTS = (
    "INSERT INTO tourney.texts (event, digest, salt, bytes) SELECT %s, each.* FROM"
    " unnest(%s::text[], %s::bytea[], %s::bytea[]) AS each ON CONFLICT"
)
_READ_TEXTS = "SELECT digest, salt, bytes FROM tourney.texts WHERE event = %s"
_VACUUM = "the owner of the tables does it: `VACUUM (FULL) tourney.texts`"

_BACK = 20.0
"""Seconds for which a server that went away in the middle of a commit is waited for."""


_LOOKS = 0.5
"""How often, in seconds, one looks whether an event has grown where nobody tells."""

_TELL_AFTER, _TELL_AGAIN = 1.0, 10.0

_BY_HAND = "no entries: its row was made by hand"
"""What an event is that somebody put into the table of events, and that no tourney began."""


def _words(ref: Ref, salt: bytes | None, content: bytes | None) -> str | None:
    """Return a text; None if it was deleted, `DAMAGED` if it does not fit its digest."""
    if content is None and salt is None:
        return None
    return (content or b"").decode(errors="replace") if intact(ref, salt, content) else DAMAGED
