"""Fold entries into the state of an event, and look up each kind of entry.

The module of each noun decides whether something may happen, before it is recorded. Folding only checks that
the recorded op makes sense. Undone entries are left out before anything is applied, so no effect needs an
inverse.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from types import MappingProxyType

from tourney.errors import TourneyError
from tourney.event import (
    brackets,
    claims,
    deck_checks,
    decks,
    event_admin,
    ops,
    penalties,
    players,
    results,
    rounds,
)
from tourney.event.entry import ALTERED, Entry, EntryError, Texts, players_of, uses
from tourney.event.kind import (
    OPEN,
    EntryKind,
    Footprint,
    LogContext,
    named_twice,
    no_footprint,
    signer,
    strangers,
)
from tourney.event.settings import is_time
from tourney.event.state import Entered, Player, State, StateDraft
from tourney.record import PlayerId


def fold(entries: Sequence[Entry], texts: Texts) -> State:
    """Return the event after all of `entries`, the first of which is entry 1."""
    return advance(State(), entries, texts, taken_back(entries))


def advance(
    state: State, entries: Iterable[Entry], texts: Texts, without: Mapping[int, int] = MappingProxyType({})
) -> State:
    """Return the event after `entries`, which follow `state`.

    Entries whose numbers are in `without` have no effect.

    An `undone` among the entries has no effect either: to undo an entry, fold all entries again. Raises
    MisfitError for the first entry that contradicts the entries before it.
    """
    draft = StateDraft(state)
    number, digest = state.entry, state.digest
    for entry in entries:
        number, digest = entry.seq, entry.digest
        _refuse_nonsense(entry)
        _write(draft, entry, texts, gone=number in without)
    return draft.frozen(number, digest)


def taken_back(entries: Sequence[Entry]) -> dict[int, int]:
    """Return the undone entries: number → number of the `undone` entry.

    An `undone` counts unless a later `undone` undid it, so the entries are read from the newest to the
    oldest.
    """
    gone: dict[int, int] = {}
    for entry in reversed(entries):
        if type(entry.op) is ops.Undone and entry.seq not in gone:
            gone[entry.op.entry] = entry.seq
    return gone


def root(entries: Sequence[Entry], entry: Entry) -> Entry:
    """Follow an undo, or an undo of an undo, to the entry that it is finally about."""
    while isinstance(entry.op, ops.Undone):
        entry = entries[entry.op.entry - 1]
    return entry


def _write(draft: StateDraft, entry: Entry, texts: Texts, *, gone: bool) -> None:
    """Apply an entry to the draft. An undone entry (`gone`) only reserves its players' numbers."""
    number, at, by, op, _ = entry
    if gone:
        players.keep_numbers(draft, op)
        return
    kind = KINDS[type(op)]
    # An entry that can be made at any time also fits a player whose registration was undone.
    needs_no_player = kind.whenever or isinstance(op, ops.PlayerAdded)
    for fault in chain(() if needs_no_player else strangers(players_of(op), draft), kind.misfits(op, draft)):
        raise MisfitError(entry, fault)
    signed = signer(str(texts.get(by) or "a scorekeeper"), draft.players)
    try:
        kind.apply(draft, op, Entered(number, at, signed), texts)
    except TourneyError as fault:  # its settings are not possible
        raise MisfitError(entry, fault.message) from None


def _refuse_nonsense(entry: Entry) -> None:
    """Raise MisfitError if an entry makes no sense by itself, even if it was undone."""
    for fault in _faults(entry):
        raise MisfitError(entry, fault)


def _faults(entry: Entry) -> Iterator[str]:
    op = entry.op
    if not is_time(entry.at):
        yield f"`{entry.at[:40]}` is not a time"
    if isinstance(op, ops.EventCreated) != (entry.seq == 1):
        yield "the first entry of an event creates it, and no other entry does"
    if "players" in op.__struct_fields__ and not players_of(op):
        yield "it names no player"
    yield from named_twice(players_of(op))
    yield from KINDS[type(op)].alone(op)
    if isinstance(op, ops.Undone) and not 1 < op.entry < entry.seq:
        yield f"it cannot undo entry {op.entry}"


class MisfitError(EntryError):
    """An entry of an intact chain that contradicts the entries before it."""

    def __init__(self, entry: Entry, fault: str) -> None:
        kind = entry.op.__struct_config__.tag
        super().__init__(f"entry {entry.seq} ({kind}) contradicts the entries before it: {fault}", ALTERED)


def registered(entries: Sequence[Entry], texts: Texts) -> Mapping[PlayerId, Player]:
    """Return all players who were ever registered, with their latest names.

    Undone registrations are included.
    """
    named = [entry for entry in entries if isinstance(entry.op, (ops.PlayerAdded, ops.PlayerRenamed))]
    return fold(named, texts).players


def foreseen(state: State, op: ops.Op) -> State:
    """Return the event as `op` would leave it, without recording it.

    `op` must not undo an entry, delete texts, or refer to new texts.
    """
    draft = StateDraft(state)
    KINDS[type(op)].apply(draft, op, Entered(state.entry + 1, "", ""), {})
    return draft.frozen(state.entry, state.digest)


def refuse_texts_of_the_erased(state: State, op: ops.Op) -> None:
    """Raise TourneyError if an op has a text about a player whose texts were deleted by request."""
    for use in uses(op):
        for player in use.about:
            if player in state.players and state.players[player].erased:
                what = use.label or use.what
                raise TourneyError(
                    f"the texts about player #{player} were deleted by request, so no {what} can be added",
                    "leave it out" if what in ("reason", "remark") else None,
                )


# -- descriptions and footprints of entries


def sentence(op: ops.Op, context: LogContext) -> str:
    """Describe an entry, without a full stop: `Round 3, table 4: Mira 2–0 Tomo`."""
    return KINDS[type(op)].words(op, context)


def sentences(op: ops.Op, context: LogContext) -> tuple[str, ...]:
    """Describe an entry, with a sentence for each table if it has several."""
    kind = KINDS[type(op)]
    several = tuple(kind.lines(op, context)) if kind.lines else ()
    return several or (kind.words(op, context),)


def footprint(op: ops.Op) -> Footprint:
    """Return the marks that `op` makes and needs. The footprint of an `undone` is empty."""
    kind = KINDS[type(op)]
    makes, needs = kind.footprint(op)
    return Footprint(makes, needs if kind.whenever else needs | {OPEN})


def depends_on(later: ops.Op, earlier: ops.Op) -> bool:
    """Return whether `later` needs a mark that `earlier` made.

    >>> from tourney.record import PlayerId
    >>> drop = ops.PlayerDropped(players=(PlayerId(3),), after=1)
    >>> depends_on(ops.RoundPaired(round=2, tables=()), drop), depends_on(drop, drop)
    (True, True)
    """
    return bool(footprint(later).needs & footprint(earlier).makes)


# -- the event after every entry


class History:
    """The state of an event after each of its entries, computed in about the time of one fold.

    `fold` leaves out every undone entry. Here, the state after entry n includes the entries that were not yet
    undone at n. After an `undone`, only the entries from the undone one on are folded again, from a saved
    state.

    folded: how many entries were applied, as a measure of the work
    """

    SAVE_INTERVAL = 64
    """A state is saved after every so many entries."""

    def __init__(self, texts: Texts) -> None:
        self.folded = 0
        self._texts = texts
        self._entries: list[Entry] = []
        self._gone: set[int] = set()
        self._undoing: dict[int, list[int]] = {}
        self._saved = [State()]
        self._draft = StateDraft(State())

    def add(self, entry: Entry) -> None:
        """Add the next entry. Raises MisfitError if it contradicts the entries before it."""
        _refuse_nonsense(entry)
        self._entries.append(entry)
        target = self._toggle(entry.op, entry.seq) if isinstance(entry.op, ops.Undone) else None
        if target is None:
            self._put(entry)
            return
        try:
            self._put_from(target)
        except MisfitError as fault:
            how = "without" if target in self._gone else "with"
            raise MisfitError(entry, f"{how} entry {target}, {fault.message}") from None

    def state(self) -> State:
        """Return the event after the last added entry."""
        return self._frozen(self._entries[-1])

    def _put(self, entry: Entry) -> None:
        self.folded += 1
        _write(self._draft, entry, self._texts, gone=entry.seq in self._gone)
        if entry.seq % self.SAVE_INTERVAL == 0:
            self._saved.append(self._frozen(entry))

    def _frozen(self, entry: Entry) -> State:
        state = self._draft.frozen(entry.seq, entry.digest)
        self._draft = StateDraft(state)  # so that rounds which no later entry touches are not frozen again
        return state

    def _put_from(self, first: int) -> None:
        """Fold the entries from `first` to the last one again."""
        while self._saved[-1].entry >= first:
            self._saved.pop()
        self._draft = StateDraft(self._saved[-1])
        for entry in self._entries[self._saved[-1].entry :]:
            self._put(entry)

    def _toggle(self, op: ops.Undone, number: int) -> int | None:
        """Record an `undone`. Return the entry that it finally undoes or redoes, or None."""
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


def _apply_undone(draft: StateDraft, _op: ops.Undone, at: Entered, _texts: Texts) -> None:
    """Restart the waiting time of claims, so that a reopened claim is not entered at once."""
    if draft.rounds and draft.rounds[-1].claims:
        last = draft.round(len(draft.rounds))
        last.claims = {table: replace(claim, since=at.at) for table, claim in last.claims.items()}


def _describe_undone(op: ops.Undone, context: LogContext) -> str:
    undone = context.entries[op.entry - 1].op
    if isinstance(undone, ops.Undone):
        return f"Entry {undone.entry} was redone: {sentence(context.entries[undone.entry - 1].op, context)}"
    return f"Entry {op.entry} was undone: {sentence(undone, context)}{context.why(op.reason)}"


_NOUNS = (event_admin, players, decks, rounds, results, claims, brackets, penalties, deck_checks)

KINDS: dict[type[ops.Op], EntryKind] = {kind.op: kind for noun in _NOUNS for kind in noun.KINDS} | {
    ops.Undone: EntryKind(ops.Undone, _apply_undone, _describe_undone, footprint=no_footprint, whenever=True)
}
"""Every kind of entry, by the type of its op."""
