"""The answer to a change: a receipt as text, or as the one JSON object."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from tourney.cli import exits
from tourney.cli.streams import styled

if TYPE_CHECKING:
    from tourney.cli.session import Session
    from tourney.desk import Receipt


def answer(session: Session, receipt: Receipt, **more: Any) -> None:
    """Say what changed (stdout), what to mind and what is next (stderr). `more` joins the JSON object."""
    if session.json:
        with answering(session, receipt):
            session.emit("receipt/1", {**as_json(session, receipt), **more})
        return
    with answering(session, receipt):
        foretell(session)
        for sentence in receipt.changed:
            session.changed(sentence)
    mind(session, receipt)


def answering(session: Session, receipt: Receipt) -> AbstractContextManager[None]:
    """Return the context in which a receipt is told: what is written is a success, whoever can read the answer or not.

    The answer of a dry run is all there is of it, so that one which cannot be read is a failure.
    """
    return nullcontext() if session.dry_run else exits.answering(" ".join(receipt.changed))


def foretell(session: Session) -> None:
    """Say first that a dry run writes nothing."""
    if session.dry_run:
        session.talk("dry run, nothing is written; it would be:")


def mind(session: Session, receipt: Receipt) -> None:
    """Say the warnings and what is next."""
    for warning in receipt.warnings:
        session.warn(warning.removesuffix("."))
    for sentence in receipt.next:
        session.talk(styled(sentence, dim=True))


def as_json(session: Session, receipt: Receipt) -> dict[str, Any]:
    """Return the receipt's JSON object; `entry` and `digest` name the state that the event is now in."""
    return {
        "entries": receipt.entries,
        "already": receipt.already,
        "changed": receipt.changed,
        "next": receipt.next,
        "warnings": receipt.warnings,
        "dry_run": session.dry_run,
        "entry": receipt.state.entry,
        "digest": receipt.state.digest,
    }
