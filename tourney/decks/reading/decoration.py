"""What stands beside a card's name on its line, peeled off layer by layer.

Each layer gives another reading of the name. Which layer is decoration whatever the pool says is marked certain; a
certain layer makes everything outside it certain, too: in `Kite (foil) [ABC]` the brackets are no part of a name, so
neither is what stands between.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tourney.decks.decklist import NO_FACTS, PrintMark, Reading
from tourney.decks.reading.dialect import CODE, PLAIN, Dialect
from tourney.decks.reading.text import squeeze

NUMBER_FORM = r"(?:[A-Z0-9]{2,5}-)?[A-Z]{0,3}\d{1,5}[a-zA-Z★†*+Φ]{0,3}"
SET_FORM = r"[A-Za-z0-9_]{1,8}"
SET = re.compile(SET_FORM)
"""A set's code as marks can hold it."""
NUMBER = re.compile(NUMBER_FORM)
"""A collector's number as marks can hold it."""


UNMARKED = PrintMark()


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer of decoration: the words before it, and what it says."""

    rest: str
    certain: bool
    printing: PrintMark = UNMARKED
    mark: str | None = None
    code: str | None = None
    comment: str | None = None


@dataclass(frozen=True, slots=True)
class Peeled:
    """A name with its decoration taken apart."""

    readings: tuple[Reading, ...]
    marks: tuple[str, ...] = ()
    facts: Mapping[str, str] = dataclasses.field(default_factory=lambda: NO_FACTS)
    code: str | None = None
    comment: str = ""


_FACTS = re.compile(r"\s*\{([^{}]*=[^{}]*)\}")
_MOST_LAYERS = 12


def peel(words: str, dialect: Dialect = PLAIN) -> Peeled:
    """Take the decoration off `words`, the part of a line after its count.

    >>> [reading.name for reading in peel("Siege Hammer (ABC) 12 *F*").readings]
    ['Siege Hammer (ABC) 12 *F*', 'Siege Hammer (ABC) 12', 'Siege Hammer']
    >>> peel("Siege Hammer {type=efreet, faction=CPM}").facts
    {'type': 'efreet', 'faction': 'CPM'}
    """
    words, facts = _take_facts(words)
    layers = [Layer(squeeze(words), certain=True), *_layers(squeeze(words), dialect)]
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


def _layers(words: str, dialect: Dialect) -> Iterator[Layer]:
    """Peel until nothing comes off; each layer is shorter than the last, and there are at most twelve."""
    for _ in range(_MOST_LAYERS):
        layer = next((layer for form in _FORMS if (layer := form(words, dialect)) and layer.rest), None)
        if layer is None:
            return
        yield layer
        words = layer.rest


def _difference(whole: str, rest: str) -> str:
    """Give the words of `whole` round `rest`.

    >>> _difference("[ABC] Kite (3)", "Kite")
    '[ABC] (3)'
    """
    start = whole.find(rest)
    if start < 0:
        return ""  # `Unmasking, The`: nothing was taken, words were turned round
    return squeeze(whole[:start] + " " + whole[start + len(rest) :])


def _at_end(
    pattern: str, make: Callable[[re.Match[str], Dialect], Layer | None]
) -> Callable[[str, Dialect], Layer | None]:
    """Make a form of decoration that ends the line; `rest` is what stands before it."""
    compiled = re.compile(rf"(?P<rest>\S.*?)\s+(?:{pattern})")

    def form(words: str, dialect: Dialect) -> Layer | None:
        found = compiled.fullmatch(words)
        return make(found, dialect) if found else None

    return form


def _tag(found: re.Match[str], _: Dialect) -> Layer:
    """`#burn`, `#!Commander`, `# some text`; `#7` may be the name's own number."""
    return Layer(found["rest"], certain=not found["tag"][1:2].isdigit(), mark=squeeze(found["tag"]))


def _printing(found: re.Match[str], _: Dialect) -> Layer:
    parts = found.groupdict()
    return Layer(found["rest"], certain=True, printing=PrintMark(parts.get("set"), parts.get("number")))


def _angles(found: re.Match[str], _: Dialect) -> Layer:
    """`<149>` is a number, `<borderless>` a finish."""
    inside = found["inside"]
    if NUMBER.fullmatch(inside):
        return Layer(found["rest"], certain=True, printing=PrintMark(number=inside))
    return Layer(found["rest"], certain=True, mark=f"<{inside}>")


def _brackets(found: re.Match[str], _: Dialect) -> Layer:
    """`[ABC]` is a set, `[Ramp,Land]` a category; a bracket with several words may belong to the name."""
    inside = found["inside"]
    if re.fullmatch(CODE, inside):
        return Layer(found["rest"], certain=True, code=inside)
    set_mark = re.fullmatch(rf"(?P<set>{SET_FORM})(?:[#: ](?P<number>{NUMBER_FORM}))?", inside)
    if set_mark and (inside.upper() == inside or any(letter.isdigit() for letter in inside)):
        return Layer(found["rest"], certain=True, printing=PrintMark(set_mark["set"], set_mark["number"]))
    category = "," in inside or "{" in inside or " " not in inside
    return Layer(found["rest"], certain=category, mark=f"[{inside}]")


def _parenthesis(found: re.Match[str], dialect: Dialect) -> Layer:
    """Leave a lone parenthesis with the name unless the dialect says what it is, or a pool knows the name without."""
    inside = found["inside"]
    if re.fullmatch(CODE, inside):
        return Layer(found["rest"], certain=dialect.codes, code=inside)
    is_set = re.fullmatch(r"[A-Z0-9_]{2,8}", inside) is not None
    printing = PrintMark(set=inside) if dialect.packs or is_set else PrintMark()
    mark = None if printing else f"({inside})"
    certain = dialect.packs or (is_set and (dialect.sets or dialect.codes))
    return Layer(found["rest"], certain=certain, printing=printing, mark=mark)


def _bare_set(found: re.Match[str], dialect: Dialect) -> Layer:
    printing = PrintMark(found["set"], found["number"])
    return Layer(found["rest"], certain=dialect.bare_sets, printing=printing, mark=found["finish"])


def _code_after(found: re.Match[str], dialect: Dialect) -> Layer:
    return Layer(found["rest"], certain=dialect.codes, code=found["code"])


def _code_before(words: str, dialect: Dialect) -> Layer | None:
    found = re.fullmatch(rf"(?P<code>{CODE})\s+(?P<rest>\S.*)", words)
    return Layer(found["rest"], certain=dialect.codes, code=found["code"]) if found else None


def _code_alone(words: str, _: Dialect) -> Layer | None:
    """`4 (BT22-002)`: there is no name but the code."""
    found = re.fullmatch(rf"[(\[](?P<code>{CODE})[)\]]", words)
    return Layer(found["code"], certain=True, code=found["code"]) if found else None


def _remark(found: re.Match[str], dialect: Dialect) -> Layer:
    return Layer(found["rest"], certain=dialect.remarks, comment=found["remark"])


def _piped(words: str, _: Dialect) -> Layer | None:
    """Forge writes `Name|SET|number`, a foil as `Name+|SET`; ` | ` with spaces is part of a name."""
    found = re.fullmatch(
        r"(?P<rest>[^|]*[^|\s+])(?P<foil>\+?)\|(?P<set>\w{1,8})?(?:\|\[?(?P<number>[\w★*-]*)\]?)*", words
    )
    if not found:
        return None
    printing = PrintMark(found["set"] or None, found["number"] or None)
    return Layer(found["rest"], certain=True, printing=printing, mark="*F*" if found["foil"] else None)


def _set_before(words: str, _: Dialect) -> Layer | None:
    """`[ABC] Name`, `[ABC#12] Name`, `[ABC:12*] Name`; after these a number in parentheses is the art's."""
    found = re.fullmatch(
        rf"\[(?P<set>{SET_FORM})(?:[#:](?P<number>{NUMBER_FORM}))?\]\s*(?P<rest>\S.*?)(?:\s+\((?P<art>\d{{1,4}})\))?",
        words,
    )
    if not found or (found["set"].islower() and not found["number"]):
        return None
    return Layer(
        found["rest"], certain=True, printing=PrintMark(found["set"], found["number"] or found["art"])
    )


def _article(words: str, _: Dialect) -> Layer | None:
    """`Unmasking, The`: lists sorted by name put the article last."""
    found = re.fullmatch(r"(?P<rest>\S.*), (?P<article>The|An?)", words)
    return Layer(f"{found['article']} {found['rest']}", certain=False) if found else None


def _mark(found: re.Match[str], _: Dialect) -> Layer:
    return Layer(found["rest"], certain=True, mark=squeeze(found["mark"]))


_FORMS: tuple[Callable[[str, Dialect], Layer | None], ...] = (
    _at_end(r"--\s+(?P<remark>\S.*)", _remark),
    _piped,
    _at_end(r"(?P<mark>\^[^^]*\^)", _mark),
    _at_end(r"(?P<mark>\*[^*\s]{1,16}\*)", _mark),
    _at_end(r"(?P<mark>[●•○☆★◆◇][●•○☆★◆◇ ]*)", _mark),
    _at_end(rf"\((?P<set>{SET_FORM})\)\s+(?P<number>{NUMBER_FORM})", _printing),
    _at_end(rf"\[(?P<set>[^\[\]{{}},]{{1,60}})\]\s+(?P<number>{NUMBER_FORM})", _printing),
    _at_end(r"<(?P<inside>[^<>]{1,40})>", _angles),
    _at_end(r"(?P<tag>#[^#]*)", _tag),
    _at_end(r"\[(?P<inside>[^\[\]]+)\]", _brackets),
    _at_end(r"[_*]?\((?P<inside>[^()]+)\)[_*]?", _parenthesis),
    _set_before,
    _code_alone,
    _at_end(rf"(?P<code>{CODE})", _code_after),
    _code_before,
    _at_end(
        r"(?P<set>[A-Z][A-Za-z0-9]{1,4}(?:-[A-Z]{1,3})?)\s(?P<number>[A-Z]{0,3}\d{1,3}[a-z]?)(?:\s(?P<finish>[A-Z]{1,3}))?",
        _bare_set,
    ),
    _article,
)
