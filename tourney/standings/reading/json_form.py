"""Results as JSON: `{"players": …, "rounds": [[[a, b, wins, losses, draws], …], …]}` and what may stand beside it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import msgspec

from tourney import decode
from tourney.record import Outcome, PlayerId, Table
from tourney.standings.reading.forms import (
    OWN,
    Told,
    Written,
    WrittenLine,
    json_text,
    lost,
    written_beside,
    written_lines,
)
from tourney.standings.reading.results import (
    UNREPORTED,
    Beside,
    MatchLine,
    Name,
    Playoff,
    Results,
    ResultsDraft,
    knockout,
)

# What files of this shape carry beside the results; `standings` and `expected…` are what somebody else computed.
_TALK = frozenset(
    """id what event type trf source licence_note note rules scoring tolerance rounds_n features dropped_players
    standings expected expected_published expected_derived""".split()  # noqa: SIM905  a list of one word a line is no clearer
)


_MOST_PLAYERS = 100_000


class _Pair(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    p1: Name | None = None
    p2: Name | None = None
    bye: Name | None = None
    games: list[int] | None = None
    g: list[int] | None = None
    score: list[int | None] | None = None
    result: str | None = None
    kind: str = ""
    table: int | None = None


class _Bracket(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    seeds: list[Name]
    rounds: list[list[_Pair]] = []
    double: bool = False
    third_place: bool = False


class _File(Beside, frozen=True, kw_only=True):
    rounds: list[list[list[Any] | dict[str, Any]]]
    players: int | list[Name | dict[str, Any]] | None = None
    rule: dict[str, Any] = msgspec.field(default_factory=dict)
    bracket: _Bracket | None = None
    facts: dict[str, dict[str, str]] = msgspec.field(default_factory=dict)


class _Seated(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    players: list[Name]
    places: list[int] | None = None
    scores: list[int] | None = None
    kind: Literal["", "unreported"] = ""


class _Entrant(msgspec.Struct, frozen=True, kw_only=True):
    name: Name
    rating: int | None = None


def read(told: Told) -> Results:
    """Read results from JSON. Raises TourneyError naming file and key path."""
    raw = decode.build(told.value, dict[str, Any], source=told.source)
    file = decode.build(raw, _File, source=told.source)
    reader = _Reader(file, told)
    reader.read()
    keys = {field.name for field in msgspec.structs.fields(_File)} | _TALK
    return reader.results(unread=tuple(key for key in raw if key not in keys))


class _Reader:
    def __init__(self, file: _File, told: Told) -> None:
        self.file = file
        self.source, self.scores, self.fault = told.source, told.scores, told.fault
        self.ratings: dict[Name, int] = {}
        self.draft = ResultsDraft(told.source, self._players(), file)

    def read(self) -> None:
        if not self.file.rounds:
            raise self.fault(
                "rounds", "the file has no rounds", "a list of players is for `tourney player import`"
            )
        for r, matches in enumerate(self.file.rounds):
            if not matches:
                raise self.fault(f"rounds[{r}]", "this round has no matches")
            self.draft.open_round()
            for m, match in enumerate(matches):
                self._add(match, f"rounds[{r}][{m}]")

    def results(self, unread: tuple[str, ...]) -> Results:
        results = self.draft.results(own_floor=self._own_floor(), ratings=self.ratings, unread=unread)
        facts = {self._known(name, f"facts.{name}"): told for name, told in self.file.facts.items()}
        return replace(results, facts=facts, playoff=self._bracket())

    def _known(self, name: Name, place: str) -> PlayerId:
        ids = self.draft.ids
        if name not in ids and isinstance(name, str) and name.isascii() and name.isdigit() and len(name) < 10:
            name = int(name)  # keys of objects are always text
        if name not in ids:
            raise self.fault(place, f"there is no player `{name}`")
        return ids[name]

    def _bracket(self) -> Playoff | None:
        told = self.file.bracket
        if told is None:
            return None
        seeds = tuple(self._known(name, f"bracket.seeds[{at}]") for at, name in enumerate(told.seeds))
        rounds = []
        for r, matches in enumerate(told.rounds):
            tables = []
            for m, match in enumerate(matches):
                place = f"bracket.rounds[{r}][{m}]"
                line = self._pair(match, place)
                if line.second is None or line.first == line.second:
                    raise self.fault(place, "a match of the bracket has two players")
                seats = (self._known(line.first, place), self._known(line.second, place))
                games = (line.wins or (0, 0, 0))[:2]
                kind = line.kind or ("p1" if games[0] > games[1] else "p2" if games[0] < games[1] else "")
                won = {"p1": 0, "p2": 1, UNREPORTED: None}.get(kind, -1)
                if won == -1:
                    raise self.fault(place, "a match of the bracket has a winner, or no result yet")
                number = match.table if match.table is not None else m + 1
                tables.append(knockout(number, seats, won, games if line.wins else ()))
            rounds.append(tuple(tables))
        return Playoff(seeds=seeds, rounds=tuple(rounds), double=told.double, third_place=told.third_place)

    def _own_floor(self) -> bool | None:
        floored = self.file.rule.get("floor_applies_to_own_gw")
        return floored if self.file.own_gw_floor is None and isinstance(floored, bool) else None

    def _players(self) -> list[Name] | None:
        file = self.file
        if file.registration_order is not None:
            return file.registration_order
        if isinstance(file.players, list):
            return [self._entrant(entry, f"players[{i}]") for i, entry in enumerate(file.players)]
        if file.players is None or not all(isinstance(name, int) for name in self._seated()):
            return None
        if not 1 <= file.players <= _MOST_PLAYERS:
            raise self.fault("players", f"{file.players} is not a number of players (1 to {_MOST_PLAYERS})")
        # Numbered players count from 0, or from 1 where nobody is 0.
        first = 0 if 0 in self._seated() else 1
        return list(range(first, first + file.players))

    def _seated(self) -> set[Any]:
        rows = [match[:2] for matches in self.file.rounds for match in matches if isinstance(match, list)]
        objects = [match for matches in self.file.rounds for match in matches if isinstance(match, dict)]
        named = [pair.get(key) for pair in objects for key in ("p1", "p2", "bye")]
        return {name for row in [*rows, named] for name in row if isinstance(name, str | int)}

    def _entrant(self, entry: Name | dict[str, Any], place: str) -> Name:
        if not isinstance(entry, dict):
            return entry
        entrant = decode.build(entry, _Entrant, source=f"{self.source}: {place}")
        if entrant.rating is not None:
            self.ratings[entrant.name] = entrant.rating
        return entrant.name

    def _add(self, match: list[Any] | dict[str, Any], place: str) -> None:
        if isinstance(match, list):
            self.draft.add(self._row(match, place))
        elif "players" in match:
            self._table(decode.build(match, _Seated, source=f"{self.source}: {place}"), place)
        else:
            self.draft.add(self._pair(decode.build(match, _Pair, source=f"{self.source}: {place}"), place))

    def _row(self, row: list[Any], place: str) -> MatchLine:
        if not 2 <= len(row) <= 5:
            raise self.fault(
                place, f"expected [player, opponent, wins, losses, draws], found {len(row)} entries"
            )
        first, second = (self._name(name, f"{place}[{i}]") for i, name in enumerate(row[:2]))
        if first is None:
            first, second, row = second, None, [row[1], None, *row[3:1:-1], *row[4:]]
        if first is None:
            raise self.fault(place, "this match has no players")
        numbers = [self._count(number, f"{place}[{i}]") for i, number in enumerate(row[2:], start=2)]
        wins = self._wins(numbers, place)
        scored = self.scores and wins is not None and (second is not None or wins[0] + wins[1] > 0)
        return MatchLine(
            place=place,
            first=first,
            second=second,
            wins=wins,
            scores=wins[:2] if scored and wins is not None else None,
            bare=scored,
        )

    def _wins(self, numbers: list[int | None], place: str) -> tuple[int, int, int] | None:
        missing = [number is None for number in numbers[:2]]
        if not numbers or all(missing):
            return None
        if len(numbers) == 1 or any(missing):
            raise self.fault(place, "one side's number is missing")
        won, lost, drawn = ([number or 0 for number in numbers] + [0])[:3]
        return won, lost, drawn

    def _pair(self, pair: _Pair, place: str) -> MatchLine:
        if pair.bye is not None:
            return MatchLine(place=place, first=pair.bye, second=None, kind="bye")
        first, second = (pair.p1, pair.p2) if pair.p1 is not None else (pair.p2, None)
        if first is None:
            raise self.fault(place, "this match has no players")
        games = pair.games if pair.games is not None else pair.g
        if games is not None and (not 2 <= len(games) <= 3 or min(games) < 0):
            raise self.fault(f"{place}.games", "expected the games won by each and drawn, [2, 1, 0]")
        if pair.score is not None and not 1 <= len(pair.score) <= 2:
            raise self.fault(f"{place}.score", "expected the score of each, [6, 0]")
        if pair.score is not None and second is not None and [*pair.score, None][:2].count(None) == 1:
            raise self.fault(f"{place}.score", "one side's number is missing")
        return MatchLine(
            place=place,
            first=first,
            second=second,
            wins=None if games is None else (games[0], games[1], games[2] if len(games) > 2 else 0),
            scores=None if pair.score is None else (pair.score[0], pair.score[1] if pair.score[1:] else None),
            kind=self._kind(pair, place, unsaid=second is not None and games is None and pair.score is None),
            table=pair.table,
        )

    def _kind(self, pair: _Pair, place: str, *, unsaid: bool) -> str:
        kind, result = (
            word.lower().replace("_", "-").replace(" ", "-") for word in (pair.kind, pair.result or "")
        )
        if kind and result and kind != result:
            raise self.fault(place, f"kind `{kind}` and result `{result}` contradict each other")
        meaning = kind or result
        if meaning in ("forfeit", "no-show"):
            raise self.fault(place, f"`{meaning}` does not say who forfeited: `forfeit1` or `forfeit2`")
        return UNREPORTED if unsaid and not meaning else meaning

    def _table(self, table: _Seated, place: str) -> None:
        if table.places is None and table.kind == UNREPORTED:
            if len(table.players) < 2 or table.scores is not None:
                raise self.fault(
                    place, "expected two players or more, and no scores, at a table without a result"
                )
            self.draft.add_open_table(place, table.players)
            return
        if table.places is None:
            raise self.fault(
                place, "the key `places` is missing", 'where the table still plays: `"kind": "unreported"`'
            )
        if table.kind:
            raise self.fault(place, f"kind `{table.kind}` and places contradict each other")
        scores: list[int | None] = list(table.scores or [])
        scores += [None] * (0 if table.scores else len(table.players))
        if not len(table.players) == len(table.places) == len(scores):
            raise self.fault(place, "players, places and scores differ in number")
        if len(table.players) < 2 or min(table.places) < 1:
            raise self.fault(place, "expected two players or more, and places from 1")
        self.draft.add_table(place, table.players, table.places, scores)

    def _name(self, value: Any, place: str) -> Name | None:
        if value is None or (isinstance(value, str) and not value.strip()):
            return None
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise self.fault(place, "expected a player's name or number")
        return value.strip() if isinstance(value, str) else value

    def _count(self, value: Any, place: str) -> int | None:
        if value is None:
            return None
        # A score may be below 0 (a penalty), a number of games may not.
        if isinstance(value, bool) or not isinstance(value, int) or (value < 0 and not self.scores):
            shown = msgspec.json.encode(value).decode()
            raise self.fault(place, f"expected a whole number, found `{shown}`")
        return value


# -- Back to a file


def write(results: Results) -> Written:
    """Write an event as JSON in the form that `read` takes."""
    name = results.names
    told = {
        **written_beside(results),
        "rounds": [[_match(line) for line in lines] for lines in written_lines(results)],
    }
    facts = {
        str(name[player]): {kind: text for kind, text in known.items() if kind not in _ELSEWHERE}
        for player, known in results.facts.items()
    }
    kept = {who: known for who, known in facts.items() if known}
    playoff = results.playoff if results.playoff and _two_by_two(results.playoff) else None
    if kept:
        told["facts"] = kept
    if playoff:
        told["bracket"] = {
            "seeds": [name[player] for player in playoff.seeds],
            "rounds": [[_knockout(table, results) for table in tables] for tables in playoff.rounds],
            "double": playoff.double,
            "third_place": playoff.third_place,
        }
    kinds = {kind for known in results.facts.values() for kind in known} - {"contact"}
    holds = OWN | ({"playoff"} if playoff else set())
    return Written(json_text(told), tuple(lost(results, holds, facts=kinds)))


_ELSEWHERE = frozenset({"division", "contact"})
"""Facts that stand in a key of their own, and those that are for the organizer alone."""


def _two_by_two(playoff: Playoff) -> bool:
    return all(len(table.seats) == 2 for tables in playoff.rounds for table in tables)


def _knockout(table: Table, results: Results) -> dict[str, Any]:
    one, other = (results.names[player] for player in table.seats)
    told: dict[str, Any] = {"p1": one, "p2": other, "table": table.number}
    if table.result is not None:
        first, second = table.result.seats
        better = (Outcome.WIN, Outcome.FORFEIT_WIN)
        if first.games != second.games and (first.games > second.games) == (first.outcome in better):
            told["games"] = [first.games, second.games]
        else:
            told["result"] = "p1" if first.outcome in better else "p2"
    return told


def _match(line: WrittenLine) -> dict[str, Any]:
    if len(line.names) > 2:
        if not line.places:
            return {"players": list(line.names), "kind": UNREPORTED}
        scores = {"scores": list(line.scores)} if None not in line.scores else {}
        return {"players": list(line.names), "places": list(line.places), **scores}
    first, *others = line.names
    told: dict[str, Any] = {"p1": first, "p2": others[0] if others else None}
    if line.games is not None:
        told["games"] = list(line.games)
    if any(score is not None for score in line.scores):
        told["score"] = [*line.scores, None][:2]
    if line.kind:
        told["kind"] = line.kind
    if line.table is not None:
        told["table"] = line.table
    return told
