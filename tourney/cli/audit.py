"""`tourney audit`: deck checks at the table."""

from __future__ import annotations

import click

from tourney.cli.command import noun
from tourney.cli.options import flag, player_argument, round_number
from tourney.cli.output import table_text
from tourney.cli.penalty import round_label
from tourney.cli.session import Session, source_of
from tourney.desk.documents import DrawAnswer, drawn_tables
from tourney.event.decks import DeckCheckRow
from tourney.event.documents import deck_checks_document
from tourney.event.entry import in_brackets
from tourney.wording import counted

cli = noun("audit")


@cli.command("draw", changes=True)
@click.option(
    "--tables",
    metavar="N",
    type=click.IntRange(min=1, max=1000),
    default=1,
    show_default=True,
    help="The number of tables to draw.",
)
def draw(session: Session, tables: int) -> None:
    """Draw tables of the current round at random for deck checks.

    The draw uses the event's seed, so that `verify` can repeat it. Tables with lower numbers are drawn more
    often. A player is not drawn again until all others have been checked. For each drawn table, the command
    names the players whose decks are to be checked. Players without a decklist are skipped, unless no player
    has one. The draw is recorded as an entry, and later results do not change it. The draw is not published.

    Examples:
      tourney audit draw
      tourney audit draw --tables 2
    """
    with session.desk() as desk:
        receipt = desk.draw_audit(tables)
        audit_tables = drawn_tables(desk.state)
    rows = [(row.table, " – ".join(player.player for player in row.players)) for row in audit_tables]
    session.answer(
        receipt, DrawAnswer, addition=table_text(["table", "decks of"], rows, right=(0,)), tables=audit_tables
    )


@cli.command("record", changes=True)
@player_argument
@click.argument("file", type=click.Path(allow_dash=True), required=False)
@click.option("--found", metavar="TEXT", help="What was wrong with the deck. With FILE, a remark.")
def record(session: Session, player_name: str, file: str | None, found: str | None) -> None:
    """Record the result of a deck check: the deck is in order, or what is wrong with it.

    FILE is the list of the deck at the table. It is compared with the registered list, and the difference is
    recorded. Without a file, the deck is recorded as in order, unless --found says what was wrong.

    Examples:
      tourney audit record Lena
      tourney audit record Lena found.txt
      tourney audit record Lena --found "61 cards"
    """
    if file is None:
        with session.desk() as desk:
            session.answer(desk.record_audit(player_name, clean=found is None, problems=found))
        return
    from tourney.desk.auditing import AuditAnswer, compare_audit

    data = session.read(file)
    with session.desk() as desk:
        receipt = compare_audit(desk, player_name, data, source=source_of(file), remark=found)
        session.answer(receipt, AuditAnswer, changed_cards=receipt.changed_cards)


@cli.command("list", event=True)
@round_number
@flag("--open", "only_open", help="Only decks that were drawn and are not checked yet.")
def list_(session: Session, round_number: int | None, only_open: bool) -> None:
    """List the deck checks of this event: decks drawn, decks checked, and what was found.

    Examples:
      tourney audit list
      tourney audit list --round 2
      tourney audit list --json
    """
    with session.desk() as desk:
        document = deck_checks_document(
            desk.state, desk.texts, round_number=round_number, only_open=only_open
        )
    session.emit(document)
    rows = document.audits
    if not rows:
        session.talk("no deck was drawn or checked")
        return
    cells = [
        (
            round_label(row.round),
            row.table,
            row.player,
            "yes" if row.drawn else "",
            _RESULTS[row.clean],
            row.found,
        )
        for row in rows
    ]
    session.table(["when", "table", "player", "drawn", "deck", "found"], cells, right=(1,))
    open_checks = sum(not row.checked for row in rows)
    session.talk(f"{counted(len(rows), 'deck check')}, {open_checks} still to be done")


def check_text(row: DeckCheckRow) -> str:
    """Return a deck check as a line: `round 2 not in order (61 cards)`."""
    return f"{round_label(row.round)} {_RESULTS[row.clean]}{in_brackets(row.found or '')}"


_RESULTS = {None: "to be checked", True: "in order", False: "not in order"}
