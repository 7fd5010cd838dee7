"""Finds doubts and questions about the card names in a decklist.

A *doubt* makes the line an error; a *question* is only shown to the user. If the pool knows the card, neither
is reported. A *reading* is one way to separate a line's card name from the words around it. `open_questions`
looks at a single name: for numbers that could be counts, for brackets, and for words for zones. `review`
compares the names of a deck, and looks for names that are unlike the others.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec import structs

from tourney.cards.names import fold, script
from tourney.decks.decklist import Line, Reading
from tourney.decks.reading.counts import COUNT_FORMS, DOUBTS, RAISED, name_without_number, parse_number
from tourney.decks.reading.names import (
    CACHE_SIZE,
    CODE,
    COPY_IN_BRACKETS,
    MAX_CARD,
    PLAIN,
    Dialect,
    remove_remark,
)
from tourney.decks.reading.vocabulary import (
    LEADER_KINDS,
    Vocabulary,
    general_kind,
    is_never_a_name,
    is_side_or_maybe,
    read_header,
)
from tourney.decks.reading.words import folded_words, lazy_pattern, pattern, words

# -- words that could be a count or another card


TWO_COUNTS = "it has two counts; write one, before the name"
SEVERAL_CARDS = 'are these several cards? write each on its own line; if it is one card, write `4 "Name"`'
NUMBER_IN_NAME = "the number was read as part of the name; if it is the count, write `4 Name`"
READ_AS_ONE_CARD = "it was read as one card; if these are several, write each on its own line"
_BRACKETS = lazy_pattern(r"\[[^\[\]]*\]|\([^()]*\)|\{[^{}]*\}|\^[^^]*\^|\s#\S.*")  # `[Land,Ramp]`: categories
_COUNT_OR_CELL = lazy_pattern(r"[\d+,;>?→⇒⁰¹²³⁴-⁹½¼¾①-⑳❶-❿]")
_NUMBERED = lazy_pattern(r"[^\W\d_](?:[^\W\d_]|[ '’.-])* \d+")
"""Words and a number, as in `Paper Card 52`: the number is a part of the name."""


def _is_only_words(name: str) -> bool:
    """Return whether a name has no digits, and no signs such as `,` `+` `>` `½` `²`.

    These may belong to a count, or separate the cells of a table.
    """
    return _COUNT_OR_CELL.search(name) is None


@lru_cache(maxsize=CACHE_SIZE)
def doubt_about_count(name: str, *, has_count: bool) -> str:
    """Return a doubt if a name could contain a count or another card; else an empty text.

    A plain number after the name, as in `Kite 3`, is not in doubt: it is part of the name.

    has_count: whether the card already has a count. If so, a number in the name is usually part of the name;
               it is in doubt if it looks like another count, as in `Kite x3`

    >>> doubt_about_count("3/Kite", has_count=False)
    'is `3` the count? write `3 Kite`, or `1 3/Kite` if that is the whole name'
    >>> doubt_about_count("Kite x3", has_count=True), doubt_about_count("Kite 3", has_count=False)
    ('it has two counts; write one, before the name', '')
    """
    if _is_only_words(name) or len(name) > MAX_CARD or _is_quoted(name):
        return ""
    if not has_count and _NUMBERED.fullmatch(name):
        return ""
    outside = _BRACKETS.sub("", name)  # `count_in_brackets` reads the brackets
    for doubt, patterns in DOUBTS:
        if doubt.get("counted", has_count) is has_count:
            words = outside if "outside" in doubt else name
            match = next(filter(None, (pattern.search(words) for pattern in patterns)), None)
            if match:
                parts = match.groupdict()
                digits = _to_digits(parts["count"]) if "count" in parts else ""
                return str(doubt["question"]).format(name=name, digits=digits, **parts)
    return ""


def _is_quoted(name: str) -> bool:
    return name[:1] in '"“„«' and name[-1:] in '"”“»'


def _to_digits(count: str) -> str:
    count = count.translate(RAISED)
    return count if count.isdecimal() else str(int(unicodedata.numeric(count[0], 1)) or 1)


# -- brackets that could count copies


_ROUND = {
    ord(sign): plain for plain, signs in (("(", "（［【「『〈"), (")", "）］】」』〉")) for sign in signs
}
_OPENING = frozenset("([{<")
_BRACKET = lazy_pattern(r"[(\[{<]([^()\[\]{}<>]+)[)\]}>]")
(_PART_OF_COPIES,) = COUNT_FORMS["part-of-copies"]
(_ALTERNATIVE,) = COUNT_FORMS["alternative"]
_TWO_NUMBERS = lazy_pattern(r"1?\d\s?[/|:]\s?1?\d")
"""Two numbers such as `2/2`: the counts of two zones, or attributes.

Collector's numbers (`25/102`) are larger.
"""
_NOT_WORDS = lazy_pattern(r"[\W\d_]+")
_DESCRIBING = frozenset(words("cards", "units"))


def count_in_brackets(name: str) -> str | None:
    """Return a bracket in a name that may count copies or name another card; None without one.

    Brackets with only digits, such as `(2)`, are ignored. Two numbers below 20, such as `(2/2)`, may be
    counts; larger ones, such as `(25/102)`, are collector's numbers. A number in words may be a count if it
    is in lower case or a zone follows.

    >>> names = "Kite (1 SB)", "Kite [+1]", "(2 Bell)", "Kite (Pack 2)", "Kite (2)"
    >>> [count_in_brackets(name) for name in names]
    ['(1 SB)', '[+1]', '(2 Bell)', None, None]
    >>> [count_in_brackets(name) for name in ("Kite (2/2)", "Kite (25/102)")]
    ['(2/2)', None]
    >>> names = "Kite (two Bell)", "Kite（2 Bell）", "Kite (and Bell)", "Kite (Two Towers)"
    >>> [count_in_brackets(name) for name in names]
    ['(two Bell)', '（2 Bell）', '(and Bell)', None]
    """
    original_name, name = name, name if name.isascii() else name.translate(_ROUND)
    if not _OPENING.intersection(name):
        return None
    if match := _ALTERNATIVE.search(name):
        return original_name[slice(*match.span())]
    brackets = list(_BRACKET.finditer(name))
    for counts_copies in (_begins_with_number, _could_be_copies):
        for bracket in brackets:
            if counts_copies(bracket):
                return original_name[slice(*bracket.span())]
    return None


def _begins_with_number(bracket: re.Match[str]) -> bool:
    """Return whether a text in brackets begins with a number in words: `(two Bell)`, `(One SB)`.

    A number that is not in lower case counts only before a zone, so `(Two Towers)` does not count.
    """
    number, _, rest = bracket[1].strip().partition(" ")
    return number.isalpha() and bool(parse_number(number)) and (_is_zone(rest) or number.islower())


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
_SECOND_COUNT = lazy_pattern(r"[^\W\d_]\s?(?P<bracket>[(\[]\d{1,2}[)\]])$")
_NUMBERED_NAME = lazy_pattern(r"\s#\d{1,3}$|^\+\d")


def open_questions(
    readings: tuple[Reading, ...], doubt: str, question: str, *, has_count: bool
) -> tuple[tuple[Reading, ...], str, str]:
    """Find doubts about the name on a line, and a question about it (see the module docstring).

    Returns the readings (ways to separate the name from the words around it), each with its doubt, and then
    the doubt and the question about the whole line. An empty text means that nothing is unclear.

    doubt, question: what is already unclear about the form or place of the line; else empty
    """
    full_name = readings[0].name
    zone = _zone_beside(full_name)
    if len(readings) == 1 and readings[0].count is None and not zone and _is_only_words(full_name):
        return readings, doubt, question
    readings, own_doubt = add_doubts(readings, has_count=has_count)
    if not own_doubt:
        part, own_doubt = _doubtful_part(full_name, zone)
        readings = _doubt_readings_without(part, readings, own_doubt)
        is_second = has_count and not own_doubt and readings[0].count is None
        if second_count := _SECOND_COUNT.search(full_name) if is_second else None:
            # `4 Kite (3)`: in an open pool, this may be the whole name
            readings = _doubt_readings_without(second_count["bracket"], readings, TWO_COUNTS)
            question = question or NUMBER_IN_NAME
    if own_doubt and _NUMBERED_NAME.search(full_name):
        question, own_doubt = own_doubt, ""  # `Agent #7` and `+2 Mace` are names, too
    question = question or _question_about_numbers(readings, has_count=has_count)
    return readings, doubt or own_doubt, question


def _doubtful_part(full_name: str, zone: str | None) -> tuple[str, str]:
    """Return words that may not belong to the name, and the doubt about them in a sentence.

    Both are empty if there is no doubt. The words are also empty if the doubt is about the name as a whole.
    """
    if bracket := count_in_brackets(remove_remark(full_name)):
        return bracket, (
            f"what does `{bracket}` mean? write each card on its own line, with one count before it"
        )
    if _TWO_IN_CORNERS.fullmatch(full_name) and _is_in_one_script(full_name):
        return "", SEVERAL_CARDS
    if zone:
        return zone, (
            f"is `{zone}` the zone? write it on a line above the card, or put the whole name in quotes"
        )
    return "", ""


_NUMBER_BEFORE_WORDS = lazy_pattern(r"\d{1,2}\s+[^\W\d_]")
_NUMBER_OR_SEMICOLON = lazy_pattern(
    r"(?:(?<=[^\W\d_])|(?<=[.!?]))\s\d{1,2}\s+(?=[^\W\d_]{2})|^[^,;]*[^\W\d_];[^\W\d_][^,;]*$"
)


def _question_about_numbers(readings: Sequence[Reading], *, has_count: bool) -> str:
    """Return a question about a number in `1 2 Kite` or `Kite 2 Bell`; empty if there is none."""
    full_name = readings[0].name
    if has_count and _NUMBER_BEFORE_WORDS.match(full_name):
        return NUMBER_IN_NAME
    name = next((reading.name for reading in readings if reading.count is None), full_name)
    if not _NUMBER_OR_SEMICOLON.search(name):
        return ""
    return READ_AS_ONE_CARD if has_count else NUMBER_IN_NAME


def add_doubts(readings: tuple[Reading, ...], *, has_count: bool) -> tuple[tuple[Reading, ...], str]:
    """Add doubts to the readings of a name; also return the doubt about the whole line.

    A reading is one way to separate the name from the words around it. The names are checked from the longest
    on, until a reading is uncertain. If a name may contain a count or another card, the line and all shorter
    readings get a doubt. A reading that takes a number as the count, such as `Kite (5)` read as five
    copies of Kite, is not checked and does not get a doubt.
    """
    doubt, certain, checked_readings = "", True, []
    for reading in readings:
        certain = certain and reading.certain
        checked_readings.append(
            structs.replace(reading, doubt=doubt) if doubt and reading.count is None else reading
        )
        if not doubt and certain and reading.count is None:
            doubt = doubt_about_count(remove_remark(reading.name), has_count=has_count)
    return tuple(checked_readings), doubt


def _doubt_readings_without(part: str, readings: tuple[Reading, ...], doubt: str) -> tuple[Reading, ...]:
    """Return the readings, with `doubt` set in each whose name lacks `part`, except the first.

    A reading is one way to separate a card's name from the words around it.

    doubt: why the words outside the name may be important, as a sentence
    """
    shorter_readings = (
        reading if part in reading.name else structs.replace(reading, doubt=doubt) for reading in readings[1:]
    )
    return (readings[0], *shorter_readings)


def _is_zone(words: str) -> bool:
    return general_kind(words) in ("main", "side", "maybe")


def _is_in_one_script(name: str) -> bool:
    return len({script(part) for part in re.split(r"[/／｜|]", name.strip("《》「」『』【】〈〉"))}) == 1


_LOCATED = pattern("located")
_SIGNS = frozenset("-–—:|/,#)]}>")
_LAST_WORDS = pattern("last-words")
_SEPARATORS = frozenset("-–—|/#")
_POSSESSIVE = lazy_pattern(
    r"^(?:my|our|the|as|is|als|mein|meine|mon|ma|notre|mi|mis|il mio|la mia|moja|mój)\s", re.I
)


@lru_cache(maxsize=CACHE_SIZE)
def _zone_beside(name: str) -> str | None:
    """Return the word for a zone beside a name: `SB` in `Kite - SB`, `Tokens` in `Tokens: Kite`."""
    if name[-2:] not in ("SB", "MB") and not _SIGNS.intersection(name) and not _LOCATED.search(name):
        return None
    prefix = re.split(r":|\s[-–—]\s", name, maxsplit=1)[0]
    if prefix != name and (is_side_or_maybe(prefix) or general_kind(prefix) in _KINDS_BEFORE):
        return prefix
    location = _LOCATED.search(name)
    if location and is_side_or_maybe(location["zone"]):
        return location["zone"]
    return _zone_at_end(name)


_KINDS_BEFORE = frozenset({"maybe", "tokens", *LEADER_KINDS})


def _zone_at_end(name: str) -> str | None:
    """Return the words for a zone, such as `SB`, at the end of a card's name; None without them.

    The zones are sideboards, maybeboards, and zones for leaders or companions. For example, returns
    `Commander` for `Kite (Commander, foil)`, `Sideboard` for `Kite - Sideboard`, and `SB` for `Kite SB`. In
    brackets, words such as `my` before the zone are left out.
    """
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


# -- the names of a deck


_Questions = Iterator[tuple[int, str, bool]]
"""Triples: the index of a line, the question about it, and whether it is a doubt."""


def review(lines: Sequence[Line], vocabulary: Vocabulary, dialect: Dialect) -> list[Line]:
    """Return the lines of a deck, with doubts and questions that come from comparing the lines.

    A line that already has a doubt is not changed. If a line already has a question, a new doubt replaces it,
    but a new question does not.
    """
    reviewed_lines = list(lines)
    for questions in (  # each sees what those before it asked
        _ask_about_signs(reviewed_lines),
        _ask_about_marks(reviewed_lines),
        _ask_about_numbers(reviewed_lines),
        _ask_about_brackets(reviewed_lines),
        _ask_about_lone_brackets(reviewed_lines, vocabulary),
        _ask_about_commas(reviewed_lines, dialect),
    ):
        for index, text, is_doubt in questions:
            line = reviewed_lines[index]
            if is_doubt and not line.doubt:
                reviewed_lines[index] = structs.replace(line, doubt=text, question="")
            elif not line.doubt and not line.question:
                reviewed_lines[index] = structs.replace(line, question=text)
    return reviewed_lines


_MIN_NAMES = 2
_COLUMN_SIGNS = frozenset("|｜ ")
_BETWEEN = lazy_pattern(
    r"(?<!\s)(?:\s*(?P<close>[,;|，、；｜])\s*|\s+(?P<sign>[^\w\s'\"]|and|und|et|or)\s+|\s{2,}|\u3000)"
)
_BEFORE_NAMES = " \t\u3000-*•>"
_NEARLY_EVERY = 0.8


def _ask_about_signs(lines: Sequence[Line]) -> _Questions:
    """Ask about a sign between names, such as `&`, if nearly every line has it.

    `Kite & Bell` may be two cards. If the sign could separate columns, such as `|`, each line with it
    gets a doubt; otherwise a question. The function does not ask if a line has a count, or if a line was
    already split into several cards.
    """
    if any(line.has_count for line in lines) or len({line.number for line in lines}) < len(lines):
        return
    signs_on = [_signs_between_names(line.raw) for line in lines]
    frequencies = Counter(sign for signs in signs_on for sign in signs)
    sign, number = frequencies.most_common(1)[0] if frequencies else ("", 0)
    if number < max(_MIN_NAMES, len(lines) * _NEARLY_EVERY):
        return
    are_columns = sign in _COLUMN_SIGNS
    for index, signs in enumerate(signs_on):
        if sign in signs:
            yield index, SEVERAL_CARDS if are_columns else READ_AS_ONE_CARD, are_columns


def _signs_between_names(raw: str) -> list[str]:
    """Return the punctuation between names on a line. Words in lower case are not names."""
    line = raw.lstrip(_BEFORE_NAMES).rstrip()
    initials: dict[str, str] = {}
    for match in _BETWEEN.finditer(line):
        sign = match["close"] or match["sign"] or " "
        initials[sign] = initials.get(sign, line[:1]) + (line[match.end() : match.end() + 1] or " ")
    return [
        sign for sign, letters in initials.items() if letters.isalpha() and not any(map(str.islower, letters))
    ]


_NAME_BESIDE_A_NUMBER = lazy_pattern(
    r"\W{0,3}\d{1,2}(?:\W\d{1,2})?\W{1,3}(?P<name>[^\W\d_].*)|(?P<name2>.*[^\W\d_])\W{1,4}\d{1,2}\W{0,3}"
)


def _ask_about_numbers(lines: Sequence[Line]) -> _Questions:
    """Ask whether a number at the beginning or end of a name is the count.

    Always asks about a number in lower case or with a unit, such as `3 ea`. Also asks about every line if no
    line has a count, and each of the lines (at least two) has a number beside a different name.

    Otherwise asks only about lines without a count. Even there, does not ask if the number is clearly a part
    of the name: a line with a count has such a number, too, or another name differs only in the number.
    """
    names = [next(reading for reading in line.readings if reading.count is None).name for line in lines]
    on_every_line = not any(line.has_count for line in lines) and _are_beside_numbers(names)
    all_have_counts = all(line.has_count for line in lines)
    stems = [None if all_have_counts else name_without_number(name) for name in names]
    frequencies = Counter(fold(stem) for stem in stems if stem)
    has_counted_stem = any(line.has_count and stem for line, stem in zip(lines, stems, strict=True))
    for index, (line, name, stem) in enumerate(zip(lines, names, stems, strict=True)):
        could_count = name_without_number(name, has_count=True) is not None
        if not line.has_count:
            is_alone = stem is not None and not has_counted_stem and frequencies[fold(stem)] == 1
            could_count = stem is not None and (could_count or is_alone)
        if could_count or on_every_line:
            yield index, NUMBER_IN_NAME, False


def _are_beside_numbers(names: Sequence[str]) -> bool:
    """Return whether every name has a number beside it, after any punctuation: `Kite-3`."""
    matches = map(_NAME_BESIDE_A_NUMBER.fullmatch, names)
    distinct_names = {fold(match["name"] or match["name2"]) for match in matches if match}
    return _MIN_NAMES <= len(distinct_names) == len(names)


def _ask_about_marks(lines: Sequence[Line]) -> _Questions:
    """Yield a doubt about names that may mean the same card: `Kite (M10)` and `Kite (LEA)`.

    Such names are equal without the set, translation or other addition that `_stem` removes.
    """
    names = [next(reading for reading in line.readings[::-1] if reading.certain).name for line in lines]
    stems = list(map(_stem, names))
    names_by_stem: dict[str, dict[str, int]] = {}
    for stem, name, line in zip(stems, names, lines, strict=True):
        names_by_stem.setdefault(fold(stem), {}).setdefault(fold(name), line.number)
    for index, (line, stem, name) in enumerate(zip(lines, stems, names, strict=True)):
        if stem == name or line.question not in ("", NUMBER_IN_NAME):
            continue
        has_two_faces = " // " in name  # two cards may have the same front face
        other_lines = (
            number
            for key, number in names_by_stem[fold(stem)].items()
            if key == fold(stem) or (not has_two_faces and key != fold(name))
        )
        if (other_line := next(other_lines, None)) is not None:
            yield (
                index,
                f"the same card as on line {other_line}? write both alike, or put the whole name in quotes",
                True,
            )


_SET_BEHIND = pattern("in-brackets")
_PERIOD_BEHIND = lazy_pattern(r"(?P<rest>.*[^\W\d_]{3})\s?[.!:?]")
_CODE_BEHIND = lazy_pattern(rf"(?P<rest>\S.*\S)\s(?:{CODE}|[A-Z][A-Z0-9]{{1,4}}\s\d{{1,3}}[a-z]?)")


@lru_cache(maxsize=CACHE_SIZE)
def _stem(name: str) -> str:
    """Return the name without a printing mark, a translation, a back face or a final period.

    Quoted text is kept whole, without the quotes. Other words in brackets, such as `(Red)`, are kept, too.
    If the names outside and inside the brackets are in two scripts, and one of them is Latin, the Latin name
    is returned.

    >>> names = "Kite (M10)", "Kite (Red)", "Kite // Bell", "Kite (稲妻)", "稲妻 (Kite)"
    >>> list(map(_stem, names))
    ['Kite', 'Kite (Red)', 'Kite', 'Kite', 'Kite']
    >>> _stem('"Kite (M10)"'), _stem("Kite ABC 12"), _stem("Kite AB01-002"), _stem("Kite 12")
    ('Kite (M10)', 'Kite', 'Kite', 'Kite 12')
    """
    if _is_quoted(name):
        return name[1:-1].strip()
    if " // " in name:
        return name.partition(" // ")[0]
    if match := _CODE_BEHIND.fullmatch(name) or _PERIOD_BEHIND.fullmatch(name):
        return match["rest"]
    match = _SET_BEHIND.fullmatch(name)
    if match is None or match["inside"] is None:
        return match["rest"] if match else name
    by_script = {script(part): part for part in (match["inside"], match["rest"])}
    has_translation = len(by_script) > 1 and "Latin" in by_script and "" not in by_script
    return by_script["Latin"] if has_translation else name


_WORDS_BEHIND = lazy_pattern(r"(?P<rest>\S.*?)\s*\((?P<inside>[^\W\d_][^()]*)\)")
_COLOURS = folded_words("cards", "colours")


def _ask_about_brackets(lines: Sequence[Line]) -> _Questions:
    """Ask about names that differ only in the text in brackets, unless that text is colours."""
    first_uses: dict[str, tuple[str, int]] = {}
    for index, line in enumerate(lines):
        match = _WORDS_BEHIND.fullmatch(line.written_name)
        if match is None or fold(match["inside"]) in _COLOURS:
            continue
        inside, number = first_uses.setdefault(fold(match["rest"]), (fold(match["inside"]), line.number))
        if inside != fold(match["inside"]):
            yield index, f"is it the card of line {number}? if so, write both in the same way", False


_FEW_MARKED = 4
"""Brackets are categories if more than one line in this many (rounded up) has them."""
_LONE_MARK = lazy_pattern(r"\[[^\W\d_](?:[^\[\]{},]*[^\W\d_])?\]")
_WORDS_IN_SQUARE = lazy_pattern(r"\S\s*\[([^\W\d_]+(?: [^\W\d_]+)+)\]$")


def _ask_about_lone_brackets(lines: Sequence[Line], vocabulary: Vocabulary) -> _Questions:
    """Ask about square brackets if few lines have them: `Kite [Duress]` may be two cards."""
    marks = list(map(_lone_mark, lines))
    frequencies = Counter(fold(mark) for mark in marks if mark)
    if _FEW_MARKED * frequencies.total() > len(lines) + _FEW_MARKED - 1:
        return
    for index, (line, mark) in enumerate(zip(lines, marks, strict=True)):
        header = read_header(mark, vocabulary) if mark else None
        if mark and frequencies[fold(mark)] == 1 and not (header and header.is_known):
            question = f"`[{mark}]`: a category, or another card? "
            is_removed = any(reading.certain and mark not in reading.name for reading in line.readings)
            yield index, f"{question}leave it out, or write each card on its own line", is_removed


def _lone_mark(line: Line) -> str:
    """Return the words of a mark such as `[Ramp]`; empty for `[Ramp,Land]` and `[Main{top}]`."""
    mark = next((mark[1:-1] for mark in line.marks if _LONE_MARK.fullmatch(mark)), "")
    square_words = None if mark else _WORDS_IN_SQUARE.search(line.written_name)
    return square_words[1] if square_words else mark


_COMMA = lazy_pattern(r"(?P<first>[^\W\d_][^,]*), (?P<second>[^\W\d_][^,]*)")
_FEW_COMMAS = 2


def _ask_about_commas(lines: Sequence[Line], dialect: Dialect) -> _Questions:
    """Ask about lines such as `Bell, Duress`, which may be two cards."""
    names = {fold(line.written_name) for line in lines}
    matches = [_COMMA.fullmatch(line.written_name) for line in lines]
    are_few = dialect is PLAIN and sum(match is not None for match in matches) <= _FEW_COMMAS
    for index, (line, match) in enumerate(zip(lines, matches, strict=True)):
        if match is None or line.question or general_kind(line.zone or "") in LEADER_KINDS:
            continue
        if fold(match["second"]) in names:
            yield index, SEVERAL_CARDS, True
        elif are_few and " " not in match["first"] + match["second"]:
            yield index, READ_AS_ONE_CARD, False
