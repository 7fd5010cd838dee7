"""Netrunner's tournament as Cobra writes it, after the schema of NRTM; Aesop's Tables writes the same.

The rounds of the bracket stand behind the others, their pairings marked `eliminationGame`. Whoever is in none of the last
rounds has dropped: the form does not say it otherwise.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import msgspec
from msgspec import structs

from tourney import decode
from tourney.errors import TourneyError
from tourney.record import Outcome, PlayerId, Seat, Table, parse_number
from tourney.standings.reading.forms import (
    Told,
    Written,
    as_placed,
    json_text,
    lost,
    refuse_large_tables,
    rounds_of,
)
from tourney.standings.reading.nrtm import made_by_aesop
from tourney.standings.reading.results import (
    Beside,
    MatchLine,
    Playoff,
    Results,
    ResultsDraft,
    StandingClaim,
    knockout,
)

_MADE_BY = "Cobra"
_GAME_WIN = 3
"""Prestige of a game won, as Cobra counts."""


class _Player(msgspec.Struct, frozen=True):
    id: int
    name: str | None = None
    rank: int | None = None
    seed: int | None = None
    corpIdentity: str | None = None  # noqa: N815  the names are the form's
    runnerIdentity: str | None = None  # noqa: N815
    matchPoints: float | str | None = None  # noqa: N815
    strengthOfSchedule: float | str | None = None  # noqa: N815
    extendedStrengthOfSchedule: float | str | None = None  # noqa: N815


class _Side(msgspec.Struct, frozen=True):
    id: int | None = None
    combinedScore: int | None = None  # noqa: N815
    role: str | None = None
    winner: bool | None = None
    corpScore: int | None = None  # noqa: N815
    runnerScore: int | None = None  # noqa: N815


class _Pairing(msgspec.Struct, frozen=True):
    player1: _Side
    player2: _Side
    table: int | None = None
    tableNumber: int | None = None  # noqa: N815
    intentionalDraw: bool = False  # noqa: N815
    twoForOne: bool = False  # noqa: N815
    eliminationGame: bool = False  # noqa: N815


class _Single(msgspec.Struct, frozen=True):
    """A pairing as Aesop's Tables writes it: by side. A bye's opponent is a text, `(BYE)`."""

    corpPlayer: int | str | None = None  # noqa: N815
    runnerPlayer: int | str | None = None  # noqa: N815
    corpScore: int | str | None = None  # noqa: N815
    runnerScore: int | str | None = None  # noqa: N815
    tableNumber: int | None = None  # noqa: N815
    eliminationGame: bool = False  # noqa: N815
    winner_id: int | None = None


class _File(msgspec.Struct, frozen=True):
    rounds: list[list[dict[str, Any]]]
    name: str | None = None
    date: str | None = None
    players: list[_Player] | None = None
    eliminationPlayers: list[_Player] | None = None  # noqa: N815
    uploadedFrom: str | None = None  # noqa: N815


def read(told: Told) -> Results:
    """Read a tournament. Raises TourneyError naming the file and the key path."""
    file = decode.build(told.value, _File, source=told.source)
    rounds = [
        [_pairing_from(match, f"rounds[{r}][{m}]", told) for m, match in enumerate(each)]
        for r, each in enumerate(file.rounds)
    ]
    swiss = [at for at, each in enumerate(rounds) if not any(match.eliminationGame for match in each)]
    if swiss != list(range(len(swiss))):
        raise told.fault(f"rounds[{swiss[-1]}]", "a round of the Swiss behind one of the bracket")
    ranked = {each.id: each for each in file.players or ()}
    if len(ranked) < len(file.players or ()):
        raise told.fault("players", "two players have one id")
    ids = sorted(ranked) or sorted(_seated(rounds) | {each.id for each in file.eliminationPlayers or ()})
    draft = ResultsDraft(told.source, ids, Beside())
    for at in swiss:
        draft.open_round()
        for number, match in enumerate(rounds[at]):
            draft.add(_line(match, f"rounds[{at}][{number}]", told))
    results = draft.results()
    numbers = draft.ids
    entrants = {each.id: each for each in (*(file.eliminationPlayers or ()), *(file.players or ()))}
    single = any(side.role for at in swiss for match in rounds[at] for side in (match.player1, match.player2))
    playoff = _playoff(file, rounds, numbers, len(swiss), told)
    return replace(
        results,
        record=replace(results.record, planned_rounds=len(swiss) if playoff else None, round_robin=False),
        names={numbers[each]: _name(entrants.get(each), each) for each in ids},
        day=_day(file.date),
        title=(file.name or "").strip(),
        profile=_profile(file, told, single=single),
        scoring={Outcome.BYE: 2 * _GAME_WIN} if single else {},
        claims=dict(_claims(ranked, numbers, told)),
        facts={numbers[each.id]: facts for each in ranked.values() if (facts := _facts(each))},
        playoff=playoff,
        remarks=(*results.remarks, *_doubted(playoff)),
        left_out=tuple(_left_out([match for at in swiss for match in rounds[at]])),
    )


def _profile(file: _File, told: Told, *, single: bool) -> str:
    """Return the profile of the program that wrote the file; single-sided rounds of an unknown program are Aesop's."""
    unknown = file.uploadedFrom not in (None, _MADE_BY)
    return "aesop" if made_by_aesop(told.value) or (single and unknown) else "cobra"


def _pairing_from(match: dict[str, Any], place: str, told: Told) -> _Pairing:
    source = f"{told.source}: {place}"
    if "corpPlayer" not in match and "runnerPlayer" not in match:
        return _with_scores_of_sides(decode.build(match, _Pairing, source=source))
    single = decode.build(match, _Single, source=source)
    sides = []
    for player, score, role in (
        (single.corpPlayer, single.corpScore, "corp"),
        (single.runnerPlayer, single.runnerScore, "runner"),
    ):
        number = player if isinstance(player, int) else None
        points = _number(None if score == "" else score, f"{place}.{role}Score", told)
        winner = None if single.winner_id is None else single.winner_id == number
        sides.append(_Side(number, None if points is None else int(points[0]), role, winner))
    return _Pairing(sides[0], sides[1], single.tableNumber, eliminationGame=single.eliminationGame)


def _with_scores_of_sides(match: _Pairing) -> _Pairing:
    """Return the pairing with both scores: Aesop's Tables (since June 2024) writes the score of each side and no sum."""
    one, other = _with_score(match.player1), _with_score(match.player2)
    scores = one.combinedScore, other.combinedScore
    if (
        match.eliminationGame
        and one.winner is other.winner is None
        and None not in scores
        and scores[0] != scores[1]
    ):
        first_won = (scores[0] or 0) > (scores[1] or 0)
        one, other = structs.replace(one, winner=first_won), structs.replace(other, winner=not first_won)
    table = match.tableNumber if match.table is None else match.table
    return structs.replace(match, player1=one, player2=other, table=table)


def _with_score(side: _Side) -> _Side:
    scores = [score for score in (side.corpScore, side.runnerScore) if score is not None]
    return (
        side
        if side.combinedScore is not None or not scores
        else structs.replace(side, combinedScore=sum(scores))
    )


def _seated(rounds: Sequence[Sequence[_Pairing]]) -> set[int]:
    return {
        side.id
        for each in rounds
        for match in each
        for side in (match.player1, match.player2)
        if side.id is not None
    }


def _name(entrant: _Player | None, number: int) -> str | int:
    return (entrant.name or "").strip() or number if entrant else number


def _line(match: _Pairing, place: str, told: Told) -> MatchLine:
    one, other = match.player1, match.player2
    if one.id is None:
        one, other = other, one
    if one.id is None:
        raise told.fault(place, "this pairing has no players")
    if other.id is None:
        score = None if one.combinedScore is None else (one.combinedScore, None)
        return MatchLine(place=place, first=one.id, second=None, scores=score, kind="bye", table=match.table)
    scores = one.combinedScore, other.combinedScore
    if scores.count(None) == 1:
        raise told.fault(f"{place}.combinedScore", "one side's number is missing")
    return MatchLine(
        place=place,
        first=one.id,
        second=other.id,
        scores=None if None in scores else scores,
        table=match.table,
    )


def _claims(
    ranked: Mapping[int, _Player], number: Mapping[Any, PlayerId], told: Told
) -> Iterator[tuple[PlayerId, StandingClaim]]:
    for at, each in enumerate(ranked.values()):
        place = f"players[{at}]"
        points = _number(each.matchPoints, f"{place}.matchPoints", told)
        values = {
            code: value
            for code, text, key in (
                ("SOS", each.strengthOfSchedule, "strengthOfSchedule"),
                ("ESOS", each.extendedStrengthOfSchedule, "extendedStrengthOfSchedule"),
            )
            if (value := _number(text, f"{place}.{key}", told)) is not None
        }
        whole = None if points is None or (2 * points[0]).denominator != 1 else int(2 * points[0])
        yield number[each.id], StandingClaim(place=each.rank, points=whole, values=values)


def _number(value: float | str | None, place: str, told: Told) -> tuple[Fraction, int] | None:
    """Return a number and how many digits it has after the point: Cobra writes texts of up to 36."""
    if value is None:
        return None
    text = str(value)
    try:
        return parse_number(text[:20] if "." in text[:12] else text), len(text.partition(".")[2])
    except TourneyError:
        raise told.fault(place, f"`{text[:40]}` is not a number") from None


def _facts(player: _Player) -> dict[str, str]:
    told = {"corp": player.corpIdentity, "runner": player.runnerIdentity}
    return {kind: text.strip() for kind, text in told.items() if text and text.strip()}


def _day(text: str | None) -> datetime.date | None:
    try:
        return datetime.date.fromisoformat((text or "")[:10])
    except ValueError:
        return None


def _left_out(matches: Sequence[_Pairing]) -> Iterator[str]:
    draws = sum(match.intentionalDraw for match in matches)
    if draws:
        yield f"that {draws} draws were intentional" if draws > 1 else "that a draw was intentional"
    if any(match.twoForOne for match in matches):
        yield "that a match was two for one"


def _doubted(playoff: Playoff | None) -> Iterator[str]:
    """Say where a bracket may be another than it is taken for: the form does not say of which kind it is."""
    if playoff is not None and len(playoff.rounds) < _SETTLED and len(playoff.seeds) > _SETTLED:
        yield "the file does not say whether its bracket is a single or a double elimination: taken as single"


_SETTLED = 2
"""Rounds after which a loser who plays on tells a double elimination."""


def _playoff(
    file: _File,
    pairings: Sequence[Sequence[_Pairing]],
    number: Mapping[Any, PlayerId],
    swiss: int,
    told: Told,
) -> Playoff | None:
    entrants = sorted(file.eliminationPlayers or (), key=lambda each: each.seed or each.rank or 0)
    if not entrants or any(each.seed is None for each in entrants):
        return None
    for at, each in enumerate(entrants):
        if each.id not in number:
            raise told.fault(f"eliminationPlayers[{at}]", f"there is no player with the id {each.id}")
    rounds = tuple(
        tuple(_game(match, at + 1, number, f"rounds[{index}][{at}]", told) for at, match in enumerate(each))
        for index, each in enumerate(pairings[swiss:], swiss)
    )
    out: set[PlayerId] = set()
    double = False
    for tables in rounds:
        double = double or any(player in out for table in tables for player in table.seats)
        out |= {
            seat.player for t in tables if t.result for seat in t.result.seats if seat.outcome is Outcome.LOSS
        }
    return Playoff(seeds=tuple(number[each.id] for each in entrants), rounds=rounds, double=double)


def _game(match: _Pairing, at: int, number: Mapping[Any, PlayerId], place: str, told: Told) -> Table:
    sides = match.player1, match.player2
    if any(side.id not in number for side in sides):
        raise told.fault(place, "a match of the bracket has two players")
    seats = (number[sides[0].id], number[sides[1].id])
    if seats[0] == seats[1]:
        raise told.fault(place, "a player against themselves")
    if {side.winner for side in sides} != {True, False}:
        return Table(at, seats)
    return knockout(at, seats, 0 if sides[0].winner else 1)


# -- Back to a file


_HOLDS = frozenset(["players", "scores", "tables", "open", "name", "day", "playoff", "drops"])


def write(results: Results) -> Written:
    """Write an event as Cobra does. Raises TourneyError for tables of more than two."""
    refuse_large_tables(results, "Cobra")
    rounds = [
        [*map(_pairing, tables), *(_bye(player, outcome) for player, outcome in byes)]
        for _, tables, byes in rounds_of(results.record)
    ]
    playoff, prestige = results.playoff, _prestige(results)
    file = {
        "name": results.title,
        "date": results.day.isoformat() if results.day else None,
        "cutToTop": len(playoff.seeds) if playoff else 0,
        "preliminaryRounds": len(rounds),
        "players": [_player(player, results, prestige) for player in as_placed(results)],
        "eliminationPlayers": [
            {"id": player, "name": str(results.names[player]), "rank": seed, "seed": seed}
            for seed, player in enumerate(playoff.seeds if playoff else (), 1)
        ],
        "rounds": [
            *rounds,
            *([_game_written(t) for t in tables] for tables in (playoff.rounds if playoff else ())),
        ],
        "uploadedFrom": _MADE_BY,
        "links": [{"rel": "schemaderivedfrom", "href": "http://steffens.org/nrtm/nrtm-schema.json"}],
    }
    return Written(json_text(file), tuple(_lost(results)))


def _prestige(results: Results) -> dict[PlayerId, int]:
    """Return everybody's prestige by the scores as they are written: an event by other rules has other points."""
    made: dict[PlayerId, int] = {}
    for _, tables, byes in rounds_of(results.record):
        for seat in (seat for table in tables if table.result for seat in table.result.seats):
            made[seat.player] = made.get(seat.player, 0) + _score(seat)
        for player, outcome in byes:
            made[player] = made.get(player, 0) + _PRESTIGE[outcome]
    return made


def _player(player: PlayerId, results: Results, prestige: Mapping[PlayerId, int]) -> dict[str, Any]:
    claim, facts = results.claims.get(player, StandingClaim()), results.facts.get(player, {})
    values = {
        key: f"{float(claim.values[code][0]):.6f}"
        for code, key in (("SOS", "strengthOfSchedule"), ("ESOS", "extendedStrengthOfSchedule"))
        if code in claim.values and results.profile.startswith("cobra")
    }
    return {
        "id": player,
        "name": str(results.names[player]),
        "rank": claim.place,
        "corpIdentity": facts.get("corp"),
        "runnerIdentity": facts.get("runner"),
        "matchPoints": prestige.get(player, 0),
        **values,
    }


def _pairing(table: Table) -> dict[str, Any]:
    scores = [_score(seat) for seat in table.result.seats] if table.result else [None] * len(table.seats)
    sides = [_side(player, score) for player, score in zip(table.seats, scores, strict=True)]
    return _pairing_of(table.number, [*sides, _side(None, 0)][:2])


def _pairing_of(
    table: int | None, sides: Sequence[Mapping[str, Any]], *, bracket: bool = False
) -> dict[str, Any]:
    return {
        "table": table,
        "player1": sides[0],
        "player2": sides[1],
        "intentionalDraw": False,
        "twoForOne": False,
        "eliminationGame": bracket,
    }


def _side(player: PlayerId | None, score: int | None) -> dict[str, Any]:
    return {"id": player, "runnerScore": None, "corpScore": None, "combinedScore": score}


_PRESTIGE = {
    Outcome.WIN: 2 * _GAME_WIN,
    Outcome.FORFEIT_WIN: 2 * _GAME_WIN,
    Outcome.DRAW: _GAME_WIN,
    Outcome.BYE: 2 * _GAME_WIN,
    Outcome.AWARDED_BYE: 2 * _GAME_WIN,
    Outcome.HALF_BYE: _GAME_WIN,
}


def _score(seat: Seat) -> int:
    return _PRESTIGE.get(seat.outcome, 0) if seat.score is None else seat.score


def _bye(player: PlayerId, outcome: Outcome) -> dict[str, Any]:
    return _pairing_of(None, [_side(player, _PRESTIGE[outcome]), _side(None, 0)])


def _game_written(table: Table) -> dict[str, Any]:
    won = [seat.outcome is Outcome.WIN for seat in table.result.seats] if table.result else [None, None]
    sides = [{"id": player, "role": None, "winner": w} for player, w in zip(table.seats, won, strict=True)]
    return _pairing_of(table.number, sides, bracket=True)


def _lost(results: Results) -> Iterator[str]:
    yield from lost(results, _HOLDS, facts={"corp", "runner"})
    seats = [s for tables in results.record.rounds for t in tables if t.result for s in t.result.seats]
    if any(seat.score is None for seat in seats):
        yield "a match without scores: a win is 6–0 there, a draw 3–3"
