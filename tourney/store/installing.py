"""Putting ban lists and card pools into the data folder: looked at first, refused where they look wrong."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from tourney.cards import Pool, parse_pool
from tourney.cards.lint import lint_pool
from tourney.errors import TourneyError
from tourney.finding import Severity
from tourney.rules import BanList, parse_banlist
from tourney.rules.changes import Change, changes, objections
from tourney.store.checking import unknown_cards
from tourney.store.data import Library
from tourney.store.writing import replace_file, replace_folder

_NAME = re.compile(r"[a-z0-9][a-z0-9-]*(/[a-z0-9][a-z0-9-]*)+\Z", re.ASCII)
_GAME = re.compile(r"[a-z0-9][a-z0-9-]*\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class InstalledList:
    """A ban list that was put in place. already: it stood there, byte for byte; overruled: what --accept let pass."""

    name: str
    banlist: BanList
    path: Path
    before: BanList | None
    changes: tuple[Change, ...]
    already: bool = False
    overruled: tuple[str, ...] = ()


def install_banlist(
    library: Library, name: str, day: date, text: str, *, source: str, accept: bool = False
) -> InstalledList:
    """Put a ban list into the data folder as `name` (`game/list`), in force from `day`.

    It is read first, and refused unless `accept` where it is empty, shrinks by more than a third, names cards that a
    complete pool does not have, goes back in date, or belongs to a game nobody has heard of. Raises TourneyError.
    """
    if not _NAME.match(name):
        raise TourneyError(
            f"`{name}` is no name of a ban list", "a game and a list, as `red-diamond/standard`"
        )
    new = parse_banlist(text, source=source, day=day, name=name)
    path = library.home.banlists / name / f"{day.isoformat()}.toml"
    present = library.find_banlist(name, day) if name in library.banlist_names() else None
    before = library.read_banlist(present) if present else None
    if present and present.day == day and present.path == path and present.text == text:
        return InstalledList(name, new, path, before, (), already=True)
    against = _objections(library, name, new)
    if against and not accept:
        raise TourneyError(
            f"{source}: not taken as {name} of {day}: {'; '.join(against)}",
            "look at it, then add `--accept` to take it all the same",
        )
    replace_file(path, text.encode())
    return InstalledList(name, new, path, before, changes(before, new), overruled=against)


def _objections(library: Library, name: str, new: BanList) -> tuple[str, ...]:
    game = name.partition("/")[0]
    games = known_games(library)
    if game not in games:
        return (f"there is no game `{game}`; there are {', '.join(sorted(games))}", *objections(new, ()))
    unknown = unknown_cards(library, game, new) if game in library.pools() else ()
    days = library.banlist_days(name) if name in library.banlist_names() else ()
    installed = [library.read_banlist(library.banlist_file(name, day)) for day in days]
    return objections(new, installed, unknown)


def list_and_day(library: Library, path: str, name: str | None, day: date | None) -> tuple[str, date]:
    """Return the name and the day of a ban list: as said, else read off `…/game/list/2026-01-31.toml`.

    path: of the file, or of its address. The folders say which list it is below a `banlists/`, or where the game is
    one that is known here. Raises TourneyError where neither says it.
    """
    parts = [part for part in path.replace("\\", "/").split("/") if part]
    if day is None:
        try:
            day = date.fromisoformat(parts[-1].rpartition(".")[0] if parts else "")
        except ValueError:
            raise TourneyError(
                f"{path}: its name does not say from which day the list is in force",
                "add `--from 2026-01-31`",
            ) from None
    name = name or _name_of(library, parts[:-1])
    if name is None:
        raise TourneyError(f"{path}: its place does not say which list it is", "add `--as game/list`")
    return name, day


def _name_of(library: Library, folders: list[str]) -> str | None:
    if "banlists" in folders:
        below = "/".join(folders[len(folders) - folders[::-1].index("banlists") :])
        return below if _NAME.match(below) else None
    last = "/".join(folders[-2:])
    return last if _NAME.match(last) and folders[-2] in known_games(library) else None


def known_games(library: Library) -> frozenset[str]:
    """Return the games that have a pool or a format."""
    return frozenset(each.partition("/")[0] for each in (*library.pools(), *library.formats()))


# -- pools


@dataclass(frozen=True, slots=True)
class InstalledPool:
    """A pool that was put in place. had: how many cards it had before, None where there was none."""

    pool: Pool
    path: Path
    had: int | None
    overruled: tuple[str, ...] = ()


def install_pool(
    library: Library, game: str, head: str, sets: Mapping[str, bytes], *, source: str, accept: bool = False
) -> InstalledPool:
    """Put a whole pool into the data folder, in place of the one that was there.

    It is proofread first; faults refuse it always. Unless `accept` it is refused, too, where it is empty or shrinks by
    more than a third. Raises TourneyError.
    """
    if not _GAME.match(game):
        raise TourneyError(
            f"`{game}` is no name of a game", "small letters, digits and hyphens, as `red-diamond`"
        )
    faults = [each for each in lint_pool(head, sets, source=source) if each.severity is Severity.ERROR]
    if faults:
        more = f" ({len(faults) - 1} more)" if len(faults) > 1 else ""
        raise TourneyError(f"{source}: {faults[0].message.removeprefix(f'{source}: ')}{more}")
    pool = parse_pool(head, sets, source=source)
    if pool.game != game:
        raise TourneyError(f"{source}: a pool of `{pool.game}`, not of `{game}`")
    had = len(library.pool(game)) if game in library.pools() else None
    against = _shrinking(len(pool), had)
    if against and not accept:
        raise TourneyError(
            f"{source}: not taken as the pool of {game}: {'; '.join(against)}",
            "look at it, then add `--accept` to take it all the same",
        )
    folder = library.home.cardpools / game
    files = {"pool.toml": head.encode(), **{f"{code}.jsonl": text for code, text in sets.items()}}
    replace_folder(folder, files)
    return InstalledPool(pool, folder, had, against)


def _shrinking(new: int, had: int | None) -> tuple[str, ...]:
    if not new:
        return ("it is empty",)
    return (f"it shrinks from {had} cards to {new}",) if had is not None and 3 * new < 2 * had else ()
