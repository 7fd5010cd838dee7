"""Every entry as a sentence: what the log tells and what a receipt answers. One function an op, in one table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from tourney.event import ops
from tourney.event.entry import Entry
from tourney.event.parts import Ref
from tourney.event.state import State, cut_title
from tourney.event.texts import Texts
from tourney.event.words import UNSEATED, be, counted, listed, said_text, seats_text, tables_text
from tourney.record import Outcome, PlayerId

MOST_NAMED = 6
"""Players or tables named one by one in a sentence; more are counted."""


class Teller(NamedTuple):
    """What a sentence may need: the event (for names as they are now), the texts, and the other entries."""

    state: State
    texts: Texts
    entries: Sequence[Entry]

    def name(self, player: PlayerId) -> str:
        """Name a player; one whose registration was taken back by the name given then."""
        if player in self.state.players:
            return self.state.players[player].name
        for entry in self.entries:
            if isinstance(entry.op, ops.PlayerAdded):
                for newcomer in entry.op.players:
                    if newcomer.id == player:
                        return self.texts.get(newcomer.name) or f"player {player}"
        return f"player {player}"

    def names(self, players: Sequence[PlayerId]) -> str:
        """Name players, or count them where there are many."""
        if len(players) > MOST_NAMED:
            return f"{listed_short([self.name(player) for player in players])}"
        return listed(self.name(player) for player in players)

    def title(self, number: int) -> str:
        """Name a round: `Round 3`, `Semifinals`."""
        return self.state.rounds[number - 1].title if number <= len(self.state.rounds) else f"Round {number}"

    def why(self, ref: Ref | None) -> str:
        """Say a reason, if there is one."""
        if ref is None:
            return ""
        return f": {self.texts.get(ref) or '(deleted)'}"


def listed_short(words: Sequence[str]) -> str:
    """Name the first few and count the rest."""
    return f"{', '.join(words[: MOST_NAMED - 1])} and {len(words) - MOST_NAMED + 1} more"


def sentence(op: ops.Op, teller: Teller) -> str:
    """Say what an entry did, without a full stop: `Round 3, table 4: Mira 2–0 Tomo`."""
    return _SENTENCES[type(op)](op, teller)


def _created(op: ops.EventCreated, teller: Teller) -> str:
    lists = [kept.name for kept in op.rules if kept.kind == "banlist"]
    banned = f"ban list {lists[0]}" if lists else "no ban list"
    profile = next((kept.name for kept in op.rules if kept.kind == "profile"), "")
    waiting = f"; its seeds wait for {op.settings.beacon}" if op.settings.beacon else ""
    return f"{teller.texts.get(op.name) or 'An event'} begins: {op.format}, {banned}, standings {profile}{waiting}"


def _changed(op: ops.EventChanged, teller: Teller) -> str:
    said = [f"{key} is {_value(value)}" for key, value in op.settings.items()]
    said += [f"the name is {teller.texts.get(op.name)}"] if op.name else []
    said += [f"standings by {op.profile[0].name}"] if op.profile else []
    return f"The event was changed: {listed(said)}{teller.why(op.reason)}"


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_value(each)}" for key, each in value.items()) or "nothing"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_value, value)) or "nothing"
    return (
        {None: "open", True: "on", False: "off"}.get(value, str(value))
        if value is None or isinstance(value, bool)
        else str(value)
    )


def _beacon(op: ops.BeaconEntered, teller: Teller) -> str:
    source = teller.state.settings.beacon
    return f"The public value{f' ({source})' if source else ''} is {op.value}"


def _closed(op: ops.EventClosed, _teller: Teller) -> str:
    return "The event was closed" + (f"; its secret was {op.secret}" if op.secret else "")


def _reopened(op: ops.EventReopened, teller: Teller) -> str:
    return f"The event was reopened{teller.why(op.reason)}"


def _rebased(op: ops.EventRebased, teller: Teller) -> str:
    return f"New rules were adopted, as of {op.on}{teller.why(op.reason)}"


def _added(op: ops.PlayerAdded, teller: Teller) -> str:
    said = [f"{teller.name(each.id)} (#{each.id})" for each in op.players]
    who = listed_short(said) if len(said) > MOST_NAMED else listed(said)
    since = op.players[0].since
    late = f", from round {since} on" if since > 1 else ""
    return f"{who} {'is' if len(said) == 1 else 'are'} registered{late}"


def _renamed(op: ops.PlayerRenamed, teller: Teller) -> str:
    return f"#{op.player} is called {teller.texts.get(op.name) or f'player {op.player}'}"


def _dropped(op: ops.PlayerDropped, teller: Teller) -> str:
    when = f"after round {op.after}" if op.after else "before round 1"
    return f"{teller.names(op.players)} left {when}{teller.why(op.reason)}"


def _returned(op: ops.PlayerReturned, teller: Teller) -> str:
    play = "plays" if len(op.players) == 1 else "play"
    return f"{teller.names(op.players)} {play} again from round {op.since} on{teller.why(op.reason)}"


def _player_changed(op: ops.PlayerChanged, teller: Teller) -> str:
    said = [
        f"{key} {_fact(getattr(op, key))}"
        for key in ("rating", "table")
        if getattr(op, key) is not msgspec.UNSET
    ]
    if op.tags is not msgspec.UNSET:
        said += [f"{kind} {teller.texts.get(ref) or '(deleted)'}" for kind, ref in op.tags] or ["no tags"]
    said += ["another contact"] if op.contact is not msgspec.UNSET else []
    said += [f"in round {number} {_wish(kind)}" for number, kind in op.byes]
    return f"{teller.name(op.player)}: {listed(said)}"


def _fact(value: Any) -> str:
    return "none" if value is None else str(value)


def _wish(kind: str) -> str:
    return "playing" if kind == "play" else UNSEATED[Outcome(kind)]


def _disqualified(op: ops.PlayerDisqualified, teller: Teller) -> str:
    return f"{teller.name(op.player)} was disqualified{teller.why(op.reason)}"


def _checked_in(op: ops.PlayerCheckedIn, teller: Teller) -> str:
    return f"{teller.names(op.players)} checked in"


def _blanked(op: ops.PlayerBlanked, _teller: Teller) -> str:
    also = f" ({listed(f'#{each}' for each in op.numbers[1:])}, too)" if op.numbers[1:] else ""
    return f"The name, the deck and the notes of player #{op.player}{also} were deleted"


def _deck(op: ops.DeckSubmitted, teller: Teller) -> str:
    return f"The deck of {teller.name(op.player)} is registered ({op.verdict})"


def _waived(op: ops.DeckWaived, teller: Teller) -> str:
    return f"{teller.names(op.players)} {'needs' if len(op.players) == 1 else 'need'} no decklist{teller.why(op.reason)}"


def _paired(op: ops.RoundPaired, teller: Teller) -> str:
    where = " by hand" if op.system == "manual" else ""
    proof = f", {op.proof.text}" if op.proof.text else ""
    return f"{_title(op)} {be(_title(op))} paired{where}: {counted(len(op.tables), 'table')}{proof}{_byes(op, teller)}"


def _title(op: ops.RoundPaired) -> str:
    return cut_title(op.labels) if op.labels else f"Round {op.round}"


def _byes(op: ops.RoundPaired | ops.RoundEdited, teller: Teller) -> str:
    by_kind: dict[str, list[PlayerId]] = {}
    for each in op.byes:
        by_kind.setdefault(each.kind, []).append(each.player)
    said = []
    for kind, players in by_kind.items():
        have = "has" if len(players) == 1 else "have"
        said.append(f"{teller.names(players)} {have} {UNSEATED[Outcome(kind)]}")
    return f"; {'; '.join(said)}" if said else ""


def _edited(op: ops.RoundEdited, teller: Teller) -> str:
    how = "repaired" if op.engine else "edited"
    seated = [f"table {table.number} {seats_text(table.seats, teller.name)}" for table in op.tables]
    tables = listed_short(seated) if len(seated) > MOST_NAMED else listed(seated)
    gone = ""
    if op.removed:
        many = len(op.removed) > 1
        gone = f"{'tables' if many else 'table'} {tables_text(op.removed)} {'are' if many else 'is'} gone"
    said = "; ".join(filter(None, (tables, gone, _byes(op, teller).removeprefix("; "))))
    return f"{teller.title(op.round)} was {how}: {said}{teller.why(op.reason)}"


def _cancelled(op: ops.RoundCancelled, teller: Teller) -> str:
    return f"Round {op.round} was cancelled{teller.why(op.reason)}"


def _started(op: ops.RoundStarted, teller: Teller) -> str:
    length = f"{op.minutes} minutes" if op.minutes else "without limit"
    return f"{teller.title(op.round)} started, {length}"


def _extended(op: ops.TableExtended, teller: Teller) -> str:
    return f"{teller.title(op.round)}, table {op.table}: {op.minutes} minutes more{teller.why(op.reason)}"


def _forced(op: ops.PairForced, teller: Teller) -> str:
    if len(op.players) == 1:
        return f"{teller.names(op.players)} is to have the bye in round {op.round}"
    table = f" at table {op.table}" if op.table else ""
    return f"{teller.names(op.players)} are to meet in round {op.round}{table}{teller.why(op.reason)}"


def _forbidden(op: ops.PairForbidden, teller: Teller) -> str:
    how = "are never to meet" if op.hard else "are kept apart where it can be helped"
    return f"{teller.names(op.players)} {how}{teller.why(op.reason)}"


def _reported(op: ops.ResultReported, teller: Teller) -> str:
    title = teller.title(op.round)
    if len(op.results) == 1:
        return f"{title}, table {op.results[0].table}: {said_text(op.results[0], teller.name)}"
    said = [f"table {each.table}: {said_text(each, teller.name)}" for each in op.results]
    if len(said) > MOST_NAMED:
        return f"{title}: {len(said)} results, tables {tables_text([each.table for each in op.results])}"
    return f"{title}, {'; '.join(said)}"


def _result_changed(op: ops.ResultChanged, teller: Teller) -> str:
    title = f"{teller.title(op.round)}, table {op.table}"
    if op.result is None:
        return f"{title}: the result was taken away{teller.why(op.reason)}"
    return f"{title} was changed: {said_text(op.result, teller.name)}{teller.why(op.reason)}"


def _cut(op: ops.CutMade, teller: Teller) -> str:
    kind = "Double-elimination cut" if op.kind == "double" else "Cut"
    drawn = ", equals parted by lot" if op.lot else ""
    seeds = [f"{seed}. {teller.name(player)}" for seed, player in enumerate(op.players, 1)]
    return f"{kind} of {len(op.players)}{drawn}: {', '.join(seeds[:16])}{' …' if len(seeds) > 16 else ''}"


def _penalty(op: ops.PenaltyGiven, teller: Teller) -> str:
    return f"{teller.name(op.player)} has a penalty ({op.kind}) in round {op.round}{teller.why(op.reason)}"


def _audit(op: ops.AuditRecorded, teller: Teller) -> str:
    found = "was in order" if op.clean else "was not in order"
    return f"The deck of {teller.name(op.player)} {found} in round {op.round}{teller.why(op.found)}"


def _undone(op: ops.Undone, teller: Teller) -> str:
    what = teller.entries[op.entry - 1].op
    if isinstance(what, ops.Undone):
        return f"Entry {what.entry} stands again: {sentence(teller.entries[what.entry - 1].op, teller)}"
    return f"Entry {op.entry} was taken back: {sentence(what, teller)}{teller.why(op.reason)}"


_SENTENCES: dict[type[ops.Op], Callable[[Any, Teller], str]] = {
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
    ops.PlayerChanged: _player_changed,
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
