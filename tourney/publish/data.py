"""The event as data: CSV for spreadsheets, JSON for programs."""

from __future__ import annotations

from dataclasses import asdict

import msgspec

from tourney.event.view import EventView, RoundView
from tourney.spreadsheet import csv_text


def render_csv(event: EventView) -> dict[str, bytes]:
    """Render `standings.csv` and one `round-N.csv` a round (UTF-8, header line, CRLF as RFC 4180 has it).

    Each line of the standings says in its last column which results it counts: a table that is cut out keeps that.
    """
    view = event.standings
    header = [
        "rank",
        "player",
        "points",
        "record",
        *(column.code for column in view.columns),
        "note",
        "as of",
    ]
    rows = [
        [row.rank, row.name, row.points, row.record, *row.values, row.note, view.heading] for row in view.rows
    ]
    files = {"standings.csv": csv_text(header, rows, end="\r\n").encode()}
    return files | {f"round-{view.number}.csv": _round_csv(view) for view in event.rounds}


def render_json(event: EventView) -> dict[str, bytes]:
    """Render `event.json`: the whole view under the schema `tourney.event-page/1`."""
    body = {"schema": "tourney.event-page/1", **asdict(event)}
    return {"event.json": msgspec.json.format(msgspec.json.encode(body), indent=1) + b"\n"}


def _round_csv(view: RoundView) -> bytes:
    tables = [
        [table.number, seat.name, seat.points, seat.score, table.result, seat.scored, seat.note, view.stale]
        for table in view.tables
        for seat in table.seats
    ]
    byes = [["", bye.name, "", "", bye.kind, "", bye.note, view.stale] for bye in view.byes]
    header = ["table", "player", "points before", "score", "result", "victory points", "note", "paired"]
    return csv_text(header, [*tables, *byes], end="\r\n").encode()
