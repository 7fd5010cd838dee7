"""JSON documents about data files that were checked, installed or fetched."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date

import msgspec
from msgspec import UNSET, UnsetType

from tourney.cards.pool import PoolSummary
from tourney.document import Document
from tourney.rules.banlist import Change
from tourney.store.banlists import InstalledList
from tourney.store.checking import CheckedData
from tourney.store.fetching import FetchOutcome
from tourney.store.pools import PoolImport


class DataChecks(Document, frozen=True, tag="tourney.pool-check/1"):
    """What `tourney pool check --json` prints.

    sound: whether the data has no errors; advice is ignored
    checked: each piece of data that was checked, with its findings
    """

    sound: bool
    checked: tuple[CheckedData, ...]


def data_checks(checks: Iterable[CheckedData]) -> DataChecks:
    """Return a document with the result of a check."""
    checked = tuple(checks)
    return DataChecks(all(check.sound for check in checked), checked)


class ImportedPool(Document, frozen=True, tag="tourney.pool-import/1"):
    """What `tourney pool import FILE --game GAME --json` prints.

    game: the game, by its id
    set: the code of the set that the cards belong to
    cards: the number of cards in the set now
    before: the number of cards in the set before; null for a new set
    written: the folder to which the pool was written; null with `--try`
    new_attributes: the attributes that the pool did not have before, with their types
    unused: the columns and cards of the file that could not be used, in sentences
    """

    game: str
    set: str
    cards: int
    before: int | None
    written: str | None
    new_attributes: Mapping[str, str]
    unused: tuple[str, ...]


def imported_pool(prepared: PoolImport) -> ImportedPool:
    """Return a document with the result of importing cards into a pool, or of a dry run."""
    return ImportedPool(
        game=prepared.game,
        set=prepared.code,
        cards=prepared.cards,
        before=prepared.had,
        written=str(prepared.installed.path) if prepared.installed else None,
        new_attributes={name: attribute.kind.value for name, attribute in prepared.report.attributes.items()},
        unused=tuple(prepared.report.unused),
    )


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


def fetched_pool(outcome: FetchOutcome, pool: PoolSummary) -> FetchedPool:
    """Return a document with the result of fetching a pool."""
    installed = outcome.installed
    return FetchedPool(
        game=outcome.name,
        changed=installed is not None,
        offline=outcome.offline,
        age=outcome.age,
        unused=tuple(installed.report.unused) if isinstance(installed, PoolImport) else (),
        pool=pool,
    )


class ImportedBanList(Document, frozen=True, tag="tourney.banlist-import/1"):
    """What `tourney banlist import FILE --json` prints.

    name: the name of the list
    from: the first day on which it is in force
    fingerprint: the first digits of the digest
    digest: the SHA-256 of the list's text
    path: the file that was written
    changed: whether a new list was installed
    changes: the changes from the previous list
    overruled: the objections that `--accept` overruled, in sentences
    """

    name: str
    day: date = msgspec.field(name="from")
    fingerprint: str
    digest: str
    path: str
    changed: bool
    changes: tuple[Change, ...]
    overruled: tuple[str, ...]


def imported_banlist(installed: InstalledList) -> ImportedBanList:
    """Return a document with the result of installing a ban list."""
    banlist = installed.banlist
    return ImportedBanList(
        name=installed.name,
        day=banlist.day,
        fingerprint=banlist.fingerprint,
        digest=banlist.digest,
        path=str(installed.path),
        changed=not installed.already,
        changes=installed.changes,
        overruled=installed.overruled,
    )


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


def fetched_banlist(outcome: FetchOutcome) -> FetchedBanList:
    """Return a document with the result of fetching a ban list."""
    if not isinstance(outcome.installed, InstalledList):
        return FetchedBanList(
            name=outcome.name, day=outcome.day, changed=False, offline=outcome.offline, age=outcome.age
        )
    imported = msgspec.structs.asdict(imported_banlist(outcome.installed))
    return FetchedBanList(**imported, offline=outcome.offline, age=outcome.age)
