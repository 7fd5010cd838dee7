"""A table of cards becomes lines of a pool, and a report of what could not be used.

New cards among those that are there: no name, alias or id twice, nothing that the proofreader would refuse.

Where a pool tells its cards apart by id (`key = "id"`), several may share a name, and a card whose id is there is there.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from tourney.cards.card import (
    RESERVED,
    Attribute,
    AttributeKind,
    Schema,
    Value,
    found_words,
    parse_schema,
    value_of,
)
from tourney.cards.names import fold
from tourney.cards.pool import Pool, read_card, slug
from tourney.decode import (
    MAX_CARD_FILE,
    MAX_CARD_VALUES,
    MAX_CARDS,
    MAX_VALUES,
    check_bounds,
    check_json,
    check_text,
    decode_json,
    parse_number_literal,
)
from tourney.errors import TourneyError
from tourney.spreadsheet import parse_csv

_OWN_HEADINGS = {
    "name": ("name", "card name", "card", "title"),
    "id": ("id", "key", "slug", "code"),
    "aliases": ("aliases", "alias", "other names"),
    "counts_as": ("counts_as",),
    "version": ("version",),
    "note": ("note", "notes", "source"),
    "set": ("set", "set code", "set_code"),
    "number": ("number", "collector number", "collector_number"),
    "status": ("status",),
}
_GUESS = re.compile(r"(?P<guess>.*\S)?\s*\?\Z")


@dataclass
class ImportedCards:
    """What came of a table.

    cards:      one mapping a card, as it is written into a set file
    attributes: those the cards use that the pool did not declare yet
    unused:     what could not be used, one sentence each, with its place
    """

    cards: list[dict[str, Any]] = field(default_factory=list)
    attributes: dict[str, Attribute] = field(default_factory=dict)
    unused: list[str] = field(default_factory=list)


def import_cards(
    rows: Sequence[TableRow],
    schema: Schema | None,
    *,
    source: str,
    others: Pool | None = None,
    add_attributes: bool = False,
) -> ImportedCards:
    """Turn rows into cards.

    source: names the file in messages
    schema: the pool they go into; its attributes say which columns are used and of what type they are. Without one,
            and where it declares none, every column becomes an attribute whose type is read off its cells.
    others: the pool's other sets, whose names and ids are taken
    add_attributes: let the columns that the pool does not declare become attributes, too

    A cell that ends in a question mark is a guess: the attribute is unknown, and the guess stands in the note. An empty
    cell says nothing, `none` or `-` that the card has none. Raises TourneyError where no column holds names.
    """
    columns = _columns(rows)
    own = _own(columns)
    if "name" not in own:
        raise TourneyError(
            f"{source}: no column holds the names of the cards; there are {', '.join(columns)}",
            "call the column `name`",
        )
    result = ImportedCards()
    declared = {_word(name): attribute for name, attribute in schema.attributes.items()} if schema else {}
    attributes = _attributes(rows, own, declared, result, add=add_attributes or not declared)
    every_attribute = {**(schema.attributes if schema else {}), **result.attributes}
    made = ((row.place, _card(row, own, attributes, result)) for row in rows)
    whole = replace(schema or _NEW, attributes=every_attribute)
    settling = Settling(whole, others, result.unused)
    result.cards = settling.settle([(place, card) for place, card in made if card is not None])
    return result


_NEW = parse_schema('game = "new"\ncomplete = false\n', source="new")


def _columns(rows: Sequence[TableRow]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for row in rows for name in row.cells if name))


def _own(columns: Iterable[str]) -> dict[str, str]:
    """Find the columns that are no attributes: our word → the heading it stands under."""
    plain: dict[str, str] = {fold(column): column for column in reversed(tuple(columns))}
    found = {
        word: next((plain[each] for each in headings if each in plain), None)
        for word, headings in _OWN_HEADINGS.items()
    }
    return {word: heading for word, heading in found.items() if heading}


def _attributes(
    rows: Sequence[TableRow],
    own: Mapping[str, str],
    declared: Mapping[str, Attribute],
    result: ImportedCards,
    *,
    add: bool,
) -> dict[str, Attribute]:
    """Decide what each other column is: heading → attribute."""
    used = {}
    for column in _columns(rows):
        word = _word(column)
        if word in declared:
            used[column] = declared[word]
        elif column in own.values() or fold(column) == "printings":
            continue
        elif add:
            used[column] = _inferred(word, [row.cells.get(column) for row in rows])
            result.attributes[used[column].name] = used[column]
        else:
            result.unused.append(f"column `{column}`: the pool declares no such attribute")
    return used


def _word(heading: str) -> str:
    """Return a heading as an attribute's name: `Capture Cost` is capture_cost."""
    word = re.sub(r"\W+", "_", fold(heading)).strip("_") or "value"
    return f"{word}_" if word in RESERVED else word


def _inferred(name: str, cells: Sequence[object]) -> Attribute:
    values = [
        cell for cell in cells if cell is not None and str(cell).strip() and not _GUESS.match(str(cell))
    ]
    for kind in (AttributeKind.FLAG, AttributeKind.NUMBER, AttributeKind.LIST):
        attribute = Attribute(name=name, kind=kind)
        if values and all(_is(kind, cell, attribute) for cell in values):
            return attribute
    return Attribute(name=name, kind=AttributeKind.TEXT)


def _is(kind: AttributeKind, cell: object, attribute: Attribute) -> bool:
    if not isinstance(cell, str):
        return attribute.fault(cell) is None
    if kind is AttributeKind.LIST or (kind is AttributeKind.FLAG and cell.strip() in {"0", "1"}):
        return False  # text with a bar in it, or numbers: not enough to call it a list or a flag
    try:
        value_of(cell, attribute)
    except ValueError:
        return False
    return True


def _card(
    row: TableRow, own: Mapping[str, str], attributes: Mapping[str, Attribute], result: ImportedCards
) -> dict[str, Any] | None:
    said = {word: _text(row.cells.get(heading)) for word, heading in own.items()}
    name = said.get("name")
    if not name:
        result.unused.append(f"{row.place}: no name")
        return None
    if isinstance(row.cells[own["name"]], str) and "\n" in row.cells[own["name"]].strip():
        result.unused.append(f"{row.place}: there is a line end inside the name `{name}`")
        return None
    card: dict[str, Any] = {"id": said.get("id") or slug(name), "name": name}
    aliases = _aliases(row.cells.get(own.get("aliases", "")))
    if aliases:
        card["aliases"] = aliases
    card |= {word: said[word] for word in ("counts_as", "version") if said.get(word)}
    notes = [said["note"]] if said.get("note") else []
    guesses = [word for word in ("set", "number", "status") if _GUESS.match(said.get(word, ""))]
    notes += [f"{word}: {said[word]}" for word in guesses if said[word] != "?"]
    said |= dict.fromkeys(guesses, "")
    card |= _values(row, name, attributes, notes, result)
    if notes:
        card["note"] = "; ".join(notes)
    return card | _printings(row, said)


def _text(cell: object) -> str:
    return "" if cell is None or isinstance(cell, list | dict) else " ".join(str(cell).split())


def _aliases(cell: object) -> list[str]:
    words = cell if isinstance(cell, list) else re.split(r"[|;]", _text(cell))
    return [word for word in map(_text, words) if word]


def _values(
    row: TableRow, name: str, attributes: Mapping[str, Attribute], notes: list[str], result: ImportedCards
) -> dict[str, Any]:
    values: dict[str, Any] = {}
    guessed = []
    for column, attribute in attributes.items():
        cell = row.cells.get(column, "")
        guess = _GUESS.match(cell) if isinstance(cell, str) else None
        if guess:
            guessed.append(attribute.name)
            notes += [f"{attribute.name}: {guess['guess']}?"] if guess["guess"] else []
        elif cell != "" and not (isinstance(cell, str) and not cell.strip()):
            try:
                values[attribute.name] = _written(_value(cell, attribute))
            except ValueError as fault:
                result.unused.append(f"{row.place}: {name}: {fault}")
    return values | ({"unknown": guessed} if guessed else {})


def _value(cell: object, attribute: Attribute) -> Value | None:
    if isinstance(cell, str):
        return value_of(cell, attribute)
    fault = attribute.fault(cell)
    if fault:
        raise ValueError(fault)
    return cell  # type: ignore[return-value]


def _written(value: Any) -> Any:
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else float(value)
    if isinstance(value, dict):
        return {key: _written(each) for key, each in value.items()}
    return [_written(each) for each in value] if isinstance(value, list | tuple) else value


def _printings(row: TableRow, said: Mapping[str, str]) -> dict[str, Any]:
    given = row.cells.get("printings")
    if isinstance(given, list) and all(isinstance(each, dict) for each in given):
        return {"printings": [{key: _written(value) for key, value in each.items()} for each in given]}
    printing = {word: said[word] for word in ("set", "number", "status") if said.get(word)}
    return {"printings": [printing]} if printing else {}


# -- New cards among those that are there: no name, alias or id twice, nothing that the proofreader would refuse


NewCard = tuple[str, dict[str, Any]]
"""Where a card stands in its table (`line 7`), and what would be written into the set file."""


class Settling:
    """Lets new cards in one by one. others: the pool's other sets; unused: grows by what is left out."""

    def __init__(self, schema: Schema, others: Pool | None, unused: list[str]) -> None:
        self._schema = schema
        self._unused = unused
        self._by_id = schema.key == "id"
        self._names: dict[str, str] = {}
        self._own: set[str] = set()  # names that are a card's own, not an alias
        self._ids: dict[str, str] = {}
        # How far an id that many want was numbered.
        self._taken: defaultdict[str, int] = defaultdict(lambda: 1)
        for card in others or ():
            self._ids[card.id] = "another set of the pool"
            self._own.add(card.key)
            self._names |= dict.fromkeys((card.key, *map(fold, card.aliases)), "another set of the pool")

    def settle(self, cards: Iterable[NewCard]) -> list[dict[str, Any]]:
        """Return the cards that are let in. All names come before any alias: an alias never takes a card's own name."""
        entered = list(self._entered(cards))
        for place, card in entered:
            self._aliases(place, card)
        for place, card in entered:
            self._counted(place, card)
        return [card for _, card in entered]

    def _entered(self, cards: Iterable[NewCard]) -> Iterator[NewCard]:
        for place, card in cards:
            key = fold(card["name"])
            fault = self._fault(card)
            if known := self._known(card["name"], card["id"]):
                self._unused.append(f"{place}: {known}")
            elif not key or fault:
                self._unused.append(f"{place}: {card['name']}: {fault or 'no name'}")
            else:
                self._names[key] = place
                self._own.add(key)
                card["id"] = self._free_id(card["id"])
                self._ids[card["id"]] = place
                yield place, card

    def _known(self, name: str, card_id: str) -> str:
        """Say that a card is there already."""
        key = fold(name)
        if not self._by_id:
            told = (
                f'; a pool with `key = "id"` has both, `{card_id}` is another id'
                if card_id != slug(name) and card_id not in self._ids
                else ""
            )
            return f"`{name}` is there already ({self._names[key]}){told}" if key in self._names else ""
        if card_id in self._ids:
            return f"the id `{card_id}` is there already ({self._ids[card_id]}); by ids the cards of this pool are told apart"
        if key in self._names and key not in self._own:
            return f"`{name}` is another name of a card that is there ({self._names[key]})"
        return ""

    def _fault(self, card: dict[str, Any]) -> str:
        """Say what the proofreader would: the card is read as it will be."""
        try:
            line = json.dumps(card, allow_nan=False).encode()
            read_card(line, self._schema, set_code="new", place="")
        except ValueError as fault:
            return str(fault)
        except TourneyError as fault:
            return fault.message.removeprefix(": ")
        return ""

    def _free_id(self, wanted: str) -> str:
        free = wanted
        while free in self._ids:
            self._taken[wanted] += 1
            free = f"{wanted}_{self._taken[wanted]}"
        return free

    def _aliases(self, place: str, card: dict[str, Any]) -> None:
        kept = []
        for alias in card.pop("aliases", ()):
            key = fold(alias)
            if key and key not in self._names:
                self._names[key] = place
                kept.append(alias)
            elif key != fold(card["name"]):
                self._unused.append(f"{place}: {card['name']}: `{alias}` is the name of another card")
        if kept:
            card["aliases"] = kept

    def _counted(self, place: str, card: dict[str, Any]) -> None:
        other = card.get("counts_as")
        if other and self._schema.complete and fold(other) not in self._names and other not in self._ids:
            self._unused.append(f"{place}: {card['name']}: counts as `{other}`, which is not a card here")
            del card["counts_as"]


# -- Tables of cards as other people keep them: CSV, TSV, JSON, JSON Lines → rows of named cells


Shape = Literal["csv", "tsv", "json", "jsonl"]
"""How a table is written."""
SHAPES: Mapping[str, Shape] = {
    "csv": "csv",
    "tsv": "tsv",
    "tab": "tsv",
    "json": "json",
    "jsonl": "jsonl",
    "ndjson": "jsonl",
}
"""What a file's ending says of it."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row: where it stands (`line 7`, `card 7`) and its cells by heading. Cells of CSV and TSV are text."""

    place: str
    cells: Mapping[str, Any]


def read_table(text: str, shape: Shape, *, source: str) -> tuple[TableRow, ...]:
    """Read a table. Raises TourneyError where it is none: no heading line, not JSON, no list of cards in it."""
    check_text(text, source=source, most=MAX_CARD_FILE)
    found = _separated(text, shape, source) if shape in {"csv", "tsv"} else _objects(text, shape, source)
    rows = tuple(islice(found, MAX_CARDS + 1))
    if len(rows) > MAX_CARDS:
        raise TourneyError(
            f"{source}: {rows[-1].place}: a file has at most {MAX_CARDS:,} cards",
            "leave out what is not needed",
        )
    if not rows:
        raise TourneyError(f"{source}: there are no cards in it")
    return rows


def _separated(text: str, shape: Shape, source: str) -> Iterator[TableRow]:
    first = re.split(r"[\r\n]", text, maxsplit=1)[0]
    between = "\t" if shape == "tsv" else max(",;\t", key=first.count)
    # A tab-separated file has no quoting: a quotation mark in a name is a quotation mark.
    lines = parse_csv(text, delimiter=between, source=source, quotes=between != "\t")
    headings = [heading.strip() for heading in next(lines, (1, []))[1]]
    double = {heading for heading, times in Counter(headings).items() if heading and times > 1}
    if double:
        raise TourneyError(f"{source}: line 1: two columns are called `{min(double)}`")
    read = 0
    for line, cells in lines:
        read += len(cells)
        if read > MAX_VALUES:
            raise TourneyError(
                f"{source}: line {line}: a file has at most {MAX_VALUES:,} cells",
                "leave out what is not needed",
            )
        if any(cell.strip() for cell in cells):
            yield TableRow(f"line {line}", _named(headings, cells))


def _named(headings: list[str], cells: list[str]) -> Mapping[str, str]:
    extra = {
        f"column {number}": cell for number, cell in enumerate(cells[len(headings) :], len(headings) + 1)
    }
    return {
        **dict(zip(headings, cells, strict=False)),
        **{name: cell for name, cell in extra.items() if cell.strip()},
    }


def _objects(text: str, shape: Shape, source: str) -> Iterator[TableRow]:
    if shape == "jsonl":
        for place, line in enumerate(text.split("\n"), start=1):
            if line.strip():
                yield from _row(_json(line, f"{source}: line {place}"), f"line {place}", source)
        return
    for place, each in enumerate(_cards(_json(text, source), source), start=1):
        yield from _row(each, f"card {place}", source)


def _json(text: str, place: str) -> Any:
    check_json(text, source=place)
    value = decode_json(_JSON, text, source=place)
    check_bounds(value, source=place)
    return value


_JSON = msgspec.json.Decoder(float_hook=parse_number_literal)


def _cards(value: Any, source: str) -> list[Any]:
    """Find the list of cards in a JSON file: the list itself, the one under `cards` or `data`, or names or ids as keys."""
    if isinstance(value, list):
        return value
    if isinstance(value, dict):
        for key in ("cards", "data"):
            if isinstance(value.get(key), list | dict):
                return _cards(value[key], source)
        if value and all(isinstance(each, dict) for each in value.values()):
            return [{"id" if "name" in each else "name": key, **each} for key, each in value.items()]
    raise TourneyError(f"{source}: there is no list of cards in it")


def _row(value: Any, place: str, source: str) -> Iterator[TableRow]:
    if isinstance(value, str):
        yield TableRow(place, {"name": value})
    elif isinstance(value, dict):
        values = sum(len(each) if isinstance(each, list | dict) else 1 for each in value.values())
        if values > MAX_CARD_VALUES:
            raise TourneyError(
                f"{source}: {place}: {values:,} values, a card has at most {MAX_CARD_VALUES:,}"
            )
        yield TableRow(place, value)
    else:
        raise TourneyError(f"{source}: {place}: expected a card, found {found_words(value)}")
