"""`tourney event deck`: the lists that several players use, such as a mission deck."""

from __future__ import annotations

from typing import Any

import click
from msgspec import UNSET

from tourney.cli.command import command
from tourney.cli.options import anyway, parts, vouch
from tourney.cli.session import Exit, Session, source_of
from tourney.event.documents import SharedDeck, SharedDecks


@command(
    "deck",
    event=True,
    dry_run=True,
    examples=[
        "tourney event deck missions missions.txt",
        "tourney event deck missions missions.txt --trust-declared",
        "tourney event deck layout layout.txt --table 3",
        "tourney event deck missions",
        "tourney event deck",
    ],
)
@click.argument("part", required=False, shell_complete=parts)
@click.argument("file", type=click.Path(allow_dash=True), required=False)
@click.option(
    "--table", type=int, metavar="N", help="The list that the players at this table agreed on for this round."
)
@vouch
@anyway
def deck(
    session: Session, part: str | None, file: str | None, *, table: int | None, **trust: Any
) -> Exit | None:
    """Check and register a list that all players use, such as the organizer's mission deck.

    The format and the organizer's choices decide which parts of a deck can be shared. Without a file, the
    registered list is printed; without a part, all shared lists, and what is missing. An illegal list is not
    registered, and the command exits with 1. An unverified list is registered, and the command exits with 4.

    With `--table`, it is the list that the players at a table agreed on, such as the layout of a scenario. In
    this round it takes precedence over their own lists.
    """
    if part is None:
        _show_shared(session)
        return None
    if file is None:
        _print_shared(session, part, table)
        return None
    from tourney.cli.player.decks import show_deck
    from tourney.desk.shared_decks import share_deck

    data, source = session.read(file), source_of(file)
    with session.desk() as desk:
        receipt = share_deck(desk, part, data, source=source, table=table, **trust)
    show_deck(session, receipt)
    if receipt.verdict == "illegal":
        return None if receipt.entries else Exit.FOUND
    return Exit.UNVERIFIED if receipt.verdict == "unverified" else None


def _show_shared(session: Session) -> None:
    """Show the shared lists, those that tables agreed on, and what is missing."""
    from tourney.desk.shared_decks import agreements, doubts, views

    with session.desk() as desk:
        shown, round_ = views(desk), desk.state.round
        tables = [(table.number, table.seats) for table in round_.tables.values()] if round_ else []
        missing = list(doubts(desk, tables))
        agreed = agreements(desk)
    session.emit(SharedDecks(decks=shown, missing=tuple(missing), agreed=agreed or UNSET))
    if not shown and not missing and not agreed:
        session.say("No deck is shared in this event")
    rows = [(view.name, view.entered) for view in shown]
    rows += [
        (f"{deck.name} of table {deck.table}", f"{deck.verdict} (entry {deck.entry})") for deck in agreed
    ]
    if rows:
        session.table((), rows)
    for warning in missing:
        session.talk(f"note: {warning}")


def _print_shared(session: Session, name: str, table: int | None) -> None:
    """Print the list that is registered for a part.

    With a table, print the list that its players agreed on.
    """
    from tourney.desk.shared_decks import part_named, text_of

    with session.desk() as desk:
        part = part_named(desk, name)
        text = text_of(desk, part, table)
    session.emit(SharedDeck(part=part.id, name=part.name or part.id, text=text))
    session.say(text.rstrip("\n"))
