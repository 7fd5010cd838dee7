"""`tourney forecast what-if`: a result changed, somebody gone, other rules, one round more; nothing is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from tourney.cli.command import command
from tourney.cli.forecast.chances import Estimate, PlayRequest, playing_on, share_json
from tourney.cli.forecast.cut import own_cut, question_of
from tourney.cli.options import players, profiles, round_number
from tourney.cli.session import Session
from tourney.cli.standings.results import RankedResults, StandingsRequest, asking
from tourney.errors import TourneyError
from tourney.event.score import Slip, held, names_tables, quoted, read_tables, typed_line
from tourney.forecast import forecast_cut
from tourney.forecast.sentences import interval_text, share_text
from tourney.forecast.what_if import Move, Place, Side, TableAt, changed, side_by_side
from tourney.record import Result
from tourney.wording import counted, listed

if TYPE_CHECKING:
    from tourney.forecast import Chances
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
    help="Somebody leaves after the last round; several times for several.",
)
@click.option("--under", metavar="NAME|FILE", shell_complete=profiles, help="Other rules that rank.")
@click.option("--more", metavar="N", type=click.IntRange(1, 99), help="So many rounds more than planned.")
@click.option(
    "--cut", metavar="N", type=click.IntRange(min=1), help="How many make the cut (the event's own)."
)
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

    Rounds that were paired after a changed result stay as they were paired. Where tables are open or rounds are to come, in
    and out are what is proved whatever they end in; what is open is estimated by playing the rest many times, with the same
    luck on both sides.
    """
    if not (lines or dropped or under or more):
        raise click.UsageError("what is to be different? `--result`, `--drop`, `--under` or `--more`")
    now, base = request.read_under(session, [request.profile, under or request.profile])
    if not now.record.rounds:
        raise TourneyError("no round is paired yet", "before the event: `tourney forecast rounds`")
    size = cut or own_cut(now)
    results = _read_results(base, lines, round_number)
    leaving = list(dict.fromkeys(base.find(name) for name in dropped))
    then = _changed(base, results, leaving, more or 0, play_request.rounds)
    changes = [*_told_results(base, results, round_number), *_told_others(base, leaving, under, more)]
    looking = _Looking(
        session=session, cut=size, leaving=frozenset(leaving), play=None if exact else play_request
    )
    before = looking.at(now, play_request.rounds, None)
    sides = before, looking.at(then, then.planned, before.estimate.chances if before.estimate else None)
    moves = side_by_side(*(_side(each.results, size) for each in sides))
    if session.json:
        session.emit("forecast-what-if/1", _as_json(size, changes, moves, sides))
    else:
        _print(session, size, changes, moves, sides)


# -- What is different


class _Line(Slip):
    """A table whose result is thought of."""

    __slots__ = ()

    def command(self, score: str) -> str:
        """Return how another score is said."""
        return f'`--result "{self.typed.strip(chr(34)) or self.table} {score}"`'


def _read_results(results: RankedResults, lines: Sequence[str], number: int | None) -> dict[TableAt, Result]:
    """Read results as they are typed. Raises TourneyError for what is none, and for a table that there is not."""
    rounds = results.record.rounds
    at = len(rounds) if number is None else number
    if lines and not 0 < at <= len(rounds):
        raise TourneyError(f"there is no round {at}: {counted(len(rounds), 'round')} so far")
    found: dict[TableAt, Result] = {}
    for line in lines:
        typed = typed_line(line)
        if typed is None:
            raise click.UsageError('--result takes a table and how it ends: `--result "4 2-1"`')
        tables, teller = _meant(results, str(typed.tables), rounds[at - 1], at)
        for table in tables:
            seats = table.seats if teller is None else (teller, *(p for p in table.seats if p != teller))
            best_of, draws, drawn = _form(results)
            slip = _Line(
                table=table.number,
                seats=seats,
                best_of=best_of,
                draws=draws,
                drawn=drawn,
                time=typed.time or bool(typed.ended),
                typed="" if teller is None else quoted(str(typed.tables)),
                names=tuple(map(results.name, seats)),
            )
            result = held(slip, typed, None).reported.result()
            result = Result(tuple(map(result.seat_of, table.seats)), result.drawn_games)
            if found.setdefault(TableAt(at, table.number), result) != result:
                raise TourneyError(f"table {table.number} is to end in two ways", "name it once")
    return found


def _meant(
    results: RankedResults, text: str, tables: Sequence[Table], number: int
) -> tuple[list[Table], PlayerId | None]:
    """Return the tables that are named, and who tells the result, where that is a player."""
    if names_tables(text):
        by_number = {table.number: table for table in tables}
        return [by_number[each] for each in read_tables(text, sorted(by_number))], None
    player = results.find(text)
    own = [table for table in tables if player in table.seats]
    if not own:
        raise TourneyError(f"{results.name(player)} has no table in round {number}")
    return own, player


def _form(results: RankedResults) -> tuple[int, bool, Any]:
    """Return how many games a match has, whether it may be drawn, and what a drawn game is; unknown, it is a best of three."""
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
    for player in leaving:
        if player in {*results.gone, *results.record.drops, *results.record.disqualified}:
            raise TourneyError(f"{results.name(player)} has left already")
    if more and results.system == "round-robin":
        raise TourneyError(f"the number of rounds follows from the system: {results.system}")
    played, known = len(results.record.rounds), results.record.planned_rounds
    planned = rounds or results.planned
    if more:
        now = len(results.next_rounds(planned))
        planned = max(planned or 0, played) + more
        if len(results.next_rounds(planned)) != now + more:
            raise TourneyError("the cut is made: no round comes before it any more")
    record = changed(results.record, results=given, dropped=leaving)
    return replace(
        results,
        record=replace(record, planned_rounds=known + more if known else known),
        gone=results.gone | set(leaving),
        planned=planned,
    )


def _told_results(
    results: RankedResults, given: Mapping[TableAt, Result], number: int | None
) -> Iterator[str]:
    from tourney.event.phrases import result_text

    for at, result in given.items():
        (table,) = (each for each in results.record.rounds[at.round - 1] if each.number == at.table)
        instead = f", not {result_text(table.result, results.name)}" if table.result else ""
        where = f"table {at.table}" + (f" of round {at.round}" if number else "")
        yield f"{where}: {result_text(result, results.name)}{instead}"


def _told_others(
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
class _Outlook:
    """One side: what is known, and what can become of it.

    proved:   player → `in`, `out` or `open`, whatever open tables end in; None: nothing is open, the standings say it
    estimate: None where nothing is left to chance, or nothing was to be estimated
    """

    results: RankedResults
    proved: Mapping[PlayerId, str] | None
    estimate: Estimate | None

    def word(self, player: PlayerId, place: Place | None) -> str:
        """Say whether a player is in the cut: `in`, `out`, `level`, or open with an estimate."""
        if place is None:
            return "out"
        if self.proved is None:
            return place.cut
        proved = self.proved.get(player, "out")
        if proved != "open" or self.estimate is None:
            return proved
        share = self.estimate.counts.chance(player)
        return f"open, {share_text(share)}{'' if 0 < share.share < 1 else ' of the runs'} ({interval_text(share)})"


def _side(results: RankedResults, cut: int) -> Side:
    return Side.of(results.record, results.profile, cut=cut, gone=results.gone, seed=results.seed)


@dataclass(frozen=True, kw_only=True)
class _Looking:
    """How a side is looked at. play: how it is played on; None: not at all. leaving: who is to be gone, as nobody doubts."""

    session: Session
    cut: int
    leaving: frozenset[PlayerId]
    play: PlayRequest | None

    def at(self, results: RankedResults, rounds: int | None, chances: Chances | None) -> _Outlook:
        """Look at a side. rounds: how many there will be; chances: how tables end, where the other side has it."""
        playing = any(table.result is None for tables in results.record.rounds for table in tables)
        if not playing and not results.next_rounds(rounds):
            return _Outlook(results=results, proved=None, estimate=None)
        question = question_of(replace(results, planned=rounds or results.planned), self.cut)
        perhaps = [player for player in question.perhaps_gone if player not in self.leaving]
        forecast = forecast_cut(replace(question, perhaps_gone=perhaps))
        proved = {outlook.player: outlook.now for outlook in forecast.outlooks}
        estimate = None
        if self.play is not None and "open" in proved.values():
            often = replace(self.play, rounds=rounds, runs=self.play.runs or _RUNS)
            estimate = often.play(self.session, results, self.cut, chances)
        return _Outlook(results=results, proved=proved, estimate=estimate)


_RUNS = 1_000


def _print(
    session: Session,
    cut: int,
    changes: Sequence[str],
    moves: Sequence[Move],
    sides: tuple[_Outlook, _Outlook],
) -> None:
    now, then = sides
    for change in changes:
        session.say(f"what if: {change}")
    session.say()
    rows = [
        [
            (move.before and move.before.rank) or "",
            (move.after and move.after.rank) or "",
            now.results.name(move.player),
            _points(move, sides),
            now.word(move.player, move.before),
            then.word(move.player, move.after),
            _MOVES.get(move.across or "", ""),
        ]
        for move in moves
    ]
    headers = ["now", "then", "player", "points", f"top {cut} now", f"top {cut} then"]
    marked = any(row[-1] for row in rows)
    session.table(
        [*headers, *([""] if marked else [])], [row if marked else row[:-1] for row in rows], right=(0, 1, 3)
    )
    session.say()
    for line in _told_moves(now.results, moves, cut, provisional=then.proved is not None):
        session.say(line)
    estimate = then.estimate or now.estimate
    if estimate is not None:
        sides_played = " for each side" if now.estimate and then.estimate else ""
        session.talk("\n" + "\n".join([f"{estimate.counts.runs:,} runs{sides_played}", *estimate.told]))


_MOVES = {"in": "moves in", "out": "moves out", "level": "becomes level"}


def _points(move: Move, sides: tuple[_Outlook, _Outlook]) -> str:
    said = [
        outlook.results.profile.points_text(place.points) if place else "–"
        for outlook, place in zip(sides, (move.before, move.after), strict=True)
    ]
    return said[0] if said[0] == said[1] else " → ".join(said)


def _told_moves(
    results: RankedResults, moves: Sequence[Move], cut: int, *, provisional: bool
) -> Iterator[str]:
    so_far = ", by the standings so far" if provisional else ""
    across = {
        word: [results.name(move.player) for move in moves if move.across == word]
        for word in ("in", "out", "level")
    }
    said = [f"{listed(names)} {_verb(word, len(names))}" for word, names in across.items() if names]
    yield f"top {cut}{so_far}: {'; '.join(said) if said else 'nobody moves in or out'}"


def _verb(word: str, number: int) -> str:
    if word == "level":
        return "becomes level" if number == 1 else "become level"
    return f"{'moves' if number == 1 else 'move'} {word}"


def _as_json(
    cut: int, changes: Sequence[str], moves: Sequence[Move], sides: tuple[_Outlook, _Outlook]
) -> dict[str, Any]:
    now, then = sides
    estimates = [each.estimate for each in sides]
    return {
        "cut": cut,
        "after": len(now.results.record.rounds),
        "changes": list(changes),
        "profiles": {"now": now.results.profile.name, "then": then.results.profile.name},
        "players": [
            {
                "player": now.results.names[move.player],
                "number": move.player,
                "now": _place_json(move.player, move.before, now),
                "then": _place_json(move.player, move.after, then),
                "moves": move.across,
            }
            for move in moves
        ],
        "estimate": {
            "now": estimates[0].as_json() if estimates[0] else None,
            "then": estimates[1].as_json() if estimates[1] else None,
        },
    }


def _place_json(player: PlayerId, place: Place | None, outlook: _Outlook) -> dict[str, Any] | None:
    if place is None:
        return None
    estimate = outlook.estimate
    return {
        "rank": place.rank,
        "points": place.points // 2 if place.points % 2 == 0 else place.points / 2,
        "cut": place.cut,
        "proved": None if outlook.proved is None else outlook.proved.get(player, "out"),
        "estimate": share_json(estimate.counts.chance(player))
        if estimate and player in estimate.staying
        else None,
    }
