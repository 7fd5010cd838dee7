r"""Read comma-separated tables, and write them so that no name runs as a formula.

A spreadsheet runs a cell that begins with a formula sign, even if a player entered the text as a name.
`format_csv` therefore puts an apostrophe before a formula sign at the start of a cell, or after a character
at which another program may split the cell. Text that already has such an apostrophe gets one more, so that
`unescape_formula` can restore every text.

>>> [escape_formula(text) for text in ("=SUM(A1)", "Bo;=1+1", "'=x", "-2.5", "Mira-Tomo")]
["'=SUM(A1)", "Bo;'=1+1", "''=x", '-2.5', 'Mira-Tomo']
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from tourney.decode import MAX_CELL, MAX_ROW_CELLS, check_limit, check_lines
from tourney.errors import TourneyError

Row = tuple[int, list[str]]
"""A row of a table: the number of the line on which it begins, from 1, and its cells."""


def format_csv(header: Sequence[str], rows: Iterable[Sequence[object]], *, end: str = "\n") -> str:
    """Return a table as comma-separated lines, with the header first and formulas escaped.

    end: the line end (RFC 4180 requires CR LF)
    """
    lines = _Lines()
    # With CR LF as its line end, the writer quotes every cell that contains a line end of any kind.
    writer = csv.writer(lines, lineterminator="\r\n")
    writer.writerow(map(escape_formula, header))
    writer.writerows(
        [escape_formula(cell) if isinstance(cell, str) else cell for cell in row] for row in rows
    )
    return "".join(line.removesuffix("\r\n") + end for line in lines)


class _Lines(list[str]):
    """A list of lines that serves as the file of `csv.writer`, which calls `write` for each row."""

    write = list.append


# -- formulas

_SIGNS = "=+@\\-＝＋－＠﹦﹢﹣﹫"
"""The signs that begin a formula. Some spreadsheets accept full-width and small forms."""

_CELL_START = r"((?:^|[;,|\t\r\n])[\s\"]*'*)"
_FORMULA = re.compile(rf"{_CELL_START}(?=[{_SIGNS}])")
_ESCAPED_FORMULA = re.compile(rf"{_CELL_START}'(?=[{_SIGNS}])")
_NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?")


@lru_cache(maxsize=1 << 16)  # the same names are escaped in every round
def escape_formula(text: str) -> str:
    """Return a cell's text, escaped so that it does not run as a formula; numbers are unchanged."""
    return text if _NUMBER.fullmatch(text) else _FORMULA.sub(r"\1'", text)


def unescape_formula(text: str) -> str:
    """Return the text that `escape_formula` was called with.

    >>> [unescape_formula(escape_formula(text)) for text in ("'=x", "＝1", "a;-1", "'Tis")]
    ["'=x", '＝1', 'a;-1', "'Tis"]
    """
    return _ESCAPED_FORMULA.sub(r"\1", text)


# -- reading


def parse_csv(
    text: str, *, delimiter: str = ",", source: str, quotes: bool = True, lenient: bool = False
) -> Iterator[Row]:
    r"""Yield the rows of a table (RFC 4180) that are not empty. Lines end in LF, CR or CR LF.

    A cell in quotation marks can contain the delimiter and line ends.

    quotes:  whether every cell that begins with a quotation mark is quoted. If false, only a cell that
             contains a line end can be quoted; spreadsheets write tab-separated files in this way
    lenient: whether to take a line with a misplaced quotation mark literally, without checking limits. This
             is for decklists, which are short

    Raises a TourneyError that names the file and line if a quotation mark is misplaced, or if a limit is
    exceeded.

    >>> list(parse_csv('name,club\n"Oake\nMira","Harbour, North"\nTomo,\n', source="x"))
    [(1, ['name', 'club']), (2, ['Oake\nMira', 'Harbour, North']), (4, ['Tomo', ''])]
    """
    if not lenient:
        check_lines(text, source=source)
    # `splitlines` would also split at characters that a cell may contain.
    lines = re.split(r"\r\n|\r|\n", text)
    if quotes:
        rows = _quoted_rows(lines, delimiter, source, lenient=lenient)
    else:
        rows = _unquoted_rows(lines, delimiter, source)
    for number, cells in rows:
        if not lenient:
            check_limit(len(cells), MAX_ROW_CELLS, "cells", source=f"{source}: line {number}")
        yield number, cells


def _quoted_rows(lines: list[str], delimiter: str, source: str, *, lenient: bool) -> Iterator[Row]:
    csv.field_size_limit(MAX_CELL)
    start = 0
    while start < len(lines):
        rest = (f"{lines[index]}\n" for index in range(start, len(lines)))
        reader = csv.reader(rest, delimiter=delimiter, strict=True, skipinitialspace=True)
        row_start = start
        try:
            for cells in reader:
                if cells:
                    yield row_start + 1, cells
                row_start = start + reader.line_num
        except csv.Error as error:
            if not lenient:
                raise _unreadable(source, row_start + 1, _explain(error)) from None
            yield row_start + 1, lines[row_start].split(delimiter)
            start = row_start + 1
        else:
            return


def _explain(error: csv.Error) -> str:
    message = str(error)
    if "field larger" in message:
        return f"a cell has more than {MAX_CELL:,} characters"
    if "unexpected end" in message:
        return 'a quotation mark is not closed (inside a quoted cell, write `""`)'
    if '"' in message:
        return 'text follows a closing quotation mark (inside a quoted cell, write `""`)'
    return message


def _unreadable(source: str, line: int, problem: str) -> TourneyError:
    return TourneyError(f"{source}: line {line}: not readable as a table: {problem}")


def _unquoted_rows(lines: list[str], delimiter: str, source: str) -> Iterator[Row]:
    index = 0
    while index < len(lines):
        number, cells = index + 1, lines[index].split(delimiter)
        index += 1
        while _is_open(cells[-1]) and (end := _closing_line(lines, index, delimiter)) is not None:
            first, *rest = lines[end].split(delimiter)
            quoted = "\n".join([cells[-1], *lines[index:end], first])
            cells = [*cells[:-1], quoted[1:-1].replace('""', '"'), *rest]
            index = end + 1
        if max(map(len, cells)) > MAX_CELL:
            raise _unreadable(source, number, f"a cell has more than {MAX_CELL:,} characters")
        if cells != [""]:
            yield number, cells


def _is_open(cell: str) -> bool:
    return cell.startswith('"') and cell.count('"') % 2 == 1


def _closing_line(lines: list[str], start: int, delimiter: str) -> int | None:
    """Return the index of the line in which a quoted cell ends.

    The cell begins with a quotation mark on a line before `start`. Returns None if no quotation mark ends
    the cell before the next delimiter. The first quotation mark is then part of the text.
    """
    for index in range(start, len(lines)):
        first, *rest = lines[index].split(delimiter)
        if first.count('"') % 2:
            return index if first.endswith('"') else None
        if rest:
            return None
    return None
