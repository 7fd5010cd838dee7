"""The rules that an event keeps: format, ban list and standings profile.

They are read from the files in the event.

`gathering` copies these files into the event. The modules of `tourney.rules` are imported when a rule is
first read, because most results need no rule.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING

from tourney.errors import TourneyError
from tourney.event.entry import ALTERED
from tourney.event.ops import Ref
from tourney.event.state import State

if TYPE_CHECKING:
    from tourney.decks import CardFact
    from tourney.rules.banlist import BanList
    from tourney.rules.format import Format
    from tourney.rules.ruleset import Ruleset
    from tourney.standings import Profile
    from tourney.store.data import Library

IMPORTED = "-imported"
"""The suffix in the name of a profile that came with another program's file."""

_REBASE = "`tourney event rebase` adopts the current rules"
_ANEW = f"{ALTERED}; {_REBASE}"


class KeptRules:
    """The event's rules, read from the files that it keeps.

    state:          the state for which the rules were read; they are valid for every state with the same
                    rules (`State.has_rules_of`)
    declared_facts: ref of a registered list → the facts that it declares about cards; a cache that
                    `registration` fills
    """

    def __init__(self, state: State, text: Callable[[Ref], str | None]) -> None:
        self.state = state
        self.declared_facts: dict[Ref, tuple[CardFact, ...]] = {}
        self._files = state.rules
        self._text = text
        self._on = state.on
        self._choices = state.settings.match.choices
        self._library_ruleset: tuple[Library, Ruleset] | None = None

    @cached_property
    def day(self) -> date:
        """The day that decides which ban list is in force.

        Raises TourneyError if the entry has no valid date.
        """
        return _day(self._on)

    @cached_property
    def format(self) -> Format:
        """The event's format."""
        from tourney.rules.loading import parse_format

        def read(name: str) -> Format:
            return parse_format(self._content("format", name), source=f"{name} (kept)", parent=read)

        return read(self._first("format"))

    def format_may_say(self, key: str) -> bool:
        """Return whether the format, or a format that it extends, may have a key with this name.

        This only searches the lines, because parsing a format takes long. A line with a Unicode escape counts
        as a match, because an escape can hide the name of a key.

        Raises TourneyError if a format is damaged.
        """
        texts = [self._content("format", file.name) for file in self._files if file.kind == "format"]
        return any(re.search(rf"(?m)^(?![ \t]*#).*(?:\b{key}\b|\\[uU])", text) for text in texts)

    @property
    def may_share(self) -> bool:
        """Whether the format may have decks that several players use.

        Most formats have none, so the answer is found without parsing the format.
        """
        try:
            return self.format_may_say("shared") or self.format_may_say("at_table")
        except TourneyError:  # `event check` reports it
            return False

    @cached_property
    def banlist(self) -> BanList | None:
        """The ban list; None if the event has none."""
        from tourney.rules.banlist import parse_banlist

        banlist_file = next((file for file in self._files if file.kind == "banlist"), None)
        if banlist_file is None:
            return None
        content = self._content("banlist", banlist_file.name)
        return parse_banlist(
            content, source=f"{banlist_file.name} (kept)", day=_day(banlist_file.day), name=banlist_file.name
        )

    @cached_property
    def profile(self) -> Profile:
        """The standings profile, in the edition that was in force on the day of the event."""
        from tourney.standings.profile_file import load_edition

        return load_edition(
            self._first("profile"),
            lambda name: (self._content("profile", name), f"{name} (kept)"),
            self.day,
        )

    def imported_files(self, state: State) -> dict[str, str]:
        """Return the rule files that an imported event has but no library has: name → TOML."""
        from tourney.event.exchange import FORMAT

        return {
            file.name: self._content(file.kind, file.name)
            for file in (self._files if state.imported else ())
            if file.name == FORMAT or (file.kind == "profile" and file.name.endswith(IMPORTED))
        }

    def ruleset(self, library: Library) -> Ruleset:
        """Return the rules for checking decks, with the library's card pool.

        The rules are made once for each library.
        """
        from tourney.rules.ruleset import Ruleset

        if self._library_ruleset is None or self._library_ruleset[0] is not library:
            pool = library.pool_of(self.format)
            # If the ban list was not missing, the organizer chose to play without one.
            plays_without = self.banlist is None and not self.state.missing_banlist
            ruleset = Ruleset(
                self.format, self.banlist, pool, self.day, self._choices, plays_without, of_an_event=True
            )
            self._library_ruleset = library, ruleset
        return self._library_ruleset[1]

    def _first(self, kind: str) -> str:
        name = next((file.name for file in self._files if file.kind == kind), None)
        if name is None:
            raise TourneyError(f"the event has no copy of its {kind}", _REBASE)
        return name

    def _content(self, kind: str, name: str) -> str:
        for file in self._files:
            if file.kind == kind and file.name == name:
                try:
                    return self._text(file.text) or ""
                except TourneyError:
                    raise TourneyError(f"the event's copy of the {kind} {name} is damaged", _ANEW) from None
        raise TourneyError(f"the event has no copy of the {kind} {name}", _REBASE)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise TourneyError(
            f"`{text}` in the entries is not a date", "`tourney event rebase --on YYYY-MM-DD` corrects it"
        ) from None


def day_from(text: str) -> date:
    """Parse a date. Raises TourneyError if it is not one."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise TourneyError(f"`{text}` is not a date", "write YYYY-MM-DD, such as 2026-10-04") from None
