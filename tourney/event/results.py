"""Results: entered once, changed only by saying so.

How one is typed for two seats, in the seat order of the slip:

    2-1         games won; 2-1-1: and games drawn (a best of one: 1-0, 0-1, 0-0-1)
    w  l  d     seat 1 won, lost, drew; w in a best of three stands for 2-0; also = and ½-½ and 1/2-1/2 for d
    id          intentional draw: no game was played, and it stands as drawn games (0-0-3 in a best of three)
    ff1  ff2    seat 1 (2) did not show; ff: neither did (a match lost by a ruling is one that was lost: a penalty's)
    forfeit1  forfeit2   seat 1 (2) forfeits by a judge's ruling, without play; forfeit: both do
    dl          both met, both lose by ruling
    red  blue   that side won, in a game with sides and one game a match

Tables of any size: places in seat order, `1,3,2`; shared ones as `1,1,3`; `ff` in place of a number for a seat that
did not show, `forfeit` for one that forfeits by a ruling. `=` and `id` share the first place among all, `dl` is a loss for all.

In a game whose format has a score with a goal, `--score 34,12` alone says who has won, and whatever else is typed is held
against it: `Typed.ended` says how a game ended otherwise (`time`, `concession`, `ruling`, and what the format's text knows).

A table is named by its number, or by somebody who sits there: then the score is as that player tells it, `lena 2-0` where
Lena won. What stands in seat order elsewhere (games, `w`, `ff1`, places, victory points) begins with the one named; the
others follow in seat order. What is entered is in seat order always.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NoReturn

import msgspec
from msgspec.structs import replace

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
from tourney.event.phrases import in_a_sentence, names_of, reported_text, result_text, tables_text
from tourney.event.players import clash, find
from tourney.event.state import Entered, Round, State, StateDraft
from tourney.event.texts import Sealing, Texts
from tourney.record import NameOf, Outcome, PlayerId, Result, Table, is_end_word, typed_plainly
from tourney.wording import counted, listed

if TYPE_CHECKING:
    from tourney.rules.scoring import Said, Scoring, Unscored

FindScoring = Callable[[], "Scoring | Unscored | None"]
"""Returns the score of the event's game, None where its format says nothing of it: asked only where that matters."""


def no_scoring() -> None:
    """Return that the game has no score, or none that says who has won."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """One line as it was typed: `4 2-1`, `4..7 2-0`, `lena 2-0` or `4 --score 34,12`.

    tables: one or several tables, or a player who sits at one; scores: victory points; place: file and line, for messages
    score:  empty where the victory points say who has won
    ended:  the word of how the game ended, where not by its score; time: time was called
    """

    tables: str | int
    score: str = ""
    scores: str | None = None
    time: bool = False
    place: str = ""
    ended: str = ""


@dataclass(frozen=True, slots=True)
class _Read:
    """A table's result as it was read.

    ended: how the game ended, where not by its score; how: by what it was decided, where the score was to say it
    odd:   what should be known of it though it may be entered
    """

    reported: TableResult
    ended: str = ""
    how: str = ""
    odd: str = ""

    @property
    def table(self) -> int:
        return self.reported.table

    @property
    def note(self) -> str:
        """What is kept of how it ended."""
        return self.ended or self.reported.note

    def text(self, name: NameOf) -> str:
        return reported_text(self.reported, name, self.ended)


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
    """Read a line `4 2-1`, `4 2-1 32,18`, `4 --score 32,18`, `Lena Thorn 2-0` or `#7 2-0`; None where it is blank or a comment.

    A comment begins with `#`; at the start of a line not where a digit follows, which is a player's number. `--time`,
    `--ended WORD` and `--score N,N` at its end are for this line. place: file and line, for messages. Raises
    TourneyError for any other line.
    """
    words = _spoken(line).split()
    if not words:
        return None
    words, options = _options_of_line(words)
    points = options.get("--score")
    by_table = bool(words) and _TABLES.fullmatch(typed_plainly(words[0])) is not None
    if points is None:
        scored = len(words) == 3 if by_table else len(words) > 2 and _is_two_scores(*words[-2:])
        named, scores = (words[:-2], words[-2:]) if scored else (words[:-1], words[-1:])
    else:
        whole = " ".join(words)
        alone = len(words) < 2 or whole[:1] == whole[-1:] == '"' or not (by_table or _is_score(words[-1]))
        named, scores = (words, ["", points]) if alone else (words[:-1], [words[-1], points])
    if not named or (by_table and len(named) > 1):
        with at_place(place):
            raise TourneyError(
                f"`{line.strip()}` is not a table and a score",
                "a line `4 2-1` or `lena 2-1`, with victory points `4 2-1 32,18`",
            )
    return Typed(
        tables=" ".join(named).strip('"'),
        score=scores[0],
        scores=scores[1] if len(scores) == 2 else None,
        time=time or "--time" in options,
        place=place,
        ended=options.get("--ended", ""),
    )


def _options_of_line(words: list[str]) -> tuple[list[str], dict[str, str]]:
    """Take the options from the end of a line.

    >>> _options_of_line("4 1-0 --score 9,7 --ended deck --time".split())
    (['4', '1-0'], {'--time': '', '--ended': 'deck', '--score': '9,7'})
    """
    options: dict[str, str] = {}
    while words:
        name, equals, value = words[-1].partition("=")
        if words[-1] == "--time":
            options["--time"], words = "", words[:-1]
        elif equals and name in _LINE_OPTIONS:
            options[name], words = value, words[:-1]
        elif len(words) > 1 and words[-2] in _LINE_OPTIONS:
            options[words[-2]], words = words[-1], words[:-2]
        else:
            break
    return words, options


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
    scoring: FindScoring = no_scoring,
) -> Decision:
    """Enter results, all or none. What is entered already and the same is left as it is.

    reason: why they are what they are, where that is to be kept; it needs a `seal`
    scoring: finds the score of the game, against which typed scores are held

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
    same = [each.table for each in read if each not in new]
    if not new:
        return entered_already(state, round_, same)
    warnings = (
        [f"entered before, and the same: {'table' if len(same) == 1 else 'tables'} {tables_text(same)}"]
        if same
        else []
    )
    warnings += [said for each in new for said in _against_penalties(state, round_.number, each.reported)]
    warnings += [each.odd for each in new if each.odd]
    kept = seal.maybe(checked_reason(reason)) if seal else None
    op = ops.ResultReported(
        round=round_.number,
        results=tuple(each.reported for each in new),
        reason=kept,
        ended=tuple((each.table, each.ended) for each in new if each.ended),
    )
    return Decision(op=op, warnings=tuple(warnings), because=_because(new))


def _because(read: Sequence[_Read]) -> tuple[str, ...]:
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


def meaning(
    state: State, typed: Typed, number: int | None = None, *, scoring: FindScoring = no_scoring
) -> tuple[str, ...]:
    """Return what a line means, table by table: `table 4: Mira 2–1 Tomo`; nothing where all of it is entered already.

    Raises TourneyError as `report` does.
    """
    decision = report(state, [typed], number, scoring=scoring)
    if not isinstance(decision.op, ops.ResultReported):
        return ()
    name, ended = names_of(state), dict(decision.op.ended)
    told = [
        f"table {each.table}: {reported_text(each, name, ended.get(each.table, ''))}"
        for each in decision.op.results
    ]
    return (*told[:-1], "; ".join([told[-1], *decision.because]))


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


def _read(state: State, round_: Round, typed: Sequence[Typed], scoring: FindScoring) -> list[_Read]:
    read: dict[int, _Read] = {}
    faults: list[TourneyError] = []
    for line in typed:
        try:
            with at_place(line.place):
                for each in _read_line(state, round_, line, scoring):
                    _refuse_other(state, round_, each, read, line)
                    read[each.table] = each
        except TourneyError as fault:
            faults.append(fault)
    if faults:
        raise together(faults)
    return list(read.values())


def _read_line(state: State, round_: Round, line: Typed, scoring: FindScoring) -> list[_Read]:
    if line.score and line.scores is None and not line.ended:
        try:
            read = _read_tables(state, round_, line, None)
        except TourneyError:
            pass  # read again below, so that the hint knows how a game can end here
        else:
            if not any(_is_drawn(each.reported) for each in read):
                return read
    return _read_tables(state, round_, line, scoring())


def _read_tables(state: State, round_: Round, line: Typed, scoring: Scoring | Unscored | None) -> list[_Read]:
    numbers, player = _meant(state, round_, line.tables)
    read = []
    for table in (round_.tables[number] for number in numbers):
        slip = _slip(state, round_, table, player, line)
        if scoring is not None:
            slip = dataclasses.replace(slip, points=scoring.example(len(slip.seats)))
        read.append(_in_seat_order(held(slip, line, scoring), table.seats))
    return read


def _is_drawn(reported: TableResult) -> bool:
    """Say whether a table was played to a draw: not agreed upon without play."""
    return reported.note != "id" and any(seat.outcome is Outcome.DRAW for seat in reported.seats)


def _slip(state: State, round_: Round, table: Table, player: PlayerId | None, line: Typed) -> Slip:
    """Return the slip of a table, as `player` tells it where somebody was named."""
    name = names_of(state)
    told = table.seats if player is None else (player, *(each for each in table.seats if each != player))
    return Slip(
        table=table.number,
        seats=told,
        best_of=state.settings.best_of,
        draws=state.settings.draws and round_.stage == "swiss",
        time=line.time or bool(line.ended),
        typed="" if player is None else quoted(str(line.tables)),
        names=tuple(map(name, told)),
        sides=_sides_told(state.settings.sides, table.seats, told),
        entered=table.result is not None,
        earlier=f" --round {round_.number}" if round_ is not state.rounds[-1] else "",
        apart=_apart(state, round_, table.number),
    )


def _in_seat_order(read: _Read, seats: Sequence[PlayerId]) -> _Read:
    by_player = {seat.player: seat for seat in read.reported.seats}
    reported = replace(read.reported, seats=tuple(by_player[each] for each in seats))
    return _Read(reported, read.ended, read.how, read.odd)


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


def quoted(text: str) -> str:
    """Return a word of a command line as a shell must have it.

    >>> quoted("lena"), quoted("Lena Thorn"), quoted("#7")
    ('lena', '"Lena Thorn"', '"#7"')
    """
    return text if re.fullmatch(r"[\w.,-]+", text) else f'"{text}"'


def table_meant(state: State, round_: Round, text: str | int) -> int:
    """Return the one table meant by its number, or by somebody who sits there (a bare number is a table, `#7` a player).

    Raises TourneyError for a table or a player that is not there, and for several tables.
    """
    tables, _ = _meant(state, round_, text)
    if len(tables) != 1:
        raise TourneyError(f"`{text}` is more than one table", "one at a time")
    return tables[0]


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


def _refuse_name(state: State, round_: Round, text: str) -> None:
    """Refuse the number of a table after which a player is called, too."""
    holder = clash(state.players, text)
    if holder is not None and text.strip().isdigit() and int(text) in round_.tables:
        raise TourneyError(
            f"`{text}` may be table {text}, or the player who is called {holder.name} (#{holder.id})",
            f"`{text}..{text}` is the table, `'#{holder.id}'` the player",
        )


def _refuse_other(state: State, round_: Round, each: _Read, read: Mapping[int, _Read], line: Typed) -> None:
    """Refuse a result where another one is entered, or was named before in the same block."""
    name, table = names_of(state), each.table
    if table in read and (read[table].reported, read[table].ended) != (each.reported, each.ended):
        raise TourneyError(f"table {table} is named twice: {read[table].text(name)}, and {each.text(name)}")
    result = round_.tables[table].result
    if result is None or _same(round_, each):
        return
    entered = round_.entered[table]
    raise TourneyError(
        f"{round_.title}, table {table} has another result: {result_text(result, name, round_.notes.get(table, ''))}"
        f" (entered at {clock_time(entered.at)} by {entered.by}, entry {entered.entry})",
        f"`tourney result change {_again(table, line)} SCORE` puts it right",
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
        f"--ended {line.ended}" if line.ended else "",
        "" if number is None else f"--round {number}",
    ]
    return " ".join(filter(None, [quoted(line.score) if line.score else "", *options]))


def _same(round_: Round, each: _Read) -> bool:
    return (
        round_.tables[each.table].result == each.reported.result()
        and round_.notes.get(each.table, "") == each.note
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
    round_, ended = draft.round(op.round), dict(op.ended)
    for reported in op.results:
        round_.enter(reported, at, ended.get(reported.table, ""))


def _say_reported(op: ops.ResultReported, context: LogContext) -> str:
    title = context.title(op.round)
    return f"{title}, {'; '.join(_told(op, context)) or 'no result'}{context.why(op.reason)}"


def _told(op: ops.ResultReported, context: LogContext) -> list[str]:
    ended = dict(op.ended)
    return [
        f"table {each.table}: {reported_text(each, context.name, ended.get(each.table, ''))}"
        for each in op.results
    ]


def _lines_of_reported(op: ops.ResultReported, context: LogContext) -> list[str]:
    """Say a block table by table."""
    title, why = context.title(op.round), context.why(op.reason)
    return [f"{title}, {told}{why}" for told in _told(op, context)]


def _marks_of_reported(op: ops.ResultReported) -> Footprint:
    made = frozenset(("table", op.round, reported.table) for reported in op.results)
    return Footprint(made | {FIELD}, made | {("round", op.round), ("released", op.round)})


def _two_results(op: ops.ResultReported) -> Iterator[str]:
    if len({reported.table for reported in op.results}) < len(op.results):
        yield "a table has two results"
    tables = [table for table, _ in op.ended]
    if len({*tables}) < len(tables) or not {reported.table for reported in op.results}.issuperset(tables):
        yield "it says how a game ended of which it has no result, or says it twice"
    for _, word in op.ended:
        yield from _odd_end(word)


def _odd_end(word: str) -> Iterator[str]:
    if not is_end_word(word):
        yield f"`{word[:40]}` is no word for how a game ended"


def _odd_end_of_change(op: ops.ResultChanged) -> Iterator[str]:
    if op.ended and op.result is None:
        yield "it says how a game ended of which it takes the result away"
    elif op.ended:
        yield from _odd_end(op.ended)


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
    state: State,
    typed: Typed,
    *,
    reason: str | None,
    seal: Sealing,
    number: int | None = None,
    scoring: FindScoring = no_scoring,
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
            _read_line(state, round_, typed, scoring)  # what cannot be entered is not proposed
        raise TourneyError(
            f"{round_.title}, table {table} has no result{' to take away' if taking else ' yet'}",
            None if taking else f"`tourney result add {_again(table, typed)} {_typed_again(typed, number)}`",
        )
    kept = seal.maybe(checked_reason(reason))
    if taking:
        _refuse_built_on(state, round_, table, None, typed)
        return Decision(op=ops.ResultChanged(round=round_.number, table=table, result=None, reason=kept))
    read = _read_line(state, round_, typed, scoring)[0]
    if _same(round_, read):
        return entered_already(state, round_, tables)
    _refuse_built_on(state, round_, table, read.reported, typed)
    op = ops.ResultChanged(
        round=round_.number, table=table, result=read.reported, reason=kept, ended=read.ended
    )
    warnings = [*_against_penalties(state, round_.number, read.reported), *filter(None, [read.odd])]
    return Decision(op=op, warnings=tuple(warnings), because=_because([read]))


def _refuse_built_on(
    state: State, round_: Round, table: int, reported: TableResult | None, typed: Typed
) -> None:
    """Refuse to change who went on from a match of a bracket whose next round is paired; the score may be put right."""
    later = state.rounds[round_.number :]
    result = round_.tables[table].result
    if round_.stage != "cut" or not later:
        return
    if reported is not None and result is not None and _goes_on(result) == _goes_on(reported.result()):
        return
    entered = sum(each.result is not None for after in later for each in after.tables.values())
    back = "`tourney round cancel`" if len(later) == 1 else f"`tourney round cancel` {len(later)} times"
    lost = f" ({counted(entered, 'result')} with it)" if entered else ""
    again = f"`tourney result change {_again(table, typed)} {_typed_again(typed, None)}`"
    raise TourneyError(
        f"the bracket went on from {in_a_sentence(round_.title)}",
        f"in this order: {back}{lost}, {again}, `tourney round pair`",
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
    round_ = draft.round(op.round)
    if op.result is not None:
        round_.enter(op.result, at, op.ended)
        return
    table = round_.tables[op.table]
    round_.forget(op.table)
    round_.seat((Seating(table.number, table.seats),), ())


def _say_result_changed(op: ops.ResultChanged, context: LogContext) -> str:
    title = f"{context.title(op.round)}, table {op.table}"
    if op.result is None:
        return f"{title}: the result was taken away{context.why(op.reason)}"
    return f"{title} was changed: {reported_text(op.result, context.name, op.ended)}{context.why(op.reason)}"


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
        alone=_odd_end_of_change,
        misfits=_odd_change,
    ),
)
"""What can happen here, in the order of `tourney.event.ops`."""


# -- how a result is typed, and what it means


_LINE_OPTIONS = ("--score", "--ended")
_TABLES = re.compile(r"[\d.,\s]+")
_DASH = re.compile(r"\s*[-:]\s*")
_GAMES = re.compile(r"(\d{1,4})-(\d{1,4})(?:-(\d{1,4}))?")
_NO_SHOW = re.compile(r"(ff|forfeit)([1-9])")
_ABSENT, _RULED = "ff", "forfeit"
"""How a player who did not show is typed, and how a forfeit by a ruling is."""

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
    points:  victory points as a game can end with, for an example; empty where nothing is known of them
    entered: whether it has a result already; earlier: ` --round 2` where it is not of the current round
    apart:   at a table of three and more, how many of the first places nobody may share
    drawn_by: by which ends alone a game is drawn here; empty: by whatever
    """

    table: int
    seats: tuple[PlayerId, ...]
    best_of: int = 1
    draws: bool = True
    time: bool = False
    typed: str = ""
    names: tuple[str, ...] = ()
    sides: tuple[str, ...] = ()
    points: tuple[int, ...] = ()
    entered: bool = False
    earlier: str = ""
    apart: int = 0
    drawn_by: tuple[str, ...] = ()

    def command(self, score: str) -> str:
        """Return the command that enters a score here."""
        typed = f"{self.typed or self.table} {score}{self.earlier}"
        return f"`tourney result change {typed}`" if self.entered else f"`tourney result add {typed}`"

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
        if self.drawn_by and self.best_of == 1:
            drawn = [*(f"= --ended {word}" for word in self.drawn_by), "id"] if self.draws else []
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
    _refuse_open(slip, text, result)
    if not slip.draws and any(seat.outcome is Outcome.DRAW for seat in result.seats):
        raise TourneyError(
            f"table {slip.table}: `{text}` is a draw, and this match needs a winner",
            f"with the game that decided it: `{slip.needed}-{slip.decided - slip.needed}`"
            if len(slip.seats) == 2
            else None,
        )
    return _with_scores(slip, result, scores)


def _refuse_open(slip: Slip, text: str, result: TableResult) -> None:
    """Refuse a result of a table of three and more that leaves open who goes on from it."""
    places = [seat.place for seat in result.seats if seat.outcome.played]
    shared = next((place for place in sorted(places)[: slip.apart] if places.count(place) > 1), None)
    if (
        len(slip.seats) < 3
        or shared is None
        or all(seat.outcome is Outcome.DOUBLE_LOSS for seat in result.seats)
    ):
        return
    going = "who has won" if slip.apart == 1 else f"which {slip.apart} go on"
    raise TourneyError(
        f"table {slip.table}: `{text}` shares place {shared}, and the bracket has to know {going}",
        f"{'place 1 for one player alone' if slip.apart == 1 else f'places 1 to {slip.apart} for one player each'}: "
        f"{slip.places}",
    )


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
    if typed in {_ABSENT, _RULED}:
        ruled: Literal["", "ruling"] = "ruling" if typed == _RULED else ""
        return _table(slip, [Outcome.FORFEIT_LOSS] * len(slip.seats), note=ruled)
    return None


def _level(slip: Slip, *, drawn: int, note: Literal["", "id"] = "") -> TableResult:
    return _table(slip, [Outcome.DRAW] * len(slip.seats), drawn=drawn, note=note)


def _two(slip: Slip, typed: str) -> TableResult | None:
    if typed in {"w", "l"}:
        won = (slip.needed, 0) if typed == "w" else (0, slip.needed)
        return _from_games(slip, won, 0)
    if no_show := _NO_SHOW.fullmatch(typed):
        return _one_missing(slip, no_show[1], int(no_show[2]))
    if games := _GAMES.fullmatch(typed):
        won, drawn = (int(games[1]), int(games[2])), int(games[3] or 0)
        _refuse_impossible(slip, won, drawn)
        return _from_games(slip, won, drawn)
    return None


def _one_missing(slip: Slip, word: str, seat: int) -> TableResult:
    if seat > 2:
        raise TourneyError(
            f"table {slip.table} has two seats, so there is no `{word}{seat}`", f"`{word}1` or `{word}2`"
        )
    outcomes, places = [Outcome.FORFEIT_WIN, Outcome.FORFEIT_WIN], [1, 1]
    outcomes[seat - 1], places[seat - 1] = Outcome.FORFEIT_LOSS, 2
    return _table(slip, outcomes, places=places, note="ruling" if word == _RULED else "")


def _refuse_impossible(slip: Slip, won: tuple[int, int], drawn: int) -> None:
    score = f"{won[0]}–{won[1]}" + (f"–{drawn}" if drawn else "")
    typed = score.replace("–", "-")
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
            f"`--time` if time was called: {slip.command(f'{typed} --time')}",
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
    if not all(
        part in {_ABSENT, _RULED} or (part.isascii() and part.isdigit() and len(part) < 3) for part in parts
    ):
        return None
    if len(parts) == 1 and len(slip.seats) == 2:
        return None
    if len(parts) != len(slip.seats):
        raise TourneyError(
            f"table {slip.table} has {len(slip.seats)} seats, `{typed}` gives {len(parts)} {'place' if len(parts) == 1 else 'places'}",
            f"{slip.places}; shared places are equal, `{','.join(map(str, [1, 1, *range(3, len(slip.seats) + 1)]))}`",
        )
    away = {part for part in parts if part in {_ABSENT, _RULED}}
    if len(away) > 1:
        raise TourneyError(
            f"table {slip.table}: `{typed}` has somebody who did not show and somebody who forfeits: only one of the two can be noted of a table",
            f"`{_RULED}` for both, where a judge ruled so: `{typed.replace(_ABSENT, _RULED)}`",
        )
    placed = _from_places(slip, [None if part in away else int(part) for part in parts], *away)
    return msgspec.structs.replace(placed, note="ruling") if _RULED in away else placed


def _from_places(slip: Slip, places: list[int | None], away: str = "") -> TableResult:
    taken = sorted(place for place in places if place is not None)
    right = [taken.index(place) + 1 for place in taken]
    if taken != right:
        typed = ",".join(away if place is None else str(place) for place in places)
        hint = ",".join(away if place is None else str(taken.index(place) + 1) for place in places)
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
    note: Literal["", "id", "time", "ruling"] = "",
) -> TableResult:
    none = [0] * len(slip.seats)
    rows = zip(slip.seats, outcomes, places or [1] * len(slip.seats), games or none, strict=True)
    return TableResult(slip.table, tuple(SeatResult(*row) for row in rows), drawn, note)


def _with_scores(slip: Slip, result: TableResult, scores: str | None) -> TableResult:
    if scores is None:
        return result
    numbers = _numbers(slip, scores)
    seats = (
        SeatResult(seat.player, seat.outcome, seat.place, seat.games, number)
        for seat, number in zip(result.seats, numbers, strict=True)
    )
    return TableResult(result.table, tuple(seats), result.drawn_games, result.note)


def _numbers(slip: Slip, scores: str) -> list[int]:
    parts = [part.strip() for part in typed_plainly(scores).split(",")]
    example = [*(slip.points or (32, 18, 25, 7))[: min(len(slip.seats), 4)], *["…"][: len(slip.seats) - 4]]
    if len(parts) != len(slip.seats) or not all(re.fullmatch(r"-?\d{1,9}", part) for part in parts):
        raise TourneyError(
            f"table {slip.table}: `{scores}` is not a score for each of its {len(slip.seats)} seats",
            f"whole numbers {slip.order}, `--score {','.join(map(str, example))}`",
        )
    return [int(part) for part in parts]


# -- scores held against the game


def held(slip: Slip, line: Typed, scoring: Scoring | Unscored | None) -> _Read:
    """Read what was typed for the table of `slip`, and hold it against the game's own score.

    Raises TourneyError for what is no result, and for one that the game does not know.
    """
    if scoring is not None:
        from tourney.rules.scoring import Unscored

        if isinstance(scoring, Unscored):
            return _unscored(slip, line, scoring)
    ended = _ended(slip, scoring, line)
    if not line.score:
        return _found(slip, line, scoring, ended)
    result = read_score(slip, line.score, line.scores)
    if ended and ended != "time":
        result = replace(result, note="")  # where the match is not finished, this is why
    kept = "" if ended == "time" and (slip.best_of > 1 or result.note) else ended
    playing = tuple(number for number, seat in enumerate(result.seats) if seat.outcome in _PLAYED)
    _refuse_without_play(slip, result)
    if len(playing) < 2:
        return _Read(result, kept)
    if scoring is None or line.scores is None:
        _refuse_other_end(slip, result, playing, scoring, ended)
        return _Read(result, kept)
    scores = tuple(result.seats[seat].score or 0 for seat in playing)
    game = _Game(slip=slip, line=line, scoring=scoring, ended=ended, playing=playing, scores=scores)
    game.refuse_no_score()
    if slip.best_of > 1 or (result.note == "id" and not game.said.reached):
        return _Read(result, kept)
    first = tuple(index for index, seat in enumerate(playing) if result.seats[seat].place == 1)
    if not game.said.allows(first):
        game.refuse_winner(first)
    odd = _odd_places(slip, result)
    if game.said.reached:
        how = "" if game.said.found else f"{game.said.how}, and {game.name(first[0])} was first"
        return _Read(result, how=how, odd=odd)
    return _Read(result, ended, game.said.how if ended else "", odd)


_PLAYED = frozenset({Outcome.WIN, Outcome.LOSS, Outcome.DRAW})


def _unscored(slip: Slip, line: Typed, game: Unscored) -> _Read:
    """Read the result of a game that counts no score. Raises TourneyError for a score, and for a draw that it does not know."""
    slip = dataclasses.replace(slip, drawn_by=tuple(end.word for end in game.drawn_by))
    if line.scores is not None:
        forms = slip.forms if len(slip.seats) == 2 else f"the {slip.places}"
        raise TourneyError(
            f"table {slip.table}: {game.no_score}",
            "leave out `--score`" if line.score else f"type the result without `--score`: {forms}",
        )
    read = held(slip, line, None)
    if slip.drawn_by and slip.best_of == 1 and not read.ended and _is_drawn(read.reported):
        words = listed((slip.command(f"= --ended {word}") for word in slip.drawn_by), "or")
        agreed = f"; {slip.command('id')} if it was agreed upon without play"
        raise TourneyError(f"table {slip.table}: {game.when_drawn}", f"{words} if so{agreed}")
    return read


def _refuse_without_play(slip: Slip, result: TableResult) -> None:
    """Refuse a score of whoever did not play, and of a table where nobody could."""
    absent = [seat.outcome is Outcome.FORFEIT_LOSS for seat in result.seats]
    alone = len(absent) - sum(absent) < 2
    for number, seat in enumerate(result.seats):
        if seat.score and any(absent) and (absent[number] or alone):
            away = number if absent[number] else absent.index(True)
            name = slip.names[away] if slip.names else f"seat {away + 1}"
            how = "forfeits without play" if result.note == "ruling" else "did not show"
            raise TourneyError(
                f"table {slip.table}: {name} {how}, so nobody has a score of {seat.score}"
                if alone
                else f"table {slip.table}: {name} {how}, so {name} has no score of {seat.score}",
                "leave out `--score`, or type the result of a game that was played"
                if alone
                else "0 for whoever did not play",
            )


def _refuse_other_end(
    slip: Slip, result: TableResult, playing: Sequence[int], scoring: Scoring | None, ended: str
) -> None:
    """Refuse a result without a score that cannot come of how the game is said to have ended."""
    from tourney.rules.scoring import USUAL_ENDS, cited

    if not ended or slip.best_of > 1:
        return
    end = scoring.ends[ended] if scoring else next(each for each in USUAL_ENDS if each.word == ended)
    first = [seat for seat in playing if result.seats[seat].place == 1]
    if end.wins == "nobody" and len(first) < len(playing):
        name = slip.names[first[0]] if slip.names else f"seat {first[0] + 1}"
        raise TourneyError(
            f"table {slip.table}: {end.says}{cited(end.cite)}: it is not won by {name}",
            f"{slip.command(f'= --ended {ended}')}, or leave out `--ended`",
        )
    if end.wins != "nobody" and not end.draw and len(first) > 1:
        raise TourneyError(
            f"table {slip.table}: {end.says}{cited(end.cite)}, so somebody has won: it is not drawn",
            "type who has won, or leave out `--ended`",
        )


def _ended(slip: Slip, scoring: Scoring | None, line: Typed) -> str:
    """Return the word of how the game ended otherwise; empty where nothing was said. Raises TourneyError for no such end."""
    word = typed_plainly(line.ended).strip().lower()
    if not word:
        return "time" if line.time else ""
    from tourney.rules.scoring import USUAL_ENDS

    ends = [end.word for end in USUAL_ENDS] if scoring is None else [*scoring.ends]
    if word not in ends:
        raise TourneyError(
            f"table {slip.table}: `{line.ended}` is no way in which a game ends here",
            f"`--ended` takes {listed(ends, 'or')}",
        )
    if line.time and word != "time":
        raise TourneyError(
            f"table {slip.table}: it ended by {word}, or by time", "leave out `--time` or `--ended`"
        )
    return word


def _found(slip: Slip, line: Typed, scoring: Scoring | None, ended: str) -> _Read:
    """Find from the score alone who has won. Raises TourneyError where it does not tell."""
    if line.scores is None:
        return _Read(read_score(slip, ""))  # which says what a result is
    forms = slip.forms if len(slip.seats) == 2 else f"the {slip.places}"
    numbers = _numbers(slip, line.scores)
    if scoring is None:
        raise TourneyError(
            f"table {slip.table}: the score alone does not tell here who has won",
            f"type the result before it: {forms}",
        )
    if slip.best_of > 1:
        raise TourneyError(
            f"table {slip.table}: one score does not decide a match of {slip.best_of} games",
            f"type the games won before it: {forms}",
        )
    everybody = tuple(range(len(slip.seats)))
    game = _Game(slip=slip, line=line, scoring=scoring, ended=ended, playing=everybody, scores=tuple(numbers))
    game.refuse_no_score()
    said = game.said
    if not said.found or (len(said.first) > 1 and not slip.draws):
        game.refuse_open()
    result = read_score(slip, _as_typed(slip, numbers, said), line.scores)
    return _Read(result, "" if said.reached else ended, said.how)


def _as_typed(slip: Slip, numbers: Sequence[int], said: Said) -> str:
    """Return a result that the score tells as it would have been typed."""
    from tourney.rules.scoring import places

    if len(said.first) == len(slip.seats):
        return "d"
    if len(slip.seats) == 2:
        return "wl"[said.first[0]]
    return ",".join(map(str, places(numbers, said.first)))


def _odd_places(slip: Slip, result: TableResult) -> str:
    """Say where somebody stands behind a lower score, below the first place: no game's text orders those."""
    rest = [(seat, name) for seat, name in zip(result.seats, slip.names, strict=False) if seat.place > 1]
    for seat, name in rest:
        for other, other_name in rest:
            if (seat.score or 0) > (other.score or 0) and seat.place > other.place:
                return f"table {result.table}: {name} with {seat.score} stands behind {other_name} with {other.score}"
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Game:
    """A game with its scores, as they were typed.

    playing: the seats between which it was played; scores: theirs; ended: how it ended, where not by the score
    """

    slip: Slip
    line: Typed
    scoring: Scoring
    ended: str
    playing: tuple[int, ...]
    scores: tuple[int, ...]

    @property
    def said(self) -> Said:
        """What the scores say of who has won."""
        return self.scoring.say(self.scores, self.ended)

    def name(self, index: int) -> str:
        """Name one of those who played."""
        seat = self.playing[index]
        return self.slip.names[seat] if self.slip.names else f"seat {seat + 1}"

    def refused(self, fault: str, hint: str) -> TourneyError:
        return TourneyError(f"table {self.slip.table}: {fault}", hint)

    def typed(self, result: str, ended: str = "") -> str:
        """Return the command that enters these scores, with a result or without, and with how the game ended."""
        parts = [result, f"--score {self.line.scores}", f"--ended {ended}" if ended else ""]
        return self.slip.command(" ".join(filter(None, parts)))

    def winning(self, index: int) -> str:
        """Return how it is typed that one of those who played has won."""
        seat, seats = self.playing[index], len(self.slip.seats)
        if seats == 2:
            return ("1-0", "0-1")[seat]
        others = iter(range(2, seats + 1))
        return ",".join("1" if number == seat else str(next(others)) for number in range(seats))

    def refuse_no_score(self) -> None:
        """Refuse scores that nobody can have, and more of them at the goal than there can be."""
        faults = [self.scoring.impossible(score, len(self.scores)) for score in self.scores]
        for fault in [*faults, self.scoring.too_many(self.scores)]:
            if fault is not None:
                raise self.refused(fault, "look at the slip again")

    def refuse_open(self) -> NoReturn:
        """Refuse scores that do not tell who has won, and say how that is typed."""
        said = self.said
        if said.first and said.drawn != "must":
            question = "who was first is to be typed" if said.reached else "who has won is to be typed"
            example = self.typed(self.winning(said.first[0]), "" if said.reached else self.ended)
            raise self.refused(f"{said.how}: {question}", f"{example}, if it was {self.name(said.first[0])}")
        alone, typed = [], []
        for word in self.scoring.ends:
            each = self.scoring.say(self.scores, word)
            if each.found and (self.slip.draws or len(each.first) == 1):
                alone.append(f"`--ended {word}`")
            elif not each.found:
                typed.append(f"`--ended {word}`")
        example = self.typed(self.winning(0), "concession")
        first = f"{listed(alone, 'or')}; with who has won " if alone else "with who has won "
        needs = ": this match needs a winner" if said.first else ""
        raise self.refused(
            f"{said.how}{needs}",
            f"how the game ended otherwise: {first}{listed(typed, 'or')}, as {example}",
        )

    def refuse_winner(self, first: tuple[int, ...]) -> NoReturn:
        """Refuse a typed result that the scores contradict. first: who was typed as the first, of those who played."""
        said = self.said
        typed = "it is not drawn" if len(first) > 1 else f"it is not won by {self.name(first[0])}"
        words = [word for word in self.scoring.ends if self.scoring.say(self.scores, word).allows(first)]
        otherwise = listed((f"`--ended {word}`" for word in words), "or")
        if not said.first:
            raise self.refused(f"{said.how}: {typed} yet", f"how the game ended otherwise: {otherwise}")
        if said.drawn == "must":
            drawn = f"{self.typed('=', self.ended)} if so; else " if self.slip.draws else ""
            raise self.refused(f"{said.how}: {typed}", f"{drawn}{otherwise}")
        if len(said.first) > 1:
            who = "one of them has" if said.reached else "somebody has"
            raise self.refused(f"{said.how}, so {who} won: {typed}", f"type who has won; else {otherwise}")
        found = self.typed("", "" if said.reached else self.ended)
        finds = f"{found} finds the winner; " if len(self.scores) == len(self.slip.seats) else ""
        raise self.refused(
            f"{said.how}, so {self.name(said.first[0])} has won: {typed}",
            f"{finds}{otherwise} if it is so all the same",
        )


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
        f"there are tables {tables_text(numbers)}"
        if len(numbers) > 1
        else f"there is only table {numbers[0]}"
    )
