"""`tourney round show`: a round as it stands, table by table."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import click

from tourney.cli.command import command
from tourney.cli.options import at_entry, round_number
from tourney.cli.output import table_text
from tourney.cli.session import Session
from tourney.errors import TourneyError
from tourney.event.phrases import tables_text as word_list
from tourney.wording import as_of

if TYPE_CHECKING:
    from tourney.event.view import ByeView, RoundView, SeatView


@command(
    "show",
    event=True,
    examples=["tourney round show", "tourney round show 2", "tourney round show --at 57"],
)
@click.argument("number", metavar="[N]", type=click.IntRange(min=1), required=False)
@round_number
@click.option("--all", "everything", is_flag=True, help="Every round.")
@at_entry
def show(
    session: Session, number: int | None, round_number: int | None, everything: bool, at: int | None
) -> None:
    """Show who meets whom, the results so far, and how the pairing is proved."""
    from tourney.desk.shared_decks import doubts
    from tourney.desk.views import round_view

    if number is not None and round_number not in {None, number}:
        raise click.UsageError(f"round {number} or round {round_number}: name one")
    round_number = number if round_number is None else round_number
    with session.look(at) as desk:
        if at is not None and not desk.state.rounds:
            raise TourneyError(
                f"no round was paired yet{as_of(at)}", "`tourney event log` tells which entry paired it"
            )
        numbers = range(1, len(desk.state.rounds) + 1) if everything else [round_number]
        views = [round_view(desk, number) for number in numbers]
        playing = [table for view in views[-1:] if view.playing for table in view.tables]
        seated = [(table.number, tuple(seat.player for seat in table.seats)) for table in playing]
        missing = list(doubts(desk, seated)) if playing else []
        claims = desk.claims() if views and views[-1].number == len(desk.state.rounds) else ()
    if session.json:
        from tourney.cli.result.claims import claim_json

        told: dict[str, Any] = {"rounds": views}
        told |= {"claims": [claim_json(each) for each in claims]} if claims else {}
        session.emit("rounds/1", told | ({} if at is None else {"at": at}))
        return
    as_it_was = "" if at is None else f"As of entry {at}\n\n"
    marks = {each.claim.table: each.mark for each in claims}
    texts = [*map(round_text, views[:-1]), *(round_text(view, marks) for view in views[-1:])]
    session.say(as_it_was + "\n\n".join(texts))
    if claims:
        session.talk("reported by the players: `tourney result claims`")
    for each in missing:
        session.talk(f"note: {each}")


def round_text(view: RoundView, marks: Mapping[int, str] = MappingProxyType({})) -> str:
    """Return a round as the terminal shows it. marks: what stands beside tables without a result, by number."""
    proof = f": {view.proof}" if view.proof else ""
    held = " (held back)" if view.held else ""
    parts = [f"{view.title}{held}{proof}", tables_text(view, marks)]
    parts += [f"{_named(each)}: {each.kind}" for each in view.byes]
    parts += [
        f"table {table.number} has agreed upon its {deck.name.lower()}: {deck.in_a_line}"
        for table in view.tables
        for deck in table.decks
    ]
    parts += [_stale(view)] if view.stale else []
    return "\n".join(part for part in parts if part)


def _stale(view: RoundView) -> str:
    """Say that a round rests on results that do not stand any more, and what can be done about it."""
    if view.repair is None:
        return view.stale
    if not view.repair:
        return f"{view.stale}; `tourney round repair` would change no table"
    tables = "table" if len(view.repair) == 1 else "tables"
    return f"{view.stale}; `tourney round repair` would change {tables} {word_list(view.repair)}"


def tables_text(view: RoundView, marks: Mapping[int, str] = MappingProxyType({})) -> str:
    """Return the tables of a round in columns: number, what match it is in a round of several kinds, seats with points, result."""
    tables, mixed = view.tables, view.mixed
    if not tables:
        return ""
    widest = max((table.seats for table in tables), key=len)
    pointed = any(seat.points for table in tables for seat in table.seats)
    headers = ["table", *(["match"] if mixed else [])]
    for number, seat in enumerate(widest, 1):
        in_order = f"seat {number}" if len(widest) > 2 else "player"  # places are typed in that order
        headers += [seat.side or in_order, *(["points"] if pointed else [])]
    rows = []
    for table in tables:
        row = [str(table.number), *([table.label] if mixed else [])]
        for seat in table.seats:
            row += [_named(seat), *([seat.points] if pointed else [])]
        empty = [""] * (len(headers) - len(row))
        rows.append([*row, *empty, table.in_full or marks.get(table.number, "")])
    right = [0, *(at for at, header in enumerate(headers) if header == "points")]
    return table_text([*headers, "result"], rows, right=right)


def _named(each: SeatView | ByeView) -> str:
    return f"{each.name} ({each.note})" if each.note else each.name
