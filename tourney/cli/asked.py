"""What a command line asks for: the rules (formats, day, ban list, choices), and how files are fetched."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tourney.errors import TourneyError, fault_of_the_rules

if TYPE_CHECKING:
    from tourney.cli.session import Session
    from tourney.rules import BanList, Format, Ruleset
    from tourney.store.data import Library
    from tourney.store.fetching import Fetcher, Outcome


F = TypeVar("F", bound=Callable[..., Any])


def from_option(function: F) -> F:
    """Add `--from DAY`: from when a list is in force."""
    return click.option(
        "--from",
        "day",
        metavar="DAY",
        type=click.DateTime(["%Y-%m-%d"]),
        callback=lambda _, __, value: value.date() if value else None,
        help="From which day it is in force (YYYY-MM-DD); the file's name by default.",
    )(function)


NONE = "none"
_MOST_READ = 5_000
"""Cards of a pool that is read whole for each check of a deck; `format show --check` reads larger ones, too."""


@dataclass
class RulesAsked:
    """Finds the rulesets for a command.

    formats:  names or files; empty: the event's, or what each list says
    banlist:  name, file or `none` instead of the format's own
    settings: the organizer's choices
    tolerant: take a format that says what there cannot be (a zone, a choice); who asks tells of it
    """

    session: Session
    formats: Sequence[str]
    on: date | None
    banlist: str | None
    settings: Mapping[str, Any]
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
    def none_asked(self) -> bool:
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
                    self.none_asked,
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
        for said in words:
            self.session.warn(said, "`tourney format show FILE --check` tells all that a format says in vain")

    def load(self) -> None:
        """Read the rules before any list: those asked for, else the event's. Raises RulesError where some will not do."""
        for name in self.formats:
            self.ruleset(name)
        if not self.formats:
            _ = self.event_rules

    def on_day(self, name: str, day: date) -> Ruleset:
        """Return the rules of a format on another day."""
        other = RulesAsked(self.session, self.formats, day, self.banlist, self.settings, self.tolerant)
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
                "say --format, too, to check without the event",
            )
        with self.session.desk() as desk, fault_of_the_rules():
            return desk.ruleset()

    @property
    def _event_named(self) -> bool:
        return bool(self.session.event_name or os.environ.get("TOURNEY_EVENT"))

    @staticmethod
    def _event_here() -> bool:
        return len(list(Path().glob("*.tourney"))) == 1

    def named_by(self, said: str | None) -> str:
        """Return the format to use where none was asked for: the one the list itself names.

        Raises TourneyError where it names none, or one that is not here.
        """
        known = self.library.formats()
        there = ", ".join(known) or "none"
        if not said:
            raise TourneyError(
                "which format? Say --format, or write `Format: NAME` into the list", f"there are {there}"
            )
        if said in known:
            return said
        fitting = [name for name in known if self.library.format(name).name.casefold() == said.casefold()]
        if len(fitting) != 1:
            raise TourneyError(
                f"the list says `Format: {said}`, which is no format here", f"there are {there}"
            )
        return fitting[0]

    def _banlist(self, own: str | None) -> BanList | None:
        """Return the ban list that was asked for, else the format's own `own`, which may not be installed."""
        if self.none_asked:
            return None
        if self.banlist:
            return self.library.read_banlist(self.library.banlist_asked(self.banlist, self.day))
        return self.library.banlist(own, self.day) if own else None


def day_option(function: Any) -> Any:
    """Add `--on DAY`."""
    return click.option(
        "--on",
        "on",
        metavar="DAY",
        type=click.DateTime(["%Y-%m-%d"]),
        callback=lambda _, __, value: value.date() if value else None,
        help="The day whose rules and ban list hold (YYYY-MM-DD); today by default.",
    )(function)


def ruleset_options(function: Any) -> Any:
    """Add `--on`, `--banlist` and `--set`."""
    from tourney.cli.command import banlists

    function = click.option(
        "--set",
        "choices",
        metavar="KEY=VALUE",
        multiple=True,
        help="A choice the format leaves to the organizer (`tourney format show` lists them).",
    )(function)
    function = click.option(
        "--banlist",
        metavar="NAME|FILE|none",
        shell_complete=banlists,
        help="Another ban list than the format's, or `none`.",
    )(function)
    return day_option(function)


# -- What fetching commands share: their options, the fetcher, and what is said when nothing came


def fetch_options(function: F) -> F:
    """Add `--accept` and `--insecure`."""
    function = click.option(
        "--insecure", is_flag=True, help="Allow http, and https servers whose certificate nobody vouches for."
    )(function)
    return click.option(
        "--accept", is_flag=True, help="Take it even if it looks wrong: empty, shrunk, unknown names."
    )(function)


def fetcher(session: Session, *, accept: bool, insecure: bool) -> Fetcher:
    """Return the fetcher of this session."""
    from tourney.store.fetching import Fetcher
    from tourney.store.http import Http

    return Fetcher(library=session.library(), http=Http(insecure=insecure), now=session.now(), accept=accept)


def say_offline(session: Session, outcome: Outcome, what: str) -> None:
    """Say that the copy that is here serves: because nothing changed, or because nobody answered."""
    if outcome.offline:
        session.warn(outcome.offline)
        session.changed(f"{what} serves as it was fetched {outcome.age}")
    else:
        session.changed(f"{what} has not changed since it was fetched {outcome.age}")
