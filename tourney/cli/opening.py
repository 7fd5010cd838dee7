"""Opening the event for a session: the desk is handed the clock, the user and the dice."""

from __future__ import annotations

from pathlib import Path
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
    """Copy the event; the copy goes away with the command."""
    from tourney.store.trial import copy_to_try

    return click.get_current_context().with_resource(copy_to_try(path, waiting=session.waiting))
