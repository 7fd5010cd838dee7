"""Read lists of players, in any of several forms.

A list can have a name on each line. It can be a table with a header, a workbook, or another program's export.

Every list becomes rows (column → text), and every row becomes a `Registration`. The header of a table says
what its columns are; `player_columns.toml` has the words for that. `player_exports` reads the exports of
other programs.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from pkgutil import get_data
from typing import TypeVar

from tourney.cards.names import fold
from tourney.decode import MAX_FILLED_CELLS, MAX_LISTED_PLAYERS, check_lines, check_text, decode_text
from tourney.desk.player_exports import Row, read_export
from tourney.errors import TourneyError
from tourney.event.players import LONGEST_TAG, Registration
from tourney.record import parse_whole_number
from tourney.spreadsheet import parse_csv, unescape_formula
from tourney.store.workbook import DateCell, is_workbook, read_sheet
from tourney.wording import listed, listed_short

COLUMN_WORDS: Mapping[str, Sequence[str]] = {
    column: [word.strip() for word in words.split(",")]
    for column, words in tomllib.loads(
        (get_data("tourney.desk", "player_columns.toml") or b"").decode()
    ).items()
}
"""Column → the words that headers use for it."""

MEANINGS = (*(column for column in COLUMN_WORDS if column != "skip"), "tag", "skip")
"""What a column can be: `--column "Spieler=name"`.

`tag` keeps it as a tag with the name of its header, `skip` leaves it out.
"""

_SPACERS = re.compile(r"[\s_-]+")


def _folded(header: str) -> str:
    return _SPACERS.sub(" ", fold(header.strip().rstrip(":*?").strip()))


_COLUMNS = {_folded(word): column for column, words in COLUMN_WORDS.items() for word in words}
_OF_A_NAME = frozenset({"name", "first", "last"})
_TAGS = ("club", "team", "family", "division", "nickname")
"""Columns that become tags of this kind, in whatever language their header is."""
_JOINED = ("contact", "email", "phone")
"""Columns that are joined to the contact."""
_SEPARATORS = {"\t": "tabs", ";": "semicolons", ",": "commas"}
_FIRST_LINES = 10
"""The number of lines among which the header must be. Messages name the lines above it."""
_EXAMPLE = (
    "a table begins with its header, `name,rating,club`; "
    "a list has one name a line, `Mira Oake` or `Oake, Mira`"
)

Beside = Callable[[str], bytes | None]
"""A function that reads a file beside the list, by the name in a cell.

It returns None if there is no such file.
"""

_Cells = tuple[int, Sequence[str]]
"""A row of a table, with its row number in a spreadsheet."""

_NumberedRow = tuple[int, Row]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a list.

    header:  its text
    becomes: `name`, `rating` …, `tag club`; empty if the column is left out
    known:   whether the header is a known word; if not, the column becomes a tag with the name of its header
    """

    header: str
    becomes: str
    known: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedDeck:
    """A decklist in a list of players.

    place: its file, or the list's file and line
    fault: why it could not be read; empty if it could
    """

    content: str | bytes
    place: str
    fault: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerList:
    """The players of a list.

    form:     the form that was recognized: `a table with semicolons`, `sheet Anmeldung`, `names`,
        `EventLink's report`
    encoding: the text's encoding, by the name that spreadsheets use; empty for a workbook
    players:  the registrations, in order
    decks:    place in `players` → the decklist
    notes:    remarks on parts that were not read, in sentences
    repeated: names that occur in several rows, with the places of these rows
    """

    source: str
    form: str
    encoding: str = ""
    columns: tuple[Column, ...] = ()
    players: tuple[Registration, ...]
    decks: Mapping[int, ListedDeck]
    notes: tuple[str, ...] = ()
    repeated: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Return warnings about columns that became tags, and names that occur in several rows."""
        return (*self._unknown_columns(), *self._repeated_names())

    def merged(self) -> PlayerList:
        """Return the list with only the last row for each name.

        `repeated` lists all rows of such names.
        """
        rows: dict[str, list[int]] = {}
        for place, player in enumerate(self.players):
            rows.setdefault(fold(player.name), []).append(place)
        if len(rows) == len(self.players):
            return self
        last = sorted(places[-1] for places in rows.values())
        return replace(
            self,
            players=tuple(self.players[place] for place in last),
            decks={new: self.decks[old] for new, old in enumerate(last) if old in self.decks},
            repeated={
                self.players[places[-1]].name: [self.players[place].place for place in places]
                for places in rows.values()
                if len(places) > 1
            },
        )

    def _repeated_names(self) -> Iterator[str]:
        names = [
            f"{name} (rows {listed(place.rpartition(':')[2] for place in places)})"
            for name, places in self.repeated.items()
        ]
        if names:
            yield (
                f"several rows have the name {listed_short(names)}: the last row is used; "
                "if these are different players,"
                " add something that distinguishes them to a name"
            )

    def _unknown_columns(self) -> Iterator[str]:
        unknown = [column.header for column in self.columns if not column.known]
        if not unknown:
            return
        headers = listed(f"`{header}`" for header in unknown)
        columns, are, tags, it = (
            ("column", "is", "a tag", "it") if len(unknown) == 1 else ("columns", "are", "tags", "one")
        )
        yield (
            f"the {columns} {headers} {are} unknown and kept as {tags}"
            f' (`--column "{unknown[0]}=skip"` leaves {it} out)'
        )


class UnclearError(TourneyError):
    """A list can be read in more than one way.

    answers: each answer that the user can choose → the meanings of columns to read the list with (header →
        meaning)
    """

    def __init__(
        self, message: str, hint: str, question: str, answers: Mapping[str, Mapping[str, str]]
    ) -> None:
        super().__init__(message, hint)
        self.question = question
        self.answers = answers


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """How a list is read; see `read_list`.

    given: folded header → the header as typed, and its meaning
    """

    source: str
    given: Mapping[str, tuple[str, str]]
    kinds: Collection[str]
    beside: Beside | None


def read_list(
    content: str | bytes,
    *,
    source: str,
    encoding: str | None = None,
    sheet: str | None = None,
    columns: Mapping[str, str] | None = None,
    kinds: Collection[str] = (),
    beside: Beside | None = None,
) -> PlayerList:
    """Read a list of players: names, a table, a workbook, or another program's export.

    A table has a header with `name`, or with first and last name. Other columns are rating, table, awarded,
    byes, late, contact, deck and more, in several languages. Club, team, family, division and nickname become
    tags. Any other column becomes a tag with the name of its header.

    encoding: the encoding of a text; None: it is detected
    sheet:    the name of a workbook's sheet; None: the first sheet
    columns:  header → one of MEANINGS or `tag KIND`, for columns whose header is unknown or misleading
    kinds:    kinds of tags in the event; a column with such a header becomes this tag, even if the word has
        another meaning
    beside:   reads the decklists that cells name as files

    Raises TourneyError with file and line. Raises UnclearError if the list can be read in more than one way.
    A table without a header is refused, because its rows are not names.
    """
    given = {_folded(header): (header, meaning) for header, meaning in (columns or {}).items()}
    reading = _Reading(source=source, given=given, kinds=kinds, beside=beside)
    if isinstance(content, bytes) and is_workbook(content):
        return _read_workbook(content, sheet, reading)
    check_text(content, source=source)
    if sheet is not None:
        raise TourneyError(f"{source}: only workbooks have sheets", "leave `--sheet` out")
    text, used = (
        decode_text(content, source=source, encoding=encoding)
        if isinstance(content, bytes)
        else (content.removeprefix("\ufeff"), "UTF-8")
    )
    if "\x00" in text:
        raise TourneyError(f"{source}: is not text", "save the list as CSV (UTF-8), or as .xlsx")
    return replace(_read_text(text, reading), encoding=used)


def _read_workbook(content: bytes, name: str | None, reading: _Reading) -> PlayerList:
    sheet = read_sheet(content, source=reading.source, sheet=name)
    rows = [row for row in sheet.rows if not row[1][0].lstrip().startswith("# ")]
    width = max((len(cells) for _, cells in rows), default=0)

    def padded() -> Iterator[_Cells]:  # a generator: one wide row makes all rows wide, which takes memory
        return ((number, [*cells, *[""] * (width - len(cells))]) for number, cells in rows)

    form = f"sheet `{sheet.name}`"
    players = _read_table(padded, form, reading)
    if players is None:
        if any(any(cells[1:]) for _, cells in rows):
            raise _unclear_header(*next(padded()), reading)
        players = _build(form, ((number, {"name": cells[0]}) for number, cells in rows), reading)
    if sheet.others and name is None:
        others = listed(f"`{other}`" for other in sheet.others)
        note = f"these sheets were not read: {others} (`--sheet NAME` reads a sheet)"
        players = replace(players, notes=(*players.notes, note))
    return players


def _read_text(text: str, reading: _Reading) -> PlayerList:
    source = reading.source
    check_lines(text, source=source)
    separators = "\t;,"
    if line := re.match(r"sep=(.)\r?\n", text):  # spreadsheets write this line, and do not show it as a row
        text, separators = text[line.end() :], line[1]
    if not any(map(_counts, text.splitlines())):
        raise TourneyError(
            f"{source}: there are no players in it",
            "write one name on a line, or CSV with a header `name,rating,club`",
        )
    if export := read_export(text, source):
        return _build(export.form, enumerate(export.rows, 1), reading, notes=export.notes)
    tables = {separator: _Table(text, separator, source) for separator in separators}
    for separator, table in tables.items():
        form = f"a table with {_SEPARATORS.get(separator, separator)}"
        if players := _read_table(table.rows, form, reading):
            return players
    _refuse_unknown_header(text, tables.values(), reading)
    return _build("names", _names(text, source), reading)


def _counts(line: str) -> bool:
    """Return whether a line is neither empty nor a comment."""
    return bool(line.strip()) and not line.lstrip().startswith("# ")


def _build(
    form: str,
    rows: Iterable[_NumberedRow],
    reading: _Reading,
    *,
    columns: Sequence[Column] = (),
    notes: Sequence[str] = (),
) -> PlayerList:
    """Make registrations and decks from rows.

    Raises TourneyError if there are no rows, or a cell cannot be read.
    """
    players: list[Registration] = []
    decks = {}
    for number, row in _within_limit(rows, reading.source):
        place = f"{reading.source}:{number}"
        if "deck" in row:
            decks[len(players)] = _deck(row["deck"], place, reading.beside)
        players.append(_registration(row, place))
    if not players:
        raise TourneyError(f"{reading.source}: there are no players in it")
    return PlayerList(
        source=reading.source,
        form=form,
        columns=tuple(columns),
        players=tuple(players),
        decks=decks,
        notes=tuple(notes),
    )


_T = TypeVar("_T")


def _within_limit(rows: Iterable[tuple[int, _T]], source: str) -> Iterator[tuple[int, _T]]:
    """Yield numbered rows. Raises TourneyError at the first row beyond the limit."""
    for count, (number, row) in enumerate(rows):
        if count == MAX_LISTED_PLAYERS:
            raise TourneyError(
                f"{source}:{number}: a list has at most {MAX_LISTED_PLAYERS:,} players",
                "split it into several lists",
            )
        yield number, row


# -- names, one on a line

_QUOTED = re.compile(r'"((?:[^"]|"")*)"')
_SEVERAL_CELLS = "it has several cells, and no line above it is a header"
_TWO_CELLS = "it has two cells, and no line above it is a header"
_OTHER_FORMAT = re.compile(r"[\[{]\s*(?:[\"\[{].*)?|</?\w[^>]*>.*")
_NOT_NAMES = (
    (re.compile(r"[\t;|]|,.*,| {3}"), _SEVERAL_CELLS),
    (re.compile(r",\S|,\s*[\d\"]"), _TWO_CELLS),
    (re.compile(r"\S@\w+\.\w"), "it contains an e-mail address"),
)


def _names(text: str, source: str) -> Iterator[_NumberedRow]:
    for number, line in enumerate(text.splitlines(), 1):
        if not _counts(line):
            continue
        name = line.strip()
        if name.count('"') % 2:
            raise TourneyError(
                f"{source}:{number}: a quotation mark is opened and not closed in this line", _EXAMPLE
            )
        if quoted := _QUOTED.fullmatch(name):
            name = quoted[1].replace('""', '"')
        elif reason := _why_not_a_name(name):
            raise TourneyError(f"{source}:{number}: `{name[:40]}` is not a name: {reason}", _EXAMPLE)
        yield number, {"name": name}


def _why_not_a_name(line: str) -> str:
    """Return why a line is not a name; empty if it may be one.

    The line may be a row of a table, or belong to another file format.
    """
    if _OTHER_FORMAT.fullmatch(line):
        return "the file is not a list of names but has another format"
    return next((reason for pattern, reason in _NOT_NAMES if pattern.search(line)), "")


# -- tables: the header


@dataclass(frozen=True, slots=True)
class _Table:
    """A text read as a table."""

    text: str
    separator: str
    source: str

    def rows(self) -> Iterator[_Cells]:
        """Yield the filled rows. Raises TourneyError for a row that cannot be read."""
        inner_lines = 0  # line ends inside cells of earlier rows, which a spreadsheet does not count as rows
        for line, cells in parse_csv(self.text, delimiter=self.separator, source=self.source):
            number = line - inner_lines
            inner_lines += sum(cell.count("\n") for cell in cells)
            if any(cell.strip() for cell in cells) and not cells[0].lstrip().startswith("# "):
                yield number, cells


def _first(rows: Iterator[_Cells]) -> list[_Cells]:
    """Return the first rows of a table, up to a row that cannot be read."""
    first: list[_Cells] = []
    with suppress(TourneyError):
        first.extend(islice(rows, _FIRST_LINES))
    return first


def _read_table(rows: Callable[[], Iterator[_Cells]], form: str, reading: _Reading) -> PlayerList | None:
    """Read a table; return None if none of its first rows is a header.

    A row above the header is skipped as a title if it fills only one of several cells. Any other row there is
    refused, because it may be a player.
    """
    first = _first(rows())
    place = next((place for place, (_, cells) in enumerate(first) if _is_header(cells, reading)), None)
    if place is None:
        return None
    (number, header), above = first[place], first[:place]
    if any(len(cells) < 2 or sum(bool(cell.strip()) for cell in cells) > 1 for _, cells in above):
        if len(header) < 2:
            return None
        raise TourneyError(
            f"{reading.source}:{above[0][0]}: this line is above the header in line {number}",
            "delete it, or make it a comment: `# Friday`",
        )
    columns = _columns(header, number, reading)
    parsed_rows = _read_rows(islice(rows(), place + 1, None), columns, reading.source)
    columns, parsed_rows = _deck_names_as_tag(columns, parsed_rows, reading)
    return _build(
        "names below their header" if len(header) == 1 else form,
        _without_replaced_rows(parsed_rows),
        reading,
        columns=columns,
        notes=[f"skipped, above the header: `{' '.join(cells).strip()}`" for _, cells in above],
    )


def _is_header(cells: Sequence[str], reading: _Reading) -> bool:
    if any(_folded(cell) in reading.given for cell in cells if cell.strip()):
        return True
    columns = {_meaning(cell) for cell in cells}
    return bool(columns & _OF_A_NAME) or ("nickname" in columns and len(columns - {""}) > 1)


_IN_BRACKETS = re.compile(r"[(\[（][^()\[\]（）]*[)\]）]")


def _meaning(header: str) -> str:
    """Return the column that a header means; empty if it is unknown.

    The header is looked up as a whole, in its parts (`Name / Nom`), and without brackets.
    """
    folded = _folded(header)
    if not folded or folded in _COLUMNS:
        return _COLUMNS.get(folded, "")
    parts = {_COLUMNS.get(_folded(part), "") for part in re.split(r"[/|\n]", header)}
    if len(parts) > 1:  # `First name / Last name`: the column has the whole name
        return "name" if parts <= _OF_A_NAME else ""
    return _COLUMNS.get(_folded(_IN_BRACKETS.sub(" ", header)), "") or parts.pop()


def _columns(header: Sequence[str], number: int, reading: _Reading) -> list[Column]:
    """Return what each column becomes.

    Raises TourneyError if the user named a column that does not exist, or if two columns mean the same.
    """
    place = f"{reading.source}:{number}"
    headers = {_folded(cell) for cell in header}
    missing = [name for folded, (name, _) in reading.given.items() if folded not in headers]
    if missing:
        names = listed(f"`{cell.strip()}`" for cell in header if cell.strip())
        raise TourneyError(f"{place}: there is no column `{missing[0]}`", f"there are {names}")
    columns = [_column(cell.strip(), reading) for cell in header]
    if not any(column.becomes in _OF_A_NAME for column in columns):
        columns = [
            replace(column, becomes="name") if column.becomes == "tag nickname" else column
            for column in columns
        ]
    for becomes, times in Counter(column.becomes for column in columns).items():
        if times > 1 and becomes and becomes not in _JOINED:
            raise _twice(becomes, columns, place, reading.source)
    return columns


def _column(header: str, reading: _Reading) -> Column:
    name = header.rstrip(":*?").strip().lower()
    _, meaning = reading.given.get(_folded(header), ("", ""))
    meaning = meaning or (name if name in reading.kinds else _meaning(header))
    if meaning == "skip" or not name:
        return Column(header, "")
    if meaning in _TAGS:
        return Column(header, f"tag {meaning}")
    if meaning in COLUMN_WORDS or meaning.startswith("tag "):
        return Column(header, meaning)
    return Column(header, f"tag {name}", known=bool(meaning))


def _twice(becomes: str, columns: Sequence[Column], place: str, source: str) -> TourneyError:
    headers = [column.header for column in columns if column.becomes == becomes]
    shown = listed(f"`{header}`" for header in headers)
    message = f"{place}: the columns {shown} mean the same"
    if len(set(map(_folded, headers))) < len(headers):
        return TourneyError(message, "rename one of them, or delete it")
    return UnclearError(
        message,
        f'say what one of them is: `--column "{headers[1]}=skip"`, or `=tag`',
        f"{source}: {shown} both mean the {becomes.removeprefix('tag ')}; which one should be used?",
        {header: {other: "skip" for other in headers if other != header} for header in headers},
    )


def _unclear_header(number: int, cells: Sequence[str], reading: _Reading) -> UnclearError:
    """Return the error that asks which column has the names.

    It is raised if no header is a known word for names.
    """
    place = f"{reading.source}:{number}"
    headers = [cell.strip() for cell in cells if cell.strip()]
    shown = listed(f"`{header}`" for header in headers[:8])
    example = headers[0] if headers else "Player"
    given = dict(reading.given.values())
    return UnclearError(
        f"{place}: it is not clear which column has the players' names: {shown}",
        f'name the column: `--column "{example}=name"`; '
        "if this is not a header, add a header above it: `name,rating,club`",
        f"{place}: which column has the players' names?",
        {header: {**given, header: "name"} for header in headers},
    )


def _refuse_unknown_header(text: str, tables: Iterable[_Table], reading: _Reading) -> None:
    """Raise UnclearError if the first row looks like a header of unknown words.

    That is the case if all rows have the same number of cells, and the first row has neither digits nor empty
    cells.
    """
    first_line = next(filter(_counts, text.splitlines())).strip()
    if _why_not_a_name(first_line) not in {_SEVERAL_CELLS, _TWO_CELLS}:
        return
    starts = [rows for rows in (_first(table.rows()) for table in tables) if len(rows) > 1]
    if not starts:
        return
    rows = max(starts, key=lambda rows: len(rows[0][1]))
    number, cells = rows[0]
    same_width = len({len(cells) for _, cells in rows}) == 1
    if same_width and len(cells) > 1 and all(cell.strip() and not re.search(r"\d|@", cell) for cell in cells):
        raise _unclear_header(number, cells, reading)


# -- tables: the rows


def _read_rows(rows: Iterator[_Cells], columns: Sequence[Column], source: str) -> list[_NumberedRow]:
    parsed_rows: list[_NumberedRow] = []
    cell_count = 0
    for number, cells in _within_limit(rows, source):
        row = _read_row(cells, columns, f"{source}:{number}")
        parsed_rows.append((number, row))
        cell_count += len(row)
        if cell_count > MAX_FILLED_CELLS:
            raise TourneyError(
                f"{source}:{number}: a list has at most {MAX_FILLED_CELLS:,} filled cells",
                "delete the columns that you do not need",
            )
    return parsed_rows


def _read_row(cells: Sequence[str], columns: Sequence[Column], place: str) -> Row:
    row: dict[str, str] = {}
    if any(cell.strip() for cell in cells[len(columns) :]):
        raise TourneyError(f"{place}: {len(cells)} cells, but the header has {len(columns)}")
    for column, cell in zip(columns, cells, strict=False):
        text = unescape_formula(cell.strip()) if cell else ""
        if not text:
            continue
        if not column.header and not text.isdigit():
            raise TourneyError(
                f"{place}: `{text}` is in a column without a header", "add one, such as `club`"
            )
        if isinstance(cell, DateCell) and column.becomes in _OF_A_NAME:
            raise TourneyError(
                f"{place}: `{text}` is a date, not a name",
                "format the column as text, and type the name again",
            )
        if not column.known and len(text) > LONGEST_TAG:
            raise TourneyError(
                f"{place}: {column.header}: a tag has at most {LONGEST_TAG} letters, "
                f"this one has {len(text)}",
                f'leave the column out: `--column "{column.header}=skip"`',
            )
        if key := column.becomes:
            row[key] = f"{row[key]}, {text}" if key in row and key in _JOINED else text
    return row


def _without_replaced_rows(rows: Sequence[_NumberedRow]) -> Iterator[_NumberedRow]:
    """Yield the rows; keep only the name in a row that a later row with the same name replaces.

    Mistakes in the other cells of such a row do not matter.
    """
    names = [fold(_name(row)) for _, row in rows]
    last = {name: place for place, name in enumerate(names)}
    for place, (name, (number, row)) in enumerate(zip(names, rows, strict=True)):
        if name and last[name] != place:
            row = {key: text for key, text in row.items() if key in _OF_A_NAME or key == "tag nickname"}  # noqa: PLW2901
        yield number, row


def _registration(row: Row, place: str) -> Registration:
    contact = [_one_line(row[column]) for column in _JOINED if column in row]
    byes, awarded = row.get("byes", ""), row.get("awarded")
    if byes.isdigit() and awarded is None:  # a number of byes: one in each of the first rounds
        byes, awarded = "", byes
    return Registration(
        name=_name(row),
        rating=_number(row.get("rating"), "rating", place),
        tags={key[4:]: _one_line(text) for key, text in row.items() if key.startswith("tag ")},
        byes=_byes(byes, place),
        awarded=_number(awarded, "awarded", place) or 0,
        table=_number(row.get("table"), "table", place),
        contact=", ".join(contact) or None,
        late=row.get("late"),
        alias=_one_line(row["alias"]) if "alias" in row else None,
        minor=_is_yes(row["minor"], place) if "minor" in row else None,
        place=place,
    )


def _name(row: Row) -> str:
    """Return a player's whole name.

    If there is a column for only one of first and last name, `name` can be the other one, as in
    `Name;Vorname`.
    """
    name, first, last = (row.get(column, "") for column in ("name", "first", "last"))
    if not name:
        return f"{first} {last}".strip() or row.get("tag nickname", "")
    if bool(first) == bool(last) or set(fold(first or last).split()) <= set(fold(name).split()):
        return name
    return f"{first} {name} {last}".strip()


def _one_line(text: str) -> str:
    """Join the lines of a cell: an address over two lines is one contact."""
    lines = [line.strip(" ,") for line in text.splitlines()]
    return ", ".join(filter(None, lines)) if len(lines) > 1 else text


def _number(text: str | None, column: str, place: str) -> int | None:
    if text is None:
        return None
    try:
        return parse_whole_number(text)
    except TourneyError as fault:
        raise TourneyError(f"{place}: {column}: {fault.message}") from None


_BYE = re.compile(r"\s*(\d{1,4})\s*[:= ]\s*([a-z-]+)\s*", re.IGNORECASE)


def _byes(text: str, place: str) -> dict[int, str]:
    byes: dict[int, str] = {}
    for part in filter(str.strip, re.split(r"[,;]|\s+(?=\d)", text)):
        bye = _BYE.fullmatch(part)
        if bye is None:
            raise TourneyError(
                f"{place}: byes: `{part.strip()}` is not a round and a kind",
                "for example `3:half-bye 5:absent`, or `2` for the first two rounds",
            )
        if (number := int(bye[1])) in byes:
            raise TourneyError(
                f"{place}: byes: round {number} occurs twice", "for example `3:half-bye 5:absent`"
            )
        byes[number] = bye[2].lower()
    return byes


_YES = frozenset(["yes", "y", "true", "1", "x", "ja", "j", "oui", "o", "sí", "si", "s", "sim", "tak"])
_NO = frozenset(["no", "n", "false", "0", "nein", "non", "não", "nie", "nee", "-", "–", ""])


def _is_yes(text: str, place: str) -> bool:
    """Return whether a cell says yes.

    Raises TourneyError if it says neither yes nor no: an age is never guessed.
    """
    word = text.strip().casefold()
    if word not in _YES | _NO:
        raise TourneyError(
            f"{place}: `{text}` is neither yes nor no", "`minor` says whether a player is under age"
        )
    return word in _YES


# -- the column of decks: lists, or names of files beside the list

_FILE = re.compile(r"[^\n]{1,200}\.[A-Za-z][A-Za-z0-9]{1,6}")
_LINK = re.compile(r"https?://\S+")


def _deck_names_as_tag(
    columns: list[Column], rows: list[_NumberedRow], reading: _Reading
) -> tuple[list[Column], list[_NumberedRow]]:
    """Make the column of decks a tag if it has the names of decks.

    This is so if no cell is a list, a file or a link.
    """
    deck = next((column for column in columns if column.becomes == "deck"), None)
    if deck is None or _folded(deck.header) in reading.given:
        return columns, rows
    cells = [row["deck"] for _, row in rows if "deck" in row]
    if any("\n" in cell or _FILE.fullmatch(cell) or _LINK.fullmatch(cell) for cell in cells):
        return columns, rows
    tag = f"tag {deck.header.lower()}"
    return (
        [replace(column, becomes=tag) if column is deck else column for column in columns],
        [
            (number, {tag if key == "deck" else key: text for key, text in row.items()})
            for number, row in rows
        ],
    )


def _deck(cell: str, place: str, beside: Beside | None) -> ListedDeck:
    """Return the deck in a cell, or in the file that the cell names.

    `fault` says why there is none.
    """
    if "\n" in cell:
        return ListedDeck(content=cell, place=place)
    if _LINK.fullmatch(cell):
        fault = "a link, not a list; links are not fetched"
    elif not _FILE.fullmatch(cell):
        fault = f"`{cell[:40]}` is neither a decklist nor a file"
    else:
        try:
            content = beside(cell) if beside else None
        except TourneyError as unreadable:
            fault = unreadable.message
        else:
            if content is not None:
                return ListedDeck(content=content, place=cell)
            fault = f"there is no file `{cell}` beside the list"
    return ListedDeck(content="", place=place, fault=fault)
