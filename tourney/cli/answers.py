"""The answer to a change of the event: a receipt, with the pages and posts after it.

The receipt is text or JSON. Once a change is written, the command succeeds, even if the answer cannot be
shown (a full disk, a closed pipe): it only warns. After a dry run, the same failure is an error, as the
answer is the only result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from tourney.cli.command import Command, command
from tourney.cli.output import styled, table_text
from tourney.cli.session import Session
from tourney.desk import Desk, Receipt
from tourney.desk.documents import ChangeAnswer, ReceiptDocument, receipt_fields
from tourney.errors import Finding
from tourney.event.field import DAMAGED
from tourney.event.names import also_meant
from tourney.record import PlayerId
from tourney.wording import counted


def change_command(
    name: str, *, seats: bool = False, **extra: Any
) -> Callable[[Callable[..., Receipt]], Command]:
    """Make a command from a function `f(desk, …) -> Receipt` that changes the event.

    seats: whether the change can move players to other seats, so that published pages that show them are
           updated

    The other parameters are those of `command`.
    """

    def make(function: Callable[..., Receipt]) -> Command:
        @wraps(function)
        def run(session: Session, **values: Any) -> None:
            with session.desk() as desk:
                before = desk.state
                receipt = function(desk, **values)
                if seats and not session.dry_run and desk.state.settings.pages.publish_to:
                    from tourney.desk.publishing import with_new_seats

                    receipt = with_new_seats(desk, receipt, before, watch=session.explaining)
                answer(session, receipt)

        return command(name, event=True, dry_run=True, **extra)(run)

    return make


def answer(
    session: Session,
    receipt: Receipt,
    kind: type[ReceiptDocument] = ChangeAnswer,
    also: str = "",
    **fields: Any,
) -> None:
    """Show what was changed (stdout), and warnings and next steps (stderr).

    kind:   the class of the document for `--json`
    also:   a text to show after the changes
    fields: the fields of the document besides those of every receipt
    """
    with session.answering(*receipt.changed):
        if session.json:
            session.emit(kind(**receipt_fields(receipt, dry_run=session.dry_run), **fields))
            return
        show_changes(session, receipt)
        if also:
            session.changed(also)
    show_next(session, receipt)


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
