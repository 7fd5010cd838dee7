"""Which texts are a person's: what is deleted when they ask to be forgotten."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from tourney.event import ops
from tourney.event.entry import Entry
from tourney.event.parts import Ref
from tourney.record import PlayerId


def personal_refs(entries: Sequence[Entry], player: PlayerId) -> tuple[Ref, ...]:
    """Return the refs of every text about `player`: names ever borne, decks, contacts, reasons, tags nobody else has.

    Entries that were taken back count, too: their texts are in the file as well. Who wrote entries is another matter.
    """
    own: set[Ref] = set()
    kept: set[Ref] = {entry.by for entry in entries}
    for entry in entries:
        own.update(ref for whom, ref in _mentions(entry.op) if whom == player)
        kept.update(ref for whom, ref in _tags(entry.op) if whom != player)
    return tuple(sorted(own - kept))


def _mentions(op: ops.Op) -> Iterator[tuple[PlayerId, Ref]]:
    """Yield every text in an op that is about players, once for each of them."""
    yield from _tags(op)
    if isinstance(op, ops.PlayerAdded):
        for newcomer in op.players:
            yield from ((newcomer.id, ref) for ref in (newcomer.name, newcomer.contact) if ref is not None)
        return
    about = getattr(op, "players", None) or (getattr(op, "player", None),)
    yield from ((whom, ref) for ref in _refs(op) for whom in about if whom is not None)


def _tags(op: ops.Op) -> Iterator[tuple[PlayerId, Ref]]:
    if isinstance(op, ops.PlayerAdded):
        yield from ((newcomer.id, ref) for newcomer in op.players for _, ref in newcomer.tags)
    elif isinstance(op, ops.PlayerChanged) and op.tags is not msgspec.UNSET:
        yield from ((op.player, ref) for _, ref in op.tags)


def _refs(op: Any) -> list[Ref]:
    found = (getattr(op, name, None) for name in ("name", "reason", "text", "cards", "contact", "found"))
    return [Ref(ref) for ref in found if isinstance(ref, str)]


def every_ref(entry: Entry) -> Iterator[Ref]:
    """Yield every text that an entry rests on: its author's name, what is personal, and the rules."""
    yield entry.by
    yield from (ref for _, ref in _mentions(entry.op))
    yield from _refs(entry.op)
    for kept in (*getattr(entry.op, "rules", ()), *(getattr(entry.op, "profile", ()) or ())):
        yield kept.text
