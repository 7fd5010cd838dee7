"""Making an event of all that is intact in a damaged one and in the copies beside it.

The chain is followed from the first entry as far as it goes, then the texts and the secret that it rests on are sought.
A file is searched for them without regard to what SQLite makes of it: for rows through SQLite; for the records as they lie
in its pages (https://www.sqlite.org/fileformat2.html, sections 1.5, 1.6 and 2.1); for the words of an entry or the digest
of a text wherever they stand; and where one bit was turned, for that bit. Nothing that is read has to be believed: an entry
counts if it continues the chain of digests, a text if it fits its digest.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from tourney.errors import TourneyError
from tourney.event.entry import (
    NOTHING_YET,
    SALT_BYTES,
    Entry,
    JournalRow,
    Text,
    Texts,
    decode,
    described,
    erased,
    is_own_secret,
    kept_rules,
    read,
)
from tourney.event.fold import fold, sentence
from tourney.event.kind import LogContext
from tourney.event.ops import EventClosed, EventCreated, Kept, Ref, Undone
from tourney.store.backup import folder_of, remember_copy
from tourney.store.event_file import EventFile
from tourney.store.files import fault_words, scratch, what_else
from tourney.store.journal import SECRET_BYTES, EventPlace

RulesAt = Callable[[Kept], bytes | None]
"""Gives the bytes of a rule file by its name, as they are today; they count only if they are the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Salvaged:
    """What was saved.

    path:    the new event; entry, digest: its last entry
    written: how many entries the damaged event had; None where that cannot be told
    missing: what is not there any more, in words, and what enters it anew (may be empty)
    unplaced: entries that can be read, but stand on one that is lost: number, sentence
    again:   what was damaged or missing and is there all the same, and where it was found
    """

    path: Path
    entry: int
    digest: str
    written: int | None
    missing: tuple[tuple[str, str], ...]
    unplaced: tuple[tuple[int, str], ...]
    again: tuple[tuple[str, str], ...]

    @property
    def complete(self) -> bool:
        """Whether nothing is missing."""
        return not self.missing


def salvage(place: EventPlace, target: Path, rules_at: RulesAt) -> Salvaged:
    """Make the event file `target` of all that is intact at `place` and in the copies beside it; `place` is only read.

    Of an event in a database the rows of its tables are read: the pages that they lie on are the server's business.

    Raises TourneyError where not even the first entry can be saved, or `target` exists or cannot be written.
    """
    if target.exists():
        raise TourneyError(f"{target.name} exists already", "`--to FILE` names another")
    if place.file is None:
        main = _read_from_database(place)
    else:
        main = _searched(place.file) if place.file.exists() else _Readings(place.name)
    saving = _Saving(main, _copies(place))
    if not saving.rows:
        raise TourneyError(
            f"nothing can be salvaged from {place.name}: not even its first entry is intact",
            None if folder_of(place).is_dir() else "there are no copies in `.tourney-backups/` either",
        )
    entries = read(saving.rows)
    texts, missing = saving.texts(entries, rules_at)
    secret, without = saving.secret(entries)
    with EventFile.create(target, saving.rows, texts, secret) as journal:
        if saving.taken_out:
            journal.erase(saving.taken_out)
    remember_copy(place, saving.rows[0].digest, target)
    last = saving.rows[-1]
    shown = {text.ref: text.content.decode(errors="replace") if text.content else None for text in texts}
    return Salvaged(
        path=target,
        entry=last.seq,
        digest=last.digest,
        written=saving.main.written,
        missing=(*saving.missing_entries(), *missing, *without),
        unplaced=tuple(saving.unplaced(entries, shown)),
        again=tuple(saving.again.items()),
    )


def _copies(place: EventPlace) -> Iterator[_Readings]:
    folder = folder_of(place)
    ordinary = [each for each in folder.glob("*.tourney") if each.is_file()]
    for copy in sorted(ordinary, key=lambda each: each.stat().st_mtime, reverse=True):
        with suppress(TourneyError):
            yield _searched(copy)


class _Saving:
    """One attempt: the chain as far as it goes, then whatever it rests on."""

    def __init__(self, main: _Readings, copies: Iterator[_Readings]) -> None:
        self.main, self._copies, self._opened = main, copies, [main]
        self.again: dict[str, str] = {}
        self.taken_out: set[Ref] = set()
        self.rows = self._chain()

    def _sources(self) -> Iterator[_Readings]:
        """Yield the damaged file, then the copies, each searched only once it is needed."""
        yield from list(self._opened)
        for copy in self._copies:
            self._opened.append(copy)
            yield copy

    def _note(self, what: str, source: _Readings, how: str) -> None:
        where = "" if source is self.main else f"in {source.name}"
        if where_and_how := ", ".join(filter(None, (how, where))):
            self.again[what] = where_and_how

    # -- entries

    def _chain(self) -> list[JournalRow]:
        rows: list[JournalRow] = []
        while row := self._next(rows[-1].digest if rows else NOTHING_YET, len(rows) + 1):
            rows.append(row)
        return rows

    def _next(self, digest: str, seq: int) -> JournalRow | None:
        """Return the entry that follows; copies are not asked where the file says that it ended before."""
        for source in self._sources():
            if source is not self.main and _ended(self.main, seq - 1, digest):
                return None
            row, how = _following(source, digest, seq)
            if row is not None:
                self._note(f"entry {seq}", source, how)
                return row
        return None

    def missing_entries(self) -> Iterator[tuple[str, str]]:
        """Yield what is missing at the end, in words."""
        last, written = self.rows[-1].seq, self.main.written
        if written == last or _ended(self.main, last, self.rows[-1].digest):
            return
        if written is None or written < last:
            yield f"whether entry {last} was the last one: the file does not say so any more", ""
        elif written == last + 1:
            yield f"entry {written}, the last one", ""
        else:
            yield (
                f"entries {last + 1} to {written}: the first of them is damaged or gone, the others stand on it",
                "",
            )

    def unplaced(self, entries: Sequence[Entry], texts: Texts) -> Iterator[tuple[int, str]]:
        """Yield what later entries say: nothing proves them any more, but somebody may enter it again."""
        context = LogContext(fold(entries, texts), texts, entries)
        later = {raw.seq: raw for raw in self.main.rows if raw.seq > entries[-1].seq}
        for seq, raw in sorted(later.items()):
            with suppress(Exception):  # bytes that nothing proves: whatever cannot be told is not told
                op = decode(raw.op, seq)
                if isinstance(op, Undone):  # of an entry that may be lost itself
                    yield seq, f"Entry {op.entry} was taken back"
                else:
                    yield seq, sentence(op, context)

    # -- texts and the secret

    def texts(self, entries: Sequence[Entry], rules_at: RulesAt) -> tuple[list[Text], list[tuple[str, str]]]:
        """Return every text that the entries rest on and that can be had, and in words what cannot."""
        needed, deleted = described(entries), erased(entries)
        kept = {each.text: each for entry in entries for each in kept_rules(entry.op)}
        texts: list[Text] = []
        missing: list[tuple[str, str]] = []
        for ref, (what, mend) in needed.items():
            if ref in deleted or self._taken_out(ref):
                texts.append(Text(ref, None, None))  # type: ignore[arg-type] # as a deleted text lies in the file
            elif text := self._text(ref, what) or self._rules(ref, what, kept.get(ref), rules_at):
                texts.append(text)
            elif self.main.withheld:
                missing.append((f"{what}, which this login may not see", ""))
            else:
                missing.append((what, mend))
        return texts, missing

    def _taken_out(self, ref: Ref) -> bool:
        """Say whether a text was deleted by request without an entry of this chain: out of a copy."""
        out = any(ref in source.erased for source in self._opened)
        if out:
            self.taken_out.add(ref)
        return out or ref.encode() in self.main.deleted

    def _text(self, ref: Ref, what: str) -> Text | None:
        for source in self._sources():
            text, how = _text_in(source, ref)
            if text is not None:
                self._note(what, source, how)
                return text
        return None

    def _rules(self, ref: Ref, what: str, kept: Kept | None, rules_at: RulesAt) -> Text | None:
        content = rules_at(kept) if kept else None
        if content is None or sha256(content).hexdigest() != ref:
            return None
        self.again[what] = "among the rules installed here"
        return Text(ref, b"", content)

    def secret(self, entries: Sequence[Entry]) -> tuple[bytes | None, list[tuple[str, str]]]:
        """Return the secret whose hash the first entry holds, and what is to be said where it cannot be had."""
        created = entries[0].op
        wanted = created.secret if isinstance(created, EventCreated) else ""
        for entry in entries:
            if isinstance(entry.op, EventClosed) and entry.op.secret is not None:
                with suppress(ValueError):
                    if is_own_secret(entries[0], revealed := bytes.fromhex(entry.op.secret)):
                        return revealed, []
        for source in self._sources():
            if source is self.main and source.without_secret:
                # a copy that was made without it, or a login from which it is kept
                return None, [("the secret, which this login may not see", "")] if source.withheld else []
            secret, how = _secret_in(source, wanted)
            if secret is not None:
                self._note("the secret", source, how)
                return secret, []
        return None, [
            (
                "the secret: no round can be paired by the program without it",
                "tourney round pair --by-hand FILE",
            )
        ]


# -- what lies in a file, true or not


LONGEST_MENDED = 2**14
"""Bytes of an entry or a text in which a turned bit is looked for: eight digests of it a byte are made, in a second."""
LONGEST_LOOSE = 4096
"""Bytes of a text that is looked for by its digest alone: those of a page."""
LONGEST_REJOINED = 2**18
"""Bytes of an entry or a text whose pages are looked for where the number of one of them is damaged."""
LARGEST = 2**30
"""Bytes of a file that is searched; it is read whole."""


class _Raw(NamedTuple):
    """What may be an entry, as bytes. seq: 0 where nothing says which one it is."""

    seq: int
    at: bytes
    by: bytes
    op: bytes
    digest: bytes

    def follows(self, previous: str, seq: int) -> str:
        """Return the digest it would have as entry `seq` after the digest `previous`."""
        return sha256(b"%b\n%d\n%b\n%b\n%b" % (previous.encode(), seq, self.at, self.by, self.op)).hexdigest()

    def row(self, seq: int, digest: str) -> JournalRow:
        """Return it as the entry it was found to be."""
        return JournalRow(seq, self.at.decode(), self.by.decode(), self.op, digest)


class _Record(NamedTuple):
    """Where a record lies: its header begins at `start` and is `header` bytes long, `cuts` end the columns after it."""

    start: int
    header: int
    cuts: tuple[int, ...]


@dataclass
class _Readings:
    """What lies in a file, true or not. rows, texts: every reading of each; heads: what it says was the last entry.

    withheld: whether who reads it may not see all of it
    long_rows, long_texts: where those lie that flow over into other pages, by number and by ref
    """

    name: str
    content: bytes = b""
    rows: dict[_Raw, None] = field(default_factory=dict)
    texts: list[tuple[bytes, bytes, bytes]] = field(default_factory=list)
    deleted: set[bytes] = field(default_factory=set)
    erased: frozenset[Ref] = frozenset()
    secrets: list[bytes] = field(default_factory=list)
    heads: list[tuple[int, bytes]] = field(default_factory=list)
    without_secret: bool = False
    withheld: bool = False
    long_rows: dict[int, list[_Record]] = field(default_factory=dict)
    long_texts: dict[bytes, list[_Record]] = field(default_factory=dict)

    def add_row(self, seq: object, *words: object) -> None:
        """Take what may be an entry."""
        at, by, op, digest = (each if isinstance(each, bytes) else b"" for each in words)
        self.rows[_Raw(seq if isinstance(seq, int) else 0, at, by, op, digest)] = None

    def add_text(self, ref: object, salt: object, content: object) -> None:
        """Take what may be a text; without salt and bytes it was deleted by request."""
        if isinstance(ref, bytes) and salt is None and content is None:
            self.deleted.add(ref)
        elif isinstance(ref, bytes) and isinstance(salt, bytes) and isinstance(content, bytes):
            self.texts.append((ref, salt, content))

    @property
    def written(self) -> int | None:
        """How many entries there were, as the file says it; None where it does not."""
        return max((seq for seq, _ in self.heads), default=None)

    @cached_property
    def by_number(self) -> dict[int, list[_Raw]]:
        """The entries by what they say is their number."""
        readings: dict[int, list[_Raw]] = {}
        for raw in self.rows:
            readings.setdefault(raw.seq, []).append(raw)
        return readings

    def misplaced(self, seq: int) -> Iterator[_Raw]:
        """Yield what may be entry `seq` under a number that is not its own."""
        for number, raws in self.by_number.items():
            if number > seq or len(raws) > 1:
                yield from raws

    @cached_property
    def true_texts(self) -> dict[str, tuple[bytes, bytes]]:
        """The texts by what is their digest, whatever they say it is."""
        return {sha256(salt + content).hexdigest(): (salt, content) for _, salt, content in self.texts}


def _searched(path: Path) -> _Readings:
    """Read whatever a file holds that may be an entry or a text. Raises TourneyError where it cannot be read at all."""
    readings = _Readings(path.name)
    with scratch() as folder:
        copy = folder / path.name
        try:
            if kind := what_else(path):
                raise TourneyError(f"{path.name} {kind}")
            if path.stat().st_size > LARGEST:
                raise TourneyError(f"{path.name} is larger than an event can be")
            shutil.copyfile(path, copy)
            journal = path.with_name(f"{path.name}-journal")
            if journal.exists() and what_else(journal) is None:
                # With it SQLite rolls back a change that was cut short.
                shutil.copyfile(journal, copy.with_name(journal.name))
        except OSError as fault:
            raise TourneyError(f"{path.name} cannot be read: {fault_words(fault)}") from None
        with suppress(TourneyError), EventFile.open(copy) as opened:
            _read_tables(opened, readings)
        readings.content = copy.read_bytes()
    _read_pages(readings)
    return readings


def _read_from_database(place: EventPlace) -> _Readings:
    """Read whatever the tables of a database hold of an event. Raises TourneyError where there is none, or nobody answers."""
    from tourney.store.postgres import PostgresJournal

    readings = _Readings(place.name)
    with closing(place.open()) as opened:
        assert isinstance(opened, PostgresJournal)
        remains = opened.remains()
        for row in remains.rows:
            readings.add_row(*row)
        for text in remains.texts:
            readings.add_text(*text)
        readings.heads += remains.heads
        readings.secrets += remains.secrets
        readings.without_secret = not remains.secrets
        readings.withheld = opened.withholds()
    return readings


def _read_tables(journal: EventFile, readings: _Readings) -> None:
    """Read the tables through SQLite, each as far as it lets."""
    entries = (
        "SELECT seq, CAST(at AS BLOB), CAST(by AS BLOB), CAST(op AS BLOB), CAST(digest AS BLOB) FROM journal"
    )
    for row in journal.whatever(entries):
        readings.add_row(*row)
    for row in journal.whatever("SELECT CAST(digest AS BLOB), salt, bytes FROM texts"):
        readings.add_text(*row)
    for seq, digest in journal.whatever("SELECT seq, CAST(digest AS BLOB) FROM head"):
        if isinstance(seq, int) and isinstance(digest, bytes):
            readings.heads.append((seq, digest))
    readings.secrets += [
        secret for (secret,) in journal.whatever("SELECT bytes FROM secret") if isinstance(secret, bytes)
    ]
    with suppress(TourneyError):
        readings.erased = journal.erased()
        readings.without_secret = not readings.secrets and not journal.damage()


# The headers of records as SQLite writes them: their own length, then the type of each column, as varints. Digests and
# refs are texts of 64 bytes (type 141, 81 0D), a salt is a blob of 16 bytes or of none (2C, 0C); an entry's number is
# its row's and stands before the record.
_VARINT = rb"[\x80-\xff]{0,3}[\x00-\x7f]"
_ENTRY_HEADER = rb"[\x08-\x0b]\x00([\x0d-\x7f])\x81\x0d(" + _VARINT + rb")\x81\x0d"
_TEXT_HEADER = rb"[\x05-\x08]\x81\x0d([\x0c\x2c])(" + _VARINT + rb")"
_ENTRY = re.compile(rb"(?=(?<![\x80-\xff])(" + _VARINT + rb")(" + _ENTRY_HEADER + rb"))", re.DOTALL)
_TEXT = re.compile(rb"(?=(" + _TEXT_HEADER + rb"))", re.DOTALL)
_DELETED = re.compile(rb"\x05\x81\x0d\x00\x00([0-9a-f]{64})")
_HEAD = re.compile(rb"\x05\x00([\x01-\x04\x09])\x81\x0d(.{0,4}?)([0-9a-f]{64})", re.DOTALL)
# An entry without its header: a time, a ref, an op, a digest, one after the other.
_BEGINS = rb"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d)([0-9a-f]{64})(\{\"op\":"
_WORDS = re.compile(_BEGINS + rb".{1,4000}?\})([0-9a-f]{64})", re.DOTALL)


def _read_pages(readings: _Readings) -> None:
    """Read the records of entries and texts as they lie in the pages, whatever the pages above them say."""
    _read_entries(readings)
    for each in _TEXT.finditer(readings.content):
        if record := _text_record(each.start(1), each[1]):
            if words := _words(readings.content, record):
                readings.add_text(*words)
            readings.long_texts.setdefault(readings.content[each.end(1) : each.end(1) + 64], []).append(
                record
            )
    readings.deleted.update(each[1] for each in _DELETED.finditer(readings.content))
    for each in _HEAD.finditer(readings.content):
        if len(each[2]) == each[1][0] % 9:
            readings.heads.append((int.from_bytes(each[2] or b"\1", "big"), each[3]))


def _read_entries(readings: _Readings) -> None:
    content = readings.content
    known: set[tuple[bytes, ...]] = {raw[1:] for raw in readings.rows}
    for each in _ENTRY.finditer(content):
        if record := _entry_record(each.start(2), each[2]):
            if words := _words(content, record):
                readings.add_row(_varint(each[1]), *words)
                known.add(words)
            readings.long_rows.setdefault(_varint(each[1]), []).append(record)
    for each in _WORDS.finditer(content):
        if each.groups() not in known:
            readings.add_row(0, *each.groups())


def _entry_record(start: int, header: bytes) -> _Record | None:
    """Return where the columns of an entry lie by its record's header; None where that is none."""
    kinds = re.fullmatch(_ENTRY_HEADER, header, re.DOTALL)
    op = _blob(kinds[2]) if kinds and header[0] == len(header) else None
    if kinds is None or op is None:
        return None
    at = (kinds[1][0] - 13) // 2
    return _Record(start, len(header), (at, at + 64, at + 64 + op, at + 128 + op))


def _text_record(start: int, header: bytes) -> _Record | None:
    """Return where the columns of a text lie by its record's header; None where that is none."""
    kinds = re.fullmatch(_TEXT_HEADER, header, re.DOTALL)
    size = _blob(kinds[2]) if kinds and header[0] == len(header) else None
    if kinds is None or size is None:
        return None
    salt = (kinds[1][0] - 12) // 2
    return _Record(start, len(header), (64, 64 + salt, 64 + salt + size))


def _turned_headers(
    content: bytes, end: int, record: Callable[[int, bytes], _Record | None]
) -> Iterator[tuple[bytes, ...]]:
    """Yield the columns that begin at `end` as headers before it say that have one bit turned."""
    for size in range(5, 12):
        header = content[max(0, end - size) : end]
        for place in range(len(header)):
            for bit in range(8):
                turned = header[:place] + bytes((header[place] ^ 1 << bit,)) + header[place + 1 :]
                if (columns := record(end - size, turned)) and (words := _words(content, columns)):
                    yield words


def _blob(kind: bytes) -> int | None:
    """Return the length of a blob by its type in a record's header; None where that is no blob's."""
    number = _varint(kind) - 12
    return None if number < 0 or number % 2 else number // 2


def _varint(raw: bytes) -> int:
    number = 0
    for byte in raw:
        number = number << 7 | byte & 0x7F
    return number


def _words(content: bytes, record: _Record, turned: tuple[int, int] = (-1, 0)) -> tuple[bytes, ...] | None:
    """Return the columns of a record, from its page and those it flows over to; None where those are not there.

    turned: which of the numbers of pages it follows is read with which bit turned
    """
    size, total = _page_size(content), record.header + record.cuts[-1]
    if total > len(content):
        return None
    here = total
    if total > size - 35:
        least = (size - 12) * 32 // 255 - 23
        here = least + (total - least) % (size - 4)
        here = here if here <= size - 35 else least
    body = content[record.start : record.start + here]
    following = content[record.start + here : record.start + here + 4]
    step = 0
    while len(body) < total:
        number = int.from_bytes(following, "big") ^ (1 << turned[1] if step == turned[0] else 0)
        place, step = (number - 1) * size, step + 1
        if place < 0 or place + size > len(content):
            return None
        following, body = content[place : place + 4], body + content[place + 4 : place + size]
    body = body[record.header : total]
    return tuple(body[begin:end] for begin, end in pairwise((0, *record.cuts)))


def _page_size(content: bytes) -> int:
    # 1 stands for 65536; any other is damaged, and ours have 4096.
    size = int.from_bytes(content[16:18], "big")
    return size if size in (512, 1024, 2048, 8192, 16384, 32768) else 65536 if size == 1 else 4096


def _other_ways(content: bytes, record: _Record) -> Iterator[tuple[bytes, ...]]:
    """Yield a record's columns with one bit turned in the number of one of the pages it flows over to."""
    steps = record.cuts[-1] // (_page_size(content) - 4) + 1 if record.cuts[-1] <= LONGEST_REJOINED else 0
    for step in range(steps):
        for bit in range(32):
            if words := _words(content, record, (step, bit)):
                yield words


# -- what of it is true


def _ended(readings: _Readings, seq: int, digest: str) -> bool:
    """Say whether the file's record of its last entry names this one, be it with a bit of its header turned."""
    last = digest.encode()
    if any(number == readings.written and named == last for number, named in readings.heads):
        return True
    number = b"" if seq == 1 else seq.to_bytes(seq.bit_length() // 8 + 1, "big", signed=True)
    record = b"\x05\x00" + (bytes([len(number)]) if number else b"\x09") + b"\x81\x0d" + number + last
    content = readings.content
    return any(
        _bits_apart(content[at.end() - len(record) : at.end()], record) == 1
        for at in re.finditer(last, content)
    )


_TURNED = "one bit was turned back"


def _following(readings: _Readings, previous: str, seq: int) -> tuple[JournalRow | None, str]:
    """Return the entry `seq` that continues the chain from the digest `previous`, and how it had to be mended."""
    likely = (*readings.by_number.get(seq, ()), *readings.by_number.get(0, ()))
    for raw in likely:
        if raw.follows(previous, seq).encode() == raw.digest:
            return raw.row(seq, raw.digest.decode()), ""
    for raw in likely:
        fitting = raw.follows(previous, seq)
        if _bits_apart(fitting.encode(), raw.digest) == 1:
            return raw.row(seq, fitting), _TURNED
        turned = _turned_entry(raw, previous, seq)
        if turned is not None:
            return turned, _TURNED
    for words in _turned_rows(readings, seq):
        raw = _Raw(seq, words[0], words[1], words[2], words[3])
        if raw.follows(previous, seq).encode() == raw.digest:
            return raw.row(seq, raw.digest.decode()), _TURNED
    for raw in readings.misplaced(seq):
        if raw.follows(previous, seq).encode() == raw.digest:
            return raw.row(seq, raw.digest.decode()), "found under another number"
    return None, ""


def _turned_rows(readings: _Readings, seq: int) -> Iterator[tuple[bytes, ...]]:
    """Yield what entry `seq` may have been before one bit was turned on the way to it."""
    for record in readings.long_rows.get(seq, ()):
        yield from _other_ways(readings.content, record)
    for begins in re.finditer(_BEGINS + rb")", readings.content):
        yield from _turned_headers(readings.content, begins.start(), _entry_record)


def _turned_entry(raw: _Raw, previous: str, seq: int) -> JournalRow | None:
    before, words = b"%b\n%d\n" % (previous.encode(), seq), b"\n".join((raw.at, raw.by, raw.op))
    mended = _turned_back(before, words, raw.digest.decode("ascii", "replace"))
    if mended is None:
        return None
    at, by = len(raw.at), len(raw.at) + 1 + len(raw.by)
    return JournalRow(
        seq, mended[:at].decode(), mended[at + 1 : by].decode(), mended[by + 1 :], raw.digest.decode()
    )


def _text_in(readings: _Readings, ref: Ref) -> tuple[Text | None, str]:
    """Return the text of `ref`, and how it had to be mended."""
    if ref in readings.true_texts:
        return Text(ref, *readings.true_texts[ref]), ""
    for salt, content in _turned_texts(readings, ref):
        if sha256(salt + content).hexdigest() == ref:
            return Text(ref, salt, content), _TURNED
    for named in _named(readings, ref):
        after = readings.content[named.end() : named.end() + LONGEST_LOOSE]
        for text in (_text_at(after, ref, SALT_BYTES), _text_at(after, ref, 0)):
            if text is not None:
                return text, "found without its length"
    return None, ""


def _turned_texts(readings: _Readings, ref: Ref) -> Iterator[tuple[bytes, bytes]]:
    """Yield what the text of `ref` may have been before one bit was turned, in it or on the way through its pages."""
    for said, salt, content in readings.texts:
        turned = _turned_back(b"", salt + content, ref) if said == ref.encode() else None
        if turned is not None:
            yield turned[: len(salt)], turned[len(salt) :]
    for record in readings.long_texts.get(ref.encode(), ()):
        for _, salt, content in _other_ways(readings.content, record):
            yield salt, content
    for named in _named(readings, ref):
        for words in _turned_headers(readings.content, named.start(), _text_record):
            yield words[1], words[2]


def _named(readings: _Readings, ref: Ref) -> Iterator[re.Match[bytes]]:
    """Yield where a ref stands, but for where entries name it."""
    return re.finditer(ref.encode() + rb'(?!"|\{"op")', readings.content)


def _text_at(content: bytes, ref: Ref, salt_size: int) -> Text | None:
    """Return the text that begins at the beginning of `content`, if it ends anywhere."""
    whole = sha256(content[:salt_size])
    for end in range(salt_size, len(content)):
        if whole.hexdigest() == ref:
            return Text(ref, content[:salt_size], content[salt_size:end])
        whole.update(content[end : end + 1])
    return None


def _secret_in(readings: _Readings, wanted: str) -> tuple[bytes | None, str]:
    """Return the secret whose hash is `wanted`, and how it had to be mended."""
    for secret in readings.secrets:
        if sha256(secret).hexdigest() == wanted:
            return secret, ""
        turned = _turned_back(b"", secret, wanted)
        if turned is not None:
            return turned, _TURNED
    for place in range(len(readings.content) - SECRET_BYTES + 1 if not readings.secrets else 0):
        words = readings.content[place : place + SECRET_BYTES]
        if sha256(words).hexdigest() == wanted:
            return words, ""
    return None, ""


def _turned_back(before: bytes, words: bytes, wanted: str) -> bytes | None:
    """Return `words` with the one bit turned with which `before` and they have the digest `wanted`; long ones are left."""
    whole = sha256(before)
    for place in range(len(words) if len(words) <= LONGEST_MENDED else 0):
        byte, after = words[place], words[place + 1 :]
        for bit in range(8):
            tried = whole.copy()
            tried.update(bytes((byte ^ 1 << bit,)))
            tried.update(after)
            if tried.hexdigest() == wanted:
                return words[:place] + bytes((byte ^ 1 << bit,)) + after
        whole.update(words[place : place + 1])
    return None


def _bits_apart(one: bytes, other: bytes) -> int:
    if len(one) != len(other):
        return 8 * max(len(one), len(other))
    return (int.from_bytes(one, "big") ^ int.from_bytes(other, "big")).bit_count()
