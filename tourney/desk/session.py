"""The loop under every change: read, decide, append if nobody wrote in between, answer."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tourney.desk.receipt import Receipt
from tourney.event.state import State
from tourney.store.data import Library

Clock = Callable[[], datetime]
"""Returns the time, with its zone."""

Randomness = Callable[[int], bytes]
"""Returns that many unpredictable bytes (`secrets.token_bytes`)."""


class Session:
    """An open event file and what the outside lends to it.

    path:  the event file
    state: the event as last read; `refresh` reads what others wrote since
    last:  the receipt of the last change made here (after `create`: of the creation)
    """

    path: Path
    last: Receipt | None

    @classmethod
    def create(
        cls,
        path: Path,
        *,
        name: str,
        format_name: str,
        by: str,
        clock: Clock,
        randomness: Randomness,
        library: Library,
        profile: str | None = None,
        banlist: str | None = None,
        on: str | None = None,
        sealed: bool = False,
        **settings: Any,
    ) -> Self:
        """Create the event file `path` and open it; `last` is the receipt, with warnings (a network or synced folder).

        format_name: name or file of a format; its own settings (best of, seats, sides, system) are the defaults
        profile:  name or file of a standings profile; None: the format's, else `tourney`
        banlist:  name or file of a ban list instead of the format's; `none`: play without one
        on:       YYYY-MM-DD, the day for which the ban list is picked; None: today by the clock
        sealed:   keep the secret out of exports and pages until `close`
        settings: see `tourney.event.parts.Settings`

        Raises TourneyError if the file exists, or the folder, the name, a rule file or a setting will not do.
        """
        raise NotImplementedError

    @classmethod
    def open(cls, path: Path, *, by: str, clock: Clock, randomness: Randomness, library: Library) -> Self:
        """Open the event file `path`, checking the whole chain.

        Raises TourneyError if it is no event, was altered, or was written by a newer tourney.
        """
        raise NotImplementedError

    @property
    def state(self) -> State:
        """The event as last read."""
        raise NotImplementedError

    def refresh(self) -> State:
        """Read what others wrote meanwhile and return the event as it stands."""
        raise NotImplementedError

    def leave(self) -> None:
        """Let go of the file."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.leave()
