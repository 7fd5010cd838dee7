"""A card: its name, what is known of it, and what is blank or unknown."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from fractions import Fraction
from types import MappingProxyType

import msgspec
from msgspec.structs import replace

from tourney.cards.names import fold
from tourney.cards.printings import Printing, Status

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
