"""Ban lists and card pools over the network: fetched, looked at, and only then put in place of the old ones."""

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
"""How often a pool is fetched that changes while it is being fetched."""

_HEAD = "pool.toml"
"""The file of a pool that names all others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchOutcome:
    """The result of fetching a ban list or a pool.

    name:      the name of the list (`game/list`) or of the game; day: from which the list is in force
    installed: what was installed; None if the copy from before is used
    offline:   why the server could not be asked; None if it answered (then the copy from before is current)
    age:       how old the copy is, in words
    """

    name: str
    day: date | None = None
    installed: InstalledList | InstalledPool | PoolImport | None = None
    offline: str | None = None
    age: str = "just now"


class _Address(NamedTuple):
    """An address: `asked` with its login, if any; `public` without it, to be shown and stored."""

    asked: str
    public: str

    @classmethod
    def of(cls, url: str) -> _Address:
        return cls(url, public_address(url))


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetcher:
    """Fetches into a library's data folder.

    now:    the time of this run
    accept: overrule the safety refusals of what is put in place
    """

    library: Library
    http: Http
    now: datetime
    accept: bool = False

    @property
    def memory(self) -> Memory:
        """What was fetched before."""
        return Memory(self.library.home.path)

    # -- ban lists

    def banlist(self, url: str, name: str | None = None, day: date | None = None) -> FetchOutcome:
        """Fetch a ban list and put it in place.

        name, day: the list's name and the day from which it is in force; None: from the address
        (`…/game/list/2026-01-31.toml`)

        Raises TourneyError if it is refused (see `install_banlist`, `Http.get`); the old list stays then. If the server does
        not answer, the copy from before is used; without a copy, this raises.
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
        """Fetch a pool: its `pool.toml` and, from beside it, the set files of the sets described there.

        A pool that changes meanwhile is fetched again, so that all files belong together.

        game: the game of the pool; None: the one that the pool names. Raises TourneyError as `banlist` does; see
        `install_pool`.
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
        """Fetch a table of cards (CSV, TSV, JSON, JSON Lines) and put it in place as a set of the pool of `game`.

        Raises TourneyError as `banlist` does; see `prepare_import`, `install_import`.
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
        done = install_import(self.library, prepared, source=address.public, accept=self.accept)
        self._keep(address, target, {name: Part.of(reply, content)})
        return FetchOutcome(name=game, installed=done)

    # -- what was fetched before

    def _before(self, address: _Address, target: Path) -> Fetched | None:
        """Return what was fetched from an address before, if it was installed at the same target."""
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
    """The files of a pool: `pool.toml` at `address`, and beside it the sets that it describes.

    http:    a client with one limit for all files
    seen:    what to remember of each file, by name
    content: the files by name
    """

    http: Http
    address: _Address
    memory: Memory
    seen: dict[str, Part] = field(default_factory=dict)
    content: dict[str, bytes] = field(default_factory=dict)

    def fetch(self, before: Fetched | None) -> None:
        """Fetch all files; again if the pool changes meanwhile. before: what was fetched the last time."""
        asked, public = self.address
        for _ in range(MOST_CHANGES):
            self.seen, self.content = {}, {}
            head = self._file(asked, _HEAD, before)
            for code in parse_schema(decoded(head, source=public), source=public).sets:
                self._set(urljoin(asked, f"{code}.jsonl"), code, before)
            again = self.http.get(asked, self.seen[_HEAD].known)
            if again.content is None or again.content == head:
                return
            before = None
        raise TourneyError(f"{public}: the pool changes while it is being fetched", "try again later")

    def _set(self, url: str, code: str, before: Fetched | None) -> None:
        """Fetch a set file. A set that is only described, because printings name it, has none."""
        if not code.replace("-", "").replace("_", "").isalnum():
            raise TourneyError(f"{public_address(url)}: `{code}` cannot name a set file")
        try:
            self._file(url, f"{code}.jsonl", before)
        except NoSuchFile:
            return

    def _file(self, url: str, name: str, before: Fetched | None) -> bytes:
        known = before.parts.get(name) if before else None
        reply = self.http.get(url, known.known if known else {})
        if reply.content is None and before and known:
            content, seen = self.memory.files(before.target)[name], known
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


# -- What is remembered of fetched files, so that the server need not send them again


class Part(msgspec.Struct, frozen=True):
    """A fetched file. digest: SHA-256 of its bytes as they were received."""

    url: str
    digest: str
    etag: str | None = None
    modified: str | None = None

    @classmethod
    def of(cls, reply: Reply, content: bytes) -> Part:
        """Return what to remember of a reply."""
        return cls(reply.url, sha256(content).hexdigest(), reply.etag, reply.modified)

    @property
    def known(self) -> Mapping[str, str | None]:
        """What to send so that the server can answer that the file has not changed."""
        return {"etag": self.etag, "modified": self.modified}


class Fetched(msgspec.Struct, frozen=True):
    """What was fetched from `url`.

    at:     when the server last confirmed it
    target: where it was installed, in the data folder
    result: SHA-256 of what was installed; if that has changed, everything is fetched again
    parts:  its files by name
    """

    url: str
    at: datetime
    target: str
    result: str
    parts: dict[str, Part]


@dataclass(frozen=True)
class Memory:
    """What was fetched into the data folder `home`, as stored in `home/fetched/`."""

    home: Path

    def recall(self, url: str) -> Fetched | None:
        """Return what was fetched from `url`; None if there is nothing, or if what was installed has changed.

        It is also None if the record cannot be read; the file is then fetched again.
        """
        try:
            fetched = msgspec.json.decode(self._path(url).read_bytes(), type=Fetched)
            return fetched if fetched.result == self.result(fetched.target) else None
        except (OSError, msgspec.DecodeError, ValueError, RecursionError):
            return None

    def result(self, target: str) -> str:
        """Return the SHA-256 of a file of the data folder, or of all files of a folder with their names."""
        whole = sha256()
        for name, content in sorted(self.files(target).items()):
            whole.update(f"{name}\0{len(content)}\0".encode() + content)
        return whole.hexdigest()

    def files(self, target: str) -> Mapping[str, bytes]:
        """Return the files of a folder by name, or the one file."""
        path = self.home / target
        inside = [file for file in path.iterdir() if file.is_file()] if path.is_dir() else [path]
        return {file.name: file.read_bytes() for file in inside}

    def keep(self, fetched: Fetched) -> None:
        """Store a record. Raises TourneyError if it cannot be written."""
        replace_file(self._path(fetched.url), msgspec.json.format(msgspec.json.encode(fetched)))

    def _path(self, url: str) -> Path:
        return self.home / "fetched" / f"{sha256(url.encode(errors='surrogatepass')).hexdigest()[:32]}.json"


def age_words(since: datetime, now: datetime) -> str:
    """Return how long ago a time was.

    >>> from datetime import timedelta
    >>> noon = datetime(2026, 11, 20, 12)
    >>> [age_words(noon - timedelta(minutes=age), noon) for age in (0, 1, 59, 60, 180, 1440, 5000, -5)]
    ['just now', '1 minute ago', '59 minutes ago', '1 hour ago', '3 hours ago', '1 day ago', '3 days ago', 'just now']
    """
    minutes = max(0, int((now - since).total_seconds()) // 60)
    for size, word in ((1440, "day"), (60, "hour"), (1, "minute")):
        if minutes >= size:
            number = minutes // size
            return f"{number} {word}{'' if number == 1 else 's'} ago"
    return "just now"
