"""`tourney event`: start one, look at it, take things back, close it."""

from __future__ import annotations

import click

from tourney.cli.answer import answer
from tourney.cli.command import noun
from tourney.cli.options import reason
from tourney.cli.session import Session

cli = noun(
    "event",
    lazy={
        "new": "tourney.cli.event_new:new",
        "show": "tourney.cli.event_show:show",
        "log": "tourney.cli.event_show:log",
        "change": "tourney.cli.event_new:change",
        "rebase": "tourney.cli.event_new:rebase",
        "check": "tourney.cli.event_files:check",
        "export": "tourney.cli.event_files:export",
        "import": "tourney.cli.event_files:import_",
        "backup": "tourney.cli.event_files:backup",
        "salvage": "tourney.cli.event_files:salvage",
        "generate": "tourney.cli.event_generate:generate",
    },
)


@cli.command(
    "undo",
    event=True,
    dry_run=True,
    examples=["tourney event undo", 'tourney event undo 57 --reason "wrong slip"'],
)
@click.argument("entry", type=click.IntRange(min=1), required=False)
@reason
def undo(session: Session, entry: int | None, reason: str | None) -> None:
    """Take back your own last entry, or the one named; it stays in the log.

    What later entries build on cannot be taken back; they are named.
    """
    with session.desk() as desk:
        answer(session, desk.undo(entry, reason=reason))


@cli.command("redo", event=True, dry_run=True, examples=["tourney event redo", "tourney event redo 57"])
@click.argument("entry", type=click.IntRange(min=1), required=False)
@reason
def redo(session: Session, entry: int | None, reason: str | None) -> None:
    """Take back your own last undo, or the undo of the entry named."""
    with session.desk() as desk:
        answer(session, desk.redo(entry, reason=reason))


@cli.command(
    "cut",
    event=True,
    dry_run=True,
    examples=["tourney event cut 4", "tourney event cut 8 --kind double --third-place"],
)
@click.argument("size", type=click.IntRange(min=2))
@click.option(
    "--kind",
    type=click.Choice(["single", "double"]),
    default="single",
    show_default=True,
    help="Single or double elimination.",
)
@click.option("--reseed", is_flag=True, help="Pair the best seed left with the worst left in each round.")
@click.option("--third-place", is_flag=True, help="The losing semifinalists play for third place.")
@click.option(
    "--vacancy",
    type=click.Choice(["opponent", "highest-seed"]),
    default="opponent",
    show_default=True,
    help="Who gets the bye if a player of the cut drops out.",
)
@click.option(
    "--lot", is_flag=True, help="Part players whom the profile leaves level by a lot from the event's seed."
)
def cut(
    session: Session, *, size: int, kind: str, reseed: bool, third_place: bool, vacancy: str, lot: bool
) -> None:
    """Make the bracket of the best SIZE of the standings who are still in; `round pair` pairs its rounds."""
    with session.desk() as desk:
        receipt = desk.cut(size, kind=kind, reseed=reseed, third_place=third_place, vacancy=vacancy, lot=lot)
        answer(session, receipt)


@cli.command(
    "beacon",
    event=True,
    dry_run=True,
    examples=["tourney event beacon 3 14 15 27 38 44", "tourney event beacon 8a9f21c0"],
)
@click.argument("value", nargs=-1, required=True)
def beacon(session: Session, value: tuple[str, ...]) -> None:
    """Enter the public value that `event new --beacon` named, as it was published, when everybody is registered.

    Every seed has it from then on, so that nobody, the organizer included, could choose the pairings by choosing the
    event's secret. It is entered once, and not taken back after a round was paired with it.
    """
    with session.desk() as desk:
        answer(session, desk.enter_beacon(" ".join(value)))


@cli.command("close", event=True, dry_run=True, examples=["tourney event close"])
def close(session: Session) -> None:
    """End the event; a sealed event's secret is revealed."""
    with session.desk() as desk:
        answer(session, desk.close())


@cli.command("reopen", event=True, dry_run=True, examples=['tourney event reopen --reason "a late appeal"'])
@reason
def reopen(session: Session, reason: str | None) -> None:
    """Take entries again."""
    with session.desk() as desk:
        answer(session, desk.reopen(reason=reason))
