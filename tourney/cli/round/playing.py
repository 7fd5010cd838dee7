"""`tourney round start`, `extend`, `clock`, `calls`: a round's time, and calls for a judge."""

from __future__ import annotations

import sys
import time
from datetime import datetime

import click

from tourney.cli.answers import answer, change_command, published
from tourney.cli.command import command
from tourney.cli.options import reason, table
from tourney.cli.output import terminal_width, visible
from tourney.cli.session import Exit, Session
from tourney.desk import Desk, Receipt
from tourney.errors import TourneyError
from tourney.event.documents import calls_document, clock_document
from tourney.event.results import clock_time
from tourney.event.state import Round


@command(
    "start", event=True, dry_run=True, examples=["tourney round start", "tourney round start --minutes 90"]
)
@click.option(
    "--minutes", type=click.IntRange(min=0), help="The length; 0 for no limit. Default: the event's setting."
)
def start(session: Session, minutes: int | None) -> None:
    """Start the clock of the current round. This releases a round that was held back."""
    with session.desk() as desk:
        was_held = desk.state.round is not None and desk.state.round.held
        receipt = desk.start_round(minutes)
        answer(session, published(session, desk, receipt) if was_held and not session.dry_run else receipt)


@change_command(
    "extend", examples=['tourney round extend 4 3 --reason "deck check"', "tourney round extend lena 5"]
)
@table
@click.argument("minutes", type=click.IntRange(min=1))
@reason
def extend(desk: Desk, table: str, minutes: int, reason: str | None) -> Receipt:
    """Give a table more time.

    TABLE is its number, or a player who sits there: lena or '#7'.
    """
    return desk.extend(table, minutes, reason=reason)


@command("clock", event=True, examples=["tourney round clock", "tourney round clock --once"])
@click.option("--once", is_flag=True, help="Show the time once, instead of a running clock.")
def clock(session: Session, once: bool) -> None:
    """Show how much time the current round has left, and which open tables have more.

    On a terminal the clock runs until Ctrl-C, also into later rounds. After the end it counts on, as in
    `+2:10 over`.
    """
    with session.desk() as desk:
        current = desk.state.round
        if current is None or not current.started:
            raise TourneyError("the clock of this round is not running", "`tourney round start`")
        session.emit(clock_document(current, session.now()))
        if once or session.json or session.quiet or not (sys.stdout.isatty() and sys.stderr.isatty()):
            session.say(_clock_line(current, session.now()))
        else:
            _run_clock(session, desk)


def _clock_line(current: Round, now: datetime) -> str:
    """Return the time that the round has left, and each open table that has more."""
    tables = [
        f"table {table}: {_time_left(current.seconds_left(now, more))}"
        for table, more in current.extended.items()
        if table in current.playing and current.minutes
    ]
    return "; ".join([f"{current.title}: {_time_left(current.seconds_left(now))}", *tables])


def _time_left(left: int | None) -> str:
    if left is None:
        return "no time limit"
    minutes, seconds = divmod(abs(left), 60)
    return f"{minutes}:{seconds:02} left" if left >= 0 else f"+{minutes}:{seconds:02} over"


def _run_clock(session: Session, desk: Desk) -> None:
    """Write the clock on one line of stderr every second, until Ctrl-C.

    The line follows changes of the event. Ctrl-C is the normal end: no message is shown, and the command
    exits with 130.
    """
    try:
        while True:
            current, now = desk.refresh().round, session.now()
            line = "no round is paired" if current is None else f"{current.title}: the clock is not running"
            if current is not None and current.started:
                line = _clock_line(current, now)
            line = visible(line)[: terminal_width() - 1]
            sys.stderr.write(f"\r{line}\x1b[K")
            sys.stderr.flush()
            time.sleep(1 - now.microsecond / 1_000_000)
    except KeyboardInterrupt:
        raise click.exceptions.Exit(Exit.INTERRUPTED) from None
    finally:
        sys.stderr.write("\n")


# -- tourney round calls


@command(
    "calls", event=True, dry_run=True, examples=["tourney round calls", "tourney round calls --answered 57"]
)
@click.option(
    "--answered", metavar="ENTRY", type=click.IntRange(min=1), help="Mark the call of that entry as answered."
)
def calls(session: Session, answered: int | None) -> None:
    """List the calls for a judge, or mark one as answered."""
    with session.desk() as desk:
        if answered is not None:
            answer(session, desk.answer_call(answered))
            return
        document = calls_document(desk.calls())
    session.emit(document)
    rows = [(call.entry, clock_time(call.at), call.table, call.player, call.about) for call in document.calls]
    if rows:
        session.table(["entry", "since", "table", "player", "about"], rows, right=(0, 2))
        session.talk(f"`tourney round calls --answered {rows[0][0]}` once a judge has been there")
    else:
        session.talk("no calls for a judge")
