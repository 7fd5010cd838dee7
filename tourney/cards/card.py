"""A card: its name, what is known of it, and what is blank or unknown.

With its printings, what a `pool.toml` declares of all its cards, and attributes as people write them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from enum import Enum, IntEnum
from fractions import Fraction
from types import MappingProxyType
from typing import Literal

import msgspec
from msgspec.structs import force_setattr, replace

from tourney.cards.names import FoldedName, fold
from tourney.decode import from_toml
from tourney.errors import TourneyError

Value = str | int | Fraction | bool | tuple[str, ...]
"""What an attribute can hold: text, a number (exact), a flag, or a list of texts."""


class Absent(Enum):
    """Why an attribute has no value. Blank is not unknown."""

    NONE = "none"  # the card has no such thing: a blank stat, an unaligned card
    UNKNOWN = "unknown"  # nobody wrote it down: an open pool, a guess

    def __str__(self) -> str:
        return self.value


NONE = Absent.NONE
UNKNOWN = Absent.UNKNOWN
"""Both under short names: they stand in every question asked of a card."""

_EMPTY: Mapping[str, Value | None] = MappingProxyType({})


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """One card of a pool, or a card no pool lists (`unlisted`).

    id:         the slug, unique in the pool
    name:       as printed
    attributes: what the pool's line says; None where the card is said to have none
    complete:   whether an attribute that is not written is NONE (complete pool) or UNKNOWN (open pool)
    unknown:    attributes said to be unknown even so (a source that only guesses; the guess stands in `note`)
    aliases:    other names of the same card
    counts_as:  the name or id of the card as which this one is counted, where that is another card
    version:    the card's own version or era, where it has one
    printings:  where it was printed and whether that printing is still the one to play with
    listed:     whether a pool lists it
    place:      file and line, for messages
    among:      the cards of one name that may be meant, where nobody can say which; the printings are then all of theirs
    key:        the name folded, under which the card is looked up and compared
    """

    id: str
    name: str
    attributes: Mapping[str, Value | None] = msgspec.field(default_factory=lambda: _EMPTY)
    complete: bool = False
    unknown: frozenset[str] = frozenset()
    aliases: tuple[str, ...] = ()
    counts_as: str | None = None
    version: str | None = None
    printings: tuple[Printing, ...] = ()
    note: str | None = None
    set: str = ""
    listed: bool = True
    place: str = ""
    among: tuple[Card, ...] = ()
    key: FoldedName = FoldedName("")

    def __post_init__(self) -> None:
        if not self.key:
            force_setattr(self, "key", fold(self.name))

    def get(self, attribute: str) -> Value | Absent:
        """Return the value of `attribute`, NONE where it is blank, UNKNOWN where nobody wrote it down.

        `name`, `id`, `version` and `set` are answered for every card unless an attribute of that name is written.
        """
        if attribute in self.unknown:
            return UNKNOWN
        if attribute in self.attributes:
            value = self.attributes[attribute]
            return NONE if value is None or value == "" else value
        if attribute in _OWN and (own := getattr(self, attribute)):
            return str(own)
        return NONE if self.complete else UNKNOWN

    def with_facts(self, facts: Mapping[str, Value | None]) -> Card:
        """Return the card with `facts` filled in where it says UNKNOWN; what the pool knows is not overruled."""
        new = {name: value for name, value in facts.items() if self.get(name) is UNKNOWN}
        return replace(self, attributes={**self.attributes, **new}, unknown=self.unknown - new.keys())

    def overridden(self, facts: Mapping[str, Value | None]) -> Card:
        """Return the card with `facts` in place of what the pool says (errata)."""
        return replace(self, attributes={**self.attributes, **facts}, unknown=self.unknown - facts.keys())

    @property
    def status(self) -> Status:
        """Whether the card can be played at all: the best status among its printings, CURRENT without any."""
        return min((printing.status for printing in self.printings), default=Status.CURRENT)

    def printing(self, set_code: str, number: str | None = None) -> Printing | None:
        """Return the printing in the set `set_code` (and with that collector's number), None if there is none.

        Where several match, the one with the best status is returned: the benefit of the doubt.
        """
        set_key, number_key = fold(set_code), None if number is None else fold(number)
        fits = [
            printing
            for printing in self.printings
            if fold(printing.set) == set_key
            and (number_key is None or printing.number is None or fold(printing.number) == number_key)
        ]
        return min(fits, key=lambda printing: printing.status, default=None)


_OWN = frozenset({"name", "id", "version", "set"})


def unlisted(name: str) -> Card:
    """Return the card `name` of which no pool knows anything: every attribute is UNKNOWN."""
    return Card(id=fold(name), name=name, listed=False)


# -- Printings of a card, and which of them may be played with


_NO_FACTS: Mapping[str, str | int | Fraction | bool] = MappingProxyType({})


class Status(IntEnum):
    """Whether a printing is the version this pool plays with; the lower, the better."""

    CURRENT = 0
    OUTDATED = 1  # another version of the card: older, or of another era than the pool's
    MISPRINT = 2

    @property
    def word(self) -> str:
        """The word written in pool files and messages."""
        return self.name.lower()


STATUS_WORDS: Mapping[str, Status] = MappingProxyType({status.word: status for status in Status})
"""The words of pool files."""


class Printing(msgspec.Struct, frozen=True, kw_only=True):
    """One printing: the set's code, the collector's number and its own id where there are such.

    released: ISO date or year as text; note: what the source says; attributes: anything else the pool wrote
    """

    set: str
    number: str | None = None
    id: str | None = None
    status: Status = Status.CURRENT
    released: str | None = None
    note: str | None = None
    attributes: Mapping[str, str | int | Fraction | bool] = msgspec.field(default_factory=lambda: _NO_FACTS)

    def get(self, attribute: str) -> str | int | Fraction | bool | None:
        """Return an attribute of the printing (`set`, `number`, `id`, `status`, `released`, own ones), else None."""
        if attribute in self.attributes:
            return self.attributes[attribute]
        if attribute == "status":
            return self.status.word
        return getattr(self, attribute) if attribute in _OWN_FIELDS else None


_OWN_FIELDS = frozenset({"set", "number", "id", "released"})


# -- What a pool.toml says: whose cards, whether all of them, and which attributes they have


class AttributeKind(Enum):
    """The type of an attribute; the value is the word written in `pool.toml`."""

    TEXT = "text"
    NUMBER = "number"
    FLAG = "flag"
    LIST = "list"

    @property
    def words(self) -> str:
        """The type as messages say it: `a number`, `a list of texts`."""
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
    unknown: whether it is unknown of each card whose line does not have it, also in a complete pool
    max:    the highest number that a card can have, by the game's rules: proofreading tells of others, and no list can declare one
    """

    name: str
    kind: AttributeKind
    values: tuple[str, ...] = ()
    open: bool = False
    about: str = ""
    unknown: bool = False
    max: int | None = None

    def fault(self, value: object) -> str | None:
        """Say what is wrong with `value` for this attribute, None where nothing is."""
        if value is None:
            return None
        if self.kind is AttributeKind.LIST and isinstance(value, str):
            return self._foreign((value,))
        if not _fits(self.kind, value):
            return f"{self.name}: expected {self.kind.words}, found {found_words(value)}"
        return self._foreign(value if isinstance(value, list | tuple) else (value,))

    def excess(self, value: object) -> str | None:
        """Say that a number is more than the game allows, None where it is not: `hgt: 8 is more than 7`."""
        if self.max is None or not isinstance(value, int | Fraction) or value <= self.max:
            return None
        return f"{self.name}: {value} is more than {self.max}"

    def _foreign(self, values: Iterable[object]) -> str | None:
        if not self.values or self.open:
            return None
        foreign = [value for value in values if value not in self.values and value != ""]
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
    unknown:  attributes that are unknown of each card whose line does not have them
    """

    game: str
    name: str
    key: Literal["name", "id"]
    complete: bool
    sources: tuple[str, ...]
    attributes: Mapping[str, Attribute]
    sets: Mapping[str, SetInfo]
    note: str = ""
    unknown: frozenset[str] = frozenset()


class _Attribute(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    type: str
    values: tuple[str, ...] = ()
    open: bool = False
    about: str = ""
    unknown: bool = False
    max: int | None = None


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
    attributes = {name: _attribute(name, entry, source) for name, entry in read.attributes.items()}
    return Schema(
        game=read.game,
        name=read.name or read.game,
        key=read.key,
        complete=read.complete,
        sources=read.sources,
        attributes=MappingProxyType(attributes),
        sets=MappingProxyType({code: _set_info(code, entry) for code, entry in read.sets.items()}),
        note=read.note,
        unknown=frozenset(name for name, attribute in attributes.items() if attribute.unknown),
    )


def _set_info(code: str, entry: _Set) -> SetInfo:
    return SetInfo(code=code, name=entry.name or code, released=entry.released, source=entry.source)


def _attribute(name: str, entry: str | _Attribute, source: str) -> Attribute:
    full = _Attribute(type=entry) if isinstance(entry, str) else entry
    kind = _TYPE_WORDS.get(full.type)
    if kind is None:
        types = ", ".join(f"`{kind.value}`" for kind in AttributeKind)
        raise TourneyError(f"{source}: attributes.{name}: `{full.type}` is not a type; there are {types}")
    if name in RESERVED:
        raise TourneyError(
            f"{source}: attributes.{name}: every card line has this key already; choose another word"
        )
    if full.max is not None and kind is not AttributeKind.NUMBER:
        raise TourneyError(f"{source}: attributes.{name}.max: only a number has a highest one")
    return Attribute(
        name=name,
        kind=kind,
        values=full.values,
        open=full.open,
        about=full.about,
        unknown=full.unknown,
        max=full.max,
    )


RESERVED = frozenset({"id", "name", "aliases", "counts_as", "version", "printings", "note", "unknown"})
"""The keys of a card line that are no attributes."""


# -- Attribute values written as text: facts declared in a decklist ({type=efreet, faction=CPM|UNE}), cells of a table


_FLAGS = {
    **dict.fromkeys(("yes", "y", "true", "1", "x", "✓"), True),
    **dict.fromkeys(("no", "n", "false", "0"), False),
}
_BLANKS = {"", '""', "''", "none", "null", "-", "–", "—"}
_BETWEEN = re.compile(r"\s*[|;/+]\s*")
_NUMBER = re.compile(r"[-+−]?\d{1,18}(\.\d{1,18})?\Z", re.ASCII)


def value_of(text: str, attribute: Attribute | None) -> Value | None:
    """Read `text` as a value of `attribute`; None says the card has none (`none`, `-`, nothing at all).

    A list is written with `|`, `/`, `+` or `;` between its words. Without a declared attribute a number is a number
    and everything else is text. Raises ValueError, its message saying what was expected.

    >>> value_of("CPM|UNE", Attribute(name="faction", kind=AttributeKind.LIST))
    ('CPM', 'UNE')
    >>> value_of("-2", None), value_of("efreet", None), value_of("none", None), value_of("", None)
    (-2, 'efreet', None, None)
    """
    plain = text.strip()
    if plain.casefold() in _BLANKS:
        return None
    if attribute is None:
        return _number(plain) if _NUMBER.match(plain) else plain
    value = _typed(plain, attribute)
    fault = attribute.fault(value)
    if fault:
        raise ValueError(fault)
    return value


def _typed(plain: str, attribute: Attribute) -> Value:
    if attribute.kind is AttributeKind.LIST:
        return tuple(_spelled(word, attribute) for word in _BETWEEN.split(plain) if word)
    if attribute.kind is AttributeKind.TEXT:
        return _spelled(plain, attribute)
    value: Value | None = _FLAGS.get(plain.casefold()) if attribute.kind is AttributeKind.FLAG else None
    if attribute.kind is AttributeKind.NUMBER and _NUMBER.match(plain):
        value = _number(plain)
    if value is None:
        raise ValueError(f"{attribute.name}: expected {attribute.kind.words}, found `{plain}`")
    return value


def _number(plain: str) -> int | Fraction:
    value = Fraction(plain.replace("−", "-"))
    return int(value) if value.denominator == 1 else value


def _spelled(word: str, attribute: Attribute) -> str:
    """Spell a known word as the pool spells it: `une` is UNE."""
    return next((spelling for spelling in attribute.values if spelling.casefold() == word.casefold()), word)


def declared_facts(
    facts: Mapping[str, str], attributes: Mapping[str, Attribute]
) -> tuple[Mapping[str, Value | None], tuple[str, ...]]:
    """Read the facts a decklist declares of a card: the values, and what is wrong with those that are none.

    The names of attributes ignore case; a fact the pool does not know of is kept as it is.
    """
    spelled = {name.casefold(): name for name in attributes}
    values: dict[str, Value | None] = {}
    faults: list[str] = []
    for written, text in facts.items():
        name = spelled.get(written.casefold(), written)
        attribute = attributes.get(name)
        try:
            value = value_of(text, attribute)
        except ValueError as fault:
            faults.append(str(fault))
            continue
        if attribute and (excess := attribute.excess(value)):
            faults.append("; ".join(filter(None, (excess, attribute.about))))
        else:
            values[name] = value
    return values, tuple(faults)
