"""`tourney deck convert`: one text form into another, with a report of what it could not hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tourney.cli.command import command
from tourney.cli.deck_files import deck_files
from tourney.cli.deck_lists import Reader, deck_number_option, format_option
from tourney.cli.session import Session
from tourney.errors import TourneyError

if TYPE_CHECKING:
    from tourney.decks.decklist import Decklist

# Named here so that help and completion need not import the printers; a test holds the two together.
FORMS = {
    "text": "plain text under headers; the form to read and to mend",
    "toml": "the program's own form: holds everything, nothing to guess",
    "markdown": "a list for a page or a forum",
    "csv": "a table for a spreadsheet",
    "json": "zones with their cards",
    "arena": "Magic Arena",
    "mtgo": "Magic Online, text",
    "dek": "Magic Online, .dek",
    "cod": "Cockatrice, .cod",
    "o8d": "OCTGN, .o8d",
    "mwdeck": "Magic Workstation and Apprentice",
    "tappedout": "`4x Name (SET)`, `SB: 2x Name`",
    "forge": "Forge, .dck",
    "xmage": "XMage, .dck",
    "lackey": "LackeyCCG, tabs",
    "ydk": "passcodes, .ydk",
    "ydke": "passcodes, a ydke:// link",
}


@command(
    "convert",
    notes={"Forms": FORMS},
    examples=[
        "tourney deck convert ada.cod --to text",
        "tourney deck convert ada.txt --to toml > ada.toml",
        "tourney deck convert decks.json --deck 2 --to csv",
    ],
)
@click.argument("file", metavar="FILE|-")
@click.option(
    "--to", "form", required=True, type=click.Choice(list(FORMS)), metavar="FORM", help="The form to write."
)
@format_option
@deck_number_option
@click.option("--lossless", is_flag=True, help="Refuse, and write nothing, if anything would be lost.")
def convert(
    session: Session, *, file: str, form: str, name: str | None, number: int | None, lossless: bool
) -> None:
    """Write a decklist in another form; what that form cannot hold is told on stderr.

    The text is read back, and every difference is told: nothing is lost silently. Lines that could not be read are
    told, too, and are not written.
    """
    from tourney.decks.printing import write

    deck = Reader(session, name).one(deck_files((file,))[0], number).deck
    text, lost = write(deck, form)
    unread = list(_unread(deck))
    if lossless and (lost or unread):
        first, *more = [f"it does not read {words}" for words in unread] + [
            f"it would lose {words}" for words in lost
        ]
        raise TourneyError(f"{deck.source}: as {form} {first}" + (f"; and {len(more)} more" if more else ""))
    if session.json:
        session.emit(
            "deck-convert/1",
            {"file": deck.source, "form": form, "text": text, "lost": lost, "unread": unread},
        )
        return
    session.say(text.removesuffix("\n"))
    if unread:
        session.talk("\nnot read, so not written:")
        for words in unread:
            session.talk(f"  {words}")
    if lost:
        session.talk(f"\nlost in {form}:")
        for words in lost:
            session.talk(f"  {words}")


def _unread(deck: Decklist) -> list[str]:
    """Say which lines are not in the deck."""
    return [
        (f"line {finding.lines[0]}: " if finding.lines else "") + finding.message
        for finding in deck.findings
        if finding.rule in ("count", "line")
    ]
