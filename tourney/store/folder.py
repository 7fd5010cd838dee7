"""A folder of published files: written so that a reader never meets a half-written one and nobody else's file is touched.

Which folders an event was written to is remembered beside its copies, so that whoever is forgotten is forgotten there, too;
and which files, such as exports and sheets of codes, so that erasing a person can name them.
What uploads a folder is run here.
"""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from tourney.decode import MAX_PATH
from tourney.errors import TourneyError
from tourney.store.files import fault_words, in_place_of, put_in_place, read_bytes, resolved
from tourney.store.journal import EventPlace
from tourney.store.places import backup_folder_of, make_backup_folder

MANIFEST = ".tourney-published"
"""Names the files that were written here, each with its SHA-256 as `sha256sum` has it, so that the next writing may
replace and remove those and no others. Earlier versions wrote the paths alone."""

LONGEST_MANIFEST = 10_000_000
"""Bytes; a line has about a hundred."""

_ELSEWHERE = "name an empty or a new folder"

Ours = Mapping[str, frozenset[str]]
"""Path → the digests of what was written there; none where an earlier version wrote it and kept no digest."""


class FolderChanges(NamedTuple):
    """What a writing did.

    written, removed: how many files
    left: paths of an earlier writing that are no longer published and stay: changed since, or written by a version that
          kept no digest, so that nobody can know
    """

    written: int
    removed: int
    left: tuple[str, ...] = ()


def written_before(folder: Path) -> frozenset[str]:
    """Return the paths of the files that were written here. Raises TourneyError where the folder cannot be read."""
    try:
        return frozenset(_manifest(folder))
    except OSError as fault:
        raise TourneyError(f"{folder}: cannot be read: {fault.strerror or fault}") from None


def written_as(folder: Path, path: str) -> bytes | None:
    """Return a file that was written here, if it is still what was written then."""
    try:
        ours = _manifest(folder)
        content = (folder / path).read_bytes() if path in ours and _is_plain(folder, path) else None
    except (OSError, TourneyError):
        return None
    return content if content is not None and sha256(content).hexdigest() in ours[path] else None


def write_folder(
    folder: Path, files: Mapping[str, bytes], *, about: Callable[[str], bool] = lambda _: True
) -> FolderChanges:
    """Make `folder` hold `files` (relative path with `/` → content).

    about: says of a path whether this writing is about such files; others that were written before stay as they are

    Files of an earlier writing that are no longer among `files` are removed, if they are still what was written then,
    and named if they are not; everything else in the folder stays. Each file is replaced in one step, `index.html` last, and nothing is written,
    read or removed through a link inside the folder. Raises TourneyError if the folder cannot be written, or if it has
    a file of the same name that was not written here or was changed since; nothing is changed then.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        ours = _manifest(folder)
        for parent in sorted({parent for path in files for parent in PurePosixPath(path).parents[:-1]}):
            status = _status_of(folder / parent)
            if status is not None and not stat.S_ISDIR(status.st_mode):
                raise TourneyError(f"{folder}: `{parent}` is not a folder but a {_kind(status)}", _ELSEWHERE)
        there = {path: _ours_there(folder, path, ours) for path in files}
        new = {path: frozenset({sha256(content).hexdigest()}) for path, content in files.items()}
        changed = [path for path in files if there[path] not in new[path]]
        others = {path: digests for path, digests in ours.items() if path not in files and not about(path)}
        old = [path for path in sorted(ours) if path not in files and about(path) and _is_plain(folder, path)]
        gone = [path for path in old if _digest(folder / path) in ours[path]]
        left = [path for path in old if path not in gone]
        # Both the old and the new ones: whoever is interrupted knows them all again.
        both = {path: ours.get(path, frozenset()) | new.get(path, frozenset()) for path in {*ours, *new}}
        _write(folder / MANIFEST, _listing(both))
        in_order = sorted(changed, key=lambda path: path == "index.html")
        put_in_place([(folder / path, files[path]) for path in in_order])
        for path in gone:
            (folder / path).unlink()
        _write(folder / MANIFEST, _listing({**others, **{path: ours[path] for path in left}, **new}))
    except OSError as fault:
        raise TourneyError(f"{folder}: cannot be written: {fault.strerror or fault}") from None
    return FolderChanges(len(changed), len(gone), tuple(left))


def _manifest(folder: Path) -> Ours:
    """Return what was written here before; a line that leads out of the folder is not ours."""
    status = _status_of(folder / MANIFEST)
    if status is None:
        return {}
    if not stat.S_ISREG(status.st_mode) or status.st_size > LONGEST_MANIFEST:
        raise TourneyError(f"{folder}: `{MANIFEST}` was not written by tourney", _ELSEWHERE)
    try:
        lines = (folder / MANIFEST).read_bytes().decode().splitlines()
    except UnicodeDecodeError:
        raise TourneyError(
            f"{folder}: `{MANIFEST}` was not written by tourney: it is not text", _ELSEWHERE
        ) from None
    ours: dict[str, frozenset[str]] = {}
    for line in lines:
        digest, _, path = line.rpartition("  ")
        if _is_inside(path):
            ours[path] = ours.get(path, frozenset()) | ({digest} if digest else frozenset())
    return ours


def _listing(written: Ours) -> bytes:
    lines = [
        f"{digest}  {path}" if digest else path
        for path, digests in sorted(written.items())
        for digest in sorted(digests or {""})
    ]
    return "".join(f"{line}\n" for line in lines).encode()


def _is_inside(path: str) -> bool:
    if not 0 < len(path) <= MAX_PATH:
        return False
    pure = PurePosixPath(path)
    plain = path.isprintable() and not {"\\", ":"} & set(path)
    return plain and not pure.is_absolute() and ".." not in pure.parts


def _status_of(path: Path) -> os.stat_result | None:
    """Return what stands at a path, a link as itself; None where nothing does."""
    try:
        return path.lstat()
    except FileNotFoundError:
        return None


def _ours_there(folder: Path, path: str, ours: Ours) -> str:
    """Return the digest of the file that stands at a path; empty without one, and for one of several names.

    What has several names can be changed from elsewhere. Raises TourneyError where it is not what was written here.
    """
    status = _status_of(folder / path)
    if status is None:
        return ""
    if not stat.S_ISREG(status.st_mode):
        raise TourneyError(
            f"{folder}: `{path}` is a {_kind(status)} that was not published from here", _ELSEWHERE
        )
    if path not in ours:
        raise TourneyError(f"{folder}: `{path}` is there already and was not published from here", _ELSEWHERE)
    digest = _digest(folder / path)
    if ours[path] and digest not in ours[path]:
        raise TourneyError(
            f"{folder}: `{path}` was changed since it was published", f"move it away, or {_ELSEWHERE}"
        )
    return digest if status.st_nlink == 1 else ""


def _kind(status: os.stat_result) -> str:
    kinds = {stat.S_ISLNK: "link", stat.S_ISDIR: "folder", stat.S_ISREG: "file", stat.S_ISFIFO: "pipe"}
    return next((word for asks, word in kinds.items() if asks(status.st_mode)), "special file")


def _is_plain(folder: Path, path: str) -> bool:
    """Whether a file stands there, no link on the way to it."""
    parents = (_status_of(folder / parent) for parent in PurePosixPath(path).parents[:-1])
    if not all(status is not None and stat.S_ISDIR(status.st_mode) for status in parents):
        return False
    status = _status_of(folder / path)
    return status is not None and stat.S_ISREG(status.st_mode)


def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with in_place_of(path) as rough:
        rough.write_bytes(content)


# -- which folders an event was written to


class KnownFolder(msgspec.Struct, frozen=True, omit_defaults=True):
    """That an event was written to a folder, or to a file. In no entry: it is of this machine alone.

    event:  the digest of its first entry
    folder: where; below the event's own folder as seen from there, so that both may be moved together
    what:   pages, in whatever forms, or sheets of paper; `file`: `folder` is a file, which nobody can write anew
    at:     the entry as of which it is shown; None: as it stood
    own:    whether words or prizes were given for this writing alone
    gone:   how many of its texts were deleted by then; None while nobody knows what is in the folder
    over:   whether another event was written there since
    """

    event: str
    folder: str
    what: Literal["pages", "sheets", "file"]
    at: int | None = None
    own: bool = False
    gone: int | None = None
    over: bool = False


class Folders:
    """The folders that an event was written to. place: of the event.

    Each has a file of its own in `.tourney-backups/published/`: whoever writes two folders at once loses neither.
    """

    def __init__(self, place: EventPlace, event: str) -> None:
        self._place, self._event = place, event
        self._near = resolved(place.folder)

    def note(self, written: KnownFolder) -> None:
        """Remember a folder; once it is written, that no other event stands there any more.

        Raises TourneyError where that cannot be remembered.
        """
        changed = [
            replace(each, over=True)
            for each in (self._all() if written.gone is not None else ())
            if (each.folder, each.what) == (written.folder, written.what)
            and each.event != written.event
            and not each.over
        ]
        if self._read(self._file(written)) != written:
            changed.append(written)
        if not changed:
            return
        try:
            beside, mode = make_backup_folder(self._place)
            self._file(written).parent.mkdir(exist_ok=True, mode=beside.stat().st_mode & 0o777)
            for each in changed:
                with in_place_of(self._file(each), mode=mode) as rough:
                    rough.write_bytes(msgspec.json.encode(each))
        except OSError as fault:
            raise TourneyError(
                f"{backup_folder_of(self._place)}: cannot be written: {fault_words(fault)}"
            ) from None

    def note_file(self, path: Path, gone: int) -> None:
        """Remember a file that the event's names were written to. gone: how many texts were deleted by then.

        Raises TourneyError where that cannot be remembered.
        """
        self.note(replace(self.of(path, "file"), gone=gone, over=False))

    def of(self, folder: Path, what: Literal["pages", "sheets", "file"]) -> KnownFolder:
        """Return what is known of a folder or a file; of a new one that nobody knows what is in it."""
        place = resolved(folder)
        near = place.relative_to(self._near) if place.is_relative_to(self._near) else place
        new = KnownFolder(self._event, near.as_posix(), what)
        return self._read(self._file(new)) or new

    def known(self) -> list[KnownFolder]:
        """Return the folders that the event was written to, in the order of their paths."""
        return sorted(
            (each for each in self._all() if each.event == self._event and each.what != "file"),
            key=lambda each: (each.folder, each.what),
        )

    def files(self, gone: int) -> list[Path]:
        """Return the files that are still there and were written before `gone` texts were deleted, in order."""
        files = [each for each in self._all() if each.event == self._event and each.what == "file"]
        paths = []
        for each in files:
            path = self.place(each)
            if not path.is_file():
                self.forget(each)
            elif not each.over and each.gone != gone:
                paths.append(path)
        return sorted(paths)

    def place(self, written: KnownFolder) -> Path:
        """Return where a folder is."""
        return self._near / written.folder

    def forget(self, written: KnownFolder) -> None:
        """Forget a folder; where that cannot be done it is asked for again."""
        with suppress(OSError):
            self._file(written).unlink(missing_ok=True)

    def _all(self) -> list[KnownFolder]:
        """Return what is known of the folders of every event that is kept here."""
        found = [self._read(file) for file in (backup_folder_of(self._place) / _KNOWN).glob("*.json")]
        return [each for each in found if each]

    def _file(self, written: KnownFolder) -> Path:
        name = sha256(f"{written.event} {written.what} {written.folder}".encode()).hexdigest()[:16]
        return backup_folder_of(self._place) / _KNOWN / f"{name}.json"

    def _read(self, file: Path) -> KnownFolder | None:
        try:
            return msgspec.json.decode(read_bytes(file), type=KnownFolder)
        except (TourneyError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return None  # not there, or nobody's of ours


_KNOWN = "published"


def run(command: Sequence[str], folder: Path) -> int:
    """Run a command and return what it leaves with; there is no shell in between.

    Its output goes to stderr, as stdout is ours; it has no standard input; `$TOURNEY_PUBLISHED` is the folder. Raises
    TourneyError where there is no such command.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    surroundings = {**os.environ, "TOURNEY_PUBLISHED": str(folder)}
    try:
        stderr = sys.stderr.fileno()
    except (AttributeError, OSError):
        stderr = subprocess.DEVNULL
    try:
        # S603: it is the user's own line; no word of an event is in it.
        done = subprocess.run(  # noqa: S603
            [*command], stdin=subprocess.DEVNULL, stdout=stderr, stderr=stderr, env=surroundings, check=False
        )
    except OSError as fault:
        raise TourneyError(f"`{command[0]}` cannot be run: {fault_words(fault)}") from None
    except ValueError:
        raise TourneyError("the command cannot be run: it has a character that no command can have") from None
    return done.returncode


def remember_copy(place: EventPlace, event: str, copy: Path) -> None:
    """Remember another file of an event, so that erasing a person can name it. A failure is ignored."""
    with suppress(TourneyError):
        Folders(place, event).note_file(copy, 0)
