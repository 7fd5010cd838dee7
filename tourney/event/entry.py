"""An entry of the journal: who wrote what when, as canonical bytes in a chain of digests.

The digest of entry n is the SHA-256 of five lines: the digest of entry n − 1 (64 zeros before the first), n, `at`,
`by` and the bytes of the op. Whoever has the entries can recompute it with any tool.
"""

from __future__ import annotations

from hashlib import sha256
from typing import NamedTuple, get_args

import msgspec

from tourney.decode import explain
from tourney.errors import TourneyError
from tourney.event.ops import AnyOp, Op, Ref

NOTHING_YET = "0" * 64
"""The digest before the first entry."""


class JournalRow(NamedTuple):
    """An entry as it lies in the journal. at: ISO 8601 with the zone; by: the ref of the scorekeeper's name."""

    seq: int
    at: str
    by: str
    op: bytes
    digest: str


class Entry(NamedTuple):
    """An entry as the fold reads it: `op` decoded."""

    seq: int
    at: str
    by: Ref
    op: Op
    digest: str


class EntryError(TourneyError):
    """An entry is not as it was written, or has no meaning where it stands; the message names it."""


class _Head(msgspec.Struct):
    op: str = ""


_decode = msgspec.json.Decoder(AnyOp).decode
_encode = msgspec.json.Encoder().encode
_KNOWN = frozenset(str(kind.__struct_config__.tag) for kind in get_args(AnyOp))
NEWER = "install the newest tourney, or open the copy in `.tourney-backups/` that this version wrote"
"""What helps where an entry is of a kind that came later."""


def chained(previous: str, seq: int, at: str, by: str, op: bytes) -> str:
    """Return the digest of an entry that follows the digest `previous`."""
    return sha256(b"%b\n%d\n%b\n%b\n%b" % (previous.encode(), seq, at.encode(), by.encode(), op)).hexdigest()


def write(op: Op, *, seq: int, at: str, by: str, previous: str) -> JournalRow:
    """Return `op` as the entry `seq` that follows the digest `previous`.

    Raises TourneyError for an op that could not be read again: nothing unreadable is ever written.
    """
    raw = _encode(op)
    try:
        _decode(raw)
    except msgspec.ValidationError as fault:
        raise TourneyError(explain(str(fault))) from None
    return JournalRow(seq, at, by, raw, chained(previous, seq, at, by, raw))


def read(rows: list[JournalRow], *, seq: int = 0, digest: str = NOTHING_YET) -> list[Entry]:
    """Return `rows` decoded, after checking that they continue the chain from entry `seq` with `digest`.

    Raises EntryError naming the first entry that is missing or was altered, TourneyError for one that was written by a
    newer tourney.
    """
    entries = []
    for row in rows:
        seq += 1
        if row.seq != seq:
            raise EntryError(f"entry {seq} is missing: the journal goes on with entry {row.seq}", ALTERED)
        digest = _expected(digest, row)
        if not digest or digest != row.digest:
            raise EntryError(f"entry {seq} is not as it was written: its digest does not fit", ALTERED)
        entries.append(Entry(seq, row.at, Ref(row.by), decode(row.op, seq), digest))
    return entries


def _expected(previous: str, row: JournalRow) -> str:
    """Return the digest that fits; nothing fits an entry whose columns are of other types than ours."""
    try:
        return chained(previous, row.seq, row.at, row.by, row.op)
    except (TypeError, AttributeError):
        return ""


ALTERED = (
    "`tourney event salvage` makes an event of all that is intact, in the file and in `.tourney-backups/`"
)
"""What helps where the file is not as it was written."""


def decode(raw: bytes, seq: int) -> Op:
    """Read an op. Raises TourneyError for a kind, a version or a field that this version does not know."""
    try:
        decoded: Op = _decode(raw)
    except msgspec.ValidationError as fault:
        kind = _kind(raw)
        if not kind:
            raise EntryError(f"entry {seq} is not readable", ALTERED) from None
        if kind in _KNOWN:
            message = (
                f"entry {seq} ({kind}) holds something this tourney does not know: {explain(str(fault))}"
            )
        else:
            message = f"entry {seq} was written by a newer tourney: this one does not know `{kind}`"
        raise TourneyError(message, NEWER) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise EntryError(f"entry {seq} is not readable", ALTERED) from None
    return decoded


def _kind(raw: bytes) -> str:
    try:
        return msgspec.json.decode(raw, type=_Head).op
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ""
