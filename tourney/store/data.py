"""Find and parse formats, profiles, card pools, ban lists and lists of penalties by name.

The folders searched for them are, in this order, `--data DIR`, `$TOURNEY_DATA`, the user's data folder, and
the data shipped with the program. Such a place is called a root.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from functools import cache, cached_property
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Generic, NoReturn, TypeVar

from msgspec import Struct

from tourney.cards.names import fold, nearest
from tourney.errors import TourneyError
from tourney.store.files import (
    decode_source,
    display_path,
    files_below,
    folders,
    read_bytes,
    read_folder,
    required_folder,
    user_folder,
)
from tourney.wording import listed

if TYPE_CHECKING:
    from tourney.cards.pool import Pool
    from tourney.event.penalties import PenaltyList
    from tourney.rules.banlist import BanList
    from tourney.rules.format import Format
    from tourney.standings import Profile

T = TypeVar("T")


class DataFile(Struct, frozen=True):
    """A data file with its name, such as `redline/standard`.

    day: the first day on which a ban list is in force; None for other data
    """

    name: str
    path: Path
    content: bytes
    day: date | None = None

    @classmethod
    def at(cls, path: Path, name: str, day: date | None = None) -> DataFile:
        """Read a file. Raises TourneyError if the file cannot be read."""
        return cls(name, path, read_bytes(path), day)

    @property
    def source(self) -> str:
        """The path, as messages show it."""
        return display_path(self.path)

    @property
    def text(self) -> str:
        """The content as text. Raises TourneyError if it is not UTF-8."""
        return decode_source(self.content, source=self.source)

    @property
    def digest(self) -> str:
        """SHA-256 of the bytes, in hexadecimal."""
        return sha256(self.content).hexdigest()


class PoolFiles(Struct, frozen=True):
    """The files of a card pool.

    path, head: the path and the text of its `pool.toml`
    sets:       the content of each set file, by the set's code
    """

    name: str
    path: Path
    head: str
    sets: Mapping[str, bytes]


class _Shelf(Generic[T]):
    """The files of one kind, such as formats, each from the first data folder that has it."""

    def __init__(
        self,
        kind: str,
        places: Iterable[Path],
        files_in: Callable[[Path], Iterable[tuple[str, Path]]] | None = None,
    ) -> None:
        self.kind, self._places, self._files_in = kind, places, files_in or toml_files
        self._parsed: dict[Path, T] = {}

    @cached_property
    def paths(self) -> Mapping[str, Path]:
        """The path of each file by its name, sorted by name."""
        paths: dict[str, Path] = {}
        for name, path in chain.from_iterable(map(self._files_in, self._places)):
            paths.setdefault(name, path)
        return dict(sorted(paths.items()))

    def path(self, name: str) -> Path:
        """Return a file's path. If the name is unknown, raises a TourneyError that lists all names."""
        return self.paths.get(name) or _refuse_unknown(self.kind, name, self.paths)

    def file(self, name: str | Path) -> DataFile:
        """Return the file that the data folders have under `name`; else the file at the path `name`.

        Raises TourneyError if neither exists, or if the file cannot be read.
        """
        path = self.paths.get(str(name).replace("_", "-"))
        if path is None:
            # A name can be too long for a path.
            with suppress(OSError):
                path = Path(name) if Path(name).suffix == ".toml" or Path(name).is_file() else None
        path = path or self.path(str(name))
        return DataFile.at(path, str(name))

    def parsed(self, path: Path, parse: Callable[[], T]) -> T:
        """Return the content of a file, parsed with `parse`; each file is parsed only once."""
        if path not in self._parsed:
            self._parsed[path] = parse()
        return self._parsed[path]


class Library:
    """The data of several roots, in which each file is parsed only once.

    A format, a profile or a pool comes from the first root that has it. The versions of a ban list come from
    all roots, so that a newer version in the user's folder does not hide the versions for older days. If two
    roots have a version for the same day, the one in the first root is used.
    """

    def __init__(self, roots: Sequence[DataRoot]) -> None:
        self.roots = tuple(roots)
        self._formats: _Shelf[Format] = _Shelf("format", [root.formats for root in roots])
        self._profiles: _Shelf[Profile] = _Shelf("standings profile", [root.profiles for root in roots])
        self._penalties: _Shelf[PenaltyList] = _Shelf("list of penalties", [root.penalties for root in roots])
        self._pools: _Shelf[Pool] = _Shelf("card pool", [root.cardpools for root in roots], _pools_in)
        self._banlists: dict[Path, BanList] = {}

    @classmethod
    def open(cls, data: Path | None = None, environ: Mapping[str, str] = os.environ) -> Library:
        """Return a `Library` of the formats, card pools and other data files on this machine.

        See `roots` for the arguments and errors.
        """
        return cls(roots(data, environ))

    @property
    def home(self) -> DataRoot:
        """The data folder to which imported and fetched data is written, the first of `roots`.

        Raises TourneyError if the user's data folder is unknown and no other folder was given.
        """
        if self.roots == (shipped(),):
            required_folder(None, "set $HOME, or name a folder: `--data DIR`, or $TOURNEY_DATA")
        return self.roots[0]

    # -- formats

    def formats(self) -> tuple[str, ...]:
        """Return the names of all formats, sorted."""
        return tuple(self._formats.paths)

    def format(self, name: str | Path) -> Format:
        """Return the format with a name (`redline/standard`) or a title, or in the TOML file `name`.

        Raises a TourneyError that lists the formats if it does not exist, or that names the file and the key
        if it is invalid.
        """
        return self._format(name, ())

    def find_format(self, name: str | Path) -> DataFile:
        """Return the file of a format, unparsed; events store its text.

        name: a name, a title or the path of a TOML file

        Raises TourneyError if the format does not exist, or if a title fits several formats.
        """
        try:
            return self._formats.file(name)
        except _UnknownNameError:
            names = self.formats_with_title(str(name))
            if not names:
                raise
        if len(names) > 1:
            choices = listed([f"`{name}`" for name in names], "or")
            raise TourneyError(f"`{name}` can be one of {len(names)} formats", f"name the format: {choices}")
        return self._formats.file(names[0])

    def formats_with_title(self, title: str) -> tuple[str, ...]:
        """Return the names of the formats with this title.

        If no format has it, return those whose title begins with it. Case, accents, spaces and punctuation do
        not matter.
        """
        words = _plain_words(title)
        if not words:
            return ()
        titles = {name: _plain_words(_title(path)) for name, path in self._formats.paths.items()}
        exact = [name for name, title_words in titles.items() if words in {title_words, _plain_words(name)}]
        longer = [name for name, title_words in titles.items() if title_words.startswith(f"{words} ")]
        return tuple(sorted(exact or longer))

    def _format(self, name: str | Path, children: tuple[Path, ...]) -> Format:
        from tourney.rules.loading import parse_format

        file = self._formats.file(name) if children else self.find_format(name)
        if file.path in children:
            circle = " → ".join(display_path(path) for path in (*children, file.path))
            raise TourneyError(f"{file.source}: format.extends: a circle of formats: {circle}")

        def parent(parent_name: str) -> Format:
            # `extends` is the name of a format, or the path of a file relative to this format's file.
            parent_path = file.path.parent / parent_name if parent_name.endswith(".toml") else parent_name
            return self._format(parent_path, (*children, file.path))

        is_shipped = file.path.is_relative_to(shipped().formats)
        return self._formats.parsed(
            file.path,
            lambda: parse_format(file.text, source=file.source, parent=parent, is_shipped=is_shipped),
        )

    # -- standings profiles

    def profiles(self) -> tuple[str, ...]:
        """Return the names of all standings profiles, sorted."""
        return tuple(self._profiles.paths)

    def profile(self, name: str | Path) -> Profile:
        """Return a standings profile.

        name: the profile's name, such as `tourney`, or the path of its TOML file

        Raises a TourneyError that lists the profiles if it does not exist, or that names the file and the key
        if it is invalid.
        """
        from tourney.standings import load_profile

        def text_of(reference: str) -> tuple[str, str]:
            file = self.find_profile(reference)
            return file.text, file.source

        path = self.find_profile(name).path
        return self._profiles.parsed(path, lambda: load_profile(str(name), text_of))

    def find_profile(self, name: str | Path) -> DataFile:
        """Return the file of a profile, unparsed. Raises TourneyError if it does not exist."""
        return self._profiles.file(name)

    # -- lists of penalties

    def penalty_list(self, name: str) -> PenaltyList:
        """Return the list of penalties with a name (`house`).

        Raises a TourneyError that names the existing lists if this list does not exist, or that names the
        file and the key if it is invalid.
        """
        from tourney.event.penalties import read_penalty_list

        file = DataFile.at(self._penalties.path(name), name)
        return read_penalty_list(file.text, source=file.source)

    # -- card pools

    def pools(self) -> tuple[str, ...]:
        """Return the names of all card pools, sorted; usually there is one for each game."""
        return tuple(self._pools.paths)

    def pool(self, name: str) -> Pool:
        """Return the card pool with this name.

        Raises TourneyError if the pool does not exist or is invalid.
        """
        from tourney.cards.pool import parse_pool

        def parse() -> Pool:
            files = self.find_pool(name)
            return parse_pool(files.head, files.sets, source=display_path(files.path))

        return self._pools.parsed(self._pools.path(name), parse)

    def pool_of(self, format_: Format) -> Pool:
        """Return the pool of a format, or an empty open pool if its pool is not installed.

        With an empty open pool, only rules about names can be checked.
        """
        from tourney.cards.pool import open_pool

        return self.pool(format_.pool) if format_.pool in self._pools.paths else open_pool(format_.pool)

    def find_pool(self, name: str) -> PoolFiles:
        """Return the files of a pool, unparsed. Raises TourneyError if the pool does not exist."""
        path = self._pools.path(name)
        files = read_folder(path.parent, lambda file: file == path.name or file.endswith(".jsonl"))
        head = decode_source(files.pop(path.name, b""), source=display_path(path))
        return PoolFiles(name, path, head, {Path(file).stem: content for file, content in files.items()})

    def games(self) -> frozenset[str]:
        """Return the names of the games that have a pool or a format."""
        return frozenset(name.partition("/")[0] for name in (*self.pools(), *self.formats()))

    # -- ban lists

    def banlist_names(self) -> tuple[str, ...]:
        """Return the names of all installed ban lists, sorted."""
        return tuple(sorted(self._banlist_files))

    def banlist_days(self, name: str) -> tuple[date, ...]:
        """Return the days from which the versions of a ban list are in force, in order.

        Raises a TourneyError that names the existing lists if this list does not exist, or says where it is
        published if a format uses it. Raises TourneyError if a file's name is not a date.
        """
        if name not in self._banlist_files:
            self._refuse_not_installed(name)
            _refuse_unknown("ban list", name, self._banlist_files)
        return tuple(sorted(self._days(name)))

    def banlists(self) -> Mapping[str, tuple[date, ...]]:
        """Return the name of each installed ban list → its `banlist_days`.

        Raises the errors of `banlist_days`.
        """
        return {name: self.banlist_days(name) for name in self.banlist_names()}

    def banlist(self, name: str, day: date) -> BanList | None:
        """Return the ban list `name` (`game/list`) in force on `day`.

        This is the latest version that begins on or before `day`. Returns None if no list of this name is
        installed, or if its first version begins later; verdicts then say that the ban list was not checked.
        Raises TourneyError if the file is invalid.
        """
        file = self.find_banlist(name, day)
        return self.read_banlist(file) if file else None

    def find_banlist(self, name: str, day: date) -> DataFile | None:
        """Return the file of the ban list in force on `day`, unparsed; None if no list is in force."""
        days = self._days(name)
        in_force = max((first for first in days if first <= day), default=None)
        return DataFile.at(days[in_force], name, in_force) if in_force else None

    def banlist_named(self, text: str, day: date) -> DataFile:
        """Return the ban list that a user named, unparsed.

        text: `game/list` for the list in force on `day`, `game/list@2026-01-31` for the list that begins on
              that day, or a TOML file; if the file's name is not a date, the list begins on `day`

        Raises a TourneyError that names the existing lists if this list does not exist. Raises TourneyError
        if no version is in force on `day`.
        """
        if text not in self._banlist_files and text.endswith(".toml"):
            return DataFile.at(Path(text), text, _day(Path(text).stem) or day)
        name, _, first = text.partition("@")
        if first:
            first_day = _day(first)
            if first_day is None:
                raise TourneyError(f"`{text}`: `{first}` is not a date", "for example `game/list@2026-01-31`")
            return self.banlist_file(name, first_day)
        days = self.banlist_days(name)
        file = self.find_banlist(name, day)
        if file is None:
            raise TourneyError(
                f"no list of {name} is in force on {day}; the first takes effect {days[0]}",
                f"`{name}@{days[0]}`",
            )
        return file

    def _refuse_not_installed(self, name: str) -> None:
        """Raise a TourneyError if a format uses the ban list `name`, which is not installed.

        The message says where the ban list is published, if the format gives the address.
        """
        for format_ in map(self.format, self.formats()):
            if format_.banlist == name:
                at = f"; it is published at {format_.banlist_at}" if format_.banlist_at else ""
                raise TourneyError(
                    f"the ban list `{name}` is not installed{at}",
                    f"`tourney banlist import FILE --as {name}` installs it",
                )

    def read_banlist(self, file: DataFile) -> BanList:
        """Return the ban list in a file.

        Raises a TourneyError that names the file and the key if the file is invalid.
        """
        from tourney.rules.banlist import parse_banlist

        if file.path not in self._banlists:
            day = file.day or day_of(file.path)
            self._banlists[file.path] = parse_banlist(file.text, source=file.source, day=day, name=file.name)
        return self._banlists[file.path]

    def banlist_file(self, name: str, day: date) -> DataFile:
        """Return the file of the version of a ban list that begins on `day`.

        Raises a TourneyError that lists the existing versions if no version begins on this day.
        """
        self.banlist_days(name)
        days = self._days(name)
        if day not in days:
            existing = {first.isoformat(): path for first, path in days.items()}
            _refuse_unknown(f"ban list {name} of", day.isoformat(), existing)
        return DataFile.at(days[day], name, day)

    def _days(self, name: str) -> Mapping[date, Path]:
        days: dict[date, Path] = {}
        for path in self._banlist_files.get(name, ()):
            days.setdefault(day_of(path), path)
        return days

    @cached_property
    def _banlist_files(self) -> Mapping[str, tuple[Path, ...]]:
        """Name of each ban list → the paths of its files, in the order of the roots.

        The name of a list is the path of its folder, including underscores, because events and formats refer
        to it by that name. A file with an invalid name makes only its own list unusable.
        """
        files: dict[str, tuple[Path, ...]] = {}
        for root in self.roots:
            for _, path in toml_files(root.banlists):
                name = path.parent.relative_to(root.banlists).as_posix()
                files[name] = (*files.get(name, ()), path)
        return files


def _pools_in(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the name and `pool.toml` of each pool, even while it is being replaced."""
    return ((pool.name, pool / "pool.toml") for pool in folders(folder, having="pool.toml"))


def _plain_words(text: str) -> str:
    """Return the words of a title for comparisons, without case, accents and punctuation.

    >>> _plain_words("REDLINE: Scenario Play"), _plain_words("red-diamond/standard")
    ('redline scenario play', 'red diamond standard')
    """
    return " ".join(re.findall(r"[^\W_]+", fold(text.replace("&", " and "))))


def _title(path: Path) -> str:
    """Return the title in a format's file; empty if the file has no title or cannot be read."""
    from tourney.decode import parse_toml

    try:
        head = parse_toml(decode_source(read_bytes(path), source=""), source="").get("format", {})
    except TourneyError:
        return ""
    title = head.get("name", "") if isinstance(head, dict) else ""
    return title if isinstance(title, str) else ""


class _UnknownNameError(TourneyError):
    """No data of this kind has this name."""


def _refuse_unknown(kind: str, name: str, existing: Mapping[str, object]) -> NoReturn:
    of_game = (other for other in existing if other.startswith(f"{name.casefold()}/"))
    near = nearest(name, existing) or next(of_game, None)
    question = f"; did you mean `{near}`?" if near else ""
    names = listed([f"`{other}`" for other in sorted(existing)], "or")
    raise _UnknownNameError(
        f"there is no {kind} `{name}`{question}",
        f"choose {names}" if existing else "there is none",
    )


def day_of(path: Path) -> date:
    """Return the first day of a ban list, taken from its file's name, such as `2026-01-31.toml`.

    Raises TourneyError if the name is not a date.
    """
    day = _day(path.stem)
    if day is None:
        raise TourneyError(
            f"{display_path(path)}: name a ban list's file after the day it takes effect, "
            "such as `2026-01-31.toml`"
        )
    return day


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


# -- The folders that are searched for data


def roots(
    data: Path | None = None, environ: Mapping[str, str] = os.environ, *, platform: str = sys.platform
) -> tuple[DataRoot, ...]:
    """Return the folders with data, in the order in which they are searched.

    data: the folder of `--data`

    Raises TourneyError if `--data` or `$TOURNEY_DATA` does not name a folder.
    """
    variable = environ.get("TOURNEY_DATA")
    named_folders = [("--data", data), ("$TOURNEY_DATA", Path(variable) if variable else None)]
    for option, path in named_folders:
        if path and not path.is_dir():
            fault = "is a file, not a folder" if path.exists() else "does not exist"
            raise TourneyError(f"{option}: `{path}` {fault}")
    user = user_folder(environ, platform)
    return (*(DataRoot.folder(path) for _, path in (*named_folders, ("", user)) if path), shipped())


class DataRoot(Struct, frozen=True):
    """A folder of data, with a subfolder for each kind of data. Any subfolder can be missing."""

    path: Path
    formats: Path
    profiles: Path
    cardpools: Path
    banlists: Path
    penalties: Path

    @classmethod
    def folder(cls, path: Path) -> DataRoot:
        """Return the data folder at `path`, in which each kind of data has its own subfolder."""
        return cls(path, *(path / kind for kind in cls.__struct_fields__[1:]))


def shipped() -> DataRoot:
    """Return the root of the data that is shipped with the program.

    In a checkout this data is beside the package; in a wheel it is inside the package.
    """
    package = Path(__file__).resolve().parent.parent
    data = package / "_data"
    if not data.is_dir():
        data = package.parent
    return DataRoot(
        package,
        package / "games",
        package / "standings" / "profiles",
        data / "cardpools",
        data / "banlists",
        package / "event" / "penalty_lists",
    )


@cache
def program_digest(package: Path) -> str:
    """Return the SHA-256 of a package's source files; empty if the package has no source files.

    The digest is needed because, during development, the source changes without a new version number. Raises
    OSError if a file cannot be read.
    """
    digest = sha256()
    files = sorted(package.rglob("*.py"))
    for path in files:
        digest.update(b"%s %d\n" % (path.relative_to(package).as_posix().encode(), path.stat().st_size))
        digest.update(path.read_bytes())
    return digest.hexdigest() if files else ""


def toml_files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the name and path of each TOML file below `folder`.

    The name comes from the path: `red-diamond/standard`. The folders of the shipped games are Python
    packages, so their paths have `_` in place of each `-` of a name.
    """
    for path in files_below(folder, include_hidden=True):
        if path.suffix == ".toml":
            yield path.relative_to(folder).with_suffix("").as_posix().replace("_", "-"), path
