"""A decklist as it was read: what stands on each line, before any pool or format has its say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import msgspec
from msgspec.structs import force_setattr

from tourney.cards.names import FoldedName, fold
from tourney.errors import Finding

NO_FACTS: Mapping[str, str] = MappingProxyType({})
"""The declared facts of a line that declares none."""


class PrintMark(msgspec.Struct, frozen=True):
    """Which printing a line asks for: the set's code and the collector's number, as they are written."""

    set: str | None = None
    number: str | None = None

    def __bool__(self) -> bool:
        return self.set is not None or self.number is not None

    def __str__(self) -> str:
        return " ".join(part for part in (f"({self.set})" if self.set else None, self.number) if part)


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """One way to read a line's name: what remains when `taken` is taken for decoration.

    certain: the words taken are decoration whatever the pool: a full printing mark (`(SET) 12`, `[SET]`, `|SET`),
             or what the file's own grammar says. What is not certain needs a pool that knows the shorter name.
    doubt:   what the words taken could say besides, so that even a pool that knows the shorter name cannot settle it
    count:   copies if the line is read so, where that differs from the line's count: `Kite (5)` is five copies of
             Kite, or one card whose name ends so
    key:     the name folded, once
    """

    name: str
    taken: str = ""
    certain: bool = True
    printing: PrintMark = PrintMark()
    doubt: str = ""
    count: int | None = None
    key: FoldedName = FoldedName("")

    def __post_init__(self) -> None:
        force_setattr(self, "key", fold(self.name))


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a deck that names a card.

    number:   the 1-based line of the file it stands on
    count:    copies, a positive whole number (everything else became a finding)
    counted:  whether the count is written; else it is one because none is
    readings: the ways to read the name, from everything that is written to the barest; never empty. To resolve
              against a pool take the first whose name is known (exact, alias, then stripped).
    code:     the card's id, where the file gives one (a passcode, a collector's code, a database number); where
              there is nothing else it is the name, too
    zone:     the words of the zone header the line stands under, without its count; None before any header
    zone_id:  the id that the vocabulary gives to that header, None where it knows none
    implied:  the zone is not written, the line's place says it (after the only blank line; before the first count)
    group:    a header inside the zone that only sorts (`Creatures`, `Agenda`), without its count
    facts:    declared facts: `{type=efreet, faction=CPM}`
    marks:    other trailing marks, as written: `*F*`, `#tag`, `[Ramp]`
    comment:  words after the card that are about it
    doubt:    why the line may be something else than this card; an error unless a pool knows the card (`settled`)
    question: what is to be asked about the line where no pool knows the card: it counts as it was read
    raw:      the line as it stands in the file (cut to 500 letters)
    """

    number: int
    count: int
    counted: bool = True
    readings: tuple[Reading, ...]
    code: str | None = None
    zone: str | None = None
    zone_id: str | None = None
    implied: bool = False
    group: str | None = None
    facts: Mapping[str, str] = NO_FACTS
    marks: tuple[str, ...] = ()
    comment: str = ""
    doubt: str = ""
    question: str = ""
    raw: str = ""

    @property
    def written(self) -> str:
        """The name with everything that stands beside it, but marks, facts and count."""
        return self.readings[0].name

    @property
    def reading(self) -> Reading:
        """The barest reading that is certain: what the line says when no pool knows better."""
        return next(reading for reading in reversed(self.readings) if reading.certain)

    @property
    def name(self) -> str:
        """The card's name when no pool knows better."""
        return self.reading.name

    @property
    def printing(self) -> PrintMark:
        """The printing mark, empty where the line has none."""
        return self.reading.printing


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """A decision taken while reading, for `deck show`: line 1 taken as the title, full-width digits read as 4.

    weighty: it could change a verdict if it were wrong, so `deck check` says it, too
    """

    line: int
    message: str
    weighty: bool = False


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """A line that was taken for words about the deck, with the card that it would be: the pool has the last word.

    role: what it was taken for: `title`, `header`, `footer`, `description`
    why:  the evidence, as a clause
    card: whether it could be a card at all; a comment cannot
    """

    line: Line
    role: str
    why: str
    card: bool = True

    @property
    def text(self) -> str:
        """The words as the list has them."""
        return self.line.written


@dataclass(frozen=True, slots=True, kw_only=True)
class Decklist:
    """One deck as it was read.

    source:   the file's name, for messages
    grammar:  which grammar it was read by (`plain`, `cockatrice`, `ydk` …)
    name:     the deck's title; player: from a `Name:` or `Player:` line; format: from a `Format:` line
    lines:    the lines that count, in the order of the file
    aside:    lines that never count: maybeboard, tokens, cards under consideration
    findings: what is wrong with the list whatever the format: counts that are no positive whole numbers, section
              counts that disagree with their lines, a second deck in the file, lines that could not be read
    notes:    decisions taken while reading, with their lines
    about:    the rest of what the file says about itself (author, description, source), in order
    words:    lines without a count that were taken for words, not cards: a pool that knows them has the last word
    account:  (line, what it was taken for) of every line of a text that is not blank, in order; empty for other grammars
    """

    source: str
    grammar: str
    name: str | None = None
    player: str | None = None
    format: str | None = None
    lines: tuple[Line, ...] = ()
    aside: tuple[Line, ...] = ()
    findings: tuple[Finding, ...] = ()
    notes: tuple[Note, ...] = ()
    about: tuple[tuple[str, str], ...] = ()
    words: tuple[Words, ...] = ()
    account: tuple[tuple[int, str], ...] = ()

    @property
    def title(self) -> Words | None:
        """The line that was taken for the title because of where it stands, None where none was or the list says it."""
        return next((words for words in self.words if words.role == "title"), None)

    @property
    def cards(self) -> int:
        """How many cards count, over all zones."""
        return sum(line.count for line in self.lines)
