"""Entries: canonical bytes, the chain of digests, and kinds from newer versions."""

import hashlib
import re
from typing import get_args

import msgspec
import pytest

from tests.event.pad import Pad
from tests.kit import with_rows
from tourney.errors import TourneyError
from tourney.event import ops
from tourney.event.entry import NOTHING_YET, JournalRow, chain_digest, decode, read, write
from tourney.event.ops import NoTable
from tourney.record import PlayerId, Table


def rows(pad):
    """Return the pad's entries as rows."""
    made, digest = [], NOTHING_YET
    for entry in pad.entries:
        made.append(write(entry.op, seq=entry.seq, at=entry.at, by=entry.by, previous=digest))
        digest = made[-1].digest
    return made


def test_the_digest_follows_the_docstring():
    """A digest is the SHA-256 of five lines."""
    row = rows(Pad("Mira", "Tomo"))[0]
    lines = b"\n".join([b"0" * 64, b"1", row.at.encode(), row.by.encode(), row.op])
    assert (
        row.digest == hashlib.sha256(lines).hexdigest() == chain_digest("0" * 64, 1, row.at, row.by, row.op)
    )


def test_entries_are_read_as_written():
    """Writing and reading returns the same ops."""
    pad = Pad("Mira", "Tomo")
    pad.pair((1, 2))
    pad.result(1, "1-0")
    assert read(rows(pad)) == pad.entries


@with_rows("which", range(4))
@with_rows("field", ["seq", "at", "by", "op", "digest"])
def test_one_changed_character_is_refused_naming_the_entry(which, field):
    """A change in any column is refused, naming the first entry that does not fit."""
    pad = Pad("Mira", "Tomo")
    pad.pair((1, 2))
    pad.result(1, "1-0")
    changed = rows(pad)
    row = changed[which]
    value = getattr(row, field)
    other = {
        int: lambda: value + 1,
        str: lambda: value[:-1] + ("0" if value[-1] != "0" else "1"),
        bytes: lambda: value.replace(b'"', b"'", 1),
    }[type(value)]()
    changed[which] = row._replace(**{field: other})
    with pytest.raises(TourneyError, match=rf"^entry {which + 1} "):
        read(changed)


def test_a_missing_entry_is_named():
    """The refusal names the gap, not the digest after it."""
    pad = rows(Pad("Mira"))
    with pytest.raises(TourneyError, match="entry 1 is missing: the journal continues with entry 2"):
        read(pad[1:])


@with_rows("digest", ["", "0" * 64])
@with_rows("op", [None, 7, "text"])
def test_a_column_of_another_type_is_refused_not_crashed(op, digest):
    """A damaged file can have a number in place of the op."""
    row = rows(Pad("Mira"))[0]._replace(op=op, digest=digest)
    with pytest.raises(TourneyError, match="entry 1 was altered"):
        read([row])


def forged(raw):
    return [
        JournalRow(
            1,
            "2026-10-04T10:00:00+02:00",
            "by",
            raw,
            chain_digest(NOTHING_YET, 1, "2026-10-04T10:00:00+02:00", "by", raw),
        )
    ]


@with_rows(
    ("raw", "message"),
    [
        (
            b'{"op":"moon.landed"}',
            "entry 1 was written by a newer tourney: this one does not know `moon.landed`",
        ),
        (b'{"op":"round.cancelled/2","round":1}', "this one does not know `round.cancelled/2`"),
        (
            b'{"op":"round.cancelled","round":1,"moon":true}',
            "entry 1 (round.cancelled) contains something that this tourney does not know",
        ),
        (
            b'{"op":"round.cancelled"}',
            "entry 1 (round.cancelled) contains something that this tourney does not know: "
            "the key `round` is missing",
        ),
        (b'{"round":1}', "entry 1 cannot be read"),
        (b"[]", "entry 1 cannot be read"),
        (b'{"op":"moon/1","deep":' + b"[" * 100_000, "entry 1 cannot be read"),
        (b"{", "entry 1 cannot be read"),
        (b"\xff\xfe", "entry 1 cannot be read"),
        (b"[" * 100_000, "entry 1 cannot be read"),
    ],
)
def test_unknown_kinds_and_fields_are_refused(raw, message):
    """The refusal names the entry and has a hint; the entry is never skipped."""
    with pytest.raises(TourneyError) as refusal:
        read(forged(raw))
    assert message in refusal.value.message
    assert refusal.value.hint


def test_unreadable_ops_are_not_written():
    """An op with a value outside its type is refused before it reaches a journal."""
    op = ops.CutMade(players=(PlayerId(1), PlayerId(2)), after=3, kind="triple")
    with pytest.raises(TourneyError, match="kind"):
        write(op, seq=1, at="2026-10-04T10:00:00+02:00", by="x", previous=NOTHING_YET)


def test_every_op_has_its_own_tag():
    """Tags are `<noun>.<verb>` without a version; only `undone` has no noun."""
    tags = [kind.__struct_config__.tag for kind in get_args(ops.AnyOp)]
    assert len(tags) == len(set(tags))
    assert [tag for tag in tags if not re.fullmatch("[a-z]+[.][a-z-]+", tag)] == ["undone"]


def test_bytes_are_canonical():
    """Defaults are left out, so that equal ops have equal bytes in every version."""
    op = ops.RoundPaired(
        round=3,
        tables=(Table(1, (PlayerId(4), PlayerId(2))),),
        byes=(NoTable(PlayerId(9), "bye"),),
        seed="ab",
    )
    raw = msgspec.json.encode(op)
    assert raw == b'{"op":"round.paired","round":3,"tables":[[1,[4,2],null]],"byes":[[9,"bye"]],"seed":"ab"}'
    assert decode(raw, 1) == op
