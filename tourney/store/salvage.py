"""Make a new event from the intact parts of a damaged event and of its backups.

The rows that can still be read are called the event's remains. The chain of entries is followed from entry 1.
Each entry is taken from the damaged event or, if it cannot be read there, from the newest backup that has it.
The texts and the secret that the entries name are then collected in the same way. Every part is checked: an
entry is used only if its digest continues the chain, and a text or a secret only if it has the digest that an
entry names.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from tourney.errors import TourneyError
from tourney.event.entry import (
    NOTHING_YET,
    Entry,
    JournalRow,
    Text,
    chained,
    decode,
    described,
    erased,
    intact,
    is_own_secret,
    kept_rules,
    read,
)
from tourney.event.fold import fold, sentence
from tourney.event.kind import EventReading
from tourney.event.ops import EventClosed, Kept, Ref, Undone
from tourney.store.event_file import MOST, EventFile, one_line, schema_objects
from tourney.store.files import fault_words, scratch, special_kind
from tourney.store.folder import remember_copy
from tourney.store.journal import EventPlace
from tourney.store.places import backup_folder_of
from tourney.store.sqlite import EventConnection, connect, refusals

T = TypeVar("T")

RulesAt = Callable[[Kept], bytes | None]
"""A function that returns the bytes of an installed rule file; None if it is not installed.

The file is used only if it has the digest of the lost rule file.
"""

LARGEST = 2**30
"""The maximum size in bytes of a file to read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Salvaged:
    """The new event, and a list of what is missing in it.

    path:    the file of the new event
    entry, digest: the number and the digest of its last entry
    written: the number of entries that the damaged event had; None if this number can no longer be read
    missing: each lost item in words, with the command that enters it again (may be empty)
    unplaced: readable entries that follow a lost entry, each with its number and a sentence
    again:   each item that was recovered from a backup or the installed rules, with its source
    backup:  the newest backup, if anything is missing and a backup exists
    """

    path: Path
    entry: int
    digest: str
    written: int | None
    missing: tuple[tuple[str, str], ...]
    unplaced: tuple[tuple[int, str], ...]
    again: tuple[tuple[str, str], ...]
    backup: Path | None

    @property
    def complete(self) -> bool:
        """Whether nothing is missing."""
        return not self.missing


@dataclass(frozen=True, slots=True, kw_only=True)
class _Remains:
    """The rows of a perhaps damaged event that can still be read.

    Only the digests of the texts have been checked.

    last:    the number and digest of the last entry, according to the event; None if they cannot be read
    texts:   the texts that match the digest under which they are stored; without bytes if they were deleted
    erased:  see `Journal.erased`
    without_secret: whether the event is a copy that was made without the secret
    """

    name: str
    rows: Mapping[int, JournalRow] = field(default_factory=dict)
    texts: Mapping[Ref, Text] = field(default_factory=dict)
    erased: frozenset[Ref] = frozenset()
    secret: bytes | None = None
    last: tuple[int, str] | None = None
    without_secret: bool = False


def _remains_of(name: str, tables: Mapping[str, Sequence[tuple[Any, ...]]], *, whole: bool) -> _Remains:
    """Return the remains of an event, given the rows of its tables that could be read.

    whole: whether each table was read completely
    """

    def typed(table: str, *types: type) -> list[tuple[Any, ...]]:
        return [row for row in tables.get(table, ()) if all(map(isinstance, row, types))]

    return _Remains(
        name=name,
        rows={row[0]: JournalRow(*row) for row in typed("journal", int, str, str, bytes, str)},
        texts={text[0]: Text(*text) for text in tables["texts"] if intact(*text)},
        erased=frozenset(map(Ref, dict(typed("header", str, str)).get("erased", "").split())),
        secret=next((secret for (secret,) in typed("secret", bytes)), None),
        last=next(((seq, digest) for seq, digest in typed("head", int, str)), None),
        without_secret=whole and not tables["secret"],
    )


_COLUMNS = {
    "journal": "seq, at, by, op, digest",
    "texts": "digest, salt, bytes",
    "head": "seq, digest",
    "secret": "bytes",
}
"""The tables from which an event is salvaged, and their columns."""


def salvage(place: EventPlace, target: Path, rules_at: RulesAt) -> Salvaged:
    """Make the event file `target` from the intact parts of a damaged event and its backups.

    The damaged event is not changed. Raises TourneyError if not even the first entry is intact, or if
    `target` exists or cannot be written.
    """
    if target.exists():
        raise TourneyError(f"{target.name} exists already", "`--to FILE` names another file")
    backups = _backups(place)
    saving = _Saving([_remains(place), *_readable_backups(backups)])
    rows = saving.chain()
    if not rows:
        raise TourneyError(
            f"nothing can be salvaged from {place.name}: not even its first entry is intact",
            None if backup_folder_of(place).is_dir() else "there are no copies in `.tourney-backups/` either",
        )
    entries = read(rows)
    texts, cleared = saving.texts(entries, rules_at)
    secret = saving.secret(entries)
    with EventFile.create(target, rows, texts, secret) as journal:
        if cleared:
            journal.erase(cleared)
    remember_copy(place, rows[0].digest, target)
    missing = (*_missing_entries(saving.main.last, rows[-1]), *saving.missing)
    return Salvaged(
        path=target,
        entry=rows[-1].seq,
        digest=rows[-1].digest,
        written=saving.main.last[0] if saving.main.last else None,
        missing=missing,
        unplaced=tuple(_unplaced(saving.main.rows, entries, texts)),
        again=tuple(saving.restored.items()),
        backup=next(iter(backups), None) if missing else None,
    )


def _backups(place: EventPlace) -> list[Path]:
    """Return the backups of an event, newest first."""
    files = [path for path in backup_folder_of(place).glob("*.tourney") if path.is_file()]
    return sorted(files, key=lambda path: path.stat().st_mtime, reverse=True)


def _readable_backups(backups: Iterable[Path]) -> Iterator[_Remains]:
    for path in backups:
        with suppress(TourneyError):
            yield _remains_of_file(path)


class _Saving:
    """Collects intact parts of the damaged event (`main`), or else of its backups.

    restored: each part that came from a backup or from the installed rules → its source
    missing:  each lost text or secret in words, with the command that enters it again
    """

    def __init__(self, sources: Sequence[_Remains]) -> None:
        self.sources, self.main = sources, sources[0]
        self.restored: dict[str, str] = {}
        self.missing: list[tuple[str, str]] = []

    def _first(self, label: str, part_of: Callable[[_Remains], T | None]) -> T | None:
        """Return a part from the first source that has it, and note the source; None if none has it.

        label:   the part in words
        part_of: returns the part from a source; None if the source does not have it
        """
        for source in self.sources:
            if (part := part_of(source)) is not None:
                if source is not self.main:
                    self.restored[label] = f"in {source.name}"
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
            if row is None or (source is not self.main and self.main.last == last):
                return None
            return row if chained(last[1], row.seq, row.at, row.by, row.op) == row.digest else None

        while row := self._first(f"entry {last[0] + 1}", following):
            rows.append(row)
            last = row.seq, row.digest
        return rows

    def texts(self, entries: Sequence[Entry], rules_at: RulesAt) -> tuple[list[Text], set[Ref]]:
        """Return the texts that the entries name, and the refs of the erased texts among them.

        A text that was deleted by request is not restored, even if no entry of this chain records it.
        """
        kept = {rule.text: rule for entry in entries for rule in kept_rules(entry.op)}
        cleared = {ref for source in self.sources for ref in source.erased} & described(entries).keys()
        deleted = {*erased(entries), *cleared}
        texts: list[Text] = []
        for ref, (label, remedy) in described(entries).items():
            text: Text | None
            if ref in deleted:
                text = Text(ref, None, None)  # as a file stores a deleted text
            else:
                text = self._first(label, lambda source, ref=ref: source.texts.get(ref))  # type: ignore[misc]
            if text is None and ref in kept:
                content = rules_at(kept[ref])
                if content is not None and sha256(content).hexdigest() == ref:
                    self.restored[label] = "among the rules installed here"
                    text = Text(ref, b"", content)
            if text is None:
                self.missing.append((label, remedy))
            else:
                texts.append(text)
        return texts, cleared

    def secret(self, entries: Sequence[Entry]) -> bytes | None:
        """Return the secret whose hash is in entry 1."""
        for entry in entries:
            if isinstance(entry.op, EventClosed) and entry.op.secret is not None:
                with suppress(ValueError):
                    if is_own_secret(entries[0], revealed := bytes.fromhex(entry.op.secret)):
                        return revealed
        if self.main.without_secret:  # a copy that was made without the secret
            return None

        def own(source: _Remains) -> bytes | None:
            return source.secret if source.secret and is_own_secret(entries[0], source.secret) else None

        secret = self._first("the secret", own)
        if secret is None:
            lost = "the secret: without it the program cannot pair a round"
            self.missing.append((lost, "tourney round pair --by-hand FILE"))
        return secret


def _missing_entries(written: tuple[int, str] | None, last: JournalRow) -> Iterator[tuple[str, str]]:
    """Yield the entries that are missing after `last`, in words, each with an empty command.

    written: the number and digest of the event's last entry; None if they cannot be read
    """
    if written == (last.seq, last.digest):
        return
    if written is None or written[0] <= last.seq:
        yield f"whether entry {last.seq} was the last entry: the file no longer says so", ""
    elif written[0] == last.seq + 1:
        yield f"entry {written[0]}, the last entry", ""
    else:
        lost = f"entries {last.seq + 1} to {written[0]}"
        yield f"{lost}: the first is damaged or missing; the others depend on it", ""


def _unplaced(
    rows: Mapping[int, JournalRow], entries: Sequence[Entry], texts: Sequence[Text]
) -> Iterator[tuple[int, str]]:
    """Yield the number and a sentence for each readable entry that follows a lost entry.

    The user can enter these changes again.
    """
    plain = {text.ref: text.words for text in texts}
    context = EventReading(fold(entries, plain), plain, entries)
    for seq, row in sorted(rows.items()):
        if seq > entries[-1].seq:
            with suppress(Exception):  # an unproved op may name players that do not exist
                op = decode(row.op, seq)
                undone = f"Entry {op.entry} was undone" if isinstance(op, Undone) else ""  # it may be lost
                yield seq, undone or sentence(op, context)


def _remains(place: EventPlace) -> _Remains:
    """Return the remains of the event at `place`; they are empty if its file is missing."""
    if place.file is not None:
        return _remains_of_file(place.file) if place.file.exists() else _Remains(name=place.name)
    from tourney.store.postgres import PostgresJournal  # the driver is optional

    with closing(place.open()) as journal:
        assert isinstance(journal, PostgresJournal)
        return _remains_of(place.name, journal.readable_tables(_COLUMNS), whole=True)


def _remains_of_file(path: Path) -> _Remains:
    """Return the remains of an event file.

    A copy of the file is read, so that SQLite can roll back an interrupted change in it. Raises TourneyError
    if the file cannot be read or is too large.
    """
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
            with refusals(copy), closing(connect(copy, damaged=True)) as connection:
                # Damaged text may not be UTF-8.
                connection.text_factory = lambda raw: raw.decode(errors="replace")
                # A table whose definition is damaged can pass the check, but its rows are not read.
                objects = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master")
                whole = {(*names, one_line(sql)) for *names, sql in objects} == schema_objects()
                whole = whole and connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
                columns = {**_COLUMNS, "header": "key, value"}
                tables = {table: _readable(connection, table, names) for table, names in columns.items()}
        except TourneyError:
            return _Remains(name=path.name)
        return _remains_of(path.name, tables, whole=whole)


def _readable(connection: EventConnection, table: str, columns: str) -> list[tuple[Any, ...]]:
    """Return the rows of a table, read from both ends up to a page that SQLite cannot read.

    Returns no rows if the definition of the table is not the one of tourney.
    """
    rows: dict[tuple[Any, ...], None] = {}
    expected = {sql for kind, name, _, sql in schema_objects() if (kind, name) == ("table", table)}
    with suppress(sqlite3.Error):
        query = "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?"
        if {one_line(sql) for (sql,) in connection.execute(query, (table,))} != expected:
            return []
    for direction in ("ASC", "DESC"):
        room = min(MOST, connection.path.stat().st_size + 2**16)
        with suppress(sqlite3.Error):
            query = f"SELECT {columns} FROM {table} ORDER BY rowid {direction}"  # noqa: S608
            for row in connection.execute(query):
                room -= sum(len(value) for value in row if isinstance(value, bytes | str))
                if room < 0:
                    break
                rows[row] = None
    return list(rows)
