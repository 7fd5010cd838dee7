"""The layers of decoration round a card's name: each form of mark in the wild, and how sure it is one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from tourney.decks.decklist import PrintMark
from tourney.decks.reading.dialect import CODE, PLAIN, Dialect
from tourney.decks.reading.text import LONGEST_CARD, squeeze

NUMBER_FORM = r"(?:[A-Z0-9]{1,5}-)?[A-Z]{0,3}\d{1,5}[a-zA-Z★†*+Φ]{0,3}"
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


_MOST_LAYERS = 12


_COMMON = re.compile(
    rf"(?P<rest>[^\W\d_][^\d\"#$%&()*+:;<=>?@\[\]\\^_`{{|}}~●•○☆★◆◇]*) \((?P<set>{SET_FORM})\) (?P<number>{NUMBER_FORM})"
)


def layers_of(words: str, dialect: Dialect) -> Iterator[Layer]:
    """Peel until nothing comes off; each layer is shorter than the last, and there are at most twelve.

    What a program writes once on a line is not looked for twice: after the pack, a parenthesis is the name's own.
    """
    common = _COMMON.fullmatch(words)
    if common and "--" not in words and not common["rest"].endswith((", The", ", A", ", An")):
        yield Layer(common["rest"], certain=True, printing=PrintMark(common["set"], common["number"]))
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


def _outermost(words: str, dialect: Dialect) -> Layer | None:
    """Give the first layer that fits; most names have none of the characters that any needs."""
    if len(words) > LONGEST_CARD or not _TELLING.search(words):
        return None
    for needed, form in _FORMS:
        if needed in words:
            layer = form(words, dialect)
            if layer is not None and layer.rest:
                return layer
    return None


def _at_end(
    pattern: str, make: Callable[[re.Match[str], Dialect], Layer | None], flags: re.RegexFlag = re.NOFLAG
) -> Callable[[str, Dialect], Layer | None]:
    """Make a form of decoration that ends the line; `rest` is what stands before it."""
    compiled = re.compile(rf"(?P<rest>\S.*?)\s+(?:{pattern})", flags)

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


def _said_of_the_copy(found: re.Match[str], _: Dialect) -> Layer:
    """`(alt art)`, `[Foil]`, `(proxy, signed)`: words about the piece of cardboard, never about the card."""
    return Layer(found["rest"], certain=True, mark=squeeze(found["mark"]))


def _priced(found: re.Match[str], _: Dialect) -> Layer:
    return Layer(found["rest"], certain=True, comment=found["price"])


def _parenthesis(found: re.Match[str], dialect: Dialect) -> Layer:
    """Leave a lone parenthesis with the name unless the dialect says what it is, or a pool knows the name without."""
    inside = found["inside"]
    if re.fullmatch(CODE, inside):
        return Layer(found["rest"], certain=dialect.codes, code=inside)
    is_set = re.fullmatch(r"[A-Z0-9_]{2,8}", inside) is not None
    printing = PrintMark(set=inside) if dialect.packs or is_set else PrintMark()
    mark = None if printing else f"({inside})"
    certain = dialect.packs or (is_set and dialect.sets)
    return Layer(found["rest"], certain=certain, printing=printing, mark=mark)


def _bare_set(found: re.Match[str], dialect: Dialect) -> Layer:
    printing = PrintMark(found["set"], found["number"])
    certain = dialect.bare_sets and (found["set"].isupper() or found["set"] == "Energy")
    return Layer(found["rest"], certain=certain, printing=printing, mark=found["finish"])


_BARE_SET = (
    r"(?P<set>[A-Z][A-Za-z0-9]{1,4}(?:-[A-Z]{1,3})?|(?<=Energy )Energy)\s"
    r"(?P<number>[A-Z]{0,3}\d{1,3}[a-z]?)(?:\s(?P<finish>[A-Z]{1,3}))?"
)


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
        r"(?P<rest>[^|]*[^|\s+])(?P<foil>\+?)\|(?P<set>\w{1,8})?(?:\|\[?(?P<number>[\w★†*+/-]*)\]?)*", words
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
    if not found:
        return None
    certain = not found["set"].islower() or bool(found["number"])
    return Layer(
        found["rest"], certain=certain, printing=PrintMark(found["set"], found["number"] or found["art"])
    )


def _article(words: str, _: Dialect) -> Layer | None:
    """`Unmasking, The`: lists sorted by name put the article last."""
    found = re.fullmatch(r"(?P<rest>\S.*), (?P<article>The|An?)", words)
    return Layer(f"{found['article']} {found['rest']}", certain=False) if found else None


def _quoted(words: str, _: Dialect) -> Layer | None:
    found = re.fullmatch(r"[\"“„«](?P<rest>[^\"“”„«»]+)[\"”“»]", words)
    return Layer(found["rest"].strip(), certain=False) if found else None


def _mark(found: re.Match[str], _: Dialect) -> Layer:
    return Layer(found["rest"], certain=True, mark=squeeze(found["mark"]))


_COPY_WORDS = r"""
    (?:non-?|etched\ |traditional\ |rainbow\ |cold\ |reverse[\ -])?foil(?:ed)?|etched|(?:reverse[\ -])?holo(?:graphic)?|glossy
    |alt(?:\.|ernate|ernative)?[\ -]?art(?:work)?|full[\ -]?art|ext(?:\.|ended)?[\ -]?art|textless|border ?less|showcase|retro\ frame|promo|pre-?release
    |prox(?:y|ies|ied)|proxy\ card|play\ ?test(?:\ card)?|placeholder|custom\ art|altered(?:\ art)?|signed|autographed|oversized?
    |mis-?print(?:ed)?|mis-?cut|outdated|old\ version|reprint|(?:1st|first|2nd|second)\ edition|nm|near\ mint|lightly\ played
    |en|eng|english|jp|jpn|japanese|german|french|spanish|italian|portuguese|russian|korean|chinese
"""
_COPY = re.compile(rf"(?:{_COPY_WORDS})(?:\s*[,;/+&]\s*(?:{_COPY_WORDS}))*".replace("\n", ""), re.I | re.X)
_OF_THE_COPY = rf"(?P<mark>\(\s*{_COPY.pattern}\s*\)|\[\s*{_COPY.pattern}\s*\]|\{{\s*{_COPY.pattern}\s*\}}|\*\s*{_COPY.pattern}\s*\*)"
_PRICE = r"(?P<price>[$€£¥]\s?\d+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?\s?[$€£¥])"
_BARE_COPY = re.compile(
    rf"(?P<rest>\S.*?)(?P<sign>\s*[,;:|/]\s*|\s+[-–—~+]\s*|\s+)(?P<mark>{_COPY.pattern})[.!]?", re.I | re.X
)
_NO_NAME = frozenset({"en", "eng", "nm", "jp", "jpn"})


def _bare_copy(words: str, _: Dialect) -> Layer | None:
    """`Kite foil`, `Kite - foil`, `Kite, signed`: in small letters or after a sign it is said of the copy.

    In capitals it may end a name (`Gold Foil`), and so may a language.
    """
    found = _BARE_COPY.fullmatch(words)
    if found is None:
        return None
    said = found["mark"]
    certain = bool(found["sign"].strip() or words[:1].isupper()) and said.islower() and said not in _NO_NAME
    return Layer(found["rest"], certain=certain, mark=said)


_SLASHED = re.compile(r"(?P<rest>\S.*?)\s+//\s*(?P<remark>\S.*)")


def _slashed(words: str, _: Dialect) -> Layer | None:
    """`Kite // sleeve 3` is a remark, `Fire // Ice` a name: the other face of a card begins as the first does."""
    found = _SLASHED.fullmatch(words)
    if found is None:
        return None
    certain = words[:1].isupper() and not found["remark"][:1].isupper() and found["remark"][:1].isascii()
    return Layer(found["rest"], certain=certain, comment=found["remark"])


def _framed(words: str, _: Dialect) -> Layer | None:
    """`(Kite)`, `~~Kite~~`, `<abc> Kite`: what stands round or before a whole name may be no part of it."""
    found = re.fullmatch(
        r"\((?P<round>[^()]+)\)|\[(?P<square>[^\[\]]+)\]|~~(?P<struck>[^~]+)~~|<[^<>]{1,20}>\s*(?P<behind>\S.*)",
        words,
    )
    rest = next((text for text in found.groups() if text), "") if found else ""
    return Layer(rest.strip(), certain=False, mark=words[:1]) if any(map(str.isalpha, rest)) else None


_NUMBER_BEFORE = re.compile(
    r"(?:[{<(\[«+~#]?\s?\d{1,3}(?:\s?[}>)\]»]\s*|\s?[,;:|/\\_~>→=+]\s*|-of\s+|(?=[^\W\d_a-z])|(?:\s+of\s+|/)\d{1,3}\s+)|[+~#<]\s?\d{1,3}\s+)(?P<rest>[^\W\d_\"“].*)"
)
_NUMBER_BEHIND = re.compile(
    r"(?P<rest>.*[^\W_][)\]\"”!?.]?)(?:\s?[|/\\_~>→=,;:]\s?\d{1,3}|\s+[-–—]\s*\d{1,3}|\s*[{<]\s?\d{1,3}\s?[}>]|\s*[(\[]?[x×]\s?\d{1,3}[)\]]?"
    r"|\s\d{1,3}(?:/|\s+of\s+)\d{1,3}|\s\w{2,8}[.:]+\s?\d{1,3}|\s*[⁰¹²³⁴-⁹½¼¾①-⑳❶-❿]+|\s\(\d{1,3}\)x)",
    re.I,
)


def _numbered(words: str, _: Dialect) -> Layer | None:
    """`3/Kite`, `Kite/3`, `Kite {3}`: a number that a sign parts from the name may be no part of it."""
    found = _NUMBER_BEHIND.fullmatch(words) or _NUMBER_BEFORE.fullmatch(words)
    rest = found["rest"] if found else ""
    return Layer(rest, certain=False) if any(map(str.isalpha, rest)) else None


def _ended(words: str, _: Dialect) -> Layer | None:
    found = re.fullmatch(r"(?P<rest>.*[^\W_])\s*[.,;:!✓✔✗]+", words)
    return Layer(found["rest"], certain=False) if found else None


_TELLING = re.compile(
    r"^[\"“„«]|[\^*(\[{<#|~/\d●•○☆★◆◇€$£¥⁰¹²³⁴-⁹½¼¾①-⑳❶-❿]|--|,\ (?:The|An?)$|[.,;:!✓✔✗]$"
    rf"|[\s,;:|/-](?:{_COPY.pattern})[.!]?$",
    re.I | re.X,
)

# Each form with characters that it needs, looked for before its pattern is tried.
_FORMS: tuple[tuple[str, Callable[[str, Dialect], Layer | None]], ...] = (
    ("[", _set_before),
    ("", _quoted),
    ("-", _code_alone),
    ("-", _code_before),
    ("--", _at_end(r"--\s+(?P<remark>\S.*)", _remark)),
    ("|", _piped),
    ("", _at_end(_OF_THE_COPY, _said_of_the_copy, re.I | re.X)),
    ("", _at_end(_PRICE, _priced)),
    ("^", _at_end(r"(?P<mark>\^[^^]*\^)", _mark)),
    ("*", _at_end(r"(?P<mark>\*[^*\s]{1,16}\*)", _mark)),
    ("", _at_end(r"(?P<mark>[●•○☆★◆◇][●•○☆★◆◇ ]*)", _mark)),
    (")", _at_end(rf"\((?P<set>{SET_FORM})\)\s+(?P<number>{NUMBER_FORM})", _printing)),
    (")", _at_end(rf"\((?P<set>{SET_FORM})[:#](?P<number>{NUMBER_FORM})\)", _printing)),
    ("]", _at_end(rf"\[(?P<set>[^\[\]{{}},]{{1,60}})\]\s+(?P<number>{NUMBER_FORM})", _printing)),
    (">", _at_end(r"<(?P<inside>[^<>]{1,40})>", _angles)),
    ("#", _at_end(r"(?P<tag>#\d+|#(?!\d)[^#]*|#\d+\s[^#\[(]*)", _tag)),
    ("]", _at_end(r"\[(?P<inside>[^\[\]]+)\]", _brackets)),
    (")", _at_end(r"[_*]?\((?P<inside>[^()]+)\)[_*]?", _parenthesis)),
    ("-", _at_end(rf"(?P<code>{CODE})", _code_after)),
    (" ", _at_end(_BARE_SET, _bare_set)),
    (",", _article),
    ("", _bare_copy),
    ("//", _slashed),
    ("", _framed),
    ("", _numbered),
    ("", _ended),
)
