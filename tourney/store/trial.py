"""A copy of an event to try a change on; the event itself is only read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tourney.store.journal import Journal
from tourney.store.sqlite import Waiting, connect
from tourney.store.writing import scratch


@contextmanager
def copy_to_try(path: Path, *, waiting: Waiting | None = None) -> Iterator[Path]:
    """Give a copy of the event file `path`, whole and consistent, that goes away at the end.

    Raises TourneyError where it is no event or cannot be copied.
    """
    with scratch() as folder:
        target = folder / path.name
        with Journal.open(path, waiting=waiting) as journal:
            connection = connect(target, create=True)
            try:
                journal.copy_to(connection)
            finally:
                connection.close()
        yield target
