"""A deck while it is being read: every grammar puts its lines in here."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from msgspec import structs

from tourney.cards.names import fold, script
from tourney.decks.decklist import Decklist, Line, Note, Reading, Words
from tourney.decks.reading.counts import (
    MOST_COPIES,
    count_in_brackets,
    is_only_words,
    left_over,
    number_beside,
    one_or_several,
    two_numbers_before,
    whole_number,
    why_not,
)
from tourney.decks.reading.lines import (
    LEADER_KINDS,
    Vocabulary,
    could_be_aside,
    general_kind,
    is_never_a_name,
    read_header,
)
from tourney.decks.reading.names import (
    CODE,
    MOST_REMEMBERED,
    PLAIN,
    Dialect,
    Peeled,
    late,
    peel,
    without_remark,
)
from tourney.errors import Finding, Severity

_MOST_ENTRIES = 10_000
_LONGEST_RAW = 500
_LONGEST_SHOWN = 80
_MARKED_ZONES = frozenset({"companion", "side", "maybe", "tokens", *LEADER_KINDS})


@dataclass(frozen=True, slots=True)
class ListText:
    """A text that holds decks: as it stands and as its lines, the file's name for messages, the format's words."""

    text: str
    lines: Sequence[str]
    source: str
    vocabulary: Vocabulary


@dataclass(slots=True)
class Section:
    """A header, what it heads, and what stood under it, to compare with what it says.

    zone_id, outside: as the vocabulary knows it; kind: the general kind of zone that it means
    """

    words: str
    line: int
    declared: int | None
    zone_id: str | None = None
    kind: str | None = None
    outside: bool = False
    cards: int = 0
    parts: bool = False  # headers without counts below it part it further
    spoiled: bool = False  # a line below could not be counted: that is told, the sum is not


class LeftOpen(NamedTuple):
    """What a line leaves open, as in `Line`: why it may be something else than this card, and what is to be asked."""

    doubt: str = ""
    question: str = ""


_NOTHING_OPEN = LeftOpen()


class _Place(NamedTuple):
    """Where a card stands: under which header, whether it counts there, and which headers' sums it adds to.

    implied: no header says so, but its place in the list; group: what it is sorted under inside the zone
    """

    section: Section | None
    counts: bool
    implied: bool = False
    group: str | None = None
    counted_in: tuple[Section, ...] = ()


@dataclass(slots=True)
class DeckBuilder:
    """Collects one deck; `build` gives the finished `Decklist`."""

    source: str
    grammar: str
    vocabulary: Vocabulary
    dialect: Dialect = PLAIN
    fields: bool = False  # names and counts stand in fields of their own
    name: str | None = None
    player: str | None = None
    format: str | None = None
    about: list[tuple[str, str]] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    aside: list[Line] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    zone: Section | None = None
    group: Section | None = None
    tally: Section | None = None
    implied: bool = False
    sections: list[Section] = field(default_factory=list)
    totals: list[Section] = field(default_factory=list)
    words: list[Words] = field(default_factory=list)
    account: dict[int, str] = field(default_factory=dict)
    seen: int = 0

    def is_full(self, line: int) -> bool:
        """Count an entry, and tell whether the list has more of them than any deck; the first beyond is a finding."""
        self.seen += 1
        if self.seen == _MOST_ENTRIES + 1:
            self.fault("line", f"only the first {_MOST_ENTRIES:,} entries were read", line=line)
        return self.seen > _MOST_ENTRIES

    def enter(self, header: str, *, line: int, declared: int | None = None, implied: bool = False) -> None:
        """Begin a zone under `header`; what follows stands in it."""
        self.leave()
        self.zone, self.implied = self._headed(header, line, declared), implied
        self.sections.append(self.zone)

    def _headed(self, header: str, line: int, declared: int | None = None) -> Section:
        known = self.vocabulary
        kind, outside = general_kind(header), known.is_outside(header)
        return Section(header, line, declared, known.zone_id(header), kind, outside)

    def stand_in(self, header: str | None, *, line: int) -> None:
        """Go on under `header` (None: under no header), where each entry says for itself in which zone it stands."""
        if header != (self.zone.words if self.zone else None):
            self.leave() if header is None else self.enter(header, line=line)

    def leave(self) -> None:
        """End the zone: what follows stands under no header."""
        self.zone, self.group, self.tally, self.implied = None, None, None, False

    def sort(self, header: str, *, line: int, declared: int | None = None) -> None:
        """Begin a group inside the zone: a header that only sorts."""
        self.group = Section(header, line, declared)
        parent = self.tally
        inside = declared is None and parent is not None and (parent.cards == 0 or parent.parts)
        if parent is not None and inside:
            parent.parts = True  # `Assets (5)` over `Hand`: the cards below count for both
        else:
            self.tally = self.group
            self.sections.append(self.group)

    def expect(self, declared: int, *, line: int, words: str) -> None:
        """Note that the file says how many cards the whole deck has."""
        self.totals.append(Section(words, line, declared))

    def add(
        self,
        words: str,
        peeled: Peeled,
        *,
        line: int,
        count: str | float | None = 1,
        counted: bool = True,
        zone: str | None = None,
        raw: str = "",
        left_open: LeftOpen = _NOTHING_OPEN,
        counts: bool | None = None,
    ) -> None:
        """Add a line for the card that `words` name; a count that is none becomes a finding instead.

        peeled:    the words taken apart, with all that stands beside the name
        counted:   a count is written; else it is one because none is
        zone:      the zone that the line itself names (`SB:`)
        left_open: what the line's form and place leave open already
        counts:    whether it counts, where the file itself says so
        """
        copies = whole_number(count)
        if copies is None:
            self._refuse_count(count, words, line)
            return
        if not peeled.readings[0].name:
            self.account.setdefault(line, "card")
            self.fault("line", "an entry without the name of a card", line=line)
            return
        readings = peeled.readings
        if not (counted and self.fields):
            readings, left_open = _left_open(readings, left_open, counted=counted)
        doubt, question = left_open
        self.account.setdefault(line, "finding" if doubt else "card")
        place = self._place(zone, peeled.marks, line)
        section = place.section
        card = Line(
            number=line,
            count=copies,
            counted=counted,
            readings=readings,
            code=peeled.code,
            zone=section.words if section else None,
            zone_id=section.zone_id if section else None,
            implied=place.implied,
            group=place.group,
            facts=peeled.facts,
            marks=peeled.marks,
            comment=peeled.comment,
            doubt=doubt,
            question=question if not doubt else "",
            raw=raw[:_LONGEST_RAW],
        )
        for headed in place.counted_in:
            headed.cards += copies
        (self.lines if (place.counts if counts is None else counts) else self.aside).append(card)

    def _place(self, zone: str | None, marks: Iterable[str], line: int) -> _Place:
        """Give where the card on a line stands; its own line may say so (`SB:`, `*CMDR*`) and part it from its neighbours."""
        zone, outside = _zone_of_marks(marks) if zone is None else (zone, False)
        apart = zone is not None and (self.zone is None or zone != self.zone.words)
        section = self._headed(zone, line) if zone and apart else self.zone
        counts = not (outside or (section is not None and section.outside))
        if apart:
            return _Place(section, counts)
        group = self.group.words if self.group else None
        headed = tuple(filter(None, (self.zone, self.tally)))
        return _Place(section, counts, implied=self.implied, group=group, counted_in=headed)

    def _refuse_count(self, count: object, words: str, line: int) -> None:
        name = peel(words, self.dialect).readings[-1].name[:_LONGEST_SHOWN]
        for section in (self.zone, self.tally, *self.totals):
            if section:
                section.spoiled = True
        why = why_not(count if isinstance(count, (str, int, float)) else None)
        self.fault(
            "count",
            f"`{str(count)[:40]}`: {why}; a whole number from 1 to {MOST_COPIES} is needed",
            line=line,
            subjects=(name,),
            have=str(count)[:40],
            allowed=f"a whole number from 1 to {MOST_COPIES}",
            hint=f"if the number belongs to the name, write `1 {count} {name}`"
            if self._may_be_a_name(count)
            else None,
        )

    def _may_be_a_name(self, count: object) -> bool:
        """In a text line the number could begin the name; in a field of its own it cannot."""
        return (
            isinstance(count, str)
            and len(count) < 10
            and count.isdecimal()
            and int(count) > 0
            and not self.fields
        )

    def set_aside(
        self,
        text: str,
        *,
        line: int,
        role: str,
        why: str,
        count: str | None = None,
        raw: str = "",
        card: bool = True,
        question: str = "",
    ) -> None:
        """Remember a line that was taken for words about the deck.

        card: it could be one all the same; question: it is one where the pool does not list all cards, and what to ask then
        """
        peeled = peel(text, self.dialect)
        readings, doubt = _doubted(peeled.readings, counted=count is not None)
        made = Line(
            number=line, count=whole_number(count) or 1, readings=readings, doubt=doubt, code=peeled.code, facts=peeled.facts,
            marks=peeled.marks, raw=raw[:_LONGEST_RAW], question=question,
        )  # fmt: skip
        self.words.append(Words(line=made, role=role, why=why, card=card))

    def fault(
        self,
        rule: str,
        message: str,
        *,
        line: int | None,
        severity: Severity = Severity.ERROR,
        subjects: tuple[str, ...] = (),
        have: str | None = None,
        allowed: str | None = None,
        hint: str | None = None,
    ) -> None:
        """Add a finding about the list as it is written."""
        if line is not None and rule in {"count", "line"}:
            self.account[line] = "finding"
        self.findings.append(
            Finding(
                rule=rule,
                severity=severity,
                message=message,
                lines=() if line is None else (line,),
                subjects=subjects,
                have=have,
                allowed=allowed,
                hint=hint,
            )
        )

    def note(self, line: int, message: str, *, weighty: bool = False) -> None:
        """Remember a decision for `deck show`; a weighty one for `deck check`, too."""
        self.notes.append(Note(line=line, message=message, weighty=weighty))

    def build(self) -> Decklist:
        """Compare what headers say with what stands under them, and give the deck."""
        self._ask_about_repeated()
        self._ask_about_numbers()
        self._doubt_marks_that_differ()
        self._ask_about_words_that_differ()
        self._doubt_lone_brackets()
        self._ask_about_commas()
        spoiled = any(finding.rule in {"count", "line"} for finding in self.findings)
        cards = sum(line.count for line in self.lines)
        zones = {line.zone for line in self.lines if line.zone}
        leading = {zone for zone in zones if general_kind(zone) in LEADER_KINDS}
        leaders = sum(line.count for line in self.lines if line.zone in leading)
        for section in self.sections:
            if section.declared not in (None, section.cards) and not section.spoiled:
                self._disagree(section, section.cards)
        for total in self.totals:
            if total.declared not in (cards, cards - leaders) and not spoiled:
                self._disagree(total, cards)
        if not self.lines and not self.findings:
            self.fault(
                "empty", "there is no card in this list", line=None, hint="write one card a line: `4 Name`"
            )
        return Decklist(
            source=self.source,
            grammar=self.grammar,
            name=self.name,
            player=self.player,
            format=self.format,
            lines=tuple(self.lines),
            aside=tuple(self.aside),
            findings=tuple(sorted(self.findings, key=lambda finding: finding.lines)),
            notes=tuple(sorted(self.notes, key=lambda note: note.line)),
            about=tuple(self.about),
            words=tuple(self.words),
            account=tuple(sorted(self.account.items())),
        )

    def _ask_about_repeated(self) -> None:
        """Ask about a title that is also a card of the list: decks are often named after one of their cards."""
        titles = [each for each in self.words if each.role == "title" and each.card]
        if not titles:
            return
        names = {reading.key for line in (*self.lines, *self.aside) for reading in line.readings}
        for words in titles:
            if not names.isdisjoint(reading.key for reading in words.line.readings):
                self.findings.append(title_or_card(words))
                self.notes = [note for note in self.notes if note.line != words.line.number]

    def _ask_about_numbers(self) -> None:
        """Ask about numbers that were read as part of names and could be counts, unless the list shows that names end so.

        It does where a name with its count before it ends in a number, or two names differ in nothing else.
        """
        if self.fields:
            return
        names = [next(each for each in line.readings if each.count is None).name for line in self.lines]
        counted = all(line.counted for line in self.lines)
        stems = [None if counted else number_beside(name) for name in names]
        times = Counter(fold(stem) for stem in stems if stem)
        ended = any(line.counted and stem for line, stem in zip(self.lines, stems, strict=True))
        for at, (line, name, stem) in enumerate(zip(self.lines, names, stems, strict=True)):
            if line.doubt or line.question:
                continue
            could_count = number_beside(name, counted=True) is not None
            if not line.counted:
                names_end_so = stem is not None and (ended or times[fold(stem)] > 1)
                could_count = stem is not None and (could_count or not names_end_so)
            if could_count:
                self.lines[at] = structs.replace(line, question=_PART_OF_THE_NAME)

    def _doubt_marks_that_differ(self) -> None:
        """Doubt names that differ only in what may be no part of them: `Kite (M10)` and `Kite (LEA)`, `Kite` and `Kite // Bell`."""
        if self.fields:
            return
        names = [next(each for each in line.readings[::-1] if each.certain).name for line in self.lines]
        stems = [_stem(name) for name in names]
        written: dict[str, dict[str, int]] = {}
        for stem, name, line in zip(stems, names, self.lines, strict=True):
            written.setdefault(fold(stem), {}).setdefault(fold(name), line.number)
        for at, (stem, name) in enumerate(zip(stems, names, strict=True)):
            line = self.lines[at]
            if stem == name or line.doubt or line.question not in ("", _NUMBER_IN_BRACKETS):
                continue
            faces = " // " in name  # two cards may have the same front face
            others = written[fold(stem)]
            other = next(
                (
                    number
                    for key, number in others.items()
                    if key == fold(stem) or (not faces and key != fold(name))
                ),
                None,
            )
            if other is not None:
                doubt = f"the same card as on line {other}? write both in the same way, or put the whole name in quotes"
                self.lines[at] = structs.replace(line, doubt=doubt, question="")
                self.account[line.number] = "finding"

    def _ask_about_words_that_differ(self) -> None:
        """Ask about names that differ only in words in brackets, `Kite (Hero)` and `Kite (Villain)`; colours tell cards apart."""
        parted = [_WORDS_BEHIND.fullmatch(line.written) for line in self.lines]
        first: dict[str, tuple[str, int]] = {}
        for at, (line, match) in enumerate(zip(self.lines, parted, strict=True)):
            if self.fields or match is None or fold(match["inside"]) in _COLOURS:
                continue
            inside, number = first.setdefault(fold(match["rest"]), (fold(match["inside"]), line.number))
            if inside != fold(match["inside"]) and not line.doubt and not line.question:
                question = f"is it the card of line {number}? if so, write both in the same way"
                self.lines[at] = structs.replace(line, question=question)

    def _doubt_lone_brackets(self) -> None:
        """Doubt a word in square brackets that is on a few lines only: `Kite [Duress]` may be two cards, `[Ramp]` a category."""
        marks = [_lone_mark(line.marks, line.written) for line in self.lines]
        times = Counter(fold(mark) for mark in marks if mark)
        if self.fields or _FEW_MARKED * times.total() > len(self.lines) + _FEW_MARKED - 1:
            return
        for at, (line, mark) in enumerate(zip(self.lines, marks, strict=True)):
            header = read_header(mark, self.vocabulary) if mark else None
            if not mark or times[fold(mark)] > 1 or line.doubt or (header is not None and header.known):
                continue
            doubt = f"`[{mark}]`: a category, or another card? leave it out, or write each card on a line"
            if any(reading.certain and mark not in reading.name for reading in line.readings):
                self.lines[at] = structs.replace(line, doubt=doubt, question="")
                self.account[line.number] = "finding"
            else:
                self.lines[at] = structs.replace(line, question=line.question or doubt)

    def _ask_about_commas(self) -> None:
        """Ask about `Bell, Duress`: names of one word each, or one that is on another line, may be two cards."""
        names = {fold(line.written) for line in self.lines}
        parted = [_COMMA.fullmatch(line.written) for line in self.lines]
        few = self.dialect is PLAIN and sum(match is not None for match in parted) <= _FEW_COMMAS
        for at, (line, match) in enumerate(zip(self.lines, parted, strict=True)):
            leads = general_kind(line.zone or "") in LEADER_KINDS
            if self.fields or leads or match is None or line.doubt or line.question:
                continue
            if fold(match["second"]) in names:
                doubt = "are these two cards? write one on a line, or put the name of one in quotes"
                self.lines[at] = structs.replace(line, doubt=doubt)
                self.account[line.number] = "finding"
            elif few and " " not in match["first"] + match["second"]:
                self.lines[at] = structs.replace(line, question=_ONE_OR_TWO)

    def _disagree(self, section: Section, have: int) -> None:
        self.fault(
            "section-count",
            f"`{section.words}` says {section.declared} {'card' if section.declared == 1 else 'cards'}, "
            f"its lines add up to {have}",
            line=section.line,
            severity=Severity.ADVICE,
            subjects=(section.words,),
            have=str(have),
            allowed=str(section.declared),
        )


_WORDS_BEHIND = late(r"(?P<rest>\S.*?)\s*\((?P<inside>[^\W\d_][^()]*)\)")
_COLOUR_WORDS = """
    red yellow blue green white black purple orange pink brown gold silver grey gray rot gelb blau grün weiß schwarz rouge jaune bleu vert blanc noir
    rojo amarillo azul verde blanco negro rosso giallo blu bianco nero
"""
_COLOURS = frozenset(map(fold, _COLOUR_WORDS.split()))
"""Words in brackets that tell two cards of a name apart, as pitches do."""
_FEW_MARKED = 4
"""If fewer than one in so many lines has brackets, they are not the list's categories."""
_COMMA = late(r"(?P<first>[^\W\d_][^,]*), (?P<second>[^\W\d_][^,]*)")
_FEW_COMMAS = 2


def _lone_mark(marks: Iterable[str], written: str) -> str:
    """Return the words of a mark such as `[Ramp]`; empty without one, and if it says more (`[Ramp,Land]`, `[Main{top}]`)."""
    mark = next((mark[1:-1] for mark in marks if _LONE_MARK.fullmatch(mark)), "")
    behind = _WORDS_IN_SQUARE.search(written) if not mark and written[-1:] == "]" else None
    return mark or (behind[1] if behind else "")


_WORDS_IN_SQUARE = late(r"\S\s*\[([^\W\d_]+(?: [^\W\d_]+)+)\]$")
_LONE_MARK = late(r"\[[^\W\d_](?:[^\[\]{},]*[^\W\d_])?\]")
_EDITION = r"(?i:alpha|beta|gamma|unlimited|revised|(?:\d{1,2}(?:st|nd|rd|th)|first|second|third|fourth|fifth)\s(?:edition|ed\.?|print(?:ing)?)|\d\.\s(?:edition|auflage))"
_SET_BEHIND = late(
    rf"(?P<rest>\S.*?)\s*[(\[{{<](?:\d{{1,4}}|(?=[^a-z]*[A-Z])[A-Z0-9]{{2,5}}|{_EDITION}|(?P<inside>[^()\[\]{{}}<>]+))[)\]}}>]"
)
_ENDED = late(r"(?P<rest>.*[^\W\d_]{3})\s?[.!:?]")
_PRINTED_BEHIND = late(rf"(?P<rest>\S.*\S)\s(?:{CODE}|[A-Z][A-Z0-9]{{1,4}}\s\d{{1,3}}[a-z]?)")


@lru_cache(maxsize=MOST_REMEMBERED)
def _stem(name: str) -> str:
    """Return the name without what may be a set, a translation or another face.

    >>> _stem("Kite (M10)"), _stem("Kite (Red)"), _stem("Kite // Bell"), _stem("Kite (稲妻)"), _stem("稲妻 (Kite)")
    ('Kite', 'Kite (Red)', 'Kite', 'Kite', 'Kite')
    >>> _stem('"Kite (M10)"')
    'Kite (M10)'
    >>> _stem("Kite ABC 12"), _stem("Kite AB01-002"), _stem("Kite 12")
    ('Kite', 'Kite', 'Kite 12')
    """
    if name[:1] in '"“„«' and name[-1:] in '"”“»':
        return name[1:-1].strip()
    if " // " in name:
        return name.partition(" // ")[0]
    match = _PRINTED_BEHIND.fullmatch(name) or _ENDED.fullmatch(name)
    if match:
        return match["rest"]
    match = _SET_BEHIND.fullmatch(name)
    if match is None or match["inside"] is None:
        return match["rest"] if match else name
    in_latin = {script(part): part for part in (match["inside"], match["rest"])}
    return in_latin["Latin"] if len(in_latin) > 1 and "Latin" in in_latin and "" not in in_latin else name


def title_or_card(words: Words) -> Finding:
    """Return the finding that asks whether a line is the title or the card of that name."""
    return Finding(
        rule="line",
        severity=Severity.ERROR,
        message="the title, or a card? it was not counted",
        lines=(words.line.number,),
        subjects=(words.text,),
        hint=f"write `1 {words.text}` for the card, `# {words.text}` for the title",
    )


def _zone_of_marks(marks: Iterable[str]) -> tuple[str | None, bool]:
    """`*CMDR*`, `#!Commander` and `[Commander{top}]` say the zone; `{noDeck}` that the card does not count."""
    for mark in marks:
        if not mark.startswith(("*", "#!", "[")):
            continue
        word = mark.strip("*#![]").partition(",")[0]
        if "{noDeck}" in word or general_kind(word.partition("{")[0]) in _MARKED_ZONES:
            return word.partition("{")[0], "{noDeck}" in word
    return None, False


# -- What a line leaves open: in doubt it is an error, and asked about it counts as it was read, unless a pool knows the card
# (the table of all there is between certain and impossible: `plain`)


_HASHED = late(r"\s#\d{1,3}$|^\+\d")
_PART_OF_THE_NAME = (
    "the number, or its unit, was read as part of the name; if it is the count, write `4 Name`"
)
_NUMBER_INSIDE = "the number inside was read as part of the name; if it is the count, write `4 Name`"
_COUNTED_TWICE = late(r"[^\W\d_]\s?(?P<bracket>[(\[]\d{1,2}[)\]])$")
_TWO_COUNTS = "it has two counts; write one, before the name"
_NUMBER_IN_BRACKETS = (
    "the number in brackets was read as part of the name; if it is the count, write it before the name, alone"
)
_TWO_NUMBERS = "two numbers stand before the name; the first was read as the count"
_ONE_OR_TWO = "one card or two? a comma stands between its words"
_TWO_IN_CORNERS = late(
    r"[《「『【〈][^/／｜|》」』】〉]*[^\W\d_]\s?[/／｜|]\s?[^\W\d_][^/／｜|》」』】〉]*[》」』】〉]"
)
_ONE_OR_SEVERAL = "one card or several? a number or a `;` stands between its words"


def _left_open(
    readings: tuple[Reading, ...], known: LeftOpen, *, counted: bool
) -> tuple[tuple[Reading, ...], LeftOpen]:
    """Give the readings with their doubts, and what the whole line leaves open besides what is known to be."""
    name = readings[0].name
    zone = _zone_behind(name)
    if len(readings) == 1 and readings[0].count is None and not zone and is_only_words(name):
        return readings, known
    readings, doubt = _doubted(readings, counted=counted)
    if not doubt and (bracket := count_in_brackets(without_remark(readings[0].name), is_zone=_is_zone)):
        doubt = (
            f"`{bracket}`: what does it count or change? write each card on a line, with one count before it"
        )
        readings = (readings[0], *(_told_apart(each, bracket, doubt) for each in readings[1:]))
    elif not doubt and _TWO_IN_CORNERS.fullmatch(name) and _are_in_one_script(name):
        doubt = "are these two cards, or two names of one? write one name, or each card on a line"
    elif not doubt and zone:
        doubt = f"is `{zone}` the zone? write it on a line above the card, or put the whole name in quotes"
        readings = (readings[0], *(_told_apart(each, zone, doubt) for each in readings[1:]))
    question = known.question
    alone = counted and not doubt and readings[0].count is None
    twice = alone and _COUNTED_TWICE.search(readings[0].name)
    if twice:  # `4 Kite (3)`: in an open pool the name may end so
        readings = (readings[0], *(_told_apart(each, twice["bracket"], _TWO_COUNTS) for each in readings[1:]))
        question = question or _NUMBER_IN_BRACKETS
    if doubt and _HASHED.search(readings[0].name):
        question, doubt = doubt, ""  # `Agent #7` and `+2 Mace` are names, too
    if counted and not question:
        name = next((reading.name for reading in readings if reading.count is None), "")
        question = (
            _TWO_NUMBERS if two_numbers_before(name) else _ONE_OR_SEVERAL if one_or_several(name) else ""
        )
    elif not question and one_or_several(readings[0].name):
        question = _NUMBER_INSIDE
    return readings, LeftOpen(known.doubt or doubt, question)


_LOCATED = late(
    r"[\s(\[{](?:in|im|en|au|nel|no|w|do|to|for|für|zum|pour)\s(?:(?:the|der|die|das|my|el|la|il|le)\s)?(?P<zone>[^\W\d_]+(?: [^\W\d_]+)?)[)\]}]?$",
    re.I,
)
_SIGNS = frozenset("-–—:|/,#)]}>")
_LAST_WORDS = late(
    r".*\S\s*(?:\s[-–—:|/,#]+\s*(?P<words>[^\W\d_][\w -]*)|[,:|/]\s(?P<words2>[^\W\d_][\w -]*)|\s(?P<words3>SB|MB)"
    r"|\[(?P<words5>[^\W\d_][\w -]*)\]|[({<](?P<words4>[^\W\d_][\w ,;/&-]*)[)}>])"
)
_PARTING = frozenset("-–—|/#")
_POSSESSIVE = late(r"^(?:my|our|the|as|is|als|mein|meine|mon|ma|notre|mi|mis|il mio|la mia|moja|mój)\s", re.I)


@lru_cache(maxsize=MOST_REMEMBERED)
def _zone_behind(name: str) -> str | None:
    """Return the words of a name that head a zone, parted by a sign or in brackets: `Kite - SB`, `Kite (Hero)`, `Tokens: Kite`."""
    if name[-2:] not in ("SB", "MB") and not _SIGNS.intersection(name) and not _LOCATED.search(name):
        return None
    before = re.split(r":|\s[-–—]\s", name, maxsplit=1)[0]
    if before != name and (
        could_be_aside(before) or general_kind(before) in ("maybe", "tokens", *LEADER_KINDS)
    ):
        return before
    located = _LOCATED.search(name)
    if located and could_be_aside(located["zone"]):
        return located["zone"]
    match = _LAST_WORDS.fullmatch(name)
    if match is None:
        return None
    in_brackets = match["words4"] or match["words5"] or ""
    for part in re.split(r"\s*[,;/&]\s*", in_brackets):  # `Kite (Commander, foil)`, `Kite (my commander)`
        words = _POSSESSIVE.sub("", part)
        if words and (could_be_aside(words) or general_kind(words) in LEADER_KINDS):
            return words
    words = match["words"] or match["words2"] or match["words3"] or ""
    parted = name.removesuffix(words).rstrip()[-1:] in _PARTING  # `Ann, Commander` may be a name
    return words if could_be_aside(words) or (parted and is_never_a_name(words)) else None


def _are_in_one_script(name: str) -> bool:
    return len({script(part) for part in re.split(r"[/／｜|]", name.strip("《》「」『』【】〈〉"))}) == 1


def _is_zone(words: str) -> bool:
    return general_kind(words) in ("main", "side", "maybe")


def _told_apart(reading: Reading, bracket: str, doubt: str) -> Reading:
    """Return the reading with the doubt if it leaves out the bracket: a known name does not explain the bracket."""
    return reading if bracket in reading.name else structs.replace(reading, doubt=doubt)


def _doubted(readings: tuple[Reading, ...], *, counted: bool) -> tuple[tuple[Reading, ...], str]:
    """Mark the readings that leave out what could be a count, and say what the line leaves in doubt where no pool knows it.

    A reading that knows what the number is (`Kite (5)`: five copies) leaves nothing in doubt.
    """
    if len(readings) == 1 and readings[0].count is None:
        return readings, left_over(without_remark(readings[0].name), counted=counted)
    doubt, marked = "", []
    certain = True
    for reading in readings:
        certain = certain and reading.certain
        marked.append(structs.replace(reading, doubt=doubt) if doubt and reading.count is None else reading)
        if not doubt and certain and reading.count is None:
            doubt = left_over(without_remark(reading.name), counted=counted)
    return tuple(marked), doubt
