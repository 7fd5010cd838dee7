"""Connect to PostgreSQL: addresses, connections, and errors converted to `TourneyError`.

psycopg, the driver, is imported only here and in `postgres`. These two modules are imported only for events
in a database.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self
from urllib.parse import unquote

import psycopg
from psycopg import errors, pq

from tourney.errors import TourneyError
from tourney.event.entry import ALTERED
from tourney.store.journal import GRANTED, AwayError, Closing, EventRow, ShutOutError

LOCK = 0x54524E59
"""The advisory lock (`TRNY`) for creating the tables and for reserving names of new events."""

_VERSION = 1
"""The version of the structure of the tables."""


def _script(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


TABLES, ROLES = _script("tables.sql"), _script("roles.sql")


def table_script() -> str:
    """Return the SQL, for psql, that creates the tables and the roles.

    Running it a second time changes nothing.
    """
    return _script("setup.sql").replace("{tables}", TABLES).replace("{roles}", ROLES)


# -- addresses

_NAME = re.compile(
    r"(?!(?:con|prn|aux|nul|com\d|lpt\d)(?: *\..*)?$)[^\W_](?:[\w .+@#()-]{0,98}[\w.+@#()-])?",
    re.IGNORECASE,
)
"""Matches the name of an event.

The name must also be valid as a file name on every system, for copies and exports. On Windows, `con` and some
other names are devices, with or without an extension.
"""

_NAME_BYTES = 160
"""The maximum size of an event's name in bytes.

A file name can have 255 bytes, and a copy adds `-1234-5ed0fd0d-round-12.tourney`.
"""

_LIST = "`tourney event list -e pg:` lists the events"
_AN_ADDRESS = "write `pg:friday` or `postgresql://user@host/database?event=friday`"
_A_CONNECTION = (
    "write `postgresql://user@host/database?event=friday`; in $TOURNEY_PG, write"
    " `postgresql://user@host/database` or `host=… dbname=… user=…`"
)
_ESCAPED = (
    "in an address, write `/`, `@`, `:`, `?`, `%` and a space of a password as"
    " `%2F`, `%40`, `%3A`, `%3F`, `%25` and `%20`; it is better to keep the password in ~/.pgpass"
)
_WHERE_PASSWORDS_ARE = (
    "`PGPASSWORD`, or a line of ~/.pgpass that only you may read: `host:port:database:user:password`"
)


@dataclass(frozen=True, slots=True)
class Address:
    """The address of an event: `pg:friday`, `postgresql://user@host/club?event=friday`.

    event:    the event's name; empty for the database as a whole
    conninfo: libpq's connection string; empty to use the `PG*` variables. It is never shown, because it may
              contain a password
    """

    event: str
    conninfo: str = field(default="", repr=False)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse an address. `pg:` is the database of `$TOURNEY_PG`, or else of the `PG*` variables.

        The case of the scheme does not matter. Raises TourneyError if the address cannot be read or contains
        a password, or if the event's name is not valid.
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
        other_settings = "&".join(setting for setting in settings if setting not in events)
        conninfo = f"{base}?{other_settings}" if other_settings else base
        with suppress(psycopg.Error, UnicodeError):  # an unreadable address is refused when it is used
            if not {"password", "sslpassword"}.isdisjoint(psycopg.conninfo.conninfo_to_dict(conninfo)):
                # The shell stores it in its history, and other users of the machine can see it.
                raise TourneyError(
                    "the address of an event must not contain a password", _WHERE_PASSWORDS_ARE
                )
        return cls(_event_name(event), conninfo)

    @property
    def name(self) -> str:
        """The event's name in messages, `pg:friday`; the server is left out."""
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
    if name and (not _NAME.fullmatch(name) or len(name.encode()) > _NAME_BYTES):
        # The name may be a mistyped address with a login or settings, so it is not repeated.
        label = "that" if re.search("[@?=]", name) else f"`{name}`"
        raise TourneyError(
            f"{label} cannot be the name of an event in a database, because its copies are named after it",
            "begin with a letter or a digit; use up to 100 letters, digits, spaces and . _ - + @ # ( ), "
            "at most 160 bytes; names of Windows devices (con, nul …) are not allowed: `pg:friday`",
        )
    return name


# -- errors

_RETRY = "repeat the command in a moment"
_WHERE = (
    "`PGHOST`, `PGPORT` and `PGDATABASE`, or `TOURNEY_PG`, say where the database is;"
    " check that `psql` connects with the same settings"
)

# For failed connections, libpq has only messages, not codes. Messages from the server are in the server's
# language, so they may match none of these patterns.
_CONNECTION_REFUSALS = (
    (r"password authentication failed|no password supplied",
     "the database does not let this login in: the password is wrong, or there is none",
     _WHERE_PASSWORDS_ARE),
    (r'database ".*" does not exist', "the server has no such database",
     "`createdb NAME` makes one; `PGDATABASE`, or the address, names it"),
    (r'role ".*" does not exist|no pg_hba\.conf|authentication failed|permission denied|not permitted',
     "the database does not let this login in",
     "`PGUSER`, or the address, names the login; the database's owner grants it `CONNECT`, and the server's "
     "`pg_hba.conf` lists the logins and hosts that may connect"),
    (r"too many (clients|connections)|connection slots|starting up|shutting down|recovery mode|not yet acc",
     "the database accepts no more connections now: {}", _RETRY),
    # The part of a password after a space or an & may be read as a value.
    (r"invalid .*(value|port number)|bad value for|to parse|match \d+ (port|host)|Servname",
     "a setting of the database's address has an invalid value",
     "`port` and `connect_timeout` are numbers, `sslmode` is a word; keep a password with a space or an & in"
     " ~/.pgpass"),
    (r"certificate|does not support SSL",
     "the connection to the database is not as secure as `sslmode` requires: {}",
     "`sslrootcert` names the certificate that signs the server's certificate; "
     "the server's certificate must name the address's host"),
    (r"resolve host|translate host name|parse network address", "the database's host is unknown", _WHERE),
)  # fmt: skip
"""Each row has a pattern for libpq's message, and the message and hint that we show instead."""

_LOST = ("08", "57P01", "57P02", "57P03", "57P05")
"""The SQL states of a connection that was lost, or that the server ended."""

_WRITES_FILES = ("md.c", "buffile.c")
"""The server's source files that contain the code for extending data files.

An error from these files means an exceeded disk quota or file size, for which the server has no SQL state.
"""

_REFUSALS: tuple[tuple[tuple[str, ...], str, str | None], ...] = (
    (("42501",), "this login may not do that with {event}; nothing was changed", GRANTED),
    (("25006",), "{event} cannot be changed here: the server is a replica, or is set to be read-only;"
     " nothing was changed", "write to the primary server"),
    (("53100",), "the database's disk is full; nothing was changed in {event}",
     "free some space on the server, then repeat the command"),
    (("55P03",), "another program has been writing to {event} for more than a minute; nothing was changed",
     "repeat the command"),
    (("53", "57014", "40", "25P"), "the database aborted a change: {message}; nothing was changed in {event}",
     _RETRY),
    (("42P01", "3F000", "42703"), "the database's tables do not have the expected structure", ALTERED),
    (("XX",), "the database is damaged: {message}",
     "ask the database's owner to restore it; `tourney event salvage` helps if there is a copy"),
    (("58", "54", "22021", "22P05"),
     "the database cannot do that: {message}; nothing was changed in {event}", None),
)  # fmt: skip
"""Each row has prefixes of SQL states, the message, and the hint."""


@contextmanager
def refusals(event: str) -> Iterator[None]:
    """Raise the database's errors in the `with` block as a `TourneyError` about the event.

    Errors that only a bug can cause are not changed.
    """
    try:
        yield
    except psycopg.Error as fault:
        state, message = fault.sqlstate or "", fault.diag.message_primary or ""
        if state.startswith(_LOST) or (not state and isinstance(fault, psycopg.OperationalError)):
            raise AwayError("the connection to the database was lost; nothing was changed", _RETRY) from None
        if state == "XX000" and fault.diag.source_file in _WRITES_FILES:
            state = "53100"
        for prefixes, words, hint in _REFUSALS:
            if state.startswith(prefixes):
                raise TourneyError(words.format(event=event, message=message), hint) from fault
        raise


# -- connections

_OLDEST = 13
"""The oldest supported version of PostgreSQL. Older versions are no longer maintained."""

_CONNECTING = {
    "application_name": "tourney",
    "connect_timeout": "10",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "30000",
}
"""Settings of a connection that limit the wait for a server that no longer answers.

The address can override all of these settings. Environment variables can override only the first two.
"""

_SETTINGS = _script("settings.sql")


class Database(Closing):
    """A connection to a database, which is restored if it is lost between two statements."""

    def __init__(self, address: Address, connection: psycopg.Connection) -> None:
        self.address = address
        self.name = address.name if address.event else "the database"
        self.connection = connection
        self._event: int | None = None
        self._later: list[tuple[str, tuple[object, ...]]] = []

    @classmethod
    def connect(cls, address: Address) -> Self:
        """Connect to the database without checking its structure (see `open`).

        Raises TourneyError if the connection fails.
        """
        return cls(address, _connect(address))

    @classmethod
    def open(cls, address: Address) -> Self:
        """Connect, and create the tables if the database does not have them.

        Raises TourneyError if the database cannot be reached, if the login may not read the tables, or if the
        tables were created by another version of tourney.
        """
        database = cls(address, _connect(address))
        try:
            if not database._look():
                database._make_tables()
        except BaseException:
            database.close()
            raise
        return database

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()

    # -- events

    def events(self) -> list[EventRow]:
        """Return the events of the database, sorted by name."""
        rows = self.ask(
            "SELECT e.name, coalesce(h.seq, 0), coalesce(j.at, ''),"
            " CASE WHEN j.event IS NULL THEN 'its last entry is missing' END"
            " FROM tourney.events e LEFT JOIN tourney.head h ON h.event = e.id"
            " LEFT JOIN tourney.journal j ON j.event = e.id AND j.seq = h.seq ORDER BY e.name"
        )
        return [EventRow(*row) for row in rows]

    def event(self) -> int:
        """Return the number that the database gives to the event of the address.

        Raises TourneyError if the event did not exist when the connection was opened.
        """
        if self._event is None:
            namesake = self._namesake()
            raise TourneyError(
                f"there is no event {self.name}", f"did you mean `pg:{namesake}`?" if namesake else _LIST
            )
        return self._event

    def refuse_taken(self) -> None:
        """Raise TourneyError if the database has an event with the name in `address`, ignoring case.

        Copies and exports are named after the event, and on Windows and macOS, the case of a file name does
        not matter.
        """
        namesake = self._namesake()
        if namesake and namesake == self.address.event:
            raise TourneyError(f"{self.name} exists already", "choose another name")
        if namesake:
            raise TourneyError(
                f"{self.name} exists already, as pg:{namesake}",
                "choose a name that differs in more than case, "
                "because copies and exports are named after the event",
            )

    def _namesake(self) -> str:
        """Return the stored name of the event in the address, ignoring upper and lower case.

        An exact match is preferred. Empty if the database does not have such an event.
        """
        name = self.address.event
        names = [row[0] for row in self.ask("SELECT name FROM tourney.events ORDER BY name")]
        namesakes = [other for other in names if other.casefold() == name.casefold()]
        return name if name in namesakes else next(iter(namesakes), "")

    # -- running statements

    def ask(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Run one statement and return its rows.

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
                if in_transaction or not self.is_lost:
                    raise
            self.connect_again()
            return self.run(query, *values)

    def run(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Run a statement, in the current transaction if there is one, and return its rows.

        If `query` has several statements, the rows of the last one are returned. The statements that `later`
        queued are sent first. This works only in a transaction; otherwise, no statement is sent, and
        `InFailedSqlTransaction` is raised. If the server refuses a statement, its error is raised, and the
        server does not run the statements after it.
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
        """Queue a statement of a transaction for the next `run`, which sends all statements at once.

        This is faster because, over a network, each answer takes a millisecond.
        """
        self._later.append((query, values))

    @property
    def is_lost(self) -> bool:
        """Whether the connection was lost."""
        return self.connection.closed

    @property
    def has_failed(self) -> bool:
        """Whether the transaction has failed, so that its COMMIT would roll back without an error."""
        return self.connection.info.transaction_status == pq.TransactionStatus.INERROR

    @property
    def idle(self) -> bool:
        """Whether there is a connection without a transaction."""
        return self.connection.info.transaction_status == pq.TransactionStatus.IDLE

    @property
    def in_transaction(self) -> bool:
        """Whether the connection has an open transaction, which may have failed."""
        return not self.is_lost and not self.idle

    def roll_back(self) -> None:
        """Roll back the transaction, if any.

        If the rollback fails, close the connection, so that the server rolls back.
        """
        self._later.clear()
        try:
            if self.in_transaction:
                self.connection.execute("ROLLBACK")
        except BaseException as fault:
            self.connection.close()
            if not isinstance(fault, psycopg.Error):
                raise

    def connect_again(self) -> None:
        """Restore a lost connection.

        Raises AwayError if the server cannot be reached or refuses this login.
        """
        self._later.clear()
        self.connection.close()
        try:
            self.connection = _connect(self.address)
        except AwayError:
            raise
        except TourneyError as fault:
            raise ShutOutError(fault.message, fault.hint) from None

    # -- the tables

    def _look(self) -> bool:
        """Read the database's id of the event, and return whether the database has our tables.

        Raises ShutOutError if the login may not read the tables. It needs the role `tourney_owner` or
        `tourney_desk`, unless it owns the tables itself.
        """
        with refusals(self.name):
            try:
                rows = self.run(
                    "SELECT v.number, e.id, has_table_privilege('tourney.secrets', 'SELECT')"
                    " FROM tourney.version v LEFT JOIN tourney.events e ON e.name = %s",
                    self.address.event,
                )
            except errors.InsufficientPrivilege:
                rows = [(0, None, False)]
            except (errors.UndefinedTable, errors.InvalidSchemaName):
                return False
        for version, self._event, is_admitted in rows:
            refuse_newer(version)
            if not is_admitted:
                raise ShutOutError(
                    f"this login cannot use {self.name}: it is neither the database's owner nor a desk",
                    GRANTED,
                )
        return bool(rows)

    def _make_tables(self) -> None:
        with refusals(self.name):
            try:
                with self.connection.transaction():
                    self.run(f"SELECT pg_advisory_xact_lock({LOCK})")
                    if not self.run("SELECT 1 FROM pg_namespace WHERE nspname = 'tourney'"):
                        self.run(TABLES)
            except (errors.InsufficientPrivilege, errors.ReadOnlySqlTransaction):
                raise TourneyError(
                    "the database has no tables for events yet, and this login may not create them",
                    "ask its owner to create them: `tourney event tables` prints the SQL for psql",
                ) from None
        if not self._look():
            raise TourneyError(
                "the database's tables were written by a pre-release of tourney",
                "events need a new database: `createdb NAME`",
            )


def refuse_newer(version: int) -> None:
    """Raise TourneyError if the database tables have a newer version than this program supports."""
    if version > _VERSION:
        raise TourneyError(
            f"the database's tables were made by a newer tourney (version {version})",
            "install the newest tourney",
        )


def _connect(address: Address) -> psycopg.Connection:
    """Return a new connection with `_SETTINGS` applied.

    Raises a TourneyError, which never contains a password, if the connection cannot be made.
    """
    settings: dict[str, Any] | None = None
    with suppress(psycopg.Error, UnicodeError):  # libpq's message would quote the unreadable part
        settings = psycopg.conninfo.conninfo_to_dict(address.conninfo)
    if settings is None or _has_unescaped_password(address.conninfo):
        hint = _ESCAPED if re.search("://.*(@|password)", address.conninfo, re.DOTALL) else _A_CONNECTION
        raise TourneyError("the database's address cannot be read", hint)
    environment = {"application_name": "PGAPPNAME", "connect_timeout": "PGCONNECT_TIMEOUT"}
    base = {key: value for key, value in _CONNECTING.items() if environment.get(key, "") not in os.environ}
    try:
        connection = psycopg.connect(
            **{**base, **settings, "client_encoding": "UTF8"}, autocommit=True, prepare_threshold=None
        )
    except UnicodeError:  # the host's name is not valid
        raise TourneyError("the database's address cannot be read", _A_CONNECTION) from None
    except psycopg.Error as fault:
        raise _connection_refusal(fault, settings) from None
    version = connection.info.server_version // 10_000
    if version < _OLDEST:
        connection.close()
        raise TourneyError(f"the database is PostgreSQL {version}; {_OLDEST} or newer is needed")
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
    scheme, _, address = conninfo.partition("://")
    base, _, settings = address.partition("?")
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
