"""`tourney result add`, `import`, `change`, `missing`: what came of the tables, and which still play."""

from __future__ import annotations

from collections.abc import Callable

import click

from tourney.cli.command import command
from tourney.cli.completing import ends, tables
from tourney.cli.options import F, reason, round_number, table, together
from tourney.cli.session import Session, answer, source_of
from tourney.event.phrases import still_playing

SCORES = {
    "How a score is typed": {
        "2-1  2-1-1": "Games won in seat order; third, the drawn games. 1-0 where one game is the match.",
        "w  l  d": "The first seat won, lost, drew. A draw is also = or 1/2-1/2.",
        "id": "Intentional draw.",
        "ff1  ff2": "That seat did not show. A match lost by a ruling: `tourney penalty add NAME match-loss --apply`.",
        "forfeit1  forfeit2": "That seat forfeits by a judge's ruling, without play; nobody says it did not show.",
        "dl": "Both lose.",
        "red  blue": "That side won, where a game has sides and a match is one game.",
        "1,3,2": "Places in seat order, where three and more sit at a table; 1,1,3 shares the first. --score 9,4,6, too, is in seat order.",
        "--score 34,12": "Alone where the game's score tells who has won; the result is typed, too, where it does not.",
        "lena 2-0": "By somebody at the table, a name or '#7': all of it as that player tells it, their own first, the others in seat order.",
    }
}


def _told(time: str) -> Callable[[F], F]:
    """Add what is told of the result of one table, besides it. time: the help of --time."""
    timed = click.option("--time", is_flag=True, help=time)
    return together(_scores, _ended, timed, round_number, reason)


_scores = click.option(
    "--score",
    "scores",
    metavar="N,N",
    help="Victory points (diamonds …) in seat order, held against what the format says of them.",
)

_ended = click.option(
    "--ended",
    metavar="WORD",
    default="",
    shell_complete=ends,
    help="How the game ended, where not by its score: `time`, `concession`, `ruling`, or a word of the format (`deck`).",
)


@command(
    "add",
    event=True,
    dry_run=True,
    examples=[
        "tourney result add 4 2-1",
        "tourney result add lena 2-0",
        "tourney result add 4..7 2-0",
        "tourney result add 3 = --time",
        "tourney result add 2 1,3,2 --score 9,4,6",
        "tourney result add 3 --score 34,12",
        "tourney result add 3 1-0 --score 20,12 --ended concession",
        "tourney result add < slips.txt",
    ],
    notes=SCORES,
)
@click.argument("table", metavar="[TABLE|PLAYER]", required=False, shell_complete=tables)
@click.argument("score", required=False)
@_told(time="The match ended by time: a score that decides nothing is allowed.")
def add(
    session: Session,
    *,
    table: str | None,
    score: str | None,
    scores: str | None,
    ended: str,
    time: bool,
    round_number: int | None,
    reason: str | None,
) -> None:
    """Enter the result of a table, or of several: 4, 4..7 or 2,4,9. A player's name or '#7' stands for their table.

    Without a table, lines `4 2-1`, `lena 2-0` or `4 --score 34,12` are read from standard input, all or none. The same result again changes
    nothing and is a success; a different one is refused: `tourney result change`.
    """
    if table is not None and score is None and scores is None:
        raise click.UsageError(f"table {table} needs a score: `tourney result add {table} 1-0`")
    if table is None and (scores is not None or ended):
        raise click.UsageError("`--score` and `--ended` are of one table: in a block they stand in its line")
    with session.desk() as desk:
        if table is None:
            lines = session.read_text("-").splitlines()
            receipt = desk.report_block(
                lines, source="standard input", time=time, round_number=round_number, reason=reason
            )
        else:
            receipt = desk.report(
                table,
                score or "",
                scores=scores,
                time=time,
                ended=ended,
                round_number=round_number,
                reason=reason,
            )
        answer(session, receipt)


@command(
    "import",
    event=True,
    dry_run=True,
    examples=["tourney result import slips.txt", "tourney result import - < slips.txt"],
)
@click.argument("file", type=click.Path(allow_dash=True))
@click.option(
    "--time", is_flag=True, help="Time ended the matches that are not finished: such scores are allowed."
)
@round_number
@reason
def import_(session: Session, *, file: str, time: bool, round_number: int | None, reason: str | None) -> None:
    """Enter the results of a file, a line `4 2-1` or `lena 2-0` each, all or none.

    Blank lines and `# comments` are skipped (`#7 2-0` is player 7's result); every line at fault is told.
    """
    lines = session.read_text(file).splitlines()
    with session.desk() as desk:
        receipt = desk.report_block(
            lines, source=source_of(file), time=time, round_number=round_number, reason=reason
        )
        answer(session, receipt)


@command(
    "change",
    event=True,
    dry_run=True,
    examples=[
        'tourney result change 4 1-2 --reason "slip misread"',
        "tourney result change lena 2-0",
        "tourney result change 4 - --round 2",
    ],
    notes=SCORES,
)
@table
@click.argument("score", required=False)
@_told(time="The match ended by time.")
def change(
    session: Session,
    *,
    table: str,
    score: str | None,
    scores: str | None,
    ended: str,
    time: bool,
    round_number: int | None,
    reason: str | None,
) -> None:
    """Put a result right; the score `-` takes it away, so that the table plays on.

    Rounds that were paired from the old result stay as they are; they are named.
    """
    if score is None and scores is None:
        raise click.UsageError(f"table {table} needs a score: `tourney result change {table} 1-0`")
    with session.desk() as desk:
        receipt = desk.change_result(
            table,
            score or "",
            scores=scores,
            time=time,
            ended=ended,
            round_number=round_number,
            reason=reason,
        )
        answer(session, receipt)


# -- tourney result missing: whom the desk is waiting for


@command("missing", event=True, examples=["tourney result missing", "tourney result missing --json"])
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
