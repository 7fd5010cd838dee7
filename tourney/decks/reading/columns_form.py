"""Reads text in columns: lists next to each other, tables, lists with counts in a column.

`read_decks` tries these forms in order. Lists next to each other are unfolded: the lines of the first list
come first, then the lines of the second, each with its line number in the file. The result is read as plain
text.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from tourney.cards.names import fold
from tourney.decks.decklist import Decklist
from tourney.decks.reading.counts import is_only_a_count
from tourney.decks.reading.lines import is_total, remove_card_remark
from tourney.decks.reading.names import detect
from tourney.decks.reading.plain_form import read_plain
from tourney.decks.reading.tables import (
    COLUMN_WORDS,
    COUNT_WORDS,
    NAME_WORDS,
    WIDE,
    are_heads,
    cells_in_columns,
    columns_of_heads,
    cuts_a_bracket,
    is_rule,
    plain_spaces,
    read_headless,
    read_table,
    split_cells,
)
from tourney.decks.reading.text import (
    MAX_BYTES,
    MAX_LINE,
    ListForm,
    ListText,
    count_lines_to_read,
    tidy,
    unmark,
    unread_lines_message,
)
from tourney.decks.reading.vocabulary import Header, Vocabulary, read_header
from tourney.decks.reading.words import lazy_pattern, squeeze
from tourney.errors import Finding, Severity

_MAX_LETTERS = 1_000_000
_MAX_CODE = 5


def read_decks(text: ListText) -> list[Decklist]:
    """Read lists in columns; return no decks for any other text."""
    # The first lines have signs between cells, or some line has a wide space.
    first_lines = itertools.islice(filter(str.strip, text.lines), 20)
    if not ("\t" in text.text or any(map(_CELLS.search, first_lines)) or _WIDE_SPACE.search(text.text)):
        return []
    line_count = count_lines_to_read(text.lines, _MAX_LETTERS, longest=MAX_BYTES)
    text_part = replace(text, lines=[remove_card_remark(line) for line in text.lines[:line_count]])
    readers = (_read_side_by_side, read_table, read_headless)
    decks = next(filter(None, (reader(text_part) for reader in readers)), [])
    if not decks and (rows := join_counts_behind(text_part.lines)):
        decks = read_plain(text_part, numbered_lines=rows)
    if decks and line_count < len(text.lines):
        message = unread_lines_message(line_count, text.lines)
        unread_finding = Finding("line", Severity.ERROR, message, lines=(line_count,))
        decks[-1] = replace(decks[-1], findings=(*decks[-1].findings, unread_finding))
    return decks


FORM = ListForm(order=70, read=read_decks)


_CELLS = lazy_pattern(r"[\t|,;]")
_WIDE_SPACE = lazy_pattern(r"\S[^\S\n]{2,}\S|^[^\S\n]{2,}\S", re.M)


# -- lists next to each other


def _read_side_by_side(text: ListText) -> list[Decklist]:
    """Read lists that are next to each other; return no decks if there is only one list.

    Each list has a column of cells such as `4 Kite`, or a column of counts and a column of names, or only a
    column of names. Names without counts must be separated by tabs. In the other cases, commas, semicolons,
    bars or wide spaces are also accepted. Under zone headers, names can have any of these separators, too.
    There, columns of any other pattern form one list up to the next header.
    """
    filled_lines = [(number, line) for number, line in enumerate(text.lines, start=1) if line.strip()]
    if not filled_lines or any(len(line) > MAX_LINE for _, line in filled_lines):
        return []
    for delimiter in (*"\t|;,", WIDE):
        grid = _Grid(filled_lines, delimiter, text.vocabulary)
        if lines := grid.unfold():
            return read_plain(text, numbered_lines=lines, unclear=grid.unclear)
    return []


_COUNTED_CELL = lazy_pattern(r"\d{1,3}\s?[x×]?\s+[^\W\d_]|[^\W\d_].*\s[x×]\s?\d{1,3}$", re.I)
_NAME_CELL = lazy_pattern(r"[^\W\d_].*")


class _Grid:
    """The lines of a text that are not blank, as rows of cells with line numbers.

    unclear: the lines whose cells cannot be assigned to columns
    heads:   the indexes of rows with the zone headers of the lists
    names:   the indexes of rows with column headings, such as `Qty` and `Card`
    cards:   the cells of all other rows
    """

    def __init__(
        self, numbered_lines: Sequence[tuple[int, str]], delimiter: str, vocabulary: Vocabulary
    ) -> None:
        self.delimiter = delimiter
        self.vocabulary = vocabulary
        self.unclear: list[tuple[int, str]] = []
        self.rows = [row for row in self._rows(numbered_lines) if not self._is_rule_or_sums(row[1])]
        self.heads = [place for place, (_, cells) in enumerate(self.rows) if self._heads_zones(cells)]
        self.names = [place for place, (_, cells) in enumerate(self.rows) if self.heads and are_heads(cells)]
        above = {*self.heads, *self.names}
        self.cards = [cells for place, (_, cells) in enumerate(self.rows) if place not in above]

    def _rows(self, numbered_lines: Sequence[tuple[int, str]]) -> Iterator[tuple[int, list[str]]]:
        if self.delimiter == WIDE:
            columns = cells_in_columns([line for _, line in numbered_lines])
            for (number, line), cells in zip(numbered_lines, columns, strict=True):
                if cells is None:
                    self.unclear.append((number, line))
                else:
                    yield number, cells
            return
        for number, line in numbered_lines:
            cells = split_cells(line, self.delimiter) or [line]
            yield number, [squeeze(tidy(unmark(cell) if self.delimiter == "|" else cell)) for cell in cells]

    def _is_rule_or_sums(self, cells: Sequence[str]) -> bool:
        """Return whether a row has only lines of dashes (`---`), or only totals such as `Total 60`.

        Blank cells are ignored. A row with a single total does not count.
        """
        filled_cells = [cell for cell in cells if cell]
        return all(map(is_rule, filled_cells)) or (len(filled_cells) > 1 and all(map(is_total, filled_cells)))

    def _header(self, cell: str) -> Header | None:
        return read_header(cell, self.vocabulary) if cell else None

    def _zone(self, cell: str) -> str | None:
        header = self._header(cell)
        return fold(header.words) if header is not None and header.is_zone else None

    def _heads_zones(self, cells: Sequence[str]) -> bool:
        """Return whether the cells are headers of different zones. Ignores blank cells and `Qty`."""
        headers = [self._header(cell) for cell in cells if cell and fold(cell) not in COUNT_WORDS]
        zones = {fold(header.words) for header in headers if header is not None and header.is_zone}
        return len(zones) > 1 and len(zones) == len(headers)

    def unfold(self) -> list[tuple[int, str]]:
        """Return the lines of lists that are side by side, with line numbers, list after list.

        After a zone header that applies to all columns, this starts again with the first list. Returns an
        empty list if the text does not have several lists side by side.
        """
        width = max((len(cells) for _, cells in self.rows), default=0)
        if width < 2 or not self._has_delimiters():
            return []
        if self.delimiter in ",;|" and any(cuts_a_bracket(cells) for _, cells in self.rows):
            return []
        lists = self._columns_of_lists(width)
        if self.heads and not all(map(self._has_cards, lists)):
            return []
        lines: list[tuple[int, str]] = []
        zone: str | None = None
        for band in self._bands():
            first_row = self.rows[band.start][1] if band else []
            common_zone = self._zone(first_row[0]) if first_row and not any(first_row[1:]) else None
            zone_above = common_zone or zone
            for columns in lists:
                rows = self._lines_of(columns, band)
                if rows and zone != zone_above and self._zone(rows[0][1]) is None:
                    self.unclear.append(rows[0])
                zones = (below for _, line in reversed(rows) if (below := self._zone(line)))
                zone = next(zones, zone)
                lines.extend(rows)
        return lines

    def _bands(self) -> list[range]:
        """Split the rows at the zone headers that apply to all columns; return the ranges of rows.

        A header applies to all columns if it is in the first column and the rest of its row is blank.
        """
        alone = [
            place
            for place, (_, cells) in enumerate(self.rows)
            if cells[0] and not any(cells[1:]) and self._zone(cells[0])
        ]
        edges = [0, *(place for place in alone if place), len(self.rows)]
        return [range(start, end) for start, end in itertools.pairwise(edges)]

    def _lines_of(self, columns: Sequence[int], band: range) -> list[tuple[int, str]]:
        """Return the cells of one list as lines of text, each with its line number in the file.

        columns: the columns of the list; band: the rows to read
        """
        heads = {*(self.heads or [0]), *self.names}
        lines = []
        for place in band:
            number, cells = self.rows[place]
            list_cells = [cells[column] for column in columns if column < len(cells)]
            if line := _join_cells(list_cells, is_head=place in heads):
                lines.append((number, line))
        return lines

    def _has_cards(self, columns: Sequence[int]) -> bool:
        return any(cells[column] for cells in self.cards for column in columns if column < len(cells))

    def _has_delimiters(self) -> bool:
        """Return whether the delimiter seems to separate decklists that are side by side.

        It does if a row has the headers of several zones. Otherwise, a tab must be in at least one row. Wide
        spaces must be in at least two rows, and one of these rows must have a header. Any other delimiter
        must be in every row.
        """
        if self.heads:
            return True
        split_rows = [cells for _, cells in self.rows if len(cells) > 1]
        if self.delimiter == WIDE:
            rows = [cells for cells in split_rows if sum(map(bool, cells)) > 1]
            return len(rows) > 1 and any(map(self._has_header, rows))
        return bool(split_rows) and (self.delimiter == "\t" or len(split_rows) == len(self.rows))

    def _has_header(self, cells: Sequence[str]) -> bool:
        """Return whether at least one of the cells of a row is a header, such as `Sideboard`.

        If the first cell ends with a colon, as in `SB:`, it is a prefix of the line and not a header.
        """
        return any(
            self._header(cell) and (place > 0 or not cell.endswith(":")) for place, cell in enumerate(cells)
        )

    def _columns_of_lists(self, width: int) -> list[list[int]]:
        """Return the columns of each list in a text with several lists side by side.

        Returns an empty list if there is only one list, or if it is unclear which columns belong together.
        """
        kinds = [self._kind(place) for place in range(width)]
        places = [place for place, kind in enumerate(kinds) if kind]
        singles, pattern = [[place] for place in places], "".join(kinds)
        if re.fullmatch(r"b{2,}", pattern):
            # Between counted cards, commas could be part of a name.
            is_certain = self.delimiter in ("\t", WIDE) or self.heads or _have_counts(self.cards[-1])
            return singles if is_certain else []
        if not self.heads and self._heads_one_list(self.rows[0][1], len(places)):
            return []
        is_one_row = self.delimiter == "|" and len(self.cards) == 1 and not self.heads
        if re.fullmatch(r"(?:cw){2,}|(?:wc){2,}", pattern) and not is_one_row:
            return [places[start : start + 2] for start in range(0, len(places), 2)]
        have_names = self.heads or (self.delimiter == "\t" and _are_names(self.cards, places))
        if re.fullmatch(r"w{2,}", pattern) and have_names:
            return singles
        return self._columns_of_headers(width) if self.heads and re.fullmatch(r"[bcw]+", pattern) else []

    def _heads_one_list(self, cells: Sequence[str], columns: int) -> bool:
        """Return whether a row has the column headings of a single list."""
        meanings = columns_of_heads(cells).keys()
        names = sum(fold(cell) in NAME_WORDS for cell in cells)
        return bool(meanings - {"name", "count"}) or ("name" in meanings and names < columns // 2)

    def _columns_of_headers(self, width: int) -> list[list[int]]:
        """Return the range of columns under each header, up to the next header."""
        starts = [place for place, cell in enumerate(self.rows[self.heads[0]][1]) if cell]
        starts[0] = 0
        return [list(range(start, end)) for start, end in itertools.pairwise([*starts, width])]

    def _kind(self, place: int) -> str:
        """Return the kind of a column's contents; empty for an empty column.

        `c` means counts, `w` words, `b` a count and words in each cell, `?` anything else. Headers of zones
        and groups inside the column, such as `Sideboard`, are ignored. In a column of counts, the first cell
        can be the column's title. In a column of kind `b` with several cells, one cell can differ.
        """
        cells = [cells[place] for cells in self.cards if place < len(cells)]
        filled_cells = [cell for cell in cells if cell and not self._header(cell)]
        if not filled_cells:
            return ""
        have_both = [_COUNTED_CELL.match(cell) is not None for cell in filled_cells]
        counts = list(map(is_only_a_count, filled_cells))
        if sum(have_both) >= len(filled_cells) - 1 and (len(filled_cells) > 1 or have_both[0]):
            return "b"
        if all(len(cell) <= _MAX_CODE and cell.isupper() for cell in filled_cells):
            return "?"
        if any(counts) and all(counts[1:]):
            return "c"
        return "?" if any(counts) or not all(any(map(str.isalpha, cell)) for cell in filled_cells) else "w"


def _have_counts(cells: Sequence[str]) -> bool:
    """Return whether each filled cell has a count and a name."""
    return all(_COUNTED_CELL.match(cell) for cell in cells if cell)


def _are_names(rows: Sequence[Sequence[str]], places: Sequence[int]) -> bool:
    """Return whether every column seems to have card names, not counts.

    A column must have at least two cells, all different, and each cell must begin with a letter. Empty cells
    are ignored.

    places: the indexes of the columns
    """
    columns = [[cells[place] for cells in rows if place < len(cells) and cells[place]] for place in places]
    return all(
        len(column) > 1
        and len(set(map(fold, column))) == len(column)
        and all(_NAME_CELL.fullmatch(cell) for cell in column)
        for column in columns
    )


def _join_cells(cells: Sequence[str], *, is_head: bool) -> str:
    """Join one list's cells of a row into a line; empty for column headings (`Qty`, `Card`)."""
    filled_cells = [cell for cell in cells if cell]
    if is_head and len(filled_cells) > 1 and any(fold(cell) in COUNT_WORDS for cell in filled_cells):
        # The rest of `Qty, Main` is a header.
        filled_cells = [cell for cell in filled_cells if fold(cell) not in COUNT_WORDS]
    if is_head and all(fold(cell) in COLUMN_WORDS for cell in filled_cells):
        return ""
    counts = [cell for cell in filled_cells if is_only_a_count(cell)]
    return " ".join([*counts, *(cell for cell in filled_cells if cell not in counts)])


# -- one list with its counts in a column after the names


_COUNT_BEHIND = lazy_pattern(r"(?P<name>.*[^\W\d_].*?)(?P<gap> +)(?P<count>[x×]?\d{1,3}[x×]?)", re.I)
_MIN_GAP = 3


def join_counts_behind(lines: Sequence[str]) -> list[tuple[int, str]]:
    """Return the numbered lines of a list; counts in a column after the names become `Kite (4)`.

    A list has such a column only if several spaces separate at least two names from their counts.
    Returns an empty list if there is no such column.

    >>> join_counts_behind(["Kite          4", "Siege Hammer  2", "Bell"])
    [(1, 'Kite (4)'), (2, 'Siege Hammer (2)'), (3, 'Bell')]
    >>> join_counts_behind(["Unit 4", "Unit 5"])
    []
    """
    if any("\t" in line or len(line) > MAX_LINE for line in lines):
        return []
    tidy_lines = list(map(tidy, lines))
    matches = [_COUNT_BEHIND.fullmatch(plain_spaces(line).rstrip()) for line in lines]
    wide_matches = [match for match in matches if match and _is_wide(match)]
    are_all_wide = len(wide_matches) == sum(map(bool, tidy_lines))
    widest = max((len(match["gap"]) for match in wide_matches), default=0)
    if len(wide_matches) < 2 or not (are_all_wide or widest >= _MIN_GAP) or detect(tidy_lines).columns:
        return []
    starts, ends = {match.start("count") for match in wide_matches}, {match.end() for match in wide_matches}
    for index, match in enumerate(matches):
        if match and not is_total(lines[index]) and not _COUNTED_CELL.match(match["name"].strip()):
            in_column = starts == {match.start("count")} or ends == {match.end()}
            if in_column or _is_wide(match):
                tidy_lines[index] = f"{match['name'].strip()} ({match['count'].strip('xX×')})"
    return list(enumerate(tidy_lines, start=1))


def _is_wide(count_behind: re.Match[str]) -> bool:
    """Return whether two or more spaces separate a name from the count after it.

    Returns False if the name itself contains two spaces in a row.
    """
    return len(count_behind["gap"]) > 1 and WIDE not in count_behind["name"].strip()
