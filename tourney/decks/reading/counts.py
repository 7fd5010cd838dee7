"""Copies of a card as people write them: `4`, `4x`, `x4`, `Name x4`; and what is no count of copies."""

from __future__ import annotations

import re
import unicodedata

MOST_COPIES = 999
"""More copies than this on one line is a slip or a prank, not a deck."""

_DIGITS = r"\d{1,900}"
_NUMBER = rf"[-−–]?(?:{_DIGITS}(?:[.,/]{_DIGITS})*[½¼¾⅓⅔]?|[½¼¾⅓⅔])"
# After the number stands an x, a space or both: `4Name` and `2-Headed Ogre` are names.
_BEFORE = re.compile(rf"(?P<count>{_NUMBER})(?:\s+[x×✕]\s+|\s*[×✕]\s*|x\s+|\s+)(?P<rest>\S.*)", re.I)
_GLUED = re.compile(rf"(?P<count>{_DIGITS})x(?P<rest>[^\W\d_].*|[(\[\"“«].*)", re.I)
_X_BEFORE = re.compile(rf"[x×✕]\s?(?P<count>{_NUMBER})\s+(?P<rest>\S.*)", re.I)
_BRACKETED = re.compile(rf"[(\[]\s?(?P<count>{_DIGITS})\s?[x×✕]?[)\]]\s+(?P<rest>\S.*)", re.I)
_AFTER = re.compile(
    rf"(?P<rest>\S.*?)\s+[(\[]?(?:[x×✕]\s?(?P<count>{_NUMBER})|(?P<count2>{_DIGITS})\s?[x×])[)\]]?", re.I
)
_LAST_COLUMN = re.compile(rf"\s*[x×]?(?P<count>{_NUMBER})[x×]?")
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
        return found["count"] or found["count2"], found["rest"].strip()
    return None, words


def is_only_a_count(words: str) -> bool:
    """Tell whether the words are a count of copies and nothing else: `4`, `4x`, `x4`.

    >>> is_only_a_count("4x"), is_only_a_count("X"), is_only_a_count("89631139")
    (True, False, False)
    """
    return re.fullmatch(r"\d{1,3}\s?[x×]?|[x×]\s?\d{1,3}", words, re.I) is not None


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
