"""Separates counts of copies from card names, and finds numbers that could be counts.

There are four degrees of certainty:

1. `split_count`: the form is a count in any list: `4 Kite`, `Kite x4`.
2. `head_count`, `tail_count`: nearly always a count, but possibly a part of a name: `Kite (5)`, `4,Kite`.
3. `DOUBTS`: the name may still contain a count or another card: `3/Kite`, `Kite -> Bell`; see `questions`.
4. `name_without_number`: a part of the name, unless other lines show that the number is a count: `Kite III`.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache

from tourney.cards.names import fold
from tourney.decks.reading.names import CACHE_SIZE
from tourney.decks.reading.words import insert_fragments, lazy_pattern, lists, tables, words

MAX_COPIES = 999
"""The maximum number of copies on one line; a larger number is an error."""


# -- a count as a number


def whole_number(count: str | float | None) -> int | None:
    """Return a count as a whole number from 1 to 999; None if it is not one.

    >>> [whole_number(count) for count in ("4", "４", 2.0, "0", "1.5", "-3", "10000000")]
    [4, 4, 2, None, None, None, None]
    """
    if isinstance(count, bool) or count is None:
        return None
    if isinstance(count, float):
        return int(count) if count.is_integer() and 1 <= count <= MAX_COPIES else None
    if isinstance(count, str):
        digits = count.strip()
        if not digits.isdecimal() or len(digits) > 30:
            return None
        count = int(digits)
    return count if 1 <= count <= MAX_COPIES else None


# -- counts beside names


_FORMS = tables("counts.toml")
_FRAGMENTS: Mapping[str, str] = _FORMS["fragments"]
COUNT_FORMS = {
    kind: [insert_fragments(pattern, _FRAGMENTS) for pattern in patterns]
    for kind, patterns in _FORMS["forms"].items()
}
DOUBTS = [
    (doubt, [insert_fragments(pattern, _FRAGMENTS) for pattern in doubt["patterns"]])
    for doubt in _FORMS["doubt"]
]
(_TAIL_SIGN,) = COUNT_FORMS["tail-sign"]
_QUOTED_CELL = lazy_pattern(r"^\"([^\"]+)\"(?=\s|$)")
RAISED = {ord(sign): str(place) for place, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}
_SIGN_BEFORE = lazy_pattern(r"^(?:-+>|[/→>»~–—=]+)\s+(?=[^\W_])")  # `3 → Kite`
_SIGN_BEHIND = lazy_pattern(r"(?:\s*[,;:]|\s+[-–—=])*\s*$")  # `Kite - 3 pcs`, `Kite, x3`


def match_form(kind: str, line: str) -> re.Match[str] | None:
    """Return the match of a whole line with one of several patterns; None if no pattern fits.

    kind: the key of these patterns in the table `forms` of `counts.toml`, such as `before`
    """
    return next(filter(None, (form.fullmatch(line) for form in COUNT_FORMS[kind])), None)


def split_count(line: str) -> tuple[str | None, str]:
    """Return the count on a line as written (None without a count), and the line without it.

    >>> split_count("4x Siege Hammer"), split_count("Siege Hammer x4"), split_count("Kite")
    (('4', 'Siege Hammer'), ('4', 'Siege Hammer'), (None, 'Kite'))
    >>> split_count("+2 Mace"), split_count("2-Headed Ogre")
    ((None, '+2 Mace'), (None, '2-Headed Ogre'))
    """
    if match := match_form("before", line):
        return match["count"], _SIGN_BEFORE.sub("", match["rest"].strip())
    name, tab, last = line.rpartition("\t")
    column = match_form("last-column", last) if tab else None
    if column and not name.strip().isdecimal():
        return column["count"], name.strip()
    match = match_form("behind", line)
    if match and f"{line[0]}{line[-1]}" not in ("()", "[]"):
        rest, *counts = match.groups()
        return next(filter(None, counts)), _SIGN_BEHIND.sub("", rest)
    return None, line


def tail_count(line: str) -> tuple[str, str] | None:
    """Return the number after a name, and the name, if the number is nearly always a count.

    A bare number at the end (`Paper Card 52`) belongs to the name.

    >>> tail_count("Kite (5)"), tail_count("Kite, 3"), tail_count("Kite - 3"), tail_count("Paper Card 52")
    (('5', 'Kite'), ('3', 'Kite'), ('3', 'Kite'), None)
    """
    match = _TAIL_SIGN.search(line) and (match_form("sure-tail", line) or match_form("tail", line))
    if not match or not any(map(str.isalpha, match["rest"])):
        return None
    return match["count"].translate(RAISED), _QUOTED_CELL.sub(r"\1", match["rest"].strip())


def head_count(line: str) -> tuple[str, str] | None:
    """Return the count and the name on a line such as `4,Kite` or `Qty: 3 Kite`; else None.

    >>> head_count("4,Kite"), head_count('"4","Kite"'), head_count("Qty: 3 Kite"), head_count("1,000 Needles")
    (('4', 'Kite'), ('4', 'Kite'), ('3', 'Kite'), None)
    """
    match = match_form("head", line)
    return (match["count"], _QUOTED_CELL.sub(r"\1", match["rest"].strip())) if match else None


def is_only_a_count(line: str) -> bool:
    """Return whether a text is a count of copies and nothing else: `4`, `4x`, `x4`, `(4)`.

    >>> is_only_a_count("4x"), is_only_a_count("(4)"), is_only_a_count("X"), is_only_a_count("89631139")
    (True, True, False, False)
    """
    if line[:1] + line[-1:] in ("()", "[]"):
        line = line[1:-1].strip()
    return match_form("alone", line) is not None


# -- numbers beside a name, also in words or with a unit: `two Kite`, `Kite III`, `Kite 3 ea`


_NUMBER_WORDS = {
    fold(word): int(number) for number, names in reversed(list(lists("numbers").items())) for word in names
}
_ROMAN = {numeral: number for number, numeral in enumerate(words("counts", "roman"), start=1)}


def parse_number(word: str) -> int | None:
    """Return the number that a word means: in digits, words, or Roman numerals up to twelve.

    >>> [parse_number(word) for word in ("3", "３", "two", "Zwei", "III", "Kite", "2026")]
    [3, 3, 2, 2, 3, None, 2026]
    """
    if word.isdecimal():
        return int(word) if len(word) < 10 else None
    word = unicodedata.normalize("NFKC", word).rstrip("枚张張장매") or word  # `Ⅲ` is one character
    if word[:1] in "x×" and word[1:].isdecimal():
        return int(word[1:3])
    return _NUMBER_WORDS.get(fold(word)) or _ROMAN.get(word.upper() if word.islower() else word)


_UNITS = frozenset(words("counts", "units"))
_COUNTING = (
    _UNITS
    | {word.casefold() for names in lists("numbers").values() for word in names}
    | set(map(str.lower, _ROMAN))
) - {"a", "an", "of"}
_WORD = lazy_pattern(r"\d+(?:[./]\d+)*\w*|\w+")
_HAS_COUNTER = lazy_pattern(r"\d|[枚张張장매]")
_PIECE = lazy_pattern(r"[^\s.,:;()\[\]{}+−@~=]+")


@lru_cache(maxsize=CACHE_SIZE)
def name_without_number(name: str, *, has_count: bool = False) -> str | None:
    """Remove a number that could be a count from an end of a name, and return the rest.

    Returns None if neither end has such a number, or if no letters would be left.

    has_count: whether a count precedes the name. If so, a unit without a number (`ea`) is removed, too, but
               words are removed only if one of them is in lower case (`three`, `3 ea`)

    >>> [name_without_number(name) for name in ("two Kite", "Kite III", "Kite 3", "Kite 3 ea")]
    ['Kite', 'Kite', 'Kite', 'Kite']
    >>> [name_without_number(name) for name in ("Kite", "Paper Card 2026", "A Kite", "Unit X")]
    [None, None, None, None]
    >>> name_without_number("Kite III", has_count=True), name_without_number("Kite 3 ea", has_count=True)
    (None, 'Kite')
    """
    has_number_word = not _COUNTING.isdisjoint(_WORD.findall(unicodedata.normalize("NFKC", name).casefold()))
    if not has_number_word and not _HAS_COUNTER.search(name):
        return None
    pieces = [word for word in (piece.strip("-–—") for piece in _PIECE.findall(name)) if word]
    return _remove_number(pieces[::-1], has_count=has_count, is_at_end=True) or _remove_number(
        pieces, has_count=has_count, is_at_end=False
    )


def _remove_number(inwards: Sequence[str], *, has_count: bool, is_at_end: bool) -> str | None:
    """Return a name without a count at one end, such as `two`, `III` or `3 copies`.

    Returns None if there is no count at that end, or if no letters would be left. A unit without a
    number is removed only if `has_count` is true.

    inwards:   the words of the name, beginning at the end where the count may be
    has_count: whether a count precedes the name. If so, one of the words to remove must be in lower case
    is_at_end: whether that end is the end of the name, so that `inwards` has the words in reverse order
    """
    rest = list(itertools.dropwhile(is_unit, inwards))
    number = parse_number(rest[0]) if len(rest) > 1 else None
    is_first = not is_at_end and len(rest) == len(inwards)
    if number is not None and _could_count(rest[0], number, is_first=is_first):
        rest = list(itertools.dropwhile(is_unit, rest[1:]))
    elif not has_count or len(rest) in (0, len(inwards)):
        return None  # without a number, a unit has a meaning only if the name has a count
    number_words = inwards[: len(inwards) - len(rest)]
    if has_count and not any(map(str.islower, number_words)):
        return None
    short_name = " ".join(rest[::-1] if is_at_end else rest)
    return short_name if any(map(str.isalpha, short_name)) else None


def _could_count(word: str, number: int, *, is_first: bool) -> bool:
    """Return whether a number beside a card's name could be its number of copies.

    is_first: whether the number is the first word of the name
    """
    if word.isdecimal():
        return number < 100 and not is_first  # digits before a name were already read as its count
    return number > 1 and word not in ("V", "X", "v", "x")


def is_unit(word: str) -> bool:
    """Return whether a word is a unit of copies: `ea`, `pcs`."""
    return word.casefold() in _UNITS
