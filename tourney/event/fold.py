"""From entries to the state: the loop over them, which of them stand, and the row of each kind, gathered from the nouns.

Whether something may happen is asked before it is recorded, in the module of its noun; folding asks only whether what
was recorded has a meaning. Entries that were taken back are left out before anything is applied, so taking back, putting
in force again and what both are refused for stand here, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from tourney.errors import TourneyError
from tourney.event import brackets, claims, decks, event_admin, ops, penalties, players, results, rounds
from tourney.event.entry import ALTERED, Entry, EntryError, Texts, uses
from tourney.event.kind import (
    OPEN,
    Decision,
    EntryKind,
    Footprint,
    LogContext,
    no_footprint,
    open_event,
    signer,
)
from tourney.event.names import clash
from tourney.event.ops import Ref
from tourney.event.settings import is_time
from tourney.event.state import Entered, Player, State, StateDraft
from tourney.record import PlayerId
from tourney.wording import listed


def fold(entries: Sequence[Entry], texts: Texts) -> State:
    """Return the event after all of `entries`, the first of which is entry 1."""
    return advance(State(), entries, texts, taken_back(entries))


def advance(
    state: State, entries: Iterable[Entry], texts: Texts, without: Mapping[int, int] = MappingProxyType({})
) -> State:
    """Return the event after `entries` that follow `state`, leaving out the numbers in `without`.

    An `undone` among the entries has no effect here: whoever has one folds everything again. Raises TourneyError naming
    the first entry that contradicts the entries before it.
    """
    draft = StateDraft(state)
    number, digest = state.entry, state.digest
    for entry in entries:
        number, digest = entry.seq, entry.digest
        _refuse_nonsense(entry)
        _write(draft, entry, texts, gone=number in without)
    return draft.frozen(number, digest)


def _write(draft: StateDraft, entry: Entry, texts: Texts, *, gone: bool) -> None:
    """Put an entry into the draft; of one that is `gone`, taken back, only the players' numbers."""
    number, at, by, op, _ = entry
    if gone:
        players.keep_numbers(draft, op)
        return
    _refuse_misfit(entry, draft)
    signed = signer(str(texts.get(by) or "a scorekeeper"), draft.players)
    try:
        KINDS[type(op)].apply(draft, op, Entered(number, at, signed), texts)
    except TourneyError as fault:  # settings that no event can have
        raise MisfitError(entry, fault.message) from None


def _refuse_nonsense(entry: Entry) -> None:
    """Refuse an entry that means nothing by itself, whether it stands or was taken back. Raises MisfitError."""
    for fault in _alone(entry):
        raise MisfitError(entry, fault)


def _alone(entry: Entry) -> Iterator[str]:
    op = entry.op
    if not is_time(entry.at):
        yield f"`{entry.at[:40]}` is not a time"
    if isinstance(op, ops.EventCreated) != (entry.seq == 1):
        yield "an event is created by its first entry, and by no other"
    yield from KINDS[type(op)].alone(op)
    if isinstance(op, ops.Undone) and not 1 < op.entry < entry.seq:
        yield f"entry {op.entry} cannot be taken back by it"


def _refuse_misfit(entry: Entry, draft: StateDraft) -> None:
    """Refuse an entry that is about players, rounds or tables that the event does not have. Raises MisfitError."""
    for fault in KINDS[type(entry.op)].misfits(entry.op, draft):
        raise MisfitError(entry, fault)


class MisfitError(EntryError):
    """An entry of a whole chain that contradicts the entries before it."""

    def __init__(self, entry: Entry, said: str) -> None:
        kind = entry.op.__struct_config__.tag
        super().__init__(f"entry {entry.seq} ({kind}) contradicts the entries before it: {said}", ALTERED)


def registered(entries: Sequence[Entry], texts: Texts) -> Mapping[PlayerId, Player]:
    """Return everybody who was ever registered, also where that was taken back, by the name they had last."""
    named = [entry for entry in entries if isinstance(entry.op, (ops.PlayerAdded, ops.PlayerRenamed))]
    return fold(named, texts).players


def foreseen(state: State, op: ops.Op) -> State:
    """Return the event as `op` would leave it, entered by nobody: to be asked about, not to be written.

    Not for what takes entries back or deletes texts, nor for what carries texts of its own.
    """
    draft = StateDraft(state)
    KINDS[type(op)].apply(draft, op, Entered(state.entry + 1, "", ""), {})
    return draft.frozen(state.entry, state.digest)


# -- an entry in words, and what it makes and rests on


def sentence(op: ops.Op, context: LogContext) -> str:
    """Say what an entry did, without a full stop: `Round 3, table 4: Mira 2–0 Tomo`."""
    return KINDS[type(op)].words(op, context)


def sentences(op: ops.Op, context: LogContext) -> tuple[str, ...]:
    """Say what an entry did, a sentence for each table of a block."""
    kind = KINDS[type(op)]
    several = tuple(kind.lines(op, context)) if kind.lines else ()
    return several or (kind.words(op, context),)  # an entry about nothing is still told


def footprint(op: ops.Op) -> Footprint:
    """Return what `op` makes and needs; an `undone` has none of its own (it has that of what it takes back)."""
    kind = KINDS[type(op)]
    makes, needs = kind.footprint(op)
    return Footprint(makes, needs if kind.whenever else needs | {OPEN})


def stands_on(later: ops.Op, earlier: ops.Op) -> bool:
    """Say whether `later` needs something that `earlier` made.

    >>> from tourney.record import PlayerId
    >>> drop = ops.PlayerDropped(players=(PlayerId(3),), after=1)
    >>> stands_on(ops.RoundPaired(round=2, tables=()), drop), stands_on(drop, drop)
    (True, True)
    """
    return bool(footprint(later).needs & footprint(earlier).makes)


# -- which entries stand: taking them back, and putting them in force again


def taken_back(entries: Sequence[Entry]) -> dict[int, int]:
    """Return the entries that do not stand: number → the `undone` that took it back.

    Read from the newest to the oldest: an `undone` counts unless it was itself taken back.
    """
    gone: dict[int, int] = {}
    for entry in reversed(entries):
        if type(entry.op) is ops.Undone and entry.seq not in gone:
            gone[entry.op.entry] = entry.seq
    return gone


def _apply_undone(draft: StateDraft, _op: ops.Undone, at: Entered, _texts: Texts) -> None:
    """Change nothing, as what it takes back was left out already; but from now on players' claims wait anew before they stand alone.

    One that stands again because the desk took its own result back is not entered in the same moment.
    """
    if draft.rounds and draft.rounds[-1].claims:
        last = draft.round(len(draft.rounds))
        last.claims = {table: replace(each, since=at.at) for table, each in last.claims.items()}


def _say_undone(op: ops.Undone, context: LogContext) -> str:
    what = context.entries[op.entry - 1].op
    if isinstance(what, ops.Undone):
        return f"Entry {what.entry} stands again: {sentence(context.entries[what.entry - 1].op, context)}"
    return f"Entry {op.entry} was taken back: {sentence(what, context)}{context.why(op.reason)}"


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


def _target(book: Book, number: int | None) -> Entry:
    entries = book.entries
    if number is not None:
        if not 1 <= number <= len(entries):
            raise TourneyError(f"there is no entry {number}: they go up to {len(entries)}")
        return entries[number - 1]
    standing = book.in_force
    own = [each for each in standing if each.by in book.mine]
    if not own:
        newest = next(each for each in reversed(standing) if not KINDS[type(each.op)].by_players)
        raise TourneyError(
            "none of the entries is yours", f"`tourney event undo {newest.seq}` takes back the newest"
        )
    return own[-1]


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


_NEVER = {
    ops.EventCreated: "creation of the event",
    ops.EventImported: "import of the event",
    ops.PlayerErased: "deletion of a person's texts",
}


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


_NAMED_AT_MOST = 5
"""Entries that a refusal names; more are counted."""


def _building(standing: Sequence[int], *, back: bool) -> str:
    more = [f"{len(standing) - _NAMED_AT_MOST} more"] if len(standing) > _NAMED_AT_MOST else []
    numbers = listed([*standing[:_NAMED_AT_MOST], *more])
    one = len(standing) == 1
    if back:
        return f"entry {numbers} is in the way" if one else f"entries {numbers} are in the way"
    return f"entry {numbers} builds on it" if one else f"entries {numbers} build on it"


def _way_out(book: Book, number: int) -> str:
    return f"`tourney event {'redo' if number in book.gone else 'undo'} {number}` first"


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


def _undo_of(book: Book, number: int | None) -> Entry | None:
    entries, gone = book.entries, book.gone
    if number is not None:
        return entries[gone[number] - 1] if number in gone else None
    undone = (each for each in reversed(entries) if isinstance(each.op, ops.Undone) and each.seq not in gone)
    return next((each for each in undone if each.by in book.mine and not _is_redo(entries, each)), None)


def _is_redo(entries: Sequence[Entry], entry: Entry) -> bool:
    assert isinstance(entry.op, ops.Undone)
    return isinstance(entries[entry.op.entry - 1].op, ops.Undone)


def _beside(book: Book, target: Entry) -> list[Entry]:
    """Return the other undos in force of what the undo `target` took back: in an older journal there may be two."""
    return [
        each
        for each in book.entries
        if isinstance(each.op, ops.Undone)
        and isinstance(target.op, ops.Undone)
        and (each.seq not in book.gone and each is not target and each.op.entry == target.op.entry)
    ]


def root(entries: Sequence[Entry], entry: Entry) -> Entry:
    """Return what an undo, or the undo of an undo, is about in the end."""
    while isinstance(entry.op, ops.Undone):
        entry = entries[entry.op.entry - 1]
    return entry


# -- the event entry by entry


class History:
    """An event entry by entry, as it stood after each of them, in about the time of one fold.

    A fold leaves out what was taken back later; but the event once stood with it, is shown so as of that entry, and a
    redo makes it stand again. After an `undone` only what follows the entry that it is about is folded anew: states are
    kept on the way.

    folded: how many entries were put into a draft, the measure of the work
    """

    SAVED_EACH = 64

    def __init__(self, texts: Texts) -> None:
        self.folded = 0
        self._texts = texts
        self._entries: list[Entry] = []
        self._gone: set[int] = set()
        self._undoing: dict[int, list[int]] = {}
        self._saved = [State()]
        self._draft = StateDraft(State())

    def add(self, entry: Entry) -> None:
        """Go on to the next entry. Raises MisfitError where the event does not fold up to it."""
        _refuse_nonsense(entry)
        self._entries.append(entry)
        turned = self._turned_by(entry.op, entry.seq) if isinstance(entry.op, ops.Undone) else None
        if turned is None:
            self._put(entry)
            return
        try:
            self._put_from(turned)
        except MisfitError as fault:
            how = "without" if turned in self._gone else "with"
            raise MisfitError(entry, f"{how} entry {turned}, {fault.message}") from None

    def state(self) -> State:
        """Return the event after the entry added last."""
        return self._frozen(self._entries[-1])

    def _put(self, entry: Entry) -> None:
        self.folded += 1
        _write(self._draft, entry, self._texts, gone=entry.seq in self._gone)
        if entry.seq % self.SAVED_EACH == 0:
            self._saved.append(self._frozen(entry))

    def _frozen(self, entry: Entry) -> State:
        state = self._draft.frozen(entry.seq, entry.digest)
        self._draft = StateDraft(state)  # a round that is not touched from here on need not be frozen again
        return state

    def _put_from(self, first: int) -> None:
        """Fold anew what is there from an entry on."""
        while self._saved[-1].entry >= first:
            self._saved.pop()
        self._draft = StateDraft(self._saved[-1])
        for each in self._entries[self._saved[-1].entry :]:
            self._put(each)

    def _turned_by(self, op: ops.Undone, number: int) -> int | None:
        """Return the entry that an `undone` takes back or puts back in the end; None where it changes nothing."""
        self._undoing.setdefault(op.entry, []).append(number)
        while True:
            target = op.entry
            gone = not self._gone.issuperset(self._undoing[target])
            if gone is (target in self._gone):
                return None
            (self._gone.add if gone else self._gone.discard)(target)
            about = self._entries[target - 1].op
            if not isinstance(about, ops.Undone):
                return target
            op = about


# -- every kind of entry


_NOUNS = (event_admin, players, decks, rounds, results, claims, brackets, penalties)


KINDS: dict[type[ops.Op], EntryKind] = {kind.op: kind for noun in _NOUNS for kind in noun.KINDS} | {
    ops.Undone: EntryKind(ops.Undone, _apply_undone, _say_undone, footprint=no_footprint, whenever=True)
}
"""Every kind of entry, by its op."""


def refuse_texts_of_the_erased(state: State, op: ops.Op) -> None:
    """Refuse an op with a text about a player whose texts were deleted by request. Raises TourneyError."""
    for use in uses(op):
        for player in use.about:
            if player in state.players and state.players[player].erased:
                what = use.said or use.what
                raise TourneyError(
                    f"what was known of player #{player} was deleted by request, so no {what} of theirs is kept",
                    "leave it out" if what in ("reason", "remark") else None,
                )
