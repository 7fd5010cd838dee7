"""What players enter by phone: reports of results, answers to them, and calls for a judge.

A claim is a reported result. When all other players at the table have confirmed it, it becomes the table's
result. If one of them disputes it, the desk decides. A claim ends when the desk enters or removes a result at
its table, when players change seats or leave, and when the next round is paired. If a claim, or an answer
to it, no longer fits the event, it has no effect. A claim never prevents an undo: no entry depends on a
claim, and a claim does not depend on other entries.

Error messages address the player as `you`. If a phone sends the same request twice, the second one is
answered with the entry that the first one made.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from tourney.errors import TourneyError
from tourney.event import ops, presence, results
from tourney.event.entry import Entry, Texts, display_text, text_of
from tourney.event.kind import (
    Decision,
    EntryKind,
    EventChange,
    EventReading,
    open_event,
    player_of,
    signer,
)
from tourney.event.ops import Ref
from tourney.event.phrases import RULING, result_text
from tourney.event.results import odd_ending
from tourney.event.score import ReadResult, Report, report_of
from tourney.event.state import Claim, Dispute, Entered, JudgeCall, Round, RoundTable, State, StateDraft
from tourney.event.titles import in_a_sentence
from tourney.record import BY_PLAY, PlayerId
from tourney.wording import Message, clock_time, listed

MOST_ENTRIES = 60
"""The maximum number of entries that a player may make between two pairings."""

TOO_MUCH = (
    Message("you have sent too many requests in this round"),
    Message("go to the desk, where everything can be entered"),
)
"""The message and the hint of the error for a player who makes more entries."""

_RELOAD = Message("reload the page")
_KEY = re.compile(r"[A-Za-z0-9_-]{1,40}")


class Request(Struct, frozen=True, kw_only=True):
    """A request that a player sends on their own behalf, with the player's earlier entries.

    device:   the device that sent the request
    key:      the key that identifies the request; empty if it has none
    earlier:  the player's entries so far
    undone:   the numbers of undone entries
    recent:   the number of the player's entries since the last pairing
    describe: a function that describes an entry in a sentence
    """

    player: PlayerId
    device: Ref | None = None
    key: str = ""
    earlier: Sequence[Entry] = ()
    undone: Collection[int] = frozenset()
    recent: int = 0
    describe: Callable[[ops.Op], str] = str

    @property
    def sender(self) -> dict[str, Any]:
        """The fields of an op that say who sent the request, and from which device."""
        return {"player": self.player, "device": self.device, "key": self.key}

    def earlier_decision(
        self, state: State, is_same: Callable[[ops.Op], bool] | None = None
    ) -> Decision | None:
        """Return the earlier answer if the player made the same request before, else None.

        Requests with the same key are the same. If `is_same` is given, a request with the same content is
        also the same, unless its entry was undone.

        is_same: returns whether an op has the content of this request
        """
        for entry in reversed(self.earlier):
            has_key = self.key and getattr(entry.op, "key", "") == self.key
            if has_key or (is_same is not None and entry.seq not in self.undone and is_same(entry.op)):
                return self.already(state, self.describe(entry.op), entry.seq, entry.at)
        return None

    def already(self, state: State, text: str, entry: int, at: str) -> Decision:
        """Return a `Decision` that writes nothing, because an earlier entry has the same content.

        text: the content of that entry, in words
        entry, at: the number and the time of the earlier entry
        """
        return Decision(already=text, entered=Entered(entry, at, signer(f"#{self.player}", state.players)))

    def check(self) -> None:
        """Raise TourneyError if the request's key is malformed, or the player made too many entries."""
        if self.key and not _KEY.fullmatch(self.key):
            raise TourneyError(Message("the page sent an invalid request key"), _RELOAD)
        if self.recent >= MOST_ENTRIES:
            raise TourneyError(*TOO_MUCH)


class Shown(NamedTuple):
    """The round and the table that a player's page showed.

    A request is refused if they have changed.
    """

    round: int
    table: int
    seats: tuple[PlayerId, ...]


def _own_table(state: State, player: PlayerId, shown: Shown) -> tuple[Round, RoundTable]:
    """Return a player's current round and table.

    Raises TourneyError if the page showed another round, another table or other players, or if the player has
    no table now. The message describes the current status.
    """
    round_ = None if state.round is None or state.round.held else state.round
    table = round_.table_of(player) if round_ else None
    if round_ and table and shown == (round_.number, table.number, table.seats):
        return round_, table
    now = table_status(state, player)
    if round_ and round_.number != shown.round:
        now = Message("your page showed another round: {now}", now=now)
    elif table:
        now = Message("the tables have changed: {now}", now=now)
    raise TourneyError(now, _RELOAD)


def table_status(state: State, player: PlayerId) -> str:
    """Describe to a player the status of the player's table: its result, or its open report."""
    round_, name = state.round, state.name_of
    if round_ is None or round_.held:
        return Message("there is no round to play yet")
    title, table = in_a_sentence(round_.title), round_.table_of(player)
    if table is None:
        absent = round_.byes.get(player)
        if absent is None:
            return Message("you have no table in {round}", round=title)
        return Message("you have no table in {round}: {why}", round=title, why=absent.words.alone)
    if table.result is not None:
        return Message(
            "{round}, table {n} has its result: {result}",
            round=title,
            n=table.number,
            result=result_text(table.result, name),
        )
    claim = table.claim
    if claim is None:
        other_names = listed(name(seat) for seat in table.seats if seat != player)
        return Message(
            "in {round} you sit at table {n} against {names}, and it has no result yet",
            round=title,
            n=table.number,
            names=other_names,
        )

    def you(other: PlayerId) -> str:
        return Message("you") if other == player else name(other)

    result, time = claim_text(claim, state), clock_time(claim.at)
    if claim.player == player:
        report = Message("you reported {result} at {time}", result=result, time=time)
    else:
        report = Message(
            "{name} reported {result} at {time}", name=name(claim.player), result=result, time=time
        )
    if claim.disputed:
        against = listed(you(dispute.player) for dispute in claim.disputes)
        return Message("{report}, and {names} disputed it: the desk decides", report=report, names=against)
    if not claim.confirmed:
        return report
    return Message(
        "{report}, and {names} confirmed it", report=report, names=listed(map(you, claim.confirmed))
    )


def claim_text(claim: Claim | Dispute, state: State) -> str:
    """Describe the result of a claim or dispute: `Mira 2–0 Tess`; empty if there is none."""
    return result_text(claim.result, state.name_of) if claim.result else ""


# -- results


def claim(
    change: EventChange,
    report: Report,
    request: Request,
    *,
    shown: Shown,
    replaces: int = 0,
) -> Decision:
    """Record the result that a player reports.

    If another player has reported the same result, confirm that claim.

    report:   the result from the player's point of view; its field `tables` is not used
    replaces: the number of the player's earlier claim that the page showed; 0 if it showed none

    Raises TourneyError if the report does not fit the table; the message gives the table's current status.
    """
    state = change.state
    _check_may_report(state, request)
    if earlier := request.earlier_decision(state):
        return earlier
    request.check()
    player = request.player
    round_, table = _own_table(state, player, shown)
    read = results.read_own(change, table, player, report)
    _refuse_rulings(read)
    if table.result is not None:
        if read.result == table.result:
            return results.already_entered(state, round_, [table.number])
        raise TourneyError(table_status(state, player), Message("only the desk can change this result now"))
    current = table.claim
    if current is not None and current.player != player:
        if current.result == read.result:
            return confirm(change, current.entry, request)
        answer = Message("confirm that result, or dispute it with your own")
        hint = None if current.disputed else answer
        raise TourneyError(table_status(state, player), hint)
    if current is not None and current.result == read.result:
        text = f"{round_.title}, table {table.number}: {claim_text(current, state)}"
        return request.already(state, text, current.entry, current.at)
    if (current.entry if current else 0) != replaces or (current and current.answered):
        now = table_status(state, player)
        if current is None:
            now = Message("your earlier report no longer counts: {now}", now=now)
        raise TourneyError(now, _RELOAD)
    op = ops.ResultClaimed(
        round=round_.number,
        table=table.number,
        result=read.result,
        replaces=replaces,
        **request.sender,
    )
    warnings, because = filter(None, [read.warning]), filter(None, [read.reason])
    return Decision(op=op, warnings=tuple(warnings), because=tuple(because))


def _check_may_report(state: State, request: Request) -> None:
    """Raise TourneyError if a player may not report results.

    This is so if the event is closed or takes no reports, or if the player is disqualified.
    """
    open_event(state)
    if not state.settings.phones.claims:
        raise TourneyError(
            Message("in this event, only the desk enters results"), Message("go to the desk with your result")
        )
    if player_of(state, request.player).disqualified is not None:
        raise TourneyError(
            Message("you are out of the event, so only the desk can enter this result"),
            Message("go to the desk with your result"),
        )


def _refuse_rulings(read: ReadResult) -> None:
    """Raise TourneyError if a player reports a no-show, a forfeit or a loss by a ruling.

    Only the desk enters these.
    """
    if read.result.ended == RULING or not all(seat.outcome in BY_PLAY for seat in read.result.seats):
        raise TourneyError(
            Message("only the desk enters no-shows and rulings"), Message("tell the desk, or call a judge")
        )


def confirm(change: EventChange, number: int, request: Request) -> Decision:
    """Confirm the claim (the reported result) of entry `number`.

    The claim becomes the result when the last required player has confirmed it.

    Players at a table of three or more can also confirm a disputed claim. That does not enter the result, but
    the desk sees which players agree. Raises TourneyError if the claim has ended; the message gives the
    table's current status.
    """
    claim = _claim_to_answer(change.state, number, request)
    if isinstance(claim, Decision):
        return claim
    op = ops.ResultConfirmed(table=claim.table, claim=number, **request.sender)
    new_claim = replace(claim, confirmed=(*claim.confirmed, request.player))
    return Decision(op=op, then=(_result_of_claim(change.state, new_claim),) if new_claim.agreed else ())


def _result_of_claim(state: State, claim: Claim) -> ops.ResultReported:
    """Return the op that makes a claim (a reported result) the table's result."""
    return ops.ResultReported(round=len(state.rounds), results={claim.table: claim.result}, claim=claim.entry)


def _claim_to_answer(state: State, number: int, request: Request) -> Claim | Decision:
    """Return the claim for the player to answer.

    If the player already answered it, return a `Decision` that writes nothing and repeats that answer.
    Raises TourneyError if the claim has ended or the player may not answer it.
    """
    _check_may_report(state, request)
    player = request.player
    if earlier := request.earlier_decision(state, lambda op: getattr(op, "claim", None) == number):
        return earlier
    request.check()
    claim = _find_claim(state, number)
    if claim is None or player not in claim.result.players:
        now = table_status(state, player)
        raise TourneyError(Message("that report no longer counts: {now}", now=now), _RELOAD)
    if claim.player == player:
        raise TourneyError(
            Message("this is your own report: another player at the table must confirm it"),
            Message("ask the other player to confirm it on their phone"),
        )
    return claim


def dispute(
    change: EventChange,
    number: int,
    report: Report | None,
    request: Request,
    *,
    reason: str | None = None,
) -> Decision:
    """Dispute the claim (the reported result) of entry `number`, so that the desk decides.

    report: the player's own version of the result; None if the player gives none

    Raises TourneyError if the claim has ended (the message gives the table's current status), or if `report`
    is the claimed result.
    """
    state = change.state
    claim = _claim_to_answer(state, number, request)
    if isinstance(claim, Decision):
        return claim
    read = None
    if report is not None:
        table = state.rounds[-1].tables[claim.table]
        read = results.read_own(change, table, request.player, report)
        _refuse_rulings(read)
        if claim.result == read.result:
            result = claim_text(claim, state)
            raise TourneyError(
                Message("your result is the same as the report: {result}", result=result),
                Message("confirm the report"),
            )
    op = ops.ResultDisputed(
        table=claim.table,
        claim=number,
        result=read.result if read else None,
        reason=change.note(reason),
        **request.sender,
    )
    return Decision(op=op)


def accept_unanswered(change: EventChange, number: int, now: datetime, *, anyway: bool = False) -> Decision:
    """Enter the result reported in entry `number` if it was not disputed within `claim_minutes`.

    Otherwise, return a `Decision` that writes nothing. An undo of any entry restarts the waiting time of open
    claims.

    anyway: whether to ignore undos, and count the time from the report; for a command of the desk
    """
    state = change.open_event()
    claim, minutes = _find_claim(state, number), state.settings.phones.claim_minutes
    if claim is None or not (claim.overdue if anyway else claim.overdue_since_undo)(now, minutes):
        return Decision(already=f"The report of entry {number} is already settled, or it is not overdue yet")
    op = ops.ResultConfirmed(table=claim.table, claim=number)
    return Decision(op=op, then=(_result_of_claim(state, claim),))


def _find_claim(state: State, number: int) -> Claim | None:
    """Return the open claim (a reported result) that entry `number` made, or None."""
    claims = state.round.claims if state.round else ()
    return next((claim for claim in claims if claim.entry == number), None)


def claim_at(state: State, player: PlayerId) -> Claim | None:
    """Return the open claim (a reported result) at a player's current table, or None."""
    table = state.table_of(player)
    return table.claim if table else None


def _apply_claimed(draft: StateDraft, op: ops.ResultClaimed, at: Entered, _texts: Texts) -> None:
    if not _is_current(op.round, draft):
        return
    table = draft.rounds[-1].tables.get(op.table)
    if table is None or table.result is not None or table.seats != op.result.players:
        return
    if table.claim is not None and (table.claim.player != op.player or table.claim.answered):
        return
    other_players = (draft.players[seat] for seat in table.seats if seat != op.player)
    claim = Claim(
        entry=at.entry,
        at=at.at,
        since=at.at,
        player=op.player,
        table=op.table,
        result=op.result,
        needed=tuple(other.id for other in other_players if other.playing or other.leaving),
    )
    draft.round(op.round).change(op.table, claim=claim)


def _is_current(number: int, draft: StateDraft) -> bool:
    return 0 < number == len(draft.rounds)


def _answered_claim(draft: StateDraft, op: ops.ResultConfirmed | ops.ResultDisputed) -> Claim | None:
    """Return the claim (a reported result) that an op confirms or disputes.

    Returns None if the claim has ended, or if the op's player may not answer it.
    """
    table = draft.rounds[-1].tables.get(op.table) if draft.rounds else None
    claim = table.claim if table else None
    if claim is None or claim.entry != op.claim or op.player is None:
        return claim if claim is not None and claim.entry == op.claim else None
    is_other = op.player in claim.result.players and op.player != claim.player
    return claim if is_other and not claim.answered_by(op.player) else None


def _apply_confirmed(draft: StateDraft, op: ops.ResultConfirmed, _at: Entered, _texts: Texts) -> None:
    claim = _answered_claim(draft, op)
    if claim is None or (claim.disputed and op.player is None):
        return
    new_claim = claim if op.player is None else replace(claim, confirmed=(*claim.confirmed, op.player))
    # The claim ends before its result is entered, so that undoing the result does not reopen it.
    is_over = op.player is None or new_claim.agreed
    draft.round(len(draft.rounds)).change(claim.table, claim=None if is_over else new_claim)


def _apply_disputed(draft: StateDraft, op: ops.ResultDisputed, at: Entered, _texts: Texts) -> None:
    claim = _answered_claim(draft, op)
    if claim is None:
        return
    dispute = Dispute(entry=at.entry, at=at.at, player=op.player, result=op.result, reason=op.reason)
    new_claim = replace(claim, disputes=(*claim.disputes, dispute))
    draft.round(len(draft.rounds)).change(claim.table, claim=new_claim)


def _describe_claimed(op: ops.ResultClaimed, context: EventReading) -> str:
    instead = f", instead of entry {op.replaces}" if op.replaces else ""
    return (
        f"{context.title(op.round)}, table {op.table}: {context.name(op.player)} reports"
        f" {result_text(op.result, context.name)}{instead}{_from_device(op.device, context)}"
    )


def _from_device(device: Ref | None, context: EventReading) -> str:
    """Return the device from which an entry was sent; empty if it is unknown or deleted."""
    words = text_of(device, context.texts, "") if device else ""
    return f" ({words})" if words else ""


def _where_and_claim(number: int, context: EventReading) -> tuple[str, ops.ResultClaimed | None]:
    """Return the round and table of a claim as text (`Round 1, table 4: `), and the claim.

    A claim is a result that a player has reported.

    number: the number of the claim's journal entry

    Returns "" and None if entry `number` is not a claim.
    """
    op = context.entries[number - 1].op if 0 < number <= len(context.entries) else None
    if not isinstance(op, ops.ResultClaimed):
        return "", None
    return f"{context.title(op.round)}, table {op.table}: ", op


def _describe_confirmed(op: ops.ResultConfirmed, context: EventReading) -> str:
    place, claim = _where_and_claim(op.claim, context)
    entry = f"entry {op.claim}"
    if op.player is None:
        report = f"{context.name(claim.player)}'s report in {entry}" if claim else f"The report in {entry}"
        return f"{place}{report} was accepted, although not all players had confirmed it"
    report = f"{result_text(claim.result, context.name)} as reported in {entry}" if claim else entry
    return f"{place}{context.name(op.player)} confirms {report}{_from_device(op.device, context)}"


def _describe_disputed(op: ops.ResultDisputed, context: EventReading) -> str:
    place, _ = _where_and_claim(op.claim, context)
    own_report = f", and reports {result_text(op.result, context.name)}" if op.result else ""
    dispute = f"{context.name(op.player)} disputes entry {op.claim}{own_report}"
    return f"{place}{dispute}{_from_device(op.device, context)}{context.reason(op.reason)}"


def _faults_of_report(op: ops.ResultClaimed | ops.ResultDisputed) -> Iterator[str]:
    if op.result is not None and op.player not in op.result.players:
        yield f"player #{op.player} does not sit at the table of the report"
    yield from odd_ending(op.result)
    yield from _faults_of_key(op)


def _faults_of_key(
    op: ops.ResultClaimed | ops.ResultConfirmed | ops.ResultDisputed | ops.JudgeCalled,
) -> Iterator[str]:
    if op.key and not _KEY.fullmatch(op.key):
        yield f"`{op.key[:40]}` is not the key of a request"


# -- calls for a judge


def call(change: EventChange, request: Request, *, shown: Shown, about: str | None = None) -> Decision:
    """Call a judge to a player's table.

    If an earlier call of the player is still open, no second one is recorded.

    about: the reason

    Raises TourneyError if the player's page is out of date (it showed another round, table or opponents), if
    the player has no table, or if the round is over.
    """
    state = change.open_event()
    if earlier_call := request.earlier_decision(state):
        return earlier_call
    request.check()
    round_, table = _own_table(state, request.player, shown)
    for earlier in round_.calls.values():
        if earlier.player == request.player:
            text = f"A judge called to table {earlier.table}"
            return request.already(state, text, earlier.entry, earlier.at)
    if round_.done:
        raise TourneyError(
            Message("{round} is over", round=in_a_sentence(round_.title)), Message("go to the desk")
        )
    reason = change.note(about)
    return Decision(
        op=ops.JudgeCalled(round=round_.number, table=table.number, reason=reason, **request.sender)
    )


def answer_call(change: EventChange, number: int) -> Decision:
    """Record that a judge answered the call of entry `number`.

    Raises TourneyError if the entry is not a call.
    """
    state = change.open_event()
    if state.round is not None and number in state.round.calls:
        return Decision(op=ops.JudgeAnswered(call=number))
    entries = change.entries
    if not 0 < number <= len(entries) or not isinstance(entries[number - 1].op, ops.JudgeCalled):
        raise TourneyError(
            f"entry {number} is not a call for a judge", "`tourney event log` shows the entries"
        )
    return Decision(already=f"The call of entry {number} is already settled")


def _apply_called(draft: StateDraft, op: ops.JudgeCalled, at: Entered, _texts: Texts) -> None:
    if _is_current(op.round, draft):
        call = JudgeCall(entry=at.entry, at=at.at, player=op.player, table=op.table, about=op.reason)
        draft.round(op.round).calls[at.entry] = call


def _apply_call_answered(draft: StateDraft, op: ops.JudgeAnswered, _at: Entered, _texts: Texts) -> None:
    if draft.rounds and op.call in draft.rounds[-1].calls:
        del draft.round(len(draft.rounds)).calls[op.call]


def _describe_called(op: ops.JudgeCalled, context: EventReading) -> str:
    call = f"{context.title(op.round)}, table {op.table}: {context.name(op.player)} calls a judge"
    return f"{call}{_from_device(op.device, context)}{context.reason(op.reason)}"


def _describe_call_answered(op: ops.JudgeAnswered, context: EventReading) -> str:
    call = context.entries[op.call - 1].op if 0 < op.call <= len(context.entries) else None
    if not isinstance(call, ops.JudgeCalled):
        return f"A judge answered entry {op.call}"
    place = f"{context.title(call.round)}, table {call.table}"
    return f"{place}: a judge answered {context.name(call.player)}'s call in entry {op.call}"


# -- leaving and checking in


def leave(change: EventChange, player: PlayerId, number: int) -> Decision:
    """Drop a player who leaves by phone and still plays the current round to its end.

    number: the round that the player's page showed; 0 before round 1

    Raises TourneyError if that is not the current round.
    """
    state = change.open_event()
    if player_of(state, player).playing and number != len(state.rounds):
        now = table_status(state, player)
        raise TourneyError(Message("your page showed another round: {now}", now=now), _RELOAD)
    return presence.drop(change, player, own=True)


def check_in(change: EventChange, player: PlayerId) -> Decision:
    """Check a player in.

    Raises TourneyError if round 1 is already paired or the player has left.
    """
    state = change.open_event()
    if not player_of(state, player).checked_in:
        if state.rounds:
            raise TourneyError(Message("round 1 is paired: check-in is over"), Message("go to the desk"))
        if not player_of(state, player).playing:
            raise TourneyError(Message("you have left the event"), Message("the desk can let you in again"))
    return presence.check_in(change, player, own=True)


# -- what the desk sees


ClaimStatus = Literal["disputed", "nobody to answer", "unanswered", "waits"]
"""Why a claim is open: a player disputes it, or it has no answer yet.

`unanswered`: without an answer for `claim_minutes` or longer; `waits`: without an answer for a shorter time;
`nobody to answer`: all other players have left.
"""


class ClaimVersion(Struct, frozen=True):
    """One player's version of a result.

    id: the player's number
    player: the player's name
    result: the result, as in `Mira 2–0 Tess`; null if the player only disputes another version
    agree: names of the players who confirmed this version
    reason: why the player disputes another version; null without a reason
    command: the command that records this version; null if there is no result
    """

    id: PlayerId
    player: str
    result: str | None
    agree: tuple[str, ...]
    reason: str | None
    command: str | None


class ClaimedResult(Struct, frozen=True):
    """A result that players reported by phone and that is not recorded yet.

    entry: the journal entry of the first report
    at: when it was reported
    round: the number of the round
    table: the number of the table
    state: whether a player disputes it, no player answered in time, or it still waits for an answer
    for_the_desk: whether the desk has to decide the result
    waiting: names of the players who have not answered
    versions: each player's version, the first report first
    """

    entry: int
    at: str
    round: int
    table: int
    state: ClaimStatus
    for_the_desk: bool
    waiting: tuple[str, ...]
    versions: tuple[ClaimVersion, ...]

    @property
    def status(self) -> str:
        """The claim's status in words: `disputed`, `waits for Tess Hart`."""
        if self.state == "waits":
            return Message("waits for {names}", names=listed(self.waiting))
        return _STATES[self.state]

    @property
    def mark(self) -> str:
        """The words shown instead of a table's result: `disputed`, `reported, waits for Tess Hart`."""
        return self.status if self.state == "disputed" else Message("reported, {status}", status=self.status)


_STATES: Mapping[ClaimStatus, Message] = {
    "disputed": Message("disputed"),
    "nobody to answer": Message("nobody to answer"),
    "unanswered": Message("unanswered"),
}


def open_claims(state: State, now: datetime, texts: Texts) -> tuple[ClaimedResult, ...]:
    """Return the reported results that are not recorded yet (open claims).

    Disputed ones come first, then others that the desk must decide, then the rest. Within each group, the
    oldest one is first.
    """
    claim_views = [_claimed_result(state, claim, now, texts) for claim in _claims(state)]
    return tuple(sorted(claim_views, key=lambda claim: (claim.state != "disputed", not claim.for_the_desk)))


def overdue_claims(state: State, now: datetime) -> list[Claim]:
    """Return the open claims that were reported at least `claim_minutes` ago, oldest first.

    Disputed claims are left out. An undo does not restart the time.
    """
    return [claim for claim in _claims(state) if claim.overdue(now, state.settings.phones.claim_minutes)]


def _claims(state: State) -> list[Claim]:
    """Return the open claims (reported results that are not recorded yet), oldest first."""
    claims = state.round.claims if state.round else ()
    return sorted(claims, key=lambda claim: (claim.since, claim.entry))


def _claimed_result(state: State, claim: Claim, now: datetime, texts: Texts) -> ClaimedResult:
    name = state.name_of
    status: ClaimStatus = "disputed" if claim.disputed else "waits" if claim.waiting else "nobody to answer"
    if status == "waits" and claim.overdue(now, state.settings.phones.claim_minutes):
        status = "unanswered"
    return ClaimedResult(
        entry=claim.entry,
        at=claim.at,
        round=len(state.rounds),
        table=claim.table,
        state=status,
        for_the_desk=status != "waits",
        waiting=tuple(map(name, claim.waiting)),
        versions=tuple(
            ClaimVersion(
                id=source.player,
                player=name(source.player),
                result=claim_text(source, state) or None,
                agree=tuple(map(name, source.confirmed)) if isinstance(source, Claim) else (),
                reason=display_text(source.reason, texts) or None if isinstance(source, Dispute) else None,
                command=f"tourney result add {claim.table} {report.words()}" if report else None,
            )
            for source, report in _versions(state, claim)
        ),
    )


def _versions(state: State, claim: Claim) -> Iterator[tuple[Claim | Dispute, Report | None]]:
    """Yield a claim (a reported result), then the answers of the players who dispute it.

    Each comes with the result that its player gives, as a `Report` in seat order; None if an answer gives no
    result.
    """
    sources: tuple[Claim | Dispute, ...] = (claim, *claim.disputes)
    for source in sources:
        best_of = state.settings.match.best_of
        yield source, report_of(claim.table, source.result, best_of) if source.result else None


def find_version(state: State, number: int, text: str) -> Report | None:
    """Return the version of a claim's result that has this text, or None.

    The versions are the claimed result and the results that disputes of the claim give.

    number: the number of the claim's journal entry
    text:   the text of a version, as `claim_text` writes it: `Mira 2–0 Tess`
    """
    claim = _find_claim(state, number)
    versions = _versions(state, claim) if claim else ()
    return next((report for source, report in versions if claim_text(source, state) == text), None)


class CallRow(Struct, frozen=True):
    """A player's call for a judge.

    entry: the journal entry of the call
    at: when the player called
    table: the number of the table
    id: the player's number
    player: the player's name
    about: the reason for the call; null if the player gave none
    """

    entry: int
    at: str
    table: int
    id: PlayerId
    player: str
    about: str | None


def open_calls(state: State, texts: Texts) -> tuple[CallRow, ...]:
    """Return the open calls for a judge, the oldest first, with the players' current tables."""
    name = state.name_of
    return tuple(
        CallRow(
            entry=call.entry,
            at=call.at,
            table=table.number if (table := state.table_of(call.player)) else call.table,
            id=call.player,
            player=name(call.player),
            about=display_text(call.about, texts) or None,
        )
        for call in (state.round.calls.values() if state.round else ())
    )


_OwnKind = partial(EntryKind, in_closed=True, by_players=True)
"""A kind of entry that players make for their own seat, even in a closed event."""

KINDS = (
    _OwnKind(ops.ResultClaimed, _apply_claimed, _describe_claimed, faults=_faults_of_report),
    _OwnKind(ops.ResultConfirmed, _apply_confirmed, _describe_confirmed, faults=_faults_of_key),
    _OwnKind(ops.ResultDisputed, _apply_disputed, _describe_disputed, faults=_faults_of_report),
    _OwnKind(ops.JudgeCalled, _apply_called, _describe_called, faults=_faults_of_key),
    EntryKind(ops.JudgeAnswered, _apply_call_answered, _describe_call_answered, in_closed=True),
)
"""The kinds of entries about reports from players, in the order of `tourney.event.ops`."""
