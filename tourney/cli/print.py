"""`tourney print`: sheets of the event for printing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from tourney.cli.command import command
from tourney.cli.options import flag, paper, round_number
from tourney.cli.session import Exit, Session
from tourney.desk.printing import Prints
from tourney.desk.publishing import print_sheets
from tourney.errors import TourneyError
from tourney.wording import listed_short

SHEETS = {
    "pairings": "The pairings by last name, for the wall.",
    "tables": "The pairings by table.",
    "slips": "Result slips, eight to a page; cut as one stack, they are in order.",
    "standings": "The standings, or the final places.",
    "seatings": "A table for each player, by last name, for an announcement before a round.",
    "deck-checks": "The decklists that `audit draw` picked; staff only.",
    "decklists": "A decklist form of the format.",
    "badges": "Ten badges to a page.",
    "empty": "To pair a round by hand if the computer fails: instructions, past opponents, empty tables.",
}


def _complete(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(name, help=text) for name, text in SHEETS.items() if name.startswith(incomplete)]


@command(
    "print",
    event=True,
    notes={"Sheets": SHEETS},
)
@click.argument(
    "kinds",
    metavar="SHEET...",
    nargs=-1,
    required=True,
    type=click.Choice([*SHEETS]),
    shell_complete=_complete,
)
@round_number
@paper
@flag("--pdf", help="PDF instead of HTML (`pip install 'tourney[pdf]'`).")
@flag("--held", help="Also print a held round, to lay it out before its release.")
@flag("--named", help="decklists: one form, with the name, for each player without a list.")
@click.option(
    "--to",
    "folder",
    metavar="DIR",
    type=click.Path(),
    default="print",
    show_default=True,
    help="The folder to write into.",
)
def cli(
    session: Session,
    kinds: tuple[str, ...],
    *,
    round_number: int | None,
    held: bool,
    named: bool,
    folder: str,
    **options: Any,
) -> Exit:
    """Write sheets that are ready to print: HTML for the browser's print dialog, or PDF.

    Each sheet is a file, such as `slips-round-3.html`. Printing again replaces the earlier files and touches
    no others. Slips have fields for everything that the game counts. They have a QR code for the table's page
    if the event has an address (`event change --set address=https://…`) or was served (`tourney serve`). For
    personal codes, use `tourney device code --sheet FILE`.

    If there is nothing to print for one of several sheets, the others are written, and the exit code is 1.

    Examples:
      tourney print pairings slips
      tourney print slips --round 2 --paper letter --pdf
      tourney print decklists --named
    """
    if named and "decklists" not in kinds:
        raise click.UsageError("--named works only with the sheet `decklists`")
    with session.desk() as desk:
        held_round = desk.state.round if desk.state.round and desk.state.round.held and not held else None
        room = "" if desk.state.settings.pages.address else _served_at(session, desk.entries[0].digest)
        sheets = print_sheets(
            desk,
            Path(folder),
            kinds,
            round_number=round_number,
            with_held=held,
            with_names=named,
            room=room,
            **options,
        )
    paths = [str(Path(folder) / path) for path in sheets.files]
    with session.answering(f"{folder}: {sheets.text}"):
        for warning in sheets.warnings:
            session.warn(warning)
        session.emit(
            Prints(folder=folder, files=tuple(paths), **sheets.changes._asdict(), missing=sheets.missing)
        )
        session.say_change("\n".join(paths))
        for sheet in sheets.missing:
            session.warn(f"no {sheet.sheet}: {sheet.why}", sheet.hint)
        if sheets.changes.left:
            session.warn(
                f"{folder}: these files were printed before a player was erased, and were changed since: "
                f"{listed_short(sheets.changes.left)}",
                "delete the files that still name the player",
            )
        if held_round is not None and round_number is None and any("-round-" in path for path in paths):
            session.talk(f"{held_round.title} is held back; `--held` prints it")
        if room and "slips" in kinds:
            session.talk(f"the codes on the slips open {room}, the address of the last `tourney serve`")
        if not options["pdf"]:
            session.talk("open the file in a browser and print it without scaling (100 %)")
    return Exit.FOUND if sheets.missing else Exit.DONE


def _served_at(session: Session, first_digest: str) -> str:
    """Return the last address of the event's server; empty if there is none or it is unreadable."""
    try:
        if (devices := session.known_devices(first_digest)) is None:
            return ""
        with devices:
            return devices.address
    except TourneyError:
        return ""
