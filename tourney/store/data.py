"""Formats, profiles, card pools, ban lists and lists of penalties within reach, by name and as parsed values.

Looked up, first hit: `--data DIR`, `$TOURNEY_DATA`, the user's data folder, the checkout or the wheel.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import msgspec

from tourney.errors import TourneyError
from tourney.store.files import decoded, files_below, folders, read_bytes, read_folder, shown, user_folder
from tourney.wording import listed

if TYPE_CHECKING:
    from tourney.cards.pool import Pool
    from tourney.event.penalties import PenaltyList
    from tourney.rules.banlist import BanList
    from tourney.rules.format import Format
    from tourney.standings import Profile


class DataFile(msgspec.Struct, frozen=True):
    """A data file that was found: its name (`redline/standard`), where it lies, its bytes, and a ban list's day."""

    name: str
    path: Path
    content: bytes
    day: date | None = None

    @property
    def source(self) -> str:
        """The file as messages name it."""
        return shown(self.path)

    @property
    def text(self) -> str:
        """The file as text. Raises TourneyError where it is no UTF-8."""
        return decoded(self.content, source=self.source)

    @property
    def digest(self) -> str:
        """SHA-256 of the bytes, in hexadecimal."""
        return sha256(self.content).hexdigest()


class PoolFiles(msgspec.Struct, frozen=True):
    """A pool as it lies on the disk: its name, its `pool.toml` with the text, and the bytes of each set by code."""

    name: str
    path: Path
    head: str
    sets: Mapping[str, bytes]


class Library:
    """All data within reach; each file is read and parsed once.

    A format, a profile or a pool is taken whole from the first root that has it. Ban lists of one name are merged
    over the roots by their day, so that a newer list put into the user's folder leaves the older days answerable;
    of two for the same day the first root's counts.
    """

    def __init__(self, roots: Sequence[DataRoot]) -> None:
        self.roots = tuple(roots)
        self._formats: dict[Path, Format] = {}
        self._profiles: dict[Path, Profile] = {}
        self._pools: dict[Path, Pool] = {}
        self._banlists: dict[Path, BanList] = {}

    @classmethod
    def open(
        cls,
        data: Path | None = None,
        environ: Mapping[str, str] = os.environ,
        *,
        platform: str = sys.platform,
    ) -> Library:
        """Return the library of this machine; see `roots` for the parameters and the refusals."""
        return cls(roots(data, environ, platform=platform))

    @property
    def home(self) -> DataRoot:
        """The root where imported and fetched data is written: the first one.

        Raises TourneyError where only what is shipped is there, as nobody can say where the user's folder is.
        """
        if self.roots == (shipped(),):
            raise TourneyError(
                "there is no folder of yours to write to: neither $HOME nor the system says one",
                "name one: `--data DIR`, or $TOURNEY_DATA",
            )
        return self.roots[0]

    # -- formats

    def formats(self) -> tuple[str, ...]:
        """Return the names of all formats, sorted."""
        return tuple(sorted(self._format_files))

    def format(self, name: str | Path) -> Format:
        """Return the format called `name` (`redline/standard`, or its title), or the one in the TOML file `name`.

        Raises TourneyError naming what exists where there is none, and with file and key path where one is faulty.
        """
        return self._format(name, ())

    def find_format(self, name: str | Path) -> DataFile:
        """Return the file of a format, unparsed: what an event keeps. Raises TourneyError where there is none, or several."""
        try:
            return _named_file("format", name, self._format_files)
        except _UnknownNameError:
            called = self.formats_called(str(name))
            if not called:
                raise
        if len(called) > 1:
            raise TourneyError(
                f"`{name}` can be one of {len(called)} formats",
                f"name it: {listed([f'`{each}`' for each in called], 'or')}",
            )
        return _named_file("format", called[0], self._format_files)

    def formats_called(self, title: str) -> tuple[str, ...]:
        """Return the names of the formats that have this title, else of those whose titles begin with these words.

        Case, accents, spaces and punctuation are ignored.
        """
        words = _plain_words(title)
        if not words:
            return ()
        titles = {name: _plain_words(_title(path)) for name, path in self._format_files.items()}
        titled = [name for name, own in titles.items() if words in {own, _plain_words(name)}]
        begun = [name for name, own in titles.items() if own.startswith(f"{words} ")]
        return tuple(sorted(titled or begun))

    def _format(self, name: str | Path, children: tuple[Path, ...]) -> Format:
        from tourney.rules.loading import parse_format

        file = _named_file("format", name, self._format_files) if children else self.find_format(name)
        if file.path in children:
            circle = " → ".join(shown(path) for path in (*children, file.path))
            raise TourneyError(f"{file.source}: format.extends: a circle of formats: {circle}")
        if file.path not in self._formats:
            self._formats[file.path] = parse_format(
                file.text,
                source=file.source,
                parent=lambda parent: self._format(_beside(file.path, parent), (*children, file.path)),
            )
        return self._formats[file.path]

    @cached_property
    def _format_files(self) -> Mapping[str, Path]:
        return _first_hits(toml_files(root.formats) for root in self.roots)

    # -- standings profiles

    def profiles(self) -> tuple[str, ...]:
        """Return the names of all standings profiles, sorted."""
        return tuple(sorted(self._profile_files))

    def profile(self, name: str | Path) -> Profile:
        """Return the standings profile called `name` (`tourney`), or the one in the TOML file `name`.

        Raises TourneyError naming what exists where there is none, and with file and key path where one is faulty.
        """
        from tourney.standings import load_profile

        path = self.find_profile(name).path
        if path not in self._profiles:
            self._profiles[path] = load_profile(str(name), self._profile_text)
        return self._profiles[path]

    def find_profile(self, name: str | Path) -> DataFile:
        """Return the file of a profile, unparsed. Raises TourneyError where there is none."""
        return _named_file("standings profile", name, self._profile_files)

    def _profile_text(self, name: str) -> tuple[str, str]:
        file = self.find_profile(name)
        return file.text, file.source

    @cached_property
    def _profile_files(self) -> Mapping[str, Path]:
        return _first_hits(toml_files(root.profiles) for root in self.roots)

    # -- lists of penalties

    def penalty_list(self, name: str) -> PenaltyList:
        """Return the list of penalties called `name` (`house`).

        Raises TourneyError naming what exists where there is none, and with file and key path where one is faulty.
        """
        from tourney.event.penalties import read_penalty_list

        path = self._penalty_files.get(name) or _refuse_unknown(
            "list of penalties", name, self._penalty_files
        )
        file = DataFile(name, path, read_bytes(path))
        return read_penalty_list(file.text, source=file.source)

    @cached_property
    def _penalty_files(self) -> Mapping[str, Path]:
        return _first_hits(toml_files(root.penalties) for root in self.roots)

    # -- card pools

    def pools(self) -> tuple[str, ...]:
        """Return the names of all card pools (mostly one a game), sorted."""
        return tuple(sorted(self._pool_files))

    def pool(self, name: str) -> Pool:
        """Return the card pool called `name`. Raises TourneyError where there is none, or where it is faulty."""
        from tourney.cards.pool import parse_pool

        path = self._pool_files.get(name) or _refuse_unknown("card pool", name, self._pool_files)
        if path not in self._pools:
            files = self.find_pool(name)
            self._pools[path] = parse_pool(files.head, files.sets, source=shown(path))
        return self._pools[path]

    def pool_of(self, format_: Format) -> Pool:
        """Return the pool `format_` is played with; an empty open one where none is installed.

        Nothing is known of any card then, and only rules that need nothing but names decide.
        """
        from tourney.cards.pool import open_pool

        return self.pool(format_.pool) if format_.pool in self._pool_files else open_pool(format_.pool)

    def find_pool(self, name: str) -> PoolFiles:
        """Return the files of a pool, unparsed. Raises TourneyError where there is none."""
        path = self._pool_files.get(name) or _refuse_unknown("card pool", name, self._pool_files)
        files = read_folder(path.parent, lambda file: file == path.name or file.endswith(".jsonl"))
        head = decoded(files.pop(path.name, b""), source=shown(path))
        return PoolFiles(name, path, head, {Path(file).stem: content for file, content in files.items()})

    @cached_property
    def _pool_files(self) -> Mapping[str, Path]:
        """The `pool.toml` of each, where it lies when nobody is replacing it."""
        return _first_hits(
            [(folder.name, folder / "pool.toml") for folder in folders(root.cardpools, having="pool.toml")]
            for root in self.roots
        )

    # -- ban lists

    def banlist_names(self) -> tuple[str, ...]:
        """Return the names of all ban lists installed, sorted."""
        return tuple(sorted(self._banlist_files))

    def banlist_days(self, name: str) -> tuple[date, ...]:
        """Return the days from which the files of ban list `name` are in force, in order.

        Raises TourneyError naming what exists where there is none, and where a file's name is no day.
        """
        _ = self._banlist_files.get(name) or _refuse_unknown("ban list", name, self._banlist_files)
        return tuple(sorted(self._days(name)))

    def banlists(self) -> Mapping[str, tuple[date, ...]]:
        """Return all ban lists installed with the days of their files. Raises as `banlist_days` does."""
        return {name: self.banlist_days(name) for name in self.banlist_names()}

    def banlist(self, name: str, day: date) -> BanList | None:
        """Return the ban list `name` (`game/list`) in force on `day`: the latest not after it.

        None where no list of this name is installed or the first one takes effect later: nothing was checked then,
        and the verdict says so. Raises TourneyError where the file is faulty.
        """
        file = self.find_banlist(name, day)
        return self.read_banlist(file) if file else None

    def find_banlist(self, name: str, day: date) -> DataFile | None:
        """Return the file of the ban list in force on `day`, unparsed; None where there is none."""
        days = self._days(name)
        in_force = max((each for each in days if each <= day), default=None)
        if in_force is None:
            return None
        return DataFile(name, days[in_force], read_bytes(days[in_force]), in_force)

    def banlist_named(self, text: str, day: date) -> DataFile:
        """Return the ban list that `text` names, unparsed.

        text: `game/list` as it is in force on `day`, `game/list@2026-01-31` of exactly that day, or a TOML file; one that
              is not named by a day takes effect on `day`

        Raises TourneyError naming what exists where there is none, or none in force.
        """
        if text not in self._banlist_files and text.endswith(".toml"):
            path = Path(text)
            return DataFile(text, path, read_bytes(path), _day(path.stem) or day)
        name, _, exactly = text.partition("@")
        if exactly:
            exact_day = _day(exactly)
            if exact_day is None:
                raise TourneyError(f"`{text}`: `{exactly}` is not a date", "as in `game/list@2026-01-31`")
            return self.banlist_file(name, exact_day)
        if name not in self._banlist_files:
            self._refuse_not_installed(name)
        days = self.banlist_days(name)
        file = self.find_banlist(name, day)
        if file is None:
            raise TourneyError(
                f"no list of {name} is in force on {day}; the first takes effect {days[0]}",
                f"`{name}@{days[0]}`",
            )
        return file

    def _refuse_not_installed(self, name: str) -> None:
        """Say where a list is published that a format asks for and nobody has installed."""
        for each in map(self.format, self.formats()):
            if each.banlist == name:
                at = f"; it is published at {each.banlist_at}" if each.banlist_at else ""
                raise TourneyError(
                    f"the ban list `{name}` is not installed{at}",
                    f"`tourney banlist import FILE --as {name}`",
                )

    def read_banlist(self, file: DataFile) -> BanList:
        """Parse a ban list's file. Raises TourneyError with file and key path."""
        from tourney.rules.banlist import parse_banlist

        if file.path not in self._banlists:
            day = file.day or day_of(file.path)
            self._banlists[file.path] = parse_banlist(file.text, source=file.source, day=day, name=file.name)
        return self._banlists[file.path]

    def banlist_file(self, name: str, day: date) -> DataFile:
        """Return the file of `name` that takes effect on exactly `day`.

        Raises TourneyError naming what exists where there is none.
        """
        self.banlist_days(name)
        days = self._days(name)
        if day not in days:
            known = {each.isoformat(): path for each, path in days.items()}
            _refuse_unknown(f"ban list {name} of", day.isoformat(), known)
        return DataFile(name, days[day], read_bytes(days[day]), day)

    def _days(self, name: str) -> Mapping[date, Path]:
        days: dict[date, Path] = {}
        for path in self._banlist_files.get(name, ()):
            days.setdefault(day_of(path), path)
        return days

    @cached_property
    def _banlist_files(self) -> Mapping[str, tuple[Path, ...]]:
        """The files by name, the first root's first. A file that is misnamed spoils its own list only."""
        files: dict[str, tuple[Path, ...]] = {}
        for root in self.roots:
            for path in files_below(root.banlists, hidden=True):
                if path.suffix != ".toml":
                    continue
                name = path.parent.relative_to(root.banlists).as_posix()
                files[name] = (*files.get(name, ()), path)
        return files


def _first_hits(by_root: Iterable[Iterable[tuple[str, Path]]]) -> Mapping[str, Path]:
    hits: dict[str, Path] = {}
    for files in by_root:
        for name, path in files:
            hits.setdefault(name, path)
    return hits


def _named_file(what: str, name: str | Path, files: Mapping[str, Path]) -> DataFile:
    path = files.get(str(name).replace("_", "-"))
    if path is None and (Path(name).suffix == ".toml" or _is_file(Path(name))):
        path = Path(name)
    if path is None:
        _refuse_unknown(what, str(name), files)
    return DataFile(str(name), path, read_bytes(path))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # no system has so long a name
        return False


def _plain_words(text: str) -> str:
    """Return the words of a title alone, to compare it by.

    >>> _plain_words("REDLINE: Scenario Play"), _plain_words("red-diamond/standard")
    ('redline scenario play', 'red diamond standard')
    """
    from tourney.cards.names import fold

    return " ".join(re.findall(r"[^\W_]+", fold(text.replace("&", " and "))))


def _title(path: Path) -> str:
    """Return the title in the file of a format; empty where the file has none that can be read."""
    from tourney.decode import parse_toml

    try:
        head = parse_toml(decoded(read_bytes(path), source=""), source="").get("format", {})
    except TourneyError:
        return ""
    title = head.get("name", "") if isinstance(head, dict) else ""
    return title if isinstance(title, str) else ""


class _UnknownNameError(TourneyError):
    """Nothing within reach has this name."""


def _refuse_unknown(what: str, name: str, known: Mapping[str, object]) -> NoReturn:
    from tourney.cards.names import nearest

    near = nearest(name, known) or next(
        (each for each in known if each.startswith(f"{name.casefold()}/")), None
    )
    question = f"; did you mean `{near}`?" if near else ""
    names = ", ".join(f"`{each}`" for each in sorted(known)) or "none"
    raise _UnknownNameError(
        f"there is no {what} `{name}`{question}",
        f"there is {names}" if len(known) < 2 else f"there are {names}",
    )


def _beside(child: Path, parent: str) -> str | Path:
    """Resolve what a format extends: a name, or a file beside it."""
    return child.parent / parent if parent.endswith(".toml") else parent


def day_of(path: Path) -> date:
    """Return the day from which a ban list is in force: its file's name, `2026-01-31.toml`.

    Raises TourneyError where the name is no date.
    """
    day = _day(path.stem)
    if day is None:
        raise TourneyError(
            f"{shown(path)}: a ban list's file is named by the day it takes effect, as `2026-01-31.toml`"
        )
    return day


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


# -- Where data may lie


def roots(
    data: Path | None = None, environ: Mapping[str, str] = os.environ, *, platform: str = sys.platform
) -> tuple[DataRoot, ...]:
    """Return the places in the order in which they are asked. `data` is the `--data` folder.

    Raises TourneyError where `--data` or `$TOURNEY_DATA` names no folder.
    """
    variable = environ.get("TOURNEY_DATA")
    folders_given = [("--data", data), ("$TOURNEY_DATA", Path(variable) if variable else None)]
    for option, path in folders_given:
        if path and not path.is_dir():
            what = "is a file, not a folder" if path.exists() else "there is no such folder"
            raise TourneyError(f"{option}: `{path}`: {what}")
    own = user_folder(environ, platform)
    return (*(DataRoot.folder(path) for _, path in (*folders_given, ("", own)) if path), shipped())


class DataRoot(msgspec.Struct, frozen=True):
    """One place where data lies: the folders of each kind in it, none of which needs to exist."""

    path: Path
    formats: Path
    profiles: Path
    cardpools: Path
    banlists: Path
    penalties: Path

    @classmethod
    def folder(cls, path: Path) -> DataRoot:
        """Return a data folder: `formats/`, `profiles/`, `cardpools/`, `banlists/` and `penalties/` in it."""
        return cls(
            path, *(path / kind for kind in ("formats", "profiles", "cardpools", "banlists", "penalties"))
        )


def shipped() -> DataRoot:
    """Return the data that came with the program: in the checkout beside the package, in a wheel inside it."""
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
    """Return the SHA-256 of a package's source: two of one version may differ while it is worked on; empty without source.

    Raises OSError where a file of it cannot be read.
    """
    digest = sha256()
    files = sorted(package.rglob("*.py"))
    for path in files:
        digest.update(b"%s %d\n" % (path.relative_to(package).as_posix().encode(), path.stat().st_size))
        digest.update(path.read_bytes())
    return digest.hexdigest() if files else ""


def toml_files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Walk the TOML files under `folder`: the name made of the path (`red-diamond/standard`), and the file.

    Folders of the program's own games are Python packages and so have `_` where a game's name has `-`.
    """
    for path in files_below(folder, hidden=True):
        if path.suffix == ".toml":
            yield path.relative_to(folder).with_suffix("").as_posix().replace("_", "-"), path
