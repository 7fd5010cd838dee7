"""Enter and change results. `tourney.event.score` parses scores.

A report names a table by its number, or by a player who sits there. If it names a player, the score is from
that player's point of view: `lena 2-0` means that Lena won. The player's own games, place and victory points
come first, then those of the others in seat order. Results are recorded in seat order. An entered result is
changed only by a separate entry.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import Struct, structs
from msgspec.structs import replace

from tourney.cards.names import FoldedName, fold
from tourney.errors import TourneyError, combine_errors
from tourney.event import ops
from tourney.event.entry import Texts
from tourney.event.kind import (
    Decision,
    EntryKind,
    EventChange,
    EventReading,
    FindGame,
    at_place,
    checked_note,
    no_game,
    no_such_round,
    round_of,
)
from tourney.event.names import UnknownPlayerError, find
from tourney.event.ops import Ref
from tourney.event.phrases import at_tables, result_text
from tourney.event.score import (
    ReadResult,
    Report,
    Slip,
    is_drawn,
    is_table_list,
    parse_score,
    parse_tables,
    report_of,
    result_of,
    shell_word,
)
from tourney.event.state import Entered, Player, Round, RoundTable, State, StateDraft
from tourney.event.titles import in_a_sentence
from tourney.record import Outcome, PlayerId, Result, is_end_word
from tourney.wording import clock_time, counted, listed

# -- read reports


def find_table(state: State, round_: Round, text: str | int) -> int:
    """Return the number of the table that a text names, by number or by a player there.

    `4` is a table, and `#7` a player. Raises TourneyError for an unknown table or player, and for a text that
    means several tables.
    """
    tables, _ = _Reader(state, round_).find_tables(text)
    if len(tables) != 1:
        raise TourneyError(f"`{text}` is more than one table", "name one table")
    return tables[0]


def read_own(change: EventChange, table: RoundTable, player: PlayerId, report: Report) -> ReadResult:
    """Return the result that a player reports for their own table in the last round.

    Raises TourneyError as `enter` does.
    """
    report = replace(report, tables=f"#{player}")
    return _Reader(change.state, change.state.rounds[-1], change.find_game).read_at(table, player, report)


def read_result(slip: Slip, report: Report) -> ReadResult:
    """Return the result that a report gives to the table of `slip`.

    Raises TourneyError if the report is not a result, if it cannot end the match, or if the game's rules do
    not allow it.
    """
    score = report.score
    if score is None and report.points is None:
        score = ""
    if isinstance(score, str):
        score = parse_score(slip, score)
    if score is not None and report.points is None and not report.ended:
        result = result_of(slip, score)
        if not is_drawn(result):
            return ReadResult(slip.table, result)
    # Load the rules of the game only if they matter, because that takes longer than all of the above.
    from tourney.event.game_score import decide

    return decide(slip, score, report.points, report.ended)


class _Reader(Struct, frozen=True, dict=True):
    """Reads reports about the tables of a round."""

    state: State
    round: Round
    find_game: FindGame = no_game

    def read_all(self, reports: Sequence[Report]) -> list[ReadResult]:
        """Return the results of all reports, one for each table.

        Raises a TourneyError that names every faulty report. A report is also faulty if its table already has
        a different result, or if an earlier report gives the table a different result.
        """
        results: dict[int, ReadResult] = {}
        faults = []
        for report in reports:
            try:
                with at_place(report.place):
                    numbers, player = self.find_tables(report.tables)
                    for number in numbers:
                        read = self.read_at(self.round.tables[number], player, report)
                        self._refuse_different(read, results.get(read.table), report)
                        results[read.table] = read
            except TourneyError as fault:
                faults.append(fault)
        if faults:
            raise combine_errors(faults)
        return list(results.values())

    def read_at(self, table: RoundTable, player: PlayerId | None, report: Report) -> ReadResult:
        """Return the result that a report gives to a table, in seat order.

        player: the player from whose point of view the report is; None if the report is in seat order
        """
        read = read_result(self._slip(table, player, report), report)
        seats = tuple(map(read.result.seat_of, table.seats))
        return replace(read, result=structs.replace(read.result, seats=seats))

    def _slip(self, table: RoundTable, player: PlayerId | None, report: Report) -> Slip:
        """Return what is needed to parse a score for a table: the players and the match's rules.

        player: the player whose score comes first in the report; None if the report is in seat order
        """
        state, match, in_cut = self.state, self.state.settings.match, self.round.stage == "cut"
        other_seats = (seat for seat in table.seats if seat != player)
        seats = table.seats if player is None else (player, *other_seats)
        has_sides = len(match.sides) == len(seats)
        unshared_places = state.cut.advance if in_cut and state.cut else 0
        return Slip(
            table=table.number,
            seats=seats,
            best_of=match.best_of,
            draws=match.draws and not in_cut,
            drawn_game=match.drawn_in(bracket=in_cut),
            named="" if player is None else shell_word(str(report.tables)),
            names=tuple(map(state.name_of, seats)),
            sides=tuple(match.sides[table.seats.index(seat)] for seat in seats) if has_sides else (),
            is_entered=table.result is not None,
            round_option="" if self.round is state.rounds[-1] else f" --round {self.round.number}",
            unshared=min(unshared_places, 1) if table.label == "Final" else unshared_places,
            find_game=self.find_game,
        )

    def _refuse_different(self, read: ReadResult, earlier: ReadResult | None, report: Report) -> None:
        """Raise TourneyError if a table already has another result than a report gives.

        earlier: an earlier report about the same table, which must give the same result; None without one
        """
        name, table = self.state.name_of, self.round.tables[read.table]
        result, signature = table.result, table.entered
        if earlier is not None and earlier.result != read.result:
            both_results = f"{result_text(earlier.result, name)}, and {result_text(read.result, name)}"
            raise TourneyError(f"table {read.table} is named twice: {both_results}")
        if result is None or signature is None or result == read.result:
            return
        raise TourneyError(
            f"{self.round.title}, table {read.table} has a different result: {result_text(result, name)}"
            f" (entered at {clock_time(signature.at)} by {signature.by}, entry {signature.entry})",
            f"`tourney result change {table_word(read.table, report)} SCORE` changes the result",
        )

    def find_tables(self, text: str | int) -> tuple[tuple[int, ...], PlayerId | None]:
        """Return the tables that a text names; if it names a player, also return the player.

        Raises TourneyError for an unknown table or player, and for a number that is both a table and a
        player's name.
        """
        numbers = self.round.tables.keys()
        if isinstance(text, int):
            return parse_tables(text, numbers), None
        if is_table_list(text):
            self._refuse_name(text)
            return parse_tables(text, numbers), None
        try:
            player = self._find_player(text)
        except TourneyError:
            if text.strip()[:1].isdigit():
                return parse_tables(text, numbers), None  # raises, with an error about tables
            raise
        table = self.round.table_of(player)
        if table is None:
            absent = self.round.byes.get(player)
            raise TourneyError(
                f"{self.state.players[player].name} has no table in {in_a_sentence(self.round.title)}"
                + (f" ({absent.words.alone})" if absent else ""),
                f"`tourney round show --round {self.round.number}` shows the tables",
            )
        return (table.number,), player

    def _find_player(self, text: str) -> PlayerId:
        """Find a player. If several names start with the text, return the only one who has a table."""
        players = self.state.players
        try:
            return find(players, text)
        except TourneyError as fault:
            try:
                return find({player: players[player] for player in self.round.seated}, text)
            except TourneyError:
                is_unknown = isinstance(fault, UnknownPlayerError)
                table = "; a table is a number, `4`, `4..7` or `2,4,9`" if is_unknown else ""
                raise TourneyError(fault.message, f"{fault.hint}{table}" if fault.hint else None) from None

    def _refuse_name(self, text: str) -> None:
        """Raise TourneyError if `text` is the number of a table and also a player's name."""
        # Not `int`, which refuses thousands of digits with an exception of its own.
        if text.strip().lstrip("0") not in map(str, self.round.tables):
            return
        holder = self._numeric_names.get(fold(text))
        if holder is not None:
            raise TourneyError(
                f"`{text}` may be table {text}, or the player {holder.name} (#{holder.id})",
                f"type `{text}..{text}` for the table, or `'#{holder.id}'` for the player",
            )

    @cached_property
    def _numeric_names(self) -> Mapping[FoldedName, Player]:
        """Folded name → the first player with that name; only names that could be a table number."""
        names: dict[FoldedName, Player] = {}
        for player in self.state.players.values():
            # Folding never turns a letter into a digit.
            if not re.search("[A-Za-z]", player.name):
                names.setdefault(fold(player.name), player)
        return names


def table_word(table: int, report: Report) -> str:
    """Return the word for a table in a suggested command: its number, or a player's name.

    It is a player's name if the report has one instead of the number. Then the score in the report is from
    that player's point of view.
    """
    name = str(report.tables)
    return str(table) if name.strip()[:1].isdigit() else shell_word(name)


# -- entering results


def enter(
    change: EventChange,
    reports: Sequence[Report],
    number: int | None = None,
    *,
    reason: str | None = None,
) -> Decision:
    """Enter all results, or none if one is faulty.

    A table that already has the same result stays as it is.

    number: the round; None for the current one

    Raises a TourneyError that names every faulty report.
    """
    state = change.open_event()
    round_ = round_of(state, number)
    if round_.held:
        raise TourneyError(
            f"{round_.title} is not released yet, so it cannot have been played",
            "`tourney round release` shows the round to the players",
        )
    results = _Reader(state, round_, change.find_game).read_all(reports)
    new = [read for read in results if round_.tables[read.table].result is None]
    same_tables = [read.table for read in results if round_.tables[read.table].result is not None]
    note = checked_note(reason)
    without_reason = [table for table in same_tables if _is_new_reason(change, round_.tables[table], note)]
    warnings = [_dropped_reason(without_reason, reports, number)] if without_reason else []
    if not new:
        return replace(already_entered(state, round_, same_tables), warnings=tuple(warnings))
    if same_tables:
        warnings.insert(0, _same_text(same_tables))
    for read in new:
        warnings += _against_penalties(state, round_.number, read.result)
    warnings += [read.warning for read in new if read.warning]
    warnings += [text for read in new if (text := _dropped_points(state, round_, read))]
    op = ops.ResultReported(
        round=round_.number,
        results={read.table: read.result for read in new},
        reason=change.seal.maybe(note),
    )
    return Decision(op=op, warnings=tuple(warnings), because=_because(new))


def _is_new_reason(change: EventChange, table: RoundTable, reason: str | None) -> bool:
    """Return whether the table has a result for which this reason is not recorded yet.

    Returns False if no reason is given.
    """
    return bool(table.result and reason) and reason not in map(change.texts.get, table.reasons)


def meaning(change: EventChange, report: Report, number: int | None = None) -> tuple[str, ...]:
    """Return a line for each result that `enter` would record: `table 4: Mira 2–1 Tomo`.

    Empty if all results are already entered. Raises TourneyError as `enter` does.
    """
    decision = enter(change, [report], number)
    if not isinstance(decision.op, ops.ResultReported):
        return ()
    *lines, last = _table_lines(decision.op, change.state.name_of)
    return (*lines, "; ".join([last, *decision.because]))


def already_entered(state: State, round_: Round, tables: Sequence[int]) -> Decision:
    """Return a `Decision` that writes nothing, because the tables already have these results."""
    if len(tables) > 1:
        return Decision(already=f"{round_.title}: the results of {at_tables(tables)} are already entered")
    table = round_.tables[tables[0]]
    assert table.result is not None, "only a table with a result is entered already"
    text = result_text(table.result, state.name_of)
    return Decision(already=f"{round_.title}, table {table.number}: {text}", entered=table.entered)


def _same_text(tables: Sequence[int]) -> str:
    return f"already entered, with the same result: {at_tables(tables)}"


def _dropped_reason(tables: Sequence[int], reports: Sequence[Report], number: int | None) -> str:
    """Return a warning that the reason for a result is not recorded, and how to record it.

    tables: the tables for which it is not recorded, because they already have the reported results
    number: the number of the round; None for the current round
    """
    if len(reports) == 1 and len(tables) == 1:
        tables_text, change = "", f"{table_word(tables[0], reports[0])} {reports[0].words(number)}"
    else:
        tables_text = f" for {at_tables(tables)}"
        change = f"TABLE SCORE{'' if number is None else f' --round {number}'}"
    return f"the reason is not recorded{tables_text}: `tourney result change {change} --reason TEXT` adds it"


def _dropped_points(state: State, round_: Round, read: ReadResult) -> str:
    """Return a warning if the result lacks victory points that players reported by phone."""
    claim = round_.tables[read.table].claim
    versions = [claim.result, *(dispute.result for dispute in claim.disputes)] if claim else []
    scored_results = [result for result in versions if result is not None and _has_points(result)]
    if not scored_results or _has_points(read.result):
        return ""
    agreeing_result = next(
        (result for result in scored_results if _outcomes(result) == _outcomes(read.result)), None
    )
    text = (
        f"table {read.table}: this leaves out the victory points that the players reported:"
        f" {result_text(agreeing_result or scored_results[0], state.name_of)}"
    )
    if agreeing_result is None:
        return text
    number = None if round_ is state.rounds[-1] else round_.number
    words = report_of(read.table, agreeing_result, state.settings.match.best_of).words(number)
    return f"{text}; `tourney result change {read.table} {words}` enters them"


def _has_points(result: Result) -> bool:
    return any(seat.score is not None for seat in result.seats)


def _outcomes(result: Result) -> list[tuple[Outcome, int]]:
    return [(seat.outcome, seat.place) for seat in result.seats]


def _because(results: Sequence[ReadResult]) -> tuple[str, ...]:
    """Return the reasons for results, as `Decision.because` shows them.

    If there are several results, those with the same reason share a line.
    """
    tables: dict[str, list[int]] = {}
    for read in results:
        if read.reason:
            tables.setdefault(read.reason, []).append(read.table)
    if len(results) == 1:
        return tuple(tables)
    return tuple(f"{at_tables(numbers)}: {reason}" for reason, numbers in tables.items())


def _against_penalties(state: State, number: int, result: Result) -> Iterator[str]:
    """Yield a warning for each player whose loss by a penalty is missing in the result.

    Results of more than two players are not checked.

    number: the round of the result; only penalties in this round are compared
    """
    if len(result.seats) != 2:
        return
    name = state.name_of
    for seat, other in (result.seats, result.seats[::-1]):
        if seat.outcome.lost:
            continue
        key = (seat.player, number)
        penalties = [penalty for penalty in state.penalties if (penalty.player, penalty.round) == key]
        match = next((penalty for penalty in penalties if penalty.loss == "match"), None)
        games = [penalty for penalty in penalties if penalty.loss == "game"]
        if match is not None:
            yield (
                f"{name(seat.player)} has a {match.level} in this round (entry {match.entry}),"
                " but this result is not a loss"
            )
        elif seat.outcome.played and other.games < len(games):
            losses = f"a {games[0].level}" if len(games) == 1 else counted(len(games), "lost game")
            games_text = counted(other.games, "game") if other.games else "no game"
            yield (
                f"{name(seat.player)} has {losses} in this round (entry {games[-1].entry}),"
                f" but this score gives {name(other.player)} {games_text}"
            )


def _apply_reported(draft: StateDraft, op: ops.ResultReported, at: Entered, _texts: Texts) -> None:
    round_ = draft.round(op.round)
    for table, result in op.results.items():
        round_.enter(table, result, at, op.reason)


def _describe_reported(op: ops.ResultReported, context: EventReading) -> str:
    results = "; ".join(_table_lines(op, context.name)) or "no result"
    return f"{context.title(op.round)}, {results}{_reported_by(op, context)}{context.reason(op.reason)}"


def _describe_each_reported(op: ops.ResultReported, context: EventReading) -> list[str]:
    """Describe the results that one entry has, each in its own sentence."""
    title, end = context.title(op.round), f"{_reported_by(op, context)}{context.reason(op.reason)}"
    return [f"{title}, {line}{end}" for line in _table_lines(op, context.name)]


def _table_lines(op: ops.ResultReported, name: Callable[[PlayerId], str]) -> list[str]:
    return [f"table {table}: {result_text(result, name)}" for table, result in op.results.items()]


def _reported_by(op: ops.ResultReported, context: EventReading) -> str:
    """Return who reported a result: `, as Mira reported and Tess confirmed`; else empty."""
    claim = context.entries[op.claim - 1].op if 0 < op.claim <= len(context.entries) else None
    if not isinstance(claim, ops.ResultClaimed):
        return ""
    confirmers = []
    for entry in context.entries[op.claim :]:
        if isinstance(entry.op, ops.ResultReported) and entry.op.claim == op.claim:
            break
        if isinstance(entry.op, ops.ResultConfirmed) and entry.op.claim == op.claim:
            confirmers += [] if entry.op.player is None else [context.name(entry.op.player)]
    answer = f" and {listed(confirmers)} confirmed" if confirmers else "; the report was not answered"
    return f", as {context.name(claim.player)} reported{answer}"


def _faults_of_reported(op: ops.ResultReported) -> Iterator[str]:
    for result in op.results.values():
        yield from odd_ending(result)


def odd_ending(result: Result | None) -> Iterator[str]:
    """Yield an error text if a result's word for how the match ended is not allowed."""
    if result is not None and result.ended not in {"", "id"} and not is_end_word(result.ended):
        yield f"`{result.ended[:40]}` cannot be a word for how a game ended"


def _misfits_of_reported(op: ops.ResultReported, draft: StateDraft) -> Iterator[str]:
    yield from no_such_round(op, draft)
    for table, result in op.results.items():
        yield from _misfits_of_result(table, result, op.round, draft)


def _misfits_of_result(number: int, result: Result | None, round_: int, draft: StateDraft) -> Iterator[str]:
    table = draft.rounds[round_ - 1].tables.get(number)
    if table is None:
        yield f"round {round_} has no table {number}"
    elif result is not None and result.players != table.seats:
        yield f"its players are not those at table {number} in round {round_}"


# -- changing results


def change_result(
    change: EventChange,
    report: Report,
    *,
    reason: str | None = None,
    number: int | None = None,
) -> Decision:
    """Change the results of tables, with an entry for each table. The score `-` removes results.

    A new reason for an unchanged result is also recorded. This function does not warn of pairings that depend
    on a changed result, because that requires the points of the standings profile. For these warnings, see
    `tourney.desk.corrections.warn_of_pairings`.
    """
    state = change.open_event()
    round_ = round_of(state, number)
    reader = _Reader(state, round_, change.find_game)
    tables, player = reader.find_tables(report.tables)
    note = checked_note(reason)
    sealed_reason = change.seal.maybe(note)
    decisions = []
    for table in tables:
        table_report = report if len(tables) == 1 else replace(report, tables=table)
        is_new = _is_new_reason(change, round_.tables[table], note)
        decisions.append(
            _change_one(
                reader, table, player, table_report, number=number, reason=sealed_reason, is_new_reason=is_new
            )
        )
    if not any(decision.ops for decision in decisions):
        return already_entered(state, round_, tables)
    same_tables = [table for table, decision in zip(tables, decisions, strict=True) if not decision.ops]
    return Decision.join([Decision(warnings=(_same_text(same_tables),) if same_tables else ()), *decisions])


def _change_one(
    reader: _Reader,
    table: int,
    player: PlayerId | None,
    report: Report,
    *,
    number: int | None,
    reason: Ref | None,
    is_new_reason: bool,
) -> Decision:
    """Return the `Decision` that changes the result of one table; empty if nothing changes."""
    round_ = reader.round
    current, is_removal = round_.tables[table].result, report.score_text.strip() in {"-", "–"}
    # Read the report even if no result is entered, because the hint repeats it.
    read = None if is_removal else reader.read_at(round_.tables[table], player, report)
    if current is None:
        raise TourneyError(
            f"{round_.title}, table {table} has no result{' to remove' if is_removal else ' yet'}",
            f"`tourney result add {table_word(table, report)} {report.words(number)}`" if read else None,
        )
    new = read.result if read else None
    if new == current:
        if not is_new_reason:
            return Decision()
        note = ops.ResultChanged(round=round_.number, table=table, result=new, reason=reason, noted=True)
        return Decision(op=note)
    _refuse_played_on(reader, table, new, report)
    op = ops.ResultChanged(round=round_.number, table=table, result=new, reason=reason)
    if read is None:
        return Decision(op=op)
    penalties = _against_penalties(reader.state, round_.number, read.result)
    warnings = (*penalties, *filter(None, [read.warning]))
    return Decision(op=op, warnings=warnings, because=_because([read]))


def _refuse_played_on(reader: _Reader, table: int, new: Result | None, report: Report) -> None:
    """Raise TourneyError if a new result changes who plays in a bracket round already paired."""
    round_ = reader.round
    later, current = reader.state.rounds[round_.number :], round_.tables[table].result
    if round_.stage != "cut" or not later:
        return
    if new is not None and current is not None and _advancing(current) == _advancing(new):
        return
    later_results = sum(table.result is not None for after in later for table in after.tables.values())
    cancel = "`tourney round cancel`" if len(later) == 1 else f"`tourney round cancel` {len(later)} times"
    removed_text = f" (this removes {counted(later_results, 'result')})" if later_results else ""
    again = f"`tourney result change {table_word(table, report)} {report.words()}`"
    raise TourneyError(
        f"the bracket has continued after {in_a_sentence(round_.title)}",
        f"run in this order: {cancel}{removed_text}, {again}, `tourney round next`",
    )


def _advancing(result: Result) -> list[tuple[PlayerId, bool, int]]:
    """Return the parts of a result that decide who advances in a bracket.

    For each player: the player, whether the player lost, and the place (0 at a table of two).
    """
    return [
        (seat.player, seat.outcome.lost, seat.place if len(result.seats) > 2 else 0) for seat in result.seats
    ]


def _apply_changed(draft: StateDraft, op: ops.ResultChanged, at: Entered, _texts: Texts) -> None:
    round_ = draft.round(op.round)
    if not op.noted:
        round_.enter(op.table, op.result, at, op.reason)
    elif op.reason:
        round_.change(op.table, reasons=(*round_.tables[op.table].reasons, op.reason))


def _describe_changed(op: ops.ResultChanged, context: EventReading) -> str:
    table, reason = f"{context.title(op.round)}, table {op.table}", context.reason(op.reason)
    if op.result is None:
        return f"{table}: the result was removed{reason}"
    verb = "is unchanged" if op.noted else "was changed"
    return f"{table} {verb}: {result_text(op.result, context.name)}{reason}"


def _marks_of_changed(op: ops.ResultChanged) -> str:
    return "" if op.noted else "table {round} {table}, field"


def _faults_of_changed(op: ops.ResultChanged) -> Iterator[str]:
    if op.noted and op.result is None:
        yield "it adds a reason to a result, but has no result"
    yield from odd_ending(op.result)


def _misfits_of_changed(op: ops.ResultChanged, draft: StateDraft) -> Iterator[str]:
    yield from no_such_round(op, draft)
    yield from _misfits_of_result(op.table, op.result, op.round, draft)


KINDS = (
    EntryKind(
        ops.ResultReported,
        _apply_reported,
        _describe_reported,
        "table {round} {results}",
        makes="field",
        needs="round {round}, released {round}",
        faults=_faults_of_reported,
        misfits=_misfits_of_reported,
        describe_each=_describe_each_reported,
    ),
    EntryKind(
        ops.ResultChanged,
        _apply_changed,
        _describe_changed,
        makes=_marks_of_changed,
        needs="table {round} {table}, round {round}",
        faults=_faults_of_changed,
        misfits=_misfits_of_changed,
    ),
)
"""The kinds of entries about results, in the order of `tourney.event.ops`."""
