"""Entries: canonical bytes, the chain of digests, and what this version does not know."""

import hashlib
from typing import get_args

import msgspec
import pytest

from tests.event.pad import Pad
from tourney.errors import TourneyError
from tourney.event import ops
from tourney.event.entry import NOTHING_YET, JournalRow, chained, decode, read, write
from tourney.event.ops import NoTable
from tourney.record import PlayerId, Table


def rows(pad):
    """The pad's entries as rows again."""
    made, digest = [], NOTHING_YET
    for each in pad.entries:
        made.append(write(each.op, seq=each.seq, at=each.at, by=each.by, previous=digest))
        digest = made[-1].digest
    return made


def test_the_chain_is_what_the_docstring_says():
    """Anyone can recompute a digest: five lines, SHA-256, nothing else."""
    row = rows(Pad("Mira", "Tomo"))[0]
    lines = b"\n".join([b"0" * 64, b"1", row.at.encode(), row.by.encode(), row.op])
    assert row.digest == hashlib.sha256(lines).hexdigest() == chained("0" * 64, 1, row.at, row.by, row.op)


def test_entries_read_back_as_written():
    """What is written is what is read, op for op."""
    pad = Pad("Mira", "Tomo")
    pad.pair((1, 2))
    pad.result(1, "1-0")
    assert read(rows(pad)) == pad.entries


@pytest.mark.parametrize("which", range(4))
@pytest.mark.parametrize("field", ["seq", "at", "by", "op", "digest"])
def test_one_changed_character_is_refused_naming_the_entry(which, field):
    """Whatever was changed in an entry, the first one that does not fit is named."""
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
    """A gap is told before the digest that cannot fit after it."""
    pad = rows(Pad("Mira"))
    with pytest.raises(TourneyError, match="entry 1 is missing: the journal goes on with entry 2"):
        read(pad[1:])


@pytest.mark.parametrize("digest", ["", "0" * 64])
@pytest.mark.parametrize("op", [None, 7, "text"])
def test_a_column_of_another_type_is_refused_not_crashed(op, digest):
    """A damaged file may hold a number where the op was."""
    row = rows(Pad("Mira"))[0]._replace(op=op, digest=digest)
    with pytest.raises(TourneyError, match="entry 1 is not as it was written"):
        read([row])


def forged(raw):
    return [
        JournalRow(
            1,
            "2026-10-04T10:00:00+02:00",
            "by",
            raw,
            chained(NOTHING_YET, 1, "2026-10-04T10:00:00+02:00", "by", raw),
        )
    ]


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (
            b'{"op":"moon.landed"}',
            "entry 1 was written by a newer tourney: this one does not know `moon.landed`",
        ),
        (b'{"op":"round.cancelled/2","round":1}', "this one does not know `round.cancelled/2`"),
        (
            b'{"op":"round.cancelled","round":1,"moon":true}',
            "entry 1 (round.cancelled) holds something this tourney does not know",
        ),
        (
            b'{"op":"round.cancelled"}',
            "entry 1 (round.cancelled) holds something this tourney does not know: the key `round` is missing",
        ),
        (b'{"round":1}', "entry 1 is not readable"),
        (b"[]", "entry 1 is not readable"),
        (b'{"op":"moon/1","deep":' + b"[" * 100_000, "entry 1 is not readable"),
        (b"{", "entry 1 is not readable"),
        (b"\xff\xfe", "entry 1 is not readable"),
        (b"[" * 100_000, "entry 1 is not readable"),
    ],
)
def test_what_this_version_does_not_know_is_refused_never_skipped(raw, said):
    """An unknown kind, version or field stops the reading, with the entry's number and a hint."""
    with pytest.raises(TourneyError) as refusal:
        read(forged(raw))
    assert said in refusal.value.message
    assert refusal.value.hint


def test_nothing_unreadable_is_ever_written():
    """An op with a value outside its type is refused before it reaches a journal."""
    op = ops.CutMade(players=(PlayerId(1), PlayerId(2)), after=3, kind="triple")
    with pytest.raises(TourneyError, match="kind"):
        write(op, seq=1, at="2026-10-04T10:00:00+02:00", by="x", previous=NOTHING_YET)


def test_every_op_has_a_kind_of_its_own():
    """`<noun>.<verb>`, each once, and every struct is one that can be read."""
    tags = [kind.__struct_config__.tag for kind in get_args(ops.AnyOp)]
    assert len(tags) == len(set(tags))
    assert not any("/" in tag for tag in tags)
    assert {kind.__struct_config__.tag for kind in ops.AnyOp.__args__} == set(tags)


def test_bytes_are_canonical():
    """Defaults are left out and arrays are short, so that equal ops are equal bytes, and stay so."""
    op = ops.RoundPaired(
        round=3,
        tables=(Table(1, (PlayerId(4), PlayerId(2))),),
        byes=(NoTable(PlayerId(9), "bye"),),
        seed="ab",
    )
    raw = msgspec.json.encode(op)
    assert raw == b'{"op":"round.paired","round":3,"tables":[[1,[4,2],null]],"byes":[[9,"bye"]],"seed":"ab"}'
    assert decode(raw, 1) == op
