"""What stands beside a card's name on its line, peeled off layer by layer.

Each layer gives another reading of the name. Which layer is decoration whatever the pool says is marked certain; a
certain layer makes everything outside it certain, too: in `Kite (foil) [ABC]` the brackets are no part of a name, so
neither is what stands between.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tourney.decks.decklist import NO_FACTS, PrintMark, Reading
from tourney.decks.reading.dialect import PLAIN, Dialect
from tourney.decks.reading.layers import UNMARKED, Layer, layers_of
from tourney.decks.reading.text import squeeze


@dataclass(frozen=True, slots=True)
class Peeled:
    """A name with its decoration taken apart."""

    readings: tuple[Reading, ...]
    marks: tuple[str, ...] = ()
    facts: Mapping[str, str] = dataclasses.field(default_factory=lambda: NO_FACTS)
    code: str | None = None
    comment: str = ""


_FACTS = re.compile(r"\s*\{([^{}]*=[^{}]*)\}")


@lru_cache(maxsize=16_384)  # the same cards stand in the lists of many players
def _peel_plain(words: str) -> Peeled:
    return _peel(words, PLAIN)


def peel(words: str, dialect: Dialect = PLAIN) -> Peeled:
    """Take the decoration off `words`, the part of a line after its count.

    >>> [reading.name for reading in peel("Siege Hammer (ABC) 12 *F*").readings]
    ['Siege Hammer (ABC) 12 *F*', 'Siege Hammer (ABC) 12', 'Siege Hammer']
    >>> peel("Siege Hammer {type=efreet, faction=CPM}").facts
    {'type': 'efreet', 'faction': 'CPM'}
    """
    return _peel_plain(words) if dialect is PLAIN else _peel(words, dialect)


def _peel(words: str, dialect: Dialect) -> Peeled:
    words, facts = _take_facts(words) if "{" in words else (words, NO_FACTS)
    layers = [Layer(squeeze(words), certain=True)]
    layers.extend(layers_of(layers[0].rest, dialect))
    if len(layers) == 1 and not facts:
        return Peeled(readings=(Reading(name=layers[0].rest, printing=UNMARKED),))
    certain = max(place for place, layer in enumerate(layers) if layer.certain)
    settled = layers[: certain + 1]
    printing, code, facts = _said_as_facts(facts)
    return Peeled(
        readings=tuple(_readings(layers, certain, printing)),
        marks=tuple(layer.mark for layer in reversed(settled) if layer.mark),
        facts=facts,
        code=code or next((layer.code for layer in settled if layer.code), None),
        comment=next((layer.comment for layer in settled if layer.comment), ""),
    )


def _readings(layers: Sequence[Layer], certain: int, printing: PrintMark) -> Iterator[Reading]:
    for place, layer in enumerate(layers):
        printing = PrintMark(layer.printing.set or printing.set, layer.printing.number or printing.number)
        taken = _difference(layers[0].rest, layer.rest)
        yield Reading(name=layer.rest, taken=taken, certain=place <= certain, printing=printing)


def _said_as_facts(facts: Mapping[str, str]) -> tuple[PrintMark, str | None, Mapping[str, str]]:
    """Take `{set=Long Name, number=12, code=01054}` for what they are: they stand for marks with other letters."""
    if not facts.keys() & {"set", "number", "code"}:
        return UNMARKED, None, facts
    rest = {key: value for key, value in facts.items() if key not in ("set", "number", "code")}
    return PrintMark(facts.get("set"), facts.get("number")), facts.get("code"), rest or NO_FACTS


def field(words: str, printing: PrintMark = UNMARKED) -> Peeled:
    """Take the name from a field of its own (an attribute, a column): it is the name as it stands.

    What could be decoration stays another reading for a pool that knows the shorter name; it is certain only where
    the file gives the same set in a field beside it.
    """
    found = peel(words)
    readings: list[Reading] = []
    for reading in found.readings:
        same_set = bool(printing.set) and reading.printing == PrintMark(printing.set)
        certain = not readings or (same_set and readings[-1].certain)
        mark = printing if certain else reading.printing
        readings.append(Reading(name=reading.name, taken=reading.taken, certain=certain, printing=mark))
    return Peeled(readings=tuple(readings), facts=found.facts)


def whole(words: str, printing: PrintMark, *, facts: Mapping[str, str], marks: tuple[str, ...]) -> Peeled:
    """Take every part from a field of its own: nothing in the name is read as anything else.

    The shorter readings stay for a pool that knows them, as in `field`.
    """
    readings = field(words, printing).readings if "{" not in words else ()
    first = Reading(name=squeeze(words), printing=printing)
    rest = (dataclasses.replace(reading, certain=False) for reading in readings[1:])
    return Peeled(readings=(first, *rest), facts=facts or NO_FACTS, marks=marks)


def marked(peeled: Peeled, *marks: str) -> Peeled:
    """Give the same name with marks that the file says in another field."""
    return dataclasses.replace(peeled, marks=(*peeled.marks, *marks))


def _take_facts(words: str) -> tuple[str, Mapping[str, str]]:
    found = _FACTS.search(words)
    if not found:
        return words, NO_FACTS
    pairs = (pair.partition("=") for pair in found[1].replace(";", ",").split(","))
    facts = {key.strip(): value.strip() for key, _, value in pairs if key.strip()}
    return words[: found.start()] + words[found.end() :], facts


def _difference(whole: str, rest: str) -> str:
    """Give the words of `whole` round `rest`.

    >>> _difference("[ABC] Kite (3)", "Kite")
    '[ABC] (3)'
    """
    start = whole.find(rest)
    if start < 0:
        return ""  # `Unmasking, The`: nothing was taken, words were turned round
    return squeeze(whole[:start] + " " + whole[start + len(rest) :])
