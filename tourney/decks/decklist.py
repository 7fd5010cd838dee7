"""A decklist as it was read, before it is checked against a pool and a format."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import force_setattr

from tourney.cards.names import FoldedName, fold
from tourney.errors import Finding

NO_FACTS: Mapping[str, str] = MappingProxyType({})
"""The declared facts of a line that declares none."""


class PrintMark(Struct, frozen=True):
    """The printing that a line requests: set and collector's number, as written."""

    set: str | None = None
    number: str | None = None

    def __bool__(self) -> bool:
        return self.set is not None or self.number is not None

    def __str__(self) -> str:
        return " ".join(part for part in (f"({self.set})" if self.set else None, self.number) if part)


class Reading(Struct, frozen=True, kw_only=True):
    """One way to read a line's name: the name without its decoration.

    decoration: the words that this reading leaves out of the name
    certain:    whether `decoration` is surely decoration: it is a full printing mark (`(SET) 12`, `[SET]`,
                `|SET`), or the form of the file says so. An uncertain reading applies only if a pool knows
                its name
    doubt:      why this reading is an error even if a pool knows its name: for example, `decoration` may be a
                count. Empty if it is not an error
    count:      the number of copies in this reading, if it differs from the line's count. `Kite (5)` has two
                readings: five copies of Kite, or one copy of a card called `Kite (5)`
    key:        the folded name
    """

    name: str
    decoration: str = ""
    certain: bool = True
    printing: PrintMark = PrintMark()
    doubt: str = ""
    count: int | None = None
    key: FoldedName = FoldedName("")

    def __post_init__(self) -> None:
        force_setattr(self, "key", fold(self.name))


class ParsedName(Struct, frozen=True, kw_only=True):
    """A name and its decoration.

    readings: the ways to read the name, from the longest to the shortest; never empty. With a pool, use the
              first reading whose name the pool or the rules know. A pool knows a card by its name, an
              alias, the name of its front or its id
    code:     the card's id, if the file has one (a passcode, a collector's code, a database number); if the
              line has no name, the code is also the name
    facts:    declared facts: `{type=efreet, faction=CPM}`
    marks:    other trailing marks, as written: `*F*`, `#tag`, `[Ramp]`
    comment:  a remark about the card, after its name
    """

    readings: tuple[Reading, ...]
    code: str | None = None
    facts: Mapping[str, str] = NO_FACTS
    marks: tuple[str, ...] = ()
    comment: str = ""


class Line(ParsedName, frozen=True, kw_only=True):
    """One line of a deck that names a card.

    number:     the number of the line in the file, from 1
    count:      the number of copies, a positive whole number; any other count is a finding
    has_count:  whether the line has a count; otherwise `count` is 1
    zone:       the words of the zone header above the line, without its count; None without a header
    zone_id:    the id of that header in the vocabulary; None if it is unknown
    is_implied: whether the line is in a sideboard without a header: below the only blank line, separator, or
                gap in a table
    group:      the header that sorts the line inside its zone (`Creatures`, `Agenda`), without its count
    doubt:      why the line may not be this card; an error unless a pool knows the card
    question:   the question to ask if no pool knows the card; the card counts in any case
    raw:        the line of the file (cut to 500 letters)
    """

    number: int
    count: int
    has_count: bool = True
    zone: str | None = None
    zone_id: str | None = None
    is_implied: bool = False
    group: str | None = None
    doubt: str = ""
    question: str = ""
    raw: str = ""

    @property
    def written_name(self) -> str:
        """The name as written, with its set, number and other marks.

        Declared facts such as `{type=efreet}` are left out, and so is the count. A count that may be a part
        of the name, as in `Kite (5)`, stays.
        """
        return self.readings[0].name

    @property
    def reading(self) -> Reading:
        """The `Reading` with the shortest name of those that surely leave out only decoration."""
        return next(reading for reading in reversed(self.readings) if reading.certain)

    @property
    def name(self) -> str:
        """The name without the set, number or other words that certainly do not belong to it."""
        return self.reading.name

    @property
    def printing(self) -> PrintMark:
        """The set and number of the printing that the line requests; both are None without one."""
        return self.reading.printing


class Note(Struct, frozen=True, kw_only=True):
    """A decision of the reader, such as "line 1 is the title", shown by `deck show`.

    weighty: whether a wrong decision could change a verdict, so that `deck check` shows the note, too
    """

    line: int
    message: str
    weighty: bool = False


class Words(Struct, frozen=True, kw_only=True):
    """A line that was read as text about the deck, not as a card.

    If `may_be_card` is true and a pool knows a card of this name, the line may be read as that card after
    all.

    line:        the line as it would be read if it were a card
    role:        the role of the words: `title`, `header`, `footer`, `description`
    reason:      the reason for this role, as a clause
    may_be_card: whether the line could be a card; false for a comment, for example
    """

    line: Line
    role: str
    reason: str
    may_be_card: bool = True

    @property
    def text(self) -> str:
        """The text of the line without its count and without declared facts (`{type=efreet}`)."""
        return self.line.written_name


class Decklist(Struct, frozen=True, kw_only=True):
    """One deck as it was read.

    source:   the file's name, for messages
    grammar:  the form of the list (`plain`, `cockatrice`, `ydk` …)
    name:     the deck's title
    player:   from a `Name:` or `Player:` line
    format:   from a `Format:` line
    lines:    the lines whose cards count, in the order of the file
    aside:    the lines whose cards never count: maybeboard, tokens, cards under consideration
    findings: errors that do not depend on the rules of a format: wrong counts, sections whose counts disagree
              with their lines, a second deck in the file, lines that could not be read
    notes:    decisions of the reader, with their lines
    about:    the rest of what the file says about itself (author, description, source), in order
    words:    lines that were read as text about the deck; a pool may know some of them as cards
    account:  a pair (line number, what the line was read as) for every line that is not blank; empty for
              forms that are not read line by line
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
        """The line that was read as the title because it is above the cards; None if there is none."""
        return next((words for words in self.words if words.role == "title"), None)

    @property
    def cards(self) -> int:
        """The number of copies of cards in all zones, without the cards in `aside`."""
        return sum(line.count for line in self.lines)
