"""Fold entries into the state of an event: apply them one after the other.

Before an entry is recorded, the module for its subject decides whether it is allowed; for an entry about
players, this is `players`. Folding only checks that the recorded op makes sense. Undone entries are left out
before any entry is applied, so no entry needs an inverse. This module also undoes and redoes entries, and
lists every kind of entry.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple

from msgspec.structs import replace

from tourney.cards.names import fold as fold_name
from tourney.errors import TourneyError
from tourney.event import (
    brackets,
    claims,
    decks,
    event_admin,
    ops,
    penalties,
    players,
    presence,
    results,
    rounds,
)
from tourney.event.entry import ALTERED, Entry, EntryError, Texts, players_of, signed_refs, uses
from tourney.event.kind import (
    OPEN,
    Decision,
    EntryKind,
    EventChange,
    EventReading,
    Footprint,
    named_twice,
    open_event,
    signer,
    strangers,
)
from tourney.event.names import by_name
from tourney.event.ops import Ref
from tourney.event.settings import is_time
from tourney.event.state import Entered, Player, State, StateDraft
from tourney.record import PlayerId
from tourney.wording import listed


def fold(entries: Sequence[Entry], texts: Texts) -> State:
    """Return the event after all of `entries`, the first of which is entry 1."""
    return advance(State(), entries, texts, undos_by_entry(entries))


def advance(
    state: State, entries: Iterable[Entry], texts: Texts, without: Mapping[int, int] = MappingProxyType({})
) -> State:
    """Return the state of the event after more entries.

    state:   the state before these entries
    without: the keys are the numbers of entries that have no effect, because they are undone

    An `undone` entry among `entries` does not undo anything here. To undo an entry, compute the state again
    from all entries (`fold`).
    Raises MisfitError for the first entry that contradicts the entries before it.
    """
    draft = StateDraft(state)
    number, digest = state.entry, state.digest
    for entry in entries:
        number, digest = entry.seq, entry.digest
        _refuse_nonsense(entry)
        _write(draft, entry, texts, is_undone=number in without)
    return draft.frozen(number, digest)


def undos_by_entry(entries: Sequence[Entry]) -> dict[int, int]:
    """Return the undone entries: number of the entry → number of the `undone` that undid it.

    An entry `undone` has no effect if a later entry `undone` undid it, so the entries are read from the
    newest to the oldest.
    """
    undos: dict[int, int] = {}
    for entry in reversed(entries):
        if type(entry.op) is ops.Undone and entry.seq not in undos:
            undos[entry.op.entry] = entry.seq
    return undos


def root(entries: Sequence[Entry], entry: Entry) -> Entry:
    """Return the original entry that an undo, or an undo of an undo, refers to."""
    while isinstance(entry.op, ops.Undone):
        entry = entries[entry.op.entry - 1]
    return entry


def _write(draft: StateDraft, entry: Entry, texts: Texts, *, is_undone: bool) -> None:
    """Apply an entry to the draft.

    is_undone: whether the entry is undone. Then only the numbers of players that it registered are reserved
    """
    number, at, by, op, _ = entry
    if is_undone:
        players.keep_numbers(draft, op)
        return
    kind = KINDS[type(op)]
    # Entries that can be made in a closed event are also valid for a player whose registration was undone.
    needs_no_player = kind.in_closed or isinstance(op, ops.PlayerAdded)
    for fault in chain(() if needs_no_player else strangers(players_of(op), draft), kind.misfits(op, draft)):
        raise MisfitError(entry, fault)
    signature = signer(str(texts.get(by) or "a scorekeeper"), draft.players)
    try:
        kind.apply(draft, op, Entered(number, at, signature), texts)
    except TourneyError as fault:  # its settings are not possible
        raise MisfitError(entry, fault.message) from None


def _refuse_nonsense(entry: Entry) -> None:
    """Raise MisfitError if an entry, undone or not, makes no sense by itself."""
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
    yield from KINDS[type(op)].faults(op)
    if isinstance(op, ops.Undone) and not 1 < op.entry < entry.seq:
        yield f"it cannot undo entry {op.entry}"


class MisfitError(EntryError):
    """Raised for an entry that contradicts the entries before it, or makes no sense by itself.

    Digests do not matter here: an entry with a wrong digest raises a plain `EntryError`.
    """

    def __init__(self, entry: Entry, fault: str) -> None:
        kind = entry.op.__struct_config__.tag
        super().__init__(f"entry {entry.seq} ({kind}) contradicts the entries before it: {fault}", ALTERED)


def registered_players(entries: Sequence[Entry], texts: Texts) -> Mapping[PlayerId, Player]:
    """Return all players who were ever registered, with their latest names.

    Undone registrations are included.
    """
    name_entries = [entry for entry in entries if isinstance(entry.op, (ops.PlayerAdded, ops.PlayerRenamed))]
    return fold(name_entries, texts).players


def refuse_texts_of_the_erased(state: State, op: ops.Op) -> None:
    """Raise TourneyError if an op has a text about a player whose texts were deleted by request."""
    for use in uses(op):
        for player in use.about:
            if player in state.players and state.players[player].erased:
                noun = use.label or use.kind
                raise TourneyError(
                    f"the texts about player #{player} were deleted by request, so no {noun} can be added",
                    "leave it out" if noun in ("reason", "remark") else None,
                )


# -- descriptions and footprints of entries


def sentence(op: ops.Op, context: EventReading) -> str:
    """Describe an entry in a sentence without a full stop: `Round 3, table 4: Mira 2–0 Tomo`."""
    return KINDS[type(op)].describe(op, context)


def sentences(op: ops.Op, context: EventReading) -> tuple[str, ...]:
    """Describe an entry in sentences, one for each table if the entry is about several."""
    kind = KINDS[type(op)]
    parts = tuple(kind.describe_each(op, context)) if kind.describe_each else ()
    return parts or (kind.describe(op, context),)


def footprint(op: ops.Op) -> Footprint:
    """Return the parts of the event that `op` sets, and those that it depends on.

    The parts are named by marks (see `Mark`). An op that undoes an entry (`Undone`) has no marks.
    """
    kind = KINDS[type(op)]
    makes, needs = kind.footprint(op)
    return Footprint(makes, needs if kind.in_closed else needs | {OPEN})


def depends_on(later: ops.Op, earlier: ops.Op) -> bool:
    """Return whether `later` depends on a part of the event that `earlier` sets (see `Mark`).

    In the examples, a pairing depends on which players dropped, and a drop depends on earlier drops of the
    same player.

    >>> from tourney.record import PlayerId
    >>> drop = ops.PlayerDropped(players=(PlayerId(3),), after=1)
    >>> depends_on(ops.RoundPaired(round=2, tables=()), drop), depends_on(drop, drop)
    (True, True)
    """
    return bool(footprint(later).needs & footprint(earlier).makes)


# -- the event after every entry


class History:
    """Computes the state of an event after each entry.

    All states together take about as long as one `fold` of all entries. `fold` leaves out every entry that is
    undone in the end. In a history, such an entry has its effect until it is undone. If an `undone` entry
    undoes or restores an entry, the history goes back to a state saved before that entry, and applies all
    later entries again.

    folded: how many entries were applied, counting each repetition, as a measure of the work
    """

    SAVE_INTERVAL = 64
    """The number of entries after which a state is saved."""

    def __init__(self, texts: Texts) -> None:
        self.folded = 0
        self._texts = texts
        self._entries: list[Entry] = []
        self._undone_entries: set[int] = set()
        self._undos: dict[int, list[int]] = {}
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
            preposition = "without" if target in self._undone_entries else "with"
            raise MisfitError(entry, f"{preposition} entry {target}, {fault.message}") from None

    def state(self) -> State:
        """Return the event after the last added entry."""
        return self._freeze_draft(self._entries[-1])

    def _put(self, entry: Entry) -> None:
        self.folded += 1
        _write(self._draft, entry, self._texts, is_undone=entry.seq in self._undone_entries)
        if entry.seq % self.SAVE_INTERVAL == 0:
            self._saved.append(self._freeze_draft(entry))

    def _freeze_draft(self, entry: Entry) -> State:
        state = self._draft.frozen(entry.seq, entry.digest)
        self._draft = StateDraft(state)  # so that rounds that no later entry changes are not frozen again
        return state

    def _put_from(self, first: int) -> None:
        """Go back to the last state saved before entry `first`, and apply all later entries again."""
        while self._saved[-1].entry >= first:
            self._saved.pop()
        self._draft = StateDraft(self._saved[-1])
        for entry in self._entries[self._saved[-1].entry :]:
            self._put(entry)

    def _toggle(self, op: ops.Undone, number: int) -> int | None:
        """Record an undo or redo. Return the number of the original entry that it undoes or redoes.

        Returns None if it has no effect on that entry, for example because the entry is still undone by
        another entry.

        number: the number of the entry that contains `op`
        """
        self._undos.setdefault(op.entry, []).append(number)
        while True:
            target = op.entry
            is_undone = not self._undone_entries.issuperset(self._undos[target])
            if is_undone is (target in self._undone_entries):
                return None
            (self._undone_entries.add if is_undone else self._undone_entries.discard)(target)
            about = self._entries[target - 1].op
            if not isinstance(about, ops.Undone):
                return target
            op = about


# -- every kind of entry


def _apply_undone(draft: StateDraft, _op: ops.Undone, at: Entered, _texts: Texts) -> None:
    """Restart the waiting time of open claims.

    Otherwise a claim that the undo reopens would be entered at once.
    """
    for claim in draft.rounds[-1].claims if draft.rounds else ():
        draft.round(len(draft.rounds)).change(claim.table, claim=replace(claim, since=at.at))


def _describe_undone(op: ops.Undone, context: EventReading) -> str:
    undone_op = context.entries[op.entry - 1].op
    if isinstance(undone_op, ops.Undone):
        original = context.entries[undone_op.entry - 1].op
        return f'Entry {undone_op.entry} ("{sentence(original, context)}") was redone'
    return f'Entry {op.entry} ("{sentence(undone_op, context)}") was undone{context.reason(op.reason)}'


_NOUNS = (event_admin, players, presence, decks, rounds, results, claims, brackets, penalties)

KINDS: dict[type[ops.Op], EntryKind] = {kind.op: kind for noun in _NOUNS for kind in noun.KINDS} | {
    ops.Undone: EntryKind(ops.Undone, _apply_undone, _describe_undone, in_closed=True)
}
"""Every kind of entry, by the type of its op."""


# -- undo and redo: both are an op, `undone`, and a redo undoes an undo


class Book(NamedTuple):
    """The data about the journal that undoing or redoing an entry needs.

    undos: number of an undone entry → number of the `undone` entry that undid it (`undos_by_entry`)
    texts: all short texts, without decks and rules
    own_refs: the refs (salted digests of the name) with which the current scorekeeper has signed entries
    """

    entries: Sequence[Entry]
    undos: Mapping[int, int]
    texts: Texts
    own_refs: frozenset[Ref]

    @classmethod
    def of(cls, change: EventChange) -> Book:
        """Return the data about the journal that undoing or redoing an entry needs."""
        own_refs = signed_refs(change.entries, change.texts, change.by)
        return cls(change.entries, undos_by_entry(change.entries), change.texts, own_refs)

    @property
    def in_force(self) -> list[Entry]:
        """The entries that are not undone and are not an `undone` themselves."""
        return [
            entry
            for entry in self.entries
            if entry.seq not in self.undos and not isinstance(entry.op, ops.Undone)
        ]


def undo(change: EventChange, number: int | None = None, *, reason: str | None = None) -> Decision:
    """Undo an entry.

    number: the entry; None for the scorekeeper's own newest entry that is in force

    Raises TourneyError if the entry can never be undone, such as the creation of the event, or if later
    entries depend on it. In the second case, the error names them.
    """
    book = Book.of(change)
    target = _entry_to_undo(book, number)
    if target.seq in book.undos:
        return Decision(already=f"Entry {target.seq} was already undone (entry {book.undos[target.seq]})")
    return _toggle(change, book, target, reason)


def _entry_to_undo(book: Book, number: int | None) -> Entry:
    if number is not None:
        if not 1 <= number <= len(book.entries):
            raise TourneyError(f"there is no entry {number}: the last one is {len(book.entries)}")
        return book.entries[number - 1]
    in_force = book.in_force
    own_entries = [entry for entry in in_force if entry.by in book.own_refs]
    if not own_entries:
        newest = next(entry for entry in reversed(in_force) if not KINDS[type(entry.op)].by_players)
        raise TourneyError(
            "none of the entries is yours", f"undo the newest entry with `tourney event undo {newest.seq}`"
        )
    return own_entries[-1]


def redo(change: EventChange, number: int | None = None, *, reason: str | None = None) -> Decision:
    """Redo an entry that was undone.

    number: the entry; None for the entry that the scorekeeper undid last
    """
    book = Book.of(change)
    entries, undos = book.entries, book.undos
    if number is not None:
        if number not in undos:
            raise TourneyError(f"entry {number} was not undone, so it cannot be redone")
        return _toggle(change, book, entries[undos[number] - 1], reason)
    for entry in reversed(entries):
        if isinstance(entry.op, ops.Undone) and entry.seq not in undos and entry.by in book.own_refs:
            is_redo = isinstance(entries[entry.op.entry - 1].op, ops.Undone)
            if not is_redo:
                return _toggle(change, book, entry, reason)
    raise TourneyError("you have not undone anything that can be redone")


def _toggle(change: EventChange, book: Book, target: Entry, reason: str | None) -> Decision:
    """Undo `target`: an original entry, or an earlier undo or redo of one.

    Writes nothing if this does not change whether the original entry is in force. For example, if it was
    undone, redone and undone again, undoing the redo changes nothing, because the second undo still applies.
    """
    about = root(book.entries, target)
    op = ops.Undone(entry=target.seq, reason=change.note(reason))
    after = undos_by_entry([*book.entries, about._replace(seq=len(book.entries) + 1, op=op)])
    if (about.seq in after) == (about.seq in book.undos):
        by = book.undos.get(about.seq)
        return Decision(
            already=f"Entry {about.seq} was already undone (entry {by})"
            if by
            else f"Entry {about.seq} is already in force"
        )
    _refuse_permanent(change.state, book, about)
    _refuse_equal_names(change.state, book, about)
    if about.seq in book.undos:
        _refuse_related(book, about, _conflicting_entries(book, about, target), is_redo=True)
    else:
        _refuse_related(book, about, _dependent_entries(book, about), is_redo=False)
    return Decision(op=op)


_PERMANENT_ENTRIES = {
    ops.EventCreated: "creation of the event",
    ops.EventImported: "import of the event",
    ops.PlayerErased: "deletion of a person's texts",
}


def _refuse_permanent(state: State, book: Book, about: Entry) -> None:
    """Raise TourneyError if this kind of entry cannot be undone, or if the event is closed.

    In a closed event, only the entry that closed it can be undone.
    """
    subject = _PERMANENT_ENTRIES.get(type(about.op))
    if subject:
        raise TourneyError(f"the {subject} (entry {about.seq}) cannot be undone")
    if isinstance(about.op, ops.BeaconEntered):
        # Once a pairing has shown the effect of the value, no other value may be entered, even if the pairing
        # was undone.
        pairings = [
            entry.seq for entry in book.entries if isinstance(entry.op, ops.RoundPaired) and entry.op.engine
        ]
        first = next((number for number in pairings if number > about.seq), None)
        if first is not None:
            raise TourneyError(
                f"entry {about.seq} cannot be undone: entry {first} paired a round with this public value",
                "to pair a round without this value, use `tourney round pair --by-hand FILE`",
            )
    if not isinstance(about.op, ops.EventClosed):
        open_event(state)


def _refuse_equal_names(state: State, book: Book, about: Entry) -> None:
    """Raise TourneyError if the undo or redo would give a player the name of another player."""
    names = _names_given(about.op)
    if about.seq not in book.undos:
        if not isinstance(about.op, ops.PlayerRenamed):
            return
        player = about.op.player
        names_by_entry = [_names_given(entry.op) for entry in book.in_force if entry is not about]
        earlier_refs = [refs[player] for refs in names_by_entry if player in refs]
        names = {player: earlier_refs[-1]}
    for player, ref in names.items():
        name = book.texts.get(ref)
        holder = by_name(state.players).get(fold_name(name)) if name else None
        if holder is not None and holder.id != player:
            raise TourneyError(
                f"another player is now called {holder.name} (#{holder.id})",
                f"`tourney player rename {holder.name} NAME`",
            )


def _names_given(op: ops.Op) -> dict[PlayerId, Ref]:
    if isinstance(op, ops.PlayerAdded):
        return {newcomer.id: newcomer.name for newcomer in op.players}
    return {op.player: op.name} if isinstance(op, ops.PlayerRenamed) else {}


def _dependent_entries(book: Book, about: Entry) -> list[int]:
    """Return the numbers of the later entries that depend on `about` and are not undone."""
    makes = footprint(about.op).makes
    newer = (entry for entry in book.in_force if entry.seq > about.seq)
    later = [entry.seq for entry in newer if footprint(entry.op).needs & makes]
    return sorted([*later, *_undos_since(book, about)]) if OPEN in makes else later


def _undos_since(book: Book, about: Entry) -> list[int]:
    """Return the numbers of the later undos and redos that depend on `about`.

    `about` closed or reopened the event. Later undos and redos depend on it, because they require an open
    event. Only undos and redos of entries that are older than `about` are returned: for each such entry, the
    newest one, if the entry was undone at `about` and is not now, or the reverse.
    """
    earlier_undos, last_undos = undos_by_entry(book.entries[: about.seq]), {}
    for entry in book.entries[about.seq :]:
        if isinstance(entry.op, ops.Undone):
            last_undos[root(book.entries, entry).seq] = entry.seq
    return [
        number
        for target, number in last_undos.items()
        if target < about.seq and (target in earlier_undos) != (target in book.undos)
    ]


def _conflicting_entries(book: Book, about: Entry, target: Entry) -> list[int]:
    """Return the numbers of the entries that prevent redoing `about`, which `target` undid.

    Such an entry depends on `about`, or `about` depends on it. In addition, one of these is true:

    * The entry is newer than `target`, and is not undone.
    * The entry is older than `about`, and its status (undone or not) has changed since `about` was written.
    """
    before = undos_by_entry(book.entries[: about.seq - 1])
    older = [
        entry for entry in book.entries[: about.seq - 1] if (entry.seq in before) != (entry.seq in book.undos)
    ]
    newer = [entry for entry in book.in_force if entry.seq > target.seq]
    return [
        entry.seq
        for entry in (*older, *newer)
        if not isinstance(entry.op, ops.Undone)
        and (depends_on(entry.op, about.op) or depends_on(about.op, entry.op))
    ]


_MOST_NAMED = 5
"""The maximum number of entries that an error names; it counts the others."""


def _refuse_related(book: Book, about: Entry, blockers: Sequence[int], *, is_redo: bool) -> None:
    """Raise TourneyError if other entries prevent undoing or redoing `about`.

    blockers: the numbers of these entries; empty if there are none
    """
    if not blockers:
        return
    more = [f"{len(blockers) - _MOST_NAMED} more"] if len(blockers) > _MOST_NAMED else []
    listing = listed([*blockers[:_MOST_NAMED], *more])
    verb, singular, plural = (
        ("redone", "conflicts with", "conflict with") if is_redo else ("undone", "depends on", "depend on")
    )
    reason = f"entry {listing} {singular} it" if len(blockers) == 1 else f"entries {listing} {plural} it"
    first = f"`tourney event {'redo' if blockers[-1] in book.undos else 'undo'} {blockers[-1]}` first"
    raise TourneyError(
        f"entry {about.seq} cannot be {verb}: {reason}", f"{first}; `tourney event log` shows the history"
    )
