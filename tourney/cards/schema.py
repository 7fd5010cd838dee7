"""What a `pool.toml` says: whose cards, whether all of them, and which attributes they have."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Literal

import msgspec

from tourney.decode import from_toml
from tourney.errors import TourneyError


class AttributeKind(Enum):
    """The type of an attribute; the value is the word written in `pool.toml`."""

    TEXT = "text"
    NUMBER = "number"
    FLAG = "flag"
    LIST = "list"

    @property
    def words(self) -> str:
        """Say the type in a message."""
        return _SAID[self]


_SAID = {
    AttributeKind.TEXT: "text",
    AttributeKind.NUMBER: "a number",
    AttributeKind.FLAG: "true or false",
    AttributeKind.LIST: "a list of texts",
}
_TYPE_WORDS = {
    **{kind.value: kind for kind in AttributeKind},
    **dict.fromkeys(("string", "str"), AttributeKind.TEXT),
    **dict.fromkeys(("integer", "int", "whole"), AttributeKind.NUMBER),
    **dict.fromkeys(("boolean", "bool"), AttributeKind.FLAG),
    **dict.fromkeys(("texts", "set"), AttributeKind.LIST),
}


class Attribute(msgspec.Struct, frozen=True, kw_only=True):
    """One attribute the cards of a game have.

    values: the words it may take, empty where any is allowed
    open:   whether other words than `values` may still come (a later faction)
    about:  what it means, for people
    """

    name: str
    kind: AttributeKind
    values: tuple[str, ...] = ()
    open: bool = False
    about: str = ""

    def fault(self, value: object) -> str | None:
        """Say what is wrong with `value` for this attribute, None where nothing is."""
        if value is None:
            return None
        if self.kind is AttributeKind.LIST and isinstance(value, str):
            return self._foreign((value,))
        if not _fits(self.kind, value):
            return f"{self.name}: expected {self.kind.words}, found {found_words(value)}"
        return self._foreign(value if isinstance(value, list | tuple) else (value,))

    def _foreign(self, values: Any) -> str | None:
        if not self.values or self.open:
            return None
        foreign = [value for value in values if value not in self.values]
        return f"{self.name}: `{foreign[0]}` is not one of {', '.join(self.values)}" if foreign else None


def _fits(kind: AttributeKind, value: object) -> bool:
    if kind is AttributeKind.NUMBER:
        return isinstance(value, int | Fraction) and not isinstance(value, bool)
    if kind is AttributeKind.LIST:
        return isinstance(value, list | tuple) and all(isinstance(each, str) for each in value)
    return isinstance(value, str if kind is AttributeKind.TEXT else bool)


def found_words(value: object) -> str:
    """Say in our words what kind of JSON value was found."""
    names = {
        bool: "true or false",
        str: "text",
        int: "a number",
        Fraction: "a number",
        list: "a list",
        dict: "a table",
    }
    return names.get(type(value), "nothing")


class SetInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A set the cards come in: its code is the name of its `.jsonl` file or the one printings give."""

    code: str
    name: str = ""
    released: str = ""
    source: str = ""


class Schema(msgspec.Struct, frozen=True, kw_only=True):
    """The head of a pool.

    key:      what names a card in a list: `name` (names are unique) or `id` (several cards share a name)
    complete: whether every card of the game is here; an unlisted card is then no card
    """

    game: str
    name: str
    key: Literal["name", "id"]
    complete: bool
    sources: tuple[str, ...]
    attributes: Mapping[str, Attribute]
    sets: Mapping[str, SetInfo]
    note: str = ""


class _Attribute(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    type: str
    values: tuple[str, ...] = ()
    open: bool = False
    about: str = ""


class _Set(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str = ""
    released: str = ""
    source: str = ""


class _PoolFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    game: str
    complete: bool
    key: Literal["name", "id"] = "name"
    name: str = ""
    sources: tuple[str, ...] = ()
    attributes: dict[str, str | _Attribute] = {}
    sets: dict[str, _Set] = {}
    note: str = ""


def parse_schema(text: str, *, source: str) -> Schema:
    """Read the text of a `pool.toml`. Raises TourneyError with file and key path."""
    read = from_toml(text, _PoolFile, source=source)
    attributes = {name: _attribute(name, said, source) for name, said in read.attributes.items()}
    return Schema(
        game=read.game,
        name=read.name or read.game,
        key=read.key,
        complete=read.complete,
        sources=read.sources,
        attributes=MappingProxyType(attributes),
        sets=MappingProxyType({code: _set_info(code, said) for code, said in read.sets.items()}),
        note=read.note,
    )


def _set_info(code: str, said: _Set) -> SetInfo:
    return SetInfo(code=code, name=said.name or code, released=said.released, source=said.source)


def _attribute(name: str, said: str | _Attribute, source: str) -> Attribute:
    full = _Attribute(type=said) if isinstance(said, str) else said
    kind = _TYPE_WORDS.get(full.type)
    if kind is None:
        known = ", ".join(f"`{kind.value}`" for kind in AttributeKind)
        raise TourneyError(f"{source}: attributes.{name}: `{full.type}` is not a type; there are {known}")
    if name in RESERVED:
        raise TourneyError(
            f"{source}: attributes.{name}: every card line has this key already; choose another word"
        )
    return Attribute(name=name, kind=kind, values=full.values, open=full.open, about=full.about)


RESERVED = frozenset({"id", "name", "aliases", "counts_as", "version", "printings", "note", "unknown"})
"""The keys of a card line that are no attributes."""
