"""`tourney player check-in`, `rename`, `change`, `drop`, `return`, `disqualify`, `blank`: what is put right of a player, and who leaves."""

from __future__ import annotations

from typing import Any

import click

from tourney.cli.command import command
from tourney.cli.completing import players
from tourney.cli.options import BYE_KINDS, all_or_named, byes, check_all_or_named, pairs, reason, several, who
from tourney.cli.session import Session, answer
from tourney.decode import MOST_DIGITS
from tourney.errors import TourneyError
from tourney.record import whole_from_text
from tourney.wording import listed

# -- tourney player check-in, rename, change: what is known of a player


@command(
    "check-in",
    event=True,
    dry_run=True,
    examples=[
        "tourney player check-in Mira Tomo",
        "tourney player check-in --all",
        "tourney player check-in --all --except Tomo --except Fenn",
    ],
)
@all_or_named("Everybody who has not left.")
def check_in(session: Session, who: tuple[str, ...], everybody: bool, but: tuple[str, ...]) -> None:
    """Note that players were seen at the desk.

    Once anybody is checked in, whoever is not is named before round 1; `player drop --absent` takes them out.
    """
    check_all_or_named(who, everybody, but)
    with session.desk() as desk:
        answer(session, desk.check_in_all(but) if everybody else desk.check_in(*who))


@command("rename", event=True, dry_run=True, examples=['tourney player rename "Mira Oak" "Mira Oake"'])
@who
@click.argument("name")
def rename(session: Session, who: str, name: str) -> None:
    """Put a player's name right."""
    with session.desk() as desk:
        answer(session, desk.rename(who, name))


@command(
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
@click.option(
    "--bye", "announced", metavar="ROUND=KIND", multiple=True, help=f"{BYE_KINDS}; play to lift it."
)
@click.option("--table", metavar="N|none", help="A fixed table, or none.")
@click.option("--contact", metavar="TEXT", help="Anything else to keep about the person; never published.")
@click.option("--alias", metavar="NAME|none", help="What pages call the player instead of the name, or none.")
@click.option("--minor/--no-minor", default=None, help="Under age: pages shorten the name (`Anna S.`).")
def change(
    session: Session,
    *,
    who: str,
    rating: str | None,
    tags: tuple[str, ...],
    announced: tuple[str, ...],
    table: str | None,
    contact: str | None,
    alias: str | None,
    minor: bool | None,
) -> None:
    """Change what is known of a player; what is not named stays."""
    facts: dict[str, Any] = {}
    if rating is not None:
        facts["rating"] = _number_or_none(rating, "--rating")
    if table is not None:
        facts["table"] = _number_or_none(table, "--table")
    if contact is not None:
        facts["contact"] = contact
    if alias is not None:
        facts["alias"] = None if alias.lower() == "none" else alias
    if minor is not None:
        facts["minor"] = minor
    if tags:
        facts["tags"] = pairs(tags, "--tag")
    if announced:
        facts["byes"] = byes(announced)
    if not facts:
        raise click.UsageError(
            "say what to change: --rating, --tag, --bye, --table, --contact, --alias or --minor"
        )
    with session.desk() as desk:
        answer(session, desk.change_player(who, **facts))


def _number_or_none(text: str, option: str) -> int | None:
    if text.lower() == "none":
        return None
    try:
        return whole_from_text(text, least=None, digits=MOST_DIGITS)
    except TourneyError:
        raise click.UsageError(f"{option} takes a number or `none`, not `{text}`") from None


# -- tourney player drop, return, disqualify, blank: whoever leaves


@command(
    "drop",
    event=True,
    dry_run=True,
    examples=[
        "tourney player drop Tomo",
        'tourney player drop Tomo Fenn --reason "last bus"',
        "tourney player drop --absent",
    ],
)
@click.argument("who", metavar="PLAYER...", nargs=-1, shell_complete=players)
@click.option(
    "--absent",
    is_flag=True,
    help="Whoever is not here: before round 1 not checked in, later not seen in the last round.",
)
@reason
def drop(session: Session, who: tuple[str, ...], absent: bool, reason: str | None) -> None:
    """Take players out from the next round on."""
    if bool(who) is absent:
        raise click.UsageError("name players, or say --absent" if not who else "--absent needs no names")
    with session.desk() as desk:
        answer(session, desk.drop_absent(reason=reason) if absent else desk.drop(*who, reason=reason))


@command("return", event=True, dry_run=True, examples=["tourney player return Tomo"])
@several
@reason
def return_(session: Session, who: tuple[str, ...], reason: str | None) -> None:
    """Let players who dropped play again from the next round on."""
    with session.desk() as desk:
        answer(session, desk.return_(*who, reason=reason))


@command(
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


@command(
    "blank",
    event=True,
    dry_run=True,
    examples=["tourney player blank Tomo", "tourney player blank '#7' --yes"],
)
@who
@click.option(
    "--signed",
    multiple=True,
    metavar="NAME",
    help="A name they signed as at the desk, where it is not their whole name; several times for several.",
)
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
def erase(session: Session, who: str, signed: tuple[str, ...], yes: bool) -> None:
    """Delete a person's name, deck and notes for good; results and standings stay.

    Gone, too, are registrations of theirs that were taken back, what others wrote that names them (reasons, contacts,
    tags, decks with a remark), what they signed, and all of it in .tourney-backups/; nothing more can be written about
    them. This cannot be undone, so it asks. Exports and pages made before keep the texts: delete those.
    """
    from tourney.desk.erasing import erasure, person

    with session.desk() as desk:
        player = person(desk, who)
        gone = erasure(desk, player.id, signed)
        also = f" ({listed(f'#{each}' for each in gone.numbers)})" if len(gone.numbers) > 1 else ""
        theirs = f", and the deck of {listed(desk.state.players[each].name for each in gone.decks)}, which names them,"
        question = (
            f"Delete the name, deck and notes of {player.name}{also}{theirs if gone.decks else ''} for good?"
        )
        if not yes and not session.agrees(question):
            raise TourneyError("nothing was deleted")
        answer(session, desk.erase(player.id, signed))
