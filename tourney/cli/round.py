"""`tourney round`: who meets whom."""

from __future__ import annotations

import click

from tourney.cli.answer import answer
from tourney.cli.command import noun
from tourney.cli.options import reason, several
from tourney.cli.session import Session

cli = noun(
    "round",
    lazy={
        "pair": "tourney.cli.round_pair:pair",
        "show": "tourney.cli.round_show:show",
        "edit": "tourney.cli.round_edit:cli",
        "plan": "tourney.cli.round_why:plan",
        "why": "tourney.cli.round_why:why",
        "why-not": "tourney.cli.round_why:why_not",
        "prove": "tourney.cli.round_check:prove",
        "check": "tourney.cli.round_check:check",
        "clock": "tourney.cli.round_show:clock",
    },
)


@cli.command(
    "repair",
    event=True,
    dry_run=True,
    examples=["tourney round repair", 'tourney round repair --reason "Tomo left"'],
)
@reason
def repair(session: Session, reason: str | None) -> None:
    """Pair the current round again around a drop, a late entry or a corrected result.

    Tables with a result stay; of the others the fewest are changed.
    """
    with session.desk() as desk:
        answer(session, desk.repair_round(reason=reason))


@cli.command(
    "cancel", event=True, dry_run=True, examples=['tourney round cancel --reason "paired too early"']
)
@reason
def cancel(session: Session, reason: str | None) -> None:
    """Take back the last round with whatever was entered in it; `event undo` brings it back."""
    with session.desk() as desk:
        answer(session, desk.cancel_round(reason=reason))


@cli.command(
    "force",
    event=True,
    dry_run=True,
    examples=["tourney round force Mira Tomo", "tourney round force Mira Tomo --table 1"],
)
@several
@click.option(
    "--round",
    "round_number",
    metavar="N",
    type=click.IntRange(min=1),
    help="The round it is for; else the next one.",
)
@click.option("--table", type=click.IntRange(min=1), help="The table they are to play at.")
def force(session: Session, who: tuple[str, ...], round_number: int | None, table: int | None) -> None:
    """Fix who meets in a round that is still to be paired."""
    with session.desk() as desk:
        answer(session, desk.force(*who, round_number=round_number, table=table))


@cli.command(
    "forbid",
    event=True,
    dry_run=True,
    examples=["tourney round forbid Mira Tomo", "tourney round forbid Mira Tomo Fenn --soft"],
)
@several
@click.option("--soft", is_flag=True, help="A wish, not a rule: they may meet if it cannot be avoided.")
@reason
def forbid(session: Session, who: tuple[str, ...], soft: bool, reason: str | None) -> None:
    """Keep players apart, from the next pairing on."""
    with session.desk() as desk:
        answer(session, desk.forbid(*who, hard=not soft, reason=reason))


@cli.command(
    "start", event=True, dry_run=True, examples=["tourney round start", "tourney round start --minutes 90"]
)
@click.option(
    "--minutes", type=click.IntRange(min=0), help="Length; 0 is without limit. Else as the event says."
)
def start(session: Session, minutes: int | None) -> None:
    """Start the clock of the current round."""
    with session.desk() as desk:
        answer(session, desk.start_round(minutes))


@cli.command("extend", event=True, dry_run=True, examples=['tourney round extend 4 3 --reason "deck check"'])
@click.argument("table", type=click.IntRange(min=1))
@click.argument("minutes", type=click.IntRange(min=1))
@reason
def extend(session: Session, table: int, minutes: int, reason: str | None) -> None:
    """Give a table more time."""
    with session.desk() as desk:
        answer(session, desk.extend(table, minutes, reason=reason))
