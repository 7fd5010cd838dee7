"""A copy of an event to try a change on; the event itself is only read."""

from __future__ import annotations

from pathlib import Path

from tourney.store.journal import Journal
from tourney.store.sqlite import Waiting, connect


def copy_to_try(path: Path, folder: Path, *, waiting: Waiting | None = None) -> Path:
    """Copy the event file `path`, whole and consistent, into `folder` and return the copy's path.

    Raises TourneyError where it is no event or the folder cannot be written.
    """
    target = folder / path.name
    with Journal.open(path, waiting=waiting) as journal:
        connection = connect(target, create=True)
        try:
            journal.copy_to(connection)
        finally:
            connection.close()
    return target
