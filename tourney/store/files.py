"""The places where data may lie, and reading a file there.

Looked up, first hit: `--data DIR`, `$TOURNEY_DATA`, the user's data folder, the checkout or the wheel.

Putting a file or a folder in place: a reader meets the old one or the new one, never a half and never nothing.

What a killed process leaves lying, `.tourney-<process>-<word>.part`, is cleared away by whoever writes there next.
"""

from __future__ import annotations

import os
import re
import stat
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import msgspec

from tourney.decode import LONGEST_PATH, MOST_FILES, check_size
from tourney.errors import TourneyError


class Root(msgspec.Struct, frozen=True):
    """One place where data lies: the folders of each kind in it, none of which needs to exist."""

    path: Path
    formats: Path
    profiles: Path
    cardpools: Path
    banlists: Path

    @classmethod
    def folder(cls, path: Path) -> Root:
        """Return a data folder: `formats/`, `profiles/`, `cardpools/` and `banlists/` in it."""
        return cls(path, *(path / kind for kind in ("formats", "profiles", "cardpools", "banlists")))


def shipped() -> Root:
    """Return the data that came with the program: in the checkout beside the package, in a wheel inside it."""
    package = Path(__file__).resolve().parent.parent
    data = package / "_data"
    if not data.is_dir():
        data = package.parent
    return Root(
        package, package / "games", package / "standings" / "profiles", data / "cardpools", data / "banlists"
    )


def user_folder(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path | None:
    """Return the user's data folder as the system wants it; `fetch` and `import` write there.

    None where nobody can say: no variable names a home, and the system does not know the user (as in a container).
    """
    if platform == "win32" and environ.get("LOCALAPPDATA"):
        return Path(environ["LOCALAPPDATA"]) / "tourney"
    if platform not in {"win32", "darwin"} and environ.get("XDG_DATA_HOME"):
        return Path(environ["XDG_DATA_HOME"]) / "tourney"
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
    if said := environ.get("HOME") or environ.get("USERPROFILE"):
        return Path(said)
    if sys.platform == "win32":
        try:
            return Path("~").expanduser()
        except RuntimeError:
            return None
    import pwd

    try:
        # not `expanduser`: it takes an empty $HOME for the root folder
        said = pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        return None
    return Path(said) if said else None


def resolved(path: Path) -> Path:
    """Return where a path leads, links followed; where they lead in a circle, the path as it stands."""
    try:
        return path.resolve()
    except (OSError, RuntimeError):  # Python 3.11 says RuntimeError of a circle, later ones nothing
        return path.absolute()


def roots(
    data: Path | None = None, environ: Mapping[str, str] = os.environ, *, platform: str = sys.platform
) -> tuple[Root, ...]:
    """Return the places in the order in which they are asked. `data` is the `--data` folder.

    Raises TourneyError where `--data` or `$TOURNEY_DATA` names no folder.
    """
    named = environ.get("TOURNEY_DATA")
    asked = [(data, "--data"), (Path(named) if named else None, "$TOURNEY_DATA")]
    given = [Root.folder(_existing(path, said)) for path, said in asked if path]
    own = user_folder(environ, platform)
    return (*given, *([Root.folder(own)] if own else []), shipped())


def _existing(path: Path, said: str) -> Path:
    if path.is_dir():
        return path
    what = "is a file, not a folder" if path.exists() else "there is no such folder"
    raise TourneyError(f"{said}: `{path}`: {what}")


_SPECIAL = (
    (stat.S_ISDIR, "is a folder, not a file"),
    (stat.S_ISFIFO, "is a pipe, not a file"),
    (stat.S_ISSOCK, "is a socket, not a file"),
    (stat.S_ISCHR, "is a device, not a file"),
    (stat.S_ISBLK, "is a device, not a file"),
)


def what_else(path: Path) -> str | None:
    """Say what stands at `path` where it is no ordinary file, None where it is one; a link counts as what it leads to.

    Asked before anything is opened: a pipe would make the reader wait, a device may do something. Raises OSError where
    nothing is there.
    """
    mode = path.stat().st_mode
    return next((said for special, said in _SPECIAL if special(mode)), None)


def read_bytes(path: Path) -> bytes:
    """Read a file. Raises TourneyError in our words where it cannot be read, or is a pipe or a device."""
    try:
        if (said := what_else(path)) is None:
            check_size(path.stat().st_size, source=shown(path))
            return path.read_bytes()
    except OSError as fault:
        raise TourneyError(f"{shown(path)}: {fault_words(fault)}") from None
    hint = None if path.is_dir() else "`-` reads standard input, so that one may be piped in"
    raise TourneyError(f"{shown(path)}: {said}", hint)


def fault_words(fault: OSError) -> str:
    """Say an operating system's fault in our words.

    >>> fault_words(FileNotFoundError(2, "No such file or directory"))
    'there is no such file'
    """
    said = {
        FileNotFoundError: "there is no such file",
        IsADirectoryError: "is a folder, not a file",
        PermissionError: "may not be read or written by you",
    }
    return said.get(type(fault)) or (fault.strerror or str(fault)).lower()


def decoded(content: bytes, *, source: str) -> str:
    """Read bytes as UTF-8 (a byte-order mark is dropped). Raises TourneyError naming `source` and the line."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = content[: fault.start].count(b"\n") + 1
        raise TourneyError(f"{source}:{line}: not UTF-8 text", "save the file as UTF-8") from None


def shown(path: Path) -> str:
    """Return a path as messages show it: relative to where the user stands if that is shorter."""
    try:
        relative = resolved(path).relative_to(Path.cwd())
    except (ValueError, OSError):
        return str(path)
    return str(relative)


def files_below(folder: Path, *, hidden: bool = False) -> list[Path]:
    """Return the files in and below `folder`, in order of their paths; links to folders are not followed.

    hidden: whether those count whose names, or folders' names, begin with a dot. What may not be read is left out.
    Raises TourneyError where there are more than anybody can have meant.
    """
    found: list[Path] = []
    folders, seen = [folder], 0
    while folders:
        inside = folders.pop()
        with suppress(OSError), os.scandir(inside) as entries:
            for entry in entries:
                seen += 1
                if seen > MOST_FILES:
                    raise TourneyError(
                        f"{shown(folder)}: there are more than {MOST_FILES:,} files and folders in and below it",
                        "name the folder that holds them, or the files",
                    )
                if entry.name.startswith(".") and not hidden:
                    continue
                if entry.is_dir(follow_symlinks=False):
                    folders.append(inside / entry.name)
                elif entry.is_file():
                    found.append(inside / entry.name)
    return sorted(found)


def toml_files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Walk the TOML files under `folder`: the name made of the path (`red-diamond/standard`), and the file.

    Folders of the program's own games are Python packages and so have `_` where a game's name has `-`.
    """
    for path in files_below(folder, hidden=True):
        if path.suffix == ".toml":
            yield path.relative_to(folder).with_suffix("").as_posix().replace("_", "-"), path


# -- Putting a file or a folder in place: a reader meets the old one or the new one, never a half and never nothing


_ROUGH = re.compile(r"\.tourney-(\d+)-[0-9a-f]{8}\.part(-journal)?")
_AN_HOUR = 3600


def _rough(folder: Path) -> Path:
    return folder / f".tourney-{os.getpid()}-{os.urandom(4).hex()}.part"


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


def replace_file(path: Path, content: bytes, *, mode: int = 0o666) -> None:
    """Write `content` to `path`; what stood there stays whole until the new file is on the disk.

    Raises TourneyError where it cannot be written, or a folder, a pipe or a device stands there; nothing is changed then.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and (said := what_else(path)):
            raise TourneyError(f"{shown(path)}: cannot be written: {said}")
        with in_place_of(path, mode=mode) as rough:
            rough.write_bytes(content)
    except OSError as fault:
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
    found = {place.parent for place in parent.glob(f"*/{having}") if not place.parent.name.startswith(".")}
    aside = {place.parent for place in parent.glob(f".*.old/{having}")}
    return sorted(
        found | {each.with_name(each.name.removeprefix(".").removesuffix(".old")) for each in aside}
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
        fault = TourneyError(f"{shown(folder)}: is being replaced again and again", "try again in a moment")
        with _held(place) as held:
            try:
                names = sorted(each.name for each in place.iterdir() if wanted(each.name))
                files = {name: read_bytes(place / name) for name in names}
                failed = False
            except OSError as raised:
                failed, fault = True, TourneyError(f"{shown(folder)}: {fault_words(raised)}")
            except TourneyError as raised:
                failed, fault = True, raised
            # The old folder is emptied once the new one is in its place, so one that stepped aside was whole till then.
            stayed = (
                held is not None and _identity(place) == held and (place == folder or not folder.exists())
            )
        if stayed and not failed:
            return files
        missing += held is None
        if stayed or missing > MOST_MISSED or time.monotonic() > end:
            raise fault
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


# -- Writing a folder of files so that a reader never meets a half-written one and nobody else's file is touched


MANIFEST = ".tourney-published"
"""Names the files that were written here, each with its SHA-256 as `sha256sum` has it, so that the next writing may
replace and remove those and no others. Earlier versions wrote the paths alone."""

LONGEST_MANIFEST = 10_000_000
"""Bytes; a line has about a hundred."""

_ELSEWHERE = "name an empty or a new folder"

Ours = Mapping[str, frozenset[str]]
"""Path → the digests of what was written there; none where an earlier version wrote it and kept no digest."""


class Written(NamedTuple):
    """What a writing did.

    written, removed: how many files
    left: paths of an earlier writing that are no longer published and stay: changed since, or written by a version that
          kept no digest, so that nobody can know
    """

    written: int
    removed: int
    left: tuple[str, ...] = ()


def write_folder(folder: Path, files: Mapping[str, bytes]) -> Written:
    """Make `folder` hold `files` (relative path with `/` → content).

    Files of an earlier writing that are no longer among `files` are removed, if they are still what was written then,
    and named if they are not; everything else in the folder stays. Each file is replaced in one step, `index.html` last, and nothing is written,
    read or removed through a link inside the folder. Raises TourneyError if the folder cannot be written, or if it has
    a file of the same name that was not written here or was changed since; nothing is changed then.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        ours = _manifest(folder)
        for path in files:
            _refuse_stranger(folder, path, ours)
        new = {path: frozenset({sha256(content).hexdigest()}) for path, content in files.items()}
        changed = [
            path for path in files if not _is_single(folder / path) or _digest(folder / path) not in new[path]
        ]
        old = [path for path in sorted(ours) if path not in files and _is_plain(folder, path)]
        gone = [path for path in old if _digest(folder / path) in ours[path]]
        left = [path for path in old if path not in gone]
        # Both the old and the new ones: whoever is interrupted knows them all again.
        both = {path: ours.get(path, frozenset()) | new.get(path, frozenset()) for path in {*ours, *new}}
        _write(folder / MANIFEST, _listing(both))
        for path in sorted(changed, key=lambda path: path == "index.html"):
            _write(folder / path, files[path])
        for path in gone:
            (folder / path).unlink()
        _write(folder / MANIFEST, _listing({**{path: ours[path] for path in left}, **new}))
    except OSError as fault:
        raise TourneyError(f"{folder}: cannot be written: {fault.strerror or fault}") from None
    return Written(len(changed), len(gone), tuple(left))


def _manifest(folder: Path) -> Ours:
    """Return what was written here before; a line that leads out of the folder is not ours."""
    found = _lying(folder / MANIFEST)
    if found is None:
        return {}
    if not stat.S_ISREG(found.st_mode) or found.st_size > LONGEST_MANIFEST:
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
    if not 0 < len(path) <= LONGEST_PATH:
        return False
    pure = PurePosixPath(path)
    plain = path.isprintable() and not {"\\", ":"} & set(path)
    return plain and not pure.is_absolute() and ".." not in pure.parts


def _lying(path: Path) -> os.stat_result | None:
    """Return what stands at a path, a link as itself; None where nothing does."""
    try:
        return path.lstat()
    except FileNotFoundError:
        return None


def _refuse_stranger(folder: Path, path: str, ours: Ours) -> None:
    for parent in reversed(PurePosixPath(path).parents[:-1]):
        found = _lying(folder / parent)
        if found is not None and not stat.S_ISDIR(found.st_mode):
            raise TourneyError(f"{folder}: `{parent}` is not a folder but a {_kind(found)}", _ELSEWHERE)
    found = _lying(folder / path)
    if found is None:
        return
    if not stat.S_ISREG(found.st_mode):
        raise TourneyError(
            f"{folder}: `{path}` is a {_kind(found)} that was not published from here", _ELSEWHERE
        )
    if path not in ours:
        raise TourneyError(f"{folder}: `{path}` is there already and was not published from here", _ELSEWHERE)
    if ours[path] and _digest(folder / path) not in ours[path]:
        raise TourneyError(
            f"{folder}: `{path}` was changed since it was published", f"move it away, or {_ELSEWHERE}"
        )


def _kind(found: os.stat_result) -> str:
    kinds = {stat.S_ISLNK: "link", stat.S_ISDIR: "folder", stat.S_ISREG: "file", stat.S_ISFIFO: "pipe"}
    return next((word for asks, word in kinds.items() if asks(found.st_mode)), "special file")


def _is_single(path: Path) -> bool:
    """Whether a file stands here under this name alone; one of several names can be changed from elsewhere."""
    found = _lying(path)
    return found is not None and found.st_nlink == 1


def _is_plain(folder: Path, path: str) -> bool:
    """Whether a file stands there, no link on the way to it."""
    parents = (_lying(folder / parent) for parent in PurePosixPath(path).parents[:-1])
    if not all(found is not None and stat.S_ISDIR(found.st_mode) for found in parents):
        return False
    found = _lying(folder / path)
    return found is not None and stat.S_ISREG(found.st_mode)


def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with in_place_of(path) as rough:
        rough.write_bytes(content)
