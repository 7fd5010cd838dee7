"""Lists side by side, as pasted from spreadsheets and forums, and lists with their counts in a column.

The columns are unfolded: the first list's lines, then the second's, each with the number of the line it is from.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from tourney.cards.names import fold
from tourney.decks.decklist import Decklist
from tourney.decks.reading.builder import ListText
from tourney.decks.reading.cells import (
    WIDE,
    cells_in_columns,
    cells_of,
    cuts_a_bracket,
    is_rule,
    plain_spaces,
)
from tourney.decks.reading.counts import is_only_a_count
from tourney.decks.reading.lines import (
    LONGEST_LINE,
    Header,
    Vocabulary,
    read_header,
    says_total,
    tidy,
    unmark,
)
from tourney.decks.reading.names import detect, squeeze
from tourney.decks.reading.plain import read_plain
from tourney.decks.reading.tables import COLUMN_WORDS, COUNT_WORDS, NAME_WORDS, columns_of_heads
from tourney.errors import Finding, Severity

_LONGEST_CODE = 5


def read_side_by_side(text: ListText) -> list[Decklist]:
    """Read lists that are side by side; return no decks if there is only one list.

    Count and name (or name and count) twice or more on each line, or names only, between tabs, or, with counts,
    between commas, semicolons, bars or wide spaces; or any columns below the headers of two zones.
    """
    filled = [(number, line) for number, line in enumerate(text.lines, start=1) if line.strip()]
    if not filled or any(len(line) > LONGEST_LINE for _, line in filled):
        return []
    for delimiter in (*"\t|;,", WIDE):
        grid = _Grid(filled, delimiter, text.vocabulary)
        if lines := grid.unfolded():
            return grid.with_findings(read_plain(text, beside=lines))
    return []


class _Grid:
    """The filled lines of a text as rows of cells.

    rows: each with the number of its line
    unclear: the lines whose cells are in no clear column
    heads: the places of the rows that are the headers of zones, one for each list
    names: the places of rows below them that name the columns of each list
    """

    def __init__(self, filled: Sequence[tuple[int, str]], delimiter: str, vocabulary: Vocabulary) -> None:
        self.delimiter = delimiter
        self.vocabulary = vocabulary
        self.unclear: list[tuple[int, str]] = []
        self.rows = [row for row in self._rows(filled) if not self._says_no_card(row[1])]
        self.heads = [place for place, (_, cells) in enumerate(self.rows) if self._heads_zones(cells)]
        self.names = [
            place
            for place, (_, cells) in enumerate(self.rows)
            if self.heads
            and all(fold(cell) in COLUMN_WORDS for cell in cells if cell)
            and NAME_WORDS & set(map(fold, cells))
        ]

    def _rows(self, filled: Sequence[tuple[int, str]]) -> Iterator[tuple[int, list[str]]]:
        if self.delimiter == WIDE:
            for (number, line), cells in zip(
                filled, cells_in_columns([line for _, line in filled]), strict=True
            ):
                if cells is None:
                    self.unclear.append((number, line))
                else:
                    yield number, cells
            return
        for number, line in filled:
            cells = cells_of(line, self.delimiter) or [line]
            yield number, [squeeze(tidy(unmark(cell) if self.delimiter == "|" else cell)) for cell in cells]

    def _says_no_card(self, cells: Sequence[str]) -> bool:
        """Return whether a row is a rule below heads, or the sums below the lists."""
        kept = [cell for cell in cells if cell]
        return all(map(is_rule, kept)) or (len(kept) > 1 and all(map(says_total, kept)))

    def _header(self, cell: str) -> Header | None:
        return read_header(cell, self.vocabulary) if cell else None

    def _heads_zones(self, cells: Sequence[str]) -> bool:
        """Return whether each filled cell is the header of a zone, and there are two or more of them."""
        headers = [self._header(cell) for cell in cells if cell and fold(cell) not in COUNT_WORDS]
        zones = {fold(header.words) for header in headers if header is not None and header.zone}
        return len(zones) > 1 and len(zones) == len(headers)

    def unfolded(self) -> list[tuple[int, str]]:
        """Return the lines of the first list, then of the second; no lines if there is only one list."""
        width = max((len(cells) for _, cells in self.rows), default=0)
        if width < 2 or not self._may_be_beside():
            return []
        if self.delimiter in ",;|" and any(cuts_a_bracket(cells) for _, cells in self.rows):
            return []
        blocks = self._blocks()
        if self.heads and not all(map(self._has_cards, blocks)):
            return []
        lines: list[tuple[int, str]] = []
        zone: str | None = None
        for band in self._bands():
            alone = self.rows[band.start][1] if band else []
            spanning = self._zone(alone[0]) if alone and not any(alone[1:]) else None
            began_in = spanning or zone
            for block in blocks:
                column = self._column(block, band)
                first = self._zone(column[0][1]) if column else None
                if column and zone != began_in and first is None:
                    self.unclear.append(column[0])
                zone = next((found for _, line in reversed(column) if (found := self._zone(line))), zone)
                lines.extend(column)
        return lines

    def _bands(self) -> list[range]:
        """Return the rows between headers that are alone in the first column: such a header applies to all columns."""
        alone = [
            place
            for place, (_, cells) in enumerate(self.rows)
            if cells[0] and not any(cells[1:]) and self._zone(cells[0])
        ]
        edges = [0, *(place for place in alone if place), len(self.rows)]
        return [range(start, end) for start, end in itertools.pairwise(edges)]

    def _column(self, block: Sequence[int], band: range) -> list[tuple[int, str]]:
        """Return one list's lines in a band of rows."""
        heads = {*(self.heads or [0]), *self.names}
        rows = ((place, *self.rows[place]) for place in band)
        written = (
            (number, _unfolded([cells[place] for place in block if place < len(cells)], head=row in heads))
            for row, number, cells in rows
        )
        return [(number, line) for number, line in written if line]

    def _zone(self, line: str) -> str | None:
        header = self._header(line)
        return fold(header.words) if header is not None and header.zone else None

    def _has_cards(self, block: Sequence[int]) -> bool:
        rows = (
            cells for place, (_, cells) in enumerate(self.rows) if place not in {*self.heads, *self.names}
        )
        return any(cells[place] for cells in rows for place in block if place < len(cells))

    def _may_be_beside(self) -> bool:
        """Return whether the lines have the delimiter: all of them, unless headers say that lists are below."""
        several = sum(len(cells) > 1 for _, cells in self.rows)
        if self.heads:
            return True
        if self.delimiter == WIDE:
            rows = [cells for _, cells in self.rows if sum(map(bool, cells)) > 1]
            return len(rows) > 1 and any(map(self._has_header, rows))
        return bool(several) and (self.delimiter == "\t" or several == len(self.rows))

    def _has_header(self, cells: Sequence[str]) -> bool:
        """Return whether one of several cells is a header; `SB:` before a card is the prefix of its line."""
        return any(
            self._header(cell) and (place > 0 or not cell.endswith(":")) for place, cell in enumerate(cells)
        )

    def _blocks(self) -> list[list[int]]:
        """Return the columns of each list; no columns if there is only one list or their kinds are unclear."""
        rows = [
            cells for place, (_, cells) in enumerate(self.rows) if place not in {*self.heads, *self.names}
        ]
        width = max(len(cells) for _, cells in self.rows)
        kinds = [
            kind
            for place in range(width)
            if (kind := (place, self._kind([cells[place] for cells in rows if place < len(cells)])))[1]
        ]
        pattern, places = "".join(kind for _, kind in kinds), [place for place, _ in kinds]
        if re.fullmatch(r"b{2,}", pattern):
            return [[place] for place in places] if self._is_counted_throughout(rows) else []
        first = self.rows[0][1]
        columns = {} if self.heads else columns_of_heads(first)
        if columns.keys() - {"name", "count"} or (
            "name" in columns and sum(fold(cell) in NAME_WORDS for cell in first) < len(places) // 2
        ):
            return []  # a table of one list, by the names of its columns
        alone = self.delimiter == "|" and len(rows) == 1 and not self.heads
        if re.fullmatch(r"(?:cw){2,}|(?:wc){2,}", pattern) and not alone:
            return [places[start : start + 2] for start in range(0, len(places), 2)]
        names_only = re.fullmatch(r"w{2,}", pattern) and (self.delimiter == "\t" or bool(self.heads))
        if names_only and (self.heads or _are_names(rows, places)):
            return [[place] for place in places]
        return self._headed_blocks(width) if self.heads and re.fullmatch(r"[bcw]+", pattern) else []

    def _headed_blocks(self, width: int) -> list[list[int]]:
        """Return the columns from each header to the next one."""
        starts = [place for place, cell in enumerate(self.rows[self.heads[0]][1]) if cell]
        starts[0] = 0
        return [list(range(start, end)) for start, end in zip(starts, [*starts[1:], width], strict=True)]

    def _is_counted_throughout(self, rows: Sequence[Sequence[str]]) -> bool:
        """Return whether commas and semicolons between counted cards part cards, not the words of a name."""
        return self.delimiter in ("\t", WIDE) or bool(self.heads) or _is_counted(rows[-1])

    def _kind(self, cells: Sequence[str]) -> str:
        """Return what a column holds: `c` counts, `w` words, `b` counts and words in one cell, `?` something else.

        Headers are left out, and the first cell may be words that head the column; empty for a column of nothing.
        """
        filled = [cell for cell in cells if cell and not self._header(cell)]
        counts = [cell for cell in filled if is_only_a_count(cell)]
        if not filled:
            return ""
        if sum(map(bool, map(_COUNTED_CELL.match, filled))) >= len(filled) - 1 and (
            len(filled) > 1 or _COUNTED_CELL.match(filled[0])
        ):
            return "b"
        if all(len(cell) <= _LONGEST_CODE and cell.isupper() for cell in filled):
            return "?"
        if (
            counts
            and len(counts) >= len(filled) - 1
            and (len(counts) == len(filled) or not is_only_a_count(filled[0]))
        ):
            return "c"
        return "?" if counts or not all(any(letter.isalpha() for letter in cell) for cell in filled) else "w"

    def with_findings(self, decks: list[Decklist]) -> list[Decklist]:
        """Return the decks, the first with a finding for each line whose columns are unclear."""
        faults = tuple(
            Finding(
                rule="line",
                severity=Severity.ERROR,
                message=f"`{squeeze(tidy(line))[:40]}`: nothing says in which list or zone it is, of those side by side",
                lines=(number,),
                hint="put one list below the other",
            )
            for number, line in self.unclear
        )
        if not faults:
            return decks
        findings = sorted((*decks[0].findings, *faults), key=lambda finding: finding.lines)
        account = dict(decks[0].account) | {number: "finding" for number, _ in self.unclear}
        first = replace(decks[0], findings=tuple(findings), account=tuple(sorted(account.items())))
        return [first, *decks[1:]]


_COUNTED_CELL = re.compile(r"\d{1,3}\s?[x×]?\s+[^\W\d_]|[^\W\d_].*\s[x×]\s?\d{1,3}$", re.I)
_TABBED_NAME = re.compile(r"[^\W\d_].*")


def _is_counted(cells: Sequence[str]) -> bool:
    """Return whether each filled cell has a count and a name."""
    return all(_COUNTED_CELL.match(cell) for cell in cells if cell)


def _are_names(rows: Sequence[Sequence[str]], places: Sequence[int]) -> bool:
    """Return whether each column holds names: several, none of them twice in its column, none a count with a name."""
    columns = [[cells[place] for cells in rows if place < len(cells) and cells[place]] for place in places]
    return all(
        len(column) > 1
        and len(set(map(fold, column))) == len(column)
        and all(_TABBED_NAME.fullmatch(cell) for cell in column)
        for column in columns
    )


def _unfolded(cells: Sequence[str], *, head: bool) -> str:
    """Write one list's cells of a row as a line; empty for the heads of columns (`Qty`, `Card`)."""
    filled = [cell for cell in cells if cell]
    if head and len(filled) > 1 and any(fold(cell) in COUNT_WORDS for cell in filled):
        filled = [
            cell for cell in filled if fold(cell) not in COUNT_WORDS
        ]  # `Qty, Main`: what is left heads the list
    if head and all(fold(cell) in COLUMN_WORDS for cell in filled):
        return ""
    counts = [cell for cell in filled if is_only_a_count(cell)]
    return " ".join([*counts, *(cell for cell in filled if cell not in counts)])


# -- One list with its counts in a column behind the names


_COUNT_BEHIND = re.compile(r"(?P<gap> +)(?P<count>[x×]?\d{1,3}[x×]?)$", re.I)
_WIDE_GAP = 3


class _Behind(NamedTuple):
    """A line with a number behind its words: where the number begins and ends, and how wide the gap before it is."""

    name: str
    copies: str
    gap: int
    start: int
    end: int

    @property
    def is_wide(self) -> bool:
        return self.gap > 1 and WIDE not in self.name


def count_columns(lines: Sequence[str]) -> list[tuple[int, str]]:
    """Return the lines with each count that is in a column behind the names as `Kite (4)`; none if there is no such column.

    >>> count_columns(["Kite          4", "Siege Hammer  2", "Bell"])
    [(1, 'Kite (4)'), (2, 'Siege Hammer (2)'), (3, 'Bell')]
    >>> count_columns(["Unit 4", "Unit 5"])
    []
    """
    if any("\t" in line or len(line) > LONGEST_LINE for line in lines):
        return []
    behind = [_count_behind(line) for line in lines]
    wide = [each for each in behind if each is not None and each.is_wide]
    filled = sum(bool(tidy(line)) for line in lines)
    narrow = len(wide) < filled and max((each.gap for each in wide), default=0) < _WIDE_GAP
    if len(wide) < 2 or narrow or detect([*map(tidy, lines)]).columns:
        return []
    starts, ends = {each.start for each in wide}, {each.end for each in wide}
    unfolded = []
    for number, (line, each) in enumerate(zip(lines, behind, strict=True), start=1):
        text = tidy(line)
        if each is not None and not says_total(line):
            in_column = starts == {each.start} or ends == {each.end}
            if (each.is_wide or in_column) and not _COUNTED_CELL.match(each.name):
                text = f"{each.name} ({each.copies.strip('xX×')})"
        unfolded.append((number, text))
    return unfolded


def _count_behind(line: str) -> _Behind | None:
    shown = plain_spaces(line).rstrip()
    match = _COUNT_BEHIND.search(shown)
    if match is None or not any(map(str.isalpha, shown[: match.start()])):
        return None
    name = shown[: match.start()].strip()
    return _Behind(name, match["count"], len(match["gap"]), match.start("count"), len(shown))
