"""A card's words on its line: the name, and what stands beside it.

Decoration is peeled off layer by layer (`peel`), and each layer gives another reading of the name. Which layer is
decoration whatever the pool says is marked certain; a certain layer makes everything outside it certain, too: in
`Kite (foil) [ABC]` the brackets are no part of a name, so neither is what stands between. Counts are parted from the
name by `split_count` where their form says that they are counts, by `head_count` and `tail_count` where a name could
be written so, too; what could still be one after that is a doubt (`left_over`), or is asked about (`number_beside`).
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, cast

import msgspec
from msgspec.structs import replace

from tourney.cards.names import fold
from tourney.decks.decklist import NO_FACTS, PrintMark, Reading

# -- What all readers of lines share: a name's length, single spaces, patterns


LONGEST_CARD = 300
"""No card's name and marks together are longer; the longest name printed has 141 letters."""


def squeeze(words: str) -> str:
    """Give the words with single spaces between them."""
    return " ".join(words.split())


def late(pattern: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    """Give a pattern that is compiled when it is first used: most lists need few, and all of them cost 20 ms."""
    return cast("re.Pattern[str]", _LatePattern(pattern, flags))


class _LatePattern:
    """A pattern that is compiled when it is first used."""

    def __init__(self, pattern: str, flags: re.RegexFlag) -> None:
        self._source = pattern, flags

    def __getattr__(self, name: str) -> Any:
        method = getattr(re.compile(*self._source), name)
        setattr(self, name, method)  # from now on it is found without this detour
        return method


# -- What a text file tells of the program that wrote it: which decoration is certain there


class Dialect(msgspec.Struct, frozen=True, kw_only=True):
    """What is certain in the files of one program, though it could be part of a name elsewhere.

    codes:     each card has its collector's code beside its name (`Usopp ST01-002`, `BT8-058 Agumon`)
    sets:      a lone parenthesis with a set's code at the end is the set (`Name (M11)`)
    packs:     any parenthesis at the end is the pack (`Name (System Gateway)`)
    bare_sets: set and number stand bare at the end (`Koffing JTG 91`)
    remarks:   what follows ` -- ` is a remark
    identity:  lines without a count before the first section lead the deck, after the title
    factions:  a line that only names a house is its faction card, never a title
    titled:    the first line is the title whatever follows
    count_last: the count ends the line without an x (`BT8-058 Agumon 4`)
    columns:   after two spaces and a number begin columns about the card
    name_key:  a line `Name: …` names the deck, not the player
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
"""A list without the sign of any program."""
_NETRUNNERDB = Dialect(name="netrunnerdb", packs=True, identity=True, titled=True)
_THRONESDB = Dialect(name="thronesdb", packs=True, identity=True, factions=True)
_POKEMON = Dialect(name="ptcgl", bare_sets=True)
_FABRARY = Dialect(name="fabrary", name_key=True)
_TWD = Dialect(name="twd", remarks=True, columns=True)
_TAPPEDOUT = Dialect(name="tappedout", sets=True)
_CODED = Dialect(name="coded", codes=True, sets=True)
_CODE_FIRST = Dialect(name="coded", codes=True, sets=True, count_last=True)

CODE = r"[A-Z]{1,5}\d{0,2}-(?:[A-Z]{2})?\d{2,4}(?:[-_][A-Za-z0-9]{1,3})?[a-z]?"
"""A collector's code that names set and card at once: ST01-002, P-037, GD01-008, OGN-265-1."""


def _sign(pattern: str, flags: re.RegexFlag = re.I) -> re.Pattern[str]:
    """Compile a pattern for the beginning of a line; it is looked for in the whole text at once."""
    return re.compile(rf"^[ \t*#]*(?:{pattern})", flags | re.M)


_SIGNS: tuple[tuple[Dialect, re.Pattern[str], int], ...] = (
    (_TWD, _sign(r"crypt[ \t]*:?[ \t]*[(\[]?[ \t]*\d+\b.*\b(?:min|capacity|avg|average)"), 1),
    (_NETRUNNERDB, _sign(r"\d+ influence spent|\d+ agenda points|\d+ cards \(min \d+\)|cards up to \S"), 2),
    (_THRONESDB, _sign(r"(?:house [a-z]+|the night.s watch)[ \t]*$"), 1),
    (
        _POKEMON,
        _sign(r"\W?(?:pok.{1,2}mon|trainer(?: cards)?|energy|total cards)[ \t]*(?:[:(-][ \t]*\d+\)?|:)"),
        2,
    ),
    (_FABRARY, _sign(r"hero:[ \t]|(?:arena|deck) cards[ \t]*$|.*fabrary"), 2),
    (_TAPPEDOUT, _sign(r"\d+x? .*\(\w{2,6}\)(?: \*[^*\n]+\*)*[ \t]*$", re.NOFLAG), 2),
)
_STAR = late(r"\*[A-Za-z-]+\*$|^sb:", re.I | re.M)
_CODED_LINE = late(rf"(?:\S.*?\s|\d+\s?x\s?|\(|\[|^){CODE}(?:\s.*|[)\]])?(?:\s\d+)?$")
_CODE_FIRST_LINE = late(rf"{CODE}\s+\S.*\s\d{{1,2}}$")
_COUNTED = late(r"\d+\s?x?\s?\S")


def detect(lines: Sequence[str]) -> Dialect:
    """Tell the dialect of a plain text from its lines; `PLAIN` where nothing is certain."""
    text = "\n".join(lines)
    for dialect, sign, needed in _SIGNS:
        if dialect is _TAPPEDOUT and not _STAR.search(text):
            continue
        if sum(1 for _ in itertools.islice(sign.finditer(text), needed)) >= needed:
            return dialect
    cards = [line for line in lines if _COUNTED.match(line)]
    if len(cards) > 1 and all(_CODED_LINE.search(line) for line in cards):
        return _CODED
    if not cards and sum(1 for line in lines if _CODE_FIRST_LINE.match(line)) > 1:
        return _CODE_FIRST
    return PLAIN


# -- A name taken apart: its readings, from everything that is written to the barest


_UNMARKED = PrintMark()


class Peeled(msgspec.Struct, frozen=True):
    """A name with its decoration taken apart."""

    readings: tuple[Reading, ...]
    marks: tuple[str, ...] = ()
    facts: Mapping[str, str] = NO_FACTS
    code: str | None = None
    comment: str = ""


_FACTS = late(r"\s*\{([^{}]*=[^{}]*)\}")


def peel(words: str, dialect: Dialect = PLAIN) -> Peeled:
    """Take the decoration off `words`, the part of a line after its count.

    >>> [reading.name for reading in peel("Siege Hammer (ABC) 12 *F*").readings]
    ['Siege Hammer (ABC) 12 *F*', 'Siege Hammer (ABC) 12', 'Siege Hammer']
    >>> peel("Siege Hammer {type=efreet, faction=CPM}").facts
    {'type': 'efreet', 'faction': 'CPM'}
    """
    return _peel_plain(words) if dialect is PLAIN else _peel(words, dialect)


_MOST_REMEMBERED = 32_768
"""The same cards stand in the lists of many players; the largest pools have 32,000 names."""


@lru_cache(maxsize=_MOST_REMEMBERED)
def _peel_plain(words: str) -> Peeled:
    return _peel(words, PLAIN)


def _peel(words: str, dialect: Dialect) -> Peeled:
    words, facts = _take_facts(words) if "{" in words else (words, NO_FACTS)
    layers = [Decoration(squeeze(words), certain=True)]
    layers.extend(_layers(layers[0].rest, dialect))
    if len(layers) == 1 and not facts:
        return Peeled(readings=(Reading(name=layers[0].rest, printing=_UNMARKED),))
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


def _take_facts(words: str) -> tuple[str, Mapping[str, str]]:
    match = _FACTS.search(words)
    if not match:
        return words, NO_FACTS
    pairs = (pair.partition("=") for pair in match[1].replace(";", ",").split(","))
    facts = {key.strip(): value.strip() for key, _, value in pairs if key.strip()}
    return words[: match.start()] + words[match.end() :], facts


def _readings(layers: Sequence[Decoration], certain: int, printing: PrintMark) -> Iterator[Reading]:
    for place, layer in enumerate(layers):
        printing = PrintMark(layer.printing.set or printing.set, layer.printing.number or printing.number)
        taken = _difference(layers[0].rest, layer.rest)
        yield Reading(name=layer.rest, taken=taken, certain=place <= certain, printing=printing)


def _difference(whole: str, rest: str) -> str:
    """Give the words of `whole` round `rest`.

    >>> _difference("[ABC] Kite (3)", "Kite")
    '[ABC] (3)'
    """
    start = whole.find(rest)
    if start < 0:
        return ""  # `Unmasking, The`: nothing was taken, words were turned round
    return squeeze(whole[:start] + " " + whole[start + len(rest) :])


def _said_as_facts(facts: Mapping[str, str]) -> tuple[PrintMark, str | None, Mapping[str, str]]:
    """Take `{set=Long Name, number=12, code=01054}` for what they are: they stand for marks with other letters."""
    if not facts.keys() & {"set", "number", "code"}:
        return _UNMARKED, None, facts
    rest = {key: value for key, value in facts.items() if key not in ("set", "number", "code")}
    return PrintMark(facts.get("set"), facts.get("number")), facts.get("code"), rest or NO_FACTS


def field(words: str, printing: PrintMark = _UNMARKED, *, code: str | None = None) -> Peeled:
    """Take the name from a field of its own (an attribute, a column): it is the name as it stands.

    printing, code: what other fields say

    What could be decoration stays another reading for a pool that knows the shorter name; it is certain only where
    the file gives the same set in a field beside it.
    """
    peeled = peel(words)
    readings: list[Reading] = []
    for reading in peeled.readings:
        same_set = bool(printing.set) and reading.printing == PrintMark(printing.set)
        certain = not readings or (same_set and readings[-1].certain)
        mark = printing if certain else reading.printing
        readings.append(Reading(name=reading.name, taken=reading.taken, certain=certain, printing=mark))
    return Peeled(readings=tuple(readings), facts=peeled.facts, code=code or None)


def whole(
    words: str,
    printing: PrintMark,
    *,
    facts: Mapping[str, str],
    marks: tuple[str, ...],
    code: str | None,
    comment: str,
) -> Peeled:
    """Take every part from a field of its own: nothing in the name is read as anything else.

    The shorter readings stay for a pool that knows them, as in `field`.
    """
    readings = field(words, printing).readings if "{" not in words else ()
    first = Reading(name=squeeze(words), printing=printing)
    rest = (replace(reading, certain=False) for reading in readings[1:])
    return Peeled((first, *rest), marks, facts or NO_FACTS, code or None, comment)


def marked(peeled: Peeled, *marks: str) -> Peeled:
    """Give the same name with marks that the file says in another field."""
    return replace(peeled, marks=(*peeled.marks, *marks))


# -- The layers of decoration round a card's name: each form of mark in the wild, and how sure it is one


_NUMBER_FORM = r"(?:[A-Z0-9]{1,5}-)?[A-Z]{0,3}\d{1,5}[a-zA-Z★†*+Φ]{0,3}"
_SET_FORM = r"[A-Za-z0-9_]{1,8}"
SET = late(_SET_FORM)
"""A set's code as marks can hold it."""
NUMBER = late(_NUMBER_FORM)
"""A collector's number as marks can hold it."""


class Decoration(msgspec.Struct, frozen=True):
    """One layer of decoration: the words before it, and what it says."""

    rest: str
    certain: bool
    printing: PrintMark = _UNMARKED
    mark: str | None = None
    code: str | None = None
    comment: str | None = None


_MOST_LAYERS = 12


_COMMON = late(
    rf"(?P<rest>[^\W\d_][^\d\"#$%&()*+:;<=>?@\[\]\\^_`{{|}}~●•○☆★◆◇]*) \((?P<set>{_SET_FORM})\) (?P<number>{_NUMBER_FORM})"
)


def _layers(words: str, dialect: Dialect) -> Iterator[Decoration]:
    """Peel until nothing comes off; each layer is shorter than the last, and there are at most twelve.

    What a program writes once on a line is not looked for twice: after the pack, a parenthesis is the name's own.
    """
    common = _COMMON.fullmatch(words)
    if common and "--" not in words and not common["rest"].endswith((", The", ", A", ", An")):
        yield Decoration(common["rest"], certain=True, printing=PrintMark(common["set"], common["number"]))
        return
    for _ in range(_MOST_LAYERS):
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
    """Give the first layer that fits; most names have none of the characters that any needs."""
    if len(words) > LONGEST_CARD or not _TELLING.search(words):
        return None
    signs = set(words)
    for needed, form in _FORMS:
        if not (needed and signs.isdisjoint(needed)):
            layer = form(words, dialect)
            if layer is not None and layer.rest:
                return layer
    return None


def _at_end(
    pattern: str, make: Callable[[re.Match[str], Dialect], Decoration | None], flags: re.RegexFlag = re.NOFLAG
) -> Callable[[str, Dialect], Decoration | None]:
    """Make a form of decoration that ends the line; `rest` is what stands before it."""
    compiled = late(rf"(?P<rest>\S.*?)\s+(?:{pattern})", flags)

    def form(words: str, dialect: Dialect) -> Decoration | None:
        match = compiled.fullmatch(words)
        return make(match, dialect) if match else None

    return form


def _tag(match: re.Match[str], _: Dialect) -> Decoration:
    """`#burn`, `#!Commander`, `# some text`; `#7` may be the name's own number."""
    return Decoration(match["rest"], certain=not match["tag"][1:2].isdigit(), mark=squeeze(match["tag"]))


def _printing(match: re.Match[str], _: Dialect) -> Decoration:
    parts = match.groupdict()
    return Decoration(match["rest"], certain=True, printing=PrintMark(parts.get("set"), parts.get("number")))


def _angles(match: re.Match[str], _: Dialect) -> Decoration:
    """`<149>` is a number, `<borderless>` a finish."""
    inside = match["inside"]
    if NUMBER.fullmatch(inside):
        return Decoration(match["rest"], certain=True, printing=PrintMark(number=inside))
    return Decoration(match["rest"], certain=True, mark=f"<{inside}>")


def _brackets(match: re.Match[str], _: Dialect) -> Decoration:
    """`[ABC]` is a set, `[Ramp,Land]` a category; a bracket with several words may belong to the name."""
    inside = match["inside"]
    if re.fullmatch(CODE, inside):
        return Decoration(match["rest"], certain=True, code=inside)
    set_mark = re.fullmatch(rf"(?P<set>{_SET_FORM})(?:[#: ](?P<number>{_NUMBER_FORM}))?", inside)
    if set_mark and (inside.upper() == inside or any(letter.isdigit() for letter in inside)):
        return Decoration(
            match["rest"], certain=True, printing=PrintMark(set_mark["set"], set_mark["number"])
        )
    category = "," in inside or "{" in inside or " " not in inside
    return Decoration(match["rest"], certain=category, mark=f"[{inside}]")


def _about_the_copy(match: re.Match[str], dialect: Dialect) -> Decoration | None:
    """`(alt art)`, `[Foil]`, `(proxy, signed)`: words about the piece of cardboard, never about the card."""
    mark = match["mark"]
    return _as_mark(match, dialect) if f"{mark[0]}{mark[-1]}" in ("()", "[]", "{}", "**") else None


def _priced(match: re.Match[str], _: Dialect) -> Decoration:
    return Decoration(match["rest"], certain=True, comment=match["price"])


def _parenthesis(match: re.Match[str], dialect: Dialect) -> Decoration:
    """Leave a lone parenthesis with the name unless the dialect says what it is, or a pool knows the name without."""
    inside = match["inside"]
    if re.fullmatch(CODE, inside):
        return Decoration(match["rest"], certain=dialect.codes, code=inside)
    is_set = re.fullmatch(r"[A-Z0-9_]{2,8}", inside) is not None
    printing = PrintMark(set=inside) if dialect.packs or is_set else PrintMark()
    mark = None if printing else f"({inside})"
    certain = dialect.packs or (is_set and dialect.sets)
    return Decoration(match["rest"], certain=certain, printing=printing, mark=mark)


def _bare_set(match: re.Match[str], dialect: Dialect) -> Decoration:
    printing = PrintMark(match["set"], match["number"])
    certain = dialect.bare_sets and (match["set"].isupper() or match["set"] == "Energy")
    return Decoration(match["rest"], certain=certain, printing=printing, mark=match["finish"])


_BARE_SET = (
    r"(?P<set>[A-Z][A-Za-z0-9]{1,4}(?:-[A-Z]{1,3})?|(?<=Energy )Energy)\s"
    r"(?P<number>[A-Z]{0,3}\d{1,3}[a-z]?)(?:\s(?P<finish>[A-Z]{1,3}))?"
)


def _code_after(match: re.Match[str], dialect: Dialect) -> Decoration:
    return Decoration(match["rest"], certain=dialect.codes, code=match["code"])


def _code_before(words: str, dialect: Dialect) -> Decoration | None:
    match = re.fullmatch(rf"(?P<code>{CODE})\s+(?P<rest>\S.*)", words)
    return Decoration(match["rest"], certain=dialect.codes, code=match["code"]) if match else None


def _code_alone(words: str, _: Dialect) -> Decoration | None:
    """`4 (BT22-002)`: there is no name but the code."""
    match = re.fullmatch(rf"[(\[](?P<code>{CODE})[)\]]", words)
    return Decoration(match["code"], certain=True, code=match["code"]) if match else None


def _remark(match: re.Match[str], dialect: Dialect) -> Decoration:
    return Decoration(match["rest"], certain=dialect.remarks, comment=match["remark"])


def _piped(words: str, _: Dialect) -> Decoration | None:
    """Forge writes `Name|SET|number`, a foil as `Name+|SET`; ` | ` with spaces is part of a name."""
    match = re.fullmatch(
        r"(?P<rest>[^|]*[^|\s+])(?P<foil>\+?)\|(?P<set>\w{1,8})?(?:\|\[?(?P<number>[\w★†*+/-]*)\]?)*", words
    )
    if not match:
        return None
    printing = PrintMark(match["set"] or None, match["number"] or None)
    return Decoration(match["rest"], certain=True, printing=printing, mark="*F*" if match["foil"] else None)


def _set_before(words: str, _: Dialect) -> Decoration | None:
    """`[ABC] Name`, `[ABC#12] Name`, `[ABC:12*] Name`; after these a number in parentheses is the art's."""
    match = re.fullmatch(
        rf"\[(?P<set>{_SET_FORM})(?:[#:](?P<number>{_NUMBER_FORM}))?\]\s*(?P<rest>\S.*?)(?:\s+\((?P<art>\d{{1,4}})\))?",
        words,
    )
    if not match:
        return None
    certain = not match["set"].islower() or bool(match["number"])
    return Decoration(
        match["rest"], certain=certain, printing=PrintMark(match["set"], match["number"] or match["art"])
    )


def _article(words: str, _: Dialect) -> Decoration | None:
    """`Unmasking, The`: lists sorted by name put the article last."""
    match = re.fullmatch(r"(?P<rest>\S.*), (?P<article>The|An?)", words)
    return Decoration(f"{match['article']} {match['rest']}", certain=False) if match else None


def _quoted(words: str, _: Dialect) -> Decoration | None:
    match = re.fullmatch(r"[\"“„«](?P<rest>[^\"“”„«»]+)[\"”“»]", words)
    return Decoration(match["rest"].strip(), certain=False) if match else None


def _as_mark(match: re.Match[str], _: Dialect) -> Decoration:
    return Decoration(match["rest"], certain=True, mark=squeeze(match["mark"]))


_COPY_WORDS = r"""
    (?:non-?|etched\ |traditional\ |rainbow\ |cold\ |reverse[\ -])?foil(?:ed)?|etched|(?:reverse[\ -])?holo(?:graphic)?|glossy
    |alt(?:\.|ernate|ernative)?[\ -]?art(?:work)?|full[\ -]?art|ext(?:\.|ended)?[\ -]?art|textless|border ?less|showcase|retro\ frame|promo|pre-?release
    |prox(?:y|ies|ied)|proxy\ card|play\ ?test(?:\ card)?|placeholder|custom\ art|altered(?:\ art)?|signed|autographed|oversized?
    |mis-?print(?:ed)?|mis-?cut|outdated|old\ version|reprint|(?:1st|first|2nd|second)\ edition|nm|near\ mint|lightly\ played
    |en|eng|english|jp|jpn|japanese|german|french|spanish|italian|portuguese|russian|korean|chinese
"""
_COPY = rf"(?:{_COPY_WORDS})(?:\s*[,;/+&]\s*(?:{_COPY_WORDS}))*".replace("\n", "")
_OF_THE_COPY = rf"(?P<mark>[(\[{{*]\s*{_COPY}\s*[)\]}}*])"
_PRICE = r"(?P<price>[$€£¥]\s?\d+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?\s?[$€£¥])"
_BARE_COPY = late(
    rf"(?P<rest>\S.*?)(?P<sign>\s*[,;:|/]\s*|\s+[-–—~+]\s*|\s+)(?P<mark>{_COPY})[.!]?", re.I | re.X
)
_NO_NAME = frozenset({"en", "eng", "nm", "jp", "jpn"})


def _bare_copy(words: str, _: Dialect) -> Decoration | None:
    """`Kite foil`, `Kite - foil`, `Kite, signed`: in small letters or after a sign it is said of the copy.

    In capitals it may end a name (`Gold Foil`), and so may a language.
    """
    match = _BARE_COPY.fullmatch(words)
    if match is None:
        return None
    mark = match["mark"]
    certain = bool(match["sign"].strip() or words[:1].isupper()) and mark.islower() and mark not in _NO_NAME
    return Decoration(match["rest"], certain=certain, mark=mark)


_COPY_BEFORE = late(rf"(?P<mark>{_COPY})\s+(?P<rest>\S.*)", re.I | re.X)


def _copy_before(words: str, _: Dialect) -> Decoration | None:
    """`proxy Kite`, in small letters before a name with a capital: `Foil Weaver` is a name."""
    match = None if words[:1].isupper() else _COPY_BEFORE.fullmatch(words)
    if match is None or not match["mark"].islower() or not match["rest"][:1].isupper():
        return None
    return Decoration(match["rest"], certain=False, mark=match["mark"])


_SLASHED = late(r"(?P<rest>\S.*?)\s+//\s*(?P<remark>\S.*)")


def _slashed(words: str, _: Dialect) -> Decoration | None:
    """`Kite // sleeve 3` is a remark, `Fire // Ice` a name: the other face of a card begins as the first does."""
    match = _SLASHED.fullmatch(words)
    if match is None:
        return None
    certain = words[:1].isupper() and not match["remark"][:1].isupper() and match["remark"][:1].isascii()
    return Decoration(match["rest"], certain=certain, comment=match["remark"])


def _framed(words: str, _: Dialect) -> Decoration | None:
    """`(Kite)`, `~~Kite~~`, `<abc> Kite`: what stands round or before a whole name may be no part of it."""
    match = re.fullmatch(
        r"\((?P<round>[^()]+)\)|\[(?P<square>[^\[\]]+)\]|~~(?P<struck>[^~]+)~~|<[^<>]{1,20}>\s*(?P<behind>\S.*)",
        words,
    )
    rest = next((text for text in match.groups() if text), "") if match else ""
    return Decoration(rest.strip(), certain=False, mark=words[:1]) if any(map(str.isalpha, rest)) else None


_NUMBER_BEFORE = late(
    r"(?:\(?[^\W\d_]\)\s+|№\s?\d{1,3}\s+|[{<(\[«+~#]?\s?\d{1,3}(?:\s?[}>)\]»]\s*|\s?[,;:|/\\_~>→=+]\s*|-of\s+|(?=[^\W\d_a-z])|(?:\s+of\s+|/)\d{1,3}\s+)|[+~#<]\s?\d{1,3}\s+)(?P<rest>[^\W\d_\"“].*)"
)
_NUMBER_BEHIND = late(
    r"(?P<rest>.*[^\W_][)\]\"”!?.]?)(?:\s?[|/\\_~>→=,;:]\s?\d{1,3}|\s+[-–—]\s*\d{1,3}|\s*[{<]\s?\d{1,3}\s?[}>]|\s*[(\[]?[x×]\s?\d{1,3}[)\]]?"
    r"|\s\d{1,3}(?:/|\s+of\s+)\d{1,3}|\s\w{2,8}[.:]+\s?\d{1,3}|\s*[⁰¹²³⁴-⁹½¼¾①-⑳❶-❿]+|\s\(\d{1,3}\)x)",
    re.I,
)


def _numbered(words: str, _: Dialect) -> Decoration | None:
    """`3/Kite`, `Kite/3`, `Kite {3}`: a number that a sign parts from the name may be no part of it."""
    match = _NUMBER_BEHIND.fullmatch(words) or _NUMBER_BEFORE.fullmatch(words)
    rest = match["rest"] if match else ""
    return Decoration(rest, certain=False) if any(map(str.isalpha, rest)) else None


def _ended(words: str, _: Dialect) -> Decoration | None:
    match = re.fullmatch(r"(?P<rest>.*[^\W_])\s*[.,;:!✓✔✗●•○☆★◆◇]+", words)
    return Decoration(match["rest"], certain=False) if match else None


# Words about the copy count at either end; they stand here once, since this is compiled for nearly every list.
_TELLING = late(
    r"^[\"“„«]|^[^\W\d_]\)|[\^*(\[{<#|~/\d●•○☆★◆◇€$£¥⁰¹²³⁴-⁹½¼¾①-⑳❶-❿]|--|,\ (?:The|An?)$|[.,;:!✓✔✗]$"
    rf"|(?:(?P<before>^)|[\s,;:|/-])(?:{_COPY})(?(before)\s|[.!]?$)",
    re.I | re.X,
)

# Each form with the characters of which it needs one (empty: no certain one), looked for before its pattern is tried.
_FORMS: tuple[tuple[str, Callable[[str, Dialect], Decoration | None]], ...] = (
    ("[", _set_before),
    ('"”“»', _quoted),
    ("-", _code_alone),
    ("-", _code_before),
    ("-", _at_end(r"--\s+(?P<remark>\S.*)", _remark)),
    ("|", _piped),
    (")]}*", _at_end(_OF_THE_COPY, _about_the_copy, re.I | re.X)),
    ("$€£¥", _at_end(_PRICE, _priced)),
    ("^", _at_end(r"(?P<mark>\^[^^]*\^)", _as_mark)),
    ("*", _at_end(r"(?P<mark>\*[^*\s]{1,16}\*)", _as_mark)),
    ("●•○☆★◆◇", _at_end(r"(?P<mark>[●•○☆★◆◇][●•○☆★◆◇ ]*)", _as_mark)),
    (")", _at_end(rf"\((?P<set>{_SET_FORM})\)\s+(?P<number>{_NUMBER_FORM})", _printing)),
    (")", _at_end(rf"\((?P<set>{_SET_FORM})[:#](?P<number>{_NUMBER_FORM})\)", _printing)),
    ("]", _at_end(rf"\[(?P<set>[^\[\]{{}},]{{1,60}})\]\s+(?P<number>{_NUMBER_FORM})", _printing)),
    (">", _at_end(r"<(?P<inside>[^<>]{1,40})>", _angles)),
    ("#", _at_end(r"(?P<tag>#\d+|#(?!\d)[^#]*|#\d+\s[^#\[(]*)", _tag)),
    ("]", _at_end(r"\[(?P<inside>[^\[\]]+)\]", _brackets)),
    (")", _at_end(r"[_*]?\((?P<inside>[^()]+)\)[_*]?", _parenthesis)),
    ("-", _at_end(rf"(?P<code>{CODE})", _code_after)),
    (" ", _at_end(_BARE_SET, _bare_set)),
    (",", _article),
    ("", _bare_copy),
    (" ", _copy_before),
    ("/", _slashed),
    ("([~<", _framed),
    ("", _numbered),
    ("", _ended),
)


# -- A whole name with words beside it that are hardly its own: a number in whatever dress, a unit, a remark


_COUNT_WORDS = (
    "a an one single once ein eine eins un une uno una um uma jeden jedna один одна одно 一 하나 한",
    "two twice double both pair couple zwei zweimal deux dos dois duas due dwa dwie два две дважды 二 两 兩 둘 두",
    "three thrice triple trio drei dreimal trois tres três tre trzy три трижды 三 셋 세",
    "four quadruple playset vier quatre cuatro quatro quattro cztery четыре 四 넷 네",
    "five fünf cinq cinco cinque pięć пять 五 다섯",
    "six sechs seis sei sześć шесть 六 여섯",
    "seven sieben sept siete sete sette siedem семь 七 일곱",
    "eight acht huit ocho oito otto osiem восемь 八 여덟",
    "nine neun neuf nueve nove dziewięć девять 九 아홉",
    "ten zehn dix diez dez dieci dziesięć десять 十 열",
    "eleven elf onze once undici jedenaście одиннадцать",
    "twelve dozen zwölf douze doce doze dodici dwanaście двенадцать",
)
_NUMBER_WORDS = {
    fold(word): number
    for number, words in reversed(list(enumerate(_COUNT_WORDS, start=1)))
    for word in words.split()
}
_ROMAN = {
    "I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6, "VII": 7, "VIII": 8, "IX": 9, "X": 10, "XI": 11, "XII": 12,
}  # fmt: skip
_UNIT_WORDS = """
    a an x pc pcs piece pieces copy copies card cards ea each unit units item items time times of mal fois veces vezes volte razy раз раза stk
    stück szt шт ex exemplare karten cartes cartas carte kart карт total qty count no nr number lvl level 枚 张 張 장 매 part half
"""
_UNITS = frozenset(_UNIT_WORDS.split())
_COPY_REMARKS = """
    common uncommon rare mythic legendary epic super ultra secret special land token promo holo holographic shiny gold golden silver bronze foil
    etched alt art altered alternate extended full textless borderless showcase retro proxy custom signed oversized oversize misprint miscut
    reprint mint used played lp mp hp dmg sealed new old english german french spanish italian portuguese russian korean chinese japanese polish
    version edition
"""
_SAID_OF_COPIES = frozenset(_COPY_REMARKS.split())
_FINISHES = frozenset(
    ["foil", "foiled", "etched", "holo", "promo", "proxy", "proxies", "signed", "altered", "misprint"]
)
_WORD = late(r"\d+(?:[./]\d+)*\w*|\w+")
_ARTICLES = frozenset({"the", "a", "an"})
_GOES_ON = late(
    r"(?:['’\-–—&+]\w|\s*[,:]?\s*(?:of|the|and|in|to|a|an|for|with|on|at|de|der|von|del|la|le|und|et|y|vs)\b)"
)
"""What begins the rest of a longer name: `Oak Giant's End`, `Oak Giant, the Old`, `Comet of Doom`."""
_MAY_GO_ON = late(r"\s*(?:&|\+|//?)\s*\w|\s*[,:]\s")
_PARTED_BEHIND = late(r"\s*[^\w\s'’,:.;!?/&-]|\s*/\*|\s+[-–—]\s|\s*[;]|\s*[/]\s*\d")
_LONGEST_MARK = 5


def number_said(word: str) -> int | None:
    """Give the number that a word says: in digits, in words of ten languages, or in Roman ones up to twelve.

    >>> [number_said(word) for word in ("3", "３", "two", "Zwei", "III", "Kite", "2026")]
    [3, 3, 2, 2, 3, None, 2026]
    """
    if word.isdecimal():
        return int(word) if len(word) < 10 else None
    word = unicodedata.normalize("NFKC", word).rstrip("枚张張장매") or word  # `Ⅲ`: one sign of its own
    if word[:1] in "x×" and word[1:].isdecimal():
        return int(word[1:3])
    return _NUMBER_WORDS.get(fold(word)) or _ROMAN.get(word.upper() if word.islower() else word)


def name_inside(written: str, known: Callable[[str], str | None], *, sure: bool = False) -> str | None:
    """Give the name that `written` holds whole, if what stands beside it is hardly part of a longer name.

    known: gives the card of a name, None where there is none; sure: numbers and short words may end a name, too,
    so they say nothing
    """
    words = list(_WORD.finditer(written[:LONGEST_CARD]))
    ahead = itertools.takewhile(
        lambda word: fold(word[0]) in _ARTICLES or _is_no_name(word[0], capital=True, sure=sure), words
    )
    starts = sum(1 for _ in ahead) + 1
    for length in range(min(len(words), _MOST_WORDS), 0, -1):
        for first in range(min(starts, _MOST_WORDS, len(words) - length + 1)):
            start, end = words[first].start(), words[first + length - 1].end()
            name = known(written[start:end])
            if name is None or fold(name) == fold(written):
                continue
            if _is_beside(written[:start], written[end:], written[start:end], sure=sure) or (
                first == 0 and known(_AND.sub("", written[end:])) is not None
            ):
                return name
    return None


def joined(line: str) -> list[str]:
    """Part the words of a line at the signs that stand between two cards; one part where there is none.

    >>> joined("2 Kite & Bell"), joined("Kite   Bell"), joined("Kite / Bell"), joined("Kite-Bell"), joined('"Kite & Bell"')
    (['Kite', 'Bell'], ['Kite', 'Bell'], ['Kite', 'Bell'], ['Kite-Bell'], ['"Kite & Bell"'])
    """
    words = split_count(_WIDE.sub("  ", line.strip()))[1]
    return [words] if words[:1] in '"“„«' else [squeeze(part) for part in _BETWEEN.split(words) if part]


_BETWEEN = late(r"(?<!\s)(?:\s*[,;|、，；]\s*|\s+(?:[+&/–—-]|and|und)\s+|\s{2,}|\u3000)")
_WIDE = late(r" {3,}")
_MOST_WORDS = 12
"""Words of a name, and words before it, that are looked at."""
_AND = late(r"^\s*(?:[,;/&+|]+\s*|(?:and|und|et|y|e|i|и)\s+)?", re.I)
"""What joins two cards that stand on one line."""


def _is_beside(before: str, behind: str, name: str, *, sure: bool) -> bool:
    """Whether neither what stands before a whole name nor what stands behind it looks like part of a longer one."""
    capital = name[:1].isupper()
    ahead, after = _WORD.findall(before), _WORD.findall(behind)
    if not ahead and not after:
        return bool(before.strip() or behind.strip())
    beside = _is_no_name if before.rstrip()[-1:] in (":", "|", "/", "]", ")") else _is_ahead  # `Rare: Kite`
    if not all(beside(word, capital=capital, sure=sure) for word in ahead):
        return False
    if not after or _PARTED_BEHIND.match(behind):
        return True
    if _GOES_ON.match(behind):
        return False
    if all(_is_no_name(word, capital=capital, sure=sure) for word in after):
        return True
    return not _MAY_GO_ON.match(behind) and _is_no_name(after[0], capital=capital, sure=sure)


def _is_ahead(word: str, *, capital: bool, sure: bool) -> bool:
    """Tell the same of a word before a name, where `Silver` and `Count` are more often its own."""
    if len(word) > 1 and word.istitle() and number_said(word) is None:
        return fold(word) in _ARTICLES or fold(word) in _FINISHES
    return fold(word) in _ARTICLES or _is_no_name(word, capital=capital, sure=sure)


def _is_no_name(word: str, *, capital: bool, sure: bool) -> bool:
    """Whether a word beside a name is said of the copies: a number, a unit, a rarity, a code, or small letters."""
    folded = fold(word)
    if folded in _UNITS or folded in _SAID_OF_COPIES or (word[:1].islower() and capital):
        return True
    if number_said(word) is not None or (len(word) <= _LONGEST_MARK and word.isupper()):
        return not sure
    return word[:1].isdigit()


@lru_cache(maxsize=_MOST_REMEMBERED)
def number_beside(name: str, *, counted: bool = False) -> str | None:
    """Give a name without the number beside it that could be a count: `two Kite`, `Kite III`; None without one.

    counted: a count is written before, so a number belongs to the name unless it is in small letters, or has a unit

    >>> number_beside("two Kite"), number_beside("Kite III"), number_beside("Kite 3"), number_beside("Kite 3 ea")
    ('Kite', 'Kite', 'Kite', 'Kite')
    >>> number_beside("Kite"), number_beside("Paper Card 2026"), number_beside("A Kite"), number_beside("Unit X")
    (None, None, None, None)
    >>> number_beside("Kite III", counted=True), number_beside("Kite 3 ea", counted=True)
    (None, 'Kite')
    """
    if _COUNTING.isdisjoint(
        _WORD.findall(unicodedata.normalize("NFKC", name).casefold())
    ) and not _COUNTED_BY.search(name):
        return None
    words = [word for word in (each.strip("-–—") for each in _PIECE.findall(name)) if word]
    for behind in (True, False):
        inwards = words[::-1] if behind else words
        rest = list(itertools.dropwhile(_is_unit, inwards))
        number = number_said(rest[0]) if len(rest) > 1 else None
        first = not behind and len(rest) == len(words)
        if number is not None and _could_count(rest[0], number, before=first):
            rest = list(itertools.dropwhile(_is_unit, rest[1:]))
        elif not counted or len(rest) in (0, len(words)):
            continue  # a unit alone tells of copies only beside a count
        taken = inwards[: len(words) - len(rest)]
        short = " ".join(rest[::-1] if behind else rest)
        if any(map(str.isalpha, short)) and (not counted or any(map(str.islower, taken))):
            return short
    return None


_COUNTING = {
    *_UNITS,
    *(word.casefold() for words in _COUNT_WORDS for word in words.split()),
    *map(str.lower, _ROMAN),
} - {"a", "an", "of"}
_COUNTED_BY = late(r"\d|[枚张張장매]")
_PIECE = late(r"[^\s.,:;()\[\]{}+−@~=]+")


def _could_count(word: str, number: int, *, before: bool) -> bool:
    """Whether a number beside a name could be its count; digits before it are read as one already, and `X` is a letter."""
    if word.isdecimal():
        return number < 100 and not before
    return number > 1 and word not in ("V", "X", "v", "x")


def _is_unit(word: str) -> bool:
    return word.casefold() in _UNITS


# -- Copies of a card as people write them: 4, 4x, x4, Name x4; and what is no count of copies


MOST_COPIES = 999
"""More copies than this on one line is a slip or a prank, not a deck."""

_DIGITS = r"\d{1,900}"
_NUMBER = rf"[-−–]?(?:{_DIGITS}(?:[.,/]{_DIGITS})*[½¼¾⅓⅔]?|[½¼¾⅓⅔])"
_TIMES = "[xｘх×✕✖Ⅹ]"
"""Signs for times: the letter x, its full-width, Cyrillic and Roman twins, and the signs themselves."""
_SIGN = "[×✕✖]"
# What `4 x` stands before; in `1 X (ABC) 12` the X is the name.
_NAMED = r"(?![{*#|<]|[\[(][^\])]*[\])](?!\s*[^\W\d_]))"
_COPIES = r"(?:copies|copy|pcs\.?|pieces?|stück|stk\.?|szt\.?|шт\.?|ex\.)"
_COUNTERS = "[枚张張장]"
# After the number stands an x, a space or both: `4Name` and `2-Headed Ogre` are names.
_BEFORE = late(
    rf"(?P<count>{_NUMBER})(?:\s+{_TIMES}\s+{_NAMED}|\s*{_SIGN}\s*|{_TIMES}\s+|\s?{_COPIES}\s+(?:of\s+)?|(?:ea|each|pc|units?)\.?\s+(?:of\s+)?|(?:-|\s+)of\s+(?!\d)|\s?{_COUNTERS}\s*"
    rf"|\s*\*\s*(?=[^\s*])|\s+[-–—:=]\s+|:\s+|:(?=[^\s\d])|\s+)(?P<rest>\S.*)",
    re.I,
)
_GLUED = late(rf"(?P<count>{_DIGITS}){_TIMES}(?P<rest>[^\W\d_].*|[(\[\"“«].*)", re.I)
_X_BEFORE = late(rf"{_TIMES}\s?(?P<count>{_NUMBER})\s+(?!{_COPIES}$)(?P<rest>\S.*)", re.I)
_BRACKETED = late(rf"[(\[]\s?(?P<count>{_DIGITS})\s?{_TIMES}?[)\]]\s+(?P<rest>\S.*)", re.I)
_AFTER = late(
    rf"(?P<rest>\S.*?)(?:\s+[(\[]?(?:{_TIMES}\s?(?P<count>{_NUMBER}){_COUNTERS}?|(?P<count2>{_DIGITS})(?:\s?{_TIMES}|\s?{_COPIES}|{_COUNTERS}))[)\]]?"
    rf"|\s*{_SIGN}\s*(?P<count3>{_DIGITS}){_COUNTERS}?|\s*\*\s*(?P<count4>\d{{1,3}}))",
    re.I,
)
# Behind the name, where a name could end so, too: `Kite (5)`, `Kite, 3`, `Kite - 3`, `Kite: 3`, `Kite ... 3`.
_TAIL = late(
    rf"(?P<rest>\S.*?)(?:\s*\(\s?(?P<round>\d{{1,3}})\s?\)|\s*\[\s?(?P<square>\d{{1,3}})\s?\]"
    rf"|(?:\s*(?:(?<!\d)[,;:]|[,;:]\s)|\s[=|→])\s*(?P<listed>{_NUMBER})|\s+[-–—]{{1,2}}\s*(?P<dashed>\d{{1,3}})|\s*(?:\.{{2,}}|…)\s*(?P<dotted>\d{{1,3}}))"
)
# Behind the name in a form that is a count in any list: `Kite(x3)`, `Kite (3)x`, `Kite Qty: 3`, `Kite, 3 copies`.
_SAID = r"(?:qty|quantity|count|copies|ct|anzahl|menge|quantité|cantidad|quantità|ilość|кол-во|数量)"
_TOLD = late(
    rf"(?P<rest>\S.*?)(?:\s*[(\[{{]\s?{_TIMES}\s?(?P<times>\d{{1,3}})\s?[)\]}}]|\s*[(\[{{]\s?(?P<round>\d{{1,3}})\s?{_TIMES}?\s?[)\]}}]\s?{_TIMES}"
    rf"|[\s,;(\[]+{_SAID}\s*[:.=]*\s*(?P<said>\d{{1,3}})[)\]]?|\s*[,;]\s*(?P<copies>\d{{1,3}})\s?(?:{_COPIES}|{_TIMES})|\s?\|\s?(?P<barred>\d{{1,2}})|\s(?P<raised>[⁰¹²³⁴-⁹]{{1,2}}))",
    re.I,
)
_SAID_BEFORE = late(rf"{_SAID}\s*[:.=]*\s*(?P<count>\d{{1,3}})[\s,;:|]+(?P<rest>[^\W\d_].*)", re.I)
_CELL_BEFORE = late(
    r"(?P<quote>[\"“]?)(?P<count>\d{1,3})(?P=quote)\s*[,;|]\s*(?P<rest>[^\W\d_].*|[\"“'«(\[].*)"
)
_CELL = late(r"^\"([^\"]+)\"$")
_RAISED = {ord(sign): str(place) for place, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}
_PARTED = late(r"^(?:-+>|[/→>»~–—=]+)\s+(?=[^\W_])")  # `3 → Kite`
_JOINED = late(r"(?:\s*[,;:]|\s+[-–—=])*\s*$")  # `Kite - 3 pcs`, `Kite, x3`
_LAST_COLUMN = late(rf"\s*{_TIMES}?(?P<count>{_NUMBER}){_TIMES}?", re.I)
_FRACTION = late(r"[½¼¾⅓⅔/]|\d[.,]\d")
_THOUSANDS = late(r"\d{1,3}(?:,\d{3})+")


def split_count(words: str) -> tuple[str | None, str]:
    """Part the words of a line into the count as it is written (None: there is none) and the rest.

    >>> split_count("4x Siege Hammer"), split_count("Siege Hammer x4"), split_count("Kite")
    (('4', 'Siege Hammer'), ('4', 'Siege Hammer'), (None, 'Kite'))
    >>> split_count("+2 Mace"), split_count("2-Headed Ogre")
    ((None, '+2 Mace'), (None, '2-Headed Ogre'))
    """
    for form in (_BEFORE, _GLUED, _X_BEFORE, _BRACKETED):
        match = form.fullmatch(words)
        if match:
            return match["count"], _PARTED.sub("", match["rest"].strip())
    name, tab, last = words.rpartition("\t")
    column = _LAST_COLUMN.fullmatch(last) if tab else None
    if column and not name.strip().isdecimal():
        return column["count"], name.strip()
    match = _AFTER.fullmatch(words)
    if match:
        counts = (match[group] for group in ("count", "count2", "count3", "count4"))
        return next(count for count in counts if count), _JOINED.sub("", match["rest"])
    return None, words


def tail_count(words: str) -> tuple[str, str] | None:
    """Part a number behind a name in a form that is nearly always a count, though a name could end so, too.

    A bare number at the end (`Paper Card 52`) is no such form: it belongs to the name.

    >>> tail_count("Kite (5)"), tail_count("Kite, 3"), tail_count("Kite - 3"), tail_count("Paper Card 52")
    (('5', 'Kite'), ('3', 'Kite'), ('3', 'Kite'), None)
    """
    match = _TOLD.fullmatch(words) or _TAIL.fullmatch(words)
    if match is None or not any(letter.isalpha() for letter in match["rest"]):
        return None
    groups = match.groupdict()
    if groups.get("barred") and "|" in match["rest"]:
        return None  # `Kite|ABC|3` is a printing
    counts = (count for group, count in groups.items() if group != "rest" and count)
    return next(counts).translate(_RAISED), _CELL.sub(r"\1", match["rest"].strip())


def head_count(words: str) -> tuple[str, str] | None:
    """Part a number before a name in a form that is a count in any list, though no count elsewhere: cells, and `Qty 3 Kite`.

    >>> head_count("4,Kite"), head_count('"4","Kite"'), head_count("Qty: 3 Kite"), head_count("1,000 Needles")
    (('4', 'Kite'), ('4', 'Kite'), ('3', 'Kite'), None)
    """
    match = _CELL_BEFORE.fullmatch(words) or _SAID_BEFORE.fullmatch(words)
    return (match["count"], _CELL.sub(r"\1", match["rest"].strip())) if match else None


_COUNT_SIGNS = r"[,;:|/\\_~>→»=#·•]"
_HEAD_SIGN = late(
    rf"(?P<raised>[⁰¹²³⁴-⁹]{{1,2}})\s*(?P<rest4>[^\W\d_].*)|\+?(?P<count>\d{{1,3}})(?:(?<=\+\d)\s+|\s?{_COUNT_SIGNS}\s?|\s?[+~>→»]\s+|\s+of\s+\d+\s+)(?P<rest>[^\W\d_\"“].*)"
    r"|[{<(\[«]\s?(?P<boxed>\d{1,3})\s?[}>)\]»]\s*(?P<rest2>[^\W\d_].*)|(?P<glued>\d{1,2})(?P<rest3>[^\W\d_a-zß-ÿ][^\W\d_]+(?:[ ,'’-].*)?)",
)
_TAIL_SIGN = late(
    rf"(?P<rest>.*[^\W\d_][)\]\"”'’!?.]?)(?:\s?[,;:|/\\_~>→»=·•]\s?(?P<count>\d{{1,3}})|\s*[{{<]\s?(?P<boxed>\d{{1,3}})\s?[}}>]"
    rf"|(?:x|{_SIGN})(?P<glued>\d{{1,2}})|\s(?P<part>\d{{1,2}})(?:/|\s+of\s+)\d{{1,2}}|\s(?P<priced>\d{{1,2}})\s+\d{{1,6}}(?:[.,]\d{{1,2}})?|\s?\|\s?(?P<barred>\d{{1,2}})\s?\|.*|\s?(?P<raised>[⁰¹²³⁴-⁹½¼¾①-⑳❶-❿]{{1,2}})|\s#(?P<hash>\d{{1,3}}))"
)
_SECOND = late(
    rf"(?<=\S)(?:\s[(\[]?[x×]\s?\d{{1,3}}[)\]]?|\s[(\[]?\d{{1,3}}\s?[x×][)\]]?|[\s,;]\s?\d{{1,3}}\s?{_COPIES}|\s{_SAID}\s*[:.=]*\s*\d{{1,3}})$",
    re.I,
)
_NEXT_CARD = late(
    rf"(?<=\S)(?:\t\s*|\s?[,;|•·、，；+&/]\s*|\s[-–—]\s+|(?<=[^\W\d_]{{4}})\.\s+|\s(?:and|und|et|y|e|i|и)\s+|\s{{2,}})\d{{1,2}}\s?{_TIMES}?(?:\s+|\s*[|/,;:–—-]\s*)[^\W\d_]|(?<=\S)\s\d{{1,2}}[x×]\s+[^\W\d_]",
    re.I,
)
_CELLS = late(r"[^\W\d_][\"”]?(?P<sign>[,;])[\"“]?[^\W\d_]|[^\W\d_][\"”]?[,;]\d{1,3}[,;]")
_BRACKETS = late(r"\[[^\[\]]*\]|\([^()]*\)|\{[^{}]*\}|\^[^^]*\^|\s#\S.*")  # `[Land,Ramp]`: categories
_COUNT_INSIDE = late(  # in capitals `X23` belongs to the name, unless a sign parts it from what follows
    rf"[^\W\d_].*\s(?:(?:x\s?\d{{1,2}}|\d{{1,2}}x|{_SIGN}\s?\d{{1,2}})\s+|(?:[xX]\s?\d{{1,2}}|\d{{1,2}}[xX]|{_SIGN}\s?\d{{1,2}}|[(\[][xX]?\d{{1,2}}[xX]?[)\]])\s*[,;|/•·+&]\s*)[^\W\d_]"
)
_SIGN_INSIDE = late(
    r"[^,;]*[^\W\d_];[^\W\d_][^,;]*"
)  # a count and a space before it: `3 TL;DR` is no table's row
_CELL_BEHIND = late(r".*[^\W\d_][\"”]?[,;]\d{1,3}")
_OF_SOME = late(r"of \d")
_TWO_BEFORE = late(r"\d{1,3}\s*[,;|/]\s*\d{1,3}\s*[,;|/]\s*[^\W\d_]")
_NUMBER_BETWEEN = late(r"(?:(?<=[^\W\d_])|(?<=[.!?]))\s\d{1,2}\s+(?=[^\W\d_]{2})")


_COUNT_OR_CELL = late(r"[\d,;⁰¹²³⁴-⁹½¼¾①-⑳❶-❿]")


def is_only_words(name: str) -> bool:
    """Tell whether a name has nothing in it that could be a count or part cells, as most have."""
    return _COUNT_OR_CELL.search(name) is None


@lru_cache(maxsize=_MOST_REMEMBERED)
def left_over(words: str, *, counted: bool) -> str:
    """Say what in a card's words could still be a count, or the beginning of another card; empty where nothing could.

    counted: the card has its count already, so a number beside the name is part of it, unless it says `x3` itself

    >>> left_over("3/Kite", counted=False), left_over("Kite x3", counted=True), left_over("Kite 3", counted=False)
    ('is `3` the count? write `3 Kite`, or `1 3/Kite` if that is the whole name', 'it has two counts; write one, before the name', '')
    """
    if is_only_words(words):
        return ""
    if len(words) > LONGEST_CARD or (words[:1] in '"“„«' and words[-1:] in '"”“»'):
        return ""
    if (counted and _OF_SOME.match(words)) or (not counted and _TWO_BEFORE.match(words)):
        return "which number is the count? write one, before the name"
    if _NEXT_CARD.search(words) or _COUNT_INSIDE.match(words) or len(_NUMBER_BETWEEN.findall(words)) > 1:
        return "are these several cards? write one on a line, or put the name of one in quotes"
    cells = _CELLS.search(_BRACKETS.sub("", words))
    if cells and not (counted and _SIGN_INSIDE.fullmatch(words)):
        return f"nothing says what stands behind the `{cells['sign'] or ','}`: another card, or another column? (one name goes in quotes)"
    if counted:
        two = _SECOND.search(words) or _CELL_BEHIND.fullmatch(words)
        return "it has two counts; write one, before the name" if two else ""
    match = _HEAD_SIGN.fullmatch(words) or _TAIL_SIGN.fullmatch(words)
    return _is_it_the_count(match, words) if match else ""


def _is_it_the_count(match: re.Match[str], words: str) -> str:
    groups = [(group, text) for group, text in match.groupdict().items() if text]
    count = next(text for group, text in groups if not group.startswith("rest"))
    rest = next(text for group, text in groups if group.startswith("rest"))
    return f"is `{count}` the count? write `{_as_digits(count)} {rest.strip()}`, or `1 {words}` if that is the whole name"


def _as_digits(count: str) -> str:
    count = count.translate(_RAISED)
    return count if count.isdecimal() else str(int(unicodedata.numeric(count[0], 1)) or 1)


def one_or_several(words: str) -> bool:
    """Whether a number or a semicolon stands between words, as before a second card: `Kite 2 Bell`; names have them, too."""
    return _NUMBER_BETWEEN.search(words) is not None or _SIGN_INSIDE.fullmatch(words) is not None


def two_numbers_before(words: str) -> bool:
    """Whether the name of a counted card begins with a number: `1 2 Kite` may be two copies of the first card."""
    return words[:1].isdecimal() and re.match(r"\d{1,2}\s+[^\W\d_]", words) is not None


def is_only_a_count(words: str) -> bool:
    """Tell whether the words are a count of copies and nothing else: `4`, `4x`, `x4`.

    >>> is_only_a_count("4x"), is_only_a_count("X"), is_only_a_count("89631139")
    (True, False, False)
    """
    return re.fullmatch(rf"\d{{1,3}}\s?{_TIMES}?|{_TIMES}\s?\d{{1,3}}", words, re.I) is not None


def whole_number(count: str | float | None) -> int | None:
    """Give a count as a positive whole number up to 999, None where it is not one.

    >>> [whole_number(count) for count in ("4", "４", 2.0, "0", "1.5", "-3", "10000000")]
    [4, 4, 2, None, None, None, None]
    """
    if isinstance(count, bool) or count is None:
        return None
    if isinstance(count, float):
        return int(count) if count.is_integer() and 1 <= count <= MOST_COPIES else None
    if isinstance(count, str):
        digits = count.strip()
        if not digits.isdecimal() or len(digits) > 30:
            return None
        count = int(digits)
    return count if 1 <= count <= MOST_COPIES else None


def why_not(count: str | float | None) -> str:
    """Say what is wrong with a count that `whole_number` refuses.

    >>> why_not("0"), why_not("-3"), why_not("1.5"), why_not("10000000")
    ('zero copies', 'a negative count', 'not a whole number', 'more than 999 copies on one line')
    """
    if isinstance(count, float) and abs(count) > MOST_COPIES:
        return "a negative count" if count < 0 else f"more than {MOST_COPIES} copies on one line"
    text = _plain(str(count).strip())
    if _THOUSANDS.fullmatch(text):
        return f"more than {MOST_COPIES} copies on one line"
    if _FRACTION.search(text):
        return "not a whole number"
    if text.startswith("-"):
        return "a negative count"
    if text.isdecimal():
        return "zero copies" if not text.strip("0") else f"more than {MOST_COPIES} copies on one line"
    return "not a number"


def _plain(text: str) -> str:
    return (
        "".join(str(unicodedata.decimal(letter, letter)) for letter in text)
        .replace("−", "-")
        .replace("–", "-")
    )
