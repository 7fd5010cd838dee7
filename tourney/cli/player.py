"""`tourney player`: who plays."""

from __future__ import annotations

from typing import Any

import click

from tourney.cli.answer import answer
from tourney.cli.command import noun
from tourney.cli.options import byes, pairs, reason, several, who
from tourney.cli.session import Session
from tourney.door import MOST_DIGITS
from tourney.errors import TourneyError
from tourney.event.words import listed
from tourney.record import whole_from_text

cli = noun(
    "player",
    lazy={
        "list": "tourney.cli.player_show:list_",
        "show": "tourney.cli.player_show:show",
        "deck": "tourney.cli.player_deck:deck",
        "decks": "tourney.cli.player_decks:decks",
        "waive-deck": "tourney.cli.player_deck:waive",
    },
)

_KINDS = "awarded-bye, half-bye or absent"


@cli.command(
    "add",
    event=True,
    dry_run=True,
    examples=[
        'tourney player add "Mira Oake" "Tomo Reed"',
        'tourney player add "Mira Oake" --rating 1800 --tag club=Harbour --bye 3=half-bye',
    ],
)
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@click.option("--rating", type=int, help="Their rating, for a first round by rating.")
@click.option(
    "--tag",
    "tags",
    metavar="KIND=TEXT",
    multiple=True,
    help="A tag such as club=Harbour; see `event new --keep-apart`.",
)
@click.option(
    "--bye", "announced", metavar="ROUND=KIND", multiple=True, help=f"A round without a table: {_KINDS}."
)
@click.option(
    "--awarded",
    type=click.IntRange(min=0),
    default=0,
    help="In how many of the first rounds they have a full-point bye.",
)
@click.option("--table", type=click.IntRange(min=1), help="A fixed table; opponents come to it.")
@click.option("--contact", metavar="TEXT", help="Anything else to keep about the person; never published.")
@click.option(
    "--late",
    type=click.Choice(["absent", "bye", "half-bye"]),
    help="What the rounds a latecomer missed count as.",
)
def add(
    session: Session,
    *,
    names: tuple[str, ...],
    rating: int | None,
    tags: tuple[str, ...],
    announced: tuple[str, ...],
    awarded: int,
    table: int | None,
    contact: str | None,
    late: str | None,
) -> None:
    """Register one player or several; a name of several words stands in quotes."""
    facts: dict[str, Any] = {
        "rating": rating,
        "tags": pairs(tags, "--tag") or None,
        "byes": byes(announced) or None,
        "awarded": awarded,
        "table": table,
        "contact": contact,
        "late": late,
    }
    given = [key for key, value in facts.items() if value]
    if len(names) > 1 and given:
        raise click.UsageError(f"--{given[0].rstrip('s')} is of one player, and {len(names)} are named")
    with session.desk() as desk:
        if len(names) == 1:
            answer(session, desk.add_player(names[0], **facts))
        else:
            answer(session, desk.add_players(names))


@cli.command(
    "import",
    event=True,
    dry_run=True,
    examples=["tourney player import players.csv", "tourney player import - < names.txt"],
)
@click.argument("file", type=click.Path(allow_dash=True))
def import_(session: Session, file: str) -> None:
    """Register all players of a file, in one entry: all or none.

    A name a line, or CSV with a header: name (or first, last), rating, table, awarded, byes, late; any other column
    is a tag of that kind. Names registered already are left out and told.
    """
    text = session.read_text(file)
    with session.desk() as desk:
        answer(session, desk.import_players(text, source="standard input" if file == "-" else file))


@cli.command("rename", event=True, dry_run=True, examples=['tourney player rename "Mira Oak" "Mira Oake"'])
@who
@click.argument("name")
def rename(session: Session, who: str, name: str) -> None:
    """Put a player's name right."""
    with session.desk() as desk:
        answer(session, desk.rename(who, name))


@cli.command(
    "change",
    event=True,
    dry_run=True,
    examples=[
        "tourney player change Mira --bye 3=half-bye",
        "tourney player change '#7' --rating none --tag club=",
    ],
)
@who
@click.option("--rating", metavar="N|none", help="The rating, or none.")
@click.option(
    "--tag",
    "tags",
    metavar="KIND=TEXT",
    multiple=True,
    help="Add or replace a tag; without text, take it away.",
)
@click.option("--bye", "announced", metavar="ROUND=KIND", multiple=True, help=f"{_KINDS}; play to lift it.")
@click.option("--table", metavar="N|none", help="A fixed table, or none.")
@click.option("--contact", metavar="TEXT", help="Anything else to keep about the person; never published.")
def change(
    session: Session,
    *,
    who: str,
    rating: str | None,
    tags: tuple[str, ...],
    announced: tuple[str, ...],
    table: str | None,
    contact: str | None,
) -> None:
    """Change what is known of a player; what is not named stays."""
    facts: dict[str, Any] = {}
    if rating is not None:
        facts["rating"] = _number_or_none(rating, "--rating")
    if table is not None:
        facts["table"] = _number_or_none(table, "--table")
    if contact is not None:
        facts["contact"] = contact
    if tags:
        facts["tags"] = pairs(tags, "--tag")
    if announced:
        facts["byes"] = byes(announced)
    if not facts:
        raise click.UsageError("say what to change: --rating, --tag, --bye, --table or --contact")
    with session.desk() as desk:
        answer(session, desk.change_player(who, **facts))


def _number_or_none(text: str, option: str) -> int | None:
    if text.lower() == "none":
        return None
    try:
        return whole_from_text(text, least=None, digits=MOST_DIGITS)
    except TourneyError:
        raise click.UsageError(f"{option} wants a number or none, not `{text}`") from None


@cli.command(
    "drop",
    event=True,
    dry_run=True,
    examples=["tourney player drop Tomo", 'tourney player drop Tomo Fenn --reason "last bus"'],
)
@several
@reason
def drop(session: Session, who: tuple[str, ...], reason: str | None) -> None:
    """Take players out from the next round on."""
    with session.desk() as desk:
        answer(session, desk.drop(*who, reason=reason))


@cli.command("return", event=True, dry_run=True, examples=["tourney player return Tomo"])
@several
@reason
def return_(session: Session, who: tuple[str, ...], reason: str | None) -> None:
    """Let players who dropped play again from the next round on."""
    with session.desk() as desk:
        answer(session, desk.return_(*who, reason=reason))


@cli.command(
    "disqualify",
    event=True,
    dry_run=True,
    examples=['tourney player disqualify Tomo --reason "marked cards"'],
)
@who
@reason
def disqualify(session: Session, who: str, reason: str | None) -> None:
    """Take a player out of the ranking; those who met them still have."""
    with session.desk() as desk:
        answer(session, desk.disqualify(who, reason=reason))


@cli.command("check-in", event=True, dry_run=True, examples=["tourney player check-in Mira Tomo"])
@several
def check_in(session: Session, who: tuple[str, ...]) -> None:
    """Note that players were seen at the desk."""
    with session.desk() as desk:
        answer(session, desk.check_in(*who))


@cli.command(
    "blank",
    event=True,
    dry_run=True,
    examples=["tourney player blank Tomo", "tourney player blank '#7' --yes"],
)
@who
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
def blank(session: Session, who: str, yes: bool) -> None:
    """Delete a person's name, deck and notes for good; results and standings stay.

    Gone, too, are registrations of theirs that were taken back, what others wrote that names them (reasons, contacts,
    tags, decks with a remark), what they signed, and all of it in .tourney-backups/; nothing more can be written about
    them. This cannot be undone, so it asks. Exports and pages made before keep the texts: delete those.
    """
    with session.desk() as desk:
        player = desk.person(who)
        gone = desk.erasure(player.id)
        also = f" ({listed(f'#{each}' for each in gone.numbers)})" if len(gone.numbers) > 1 else ""
        theirs = f", and the deck of {listed(desk.state.players[each].name for each in gone.decks)}, which names them,"
        question = (
            f"Delete the name, deck and notes of {player.name}{also}{theirs if gone.decks else ''} for good?"
        )
        if not yes and not session.agrees(question):
            raise TourneyError("nothing was deleted")
        answer(session, desk.blank(player.id))
