"""Writing a folder of files so that a reader never meets a half-written one and nobody else's file is touched."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from tourney.errors import TourneyError

MANIFEST = ".tourney-published"
"""Names the files that were written here, so that the next writing may replace and remove those and no others."""


def write_folder(folder: Path, files: Mapping[str, bytes]) -> tuple[int, int]:
    """Make `folder` hold `files` (relative path with `/` → content); return how many were written and removed.

    Files of an earlier writing that are no longer among `files` are removed; everything else in the folder stays.
    Each file is replaced in one step, `index.html` last. Raises TourneyError if the folder cannot be written, or if
    it has a file of the same name that was not written here; nothing is changed then.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        ours = _manifest(folder)
        _refuse_strangers(folder, files, ours)
        changed = [path for path, content in files.items() if _differs(folder / path, content)]
        _write(folder / MANIFEST, "\n".join(sorted({*ours, *files})).encode())
        for path in sorted(changed, key=lambda path: path == "index.html"):
            _write(folder / path, files[path])
        gone = [path for path in ours if path not in files and (folder / path).is_file()]
        for path in gone:
            (folder / path).unlink()
        _write(folder / MANIFEST, "\n".join(sorted(files)).encode())
    except OSError as fault:
        raise TourneyError(f"{folder}: cannot be written: {fault.strerror or fault}") from None
    return len(changed), len(gone)


def _manifest(folder: Path) -> tuple[str, ...]:
    """Return the paths written here before; a line that leads out of the folder is not ours."""
    listing = folder / MANIFEST
    lines = listing.read_text(encoding="utf-8").splitlines() if listing.is_file() else []
    return tuple(line for line in lines if line and _inside(line))


def _inside(path: str) -> bool:
    pure = PurePosixPath(path)
    return not pure.is_absolute() and ".." not in pure.parts and "\\" not in path and ":" not in path


def _refuse_strangers(folder: Path, files: Mapping[str, bytes], ours: tuple[str, ...]) -> None:
    strangers = [path for path in files if path not in ours and (folder / path).exists()]
    if strangers:
        raise TourneyError(
            f"{folder}: `{strangers[0]}` is there already and was not published from here",
            hint="name an empty or a new folder",
        )


def _differs(path: Path, content: bytes) -> bool:
    return not path.is_file() or path.read_bytes() != content


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.new")
    try:
        with beside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise
