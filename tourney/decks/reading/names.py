"""A card's words on its line, taken apart: the name, and the decoration round it.

Decoration is peeled off layer by layer (`peel`), and each layer gives another reading of the name. Which layer is
decoration whatever the pool says is marked certain; a certain layer makes everything outside it certain, too: in
`Kite (foil) [ABC]` the brackets are no part of a name, so neither is what stands between. What counts the copies, and
the numbers that could, are parted from the name by `counts`.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, cast

import msgspec
from msgspec.structs import replace

from tourney.cards.names import script
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
        _sign(
            r"\W?(?:pok.{1,2}mon|trainer(?: cards|karten)?|energy|dresseurs?|entrenador(?:es)?|allenator[ei]|treinador(?:es)?|energi[ea]n?|.{1,2}nergies?|energ.{1,2}as?|total cards)"
            r"[ \t\u00a0\u202f]*(?:[:：(-][ \t]*\d+\)?|[:：])"
        ),
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
    coded = sum(_CODED_LINE.search(line) is not None for line in cards)
    if coded > 1 and 2 * coded >= len(cards):
        return _CODED  # lines without a code may stand among them
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


MOST_REMEMBERED = 32_768
"""The same cards stand in the lists of many players; the largest pools have 32,000 names."""


@lru_cache(maxsize=MOST_REMEMBERED)
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
        if layer.other:
            taken = _difference(layers[0].rest, layer.other)
            yield Reading(name=layer.other, taken=taken, certain=False, printing=printing)


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


def titled(title: str, subtitle: str, printing: PrintMark = _UNMARKED, *, code: str | None = None) -> Peeled:
    """Take a name and its subtitle, parted as a program writes them; a pool may part them by a comma or a dash.

    >>> [reading.name for reading in titled("Ann", "The Red").readings]
    ['Ann | The Red', 'Ann, The Red', 'Ann - The Red']
    """
    forms = (f"{title} | {subtitle}", f"{title}, {subtitle}", f"{title} - {subtitle}")
    first, *others = (Reading(name=squeeze(form), printing=printing) for form in forms)
    return Peeled((first, *(replace(other, certain=False) for other in others)), code=code or None)


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
    other: str | None = None  # the same name in another language


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
    compiled = late(rf"(?P<rest>\S.*?)(?:\s+|(?<=[》」』】〉]))(?:{pattern})", flags)

    def form(words: str, dialect: Dialect) -> Decoration | None:
        match = compiled.fullmatch(words)
        return make(match, dialect) if match else None

    return form


def _tag(match: re.Match[str], _: Dialect) -> Decoration:
    """`#burn`, `#!Commander`, `# some text`; `#7` may be the name's own number."""
    return Decoration(match["rest"], certain=not match["tag"][1:2].isdigit(), mark=squeeze(match["tag"]))


_REMARK = late(r"(?<=\S)\s+(?:#(?!\d)|//\s?[a-zß-ÿ]).*")


def without_remark(words: str) -> str:
    """Return the words of a card without the remark or tags behind it.

    >>> without_remark("[ABC#12] Kite # great, 2 would be better"), without_remark("Agent #7")
    ('[ABC#12] Kite', 'Agent #7')
    """
    return _REMARK.sub("", words) if "#" in words or (" //" in words and words[:1].isupper()) else words


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
    if re.fullmatch(r"\d{1,2}", inside):
        return Decoration(match["rest"], certain=False, mark=f"[{inside}]")  # no set is called `2`
    set_mark = re.fullmatch(rf"(?P<set>{_SET_FORM})(?:[#: ](?P<number>{_NUMBER_FORM}))?", inside)
    if set_mark and (inside.upper() == inside or any(letter.isdigit() for letter in inside)):
        return Decoration(
            match["rest"], certain=True, printing=PrintMark(set_mark["set"], set_mark["number"])
        )
    category = ("," in inside or "{" in inside or " " not in inside) and not re.match(r"[+−–-]\s?\d", inside)
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
    translated = not match[0].isascii() and {script(match["rest"]), script(inside)} > {"Latin"}
    return Decoration(
        match["rest"], certain=certain, printing=printing, mark=mark, other=inside if translated else None
    )


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
_SOME_COPIES = rf"(?:\d{{1,2}}\s?x?\s+)?(?:{_COPY_WORDS})".replace("\n", "")
_OF_THE_COPY = rf"(?P<mark>[(\[{{*]\s*{_SOME_COPIES}(?:\s*[,;/+&]\s*{_SOME_COPIES})*\s*[)\]}}*])"
OF_THE_COPY = late(_OF_THE_COPY, re.I | re.X)
"""A bracket that says something about the piece of cardboard: `(foil)`, `(2 signed)`."""
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


def _in_corners(words: str, _: Dialect) -> Decoration | None:
    """`《Kite》`, `「Kite」`: Japanese and Chinese texts write names in these brackets."""
    match = _CORNERS.fullmatch(words)
    return Decoration(match["rest"].strip(), certain=True) if match else None


_CORNERS = late(r"[《「『【〈](?P<rest>[^《》「」『』【】〈〉]+)[》」』】〉]")


def _bilingual(words: str, _: Dialect) -> Decoration | None:
    """`稲妻/Kite`: a name in two scripts, one of them Latin; the faces of a card are in one script."""
    match = _TWO_NAMES.fullmatch(words)
    if match is None or words.isascii():
        return None
    names = sorted(match.groups(), key=lambda name: script(name) != "Latin")
    if script(names[0]) != "Latin" or script(names[1]) in ("", "Latin"):
        return None
    return Decoration(names[0], certain=True, other=names[1])


_TWO_NAMES = late(r"([^/／|｜]*[^/／|｜\s])\s*[/／|｜]{1,2}\s*([^\s/／|｜][^/／|｜]*)")


_PICTURE = late(r"_[pr]\d{1,2}$", re.I)


def without_picture(words: str) -> str:
    """Return a code or a name without the mark of another picture, as image files are called.

    >>> without_picture("AB01-001_p1"), without_picture("Kite_p2"), without_picture("Kite")
    ('AB01-001', 'Kite', 'Kite')
    """
    return _PICTURE.sub("", words)


def _another_picture(words: str, _: Dialect) -> Decoration | None:
    """`AB01-001_p1`, `Kite_p1`; a code behind a name keeps it, as it may be the code of the printing."""
    rest = without_picture(words)
    if rest == words or (" " in rest and re.search(rf"\s{CODE}$", rest)):
        return None
    return Decoration(rest.rstrip(), certain=True, mark=words[len(rest) :])


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
    match = re.fullmatch(r"(?P<rest>.*[^\W_])\s*(?P<signs>[.,;:!✓✔✗●•○☆★◆◇]+)", words)
    return Decoration(match["rest"], certain=match["signs"] in (",", ";")) if match else None


# Words about the copy count at either end; they stand here once, since this is compiled for nearly every list.
_TELLING = late(
    r"^[\"“„«]|^[^\W\d_]\)|[\^*(\[{<#|~/_《「『【〈／｜\d●•○☆★◆◇€$£¥⁰¹²³⁴-⁹½¼¾①-⑳❶-❿]|--|,\ (?:The|An?)$|[.,;:!✓✔✗]$"
    rf"|(?:(?P<before>^)|[\s,;:|/-])(?:{_COPY})(?(before)\s|[.!]?$)",
    re.I | re.X,
)

# Each form with the characters of which it needs one (empty: no certain one), looked for before its pattern is tried.
_FORMS: tuple[tuple[str, Callable[[str, Dialect], Decoration | None]], ...] = (
    ("[", _set_before),
    ('"”“»', _quoted),
    ("》」』】〉", _in_corners),
    ("_", _another_picture),
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
    ("/／|｜", _bilingual),
    ("", _bare_copy),
    (" ", _copy_before),
    ("/", _slashed),
    ("([~<", _framed),
    ("", _numbered),
    ("", _ended),
)
