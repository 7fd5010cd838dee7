"""JSON documents about events as files: checks, copies, exports and imports."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import UNSET, UnsetType

from tourney.document import Document
from tourney.errors import Finding
from tourney.event.state import Round, State
from tourney.store.journal import EventPlace, Listed

if TYPE_CHECKING:  # they load the readers of other programs
    from tourney.desk.takeover import Takeover


class EventCheck(Document, frozen=True, tag="tourney.event-check/1"):
    """What `tourney event check --json` prints.

    entry: the number of the last entry in the journal; null if an entry cannot be read
    digest: the digest of the journal up to that entry, a SHA-256; null if an entry cannot be read
    findings: damage, contradictions, and what cannot be verified
    """

    entry: int | None
    digest: str | None
    findings: tuple[Finding, ...]


class Backups(Document, frozen=True, tag="tourney.event-backup/1"):
    """What `tourney event backup --json` prints.

    files: the copy that was made; with `--list`, all copies, newest first
    """

    files: tuple[str, ...]


class EventRow(msgspec.Struct, frozen=True):
    """An event.

    event: its file, or its name in the database
    entries: the number of its entries
    last: when the last entry was written; empty if there are no entries
    fault: why the event cannot be read; null if it can
    """

    event: str
    entries: int
    last: str
    fault: str | None


class EventList(Document, frozen=True, tag="tourney.events/1"):
    """What `tourney event list --json` prints.

    events: the events, sorted by name
    """

    events: tuple[EventRow, ...]


class ExportedEvent(Document, frozen=True, tag="tourney.event-export/1"):
    """What `tourney event export --json` prints.

    files: the files that were written
    form: the other program's file format; missing without `--as`
    lost: what that format cannot store, in words; missing without `--as`
    """

    files: tuple[str, ...]
    form: str | UnsetType = UNSET
    lost: tuple[str, ...] | UnsetType = UNSET


class ImportedRound(msgspec.Struct, frozen=True):
    """A round that would be imported.

    title: the name of the round
    tables: the number of its tables
    playing: the number of its tables without a result
    byes: the number of players without a table
    """

    title: str
    tables: int
    playing: int
    byes: int


class ImportedEvent(Document, frozen=True, kw_only=True, tag="tourney.event-import/1"):
    """What `tourney event import FILE --json` prints.

    file: the new event
    entry: the number of its last entry
    digest: the digest of its journal up to that entry, a SHA-256
    form: the format of the file; this key and the next six are missing for an export of tourney
    profile: the standings profile
    took: what was imported, in words
    agrees: which standings in the file agree with those of the event, in words; null if none were compared
    difference: the first difference between the file's standings and those of the event; null if there is
        none
    notes: contradictions in the file, and facts that the event stores differently, in sentences
    left_out: facts in the file that an event cannot store, in words
    dry_run: true if nothing was written because of `--dry-run`; otherwise missing
    players: names of the players; only with `--dry-run`
    rounds: the rounds; only with `--dry-run`
    """

    file: str
    entry: int
    digest: str
    form: str | UnsetType = UNSET
    profile: str | UnsetType = UNSET
    took: str | UnsetType = UNSET
    agrees: str | UnsetType | None = UNSET
    difference: str | UnsetType | None = UNSET
    notes: tuple[str, ...] | UnsetType = UNSET
    left_out: tuple[str, ...] | UnsetType = UNSET
    dry_run: bool | UnsetType = UNSET
    players: tuple[str, ...] | UnsetType = UNSET
    rounds: tuple[ImportedRound, ...] | UnsetType = UNSET


class TableScript(Document, frozen=True, tag="tourney.event-tables/1"):
    """What `tourney event tables --json` prints.

    sql: the script for the administrator of the database
    """

    sql: str


class GeneratedEvent(Document, frozen=True, tag="tourney.event-generate/1"):
    """What `tourney event generate --json` prints.

    seed: the seed that generates the same event again
    file: the new event
    entry: the number of its last entry
    digest: the digest of its journal up to that entry, a SHA-256
    """

    seed: str
    file: str
    entry: int
    digest: str


def backups(files: Iterable[Path]) -> Backups:
    """Return the document about copies of an event."""
    return Backups(files=tuple(map(str, files)))


def event_list(events: Iterable[Listed], scheme: str) -> EventList:
    """Return the events of a folder or a database.

    scheme: `pg:` for a database, otherwise empty
    """
    return EventList(
        events=tuple(
            EventRow(f"{scheme}{event.name}", event.entries, event.last, event.fault or None)
            for event in events
        )
    )


def imported_event(place: EventPlace, state: State, *, dry_run: bool) -> ImportedEvent:
    """Return the document about an event that was made from an export."""
    return ImportedEvent(
        file=str(place), entry=state.entry, digest=state.digest, dry_run=True if dry_run else UNSET
    )


def taken_event(place: EventPlace, state: State, takeover: Takeover, *, dry_run: bool) -> ImportedEvent:
    """Return the document about an event that was made from another program's file."""
    return ImportedEvent(
        file=str(place),
        entry=state.entry,
        digest=state.digest,
        form=takeover.form.name,
        profile=state.profile,
        took=takeover.took,
        agrees=takeover.agrees or None,
        difference=takeover.difference or None,
        notes=takeover.notes,
        left_out=takeover.left_out,
        dry_run=True if dry_run else UNSET,
        players=tuple(player.name for player in state.players.values()) if dry_run else UNSET,
        rounds=tuple(map(_round, state.rounds)) if dry_run else UNSET,
    )


def _round(round_: Round) -> ImportedRound:
    return ImportedRound(round_.title, len(round_.tables), len(round_.playing), len(round_.byes))
