"""The places where data may lie, and reading a file there.

Looked up, first hit: `--data DIR`, `$TOURNEY_DATA`, the user's data folder, the checkout or the wheel.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from tourney.door import MOST_FILES, check_size
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
    try:
        return Path("~").expanduser()
    except RuntimeError:
        return None


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
