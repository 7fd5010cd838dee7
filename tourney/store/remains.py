"""What is left in a damaged event file: whatever may be an entry, a text or the secret, and what of it is true.

A file is searched without regard to what SQLite makes of it: for rows through SQLite; for the records as they lie in its
pages (https://www.sqlite.org/fileformat2.html, sections 1.5, 1.6 and 2.1); for the words of an entry or the digest of a
text wherever they stand; and where one bit was turned, for that bit. Nothing that is read has to be believed: an entry
counts if it continues the chain of digests, a text if it fits its digest.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from tourney.errors import TourneyError
from tourney.event.entry import SALT_BYTES, JournalRow, Text
from tourney.event.ops import Ref
from tourney.store.event_file import EventFile
from tourney.store.files import fault_words, scratch, what_else
from tourney.store.journal import SECRET_BYTES

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
class Readings:
    """What lies in a file, true or not. rows, texts: every reading of each; heads: what it says was the last entry.

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


def searched(path: Path) -> Readings:
    """Read whatever a file holds that may be an entry or a text. Raises TourneyError where it cannot be read at all."""
    readings = Readings(path.name)
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


def _read_tables(journal: EventFile, readings: Readings) -> None:
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


def _read_pages(readings: Readings) -> None:
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


def _read_entries(readings: Readings) -> None:
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


def ended(readings: Readings, seq: int, digest: str) -> bool:
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


def following(readings: Readings, previous: str, seq: int) -> tuple[JournalRow | None, str]:
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


def _turned_rows(readings: Readings, seq: int) -> Iterator[tuple[bytes, ...]]:
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


def text_in(readings: Readings, ref: Ref) -> tuple[Text | None, str]:
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


def _turned_texts(readings: Readings, ref: Ref) -> Iterator[tuple[bytes, bytes]]:
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


def _named(readings: Readings, ref: Ref) -> Iterator[re.Match[bytes]]:
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


def secret_in(readings: Readings, wanted: str) -> tuple[bytes | None, str]:
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
