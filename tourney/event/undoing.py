"""Undo and redo. Both are the op `undone`: a redo undoes an undo.

An entry cannot be undone while later entries depend on it (`fold.depends_on`); the error names these. An
entry cannot be redone if it no longer fits.
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
    """The parts of a journal that an undo needs.

    undone: number of an undone entry → number of its `undone` entry (`fold.taken_back`)
    texts: the short texts
    mine: the refs of the names that the scorekeeper who makes the request signs with
    """

    entries: Sequence[Entry]
    undone: Mapping[int, int]
    texts: Texts
    mine: frozenset[Ref]

    @property
    def in_force(self) -> list[Entry]:
        """The entries that are not undone and are not an `undone` themselves."""
        return [
            entry
            for entry in self.entries
            if entry.seq not in self.undone and not isinstance(entry.op, ops.Undone)
        ]


def undo(state: State, book: Book, number: int | None, reason: Ref | None) -> Decision:
    """Undo entry `number`; None: the last entry of the scorekeeper who makes the request."""
    target = _target(book, number)
    if target.seq in book.undone:
        return Decision(already=f"Entry {target.seq} undone (entry {book.undone[target.seq]})")
    return _toggle(state, book, target, reason)


def _target(book: Book, number: int | None) -> Entry:
    if number is not None:
        if not 1 <= number <= len(book.entries):
            raise TourneyError(f"there is no entry {number}: the last one is {len(book.entries)}")
        return book.entries[number - 1]
    in_force = book.in_force
    own = [entry for entry in in_force if entry.by in book.mine]
    if not own:
        newest = next(entry for entry in reversed(in_force) if not KINDS[type(entry.op)].by_players)
        raise TourneyError(
            "none of the entries is yours", f"undo the newest entry with `tourney event undo {newest.seq}`"
        )
    return own[-1]


def redo(state: State, book: Book, number: int | None, reason: Ref | None) -> Decision:
    """Undo the undo of entry `number`; None: the last undo by the scorekeeper who asks."""
    entries, undone = book.entries, book.undone
    if number is not None:
        if number not in undone:
            raise TourneyError(f"entry {number} is not undone")
        return _toggle(state, book, entries[undone[number] - 1], reason)
    for entry in reversed(entries):
        if isinstance(entry.op, ops.Undone) and entry.seq not in undone and entry.by in book.mine:
            is_redo = isinstance(entries[entry.op.entry - 1].op, ops.Undone)
            if not is_redo:
                return _toggle(state, book, entry, reason)
    raise TourneyError("you have not undone anything that can be redone")


def _toggle(state: State, book: Book, target: Entry, reason: Ref | None) -> Decision:
    """Undo `target`, unless that would not change whether the original entry counts.

    For example, if an entry was undone, redone and undone again, undoing the redo changes nothing: the entry
    stays undone because of the second undo.
    """
    about = root(book.entries, target)
    op = ops.Undone(entry=target.seq, reason=reason)
    after = taken_back([*book.entries, about._replace(seq=len(book.entries) + 1, op=op)])
    if (about.seq in after) == (about.seq in book.undone):
        by = book.undone.get(about.seq)
        return Decision(
            already=f"Entry {about.seq} undone (entry {by})" if by else f"Entry {about.seq} in force"
        )
    _refuse_never(state, book, about)
    _refuse_equal_names(state, book, about)
    if about.seq in book.undone:
        _refuse_related(book, about, _conflicting(book, about, target), is_redo=True)
    else:
        _refuse_related(book, about, _dependent(book, about), is_redo=False)
    return Decision(op=op)


_NEVER = {
    ops.EventCreated: "creation of the event",
    ops.EventImported: "import of the event",
    ops.PlayerErased: "deletion of a person's texts",
}


def _refuse_never(state: State, book: Book, about: Entry) -> None:
    """Raise TourneyError if an entry of this kind cannot be undone, or if the event is closed.

    In a closed event, only the closing can be undone.
    """
    never = _NEVER.get(type(about.op))
    if never:
        raise TourneyError(f"the {never} (entry {about.seq}) cannot be undone")
    if isinstance(about.op, ops.BeaconEntered):
        # Once a pairing has shown the effect of the value, nobody may pick another value, even if it was
        # undone.
        pairings = [
            entry.seq for entry in book.entries if isinstance(entry.op, ops.RoundPaired) and entry.op.engine
        ]
        first = next((number for number in pairings if number > about.seq), None)
        if first is not None:
            raise TourneyError(
                f"entry {about.seq} cannot be undone: a round was paired with its value (entry {first})",
                "to pair a round without the value, use `tourney round pair --by-hand FILE`",
            )
    if not isinstance(about.op, ops.EventClosed):
        open_event(state)


def _refuse_equal_names(state: State, book: Book, about: Entry) -> None:
    """Raise TourneyError if the change would give a player a name that another player has now."""
    names = _names_given(about.op)
    if about.seq not in book.undone:
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
                f"another player is now called {holder.name} (#{holder.id})",
                f"`tourney player rename {holder.name} NAME`",
            )


def _names_given(op: ops.Op) -> dict[PlayerId, Ref]:
    if isinstance(op, ops.PlayerAdded):
        return {newcomer.id: newcomer.name for newcomer in op.players}
    return {op.player: op.name} if isinstance(op, ops.PlayerRenamed) else {}


def _dependent(book: Book, about: Entry) -> list[int]:
    """Return the entries in force that depend on `about`."""
    later = [entry.seq for entry in book.in_force if entry.seq > about.seq and depends_on(entry.op, about.op)]
    return sorted([*later, *_undos_since(book, about)]) if OPEN in footprint(about.op).makes else later


def _undos_since(book: Book, about: Entry) -> list[int]:
    """Return the undos and redos after `about` that still change whether an older entry counts.

    Like other entries, they depend on the event being open. Undos and redos that cancel each other out do not
    count.
    """
    then, last = taken_back(book.entries[: about.seq]), {}
    for entry in book.entries[about.seq :]:
        if isinstance(entry.op, ops.Undone):
            last[root(book.entries, entry).seq] = entry.seq
    return [
        undone
        for target, undone in last.items()
        if target < about.seq and (target in then) != (target in book.undone)
    ]


def _conflicting(book: Book, about: Entry, target: Entry) -> list[int]:
    """Return the entries that prevent redoing `about`, which `target` undid.

    An entry prevents the redo if it has marks in common with `about`, and if it is newer than `target` or if
    it was undone or redone since `about` was written.
    """
    before = taken_back(book.entries[: about.seq - 1])
    older = [
        entry
        for entry in book.entries[: about.seq - 1]
        if (entry.seq in before) != (entry.seq in book.undone)
    ]
    newer = [entry for entry in book.in_force if entry.seq > target.seq]
    return [
        entry.seq
        for entry in (*older, *newer)
        if not isinstance(entry.op, ops.Undone)
        and (depends_on(entry.op, about.op) or depends_on(about.op, entry.op))
    ]


_MOST_NAMED = 5
"""The most entries that an error names. Further ones are counted."""


def _refuse_related(book: Book, about: Entry, others: Sequence[int], *, is_redo: bool) -> None:
    """Raise TourneyError if there are dependent or conflicting entries (`others`)."""
    if not others:
        return
    more = [f"{len(others) - _MOST_NAMED} more"] if len(others) > _MOST_NAMED else []
    numbers = listed([*others[:_MOST_NAMED], *more])
    one = len(others) == 1
    if is_redo:
        verb, why = (
            "redone",
            f"entry {numbers} conflicts with it" if one else f"entries {numbers} conflict with it",
        )
    else:
        verb, why = (
            "undone",
            f"entry {numbers} depends on it" if one else f"entries {numbers} depend on it",
        )
    first = f"`tourney event {'redo' if others[-1] in book.undone else 'undo'} {others[-1]}` first"
    raise TourneyError(
        f"entry {about.seq} cannot be {verb}: {why}", f"{first}; `tourney event log` shows the history"
    )
