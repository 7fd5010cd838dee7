"""Results: entered once, changed only by saying so.

How one is typed for two seats, in the seat order of the slip:

    2-1         games won; 2-1-1: and games drawn (a best of one: 1-0, 0-1, 0-0-1)
    w  l  d     seat 1 won, lost, drew; w in a best of three stands for 2-0; also = and ½-½ and 1/2-1/2 for d
    id          intentional draw: no game was played, and it stands as drawn games (0-0-3 in a best of three)
    ff1  ff2    seat 1 (2) did not show; ff: neither did (a match lost by a ruling is one that was lost: a penalty's)
    dl          both met, both lose by ruling
    red  blue   that side won, in a game with sides and one game a match

Tables of any size: places in seat order, `1,3,2`; shared ones as `1,1,3`; `ff` in place of a number for a seat that
did not show. `=` and `id` share the first place among all, `dl` is a loss for all.

A table is named by its number, or by somebody who sits there: then the score is as that player tells it, `lena 2-0` where
Lena won. What stands in seat order elsewhere (games, `w`, `ff1`, places, victory points) begins with the one named; the
others follow in seat order. What is entered is in seat order always.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from tourney.errors import TourneyError, together
from tourney.event import ops
from tourney.event.kind import (
    FIELD,
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
from tourney.event.ops import MOST_GAMES, Seating, SeatResult, TableResult
from tourney.event.phrases import names_of, reported_text, result_text, tables_text
from tourney.event.players import clash, find
from tourney.event.state import Entered, Round, State, StateDraft
from tourney.event.texts import Sealing, Texts
from tourney.record import Outcome, PlayerId, Result, Table, typed_plainly
from tourney.wording import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """One line as it was typed: `4 2-1`, `4..7 2-0` or `lena 2-0`.

    tables: one or several tables, or a player who sits at one; scores: victory points; place: file and line, for messages
    """

    tables: str | int
    score: str
    scores: str | None = None
    time: bool = False
    place: str = ""


def typed_lines(lines: Iterable[str], *, source: str, time: bool) -> tuple[Typed, ...]:
    """Read lines as `typed_line` does; blank lines and comments are skipped.

    Raises TourneyError naming every line that is not one of these.
    """
    read, faults = [], []
    for number, line in enumerate(lines, 1):
        try:
            typed = typed_line(line, place=f"{source}:{number}", time=time)
        except TourneyError as fault:
            faults.append(fault)
        else:
            read += [typed] if typed else []
    if faults:
        raise together(faults)
    if not read:
        raise TourneyError(f"{source}: there is no result in it", "a line `4 2-1` for each table")
    return tuple(read)


def typed_line(line: str, *, place: str = "", time: bool = False) -> Typed | None:
    """Read a line `4 2-1`, `4 2-1 32,18`, `Lena Thorn 2-0` or `#7 2-0`; None where it is blank or a comment.

    A comment begins with `#`; at the start of a line not where a digit follows, which is a player's number. A last word
    `--time` is for this line. place: file and line, for messages. Raises TourneyError for any other line.
    """
    words = _spoken(line).split()
    if not words:
        return None
    timed = words[-1] == "--time"
    words = words[:-1] if timed else words
    by_table = bool(words) and _TABLES.fullmatch(typed_plainly(words[0])) is not None
    scored = len(words) == 3 if by_table else len(words) > 2 and _is_two_scores(*words[-2:])
    named, scores = (words[:-2], words[-2:]) if scored else (words[:-1], words[-1:])
    if not named or (by_table and len(named) > 1):
        with at_place(place):
            raise TourneyError(
                f"`{line.strip()}` is not a table and a score",
                "a line `4 2-1` or `lena 2-1`, with victory points `4 2-1 32,18`",
            )
    return Typed(
        tables=" ".join(named).strip('"'),
        score=scores[0],
        scores=scores[1] if scored else None,
        time=time or timed,
        place=place,
    )


def _spoken(line: str) -> str:
    """Return a line without its comment.

    >>> [_spoken(line) for line in ("# round 1", "4 2-1 # late", "#7 2-0 # late", "#")]
    ['', '4 2-1 ', '#7 2-0 ', '']
    """
    numbered = re.match(r"\s*#(?=\d)", line)
    start = numbered.end() if numbered else 0
    return line[:start] + line[start:].partition("#")[0]


def report(
    state: State,
    typed: Sequence[Typed],
    number: int | None = None,
    *,
    reason: str | None = None,
    seal: Sealing | None = None,
) -> Decision:
    """Enter results, all or none. What is entered already and the same is left as it is.

    reason: why they are what they are, where that is to be kept; it needs a `seal`

    Raises TourneyError naming every line at fault.
    """
    open_event(state)
    round_ = round_of(state, number)
    if round_.held:
        raise TourneyError(
            f"{round_.title} is held back: nobody can have played it yet",
            "`tourney round release` shows it to the players",
        )
    read = _read(state, round_, typed)
    new = [reported for reported in read if round_.tables[reported.table].result is None]
    same = [reported.table for reported in read if reported not in new]
    if not new:
        return entered_already(state, round_, same)
    warnings = (
        [f"entered before, and the same: {'table' if len(same) == 1 else 'tables'} {tables_text(same)}"]
        if same
        else []
    )
    warnings += [said for each in new for said in _against_penalties(state, round_.number, each)]
    kept = seal.maybe(checked_reason(reason)) if seal else None
    op = ops.ResultReported(round=round_.number, results=tuple(new), reason=kept)
    return Decision(op=op, warnings=tuple(warnings))


def meaning(state: State, typed: Typed, number: int | None = None) -> tuple[str, ...]:
    """Return what a line means, table by table: `table 4: Mira 2–1 Tomo`; nothing where all of it is entered already.

    Raises TourneyError as `report` does.
    """
    op = report(state, [typed], number).op
    told = op.results if isinstance(op, ops.ResultReported) else ()
    return tuple(f"table {each.table}: {reported_text(each, names_of(state))}" for each in told)


_LOST = frozenset({Outcome.LOSS, Outcome.FORFEIT_LOSS, Outcome.DOUBLE_LOSS})


def lost(result: Result, player: PlayerId) -> bool:
    """Say whether a player has lost a table."""
    return result.seat_of(player).outcome in _LOST


def _against_penalties(state: State, number: int, reported: TableResult) -> tuple[str, ...]:
    """Name the penalties of this round that a result of two does not show."""
    result, name = reported.result(), names_of(state)
    if len(result.seats) != 2:
        return ()
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


def _read(state: State, round_: Round, typed: Sequence[Typed]) -> list[TableResult]:
    read: dict[int, TableResult] = {}
    faults: list[TourneyError] = []
    for line in typed:
        try:
            with at_place(line.place):
                for reported in _read_line(state, round_, line):
                    _refuse_other(state, round_, reported, read, line)
                    read[reported.table] = reported
        except TourneyError as fault:
            faults.append(fault)
    if faults:
        raise together(faults)
    return list(read.values())


def _read_line(state: State, round_: Round, line: Typed) -> list[TableResult]:
    numbers, player = _meant(state, round_, line.tables)
    return [_read_at(state, round_, round_.tables[number], player, line) for number in numbers]


def _read_at(state: State, round_: Round, table: Table, player: PlayerId | None, line: Typed) -> TableResult:
    """Read the score of a table, as `player` tells it where somebody was named; the result is in seat order."""
    name = names_of(state)
    told = table.seats if player is None else (player, *(each for each in table.seats if each != player))
    slip = Slip(
        table=table.number,
        seats=told,
        best_of=state.settings.best_of,
        draws=state.settings.draws and round_.stage == "swiss",
        time=line.time,
        typed="" if player is None else quoted(str(line.tables)),
        names=tuple(map(name, told)),
        sides=_sides_told(state.settings.sides, table.seats, told),
    )
    read = read_score(slip, line.score, line.scores)
    if told == table.seats:
        return read
    by_player = {seat.player: seat for seat in read.seats}
    return TableResult(
        read.table, tuple(by_player[each] for each in table.seats), read.drawn_games, read.note
    )


def _sides_told(
    sides: tuple[str, ...], seats: Sequence[PlayerId], told: Sequence[PlayerId]
) -> tuple[str, ...]:
    """Return what each of `told` plays; nothing at a table that has not a seat for each side."""
    return tuple(sides[seats.index(player)] for player in told) if len(sides) == len(seats) else ()


def quoted(text: str) -> str:
    """Return a word of a command line as a shell must have it.

    >>> quoted("lena"), quoted("Lena Thorn"), quoted("#7")
    ('lena', '"Lena Thorn"', '"#7"')
    """
    return text if re.fullmatch(r"[\w.,-]+", text) else f'"{text}"'


def _meant(state: State, round_: Round, text: str | int) -> tuple[tuple[int, ...], PlayerId | None]:
    """Return the tables meant, and by whom where a player was named: a bare number is a table, `#7` a player.

    Raises TourneyError for a table or a player that is not there, and for a table's number that is also a name.
    """
    numbers = tuple(round_.tables)
    if isinstance(text, int):
        return read_tables(text, numbers), None
    if _TABLES.fullmatch(typed_plainly(text).strip()):
        _refuse_name(state, round_, text)
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
            f"{state.players[player].name} has no table in {round_.title[:1].lower()}{round_.title[1:]}"
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


def _refuse_name(state: State, round_: Round, text: str) -> None:
    """Refuse the number of a table after which a player is called, too."""
    holder = clash(state.players, text)
    if holder is not None and text.strip().isdigit() and int(text) in round_.tables:
        raise TourneyError(
            f"`{text}` may be table {text}, or the player who is called {holder.name} (#{holder.id})",
            f"`{text}..{text}` is the table, `'#{holder.id}'` the player",
        )


def _refuse_other(
    state: State, round_: Round, reported: TableResult, read: dict[int, TableResult], line: Typed
) -> None:
    """Refuse a result where another one is entered, or was named before in the same block."""
    name = names_of(state)
    if reported.table in read and read[reported.table] != reported:
        raise TourneyError(
            f"table {reported.table} is named twice: {reported_text(read[reported.table], name)}, and {reported_text(reported, name)}"
        )
    result = round_.tables[reported.table].result
    if result is None or _same(round_, reported):
        return
    entered = round_.entered[reported.table]
    raise TourneyError(
        f"{round_.title}, table {reported.table} has another result: {result_text(result, name, round_.notes.get(reported.table, ''))}"
        f" (entered at {clock_time(entered.at)} by {entered.by}, entry {entered.entry})",
        f"`tourney result change {_again(reported.table, line)} SCORE` puts it right",
    )


def _again(table: int, line: Typed) -> str:
    """Return the table as it was named, if by a player: a score is then typed from the same side again."""
    named = str(line.tables)
    return str(table) if named.strip()[:1].isdigit() else quoted(named)


def _typed_again(line: Typed, number: int | None) -> str:
    """Return the score with the options it was typed with."""
    options = [
        f"--score {line.scores}" if line.scores else "",
        "--time" if line.time else "",
        "" if number is None else f"--round {number}",
    ]
    return " ".join([quoted(line.score), *filter(None, options)])


def _same(round_: Round, reported: TableResult) -> bool:
    return (
        round_.tables[reported.table].result == reported.result()
        and round_.notes.get(reported.table, "") == reported.note
    )


def entered_already(state: State, round_: Round, tables: Sequence[int]) -> Decision:
    """Return that tables have their results, and nothing is to be written."""
    if len(tables) > 1:
        return Decision(already=f"{round_.title}, tables {tables_text(tables)} entered")
    number = tables[0]
    result = round_.tables[number].result
    assert result is not None, "only a table with a result is entered already"
    text = result_text(result, names_of(state), round_.notes.get(number, ""))
    return Decision(already=f"{round_.title}, table {number}: {text}", entered=round_.entered[number])


def _apply_reported(draft: StateDraft, op: ops.ResultReported, at: Entered, _texts: Texts) -> None:
    round_ = draft.round(op.round)
    for reported in op.results:
        round_.enter(reported, at)


def _say_reported(op: ops.ResultReported, context: LogContext) -> str:
    title = context.title(op.round)
    results = [f"table {each.table}: {reported_text(each, context.name)}" for each in op.results]
    return f"{title}, {'; '.join(results) or 'no result'}{context.why(op.reason)}"


def _lines_of_reported(op: ops.ResultReported, context: LogContext) -> list[str]:
    """Say a block table by table."""
    title, why = context.title(op.round), context.why(op.reason)
    return [f"{title}, table {each.table}: {reported_text(each, context.name)}{why}" for each in op.results]


def _marks_of_reported(op: ops.ResultReported) -> Footprint:
    made = frozenset(("table", op.round, reported.table) for reported in op.results)
    return Footprint(made | {FIELD}, made | {("round", op.round), ("released", op.round)})


def _two_results(op: ops.ResultReported) -> Iterator[str]:
    if len({reported.table for reported in op.results}) < len(op.results):
        yield "a table has two results"


def _odd_results(op: ops.ResultReported, draft: StateDraft) -> Iterator[str]:
    yield from no_such_round(op, draft)
    for reported in op.results:
        yield from _odd_result(reported, op.round, draft)


def _odd_result(reported: TableResult, number: int, draft: StateDraft) -> Iterator[str]:
    table = draft.rounds[number - 1].tables.get(reported.table)
    if table is None:
        yield f"round {number} has no table {reported.table}"
    elif tuple(seat.player for seat in reported.seats) != table.seats:
        yield f"it is of others than those at table {reported.table} in round {number}"


def change(
    state: State, typed: Typed, *, reason: str | None, seal: Sealing, number: int | None = None
) -> Decision:
    """Put one table's result right; the score `-` takes it away.

    Which later pairings rest on it says `tourney.desk.evidence.resting`: that takes the points as the profile counts them.
    """
    open_event(state)
    round_ = round_of(state, number)
    tables, _ = _meant(state, round_, typed.tables)
    if len(tables) != 1:
        raise TourneyError("results are put right one table at a time")
    table = tables[0]
    taking = typed.score.strip() in {"-", "–"}
    if round_.tables[table].result is None:
        if not taking:
            _read_line(state, round_, typed)  # what cannot be entered is not proposed
        raise TourneyError(
            f"{round_.title}, table {table} has no result{' to take away' if taking else ' yet'}",
            None if taking else f"`tourney result add {_again(table, typed)} {_typed_again(typed, number)}`",
        )
    if round_.stage == "cut" and round_.number < len(state.rounds):
        raise TourneyError(
            f"the bracket went on from {round_.title[:1].lower()}{round_.title[1:]}",
            "`tourney round cancel` takes the round after it back first",
        )
    reported = None if taking else _read_line(state, round_, typed)[0]
    if reported is not None and _same(round_, reported):
        return entered_already(state, round_, tables)
    op = ops.ResultChanged(
        round=round_.number, table=table, result=reported, reason=seal.maybe(checked_reason(reason))
    )
    return Decision(
        op=op, warnings=() if reported is None else _against_penalties(state, round_.number, reported)
    )


def clock_time(at: str) -> str:
    """Return the time of day of an ISO time, as clocks show it.

    >>> clock_time("2026-10-04T14:05:09+02:00")
    '14:05'
    """
    return at[11:16]


def _apply_result_changed(draft: StateDraft, op: ops.ResultChanged, at: Entered, _texts: Texts) -> None:
    round_ = draft.round(op.round)
    if op.result is not None:
        round_.enter(op.result, at)
        return
    table = round_.tables[op.table]
    round_.forget(op.table)
    round_.seat((Seating(table.number, table.seats),), ())


def _say_result_changed(op: ops.ResultChanged, context: LogContext) -> str:
    title = f"{context.title(op.round)}, table {op.table}"
    if op.result is None:
        return f"{title}: the result was taken away{context.why(op.reason)}"
    return f"{title} was changed: {reported_text(op.result, context.name)}{context.why(op.reason)}"


def _marks_of_result_changed(op: ops.ResultChanged) -> Footprint:
    made = marks(("table", op.round, op.table))
    return Footprint(made | {FIELD}, made | {("round", op.round)})


def _odd_change(op: ops.ResultChanged, draft: StateDraft) -> Iterator[str]:
    yield from no_such_round(op, draft)
    if op.table not in draft.rounds[op.round - 1].tables:
        yield f"round {op.round} has no table {op.table}"
    if op.result is not None:
        if op.result.table != op.table:
            yield f"it is about table {op.table} and about table {op.result.table}"
        yield from _odd_result(op.result, op.round, draft)


KINDS = (
    EntryKind(
        ops.ResultReported,
        _apply_reported,
        _say_reported,
        footprint=_marks_of_reported,
        alone=_two_results,
        misfits=_odd_results,
        lines=_lines_of_reported,
    ),
    EntryKind(
        ops.ResultChanged,
        _apply_result_changed,
        _say_result_changed,
        footprint=_marks_of_result_changed,
        misfits=_odd_change,
    ),
)
"""What can happen here, in the order of `tourney.event.ops`."""


# -- how a result is typed, and what it means


_TABLES = re.compile(r"[\d.,\s]+")
_DASH = re.compile(r"\s*[-:]\s*")
_GAMES = re.compile(r"(\d{1,4})-(\d{1,4})(?:-(\d{1,4}))?")
_NO_SHOW = re.compile(r"ff([1-9])")
_DRAWN = frozenset({"d", "=", "½-½", "1/2-1/2", ".5-.5", "0.5-0.5"})
_WORDS = {"win": "w", "won": "w", "loss": "l", "lost": "l", "draw": "d", "drawn": "d", "tie": "d"}
_SHORT = frozenset({*_WORDS, *_WORDS.values(), *_DRAWN, "id", "dl", "ff"})


def _is_score(word: str) -> bool:
    """Say whether a word looks like a score: what stands before victory points."""
    plain = typed_plainly(word).lower()
    return plain in _SHORT or re.fullmatch(r"(?=.*\d)[\dfF,:-]+", plain) is not None


def _is_two_scores(score: str, points: str) -> bool:
    return "," in points and _is_score(points) and _is_score(score)


@dataclass(frozen=True, slots=True, kw_only=True)
class Slip:
    """A table that waits for its result, and what a match is here.

    seats:   the players in seat order
    best_of: games a match can have; draws: whether it may end without a winner
    time:    whether the match was ended by time, so that it need not be finished
    typed:   how the table was named, where not by its number
    names:   how the players are called, in the order of `seats`
    sides:   what each of `seats` plays, where sides are unequal
    """

    table: int
    seats: tuple[PlayerId, ...]
    best_of: int = 1
    draws: bool = True
    time: bool = False
    typed: str = ""
    names: tuple[str, ...] = ()
    sides: tuple[str, ...] = ()

    @property
    def needed(self) -> int:
        """Games that win the match."""
        return self.best_of // 2 + 1

    @property
    def order(self) -> str:
        """In which order seats are typed: `in seat order`, at a table of three and more with the names."""
        if len(self.names) > 2:
            named = ", ".join(self.names)
            return f"in the order {named}" if self.typed else f"in seat order ({named})"
        return f"with {self.names[0]}'s first" if self.typed and self.names else "in seat order"

    @property
    def places(self) -> str:
        """What places look like here: `places in seat order (Ada, Ben, Cleo), `1,3,2``."""
        example = [*range(1, len(self.seats) + 1)]
        example[1:3] = reversed(example[1:3])
        return f"places {self.order}, `{','.join(map(str, example))}`"

    @property
    def decided(self) -> int:
        """Games that somebody can win in it: one more than an even number of them, where there must be a winner."""
        return self.best_of if self.draws else self.best_of | 1

    @property
    def forms(self) -> str:
        """How a result of two can be typed here: nothing that would be refused."""
        lost = self.decided - self.needed
        games = [f"{self.needed}-{lost}", f"{lost}-{self.needed}" if self.best_of == 1 else ""]
        if self.decided % 2:
            games.append(f"{self.needed}-{lost}-1" if self.best_of > 1 else "")
        else:
            games.append(f"{self.best_of // 2}-{self.best_of // 2}")
        drawn = ["d", "½-½", "id"] if self.draws else []
        sides = [side.lower() for side in self.sides] if self.best_of == 1 else []
        forms = [*filter(None, games), *sides, "w", "l", *drawn, "ff1", "ff2", "dl"]
        return ", ".join(f"`{form}`" for form in forms)


def read_score(slip: Slip, text: str, scores: str | None = None) -> TableResult:
    """Return the result that `text` says for the table of `slip`; `scores` are victory points, `32,18`.

    Raises TourneyError for what is no score, and for a score that cannot end this match.
    """
    typed = _DASH.sub("-", typed_plainly(text).strip().lower())
    typed = _of_side(slip, text, typed) or _WORDS.get(typed, typed)
    result = (
        _all_alike(slip, typed)
        or (_two(slip, typed) if len(slip.seats) == 2 else None)
        or _places(slip, typed)
    )
    if result is None:
        forms = slip.forms if len(slip.seats) == 2 else f"the {slip.places}"
        raise TourneyError(f"table {slip.table}: `{text}` is not a result", f"a result is {forms}")
    if not slip.draws and any(seat.outcome is Outcome.DRAW for seat in result.seats):
        raise TourneyError(
            f"table {slip.table}: `{text}` is a draw, and this match needs a winner",
            f"with the game that decided it: `{slip.needed}-{slip.decided - slip.needed}`"
            if len(slip.seats) == 2
            else None,
        )
    return _with_scores(slip, result, scores)


def _of_side(slip: Slip, text: str, typed: str) -> str | None:
    """Read the side that won as `w` or `l`; None where it is none. Raises TourneyError where that says nothing of a match."""
    sides = [side.lower() for side in slip.sides[: len(slip.seats)]]
    if len(slip.seats) != 2 or typed not in sides:
        return None
    if slip.best_of > 1:
        raise TourneyError(
            f"table {slip.table}: `{text}` does not say who won: sides change from game to game",
            f"a result is {slip.forms}",
        )
    return "wl"[sides.index(typed)]


def _all_alike(slip: Slip, typed: str) -> TableResult | None:
    """Read what is the same for every seat: draws, no-shows of all, double losses."""
    if typed == "id":
        return _level(slip, drawn=slip.best_of, note="id")
    if typed in _DRAWN:
        return _level(slip, drawn=1)
    if typed == "dl":
        return _table(slip, [Outcome.DOUBLE_LOSS] * len(slip.seats))
    if typed == "ff":
        return _table(slip, [Outcome.FORFEIT_LOSS] * len(slip.seats))
    return None


def _level(slip: Slip, *, drawn: int, note: Literal["", "id"] = "") -> TableResult:
    return _table(slip, [Outcome.DRAW] * len(slip.seats), drawn=drawn, note=note)


def _two(slip: Slip, typed: str) -> TableResult | None:
    if typed in {"w", "l"}:
        won = (slip.needed, 0) if typed == "w" else (0, slip.needed)
        return _from_games(slip, won, 0)
    if no_show := _NO_SHOW.fullmatch(typed):
        return _one_missing(slip, int(no_show[1]))
    if games := _GAMES.fullmatch(typed):
        won, drawn = (int(games[1]), int(games[2])), int(games[3] or 0)
        _refuse_impossible(slip, won, drawn)
        return _from_games(slip, won, drawn)
    return None


def _one_missing(slip: Slip, seat: int) -> TableResult:
    if seat > 2:
        raise TourneyError(f"table {slip.table} has two seats, so there is no `ff{seat}`", "`ff1` or `ff2`")
    outcomes, places = [Outcome.FORFEIT_WIN, Outcome.FORFEIT_WIN], [1, 1]
    outcomes[seat - 1], places[seat - 1] = Outcome.FORFEIT_LOSS, 2
    return _table(slip, outcomes, places=places)


def _refuse_impossible(slip: Slip, won: tuple[int, int], drawn: int) -> None:
    score = f"{won[0]}–{won[1]}" + (f"–{drawn}" if drawn else "")
    match = f"a best of {slip.best_of}" if slip.best_of % 2 else f"a match of {slip.best_of} games"
    most, played = max(won), sum(won) + drawn
    possible = most <= slip.needed and sum(won) <= slip.decided and drawn <= MOST_GAMES
    if slip.decided % 2 == 0:
        possible = possible and played <= slip.best_of  # played out: a drawn game is not played again
    if not possible:
        lost = min(*won, slip.decided - slip.needed)
        fits = (slip.needed, lost) if won[0] >= won[1] else (lost, slip.needed)
        level = "" if slip.decided % 2 else f" or `{slip.best_of // 2}-{slip.best_of // 2}`"
        raise TourneyError(
            f"table {slip.table}: {score} cannot end {match}",
            f"`{'-'.join(map(str, fits))}`{level} would; the third number counts drawn games",
        )
    decided = slip.draws or won[0] != won[1]
    if most < slip.needed and played < slip.best_of and not slip.time and decided:
        raise TourneyError(
            f"table {slip.table}: {score} does not end {match}: {counted(slip.needed, 'game')} {'wins' if slip.needed == 1 else 'win'} it",
            f"`--time` if time was called: `tourney result add {slip.typed or slip.table} {'-'.join(map(str, (*won, drawn) if drawn else won))} --time`",
        )


def _from_games(slip: Slip, won: tuple[int, int], drawn: int) -> TableResult:
    if won[0] == won[1]:
        outcomes, places = [Outcome.DRAW, Outcome.DRAW], [1, 1]
    elif won[0] > won[1]:
        outcomes, places = [Outcome.WIN, Outcome.LOSS], [1, 2]
    else:
        outcomes, places = [Outcome.LOSS, Outcome.WIN], [2, 1]
    unfinished = max(won) < slip.needed and sum(won) + drawn < slip.best_of
    return _table(slip, outcomes, places=places, games=won, drawn=drawn, note="time" if unfinished else "")


def _places(slip: Slip, typed: str) -> TableResult | None:
    parts = [part.strip() for part in typed.split(",")]
    if not all(part == "ff" or (part.isascii() and part.isdigit() and len(part) < 3) for part in parts):
        return None
    if len(parts) == 1 and len(slip.seats) == 2:
        return None
    if len(parts) != len(slip.seats):
        raise TourneyError(
            f"table {slip.table} has {len(slip.seats)} seats, `{typed}` gives {len(parts)} {'place' if len(parts) == 1 else 'places'}",
            f"{slip.places}; shared places are equal, `{','.join(map(str, [1, 1, *range(3, len(slip.seats) + 1)]))}`",
        )
    return _from_places(slip, [None if part == "ff" else int(part) for part in parts])


def _from_places(slip: Slip, places: list[int | None]) -> TableResult:
    taken = sorted(place for place in places if place is not None)
    right = [taken.index(place) + 1 for place in taken]
    if taken != right:
        typed = ",".join("ff" if place is None else str(place) for place in places)
        hint = ",".join("ff" if place is None else str(taken.index(place) + 1) for place in places)
        raise TourneyError(
            f"table {slip.table}: the places `{typed}` leave a gap", f"`{hint}` has the same order"
        )
    if len(taken) < 2:
        missing = [Outcome.FORFEIT_LOSS if place is None else Outcome.FORFEIT_WIN for place in places]
        return _table(slip, missing, places=_with_missing(places))
    if places in ([1, 2], [2, 1]):
        return _from_games(slip, (slip.needed, 0) if places[0] == 1 else (0, slip.needed), 0)
    shared = taken.count(1) > 1
    outcomes = [_placed(place, shared=shared) for place in places]
    return _table(slip, outcomes, places=_with_missing(places))


def _placed(place: int | None, *, shared: bool) -> Outcome:
    if place is None:
        return Outcome.FORFEIT_LOSS
    if place > 1:
        return Outcome.LOSS
    return Outcome.DRAW if shared else Outcome.WIN


def _with_missing(places: list[int | None]) -> list[int]:
    """Put those who did not show behind all the others."""
    last = sum(place is not None for place in places) + 1
    return [last if place is None else place for place in places]


def _table(
    slip: Slip,
    outcomes: Sequence[Outcome],
    *,
    places: Sequence[int] | None = None,
    games: Sequence[int] | None = None,
    drawn: int = 0,
    note: Literal["", "id", "time"] = "",
) -> TableResult:
    none = [0] * len(slip.seats)
    rows = zip(slip.seats, outcomes, places or [1] * len(slip.seats), games or none, strict=True)
    return TableResult(slip.table, tuple(SeatResult(*row) for row in rows), drawn, note)


def _with_scores(slip: Slip, result: TableResult, scores: str | None) -> TableResult:
    if scores is None:
        return result
    parts = [part.strip() for part in typed_plainly(scores).split(",")]
    if len(parts) != len(slip.seats) or not all(re.fullmatch(r"-?\d{1,9}", part) for part in parts):
        raise TourneyError(
            f"table {slip.table}: `{scores}` is not a score for each of its {len(slip.seats)} seats",
            f"whole numbers {slip.order}, `--score {','.join(('32', '18', '25', '7', '…')[: len(slip.seats)])}`",
        )
    seats = (
        SeatResult(seat.player, seat.outcome, seat.place, seat.games, int(part))
        for seat, part in zip(result.seats, parts, strict=True)
    )
    return TableResult(result.table, tuple(seats), result.drawn_games, result.note)


def read_tables(text: str | int, numbers: Sequence[int]) -> tuple[int, ...]:
    """Return the tables meant by `4`, `4..7` or `2,4,9`; numbers: the tables of the round.

    Raises TourneyError for a table that does not exist.
    """
    chosen: list[int] = []
    for part in str(text).split(","):
        span = re.fullmatch(r"\s*(\d{1,7})(?:\s*\.\.\s*(\d{1,7}))?\s*", part)
        if not span:
            raise TourneyError(f"`{text}` is not a table", "`4`, `4..7` or `2,4,9`")
        first, last = int(span[1]), int(span[2] or span[1])
        if first > last:
            raise TourneyError(f"`{part.strip()}` runs backwards", f"`{last}..{first}`")
        tables = [number for number in numbers if first <= number <= last]
        if first not in numbers or last not in numbers:
            missing = first if first not in numbers else last
            raise TourneyError(f"there is no table {missing} in this round", _known(numbers))
        chosen += [number for number in tables if number not in chosen]
    return tuple(chosen)


def _known(numbers: Sequence[int]) -> str:
    if not numbers:
        return "nobody is at a table"
    return (
        f"tables go from {numbers[0]} to {numbers[-1]}"
        if len(numbers) > 1
        else f"there is only table {numbers[0]}"
    )
