r"""Tables as comma-separated lines for spreadsheets, written so that no name is ever run as a formula.

A spreadsheet takes a cell that begins with a formula's sign for a formula, whoever wrote it. So an apostrophe goes
before such a sign, at the start of a cell and after whatever another locale or a paste splits cells at; taking one
apostrophe away again gives the text as it was, because text that looks guarded already gets one more.

>>> guarded("=SUM(A1)"), guarded("Bo;=1+1"), guarded("'=x"), guarded("-2.5"), guarded("Mira-Tomo")
("'=SUM(A1)", "Bo;'=1+1", "''=x", '-2.5', 'Mira-Tomo')
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence

_SIGNS = "=+@\\-＝＋－＠﹦﹢﹣﹫"
"""What begins a formula: the signs, and their full-width and small forms, which some spreadsheets read alike."""

_STARTS = r"((?:^|[;,|\t\r\n])[\s\"]*'*)"
_FORMULA = re.compile(rf"{_STARTS}(?=[{_SIGNS}])")
_GUARDED = re.compile(rf"{_STARTS}'(?=[{_SIGNS}])")
_NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?")


def csv_text(header: Sequence[str], rows: Iterable[Sequence[object]], *, end: str = "\n") -> str:
    """Return a table as comma-separated lines, its header first. end: of a line (RFC 4180: CR LF)."""
    lines = _Lines()
    # With CR LF the writer puts every cell with a line end of any kind in quotation marks.
    writer = csv.writer(lines, lineterminator="\r\n")
    writer.writerow(header)
    writer.writerows([guarded(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    return "".join(line.removesuffix("\r\n") + end for line in lines)


def guarded(text: str) -> str:
    """Return a cell's text as no spreadsheet runs it; numbers stay as they are."""
    return text if _NUMBER.fullmatch(text) else _FORMULA.sub(r"\1'", text)


def unguarded(text: str) -> str:
    """Return the text that `guarded` was given.

    >>> [unguarded(guarded(text)) for text in ("'=x", "＝1", "a;-1", "'Tis")]
    ["'=x", '＝1', 'a;-1', "'Tis"]
    """
    return _GUARDED.sub(r"\1", text)


class _Lines(list[str]):
    """What `csv.writer` writes to: it only needs `write`."""

    write = list.append
