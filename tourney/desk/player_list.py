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
from functools import partial
from itertools import islice
from pkgutil import get_data
from typing import Any

from msgspec import Struct, field, structs
from msgspec.structs import replace

from tourney.cards.names import fold
from tourney.decode import MAX_FILLED_CELLS, MAX_LISTED_PLAYERS, check_lines, check_text, decode_text
from tourney.desk.documents import ListColumn, ListSummary
from tourney.desk.player_exports import Row, read_export
from tourney.errors import TourneyError
from tourney.event.kind import at_place
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
"""The meanings that a column can have, as in `--column "Spieler=name"`.

With `tag`, the column becomes a tag with the name of its header. With `skip`, it is left out.
"""

_SPACERS = re.compile(r"[\s_-]+")


def _fold_header(header: str) -> str:
    return _SPACERS.sub(" ", fold(header.strip().rstrip(":*?").strip()))


_COLUMNS = {_fold_header(word): column for column, words in COLUMN_WORDS.items() for word in words}
_NAME_COLUMNS = frozenset({"name", "first", "last"})
_TAGS = ("club", "team", "family", "division", "nickname")
"""The kinds of tags that a column can become, even if its header is in another language."""
_CONTACT_COLUMNS = ("contact", "email", "phone")
"""Columns whose text is added to the contact."""
_SEPARATORS = {"\t": "tabs", ";": "semicolons", ",": "commas"}
_FIRST_LINES = 10
"""How many lines, from the first, are searched for the header of a table."""

ReadFile = Callable[[str], bytes | None]
"""A function that reads a file beside the list, by the name in a cell.

It returns None if there is no such file.
"""

_Cells = tuple[int, Sequence[str]]
"""A row of a table, with its row number in a spreadsheet."""


class ListedDeck(Struct, frozen=True, kw_only=True):
    """A decklist in a list of players.

    place: its file, or the list's file and line
    fault: why it could not be read; empty if it could
    """

    content: str | bytes
    place: str
    fault: str = ""


class PlayerList(Struct, frozen=True, kw_only=True):
    """The players of a list.

    form:           the form that was recognized: `a table with semicolons`, `sheet Anmeldung`, `names`,
                    `EventLink's report`
    encoding:       the text's encoding, by the name that spreadsheets use; empty for a workbook
    players:        the registrations, in order; of several rows with one name, only the last
    decks:          index in `players` → the decklist of that player
    notes:          remarks on parts that were not read, in sentences
    repeated_names: names that occur in several rows, with the numbers of these rows
    """

    source: str
    form: str
    encoding: str = ""
    columns: tuple[ListColumn, ...] = ()
    players: tuple[Registration, ...]
    decks: Mapping[int, ListedDeck]
    notes: tuple[str, ...] = ()
    repeated_names: Mapping[str, Sequence[int]] = field(default_factory=dict)

    @property
    def summary(self) -> ListSummary:
        """How the list of players was read, in the form that `--json` prints."""
        return ListSummary(
            form=self.form,
            encoding=self.encoding or None,
            columns=self.columns,
            notes=self.notes,
            players=len(self.players),
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about columns that became tags, and names that occur in several rows."""
        warnings = []
        if unknown_headers := [column.header for column in self.columns if not column.known]:
            headers = listed(f"`{header}`" for header in unknown_headers)
            warnings.append(
                f"unknown columns are kept as tags: {headers}"
                f' (to leave one out: `--column "{unknown_headers[0]}=skip"`)'
            )
        if names := [f"{name} (rows {listed(numbers)})" for name, numbers in self.repeated_names.items()]:
            warnings.append(
                f"several rows have the name {listed_short(names)}: the last row is used; "
                "if these are different players, give each of them a different name in the list"
            )
        return tuple(warnings)


class UnclearError(TourneyError):
    """A list can be read in more than one way.

    answers: each header that the user can choose → what to add to the argument `columns`, to call `read_list`
        again
    """

    def __init__(self, message: str, hint: str, answers: Mapping[str, Mapping[str, str]]) -> None:
        super().__init__(message, hint)
        self.answers = answers


def read_list(
    content: str | bytes,
    *,
    source: str,
    encoding: str | None = None,
    sheet: str | None = None,
    columns: Mapping[str, str] | None = None,
    kinds: Collection[str] = (),
    read_file: ReadFile | None = None,
) -> PlayerList:
    """Read a list of players: names, a table, a workbook, or another program's export.

    A table has a header with `name`, or with first and last name. Other headers are `rating`, `table`,
    `awarded`, `byes`, `late`, `contact`, `deck` and more, in several languages. Club, team, family, division
    and nickname become tags. Any other column becomes a tag with the name of its header. If several rows have
    the same name, the last one is used, and mistakes in the others do not matter.

    encoding:  the encoding of a text; None: it is detected
    sheet:     the name of a workbook's sheet; None: the first sheet
    columns:   header → one of MEANINGS or `tag KIND`, for columns whose header is unknown or misleading
    kinds:     kinds of tags in the event; a column with such a header becomes this tag, even if the word has
               another meaning
    read_file: a function that takes a file name from a cell, and returns that decklist's content

    Raises a TourneyError that names file and line if the list cannot be read. Raises UnclearError if the list
    can be read in more than one way. A table without a header is refused, because its rows are not names.
    """
    user_meanings = {_fold_header(header): (header, meaning) for header, meaning in (columns or {}).items()}
    reader = _ListReader(source=source, user_meanings=user_meanings, kinds=kinds, read_file=read_file)
    if isinstance(content, bytes) and is_workbook(content):
        return reader.read_workbook(content, sheet)
    check_text(content, source=source)
    if sheet is not None:
        raise TourneyError(f"{source}: only spreadsheet workbooks have sheets", "leave `--sheet` out")
    text, used_encoding = (
        decode_text(content, source=source, encoding=encoding)
        if isinstance(content, bytes)
        else (content.removeprefix("\ufeff"), "UTF-8")
    )
    if "\x00" in text:
        raise TourneyError(f"{source} is not text", "save the list as CSV (UTF-8), or as .xlsx")
    check_lines(text, source=source)
    return replace(reader.read_text(text), encoding=used_encoding)


class _ListReader(Struct, frozen=True, kw_only=True):
    """Reads a list of players; see `read_list`.

    user_meanings: normalized header (`_fold_header`) → the header as the user entered it, and its meaning;
                   made from the argument `columns` of `read_list`
    """

    source: str
    user_meanings: Mapping[str, tuple[str, str]]
    kinds: Collection[str]
    read_file: ReadFile | None

    # -- the forms of lists

    def read_workbook(self, content: bytes, name: str | None) -> PlayerList:
        """Return the players in a sheet of a workbook.

        name: the name of the sheet; None: the first visible sheet that is not empty
        """
        sheet = read_sheet(content, source=self.source, sheet=name)
        rows = [row for row in sheet.rows if not _is_comment(row[1][0])]
        width = max((len(cells) for _, cells in rows), default=0)

        # A generator: one wide row makes all rows wide, which takes memory.
        def pad_rows() -> Iterator[_Cells]:
            return ((number, [*cells, *[""] * (width - len(cells))]) for number, cells in rows)

        form = f"sheet `{sheet.name}`"
        players = self.read_table(pad_rows, form)
        if players is None:
            if any(any(cells[1:]) for _, cells in rows):
                raise self.unclear_header(*next(pad_rows()))
            players = self.build(form, ((number, {"name": cells[0]}) for number, cells in rows))
        if sheet.others and name is None:
            other_sheets = listed(f"`{other}`" for other in sheet.others)
            note = f"these sheets were not read: {other_sheets} (`--sheet NAME` reads a sheet)"
            players = replace(players, notes=(*players.notes, note))
        return players

    def read_text(self, text: str) -> PlayerList:
        """Return the players in a text: another program's export, a table, or one name on each line."""
        separators = "\t;,"
        if line := re.match(r"sep=(.)\r?\n", text):  # spreadsheets write it, and do not show it as a row
            text, separators = text[line.end() :], line[1]
        lines = [
            (number, line.strip())
            for number, line in enumerate(text.splitlines(), 1)
            if line.strip() and not _is_comment(line)
        ]
        if export := read_export(text, self.source):
            return self.build(export.form, enumerate(export.rows, 1), notes=export.notes)
        tables = {separator: partial(_table_rows, text, separator, self.source) for separator in separators}
        for separator, rows in tables.items():
            form = f"a table with {_SEPARATORS.get(separator, separator)}"
            if players := self.read_table(rows, form):
                return players
        if lines and _why_not_a_name(lines[0][1]) == _SEVERAL_CELLS:
            self.refuse_unknown_header(tables.values())
        return self.build("names", self.read_names(lines))

    def read_names(self, lines: Sequence[tuple[int, str]]) -> Iterator[tuple[int, Row]]:
        """Yield the name on each line."""
        for number, line in lines:
            quoted_name, reason = _QUOTED_NAME.fullmatch(line), _why_not_a_name(line)
            if line.count('"') % 2:
                reason = "a quotation mark is opened and not closed in this line"
            elif quoted_name:
                reason = ""
            if reason:
                raise TourneyError(
                    f"{self.source}:{number}: `{line[:40]}` is not a name: {reason}",
                    "a table begins with its header, `name,rating,club`; "
                    "a list has one name on each line, `Mira Oake` or `Oake, Mira`",
                )
            yield number, {"name": quoted_name[1].replace('""', '"') if quoted_name else line}

    def build(
        self,
        form: str,
        rows: Iterable[tuple[int, Row]],
        *,
        columns: Sequence[ListColumn] = (),
        notes: Iterable[str] = (),
    ) -> PlayerList:
        """Return the list of players that the rows contain, with their registrations and decks.

        Raises TourneyError if there are no rows or too many, or if a cell cannot be read.
        """
        by_name: dict[str | int, list[tuple[int, Row]]] = {}
        cells = 0
        for count, (number, row) in enumerate(rows, 1):
            cells += len(row)
            if count > MAX_LISTED_PLAYERS or cells > MAX_FILLED_CELLS:
                raise TourneyError(
                    f"{self.source}:{number}: a list has at most {MAX_LISTED_PLAYERS:,} players"
                    f" and {MAX_FILLED_CELLS:,} filled cells",
                    "split it into several lists, or delete the columns that you do not need",
                )
            by_name.setdefault(fold(_full_name(row)) or number, []).append((number, row))
        if not by_name:
            raise TourneyError(
                f"{self.source} has no players",
                "write one name on each line, or CSV with a header `name,rating,club`",
            )
        last_rows = dict(sorted(group[-1] for group in by_name.values()))
        columns = self.without_names_of_decks(
            columns, [row for group in by_name.values() for _, row in group]
        )
        players: list[Registration] = []
        decks = {}
        for number, row in last_rows.items():
            place = f"{self.source}:{number}"
            if "deck" in row:
                decks[len(players)] = self.deck(row["deck"], place)
            with at_place(place):
                players.append(_registration(row, place))
        return PlayerList(
            source=self.source,
            form=form,
            columns=tuple(columns),
            players=tuple(players),
            decks=decks,
            notes=tuple(notes),
            repeated_names={
                _full_name(group[-1][1]): [number for number, _ in group]
                for group in by_name.values()
                if len(group) > 1
            },
        )

    # -- tables

    def read_table(self, rows: Callable[[], Iterator[_Cells]], form: str) -> PlayerList | None:
        """Read a table; return None if none of its first rows is a header.

        A row above the header is skipped as a title if it fills only one of several cells. Any other row
        above the header is refused, because it may be a player.
        """
        first_rows = _first_rows(rows())
        place = next((place for place, (_, cells) in enumerate(first_rows) if self.is_header(cells)), None)
        if place is None:
            return None
        (number, header), rows_above = first_rows[place], first_rows[:place]
        if any(len(cells) < 2 or sum(bool(cell.strip()) for cell in cells) > 1 for _, cells in rows_above):
            if len(header) < 2:
                return None
            raise TourneyError(
                f"{self.source}:{rows_above[0][0]}: this line is above the header in line {number}",
                "delete the line, or make it a comment: `# Friday`",
            )
        columns = self.columns(header, number)
        return self.build(
            "names below their header" if len(header) == 1 else form,
            self.read_rows(islice(rows(), place + 1, None), columns),
            columns=columns,
            notes=[f"skipped, above the header: `{' '.join(cells).strip()}`" for _, cells in rows_above],
        )

    def is_header(self, cells: Sequence[str]) -> bool:
        """Return whether cells are the header of a table: whether one is a word such as `name`."""
        if any(_fold_header(cell) in self.user_meanings for cell in cells if cell.strip()):
            return True
        columns = {_meaning(cell) for cell in cells}
        return bool(columns & _NAME_COLUMNS) or ("nickname" in columns and len(columns - {""}) > 1)

    def columns(self, header: Sequence[str], number: int) -> list[ListColumn]:
        """Return each column of a list with its meaning.

        Raises TourneyError if the user named a column that does not exist, or if two columns mean the same.
        """
        place = f"{self.source}:{number}"
        headers = {_fold_header(cell) for cell in header}
        missing = [name for key, (name, _) in self.user_meanings.items() if key not in headers]
        if missing:
            names = listed(f"`{cell.strip()}`" for cell in header if cell.strip())
            raise TourneyError(f"{place}: there is no column `{missing[0]}`", f"the columns are {names}")
        columns = [self.column(cell.strip()) for cell in header]
        if not any(column.becomes in _NAME_COLUMNS for column in columns):
            columns = [
                structs.replace(column, becomes="name") if column.becomes == "tag nickname" else column
                for column in columns
            ]
        for becomes, times in Counter(column.becomes for column in columns).items():
            if times > 1 and becomes and becomes not in _CONTACT_COLUMNS:
                raise self.unclear_columns(becomes, columns, place)
        return columns

    def column(self, header: str) -> ListColumn:
        """Return how the column below a header is read.

        `becomes` is what its cells give for a player: a fact (`rating`) or a tag (`tag club`); empty if the
        column is skipped. A column with an unknown header gives a tag of that name.
        """
        name = header.rstrip(":*?").strip().lower()
        _, meaning = self.user_meanings.get(_fold_header(header), ("", ""))
        meaning = meaning or (name if name in self.kinds else _meaning(header))
        if meaning == "skip" or not name:
            return ListColumn(header, "", known=True)
        if meaning in _TAGS:
            return ListColumn(header, f"tag {meaning}", known=True)
        if meaning in COLUMN_WORDS or meaning.startswith("tag "):
            return ListColumn(header, meaning, known=True)
        return ListColumn(header, f"tag {name}", known=bool(meaning))

    def unclear_columns(self, becomes: str, columns: Sequence[ListColumn], place: str) -> TourneyError:
        """Return the error that asks which of the columns with the same meaning should be used."""
        headers = [column.header for column in columns if column.becomes == becomes]
        header_list = listed(f"`{header}`" for header in headers)
        message = f"{place}: the columns {header_list} mean the same"
        if len(set(map(_fold_header, headers))) < len(headers):
            return TourneyError(message, "rename one of them, or delete it")
        return UnclearError(
            message,
            f'give one of them another meaning, such as `--column "{headers[1]}=skip"` (or `=tag`)',
            {header: {other: "skip" for other in headers if other != header} for header in headers},
        )

    def unclear_header(self, number: int, cells: Sequence[str]) -> UnclearError:
        """Return the error that asks which column has the names.

        It is raised if no header is a known word for names.
        """
        place = f"{self.source}:{number}"
        headers = [cell.strip() for cell in cells if cell.strip()] or ["Player"]
        header_list = listed(f"`{header}`" for header in headers[:8])
        known_meanings = dict(self.user_meanings.values())
        return UnclearError(
            f"{place}: it is not clear which column has the players' names: {header_list}",
            f'name the column: `--column "{headers[0]}=name"`; '
            "if this is not a header, add a header above it: `name,rating,club`",
            {header: {**known_meanings, header: "name"} for header in headers},
        )

    def refuse_unknown_header(self, tables: Iterable[Callable[[], Iterator[_Cells]]]) -> None:
        """Raise UnclearError if the first row looks like a header of unknown words.

        That is the case if all rows have the same number of cells, and the first row has neither digits nor
        empty cells.
        """
        widest = max(
            map(_first_rows, (rows() for rows in tables)), key=lambda rows: len(rows[0][1]) if rows else 0
        )
        if len(widest) < 2 or len({len(cells) for _, cells in widest}) > 1:
            return
        number, cells = widest[0]
        if len(cells) > 1 and all(cell.strip() and not re.search(r"\d|@", cell) for cell in cells):
            raise self.unclear_header(number, cells)

    def read_rows(self, rows: Iterator[_Cells], columns: Sequence[ListColumn]) -> Iterator[tuple[int, Row]]:
        """Yield the filled cells of each row."""
        for number, cells in rows:
            with at_place(f"{self.source}:{number}"):
                row = _read_row(cells, columns)
            yield number, row

    # -- the column of decks: lists, or names of files beside the list

    def without_names_of_decks(
        self, columns: Sequence[ListColumn], rows: Collection[Row]
    ) -> Sequence[ListColumn]:
        """Return the columns; if a deck column has only names of decks, it becomes a tag column.

        Its cells in `rows` are then stored under the tag. It remains a deck column if a cell has a list, a
        file or a link, or if the user stated the meaning of the column.
        """
        deck = next((column for column in columns if column.becomes == "deck"), None)
        cells = [row["deck"] for row in rows if "deck" in row]
        if deck is None or _fold_header(deck.header) in self.user_meanings or any(map(_is_deck, cells)):
            return columns
        tag = structs.replace(deck, becomes=f"tag {deck.header.lower()}")
        for row in rows:
            if "deck" in row:
                row[tag.becomes] = row.pop("deck")
        return [tag if column is deck else column for column in columns]

    def deck(self, cell: str, place: str) -> ListedDeck:
        """Return the deck in a cell, or in the file that the cell names.

        If there is no deck, `fault` of the result says why.
        """
        if "\n" in cell:
            return ListedDeck(content=cell, place=place)
        fault = f"`{cell[:40]}` is neither a decklist nor a file"
        if _LINK.fullmatch(cell):
            fault = "a link, not a list; links are not fetched"
        elif _FILE.fullmatch(cell):
            fault = f"there is no file `{cell}` beside the list"
            try:
                content = self.read_file(cell) if self.read_file else None
                if content is not None:
                    return ListedDeck(content=content, place=cell)
            except TourneyError as unreadable:
                fault = unreadable.message
        return ListedDeck(content="", place=place, fault=fault)


_FILE = re.compile(r"[^\n]{1,200}\.[A-Za-z][A-Za-z0-9]{1,6}")
_LINK = re.compile(r"https?://\S+")


def _is_deck(cell: str) -> bool:
    return bool("\n" in cell or _FILE.fullmatch(cell) or _LINK.fullmatch(cell))


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("# ")


_QUOTED_NAME = re.compile(r'"((?:[^"]|"")*)"')
_SEVERAL_CELLS = "it has several cells, and no line above it is a header"
_NOT_NAMES = {
    r"^(?:[\[{]\s*(?:[\"\[{].*)?|</?\w[^>]*>.*)$": "the file is not a list of names but has another format",
    r"[\t;|]|,.*,| {3}|,\S|,\s*[\d\"]": _SEVERAL_CELLS,
    r"\S@\w+\.\w": "it contains an e-mail address",
}
"""Pattern → why a line that it matches is not a name."""


def _why_not_a_name(line: str) -> str:
    """Return why a line is not a name; empty if it may be one."""
    return next((reason for pattern, reason in _NOT_NAMES.items() if re.search(pattern, line)), "")


def _table_rows(text: str, separator: str, source: str) -> Iterator[_Cells]:
    """Yield the filled rows of a text. Raises TourneyError for a row that cannot be read."""
    inner_lines = 0  # line ends inside cells of earlier rows, which a spreadsheet does not count as rows
    for line, cells in parse_csv(text, delimiter=separator, source=source):
        number = line - inner_lines
        inner_lines += sum(cell.count("\n") for cell in cells)
        if any(cell.strip() for cell in cells) and not _is_comment(cells[0]):
            yield number, cells


def _first_rows(rows: Iterator[_Cells]) -> list[_Cells]:
    """Return the first rows of a table, up to a row that cannot be read."""
    first_rows: list[_Cells] = []
    with suppress(TourneyError):
        first_rows.extend(islice(rows, _FIRST_LINES))
    return first_rows


_IN_BRACKETS = re.compile(r"[(\[（][^()\[\]（）]*[)\]）]")


def _meaning(header: str) -> str:
    """Return the column that a header means; empty if it is unknown.

    The header is looked up as a whole, in its parts (`Name / Nom`), and without brackets.
    """
    key = _fold_header(header)
    if not key or key in _COLUMNS:
        return _COLUMNS.get(key, "")
    parts = {_COLUMNS.get(_fold_header(part), "") for part in re.split(r"[/|\n]", header)}
    if len(parts) > 1:  # `First name / Last name`: the column has the whole name
        return "name" if parts <= _NAME_COLUMNS else ""
    return _COLUMNS.get(_fold_header(_IN_BRACKETS.sub(" ", header)), "") or parts.pop()


# -- a row of a table, and its registration


def _read_row(cells: Sequence[str], columns: Sequence[ListColumn]) -> Row:
    row: Row = {}
    if any(cell.strip() for cell in cells[len(columns) :]):
        raise TourneyError(f"the row has {len(cells)} cells, but the header has {len(columns)}")
    for column, cell in zip(columns, cells, strict=False):
        text = unescape_formula(cell.strip()) if cell else ""
        if not text:
            continue
        if not column.header and not text.isdigit():
            raise TourneyError(
                f"`{text}` is in a column without a header", "add a header to the column, such as `club`"
            )
        if isinstance(cell, DateCell) and column.becomes in _NAME_COLUMNS:
            raise TourneyError(
                f"`{text}` is a date, not a name", "format the column as text, and type the name again"
            )
        if not column.known and len(text) > LONGEST_TAG:
            raise TourneyError(
                f"{column.header}: a tag has at most {LONGEST_TAG} letters, but this one has {len(text)}",
                f'leave the column out: `--column "{column.header}=skip"`',
            )
        if key := column.becomes:
            row[key] = f"{row[key]}, {text}" if key in row and key in _CONTACT_COLUMNS else text
    return row


def _registration(row: Row, place: str) -> Registration:
    if row.get("byes", "").isdigit() and "awarded" not in row:
        # a number of byes: one in each of the first rounds
        row["awarded"] = row.pop("byes")
    facts = {column: read(row[column]) for column, read in _FACTS.items() if column in row}
    contact = [_join_lines(row[column]) for column in _CONTACT_COLUMNS if column in row]
    return Registration(
        name=_full_name(row),
        tags={key[4:]: _join_lines(text) for key, text in row.items() if key.startswith("tag ")},
        contact=", ".join(contact) or None,
        place=place,
        **facts,
    )


def _full_name(row: Row) -> str:
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


def _join_lines(text: str) -> str:
    """Join the lines of a cell: an address over two lines is one contact."""
    lines = [line.strip(" ,") for line in text.splitlines()]
    return ", ".join(filter(None, lines)) if len(lines) > 1 else text


def _parse_number(text: str, column: str) -> int:
    with at_place(column):
        return parse_whole_number(text)


_BYE = re.compile(r"\s*(\d{1,4})\s*[:= ]\s*([a-z-]+)\s*", re.IGNORECASE)


def _parse_byes(text: str) -> dict[int, str]:
    byes: dict[int, str] = {}
    for part in filter(str.strip, re.split(r"[,;]|\s+(?=\d)", text)):
        bye = _BYE.fullmatch(part)
        if bye is None or int(bye[1]) in byes:
            problem = (
                f"round {bye[1]} occurs twice"
                if bye
                else f"`{part.strip()}` is not a round number with a kind of bye"
            )
            raise TourneyError(
                f"byes: {problem}", "for example `3:half-bye 5:absent`, or `2` for the first two rounds"
            )
        byes[int(bye[1])] = bye[2].lower()
    return byes


_YES = frozenset(["yes", "y", "true", "1", "x", "ja", "j", "oui", "o", "sí", "si", "s", "sim", "tak"])
_NO = frozenset(["no", "n", "false", "0", "nein", "non", "não", "nie", "nee", "-", "–", ""])


def _is_yes(text: str) -> bool:
    """Return whether a cell says yes. An empty cell means no.

    Raises TourneyError for a text that means neither. Whether a player is under age is not guessed.
    """
    word = text.strip().casefold()
    if word not in _YES | _NO:
        raise TourneyError(f"`{text}` is neither yes nor no", "`minor` says whether a player is under age")
    return word in _YES


_FACTS: Mapping[str, Callable[[str], Any]] = {
    "rating": partial(_parse_number, column="rating"),
    "byes": _parse_byes,
    "awarded": partial(_parse_number, column="awarded"),
    "table": partial(_parse_number, column="table"),
    "late": str,
    "alias": _join_lines,
    "minor": _is_yes,
}
"""Column → the function that reads its cells.

Each of these columns becomes the field of a `Registration` with the same name.
"""
