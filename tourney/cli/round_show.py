"""`tourney round show` and `clock`."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import click

from tourney.cli.command import command
from tourney.cli.options import round_number
from tourney.cli.round_text import round_text
from tourney.cli.session import Session
from tourney.errors import TourneyError

if TYPE_CHECKING:
    from tourney.event.state import Round


@command(
    "show",
    event=True,
    examples=["tourney round show", "tourney round show --round 2", "tourney round show --json"],
)
@round_number
@click.option("--all", "everything", is_flag=True, help="Every round.")
def show(session: Session, round_number: int | None, everything: bool) -> None:
    """Show who meets whom, the results so far, and how the pairing is proved."""
    from tourney.desk.pages import round_view

    with session.desk() as desk:
        wanted = range(1, len(desk.state.rounds) + 1) if everything else [round_number]
        views = [round_view(desk, number) for number in wanted]
    if session.json:
        session.emit("rounds/1", {"rounds": views})
        return
    session.say("\n\n".join(round_text(view) for view in views))


@command("clock", event=True, examples=["tourney round clock"])
def clock(session: Session) -> None:
    """Say how much time the current round has left, and which tables have more."""
    with session.desk() as desk:
        current = desk.state.round
    if current is None or not current.started:
        raise TourneyError("the clock of this round is not running", "`tourney round start`")
    left = _left(current, session.now()) if current.minutes else None
    if session.json:
        payload = {"round": current.number, "started": current.started, "minutes": current.minutes}
        session.emit("clock/1", {**payload, "seconds_left": left, "extended": dict(current.extended)})
        return
    session.say(f"{current.title}: {_said(left)}")
    for table, minutes in current.extended.items():
        session.say(f"  table {table}: {minutes} min more")


def _left(known: Round, now: datetime) -> int:
    return int(known.minutes * 60 - (now - datetime.fromisoformat(known.started)).total_seconds())


def _said(left: int | None) -> str:
    if left is None:
        return "no time limit"
    minutes, seconds = divmod(abs(left), 60)
    return f"{minutes}:{seconds:02} {'left' if left >= 0 else 'over time'}"
