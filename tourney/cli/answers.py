"""The answer to a change: a receipt as text or as JSON, with the pages and posts that follow the change.

Once a change is written, the command succeeds, even if the answer cannot be shown (a full disk, a closed pipe): it only
warns. After a dry run, the same failure is an error, as the answer is the only result.
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
    """Show what was changed (stdout), and warnings and next steps (stderr).

    kind: the class of the document for `--json`; fields: its fields besides those of every receipt
    """
    with answering(session, receipt):
        if session.json:
            session.emit(kind(**receipt_fields(receipt, dry_run=session.dry_run), **fields))
            return
        show_changes(session, receipt)
    show_next(session, receipt)


def answering(session: Session, done: Receipt | str) -> AbstractContextManager[None]:
    """Return the context in which to show the answer to a written change.

    done: the receipt, or a sentence about what was done; the warning quotes it if the answer fails
    """
    if session.dry_run:
        return nullcontext()
    return already_written(done if isinstance(done, str) else " ".join(done.changed))


def announce_dry_run(session: Session) -> None:
    """In a dry run, show that nothing is written."""
    if session.dry_run:
        session.talk("dry run, nothing is written; it would be:")


def show_changes(session: Session, receipt: Receipt) -> None:
    """Show what was changed, or in a dry run what would be changed."""
    announce_dry_run(session)
    for sentence in receipt.changed:
        session.changed(sentence)


def show_next(session: Session, receipt: Receipt) -> None:
    """Show the warnings and the next steps."""
    for warning in receipt.warnings:
        session.warn(warning.removesuffix("."))
        if warning == DAMAGED:
            session.reported_damaged_secret = True
    for sentence in receipt.next:
        session.talk(styled(sentence, dim=True))


def answer_seated(session: Session, change: Callable[[Desk], Receipt]) -> None:
    """Change the seating, update the published pages that show the old seats, and answer."""
    with session.desk() as desk:
        before = desk.state
        receipt = change(desk)
        if not session.dry_run and desk.state.settings.pages.publish_to:
            from tourney.desk.publishing import with_new_seats

            receipt = with_new_seats(desk, receipt, before, watch=session.explaining)
        answer(session, receipt)


def published(session: Session, desk: Desk, receipt: Receipt) -> Receipt:
    """Publish and post as the event's settings say; add both to the receipt."""
    pages = desk.state.settings.pages
    if not (pages.publish_to or pages.post_to):
        return receipt
    from tourney.desk.publishing import with_pages_and_posts

    return with_pages_and_posts(desk, receipt, outbox=session.outbox, watch=session.explaining)


def find_player(session: Session, desk: Desk, text: str) -> PlayerId:
    """Return the player that a word names; warn if it could name others.

    Raises TourneyError for an unknown player.
    """
    player = desk.who(text)
    if others := also_meant(desk.state.players, text, player):
        session.warn(others)
    return player


def show_findings(session: Session, findings: Sequence[Finding]) -> None:
    """Write a line for each finding with its place and rule, then the number of findings."""
    session.say(table_text([], [[_place(finding), finding.message, finding.rule] for finding in findings]))
    session.say(f"\n{counted(len(findings), 'problem')}")


def _place(finding: Finding) -> str:
    if finding.lines:
        return f"line {', '.join(map(str, finding.lines))}"
    return ", ".join(finding.subjects)
