"""Splits lines into cells, and recognizes the headings of columns.

*Headings* are the names of columns (`Qty`, `Card`); a *header* names a zone (`Sideboard`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from tourney.cards.names import fold
from tourney.decks.reading.text import ListText, tidy, unmark
from tourney.decks.reading.words import folded, late, lists, squeeze
from tourney.spreadsheet import parse_csv, unescape_formula

WIDE = "  "
"""The delimiter of columns that are separated by two spaces or more."""
_SPACED = late(r"\S+(?: \S+)*")
_RULE = late(r"[\s|:+-]+|[\s|=+]+")


def cells_of(line: str, delimiter: str) -> list[str]:
    """Return the cells of one line; empty if the delimiter is a bar and the line has none.

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
    return next(_records([line], delimiter), (1, []))[1]


Row = tuple[int, list[str]]
"""The number of a line, and its cells without surplus spaces. A blank line has no cells."""
_EMPHASIS = late(r"^(\*\*|__)(.+)\1$")


def rows_of(text: ListText, delimiter: str, *, below: int = 0) -> Iterator[Row]:
    """Yield the rows of a text, or those below a line. Quoted cells may span lines."""
    lines = text.lines[below:]
    if delimiter in ("|", WIDE):
        for number, line in enumerate(lines, start=below + 1):
            if not is_border(line):
                cells = _bar_cells(line) if delimiter == "|" else cells_of(line, WIDE)
                yield number, list(map(_clean, cells))
        return
    last = below
    for place, cells in _records(lines, delimiter, text.source):
        number = place + below
        yield from ((blank, list[str]()) for blank in range(last + 1, number))
        last = number + sum(cell.count("\n") for cell in cells)
        yield number, list(map(_clean, cells))


def _records(lines: Iterable[str], delimiter: str, source: str = "") -> Iterator[Row]:
    return parse_csv("\n".join(lines), delimiter=delimiter, source=source, lenient=True)


def _clean(cell: str) -> str:
    return squeeze(tidy(unescape_formula(cell)))


def _bar_cells(line: str) -> list[str]:
    """Return the cells between bars, without emphasis; a line without bars is one cell."""
    cells = cells_of(line, "|") or [line.strip()]
    if sum(map(bool, cells)) == 1:
        return cells
    return [_EMPHASIS.sub(r"\2", unmark(cell)) for cell in cells]


def is_rule(line: str) -> bool:
    """Return whether the line is the rule below the headings of a table: `|---|:-:|`.

    >>> is_rule("|---|:-:|"), is_rule("+----+----+"), is_rule("| - Kite |"), is_rule("")
    (True, True, False, False)
    """
    return any(sign in line for sign in "-=") and _RULE.fullmatch(line) is not None


def is_border(line: str) -> bool:
    """Return whether the line is a border between the rows of a drawn table: `+----+----+`.

    >>> is_border("+----+----+"), is_border("|----|----|"), is_border("++++")
    (True, False, False)
    """
    return line.lstrip().startswith("+") and is_rule(line)


def cuts_a_bracket(cells: Sequence[str]) -> bool:
    """Return whether a bracket opens in one cell and closes in another.

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
    """Return the cells of lines with wide spaces; None for a line whose columns are unclear.

    A line with a cell for each column has its cells in order. In a shorter line, the position of a cell
    decides its column.

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
    edges = [(min(places), end) for places, end in zip(starts, ends, strict=True)]
    return [_in_columns(cells, edges, aligned=aligned) for cells in spans]


def _in_columns(
    cells: Sequence[tuple[int, str]], edges: Sequence[tuple[int, int]], *, aligned: bool
) -> list[str] | None:
    if len(cells) == len(edges):
        return [text for _, text in cells]
    row = [""] * len(edges)
    for start, text in cells:
        fitting = [column for column, (first, end) in enumerate(edges) if first - 1 <= start <= end]
        column = fitting[0] if aligned and len(fitting) == 1 else 0 if start == 0 else None
        if column is None or row[column]:
            return None
        row[column] = text
    return row


# -- the headings of columns


_HEADS = {meaning: tuple(map(fold, heads)) for meaning, heads in lists("columns").items()}
NAME_WORDS, COUNT_WORDS = frozenset(_HEADS["name"]), frozenset(_HEADS["count"])
COLUMN_WORDS = NAME_WORDS | COUNT_WORDS
SURE_COUNTS = folded("table", "sure-count")
"""Headings that can only mean copies, so that a second such column is a second count."""
_FINISH = late(r"\b(?:non)?(?:foils?|etched|holos?|premium|shiny|alt(?:ernate)?)\b")
_COUNTING = late(r"\b(?:count|quantity|qty|amount|copies|number)\b")


def columns_of_heads(cells: Sequence[str]) -> dict[str, int]:
    """Return the column of each meaning, recognized by the words in the headings."""
    heads = [fold(cell.replace("_", " ")) for cell in cells]
    columns: dict[str, int] = {}
    for meaning, words in _HEADS.items():
        place = next((heads.index(word) for word in words if word in heads), None)
        if place is not None and place not in columns.values():
            columns[meaning] = place
    if "count" not in columns or sum(head in NAME_WORDS for head in heads) != 1:
        return columns  # two names in a row: two lists side by side
    rest = [(place, head) for place, head in enumerate(heads) if place not in columns.values()]
    other = next((place for place, head in rest if head in SURE_COUNTS), None)
    shiny = next((place for place, head in rest if counts_a_finish(head)), None)
    extra = {"other": other, "shiny": shiny}
    return columns | {meaning: place for meaning, place in extra.items() if place is not None}


def counts_a_finish(head: str) -> bool:
    """Return whether a column or key is the number of copies with a finish: `Foil Quantity`.

    >>> [counts_a_finish(head) for head in ("Foil Quantity", "foilCount", "foil", "Quantity")]
    [True, True, False, False]
    """
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", head).lower()
    return bool(_FINISH.search(words) and _COUNTING.search(words))


def are_heads(cells: Sequence[str]) -> bool:
    """Return whether all cells are headings, including one for names: `Qty`, `Card`."""
    filled = [fold(cell) for cell in cells if cell.strip()]
    return any(cell in NAME_WORDS for cell in filled) and all(cell in COLUMN_WORDS for cell in filled)
