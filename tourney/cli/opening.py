"""Opening the event for a session: the desk is handed the clock, the user and the dice."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from tourney.cli.session import Session
    from tourney.desk import Desk


def open_desk(session: Session) -> Desk:
    """Open the event that `session` means; a copy of it where the session only tries."""
    from tourney.desk import Desk

    return Desk.open(
        _copy(session, session.event_path) if session.dry_run else session.event_path,
        by=session.by,
        clock=session.now,
        randomness=session.entropy,
        library=session.library(),
        waiting=session.waiting,
    )


def _copy(session: Session, path: Path) -> Path:
    """Copy the event to a folder that goes away with the command."""
    from tourney.store.trial import copy_to_try

    folder = TemporaryDirectory(prefix="tourney-dry-run-", ignore_cleanup_errors=True)
    click.get_current_context().call_on_close(folder.cleanup)
    return copy_to_try(path, Path(folder.name), waiting=session.waiting)
