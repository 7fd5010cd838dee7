"""A sheet of an Excel workbook (.xlsx) as rows of text, under limits: a workbook is a zip of XML from anybody."""

from __future__ import annotations

import re
import warnings
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from io import BytesIO
from itertools import chain
from typing import Any

from tourney.decode import LONGEST_CELL
from tourney.errors import TourneyError

MOST_UNPACKED = 30_000_000
"""Bytes of a sheet, or of the texts of all sheets, unpacked: a list of 100,000 players with four facts each."""

MOST_OF_OTHER_PARTS = 5_000_000
"""Bytes of any other XML in the workbook, which is read as a whole: styles, themes, lists of parts."""

MOST_TOGETHER = 150_000_000
"""Bytes of all parts, unpacked. Each is looked through, since any of them may be named as the one to read."""

MOST_STRINGS = 300_000
MOST_TAGS = 3_000_000
MOST_OTHER_TAGS = 50_000
MOST_TAGS_IN_ONE = 60_000
MOST_ATTRIBUTES = 500
"""Texts of all sheets, tags of a sheet or of these texts, tags of another part, tags of one row or text, and attributes of a tag.

Each becomes an object that is a hundred times as large: 45 kB of empty texts took 3 GB, 9 kB of styles two minutes.
"""

MOST_LETTERS = 10_000_000
"""Letters in the cells of a sheet. Cells may share a text, so that a small workbook holds many long ones."""

MOST_PARTS = 2_000
MOST_ROWS = 120_000
MOST_COLUMNS = 1_000
MOST_CELLS = 20_000_000
"""Rows with those that are empty, columns that are filled, and cells with those that are empty: a sheet may have a million
rows and 16,384 columns, and to go through them all takes minutes."""

_ALONE = "save the list alone in a new workbook, or as CSV (UTF-8)"
_AS_CSV = "save it as CSV (UTF-8), or as .xlsx"


class DateCell(str):
    """The text of a cell that holds a date or a time: no name, whatever somebody typed there."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Worksheet:
    """A sheet's filled rows, each with its number. others: the names of the workbook's other sheets that are shown."""

    name: str
    others: tuple[str, ...]
    rows: Sequence[tuple[int, list[str]]]


def is_workbook(content: bytes) -> bool:
    """Tell whether bytes are a zip, and so perhaps a workbook, or an old Office file."""
    return content.startswith((b"PK\x03\x04", b"PK\x05\x06", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"))


def read_sheet(content: bytes, *, source: str, sheet: str | None = None) -> Worksheet:
    """Read the sheet named, or the first one shown that has anything in it.

    Cells are text: of a formula the value that was saved with it, whole numbers without a point, dates as 2026-11-20.
    Raises TourneyError for what is no .xlsx, is damaged, is larger than the limits here, or needs `openpyxl`; with the
    cell for a formula without a value and for a value that is an error.
    """
    with _in_words(source):
        formulas = _check_parts(content, source)
    try:
        import openpyxl
    except ImportError:
        raise TourneyError(
            f"{source}: reading a workbook needs openpyxl, which is not installed",
            "`pip install tourney[xlsx]`, or save the list as CSV (UTF-8)",
        ) from None
    with _in_words(source):
        book = openpyxl.load_workbook(BytesIO(content), read_only=True, data_only=True)
        found = _sheet(book, source, sheet)
        if formulas:
            written = openpyxl.load_workbook(BytesIO(content), read_only=True, data_only=False)
            _refuse_unsaved_formulas(book, written, found.name, source)
        return found


@contextmanager
def _in_words(source: str) -> Iterator[None]:
    """Refuse whatever a damaged or hostile workbook brings about: it breaks the libraries that read it in any way it likes."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of styles and extensions that are no business of ours
            yield
    except TourneyError:
        raise
    except MemoryError:
        raise TourneyError(f"{source}: is too large for this machine", _AS_CSV) from None
    except Exception as fault:
        damaged = "the workbook is damaged, or holds what no spreadsheet writes"
        raise TourneyError(f"{source}: {damaged}", _AS_CSV) from fault


def _check_parts(content: bytes, source: str) -> bool:
    """Refuse what is no .xlsx or unpacks to more than anybody wrote; return whether a sheet has formulas."""
    if content.startswith(b"\xd0\xcf\x11\xe0"):
        raise TourneyError(f"{source}: is an old Excel file, or one with a password", _AS_CSV)
    with zipfile.ZipFile(BytesIO(content)) as packed:
        parts = packed.infolist()
        names = {part.filename for part in parts}
        if "xl/workbook.xml" not in names:
            what = "an OpenDocument file" if "content.xml" in names else "a zip or another kind of document"
            raise TourneyError(f"{source}: is {what}, not an Excel workbook", _AS_CSV)
        _check_sizes(parts, source)
        together, formulas = 0, False
        for part in parts:
            content = _part(packed, part, source)
            together += len(content)
            if together > MOST_TOGETHER:
                raise TourneyError(
                    f"{source}: the workbook unpacks to more than {MOST_TOGETHER / 1e6:,.0f} MB", _ALONE
                )
            _check_tags(content, part.filename, source)
            if part.filename.startswith("xl/worksheets/sheet"):
                formulas = formulas or bool(re.search(rb"<(?:\w+:)?f[ />]", content))
        return formulas


def _part(packed: zipfile.ZipFile, part: zipfile.ZipInfo, source: str) -> bytes:
    """Return a part unpacked, as far as it may go; what the zip says of its size is not believed."""
    with packed.open(part) as file:
        content = file.read(_most_of(part.filename) + 1)
    _check_size(part.filename, len(content), source)
    return content


def _most_of(name: str) -> int:
    """Return how many bytes a part may have: XML that is neither a sheet nor the texts of sheets is small."""
    small = name.endswith((".xml", ".rels")) and not name.startswith(_LARGE)
    return MOST_OF_OTHER_PARTS if small else MOST_UNPACKED


_LARGE = ("xl/worksheets/", "xl/sharedStrings")


def _check_size(name: str, size: int, source: str) -> None:
    if size > (most := _most_of(name)):
        raise TourneyError(
            f"{source}: {name} unpacks to {size / 1e6:,.0f} MB, at most {most / 1e6:,.0f} MB are read", _ALONE
        )


def _check_tags(content: bytes, name: str, source: str) -> None:
    """Refuse XML of more tags, or of larger ones, than a list of players has; a part that is no XML cannot be read anyway."""
    start = content[:8].lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
    if not start.replace(b"\0", b"").startswith(b"<"):
        return
    if b"\0" in start:
        raise ValueError("tags of UTF-16 cannot be counted, and no spreadsheet writes it")
    large = name.startswith(_LARGE)
    tags, most = content.count(b"<"), MOST_TAGS if large else MOST_OTHER_TAGS
    if tags > most:
        raise TourneyError(f"{source}: {name} has {tags:,} tags, at most {most:,} are read", _ALONE)
    for long in re.finditer(rb"<[^<]{3000,}", content):
        if len(re.findall(rb"=\s*[\"']", long[0])) > MOST_ATTRIBUTES:
            raise TourneyError(
                f"{source}: {name} has a tag of more than {MOST_ATTRIBUTES} attributes", _ALONE
            )
    if not large:
        return
    strings, begins = name.startswith("xl/sharedStrings"), 0
    starts = re.finditer(rb"<(?:\w+:)?%b[\s/>]" % (b"si" if strings else b"row"), content)
    for number, end in enumerate(chain((each.start() for each in starts), [len(content)])):
        if strings and number > MOST_STRINGS:
            raise TourneyError(f"{source}: more than {MOST_STRINGS:,} texts in the workbook's cells", _ALONE)
        if content.count(b"<", begins, end) > MOST_TAGS_IN_ONE:
            what = f"text {number:,} of the workbook" if strings else f"row {number:,} of {name}"
            raise TourneyError(f"{source}: {what} has more than {MOST_TAGS_IN_ONE:,} tags", _ALONE)
        begins = end


def _check_sizes(parts: Sequence[zipfile.ZipInfo], source: str) -> None:
    """Refuse parts that are too large by what the zip says of them, before any is unpacked."""
    if len(parts) > MOST_PARTS:
        raise TourneyError(f"{source}: {len(parts):,} parts in the workbook, at most {MOST_PARTS:,} are read")
    if (
        sum(part.file_size for part in parts if part.filename.startswith("xl/worksheets/"))
        > 2 * MOST_UNPACKED
    ):
        raise TourneyError(f"{source}: the workbook's sheets are too large together", _ALONE)
    if len({part.filename for part in parts}) < len(parts):
        raise TourneyError(f"{source}: the workbook has two parts of one name", _AS_CSV)
    for part in parts:
        _check_size(part.filename, part.file_size, source)


def _sheet(book: Any, source: str, wanted: str | None) -> Worksheet:
    shown = [each for each in book.worksheets if each.sheet_state == "visible"] or book.worksheets
    names = [each.title for each in shown]
    if wanted is not None and wanted not in book.sheetnames:
        raise TourneyError(
            f"{source}: there is no sheet `{wanted}`", f"there are {', '.join(f'`{each}`' for each in names)}"
        )
    for each in [book[wanted]] if wanted is not None else shown:
        if (rows := list(_rows(each, source))) or wanted is not None:
            return Worksheet(each.title, tuple(name for name in names if name != each.title), rows)
    raise TourneyError(f"{source}: there is nothing in the workbook")


def _rows(sheet: Any, source: str) -> Iterator[tuple[int, list[str]]]:
    sheet.reset_dimensions()  # what the file says of its size is not to be trusted
    cells = letters = 0
    for number, row in enumerate(sheet.iter_rows(values_only=True), 1):
        cells += len(row)
        if number > MOST_ROWS or cells > MOST_CELLS:
            raise TourneyError(
                f"{source}: the sheet goes on behind row {number - 1:,}; a list of players is shorter",
                _ALONE,
            )
        width = next((place for place in range(len(row), 0, -1) if row[place - 1] is not None), 0)
        if width > MOST_COLUMNS:
            raise TourneyError(
                f"{source}:{number}: {width:,} columns are filled, at most {MOST_COLUMNS:,} are read"
            )
        if width:
            texts = [_text(cell, f"{source}:{number}", place) for place, cell in enumerate(row[:width], 1)]
            letters += sum(map(len, texts))
            if letters > MOST_LETTERS:
                raise TourneyError(
                    f"{source}:{number}: the cells up to here have more than {MOST_LETTERS:,} letters", _ALONE
                )
            yield number, texts


_RETURN = re.compile(r"_x000[dD]_\n?|\r\n?")
_ERRORS = re.compile(r"#(?:REF!|VALUE!|NAME\?|DIV/0!|N/A|NULL!|NUM!)")


def _text(value: object, place: str, column: int) -> str:
    """Return a cell's text. Raises TourneyError for an error (`#REF!`) and for what is endless."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        midnight = value.time() == time()
        return DateCell(value.date().isoformat() if midnight else value.isoformat(" ", "minutes"))
    if isinstance(value, date | time | timedelta):
        return DateCell(str(value))
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    text = _RETURN.sub("\n", str(value))
    if _ERRORS.fullmatch(text):
        raise TourneyError(f"{place}: the cell in column {_letters(column)} shows {text}", "mend its formula")
    if len(text) > LONGEST_CELL:
        raise TourneyError(f"{place}: the cell in column {_letters(column)} has {len(text):,} letters")
    return text


def _letters(column: int) -> str:
    from openpyxl.utils import get_column_letter

    return str(get_column_letter(column))


def _refuse_unsaved_formulas(values: Any, written: Any, name: str, source: str) -> None:
    """Refuse a formula that no value was saved with: nobody's program has worked it out."""
    both = zip(values[name].iter_rows(), written[name].iter_rows(), strict=False)
    for number, (shown, meant) in enumerate(both, 1):
        for value, cell in zip(shown, meant, strict=False):
            if cell.value is not None and value.value is None and cell.data_type == "f":
                raise TourneyError(
                    f"{source}:{number}: {cell.coordinate} is a formula without a value",
                    "open the workbook in a spreadsheet, save it, and import it again",
                )
