"""Write folders of published files without changing files of other programs.

Each file is written atomically.

The folders to which an event was published are recorded beside its backups, so that a person who is erased
from the event is also erased from these folders. Files such as exports and sheets of codes are recorded, so
that the command that erases a person can name them. `run` runs the command that uploads a folder.
"""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Literal, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tourney.decode import MAX_PATH
from tourney.errors import TourneyError
from tourney.store.files import NewFile, fault_words, read_record, replace_file, replace_files, resolve_path
from tourney.store.journal import EventPlace

MANIFEST = ".tourney-published"
"""The file with the list of all files written to a folder, in the format of `sha256sum`.

Only these files can be replaced or removed when the folder is written again.
"""

MAX_MANIFEST = 10_000_000
"""The maximum size of a manifest in bytes. A line has about a hundred bytes."""

_ELSEWHERE = "name an empty or a new folder"

Ours = Mapping[str, frozenset[str]]
"""Path of a written file → the digests of the contents that were written to it."""


class FolderChanges(NamedTuple):
    """The result of writing a folder.

    written, removed: how many files were written and removed
    left: paths of files that are no longer published, but were not removed because they have been changed
    """

    written: int
    removed: int
    left: tuple[str, ...] = ()


def written_before(folder: Path) -> frozenset[str]:
    """Return the paths of the files that earlier calls of `write_folder` wrote to a folder.

    Raises TourneyError if the folder cannot be read.
    """
    try:
        return frozenset(_manifest(folder))
    except OSError as fault:
        raise TourneyError(f"{folder}: cannot be read: {fault.strerror or fault}") from None


def written_as(folder: Path, path: str) -> bytes | None:
    """Return the content of a file that `write_folder` wrote to a folder.

    Returns None if the file has been changed or removed since.
    """
    try:
        ours = _manifest(folder)
        content = (folder / path).read_bytes() if path in ours and _is_plain(folder, path) else None
    except (OSError, TourneyError):
        return None
    return content if content is not None and sha256(content).hexdigest() in ours[path] else None


def write_folder(
    folder: Path, files: Mapping[str, bytes], *, about: Callable[[str], bool] = lambda _: True
) -> FolderChanges:
    """Write `files` (relative path with `/` → content) to a folder, and remove old files.

    about: returns whether this call may remove the old file at a path; by default, it may remove all of them

    Old files are files that earlier calls wrote, and that are not in `files`. An old file that this
    call may remove is removed if it is unchanged; if it was changed, it is kept, and listed in the result.
    All other old files, and the files of other programs, are kept. Each file is replaced atomically,
    `index.html` last. Nothing is written, read or removed through a link inside the folder.

    Raises TourneyError, and changes nothing, if the folder cannot be written, or if one of the files exists
    and was not written by an earlier call or has been changed since.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        ours = _manifest(folder)
        _check_parents(folder, files)
        before = {path: _digest_before(folder, path, ours) for path in files}
        new = {path: frozenset({sha256(content).hexdigest()}) for path, content in files.items()}
        changed_paths = [path for path in files if before[path] not in new[path]]
        old_paths = [path for path in sorted(ours) if path not in files]
        candidates = [path for path in old_paths if about(path) and _is_plain(folder, path)]
        removable = [path for path in candidates if _digest(folder / path) in ours[path]]
        kept_paths = [path for path in candidates if path not in removable]
        # While files are being replaced, the manifest contains the old and the new digests, so that an
        # interrupted call can be repeated.
        old_and_new = {
            path: ours.get(path, frozenset()) | new.get(path, frozenset()) for path in {*ours, *new}
        }
        replace_file(folder / MANIFEST, _listing(old_and_new))
        in_order = sorted(changed_paths, key=lambda path: path == "index.html")
        replace_files([NewFile(folder / path, files[path]) for path in in_order])
        for path in removable:
            (folder / path).unlink()
        kept_digests = {path: ours[path] for path in old_paths if path in kept_paths or not about(path)}
        replace_file(folder / MANIFEST, _listing(kept_digests | new))
    except OSError as fault:
        raise TourneyError(f"{folder}: cannot be written: {fault.strerror or fault}") from None
    return FolderChanges(len(changed_paths), len(removable), tuple(kept_paths))


def _check_parents(folder: Path, files: Iterable[str]) -> None:
    """Raise TourneyError if one of `files` would be below something that is not a folder."""
    for parent in sorted({parent for path in files for parent in PurePosixPath(path).parents[:-1]}):
        status = _status_of(folder / parent)
        if status is not None and not stat.S_ISDIR(status.st_mode):
            raise TourneyError(f"{folder}: `{parent}` is not a folder", _ELSEWHERE)


def _manifest(folder: Path) -> Ours:
    """Return the files in a folder's manifest; paths that lead out of the folder are ignored."""
    status = _status_of(folder / MANIFEST)
    if status is None:
        return {}
    foreign = TourneyError(f"{folder}: `{MANIFEST}` was not written by tourney", _ELSEWHERE)
    if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_MANIFEST:
        raise foreign
    try:
        text = (folder / MANIFEST).read_bytes().decode()
    except UnicodeDecodeError:
        raise foreign from None
    ours: dict[str, frozenset[str]] = {}
    for line in text.splitlines():
        digest, _, path = line.partition("  ")
        if _is_inside(path):
            ours[path] = ours.get(path, frozenset()) | {digest}
    return ours


def _listing(ours: Ours) -> bytes:
    lines = (f"{digest}  {path}\n" for path, digests in sorted(ours.items()) for digest in sorted(digests))
    return "".join(lines).encode()


def _is_inside(path: str) -> bool:
    if not 0 < len(path) <= MAX_PATH:
        return False
    pure = PurePosixPath(path)
    plain = path.isprintable() and not {"\\", ":"} & set(path)
    return plain and not pure.is_absolute() and ".." not in pure.parts


def _status_of(path: Path) -> os.stat_result | None:
    """Return `os.lstat` of a path (the status of a link itself); None if it does not exist."""
    try:
        return path.lstat()
    except FileNotFoundError:
        return None


def _digest_before(folder: Path, path: str, ours: Ours) -> str:
    """Return the digest of the file at a path, before it is replaced.

    Empty if the file does not exist or has other hard links. Raises TourneyError if the file was not written
    by an earlier call of `write_folder`, or has been changed since.
    """
    status = _status_of(folder / path)
    if status is None:
        return ""
    if path not in ours or not stat.S_ISREG(status.st_mode):
        raise TourneyError(f"{folder}: `{path}` exists already and was not published from here", _ELSEWHERE)
    digest = _digest(folder / path)
    if digest not in ours[path]:
        raise TourneyError(
            f"{folder}: `{path}` was changed since it was published", f"move it away, or {_ELSEWHERE}"
        )
    return digest if status.st_nlink == 1 else ""


def _is_plain(folder: Path, path: str) -> bool:
    """Return whether a path is an ordinary file, and no folder on its path is a link."""
    parents = (_status_of(folder / parent) for parent in PurePosixPath(path).parents[:-1])
    if not all(status is not None and stat.S_ISDIR(status.st_mode) for status in parents):
        return False
    status = _status_of(folder / path)
    return status is not None and stat.S_ISREG(status.st_mode)


def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


# -- The folders that an event was written to


class KnownFolder(Struct, frozen=True, omit_defaults=True):
    """The record, on this computer, of a folder or file that an event was written to.

    event:  the digest of the event's first entry
    folder: the path; relative if it is below the event's folder, so that both can be moved together
    what:   `pages` (published pages or data), printed `sheets`, or a single `file`. The program can write
            pages and sheets again, but not a file
    at:     the number of the last entry of the state that the folder shows; None for the current state
    own:    whether the command had options, such as words or prizes, that apply to this folder only
    gone:   the number of the event's texts that had been deleted when the folder was written; None if the
            content of the folder is unknown
    over:   whether another event has been written there since
    """

    event: str
    folder: str
    what: Literal["pages", "sheets", "file"]
    at: int | None = None
    own: bool = False
    gone: int | None = None
    over: bool = False


class Folders:
    """The records of the folders that an event was written to.

    Each record is a file in `.tourney-backups/published/`, so that two commands can write at the same time.
    """

    def __init__(self, place: EventPlace, event: str) -> None:
        self._place, self._event = place, event
        self._near = resolve_path(place.folder)
        self._records = place.backup_folder / "published"

    def note(self, record: KnownFolder) -> None:
        """Record a folder that the event was written to.

        If the content of the folder is known, other events' records of this folder are marked as overwritten
        (`over`). Raises TourneyError if the record cannot be written.
        """
        changed_records = [] if read_record(self._file(record), KnownFolder) == record else [record]
        if record.gone is not None:
            changed_records += [
                replace(other, over=True)
                for other in self._all()
                if (other.folder, other.what) == (record.folder, record.what)
                and other.event != record.event
                and not other.over
            ]
        if not changed_records:
            return
        try:
            mode = self._place.make_backup_folder()
            self._records.mkdir(exist_ok=True, mode=self._place.backup_folder.stat().st_mode & 0o777)
            for folder in changed_records:
                replace_file(self._file(folder), msgspec.json.encode(folder), mode=mode)
        except OSError as fault:
            raise TourneyError(
                f"{self._place.backup_folder}: cannot be written: {fault_words(fault)}"
            ) from None

    def note_file(self, path: Path, deleted_texts: int) -> None:
        """Record that a file with names from the event was written at `path`.

        deleted_texts: how many of the event's texts, such as names, had been deleted when the file was
                       written

        Raises TourneyError if the record cannot be written.
        """
        self.note(replace(self.of(path, "file"), gone=deleted_texts, over=False))

    def of(self, folder: Path, kind: Literal["pages", "sheets", "file"]) -> KnownFolder:
        """Return the record of a folder or file to which the event was written.

        If it has not been recorded, return a new record, which says that its content is unknown.
        """
        place = resolve_path(folder)
        near = place.relative_to(self._near) if place.is_relative_to(self._near) else place
        new = KnownFolder(self._event, near.as_posix(), kind)
        return read_record(self._file(new), KnownFolder) or new

    def records(self) -> list[KnownFolder]:
        """Return the records of the folders that the event was written to, sorted by path."""
        folders = (record for record in self._all() if record.event == self._event and record.what != "file")
        return sorted(folders, key=lambda record: (record.folder, record.what))

    def files(self, deleted_texts: int) -> list[Path]:
        """Return the recorded files that still exist and may contain deleted texts, sorted.

        deleted_texts: the number of the event's texts that have been deleted so far
        """
        paths = []
        for record in self._all():
            if record.event != self._event or record.what != "file":
                continue
            path = self.place(record)
            if not path.is_file():
                self.forget(record)
            elif not record.over and record.gone != deleted_texts:
                paths.append(path)
        return sorted(paths)

    def place(self, record: KnownFolder) -> Path:
        """Return the path of a recorded folder or file."""
        return self._near / record.folder

    def forget(self, record: KnownFolder) -> None:
        """Remove the record of a folder. Errors are ignored; the next call can remove the record."""
        with suppress(OSError):
            self._file(record).unlink(missing_ok=True)

    def _all(self) -> list[KnownFolder]:
        """Return the records of all folders and files that an event was written to.

        Other events are included if their backups are in the same folder as this event's.
        """
        files = self._records.glob("*.json")
        return [record for file in files if (record := read_record(file, KnownFolder))]

    def _file(self, record: KnownFolder) -> Path:
        name = sha256(f"{record.event} {record.what} {record.folder}".encode()).hexdigest()[:16]
        return self._records / f"{name}.json"


def run(command: Sequence[str], folder: Path) -> int:
    """Run a command without a shell and return its exit code.

    Its output goes to stderr, because stdout is for the program's own output. It has no standard input. Its
    environment variable `$TOURNEY_PUBLISHED` contains the path `folder`.

    Raises TourneyError if the command cannot be run.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    environment = {**os.environ, "TOURNEY_PUBLISHED": str(folder)}
    try:
        stderr = sys.stderr.fileno()
    except (AttributeError, OSError):
        stderr = subprocess.DEVNULL
    try:
        # S603: the user typed the command; nothing in it comes from an event.
        process = subprocess.run(  # noqa: S603
            [*command], stdin=subprocess.DEVNULL, stdout=stderr, stderr=stderr, env=environment, check=False
        )
    except (OSError, ValueError) as fault:
        raise TourneyError(f"`{command[0]}` cannot be run: {fault_words(fault)}") from None
    return process.returncode


def remember_copy(place: EventPlace, event: str, copy: Path) -> None:
    """Record a copy of an event, so that the command that erases a person can name the copy.

    event: the digest of the event's first entry

    Errors are ignored.
    """
    with suppress(TourneyError):
        Folders(place, event).note_file(copy, 0)
