"""Fetch ban lists and card pools over the network, check them, and install them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urljoin, urlsplit

import msgspec

from tourney.cards.card import parse_schema
from tourney.cards.pool import slug
from tourney.errors import TourneyError
from tourney.store.data import Library
from tourney.store.files import decoded, replace_file
from tourney.store.http import Http, NoSuchFile, Reply, Unreachable, public_address
from tourney.store.installing import (
    CardFile,
    InstalledList,
    InstalledPool,
    PoolImport,
    install_banlist,
    install_import,
    install_pool,
    list_and_day,
    prepare_import,
)

MOST_CHANGES = 3
"""The maximum number of times that a pool is fetched if it keeps changing."""

_HEAD = "pool.toml"
"""The file of a pool that names all its other files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchOutcome:
    """The result of fetching a ban list or a pool.

    name:      the name of the list (`game/list`) or of the game
    day:       the day from which the list is in force
    installed: the installed list or pool; None if the existing copy is kept
    offline:   why the server could not be reached; None if it answered. If it answered, an existing copy is
               current
    age:       how old the copy is, in words
    """

    name: str
    day: date | None = None
    installed: InstalledList | InstalledPool | PoolImport | None = None
    offline: str | None = None
    age: str = "just now"


class _Address(NamedTuple):
    """An address: `asked` is requested and may contain a login; `public` is shown and stored."""

    asked: str
    public: str

    @classmethod
    def of(cls, url: str) -> _Address:
        return cls(url, public_address(url))


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetcher:
    """Fetches ban lists and pools into a library's data folder.

    now:    the time of this run
    accept: install a list or pool despite objections, such as that it became much smaller
    """

    library: Library
    http: Http
    now: datetime
    accept: bool = False

    @property
    def memory(self) -> Memory:
        """The record of earlier fetches."""
        return Memory(self.library.home.path)

    # -- ban lists

    def banlist(self, url: str, name: str | None = None, day: date | None = None) -> FetchOutcome:
        """Fetch a ban list and install it.

        name, day: the list's name and the day from which it is in force; None takes them from the address
        (`…/game/list/2026-01-31.toml`)

        Raises TourneyError, and keeps the old list, if the new list is refused (see `install_banlist`,
        `Http.get`). If the server does not answer, the existing copy is used. Raises Unreachable if there is
        no copy.
        """
        address = _Address.of(url)
        name, day = list_and_day(self.library, unquote(_path(address.public)), name, day)
        target = self.library.home.banlists / name / f"{day.isoformat()}.toml"
        before = self._before(address, target)
        try:
            reply = self.http.get(address.asked, before.parts[target.name].known if before else {})
        except Unreachable as fault:
            return self._offline(fault, before, name, day)
        if before and reply.content is None:
            return self._unchanged(before, before.parts, name, day)
        content = reply.content or b""
        text = decoded(content, source=address.public)
        installed = install_banlist(self.library, name, day, text, source=address.public, accept=self.accept)
        self._keep(address, target, {target.name: Part.of(reply, content)})
        return FetchOutcome(name=name, day=day, installed=installed)

    # -- pools

    def pool(self, url: str, game: str | None = None) -> FetchOutcome:
        """Fetch a pool and install it: `pool.toml`, and the file of each set from the same folder.

        A pool that changes meanwhile is fetched again, so that all files belong together.

        game: the game of the pool; None takes the game that the pool names

        Raises the same errors as `banlist`, and those of `install_pool`.
        """
        address = _Address.of(url)
        before = self.memory.recall(address.public)
        files = _PoolFiles(self.http.together(), address, self.memory)
        try:
            files.fetch(before)
        except Unreachable as fault:
            return self._offline(fault, before, Path(before.target).name if before else "")
        if before and _digests(files.seen) == _digests(before.parts):
            return self._unchanged(before, files.seen, Path(before.target).name)
        head = decoded(files.content.pop(_HEAD), source=address.public)
        name = game or parse_schema(head, source=address.public).game
        sets = {file.removesuffix(".jsonl"): text for file, text in files.content.items()}
        installed = install_pool(self.library, name, head, sets, source=address.public, accept=self.accept)
        self._keep(address, self.library.home.cardpools / name, files.seen)
        return FetchOutcome(name=name, installed=installed)

    def table(self, url: str, game: str, code: str | None = None) -> FetchOutcome:
        """Fetch a table of cards and install it as a set of the pool of `game`.

        The table can be CSV, TSV, JSON or JSON Lines.

        code: the code of the set; None takes it from the address

        Raises the same errors as `banlist`, and those of `prepare_import` and `install_import`.
        """
        address = _Address.of(url)
        name = unquote(_path(address.public)).rpartition("/")[2]
        code = code or slug(name.rpartition(".")[0])
        target = self.library.home.cardpools / game / f"{code}.jsonl"
        before = self._before(address, target)
        try:
            reply = self.http.get(address.asked, before.parts[name].known if before else {})
        except Unreachable as fault:
            return self._offline(fault, before, game)
        if before and reply.content is None:
            return self._unchanged(before, before.parts, game)
        content = reply.content or b""
        file = CardFile(name, decoded(content, source=address.public), address.public)
        prepared = prepare_import(self.library, file, game, code=code)
        installed = install_import(self.library, prepared, source=address.public, accept=self.accept)
        self._keep(address, target, {name: Part.of(reply, content)})
        return FetchOutcome(name=game, installed=installed)

    # -- earlier fetches

    def _before(self, address: _Address, target: Path) -> Fetched | None:
        """Return the record of the last fetch from an address.

        Returns None if there is none, or if it was installed at another target.
        """
        before = self.memory.recall(address.public)
        return before if before and self.library.home.path / before.target == target else None

    def _keep(self, address: _Address, target: Path, parts: Mapping[str, Part]) -> None:
        place = target.relative_to(self.library.home.path).as_posix()
        memory = self.memory
        memory.keep(Fetched(address.public, self.now, place, memory.result(place), dict(parts)))

    def _unchanged(
        self, before: Fetched, parts: Mapping[str, Part], name: str, day: date | None = None
    ) -> FetchOutcome:
        self.memory.keep(Fetched(before.url, self.now, before.target, before.result, dict(parts)))
        return FetchOutcome(name=name, day=day, age=age_words(before.at, self.now))

    def _offline(
        self, fault: Unreachable, before: Fetched | None, name: str, day: date | None = None
    ) -> FetchOutcome:
        if before is None:
            raise fault
        age = age_words(before.at, self.now)
        return FetchOutcome(name=name, day=day, offline=fault.message, age=age)


@dataclass(slots=True)
class _PoolFiles:
    """The files of a pool: `pool.toml` at `address`, and its sets in the same folder.

    http:    a client with one limit for all files
    seen:    the record of each file, by name
    content: the content of each file, by name
    """

    http: Http
    address: _Address
    memory: Memory
    seen: dict[str, Part] = field(default_factory=dict)
    content: dict[str, bytes] = field(default_factory=dict)

    def fetch(self, before: Fetched | None) -> None:
        """Fetch all files, again if the pool changes meanwhile.

        before: the record of the last fetch
        """
        url, public = self.address
        for _ in range(MOST_CHANGES):
            self.seen, self.content = {}, {}
            head = self._file(url, _HEAD, before)
            for code in parse_schema(decoded(head, source=public), source=public).sets:
                self._set(urljoin(url, f"{code}.jsonl"), code, before)
            again = self.http.get(url, self.seen[_HEAD].known)
            if again.content is None or again.content == head:
                return
            before = None
        raise TourneyError(f"{public}: the pool changes while it is being fetched", "try again later")

    def _set(self, url: str, code: str, before: Fetched | None) -> None:
        """Fetch a set file if it exists.

        A set that is described only because printings name it has no file.
        """
        if not code.replace("-", "").replace("_", "").isalnum():
            raise TourneyError(f"{public_address(url)}: `{code}` cannot name a set file")
        try:
            self._file(url, f"{code}.jsonl", before)
        except NoSuchFile:
            return

    def _file(self, url: str, name: str, before: Fetched | None) -> bytes:
        previous = before.parts.get(name) if before else None
        reply = self.http.get(url, previous.known if previous else {})
        if reply.content is None and before and previous:
            content, seen = self.memory.files(before.target)[name], previous
        else:
            content = reply.content or b""
            seen = Part.of(reply, content)
        self.content[name], self.seen[name] = content, seen
        return content


def _path(url: str) -> str:
    """Return the path of an address. Raises TourneyError if it is not a web address."""
    try:
        return urlsplit(url).path
    except ValueError:
        raise TourneyError(f"`{url}` is not a web address", "an address starts with https://") from None


def _digests(parts: Mapping[str, Part]) -> dict[str, str]:
    return {file: part.digest for file, part in parts.items()}


# -- The record of fetched files, which lets the server answer that a file has not changed


class Part(msgspec.Struct, frozen=True):
    """The record of a fetched file. digest: the SHA-256 of its bytes as they were received."""

    url: str
    digest: str
    etag: str | None = None
    modified: str | None = None

    @classmethod
    def of(cls, reply: Reply, content: bytes) -> Part:
        """Return the record of a reply."""
        return cls(reply.url, sha256(content).hexdigest(), reply.etag, reply.modified)

    @property
    def known(self) -> Mapping[str, str | None]:
        """The headers with which the server can answer that the file has not changed."""
        return {"etag": self.etag, "modified": self.modified}


class Fetched(msgspec.Struct, frozen=True):
    """The record of a fetch from `url`.

    at:     when the server last confirmed that the files are current
    target: the path of the installed list, set or pool, relative to the data folder
    result: the SHA-256 of the installed files; if they have changed, everything is fetched again
    parts:  the records of the fetched files, by name
    """

    url: str
    at: datetime
    target: str
    result: str
    parts: dict[str, Part]


@dataclass(frozen=True)
class Memory:
    """The records of what was fetched into the data folder `home`.

    They are stored in `home/fetched/`.
    """

    home: Path

    def recall(self, url: str) -> Fetched | None:
        """Return the record of the last fetch from `url`.

        Returns None, so that everything is fetched again, if there is no record, if it cannot be read, or if
        the installed files have changed.
        """
        try:
            fetched = msgspec.json.decode(self._path(url).read_bytes(), type=Fetched)
            return fetched if fetched.result == self.result(fetched.target) else None
        except (OSError, msgspec.DecodeError, ValueError, RecursionError):
            return None

    def result(self, target: str) -> str:
        """Return the SHA-256 of a file in the data folder, or of a folder's files and their names."""
        digest = sha256()
        for name, content in sorted(self.files(target).items()):
            digest.update(f"{name}\0{len(content)}\0".encode() + content)
        return digest.hexdigest()

    def files(self, target: str) -> Mapping[str, bytes]:
        """Return the content of all files of a folder by name, or of a single file."""
        path = self.home / target
        files = [file for file in path.iterdir() if file.is_file()] if path.is_dir() else [path]
        return {file.name: file.read_bytes() for file in files}

    def keep(self, fetched: Fetched) -> None:
        """Store a record. Raises TourneyError if it cannot be written."""
        replace_file(self._path(fetched.url), msgspec.json.format(msgspec.json.encode(fetched)))

    def _path(self, url: str) -> Path:
        return self.home / "fetched" / f"{sha256(url.encode(errors='surrogatepass')).hexdigest()[:32]}.json"


def age_words(since: datetime, now: datetime) -> str:
    """Return how long ago a time was.

    >>> from datetime import timedelta
    >>> noon = datetime(2026, 11, 20, 12)
    >>> ages = (0, 1, 59, 60, 180, 1440, 5000, -5)
    >>> [age_words(noon - timedelta(minutes=age), noon) for age in ages]  # doctest: +NORMALIZE_WHITESPACE
    ['just now', '1 minute ago', '59 minutes ago', '1 hour ago', '3 hours ago', '1 day ago', '3 days ago',
    'just now']
    """
    minutes = max(0, int((now - since).total_seconds()) // 60)
    for size, word in ((1440, "day"), (60, "hour"), (1, "minute")):
        if minutes >= size:
            number = minutes // size
            return f"{number} {word}{'' if number == 1 else 's'} ago"
    return "just now"
