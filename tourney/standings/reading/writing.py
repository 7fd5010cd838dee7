"""Parts that writers share: lines of results, the keys of an event, and lost facts.

A lost fact is one that a form cannot hold.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec

from tourney.cards.names import fold
from tourney.errors import TourneyError
from tourney.record import Outcome, PlayerId, Record, Result, Table
from tourney.standings.reading.draft import (
    LONE_KINDS,
    PAIR_KINDS,
    UNREPORTED,
    WINS,
    MatchLine,
    single_game,
)
from tourney.standings.reading.results import Name, Results


@dataclass(frozen=True, slots=True)
class Written:
    """A file in some form. lost: phrases for facts of the event that the form cannot contain."""

    text: str
    lost: tuple[str, ...] = ()


def json_text(value: object) -> str:
    """Return the text of a JSON file, one value on a line."""
    return msgspec.json.format(msgspec.json.encode(value), indent=1).decode() + "\n"


def unique_names(names: Mapping[PlayerId, Name]) -> Iterator[tuple[PlayerId, str]]:
    """Yield each player with a unique name.

    If a name is already used, the player's number is appended.
    """
    used_names: set[str] = set()
    for player, name in names.items():
        unique = f"player {name}" if isinstance(name, int) or name.strip().isdigit() else name
        while fold(unique) in used_names:
            unique = f"{unique} ({player})"
        used_names.add(fold(unique))
        yield player, unique


def numbered_rounds(
    record: Record,
) -> Iterator[tuple[int, tuple[Table, ...], list[tuple[PlayerId, Outcome]]]]:
    """Yield each round's number, its tables, and its byes in order of registration."""
    for number, tables in enumerate(record.rounds, 1):
        yield number, tables, sorted((record.byes[number - 1] if number <= len(record.byes) else {}).items())


def by_place(results: Results) -> list[PlayerId]:
    """Return the players in order of their places in the file.

    Players without a place come last.
    """
    claims, players = results.claims, results.record.players
    return sorted(
        players, key=lambda player: ((player in claims and claims[player].place) or len(players), player)
    )


def winner_seats(table: Table) -> list[int]:
    """Return the seats, from 0, of the winners of a table."""
    return [at for at, seat in enumerate(table.result.seats if table.result else ()) if seat.outcome in WINS]


# -- Our own forms


_KIND_OF_PAIR = {outcomes: kind for kind, outcomes in reversed(PAIR_KINDS.items())}
_KIND_ALONE = {outcome: kind for kind, outcome in reversed(LONE_KINDS.items())}


def match_lines(results: Results) -> Iterator[list[MatchLine]]:
    """Yield the lines of each round: tables in order, then byes, then absences."""
    record, names = results.record, results.names
    for number, tables, byes in numbered_rounds(record):
        absent = record.absences[number - 1] if number <= len(record.absences) else ()
        alone = [*byes, *((player, Outcome.ABSENT) for player in sorted(absent))]
        yield [
            *(_line(table, names) for table in tables),
            *(MatchLine(names=(names[player],), kind=_KIND_ALONE[outcome]) for player, outcome in alone),
        ]


def _line(table: Table, names: Mapping[PlayerId, Name]) -> MatchLine:
    seats = tuple(names[player] for player in table.seats)
    result = table.result
    if result is None:
        return MatchLine(names=seats, kind=UNREPORTED if seats[1:] else "", table=table.number)
    scores = tuple(seat.score for seat in result.seats)
    if len(seats) == 1:
        return MatchLine(names=seats, kind=_KIND_ALONE[result.seats[0].outcome], scores=scores)
    if len(seats) > 2:
        places = tuple(seat.place for seat in result.seats)
        return MatchLine(names=seats, places=places, scores=scores, table=table.number)
    won, lost, _ = games = _games(result)
    kind = _KIND_OF_PAIR.get(_pair(result), "draw")
    is_clear = kind == ("p1" if won > lost else "p2" if won < lost else "draw")
    return MatchLine(
        names=seats, games=games, scores=scores, kind="" if is_clear else kind, table=table.number
    )


def _pair(result: Result) -> tuple[Outcome, Outcome]:
    return result.seats[0].outcome, result.seats[1].outcome


def _games(result: Result) -> tuple[int, int, int]:
    return result.seats[0].games, result.seats[1].games, result.drawn_games


def event_keys(results: Results) -> dict[str, Any]:
    """Return the keys of `EventKeys` that our own forms write, without empty ones."""
    record, names = results.record, results.names

    def by_name(values: Mapping[PlayerId, int]) -> dict[str, int]:
        return {str(names[player]): value for player, value in values.items()}

    extra: dict[str, dict[str, float]] = {}
    for number, given in enumerate(record.extra_points, 1):
        for player, points in sorted(given.items()):
            value = points // 2 if points % 2 == 0 else points / 2
            extra.setdefault(str(names[player]), {})[str(number)] = value
    keys: dict[str, Any] = {
        "name": results.title,
        "date": results.day.isoformat() if results.day else None,
        "best_of": results.match[0],
        "draws": results.match[1],
        "planned_rounds": record.planned_rounds,
        "round_robin": record.round_robin,
        "registration_order": [names[player] for player in record.players],
        "ratings": by_name(record.ratings),
        "drops": by_name(record.drops),
        "disqualified": by_name(record.disqualified),
        "divisions": {
            division: [names[player] for player in members] for division, members in results.divisions.items()
        },
        "extra_points": extra,
    }
    required = ("drops", "round_robin")
    return {key: value for key, value in keys.items() if key in required or value not in (None, "", {}, [])}


# -- facts that a form loses


def refuse_large_tables(results: Results, form: str) -> None:
    """Raise TourneyError for tables of three or more, in a form that has only tables of two."""
    bracket = results.playoff.rounds if results.playoff else ()
    for number, tables in enumerate((*results.record.rounds, *bracket), 1):
        for table in tables:
            if len(table.seats) > 2:
                raise TourneyError(
                    f"round {number}, table {table.number} has {len(table.seats)} seats:"
                    f" {form} has only tables of two",
                    "`--as json` has tables of any size",
                )


def lost_facts(results: Results, kept: Collection[str], *, kept_facts: Collection[str] = ()) -> Iterator[str]:
    """Yield a phrase for each fact of an event that a form cannot contain.

    kept:       the keys of `_FACTS` that the form can contain
    kept_facts: the kinds of `Results.facts` that the form can contain
    """
    for key, fact in _FACTS.items():
        number = 0 if key in kept else fact.count(results)
        if number:
            yield (fact.one if number == 1 else fact.many or fact.one).format(
                number, sides=", ".join(results.sides)
            )
    kinds = {kind for facts in results.facts.values() for kind in facts}
    others = sorted(kinds.difference(kept_facts, {"division"}))
    if others:
        yield f"further facts about players: {', '.join(others)}"


class _Fact(NamedTuple):
    """A fact that an event can have and a form can lose.

    count: returns how often the event has the fact
    one:   the phrase for a count of one
    many:  the phrase for a larger count, with `{}` for the number; empty if it is the same as `one`
    """

    count: Callable[[Results], int]
    one: str
    many: str = ""


def _count_pairs(test: Callable[[Result], bool]) -> Callable[[Results], int]:
    def count(results: Results) -> int:
        tables = _tables(results)
        return sum(test(table.result) for table in tables if table.result and len(table.seats) == 2)

    return count


def _count_byes(kind: Outcome) -> Callable[[Results], int]:
    return lambda results: sum(outcome is kind for byes in results.record.byes for outcome in byes.values())


def _tables(results: Results) -> Iterator[Table]:
    for tables in results.record.rounds:
        yield from tables


def _without_round(results: Results) -> int:
    record = results.record
    seated = {player for table in _tables(results) for player in table.seats}
    return len(set(record.players).difference(seated, *record.byes))


def _has_several_games(result: Result) -> bool:
    outcomes = _pair(result)
    return outcomes in _KIND_OF_PAIR and _games(result) != single_game(outcomes)


_FACTS = {
    "players": _Fact(_without_round, "{} player who has neither a match nor a bye",
                     "{} players who have neither a match nor a bye"),
    "scores": _Fact(lambda results: any(seat.score is not None for table in _tables(results) if table.result
                                        for seat in table.result.seats), "the scores of matches"),
    "games": _Fact(_count_pairs(_has_several_games), "the games of {} match, only who won",
                   "the games of {} matches, only who won"),
    "apart": _Fact(_count_pairs(lambda result: _pair(result) not in _KIND_OF_PAIR),
                   "{} result that differs for the two players (a draw for one, a loss for the other)",
                   "{} results that differ for the two players (a draw for one, a loss for the other)"),
    "no-shows": _Fact(_count_pairs(lambda result: Outcome.FORFEIT_LOSS in _pair(result)),
                      "that a player did not show up ({} match)",
                      "that a player did not show up ({} matches)"),
    "double losses": _Fact(_count_pairs(lambda result: Outcome.DOUBLE_LOSS in _pair(result)),
                           "{} double loss", "{} double losses"),
    "awarded byes": _Fact(_count_byes(Outcome.AWARDED_BYE),
                          "that {} bye was awarded", "that {} byes were awarded"),
    "half byes": _Fact(_count_byes(Outcome.HALF_BYE), "{} half-point bye", "{} half-point byes"),
    "absences": _Fact(lambda results: sum(map(bool, results.record.absences)),
                      "that players were absent ({} round)", "that players were absent ({} rounds)"),
    "tables": _Fact(lambda results: any(table.number != number for tables in results.record.rounds
                                        for number, table in enumerate(tables, 1)), "the numbers of tables"),
    "open": _Fact(lambda results: sum(table.result is None for table in _tables(results)),
                  "{} table without a result", "{} tables without a result"),
    "drops": _Fact(lambda results: len(results.record.drops),
                    "when {} player dropped", "when {} players dropped"),
    "disqualified": _Fact(lambda results: len(results.record.disqualified),
                          "that {} player was disqualified", "that {} players were disqualified"),
    "extra points": _Fact(
        lambda results: len({player for given in results.record.extra_points for player in given}),
        "points beside the results ({} player)", "points beside the results ({} players)"),
    "ratings": _Fact(lambda results: bool(results.record.ratings), "ratings"),
    "planned": _Fact(lambda results: bool(results.record.planned_rounds), "the number of planned rounds"),
    "name": _Fact(lambda results: bool(results.title), "the event's name"),
    "day": _Fact(lambda results: bool(results.day), "the day"),
    "sides": _Fact(lambda results: bool(results.sides), "that seats are sides ({sides})"),
    "divisions": _Fact(lambda results: bool(results.divisions), "divisions"),
    "requests": _Fact(lambda results: bool(results.requests),
                       "byes and absences announced for rounds to come"),
    "forbidden": _Fact(lambda results: len(results.forbidden), "{} forbidden pair", "{} forbidden pairs"),
    "playoff": _Fact(lambda results: len(results.playoff.players) if results.playoff else 0,
                      "the bracket of {}"),
}  # fmt: skip

OWN_FORMS_KEEP = _FACTS.keys() - {"apart", "sides", "requests", "forbidden", "playoff"}
"""The facts that our own forms can contain."""
