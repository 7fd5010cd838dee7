"""`tourney result`: what came of the tables."""

from __future__ import annotations

import click

from tourney.cli.command import noun
from tourney.cli.options import reason, round_number, tables
from tourney.cli.session import Session, answer
from tourney.event.phrases import still_playing

cli = noun("result")


SCORES = {
    "How a score is typed": {
        "2-1  2-1-1": "Games won in seat order; third, the drawn games. 1-0 where one game is the match.",
        "w  l  d": "The first seat won, lost, drew. A draw is also = or 1/2-1/2.",
        "id": "Intentional draw.",
        "ff1  ff2": "That seat did not show.",
        "dl": "Both lose.",
        "1,3,2": "Places in seat order, where three and more sit at a table; 1,1,3 shares the first.",
    }
}


@cli.command(
    "add",
    event=True,
    dry_run=True,
    examples=[
        "tourney result add 4 2-1",
        "tourney result add 4..7 2-0",
        "tourney result add 3 = --time",
        "tourney result add 2 1,3,2 --score 9,4,6",
        "tourney result add < slips.txt",
    ],
    notes=SCORES,
)
@click.argument("table", required=False, shell_complete=tables)
@click.argument("score", required=False)
@click.option("--score", "scores", metavar="N,N", help="Victory points (diamonds …) in seat order.")
@click.option(
    "--time", is_flag=True, help="The match ended by time: a score that decides nothing is allowed."
)
@round_number
def add(
    session: Session,
    *,
    table: str | None,
    score: str | None,
    scores: str | None,
    time: bool,
    round_number: int | None,
) -> None:
    """Enter the result of a table, or of several: 4, 4..7 or 2,4,9.

    Without a table, lines `4 2-1` are read from standard input, all or none. The same result again changes nothing and
    is a success; a different one is refused: `tourney result change`.
    """
    if (table is None) != (score is None):
        raise click.UsageError(f"table {table} needs a score: `tourney result add {table} 1-0`")
    with session.desk() as desk:
        if table is None or score is None:
            lines = session.read_text("-").splitlines()
            answer(session, desk.report_block(lines, source="standard input", time=time))
        else:
            answer(session, desk.report(table, score, scores=scores, time=time, round_number=round_number))


@cli.command(
    "import",
    event=True,
    dry_run=True,
    examples=["tourney result import slips.txt", "tourney result import - < slips.txt"],
)
@click.argument("file", type=click.Path(allow_dash=True))
@click.option(
    "--time", is_flag=True, help="Time ended the matches that are not finished: such scores are allowed."
)
def import_(session: Session, file: str, time: bool) -> None:
    """Enter the results of a file, a line `4 2-1` each, all or none.

    Blank lines and `#` comments are skipped; every line at fault is told.
    """
    lines = session.read_text(file).splitlines()
    with session.desk() as desk:
        answer(session, desk.report_block(lines, source="standard input" if file == "-" else file, time=time))


@cli.command(
    "change",
    event=True,
    dry_run=True,
    examples=[
        'tourney result change 4 1-2 --reason "slip misread"',
        "tourney result change 4 - --round 2",
    ],
    notes=SCORES,
)
@click.argument("table", type=click.IntRange(min=1))
@click.argument("score")
@click.option("--score", "scores", metavar="N,N", help="Victory points (diamonds …) in seat order.")
@click.option("--time", is_flag=True, help="The match ended by time.")
@round_number
@reason
def change(
    session: Session,
    *,
    table: int,
    score: str,
    scores: str | None,
    time: bool,
    round_number: int | None,
    reason: str | None,
) -> None:
    """Put a result right; the score `-` takes it away, so that the table plays on.

    Rounds that were paired from the old result stay as they are; they are named.
    """
    with session.desk() as desk:
        receipt = desk.change_result(
            table, score, scores=scores, time=time, round_number=round_number, reason=reason
        )
        answer(session, receipt)


# -- tourney result missing: whom the desk is waiting for


@cli.command("missing", event=True, examples=["tourney result missing", "tourney result missing --json"])
def missing(session: Session) -> None:
    """List the tables of the current round that are still playing."""
    with session.desk() as desk:
        state = desk.state
    current = state.round
    playing = [current.tables[number] for number in current.playing] if current else []
    waiting = [(table.number, [state.players[player].name for player in table.seats]) for table in playing]
    if session.json:
        tables = [{"table": number, "players": names} for number, names in waiting]
        session.emit("missing/1", {"round": current.number if current else None, "tables": tables})
        return
    if waiting:
        session.table(
            ["table", "players"], [(number, " – ".join(names)) for number, names in waiting], right=(0,)
        )
    if current is None:
        session.talk("no round is paired yet: `tourney round pair`")
    else:
        session.talk(f"{current.title}: {still_playing(current) if waiting else 'all tables are in.'}")
