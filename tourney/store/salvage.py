"""Make a new event from the intact parts of a damaged event and of its backups.

First, all rows that can still be read are collected from the tables of the damaged event and of each backup
(`_Remains`). Then the chain of entries is followed from entry 1. Each entry is taken from the damaged event
or, if it cannot be read there, from the newest backup that has it. The texts and the secret that the entries
name are then collected in the same way. Every part is checked: an entry is used only if its digest continues
the chain, and a text or a secret only if it has the digest that an entry names.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from msgspec import Struct

from tourney.document import Document
from tourney.errors import TourneyError
from tourney.event.entry import (
    NOTHING_YET,
    Entry,
    JournalRow,
    Text,
    chain_digest,
    decode,
    erased_refs,
    is_intact,
    is_own_secret,
    kept_rules,
    read,
    text_descriptions,
)
from tourney.event.fold import fold, sentence
from tourney.event.kind import EventReading
from tourney.event.ops import EventClosed, Kept, Ref, Undone
from tourney.store.event_file import EventFile, one_line, schema_objects
from tourney.store.files import fault_words, scratch, special_kind
from tourney.store.folder import remember_copy
from tourney.store.journal import EventPlace
from tourney.store.sqlite import connect, refusals

T = TypeVar("T")

RulesAt = Callable[[Kept], bytes | None]
"""A function that returns the bytes of an installed rule file; None if it is not installed.

The file is used only if it has the digest of the lost rule file.
"""

LARGEST = 2**30
"""The maximum size in bytes of a file to read."""


class MissingPart(Struct, frozen=True):
    """Something that a damaged event has lost.

    what: the missing part, in words
    command: the command that enters it again; null if no command can
    """

    what: str
    command: str | None = None


class UnplacedEntry(Struct, frozen=True):
    """A readable entry after a lost entry.

    entry: its number
    text: the entry as a sentence
    """

    entry: int
    text: str


class RestoredPart(Struct, frozen=True):
    """A part that was restored from elsewhere.

    what: the restored part, in words
    where: its source, in words
    """

    what: str
    where: str


class SalvagedEvent(Document, frozen=True, kw_only=True, tag="tourney.event-salvage/1"):
    """What `tourney event salvage --json` prints.

    file: the new event's file
    entry: the number of its last entry
    digest: the digest of its journal up to that entry, a SHA-256
    written: the number of entries in the damaged event; null if it is unknown
    complete: whether nothing is missing
    missing: the missing parts
    unplaced: readable entries that follow a lost entry; they are not in the new event
    found: the parts that were restored from elsewhere
    """

    file: str
    entry: int
    digest: str
    written: int | None
    complete: bool
    missing: tuple[MissingPart, ...]
    unplaced: tuple[UnplacedEntry, ...]
    found: tuple[RestoredPart, ...]


class _Remains(NamedTuple):
    """The parts of a perhaps damaged event that can still be read.

    Only the texts have been checked: texts that do not match their digests are left out.

    origin:         the source in words, such as `in friday-57-3fa9c1d2.tourney`
    rows:           number of an entry → its row in the journal
    texts:          digest → text; a text that was deleted by request has no bytes
    erased:         see `Journal.erased`
    last:           the number and digest of the last entry, according to the event; None if they cannot be
                    read
    without_secret: whether the event is a copy that was made without the secret
    """

    origin: str
    rows: Mapping[int, JournalRow] = {}
    texts: Mapping[Ref, Text] = {}
    erased: frozenset[Ref] = frozenset()
    secret: bytes | None = None
    last: tuple[int, str] | None = None
    without_secret: bool = False


_COLUMNS = {
    "journal": "seq, at, by, op, digest",
    "texts": "digest, salt, bytes",
    "head": "seq, digest",
    "secret": "bytes",
}
"""The tables from which an event is salvaged, and their columns."""


def salvage(place: EventPlace, target: Path, rules_at: RulesAt) -> SalvagedEvent:
    """Make the event file `target` from the intact parts of a damaged event and its backups.

    The damaged event is not changed. Raises TourneyError if not even the first entry is intact, or if
    `target` exists or cannot be written.
    """
    if target.exists():
        raise TourneyError(f"{target.name} exists already", "`--to FILE` names another file")
    main = _remains(place)
    parts = _Parts([main, *_remains_of_backups(place)])
    rows = parts.chain()
    if not rows:
        raise TourneyError(
            f"nothing can be salvaged from {place.name}: not even its first entry is intact",
            None if place.backup_folder.is_dir() else "there are no copies in `.tourney-backups/` either",
        )
    entries = read(rows)
    cleared_refs = text_descriptions(entries).keys() & frozenset[Ref]().union(
        *(part.erased for part in parts.sources)
    )
    texts = parts.texts(entries, {*erased_refs(entries), *cleared_refs}, rules_at)
    secret = parts.secret(entries)
    EventFile.create(target, rows, texts, secret, cleared_refs).close()
    remember_copy(place, rows[0].digest, target)
    missing = (*_missing_entries(main.last, rows[-1]), *parts.missing)
    return SalvagedEvent(
        file=str(target),
        entry=rows[-1].seq,
        digest=rows[-1].digest,
        written=main.last[0] if main.last else None,
        complete=not missing,
        missing=missing,
        unplaced=tuple(_unplaced_entries(main.rows, entries, texts)),
        found=tuple(RestoredPart(part_name, origin) for part_name, origin in parts.restored.items()),
    )


def newest_backups(place: EventPlace) -> list[Path]:
    """Return the event files in the folder of an event's copies, newest first."""
    files = [path for path in place.backup_folder.glob("*.tourney") if path.is_file()]
    return sorted(files, key=lambda path: path.stat().st_mtime, reverse=True)


class _Parts:
    """The intact parts of a damaged event, collected from `sources`.

    The first source is the damaged event, and the others are its backups. Each part comes from the first
    source that has it.

    restored: each part that did not come from the damaged event → its source
    missing:  each lost text or secret, with the command that enters it again
    """

    def __init__(self, sources: Sequence[_Remains]) -> None:
        self.sources, self.main = sources, sources[0]
        self.restored: dict[str, str] = {}
        self.missing: list[MissingPart] = []

    def _first(self, label: str, part_of: Callable[[_Remains], T | None]) -> T | None:
        """Return a part of the event from the first source that has it; None if no source has it.

        The sources are the damaged event, its backups and, for rule files, the rules installed here. A part
        that is not from the damaged event is noted in `restored`.

        label:   the part in words
        part_of: returns the part from a source; None if the source does not have it
        """
        for source in self.sources:
            if (part := part_of(source)) is not None:
                if source is not self.main:
                    self.restored[label] = source.origin
                return part
        return None

    def chain(self) -> list[JournalRow]:
        """Return the entries from entry 1 to the first break in the chain of digests.

        Entries that backups have after the last entry of the damaged event are not used.
        """
        rows: list[JournalRow] = []
        last = 0, NOTHING_YET

        def following(source: _Remains) -> JournalRow | None:
            row = source.rows.get(last[0] + 1)
            continues = row and chain_digest(last[1], row.seq, row.at, row.by, row.op) == row.digest
            return row if continues and (source is self.main or self.main.last != last) else None

        while row := self._first(f"entry {last[0] + 1}", following):
            rows.append(row)
            last = row.seq, row.digest
        return rows

    def texts(self, entries: Sequence[Entry], deleted_refs: set[Ref], rules_at: RulesAt) -> list[Text]:
        """Return the stored texts, such as names and decklists, to which the entries refer.

        Each text comes from the first source that has it. A text that no source has is added to `missing`.

        deleted_refs: refs of the texts that were deleted by request; these texts are returned without their
                      bytes
        """
        installed_texts = {}
        for rule in (rule for entry in entries for rule in kept_rules(entry.op)):
            content = rules_at(rule)
            if content is not None and sha256(content).hexdigest() == rule.text:
                installed_texts[rule.text] = Text(rule.text, b"", content)
        self.sources = [*self.sources, _Remains("among the rules installed here", texts=installed_texts)]
        texts = []
        for ref, (label, command) in text_descriptions(entries).items():
            if ref in deleted_refs:
                texts.append(Text(ref, None, None))  # as a file stores a deleted text
            elif text := self._first(label, lambda source, ref=ref: source.texts.get(ref)):  # type: ignore[misc]
                texts.append(text)
            else:
                self.missing.append(MissingPart(label, command or None))
        return texts

    def secret(self, entries: Sequence[Entry]) -> bytes | None:
        """Return the secret whose hash is in entry 1."""
        for entry in entries:
            if isinstance(entry.op, EventClosed) and entry.op.secret is not None:
                with suppress(ValueError):
                    if is_own_secret(entries[0], secret_bytes := bytes.fromhex(entry.op.secret)):
                        return secret_bytes
        if self.main.without_secret:
            return None

        def own_secret(source: _Remains) -> bytes | None:
            return source.secret if source.secret and is_own_secret(entries[0], source.secret) else None

        secret = self._first("the secret", own_secret)
        if secret is None:
            part = "the secret: without it the program cannot pair a round"
            self.missing.append(MissingPart(part, "tourney round pair --by-hand FILE"))
        return secret


def _missing_entries(last_written: tuple[int, str] | None, last: JournalRow) -> Iterator[MissingPart]:
    """Yield a description of the entries that the salvaged event lacks; nothing if it has all.

    If it is unknown whether it has all, the description says so.

    last_written: the number and digest of the last entry that was written to the damaged event; None if they
                  cannot be read
    last:         the last entry of the salvaged event
    """
    if last_written == (last.seq, last.digest):
        return
    if last_written is None or last_written[0] <= last.seq:
        yield MissingPart(f"whether entry {last.seq} was the last entry: the file no longer says so")
    elif last_written[0] == last.seq + 1:
        yield MissingPart(f"entry {last_written[0]}, the last entry")
    else:
        lost_entries = f"entries {last.seq + 1} to {last_written[0]}"
        yield MissingPart(f"{lost_entries}: the first is damaged or missing; the others depend on it")


def _unplaced_entries(
    rows: Mapping[int, JournalRow], entries: Sequence[Entry], texts: Sequence[Text]
) -> Iterator[UnplacedEntry]:
    """Yield each readable entry that follows a lost entry, so that it can be entered again."""
    plain = {text.ref: text.words for text in texts}
    context = EventReading(fold(entries, plain), plain, entries)
    for seq, row in sorted(rows.items()):
        if seq > entries[-1].seq:
            with suppress(Exception):  # an unproved op may name players that do not exist
                op = decode(row.op, seq)
                undo_text = f"Entry {op.entry} was undone" if isinstance(op, Undone) else ""  # it may be lost
                yield UnplacedEntry(seq, undo_text or sentence(op, context))


# -- reading what is left


def _remains(place: EventPlace) -> _Remains:
    """Read what is left of the damaged event at `place`; empty if its file is missing."""
    if place.file is not None:
        return _remains_of_file(place.file) if place.file.exists() else _Remains("")
    from tourney.store.postgres import PostgresJournal  # the driver is optional

    with closing(place.open()) as journal:
        assert isinstance(journal, PostgresJournal)
        return _remains_of("", journal.readable_tables(_COLUMNS), whole=True)


def _remains_of_backups(place: EventPlace) -> Iterator[_Remains]:
    for path in newest_backups(place):
        with suppress(TourneyError):
            yield _remains_of_file(path)


def _remains_of_file(path: Path) -> _Remains:
    """Read what is left of an event file that may be damaged, such as a backup.

    A copy of the file is read, so that SQLite can roll back an interrupted change in it. Raises TourneyError
    if the file cannot be read or is too large.
    """
    origin = f"in {path.name}"
    with scratch() as folder:
        copy = folder / path.name
        try:
            if kind := special_kind(path):
                raise TourneyError(f"{path.name} {kind}")
            if path.stat().st_size > LARGEST:
                raise TourneyError(f"{path.name} is larger than an event can be")
            shutil.copyfile(path, copy)
            journal = path.with_name(f"{path.name}-journal")
            if journal.exists() and special_kind(journal) is None:
                shutil.copyfile(journal, copy.with_name(journal.name))
        except OSError as fault:
            raise TourneyError(f"{path.name} cannot be read: {fault_words(fault)}") from None
        try:
            return _readable_tables(copy, origin)
        except TourneyError:
            return _Remains(origin)


def _readable_tables(copy: Path, origin: str) -> _Remains:
    """Read the rows of our tables that SQLite can still read, from a file that may be damaged.

    Raises TourneyError if SQLite cannot open the file.

    origin: the source of the rows in words
    """
    tables: dict[str, list[tuple[Any, ...]]] = {}
    with refusals(copy), closing(connect(copy, is_damaged=True)) as connection:
        connection.text_factory = lambda raw: raw.decode(errors="replace")  # damaged text may not be UTF-8
        objects = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master")
        schema = {(*names, one_line(sql)) for *names, sql in objects}
        whole = schema == schema_objects()
        whole = whole and connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
        for table, columns in {**_COLUMNS, "header": "key, value"}.items():
            rows: dict[tuple[Any, ...], None] = {}
            # A damaged definition can pass the check, but the rows of its table are not read. The rows are
            # read from both ends of a table, up to a page that SQLite cannot read.
            is_ours = {row for row in schema_objects() if row[:2] == ("table", table)} <= schema
            for direction in ("ASC", "DESC") if is_ours else ():
                query = f"SELECT {columns} FROM {table} ORDER BY rowid {direction}"  # noqa: S608
                with suppress(sqlite3.Error, TourneyError):
                    rows.update((row, None) for row in connection.rows(query))
            tables[table] = list(rows)
    return _remains_of(origin, tables, whole=whole)


def _remains_of(origin: str, tables: Mapping[str, Iterable[tuple[Any, ...]]], *, whole: bool) -> _Remains:
    """Return what is left of an event, given the rows that could be read from its tables.

    origin: the source of the rows in words
    whole:  whether each table was read completely
    """

    def rows_of(table: str, *types: type) -> list[tuple[Any, ...]]:
        return [row for row in tables.get(table, ()) if all(map(isinstance, row, types))]

    return _Remains(
        origin,
        rows={row[0]: JournalRow(*row) for row in rows_of("journal", int, str, str, bytes, str)},
        texts={text[0]: Text(*text) for text in tables["texts"] if is_intact(*text)},
        erased=frozenset(map(Ref, dict(rows_of("header", str, str)).get("erased", "").split())),
        secret=next((secret for (secret,) in rows_of("secret", bytes)), None),
        last=next(((seq, digest) for seq, digest in rows_of("head", int, str)), None),
        without_secret=whole and not tables["secret"],
    )
