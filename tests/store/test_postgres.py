"""An event in PostgreSQL: where it lies, who may do what, and what a lost connection leaves. `test_every_journal` has the rest."""

import os
import re
import resource
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from random import Random

import psycopg
import pytest

from tests.desk.kit import Clock, lent, new_desk
from tests.kit import ROOT
from tests.store.servers import PASSWORD, proxied, small_disk, started
from tests.store.test_every_journal import HELLO, MIRA, more
from tests.store.test_journal import rows
from tourney.desk import Desk, verify
from tourney.errors import Severity, TourneyError, UnsettledError
from tourney.event.entry import NOTHING_YET, Text, chained, linked, plain
from tourney.store import database as store
from tourney.store import postgres as journals
from tourney.store.database import ROLES, Database, table_script
from tourney.store.journal import AwayError, ShutOutError
from tourney.store.places import in_database, list_events, place_of
from tourney.store.postgres import PostgresJournal, PostgresPlace


@pytest.fixture
def address(postgres, database):
    """Where `friday` is to lie."""
    return postgres.address(database=database)


@pytest.fixture
def journal(address):
    with PostgresJournal.create(address, rows(1), [HELLO], b"secret") as made:
        yield made


def entries(address):
    with PostgresJournal.open(address) as opened:
        return len(opened.rows())


def refused(act, *words):
    """Return the refusal, after a look that nothing in it is a password."""
    with pytest.raises(TourneyError) as refusal:
        act(*words)
    fault = refusal.value
    text = f"{fault.message} {fault.hint} {fault!r} {fault.__cause__!r} {fault.__context__ if not fault.__suppress_context__ else ''}"
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
        ("postgresql://host/club?options=a+b%2B&event=a%23+&user=x", "a#+", "postgresql://host/club?options=a+b%2B&user=x"),
        ("postgresql://host/club", "", "postgresql://host/club"),
    ],
)  # fmt: skip
def test_an_address_names_an_event_and_a_way_to_it(monkeypatch, text, event, conninfo):
    """`pg:NAME` by the usual settings, or a URL of PostgreSQL with the event among its settings."""
    monkeypatch.delenv("TOURNEY_PG", raising=False)
    address = PostgresPlace.parse(text)
    assert (address.event, address.conninfo) == (event, conninfo)
    assert (str(address), address.name, address.stem) == (f"pg:{event}", f"pg:{event}", event)
    psycopg.conninfo.conninfo_to_dict(address.conninfo)


def test_a_setting_says_where_the_database_is(monkeypatch):
    """`$TOURNEY_PG` is a connection string or a URL, its scheme in whatever capitals."""
    monkeypatch.setenv("TOURNEY_PG", "host=db.example dbname=club")
    assert PostgresPlace.parse("pg:friday").conninfo == "host=db.example dbname=club"
    monkeypatch.setenv("TOURNEY_PG", "Postgres://db.example/club")
    assert PostgresPlace.parse("pg:friday").conninfo == "postgresql://db.example/club"


@pytest.mark.parametrize(
    "text", ["pg:../x", "pg:a/b", "pg:-x", "pg:a\nb", "pg: x", "pg:x ", "pg:" + "x" * 101, "pg:a:b", "pg:a\\b",
             "pg:" + "日" * 54, "pg:con", "pg:NUL.txt", "pg:aux .x", "pg:Com1",
             "postgresql://h/d?event=a&event=b", "http://h/d", "pg:x\0", "postgresql:friday", "MySQL://h/d", "pg://h/d"],
)  # fmt: skip
def test_what_is_no_address_is_refused(text):
    """A name must be one of a file, too, on every system: copies and exports are called after it."""
    assert refused(PostgresPlace.parse, text).hint


@pytest.mark.parametrize("name", ["x" * 100, "日" * 53, "Ä" * 80, "contest", "console", "com", "Nulpunkt.1"])
def test_the_longest_names_leave_room_for_what_a_copy_adds(name, tmp_path):
    """What a copy adds to a name still makes one that a file may have."""
    event = PostgresPlace.parse(f"pg:{name}").event
    (tmp_path / f"{event}-123456-5ed0fd0d-round-12.tourney.new").touch()


def test_a_refusal_shows_the_name_as_it_was_given():
    """A space at an end is what is wrong with it, so it is to be seen."""
    assert "`x `" in refused(PostgresPlace.parse, "pg:x ").message


@pytest.mark.parametrize(
    "text",
    ["pg:ann:ge/heim@host", "pg:friday?password=ge/heim", "pg://ann:ge-heim@host/club", "mysql://ann:ge-heim@h/d",
     "postgresql://host/club?event=friday?password=ge-heim", "postgresql:ann:ge-heim@host"],
)  # fmt: skip
def test_what_may_be_an_address_mistyped_is_not_repeated(text):
    """There may be a password in it."""
    fault = refused(PostgresPlace.parse, text)
    assert "heim" not in f"{fault.message} {fault.hint}"


def test_one_door_for_files_and_databases(monkeypatch, tmp_path, address):
    """Where an event lies says what it is kept in; nothing above has to learn of it."""
    monkeypatch.setenv("TOURNEY_PG", address.conninfo)
    for place in ("pg:friday", "pg:saturday", tmp_path / "friday.tourney", str(tmp_path / "pg:x")):
        place_of(place).begin(rows(2), [HELLO], None, lambda made: made).close()
        opened = place_of(place).open()
        assert (opened.rows(), opened.place.name) == (rows(2), Path(place).name)
        opened.close()
    assert [list_event.name for list_event in list_events("pg:")] == ["friday", "saturday"]
    for path in ("./pg:x", Path("pg:x")):
        assert place_of(path).file == Path("pg:x").absolute(), "a path is no address, and is not shown as one"
    for address in ("postgresql://host/club?event=friday", "PG:friday", "Postgres://h/d", "mysql://h/d"):
        assert in_database(address)
    for file in ("friday.tourney", "C:/friday.tourney", "/tmp/pg:friday", "pgfriday", "mypg:friday"):
        assert not in_database(file)


@pytest.mark.parametrize(
    "text",
    [
        f"postgresql://ann:{PASSWORD}@host/club?event=friday",
        f"Postgres://ann@host/club?password={PASSWORD}&event=friday",
        f"postgresql://ann@host/club?event=friday&sslpassword={PASSWORD}",
    ],
)
def test_an_address_with_a_password_is_refused(text):
    """The shell would keep it, and others on the machine would see it."""
    fault = refused(PostgresPlace.parse, text)
    assert fault.message == "an address given here must not hold a password"
    assert "~/.pgpass" in fault.hint


def test_a_password_of_the_setting_is_not_shown(monkeypatch):
    """$TOURNEY_PG may hold one; no text form of the address contains it."""
    monkeypatch.setenv("TOURNEY_PG", f"postgresql://ann:{PASSWORD}@host/club")
    address = PostgresPlace.parse("pg:friday")
    assert PASSWORD in address.conninfo
    assert PASSWORD not in f"{address} {address!r} {address.name} {address.stem}"


# -- who is let in


def test_a_password_that_is_right_and_one_that_is_wrong(postgres, database, journal):
    """It is asked for, taken from the address, and told in nothing that is said."""
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


@pytest.mark.parametrize(
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
def test_a_password_that_is_not_escaped(login):
    """libpq would take the rest of it for a host, a port or a database, and name it."""
    fault = refused(
        Database.open, PostgresPlace("friday", f"postgresql://{login}@127.0.0.1:1/club?connect_timeout=1")
    )
    text = f"{fault.message} {fault.hint}"
    assert "cannot be read" in text
    assert "%2F" in text
    assert not [part for part in ("12", "34", "ge/", "heim") if part in text.replace("127", "")]


def test_a_login_that_is_escaped_is_read():
    """An address whose password has such signs as an address has them, and a database or setting with an @, go on to libpq."""
    for whole in (
        "postgresql://ann:ge%2Fh%40im@127.0.0.1:1/club",
        "postgresql:///club?host=/tmp/none&user=ann@club",
    ):
        assert "does not answer" in refused(Database.open, PostgresPlace("friday", whole)).message


def test_a_database_that_cannot_be_reached(postgres):
    """No such database, nobody of that name, no server, an address that nobody can read: each in words."""
    assert "has no such database" in refused(Database.open, postgres.address(database="nowhere")).message
    assert (
        "this login" in refused(Database.open, postgres.address(database="postgres", user="nobody")).message
    )
    away = refused(Database.open, PostgresPlace("friday", f"host=/nowhere dbname=x password={PASSWORD}"))
    assert isinstance(away, AwayError)
    assert "the database does not answer: " in away.message
    assert "PGHOST" in away.hint
    away = refused(Database.open, PostgresPlace("friday", "postgresql://ann@no-such-host.invalid/club"))
    assert away.message == "the database's host is not known here"
    for odd in ("port=first", "connect_timeout=soon", "sslmode=perhaps", "host=a,b port=1,2,3", "port=99999"):
        fault = refused(Database.open, PostgresPlace("friday", f"host=127.0.0.1 {odd}"))
        assert not isinstance(fault, AwayError)
        assert fault.message == "a setting of the database's address has an invalid value", odd
    for odd in (f"host=x nonsense={PASSWORD}", f"password='{PASSWORD}", f"postgresql://h/d?{PASSWORD}=1"):
        fault = refused(Database.open, PostgresPlace("friday", odd))
        assert "address cannot be read" in fault.message
        assert "$TOURNEY_PG" in fault.hint


def test_too_many_connections(postgres, database, journal):
    """The server says so, and so is it told; the next moment it may be otherwise."""
    postgres.sql(f"ALTER DATABASE {database} CONNECTION LIMIT 1")
    postgres.sql(ROLES, database=database)
    postgres.sql("GRANT tourney_desk TO guarded", database=database)
    fault = refused(
        PostgresJournal.open, postgres.address(database=database, user="guarded", password=PASSWORD)
    )
    assert "no connection left" in fault.message


def test_names_that_differ_by_capitals_alone(address, journal):
    """What copies are called would be the same file on Windows and on a Mac; so there is no second one."""
    for name in ("Friday", "FRIDAY"):
        other = PostgresPlace(name, address.conninfo)
        fault = refused(PostgresJournal.create, other, rows(1), [HELLO], None)
        assert fault.message == f"pg:{name} exists already, as pg:friday"
        assert "differs in more than its capitals" in fault.hint
        with Database.open(other) as database:
            assert refused(database.refuse_taken).message == fault.message
        fault = refused(PostgresJournal.open, other)
        assert (fault.message, fault.hint) == (f"there is no event pg:{name}", "there is `pg:friday`")
    PostgresJournal.create(PostgresPlace("Fridays", address.conninfo), rows(1), [HELLO], None).close()


def test_one_name_in_many_capitals_at_once(address, database, postgres):
    """One of them is made, whoever comes first; the others wait for it, and are told what it is called."""
    names, answers = ("tuesday", "Tuesday", "TUESDAY", "Äpfel", "äpfel"), []
    Database.open(address).close()

    def slowly(journal):
        time.sleep(0.2)
        return journal

    def make(name):
        try:
            PostgresJournal.begin(
                PostgresPlace(name, address.conninfo), rows(2), [HELLO], None, slowly
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


def test_opening_an_event_asks_the_server_once(journal, address, monkeypatch):
    """Settings, tables and event with one message: over a network each answer that is waited for costs."""
    queries, execute = [], psycopg.Connection.execute
    monkeypatch.setattr(
        psycopg.Connection,
        "execute",
        lambda self, *words, **more: queries.append(words[0]) or execute(self, *words, **more),
    )
    with PostgresJournal.open(address) as opened:
        assert len(queries) == 1
        ((path, waits),) = opened._database.run(
            "SELECT current_setting('search_path'), current_setting('lock_timeout')"
        )
        assert (path, waits) == ("pg_catalog", "1min")


def test_a_turn_asks_the_server_twice(journal, monkeypatch):
    """For the lock, which tells where the event stands; and to write, texts and all, with the COMMIT."""
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


def test_a_name_is_found_whatever_the_database_is_written_in(postgres):
    """Signs that its encoding has; others are refused in words."""
    postgres.sql("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0")
    address = postgres.address("Äpfel", database="latin")
    PostgresJournal.create(address, rows(1), [HELLO], b"secret").close()
    assert entries(address) == 1
    assert (
        "cannot hold a character"
        in refused(PostgresJournal.open, postgres.address("日", database="latin")).message
    )


def test_an_event_that_is_not_there(address):
    """Looking makes none."""
    for _ in range(2):
        fault = refused(PostgresJournal.open, address)
        assert fault.message == "there is no event pg:friday"
    assert "names no event" in refused(PostgresJournal.open, PostgresPlace("", address.conninfo)).message
    assert (
        "names no event"
        in refused(PostgresJournal.create, PostgresPlace("", address.conninfo), rows(1), [], None).message
    )


# -- the tables


def test_many_make_the_tables_at_once(address):
    """One makes them, the others find them."""
    faults, events = [], []

    def make(number):
        try:
            with PostgresJournal.create(
                PostgresPlace(f"event {number}", address.conninfo), rows(1), [], None
            ):
                pass
        except BaseException as fault:  # noqa: BLE001 - told by the test
            faults.append(fault)

    threads = [threading.Thread(target=make, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
    with Database.open(address) as database:
        events = database.events()
    assert [event.name for event in events] == [f"event {number}" for number in range(6)]
    assert {(event.entries, event.last) for event in events} == {(1, rows(1)[0].at)}


def test_tables_of_a_newer_version_are_refused(postgres, database, address, journal):
    """On opening, in the turn of a desk at work, and by the printed SQL."""
    postgres.sql("UPDATE tourney.version SET number = 2", database=database)
    for act in (lambda: PostgresJournal.open(address), lambda: journal.append(1, more(1, 1))):
        fault = refused(act)
        assert "made by a newer tourney (version 2)" in fault.message
        assert "install the newest" in fault.hint
    with pytest.raises(psycopg.errors.RaiseException, match="made by a newer tourney"):
        postgres.sql(table_script(), database=database)
    assert journal.rows() == rows(1)


def test_tables_of_a_pre_release_are_refused(postgres, database, address):
    """On opening, on making an event, and by the printed SQL; the tables stay as they are."""
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


def test_a_stranger_may_not_make_the_tables(postgres, database):
    """Who may says the hint."""
    fault = refused(Database.open, postgres.address(database=database, user="guarded", password=PASSWORD))
    assert "this login may not make them" in fault.message
    assert "`tourney event tables`" in fault.hint


def test_the_printed_sql_makes_what_a_first_command_makes(postgres, database, address):
    """It can be run again; what is there stays."""
    for _ in range(2):
        postgres.sql(table_script(), database=database)
    with PostgresJournal.create(address, rows(1), [HELLO], None) as made:
        assert made.damage() == []
        postgres.sql(table_script(), database=database)
        assert made.rows() == rows(1)


def test_the_printed_sql_is_run_by_who_is_no_superuser(postgres, database):
    """As where somebody else runs the server: a login that may make roles, and whose the database is."""
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
        owners = "SELECT DISTINCT relowner::regrole::text FROM pg_class WHERE relnamespace = 'tourney'::regnamespace"
        assert postgres.sql(owners, database=database) == [("tourney_owner",)]
    finally:
        postgres.sql(f"ALTER DATABASE {database} OWNER TO owner")
        postgres.sql("DROP OWNED BY boss", database=database)
        postgres.sql("DROP ROLE boss")


def test_the_printed_sql_says_nothing_where_all_is_well(postgres, database):
    """What psql shows is then worth reading."""
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
    """Give the address of somebody who was granted a role and nothing else, which is made for it."""
    postgres.sql(ROLES, database=database)
    with as_granted(postgres, database, role) as address:
        yield address


@contextmanager
def as_granted(postgres, database, role):
    """Give the address of somebody who was granted a role and nothing else."""
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
"""What the tables refuse even to their owner, and to whoever may everything."""


def test_a_desk_appends_and_deletes_texts_and_nothing_else(postgres, database, journal):
    """The desk's rights are enough for an evening; nothing that was written can be changed."""
    with as_role(postgres, database, "tourney_desk") as address:
        with PostgresJournal.open(address) as opened:
            assert opened.append(1, more(1, 1), [MIRA])
            assert opened.append(2, more(1, 2), erased=[MIRA.ref])
            assert opened.mend([plain(b"other")])
            assert opened.secret() == b"secret"
            assert len(opened.rows()) == 3
            fault = refused(opened.compact)
            assert "did not clear its unused places" in fault.message
            assert "VACUUM (FULL) tourney.texts" in fault.hint
        with PostgresJournal.create(
            PostgresPlace("saturday", address.conninfo), rows(2), [HELLO], b"s"
        ) as made:
            assert made.rows() == rows(2)
        for statement in FORBIDDEN:
            with pytest.raises(psycopg.Error), psycopg.connect(address.conninfo) as connection:
                connection.execute(statement)
    assert list(journal.rows()) == rows(3)


def test_nobody_changes_what_was_written(postgres, database, journal):
    """The tables refuse it to their owner, too; a text may be deleted, or put right as its digest says."""
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
        postgres.sql("UPDATE tourney.texts SET salt = %s, bytes = %s WHERE digest = %s", MIRA.salt, MIRA.content, MIRA.ref, database=database)  # fmt: skip
    assert journal.damage() == []
    postgres.sql("ALTER TABLE tourney.journal DISABLE TRIGGER never_changed", database=database)
    (message,) = journal.damage()
    assert "its trigger never_changed on tourney.journal is gone or switched off" in message


def entry(seq, previous, op=b"{}"):
    return seq, "now", "by", op, chained(previous, seq, "now", "by", op)


def test_rows_and_head_agree_whoever_writes(postgres, database, journal):
    """No SQL of a desk or the owner leaves a gap, passes the end, breaks the chain or moves the head alone."""
    last = rows(1)[0].digest
    good = entry(2, last)
    insert = "INSERT INTO tourney.journal SELECT 1, * FROM unnest(%s::bigint[], %s::text[], %s::text[], %s::bytea[], %s::text[])"
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
    assert [row.seq for row in linked(journal.rows())] == [1, 2, 3]


def test_an_entry_by_hand_waits_for_the_desk_that_writes(postgres, database, journal, address):
    """It takes the head's lock, whatever was written into the journal first."""
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
CREATE FUNCTION lab.sha256(bytea) RETURNS bytea LANGUAGE sql AS $$ SELECT decode(current_setting('lab.digest'), 'hex') $$;
CREATE FUNCTION lab.yes(bigint, bigint) RETURNS boolean LANGUAGE sql AS 'SELECT true';
CREATE OPERATOR lab.> (LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = lab.yes);
SET search_path = lab, pg_catalog;
"""


def test_functions_of_a_desks_own_decide_nothing(postgres, database, journal):
    """Whoever may make functions in a schema and puts it first in the path still changes no text and takes no head back."""
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


def test_a_login_that_is_neither_owner_nor_desk(postgres, database, journal):
    """It is refused when it opens an event or lists them, whatever else it may read."""
    postgres.sql(f"{ROLES} CREATE ROLE cem LOGIN", database=database)
    rights = (
        "SELECT",
        "GRANT USAGE ON SCHEMA tourney TO cem",
        "GRANT SELECT ON tourney.version, tourney.events, tourney.journal, tourney.head, tourney.texts TO cem",
    )
    try:
        for right in rights:
            postgres.sql(right, database=database)
            for event, name in (("friday", "pg:friday"), ("", "the database")):
                fault = refused(Database.open, postgres.address(event, database=database, user="cem"))
                assert isinstance(fault, ShutOutError)
                assert fault.message == f"this login is neither owner nor desk of {name}"
                assert fault.hint == "the database's owner grants it: `GRANT tourney_desk TO …`"
        postgres.sql("GRANT tourney_desk TO cem", database=database)
        assert entries(postgres.address(database=database, user="cem")) == 1
    finally:
        store.drop_kept()
        postgres.sql("DROP OWNED BY cem; DROP ROLE cem", database=database)


def test_a_server_that_may_only_be_read(postgres, database, journal):
    """A copy that follows another server, or one that is set so: reading works, writing is refused in words."""
    postgres.sql(f"ALTER DATABASE {database} SET default_transaction_read_only = on")
    with PostgresJournal.open(postgres.address(database=database)) as opened:
        assert opened.rows() == rows(1)
        fault = refused(opened.append, 1, more(1, 1))
        assert "pg:friday may only be read here" in fault.message
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


def test_a_commit_whose_answer_is_lost_is_found(far, proxy, journal):
    """It is there, so it is not refused and not repeated."""
    proxy.armed = "answer"
    assert far.append(1, more(2, 1), [MIRA])
    assert proxy.cuts == 1
    assert journal.rows() == far.rows() == rows(3)
    assert far.append(3, more(1, 3))


def test_a_commit_that_never_came_is_not_there(far, proxy, journal):
    """Nothing was written; the next one is."""
    proxy.armed = "before"
    assert (
        "connection to the database was lost; nothing was changed"
        in refused(far.append, 1, more(2, 1), [MIRA]).message
    )
    assert journal.rows() == rows(1)
    assert far.append(1, more(1, 1))
    assert proxy.cuts == 1


def slow_commits(postgres, database):
    """Have each commit of an entry take most of a second."""
    postgres.sql(
        "CREATE FUNCTION late() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.7); RETURN NULL; END $$;"
        "CREATE CONSTRAINT TRIGGER late AFTER INSERT ON tourney.journal DEFERRABLE INITIALLY DEFERRED"
        " FOR EACH ROW EXECUTE FUNCTION late()",
        database=database,
    )


def test_a_commit_that_is_still_going_on_is_waited_for(far, proxy, journal, postgres, database):
    """The connection is gone and the server still at it: whoever looked at once would not find the entry that comes."""
    slow_commits(postgres, database)
    proxy.armed = "sent"
    begun = time.monotonic()
    assert far.append(1, more(1, 1))
    assert time.monotonic() - begun > 0.6
    assert journal.rows() == rows(2)


def test_a_commit_of_which_nobody_can_be_asked(far, proxy, journal, monkeypatch):
    """Not known is told as not known, with the exit code for it; once the database is back, it is seen."""
    monkeypatch.setattr(journals, "BACK_WITHIN", 0.3)
    proxy.armed = "answer, then nothing"
    fault = refused(far.append, 1, more(1, 1))
    assert isinstance(fault, UnsettledError)
    assert fault.exit_code == 4
    assert "entry 2 was being written to pg:friday: that is done, or it is not" in fault.message
    assert isinstance(refused(far.rows), AwayError)
    assert isinstance(refused(far.append, 1, more(1, 1)), AwayError)
    proxy.closed_to_all = False
    assert far.rows() == journal.rows() == rows(2)
    assert not far.append(1, more(1, 1))


@pytest.mark.parametrize("cut", ["answer", "before"])
def test_a_creation_whose_answer_is_lost(proxy, postgres, database, journal, cut):
    """Made and found, or not made: then its name is free."""
    address = PostgresPlace("saturday", f"host={proxy.folder} user=owner dbname={database}")
    proxy.armed = cut
    if cut == "answer":
        with PostgresJournal.create(address, rows(2), [HELLO], b"secret") as made:
            assert made.append(2, more(1, 2))
    else:
        assert isinstance(refused(PostgresJournal.create, address, rows(2), [HELLO], b"secret"), AwayError)
        PostgresJournal.create(address, rows(3), [HELLO], b"secret").close()
    assert entries(address) == 3


def test_texts_put_right_of_which_the_answer_is_lost(far, proxy, journal):
    """No entry tells whether it was done; so it is told as not known, and doing it again does no harm."""
    proxy.armed = "answer"
    assert isinstance(refused(far.mend, [MIRA]), UnsettledError)
    assert not far.mend([MIRA])


def test_a_turn_in_which_nothing_was_written_and_the_answer_is_lost(far, proxy, journal):
    """There is nothing to be found, and nothing was done."""

    def look():
        with far.turn():
            assert far.rows(1) == []

    proxy.armed = "answer"
    assert isinstance(refused(look), AwayError)
    look()


def test_a_connection_that_died_between_two_commands(far, journal, postgres, database):
    """Reading, a turn, an append: each takes it up again, and nobody notices."""
    for number, act in enumerate(
        (far.rows, lambda: far.append(1, more(1, 1)), far.gone, lambda: far.append(2, more(1, 2)))
    ):
        cut_all(postgres, database)
        assert act() is not False, number
    assert far.rows() == journal.rows() == rows(3)


def cut_all(postgres, database):
    """End every connection to a database, as a server does that is being stopped."""
    postgres.sql("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s", database)


# -- the connection that a process keeps for its next command


def backend(address):
    """Return which process of the server answers a command."""
    with PostgresJournal.open(address) as opened:
        return opened._database.ask("SELECT pg_backend_pid()")[0][0]


def connected(postgres, database, wanted):
    """Say whether there are so many connections to a database; one that was closed is there until the server has noticed."""
    query = "SELECT count(*) FROM pg_stat_activity WHERE datname = %s AND backend_type = 'client backend'"
    end = time.monotonic() + 10
    while postgres.sql(query, database) != [(wanted,)]:
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


@pytest.fixture
def slow_machine(monkeypatch):
    """However slow the machine is, the seconds of a connection that is kept are not over before the test."""
    monkeypatch.setattr(store, "UNUSED", 600.0)
    yield
    store.drop_kept()


@pytest.mark.usefixtures("slow_machine")
def test_the_next_command_goes_on_with_the_connection_of_the_last(journal, address, postgres, database):
    """One is kept, and only for the same login to the same database; two at a time have one each."""
    before = backend(address)
    assert backend(address) == before
    with PostgresJournal.open(address):
        assert backend(address) != before
    assert connected(postgres, database, 2), "the journal's, and one"
    postgres.sql(f"{ROLES} CREATE ROLE dana LOGIN; GRANT tourney_desk TO dana", database=database)
    try:
        with PostgresJournal.open(postgres.address(database=database, user="dana")) as opened:
            assert opened.rows() == rows(1)
        assert connected(postgres, database, 2)
    finally:
        store.drop_kept()
        postgres.sql("DROP OWNED BY dana; DROP ROLE dana", database=database)


@pytest.mark.parametrize("variable", ["PGUSER", "PGOPTIONS", "PGPASSFILE", "PGSERVICEFILE"])
def test_other_surroundings_are_another_way_there(journal, address, monkeypatch, variable):
    """What libpq reads besides the address says who one is, too."""
    before = backend(address)
    monkeypatch.setenv(variable, "")
    assert backend(address) != before


@pytest.mark.usefixtures("slow_machine")
def test_nothing_is_left_of_the_last_command(journal, address):
    """No setting, no transaction: one that was going on ends with its connection."""
    with PostgresJournal.open(address) as opened:
        (first,) = opened._database.ask(
            "SET statement_timeout = 1; SET search_path = x; SET synchronous_commit = off; SELECT pg_backend_pid()"
        )
    with PostgresJournal.open(address) as opened:
        shown = opened._database.ask(
            "SELECT pg_backend_pid(), current_setting('statement_timeout'), current_setting('search_path'),"
            " current_setting('synchronous_commit')"
        )
        assert shown == [(*first, "1min", "pg_catalog", "on")]
        opened._database.run("BEGIN")
        opened._database.run("INSERT INTO tourney.events (name, made_by) VALUES ('other', '')")
    with PostgresJournal.open(address) as opened:
        assert opened._database.ask("SELECT pg_backend_pid()") != [first]
        assert opened._database.ask("SELECT name FROM tourney.events") == [("friday",)]


def test_a_journal_that_was_closed_does_not_touch_what_the_next_one_has(journal, address):
    """Whoever asks it all the same takes a connection of its own."""
    closed = PostgresJournal.open(address)
    closed.close()
    closed.close()
    with PostgresJournal.open(address) as opened, opened.turn():
        assert closed.rows() == rows(1)
        closed.close()
        assert opened.append(1, more(1, 1))


def test_a_kept_connection_that_died(journal, address, postgres, database):
    """A new one is taken, and nobody hears of it."""
    before = backend(address)
    cut_all(postgres, database)
    assert backend(address) != before


def test_a_server_that_was_stopped_between_two_commands():
    """That it does not answer is told as ever; started again, it is asked anew."""
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


def test_a_login_that_needs_a_password_is_asked_for_it_each_time(journal, address, postgres, database):
    """It may have been changed meanwhile, which only who connects is told."""
    postgres.sql(f"{ROLES} GRANT tourney_desk TO guarded", database=database)
    reached = postgres.address(database=database, user="guarded", password=PASSWORD)
    assert entries(reached) == 1
    assert connected(postgres, database, 1)
    postgres.sql("ALTER ROLE guarded PASSWORD 'another one'")
    try:
        assert "the password is wrong" in refused(entries, reached).message
    finally:
        postgres.sql(f"ALTER ROLE guarded PASSWORD '{PASSWORD}'")


def test_rights_that_were_taken_away_between_two_commands(journal, address, postgres, database):
    """The server looks at each statement."""
    postgres.sql(f"{ROLES} CREATE ROLE ella LOGIN; GRANT tourney_desk TO ella", database=database)
    reached = postgres.address(database=database, user="ella")
    try:
        assert entries(reached) == 1
        postgres.sql("REVOKE tourney_desk FROM ella", database=database)
        assert isinstance(refused(entries, reached), ShutOutError)
    finally:
        store.drop_kept()
        postgres.sql("DROP OWNED BY ella; DROP ROLE ella", database=database)


def test_a_connection_that_nobody_uses_is_closed(journal, address, postgres, database, monkeypatch):
    """After some seconds, and when the process ends; with no word on the server's log."""
    monkeypatch.setattr(store, "UNUSED", 0.3)
    kept = backend(address)
    assert connected(postgres, database, 1)
    assert not postgres.sql("SELECT 1 FROM pg_stat_activity WHERE pid = %s", kept)
    number = len(postgres.log())
    code = (
        "from tourney.store.postgres import PostgresPlace, PostgresJournal\n"
        f"PostgresJournal.open(PostgresPlace('friday', {address.conninfo!r})).close()"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert connected(postgres, database, 1)
    assert postgres.log()[number:] == ""


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.usefixtures("slow_machine")
def test_a_fork_takes_a_connection_of_its_own(journal, address):
    """And leaves its parent's alone, also when it ends."""
    before = backend(address)
    read, write = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.write(write, str(backend(address)).encode())
            store.drop_kept()
        finally:
            os._exit(0)
    os.close(write)
    answer = os.read(read, 100)
    os.close(read)
    assert answer
    assert int(answer) != before
    os.waitpid(child, 0)
    assert backend(address) == before


def test_who_is_not_let_in_any_more(journal, postgres, database):
    """A password that was changed meanwhile is as a server that is away: what was read stands, and its reason is told."""
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
                assert fault.message == "this login may not use the database"
            postgres.sql("ALTER ROLE cleo LOGIN", database=database)
            assert opened.append(1, more(1, 1))
    finally:
        postgres.sql("DROP OWNED BY cleo; DROP ROLE cleo", database=database)


def test_a_connection_that_dies_within_a_turn(far, journal, postgres, database):
    """What was written in it is gone, and that is said."""

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


def test_a_connection_that_dies_within_a_turn_is_not_taken_up_in_it(far, journal, postgres, database):
    """The lock went with it: whoever read on would write without one, and not all or nothing."""

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


def test_an_append_of_which_the_last_part_is_refused(journal, postgres, database):
    """Entries, texts and COMMIT are sent at once: the server does nothing more after what it refuses."""
    postgres.sql(
        "CREATE FUNCTION no() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION SQLSTATE '53100'; END $$;"
        "CREATE TRIGGER no BEFORE INSERT ON tourney.texts FOR EACH STATEMENT EXECUTE FUNCTION no()",
        database=database,
    )
    before = postgres.sql("SELECT count(*) FROM tourney.texts", database=database)
    assert "no room" in refused(journal.append, 1, more(1, 1), [MIRA]).message
    assert journal.rows() == rows(1)
    assert postgres.sql("SELECT count(*) FROM tourney.texts", database=database) == before
    assert journal.append(1, more(1, 1))


def test_what_a_turn_reads_holds_what_it_wrote(journal):
    """What is sent with the COMMIT is sent before whatever is asked for."""
    with journal.turn():
        assert journal.append(1, more(1, 1), [MIRA])
        assert journal.text(MIRA.ref) == MIRA.content.decode()
        assert journal.append(2, more(1, 2))
        assert journal.rows(2) == rows(3)[2:]
        assert journal.rows(3) == []
    assert journal.rows() == rows(3)


def test_a_refusal_to_write_is_none_to_read(postgres, database, journal):
    """It is found where something is asked for, and told as what it is."""
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


def test_a_part_that_was_refused_takes_the_rest_back(journal, postgres, database):
    """The COMMIT of a transaction that failed is none, and no error: it must not be taken for one."""

    def write():
        with journal.turn():
            assert journal.append(1, more(1, 1))
            with pytest.raises(psycopg.Error):
                journal._database.run("SELECT 1 / 0")

    assert "nothing was written" in refused(write).message
    assert journal.rows() == rows(1)


def test_a_desk_that_froze_does_not_keep_the_event(journal, postgres, database, address):
    """The server takes the event back from who holds it and does nothing; that desk is told, and can go on."""
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
def test_an_interruption_in_a_commit(journal, monkeypatch, before):
    """Ctrl-C after the commit took place is too late: it is answered as what it is. Before it, nothing was written."""
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


def test_an_interruption_while_the_server_commits(journal, postgres, database):
    """Ctrl-C, as it comes from the keyboard: the server is told, and takes back what it was at."""
    slow_commits(postgres, database)
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        journal.append(1, more(1, 1))
    assert time.monotonic() - begun < 0.6
    assert journal.rows() == rows(1)
    assert journal.append(1, more(1, 1))


def test_an_interruption_of_who_waits(journal, address):
    """Ctrl-C ends it at once; nothing of it is left in the server, and the next command works."""
    with PostgresJournal.open(address) as other, journal.turn():
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        begun = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            other.append(1, more(1, 1))
        assert time.monotonic() - begun < 0.9
        assert other.rows() == rows(1)
        assert journal.append(1, more(1, 1))
    assert journal.append(2, more(1, 2))


# -- hearing of what is new


def test_entries_are_heard_of(journal, address):
    """Within a moment, those of this event alone; and to begin with one had better look."""
    with PostgresJournal.open(address) as other, other.listen() as heard:
        assert heard.wait(1)
        assert not heard.wait(0.05)
        with PostgresJournal.create(PostgresPlace("saturday", address.conninfo), rows(1), [], None):
            assert not heard.wait(0.1)
        threading.Timer(0.2, lambda: journal.append(1, more(1, 1))).start()
        begun = time.monotonic()
        assert heard.wait(5)
        assert 0.1 < time.monotonic() - begun < 1
        assert other.rows(1) == more(1, 1)
        assert not heard.wait(0.05)


def test_a_replica_tells_of_nothing_and_is_looked_at(journal, monkeypatch):
    """PostgreSQL refuses LISTEN on a hot standby, which is where a web host may well read: it looks every half second."""
    run = Database.run

    def on_a_replica(database, query, *values):
        if query.startswith("LISTEN"):
            raise psycopg.errors.ReadOnlySqlTransaction("cannot execute LISTEN during recovery")
        return run(database, query, *values)

    monkeypatch.setattr(Database, "run", on_a_replica)
    with journal.listen() as listening:
        assert listening.wait(5)
        began = time.monotonic()
        assert listening.wait(5)
        assert 0.3 < time.monotonic() - began < 3


def test_a_lost_connection_is_taken_up_again_and_nothing_is_missed(journal, proxy, database):
    """What came while nobody listened is looked for: so each time it is there again, one had better look."""
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
    """Refused in words, nothing of the change is there; with room again it goes on."""
    with small_disk(postgres, megabytes=4) as (fill, tablespace):
        postgres.sql(f"ALTER TABLE tourney.texts SET TABLESPACE {tablespace}", database=database)
        fill()
        big = plain(Random(20261123).randbytes(10_000_000))  # which cannot be compressed
        fault = refused(journal.append, 1, more(1, 1), [big])
        assert fault.message == "no room is left on the database's disk for pg:friday; nothing was changed"
        assert "make room" in fault.hint
        assert journal.rows() == rows(1)
        assert journal.gone() == journal.held([big.ref]) == frozenset()
        postgres.sql("ALTER TABLE tourney.texts SET TABLESPACE pg_default", database=database)
        assert journal.append(1, more(1, 1), [big])


def test_a_quota():
    """The server may have room and not be let: no file of this one gets larger than 17 MB. That is no damage."""
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
            assert (
                fault.message == "no room is left on the database's disk for pg:friday; nothing was changed"
            )
            assert journal.rows() == rows(1)
            assert journal.append(1, more(1, 1), [MIRA])
            assert journal.damage() == []
    finally:
        server.remove()


# -- many events


def with_events(postgres, database, number):
    """Have so many copies of the event `friday` lie in a database, as `event 2` and so on."""
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
    """Return how many pages of 8 KB the server looks at for what `act` asks of an event."""
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
    assert journal.gone() == frozenset()
    assert journal.secret()


@pytest.mark.slow
@pytest.mark.parametrize("analyzed", [False, True], ids=["no statistics", "statistics"])
def test_a_thousand_events_are_listed_and_opened_as_ten_are(
    postgres, database, address, tmp_path, monkeypatch, analyzed
):
    """Each is found by an index, whatever the server knows of the tables, so that no more is looked at than among ten;

    and listing them reads the heads, in one statement, and no event.
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
    """The same on a server of its own, which may be stopped, and that server."""
    server = started()
    address = server.address(database=server.database())
    PostgresJournal.create(address, *friday_entries).close()
    yield address, server
    server.remove()


@pytest.fixture
def friday_entries(tmp_path):
    """Entries, texts and secret of an event of 32 players whose first round is being played."""
    with new_desk(tmp_path, *(f"Player {n}" for n in range(1, 33))) as desk:
        desk.pair_round()
        kept = desk.journal
        return kept.rows(), [Text._make(text) for text in kept.texts()], kept.secret()


@pytest.fixture
def friday(friday_entries, address):
    """Where such an event lies."""
    PostgresJournal.create(address, *friday_entries).close()
    return address


def desk_at(address, by="Ann", **more):
    desk = Desk(PostgresJournal.open(address), replace(lent(by, seed=by), **more))
    desk.load()
    return desk


def many_desks(address, desks, results):
    """Have so many processes enter so many results each, at tables of their own; return what each was acknowledged."""
    environment = os.environ | {"TOURNEY_PG": address.conninfo}
    command = [sys.executable, "-m", "tests.store.clerk", "change", "pg:friday"]
    return [
        subprocess.Popen(
            [*command, f"Desk {desk}", str(results), str(2 * desk + 1), str(2 * desk + 2)],
            cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for desk in range(desks)
    ]  # fmt: skip


def acknowledged(process):
    """Wait for a process; return the entries that it was told are written, digest by number, and what it was refused."""
    output, faults = process.communicate(timeout=3600)
    assert process.returncode == 0, faults
    lines = [line.split(maxsplit=2) for line in output.splitlines()]
    written = {int(entry): digest for entry, digest, _ in (line for line in lines if line[0] != "refused")}
    return written, [(int(code), words) for kind, code, words in lines if kind == "refused"]


def none_lost_none_twice(address, desks, results):
    with PostgresJournal.open(address) as opened:
        before = len(opened.rows())
    written = [acknowledged(many_desk) for many_desk in many_desks(address, desks, results)]
    assert [refusals for _, refusals in written] == [[]] * desks
    assert [len(entries) for entries, _ in written] == [results] * desks
    with desk_at(address) as desk:
        assert len(desk.entries) == before + desks * results
        entries_ = {entry: digest for entries, _ in written for entry, digest in entries.items()}
        assert len(entries_) == desks * results, "no entry was acknowledged to two"
        assert entries_ == {entry.seq: entry.digest for entry in desk.entries[before:]}
        assert len({repr(entry.op) for entry in desk.entries[before:]}) <= 32 * 2


def test_desks_that_write_at_once(friday):
    """Each entry is acknowledged to one of them, and is there."""
    none_lost_none_twice(friday, 3, 12)


@pytest.mark.long
def test_eight_desks_write_five_hundred_results_each(friday):
    """4,000 entries, none lost, none twice."""
    none_lost_none_twice(friday, 8, 500)


def stopped(friday, server, times, seed):
    """Stop a server in the midst of writing, so often, with `-m immediate`, and start it again."""
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
    written = [acknowledged(writer) for writer in writers]
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
def test_a_server_that_is_stopped_in_the_midst_of_writing(friday_alone):
    """Three times: what was acknowledged is there, nothing is half there, and the desks go on when it is back."""
    print(stopped(*friday_alone, 3, 1))


@pytest.mark.long
def test_a_server_that_is_stopped_fifty_times(friday_alone):
    """The same, fifty times."""
    print(stopped(*friday_alone, 50, 20261123))


def test_two_clocks_an_hour_apart(friday):
    """Entries stand in the order in which they were written, each with the time of its desk; the chain holds."""
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
    """Make the row of an event by SQL, and no entry of it."""
    guards = "" if guarded else "SET session_replication_role = replica; "
    postgres.sql(
        f"{guards}INSERT INTO tourney.events (name, made_by) VALUES ('{name}', 'hand')", database=database
    )


def test_a_name_is_taken_with_entries_alone(postgres, database, journal):
    """Whoever sends it: nobody could open such an event, or make one of that name."""
    with pytest.raises(psycopg.errors.RaiseException, match="has no entries"):
        by_hand(postgres, database, "monday")
    with as_role(postgres, database, "tourney_desk") as address, psycopg.connect(address.conninfo) as bea:
        bea.execute("INSERT INTO tourney.events (name, made_by) VALUES ('monday', 'hand')")
        with pytest.raises(psycopg.errors.RaiseException, match="has no entries"):
            bea.commit()
    with as_granted(postgres, database, "tourney_desk") as address:
        PostgresJournal.create(PostgresPlace("monday", address.conninfo), rows(1), [], b"secret").close()


def test_a_row_without_entries_is_told_for_what_it_is(postgres, database, journal, address):
    """Where the guard was switched off; and the statement that is named frees its name."""
    by_hand(postgres, database, "monday", guarded=False)
    place = PostgresPlace("monday", address.conninfo)
    with Database.open(address) as opened:
        told = {event.name: (event.entries, event.fault) for event in opened.events()}
    assert told == {"friday": (1, ""), "monday": (0, "no entries: its row was made by hand")}
    with PostgresJournal.open(place) as opened:
        faults = [refused(opened.rows), refused(opened.readable_tables)]
    for fault in (*faults, refused(PostgresJournal.create, place, rows(1), [], b"")):
        assert "pg:monday has no entries: its row was made by hand" in fault.message
        statement = re.search("`(DELETE .*)`", fault.hint)[1]
    postgres.sql(statement, database=database)
    PostgresJournal.create(place, rows(1), [], b"secret").close()


def test_the_server_keeps_no_samples_of_texts(postgres, database, journal):
    """`ANALYZE` takes none, so an erased name is gone from the files of the database."""
    names = [plain(b"Zora Quillfeather %d" % number)._replace(salt=b"salt") for number in range(20)]
    journal.append(1, more(1, 1), names)
    postgres.sql("ANALYZE", database=database)
    samples = "SELECT attname FROM pg_stats WHERE tablename = 'texts' AND attname IN ('salt', 'bytes')"
    assert postgres.sql(samples, database=database) == []
    journal.append(2, more(1, 2), erased=[name.ref for name in names])
    journal.compact()
    postgres.sql("CHECKPOINT", database=database)
    assert not [path for path in postgres.files_of(database) if b"Quillfeather" in path.read_bytes()]
