"""Read a sheet of an Excel workbook, in a process with little memory and time.

    python -P workbook_child.py [SHEET] < WORKBOOK

A workbook is a zip of XML that anybody may have made, and 4 kB of it can fill gigabytes in many ways. No list of checks
stops them all, so the system limits the process. Windows has no such limits; there only the size and the time on the
clock are limited.

The answer on stdout is JSON. For a sheet it has `name`, `others` (the other visible sheets) and `rows`; each row is its
number, its cells as text, and the indexes of cells that hold dates. For a refusal it has `fault`, `hint` and `row` (0 if
the fault is in no row). Exit code 1 means that the workbook cannot be read, 2 that it needs too much memory.
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

MAX_MEMORY = 400_000_000
"""Bytes of memory; 25,000 players with eight facts each take a sixth of it."""

MAX_SECONDS = 10
"""Seconds of the processor; 25,000 players with eight facts each take a fifth of it."""

MAX_UNPACKED = 100_000_000
"""Bytes of all parts, unpacked."""

MAX_ROWS = 120_000
"""Rows of a sheet, empty ones included."""

MAX_COLUMNS = 1_000
"""Cells of a row, up to the last filled one."""

MAX_CELLS = 2_000_000
MAX_LETTERS = 10_000_000
"""Cells of all rows, and characters in them."""

MAX_CELL = 100_000
"""Characters of a cell, as in `tourney.decode`, which this file cannot import."""

ALONE = "save the list alone in a new workbook, or as CSV (UTF-8)"
AS_CSV = "save it as CSV (UTF-8), or as .xlsx"

Row = tuple[int, list[str], list[int]]


class SheetError(Exception):
    """A fault of a workbook. row: the row that has it, or 0."""

    def __init__(self, message: str, hint: str = "", row: int = 0) -> None:
        super().__init__(message)
        self.answer = {"fault": message, "hint": hint, "row": row}


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
        if (size := sum(part.file_size for part in parts)) > MAX_UNPACKED:
            raise SheetError(
                f"unpacks to {size / 1e6:,.0f} MB, at most {MAX_UNPACKED / 1e6:,.0f} MB are read", ALONE
            )
        return any(_FORMULA.search(packed.read(part)) for part in parts)


_FORMULA = re.compile(rb"<(?:[^\s<>/:]+:)?f[\s/>]")


def _rows(sheet: Any) -> Iterator[Row]:
    sheet.reset_dimensions()  # what the file says of its size may be wrong
    cells = letters = 0
    for number, row in enumerate(sheet.iter_rows(values_only=True), 1):
        if number > MAX_ROWS:
            raise SheetError(
                f"the sheet goes on after row {MAX_ROWS:,}; a list of players is shorter", ALONE, number
            )
        width = next((place for place in range(len(row), 0, -1) if row[place - 1] is not None), 0)
        if not width:
            continue
        if width > MAX_COLUMNS:
            raise SheetError(f"{width:,} columns are filled, at most {MAX_COLUMNS:,} are read", ALONE, number)
        texts = [_text(cell, number, column) for column, cell in enumerate(row[:width], 1)]
        cells, letters = cells + width, letters + sum(map(len, texts))
        if cells > MAX_CELLS or letters > MAX_LETTERS:
            raise SheetError(
                f"the rows up to here have more than {MAX_CELLS:,} cells, or {MAX_LETTERS:,} letters",
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
    if len(text) > MAX_CELL:
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

        limits = ((resource.RLIMIT_CPU, MAX_SECONDS), (resource.RLIMIT_AS, MAX_MEMORY))
        for kind, limit in limits:
            with suppress(
                ValueError, OSError
            ):  # there is a lower limit already, or the system has none, as macOS
                resource.setrlimit(kind, (limit, limit))


def main() -> int:
    """Answer on stdout and return the exit code, as the module's docstring says."""
    _limit()
    # openpyxl takes these if they are there, and they take more memory than the workbook.
    for module in ("numpy", "lxml", "lxml.etree"):
        sys.modules[module] = None  # type: ignore[assignment]
    warnings.simplefilter("ignore")  # about styles and extensions
    try:
        try:
            answer = read(sys.stdin.buffer.read(), sys.argv[1] if len(sys.argv) > 1 else None)
        except SheetError as error:
            answer = error.answer
        sys.stdout.write(json.dumps(answer))
    except MemoryError:
        return 2
    except Exception as fault:  # noqa: BLE001 - a hostile workbook can break the library in any way
        return 2 if "out of memory" in str(fault) else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
