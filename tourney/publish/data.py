"""The event as data: CSV for spreadsheets, JSON for programs."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import asdict

import msgspec

from tourney.event.views import EventView, RoundView

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def render_csv(event: EventView) -> dict[str, bytes]:
    """Render `standings.csv` and one `round-N.csv` a round (UTF-8, header line, CRLF as RFC 4180 has it)."""
    columns = event.standings.columns
    header = ["rank", "player", "points", "record", *(column.code for column in columns), "note"]
    rows = [
        [row.rank, row.name, row.points, row.record, *row.values, row.note] for row in event.standings.rows
    ]
    files = {"standings.csv": _csv(header, rows)}
    return files | {f"round-{view.number}.csv": _round_csv(view) for view in event.rounds}


def render_json(event: EventView) -> dict[str, bytes]:
    """Render `event.json`: the whole view under the schema `tourney.event-page/1`."""
    body = {"schema": "tourney.event-page/1", **asdict(event)}
    return {"event.json": msgspec.json.format(msgspec.json.encode(body), indent=1) + b"\n"}


def _round_csv(view: RoundView) -> bytes:
    tables = [
        [table.number, seat.name, seat.points, seat.score, table.result]
        for table in view.tables
        for seat in table.seats
    ]
    byes = [["", bye.name, "", "", bye.kind] for bye in view.byes]
    return _csv(["table", "player", "points before", "score", "result"], [*tables, *byes])


class _Lines(list[str]):
    """What `csv.writer` writes to: it only needs `write`."""

    write = list.append


def _csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    lines = _Lines()
    writer = csv.writer(lines)
    writer.writerow(header)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return "".join(lines).encode()


def _cell(value: object) -> object:
    """Keep a spreadsheet from running a name as a formula: such text gets a leading apostrophe."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA_STARTS) else value
