"""Functions that the writers of event files share: rounds, lines, event keys and lost facts.

A lost fact is a fact about the event that the form of the file cannot contain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from tourney.cards.names import fold
from tourney.errors import TourneyError
from tourney.record import Outcome, PlayerId, Record, Result, Seat, Table
from tourney.standings.reading.results import Results, single_game
from tourney.standings.reading.sheet import LONE_KINDS, PAIR_KINDS, UNREPORTED, MatchLine, Name
from tourney.wording import counted


class WrittenFile(Struct, frozen=True):
    """The text of a file to write.

    lost_facts: the facts of the event that a file of this format cannot contain, in words
    """

    text: str
    lost_facts: tuple[str, ...] = ()


def json_text(value: object) -> str:
    """Return the text of a JSON file, with each value on its own line."""
    return msgspec.json.format(msgspec.json.encode(value), indent=1).decode() + "\n"


def unique_names(names: Mapping[PlayerId, Name]) -> Iterator[tuple[PlayerId, str]]:
    """Yield each player and a name, so that no two names are equal.

    If the name is already used for an earlier player, the player's number is appended. Names that differ
    only in case, accents, quotes, width or spaces count as equal. A number instead of a name, such as 7,
    becomes `player 7`.
    """
    used_names: set[str] = set()
    for player, name in names.items():
        unique = f"player {name}" if isinstance(name, int) or name.strip().isdigit() else name
        while fold(unique) in used_names:
            unique = f"{unique} ({player})"
        used_names.add(fold(unique))
        yield player, unique


def rounds_of(record: Record, *, absences: bool = False) -> Iterator[list[Table]]:
    """Yield the tables of each round; byes are tables of one, with number 0, and come last.

    absences: whether to yield absences as well, also as tables of one
    """
    for at, tables in enumerate(record.rounds):
        alone = [item for byes in record.byes[at : at + 1] for item in sorted(byes.items())]
        for absent in record.absences[at : at + 1] if absences else ():
            alone += [(player, Outcome.ABSENT) for player in sorted(absent)]
        yield [*tables, *(Table(0, (player,), Result((Seat(player, kind),))) for player, kind in alone)]


def lone_outcome(table: Table) -> Outcome:
    """Return the outcome of the only player at a table."""
    return table.result.seats[0].outcome if table.result else Outcome.BYE


def by_place(results: Results) -> list[PlayerId]:
    """Return the players in order of their ranks in the file's own standings.

    Players without a rank come last.
    """
    claims, players = results.claims, results.record.players
    return sorted(
        players, key=lambda player: ((player in claims and claims[player].place) or len(players), player)
    )


def winner_seats(table: Table) -> list[int]:
    """Return the seats, from 0, of the winners of a table."""
    return [at for at, seat in enumerate(table.result.seats if table.result else ()) if seat.outcome.won]


# -- Our own forms


_KIND_OF_PAIR = {outcomes: kind for kind, outcomes in reversed(PAIR_KINDS.items())}
_KIND_ALONE = {outcome: kind for kind, outcome in reversed(LONE_KINDS.items())}


def match_lines(results: Results) -> Iterator[list[MatchLine]]:
    """Yield the lines of each round: tables in order, then byes, then absences."""
    for tables in rounds_of(results.record, absences=True):
        yield [_line(table, results.names) for table in tables]


def _line(table: Table, names: Mapping[PlayerId, Name]) -> MatchLine:
    seats = tuple(names[player] for player in table.seats)
    result = table.result
    if len(seats) == 1:
        score = result.seats[0].score if result else None
        return MatchLine(names=seats, kind=_KIND_ALONE[lone_outcome(table)], scores=(score,))
    if result is None:
        return MatchLine(names=seats, kind=UNREPORTED, table=table.number)
    scores = tuple(seat.score for seat in result.seats)
    if len(seats) > 2:
        places = tuple(seat.place for seat in result.seats)
        return MatchLine(names=seats, places=places, scores=scores, table=table.number)
    wins, losses, _ = games = _games(result)
    kind = _KIND_OF_PAIR.get(_pair(result), "draw")
    is_clear = kind == ("p1" if wins > losses else "p2" if wins < losses else "draw")
    return MatchLine(
        names=seats, games=games, scores=scores, kind="" if is_clear else kind, table=table.number
    )


def _pair(result: Result) -> tuple[Outcome, Outcome]:
    return result.seats[0].outcome, result.seats[1].outcome


def _games(result: Result) -> tuple[int, int, int]:
    return result.seats[0].games, result.seats[1].games, result.drawn_games


def event_keys(results: Results) -> dict[str, Any]:
    """Return the event's values for the fields of `EventKeys`, as a dict for a JSON or CSV file.

    Keys without a value are left out, except `drops`, which can be empty.
    """
    record, names = results.record, results.names

    def by_name(values: Mapping[PlayerId, int]) -> dict[str, int]:
        return {str(names[player]): value for player, value in values.items()}

    extra: dict[str, dict[str, float]] = {}
    for number, points_by_player in enumerate(record.extra_points, 1):
        for player, points in sorted(points_by_player.items()):
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
    required_keys = ("drops", "round_robin")
    return {
        key: value for key, value in keys.items() if key in required_keys or value not in (None, "", {}, [])
    }


# -- facts that a form loses


def refuse_large_tables(results: Results, form: str) -> None:
    """Raise TourneyError if a table has more than two seats.

    form: the name, for the message, of a file format that has only tables of two
    """
    bracket = results.playoff.rounds if results.playoff else ()
    for number, tables in enumerate((*results.record.rounds, *bracket), 1):
        for table in tables:
            if len(table.seats) > 2:
                raise TourneyError(
                    f"round {number}, table {table.number} has {len(table.seats)} seats:"
                    f" {form} has only tables of two",
                    "`--as json` can hold tables of any size",
                )


def lost_facts(
    results: Results, writable_facts: Collection[str], *, writable_kinds: Collection[str] = ()
) -> Iterator[str]:
    """Yield a phrase for each fact about an event that is lost in a file format.

    writable_facts: the facts that the format can contain, as keys of `_event_facts`
    writable_kinds: the kinds of `Results.facts` that the format can contain
    """
    yield from (
        phrase for fact, phrase in _event_facts(results).items() if phrase and fact not in writable_facts
    )
    kinds = {kind for facts in results.facts.values() for kind in facts}
    other_kinds = sorted(kinds.difference(writable_kinds, {"division"}))
    if other_kinds:
        yield f"further facts about players: {', '.join(other_kinds)}"


OWN_FORMS_KEEP = frozenset(
    ["players", "scores", "games", "no-shows", "double losses", "awarded byes", "half byes", "absences",
     "tables", "open", "drops", "disqualified", "extra points", "ratings", "planned", "name", "day",
     "divisions"]
)  # fmt: skip
"""The facts that our own forms, JSON and CSV, can contain."""


def _event_facts(results: Results) -> dict[str, str]:
    """Return a phrase for messages about each fact that some file format cannot contain.

    The keys are the names of the facts. The phrase is empty if the fact does not apply to the event. Messages
    list the phrases in the order of the dictionary.
    """
    tables = [table for tables in results.record.rounds for table in tables]
    return {
        **_facts_of_matches(results.record, tables),
        **_facts_of_rounds(results.record, tables),
        **_facts_of_the_event(results),
    }


def _facts_of_matches(record: Record, tables: Sequence[Table]) -> dict[str, str]:
    results = [table.result for table in tables if table.result]
    pairs = [result for result in results if len(result.seats) == 2]
    seated_players = {player for table in tables for player in table.seats}
    has_scores = any(seat.score is not None for result in results for seat in result.seats)

    def number_with(outcome: Outcome) -> int:
        return sum(outcome in _pair(result) for result in pairs)

    return {
        "players": _many(
            len(set(record.players).difference(seated_players, *record.byes)),
            "{}",
            "player who has neither a match nor a bye",
            "players who have neither a match nor a bye",
        ),
        "scores": "the scores of matches" if has_scores else "",
        "games": _many(
            sum(map(_has_games, pairs)), "the games of {} (only the winner is written)", "match", "matches"
        ),
        "apart": _many(
            sum(_pair(result) not in _KIND_OF_PAIR for result in pairs),
            "{} for the two players (a draw for one, a loss for the other)",
            "result that differs",
            "results that differ",
        ),
        "no-shows": _many(
            number_with(Outcome.FORFEIT_LOSS), "that a player did not show up ({})", "match", "matches"
        ),
        "double losses": _many(number_with(Outcome.DOUBLE_LOSS), "{}", "double loss", "double losses"),
    }


def _facts_of_rounds(record: Record, tables: Sequence[Table]) -> dict[str, str]:
    byes = Counter(kind for byes in record.byes for kind in byes.values())
    usual_numbers = [number for tables in record.rounds for number, _ in enumerate(tables, 1)]
    has_own_numbers = [table.number for table in tables] != usual_numbers
    open_tables = sum(table.result is None for table in tables)
    return {
        "awarded byes": _many(byes[Outcome.AWARDED_BYE], "that {} awarded", "bye was", "byes were"),
        "half byes": _many(byes[Outcome.HALF_BYE], "{}", "half-point bye"),
        "absences": _many(sum(map(bool, record.absences)), "that players were absent ({})", "round"),
        "tables": "the numbers of tables" if has_own_numbers else "",
        "open": _many(open_tables, "{} without a result", "table"),
    }


def _facts_of_the_event(results: Results) -> dict[str, str]:
    record, playoff = results.record, results.playoff
    extra = {player for points_by_player in record.extra_points for player in points_by_player}
    return {
        "drops": _many(len(record.drops), "the last round of {} who dropped", "player"),
        "disqualified": _many(len(record.disqualified), "that {} disqualified", "player was", "players were"),
        "extra points": _many(len(extra), "points in addition to the results ({})", "player"),
        "ratings": "ratings" if record.ratings else "",
        "planned": "the number of planned rounds" if record.planned_rounds else "",
        "name": "the event's name" if results.title else "",
        "day": "the day" if results.day else "",
        "sides": f"that seats are sides ({', '.join(results.sides)})" if results.sides else "",
        "divisions": "divisions" if results.divisions else "",
        "requests": "byes and absences announced for rounds to come" if results.requests else "",
        "forbidden": _many(len(results.forbidden_groups), "{}", "forbidden pair"),
        "playoff": f"the bracket of {len(playoff.players)} players" if playoff and playoff.players else "",
    }


def _many(number: int, phrase: str, noun: str, plural: str = "") -> str:
    """Return `phrase` with `{}` replaced by a count (`3 matches`); empty if `number` is 0."""
    return phrase.format(counted(number, noun, plural)) if number else ""


def _has_games(result: Result) -> bool:
    """Return whether the games of a match give more information than its outcome."""
    outcomes = _pair(result)
    return outcomes in _KIND_OF_PAIR and _games(result) != single_game(outcomes)
