"""Copies of a card as people write them: `4`, `4x`, `x4`, `Name x4`; and what is no count of copies."""

from __future__ import annotations

import re
import unicodedata

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
    rf"(?P<count>{_NUMBER})(?:\s+{_TIMES}\s+{_NAMED}|\s*{_SIGN}\s*|{_TIMES}\s+|\s?{_COPIES}\s+(?:of\s+)?|\s?{_COUNTERS}\s*"
    rf"|\s*\*\s*(?=[^\s*])|\s+[-–—:=]\s+|:\s+|:(?=[^\s\d])|\s+)(?P<rest>\S.*)",
    re.I,
)
_GLUED = re.compile(rf"(?P<count>{_DIGITS}){_TIMES}(?P<rest>[^\W\d_].*|[(\[\"“«].*)", re.I)
_X_BEFORE = re.compile(rf"{_TIMES}\s?(?P<count>{_NUMBER})\s+(?!{_COPIES}$)(?P<rest>\S.*)", re.I)
_BRACKETED = re.compile(rf"[(\[]\s?(?P<count>{_DIGITS})\s?{_TIMES}?[)\]]\s+(?P<rest>\S.*)", re.I)
_AFTER = re.compile(
    rf"(?P<rest>\S.*?)(?:\s+[(\[]?(?:{_TIMES}\s?(?P<count>{_NUMBER})|(?P<count2>{_DIGITS})(?:\s?{_TIMES}|\s?{_COPIES}|{_COUNTERS}))[)\]]?"
    rf"|\s*{_SIGN}\s*(?P<count3>{_DIGITS})|\s*\*\s*(?P<count4>\d{{1,3}}))",
    re.I,
)
# Behind the name, where a name could end so, too: `Kite (5)`, `Kite, 3`, `Kite - 3`, `Kite: 3`, `Kite ... 3`.
_TAIL = re.compile(
    rf"(?P<rest>\S.*?)(?:\s*\(\s?(?P<round>\d{{1,3}})\s?\)|\s*\[\s?(?P<square>\d{{1,3}})\s?\]"
    rf"|(?:\s*(?:(?<!\d)[,;:]|[,;:]\s)|\s[=|→])\s*(?P<listed>{_NUMBER})|\s+[-–—]{{1,2}}\s*(?P<dashed>\d{{1,3}})|\s*(?:\.{{2,}}|…)\s*(?P<dotted>\d{{1,3}}))"
)
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
            return found["count"], found["rest"].strip()
    name, tab, last = words.rpartition("\t")
    column = _LAST_COLUMN.fullmatch(last) if tab else None
    if column and not name.strip().isdecimal():
        return column["count"], name.strip()
    found = _AFTER.fullmatch(words)
    if found:
        counts = (found[group] for group in ("count", "count2", "count3", "count4"))
        return next(count for count in counts if count), found["rest"].strip()
    return None, words


def tail_count(words: str) -> tuple[str, str] | None:
    """Part a number behind a name in a form that is nearly always a count, though a name could end so, too.

    A bare number at the end (`Paper Card 52`) is no such form: it belongs to the name.

    >>> tail_count("Kite (5)"), tail_count("Kite, 3"), tail_count("Kite - 3"), tail_count("Paper Card 52")
    (('5', 'Kite'), ('3', 'Kite'), ('3', 'Kite'), None)
    """
    found = _TAIL.fullmatch(words)
    if found is None or not any(letter.isalpha() for letter in found["rest"]):
        return None
    counts = (found[group] for group in ("round", "square", "listed", "dashed", "dotted"))
    return next(count for count in counts if count), found["rest"].strip()


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
        return "zero copies" if int(text) == 0 else f"more than {MOST_COPIES} copies on one line"
    return "not a number"


def _plain(text: str) -> str:
    return (
        "".join(str(unicodedata.decimal(letter, letter)) for letter in text)
        .replace("−", "-")
        .replace("–", "-")
    )
