"""The lines of a game's sheet. They need no rules, so that views can hold a sheet at no cost at start-up."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PlayersLine:
    """A line for players.

    handle: what the line is about
    says:   the line
    mark:   `law` (the rule text), `reading` (an open text, read so), `elsewhere` (another source) or `house`
    cite:   where the rule text or the other source has it
    """

    handle: str
    says: str
    mark: str
    cite: str

    @property
    def attribution(self) -> str:
        """The mark and the citation: `[law] Arsenal Construction, L41`."""
        return f"[{self.mark}] {self.cite}".rstrip()


@dataclass(frozen=True, slots=True)
class PlayersSection:
    """A heading and its lines. title: the heading; lines: its lines."""

    title: str
    lines: tuple[PlayersLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatSheet:
    """One format of the game.

    id:       the format, by its id
    name:     the name of the format
    about:    what the format is
    source:   where its rules are published
    banlist:  the ban list that applies; `none` without one
    sections: its lines, by heading
    base:     the format of this sheet that it extends, so that only differences follow; empty if all lines follow
    away:     lines of that format that do not apply here
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
        """The remarks before its sections."""
        like = f"As {self.base}, except for what follows." if self.base else ""
        listed = f"Ban list: {self.banlist}." if self.banlist != "none" else ""
        removed = (f"Not here: {line}." for line in self.away)
        return tuple(filter(None, (self.about, like, *removed, listed)))


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionLine:
    """A calculator for judges.

    name:     its name
    asks:     what it answers, as a question
    cites:    where its rules are
    readings: the open texts that it can read in several ways
    mark:     `law`, or `elsewhere` if the rules are from another source
    """

    name: str
    asks: str
    cites: tuple[str, ...]
    readings: tuple[PlayersLine, ...]
    mark: str = "law"

    @property
    def attribution(self) -> str:
        """The mark and the citations."""
        return f"[{self.mark}] {'; '.join(self.cites)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSheet:
    """A whole game.

    game:      the game, by its id
    name:      the name of the game
    rules:     the edition of its rules
    formats:   its formats, each with its lines
    questions: its calculators
    sources:   the texts, with their addresses
    """

    game: str
    name: str
    rules: str
    formats: tuple[FormatSheet, ...]
    questions: tuple[QuestionLine, ...]
    sources: tuple[str, ...]
