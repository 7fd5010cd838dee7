"""Lists in columns: CSV, TSV and Markdown tables by the names of their columns, lists side by side, pages in HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from tourney.cards.names import fold
from tourney.decks.decklist import Decklist, PrintMark
from tourney.decks.reading import names
from tourney.decks.reading.builder import DeckBuilder, LeftOpen, ListText
from tourney.decks.reading.cells import (
    WIDE,
    cells_in_columns,
    cells_of,
    cuts_a_bracket,
    is_border,
    is_rule,
    records,
)
from tourney.decks.reading.counts import is_only_a_count
from tourney.decks.reading.lines import (
    DESCRIBING,
    LONGEST_LINE,
    Header,
    LineKind,
    Vocabulary,
    general_kind,
    is_never_a_name,
    is_total,
    read_header,
    says_total,
    tidy,
    tokenize,
    unmark,
)
from tourney.decks.reading.names import PLAIN, squeeze
from tourney.decks.reading.plain import NEVER_SORTED, read_plain
from tourney.decks.reading.roles import LARGEST_SIDE
from tourney.decode import MAX_DIGITS
from tourney.errors import Severity
from tourney.spreadsheet import unescape_formula

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
    "zone": (
        "board", "zone", "section", "deck section", "deck", "sideboarded", "sideboard", "location", "pile", "part", "bereich", "teil", "abschnitt",
        "zona", "sección", "parte", "sezione", "seção", "secção", "partie", "część", "strefa", "sekcja", "зона", "раздел", "часть", "ゾーン", "区域", "區域", "구역",
    ),
    "code": ("card id", "code", "id", "passcode", "id #", "scryfall id", "card code", "identifier"),
    "finish": ("foil", "finish", "is foil", "premium"),
    "group": ("category", "categories", "card type", "type"),
    "subtitle": ("subtitle", "sub title", "card subtitle", "untertitel", "sous-titre", "subtítulo", "sottotitolo"),
}  # fmt: skip
_SURE_COUNTS = tuple(map(fold, ("count", "quantity", "qty", "amount", "copies", "number of copies")))
"""Heads that are of nothing but copies: a second column of them contradicts the first, or says the same."""
_FINISH = re.compile(r"\b(?:non)?(?:foils?|etched|holos?|premium|shiny|alt(?:ernate)?)\b")
_COUNTING = re.compile(r"\b(?:count|quantity|qty|amount|copies|number)\b")
_LONGEST_CODE = 5
_HEADS = {meaning: tuple(map(fold, heads)) for meaning, heads in _COLUMNS.items()}
NAME_WORDS, COUNT_WORDS = frozenset(_HEADS["name"]), frozenset(_HEADS["count"])
COLUMN_WORDS = NAME_WORDS | COUNT_WORDS
_OF_HEADS = frozenset(
    map(
        fold,
        ("of", "in", "the", "is", "de", "des", "du", "en", "im", "in der", "del", "nel", "no", "na", "w"),
    )
)
_ONLY_CARDS = frozenset(map(fold, ("cards", "karten", "cartes", "cartas", "карты")))
"""Words for a main deck that do not mean it in the head of a column: `Number of cards`."""
_DELIMITERS = (*",;\t|", WIDE)
_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)?\s?[x×]?|[x×]\s?\d+", re.I)
_YES = frozenset(
    map(
        fold,
        (
            "yes",
            "true",
            "1",
            "y",
            "x",
            "sideboard",
            "ja",
            "j",
            "oui",
            "sí",
            "sì",
            "sim",
            "tak",
            "да",
            "✓",
            "✔",
            "☑",
        ),
    )
)
_NO = frozenset(
    map(
        fold, ("no", "false", "0", "n", "", "mainboard", "main", "nein", "non", "não", "nie", "нет", "-", "☐")
    )
)
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
    from tourney.decks.reading.beside import count_columns, read_side_by_side

    if decks := read_side_by_side(text):
        return decks
    if table := _find_table(text):
        return [_read_table(text, *table)]
    if headless := _find_headless(text):
        return [_read_headless(text, *headless)]
    lines = count_columns(text.lines)
    return read_plain(text, beside=lines) if lines else []


def _find_table(text: ListText) -> tuple[int, str, dict[str, int]] | None:
    """Find a table: the place of its header line, the delimiter, and which column is which; None where there is none."""
    for place, raw in enumerate(text.lines[:20]):
        line = raw.strip().lstrip("\ufeff")
        if not line or re.fullmatch(r"\"?sep=.\"?", line, re.I):
            continue
        for delimiter in filter(line.__contains__, _DELIMITERS):
            cells = cells_of(line, delimiter)
            columns = columns_of_heads(cells)
            if "name" in columns and (len(columns) >= 2 or _zone_columns(cells, text.vocabulary)):
                return place, delimiter, columns
        if (
            any(character.isdigit() for character in line)
            and not line.startswith(("#", "//"))
            and "|" not in line
            and not read_header(tidy(line), text.vocabulary)
        ):
            return None  # a card, perhaps; titles and headers may stand above a table
    return None


def _heads_columns(cells: Sequence[str]) -> bool:
    """Whether the cells are the heads of columns and nothing else, a name's among them: `Qty`, `Card`."""
    filled = [fold(cell) for cell in cells if cell.strip()]
    return any(cell in NAME_WORDS for cell in filled) and all(cell in COLUMN_WORDS for cell in filled)


def columns_of_heads(cells: Sequence[str]) -> dict[str, int]:
    """Return which column means what, by the words in their heads."""
    folded = [fold(cell.replace("_", " ")) for cell in cells]
    columns: dict[str, int] = {}
    for meaning, heads in _HEADS.items():
        place = next((folded.index(head) for head in heads if head in folded), None)
        if place is not None and place not in columns.values():
            columns[meaning] = place
    if "count" not in columns or sum(head in NAME_WORDS for head in folded) != 1:
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


def _zone_columns(cells: Sequence[str], vocabulary: Vocabulary) -> dict[str, int]:
    """Return the columns that are called as a zone is, with or without a word for counts: `Maindeck`, `Side Qty`."""
    zones = ((_zone_of_head(cell, vocabulary), place) for place, cell in enumerate(cells))
    return {zone: place for zone, place in zones if zone is not None}


def _zone_of_head(head: str, vocabulary: Vocabulary) -> str | None:
    """Return the words for a zone in the head of a column.

    >>> from tourney.decks.reading.lines import GENERAL
    >>> heads = "Side Qty", "mainCount", "Quantity (Sideboard)", "Number of cards", "Set"
    >>> [_zone_of_head(head, GENERAL) for head in heads]
    ['Side', 'main', 'Sideboard', None, None]
    """
    words = squeeze(tidy(head)).strip("?!:* ")
    if vocabulary.is_header(words):
        return words
    parts = re.sub(r"(?<=[a-zß-ÿ])(?=[A-Z])|[_()\[\]:?/-]+", " ", words).split()
    rest = " ".join(part for part in parts if fold(part) not in COUNT_WORDS | _OF_HEADS)
    is_zone = fold(rest) not in _ONLY_CARDS | {""} and len(parts) > 1 and vocabulary.is_header(rest)
    return rest if is_zone else None


# -- A table with a line of heads


def _read_table(text: ListText, place: int, delimiter: str, columns: Mapping[str, int]) -> Decklist:
    """Read a table whose line of heads stands at `place`."""
    lines, grammar = text.lines, "markdown-table" if delimiter == "|" else "csv"
    deck = DeckBuilder(text.source, grammar, text.vocabulary, fields=True)
    _preface(deck, lines[:place])
    deck.account |= {
        number + 1: deck.account.get(number + 1, "header")
        for number in range(place + 1)
        if lines[number].strip()
    }
    heads = cells_of(lines[place].strip().lstrip("\ufeff"), delimiter)
    rows = _spaced_rows(deck, lines, place) if delimiter == WIDE else _rows(text, place, delimiter)
    _Table(deck, lines, heads, columns).read(list(rows), line=place + 1)
    return deck.build()


def _preface(deck: DeckBuilder, lines: Sequence[str]) -> None:
    """Read what stands above the heads of the columns: comments, a title, the header of the zone; a second title is told."""
    for number, raw in enumerate(lines, start=1):
        line, words = tidy(raw), squeeze(tidy(raw).lstrip("#/ ")).rstrip(":,;\t ")
        if not words or re.fullmatch(r"\"?sep=.\"?", line, re.I) or is_rule(line):
            continue
        header = read_header(words, deck.vocabulary)
        if header is not None and header.zone:
            deck.enter(header.words, line=number, declared=header.count)
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


def _rows(text: ListText, place: int, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each row below the heads with its line: blank lines and rules as rows without cells."""
    body = text.lines[place + 1 :]
    if delimiter in ("|", WIDE):
        split = _bar_cells if delimiter == "|" else partial(cells_of, delimiter=WIDE)
        for number, raw in enumerate(body, start=place + 2):
            if not is_border(raw):
                yield number, split(raw) if raw.strip() else []
        return
    last = place + 1
    for number, cells in records(body, delimiter, text.source):
        line = number + place + 1
        yield from ((blank, list[str]()) for blank in range(last + 1, line))
        last = line + sum(cell.count("\n") for cell in cells)
        yield line, cells


def _spaced_rows(deck: DeckBuilder, lines: Sequence[str], place: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows below heads that are separated by wide spaces; refuse a row with a cell under no clear head."""
    most = len(cells_of(lines[place], WIDE))
    kept = [place, *(at for at in range(place + 1, len(lines)) if len(cells_of(lines[at], WIDE)) <= most)]
    cells_at = dict(zip(kept, cells_in_columns([lines[at] for at in kept]), strict=True))
    for at in range(place + 1, len(lines)):
        cells = cells_at.get(at)
        if cells is not None:
            yield at + 1, cells
        else:
            message = (
                f"`{squeeze(tidy(lines[at]))[:40]}`: nothing says which of its words are under which head"
            )
            deck.fault("line", message, line=at + 1, hint="put a tab or a `|` between the columns")


def _bar_cells(line: str) -> list[str]:
    """Return the cells of a row between bars, without emphasis; a line without bars is one cell."""
    cells = [line.strip()] if "|" not in line else cells_of(line, "|")
    if len([cell for cell in cells if cell]) == 1:
        return cells
    return [_EMPHASIS.sub(r"\2", unmark(cell)) for cell in cells]


_EMPHASIS = re.compile(r"^(\*\*|__)(.+)\1$")


class _Table:
    """A table: the meanings of its columns, and the zone that its rows of headers say.

    zones:  the columns that hold a count for each zone
    said:   the columns in which a row can say its zone, whatever they are called
    headed: the zone of the last row that is a header
    below:  how many cards are below the last gap
    """

    def __init__(
        self, deck: DeckBuilder, lines: Sequence[str], heads: Sequence[str], columns: Mapping[str, int]
    ) -> None:
        self.deck = deck
        self.lines = lines
        self.heads = heads
        self.columns = columns
        self.zones: Mapping[str, int] = {}
        self.flags: Mapping[str, int] = {}
        self.said: Sequence[int] = ()
        self.headed = deck.zone.words if deck.zone else None
        self.below = 0

    def read(self, rows: Sequence[tuple[int, list[str]]], *, line: int = 0) -> None:
        """Read rows in order. line: the line of the heads; 0 for a table without heads."""
        known = [
            cells
            for _, cells in rows
            if any(map(str.strip, cells)) and not _heads_columns(cells) and not self._is_separator(cells)
        ]
        self._learn(known, line)
        parts = self._parts(rows) if self._is_flat(known, rows) else []
        for number, cells in rows:
            raw = self.lines[min(number - 1, len(self.lines) - 1)]
            if not any(map(str.strip, cells)) or self._is_separator(cells):
                if raw.strip():
                    self.deck.account.setdefault(number, "comment")
            elif _heads_columns(cells) and len(cells) > 1:
                self._take_heads(cells, number)
            elif (header := self._header(cells)) is not None:
                self._begin(header, number, raw)
            elif not self.deck.is_full(number):
                self._begin_part(parts, number)
                self._take(cells, number, raw)
        for number, raw in enumerate(self.lines, start=1):
            if is_border(raw):
                self.deck.account.setdefault(number, "comment")

    def _learn(self, rows: Sequence[Sequence[str]], line: int) -> None:
        """Find out from all rows which columns hold zones, counts or flags."""
        zones = _zone_columns(self.heads, self.deck.vocabulary)
        count = self.columns.get("count")
        counted = next((zone for zone, place in zones.items() if place == count), None)
        if counted is not None and len(zones) > 1 and fold(self.heads[count or 0]) not in _SURE_COUNTS:
            self.columns = {meaning: place for meaning, place in self.columns.items() if place != count}
        taken = {self.columns["name"], self.columns.get("count")}
        zones = {zone: place for zone, place in zones.items() if place not in taken}
        self.zones = _counted_zones(zones, rows, counted="count" in self.columns)
        self.flags = {} if self.zones else _flagged_zones(zones, rows)
        if line:
            _tell_numbers(self.deck, self.heads, {**self.columns, **zones}, rows, line)
        fixed = {
            place
            for meaning, place in self.columns.items()
            if meaning not in ("zone", "group", "set" if not line else "group")
        }
        width = max(map(len, rows), default=0)
        self.said = [
            place
            for place in range(width)
            if place not in fixed | {*self.zones.values(), *self.flags.values()}
        ]

    def _is_separator(self, cells: Sequence[str]) -> bool:
        filled = [cell for cell in map(str.strip, cells) if cell]
        return all(_SEPARATOR.fullmatch(cell) for cell in filled)

    def _is_outside(self, cells: Sequence[str]) -> bool:
        """Return whether a line without bars is below the table."""
        return len(cells) == 1 and len(self.heads) > 1 and self.deck.grammar == "markdown-table"

    # -- parts without a header

    def _is_flat(self, known: Sequence[Sequence[str]], rows: Sequence[tuple[int, list[str]]]) -> bool:
        """Return whether nothing in the table says the zone of any row, so that gaps between rows could."""
        vocabulary = self.deck.vocabulary
        headers = (self._header(cells) for _, cells in rows if any(map(str.strip, cells)))
        said = (self._said_zones(cells) for cells in known)
        explicit = any(_Row(cells, self.columns)["zone"] for cells in known)
        return (
            not (self.headed or self.zones or self.flags or explicit or any(said) or any(headers))
            and vocabulary.zone_of_kind("side") is not None
        )

    def _parts(self, rows: Sequence[tuple[int, list[str]]]) -> list[int]:
        """Return the first line of each part below a gap: a blank row, a separator, the heads of the columns again."""
        starts, gap, seen = [], False, False
        for number, cells in rows:
            filled = any(map(str.strip, cells)) and not self._is_separator(cells)
            is_card = filled and not _heads_columns(cells) and not self._is_outside(cells)
            if is_card and gap and seen:
                starts.append(number)
                self.below = 0
            self.below += (_as_number(_Row(cells, self.columns)["count"]) or 1) if is_card else 0
            seen, gap = seen or is_card, not is_card
        return starts

    def _begin_part(self, parts: Sequence[int], number: int) -> None:
        """Take the part below the only gap as the sideboard, as in a text; ask about several parts."""
        if number not in parts:
            return
        if len(parts) == 1 and self.below <= LARGEST_SIDE:
            self.headed = "Sideboard"
            self.deck.enter("Sideboard", line=number, implied=True)
            message = (
                "the cards from here on were taken as the sideboard: the only gap in the table is above them"
            )
            self.deck.note(number, message, weighty=True)
        else:
            message = "a gap in the table is above this row, and nothing says what is below it"
            self.deck.fault(
                "line", message, line=number, hint="write `Sideboard` in a row of its own above it"
            )

    # -- rows that are headers

    def _header(self, cells: Sequence[str]) -> Header | None:
        """Read a row with nothing but a header, perhaps with its count: `Sideboard,`, `| **Sideboard** | 15 |`."""
        filled = [(place, squeeze(tidy(cell))) for place, cell in enumerate(cells) if cell.strip()]
        numbers = [word.strip("*_ ") for _, word in filled if is_only_a_count(word.strip("*_ "))]
        words = [(place, word) for place, word in filled if not is_only_a_count(word.strip("*_ "))]
        if len(words) != 1 or len(numbers) > 1 or says_total(words[0][1]):
            return None
        (place, word), vocabulary = words[0], self.deck.vocabulary
        shaped = word.startswith("##")
        header = read_header(word.lstrip("#/ ").strip(), vocabulary, shaped=shaped) or read_header(
            unmark(word), vocabulary
        )
        if header is None or header.words.lower() in DESCRIBING:
            return None
        sure = vocabulary.is_sure(header.words)
        if numbers:
            return (
                replace(header, count=int(numbers[0]))
                if header.zone and sure and numbers[0].isdecimal()
                else None
            )
        in_a_row = (
            len(cells) == 1 or header.shaped or place != self.columns["name"] or "count" in self.columns
        )
        return header if sure or header.shaped or (header.known and in_a_row) else None

    def _begin(self, header: Header, number: int, raw: str) -> None:
        deck = self.deck
        deck.account.setdefault(number, "header")
        if header.zone:
            deck.enter(header.words, line=number, declared=header.count)
            self.headed = header.words
            return
        if deck.zone and deck.zone.cards and deck.zone.kind in NEVER_SORTED:
            deck.leave()
            self.headed = None
        deck.sort(header.words, line=number, declared=header.count)
        if not header.known:
            why = "it has no count beside it"
            deck.note(number, f"`{header.words}` was taken for a header: {why}", weighty=True)
            deck.fault(
                "header",
                "read as a group of the part above; its cards count there",
                line=number,
                severity=Severity.ADVICE,
                subjects=(header.words,),
                hint="if it is a part of its own, call it what the format calls it, such as `Sideboard`",
            )
            deck.set_aside(header.words, line=number, role="header", why=why, raw=raw)

    def _take_heads(self, cells: Sequence[str], number: int) -> None:
        """Read repeated heads of columns; the columns below them may be in another order."""
        self.heads, self.columns = cells, columns_of_heads(cells)
        self.deck.account.setdefault(number, "header")

    # -- rows that are cards

    def _take(self, cells: Sequence[str], number: int, raw: str) -> None:
        row = _Row(cells, self.columns)
        if self._is_outside(cells):
            self._take_outside(cells[0], number, raw)
        elif self.zones:
            _row_of_zones(self.deck, row, _Row(cells, self.zones), number, raw=raw)
        elif self._enter_zone(row, cells, number):
            alone = "count" in self.columns and sum(bool(cell.strip()) for cell in cells) == 1
            _row(self.deck, row, number, raw=raw, doubt=_CARD_OR_HEADER if alone else "")

    def _take_outside(self, line: str, number: int, raw: str) -> None:
        """Refuse a line below a table that could be a card; add a note about other words."""
        token = tokenize(number, raw, tidy(line), self.deck.vocabulary, PLAIN)
        words = squeeze(tidy(line))
        if token.kind is LineKind.TOTAL:
            self.deck.expect(int(token.count or 0), line=number, words=words)
        elif token.kind is LineKind.COUNTED:
            message = "no card was read, as the line is outside the table"
            self.deck.fault("line", f"`{words[:40]}`: {message}", line=number, hint="give it a row")
        elif token.kind is LineKind.BARE:
            why = "it stands outside the table"
            message = f"`{words[:80]}` was taken for a description, not for a card: {why}"
            self.deck.note(number, message, weighty=True)
            self.deck.set_aside(words, line=number, role="description", why=why, raw=raw)
        self.deck.account.setdefault(number, "comment")

    def _enter_zone(self, row: _Row, cells: Sequence[str], number: int) -> bool:
        """Enter the zone that the row says, or the last header above it; refuse a row that says two."""
        deck, said = self.deck, self._said_zones(cells)
        flagged = [
            zone for zone, place in self.flags.items() if place < len(cells) and fold(cells[place]) in _YES
        ]
        explicit = row["zone"]
        if explicit is not None:
            zone = _explicit_zone(explicit, deck.vocabulary)
            said = [*said, zone] if zone else said
        zones = {
            deck.vocabulary.zone_id(zone) or general_kind(zone) or fold(zone): zone
            for zone in (*said, *flagged)
        }
        if len(zones) > 1:
            shown = " and ".join(f"`{zone}`" for zone in zones.values())
            name = row["name"] or ""
            deck.fault(
                "line",
                f"the row says {shown}: in which zone is the card?",
                line=number,
                subjects=(name,) if name else (),
            )
            return False
        deck.stand_in(next(iter(zones.values()), self.headed), line=number)
        return True

    def _said_zones(self, cells: Sequence[str]) -> list[str]:
        """Return the zones in cells of columns with other names: a category, a folder, a tag."""
        said = (
            zone for place in self.said if place < len(cells) for zone in self._zones_in(cells[place], place)
        )
        return list(dict.fromkeys(said))

    def _zones_in(self, cell: str, place: int) -> Iterator[str]:
        if place == self.columns.get("zone"):
            return
        whole = squeeze(tidy(unescape_formula(cell)))
        for part in (whole, *_VALUES.split(whole)):
            words = re.sub(r"\{.*?\}", "", part).strip(" #[]()*")
            for said in (words, _COUNT_BEHIND.sub("", _LOCATING.sub("", words)).strip(" #[]()*:")):
                if said and self._is_zone(said):
                    yield said
                    break

    def _is_zone(self, words: str) -> bool:
        vocabulary = self.deck.vocabulary
        if vocabulary.is_outside(words) or general_kind(words) == "side" or is_never_a_name(words):
            return True
        return vocabulary.zone_id(words) is not None and vocabulary.is_sure(words)


_NONE = frozenset({"", "-", "–", "—", "/", "n/a", "N/A", "none"})
"""Cells that mean no copies, besides 0."""
_SEPARATOR = re.compile(r"[-–—=*_~:.·]{2,}|[–—]|(?:[-=*] ){2,}[-=*]")
_VALUES = re.compile(r"\s*[,;/|>]\s*")
_LOCATING = re.compile(
    r"^(?:(?:is|goes|now|currently|ist|liegt|está|è)\s+)?(?:in|im|into|to|from|for|auf|en|dans|nel|no|na|w|do|my|our|the|as|als)\s+(?:(?:the|my|our|der|die|das|dem|den|le|la|el|il)\s+)?",
    re.I,
)
"""Words before a zone in a cell: `In Sideboard`, `in the side deck`."""
_COUNT_BEHIND = re.compile(
    r"(?:\s*[(\[]\s*|\s*[:×–-]\s*|\s+)[x×]?\d{1,3}(?:\s?(?:x|cards?|karten|cartes|cartas|carte))?\s*[)\]]?$",
    re.I,
)
_CARD_OR_HEADER = "no count stands beside it: a card, or a header? write `1` beside a card"


def _explicit_zone(cell: str, vocabulary: Vocabulary) -> str | None:
    """Return the zone of a cell in a column of zones. A column `Sideboarded` says Yes or No; a sorting word is not a zone."""
    key = fold(cell)
    if key in _YES:
        return "Sideboard"
    if key in _NO and key not in ("main", "mainboard"):
        return None
    header = read_header(cell, vocabulary)
    return None if header is not None and header.group else cell


def _counted_zones(
    zones: Mapping[str, int], rows: Sequence[Sequence[str]], *, counted: bool
) -> Mapping[str, int]:
    """Return the zone columns that hold counts. A single column of 1 and 0 beside a count column is a flag instead.

    One number is enough: any other cell that is not a number is then refused by its line.
    """
    cells = [squeeze(tidy(row[place])) for row in rows for place in zones.values() if place < len(row)]
    filled = [cell for cell in cells if cell not in _NONE]
    if not any(_NUMBER.fullmatch(cell) for cell in filled):
        return {}
    flags = counted and len(zones) == 1 and all(cell in ("0", "1") for cell in filled)
    return {} if flags else zones


def _flagged_zones(zones: Mapping[str, int], rows: Sequence[Sequence[str]]) -> Mapping[str, int]:
    """Return the zone columns of yes and no."""
    return {
        zone: place
        for zone, place in zones.items()
        if all(fold(row[place].strip()) in _YES | _NO for row in rows if place < len(row))
        and general_kind(zone) != "main"
    }


def _tell_numbers(
    deck: DeckBuilder,
    heads: Sequence[str],
    columns: Mapping[str, int],
    rows: Sequence[Sequence[str]],
    line: int,
) -> None:
    """Say, of a table without a column of counts, which columns hold small numbers: whatever they are called, they may be counts."""
    taken = set(columns.values())
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
    counts = {
        zone: count for zone in zones.names if (count := _without_times(zones[zone])) not in _NONE | {"0"}
    }
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
        deck.stand_in(zone or None, line=line)
        printing = PrintMark(row["set"] or None, row["number"] or None)
        deck.add(name, names.field(name, printing, code=row["code"]), line=line, count=count, raw=raw)
    if not counts:
        deck.note(line, f"`{name}` has no copies in any zone")
        deck.account.setdefault(line, "comment")


def _without_times(count: str | None) -> str:
    """Return the number of a cell such as `4x`; any other cell as it is."""
    return (count or "").strip("xX× ") if is_only_a_count(count or "") else count or ""


def _as_number(count: str | None) -> int:
    return int(count) if count and count.isdecimal() and len(count) <= MAX_DIGITS else 0


class _Row:
    """One record, its cells by what their columns mean."""

    def __init__(self, cells: Sequence[str], columns: Mapping[str, int]) -> None:
        self._cells = cells
        self._columns = columns

    def __getitem__(self, meaning: str) -> str | None:
        place = self._columns.get(meaning)
        if place is None:
            return None
        return squeeze(tidy(unescape_formula(self._cells[place]))) if place < len(self._cells) else ""

    def broken(self, meaning: str) -> bool:
        """Whether there is a line end inside the cell."""
        place = self._columns.get(meaning, len(self._cells))
        return "\n" in (self._cells[place] if place < len(self._cells) else "").strip()

    @property
    def names(self) -> tuple[str, ...]:
        """What its columns mean (`name`, `count`, `set` …), from left to right."""
        return tuple(self._columns)


def _row(deck: DeckBuilder, row: _Row, line: int, *, raw: str, doubt: str = "") -> None:
    """Add the card of a row whose zone is entered. doubt: why the row may not be a card."""
    name, code = row["name"], row["code"]
    words = name or code
    if not words:
        deck.fault("line", "a row without the name of a card", line=line)
        return
    if _says_the_sum(deck, row, words, line, raw=raw) or _refuse_two_counts(deck, row, words, line):
        return
    if row.broken("name" if name else "code"):
        deck.note(line, f"the name goes over several lines; it was read as `{words}`")
    group = row["group"]
    if group and (deck.group is None or deck.group.words != group) and not deck.vocabulary.is_header(group):
        deck.sort(group, line=line)
    printing = PrintMark(row["set"] or None, row["number"] or None)
    count = row["count"] and _without_times(row["count"])
    if count == "" and not doubt:
        deck.note(line, f"no count stands beside `{words}`; one copy was read")
    peeled = names.field(words, printing, code=code)
    if subtitle := row["subtitle"]:
        peeled = names.titled(words, subtitle, printing, code=code)
        words = f"{words} | {subtitle}"
    if row["finish"] and fold(row["finish"]) not in _NO | {"normal", "nonfoil", "non-foil", "regular"}:
        peeled = names.marked(peeled, "*F*")
    deck.add(
        words, peeled, line=line, count=count or 1, counted=bool(count), raw=raw, left_open=LeftOpen(doubt)
    )


def _says_the_sum(deck: DeckBuilder, row: _Row, words: str, line: int, *, raw: str) -> bool:
    """Take `Total,60` for what it is, if that is what the row says."""
    count = row["count"] or ""
    if not count.isdecimal() or len(count) > MAX_DIGITS or not is_total(words):
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


# -- A table without a line of heads


def _find_headless(text: ListText) -> tuple[str, dict[str, int]] | None:
    """Recognize a table without heads by its rows: `4,Name` or `Name,4`, then set and number. None if it is not a table.

    Returns the delimiter and the columns. A row with one cell may be a header, or blank.
    """
    filled = [line for line in map(tidy, text.lines) if line]
    if any(len(line) > LONGEST_LINE for line in filled):
        return None
    commas = _delimiter(filled)
    for delimiter in (commas, "\t", "|", WIDE):
        if any(delimiter in line for line in filled):
            columns = _headless_columns(filled, delimiter, text.vocabulary)
            if columns is not None:
                return delimiter, columns
    return None


def _headless_columns(filled: Sequence[str], cut: str, vocabulary: Vocabulary) -> dict[str, int] | None:
    rows = [cells_of(line, cut) for line in filled]
    words = [(cells, [cell for cell in cells if cell.strip()]) for cells in rows]
    cards = [cells for cells, kept in words if not _is_part(kept, vocabulary)]
    if not cards or any(len(cells) < _TWO or cuts_a_bracket(cells) for cells in cards):
        return None
    if cut in ",;" and any(
        not _ROW.fullmatch(line) for line, cells in zip(filled, rows, strict=True) if cells in cards
    ):
        return None
    width = max(map(len, cards))
    zones = [
        place
        for place in range(width)
        if _are_zones([cells[place] for cells in cards if place < len(cells)], vocabulary)
    ]
    if (
        cut not in ",;"
        and not zones
        and not any(_says_zone(cell, vocabulary) for cells in cards for cell in cells[2:])
    ):
        return None
    first, second, *others = [*(place for place in range(width) if place not in zones), -1, -1]
    if second < 0 or any(len(cells) <= second for cells in cards):
        return None
    rest = dict(zip(("set", "number"), (place for place in others if place >= 0), strict=False))
    if all(_COUNT.fullmatch(cells[first].strip()) and _could_be_name(cells[second]) for cells in cards):
        return {"count": first, "name": second, **rest}
    spaced = cut in ",;" and any(re.search(rf"{cut}\s", line.partition('"')[0]) for line in filled)
    if any(_PRICED.search(cells[first]) for cells in cards):
        return None  # `Name €4,50`: the comma is the price's
    if not spaced and all(
        _COUNT.fullmatch(cells[second].strip()) and _could_be_name(cells[first]) for cells in cards
    ):
        return {"count": second, "name": first, **rest}
    return None


def _are_zones(cells: Sequence[str], vocabulary: Vocabulary) -> bool:
    """Return whether all cells of a column without a head are zones."""
    filled = [cell for cell in cells if cell.strip()]
    return bool(filled) and all(_says_zone(cell, vocabulary) for cell in filled)


def _is_part(cells: Sequence[str], vocabulary: Vocabulary) -> bool:
    """Return whether a row is not a card: it is blank, a rule, or words that surely head a zone."""
    if all(_SEPARATOR.fullmatch(cell.strip()) for cell in cells):
        return True
    if len(cells) > 1:
        return False
    header = read_header(squeeze(tidy(cells[0])), vocabulary)
    return header is not None and (header.zone or header.group)


def _says_zone(cell: str, vocabulary: Vocabulary) -> bool:
    words = squeeze(tidy(cell))
    return vocabulary.is_header(words) and vocabulary.is_sure(words)


_TWO = 2
_COUNT = re.compile(r"\d{1,3}")
_PRICED = re.compile(r"[€$£¥]\s*\d+\s*$")


_COUNT_AGAIN = re.compile(r"(?:[^\W\d_]{2,12}\s?:\s*)?\d{1,2}(?:\s?[x×]?\s+[^\W\d_].*)?", re.I)
"""`3`, or another card: `3 Kite`, `SB: 3 Kite`."""


def _could_be_name(cell: str) -> bool:
    """Whether a cell has letters and does not go on with a number cut in two (`1,000 Needles`)."""
    return any(letter.isalpha() for letter in cell) and not re.match(r"\d{3}\b", cell)


def _delimiter(lines: Sequence[str]) -> str:
    return ";" if sum(line.count(";") for line in lines) > sum(line.count(",") for line in lines) else ","


def _read_headless(text: ListText, delimiter: str, columns: Mapping[str, int]) -> Decklist:
    """Read the rows of a table without a header line."""
    deck = DeckBuilder(text.source, "csv", text.vocabulary, fields=True)
    _HeadlessTable(deck, text.lines, [], columns).read(list(_rows(text, -1, delimiter)))
    return deck.build()


class _HeadlessTable(_Table):
    """A table without column names: a zone is not read as a set, and a second number is asked about."""

    def _take(self, cells: Sequence[str], number: int, raw: str) -> None:
        told = {
            meaning: place
            for meaning, place in self.columns.items()
            if place < len(cells)
            and not (meaning in ("set", "number") and any(self._zones_in(cells[place], place)))
        }
        row = _Row(cells, told)
        if not self._enter_zone(row, cells, number):
            return
        _row(self.deck, row, number, raw=raw)
        second = row["set"] or ""
        if _COUNT_AGAIN.fullmatch(second):
            words = f"nothing says what `{second}` is: another count?"
            self.deck.fault("line", words, line=number, subjects=(row["name"] or "",))
