"""Copies of a card as people write them: `4`, `4x`, `x4`, `Name x4`; and what is no count of copies."""

from __future__ import annotations

import re
import unicodedata

from tourney.decks.reading.text import LONGEST_CARD

MOST_COPIES = 999
"""More copies than this on one line is a slip or a prank, not a deck."""

_DIGITS = r"\d{1,900}"
_NUMBER = rf"[-−–]?(?:{_DIGITS}(?:[.,/]{_DIGITS})*[½¼¾⅓⅔]?|[½¼¾⅓⅔])"
_TIMES = "[xｘх×✕✖]"
"""Signs for times: the letter x, its full-width and its Cyrillic twin, and the signs themselves."""
_SIGN = "[×✕✖]"
# What `4 x` stands before; in `1 X (ABC) 12` the X is the name.
_NAMED = r"(?![{*#|<]|[\[(][^\])]*[\])](?!\s*[^\W\d_]))"
_COPIES = r"(?:copies|copy|pcs\.?|pieces?|stück|stk\.?|szt\.?|шт\.?|ex\.)"
_COUNTERS = "[枚张張장]"
# After the number stands an x, a space or both: `4Name` and `2-Headed Ogre` are names.
_BEFORE = re.compile(
    rf"(?P<count>{_NUMBER})(?:\s+{_TIMES}\s+{_NAMED}|\s*{_SIGN}\s*|{_TIMES}\s+|\s?{_COPIES}\s+(?:of\s+)?|(?:-|\s+)of\s+(?!\d)|\s?{_COUNTERS}\s*"
    rf"|\s*\*\s*(?=[^\s*])|\s+[-–—:=]\s+|:\s+|:(?=[^\s\d])|\s+)(?P<rest>\S.*)",
    re.I,
)
_GLUED = re.compile(rf"(?P<count>{_DIGITS}){_TIMES}(?P<rest>[^\W\d_].*|[(\[\"“«].*)", re.I)
_X_BEFORE = re.compile(rf"{_TIMES}\s?(?P<count>{_NUMBER})\s+(?!{_COPIES}$)(?P<rest>\S.*)", re.I)
_BRACKETED = re.compile(rf"[(\[]\s?(?P<count>{_DIGITS})\s?{_TIMES}?[)\]]\s+(?P<rest>\S.*)", re.I)
_AFTER = re.compile(
    rf"(?P<rest>\S.*?)(?:\s+[(\[]?(?:{_TIMES}\s?(?P<count>{_NUMBER}){_COUNTERS}?|(?P<count2>{_DIGITS})(?:\s?{_TIMES}|\s?{_COPIES}|{_COUNTERS}))[)\]]?"
    rf"|\s*{_SIGN}\s*(?P<count3>{_DIGITS}){_COUNTERS}?|\s*\*\s*(?P<count4>\d{{1,3}}))",
    re.I,
)
# Behind the name, where a name could end so, too: `Kite (5)`, `Kite, 3`, `Kite - 3`, `Kite: 3`, `Kite ... 3`.
_TAIL = re.compile(
    rf"(?P<rest>\S.*?)(?:\s*\(\s?(?P<round>\d{{1,3}})\s?\)|\s*\[\s?(?P<square>\d{{1,3}})\s?\]"
    rf"|(?:\s*(?:(?<!\d)[,;:]|[,;:]\s)|\s[=|→])\s*(?P<listed>{_NUMBER})|\s+[-–—]{{1,2}}\s*(?P<dashed>\d{{1,3}})|\s*(?:\.{{2,}}|…)\s*(?P<dotted>\d{{1,3}}))"
)
# Behind the name in a form that is a count in any list: `Kite(x3)`, `Kite (3)x`, `Kite Qty: 3`, `Kite, 3 copies`.
_SAID = r"(?:qty|quantity|count|copies|ct|anzahl|menge|quantité|cantidad|quantità|ilość|кол-во|数量)"
_TOLD = re.compile(
    rf"(?P<rest>\S.*?)(?:\s*[(\[{{]\s?{_TIMES}\s?(?P<times>\d{{1,3}})\s?[)\]}}]|\s*[(\[{{]\s?(?P<round>\d{{1,3}})\s?{_TIMES}?\s?[)\]}}]\s?{_TIMES}"
    rf"|[\s,;(\[]+{_SAID}\s*[:.=]*\s*(?P<said>\d{{1,3}})[)\]]?|\s*[,;]\s*(?P<copies>\d{{1,3}})\s?(?:{_COPIES}|{_TIMES})|\s?\|\s?(?P<barred>\d{{1,2}})|\s(?P<raised>[⁰¹²³⁴-⁹]{{1,2}}))",
    re.I,
)
_SAID_BEFORE = re.compile(rf"{_SAID}\s*[:.=]*\s*(?P<count>\d{{1,3}})[\s,;:|]+(?P<rest>[^\W\d_].*)", re.I)
_CELL_BEFORE = re.compile(
    r"(?P<quote>[\"“]?)(?P<count>\d{1,3})(?P=quote)\s*[,;|]\s*(?P<rest>[^\W\d_].*|[\"“'«(\[].*)"
)
_CELL = re.compile(r"^\"([^\"]+)\"$")
_RAISED = {ord(sign): str(place) for place, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}
_PARTED = re.compile(r"^[/→>»~–—=]+\s+(?=[^\W_])")  # `3 → Kite`
_JOINED = re.compile(r"(?:\s*[,;:]|\s+[-–—=])*\s*$")  # `Kite - 3 pcs`, `Kite, x3`
_LAST_COLUMN = re.compile(rf"\s*{_TIMES}?(?P<count>{_NUMBER}){_TIMES}?", re.I)
_FRACTION = re.compile(r"[½¼¾⅓⅔/]|\d[.,]\d")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+")


def split_count(words: str) -> tuple[str | None, str]:
    """Part the words of a line into the count as it is written (None: there is none) and the rest.

    >>> split_count("4x Siege Hammer"), split_count("Siege Hammer x4"), split_count("Kite")
    (('4', 'Siege Hammer'), ('4', 'Siege Hammer'), (None, 'Kite'))
    >>> split_count("+2 Mace"), split_count("2-Headed Ogre")
    ((None, '+2 Mace'), (None, '2-Headed Ogre'))
    """
    for form in (_BEFORE, _GLUED, _X_BEFORE, _BRACKETED):
        found = form.fullmatch(words)
        if found:
            return found["count"], _PARTED.sub("", found["rest"].strip())
    name, tab, last = words.rpartition("\t")
    column = _LAST_COLUMN.fullmatch(last) if tab else None
    if column and not name.strip().isdecimal():
        return column["count"], name.strip()
    found = _AFTER.fullmatch(words)
    if found:
        counts = (found[group] for group in ("count", "count2", "count3", "count4"))
        return next(count for count in counts if count), _JOINED.sub("", found["rest"])
    return None, words


def tail_count(words: str) -> tuple[str, str] | None:
    """Part a number behind a name in a form that is nearly always a count, though a name could end so, too.

    A bare number at the end (`Paper Card 52`) is no such form: it belongs to the name.

    >>> tail_count("Kite (5)"), tail_count("Kite, 3"), tail_count("Kite - 3"), tail_count("Paper Card 52")
    (('5', 'Kite'), ('3', 'Kite'), ('3', 'Kite'), None)
    """
    found = _TOLD.fullmatch(words) or _TAIL.fullmatch(words)
    if found is None or not any(letter.isalpha() for letter in found["rest"]):
        return None
    if found.re is _TOLD and found["barred"] and "|" in found["rest"]:
        return None  # `Kite|ABC|3` is a printing
    groups = found.groupdict()
    counts = (count for group, count in groups.items() if group != "rest" and count)
    return next(counts).translate(_RAISED), _CELL.sub(r"\1", found["rest"].strip())


def head_count(words: str) -> tuple[str, str] | None:
    """Part a number before a name in a form that is a count in any list, though no count elsewhere: cells, and `Qty 3 Kite`.

    >>> head_count("4,Kite"), head_count('"4","Kite"'), head_count("Qty: 3 Kite"), head_count("1,000 Needles")
    (('4', 'Kite'), ('4', 'Kite'), ('3', 'Kite'), None)
    """
    found = _CELL_BEFORE.fullmatch(words) or _SAID_BEFORE.fullmatch(words)
    return (found["count"], _CELL.sub(r"\1", found["rest"].strip())) if found else None


_SIGNS = r"[,;:|/\\_~>→»=#·•]"
_HEAD_SIGN = re.compile(
    rf"\+?(?P<count>\d{{1,3}})(?:(?<=\+\d)\s+|\s?{_SIGNS}\s?|\s?[+~>→»]\s+|\s+of\s+\d+\s+)(?P<rest>[^\W\d_\"“].*)"
    r"|[{<(\[«]\s?(?P<boxed>\d{1,3})\s?[}>)\]»]\s*(?P<rest2>[^\W\d_].*)|(?P<glued>\d{1,2})(?P<rest3>[^\W\d_a-zß-ÿ][^\W\d_]+(?:[ ,'’-].*)?)",
)
_TAIL_SIGN = re.compile(
    rf"(?P<rest>.*[^\W\d_][)\]\"”'’!?.]?)(?:\s?[,;:|/\\_~>→»=·•]\s?(?P<count>\d{{1,3}})|\s*[{{<]\s?(?P<boxed>\d{{1,3}})\s?[}}>]"
    rf"|(?:x|{_SIGN})(?P<glued>\d{{1,2}})|\s(?P<part>\d{{1,2}})(?:/|\s+of\s+)\d{{1,2}}|\s?(?P<raised>[⁰¹²³⁴-⁹½¼¾①-⑳❶-❿]{{1,2}})|\s#(?P<hash>\d{{1,3}}))"
)
_SECOND = re.compile(
    rf"(?<=\S)(?:\s[(\[]?[x×]\s?\d{{1,3}}[)\]]?|\s[(\[]?\d{{1,3}}\s?[x×][)\]]?|[\s,;]\s?\d{{1,3}}\s?{_COPIES}|\s{_SAID}\s*[:.=]*\s*\d{{1,3}})$",
    re.I,
)
_NEXT_CARD = re.compile(
    rf"(?<=\S)(?:\t\s*|[,;|•·、，；+&/]\s*|\s(?:and|und|et|y|e|i|и)\s+|\s{{2,}})\d{{1,2}}\s?{_TIMES}?\s+[^\W\d_]|(?<=\S)\s\d{{1,2}}[x×]\s+[^\W\d_]",
    re.I,
)
_CELLS = re.compile(r"[^\W\d_][\"”]?(?P<sign>[,;])[\"“]?[^\W\d_]|[^\W\d_][\"”]?[,;]\d{1,3}[,;]")
_BRACKETS = re.compile(r"\[[^\[\]]*\]|\([^()]*\)|\{[^{}]*\}|\^[^^]*\^|\s#\S.*")  # `[Land,Ramp]`: categories
_COUNT_INSIDE = re.compile(  # in capitals `X23` belongs to the name, unless a sign parts it from what follows
    rf"[^\W\d_].*\s(?:(?:x\s?\d{{1,2}}|\d{{1,2}}x|{_SIGN}\s?\d{{1,2}})\s+|(?:[xX]\s?\d{{1,2}}|\d{{1,2}}[xX]|{_SIGN}\s?\d{{1,2}}|[(\[][xX]?\d{{1,2}}[xX]?[)\]])\s*[,;|/•·+&]\s*)[^\W\d_]"
)
_CELL_BEHIND = re.compile(r".*[^\W\d_][\"”]?[,;]\d{1,3}")
_OF_SOME = re.compile(r"of \d")
_NUMBER_BETWEEN = re.compile(r"(?<=[^\W\d_])\s\d{1,2}\s+(?=[^\W\d_]{2})")


def left_over(words: str, *, counted: bool) -> str:
    """Say what in a card's words could still be a count, or the beginning of another card; empty where nothing could.

    counted: the card has its count already, so a number beside the name is part of it, unless it says `x3` itself

    >>> left_over("3/Kite", counted=False), left_over("Kite x3", counted=True), left_over("Kite 3", counted=False)
    ('is `3` the count? write `3 Kite`, or `1 3/Kite` if that is the whole name', 'it has two counts; write one, before the name', '')
    """
    if len(words) > LONGEST_CARD or (words[:1] in '"“„«' and words[-1:] in '"”“»'):
        return ""
    if _NEXT_CARD.search(words) or _COUNT_INSIDE.match(words) or len(_NUMBER_BETWEEN.findall(words)) > 1:
        return "are these several cards? write one on a line, or put the name of one in quotes"
    cells = _CELLS.search(_BRACKETS.sub("", words))
    if cells:
        return f"nothing says what stands behind the `{cells['sign'] or ','}`: another card, or another column? (one name goes in quotes)"
    if counted and _OF_SOME.match(words):
        return "which number is the count? write one, before the name"
    if counted:
        two = _SECOND.search(words) or _CELL_BEHIND.fullmatch(words)
        return "it has two counts; write one, before the name" if two else ""
    found = _HEAD_SIGN.fullmatch(words) or _TAIL_SIGN.fullmatch(words)
    if found is None:
        return ""
    count = next(text for group, text in found.groupdict().items() if text and not group.startswith("rest"))
    rest = next(text for group, text in found.groupdict().items() if text and group.startswith("rest"))
    return f"is `{count}` the count? write `{_as_digits(count)} {rest.strip()}`, or `1 {words}` if that is the whole name"


def one_or_several(words: str) -> bool:
    """Whether a number stands between words, as the count of a second card would: `Kite 2 Bell`; names have them, too."""
    return _NUMBER_BETWEEN.search(words) is not None


def _as_digits(count: str) -> str:
    count = count.translate(_RAISED)
    return count if count.isdecimal() else str(int(unicodedata.numeric(count[0], 1)) or 1)


def is_only_a_count(words: str) -> bool:
    """Tell whether the words are a count of copies and nothing else: `4`, `4x`, `x4`.

    >>> is_only_a_count("4x"), is_only_a_count("X"), is_only_a_count("89631139")
    (True, False, False)
    """
    return re.fullmatch(rf"\d{{1,3}}\s?{_TIMES}?|{_TIMES}\s?\d{{1,3}}", words, re.I) is not None


def whole(count: str | float | None) -> int | None:
    """Give a count as a positive whole number up to 999, None where it is not one.

    >>> whole("4"), whole("４"), whole(2.0), whole("0"), whole("1.5"), whole("-3"), whole("10000000")
    (4, 4, 2, None, None, None, None)
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
    """Say what is wrong with a count that `whole` refuses.

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
