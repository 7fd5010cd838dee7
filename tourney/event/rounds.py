"""Rounds: pairing, edits, repairs, the clock, and wishes.

A wish is something that the organizer asks of pairings: a forced pair or bye, a forbidden pair, or a player's
fixed table.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from types import MappingProxyType
from typing import Any

from msgspec import Struct, structs
from msgspec.structs import replace

import tourney.pairing as engines
import tourney.standings as rankings
from tourney.errors import Severity, TourneyError
from tourney.event import ops
from tourney.event.brackets import assumed_result, bracket_of
from tourney.event.decks import list_doubts, unsettled_lists, waits_for_lists
from tourney.event.entry import Texts
from tourney.event.field import Ask, RoundField, field_of, options_of, proof_of, sizes_of
from tourney.event.kind import (
    Decision,
    EntryKind,
    EventChange,
    EventReading,
    named_twice,
    no_such_round,
    open_event,
    refuse_left,
    refuse_twice,
    round_of,
    strangers,
)
from tourney.event.ops import UNSEATED, CutMade, NoTable, Op, RoundPaired, Unseated
from tourney.event.phrases import at_tables, result_line, seats_text
from tourney.event.presence import absent, absent_text, present_text, without_no_shows
from tourney.event.results import find_table
from tourney.event.seating import PairingLines, SeatingDraft
from tourney.event.settings import LONGEST_ROUND
from tourney.event.state import Entered, Round, RoundTable, State, StateDraft
from tourney.event.systems import planned_rounds, propose, system_called
from tourney.event.titles import be, cut_title, in_a_sentence, round_title
from tourney.record import Outcome, PlayerId, Table
from tourney.wording import counted, listed, listed_short, verb

# -- pairing


class Manner(Struct, frozen=True, kw_only=True):
    """Options for pairing a round.

    hold_back: whether only the desk sees the round until it is released
    start:     whether to start the clock at once
    minutes:   the length of the round if the clock is started; 0 for no limit, None for the event's setting
    careful:   whether missing players or decklists raise TourneyError; if not, they become warnings
    """

    hold_back: bool = False
    start: bool = False
    minutes: int | None = None
    careful: bool = True


PLAINLY = Manner()
"""The usual options: the round is shown at once, and its clock is not started.

Missing players or decklists raise TourneyError.
"""


def pair(change: EventChange, ask: Ask, manner: Manner = PLAINLY) -> Decision:
    """Pair the next round by the event's system."""
    _refuse_too_early(change.state)
    _refuse_without_beacon(change.state)
    state, drop = without_no_shows(change)
    doubts = _doubts(state, manner, absent(state), command="tourney round next --anyway")
    try:
        proposal = propose(replace(ask, state=state))
    except TourneyError as refusal:
        raise TourneyError(refusal.message, _with_undo(refusal.hint)) from refusal
    warnings = (*doubts, *proposal.warnings)
    return _pairing_decision(state, proposal.op, proposal.first or drop, manner, warnings=warnings)


def pair_by_hand(change: EventChange, ask: Ask, lines: PairingLines, manner: Manner = PLAINLY) -> Decision:
    """Pair the next round with the organizer's tables and byes, which must name every player.

    Rules and wishes that the tables break become warnings. A no-show who has a seat is not dropped.
    """
    _refuse_too_early(change.state)
    tables, given_byes = lines
    seated_players = {player for table in tables for player in table.seats}
    state, drop = without_no_shows(change, seated_players | {bye.player for bye in given_byes})
    ask = replace(ask, state=state)
    missing = [player for player in absent(state) if player in seated_players]
    doubts = _doubts(state, manner, missing, command="tourney round pair --by-hand FILE --anyway")
    requested_byes = field_of(state, ask.profile, number=ask.number).byes
    byes: dict[PlayerId, Unseated] = {
        player: UNSEATED[outcome]
        for player, outcome in requested_byes.items()
        if player not in seated_players
    }
    byes |= {bye.player: bye.kind for bye in given_byes}
    _refuse_incomplete(state, ask.number, tables, byes)
    op = RoundPaired(
        round=ask.number,
        tables=tables,
        byes=tuple(NoTable(player, kind) for player, kind in sorted(byes.items())),
        stage="cut" if state.cut else "swiss",
        system="manual",
        labels=_bracket_labels(state, state.cut, tables) if state.cut else (),
    )
    if state.cut is None:
        doubts = (*doubts, *_objections(ask, tables, byes))
    else:
        planned_round = _round_of(op, Entered(0, "", ""))
        _refuse_outside_bracket(
            state, state.cut, planned_round, {table.number: table.seats for table in tables}
        )
    return _pairing_decision(state, op, drop, manner, warnings=doubts)


def _pairing_decision(
    state: State, op: RoundPaired, first: Op | None, manner: Manner, *, warnings: tuple[str, ...]
) -> Decision:
    if manner.hold_back:
        op = structs.replace(op, held=True)
    clock = (_clock(state, op.round, manner.minutes),) if manner.start else ()
    return Decision(first=first, op=op, then=clock, warnings=warnings)


def _refuse_too_early(state: State) -> None:
    """Raise TourneyError if a round is still open, or if all planned rounds are played."""
    open_event(state)
    waiting = state.open_round
    if waiting is not None:
        title = in_a_sentence(waiting.title)
        if waiting.held:
            raise TourneyError(
                f"{title} {be(waiting.title)} held back and not played yet",
                "`tourney round release` shows the round to the players; `tourney round cancel` removes it",
            )
        cancel = ", or `tourney round cancel` to remove the round" if waiting is state.round else ""
        raise TourneyError(
            f"{title} {be(waiting.title, 'has', 'have')} no result for {at_tables(waiting.playing)}",
            f"{result_line(state, waiting)}{cancel}",
        )
    round_count = planned_rounds(state)
    if state.cut is None and round_count is not None and len(state.rounds) >= round_count:
        raise TourneyError(
            "the one planned round was played"
            if round_count == 1
            else f"all {round_count} planned rounds were played",
            f"`tourney event change --rounds {round_count + 1}` adds a round, `tourney event cut N` makes a "
            "cut, and `tourney standings` shows the standings",
        )


def _refuse_without_beacon(state: State) -> None:
    if state.waits_for_beacon:
        raise TourneyError(
            f"the public value that the event waits for ({state.settings.pairing.beacon}) is not entered yet",
            "when all players are registered and the value is published, run `tourney event beacon VALUE`",
        )


def _doubts(state: State, manner: Manner, absentees: Sequence[PlayerId], *, command: str) -> tuple[str, ...]:
    """Return warnings about missing players and decklists.

    absentees: the absent players whom the round would pair
    command: the command that pairs the round anyway

    Raises TourneyError instead if `manner.careful` is set and the round has to wait for players or lists.
    """
    is_first = not state.rounds
    missing = [text] if (text := absent_text(state, absentees)) else []
    lists = [*list_doubts(state)] if is_first else []
    reasons = [*missing, *lists] if waits_for_lists(state) else missing
    if not reasons or not manner.careful:
        return (*missing, *lists, *(unsettled_lists(state) if is_first else ()))
    hints = []
    if missing and is_first:
        reasons = [present_text(state), *reasons]
        hints += ["`tourney player check-in NAME` checks a player in"]
    if missing:
        hints += ["`tourney player drop --absent` drops the absent players"]
    if lists and waits_for_lists(state):
        hints += [
            "`tourney player deck NAME FILE` registers a list",
            "`tourney player waive-deck NAME` waives the list",
        ]
    raise TourneyError(
        f"round {len(state.rounds) + 1} is not paired yet: {'; '.join(reasons)}",
        "; ".join([*hints, f"`{command}` pairs the round anyway"]),
    )


def _with_undo(hint: str | None) -> str | None:
    """Return a pairing engine's hint, with the command that it needs.

    If the hint suggests giving up a forced pair, a forbidden pair or a forbidden bye, the command
    `tourney event undo` is added. Any other hint is returned unchanged.
    """
    if not hint or not hint.startswith(("stop forcing", "allow")) or "rematches" in hint:
        return hint
    return f"{hint}: `tourney event undo ENTRY` (`tourney event log` shows the entries)"


# -- pairing by hand


def _refuse_incomplete(
    state: State, number: int, tables: Sequence[Table], byes: Mapping[PlayerId, Unseated]
) -> None:
    """Raise TourneyError if a round paired by hand has wrong players or table sizes."""
    name = state.name_of
    sizes = range(2, state.cut.seats + 1) if state.cut else state.settings.match.seats
    seated_players = {player for table in tables for player in table.seats}
    for table in tables:
        if len(table.seats) not in sizes:
            raise TourneyError(
                f"table {table.number}: a table of this event has {listed(sorted(sizes), 'or')} seats, "
                f"not {len(table.seats)}"
            )
    refuse_left(state, sorted(seated_players | byes.keys()))
    if state.cut is not None:
        outsiders = sorted(seated_players - set(state.cut.players))
        if outsiders:
            are = verb(outsiders, "is", "are")
            raise TourneyError(f"{listed(map(name, outsiders))} {are} not in the cut")
        return
    missing = [
        player.name for player in state.playing if player.id not in seated_players and player.id not in byes
    ]
    if missing:
        raise TourneyError(
            f"round {number}: {listed_short(missing)} {verb(missing, 'has', 'have')}"
            " neither a table nor a bye",
            "add a line `NAME bye` or `NAME absent`",
        )


def _bracket_labels(state: State, cut: CutMade, tables: Sequence[Table]) -> tuple[str, ...]:
    """Return the name of each table's match: the next bracket match of its first player.

    Raises TourneyError if the tables are not the next matches.
    """
    now = bracket_of(state, cut)
    labels_by_player = {
        player: label for table, label in zip(now.tables, now.labels, strict=True) for player in table.seats
    }
    labels = tuple(labels_by_player.get(table.seats[0], "") for table in tables)
    if "" in labels or len(set(labels)) != len(labels):
        raise TourneyError(f"these tables are not the bracket's next matches, which are {listed(now.labels)}")
    return labels


def _refuse_outside_bracket(
    state: State, cut: CutMade, round_: Round, seats: Mapping[int, Sequence[PlayerId]]
) -> None:
    """Raise TourneyError if the bracket could not continue after a round with these seats.

    seats: table → the players to be seated there
    """
    if new_tables := seats.keys() - round_.tables.keys():
        raise TourneyError(
            f"table {min(new_tables)} is not a match of this round of the bracket",
            f"the matches of this round are at {at_tables([*round_.tables])}",
        )
    tables = {
        number: structs.replace(round_.tables[number], seats=tuple(players), result=assumed_result(players))
        for number, players in seats.items()
    }
    after = replace(state, rounds=(*state.rounds[: round_.number - 1], replace(round_, tables=tables)))
    try:
        bracket_of(after, cut)
    except TourneyError as refusal:
        raise TourneyError(
            f"the bracket could not continue with these seats: {refusal.message}",
            "a no-show loses the match: `tourney result add TABLE ff1` (or `ff2`)"
            if cut.seats == 2
            else "enter `ff` as the place of a no-show: `tourney result add TABLE 1,ff,2`",
        ) from None


def _objections(ask: Ask, tables: Sequence[Table], byes: Mapping[PlayerId, Unseated]) -> tuple[str, ...]:
    """Return the faults, such as rematches, that an engine finds in a round paired by hand."""
    state, name = ask.state, ask.state.name_of
    bye_players = [player for player, kind in byes.items() if kind == "bye"]
    unpaired_players = byes.keys() - set(bye_players)
    field = field_of(state, ask.profile, number=ask.number, without=unpaired_players, ranks=True)
    if field.byes:
        return (f"{listed(map(name, field.byes))} had asked not to play this round",)
    options = options_of(state, ask.number)
    if len(bye_players) <= 1 and state.settings.match.seats == (2,):
        bye = bye_players[0] if bye_players else None
        findings = engines.check(field.entrants, options, tables, bye, name=name)
        return tuple(finding.message for finding in findings if finding.severity is Severity.ERROR)
    findings = engines.check_by_hand(
        field.entrants, options, tables, bye_players, sizes=sizes_of(state), name=name
    )
    return tuple(finding.message for finding in findings)


# -- a paired round as an entry


def _apply_paired(draft: StateDraft, op: ops.RoundPaired, at: Entered, _texts: Texts) -> None:
    draft.add_round(_round_of(op, at))
    if op.stage == "swiss":
        draft.keep_seated(op.round, _players_of(op))


def _round_of(op: ops.RoundPaired, at: Entered) -> Round:
    labels = {table.number: label for table, label in zip(op.tables, op.labels, strict=False)}
    return Round(
        number=op.round,
        stage=op.stage,
        system=op.system,
        paired=at,
        tables={
            table.number: RoundTable(table.number, table.seats, label=labels.get(table.number, ""))
            for table in op.tables
        },
        byes={bye.player: Outcome(bye.kind) for bye in op.byes},
        seed=op.seed,
        engine=op.engine,
        proof=op.proof,
        held=op.held,
    )


def _describe_paired(op: ops.RoundPaired, context: EventReading) -> str:
    title = cut_title(op.labels) if op.labels else round_title(op.round)
    action = "paired by hand" if op.system == "manual" else "paired"
    source = context.state.imported
    if source is not None and any(
        entry.op is op and source.first <= entry.seq <= source.last for entry in context.entries
    ):
        action = "imported"  # the file does not say how the round was paired
    hold_note = " and held back" if op.held else ""
    proof = f", {op.proof.text}" if op.proof.text else ""
    tables = counted(len(op.tables), "table")
    return "; ".join(
        [f"{title} {be(title)} {action}{hold_note}: {tables}{proof}", *_describe_byes(op, context)]
    )


def _describe_byes(op: ops.RoundPaired | ops.RoundEdited, context: EventReading) -> Iterator[str]:
    by_kind: dict[str, list[PlayerId]] = {}
    for bye in op.byes:
        by_kind.setdefault(bye.kind, []).append(bye.player)
    for kind, players in by_kind.items():
        yield f"{context.names(players)} {verb(players, 'has', 'have')} {Outcome(kind).words.award}"


def _players_of(op: ops.RoundPaired | ops.RoundEdited) -> list[PlayerId]:
    return [player for table in op.tables for player in table.seats] + [bye.player for bye in op.byes]


def _numbers_of(op: ops.RoundPaired | ops.RoundEdited) -> list[int]:
    return [table.number for table in op.tables]


def _seat_values(op: ops.RoundPaired | ops.RoundEdited) -> dict[str, Any]:
    return {"tables": _numbers_of(op), "seated": _players_of(op), "before": op.round - 1}


def _needs_of_paired(op: ops.RoundPaired) -> str:
    return f"round {{before}}, cut, player {{seated}}{', beacon' if op.engine else ''}"


def _faults_of_seating(op: ops.RoundPaired | ops.RoundEdited) -> Iterator[str]:
    numbers = _numbers_of(op)
    if len(set(numbers)) < len(numbers):
        yield "two tables have the same number"
    for table in op.tables:
        if table.number < 1 or len(table.seats) < 2:
            yield f"table {table.number} has {counted(len(table.seats), 'seat')}"
        if table.result is not None:
            yield f"table {table.number} has a result before it is played"
    yield from named_twice(_players_of(op))


def _misfits_of_paired(op: ops.RoundPaired, draft: StateDraft) -> Iterator[str]:
    if op.round != len(draft.rounds) + 1:
        yield f"round {op.round} cannot follow {counted(len(draft.rounds), 'round')}"
    yield from strangers(_players_of(op), draft)


# -- rounds that are held back


def release(change: EventChange) -> Decision:
    """Release the current round, which was held back from the players."""
    state = change.open_event()
    round_ = round_of(state, None)
    if not round_.held:
        return Decision(already=f"{round_.title} {be(round_.title)} already released")
    leavers = leavers_of_held_round(state)
    names = listed_short([state.players[player].name for player in leavers])
    warning = (
        f"{names} left while {in_a_sentence(round_.title)} {be(round_.title, 'was', 'were')} held back:"
        " `tourney round repair` pairs it again without them"
    )
    return Decision(op=ops.RoundReleased(round=round_.number), warnings=(warning,) if leavers else ())


def leavers_of_held_round(state: State) -> tuple[PlayerId, ...]:
    """Return the players who have left, but sit at an open table of the held current round.

    A held round is one that only the desk sees. Returns no players if the current round is not held.
    """
    round_ = state.round
    if round_ is None or not round_.held:
        return ()
    players = (player for table in round_.open_tables for player in table.seats)
    return tuple(player for player in players if not state.players[player].playing)


def _apply_released(draft: StateDraft, op: ops.RoundReleased, _at: Entered, _texts: Texts) -> None:
    draft.round(op.round).held = False


def _describe_released(op: ops.RoundReleased, context: EventReading) -> str:
    title = context.title(op.round)
    return f"{title} {be(title)} released"


# -- edits


def swap(
    change: EventChange, one: str | PlayerId, other: str | PlayerId, *, reason: str | None = None
) -> Decision:
    """Swap two players of the current round; one of them can have a bye.

    Raises TourneyError for tables with a result.
    """
    draft = seating_of(change.state)
    draft.swap(change.player(one), change.player(other))
    return edit(change, draft, reason)


def seat(
    change: EventChange, table: int | str, *names: str | PlayerId, reason: str | None = None
) -> Decision:
    """Seat exactly these players at a table of the current round.

    Each player who has to make room gets the seat or bye that the new player had before.

    table: the number of the table, which may be a new one, or a player who sits there
    """
    draft = seating_of(change.state)
    draft.seat(_table_to_seat(change.state, table), [change.player(name) for name in names])
    return edit(change, draft, reason)


def unseat(
    change: EventChange, name_or_id: str | PlayerId, kind: str = "bye", *, reason: str | None = None
) -> Decision:
    """Take a player from a table of the current round.

    kind: what the player gets for the round: `bye`, `awarded-bye`, `half-bye` or `absent`

    An opponent who is left alone is paired with the player who has the bye. If no player has the bye, the
    opponent gets it.
    """
    if kind not in UNSEATED.values():
        raise TourneyError(f"`{kind}` is not a kind of bye", f"choose {listed(UNSEATED.values(), 'or')}")
    draft = seating_of(change.state)
    draft.bye(change.player(name_or_id), Outcome(kind))
    return edit(change, draft, reason)


def seating_of(state: State) -> SeatingDraft:
    """Return a draft of the current round's seats, for editing.

    Raises TourneyError if no round is paired.
    """
    open_event(state)
    return SeatingDraft(state, round_of(state, None))


def _table_to_seat(state: State, table: int | str) -> int:
    """Return the number of the table that `table` names.

    table: the number of a table of the current round, or of a new table; or a player at a table

    Raises TourneyError as `find_table` does.
    """
    number, round_ = str(table).strip(), round_of(state, None)
    if number.isascii() and number.isdecimal() and len(number) < 8 and int(number) not in round_.tables:
        return int(number)
    return find_table(state, round_, table)


def edit(change: EventChange, plan: SeatingDraft, reason: str | None) -> Decision:
    """Change the seats of the current round to those in `plan`."""
    state, op = change.state, plan.op(reason=change.note(reason))
    if op is None:
        return Decision(already="The players already sit there")
    if state.cut is not None and state.rounds[op.round - 1].stage == "cut":
        _refuse_outside_bracket(state, state.cut, state.rounds[-1], plan.tables)
        return Decision(op=op)
    return Decision(op=op, warnings=tuple(_rematches(state, op)))


def _rematches(state: State, op: ops.RoundEdited) -> Iterator[str]:
    """Yield warnings about players who meet again because of an edit."""
    name = state.name_of
    old_tables = {frozenset(table.seats) for table in state.rounds[op.round - 1].tables.values()}
    for table in op.tables:
        if frozenset(table.seats) in old_tables:
            continue
        for pair in combinations(table.seats, 2):
            rounds = [
                round_.number
                for round_ in state.rounds[: op.round - 1]
                if any({*pair} <= {*other.seats} for other in round_.tables.values())
            ]
            if rounds:
                yield f"table {table.number}: {listed(map(name, pair))} already met in round {listed(rounds)}"


def move(change: EventChange, table: int | str, to: int, *, reason: str | None = None) -> Decision:
    """Move a match of the current round to another table.

    If that table has a match, the two matches swap tables.

    table: the number of the table, or a player who sits there, by name or `#7`
    """
    state = change.state
    plan, round_ = seating_of(state), round_of(state, None)
    number = find_table(state, round_, table)
    plan.move(number, to)
    decision = edit(change, plan, reason)
    warnings = [*decision.warnings]
    for old_number, new_number in ((number, to), (to, number)):
        if old_number not in round_.tables:
            continue
        if minutes := round_.tables[old_number].extra_minutes:
            warnings += [
                f"table {old_number} had {counted(minutes, 'extra minute')}, which do not move with the"
                f" match: `tourney round extend {new_number} {minutes}` adds them at table {new_number}"
            ]
        warnings += [
            f"{state.players[player].name} has the fixed table {old_number}, but now sits at"
            f" table {new_number}"
            for player in round_.tables[old_number].seats
            if state.players[player].table == old_number
        ]
    return replace(decision, warnings=tuple(warnings))


# -- repairs


def repair(
    change: EventChange,
    ask: Ask,
    reason: str | None = None,
    corrected_points: Mapping[PlayerId, tuple[int, int]] = MappingProxyType({}),
) -> Decision:
    """Repair the pairing of the current round, with as few changed tables as possible.

    corrected_points: each player whose points were corrected since the round was paired → their half points
                      then and now
    """
    state = change.open_event()
    round_ = round_of(state, None)
    _refuse_without_beacon(state)
    swiss = round_.stage == "swiss" and system_called(round_.system).repairs
    if not swiss or any(size != 2 for size in state.settings.match.seats):
        raise TourneyError(
            "`round repair` works only for Swiss rounds with two players at each table",
            "`tourney round edit swap`",
        )
    options = options_of(state, round_.number)
    proposal = engines.repair(
        field_to_repair(state, ask.profile, round_).entrants,
        options,
        round_.record,
        next((player for player, outcome in round_.byes.items() if outcome is Outcome.BYE), None),
        locked_tables={number for number, table in round_.tables.items() if table.result is not None},
        seed=ask.seed,
        corrected_players=corrected_points,
        name=state.name_of,
    )
    plan = SeatingDraft(state, round_)
    plan.tables = {table.number: list(table.seats) for table in proposal.pairing.tables}
    fixed_byes = {player: kind for player, kind in plan.byes.items() if player in _unpaired_players(round_)}
    plan.byes = fixed_byes | dict.fromkeys(proposal.pairing.byes, Outcome.BYE)
    op = plan.op(
        reason=change.note(reason),
        engine=engines.CORRECTION_ENGINE if corrected_points else engines.repair_engine(options),
        proof=proof_of(proposal.pairing),
    )
    if op is None:
        return Decision(already="The round needs no repair: the players already sit as they should")
    name, points = state.name_of, ask.profile.points_text
    corrections = [
        f"the points of {name(player)} changed from {points(before)} to {points(after)} after this round was "
        "paired"
        for player, (before, after) in corrected_points.items()
        if before != after
    ]
    return Decision(op=op, warnings=(*corrections, *(note.text for note in proposal.reasons)))


def field_to_repair(state: State, profile: rankings.Profile, round_: Round) -> RoundField:
    """Return the players to pair when a round is repaired.

    A drop usually takes effect in the next round. But a repair leaves out players who have left and have no
    result in this round.
    """
    players_with_result = {
        player for table in round_.tables.values() if table.result for player in table.seats
    }
    leavers = {player.id for player in state.players.values() if not player.playing} - players_with_result
    ranks = options_of(state, round_.number).mode is engines.Mode.RANK
    excluded_players = _unpaired_players(round_) | leavers
    return field_of(
        state, profile, number=round_.number, without=excluded_players, newcomers=True, ranks=ranks
    )


def _unpaired_players(round_: Round) -> set[PlayerId]:
    return {player for player, outcome in round_.byes.items() if outcome is not Outcome.BYE}


# -- an edit or a repair as an entry


def _apply_edited(draft: StateDraft, op: ops.RoundEdited, at: Entered, _texts: Texts) -> None:
    round_ = draft.round(op.round)
    for number in op.removed:
        round_.tables.pop(number, None)
    for table in op.tables:
        old_table = round_.tables.get(table.number, RoundTable(table.number, ()))
        round_.tables[table.number] = structs.replace(
            old_table, seats=table.seats, result=None, entered=None, reasons=(), claim=None
        )
        for player in table.seats:
            round_.byes.pop(player, None)
    round_.byes |= {bye.player: Outcome(bye.kind) for bye in op.byes}
    round_.proof, round_.engine = op.proof, op.engine
    round_.edits = (*round_.edits, at)


def _describe_edited(op: ops.RoundEdited, context: EventReading) -> str:
    title = context.title(op.round)
    were = be(title, "was", "were")
    changes = [
        listed_short([f"table {table.number} {seats_text(table.seats, context.name)}" for table in op.tables])
    ]
    if op.removed:
        changes += [f"{at_tables(op.removed)} {verb(op.removed, 'is', 'are')} removed"]
    changes += _describe_byes(op, context)
    action = "repaired" if op.engine else "edited"
    return f"{title} {were} {action}: {'; '.join(filter(None, changes))}{context.reason(op.reason)}"


def _misfits_of_edited(op: ops.RoundEdited, draft: StateDraft) -> Iterator[str]:
    yield from no_such_round(op, draft)
    tables = draft.rounds[op.round - 1].tables
    for number in op.removed:
        if number not in tables:
            yield f"round {op.round} has no table {number}"
    players = _players_of(op)
    yield from strangers(players, draft)
    changed_tables = {*op.removed, *_numbers_of(op)}
    other_players = {
        player for number, table in tables.items() if number not in changed_tables for player in table.seats
    }
    if duplicates := sorted(other_players.intersection(players)):
        yield f"{listed(f'#{player}' for player in duplicates)} would have two places"


# -- cancelling


def cancel(change: EventChange, *, reason: str | None = None) -> Decision:
    """Cancel the last round with its results. You can undo this."""
    state = change.open_event()
    round_ = round_of(state, None)
    if state.cut is not None and round_.stage == "swiss":
        raise TourneyError(
            f"{in_a_sentence(round_.title)} cannot be cancelled:"
            " the cut was made from the standings after this round",
            "undo the cut first: `tourney event undo ENTRY` (`tourney event log` shows the entries)",
        )
    results = len(round_.tables) - len(round_.playing)
    warning = f"this removed {counted(results, 'result')}, too; `tourney event undo` restores everything"
    return Decision(
        op=ops.RoundCancelled(round=round_.number, reason=change.note(reason)),
        warnings=(warning,) if results else (),
    )


def _apply_cancelled(draft: StateDraft, _op: ops.RoundCancelled, _at: Entered, _texts: Texts) -> None:
    draft.remove_round()


def _describe_cancelled(op: ops.RoundCancelled, context: EventReading) -> str:
    return f"Round {op.round} was cancelled{context.reason(op.reason)}"


def _misfits_of_cancelled(op: ops.RoundCancelled, draft: StateDraft) -> Iterator[str]:
    if op.round != len(draft.rounds) or not draft.rounds:
        yield f"round {op.round} is not the last one"


# -- the clock


def start(change: EventChange, minutes: int | None = None) -> Decision:
    """Start the clock of the current round, and release the round if it was held back.

    minutes: the length of the round; 0 for no limit, None for the event's setting
    """
    state = change.open_event()
    round_ = round_of(state, None)
    warning = f"the clock of {in_a_sentence(round_.title)} was already started, and starts again"
    return Decision(
        first=ops.RoundReleased(round=round_.number) if round_.held else None,
        op=_clock(state, round_.number, minutes),
        warnings=(warning,) if round_.started else (),
    )


def _clock(state: State, number: int, minutes: int | None) -> ops.RoundStarted:
    length = state.settings.match.minutes if minutes is None else minutes
    return ops.RoundStarted(round=number, minutes=_minutes(length))


def _minutes(minutes: int) -> int:
    if not 0 <= minutes <= LONGEST_ROUND:
        raise TourneyError(f"a round cannot last {minutes} minutes")
    return minutes


def _apply_started(draft: StateDraft, op: ops.RoundStarted, at: Entered, _texts: Texts) -> None:
    round_ = draft.round(op.round)
    round_.started, round_.minutes = at.at, op.minutes


def _describe_started(op: ops.RoundStarted, context: EventReading) -> str:
    return f"{context.title(op.round)} started, {f'{op.minutes} minutes' if op.minutes else 'without limit'}"


def extend(change: EventChange, table: int | str, minutes: int, *, reason: str | None = None) -> Decision:
    """Give a table of the current round more time.

    table: the number of the table, or a player who sits there
    """
    state = change.open_event()
    round_ = round_of(state, None)
    number = find_table(state, round_, table)
    if round_.tables[number].result is not None:
        raise TourneyError(f"table {number} already has a result")
    if minutes < 1:
        raise TourneyError("extra time must be at least 1 minute")
    length, note = _minutes(minutes), change.note(reason)
    return Decision(op=ops.TableExtended(round=round_.number, table=number, minutes=length, reason=note))


def _apply_extended(draft: StateDraft, op: ops.TableExtended, _at: Entered, _texts: Texts) -> None:
    round_ = draft.round(op.round)
    if table := round_.tables.get(op.table):
        round_.change(op.table, extra_minutes=table.extra_minutes + op.minutes)


def _describe_extended(op: ops.TableExtended, context: EventReading) -> str:
    return (
        f"{context.title(op.round)}, table {op.table}: {op.minutes} minutes more{context.reason(op.reason)}"
    )


# -- wishes: forced and forbidden pairs


def force(
    change: EventChange, *names: str | PlayerId, round_number: int | None = None, table: int | None = None
) -> Decision:
    """Force players to meet, or one player to get the bye, in a round that is not paired yet.

    names: the players who must meet; a single player gets the bye
    round_number: the round; None for the next one
    table: the table of the pair; None for any table
    """
    state, players = change.open_event(), change.players(names)
    number = round_number or len(state.rounds) + 1
    _refuse_wish(state, "forced", f"no pair can be forced in round {number}")
    _refuse_absentees(state, players)
    if number <= len(state.rounds):
        raise TourneyError(f"round {number} is already paired", "`tourney round edit set TABLE NAME NAME`")
    op = ops.PairForced(players=tuple(sorted(players)), round=number, table=table)
    if any((op.players, number, table) == (pair.players, pair.round, pair.table) for pair in state.forced):
        player_names = listed(map(state.name_of, players))
        return Decision(already=f"The wish for {player_names} in round {number} is already entered")
    return Decision(op=op)


def forbid(
    change: EventChange, *names: str | PlayerId, hard: bool = True, reason: str | None = None
) -> Decision:
    """Keep players apart in every round.

    hard: whether they may never meet; if not, they may meet if it cannot be avoided
    """
    state, players = change.open_event(), change.players(names)
    _refuse_wish(state, "forbidden", "players cannot be kept apart")
    _refuse_absentees(state, players)
    if len(players) < 2:
        raise TourneyError("name at least two players to keep apart")
    pair = tuple(sorted(players))
    if any((pair, hard) == (other.players, other.hard) for other in state.forbidden):
        return Decision(already=f"{listed(map(state.name_of, players))} are already kept apart")
    return Decision(op=ops.PairForbidden(players=pair, hard=hard, reason=change.note(reason)))


def _refuse_wish(state: State, wish: str, refusal: str) -> None:
    """Raise TourneyError if the pairing system ignores wishes of this kind.

    wish: the kind, as in `tourney.pairing.WISHES`
    refusal: what the organizer cannot do, for the message: `players cannot be kept apart`
    """
    system = system_called(state.system)
    if wish not in system.wishes:
        because, hint = system.wish_refusal
        raise TourneyError(f"{refusal}: {because}", hint)


def _refuse_absentees(state: State, players: Collection[PlayerId]) -> None:
    refuse_twice(players)
    refuse_left(state, players)


def _apply_forced(draft: StateDraft, op: ops.PairForced, _at: Entered, _texts: Texts) -> None:
    draft.forced.append(op)


def _describe_forced(op: ops.PairForced, context: EventReading) -> str:
    if len(op.players) == 1:
        return f"{context.names(op.players)} must have the bye in round {op.round}"
    table = f" at table {op.table}" if op.table else ""
    return f"{context.names(op.players)} must meet in round {op.round}{table}{context.reason(op.reason)}"


def _apply_forbidden(draft: StateDraft, op: ops.PairForbidden, _at: Entered, _texts: Texts) -> None:
    draft.forbidden.append(op)


def _describe_forbidden(op: ops.PairForbidden, context: EventReading) -> str:
    rule = "must not meet" if op.hard else "are kept apart if possible"
    return f"{context.names(op.players)} {rule}{context.reason(op.reason)}"


_Wish = partial(EntryKind, makes="field", needs="player {players}")

KINDS = (
    EntryKind(
        ops.RoundPaired,
        _apply_paired,
        _describe_paired,
        "round {round}, field",
        makes="table {round} {tables}",
        needs=_needs_of_paired,
        values=_seat_values,
        faults=_faults_of_seating,
        misfits=_misfits_of_paired,
    ),
    EntryKind(
        ops.RoundReleased,
        _apply_released,
        _describe_released,
        "released {round}",
        needs="round {round}",
        misfits=no_such_round,
    ),
    EntryKind(
        ops.RoundEdited,
        _apply_edited,
        _describe_edited,
        # The proof of the last edit is that of the round.
        "table {round} {removed}, table {round} {tables}, bye {round} {seated}, edits {round}",
        makes="field",
        needs="round {round}, player {seated}",
        values=_seat_values,
        faults=_faults_of_seating,
        misfits=_misfits_of_edited,
    ),
    EntryKind(
        ops.RoundCancelled,
        _apply_cancelled,
        _describe_cancelled,
        "round {round}, field",
        misfits=_misfits_of_cancelled,
    ),
    EntryKind(
        ops.RoundStarted,
        _apply_started,
        _describe_started,
        "clock {round}",
        needs="round {round}, released {round}",
        misfits=no_such_round,
    ),
    EntryKind(
        ops.TableExtended,
        _apply_extended,
        _describe_extended,
        needs="round {round}, table {round} {table}",
        misfits=no_such_round,
    ),
    _Wish(ops.PairForced, _apply_forced, _describe_forced),
    _Wish(ops.PairForbidden, _apply_forbidden, _describe_forbidden),
)
"""The kinds of entries about rounds, in the order of `tourney.event.ops`."""
