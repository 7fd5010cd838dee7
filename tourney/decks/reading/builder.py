"""A deck while it is being read. Every reader puts its lines into a `DeckBuilder`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct, field, structs

from tourney.decks.decklist import Decklist, Line, Note, ParsedName, Words
from tourney.decks.reading.counts import MAX_COPIES, whole_number
from tourney.decks.reading.names import PLAIN, Dialect, parse_name
from tourney.decks.reading.questions import add_doubts, open_questions, review
from tourney.decks.reading.text import ListText
from tourney.decks.reading.vocabulary import LEADER_KINDS, Vocabulary, general_kind
from tourney.errors import Finding, Severity

_MAX_ENTRIES = 10_000
_MAX_RAW = 500
_MAX_SHOWN = 80
_MARKED_ZONES = frozenset({"companion", "side", "maybe", "tokens", *LEADER_KINDS})


class Section(Struct):
    """A header, and the number of cards under it.

    declared_count: the number of cards that the header gives
    zone_id:        the id of the zone in the vocabulary
    kind:           the general kind of the zone, such as `side`
    is_outside:     whether cards in the section never count, such as tokens
    has_parts:      whether the section has groups whose headers give no number of cards: `Hand` below `Assets
                    (5)`
    has_bad_count:  whether a count in the section could not be read, so that the sum is not compared
    """

    words: str
    line: int
    declared_count: int | None
    zone_id: str | None = None
    kind: str | None = None
    is_outside: bool = False
    cards: int = 0
    has_parts: bool = False
    has_bad_count: bool = False


class DeckBuilder(Struct):
    """Collects one deck; `build` gives the finished `Decklist`.

    grammar:    the name of the form in messages and in `deck show`
    has_fields: whether names and counts have separate fields, so that a number beside a name is not a count
    by_lines:   whether each line is read by itself, so that the deck's `account` lists what it was read as
    """

    text: ListText
    grammar: str
    dialect: Dialect = PLAIN
    has_fields: bool = False
    by_lines: bool = True
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
    is_implied: bool = False
    sections: list[Section] = field(default_factory=list)
    totals: list[Section] = field(default_factory=list)
    words: list[Words] = field(default_factory=list)
    account: dict[int, str] = field(default_factory=dict)
    entries: int = 0

    @property
    def vocabulary(self) -> Vocabulary:
        """The words for zones, and the names of the game, by which lines are recognized."""
        return self.text.vocabulary

    # -- zones and groups

    def enter(
        self, header: str, *, line: int, declared_count: int | None = None, is_implied: bool = False
    ) -> None:
        """Begin a zone; the cards that follow are in it."""
        self.leave()
        self.zone, self.is_implied = self._section(header, line, declared_count), is_implied
        self.sections.append(self.zone)

    def _section(self, header: str, line: int, declared_count: int | None = None) -> Section:
        zone_id, outside = self.vocabulary.zone_id(header), self.vocabulary.is_outside(header)
        return Section(header, line, declared_count, zone_id, general_kind(header), outside)

    def continue_in(self, header: str | None, *, line: int) -> None:
        """Enter the zone with this header, unless it is already the current zone.

        header: the zone's header; None ends the current zone, so that the next cards are under no header
        """
        if header != (self.zone.words if self.zone else None):
            self.leave() if header is None else self.enter(header, line=line)

    def begin_side(self, line: int, gap: str, *, weighty: bool = True) -> None:
        """Begin a sideboard without a header. gap: what is above it, such as `blank line`."""
        self.enter("Sideboard", line=line, is_implied=True)
        message = f"the cards from here on were read as the sideboard, because the only {gap} is above them"
        self.note(line, message, weighty=weighty)

    def ask_about_part(self, line: int, gap: str) -> None:
        """Report that the cards below a gap may be a sideboard, because they have no header."""
        message = f"a {gap} is above this line, but no header says which part of the deck begins here"
        hint = f"write `Sideboard` above the sideboard, or remove the {gap}"
        self.fault("line", message, line=line, hint=hint)

    def leave(self) -> None:
        """End the zone; the cards that follow are under no header."""
        self.zone, self.group, self.tally, self.is_implied = None, None, None, False

    def sort(self, header: str, *, line: int, declared_count: int | None = None) -> None:
        """Begin a group in the zone, for a header such as `Creatures` that only sorts cards."""
        self.group = Section(header, line, declared_count)
        parent = self.tally
        if declared_count is None and parent is not None and (parent.cards == 0 or parent.has_parts):
            parent.has_parts = True  # `Assets (5)` above `Hand`: the cards below count for both
        else:
            self.tally = self.group
            self.sections.append(self.group)

    def sort_as(self, group: str | None, *, line: int) -> None:
        """Begin a group of cards, such as `Creatures`, unless it is the current group.

        group: the header of the group; None for a card without a group, which changes nothing
        """
        if group is not None and (self.group is None or self.group.words != group):
            self.sort(group, line=line)

    def add_total(self, declared_count: int, *, line: int, words: str) -> None:
        """Store the number of cards that the file gives for the whole deck, to compare it later."""
        self.totals.append(Section(words, line, declared_count))

    # -- cards

    def is_full(self, line: int) -> bool:
        """Count an entry of the list, and return whether it is beyond the limit `_MAX_ENTRIES`.

        Such an entry must not be read. The first one adds a finding.
        """
        self.entries += 1
        if self.entries == _MAX_ENTRIES + 1:
            self.fault("line", f"only the first {_MAX_ENTRIES:,} entries were read", line=line)
        return self.entries > _MAX_ENTRIES

    def add(
        self,
        parsed_name: ParsedName,
        *,
        line: int,
        count: object = 1,
        has_count: bool = True,
        zone: str | None = None,
        raw: str = "",
        doubt: str = "",
        question: str = "",
        is_in_deck: bool | None = None,
    ) -> None:
        """Add the card on a line, or a finding if the count is invalid or the name is empty.

        parsed_name:     the name of the card, separated from the marks around it
        count:           the number of copies; valid if it is a whole number from 1 to 999
        has_count:       whether the line itself gives the count; if not, `count` is 1
        zone:            the zone that the line itself names (`SB:`); else None
        doubt, question: what is unclear about the line's form or place, as in `Line`; empty if it is clear
        is_in_deck:      whether the card is part of the deck; None to decide this by the card's marks and
                         zone
        """
        copies = whole_number(count) if isinstance(count, (str, int, float)) else None
        if copies is None:
            self._refuse_count(count, parsed_name.readings[-1].name[:_MAX_SHOWN], line)
            return
        if not parsed_name.readings[0].name:
            self.account.setdefault(line, "card")
            self.fault("line", "an entry without the name of a card", line=line)
            return
        readings = parsed_name.readings
        if not (has_count and self.has_fields):
            readings, doubt, question = open_questions(readings, doubt, question, has_count=has_count)
        self.account.setdefault(line, "finding" if doubt else "card")
        zone, outside = _zone_of_marks(parsed_name.marks) if zone is None else (zone, False)
        section, group, is_implied = self._place(zone, copies, line)
        if is_in_deck is None:
            is_in_deck = not (outside or (section and section.is_outside))
        card = Line(
            number=line,
            count=copies,
            has_count=has_count,
            zone=section.words if section else None,
            zone_id=section.zone_id if section else None,
            is_implied=is_implied,
            group=group.words if group else None,
            doubt=doubt,
            question="" if doubt else question,
            raw=raw[:_MAX_RAW],
            **structs.asdict(structs.replace(parsed_name, readings=readings)),
        )
        (self.lines if is_in_deck else self.aside).append(card)

    def _place(self, zone: str | None, copies: int, line: int) -> tuple[Section | None, Section | None, bool]:
        """Return a card's zone and group, and whether the zone is a sideboard without a header.

        Adds the copies to the sums of the current zone and group, unless the line names another zone
        (`zone`).
        """
        if zone is None or (self.zone and zone == self.zone.words):
            for section in filter(None, (self.zone, self.tally)):
                section.cards += copies
            return self.zone, self.group, self.is_implied
        return self._section(zone, line) if zone else self.zone, None, False

    def _refuse_count(self, count: object, name: str, line: int) -> None:
        for section in (self.zone, self.tally, *self.totals):
            if section:
                section.has_bad_count = True
        valid_counts = f"a whole number from 1 to {MAX_COPIES}"
        count_text = str(count)[:40]
        message = f"`{count_text}` is not a count; a count is {valid_counts}"
        is_number = isinstance(count, str) and len(count) < 10 and count.isdecimal() and int(count) > 0
        hint = (
            f"if the number belongs to the name, write `1 {count_text} {name}`"
            if is_number and not self.has_fields
            else None
        )
        self.fault(
            "count", message, line=line, subjects=(name,), have=count_text, allowed=valid_counts, hint=hint
        )

    # -- lines that are not cards

    def add_words(
        self,
        text: str,
        *,
        line: int,
        role: str,
        reason: str,
        count: str | None = None,
        raw: str = "",
        may_be_card: bool = True,
        question: str = "",
        note: str = "",
        weighty: bool = True,
    ) -> None:
        """Store a line that was read as text about the deck.

        may_be_card: whether the line could be a card
        question:    the question to ask if the pool does not list all cards
        note:        the verb of a note about the line, such as `was read as a header`; empty for no note
        """
        if note:
            self.note(line, f"`{text[:_MAX_SHOWN]}` {note}: {reason}", weighty=weighty)
        if role == "title":
            self.account[line] = "title"
        parsed_name = parse_name(text, self.dialect)
        readings, doubt = add_doubts(parsed_name.readings, has_count=count is not None)
        parts = structs.asdict(parsed_name) | {"readings": readings, "comment": ""}
        parts |= {"doubt": doubt, "question": question, "raw": raw[:_MAX_RAW]}
        card_line = Line(number=line, count=whole_number(count) or 1, **parts)
        self.words.append(Words(line=card_line, role=role, reason=reason, may_be_card=may_be_card))

    def fault(
        self, rule: str, message: str, *, line: int | None, severity: Severity = Severity.ERROR, **more: Any
    ) -> None:
        """Add a finding about the list.

        more: other fields of the finding, such as its hint
        """
        if line is not None and rule in {"count", "line"}:
            self.account[line] = "finding"
        lines = () if line is None else (line,)
        self.findings.append(Finding(rule, severity, message, lines=lines, **more))

    def note(self, line: int, message: str, *, weighty: bool = False) -> None:
        """Store a decision that `deck show` shows. If it is weighty, `deck check` shows it, too."""
        self.notes.append(Note(line=line, message=message, weighty=weighty))

    # -- the finished deck

    def build(self) -> Decklist:
        """Compare the sums in headers with the cards below them, and return the deck."""
        self._ask_about_titles()
        if not self.has_fields:
            reviewed_lines = review(self.lines, self.vocabulary, self.dialect)
            for line, before in zip(reviewed_lines, self.lines, strict=True):
                if line.doubt != before.doubt:
                    self.account[line.number] = "finding"
            self.lines = reviewed_lines
        self._compare_sums()
        if not self.lines and not self.findings:
            hint = "write one card a line: `4 Name`"
            self.fault("empty", "there is no card in this list", line=None, hint=hint)
        return Decklist(
            source=self.text.source,
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
            account=tuple(sorted(self.account.items())) if self.by_lines else (),
        )

    def _ask_about_titles(self) -> None:
        """Ask about a title if the list also has a card of that name.

        Decks are often named after a card.
        """
        titles = [words for words in self.words if words.role == "title" and words.may_be_card]
        if not titles:
            return
        names = {reading.key for line in (*self.lines, *self.aside) for reading in line.readings}
        for words in titles:
            if not names.isdisjoint(reading.key for reading in words.line.readings):
                self.findings.append(title_or_card(words))
                self.notes = [note for note in self.notes if note.line != words.line.number]

    def _compare_sums(self) -> None:
        for section in self.sections:
            if section.declared_count not in (None, section.cards) and not section.has_bad_count:
                self._report_sum(section, section.cards)
        cards = sum(line.count for line in self.lines)
        leaders = sum(line.count for line in self.lines if general_kind(line.zone or "") in LEADER_KINDS)
        has_bad_line = any(finding.rule in {"count", "line"} for finding in self.findings)
        for total in self.totals:
            if total.declared_count not in (cards, cards - leaders) and not has_bad_line:
                self._report_sum(total, cards)

    def _report_sum(self, section: Section, have: int) -> None:
        cards = "card" if section.declared_count == 1 else "cards"
        message = f"`{section.words}` says {section.declared_count} {cards}, but its lines add up to {have}"
        self.advise_on_sum(message, section.line, have, section.declared_count, subjects=(section.words,))

    def advise_on_sum(
        self, message: str, line: int, have: int, declared_count: int | None, subjects: tuple[str, ...] = ()
    ) -> None:
        """Add advice that a sum in the list differs from the number of cards that were read."""
        counts = {"have": str(have), "allowed": str(declared_count)}
        self.fault("section-count", message, line=line, severity=Severity.ADVICE, subjects=subjects, **counts)


def title_or_card(words: Words) -> Finding:
    """Return the finding that asks whether a line is the title or a card."""
    message = "is this the title or a card? it was not counted"
    hint = f"write `1 {words.text}` for the card, `# {words.text}` for the title"
    lines = (words.line.number,)
    return Finding("line", Severity.ERROR, message, lines=lines, subjects=(words.text,), hint=hint)


def unknown_group(lines: tuple[int, ...], names: tuple[str, ...]) -> Finding:
    """Return advice about headers that are unknown and were read as groups inside a zone."""
    message = "unknown header, so its cards count in the part above"
    hint = "if it begins a part of the deck, write a header that the format has, such as `Sideboard`"
    return Finding("header", Severity.ADVICE, message, lines=lines, subjects=names, hint=hint)


def _zone_of_marks(marks: Iterable[str]) -> tuple[str | None, bool]:
    """Return the zone in a mark such as `*CMDR*`, and whether the mark has `{noDeck}`."""
    for mark in marks:
        if mark.startswith(("*", "#!", "[")):
            word = mark.strip("*#![]").partition(",")[0]
            if "{noDeck}" in word or general_kind(word.partition("{")[0]) in _MARKED_ZONES:
                return word.partition("{")[0], "{noDeck}" in word
    return None, False
