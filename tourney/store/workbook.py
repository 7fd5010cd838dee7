"""Read a sheet of an Excel workbook (.xlsx) as rows of text."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from tourney.errors import TourneyError
from tourney.store.workbook_child import ALONE, AS_CSV

TIME_LIMIT = 60
"""The maximum time for reading a workbook, in seconds of elapsed time."""


class DateCell(str):
    """The text of a cell that contains a date or a time, and so cannot be a name."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Worksheet:
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
    if content.startswith(b"\xd0\xcf\x11\xe0"):
        raise TourneyError(f"{source}: is an old Excel file, or has a password", AS_CSV)
    if find_spec("openpyxl") is None:
        raise TourneyError(
            f"{source}: reading a workbook needs openpyxl, which is not installed",
            "`pip install tourney[xlsx]`, or save the list as CSV (UTF-8)",
        )
    child = Path(__file__).with_name("workbook_child.py")
    words = (sys.executable, "-P", str(child), *([] if sheet is None else [sheet]))
    try:
        # -P, because a file in the current folder must not be imported.
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
