"""Lists in columns: CSV, TSV and Markdown tables by the names of their columns, lists side by side, pages in HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tourney.cards.names import fold
from tourney.decks.decklist import Decklist, PrintMark
from tourney.decks.reading import names
from tourney.decks.reading.builder import DeckBuilder, ListText
from tourney.decks.reading.counts import is_only_a_count
from tourney.decks.reading.lines import LONGEST_LINE, general_kind, is_total, tidy
from tourney.decks.reading.names import squeeze
from tourney.decks.reading.plain import read_plain
from tourney.decode import MOST_DIGITS
from tourney.spreadsheet import from_csv, unguarded

# What a column is called in the exports of many tools; where several fit, the first in this order is meant.
_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "name": (
            "name", "card name", "cardname", "card", "card title", "title", "card_name", "simple name", "karte", "kartenname", "nom", "nom de la carte", "carte",
            "nombre", "carta", "nome", "nome da carta", "nome della carta", "nazwa", "nazwa karty", "karta", "название", "имя", "карта", "名前", "カード名", "カード",
            "名称", "名稱", "卡名", "卡牌", "牌名", "이름", "카드", "카드 이름", "카드명",
        ),
    "count": (
        "count", "quantity", "qty", "amount", "copies", "reg qty", "quantity main", "#", "number of copies", "total qty",
        "cards", "how many", "anzahl", "menge", "quantité", "qté", "nombre d'exemplaires", "exemplaires", "cantidad", "cant.", "x", "total",
            "quantidade", "qtd", "quantità", "qtà", "copie", "copias", "cópias", "ilość", "liczba", "sztuk", "количество", "кол-во", "число", "枚数", "数", "数量", "數量", "张数", "張數", "수량", "장수", "매수",
    ),
    "set": ("set code", "edition code", "set id", "setcode", "edition", "set", "expansion", "printing", "set name"),
    "number": ("collector number", "card number", "collector #", "collector_number", "cn", "number", "set number", "no."),
    "zone": ("board", "zone", "section", "deck section", "deck", "sideboarded", "sideboard", "location", "pile"),
    "code": ("card id", "code", "id", "passcode", "id #", "scryfall id", "card code", "identifier"),
    "finish": ("foil", "finish", "is foil", "premium"),
    "group": ("category", "categories", "card type", "type"),
}  # fmt: skip
_SURE_COUNTS = tuple(map(fold, ("count", "quantity", "qty", "amount", "copies", "number of copies")))
"""Heads that are of nothing but copies: a second column of them contradicts the first, or says the same."""
_FINISH = re.compile(r"\b(?:non)?(?:foils?|etched|holos?|premium|shiny|alt(?:ernate)?)\b")
_COUNTING = re.compile(r"\b(?:count|quantity|qty|amount|copies|number)\b")
_LONGEST_CODE = 5
_HEADS = {meaning: tuple(map(fold, heads)) for meaning, heads in _COLUMNS.items()}
_NAME_WORDS, _COUNT_WORDS = frozenset(_HEADS["name"]), frozenset(_HEADS["count"])
_COLUMN_WORDS = _NAME_WORDS | _COUNT_WORDS
_DELIMITERS = ",;\t|"
_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)?x?")
_YES = frozenset({"yes", "true", "1", "y", "x", "sideboard"})
_NO = frozenset({"no", "false", "0", "n", "", "mainboard", "main"})
_ROW = re.compile(r"(?:\"[^\"]*\"|[^\",;]*)(?:[,;](?:\"[^\"]*\"|[^\",;]*))+")


def read_html(text: ListText) -> list[Decklist]:
    """Read a page, or a piece of one: each row or item is a line, but rows that are the heads of columns."""
    rows = [row for row in _html_rows(text.lines) if not _heads_columns(row[1].split("\t"))]
    return read_plain(text, beside=rows)


_BLOCK = re.compile(r"<(?P<end>/?)(?P<tag>tr|td|th|li|p|div|br|ul|ol|table|h[1-6])\b[^<>]*>", re.I)


def _html_rows(lines: Sequence[str]) -> list[tuple[int, str]]:
    """Part a text at the tags that end a line on a page: each row or item with the number of the line it begins on.

    The cells of a table's row stand between tabs, also where each is on a line of its own.
    """
    rows: list[tuple[int, str]] = []
    words, begun, in_row = "", 0, False

    def end() -> None:
        nonlocal words, begun
        if begun and (words.strip() or not in_row):
            rows.append((begun, tidy(words)))
        words, begun = "", 0

    for number, raw in enumerate(lines, start=1):
        line = raw if len(raw) <= LONGEST_LINE * 10 else ""
        at = 0
        for match in _BLOCK.finditer(line):
            if (before := line[at : match.start()]).strip() or words:
                words, begun = words + before, begun or number
            at, tag = match.end(), match["tag"].lower()
            if tag in ("td", "th"):
                words += "\t" if match["end"] else ""
            else:
                end()
                in_row = tag == "tr" and not match["end"]
        if line[at:].strip() or (not in_row and at == 0):
            words, begun = words + line[at:], begun or number
        if not in_row:
            end()
    end()
    return rows if any(text for _, text in rows) else []


def read_columns(text: ListText) -> list[Decklist]:
    """Read lists side by side, or a table with or without a line of heads; none where the text is neither."""
    if beside := _side_by_side(text.lines):
        return read_plain(text, beside=beside)
    if table := _find_table(text.lines):
        return [_read_table(text, *table)]
    columns = _headless_columns(text.lines)
    return [_read_headless(text, columns)] if columns else []


def _find_table(lines: Sequence[str]) -> tuple[int, str, dict[str, int]] | None:
    """Find a table: the place of its header line, the delimiter, and which column is which; None where there is none."""
    for place, raw in enumerate(lines[:20]):
        line = raw.strip().lstrip("\ufeff")
        if not line or re.fullmatch(r"\"?sep=.\"?", line, re.I):
            continue
        for delimiter in filter(line.__contains__, _DELIMITERS):
            cells = _cells(line, delimiter)
            columns = _columns(cells)
            if "name" in columns and (len(columns) >= 2 or _zone_columns(cells)):
                return place, delimiter, columns
        if (
            any(character.isdigit() for character in line)
            and not line.startswith(("#", "//"))
            and "|" not in line
        ):
            return None  # a card, perhaps; titles and headers may stand above a table
    return None


def _cells(line: str, delimiter: str) -> list[str]:
    if delimiter == "|":
        return [cell.strip() for cell in line.strip().strip("|").split("|")] if line.count("|") >= 2 else []
    return next(_records([line], delimiter), (1, []))[1]


def _records(lines: Iterable[str], delimiter: str, source: str = "") -> Iterator[tuple[int, list[str]]]:
    """Give each record with the line it begins on; quoted cells may run over lines."""
    return from_csv("\n".join(lines), delimiter=delimiter, source=source, lenient=True)


def _heads_columns(cells: Sequence[str]) -> bool:
    """Whether the cells are the heads of columns and nothing else, a name's among them: `Qty`, `Card`."""
    filled = [fold(cell) for cell in cells if cell.strip()]
    return any(cell in _NAME_WORDS for cell in filled) and all(cell in _COLUMN_WORDS for cell in filled)


def _columns(cells: Sequence[str]) -> dict[str, int]:
    folded = [fold(cell.replace("_", " ")) for cell in cells]
    columns: dict[str, int] = {}
    for meaning, heads in _HEADS.items():
        place = next((folded.index(head) for head in heads if head in folded), None)
        if place is not None and place not in columns.values():
            columns[meaning] = place
    if "count" not in columns or sum(head in _NAME_WORDS for head in folded) != 1:
        return columns  # two names on a row: two lists side by side
    left = [(place, head) for place, head in enumerate(folded) if place not in columns.values()]
    other = next((place for place, head in left if head in _SURE_COUNTS), None)
    shiny = next((place for place, head in left if counts_a_finish(head)), None)
    extra = {"other": other, "shiny": shiny}
    return columns | {meaning: place for meaning, place in extra.items() if place is not None}


def counts_a_finish(head: str) -> bool:
    """Whether a column or key counts the copies of one finish, as `Foil Quantity` and `foil_count` do.

    >>> [counts_a_finish(head) for head in ("Foil Quantity", "foilCount", "foil", "Quantity")]
    [True, True, False, False]
    """
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", head).lower()
    return bool(_FINISH.search(words) and _COUNTING.search(words))


def _zone_columns(cells: Sequence[str]) -> dict[str, int]:
    """Give the columns that are called as a zone is: `Card, Maindeck, Sideboard`, each with its own counts."""
    words = ((squeeze(tidy(cell)), place) for place, cell in enumerate(cells))
    return {word: place for word, place in words if general_kind(word) is not None}


def _read_table(text: ListText, place: int, delimiter: str, columns: Mapping[str, int]) -> Decklist:
    """Read a table whose line of heads stands at `place`."""
    lines, grammar = text.lines, "markdown-table" if delimiter == "|" else "csv"
    deck = DeckBuilder(text.source, grammar, text.vocabulary, fields=True)
    _preface(deck, lines[:place])
    body = lines[place + 1 :]
    records = list(_bars(body) if delimiter == "|" else _records(body, delimiter, text.source))
    zones = _counted_zones(_cells(lines[place], delimiter), columns, [cells for _, cells in records])
    deck.account |= {
        number + 1: deck.account.get(number + 1, "header")
        for number in range(place + 1)
        if lines[number].strip()
    }
    _tell_numbers(deck, _cells(lines[place], delimiter), columns, [cells for _, cells in records], place + 1)
    for number, cells in records:
        line = number + place + 1
        if any(cell.strip() for cell in cells) and not deck.is_full(line):
            raw = lines[min(line - 1, len(lines) - 1)]
            if zones:
                _row_of_zones(deck, _Row(cells, columns), _Row(cells, zones), line, raw=raw)
            else:
                _row(deck, _Row(cells, columns), line, raw=raw)
    return deck.build()


def _preface(deck: DeckBuilder, lines: Sequence[str]) -> None:
    """Read what stands above the heads of the columns: comments, a title, the header of the zone; a second title is told."""
    for number, raw in enumerate(lines, start=1):
        line, words = tidy(raw), squeeze(tidy(raw).lstrip("#/ ")).rstrip(":,;\t ")
        if not words or re.fullmatch(r"\"?sep=.\"?", line, re.I) or re.fullmatch(r"[\s|:-]+", line):
            continue
        if deck.vocabulary.is_header(words):
            deck.enter(words, line=number)
        elif line.startswith(("#", "//")):
            deck.name = deck.name or words
        elif any(each.role == "title" for each in deck.words):
            deck.fault(
                "line",
                f"`{words}`: no card and no header; it stands above the heads of the columns",
                line=number,
            )
        else:
            why = "it stands above the heads of the columns"
            deck.name = deck.name or words
            deck.note(
                number,
                f"`{words}` was taken as the title: {why}; if it is a card, give it a row",
                weighty=True,
            )
            deck.set_aside(words, line=number, role="title", why=why, raw=raw)
            deck.account[number] = "title"


def _counted_zones(
    heads: Sequence[str], columns: Mapping[str, int], rows: Sequence[Sequence[str]]
) -> dict[str, int]:
    """Give the zone columns that hold counts; a lone one of yes and no (or 1 and 0 beside counts) says where a row stands."""
    taken = {columns["name"], columns.get("count")}
    zones = {word: place for word, place in _zone_columns(heads).items() if place not in taken}
    cells = [squeeze(tidy(row[place])) for row in rows for place in zones.values() if place < len(row)]
    filled = [cell for cell in cells if cell]
    if not filled or not all(_NUMBER.fullmatch(cell) for cell in filled):
        return {}
    flags = "count" in columns and len(zones) == 1 and all(cell in ("0", "1") for cell in filled)
    return {} if flags else zones


def _tell_numbers(
    deck: DeckBuilder,
    heads: Sequence[str],
    columns: Mapping[str, int],
    rows: Sequence[Sequence[str]],
    line: int,
) -> None:
    """Say, of a table without a column of counts, which columns hold small numbers: whatever they are called, they may be counts."""
    taken = {*columns.values(), *_zone_columns(heads).values()}
    numbers = [
        f"`{head}`"
        for place, head in enumerate(heads)
        if place not in taken
        and (filled := [cell for row in rows if place < len(row) and (cell := squeeze(tidy(row[place])))])
        and all(is_only_a_count(cell) for cell in filled)
    ]
    if numbers and "count" not in columns:
        shown = " and ".join(numbers)
        words = f"each row was read as one copy; if the numbers under {shown} are copies, call that column `Count`"
        deck.note(line, words, weighty=True)


def _row_of_zones(deck: DeckBuilder, row: _Row, zones: _Row, line: int, *, raw: str) -> None:
    """Read `Kite,4,2`: four in the main deck, two in the sideboard; a blank or a zero is none."""
    name, total = row["name"], row["count"]
    if row.broken("name"):
        deck.note(line, f"the name goes over several lines; it was read as `{name}`")
    counts = {zone: count for zone in zones.names if (count := zones[zone]) not in ("", None, "0")}
    if not name:
        deck.fault("line", "a row without the name of a card", line=line)
        return
    if total and total not in ("0", ""):
        if not counts and len(zones.names) == 1:
            counts = {"": total}  # nothing in the one other zone that the table knows
        elif len(zones.names) == 1 or total != str(sum(map(_as_number, counts.values()))):
            shown = " and ".join(f"{count} in {zone}" for zone, count in counts.items()) or "none in any zone"
            hint = "give each zone a column of its own, or each card one count"
            message = f"the row says {total}, and {shown}: is the one part of the other?"
            deck.fault("line", message, line=line, subjects=(name,), hint=hint)
            return
    for zone, count in counts.items():
        _enter(deck, zone or None, line)
        printing = PrintMark(row["set"] or None, row["number"] or None)
        deck.add(name, names.field(name, printing, code=row["code"]), line=line, count=count, raw=raw)
    if not counts:
        deck.note(line, f"`{name}` has no copies in any zone")
        deck.account.setdefault(line, "comment")


def _as_number(count: str | None) -> int:
    return int(count) if count and count.isdecimal() and len(count) <= MOST_DIGITS else 0


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

    @property
    def names(self) -> tuple[str, ...]:
        """What its columns mean (`name`, `count`, `set` …), from left to right."""
        return tuple(self._columns)


def _row(deck: DeckBuilder, row: _Row, line: int, *, raw: str) -> None:
    name, code = row["name"], row["code"]
    words = name or code
    if not words:
        deck.fault("line", "a row without the name of a card", line=line)
        return
    if _says_the_sum(deck, row, words, line, raw=raw) or _refuse_two_counts(deck, row, words, line):
        return
    if row.broken("name" if name else "code"):
        deck.note(line, f"the name goes over several lines; it was read as `{words}`")
    if row["zone"] is not None:
        _enter(deck, row["zone"], line)
    group = row["group"]
    if group and (deck.group is None or deck.group.words != group):
        deck.sort(group, line=line)
    printing = PrintMark(row["set"] or None, row["number"] or None)
    count = row["count"]
    if count == "":
        deck.note(line, f"no count stands beside `{words}`; one copy was read")
    peeled = names.field(words, printing, code=code)
    if row["finish"] and fold(row["finish"]) not in _NO | {"normal", "nonfoil", "non-foil", "regular"}:
        peeled = names.marked(peeled, "*F*")
    deck.add(words, peeled, line=line, count=count or 1, counted=bool(count), raw=raw)


def _says_the_sum(deck: DeckBuilder, row: _Row, words: str, line: int, *, raw: str) -> bool:
    """Take `Total,60` for what it is, if that is what the row says."""
    count = row["count"] or ""
    if not count.isdecimal() or len(count) > MOST_DIGITS or not is_total(words):
        return False
    deck.expect(int(count), line=line, words=squeeze(tidy(raw)))
    why = "it says how many cards there are"
    deck.set_aside(words, line=line, role="sum", why=why, count=count, raw=raw)
    deck.account.setdefault(line, "header")
    return True


def _refuse_two_counts(deck: DeckBuilder, row: _Row, words: str, line: int) -> bool:
    """Refuse a row with a second count that says otherwise, or one of foils besides."""
    count, other, shiny = row["count"], row["other"], row["shiny"]
    more = other if other and other != count else shiny if shiny not in (None, "", "0") else None
    if more:
        shown = f"it has two counts, {count or 'none'} and {more}"
        deck.fault("line", shown, line=line, subjects=(words,), hint="keep one column of counts")
    return bool(more)


def _enter(deck: DeckBuilder, zone: str | None, line: int) -> None:
    """Enter the row's zone; a column `Sideboarded` says Yes or No."""
    key = fold(zone or "")
    if key in _YES:
        zone = "Sideboard"
    elif key in _NO and key not in ("main", "mainboard"):
        zone = None
    deck.stand_in(zone, line=line)


def _side_by_side(lines: Sequence[str]) -> list[tuple[int, str]] | None:
    """Unfold lists that stand side by side, as spreadsheets paste them; None where there is one list only.

    Count and name (or name and count) twice or more on each line, or names only, between tabs, or, with counts,
    between commas or semicolons: the first list's lines with their numbers, then the second's.
    """
    filled = [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    if any(len(line) > LONGEST_LINE for _, line in filled):
        return None
    for delimiter in "\t;,":
        with_it = sum(delimiter in line for _, line in filled)
        if not with_it or (delimiter != "\t" and with_it < len(filled)):
            continue
        rows = [
            (number, [squeeze(tidy(cell)) for cell in _cells(line, delimiter)]) for number, line in filled
        ]
        if delimiter != "\t" and any(_cuts_a_bracket(cells) for _, cells in rows):
            continue
        blocks = _blocks([cells for _, cells in rows])
        if blocks and (delimiter == "\t" or len(blocks[0]) > 1 or _is_counted(rows[-1][1])):
            return [
                (number, text)
                for block in blocks
                for number, cells in rows
                if (
                    text := _unfolded(
                        [cells[place] for place in block if place < len(cells)], head=cells is rows[0][1]
                    )
                )
            ]
    return None


def _cuts_a_bracket(cells: Sequence[str]) -> bool:
    """Tell whether a bracket opens in one cell and closes in another: its comma separates no cells."""
    return any(
        cell.count(opens) != cell.count(closes) for cell in cells for opens, closes in ("()", "[]", "{}")
    )


_TABBED_NAME = re.compile(r"[^\W\d_].*")


def _blocks(rows: Sequence[Sequence[str]]) -> list[list[int]]:
    """Give the columns of each list that stands beside another; nothing where there is one list, or who knows."""
    width = max(map(len, rows), default=0)
    kinds = [
        kind
        for place in range(width)
        if (kind := (place, _kind([cells[place] for cells in rows if place < len(cells)])))[1]
    ]
    pattern = "".join(kind for _, kind in kinds)
    places = [place for place, _ in kinds]
    if re.fullmatch(r"b{2,}", pattern):
        return [[place] for place in places]
    heads = _columns(rows[0]) if rows else {}
    if heads.keys() - {"name", "count"} or (
        "name" in heads and sum(fold(cell) in _NAME_WORDS for cell in rows[0]) < len(places) // 2
    ):
        return []  # a table of one list, by the names of its columns
    if re.fullmatch(r"(?:cw){2,}|(?:wc){2,}", pattern):
        return [places[start : start + 2] for start in range(0, len(places), 2)]
    if re.fullmatch(r"w{2,}", pattern) and _are_names(rows, places):
        return [[place] for place in places]
    return []


_COUNTED_CELL = re.compile(r"\d{1,3}\s?[x×]?\s+[^\W\d_]|[^\W\d_].*\s[x×]\s?\d{1,3}$", re.I)


def _is_counted(cells: Sequence[str]) -> bool:
    """Whether each cell that holds something holds a count and a name."""
    return all(_COUNTED_CELL.match(cell) for cell in cells if cell)


def _kind(cells: Sequence[str]) -> str:
    """Say what a column holds: `c` counts, `w` words, `b` counts and words in one cell, nothing, or something else (`?`); a word may head a column."""
    filled = [cell for cell in cells if cell]
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


def _are_names(rows: Sequence[Sequence[str]], places: Sequence[int]) -> bool:
    """Whether each column holds names: several, none of them twice in its column, none a count with a name."""
    columns = [[cells[place] for cells in rows if place < len(cells) and cells[place]] for place in places]
    return all(
        len(column) > 1
        and len(set(map(fold, column))) == len(column)
        and all(_TABBED_NAME.fullmatch(cell) for cell in column)
        for column in columns
    )


def _unfolded(cells: Sequence[str], *, head: bool) -> str:
    """Write one list's cells of a row as a line; the heads of columns (`Qty`, `Card`) are no line of a list."""
    filled = [cell for cell in cells if cell]
    if head and len(filled) > 1 and any(fold(cell) in _COUNT_WORDS for cell in filled):
        filled = [
            cell for cell in filled if fold(cell) not in _COUNT_WORDS
        ]  # `Qty, Main`: what is left heads the list
    if head and all(fold(cell) in _COLUMN_WORDS for cell in filled):
        return ""
    counts = [cell for cell in filled if is_only_a_count(cell)]
    return " ".join([*counts, *(cell for cell in filled if cell not in counts)])


def _headless_columns(lines: Sequence[str]) -> dict[str, int] | None:
    """Tell a table without a header line by its rows: `4,Name` or `Name,4`, then set and number; None where it is none."""
    filled: list[str] = []
    for line in filter(None, map(tidy, lines)):
        if len(line) > LONGEST_LINE or not _ROW.fullmatch(line):
            return None
        filled.append(line)
    if not filled:
        return None
    cut = _delimiter(filled)
    rows = [_cells(line, cut) for line in filled]
    if any(len(cells) < _TWO or _cuts_a_bracket(cells) for cells in rows):
        return None
    rest = {"set": 2, "number": 3}
    if all(_COUNT.fullmatch(cells[0].strip()) and _could_be_name(cells[1]) for cells in rows):
        return {"count": 0, "name": 1, **rest}
    spaced = any(re.search(rf"{cut}\s", line.partition('"')[0]) for line in filled)
    if any(_PRICED.search(cells[0]) for cells in rows):
        return None  # `Name €4,50`: the comma is the price's
    if not spaced and all(_COUNT.fullmatch(cells[1].strip()) and _could_be_name(cells[0]) for cells in rows):
        return {"count": 1, "name": 0, **rest}
    return None


_TWO = 2
_COUNT = re.compile(r"\d{1,3}")
_PRICED = re.compile(r"[€$£¥]\s*\d+\s*$")


def _could_be_name(cell: str) -> bool:
    """Whether a cell has letters and does not go on with a number cut in two (`1,000 Needles`)."""
    return any(letter.isalpha() for letter in cell) and not re.match(r"\d{3}\b", cell)


def _delimiter(lines: Sequence[str]) -> str:
    return ";" if sum(line.count(";") for line in lines) > sum(line.count(",") for line in lines) else ","


def _read_headless(text: ListText, columns: Mapping[str, int]) -> Decklist:
    """Read the rows of a table without a header line."""
    lines = text.lines
    deck = DeckBuilder(text.source, "csv", text.vocabulary, fields=True)
    for number, cells in _records(lines, _delimiter(lines), text.source):
        if any(cell.strip() for cell in cells) and not deck.is_full(number):
            row = _Row(cells, {key: place for key, place in columns.items() if place < len(cells)})
            second = row["set"] or ""
            _row(deck, row, number, raw=lines[number - 1])
            if re.fullmatch(r"\d{1,2}", second):
                words = f"nothing says what `{second}` is: another count?"
                deck.fault("line", words, line=number, subjects=(row["name"] or "",))
    return deck.build()
