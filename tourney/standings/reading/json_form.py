"""Results as JSON: `{"players": …, "rounds": …}` and keys about the event (`EventKeys`).

A round is a list of matches: `[a, b, wins, losses, draws]`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

import msgspec
from msgspec import Struct

from tourney import decode
from tourney.record import PlayerId, Table
from tourney.standings.reading import sheet, writing
from tourney.standings.reading.results import Results, results_of

# Other keys that such files have. `standings` and `expected…` are results of another program.
_IGNORED_KEYS = frozenset(
    """id what event type trf source licence_note note rules scoring tolerance rounds_n features
    dropped_players standings expected expected_published expected_derived""".split()  # noqa: SIM905  shorter
)

_MAX_PLAYERS = 100_000


class _Pair(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    p1: sheet.Name | None = None
    p2: sheet.Name | None = None
    bye: sheet.Name | None = None
    games: list[int] | None = None
    g: list[int] | None = None
    score: list[int | None] | None = None
    result: str | None = None
    kind: str = ""
    table: int | None = None


class _FileBracket(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    seeds: list[sheet.Name]
    rounds: list[list[_Pair]] = []
    double: bool = False
    third_place: bool = False


class _File(sheet.EventKeys, frozen=True, kw_only=True):
    rounds: list[list[list[Any] | dict[str, Any]]]
    players: int | list[sheet.Name | dict[str, Any]] | None = None
    rule: dict[str, Any] = msgspec.field(default_factory=dict)
    bracket: _FileBracket | None = None
    facts: dict[sheet.Name, dict[str, str]] = msgspec.field(default_factory=dict)


class _LargeTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    players: list[sheet.Name]
    places: list[int] | None = None
    scores: list[int] | None = None
    kind: Literal["", "unreported"] = ""


class _Entrant(Struct, frozen=True, kw_only=True):
    name: sheet.Name
    rating: int | None = None


def read(source: sheet.SourceFile) -> Results:
    """Read results from JSON. Raises a TourneyError that names the file and the key path."""
    raw = decode.build(source.value, dict[str, Any], source=source.source)
    file = decode.build(raw, _File, source=source.source)
    players, ratings = _players(file, source)
    if not file.rounds:
        hint = "a list of players is for `tourney player import`"
        raise source.error("rounds", "the file has no rounds", hint)
    floor = file.rule.get("floor_applies_to_own_gw")
    known_keys = {*_File.__struct_fields__, *_IGNORED_KEYS}
    results_sheet = sheet.ResultsSheet(
        players=players,
        rounds=[list(_lines(matches, f"rounds[{at}]", source)) for at, matches in enumerate(file.rounds)],
        keys=msgspec.structs.replace(
            file,
            ratings={**ratings, **file.ratings},
            own_gw_floor=floor
            if file.own_gw_floor is None and isinstance(floor, bool)
            else file.own_gw_floor,
        ),
        facts=file.facts,
        bracket=_read_bracket(file.bracket, source) if file.bracket else sheet.BracketLines(),
        unread_keys=tuple(key for key in raw if key not in known_keys),
    )
    return results_of(results_sheet, source)


# -- players


def _players(file: _File, source: sheet.SourceFile) -> tuple[list[sheet.Name] | None, dict[sheet.Name, int]]:
    """Return the players in order of registration, and their ratings.

    The players are None if the file does not list them.
    """
    if file.registration_order is not None:
        return file.registration_order, {}
    if isinstance(file.players, list):
        entrants = [
            decode.build(entry, _Entrant, source=f"{source.source}: players[{at}]")
            if isinstance(entry, dict)
            else _Entrant(name=entry)
            for at, entry in enumerate(file.players)
        ]
        ratings = {entrant.name: entrant.rating for entrant in entrants if entrant.rating is not None}
        return [entrant.name for entrant in entrants], ratings
    names = set(_names(file))
    if file.players is None or not all(isinstance(name, int) for name in names):
        return None, {}
    if not 1 <= file.players <= _MAX_PLAYERS:
        raise source.error("players", f"{file.players} is not a number of players (1 to {_MAX_PLAYERS})")
    first = 0 if 0 in names else 1
    return list(range(first, first + file.players)), {}


def _names(file: _File) -> Iterator[sheet.Name]:
    """Yield the names in matches of two players, in order of rounds."""
    for match in (match for matches in file.rounds for match in matches):
        names = match[:2] if isinstance(match, list) else [match.get(key) for key in ("p1", "p2", "bye")]
        yield from (name for name in names if isinstance(name, str | int))


# -- matches


def _lines(
    matches: list[list[Any] | dict[str, Any]], place: str, source: sheet.SourceFile
) -> Iterator[sheet.MatchLine]:
    if not matches:
        raise source.error(place, "this round has no matches")
    for at, match in enumerate(matches):
        match_place = f"{place}[{at}]"
        if isinstance(match, list):
            yield _row(match, match_place, source)
        elif "players" in match:
            yield _large_table(match, match_place, source)
        else:
            yield _pair(
                decode.build(match, _Pair, source=f"{source.source}: {match_place}"), match_place, source
            )


def _row(row: list[Any], place: str, source: sheet.SourceFile) -> sheet.MatchLine:
    """Read `[player, opponent, wins, losses, draws]`. One of the two players can be missing."""
    if not 2 <= len(row) <= 5:
        problem = f"expected [player, opponent, wins, losses, draws], found {len(row)} entries"
        raise source.error(place, problem)
    first, second = (_name(name, f"{place}[{at}]", source) for at, name in enumerate(row[:2]))
    if first is None:
        first, second, row = second, None, [row[1], None, *row[3:1:-1], *row[4:]]
    if first is None:
        raise source.error(place, "this match has no players")
    numbers = [_count(number, f"{place}[{at}]", source) for at, number in enumerate(row[2:], 2)]
    wins, losses, draws = [*numbers, None, None, None][:3]
    games = None
    if source.check_both((wins, losses), "number", place):
        games = (wins or 0, losses or 0, draws or 0)
    names = (first,) if second is None else (first, second)
    are_scores = source.scores and games is not None and (second is not None or games[0] + games[1] > 0)
    return sheet.MatchLine(
        place=place,
        names=names,
        games=games,
        scores=games[: len(names)] if are_scores and games is not None else (),
        bare=are_scores,
    )


def _name(value: Any, place: str, source: sheet.SourceFile) -> sheet.Name | None:
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise source.error(place, "expected a player's name or number")
    return value.strip() if isinstance(value, str) else value


def _count(value: Any, place: str, source: sheet.SourceFile) -> int | None:
    if value is None:
        return None
    # A score can be below 0 (a penalty), but a number of games cannot.
    if isinstance(value, bool) or not isinstance(value, int) or (value < 0 and not source.scores):
        value_text = msgspec.json.encode(value).decode()
        raise source.error(place, f"expected a whole number, found `{value_text}`")
    return value


def _pair(pair: _Pair, place: str, source: sheet.SourceFile) -> sheet.MatchLine:
    if pair.bye is not None:
        return sheet.MatchLine(place=place, names=(pair.bye,), kind="bye")
    names = tuple(name for name in (pair.p1, pair.p2) if name is not None)
    games = pair.games if pair.games is not None else pair.g
    scores = tuple(pair.score or ())
    if not names:
        raise source.error(place, "this match has no players")
    if games is not None and (not 2 <= len(games) <= 3 or min(games) < 0):
        raise source.error(
            f"{place}.games", "expected the games won by each player, then the games drawn: [2, 1, 0]"
        )
    if pair.score is not None and not 1 <= len(scores) <= 2:
        raise source.error(f"{place}.score", "expected the score of each player: [6, 0]")
    if len(names) == 2:
        source.check_both([*scores, None][:2], "score", f"{place}.score")
    kind = _kind(pair, place, source)
    if not kind and len(names) == 2 and games is None and pair.score is None:
        kind = sheet.UNREPORTED
    return sheet.MatchLine(
        place=place,
        names=names,
        games=None if games is None else (games[0], games[1], games[2] if games[2:] else 0),
        scores=scores[: len(names)],
        kind=kind,
        table=pair.table,
    )


def _kind(pair: _Pair, place: str, source: sheet.SourceFile) -> str:
    kind, result = (
        word.lower().replace("_", "-").replace(" ", "-") for word in (pair.kind, pair.result or "")
    )
    if kind and result and kind != result:
        raise source.error(place, f"kind `{kind}` and result `{result}` contradict each other")
    if (kind or result) in ("forfeit", "no-show"):
        problem = f"`{kind or result}` does not say who forfeited: `forfeit1` or `forfeit2`"
        raise source.error(place, problem)
    return kind or result


def _large_table(match: dict[str, Any], place: str, source: sheet.SourceFile) -> sheet.MatchLine:
    """Read a match of two or more players with their places and any scores, or without a result.

    place: where the match is in the file, for messages

    Raises TourneyError if the match is not valid.
    """
    table = decode.build(match, _LargeTable, source=f"{source.source}: {place}")
    players, places, scores = table.players, table.places, table.scores
    if places is None:
        if table.kind != sheet.UNREPORTED:
            hint = 'a table without a result has `"kind": "unreported"`'
            raise source.error(place, "the key `places` is missing", hint)
        if len(players) < 2 or scores is not None:
            raise source.error(place, "a table without a result has two or more players, and no scores")
        return sheet.MatchLine(place=place, names=tuple(players), kind=sheet.UNREPORTED)
    if table.kind:
        raise source.error(place, f"kind `{table.kind}` and places contradict each other")
    if len(places) != len(players) or (scores and len(scores) != len(players)):
        raise source.error(place, "players, places and scores differ in number")
    if len(players) < 2 or min(places) < 1:
        raise source.error(place, "expected two players or more, and places from 1")
    return sheet.MatchLine(
        place=place, names=tuple(players), places=tuple(places), scores=tuple(scores or ())
    )


# -- the bracket


def _read_bracket(bracket: _FileBracket, source: sheet.SourceFile) -> sheet.BracketLines:
    return sheet.BracketLines(
        rounds=[
            [_pair(match, f"bracket.rounds[{number}][{at}]", source) for at, match in enumerate(matches)]
            for number, matches in enumerate(bracket.rounds)
        ],
        seeds=bracket.seeds,
        place="bracket.seeds",
        double=bracket.double,
        third_place=bracket.third_place,
        is_strict=True,
    )


# -- Writing


_OWN_KEYS = frozenset({"division", "contact"})
"""Facts about players that are not written under the key `facts`.

The division has a separate key, and only the organizer may see contact details.
"""


def write(results: Results) -> writing.WrittenFile:
    """Write an event as JSON that `read` can read."""
    names, playoff = results.names, results.playoff
    if playoff and any(len(table.seats) != 2 for tables in playoff.rounds for table in tables):
        playoff = None
    facts = {
        str(names[player]): written_facts
        for player, facts_of_player in results.facts.items()
        if (written_facts := {kind: text for kind, text in facts_of_player.items() if kind not in _OWN_KEYS})
    }
    file = {
        **writing.event_keys(results),
        "rounds": [[_match_object(line) for line in lines] for lines in writing.match_lines(results)],
    }
    if facts:
        file["facts"] = facts
    if playoff:
        file["bracket"] = {
            "seeds": [names[player] for player in playoff.seeds],
            "rounds": [[_bracket_match(table, names) for table in tables] for tables in playoff.rounds],
            "double": playoff.double,
            "third_place": playoff.third_place,
        }
    kinds = {kind for by_kind in results.facts.values() for kind in by_kind} - {"contact"}
    writable_facts = writing.OWN_FORMS_KEEP | ({"playoff"} if playoff else set())
    return writing.WrittenFile(
        writing.json_text(file), tuple(writing.lost_facts(results, writable_facts, writable_kinds=kinds))
    )


def _match_object(line: sheet.MatchLine) -> dict[str, Any]:
    if len(line.names) > 2:
        table = {"players": line.names, "places": line.places, "scores": line.scores, "kind": line.kind}
        return {key: value for key, value in table.items() if value and None not in tuple(value)}
    first, second = [*line.names, None][:2]
    match: dict[str, Any] = {"p1": first, "p2": second}
    if line.games is not None:
        match["games"] = line.games
    if any(score is not None for score in line.scores):
        match["score"] = [*line.scores, None][:2]
    if line.kind:
        match["kind"] = line.kind
    if line.table is not None:
        match["table"] = line.table
    return match


def _bracket_match(table: Table, names: Mapping[PlayerId, sheet.Name]) -> dict[str, Any]:
    first, second = (names[player] for player in table.seats)
    match: dict[str, Any] = {"p1": first, "p2": second, "table": table.number}
    if table.result is not None:
        wins, losses = (seat.games for seat in table.result.seats)
        is_first = 0 in writing.winner_seats(table)
        if wins != losses and (wins > losses) is is_first:
            match["games"] = [wins, losses]
        else:
            match["result"] = "p1" if is_first else "p2"
    return match
