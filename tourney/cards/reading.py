"""Card lines: one JSON object a line becomes a `Card`."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any, TypeVar

import msgspec

from tourney.cards.card import Card, Value
from tourney.cards.printings import STATUS_WORDS, Printing, Status
from tourney.cards.schema import RESERVED, Attribute, Kind, Schema, found_words
from tourney.door import LARGEST, MOST_DIGITS, explain, number
from tourney.errors import TourneyError

T = TypeVar("T")


class _Line(msgspec.Struct, frozen=True):
    """What every card line has. Anything else on the line is an attribute."""

    name: str
    id: str = ""
    aliases: tuple[str, ...] = ()
    counts_as: str | None = None
    version: str | None = None
    note: str | None = None
    unknown: tuple[str, ...] = ()
    printings: tuple[dict[str, Any], ...] = ()


_LINE = msgspec.json.Decoder(_Line, float_hook=number)
_WHOLE = msgspec.json.Decoder(dict[str, Any], float_hook=number)


def read_card(line: bytes, schema: Schema, *, set_code: str, place: str) -> Card:
    """Read one card line. `place` (file and line) starts each message.

    Raises TourneyError where the line is no card: not JSON, a name missing, a value of another type than the
    attribute's. An attribute the pool does not declare is kept; `tourney pool check` tells of it.
    """
    head = _decoded(_LINE, line, place)
    return Card(
        id=head.id or slug(head.name),
        name=head.name,
        attributes=_attributes(line, schema, place),
        complete=schema.complete,
        unknown=frozenset(head.unknown),
        aliases=head.aliases,
        counts_as=head.counts_as,
        version=head.version,
        printings=tuple(_printing(said, set_code, place) for said in head.printings),
        note=head.note,
        set=set_code,
        place=place,
    )


def _decoded(decoder: msgspec.json.Decoder[T], line: bytes, place: str) -> T:
    try:
        return decoder.decode(line)
    except msgspec.ValidationError as fault:
        raise TourneyError(f"{place}: {explain(str(fault))}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise TourneyError(f"{place}: not readable as JSON: {fault}") from None


def _attributes(line: bytes, schema: Schema, place: str) -> Mapping[str, Value | None]:
    found: dict[str, Value | None] = {}
    for key, value in _decoded(_WHOLE, line, place).items():
        if key in RESERVED:
            continue
        declared = schema.attributes.get(key)
        # What needs no second look is most of a pool, and a thousand decks meet all of it.
        plain = declared is not None and not declared.values and type(value) is _PLAIN.get(declared.kind)
        if type(value) is int and not -LARGEST < value < LARGEST:
            raise TourneyError(f"{place}: {key}: a number of more than {MOST_DIGITS} digits")
        if plain:
            found[key] = value
            continue
        fault = declared.fault(value) if declared else _undeclared_fault(key, value)
        if fault:
            raise TourneyError(f"{place}: {fault}")
        found[key] = _value(value, declared)
    return MappingProxyType(found)


_PLAIN: Mapping[Kind, type] = {Kind.TEXT: str, Kind.NUMBER: int, Kind.FLAG: bool}


def _undeclared_fault(key: str, value: object) -> str | None:
    plain = value is None or isinstance(value, str | int | Fraction | bool)
    texts = isinstance(value, list) and all(isinstance(each, str) for each in value)
    return None if plain or texts else f"{key}: expected text, a number, true or false or a list of texts"


def _value(value: Any, declared: Attribute | None) -> Value | None:
    if isinstance(value, list):
        return tuple(value)
    if isinstance(value, str) and declared and declared.kind is Kind.LIST:
        return (value,)
    return int(value) if isinstance(value, Fraction) and value.denominator == 1 else value


def _printing(said: dict[str, Any], set_code: str, place: str) -> Printing:
    for key, value in said.items():
        if isinstance(value, dict) or (isinstance(value, list) and key in _PRINTED):
            raise TourneyError(f"{place}: printings: {key}: expected text, found {found_words(value)}")
    word = said.get("status", Status.CURRENT.word)
    if word not in STATUS_WORDS:
        known = ", ".join(f"`{name}`" for name in STATUS_WORDS)
        raise TourneyError(f"{place}: printings: `{word}` is no status; there are {known}")
    more = said.keys() - _PRINTED
    return Printing(
        set=_text(said.get("set")) or set_code,
        number=_text(said.get("number")),
        id=_text(said.get("id")),
        released=_text(said.get("released")),
        note=_text(said.get("note")),
        status=STATUS_WORDS[word],
        attributes=MappingProxyType({key: said[key] for key in said if key in more}) if more else _NO_MORE,
    )


_PRINTED = frozenset({"set", "number", "id", "released", "note", "status"})
_NO_MORE: Mapping[str, Any] = MappingProxyType({})


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def slug(name: str) -> str:
    """Return the id made of a name: lower case letters and digits joined by `_`.

    >>> slug("Ra'ebur, Great White Wyvern"), slug("Sword & Shield"), slug("A.L. Armstrong")
    ('ra_ebur_great_white_wyvern', 'sword_and_shield', 'a_l_armstrong')
    """
    from tourney.cards.names import fold

    plain = fold(name.replace("&", " and "))
    words = "".join(letter if letter.isalnum() else " " for letter in plain).split()
    return "_".join(words) or "card"
