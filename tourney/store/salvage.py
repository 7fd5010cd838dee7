"""Make an event from the intact parts of a damaged one and of its backups.

The rows that the database can still read are the event's `Remains`. The chain of entries is followed from
entry 1. Each entry comes from the damaged event or, if it cannot be read there, from the newest backup that
has it. The texts and the secret that the entries name are then collected in the same way. Nothing is trusted:
an entry is used only if its digest continues the chain, and a text or a secret only if it has the digest that
an entry names.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from tourney.errors import TourneyError
from tourney.event.entry import (
    NOTHING_YET,
    Entry,
    JournalRow,
    Text,
    Texts,
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
from tourney.event.kind import LogContext
from tourney.event.ops import EventClosed, Kept, Ref, Undone
from tourney.store.event_file import MOST, EventFile, one_line, schema_objects
from tourney.store.files import fault_words, scratch, special_kind
from tourney.store.folder import remember_copy
from tourney.store.journal import EventPlace
from tourney.store.places import backup_folder_of
from tourney.store.sqlite import EventConnection, connect, refusals

RulesAt = Callable[[Kept], bytes | None]
"""A function that returns the bytes of an installed rule file; None if there is none.

The file is used only if it has the digest of the lost rule file.
"""

LARGEST = 2**30
"""The maximum size in bytes of a file to read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Salvaged:
    """The new event, and a list of what is missing in it.

    path:    the file of the new event
    entry, digest: number and digest of its last entry
    written: the number of entries that the damaged event had; None if it cannot be read any more
    missing: each lost item in words, with the command that enters it again (may be empty)
    unplaced: readable entries that follow a lost entry: number and sentence
    again:   each item that was recovered from another place, with that place
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
class Remains:
    """The rows of a perhaps damaged event that can still be read.

    Only the digests of the texts have been checked.

    last:    number and digest of the last entry, according to the event; None if they cannot be read
    texts:   the texts that match the digest under which they are stored
    deleted: the texts without bytes, as after a deletion by request
    erased:  see `Journal.erased`
    without_secret: whether the event is a copy that was made without the secret
    """

    name: str
    rows: Mapping[int, JournalRow] = field(default_factory=dict)
    texts: Mapping[Ref, Text] = field(default_factory=dict)
    deleted: frozenset[Ref] = frozenset()
    erased: frozenset[Ref] = frozenset()
    secret: bytes | None = None
    last: tuple[int, str] | None = None
    without_secret: bool = False

    @property
    def written(self) -> int | None:
        """The number of entries that the event had; None if it cannot be read."""
        return self.last[0] if self.last else None

    @classmethod
    def of(
        cls,
        name: str,
        tables: Mapping[str, Sequence[tuple[Any, ...]]],
        *,
        erased: frozenset[Ref] = frozenset(),
        without_secret: bool,
    ) -> Self:
        """Return the remains that the rows of the tables hold.

        Rows with values of a wrong type are left out.

        tables: `journal` (seq, at, by, op, digest), `texts` (digest, salt, bytes), `head` (seq, digest) and
                `secret` (bytes). Their text values are bytes, because damaged text may not be UTF-8
        """
        texts = [
            Text(Ref(_word(ref)), salt, content)
            for ref, salt, content in tables["texts"]
            if isinstance(ref, bytes) and intact(_word(ref), salt, content)
        ]
        rows = [
            JournalRow(seq, _word(at), _word(by), op, _word(digest))
            for seq, at, by, op, digest in tables["journal"]
            if isinstance(seq, int) and all(isinstance(value, bytes) for value in (at, by, op, digest))
        ]
        heads = [
            (seq, _word(digest))
            for seq, digest in tables["head"]
            if isinstance(seq, int) and isinstance(digest, bytes)
        ]
        return cls(
            name=name,
            rows={row.seq: row for row in rows},
            texts={text.ref: text for text in texts if text.content is not None},
            deleted=frozenset(text.ref for text in texts if text.content is None),
            erased=erased,
            secret=next((secret for (secret,) in tables["secret"] if isinstance(secret, bytes)), None),
            last=next(iter(heads), None),
            without_secret=without_secret,
        )


def _word(raw: bytes) -> str:
    return raw.decode(errors="replace")


def salvage(place: EventPlace, target: Path, rules_at: RulesAt) -> Salvaged:
    """Make the event file `target` from the intact parts of `place` and its backups.

    `place` is only read.

    Raises TourneyError if not even the first entry is intact, or if `target` exists or cannot be written.
    """
    if target.exists():
        raise TourneyError(f"{target.name} exists already", "`--to FILE` names another file")
    saving = _Saving(place)
    if not saving.rows:
        raise TourneyError(
            f"nothing can be salvaged from {place.name}: not even its first entry is intact",
            None if backup_folder_of(place).is_dir() else "there are no copies in `.tourney-backups/` either",
        )
    entries = read(saving.rows)
    texts, missing_texts = saving.texts(entries, rules_at)
    secret, missing_secret = saving.secret(entries)
    with EventFile.create(target, saving.rows, texts, secret) as journal:
        if saving.cleared:
            journal.erase(saving.cleared)
    remember_copy(place, saving.rows[0].digest, target)
    last = saving.rows[-1]
    missing = (*saving.missing_entries(), *missing_texts, *missing_secret)
    return Salvaged(
        path=target,
        entry=last.seq,
        digest=last.digest,
        written=saving.main.written,
        missing=missing,
        unplaced=tuple(saving.unplaced(entries, _shown(texts))),
        again=tuple(saving.found.items()),
        backup=next(iter(_backups(place)), None) if missing else None,
    )


def _shown(texts: Sequence[Text]) -> Texts:
    return {text.ref: text.content.decode(errors="replace") if text.content else None for text in texts}


def _backups(place: EventPlace) -> list[Path]:
    """Return the backups of an event, newest first."""
    files = [path for path in backup_folder_of(place).glob("*.tourney") if path.is_file()]
    return sorted(files, key=lambda path: path.stat().st_mtime, reverse=True)


class _Saving:
    """Collects intact parts of the damaged event (`main`), or else of its backups.

    rows:    the entries with an unbroken chain
    found:   part that came from a backup or from the installed rules → its source
    cleared: texts that are not restored because they were erased from a backup
    """

    def __init__(self, place: EventPlace) -> None:
        self.main = _remains(place)
        self._read = [self.main]
        self._unread = _backups(place)
        self.found: dict[str, str] = {}
        self.cleared: set[Ref] = set()
        self.rows = self._chain()

    def _sources(self) -> Iterator[Remains]:
        """Yield the damaged event, then its backups. A backup is read only when it is needed."""
        yield from list(self._read)
        while self._unread:
            with suppress(TourneyError):
                self._read.append(_remains_of_file(self._unread.pop(0)))
                yield self._read[-1]

    def _note(self, what: str, source: Remains) -> None:
        if source is not self.main:
            self.found[what] = f"in {source.name}"

    def _chain(self) -> list[JournalRow]:
        rows: list[JournalRow] = []
        while row := self._next(rows[-1].digest if rows else NOTHING_YET, len(rows) + 1):
            rows.append(row)
        return rows

    def _next(self, digest: str, seq: int) -> JournalRow | None:
        """Return entry `seq`, or None.

        Backups are not used beyond the last entry of the damaged event.
        """
        for source in self._sources():
            if source is not self.main and self.main.last == (seq - 1, digest):
                return None
            row = source.rows.get(seq)
            if row is not None and chained(digest, seq, row.at, row.by, row.op) == row.digest:
                self._note(f"entry {seq}", source)
                return row
        return None

    def missing_entries(self) -> Iterator[tuple[str, str]]:
        """Yield the entries that are missing at the end of the chain, in words."""
        last, count = self.rows[-1], self.main.written
        if self.main.last == (last.seq, last.digest):
            return
        if count is None or count <= last.seq:
            yield f"whether entry {last.seq} was the last entry: the file no longer says so", ""
        elif count == last.seq + 1:
            yield f"entry {count}, the last entry", ""
        else:
            yield (
                f"entries {last.seq + 1} to {count}: the first is damaged or missing; "
                "the others depend on it",
                "",
            )

    def unplaced(self, entries: Sequence[Entry], texts: Texts) -> Iterator[tuple[int, str]]:
        """Yield the number and the sentence of each later entry that can be read.

        You can enter them again by hand.
        """
        context = LogContext(fold(entries, texts), texts, entries)
        for seq, row in sorted(self.main.rows.items()):
            if seq > entries[-1].seq:
                with suppress(Exception):  # an unproved op may name players that do not exist
                    op = decode(row.op, seq)
                    if isinstance(op, Undone):  # the entry that it undoes may be lost
                        yield seq, f"Entry {op.entry} was undone"
                    else:
                        yield seq, sentence(op, context)

    def texts(self, entries: Sequence[Entry], rules_at: RulesAt) -> tuple[list[Text], list[tuple[str, str]]]:
        """Return the texts that the entries name, and each missing text in words with its remedy."""
        deleted = erased(entries)
        kept = {rule.text: rule for entry in entries for rule in kept_rules(entry.op)}
        texts: list[Text] = []
        missing: list[tuple[str, str]] = []
        for ref, (label, remedy) in described(entries).items():
            if ref in deleted or self._is_cleared(ref):
                texts.append(Text(ref, None, None))  # type: ignore[arg-type] # a deleted text, as a file stores it
            elif text := self._text(ref, label) or self._installed(label, kept.get(ref), rules_at):
                texts.append(text)
            else:
                missing.append((label, remedy))
        return texts, missing

    def _is_cleared(self, ref: Ref) -> bool:
        """Return whether a text was deleted by request, but no entry of this chain records it."""
        if any(ref in source.erased for source in self._read):
            self.cleared.add(ref)
        return ref in self.cleared or ref in self.main.deleted

    def _text(self, ref: Ref, what: str) -> Text | None:
        for source in self._sources():
            if ref in source.texts:
                self._note(what, source)
                return source.texts[ref]
        return None

    def _installed(self, what: str, rule: Kept | None, rules_at: RulesAt) -> Text | None:
        content = rules_at(rule) if rule else None
        if rule is None or content is None or sha256(content).hexdigest() != rule.text:
            return None
        self.found[what] = "among the rules installed here"
        return Text(rule.text, b"", content)

    def secret(self, entries: Sequence[Entry]) -> tuple[bytes | None, list[tuple[str, str]]]:
        """Return the secret whose hash is in entry 1, and a message if it is lost."""
        for entry in entries:
            if isinstance(entry.op, EventClosed) and entry.op.secret is not None:
                with suppress(ValueError):
                    if is_own_secret(entries[0], revealed := bytes.fromhex(entry.op.secret)):
                        return revealed, []
        if self.main.without_secret:  # a copy that was made without the secret
            return None, []
        for source in self._sources():
            if source.secret is not None and is_own_secret(entries[0], source.secret):
                self._note("the secret", source)
                return source.secret, []
        lost = "the secret: without it the program cannot pair a round"
        return None, [(lost, "tourney round pair --by-hand FILE")]


def _remains(place: EventPlace) -> Remains:
    """Read an event. Nothing remains of a missing file."""
    if place.file is not None:
        return _remains_of_file(place.file) if place.file.exists() else Remains(name=place.name)
    from tourney.store.postgres import PostgresJournal  # the driver is optional

    with closing(place.open()) as journal:
        assert isinstance(journal, PostgresJournal)
        tables = journal.readable_tables()
    return Remains.of(place.name, tables, without_secret=not tables["secret"])


def _remains_of_file(path: Path) -> Remains:
    """Read a copy of a file, so that SQLite can roll back an interrupted change in it.

    Raises TourneyError.
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
        return _read_file(copy)


def _read_file(path: Path) -> Remains:
    """Return the rows that SQLite can still read in a file that may be damaged or hostile."""
    try:
        with refusals(path), closing(connect(path, damaged=True)) as connection:
            whole = connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
            tables = {table: _readable(connection, path, table) for table in _COLUMNS}
    except TourneyError:
        return Remains(name=path.name)
    header = {key: value for key, value in tables["header"] if isinstance(value, bytes)}
    deleted = header.get(b"erased", b"").decode(errors="replace").split()
    return Remains.of(
        path.name,
        tables,
        erased=frozenset(map(Ref, deleted)),
        without_secret=whole and not tables["secret"],
    )


_COLUMNS = {
    "journal": "seq, CAST(at AS BLOB), CAST(by AS BLOB), CAST(op AS BLOB), CAST(digest AS BLOB)",
    "texts": "CAST(digest AS BLOB), salt, bytes",
    "head": "seq, CAST(digest AS BLOB)",
    "secret": "bytes",
    "header": "CAST(key AS BLOB), CAST(value AS BLOB)",
}


def _readable(connection: EventConnection, path: Path, table: str) -> list[tuple[Any, ...]]:
    """Return the rows of a table, read from both ends up to a page that SQLite cannot read.

    Returns no rows if the table is not defined as tourney defines it.
    """
    rows: dict[tuple[Any, ...], None] = {}
    expected = {sql for kind, name, _, sql in schema_objects() if (kind, name) == ("table", table)}
    with suppress(sqlite3.Error, UnicodeDecodeError):
        query = "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?"
        if {one_line(sql) for (sql,) in connection.execute(query, (table,))} != expected:
            return []
    for direction in ("ASC", "DESC"):
        room = min(MOST, path.stat().st_size + 2**16)
        with suppress(sqlite3.Error):
            query = f"SELECT {_COLUMNS[table]} FROM {table} ORDER BY rowid {direction}"  # noqa: S608
            for row in connection.execute(query):
                room -= sum(len(value) for value in row if isinstance(value, bytes))
                if room < 0:
                    break
                rows[row] = None
    return list(rows)
