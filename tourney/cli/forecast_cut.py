"""`tourney forecast cut`, `chances`, `player`: who can still make the cut, and how likely."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

import click
from msgspec import Struct, structs
from msgspec.structs import replace

from tourney.cli.command import command
from tourney.cli.forecast_runs import (
    Amount,
    RunsRequest,
    players_of_runs,
    print_records,
    record_text,
    run_lines,
    share_cells,
)
from tourney.cli.options import F, flag, gather_options, player_argument, positive, together
from tourney.cli.session import Session
from tourney.cli.standings_results import RankedResults, StandingsRequest, asking
from tourney.errors import TourneyError
from tourney.forecast import Forecast, forecast_cut, shares, verdicts
from tourney.forecast.question import CutQuestion
from tourney.record import PlayerId
from tourney.standings import Profile, Row
from tourney.standings.reading.sheet import WINNER_GAMES
from tourney.wording import counted, listed, listed_short

# `cut` proves, and plays no runs: it starts without the pairing engines.
if TYPE_CHECKING:
    from tourney.forecast.simulation import Chances, Coming

# -- tourney forecast cut


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
    in, because a drawn lot could decide against them. All other players are open. While rounds are still to
    be paired, only points are compared.

    --tables shows the same for each open table. At a table of three or more, a draw is a shared first place.

    If a file of results does not state how many games a match has, scores of up to a best of five are
    considered possible.

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
    rows = results.standings().rows
    player_verdicts = [
        verdicts.player_verdict(
            row,
            forecast,
            results.names,
            seems_gone=row.player in results.presumed_drops,
            with_reasons=why or session.json,
        )
        for row in rows
    ]
    document = verdicts.cut_forecast(forecast, player_verdicts, results.names)
    session.emit(document)
    points = {row.player: question.profile.points_text(row.points) for row in rows}
    if by_table:
        draws = [verdicts.draw_parts(at, results.name) for at in forecast.tables]
        print_tables(session, document.tables, points, draws)
        seated_numbers = {seat.number for table in document.tables for seat in table.players}
        player_verdicts = [verdict for verdict in player_verdicts if verdict.number in seated_numbers]
    else:
        cells = [
            [row.rank or "", verdict.player, points[row.player], verdict.text]
            for row, verdict in zip(rows, player_verdicts, strict=True)
        ]
        session.table(["", "player", "points", f"top {document.cut}"], cells, right=(0, 2))
        for table in document.tables:
            if table.table in document.draws_that_suit:
                one, two = table.players
                session.say(
                    f"table {table.table}: a draw puts both {one.player} and {two.player}"
                    f" in the top {document.cut}"
                )
    for verdict in player_verdicts:
        if verdict.because and why:
            session.say(f"\n{verdict.player}")
            say_reasons(session, verdict)
    talk_of_cut(session, results, document.cut)
    talk_of_presumed_drops(session, results)
    session.talk(_open_text(question, is_planned=results.planned_rounds is not None))


def question_of(results: RankedResults, cut: int | None) -> CutQuestion:
    """Return what `tourney.forecast` needs to find out who can make the cut.

    cut: the number of players in the cut; None: the event's own number

    Raises TourneyError before the first round.
    """
    record = results.record
    if not record.rounds:
        raise TourneyError(
            "no round is paired yet, so nothing is decided",
            "`tourney round next` pairs a round; before that, `tourney forecast chances` gives estimates"
            if results.of_event
            else before_the_event(results),
        )
    planned_rounds = results.planned_rounds or len(record.rounds)
    return CutQuestion(
        record=record,
        profile=results.profile,
        cut=size_of_cut(results, cut),
        late_drops=results.departed_players,
        possible_drops=() if results.of_event else tuple(record.drops),
        match=results.match,
        to_come=max(0, planned_rounds - len(record.rounds)),
        winner_games=0 if results.of_event else WINNER_GAMES,
    )


def before_the_event(results: RankedResults) -> str:
    """Return a hint that suggests `tourney forecast rounds`, for use before the first round."""
    line = "tourney forecast rounds"
    if not results.of_event:
        line += f" --players {len(results.record.players)}"
    return f"before the event, use `{line}`"


def size_of_cut(results: RankedResults, cut: int | None) -> int:
    """Return the number of players who make the cut.

    cut: the option's value; None: the event's own cut

    Raises TourneyError for an event that is a bracket, and UsageError if the size is not known.
    """
    results.refuse_bracket()
    size = cut or len(results.cut or ()) or results.cut_to_come
    if not size:
        raise click.UsageError("the size of the cut is missing: add it, such as `--cut 8`")
    return size


# -- In words


def print_tables(
    session: Session,
    tables: Sequence[verdicts.TableVerdict],
    points: Mapping[PlayerId, str],
    draws: Sequence[Sequence[str]] = (),
) -> None:
    """Print what each result of a table means to its players.

    draws: for each table, the lines that say whom a draw suits. If empty, the output has neither these lines
        nor the tables' numbers
    """
    can_be_drawn = any(seat.with_.draw for table in tables for seat in table.players)
    rows = []
    for table, texts in zip(tables, draws or [()] * len(tables), strict=True):
        for place, seat in enumerate(table.players):
            win, draw, loss = _meanings(seat)
            text = texts[place] if place < len(texts) else ""
            number = table.table if draws and not place else ""
            own_points = points.get(seat.number, "")
            rows.append([number, seat.player, own_points, win, draw if can_be_drawn else "", loss, text])
    if rows:
        headers = ["table", "player", "points", "win", "draw", "loss", "a draw"]
        session.table(headers, rows, right=(0, 2), optional=("table", "draw", "a draw"))


def _meanings(seat: verdicts.SeatVerdict) -> list[str]:
    """Return the cells that say what a win, a draw and a loss mean for a player.

    All three are `out` for a player who left.
    """
    after = [seat.with_.win, seat.with_.draw, seat.with_.loss]
    return [verdict or "–" for verdict in after] if any(after) else ["out"] * 3


def say_reasons(session: Session, verdict: verdicts.PlayerVerdict) -> None:
    """Print why a player is sure to make the cut (`in`) or to miss it (`out`).

    There is one reason for each kind of result after which the player is `in` or `out`.
    """
    for reason in verdict.because:
        session.say(f"  {reason.verdict} {reason.text}")


def talk_of_cut(session: Session, results: RankedResults, size: int) -> None:
    """Print the players in the cut if the event has already made the cut.

    If players shared the last place of the cut, the names show which of them made it.
    """
    if results.cut and results.made_cut(size):
        names = [results.name(row.player) for row in results.standings().rows if row.player in results.cut]
        session.talk(f"the cut is made, with {listed(names)}")


def talk_of_presumed_drops(session: Session, results: RankedResults, *, left_out: bool = False) -> None:
    """Print the players who seem to have left, and how a file can state that they did not.

    left_out: whether the simulated runs leave these players out
    """
    if not results.presumed_drops:
        return
    names = [results.name(player) for player in sorted(results.presumed_drops)]
    last = len(results.record.rounds)
    is_one = len(names) == 1
    out = f" and {'is' if is_one else 'are'} left out" if left_out else ""
    example = {"csv": f"`absent,{names[0]},{last}`", "json": f'`"absent": {{"{names[0]}": [{last}]}}`'}.get(
        results.file_form
    )
    session.talk(
        f"{listed_short(names)} {'seems' if is_one else 'seem'} to have left{out}: "
        f"round {last} of the file does not list {'this player' if is_one else 'these players'}"
        + (f"; if that is wrong, add {example}" if example else "")
    )


def _open_text(question: CutQuestion, *, is_planned: bool) -> str:
    """Return a text about the open tables and rounds.

    is_planned: whether the number of rounds is set
    """
    number = len(question.record.rounds)
    parts = []
    if question.to_come:
        parts.append(f"{counted(question.to_come, 'round')} still to be paired, so only points are compared")
    if question.earlier:
        method = "every result is tried" if question.cases else "only points are compared"
        parts.append(f"{counted(len(question.earlier), 'open table')} of earlier rounds: {method}")
    tables = counted(len(question.tables), "table") if question.tables else "no table"
    last = "" if is_planned else ", taken as the last round, as the number of rounds is not set"
    parts.append(f"round {number}: {tables} open{last}")
    return "; ".join(parts)


# -- Simulated runs


_RUNS, _FEWER_RUNS = 10_000, 1_000

_playing_on = together(
    click.option(
        "--runs",
        metavar="N",
        type=click.IntRange(1, 1_000_000),
        help=f"The number of times to simulate the rest of the event. Default: {_RUNS}, or {_FEWER_RUNS} if"
        " rounds are still to be paired, and fewer if FIDE's engine pairs them.",
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


class PlayRequest(RunsRequest, frozen=True, kw_only=True):
    """The options for simulating the rest of an event."""

    rounds: int | None
    strengths: Literal["ratings", "results", "equal"] | None
    best_of: int | None

    def estimate(
        self, session: Session, results: RankedResults, cut: int, chances: Chances | None = None
    ) -> Estimate:
        """Simulate the rest of the event many times.

        chances: the probabilities for the results of tables; if None, they are estimated from the options and
            the results so far

        Raises TourneyError if nothing is left to play, if every player makes the cut, or if the workers of
        `--scheduler` cannot be reached.
        """
        from tourney.forecast.simulation import Position, chances_of

        record = results.record
        coming = tuple(results.next_rounds(self.rounds))
        if not coming and all(table.result for tables in record.rounds for table in tables):
            ranking = " ".join(["tourney standings", *results.source_options])
            raise TourneyError(
                "nothing is left to play: every result is in, and there are no more rounds",
                "`--rounds N` sets the number of rounds"
                if results.planned_rounds is None
                else f"`{ranking} --cut {cut}` shows who makes the cut",
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
            late_drops=results.departed_players,
            coming=coming,
        )
        counts = self.play(session, position, chances, usual_runs(len(record.players), coming))
        return Estimate(
            counts=counts,
            chances=chances,
            simulation=shares.PlayedOn(
                runs=counts.runs,
                dice=self.dice,
                to_come=len(coming),
                paired_by=results.paired_by(coming) if coming else None,
                no_round=counts.no_round,
                strengths=chances.source,
                draws=round(chances.draws, 6),
                best_of=chances.best_of,
            ),
            is_slow=bool(coming) and coming[0].pairer.slow,
            staying=frozenset(record.players).difference(
                results.departed_players, record.drops, record.disqualified
            ),
        )


def playing_on(function: F) -> F:
    """Add the options for simulating the rest of an event to a command.

    The command gets them as its argument `play_request`.
    """
    return _playing_on(gather_options("play_request", PlayRequest)(function))


_SLOW, _FEWEST_RUNS = 60_000, 100


def usual_runs(players: int, coming: Sequence[Coming]) -> int:
    """Return the default number of simulated runs.

    These runs take about a minute on two cores, and at most two minutes.
    """
    if not coming:
        return _RUNS
    if not coming[0].pairer.slow:
        return _FEWER_RUNS
    return max(_FEWEST_RUNS, min(_FEWER_RUNS, _SLOW // (players * len(coming)) // 10 * 10))


class Estimate(Struct, frozen=True, kw_only=True):
    """The counts of the simulated runs, and how the runs were simulated.

    is_slow: whether the engine that paired the rounds to come is slow
    staying: the players who are still in the event
    """

    counts: shares.Counts
    chances: Chances
    simulation: shares.PlayedOn
    is_slow: bool
    staying: frozenset[PlayerId]

    @property
    def lines(self) -> Iterator[str]:
        """Yield sentences about the simulation."""
        simulation = self.simulation
        yield from run_lines(simulation)
        if simulation.to_come:
            rounds = counted(simulation.to_come, "round")
            yield f"{rounds} to come, paired in every run {simulation.paired_by}"
        if self.is_slow and simulation.runs < _FEWER_RUNS:
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
    ranks by the event's own rules. If players are level for the last places in the cut, lots are drawn. Each
    percentage has an interval, which contains the true percentage in 95 of 100 cases. These are estimates;
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
    all_rows = results.standings().rows
    rows = [row for row in all_rows if row.player in estimate.staying]
    document = shares.ChancesForecast(
        **structs.asdict(estimate.simulation),
        cut=size,
        after=len(results.record.rounds),
        players=shares.player_chances(estimate.counts, [row.player for row in rows], results.names),
        left_out=tuple(
            shares.LeftOut(results.names[row.player], row.player)
            for row in all_rows
            if row.player not in estimate.staying
        ),
        records=shares.record_chances(estimate.counts),
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
    talk_of_presumed_drops(session, results, left_out=True)


# -- tourney forecast player


@command("player", event=True)
@player_argument
@asking
@cut_size
@playing_on
def player_(
    session: Session,
    player_name: str,
    cut: int | None,
    *,
    request: StandingsRequest,
    play_request: PlayRequest,
) -> None:
    """Show what one player needs to make the cut.

    This is proved, as in `tourney forecast cut`, and shown for the others at the same table, too. If the
    verdict on the player is open, the chance is estimated, as in `tourney forecast chances`.

    Examples:
      tourney forecast player Mira --cut 8
      tourney forecast player '#7' --cut 8 --from results.csv --rounds 6 --draws 5
    """
    results = request.read(session).with_rounds(play_request.rounds)
    size = size_of_cut(results, cut)
    player = results.find(player_name)
    rows = {row.player: row for row in results.standings().rows}
    if player not in rows:
        raise TourneyError(f"{results.name(player)} is not in the standings")
    seems_gone = player in results.presumed_drops
    forecast = _own_forecast(question_of(results, size), player) if results.record.rounds else None
    verdict = verdicts.player_verdict(rows[player], forecast, results.names, seems_gone=seems_gone)
    estimate = play_request.estimate(session, results, size) if verdict.now == "open" else None
    table = next(iter(forecast.tables), None) if forecast else None
    document = verdicts.PlayerForecast(
        **structs.asdict(verdict),
        cut=size,
        after=len(results.record.rounds),
        table=verdicts.table_verdict(table, results.names) if table else None,
        estimate=shares.player_estimate(player, estimate.counts, estimate.simulation)
        if estimate and player in estimate.staying
        else None,
    )
    session.emit(document)
    _say_player(session, document, rows, results.profile)
    if estimate and document.estimate:
        _say_estimate(session, document.estimate)
        session.talk("\n" + "\n".join(estimate.lines))
    if seems_gone:
        talk_of_presumed_drops(session, results)


def _own_forecast(question: CutQuestion, player: PlayerId) -> Forecast:
    """Return the forecast for a player and the others at the same open table."""
    others = (other for table in question.tables if player in table.seats for other in table.seats)
    return forecast_cut(question, {player, *others})


def _say_player(
    session: Session, document: verdicts.PlayerForecast, rows: Mapping[PlayerId, Row], profile: Profile
) -> None:
    """Print a player's points and verdict, the reasons, and what each result of the table means."""
    points = {player: profile.points_text(row.points) for player, row in rows.items()}
    rank = rows[document.number].rank
    place = f", place {rank}" if rank else ""
    session.say(f"{document.player}, {verdicts.with_unit(points[document.number])}{place}")
    early = "" if document.after else ", as nothing is paired yet"
    session.say(f"top {document.cut}: {document.text}{early}")
    say_reasons(session, document)
    if table := document.table:
        session.say(f"table {table.table}{': ' if table.text else ''}{table.text}")
        print_tables(session, [table], points)


def _say_estimate(session: Session, estimate: shares.PlayerEstimate) -> None:
    chance = shares.Share(estimate.share, estimate.low, estimate.high)
    session.say(
        f"estimate: in {shares.share_text(chance)} of {estimate.runs:,} runs ({shares.interval_text(chance)})"
    )
    after = {f"after a {word}": share for word, share in structs.asdict(estimate.with_).items() if share}
    ending = {f"ending {record_text(record.record)}": record for record in estimate.records}
    rows = [[words, *share_cells(share)] for words, share in {**after, **ending}.items()]
    session.table([], rows, right=(1, 2))
