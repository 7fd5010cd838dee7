"""The event as data: CSV for spreadsheets, JSON for programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from operator import attrgetter
from typing import Any

import msgspec
from msgspec import Struct

from tourney.document import plain_value
from tourney.event.view import EventView, FinalView, RoundView, RowView, StandingsView
from tourney.record import PlayerId
from tourney.spreadsheet import format_csv
from tourney.wording import as_of

Files = dict[str, Callable[[], bytes]]
"""Relative path → a function that makes the file's content.

The content is made only when it is needed, so listing the files is cheap.
"""


def csv_files(event: EventView) -> Files:
    """Return `standings.csv`, a `round-N.csv` for each round, and `final.csv` for a bracket.

    The files are UTF-8, with a header line, and with CRLF as in RFC 4180.
    """
    rounds = {f"round-{view.number}.csv": partial(_round_csv, view) for view in event.rounds}
    final = {"final.csv": partial(_final_csv, event, event.final)} if event.final else {}
    return {"standings.csv": partial(_standings_csv, event), **final, **rounds}


Column = tuple[str, Callable[[Any], object]]
"""The heading of a column, and a function that returns the column's cell for a row."""

_PLACE = {"place": "first", "last": "last", "player": "name", "bracket": "bracket", "swiss rank": "swiss"}
_RANK = {"rank": "rank", "player": "name"}
_RECORD = {"points": "points", "record": "record"}
_NOTE = {"note": "note"}
_DIVISION = {
    "division": "division",
    "division place": "division_place",
    "division last": "division_last",
}
"""Columns of the CSV files that rank players: heading → the field that the column shows.

An event without divisions has no columns of `_DIVISION`.
"""


def _final_csv(event: EventView, view: FinalView) -> bytes:
    """Return the final ranking as CSV.

    For players who share places 5 to 8, the column `place` has 5, and the column `last` has 8.
    """
    columns = _columns(_PLACE | _RECORD | _NOTE)
    return _csv(view, [*columns, *_as_of(view.counts + as_of(event.past))])


def _standings_csv(event: EventView) -> bytes:
    view = event.standings
    text = f"{view.heading}{', no lot drawn' if view.no_lot else ''}{as_of(event.past)}"
    columns = [*_columns(_RANK | _RECORD), *tiebreak_columns(view), *_columns(_NOTE)]
    return _csv(view, [*columns, *_as_of(text)])


def _columns(fields: Mapping[str, str]) -> list[Column]:
    return [(heading, attrgetter(field)) for heading, field in fields.items()]


def tiebreak_columns(view: StandingsView) -> list[Column]:
    """Return a column for each tie-break of the standings."""

    def value(place: int, row: RowView) -> str:
        return row.values[place]

    return [(column.code, partial(value, place)) for place, column in enumerate(view.columns)]


def _as_of(text: str) -> list[Column]:
    """Return a column that says which results the standings count.

    Every line repeats this text, so that it is kept if a single line is copied.
    """
    return [("as of", lambda _: text)]


def _csv(view: StandingsView | FinalView, columns: list[Column]) -> bytes:
    """Return a ranking as CSV, with columns for divisions if it has any."""
    columns += _columns(_DIVISION) if view.divided else []
    rows = [[cell(row) for _, cell in columns] for row in view.rows]
    return format_csv([heading for heading, _ in columns], rows, end="\r\n").encode()


def _round_csv(view: RoundView) -> bytes:
    """Return a round as CSV, with a line for each seat and each bye."""
    has_sides = any(seat.side for table in view.tables for seat in table.seats)
    header = ["table", "player", "points before", "score", "result", view.score_name or "victory points"]
    header += ["note", "paired", *(["side"] if has_sides else []), *(["match"] if view.mixed else [])]
    seats = [
        [table.number, seat.name, seat.points, seat.score, table.result, seat.scored, seat.note, view.stale]
        + ([seat.side] if has_sides else [])
        + ([table.label] if view.mixed else [])
        for table in view.tables
        for seat in table.seats
    ]
    empty = [""] * (has_sides + view.mixed)
    byes = [["", bye.name, "", "", bye.kind, "", bye.note, view.stale, *empty] for bye in view.byes]
    return format_csv(header, [*seats, *byes], end="\r\n").encode()


def json_files(event: EventView) -> Files:
    """Return the file `event.json`, the whole view as a document `tourney.event-page/1`."""
    return {"event.json": partial(_event_json, event)}


class _Explanation(Struct):
    player: PlayerId
    why: tuple[str, ...]


class _Chain(Struct, frozen=True):
    chain: tuple[str, ...] = ()


class PublishedPlaces(Struct):
    """The explanations of places in an `event.json` that was published earlier.

    explained: a digest of the values that the explanations depend on, as in `EventView`
    """

    explained: str
    players: tuple[_Explanation, ...]
    verification: _Chain = _Chain()

    @property
    def event(self) -> str:
        """The digest of the event's first entry, which identifies the event; empty if missing."""
        return next(iter(self.verification.chain), "")

    @property
    def why(self) -> dict[PlayerId, tuple[str, ...]]:
        """Player → the lines that explain the player's place."""
        return {row.player: row.why for row in self.players}


def read_places(content: bytes) -> PublishedPlaces | None:
    """Read the explanations of players' places from the content of an `event.json`.

    Returns None for another file, and for an older version of the document.
    """
    try:
        return msgspec.json.decode(content, type=PublishedPlaces)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _event_json(event: EventView) -> bytes:
    return msgspec.json.format(msgspec.json.encode(event, enc_hook=plain_value), indent=1) + b"\n"
