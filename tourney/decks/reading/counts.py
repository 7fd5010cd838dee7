"""What stands beside a card's name on its line and is no part of it: its count in whatever form, a unit, a remark.

Counts are parted from the name by `split_count` where their form says that they are counts, by `head_count` and
`tail_count` where a name could be written so, too; what could still be one after that is a doubt (`left_over`), or is
asked about (`number_beside`). Where a name is unknown, `name_inside` and `joined` look for known ones among its words.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache

from tourney.cards.names import fold
from tourney.decks.reading.names import LONGEST_CARD, MOST_REMEMBERED, OF_THE_COPY, late, squeeze

# -- A count as a number: whole, and of no more copies than a deck can have


MOST_COPIES = 999
"""More copies than this on one line is a slip or a prank, not a deck."""

_FRACTION = late(r"[½¼¾⅓⅔/]|\d[.,]\d")
_THOUSANDS = late(r"\d{1,3}(?:,\d{3})+")


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


# -- Copies of a card as people write them: 4, 4x, x4, Name x4


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
_GLUED = late(
    rf"(?P<count>{_DIGITS})(?:{_TIMES}(?=[^\W\d_]|[(\[\"“«])|{_TIMES}?\s*(?=[《「『【〈]))(?P<rest>.+)", re.I
)
_X_BEFORE = late(rf"{_TIMES}\s?(?P<count>{_NUMBER})\s+(?!{_COPIES}$)(?P<rest>\S.*)", re.I)
_BRACKETED = late(rf"[(\[]\s?(?P<count>{_DIGITS})\s?{_TIMES}?[)\]]\s+(?P<rest>\S.*)", re.I)
_AFTER = late(
    rf"(?P<rest>\S.*?)(?:\s+[(\[]?(?:{_TIMES}\s?(?P<count>{_NUMBER}){_COUNTERS}?|(?P<count2>{_DIGITS})(?:\s?{_TIMES}|\s?{_COPIES}|{_COUNTERS}))[)\]]?"
    rf"|\s*{_SIGN}\s*(?P<count3>{_DIGITS}){_COUNTERS}?|\s*\*\s*(?P<count4>\d{{1,3}})|(?<=[》」』〉])\s*(?P<count5>\d{{1,3}})\s?{_COUNTERS}?)",
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
_SAID_BEFORE = late(
    rf"{_SAID}\s*[:.=]*\s*(?P<count>\d{{1,3}})[\s,;:|]+(?:(?:card ?)?name\s*[:=]\s*)?(?P<rest>[^\W\d_].*)",
    re.I,
)
_CELL_BEFORE = late(
    r"(?P<quote>[\"“]?)(?P<count>\d{1,3})(?P=quote)\s*[,;|]\s*(?P<rest>[^\W\d_].*|[\"“'«(\[].*)"
)
_CELL = late(r"^\"([^\"]+)\"(?=\s|$)")
_RAISED = {ord(sign): str(place) for place, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}
_PARTED = late(r"^(?:-+>|[/→>»~–—=]+)\s+(?=[^\W_])")  # `3 → Kite`
_JOINED = late(r"(?:\s*[,;:]|\s+[-–—=])*\s*$")  # `Kite - 3 pcs`, `Kite, x3`
_LAST_COLUMN = late(rf"\s*{_TIMES}?(?P<count>{_NUMBER}){_TIMES}?", re.I)


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
    if match and f"{words[0]}{words[-1]}" not in ("()", "[]"):
        counts = (match[group] for group in ("count", "count2", "count3", "count4", "count5"))
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


def is_only_a_count(words: str) -> bool:
    """Return whether the words are a count of copies and nothing else: `4`, `4x`, `x4`, `(4)`.

    >>> is_only_a_count("4x"), is_only_a_count("(4)"), is_only_a_count("X"), is_only_a_count("89631139")
    (True, True, False, False)
    """
    if words[:1] + words[-1:] in ("()", "[]"):
        words = words[1:-1].strip()
    return re.fullmatch(rf"\d{{1,3}}\s?{_TIMES}?|{_TIMES}\s?\d{{1,3}}", words, re.I) is not None


# -- What could still be a count, or another card, once the count is parted from the name


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
    rf"(?<=\S)(?:\t\s*|\s?[,;|•·、，；+&/]\s*|\s[-–—]\s+|(?<=[^\W\d_]{{4}})\.\s+|\s(?:and|und|u\.|et|y|e|i|и|plus)\s+|\s{{2,}})\d{{1,2}}\s?{_TIMES}?(?:\s+|\s*[|/,;:–—-]\s*)[^\W\d_]|(?<=\S)\s\d{{1,2}}[x×]\s+[^\W\d_]",
    re.I,
)
_ADDED = late(r"[^\W_]\s\+\s(?=[^\W_])")  # `2 Kite + Bell`
_CELLS = late(r"[^\W\d_][\"”]?(?P<sign>[,;])[\"“]?[^\W\d_]|[^\W\d_][\"”]?[,;]\d{1,3}[,;]")
_BRACKETS = late(r"\[[^\[\]]*\]|\([^()]*\)|\{[^{}]*\}|\^[^^]*\^|\s#\S.*")  # `[Land,Ramp]`: categories
_COUNT_INSIDE = late(  # in capitals `X23` belongs to the name, unless a sign parts it from what follows
    rf"[^\W\d_].*\s(?:(?:x\s?\d{{1,2}}|\d{{1,2}}x|{_SIGN}\s?\d{{1,2}})\s+|(?:[xX]\s?\d{{1,2}}|\d{{1,2}}[xX]|{_SIGN}\s?\d{{1,2}}|[(\[][xX]?\d{{1,2}}[xX]?[)\]])\s*[,;|/•·+&]\s*)[^\W\d_]"
)
_SIGN_INSIDE = late(
    r"[^,;]*[^\W\d_];[^\W\d_][^,;]*"
)  # a count and a space before it: `3 TL;DR` is no table's row
_CELL_BEHIND = late(r".*[^\W\d_][\"”]?[,;]\d{1,3}")
_ARROW = late(r"[\w)\]]\s*(?:->|=>|→|⇒|-->)\s*[^\W\d_]")
_UNSURE = late(  # `3-4 Kite`, `4? Kite`, `~3 Kite`, `about 3 Kite`
    r"\d{1,2}(?:\s?[-–—]\s?\d{1,2}|\s?\?+)\s?[x×]?\s+[^\W\d_]"
    r"|(?:[~≈±]|(?:ca|circa|about|approx|roughly|up to|at least|at most|max|min|maybe|perhaps|etwa|ungefähr|vielleicht|evtl|bis zu|mind|quizás|forse|może)\.?\s)\s?\d{1,2}\s?[x×]?\s+[^\W\d_]",
    re.I,
)
_AND_A_COUNT = late(
    r"(?:(?-i:x)\d{1,2}|\d{1,2}\s?[x×]|(?:or|to|oder|bis|ou|o|или|do)\s\d{1,2}\s?[x×]?)\s+[^\W\d_]", re.I
)
_OF_SOME = late(r"of \d")
_TWO_BEFORE = late(r"\d{1,3}\s*[,;|/]\s*\d{1,3}\s*[,;|/]\s*[^\W\d_]")
_NUMBER_BETWEEN = late(r"(?:(?<=[^\W\d_])|(?<=[.!?]))\s\d{1,2}\s+(?=[^\W\d_]{2})")


_COUNT_OR_CELL = late(r"[\d+,;>?→⇒⁰¹²³⁴-⁹½¼¾①-⑳❶-❿]")


def is_only_words(name: str) -> bool:
    """Tell whether a name has nothing in it that could be a count or part cells, as most have."""
    return _COUNT_OR_CELL.search(name) is None


@lru_cache(maxsize=MOST_REMEMBERED)
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
    if unsure := _unsure(words, counted=counted):
        return unsure
    outside = _BRACKETS.sub("", words)  # what brackets hold, `count_in_brackets` looks at
    if (
        (counted and _ADDED.search(outside))
        or _NEXT_CARD.search(outside)
        or _COUNT_INSIDE.match(words)
        or len(_NUMBER_BETWEEN.findall(words)) > 1
    ):
        return "are these several cards? write one on a line, or put the name of one in quotes"
    cells = _CELLS.search(outside)
    if cells and not (counted and _SIGN_INSIDE.fullmatch(words)):
        return f"nothing says what stands behind the `{cells['sign'] or ','}`: another card, or another column? (one name goes in quotes)"
    if counted:
        two = _SECOND.search(words) or _CELL_BEHIND.fullmatch(words)
        return "it has two counts; write one, before the name" if two else ""
    match = _HEAD_SIGN.fullmatch(words) or _TAIL_SIGN.fullmatch(words)
    return _is_it_the_count(match, words) if match else ""


def _unsure(words: str, *, counted: bool) -> str:
    """Say why it is unclear whether or how often a card is played: `Kite -> Bell`, `Kite ?`, `3-4 Kite`."""
    if _ARROW.search(words):
        return "one card instead of another? write each card that is played on a line of its own"
    if words.endswith((" ?", "??")):
        return "is it played? write the card without `?`, or leave it out"
    if _UNSURE.match(words) or (counted and _AND_A_COUNT.match(words)):
        return "how many? write one count, in digits, before the name"
    if (counted and _OF_SOME.match(words)) or (not counted and _TWO_BEFORE.match(words)):
        return "which number is the count? write one, before the name"
    return ""


_OPENING = frozenset("([{<")
_ROUND = {
    ord(sign): plain for plain, signs in (("(", "（［【「『〈"), (")", "）］】」』〉")) for sign in signs
}
_IN_BRACKETS = late(r"[(\[{<]([^()\[\]{}<>]+)[)\]}>]")
_INSIDE = late(r"[(\[{<]([^()\[\]{}<>]*\d[^()\[\]{}<>]*)[)\]}>]")
_PART_OF_COPIES = late(  # `+1`, `3+1`, `x2`, `2 Kite`, `SB: 1`, `or 2`; not `Pack 2`, `15:16 - K`, `#2`, `2nd`
    rf"(?:^|[\s,;/&])(?:[+−–-]\s?\d{{1,2}}|\d{{1,2}}\s?\+\s?\d{{1,2}}|[x×]\s?\d{{1,2}}|\d{{1,2}}\s?[x×])(?![\w/])"
    rf"|(?:^|[\s,;/&])\d{{1,2}}\s?(?:{_COPIES}|[x×])?\s+[^\W\d_]"
    r"|^(?-i:(?!(?:part|pack|set|series|version|ver|vol|art|level|lvl|cost|mana|cmc|page|no|nr|p|v)\b)[a-zß-ÿа-я]+)(?:\s[a-zß-ÿа-я]+)*[:=]?\s\d{1,2}(?![\w/])"
    r"|(?:^|[\s,;/&])(?:or|and|plus|extra|und|oder|ou|et|o|y|e|или|и)[:=]?\s\d{1,2}(?![\w/])",
    re.I,
)
_TWO_NUMBERS = late(r"1?\d\s?[/|:]\s?1?\d")
"""`2/2`: two in the deck and two beside it, or what the card has; collectors' numbers are larger."""
_ALTERNATIVE = late(
    r"[(\[{](?:or|oder|ou|или|instead of|in place of|statt|anstatt|anstelle von|au lieu de|en vez de|al posto di|zamiast|вместо|(?-i:and|und|et|plus|и|oraz))\s[^()\[\]{}]+[)\]}]",
    re.I,
)
_NOT_WORDS = late(r"[\W\d_]+")
_CARD_UNITS = """
    drop drops mana cmc mv cost pt pts point points influence star stars ed edition year years player players sleeve page
"""
_OF_A_CARD = frozenset(_CARD_UNITS.split())
"""Words that a number describes a card with, not copies: `(3 drops)`."""


def count_in_brackets(words: str, *, is_zone: Callable[[str], bool] = lambda _: False) -> str | None:
    """Return the first bracket that could count copies, or name another card (`(or Bell)`); None without one.

    is_zone: whether words head a zone, so that a number beside them counts cards there

    >>> [count_in_brackets(words) for words in ("Kite (1 SB)", "Kite [+1]", "(2 Bell)", "Kite (Pack 2)", "Kite (2)")]
    ['(1 SB)', '[+1]', '(2 Bell)', None, None]
    >>> [count_in_brackets(words) for words in ("Kite (2/2)", "Kite (25/102)")]
    ['(2/2)', None]
    >>> [count_in_brackets(words) for words in ("Kite (two Bell)", "Kite（2 Bell）", "Kite (and Bell)", "Kite (Two Towers)")]
    ['(two Bell)', '（2 Bell）', '(and Bell)', None]
    """
    written, words = words, words if words.isascii() else words.translate(_ROUND)
    if not _OPENING.intersection(words):
        return None
    if match := _ALTERNATIVE.search(words):
        return written[slice(*match.span())]
    for bracket in _IN_BRACKETS.finditer(words):
        said, _, rest = bracket[1].strip().partition(" ")
        if said.isalpha() and number_said(said) and (is_zone(rest) or said.islower()):
            return written[slice(*bracket.span())]  # `(two Bell)`, `(one SB)`
    inside = (bracket for bracket in _INSIDE.finditer(words) if _could_be_copies(bracket, is_zone))
    return next((written[slice(*bracket.span())] for bracket in inside), None)


def _could_be_copies(bracket: re.Match[str], is_zone: Callable[[str], bool]) -> bool:
    """Return whether a bracket with a number in it could count copies, here or in a zone."""
    said = bracket[1].strip()
    if OF_THE_COPY.fullmatch(bracket[0]):
        return False
    if _TWO_NUMBERS.fullmatch(said) or is_zone(_NOT_WORDS.sub(" ", said).strip()):
        return True
    for match in _PART_OF_COPIES.finditer(said):
        following = re.match(r"[^\W\d_]*", said[match.end() - 1 :])
        if following is None or following[0].casefold() not in _OF_A_CARD:
            return True
    return False


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


# -- A number beside a name that could be its count, in words or with a unit too: `two Kite`, `Kite III`, `Kite 3 ea`


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


_UNIT_WORDS = """
    a an x pc pcs piece pieces copy copies card cards ea each unit units item items time times of mal fois veces vezes volte razy раз раза stk
    stück szt шт ex exemplare karten cartes cartas carte kart карт total qty count no nr number lvl level 枚 张 張 장 매 part half
"""
_UNITS = frozenset(_UNIT_WORDS.split())
_COUNTING = {
    *_UNITS,
    *(word.casefold() for words in _COUNT_WORDS for word in words.split()),
    *map(str.lower, _ROMAN),
} - {"a", "an", "of"}
_WORD = late(r"\d+(?:[./]\d+)*\w*|\w+")
_COUNTED_BY = late(r"\d|[枚张張장매]")
_PIECE = late(r"[^\s.,:;()\[\]{}+−@~=]+")


@lru_cache(maxsize=MOST_REMEMBERED)
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
    counting = not _COUNTING.isdisjoint(_WORD.findall(unicodedata.normalize("NFKC", name).casefold()))
    if not counting and not _COUNTED_BY.search(name):
        return None
    words = [word for word in (each.strip("-–—") for each in _PIECE.findall(name)) if word]
    return _without_number(words[::-1], counted=counted, behind=True) or _without_number(
        words, counted=counted, behind=False
    )


def _without_number(inwards: Sequence[str], *, counted: bool, behind: bool) -> str | None:
    """Give the name without the number and its units at one end of it.

    inwards: the words from that end on; behind: it is the last one, and they stand the other way round
    """
    rest = list(itertools.dropwhile(_is_unit, inwards))
    number = number_said(rest[0]) if len(rest) > 1 else None
    first = not behind and len(rest) == len(inwards)
    if number is not None and _could_count(rest[0], number, before=first):
        rest = list(itertools.dropwhile(_is_unit, rest[1:]))
    elif not counted or len(rest) in (0, len(inwards)):
        return None  # a unit alone tells of copies only beside a count
    taken = inwards[: len(inwards) - len(rest)]
    if counted and not any(map(str.islower, taken)):
        return None
    short = " ".join(rest[::-1] if behind else rest)
    return short if any(map(str.isalpha, short)) else None


def _could_count(word: str, number: int, *, before: bool) -> bool:
    """Whether a number beside a name could be its count; digits before it are read as one already, and `X` is a letter."""
    if word.isdecimal():
        return number < 100 and not before
    return number > 1 and word not in ("V", "X", "v", "x")


def _is_unit(word: str) -> bool:
    return word.casefold() in _UNITS


# -- A whole name inside other words that are hardly its own: a number, a rarity, a remark, another card


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
_ARTICLES = frozenset({"the", "a", "an"})
_GOES_ON = late(
    r"(?:['’\-–—&+]\w|\s*[,:]?\s*(?:of|the|and|in|to|a|an|for|with|on|at|de|der|von|del|la|le|und|et|y|vs)\b)"
)
"""What begins the rest of a longer name: `Oak Giant's End`, `Oak Giant, the Old`, `Comet of Doom`."""
_MAY_GO_ON = late(r"\s*(?:&|\+|//?)\s*\w|\s*[,:]\s")
_PARTED_BEHIND = late(r"\s*[^\w\s'’,:.;!?/&-]|\s*/\*|\s+[-–—]\s|\s*[;]|\s*[/]\s*\d")
_LONGEST_MARK = 5
_MOST_WORDS = 12
"""Words of a name, and words before it, that are looked at."""
_AND = late(r"^\s*(?:[,;/&+|]+\s*|(?:and|und|et|y|e|i|и)\s+)?", re.I)
"""What joins two cards that stand on one line."""


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


def joined(line: str) -> list[str]:
    """Part the words of a line at the signs that stand between two cards; one part where there is none.

    >>> joined("2 Kite & Bell"), joined("Kite   Bell"), joined("Kite / Bell"), joined("Kite-Bell"), joined('"Kite & Bell"')
    (['Kite', 'Bell'], ['Kite', 'Bell'], ['Kite', 'Bell'], ['Kite-Bell'], ['"Kite & Bell"'])
    """
    words = split_count(_WIDE.sub("  ", line.strip()))[1]
    return [words] if words[:1] in '"“„«' else [squeeze(part) for part in _BETWEEN.split(words) if part]


_BETWEEN = late(r"(?<!\s)(?:\s*[,;|、，；]\s*|\s+(?:[+&/–—-]|and|und)\s+|\s{2,}|\u3000)")
_WIDE = late(r" {3,}")
