"""`tourney audit`: decks checked at the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from tourney.cli.command import noun
from tourney.cli.options import round_number, who
from tourney.cli.output import table_text
from tourney.cli.penalty import when
from tourney.cli.session import Session, answer, answering, mind, say_changed, source_of
from tourney.event.deck_checks import DeckCheck, deck_checks
from tourney.event.entry import in_brackets, written
from tourney.event.phrases import names_of, seats_text
from tourney.wording import counted

if TYPE_CHECKING:
    from tourney.desk import Desk, Receipt
    from tourney.event.ops import Ref
    from tourney.event.state import State

cli = noun("audit")


@cli.command(
    "draw", event=True, dry_run=True, examples=["tourney audit draw", "tourney audit draw --tables 2"]
)
@click.option(
    "--tables",
    metavar="N",
    type=click.IntRange(min=1, max=1000),
    default=1,
    show_default=True,
    help="How many tables.",
)
def draw(session: Session, tables: int) -> None:
    """Draw which tables of the current round have their decks checked.

    By the event's seed, so that nobody chooses and `verify` can draw again; lower table numbers are drawn more often.
    Nobody twice while somebody else was not checked yet: of a table those are named whose turn it is. Players without a
    decklist are skipped, unless no player has one. The draw is an entry and stands, whatever results change; no page shows it.
    """
    with session.desk() as desk:
        receipt = desk.draw_audit(tables)
        with answering(session, receipt):
            _tell_draw(session, desk, receipt)
    if not session.json:
        mind(session, receipt)


def _tell_draw(session: Session, desk: Desk, receipt: Receipt) -> None:
    state = desk.state
    drawn = state.draws[-1]
    seated = state.rounds[drawn.round - 1].tables
    tables = [
        (number, [player for player in seated[number].seats if player in drawn.players])
        for number in drawn.tables
    ]
    if session.json:
        from tourney.desk.documents import receipt_fields

        shown = [
            {"table": number, "players": [{"id": each, "player": state.players[each].name} for each in due]}
            for number, due in tables
        ]
        session.emit(
            "audit-draw-receipt/1", {**receipt_fields(receipt, dry_run=session.dry_run), "tables": shown}
        )
        return
    say_changed(session, receipt)
    rows = [(number, seats_text(due, names_of(state))) for number, due in tables]
    session.changed(table_text(["table", "decks of"], rows, right=(0,)))


@cli.command(
    "record",
    event=True,
    dry_run=True,
    examples=[
        "tourney audit record Lena",
        "tourney audit record Lena found.txt",
        'tourney audit record Lena --found "61 cards"',
    ],
)
@who
@click.argument("file", type=click.Path(allow_dash=True), required=False)
@click.option("--found", metavar="TEXT", help="What was not in order; with FILE, a remark on it.")
def record(session: Session, who: str, file: str | None, found: str | None) -> None:
    """Note a deck check: in order, or what was found.

    FILE is the list of what was found at the table: it is held against the registered one as a deck, and what differs is
    noted. Without a file the deck was in order, unless --found says what was not.
    """
    if file is None:
        with session.desk() as desk:
            answer(session, desk.record_audit(who, clean=found is None, found=found))
        return
    from tourney.desk.documents import AuditAnswer
    from tourney.desk.registration import compare_audit

    data = session.read(file)
    with session.desk() as desk:
        receipt = compare_audit(desk, who, data, source=source_of(file), found=found)
        answer(session, receipt, AuditAnswer, changed_cards=receipt.changed_cards)


@cli.command(
    "list",
    event=True,
    examples=["tourney audit list", "tourney audit list --round 2", "tourney audit list --json"],
)
@round_number
@click.option("--open", "only_open", is_flag=True, help="Only decks that were drawn and not checked yet.")
def list_(session: Session, round_number: int | None, only_open: bool) -> None:
    """List the deck checks of this event: drawn, done, and what was found."""
    with session.desk() as desk:
        state = desk.state
        rows = [
            check_json(state, each, desk.texts)
            for each in deck_checks(state)
            if round_number in (None, each.round) and not (only_open and each.done)
        ]
    if session.json:
        session.emit("audits/1", {"audits": rows})
        return
    if rows:
        session.table(
            ["when", "table", "player", "drawn", "deck", "found"],
            [
                (
                    when(each["round"]),
                    each["table"] or "",
                    each["player"],
                    "yes" if each["drawn"] else "",
                    _STATES[each["clean"]],
                    each["found"] or "",
                )
                for each in rows
            ],
            right=(1,),
        )
    still = sum(not each["checked"] for each in rows)
    session.talk(
        f"{counted(len(rows), 'deck check')}, {still} still to be done"
        if rows
        else "no deck was drawn or checked"
    )


def check_text(check: DeckCheck, texts: Mapping[Ref, str | None]) -> str:
    """Say a deck check in a line: `round 2 not in order (61 cards)`."""
    found = written(check.done.text, texts) if check.done else ""
    return f"{when(check.round)} {_STATES[check.clean]}{in_brackets(found)}"


_STATES = {None: "to be checked", True: "in order", False: "not in order"}


def check_json(state: State, check: DeckCheck, texts: Mapping[Ref, str | None]) -> dict[str, Any]:
    """Return a deck check as JSON."""
    table = state.rounds[check.round - 1].table_of(check.player) if check.round else None
    return {
        "round": check.round,
        "table": table.number if table else None,
        "id": check.player,
        "player": state.players[check.player].name,
        "drawn": check.drawn,
        "checked": check.done is not None,
        "clean": check.clean,
        "found": (written(check.done.text, texts) or None) if check.done else None,
        "entry": check.done.entry if check.done else None,
    }
