"""Reading a file, and putting a file or a folder in place: a reader meets the old one or the new one, never a half.

What a killed process leaves lying, `.tourney-<process>-<word>.part`, is cleared away by whoever writes there next.
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

from tourney.decode import MAX_FILES, check_size
from tourney.errors import TourneyError


def read_bytes(path: Path) -> bytes:
    """Read a file. Raises TourneyError in our words where it cannot be read, or is a pipe or a device."""
    try:
        if (kind := what_else(path)) is None:
            check_size(path.stat().st_size, source=shown(path))
            return path.read_bytes()
    except OSError as fault:
        raise TourneyError(f"{shown(path)}: {fault_words(fault)}") from None
    hint = None if path.is_dir() else "`-` reads standard input, so that one may be piped in"
    raise TourneyError(f"{shown(path)}: {kind}", hint)


def what_else(path: Path) -> str | None:
    """Say what stands at `path` where it is no ordinary file, None where it is one; a link counts as what it leads to.

    Asked before anything is opened: a pipe would make the reader wait, a device may do something. Raises OSError where
    nothing is there.
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


def fault_words(fault: OSError) -> str:
    """Say an operating system's fault in our words.

    >>> fault_words(FileNotFoundError(2, "No such file or directory"))
    'there is no such file'
    """
    words = {
        FileNotFoundError: "there is no such file",
        IsADirectoryError: "is a folder, not a file",
        PermissionError: "may not be read or written by you",
    }
    return words.get(type(fault)) or (fault.strerror or str(fault)).lower()


def decoded(content: bytes, *, source: str) -> str:
    """Read bytes as UTF-8 (a byte-order mark is dropped). Raises TourneyError naming `source` and the line."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = content[: fault.start].count(b"\n") + 1
        raise TourneyError(f"{source}:{line}: not UTF-8 text", "save the file as UTF-8") from None


def file_id(path: Path) -> tuple[int, int] | None:
    """Return which file stands at `path`; None where there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def shown(path: Path) -> str:
    """Return a path as messages show it: relative to where the user stands if that is shorter."""
    try:
        relative = resolved(path).relative_to(Path.cwd())
    except (ValueError, OSError):
        return str(path)
    return str(relative)


def resolved(path: Path) -> Path:
    """Return where a path leads, links followed; where they lead in a circle, the path as it stands."""
    try:
        return path.resolve()
    except (OSError, RuntimeError):  # Python 3.11 says RuntimeError of a circle, later ones nothing
        return path.absolute()


def files_below(folder: Path, *, hidden: bool = False) -> list[Path]:
    """Return the files in and below `folder`, in order of their paths; links to folders are not followed.

    hidden: whether those count whose names, or folders' names, begin with a dot. What may not be read is left out.
    Raises TourneyError where there are more than anybody can have meant.
    """
    files: list[Path] = []
    folders, seen = [folder], 0
    while folders:
        inside = folders.pop()
        with suppress(OSError), os.scandir(inside) as entries:
            for entry in entries:
                seen += 1
                if seen > MAX_FILES:
                    raise TourneyError(
                        f"{shown(folder)}: there are more than {MAX_FILES:,} files and folders in and below it",
                        "name the folder that holds them, or the files",
                    )
                if entry.name.startswith(".") and not hidden:
                    continue
                if entry.is_dir(follow_symlinks=False):
                    folders.append(inside / entry.name)
                elif entry.is_file():
                    files.append(inside / entry.name)
    return sorted(files)


# -- Putting a file in place: a reader meets the old one or the new one, never a half


def replace_file(path: Path, content: bytes) -> None:
    """Write `content` to `path`; what stood there stays whole until the new file is on the disk.

    Raises TourneyError where it cannot be written, or a folder, a pipe or a device stands there; nothing is changed then.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and (kind := what_else(path)):
            raise TourneyError(f"{shown(path)}: cannot be written: {kind}")
        with in_place_of(path) as rough:
            rough.write_bytes(content)
    except OSError as fault:
        raise TourneyError(f"{shown(path)}: cannot be written: {fault_words(fault)}") from None


def write_new(path: Path, content: bytes, hint: str, *, mode: int = 0o666) -> None:
    """Write a file that must not be there yet, whole or not at all. Raises TourneyError; with `hint` if it is there.

    mode: who may use it, less what the umask forbids
    """
    try:
        file = open(path, "xb", opener=lambda name, flags: os.open(name, flags, mode))  # noqa: SIM115  closed below
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


@contextmanager
def in_place_of(path: Path, *, mode: int = 0o666) -> Iterator[Path]:
    """Give an empty file beside `path`; written, it is synced and takes the place of `path`, and if not it is gone.

    mode: who may use it, less what the umask forbids. Raises OSError.
    """
    sweep(path.parent)
    rough = _rough(path.parent)
    # Made anew or not at all: nothing is written through a link that somebody put there.
    os.close(os.open(rough, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode))
    try:
        yield rough
        _sync(rough)
        rough.replace(path)
        sync_folder(path.parent)
    finally:
        for left in (rough, rough.with_name(f"{rough.name}-journal")):
            with suppress(OSError):
                left.unlink(missing_ok=True)


def put_in_place(contents: Sequence[tuple[Path, bytes]]) -> None:
    """Write many files, each in one step and in this order, once all of them are on the disk; else none. Raises OSError.

    The disk is asked once a folder, not once a file, and for several files at a time: two thousand pages are put in place in
    seconds.
    """
    folders = dict.fromkeys(path.parent for path, _ in contents)
    roughs: list[Path] = []
    try:
        for folder in folders:
            folder.mkdir(parents=True, exist_ok=True)
            sweep(folder)
        for path, content in contents:
            rough = _rough(path.parent)
            handle = os.open(rough, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
            roughs.append(rough)
            with os.fdopen(handle, "wb") as file:
                file.write(content)
        _sync_together(roughs)
        for rough, (path, _) in zip(roughs, contents, strict=True):
            rough.replace(path)
        for folder in folders:
            sync_folder(folder)
    finally:
        for rough in roughs:
            with suppress(OSError):
                rough.unlink(missing_ok=True)


_ROUGH = re.compile(r"\.tourney-(\d+)-[0-9a-f]{8}\.part(-journal)?")


def _rough(folder: Path) -> Path:
    return folder / f".tourney-{os.getpid()}-{os.urandom(4).hex()}.part"


def _sync_together(paths: Sequence[Path]) -> None:
    """Put files on the disk, which takes what waits for it in one go. Raises the OSError of the first that cannot be."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(AT_A_TIME) as threads:
        for _ in threads.map(_sync, paths):
            pass


AT_A_TIME = 16
"""Files that are put on the disk together."""


def _sync(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Put the names in a folder on the disk, where folders can be synced (not on Windows)."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# -- Putting a folder in place, and reading one that somebody may be replacing


def replace_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Make `folder` hold exactly `files` (name → content). The old folder is kept until the new one is complete.

    No system replaces a folder that has files in one step: the old one steps aside for a moment, where `read_folder`
    finds it, and comes back on a fault. Raises TourneyError where it cannot be written; the old folder is as it was.
    """
    fresh, aside = _rough(folder.parent), aside_of(folder)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        sweep(folder.parent)
        if aside.exists() and not folder.exists():
            aside.replace(folder)  # an earlier change was cut short
        fresh.mkdir()
        for name, content in files.items():
            (fresh / name).write_bytes(content)
            _sync(fresh / name)
        sync_folder(fresh)
        _swap(fresh, folder, aside)
    except OSError as fault:
        _clear(fresh)
        raise TourneyError(f"{shown(folder)}: cannot be written: {fault_words(fault)}") from None
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
    """Return where `folder` is while it is being replaced."""
    return folder.with_name(f".{folder.name}.old")


def folders(parent: Path, *, having: str) -> list[Path]:
    """Return the folders in `parent` that hold a file `having`, in order; one that is being replaced is one of them."""
    in_place = {place.parent for place in parent.glob(f"*/{having}") if not place.parent.name.startswith(".")}
    aside = {place.parent for place in parent.glob(f".*.old/{having}")}
    return sorted(
        in_place | {each.with_name(each.name.removeprefix(".").removesuffix(".old")) for each in aside}
    )


def read_folder(folder: Path, wanted: Callable[[str], bool]) -> dict[str, bytes]:
    """Return the `wanted` files of a folder by name, all from before or all from after a `replace_folder` meanwhile.

    Raises TourneyError where there is no such folder, where a file cannot be read, or where the folder is replaced again
    and again for PATIENCE.
    """
    missing, end = 0, time.monotonic() + PATIENCE
    while True:
        place = folder if folder.is_dir() else aside_of(folder)
        files: dict[str, bytes] = {}
        fault: TourneyError | None = None
        with _held(place) as held:
            try:
                names = sorted(each.name for each in place.iterdir() if wanted(each.name))
                files = {name: read_bytes(place / name) for name in names}
            except OSError as raised:
                fault = TourneyError(f"{shown(folder)}: {fault_words(raised)}")
            except TourneyError as raised:
                fault = raised
            # The old folder is emptied once the new one is in its place, so one that stepped aside was whole till then.
            stayed = (
                held is not None and _identity(place) == held and (place == folder or not folder.exists())
            )
        if stayed and fault is None:
            return files
        missing += held is None
        if stayed or missing > MOST_MISSED or time.monotonic() > end:
            again = f"{shown(folder)}: is being replaced again and again"
            raise fault or TourneyError(again, "try again in a moment")
        time.sleep(0.002)


PATIENCE = 2.0
"""Seconds that a folder may be replaced under a reader's hands."""


MOST_MISSED = 3
"""How often neither the folder nor the one that stepped aside is met, before there is none."""


@contextmanager
def _held(place: Path) -> Iterator[object]:
    """Give what tells this folder from every other, None where there is none; held open, so that no later one is the same."""
    try:
        number = os.open(place, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
    except PermissionError:  # Windows opens no folders
        yield _identity(place)
    except OSError:
        yield None
    else:
        try:
            opened = os.fstat(number)
            yield opened.st_dev, opened.st_ino
        finally:
            os.close(number)


def _identity(place: Path) -> object:
    with suppress(OSError):
        there = place.stat()
        return there.st_dev, there.st_ino
    return None


# -- What is only for a while, and what killed processes left


@contextmanager
def scratch() -> Iterator[Path]:
    """Give an empty folder that nobody else may look into and that is gone at the end; what others left there goes first.

    What is copied there holds names: it must not stay because a command was killed.
    """
    from tempfile import gettempdir

    place = Path(gettempdir())
    sweep(place)
    folder = _rough(place)
    folder.mkdir(mode=0o700)
    try:
        yield folder
    finally:
        _clear(folder)


def sweep(folder: Path) -> None:
    """Remove what processes that are no more left lying in `folder` while they wrote; what cannot be removed stays."""
    with suppress(OSError):
        for left in folder.iterdir():
            named = _ROUGH.fullmatch(left.name)
            if named and not _at_work(int(named[1]), left):
                _clear(left) if left.is_dir() else left.unlink(missing_ok=True)


_AN_HOUR = 3600


def _at_work(process: int, left: Path) -> bool:
    """Say whether a process may still be writing; where nobody can be asked, it may for an hour."""
    if os.name != "posix":
        return time.time() - left.stat().st_mtime < _AN_HOUR
    try:
        os.kill(process, 0)  # sends nothing
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _clear(folder: Path) -> None:
    import shutil  # with compressors that few commands need

    shutil.rmtree(folder, ignore_errors=True)


# -- where the user's own files are


def user_folder(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path | None:
    """Return the user's data folder as the system wants it; `fetch` and `import` write there.

    None where nobody can say: no variable names a home, and the system does not know the user (as in a container).
    """
    if platform == "win32" and environ.get("LOCALAPPDATA"):
        return Path(environ["LOCALAPPDATA"]) / "tourney"
    if platform not in {"win32", "darwin"}:
        data = Path(environ.get("XDG_DATA_HOME", ""))
        if data.is_absolute():  # a relative one is to be ignored: XDG Base Directory Specification
            return data / "tourney"
    home = home_folder(environ)
    if home is None:
        return None
    if platform == "win32":
        return home / "AppData" / "Local" / "tourney"
    if platform == "darwin":
        return home / "Library" / "Application Support" / "tourney"
    return home / ".local" / "share" / "tourney"


def home_folder(environ: Mapping[str, str] = os.environ) -> Path | None:
    """Return the user's home, None where neither a variable nor the system says one."""
    if home := environ.get("HOME") or environ.get("USERPROFILE"):
        return Path(home)
    if sys.platform == "win32":
        try:
            return Path("~").expanduser()
        except RuntimeError:
            return None
    import pwd

    try:
        # not `expanduser`: it takes an empty $HOME for the root folder
        home = pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        return None
    return Path(home) if home else None


def cache_folder(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path | None:
    """Return where the system wants what can be made anew at any time; None where nobody can say."""
    if platform == "win32":
        user = user_folder(environ, platform)
        return user / "cache" if user else None
    cache = Path(environ.get("XDG_CACHE_HOME", ""))
    if platform != "darwin" and cache.is_absolute():
        return cache / "tourney"
    home = home_folder(environ)
    if home is None:
        return None
    return home / ("Library/Caches" if platform == "darwin" else ".cache") / "tourney"


# -- what is kept of our own making, which is taken as it is found (compiled code is run): only where nobody else may write


def recall(kind: str, name: str) -> bytes | None:
    """Return what was kept of that kind under a name; None without it, damaged, or where others could have put it."""
    folder = _kept_folder(kind)
    if folder is None or not _only_ours(folder, stat.S_ISDIR):
        return None
    try:
        # No link is followed, and a pipe that somebody put there keeps nobody waiting.
        handle = os.open(folder / name, os.O_RDONLY | _NO_LINK | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(handle, "rb") as file:
            if not _only_ours(file.fileno(), stat.S_ISREG):
                return None
            digest, _, data = file.read().partition(b"\n")
    except OSError:
        return None
    return data if sha256(data).hexdigest().encode() == digest else None


def keep(kind: str, name: str, data: bytes) -> None:
    """Keep something in the user's cache; nothing is kept where others could change it, or nothing can be written."""
    folder = _kept_folder(kind)
    if folder is None:
        return
    with suppress(OSError):
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        if _only_ours(folder, stat.S_ISDIR):
            with in_place_of(folder / name, mode=0o600) as rough:
                rough.write_bytes(b"%s\n%s" % (sha256(data).hexdigest().encode(), data))


_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


def _kept_folder(kind: str) -> Path | None:
    cache = cache_folder()
    return cache / kind if cache else None


def _only_ours(place: Path | int, kind: Callable[[int], bool]) -> bool:
    """Whether what stands there is of that kind, no link, belongs to us, and nobody else may write to it."""
    try:
        status = os.fstat(place) if isinstance(place, int) else place.lstat()
    except OSError:
        return False
    if not kind(status.st_mode):
        return False
    if not hasattr(os, "geteuid"):  # Windows: the folder of the user's own data lets nobody else in
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
