"""The rules that a command about decks or formats checks by: the options that choose them, and the rulesets they choose."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tourney.cli.options import banlist_option, day_option, together
from tourney.cli.session import Session
from tourney.errors import TourneyError, fault_of_the_rules

if TYPE_CHECKING:
    from tourney.rules import BanList, Format, Ruleset
    from tourney.store.data import Library


ruleset_options = together(
    day_option,
    banlist_option("Another ban list than the format's, or `none`."),
    click.option(
        "--set",
        "choices",
        metavar="KEY=VALUE",
        multiple=True,
        help="A choice the format leaves to the organizer (`tourney format show` lists them).",
    ),
)
"""The options `--on`, `--banlist` and `--set`."""


NONE = "none"
_MOST_READ = 5_000
"""Cards of a pool that is read whole for each check of a deck; `format show --check` reads larger ones, too."""


@dataclass
class Rulesets:
    """The rulesets a command line names, each read once.

    formats:  names or files; empty: the event's, or what each list says
    banlist:  name, file or `none` instead of the format's own
    settings: the organizer's choices
    tolerant: take a format that says what there cannot be (a zone, a choice); who asks tells of it
    """

    session: Session
    formats: Sequence[str]
    on: date | None = None
    banlist: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    tolerant: bool = False
    _rulesets: dict[str, Ruleset] = field(default_factory=dict)

    @cached_property
    def library(self) -> Library:
        """All data within reach."""
        return self.session.library()

    @property
    def day(self) -> date:
        """The day asked for, or today."""
        return self.on or self.session.now().date()

    @property
    def without_banlist(self) -> bool:
        """Whether the organizer plays without a ban list."""
        return self.banlist == NONE

    def ruleset(self, name: str) -> Ruleset:
        """Return the rules of a format on the day. Raises RulesError."""
        if name not in self._rulesets:
            from tourney.rules import Ruleset
            from tourney.rules.proofread import refuse_misspelt

            with fault_of_the_rules():
                format_ = self.library.format(name)
                if not self.tolerant:
                    refuse_misspelt(format_, self.library.pool_of(format_))
                    self._tell_words(format_, name)
                self._rulesets[name] = Ruleset(
                    format_,
                    self._banlist(format_.banlist),
                    self.library.pool_of(format_),
                    self.day,
                    {key: value for key, value in self.settings.items() if value is not None},
                    self.without_banlist,
                )
        return self._rulesets[name]

    def _tell_words(self, format_: Format, name: str) -> None:
        """Warn of words that no card of a complete pool has, in a format of one's own: it was hardly proofread before."""
        from tourney.rules.proofread import misspelt

        pool = self.library.pool_of(format_)
        if name in self.library.formats() or not pool.complete or len(pool) > _MOST_READ:
            return
        try:
            words = list(misspelt(format_, pool))
        except TourneyError:  # a line of the pool will not do: told by whoever asks for its card
            return
        for sentence in words:
            self.session.warn(
                sentence, "`tourney format show FILE --check` tells all that a format says in vain"
            )

    def load(self) -> None:
        """Read the rules before any list: those asked for, else the event's. Raises RulesError where some will not do."""
        for name in self.formats:
            self.ruleset(name)
        if not self.formats:
            _ = self.event_rules

    def of_list(self, content: bytes, source: str) -> Iterator[tuple[str, Ruleset]]:
        """Give the rules to hold a list against: of each format asked for, else the event's, else of what the list names.

        Raises TourneyError where none of them is here.
        """
        for name in self.formats:
            yield name, self.ruleset(name)
        if self.formats:
            return
        if event := self.event_rules:
            yield event.format.id, event
        else:
            from tourney.decks.reading import read

            name = self.format_named(read(content, source=source).format)
            yield name, self.ruleset(name)

    def on_day(self, name: str, day: date) -> Ruleset:
        """Return the rules of a format on another day."""
        other = Rulesets(self.session, self.formats, day, self.banlist, self.settings, self.tolerant)
        return other.ruleset(name)

    @cached_property
    def event_rules(self) -> Ruleset | None:
        """The rules of the event here, None where there is none (or several, and none is named).

        Raises TourneyError where one is named that cannot be opened, and for choices an event has made already.
        """
        if not self._event_named and not self._event_here():
            return None
        if self.banlist is not None or self.settings or self.on is not None:
            raise TourneyError(
                "an event has its own day, ban list and choices",
                "add `--format NAME` to check without the event",
            )
        with self.session.desk() as desk, fault_of_the_rules():
            return desk.rules.ruleset(desk.library)

    @property
    def _event_named(self) -> bool:
        return bool(self.session.event_name or os.environ.get("TOURNEY_EVENT"))

    @staticmethod
    def _event_here() -> bool:
        return len(list(Path().glob("*.tourney"))) == 1

    def format_named(self, named: str | None) -> str:
        """Return the format to use where none was asked for: `named`, the one that the list itself names.

        Raises TourneyError where it names none, or one that is not here.
        """
        names = self.library.formats()
        all_names = ", ".join(names) or "none"
        if not named:
            raise TourneyError(
                "which format? Say --format, or write `Format: NAME` into the list", f"there are {all_names}"
            )
        if named in names:
            return named
        fitting = [name for name in names if self.library.format(name).name.casefold() == named.casefold()]
        if len(fitting) != 1:
            raise TourneyError(
                f"the list says `Format: {named}`, which is not a format here", f"there are {all_names}"
            )
        return fitting[0]

    def _banlist(self, own: str | None) -> BanList | None:
        """Return the ban list that was asked for, else the format's own `own`, which may not be installed."""
        if self.without_banlist:
            return None
        if self.banlist:
            return self.library.read_banlist(self.library.banlist_named(self.banlist, self.day))
        return self.library.banlist(own, self.day) if own else None
