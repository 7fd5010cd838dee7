"""A round as text: its tables, who has none, and how it is proved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tourney.cli.columns import table_text
from tourney.event.words import tables_text as word_list

if TYPE_CHECKING:
    from tourney.event.views import ByeView, RoundView, SeatView, TableView


def round_text(view: RoundView) -> str:
    """Return a round as the terminal shows it."""
    proof = f": {view.proof}" if view.proof else ""
    parts = [f"{view.title}{proof}", tables_text(view.tables)]
    parts += [f"{_named(each)}: {each.kind}" for each in view.byes]
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


def tables_text(tables: Sequence[TableView]) -> str:
    """Return tables in columns: number, each seat with its points, the result."""
    if not tables:
        return ""
    seats = max(len(table.seats) for table in tables)
    pointed = any(seat.points for table in tables for seat in table.seats)
    columns = ["player", "points"] if pointed else ["player"]
    headers = ["table", *columns * seats, "result"]
    rows = [
        [str(table.number), *_cells(table.seats, seats, pointed=pointed), table.result] for table in tables
    ]
    right = [0, *(range(2, len(headers) - 1, 2) if pointed else ())]
    return table_text(headers, rows, right=right)


def _cells(seats: Sequence[SeatView], wanted: int, *, pointed: bool) -> list[str]:
    cells = [cell for seat in seats for cell in ((_named(seat), seat.points) if pointed else (_named(seat),))]
    return cells + [""] * (wanted * (2 if pointed else 1) - len(cells))


def _named(each: SeatView | ByeView) -> str:
    return f"{each.name} ({each.note})" if each.note else each.name
