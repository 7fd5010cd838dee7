"""`tourney forecast chances` and `player`: how likely the cut is, by playing the rest of the event on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import click
from msgspec import structs

from tourney.cli.command import command
from tourney.cli.forecast.cut import (
    cut_size,
    print_tables,
    question_of,
    ranked_rows,
    size_of_cut,
    talk_of_gone,
    verdict_of,
    verdict_text,
    why_lines,
)
from tourney.cli.options import Amount, F, gathered, players_of_runs, together, who
from tourney.cli.session import Session
from tourney.cli.standings.results import RankedResults, StandingsRequest, asking
from tourney.errors import TourneyError
from tourney.forecast import forecast_cut
from tourney.forecast.documents import (
    ChancesForecast,
    LeftOut,
    PlayerForecast,
    Simulated,
    player_chances,
    player_estimate,
    record_chances,
    table_verdict,
)
from tourney.forecast.sentences import draw_text, with_unit
from tourney.forecast.shares import Share, chance_text, interval_text, percent_text, share_text
from tourney.forecast.simulation import Chances, Counts, Position, chances_of
from tourney.record import PlayerId
from tourney.store.workers import Spread
from tourney.wording import counted

if TYPE_CHECKING:
    from tourney.forecast import Forecast, Outlook
    from tourney.forecast.cut import Verdict
    from tourney.forecast.simulation import Coming, Won
    from tourney.standings import Row

_RUNS, _FEWER_RUNS = 10_000, 1_000

_playing_on = together(
    click.option(
        "--runs",
        metavar="N",
        type=click.IntRange(1, 1_000_000),
        help=f"How often the rest is played: {_RUNS} times, {_FEWER_RUNS} if rounds are still to be paired, fewer if FIDE's engine pairs them.",
    ),
    click.option(
        "--rounds",
        metavar="N",
        type=click.IntRange(1, 99),
        help="How many rounds there will be (as planned).",
    ),
    click.option(
        "--strengths",
        type=click.Choice(["ratings", "results", "equal"]),
        help="Where strengths come from: ratings if every player has one, else the results so far, else equal.",
    ),
    click.option(
        "--draws",
        metavar="PERCENT",
        type=Amount(0, 100),
        help="How many tables end drawn (as many as so far).",
    ),
    click.option(
        "--best-of", metavar="N", type=click.IntRange(1, 9), help="Games a match can have (as it is known)."
    ),
    players_of_runs,
)
"""The options for playing the rest of an event."""


@dataclass(frozen=True, kw_only=True)
class PlayRequest:
    """The options of `playing_on`. draws: a percentage."""

    runs: int | None
    rounds: int | None
    strengths: Literal["ratings", "results", "equal"] | None
    draws: float | None
    best_of: int | None
    dice: str
    jobs: int | None
    scheduler: str | None

    def play(
        self, session: Session, results: RankedResults, cut: int, chances: Chances | None = None
    ) -> Estimate:
        """Play the rest of the event many times. chances: how tables end; None: from the options and the results.

        Raises TourneyError if nothing is left to play, the cut leaves no player out, or workers are missing.
        """
        record = results.record
        coming = tuple(results.next_rounds(self.rounds))
        opened = any(table.result is None for tables in record.rounds for table in tables)
        if not opened and not coming:
            raise TourneyError(
                "nothing is left to play: every result is in, and no round is to come",
                "`--rounds N` says how many there will be"
                if results.planned is None
                else f"`{' '.join(['tourney standings', *results.from_])} --cut {cut}` shows who makes it",
            )
        if cut >= len(record.players):
            raise TourneyError(
                f"a cut to {cut} leaves nobody out of {counted(len(record.players), 'player')}"
            )
        known, may_draw = results.match
        if self.draws and may_draw is False:
            raise click.UsageError("--draws: no match of this event can be drawn")
        chances = chances or chances_of(
            record,
            source=self.strengths,
            draws=self.draws / 100 if self.draws is not None else 0.0 if may_draw is False else None,
            best_of=self.best_of or known,
        )
        spread = Spread(
            position=Position(
                record=replace(record, planned_rounds=len(record.rounds) + len(coming)),
                profile=results.profile,
                cut=cut,
                gone=results.gone,
                coming=coming,
            ),
            chances=chances,
            seed=self.dice,
            runs=self.runs or usual_runs(len(record.players), coming),
            jobs=self.jobs,
            scheduler=self.scheduler,
        )
        return Estimate(
            position=spread.position,
            chances=chances,
            counts=added(session, spread),
            dice=self.dice,
            paired=_paired_by(results, coming),
        )


_SLOW, _FEWEST_RUNS = 60_000, 100


def usual_runs(players: int, coming: Sequence[Coming]) -> int:
    """Return the default number of runs: about a minute of work, at most two minutes on two cores."""
    if not coming:
        return _RUNS
    if not coming[0].pairer.slow:
        return _FEWER_RUNS
    return max(_FEWEST_RUNS, min(_FEWER_RUNS, _SLOW // (players * len(coming)) // 10 * 10))


def _paired_by(results: RankedResults, coming: Sequence[Coming]) -> str:
    from tourney.desk.forecasting import paired_by

    if not results.of_event:
        return "by this program's Swiss rules, as nobody's wishes are known"
    return paired_by(results.system, coming)


def added(session: Session, spread: Spread) -> Counts:
    """Play runs with a progress bar, and return the sum of their counts. Raises TourneyError as `Spread.played` does."""
    counts = Counts()
    with session.progress(spread.played(), "playing on", len(spread.parts)) as parts:
        for part in parts:
            counts += part
    return counts


def playing_on(function: F) -> F:
    """Give a command the options of `_playing_on`, as its `play_request`."""
    return _playing_on(gathered("play_request", PlayRequest)(function))


def no_round_lines(counts: Counts) -> list[str]:
    """Return a line with the number of rounds that the event's system could not pair, if there are any."""
    if not counts.no_round:
        return []
    them = "it" if counts.no_round == 1 else "them"
    return [
        f"{counted(counts.no_round, 'round')} in these runs had no pairing under the system's own rules: "
        f"this program's Swiss rules paired {them}"
    ]


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """The counts of the runs, and how they were played. paired: how rounds to come were paired, in words."""

    position: Position
    chances: Chances
    counts: Counts
    dice: str
    paired: str

    @property
    def staying(self) -> frozenset[PlayerId]:
        """The players who can still make the cut."""
        record = self.position.record
        return frozenset(record.players).difference(self.position.gone, record.drops, record.disqualified)

    @property
    def lines(self) -> list[str]:
        """How it was played, in sentences."""
        chances, coming = self.chances, len(self.position.coming)
        strengths = {
            "ratings": "strengths are from the ratings",
            "results": "strengths are from the results so far",
            "equal": "all players are taken to be equal",
        }[chances.source]
        lines = [
            f"{strengths}; {f'{percent_text(chances.draws)} of the tables end' if chances.draws else 'no table ends'} drawn; "
            "nobody agrees to a draw, and nobody drops"
        ]
        if coming:
            lines.append(f"{counted(coming, 'round')} to come, paired in every run {self.paired}")
            if self.position.coming[0].pairer.slow and self.counts.runs < _FEWER_RUNS:
                lines.append(
                    f"that engine takes its time: `--runs {_FEWER_RUNS}` narrows the intervals, and takes longer"
                )
        return [*lines, *no_round_lines(self.counts)]

    @property
    def simulated(self) -> Simulated:
        """How it was played, and how often, for `--json`."""
        return Simulated(
            runs=self.counts.runs,
            dice=self.dice,
            to_come=len(self.position.coming),
            paired_by=self.paired if self.position.coming else None,
            no_round=self.counts.no_round,
            strengths=self.chances.source,
            draws=round(self.chances.draws, 6),
            best_of=self.chances.best_of,
        )


@command(
    "chances",
    event=True,
    examples=[
        "tourney forecast chances --cut 8",
        "tourney forecast chances --cut 8 --from results.csv --profile mtr --rounds 6",
        "tourney forecast chances --cut 8 --runs 100000 --scheduler tcp://10.0.0.5:8786",
    ],
)
@asking
@cut_size
@playing_on
def chances_(
    session: Session, cut: int | None, *, request: StandingsRequest, play_request: PlayRequest
) -> None:
    """Estimate each player's chance of the cut, and that of each final record, by playing the rest of the event many times.

    Each run draws the results of the open tables, pairs the rounds to come with the event's own engine, and ranks by the
    event's own rules; a lot decides between players who are level at the line. Percentages come with the interval that holds
    the true one in 95 of 100 cases. Nothing here is proved; `tourney forecast cut` shows what is.

    The same command gives the same answer, whatever the number of processes or machines.
    """
    results = request.read(session)
    size = size_of_cut(results, cut)
    estimate = play_request.play(session, results, size)
    if session.json:
        players = [row.player for row in ranked_rows(results)]
        session.emit(
            ChancesForecast(
                **structs.asdict(estimate.simulated),
                cut=size,
                after=len(results.record.rounds),
                players=player_chances(
                    estimate.counts,
                    [player for player in players if player in estimate.staying],
                    results.names,
                ),
                left_out=tuple(
                    LeftOut(results.names[player], player)
                    for player in players
                    if player not in estimate.staying
                ),
                records=record_chances(estimate.counts),
            )
        )
        return
    counts = estimate.counts
    rows = [
        [
            row.rank or "",
            results.name(row.player),
            results.profile.points_text(row.points),
            *share_cells(counts.chance(row.player)),
        ]
        for row in ranked_rows(results)
        if row.player in estimate.staying
    ]
    session.table(["", "player", "points", f"top {size}", "95 %"], rows, right=(0, 2, 3, 4))
    session.say()
    say_records(session, counts, size)
    session.talk("\n" + "\n".join([f"{counts.runs:,} runs", *estimate.lines]))
    talk_of_gone(session, results, left_out=True)


def say_records(session: Session, counts: Counts, cut: int, *, only_made: bool = False) -> None:
    """Print how often each final record makes the cut. only_made: without records that never do."""
    rows = [
        [_record_text(record), *share_cells(ends.share), mean_text(ends.had / counts.runs)]
        for record, ends in counts.by_record()
        if ends.made or not only_made
    ]
    session.table(["record", f"top {cut}", "95 %", "players"], rows, right=(1, 2, 3))


def _record_text(record: Won) -> str:
    """Write a record, `5–1–1`."""
    wins, losses, draws = record
    return f"{wins}–{losses}" + (f"–{draws}" if draws else "")


def mean_text(mean: float) -> str:
    """Write a mean number of players or tables."""
    return f"{mean:.1f}" if mean >= 0.1 else "under 0.1"


def share_cells(share: Share) -> list[str]:
    """Return the two cells of a share in a table: itself, and its interval."""
    return [share_text(share), interval_text(share)]


@command(
    "player",
    event=True,
    examples=[
        "tourney forecast player Mira --cut 8",
        "tourney forecast player '#7' --cut 8 --from results.csv --rounds 6 --draws 5",
    ],
)
@who
@asking
@cut_size
@playing_on
def player_(
    session: Session, who: str, cut: int | None, *, request: StandingsRequest, play_request: PlayRequest
) -> None:
    """Show what one player needs, which is proved, and if that is open, how likely the cut is, which is estimated.

    The proof is that of `tourney forecast cut`, also for the others at the same table; the estimate is that of `tourney
    forecast chances`. If the verdict is proved, there is nothing to estimate.
    """
    results = request.read(session).with_rounds(play_request.rounds)
    size = size_of_cut(results, cut)
    player = results.find(who)
    row = next((row for row in ranked_rows(results) if row.player == player), None)
    if row is None:
        raise TourneyError(f"{results.name(player)} is not in the standings")
    needs = _Needs(results=results, cut=size, row=row, forecast=_proved(results, size, player))
    estimate = play_request.play(session, results, size) if needs.now == "open" else None
    if estimate is not None and player not in estimate.staying:
        estimate = None
    if session.json:
        session.emit(needs.document(estimate))
        return
    needs.print(session)
    if estimate is not None:
        _say_chances(session, player, estimate)
    if player in results.seem_gone:
        talk_of_gone(session, results)


def _proved(results: RankedResults, cut: int, player: PlayerId) -> Forecast | None:
    """Return the forecast for a player and the others at the same open table; None before the first round."""
    if not results.record.rounds:
        return None
    question = question_of(results, cut)
    beside = [table.seats for table in question.tables if player in table.seats]
    return forecast_cut(question, {player, *(other for seats in beside for other in seats)})


@dataclass(frozen=True, kw_only=True)
class _Needs:
    """What is proved about a player. forecast: for the player's open table; None before the first round."""

    results: RankedResults
    cut: int
    row: Row
    forecast: Forecast | None

    @property
    def outlook(self) -> Outlook | None:
        """The player's outlook; None before the first round, and for a player who left."""
        every = self.forecast.outlooks if self.forecast else ()
        return next((outlook for outlook in every if outlook.player == self.row.player), None)

    @property
    def now(self) -> Verdict:
        """The verdict: open before the first round, out for a player who left."""
        if self.forecast is None:
            return "open"
        return self.outlook.now if self.outlook else "out"

    def print(self, session: Session) -> None:
        """Print what the player needs, and what the results of the own table mean to its players."""
        name, points = self.results.name(self.row.player), self.results.profile.points_text(self.row.points)
        session.say(f"{name}, {with_unit(points)}{f', place {self.row.rank}' if self.row.rank else ''}")
        if self.forecast is None:
            session.say(f"top {self.cut}: open, as nothing is paired yet")
            return
        session.say(f"top {self.cut}: {verdict_text(self.results, self.row, self.outlook)}")
        for line in why_lines(self.results, self.forecast.question, self.outlook)[2:]:
            session.say(line)
        for at in self.forecast.tables:
            text = draw_text(at, self.results.name)
            session.say(f"table {at.table.number}{': ' if text else ''}{text}")
            print_tables(session, self.results, [at], numbered=False)

    def document(self, estimate: Estimate | None) -> PlayerForecast:
        """Return the document for `--json`."""
        question = self.forecast.question if self.forecast else None
        verdict = verdict_of(self.results, self.row, question, self.outlook)
        tables = (
            [table_verdict(at, self.results.names) for at in self.forecast.tables] if self.forecast else []
        )
        return PlayerForecast(
            **structs.asdict(verdict),
            cut=self.cut,
            after=len(self.results.record.rounds),
            table=tables[0] if tables else None,
            estimate=player_estimate(self.row.player, estimate.counts, estimate.simulated)
            if estimate
            else None,
        )


def _say_chances(session: Session, player: PlayerId, estimate: Estimate) -> None:
    counts = estimate.counts
    session.say(f"estimate: in {chance_text(counts.chance(player), counts.runs)}")
    rows = [
        [f"after a {outcome.value}", *share_cells(share)]
        for outcome, share in counts.after_results(player).items()
    ]
    rows += [
        [f"ending {_record_text(record)}", *share_cells(share)]
        for record, share in counts.with_records(player)
    ]
    session.table([], rows, right=(1, 2))
    session.talk("\n" + "\n".join(estimate.lines))
