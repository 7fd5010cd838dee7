"""`tourney forecast chances` and `player`: how likely the cut is, by simulation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import click
from msgspec import structs

from tourney.cli.command import command
from tourney.cli.forecast.cut import (
    cut_size,
    print_tables,
    question_of,
    ranked_rows,
    say_reasons,
    size_of_cut,
    talk_of_gone,
)
from tourney.cli.forecast.runs import (
    Amount,
    RunsRequest,
    players_of_runs,
    print_records,
    record_text,
    run_lines,
    share_cells,
)
from tourney.cli.options import F, gathered, positive, together, who
from tourney.cli.session import Session
from tourney.cli.standings.results import RankedResults, StandingsRequest, asking
from tourney.desk.forecasting import paired_by
from tourney.errors import TourneyError
from tourney.forecast import Forecast, forecast_cut
from tourney.forecast.documents import (
    ChancesForecast,
    LeftOut,
    PlayedOn,
    PlayerEstimate,
    PlayerForecast,
    player_chances,
    player_estimate,
    player_verdict,
    record_chances,
    table_verdict,
)
from tourney.forecast.sentences import with_unit
from tourney.forecast.shares import Share, interval_text, share_text
from tourney.forecast.simulation import Chances, Coming, Counts, Position, chances_of
from tourney.record import PlayerId
from tourney.wording import counted

_RUNS, _FEWER_RUNS = 10_000, 1_000

_playing_on = together(
    click.option(
        "--runs",
        metavar="N",
        type=click.IntRange(1, 1_000_000),
        help=f"The number of times to play the rest. Default: {_RUNS}, or {_FEWER_RUNS} if rounds are still "
        "to be paired, and fewer if FIDE's engine pairs them.",
    ),
    positive("--rounds", type=click.IntRange(1, 99), help="The total number of rounds. Default: as planned."),
    click.option(
        "--strengths",
        type=click.Choice(["ratings", "results", "equal"]),
        help="The source of the players' strengths. Default: ratings if every player has one, or the results "
        "so far, or equal.",
    ),
    click.option(
        "--draws",
        metavar="PERCENT",
        type=Amount(0, 100),
        help="The percentage of tables that end drawn (default: the percentage so far).",
    ),
    positive(
        "--best-of",
        type=click.IntRange(1, 9),
        help="The most games in a match. Default: the event's, or the number that the results suggest.",
    ),
    players_of_runs,
)


@dataclass(frozen=True, kw_only=True)
class PlayRequest(RunsRequest):
    """The options for playing the rest of an event."""

    rounds: int | None
    strengths: Literal["ratings", "results", "equal"] | None
    best_of: int | None

    def estimate(
        self, session: Session, results: RankedResults, cut: int, chances: Chances | None = None
    ) -> Estimate:
        """Play the rest of the event many times.

        chances: the model for the results of tables; None: from the options and the results

        Raises TourneyError if nothing is left to play, the cut leaves no player out, or workers are missing.
        """
        record = results.record
        coming = tuple(results.next_rounds(self.rounds))
        if not coming and all(table.result for tables in record.rounds for table in tables):
            raise TourneyError(
                "nothing is left to play: every result is in, and no round is to come",
                "`--rounds N` sets the number of rounds"
                if results.planned is None
                else f"`{' '.join(['tourney standings', *results.from_])} --cut {cut}` shows who makes it",
            )
        if cut >= len(record.players):
            raise TourneyError(f"a cut to {cut} includes all {len(record.players)} players")
        best_of, may_draw = results.match
        draws = self.draw_share(may_draw)
        chances = chances or chances_of(
            record, source=self.strengths, draws=draws, best_of=self.best_of or best_of
        )
        position = Position(
            record=replace(record, planned_rounds=len(record.rounds) + len(coming)),
            profile=results.profile,
            cut=cut,
            gone=results.gone,
            coming=coming,
        )
        return Estimate(
            counts=self.play(session, position, chances, usual_runs(len(record.players), coming)),
            chances=chances,
            dice=self.dice,
            coming=coming,
            paired_by=paired_by(results.system, coming)
            if results.of_event
            else "by this program's Swiss rules, as the players' wishes are not known",
            staying=frozenset(record.players).difference(results.gone, record.drops, record.disqualified),
        )


def playing_on(function: F) -> F:
    """Add the options for playing the rest of an event to a command.

    The command gets them as its argument `play_request`.
    """
    return _playing_on(gathered("play_request", PlayRequest)(function))


_SLOW, _FEWEST_RUNS = 60_000, 100


def usual_runs(players: int, coming: Sequence[Coming]) -> int:
    """Return the default number of runs, which take about a minute and at most two on two cores."""
    if not coming:
        return _RUNS
    if not coming[0].pairer.slow:
        return _FEWER_RUNS
    return max(_FEWEST_RUNS, min(_FEWER_RUNS, _SLOW // (players * len(coming)) // 10 * 10))


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """The counts of the runs, and how they were played.

    paired_by: how rounds to come were paired, in words
    staying:   the players who can still make the cut
    """

    counts: Counts
    chances: Chances
    dice: str
    coming: Sequence[Coming]
    paired_by: str
    staying: frozenset[PlayerId]

    @property
    def played(self) -> PlayedOn:
        """The details of the simulation, for `--json`."""
        return PlayedOn(
            runs=self.counts.runs,
            dice=self.dice,
            to_come=len(self.coming),
            paired_by=self.paired_by if self.coming else None,
            no_round=self.counts.no_round,
            strengths=self.chances.source,
            draws=round(self.chances.draws, 6),
            best_of=self.chances.best_of,
        )

    @property
    def lines(self) -> Iterator[str]:
        """Yield sentences about the simulation."""
        yield from run_lines(self.played)
        if self.coming:
            yield f"{counted(len(self.coming), 'round')} to come, paired in every run {self.paired_by}"
            if self.coming[0].pairer.slow and self.counts.runs < _FEWER_RUNS:
                yield f"this engine is slow: `--runs {_FEWER_RUNS}` narrows the intervals, but takes longer"


# -- tourney forecast chances


@command("chances", event=True)
@asking
@cut_size
@playing_on
def chances_(
    session: Session, cut: int | None, *, request: StandingsRequest, play_request: PlayRequest
) -> None:
    """Estimate the chance of the cut for each player and each final record, by simulation.

    Each run gives the open tables random results, pairs the rounds to come with the event's own engine, and
    ranks by the event's own rules; a lot decides between players who are level at the line. Each percentage
    has an interval, which contains the true percentage in 95 of 100 cases. These are estimates;
    `tourney forecast cut` shows what is proved.

    The same command gives the same answer, whatever the number of processes or machines.

    Examples:
      tourney forecast chances --cut 8
      tourney forecast chances --cut 8 --from results.csv --profile mtr --rounds 6
      tourney forecast chances --cut 8 --runs 100000 --scheduler tcp://10.0.0.5:8786
    """
    results = request.read(session)
    size = size_of_cut(results, cut)
    estimate = play_request.estimate(session, results, size)
    ranked = ranked_rows(results)
    rows = [row for row in ranked if row.player in estimate.staying]
    document = ChancesForecast(
        **structs.asdict(estimate.played),
        cut=size,
        after=len(results.record.rounds),
        players=player_chances(estimate.counts, [row.player for row in rows], results.names),
        left_out=tuple(
            LeftOut(results.names[row.player], row.player)
            for row in ranked
            if row.player not in estimate.staying
        ),
        records=record_chances(estimate.counts),
    )
    session.emit(document)
    cells = [
        [row.rank or "", chance.player, results.profile.points_text(row.points), *share_cells(chance)]
        for row, chance in zip(rows, document.players, strict=True)
    ]
    session.table(["", "player", "points", f"top {size}", "95 %"], cells, right=(0, 2, 3, 4))
    session.say()
    print_records(session, document.records, document.runs, size)
    session.talk("\n" + "\n".join(estimate.lines))
    talk_of_gone(session, results, left_out=True)


# -- tourney forecast player


@command("player", event=True)
@who
@asking
@cut_size
@playing_on
def player_(
    session: Session, who: str, cut: int | None, *, request: StandingsRequest, play_request: PlayRequest
) -> None:
    """Show what one player needs to make the cut.

    If the verdict is open, the player's chance is estimated.

    What the player needs is proved as in `tourney forecast cut`, also for the others at the same table. The
    chance is estimated as in `tourney forecast chances`.

    Examples:
      tourney forecast player Mira --cut 8
      tourney forecast player '#7' --cut 8 --from results.csv --rounds 6 --draws 5
    """
    results = request.read(session).with_rounds(play_request.rounds)
    size = size_of_cut(results, cut)
    player = results.find(who)
    rows = {row.player: row for row in ranked_rows(results)}
    if player not in rows:
        raise TourneyError(f"{results.name(player)} is not in the standings")
    row, forecast = rows[player], _own_forecast(results, size, player)
    verdict = player_verdict(
        row,
        forecast.question if forecast else None,
        next((outlook for outlook in forecast.outlooks if outlook.player == player), None)
        if forecast
        else None,
        results.names,
        seems_gone=player in results.seem_gone,
    )
    estimate = play_request.estimate(session, results, size) if verdict.now == "open" else None
    tables = [table_verdict(at, results.names) for at in forecast.tables] if forecast else []
    document = PlayerForecast(
        **structs.asdict(verdict),
        cut=size,
        after=len(results.record.rounds),
        table=tables[0] if tables else None,
        estimate=player_estimate(player, estimate.counts, estimate.played)
        if estimate and player in estimate.staying
        else None,
    )
    session.emit(document)
    points = {row.player: results.profile.points_text(row.points) for row in rows.values()}
    place = f", place {row.rank}" if row.rank else ""
    session.say(f"{document.player}, {with_unit(points[player])}{place}")
    session.say(f"top {size}: {document.text}{'' if forecast else ', as nothing is paired yet'}")
    say_reasons(session, document)
    for table in tables:
        session.say(f"table {table.table}{': ' if table.text else ''}{table.text}")
    print_tables(session, tables, points)
    if estimate and document.estimate:
        _say_estimate(session, document.estimate)
        session.talk("\n" + "\n".join(estimate.lines))
    if player in results.seem_gone:
        talk_of_gone(session, results)


def _own_forecast(results: RankedResults, cut: int, player: PlayerId) -> Forecast | None:
    """Return the forecast for a player and the others at the same open table.

    None before the first round.
    """
    if not results.record.rounds:
        return None
    question = question_of(results, cut)
    others = (other for table in question.tables if player in table.seats for other in table.seats)
    return forecast_cut(question, {player, *others})


def _say_estimate(session: Session, estimate: PlayerEstimate) -> None:
    chance = Share(estimate.share, estimate.low, estimate.high)
    session.say(f"estimate: in {share_text(chance)} of {estimate.runs:,} runs ({interval_text(chance)})")
    after = {f"after a {word}": share for word, share in structs.asdict(estimate.with_).items() if share}
    ending = {f"ending {record_text(record.record)}": record for record in estimate.records}
    rows = [[words, *share_cells(share)] for words, share in {**after, **ending}.items()]
    session.table([], rows, right=(1, 2))
