"""Lines as cells: parted by a delimiter, by bars, or by wide spaces, where the places of the cells say their columns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from tourney.decks.reading.lines import tidy
from tourney.decks.reading.names import squeeze
from tourney.spreadsheet import parse_csv

WIDE = "  "
"""The delimiter of columns that are parted by two spaces or more."""
_SPACED = re.compile(r"\S+(?: \S+)*")
_RULE = re.compile(r"[\s|:+-]+|[\s|=+]+")


def cells_of(line: str, delimiter: str) -> list[str]:
    """Return the cells of one line; none if its bars part nothing.

    >>> cells_of("| Kite | 4 |", "|"), cells_of("Kite   4", WIDE), cells_of('"Kite, Red",4', ",")
    (['Kite', '4'], ['Kite', '4'], ['Kite, Red', '4'])
    """
    if delimiter == WIDE:
        return _SPACED.findall(plain_spaces(line))
    if delimiter == "|":
        inner = line.strip()
        framed = inner.startswith("|")
        inner = inner.removeprefix("|").removesuffix("|") if framed else inner
        return [cell.strip() for cell in inner.split("|")] if framed or "|" in inner else []
    return next(records([line], delimiter), (1, []))[1]


def records(lines: Iterable[str], delimiter: str, source: str = "") -> Iterator[tuple[int, list[str]]]:
    """Yield each record with the number of its first line; quoted cells may span lines."""
    return parse_csv("\n".join(lines), delimiter=delimiter, source=source, lenient=True)


def is_rule(line: str) -> bool:
    """Return whether the line is the rule below the heads of a table: `|---|:-:|`.

    >>> is_rule("|---|:-:|"), is_rule("+----+----+"), is_rule("| - Kite |"), is_rule("")
    (True, True, False, False)
    """
    return any(sign in line for sign in "-=") and _RULE.fullmatch(line) is not None


def is_border(line: str) -> bool:
    """Return whether the line is drawn between the rows of a table: `+----+----+`; it parts nothing.

    >>> is_border("+----+----+"), is_border("|----|----|"), is_border("++++")
    (True, False, False)
    """
    return line.lstrip().startswith("+") and is_rule(line)


def cuts_a_bracket(cells: Sequence[str]) -> bool:
    """Return whether a bracket opens in one cell and closes in another: its comma separates no cells.

    >>> cuts_a_bracket(["Kite (3", "4)"]), cuts_a_bracket(["Kite (3)", "4"])
    (True, False)
    """
    return any(
        cell.count(opens) != cell.count(closes) for cell in cells for opens, closes in ("()", "[]", "{}")
    )


def plain_spaces(line: str) -> str:
    """Return the line with plain spaces and without tabs, each letter in its column."""
    return "".join(" " if letter.isspace() else letter for letter in line.expandtabs(8))


def cells_in_columns(lines: Sequence[str]) -> list[list[str] | None]:
    """Return the cells of lines whose columns are parted by wide spaces; None for a line whose columns are unclear.

    A line with a cell for every column gives them in order. In a shorter one, the place of each cell says its column.

    >>> cells_in_columns(["Kite   Bell", "Oak    Hare", "       Goat", "Drum"])
    [['Kite', 'Bell'], ['Oak', 'Hare'], ['', 'Goat'], ['Drum', '']]
    >>> cells_in_columns(["Kite  Bell", "Siege Hammer  Hare", "    Goat"])
    [['Kite', 'Bell'], ['Siege Hammer', 'Hare'], None]
    """
    spans = [
        [(cell.start(), squeeze(tidy(cell[0]))) for cell in _SPACED.finditer(plain_spaces(line))]
        for line in lines
    ]
    width = max(map(len, spans), default=0)
    full = [cells for cells in spans if len(cells) == width]
    starts = [[cells[column][0] for cells in full] for column in range(width)]
    ends = [max(cells[column][0] + len(cells[column][1]) for cells in full) for column in range(width)]
    aligned = all(ends[column] < min(starts[column + 1]) for column in range(width - 1))
    begins = [min(places) for places in starts]
    return [_placed(cells, begins, ends, aligned=aligned) for cells in spans]


def _placed(
    cells: Sequence[tuple[int, str]], begins: Sequence[int], ends: Sequence[int], *, aligned: bool
) -> list[str] | None:
    row = [""] * len(begins)
    if len(cells) == len(begins):
        return [text for _, text in cells]
    for start, text in cells:
        fitting = [
            column
            for column, (first, end) in enumerate(zip(begins, ends, strict=True))
            if first - 1 <= start <= end
        ]
        column = fitting[0] if aligned and len(fitting) == 1 else 0 if start == 0 else None
        if column is None or row[column]:
            return None
        row[column] = text
    return row
