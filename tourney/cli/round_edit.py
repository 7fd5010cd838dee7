"""`tourney round edit`: tables changed by hand, each with its receipt."""

from __future__ import annotations

import click

from tourney.cli.answer import answer
from tourney.cli.command import Noun
from tourney.cli.completers import players
from tourney.cli.options import reason, several, who
from tourney.cli.session import Session

cli = Noun("edit", help="Change tables of the current round by hand: allowed, checked, recorded.")


@cli.command("swap", event=True, dry_run=True, examples=["tourney round edit swap Mira Tomo"])
@click.argument("one", metavar="PLAYER", shell_complete=players)
@click.argument("other", metavar="PLAYER", shell_complete=players)
@reason
def swap(session: Session, one: str, other: str, reason: str | None) -> None:
    """Let two players change seats (a seat and a bye too)."""
    with session.desk() as desk:
        answer(session, desk.swap(one, other, reason=reason))


@cli.command("set", event=True, dry_run=True, examples=["tourney round edit set 4 Mira Tomo"])
@click.argument("table", type=click.IntRange(min=1))
@several
@reason
def set_(session: Session, table: int, who: tuple[str, ...], reason: str | None) -> None:
    """Seat exactly these players at a table; whoever they leave behind changes places."""
    with session.desk() as desk:
        answer(session, desk.seat(table, *who, reason=reason))


@cli.command(
    "bye",
    event=True,
    dry_run=True,
    examples=["tourney round edit bye Mira", "tourney round edit bye Mira --kind half-bye"],
)
@who
@click.option(
    "--kind",
    type=click.Choice(["bye", "awarded-bye", "half-bye", "absent"]),
    default="bye",
    show_default=True,
    help="What the round counts as.",
)
@reason
def bye(session: Session, who: str, kind: str, reason: str | None) -> None:
    """Take a player from their table; an opponent left alone takes the seat of whoever had the bye."""
    with session.desk() as desk:
        answer(session, desk.bye(who, kind, reason=reason))
