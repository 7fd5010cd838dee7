"""Finds doubts and questions about the lines of cards.

A *doubt* is an error; a *question* is only asked. If a pool knows the card, both are dropped. A *reading* is
one way to separate a line's name from the words around it. `open_questions` examines one line by itself:
brackets, numbers and words for zones beside the name. `review` examines all lines of a deck together: names
that differ only in a mark, and numbers at the end of some names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from msgspec import structs

from tourney.cards.names import fold, script
from tourney.decks.decklist import Line, Reading
from tourney.decks.reading.counts import (
    NUMBER_IN_NAME,
    READ_AS_ONE_CARD,
    SEVERAL_CARDS,
    TWO_COUNTS,
    count_in_brackets,
    doubt_about_count,
    has_number_between,
    is_only_words,
    number_beside,
    starts_with_number,
)
from tourney.decks.reading.names import CACHE_SIZE, CODE, PLAIN, Dialect, without_remark
from tourney.decks.reading.vocabulary import (
    LEADER_KINDS,
    Vocabulary,
    general_kind,
    is_never_a_name,
    is_side_or_maybe,
    read_header,
)
from tourney.decks.reading.words import folded, late, pattern

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
    """Return words that may not belong to the name, and the doubt about them; else empty texts."""
    if bracket := count_in_brackets(without_remark(written), is_zone=_is_zone):
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
    """Return the words for a zone that end a name, in brackets or after a sign."""
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


# -- all lines of a deck


def review(lines: Sequence[Line], vocabulary: Vocabulary, dialect: Dialect) -> list[Line]:
    """Return the lines of a deck with doubts and questions that depend on all lines."""
    reviewed = list(lines)
    _doubt_marks_that_differ(reviewed)
    _ask_about_numbers(reviewed)
    _ask_about_words_that_differ(reviewed)
    _review_lone_brackets(reviewed, vocabulary)
    _review_commas(reviewed, dialect)
    return reviewed


def _with_doubt(line: Line, doubt: str) -> Line:
    return structs.replace(line, doubt=doubt, question="")


def _with_question(line: Line, question: str) -> Line:
    return structs.replace(line, question=line.question or question)


def _ask_about_numbers(lines: list[Line]) -> None:
    """Ask whether numbers at the end of names are counts.

    Does not ask if names in this list clearly end in numbers: a name with a count ends in a number, or two
    names differ only in the number.
    """
    names = [next(reading for reading in line.readings if reading.count is None).name for line in lines]
    counted = all(line.counted for line in lines)
    stems = [None if counted else number_beside(name) for name in names]
    times = Counter(fold(stem) for stem in stems if stem)
    ended = any(line.counted and stem for line, stem in zip(lines, stems, strict=True))
    for at, (line, name, stem) in enumerate(zip(lines, names, stems, strict=True)):
        if line.doubt or line.question:
            continue
        could_count = number_beside(name, counted=True) is not None
        if not line.counted:
            names_end_so = stem is not None and (ended or times[fold(stem)] > 1)
            could_count = stem is not None and (could_count or not names_end_so)
        if could_count:
            lines[at] = _with_question(line, NUMBER_IN_NAME)


def _doubt_marks_that_differ(lines: list[Line]) -> None:
    """Add a doubt to names that differ only in a mark: `Kite (M10)` and `Kite (LEA)`."""
    names = [next(reading for reading in line.readings[::-1] if reading.certain).name for line in lines]
    stems = list(map(_stem, names))
    written: dict[str, dict[str, int]] = {}
    for stem, name, line in zip(stems, names, lines, strict=True):
        written.setdefault(fold(stem), {}).setdefault(fold(name), line.number)
    for at, (line, stem, name) in enumerate(zip(lines, stems, names, strict=True)):
        if stem == name or line.doubt or line.question not in ("", NUMBER_IN_NAME):
            continue
        faces = " // " in name  # two cards may have the same front face
        others = (
            number
            for key, number in written[fold(stem)].items()
            if key == fold(stem) or (not faces and key != fold(name))
        )
        if (other := next(others, None)) is not None:
            doubt = f"the same card as on line {other}? write both alike, or put the whole name in quotes"
            lines[at] = _with_doubt(line, doubt)


_SET_BEHIND = pattern("in-brackets")
_PERIOD_BEHIND = late(r"(?P<rest>.*[^\W\d_]{3})\s?[.!:?]")
_CODE_BEHIND = late(rf"(?P<rest>\S.*\S)\s(?:{CODE}|[A-Z][A-Z0-9]{{1,4}}\s\d{{1,3}}[a-z]?)")


@lru_cache(maxsize=CACHE_SIZE)
def _stem(name: str) -> str:
    """Return the name without a possible set, translation or other face.

    >>> names = "Kite (M10)", "Kite (Red)", "Kite // Bell", "Kite (稲妻)", "稲妻 (Kite)"
    >>> list(map(_stem, names))
    ['Kite', 'Kite (Red)', 'Kite', 'Kite', 'Kite']
    >>> _stem('"Kite (M10)"'), _stem("Kite ABC 12"), _stem("Kite AB01-002"), _stem("Kite 12")
    ('Kite (M10)', 'Kite', 'Kite', 'Kite 12')
    """
    if name[:1] in '"“„«' and name[-1:] in '"”“»':
        return name[1:-1].strip()
    if " // " in name:
        return name.partition(" // ")[0]
    if match := _CODE_BEHIND.fullmatch(name) or _PERIOD_BEHIND.fullmatch(name):
        return match["rest"]
    match = _SET_BEHIND.fullmatch(name)
    if match is None or match["inside"] is None:
        return match["rest"] if match else name
    by_script = {script(part): part for part in (match["inside"], match["rest"])}
    translated = len(by_script) > 1 and "Latin" in by_script and "" not in by_script
    return by_script["Latin"] if translated else name


_WORDS_BEHIND = late(r"(?P<rest>\S.*?)\s*\((?P<inside>[^\W\d_][^()]*)\)")
_COLOURS = folded("cards", "colours")


def _ask_about_words_that_differ(lines: list[Line]) -> None:
    """Ask about names that differ only in the text in brackets, unless that text is colours."""
    first: dict[str, tuple[str, int]] = {}
    for at, line in enumerate(lines):
        match = _WORDS_BEHIND.fullmatch(line.written)
        if match is None or fold(match["inside"]) in _COLOURS:
            continue
        inside, number = first.setdefault(fold(match["rest"]), (fold(match["inside"]), line.number))
        if inside != fold(match["inside"]) and not line.doubt:
            question = f"is it the card of line {number}? if so, write both in the same way"
            lines[at] = _with_question(line, question)


_FEW_MARKED = 4
"""Brackets are categories if at least one line in this many has them."""
_LONE_MARK = late(r"\[[^\W\d_](?:[^\[\]{},]*[^\W\d_])?\]")
_WORDS_IN_SQUARE = late(r"\S\s*\[([^\W\d_]+(?: [^\W\d_]+)+)\]$")


def _review_lone_brackets(lines: list[Line], vocabulary: Vocabulary) -> None:
    """Add a doubt if few lines have square brackets: `Kite [Duress]` may be two cards."""
    marks = list(map(_lone_mark, lines))
    times = Counter(fold(mark) for mark in marks if mark)
    if _FEW_MARKED * times.total() > len(lines) + _FEW_MARKED - 1:
        return
    for at, (line, mark) in enumerate(zip(lines, marks, strict=True)):
        header = read_header(mark, vocabulary) if mark else None
        if not mark or times[fold(mark)] > 1 or line.doubt or (header is not None and header.known):
            continue
        doubt = f"`[{mark}]`: a category, or another card? leave it out, or write each card on its own line"
        removed = any(reading.certain and mark not in reading.name for reading in line.readings)
        lines[at] = (_with_doubt if removed else _with_question)(line, doubt)


def _lone_mark(line: Line) -> str:
    """Return the words of a mark such as `[Ramp]`; empty for `[Ramp,Land]` and `[Main{top}]`."""
    mark = next((mark[1:-1] for mark in line.marks if _LONE_MARK.fullmatch(mark)), "")
    behind = None if mark else _WORDS_IN_SQUARE.search(line.written)
    return behind[1] if behind else mark


_COMMA = late(r"(?P<first>[^\W\d_][^,]*), (?P<second>[^\W\d_][^,]*)")
_FEW_COMMAS = 2


def _review_commas(lines: list[Line], dialect: Dialect) -> None:
    """Add doubts or questions to lines such as `Bell, Duress`, which may be two cards."""
    names = {fold(line.written) for line in lines}
    parted = [_COMMA.fullmatch(line.written) for line in lines]
    few = dialect is PLAIN and sum(match is not None for match in parted) <= _FEW_COMMAS
    for at, (line, match) in enumerate(zip(lines, parted, strict=True)):
        leads = general_kind(line.zone or "") in LEADER_KINDS
        if leads or match is None or line.doubt or line.question:
            continue
        if fold(match["second"]) in names:
            lines[at] = _with_doubt(line, SEVERAL_CARDS)
        elif few and " " not in match["first"] + match["second"]:
            lines[at] = _with_question(line, READ_AS_ONE_CARD)
