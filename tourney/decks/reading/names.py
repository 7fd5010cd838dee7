"""Separates the name of a card from the decoration around it.

`parse_name` removes decoration layer by layer, and each layer gives another `Reading` of the name.
`decoration.toml` lists the forms of decoration. A layer is certain if its form is decoration in every pool.
Everything outside a certain layer is certain, too: `(Red)` could be part of a name, but not in
`Kite [ABC] (Red)`, because `[ABC]` ends the name. Counts are separated from names by the module `counts`.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from tourney.cards.names import script
from tourney.decks.decklist import NO_FACTS, ParsedName, PrintMark, Reading
from tourney.decks.reading.words import insert_fragments, lazy_pattern, lists, squeeze, tables

MAX_CARD = 300
"""The maximum length of a card's name and marks. The longest printed name has 141 letters."""
CACHE_SIZE = 32_768
"""The maximum number of names in a cache; the largest pools have 32,000 names.

A cache helps because many players list the same cards.
"""

CODE = r"[A-Z]{1,5}\d{0,2}-(?:[A-Z]{2})?\d{2,4}(?:[-_][A-Za-z0-9]{1,3})?[a-z]?"
"""A collector's code that identifies set and card: ST01-002, P-037, GD01-008, OGN-265-1."""
_NUMBER = r"(?:[A-Z0-9]{1,5}-)?[A-Z]{0,3}\d{1,5}[a-zA-Z★†*+Φ]{0,3}"
_SET = r"[A-Za-z0-9_]{1,8}"
SET = lazy_pattern(_SET)
"""The code of a set in a mark."""
NUMBER = lazy_pattern(_NUMBER)
"""A collector's number in a mark."""
_UNMARKED = PrintMark()


# -- decoration that is certain in texts of one program


class Dialect(Struct, frozen=True, kw_only=True):
    """How one program writes its decklists.

    In the lists of other programs, the same characters may be part of a card's name.

    codes:      each card has its collector's code beside its name (`Usopp ST01-002`, `BT8-058 Agumon`)
    sets:       parentheses at the end contain the code of the set (`Name (M11)`)
    packs:      parentheses at the end contain the pack, in any words (`Name (System Gateway)`)
    bare_sets:  the set and the number after a name have no brackets (`Koffing JTG 91`)
    remarks:    words after ` -- ` are a remark
    identity:   lines without a count between the title and the first section are leaders of the deck
    factions:   a line with only the name of a house is the faction card of that house, never a title
    titled:     the first line is always the title
    count_last: the line ends in the count, without an x (`BT8-058 Agumon 4`)
    columns:    after a name, two or more spaces and a digit begin further columns, which are not read
    name_key:   `Name: …` names the deck, not the player
    """

    name: str = "plain"
    codes: bool = False
    sets: bool = False
    packs: bool = False
    bare_sets: bool = False
    remarks: bool = False
    identity: bool = False
    factions: bool = False
    titled: bool = False
    count_last: bool = False
    columns: bool = False
    name_key: bool = False


PLAIN = Dialect()
"""The dialect of a list without signs of a program."""
_CODED = Dialect(name="coded", codes=True, sets=True)
_CODE_FIRST = Dialect(name="coded", codes=True, sets=True, count_last=True)


def _load_programs() -> Iterator[tuple[Dialect, re.Pattern[str], re.Pattern[str] | None, int]]:
    """Yield, for each program in `programs.toml`, how its lists are recognized.

    Yields tuples of four: the program's `Dialect`, a pattern of its lines, another pattern that the text must
    contain (or None), and the number of lines that must match.
    """
    for name, entry in tables("programs.toml").items():
        line = re.compile(rf"^[ \t*#]*(?:{entry['line']})", re.I | re.M)
        required_pattern = re.compile(entry["also"], re.M) if "also" in entry else None
        flags = {key: value for key, value in entry.items() if value is True}
        yield Dialect(name=name, **flags), line, required_pattern, entry.get("needed", 2)


_PROGRAMS = tuple(_load_programs())
_CODED_LINE = lazy_pattern(rf"(?:\S.*?\s|\d+\s?x\s?|\(|\[|^){CODE}(?:\s.*|[)\]])?(?:\s\d+)?$")
_CODE_FIRST_LINE = lazy_pattern(rf"{CODE}\s+\S.*\s\d{{1,2}}$")
_COUNTED_LINE = lazy_pattern(r"\d+\s?x?\s?\S")


def detect(lines: Sequence[str]) -> Dialect:
    """Return the dialect of a plain text: a program's, one for lists with codes, or `PLAIN`."""
    text = "\n".join(lines)
    for dialect, line, required_pattern, min_matches in _PROGRAMS:
        if required_pattern and not required_pattern.search(text):
            continue
        if sum(1 for _ in itertools.islice(line.finditer(text), min_matches)) >= min_matches:
            return dialect
    card_lines = [line for line in lines if _COUNTED_LINE.match(line)]
    coded_lines = sum(_CODED_LINE.search(line) is not None for line in card_lines)
    if coded_lines > 1 and 2 * coded_lines >= len(card_lines):
        return _CODED  # lines without a code may be among them
    if not card_lines and sum(1 for line in lines if _CODE_FIRST_LINE.match(line)) > 1:
        return _CODE_FIRST
    return PLAIN


# -- the readings of a name


@lru_cache(maxsize=CACHE_SIZE)
def parse_name(words: str, dialect: Dialect = PLAIN) -> ParsedName:
    """Remove the decoration from `words`, the part of a line after its count.

    >>> [reading.name for reading in parse_name("Siege Hammer (ABC) 12 *F*").readings]
    ['Siege Hammer (ABC) 12 *F*', 'Siege Hammer (ABC) 12', 'Siege Hammer']
    >>> parse_name("Siege Hammer {type=efreet, faction=CPM}").facts
    {'type': 'efreet', 'faction': 'CPM'}
    """
    words, facts = _split_facts(words) if "{" in words else (words, NO_FACTS)
    layers = [Decoration(squeeze(words), certain=True)]
    layers.extend(_layers(layers[0].rest, dialect))
    if len(layers) == 1 and not facts:
        return ParsedName(readings=(Reading(name=layers[0].rest, printing=_UNMARKED),))
    last_certain = max(place for place, layer in enumerate(layers) if layer.certain)
    outer = layers[: last_certain + 1]
    printing, code = PrintMark(facts.get("set"), facts.get("number")), facts.get("code")
    if not facts.keys().isdisjoint(_PRINTING_FACTS):
        facts = {key: fact for key, fact in facts.items() if key not in _PRINTING_FACTS} or NO_FACTS
    return ParsedName(
        readings=tuple(_readings(layers, last_certain, printing)),
        marks=tuple(layer.mark for layer in reversed(outer) if layer.mark),
        facts=facts,
        code=code or next((layer.code for layer in outer if layer.code), None),
        comment=next((layer.comment for layer in outer if layer.comment), ""),
    )


_FACTS = lazy_pattern(r"\s*\{([^{}]*=[^{}]*)\}")
_PRINTING_FACTS = frozenset({"set", "number", "code"})
"""Keys in braces that describe the printing: `{set=Long Name, number=12}`.

They are not facts.
"""


def _split_facts(words: str) -> tuple[str, Mapping[str, str]]:
    match = _FACTS.search(words)
    if not match:
        return words, NO_FACTS
    pairs = (pair.partition("=") for pair in match[1].replace(";", ",").split(","))
    facts = {key.strip(): value.strip() for key, _, value in pairs if key.strip()}
    return words[: match.start()] + words[match.end() :], facts


def _readings(layers: Sequence[Decoration], last_certain: int, printing: PrintMark) -> Iterator[Reading]:
    full_name = layers[0].rest
    for place, layer in enumerate(layers):
        printing = PrintMark(layer.printing.set or printing.set, layer.printing.number or printing.number)
        for name, certain in ((layer.rest, place <= last_certain), (layer.translated_name, False)):
            if name is not None:
                decoration = _words_around(full_name, name)
                yield Reading(name=name, decoration=decoration, certain=certain, printing=printing)


def _words_around(whole: str, part: str) -> str:
    """Return the words of `whole` around `part`.

    >>> _words_around("[ABC] Kite (3)", "Kite")
    '[ABC] (3)'
    """
    start = whole.find(part)
    if start < 0:
        return ""  # `Unmasking, The`: words were turned around
    return squeeze(whole[:start] + " " + whole[start + len(part) :])


def parse_field(words: str, printing: PrintMark = _UNMARKED, *, code: str | None = None) -> ParsedName:
    """Return the possible card names in a field that has only a name, such as a cell of a table.

    The first name is the longest. A shorter name, such as one without a set at its end, is certain only if
    the words left out are the set in `printing`. A name that is not certain is used only if the card pool
    knows it.

    printing, code: the card's printing and id, from other fields
    """
    parsed_name = parse_name(words)
    readings: list[Reading] = []
    for reading in parsed_name.readings:
        same_set = bool(printing.set) and reading.printing == PrintMark(printing.set)
        certain = not readings or (same_set and readings[-1].certain)
        mark = printing if certain else reading.printing
        readings.append(
            Reading(name=reading.name, decoration=reading.decoration, certain=certain, printing=mark)
        )
    return ParsedName(readings=tuple(readings), facts=parsed_name.facts, code=code or None)


def parse_code(code: str) -> ParsedName:
    """Return the parsed name of a card for which the decklist has a code but no name.

    The code is also used as the name.
    """
    return ParsedName(readings=(Reading(name=code),), code=code)


def join_subtitle(
    title: str, subtitle: str, printing: PrintMark = _UNMARKED, *, code: str | None = None
) -> ParsedName:
    """Return a name with its subtitle; a pool may separate them by a comma or a dash.

    >>> [reading.name for reading in join_subtitle("Ann", "The Red").readings]
    ['Ann | The Red', 'Ann, The Red', 'Ann - The Red']
    """
    readings = tuple(
        Reading(name=squeeze(f"{title}{sign}{subtitle}"), printing=printing, certain=sign == " | ")
        for sign in (" | ", ", ", " - ")
    )
    return ParsedName(readings=readings, code=code or None)


# -- the forms of decoration


class Decoration(Struct, frozen=True):
    """One layer of decoration around a name, and what it means.

    rest:            the words that remain without it
    translated_name: the same name in another language
    """

    rest: str
    certain: bool
    printing: PrintMark = _UNMARKED
    mark: str | None = None
    code: str | None = None
    comment: str | None = None
    translated_name: str | None = None


class _Form(NamedTuple):
    """A kind of decoration around a card's name, such as `[SET]`: an entry of `decoration.toml`.

    A comment in that file explains the fields.
    """

    patterns: Sequence[re.Pattern[str]]
    signs: str = ""
    certain: bool | str = True
    mark: str | None = None
    letters: bool = False
    make: str = ""

    def layer(self, words: str, dialect: Dialect) -> Decoration | None:
        """Return the decoration of this form in `words`, together with the rest of the words.

        For example, `Kite [SET]` has the decoration `[SET]` and the rest `Kite`. Return None if `words` do
        not have decoration of this form.
        """
        match = next(filter(None, (pattern.fullmatch(words) for pattern in self.patterns)), None)
        if match is None:
            return None
        if self.make:
            return _MAKERS[self.make](match, dialect)
        parts = match.groupdict()
        rest = parts["rest"].strip()
        if self.letters and not any(map(str.isalpha, rest)):
            return None
        return Decoration(
            rest,
            certain=self.certain if isinstance(self.certain, bool) else getattr(dialect, self.certain),
            printing=PrintMark(parts.get("set") or None, parts.get("number") or None),
            mark=self.mark or parts.get("mark"),
            code=parts.get("code"),
            comment=parts.get("comment"),
        )


_MAX_LAYERS = 12
_COMMON = lazy_pattern(
    r"(?P<rest>[^\W\d_][^\d\"#$%&()*+:;<=>?@\[\]\\^_`{|}~●•○☆★◆◇]*)"
    rf" \((?P<set>{_SET})\) (?P<number>{_NUMBER})"
)


def _layers(words: str, dialect: Dialect) -> Iterator[Decoration]:
    """Yield the layers of decoration around a card's name, such as `(M11)`, the outermost first.

    A program writes at most one set and one code on a line. So after a layer that is certainly a set, no
    other layer is read as a set by the rules of the dialect: further parentheses may be a part of the name.
    The same is true for codes.
    """
    common = _COMMON.fullmatch(words)
    if common and "--" not in words and not common["rest"].endswith((", The", ", A", ", An")):
        yield Decoration(common["rest"], certain=True, printing=PrintMark(common["set"], common["number"]))
        return
    for _ in range(_MAX_LAYERS):
        layer = _outermost_layer(words, dialect)
        if layer is None:
            return
        yield layer
        words = layer.rest
        if dialect is PLAIN or not layer.certain:
            continue
        if layer.printing.set:
            dialect = replace(dialect, packs=False, sets=False, bare_sets=False)
        if layer.code:
            dialect = replace(dialect, codes=False)


def _outermost_layer(words: str, dialect: Dialect) -> Decoration | None:
    if len(words) > MAX_CARD or not _HAS_DECORATION.search(words):
        return None
    signs = set(words)
    for form in _FORMS:
        if not (form.signs and signs.isdisjoint(form.signs)):
            layer = form.layer(words, dialect)
            if layer is not None and layer.rest:
                return layer
    return None


_COPY_WORD = f"(?:{'|'.join(lists('cards')['copy-marks'])})".replace(" ", "[ -]?")
_COPY = rf"{_COPY_WORD}(?:\s*[,;/+&]\s*{_COPY_WORD})*"
_SOME_COPIES = rf"(?:\d{{1,2}}\s?x?\s+)?{_COPY_WORD}"
_COPIES = rf"[(\[{{*]\s*{_SOME_COPIES}(?:\s*[,;/+&]\s*{_SOME_COPIES})*\s*[)\]}}*]"
COPY_IN_BRACKETS = lazy_pattern(_COPIES, re.I)
"""A bracket about the printed copy: `(foil)`, `(2 signed)`."""
_NO_COPY = frozenset({"en", "eng", "nm", "jp", "jpn"})
"""Words about a copy that could also be the end of a name."""

# Only the two ends are searched for words about the copy, because nearly every list compiles this pattern.
_HAS_DECORATION = lazy_pattern(
    r"^[\"“„«]|^[^\W\d_]\)|[\^*(\[{<#|~/_《「『【〈／｜\d●•○☆★◆◇€$£¥⁰¹²³⁴-⁹½¼¾①-⑳❶-❿]|--|,\ (?:The|An?)$"
    rf"|[.,;:!✓✔✗]$|(?:(?P<before>^)|[\s,;:|/-])(?:{_COPY})(?(before)\s|[.!]?$)",
    re.I,
)


def _read_parentheses(match: re.Match[str], dialect: Dialect) -> Decoration:
    """Read words in parentheses.

    The parentheses belong to the name, unless the dialect says otherwise or a pool knows the shorter name.
    """
    rest, inside = match["rest"], match["inside"]
    if re.fullmatch(CODE, inside):
        return Decoration(rest, certain=dialect.codes, code=inside)
    is_set = re.fullmatch(r"[A-Z0-9_]{2,8}", inside) is not None
    printing = PrintMark(set=inside) if dialect.packs or is_set else PrintMark()
    is_translation = not match[0].isascii() and {script(rest), script(inside)} > {"Latin"}
    return Decoration(
        rest,
        certain=dialect.packs or (is_set and dialect.sets),
        printing=printing,
        mark=None if printing else f"({inside})",
        translated_name=inside if is_translation else None,
    )


def _read_copy_after(match: re.Match[str], _: Dialect) -> Decoration:
    """Read words after a name that describe the copy, such as `foil`.

    The words are certainly not part of the name in `Kite foil` and `Kite - foil`, but may be in `Gold Foil`.
    """
    mark = match["mark"]
    is_separated = bool(match["sign"].strip() or match[0][:1].isupper())
    return Decoration(match["rest"], is_separated and mark.islower() and mark not in _NO_COPY, mark=mark)


def _read_copy_before(match: re.Match[str], _: Dialect) -> Decoration | None:
    """Read a word about the copy, placed before the name, as in `proxy Kite`.

    Returns None unless the word is in lower case and the name begins with a capital letter. For example,
    `Foil Weaver` is a name.
    """
    if not match["mark"].islower() or not match["rest"][:1].isupper():
        return None
    return Decoration(match["rest"], certain=False, mark=match["mark"])


def _read_remark(match: re.Match[str], _: Dialect) -> Decoration:
    """Read words after `//` as a comment.

    The result is not `certain` if the words may be part of the name instead, as the card's other face.
    """
    comment = match["comment"]
    certain = match[0][:1].isupper() and not comment[:1].isupper() and comment[:1].isascii()
    return Decoration(match["rest"], certain, comment=comment)


def _read_article(match: re.Match[str], _: Dialect) -> Decoration:
    return Decoration(f"{match['article']} {match['rest']}", certain=False)


def _read_bilingual_name(match: re.Match[str], _: Dialect) -> Decoration | None:
    """Read `稲妻/Kite` as one name in two scripts, not as the names of a card's two faces.

    Returns None unless one of the two names is in Latin script and the other is in another script.
    """
    if match[0].isascii():
        return None
    latin, other = sorted(match.groups(), key=lambda name: script(name) != "Latin")
    if script(latin) != "Latin" or script(other) in ("", "Latin"):
        return None
    return Decoration(latin, certain=True, translated_name=other)


_MAKERS: Mapping[str, Callable[[re.Match[str], Dialect], Decoration | None]] = {
    "parentheses": _read_parentheses,
    "article": _read_article,
    "bilingual": _read_bilingual_name,
    "copy_behind": _read_copy_after,
    "copy_before": _read_copy_before,
    "remark": _read_remark,
}
_FRAGMENTS = {"SET": _SET, "NUMBER": _NUMBER, "CODE": CODE, "COPY": _COPY, "COPIES": _COPIES}


def _read_form(entry: Mapping[str, Any]) -> _Form:
    """Return an entry of `decoration.toml` as a `_Form`. Patterns are compiled at first use."""
    name_pattern = r"(?P<rest>\S.*?)(?:\s+|(?<=[》」』】〉]))(?:"
    patterns = [*entry.get("patterns", ()), *(f"{name_pattern}{end})" for end in entry.get("at_end", ()))]
    other_keys = {key: value for key, value in entry.items() if key not in ("patterns", "at_end")}
    return _Form([insert_fragments(pattern, _FRAGMENTS) for pattern in patterns], **other_keys)


_FORMS = tuple(map(_read_form, tables("decoration.toml")["form"]))
_PICTURE = lazy_pattern(r"_[pr]\d{1,2}$", re.I)


def remove_picture_suffix(words: str) -> str:
    """Return a code or name without the suffix that image files have for an alternative picture.

    >>> remove_picture_suffix("AB01-001_p1"), remove_picture_suffix("Kite_p2"), remove_picture_suffix("Kite")
    ('AB01-001', 'Kite', 'Kite')
    """
    return _PICTURE.sub("", words)


REMARK = lazy_pattern(r"(?<=\S)\s+(?:#(?!\d)|//\s?[a-zß-ÿ]).*")
"""A remark or tags behind a card: `# great`, `// great`."""


def remove_remark(words: str) -> str:
    """Return the text of a card without the remark or tags that follow it.

    >>> remove_remark("[ABC#12] Kite # great, 2 would be better"), remove_remark("Agent #7")
    ('[ABC#12] Kite', 'Agent #7')
    """
    return REMARK.sub("", words) if "#" in words or (" //" in words and words[:1].isupper()) else words
