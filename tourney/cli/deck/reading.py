"""Files, folders and standard input as decklists, with a format where one is known, else by themselves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tourney.cli.completing import formats
from tourney.cli.rulesets import Rulesets
from tourney.cli.session import Session, source_of
from tourney.errors import RulesError, TourneyError

if TYPE_CHECKING:
    from tourney.decks.decklist import Decklist
    from tourney.rules import Ruleset


from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from tourney.cli.options import F
from tourney.cli.rulesets import NONE

if TYPE_CHECKING:
    from tourney.decks.decklist import Decklist
    from tourney.decks.reading.lines import Vocabulary
    from tourney.decks.resolving import Resolved
    from tourney.rules import Ruleset


_LARGEST = 5_000_000
"""Bytes of one decklist; a larger file is none."""


@dataclass(frozen=True, slots=True)
class DeckFile:
    """A file's bytes. source: what it is called in messages; alone: it was named itself, not found in a folder."""

    source: str
    path: str
    alone: bool

    def content(self, session: Session) -> bytes:
        """Read the file. Raises TourneyError where it cannot be read, is too large for a decklist, or nothing was piped in."""
        too_large = TourneyError(f"{self.source}: larger than {_LARGEST // 1_000_000} MB, not a decklist")
        if self.path != "-" and Path(self.path).stat().st_size > _LARGEST:
            raise too_large
        content = session.read(self.path)
        if len(content) > _LARGEST:
            raise too_large
        if self.path == "-" and not content.strip():
            raise TourneyError(f"{self.source}: nothing came in", "pipe a list in, or name its file")
        return content


def deck_files(names: tuple[str, ...]) -> list[DeckFile]:
    """Return the files meant; a folder stands for the files in it, at any depth, hidden ones left out.

    Raises TourneyError for a name that is neither, and for a folder of more than anybody can have meant.
    """
    from tourney.store.files import files_below

    decks: list[DeckFile] = []
    for name in names:
        path = Path(name)
        if name == "-":
            decks.append(DeckFile(source_of(name), name, alone=True))
        elif path.is_dir():
            inside = [DeckFile(str(each), str(each), alone=False) for each in files_below(path)]
            if not inside:
                raise TourneyError(f"{name}: the folder has no files")
            decks.extend(inside)
        elif path.exists():
            decks.append(DeckFile(name, name, alone=True))
        else:
            raise TourneyError(f"{name}: there is no such file or folder")
    return decks


def format_option(help_: str) -> Callable[[F], F]:
    """Return `--format`, with what the command takes from it and what holds without it."""
    return click.option("-f", "--format", "name", metavar="NAME|FILE", shell_complete=formats, help=help_)


HEADERS = "The format whose headers and card names are meant; else the list's own `Format:` line, if it is one here."


@dataclass
class Read:
    """A deck as it was read, and what its names mean where a format is known."""

    deck: Decklist
    ruleset: Ruleset | None

    @cached_property
    def resolved(self) -> Resolved | None:
        """The names looked up, None where no format is known."""
        if self.ruleset is None:
            return None
        from tourney.decks.resolving import resolve

        return resolve(self.deck, self.ruleset)

    @property
    def hash(self) -> str | None:
        """The hash that `deck check` prints, None where no format is known."""
        return self.resolved.hash if self.resolved else None


class Reader:
    """Reads files for one command. name: the format asked for."""

    def __init__(self, session: Session, name: str | None) -> None:
        self.session = session
        self.rulesets = Rulesets(session, (name,) if name else (), banlist=NONE)
        self.left_out = 0
        self._warned: set[str | None] = set()

    def one(self, file: DeckFile, number: int | None) -> Read:
        """Read the deck meant. Raises TourneyError where the file holds several and none, or no such one, is asked for."""
        decks = self.all(file)
        if number is None and len(decks) > 1:
            raise TourneyError(
                f"{file.source}: there are {len(decks)} decks in this file: {_named(decks)}",
                "say which: `--deck 1`",
            )
        if number is not None and number > len(decks):
            raise TourneyError(f"{file.source}: there is no deck {number} in this file; it has {len(decks)}")
        return decks[(number or 1) - 1]

    def all(self, file: DeckFile) -> list[Read]:
        """Read every deck of a file."""
        from tourney.decks.reading import read_all

        content = file.content(self.session)
        decks = read_all(content, source=file.source, vocabulary=self._general)
        ruleset = self._ruleset(decks[0].format)
        if ruleset is not None:
            from tourney.decks.reading.lines import vocabulary_of
            from tourney.decks.resolving import decided

            decks = read_all(content, source=file.source, vocabulary=vocabulary_of(ruleset.format))
            return [Read(decided(deck, ruleset), ruleset) for deck in decks]
        return [Read(deck, ruleset) for deck in decks]

    def each(self, files: Iterable[DeckFile]) -> Iterator[Read]:
        """Read every deck of every file; of several files, one that is no decklist is told and left out."""
        listed = list(files)
        for file in listed:
            try:
                yield from self.all(file)
            except RulesError:
                raise
            except TourneyError as fault:
                if len(listed) == 1:
                    raise
                self.left_out += 1
                self.session.warn(fault.message, fault.hint)

    def _ruleset(self, name: str | None) -> Ruleset | None:
        if self.rulesets.formats:
            return self.rulesets.ruleset(self.rulesets.formats[0])
        try:
            return self.rulesets.ruleset(self.rulesets.format_named(name)) if name else None
        except RulesError as fault:
            if name not in self._warned:
                self._warned.add(name)
                self.session.warn(f"`Format: {name}` is left aside: {fault.message}", fault.hint)
        except TourneyError:  # another game's format
            pass
        return None  # the list is still a list

    @cached_property
    def _general(self) -> Vocabulary:
        """The general words, and the games that are here: a first line that names one is a title."""
        from tourney.decks.reading.lines import vocabulary

        names = self.rulesets.library.formats()
        return vocabulary(titles=[word for name in names for word in (name, name.partition("/")[0])])


def _named(decks: list[Read]) -> str:
    """Name the decks of a file by title, else by the line they begin on: `1 (Sky), 2 (line 9)`."""
    starts = (
        read.deck.name or (f"line {read.deck.lines[0].number}" if read.deck.lines else "empty")
        for read in decks
    )
    return ", ".join(f"{place} ({start})" for place, start in enumerate(starts, start=1))
