"""`tourney event beacon`, `undo`, `redo`, `cut`, `seed`, `close`, `reopen`: what is done while an event runs."""

from __future__ import annotations

from typing import Any

import click

from tourney.cli.command import command
from tourney.cli.completing import players
from tourney.cli.options import reason
from tourney.cli.publishing import answer_seated
from tourney.cli.session import Session, answer


@command(
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


@command(
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
    answer_seated(session, lambda desk: desk.undo(entry, reason=reason))


@command("redo", event=True, dry_run=True, examples=["tourney event redo", "tourney event redo 57"])
@click.argument("entry", type=click.IntRange(min=1), required=False)
@reason
def redo(session: Session, entry: int | None, reason: str | None) -> None:
    """Take back your own last undo, or the undo of the entry named."""
    answer_seated(session, lambda desk: desk.redo(entry, reason=reason))


@command(
    "cut",
    event=True,
    dry_run=True,
    examples=[
        "tourney event cut 4",
        "tourney event cut 8 --reseed --third-place",
        "tourney event cut 9 --seats 3",
    ],
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
@click.option(
    "--seats", metavar="N", type=click.IntRange(min=2), help="Players at a table; else as the event has it."
)
@click.option(
    "--advance",
    metavar="N",
    type=click.IntRange(min=1),
    help="At tables of three and more, how many go on from each; else as the event has it.",
)
def cut(session: Session, *, size: int, **how: Any) -> None:
    """Make the bracket of the best SIZE of the standings who are still in; `round pair` pairs its rounds.

    At tables of three and more SIZE has to fill the tables of every round: 3, 9, 27 where the winner of three goes on. Seeds
    are dealt like a snake: 1, 2, 3 to tables 1, 2, 3, then 4, 5, 6 to tables 3, 2, 1. A seat that somebody leaves stays
    empty.
    """
    with session.desk() as desk:
        answer(session, desk.cut(size, **how))


@command(
    "seed",
    event=True,
    dry_run=True,
    examples=["tourney event seed Mira Tomo Ansel Bryn", "tourney event seed --from seeds.txt"],
)
@click.argument("who", metavar="PLAYER...", nargs=-1, shell_complete=players)
@click.option(
    "--from", "source", metavar="FILE", help="A player a line, the first seed first; `-`: standard input."
)
def seed(session: Session, who: tuple[str, ...], source: str | None) -> None:
    """Seed a bracket by hand, in an event made with `--set system=elimination --set seeding=hand`.

    Names everybody who plays, the first seed first, until round 1 is paired; named again, the new order holds.
    """
    if bool(who) == (source is not None):
        raise click.UsageError("name the players, or a file of them with --from")
    lines = session.read_text(source).splitlines() if source else who
    with session.desk() as desk:
        answer(session, desk.seed(*(line.strip() for line in lines if line.strip())))


@command("close", event=True, dry_run=True, examples=["tourney event close"])
def close(session: Session) -> None:
    """End the event; a sealed event's secret is revealed."""
    with session.desk() as desk:
        answer(session, desk.close())


@command("reopen", event=True, dry_run=True, examples=['tourney event reopen --reason "a late appeal"'])
@reason
def reopen(session: Session, reason: str | None) -> None:
    """Take entries again."""
    with session.desk() as desk:
        answer(session, desk.reopen(reason=reason))
