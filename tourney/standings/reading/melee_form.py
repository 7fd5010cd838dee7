"""Matches as melee.gg answers with them (`Match/GetRoundMatches`): one answer, or a list of one for each round.

A match of one competitor is a bye, or with a reason for a loss an assigned one. A round whose name is no `Round N` is the
bracket's, whose seeds are not told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from typing import Any

import msgspec

from tourney import decode
from tourney.record import Outcome, PlayerId, Table
from tourney.standings.reading.forms import Told, Written, json_text, lost, refuse_large_tables, rounds_of
from tourney.standings.reading.results import Beside, Duel, MatchLine, Name, Results, ResultsDraft, bracket_of
from tourney.wording import counted


class _Player(msgspec.Struct, frozen=True):
    DisplayName: str | None = None
    Username: str | None = None
    ID: int | None = None


class _Team(msgspec.Struct, frozen=True):
    Players: list[_Player]


class _Competitor(msgspec.Struct, frozen=True):
    Team: _Team
    GameWins: int | None = None


class _Match(msgspec.Struct, frozen=True):
    RoundNumber: int
    Competitors: list[_Competitor]
    HasResult: bool = False
    GameDraws: int | None = None
    TableNumber: int | None = None
    LossReasonDescription: str | None = None
    RoundDescription: str | None = None


class _Answer(msgspec.Struct, frozen=True):
    data: list[_Match]


_NUMBERED = re.compile(r"round \d+", re.IGNORECASE)


_Placed = tuple[_Match, str]
"""A match and where it stands in the file."""


def _number(placed: _Placed) -> int:
    return placed[0].RoundNumber


def read(told: Told) -> Results:
    """Read the matches. Raises TourneyError naming the file and the key path."""
    answers = told.value if isinstance(told.value, list) else [told.value]
    every = [
        (match, f"data[{at}]" if len(answers) == 1 else f"[{number}].data[{at}]")
        for number, answer in enumerate(answers)
        for at, match in enumerate(decode.build(answer, _Answer, source=told.source).data)
    ]
    swiss = [
        (m, place)
        for m, place in every
        if _NUMBERED.fullmatch(m.RoundDescription or f"Round {m.RoundNumber}")
    ]
    numbers = sorted({match.RoundNumber for match, _ in swiss})
    if numbers != list(range(1, len(numbers) + 1)):
        raise told.fault("data", f"there are rounds {', '.join(map(str, numbers))}, and not 1, 2, 3 …")
    called: dict[str, str] = {}
    seated = [
        (match, place, [_player(each, place, told) for each in match.Competitors]) for match, place in swiss
    ]
    for _, _, players in seated:
        called |= {_key(each): each.DisplayName or each.Username or _key(each) for each in players}
    draft = ResultsDraft(told.source, called, Beside(round_robin=False))
    for number in numbers:
        draft.open_round()
        for match, place, players in seated:
            if match.RoundNumber == number:
                draft.add(_line(match, place, [_key(each) for each in players], told))
    results, ids = draft.results(), draft.ids
    cut = sorted((each for each in every if each not in swiss), key=_number)
    playoff = bracket_of((_duels(each, ids, told) for _, each in groupby(cut, _number)), ids)
    bracket = len(set(map(_number, cut)))
    why = f"its bracket ({counted(bracket, 'round')}): it is not one of matches of two with a winner each"
    return replace(
        results,
        names={ids[key]: name for key, name in called.items()},
        playoff=playoff,
        left_out=(why,) if cut and playoff is None else (),
    )


def _duels(matches: Iterable[_Placed], ids: Mapping[Name, PlayerId], told: Told) -> Iterator[Duel | None]:
    for match, place in matches:
        keys = [_key(_player(each, place, told)) for each in match.Competitors]
        if len(keys) == 1 and keys[0] in ids:
            continue  # who waits for the next round
        wins = [each.GameWins or 0 for each in match.Competitors]
        decided = len(wins) == 2 and min(wins) >= 0 and wins[0] != wins[1]
        won = int(wins[1] > wins[0]) if decided and match.HasResult else None
        yield Duel(keys, won, wins) if decided or not match.HasResult else None


def _player(competitor: _Competitor, place: str, told: Told) -> _Player:
    players = competitor.Team.Players
    if len(players) != 1:
        raise told.fault(f"{place}.Competitors", "a team of several: tourney's players play alone")
    if not _key(players[0]):
        raise told.fault(f"{place}.Competitors", "a player has neither number nor name")
    return players[0]


def _key(player: _Player) -> str:
    return str(player.ID) if player.ID is not None else (player.Username or player.DisplayName or "").strip()


def _line(match: _Match, place: str, keys: list[str], told: Told) -> MatchLine:
    if len(keys) == 1:
        kind = "assigned-loss" if match.LossReasonDescription else "bye"
        return MatchLine(place=place, first=keys[0], second=None, kind=kind)
    if len(keys) != 2:
        raise told.fault(
            f"{place}.Competitors", f"{len(keys)} competitors: a match has two, or one with a bye"
        )
    wins = [(each.GameWins or 0) for each in match.Competitors]
    if min(*wins, match.GameDraws or 0) < 0:
        raise told.fault(place, "a number of games below 0")
    return MatchLine(
        place=place,
        first=keys[0],
        second=keys[1],
        wins=(wins[0], wins[1], match.GameDraws or 0) if match.HasResult else None,
        kind="" if match.HasResult else "unreported",
        table=match.TableNumber,
    )


# -- Back to a file


_HOLDS = frozenset(["games", "tables", "open", "drops"])


def write(results: Results) -> Written:
    """Write an event's matches as melee answers. Raises TourneyError for tables of more than two."""
    refuse_large_tables(results, "melee")
    data: list[dict[str, Any]] = []
    for number, tables, byes in rounds_of(results.record):
        data += [_written(table, number, results) for table in tables]
        data += [_alone(player, number, results) for player, _ in byes]
    return Written(json_text({"recordsTotal": len(data), "data": data}), tuple(_lost(results)))


def _competitor(player: PlayerId, results: Results, *, wins: int, byes: int = 0) -> dict[str, Any]:
    named = {"ID": player, "DisplayName": str(results.names[player])}
    return {
        "Team": {"Players": [named]},
        "GameWins": wins,
        "GameByes": byes,
        "GameWinsAndGameByes": wins + byes,
    }


def _written(table: Table, number: int, results: Results) -> dict[str, Any]:
    result = table.result
    if len(table.seats) == 1:
        refused = result is not None and result.seats[0].outcome is Outcome.FORFEIT_LOSS
        return _alone(table.seats[0], number, results, refused=refused)
    games = _games(table)
    seats = zip(table.seats, games, strict=False)
    return {
        "RoundNumber": number,
        "RoundDescription": f"Round {number}",
        "TableNumber": table.number,
        "HasResult": result is not None,
        "GameDraws": games[2],
        "ByeReasonDescription": None,
        "LossReasonDescription": None,
        "Competitors": [_competitor(player, results, wins=wins) for player, wins in seats],
    }


def _games(table: Table) -> tuple[int, int, int]:
    """Return the games that say who won: the match's, or where those do not one for the winner."""
    if table.result is None:
        return 0, 0, 0
    one, other = table.result.seats
    won = [seat.outcome in {Outcome.WIN, Outcome.FORFEIT_WIN} for seat in (one, other)]
    if (one.games > other.games, one.games < other.games) == (won[0], won[1]):
        return one.games, other.games, table.result.drawn_games
    return 2 * int(won[0]), 2 * int(won[1]), table.result.drawn_games


def _alone(player: PlayerId, number: int, results: Results, *, refused: bool = False) -> dict[str, Any]:
    return {
        "RoundNumber": number,
        "RoundDescription": f"Round {number}",
        "TableNumber": None,
        "HasResult": True,
        "GameDraws": 0,
        "ByeReasonDescription": None if refused else "Bye",
        "LossReasonDescription": "Assigned" if refused else None,
        "Competitors": [_competitor(player, results, wins=0, byes=0 if refused else 2)],
    }


def _lost(results: Results) -> Iterator[str]:
    yield from lost(results, _HOLDS)
    tables = [t for each in results.record.rounds for t in each if t.result and len(t.seats) == 2]
    if any(
        _games(table)[:2] != tuple(seat.games for seat in table.result.seats)
        for table in tables
        if table.result
    ):
        yield "games that do not say who won: a win without them is 2–0 there"
