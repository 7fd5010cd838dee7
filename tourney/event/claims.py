"""What players say themselves: a result from two sides, a judge called to the table.

A claim is nobody's result yet: the others at the table confirm it, and with the last of them it is entered; one who disputes
it makes it the desk's. It holds while the table is as it was: whatever the desk enters or takes away there, another seating,
a player taken out, and the next round end it. So claims rest on nothing, nothing rests on them, and one that fits nothing any
more has no effect when the entries are folded: they are in nobody's way, not in an undo's either.

Refusals speak to the player, `you`; a request that was sent once more is answered with what was entered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, NamedTuple

from tourney.errors import TourneyError
from tourney.event import ops, players, results
from tourney.event.entry import Entry, Sealing, Texts, text_of, written
from tourney.event.kind import (
    Decision,
    EntryKind,
    LogContext,
    checked_reason,
    no_footprint,
    open_event,
    player_of,
    signer,
)
from tourney.event.ops import Ref
from tourney.event.phrases import RULING, in_a_sentence, names_of, result_text, seats_text
from tourney.event.results import clock_time, odd_ending
from tourney.event.score import FindGame, ReadResult, Report, no_game, report_of
from tourney.event.state import Claim, Dispute, Entered, JudgeCall, Round, State, StateDraft
from tourney.record import Outcome, PlayerId, Table
from tourney.wording import listed

MOST_ENTRIES = 60
"""Entries that a player may make between one pairing and the next."""

TOO_MUCH = ("you have sent too much in this round", "go to the desk: it can enter everything")
"""What is said of more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Who asks for something for their own seat, and what they entered so far.

    device: what it was sent from; key: what tells the request from every other, empty where it has none
    before: this player's own entries; gone: those that were taken back; spent: how many there are since the last pairing
    tell:   says an entry in a sentence
    """

    player: PlayerId
    device: Ref | None = None
    key: str = ""
    before: Sequence[Entry] = ()
    gone: Collection[int] = frozenset()
    spent: int = 0
    tell: Callable[[ops.Op], str] = str

    def repeated(self, state: State, is_it: Callable[[ops.Op], bool] | None = None) -> Decision | None:
        """Return that the very request was answered before, None where it was not.

        is_it: finds an entry that is the same, where the key does not; one that was taken back may be made again
        """
        for entry in reversed(self.before):
            same_key = self.key and getattr(entry.op, "key", "") == self.key
            if same_key or (is_it is not None and entry.seq not in self.gone and is_it(entry.op)):
                by = signer(f"#{self.player}", state.players)
                return Decision(already=self.tell(entry.op), entered=Entered(entry.seq, entry.at, by))
        return None

    def checked(self) -> None:
        """Refuse a request without end, and a key that is none."""
        if self.key and not _KEY.fullmatch(self.key):
            raise TourneyError(
                "the key of the request is not one that this program gave out", "load the page again"
            )
        if self.spent >= MOST_ENTRIES:
            raise TourneyError(*TOO_MUCH)


_KEY = re.compile(r"[A-Za-z0-9_-]{1,40}")


class Shown(NamedTuple):
    """What the page of a player showed when they sent something from it: it is refused where it is not so any more."""

    round: int
    table: int
    seats: tuple[PlayerId, ...]


def _own_table(state: State, player: PlayerId, shown: Shown) -> tuple[Round, Table]:
    """Return the round and the table that a player's page showed. Raises TourneyError, with what stands now, where it is another."""
    round_ = state.round
    if round_ is None or round_.held:
        raise TourneyError("no round is to be played yet", _RELOAD)
    if round_.number != shown.round:
        raise TourneyError(f"your page was of another round: {stands_now(state, player)}", _RELOAD)
    table = round_.table_of(player)
    if table is None:
        raise TourneyError(stands_now(state, player), _RELOAD)
    if (table.number, table.seats) != (shown.table, tuple(shown.seats)):
        raise TourneyError(f"the tables were changed meanwhile: {stands_now(state, player)}", _RELOAD)
    return round_, table


_RELOAD = "load the page again"


def stands_now(state: State, player: PlayerId) -> str:
    """Say to a player what stands of their table: `table 7 against Tess Hart has no result yet`."""
    round_, name = state.round, names_of(state)
    if round_ is None or round_.held:
        return "no round is to be played yet"
    table = round_.table_of(player)
    if table is None:
        absent = round_.byes.get(player)
        what = f": {absent.words.alone}" if absent else ""
        return f"you have no table in {in_a_sentence(round_.title)}{what}"
    if table.result is not None:
        result = result_text(table.result, name)
        return f"{in_a_sentence(round_.title)}, table {table.number} has its result: {result}"
    others = listed(name(each) for each in table.seats if each != player)
    claim = round_.claims.get(table.number)
    if claim is None:
        return f"in {in_a_sentence(round_.title)} you sit at table {table.number} against {others}, and it has no result yet"
    who = "you" if claim.player == player else name(claim.player)
    said = f"{who} reported {claim_text(claim, state)} at {clock_time(claim.at)}"
    if claim.disputed:
        against = listed("you" if each.player == player else name(each.player) for each in claim.disputes)
        return f"{said}, and {against} disputed it: the desk decides"
    if claim.confirmed:
        agree = listed("you" if each == player else name(each) for each in claim.confirmed)
        return f"{said}, and {agree} confirmed it"
    return said


def claim_text(claim: Claim | Dispute, state: State) -> str:
    """Say a claimed result: `Mira 2–0 Tess`; empty where a player who disputes one did not say what it was."""
    return result_text(claim.result, names_of(state)) if claim.result else ""


# -- a result from two sides


def claim(
    state: State,
    report: Report,
    request: Request,
    *,
    shown: Shown,
    replaces: int = 0,
    find_game: FindGame = no_game,
) -> Decision:
    """Note what a player says came of their table; where another has said the very same, that is its confirmation.

    report: from the player's point of view, without `tables`; replaces: the entry of the own claim that the page showed

    Raises TourneyError, with what stands now, for whatever does not fit it.
    """
    _taken_from_players(state, request)
    if repeated := request.repeated(state):
        return repeated
    request.checked()
    player = request.player
    round_, table = _own_table(state, player, shown)
    read = results.read_own(state, round_, replace(report, tables=f"#{player}"), find_game)
    _refuse_rulings(read)
    if table.result is not None:
        if read.result == table.result:
            return results.already_entered(state, round_, [table.number])
        raise TourneyError(stands_now(state, player), "only the desk changes it now")
    standing = round_.claims.get(table.number)
    if standing is not None and standing.player != player:
        return _beside(state, standing, read, request)
    if standing is not None and standing.result == read.result:
        by = signer(f"#{player}", state.players)
        said = f"{round_.title}, table {table.number}: {claim_text(standing, state)}"
        return Decision(already=said, entered=Entered(standing.entry, standing.at, by))
    if (standing.entry if standing else 0) != replaces or (standing and standing.answered):
        stale = "what you reported before does not stand any more: " if standing is None else ""
        raise TourneyError(f"{stale}{stands_now(state, player)}", _RELOAD)
    op = ops.ResultClaimed(
        round=round_.number,
        table=table.number,
        result=read.result,
        player=player,
        replaces=replaces,
        device=request.device,
        key=request.key,
    )
    return Decision(
        op=op, warnings=tuple(filter(None, [read.warning])), because=tuple(filter(None, [read.reason]))
    )


def _taken_from_players(state: State, request: Request) -> None:
    """Refuse where the event is over, takes results at the desk alone, or has taken this player out."""
    open_event(state)
    if not state.settings.phones.claims:
        raise TourneyError("results are taken at the desk in this event", "tell the desk")
    if player_of(state, request.player).disqualified is not None:
        raise TourneyError("you are out of the event, so the desk enters this result", "tell the desk")


def _refuse_rulings(read: ReadResult) -> None:
    """Refuse what is a judge's or the desk's to say: who did not show, forfeits, lost by a ruling."""
    if read.result.ended == RULING or not all(seat.outcome in _PLAYED for seat in read.result.seats):
        raise TourneyError(
            "who did not show, or loses by a ruling, is for the desk to say", "tell the desk, or call a judge"
        )


_PLAYED = frozenset({Outcome.WIN, Outcome.LOSS, Outcome.DRAW})


def _beside(state: State, standing: Claim, read: ReadResult, request: Request) -> Decision:
    """Take a report beside another player's claim: the very same confirms it, and anything else is to be said as its answer."""
    if standing.result == read.result:
        return confirm(state, standing.entry, request)
    stands = stands_now(state, request.player)
    raise TourneyError(
        stands, None if standing.disputed else "confirm it, or dispute it with your own result"
    )


def confirm(state: State, number: int, request: Request) -> Decision:
    """Agree with the claim of entry `number`; with the last who has to, the result is entered.

    Of one that somebody at a larger table disputes it is one more version for the desk, and enters nothing.

    Raises TourneyError, with what stands now, where it does not stand any more.
    """
    standing = _to_answer(state, number, request)
    if isinstance(standing, Decision):
        return standing
    op = ops.ResultConfirmed(
        table=standing.table, claim=number, player=request.player, device=request.device, key=request.key
    )
    agreed = replace(standing, confirmed=(*standing.confirmed, request.player))
    return Decision(op=op, then=(_entered(state, agreed),) if agreed.agreed else ())


def _entered(state: State, claim: Claim) -> ops.ResultReported:
    """Return the entry that makes a claim the table's result."""
    return ops.ResultReported(round=len(state.rounds), results={claim.table: claim.result}, claim=claim.entry)


def _to_answer(state: State, number: int, request: Request) -> Claim | Decision:
    """Return the claim that a player may answer, or what they answered before. Raises TourneyError with what stands now."""
    _taken_from_players(state, request)
    player = request.player
    if repeated := request.repeated(state, lambda op: getattr(op, "claim", None) == number):
        return repeated
    request.checked()
    standing = claim_numbered(state, number)
    if standing is None or player not in standing.result.players:
        raise TourneyError(f"that report does not stand any more: {stands_now(state, player)}", _RELOAD)
    if standing.player == player:
        raise TourneyError(
            "it is your own report: somebody else at the table has to confirm it",
            "ask them to look at their phone",
        )
    return standing


def dispute(
    state: State,
    number: int,
    report: Report | None,
    request: Request,
    *,
    reason: str | None = None,
    seal: Sealing,
    find_game: FindGame = no_game,
) -> Decision:
    """Contradict the claim of entry `number`; the desk settles the table then. report: what it was, None: not said.

    Raises TourneyError, with what stands now, where it does not stand any more, and for a version that is the same.
    """
    standing = _to_answer(state, number, request)
    if isinstance(standing, Decision):
        return standing
    read = None
    if report is not None:
        own = replace(report, tables=f"#{request.player}")
        read = results.read_own(state, state.rounds[-1], own, find_game)
        _refuse_rulings(read)
        if standing.result == read.result:
            raise TourneyError(f"that is the same result: {claim_text(standing, state)}", "confirm it")
    op = ops.ResultDisputed(
        table=standing.table,
        claim=number,
        player=request.player,
        result=read.result if read else None,
        reason=seal.maybe(checked_reason(reason)),
        device=request.device,
        key=request.key,
    )
    return Decision(op=op)


def stand_alone(state: State, number: int, now: datetime, *, anyway: bool = False) -> Decision:
    """Enter the claim of entry `number` where nobody has answered it in time, once. anyway: at the desk's word."""
    open_event(state)
    standing, minutes = claim_numbered(state, number), state.settings.phones.claim_minutes
    late = standing is not None and (standing.overdue if anyway else standing.may_stand_alone)(now, minutes)
    if standing is None or not late:
        return Decision(already=f"What entry {number} reported settled, or not overdue")
    return Decision(
        op=ops.ResultConfirmed(table=standing.table, claim=number), then=(_entered(state, standing),)
    )


def claim_numbered(state: State, number: int) -> Claim | None:
    """Return the claim of an entry, as long as it stands."""
    claims = state.round.claims.values() if state.round else ()
    return next((each for each in claims if each.entry == number), None)


def claim_at(state: State, player: PlayerId) -> Claim | None:
    """Return what stands of claims at the table where a player sits now."""
    table = state.round.table_of(player) if state.round else None
    return state.round.claims.get(table.number) if state.round and table else None


def _apply_claimed(draft: StateDraft, op: ops.ResultClaimed, at: Entered, _texts: Texts) -> None:
    if not _is_current(op.round, draft):
        return
    round_, seats = draft.round(op.round), op.result.players
    table, standing = round_.tables.get(op.table), round_.claims.get(op.table)
    if table is None or table.result is not None or table.seats != seats:
        return
    if standing is not None and (standing.player != op.player or standing.answered):
        return
    others = (draft.players[each] for each in seats if each != op.player)
    round_.claims[op.table] = Claim(
        entry=at.entry,
        at=at.at,
        since=at.at,
        player=op.player,
        table=op.table,
        result=op.result,
        needed=tuple(other.id for other in others if other.playing or other.leaving),
    )


def _is_current(number: int, draft: StateDraft) -> bool:
    return 0 < number == len(draft.rounds)


def _answered(draft: StateDraft, op: ops.ResultConfirmed | ops.ResultDisputed) -> Claim | None:
    """Return the claim that an answer is about, None where it is about none that stands, or not this player's to answer."""
    claim = draft.rounds[-1].claims.get(op.table) if draft.rounds else None
    if claim is None or claim.entry != op.claim:
        return None
    player = op.player
    if player is None:
        return claim
    theirs = player in claim.result.players and player != claim.player and not claim.answered_by(player)
    return claim if theirs else None


def _apply_confirmed(draft: StateDraft, op: ops.ResultConfirmed, _at: Entered, _texts: Texts) -> None:
    claim = _answered(draft, op)
    if claim is None or (claim.disputed and op.player is None):
        return
    round_ = draft.round(len(draft.rounds))
    agreed = replace(claim, confirmed=(*claim.confirmed, op.player)) if op.player is not None else claim
    if op.player is None or agreed.agreed:
        del round_.claims[claim.table]  # settled: it is not open again where the result is taken back
    else:
        round_.claims[claim.table] = agreed


def _apply_disputed(draft: StateDraft, op: ops.ResultDisputed, at: Entered, _texts: Texts) -> None:
    claim = _answered(draft, op)
    if claim is None:
        return
    said = Dispute(entry=at.entry, at=at.at, player=op.player, result=op.result, reason=op.reason)
    claims = draft.round(len(draft.rounds)).claims
    claims[claim.table] = replace(claim, disputes=(*claim.disputes, said))


def _say_claimed(op: ops.ResultClaimed, context: LogContext) -> str:
    instead = f", instead of entry {op.replaces}" if op.replaces else ""
    return (
        f"{context.title(op.round)}, table {op.table}: {context.name(op.player)} reports"
        f" {result_text(op.result, context.name)}{instead}{_from(op.device, context)}"
    )


def _from(device: Ref | None, context: LogContext) -> str:
    """Say what an entry was sent from; nothing where that was deleted or never known."""
    words = text_of(device, context.texts, "") if device else ""
    return f" ({words})" if words else ""


def _claimed(number: int, context: LogContext) -> ops.ResultClaimed | None:
    op = context.entries[number - 1].op if 0 < number <= len(context.entries) else None
    return op if isinstance(op, ops.ResultClaimed) else None


def _say_confirmed(op: ops.ResultConfirmed, context: LogContext) -> str:
    claim, entry = _claimed(op.claim, context), f"entry {op.claim}"
    where = f"{context.title(claim.round)}, table {claim.table}: " if claim else ""
    if op.player is None:
        said = f"what {context.name(claim.player)} reported ({entry})" if claim else entry
        return f"{where}{'n' if where else 'N'}obody answered {said}"
    what = f"{result_text(claim.result, context.name)} ({entry})" if claim else entry
    return f"{where}{context.name(op.player)} confirms {what}{_from(op.device, context)}"


def _say_disputed(op: ops.ResultDisputed, context: LogContext) -> str:
    claim = _claimed(op.claim, context)
    where = f"{context.title(claim.round)}, table {claim.table}: " if claim else ""
    own = f", and says {result_text(op.result, context.name)}" if op.result else ""
    said = f"{context.name(op.player)} disputes entry {op.claim}{own}"
    return f"{where}{said}{_from(op.device, context)}{context.why(op.reason)}"


def _alone_claimed(op: ops.ResultClaimed) -> Iterator[str]:
    if op.player not in op.result.players:
        yield f"player #{op.player} does not sit at the table it is about"
    yield from odd_ending(op.result)
    yield from _odd_key(op.key)


def _alone_answered(op: ops.ResultConfirmed | ops.ResultDisputed) -> Iterator[str]:
    if isinstance(op, ops.ResultDisputed):
        if op.result is not None and op.player not in op.result.players:
            yield f"player #{op.player} does not sit at the table it is about"
        yield from odd_ending(op.result)
    yield from _odd_key(op.key)


def _odd_key(key: str) -> Iterator[str]:
    if key and not _KEY.fullmatch(key):
        yield f"`{key[:40]}` is no key of a request"


# -- a judge called to the table


def call(
    state: State, request: Request, *, shown: Shown, about: str | None = None, seal: Sealing
) -> Decision:
    """Call a judge to a player's table, once; about: what for. Raises TourneyError with what stands now."""
    open_event(state)
    if repeated := request.repeated(state):
        return repeated
    request.checked()
    round_, table = _own_table(state, request.player, shown)
    for each in round_.calls.values():
        if each.player == request.player:
            by = signer(f"#{request.player}", state.players)
            return Decision(
                already=f"A judge called to table {each.table}", entered=Entered(each.entry, each.at, by)
            )
    if round_.done:
        raise TourneyError(f"{in_a_sentence(round_.title)} is over", "go to the desk")
    op = ops.JudgeCalled(
        round=round_.number,
        table=table.number,
        player=request.player,
        reason=seal.maybe(checked_reason(about)),
        device=request.device,
        key=request.key,
    )
    return Decision(op=op)


def answer_call(state: State, number: int, entries: Sequence[Entry]) -> Decision:
    """Note that a judge has been there. number: the entry of the call. Raises TourneyError where there is none of that number."""
    open_event(state)
    if state.round is not None and number in state.round.calls:
        return Decision(op=ops.JudgeAnswered(call=number))
    if not 0 < number <= len(entries) or not isinstance(entries[number - 1].op, ops.JudgeCalled):
        raise TourneyError(f"entry {number} is no call for a judge", "`tourney event log` shows the entries")
    return Decision(already=f"The call of entry {number} settled")


def _apply_called(draft: StateDraft, op: ops.JudgeCalled, at: Entered, _texts: Texts) -> None:
    if _is_current(op.round, draft):
        said = JudgeCall(entry=at.entry, at=at.at, player=op.player, table=op.table, about=op.reason)
        draft.round(op.round).calls[at.entry] = said


def _apply_call_answered(draft: StateDraft, op: ops.JudgeAnswered, _at: Entered, _texts: Texts) -> None:
    if draft.rounds and op.call in draft.rounds[-1].calls:
        del draft.round(len(draft.rounds)).calls[op.call]


def _say_called(op: ops.JudgeCalled, context: LogContext) -> str:
    who = f"{context.name(op.player)} calls a judge"
    return f"{context.title(op.round)}, table {op.table}: {who}{_from(op.device, context)}{context.why(op.reason)}"


def _say_call_answered(op: ops.JudgeAnswered, context: LogContext) -> str:
    made = context.entries[op.call - 1].op if 0 < op.call <= len(context.entries) else None
    if not isinstance(made, ops.JudgeCalled):
        return f"A judge answered entry {op.call}"
    where = f"{context.title(made.round)}, table {made.table}"
    return f"{where}: a judge answered the call of {context.name(made.player)} (entry {op.call})"


def _alone_called(op: ops.JudgeCalled) -> Iterator[str]:
    yield from _odd_key(op.key)


# -- coming and going, said by the players themselves


def leave(state: State, player: PlayerId, number: int, seal: Sealing) -> Decision:
    """Take a player out after round `number`, the current one, which they play to its end; 0: before round 1."""
    open_event(state)
    if player_of(state, player).playing and number != len(state.rounds):
        raise TourneyError(f"your page was of another round: {stands_now(state, player)}", _RELOAD)
    return players.drop(state, [player], None, seal, own=True)


def check_in(state: State, player: PlayerId) -> Decision:
    """Note that a player is here. Raises TourneyError once round 1 is paired, and for somebody who has left."""
    open_event(state)
    if player_of(state, player).checked_in:
        return players.check_in(state, [player], own=True)
    if state.rounds:
        raise TourneyError("round 1 is paired: check-in is over", "go to the desk")
    if not player_of(state, player).playing:
        raise TourneyError("you have left the event", "the desk can let you in again")
    return players.check_in(state, [player], own=True)


# -- what waits for the desk


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """What somebody at a table says came of it, and the line that enters it.

    text: `Mira 2–0 Tess`, empty where they did not say; agree: who confirmed it; reason: why they dispute another version
    report, command: as the desk enters it, in seat order; None and empty where there is nothing to enter
    """

    player: PlayerId
    name: str
    text: str = ""
    agree: tuple[str, ...] = ()
    reason: str = ""
    report: Report | None = None
    command: str = ""


ClaimStanding = Literal["disputed", "nobody to answer", "unanswered", "waits"]
"""Where a claim stands; `unanswered` for longer than the event's `claim_minutes`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenClaim:
    """A claim that stands, as the desk sees it.

    says: every version, the claim's first; overdue: whether it waited for too long; waiting: the names of who is to answer
    """

    claim: Claim
    round: int
    overdue: bool
    says: tuple[Version, ...]
    waiting: tuple[str, ...]

    @property
    def for_the_desk(self) -> bool:
        """Whether it is the desk's to settle: disputed, too old, or nobody is left to answer it."""
        return self.claim.disputed or self.overdue or not self.waiting

    @property
    def standing(self) -> ClaimStanding:
        """Why it is on the list."""
        if self.claim.disputed:
            return "disputed"
        if not self.waiting:
            return "nobody to answer"
        return "unanswered" if self.overdue else "waits"

    @property
    def where(self) -> str:
        """Why it is on the list, in words: as it stands, or `waits for Tess Hart`."""
        return f"waits for {listed(self.waiting)}" if self.standing == "waits" else self.standing

    @property
    def mark(self) -> str:
        """What stands beside its table, where a result will: `disputed`, `reported, waits for Tess Hart`."""
        return self.where if self.claim.disputed else f"reported, {self.where}"


def open_claims(state: State, now: datetime, texts: Texts) -> tuple[OpenClaim, ...]:
    """Return the claims that stand, those first that the desk has to settle: disputed ones, then by how long they wait."""
    round_ = state.round
    if round_ is None:
        return ()
    name, minutes = names_of(state), state.settings.phones.claim_minutes
    found = [
        OpenClaim(
            claim=each,
            round=round_.number,
            overdue=each.overdue(now, minutes),
            says=_versions(state, each, texts),
            waiting=tuple(map(name, each.waiting)),
        )
        for each in round_.claims.values()
    ]
    return tuple(
        sorted(
            found,
            key=lambda each: (
                not each.claim.disputed,
                not each.for_the_desk,
                each.claim.since,
                each.claim.entry,
            ),
        )
    )


def _versions(state: State, claim: Claim, texts: Texts) -> tuple[Version, ...]:
    name = names_of(state)
    said: list[Claim | Dispute] = [claim, *claim.disputes]
    versions = []
    for each in said:
        report = report_of(claim.table, each.result, state.settings.match.best_of) if each.result else None
        versions.append(
            Version(
                player=each.player,
                name=name(each.player),
                text=claim_text(each, state),
                agree=tuple(map(name, each.confirmed)) if isinstance(each, Claim) else (),
                reason=written(each.reason, texts) if isinstance(each, Dispute) else "",
                report=report,
                command=f"tourney result add {claim.table} {report.words()}" if report else "",
            )
        )
    return tuple(versions)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenCall:
    """A player's call for a judge, as the desk sees it. seats: who sits at the table, `Mira Oake – Tess Hart`; about: what for."""

    call: JudgeCall
    name: str
    table: int
    seats: str
    about: str = ""


def open_calls(state: State, texts: Texts) -> tuple[OpenCall, ...]:
    """Return the calls that nobody has answered, the oldest first; the table is where the player sits now."""
    round_, name = state.round, names_of(state)
    if round_ is None:
        return ()
    found = []
    for each in round_.calls.values():
        table = round_.table_of(each.player)
        found.append(
            OpenCall(
                call=each,
                name=name(each.player),
                table=table.number if table else each.table,
                seats=seats_text(table.seats, name) if table else name(each.player),
                about=written(each.about, texts),
            )
        )
    return tuple(found)


KINDS = (
    EntryKind(
        ops.ResultClaimed,
        _apply_claimed,
        _say_claimed,
        footprint=no_footprint,
        alone=_alone_claimed,
        whenever=True,
        by_players=True,
    ),
    EntryKind(
        ops.ResultConfirmed,
        _apply_confirmed,
        _say_confirmed,
        footprint=no_footprint,
        alone=_alone_answered,
        whenever=True,
        by_players=True,
    ),
    EntryKind(
        ops.ResultDisputed,
        _apply_disputed,
        _say_disputed,
        footprint=no_footprint,
        alone=_alone_answered,
        whenever=True,
        by_players=True,
    ),
    EntryKind(
        ops.JudgeCalled,
        _apply_called,
        _say_called,
        footprint=no_footprint,
        alone=_alone_called,
        whenever=True,
        by_players=True,
    ),
    EntryKind(
        ops.JudgeAnswered, _apply_call_answered, _say_call_answered, footprint=no_footprint, whenever=True
    ),
)
"""What can happen here, in the order of `tourney.event.ops`; all of it at any time, as it rests on nothing."""
