"""Data from outside becomes typed values here, or a refusal in our own words.

Every TOML or JSON text passes through `from_toml` or `from_json`: the result is a frozen `msgspec.Struct`, unknown
keys are refused, and the first fault is told with file and key path.
"""

from __future__ import annotations

import re
import tomllib
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
