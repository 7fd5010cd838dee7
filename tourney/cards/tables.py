"""Tables of cards as other people keep them: CSV, TSV, JSON, JSON Lines → rows of named cells."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from tourney.cards.schema import found_words
from tourney.door import check_bounds, from_csv, number
from tourney.errors import TourneyError

Shape = Literal["csv", "tsv", "json", "jsonl"]
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
class Row:
    """One row: where it stands (`line 7`, `card 7`) and its cells by heading. Cells of CSV and TSV are text."""

    place: str
    cells: Mapping[str, Any]


def read_table(text: str, shape: Shape, *, source: str) -> tuple[Row, ...]:
    """Read a table. Raises TourneyError where it is none: no heading line, not JSON, no list of cards in it."""
    rows = tuple(
        _separated(text, shape, source) if shape in {"csv", "tsv"} else _objects(text, shape, source)
    )
    if not rows:
        raise TourneyError(f"{source}: there is no card in it")
    return rows


def _separated(text: str, shape: Shape, source: str) -> Iterator[Row]:
    first = re.split(r"[\r\n]", text, maxsplit=1)[0]
    between = "\t" if shape == "tsv" else max(",;\t", key=first.count)
    # A tab-separated file has no quoting: a quotation mark in a name is a quotation mark.
    lines = from_csv(text, delimiter=between, source=source, quotes=between != "\t")
    headings = [heading.strip() for heading in next(lines, (1, []))[1]]
    double = {heading for heading, times in Counter(headings).items() if heading and times > 1}
    if double:
        raise TourneyError(f"{source}: line 1: two columns are called `{min(double)}`")
    for line, cells in lines:
        if any(cell.strip() for cell in cells):
            yield Row(f"line {line}", _named(headings, cells))


def _named(headings: list[str], cells: list[str]) -> Mapping[str, str]:
    extra = {
        f"column {number}": cell for number, cell in enumerate(cells[len(headings) :], len(headings) + 1)
    }
    return {
        **dict(zip(headings, cells, strict=False)),
        **{name: cell for name, cell in extra.items() if cell.strip()},
    }


def _objects(text: str, shape: Shape, source: str) -> Iterator[Row]:
    if shape == "jsonl":
        for place, line in enumerate(text.split("\n"), start=1):
            if line.strip():
                yield from _row(_json(line, f"{source}: line {place}"), f"line {place}", source)
        return
    for place, each in enumerate(_cards(_json(text, source), source), start=1):
        yield from _row(each, f"card {place}", source)


def _json(text: str, place: str) -> Any:
    try:
        value = _DECODE(text)
    except (msgspec.DecodeError, RecursionError, ValueError) as fault:
        raise TourneyError(f"{place}: not readable as JSON: {fault}") from None
    check_bounds(value, source=place)
    return value


_DECODE = msgspec.json.Decoder(float_hook=number).decode


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


def _row(value: Any, place: str, source: str) -> Iterator[Row]:
    if isinstance(value, str):
        yield Row(place, {"name": value})
    elif isinstance(value, dict):
        yield Row(place, value)
    else:
        raise TourneyError(f"{source}: {place}: expected a card, found {found_words(value)}")
