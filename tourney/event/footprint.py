"""What an entry makes and what it rests on, so that an undo knows what was built on what.

A footprint is a set of marks such as ("table", 3, 4). A later entry stands on an earlier one where it needs a mark
that the earlier one made. FIELD is what every pairing is made from: who plays, with which results and wishes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from tourney.event import ops

Mark = tuple[str | int, ...]
Marks = frozenset[Mark]

FIELD: Mark = ("field",)
BEACON: Mark = ("beacon",)
OPEN: Mark = ("open",)
"""That the event takes entries: all but a few need what opened it."""

_NO_MARKS: Marks = frozenset()
_WHENEVER = (ops.EventCreated, ops.PlayerBlanked, ops.Undone)


class Footprint(NamedTuple):
    """The marks an entry makes, and those it needs."""

    makes: Marks
    needs: Marks


def footprint(op: ops.Op) -> Footprint:
    """Return what `op` makes and needs; an `undone` has none of its own (it has that of what it takes back)."""
    makes, needs = _FOOTPRINTS[type(op)](op)
    return Footprint(makes, needs if isinstance(op, _WHENEVER) else needs | {OPEN})


def stands_on(later: ops.Op, earlier: ops.Op) -> bool:
    """Say whether `later` needs something that `earlier` made.

    >>> from tourney.record import PlayerId
    >>> drop = ops.PlayerDropped(players=(PlayerId(3),), after=1)
    >>> stands_on(ops.RoundPaired(round=2, tables=()), drop), stands_on(drop, drop)
    (True, True)
    """
    return bool(footprint(later).needs & footprint(earlier).makes)


def _marks(*marks: Mark) -> Marks:
    return frozenset(marks)


def _players(players: tuple[int, ...]) -> Marks:
    return frozenset(("player", player) for player in players)


def _about(kind: str) -> Callable[[Any], Footprint]:
    """Return the footprint of ops that set one thing of one player, such as the name."""

    def both(op: Any) -> Footprint:
        return Footprint(_marks((kind, op.player)), _marks((kind, op.player), ("player", op.player)))

    return both


def _presence(op: Any) -> Footprint:
    players = op.players if hasattr(op, "players") else (op.player,)
    made = frozenset(("presence", player) for player in players)
    return Footprint(made | {FIELD}, made | _players(players))


def _noted(op: ops.PlayerCheckedIn | ops.DeckWaived) -> Footprint:
    kind = "checked in" if isinstance(op, ops.PlayerCheckedIn) else "waived"
    made = frozenset((kind, player) for player in op.players)
    return Footprint(made, made | _players(op.players))


def _player_changed(op: ops.PlayerChanged) -> Footprint:
    set_now = [
        name for name in ("rating", "tags", "table", "contact") if getattr(op, name) is not msgspec.UNSET
    ]
    made: Marks = frozenset(
        [("fact", op.player, name) for name in set_now]
        + [("wish", op.player, number) for number, _ in op.byes]
    )
    field = _NO_MARKS if set_now == ["contact"] and not op.byes else _marks(FIELD)
    return Footprint(made | field, made | _players((op.player,)))


def _event_changed(op: ops.EventChanged) -> Footprint:
    made: Marks = frozenset(("setting", key) for key in op.settings)
    made |= _marks(("setting", "name")) if op.name else _NO_MARKS
    made |= _marks(("rules",)) if op.profile else _NO_MARKS
    field = _marks(FIELD) if op.settings or op.profile else _NO_MARKS
    return Footprint(made | field, made)


def _beacon(_op: ops.BeaconEntered) -> Footprint:
    return Footprint(_marks(BEACON), _marks(BEACON, ("setting", "beacon")))


def _seated(op: ops.RoundPaired | ops.RoundEdited) -> set[Mark]:
    seated = {("player", player) for table in op.tables for player in table.seats}
    return {*seated, *(("player", each.player) for each in op.byes)}


def _paired(op: ops.RoundPaired) -> Footprint:
    tables = {("table", op.round, table.number) for table in op.tables}
    made = _marks(("round", op.round), FIELD, *tables)
    drawn = _marks(BEACON) if op.engine else _NO_MARKS
    return Footprint(
        made, drawn | _marks(FIELD, ("round", op.round), ("round", op.round - 1), ("cut",), *_seated(op))
    )


def _edited(op: ops.RoundEdited) -> Footprint:
    numbers = {*op.removed, *(table.number for table in op.tables)}
    byes = {("bye", op.round, each.player) for each in op.byes}
    seats = {("bye", op.round, player) for table in op.tables for player in table.seats}
    made: Marks = frozenset({("table", op.round, number) for number in numbers} | byes | seats)
    made |= _marks(("edits", op.round))  # the round's proof is that of its last edit
    return Footprint(made | {FIELD}, made | _marks(("round", op.round), *_seated(op)))


def _cancelled(op: ops.RoundCancelled) -> Footprint:
    made = _marks(("round", op.round), ("within", op.round), FIELD)
    return Footprint(made, made)


def _reported(op: ops.ResultReported) -> Footprint:
    made = frozenset(("table", op.round, said.table) for said in op.results)
    return Footprint(made | {FIELD}, made | {("round", op.round)})


def _result_changed(op: ops.ResultChanged) -> Footprint:
    made = _marks(("table", op.round, op.table))
    return Footprint(made | {FIELD}, made | {("round", op.round)})


def _started(op: ops.RoundStarted) -> Footprint:
    made = _marks(("clock", op.round))
    return Footprint(made, made | _marks(("round", op.round)))


def _extended(op: ops.TableExtended) -> Footprint:
    return Footprint(_NO_MARKS, _marks(("round", op.round), ("table", op.round, op.table)))


def _pair(op: ops.PairForced | ops.PairForbidden) -> Footprint:
    return Footprint(_marks(FIELD), _players(op.players))


def _cut(op: ops.CutMade) -> Footprint:
    return Footprint(
        _marks(("cut",), FIELD), _marks(FIELD, ("cut",), ("round", op.after)) | _players(op.players)
    )


def _remark(op: ops.PenaltyGiven | ops.AuditRecorded) -> Footprint:
    return Footprint(_NO_MARKS, _players((op.player,)))


def _rules(_op: ops.EventRebased) -> Footprint:
    return Footprint(_marks(("rules",), FIELD), _marks(("rules",)))


def _open(_op: ops.EventClosed | ops.EventReopened) -> Footprint:
    return Footprint(_marks(OPEN), _marks(OPEN, FIELD))


def _nothing(_op: ops.Op) -> Footprint:
    return Footprint(_NO_MARKS, _NO_MARKS)


def _added(op: ops.PlayerAdded) -> Footprint:
    made = _players(tuple(each.id for each in op.players))
    return Footprint(made | {FIELD}, _NO_MARKS)


_FOOTPRINTS: dict[type[ops.Op], Callable[[Any], Footprint]] = {
    ops.EventCreated: _nothing,
    ops.EventChanged: _event_changed,
    ops.BeaconEntered: _beacon,
    ops.EventClosed: _open,
    ops.EventReopened: _open,
    ops.EventRebased: _rules,
    ops.PlayerAdded: _added,
    ops.PlayerRenamed: _about("name"),
    ops.PlayerDropped: _presence,
    ops.PlayerReturned: _presence,
    ops.PlayerChanged: _player_changed,
    ops.PlayerDisqualified: _presence,
    ops.PlayerCheckedIn: _noted,
    ops.PlayerBlanked: _nothing,  # what stands on a name that is gone stands without it
    ops.PlayerErased: _nothing,
    ops.DeckSubmitted: _about("deck"),
    ops.DeckWaived: _noted,
    ops.RoundPaired: _paired,
    ops.RoundEdited: _edited,
    ops.RoundCancelled: _cancelled,
    ops.RoundStarted: _started,
    ops.TableExtended: _extended,
    ops.PairForced: _pair,
    ops.PairForbidden: _pair,
    ops.ResultReported: _reported,
    ops.ResultChanged: _result_changed,
    ops.CutMade: _cut,
    ops.PenaltyGiven: _remark,
    ops.AuditRecorded: _remark,
    ops.Undone: _nothing,
}
