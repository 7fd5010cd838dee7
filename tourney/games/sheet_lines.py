"""The parts of a game's sheet: formats, sections, lines and calculators.

A sheet shows the rules of a game for players on one page.

This module does not import the rules, so that views that use it start quickly.
"""

from __future__ import annotations

from msgspec import Struct

from tourney.document import Document


class PlayersLine(Struct, frozen=True):
    """A line of the sheet.

    handle: the subject of the line, such as `clock` or `cut`
    says:   the text of the line
    mark:   the kind of source: `law` (the rule text), `reading` (one reading of an ambiguous rule text),
            `elsewhere` (another source) or `house` (our own choice or the organizer's)
    cite:   the place in the rule text or in the other source
    """

    handle: str
    says: str
    mark: str
    cite: str

    @property
    def attribution(self) -> str:
        """The kind of source, followed by the citation: `[law] Arsenal Construction, L41`."""
        return f"[{self.mark}] {self.cite}".rstrip()


class PlayersSection(Struct, frozen=True):
    """A section of a sheet.

    title: the heading
    lines: the lines below the heading
    """

    title: str
    lines: tuple[PlayersLine, ...]


class FormatSheet(Struct, frozen=True, kw_only=True):
    """One format of the game.

    id:       the id of the format
    name:     the name of the format
    about:    a description of the format
    source:   the address where the rules are published
    banlist:  the ban list that applies; `none` if there is none
    sections: the sections of the format
    base:     the other format on the same sheet that this format extends, so that `sections` has only the
              differences. If `base` is empty, `sections` has all lines
    away:     the lines of `base` that do not apply in this format
    """

    id: str
    name: str
    about: str
    source: str
    banlist: str
    sections: tuple[PlayersSection, ...]
    base: str = ""
    away: tuple[str, ...] = ()

    @property
    def remarks(self) -> tuple[str, ...]:
        """The remarks above the sections: about the format, its base format and its ban list."""
        like = f"The same as {self.base}, with the following changes." if self.base else ""
        banlist_line = f"Ban list: {self.banlist}." if self.banlist != "none" else ""
        removed_lines = (f"Does not apply here: {line}." for line in self.away)
        return tuple(filter(None, (self.about, like, *removed_lines, banlist_line)))


class QuestionLine(Struct, frozen=True, kw_only=True):
    """A calculator for judges.

    name:     the name of the calculator
    asks:     the question that it answers
    cites:    the places in the rules
    readings: the rule texts that can be read in several ways
    mark:     `law`, or `elsewhere` if the rules come from another source
    """

    name: str
    asks: str
    cites: tuple[str, ...]
    readings: tuple[PlayersLine, ...]
    mark: str = "law"

    @property
    def attribution(self) -> str:
        """The kind of source, followed by the citations: `[law] Combat, L251; Critical Hits, L265`."""
        return f"[{self.mark}] {'; '.join(self.cites)}"


class GameSheet(Struct, frozen=True, kw_only=True):
    """The sheet of a whole game.

    game:      the id of the game
    name:      the name of the game
    rules:     the edition of the rules
    formats:   the formats of the game, each with its rules in sections
    questions: the rules calculators for judges
    sources:   the published texts, with their addresses
    """

    game: str
    name: str
    rules: str
    formats: tuple[FormatSheet, ...]
    questions: tuple[QuestionLine, ...]
    sources: tuple[str, ...]


class GameSheetDocument(Document, frozen=True, tag="tourney.game-sheet/1"):
    """What `tourney format show --game GAME --json` prints. sheet: the sheet of the game."""

    sheet: GameSheet
