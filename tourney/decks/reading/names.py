"""Separates the name of a card from the decoration around it.

`peel` removes decoration layer by layer, and each layer gives another `Reading` of the name. `_FORMS` lists
the forms of decoration. A form is certain if it is decoration in any pool. A certain layer makes
everything outside it certain: in `Kite (foil) [ABC]` the square brackets are not part of a name, so `(foil)`
is not either. Counts are separated from names by `counts`.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from tourney.cards.names import script
from tourney.decks.decklist import NO_FACTS, PrintMark, Reading
from tourney.decks.reading.words import late, squeeze

MAX_CARD = 300
"""The maximum length of a card's name and marks. The longest printed name has 141 letters."""
CACHE_SIZE = 32_768
"""The maximum number of names in a cache, because many players list the same cards.

The largest pools have 32,000 names.
"""

CODE = r"[A-Z]{1,5}\d{0,2}-(?:[A-Z]{2})?\d{2,4}(?:[-_][A-Za-z0-9]{1,3})?[a-z]?"
"""A collector's code that identifies set and card: ST01-002, P-037, GD01-008, OGN-265-1."""
_NUMBER = r"(?:[A-Z0-9]{1,5}-)?[A-Z]{0,3}\d{1,5}[a-zA-Z★†*+Φ]{0,3}"
_SET = r"[A-Za-z0-9_]{1,8}"
SET = late(_SET)
"""The code of a set in a mark."""
NUMBER = late(_NUMBER)
"""A collector's number in a mark."""
_UNMARKED = PrintMark()


# -- decoration that is certain in texts of one program


class Dialect(msgspec.Struct, frozen=True, kw_only=True):
    """Decoration that is certain in the files of one program, but not in other files.

    codes:      each card has its collector's code beside its name (`Usopp ST01-002`, `BT8-058 Agumon`)
    sets:       a set's code in parentheses at the end is the set (`Name (M11)`)
    packs:      any words in parentheses at the end are the pack (`Name (System Gateway)`)
    bare_sets:  set and number at the end have no brackets (`Koffing JTG 91`)
    remarks:    words after ` -- ` are a remark
    identity:   lines without a count between the title and the first section are leaders of the deck
    factions:   a line with only the name of a house is its faction card, never a title
    titled:     the first line is always the title
    count_last: the line ends in the count, without an x (`BT8-058 Agumon 4`)
    columns:    two spaces and a number begin columns about the card
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


def _line_start(pattern: str, flags: re.RegexFlag = re.I) -> re.Pattern[str]:
    return re.compile(rf"^[ \t*#]*(?:{pattern})", flags | re.M)


_POKEMON_PARTS = (
    r"pok.{1,2}mon|trainer(?: cards|karten)?|energy|dresseurs?|entrenador(?:es)?|allenator[ei]"
    r"|treinador(?:es)?|energi[ea]n?|.{1,2}nergies?|energ.{1,2}as?|total cards"
)
# Each dialect with a pattern for the beginning of its lines, and how many lines must match.
_SIGNS: tuple[tuple[Dialect, re.Pattern[str], int], ...] = (
    (
        Dialect(name="twd", remarks=True, columns=True),
        _line_start(r"crypt[ \t]*:?[ \t]*[(\[]?[ \t]*\d+\b.*\b(?:min|capacity|avg|average)"),
        1,
    ),
    (
        Dialect(name="netrunnerdb", packs=True, identity=True, titled=True),
        _line_start(r"\d+ influence spent|\d+ agenda points|\d+ cards \(min \d+\)|cards up to \S"),
        2,
    ),
    (
        Dialect(name="thronesdb", packs=True, identity=True, factions=True),
        _line_start(r"(?:house [a-z]+|the night.s watch)[ \t]*$"),
        1,
    ),
    (
        Dialect(name="ptcgl", bare_sets=True),
        _line_start(rf"\W?(?:{_POKEMON_PARTS})[ \t\u00a0\u202f]*(?:[:：(-][ \t]*\d+\)?|[:：])"),
        2,
    ),
    (
        Dialect(name="fabrary", name_key=True),
        _line_start(r"hero:[ \t]|(?:arena|deck) cards[ \t]*$|.*fabrary"),
        2,
    ),
    (
        Dialect(name="tappedout", sets=True),
        _line_start(r"\d+x? .*\(\w{2,6}\)(?: \*[^*\n]+\*)*[ \t]*$", re.NOFLAG),
        2,
    ),
)
_STAR = late(r"\*[A-Za-z-]+\*$|^sb:", re.I | re.M)
_CODED_LINE = late(rf"(?:\S.*?\s|\d+\s?x\s?|\(|\[|^){CODE}(?:\s.*|[)\]])?(?:\s\d+)?$")
_CODE_FIRST_LINE = late(rf"{CODE}\s+\S.*\s\d{{1,2}}$")
_COUNTED_LINE = late(r"\d+\s?x?\s?\S")


def detect(lines: Sequence[str]) -> Dialect:
    """Return the dialect of a plain text; `PLAIN` if no program is recognized."""
    text = "\n".join(lines)
    for dialect, sign, needed in _SIGNS:
        if dialect.name == "tappedout" and not _STAR.search(text):
            continue
        if sum(1 for _ in itertools.islice(sign.finditer(text), needed)) >= needed:
            return dialect
    cards = [line for line in lines if _COUNTED_LINE.match(line)]
    coded = sum(_CODED_LINE.search(line) is not None for line in cards)
    if coded > 1 and 2 * coded >= len(cards):
        return _CODED  # lines without a code may be among them
    if not cards and sum(1 for line in lines if _CODE_FIRST_LINE.match(line)) > 1:
        return _CODE_FIRST
    return PLAIN


# -- the readings of a name


class Peeled(msgspec.Struct, frozen=True):
    """A name and its decoration, with readings from the longest to the shortest."""

    readings: tuple[Reading, ...]
    marks: tuple[str, ...] = ()
    facts: Mapping[str, str] = NO_FACTS
    code: str | None = None
    comment: str = ""

    def with_marks(self, *marks: str) -> Peeled:
        """Return the same name with more marks."""
        return replace(self, marks=(*self.marks, *marks))


@lru_cache(maxsize=CACHE_SIZE)
def peel(words: str, dialect: Dialect = PLAIN) -> Peeled:
    """Remove the decoration from `words`, the part of a line after its count.

    >>> [reading.name for reading in peel("Siege Hammer (ABC) 12 *F*").readings]
    ['Siege Hammer (ABC) 12 *F*', 'Siege Hammer (ABC) 12', 'Siege Hammer']
    >>> peel("Siege Hammer {type=efreet, faction=CPM}").facts
    {'type': 'efreet', 'faction': 'CPM'}
    """
    words, facts = _split_facts(words) if "{" in words else (words, NO_FACTS)
    layers = [Decoration(squeeze(words), certain=True)]
    layers.extend(_layers(layers[0].rest, dialect))
    if len(layers) == 1 and not facts:
        return Peeled(readings=(Reading(name=layers[0].rest, printing=_UNMARKED),))
    last_certain = max(place for place, layer in enumerate(layers) if layer.certain)
    outer = layers[: last_certain + 1]
    printing, code = PrintMark(facts.get("set"), facts.get("number")), facts.get("code")
    if not facts.keys().isdisjoint(_PRINTING_FACTS):
        facts = {key: fact for key, fact in facts.items() if key not in _PRINTING_FACTS} or NO_FACTS
    return Peeled(
        readings=tuple(_readings(layers, last_certain, printing)),
        marks=tuple(layer.mark for layer in reversed(outer) if layer.mark),
        facts=facts,
        code=code or next((layer.code for layer in outer if layer.code), None),
        comment=next((layer.comment for layer in outer if layer.comment), ""),
    )


_FACTS = late(r"\s*\{([^{}]*=[^{}]*)\}")
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
    written = layers[0].rest
    for place, layer in enumerate(layers):
        printing = PrintMark(layer.printing.set or printing.set, layer.printing.number or printing.number)
        for name, certain in ((layer.rest, place <= last_certain), (layer.other, False)):
            if name is not None:
                taken = _words_around(written, name)
                yield Reading(name=name, taken=taken, certain=certain, printing=printing)


def _words_around(whole: str, rest: str) -> str:
    """Return the words of `whole` around `rest`.

    >>> _words_around("[ABC] Kite (3)", "Kite")
    '[ABC] (3)'
    """
    start = whole.find(rest)
    if start < 0:
        return ""  # `Unmasking, The`: words were turned around
    return squeeze(whole[:start] + " " + whole[start + len(rest) :])


def from_field(words: str, printing: PrintMark = _UNMARKED, *, code: str | None = None) -> Peeled:
    """Return the readings of a name from a separate field, such as a column.

    Shorter readings remain for a pool that knows them. They are certain only if the set in them is the set of
    another field.

    printing, code: the values of other fields
    """
    peeled = peel(words)
    readings: list[Reading] = []
    for reading in peeled.readings:
        same_set = bool(printing.set) and reading.printing == PrintMark(printing.set)
        certain = not readings or (same_set and readings[-1].certain)
        mark = printing if certain else reading.printing
        readings.append(Reading(name=reading.name, taken=reading.taken, certain=certain, printing=mark))
    return Peeled(readings=tuple(readings), facts=peeled.facts, code=code or None)


def only_code(code: str) -> Peeled:
    """Return a code that is also the name of the card."""
    return Peeled(readings=(Reading(name=code),), code=code)


def from_fields(
    words: str,
    printing: PrintMark,
    *,
    facts: Mapping[str, str],
    marks: tuple[str, ...],
    code: str | None,
    comment: str,
) -> Peeled:
    """Return a card whose parts are in separate fields, so that the name as written is certain."""
    readings = from_field(words, printing).readings if "{" not in words else ()
    first = Reading(name=squeeze(words), printing=printing)
    rest = (replace(reading, certain=False) for reading in readings[1:])
    return Peeled((first, *rest), marks, facts or NO_FACTS, code or None, comment)


def with_subtitle(
    title: str, subtitle: str, printing: PrintMark = _UNMARKED, *, code: str | None = None
) -> Peeled:
    """Return a name with its subtitle; a pool may separate them by a comma or a dash.

    >>> [reading.name for reading in with_subtitle("Ann", "The Red").readings]
    ['Ann | The Red', 'Ann, The Red', 'Ann - The Red']
    """
    readings = tuple(
        Reading(name=squeeze(f"{title}{sign}{subtitle}"), printing=printing, certain=sign == " | ")
        for sign in (" | ", ", ", " - ")
    )
    return Peeled(readings, code=code or None)


# -- the forms of decoration


class Decoration(msgspec.Struct, frozen=True):
    """One layer of decoration: the words that remain without it, and its meaning.

    other: the same name in another language
    """

    rest: str
    certain: bool
    printing: PrintMark = _UNMARKED
    mark: str | None = None
    code: str | None = None
    comment: str | None = None
    other: str | None = None


class _Form(NamedTuple):
    """A pattern for decoration. Its groups are `set`, `number`, and fields of `Decoration`.

    signs:   characters of which the form contains at least one, for a quick check; empty for no check
    certain: whether a match is decoration in any pool
    make:    makes the decoration if the groups are not enough; returns None if the form does not apply
    """

    signs: str
    pattern: re.Pattern[str]
    certain: bool | Callable[[re.Match[str], Dialect], bool] = True
    make: Callable[[re.Match[str], Dialect], Decoration | None] | None = None

    def layer(self, words: str, dialect: Dialect) -> Decoration | None:
        """Return the layer that the form removes from `words`; None if they are not of this form."""
        match = self.pattern.fullmatch(words)
        if match is None:
            return None
        if self.make is not None:
            return self.make(match, dialect)
        parts = match.groupdict()
        return Decoration(
            parts["rest"].strip(),
            certain=self.certain if isinstance(self.certain, bool) else self.certain(match, dialect),
            printing=PrintMark(parts.get("set"), parts.get("number") or parts.get("art")),
            mark=parts.get("mark"),
            code=parts.get("code"),
            comment=parts.get("comment"),
        )


_MAX_LAYERS = 12
_COMMON = late(
    r"(?P<rest>[^\W\d_][^\d\"#$%&()*+:;<=>?@\[\]\\^_`{|}~●•○☆★◆◇]*)"
    rf" \((?P<set>{_SET})\) (?P<number>{_NUMBER})"
)


def _layers(words: str, dialect: Dialect) -> Iterator[Decoration]:
    """Yield layers, the outermost first, until no decoration is left.

    Programs write only one set on a line, so parentheses further inside belong to the name.
    """
    common = _COMMON.fullmatch(words)
    if common and "--" not in words and not common["rest"].endswith((", The", ", A", ", An")):
        yield Decoration(common["rest"], certain=True, printing=PrintMark(common["set"], common["number"]))
        return
    for _ in range(_MAX_LAYERS):
        layer = _outermost(words, dialect)
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


def _outermost(words: str, dialect: Dialect) -> Decoration | None:
    if len(words) > MAX_CARD or not _HAS_DECORATION.search(words):
        return None
    signs = set(words)
    for form in _FORMS:
        if not (form.signs and signs.isdisjoint(form.signs)):
            layer = form.layer(words, dialect)
            if layer is not None and layer.rest:
                return layer
    return None


_COPY_WORDS = r"""
    (?:non-?|etched\ |traditional\ |rainbow\ |cold\ |reverse[\ -])?foil(?:ed)?|etched
    |(?:reverse[\ -])?holo(?:graphic)?|glossy|alt(?:\.|ernate|ernative)?[\ -]?art(?:work)?|full[\ -]?art
    |ext(?:\.|ended)?[\ -]?art|textless|border ?less|showcase|retro\ frame|promo|pre-?release
    |prox(?:y|ies|ied)|proxy\ card|play\ ?test(?:\ card)?|placeholder|custom\ art|altered(?:\ art)?|signed
    |autographed|oversized?|mis-?print(?:ed)?|mis-?cut|outdated|old\ version|reprint
    |(?:1st|first|2nd|second)\ edition|nm|near\ mint|lightly\ played
    |en|eng|english|jp|jpn|japanese|german|french|spanish|italian|portuguese|russian|korean|chinese
"""
"""Words about a printed copy, not about the card."""
_COPY = rf"(?:{_COPY_WORDS})(?:\s*[,;/+&]\s*(?:{_COPY_WORDS}))*".replace("\n", "")
_SOME_COPIES = rf"(?:\d{{1,2}}\s?x?\s+)?(?:{_COPY_WORDS})".replace("\n", "")
_COPY_IN_BRACKETS = rf"(?P<mark>[(\[{{*]\s*{_SOME_COPIES}(?:\s*[,;/+&]\s*{_SOME_COPIES})*\s*[)\]}}*])"
COPY_IN_BRACKETS = late(_COPY_IN_BRACKETS, re.I | re.X)
"""A bracket about the printed copy: `(foil)`, `(2 signed)`."""
_NO_COPY = frozenset({"en", "eng", "nm", "jp", "jpn"})
"""Words about a copy that could also be the end of a name."""

# Only the two ends are searched for words about the copy, because nearly every list compiles this pattern.
_HAS_DECORATION = late(
    r"^[\"“„«]|^[^\W\d_]\)|[\^*(\[{<#|~/_《「『【〈／｜\d●•○☆★◆◇€$£¥⁰¹²³⁴-⁹½¼¾①-⑳❶-❿]|--|,\ (?:The|An?)$"
    rf"|[.,;:!✓✔✗]$|(?:(?P<before>^)|[\s,;:|/-])(?:{_COPY})(?(before)\s|[.!]?$)",
    re.I | re.X,
)


def _piped(match: re.Match[str], _: Dialect) -> Decoration:
    printing = PrintMark(match["set"] or None, match["number"] or None)
    return Decoration(match["rest"], certain=True, printing=printing, mark="*F*" if match["foil"] else None)


def _angles(match: re.Match[str], _: Dialect) -> Decoration:
    """Read `<149>` as a number, `<borderless>` as a finish."""
    inside = match["inside"]
    if NUMBER.fullmatch(inside):
        return Decoration(match["rest"], certain=True, printing=PrintMark(number=inside))
    return Decoration(match["rest"], certain=True, mark=f"<{inside}>")


def _squares(match: re.Match[str], _: Dialect) -> Decoration:
    """Read `[ABC]` as a set, `[Ramp,Land]` as a category.

    Several words in brackets may belong to the name.
    """
    rest, inside = match["rest"], match["inside"]
    if re.fullmatch(CODE, inside):
        return Decoration(rest, certain=True, code=inside)
    if re.fullmatch(r"\d{1,2}", inside):
        return Decoration(rest, certain=False, mark=f"[{inside}]")  # no set is called `2`
    set_mark = re.fullmatch(rf"(?P<set>{_SET})(?:[#: ](?P<number>{_NUMBER}))?", inside)
    if set_mark and (inside.upper() == inside or any(map(str.isdigit, inside))):
        return Decoration(rest, certain=True, printing=PrintMark(set_mark["set"], set_mark["number"]))
    category = ("," in inside or "{" in inside or " " not in inside) and not re.match(r"[+−–-]\s?\d", inside)
    return Decoration(rest, certain=category, mark=f"[{inside}]")


def _parentheses(match: re.Match[str], dialect: Dialect) -> Decoration:
    """Read words in parentheses.

    They belong to the name, unless the dialect or a pool says otherwise.
    """
    rest, inside = match["rest"], match["inside"]
    if re.fullmatch(CODE, inside):
        return Decoration(rest, certain=dialect.codes, code=inside)
    is_set = re.fullmatch(r"[A-Z0-9_]{2,8}", inside) is not None
    printing = PrintMark(set=inside) if dialect.packs or is_set else PrintMark()
    translated = not match[0].isascii() and {script(rest), script(inside)} > {"Latin"}
    return Decoration(
        rest,
        certain=dialect.packs or (is_set and dialect.sets),
        printing=printing,
        mark=None if printing else f"({inside})",
        other=inside if translated else None,
    )


def _copy_mark(match: re.Match[str], _: Dialect) -> Decoration | None:
    mark = match["mark"]
    is_closed = f"{mark[0]}{mark[-1]}" in ("()", "[]", "{}", "**")
    return Decoration(match["rest"], certain=True, mark=mark) if is_closed else None


def _is_bare_copy(match: re.Match[str], _: Dialect) -> bool:
    """Return whether words describe a copy of the card.

    They do in `Kite foil` and `Kite - foil`, but not in `Gold Foil`.
    """
    mark = match["mark"]
    return bool(match["sign"].strip() or match[0][:1].isupper()) and mark.islower() and mark not in _NO_COPY


def _copy_before(match: re.Match[str], _: Dialect) -> Decoration | None:
    """Read `proxy Kite`: small letters before a name with a capital.

    `Foil Weaver` is a name.
    """
    if not match["mark"].islower() or not match["rest"][:1].isupper():
        return None
    return Decoration(match["rest"], certain=False, mark=match["mark"])


def _is_remark(match: re.Match[str], _: Dialect) -> bool:
    """Return whether words after `//` are a remark. Both faces of `Fire // Ice` begin alike."""
    comment = match["comment"]
    return match[0][:1].isupper() and not comment[:1].isupper() and comment[:1].isascii()


def _bilingual(match: re.Match[str], _: Dialect) -> Decoration | None:
    """Read `稲妻/Kite`: a name in two scripts. The faces of a card are in one script."""
    if match[0].isascii():
        return None
    latin, other = sorted(match.groups(), key=lambda name: script(name) != "Latin")
    if script(latin) != "Latin" or script(other) in ("", "Latin"):
        return None
    return Decoration(latin, certain=True, other=other)


_PICTURE = late(r"_[pr]\d{1,2}$", re.I)


def without_picture(words: str) -> str:
    """Return a code or a name without the mark of another picture, as in image files.

    >>> without_picture("AB01-001_p1"), without_picture("Kite_p2"), without_picture("Kite")
    ('AB01-001', 'Kite', 'Kite')
    """
    return _PICTURE.sub("", words)


def _another_picture(match: re.Match[str], _: Dialect) -> Decoration | None:
    """Read `AB01-001_p1` and `Kite_p1`.

    A code after a name may be the code of the printing, so it is left alone.
    """
    rest = match["rest"]
    if " " in rest and re.search(rf"\s{CODE}$", rest):
        return None
    return Decoration(rest.rstrip(), certain=True, mark=match["mark"])


def _with_letters(match: re.Match[str], _: Dialect) -> Decoration | None:
    """Read signs around a whole name, or a number beside it. Both may be part of the name."""
    parts = match.groupdict()
    rest = next(text for text in parts.values() if text).strip()
    if not any(map(str.isalpha, rest)):
        return None
    return Decoration(rest, certain=False, mark=match[0][:1] if "round" in parts else None)


_NUMBER_BEHIND = (
    r"(?P<rest>.*[^\W_][)\]\"”!?.]?)(?:\s?[|/\\_~>→=,;:]\s?\d{1,3}|\s+[-–—]\s*\d{1,3}"
    r"|\s*[{<]\s?\d{1,3}\s?[}>]|\s*[(\[]?[x×]\s?\d{1,3}[)\]]?|\s\d{1,3}(?:/|\s+of\s+)\d{1,3}"
    r"|\s\w{2,8}[.:]+\s?\d{1,3}"
    r"|\s*[⁰¹²³⁴-⁹½¼¾①-⑳❶-❿]+|\s\(\d{1,3}\)x)"
)
_NUMBER_BEFORE = (
    r"(?-i:(?:\(?[^\W\d_]\)\s+|№\s?\d{1,3}\s+|[{<(\[«+~#]?\s?\d{1,3}"
    r"(?:\s?[}>)\]»]\s*|\s?[,;:|/\\_~>→=+]\s*|-of\s+|(?=[^\W\d_a-z])|(?:\s+of\s+|/)\d{1,3}\s+)"
    r"|[+~#<]\s?\d{1,3}\s+)(?P<rest2>[^\W\d_\"“].*))"
)
_BARE_SET = (
    r"(?P<set>[A-Z][A-Za-z0-9]{1,4}(?:-[A-Z]{1,3})?|(?<=Energy )Energy)\s"
    r"(?P<number>[A-Z]{0,3}\d{1,3}[a-z]?)(?:\s(?P<mark>[A-Z]{1,3}))?"
)


def _at_end(pattern: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    return late(rf"(?P<rest>\S.*?)(?:\s+|(?<=[》」』】〉]))(?:{pattern})", flags)


_FORMS: tuple[_Form, ...] = (
    _Form(  # `[ABC] Name`, `[ABC#12] Name`; a number in parentheses at the end is the number of the picture
        "[",
        late(
            rf"\[(?P<set>{_SET})(?:[#:](?P<number>{_NUMBER}))?\]\s*(?P<rest>\S.*?)"
            r"(?:\s+\((?P<art>\d{1,4})\))?"
        ),
        lambda match, _: not match["set"].islower() or bool(match["number"]),
    ),
    _Form('"”“»', late(r"[\"“„«](?P<rest>[^\"“”„«»]+)[\"”“»]"), certain=False),
    # Japanese and Chinese texts write names in these brackets.
    _Form("》」』】〉", late(r"[《「『【〈](?P<rest>[^《》「」『』【】〈〉]+)[》」』】〉]")),
    _Form("_", late(r"(?P<rest>.*)(?P<mark>_[pr]\d{1,2})", re.I), make=_another_picture),
    _Form("-", late(rf"[(\[](?P<rest>(?P<code>{CODE}))[)\]]")),  # `4 (BT22-002)`: the code is the name
    _Form("-", late(rf"(?P<code>{CODE})\s+(?P<rest>\S.*)"), lambda _, dialect: dialect.codes),
    _Form("-", _at_end(r"--\s+(?P<comment>\S.*)"), lambda _, dialect: dialect.remarks),
    _Form(  # Forge writes `Name|SET|number`, a foil as `Name+|SET`; ` | ` with spaces is part of a name
        "|",
        late(r"(?P<rest>[^|]*[^|\s+])(?P<foil>\+?)\|(?P<set>\w{1,8})?(?:\|\[?(?P<number>[\w★†*+/-]*)\]?)*"),
        make=_piped,
    ),
    _Form(")]}*", _at_end(_COPY_IN_BRACKETS, re.I | re.X), make=_copy_mark),
    _Form("$€£¥", _at_end(r"(?P<comment>[$€£¥]\s?\d+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?\s?[$€£¥])")),
    _Form("^", _at_end(r"(?P<mark>\^[^^]*\^)")),
    _Form("*", _at_end(r"(?P<mark>\*[^*\s]{1,16}\*)")),
    _Form("●•○☆★◆◇", _at_end(r"(?P<mark>[●•○☆★◆◇][●•○☆★◆◇ ]*)")),
    _Form(")", _at_end(rf"\((?P<set>{_SET})\)\s+(?P<number>{_NUMBER})")),
    _Form(")", _at_end(rf"\((?P<set>{_SET})[:#](?P<number>{_NUMBER})\)")),
    _Form("]", _at_end(rf"\[(?P<set>[^\[\]{{}},]{{1,60}})\]\s+(?P<number>{_NUMBER})")),
    _Form(">", _at_end(r"<(?P<inside>[^<>]{1,40})>"), make=_angles),
    _Form(  # `#burn`, `#!Commander`, `# some text`; `#7` may be part of the name
        "#",
        _at_end(r"(?P<mark>#\d+|#(?!\d)[^#]*|#\d+\s[^#\[(]*)"),
        lambda match, _: not match["mark"][1:2].isdigit(),
    ),
    _Form("]", _at_end(r"\[(?P<inside>[^\[\]]+)\]"), make=_squares),
    _Form(")", _at_end(r"[_*]?\((?P<inside>[^()]+)\)[_*]?"), make=_parentheses),
    _Form("-", _at_end(rf"(?P<code>{CODE})"), lambda _, dialect: dialect.codes),
    _Form(
        " ",
        _at_end(_BARE_SET),
        lambda match, dialect: dialect.bare_sets and (match["set"].isupper() or match["set"] == "Energy"),
    ),
    _Form(  # `Unmasking, The`: lists sorted by name put the article last
        ",",
        late(r"(?P<rest>\S.*), (?P<article>The|An?)"),
        make=lambda match, _: Decoration(f"{match['article']} {match['rest']}", certain=False),
    ),
    _Form(
        "/／|｜", late(r"([^/／|｜]*[^/／|｜\s])\s*[/／|｜]{1,2}\s*([^\s/／|｜][^/／|｜]*)"), make=_bilingual
    ),
    _Form(
        "",
        late(rf"(?P<rest>\S.*?)(?P<sign>\s*[,;:|/]\s*|\s+[-–—~+]\s*|\s+)(?P<mark>{_COPY})[.!]?", re.I | re.X),
        _is_bare_copy,
    ),
    _Form(" ", late(rf"(?P<mark>{_COPY})\s+(?P<rest>\S.*)", re.I | re.X), make=_copy_before),
    _Form("/", late(r"(?P<rest>\S.*?)\s+//\s*(?P<comment>\S.*)"), _is_remark),
    _Form(
        "([~<",
        late(
            r"\((?P<round>[^()]+)\)|\[(?P<square>[^\[\]]+)\]|~~(?P<struck>[^~]+)~~"
            r"|<[^<>]{1,20}>\s*(?P<behind>\S.*)"
        ),
        make=_with_letters,
    ),
    _Form("", late(f"{_NUMBER_BEHIND}|{_NUMBER_BEFORE}", re.I), make=_with_letters),
    _Form(
        "",
        late(r"(?P<rest>.*[^\W_])\s*(?P<signs>[.,;:!✓✔✗●•○☆★◆◇]+)"),
        lambda match, _: match["signs"] in (",", ";"),
    ),
)
"""The forms in the order in which they are tried."""


REMARK = late(r"(?<=\S)\s+(?:#(?!\d)|//\s?[a-zß-ÿ]).*")
"""A remark or tags behind a card: `# great`, `// great`."""


def without_remark(words: str) -> str:
    """Return the text of a card without the remark or tags that follow it.

    >>> without_remark("[ABC#12] Kite # great, 2 would be better"), without_remark("Agent #7")
    ('[ABC#12] Kite', 'Agent #7')
    """
    return REMARK.sub("", words) if "#" in words or (" //" in words and words[:1].isupper()) else words
