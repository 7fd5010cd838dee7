"""Rounds: pairing, edits, repairs, the clock, and pairs that are forced or forbidden."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import msgspec

import tourney.pairing as engines
import tourney.standings as rankings
from tourney.errors import Severity, TourneyError
from tourney.event import ops
from tourney.event.brackets import bracket_of, decided
from tourney.event.decks import list_doubts, unsettled_lists, waits_for_lists
from tourney.event.entry import Sealing, Texts
from tourney.event.field import Ask, RoundField, field_of, options_of, sizes_of
from tourney.event.kind import (
    BEACON,
    FIELD,
    NO_MARKS,
    Decision,
    EntryKind,
    Footprint,
    LogContext,
    Mark,
    Marks,
    checked_reason,
    marks,
    named_twice,
    names_nobody,
    no_such_round,
    open_event,
    player_marks,
    player_of,
    round_of,
    strangers,
    strangers_among,
)
from tourney.event.ops import UNSEATED, NoTable, Op, RoundPaired, Unseated
from tourney.event.phrases import be, in_a_sentence, names_of, result_line, seats_text, tables_text
from tourney.event.players import absent, absent_text, present_text, without_no_shows
from tourney.event.results import find_table
from tourney.event.seating import PairingLines, SeatingDraft
from tourney.event.settings import LONGEST_ROUND
from tourney.event.state import (
    Cut,
    Entered,
    ForbiddenPair,
    ForcedPair,
    Round,
    State,
    StateDraft,
    cut_title,
)
from tourney.event.systems import planned_rounds, propose, system_called
from tourney.event.systems.system import proof_of
from tourney.record import Outcome, PlayerId, Table
from tourney.wording import counted, listed, listed_short

_NOBODY_MOVED: Mapping[PlayerId, tuple[int, int]] = MappingProxyType({})


# -- pairing: by the system


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """Options for pairing a round.

    held:    only the desk sees the round until it is released
    start:   start its clock at once, for `minutes` (0: without limit; None: as the event says)
    careful: refuse while players or decklists are missing; False: pair anyway, with warnings
    """

    held: bool = False
    start: bool = False
    minutes: int | None = None
    careful: bool = True


PLAINLY = Manner()
"""Shown at once, the clock not started; refused while players or decklists are missing."""


def pair(ask: Ask, seal: Sealing, manner: Manner = PLAINLY) -> Decision:
    """Pair the next round by the event's system."""
    _ready(ask.state)
    _refuse_without_beacon(ask.state)
    state, drop = without_no_shows(ask.state, seal)
    doubts = _doubts(state, manner, absent(state))
    try:
        proposal = propose(replace(ask, state=state))
    except TourneyError as refused:
        raise TourneyError(refused.message, _with_way_back(refused.hint)) from refused
    return _coming(state, proposal.op, proposal.first or drop, manner, (*doubts, *proposal.warnings))


def _coming(
    state: State, op: RoundPaired, first: Op | None, manner: Manner, warnings: tuple[str, ...]
) -> Decision:
    if manner.held:
        op = msgspec.structs.replace(op, held=True)
    clock = _clock(state, op.round, manner.minutes) if manner.start else None
    return Decision(first=first, op=op, then=(clock,) if clock else (), warnings=warnings)


def _doubts(
    state: State, manner: Manner, gone: Sequence[PlayerId], *, by_hand: bool = False
) -> tuple[str, ...]:
    """Return warnings about missing players and decklists.

    gone: the absent players whom the round would pair. Raises TourneyError if the round has to wait (`careful`).
    """
    missing = absent_text(state, gone)
    lists = () if state.rounds else list_doubts(state)
    doubts = tuple(filter(None, [missing, *(lists if waits_for_lists(state) else ())]))
    if not doubts or not manner.careful:
        return (*filter(None, [missing]), *lists, *(() if state.rounds else unsettled_lists(state)))
    way = "`tourney player drop --absent` drops the absent players; " if missing else ""
    if missing and not state.rounds:
        doubts = (present_text(state), *doubts)
        way = f"`tourney player check-in NAME` checks a player in; {way}"
    if lists and waits_for_lists(state):
        way += (
            "`tourney player deck NAME FILE` registers a list, `tourney player waive-deck NAME` waives it; "
        )
    again = "tourney round pair --by-hand FILE --anyway" if by_hand else "tourney round next --anyway"
    raise TourneyError(
        f"round {len(state.rounds) + 1} is not paired yet: {'; '.join(doubts)}",
        f"{way}`{again}` pairs the round anyway",
    )


def _with_way_back(hint: str | None) -> str | None:
    """Say how forced and forbidden pairs are taken back, where the engine asks for that: it knows no entries."""
    if not hint or not hint.startswith(("release", "allow")) or "rematches" in hint:
        return hint
    return f"{hint}: `tourney event undo ENTRY` (`tourney event log` tells which)"


def _ready(state: State) -> None:
    open_event(state)
    waiting = state.open_round
    if waiting is not None and waiting.held:
        raise TourneyError(
            f"{in_a_sentence(waiting.title)} {be(waiting.title)} held back and not played yet",
            "`tourney round release` shows it to the players, `tourney round cancel` takes it back",
        )
    if waiting is not None:
        word = "table" if len(waiting.playing) == 1 else "tables"
        have = "has" if be(waiting.title) == "is" else "have"
        back = ", or `tourney round cancel` to take back the round" if waiting is state.round else ""
        raise TourneyError(
            f"{in_a_sentence(waiting.title)} {have} no result for {word} {tables_text(waiting.playing)}",
            f"{result_line(state, waiting)}{back}",
        )
    planned = planned_rounds(state)
    if state.cut is None and planned is not None and len(state.rounds) >= planned:
        raise TourneyError(
            "the one planned round is played" if planned == 1 else f"all {planned} planned rounds are played",
            f"`tourney event change --rounds {planned + 1}` for one more, `tourney event cut N`, or `tourney standings`",
        )


def _refuse_without_beacon(state: State) -> None:
    if state.waits_for_beacon:
        raise TourneyError(
            f"the seeds wait for {state.settings.pairing.beacon}, which is not entered yet",
            "`tourney event beacon VALUE` once it came out, when everybody is registered",
        )


# -- pairing: by hand


def pair_by_hand(ask: Ask, lines: PairingLines, seal: Sealing, manner: Manner = PLAINLY) -> Decision:
    """Enter a round as the organizer paired it: complete, and warned of where an engine would have done otherwise.

    A no-show whom the organizer seats is not dropped.
    """
    _ready(ask.state)
    tables, named = lines
    wanted = {player for table in tables for player in table.seats} | {each.player for each in named}
    state, drop = without_no_shows(ask.state, seal, wanted)
    ask = replace(ask, state=state)
    seated = {player for table in tables for player in table.seats}
    gone = [player for player in absent(state) if player in seated]
    doubts = _doubts(state, manner, gone, by_hand=True)
    byes = _announced(state, ask, tables) | {each.player: each.kind for each in named}
    _refuse_incomplete(state, ask.number, tables, byes)
    labels = _labels(state, tables)
    if state.cut is not None:
        _refuse_outside_bracket(state, state.cut, _planned(ask.number, tables, labels))
    op = RoundPaired(
        round=ask.number,
        tables=tables,
        byes=tuple(NoTable(player, kind) for player, kind in sorted(byes.items())),
        stage="cut" if state.cut else "swiss",
        system="manual",
        labels=labels,
    )
    warnings = () if state.cut else _objections(ask, tables, byes)
    return _coming(state, op, drop, manner, (*doubts, *warnings))


def _refuse_incomplete(
    state: State, number: int, tables: Sequence[Table], byes: dict[PlayerId, Unseated]
) -> None:
    """Refuse a round by hand in which somebody is missing, or plays who is not in it."""
    name = names_of(state)
    sizes = state.settings.match.seats if state.cut is None else range(2, state.cut.seats + 1)
    seated = {player for table in tables for player in table.seats}
    for table in tables:
        if len(table.seats) not in sizes:
            raise TourneyError(
                f"table {table.number}: a table has {listed(sorted(sizes), 'or')} seats here, not {len(table.seats)}"
            )
    left = [player for player in sorted(seated | byes.keys()) if not state.players[player].playing]
    if left:
        message = f"{listed(map(name, left))} {'has' if len(left) == 1 else 'have'} left the event"
        raise TourneyError(message, "`tourney player return NAME`")
    expected = set(state.cut.players) if state.cut else {each.id for each in state.playing}
    missing = sorted(expected - seated - byes.keys()) if not state.cut else []
    if missing:
        few = listed(
            [name(player) for player in missing[:5]]
            + ([f"{len(missing) - 5} more"] if len(missing) > 5 else [])
        )
        raise TourneyError(
            f"round {number}: no table and no bye for {few}", "a line `NAME bye` or `NAME absent`"
        )
    outsiders = sorted(seated - expected)
    if outsiders:
        are = "is" if len(outsiders) == 1 else "are"
        raise TourneyError(f"{listed(map(name, outsiders))} {are} not in the cut")


def _labels(state: State, tables: Sequence[Table]) -> tuple[str, ...]:
    """Return which match of the bracket each table is: the one that is due for a player who sits there."""
    if state.cut is None:
        return ()
    now = bracket_of(state, state.cut)
    due = {
        player: label for table, label in zip(now.tables, now.labels, strict=True) for player in table.seats
    }
    labels = tuple(due.get(table.seats[0], "") for table in tables)
    if "" in labels or len(set(labels)) != len(labels):
        raise TourneyError(f"these are not the matches of the bracket; they are {listed(now.labels)}")
    return labels


def _planned(number: int, tables: Sequence[Table], labels: Sequence[str]) -> Round:
    """Return a round of the bracket as it would be, entered by nobody yet."""
    return Round(
        number=number,
        stage="cut",
        system="manual",
        tables={table.number: Table(table.number, table.seats) for table in tables},
        byes={},
        paired=Entered(0, "", ""),
        labels={table.number: label for table, label in zip(tables, labels, strict=True)},
    )


def _announced(state: State, ask: Ask, tables: Sequence[Table]) -> dict[PlayerId, Unseated]:
    seated = {player for table in tables for player in table.seats}
    wishes = field_of(state, ask.profile, number=ask.number).byes
    return {player: UNSEATED[outcome] for player, outcome in wishes.items() if player not in seated}


def _refuse_outside_bracket(state: State, cut: Cut, planned: Round) -> None:
    """Refuse a round from which the bracket could not go on, whoever wins: a match without a table, a stranger at one."""
    if new := planned.tables.keys() - planned.labels.keys():
        raise TourneyError(
            f"table {min(new)} is not a match of this round of the bracket",
            f"its matches are at {'table' if len(planned.labels) == 1 else 'tables'} {tables_text([*planned.labels])}",
        )
    won = {number: decided(number, table.seats) for number, table in planned.tables.items()}
    after = replace(state, rounds=(*state.rounds[: planned.number - 1], replace(planned, tables=won)))
    try:
        bracket_of(after, cut)
    except TourneyError as refused:
        raise TourneyError(
            f"the bracket could not go on from these seats: {refused.message}",
            "who does not come loses the match: `tourney result add TABLE ff1` (or `ff2`)"
            if cut.seats == 2
            else "who does not come has `ff` in place of a number: `tourney result add TABLE 1,ff,2`",
        ) from None


def _objections(ask: Ask, tables: Sequence[Table], byes: dict[PlayerId, Unseated]) -> tuple[str, ...]:
    """Return what an engine has to say of a round by hand: the organizer's own wishes broken, rematches, byes."""
    state = ask.state
    odd = [player for player, kind in byes.items() if kind == "bye"]
    away = {player for player, kind in byes.items() if kind != "bye"}
    field = field_of(state, ask.profile, number=ask.number, without=away, ranks=True)
    if field.byes:
        return (f"{listed(map(names_of(state), field.byes))} had announced not to play this round",)
    given = [Table(table.number, table.seats) for table in tables]
    if len(odd) <= 1 and state.settings.match.seats == (2,):
        findings = engines.check(
            field.entrants,
            options_of(state, ask.number),
            given,
            odd[0] if odd else None,
            name=names_of(state),
        )
        return tuple(each.message for each in findings if each.severity is Severity.ERROR)
    findings = engines.check_by_hand(
        field.entrants,
        options_of(state, ask.number),
        given,
        odd,
        sizes=sizes_of(state),
        name=names_of(state),
    )
    return tuple(each.message for each in findings)


# -- a round that was paired, entered


def _apply_paired(draft: StateDraft, op: ops.RoundPaired, at: Entered, _texts: Texts) -> None:
    new = Round(
        number=op.round,
        stage=op.stage,
        system=op.system,
        paired=at,
        seed=op.seed,
        engine=op.engine,
        proof=op.proof,
        labels={table.number: label for table, label in zip(op.tables, op.labels, strict=False)},
        held=op.held,
    )
    new.seat(op.tables, op.byes)
    draft.end_claims()
    draft.add_round(new)


def _say_paired(op: ops.RoundPaired, context: LogContext) -> str:
    how = "paired by hand" if op.system == "manual" else "paired"
    how = "imported" if _is_imported(op, context) else how
    proof = f", {op.proof.text}" if op.proof.text else ""
    held = " and held back" if op.held else ""
    return f"{_title_of(op)} {be(_title_of(op))} {how}{held}: {counted(len(op.tables), 'table')}{proof}{_byes_words(op, context)}"


def _is_imported(op: ops.RoundPaired, context: LogContext) -> bool:
    """Say whether a round came with the file of another program: who paired it, and how, is not known."""
    source = context.state.imported
    return source is not None and any(
        each.op is op and source.first <= each.seq <= source.last for each in context.entries
    )


def _title_of(op: ops.RoundPaired) -> str:
    return cut_title(op.labels) if op.labels else f"Round {op.round}"


def _byes_words(op: ops.RoundPaired | ops.RoundEdited, context: LogContext) -> str:
    by_kind: dict[str, list[PlayerId]] = {}
    for each in op.byes:
        by_kind.setdefault(each.kind, []).append(each.player)
    parts = []
    for kind, players in by_kind.items():
        have = "has" if len(players) == 1 else "have"
        parts.append(f"{context.names(players)} {have} {Outcome(kind).words.award}")
    return f"; {'; '.join(parts)}" if parts else ""


def _marks_of_paired(op: ops.RoundPaired) -> Footprint:
    tables = {("table", op.round, table.number) for table in op.tables}
    made = marks(("round", op.round), FIELD, *tables)
    drawn = marks(BEACON) if op.engine else NO_MARKS
    return Footprint(
        made,
        drawn | marks(FIELD, ("round", op.round), ("round", op.round - 1), ("cut",), *_marks_of_seated(op)),
    )


def _marks_of_seated(op: ops.RoundPaired | ops.RoundEdited) -> set[Mark]:
    seated = {("player", player) for table in op.tables for player in table.seats}
    return {*seated, *(("player", each.player) for each in op.byes)}


def _odd_seating(op: ops.RoundPaired | ops.RoundEdited) -> Iterator[str]:
    yield from _odd_tables(op.tables)
    yield from named_twice(
        [player for table in op.tables for player in table.seats] + [each.player for each in op.byes]
    )


def _odd_tables(tables: tuple[Table, ...]) -> Iterator[str]:
    numbers = [table.number for table in tables]
    if len(set(numbers)) < len(numbers):
        yield "two tables have one number"
    for table in tables:
        if table.number < 1 or len(table.seats) < 2:
            yield f"table {table.number} has {counted(len(table.seats), 'seat')}"
        if table.result is not None:
            yield f"table {table.number} has a result before it is played"


def _not_the_next(op: ops.RoundPaired, draft: StateDraft) -> Iterator[str]:
    if op.round != len(draft.rounds) + 1:
        yield f"round {op.round} cannot follow {counted(len(draft.rounds), 'round')}"
    yield from strangers((player for table in op.tables for player in table.seats), draft)
    yield from strangers((each.player for each in op.byes), draft)


# -- held back, and seen


def release(state: State) -> Decision:
    """Let a round that was held back be seen."""
    open_event(state)
    round_ = round_of(state, None)
    if not round_.held:
        return Decision(already=f"{round_.title} {be(round_.title)} released")
    gone = left_while_held(state)
    warning = (
        f"{listed_short([state.players[each].name for each in gone])} left while {in_a_sentence(round_.title)} was held back:"
        " `tourney round repair` pairs it again without them"
    )
    return Decision(op=ops.RoundReleased(round=round_.number), warnings=(warning,) if gone else ())


def left_while_held(state: State) -> tuple[PlayerId, ...]:
    """Return the players who left and still sit at an open table of a round that is held back."""
    round_ = state.round
    if round_ is None or not round_.held:
        return ()
    seated = (each for number in round_.playing for each in round_.tables[number].seats)
    return tuple(each for each in seated if not state.players[each].playing)


def _apply_released(draft: StateDraft, op: ops.RoundReleased, _at: Entered, _texts: Texts) -> None:
    draft.round(op.round).held = False


def _say_released(op: ops.RoundReleased, context: LogContext) -> str:
    title = context.title(op.round)
    return f"{title} {be(title)} released"


def _marks_of_released(op: ops.RoundReleased) -> Footprint:
    made = marks(("released", op.round))
    return Footprint(made, made | marks(("round", op.round)))


# -- edits: who sits where


def edit(state: State, plan: SeatingDraft, reason: str | None, seal: Sealing) -> Decision:
    """Enter what was moved about in the current round."""
    op = plan.op(reason=seal.maybe(checked_reason(reason)))
    if op is None:
        return Decision(already="Seated so")
    if state.cut is not None and state.rounds[op.round - 1].stage == "cut":
        seats = {number: Table(number, tuple(players)) for number, players in plan.tables.items()}
        _refuse_outside_bracket(state, state.cut, replace(state.rounds[-1], tables=seats))
        return Decision(op=op)
    return Decision(op=op, warnings=_met_before(state, op))


def _met_before(state: State, op: ops.RoundEdited) -> tuple[str, ...]:
    name = names_of(state)
    warnings = []
    round_ = state.rounds[op.round - 1]
    together = {frozenset(table.seats) for table in round_.tables.values()}
    for table in (each for each in op.tables if frozenset(each.seats) not in together):
        for one, other in ((a, b) for n, a in enumerate(table.seats) for b in table.seats[n + 1 :]):
            rounds = [each.number for each in state.rounds[: op.round - 1] if _sat_together(each, one, other)]
            if rounds:
                warnings.append(
                    f"table {table.number}: {name(one)} and {name(other)} have met in round {listed(rounds)}"
                )
    return tuple(warnings)


def _sat_together(round_: Round, one: PlayerId, other: PlayerId) -> bool:
    table = round_.table_of(one)
    return table is not None and other in table.seats


def move(state: State, table: int | str, to: int, reason: str | None, seal: Sealing) -> Decision:
    """Move the match of a table of the current round to another table, or let two matches change tables.

    table: or a player who sits there, by name or `#7`
    """
    plan, round_ = seating_of(state), round_of(state, None)
    number = find_table(state, round_, table)
    plan.move(number, to)
    decision = edit(state, plan, reason, seal)
    tables = {number: to, to: number}
    said = [
        f"table {table} had {counted(minutes, 'minute')} more, which stay with its number: `tourney round extend {tables[table]} {minutes}`"
        for table, minutes in round_.extended.items()
        if table in tables and table in round_.tables
    ]
    said += [
        f"the fixed table of {state.players[player].name} is {table}"
        for table in tables
        if table in round_.tables
        for player in round_.tables[table].seats
        if state.players[player].table == table
    ]
    return replace(decision, warnings=(*decision.warnings, *said))


def seating_of(state: State) -> SeatingDraft:
    """Return the current round, to be edited. Raises TourneyError where there is none."""
    open_event(state)
    return SeatingDraft(state, round_of(state, None))


def table_to_seat(state: State, table: int | str) -> int:
    """Return the table of the current round that is meant: by its number, even of a new one, or by who sits there."""
    number, round_ = str(table).strip(), round_of(state, None)
    if number.isascii() and number.isdecimal() and len(number) < 8 and int(number) not in round_.tables:
        return int(number)
    return find_table(state, round_, table)


# -- repair: paired again around what changed


def repair(
    ask: Ask, reason: str | None, seal: Sealing, moved: Mapping[PlayerId, tuple[int, int]] = _NOBODY_MOVED
) -> Decision:
    """Pair the current round again around what changed, with the fewest tables touched.

    moved: whose results were corrected since the round was paired: half points then and now
    """
    state = ask.state
    open_event(state)
    round_ = round_of(state, None)
    _refuse_without_beacon(state)
    swiss = round_.stage == "swiss" and system_called(round_.system).repairs
    if not swiss or any(size != 2 for size in state.settings.match.seats):
        raise TourneyError("only Swiss rounds of two at a table can be repaired", "`tourney round edit swap`")
    locked = {number for number, table in round_.tables.items() if table.result is not None}
    away = _away(round_)
    field = field_to_mend(state, ask.profile, round_)
    odd = next((player for player, outcome in round_.byes.items() if UNSEATED[outcome] == "bye"), None)
    options = options_of(state, round_.number)
    mended = engines.repair(
        field.entrants,
        options,
        tuple(round_.tables.values()),
        odd,
        locked=locked,
        seed=ask.seed,
        moved=moved,
        name=names_of(state),
    )
    plan = SeatingDraft(state, round_)
    plan.tables = {table.number: list(table.seats) for table in mended.pairing.tables}
    stay = {player: kind for player, kind in plan.byes.items() if player in away}
    plan.byes = stay | dict.fromkeys(mended.pairing.byes, "bye")
    op = plan.op(
        reason=seal.maybe(checked_reason(reason)),
        engine=engines.CORRECTION_ENGINE if moved else engines.repair_engine(options),
        proof=proof_of(mended.pairing),
    )
    if op is None:
        return Decision(already="Nothing to repair: seated so")
    return Decision(op=op, warnings=(*_corrections(ask, moved), *(each.text for each in mended.reasons)))


def _away(round_: Round) -> set[PlayerId]:
    return {player for player, outcome in round_.byes.items() if UNSEATED[outcome] != "bye"}


def _corrections(ask: Ask, moved: Mapping[PlayerId, tuple[int, int]]) -> tuple[str, ...]:
    """Say whose points are other ones than those the round was paired on."""
    name = names_of(ask.state)
    return tuple(
        f"{name(player)} stood at {ask.profile.points_text(then)} when this was paired, and has {ask.profile.points_text(now)}"
        for player, (then, now) in moved.items()
        if then != now
    )


def field_to_mend(state: State, profile: rankings.Profile, round_: Round) -> RoundField:
    """Return who is in a round that is paired again around what changed since."""
    without = _away(round_) | _gone_since(state, round_)
    ranks = options_of(state, round_.number).mode is engines.Mode.RANK
    return field_of(state, profile, number=round_.number, without=without, newcomers=True, ranks=ranks)


def _gone_since(state: State, round_: Round) -> set[PlayerId]:
    """Return who has left and has played nothing in this round: a drop counts from the round after, a repair at once."""
    played = {
        player for table in round_.tables.values() if table.result is not None for player in table.seats
    }
    return {each.id for each in state.players.values() if not each.playing} - played


# -- an edit or a repair, entered


def _apply_edited(draft: StateDraft, op: ops.RoundEdited, at: Entered, _texts: Texts) -> None:
    changed = draft.round(op.round)
    for number in (*op.removed, *(table.number for table in op.tables)):
        changed.clear(number)
    changed.seat(op.tables, op.byes)
    changed.proof, changed.engine = op.proof, op.engine
    changed.edits = (*changed.edits, at)


def _say_edited(op: ops.RoundEdited, context: LogContext) -> str:
    how = "repaired" if op.engine else "edited"
    seated = [f"table {table.number} {seats_text(table.seats, context.name)}" for table in op.tables]
    tables = listed_short(seated)
    removed = ""
    if op.removed:
        many = len(op.removed) > 1
        removed = f"{'tables' if many else 'table'} {tables_text(op.removed)} {'are' if many else 'is'} gone"
    changes = "; ".join(filter(None, (tables, removed, _byes_words(op, context).removeprefix("; "))))
    title = context.title(op.round)
    return f"{title} {'was' if be(title) == 'is' else 'were'} {how}: {changes}{context.why(op.reason)}"


def _marks_of_edited(op: ops.RoundEdited) -> Footprint:
    numbers = {*op.removed, *(table.number for table in op.tables)}
    byes = {("bye", op.round, each.player) for each in op.byes}
    seats = {("bye", op.round, player) for table in op.tables for player in table.seats}
    made: Marks = frozenset({("table", op.round, number) for number in numbers} | byes | seats)
    made |= marks(("edits", op.round))  # the round's proof is that of its last edit
    return Footprint(made | {FIELD}, made | marks(("round", op.round), *_marks_of_seated(op)))


def _odd_edit(op: ops.RoundEdited, draft: StateDraft) -> Iterator[str]:
    yield from no_such_round(op, draft)
    round_ = draft.rounds[op.round - 1]
    for number in op.removed:
        if number not in round_.tables:
            yield f"round {op.round} has no table {number}"
    named = [player for table in op.tables for player in table.seats] + [each.player for each in op.byes]
    yield from strangers(named, draft)
    changed = {*op.removed, *(table.number for table in op.tables)}
    staying = {
        player for number, table in round_.tables.items() if number not in changed for player in table.seats
    }
    if both := sorted(staying.intersection(named)):
        yield f"{listed(f'#{player}' for player in both)} would have two places"


# -- taken back


def cancel(state: State, reason: str | None, seal: Sealing) -> Decision:
    """Take back the last round."""
    open_event(state)
    round_ = round_of(state, None)
    if state.cut is not None and round_.stage == "swiss":
        raise TourneyError(
            f"the cut was made from the standings after {in_a_sentence(round_.title)}",
            "take the cut back first: `tourney event undo ENTRY` (`tourney event log` tells which)",
        )
    results = len(round_.tables) - len(round_.playing)
    warning = (
        f"{counted(results, 'result')} went with it; `tourney event undo` brings all back" if results else ""
    )
    return Decision(
        op=ops.RoundCancelled(round=round_.number, reason=seal.maybe(checked_reason(reason))),
        warnings=(warning,) if warning else (),
    )


def _apply_cancelled(draft: StateDraft, _op: ops.RoundCancelled, _at: Entered, _texts: Texts) -> None:
    draft.remove_round()


def _say_cancelled(op: ops.RoundCancelled, context: LogContext) -> str:
    return f"Round {op.round} was cancelled{context.why(op.reason)}"


def _marks_of_cancelled(op: ops.RoundCancelled) -> Footprint:
    made = marks(("round", op.round), FIELD)
    return Footprint(made, made)


def _not_the_last(op: ops.RoundCancelled, draft: StateDraft) -> Iterator[str]:
    if op.round != len(draft.rounds) or not draft.rounds:
        yield f"round {op.round} is not the last one"


# -- the clock


def start(state: State, minutes: int | None) -> Decision:
    """Start the clock of the current round; one that was held back is released by that."""
    open_event(state)
    round_ = round_of(state, None)
    return Decision(
        first=ops.RoundReleased(round=round_.number) if round_.held else None,
        op=_clock(state, round_.number, minutes),
    )


def _clock(state: State, number: int, minutes: int | None) -> ops.RoundStarted:
    length = state.settings.match.minutes if minutes is None else minutes
    return ops.RoundStarted(round=number, minutes=_minutes(length))


def _minutes(minutes: int) -> int:
    if not 0 <= minutes <= LONGEST_ROUND:
        raise TourneyError(f"a round cannot last {minutes} minutes")
    return minutes


def _apply_started(draft: StateDraft, op: ops.RoundStarted, at: Entered, _texts: Texts) -> None:
    changed = draft.round(op.round)
    changed.started, changed.minutes = at.at, op.minutes


def _say_started(op: ops.RoundStarted, context: LogContext) -> str:
    length = f"{op.minutes} minutes" if op.minutes else "without limit"
    return f"{context.title(op.round)} started, {length}"


def _marks_of_started(op: ops.RoundStarted) -> Footprint:
    made = marks(("clock", op.round))
    return Footprint(made, made | marks(("round", op.round), ("released", op.round)))


def extend(state: State, named: int | str, minutes: int, *, reason: str | None, seal: Sealing) -> Decision:
    """Give a table more time. named: its number, or a player who sits there, by name or `#7`."""
    open_event(state)
    round_ = round_of(state, None)
    table = find_table(state, round_, named)
    if round_.tables[table].result is not None:
        raise TourneyError(f"table {table} has a result already")
    if minutes < 1:
        raise TourneyError("more time is a minute at least")
    op = ops.TableExtended(
        round=round_.number, table=table, minutes=_minutes(minutes), reason=seal.maybe(checked_reason(reason))
    )
    return Decision(op=op)


def _apply_extended(draft: StateDraft, op: ops.TableExtended, _at: Entered, _texts: Texts) -> None:
    extended = draft.round(op.round).extended
    extended[op.table] = extended.get(op.table, 0) + op.minutes


def _say_extended(op: ops.TableExtended, context: LogContext) -> str:
    return f"{context.title(op.round)}, table {op.table}: {op.minutes} minutes more{context.why(op.reason)}"


def _marks_of_extended(op: ops.TableExtended) -> Footprint:
    return Footprint(NO_MARKS, marks(("round", op.round), ("table", op.round, op.table)))


# -- wishes: pairs that are forced or forbidden


def force(
    state: State, players: Sequence[PlayerId], *, number: int | None = None, table: int | None = None
) -> Decision:
    """Fix a pairing, or (one player) the bye."""
    open_event(state)
    number = number or len(state.rounds) + 1
    _refuse_where_settled(state, "forced", f"nothing can be fixed for round {number}")
    _are_in(state, players)
    if number <= len(state.rounds):
        raise TourneyError(f"round {number} is paired already", "`tourney round edit set TABLE NAME NAME`")
    op = ops.PairForced(players=tuple(sorted(players)), round=number, table=table)
    if any(
        each.round == number and each.table == table and each.players == op.players for each in state.forced
    ):
        return Decision(already=f"{listed(map(names_of(state), players))} fixed for round {number}")
    return Decision(op=op)


def _refuse_where_settled(state: State, wish: str, what: str) -> None:
    """Refuse a wish where the system leaves no room for one: it would stand there, and nothing would come of it."""
    system = system_called(state.system)
    if wish not in system.wishes:
        because, hint = system.settled
        raise TourneyError(f"{what}: {because}", hint)


def _are_in(state: State, players: Sequence[PlayerId]) -> None:
    if len(set(players)) != len(players):
        raise TourneyError("a player was named twice")
    left = [state.players[each].name for each in players if not player_of(state, each).playing]
    if left:
        raise TourneyError(f"{listed(left)} {'has' if len(left) == 1 else 'have'} left the event")


def _apply_forced(draft: StateDraft, op: ops.PairForced, _at: Entered, _texts: Texts) -> None:
    draft.forced.append(ForcedPair(players=op.players, round=op.round, table=op.table))


def _say_forced(op: ops.PairForced, context: LogContext) -> str:
    if len(op.players) == 1:
        return f"{context.names(op.players)} is to have the bye in round {op.round}"
    table = f" at table {op.table}" if op.table else ""
    return f"{context.names(op.players)} are to meet in round {op.round}{table}{context.why(op.reason)}"


def _marks_of_pair(op: ops.PairForced | ops.PairForbidden) -> Footprint:
    return Footprint(marks(FIELD), player_marks(op.players))


def forbid(
    state: State, players: Sequence[PlayerId], *, hard: bool, reason: str | None, seal: Sealing
) -> Decision:
    """Keep players apart."""
    open_event(state)
    _refuse_where_settled(state, "forbidden", "nobody can be kept apart")
    _are_in(state, players)
    if len(players) < 2:
        raise TourneyError("keeping apart takes two players")
    op = ops.PairForbidden(
        players=tuple(sorted(players)), hard=hard, reason=seal.maybe(checked_reason(reason))
    )
    if any(each.players == op.players and each.hard == hard for each in state.forbidden):
        return Decision(already=f"{listed(map(names_of(state), players))} kept apart")
    return Decision(op=op)


def _apply_forbidden(draft: StateDraft, op: ops.PairForbidden, _at: Entered, _texts: Texts) -> None:
    draft.forbidden.append(ForbiddenPair(players=op.players, hard=op.hard))


def _say_forbidden(op: ops.PairForbidden, context: LogContext) -> str:
    how = "are never to meet" if op.hard else "are kept apart where it can be helped"
    return f"{context.names(op.players)} {how}{context.why(op.reason)}"


KINDS = (
    EntryKind(
        ops.RoundPaired,
        _apply_paired,
        _say_paired,
        footprint=_marks_of_paired,
        alone=_odd_seating,
        misfits=_not_the_next,
    ),
    EntryKind(
        ops.RoundReleased,
        _apply_released,
        _say_released,
        footprint=_marks_of_released,
        misfits=no_such_round,
    ),
    EntryKind(
        ops.RoundEdited,
        _apply_edited,
        _say_edited,
        footprint=_marks_of_edited,
        alone=_odd_seating,
        misfits=_odd_edit,
    ),
    EntryKind(
        ops.RoundCancelled,
        _apply_cancelled,
        _say_cancelled,
        footprint=_marks_of_cancelled,
        misfits=_not_the_last,
    ),
    EntryKind(
        ops.RoundStarted, _apply_started, _say_started, footprint=_marks_of_started, misfits=no_such_round
    ),
    EntryKind(
        ops.TableExtended, _apply_extended, _say_extended, footprint=_marks_of_extended, misfits=no_such_round
    ),
    EntryKind(
        ops.PairForced,
        _apply_forced,
        _say_forced,
        footprint=_marks_of_pair,
        alone=names_nobody,
        misfits=strangers_among,
    ),
    EntryKind(
        ops.PairForbidden,
        _apply_forbidden,
        _say_forbidden,
        footprint=_marks_of_pair,
        alone=names_nobody,
        misfits=strangers_among,
    ),
)
"""What can happen here, in the order of `tourney.event.ops`."""
