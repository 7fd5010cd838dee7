"""A decklist as it was read, before a pool or format judges it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import msgspec
from msgspec.structs import force_setattr

from tourney.cards.names import FoldedName, fold
from tourney.errors import Finding

NO_FACTS: Mapping[str, str] = MappingProxyType({})
"""The facts of a line without declared facts."""


class PrintMark(msgspec.Struct, frozen=True):
    """The printing that a line asks for: set and collector's number, as written."""

    set: str | None = None
    number: str | None = None

    def __bool__(self) -> bool:
        return self.set is not None or self.number is not None

    def __str__(self) -> str:
        return " ".join(part for part in (f"({self.set})" if self.set else None, self.number) if part)


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """One way to read a line's name: what remains if `taken` is decoration.

    certain: `taken` is decoration whatever the pool: a full printing mark (`(SET) 12`, `[SET]`, `|SET`), or
             what the file's form says. Otherwise a pool must know the shorter name.
    doubt:   what `taken` could be besides, so that a pool with the shorter name does not settle it
    count:   the copies in this reading, if they differ from the line's count: `Kite (5)` is five copies of
             Kite, or one card whose name ends so
    key:     the folded name
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

    number:   the 1-based number of the line in the file
    count:    copies, a positive whole number; any other count is a finding
    counted:  whether the count is written; else it is one
    readings: the ways to read the name, from everything that is written to the barest; never empty. With a
              pool, take the first whose name is known (exact, alias, then stripped)
    code:     the card's id, if the file has one (a passcode, a collector's code, a database number); without
              a name it is the name, too
    zone:     the words of the zone header above the line, without its count; None without a header
    zone_id:  the id of that header in the vocabulary; None if it is unknown
    implied:  the line's place says the zone (below the only blank line; above the first count)
    group:    a header inside the zone that only sorts (`Creatures`, `Agenda`), without its count
    facts:    declared facts: `{type=efreet, faction=CPM}`
    marks:    other trailing marks, as written: `*F*`, `#tag`, `[Ramp]`
    comment:  words after the card that are about it
    doubt:    why the line may be something else than this card; an error unless a pool knows the card
    question: what to ask about the line if no pool knows the card; it counts as it was read
    raw:      the line of the file (cut to 500 letters)
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
        """The name with everything beside it, but without marks, facts and count."""
        return self.readings[0].name

    @property
    def reading(self) -> Reading:
        """The barest reading that is certain."""
        return next(reading for reading in reversed(self.readings) if reading.certain)

    @property
    def name(self) -> str:
        """The name in the barest certain reading."""
        return self.reading.name

    @property
    def printing(self) -> PrintMark:
        """The printing mark; empty without one."""
        return self.reading.printing


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """A decision made while reading, for `deck show`: line 1 was taken as the title.

    weighty: an error in it could change a verdict, so `deck check` shows it, too
    """

    line: int
    message: str
    weighty: bool = False


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """A line that was taken for words about the deck, with the card that it would be.

    A pool that knows the card decides.

    role: what the line was taken for: `title`, `header`, `footer`, `description`
    why:  the evidence, as a clause
    card: whether it could be a card at all; a comment cannot
    """

    line: Line
    role: str
    why: str
    card: bool = True

    @property
    def text(self) -> str:
        """The words as they are written."""
        return self.line.written


@dataclass(frozen=True, slots=True, kw_only=True)
class Decklist:
    """One deck as it was read.

    source:   the file's name, for messages
    grammar:  the form of the list (`plain`, `cockatrice`, `ydk` …)
    name:     the deck's title
    player:   from a `Name:` or `Player:` line
    format:   from a `Format:` line
    lines:    the lines that count, in the order of the file
    aside:    lines that never count: maybeboard, tokens, cards under consideration
    findings: errors of the list whatever the format: wrong counts, sections whose counts disagree with their
              lines, a second deck in the file, lines that could not be read
    notes:    decisions made while reading, with their lines
    about:    the rest of what the file says about itself (author, description, source), in order
    words:    lines without a count that were taken for words; a pool that knows them as cards decides
    account:  (line, what it was taken for) for every line that is not blank; empty for forms that are not
              read by lines
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
        """The line that was taken for the title by its place; None without one."""
        return next((words for words in self.words if words.role == "title"), None)

    @property
    def cards(self) -> int:
        """The number of cards that count, in all zones."""
        return sum(line.count for line in self.lines)
