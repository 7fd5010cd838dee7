"""A tournament from TopDeck.gg's API (version 2): standings, and rounds of tables.

A table can have any number of seats. The table named `Byes` contains all players with a bye. A round with a
name instead of a number belongs to the bracket; the response does not contain the seeds of the bracket.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import msgspec
from msgspec import Struct

from tourney import decode
from tourney.record import Outcome, PlayerId, Table
from tourney.standings.reading import sheet, writing
from tourney.standings.reading.results import Results, results_of

_DRAW = "Draw"
_BYES = "Byes"


class _Player(Struct, frozen=True):
    name: str | None = None
    id: str | None = None

    @property
    def key(self) -> str:
        return (self.id or self.name or "").strip()


class _Table(Struct, frozen=True):
    players: list[_Player]
    table: int | str | None = None
    winner: str | None = None
    winner_id: str | None = None
    status: str | None = None

    @property
    def is_byes(self) -> bool:
        return self.table == _BYES or len(self.players) == 1

    @property
    def is_drawn(self) -> bool:
        return _DRAW in (self.winner, self.winner_id)

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(player.key for player in self.players)

    @property
    def winners(self) -> list[int]:
        """A list with the winner's seat, from 0; empty if no player won.

        If the file has only the winner's name, the list has the seats of all players with this name.
        """
        if self.winner_id:
            return [at for at, key in enumerate(self.keys) if key == self.winner_id]
        return [at for at, player in enumerate(self.players) if self.winner and player.name == self.winner]


class _Round(Struct, frozen=True):
    round: int | str
    tables: list[_Table]


class _Standing(_Player, frozen=True, omit_defaults=True, rename="camel"):
    points: float | None = None
    opponent_win_rate: float | None = None


class _File(Struct, frozen=True, omit_defaults=True, rename="camel"):
    rounds: list[_Round]
    standings: list[_Standing]
    tid: str | None = msgspec.field(default=None, name="TID")
    tournament_name: str | None = None
    name: str | None = None
    start_date: int | None = None
    data: dict[str, Any] = {}


def read(source: sheet.SourceFile) -> Results:
    """Read a tournament. Raises a TourneyError that names the file and the key path."""
    events = source.value if isinstance(source.value, list) else [source.value]
    if len(events) != 1:
        raise source.error("the answer", f"it has {len(events)} tournaments", "ask for one, by its TID")
    file = decode.build(events[0], _File, source=source.source)
    seated_players = [player for round_ in file.rounds for table in round_.tables for player in table.players]
    names: dict[sheet.Name, sheet.Name] = {}
    for player in (*file.standings, *seated_players):
        if player.key:
            names.setdefault(player.key, player.name or player.key)
    swiss: list[list[sheet.MatchLine]] = []
    bracket: list[list[sheet.MatchLine]] = []
    for at, round_ in enumerate(file.rounds):
        is_swiss = isinstance(round_.round, int) or round_.round.isdigit()
        lines: list[sheet.MatchLine] = []
        for number, table in enumerate(round_.tables):
            place = f"rounds[{at}].tables[{number}]"
            if is_swiss:
                _check(table, place, source)
            lines += _lines(table, place)
        (swiss if is_swiss else bracket).append(lines)
    title = str(file.tournament_name or file.name or file.data.get("name") or "").strip()
    day = _day(file.start_date or file.data.get("startDate"))
    results_sheet = sheet.ResultsSheet(
        players=names,
        rounds=swiss,
        keys=sheet.EventKeys(name=title, date=day, round_robin=False),
        claims={
            standing.key: _claim(standing, None if bracket else place)
            for place, standing in enumerate(file.standings, 1)
            if standing.key
        },
        bracket=sheet.BracketLines(rounds=bracket),
    )
    return results_of(results_sheet, source)


def _check(table: _Table, place: str, source: sheet.SourceFile) -> None:
    """Raise TourneyError for a table of a Swiss round that cannot be read.

    If a table of the bracket cannot be read, the bracket is left out instead.
    """
    if not all(table.keys):
        raise source.error(place, "a player has neither id nor name")
    if not table.keys and not table.is_byes:
        raise source.error(place, "the table has no players")
    if len(table.winners) > 1 and not table.is_byes:
        count = len(table.winners)
        raise source.error(place, f"`{table.winner}` is the name of {count} players at the table")


def _lines(table: _Table, place: str) -> Iterator[sheet.MatchLine]:
    keys, winners = table.keys, table.winners
    number = table.table if isinstance(table.table, int) else None
    if table.is_byes:
        for key in keys:
            yield sheet.MatchLine(place=place, names=(key,), kind="bye")
    elif len(keys) == 2:
        kind = f"p{winners[0] + 1}" if len(winners) == 1 else "draw" if winners else sheet.UNREPORTED
        kind = "draw" if table.is_drawn else kind
        yield sheet.MatchLine(place=place, names=keys, kind=kind, table=number)
    elif table.is_drawn or winners:
        places = tuple(1 if table.is_drawn or seat in winners else 2 for seat in range(len(keys)))
        yield sheet.MatchLine(place=place, names=keys, places=places)
    else:
        yield sheet.MatchLine(place=place, names=keys, kind=sheet.UNREPORTED)


def _claim(standing: _Standing, place: int | None) -> sheet.StandingClaim:
    points, rate = standing.points, standing.opponent_win_rate
    return sheet.StandingClaim.of(
        place,
        None if points is None else Fraction(str(points)),
        {"OMW": None if rate is None else (Fraction(str(rate)), len(str(rate).partition(".")[2]))},
    )


_MAX_SECONDS = 2**35
"""The maximum start time, in seconds since 1970. It is in the year 3058."""


def _day(seconds: Any) -> datetime.date | None:
    if not isinstance(seconds, int) or not 0 < seconds < _MAX_SECONDS:
        return None
    return datetime.datetime.fromtimestamp(seconds, tz=datetime.UTC).date()


# -- Writing


_KEPT = frozenset(["players", "tables", "open", "name", "day", "drops"])
_WORTH = {Outcome.WIN: 6, Outcome.DRAW: 2}
"""Outcome → half points, as TopDeck counts them."""


def write(results: Results) -> writing.WrittenFile:
    """Write an event as a response of TopDeck's API."""
    seconds = None
    if results.day:
        noon = datetime.datetime.combine(results.day, datetime.time(12), datetime.UTC)
        seconds = int(noon.timestamp())
    file = _File(
        tid="",
        tournament_name=results.title,
        start_date=seconds,
        standings=[
            _Standing(str(results.names[player]), str(player), points=_points(player, results))
            for player in writing.by_place(results)
        ],
        rounds=[
            _Round(number, list(_written_tables(tables, results)))
            for number, tables in enumerate(writing.rounds_of(results.record), 1)
        ],
    )
    lost_facts = [*writing.lost_facts(results, _KEPT)]
    seats = [table.result.seats for tables in results.record.rounds for table in tables if table.result]
    if any(len({seat.place for seat in table}) > 2 for table in seats):
        lost_facts.append("the places at a table except the first")
    return writing.WrittenFile(writing.json_text(file), tuple(lost_facts))


def _points(player: PlayerId, results: Results) -> float | None:
    """Return a player's points if the event counts points as TopDeck does; otherwise None."""
    points = results.claims.get(player, sheet.StandingClaim()).points
    is_same = all(results.scoring.get(outcome, worth) == worth for outcome, worth in _WORTH.items())
    return points / 2 if points is not None and is_same else None


def _written_tables(tables: list[Table], results: Results) -> Iterator[_Table]:
    players = {player: _Player(str(name), str(player)) for player, name in results.names.items()}
    alone = [players[table.seats[0]] for table in tables if len(table.seats) == 1]
    for table in (table for table in tables if len(table.seats) > 1):
        seats = [players[player] for player in table.seats]
        if table.result is None:
            yield _Table(seats, table.number, status="Active")
        else:
            winner, *_ = [*(seats[at] for at in writing.winner_seats(table)), _Player(_DRAW, _DRAW)]
            yield _Table(seats, table.number, winner.name, winner.id, "Completed")
    if alone:
        yield _Table(alone, _BYES, status="Completed")
