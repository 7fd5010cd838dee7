"""`tourney forecast cut`: who can still make the cut, and what each player needs, proved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest

import click

from tourney.cli.command import command
from tourney.cli.options import flag, positive
from tourney.cli.session import Session
from tourney.cli.standings.results import RankedResults, StandingsRequest, asking
from tourney.errors import TourneyError
from tourney.forecast import forecast_cut
from tourney.forecast.documents import PlayerVerdict, SeatVerdict, TableVerdict, cut_forecast, player_verdict
from tourney.forecast.sentences import draw_parts
from tourney.record import PlayerId
from tourney.standings import Row
from tourney.standings.completions import CutQuestion
from tourney.standings.ranking import rank
from tourney.standings.reading.sheet import WINNER_GAMES
from tourney.wording import counted, listed, listed_short

cut_size = positive(
    "--cut",
    help="How many players make the cut. Default: the cut that was made, or the planned cut, or the cut that "
    "the rules advise; for an event without any of these, the usual cut.",
)
"""The option for the size of the cut.

`size_of_cut` returns the size if the option is missing.
"""


@command("cut", event=True)
@asking
@cut_size
@flag("--tables", "by_table", help="Show what each result of the open tables means, and whom a draw suits.")
@flag("--why", help="Explain every `in` and `out`.")
def cut_(session: Session, cut: int | None, *, by_table: bool, why: bool, request: StandingsRequest) -> None:
    """Show for every player whether they are in the cut or out, or what they need.

    A player is in or out only if this is proved for all possible results of the open tables, including
    tie-breaks. Drops, penalties and no-shows are not considered. A player level with the last place is not
    in, because a lot could decide against them. All other players are open. While rounds are still to be
    paired, only points are compared.

    --tables shows the same by open table. At a table of three or more, a draw is a shared first place.

    If a file does not state the form of its matches, every score of up to a best of five is possible.

    Examples:
      tourney forecast cut --cut 8
      tourney forecast cut --cut 8 --from results.csv --profile mtr
      tourney forecast cut --cut 8 --why
      tourney forecast cut --cut 8 --tables
      tourney forecast cut --cut 4 --json
    """
    results = request.read(session)
    question = question_of(results, cut)
    forecast = forecast_cut(question)
    outlooks = {outlook.player: outlook for outlook in forecast.outlooks}
    rows = ranked_rows(results)
    verdicts = [
        player_verdict(
            row,
            question,
            outlooks.get(row.player),
            results.names,
            seems_gone=row.player in results.seem_gone,
            why=why or session.json,
        )
        for row in rows
    ]
    document = cut_forecast(forecast, verdicts, results.names)
    session.emit(document)
    points = {row.player: question.profile.points_text(row.points) for row in rows}
    if by_table:
        draws = [draw_parts(at, results.name) for at in forecast.tables]
        print_tables(session, document.tables, points, draws)
        seated = {seat.number for table in document.tables for seat in table.players}
        verdicts = [verdict for verdict in verdicts if verdict.number in seated]
    else:
        cells = [
            [row.rank or "", verdict.player, points[row.player], verdict.text]
            for row, verdict in zip(rows, verdicts, strict=True)
        ]
        session.table(["", "player", "points", f"top {document.cut}"], cells, right=(0, 2))
        for table in document.tables:
            if table.table in document.draws_that_suit:
                one, two = table.players
                session.say(f"table {table.table}: a draw puts both {one.player} and {two.player} in")
    for verdict in verdicts:
        if verdict.because and why:
            session.say(f"\n{verdict.player}")
            say_reasons(session, verdict)
    talk_of_cut(session, results, document.cut)
    talk_of_gone(session, results)
    session.talk(_open_text(question, is_planned=results.planned is not None))


def question_of(results: RankedResults, cut: int | None) -> CutQuestion:
    """Return the question of a cut.

    cut: its size; None: the event's own

    Raises TourneyError before the first round.
    """
    record = results.record
    if not record.rounds:
        raise TourneyError(
            "no round is paired yet: everything is open",
            "`tourney round next`; before that, `tourney forecast chances` estimates"
            if results.of_event
            else before_the_event(results),
        )
    planned = results.planned or len(record.rounds)
    return CutQuestion(
        record=record,
        profile=results.profile,
        cut=size_of_cut(results, cut),
        gone=results.gone,
        perhaps_gone=() if results.of_event else tuple(record.drops),
        match=results.match,
        to_come=max(0, planned - len(record.rounds)),
        winner_games=0 if results.of_event else WINNER_GAMES,
    )


def before_the_event(results: RankedResults) -> str:
    """Return the hint for a question before the first round."""
    line = "tourney forecast rounds"
    if not results.of_event:
        line += f" --players {len(results.record.players)}"
    return f"before the event: `{line}`"


def size_of_cut(results: RankedResults, cut: int | None) -> int:
    """Return the number of players who make the cut.

    cut: the option's value; None: the event's own cut

    Raises TourneyError for an event that is a bracket, and UsageError if the size is not known.
    """
    if results.of_event:
        from tourney.desk.forecasting import refuse_bracket

        refuse_bracket(results.system)
    size = cut or len(results.cut or ()) or results.cut_to_come
    if not size:
        raise click.UsageError("how many make the cut? `--cut 8`")
    return size


def ranked_rows(results: RankedResults) -> list[Row]:
    """Return the standings' rows."""
    return list(rank(results.record, results.profile, seed=results.seed).rows)


# -- In words


def print_tables(
    session: Session,
    tables: Sequence[TableVerdict],
    points: Mapping[PlayerId, str],
    draws: Sequence[Sequence[str]] = (),
) -> None:
    """Print what each result of a table means to its players.

    draws: a text for each table about the players whom a draw suits; empty: these texts and the numbers of
        the tables are not shown
    """
    if not tables:
        return
    seats = [seat for table in tables for seat in table.players]
    headers, right = ["player", "points", "win", "draw", "loss"], [1]
    rows = [[seat.player, points.get(seat.number, ""), *_meanings(seat)] for seat in seats]
    can_be_drawn = any(seat.with_.draw for seat in seats)
    if not can_be_drawn:
        del headers[3]
        rows = [[*row[:3], *row[4:]] for row in rows]
    if draws:
        headers, right = ["table", *headers], [0, 2]
        numbers = ["" if seat else table.table for table in tables for seat in range(len(table.players))]
        rows = [[number, *row] for number, row in zip(numbers, rows, strict=True)]
    if draws and can_be_drawn:
        headers.append("a draw")
        parts = [
            part
            for table, own in zip(tables, draws, strict=True)
            for _, part in zip_longest(table.players, own, fillvalue="")
        ]
        rows = [[*row, part] for row, part in zip(rows, parts, strict=True)]
    session.table(headers, rows, right=right)


def _meanings(seat: SeatVerdict) -> list[str]:
    """Return the cells for a win, a draw and a loss. A player who left is out with any result."""
    after = [seat.with_.win, seat.with_.draw, seat.with_.loss]
    return [verdict or "–" for verdict in after] if any(after) else ["out"] * 3


def say_reasons(session: Session, verdict: PlayerVerdict) -> None:
    """Print the reason for each `in` and `out` of a player."""
    for reason in verdict.because:
        session.say(f"  {reason.verdict} {reason.text}")


def talk_of_cut(session: Session, results: RankedResults, size: int) -> None:
    """Print the players in the cut if the event has made it.

    The event then chose between players level at the line.
    """
    if results.cut and results.made_cut(size):
        names = [results.name(row.player) for row in ranked_rows(results) if row.player in results.cut]
        session.talk(f"the cut is made, with {listed(names)}")


def talk_of_gone(session: Session, results: RankedResults, *, left_out: bool = False) -> None:
    """Print the players who seem to have left, and how a file can state that they did not.

    left_out: whether the runs leave these players out
    """
    if not results.seem_gone:
        return
    names, last = [results.name(player) for player in sorted(results.seem_gone)], len(results.record.rounds)
    is_one = len(names) == 1
    out = f" and {'is' if is_one else 'are'} left out" if left_out else ""
    example = {"csv": f"`absent,{names[0]},{last}`", "json": f'`"absent": {{"{names[0]}": [{last}]}}`'}.get(
        results.file_form
    )
    session.talk(
        f"{listed_short(names)} {'seems' if is_one else 'seem'} to have left{out}: "
        f"round {last} of the file does not have them"
        + (f"; if that is wrong, add {example}" if example else "")
    )


def _open_text(question: CutQuestion, *, is_planned: bool) -> str:
    """Return a text about the open tables and rounds.

    is_planned: whether the number of rounds is set
    """
    number = len(question.record.rounds)
    parts = []
    if question.to_come:
        parts.append(f"{counted(question.to_come, 'round')} still to be paired: only points count")
    if question.earlier:
        how = "every result is tried" if question.missing else "only points count"
        parts.append(f"{counted(len(question.earlier), 'table')} of earlier rounds open: {how}")
    tables = counted(len(question.tables), "table") if question.tables else "no table"
    last = "" if is_planned else ", taken as the last round, as the number of rounds is not set"
    parts.append(f"round {number}: {tables} open{last}")
    return "; ".join(parts)
