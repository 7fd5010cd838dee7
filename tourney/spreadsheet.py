r"""Tables as comma-separated lines: read cell by cell, and written so that no name is ever run as a formula.

A spreadsheet takes a cell that begins with a formula's sign for a formula, whoever wrote it. So an apostrophe goes
before such a sign, at the start of a cell and after whatever another locale or a paste splits cells at; taking one
apostrophe away again gives the text as it was, because text that looks guarded already gets one more.

>>> escape_formula("=SUM(A1)"), escape_formula("Bo;=1+1"), escape_formula("'=x"), escape_formula("-2.5"), escape_formula("Mira-Tomo")
("'=SUM(A1)", "Bo;'=1+1", "''=x", '-2.5', 'Mira-Tomo')
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from tourney.decode import MAX_CELL, MAX_ROW_CELLS, check_lines
from tourney.errors import TourneyError

_SIGNS = "=+@\\-＝＋－＠﹦﹢﹣﹫"
"""What begins a formula: the signs, and their full-width and small forms, which some spreadsheets read alike."""


_STARTS = r"((?:^|[;,|\t\r\n])[\s\"]*'*)"


_FORMULA = re.compile(rf"{_STARTS}(?=[{_SIGNS}])")


_GUARDED = re.compile(rf"{_STARTS}'(?=[{_SIGNS}])")


_NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?")


def format_csv(header: Sequence[str], rows: Iterable[Sequence[object]], *, end: str = "\n") -> str:
    """Return a table as comma-separated lines, its header first. end: of a line (RFC 4180: CR LF)."""
    import csv

    lines = _Lines()
    # With CR LF the writer puts every cell with a line end of any kind in quotation marks.
    writer = csv.writer(lines, lineterminator="\r\n")
    writer.writerow(map(escape_formula, header))
    writer.writerows(
        [escape_formula(cell) if isinstance(cell, str) else cell for cell in row] for row in rows
    )
    return "".join(line.removesuffix("\r\n") + end for line in lines)


class _Lines(list[str]):
    """What `csv.writer` writes to: it only needs `write`."""

    write = list.append


@lru_cache(maxsize=1 << 16)  # the same names stand in every round
def escape_formula(text: str) -> str:
    """Return a cell's text as no spreadsheet runs it; numbers stay as they are."""
    return text if _NUMBER.fullmatch(text) else _FORMULA.sub(r"\1'", text)


def unescape_formula(text: str) -> str:
    """Return the text that `escape_formula` was given.

    >>> [unescape_formula(escape_formula(text)) for text in ("'=x", "＝1", "a;-1", "'Tis")]
    ["'=x", '＝1', 'a;-1', "'Tis"]
    """
    return _GUARDED.sub(r"\1", text)


# -- Reading


def parse_csv(
    text: str, *, delimiter: str = ",", source: str, quotes: bool = True, lenient: bool = False
) -> Iterator[tuple[int, list[str]]]:
    r"""Give each filled line of a table as its cells, with the number of the line it begins on (RFC 4180).

    A cell in quotation marks may hold the delimiter and line ends and stays one cell; lines end in LF, CR or CR LF.
    quotes:  whether a quotation mark opens a cell at all. Without (tab-separated files, where it belongs to the text)
             only a cell that goes on over line ends and closes there is taken as quoted, as spreadsheets write it.
    lenient: take a line as it stands, marks as letters, where a mark is never closed, or closed inside a cell

    Raises TourneyError with file and line for such a mark, and for a cell longer than LONGEST_CELL.

    >>> list(parse_csv('name,club\n"Oake\nMira","Harbour, North"\nTomo,\n', source="x"))
    [(1, ['name', 'club']), (2, ['Oake\nMira', 'Harbour, North']), (4, ['Tomo', ''])]
    """
    if not lenient:  # a decklist is short
        check_lines(text, source=source)
    # Not `splitlines`: that also breaks at letters a cell may hold.
    lines = re.split(r"\r\n|\r|\n", text)
    records = (
        _unquoted(lines, delimiter, source)
        if not quotes
        else _quoted(lines, delimiter, source, lenient=lenient)
    )
    for number, cells in records:
        if len(cells) > MAX_ROW_CELLS and not lenient:
            raise TourneyError(
                f"{source}: line {number}: {len(cells):,} cells, a row has at most {MAX_ROW_CELLS:,}"
            )
        yield number, cells


def _quoted(
    lines: list[str], delimiter: str, source: str, *, lenient: bool
) -> Iterator[tuple[int, list[str]]]:
    begins = 0
    while begins < len(lines):
        try:
            for number, cells in _records(lines, begins, delimiter):
                yield number + 1, cells
        except _UnreadableError as fault:
            begins = fault.begins
            if not lenient:
                raise TourneyError(
                    f"{source}: line {begins + 1}: not readable as a table: {fault}", fault.hint
                ) from None
            yield begins + 1, lines[begins].split(delimiter)
            begins += 1
        else:
            return


class _UnreadableError(Exception):
    """A record that is none. begins: its first line, from 0."""

    def __init__(self, fault: str, begins: int) -> None:
        self.begins = begins
        open_end = "unexpected end" in fault
        self.hint = (
            'a quotation mark inside a quoted cell is doubled: `"the ""Fox"" Oake"`'
            if open_end or '"' in fault
            else None
        )
        super().__init__("a quotation mark opens a cell and none closes it" if open_end else fault)


def _records(lines: list[str], first: int, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    import csv

    csv.field_size_limit(MAX_CELL)
    rest = (f"{lines[place]}\n" for place in range(first, len(lines)))
    reader = csv.reader(rest, delimiter=delimiter, strict=True, skipinitialspace=True)
    begins = first
    try:
        for cells in reader:
            if cells:
                yield begins, cells
            begins = first + reader.line_num
    except csv.Error as fault:
        raise _UnreadableError(str(fault), begins) from None


def _unquoted(lines: list[str], delimiter: str, source: str) -> Iterator[tuple[int, list[str]]]:
    place = 0
    while place < len(lines):
        number, cells = place + 1, lines[place].split(delimiter)
        place += 1
        while _opens(cells[-1]) and (end := _closing(lines, place, delimiter)) is not None:
            first, *rest = lines[end].split(delimiter)
            whole = "\n".join([cells[-1], *lines[place:end], first])
            cells = [*cells[:-1], whole[1:-1].replace('""', '"'), *rest]
            place = end + 1
        if max(map(len, cells)) > MAX_CELL:
            message = f"not readable as a table: field larger than {MAX_CELL:,} letters"
            raise TourneyError(f"{source}: line {number}: {message}")
        if cells != [""]:
            yield number, cells


def _opens(cell: str) -> bool:
    return cell.startswith('"') and cell.count('"') % 2 == 1


def _closing(lines: list[str], place: int, delimiter: str) -> int | None:
    """Return the line on which a cell that was opened before `place` closes; None if another cell comes first."""
    for number in range(place, len(lines)):
        first, *rest = lines[number].split(delimiter)
        if first.count('"') % 2:
            return number if first.endswith('"') else None
        if rest:
            return None
    return None
