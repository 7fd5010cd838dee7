"""The answer to a change: a receipt as text or as JSON, with the pages and posts that follow the change.

Once a change is written, the command is a success: if the answer cannot be shown (a full disk, a closed pipe), that is
a warning. An answer that fails after a dry run is an error, as the answer is all there is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from tourney.cli.exits import already_written
from tourney.cli.output import styled, table_text
from tourney.cli.session import Session
from tourney.desk import Desk, Receipt
from tourney.desk.documents import ChangeAnswer, ReceiptDocument, receipt_fields
from tourney.errors import Finding
from tourney.event.field import DAMAGED
from tourney.event.names import also_meant
from tourney.record import PlayerId
from tourney.wording import counted


def answer(
    session: Session, receipt: Receipt, kind: type[ReceiptDocument] = ChangeAnswer, **fields: Any
) -> None:
    """Show what was changed (stdout), and warnings and what comes next (stderr).

    kind: the document for `--json`; fields: its own fields
    """
    with answering(session, receipt):
        if session.json:
            session.emit(kind(**receipt_fields(receipt, dry_run=session.dry_run), **fields))
            return
        show_changes(session, receipt)
    show_next(session, receipt)


def answering(session: Session, done: Receipt | str) -> AbstractContextManager[None]:
    """Return the context in which to show the answer to a written change.

    done: the receipt, or what was done as a sentence, for the warning if the answer fails
    """
    if session.dry_run:
        return nullcontext()
    return already_written(done if isinstance(done, str) else " ".join(done.changed))


def announce_dry_run(session: Session) -> None:
    """Show that a dry run writes nothing; nothing otherwise."""
    if session.dry_run:
        session.talk("dry run, nothing is written; it would be:")


def show_changes(session: Session, receipt: Receipt) -> None:
    """Show what was changed, or what would be in a dry run."""
    announce_dry_run(session)
    for sentence in receipt.changed:
        session.changed(sentence)


def show_next(session: Session, receipt: Receipt) -> None:
    """Show the warnings and what comes next."""
    for warning in receipt.warnings:
        session.warn(warning.removesuffix("."))
        if warning == DAMAGED:
            session.reported_damaged_secret = True
    for sentence in receipt.next:
        session.talk(styled(sentence, dim=True))


def answer_seated(session: Session, change: Callable[[Desk], Receipt]) -> None:
    """Change who sits where, publish the pages that show the old seats again, and answer."""
    with session.desk() as desk:
        before = desk.state
        receipt = change(desk)
        if not session.dry_run:
            receipt = desk.with_new_seats(receipt, before, watch=session.explaining)
        answer(session, receipt)


def published(session: Session, desk: Desk, receipt: Receipt) -> Receipt:
    """Publish and post as the event's settings say; return the receipt with what was done."""
    return desk.with_pages_and_posts(receipt, outbox=session.outbox, watch=session.explaining)


def find_player(session: Session, desk: Desk, text: str) -> PlayerId:
    """Return the player that a word means; warn if it could mean others. Raises TourneyError if none is meant."""
    player = desk.who(text)
    if others := also_meant(desk.state.players, text, player):
        session.warn(others)
    return player


def show_findings(session: Session, findings: Sequence[Finding]) -> None:
    """Write a line for each finding with its place and its rule, then their number."""
    session.say(table_text([], [[_place(finding), finding.message, finding.rule] for finding in findings]))
    session.say(f"\n{counted(len(findings), 'problem')}")


def _place(finding: Finding) -> str:
    if finding.lines:
        return f"line {', '.join(map(str, finding.lines))}"
    return ", ".join(finding.subjects)
