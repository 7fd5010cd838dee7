"""Putting a file or a folder in place in one step: a reader meets the old one or the new one, never a half."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp

from tourney.errors import TourneyError
from tourney.store.roots import fault_words, shown


def replace_file(path: Path, content: bytes) -> None:
    """Write `content` to `path`; what stood there stays whole until the new file is on the disk.

    Raises TourneyError where it cannot be written; nothing is changed then.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(beside, content)
        beside.replace(path)
    except OSError as fault:
        with suppress(OSError):
            beside.unlink()
        raise TourneyError(f"{shown(path)}: cannot be written: {fault_words(fault)}") from None


def write_new(path: Path, content: bytes, hint: str) -> None:
    """Write a file that must not be there yet, whole or not at all. Raises TourneyError; with `hint` if it is there."""
    try:
        file = path.open("xb")
    except FileExistsError:
        raise TourneyError(f"{shown(path)}: the file exists already", hint) from None
    except OSError as fault:
        raise TourneyError(f"{shown(path)}: cannot be written: {fault_words(fault)}") from None
    try:
        with file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except OSError as fault:
        with suppress(OSError):
            path.unlink()
        raise TourneyError(f"{shown(path)}: cannot be written: {fault_words(fault)}") from None


def replace_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Make `folder` hold exactly `files` (name → content). The old folder is kept until the new one is complete.

    Raises TourneyError where it cannot be written; the old folder is as it was then.
    """
    fresh = None
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(mkdtemp(prefix=f".{folder.name}.", suffix=".new", dir=folder.parent))
        fresh.chmod(0o755)  # mkdtemp's folders are for one user only, data is for whoever may read its parent
        for name, content in files.items():
            _write(fresh / name, content)
        _swap(fresh, folder)
    except OSError as fault:
        if fresh is not None:
            shutil.rmtree(fresh, ignore_errors=True)
        raise TourneyError(f"{shown(folder)}: cannot be written: {fault_words(fault)}") from None


def _swap(fresh: Path, folder: Path) -> None:
    """No system replaces a folder that has files in one step: the old one steps aside and comes back on a fault."""
    if not folder.exists():
        fresh.replace(folder)
        return
    aside = fresh.with_suffix(".old")
    folder.replace(aside)
    try:
        fresh.replace(folder)
    except OSError:
        aside.replace(folder)
        raise
    shutil.rmtree(aside, ignore_errors=True)


def _write(path: Path, content: bytes) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
