"""Read files, and replace files and folders atomically.

A reader sees either the old or the new content, but not a mix of both.

New content is written beside its target as `.tourney-<process>-<word>.part`, synced, and renamed. If a
process is killed meanwhile, the next process that writes to the same folder removes its temporary files.
"""

from __future__ import annotations

import os
import re
import stat
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Literal, NamedTuple, TypeVar

import msgspec

from tourney.decode import MAX_FILES, check_size
from tourney.errors import TourneyError

T = TypeVar("T")


def read_bytes(path: Path) -> bytes:
    """Read a file.

    Raises TourneyError if the file cannot be read, is larger than `MAX_BYTES`, or is a pipe or a device.
    """
    try:
        if (kind := special_kind(path)) is None:
            check_size(path.stat().st_size, source=display_path(path))
            return path.read_bytes()
    except OSError as fault:
        raise TourneyError(f"{display_path(path)}: {fault_words(fault)}") from None
    hint = None if path.is_dir() else "`-` reads standard input, so you can pipe it in"
    raise TourneyError(f"{display_path(path)}: {kind}", hint)


def read_record(path: Path, kind: type[T]) -> T | None:
    """Return the content of a JSON file that the program wrote for itself.

    Returns None if the file does not exist, cannot be read, or does not hold a value of this type.
    """
    try:
        return msgspec.json.decode(read_bytes(path), type=kind)
    except (TourneyError, msgspec.MsgspecError, ValueError, RecursionError):
        return None


def special_kind(path: Path) -> str | None:
    """Return a phrase for a folder, pipe, socket or device, such as `is a folder, not a file`.

    Returns None for an ordinary file. Links are followed.

    Call this before opening a path, because opening a pipe waits for its writer and opening a device can have
    effects. Raises OSError if nothing exists at `path`.
    """
    mode = path.stat().st_mode
    return next((kind for special, kind in _SPECIAL if special(mode)), None)


_SPECIAL = (
    (stat.S_ISDIR, "is a folder, not a file"),
    (stat.S_ISFIFO, "is a pipe, not a file"),
    (stat.S_ISSOCK, "is a socket, not a file"),
    (stat.S_ISCHR, "is a device, not a file"),
    (stat.S_ISBLK, "is a device, not a file"),
)


def fault_words(fault: Exception) -> str:
    """Return a plain description of an error, such as one of the operating system.

    >>> fault_words(FileNotFoundError(2, "No such file or directory"))
    'there is no such file'
    """
    words: dict[type[Exception], str] = {
        FileNotFoundError: "there is no such file",
        IsADirectoryError: "is a folder, not a file",
        PermissionError: "you do not have permission",
    }
    message = fault.strerror.lower() if isinstance(fault, OSError) and fault.strerror else str(fault)
    return words.get(type(fault)) or message


def decode_source(content: bytes, *, source: str) -> str:
    """Decode UTF-8 and drop a byte-order mark. Raises TourneyError with `source` and the line."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = content[: fault.start].count(b"\n") + 1
        raise TourneyError(f"{source}:{line}: not UTF-8 text", "save the file as UTF-8") from None


def file_id(path: Path) -> tuple[int, int] | None:
    """Return the device and the inode of the file at `path`; None if it does not exist."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def display_path(path: Path) -> str:
    """Return a path as messages show it: relative if it is inside the current folder."""
    try:
        relative = resolve_path(path).relative_to(Path.cwd())
    except (ValueError, OSError):
        return str(path)
    return str(relative)


def resolve_path(path: Path) -> Path:
    """Return an absolute path with its links followed.

    If the links form a loop, they are not followed.
    """
    try:
        return path.resolve()
    except (OSError, RuntimeError):  # a loop of links: Python 3.11 raises RuntimeError, later versions do not
        return path.absolute()


def files_below(folder: Path, *, include_hidden: bool = False) -> list[Path]:
    """Return the files in and below `folder`, sorted by path.

    Links to folders are not followed.

    include_hidden: whether to include files and folders whose names begin with a dot

    Folders that cannot be read are skipped. Raises TourneyError if there are more than MAX_FILES entries.
    """
    files: list[Path] = []
    folders, count = [folder], 0
    while folders:
        parent = folders.pop()
        with suppress(OSError), os.scandir(parent) as entries:
            for entry in entries:
                count += 1
                if count > MAX_FILES:
                    raise TourneyError(
                        f"{display_path(folder)}: there are more than {MAX_FILES:,} files "
                        "and folders in and below it",
                        "name the folder that holds them, or the files",
                    )
                if entry.name.startswith(".") and not include_hidden:
                    continue
                if entry.is_dir(follow_symlinks=False):
                    folders.append(parent / entry.name)
                elif entry.is_file():
                    files.append(parent / entry.name)
    return sorted(files)


# -- Replacing a file


class NewFile(NamedTuple):
    """The path and the content of a file to write.

    mode: the file's permissions, before the umask
    """

    path: Path
    content: bytes
    mode: int = 0o666


def replace_file(path: Path, content: bytes, *, mode: int = 0o666) -> None:
    """Write a file, replacing an old one; see `replace_files`."""
    replace_files([NewFile(path, content, mode)])


def replace_files(files: Sequence[NewFile]) -> None:
    """Write all new files to the disk, and then let them replace the old ones in order.

    Until then, the old files stay complete. Each folder is synced once, and several files are synced at a
    time, so that two thousand pages take only seconds.

    Raises TourneyError, and changes nothing, if a file cannot be written or if a path is a folder, a pipe or
    a device.
    """
    folders = dict.fromkeys(file.path.parent for file in files)
    parts: list[Path] = []
    path = Path()
    try:
        for path, _, _ in files:
            if path.exists() and (kind := special_kind(path)):
                raise TourneyError(f"{display_path(path)}: cannot be written: {kind}")
        for folder in folders:
            path = folder
            folder.mkdir(parents=True, exist_ok=True)
            sweep(folder)
        for path, content, mode in files:
            parts.append(_new_part(path.parent, mode))
            parts[-1].write_bytes(content)
        _sync_all(parts)
        for part, (path, _, _) in zip(parts, files, strict=True):
            part.replace(path)
        for folder in folders:
            sync_folder(folder)
    except OSError as fault:
        raise TourneyError(f"{display_path(path)}: cannot be written: {fault_words(fault)}") from None
    finally:
        for part in parts:
            with suppress(OSError):
                part.unlink(missing_ok=True)


def write_new(path: Path, content: bytes, hint: str, *, mode: int = 0o666) -> None:
    """Write a new file completely or not at all.

    hint: the hint of the error that is raised if the file already exists
    mode: the file's permissions, before the umask

    Raises TourneyError if the file exists or cannot be written.
    """
    try:
        with open(path, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            try:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            except OSError:
                path.unlink(missing_ok=True)
                raise
    except FileExistsError:
        raise TourneyError(f"{display_path(path)}: the file exists already", hint) from None
    except FileNotFoundError:
        folder = display_path(path.parent)
        raise TourneyError(
            f"{display_path(path)}: cannot be written: the folder {folder} does not exist"
        ) from None
    except OSError as fault:
        raise TourneyError(f"{display_path(path)}: cannot be written: {fault_words(fault)}") from None


@contextmanager
def in_place_of(path: Path, *, mode: int = 0o666) -> Iterator[Path]:
    """Provide the path of an empty temporary file, whose content the `with` block writes.

    The temporary file is in the same folder as `path`. After the block, it replaces `path`; if the block
    raised an error, it is removed.

    mode: the file's permissions, before the umask

    Raises OSError if the file cannot be written.
    """
    sweep(path.parent)
    part = _new_part(path.parent, mode)
    try:
        yield part
        _sync(part)
        part.replace(path)
        sync_folder(path.parent)
    finally:
        for leftover in (part, part.with_name(f"{part.name}-journal")):
            with suppress(OSError):
                leftover.unlink(missing_ok=True)


_PART = re.compile(r"\.tourney-(\d+)-[0-9a-f]{8}\.part(-journal)?")


def _part_path(folder: Path) -> Path:
    return folder / f".tourney-{os.getpid()}-{os.urandom(4).hex()}.part"


def _new_part(folder: Path, mode: int) -> Path:
    part = _part_path(folder)
    # O_EXCL, so that nothing is written through a link that another user may have created.
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode))
    return part


def _sync(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _sync_all(paths: Sequence[Path]) -> None:
    if len(paths) == 1:
        return _sync(paths[0])
    from concurrent.futures import ThreadPoolExecutor  # slow to import

    with ThreadPoolExecutor(16) as threads:  # the disk handles several waiting requests together
        list(threads.map(_sync, paths))
    return None


def sync_folder(folder: Path) -> None:
    """Sync a folder's list of files to the disk. Does nothing on Windows, which cannot do this."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# -- Replacing a folder, and reading a folder that may be replaced meanwhile


def replace_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Replace `folder` with a new folder that contains exactly `files` (name → content).

    No system can replace a folder with files in a single step. For a moment, the old folder has the name that
    `aside_of` returns, and `read_folder` finds it there. Raises TourneyError, and keeps the old folder, if
    the new one cannot be written.
    """
    fresh, aside = _part_path(folder.parent), aside_of(folder)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        sweep(folder.parent)
        if aside.exists() and not folder.exists():
            aside.replace(folder)  # an earlier replacement was interrupted
        fresh.mkdir()
        for name, content in files.items():
            (fresh / name).write_bytes(content)
            _sync(fresh / name)
        sync_folder(fresh)
        _swap(fresh, folder, aside)
    except OSError as fault:
        _clear(fresh)
        raise TourneyError(f"{display_path(folder)}: cannot be written: {fault_words(fault)}") from None
    _clear(aside)


def _swap(fresh: Path, folder: Path, aside: Path) -> None:
    if folder.exists():
        _clear(aside)
        folder.replace(aside)
    try:
        fresh.replace(folder)
    except OSError:
        if aside.exists():
            aside.replace(folder)
        raise
    sync_folder(folder.parent)


def aside_of(folder: Path) -> Path:
    """Return the path that the old `folder` has for a moment while it is being replaced."""
    return folder.with_name(f".{folder.name}.old")


def folders(parent: Path, *, having: str) -> list[Path]:
    """Return the folders in `parent` that have a file named `having`, sorted.

    A folder that is being replaced is included.
    """
    in_place = {file.parent for file in parent.glob(f"*/{having}") if not file.parent.name.startswith(".")}
    aside = [file.parent.name for file in parent.glob(f".*.old/{having}")]
    return sorted(in_place | {parent / name.removeprefix(".").removesuffix(".old") for name in aside})


def read_folder(folder: Path, is_wanted: Callable[[str], bool]) -> dict[str, bytes]:
    """Return name → content of those files in a folder for whose names `is_wanted` returns True.

    All files are from the same version of the folder.

    Raises TourneyError if there is no such folder, if a file cannot be read, or if the folder is replaced
    repeatedly for PATIENCE seconds.
    """
    start = time.monotonic()
    while True:
        place = folder if folder.is_dir() else aside_of(folder)
        version, files = _version(place), {}
        fault: Exception | None = None
        try:
            names = sorted(path.name for path in place.iterdir() if is_wanted(path.name))
            files = {name: read_bytes(place / name) for name in names}
        except (OSError, TourneyError) as raised:
            fault = raised
        # The old folder is emptied only after the new one has its name. Until then its files are complete.
        in_use = place == folder or not folder.exists()
        is_unchanged = version is not None and _version(place) == version and in_use
        if is_unchanged and fault is None:
            return files
        patience = GAP if version is None else PATIENCE
        if is_unchanged or time.monotonic() > start + patience:
            if isinstance(fault, OSError):
                raise TourneyError(f"{display_path(folder)}: {fault_words(fault)}")
            message = f"{display_path(folder)}: it is being replaced repeatedly"
            raise fault or TourneyError(message, "try again in a moment")
        time.sleep(0.002)


PATIENCE = 2.0
"""How many seconds a reader keeps trying while a folder is being replaced."""

GAP = 0.05
"""How many seconds a reader keeps looking for a folder that is missing."""


def _version(folder: Path) -> tuple[int, int, int] | None:
    """Return numbers that change if a folder is replaced or emptied; None if it does not exist."""
    try:
        status = folder.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_mtime_ns


# -- Temporary folders, and files that killed processes left


@contextmanager
def scratch() -> Iterator[Path]:
    """Provide an empty folder that only this user can read; remove it after the `with` block.

    Copies of events contain names, so folders that killed commands left behind are removed first.
    """
    from tempfile import gettempdir

    place = Path(gettempdir())
    sweep(place)
    folder = _part_path(place)
    folder.mkdir(mode=0o700)
    try:
        yield folder
    finally:
        _clear(folder)


def sweep(folder: Path) -> None:
    """Remove temporary files that ended processes left in `folder`. Errors are ignored."""
    with suppress(OSError):
        for file in folder.iterdir():
            match = _PART.fullmatch(file.name)
            if match and not _is_running(int(match[1]), file):
                _clear(file) if file.is_dir() else file.unlink(missing_ok=True)


_AN_HOUR = 3600


def _is_running(process: int, file: Path) -> bool:
    """Return whether the process of the temporary file `file` may still write to it.

    Only POSIX systems can determine this. On other systems, a file is taken to be in use for an hour.
    """
    if os.name != "posix":
        return time.time() - file.stat().st_mtime < _AN_HOUR
    try:
        os.kill(process, 0)  # only checks whether the process exists
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _clear(folder: Path) -> None:
    import shutil  # imports compressors that few commands need

    shutil.rmtree(folder, ignore_errors=True)


# -- The user's folders


_FOLDERS = {
    ("data", "win32"): ("LOCALAPPDATA", "AppData/Local", "tourney"),
    ("data", "darwin"): ("", "Library/Application Support", "tourney"),
    ("data", "linux"): ("XDG_DATA_HOME", ".local/share", "tourney"),
    ("cache", "win32"): ("LOCALAPPDATA", "AppData/Local", "tourney/cache"),
    ("cache", "darwin"): ("", "Library/Caches", "tourney"),
    ("cache", "linux"): ("XDG_CACHE_HOME", ".cache", "tourney"),
}
"""(kind of files, system) → environment variable, folder below the home, and our folder.

The variable names the folder that contains our folder. If it does not name one, the folder below the user's
home is used.
"""


def user_folder(
    environ: Mapping[str, str] = os.environ,
    platform: str = sys.platform,
    *,
    kind: Literal["data", "cache"] = "data",
) -> Path | None:
    """Return the user's folder for data or for a cache, by the system's convention.

    `fetch` and `import` write to the folder for data. Returns None if no variable names a home folder and the
    system does not know the user, as in some containers.
    """
    system = platform if platform in {"win32", "darwin"} else "linux"
    variable, below_home, ours = _FOLDERS[kind, system]
    base = Path(environ.get(variable, ""))
    if not base.is_absolute():  # XDG Base Directory Specification: ignore a relative path
        home = home_folder(environ)
        if home is None:
            return None
        base = home / below_home
    return base / ours


def required_folder(folder: Path | None, hint: str = "set $HOME") -> Path:
    """Return the user's data folder. Raises TourneyError if it is unknown."""
    if folder is None:
        raise TourneyError("cannot find your data folder: neither $HOME nor the system names your home", hint)
    return folder


def home_folder(environ: Mapping[str, str] = os.environ) -> Path | None:
    """Return the user's home folder, or None if neither a variable nor the system names one."""
    if home := environ.get("HOME") or environ.get("USERPROFILE"):
        return Path(home)
    if sys.platform == "win32":
        try:
            return Path("~").expanduser()
        except RuntimeError:
            return None
    import pwd

    try:
        # not `expanduser`: it reads an empty $HOME as the root folder
        home = pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        return None
    return Path(home) if home else None


# -- The cache. It contains compiled code that is run, so a file is used only if no other user could have
# written it.


def recall(kind: str, name: str) -> bytes | None:
    """Return the content of a file in the user's cache.

    Returns None if the file does not exist, is damaged, or could have been written by other users.
    """
    folder = _cache_of(kind)
    if folder is None or not _is_only_ours(folder, stat.S_ISDIR):
        return None
    try:
        # Links are not followed, and opening a pipe does not wait.
        handle = os.open(folder / name, os.O_RDONLY | _NO_LINK | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(handle, "rb") as file:
            if not _is_only_ours(file.fileno(), stat.S_ISREG):
                return None
            digest, _, data = file.read().partition(b"\n")
    except OSError:
        return None
    return data if sha256(data).hexdigest().encode() == digest else None


def keep(kind: str, name: str, data: bytes) -> None:
    """Write a file to the user's cache, if possible.

    Nothing is written if the folder of the cache is unknown, or if other users could change it. Errors are
    ignored.
    """
    folder = _cache_of(kind)
    if folder is None:
        return
    with suppress(OSError, TourneyError):
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        if _is_only_ours(folder, stat.S_ISDIR):
            content = b"%s\n%s" % (sha256(data).hexdigest().encode(), data)
            replace_file(folder / name, content, mode=0o600)


_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


def _cache_of(kind: str) -> Path | None:
    cache = user_folder(kind="cache")
    return cache / kind if cache else None


def _is_only_ours(place: Path | int, kind: Callable[[int], bool]) -> bool:
    """Return whether a file has this kind, and is owned and writable only by the user.

    kind:  checks the file's mode, such as `stat.S_ISREG`
    place: a path, or the handle of an open file
    """
    try:
        status = os.fstat(place) if isinstance(place, int) else place.lstat()
    except OSError:
        return False
    if not kind(status.st_mode):
        return False
    if not hasattr(os, "geteuid"):  # Windows: only the user can enter the folder
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
