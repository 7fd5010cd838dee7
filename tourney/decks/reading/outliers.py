"""Asks about lines that differ from the other lines of the deck: they may not be cards.

`ask_about_cards` examines the places and letters of lines before they are put into the deck: titles, sums,
sentences, signs between names. `review` examines the names of the deck: names that differ only in a mark, and
numbers at the end of some names.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property, lru_cache

from msgspec import structs

from tourney.cards.names import fold, script
from tourney.decks.decklist import Line
from tourney.decks.reading.counts import number_beside, whole_number
from tourney.decks.reading.lines import CARD_KINDS, LineKind, LineRole, LineToken, first_content, most_copies
from tourney.decks.reading.names import CACHE_SIZE, CODE, PLAIN, Dialect
from tourney.decks.reading.questions import NUMBER_IN_NAME, READ_AS_ONE_CARD, SEVERAL_CARDS
from tourney.decks.reading.vocabulary import LEADER_KINDS, LEADING, Vocabulary, general_kind, read_header
from tourney.decks.reading.words import folded, late, pattern

# -- places and letters of lines


def is_it_a_card(text: str) -> str:
    """Return a question about a line without a count, which may be a header or a remark."""
    return f"a card? it has no count; write `1 {text}` if so, `#` before it if not, `##` if it is a header"


READ_AS_ONE_COPY = (
    "it has no count and was read as one copy; if it is the title, write `#` before it, if a header, `##`"
)


def ask_about_cards(tokens: Sequence[LineToken], bare: Sequence[LineToken], *, mostly_counted: bool) -> None:
    """Add doubts and questions to lines that were read as cards and may be something else."""
    _ask_about_rows(tokens, bare)
    others = _Others(tokens, bare)
    for token in bare:
        is_leader = token.role is LineRole.LEADER
        if not is_leader and others.makes_unlikely(token, mostly_counted=mostly_counted):
            token.doubt = token.doubt or is_it_a_card(token.text)
        elif (
            (mostly_counted and not is_leader) or others.shows_title(token) or others.differs_in_script(token)
        ):
            token.question = token.question or READ_AS_ONE_COPY
    if mostly_counted:
        _ask_about_lower_case(tokens)


_COMMAS = late(r"[,;、，；]")
_ROW_IN_ZONE = late(  # not `Katsu, the Wanderer`
    r"[^,;、，；]+(?:[,;](?!\s*[a-z])[^,;]+|[、，；][^、，；]+)+"
)


def _ask_about_rows(tokens: Sequence[LineToken], bare: Sequence[LineToken]) -> None:
    """Add a doubt or a question to lines that may be several names: `Kite, Bell, Drum, Goat`."""
    alone = sum(token.kind in CARD_KINDS for token in tokens) == 1
    for token in bare:
        if len(_COMMAS.findall(token.text)) >= (2 if alone else 3):
            token.doubt = token.doubt or SEVERAL_CARDS
    for token in tokens:
        is_zoned = token.kind is LineKind.BARE and token.zone and general_kind(token.zone) not in LEADING
        if is_zoned and _ROW_IN_ZONE.fullmatch(token.text):
            token.question = token.question or READ_AS_ONE_CARD


def _ask_about_lower_case(tokens: Sequence[LineToken]) -> None:
    """Ask about the only counted name in lower case: `4 whatever`, `12 mountains`."""
    counted = [token for token in tokens if token.kind is LineKind.COUNTED and not token.whole]
    small = [token for token in counted if token.text[:1].islower()]
    if len(small) != 1 or len(counted) <= _MIN_NAMES:
        return
    (token,) = small
    if sum(fold(other.text) == fold(token.text) for other in counted) == 1:
        token.question = token.question or (
            "it was read as a card, though the other names begin with a capital"
        )


_ENDS_IN_A_NUMBER = late(r".*[^\d.,]\s?(?P<number>\d{1,3})\W*")
_SENTENCE = late(r"[^\W\d_]{3,}[.…]$|[!?]{2,}$|\s[!?]$|(?:\S+\s+){8}\S")
_LONG_WORD = late(r"[^\W\d_]{4,}")
_SENTENCE_WORDS = folded("sentences", "words")
_SENDER = late(r"(?P<head>@\S+\s|[^\W\d_][^:>]{0,40}[:>]\s)\s*\S")
_LOWER_CASE = late(r"(?:[^:]{1,40}:\s+)?(?=[^\W\d_])[a-zß-ÿа-я]\S*\s+\S")
_WORDS = (LineKind.BARE, LineKind.OTHER, LineKind.BLANK)
_MIN_NAMES = 2


class _Others:
    """What the lines of a deck have in common; a line that differs is rarely a card.

    bare:  the lines without a count, zone or role, before leaders were marked
    cards: those of them that do not lead the deck
    """

    def __init__(self, tokens: Sequence[LineToken], bare: Sequence[LineToken]) -> None:
        self.tokens = tokens
        self.bare = bare
        self.cards = [token for token in bare if token.role is not LineRole.LEADER]
        self.first = first_content(tokens)
        self.counted_names = [token.text for token in tokens if token.kind is LineKind.COUNTED]

    def makes_unlikely(self, token: LineToken, *, mostly_counted: bool) -> bool:
        """Return whether a line without a count is rarely a card: a title, a sum, a remark."""
        if self.are_heads:
            return True
        if not mostly_counted:
            return self.have_one_sender or token in self.remarks
        return (
            token is self.first
            or ":" in token.text
            or token in self.below_dashes
            or self.is_sum(token)
            or self.is_sentence(token.text)
        )

    @cached_property
    def are_heads(self) -> bool:
        """Whether each line without a count is directly above counted cards, in its own paragraph."""
        return all(
            token.begins_paragraph and token.below is not None and token.below.kind is LineKind.COUNTED
            for token in self.cards
        ) and any(token.above is not None and token.above.kind is LineKind.BLANK for token in self.cards)

    @cached_property
    def below_dashes(self) -> AbstractSet[LineToken]:
        """The words at the end, below a line `--`.

        They are a signature, although mail programs write a space after the dashes.
        """
        words = list(itertools.takewhile(lambda token: token.kind in _WORDS, reversed(self.tokens)))
        above = words[-1].above if words else None
        return frozenset(words if above is not None and above.raw.strip(" >") == "--" else ())

    def is_sum(self, token: LineToken) -> bool:
        """Return whether a line ends in the sum of cards above, or in a large number at the end."""
        match = _ENDS_IN_A_NUMBER.fullmatch(token.text)
        if match is None:
            return False
        number, total, sums = int(match["number"]), 0, {0}
        for above in token.lines_above():
            if total > number:
                break
            if above.kind is LineKind.COUNTED:
                total += whole_number(above.count) or 0
            elif total:
                sums.add(total)
        return number in sums | {total} or (token.is_last and number > most_copies(self.tokens))

    def is_sentence(self, text: str) -> bool:
        """Return whether a line looks like a sentence: it has certain words, or is in lower case."""
        has_sentence_word = len(text.split()) > _MIN_NAMES and _has_sentence_word(text)
        if _SENTENCE.search(text) or has_sentence_word:
            return True
        if text[:1].islower() and not any(name[:1].islower() for name in self.counted_names):
            return True
        return _is_in_lower_case(text) and not any(map(_is_in_lower_case, self.counted_names))

    @cached_property
    def have_one_sender(self) -> bool:
        """Whether all lines begin with the same words, such as `Tom: `."""
        heads = {match["head"] if (match := _SENDER.match(token.text)) else "" for token in self.cards}
        return len(self.cards) >= _MIN_NAMES and len(heads) == 1 and "" not in heads

    @cached_property
    def remarks(self) -> AbstractSet[LineToken]:
        """The words in lower case among capitalized names: `Tom: thanks for reading`."""
        names_in_lower_case = any(
            _is_in_lower_case(token.text) for token in self.cards if not _has_sentence_word(token.text)
        )

        def is_remark(text: str) -> bool:
            sentence = _has_sentence_word(text) and _is_in_lower_case(text)
            return bool(_LOWER_CASE.match(text)) or (sentence and not names_in_lower_case)

        remarks = {token for token in self.cards if is_remark(token.text)}
        names = [token.text for token in self.cards if token not in remarks]
        are_capitalized = len(names) >= _MIN_NAMES and all(name[:1].isupper() for name in names)
        return remarks if are_capitalized else frozenset()

    def shows_title(self, token: LineToken) -> bool:
        """Return whether `token` is the first line without a count and only the others have numbers."""
        if token is not self.first or number_beside(token.text):
            return False
        others = [other for other in self.bare if other is not token]
        return bool(others) and all(number_beside(other.text) for other in others)

    def differs_in_script(self, token: LineToken) -> bool:
        """Return whether a line above a card is in another script, so that it may be a header."""
        own = script(token.text)
        ((main_script, number),) = self.scripts.most_common(1) or [("", 0)]
        is_other = own != main_script and self.scripts[own] * 2 <= number
        return is_other and token.is_above(*CARD_KINDS)

    @cached_property
    def scripts(self) -> Counter[str]:
        """The number of names in each script."""
        return Counter(script(token.text) for token in self.tokens if token.kind in CARD_KINDS and token.text)


def _is_in_lower_case(text: str) -> bool:
    """Return whether two or more lower-case words follow the first one: `Put the goat away`."""
    rest = text.split()[1:]
    return (
        len(rest) >= _MIN_NAMES
        and any(map(_LONG_WORD.match, rest))
        and not any(word[:1].isupper() for word in rest)
    )


def _has_sentence_word(text: str) -> bool:
    return not _SENTENCE_WORDS.isdisjoint(map(fold, text.rstrip(".!?…").split()))


# -- the names of a deck


def review(lines: Sequence[Line], vocabulary: Vocabulary, dialect: Dialect) -> list[Line]:
    """Return the lines of a deck with doubts and questions that depend on all lines."""
    reviewed = list(lines)
    _ask_about_signs(reviewed)
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


_COLUMN_SIGNS = frozenset("|｜ ")
_BETWEEN = late(
    r"(?<!\s)(?:\s*(?P<close>[,;|，、；｜])\s*|\s+(?P<sign>[^\w\s'\"]|and|und|et|or)\s+|\s{2,}|\u3000)"
)
_BEFORE_NAMES = " \t\u3000-*•>"
_NEARLY_EVERY = 0.8


def _ask_about_signs(lines: list[Line]) -> None:
    """Ask about punctuation between words on nearly every line of a list without counts.

    `Kite & Bell` may be two cards. Punctuation that could separate columns makes the line doubtful. Nothing
    is asked if a line of the text has several cards.
    """
    if any(line.counted for line in lines) or len({line.number for line in lines}) < len(lines):
        return
    signs_on = [_signs_between_names(line.raw) for line in lines]
    times = Counter(sign for signs in signs_on for sign in signs)
    sign, number = times.most_common(1)[0] if times else ("", 0)
    if number < max(_MIN_NAMES, len(lines) * _NEARLY_EVERY):
        return
    for at, (line, signs) in enumerate(zip(lines, signs_on, strict=True)):
        if sign in signs and sign in _COLUMN_SIGNS and not line.doubt:
            lines[at] = _with_doubt(line, SEVERAL_CARDS)
        elif sign in signs and not line.doubt:
            lines[at] = _with_question(line, READ_AS_ONE_CARD)


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


_NAME_BESIDE_A_NUMBER = late(
    r"\W{0,3}\d{1,2}(?:\W\d{1,2})?\W{1,3}(?P<name>[^\W\d_].*)|(?P<name2>.*[^\W\d_])\W{1,4}\d{1,2}\W{0,3}"
)


def _ask_about_numbers(lines: list[Line]) -> None:
    """Ask whether numbers at the end of names are counts.

    Does not ask if names in this list clearly end in numbers: a name with a count ends in a number, or two
    names differ only in the number. If no line has a count and every name has a number, any punctuation may
    be before the number: `Kite-3`.
    """
    names = [next(reading for reading in line.readings if reading.count is None).name for line in lines]
    counted = all(line.counted for line in lines)
    stems = [None if counted else number_beside(name) for name in names]
    times = Counter(fold(stem) for stem in stems if stem)
    ended = any(line.counted and stem for line, stem in zip(lines, stems, strict=True))
    beside = [] if any(line.counted for line in lines) else map(_NAME_BESIDE_A_NUMBER.fullmatch, names)
    different = {fold(match["name"] or match["name2"]) for match in beside if match}
    on_every_line = _MIN_NAMES <= len(different) == len(lines)
    for at, (line, name, stem) in enumerate(zip(lines, names, stems, strict=True)):
        if line.doubt or line.question:
            continue
        could_count = number_beside(name, counted=True) is not None
        if not line.counted:
            names_end_so = stem is not None and (ended or times[fold(stem)] > 1)
            could_count = stem is not None and (could_count or not names_end_so)
        if could_count or on_every_line:
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
    """Return the name without what may be a set, a translation, or the name of the other face.

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
