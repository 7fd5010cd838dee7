"""Read a sheet of an Excel workbook; run as a process of its own, with little memory and time.

    python -P workbook_child.py [SHEET] < WORKBOOK

stdout is JSON: `name`, `others` (the other sheets shown) and `rows`, or `fault` (what is wrong, with `place`, the row and
`hint`). A row is its number, its cells as text, and the indexes of those that are dates. Exit code 2 if the workbook needs
too much memory or is too long, 1 if it cannot be read at all.

A workbook is a zip of XML from anybody: 4 kB can become gigabytes in ways that nobody lists in full. So the process that
reads it is limited by the system instead. Windows has no such limits: there only the sizes and the time are held.
"""

import json
import re
import sys
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from io import BytesIO
from typing import Any

MOST_MEMORY = 400_000_000
"""Bytes of memory; 25,000 players with eight facts each take a sixth of it."""

MOST_SECONDS = 10
"""Seconds of the processor; 25,000 players with eight facts each take a fifth of it."""

MOST_UNPACKED = 100_000_000
"""Bytes of all parts, unpacked."""

MOST_ROWS = 120_000
MOST_COLUMNS = 1_000
MOST_CELLS = 2_000_000
MOST_LETTERS = 10_000_000
LONGEST_CELL = 100_000
"""Of a sheet: rows with those that are empty, columns that are filled, cells up to the last one filled in each row, letters in
them; letters of a cell."""

ALONE = "save the list alone in a new workbook, or as CSV (UTF-8)"
AS_CSV = "save it as CSV (UTF-8), or as .xlsx"

Row = tuple[int, list[str], list[int]]


class SheetError(Exception):
    """What is wrong with a workbook. row: in which one; 0: in none."""

    def __init__(self, message: str, hint: str = "", row: int = 0) -> None:
        super().__init__(message)
        self.told = {"fault": message, "hint": hint, "row": row}


def read(content: bytes, wanted: str | None) -> dict[str, Any]:
    """Read the sheet `wanted`, or the first one shown that has anything in it. Raises SheetError."""
    formulas = _check_parts(content)
    import openpyxl

    book = openpyxl.load_workbook(BytesIO(content), read_only=True, data_only=True)
    shown = [each for each in book.worksheets if each.sheet_state == "visible"] or book.worksheets
    names = [each.title for each in shown]
    if wanted is not None and wanted not in book.sheetnames:
        raise SheetError(
            f"there is no sheet `{wanted}`", f"there are {', '.join(f'`{each}`' for each in names)}"
        )
    for sheet in [book[wanted]] if wanted is not None else shown:
        if (rows := list(_rows(sheet))) or wanted is not None:
            if formulas:
                written = openpyxl.load_workbook(BytesIO(content), read_only=True, data_only=False)
                _check_formulas(sheet, written[sheet.title])
            return {
                "name": sheet.title,
                "others": [name for name in names if name != sheet.title],
                "rows": rows,
            }
    raise SheetError("there is nothing in the workbook")


def _check_parts(content: bytes) -> bool:
    """Refuse what is no workbook or unpacks to too much; return whether any part has a formula."""
    with zipfile.ZipFile(BytesIO(content)) as packed:
        parts = packed.infolist()
        names = {part.filename for part in parts}
        if "xl/workbook.xml" not in names:
            what = "an OpenDocument file" if "content.xml" in names else "a zip or another kind of document"
            raise SheetError(f"is {what}, not an Excel workbook", AS_CSV)
        # A part that is larger than the zip says is not read beyond that.
        if (size := sum(part.file_size for part in parts)) > MOST_UNPACKED:
            raise SheetError(
                f"unpacks to {size / 1e6:,.0f} MB, at most {MOST_UNPACKED / 1e6:,.0f} MB are read", ALONE
            )
        return any(_FORMULA.search(packed.read(part)) for part in parts)


_FORMULA = re.compile(rb"<(?:[^\s<>/:]+:)?f[\s/>]")


def _rows(sheet: Any) -> Iterator[Row]:
    sheet.reset_dimensions()  # what the file says of its size may be wrong
    cells = letters = 0
    for number, row in enumerate(sheet.iter_rows(values_only=True), 1):
        if number > MOST_ROWS:
            raise SheetError(
                f"the sheet goes on after row {MOST_ROWS:,}; a list of players is shorter", ALONE, number
            )
        width = next((place for place in range(len(row), 0, -1) if row[place - 1] is not None), 0)
        if not width:
            continue
        if width > MOST_COLUMNS:
            raise SheetError(
                f"{width:,} columns are filled, at most {MOST_COLUMNS:,} are read", ALONE, number
            )
        texts = [_text(cell, number, column) for column, cell in enumerate(row[:width], 1)]
        cells, letters = cells + width, letters + sum(map(len, texts))
        if cells > MOST_CELLS or letters > MOST_LETTERS:
            raise SheetError(
                f"the rows up to here have more than {MOST_CELLS:,} cells, or {MOST_LETTERS:,} letters",
                ALONE,
                number,
            )
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
    if len(text) > LONGEST_CELL:
        raise SheetError(
            f"the cell in column {_letters(column)} has {len(text):,} letters", "shorten it", row
        )
    return text


def _letters(column: int) -> str:
    from openpyxl.utils import get_column_letter

    return str(get_column_letter(column))


def _check_formulas(values: Any, written: Any) -> None:
    """Refuse a formula that no value was saved with: no program has calculated it."""
    for number, (shown, formulas) in enumerate(zip(values.iter_rows(), written.iter_rows(), strict=False), 1):
        for value, cell in zip(shown, formulas, strict=False):
            if cell.value is not None and value.value is None and cell.data_type == "f":
                raise SheetError(
                    f"{cell.coordinate} is a formula without a value",
                    "open the workbook in a spreadsheet, save it, and import it again",
                    number,
                )


def _limit() -> None:
    with suppress(ImportError):
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS + 1))
        with suppress(ValueError, OSError):  # macOS refuses it
            resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def main() -> int:
    """Answer on stdout and return the exit code, as the module's docstring says."""
    _limit()
    # openpyxl takes these if they are there, and they take more memory than the workbook.
    for module in ("numpy", "lxml", "lxml.etree"):
        sys.modules[module] = None  # type: ignore[assignment]
    warnings.simplefilter("ignore")  # about styles and extensions
    try:
        try:
            told = read(sys.stdin.buffer.read(), sys.argv[1] if len(sys.argv) > 1 else None)
        except SheetError as fault:
            told = fault.told
        sys.stdout.write(json.dumps(told))
    except MemoryError:
        return 2
    except Exception as fault:  # noqa: BLE001 - a hostile workbook can break the library in any way
        return 2 if "out of memory" in str(fault) else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
