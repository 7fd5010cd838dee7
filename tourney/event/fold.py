"""From entries to the state: one small function for each kind of op, in one table.

Whether something may happen is asked before it is recorded (`tourney.event.decide`); folding asks only whether what
was recorded has a meaning (`tourney.event.replay`). Entries that were taken back are left out before anything is
applied.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import msgspec

from tourney.errors import TourneyError
from tourney.event import ops
from tourney.event.draft import Draft, DraftRound
from tourney.event.entry import Entry
from tourney.event.parts import Newcomer, Ref, Seating, settings_from
from tourney.event.replay import MisfitError, refuse_misfit, refuse_nonsense
from tourney.event.state import Beacon, Cut, Deck, Entered, Forbidden, Forced, Player, Remark, State
from tourney.event.texts import Damaged, Texts
from tourney.record import Outcome, PlayerId


def fold(entries: Sequence[Entry], texts: Texts) -> State:
    """Return the event after all of `entries`, the first of which is entry 1."""
    return advance(State(), entries, texts, taken_back(entries))


def advance(
    state: State, entries: Iterable[Entry], texts: Texts, without: Mapping[int, int] = MappingProxyType({})
) -> State:
    """Return the event after `entries` that follow `state`, leaving out the numbers in `without`.

    An `undone` among the entries has no effect here: whoever has one folds everything again. Raises TourneyError naming
    the first entry that does not fit the event before it.
    """
    draft = Draft(state)
    number, digest = state.entry, state.digest
    for entry in entries:
        number, digest = entry.seq, entry.digest
        refuse_nonsense(entry)
        _write(draft, entry, texts, gone=number in without)
    return draft.frozen(number, digest)


def _write(draft: Draft, entry: Entry, texts: Texts, *, gone: bool) -> None:
    """Put an entry into the draft; of one that is `gone`, taken back, only the players' numbers."""
    number, at, by, op, _ = entry
    if gone:
        _bump(draft, op)
        return
    refuse_misfit(entry, draft)
    try:
        _APPLY[type(op)](draft, op, Entered(number, at, _said(by, texts, "a scorekeeper")), texts)
    except TourneyError as fault:  # settings that no event can have
        raise MisfitError(entry, fault.message) from None


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
        self._draft = Draft(State())

    def add(self, entry: Entry) -> None:
        """Go on to the next entry. Raises MisfitError where the event does not fold up to it."""
        refuse_nonsense(entry)
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

    @property
    def shape(self) -> tuple[object, ...]:
        """What the event is played under and how far it is: what decides how it is shown."""
        draft = self._draft
        return draft.rules, draft.settings, len(draft.rounds), draft.cut

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
        self._draft = Draft(state)  # a round that is not touched from here on need not be frozen again
        return state

    def _put_from(self, first: int) -> None:
        """Fold anew what is there from an entry on."""
        while self._saved[-1].entry >= first:
            self._saved.pop()
        self._draft = Draft(self._saved[-1])
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


def _bump(draft: Draft, op: ops.Op) -> None:
    """Never give a player's number twice, even if the registration was taken back."""
    if isinstance(op, ops.PlayerAdded):
        draft.last_id = max(draft.last_id, *(each.id for each in op.players))


def _said(ref: Ref, texts: Texts, otherwise: str) -> str:
    """Return a text, as damaged as it is, or what stands for one that was deleted: plain text, fit for any encoder."""
    return str(texts.get(ref) or otherwise)


# -- the event


def _created(draft: Draft, op: ops.EventCreated, at: Entered, texts: Texts) -> None:
    draft.facts.update(
        name=_said(op.name, texts, "an event"),
        name_ref=op.name,
        format=op.format,
        created=at.at,
        on=op.on,
        secret_digest=op.secret,
        sealed=op.sealed,
    )
    draft.rules, draft.settings = op.rules, op.settings


def _changed(draft: Draft, op: ops.EventChanged, _at: Entered, texts: Texts) -> None:
    if op.name is not None:
        draft.facts.update(name=_said(op.name, texts, "an event"), name_ref=op.name)
    if op.settings:
        draft.settings = settings_from(op.settings, draft.settings)
    if op.profile:
        draft.rules = (*(kept for kept in draft.rules if kept.kind != "profile"), *op.profile)


def _beacon(draft: Draft, op: ops.BeaconEntered, at: Entered, _texts: Texts) -> None:
    draft.facts["beacon"] = Beacon(op.value, at)


def _closed(draft: Draft, op: ops.EventClosed, _at: Entered, _texts: Texts) -> None:
    draft.facts.update(closed=True)
    if op.secret is not None:
        draft.facts["revealed"] = op.secret


def _reopened(draft: Draft, _op: ops.EventReopened, _at: Entered, _texts: Texts) -> None:
    draft.facts["closed"] = False


def _rebased(draft: Draft, op: ops.EventRebased, _at: Entered, _texts: Texts) -> None:
    draft.rules, draft.facts["on"] = op.rules, op.on


# -- players


def _added(draft: Draft, op: ops.PlayerAdded, _at: Entered, texts: Texts) -> None:
    for newcomer in op.players:
        draft.players[newcomer.id] = _player(newcomer, texts)
    _bump(draft, op)


def _player(newcomer: Newcomer, texts: Texts) -> Player:
    return Player(
        id=newcomer.id,
        name=_name(newcomer.id, newcomer.name, texts),
        name_ref=newcomer.name,
        since=newcomer.since,
        late=Outcome(newcomer.late),
        rating=newcomer.rating,
        tags=_tags(newcomer.tags, texts),
        byes=MappingProxyType({number: Outcome(kind) for number, kind in newcomer.byes}),
        table=newcomer.table,
        contact=newcomer.contact,
    )


def _name(player: PlayerId, ref: Ref, texts: Texts) -> str:
    """Return a player's name; one that was deleted or is damaged says so, and whose it was."""
    name = texts.get(ref)
    return f"#{player} (name damaged)" if isinstance(name, Damaged) else name or f"player {player}"


def _tags(tags: tuple[tuple[str, Ref], ...], texts: Texts) -> Mapping[str, tuple[Ref, str]]:
    return MappingProxyType({kind: (ref, _said(ref, texts, "")) for kind, ref in tags})


def _renamed(draft: Draft, op: ops.PlayerRenamed, _at: Entered, texts: Texts) -> None:
    draft.change(op.player, name=_name(op.player, op.name, texts), name_ref=op.name)


def _dropped(draft: Draft, op: ops.PlayerDropped, _at: Entered, _texts: Texts) -> None:
    for player in op.players:
        draft.change(player, dropped=op.after)


def _returned(draft: Draft, op: ops.PlayerReturned, _at: Entered, _texts: Texts) -> None:
    for player in op.players:
        draft.change(player, dropped=None)


def _facts_changed(draft: Draft, op: ops.PlayerChanged, _at: Entered, texts: Texts) -> None:
    facts: dict[str, Any] = {
        key: value
        for key, value in (("rating", op.rating), ("table", op.table), ("contact", op.contact))
        if value is not msgspec.UNSET
    }
    if op.tags is not msgspec.UNSET:
        facts["tags"] = _tags(op.tags, texts)
    if op.byes:
        byes: dict[int, Any] = dict(draft.players[op.player].byes) | dict(op.byes)
        facts["byes"] = MappingProxyType(
            {number: Outcome(kind) for number, kind in sorted(byes.items()) if kind != "play"}
        )
    draft.change(op.player, **facts)


def _disqualified(draft: Draft, op: ops.PlayerDisqualified, _at: Entered, _texts: Texts) -> None:
    draft.change(op.player, disqualified=op.after)


def _checked_in(draft: Draft, op: ops.PlayerCheckedIn, _at: Entered, _texts: Texts) -> None:
    for player in op.players:
        draft.change(player, checked_in=True)


def _blanked(draft: Draft, op: ops.PlayerBlanked, _at: Entered, _texts: Texts) -> None:
    for player in op.numbers:
        if player in draft.players:  # else their registration was taken back
            draft.change(player, name=f"player {player}", blank=True)


def _deck(draft: Draft, op: ops.DeckSubmitted, at: Entered, _texts: Texts) -> None:
    draft.change(op.player, deck=Deck(text=op.text, verdict=op.verdict, cards=op.cards, entry=at.entry))


def _waived(draft: Draft, op: ops.DeckWaived, _at: Entered, _texts: Texts) -> None:
    for player in op.players:
        draft.change(player, waived=True)


# -- rounds


def _paired(draft: Draft, op: ops.RoundPaired, at: Entered, _texts: Texts) -> None:
    new = DraftRound(
        number=op.round,
        stage=op.stage,
        system=op.system,
        paired=at,
        seed=op.seed,
        engine=op.engine,
        proof=op.proof,
        labels={table.number: label for table, label in zip(op.tables, op.labels, strict=False)},
    )
    new.seat(op.tables, op.byes)
    draft.rounds.append(new)


def _edited(draft: Draft, op: ops.RoundEdited, at: Entered, _texts: Texts) -> None:
    changed = draft.round(op.round)
    for number in (*op.removed, *(table.number for table in op.tables)):
        changed.clear(number)
    changed.seat(op.tables, op.byes)
    changed.proof, changed.engine = op.proof, op.engine
    changed.edits.append(at)


def _cancelled(draft: Draft, op: ops.RoundCancelled, _at: Entered, _texts: Texts) -> None:
    del draft.rounds[op.round - 1 :]


def _started(draft: Draft, op: ops.RoundStarted, at: Entered, _texts: Texts) -> None:
    changed = draft.round(op.round)
    changed.started, changed.minutes = at.at, op.minutes


def _extended(draft: Draft, op: ops.TableExtended, _at: Entered, _texts: Texts) -> None:
    extended = draft.round(op.round).extended
    extended[op.table] = extended.get(op.table, 0) + op.minutes


def _forced(draft: Draft, op: ops.PairForced, _at: Entered, _texts: Texts) -> None:
    draft.forced.append(Forced(players=op.players, round=op.round, table=op.table))


def _forbidden(draft: Draft, op: ops.PairForbidden, _at: Entered, _texts: Texts) -> None:
    draft.forbidden.append(Forbidden(players=op.players, hard=op.hard))


def _cut(draft: Draft, op: ops.CutMade, _at: Entered, _texts: Texts) -> None:
    draft.cut = Cut.by(op)


# -- results and remarks


def _reported(draft: Draft, op: ops.ResultReported, at: Entered, _texts: Texts) -> None:
    changed = draft.round(op.round)
    for said in op.results:
        changed.enter(said, at)


def _result_changed(draft: Draft, op: ops.ResultChanged, at: Entered, _texts: Texts) -> None:
    changed = draft.round(op.round)
    if op.result is not None:
        changed.enter(op.result, at)
        return
    table = changed.tables[op.table]
    changed.forget(op.table)
    changed.seat((Seating(table.number, table.seats),), ())


def _penalty(draft: Draft, op: ops.PenaltyGiven, at: Entered, _texts: Texts) -> None:
    draft.penalties.append(
        Remark(entry=at.entry, player=op.player, round=op.round, kind=op.kind, text=op.reason)
    )


def _audit(draft: Draft, op: ops.AuditRecorded, at: Entered, _texts: Texts) -> None:
    kind = "clean deck" if op.clean else "deck problem"
    draft.audits.append(Remark(entry=at.entry, player=op.player, round=op.round, kind=kind, text=op.found))


def _undone(_draft: Draft, _op: ops.Undone, _at: Entered, _texts: Texts) -> None:
    """Change nothing: what it takes back was left out already."""


_APPLY: dict[type[ops.Op], Callable[[Draft, Any, Entered, Texts], None]] = {
    ops.EventCreated: _created,
    ops.EventChanged: _changed,
    ops.BeaconEntered: _beacon,
    ops.EventClosed: _closed,
    ops.EventReopened: _reopened,
    ops.EventRebased: _rebased,
    ops.PlayerAdded: _added,
    ops.PlayerRenamed: _renamed,
    ops.PlayerDropped: _dropped,
    ops.PlayerReturned: _returned,
    ops.PlayerChanged: _facts_changed,
    ops.PlayerDisqualified: _disqualified,
    ops.PlayerCheckedIn: _checked_in,
    ops.PlayerBlanked: _blanked,
    ops.PlayerErased: _blanked,
    ops.DeckSubmitted: _deck,
    ops.DeckWaived: _waived,
    ops.RoundPaired: _paired,
    ops.RoundEdited: _edited,
    ops.RoundCancelled: _cancelled,
    ops.RoundStarted: _started,
    ops.TableExtended: _extended,
    ops.PairForced: _forced,
    ops.PairForbidden: _forbidden,
    ops.ResultReported: _reported,
    ops.ResultChanged: _result_changed,
    ops.CutMade: _cut,
    ops.PenaltyGiven: _penalty,
    ops.AuditRecorded: _audit,
    ops.Undone: _undone,
}
