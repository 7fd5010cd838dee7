"""What an entry has to be so that the event can be folded and shown after it: what git calls fsck.

Digests prove that nobody changed what was written, not that it means anything: another program, or a hand, may chain
whatever it likes. These are no rules of play, which `tourney.event.decide` asks and which may become stricter: only
what every version of an entry of this kind has always meant, such as a result for a table that is there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Any

from tourney.event import ops
from tourney.event.draft import Draft
from tourney.event.entry import ALTERED, Entry, EntryError
from tourney.event.parts import Seating, TableResult
from tourney.event.words import counted, listed
from tourney.record import PlayerId


class MisfitError(EntryError):
    """An entry of a whole chain that does not fit the event before it."""

    def __init__(self, entry: Entry, said: str) -> None:
        kind = entry.op.__struct_config__.tag
        super().__init__(f"entry {entry.seq} ({kind}) does not fit the event before it: {said}", ALTERED)


def refuse_nonsense(entry: Entry) -> None:
    """Refuse an entry that means nothing by itself, whether it stands or was taken back. Raises MisfitError."""
    for said in _alone(entry):
        raise MisfitError(entry, said)


def refuse_misfit(entry: Entry, draft: Draft) -> None:
    """Refuse an entry that is about players, rounds or tables that the event does not have. Raises MisfitError."""
    fits = _FITS.get(type(entry.op))
    for said in fits(entry.op, draft) if fits else ():
        raise MisfitError(entry, said)


# -- an entry by itself


def _alone(entry: Entry) -> Iterator[str]:
    op = entry.op
    if not _is_time(entry.at):
        yield f"`{entry.at[:40]}` is no time"
    if isinstance(op, ops.EventCreated) != (entry.seq == 1):
        yield "an event is created by its first entry, and by no other"
    look = _ALONE.get(type(op))
    if look:
        yield from look(op)
    if isinstance(op, ops.Undone) and not 1 < op.entry < entry.seq:
        yield f"entry {op.entry} cannot be taken back by it"


def _is_time(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False


def _registered(op: ops.PlayerAdded) -> Iterator[str]:
    if not op.players:
        yield "nobody is registered"
    yield from _twice(each.id for each in op.players)
    for each in op.players:
        if each.id < 1:
            yield f"players count from 1, not {each.id}"
        if each.since < 1:
            yield f"rounds count from 1, not {each.since}"


def _somebody(op: Any) -> Iterator[str]:
    if not op.players:
        yield "it is about nobody"
    yield from _twice(op.players)


def _twice(players: Iterable[PlayerId]) -> Iterator[str]:
    seen: set[PlayerId] = set()
    for each in players:
        if each in seen:
            yield f"player #{each} is named twice"
        seen.add(each)


def _tables(tables: tuple[Seating, ...]) -> Iterator[str]:
    numbers = [table.number for table in tables]
    if len(set(numbers)) < len(numbers):
        yield "two tables have one number"
    for table in tables:
        if table.number < 1 or len(table.seats) < 2:
            yield f"table {table.number} has {counted(len(table.seats), 'seat')}"


def _seated(op: ops.RoundPaired | ops.RoundEdited) -> Iterator[str]:
    yield from _tables(op.tables)
    yield from _twice(
        [player for table in op.tables for player in table.seats] + [each.player for each in op.byes]
    )


def _reported(op: ops.ResultReported) -> Iterator[str]:
    if len({said.table for said in op.results}) < len(op.results):
        yield "a table has two results"


def _bracket(op: ops.CutMade) -> Iterator[str]:
    if len(op.players) < 2:
        yield "a bracket needs two players"
    yield from _twice(op.players)


_ALONE: dict[type[ops.Op], Callable[[Any], Iterator[str]]] = {
    ops.PlayerAdded: _registered,
    ops.PlayerDropped: _somebody,
    ops.PlayerReturned: _somebody,
    ops.PlayerCheckedIn: _somebody,
    ops.DeckWaived: _somebody,
    ops.RoundPaired: _seated,
    ops.RoundEdited: _seated,
    ops.PairForced: _somebody,
    ops.PairForbidden: _somebody,
    ops.ResultReported: _reported,
    ops.CutMade: _bracket,
}


# -- an entry after those before it


def _known(players: Iterable[PlayerId], draft: Draft) -> Iterator[str]:
    for player in players:
        if player not in draft.players:
            yield f"there is no player #{player}"


def _about_one(op: Any, draft: Draft) -> Iterator[str]:
    yield from _known((op.player,), draft)


def _about_many(op: Any, draft: Draft) -> Iterator[str]:
    yield from _known(op.players, draft)


def _new_players(op: ops.PlayerAdded, draft: Draft) -> Iterator[str]:
    for each in op.players:
        if each.id in draft.players:
            yield f"there is a player #{each.id} already"


def _in_round(op: Any, draft: Draft) -> Iterator[str]:
    if not 1 <= op.round <= len(draft.rounds):
        yield f"there is no round {op.round} among {counted(len(draft.rounds), 'round')}"


def _next_round(op: ops.RoundPaired, draft: Draft) -> Iterator[str]:
    if op.round != len(draft.rounds) + 1:
        yield f"round {op.round} cannot follow {counted(len(draft.rounds), 'round')}"
    yield from _known((player for table in op.tables for player in table.seats), draft)
    yield from _known((each.player for each in op.byes), draft)


def _edited(op: ops.RoundEdited, draft: Draft) -> Iterator[str]:
    yield from _in_round(op, draft)
    known = draft.rounds[op.round - 1]
    for number in op.removed:
        if number not in known.tables:
            yield f"round {op.round} has no table {number}"
    named = [player for table in op.tables for player in table.seats] + [each.player for each in op.byes]
    yield from _known(named, draft)
    changed = {*op.removed, *(table.number for table in op.tables)}
    staying = {
        player for number, table in known.tables.items() if number not in changed for player in table.seats
    }
    if both := sorted(staying.intersection(named)):
        yield f"{listed(f'#{player}' for player in both)} would have two places"


def _last_round(op: ops.RoundCancelled, draft: Draft) -> Iterator[str]:
    if op.round != len(draft.rounds) or not draft.rounds:
        yield f"round {op.round} is not the last one"


def _results(op: ops.ResultReported, draft: Draft) -> Iterator[str]:
    yield from _in_round(op, draft)
    for said in op.results:
        yield from _result(said, op.round, draft)


def _changed_result(op: ops.ResultChanged, draft: Draft) -> Iterator[str]:
    yield from _in_round(op, draft)
    if op.table not in draft.rounds[op.round - 1].tables:
        yield f"round {op.round} has no table {op.table}"
    if op.result is not None:
        if op.result.table != op.table:
            yield f"it is about table {op.table} and about table {op.result.table}"
        yield from _result(op.result, op.round, draft)


def _result(said: TableResult, number: int, draft: Draft) -> Iterator[str]:
    table = draft.rounds[number - 1].tables.get(said.table)
    if table is None:
        yield f"round {number} has no table {said.table}"
    elif tuple(seat.player for seat in said.seats) != table.seats:
        yield f"it is of others than those at table {said.table} in round {number}"


def _cut(op: ops.CutMade, draft: Draft) -> Iterator[str]:
    yield from _known(op.players, draft)
    if not 0 <= op.after <= len(draft.rounds):
        yield f"there is no round {op.after}"


_FITS: dict[type[ops.Op], Callable[[Any, Draft], Iterator[str]]] = {
    ops.PlayerAdded: _new_players,
    ops.PlayerRenamed: _about_one,
    ops.PlayerDropped: _about_many,
    ops.PlayerReturned: _about_many,
    ops.PlayerChanged: _about_one,
    ops.PlayerDisqualified: _about_one,
    ops.PlayerCheckedIn: _about_many,
    ops.DeckSubmitted: _about_one,
    ops.DeckWaived: _about_many,
    ops.RoundPaired: _next_round,
    ops.RoundEdited: _edited,
    ops.RoundCancelled: _last_round,
    ops.RoundStarted: _in_round,
    ops.TableExtended: _in_round,
    ops.PairForced: _about_many,
    ops.PairForbidden: _about_many,
    ops.ResultReported: _results,
    ops.ResultChanged: _changed_result,
    ops.CutMade: _cut,
    ops.PenaltyGiven: _about_one,
    ops.AuditRecorded: _about_one,
}
