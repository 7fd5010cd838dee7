"""A tournament as TopDeck.gg's API (version 2) answers with: standings, and rounds of tables of any size.

A table called `Byes` holds everybody who had one; a round that is called and not numbered is the bracket's, whose seeds are not told.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import msgspec

from tourney import decode
from tourney.record import Outcome, PlayerId, Table
from tourney.standings.reading.forms import Told, Written, lost
from tourney.standings.reading.results import (
    Beside,
    Claim,
    MatchLine,
    Playoff,
    Results,
    ResultsDraft,
    knockout,
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
    draft = ResultsDraft(told.source, names, Beside())
    for at, round_ in enumerate(swiss):
        draft.open_round()
        for number, table in enumerate(round_.tables):
            _add(draft, table, f"rounds[{at}].tables[{number}]", told)
    results = draft.results()
    ids = {str(name): player for name, player in draft.ids.items()}
    bracket = len(file.rounds) - len(swiss)
    playoff = _playoff([each for each in file.rounds if each not in swiss], ids)
    data = {**file.data, "name": file.tournamentName or file.name or file.data.get("name")}
    return replace(
        results,
        record=replace(results.record, planned_rounds=None, round_robin=False),
        names={ids[key]: name for key, name in names.items()},
        title=str(data["name"] or "").strip(),
        day=_day(file.startDate or data.get("startDate")),
        claims={ids[_key(each)]: _claim(each, at) for at, each in enumerate(file.standings, 1) if _key(each)}
        if not bracket
        else {ids[_key(each)]: _claim(each, None) for each in file.standings if _key(each)},
        playoff=playoff,
        left_out=(
            f"its bracket ({counted(bracket, 'round')}): it is not one of tables of two with a winner each",
        )
        if bracket and playoff is None
        else (),
    )


def _key(seat: _Seat | _Standing) -> str:
    return (seat.id or seat.name or "").strip()


def _playoff(rounds: list[_Round], ids: Mapping[str, PlayerId]) -> Playoff | None:
    """Return the bracket, whose seeds the form does not tell; None where it has none, or not one of tables of two."""
    played = []
    for each in rounds:
        tables = []
        for number, table in enumerate(
            (t for t in each.tables if t.table != _BYES and len(t.players) != 1), 1
        ):
            keys = [_key(seat) for seat in table.players]
            if len(keys) != 2 or keys[0] == keys[1] or not all(key in ids for key in keys):
                return None
            won = [
                at
                for at, (seat, key) in enumerate(zip(table.players, keys, strict=True))
                if _won(table, seat, key)
            ]
            if len(won) > 1 or _DRAW in (table.winner, table.winner_id):
                return None
            tables.append(knockout(number, (ids[keys[0]], ids[keys[1]]), won[0] if won else None))
        played.append(tuple(tables))
    return Playoff(seeds=(), rounds=tuple(played)) if played else None


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
    won = [seat for seat, key in zip(table.players, keys, strict=True) if _won(table, seat, key)]
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


def _won(table: _Table, seat: _Seat, key: str) -> bool:
    return key == table.winner_id if table.winner_id else bool(table.winner) and seat.name == table.winner


def _claim(standing: _Standing, place: int | None) -> Claim:
    points = None if standing.points is None else Fraction(str(standing.points)) * 2
    rate = standing.opponentWinRate
    values = {} if rate is None else {"OMW": (Fraction(str(rate)), len(str(rate).partition(".")[2]))}
    return Claim(
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
    record, name = results.record, results.names
    claims = results.claims
    ranked = sorted(
        record.players,
        key=lambda each: ((claims[each].place if each in claims else None) or len(record.players), each),
    )
    rounds = []
    for at, tables in enumerate(record.rounds, 1):
        byes = sorted(record.byes[at - 1] if at <= len(record.byes) else ())
        byes += [table.seats[0] for table in tables if len(table.seats) == 1]
        written = [_written(table, name) for table in tables if len(table.seats) > 1]
        if byes:
            written.append({"table": _BYES, "players": [_seat(each, name) for each in byes], "status": _DONE})
        rounds.append({"round": at, "tables": written})
    start = results.day and int(
        datetime.datetime.combine(results.day, datetime.time(12), datetime.UTC).timestamp()
    )
    file = {
        "TID": "",
        "tournamentName": results.title,
        "startDate": start,
        "standings": [{**_seat(player, name), **_points(claims.get(player), results)} for player in ranked],
        "rounds": rounds,
    }
    return Written(
        msgspec.json.format(msgspec.json.encode(file), indent=1).decode() + "\n", tuple(_lost(results))
    )


def _seat(player: PlayerId, name: Mapping[PlayerId, Any]) -> dict[str, Any]:
    return {"name": str(name[player]), "id": str(player)}


def _points(claim: Claim | None, results: Results) -> dict[str, Any]:
    """Return the points where they are counted as TopDeck counts them."""
    same = results.scoring.get(Outcome.WIN, WIN) == WIN and results.scoring.get(Outcome.DRAW, DRAWN) == DRAWN
    return {"points": claim.points / 2} if claim is not None and claim.points is not None and same else {}


WIN, DRAWN = 6, 2
"""Half points for a win and a draw."""


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
