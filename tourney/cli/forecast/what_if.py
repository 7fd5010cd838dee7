"""`tourney forecast what-if`: other results, a player gone, other rules, more rounds; nothing is written."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import click

from tourney.cli.command import command
from tourney.cli.forecast.chances import Estimate, PlayRequest, playing_on, usual_runs
from tourney.cli.forecast.cut import (
    before_the_event,
    cut_size,
    question_of,
    size_of_cut,
    talk_of_cut,
)
from tourney.cli.options import players, profiles, round_number
from tourney.cli.session import Session
from tourney.cli.standings.results import RankedResults, StandingsRequest, asking
from tourney.errors import TourneyError
from tourney.event.results import read_result
from tourney.event.score import Slip, is_table_list, parse_line, parse_tables, shell_word
from tourney.forecast.documents import (
    WhatIfEstimates,
    WhatIfForecast,
    WhatIfPlace,
    WhatIfPlayer,
    WhatIfProfiles,
    left_text,
)
from tourney.forecast.shares import interval_text, share_text
from tourney.forecast.what_if import Move, Place, Side, TableAt, changed, side_by_side
from tourney.record import Result
from tourney.wording import counted, listed, listed_short

if TYPE_CHECKING:
    from tourney.forecast.shares import Share
    from tourney.forecast.simulation import Chances
    from tourney.record import PlayerId, Table


@command(
    "what-if",
    event=True,
    examples=[
        'tourney forecast what-if --result "4 2-0" --cut 8',
        'tourney forecast what-if --result "Mira 2-1" --result "7 0-2" --round 3 --cut 8',
        "tourney forecast what-if --drop Mira --cut 8",
        "tourney forecast what-if --under mtr --from results.csv --cut 8",
        "tourney forecast what-if --more 1 --cut 8 --draws 3",
    ],
)
@asking
@click.option(
    "--result",
    "lines",
    metavar="TEXT",
    multiple=True,
    help='A table and how it ends, typed as for `result add`: "4 2-1", "Mira 2-0"; several times for several.',
)
@round_number
@click.option(
    "--drop",
    "dropped",
    metavar="PLAYER",
    multiple=True,
    shell_complete=players,
    help="A player who leaves after the last round; several times for several.",
)
@click.option("--under", metavar="NAME|FILE", shell_complete=profiles, help="Other rules that rank.")
@click.option("--more", metavar="N", type=click.IntRange(1, 99), help="So many rounds more than planned.")
@cut_size
@click.option("--exact", is_flag=True, help="Only what is exact: nothing is estimated.")
@playing_on
def what_if_(
    session: Session,
    *,
    lines: tuple[str, ...],
    round_number: int | None,
    dropped: tuple[str, ...],
    under: str | None,
    more: int | None,
    cut: int | None,
    exact: bool,
    request: StandingsRequest,
    play_request: PlayRequest,
) -> None:
    """Show standings and cut as they are and as they would be, side by side, and who moves in or out. Nothing is written.

    Rounds that were paired after a changed result stay as they were paired. In and out are what is proved, as `tourney
    forecast cut` says it, whatever open tables and rounds to come end in; level is where a lot would decide. What is open is
    estimated by playing the rest many times, with the same luck on both sides: a chance rises or falls where the intervals
    lie apart.
    """
    if not (lines or dropped or under or more):
        raise click.UsageError("what is to be different? `--result`, `--drop`, `--under` or `--more`")
    now, base = request.read_under(session, [request.profile, under or request.profile])
    if not now.record.rounds:
        raise TourneyError("no round is paired yet", before_the_event(now))
    size = size_of_cut(now, cut)
    results = _read_results(base, lines, round_number)
    leaving = list(dict.fromkeys(base.find(name) for name in dropped))
    then = _changed(base, results, leaving, more or 0, play_request.rounds)
    changes = [*_result_lines(base, results, round_number), *_other_lines(base, leaving, under, more)]
    looking = _Looking(session=session, cut=size, play=None if exact else play_request)
    before = looking.at(now, play_request.rounds)
    answer = _Answer(
        cut=size,
        changes=changes,
        now=before,
        then=looking.at(
            then,
            then.planned,
            leaving=leaving,
            chances=before.estimate.chances if before.estimate else None,
        ),
    )
    if session.json:
        session.emit(answer.document())
    else:
        answer.print(session)


# -- What is different


class _Line(Slip):
    """A table with an assumed result."""

    __slots__ = ()

    def command(self, score: str) -> str:
        """Return the option for another score."""
        return f'`--result "{self.named.strip(chr(34)) or self.table} {score}"`'


def _read_results(results: RankedResults, lines: Sequence[str], number: int | None) -> dict[TableAt, Result]:
    """Parse the results. Raises TourneyError for a text that is not a result, and for an unknown table."""
    rounds = results.record.rounds
    at = len(rounds) if number is None else number
    if lines and not 0 < at <= len(rounds):
        raise TourneyError(f"there is no round {at}: {counted(len(rounds), 'round')} so far")
    found: dict[TableAt, Result] = {}
    for line in lines:
        report = parse_line(line)
        if report is None:
            raise click.UsageError('--result takes a table and how it ends: `--result "4 2-1"`')
        tables, viewer = _find_tables(results, str(report.tables), rounds[at - 1], at)
        for table in tables:
            seats = table.seats if viewer is None else (viewer, *(p for p in table.seats if p != viewer))
            best_of, draws, drawn = _form(results)
            slip = _Line(
                table=table.number,
                seats=seats,
                best_of=best_of,
                draws=draws,
                drawn_game=drawn,
                named="" if viewer is None else shell_word(str(report.tables)),
                names=tuple(map(results.name, seats)),
            )
            result = read_result(slip, report).result
            result = Result(tuple(map(result.seat_of, table.seats)), result.drawn_games)
            if found.setdefault(TableAt(at, table.number), result) != result:
                raise TourneyError(f"table {table.number} is to end in two ways", "name it once")
    return found


def _find_tables(
    results: RankedResults, text: str, tables: Sequence[Table], number: int
) -> tuple[list[Table], PlayerId | None]:
    """Return the tables that are named, and the player if the result is from a player's point of view."""
    if is_table_list(text):
        by_number = {table.number: table for table in tables}
        return [by_number[table] for table in parse_tables(text, sorted(by_number))], None
    player = results.find(text)
    own = [table for table in tables if player in table.seats]
    if not own:
        raise TourneyError(f"{results.name(player)} has no table in round {number}")
    return own, player


def _form(results: RankedResults) -> tuple[int, bool, Any]:
    """Return the games of a match (three if unknown), whether it may be drawn, and what a drawn game is."""
    form = results.form()
    seen = any(table.result for tables in results.record.rounds for table in tables)
    return form.best_of if seen or results.match[0] else 3, form.draws, form.drawn


def _changed(
    results: RankedResults,
    given: Mapping[TableAt, Result],
    leaving: Sequence[PlayerId],
    more: int,
    rounds: int | None,
) -> RankedResults:
    record = results.record
    # A player without a table in a file's last round only seems to have left, so --drop can make it certain.
    seem_gone = frozenset() if results.of_event else frozenset(record.drops)
    for player in leaving:
        if player in {*results.gone, *record.drops, *record.disqualified} - seem_gone:
            raise TourneyError(f"{results.name(player)} has left already")
    if more and results.system == "round-robin":
        raise TourneyError(f"the number of rounds follows from the system: {results.system}")
    played, known = len(record.rounds), record.planned_rounds
    planned = rounds or results.planned
    if more:
        now = len(results.next_rounds(planned))
        planned = max(planned or 0, played) + more
        if len(results.next_rounds(planned)) != now + more:
            raise TourneyError("the cut is made: no round comes before it any more")
    staying = [player for player in leaving if player not in seem_gone]
    record = changed(record, results=given, dropped=staying)
    if given or staying:
        record = results.without(record, staying)
    return replace(
        results,
        record=replace(record, planned_rounds=known + more if known else known),
        gone=results.gone | set(leaving),
        planned=planned,
    )


def _result_lines(
    results: RankedResults, given: Mapping[TableAt, Result], number: int | None
) -> Iterator[str]:
    from tourney.event.phrases import result_text

    for at, result in given.items():
        table = next(table for table in results.record.rounds[at.round - 1] if table.number == at.table)
        instead = f", not {result_text(table.result, results.name)}" if table.result else ""
        where = f"table {at.table}" + (f" of round {at.round}" if number else "")
        yield f"{where}: {result_text(result, results.name)}{instead}"


def _other_lines(
    results: RankedResults, leaving: Sequence[PlayerId], under: str | None, more: int | None
) -> Iterator[str]:
    if leaving:
        yield f"{listed(map(results.name, leaving))} left after round {len(results.record.rounds)}"
    if under:
        yield f"ranked under {results.profile.name}"
    if more:
        yield f"{counted(more, 'round')} more"


# -- Both sides of it


@dataclass(frozen=True, kw_only=True)
class _Looked:
    """One side, and how likely its cut is. estimate: None if nothing is open, or nothing was to be estimated."""

    results: RankedResults
    side: Side
    estimate: Estimate | None

    def chance(self, player: PlayerId) -> Share | None:
        """Return how likely the cut is for a player; None if the verdict is proved, or nothing was estimated."""
        outlook = self.side.outlooks.get(player)
        if self.estimate is None or outlook is None or outlook.now != "open":
            return None
        return self.estimate.counts.chance(player)

    def word(self, player: PlayerId, place: Place | None, *, intervals: bool) -> str:
        """Return the verdict on a player: `in`, `out`, `level`, `open`, or the estimate if it is open."""
        if place is None:
            return "out"
        share = self.chance(player)
        if share is not None:
            text = {0.0: "no run", 1.0: "all runs"}.get(share.share) or share_text(share)
            return text + (f" ({interval_text(share)})" if intervals else "")
        if place.stands == "open" and player in self.side.question.perhaps_gone:
            return left_text(seems_gone=player in self.results.seem_gone)
        return place.stands

    def document(self, player: PlayerId, place: Place | None) -> WhatIfPlace | None:
        """Return a place for `--json`."""
        if place is None:
            return None
        estimate = self.estimate if self.estimate and player in self.estimate.staying else None
        outlook = self.side.outlooks.get(player)
        proved = outlook.now if outlook else "out"
        return WhatIfPlace(
            rank=place.rank,
            points=place.points // 2 if place.points % 2 == 0 else place.points / 2,
            cut=place.cut,
            proved=None if self.side.over else proved,
            stands=place.stands,
            estimate=estimate.counts.chance(player) if estimate else None,
        )


@dataclass(frozen=True, kw_only=True)
class _Looking:
    """How both sides are worked out. play: how the rest is played; None: nothing is estimated."""

    session: Session
    cut: int
    play: PlayRequest | None

    def at(
        self,
        results: RankedResults,
        rounds: int | None,
        *,
        leaving: Collection[PlayerId] = (),
        chances: Chances | None = None,
    ) -> _Looked:
        """Work out a side.

        rounds:  the number of rounds
        leaving: players who leave for certain
        chances: how tables end, if the other side was estimated
        """
        question = question_of(results.with_rounds(rounds), self.cut)
        perhaps = [player for player in question.perhaps_gone if player not in leaving]
        side = Side.of(replace(question, perhaps_gone=perhaps), seed=results.seed)
        estimate = None
        is_open = any(outlook.now == "open" for outlook in side.outlooks.values())
        if self.play is not None and is_open and not side.over:
            usual = min(_RUNS, usual_runs(len(results.record.players), results.next_rounds(rounds)))
            often = replace(self.play, rounds=rounds, runs=self.play.runs or usual)
            estimate = often.estimate(self.session, results, self.cut, chances)
        return _Looked(results=results, side=side, estimate=estimate)


_RUNS = 1_000


@dataclass(frozen=True, kw_only=True)
class _Answer:
    """Both sides. changes: the differences, in words."""

    cut: int
    changes: Sequence[str]
    now: _Looked
    then: _Looked

    @cached_property
    def moves(self) -> Sequence[Move]:
        """The two places of every player, in the order of the changed standings."""
        return side_by_side(self.now.side, self.then.side)

    def chance_moves(self, player: PlayerId) -> Literal["rises", "falls"] | None:
        """Return how a player's chance changes, if it is estimated on both sides and the intervals lie apart."""
        was, would = self.now.chance(player), self.then.chance(player)
        if was is None or would is None or (was.low <= would.high and would.low <= was.high):
            return None
        return "rises" if would.low > was.high else "falls"

    # -- in words

    def print(self, session: Session) -> None:
        """Print both sides, then who moves."""
        for change in self.changes:
            session.say(f"what if: {change}")
        session.say()
        headers, rows = self._table()
        narrow = not session.fits(headers, rows, right=_RIGHT)
        if narrow:
            session.table(*self._narrow_table(), right=(0, 2))
        else:
            session.table(headers, rows, right=_RIGHT)
        session.say()
        for line in self._move_lines():
            session.say(line)
        talk_of_cut(session, self.now.results, self.cut)
        estimate = self.then.estimate or self.now.estimate
        if estimate is not None:
            sides_played = " for each side" if self.now.estimate and self.then.estimate else ""
            runs = (
                f"percentages are estimates of what is open, from {estimate.counts.runs:,} runs{sides_played}"
            )
            if narrow:
                runs += "; a wider terminal shows their intervals"
            session.talk("\n" + "\n".join([runs, *estimate.lines]))

    def _table(self) -> tuple[list[str], list[list[object]]]:
        """Return headers and rows."""
        headers = ["now", "then", "player", "points", f"top {self.cut} now", f"top {self.cut} then", ""]
        return _without_empty_end(headers, [[*self._places(move), *self._cells(move)] for move in self.moves])

    def _narrow_table(self) -> tuple[list[str], list[list[object]]]:
        """Return the same for a narrow terminal: without intervals, and a place that stays is shown once."""
        rows: list[list[object]] = [
            [
                " → ".join(str(place or "–") for place in dict.fromkeys(self._places(move))),
                *self._cells(move, intervals=False),
            ]
            for move in self.moves
        ]
        return _without_empty_end(["place", "player", "points", f"top {self.cut}", "then", ""], rows)

    def _places(self, move: Move) -> tuple[int | str, int | str]:
        return (move.before and move.before.rank) or "", (move.after and move.after.rank) or ""

    def _cells(self, move: Move, *, intervals: bool = True) -> list[object]:
        return [
            self.now.results.name(move.player),
            self._points(move),
            self.now.word(move.player, move.before, intervals=intervals),
            self.then.word(move.player, move.after, intervals=intervals),
            self._move_text(move),
        ]

    def _points(self, move: Move) -> str:
        if move.before and move.after and move.before.points == move.after.points:
            return self.now.results.profile.points_text(move.before.points)  # rules may write them otherwise
        texts = [
            looked.results.profile.points_text(place.points) if place else "–"
            for looked, place in ((self.now, move.before), (self.then, move.after))
        ]
        return " → ".join(texts)

    def _move_text(self, move: Move) -> str:
        if move.across:
            return {"in": "moves in", "out": "moves out"}.get(move.across, f"now {move.across}")
        return self.chance_moves(move.player) or ""

    def _move_lines(self) -> Iterator[str]:
        """Yield who moves by what is proved, and whose estimated chance changes."""
        across = self._names(lambda move: move.across)
        said = [
            f"{listed_short(names)} {_MOVES[word][len(names) > 1]}"
            for word in _MOVES
            if (names := across.get(word))
        ]
        playing = not (self.now.side.over and self.then.side.over)
        by = ", by what is proved" if playing else ""
        still = sum(
            move.across is None and move.after is not None and move.after.stands == "open"
            for move in self.moves
        )
        if not said:
            said = ["nobody moves in or out"]
            if still:
                said.append(f"{counted(still, 'player')} {'stays' if still == 1 else 'stay'} open")
        yield f"top {self.cut}{by}: {'; '.join(said)}"
        if self.now.estimate and self.then.estimate:
            chances = self._names(lambda move: self.chance_moves(move.player))
            told = [
                f"{'better' if word == 'rises' else 'worse'} for {listed_short(names)}"
                for word in ("rises", "falls")
                if (names := chances.get(word))
            ]
            yield f"chances, as estimated: {'; '.join(told) or 'nobody’s moves by more than the intervals tell apart'}"

    def _names(self, word_of: Callable[[Move], str | None]) -> dict[str, list[str]]:
        """Return the players' names by the word for each, without players who have none."""
        by_word: dict[str, list[str]] = {}
        for move in self.moves:
            if word := word_of(move):
                by_word.setdefault(word, []).append(self.now.results.name(move.player))
        return by_word

    def document(self) -> WhatIfForecast:
        """Return the document for `--json`."""
        now, then = self.now, self.then
        return WhatIfForecast(
            cut=self.cut,
            after=len(now.results.record.rounds),
            changes=tuple(self.changes),
            profiles=WhatIfProfiles(now.results.profile.name, then.results.profile.name),
            players=tuple(
                WhatIfPlayer(
                    player=now.results.names[move.player],
                    number=move.player,
                    now=now.document(move.player, move.before),
                    then=then.document(move.player, move.after),
                    moves=move.across,
                    chance=self.chance_moves(move.player),
                )
                for move in self.moves
            ),
            estimate=WhatIfEstimates(
                now.estimate.played if now.estimate else None,
                then.estimate.played if then.estimate else None,
            ),
        )


_RIGHT = (0, 1, 3)


def _without_empty_end(headers: list[str], rows: list[list[object]]) -> tuple[list[str], list[list[object]]]:
    """Return a table without its last column if that is empty."""
    shown = len(headers) if any(row[-1] for row in rows) else len(headers) - 1
    return headers[:shown], [row[:shown] for row in rows]


_MOVES: Mapping[str, tuple[str, str]] = {
    "in": ("moves in", "move in"),
    "out": ("moves out", "move out"),
    "level": ("becomes level", "become level"),
    "open": ("becomes open", "become open"),
}
"""The new verdict → what is said of one player with it, and of several."""
