"""Finds doubts and questions about the name on one line.

A *doubt* makes the line an error; a *question* is only shown. If the pool knows the card, neither is
reported. A *reading* is one way to separate a line's name from the words around it. `open_questions` looks
for numbers that could be counts, for brackets, and for words for zones beside the name.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from msgspec import structs

from tourney.cards.names import script
from tourney.decks.decklist import Reading
from tourney.decks.reading.counts import COUNT_FORMS, DOUBTS, RAISED, number_in
from tourney.decks.reading.names import CACHE_SIZE, COPY_IN_BRACKETS, MAX_CARD, without_remark
from tourney.decks.reading.vocabulary import LEADER_KINDS, general_kind, is_never_a_name, is_side_or_maybe
from tourney.decks.reading.words import late, pattern, words

# -- words that could be a count or another card


TWO_COUNTS = "it has two counts; write one, before the name"
SEVERAL_CARDS = 'are these several cards? write each on its own line; if it is one card, write `4 "Name"`'
NUMBER_IN_NAME = "the number, or its unit, was read as part of the name; if it is the count, write `4 Name`"
READ_AS_ONE_CARD = "it was read as one card; if these are several, write each on its own line"
_BRACKETS = late(r"\[[^\[\]]*\]|\([^()]*\)|\{[^{}]*\}|\^[^^]*\^|\s#\S.*")  # `[Land,Ramp]`: categories
_COUNT_OR_CELL = late(r"[\d+,;>?→⇒⁰¹²³⁴-⁹½¼¾①-⑳❶-❿]")
_NUMBERED = late(r"[^\W\d_](?:[^\W\d_]|[ '’.-])* \d+")
"""Words and a number, as in `Paper Card 52`: the number is a part of the name."""
_NUMBER_OR_SEMICOLON = late(
    r"(?:(?<=[^\W\d_])|(?<=[.!?]))\s\d{1,2}\s+(?=[^\W\d_]{2})|^[^,;]*[^\W\d_];[^\W\d_][^,;]*$"
)


def is_only_words(name: str) -> bool:
    """Return whether a name has nothing that could be a count or separate cells of a table."""
    return _COUNT_OR_CELL.search(name) is None


@lru_cache(maxsize=CACHE_SIZE)
def doubt_about_count(name: str, *, counted: bool) -> str:
    """Return a doubt if a name could contain a count or another card; else an empty text.

    counted: whether the card already has a count. If so, any number except `x3` belongs to the name

    >>> doubt_about_count("3/Kite", counted=False)
    'is `3` the count? write `3 Kite`, or `1 3/Kite` if that is the whole name'
    >>> doubt_about_count("Kite x3", counted=True), doubt_about_count("Kite 3", counted=False)
    ('it has two counts; write one, before the name', '')
    """
    if is_only_words(name) or len(name) > MAX_CARD or (name[:1] in '"“„«' and name[-1:] in '"”“»'):
        return ""
    if not counted and _NUMBERED.fullmatch(name):
        return ""
    outside = _BRACKETS.sub("", name)  # `count_in_brackets` reads the brackets
    for doubt, patterns in DOUBTS:
        if doubt.get("counted", counted) is counted:
            words = outside if "outside" in doubt else name
            match = next(filter(None, (pattern.search(words) for pattern in patterns)), None)
            if match:
                parts = match.groupdict()
                digits = _in_digits(parts["count"]) if "count" in parts else ""
                return str(doubt["question"]).format(name=name, digits=digits, **parts)
    return ""


def _in_digits(count: str) -> str:
    count = count.translate(RAISED)
    return count if count.isdecimal() else str(int(unicodedata.numeric(count[0], 1)) or 1)


def has_number_between(name: str) -> bool:
    """Return whether a number or a semicolon is between words: `Kite 2 Bell`."""
    return _NUMBER_OR_SEMICOLON.search(name) is not None


def starts_with_number(name: str) -> bool:
    """Return whether a name after a count begins with a number: `2 Kite` in `1 2 Kite`."""
    return name[:1].isdecimal() and re.match(r"\d{1,2}\s+[^\W\d_]", name) is not None


# -- brackets that could count copies


_ROUND = {
    ord(sign): plain for plain, signs in (("(", "（［【「『〈"), (")", "）］】」』〉")) for sign in signs
}
_OPENING = frozenset("([{<")
_BRACKET = late(r"[(\[{<]([^()\[\]{}<>]+)[)\]}>]")
(_PART_OF_COPIES,) = COUNT_FORMS["part-of-copies"]
(_ALTERNATIVE,) = COUNT_FORMS["alternative"]
_TWO_NUMBERS = late(r"1?\d\s?[/|:]\s?1?\d")
"""Two numbers such as `2/2`: the counts of two zones, or attributes.

Collector's numbers (`25/102`) are larger.
"""
_NOT_WORDS = late(r"[\W\d_]+")
_DESCRIBING = frozenset(words("cards", "units"))


def count_in_brackets(name: str) -> str | None:
    """Return the first bracket that could count copies or name another card: `(or Bell)`.

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
            if counts_copies(bracket):
                return written[slice(*bracket.span())]
    return None


def _says_number(bracket: re.Match[str]) -> bool:
    """Return whether a bracket begins with a number in words: `(two Bell)`, `(one SB)`."""
    number, _, rest = bracket[1].strip().partition(" ")
    return number.isalpha() and bool(number_in(number)) and (_is_zone(rest) or number.islower())


def _could_be_copies(bracket: re.Match[str]) -> bool:
    inside = bracket[1].strip()
    if not any(map(str.isdecimal, inside)) or COPY_IN_BRACKETS.fullmatch(bracket[0]):
        return False
    if _TWO_NUMBERS.fullmatch(inside) or _is_zone(_NOT_WORDS.sub(" ", inside).strip()):
        return True
    for match in _PART_OF_COPIES.finditer(inside):
        next_word = re.match(r"[^\W\d_]*", inside[match.end() - 1 :])
        if next_word is None or next_word[0].casefold() not in _DESCRIBING:
            return True
    return False


# -- one line


_TWO_IN_CORNERS = pattern("two-in-corners")
_SECOND_COUNT = late(r"[^\W\d_]\s?(?P<bracket>[(\[]\d{1,2}[)\]])$")
_NUMBERED_NAME = late(r"\s#\d{1,3}$|^\+\d")


def open_questions(
    readings: tuple[Reading, ...], doubt: str, question: str, *, counted: bool
) -> tuple[tuple[Reading, ...], str, str]:
    """Return the readings with their doubts, and the doubt and question about the line.

    doubt, question: those that already result from the form and place of the line
    """
    written = readings[0].name
    zone = _zone_beside(written)
    if len(readings) == 1 and readings[0].count is None and not zone and is_only_words(written):
        return readings, doubt, question
    readings, own_doubt = doubted(readings, counted=counted)
    if not own_doubt:
        part, own_doubt = _part_in_doubt(written, zone)
        readings = _doubt_without(part, readings, own_doubt)
        is_second = counted and not own_doubt and readings[0].count is None
        if second := _SECOND_COUNT.search(written) if is_second else None:
            # `4 Kite (3)`: in an open pool, this may be the whole name
            readings = _doubt_without(second["bracket"], readings, TWO_COUNTS)
            question = question or NUMBER_IN_NAME
    if own_doubt and _NUMBERED_NAME.search(written):
        question, own_doubt = own_doubt, ""  # `Agent #7` and `+2 Mace` are names, too
    question = question or _question_about_numbers(readings, counted=counted)
    return readings, doubt or own_doubt, question


def _part_in_doubt(written: str, zone: str | None) -> tuple[str, str]:
    """Return words that may not belong to the name, with the doubt; else two empty strings."""
    if bracket := count_in_brackets(without_remark(written)):
        return bracket, (
            f"`{bracket}`: what does it count or change? "
            "write each card on its own line, with one count before it"
        )
    if _TWO_IN_CORNERS.fullmatch(written) and _is_in_one_script(written):
        return "", SEVERAL_CARDS
    if zone:
        return zone, (
            f"is `{zone}` the zone? write it on a line above the card, or put the whole name in quotes"
        )
    return "", ""


def _question_about_numbers(readings: Sequence[Reading], *, counted: bool) -> str:
    """Return a question about numbers inside or before a name; empty if there are none."""
    written = readings[0].name
    if counted and starts_with_number(written):
        return NUMBER_IN_NAME
    name = next((reading.name for reading in readings if reading.count is None), written)
    if not has_number_between(name):
        return ""
    return READ_AS_ONE_CARD if counted else NUMBER_IN_NAME


def doubted(readings: tuple[Reading, ...], *, counted: bool) -> tuple[tuple[Reading, ...], str]:
    """Return the readings with their doubts, and the doubt about the whole line.

    A reading that leaves out a possible count is in doubt. A reading that takes the number as the count is
    not: `Kite (5)` as five copies of Kite.
    """
    doubt, certain, checked = "", True, []
    for reading in readings:
        certain = certain and reading.certain
        checked.append(structs.replace(reading, doubt=doubt) if doubt and reading.count is None else reading)
        if not doubt and certain and reading.count is None:
            doubt = doubt_about_count(without_remark(reading.name), counted=counted)
    return tuple(checked), doubt


def _doubt_without(part: str, readings: tuple[Reading, ...], doubt: str) -> tuple[Reading, ...]:
    """Return the readings; add the doubt to each one whose name lacks `part`."""
    shorter = (
        reading if part in reading.name else structs.replace(reading, doubt=doubt) for reading in readings[1:]
    )
    return (readings[0], *shorter)


def _is_zone(words: str) -> bool:
    return general_kind(words) in ("main", "side", "maybe")


def _is_in_one_script(name: str) -> bool:
    return len({script(part) for part in re.split(r"[/／｜|]", name.strip("《》「」『』【】〈〉"))}) == 1


_LOCATED = pattern("located")
_SIGNS = frozenset("-–—:|/,#)]}>")
_LAST_WORDS = pattern("last-words")
_SEPARATORS = frozenset("-–—|/#")
_POSSESSIVE = late(r"^(?:my|our|the|as|is|als|mein|meine|mon|ma|notre|mi|mis|il mio|la mia|moja|mój)\s", re.I)


@lru_cache(maxsize=CACHE_SIZE)
def _zone_beside(name: str) -> str | None:
    """Return the word for a zone beside a name: `SB` in `Kite - SB`, `Tokens` in `Tokens: Kite`."""
    if name[-2:] not in ("SB", "MB") and not _SIGNS.intersection(name) and not _LOCATED.search(name):
        return None
    before = re.split(r":|\s[-–—]\s", name, maxsplit=1)[0]
    if before != name and (is_side_or_maybe(before) or general_kind(before) in _KINDS_BEFORE):
        return before
    located = _LOCATED.search(name)
    if located and is_side_or_maybe(located["zone"]):
        return located["zone"]
    return _zone_behind(name)


_KINDS_BEFORE = frozenset({"maybe", "tokens", *LEADER_KINDS})


def _zone_behind(name: str) -> str | None:
    """Return the words for a zone at the end of a name, in brackets or after punctuation."""
    match = _LAST_WORDS.fullmatch(name)
    if match is None:
        return None
    in_brackets = match["round"] or match["square"] or ""
    for part in re.split(r"\s*[,;/&]\s*", in_brackets):  # `Kite (Commander, foil)`, `Kite (my commander)`
        words = _POSSESSIVE.sub("", part)
        if words and (is_side_or_maybe(words) or general_kind(words) in LEADER_KINDS):
            return words
    words = match["parted"] or match["listed"] or match["short"] or ""
    is_parted = name.removesuffix(words).rstrip()[-1:] in _SEPARATORS  # `Ann, Commander` may be a name
    return words if is_side_or_maybe(words) or (is_parted and is_never_a_name(words)) else None
