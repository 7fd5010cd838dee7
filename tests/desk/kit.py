"""A desk for tests: a clock that ticks, dice that repeat, the shipped library."""

import hashlib
import sqlite3
from contextlib import closing
from datetime import datetime, timedelta, timezone

from tourney.desk import Desk, Workplace, import_players
from tourney.store import journal as storage
from tourney.store.data import Library
from tourney.store.places import place_of

ZONE = timezone(timedelta(hours=2))


class Clock:
    """Starts on a Sunday at two, and advances by a second at each call."""

    def __init__(self):
        self.now = datetime(2026, 10, 4, 14, 0, 0, tzinfo=ZONE)

    def __call__(self):
        self.now += timedelta(seconds=1)
        return self.now


class Dice:
    """Random bytes that are the same in every run."""

    def __init__(self, seed="desk"):
        self.seed = seed
        self.drawn = 0

    def __call__(self, size):
        self.drawn += 1
        return hashlib.shake_256(f"{self.seed}/{self.drawn}".encode()).digest(size)


_LIBRARY = []


def library():
    """Return the library of shipped data, read once."""
    if not _LIBRARY:
        _LIBRARY.append(Library.open(environ={"XDG_DATA_HOME": "/nowhere", "HOME": "/nowhere"}))
    return _LIBRARY[0]


def lent(by="Ann", seed="desk"):
    """Return the workplace of a desk: signer, clock, dice and library."""
    return Workplace(by, Clock(), Dice(seed), library)


TABLES = """
[format]
id      = "club/tables"
name    = "Red Diamond at any table"
extends = "red-diamond/standard"

[match]
seats = { min = 2, max = 30 }
draws = true
score = "victory points"
"""
"""A house format for tables of every size, whose game has no scores."""


def new_desk(folder, *names, by="Ann", seed="desk", format_name=None, **settings):
    """Create `friday.tourney` in `folder` with players.

    Without a format's name, `seats` selects the format `TABLES`.
    """
    settings = {"banlist": "none", **settings}
    if format_name is None and "seats" in settings:
        format_name = folder / "tables.toml"
        format_name.write_text(TABLES, encoding="utf-8")
    format_name = str(format_name or "red-diamond/standard")
    desk = Desk.create(
        folder / "friday.tourney", lent(by, seed), name="Friday", format_name=format_name, **settings
    )
    if names:
        import_players(desk, "\n".join(names), source="list")
    return desk


def open_desk(folder, by="Ann", seed="later", name="friday.tourney"):
    """Open `friday.tourney` in `folder` again."""
    return Desk.open(folder / name, lent(by, seed))


def journal_at(path):
    """Open the journal of an event for a `with`, in a file or a database."""
    return closing(place_of(path).open())


def make_journal(path, rows, texts, secret):
    """Make an event from rows and texts, without a check."""
    place_of(path).begin(
        storage.StoredEvent(list(rows), list(texts), secret), lambda journal: journal
    ).close()


def by_hand(path, statement, *values):
    """Change the tables of an event by SQL; at least one row must change."""
    other = sqlite3.connect(path)
    try:
        with other:
            assert other.execute(statement, values).rowcount
    finally:
        other.close()


def content_of(path):
    """Return the stored event: the bytes of its file, or its rows in the database."""
    if path.exists():
        return path.read_bytes()
    with journal_at(path) as journal:
        return repr((journal.rows(), list(journal.texts()), journal.secret())).encode()


def play(desk, score="w"):
    """Pair the next round, and enter the same score at all tables."""
    desk.pair_round()
    desk.report_block(f"{table} {score}" for table in desk.state.round.tables)
