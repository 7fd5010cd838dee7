"""Where events can be kept, for the tests that hold for each of these places."""

import sqlite3

import pytest

from tourney.event.entry import EntryError
from tourney.store import journal as storage
from tourney.store.event_file import EventFile
from tourney.store.postgres import PostgresJournal


class InFiles:
    """Events in files of a folder."""

    fault = sqlite3.IntegrityError
    """What the tables, or who fills new ones, raise for what no desk does."""
    readers_see_the_past = False
    """Whether an event can be read during an uncommitted write; if not, the reader waits."""

    def __init__(self, folder):
        self.folder = folder

    def address(self, event="friday"):
        return self.folder / f"{event}.tourney"

    def create(self, *words, event="friday"):
        return EventFile.create(self.address(event), *words)

    def begin(self, *words, event="friday"):
        return EventFile.begin(self.address(event), storage.StoredEvent(*words[:3]), words[3])

    def open(self, event="friday", **more):
        return EventFile.open(self.address(event), **more)

    def by_hand(self, statement, *, guarded=True):
        """Run a statement on the tables as a stranger would.

        guarded: whether the guards of the journal stay in place
        """
        connection = sqlite3.connect(self.address())
        try:
            if not guarded:
                connection.execute("DROP TRIGGER journal_is_never_changed")
                connection.execute("DROP TRIGGER journal_is_never_shortened")
            with connection:
                connection.execute(statement)
        finally:
            connection.close()

    def be_patient(self, journal, seconds):
        """Have a journal wait for so long at most."""
        journal._connection.patience = seconds

    def holds(self, words):
        """Say whether some bytes lie anywhere in what the event is kept in."""
        return words in self.address().read_bytes()


class InPostgres:
    """Events in a database."""

    def __init__(self, server, database):
        from psycopg.errors import IntegrityError, RaiseException

        self.fault = (IntegrityError, RaiseException, EntryError)
        self.readers_see_the_past = True
        self.server, self.database = server, database

    def address(self, event="friday"):
        return self.server.address(event, database=self.database)

    def create(self, *words, event="friday"):
        return PostgresJournal.create(self.address(event), *words)

    def begin(self, *words, event="friday"):
        return PostgresJournal.begin(self.address(event), storage.StoredEvent(*words[:3]), words[3])

    def open(self, event="friday", **more):
        return PostgresJournal.open(self.address(event), **more)

    def by_hand(self, statement, *, guarded=True):
        for table in ("journal", "texts", "head"):
            statement = statement.replace(f" {table}", f" tourney.{table}")
        statement = statement.replace("x'", "'\\x")
        guards = "" if guarded else "SET session_replication_role = replica; "
        self.server.sql(guards + statement, database=self.database)

    def be_patient(self, journal, seconds):
        journal.patience = seconds

    def holds(self, words):
        self.server.sql("CHECKPOINT", database=self.database)
        return any(words in each.read_bytes() for each in self.server.files_of(self.database))


@pytest.fixture(params=["file", "postgres"])
def store(request, tmp_path):
    """A place for events: a folder of files, or a database."""
    if request.param == "file":
        return InFiles(tmp_path)
    return InPostgres(request.getfixturevalue("postgres"), request.getfixturevalue("database"))
