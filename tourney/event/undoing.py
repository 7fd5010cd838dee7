"""Undo and redo. Both are an op, `undone`: a redo undoes an undo.

An undo is refused while later entries need what the entry made (`fold.depends_on`), naming them. A redo is
refused if the entry would no longer fit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tourney.errors import TourneyError
from tourney.event import ops
from tourney.event.entry import Entry, Texts
from tourney.event.fold import KINDS, depends_on, footprint, root, taken_back
from tourney.event.kind import OPEN, Decision, open_event
from tourney.event.names import clash
from tourney.event.ops import Ref
from tourney.event.state import State
from tourney.record import PlayerId
from tourney.wording import listed


class Book(NamedTuple):
    """The journal as an undo needs it: all entries, the undone ones (`taken_back`), the short texts.

    mine: the refs of the names that the asking scorekeeper signs with
    """

    entries: Sequence[Entry]
    gone: Mapping[int, int]
    texts: Texts
    mine: frozenset[Ref]

    @property
    def in_force(self) -> list[Entry]:
        """Return the entries that count, `undone` ones left out."""
        return [
            entry
            for entry in self.entries
            if entry.seq not in self.gone and not isinstance(entry.op, ops.Undone)
        ]


def undo(state: State, book: Book, number: int | None, reason: Ref | None) -> Decision:
    """Undo entry `number`, or the last one of the scorekeeper who asks."""
    target = _target(book, number)
    if target.seq in book.gone:
        return Decision(already=f"Entry {target.seq} undone (entry {book.gone[target.seq]})")
    return _turn(state, book, target, reason)


def _target(book: Book, number: int | None) -> Entry:
    if number is not None:
        if not 1 <= number <= len(book.entries):
            raise TourneyError(f"there is no entry {number}: they go up to {len(book.entries)}")
        return book.entries[number - 1]
    in_force = book.in_force
    own = [entry for entry in in_force if entry.by in book.mine]
    if not own:
        newest = next(entry for entry in reversed(in_force) if not KINDS[type(entry.op)].by_players)
        raise TourneyError(
            "none of the entries is yours", f"`tourney event undo {newest.seq}` undoes the newest"
        )
    return own[-1]


def redo(state: State, book: Book, number: int | None, reason: Ref | None) -> Decision:
    """Undo the undo of entry `number`, or the last undo of the scorekeeper who asks."""
    entries, gone = book.entries, book.gone
    if number is not None:
        if number not in gone:
            raise TourneyError(f"entry {number} is not undone")
        return _turn(state, book, entries[gone[number] - 1], reason)
    for entry in reversed(entries):
        if isinstance(entry.op, ops.Undone) and entry.seq not in gone and entry.by in book.mine:
            is_redo = isinstance(entries[entry.op.entry - 1].op, ops.Undone)
            if not is_redo:
                return _turn(state, book, entry, reason)
    raise TourneyError("there is no undo of yours to redo")


def _turn(state: State, book: Book, target: Entry, reason: Ref | None) -> Decision:
    """Undo `target` if that changes whether the entry that it is about counts.

    After an undo, its redo and a second undo, the entry is out because of the second: undoing the redo changes nothing.
    """
    about = root(book.entries, target)
    op = ops.Undone(entry=target.seq, reason=reason)
    after = taken_back([*book.entries, about._replace(seq=len(book.entries) + 1, op=op)])
    if (about.seq in after) == (about.seq in book.gone):
        by = book.gone.get(about.seq)
        return Decision(
            already=f"Entry {about.seq} undone (entry {by})" if by else f"Entry {about.seq} in force"
        )
    _refuse_never(state, book, about)
    _refuse_equal_names(state, book, about)
    if about.seq in book.gone:
        _refuse_built_on(book, about, _in_the_way(book, about, target), is_redo=True)
    else:
        _refuse_built_on(book, about, _built_on(book, about), is_redo=False)
    return Decision(op=op)


_NEVER = {
    ops.EventCreated: "creation of the event",
    ops.EventImported: "import of the event",
    ops.PlayerErased: "deletion of a person's texts",
}


def _refuse_never(state: State, book: Book, about: Entry) -> None:
    """Refuse to undo what cannot be undone, and everything but the closing in a closed event."""
    never = _NEVER.get(type(about.op))
    if never:
        raise TourneyError(f"the {never} (entry {about.seq}) cannot be undone")
    if isinstance(about.op, ops.BeaconEntered):
        # A pairing has shown what the value leads to, even if it was undone.
        drawn = [
            entry.seq for entry in book.entries if isinstance(entry.op, ops.RoundPaired) and entry.op.engine
        ]
        first = next((number for number in drawn if number > about.seq), None)
        if first is not None:
            raise TourneyError(
                f"entry {about.seq} cannot be undone: a round was paired with its value (entry {first})",
                "a round that was drawn stays drawn; `tourney round pair --by-hand FILE` pairs without a draw",
            )
    if not isinstance(about.op, ops.EventClosed):
        open_event(state)


def _refuse_equal_names(state: State, book: Book, about: Entry) -> None:
    """Refuse to give players names that others have by now, by a redo or by the undo of a rename."""
    names = _names_given(about.op)
    if about.seq not in book.gone:
        if not isinstance(about.op, ops.PlayerRenamed):
            return
        player = about.op.player
        others = [_names_given(entry.op) for entry in book.in_force if entry is not about]
        earlier = [refs[player] for refs in others if player in refs]
        names = {player: earlier[-1]}
    for player, ref in names.items():
        name = book.texts.get(ref)
        holder = clash(state.players, name) if name else None
        if holder is not None and holder.id != player:
            raise TourneyError(
                f"there is a player {holder.name} by now (#{holder.id})",
                f"`tourney player rename {holder.name} NAME`",
            )


def _names_given(op: ops.Op) -> dict[PlayerId, Ref]:
    if isinstance(op, ops.PlayerAdded):
        return {newcomer.id: newcomer.name for newcomer in op.players}
    return {op.player: op.name} if isinstance(op, ops.PlayerRenamed) else {}


def _built_on(book: Book, about: Entry) -> list[int]:
    """Return the entries in force that need what `about` made."""
    later = [entry.seq for entry in book.in_force if entry.seq > about.seq and depends_on(entry.op, about.op)]
    return sorted([*later, *_turned_since(book, about)]) if OPEN in footprint(about.op).makes else later


def _turned_since(book: Book, about: Entry) -> list[int]:
    """Return the undos and redos after `about` that still change whether an older entry counts.

    They needed the event to be open. Those that cancel each other out needed nothing.
    """
    then, last = taken_back(book.entries[: about.seq]), {}
    for entry in book.entries[about.seq :]:
        if isinstance(entry.op, ops.Undone):
            last[root(book.entries, entry).seq] = entry.seq
    return [
        undone
        for target, undone in last.items()
        if target < about.seq and (target in then) != (target in book.gone)
    ]


def _in_the_way(book: Book, about: Entry, target: Entry) -> list[int]:
    """Return the entries that prevent redoing `about`, which `target` undid.

    These are the entries since then that touch the same marks, and older ones that touch them and count now
    but did not when `about` was written, or the other way round.
    """
    before = taken_back(book.entries[: about.seq - 1])
    older = [
        entry for entry in book.entries[: about.seq - 1] if (entry.seq in before) != (entry.seq in book.gone)
    ]
    newer = [entry for entry in book.in_force if entry.seq > target.seq]
    return [
        entry.seq
        for entry in (*older, *newer)
        if not isinstance(entry.op, ops.Undone)
        and (depends_on(entry.op, about.op) or depends_on(about.op, entry.op))
    ]


_MOST_NAMED = 5
"""Entries that a refusal names. More are counted."""


def _refuse_built_on(book: Book, about: Entry, others: Sequence[int], *, is_redo: bool) -> None:
    if not others:
        return
    more = [f"{len(others) - _MOST_NAMED} more"] if len(others) > _MOST_NAMED else []
    numbers = listed([*others[:_MOST_NAMED], *more])
    one = len(others) == 1
    if is_redo:
        verb, why = (
            "redone",
            f"entry {numbers} is in the way" if one else f"entries {numbers} are in the way",
        )
    else:
        verb, why = "undone", f"entry {numbers} builds on it" if one else f"entries {numbers} build on it"
    first = f"`tourney event {'redo' if others[-1] in book.gone else 'undo'} {others[-1]}` first"
    raise TourneyError(
        f"entry {about.seq} cannot be {verb}: {why}", f"{first}; `tourney event log` shows the history"
    )
