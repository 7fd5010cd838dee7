"""`tourney round pair`: the next round."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tourney.cli.answer import answering, as_json, foretell, mind
from tourney.cli.command import command
from tourney.cli.round_text import tables_text
from tourney.cli.session import Session

if TYPE_CHECKING:
    from tourney.desk import Receipt
    from tourney.event.views import RoundView


@command(
    "pair",
    event=True,
    dry_run=True,
    examples=[
        "tourney round pair",
        "tourney round pair --dry-run",
        "tourney round pair --by-hand tables.txt",
        "tourney round pair --by-hand - < tables.txt",
    ],
    notes={
        "A line of --by-hand": {
            "Mira - Tomo": "A table; also Mira vs Tomo. Tables without a number take the free ones in order.",
            "4: Mira - Tomo": "Table 4.",
            "Ada bye": "Also half-bye, awarded-bye, absent.",
        }
    },
)
@click.option(
    "--by-hand",
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help="The organizer's own tables, a line each.",
)
def pair(session: Session, by_hand: str | None) -> None:
    """Pair the next round; in the cut, the bracket's next matches."""
    from tourney.desk.pages import round_view

    text = session.read_text(by_hand) if by_hand else None
    with session.desk() as desk:
        receipt = desk.pair_round(by_hand=text, source="standard input" if by_hand == "-" else by_hand or "-")
        if not session.dry_run:
            receipt = desk.with_copy(receipt)
        with answering(session, receipt):
            _tell(session, receipt, round_view(desk))
    if not session.json:
        mind(session, receipt)


def _tell(session: Session, receipt: Receipt, view: RoundView) -> None:
    if session.json:
        session.emit("round-receipt/1", {**as_json(session, receipt), "round": view})
        return
    foretell(session)
    for sentence in receipt.changed:
        session.changed(sentence)
    session.changed(tables_text(view.tables))
