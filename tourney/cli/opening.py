"""Opening the event for a session: the desk is handed the clock, the user and the dice."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tourney.cli.session import Session
    from tourney.desk import Desk


def open_desk(session: Session) -> Desk:
    """Open the event that `session` means; on a copy of it where the session only tries."""
    from tourney.desk import Desk

    return Desk.open(
        session.event_path,
        by=session.by,
        clock=session.now,
        randomness=session.entropy,
        library=session.library(),
    )
