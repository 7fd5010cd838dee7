"""Reads tables: CSV, TSV, Markdown and wide spaces, with or without column headings.

*Headings* are the names of columns (`Qty`, `Card`); a *header* names a zone (`Sideboard`). A row can name its
zone in a column of zones, of categories, or of unknown meaning. A table can also have columns for single
zones, with counts (`Maindeck`, `Side Qty`) or with yes and no (`Sideboard?`). Otherwise, the zone of a row is
that of the last header above the row.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from msgspec import structs
from msgspec.structs import replace

from tourney.cards.names import fold
from tourney.decks.decklist import Decklist, ParsedName, PrintMark
from tourney.decks.reading.builder import DeckBuilder, unknown_group
from tourney.decks.reading.counts import is_only_a_count
from tourney.decks.reading.lines import LineKind, classify, is_total, is_word_for_total
from tourney.decks.reading.names import PLAIN, join_subtitle, parse_field
from tourney.decks.reading.roles import MAX_SIDE
from tourney.decks.reading.text import MAX_LINE, ListText, tidy, unmark
from tourney.decks.reading.vocabulary import (
    ABOUT_THE_DECK,
    NEVER_SORTED,
    Header,
    Vocabulary,
    general_kind,
    is_never_a_name,
    read_header,
)
from tourney.decks.reading.words import folded_words, lazy_pattern, lists, pattern, squeeze
from tourney.decode import MAX_DIGITS
from tourney.spreadsheet import parse_csv, unescape_formula

WIDE = "  "
"""The delimiter of columns that are separated by two spaces or more."""
_SPACED = lazy_pattern(r"\S+(?: \S+)*")
_RULE = lazy_pattern(r"[\s|:+-]+|[\s|=+]+")


def split_cells(line: str, delimiter: str) -> list[str]:
    """Return the cells of one line; empty if the delimiter is a bar and the line has none.

    >>> split_cells("| Kite | 4 |", "|"), split_cells("Kite   4", WIDE), split_cells('"Kite, Red",4', ",")
    (['Kite', '4'], ['Kite', '4'], ['Kite, Red', '4'])
    """
    if delimiter == WIDE:
        return _SPACED.findall(plain_spaces(line))
    if delimiter == "|":
        inner = line.strip()
        has_frame = inner.startswith("|")
        inner = inner.removeprefix("|").removesuffix("|") if has_frame else inner
        return [cell.strip() for cell in inner.split("|")] if has_frame or "|" in inner else []
    return next(records([line], delimiter), (1, []))[1]


def records(lines: Iterable[str], delimiter: str, source: str = "") -> Iterator[tuple[int, list[str]]]:
    """Yield each record with the number of its first line. Quoted cells may span lines."""
    return parse_csv("\n".join(lines), delimiter=delimiter, source=source, lenient=True)


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
    """Return whether any cell has more opening than closing brackets of a kind, or fewer.

    The kinds are `()`, `[]` and `{}`. Such a cell suggests that a delimiter inside brackets was read as the
    end of a cell.

    >>> cuts_a_bracket(["Kite (3", "4)"]), cuts_a_bracket(["Kite (3)", "4"])
    (True, False)
    """
    return any(
        cell.count(opens) != cell.count(closes) for cell in cells for opens, closes in ("()", "[]", "{}")
    )


def plain_spaces(line: str) -> str:
    """Return the line with spaces instead of tabs and other white space; columns stay aligned."""
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
    is_aligned = all(ends[column] < min(starts[column + 1]) for column in range(width - 1))
    edges = [(min(places), end) for places, end in zip(starts, ends, strict=True)]
    return [_align_cells(cells, edges, is_aligned=is_aligned) for cells in spans]


def _align_cells(
    cells: Sequence[tuple[int, str]], edges: Sequence[tuple[int, int]], *, is_aligned: bool
) -> list[str] | None:
    if len(cells) == len(edges):
        return [text for _, text in cells]
    row = [""] * len(edges)
    for start, text in cells:
        candidates = [column for column, (first, end) in enumerate(edges) if first - 1 <= start <= end]
        column = candidates[0] if is_aligned and len(candidates) == 1 else 0 if start == 0 else None
        if column is None or row[column]:
            return None
        row[column] = text
    return row


# -- the headings of columns


_HEADS = {meaning: tuple(map(fold, heads)) for meaning, heads in lists("columns").items()}
NAME_WORDS, COUNT_WORDS = frozenset(_HEADS["name"]), frozenset(_HEADS["count"])
COLUMN_WORDS = NAME_WORDS | COUNT_WORDS
SURE_COUNTS = folded_words("table", "sure-count")
"""Headings that can only mean copies. A second column with such a heading is a second count."""
_FINISH = lazy_pattern(r"\b(?:non)?(?:foils?|etched|holos?|premium|shiny|alt(?:ernate)?)\b")
_COUNTING = lazy_pattern(r"\b(?:count|quantity|qty|amount|copies|number)\b")


def columns_of_heads(cells: Sequence[str]) -> dict[str, int]:
    """Return the column of each meaning (`name`, `count` …), by the words in the headings."""
    heads = [fold(cell.replace("_", " ")) for cell in cells]
    columns: dict[str, int] = {}
    for meaning, words in _HEADS.items():
        place = next((heads.index(word) for word in words if word in heads), None)
        if place is not None and place not in columns.values():
            columns[meaning] = place
    if "count" not in columns or sum(head in NAME_WORDS for head in heads) != 1:
        return columns  # two names in a row: two lists side by side
    rest = [(place, head) for place, head in enumerate(heads) if place not in columns.values()]
    second_count = next((place for place, head in rest if head in SURE_COUNTS), None)
    finish_count = next((place for place, head in rest if counts_a_finish(head)), None)
    extra = {"other": second_count, "shiny": finish_count}
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
    filled_cells = [fold(cell) for cell in cells if cell.strip()]
    return any(cell in NAME_WORDS for cell in filled_cells) and all(
        cell in COLUMN_WORDS for cell in filled_cells
    )


_DELIMITERS = (*",;\t|", WIDE)
_SEPARATOR_LINE = lazy_pattern(r"\"?sep=.\"?", re.I)
"""Excel's first line, which names the delimiter."""
_YES = folded_words("table", "yes")
_NO = folded_words("table", "no") | {""}
_PLAIN_FINISHES = _NO | folded_words("table", "plain-finish")
_NO_COPIES = frozenset({"", "-", "–", "—", "/", "n/a", "N/A", "none", "0"})
_SEPARATOR = lazy_pattern(r"[-–—=*_~:.·]{2,}|[–—]|(?:[-=*] ){2,}[-=*]")


_Row = Mapping[str, str]
"""One record: the meaning of a column → the cell."""


def _row(cells: Sequence[str], columns: Mapping[str, int]) -> _Row:
    return {meaning: _cell(cells, place) for meaning, place in columns.items()}


def _cell(cells: Sequence[str], place: int) -> str:
    return squeeze(tidy(unescape_formula(cells[place]))) if place < len(cells) else ""


def _parse_card(words: str, row: _Row) -> ParsedName:
    """Return the card of a row: its name or code, its subtitle, its printing and its finish."""
    printing = PrintMark(row.get("set") or None, row.get("number") or None)
    subtitle, code = row.get("subtitle"), row.get("code")
    parsed_name = join_subtitle(words, subtitle, printing, code=code) if subtitle else None
    parsed_name = parsed_name or parse_field(words, printing, code=code)
    is_plain = fold(row.get("finish", "")) in _PLAIN_FINISHES
    return parsed_name if is_plain else structs.replace(parsed_name, marks=("*F*",))


# -- a table with headings


def read_table(text: ListText) -> list[Decklist]:
    """Read a table with headings; return no decks for any other text."""
    table = _find_heads(text)
    if table is None:
        return []
    place, delimiter, columns = table
    lines, grammar = text.lines, "markdown-table" if delimiter == "|" else "csv"
    deck = DeckBuilder(text, grammar, has_fields=True)
    _read_preface(deck, lines[:place])
    for number, line in enumerate(lines[: place + 1], start=1):
        if line.strip():
            deck.account.setdefault(number, "header")
    heads = split_cells(lines[place].strip().lstrip("\ufeff"), delimiter)
    rows = _spaced_rows(deck, place) if delimiter == WIDE else _rows(text, place, delimiter)
    _Table(deck, heads, columns).read(list(rows), line=place + 1)
    return [deck.build()]


def _find_heads(text: ListText) -> tuple[int, str, dict[str, int]] | None:
    """Return the index of the row with headings, the delimiter, and meaning → column.

    Returns None if none of the first 20 lines is such a row, or if a card is above it.
    """
    for place, raw in enumerate(text.lines[:20]):
        line = raw.strip().lstrip("\ufeff")
        if not line or _SEPARATOR_LINE.fullmatch(line):
            continue
        for delimiter in filter(line.__contains__, _DELIMITERS):
            cells = split_cells(line, delimiter)
            columns = columns_of_heads(cells)
            if "name" in columns and (len(columns) >= 2 or _zone_columns(cells, text.vocabulary)):
                return place, delimiter, columns
        # Titles and headers may be above a table, cards may not.
        could_be_card = any(map(str.isdigit, line)) and not line.startswith(("#", "//")) and "|" not in line
        if could_be_card and not read_header(tidy(line), text.vocabulary):
            return None
    return None


def _zone_columns(cells: Sequence[str], vocabulary: Vocabulary) -> dict[str, int]:
    """Return the columns whose heading names a zone: `Maindeck`, `Side Qty`."""
    zones = ((_zone_of_head(cell, vocabulary), place) for place, cell in enumerate(cells))
    return {zone: place for zone, place in zones if zone is not None}


_SMALL_WORDS = folded_words("table", "small")
_ONLY_CARDS = folded_words("table", "only-cards")


def _zone_of_head(head: str, vocabulary: Vocabulary) -> str | None:
    """Return the words for a zone in the heading of a column.

    >>> from tourney.decks.reading.vocabulary import GENERAL
    >>> heads = "Side Qty", "mainCount", "Quantity (Sideboard)", "Number of cards", "Set"
    >>> [_zone_of_head(head, GENERAL) for head in heads]
    ['Side', 'main', 'Sideboard', None, None]
    """
    words = squeeze(tidy(head)).strip("?!:* ")
    if vocabulary.is_header(words):
        return words
    parts = re.sub(r"(?<=[a-zß-ÿ])(?=[A-Z])|[_()\[\]:?/-]+", " ", words).split()
    rest = " ".join(part for part in parts if fold(part) not in COUNT_WORDS | _SMALL_WORDS)
    is_zone = fold(rest) not in _ONLY_CARDS | {""} and len(parts) > 1 and vocabulary.is_header(rest)
    return rest if is_zone else None


def _read_preface(deck: DeckBuilder, lines: Sequence[str]) -> None:
    """Read the lines above the headings: comments, a title, the header of the zone."""
    for number, raw in enumerate(lines, start=1):
        line, words = tidy(raw), squeeze(tidy(raw).lstrip("#/ ")).rstrip(":,;\t ")
        if not words or _SEPARATOR_LINE.fullmatch(line) or is_rule(line):
            continue
        header = read_header(words, deck.vocabulary)
        if header is not None and header.is_zone:
            deck.enter(header.words, line=number, declared_count=header.count)
        elif line.startswith(("#", "//")):
            deck.name = deck.name or words
        elif any(other.role == "title" for other in deck.words):
            message = f"`{words}`: neither a card nor a header; it is above the column headings"
            deck.fault("line", message, line=number)
        else:
            reason = "it is above the column headings"
            deck.name = deck.name or words
            message = f"`{words}` was read as the title: {reason}; if it is a card, give it a row"
            deck.note(number, message, weighty=True)
            deck.add_words(words, line=number, role="title", reason=reason, raw=raw)


def _rows(text: ListText, place: int, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each row below the headings with its line number; a blank line has no cells."""
    body = text.lines[place + 1 :]
    if delimiter in ("|", WIDE):
        split_line = _bar_cells if delimiter == "|" else partial(split_cells, delimiter=WIDE)
        for number, raw in enumerate(body, start=place + 2):
            if not is_border(raw):
                yield number, split_line(raw) if raw.strip() else []
        return
    last = place + 1
    for number, cells in records(body, delimiter, text.source):
        line = number + place + 1
        yield from ((blank, list[str]()) for blank in range(last + 1, line))
        last = line + sum(cell.count("\n") for cell in cells)
        yield line, cells


def _spaced_rows(deck: DeckBuilder, place: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows below the headings of a table, each with its line number.

    The columns are separated by two or more spaces. A row whose cells cannot be assigned to columns is
    reported instead.

    place: the index of the line with the headings
    """
    lines = deck.text.lines
    max_cells = len(split_cells(lines[place], WIDE))
    below = range(place + 1, len(lines))
    row_indexes = [place, *(index for index in below if len(split_cells(lines[index], WIDE)) <= max_cells)]
    cells_at = dict(zip(row_indexes, cells_in_columns([lines[index] for index in row_indexes]), strict=True))
    for index in below:
        cells = cells_at.get(index)
        if cells is not None:
            yield index + 1, cells
            continue
        message = f"`{squeeze(tidy(lines[index]))[:40]}`: which of its words are under which heading?"
        deck.fault("line", message, line=index + 1, hint="put a tab or a `|` between the columns")


_EMPHASIS = lazy_pattern(r"^(\*\*|__)(.+)\1$")


def _bar_cells(line: str) -> list[str]:
    """Return the cells between bars, without emphasis; a line without bars is one cell."""
    cells = split_cells(line, "|") if "|" in line else [line.strip()]
    if sum(map(bool, cells)) == 1:
        return cells
    return [_EMPHASIS.sub(r"\2", unmark(cell)) for cell in cells]


# -- the rows of a table


class _Table:
    """A table: the meanings of its columns, and the zone at the current row.

    zones:        zone → the column with the counts for this zone
    flags:        zone → the column with yes or no for this zone
    free_columns: the columns without a fixed meaning, in which a row may name its zone
    header_zone:  the zone of the last row that is a header
    has_heads:    whether the table has headings
    """

    def __init__(
        self, deck: DeckBuilder, heads: Sequence[str], columns: Mapping[str, int], *, has_heads: bool = True
    ) -> None:
        self.deck = deck
        self.vocabulary = deck.vocabulary
        self.lines = deck.text.lines
        self.heads = heads
        self.columns = columns
        self.has_heads = has_heads
        self.header_zone = deck.zone.words if deck.zone else None

    def read(self, rows: Sequence[tuple[int, list[str]]], *, line: int = 0) -> None:
        """Read rows in order. line: the line number of the headings."""
        content_rows = [cells for _, cells in rows if not self._is_gap(cells) and not are_heads(cells)]
        self._learn_columns(content_rows, line)
        parts = self._parts(rows) if self._is_flat(content_rows) else {}
        for number, cells in rows:
            raw = self.lines[min(number - 1, len(self.lines) - 1)]
            if self._is_gap(cells):
                if raw.strip():
                    self.deck.account.setdefault(number, "comment")
            elif are_heads(cells) and len(cells) > 1:  # below them the columns may be in another order
                self.heads, self.columns = cells, columns_of_heads(cells)
                self.deck.account.setdefault(number, "header")
            elif (header := self._header(cells)) is not None:
                self._begin_section(header, number, raw)
            elif not self.deck.is_full(number):
                if (is_side := parts.get(number)) is not None:
                    self._begin_part(number, is_side=is_side)
                self._take_row(cells, number, raw)
        for number, raw in enumerate(self.lines, start=1):
            if is_border(raw):
                self.deck.account.setdefault(number, "comment")

    def _learn_columns(self, rows: Sequence[Sequence[str]], line: int) -> None:
        """Find the columns that decide the zones of cards, by the headings and all rows.

        Sets `zones` (columns with counts), `flags` (columns with yes or no; empty if there are `zones`) and
        `free_columns` (columns in which a row may name its zone).

        rows: the cells of all rows except headings and gaps
        line: the number of the line with the headings
        """
        zones = _zone_columns(self.heads, self.vocabulary)
        count = self.columns.get("count")
        if count in zones.values() and len(zones) > 1 and fold(self.heads[count or 0]) not in SURE_COUNTS:
            self.columns = {meaning: place for meaning, place in self.columns.items() if place != count}
        other_columns = {self.columns["name"], self.columns.get("count")}
        zones = {zone: place for zone, place in zones.items() if place not in other_columns}
        self.zones: Mapping[str, int] = _counted_zones(zones, rows, has_count_column="count" in self.columns)
        self.flags: Mapping[str, int] = {} if self.zones else _flagged_zones(zones, rows)
        if self.has_heads:
            self._note_numbers({*self.columns.values(), *zones.values()}, rows, line)
        free_meanings = {"group"} if self.has_heads else {"group", "set"}
        fixed_columns = {place for meaning, place in self.columns.items() if meaning not in free_meanings}
        fixed_columns |= {*self.zones.values(), *self.flags.values()}
        self.free_columns = [
            place for place in range(max(map(len, rows), default=0)) if place not in fixed_columns
        ]

    def _note_numbers(self, known_columns: set[int], rows: Sequence[Sequence[str]], line: int) -> None:
        """Note the columns of numbers that may be counts, if no column was read as the count.

        known_columns: the columns whose meaning is known; they are not named
        line:          the number of the line with the headings, to which the note belongs
        """
        numbers = []
        for place, head in enumerate(self.heads):
            cells = [squeeze(tidy(row[place])) for row in rows if place < len(row)]
            filled_cells = list(filter(None, cells))
            if place not in known_columns and filled_cells and all(map(is_only_a_count, filled_cells)):
                numbers.append(f"`{head}`")
        if numbers and "count" not in self.columns:
            headings = " and ".join(numbers)
            message = (
                f"each row was read as one copy; if the numbers under {headings} are copies, "
                "call that column `Count`"
            )
            self.deck.note(line, message, weighty=True)

    def _is_gap(self, cells: Sequence[str]) -> bool:
        """Return whether a row is blank or a separator."""
        return all(_SEPARATOR.fullmatch(cell) for cell in map(str.strip, cells) if cell)

    def _is_outside(self, cells: Sequence[str]) -> bool:
        """Return whether a line without bars is below the table."""
        return len(cells) == 1 and len(self.heads) > 1 and self.deck.grammar == "markdown-table"

    # -- parts of a table without a header

    def _is_flat(self, rows: Sequence[Sequence[str]]) -> bool:
        """Return whether blank rows and separators may divide the table into zones.

        They may if nothing in the table or above it names a zone, and if there is a zone for a sideboard.
        """
        if self.header_zone or self.zones or self.flags or self.vocabulary.zone_of_kind("side") is None:
            return False
        return not any(
            _row(cells, self.columns).get("zone") or self._free_zones(cells) or self._header(cells)
            for cells in rows
        )

    def _parts(self, rows: Sequence[tuple[int, list[str]]]) -> Mapping[int, bool]:
        """Find the gaps in a table: line number of the next card → whether a sideboard begins there.

        A gap is one or more rows without a card, such as blank rows, between rows with cards. A sideboard
        begins only if the table has a single gap, and if at most `MAX_SIDE` cards follow the gap.
        """
        starts, below, is_gap = list[int](), 0, False
        for number, cells in rows:
            is_card = not (self._is_gap(cells) or are_heads(cells) or self._is_outside(cells))
            if is_card:
                if is_gap and below:
                    starts.append(number)
                    below = 0
                below += _to_number(_row(cells, self.columns).get("count")) or 1
            is_gap = not is_card
        return dict.fromkeys(starts, len(starts) == 1 and below <= MAX_SIDE)

    def _begin_part(self, number: int, *, is_side: bool) -> None:
        """Begin the part of a table that is below a gap.

        If `is_side` is true, its rows are read as the sideboard. Otherwise, an error reports that they may be
        a sideboard, but have no header.
        """
        if is_side:
            self.header_zone = "Sideboard"
            self.deck.begin_side(number, "gap in the table")
        else:
            self.deck.ask_about_part(number, "gap in the table")

    # -- rows that are headers

    def _header(self, cells: Sequence[str]) -> Header | None:
        """Read a row with only a header, or with a header and its count: `| **Sideboard** | 15 |`."""
        filled_cells = {place: squeeze(tidy(cell)) for place, cell in enumerate(cells) if cell.strip()}
        words = {
            place: word for place, word in filled_cells.items() if not is_only_a_count(word.strip("*_ "))
        }
        numbers = [word.strip("*_ ") for place, word in filled_cells.items() if place not in words]
        if len(words) != 1 or len(numbers) > 1:
            return None
        ((place, word),) = words.items()
        header = None if is_total(word) else self._read_header(word)
        if header is None or fold(header.words) in ABOUT_THE_DECK:
            return None
        is_sure = self.vocabulary.is_sure(header.words)
        if numbers:
            is_counted = header.is_zone and is_sure and numbers[0].isdecimal()
            return replace(header, count=int(numbers[0])) if is_counted else None
        is_not_a_name = len(cells) == 1 or place != self.columns["name"] or "count" in self.columns
        return header if is_sure or header.is_marked or (header.is_known and is_not_a_name) else None

    def _read_header(self, word: str) -> Header | None:
        text = word.lstrip("#/ ").strip()
        header = read_header(text, self.vocabulary, is_marked=word.startswith("##"))
        return header or read_header(unmark(word), self.vocabulary)

    def _begin_section(self, header: Header, number: int, raw: str) -> None:
        deck = self.deck
        deck.account.setdefault(number, "header")
        if header.is_zone:
            deck.enter(header.words, line=number, declared_count=header.count)
            self.header_zone = header.words
            return
        if deck.zone and deck.zone.cards and deck.zone.kind in NEVER_SORTED:
            deck.leave()
            self.header_zone = None
        deck.sort(header.words, line=number, declared_count=header.count)
        if not header.is_known:
            reason, note = "it has no count beside it", "was read as a header"
            deck.findings.append(unknown_group((number,), (header.words,)))
            deck.add_words(header.words, line=number, role="header", reason=reason, raw=raw, note=note)

    # -- rows that are cards

    def _take_row(self, cells: Sequence[str], number: int, raw: str) -> None:
        row = _row(cells, self.columns if self.has_heads else self._columns_of_row(cells))
        for meaning in ("name", "code"):
            if "\n" in "".join(cells[self.columns.get(meaning, len(cells)) :][:1]).strip():
                message = f"the name has more than one line; it was read as `{row[meaning]}`"
                self.deck.note(number, message)
        words = row.get("name") or row.get("code")
        if self._is_outside(cells):
            self._take_outside(cells[0], number, raw)
        elif not words:
            if self.zones or self._enter_zone(row, cells, number):
                self.deck.fault("line", "a row without the name of a card", line=number)
        elif self.zones:
            self._add_to_zones(words, row, _row(cells, self.zones), number, raw)
        elif self._enter_zone(row, cells, number):
            is_alone = (
                self.has_heads and "count" in self.columns and sum(map(bool, map(str.strip, cells))) == 1
            )
            self._add_card(words, row, number, raw, doubt=_CARD_OR_HEADER if is_alone else "")
            second_count = "" if self.has_heads else row.get("set") or ""
            if _COUNT_AGAIN.fullmatch(second_count):
                self.deck.fault("line", f"is `{second_count}` another count?", line=number, subjects=(words,))

    def _columns_of_row(self, cells: Sequence[str]) -> Mapping[str, int]:
        """Return the columns to read in a row of a table without headings: meaning → column.

        Columns beyond the end of the row are left out. The column of sets, or of collector numbers, is left
        out if its cell in this row names a zone, such as `Sideboard`.
        """
        return {
            meaning: place
            for meaning, place in self.columns.items()
            if place < len(cells) and not (meaning in ("set", "number") and any(self._zones_in(cells[place])))
        }

    def _take_outside(self, line: str, number: int, raw: str) -> None:
        """Read a line outside the table: report a card, store a sum, and note any other words."""
        token = classify(number, raw, tidy(line), self.vocabulary, PLAIN)
        words = squeeze(tidy(line))
        if token.kind is LineKind.TOTAL:
            self.deck.add_total(int(token.count or 0), line=number, words=words)
        elif token.kind is LineKind.COUNTED:
            message = f"`{words[:40]}`: no card was read, because the line is outside the table"
            self.deck.fault("line", message, line=number, hint="give it a row")
        elif token.kind in (LineKind.BARE, LineKind.REFUSED):
            reason, note = "it is outside the table", "was read as a description, not as a card"
            self.deck.add_words(words, line=number, role="description", reason=reason, raw=raw, note=note)
        self.deck.account.setdefault(number, "comment")

    def _enter_zone(self, row: _Row, cells: Sequence[str], number: int) -> bool:
        """Enter the zone that a row names, or else the zone of the last header above it.

        Reports a row that names several zones, and returns False for it.
        """
        zones = self._free_zones(cells)
        if explicit_zone := _explicit_zone(row.get("zone"), self.vocabulary):
            zones.append(explicit_zone)
        zones += [
            zone for zone, place in self.flags.items() if place < len(cells) and fold(cells[place]) in _YES
        ]
        by_zone = {self.vocabulary.zone_id(zone) or general_kind(zone) or fold(zone): zone for zone in zones}
        if len(by_zone) > 1:
            zone_list = " and ".join(f"`{zone}`" for zone in by_zone.values())
            subjects = tuple(filter(None, [row.get("name")]))
            message = f"the row says {zone_list}: in which zone is the card?"
            self.deck.fault("line", message, line=number, subjects=subjects)
            return False
        self.deck.continue_in(next(iter(by_zone.values()), self.header_zone), line=number)
        return True

    def _free_zones(self, cells: Sequence[str]) -> list[str]:
        """Return the zones in columns of unknown meaning, such as a category, a folder or a tag."""
        zones = (
            zone for place in self.free_columns if place < len(cells) for zone in self._zones_in(cells[place])
        )
        return list(dict.fromkeys(zones))

    def _zones_in(self, cell: str) -> Iterator[str]:
        text = squeeze(tidy(unescape_formula(cell)))
        for part in (text, *_VALUES.split(text)):
            words = re.sub(r"\{.*?\}", "", part).strip(" #[]()*")
            short_words = _COUNT_BEHIND.sub("", _LOCATING.sub("", words)).strip(" #[]()*:")
            yield from [zone for zone in (words, short_words) if zone and self._is_zone(zone)][:1]

    def _is_zone(self, words: str) -> bool:
        vocabulary = self.vocabulary
        if vocabulary.is_outside(words) or general_kind(words) == "side" or is_never_a_name(words):
            return True
        return vocabulary.zone_id(words) is not None and vocabulary.is_sure(words)

    def _add_to_zones(self, words: str, row: _Row, counts_row: _Row, line: int, raw: str) -> None:
        """Read `Kite,4,2`: four in the main deck, two in the sideboard. A blank cell is zero."""
        deck, total = self.deck, row.get("count")
        counts = {zone: _strip_times(counts_row.get(zone)) for zone in self.zones}
        counts = {zone: count for zone, count in counts.items() if count not in _NO_COPIES}
        if total and total != "0":
            if not counts and len(self.zones) == 1:
                counts = {"": total}  # the table knows one other zone, and the card is not in it
            elif len(self.zones) == 1 or total != str(sum(map(_to_number, counts.values()))):
                counts_text = (
                    " and ".join(f"{count} in {zone}" for zone, count in counts.items()) or "none in any zone"
                )
                message = f"the row says {total}, but also {counts_text}: does one count include the other?"
                hint = "give each zone its own column, or give each card only one count"
                deck.fault("line", message, line=line, subjects=(words,), hint=hint)
                return
        for zone, count in counts.items():
            deck.continue_in(zone or None, line=line)
            deck.add(_parse_card(words, row), line=line, count=count, raw=raw)
        if not counts:
            deck.note(line, f"`{words}` has no copies in any zone")
            deck.account.setdefault(line, "comment")

    def _add_card(self, words: str, row: _Row, line: int, raw: str, *, doubt: str) -> None:
        """Add the card of a row to the current zone.

        doubt: why it is uncertain that the row is a card; empty if it is certain
        """
        if self._take_sum(row, words, line, raw) or self._refuse_two_counts(row, words, line):
            return
        if (group := row.get("group")) and not self.vocabulary.is_header(group):
            self.deck.sort_as(group, line=line)
        count = _strip_times(row.get("count"))
        if row.get("count") == "" and not doubt:
            self.deck.note(line, f"`{words}` has no count; one copy was read")
        parsed_name = _parse_card(words, row)
        self.deck.add(parsed_name, line=line, count=count or 1, has_count=bool(count), raw=raw, doubt=doubt)

    def _take_sum(self, row: _Row, words: str, line: int, raw: str) -> bool:
        """Return whether the row is a sum, such as `Total,60`; if it is one, store the number."""
        count = row.get("count") or ""
        if not count.isdecimal() or len(count) > MAX_DIGITS or not is_word_for_total(words):
            return False
        self.deck.add_total(int(count), line=line, words=squeeze(tidy(raw)))
        reason = "it says how many cards there are"
        self.deck.add_words(words, line=line, role="sum", reason=reason, count=count, raw=raw)
        self.deck.account.setdefault(line, "header")
        return True

    def _refuse_two_counts(self, row: _Row, words: str, line: int) -> bool:
        """Report a row with two different counts or a count of foils; return whether it has them."""
        count, other_count, finish_count = row.get("count"), row.get("other"), row.get("shiny")
        second_count = finish_count if finish_count not in (None, "", "0") else None
        if other_count and other_count != count:
            second_count = other_count
        if second_count:
            message = f"it has two counts, {count or 'none'} and {second_count}"
            self.deck.fault("line", message, line=line, subjects=(words,), hint="keep one column of counts")
        return bool(second_count)


_VALUES = lazy_pattern(r"\s*[,;/|>]\s*")
_LOCATING = pattern("locating")
_COUNT_BEHIND = pattern("zone-count")
_COUNT_AGAIN = lazy_pattern(r"(?:[^\W\d_]{2,12}\s?:\s*)?\d{1,2}(?:\s?[x×]?\s+[^\W\d_].*)?", re.I)
"""A cell with another count or another card: `3`, `3 Kite`, `SB: 3 Kite`."""
_CARD_OR_HEADER = "is this a card or a header? it has no count; write `1` beside a card"
_NUMBER = lazy_pattern(r"-?\d+(?:[.,]\d+)?\s?[x×]?|[x×]\s?\d+", re.I)


def _explicit_zone(cell: str | None, vocabulary: Vocabulary) -> str | None:
    """Return the zone in a cell of the zone column. A word like `Creatures` is not a zone."""
    if cell is None or (fold(cell) in _NO and fold(cell) not in ("main", "mainboard")):
        return None
    if fold(cell) in _YES:
        return "Sideboard"
    header = read_header(cell, vocabulary)
    return None if header is not None and header.is_group else cell


def _counted_zones(
    zones: Mapping[str, int], rows: Sequence[Sequence[str]], *, has_count_column: bool
) -> Mapping[str, int]:
    """Return the zone columns if their cells are counts; otherwise return an empty mapping.

    They are counts if at least one cell is a number. Other text in a cell is then an error. Exception: a
    single zone column beside a count column has flags, not counts, if each of its cells is 1, 0 or blank.
    """
    cells = [squeeze(tidy(row[place])) for row in rows for place in zones.values() if place < len(row)]
    if not any(_NUMBER.fullmatch(cell) for cell in cells):
        return {}
    are_flags = has_count_column and len(zones) == 1 and all(cell in _NO_COPIES | {"1"} for cell in cells)
    return {} if are_flags else zones


def _flagged_zones(zones: Mapping[str, int], rows: Sequence[Sequence[str]]) -> Mapping[str, int]:
    """Return the zone columns whose cells are yes or no."""
    return {
        zone: place
        for zone, place in zones.items()
        if general_kind(zone) != "main"
        and all(fold(row[place].strip()) in _YES | _NO for row in rows if place < len(row))
    }


def _strip_times(count: str | None) -> str:
    """Return the number in a cell such as `4x`; any other cell unchanged."""
    return (count or "").strip("xX× ") if is_only_a_count(count or "") else count or ""


def _to_number(count: str | None) -> int:
    return int(count) if count and count.isdecimal() and len(count) <= MAX_DIGITS else 0


# -- a table without headings


def read_headless(text: ListText) -> list[Decklist]:
    """Read a table without headings: `4,Name` or `Name,4`, then set and number.

    Returns no decks for any other text.
    """
    filled_lines = [line for line in map(tidy, text.lines) if line]
    if any(len(line) > MAX_LINE for line in filled_lines):
        return []
    semicolons, commas = (sum(line.count(sign) for line in filled_lines) for sign in ";,")
    for delimiter in (";" if semicolons > commas else ",", "\t", "|", WIDE):
        if any(delimiter in line for line in filled_lines):
            columns = _headless_columns(filled_lines, delimiter, text.vocabulary)
            if columns is not None:
                deck = DeckBuilder(text, "csv", has_fields=True)
                table = _Table(deck, [], columns, has_heads=False)
                table.read(list(_rows(text, -1, delimiter)))
                return [deck.build()]
    return []


_RECORD = lazy_pattern(r"(?:\"[^\"]*\"|[^\",;]*)(?:[,;](?:\"[^\"]*\"|[^\",;]*))+")
_COUNT = lazy_pattern(r"\d{1,3}")
_PRICED = lazy_pattern(r"[€$£¥]\s*\d+\s*$")


def _headless_columns(
    filled_lines: Sequence[str], delimiter: str, vocabulary: Vocabulary
) -> dict[str, int] | None:
    """Return the columns of a table without headings; None if the lines are not such a table."""
    rows = _headless_rows(filled_lines, delimiter, vocabulary)
    width = max(map(len, rows), default=0)
    columns = [[cells[place] for cells in rows if place < len(cells)] for place in range(width)]
    places = [place for place, cells in enumerate(columns) if not _are_zones(cells, vocabulary)]
    if len(places) < 2 or len(columns[places[1]]) < len(rows):
        return None
    zones_behind = (_says_zone(cell, vocabulary) for cells in rows for cell in cells[2:])
    if not (delimiter in ",;" or len(places) < width or any(zones_behind)):
        return None
    first, second = columns[places[0]], columns[places[1]]
    if _are_counts_of(first, second):
        meanings = ("count", "name", "set", "number")
    elif _are_counts_of(second, first) and not _is_text(filled_lines, delimiter, first):
        meanings = ("name", "count", "set", "number")
    else:
        return None
    return dict(zip(meanings, places, strict=False))


def _headless_rows(filled_lines: Sequence[str], delimiter: str, vocabulary: Vocabulary) -> list[list[str]]:
    """Return the cells of each card's row in a table without headings.

    Blank rows, separators and headers are skipped. Returns an empty list if any other row cannot be divided
    into several cells.
    """
    rows = [(line, split_cells(line, delimiter)) for line in filled_lines]
    cards = [(line, cells) for line, cells in rows if not _is_part(cells, vocabulary)]
    if not all(_is_row(line, cells, delimiter) for line, cells in cards):
        return []
    return [cells for _, cells in cards]


def _is_row(line: str, cells: Sequence[str], delimiter: str) -> bool:
    """Return whether a line consists of several cells and nothing else."""
    is_record = delimiter not in ",;" or _RECORD.fullmatch(line) is not None
    return is_record and len(cells) > 1 and not cuts_a_bracket(cells)


def _is_text(filled_lines: Sequence[str], delimiter: str, names: Sequence[str]) -> bool:
    """Return whether the delimiter is part of a text such as `Name, 4` or `Name €4,50`."""
    is_spaced = delimiter in ",;" and any(
        re.search(rf"{delimiter}\s", line.partition('"')[0]) for line in filled_lines
    )
    return is_spaced or any(map(_PRICED.search, names))


def _are_counts_of(counts: Sequence[str], names: Sequence[str]) -> bool:
    """Return whether one column has only counts and another only possible names."""
    return all(_COUNT.fullmatch(cell.strip()) for cell in counts) and all(map(_could_be_name, names))


def _are_zones(cells: Sequence[str], vocabulary: Vocabulary) -> bool:
    """Return whether every filled cell of a column names a zone. The column has no heading."""
    filled_cells = [cell for cell in cells if cell.strip()]
    return bool(filled_cells) and all(_says_zone(cell, vocabulary) for cell in filled_cells)


def _is_part(cells: Sequence[str], vocabulary: Vocabulary) -> bool:
    """Return whether a row is not a card: it is blank, a separator, or a header."""
    filled_cells = [cell for cell in cells if cell.strip()]
    if all(_SEPARATOR.fullmatch(cell.strip()) for cell in filled_cells):
        return True
    header = read_header(squeeze(tidy(filled_cells[0])), vocabulary) if len(filled_cells) == 1 else None
    return header is not None and header.is_known


def _says_zone(cell: str, vocabulary: Vocabulary) -> bool:
    words = squeeze(tidy(cell))
    return vocabulary.is_header(words) and vocabulary.is_sure(words)


def _could_be_name(cell: str) -> bool:
    """Return whether a cell has letters and does not begin with a three-digit number.

    A cell that begins with one may be a part of a name: `1,000 Needles` becomes `1` and `000 Needles`.
    """
    return any(map(str.isalpha, cell)) and not re.match(r"\d{3}\b", cell)
