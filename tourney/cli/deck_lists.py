"""Decklists as the commands that only look at them read them: with a format where one is known, else by themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import click

from tourney.cli.completers import formats
from tourney.cli.deck_files import DeckFile
from tourney.cli.rules_asked import NONE, RulesAsked
from tourney.cli.session import Session
from tourney.errors import RulesError, TourneyError

if TYPE_CHECKING:
    from tourney.decks.decklist import Decklist
    from tourney.decks.resolving import Resolved
    from tourney.decks.vocabulary import Vocabulary
    from tourney.rules import Ruleset


def format_option(function: Any) -> Any:
    """Add `--format`: the rules whose headers and cards are meant."""
    return click.option(
        "-f",
        "--format",
        "name",
        metavar="NAME|FILE",
        shell_complete=formats,
        help="The format whose headers and card names are meant; else the list's own `Format:` line, if it is one here.",
    )(function)


def deck_number_option(function: Any) -> Any:
    """Add `--deck N`: which deck of a file of several."""
    return click.option(
        "--deck",
        "number",
        metavar="N",
        type=click.IntRange(min=1),
        help="Which deck of a file that holds several.",
    )(function)


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
        from tourney.decks.resolving import Resolver
        from tourney.decks.zones import words_of

        words = words_of(self.ruleset.format)
        return Resolver(self.ruleset, words, trust_declared=False).resolve(self.deck)

    @property
    def hash(self) -> str | None:
        """The hash that `deck check` prints, None where no format is known."""
        from tourney.decks.fingerprint import deck_hash

        return deck_hash(self.resolved.slots) if self.resolved else None


class Reader:
    """Reads files for one command. name: the format asked for."""

    def __init__(self, session: Session, name: str | None) -> None:
        self.session = session
        self.asked = RulesAsked(session, (name,) if name else (), None, NONE, {})
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
            from tourney.decks.resolving import Resolver
            from tourney.decks.zones import words_of

            words = words_of(ruleset.format)
            resolver = Resolver(ruleset, words, trust_declared=False)
            decks = read_all(content, source=file.source, vocabulary=words)
            return [Read(resolver.settled(deck), ruleset) for deck in decks]
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

    def _ruleset(self, said: str | None) -> Ruleset | None:
        if self.asked.formats:
            return self.asked.ruleset(self.asked.formats[0])
        try:
            return self.asked.ruleset(self.asked.named_by(said)) if said else None
        except RulesError as fault:
            if said not in self._warned:
                self._warned.add(said)
                self.session.warn(f"`Format: {said}` is left aside: {fault.message}", fault.hint)
        except TourneyError:  # another game's format
            pass
        return None  # the list is still a list

    @cached_property
    def _general(self) -> Vocabulary:
        """The general words, and the games that are here: a first line that names one is a title."""
        from tourney.decks.vocabulary import vocabulary

        names = self.asked.library.formats()
        return vocabulary(titles=[word for name in names for word in (name, name.partition("/")[0])])


def _named(decks: list[Read]) -> str:
    """Name the decks of a file by title, else by the line they begin on: `1 (Sky), 2 (line 9)`."""
    starts = (
        read.deck.name or (f"line {read.deck.lines[0].number}" if read.deck.lines else "empty")
        for read in decks
    )
    return ", ".join(f"{place} ({start})" for place, start in enumerate(starts, start=1))
