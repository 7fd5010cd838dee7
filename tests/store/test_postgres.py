"""Events in PostgreSQL: addresses, rights, and lost connections.

`test_every_journal` has the other tests.
"""

import os
import re
import resource
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from random import Random

import psycopg
import pytest
from msgspec.structs import replace

from tests.desk.kit import Clock, lent, new_desk
from tests.kit import ROOT, with_rows
from tests.store.servers import PASSWORD, proxied, small_disk, started
from tests.store.test_every_journal import HELLO, MIRA, more
from tests.store.test_journal import rows
from tourney.desk import Desk, verify
from tourney.errors import Severity, TourneyError, UnsettledError
from tourney.event.entry import NOTHING_YET, Text, chain_digest, check_chain, plain
from tourney.store import postgres as journals
from tourney.store.database import ROLES, Database, table_script
from tourney.store.journal import AwayError, ShutOutError, StoredEvent
from tourney.store.places import in_database, list_events, place_of
from tourney.store.postgres import PostgresJournal, PostgresPlace


@pytest.fixture
def address(postgres, database):
    """The address of the event `friday`."""
    return postgres.address(database=database)


@pytest.fixture
def journal(address):
    with PostgresJournal.create(address, rows(1), [HELLO], b"secret") as made:
        yield made


def entries(address):
    with PostgresJournal.open(address) as opened:
        return len(opened.rows())


def refused(act, *words):
    """Return the error of an action, after checking that it contains no password."""
    with pytest.raises(TourneyError) as refusal:
        act(*words)
    fault = refusal.value
    text = (
        f"{fault.message} {fault.hint} {fault!r} {fault.__cause__!r} "
        f"{fault.__context__ if not fault.__suppress_context__ else ''}"
    )
    assert PASSWORD not in text
    return fault


# -- where it lies


@pytest.mark.parametrize(
    ("text", "event", "conninfo"),
    [
        ("pg:friday", "friday", ""),
        ("pg:", "", ""),
        ("pg:Äpfel & Birnen"[:8], "Äpfel", ""),
        ("pg:A\u0308pfel", "Äpfel", ""),
        ("postgresql://ann@host/club?event=friday", "friday", "postgresql://ann@host/club"),
        ("postgres://ann@h1:1,h2:2/club?sslmode=require&event=friday%20night", "friday night",
         "postgresql://ann@h1:1,h2:2/club?sslmode=require"),
        ("PG:friday", "friday", ""),
        ("PostgreSQL://ann@Host/Club?event=Friday", "Friday", "postgresql://ann@Host/Club"),
        ("postgresql:///club?host=/tmp/x&event=1", "1", "postgresql:///club?host=/tmp/x"),
        ("postgresql://host/club?options=a+b%2B&event=a%23+&user=x", "a#+",
         "postgresql://host/club?options=a+b%2B&user=x"),
        ("postgresql://host/club", "", "postgresql://host/club"),
    ],
)  # fmt: skip
def test_an_address_names_an_event_and_a_database(monkeypatch, text, event, conninfo):
    """`pg:NAME` with the usual settings, or a URL of PostgreSQL with the event as a setting."""
    monkeypatch.delenv("TOURNEY_PG", raising=False)
    address = PostgresPlace.parse(text)
    assert (address.event, address.conninfo) == (event, conninfo)
    assert (str(address), address.name, address.stem) == (f"pg:{event}", f"pg:{event}", event)
    psycopg.conninfo.conninfo_to_dict(address.conninfo)


def test_a_variable_names_the_database(monkeypatch):
    """`$TOURNEY_PG` is a connection string or a URL, whose scheme may have any case."""
    monkeypatch.setenv("TOURNEY_PG", "host=db.example dbname=club")
    assert PostgresPlace.parse("pg:friday").conninfo == "host=db.example dbname=club"
    monkeypatch.setenv("TOURNEY_PG", "Postgres://db.example/club")
    assert PostgresPlace.parse("pg:friday").conninfo == "postgresql://db.example/club"


@with_rows(
    "text", ["pg:../x", "pg:a/b", "pg:-x", "pg:a\nb", "pg: x", "pg:x ", "pg:" + "x" * 101, "pg:a:b",
             "pg:a\\b", "pg:" + "日" * 54, "pg:con", "pg:NUL.txt", "pg:aux .x", "pg:Com1",
             "postgresql://h/d?event=a&event=b", "http://h/d", "pg:x\0", "postgresql:friday", "MySQL://h/d",
             "pg://h/d"],
)  # fmt: skip
def test_an_invalid_address_is_refused(text):
    """A name must be a valid file name on every system, as copies are named after it."""
    assert refused(PostgresPlace.parse, text).hint


@pytest.mark.parametrize("name", ["x" * 100, "日" * 53, "Ä" * 80, "contest", "console", "com", "Nulpunkt.1"])
def test_the_longest_names_leave_room_for_copies(name, tmp_path):
    """The name of a copy is longer, and must still be a valid file name."""
    event = PostgresPlace.parse(f"pg:{name}").event
    (tmp_path / f"{event}-123456-5ed0fd0d-round-12.tourney.new").touch()


def test_an_error_shows_the_name_as_it_was_given():
    """A space at its end is the fault, so it must be visible."""
    assert "`x `" in refused(PostgresPlace.parse, "pg:x ").message


@with_rows(
    "text",
    ["pg:ann:ge/heim@host", "pg:friday?password=ge/heim", "pg://ann:ge-heim@host/club",
     "mysql://ann:ge-heim@h/d", "postgresql://host/club?event=friday?password=ge-heim",
     "postgresql:ann:ge-heim@host"],
)  # fmt: skip
def test_a_mistyped_address_is_not_repeated(text):
    """It may contain a password."""
    fault = refused(PostgresPlace.parse, text)
    assert "heim" not in f"{fault.message} {fault.hint}"


def test_place_of_opens_files_and_databases(monkeypatch, tmp_path, address):
    """Other modules do not need to know the kind."""
    monkeypatch.setenv("TOURNEY_PG", address.conninfo)
    for place in ("pg:friday", "pg:saturday", tmp_path / "friday.tourney", str(tmp_path / "pg:x")):
        place_of(place).begin(StoredEvent(rows(2), [HELLO], None), lambda made: made).close()
        opened = place_of(place).open()
        assert (opened.rows(), opened.place.name) == (rows(2), Path(place).name)
        opened.close()
    assert [row.event for row in list_events("pg:").events] == ["pg:friday", "pg:saturday"]
    for path in ("./pg:x", Path("pg:x")):
        assert place_of(path).file == Path("pg:x").absolute(), (
            "a path is not an address, and is not shown as one"
        )
    for address in ("postgresql://host/club?event=friday", "PG:friday", "Postgres://h/d", "mysql://h/d"):
        assert in_database(address)
    for file in ("friday.tourney", "C:/friday.tourney", "/tmp/pg:friday", "pgfriday", "mypg:friday"):
        assert not in_database(file)


@with_rows(
    "text",
    [
        f"postgresql://ann:{PASSWORD}@host/club?event=friday",
        f"Postgres://ann@host/club?password={PASSWORD}&event=friday",
        f"postgresql://ann@host/club?event=friday&sslpassword={PASSWORD}",
    ],
)
def test_an_address_with_a_password_is_refused(text):
    """The shell would save it, and other users could see it."""
    fault = refused(PostgresPlace.parse, text)
    assert fault.message == "the address of an event must not contain a password"
    assert "~/.pgpass" in fault.hint


def test_a_password_of_the_setting_is_not_shown(monkeypatch):
    """$TOURNEY_PG may contain one; no text form of the address does."""
    monkeypatch.setenv("TOURNEY_PG", f"postgresql://ann:{PASSWORD}@host/club")
    address = PostgresPlace.parse("pg:friday")
    assert PASSWORD in address.conninfo
    assert PASSWORD not in f"{address} {address!r} {address.name} {address.stem}"


# -- who is let in


def test_right_and_wrong_passwords(postgres, database, journal):
    """It is required, taken from the address, and in no message."""
    postgres.sql(ROLES, database=database)
    postgres.sql("GRANT tourney_desk TO guarded", database=database)
    with PostgresJournal.open(
        postgres.address(database=database, user="guarded", password=PASSWORD)
    ) as opened:
        assert opened.append(1, more(1, 1))
        assert PASSWORD not in repr(vars(opened))
    for words in ({"password": f"{PASSWORD}x"}, {}):
        fault = refused(PostgresJournal.open, postgres.address(database=database, user="guarded", **words))
        assert "does not let this login in: the password is wrong, or there is none" in fault.message
        assert ".pgpass" in fault.hint


@with_rows(
    "login",
    [
        "ann:12/34",
        "ann:ge/heim",
        "ann:ge@heim",
        "ann:ge@heim@x",
        "a/nn:ge:heim",
        "ann:ge?heim",
        "ann:1?2@heim",
    ],
)
def test_an_unescaped_password_is_not_shown(login):
    """libpq would read its rest as a host, a port or a database, and quote it."""
    fault = refused(
        Database.open, PostgresPlace("friday", f"postgresql://{login}@127.0.0.1:1/club?connect_timeout=1")
    )
    text = f"{fault.message} {fault.hint}"
    assert "cannot be read" in text
    assert "%2F" in text
    assert not [part for part in ("12", "34", "ge/", "heim") if part in text.replace("127", "")]


def test_an_escaped_login_is_accepted():
    """Also an @ in the name of a database or a setting."""
    for whole in (
        "postgresql://ann:ge%2Fh%40im@127.0.0.1:1/club",
        "postgresql:///club?host=/tmp/none&user=ann@club",
    ):
        assert "does not answer" in refused(Database.open, PostgresPlace("friday", whole)).message


def test_an_unreachable_database_is_an_error(postgres):
    """An unknown database or user, no server, an invalid address."""
    assert "has no such database" in refused(Database.open, postgres.address(database="nowhere")).message
    assert (
        "this login" in refused(Database.open, postgres.address(database="postgres", user="nobody")).message
    )
    away = refused(Database.open, PostgresPlace("friday", f"host=/nowhere dbname=x password={PASSWORD}"))
    assert isinstance(away, AwayError)
    assert "the database does not answer: " in away.message
    assert "PGHOST" in away.hint
    away = refused(Database.open, PostgresPlace("friday", "postgresql://ann@no-such-host.invalid/club"))
    assert away.message == "the database's host is unknown"
    for odd in ("port=first", "connect_timeout=soon", "sslmode=perhaps", "host=a,b port=1,2,3", "port=99999"):
        fault = refused(Database.open, PostgresPlace("friday", f"host=127.0.0.1 {odd}"))
        assert not isinstance(fault, AwayError)
        assert fault.message == "a setting of the database's address has an invalid value", odd
    for odd in (f"host=x nonsense={PASSWORD}", f"password='{PASSWORD}", f"postgresql://h/d?{PASSWORD}=1"):
        fault = refused(Database.open, PostgresPlace("friday", odd))
        assert "address cannot be read" in fault.message
        assert "$TOURNEY_PG" in fault.hint


def test_too_many_connections_are_an_error(postgres, database, journal):
    """The message is the server's; a later try may succeed."""
    postgres.sql(f"ALTER DATABASE {database} CONNECTION LIMIT 1")
    postgres.sql(ROLES, database=database)
    postgres.sql("GRANT tourney_desk TO guarded", database=database)
    fault = refused(
        PostgresJournal.open, postgres.address(database=database, user="guarded", password=PASSWORD)
    )
    assert "accepts no more connections now" in fault.message


def test_names_that_differ_only_in_case_are_refused(address, journal):
    """Their copies would be the same file on Windows and macOS."""
    for name in ("Friday", "FRIDAY"):
        other = PostgresPlace(name, address.conninfo)
        fault = refused(PostgresJournal.create, other, rows(1), [HELLO], None)
        assert fault.message == f"pg:{name} exists already, as pg:friday"
        assert "differs in more than case" in fault.hint
        with Database.open(other) as database:
            assert refused(database.refuse_taken).message == fault.message
        fault = refused(PostgresJournal.open, other)
        assert (fault.message, fault.hint) == (f"there is no event pg:{name}", "did you mean `pg:friday`?")
    PostgresJournal.create(PostgresPlace("Fridays", address.conninfo), rows(1), [HELLO], None).close()


def test_names_in_different_case_made_at_once(address, database, postgres):
    """One event is made. The others wait, and get its name."""
    names, answers = ("tuesday", "Tuesday", "TUESDAY", "Äpfel", "äpfel"), []
    Database.open(address).close()

    def slowly(journal):
        time.sleep(0.2)
        return journal

    def make(name):
        try:
            PostgresJournal.begin(
                PostgresPlace(name, address.conninfo), StoredEvent(rows(2), [HELLO], None), slowly
            ).close()
        except TourneyError as fault:
            answers.append(fault.message)

    threads = [threading.Thread(target=make, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    made = [name for (name,) in postgres.sql("SELECT name FROM tourney.events", database=database)]
    assert sorted(name.casefold() for name in made) == ["tuesday", "äpfel"]
    assert len(answers) == 3
    assert all(re.fullmatch("pg:.* exists already, as pg:.*", answer) for answer in answers), answers


def test_opening_an_event_asks_the_server_twice(journal, address, monkeypatch):
    """For the settings, and for tables and event together, as each round trip takes time."""
    queries, execute = [], psycopg.Connection.execute
    monkeypatch.setattr(
        psycopg.Connection,
        "execute",
        lambda self, *words, **more: queries.append(words[0]) or execute(self, *words, **more),
    )
    with PostgresJournal.open(address) as opened:
        assert len(queries) == 2
        ((path, waits),) = opened._database.run(
            "SELECT current_setting('search_path'), current_setting('lock_timeout')"
        )
        assert (path, waits) == ("pg_catalog", "1min")


def test_a_turn_asks_the_server_twice(journal, monkeypatch):
    """For the lock with the last entry, and for the writes with the COMMIT."""
    queries, run = [], Database.run
    monkeypatch.setattr(
        Database, "run", lambda database, *words: queries.append(words[0]) or run(database, *words)
    )
    with journal.turn():
        assert journal.rows(1) == []
        assert journal.append(1, more(2, 1), [MIRA])
    assert len(queries) == 2
    assert queries[1] == "COMMIT"
    assert journal.rows() == rows(3)


def test_names_in_a_database_with_another_encoding(postgres):
    """Characters that it lacks are refused."""
    postgres.sql("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0")
    address = postgres.address("Äpfel", database="latin")
    PostgresJournal.create(address, rows(1), [HELLO], b"secret").close()
    assert entries(address) == 1
    assert (
        "the database cannot do that"
        in refused(PostgresJournal.open, postgres.address("日", database="latin")).message
    )


def test_a_missing_event_is_refused(address):
    """Opening makes none."""
    for _ in range(2):
        fault = refused(PostgresJournal.open, address)
        assert fault.message == "there is no event pg:friday"
    assert (
        "does not name an event" in refused(PostgresJournal.open, PostgresPlace("", address.conninfo)).message
    )
    assert (
        "does not name an event"
        in refused(PostgresJournal.create, PostgresPlace("", address.conninfo), rows(1), [], None).message
    )


# -- the tables


def test_tables_made_at_once(address):
    """One process makes the tables, the others use them."""
    faults, events = [], []

    def make(number):
        try:
            with PostgresJournal.create(
                PostgresPlace(f"event {number}", address.conninfo), rows(1), [], None
            ):
                pass
        except BaseException as fault:  # noqa: BLE001 - the test reports it
            faults.append(fault)

    threads = [threading.Thread(target=make, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
    with Database.open(address) as database:
        events = database.events()
    assert [event.event for event in events] == [f"event {number}" for number in range(6)]
    assert {(event.entries, event.last) for event in events} == {(1, rows(1)[0].at)}


def test_tables_of_a_newer_version_are_refused(postgres, database, address, journal):
    """On opening, in a running desk's transaction, and by the printed SQL."""
    postgres.sql("UPDATE tourney.version SET number = 2", database=database)
    for act in (lambda: PostgresJournal.open(address), lambda: journal.append(1, more(1, 1))):
        fault = refused(act)
        assert "made by a newer tourney (version 2)" in fault.message
        assert "install the newest" in fault.hint
    with pytest.raises(psycopg.errors.RaiseException, match="made by a newer tourney"):
        postgres.sql(table_script(), database=database)
    assert journal.rows() == rows(1)


def test_tables_of_a_pre_release_are_refused(postgres, database, address):
    """On opening, on making an event, and by the printed SQL. The tables are not changed."""
    postgres.sql(
        "CREATE SCHEMA tourney; CREATE TABLE tourney.format (version integer NOT NULL);"
        "INSERT INTO tourney.format VALUES (6)",
        database=database,
    )
    for act in (
        lambda: PostgresJournal.open(address),
        lambda: PostgresJournal.create(address, rows(1), [HELLO], None),
    ):
        fault = refused(act)
        assert fault.message == "the database's tables were written by a pre-release of tourney"
        assert fault.hint == "events need a new database: `createdb NAME`"
    with pytest.raises(psycopg.errors.RaiseException, match="written by a pre-release of tourney"):
        postgres.sql(table_script(), database=database)
    tables = "SELECT relname FROM pg_class WHERE relnamespace = 'tourney'::regnamespace"
    assert postgres.sql(tables, database=database) == [("format",)]


def test_a_user_without_rights_cannot_make_the_tables(postgres, database):
    """The hint says who can."""
    fault = refused(Database.open, postgres.address(database=database, user="guarded", password=PASSWORD))
    assert "this login may not create them" in fault.message
    assert "`tourney event tables`" in fault.hint


def test_the_printed_sql_makes_the_same_tables(postgres, database, address):
    """It can be run again."""
    for _ in range(2):
        postgres.sql(table_script(), database=database)
    with PostgresJournal.create(address, rows(1), [HELLO], None) as made:
        assert made.damage() == []
        postgres.sql(table_script(), database=database)
        assert made.rows() == rows(1)


def test_the_printed_sql_needs_no_superuser(postgres, database):
    """A login that may make roles and owns the database can run it, as on a hosted server."""
    postgres.sql(f"CREATE ROLE boss LOGIN CREATEROLE; ALTER DATABASE {database} OWNER TO boss")
    try:
        for _ in range(2):
            with psycopg.connect(postgres.conninfo(database, user="boss"), autocommit=True) as connection:
                connection.execute(table_script())
        with (
            as_granted(postgres, database, "tourney_desk") as address,
            PostgresJournal.create(address, rows(1), [HELLO], b"secret") as made,
        ):
            assert made.append(1, more(1, 1), erased=[HELLO.ref])
            assert made.damage() == []
        with PostgresJournal.open(postgres.address(database=database, user="boss")) as opened:
            opened.compact()
        owners = (
            "SELECT DISTINCT relowner::regrole::text FROM pg_class WHERE relnamespace "
            "= 'tourney'::regnamespace"
        )
        assert postgres.sql(owners, database=database) == [("tourney_owner",)]
    finally:
        postgres.sql(f"ALTER DATABASE {database} OWNER TO owner")
        postgres.sql("DROP OWNED BY boss", database=database)
        postgres.sql("DROP ROLE boss")


def test_the_printed_sql_is_silent_on_success(postgres, database):
    """So any output of psql is worth reading."""
    notices = []
    with psycopg.connect(postgres.conninfo(database), autocommit=True) as connection:
        connection.add_notice_handler(lambda notice: notices.append(notice.message_primary))
        answer = connection.execute(table_script())
        while True:
            assert answer.description is None
            if not answer.nextset():
                break
    assert notices == []


# -- who may do what


@contextmanager
def as_role(postgres, database, role):
    """Make the roles, and yield an address of a user with only one role."""
    postgres.sql(ROLES, database=database)
    with as_granted(postgres, database, role) as address:
        yield address


@contextmanager
def as_granted(postgres, database, role):
    """Yield an address of a user with only one role."""
    postgres.sql(f"DROP ROLE IF EXISTS bea; CREATE ROLE bea LOGIN; GRANT {role} TO bea", database=database)
    try:
        yield postgres.address(database=database, user="bea")
    finally:
        postgres.sql("DROP ROLE bea", database=database)


FORBIDDEN = (
    "UPDATE tourney.journal SET at = ''",
    "DELETE FROM tourney.journal",
    "TRUNCATE tourney.journal",
    "UPDATE tourney.journal SET op = '' WHERE false",
    "DELETE FROM tourney.texts",
    "TRUNCATE tourney.texts CASCADE",
    "UPDATE tourney.texts SET bytes = 'other'",
    "UPDATE tourney.texts SET digest = 'other', salt = NULL, bytes = NULL",
    "UPDATE tourney.head SET seq = 0",
    "DELETE FROM tourney.head",
    "UPDATE tourney.secrets SET bytes = ''",
    "DELETE FROM tourney.secrets",
    "TRUNCATE tourney.secrets",
    "DELETE FROM tourney.events",
    "DROP TABLE tourney.journal",
    "ALTER TABLE tourney.journal DISABLE TRIGGER ALL",
    "UPDATE tourney.version SET number = 9",
    "CREATE TABLE tourney.other ()",
)
FOR_EVERYBODY = FORBIDDEN[:13]
"""What the tables refuse even to their owner and to a superuser."""


def test_a_desk_can_only_append_and_delete_texts(postgres, database, journal):
    """That is enough for an event; entries cannot be changed."""
    with as_role(postgres, database, "tourney_desk") as address:
        with PostgresJournal.open(address) as opened:
            assert opened.append(1, more(1, 1), [MIRA])
            assert opened.append(2, more(1, 2), erased=[MIRA.ref])
            assert opened.restore_texts([plain(b"other")])
            assert opened.secret() == b"secret"
            assert len(opened.rows()) == 3
            fault = refused(opened.compact)
            assert "did not clear its unused space" in fault.message
            assert "VACUUM (FULL) tourney.texts" in fault.hint
        with PostgresJournal.create(
            PostgresPlace("saturday", address.conninfo), rows(2), [HELLO], b"s"
        ) as made:
            assert made.rows() == rows(2)
        for statement in FORBIDDEN:
            with pytest.raises(psycopg.Error), psycopg.connect(address.conninfo) as connection:
                connection.execute(statement)
    assert list(journal.rows()) == rows(3)


def test_the_owner_cannot_change_entries(postgres, database, journal):
    """Texts can be deleted, or restored if they match their digest."""
    journal.append(1, more(1, 1), [MIRA])
    for statement in FOR_EVERYBODY:
        with pytest.raises(
            (psycopg.errors.RaiseException, psycopg.errors.InsufficientPrivilege), match="never"
        ):
            postgres.sql(statement, database=database)
    postgres.sql(
        "UPDATE tourney.texts SET salt = NULL, bytes = NULL WHERE digest = %s", MIRA.ref, database=database
    )
    with pytest.raises(psycopg.errors.RaiseException, match="never"):
        postgres.sql(
            "UPDATE tourney.texts SET salt = %s, bytes = %s WHERE digest = %s",
            MIRA.salt,
            MIRA.content,
            MIRA.ref,
            database=database,
        )
    assert journal.damage() == []
    postgres.sql("ALTER TABLE tourney.journal DISABLE TRIGGER never_changed", database=database)
    (message,) = journal.damage()
    assert "its trigger never_changed on tourney.journal is missing or disabled" in message


def entry(seq, previous, op=b"{}"):
    return seq, "now", "by", op, chain_digest(previous, seq, "now", "by", op)


def test_entries_and_head_always_agree(postgres, database, journal):
    """No SQL of a desk or the owner can leave a gap, break the chain or move the head alone."""
    last = rows(1)[0].digest
    good = entry(2, last)
    insert = (
        "INSERT INTO tourney.journal SELECT 1, * FROM unnest(%s::bigint[], %s::text[], "
        "%s::text[], %s::bytea[], %s::text[])"
    )
    wrong = [
        [entry(3, last)],
        [entry(9, last)],
        [entry(1, NOTHING_YET)],
        [entry(0, NOTHING_YET)],
        [good, entry(4, good[-1])],
        [good, entry(3, last)],
        [(*good[:-1], "0" * 64)],
        [(*good[:3], b"other", good[-1])],
    ]
    others = [
        "INSERT INTO tourney.head VALUES (2, 0, '')",
        "INSERT INTO tourney.head VALUES (2, 1, 'x')",
        "UPDATE tourney.head SET seq = 2",
        "UPDATE tourney.head SET digest = 'x'",
        "UPDATE tourney.head SET event = 2",
        "INSERT INTO tourney.journal VALUES (2, 2, '', '', '', '')",
        "INSERT INTO tourney.journal SELECT 3 - n, 2, 'now', 'by', '{}', '' FROM generate_series(1, 2) n",
        "CREATE TEMP TABLE mine (LIKE tourney.journal); CREATE TRIGGER t AFTER INSERT ON mine"
        " REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tourney.append();"
        f" INSERT INTO mine SELECT 1, 2, 'now', 'by', '{{}}', '{good[-1]}'",
    ]
    by_hand(postgres, database, "empty", guarded=False)
    with as_role(postgres, database, "tourney_desk") as desk:
        for who in (desk.conninfo, postgres.conninfo(database)):
            for added in wrong:
                with (
                    pytest.raises(psycopg.Error, match=r"does not continue|duplicate|check"),
                    psycopg.connect(who) as connection,
                ):
                    connection.execute(insert, list(map(list, zip(*added, strict=True))))
            for statement in others[: None if who == desk.conninfo else -1]:
                with pytest.raises(psycopg.Error), psycopg.connect(who) as connection:
                    connection.execute(statement)
            assert journal.rows() == rows(1)
        with psycopg.connect(desk.conninfo) as connection:
            connection.execute(insert, list(map(list, zip(good, entry(3, good[-1]), strict=True))))
            connection.execute("INSERT INTO tourney.journal SELECT * FROM tourney.journal WHERE false")
    assert [row.seq for row in check_chain(journal.rows())] == [1, 2, 3]


def test_an_entry_by_sql_waits_for_a_writing_desk(postgres, database, journal, address):
    """It needs the lock of the head, in any order of statements."""
    done, fault = threading.Event(), []

    def by_hand():
        try:
            with psycopg.connect(address.conninfo) as connection:
                connection.execute(
                    "INSERT INTO tourney.journal VALUES (1, 3, %s, %s, %s, %s)", rows(3)[-1][1:]
                )
        except psycopg.Error as error:
            fault.append(error)
        done.set()

    with journal.turn():
        threading.Thread(target=by_hand).start()
        assert not done.wait(0.5)
        assert journal.append(1, more(1, 1))
    assert done.wait(10)
    assert not fault
    assert journal.rows() == rows(3)


OWN_FUNCTIONS = """
CREATE FUNCTION lab.sha256(bytea) RETURNS bytea LANGUAGE sql
    AS $$ SELECT decode(current_setting('lab.digest'), 'hex') $$;
CREATE FUNCTION lab.yes(bigint, bigint) RETURNS boolean LANGUAGE sql AS 'SELECT true';
CREATE OPERATOR lab.> (LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = lab.yes);
SET search_path = lab, pg_catalog;
"""


def test_functions_in_another_schema_have_no_effect(postgres, database, journal):
    """A user who puts a schema first in the path still cannot change texts or the head."""
    journal.append(1, more(1, 1), [MIRA])
    with as_role(postgres, database, "tourney_desk") as address:
        postgres.sql("CREATE SCHEMA lab AUTHORIZATION bea", database=database)
        try:
            for forging in ("UPDATE tourney.texts SET bytes = 'forged'", "UPDATE tourney.head SET seq = 1"):
                with psycopg.connect(address.conninfo) as connection:
                    connection.execute(f"SET lab.digest = '{MIRA.ref}'")
                    connection.execute(OWN_FUNCTIONS)
                    with pytest.raises(
                        (psycopg.errors.RaiseException, psycopg.errors.InsufficientPrivilege),
                        match=r"never|permission",
                    ):
                        connection.execute(f"{forging} WHERE event = 1")
                    connection.rollback()
        finally:
            postgres.sql("DROP SCHEMA lab CASCADE", database=database)
    assert journal.text(MIRA.ref) == MIRA.content.decode()


def test_a_login_without_a_role_is_refused(postgres, database, journal):
    """When it opens or lists events, with any other rights."""
    postgres.sql(f"{ROLES} CREATE ROLE cem LOGIN", database=database)
    rights = (
        "SELECT",
        "GRANT USAGE ON SCHEMA tourney TO cem",
        "GRANT SELECT ON tourney.version, tourney.events, tourney.journal, "
        "tourney.head, tourney.texts TO cem",
    )
    try:
        for right in rights:
            postgres.sql(right, database=database)
            for event, name in (("friday", "pg:friday"), ("", "the database")):
                fault = refused(Database.open, postgres.address(event, database=database, user="cem"))
                assert isinstance(fault, ShutOutError)
                assert (
                    fault.message
                    == f"this login cannot use {name}: it is neither the database's owner nor a desk"
                )
                assert (
                    fault.hint == "ask the database's owner to run `GRANT tourney_desk TO …` for this login"
                )
        postgres.sql("GRANT tourney_desk TO cem", database=database)
        assert entries(postgres.address(database=database, user="cem")) == 1
    finally:
        postgres.sql("DROP OWNED BY cem; DROP ROLE cem", database=database)


def test_a_read_only_server(postgres, database, journal):
    """A replica, or a server that is set so: reading works, writing is refused."""
    postgres.sql(f"ALTER DATABASE {database} SET default_transaction_read_only = on")
    with PostgresJournal.open(postgres.address(database=database)) as opened:
        assert opened.rows() == rows(1)
        fault = refused(opened.append, 1, more(1, 1))
        assert "pg:friday cannot be changed here" in fault.message
        assert "primary" in fault.hint
        assert opened.rows() == rows(1)
    assert journal.append(1, more(1, 1))


# -- a lost connection


@pytest.fixture
def proxy(postgres):
    with proxied(postgres) as made:
        yield made


@pytest.fixture
def far(proxy, database, journal):
    """The same event, opened through the proxy."""
    with PostgresJournal.open(
        PostgresPlace("friday", f"host={proxy.folder} user=owner dbname={database}")
    ) as opened:
        yield opened


def test_a_commit_whose_answer_is_lost_is_recognized(far, proxy, journal):
    """It was written, so it is neither an error nor repeated."""
    proxy.armed = "answer"
    assert far.append(1, more(2, 1), [MIRA])
    assert proxy.cuts == 1
    assert journal.rows() == far.rows() == rows(3)
    assert far.append(3, more(1, 3))


def test_a_commit_that_never_arrived_is_an_error(far, proxy, journal):
    """Nothing was written; the next append works."""
    proxy.armed = "before"
    assert (
        "connection to the database was lost; nothing was changed"
        in refused(far.append, 1, more(2, 1), [MIRA]).message
    )
    assert journal.rows() == rows(1)
    assert far.append(1, more(1, 1))
    assert proxy.cuts == 1


def slow_commits(postgres, database):
    """Make each commit of an entry take most of a second."""
    postgres.sql(
        "CREATE FUNCTION late() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM "
        "pg_sleep(0.7); RETURN NULL; END $$;"
        "CREATE CONSTRAINT TRIGGER late AFTER INSERT ON tourney.journal DEFERRABLE INITIALLY DEFERRED"
        " FOR EACH ROW EXECUTE FUNCTION late()",
        database=database,
    )


def test_a_running_commit_is_waited_for(far, proxy, journal, postgres, database):
    """The connection is lost, but the server still commits, so a check at once would miss it."""
    slow_commits(postgres, database)
    proxy.armed = "sent"
    assert far.append(1, more(1, 1))
    assert journal.rows() == rows(2)


def test_a_commit_with_an_unreachable_server_is_unknown(far, proxy, journal, monkeypatch):
    """It has its own exit code. When the database is back, the entry can be read."""
    monkeypatch.setattr(journals, "BACK_WITHIN", 0.3)
    proxy.armed = "answer, then nothing"
    fault = refused(far.append, 1, more(1, 1))
    assert isinstance(fault, UnsettledError)
    assert fault.exit_code == 4
    assert "entry 2 was being written to pg:friday: it may have been written, or not" in fault.message
    assert isinstance(refused(far.rows), AwayError)
    assert isinstance(refused(far.append, 1, more(1, 1)), AwayError)
    proxy.closed_to_all = False
    assert far.rows() == journal.rows() == rows(2)
    assert not far.append(1, more(1, 1))


@pytest.mark.parametrize("cut", ["answer", "before"])
def test_a_creation_whose_answer_is_lost(proxy, postgres, database, journal, cut):
    """The event exists, or its name is free."""
    address = PostgresPlace("saturday", f"host={proxy.folder} user=owner dbname={database}")
    proxy.armed = cut
    if cut == "answer":
        with PostgresJournal.create(address, rows(2), [HELLO], b"secret") as made:
            assert made.append(2, more(1, 2))
    else:
        assert isinstance(refused(PostgresJournal.create, address, rows(2), [HELLO], b"secret"), AwayError)
        PostgresJournal.create(address, rows(3), [HELLO], b"secret").close()
    assert entries(address) == 3


def test_a_restored_text_whose_answer_is_lost_is_unknown(far, proxy, journal):
    """No entry shows whether it was restored; restoring it again does no harm."""
    proxy.armed = "answer"
    assert isinstance(refused(far.restore_texts, [MIRA]), UnsettledError)
    assert not far.restore_texts([MIRA])


def test_a_transaction_without_writes_whose_answer_is_lost(far, proxy, journal):
    """Nothing was done, so the error says that the database is away."""

    def look():
        with far.turn():
            assert far.rows(1) == []

    proxy.armed = "answer"
    assert isinstance(refused(look), AwayError)
    look()


def test_a_lost_connection_is_replaced_between_commands(far, journal, postgres, database):
    """For reading, a transaction and an append."""
    for number, act in enumerate(
        (far.rows, lambda: far.append(1, more(1, 1)), far.deleted_refs, lambda: far.append(2, more(1, 2)))
    ):
        cut_all(postgres, database)
        assert act() is not False, number
    assert far.rows() == journal.rows() == rows(3)


def cut_all(postgres, database):
    """End every connection to a database, as a stopping server does."""
    postgres.sql("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s", database)


def test_a_server_stopped_between_two_commands():
    """The error is the usual one, and a restarted server is connected again."""
    server = started()
    try:
        address = server.address(database=server.database())
        PostgresJournal.create(address, rows(1), [HELLO], b"secret").close()
        assert entries(address) == 1
        for immediate in (False, True):
            server.stop(immediate=immediate)
            fault = refused(entries, address)
            assert isinstance(fault, AwayError)
            assert "the database does not answer" in fault.message
            server.start()
            assert entries(address) == 1
    finally:
        server.remove()


def test_rights_revoked_between_two_commands(journal, address, postgres, database):
    """The server checks each statement."""
    postgres.sql(f"{ROLES} CREATE ROLE ella LOGIN; GRANT tourney_desk TO ella", database=database)
    reached = postgres.address(database=database, user="ella")
    try:
        assert entries(reached) == 1
        postgres.sql("REVOKE tourney_desk FROM ella", database=database)
        assert isinstance(refused(entries, reached), ShutOutError)
    finally:
        postgres.sql("DROP OWNED BY ella; DROP ROLE ella", database=database)


def test_a_login_that_was_revoked(journal, postgres, database):
    """As with an unreachable server, data that was read stays, and the reason is shown."""
    postgres.sql("CREATE ROLE cleo LOGIN", database=database)
    postgres.sql(ROLES, database=database)
    postgres.sql("GRANT tourney_desk TO cleo", database=database)
    try:
        reached = postgres.address(database=database, user="cleo")
        with PostgresJournal.open(reached) as opened, opened.listen() as listening:
            assert listening.wait(1)
            postgres.sql("ALTER ROLE cleo NOLOGIN", database=database)
            postgres.sql(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'cleo'",
                database=database,
            )
            assert listening.wait(1)
            for act in (opened.rows, lambda: opened.append(1, more(1, 1)), lambda: listening.wait(1)):
                fault = refused(act)
                assert isinstance(fault, ShutOutError)
                assert fault.message == "the database does not let this login in"
            postgres.sql("ALTER ROLE cleo LOGIN", database=database)
            assert opened.append(1, more(1, 1))
    finally:
        postgres.sql("DROP OWNED BY cleo; DROP ROLE cleo", database=database)


def test_a_connection_lost_within_a_transaction(far, journal, postgres, database):
    """Its writes are lost, and the error says so."""

    def write(cut):
        with far.turn():
            assert far.append(1, more(1, 1))
            if cut:
                cut_all(postgres, database)
            assert far.append(2, more(1, 2))

    assert isinstance(refused(write, True), AwayError)
    assert journal.rows() == rows(1)
    write(False)
    assert journal.rows() == rows(3)


def test_a_lost_connection_is_not_replaced_within_a_transaction(far, journal, postgres, database):
    """The lock is lost with it, so later writes would not be atomic."""

    def write():
        with far.turn():
            cut_all(postgres, database)
            with pytest.raises(AwayError):
                far.rows()
            far.text(HELLO.ref)
            assert far.append(1, more(1, 1))

    assert "nothing was" in refused(write).message
    assert journal.rows() == rows(1)
    assert far.append(1, more(1, 1))


def test_an_append_whose_last_part_fails(journal, postgres, database):
    """Entries, texts and COMMIT are sent together; the server stops at the first error."""
    postgres.sql(
        "CREATE FUNCTION no() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE "
        "EXCEPTION SQLSTATE '53100'; END $$;"
        "CREATE TRIGGER no BEFORE INSERT ON tourney.texts FOR EACH STATEMENT EXECUTE FUNCTION no()",
        database=database,
    )
    before = postgres.sql("SELECT count(*) FROM tourney.texts", database=database)
    assert "is full" in refused(journal.append, 1, more(1, 1), [MIRA]).message
    assert journal.rows() == rows(1)
    assert postgres.sql("SELECT count(*) FROM tourney.texts", database=database) == before
    assert journal.append(1, more(1, 1))


def test_a_transaction_reads_its_own_writes(journal):
    """Writes that wait for the COMMIT are sent before a query."""
    with journal.turn():
        assert journal.append(1, more(1, 1), [MIRA])
        assert journal.text(MIRA.ref) == MIRA.content.decode()
        assert journal.append(2, more(1, 2))
        assert journal.rows(2) == rows(3)[2:]
        assert journal.rows(3) == []
    assert journal.rows() == rows(3)


def test_a_missing_write_permission_does_not_prevent_reading(postgres, database, journal):
    """It is found when it is read, and named correctly."""
    postgres.sql("CREATE ROLE dora LOGIN", database=database)
    postgres.sql(ROLES, database=database)
    postgres.sql(
        "GRANT tourney_desk TO dora; REVOKE INSERT ON tourney.texts FROM tourney_desk", database=database
    )

    def write(opened):
        with opened.turn():
            assert opened.append(1, more(1, 1), [MIRA])
            opened.text(HELLO.ref)

    try:
        with PostgresJournal.open(postgres.address(database=database, user="dora")) as opened:
            assert "may not do that" in refused(write, opened).message
            assert opened.rows() == rows(1)
    finally:
        postgres.sql("DROP OWNED BY dora; DROP ROLE dora", database=database)


def test_a_failed_part_rolls_back_the_rest(journal, postgres, database):
    """COMMIT of a failed transaction raises no error in PostgreSQL, but nothing was committed."""

    def write():
        with journal.turn():
            assert journal.append(1, more(1, 1))
            with pytest.raises(psycopg.Error):
                journal._database.run("SELECT 1 / 0")

    assert "nothing was written" in refused(write).message
    assert journal.rows() == rows(1)


def test_a_frozen_desk_does_not_keep_the_lock(journal, postgres, database, address):
    """The server ends its transaction; that desk gets an error and can go on."""
    with PostgresJournal.open(address) as frozen:
        frozen._database.ask("SET idle_in_transaction_session_timeout = '100ms'")

        def hold():
            with frozen.turn():
                time.sleep(0.4)
                frozen.append(1, more(1, 1))

        assert "nothing was changed" in refused(hold).message
        assert journal.append(1, more(1, 1))
        assert frozen.append(2, more(1, 2))


@pytest.mark.parametrize("before", [True, False], ids=["before", "after"])
def test_ctrl_c_around_a_commit(journal, monkeypatch, before):
    """After the commit it is too late, so the answer is a success. Before, nothing is written."""
    run = journal._database.run

    def interrupted(query, *values):
        if query == "COMMIT" and before:
            raise KeyboardInterrupt
        answer = run(query, *values)
        if query == "COMMIT":
            raise KeyboardInterrupt
        return answer

    monkeypatch.setattr(journal._database, "run", interrupted)
    if before:
        with pytest.raises(KeyboardInterrupt):
            journal.append(1, more(1, 1))
    else:
        assert journal.append(1, more(1, 1))
    monkeypatch.undo()
    assert journal.rows() == rows(1 if before else 2)
    assert journal.append(1, more(1, 1)) is before


def test_ctrl_c_while_the_server_commits(journal, postgres, database):
    """The server is asked to cancel, and rolls back."""
    slow_commits(postgres, database)
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        journal.append(1, more(1, 1))
    assert journal.rows() == rows(1)
    assert journal.append(1, more(1, 1))


def test_ctrl_c_while_waiting_for_a_lock(journal, address):
    """It ends while the lock is held, leaves nothing in the server, and the next command works."""
    with PostgresJournal.open(address) as other, journal.turn():
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            other.append(1, more(1, 1))
        assert other.rows() == rows(1)
        assert journal.append(1, more(1, 1))
    assert journal.append(2, more(1, 2))


# -- hearing of what is new


def test_listening_notices_new_entries(journal, address):
    """Of this event only. The first wait returns at once."""
    with PostgresJournal.open(address) as other, other.listen() as heard:
        assert heard.wait(1)
        assert not heard.wait(0.05)
        with PostgresJournal.create(PostgresPlace("saturday", address.conninfo), rows(1), [], None):
            assert not heard.wait(0.1)
        threading.Timer(0.2, lambda: journal.append(1, more(1, 1))).start()
        assert heard.wait(60)
        assert other.rows(1) == more(1, 1)
        assert not heard.wait(0.05)


def test_listening_on_a_replica_polls(journal, monkeypatch):
    """PostgreSQL refuses LISTEN on a hot standby, so the journal is read every half second."""
    run = Database.run

    def on_a_replica(database, query, *values):
        if query.startswith("LISTEN"):
            raise psycopg.errors.ReadOnlySqlTransaction("cannot execute LISTEN during recovery")
        return run(database, query, *values)

    monkeypatch.setattr(Database, "run", on_a_replica)
    with journal.listen() as listening:
        assert listening.wait(5)
        slept = []
        monkeypatch.setattr(time, "sleep", slept.append)
        assert listening.wait(5)
        assert slept == [0.5]


def test_listening_continues_after_a_lost_connection(journal, proxy, database):
    """Each new connection counts as a notification, as entries may have been missed."""
    address = PostgresPlace("friday", f"host={proxy.folder} user=owner dbname={database}")
    with PostgresJournal.open(address) as other, other.listen() as heard:
        assert heard.wait(1)
        proxy.cut()
        journal.append(1, more(1, 1))
        assert heard.wait(1)
        assert heard.wait(1)
        assert not heard.wait(0.05)
        proxy.closed_to_all = True
        proxy.cut()
        assert heard.wait(1)
        for _ in range(2):
            assert isinstance(refused(heard.wait, 1), AwayError)
        journal.append(2, more(1, 2))
        proxy.closed_to_all = False
        assert heard.wait(1)
        journal.append(3, more(1, 3))
        assert heard.wait(1)
        assert other.rows() == rows(4)


# -- no room


def test_a_full_disk(postgres, database, journal, address):
    """An error, and no part of the change is there. With room again it works."""
    with small_disk(postgres, megabytes=4) as (fill, tablespace):
        postgres.sql(f"ALTER TABLE tourney.texts SET TABLESPACE {tablespace}", database=database)
        fill()
        big = plain(Random(20261123).randbytes(10_000_000))  # which cannot be compressed
        fault = refused(journal.append, 1, more(1, 1), [big])
        assert fault.message == "the database's disk is full; nothing was changed in pg:friday"
        assert "free some space" in fault.hint
        assert journal.rows() == rows(1)
        assert journal.deleted_refs() == journal.stored_refs([big.ref]) == frozenset()
        postgres.sql("ALTER TABLE tourney.texts SET TABLESPACE pg_default", database=database)
        assert journal.append(1, more(1, 1), [big])


@pytest.mark.slow
def test_a_quota_is_not_damage():
    """No file of this server may grow beyond 17 MB."""
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (17 * 2**20, usual[1]))
    try:
        server = started()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    try:
        address = server.address(database=server.database())
        with PostgresJournal.create(address, rows(1), [HELLO], b"secret") as journal:
            big = plain(Random(20261123).randbytes(20_000_000))
            fault = refused(journal.append, 1, more(1, 1), [big])
            assert fault.message == "the database's disk is full; nothing was changed in pg:friday"
            assert journal.rows() == rows(1)
            assert journal.append(1, more(1, 1), [MIRA])
            assert journal.damage() == []
    finally:
        server.remove()


# -- many events


def with_events(postgres, database, number):
    """Make copies of the event `friday` named `event 2` and so on."""
    ((there,),) = postgres.sql("SELECT count(*) FROM tourney.events", database=database)
    postgres.sql(
        "SET session_replication_role = replica; INSERT INTO tourney.events (name, made_by)"
        f" SELECT 'event ' || n, 'test' FROM generate_series({there + 1}, {number}) n",
        database=database,
    )
    for table, columns in (
        ("head", "seq, digest"),
        ("journal", "seq, at, by, op, digest"),
        ("texts", "digest, salt, bytes"),
        ("secrets", "bytes"),
    ):
        postgres.sql(
            f"SET session_replication_role = replica; INSERT INTO tourney.{table} (event, {columns})"
            f" SELECT e.id, {columns} FROM tourney.events e, tourney.{table} f"
            f" WHERE e.name IN (SELECT 'event ' || n FROM generate_series({there + 1}, {number}) n)"
            " AND f.event = (SELECT id FROM tourney.events WHERE name = 'friday')",
            database=database,
        )


def pages_of(address, act, monkeypatch):
    """Return how many pages of 8 KB the server reads for an action on an event."""
    queries, run = [], Database.run

    def noted(database, query, *values):
        queries.append((query.rpartition("; ")[2], values))
        return run(database, query, *values)

    with PostgresJournal.open(address) as journal, monkeypatch.context() as patch:
        patch.setattr(Database, "run", noted)
        act(journal)
        patch.undo()
        plans = [
            journal._database.connection.execute(
                f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {query}", values or None
            ).fetchone()[0][0]["Plan"]
            for query, values in queries
            if query.startswith("SELECT")
        ]
    assert plans
    return sum(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"] for plan in plans)


def read_whole(journal):
    assert len(journal.rows()) == 3
    assert len(journal.short_texts()) > 60
    assert journal.deleted_refs() == frozenset()
    assert journal.secret()


@pytest.mark.slow
@pytest.mark.parametrize("analyzed", [False, True], ids=["no statistics", "statistics"])
def test_a_thousand_events_are_as_fast_as_ten(postgres, database, address, tmp_path, monkeypatch, analyzed):
    """Indexes find each event, with or without statistics of the tables.

    Listing them reads the heads in one statement, and no event.
    """
    with new_desk(tmp_path, *(f"Player {n}" for n in range(1, 61))) as desk:
        desk.pair_round()
        kept = desk.journal
        PostgresJournal.create(
            address, kept.rows(), [Text._make(text) for text in kept.texts()], kept.secret()
        ).close()
    pages = {}
    seventh = PostgresPlace("event 7", address.conninfo)
    for number in (10, 1000):
        with_events(postgres, database, number)
        postgres.sql("VACUUM (ANALYZE)" if analyzed else "VACUUM", database=database)
        assert [event.entries for event in listed_at(address)] == [3] * number
        pages["open", number] = pages_of(seventh, read_whole, monkeypatch)
        pages["append", number] = pages_of(seventh, append_one, monkeypatch)
        pages["list", number] = pages_of(seventh, lambda journal: journal._database.events(), monkeypatch)
    print(pages)
    for what in ("open", "append"):
        assert pages[what, 1000] <= pages[what, 10] + 12, "an index has a level or two more"
    assert pages["list", 1000] < 6 * 1000


def listed_at(address):
    with Database.open(address) as database:
        return database.events()


def append_one(journal):
    with journal.turn():
        assert not journal.append(0, rows(1))


# -- desks


@pytest.fixture
def friday_alone(friday_entries):
    """Yield an event on a server that may be stopped, and that server."""
    server = started()
    address = server.address(database=server.database())
    PostgresJournal.create(address, *friday_entries).close()
    yield address, server
    server.remove()


@pytest.fixture
def friday_entries(tmp_path):
    """Return entries, texts and secret of an event of 32 players in its first round."""
    with new_desk(tmp_path, *(f"Player {n}" for n in range(1, 33))) as desk:
        desk.pair_round()
        kept = desk.journal
        return kept.rows(), [Text._make(text) for text in kept.texts()], kept.secret()


@pytest.fixture
def friday(friday_entries, address):
    """The address of such an event."""
    PostgresJournal.create(address, *friday_entries).close()
    return address


def desk_at(address, by="Ann", **more):
    desk = Desk(PostgresJournal.open(address), replace(lent(by, seed=by), **more))
    desk.load()
    return desk


def many_desks(address, desks, results):
    """Start processes that enter results at their own tables; return them."""
    environment = os.environ | {"TOURNEY_PG": address.conninfo}
    command = [sys.executable, "-m", "tests.store.clerk", "change", "pg:friday"]
    return [
        subprocess.Popen(
            [*command, f"Desk {desk}", str(results), str(2 * desk + 1), str(2 * desk + 2)],
            cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for desk in range(desks)
    ]  # fmt: skip


def acknowledgements(process):
    """Wait for a process; return its acknowledged entries with digests, and its errors."""
    output, faults = process.communicate(timeout=3600)
    assert process.returncode == 0, faults
    lines = [line.split(maxsplit=2) for line in output.splitlines()]
    written = {int(entry): digest for entry, digest, _ in (line for line in lines if line[0] != "refused")}
    return written, [(int(code), words) for kind, code, words in lines if kind == "refused"]


def none_lost_none_twice(address, desks, results):
    with PostgresJournal.open(address) as opened:
        before = len(opened.rows())
    written = [acknowledgements(many_desk) for many_desk in many_desks(address, desks, results)]
    assert [refusals for _, refusals in written] == [[]] * desks
    assert [len(entries) for entries, _ in written] == [results] * desks
    with desk_at(address) as desk:
        assert len(desk.entries) == before + desks * results
        entries_ = {entry: digest for entries, _ in written for entry, digest in entries.items()}
        assert len(entries_) == desks * results, "no entry was acknowledged to two"
        assert entries_ == {entry.seq: entry.digest for entry in desk.entries[before:]}
        assert len({repr(entry.op) for entry in desk.entries[before:]}) <= 32 * 2


def test_desks_that_write_at_once(friday):
    """Each entry is acknowledged to one desk, and is there."""
    none_lost_none_twice(friday, 3, 12)


@pytest.mark.long
def test_eight_desks_write_five_hundred_results_each(friday):
    """4,000 entries: none is lost, and none is written twice."""
    none_lost_none_twice(friday, 8, 500)


def stopped(friday, server, times, seed):
    """Stop a server repeatedly with `-m immediate` during writes, and start it again."""
    with PostgresJournal.open(friday) as opened:
        before = len(opened.rows())
    dice, results = Random(seed), times * 30
    writers = many_desks(friday, 2, results)
    for _ in range(times):
        end, seen = time.monotonic() + 30, progress(friday)
        while progress(friday) < seen + 3 and time.monotonic() < end:
            time.sleep(0.02)
        time.sleep(dice.uniform(0, 0.05))
        assert all(writer.poll() is None for writer in writers), "they write all the while"
        server.stop(immediate=True)
        time.sleep(dice.uniform(0, 0.1))
        server.start()
    written = [acknowledgements(writer) for writer in writers]
    with desk_at(friday) as desk:
        digests = {entry.seq: entry.digest for entry in desk.entries}
        for entries_, _ in written:
            assert len(entries_) == results
            assert entries_.items() <= digests.items()
        for table in range(1, 5):
            ops = [entry.op for entry in desk.entries[before:]]
            entered = [results_in(op)[table] for op in ops if table in results_in(op)]
            assert len(entered) > 1
            assert all(one != other for one, other in pairwise(entered)), "no result is there twice"
        lost = [refusal for _, refusals in written for refusal in refusals]
        unsettled = [refusal for code, refusal in lost if code == 4]
        total = sum(len(entries_) for entries_, _ in written)
        assert before + total <= len(desk.entries) <= before + total + len(unsettled)
    return {"stops": times, "entries": total, "refused": len(lost), "not settled": len(unsettled)}


def results_in(op):
    return {op.table: op.result} if hasattr(op, "result") else op.results


def progress(address):
    with Database.open(address) as database:
        return database.events()[0].entries


@pytest.mark.slow
def test_a_server_stopped_during_writes(friday_alone):
    """Three times: acknowledged entries are there, nothing is half written, desks go on."""
    print(stopped(*friday_alone, 3, 1))


@pytest.mark.long
def test_a_server_stopped_fifty_times(friday_alone):
    print(stopped(*friday_alone, 50, 20261123))


def test_two_clocks_an_hour_apart(friday):
    """Entries are in the order of writing, each with the time of its desk. The chain holds."""
    slow_clock = Clock()
    slow_clock.now -= timedelta(hours=1)
    with desk_at(friday, "Ann") as ann, desk_at(friday, "Bea", clock=slow_clock) as bea:
        ann.report(1, "w")
        assert bea.report(1, "w").already
        bea.report(2, "w")
        ann.report(3, "w")
        assert ann.refresh().digest == bea.refresh().digest
        times = [datetime.fromisoformat(entry.at) for entry in ann.entries[-3:]]
        assert times[1] < times[0] - timedelta(minutes=50)
        assert [entry.by for entry in ann.entries[-3:]][::2] == [ann.entries[-1].by] * 2
    with desk_at(friday) as again:
        assert again.state.entry == 6
        assert not [finding for finding in verify(again).findings if finding.severity is Severity.ERROR]


# -- rows without entries, and samples of texts


def by_hand(postgres, database, name, *, guarded=True):
    """Make the row of an event by SQL, without entries."""
    guards = "" if guarded else "SET session_replication_role = replica; "
    postgres.sql(
        f"{guards}INSERT INTO tourney.events (name, made_by) VALUES ('{name}', 'hand')", database=database
    )


def test_an_event_row_needs_entries(postgres, database, journal):
    """Otherwise its name would be taken by an event that cannot be opened."""
    with pytest.raises(psycopg.errors.RaiseException, match="has no entries"):
        by_hand(postgres, database, "monday")
    with as_role(postgres, database, "tourney_desk") as address, psycopg.connect(address.conninfo) as bea:
        bea.execute("INSERT INTO tourney.events (name, made_by) VALUES ('monday', 'hand')")
        with pytest.raises(psycopg.errors.RaiseException, match="has no entries"):
            bea.commit()
    with as_granted(postgres, database, "tourney_desk") as address:
        PostgresJournal.create(PostgresPlace("monday", address.conninfo), rows(1), [], b"secret").close()


def test_an_event_row_without_entries_is_reported(postgres, database, journal, address):
    """The trigger was switched off. The name is taken, and the event cannot be read."""
    by_hand(postgres, database, "monday", guarded=False)
    place = PostgresPlace("monday", address.conninfo)
    with Database.open(address) as opened:
        faults = {event.event: (event.entries, event.fault) for event in opened.events()}
    assert faults == {"friday": (1, None), "monday": (0, "its last entry is missing")}
    with PostgresJournal.open(place) as opened:
        for read in (opened.rows, lambda: opened.readable_tables({"journal": "seq", "head": "seq"})):
            assert "the journal ends with entry 0" in refused(read).message
    fault = refused(PostgresJournal.create, place, rows(1), [], b"")
    assert (fault.message, fault.hint) == ("pg:monday exists already", "choose another name")


def test_the_server_keeps_no_samples_of_texts(postgres, database, journal):
    """`ANALYZE` takes none, so an erased name is gone from the database's files."""
    names = [plain(b"Zora Quillfeather %d" % number)._replace(salt=b"salt") for number in range(20)]
    journal.append(1, more(1, 1), names)
    postgres.sql("ANALYZE", database=database)
    samples = "SELECT attname FROM pg_stats WHERE tablename = 'texts' AND attname IN ('salt', 'bytes')"
    assert postgres.sql(samples, database=database) == []
    journal.append(2, more(1, 2), erased=[name.ref for name in names])
    journal.compact()
    postgres.sql("CHECKPOINT", database=database)
    assert not [path for path in postgres.files_of(database) if b"Quillfeather" in path.read_bytes()]
