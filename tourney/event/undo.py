"""Taking entries back, and putting them in force again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tourney.errors import TourneyError
from tourney.event import ops
from tourney.event.claims import SAID_BY_PLAYERS
from tourney.event.entry import Entry
from tourney.event.fold import footprint, stands_on, taken_back
from tourney.event.kind import OPEN, Decision, open_event
from tourney.event.names import clash
from tourney.event.ops import Ref
from tourney.event.state import State
from tourney.event.texts import Texts
from tourney.record import PlayerId
from tourney.wording import listed

_NEVER = {
    ops.EventCreated: "creation of the event",
    ops.EventImported: "import of the event",
    ops.PlayerBlanked: "deletion of a person's texts",
    ops.PlayerErased: "deletion of a person's texts",
}

_NAMED_AT_MOST = 5
"""Entries that a refusal names; more are counted."""


class Book(NamedTuple):
    """All entries, which of them do not stand, the short texts, and by which refs the scorekeeper who asks is known."""

    entries: Sequence[Entry]
    gone: Mapping[int, int]
    texts: Texts
    mine: frozenset[Ref]

    @property
    def in_force(self) -> list[Entry]:
        """Return the entries that stand, the `undone` ones left out."""
        return [
            each for each in self.entries if each.seq not in self.gone and not isinstance(each.op, ops.Undone)
        ]


def undo(state: State, book: Book, number: int | None, reason: Ref | None) -> Decision:
    """Take back an entry: `number`, or the last one of the scorekeeper who asks."""
    target = _target(book, number)
    if target.seq in book.gone:
        return Decision(already=f"Entry {target.seq} taken back (entry {book.gone[target.seq]})")
    return _turned(state, book, [target], reason)


def _turned(state: State, book: Book, targets: Sequence[Entry], reason: Ref | None) -> Decision:
    """Take back `targets`, which are all about one entry, where that changes whether it stands.

    After an undo, its redo and a second undo the entry is out because of the second: to take back the redo, and so put the
    first in force again, would change nothing.
    """
    what, end = root(book.entries, targets[0]), len(book.entries)
    undone = [ops.Undone(entry=each.seq, reason=reason) for each in targets]
    written = [what._replace(seq=seq, op=op) for seq, op in enumerate(undone, end + 1)]
    if (what.seq in taken_back([*book.entries, *written])) == (what.seq in book.gone):
        by = book.gone.get(what.seq)
        return Decision(
            already=f"Entry {what.seq} taken back (entry {by})" if by else f"Entry {what.seq} stands"
        )
    _refuse_undo(state, book, targets[0])
    return Decision(op=undone[0], then=tuple(undone[1:]))


def _target(book: Book, number: int | None) -> Entry:
    entries = book.entries
    if number is not None:
        if not 1 <= number <= len(entries):
            raise TourneyError(f"there is no entry {number}: they go up to {len(entries)}")
        return entries[number - 1]
    standing = book.in_force
    own = [each for each in standing if each.by in book.mine]
    if not own:
        newest = next(each for each in reversed(standing) if not isinstance(each.op, SAID_BY_PLAYERS))
        raise TourneyError(
            "none of the entries is yours", f"`tourney event undo {newest.seq}` takes back the newest"
        )
    return own[-1]


def _refuse_undo(state: State, book: Book, target: Entry) -> None:
    what = root(book.entries, target)
    never = _NEVER.get(type(what.op))
    if never:
        raise TourneyError(f"the {never} (entry {what.seq}) cannot be taken back")
    if isinstance(what.op, ops.BeaconEntered):
        _refuse_other_beacon(book, what)
    if not isinstance(what.op, ops.EventClosed):
        open_event(state)
    back = what.seq in book.gone
    if back:
        _refuse_equal_names(state, book, what.op)
    elif isinstance(what.op, ops.PlayerRenamed):
        _refuse_old_name(state, book, what, what.op.player)
    standing = _in_the_way(book, what, target) if back else _built_on(book, what)
    if standing:
        verb = "put back" if back else "taken back"
        raise TourneyError(
            f"entry {what.seq} cannot be {verb}: {_building(standing, back=back)}",
            _way_out(book, standing[-1]) + "; `tourney event log` shows the history",
        )


def _refuse_other_beacon(book: Book, what: Entry) -> None:
    """Refuse to change the public value once somebody has seen what it pairs, taken back or not."""
    drawn = (each.seq for each in book.entries if isinstance(each.op, ops.RoundPaired) and each.op.engine)
    first = next((number for number in drawn if number > what.seq), None)
    if first is not None:
        raise TourneyError(
            f"entry {what.seq} cannot be taken back: a round was paired with its value (entry {first})",
            "a round that was drawn stays drawn; `tourney round pair --by-hand FILE` pairs without a draw",
        )


def _refuse_equal_names(state: State, book: Book, op: ops.Op) -> None:
    refs = [each.name for each in op.players] if isinstance(op, ops.PlayerAdded) else []
    refs += [op.name] if isinstance(op, ops.PlayerRenamed) else []
    for name in (book.texts.get(ref) for ref in refs):
        holder = clash(state.players, name) if name else None
        if holder is not None and not (isinstance(op, ops.PlayerRenamed) and op.player == holder.id):
            raise TourneyError(
                f"there is a player {holder.name} by now (#{holder.id})",
                "`tourney player rename` one of the two",
            )


def _in_the_way(book: Book, what: Entry, target: Entry) -> list[int]:
    """Return the entries that keep `what`, which `target` took back, from being put back into force.

    These are the ones written since that touch the same; and the older ones it touches that were in force when it was
    written and are not now, or the other way round.
    """
    before = taken_back(book.entries[: what.seq - 1])
    older = [each for each in book.entries[: what.seq - 1] if (each.seq in before) != (each.seq in book.gone)]
    newer = [each for each in book.in_force if each.seq > target.seq]
    touching = [each for each in (*older, *newer) if not isinstance(each.op, ops.Undone)]
    return [each.seq for each in touching if stands_on(each.op, what.op) or stands_on(what.op, each.op)]


def _built_on(book: Book, what: Entry) -> list[int]:
    """Return the entries in force that need what `what` made."""
    later = [each.seq for each in book.in_force if each.seq > what.seq and stands_on(each.op, what.op)]
    return sorted([*later, *_undone_since(book, what)]) if OPEN in footprint(what.op).makes else later


def _undone_since(book: Book, what: Entry) -> list[int]:
    """Return the undos and redos after `what` by which something older stands, or does not, otherwise than it did then.

    They needed the event to be open; those that cancel each other out need nothing.
    """
    then, last = taken_back(book.entries[: what.seq]), {}
    for each in book.entries[what.seq :]:
        if isinstance(each.op, ops.Undone):
            last[root(book.entries, each).seq] = each.seq
    return [
        undone
        for about, undone in last.items()
        if about < what.seq and (about in then) != (about in book.gone)
    ]


def _refuse_old_name(state: State, book: Book, renamed: Entry, player: PlayerId) -> None:
    """Refuse to give a player back a name that somebody else has by now."""
    refs = [ref for each in book.in_force if each is not renamed for ref in _names_given(each.op, player)]
    name = book.texts.get(refs[-1]) if refs else None
    holder = clash(state.players, name) if name else None
    if holder is not None and holder.id != player:
        raise TourneyError(
            f"there is a player {holder.name} by now (#{holder.id})",
            f"`tourney player rename {holder.name} NAME`",
        )


def _names_given(op: ops.Op, player: PlayerId) -> list[Ref]:
    if isinstance(op, ops.PlayerAdded):
        return [each.name for each in op.players if each.id == player]
    return [op.name] if isinstance(op, ops.PlayerRenamed) and op.player == player else []


def _way_out(book: Book, number: int) -> str:
    return f"`tourney event {'redo' if number in book.gone else 'undo'} {number}` first"


def _building(standing: Sequence[int], *, back: bool) -> str:
    more = [f"{len(standing) - _NAMED_AT_MOST} more"] if len(standing) > _NAMED_AT_MOST else []
    numbers = listed([*standing[:_NAMED_AT_MOST], *more])
    one = len(standing) == 1
    if back:
        return f"entry {numbers} is in the way" if one else f"entries {numbers} are in the way"
    return f"entry {numbers} builds on it" if one else f"entries {numbers} build on it"


def redo(state: State, book: Book, number: int | None, reason: Ref | None) -> Decision:
    """Take back an undo: that of entry `number`, or the last one of the scorekeeper who asks."""
    target = _undo_of(book, number)
    if target is None:
        raise TourneyError(
            f"entry {number} stands: it was not taken back"
            if number
            else "there is no undo of yours to take back"
        )
    return _turned(state, book, [target, *_beside(book, target)], reason)


def _beside(book: Book, target: Entry) -> list[Entry]:
    """Return the other undos in force of what the undo `target` took back: in an older journal there may be two."""
    return [
        each
        for each in book.entries
        if isinstance(each.op, ops.Undone)
        and isinstance(target.op, ops.Undone)
        and (each.seq not in book.gone and each is not target and each.op.entry == target.op.entry)
    ]


def _undo_of(book: Book, number: int | None) -> Entry | None:
    entries, gone = book.entries, book.gone
    if number is not None:
        return entries[gone[number] - 1] if number in gone else None
    undone = (each for each in reversed(entries) if isinstance(each.op, ops.Undone) and each.seq not in gone)
    return next((each for each in undone if each.by in book.mine and not _is_redo(entries, each)), None)


def _is_redo(entries: Sequence[Entry], entry: Entry) -> bool:
    assert isinstance(entry.op, ops.Undone)
    return isinstance(entries[entry.op.entry - 1].op, ops.Undone)


def root(entries: Sequence[Entry], entry: Entry) -> Entry:
    """Return what an undo, or the undo of an undo, is about in the end."""
    while isinstance(entry.op, ops.Undone):
        entry = entries[entry.op.entry - 1]
    return entry
