"""Find events by the names that commands use: a file, or a database by its address.

`place_of` turns such a name (`friday.tourney`, `pg:friday`) into an `EventPlace`, which opens the journal.
The driver of PostgreSQL is imported only for an address.
"""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from tourney.document import Document
from tourney.errors import TourneyError
from tourney.store.files import resolve_path
from tourney.store.journal import EventList, EventPlace, EventRow

if TYPE_CHECKING:
    from types import ModuleType

_ADDRESS = re.compile(r"(pg|postgres|postgresql):|[a-z][a-z\d+.-]+:/", re.IGNORECASE)
"""Matches the start of a database's address, even if it cannot store events (`mysql://`).

A single letter before the colon is a Windows drive, not an address.
"""

Named = EventPlace | Path | str
"""An event's place, its path, or its name in a command (`friday.tourney`, `pg:friday`)."""


def in_database(name: str) -> bool:
    """Return whether a name is the address of a database, not the name of a file.

    >>> names = ("pg:friday", "PG:friday", "mysql://host/club", "friday.tourney", "C:/friday")
    >>> [in_database(name) for name in names]
    [True, True, True, False, False]
    """
    return bool(_ADDRESS.match(name))


def place_of(name: Named) -> EventPlace:
    """Return the file or database address of an event as an `EventPlace`.

    Raises TourneyError if the name is an address that is not valid.
    """
    if isinstance(name, EventPlace):
        return name
    if isinstance(name, str) and in_database(name):
        place: EventPlace = _postgres().PostgresPlace.parse(name)
        return place
    from tourney.store.event_file import FilePlace  # sqlite3 is slow to import

    path = Path(name)
    # `Path` turns `./pg:x` into `pg:x`, which would be read as an address.
    return FilePlace(path.absolute() if in_database(str(path)) else path)


def list_events(place_name: str, *, all_of_database: bool = False) -> EventList:
    """Return the events of a folder or a database, sorted by name.

    place_name:      a folder, or an address; `pg:` is the user's default database
    all_of_database: whether to return all events of the database, even if the address names one event

    Raises TourneyError if the folder or database cannot be read, or if the address names an event that does
    not exist.
    """
    if not in_database(place_name):
        from tourney.store.event_file import list_folder  # sqlite3 is slow to import

        return EventList(events=tuple(list_folder(Path(place_name))))
    postgres = _postgres()
    place = postgres.PostgresPlace.parse(place_name)
    with postgres.Database.open(place) as database:
        if place.event and not all_of_database:
            database.event()  # refuses an event that does not exist
        rows: list[EventRow] = database.events()
    scheme = "pg:" if place_name.lower().startswith("pg:") else ""
    return EventList(
        events=tuple(
            replace(row, event=f"{scheme}{row.event}")
            for row in rows
            if all_of_database or place.event in {"", row.event}
        )
    )


class TableScript(Document, frozen=True, tag="tourney.event-tables/1"):
    """What `tourney event tables --json` prints.

    sql: the script for the administrator of the database
    """

    sql: str


def table_script() -> str:
    """Return the SQL that creates tables and roles in a database. It can be run repeatedly."""
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


# -- Events as commands name them


def event_place(name: str | Path) -> EventPlace:
    """Return the file or database address of an event that a command names, as an `EventPlace`.

    `friday` means `friday.tourney` if only the latter exists. Raises TourneyError for a folder.
    """
    place = place_of(name)
    _refuse_folder(place, name, "name the event's file: `-e FILE`")
    path = place.file
    if path and not path.exists() and not path.suffix and path.with_suffix(".tourney").exists():
        return place_of(path.with_suffix(".tourney"))
    return place


def only_event() -> Path:
    """Return the only event file in this folder.

    Raises TourneyError if there are none or several.
    """
    events = sorted(Path().glob("*.tourney"))
    if len(events) == 1:
        return events[0]
    if not events:
        raise TourneyError(
            "there is no event in this folder",
            "make an event with `tourney event new NAME --format FORMAT`, or name one with `-e FILE`",
        )
    names = ", ".join(f"`{path.name}`" for path in events)
    raise TourneyError(
        f"there are {len(events)} events in this folder: {names}", f"name one: `-e {events[0].name}`"
    )


def new_place(word: str | None, name: str) -> EventPlace:
    """Return the place of a new event.

    word: the event's file or address. `pg:` alone means an event named after `name`, in the database of
          `$TOURNEY_PG` or else of the `PG*` variables. None means a file named after `name`
    name: the event's name

    Raises TourneyError for a folder.
    """
    if word is None:
        return place_of(file_name(name))
    if word.lower() == "pg:":
        word += file_name(name).stem
    place = place_of(word)
    _refuse_folder(place, word, "name the new file: `friday.tourney`")
    return place


def file_name(name: str) -> Path:
    """Return a file name for an event's name.

    >>> file_name("Friday  Diamonds, März").name
    'friday-diamonds-märz.tourney'
    """
    words = re.findall(r"\w+", unicodedata.normalize("NFKC", name).casefold())
    if not words:
        raise TourneyError(
            f"a file cannot be named after `{name}`, because it has no letters or digits",
            "name the file: `--file friday.tourney`",
        )
    return Path("-".join(words)[:80] + ".tourney")


def is_same_event(name: str, place: EventPlace) -> bool:
    """Return whether the name that a user gave to a command means the event at `place`."""
    try:
        named_place = event_place(name)
    except TourneyError:  # a folder
        return False
    return named_place == place or bool(
        named_place.file and place.file and resolve_path(named_place.file) == resolve_path(place.file)
    )


def _refuse_folder(place: EventPlace, name: str | Path, hint: str) -> None:
    if place.file is not None and not place.file.name:
        raise TourneyError(f"`{name}` is a folder, not an event file", hint)
