"""Results: entered once, changed only by saying so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tourney.errors import TourneyError, together
from tourney.event import ops
from tourney.event.kind import (
    FIELD,
    MOST_NAMED,
    Decision,
    Footprint,
    Kind,
    Teller,
    at_place,
    checked_reason,
    marks,
    no_such_round,
    open_event,
    round_of,
)
from tourney.event.ops import Seating, TableResult
from tourney.event.phrases import listed, names_of, result_text, said_text, tables_text
from tourney.event.score import Slip, read_score, read_tables
from tourney.event.state import (
    Draft,
    Entered,
    Round,
    State,
)
from tourney.event.texts import Sealing, Texts


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """One line as it was typed: `4 2-1`, or `4..7 2-0`. scores: victory points; place: file and line, for messages."""

    tables: str | int
    score: str
    scores: str | None = None
    time: bool = False
    place: str = ""


def typed_lines(lines: Iterable[str], *, source: str, time: bool) -> tuple[Typed, ...]:
    """Read lines `4 2-1` or `4 2-1 32,18`; blank lines and `#` comments are skipped.

    Raises TourneyError naming every line that is not one of these.
    """
    found, faults = [], []
    for number, line in enumerate(lines, 1):
        words = line.partition("#")[0].split()
        place = f"{source}:{number}"
        if not words:
            continue
        timed = words[-1] == "--time"
        words = words[:-1] if timed else words
        if len(words) not in {2, 3}:
            said = f"{place}: `{line.strip()}` is not a table and a score"
            faults.append(TourneyError(said, "a line `4 2-1`, with victory points `4 2-1 32,18`"))
            continue
        scores = words[2] if len(words) == 3 else None
        found.append(Typed(tables=words[0], score=words[1], scores=scores, time=time or timed, place=place))
    if faults:
        raise together(faults)
    if not found:
        raise TourneyError(f"{source}: there is no result in it", "a line `4 2-1` for each table")
    return tuple(found)


def report(state: State, typed: Sequence[Typed], number: int | None = None) -> Decision:
    """Enter results, all or none. What is entered already and the same is left as it is.

    Raises TourneyError naming every line at fault.
    """
    open_event(state)
    known = round_of(state, number)
    read = _read(state, known, typed)
    new = [said for said in read if known.tables[said.table].result is None]
    same = [said.table for said in read if said not in new]
    if not new:
        return _already(state, known, same)
    warnings = (
        [f"entered before, and the same: {'table' if len(same) == 1 else 'tables'} {tables_text(same)}"]
        if same
        else []
    )
    return Decision(op=ops.ResultReported(round=known.number, results=tuple(new)), warnings=tuple(warnings))


def _read(state: State, known: Round, typed: Sequence[Typed]) -> list[TableResult]:
    read: dict[int, TableResult] = {}
    faults: list[TourneyError] = []
    for line in typed:
        try:
            with at_place(line.place):
                for said in _said(state, known, line):
                    _refuse_other(state, known, said, read)
                    read[said.table] = said
        except TourneyError as fault:
            faults.append(fault)
    if faults:
        raise together(faults)
    return list(read.values())


def _said(state: State, known: Round, line: Typed) -> list[TableResult]:
    numbers = read_tables(line.tables, tuple(known.tables))
    return [
        read_score(_slip(state, known, number, time=line.time), line.score, line.scores) for number in numbers
    ]


def _slip(state: State, known: Round, table: int, *, time: bool) -> Slip:
    return Slip(
        table=table,
        seats=known.tables[table].seats,
        best_of=state.settings.best_of,
        draws=state.settings.draws and known.stage == "swiss",
        time=time,
    )


def _refuse_other(state: State, known: Round, said: TableResult, read: dict[int, TableResult]) -> None:
    """Refuse a result where another one is entered, or was named before in the same block."""
    name = names_of(state)
    if said.table in read and read[said.table] != said:
        raise TourneyError(
            f"table {said.table} is named twice: {said_text(read[said.table], name)}, and {said_text(said, name)}"
        )
    result = known.tables[said.table].result
    if result is None or _same(known, said):
        return
    entered = known.entered[said.table]
    raise TourneyError(
        f"{known.title}, table {said.table} has another result: {result_text(result, name, known.notes.get(said.table, ''))}"
        f" (entered at {clock_time(entered.at)} by {entered.by}, entry {entered.entry})",
        f"`tourney result change {said.table} SCORE` puts it right",
    )


def _same(known: Round, said: TableResult) -> bool:
    return known.tables[said.table].result == said.result() and known.notes.get(said.table, "") == said.note


def _already(state: State, known: Round, tables: Sequence[int]) -> Decision:
    if len(tables) > 1:
        return Decision(already=f"{known.title}, tables {tables_text(tables)} entered")
    number = tables[0]
    result = known.tables[number].result
    assert result is not None, "only a table with a result is entered already"
    said = result_text(result, names_of(state), known.notes.get(number, ""))
    return Decision(already=f"{known.title}, table {number}: {said}", entered=known.entered[number])


def _apply_reported(draft: Draft, op: ops.ResultReported, at: Entered, _texts: Texts) -> None:
    changed = draft.round(op.round)
    for said in op.results:
        changed.enter(said, at)


def _say_reported(op: ops.ResultReported, teller: Teller) -> str:
    title = teller.title(op.round)
    if len(op.results) == 1:
        return f"{title}, table {op.results[0].table}: {said_text(op.results[0], teller.name)}"
    said = [f"table {each.table}: {said_text(each, teller.name)}" for each in op.results]
    if len(said) > MOST_NAMED:
        return f"{title}: {len(said)} results, tables {tables_text([each.table for each in op.results])}"
    return f"{title}, {'; '.join(said)}"


def _marks_of_reported(op: ops.ResultReported) -> Footprint:
    made = frozenset(("table", op.round, said.table) for said in op.results)
    return Footprint(made | {FIELD}, made | {("round", op.round)})


def _two_results(op: ops.ResultReported) -> Iterator[str]:
    if len({said.table for said in op.results}) < len(op.results):
        yield "a table has two results"


def _odd_results(op: ops.ResultReported, draft: Draft) -> Iterator[str]:
    yield from no_such_round(op, draft)
    for said in op.results:
        yield from _odd_result(said, op.round, draft)


def _odd_result(said: TableResult, number: int, draft: Draft) -> Iterator[str]:
    table = draft.rounds[number - 1].tables.get(said.table)
    if table is None:
        yield f"round {number} has no table {said.table}"
    elif tuple(seat.player for seat in said.seats) != table.seats:
        yield f"it is of others than those at table {said.table} in round {number}"


def change(
    state: State, typed: Typed, *, reason: str | None, seal: Sealing, number: int | None = None
) -> Decision:
    """Put one table's result right; the score `-` takes it away."""
    open_event(state)
    known = round_of(state, number)
    tables = read_tables(typed.tables, tuple(known.tables))
    if len(tables) != 1:
        raise TourneyError("results are put right one table at a time")
    table = tables[0]
    if known.tables[table].result is None:
        taking = typed.score.strip() == "-"
        raise TourneyError(
            f"{known.title}, table {table} has no result{' to take away' if taking else ' yet'}",
            None if taking else f"`tourney result add {table} {typed.score}`",
        )
    if known.stage == "cut" and known.number < len(state.rounds):
        raise TourneyError(
            f"the bracket went on from {known.title[:1].lower()}{known.title[1:]}",
            "`tourney round cancel` takes the round after it back first",
        )
    said = None if typed.score.strip() in {"-", "–"} else _said(state, known, typed)[0]
    if said is not None and _same(known, said):
        return _already(state, known, tables)
    op = ops.ResultChanged(
        round=known.number, table=table, result=said, reason=seal.maybe(checked_reason(reason))
    )
    return Decision(op=op, warnings=_built_on(state, known))


def _built_on(state: State, known: Round) -> tuple[str, ...]:
    later = [each.number for each in state.rounds[known.number :]]
    if not later:
        return ()
    way = (
        ": `tourney round repair` pairs its open tables by the new one"
        if state.rounds[-1].playing
        and state.rounds[-1].stage == "swiss"
        and state.rounds[-1].system in {"swiss", "manual"}
        and state.settings.seats == (2,)
        else ""
    )
    if len(later) == 1:
        return (f"round {later[0]} was paired from the old result and stays as it is{way}",)
    return (f"rounds {listed(later)} were paired from the old result and stay as they are{way}",)


def clock_time(at: str) -> str:
    """Return the time of day of an ISO time, as clocks show it.

    >>> clock_time("2026-10-04T14:05:09+02:00")
    '14:05'
    """
    return at[11:16]


def _apply_result_changed(draft: Draft, op: ops.ResultChanged, at: Entered, _texts: Texts) -> None:
    changed = draft.round(op.round)
    if op.result is not None:
        changed.enter(op.result, at)
        return
    table = changed.tables[op.table]
    changed.forget(op.table)
    changed.seat((Seating(table.number, table.seats),), ())


def _say_result_changed(op: ops.ResultChanged, teller: Teller) -> str:
    title = f"{teller.title(op.round)}, table {op.table}"
    if op.result is None:
        return f"{title}: the result was taken away{teller.why(op.reason)}"
    return f"{title} was changed: {said_text(op.result, teller.name)}{teller.why(op.reason)}"


def _marks_of_result_changed(op: ops.ResultChanged) -> Footprint:
    made = marks(("table", op.round, op.table))
    return Footprint(made | {FIELD}, made | {("round", op.round)})


def _odd_change(op: ops.ResultChanged, draft: Draft) -> Iterator[str]:
    yield from no_such_round(op, draft)
    if op.table not in draft.rounds[op.round - 1].tables:
        yield f"round {op.round} has no table {op.table}"
    if op.result is not None:
        if op.result.table != op.table:
            yield f"it is about table {op.table} and about table {op.result.table}"
        yield from _odd_result(op.result, op.round, draft)


KINDS = (
    Kind(
        ops.ResultReported,
        _apply_reported,
        _say_reported,
        footprint=_marks_of_reported,
        alone=_two_results,
        misfits=_odd_results,
    ),
    Kind(
        ops.ResultChanged,
        _apply_result_changed,
        _say_result_changed,
        footprint=_marks_of_result_changed,
        misfits=_odd_change,
    ),
)
"""What can happen here, in the order of `tourney.event.ops`."""
