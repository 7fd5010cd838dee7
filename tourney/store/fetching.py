"""Fetch ban lists and card pools over the network, check them, and install them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import date, datetime
from hashlib import sha256
from pathlib import Path
from typing import Generic, TypeVar
from urllib.parse import unquote, urljoin, urlsplit

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from tourney.cards.card import parse_schema
from tourney.cards.pool import PoolSummary, slug
from tourney.document import Document
from tourney.errors import TourneyError
from tourney.rules.banlist import Change
from tourney.store.banlists import ImportedBanList, InstalledList, install_banlist, list_and_day
from tourney.store.data import Library
from tourney.store.files import decode_source, read_record, replace_file
from tourney.store.http import Http, NoSuchFile, Reply, Unreachable, public_address
from tourney.store.pools import (
    CardFile,
    InstalledPool,
    install_import,
    install_pool,
    prepare_import,
)

T = TypeVar("T")

MOST_CHANGES = 3
"""The maximum number of attempts to fetch a pool that changes while it is fetched."""

_HEAD = "pool.toml"
"""The file of a pool that lists the sets, and so all other files of the pool."""


class FetchOutcome(Struct, Generic[T], frozen=True, kw_only=True):
    """The result of fetching a ban list or a pool.

    name:      the name of the list (`game/list`) or of the game
    day:       the day from which the list is in force
    installed: the list or pool that was installed; None if the existing copy is kept
    offline:   why the server could not be reached; None if it answered, so that the copy is current
    age:       how old the copy is, in words
    """

    name: str
    day: date | None = None
    installed: T | None = None
    offline: str | None = None
    age: str = "just now"


class FetchedBanList(Document, frozen=True, kw_only=True, tag="tourney.banlist-fetch/1"):
    """What `tourney banlist fetch URL --json` prints.

    If no list was installed, `fingerprint`, `digest`, `path`, `changes` and `overruled` are left out.

    name: the name of the list
    from: the first day on which it is in force
    fingerprint: the first digits of the digest
    digest: the SHA-256 of the list's text
    path: the file that was written
    changed: whether a new list was installed
    changes: the changes from the previous list
    overruled: the objections that `--accept` overruled, in sentences
    offline: why the server could not be reached; null if it answered
    age: how old the list is, in words
    """

    name: str
    day: date | None = msgspec.field(name="from")
    fingerprint: str | UnsetType = UNSET
    digest: str | UnsetType = UNSET
    path: str | UnsetType = UNSET
    changed: bool
    changes: tuple[Change, ...] | UnsetType = UNSET
    overruled: tuple[str, ...] | UnsetType = UNSET
    offline: str | None
    age: str

    @classmethod
    def of(cls, outcome: FetchOutcome[InstalledList]) -> FetchedBanList:
        """Return the document about a ban list that was fetched."""
        if outcome.installed is None:
            return cls(
                name=outcome.name, day=outcome.day, changed=False, offline=outcome.offline, age=outcome.age
            )
        fields = msgspec.structs.asdict(ImportedBanList.of(outcome.installed))
        return cls(**fields, offline=outcome.offline, age=outcome.age)


class FetchedPool(Document, frozen=True, tag="tourney.pool-fetch/1"):
    """What `tourney pool fetch URL --json` prints.

    game: the game, by its id
    changed: whether a new pool was installed
    offline: why the server could not be reached; null if it answered
    age: how old the pool is, in words
    unused: the columns and cards of the file that could not be used, in sentences
    pool: a summary of the pool
    """

    game: str
    changed: bool
    offline: str | None
    age: str
    unused: tuple[str, ...]
    pool: PoolSummary

    @classmethod
    def of(cls, outcome: FetchOutcome[InstalledPool], pool: PoolSummary) -> FetchedPool:
        """Return the document about a pool that was fetched."""
        pool_import = outcome.installed.imported if outcome.installed else None
        return cls(
            game=outcome.name,
            changed=outcome.installed is not None,
            offline=outcome.offline,
            age=outcome.age,
            unused=tuple(pool_import.report.unused_parts) if pool_import else (),
            pool=pool,
        )


class Fetcher(Struct, frozen=True, kw_only=True):
    """Fetches ban lists and pools into a library's data folder.

    now:    the time of this run
    accept: whether to install a list or pool despite objections, such as that it became much smaller
    """

    library: Library
    http: Http
    now: datetime
    accept: bool = False

    @property
    def memory(self) -> Memory:
        """The records of earlier fetches."""
        return Memory(self.library.home.path)

    # -- ban lists

    def banlist(
        self, url: str, name: str | None = None, day: date | None = None
    ) -> FetchOutcome[InstalledList]:
        """Fetch a ban list and install it.

        name, day: the list's name and the day from which it is in force; if None, they are taken from the
                   address (`…/game/list/2026-01-31.toml`)

        If the server does not answer, the existing copy is used; raises Unreachable if no copy exists. Raises
        TourneyError, and keeps the old list, if the new list is refused (see `install_banlist`, `Http.get`).
        """
        source = public_address(url)
        name, day = list_and_day(self.library, unquote(_path(source)), name, day)

        def install(text: str) -> InstalledList:
            return install_banlist(self.library, name, day, text, source=source, accept=self.accept)

        target = f"banlists/{name}/{day.isoformat()}.toml"
        return self._fetch_file(url, target, FetchOutcome(name=name, day=day), install)

    # -- pools

    def pool(self, url: str, game: str | None = None) -> FetchOutcome[InstalledPool]:
        """Fetch a pool and install it: `pool.toml`, and the file of each set from the same folder.

        A pool that changes while it is fetched is fetched again, so that all files belong together.

        game: the game of the pool; if None, it is taken from `pool.toml`

        Raises the same errors as `banlist`, and those of `install_pool`.
        """
        source = public_address(url)
        before = self.memory.recall(source)
        outcome = FetchOutcome[InstalledPool](name=Path(before.target).name if before else "")
        try:
            files = self._pool_files(url, before)
        except Unreachable as fault:
            return self._offline(fault, before, outcome)
        parts = {file: part for file, (part, _) in files.items()}
        if before and _digests(parts) == _digests(before.parts):
            return self._note_unchanged(before, parts, outcome)
        head = decode_source(files.pop(_HEAD)[1], source=source)
        game = game or parse_schema(head, source=source).game
        sets = {file.removesuffix(".jsonl"): content for file, (_, content) in files.items()}
        installed_pool = install_pool(self.library, game, head, sets, source=source, accept=self.accept)
        self._keep(source, f"cardpools/{game}", parts)
        return FetchOutcome(name=game, installed=installed_pool)

    def _pool_files(self, url: str, before: Fetched | None) -> dict[str, tuple[Part, bytes]]:
        """Fetch all files of a pool, and repeat this if the pool changes meanwhile.

        Returns the content and the record of each file, by the file's name.

        before: the record of the last fetch; None if the pool was not fetched before
        """
        source, http = public_address(url), self.http.together()
        old = before.parts if before else {}
        stored_files = self.memory.files(before.target) if before else {}

        def fetch(at: str, file: str) -> tuple[Part, bytes]:
            part = old.get(file)
            reply = http.get(at, part.validators if part else {})
            if reply.content is None and part:
                return part, stored_files[file]
            return Part.of(reply), reply.content or b""

        for _ in range(MOST_CHANGES):
            files = {_HEAD: fetch(url, _HEAD)}
            part, head = files[_HEAD]
            for code in parse_schema(decode_source(head, source=source), source=source).sets:
                if not code.replace("-", "").replace("_", "").isalnum():
                    raise TourneyError(f"{source}: `{code}` cannot be the name of a set file")
                with suppress(NoSuchFile):  # a set without cards, which is listed because printings name it
                    files[f"{code}.jsonl"] = fetch(urljoin(url, f"{code}.jsonl"), f"{code}.jsonl")
            again = http.get(url, part.validators)
            if again.content is None or again.content == head:
                return files
            old = {}
        raise TourneyError(f"{source}: the pool changes while it is being fetched", "try again later")

    def table(self, url: str, game: str, code: str | None = None) -> FetchOutcome[InstalledPool]:
        """Fetch a table of cards and install it as a set of the pool of `game`.

        The table can be CSV, TSV, JSON or JSON Lines.

        code: the code of the set; if None, it is taken from the address

        If the server does not answer, the existing copy is used; raises Unreachable if no copy exists. Raises
        the errors of `Http.get`, `prepare_import` and `install_import`, too.
        """
        source = public_address(url)
        name = unquote(_path(source)).rpartition("/")[2]
        set_code = code or slug(name.rpartition(".")[0])

        def install(text: str) -> InstalledPool:
            pool_import = prepare_import(self.library, CardFile(name, text, source), game, code=set_code)
            return install_import(self.library, pool_import, source=source, accept=self.accept)

        return self._fetch_file(url, f"cardpools/{game}/{set_code}.jsonl", FetchOutcome(name=game), install)

    def _fetch_file(
        self,
        url: str,
        target: str,
        outcome: FetchOutcome[T],
        install: Callable[[str], T],
    ) -> FetchOutcome[T]:
        """Fetch a file and install its text, unless the copy at `target` is current.

        outcome: the result to complete and return
        install: installs the text
        """
        source, file = public_address(url), Path(target).name
        before = self.memory.recall(source)
        if before and (before.target != target or file not in before.parts):
            before = None
        try:
            reply = self.http.get(url, before.parts[file].validators if before else {})
        except Unreachable as fault:
            return self._offline(fault, before, outcome)
        if before and reply.content is None:
            return self._note_unchanged(before, before.parts, outcome)
        result = install(decode_source(reply.content or b"", source=source))
        self._keep(source, target, {file: Part.of(reply)})
        return replace(outcome, installed=result)

    # -- earlier fetches

    def _keep(self, url: str, target: str, parts: Mapping[str, Part]) -> None:
        self.memory.keep(Fetched(url, self.now, target, self.memory.result(target), dict(parts)))

    def _note_unchanged(
        self, before: Fetched, parts: Mapping[str, Part], outcome: FetchOutcome[T]
    ) -> FetchOutcome[T]:
        self.memory.keep(Fetched(before.url, self.now, before.target, before.result, dict(parts)))
        return replace(outcome, age=age_words(before.at, self.now))

    def _offline(
        self, fault: Unreachable, before: Fetched | None, outcome: FetchOutcome[T]
    ) -> FetchOutcome[T]:
        if before is None:
            raise fault
        return replace(outcome, offline=fault.message, age=age_words(before.at, self.now))


def _path(url: str) -> str:
    """Return the path of an address. Raises TourneyError if it is not a web address."""
    try:
        return urlsplit(url).path
    except ValueError:
        raise TourneyError(f"`{url}` is not a web address", "an address starts with https://") from None


def _digests(parts: Mapping[str, Part]) -> dict[str, str]:
    return {file: part.digest for file, part in parts.items()}


# -- The record of fetched files, which lets the server answer that a file has not changed


class Part(Struct, frozen=True):
    """The record of a fetched file.

    digest: the SHA-256 of the bytes that were received
    etag, modified: the headers with which the server can answer that the file has not changed
    """

    digest: str
    etag: str | None = None
    modified: str | None = None

    @classmethod
    def of(cls, reply: Reply) -> Part:
        """Return the record of a fetched file, given the reply of the server."""
        return cls(sha256(reply.content or b"").hexdigest(), reply.etag, reply.modified)

    @property
    def validators(self) -> Mapping[str, str | None]:
        """The request headers that let the server answer that the file has not changed."""
        return {"etag": self.etag, "modified": self.modified}


class Fetched(Struct, frozen=True):
    """The record of the last fetch from `url`.

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


class Memory(Struct, frozen=True):
    """The records of the fetches into the data folder `home`, stored in `home/fetched/`."""

    home: Path

    def recall(self, url: str) -> Fetched | None:
        """Return the record of the last fetch from `url`.

        Returns None, so that everything is fetched again, if no record exists, if it cannot be read, or if
        the installed files have changed.
        """
        record = read_record(self._path(url), Fetched)
        with suppress(OSError, ValueError):
            return record if record and record.result == self.result(record.target) else None
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

    def keep(self, record: Fetched) -> None:
        """Store a record. Raises TourneyError if it cannot be written."""
        replace_file(self._path(record.url), msgspec.json.format(msgspec.json.encode(record)))

    def _path(self, url: str) -> Path:
        return self.home / "fetched" / f"{sha256(url.encode(errors='surrogatepass')).hexdigest()[:32]}.json"


def age_words(since: datetime, now: datetime) -> str:
    """Return how long before `now` a time was, in words.

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
