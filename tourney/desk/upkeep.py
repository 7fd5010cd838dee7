"""The event as a whole: undo, settings, standings, the log, copies."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from tourney.desk.receipt import Receipt
from tourney.desk.session import Clock, Randomness, Session
from tourney.event.state import State
from tourney.finding import Finding
from tourney.standings import Profile, Standings
from tourney.store.data import Library


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine:
    """One entry in words. undone: the entry that took it back, None if it stands."""

    entry: int
    at: str
    by: str
    text: str
    digest: str
    undone: int | None = None


class UpkeepDesk(Session):
    """What is done with an event rather than in it."""

    def undo(self, entry: int | None = None, *, reason: str | None = None) -> Receipt:
        """Take back your own last entry, or the entry named.

        Refused where later entries build on it (they are named), where the newest entry is somebody else's and none
        was named, and for the creation of the event.
        """
        raise NotImplementedError

    def redo(self, entry: int | None = None, *, reason: str | None = None) -> Receipt:
        """Take back your own last undo, or the undo of the entry named."""
        raise NotImplementedError

    def change(
        self,
        *,
        name: str | None = None,
        profile: str | None = None,
        reason: str | None = None,
        **settings: Any,
    ) -> Receipt:
        """Change the event's name, its standings profile or settings (`tourney.event.parts.Settings`)."""
        raise NotImplementedError

    def close(self) -> Receipt:
        """End the event; a sealed event's secret is revealed. Refused while tables are still playing."""
        raise NotImplementedError

    def reopen(self, *, reason: str | None = None) -> Receipt:
        """Take entries again."""
        raise NotImplementedError

    def rebase(self, *, on: str | None = None, reason: str | None = None) -> Receipt:
        """Adopt the rules as the library has them now; the receipt says which files differ."""
        raise NotImplementedError

    def standings(
        self, *, profile: str | None = None, after: int | None = None, at: int | None = None
    ) -> Standings:
        """Rank the players.

        profile: another one than the event's, to look at; after: only the first that many rounds; at: as the event
        stood after that entry
        """
        raise NotImplementedError

    def profile(self, name: str | None = None) -> Profile:
        """Return the event's own standings profile from its kept bytes, or another one from the library."""
        raise NotImplementedError

    def at(self, entry: int) -> State:
        """Return the event as it stood after `entry`."""
        raise NotImplementedError

    def show(self) -> dict[str, Any]:
        """Return the event as plain data: what `event show --json` prints and the state digest is made of."""
        raise NotImplementedError

    def state_digest(self) -> str:
        """Return the SHA-256 of the canonical JSON of the event with names as refs; see `tourney.event.show`."""
        raise NotImplementedError

    def log(self) -> tuple[LogLine, ...]:
        """Tell the event's story, an entry a line."""
        raise NotImplementedError

    def check(self) -> tuple[Finding, ...]:
        """Look at the whole file: database pages, chain, every text, every rule; empty where all is well."""
        raise NotImplementedError

    def export(self, folder: Path, *, replace: bool = False) -> tuple[Path, Path]:
        """Write `<event>.jsonl` (everything, an entry a line) and `<event>.toml` (for people) into `folder`."""
        raise NotImplementedError

    @classmethod
    def import_(
        cls, source: Path, path: Path, *, by: str, clock: Clock, randomness: Randomness, library: Library
    ) -> Self:
        """Make the event file `path` from the exported `source`: the same entries, texts and digests."""
        raise NotImplementedError

    def backup(self) -> Path:
        """Copy the event, whole and consistent, to `.tourney-backups/` beside it; return the copy's path."""
        raise NotImplementedError

    def backups(self) -> tuple[Path, ...]:
        """Return the event's copies, newest first."""
        raise NotImplementedError
