"""From entries to the state: the row of each kind of op, gathered from the modules of the nouns, and the loop over entries.

Whether something may happen is asked before it is recorded, in the module of its noun; folding asks only whether what
was recorded has a meaning. Entries that were taken back are left out before anything is applied.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType

from tourney.errors import TourneyError
from tourney.event import brackets, claims, decks, event_admin, ops, penalties, players, results, rounds
from tourney.event.entry import ALTERED, Entry, EntryError
from tourney.event.kind import OPEN, EntryKind, Footprint, LogContext, signer, text_of
from tourney.event.state import Entered, Player, State, StateDraft
from tourney.event.texts import Texts
from tourney.record import PlayerId


def fold(entries: Sequence[Entry], texts: Texts) -> State:
    """Return the event after all of `entries`, the first of which is entry 1."""
    return advance(State(), entries, texts, taken_back(entries))


def registered(entries: Sequence[Entry], texts: Texts) -> Mapping[PlayerId, Player]:
    """Return everybody who was ever registered, also where that was taken back, by the name they had last."""
    named = [entry for entry in entries if isinstance(entry.op, (ops.PlayerAdded, ops.PlayerRenamed))]
    return fold(named, texts).players


def advance(
    state: State, entries: Iterable[Entry], texts: Texts, without: Mapping[int, int] = MappingProxyType({})
) -> State:
    """Return the event after `entries` that follow `state`, leaving out the numbers in `without`.

    An `undone` among the entries has no effect here: whoever has one folds everything again. Raises TourneyError naming
    the first entry that does not fit the event before it.
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
    signed = signer(text_of(by, texts, "a scorekeeper"), draft.players)
    try:
        KINDS[type(op)].apply(draft, op, Entered(number, at, signed), texts)
    except TourneyError as fault:  # settings that no event can have
        raise MisfitError(entry, fault.message) from None


def foreseen(state: State, op: ops.Op) -> State:
    """Return the event as `op` would leave it, entered by nobody: to be asked about, not to be written.

    Not for what takes entries back or deletes texts, nor for what carries texts of its own.
    """
    draft = StateDraft(state)
    KINDS[type(op)].apply(draft, op, Entered(state.entry + 1, "", ""), {})
    return draft.frozen(state.entry, state.digest)


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


def sentence(op: ops.Op, context: LogContext) -> str:
    """Say what an entry did, without a full stop: `Round 3, table 4: Mira 2–0 Tomo`."""
    return KINDS[type(op)].words(op, context)


def sentences(op: ops.Op, context: LogContext) -> tuple[str, ...]:
    """Say what an entry did, a sentence for each table of a block."""
    kind = KINDS[type(op)]
    several = tuple(kind.lines(op, context)) if kind.lines else ()
    return several or (kind.words(op, context),)  # an entry about nothing is still told


def _say_undone(op: ops.Undone, context: LogContext) -> str:
    what = context.entries[op.entry - 1].op
    if isinstance(what, ops.Undone):
        return f"Entry {what.entry} stands again: {sentence(context.entries[what.entry - 1].op, context)}"
    return f"Entry {op.entry} was taken back: {sentence(what, context)}{context.why(op.reason)}"


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


class MisfitError(EntryError):
    """An entry of a whole chain that does not fit the event before it."""

    def __init__(self, entry: Entry, said: str) -> None:
        kind = entry.op.__struct_config__.tag
        super().__init__(f"entry {entry.seq} ({kind}) does not fit the event before it: {said}", ALTERED)


def _refuse_nonsense(entry: Entry) -> None:
    """Refuse an entry that means nothing by itself, whether it stands or was taken back. Raises MisfitError."""
    for fault in _alone(entry):
        raise MisfitError(entry, fault)


def _refuse_misfit(entry: Entry, draft: StateDraft) -> None:
    """Refuse an entry that is about players, rounds or tables that the event does not have. Raises MisfitError."""
    for fault in KINDS[type(entry.op)].misfits(entry.op, draft):
        raise MisfitError(entry, fault)


def _alone(entry: Entry) -> Iterator[str]:
    op = entry.op
    if not _is_time(entry.at):
        yield f"`{entry.at[:40]}` is not a time"
    if isinstance(op, ops.EventCreated) != (entry.seq == 1):
        yield "an event is created by its first entry, and by no other"
    yield from KINDS[type(op)].alone(op)
    if isinstance(op, ops.Undone) and not 1 < op.entry < entry.seq:
        yield f"entry {op.entry} cannot be taken back by it"


def _is_time(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False


_NOUNS = (event_admin, players, decks, rounds, results, claims, brackets, penalties)
KINDS: dict[type[ops.Op], EntryKind] = {kind.op: kind for noun in _NOUNS for kind in noun.KINDS} | {
    ops.Undone: EntryKind(ops.Undone, _apply_undone, _say_undone, whenever=True)
}
"""Every kind of entry, by its op."""
