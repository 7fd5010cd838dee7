"""Where an event is: a file, or a database by its address.

`place_of` reads the words of a command (`friday.tourney`, `pg:friday`) and returns the place, which opens its journal.
The driver of PostgreSQL is imported only for an address.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from tourney.errors import TourneyError
from tourney.store.journal import EventPlace, Listed

if TYPE_CHECKING:
    from types import ModuleType

_ADDRESS = re.compile(r"(pg|postgres|postgresql):|[a-z][a-z\d+.-]+:/", re.IGNORECASE)
"""An address, also one of a database that cannot hold events (`mysql://`). A single letter is a drive of Windows."""

BACKUPS = ".tourney-backups"
"""The folder beside an event for its copies."""

Named = EventPlace | Path | str
"""A place, a path, or the words for a file or a database (`pg:friday`)."""


def in_database(name: str) -> bool:
    """Return whether words are the address of a database, not the name of a file.

    >>> [in_database(name) for name in ("pg:friday", "PG:friday", "mysql://host/club", "friday.tourney", "C:/friday")]
    [True, True, True, False, False]
    """
    return bool(_ADDRESS.match(name))


def place_of(name: Named) -> EventPlace:
    """Return the place of an event. Raises TourneyError for an unreadable address."""
    if isinstance(name, EventPlace):
        return name
    if isinstance(name, str) and in_database(name):
        place: EventPlace = _postgres().PostgresPlace.parse(name)
        return place
    from tourney.store.event_file import FilePlace  # sqlite3 is slow to import

    path = Path(name)
    # `Path` turns `./pg:x` into `pg:x`, which would be read as an address.
    return FilePlace(path.absolute() if in_database(str(path)) else path)


def list_events(where: str, *, all_of_database: bool = False) -> list[Listed]:
    """Return the events of a folder or a database, by name. `pg:` is the user's own database.

    all_of_database: also the events beside the one that an address names

    Raises TourneyError, also if the event that an address names is missing.
    """
    if not in_database(where):
        from tourney.store.event_file import list_folder  # sqlite3 is slow to import

        return list_folder(Path(where))
    postgres = _postgres()
    place = postgres.PostgresPlace.parse(where)
    with postgres.Database.open(place) as database:
        events: list[Listed] = database.events("" if all_of_database else place.event)
    return events


def table_script() -> str:
    """Return the SQL that makes tables and roles for events in a database; it can run again."""
    _postgres()
    from tourney.store import database  # the driver is optional

    return database.table_script()


def _postgres() -> ModuleType:
    try:
        from tourney.store import postgres  # the driver is optional
    except ImportError:
        raise TourneyError(
            "events in a database need its driver, the extra `postgres`", "`pip install 'tourney[postgres]'`"
        ) from None
    return postgres


def backup_folder_of(place: EventPlace) -> Path:
    """Return the folder for copies of an event."""
    return place.folder / BACKUPS


def make_backup_folder(place: EventPlace) -> tuple[Path, int]:
    """Make the folder for copies of an event, unless it exists.

    Return it and the mode of the files in it: those who may read the event may read its copies. Raises OSError.
    """
    # A copy of an event in a database belongs to the user of this machine alone.
    mode = place.file.stat().st_mode & 0o666 if place.file else 0o600
    folder = backup_folder_of(place)
    folder.mkdir(exist_ok=True, mode=0o700 | mode & 0o066 | (mode & 0o044) >> 2)
    return folder, mode
