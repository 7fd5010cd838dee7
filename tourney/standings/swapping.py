"""Which single result would have changed the order of two players, everything else being as it was."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tourney.record import Outcome, PlayerId, Result, Seat, Table
from tourney.standings import tiebreaks
from tourney.standings.exact import Value
from tourney.standings.ranking import Standings, value_of
from tourney.standings.sheets import Sheets
from tourney.standings.tiebreaks import Tiebreak

BUDGET = 50_000
"""Players times results tried: above it only the two players' own matches are (10,000 players: two seconds)."""

ENOUGH = 3
"""How many results of other people's matches are told."""


@dataclass(frozen=True, slots=True)
class Swap:
    """Had `table` of `round` ended as `instead`, the two players would stand the other way round.

    table: the table as it was; instead: the result, in the same seat order
    """

    round: int
    table: Table
    instead: Result


def swaps(
    sheets: Sheets, standings: Standings, one: PlayerId, other: PlayerId
) -> tuple[tuple[Swap, ...], bool]:
    """Return single results that would have swapped two neighbours, and whether all that could matter were tried.

    The two players' own matches come first, all of them; matches of their opponents only if those hold none. Level
    neighbours have no order to swap.
    """
    pair = _Pair(sheets, standings, one, other)
    if not pair.order:
        return (), True
    own = _tables(sheets, {one, other})
    found = [swap for swap in _alternatives(own) if pair.swapped_by(swap)]
    if found:
        return tuple(found), True
    met = {opponent for player in (one, other) for entry in sheets[player] for opponent in entry.opponents}
    known = {(number, table.number) for number, table in own}
    theirs = [place for place in _tables(sheets, met) if (place[0], place[1].number) not in known]
    tries = list(_alternatives(theirs))
    affordable = max(0, BUDGET // max(1, len(pair.ranked)))
    for swap in tries[:affordable]:
        if pair.swapped_by(swap):
            found.append(swap)
            if len(found) == ENOUGH:
                break
    return tuple(found), len(tries) <= affordable


class _Pair:
    """Two players, and the order they stand in: -1 if `one` is above, 1 if below, 0 if they are level."""

    def __init__(self, sheets: Sheets, standings: Standings, one: PlayerId, other: PlayerId) -> None:
        self.sheets = sheets
        self.ranked = [row.player for row in standings.rows if row.rank is not None]
        self.one = one
        self.other = other
        self.rules = [tiebreaks.find(code) for code in sheets.profile.order]
        self.order = self._order(sheets)

    def swapped_by(self, swap: Swap) -> bool:
        then = self.sheets.with_table(swap.round, replace(swap.table, result=swap.instead))
        return self._order(then) == -self.order

    def _order(self, sheets: Sheets) -> int:
        level = self.ranked
        for i, rule in enumerate(self.rules):
            value = rule.among(sheets, level).__getitem__ if rule.among else value_of(sheets, rule)
            order = _compared(value(self.one), value(self.other), rule)
            if order:
                return order
            if any(later.among for later in self.rules[i + 1 :]):
                level = [player for player in level if value(player) == value(self.one)]
        return 0


def _compared(own: Value, theirs: Value, rule: Tiebreak) -> int:
    if own == theirs:
        return 0
    if own is None or theirs is None:
        return 1 if own is None else -1
    return -1 if (own < theirs) == rule.low else 1


def _tables(sheets: Sheets, players: set[PlayerId]) -> list[tuple[int, Table]]:
    """Return the reported tables of `players`, the latest rounds first: those are the ones people ask about."""
    return [
        (number, table)
        for number in range(sheets.rounds, 0, -1)
        for table in sheets.record.rounds[number - 1]
        if table.result is not None and table.result.played and not players.isdisjoint(table.seats)
    ]


def _alternatives(tables: list[tuple[int, Table]]) -> Iterator[Swap]:
    for number, table in tables:
        assert table.result is not None
        for result in _other_results(table.result):
            yield Swap(number, table, result)


def _other_results(result: Result) -> Iterator[Result]:
    """Return how a table could have ended instead: each other winner, and a draw of two."""
    seats = result.seats
    for winner in seats:
        if winner.outcome is not Outcome.WIN:
            yield _won_by(result, winner)
    if len(seats) == 2 and any(seat.outcome is not Outcome.DRAW for seat in seats):
        yield _drawn(result)


def _won_by(result: Result, winner: Seat) -> Result:
    """Return the result with `winner` first: games and scores change places with the old winner's, if there was one."""
    best = max(result.seats, key=lambda seat: (seat.outcome is Outcome.WIN, seat.games))
    decided = best.outcome is Outcome.WIN
    return Result(
        tuple(
            _seat(seat, Outcome.WIN, best.games + (not decided), best.score if decided else None)
            if seat is winner
            else _seat(seat, Outcome.LOSS, *_lost(seat, best, winner, decided=decided))
            for seat in result.seats
        ),
        # A draw of drawn games only becomes a plain win; `1-1-1` becomes `2-1-1`.
        result.drawn_games if decided or best.games else 0,
    )


def _lost(seat: Seat, best: Seat, winner: Seat, *, decided: bool) -> tuple[int, int | None]:
    if not decided:
        return seat.games, None
    other = winner if seat is best else seat
    return other.games, other.score


def _drawn(result: Result) -> Result:
    most = max(seat.games for seat in result.seats)
    games, drawn = (1, result.drawn_games) if most > 1 else (0, max(1, result.drawn_games))
    if any(seat.score is not None for seat in result.seats):
        games, drawn = 0, 0
    return Result(tuple(_seat(seat, Outcome.DRAW, games, None) for seat in result.seats), drawn)


def _seat(seat: Seat, outcome: Outcome, games: int, score: int | None) -> Seat:
    place = 2 if outcome is Outcome.LOSS else 1
    return Seat(seat.player, outcome, place, 0 if score is None and seat.score is not None else games, score)
