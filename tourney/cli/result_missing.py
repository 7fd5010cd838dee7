"""`tourney result missing`: whom the desk is waiting for."""

from __future__ import annotations

from tourney.cli.command import command
from tourney.cli.session import Session
from tourney.event.words import still_playing


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
