"""Separates counts of copies from card names, and finds numbers that could be counts.

There are four degrees of certainty:

1. `split_count`: the form is a count in any list: `4 Kite`, `Kite x4`.
2. `head_count`, `tail_count`: nearly always a count, but possibly a part of a name: `Kite (5)`, `4,Kite`.
3. `doubt_about_count`: the rest may contain a count or another card: `3/Kite`, `Kite -> Bell`.
4. `number_beside`: a part of the name, unless the list shows that the number is a count: `Kite III`.

If no pool knows a name, `name_inside` and `joined_names` look for known names among its words.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache

from tourney.cards.names import fold
from tourney.decks.reading.names import CACHE_SIZE, COPY_IN_BRACKETS, MAX_CARD
from tourney.decks.reading.words import late, lists, squeeze, words

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


_FRACTION = late(r"[½¼¾⅓⅔/]|\d[.,]\d")
_THOUSANDS = late(r"\d{1,3}(?:,\d{3})+")


def explain_count(count: str | float | None) -> str:
    """Return what is wrong with a count that `whole_number` refuses.

    >>> [explain_count(count) for count in ("0", "-3", "1.5", "10000000")]
    ['zero copies', 'a negative count', 'not a whole number', 'more than 999 copies on one line']
    """
    too_many = f"more than {MAX_COPIES} copies on one line"
    if isinstance(count, float) and abs(count) > MAX_COPIES:
        return "a negative count" if count < 0 else too_many
    digits = "".join(str(unicodedata.decimal(letter, letter)) for letter in str(count).strip())
    digits = digits.replace("−", "-").replace("–", "-")
    if _THOUSANDS.fullmatch(digits):
        return too_many
    if _FRACTION.search(digits):
        return "not a whole number"
    if digits.startswith("-"):
        return "a negative count"
    if digits.isdecimal():
        return too_many if digits.strip("0") else "zero copies"
    return "not a number"


# -- counts beside names


_DIGITS = r"\d{1,900}"
_NUMBER = rf"[-−–]?(?:{_DIGITS}(?:[.,/]{_DIGITS})*[½¼¾⅓⅔]?|[½¼¾⅓⅔])"
_TIMES = "[xｘх×✕✖Ⅹ]"
"""The letter x, letters that look like it, and the signs for times."""
_SIGN = "[×✕✖]"
# What follows `4 x`. In `1 X (ABC) 12` the X is the name.
_NAMED = r"(?![{*#|<]|[\[(][^\])]*[\])](?!\s*[^\W\d_]))"
_COPIES = r"(?:copies|copy|pcs\.?|pieces?|stück|stk\.?|szt\.?|шт\.?|ex\.)"
_COUNTERS = "[枚张張장]"
_QUANTITY = r"(?:qty|quantity|count|copies|ct|anzahl|menge|quantité|cantidad|quantità|ilość|кол-во|数量)"
# After the number there is an x, a space or both: `4Name` and `2-Headed Ogre` are names.
_BEFORE = late(
    rf"(?P<count>{_NUMBER})(?:\s+{_TIMES}\s+{_NAMED}|\s*{_SIGN}\s*|{_TIMES}\s+|\s?{_COPIES}\s+(?:of\s+)?"
    rf"|(?:ea|each|pc|units?)\.?\s+(?:of\s+)?|(?:-|\s+)of\s+(?!\d)|\s?{_COUNTERS}\s*"
    r"|\s*\*\s*(?=[^\s*])|\s+[-–—:=]\s+|:\s+|:(?=[^\s\d])|\s+)(?P<rest>\S.*)",
    re.I,
)
_GLUED = late(
    rf"(?P<count>{_DIGITS})(?:{_TIMES}(?=[^\W\d_]|[(\[\"“«])|{_TIMES}?\s*(?=[《「『【〈]))(?P<rest>.+)", re.I
)
_X_BEFORE = late(rf"{_TIMES}\s?(?P<count>{_NUMBER})\s+(?!{_COPIES}$)(?P<rest>\S.*)", re.I)
_BRACKETED = late(rf"[(\[]\s?(?P<count>{_DIGITS})\s?{_TIMES}?[)\]]\s+(?P<rest>\S.*)", re.I)
_AFTER = late(
    rf"(?P<rest>\S.*?)(?:\s+[(\[]?(?:{_TIMES}\s?(?P<count>{_NUMBER}){_COUNTERS}?"
    rf"|(?P<count2>{_DIGITS})(?:\s?{_TIMES}|\s?{_COPIES}|{_COUNTERS}))[)\]]?"
    rf"|\s*{_SIGN}\s*(?P<count3>{_DIGITS}){_COUNTERS}?|\s*\*\s*(?P<count4>\d{{1,3}})"
    rf"|(?<=[》」』〉])\s*(?P<count5>\d{{1,3}})\s?{_COUNTERS}?)",
    re.I,
)
# A form in which a name could end, too: `Kite (5)`, `Kite, 3`, `Kite - 3`, `Kite: 3`, `Kite ... 3`.
_TAIL = late(
    r"(?P<rest>\S.*?)(?:\s*\(\s?(?P<round>\d{1,3})\s?\)|\s*\[\s?(?P<square>\d{1,3})\s?\]"
    rf"|(?:\s*(?:(?<!\d)[,;:]|[,;:]\s)|\s[=|→])\s*(?P<listed>{_NUMBER})"
    r"|\s+[-–—]{1,2}\s*(?P<dashed>\d{1,3})"
    r"|\s*(?:\.{2,}|…)\s*(?P<dotted>\d{1,3}))"
)
# A form that is a count in any list: `Kite(x3)`, `Kite (3)x`, `Kite Qty: 3`, `Kite, 3 copies`.
_SURE_TAIL = late(
    rf"(?P<rest>\S.*?)(?:\s*[(\[{{]\s?{_TIMES}\s?(?P<times>\d{{1,3}})\s?[)\]}}]"
    rf"|\s*[(\[{{]\s?(?P<round>\d{{1,3}})\s?{_TIMES}?\s?[)\]}}]\s?{_TIMES}"
    rf"|[\s,;(\[]+{_QUANTITY}\s*[:.=]*\s*(?P<labelled>\d{{1,3}})[)\]]?"
    rf"|\s*[,;]\s*(?P<copies>\d{{1,3}})\s?(?:{_COPIES}|{_TIMES})"
    r"|\s?\|\s?(?P<barred>\d{1,2})|\s(?P<raised>[⁰¹²³⁴-⁹]{1,2}))",
    re.I,
)
_QUANTITY_BEFORE = late(
    rf"{_QUANTITY}\s*[:.=]*\s*(?P<count>\d{{1,3}})[\s,;:|]+(?:(?:card ?)?name\s*[:=]\s*)?"
    r"(?P<rest>[^\W\d_].*)",
    re.I,
)
_CELL_BEFORE = late(
    r"(?P<quote>[\"“]?)(?P<count>\d{1,3})(?P=quote)\s*[,;|]\s*(?P<rest>[^\W\d_].*|[\"“'«(\[].*)"
)
_QUOTED_CELL = late(r"^\"([^\"]+)\"(?=\s|$)")
_RAISED = {ord(sign): str(place) for place, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}
_SIGN_BEFORE = late(r"^(?:-+>|[/→>»~–—=]+)\s+(?=[^\W_])")  # `3 → Kite`
_SIGN_BEHIND = late(r"(?:\s*[,;:]|\s+[-–—=])*\s*$")  # `Kite - 3 pcs`, `Kite, x3`
_LAST_COLUMN = late(rf"\s*{_TIMES}?(?P<count>{_NUMBER}){_TIMES}?", re.I)


def split_count(line: str) -> tuple[str | None, str]:
    """Return the count on a line as written (None if there is none) and the rest.

    >>> split_count("4x Siege Hammer"), split_count("Siege Hammer x4"), split_count("Kite")
    (('4', 'Siege Hammer'), ('4', 'Siege Hammer'), (None, 'Kite'))
    >>> split_count("+2 Mace"), split_count("2-Headed Ogre")
    ((None, '+2 Mace'), (None, '2-Headed Ogre'))
    """
    for form in (_BEFORE, _GLUED, _X_BEFORE, _BRACKETED):
        if match := form.fullmatch(line):
            return match["count"], _SIGN_BEFORE.sub("", match["rest"].strip())
    name, tab, last = line.rpartition("\t")
    column = _LAST_COLUMN.fullmatch(last) if tab else None
    if column and not name.strip().isdecimal():
        return column["count"], name.strip()
    match = _AFTER.fullmatch(line)
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
    match = _SURE_TAIL.fullmatch(line) or _TAIL.fullmatch(line)
    if match is None or not any(map(str.isalpha, match["rest"])):
        return None
    rest, *counts = match.groups()
    if match.groupdict().get("barred") and "|" in rest:
        return None  # `Kite|ABC|3` is a printing
    return next(filter(None, counts)).translate(_RAISED), _QUOTED_CELL.sub(r"\1", rest.strip())


def head_count(line: str) -> tuple[str, str] | None:
    """Return the number before a name, and the name, in a row of cells or after `Qty`.

    >>> head_count("4,Kite"), head_count('"4","Kite"'), head_count("Qty: 3 Kite"), head_count("1,000 Needles")
    (('4', 'Kite'), ('4', 'Kite'), ('3', 'Kite'), None)
    """
    match = _CELL_BEFORE.fullmatch(line) or _QUANTITY_BEFORE.fullmatch(line)
    return (match["count"], _QUOTED_CELL.sub(r"\1", match["rest"].strip())) if match else None


_ONLY_A_COUNT = late(rf"\d{{1,3}}\s?{_TIMES}?|{_TIMES}\s?\d{{1,3}}", re.I)


def is_only_a_count(line: str) -> bool:
    """Return whether a text is a count of copies and nothing else: `4`, `4x`, `x4`, `(4)`.

    >>> is_only_a_count("4x"), is_only_a_count("(4)"), is_only_a_count("X"), is_only_a_count("89631139")
    (True, True, False, False)
    """
    if line[:1] + line[-1:] in ("()", "[]"):
        line = line[1:-1].strip()
    return _ONLY_A_COUNT.fullmatch(line) is not None


# -- words that could be a count or another card


_HEAD_SIGN = late(
    r"(?P<raised>[⁰¹²³⁴-⁹]{1,2})\s*(?P<rest4>[^\W\d_].*)"
    r"|\+?(?P<count>\d{1,3})(?:(?<=\+\d)\s+|\s?[,;:|/\\_~>→»=#·•]\s?|\s?[+~>→»]\s+|\s+of\s+\d+\s+)"
    r"(?P<rest>[^\W\d_\"“].*)"
    r"|[{<(\[«]\s?(?P<boxed>\d{1,3})\s?[}>)\]»]\s*(?P<rest2>[^\W\d_].*)"
    r"|(?P<glued>\d{1,2})(?P<rest3>[^\W\d_a-zß-ÿ][^\W\d_]+(?:[ ,'’-].*)?)",
)
_TAIL_SIGN = late(
    r"(?P<rest>.*[^\W\d_][)\]\"”'’!?.]?)(?:\s?[,;:|/\\_~>→»=·•]\s?(?P<count>\d{1,3})"
    r"|\s*[{<]\s?(?P<boxed>\d{1,3})\s?[}>]"
    rf"|(?:x|{_SIGN})(?P<glued>\d{{1,2}})|\s(?P<part>\d{{1,2}})(?:/|\s+of\s+)\d{{1,2}}"
    r"|\s(?P<priced>\d{1,2})\s+\d{1,6}(?:[.,]\d{1,2})?|\s?\|\s?(?P<barred>\d{1,2})\s?\|.*"
    r"|\s?(?P<raised>[⁰¹²³⁴-⁹½¼¾①-⑳❶-❿]{1,2})|\s#(?P<hash>\d{1,3}))"
)
_SECOND_COUNT = late(
    r"(?<=\S)(?:\s[(\[]?[x×]\s?\d{1,3}[)\]]?|\s[(\[]?\d{1,3}\s?[x×][)\]]?"
    rf"|[\s,;]\s?\d{{1,3}}\s?{_COPIES}|\s{_QUANTITY}\s*[:.=]*\s*\d{{1,3}})$",
    re.I,
)
_NEXT_CARD = late(
    r"(?<=\S)(?:\t\s*|\s?[,;|•·、，；+&/]\s*|\s[-–—]\s+|(?<=[^\W\d_]{4})\.\s+"
    r"|\s(?:and|und|u\.|et|y|e|i|и|plus)\s+|\s{2,})"
    rf"\d{{1,2}}\s?{_TIMES}?(?:\s+|\s*[|/,;:–—-]\s*)[^\W\d_]|(?<=\S)\s\d{{1,2}}[x×]\s+[^\W\d_]",
    re.I,
)
_PLUS = late(r"[^\W_]\s\+\s(?=[^\W_])")  # `2 Kite + Bell`
_CELLS = late(r"[^\W\d_][\"”]?(?P<sign>[,;])[\"“]?[^\W\d_]|[^\W\d_][\"”]?[,;]\d{1,3}[,;]")
_BRACKETS = late(r"\[[^\[\]]*\]|\([^()]*\)|\{[^{}]*\}|\^[^^]*\^|\s#\S.*")  # `[Land,Ramp]`: categories
_COUNT_INSIDE = late(  # in capitals `X23` belongs to the name, unless a sign separates it from what follows
    rf"[^\W\d_].*\s(?:(?:x\s?\d{{1,2}}|\d{{1,2}}x|{_SIGN}\s?\d{{1,2}})\s+"
    rf"|(?:[xX]\s?\d{{1,2}}|\d{{1,2}}[xX]|{_SIGN}\s?\d{{1,2}}|[(\[][xX]?\d{{1,2}}[xX]?[)\]])"
    r"\s*[,;|/•·+&]\s*)[^\W\d_]"
)
_SEMICOLON_INSIDE = late(r"[^,;]*[^\W\d_];[^\W\d_][^,;]*")  # `3 TL;DR` is not a row of a table
_CELL_BEHIND = late(r".*[^\W\d_][\"”]?[,;]\d{1,3}")
_ARROW = late(r"[\w)\]]\s*(?:->|=>|→|⇒|-->)\s*[^\W\d_]")
_UNSURE = late(  # `3-4 Kite`, `4? Kite`, `~3 Kite`, `about 3 Kite`
    r"\d{1,2}(?:\s?[-–—]\s?\d{1,2}|\s?\?+)\s?[x×]?\s+[^\W\d_]"
    r"|(?:[~≈±]|(?:ca|circa|about|approx|roughly|up to|at least|at most|max|min|maybe|perhaps|etwa|ungefähr"
    r"|vielleicht|evtl|bis zu|mind|quizás|forse|może)\.?\s)\s?\d{1,2}\s?[x×]?\s+[^\W\d_]",
    re.I,
)
_AND_A_COUNT = late(
    r"(?:(?-i:x)\d{1,2}|\d{1,2}\s?[x×]|(?:or|to|oder|bis|ou|o|или|do)\s\d{1,2}\s?[x×]?)\s+[^\W\d_]", re.I
)
_OF_A_NUMBER = late(r"of \d")
_TWO_BEFORE = late(r"\d{1,3}\s*[,;|/]\s*\d{1,3}\s*[,;|/]\s*[^\W\d_]")
_NUMBER_BETWEEN = late(r"(?:(?<=[^\W\d_])|(?<=[.!?]))\s\d{1,2}\s+(?=[^\W\d_]{2})")
_COUNT_OR_CELL = late(r"[\d+,;>?→⇒⁰¹²³⁴-⁹½¼¾①-⑳❶-❿]")

TWO_COUNTS = "it has two counts; write one, before the name"


def is_only_words(name: str) -> bool:
    """Return whether a name has no signs that could be counts or separate cells."""
    return _COUNT_OR_CELL.search(name) is None


@lru_cache(maxsize=CACHE_SIZE)
def doubt_about_count(name: str, *, counted: bool) -> str:
    """Return a doubt if words could contain a count or another card; else empty.

    counted: whether the card has a count, so that other numbers belong to the name, except `x3`

    >>> doubt_about_count("3/Kite", counted=False)
    'is `3` the count? write `3 Kite`, or `1 3/Kite` if that is the whole name'
    >>> doubt_about_count("Kite x3", counted=True), doubt_about_count("Kite 3", counted=False)
    ('it has two counts; write one, before the name', '')
    """
    if is_only_words(name) or len(name) > MAX_CARD or (name[:1] in '"“„«' and name[-1:] in '"”“»'):
        return ""
    doubt = _unsure(name, counted=counted) or _several_cards(name, counted=counted)
    if doubt:
        return doubt
    if counted:
        return TWO_COUNTS if _SECOND_COUNT.search(name) or _CELL_BEHIND.fullmatch(name) else ""
    match = _HEAD_SIGN.fullmatch(name) or _TAIL_SIGN.fullmatch(name)
    if match is None:
        return ""
    parts = [(group, text) for group, text in match.groupdict().items() if text]
    count = next(text for group, text in parts if not group.startswith("rest"))
    rest = next(text for group, text in parts if group.startswith("rest")).strip()
    return (
        f"is `{count}` the count? write `{_in_digits(count)} {rest}`, or `1 {name}` if that is the whole name"
    )


def _several_cards(name: str, *, counted: bool) -> str:
    """Return a doubt if words may be several cards, or cells of a table; else empty."""
    outside = _BRACKETS.sub("", name)  # `count_in_brackets` reads the brackets
    if (
        (counted and _PLUS.search(outside))
        or _NEXT_CARD.search(outside)
        or _COUNT_INSIDE.match(name)
        or len(_NUMBER_BETWEEN.findall(name)) > 1
    ):
        return "are these several cards? write one on a line, or put the name of one in quotes"
    cells = _CELLS.search(outside)
    if cells is None or (counted and _SEMICOLON_INSIDE.fullmatch(name)):
        return ""
    sign = cells["sign"] or ","
    return f"is another card behind the `{sign}`, or another column? (put a name that has one in quotes)"


def _unsure(name: str, *, counted: bool) -> str:
    """Return why it is unclear how often a card is played: `Kite -> Bell`, `3-4 Kite`."""
    if _ARROW.search(name):
        return "one card instead of another? write each card that is played on a line of its own"
    if name.endswith((" ?", "??")):
        return "is it played? write the card without `?`, or leave it out"
    if _UNSURE.match(name) or (counted and _AND_A_COUNT.match(name)):
        return "how many? write one count, in digits, before the name"
    if (counted and _OF_A_NUMBER.match(name)) or (not counted and _TWO_BEFORE.match(name)):
        return "which number is the count? write one, before the name"
    return ""


def _in_digits(count: str) -> str:
    count = count.translate(_RAISED)
    return count if count.isdecimal() else str(int(unicodedata.numeric(count[0], 1)) or 1)


def has_number_between(name: str) -> bool:
    """Return whether a number or a semicolon is between words: `Kite 2 Bell`."""
    return _NUMBER_BETWEEN.search(name) is not None or _SEMICOLON_INSIDE.fullmatch(name) is not None


def starts_with_number(name: str) -> bool:
    """Return whether a name after a count begins with a number: `1 2 Kite` may be two copies."""
    return name[:1].isdecimal() and re.match(r"\d{1,2}\s+[^\W\d_]", name) is not None


# -- brackets that could count copies


_ROUND = {
    ord(sign): plain for plain, signs in (("(", "（［【「『〈"), (")", "）］】」』〉")) for sign in signs
}
_OPENING = frozenset("([{<")
_BRACKET = late(r"[(\[{<]([^()\[\]{}<>]+)[)\]}>]")
# `+1`, `3+1`, `x2`, `2 Kite`, `SB: 1`, `or 2`; not `Pack 2`, `15:16 - K`, `#2`, `2nd`
_PART_OF_COPIES = late(
    r"(?:^|[\s,;/&])(?:[+−–-]\s?\d{1,2}|\d{1,2}\s?\+\s?\d{1,2}|[x×]\s?\d{1,2}|\d{1,2}\s?[x×])(?![\w/])"
    rf"|(?:^|[\s,;/&])\d{{1,2}}\s?(?:{_COPIES}|[x×])?\s+[^\W\d_]"
    r"|^(?-i:(?!(?:part|pack|set|series|version|ver|vol|art|level|lvl|cost|mana|cmc|page|no|nr|p|v)\b)"
    r"[a-zß-ÿа-я]+)(?:\s[a-zß-ÿа-я]+)*[:=]?\s\d{1,2}(?![\w/])"
    r"|(?:^|[\s,;/&])(?:or|and|plus|extra|und|oder|ou|et|o|y|e|или|и)[:=]?\s\d{1,2}(?![\w/])",
    re.I,
)
_TWO_NUMBERS = late(r"1?\d\s?[/|:]\s?1?\d")
"""Numbers such as `2/2`: counts of two zones, or attributes.

Collectors' numbers are larger.
"""
_ALTERNATIVE = late(
    r"[(\[{](?:or|oder|ou|или|instead of|in place of|statt|anstatt|anstelle von|au lieu de|en vez de"
    r"|al posto di|zamiast|вместо|(?-i:and|und|et|plus|и|oraz))\s[^()\[\]{}]+[)\]}]",
    re.I,
)
_NOT_WORDS = late(r"[\W\d_]+")
_DESCRIBING = frozenset(words("cards", "units"))


def count_in_brackets(name: str, *, is_zone: Callable[[str], bool] = lambda _: False) -> str | None:
    """Return the first bracket that could count copies or name another card: `(or Bell)`.

    is_zone: returns whether words head a zone, so that a number beside them counts cards of the zone

    >>> names = "Kite (1 SB)", "Kite [+1]", "(2 Bell)", "Kite (Pack 2)", "Kite (2)"
    >>> [count_in_brackets(name) for name in names]
    ['(1 SB)', '[+1]', '(2 Bell)', None, None]
    >>> [count_in_brackets(name) for name in ("Kite (2/2)", "Kite (25/102)")]
    ['(2/2)', None]
    >>> names = "Kite (two Bell)", "Kite（2 Bell）", "Kite (and Bell)", "Kite (Two Towers)"
    >>> [count_in_brackets(name) for name in names]
    ['(two Bell)', '（2 Bell）', '(and Bell)', None]
    """
    written, name = name, name if name.isascii() else name.translate(_ROUND)
    if not _OPENING.intersection(name):
        return None
    if match := _ALTERNATIVE.search(name):
        return written[slice(*match.span())]
    brackets = list(_BRACKET.finditer(name))
    for counts_copies in (_says_number, _could_be_copies):
        for bracket in brackets:
            if counts_copies(bracket, is_zone):
                return written[slice(*bracket.span())]
    return None


def _says_number(bracket: re.Match[str], is_zone: Callable[[str], bool]) -> bool:
    """Return whether a bracket begins with a number in words: `(two Bell)`, `(one SB)`."""
    number, _, rest = bracket[1].strip().partition(" ")
    return number.isalpha() and bool(number_in(number)) and (is_zone(rest) or number.islower())


def _could_be_copies(bracket: re.Match[str], is_zone: Callable[[str], bool]) -> bool:
    inside = bracket[1].strip()
    if not any(map(str.isdecimal, inside)) or COPY_IN_BRACKETS.fullmatch(bracket[0]):
        return False
    if _TWO_NUMBERS.fullmatch(inside) or is_zone(_NOT_WORDS.sub(" ", inside).strip()):
        return True
    for match in _PART_OF_COPIES.finditer(inside):
        next_word = re.match(r"[^\W\d_]*", inside[match.end() - 1 :])
        if next_word is None or next_word[0].casefold() not in _DESCRIBING:
            return True
    return False


# -- numbers beside a name, also in words or with a unit: `two Kite`, `Kite III`, `Kite 3 ea`


_NUMBER_WORDS = {
    fold(word): int(number) for number, names in reversed(list(lists("numbers").items())) for word in names
}
_ROMAN = {
    numeral: number
    for number, numeral in enumerate(
        ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"], start=1
    )
}


def number_in(word: str) -> int | None:
    """Return the number that a word means: in digits, words, or Roman numerals up to twelve.

    >>> [number_in(word) for word in ("3", "３", "two", "Zwei", "III", "Kite", "2026")]
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
_WORD = late(r"\d+(?:[./]\d+)*\w*|\w+")
_HAS_COUNTER = late(r"\d|[枚张張장매]")
_PIECE = late(r"[^\s.,:;()\[\]{}+−@~=]+")


@lru_cache(maxsize=CACHE_SIZE)
def number_beside(name: str, *, counted: bool = False) -> str | None:
    """Return a name without a number at its beginning or end that could be a count.

    Returns None if there is no such number.

    counted: whether a count precedes the name. Then a number at its end belongs to the name, unless it is
             written in small letters or has a unit.

    >>> [number_beside(name) for name in ("two Kite", "Kite III", "Kite 3", "Kite 3 ea")]
    ['Kite', 'Kite', 'Kite', 'Kite']
    >>> [number_beside(name) for name in ("Kite", "Paper Card 2026", "A Kite", "Unit X")]
    [None, None, None, None]
    >>> number_beside("Kite III", counted=True), number_beside("Kite 3 ea", counted=True)
    (None, 'Kite')
    """
    counting = not _COUNTING.isdisjoint(_WORD.findall(unicodedata.normalize("NFKC", name).casefold()))
    if not counting and not _HAS_COUNTER.search(name):
        return None
    pieces = [word for word in (piece.strip("-–—") for piece in _PIECE.findall(name)) if word]
    return _without_number(pieces[::-1], counted=counted, behind=True) or _without_number(
        pieces, counted=counted, behind=False
    )


def _without_number(inwards: Sequence[str], *, counted: bool, behind: bool) -> str | None:
    """Return the name without the number and units at one of its ends.

    inwards: the words from that end inwards
    behind:  whether it is the end of the name, so that the words are in reverse order
    """
    rest = list(itertools.dropwhile(_is_unit, inwards))
    number = number_in(rest[0]) if len(rest) > 1 else None
    is_first = not behind and len(rest) == len(inwards)
    if number is not None and _could_count(rest[0], number, is_first=is_first):
        rest = list(itertools.dropwhile(_is_unit, rest[1:]))
    elif not counted or len(rest) in (0, len(inwards)):
        return None  # without a number, a unit has a meaning only if the name has a count
    beside = inwards[: len(inwards) - len(rest)]
    if counted and not any(map(str.islower, beside)):
        return None
    short = " ".join(rest[::-1] if behind else rest)
    return short if any(map(str.isalpha, short)) else None


def _could_count(word: str, number: int, *, is_first: bool) -> bool:
    """Return whether a number beside a name could be its count."""
    if word.isdecimal():
        return number < 100 and not is_first  # digits before a name were read as its count
    return number > 1 and word not in ("V", "X", "v", "x")


def _is_unit(word: str) -> bool:
    return word.casefold() in _UNITS


# -- known names inside other words


_COPY_WORDS = frozenset(words("cards", "copy"))
_FINISHES = frozenset(words("cards", "finishes"))
_ARTICLES = frozenset({"the", "a", "an"})
_CONTINUES = late(
    r"(?:['’\-–—&+]\w|\s*[,:]?\s*(?:of|the|and|in|to|a|an|for|with|on|at|de|der|von|del|la|le|und|et|y|vs)\b)"
)
"""The ways in which a longer name continues.

Examples are `Oak Giant's End`, `Oak Giant, the Old` and `Comet of Doom`.
"""
_MAY_CONTINUE = late(r"\s*(?:&|\+|//?)\s*\w|\s*[,:]\s")
_SEPARATED = late(r"\s*[^\w\s'’,:.;!?/&-]|\s*/\*|\s+[-–—]\s|\s*[;]|\s*[/]\s*\d")
_MAX_MARK = 5
_MAX_WORDS = 12
"""The maximum number of words of a name, and of words before it, that are tried."""
_AND = late(r"^\s*(?:[,;/&+|]+\s*|(?:and|und|et|y|e|i|и)\s+)?", re.I)
"""Words and signs that join two cards on one line."""


def name_inside(written: str, find: Callable[[str], str | None], *, sure: bool = False) -> str | None:
    """Return a known name inside `written`, if the words beside it hardly belong to the name.

    find: returns the card with a name; None if the name is unknown
    sure: whether numbers and short words beside the name may belong to it
    """
    matches = list(_WORD.finditer(written[:MAX_CARD]))
    ahead = itertools.takewhile(
        lambda word: fold(word[0]) in _ARTICLES or _is_not_a_name(word[0], capital=True, sure=sure), matches
    )
    starts = sum(1 for _ in ahead) + 1
    for length in range(min(len(matches), _MAX_WORDS), 0, -1):
        for first in range(min(starts, _MAX_WORDS, len(matches) - length + 1)):
            start, end = matches[first].start(), matches[first + length - 1].end()
            name = find(written[start:end])
            if name is None or fold(name) == fold(written):
                continue
            before, inside, behind = written[:start], written[start:end], written[end:]
            if _is_separate(before, inside, behind, sure=sure) or (
                first == 0 and find(_AND.sub("", behind)) is not None
            ):
                return name
    return None


def _is_separate(before: str, name: str, behind: str, *, sure: bool) -> bool:
    """Return whether the words around a name do not look like parts of a longer name."""
    capital = name[:1].isupper()
    ahead, after = _WORD.findall(before), _WORD.findall(behind)
    if not ahead and not after:
        return bool(before.strip() or behind.strip())
    labelled = before.rstrip()[-1:] in (":", "|", "/", "]", ")")  # `Rare: Kite`
    is_separate = _is_not_a_name if labelled else _is_not_a_beginning
    if not all(is_separate(word, capital=capital, sure=sure) for word in ahead):
        return False
    if not after or _SEPARATED.match(behind):
        return True
    if _CONTINUES.match(behind):
        return False
    if all(_is_not_a_name(word, capital=capital, sure=sure) for word in after):
        return True
    return not _MAY_CONTINUE.match(behind) and _is_not_a_name(after[0], capital=capital, sure=sure)


def _is_not_a_beginning(word: str, *, capital: bool, sure: bool) -> bool:
    """Return whether a word before a name is about the copies. `Silver` may begin a name."""
    key = fold(word)
    if len(word) > 1 and word.istitle() and number_in(word) is None:
        return key in _ARTICLES or key in _FINISHES
    return key in _ARTICLES or _is_not_a_name(word, capital=capital, sure=sure)


def _is_not_a_name(word: str, *, capital: bool, sure: bool) -> bool:
    """Return whether a word beside a name is about the copies: a number, a unit, a rarity."""
    key = fold(word)
    if key in _UNITS or key in _COPY_WORDS or (word[:1].islower() and capital):
        return True
    if number_in(word) is not None or (len(word) <= _MAX_MARK and word.isupper()):
        return not sure
    return word[:1].isdigit()


_BETWEEN = late(r"(?<!\s)(?:\s*[,;|、，；]\s*|\s+(?:[+&/–—-]|and|und)\s+|\s{2,}|\u3000)")
_WIDE = late(r" {3,}")


def joined_names(line: str) -> list[str]:
    """Split the words of a line at the signs between two cards.

    >>> joined_names("2 Kite & Bell"), joined_names("Kite   Bell"), joined_names("Kite / Bell")
    (['Kite', 'Bell'], ['Kite', 'Bell'], ['Kite', 'Bell'])
    >>> joined_names("Kite-Bell"), joined_names('"Kite & Bell"')
    (['Kite-Bell'], ['"Kite & Bell"'])
    """
    rest = split_count(_WIDE.sub("  ", line.strip()))[1]
    return [rest] if rest[:1] in '"“„«' else [squeeze(part) for part in _BETWEEN.split(rest) if part]
