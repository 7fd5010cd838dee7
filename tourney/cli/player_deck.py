"""`tourney player deck` and `waive-deck`: registering what is played."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

import click

from tourney.cli.answer import answer, answering, as_json, foretell
from tourney.cli.command import command
from tourney.cli.exits import Exit
from tourney.cli.options import reason, several, who
from tourney.cli.session import Session

if TYPE_CHECKING:
    from tourney.desk import DeckReceipt


@command(
    "deck",
    event=True,
    dry_run=True,
    examples=[
        "tourney player deck Mira decks/mira.txt",
        "tourney player deck Mira - < decks/mira.txt",
        "tourney player deck Mira",
    ],
)
@who
@click.argument("file", type=click.Path(allow_dash=True), required=False)
@click.option("--anyway", is_flag=True, help="Register it even if it is illegal (the organizer's word).")
def deck(session: Session, who: str, file: str | None, anyway: bool) -> Exit | None:
    """Check a decklist under the event's own rules and register it; without a file, print the registered one.

    An illegal list is not registered: the findings are told, and the command leaves with 1. One that cannot be
    settled is registered and leaves with 4.
    """
    if file is None:
        _print(session, who)
        return None
    data = session.read(file)
    with session.desk() as desk:
        receipt = desk.submit_deck(who, data, source="standard input" if file == "-" else file, anyway=anyway)
    with answering(session, receipt) if receipt.entries else nullcontext():
        _tell(session, receipt)
    return {"illegal": None if receipt.entries else Exit.FOUND, "unverified": Exit.UNVERIFIED}.get(
        receipt.verdict
    )


def _print(session: Session, who: str) -> None:
    with session.desk() as desk:
        text = desk.deck_text(who)
        name = desk.state.players[desk.who(who)].name
    if session.json:
        session.emit("player-deck/1", {"player": name, "text": text})
    else:
        session.say(text.rstrip("\n"))


def _tell(session: Session, receipt: DeckReceipt) -> None:
    if session.json:
        session.emit(
            "player-deck-receipt/1",
            {**as_json(session, receipt), "verdict": receipt.verdict, "findings": receipt.findings},
        )
        return
    from tourney.cli.verdict_text import cited, rows

    foretell(session)
    for sentence in receipt.changed:
        session.changed(sentence)
    if receipt.findings:
        for line in (*rows(receipt.findings), *cited(receipt.findings)):
            session.say(line)
    for note in receipt.warnings:
        session.talk(f"note: {note}")
    for sentence in receipt.next:
        session.talk(sentence)


@command("waive-deck", event=True, dry_run=True, examples=["tourney player waive-deck Mira Tomo"])
@several
@reason
def waive(session: Session, who: tuple[str, ...], reason: str | None) -> None:
    """Note that players need not hand in a list."""
    with session.desk() as desk:
        answer(session, desk.waive_deck(*who, reason=reason))
