"""Read a sheet of an Excel workbook (.xlsx) in a process with limited memory and time.

A workbook is a zip of XML files and can come from anyone. A zip of 4 kB can unpack to gigabytes in many ways.
Checks cannot find all of them, so the operating system limits the process that reads it. Windows does not
have such limits; there, only the size and the elapsed time are limited.

`read_sheet` runs this file as that process, which does not import tourney:

    python -P workbook.py [SHEET] < WORKBOOK

The answer on stdout is JSON. For a sheet it has `name`, `others` (the other visible sheets) and `rows`. Each
row is its number, its cells as text, and the indexes of cells that hold dates. A refusal has `fault`, `hint`
and `row` (0 if the fault is not in a row). Exit code 1 means that the workbook cannot be read, 2 that it
needs too much memory.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import warnings
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from importlib.util import find_spec
from io import BytesIO
from typing import Any

from msgspec import Struct

TIME_LIMIT = 60
"""The maximum time for reading a workbook, in seconds of elapsed time."""

MAX_MEMORY = 400_000_000
"""The memory limit of this process in bytes.

25,000 players with eight columns use a sixth of the limit.
"""

MAX_SECONDS = 10
"""The limit of processor time in seconds.

25,000 players with eight columns use a fifth of the limit.
"""

MAX_UNPACKED = 100_000_000
"""The maximum size of all unpacked parts together, in bytes."""

MAX_ROWS = 120_000
"""The maximum number of rows in a sheet, including empty rows."""

MAX_COLUMNS = 1_000
"""The maximum number of cells in a row, up to the last filled cell."""

MAX_CELLS = 2_000_000
MAX_LETTERS = 10_000_000
"""The maximum number of cells in all rows together, and of characters in these cells."""

MAX_CELL = 100_000
"""The maximum number of characters in a cell.

The same as in `tourney.decode`, which the process does not import.
"""

ALONE = "save only the list, in a new workbook or as CSV (UTF-8)"
AS_CSV = "save it as CSV (UTF-8), or as .xlsx"


class DateCell(str):
    """The text of a cell that contains a date or a time, and so cannot be a name."""

    __slots__ = ()


class Worksheet(Struct, frozen=True):
    """A sheet of a workbook.

    others: the names of the other visible sheets
    rows:   the number and the cells of each row that is not empty
    """

    name: str
    others: tuple[str, ...]
    rows: Sequence[tuple[int, list[str]]]


def is_workbook(content: bytes) -> bool:
    """Return whether a file can be a workbook: it is a zip or an old Office file."""
    return content.startswith((b"PK\x03\x04", b"PK\x05\x06", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"))


def read_sheet(content: bytes, *, source: str, sheet: str | None = None) -> Worksheet:
    """Read the sheet with this name, or the first visible sheet that is not empty.

    Cells are returned as text: whole numbers without a point, dates as 2026-11-20, formulas as their saved
    value.

    Raises TourneyError if the content is not an .xlsx workbook, is damaged or too large, or if `openpyxl` is
    missing. Raises a TourneyError that names the row if a formula has no saved value, or if a cell shows an
    error.
    """
    from tourney.errors import TourneyError  # not in the child process, which may not find tourney

    if content.startswith(b"\xd0\xcf\x11\xe0"):
        raise TourneyError(f"{source}: is an old Excel file, or has a password", AS_CSV)
    if find_spec("openpyxl") is None:
        raise TourneyError(
            f"{source}: reading a workbook needs openpyxl, which is not installed",
            "`pip install tourney[xlsx]`, or save the list as CSV (UTF-8)",
        )
    # -P, because a file in the current folder must not be imported.
    words = (sys.executable, "-P", __file__, *([] if sheet is None else [sheet]))
    try:
        process = subprocess.run(words, input=content, capture_output=True, timeout=TIME_LIMIT, check=False)  # noqa: S603
        code = process.returncode
    except subprocess.TimeoutExpired:
        code = 2
    if code == 1:
        raise TourneyError(f"{source}: the workbook is damaged, or was not written by a spreadsheet", AS_CSV)
    if code != 0:  # 2, or killed by the system
        raise TourneyError(f"{source}: takes too much memory or time to read", ALONE)
    answer = json.loads(process.stdout)
    if "fault" in answer:
        place = f"{source}:{answer['row']}" if answer["row"] else source
        raise TourneyError(f"{place}: {answer['fault']}", answer["hint"] or None)
    for _, cells, dates in answer["rows"]:
        for index in dates:
            cells[index] = DateCell(cells[index])
    rows = [(number, cells) for number, cells, _ in answer["rows"]]
    return Worksheet(answer["name"], tuple(answer["others"]), rows)


# -- in the process that reads the workbook

Row = tuple[int, list[str], list[int]]


class SheetError(Exception):
    """A fault of a workbook.

    row: the number of the row with the fault; 0 if the fault is not in a row
    """

    def __init__(self, message: str, hint: str = "", row: int = 0) -> None:
        super().__init__(message)
        self.answer = {"fault": message, "hint": hint, "row": row}


def read_workbook(content: bytes, sheet_name: str | None) -> dict[str, Any]:
    """Read the sheet `sheet_name`, or the first visible sheet with content. Raises SheetError."""
    formulas = _check_parts(content)
    import openpyxl

    book = openpyxl.load_workbook(BytesIO(content), read_only=True, data_only=True)
    visible = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"] or book.worksheets
    names = [sheet.title for sheet in visible]
    if sheet_name is not None and sheet_name not in book.sheetnames:
        raise SheetError(
            f"there is no sheet `{sheet_name}`", f"the sheets are {', '.join(f'`{name}`' for name in names)}"
        )
    for sheet in [book[sheet_name]] if sheet_name is not None else visible:
        if (rows := list(_rows(sheet))) or sheet_name is not None:
            if formulas:
                formula_book = openpyxl.load_workbook(BytesIO(content), read_only=True, data_only=False)
                _check_formulas(sheet, formula_book[sheet.title])
            return {
                "name": sheet.title,
                "others": [name for name in names if name != sheet.title],
                "rows": rows,
            }
    raise SheetError("the workbook is empty")


def _check_parts(content: bytes) -> bool:
    """Return whether any part of a workbook contains a formula.

    Raises SheetError if the content is not a workbook, or is too large.
    """
    with zipfile.ZipFile(BytesIO(content)) as archive:
        parts = archive.infolist()
        names = {part.filename for part in parts}
        if "xl/workbook.xml" not in names:
            kind = "an OpenDocument file" if "content.xml" in names else "a zip or another kind of document"
            raise SheetError(f"is {kind}, not an Excel workbook", AS_CSV)
        # These sizes can be trusted: `zipfile` stops reading a part at the size that the zip states.
        if (size := sum(part.file_size for part in parts)) > MAX_UNPACKED:
            raise SheetError(
                f"unpacks to {size / 1e6:,.0f} MB, more than {MAX_UNPACKED / 1e6:,.0f} MB", ALONE
            )
        return any(_FORMULA.search(archive.read(part)) for part in parts)


_FORMULA = re.compile(rb"<(?:[^\s<>/:]+:)?f[\s/>]")


def _rows(sheet: Any) -> Iterator[Row]:
    sheet.reset_dimensions()  # the dimensions in the file can be wrong
    cells = letters = 0
    for number, row in enumerate(sheet.iter_rows(values_only=True), 1):
        width = next((place for place in range(len(row), 0, -1) if row[place - 1] is not None), 0)
        texts = [_text(cell, number, column) for column, cell in enumerate(row[:width][:MAX_COLUMNS], 1)]
        cells, letters = cells + width, letters + sum(map(len, texts))
        if number > MAX_ROWS or width > MAX_COLUMNS or cells > MAX_CELLS or letters > MAX_LETTERS:
            raise SheetError(
                f"the sheet is too large: at most {MAX_ROWS:,} rows, {MAX_COLUMNS:,} columns, "
                f"{MAX_CELLS:,} cells and {MAX_LETTERS:,} letters are read",
                ALONE,
                number,
            )
        if not width:
            continue
        dates = [index for index, cell in enumerate(row[:width]) if isinstance(cell, _TIMES)]
        yield number, texts, dates


_TIMES = (date, time, timedelta)
_RETURN = re.compile(r"_x000[dD]_\n?|\r\n?")
_ERRORS = re.compile(r"#(?:REF!|VALUE!|NAME\?|DIV/0!|N/A|NULL!|NUM!)")


def _text(value: object, row: int, column: int) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        midnight = value.time() == time()
        return value.date().isoformat() if midnight else value.isoformat(" ", "minutes")
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    text = _RETURN.sub("\n", str(value))
    if _ERRORS.fullmatch(text):
        raise SheetError(f"the cell in column {_letters(column)} shows {text}", "correct its formula", row)
    if len(text) > MAX_CELL:
        raise SheetError(
            f"the cell in column {_letters(column)} has {len(text):,} letters", "shorten it", row
        )
    return text


def _letters(column: int) -> str:
    from openpyxl.utils import get_column_letter

    return str(get_column_letter(column))


def _check_formulas(values: Any, formula_sheet: Any) -> None:
    """Raise SheetError for a formula without a saved value, which no program has calculated yet."""
    for number, (row, formulas) in enumerate(
        zip(values.iter_rows(), formula_sheet.iter_rows(), strict=False), 1
    ):
        for value, cell in zip(row, formulas, strict=False):
            if cell.value is not None and value.value is None and cell.data_type == "f":
                raise SheetError(
                    f"{cell.coordinate} is a formula without a value",
                    "open the workbook in a spreadsheet, save it, and import it again",
                    number,
                )


def _limit() -> None:
    with suppress(ImportError):
        import resource

        limits = ((resource.RLIMIT_CPU, MAX_SECONDS), (resource.RLIMIT_AS, MAX_MEMORY))
        for kind, limit in limits:
            # There can be a lower limit already, or no limits at all, as on macOS.
            with suppress(ValueError, OSError):
                resource.setrlimit(kind, (limit, limit))


def main() -> int:
    """Read a workbook from stdin, write a sheet or an error to stdout; return the exit code.

    The module's docstring describes the JSON and the exit codes.
    """
    _limit()
    # openpyxl imports these if they are installed, and they use more memory than the workbook.
    for module in ("numpy", "lxml", "lxml.etree"):
        sys.modules[module] = None  # type: ignore[assignment]
    warnings.simplefilter("ignore")  # openpyxl warns about styles and extensions
    try:
        try:
            answer = read_workbook(sys.stdin.buffer.read(), sys.argv[1] if len(sys.argv) > 1 else None)
        except SheetError as error:
            answer = error.answer
        sys.stdout.write(json.dumps(answer))
    except MemoryError:
        return 2
    except Exception as fault:  # noqa: BLE001 - a hostile workbook can make the library raise anything
        return 2 if "out of memory" in str(fault) else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
