"""Run the tests of the desk on both stores: event files and a database.

A test of the file itself (its bytes, its tables, the files beside it) is marked `@pytest.mark.file`.
"""

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import psycopg
import pytest

from tests.desk import kit
from tourney.store import places as door
from tourney.store.postgres import PostgresPlace

DOOR = (
    "tourney.desk.desk",
    "tourney.desk.takeover",
    "tourney.desk.histories",
    "tourney.store.backup",
    "tests.desk.kit",
)
"""The modules that read where an event is kept from words or paths."""


READERS = {
    "test_breakdown",
    "test_certificates",
    "test_declared",
    "test_forecasting",
    "test_open_lists",
    "test_played_on",
    "test_player_list",
    "test_recorded_round",
    "test_stale",
    "test_takeover",
    "test_verifying",
    "test_why",
}
"""Modules whose tests behave the same on both stores.

They read a list or a file, or prove or explain an event.
"""


def pytest_generate_tests(metafunc):
    """Run each test that has a folder on both stores.

    `READERS` use a database only with `--long`.
    """
    if "tmp_path" in metafunc.fixturenames and not metafunc.definition.get_closest_marker("file"):
        is_reader = metafunc.module.__name__.rpartition(".")[2] in READERS
        stores = ["file", pytest.param("postgres", marks=pytest.mark.long if is_reader else pytest.mark.slow)]
        metafunc.parametrize("kept_in", stores, indirect=True)


@pytest.fixture(autouse=True)
def kept_in(request, monkeypatch):
    """Keep the events of a test in files, or in a database under the same paths."""
    if getattr(request, "param", "file") != "postgres":
        return
    server = request.getfixturevalue("postgres")
    conninfo = server.conninfo(request.getfixturevalue("desks_database"))

    def address_of(path):
        return AddressOfPath(sha256(str(path.absolute()).encode()).hexdigest()[:40], conninfo, path)

    def place_of(named):
        """Return the place of an event; for a copy or an export read back, an existing file."""
        path = door.place_of(named).file
        if path is None or path.exists() or path.parent.name == ".tourney-backups":
            return door.place_of(named)
        return address_of(path)

    for module in DOOR:
        monkeypatch.setattr(f"{module}.place_of", place_of)

    def by_hand(path, statement, *values):
        for table in ("UPDATE texts", "FROM texts"):
            statement = statement.replace(table, table.replace("texts", "tourney.texts"))
        statement = statement.replace("UPDATE secret ", "UPDATE tourney.secrets ")
        statement = statement.replace("CAST(bytes || 'x' AS BLOB)", "bytes || '\\x78'::bytea").replace(
            "x'", "'\\x"
        )
        words = f"{statement.replace('?', '%s')} AND event = (SELECT id FROM tourney.events WHERE name = %s)"
        with psycopg.connect(conninfo) as connection:
            connection.execute(
                "SET session_replication_role = replica"
            )  # the tables' own guards are out of the way
            assert connection.execute(words, (*values, address_of(path).event)).rowcount

    monkeypatch.setattr(kit, "by_hand", by_hand)


@pytest.fixture(scope="session")
def desks_database(postgres):
    """Return a PostgreSQL database that all tests of this suite share."""
    return postgres.database()


@dataclass(frozen=True)
class AddressOfPath(PostgresPlace):
    """An event in a database, with the name, stem and folder of a file's path.

    Its copies and exports are beside that path.
    """

    path: Path = Path()

    name = property(lambda self: self.path.name)
    stem = property(lambda self: self.path.stem)
    folder = property(lambda self: self.path.absolute().parent)

    def __str__(self):
        return str(self.path)
