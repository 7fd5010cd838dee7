"""`tourney forecast cut`: who can still make the cut, and what each player needs, proved."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

import click

from tourney.cli.command import command
from tourney.cli.session import Session
from tourney.cli.standings.results import RankedResults, StandingsRequest, asking
from tourney.errors import TourneyError
from tourney.record import Outcome
from tourney.standings.ranking import note_text, rank
from tourney.wording import counted, listed, listed_short

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tourney.forecast import Forecast, Outlook, TableOutlook
    from tourney.forecast.documents import PlayerVerdict
    from tourney.record import PlayerId
    from tourney.standings import Row
    from tourney.standings.completions import CutQuestion


cut_size = click.option(
    "--cut",
    metavar="N",
    type=click.IntRange(min=1),
    help="How many make the cut (the cut that was made; else the planned one, the one that the rules advise, or of an event the usual one).",
)
"""The option for the size of the cut; `size_of_cut` finds the size without it."""


@command(
    "cut",
    event=True,
    examples=[
        "tourney forecast cut --cut 8",
        "tourney forecast cut --cut 8 --from results.csv --profile mtr",
        "tourney forecast cut --cut 8 --why",
        "tourney forecast cut --cut 8 --tables",
        "tourney forecast cut --cut 4 --json",
    ],
)
@asking
@cut_size
@click.option(
    "--tables",
    "by_table",
    is_flag=True,
    help="For each open table, show what a win, a draw and a loss mean, and whom a draw suits.",
)
@click.option("--why", is_flag=True, help="Explain every `in` and `out`.")
def cut_(
    session: Session,
    cut: int | None,
    *,
    by_table: bool,
    why: bool,
    request: StandingsRequest,
) -> None:
    """Show for every player whether they are in the cut or out, or what they need.

    In and out are proved for all results that the open tables can have, tie-breaks included, but without drops, penalties and
    no-shows. A player level with the last place is not in, because a lot could decide against them. Everything else is open.
    While rounds are still to be paired, only points are compared.

    --tables shows the same by open table. At a table of three or more, a draw is a shared first place.

    If a file does not state the form of its matches, every score of up to a best of five is possible.
    """
    from tourney.forecast import forecast_cut

    results = request.read(session)
    question = question_of(results, cut)
    forecast = forecast_cut(question)
    if session.json:
        from tourney.forecast.documents import cut_forecast

        outlooks = {outlook.player: outlook for outlook in forecast.outlooks}
        verdicts = [
            verdict_of(results, row, question, outlooks.get(row.player)) for row in ranked_rows(results)
        ]
        session.emit(cut_forecast(forecast, verdicts, results.names))
    else:
        _print(session, results, forecast, by_table=by_table, why=why)


def question_of(results: RankedResults, cut: int | None) -> CutQuestion:
    """Return the question of a cut (None: the event's own). Raises TourneyError before the first round."""
    from tourney.standings.completions import CutQuestion
    from tourney.standings.reading.draft import WINNER_GAMES

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
    """Return how many make the cut. cut: as given; None: the event's own.

    Raises TourneyError for an event that is a bracket, and UsageError if the size is not known.
    """
    if results.of_event:
        from tourney.desk.forecasting import refuse_bracket

        refuse_bracket(results.system)
    if cut:
        return cut
    if results.cut:
        return len(results.cut)
    if not results.cut_to_come:
        raise click.UsageError("how many make the cut? `--cut 8`")
    return results.cut_to_come


def ranked_rows(results: RankedResults) -> list[Row]:
    """Return the standings' rows."""
    return list(rank(results.record, results.profile, seed=results.seed).rows)


def _print(
    session: Session, results: RankedResults, forecast: Forecast, *, by_table: bool, why: bool
) -> None:
    question = forecast.question
    outlooks = {outlook.player: outlook for outlook in forecast.outlooks}
    shown = ranked_rows(results)
    if by_table:
        seated = {player for table in forecast.tables for player in table.table.seats}
        shown = [row for row in shown if row.player in seated]
        print_tables(session, results, forecast.tables)
    else:
        rows = []
        for row in shown:
            verdict = verdict_text(results, row, outlooks.get(row.player))
            points = question.profile.points_text(row.points)
            rows.append([row.rank or "", results.name(row.player), points, verdict])
        session.table(["", "player", "points", f"top {question.cut}"], rows, right=(0, 2))
        for table in forecast.draws_that_suit():
            one, two = (results.name(player) for player in table.seats)
            session.say(f"table {table.number}: a draw puts both {one} and {two} in")
    if why:
        for row in shown:
            for line in why_lines(results, question, outlooks.get(row.player)):
                session.say(line)
    talk_of_cut(session, results, question.cut)
    talk_of_gone(session, results)
    session.talk(_what_is_open(forecast, known=results.planned is not None))


def print_tables(
    session: Session, results: RankedResults, tables: Sequence[TableOutlook], *, numbered: bool = True
) -> None:
    """Print what each result of a table means to its players. numbered: with table numbers, and whom a draw suits."""
    from tourney.forecast.sentences import draw_parts

    if not tables:
        return
    points = {row.player: results.profile.points_text(row.points) for row in ranked_rows(results)}
    drawn = any(table.drawn() for table in tables)
    seats = [(at, seat) for at in tables for seat in range(len(at.table.seats))]
    players = [at.table.seats[seat] for at, seat in seats]
    columns = {
        "player": [*map(results.name, players)],
        "points": [points.get(player, "") for player in players],
    }
    for kind in _KINDS:
        if drawn or kind is not Outcome.DRAW:
            columns[kind.value] = [_after(at.outlooks[seat], kind) for at, seat in seats]
    if numbered:
        numbers = ["" if seat else str(at.table.number) for at, seat in seats]
        columns = {"table": numbers, **columns}
        if drawn:
            parts = (zip_longest(at.table.seats, draw_parts(at, results.name), fillvalue="") for at in tables)
            columns["a draw"] = [part for at in parts for _, part in at]
    session.table([*columns], [*zip(*columns.values(), strict=True)], right=(0, 2) if numbered else (1,))


def _after(outlook: Outlook | None, kind: Outcome) -> str:
    return (outlook.after(kind) or "–") if outlook else "out"


_KINDS = Outcome.WIN, Outcome.DRAW, Outcome.LOSS


def talk_of_cut(session: Session, results: RankedResults, size: int) -> None:
    """Print who is in the cut if the event has made it, as players level at the line were then chosen."""
    if results.cut and results.made_cut(size):
        made = [results.name(row.player) for row in ranked_rows(results) if row.player in results.cut]
        session.talk(f"the cut is made, with {listed(made)}")


def talk_of_gone(session: Session, results: RankedResults, *, left_out: bool = False) -> None:
    """Print who seems to have left, and how a file can state otherwise. left_out: whether the runs leave them out."""
    if not results.seem_gone:
        return
    names, last = [results.name(player) for player in sorted(results.seem_gone)], len(results.record.rounds)
    one = len(names) == 1
    out = f" and {'is' if one else 'are'} left out" if left_out else ""
    example = {"csv": f"`absent,{names[0]},{last}`", "json": f'`"absent": {{"{names[0]}": [{last}]}}`'}.get(
        results.file_form
    )
    session.talk(
        f"{listed_short(names)} {'seems' if one else 'seem'} to have left{out}: round {last} of the file has nothing of them"
        + (f"; if that is wrong, let it say so: {example}" if example else "")
    )


def why_lines(results: RankedResults, question: CutQuestion, outlook: Outlook | None) -> list[str]:
    """Return the player's name and a line for each verdict, with its reason. outlook: None for a player who left."""
    from tourney.forecast.sentences import because_text

    if outlook is None:
        return []
    reasons = [
        f"{case.verdict} {because}"
        for case in outlook.cases
        if (because := because_text(question, case, results.name))
    ]
    return ["", results.name(outlook.player), *(f"  {reason}" for reason in reasons)] if reasons else []


def word_of_gone(results: RankedResults, player: PlayerId) -> str:
    """Return how a player who left and is not out by points is described; a file may only suggest that they left."""
    return "seems to have left" if player in results.seem_gone else "has left"


def verdict_text(results: RankedResults, row: Row, outlook: Outlook | None) -> str:
    """Return what a player needs, in words. outlook: None for a player who left."""
    from tourney.forecast.sentences import outlook_text

    if outlook is None:
        return f"{note_text(row, gone=True)}: out"
    if row.dropped and outlook.now == "open":
        return word_of_gone(results, row.player)
    return outlook_text(outlook)


def _what_is_open(forecast: Forecast, *, known: bool) -> str:
    """Return what is still to be played. known: whether the number of rounds is known."""
    question = forecast.question
    number = len(question.record.rounds)
    parts = []
    if question.to_come:
        parts.append(f"{counted(question.to_come, 'round')} still to be paired: points alone are counted")
    if question.earlier:
        how = "gone through result by result" if question.missing else "points alone are counted"
        missing = counted(len(question.earlier), "table")
        parts.append(f"{missing} of earlier rounds open: {how}")
    playing = counted(len(question.tables), "table") if question.tables else "no table"
    last = "" if known else ", taken to be the last round, as no number of rounds is set"
    parts.append(f"round {number}: {playing} open{last}")
    return "; ".join(parts)


def verdict_of(
    results: RankedResults, row: Row, question: CutQuestion | None, outlook: Outlook | None
) -> PlayerVerdict:
    """Return what a player needs, for `--json`. question: None before the first round."""
    from tourney.forecast.documents import player_verdict

    text = verdict_text(results, row, outlook) if question else "open"
    return player_verdict(row.player, question, outlook, results.names, text)
