"""A card: its name, what is known of it, and what is blank or unknown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum, IntEnum
from fractions import Fraction
from types import MappingProxyType

import msgspec
from msgspec.structs import force_setattr, replace

from tourney.cards.names import FoldedName, fold
from tourney.cards.schema import Attribute, AttributeKind

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
            return NONE if value is None else value
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
        wanted, asked = fold(set_code), None if number is None else fold(number)
        fits = [
            printing
            for printing in self.printings
            if fold(printing.set) == wanted
            and (asked is None or printing.number is None or fold(printing.number) == asked)
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


# -- Attribute values written as text: facts declared in a decklist ({type=efreet, faction=CPM|UNE}), cells of a table


_FLAGS = {
    **dict.fromkeys(("yes", "y", "true", "1", "x", "✓"), True),
    **dict.fromkeys(("no", "n", "false", "0"), False),
}
_BLANKS = {"none", "null", "-", "–", "—"}
_BETWEEN = re.compile(r"\s*[|;/+]\s*")
_NUMBER = re.compile(r"[-+−]?\d{1,18}(\.\d{1,18})?\Z", re.ASCII)


def value_of(text: str, attribute: Attribute | None) -> Value | None:
    """Read `text` as a value of `attribute`; None says the card has none (`none`, `-`).

    A list is written with `|`, `/`, `+` or `;` between its words. Without a declared attribute a number is a number
    and everything else is text. Raises ValueError, its message saying what was expected.

    >>> value_of("CPM|UNE", Attribute(name="faction", kind=AttributeKind.LIST))
    ('CPM', 'UNE')
    >>> value_of("-2", None), value_of("efreet", None), value_of("none", None)
    (-2, 'efreet', None)
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
    found: Value | None = _FLAGS.get(plain.casefold()) if attribute.kind is AttributeKind.FLAG else None
    if attribute.kind is AttributeKind.NUMBER and _NUMBER.match(plain):
        found = _number(plain)
    if found is None:
        raise ValueError(f"{attribute.name}: expected {attribute.kind.words}, found `{plain}`")
    return found


def _number(plain: str) -> int | Fraction:
    value = Fraction(plain.replace("−", "-"))
    return int(value) if value.denominator == 1 else value


def _spelled(word: str, attribute: Attribute) -> str:
    """Spell a known word as the pool spells it: `une` is UNE."""
    return next((known for known in attribute.values if known.casefold() == word.casefold()), word)


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
        try:
            values[name] = value_of(text, attributes.get(name))
        except ValueError as fault:
            faults.append(str(fault))
    return values, tuple(faults)
