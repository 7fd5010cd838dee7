"""Import other people's tables of cards (CSV, TSV, JSON, JSON Lines) into a pool.

`read_table` turns a text into rows of named cells. `import_cards` decides which attribute each column is, and
turns every row into a card. It keeps the cards that do not conflict with each other or with the pool's other
sets: no name, alias or id is used twice, and `lint_pool` finds no error. Everything that cannot be used is
reported in a sentence.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any, Literal

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from tourney.cards.card import (
    RESERVED,
    Attribute,
    AttributeKind,
    Schema,
    Value,
    parse_schema,
    parse_value,
    type_words,
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
    check_limit,
    check_text,
    decode_json,
    parse_number_literal,
)
from tourney.errors import TourneyError
from tourney.spreadsheet import parse_csv

# -- reading tables

Shape = Literal["csv", "tsv", "json", "jsonl"]
"""The format of a table."""

SHAPES: Mapping[str, Shape] = {
    "csv": "csv",
    "tsv": "tsv",
    "tab": "tsv",
    "json": "json",
    "jsonl": "jsonl",
    "ndjson": "jsonl",
}
"""Ending of the file's name → format."""


class TableRow(Struct, frozen=True):
    """One row of a table.

    place: `line 7`, or `card 7` of a JSON file
    cells: the cells by heading; in CSV and TSV all of them are text
    """

    place: str
    cells: Mapping[str, Any]


def read_table(text: str, shape: Shape, *, source: str) -> tuple[TableRow, ...]:
    """Read the rows of a table of cards.

    shape: the format of the text: `csv`, `tsv`, `json` or `jsonl`

    Raises TourneyError if the text has no cards, is too large, or does not have this format.
    """
    check_text(text, source=source, limit=MAX_CARD_FILE)
    rows = _read_csv(text, shape, source) if shape in {"csv", "tsv"} else _read_json(text, shape, source)
    cards = tuple(islice(rows, MAX_CARDS + 1))
    if len(cards) > MAX_CARDS:
        raise TourneyError(f"{source}: {cards[-1].place}: a file has at most {MAX_CARDS:,} cards")
    if not cards:
        raise TourneyError(f"{source}: there are no cards in it")
    return cards


def _read_csv(text: str, shape: Shape, source: str) -> Iterator[TableRow]:
    first_line = re.split(r"[\r\n]", text, maxsplit=1)[0]
    delimiter = "\t" if shape == "tsv" else max(",;\t", key=first_line.count)
    # Tab-separated files have no quoting: a quotation mark is part of the name.
    lines = parse_csv(text, delimiter=delimiter, source=source, quotes=delimiter != "\t")
    headings = [heading.strip() for heading in next(lines, (1, []))[1]]
    repeated_headings = {heading for heading, count in Counter(headings).items() if heading and count > 1}
    if repeated_headings:
        raise TourneyError(f"{source}: line 1: two columns have the heading `{min(repeated_headings)}`")
    all_cells = 0
    for line, cells in lines:
        all_cells += len(cells)
        if all_cells > MAX_VALUES:
            raise TourneyError(f"{source}: line {line}: a file has at most {MAX_VALUES:,} cells")
        if any(cell.strip() for cell in cells):
            extra = enumerate(cells[len(headings) :], len(headings) + 1)
            cells_by_heading = dict(zip(headings, cells, strict=False))
            cells_by_heading |= {f"column {number}": cell for number, cell in extra if cell.strip()}
            yield TableRow(f"line {line}", cells_by_heading)


def _read_json(text: str, shape: Shape, source: str) -> Iterator[TableRow]:
    if shape == "json":
        for number, card in enumerate(_card_list(_decode(text, source), source), start=1):
            yield _row(card, f"card {number}", source)
    else:
        for number, line in enumerate(text.split("\n"), start=1):
            if line.strip():
                yield _row(_decode(line, f"{source}: line {number}"), f"line {number}", source)


_JSON = msgspec.json.Decoder(float_hook=parse_number_literal)


def _decode(text: str, source: str) -> Any:
    check_json(text, source=source)
    value = decode_json(_JSON, text, source=source)
    check_bounds(value, source=source)
    return value


def _card_list(value: Any, source: str) -> list[Any]:
    """Return the cards of a JSON file.

    The cards are a list, or an object with one card for each name or id. They are the whole file, or the
    value of `cards` or `data`.
    """
    if isinstance(value, list):
        return value
    if isinstance(value, dict):
        for key in ("cards", "data"):
            if isinstance(value.get(key), list | dict):
                return _card_list(value[key], source)
        if value and all(isinstance(card, dict) for card in value.values()):
            return [{"id" if "name" in card else "name": key, **card} for key, card in value.items()]
    raise TourneyError(f"{source}: there is no list of cards in it")


def _row(card: Any, place: str, source: str) -> TableRow:
    if isinstance(card, str):
        return TableRow(place, {"name": card})
    if not isinstance(card, dict):
        raise TourneyError(f"{source}: {place}: expected a card, found {type_words(card)}")
    values = sum(len(value) if isinstance(value, list | dict) else 1 for value in card.values())
    check_limit(values, MAX_CARD_VALUES, "values of one card", source=f"{source}: {place}")
    return TableRow(place, card)


# -- importing cards

_FIELD_HEADINGS = {
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
"""The fields of a card that are not attributes, with the headings that tables use for them."""

_PRINTING_FIELDS = ("set", "number", "status")
_GUESS = re.compile(r"(?P<guess>.*\S)?\s*\?\Z")


class ImportedCards(Struct):
    """The result of an import.

    cards:        the JSON objects to write into a set file, one for each card
    attributes:   the attributes of the cards that the pool does not declare yet
    unused_parts: what could not be used: one sentence each, with its place
    """

    cards: list[dict[str, Any]] = field(default_factory=list)
    attributes: dict[str, Attribute] = field(default_factory=dict)
    unused_parts: list[str] = field(default_factory=list)


def import_cards(
    rows: Sequence[TableRow],
    schema: Schema | None,
    *,
    source: str,
    other_sets: Pool | None = None,
    add_attributes: bool = False,
) -> ImportedCards:
    """Turn the rows of a table into cards. Raises TourneyError if no column contains the names.

    A cell that ends in a question mark is a guess: the attribute is unknown, and the guess becomes part of
    the note. An empty cell says nothing about the card; `none` or `-` says that it has no such attribute.

    schema:         the schema of the pool. Its attributes decide which columns are used, and their types. If
                    it declares no attributes or is None, every column becomes an attribute whose type is
                    inferred from its cells
    source:         the file's name in messages
    other_sets:     the pool's other sets. A new card cannot have one of their names, or if the pool
                    identifies its cards by id, one of their ids
    add_attributes: whether columns that the pool does not declare become attributes, too
    """
    columns = tuple(dict.fromkeys(name for row in rows for name in row.cells if name))
    fields = _field_columns(columns)
    if "name" not in fields:
        raise TourneyError(f"{source}: no column is called `name`; the columns are {', '.join(columns)}")
    result = ImportedCards()
    declared_attributes = (
        {_attribute_name(name): attribute for name, attribute in schema.attributes.items()} if schema else {}
    )
    add_attributes = add_attributes or not declared_attributes
    attributes: dict[str, Attribute] = {}
    for column in columns:
        name = _attribute_name(column)
        if name in declared_attributes:
            attributes[column] = declared_attributes[name]
        elif column in fields.values() or fold(column) == "printings":
            continue
        elif add_attributes:
            attributes[column] = _infer_attribute(name, [row.cells.get(column) for row in rows])
            result.attributes[name] = attributes[column]
        else:
            result.unused_parts.append(f"column `{column}`: the pool declares no such attribute")
    importer = _Importer(fields, attributes, result.unused_parts)
    cards = [(row.place, card) for row in rows if (card := importer.card(row)) is not None]
    schema = schema or parse_schema('game = "new"\ncomplete = false\n', source="new")
    schema = replace(schema, attributes={**schema.attributes, **result.attributes})
    result.cards = _Admission(schema, other_sets, result.unused_parts).admit_cards(cards)
    return result


def _field_columns(columns: Iterable[str]) -> dict[str, str]:
    """Return which column of a table contains which field of a card, as field → heading.

    Fields without a column are left out.
    """
    by_key: dict[str, str] = {fold(column): column for column in reversed(tuple(columns))}
    matches = {
        name: next((by_key[heading] for heading in headings if heading in by_key), None)
        for name, headings in _FIELD_HEADINGS.items()
    }
    return {name: heading for name, heading in matches.items() if heading}


def _attribute_name(heading: str) -> str:
    """Turn a heading into the name of an attribute: `capture_cost` for `Capture Cost`."""
    name = re.sub(r"\W+", "_", fold(heading)).strip("_") or "value"
    return f"{name}_" if name in RESERVED else name


def _infer_attribute(name: str, cells: Sequence[object]) -> Attribute:
    """Return the attribute for an imported column, with the narrowest type that fits its cells.

    Flag, number and list are tried in this order; any other column is text. Blank cells, and guesses that end
    in `?`, are ignored.

    name: the name of the attribute
    """
    values = [
        cell for cell in cells if cell is not None and str(cell).strip() and not _GUESS.match(str(cell))
    ]
    for kind in (AttributeKind.FLAG, AttributeKind.NUMBER, AttributeKind.LIST):
        attribute = Attribute(name=name, kind=kind)
        if values and all(_is_of_type(cell, attribute) for cell in values):
            return attribute
    return Attribute(name=name, kind=AttributeKind.TEXT)


def _is_of_type(cell: object, attribute: Attribute) -> bool:
    if not isinstance(cell, str):
        return attribute.problem(cell) is None
    if attribute.kind is AttributeKind.LIST:
        return False  # any text can be a list of one word
    if attribute.kind is AttributeKind.FLAG and cell.strip() in {"0", "1"}:
        return False  # more likely numbers
    try:
        parse_value(cell, attribute)
    except ValueError:
        return False
    return True


class _Importer(Struct):
    """Turns rows into cards.

    fields:       field of a card → heading
    attributes:   heading → attribute
    unused_parts: a list to which everything that cannot be used is added
    """

    fields: Mapping[str, str]
    attributes: Mapping[str, Attribute]
    unused_parts: list[str]

    def card(self, row: TableRow) -> dict[str, Any] | None:
        """Turn a row into the JSON object of a card; None if the row has no usable name."""
        texts = {name: _text(row.cells.get(heading)) for name, heading in self.fields.items()}
        name = texts["name"]
        if not name:
            self.unused_parts.append(f"{row.place}: the card has no name")
            return None
        if "\n" in str(row.cells[self.fields["name"]]).strip():
            self.unused_parts.append(f"{row.place}: there is a line end inside the name `{name}`")
            return None
        card: dict[str, Any] = {"id": texts.get("id") or slug(name), "name": name}
        if aliases := _aliases(row.cells.get(self.fields.get("aliases", ""))):
            card["aliases"] = aliases
        card |= {key: texts[key] for key in ("counts_as", "version") if texts.get(key)}
        notes = [texts["note"]] if texts.get("note") else []
        for key in _PRINTING_FIELDS:
            if _GUESS.match(texts.get(key, "")):
                guess = texts.pop(key)
                notes += [f"{key}: {guess}"] if guess != "?" else []
        card |= self._values(row, name, notes)
        if notes:
            card["note"] = "; ".join(notes)
        return card | _printings(row, texts)

    def _values(self, row: TableRow, name: str, notes: list[str]) -> dict[str, Any]:
        """Return a card's attributes, with `unknown` for unknown ones. Adds guesses to `notes`."""
        values: dict[str, Any] = {}
        unknown_names = []
        for column, attribute in self.attributes.items():
            cell = row.cells.get(column, "")
            guess = _GUESS.match(cell) if isinstance(cell, str) else None
            if guess:
                unknown_names.append(attribute.name)
                notes += [f"{attribute.name}: {guess['guess']}?"] if guess["guess"] else []
            elif not isinstance(cell, str) or cell.strip():
                try:
                    values[attribute.name] = _json_value(_value(cell, attribute))
                except ValueError as error:
                    self.unused_parts.append(f"{row.place}: {name}: {error}")
        return values | ({"unknown": unknown_names} if unknown_names else {})


def _text(cell: object) -> str:
    return "" if cell is None or isinstance(cell, list | dict) else " ".join(str(cell).split())


def _aliases(cell: object) -> list[str]:
    names = cell if isinstance(cell, list) else re.split(r"[|;]", _text(cell))
    return [name for name in map(_text, names) if name]


def _value(cell: Any, attribute: Attribute) -> Value | None:
    if isinstance(cell, str):
        return parse_value(cell, attribute)
    if problem := attribute.problem(cell):
        raise ValueError(problem)
    return cell  # type: ignore[no-any-return]


def _json_value(value: Any) -> Any:
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else float(value)
    if isinstance(value, dict):
        return {key: _json_value(item) for key, item in value.items()}
    return [_json_value(item) for item in value] if isinstance(value, list | tuple) else value


def _printings(row: TableRow, texts: Mapping[str, str]) -> dict[str, Any]:
    entries = row.cells.get("printings")
    if isinstance(entries, list) and all(isinstance(entry, dict) for entry in entries):
        return {"printings": _json_value(entries)}
    printing = {key: texts[key] for key in _PRINTING_FIELDS if texts.get(key)}
    return {"printings": [printing]} if printing else {}


# -- new cards that must not conflict with the cards of the pool

_PlacedCard = tuple[str, dict[str, Any]]
"""A card's place in its table, such as `line 7`, and the keys of its line in a set file."""

_OTHER_SET = "another set of the pool"


class _Admission:
    """Admits new cards whose names and ids are not taken.

    other_sets:   the pool's other sets
    unused_parts: a list to which everything that is left out is added
    """

    def __init__(self, schema: Schema, other_sets: Pool | None, unused_parts: list[str]) -> None:
        self._schema = schema
        self._unused_parts = unused_parts
        self._place_of_name: dict[str, str] = {}  # folded names and aliases
        self._own_names: set[str] = set()  # folded names without aliases
        self._place_of_id: dict[str, str] = {}
        self._last_suffix: defaultdict[str, int] = defaultdict(lambda: 1)
        for card in other_sets or ():
            self._place_of_id[card.id] = _OTHER_SET
            self._own_names.add(card.key)
            self._place_of_name |= dict.fromkeys((card.key, *map(fold, card.aliases)), _OTHER_SET)

    def admit_cards(self, cards: Iterable[_PlacedCard]) -> list[dict[str, Any]]:
        """Return the cards that can be added.

        All names are reserved before any alias, so that an alias never takes the name of a card.
        """
        admitted_cards = [(place, card) for place, card in cards if self._enter(place, card)]
        for place, card in admitted_cards:
            self._enter_aliases(place, card)
        for place, card in admitted_cards:
            self._check_counts_as(place, card)
        return [card for _, card in admitted_cards]

    def _enter(self, place: str, card: dict[str, Any]) -> bool:
        """Reserve the name and the id of a new card, and return whether the card can be added.

        If it cannot, nothing is reserved, and the reason is added to the list `unused_parts`.
        """
        name, key = card["name"], fold(card["name"])
        problem = self._conflict(name, card["id"])
        if not problem and (not key or (problem := self._read_problem(card))):
            problem = f"{name}: {problem or 'no name'}"
        if problem:
            self._unused_parts.append(f"{place}: {problem}")
            return False
        self._place_of_name[key] = place
        self._own_names.add(key)
        card["id"] = self._free_id(card["id"])
        self._place_of_id[card["id"]] = place
        return True

    def _conflict(self, name: str, card_id: str) -> str:
        """Return why a name or id is taken; empty if it is free."""
        key = fold(name)
        if self._schema.key == "id":
            if card_id in self._place_of_id:
                return f"the id `{card_id}` is already used ({self._place_of_id[card_id]})"
            if key in self._place_of_name and key not in self._own_names:
                return f"`{name}` is an alias of another card ({self._place_of_name[key]})"
            return ""
        if key not in self._place_of_name:
            return ""
        is_new_id = card_id != slug(name) and card_id not in self._place_of_id
        advice = '; a pool with `key = "id"` can have both' if is_new_id else ""
        return f"the name `{name}` is already used ({self._place_of_name[key]}){advice}"

    def _read_problem(self, card: dict[str, Any]) -> str:
        """Return why `read_card` would refuse the line of the card; empty if it would not."""
        try:
            line = json.dumps(card, allow_nan=False).encode()
            read_card(line, self._schema, set_code="new", place="")
        except ValueError as error:
            return str(error)
        except TourneyError as error:
            return error.message.removeprefix(": ")
        return ""

    def _free_id(self, preferred_id: str) -> str:
        card_id = preferred_id
        while card_id in self._place_of_id:
            self._last_suffix[preferred_id] += 1
            card_id = f"{preferred_id}_{self._last_suffix[preferred_id]}"
        return card_id

    def _enter_aliases(self, place: str, card: dict[str, Any]) -> None:
        aliases = []
        for alias in card.pop("aliases", ()):
            key = fold(alias)
            if key and key not in self._place_of_name:
                self._place_of_name[key] = place
                aliases.append(alias)
            elif key != fold(card["name"]):
                self._unused_parts.append(f"{place}: {card['name']}: `{alias}` is the name of another card")
        if aliases:
            card["aliases"] = aliases

    def _check_counts_as(self, place: str, card: dict[str, Any]) -> None:
        other = card.get("counts_as")
        is_known = fold(other) in self._place_of_name or other in self._place_of_id if other else True
        if self._schema.complete and not is_known:
            self._unused_parts.append(
                f"{place}: {card['name']}: counts as `{other}`, which is not a card of this pool"
            )
            del card["counts_as"]
