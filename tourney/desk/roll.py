"""Lists of players as organizers have them: a name a line, or a table with a header."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from tourney.door import from_csv
from tourney.errors import TourneyError
from tourney.event.decide.players import Registration
from tourney.record import whole_from_text
from tourney.spreadsheet import unguarded

_NAME = frozenset({"name", "player", "full name", "player name"})
_FIRST = frozenset({"first", "first name", "given name", "firstname"})
_LAST = frozenset({"last", "last name", "surname", "family name", "lastname"})
_KNOWN = frozenset(
    {"rating", "elo", "table", "awarded", "byes", "late", "contact", "email", "number", "#", "id"}
)
_BYE = re.compile(r"\s*(\d{1,4})\s*[:= ]\s*([a-z-]+)\s*", re.IGNORECASE)


def read_players(text: str, *, source: str) -> tuple[Registration, ...]:
    """Read a list of players: a name a line, or CSV (comma, semicolon or tab) with a header that has `name`.

    Columns: name (or first and last), rating, table, awarded, byes (`3:half-bye 5:absent`), late, contact; numbers are
    passed over; any other column is a tag of that kind. Raises TourneyError with file and line.
    """
    text = text.removeprefix("\ufeff")
    if not any(_counts(line) for line in text.splitlines()):
        raise TourneyError(
            f"{source}: there is no player in it", "a name a line, or CSV with a header `name,rating,club`"
        )
    for mark in "\t;,":
        columns = _header(text, mark)
        if _NAME & set(columns) or (_FIRST & set(columns) and _LAST & set(columns)):
            return tuple(_rows(text, columns, mark, source))
    return tuple(_name_a_line(text, source))


def _header(text: str, mark: str) -> list[str]:
    """Return the first line's cells as names of columns; none where it cannot be cells."""
    try:
        return [cell.strip().lower() for _, cells in islice(_records(text, mark, ""), 1) for cell in cells]
    except TourneyError:
        return []


def _name_a_line(text: str, source: str) -> Iterator[Registration]:
    for number, line in enumerate(text.splitlines(), 1):
        if not _counts(line):
            continue
        if line.lstrip().startswith('"') and line.count('"') % 2:
            raise TourneyError(
                f"{source}:{number}: a quotation mark is opened and not closed in this line",
                "a name stands on one line; a table needs a header `name,rating,club`",
            )
        yield Registration(name=line.strip(), place=f"{source}:{number}")


def _counts(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("# ")


def _records(text: str, mark: str, source: str) -> Iterator[tuple[int, list[str]]]:
    for number, cells in from_csv(text, delimiter=mark, source=source):
        if _counts(cells[0] if cells else "") or any(cell.strip() for cell in cells[1:]):
            yield number, cells


def _rows(text: str, columns: list[str], mark: str, source: str) -> Iterator[Registration]:
    records = _records(text, mark, source)
    next(records)
    for number, cells in records:
        place = f"{source}:{number}"
        if len(cells) > len(columns):
            raise TourneyError(f"{place}: {len(cells)} columns, the header has {len(columns)}")
        row = {
            column: unguarded(cell.strip())
            for column, cell in zip(columns, cells, strict=False)
            if cell.strip()
        }
        yield _registration(row, place)


def _registration(row: dict[str, str], place: str) -> Registration:
    tags = {key: text for key, text in row.items() if key and key not in _KNOWN | _NAME | _FIRST | _LAST}
    return Registration(
        name=_one(row, _NAME) or f"{_one(row, _FIRST)} {_one(row, _LAST)}".strip(),
        rating=_number(row.get("rating") or row.get("elo"), "rating", place),
        tags=tags,
        byes=_byes(row.get("byes", ""), place),
        awarded=_number(row.get("awarded"), "awarded", place) or 0,
        table=_number(row.get("table"), "table", place),
        contact=row.get("contact") or row.get("email"),
        late=row.get("late"),
        place=place,
    )


def _one(row: dict[str, str], names: frozenset[str]) -> str:
    return next((row[name] for name in names if name in row), "")


def _number(text: str | None, column: str, place: str) -> int | None:
    if text is None:
        return None
    try:
        return whole_from_text(text)
    except TourneyError as fault:
        raise TourneyError(f"{place}: {column}: {fault.message}") from None


def _byes(text: str, place: str) -> dict[int, str]:
    found = {}
    for part in re.split(r"[,;]|\s+(?=\d)", text):
        if not part.strip():
            continue
        said = _BYE.fullmatch(part)
        if said is None:
            raise TourneyError(
                f"{place}: byes: `{part.strip()}` is not a round and a kind", "`3:half-bye 5:absent`"
            )
        found[int(said[1])] = said[2].lower()
    return found
