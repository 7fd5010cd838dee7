"""JSON documents of forecasts: proved verdicts and estimated chances."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec
from msgspec import structs

from tourney.document import Document
from tourney.forecast.cut import Forecast, Outlook, TableOutlook, Verdict
from tourney.forecast.question import CutQuestion
from tourney.forecast.sentences import because_text, draw_text, outlook_text
from tourney.forecast.shares import Counts, Share, Source, Won
from tourney.record import BY_PLAY, PlayerId
from tourney.standings import Row
from tourney.standings.ranking import note_text

Names = Mapping[PlayerId, str | int]
"""The names of players in the event or the file, by number."""


class OfPlayer(msgspec.Struct, frozen=True):
    """A JSON object about a player.

    player: the player's name, or the player's number if the file has no name
    number: the player's number in order of registration, from 1
    """

    player: str | int
    number: PlayerId


# -- Verdicts


class ByResult(msgspec.Struct, frozen=True):
    """The verdict (`in`, `out` or `open`) after each result of the player's own table.

    win: the verdict after a win; null if a win is impossible
    draw: the verdict after a draw; null if a draw is impossible
    loss: the verdict after a loss; null if a loss is impossible
    """

    win: Verdict | None
    draw: Verdict | None
    loss: Verdict | None


class VerdictReason(msgspec.Struct, frozen=True):
    """The reason for a verdict.

    with: the player's own result; null for a player without an open table
    verdict: `in` or `out`
    others: for `in`, the largest number of other players who can end level or above; for `out`, the smallest
        number of other players who end above
    text: the reason in a sentence
    """

    with_: str | None = msgspec.field(name="with")
    verdict: Verdict
    others: int
    text: str


class SeatVerdict(OfPlayer, frozen=True):
    """The verdict for a player: whether the player makes the cut.

    now: `in` or `out` if this is proved for all results of the open tables; otherwise `open`
    with: the verdict after each result of the player's own table
    """

    now: Verdict
    with_: ByResult = msgspec.field(name="with")


class PlayerVerdict(SeatVerdict, frozen=True):
    """The verdict for a player, and the results that the player needs.

    text: the results that the player needs, in words
    because: the reasons, one for each kind of result after which the player is `in` or `out`
    """

    text: str
    because: tuple[VerdictReason, ...]


class TableVerdict(msgspec.Struct, frozen=True):
    """The verdicts for the players of an open table.

    table: the number of the table
    text: a sentence that names the players whom a draw suits; empty if no match can be drawn
    draw_suits: the numbers of the players who make the cut with a draw, but not with every result
    players: the players, seat by seat
    """

    table: int
    text: str
    draw_suits: tuple[PlayerId, ...]
    players: tuple[SeatVerdict, ...]


class CutForecast(Document, frozen=True, tag="tourney.forecast-cut/1"):
    """What `tourney forecast cut --json` prints: for each player, whether the cut is certain.

    cut: the number of players who make the cut
    after: the number of rounds paired so far
    settled: whether every player is in or out
    players: the players in the order of the standings
    draws_that_suit: the numbers of the tables where both players make the cut with a draw; for at least one
        of them, the verdict is otherwise open
    tables: the open tables of the last round
    """

    cut: int
    after: int
    settled: bool
    players: tuple[PlayerVerdict, ...]
    draws_that_suit: tuple[int, ...]
    tables: tuple[TableVerdict, ...]


def cut_forecast(forecast: Forecast, players: Iterable[PlayerVerdict], names: Names) -> CutForecast:
    """Return the document of a forecast for all players."""
    return CutForecast(
        cut=forecast.question.cut,
        after=len(forecast.question.record.rounds),
        settled=forecast.settled,
        players=tuple(players),
        draws_that_suit=tuple(table.number for table in forecast.draws_that_suit()),
        tables=tuple(table_verdict(at, names) for at in forecast.tables),
    )


def player_verdict(
    row: Row,
    question: CutQuestion | None,
    outlook: Outlook | None,
    names: Names,
    *,
    seems_gone: bool = False,
    why: bool = True,
) -> PlayerVerdict:
    """Return the document about one player.

    question:   the question; None before the first round
    outlook:    the player's outlook; None before the first round, and for a player who left
    row:        the player's row of the standings
    seems_gone: whether the player only seems to have left: the results suggest it, but a file does not say so
    why:        whether to include the reasons; to find them takes a while for many players
    """
    text = "open"
    if question and outlook is None:
        text = f"{note_text(row, gone=True)}: out"
    elif question and outlook:
        has_left = row.dropped and outlook.now == "open"
        text = left_text(seems_gone=seems_gone) if has_left else outlook_text(outlook)
    return PlayerVerdict(
        player=names[row.player],
        number=row.player,
        now="open" if question is None else outlook.now if outlook else "out",
        with_=_by_result(outlook),
        text=text,
        because=tuple(_reasons(question, outlook, names)) if why and question and outlook else (),
    )


def left_text(*, seems_gone: bool) -> str:
    """Return the text for a player who left but could still make the cut by points."""
    return "seems to have left" if seems_gone else "has left"


def _by_result(outlook: Outlook | None) -> ByResult:
    return ByResult(*map(outlook.after, BY_PLAY)) if outlook else ByResult(None, None, None)


def _reasons(question: CutQuestion, outlook: Outlook, names: Names) -> Iterable[VerdictReason]:
    for case in outlook.cases:
        if case.grounds:
            yield VerdictReason(
                with_=case.outcome.value if case.outcome else None,
                verdict=case.verdict,
                others=case.grounds.others,
                text=because_text(question, case, lambda player: str(names[player])),
            )


def table_verdict(at: TableOutlook, names: Names) -> TableVerdict:
    """Return the document about an open table."""
    return TableVerdict(
        table=at.table.number,
        text=draw_text(at, lambda player: str(names[player])),
        draw_suits=tuple(player for word, players in at.drawn() if word == "suits" for player in players),
        players=tuple(
            SeatVerdict(names[player], player, outlook.now if outlook else "out", _by_result(outlook))
            for player, outlook in zip(at.table.seats, at.outlooks, strict=True)
        ),
    )


# -- Chances


class Simulated(msgspec.Struct, frozen=True):
    """How the rest of the event was simulated.

    runs: how often the rest of the event was simulated
    dice: the seed of the random numbers
    paired_by: how the remaining rounds were paired, in words (`as the event pairs them`); null if no rounds
        remain
    no_round: the number of rounds, over all runs, that were paired by Swiss rules because the event's system
        could not pair them
    strengths: the source of the players' strengths: `ratings`, `results`, `equal` or `given`
    draws: the share of tables that end drawn, from 0 to 1
    best_of: the most games in a match
    """

    runs: int
    dice: str
    paired_by: str | None
    no_round: int
    strengths: Source
    draws: float
    best_of: int


class PlayedOn(Simulated, frozen=True):
    """How the rest of an event was simulated after the rounds so far.

    to_come: the number of rounds still to be paired
    """

    to_come: int


class PlayerChance(Share, frozen=True):
    """A player's chance of making the cut.

    player: the player's name, or the player's number if the file has no name
    number: the player's number in order of registration, from 1
    in: the number of runs in which the player made the cut
    """

    player: str | int
    number: PlayerId
    in_: int = msgspec.field(name="in")


class OwnRecordChance(Share, frozen=True):
    """A player's chance of making the cut with one final record.

    record: wins, losses and draws, such as `6-2-0`
    """

    record: str


class RecordChance(OwnRecordChance, frozen=True):
    """The chance of making the cut for players who end with one final record.

    ended: how many players ended with this record, over all runs
    in: how many of these players made the cut
    """

    ended: int
    in_: int = msgspec.field(name="in")


class LeftOut(OfPlayer, frozen=True):
    """A player who is left out of the simulation."""


class ChancesForecast(Document, PlayedOn, frozen=True, tag="tourney.forecast-chances/1"):
    """What `tourney forecast chances --json` prints: the chances of making the cut.

    There is a chance for each player and for each final record.

    cut: the number of players who make the cut
    after: the number of rounds paired so far
    players: the players who can still make the cut, in the order of the standings
    left_out: the players who left, or seem to have left
    records: the final records that players ended with, the best first
    """

    cut: int
    after: int
    players: tuple[PlayerChance, ...]
    left_out: tuple[LeftOut, ...]
    records: tuple[RecordChance, ...]


def player_chances(counts: Counts, players: Iterable[PlayerId], names: Names) -> tuple[PlayerChance, ...]:
    """Return the chances of players, in the order of `players`."""
    return tuple(
        PlayerChance(
            **structs.asdict(counts.chance(player)),
            player=names[player],
            number=player,
            in_=counts.made[player],
        )
        for player in players
    )


def record_chances(counts: Counts) -> tuple[RecordChance, ...]:
    """Return the chances of final records, the best record first."""
    return tuple(
        RecordChance(**structs.asdict(ends.share), record=_dashed(record), ended=ends.had, in_=ends.made)
        for record, ends in counts.by_record()
    )


def _dashed(record: Won) -> str:
    return "-".join(map(str, record))


class ChanceByResult(msgspec.Struct, frozen=True):
    """The chance of making the cut after each result of the player's own table.

    win: the chance after a win; null if the player won in no run
    draw: the chance after a draw; null if the player drew in no run
    loss: the chance after a loss; null if the player lost in no run
    """

    win: Share | None
    draw: Share | None
    loss: Share | None


class PlayerEstimate(PlayedOn, frozen=True):
    """A player's chance of making the cut.

    share: the estimated chance, from 0 to 1
    low: the lower end of the 95 % interval (Wilson's)
    high: the upper end of the interval
    in: the number of runs in which the player made the cut
    with: the chance after each result of the player's own table
    records: the chance with each final record, the best first
    """

    share: float
    low: float
    high: float
    in_: int = msgspec.field(name="in")
    with_: ChanceByResult = msgspec.field(name="with")
    records: tuple[OwnRecordChance, ...]


def player_estimate(player: PlayerId, counts: Counts, played: PlayedOn) -> PlayerEstimate:
    """Return the estimate for one player."""
    after = counts.after_results(player)
    return PlayerEstimate(
        **structs.asdict(played),
        **structs.asdict(counts.chance(player)),
        in_=counts.made[player],
        with_=ChanceByResult(*map(after.get, BY_PLAY)),
        records=tuple(
            OwnRecordChance(**structs.asdict(share), record=_dashed(record))
            for record, share in counts.with_records(player)
        ),
    )


class PlayerForecast(Document, PlayerVerdict, frozen=True, tag="tourney.forecast-player/1"):
    """What `tourney forecast player PLAYER --json` prints: which results the player needs.

    It also has the player's chance of making the cut.

    cut: the number of players who make the cut
    after: the number of rounds paired so far
    table: the player's own open table; null if the player has none
    estimate: the player's chance of making the cut; null if the verdict is `in` or `out`
    """

    cut: int
    after: int
    table: TableVerdict | None
    estimate: PlayerEstimate | None
