"""Copies of an event beside it, in `.tourney-backups/`: whole and consistent, or not there at all."""

from __future__ import annotations

import os
import re
import sqlite3
from pathlib import Path

from tourney.errors import TourneyError
from tourney.store.journal import Journal

FOLDER = ".tourney-backups"
_NAME = re.compile(r"(.+)-(\d+)-[0-9a-f]{8}\.tourney")


def folder_of(path: Path) -> Path:
    """Return where the copies of an event lie."""
    return path.absolute().parent / FOLDER


def backup(journal: Journal, *, entry: int, digest: str) -> Path:
    """Copy the event as it stands after `entry`; return the copy's path, `friday-57-3fa9c1d2.tourney`.

    SQLite copies page by page under its own locks, so that a writer does not spoil the copy; it is checked and synced
    before it takes its name. The same state twice is the same file. Raises TourneyError where it cannot be written.
    """
    folder = folder_of(journal.path)
    target = folder / f"{journal.path.stem}-{entry}-{digest[:8]}.tourney"
    rough = folder / f".{target.name}.{os.getpid()}.part"
    try:
        folder.mkdir(exist_ok=True)
        _copy(journal, rough)
        os.replace(rough, target)  # noqa: PTH105 - os.replace is atomic on every system
        _sync_folder(folder)
    except OSError as fault:
        raise TourneyError(f"no copy could be written to {folder}: {fault.strerror}") from fault
    except sqlite3.Error as fault:
        raise TourneyError(f"no copy could be written to {folder}: {fault}") from fault
    finally:
        if folder.is_dir():
            rough.unlink(missing_ok=True)
    return target


def _copy(journal: Journal, rough: Path) -> None:
    rough.unlink(missing_ok=True)
    target = sqlite3.connect(rough)
    try:
        journal.copy_to(target)
        (said,) = target.execute("PRAGMA quick_check").fetchone()
        if said != "ok":
            raise TourneyError(f"{journal.path.name} is damaged, so no copy was made: {said}")
    finally:
        target.close()
    with rough.open("rb+") as file:
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Put the new name itself on the disk, where folders can be synced (not on Windows)."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def backups(path: Path) -> tuple[Path, ...]:
    """Return the copies of an event, the one with the most entries first."""
    folder = folder_of(path)
    if not folder.is_dir():
        return ()
    found = [
        (int(name[2]), each)
        for each in folder.iterdir()
        if (name := _NAME.fullmatch(each.name)) and name[1] == path.stem
    ]
    return tuple(each for _, each in sorted(found, key=lambda pair: (-pair[0], pair[1].name)))
