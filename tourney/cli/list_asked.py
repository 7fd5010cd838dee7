"""Which ban list is meant: a name, a name on a day, or a file."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tourney.errors import TourneyError

if TYPE_CHECKING:
    from tourney.cli.session import Session
    from tourney.rules import BanList
    from tourney.store.data import Library

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


def list_asked(session: Session, library: Library, asked: str, on: date | None = None) -> BanList:
    """Return the ban list `game/list` (in force on `on`, or today), `game/list@2026-01-01`, or the one in a TOML file.

    Raises TourneyError naming what exists where there is none.
    """
    if asked not in library.banlist_names() and Path(asked).suffix == ".toml":
        return _file(session, asked)
    name, _, written = asked.partition("@")
    if written:
        return library.read_banlist(library.banlist_file(name, _day(asked, written)))
    if name not in library.banlist_names():
        _refuse_not_installed(library, name)
    days = library.banlist_days(name)
    found = library.banlist(name, on or session.now().date())
    if found is None:
        raise TourneyError(
            f"no list of {name} is in force on {on or session.now().date()}; the first takes effect {days[0]}",
            f"`{name}@{days[0]}`",
        )
    return found


def _refuse_not_installed(library: Library, name: str) -> None:
    """Tell where a list is published that a format asks for and nobody has installed."""
    for each in map(library.format, library.formats()):
        if each.banlist == name:
            at = f"; it is published at {each.banlist_at}" if each.banlist_at else ""
            raise TourneyError(
                f"the ban list `{name}` is not installed{at}", f"`tourney banlist import FILE --as {name}`"
            )


def _file(session: Session, asked: str) -> BanList:
    from tourney.rules import parse_banlist
    from tourney.store.data import day_of

    path = Path(asked)
    try:
        day = day_of(path)
    except TourneyError:
        day = session.now().date()
    return parse_banlist(session.read_text(asked), source=asked, day=day, name=path.name)


def _day(asked: str, written: str) -> date:
    try:
        return date.fromisoformat(written)
    except ValueError:
        raise TourneyError(f"`{asked}`: `{written}` is no day", "as in `game/list@2026-01-31`") from None
