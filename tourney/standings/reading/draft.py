"""`ResultsDraft` collects lines of results and checks them.

Every reader builds its `Results` with it.

A `MatchLine` is one line of any form: a match of two, a larger table, a bye or an absence. Readers make lines
from a file, and writers get them from `writing.match_lines`.
"""

from __future__ import annotations

import datetime
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

import msgspec

from tourney.cards.names import FoldedName, fold
from tourney.decode import MAX_LISTED_PLAYERS
from tourney.errors import TourneyError
from tourney.record import Outcome, PlayerId, Record, Result, Seat, Table, games_needed, parse_number
from tourney.standings.reading.results import Name, Playoff, Results
from tourney.wording import counted

PAIR_KINDS = {
    "p1": (Outcome.WIN, Outcome.LOSS),
    "p2": (Outcome.LOSS, Outcome.WIN),
    "draw": (Outcome.DRAW, Outcome.DRAW),
    "tie": (Outcome.DRAW, Outcome.DRAW),
    "intentional-draw": (Outcome.DRAW, Outcome.DRAW),
    "double-loss": (Outcome.DOUBLE_LOSS, Outcome.DOUBLE_LOSS),
    "forfeit1": (Outcome.FORFEIT_LOSS, Outcome.FORFEIT_WIN),
    "forfeit2": (Outcome.FORFEIT_WIN, Outcome.FORFEIT_LOSS),
    "double-forfeit": (Outcome.FORFEIT_LOSS, Outcome.FORFEIT_LOSS),
}
"""Kinds of matches of two, with the outcomes of both players.

Writers use the first kind for a pair of outcomes.
"""

LONE_KINDS = {
    "bye": Outcome.BYE,
    "awarded-bye": Outcome.AWARDED_BYE,
    "full-bye": Outcome.AWARDED_BYE,
    "half-bye": Outcome.HALF_BYE,
    "absent": Outcome.ABSENT,
    "zero-bye": Outcome.ABSENT,
    "assigned-loss": Outcome.FORFEIT_LOSS,
    "loss": Outcome.FORFEIT_LOSS,
}
"""Kinds of rounds without an opponent. Writers use the first kind for an outcome."""

UNREPORTED = "unreported"
"""The kind of a match without a result."""

WINNER_GAMES = 1
"""The number of games won that files give to the winner of a table of three or more."""

WINS = frozenset({Outcome.WIN, Outcome.FORFEIT_WIN})
_LOSSES = frozenset({Outcome.LOSS, Outcome.FORFEIT_LOSS})
_FREE_POINTS = frozenset({Outcome.BYE, Outcome.AWARDED_BYE})
_NO_POINTS = frozenset({Outcome.ABSENT, Outcome.FORFEIT_LOSS})

_MAX_TABLE = 999_999
_MAX_ROUND_DIGITS = 4
_MAX_EXTRA_POINTS = 2 * 999
"""The maximum half points that a player can get in addition to a result."""
_MAX_BEST_OF = 99
_MAX_PLACES = 3
"""The maximum number of lines that a remark lists. It counts any further lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchLine:
    """One line of results.

    names:  the players at the table; only one if the player has no opponent
    place:  the place of the line in the file (`line 7`, `rounds[0][3]`); empty for a line to be written
    games:  the games won by each of two players, and the drawn games; None if not stated
    scores: the match score of each player, None for a player without a score; empty if there are no scores
    bare:   whether only the profile says that the numbers are scores
    kind:   a key of `PAIR_KINDS` or `LONE_KINDS`, or `unreported`; empty if the numbers decide
    places: the final places at a table of any size
    table:  the table's number; None for the next free number
    """

    names: tuple[Name, ...]
    place: str = ""
    games: tuple[int, int, int] | None = None
    scores: tuple[int | None, ...] = ()
    bare: bool = False
    kind: str = ""
    places: tuple[int, ...] = ()
    table: int | None = None

    @property
    def shown_place(self) -> str:
        """The place, with the games if there are any."""
        return f"{self.place} ({self.games_text})" if self.games else self.place

    @property
    def games_text(self) -> str:
        """The games as text: `2–1–0`."""
        return "–".join(map(str, self.games or ()))


class EventKeys(msgspec.Struct, frozen=True, kw_only=True):
    """Facts about the event that a file can state besides its results.

    `README.md` explains each key.
    """

    name: str = ""
    date: datetime.date | None = None
    own_gw_floor: bool | None = None
    best_of: int | None = None
    draws: bool | None = None
    planned_rounds: int | None = None
    round_robin: bool | None = None
    registration_order: list[Name] | None = None
    drops: dict[str, int] | None = None
    drops_after_round: dict[str, int] | None = None
    disqualified: dict[str, int] | list[Name] = {}
    absent: dict[str, list[int]] = {}
    ratings: dict[Name, int] = {}
    extra_points: dict[str, dict[str, float | int | str]] = {}
    round_weights: list[float | int | str] = []
    weights: list[float | int | str] = []
    divisions: dict[str, list[Name]] = {}


class ResultsDraft:
    """Collects lines round by round and checks them.

    Each error names `source` and the line's place.
    """

    def __init__(
        self,
        source: str,
        players: Mapping[Name, Name] | Iterable[Name] | None = None,
        keys: EventKeys | None = None,
        lines: Mapping[str, str] | None = None,
    ) -> None:
        """Start with no rounds.

        players: all players in order of registration; a mapping from keys to names if the lines use keys.
                 None if players are registered as they appear.
        keys:    facts that the file states besides its results
        lines:   key → the line that states it (`drops` → `line 2`), in forms that have lines
        """
        self.source = source
        self.is_closed = players is not None
        self.keys = keys or EventKeys()
        self.lines = lines or {}
        self.ids: dict[Name, PlayerId] = {}
        self._names = players if isinstance(players, Mapping) else {}
        self.remarks: list[str] = []
        self._tables: list[list[Table]] = []
        self._byes: list[dict[PlayerId, Outcome]] = []
        self._absences: list[set[PlayerId]] = []
        self._places: list[dict[PlayerId, str]] = []
        """For each round, the place of each player's line."""
        self._numbers: set[int] = set()
        self._next_number = 1
        self._doubts: dict[str, list[str]] = {}
        self._bare_scores: set[tuple[int, int]] = set()
        self._spellings: dict[str, tuple[Name, str]] = {}
        self._folded: dict[FoldedName, tuple[Name, str]] = {}
        for name in players or ():
            if name in self.ids:
                raise self.error("players", f"{_quoted(name)} appears twice")
            self._register(name, "players")

    def error(self, place: str, message: str, hint: str | None = None) -> TourneyError:
        """Return an error at the place of a line or key (`drops.Mira`)."""
        line = self.lines.get(place.partition(".")[0].partition("[")[0])
        return TourneyError(f"{self.source}: {f'{line}: ' if line else ''}{place}: {message}", hint)

    def add_rounds(self, rounds: Iterable[Iterable[MatchLine]]) -> None:
        """Add several rounds of lines. Raises TourneyError at the place of a line."""
        for lines in rounds:
            self.open_round()
            for line in lines:
                self.add(line)

    def open_round(self) -> None:
        """Start the next round. Lines that are added later belong to it."""
        self._tables.append([])
        self._byes.append({})
        self._absences.append(set())
        self._places.append({})
        self._numbers.clear()
        self._next_number = 1

    def add(self, line: MatchLine) -> None:
        """Add a line to the open round. Raises TourneyError at its place."""
        if line.places:
            self._add_places(line)
        elif len(line.names) == 1:
            self._add_lone(line)
        elif len(line.names) == 2:
            self._add_pair(line)
        else:
            self._put(line, self._seat_players(line), None)

    def id_of(self, name: Name, place: str) -> PlayerId:
        """Return the player with this name.

        For an unknown name, raises TourneyError that cites `place`. In files that number the players, the
        name is the number. It can be text, as JSON keys always are.
        """
        if name not in self.ids and isinstance(name, str) and name.isascii() and name.isdigit():
            name = int(name) if len(name) < 10 and int(name) in self.ids else name
        if name not in self.ids:
            raise self.error(place, f"there is no {_described(name)}")
        return self.ids[name]

    # -- players

    def _register(self, name: Name, place: str) -> PlayerId:
        """Give a new player the next number.

        Raises TourneyError for a second spelling of a name, unless the file lists both as players. Names that
        differ only in accents or quotes (`Zoe`, `Zoë`) are two players, with a remark.
        """
        if len(self.ids) >= MAX_LISTED_PLAYERS:
            raise self.error(place, f"a file has at most {MAX_LISTED_PLAYERS:,} players")
        folded = fold(str(name))
        spelling = " ".join(unicodedata.normalize("NFKC", str(name)).casefold().split())
        if spelling in self._spellings:
            other, where = self._spellings[spelling]
            both = f"{_quoted(name)} and {_quoted(other)}"
            if not self.is_closed:
                raise self.error(
                    place,
                    f"{both} ({where}) differ in capitals, spaces or width only",
                    "spell each player in one way; if they are two, list both in `registration_order`",
                )
            self.remarks.append(
                f"{place}: {both} differ in capitals, spaces or width only: taken as two players"
            )
        elif folded in self._folded:
            other, where = self._folded[folded]
            both = f"{_quoted(name)} and {_quoted(other)}{f' ({where})' if where != place else ''}"
            self.remarks.append(f"{place}: {both} differ in accents or quotes only: taken as two players")
        self._spellings.setdefault(spelling, (name, place))
        self._folded.setdefault(folded, (name, place))
        return self.ids.setdefault(name, PlayerId(len(self.ids) + 1))

    def _seat_players(self, line: MatchLine) -> tuple[PlayerId, ...]:
        """Return the numbers of a line's players, and record that they are in this round."""
        seats = []
        for name in line.names:
            if self.is_closed and name not in self.ids:
                raise self.error(
                    line.place, f"there is no {_described(name)}", f"there are {len(self.ids)} players"
                )
            player = self.ids[name] if name in self.ids else self._register(name, line.place)
            places = self._places[-1]
            if player in places:
                message = f"{_quoted(name)} is in round {len(self._tables)} twice (also {places[player]})"
                raise self.error(line.place, message)
            places[player] = line.place
            seats.append(player)
        return tuple(seats)

    # -- lines

    def _put(self, line: MatchLine, seats: tuple[PlayerId, ...], result: Result | None) -> None:
        """Add a table with its number in the file, or with the next number if that one is taken."""
        number = line.table
        if number is None or not 0 < number <= _MAX_TABLE or number in self._numbers:
            number = self._next_number
        self._tables[-1].append(Table(number, seats, result))
        self._numbers.add(number)
        self._next_number = max(self._next_number, number + 1)

    def _add_lone(self, line: MatchLine) -> None:
        (player,) = self._seat_players(line)
        outcome = self._lone_outcome(line)
        score = line.scores[0] if line.scores else None
        if outcome is Outcome.ABSENT:
            self._absences[-1].add(player)
        elif outcome is Outcome.FORFEIT_LOSS or score is not None:
            self._put(replace(line, table=None), (player,), Result((Seat(player, outcome, score=score),)))
        else:
            self._byes[-1][player] = outcome

    def _lone_outcome(self, line: MatchLine) -> Outcome:
        if line.kind:
            if line.kind not in LONE_KINDS:
                message = f"`{line.kind}` is not a kind of round without an opponent"
                raise self.error(line.place, message, ", ".join(LONE_KINDS))
            outcome = LONE_KINDS[line.kind]
            self._check_games(line, outcome in _FREE_POINTS, outcome in _NO_POINTS)
            return outcome
        won, lost, drawn = line.games or (0, 0, 0)
        if won < lost:
            return Outcome.FORFEIT_LOSS
        return Outcome.HALF_BYE if won == lost and won + drawn > 0 else Outcome.BYE

    def _add_pair(self, line: MatchLine) -> None:
        if line.names[0] == line.names[1]:
            raise self.error(line.place, f"{_quoted(line.names[0])} plays against themselves")
        players = self._seat_players(line)
        outcomes = self._pair_outcomes(line)
        if outcomes is None:
            self._put(line, players, None)
            return
        self._note_doubts(line, outcomes)
        if line.bare and line.games is not None:
            self._bare_scores.add((max(line.games[:2]), min(line.games[:2])))
        *games, drawn = line.games or single_game(outcomes)
        has_winner = not WINS.isdisjoint(outcomes)
        seats = tuple(
            Seat(player, outcome, 2 if has_winner and outcome in _LOSSES else 1, won, score)
            for player, outcome, won, score in zip(
                players, outcomes, games, line.scores or (None, None), strict=True
            )
        )
        self._put(line, players, Result(seats, drawn))

    def _pair_outcomes(self, line: MatchLine) -> tuple[Outcome, Outcome] | None:
        """Return the outcomes of both players; None for a match without a result."""
        if line.kind == UNREPORTED:
            if line.games is not None and any(line.games):
                raise self.error(line.place, f"`{line.kind}`, but games are: {line.games_text}")
            return None
        if line.kind:
            if line.kind not in PAIR_KINDS:
                kinds = ", ".join([*PAIR_KINDS, UNREPORTED])
                raise self.error(
                    line.place, f"`{line.kind}` is not the result of a match", f"the results are {kinds}"
                )
            outcomes = PAIR_KINDS[line.kind]
            if line.kind != "double-loss":
                self._check_games(line, outcomes[0] in WINS, outcomes[1] in WINS)
            return outcomes
        first, second = line.games[:2] if line.games is not None else line.scores or (None, None)
        if first is None or second is None:
            return None
        return PAIR_KINDS["draw" if first == second else "p1" if first > second else "p2"]

    def _check_games(self, line: MatchLine, first_wins: bool, second_wins: bool) -> None:
        """Raise TourneyError if the games of a line contradict its kind."""
        won, lost, _ = line.games or (0, 0, 0)
        if (
            (won > lost and not first_wins)
            or (won < lost and not second_wins)
            or (won == lost > 0 and (first_wins or second_wins))
        ):
            message = f"`{line.kind}` and the games {line.games_text} contradict each other"
            raise self.error(line.place, message)

    def _add_places(self, line: MatchLine) -> None:
        players = self._seat_players(line)
        best = min(line.places)
        first = Outcome.DRAW if line.places.count(best) > 1 else Outcome.WIN
        outcomes = tuple(first if place == best else Outcome.LOSS for place in line.places)
        self._note_doubts(line, outcomes)
        scores = line.scores or (None,) * len(players)
        seats = tuple(
            Seat(player, outcome, place, WINNER_GAMES if outcome is Outcome.WIN else 0, score)
            for player, outcome, place, score in zip(players, outcomes, line.places, scores, strict=True)
        )
        self._put(line, players, Result(seats))

    # -- contradictions that may be right (a longer final, a cut)

    def _note_doubts(self, line: MatchLine, outcomes: Sequence[Outcome]) -> None:
        """Record contradictions between a line and the keys of the event."""
        won, lost, _ = line.games or (0, 0, 0)
        limit = self.keys.best_of
        are_games = line.scores != (won, lost)
        doubts = {
            f"more games than a match has: `best_of` is {limit}": (
                limit and are_games and (max(won, lost) > games_needed(limit) or won + lost > limit)
            ),
            "drawn, and `draws` says that no match can be": (
                self.keys.draws is False and Outcome.DRAW in outcomes
            ),
            "a double loss, and one has won more games": line.kind == "double-loss" and won != lost,
        }
        for doubt, applies in doubts.items():
            if applies:
                self._doubts.setdefault(doubt, []).append(line.shown_place)

    def _doubt_remarks(self) -> Iterator[str]:
        for doubt, places in self._doubts.items():
            rest = len(places) - _MAX_PLACES
            more = f" and {rest} more" if rest > 0 else ""
            yield f"{', '.join(places[:_MAX_PLACES])}{more}: {doubt}"
        planned = self.keys.planned_rounds
        if planned is not None and planned < len(self._tables):
            yield f"`planned_rounds` is {planned}, and there are {len(self._tables)}"

    # -- the results

    def results(self) -> Results:
        """Return the results of all lines and keys.

        Raises TourneyError if they contradict each other, such as for a player who dropped but still plays.
        """
        keys = self.keys
        absences = self._all_absences()
        disqualified = self._disqualified()
        last_rounds = keys.drops if keys.drops is not None else keys.drops_after_round
        drops = (
            {player: last for player, last in self._seem_gone(absences).items() if player not in disqualified}
            if last_rounds is None
            else self._by_round(last_rounds, "drops")
        )
        self._refuse_return("drops", "left", drops)
        self._refuse_return("disqualified", "was disqualified", disqualified)
        return Results(
            record=Record(
                players=tuple(self.ids.values()),
                rounds=tuple(map(tuple, self._tables)),
                byes=tuple(self._byes),
                absences=tuple(map(frozenset, absences)),
                drops=drops,
                disqualified=disqualified,
                ratings={self.id_of(name, "ratings"): rating for name, rating in keys.ratings.items()},
                weights=self._weights(),
                extra_points=self._extra_points(),
                planned_rounds=keys.planned_rounds,
                round_robin=self._is_round_robin() if keys.round_robin is None else keys.round_robin,
            ),
            names={player: self._names.get(name, name) for name, player in self.ids.items()},
            title=keys.name,
            day=keys.date,
            own_floor=keys.own_gw_floor,
            divisions={
                division: tuple(self.id_of(name, f"divisions.{division}") for name in members)
                for division, members in keys.divisions.items()
            },
            match=(self._best_of(), keys.draws),
            remarks=(*self.remarks, *self._doubt_remarks()),
            seem_gone=frozenset(drops) if last_rounds is None else frozenset(),
            taken_for_scores=frozenset(self._bare_scores),
        )

    def _all_absences(self) -> list[set[PlayerId]]:
        """Return the absences of each round, from lines and from the key `absent`."""
        absences = [set(players) for players in self._absences]
        for name, rounds in self.keys.absent.items():
            place = f"absent.{name}"
            player = self.id_of(name, place)
            for number in rounds:
                places = self._places[self._round(number, place, least=1) - 1]
                if player in places and player not in self._absences[number - 1]:
                    raise self.error(place, f"{_quoted(name)} is in round {number} ({places[player]})")
                absences[number - 1].add(player)
        return absences

    def _seem_gone(self, absences: Sequence[Collection[PlayerId]]) -> dict[PlayerId, int]:
        """Return the players who are missing from the last rounds, with their last round."""
        last: dict[PlayerId, int] = dict.fromkeys(self.ids.values(), 0)
        for number, (players, absent) in enumerate(zip(self._places, absences, strict=True), 1):
            last.update(dict.fromkeys([*players, *absent], number))
        return {player: number for player, number in last.items() if number < len(self._tables)}

    def _is_round_robin(self) -> bool:
        """Return whether all pairs of players met equally often and there was no bye."""
        if len(self.ids) < 3 or any(self._byes):
            return False
        meetings = Counter(
            frozenset(pair)
            for tables in self._tables
            for table in tables
            for pair in combinations(table.seats, 2)
        )
        pairs = len(self.ids) * (len(self.ids) - 1) // 2
        return len(meetings) == pairs and len(set(meetings.values())) == 1

    def _disqualified(self) -> dict[PlayerId, int]:
        players = self.keys.disqualified
        if isinstance(players, dict):
            return self._by_round(players, "disqualified")
        return {self.id_of(name, "disqualified"): len(self._tables) for name in players}

    def _by_round(self, rounds: Mapping[str, int], place: str) -> dict[PlayerId, int]:
        return {
            self.id_of(name, place): self._round(number, f"{place}.{name}") for name, number in rounds.items()
        }

    def _round(self, number: int, place: str, *, least: int = 0) -> int:
        if not least <= number <= len(self._tables):
            raise self.error(place, f"there is no round {number}")
        return number

    def _refuse_return(self, key: str, verb: str, last_rounds: Mapping[PlayerId, int]) -> None:
        names = {player: name for name, player in self.ids.items()}
        for player, last in last_rounds.items():
            for number, places in enumerate(self._places[last:], last + 1):
                if player in places:
                    when = f"after round {last}" if last else "before round 1"
                    name, again = names[player], f"is in round {number} ({places[player]})"
                    raise self.error(f"{key}.{name}", f"{_quoted(name)} {verb} {when}, and {again}")

    def _weights(self) -> tuple[Fraction, ...]:
        weights = []
        for at, value in enumerate(self.keys.round_weights or self.keys.weights):
            place = f"round_weights[{at}]"
            weights.append(self._number(str(value), place))
            if weights[-1] <= 0:
                raise self.error(place, f"{value} is not above 0")
        return tuple(weights)

    def _extra_points(self) -> tuple[Mapping[PlayerId, int], ...]:
        rounds: list[dict[PlayerId, int]] = [{} for _ in self._tables]
        for name, given in self.keys.extra_points.items():
            player = self.id_of(name, f"extra_points.{name}")
            for number, points in given.items():
                place = f"extra_points.{name}.{number}"
                if not (number.isascii() and number.isdigit() and len(number) <= _MAX_ROUND_DIGITS):
                    raise self.error(place, f"`{number[:20]}` is not a round")
                half_points = 2 * self._number(str(points), place)
                if half_points.denominator != 1 or abs(half_points) > _MAX_EXTRA_POINTS:
                    raise self.error(place, f"{points} is not a number of points that can be given")
                if half_points:
                    rounds[self._round(int(number), place, least=1) - 1][player] = int(half_points)
        return tuple(rounds) if any(rounds) else ()

    def _number(self, text: str, place: str) -> Fraction:
        try:
            return parse_number(text)
        except TourneyError as error:
            raise self.error(place, error.message) from None

    def _best_of(self) -> int | None:
        best_of = self.keys.best_of
        if best_of is not None and not 1 <= best_of <= _MAX_BEST_OF:
            raise self.error("best_of", f"{best_of} is not a number of games (1 to {_MAX_BEST_OF})")
        return best_of


def _described(name: Name) -> str:
    return f"player {name}" if isinstance(name, int) else f"player `{name}`"


def _quoted(name: Name) -> str:
    return f"player {name}" if isinstance(name, int) else f"`{name}`"


def single_game(outcomes: tuple[Outcome, Outcome]) -> tuple[int, int, int]:
    """Return the games of a single-game match: the first player's, the second's, and drawn."""
    first, second = outcomes
    return int(first is Outcome.WIN), int(second is Outcome.WIN), int(first is Outcome.DRAW)


# -- Brackets


def bracket_table(line: MatchLine, number: int, ids: Mapping[Name, PlayerId]) -> Table | None:
    """Return the table of a bracket's match; None if a player is unknown or the result unclear."""
    seats = [ids[name] for name in line.names if name in ids]
    if len(line.names) != 2 or len(set(seats)) != 2:
        return None
    won, lost, _ = line.games or (0, 0, 0)
    kind = line.kind or ("p1" if won > lost else "p2" if won < lost else "")
    if kind == UNREPORTED:
        return Table(number, tuple(seats))
    if kind not in ("p1", "p2"):
        return None
    made = tuple(
        Seat(player, outcome, 1 if outcome is Outcome.WIN else 2, games)
        for player, outcome, games in zip(
            seats, PAIR_KINDS[kind], line.games or single_game(PAIR_KINDS[kind]), strict=False
        )
    )
    return Table(number, tuple(seats), Result(made))


def with_unseeded_bracket(
    results: Results, rounds: Sequence[Iterable[MatchLine]], ids: Mapping[Name, PlayerId]
) -> Results:
    """Return the results with a bracket without seeds; leave it out if it is unclear.

    A player without an opponent in a round of the bracket waits for the next round.
    """
    tables = [
        [bracket_table(line, number, ids) for number, line in enumerate(matches, 1)]
        for matches in ([line for line in lines if not _waits(line, ids)] for lines in rounds)
    ]
    if not rounds:
        return results
    clear = [tuple(table for table in of_round if table) for of_round in tables]
    if all(clear) and list(map(len, clear)) == list(map(len, tables)):
        return replace(results, playoff=Playoff(seeds=(), rounds=tuple(clear)))
    lost = f"its bracket ({counted(len(rounds), 'round')}): not every match has two players and a winner"
    return replace(results, left_out=(*results.left_out, lost))


def _waits(line: MatchLine, ids: Mapping[Name, PlayerId]) -> bool:
    return len(line.names) == 1 and line.names[0] in ids
