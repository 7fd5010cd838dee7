"""A table of cards becomes lines of a pool, and a report of what could not be used."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from tourney.cards.card import Value
from tourney.cards.facts import value_of
from tourney.cards.names import fold
from tourney.cards.pool import Pool
from tourney.cards.reading import slug
from tourney.cards.schema import RESERVED, Attribute, Kind, Schema, parse_schema
from tourney.cards.settling import Settling
from tourney.cards.tables import Row
from tourney.errors import TourneyError

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
class Imported:
    """What came of a table.

    cards:      one mapping a card, as it is written into a set file
    attributes: those the cards use that the pool did not declare yet
    unused:     what could not be used, one sentence each, with its place
    """

    cards: list[dict[str, Any]] = field(default_factory=list)
    attributes: dict[str, Attribute] = field(default_factory=dict)
    unused: list[str] = field(default_factory=list)


def import_cards(
    rows: Sequence[Row],
    schema: Schema | None,
    *,
    source: str,
    others: Pool | None = None,
    add_attributes: bool = False,
) -> Imported:
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
    result = Imported()
    declared = {_word(name): attribute for name, attribute in schema.attributes.items()} if schema else {}
    attributes = _attributes(rows, own, declared, result, add=add_attributes or not declared)
    known = {**(schema.attributes if schema else {}), **result.attributes}
    made = ((row.place, _card(row, own, attributes, result)) for row in rows)
    whole = replace(schema or _NEW, attributes=known)
    settling = Settling(whole, others, result.unused)
    result.cards = settling.settle([(place, card) for place, card in made if card is not None])
    return result


_NEW = parse_schema('game = "new"\ncomplete = false\n', source="new")


def _columns(rows: Sequence[Row]) -> tuple[str, ...]:
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
    rows: Sequence[Row],
    own: Mapping[str, str],
    declared: Mapping[str, Attribute],
    result: Imported,
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
    for kind in (Kind.FLAG, Kind.NUMBER, Kind.LIST):
        attribute = Attribute(name=name, kind=kind)
        if values and all(_is(kind, cell, attribute) for cell in values):
            return attribute
    return Attribute(name=name, kind=Kind.TEXT)


def _is(kind: Kind, cell: object, attribute: Attribute) -> bool:
    if not isinstance(cell, str):
        return attribute.fault(cell) is None
    if kind is Kind.LIST or (kind is Kind.FLAG and cell.strip() in {"0", "1"}):
        return False  # text with a bar in it, or numbers: not enough to call it a list or a flag
    try:
        value_of(cell, attribute)
    except ValueError:
        return False
    return True


def _card(
    row: Row, own: Mapping[str, str], attributes: Mapping[str, Attribute], result: Imported
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
    row: Row, name: str, attributes: Mapping[str, Attribute], notes: list[str], result: Imported
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


def _printings(row: Row, said: Mapping[str, str]) -> dict[str, Any]:
    given = row.cells.get("printings")
    if isinstance(given, list) and all(isinstance(each, dict) for each in given):
        return {"printings": [{key: _written(value) for key, value in each.items()} for each in given]}
    printing = {word: said[word] for word in ("set", "number", "status") if said.get(word)}
    return {"printings": [printing]} if printing else {}
