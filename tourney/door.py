"""Data from outside becomes typed values here, or a refusal in our own words.

Every TOML or JSON text passes through `from_toml` or `from_json`: the result is a frozen `msgspec.Struct`, unknown
keys are refused, and the first fault is told with file and key path. Every table in text (comma, semicolon, tab)
passes through `from_csv`: cells by line.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any, TypeVar

import msgspec

from tourney.errors import TourneyError

T = TypeVar("T")

_WORDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
    "null": "nothing",
    "date": "a date (YYYY-MM-DD)",
}
_TYPE_FAULT = re.compile(r"Expected `(?P<expected>[^`]*)`, got `(?P<found>[^`]*)`")
_PATH = re.compile(r" - at `(?P<path>[^`]*)`$")


def from_toml(text: str, shape: type[T], *, source: str) -> T:
    """Read TOML `text` as `shape`. `source` names the file in messages.

    Raises TourneyError with file and line for a syntax fault, with file and key path for a wrong shape.
    """
    return build(parse_toml(text, source=source), shape, source=source)


def parse_toml(text: str, *, source: str) -> dict[str, Any]:
    """Read TOML `text` as plain values; a syntax fault is refused with file and line."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise TourneyError(f"{source}: not readable as TOML: {_lower_first(str(fault))}") from None
    except RecursionError:
        raise TourneyError(f"{source}: not readable as TOML: nested too deeply") from None


def from_json(text: str | bytes, shape: type[T], *, source: str) -> T:
    """Read JSON `text` as `shape`. Raises TourneyError with file and key path."""
    try:
        return msgspec.json.decode(text, type=shape)
    except msgspec.ValidationError as fault:
        raise TourneyError(f"{source}: {explain(str(fault))}") from None
    except msgspec.DecodeError as fault:
        raise TourneyError(f"{source}: not readable as JSON: {_lower_first(str(fault))}") from None
    except (RecursionError, UnicodeDecodeError) as fault:
        raise TourneyError(f"{source}: not readable as JSON: {fault}") from None


LONGEST_CELL = 100_000
"""Letters in one cell of a table."""


def from_csv(
    text: str, *, delimiter: str = ",", source: str, quotes: bool = True, lenient: bool = False
) -> Iterator[tuple[int, list[str]]]:
    r"""Give each filled line of a table as its cells, with the number of the line it begins on (RFC 4180).

    A cell in quotation marks may hold the delimiter and line ends and stays one cell; lines end in LF, CR or CR LF.
    quotes:  whether a quotation mark opens a cell at all. Without (tab-separated files, where it belongs to the text)
             only a cell that goes on over line ends and closes there is taken as quoted, as spreadsheets write it.
    lenient: take a line as it stands, marks as letters, where a mark is never closed, or closed inside a cell

    Raises TourneyError with file and line for such a mark, and for a cell longer than LONGEST_CELL.

    >>> list(from_csv('name,club\n"Oake\nMira","Harbour, North"\nTomo,\n', source="x"))
    [(1, ['name', 'club']), (2, ['Oake\nMira', 'Harbour, North']), (4, ['Tomo', ''])]
    """
    # Not `splitlines`: that also breaks at letters a cell may hold.
    lines = re.split(r"\r\n|\r|\n", text)
    if not quotes:
        yield from _unquoted(lines, delimiter, source)
        return
    begins = 0
    while begins < len(lines):
        try:
            for number, cells in _records(lines, begins, delimiter):
                yield number + 1, cells
        except _UnreadableError as fault:
            begins = fault.begins
            if not lenient:
                raise TourneyError(
                    f"{source}: line {begins + 1}: not readable as a table: {fault}", fault.hint
                ) from None
            yield begins + 1, lines[begins].split(delimiter)
            begins += 1
        else:
            return


class _UnreadableError(Exception):
    """A record that is none. begins: its first line, from 0."""

    def __init__(self, fault: str, begins: int) -> None:
        self.begins = begins
        open_end = "unexpected end" in fault
        self.hint = (
            'a quotation mark inside a quoted cell is doubled: `"the ""Fox"" Oake"`'
            if open_end or '"' in fault
            else None
        )
        super().__init__("a quotation mark opens a cell and none closes it" if open_end else fault)


def _records(lines: list[str], first: int, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    import csv

    csv.field_size_limit(LONGEST_CELL)
    rest = (f"{lines[place]}\n" for place in range(first, len(lines)))
    reader = csv.reader(rest, delimiter=delimiter, strict=True, skipinitialspace=True)
    begins = first
    try:
        for cells in reader:
            if cells:
                yield begins, cells
            begins = first + reader.line_num
    except csv.Error as fault:
        raise _UnreadableError(str(fault), begins) from None


def _unquoted(lines: list[str], delimiter: str, source: str) -> Iterator[tuple[int, list[str]]]:
    place = 0
    while place < len(lines):
        number, cells = place + 1, lines[place].split(delimiter)
        place += 1
        while _opens(cells[-1]) and (end := _closing(lines, place, delimiter)) is not None:
            first, *rest = lines[end].split(delimiter)
            whole = "\n".join([cells[-1], *lines[place:end], first])
            cells = [*cells[:-1], whole[1:-1].replace('""', '"'), *rest]
            place = end + 1
        if max(map(len, cells)) > LONGEST_CELL:
            message = f"not readable as a table: field larger than {LONGEST_CELL:,} letters"
            raise TourneyError(f"{source}: line {number}: {message}")
        if cells != [""]:
            yield number, cells


def _opens(cell: str) -> bool:
    return cell.startswith('"') and cell.count('"') % 2 == 1


def _closing(lines: list[str], place: int, delimiter: str) -> int | None:
    """Return the line on which a cell that was opened before `place` closes; None if another cell comes first."""
    for number in range(place, len(lines)):
        first, *rest = lines[number].split(delimiter)
        if first.count('"') % 2:
            return number if first.endswith('"') else None
        if rest:
            return None
    return None


def build(value: object, shape: type[T], *, source: str) -> T:
    """Turn plain dicts and lists into `shape`. Raises TourneyError with file and key path."""
    try:
        return msgspec.convert(value, type=shape)
    except msgspec.ValidationError as fault:
        raise TourneyError(f"{source}: {explain(str(fault))}") from None
    except RecursionError:
        raise TourneyError(f"{source}: nested too deeply") from None


def explain(fault: str) -> str:
    """Say a msgspec fault in our words, the key path first.

    >>> explain("Expected `int`, got `str` - at `$.limit[1].max`")
    'limit[1].max: expected a whole number, found text'
    >>> explain("Object contains unknown field `sise` - at `$.zone[0]`")
    'zone[0]: there is no key `sise` here'
    """
    place = _PATH.search(fault)
    path = place["path"].removeprefix("$").removeprefix(".") if place else ""
    said = _say(_PATH.sub("", fault))
    return f"{path}: {said}" if path else said


def _say(fault: str) -> str:
    wrong_type = _TYPE_FAULT.search(fault)
    if wrong_type:
        expected, found = (_words(wrong_type[name]) for name in ("expected", "found"))
        return f"expected {expected}, found {found}"
    fault = re.sub(r"Object contains unknown field (`[^`]*`)", r"there is no key \1 here", fault)
    fault = re.sub(r"Object missing required field (`[^`]*`)", r"the key \1 is missing", fault)
    fault = re.sub(r"Invalid enum value '?([^']*)'?", r"`\1` is none of the words that may stand here", fault)
    fault = re.sub(r"Invalid RFC3339 encoded date", f"expected {_WORDS['date']}", fault)
    return _lower_first(fault)


def _words(types: str) -> str:
    names = [name.strip() for name in types.split("|")]
    said = [_WORDS.get(name, name) for name in names if name != "null" or len(names) == 1]
    return " or ".join([", ".join(said[:-1]), said[-1]] if len(said) > 1 else said)


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]
