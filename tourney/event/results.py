"""Results: entered once, changed only by saying so; how one is typed is in `tourney.event.score`.

A table is named by its number, or by somebody who sits there: then the score is as that player tells it, `lena 2-0` where
Lena won. What stands in seat order elsewhere (games, `w`, `ff1`, places, victory points) begins with the one named; the
others follow in seat order. What is entered is in seat order always.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from msgspec import structs

from tourney.cards.names import FoldedName, fold
from tourney.errors import TourneyError, combine_errors
from tourney.event import ops
from tourney.event.entry import Entry, Sealing, Texts
from tourney.event.kind import (
    FIELD,
    NO_MARKS,
    Decision,
    EntryKind,
    Footprint,
    LogContext,
    at_place,
    checked_reason,
    marks,
    no_such_round,
    open_event,
    round_of,
)
from tourney.event.names import find
from tourney.event.ops import Ref
from tourney.event.phrases import in_a_sentence, names_of, result_text, tables_text
from tourney.event.score import (
    ReadResult,
    Slip,
    Typed,
    as_typed,
    command_for,
    held,
    is_drawn,
    names_tables,
    quoted,
    read_tables,
)
from tourney.event.state import Entered, Player, Round, State, StateDraft
from tourney.record import Outcome, PlayerId, Result, Table, is_end_word
from tourney.wording import counted, listed

if TYPE_CHECKING:
    from tourney.rules.scoring import Scoring, Unscored


FindScoring = Callable[[], "Scoring | Unscored | None"]
"""Returns the score of the event's game, None where its format says nothing of it: asked only where that matters."""


def no_scoring() -> None:
    """Return that the game has no score, or none that says who has won."""


FindReasons = Callable[[Round, int], Collection[str]]
"""Returns why a table's result is what it is, as far as somebody said so (`reasons_given`): asked only where that matters."""


def no_reasons(_round: Round, _table: int) -> Collection[str]:
    """Return that nobody said why a result is what it is."""
    return ()


def reasons_given(
    entries: Sequence[Entry], texts: Texts, gone: Collection[int], round_: Round, table: int
) -> frozenset[str]:
    """Return the reasons that were given for a table's result, by its entry and since. gone: entries that do not stand."""
    first = round_.entered[table].entry
    about = (each.op for each in entries[first - 1 :] if each.seq not in gone)
    refs = [
        op.reason
        for op in about
        if isinstance(op, (ops.ResultReported, ops.ResultChanged))
        and op.reason is not None
        and op.round == round_.number
        and table in _tables_of(op)
    ]
    return frozenset(text for ref in refs if (text := texts.get(ref)) is not None)


def _tables_of(op: ops.ResultReported | ops.ResultChanged) -> tuple[int, ...]:
    if isinstance(op, ops.ResultChanged):
        return (op.table,)
    return tuple(op.results)


def report(
    state: State,
    typed: Sequence[Typed],
    number: int | None = None,
    *,
    reason: str | None = None,
    seal: Sealing | None = None,
    scoring: FindScoring = no_scoring,
    reasons: FindReasons = no_reasons,
) -> Decision:
    """Enter results, all or none. What is entered already and the same is left as it is, its reason too (a warning says so).

    reason: why they are what they are, where that is to be kept; it needs a `seal`
    scoring: finds the score of the game, against which typed scores are held
    reasons: finds the reasons that were given for a result before

    Raises TourneyError naming every line at fault.
    """
    open_event(state)
    round_ = round_of(state, number)
    if round_.held:
        raise TourneyError(
            f"{round_.title} is held back: nobody can have played it yet",
            "`tourney round release` shows it to the players",
        )
    read = _read(state, round_, typed, scoring)
    new = [each for each in read if round_.tables[each.table].result is None]
    same = [each.table for each in read if round_.tables[each.table].result is not None]
    why = checked_reason(reason)
    unkept = _unkept_reason(
        [table for table in same if why is not None and why not in reasons(round_, table)], typed, number
    )
    if not new:
        return replace(entered_already(state, round_, same), warnings=unkept)
    warnings = (
        [f"entered before, and the same: {'table' if len(same) == 1 else 'tables'} {tables_text(same)}"]
        if same
        else []
    )
    warnings += unkept
    warnings += [said for each in new for said in _against_penalties(state, round_.number, each.result)]
    warnings += [each.odd for each in new if each.odd]
    warnings += [text for each in new if (text := _dropped_scores(state, round_, each))]
    kept = seal.maybe(why) if seal else None
    op = ops.ResultReported(
        round=round_.number,
        results={each.table: each.result for each in new},
        reason=kept,
    )
    return Decision(op=op, warnings=tuple(warnings), because=_because(new))


def _dropped_scores(state: State, round_: Round, read: ReadResult) -> str:
    """Return a warning if players reported victory points from their phones that the desk's result leaves out."""
    claim = round_.claims.get(read.table)
    if claim is None or _has_scores(read.result):
        return ""
    versions = [claim.result, *(dispute.result for dispute in claim.disputes)]
    scored = [result for result in versions if result is not None and _has_scores(result)]
    if not scored:
        return ""
    agreeing = [result for result in scored if _outcomes(result) == _outcomes(read.result)]
    result = (agreeing or scored)[0]
    text = (
        f"table {read.table}: the victory points of {result_text(result, names_of(state))},"
        " reported by the players, are dropped"
    )
    if not agreeing:
        return text
    earlier = None if round_ is state.rounds[-1] else round_.number
    typed = as_typed(read.table, result, state.settings.match.best_of)
    command = command_for(typed, earlier).replace("result add", "result change", 1)
    return f"{text}: `{command}` enters them"


def _has_scores(result: Result) -> bool:
    return any(seat.score is not None for seat in result.seats)


def _outcomes(result: Result) -> list[tuple[Outcome, int]]:
    return [(seat.outcome, seat.place) for seat in result.seats]


def _unkept_reason(unsaid: Sequence[int], typed: Sequence[Typed], number: int | None) -> tuple[str, ...]:
    """Say that the reason is not noted of the tables `unsaid`, which had this result before, and by which command it is."""
    if not unsaid:
        return ()
    if len(typed) == 1 and len(unsaid) == 1:
        of, meant = "", f"{_again(unsaid[0], typed[0])} {_typed_again(typed[0], number)}"
    else:
        of = f" of {'table' if len(unsaid) == 1 else 'tables'} {tables_text(unsaid)}"
        meant = f"TABLE SCORE{'' if number is None else f' --round {number}'}"
    return (f"the reason is not noted{of}: `tourney result change {meant} --reason TEXT` adds it",)


def _because(read: Sequence[ReadResult]) -> tuple[str, ...]:
    """Say by what each result was decided; of several results, those that were decided alike together."""
    alike: dict[str, list[int]] = {}
    for each in read:
        if each.how:
            alike.setdefault(each.how, []).append(each.table)
    if len(read) == 1:
        return tuple(alike)
    return tuple(
        f"{'table' if len(tables) == 1 else 'tables'} {tables_text(tables)}: {how}"
        for how, tables in alike.items()
    )


def _against_penalties(state: State, number: int, result: Result) -> tuple[str, ...]:
    """Name the penalties of this round that a result of two does not show."""
    if len(result.seats) != 2 or not state.penalties:
        return ()
    name = names_of(state)
    said = []
    for seat, other in (result.seats, result.seats[::-1]):
        losses = [
            each
            for each in state.penalties
            if (each.player, each.round) == (seat.player, number) and each.loss
        ]
        match = next((each for each in losses if each.loss == "match"), None)
        games = [each for each in losses if each.loss == "game"]
        short = seat.outcome.played and not lost(result, seat.player) and other.games < len(games)
        if match is not None and not lost(result, seat.player):
            said.append(
                f"{name(seat.player)} has a {match.kind} in this round (entry {match.entry}), and has not lost"
            )
        elif games and short:
            what = f"a {games[0].kind}" if len(games) == 1 else counted(len(games), "lost game")
            said.append(
                f"{name(seat.player)} has {what} in this round (entry {games[-1].entry}), and this score gives {name(other.player)} {counted(other.games, 'game') if other.games else 'none'}"
            )
    return tuple(said)


def _read(state: State, round_: Round, typed: Sequence[Typed], scoring: FindScoring) -> list[ReadResult]:
    read: dict[int, ReadResult] = {}
    faults: list[TourneyError] = []
    numeric = _numeric_names(state)
    for line in typed:
        try:
            with at_place(line.place):
                for each in _read_line(state, round_, line, scoring, numeric):
                    _refuse_other(state, round_, each, read, line)
                    read[each.table] = each
        except TourneyError as fault:
            faults.append(fault)
    if faults:
        raise combine_errors(faults)
    return list(read.values())


def _read_line(
    state: State, round_: Round, line: Typed, scoring: FindScoring, numeric: _NumericNames | None = None
) -> list[ReadResult]:
    if line.score and line.scores is None and not line.ended:
        try:
            read = _read_tables(state, round_, line, None, numeric)
        except TourneyError:
            pass  # read again below, so that the hint knows how a game can end here
        else:
            if not any(is_drawn(each.result) for each in read):
                return read
    return _read_tables(state, round_, line, scoring(), numeric)


def _read_tables(
    state: State,
    round_: Round,
    line: Typed,
    scoring: Scoring | Unscored | None,
    numeric: _NumericNames | None,
) -> list[ReadResult]:
    numbers, player = _meant(state, round_, line.tables, numeric)
    read = []
    for table in (round_.tables[number] for number in numbers):
        slip = _slip(state, round_, table, player, line)
        if scoring is not None:
            slip = replace(slip, points=scoring.example(len(slip.seats)))
        read.append(_in_seat_order(held(slip, line, scoring), table.seats))
    return read


def _slip(state: State, round_: Round, table: Table, player: PlayerId | None, line: Typed) -> Slip:
    """Return the slip of a table, as `player` tells it where somebody was named."""
    name = names_of(state)
    told = table.seats if player is None else (player, *(each for each in table.seats if each != player))
    return Slip(
        table=table.number,
        seats=told,
        best_of=state.settings.match.best_of,
        draws=state.settings.match.draws and round_.stage == "swiss",
        drawn=state.settings.match.drawn_in(bracket=round_.stage == "cut"),
        time=line.time or bool(line.ended),
        typed="" if player is None else quoted(str(line.tables)),
        names=tuple(map(name, told)),
        sides=_sides_told(state.settings.match.sides, table.seats, told),
        entered=table.result is not None,
        earlier=f" --round {round_.number}" if round_ is not state.rounds[-1] else "",
        apart=_apart(state, round_, table.number),
    )


def _apart(state: State, round_: Round, table: int) -> int:
    """Return how many places of a table have to be one player's alone: those that say who goes on in a bracket."""
    if round_.stage != "cut" or state.cut is None:
        return 0
    return 1 if round_.labels.get(table) == "Final" else state.cut.advance


def _sides_told(
    sides: tuple[str, ...], seats: Sequence[PlayerId], told: Sequence[PlayerId]
) -> tuple[str, ...]:
    """Return what each of `told` plays; nothing at a table that has not a seat for each side."""
    return tuple(sides[seats.index(player)] for player in told) if len(sides) == len(seats) else ()


def _in_seat_order(read: ReadResult, seats: Sequence[PlayerId]) -> ReadResult:
    by_player = {seat.player: seat for seat in read.result.seats}
    result = structs.replace(read.result, seats=tuple(by_player[player] for player in seats))
    return replace(read, result=result)


def _refuse_other(
    state: State, round_: Round, each: ReadResult, read: Mapping[int, ReadResult], line: Typed
) -> None:
    """Refuse a result where another one is entered, or was named before in the same block."""
    name, table = names_of(state), each.table
    if table in read and read[table].result != each.result:
        raise TourneyError(f"table {table} is named twice: {read[table].text(name)}, and {each.text(name)}")
    result = round_.tables[table].result
    if result is None or is_entered(round_, each):
        return
    entered = round_.entered[table]
    raise TourneyError(
        f"{round_.title}, table {table} has another result: {result_text(result, name)}"
        f" (entered at {clock_time(entered.at)} by {entered.by}, entry {entered.entry})",
        f"`tourney result change {_again(table, line)} SCORE` puts it right",
    )


def meaning(
    state: State, typed: Typed, number: int | None = None, *, scoring: FindScoring = no_scoring
) -> tuple[str, ...]:
    """Return what a line means, table by table: `table 4: Mira 2–1 Tomo`; nothing where all of it is entered already.

    Raises TourneyError as `report` does.
    """
    decision = report(state, [typed], number, scoring=scoring)
    if not isinstance(decision.op, ops.ResultReported):
        return ()
    name = names_of(state)
    told = [f"table {table}: {result_text(result, name)}" for table, result in decision.op.results.items()]
    return (*told[:-1], "; ".join([told[-1], *decision.because]))


def read_own(state: State, round_: Round, line: Typed, scoring: FindScoring = no_scoring) -> ReadResult:
    """Return the result that a line says for the one table it names, whether that has one or not; nothing is decided.

    Raises TourneyError as `report` does.
    """
    return _read_line(state, round_, line, scoring)[0]


def is_entered(round_: Round, each: ReadResult) -> bool:
    """Say whether the very same is the result of its table."""
    return round_.tables[each.table].result == each.result


def _again(table: int, line: Typed) -> str:
    """Return the table as it was named, if by a player: a score is then typed from the same side again."""
    named = str(line.tables)
    return str(table) if named.strip()[:1].isdigit() else quoted(named)


def table_meant(state: State, round_: Round, text: str | int) -> int:
    """Return the one table meant by its number, or by somebody who sits there (a bare number is a table, `#7` a player).

    Raises TourneyError for a table or a player that is not there, and for several tables.
    """
    tables, _ = _meant(state, round_, text)
    if len(tables) != 1:
        raise TourneyError(f"`{text}` is more than one table", "one at a time")
    return tables[0]


def _meant(
    state: State, round_: Round, text: str | int, numeric: _NumericNames | None = None
) -> tuple[tuple[int, ...], PlayerId | None]:
    """Return the tables meant, and by whom where a player was named: a bare number is a table, `#7` a player.

    numeric: `_numeric_names`, found once for the lines of a block

    Raises TourneyError for a table or a player that is not there, and for a table's number that is also a name.
    """
    numbers = round_.tables.keys()
    if isinstance(text, int):
        return read_tables(text, numbers), None
    if names_tables(text):
        _refuse_name(round_, text, _numeric_names(state) if numeric is None else numeric)
        return read_tables(text, numbers), None
    try:
        player = _player_meant(state, round_, text)
    except TourneyError:
        if text.strip()[:1].isdigit():
            return read_tables(text, numbers), None  # which says that it is none
        raise
    table = round_.table_of(player)
    if table is None:
        absent = round_.byes.get(player)
        raise TourneyError(
            f"{state.players[player].name} has no table in {in_a_sentence(round_.title)}"
            + (f": {absent.words.alone}" if absent else ""),
            f"`tourney round show --round {round_.number}` shows who sits where",
        )
    return (table.number,), player


def _player_meant(state: State, round_: Round, text: str) -> PlayerId:
    """Find a player; where several begin so, the one of them who sits at a table."""
    try:
        return find(state.players, text)
    except TourneyError as fault:
        seated = {each: state.players[each] for table in round_.tables.values() for each in table.seats}
        try:
            return find(seated, text)
        except TourneyError:
            unknown = fault.message.startswith("there is no player `")
            table = "; a table is a number, `4`, `4..7` or `2,4,9`" if unknown else ""
            raise TourneyError(fault.message, f"{fault.hint}{table}" if fault.hint else None) from None


def _refuse_name(round_: Round, text: str, numeric: _NumericNames) -> None:
    """Refuse the number of a table after which a player is called, too."""
    holder = numeric.get(fold(text)) if numeric else None
    if holder is not None and text.strip().isdigit() and int(text) in round_.tables:
        raise TourneyError(
            f"`{text}` may be table {text}, or the player who is called {holder.name} (#{holder.id})",
            f"`{text}..{text}` is the table, `'#{holder.id}'` the player",
        )


_NumericNames = Mapping[FoldedName, Player]
"""Folded name → the first player who has it, of the names that may be a table's number."""


def _numeric_names(state: State) -> _NumericNames:
    """Return the players whose names have no letter."""
    names: dict[FoldedName, Player] = {}
    for player in state.players.values():
        if not _LETTER.search(player.name):
            names.setdefault(fold(player.name), player)
    return names


_LETTER = re.compile("[A-Za-z]")
"""A letter that stays one however a name is spelled: a name with one is no number."""


_LOST = frozenset({Outcome.LOSS, Outcome.FORFEIT_LOSS, Outcome.DOUBLE_LOSS})


def lost(result: Result, player: PlayerId) -> bool:
    """Say whether a player has lost a table."""
    return result.seat_of(player).outcome in _LOST


def entered_already(state: State, round_: Round, tables: Sequence[int]) -> Decision:
    """Return that tables have their results, and nothing is to be written."""
    if len(tables) > 1:
        return Decision(already=f"{round_.title}, tables {tables_text(tables)} entered")
    number = tables[0]
    result = round_.tables[number].result
    assert result is not None, "only a table with a result is entered already"
    text = result_text(result, names_of(state))
    return Decision(already=f"{round_.title}, table {number}: {text}", entered=round_.entered[number])


def _apply_reported(draft: StateDraft, op: ops.ResultReported, at: Entered, _texts: Texts) -> None:
    round_ = draft.round(op.round)
    for table, result in op.results.items():
        round_.enter(table, result, at)


def _say_reported(op: ops.ResultReported, context: LogContext) -> str:
    title = context.title(op.round)
    told = "; ".join(_told(op, context)) or "no result"
    return f"{title}, {told}{_agreed(op, context)}{context.why(op.reason)}"


def _agreed(op: ops.ResultReported, context: LogContext) -> str:
    """Say whose word a result is that the desk did not enter: `, as Mira reported and Tess confirmed`."""
    claim = context.entries[op.claim - 1].op if 0 < op.claim <= len(context.entries) else None
    if not isinstance(claim, ops.ResultClaimed):
        return ""
    confirmed = []
    for each in context.entries[op.claim :]:
        if isinstance(each.op, ops.ResultReported) and each.op.claim == op.claim:
            break
        if isinstance(each.op, ops.ResultConfirmed) and each.op.claim == op.claim:
            confirmed += [each.op.player] if each.op.player is not None else []
    said = f", as {context.name(claim.player)} reported"
    if not confirmed:
        return f"{said}; nobody answered"
    return f"{said} and {listed(context.name(each) for each in confirmed)} confirmed"


def _told(op: ops.ResultReported, context: LogContext) -> list[str]:
    return [f"table {table}: {result_text(result, context.name)}" for table, result in op.results.items()]


def _lines_of_reported(op: ops.ResultReported, context: LogContext) -> list[str]:
    """Say a block table by table."""
    title, why = context.title(op.round), context.why(op.reason)
    agreed = _agreed(op, context)
    return [f"{title}, {told}{agreed}{why}" for told in _told(op, context)]


def _marks_of_reported(op: ops.ResultReported) -> Footprint:
    made = frozenset(("table", op.round, table) for table in op.results)
    return Footprint(made | {FIELD}, made | {("round", op.round), ("released", op.round)})


def _odd_ends(op: ops.ResultReported) -> Iterator[str]:
    for result in op.results.values():
        yield from odd_end(result)


def odd_end(result: Result | None) -> Iterator[str]:
    """Yield what is wrong with the word of how a result ended."""
    if result is not None and result.ended not in {"", "id"} and not is_end_word(result.ended):
        yield f"`{result.ended[:40]}` is no word for how a game ended"


def _odd_results(op: ops.ResultReported, draft: StateDraft) -> Iterator[str]:
    yield from no_such_round(op, draft)
    for table, result in op.results.items():
        yield from _odd_result(table, result, op.round, draft)


def _odd_result(number: int, result: Result | None, round_: int, draft: StateDraft) -> Iterator[str]:
    table = draft.rounds[round_ - 1].tables.get(number)
    if table is None:
        yield f"round {round_} has no table {number}"
    elif result is not None and result.players != table.seats:
        yield f"it is of others than those at table {number} in round {round_}"


def change(
    state: State,
    typed: Typed,
    *,
    reason: str | None,
    seal: Sealing,
    number: int | None = None,
    scoring: FindScoring = no_scoring,
    reasons: FindReasons = no_reasons,
) -> Decision:
    """Put the results of tables right, an entry each; the score `-` takes them away.

    Of a result that is right already a new reason is noted. Which later pairings rest on it says `tourney.desk.evidence.resting`: that takes the points as the profile counts them.
    """
    open_event(state)
    round_ = round_of(state, number)
    tables, _ = _meant(state, round_, typed.tables)
    kept = seal.maybe(checked_reason(reason))
    lines = [typed] if len(tables) == 1 else [replace(typed, tables=table) for table in tables]
    each = [
        _change_one(state, round_, table, line, number=number, reason=kept, scoring=scoring, noted=noted)
        for table, line, noted in zip(
            tables,
            lines,
            (kept is not None and checked_reason(reason) not in reasons(round_, table) for table in tables),
            strict=True,
        )
    ]
    made = [op for decision in each for op in decision.ops]
    if not made:
        return entered_already(state, round_, tables)
    same = [table for table, decision in zip(tables, each, strict=True) if not decision.ops]
    said = [f"entered before, and the same: {'table' if len(same) == 1 else 'tables'} {tables_text(same)}"]
    return Decision(
        op=made[0],
        then=tuple(made[1:]),
        warnings=(*(said if same else ()), *(warning for decision in each for warning in decision.warnings)),
        because=tuple(dict.fromkeys(line for decision in each for line in decision.because)),
    )


def _change_one(
    state: State,
    round_: Round,
    table: int,
    typed: Typed,
    *,
    number: int | None,
    reason: Ref | None,
    scoring: FindScoring,
    noted: bool,
) -> Decision:
    """Put the result of one table right; no op if it is right. noted: whether the reason is a new one."""
    taking = typed.score.strip() in {"-", "–"}
    if round_.tables[table].result is None:
        if not taking:
            _read_line(state, round_, typed, scoring)  # what cannot be entered is not proposed
        raise TourneyError(
            f"{round_.title}, table {table} has no result{' to take away' if taking else ' yet'}",
            None if taking else f"`tourney result add {_again(table, typed)} {_typed_again(typed, number)}`",
        )
    if taking:
        _refuse_built_on(state, round_, table, None, typed)
        return Decision(op=ops.ResultChanged(round=round_.number, table=table, result=None, reason=reason))
    read = _read_line(state, round_, typed, scoring)[0]
    if is_entered(round_, read):
        if not noted:
            return Decision()
        note = ops.ResultChanged(
            round=round_.number,
            table=table,
            result=read.result,
            reason=reason,
            noted=True,
        )
        return Decision(op=note)
    _refuse_built_on(state, round_, table, read.result, typed)
    op = ops.ResultChanged(round=round_.number, table=table, result=read.result, reason=reason)
    warnings = [*_against_penalties(state, round_.number, read.result), *filter(None, [read.odd])]
    return Decision(op=op, warnings=tuple(warnings), because=_because([read]))


def _typed_again(line: Typed, number: int | None) -> str:
    """Return the score with the options it was typed with."""
    options = [
        f"--score {line.scores}" if line.scores else "",
        "--time" if line.time else "",
        f"--ended {line.ended}" if line.ended else "",
        "" if number is None else f"--round {number}",
    ]
    return " ".join(filter(None, [quoted(line.score) if line.score else "", *options]))


def _refuse_built_on(state: State, round_: Round, table: int, new: Result | None, typed: Typed) -> None:
    """Refuse to change who went on from a match of a bracket whose next round is paired; the score may be put right."""
    later = state.rounds[round_.number :]
    result = round_.tables[table].result
    if round_.stage != "cut" or not later:
        return
    if new is not None and result is not None and _goes_on(result) == _goes_on(new):
        return
    entered = sum(each.result is not None for after in later for each in after.tables.values())
    back = "`tourney round cancel`" if len(later) == 1 else f"`tourney round cancel` {len(later)} times"
    lost = f" ({counted(entered, 'result')} with it)" if entered else ""
    again = f"`tourney result change {_again(table, typed)} {_typed_again(typed, None)}`"
    raise TourneyError(
        f"the bracket went on from {in_a_sentence(round_.title)}",
        f"in this order: {back}{lost}, {again}, `tourney round next`",
    )


def _goes_on(result: Result) -> list[tuple[PlayerId, bool, int]]:
    """Return what a bracket takes from a result: who lost, and at larger tables in which order."""
    return [
        (seat.player, lost(result, seat.player), seat.place if len(result.seats) > 2 else 0)
        for seat in result.seats
    ]


def clock_time(at: str) -> str:
    """Return the time of day of an ISO time, as clocks show it.

    >>> clock_time("2026-10-04T14:05:09+02:00")
    '14:05'
    """
    return at[11:16]


def _apply_result_changed(draft: StateDraft, op: ops.ResultChanged, at: Entered, _texts: Texts) -> None:
    if not op.noted:
        draft.round(op.round).enter(op.table, op.result, at)


def _say_result_changed(op: ops.ResultChanged, context: LogContext) -> str:
    title = f"{context.title(op.round)}, table {op.table}"
    if op.result is None:
        return f"{title}: the result was taken away{context.why(op.reason)}"
    happened = "stands" if op.noted else "was changed"
    return f"{title} {happened}: {result_text(op.result, context.name)}{context.why(op.reason)}"


def _marks_of_result_changed(op: ops.ResultChanged) -> Footprint:
    made = marks(("table", op.round, op.table))
    return Footprint(NO_MARKS if op.noted else made | {FIELD}, made | {("round", op.round)})


def _odd_end_of_change(op: ops.ResultChanged) -> Iterator[str]:
    if op.noted and op.result is None:
        yield "it notes something of a result, and has none"
    yield from odd_end(op.result)


def _odd_change(op: ops.ResultChanged, draft: StateDraft) -> Iterator[str]:
    yield from no_such_round(op, draft)
    yield from _odd_result(op.table, op.result, op.round, draft)


KINDS = (
    EntryKind(
        ops.ResultReported,
        _apply_reported,
        _say_reported,
        footprint=_marks_of_reported,
        alone=_odd_ends,
        misfits=_odd_results,
        lines=_lines_of_reported,
    ),
    EntryKind(
        ops.ResultChanged,
        _apply_result_changed,
        _say_result_changed,
        footprint=_marks_of_result_changed,
        alone=_odd_end_of_change,
        misfits=_odd_change,
    ),
)
"""What can happen here, in the order of `tourney.event.ops`."""
