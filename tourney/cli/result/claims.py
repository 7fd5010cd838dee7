"""`tourney result claims` and `round calls`: what players sent from their phones and the desk has not settled yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tourney.cli.command import command
from tourney.cli.session import Session, answer
from tourney.event.results import clock_time
from tourney.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tourney.desk import Receipt
    from tourney.event.claims import OpenClaim, Version


@command(
    "claims",
    event=True,
    dry_run=True,
    examples=["tourney result claims", "tourney result claims --enter", "tourney result claims --json"],
)
@click.option(
    "--enter",
    "entering",
    is_flag=True,
    help="Enter what was reported and nobody answered in time (`claim_minutes`); disputed results never.",
)
def claims(session: Session, entering: bool) -> None:
    """List what players reported from their phones and is not entered: disputed, unanswered, still waiting.

    Every version is told, with the command that enters it; `result add` settles a table whatever was reported. Under
    `--set claim_alone=true` unanswered reports are entered by themselves while the event is served.
    """
    with session.desk() as desk:
        if entering:
            _enter(
                session, desk.state.settings.claim_minutes, desk.enter_unanswered(anyway=True), desk.claims()
            )
            return
        waiting = desk.claims()
    if session.json:
        session.emit("claims/1", {"claims": [claim_json(each) for each in waiting]})
        return
    rows = [
        (
            each.claim.table if first else "",
            each.where if first else "",
            clock_time(each.claim.at) if first else "",
            _said(version, first=first),
            version.command,
        )
        for each in waiting
        for first, version in zip((True, *(False for _ in each.says[1:])), each.says, strict=True)
    ]
    if rows:
        session.table(["table", "state", "since", "reported", "to enter it"], rows, right=(0,))
    desks = [each for each in waiting if each.for_the_desk]
    session.talk(
        f"{counted(len(waiting), 'report')} not entered, {len(desks) or 'none'} of them for the desk"
    )
    overdue = [each for each in desks if each.overdue and each.waiting]
    if overdue:
        session.talk("`tourney result claims --enter` enters what nobody answered")


def _enter(session: Session, minutes: int, receipts: Sequence[Receipt], left: Sequence[OpenClaim]) -> None:
    if not receipts:
        if session.json:
            session.emit("claims/1", {"claims": [claim_json(each) for each in left]})
        session.talk(f"nothing that was reported has waited for an answer for {counted(minutes, 'minute')}")
        return
    answer(session, receipts[-1].together(receipts))


def _said(version: Version, *, first: bool) -> str:
    """Say a version: `Mira: Mira 2–0 Tess`, `Tess disputes it: the third game was mine`."""
    agree = f" (also {', '.join(version.agree)})" if version.agree else ""
    if first:
        return f"{version.name}: {version.text}{agree}"
    own = f": {version.text}" if version.text else " disputes it"
    return f"{version.name}{own}{f' ({version.reason})' if version.reason else ''}"


def claim_json(each: OpenClaim) -> dict[str, Any]:
    """Return a report as JSON."""
    return {
        "entry": each.claim.entry,
        "at": each.claim.at,
        "round": each.round,
        "table": each.claim.table,
        "state": each.standing,
        "for_the_desk": each.for_the_desk,
        "waiting": each.waiting,
        "versions": [
            {
                "id": version.player,
                "player": version.name,
                "result": version.text or None,
                "agree": version.agree,
                "reason": version.reason or None,
                "command": version.command or None,
            }
            for version in each.says
        ],
    }


@command(
    "calls",
    event=True,
    dry_run=True,
    examples=["tourney round calls", "tourney round calls --answered 57"],
)
@click.option(
    "--answered",
    metavar="ENTRY",
    type=click.IntRange(min=1),
    help="A judge has been there: the call of that entry.",
)
def calls(session: Session, answered: int | None) -> None:
    """List which tables call for a judge, or note that one has been there."""
    with session.desk() as desk:
        if answered is not None:
            answer(session, desk.answer_call(answered))
            return
        waiting = desk.calls()
    if session.json:
        shown = [
            {
                "entry": each.call.entry,
                "at": each.call.at,
                "table": each.table,
                "id": each.call.player,
                "player": each.name,
                "about": each.about or None,
            }
            for each in waiting
        ]
        session.emit("calls/1", {"calls": shown})
        return
    rows = [
        (each.call.entry, clock_time(each.call.at), each.table, each.name, each.about) for each in waiting
    ]
    if rows:
        session.table(["entry", "since", "table", "player", "about"], rows, right=(0, 2))
        session.talk(f"`tourney round calls --answered {rows[0][0]}` once a judge has been there")
    else:
        session.talk("nobody calls for a judge")
