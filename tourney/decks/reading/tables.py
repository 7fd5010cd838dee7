"""Tables: CSV, TSV and Markdown tables, found by the names of their columns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tourney.cards.names import fold
from tourney.decks.decklist import Decklist, PrintMark
from tourney.decks.reading import decoration
from tourney.decks.reading.building import DeckBuilder
from tourney.decks.reading.text import squeeze, tidy
from tourney.decks.vocabulary import Vocabulary
from tourney.door import from_csv
from tourney.spreadsheet import unguarded

# What a column is called in the exports of many tools; where several fit, the first in this order is meant.
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "name": ("name", "card name", "cardname", "card", "card title", "title", "card_name", "simple name"),
    "count": (
        "count", "quantity", "qty", "amount", "copies", "reg qty", "quantity main", "#", "number of copies", "total qty",
        "cards", "how many", "anzahl", "menge", "quantité", "cantidad", "x",
    ),
    "set": ("set code", "edition code", "set id", "setcode", "edition", "set", "expansion", "printing", "set name"),
    "number": ("collector number", "card number", "collector #", "collector_number", "cn", "number", "set number", "no."),
    "zone": ("board", "zone", "section", "deck section", "deck", "sideboarded", "sideboard", "location", "pile"),
    "code": ("card id", "code", "id", "passcode", "id #", "scryfall id", "card code", "identifier"),
    "finish": ("foil", "finish", "is foil", "premium"),
    "group": ("category", "categories", "card type", "type"),
}  # fmt: skip
_DELIMITERS = ",;\t|"
_YES = frozenset({"yes", "true", "1", "y", "x", "sideboard"})
_NO = frozenset({"no", "false", "0", "n", "", "mainboard", "main"})
_HEADERLESS = re.compile(r"\"?\d{1,3}\"?\s*[,;]\s*(?:\"[^\"]+\"|[^\",;\d][^\",;]*)(?:[,;].*)?")


def find_table(lines: Sequence[str]) -> tuple[int, str, dict[str, int]] | None:
    """Find a table: the place of its header line, the delimiter, and which column is which; None where there is none."""
    for place, raw in enumerate(lines[:20]):
        line = raw.strip().lstrip("\ufeff")
        if not line or re.fullmatch(r"\"?sep=.\"?", line, re.I):
            continue
        for delimiter in _DELIMITERS:
            columns = _columns(_cells(line, delimiter))
            if "name" in columns and len(columns) >= 2:
                return place, delimiter, columns
        if not line.startswith(("#", "//")) and "|" not in line:
            return None
    return None


def _cells(line: str, delimiter: str) -> list[str]:
    if delimiter == "|":
        return [cell.strip() for cell in line.strip().strip("|").split("|")] if line.count("|") >= 2 else []
    return next(_records([line], delimiter), (1, []))[1]


def _records(lines: Iterable[str], delimiter: str, source: str = "") -> Iterator[tuple[int, list[str]]]:
    """Give each record with the line it begins on; quoted cells may run over lines."""
    return from_csv("\n".join(lines), delimiter=delimiter, source=source, lenient=True)


def _columns(cells: Sequence[str]) -> dict[str, int]:
    folded = [fold(cell.replace("_", " ")) for cell in cells]
    columns: dict[str, int] = {}
    for meaning, names in COLUMNS.items():
        place = next((folded.index(fold(name)) for name in names if fold(name) in folded), None)
        if place is not None and place not in columns.values():
            columns[meaning] = place
    return columns


def read_table(lines: Sequence[str], *, source: str, vocabulary: Vocabulary) -> list[Decklist]:
    """Read a table with a header line; `find_table` must have found it."""
    found = find_table(lines)
    assert found is not None
    place, delimiter, columns = found
    deck = DeckBuilder(source, "markdown-table" if delimiter == "|" else "csv", vocabulary, fields=True)
    for raw in lines[:place]:
        if raw.lstrip().startswith("#"):
            deck.name = deck.name or squeeze(tidy(raw).lstrip("# "))
    body = lines[place + 1 :]
    records = _bars(body) if delimiter == "|" else _records(body, delimiter, source)
    for number, cells in records:
        if any(cell.strip() for cell in cells) and not deck.is_full(number):
            _row(
                deck, _Row(cells, columns), number + place + 1, raw=lines[min(number + place, len(lines) - 1)]
            )
    return [deck.build()]


def _bars(lines: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(lines, start=1):
        if line.count("|") >= 2 and not re.fullmatch(r"[\s|:-]+", line):
            yield number, _cells(line, "|")


class _Row:
    """One record, its cells by what their columns mean."""

    def __init__(self, cells: Sequence[str], columns: Mapping[str, int]) -> None:
        self._cells = cells
        self._columns = columns

    def __getitem__(self, meaning: str) -> str | None:
        place = self._columns.get(meaning)
        if place is None:
            return None
        return squeeze(tidy(unguarded(self._cells[place]))) if place < len(self._cells) else ""

    def broken(self, meaning: str) -> bool:
        """Whether there is a line end inside the cell."""
        place = self._columns.get(meaning, len(self._cells))
        return "\n" in (self._cells[place] if place < len(self._cells) else "").strip()


def _row(deck: DeckBuilder, row: _Row, line: int, *, raw: str) -> None:
    name, code = row["name"], row["code"]
    words = name or code
    if not words:
        deck.fault("line", "a row without the name of a card", line=line)
        return
    if row.broken("name" if name else "code"):
        deck.note(line, f"the name goes over several lines; it was read as `{words}`")
    _enter(deck, row["zone"], line)
    group = row["group"]
    if group and (deck.group is None or deck.group.words != group):
        deck.sort(group, line=line)
    printing = PrintMark(row["set"] or None, row["number"] or None)
    count = row["count"]
    if count == "":
        deck.note(line, f"no count stands beside `{words}`; one copy was read")
    peeled = decoration.field(words, printing)
    if row["finish"] and fold(row["finish"]) not in _NO | {"normal", "nonfoil", "non-foil", "regular"}:
        peeled = decoration.marked(peeled, "*F*")
    deck.add(words, line=line, count=count or 1, peeled=peeled, code=code or None, raw=raw)


def _enter(deck: DeckBuilder, zone: str | None, line: int) -> None:
    """Enter the row's zone; a column `Sideboarded` says Yes or No."""
    key = fold(zone or "")
    if key in _YES:
        zone = "Sideboard"
    elif key in _NO and key not in ("main", "mainboard"):
        zone = None
    if zone != (deck.zone.words if deck.zone else None):
        deck.leave() if zone is None else deck.enter(zone, line=line)


def is_headerless(lines: Sequence[str]) -> bool:
    """Whether each line is `4,Name` or `4,Name,SET`: a table without a header line."""
    filled = (line for line in map(tidy, lines) if line)
    first = next(filled, "")
    return _HEADERLESS.fullmatch(first) is not None and all(_HEADERLESS.fullmatch(line) for line in filled)


def read_headerless(lines: Sequence[str], *, source: str, vocabulary: Vocabulary) -> list[Decklist]:
    """Read `4,Name` and `4,Name,SET,number`."""
    deck = DeckBuilder(source, "csv", vocabulary, fields=True)
    columns = {"count": 0, "name": 1, "set": 2, "number": 3}
    delimiter = (
        ";" if sum(line.count(";") for line in lines) > sum(line.count(",") for line in lines) else ","
    )
    for number, cells in _records(lines, delimiter, source):
        if any(cell.strip() for cell in cells) and not deck.is_full(number):
            _row(
                deck,
                _Row(cells, {key: place for key, place in columns.items() if place < len(cells)}),
                number,
                raw=lines[number - 1],
            )
    return [deck.build()]
