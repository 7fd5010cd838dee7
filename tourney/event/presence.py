"""The presence of players: check-in, absences, drops, returns and disqualifications."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType

from msgspec.structs import replace

from tourney.errors import TourneyError
from tourney.event import ops
from tourney.event.entry import Texts, players_of
from tourney.event.kind import (
    Decision,
    EntryKind,
    EventChange,
    EventReading,
    refuse_after_cut,
    state_after,
)
from tourney.event.phrases import RULING, result_text
from tourney.event.state import Departure, Entered, Player, Round, State, StateDraft
from tourney.event.systems import system_called
from tourney.event.titles import in_a_sentence
from tourney.record import Outcome, PlayerId
from tourney.wording import listed, listed_short, verb

# -- check-in


def check_in(change: EventChange, *names: str | PlayerId, own: bool = False) -> Decision:
    """Check players in.

    own: whether the players check themselves in, by phone
    """
    state, players = change.open_event(), change.players(names)
    new = [player for player in dict.fromkeys(players) if not state.players[player].checked_in]
    if not new:
        return Decision(already=f"{_names(state, players)} {verb(players, 'is', 'are')} already checked in")
    return Decision(op=ops.PlayerCheckedIn(players=tuple(new), by_player=own))


def check_in_all(change: EventChange, but: Sequence[str | PlayerId] = ()) -> Decision:
    """Check in all players in the event, except `but`."""
    state, absent = change.state, [change.player(name) for name in but]
    present_ids = [player.id for player in state.playing if player.id not in absent]
    if not present_ids:
        raise TourneyError("no player is left to check in", "`tourney player list`")
    decision = check_in(change, *present_ids)
    earlier = [player for player in absent if state.players[player].checked_in]
    if not earlier:
        return decision
    are = verb(earlier, "was checked in before and still is", "were checked in before and still are")
    warning = f"{_names(state, earlier)} {are}: `tourney player drop NAME` drops a player who is not here"
    return replace(decision, warnings=(*decision.warnings, warning))


def _names(state: State, players: Iterable[PlayerId]) -> str:
    return listed_short([state.players[player].name for player in players])


def _apply_checked_in(draft: StateDraft, op: ops.PlayerCheckedIn, _at: Entered, _texts: Texts) -> None:
    for player in op.players:
        draft.change(player, checked_in=True, own_check_in=op.by_player)


def _describe_checked_in(op: ops.PlayerCheckedIn, context: EventReading) -> str:
    return f"{context.names(op.players)} checked in"


def uses_check_in(state: State) -> bool:
    """Return whether any player is checked in, by the desk or by phone.

    From the first check-in on, round 1 waits for the players who are not checked in.
    """
    return any(player.checked_in for player in state.players.values())


def absent(state: State) -> tuple[PlayerId, ...]:
    """Return the players still in the event who are not here.

    Before round 1, these are the players who are not checked in, if the event uses check-in. Players with an
    announced bye or absence in round 1 are not expected yet. Later, these are the players who did not show in
    the last Swiss round.
    """
    round_ = state.round
    if round_ is None:
        return _not_checked_in(state) if uses_check_in(state) else ()
    if round_.stage != "swiss" or state.cut is not None:
        return ()
    no_shows = _no_shows(round_)
    return tuple(player.id for player in state.playing if player.id in no_shows)


def _not_checked_in(state: State) -> tuple[PlayerId, ...]:
    return tuple(player.id for player in state.playing if not player.checked_in and 1 not in player.byes)


def _no_shows(round_: Round) -> frozenset[PlayerId]:
    """Return the players who did not show in a round.

    Players who forfeited by a ruling are not included, because they may have been there.
    """
    return frozenset(
        seat.player
        for table in round_.tables.values()
        if table.result is not None and table.result.ended != RULING
        for seat in table.result.seats
        if seat.outcome is Outcome.FORFEIT_LOSS
    )


def absent_text(state: State, absent_players: Sequence[PlayerId]) -> str:
    """Return a sentence, without a full stop, that names the players in `absent_players`.

    Empty if there are none. Once round 1 is paired, also empty if the setting `no_show` is `keep`.
    """
    if not absent_players or (state.rounds and state.settings.pairing.no_show == "keep"):
        return ""
    if state.rounds:
        return f"{_names(state, absent_players)} did not show in {in_a_sentence(state.rounds[-1].title)}"
    return f"{_names(state, absent_players)} {verb(absent_players, 'is', 'are')} not checked in"


def present_text(state: State) -> str:
    """Return how many of the players expected in round 1 are here: `3 of 5 players are here`.

    Empty if the event does not use check-in, if no player is expected, or if round 2 is already paired.
    """
    if not uses_check_in(state) or len(state.rounds) > 1:
        return ""
    expected_players = [player for player in state.playing if player.checked_in or 1 not in player.byes]
    present_count = sum(player.checked_in for player in expected_players)
    if not expected_players:
        return ""
    if present_count == len(expected_players) > 1:
        return f"all {present_count} players are here"
    return f"{present_count} of {len(expected_players)} players {'is' if present_count == 1 else 'are'} here"


# -- players who leave, and come back


def drop(
    change: EventChange, *names: str | PlayerId, reason: str | None = None, own: bool = False
) -> Decision:
    """Drop players: they are not paired from the next round on.

    Warns about players whose table has no result yet, except if `own` is true.

    own: whether the players drop themselves, by phone; then they play the current round to its end
    """
    state, players = change.open_event(), change.players(names)
    leaving = tuple(dict.fromkeys(player for player in players if state.players[player].playing))
    if not leaving:
        return Decision(already=f"{_names(state, players)} already left the event")
    op = ops.PlayerDropped(
        players=leaving,
        after=len(state.rounds),
        reason=change.note(reason),
        cancelled=_byes_to_come(state, leaving),
        by_player=own,
    )
    seat_warnings = [] if own else [_open_seat(state, player, "ff") for player in leaving]
    return Decision(op=op, warnings=(*filter(None, seat_warnings), *_empty_seeds(state, leaving)))


def _byes_to_come(state: State, leaving: Iterable[PlayerId]) -> tuple[tuple[PlayerId, int], ...]:
    """Return the announced byes and absences that are cancelled because these players leave.

    Each is returned as player and round.
    """
    return tuple(
        (player, number)
        for player in leaving
        for number in sorted(state.players[player].byes)
        if number > len(state.rounds)
    )


def _open_seat(state: State, player: PlayerId, forfeit: str) -> str:
    """Return a warning if a player who leaves sits at an open table; else an empty text.

    forfeit: how the suggested command enters the loss: `ff` for a no-show, `forfeit` for a ruling
    """
    table = state.table_of(player)
    if table is None or table.result is not None:
        return ""
    name = state.name_of
    ended_report = ""
    if claim := table.claim:  # dropping ends it, and the desk may not have seen it
        ended_report = (
            f"; the report by {name(claim.player)} ({result_text(claim.result, name)}) no longer counts"
        )
    ways = "enter the result of the table"
    if len(table.seats) == 2:
        ways = f"`tourney result add {table.number} {forfeit}{table.seats.index(player) + 1}`"
        ways += ", or `tourney round repair`" if system_called(state.system).repairs else ""
    return f"{name(player)} still sits at table {table.number}{ended_report}: {ways}"


def _empty_seeds(state: State, leaving: Collection[PlayerId]) -> tuple[str, ...]:
    """Return a warning if players leave between the cut and its first match.

    The organizer could then make the cut again, so that the next players advance.
    """
    if state.cut is None or not state.rounds or state.rounds[-1].stage == "cut":
        return ()
    seeds = [player for player in state.cut.players if player in leaving]
    if not seeds:
        return ()
    names, places, stay = _names(state, seeds), verb(seeds, "place", "places"), verb(seeds, "stays", "stay")
    return (
        f"the {places} of {names} in the cut {stay} empty; to let other players in, undo the cut and make it"
        " again (`tourney event log` shows its entry)",
    )


def drop_absent(change: EventChange, *, reason: str | None = None) -> Decision:
    """Drop absent players: before round 1 those not checked in, later those who did not show."""
    state = change.open_event()
    if not state.rounds and not uses_check_in(state):
        raise TourneyError(
            "no player is checked in yet, so this would drop every player",
            "`tourney player check-in NAME`, or `tourney player check-in --all --except NAME`",
        )
    if absent_ids := absent(state):
        return drop(change, *absent_ids, reason=reason)
    round_ = state.round
    if round_ is None:
        return Decision(already="Every player is already checked in")
    if state.cut is not None:
        return Decision(already="After the cut, `--absent` drops no player: use `tourney player drop NAME`")
    title = in_a_sentence(round_.title)
    already = f"No result of {title} is a no-show (`ff1`, `ff2`)"
    if _no_shows(round_):
        already = f"All players who did not show in {title} (`ff1`, `ff2`) have already left"
    waiting = {player for table in round_.open_tables for player in table.seats}
    not_checked_in = [player for player in _not_checked_in(state) if player in waiting]
    if round_.number > 1 or not not_checked_in or not uses_check_in(state):
        return Decision(already=already)
    were = verb(not_checked_in, "was", "were")
    warning = (
        f"{_names(state, not_checked_in)} {were} paired without being checked in:"
        " `tourney player drop NAME` drops an absent player"
    )
    return Decision(already=already, warnings=(warning,))


def without_no_shows(
    change: EventChange, staying: Collection[PlayerId] = ()
) -> tuple[State, ops.PlayerDropped | None]:
    """Return the event after its no-shows are dropped, and the op that drops them.

    Players are dropped only if the setting `no_show` is `drop`. If no player is dropped, the op is None.

    staying: players who are not dropped
    """
    state = change.state
    no_shows = [player for player in absent(state) if player not in staying] if state.rounds else []
    if not no_shows or state.settings.pairing.no_show != "drop":
        return state, None
    op = ops.PlayerDropped(
        players=tuple(no_shows),
        after=len(state.rounds),
        reason=change.seal("did not show"),
        cancelled=_byes_to_come(state, no_shows),
    )
    return state_after(state, [op], KINDS), op


def _apply_departure(
    draft: StateDraft, op: ops.PlayerDropped | ops.PlayerDisqualified, at: Entered, _texts: Texts
) -> None:
    by_player = isinstance(op, ops.PlayerDropped) and op.by_player
    after = len(draft.rounds)  # not `op.after`: an undo can remove or restore rounds that were paired before
    if by_player and any(round_.held for round_ in draft.rounds):  # the phone does not show this round
        after = min(op.after, after)
    leaving = by_player and op.after <= after
    last = {"dropped" if isinstance(op, ops.PlayerDropped) else "disqualified": after}
    for player in players_of(op):
        draft.change(
            player,
            departure=Departure(at.entry, after, op.reason),
            byes=_byes_left(draft.players[player], op.cancelled),
            leaving=leaving,
            **last,
        )
    if not leaving:
        draft.end_claims(players_of(op))


def _byes_left(player: Player, cancelled_byes: Iterable[tuple[PlayerId, int]]) -> Mapping[int, Outcome]:
    numbers = {number for other, number in cancelled_byes if other == player.id}
    return MappingProxyType({number: kind for number, kind in player.byes.items() if number not in numbers})


def _describe_dropped(op: ops.PlayerDropped, context: EventReading) -> str:
    time_text = f"after {in_a_sentence(context.title(op.after))}" if op.after else "before round 1"
    leave = "left"
    if op.after and context.plays(op.after):
        leave = verb(op.players, "leaves", "leave")
    cancelled_text = _describe_cancelled(op.cancelled)
    return f"{context.names(op.players)} {leave} {time_text}{cancelled_text}{context.reason(op.reason)}"


def _describe_cancelled(cancelled_byes: Sequence[tuple[PlayerId, int]]) -> str:
    rounds = sorted({number for _, number in cancelled_byes})
    if not rounds:
        return ""
    if len(rounds) == 1:
        return f" (the bye or absence in round {rounds[0]} is cancelled)"
    return f" (the byes and absences in rounds {listed(rounds)} are cancelled)"


def return_(change: EventChange, *names: str | PlayerId, reason: str | None = None) -> Decision:
    """Let dropped players play again from the next round on.

    The rounds that they missed are absences.
    """
    state, players = change.open_event(), change.players(names)
    for player in players:
        if state.players[player].disqualified is not None:
            raise TourneyError(
                f"{state.players[player].name} is disqualified",
                "find the entry with `tourney event log`, then run `tourney event undo N`",
            )
    away = tuple(dict.fromkeys(player for player in players if not state.players[player].playing))
    if not away:
        return Decision(already=f"{_names(state, players)} {verb(players, 'is', 'are')} already playing")
    refuse_after_cut(state, "come back")
    op = ops.PlayerReturned(players=away, since=len(state.rounds) + 1, reason=change.note(reason))
    return Decision(op=op)


def _apply_returned(draft: StateDraft, op: ops.PlayerReturned, _at: Entered, _texts: Texts) -> None:
    for player in op.players:
        draft.change(player, dropped=None, departure=None, leaving=False)


def _describe_returned(op: ops.PlayerReturned, context: EventReading) -> str:
    play = verb(op.players, "plays", "play")
    return f"{context.names(op.players)} {play} again from round {op.since} on{context.reason(op.reason)}"


def disqualify(change: EventChange, name_or_id: str | PlayerId, reason: str | None = None) -> Decision:
    """Disqualify a player, who is no longer ranked. The opponents keep their results."""
    state, player = change.open_event(), change.player(name_or_id)
    if state.players[player].disqualified is not None:
        return Decision(already=f"{state.players[player].name} is already disqualified")
    op = ops.PlayerDisqualified(
        player=player,
        after=len(state.rounds),
        reason=change.note(reason),
        cancelled=_byes_to_come(state, [player]),
    )
    seat_warnings = [_open_seat(state, player, "forfeit")]
    return Decision(op=op, warnings=(*filter(None, seat_warnings), *_empty_seeds(state, [player])))


def _describe_disqualified(op: ops.PlayerDisqualified, context: EventReading) -> str:
    cancelled_text = _describe_cancelled(op.cancelled)
    return f"{context.name(op.player)} was disqualified{cancelled_text}{context.reason(op.reason)}"


_Departure = partial(
    EntryKind,
    apply=_apply_departure,
    own="presence {players}, wish {cancelled}",
    makes="field",
    needs="player {players}",
)

KINDS = (
    _Departure(ops.PlayerDropped, describe=_describe_dropped),
    EntryKind(
        ops.PlayerReturned,
        _apply_returned,
        _describe_returned,
        "presence {players}",
        makes="field",
        needs="player {players}",
    ),
    _Departure(ops.PlayerDisqualified, describe=_describe_disqualified),
    EntryKind(
        ops.PlayerCheckedIn,
        _apply_checked_in,
        _describe_checked_in,
        "here {players}",
        needs="player {players}",
    ),
)
"""The kinds of entries about the presence of players, in the order of `tourney.event.ops`."""
