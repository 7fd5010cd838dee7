"""The event as data: CSV for spreadsheets, JSON for programs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import msgspec

from tourney.document import plain_value
from tourney.event.view import EventView, FinalView, PlaceView, RoundView, RowView
from tourney.record import PlayerId
from tourney.spreadsheet import format_csv
from tourney.wording import as_of

Files = dict[str, Callable[[], bytes]]
"""Files by relative path, each with a function that makes its content.

Listing the files is therefore cheap.
"""


def csv_files(event: EventView) -> Files:
    """Return `standings.csv`, a `round-N.csv` for each round, and `final.csv` for a bracket.

    The files are UTF-8, with a header line, and with CRLF as in RFC 4180.
    """
    rounds = {f"round-{view.number}.csv": partial(_round_csv, view) for view in event.rounds}
    final = {"final.csv": partial(_final_csv, event, event.final)} if event.final else {}
    return {"standings.csv": partial(_standings_csv, event), **final, **rounds}


def _final_csv(event: EventView, view: FinalView) -> bytes:
    """Return the final ranking. `place` and `last` are the first and last of shared places."""
    header = ["place", "last", "player", "bracket", "swiss rank", "points", "record", "note", "as of"]
    divided = view.divided
    header += _DIVISION if divided else []
    rows = [
        [
            row.first,
            row.last,
            row.name,
            row.bracket,
            row.swiss,
            row.points,
            row.record,
            row.note,
            view.counts + as_of(event.past),
            *_division(row, divided=divided),
        ]
        for row in view.rows
    ]
    return format_csv(header, rows, end="\r\n").encode()


_DIVISION = ["division", "division place", "division last"]
"""The last columns, if the event has divisions."""


def _division(row: RowView | PlaceView, *, divided: bool) -> list[str | int | None]:
    return [row.division, row.division_place, row.division_last] if divided else []


def _standings_csv(event: EventView) -> bytes:
    """Return the standings.

    Each line names the counted results, so that it can be copied alone.
    """
    view = event.standings
    divided = view.divided
    results_text = f"{view.heading}{', no lot drawn' if view.no_lot else ''}{as_of(event.past)}"
    header = [
        "rank",
        "player",
        "points",
        "record",
        *(column.code for column in view.columns),
        "note",
        "as of",
        *(_DIVISION if divided else []),
    ]
    rows = [
        [
            row.rank,
            row.name,
            row.points,
            row.record,
            *row.values,
            row.note,
            results_text,
            *_division(row, divided=divided),
        ]
        for row in view.rows
    ]
    return format_csv(header, rows, end="\r\n").encode()


def _round_csv(view: RoundView) -> bytes:
    sided = any(seat.side for table in view.tables for seat in table.seats)
    tables = [
        [table.number, seat.name, seat.points, seat.score, table.result, seat.scored, seat.note, view.stale]
        + ([seat.side] if sided else [])
        + ([table.label] if view.mixed else [])
        for table in view.tables
        for seat in table.seats
    ]
    byes = [
        ["", bye.name, "", "", bye.kind, "", bye.note, view.stale] + [""] * (sided + view.mixed)
        for bye in view.byes
    ]
    points = view.score_name or "victory points"
    header = ["table", "player", "points before", "score", "result", points, "note", "paired"]
    header += ["side"] if sided else []
    header += ["match"] if view.mixed else []
    return format_csv(header, [*tables, *byes], end="\r\n").encode()


def json_files(event: EventView) -> Files:
    """Return `event.json`: the whole view under the schema `tourney.event-page/1`."""
    return {"event.json": partial(_event_json, event)}


class _Explanation(msgspec.Struct):
    player: PlayerId
    why: tuple[str, ...]


class _Chain(msgspec.Struct, frozen=True):
    chain: tuple[str, ...] = ()


class PublishedPlaces(msgspec.Struct):
    """The explanations of places in an earlier `event.json`.

    explained: the fingerprint of the values that the explanations depend on, as in `EventView`
    """

    explained: str
    players: tuple[_Explanation, ...]
    verification: _Chain = _Chain()

    @property
    def event(self) -> str:
        """The digest of the event's first entry; empty if the file does not have it."""
        return next(iter(self.verification.chain), "")

    @property
    def why(self) -> dict[PlayerId, tuple[str, ...]]:
        """The explanations by player."""
        return {row.player: row.why for row in self.players}


def read_places(content: bytes) -> PublishedPlaces | None:
    """Read the explanations in an `event.json`; None for another file or an older version."""
    try:
        return msgspec.json.decode(content, type=PublishedPlaces)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _event_json(event: EventView) -> bytes:
    return msgspec.json.format(msgspec.json.encode(event, enc_hook=plain_value), indent=1) + b"\n"
