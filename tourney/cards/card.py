"""A card, its printings, and the attributes that a pool declares for its cards.

An attribute of a card has a value, is `NONE` (the card does not have it) or `UNKNOWN` (not recorded).
Rules treat the two differently: an unknown attribute makes a verdict unverified.

The `pool.toml` of a pool is parsed into a `Schema`: the game, whether the pool is complete, and the declared
attributes. The end of the module parses attribute values that people write as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from enum import Enum, IntEnum
from fractions import Fraction
from types import MappingProxyType
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, force_setattr, replace

from tourney.cards.names import FoldedName, fold
from tourney.decode import from_toml
from tourney.errors import TourneyError

Value = str | int | Fraction | bool | tuple[str, ...]
"""The value of an attribute: text, an exact number, a flag or a list of texts."""


class Absent(Enum):
    """Why an attribute has no value: the card does not have it, or the value is unknown."""

    NONE = "none"  # the card does not have it: a blank stat, an unaligned card
    UNKNOWN = "unknown"  # not recorded: an open pool, a source that guesses

    def __str__(self) -> str:
        return self.value


NONE = Absent.NONE
UNKNOWN = Absent.UNKNOWN


# -- printings


class Status(IntEnum):
    """The status of a printing: current, outdated or a misprint. A lower number is better."""

    CURRENT = 0
    OUTDATED = 1  # an older version of the card, or one of another era
    MISPRINT = 2

    @property
    def word(self) -> str:
        """The word for the status in pool files and messages."""
        return self.name.lower()


STATUS_WORDS: Mapping[str, Status] = MappingProxyType({status.word: status for status in Status})
"""Word in pool files → status."""

_NO_ATTRIBUTES: Mapping[str, str | int | Fraction | bool] = MappingProxyType({})


class Printing(Struct, frozen=True, kw_only=True):
    """One printing of a card.

    set:        the code of the set
    number:     the collector's number
    released:   an ISO date, or a year
    note:       a remark from the source of the card data
    attributes: every other key that the pool has for the printing
    """

    set: str
    number: str | None = None
    id: str | None = None
    status: Status = Status.CURRENT
    released: str | None = None
    note: str | None = None
    attributes: Mapping[str, str | int | Fraction | bool] = msgspec.field(
        default_factory=lambda: _NO_ATTRIBUTES
    )

    def get(self, attribute: str) -> str | int | Fraction | bool | None:
        """Return the value of an attribute or a field; None if the printing does not have it.

        The fields are `set`, `number`, `id`, `status` and `released`.
        """
        if attribute in self.attributes:
            return self.attributes[attribute]
        if attribute == "status":
            return self.status.word
        return getattr(self, attribute) if attribute in {"set", "number", "id", "released"} else None


# -- cards

_NO_VALUES: Mapping[str, Value | None] = MappingProxyType({})
_FIELDS_TO_ASK = frozenset({"name", "id", "version", "set"})


class Card(Struct, frozen=True, kw_only=True):
    """A card of a pool, or a card that the pool does not list (`unlisted_card`).

    id:         unique in the pool
    name:       as printed
    attributes: name → value, as in the pool; None if the pool says that the card does not have the attribute
    complete:   whether an attribute that is not in `attributes` is NONE (complete pool) or UNKNOWN (open
                pool)
    unknown:    attributes that are UNKNOWN even in a complete pool
    aliases:    other names of the card
    counts_as:  the name or id of another card, if copies of this card count as copies of that one
    version:    the version or era of the card
    note:       a remark from the source of the card data, such as a guess at an unknown attribute
    set:        the code of the set file that lists the card
    is_listed:  whether the pool lists the card
    place:      file and line, for messages
    candidates: the cards that the name may mean, if several share it. In this case, `printings` has the
                printings of all candidates
    key:        the name as `fold` changes it for comparisons
    """

    id: str
    name: str
    attributes: Mapping[str, Value | None] = msgspec.field(default_factory=lambda: _NO_VALUES)
    complete: bool = False
    unknown: frozenset[str] = frozenset()
    aliases: tuple[str, ...] = ()
    counts_as: str | None = None
    version: str | None = None
    printings: tuple[Printing, ...] = ()
    note: str | None = None
    set: str = ""
    is_listed: bool = True
    place: str = ""
    candidates: tuple[Card, ...] = ()
    key: FoldedName = FoldedName("")

    def __post_init__(self) -> None:
        if not self.key:
            force_setattr(self, "key", fold(self.name))

    def get(self, attribute: str) -> Value | Absent:
        """Return the value of an attribute, NONE or UNKNOWN.

        The fields `name`, `id`, `version` and `set` are attributes, too, unless the pool declares an
        attribute of that name.
        """
        if attribute in self.unknown:
            return UNKNOWN
        if attribute in self.attributes:
            value = self.attributes[attribute]
            return NONE if value is None or value == "" else value
        if attribute in _FIELDS_TO_ASK and (field := getattr(self, attribute)):
            return str(field)
        return NONE if self.complete else UNKNOWN

    def with_facts(self, facts: Mapping[str, Value | None]) -> Card:
        """Return the card with `facts` as the values of UNKNOWN attributes; other values stay."""
        return self.with_errata({name: value for name, value in facts.items() if self.get(name) is UNKNOWN})

    def with_errata(self, facts: Mapping[str, Value | None]) -> Card:
        """Return the card with `facts` in place of the pool's values."""
        return replace(self, attributes={**self.attributes, **facts}, unknown=self.unknown - facts.keys())

    @property
    def status(self) -> Status:
        """The best status of the card's printings; CURRENT if it has none."""
        return min((printing.status for printing in self.printings), default=Status.CURRENT)

    def printing(self, set_code: str, number: str | None = None) -> Printing | None:
        """Return the printing in a set, with the collector's number if given, or None.

        If the set has several printings, returns one with the best status.
        """
        set_key, number_key = fold(set_code), None if number is None else fold(number)
        matches = [
            printing
            for printing in self.printings
            if fold(printing.set) == set_key
            and (number_key is None or printing.number is None or fold(printing.number) == number_key)
        ]
        return min(matches, key=lambda printing: printing.status, default=None)


def unlisted_card(name: str) -> Card:
    """Return a card that the pool does not list. Every attribute but its name is UNKNOWN."""
    return Card(id=fold(name), name=name, is_listed=False)


# -- declared attributes


class AttributeKind(Enum):
    """The type of an attribute. Its value is the word for the type in `pool.toml`."""

    TEXT = "text"
    NUMBER = "number"
    FLAG = "flag"
    LIST = "list"

    @property
    def words(self) -> str:
        """The name of the type in messages, such as `a number`."""
        return _KIND_WORDS[self]

    def fits(self, value: object) -> bool:
        """Return whether a Python value has this type."""
        match self:
            case AttributeKind.NUMBER:
                return isinstance(value, int | Fraction) and not isinstance(value, bool)
            case AttributeKind.LIST:
                return isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)
            case AttributeKind.TEXT:
                return isinstance(value, str)
            case AttributeKind.FLAG:
                return isinstance(value, bool)


_KIND_WORDS = {
    AttributeKind.TEXT: "text",
    AttributeKind.NUMBER: "a number",
    AttributeKind.FLAG: "true or false",
    AttributeKind.LIST: "a list of texts",
}
_KINDS = {kind.value: kind for kind in AttributeKind} | {
    **dict.fromkeys(("string", "str"), AttributeKind.TEXT),
    **dict.fromkeys(("integer", "int", "whole"), AttributeKind.NUMBER),
    **dict.fromkeys(("boolean", "bool"), AttributeKind.FLAG),
    **dict.fromkeys(("texts", "set"), AttributeKind.LIST),
}


class Attribute(Struct, frozen=True, kw_only=True):
    """An attribute that a pool declares for its cards.

    values:  the allowed words; empty if any text is allowed
    open:    whether words other than `values` are allowed, too, such as a later faction
    about:   an explanation for people
    unknown: whether the attribute is UNKNOWN for cards whose line does not have it, even in a complete pool
    max:     the highest number that the game's rules allow
    """

    name: str
    kind: AttributeKind
    values: tuple[str, ...] = ()
    open: bool = False
    about: str = ""
    unknown: bool = False
    max: int | None = None

    def problem(self, value: object) -> str | None:
        """Return why a decoded value does not fit the attribute; None if it does."""
        if value is None:
            return None
        is_word_for_list = self.kind is AttributeKind.LIST and isinstance(value, str)
        if not is_word_for_list and not self.kind.fits(value):
            return f"{self.name}: expected {self.kind.words}, found {type_words(value)}"
        words: Iterable[object] = value if isinstance(value, list | tuple) else (value,)
        if not self.values or self.open:
            return None
        for word in words:
            if word not in self.values and word != "":
                return f"{self.name}: `{word}` is not one of {', '.join(self.values)}"
        return None

    def excess(self, value: object) -> str | None:
        """Return why a number is too high, such as `hgt: 8 is more than 7`; None if it is not."""
        if self.max is None or not isinstance(value, int | Fraction) or value <= self.max:
            return None
        return f"{self.name}: {value} is more than {self.max}"


def type_words(value: object) -> str:
    """Return words for the type of a decoded JSON value, such as `a list`, for use in a message."""
    words = {
        bool: "true or false",
        str: "text",
        int: "a number",
        Fraction: "a number",
        list: "a list",
        dict: "a table",
    }
    return words.get(type(value), "nothing")


# -- pool.toml


class SetInfo(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A set of cards.

    code: the name of the set's `.jsonl` file, without the ending. If a set has no file, its code is used only
          for printings of cards in the files of other sets
    """

    code: str = ""
    name: str = ""
    released: str = ""
    source: str = ""


class Schema(Struct, frozen=True, kw_only=True):
    """The content of a `pool.toml`.

    key:      what identifies a card in a list: `name`, or `id` if several cards share a name
    complete: whether the pool has every card of the game, so that a decklist cannot name any other card
    unknown:  the names of attributes that are UNKNOWN for a card if its line does not have them
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


class _AttributeEntry(Struct, frozen=True, forbid_unknown_fields=True):
    type: str
    values: tuple[str, ...] = ()
    open: bool = False
    about: str = ""
    unknown: bool = False
    max: int | None = None


class _PoolFile(Struct, frozen=True, forbid_unknown_fields=True):
    game: str
    complete: bool
    key: Literal["name", "id"] = "name"
    name: str = ""
    sources: tuple[str, ...] = ()
    attributes: dict[str, str | _AttributeEntry] = {}
    sets: dict[str, SetInfo] = {}
    note: str = ""


RESERVED = frozenset({"id", "name", "aliases", "counts_as", "version", "printings", "note", "unknown"})
"""The keys of a card's line in a set file that are not attributes."""


def parse_schema(text: str, *, source: str) -> Schema:
    """Parse the text of a `pool.toml`. Raises TourneyError with file and key path."""
    file = from_toml(text, _PoolFile, source=source)
    attributes = {
        name: _attribute(name, entry, f"{source}: attributes.{name}")
        for name, entry in file.attributes.items()
    }
    sets = {code: replace(entry, code=code, name=entry.name or code) for code, entry in file.sets.items()}
    return Schema(
        game=file.game,
        name=file.name or file.game,
        key=file.key,
        complete=file.complete,
        sources=file.sources,
        attributes=MappingProxyType(attributes),
        sets=MappingProxyType(sets),
        note=file.note,
        unknown=frozenset(name for name, attribute in attributes.items() if attribute.unknown),
    )


def _attribute(name: str, entry: str | _AttributeEntry, place: str) -> Attribute:
    entry = _AttributeEntry(type=entry) if isinstance(entry, str) else entry
    kind = _KINDS.get(entry.type)
    if kind is None:
        types = ", ".join(f"`{kind.value}`" for kind in AttributeKind)
        raise TourneyError(f"{place}: unknown type `{entry.type}`; choose from {types}")
    if name in RESERVED:
        raise TourneyError(f"{place}: every card's line has this key already; choose another name")
    if entry.max is not None and kind is not AttributeKind.NUMBER:
        raise TourneyError(f"{place}.max: only a number can have a maximum")
    fields = asdict(entry)
    del fields["type"]
    return Attribute(name=name, kind=kind, **fields)


# -- attribute values as text: facts in a decklist ({type=efreet, faction=CPM|UNE}), cells of a table

_FLAGS = {
    **dict.fromkeys(("yes", "y", "true", "1", "x", "✓"), True),
    **dict.fromkeys(("no", "n", "false", "0"), False),
}
_NONE_WORDS = {"", '""', "''", "none", "null", "-", "–", "—"}
_LIST_SEPARATOR = re.compile(r"\s*[|;/+]\s*")
_NUMBER = re.compile(r"[-+−]?\d{1,18}(\.\d{1,18})?\Z", re.ASCII)


def parse_value(text: str, attribute: Attribute | None) -> Value | None:
    """Parse the value of an attribute. Returns None for `none`, `-` and empty text.

    The words of a list are separated by `|`, `/`, `+` or `;`. Without an `attribute`, a text such as `-2` or
    `1.5` becomes a number, and any other text stays text. Raises ValueError with a message for the user if
    the text does not fit.

    >>> parse_value("CPM|UNE", Attribute(name="faction", kind=AttributeKind.LIST))
    ('CPM', 'UNE')
    >>> parse_value("-2", None), parse_value("efreet", None), parse_value("none", None), parse_value("", None)
    (-2, 'efreet', None, None)
    """
    text = text.strip()
    if text.casefold() in _NONE_WORDS:
        return None
    if attribute is None:
        return _parse_number(text) if _NUMBER.match(text) else text
    value = _parse_kind(text, attribute)
    if problem := attribute.problem(value):
        raise ValueError(problem)
    return value


def _parse_kind(text: str, attribute: Attribute) -> Value:
    match attribute.kind:
        case AttributeKind.LIST:
            return tuple(_pool_spelling(word, attribute) for word in _LIST_SEPARATOR.split(text) if word)
        case AttributeKind.TEXT:
            return _pool_spelling(text, attribute)
        case AttributeKind.FLAG if text.casefold() in _FLAGS:
            return _FLAGS[text.casefold()]
        case AttributeKind.NUMBER if _NUMBER.match(text):
            return _parse_number(text)
    raise ValueError(f"{attribute.name}: expected {attribute.kind.words}, found `{text}`")


def _parse_number(text: str) -> int | Fraction:
    value = Fraction(text.replace("−", "-"))
    return int(value) if value.denominator == 1 else value


def _pool_spelling(word: str, attribute: Attribute) -> str:
    """Return a word as the pool spells it: `UNE` for `une`."""
    return next((value for value in attribute.values if value.casefold() == word.casefold()), word)


def parse_facts(
    facts: Mapping[str, str], attributes: Mapping[str, Attribute]
) -> tuple[Mapping[str, Value | None], tuple[str, ...]]:
    """Parse the facts that a decklist states about a card. Returns the values and the problems.

    Names of attributes are case-insensitive. A fact about an attribute that the pool does not declare is
    kept.
    """
    spelling = {name.casefold(): name for name in attributes}
    values: dict[str, Value | None] = {}
    problems: list[str] = []
    for key, text in facts.items():
        name = spelling.get(key.casefold(), key)
        attribute = attributes.get(name)
        try:
            value = parse_value(text, attribute)
        except ValueError as error:
            problems.append(str(error))
            continue
        if attribute and (excess := attribute.excess(value)):
            problems.append("; ".join(filter(None, (excess, attribute.about))))
        else:
            values[name] = value
    return values, tuple(problems)
