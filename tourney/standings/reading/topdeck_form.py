"""A tournament as TopDeck.gg's API (version 2) answers with: standings, and rounds of tables of any size.

A table called `Byes` holds everybody who had one; a round that is called and not numbered is the bracket's, whose seeds are not told.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import msgspec

from tourney import decode
from tourney.record import Outcome, PlayerId, Table
from tourney.standings.reading.forms import Told, Written, as_placed, json_text, lost, rounds_of
from tourney.standings.reading.results import (
    Beside,
    Duel,
    MatchLine,
    Results,
    ResultsDraft,
    StandingClaim,
    bracket_of,
)
from tourney.wording import counted

_DRAW = "Draw"
_DONE = "Completed"
_BYES = "Byes"


class _Seat(msgspec.Struct, frozen=True):
    name: str | None = None
    id: str | None = None


class _Table(msgspec.Struct, frozen=True):
    players: list[_Seat]
    table: int | str | None = None
    winner: str | None = None
    winner_id: str | None = None
    status: str | None = None


class _Round(msgspec.Struct, frozen=True):
    round: int | str
    tables: list[_Table]


class _Standing(msgspec.Struct, frozen=True):
    name: str | None = None
    id: str | None = None
    points: float | None = None
    opponentWinRate: float | None = None  # noqa: N815  the names are the form's


class _File(msgspec.Struct, frozen=True):
    rounds: list[_Round]
    standings: list[_Standing]
    tournamentName: str | None = None  # noqa: N815
    name: str | None = None
    startDate: int | None = None  # noqa: N815
    data: dict[str, Any] = {}


def read(told: Told) -> Results:
    """Read a tournament. Raises TourneyError naming the file and the key path."""
    events = told.value if isinstance(told.value, list) else [told.value]
    if len(events) != 1:
        raise told.fault("the answer", f"it has {len(events)} tournaments", "ask for one, by its TID")
    file = decode.build(events[0], _File, source=told.source)
    swiss = [each for each in file.rounds if isinstance(each.round, int) or each.round.isdigit()]
    names = {_key(each): each.name or _key(each) for each in file.standings if _key(each)}
    for each in (seat for round_ in file.rounds for table in round_.tables for seat in table.players):
        names.setdefault(_key(each), each.name or _key(each))
    names.pop("", None)
    draft = ResultsDraft(told.source, names, Beside(round_robin=False))
    for at, round_ in enumerate(swiss):
        draft.open_round()
        for number, table in enumerate(round_.tables):
            _add(draft, table, f"rounds[{at}].tables[{number}]", told)
    results, ids = draft.results(), draft.ids
    bracket = len(file.rounds) - len(swiss)
    playoff = bracket_of((_duels(each.tables) for each in file.rounds if each not in swiss), ids)
    data = {**file.data, "name": file.tournamentName or file.name or file.data.get("name")}
    return replace(
        results,
        names={ids[key]: name for key, name in names.items()},
        title=str(data["name"] or "").strip(),
        day=_day(file.startDate or data.get("startDate")),
        claims={
            ids[_key(each)]: _claim(each, None if bracket else at)
            for at, each in enumerate(file.standings, 1)
            if _key(each)
        },
        playoff=playoff,
        left_out=(
            f"its bracket ({counted(bracket, 'round')}): it is not one of tables of two with a winner each",
        )
        if bracket and playoff is None
        else (),
    )


def _key(seat: _Seat | _Standing) -> str:
    return (seat.id or seat.name or "").strip()


def _duels(tables: Iterable[_Table]) -> Iterator[Duel | None]:
    for table in tables:
        if table.table == _BYES or len(table.players) == 1:
            continue
        won = [at for at, seat in enumerate(table.players) if _won(table, seat)]
        settled = len(won) < 2 and _DRAW not in (table.winner, table.winner_id)
        yield Duel([*map(_key, table.players)], won[0] if won else None) if settled else None


def _add(draft: ResultsDraft, table: _Table, place: str, told: Told) -> None:
    keys = [_key(seat) for seat in table.players]
    if not all(keys):
        raise told.fault(place, "a player has neither id nor name")
    if table.table == _BYES or len(keys) == 1:
        for key in keys:
            draft.add(MatchLine(place=place, first=key, second=None, kind="bye"))
        return
    if not keys:
        raise told.fault(place, "nobody sits there")
    number = table.table if isinstance(table.table, int) else None
    won = [seat for seat in table.players if _won(table, seat)]
    drawn = _DRAW in (table.winner, table.winner_id)
    done = drawn or won
    if len(won) > 1:
        raise told.fault(place, f"`{table.winner}` is the name of {len(won)} players of the table")
    if len(keys) == 2:
        kind = "draw" if drawn else "unreported" if not won else "p1" if won[0] is table.players[0] else "p2"
        draft.add(MatchLine(place=place, first=keys[0], second=keys[1], kind=kind, table=number))
    elif done:
        places = [1 if drawn or seat in won else 2 for seat in table.players]
        draft.add_table(place, list(keys), places, [None] * len(keys))
    else:
        draft.add_open_table(place, list(keys))


def _won(table: _Table, seat: _Seat) -> bool:
    if table.winner_id:
        return _key(seat) == table.winner_id
    return bool(table.winner) and seat.name == table.winner


def _claim(standing: _Standing, place: int | None) -> StandingClaim:
    points = None if standing.points is None else Fraction(str(standing.points)) * 2
    rate = standing.opponentWinRate
    values = {} if rate is None else {"OMW": (Fraction(str(rate)), len(str(rate).partition(".")[2]))}
    return StandingClaim(
        place=place,
        points=int(points) if points is not None and points.denominator == 1 else None,
        values=values,
    )


def _day(seconds: Any) -> datetime.date | None:
    if not isinstance(seconds, int) or not 0 < seconds < _LAST_SECOND:
        return None
    return datetime.datetime.fromtimestamp(seconds, tz=datetime.UTC).date()


_LAST_SECOND = 2**35
"""Nothing is dated after the year 3000."""


# -- Back to a file


_HOLDS = frozenset(["players", "tables", "open", "name", "day", "drops"])


def write(results: Results) -> Written:
    """Write an event as TopDeck answers."""
    name = results.names
    rounds = []
    for number, tables, byes in rounds_of(results.record):
        alone = [player for player, _ in byes]
        alone += [table.seats[0] for table in tables if len(table.seats) == 1]
        written = [_written(table, name) for table in tables if len(table.seats) > 1]
        if alone:
            seats = [_seat(each, name) for each in alone]
            written.append({"table": _BYES, "players": seats, "status": _DONE})
        rounds.append({"round": number, "tables": written})
    start = results.day and int(
        datetime.datetime.combine(results.day, datetime.time(12), datetime.UTC).timestamp()
    )
    file = {
        "TID": "",
        "tournamentName": results.title,
        "startDate": start,
        "standings": [{**_seat(player, name), **_points(player, results)} for player in as_placed(results)],
        "rounds": rounds,
    }
    return Written(json_text(file), tuple(_lost(results)))


def _seat(player: PlayerId, name: Mapping[PlayerId, Any]) -> dict[str, Any]:
    return {"name": str(name[player]), "id": str(player)}


def _points(player: PlayerId, results: Results) -> dict[str, Any]:
    """Return the points where they are counted as TopDeck counts them."""
    points = results.claims.get(player, StandingClaim()).points
    same = all(results.scoring.get(outcome, worth) == worth for outcome, worth in _WORTH.items())
    return {"points": points / 2} if points is not None and same else {}


_WORTH = {Outcome.WIN: 6, Outcome.DRAW: 2}
"""Half points, as TopDeck counts."""


def _written(table: Table, name: Mapping[PlayerId, Any]) -> dict[str, Any]:
    told: dict[str, Any] = {"table": table.number, "players": [_seat(each, name) for each in table.seats]}
    if table.result is None:
        return {**told, "winner": None, "winner_id": None, "status": "Active"}
    best = [seat.player for seat in table.result.seats if seat.outcome in {Outcome.WIN, Outcome.FORFEIT_WIN}]
    winner = (
        {"winner": str(name[best[0]]), "winner_id": str(best[0])}
        if best
        else {"winner": _DRAW, "winner_id": _DRAW}
    )
    return {**told, **winner, "status": _DONE}


def _lost(results: Results) -> Iterator[str]:
    yield from lost(results, _HOLDS)
    if any(len({s.place for s in t.result.seats}) > 2 for r in results.record.rounds for t in r if t.result):
        yield "the places at a table but the first"
