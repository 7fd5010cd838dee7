"""Connect to PostgreSQL: addresses, connections, and refusals instead of errors.

psycopg is imported only here and in `postgres`. These two modules are imported only for the address of a
database.
"""

from __future__ import annotations

import atexit
import os
import re
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Timer
from typing import Any, Self
from urllib.parse import unquote

import psycopg
from psycopg import errors, pq
from psycopg.sql import Literal

from tourney.errors import TourneyError
from tourney.event.entry import ALTERED
from tourney.store.journal import GRANTED, AwayError, Listed, ShutOutError

LOCK = 0x54524E59
"""The advisory lock for making tables and taking names: `TRNY`."""

_VERSION = 1
"""The version of the tables."""

TABLES = Path(__file__).with_name("tables.sql").read_text(encoding="utf-8")
ROLES = Path(__file__).with_name("roles.sql").read_text(encoding="utf-8")

_PRE_RELEASE = "the database's tables were written by a pre-release of tourney"
_NEW_DATABASE = "events need a new database: `createdb NAME`"


def table_script() -> str:
    """Return the SQL for psql that makes the tables and the roles.

    Running it again changes nothing.
    """
    return f"""\
BEGIN;
SET LOCAL client_min_messages = warning;
DO $tables$ BEGIN
PERFORM pg_advisory_xact_lock({LOCK});
IF to_regnamespace('tourney') IS NULL THEN EXECUTE $script${TABLES}$script$; END IF;
IF to_regclass('tourney.version') IS NULL THEN
    RAISE EXCEPTION '{_PRE_RELEASE.replace("'", "''")}' USING HINT = '{_NEW_DATABASE.replace("`", "")}';
END IF;
IF (SELECT v.number FROM tourney.version v) > {_VERSION} THEN
    RAISE EXCEPTION 'the database''s tables were made by a newer tourney'
        USING HINT = 'install the newest tourney';
END IF;
END $tables$;
{ROLES}COMMIT;
"""  # noqa: S608 - all of it is ours


# -- addresses

_NAME = re.compile(r"[^\W_](?:[\w .+@#()-]{0,98}[\w.+@#()-])?")
"""The name of an event.

It must also be valid as a file name on every system, for copies and exports.
"""

_NAME_BYTES = 160
"""The maximum size of an event's name in bytes.

A file name can have 255 bytes, and a copy adds `-1234-5ed0fd0d-round-12.tourney`.
"""

_DEVICE = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?: *\..*)?", re.IGNORECASE)
"""The name of a device on Windows, with or without an extension."""

_LIST = "`tourney event list -e pg:` lists the events"
_AN_ADDRESS = "`pg:friday`, or `postgresql://user@host/database?event=friday`"
_A_CONNECTION = (
    "`postgresql://user@host/database?event=friday`; in $TOURNEY_PG `postgresql://user@host/database`,"
    " or `host=… dbname=… user=…`"
)
_ESCAPED = (
    "`/`, `@`, `:`, `?`, `%` and a space of a password are `%2F`, `%40`, `%3A`, `%3F`, `%25` and `%20` there;"
    " ~/.pgpass is a better place for it"
)
_WHERE_PASSWORDS_ARE = (
    "`PGPASSWORD`, or a line of ~/.pgpass that only you may read: `host:port:database:user:password`"
)


@dataclass(frozen=True, slots=True)
class Address:
    """An event in a database: `pg:friday`, `postgresql://user@host/club?event=friday`.

    event:    the event's name; empty for the database as a whole
    conninfo: libpq's connection string; empty for the `PG*` settings. It is never shown, because it may hold
              a password
    """

    event: str
    conninfo: str = field(default="", repr=False)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse an address. `pg:` is the database of `$TOURNEY_PG`, or else of the `PG*` variables.

        The case of the scheme does not matter. Raises TourneyError if the address cannot be read or holds a
        password, or if the event's name is not valid.
        """
        scheme, _, rest = text.partition(":")
        if scheme.lower() == "pg" and not rest.startswith("/"):
            return cls(_event_name(rest), _with_plain_scheme(os.environ.get("TOURNEY_PG", "")))
        base, _, query = _with_plain_scheme(text).partition("?")
        if not base.startswith("postgresql://"):
            raise TourneyError("the address is not that of a PostgreSQL database", _AN_ADDRESS)
        settings = query.split("&") if query else []
        events = [setting for setting in settings if setting.startswith("event=")]
        if len(events) > 1:
            raise TourneyError("the database's address names more than one event", _AN_ADDRESS)
        event = unquote(events[0].removeprefix("event=")) if events else ""
        others = "&".join(setting for setting in settings if setting not in events)
        conninfo = f"{base}?{others}" if others else base
        with suppress(psycopg.Error, UnicodeError):  # an unreadable address is refused when it is used
            if not {"password", "sslpassword"}.isdisjoint(psycopg.conninfo.conninfo_to_dict(conninfo)):
                # The shell stores it in its history, and other users of the machine can see it.
                raise TourneyError("an address must not contain a password here", _WHERE_PASSWORDS_ARE)
        return cls(_event_name(event), conninfo)

    @property
    def name(self) -> str:
        """The event's name in messages: `pg:friday`, without its server."""
        return f"pg:{self.event}"

    @property
    def stem(self) -> str:
        """The event's name."""
        return self.event

    def __str__(self) -> str:
        return self.name


def _with_plain_scheme(conninfo: str) -> str:
    """Return a connection string with `postgresql` as the scheme of a URL, as libpq expects."""
    return re.sub("^postgres(ql)?://", "postgresql://", conninfo, flags=re.IGNORECASE)


def _event_name(event: str) -> str:
    name = unicodedata.normalize("NFC", event)
    if name and not _NAME.fullmatch(name):
        # The name may be a mistyped address with a login or settings, so it is not repeated.
        label = "that" if re.search("[@?=]", name) else f"`{name}`"
        raise TourneyError(
            f"{label} cannot be the name of an event in a database",
            "up to 100 letters, digits, spaces and . _ - + @ # ( ), the first a letter or a digit: "
            "`pg:friday`",
        )
    if (size := len(name.encode())) > _NAME_BYTES:
        raise TourneyError(
            f"the event's name is {size} bytes long in UTF-8; the limit is {_NAME_BYTES},"
            " because its copies are named after it",
            "choose a shorter name, such as `pg:friday`",
        )
    if _DEVICE.fullmatch(name):
        raise TourneyError(
            f"`{name}` cannot be an event's name: its copies are named after it, "
            "and on Windows that is a device",
            "choose another name, such as `pg:friday`",
        )
    return name


# -- errors

_RETRY = "repeat the command in a moment"
_WHERE = (
    "`PGHOST`, `PGPORT` and `PGDATABASE`, or `TOURNEY_PG`, say where it is;"
    " check that `psql` connects with the same settings"
)

# libpq has no codes for failed connections, only messages. The server's messages are in the server's
# language.
_CONNECTION_REFUSALS = (
    (r"password authentication failed|no password supplied",
     "the database does not let this login in: the password is wrong, or there is none",
     _WHERE_PASSWORDS_ARE),
    (r'database ".*" does not exist', "the server has no such database",
     "`createdb NAME` makes one; `PGDATABASE`, or the address, names it"),
    (r'role ".*" does not exist|no pg_hba\.conf entry|authentication failed',
     "the database does not let this login in",
     "`PGUSER`, or the address, is the login; the server's `pg_hba.conf` lists who may connect from where"),
    (r"too many (clients|connections)|remaining connection slots",
     "the database has no free connection", _RETRY),
    (r"starting up|shutting down|in recovery mode|not yet accepting",
     "the database is just starting or stopping", _RETRY),
    # The part of a password after a space or an & may be read as a value.
    (r"invalid .*(value|port number)|bad value for|to parse|match \d+ (port|host)|Servname",
     "a setting of the database's address has an invalid value",
     "`port` and `connect_timeout` are numbers, `sslmode` is a word; keep a password with a space or an & in"
     " ~/.pgpass"),
    (r"certificate|does not support SSL",
     "the connection to the database is not as secure as `sslmode` requires: {}",
     "`sslrootcert` names the certificate that signs the server's certificate; "
     "the server's certificate must name the"
     " address's host"),
    (r"resolve host|translate host name|parse network address", "the database's host is unknown", _WHERE),
    (r"permission denied for database|is not permitted to log in", "this login may not use the database",
     "its owner grants it: `GRANT CONNECT ON DATABASE …`"),
)  # fmt: skip
"""Each row has a pattern in libpq's message, our message and the hint."""

_LOST = ("08", "57P01", "57P02", "57P03", "57P05")
"""SQL states of a connection that was lost or that the server ended."""

_WRITES_FILES = ("md.c", "buffile.c")
"""The server's source files that extend its data files.

The server has no SQL state for an exceeded disk quota or file size.
"""

_OTHER_TABLES = "the database's tables do not have the expected structure"
_REFUSALS: tuple[tuple[str, str, str | None], ...] = (
    ("42501", "this login may not do that with {event}; nothing was changed", GRANTED),
    ("25006", "{event} cannot be changed here: the server is a replica, or is set to be read-only;"
     " nothing was changed", "write to the primary server"),
    ("53100", "the database's disk is full; nothing was changed in {event}",
     "free some space on the server, then repeat the command"),
    ("53", "the database has no memory or connections left; nothing was changed in {event}", _RETRY),
    ("55P03", "another program has been writing to {event} for more than a minute; nothing was changed",
     "repeat the command"),
    ("57014", "the database took too long over {event}; nothing was changed",
     "repeat the command; the server may be overloaded"),
    ("40", "another program was writing to {event} just now; nothing was changed", "repeat the command"),
    ("25P02", "the database refused a change: nothing was written to {event}", _RETRY),
    ("25P03", "this desk locked {event} for too long, so the database ended its turn; nothing was changed",
     "repeat the command"),
    ("42P01", _OTHER_TABLES, ALTERED),
    ("3F000", _OTHER_TABLES, ALTERED),
    ("42703", _OTHER_TABLES, ALTERED),
    ("XX", "the database is damaged: {message}",
     "its owner restores it; `tourney event salvage` helps if there is a copy"),
    ("58", "the database's disk is failing: {message}; nothing was changed",
     "ask its owner to check the server"),
    ("54", "the change exceeds a limit of the database: {message}; nothing was changed", None),
    ("22021", "the database cannot store a character of {event}: {message}; nothing was changed", None),
    ("22P05", "the database cannot store a character of {event}: {message}; nothing was changed", None),
)  # fmt: skip
"""Each row has the prefix of an SQL state, the message and the hint."""


@contextmanager
def refusals(event: str) -> Iterator[None]:
    """Turn the database's errors about an event into refusals.

    Errors that only a bug can cause pass through.
    """
    try:
        yield
    except psycopg.Error as fault:
        state, message = fault.sqlstate or "", fault.diag.message_primary or ""
        if state.startswith(_LOST) or (not state and isinstance(fault, psycopg.OperationalError)):
            raise AwayError("the connection to the database was lost; nothing was changed", _RETRY) from None
        if state == "XX000" and fault.diag.source_file in _WRITES_FILES:
            state = "53100"
        for prefix, words, hint in _REFUSALS:
            if state.startswith(prefix):
                raise TourneyError(words.format(event=event, message=message), hint) from fault
        raise


# -- connections

_OLDEST = 13_00_00
"""The oldest supported PostgreSQL, as libpq numbers versions.

Older versions are no longer maintained.
"""

_CONNECTING = {
    "application_name": "tourney",
    "connect_timeout": "10",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "30000",
}
"""Settings of a connection that limit the wait for a lost server.

The address can override them.
"""

_ENVIRONMENT = {"application_name": "PGAPPNAME", "connect_timeout": "PGCONNECT_TIMEOUT"}

# A turn takes milliseconds. If a desk freezes or its machine is lost, these timeouts end its turn before the
# other desks run out of `PATIENCE`. A commit is on the disk before the server confirms it, even if the
# server's setting is `off`.
_SETTINGS = """
SELECT set_config('search_path', 'pg_catalog', false),
       set_config('statement_timeout', '60s', false), set_config('lock_timeout', '60s', false),
       set_config('idle_in_transaction_session_timeout', '50s', false),
       set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
       set_config('tcp_keepalives_count', '3', false), set_config('tcp_user_timeout', '25s', false),
       set_config(
         'synchronous_commit', coalesce(nullif(current_setting('synchronous_commit'), 'off'), 'on'), false
       )
"""

BY_HAND = "no entries: its row was made by hand"
"""The fault of an event that is in the table of events but was not created by tourney."""


class Database:
    """A connection to a database. It is restored if it is lost between two statements."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self.name = address.name if address.event else "the database"
        self._version = 0
        self._event: int | None = None
        self._later: list[tuple[str, tuple[object, ...]]] = []
        self._reusable = False
        self._connection: psycopg.Connection | None = None

    @classmethod
    def connect(cls, address: Address) -> Self:
        """Connect without checking the tables. Raises TourneyError."""
        database = cls(address)
        database._connection = _settled(address)
        return database

    @classmethod
    def open(cls, address: Address) -> Self:
        """Connect, with the process's last connection if possible.

        If the database has no tables, make them.

        Raises TourneyError if the database cannot be reached, if the login is neither owner nor desk, or if
        the tables were made by another version.
        """
        database = cls(address)
        try:
            if not database._connect_to_kept():
                database._connection = _connected(address)
                database._look()
            database._make_tables()
        except BaseException:
            database.close()
            raise
        database._reusable = True
        return database

    def _connect_to_kept(self) -> bool:
        """Take over the connection of the process's last command.

        Returns False if it is missing or lost.
        """
        self._connection = _take_kept(self.address)
        if self._connection is None:
            return False
        try:
            self._look()
        except AwayError:
            if not self.lost:
                raise
            return False
        return True

    @property
    def connection(self) -> psycopg.Connection:
        """The connection, which may be lost. Raises psycopg.OperationalError after `close`."""
        if self._connection is None:
            raise psycopg.OperationalError("the connection is closed")
        return self._connection

    def close(self) -> None:
        """Release the connection. The next command of this process may use it."""
        connection, self._connection = self._connection, None
        if connection is not None:
            if self._reusable:
                _keep(self.address, connection)
            else:
                connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- events

    def events(self, name: str = "") -> list[Listed]:
        """Return the events of the database by name, or the one called `name`.

        Raises TourneyError if there is none.
        """
        if name:
            self.event()
        return [
            Listed(*row)
            for row in self.ask(
                "SELECT e.name, coalesce(h.seq, 0), coalesce(j.at, ''), e.made_by, e.created,"
                " CASE WHEN h.event IS NULL THEN %s"
                " WHEN j.event IS NULL THEN 'its last entry is missing' ELSE '' END"
                " FROM tourney.events e LEFT JOIN tourney.head h ON h.event = e.id"
                " LEFT JOIN tourney.journal j ON j.event = e.id AND j.seq = h.seq"
                " WHERE %s::text IN ('', e.name) ORDER BY e.name",
                BY_HAND,
                name,
            )
        ]

    def event(self) -> int:
        """Return the number of the address's event.

        Raises TourneyError if it did not exist when this was opened.
        """
        if self._event is None:
            namesake = self._namesake()
            raise TourneyError(
                f"there is no event {self.name}", f"there is `pg:{namesake}`" if namesake else _LIST
            )
        return self._event

    def refuse_taken(self) -> None:
        """Raise TourneyError if an event with the address's name exists. Case does not matter.

        Copies and exports are named after the event, and on Windows and macOS file names do not differ by
        case.
        """
        namesake = self._namesake()
        if namesake == self.address.event:
            query = "SELECT 1 FROM tourney.events e JOIN tourney.head h ON h.event = e.id WHERE e.name = %s"
            if not self.ask(query, namesake):
                raise self.by_hand()
            raise TourneyError(f"{self.name} exists already", "choose another name")
        if namesake:
            raise TourneyError(
                f"{self.name} exists already, as pg:{namesake}",
                "choose a name that differs in more than case, "
                "because copies and exports are named after the event",
            )

    def by_hand(self) -> TourneyError:
        """Return the error for an event without entries; its hint says how to free the name."""
        name = Literal(self.address.event).as_string(self.connection)
        return TourneyError(
            f"pg:{self.address.event} has {BY_HAND}",
            f"the owner of the tables frees its name: `DELETE FROM tourney.events WHERE name = {name}`",  # noqa: S608 - quoted
        )

    def _namesake(self) -> str:
        """Return the event with the address's name, in any case of letters; empty if there is none."""
        name = self.address.event
        names = [row[0] for row in self.ask("SELECT name FROM tourney.events ORDER BY name")]
        namesakes = [other for other in names if other.casefold() == name.casefold()]
        return name if name in namesakes else next(iter(namesakes), "")

    # -- asking

    def ask(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Return the rows of one statement.

        Outside a transaction, a lost connection is restored first.
        """
        with refusals(self.name):
            in_transaction, writing = self.in_transaction, bool(self._later)
            try:
                return self.run(query, *values)
            except errors.InsufficientPrivilege as fault:
                if writing:
                    raise
                raise ShutOutError(f"this login may not read {self.name}", GRANTED) from fault
            except psycopg.Error:
                if in_transaction or not self.lost:
                    raise
            self.connect_again()
            return self.run(query, *values)

    def run(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Run a statement, in the current transaction if there is one, and return its rows.

        If `query` has several statements, the rows of the last one are returned. The statements left by
        `later` are sent first; they need a transaction. If the server refuses a statement, it does not run
        the next ones, and this method raises the error.
        """
        if not self._later:
            cursor = self.connection.execute(query.encode(), values or None, binary=bool(values))
        else:
            statements, self._later = [*self._later, (query, values)], []
            if self.idle:
                raise errors.InFailedSqlTransaction
            with self.connection.pipeline():
                for statement, arguments in statements:
                    cursor = self.connection.execute(
                        statement.encode(), arguments or None, binary=bool(arguments)
                    )
        while cursor.nextset():
            pass
        return cursor.fetchall() if cursor.description else []

    def later(self, query: str, *values: object) -> None:
        """Leave a statement of a transaction until the next `run`, which sends all of them at once.

        Over a network each answer costs a millisecond of waiting.
        """
        self._later.append((query, values))

    @property
    def lost(self) -> bool:
        """Whether the connection is gone."""
        return self._connection is None or self._connection.closed

    @property
    def failed(self) -> bool:
        """Whether the transaction has failed. Its COMMIT would roll back without an error."""
        return not self.lost and self.connection.info.transaction_status == pq.TransactionStatus.INERROR

    @property
    def idle(self) -> bool:
        """Whether there is a connection without a transaction."""
        return not self.lost and self.connection.info.transaction_status == pq.TransactionStatus.IDLE

    @property
    def in_transaction(self) -> bool:
        """Whether there is a transaction, which may have failed."""
        return not self.lost and not self.idle

    def roll_back(self) -> None:
        """Roll back any transaction.

        If that fails, close the connection, so that the server rolls back.
        """
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
        """Restore a lost connection.

        Raises AwayError if the server cannot be reached or refuses this login.
        """
        self._later.clear()
        if self._connection is not None:
            self._connection.close()
        try:
            self._connection = _settled(self.address)
        except AwayError:
            raise
        except TourneyError as fault:
            raise ShutOutError(fault.message, fault.hint) from None

    # -- the tables

    def _look(self) -> None:
        """Send the settings, and read the version and the event's number, in one message.

        The version is that of the tables. Over a socket, three separate messages would take 50 % longer, and
        a pipeline would not be faster. Raises ShutOutError if the login is neither owner nor desk.
        """
        name = Literal(self.address.event).as_string(self.connection)
        query = (
            f"{_SETTINGS}; SELECT v.number, e.id,"  # noqa: S608 - quoted
            " has_table_privilege('tourney.secrets', 'SELECT')"
            f" FROM tourney.version v LEFT JOIN tourney.events e ON e.name = {name}"
        )
        with refusals(self.name):
            try:
                answers = self.connection.execute(query.encode())
                answers.nextset()
                self._version, self._event, admitted = answers.fetchone() or (0, None, True)
            except errors.InsufficientPrivilege:
                admitted = False
            except (errors.UndefinedTable, errors.InvalidSchemaName):
                self.connection.execute(_SETTINGS.encode())  # the failed message undid the settings
                return
        refuse_newer(self._version)
        if not admitted:
            raise ShutOutError(f"this login is neither owner nor desk of {self.name}", GRANTED)

    def _make_tables(self) -> None:
        """Make the tables if the database has none."""
        if self._version:
            return
        with refusals(self.name):
            try:
                with self.connection.transaction():
                    self.run(f"SELECT pg_advisory_xact_lock({LOCK})")
                    if not self.run("SELECT 1 FROM pg_namespace WHERE nspname = 'tourney'"):
                        self.connection.execute(TABLES.encode())
            except (errors.InsufficientPrivilege, errors.ReadOnlySqlTransaction):
                raise TourneyError(
                    "the database has no tables for events yet, and this login may not create them",
                    "ask its owner to create them: `tourney event tables` prints the SQL for psql",
                ) from None
        self._look()
        if not self._version:
            raise TourneyError(_PRE_RELEASE, _NEW_DATABASE)


def refuse_newer(version: int) -> None:
    """Raise TourneyError for tables of a newer version."""
    if version > _VERSION:
        raise TourneyError(
            f"the database's tables were made by a newer tourney (version {version})",
            "install the newest tourney",
        )


def _connected(address: Address) -> psycopg.Connection:
    """Return a new connection. Raises TourneyError, which never contains a password."""
    try:
        settings = psycopg.conninfo.conninfo_to_dict(address.conninfo)
    except (psycopg.Error, UnicodeError):  # libpq's message would quote the unreadable part
        hint = _ESCAPED if re.search("://.*(@|password)", address.conninfo, re.DOTALL) else _A_CONNECTION
        raise TourneyError("the database's address cannot be read", hint) from None
    if _has_unescaped_password(address.conninfo):
        raise TourneyError("the database's address cannot be read", _ESCAPED)
    base = {
        key: value
        for key, value in _CONNECTING.items()
        if key not in settings and _ENVIRONMENT.get(key, "") not in os.environ
    }
    try:
        connection = psycopg.connect(
            **{**base, **settings, "client_encoding": "UTF8"},  # type: ignore[arg-type]
            autocommit=True,
            prepare_threshold=None,
        )
    except UnicodeError:  # the host's name is not valid
        raise TourneyError("the database's address cannot be read", _A_CONNECTION) from None
    except psycopg.Error as fault:
        raise _connection_refusal(fault, settings) from None
    version = connection.info.server_version
    if version < _OLDEST:
        connection.close()
        raise TourneyError(
            f"the database is PostgreSQL {version // 10_000}; {_OLDEST // 10_000} or newer is needed"
        )
    return connection


def _settled(address: Address) -> psycopg.Connection:
    """Return a new connection with `_SETTINGS` applied. Raises TourneyError."""
    connection = _connected(address)
    try:
        with refusals("the database"):
            connection.execute(_SETTINGS.encode())
    except BaseException:
        connection.close()
        raise
    return connection


def _has_unescaped_password(conninfo: str) -> bool:
    """Return whether a URL's password has an unescaped `/`, `@` or `?`.

    libpq would take the rest of the password for a host or port, and show it.
    """
    scheme, _, rest = conninfo.partition("://")
    base, _, settings = rest.partition("?")
    ends_early = "@" in settings.partition("=")[0] or re.search("[/@].*@", base)
    return scheme in ("postgresql", "postgres") and bool(ends_early)


def _connection_refusal(fault: psycopg.Error, settings: dict[str, Any]) -> TourneyError:
    message = str(fault)
    for secret in (settings.get("password"), os.environ.get("PGPASSWORD")):
        message = message.replace(str(secret), "…") if secret else message
    message = " ".join(message.split())
    tail = message.partition(" failed: ")[2] or message.partition(": ")[2] or message
    for pattern, words, hint in _CONNECTION_REFUSALS:
        if re.search(pattern, message):
            return (AwayError if hint == _RETRY else TourneyError)(words.format(tail), hint)
    if fault.pgconn is not None and fault.pgconn.used_password:
        return TourneyError(f"the database does not let this login in: {tail}", _WHERE_PASSWORDS_ARE)
    return AwayError(f"the database does not answer: {tail}", _WHERE)


# -- the connection that a process keeps for its next command

UNUSED = 5.0
"""The seconds for which an unused connection is kept."""

_kept: dict[tuple[Any, ...], tuple[psycopg.Connection, Timer]] = {}
"""The kept connection, by its `_key`, with the timer that closes it.

A process keeps at most one.
"""


def _key(address: Address) -> tuple[Any, ...]:
    """Return the values that a connection depends on.

    They are the process, the address and the environment. The process is included because a fork shares the
    connections of its parent.
    """
    settings = sorted(variable for variable in os.environ.items() if variable[0].startswith("PG"))
    return os.getpid(), address.conninfo, *settings


def _keep(address: Address, connection: psycopg.Connection) -> None:
    """Keep a connection for the next command of this process, or close it.

    It is closed if it is in a transaction. It is also closed if it needed a password, because only a new
    connection shows whether the password is still right.
    """
    drop_kept()
    idle = not connection.closed and connection.info.transaction_status == pq.TransactionStatus.IDLE
    kept = connection, Timer(UNUSED, drop_kept)
    if not idle or connection.pgconn.used_password or _kept.setdefault(_key(address), kept) is not kept:
        connection.close()
        return
    kept[1].daemon = True
    kept[1].start()


@atexit.register
def drop_kept() -> None:
    """Close the connection that this process keeps.

    A fork does not close its parent's connection.
    """
    for key in [key for key in list(_kept) if key[0] == os.getpid()]:
        connection, timer = _kept.pop(key, (None, None))
        if connection is not None and timer is not None:
            timer.cancel()
            connection.close()


def _take_kept(address: Address) -> psycopg.Connection | None:
    connection, timer = _kept.pop(_key(address), (None, None))
    if timer is not None:
        timer.cancel()
    return connection
