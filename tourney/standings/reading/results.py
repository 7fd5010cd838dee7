"""What was read, and the draft that checks matches as they come in."""

from __future__ import annotations

import datetime
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from tourney.cards.names import FoldedName, fold
from tourney.decode import MAX_LISTED_PLAYERS
from tourney.errors import TourneyError
from tourney.record import Outcome, PlayerId, Record, Result, Seat, Table, format_points, parse_number
from tourney.wording import listed

if TYPE_CHECKING:
    from tourney.standings.profile import Profile

Name = str | int
"""A player as the file names them: text, or a number where the file has numbers."""


class StandingClaim(NamedTuple):
    """What a file says of a player's standing. place: from 1, without shared ones; points: half points.

    values: code of a tie-break → its value and how many digits after the point it has there
    """

    place: int | None = None
    points: int | None = None
    values: Mapping[str, tuple[Fraction, int]] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Playoff:
    """The bracket after the rounds that standings count: its players in seed order, and the tables of each of its rounds.

    seeds: empty where the file does not say who had which
    """

    seeds: tuple[PlayerId, ...]
    rounds: tuple[tuple[Table, ...], ...] = ()
    double: bool = False
    third_place: bool = False

    @property
    def players(self) -> frozenset[PlayerId]:
        """Who is in it, as far as its seeds and rounds tell."""
        return frozenset(self.seeds).union(*(table.seats for tables in self.rounds for table in tables))


def knockout(
    number: int, seats: tuple[PlayerId, PlayerId], won: int | None, games: Sequence[int] = ()
) -> Table:
    """Return a table of a bracket. won: the seat of the winner, None while it plays; games: won by each, where they are known."""
    if won is None:
        return Table(number, seats)
    told = [
        Seat(
            player,
            Outcome.WIN if at == won else Outcome.LOSS,
            1 if at == won else 2,
            games[at] if games else int(at == won),
        )
        for at, player in enumerate(seats)
    ]
    return Table(number, seats, Result(tuple(told)))


class Duel(NamedTuple):
    """A match of a bracket by the file's names. won: the seat of the winner, None while it plays; games: won by each, where known."""

    players: Sequence[Name]
    won: int | None
    games: Sequence[int] = ()


def bracket_of(rounds: Iterable[Iterable[Duel | None]], ids: Mapping[Name, PlayerId]) -> Playoff | None:
    """Return a bracket whose seeds the file does not tell.

    None where there is none, or not one of matches of two players each who are known; None among its matches: one without
    a winner.
    """
    played = []
    for duels in rounds:
        tables: list[Table] = []
        for duel in duels:
            seats = [ids[name] for name in duel.players if name in ids] if duel else []
            if duel is None or len(duel.players) != 2 or len(set(seats)) != 2:
                return None
            tables.append(knockout(len(tables) + 1, (seats[0], seats[1]), duel.won, duel.games))
        played.append(tuple(tables))
    return Playoff(seeds=(), rounds=tuple(played)) if played else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """A file's results.

    names:     player → the file's name for them
    day:       the event's day, where the file says it: it picks the edition of a profile
    own_floor: whether the source floored the own game-win %, where the file says so: it picks the edition too
    divisions: name → players who are ranked among themselves (opponents of all divisions count)
    match:     what a match of the file can end in, where the file says it: best of how many, and whether drawn
    scoring:   half points that the file itself gives for outcomes, where it says so
    unread:    keys of the file that mean nothing here
    remarks:   what in the file does not fit together and was read all the same, each with its place
    form:      the form it was read as; title: what the event is called
    profile:   the rules by which the file's program ranks, by name; order: the tie-breaks that the file itself names
    sides:     what the sides are called, where the seat order is the side order
    claims:    what the file says of its own standings
    facts:     player → what else is known, by kind: `federation`, `division`, `id` …
    requests:  player → byes and absences announced for rounds still to be paired
    forbidden: players who are never to meet
    playoff:   the bracket that followed
    left_out:  what the file says and no event here holds
    seem_gone: who is told to have left by nothing but that the last rounds are without them
    by_score:  whether the points of the event's rules are the scores of its matches
    taken_for_scores: two bare numbers that were read as a match's scores, each pair once
    """

    record: Record
    names: Mapping[PlayerId, Name]
    day: datetime.date | None = None
    own_floor: bool | None = None
    divisions: Mapping[str, tuple[PlayerId, ...]] = field(default_factory=dict)
    match: tuple[int | None, bool | None] = (None, None)
    scoring: Mapping[Outcome, int] = field(default_factory=dict)
    unread: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    form: str = ""
    title: str = ""
    profile: str = ""
    order: tuple[str, ...] = ()
    sides: tuple[str, ...] = ()
    claims: Mapping[PlayerId, StandingClaim] = field(default_factory=dict)
    facts: Mapping[PlayerId, Mapping[str, str]] = field(default_factory=dict)
    requests: Mapping[PlayerId, Mapping[int, Outcome]] = field(default_factory=dict)
    forbidden: tuple[tuple[PlayerId, ...], ...] = ()
    playoff: Playoff | None = None
    left_out: tuple[str, ...] = ()
    seem_gone: frozenset[PlayerId] = frozenset()
    by_score: bool = False
    taken_for_scores: frozenset[tuple[int, int]] = frozenset()

    def games_for_scores(self, profile: Profile) -> str:
        """Say that numbers which were taken for scores look like games won; empty where they may well be scores.

        They look so where nobody has more than a match of best of five has games, and somebody won with numbers that no
        games of the profile's points come to.
        """
        shown = [
            f"{one}–{other}"
            for one, other in sorted(self.taken_for_scores, reverse=True)
            if one > other and not profile.games_come_to(one, other)
        ]
        if not shown or not all(
            0 <= number <= MOST_GAMES_WON for pair in self.taken_for_scores for number in pair
        ):
            return ""
        return (
            f"{profile.name} takes the two numbers of a match for its scores, {format_points(profile.points_per_game_win)} for a"
            f" game won, and no match comes to {listed(shown[:_MOST_NAMED], 'or')} like that: are they games won?"
        )

    def scored_otherwise(self, profile: Profile) -> str:
        """Say where the file's own scoring is not the profile's; empty where they agree."""
        apart = [
            f"{outcome.value.replace('-', ' ')} {format_points(points)} there and {format_points(profile.outcomes[outcome].points)} here"
            for outcome, points in self.scoring.items()
            if profile.outcomes[outcome].points != points
        ]
        return f"its own scoring is not that of {profile.name}: {', '.join(apart)}" if apart else ""

    def edition(self, profile: Profile, day: datetime.date | None = None) -> Profile:
        """Return the edition of `profile` for these results: of `day`, or the file's own, or the newest.

        Where the file says how its source treated the own game-win %, the latest edition up to that day which does
        so is taken, or the earliest one that does.
        """
        chosen = profile.on(day or self.day)
        if self.own_floor is None or chosen.game_win.own_floor == self.own_floor:
            return chosen
        editions = [profile.on(edition.since) for edition in profile.editions]
        fitting = [edition for edition in editions if edition.game_win.own_floor == self.own_floor]
        up_to_then = [
            edition
            for edition in fitting
            if (edition.edition or datetime.date.min) <= (day or self.day or datetime.date.max)
        ]
        return [*fitting[:1], *up_to_then][-1] if fitting else chosen


WINNER_GAMES = 1
"""Games won that a file's table of three and more gives whoever wins it."""

MOST_GAMES_WON = 3
"""Games that one side of a match wins at most where nothing else is known: those of a best of five."""

SAY_GAMES = (
    'if so, add the columns `score1` and `score2` and leave them empty; in JSON, `"games": [2, 1, 0]` says so'
)
"""How a file says that its numbers are games, where the profile would take them for scores."""


def number_columns_are_scores(profile: Profile) -> bool:
    """Return whether a match's two numbers are its scores under `profile` (Netrunner's prestige), not games."""
    return profile.from_score


# -- From the lines of any form to a record


class Beside(msgspec.Struct, frozen=True, kw_only=True):
    """What a file of any form may say beside its results; `README.md` tells what each key means."""

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
    ratings: dict[str, int] = {}
    extra_points: dict[str, dict[str, float | int | str]] = {}
    round_weights: list[float | int | str] = []
    weights: list[float | int | str] = []
    divisions: dict[str, list[Name]] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchLine:
    """One line of results, not yet checked.

    place:  where it stands (`line 7`, `rounds[0][3]`)
    second: None: nobody sat there
    wins:   games won by each and drawn games; None: not reported
    scores: the match's score for each, where the game has one; bare: whether only the profile says that the numbers are that
    kind:   what the line says it is (`bye`, `half-bye`, `double-loss` …); empty: what the numbers say
    table:  its number, where the file has one (None: the next one)
    """

    place: str
    first: Name
    second: Name | None
    wins: tuple[int, int, int] | None = None
    scores: tuple[int | None, int | None] | None = None
    bare: bool = False
    kind: str = ""
    table: int | None = None


_LAST_TABLE = 999_999

_LONGEST_ROUND = 5
"""Digits of a round's number; no event has 10,000."""

_MOST_EXTRA = 2 * 999
"""Half points that may be given beside a result."""

_MOST_NAMED = 3
"""Places named in a remark; more are counted."""

_ALONE = {
    "bye": Outcome.BYE,
    "awarded-bye": Outcome.AWARDED_BYE,
    "full-bye": Outcome.AWARDED_BYE,
    "half-bye": Outcome.HALF_BYE,
    "absent": Outcome.ABSENT,
    "zero-bye": Outcome.ABSENT,
    "assigned-loss": Outcome.FORFEIT_LOSS,
    "loss": Outcome.FORFEIT_LOSS,
}
_PAIRED = {
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
UNREPORTED = "unreported"
"""The kind of a match that nobody has reported yet."""
_GIVEN = frozenset({Outcome.BYE, Outcome.AWARDED_BYE})
_REFUSED = frozenset({Outcome.ABSENT, Outcome.FORFEIT_LOSS})
_BETTER = frozenset({Outcome.WIN, Outcome.FORFEIT_WIN})
_WORSE = frozenset({Outcome.LOSS, Outcome.FORFEIT_LOSS})


class ResultsDraft:
    """Collects matches round by round and makes the record. Every fault names `source` and the match's place."""

    def __init__(
        self,
        source: str,
        players: Iterable[Name] | None = None,
        beside: Beside | None = None,
        lines: Mapping[str, str] | None = None,
    ) -> None:
        """Begin.

        players: all there are, in order of registration (None: whoever turns up, in that order)
        beside:  what the file says beside its matches
        lines:   where it says so (`drops` → `line 2`), in forms that have lines
        """
        self.source = source
        self.closed = players is not None
        self.beside = beside or Beside()
        self.lines = lines or {}
        self.ids: dict[Name, PlayerId] = {}
        self.tables: list[list[Table]] = []
        self.byes: list[dict[PlayerId, Outcome]] = []
        self.absences: list[set[PlayerId]] = []
        self.remarks: list[str] = []
        self._doubts: dict[str, list[str]] = {}
        self._bare: set[tuple[int, int]] = set()
        self._seen: list[dict[PlayerId, str]] = []
        self._taken: set[int] = set()
        self._free = 1
        self._spelled: dict[str, tuple[Name, str]] = {}
        self._folded: dict[FoldedName, tuple[Name, str]] = {}
        for name in players or ():
            if name in self.ids:
                raise self.fault("players", f"{_shown(name)} appears twice")
            self._enter(name, "players")

    def _enter(self, name: Name, place: str) -> PlayerId:
        """Give a newcomer the next number. Two spellings of one name are refused, unless both are registered.

        Names that only accents or quotes tell apart (`Zoe`, `Zoë`) are two players, and told: it may be one.
        """
        if len(self.ids) >= MAX_LISTED_PLAYERS:
            raise self.fault(place, f"a file has at most {MAX_LISTED_PLAYERS:,} players")
        alike = " ".join(unicodedata.normalize("NFKC", str(name)).casefold().split())
        if alike in self._spelled:
            other, where = self._spelled[alike]
            message = f"{_shown(name)} and {_shown(other)}"
            if not self.closed:
                raise self.fault(
                    place,
                    f"{message} ({where}) differ in capitals, spaces or width only",
                    "spell one player in one way; two players must both stand in `registration_order`",
                )
            self.remarks.append(f"{place}: {message} differ in capitals, spaces or width only: two players")
        elif (folded := fold(str(name))) in self._folded:
            other, where = self._folded[folded]
            also = f"{_shown(other)} ({where})" if where != place else _shown(other)
            self.remarks.append(
                f"{place}: {_shown(name)} and {also} differ in accents or quotes only: taken as two players"
            )
        self._spelled.setdefault(alike, (name, place))
        self._folded.setdefault(fold(str(name)), (name, place))
        return self.ids.setdefault(name, PlayerId(len(self.ids) + 1))

    def open_round(self) -> None:
        """Begin the next round: matches, byes and absences that are added from now on are of it."""
        self.tables.append([])
        self.byes.append({})
        self.absences.append(set())
        self._seen.append({})
        self._taken, self._free = set(), 1

    def add(self, match: MatchLine) -> None:
        """Add a match to the open round. Raises TourneyError at its place."""
        if match.second is None:
            self._add_alone(match)
        elif match.first == match.second:
            raise self.fault(match.place, f"{_shown(match.first)} plays against themselves")
        else:
            self._add_pair(match, match.second)

    def _add_alone(self, match: MatchLine) -> None:
        player = self._seat(match.first, match.place)
        outcome = self._alone(match)
        score = match.scores[0] if match.scores else None
        if outcome is Outcome.ABSENT:
            self.absences[-1].add(player)
        elif outcome is Outcome.FORFEIT_LOSS or score is not None:
            self._table([Seat(player, outcome, score=score)], 0)
        else:
            self.byes[-1][player] = outcome

    def _alone(self, match: MatchLine) -> Outcome:
        if match.kind:
            if match.kind not in _ALONE:
                kinds = ", ".join(_ALONE)
                raise self.fault(
                    match.place, f"`{match.kind}` is not a kind of round without an opponent", kinds
                )
            outcome = _ALONE[match.kind]
            self._refuse_games(match, (outcome in _GIVEN, outcome in _REFUSED))
            return outcome
        won, lost, drawn = match.wins or (0, 0, 0)
        if won < lost:
            return Outcome.FORFEIT_LOSS
        return Outcome.HALF_BYE if won == lost and won + drawn > 0 else Outcome.BYE

    def _add_pair(self, match: MatchLine, second: Name) -> None:
        players = self._seat(match.first, match.place), self._seat(second, match.place)
        outcomes = self._outcomes(match)
        if outcomes is None:
            self._put(self._number(match), players, None)
            return
        self._doubt_games(match, outcomes)
        if match.bare and match.wins is not None:
            self._bare.add((max(match.wins[:2]), min(match.wins[:2])))
        won, lost, drawn = match.wins or one_game(outcomes)
        scores = match.scores or (None, None)
        beaten = not _BETTER.isdisjoint(outcomes)
        self._table(
            [
                Seat(player, outcome, 2 if beaten and outcome in _WORSE else 1, games, score)
                for player, outcome, games, score in zip(players, outcomes, (won, lost), scores, strict=True)
            ],
            drawn,
            self._number(match),
        )

    def _number(self, match: MatchLine) -> int:
        """Return the table's number: the file's, where it has one and no other table of the round has it."""
        if match.table is not None and 0 < match.table <= _LAST_TABLE and match.table not in self._taken:
            return match.table
        return self._free

    def _outcomes(self, match: MatchLine) -> tuple[Outcome, Outcome] | None:
        """Return both sides' outcomes; None for a match that is not reported."""
        if match.kind == UNREPORTED:
            if match.wins is not None and any(match.wins):
                raise self.fault(match.place, f"`{match.kind}`, but games are: {_games_text(match.wins)}")
            return None
        if match.kind:
            if match.kind not in _PAIRED:
                kinds = ", ".join([*_PAIRED, UNREPORTED])
                raise self.fault(
                    match.place, f"`{match.kind}` is not the result of a match", f"there are {kinds}"
                )
            outcomes = _PAIRED[match.kind]
            if match.kind != "double-loss":
                self._refuse_games(match, (outcomes[0] in _BETTER, outcomes[1] in _BETTER))
            return outcomes
        numbers = match.wins[:2] if match.wins is not None else match.scores
        if numbers is None or None in numbers:
            return None
        first, second = (number or 0 for number in numbers)
        return _PAIRED["draw" if first == second else "p1" if first > second else "p2"]

    def _refuse_games(self, match: MatchLine, better: tuple[bool, bool]) -> None:
        """Refuse games that say something else than the kind: who is ahead in them has won, level ones are a draw."""
        won, lost, _ = match.wins or (0, 0, 0)
        if (
            (won > lost and not better[0])
            or (won < lost and not better[1])
            or (won == lost > 0 and any(better))
        ):
            raise self.fault(
                match.place, f"`{match.kind}` and the games {_games_text(match.wins)} contradict each other"
            )

    def _doubt_games(self, match: MatchLine, outcomes: tuple[Outcome, Outcome]) -> None:
        won, lost, _ = match.wins or (0, 0, 0)
        most = self.beside.best_of
        are_games = match.scores is None or match.scores != (won, lost)
        if most and are_games and (max(won, lost) > most // 2 + 1 or won + lost > most):
            self._doubt(match, f"more games than a match has: `best_of` is {most}")
        self._doubt_draw(_place_of(match), outcomes)
        if match.kind == "double-loss" and won != lost:
            self._doubt(match, "a double loss, and one has won more games")

    def _doubt(self, match: MatchLine, what: str) -> None:
        self._doubts.setdefault(what, []).append(_place_of(match))

    def _doubt_draw(self, place: str, outcomes: Sequence[Outcome]) -> None:
        if self.beside.draws is False and Outcome.DRAW in outcomes:
            self._doubts.setdefault("drawn, and `draws` says that no match can be", []).append(place)

    def add_table(self, place: str, names: list[Name], places: list[int], scores: list[int | None]) -> None:
        """Add a table of any number of seats by the places its players took (1 first; shared places are equal)."""
        seats = tuple(self._seat(name, place) for name in names)
        first = [place == min(places) for place in places]
        outcomes = [
            Outcome.LOSS if not best else Outcome.WIN if sum(first) == 1 else Outcome.DRAW for best in first
        ]
        self._doubt_draw(place, outcomes)
        self._table(
            [
                Seat(player, outcome, taken, games=WINNER_GAMES if outcome is Outcome.WIN else 0, score=score)
                for player, outcome, taken, score in zip(seats, outcomes, places, scores, strict=True)
            ],
            0,
        )

    def add_open_table(self, place: str, names: list[Name]) -> None:
        """Add a table of any number of seats that has no result yet."""
        self._put(self._free, tuple(self._seat(name, place) for name in names), None)

    def _seat(self, name: Name, place: str) -> PlayerId:
        if self.closed and name not in self.ids:
            raise self.fault(place, f"there is no {_called(name)}", f"there are {len(self.ids)} players")
        player = self.ids[name] if name in self.ids else self._enter(name, place)
        seen = self._seen[-1]
        if player in seen:
            message = f"{_shown(name)} is in round {len(self.tables)} twice (also {seen[player]})"
            raise self.fault(place, message)
        seen[player] = place
        return player

    def _table(self, seats: list[Seat], drawn: int, number: int | None = None) -> None:
        self._put(number or self._free, tuple(seat.player for seat in seats), Result(tuple(seats), drawn))

    def _put(self, number: int, seats: tuple[PlayerId, ...], result: Result | None) -> None:
        self.tables[-1].append(Table(number, seats, result))
        self._taken.add(number)
        self._free = max(self._free, number + 1)

    def results(
        self,
        *,
        own_floor: bool | None = None,
        ratings: Mapping[Name, int] | None = None,
        unread: tuple[str, ...] = (),
    ) -> Results:
        """Return what the matches and the keys beside them say.

        Raises TourneyError where they contradict each other: somebody who left or was absent, and plays.
        """
        beside = self.beside
        absences = self._with_absent()
        record = self._record(absences)
        last_rounds = beside.drops if beside.drops is not None else beside.drops_after_round
        disqualified = self._disqualified()
        unseen = {player: last for player, last in record.drops.items() if player not in disqualified}
        drops = unseen if last_rounds is None else self._by_round(last_rounds, "drops")
        for place, last in (("drops", drops), ("disqualified", disqualified)):
            self._refuse_back_again(place, last)
        every = [*(ratings or {}).items(), *beside.ratings.items()]
        return Results(
            record=replace(
                record,
                drops=drops,
                disqualified=disqualified,
                ratings={self._named(name, "ratings"): rating for name, rating in every},
                weights=self._weights(),
                extra_points=self._extra_points(),
                planned_rounds=beside.planned_rounds,
                round_robin=record.round_robin if beside.round_robin is None else beside.round_robin,
            ),
            names={player: name for name, player in self.ids.items()},
            title=beside.name,
            day=beside.date,
            own_floor=beside.own_gw_floor if own_floor is None else own_floor,
            divisions={
                division: tuple(self._named(name, f"divisions.{division}") for name in members)
                for division, members in beside.divisions.items()
            },
            match=(self._best_of(), beside.draws),
            unread=unread,
            remarks=(*self.remarks, *self._doubted()),
            seem_gone=frozenset(drops) if last_rounds is None else frozenset(),
            taken_for_scores=frozenset(self._bare),
        )

    def _record(self, absences: Sequence[Collection[PlayerId]]) -> Record:
        """Return the record of all rounds; who is in none of the last ones has left after the last round they were in."""
        last = {
            player: number for number, players in enumerate(self._present(absences), 1) for player in players
        }
        return Record(
            players=tuple(self.ids.values()),
            drops={
                player: last.get(player, 0)
                for player in self.ids.values()
                if last.get(player, 0) < len(self.tables)
            },
            rounds=tuple(tuple(tables) for tables in self.tables),
            byes=tuple(self.byes),
            absences=tuple(map(frozenset, absences)),
            round_robin=self._everybody_met_everybody(),
        )

    def _present(self, absences: Sequence[Collection[PlayerId]]) -> Iterator[set[PlayerId]]:
        """Give for each round who had a table, a bye, or an absence that the file names."""
        for tables, byes, absent in zip(self.tables, self.byes, absences, strict=True):
            yield {player for table in tables for player in table.seats}.union(byes, absent)

    def _everybody_met_everybody(self) -> bool:
        """Return whether all pairs sat at a table equally often, and nobody had a bye: a round robin."""
        if len(self.ids) < 3 or any(self.byes):
            return False
        pairs = Counter(
            frozenset(pair)
            for tables in self.tables
            for table in tables
            for pair in combinations(table.seats, 2)
        )
        return len(pairs) == len(self.ids) * (len(self.ids) - 1) // 2 and len(set(pairs.values())) == 1

    def _by_round(self, rounds: Mapping[str, int], place: str) -> dict[PlayerId, int]:
        return {
            self._named(name, place): self._round(number, f"{place}.{name}")
            for name, number in rounds.items()
        }

    def _round(self, number: int, place: str, *, least: int = 0) -> int:
        if not least <= number <= len(self.tables):
            raise self.fault(place, f"there is no round {number}")
        return number

    def _named(self, name: Name, place: str) -> PlayerId:
        """Return a player by name; keys of JSON objects are always text, so a number may stand as text too."""
        if name not in self.ids and isinstance(name, str) and name.isascii() and name.isdigit():
            name = int(name) if len(name) < 10 and int(name) in self.ids else name
        if name not in self.ids:
            raise self.fault(place, f"there is no {_called(name)}")
        return self.ids[name]

    def _disqualified(self) -> dict[PlayerId, int]:
        out = self.beside.disqualified
        if isinstance(out, dict):
            return self._by_round(out, "disqualified")
        return {self._named(name, "disqualified"): len(self.tables) for name in out}

    def _refuse_back_again(self, key: str, last: Mapping[PlayerId, int]) -> None:
        names = {player: name for name, player in self.ids.items()}
        for player, number in last.items():
            for later, seen in enumerate(self._seen[number:], number + 1):
                if player in seen:
                    left = "left" if key == "drops" else "was disqualified"
                    when = f"after round {number}" if number else "before round 1"
                    raise self.fault(
                        f"{key}.{names[player]}",
                        f"{_shown(names[player])} {left} {when}, and is in round {later} ({seen[player]})",
                    )

    def _with_absent(self) -> list[set[PlayerId]]:
        absences = [set(absent) for absent in self.absences]
        for name, rounds in self.beside.absent.items():
            place = f"absent.{name}"
            player = self._named(name, place)
            for number in rounds:
                seen = self._seen[self._round(number, place, least=1) - 1]
                if player in seen and player not in self.absences[number - 1]:
                    raise self.fault(place, f"{_shown(name)} is in round {number} ({seen[player]})")
                absences[number - 1].add(player)
        return absences

    def _weights(self) -> tuple[Fraction, ...]:
        weights = []
        for i, value in enumerate(self.beside.round_weights or self.beside.weights):
            try:
                weight = parse_number(str(value))
            except TourneyError as fault:
                raise self.fault(f"round_weights[{i}]", fault.message) from None
            if weight <= 0:
                raise self.fault(f"round_weights[{i}]", f"{value} is not above 0")
            weights.append(weight)
        return tuple(weights)

    def _extra_points(self) -> tuple[Mapping[PlayerId, int], ...]:
        rounds: list[dict[PlayerId, int]] = [{} for _ in self.tables]
        for name, given in self.beside.extra_points.items():
            place = f"extra_points.{name}"
            player = self._named(name, place)
            for number, points in given.items():
                at = f"{place}.{number}"
                if not (number.isascii() and number.isdigit() and len(number) < _LONGEST_ROUND):
                    raise self.fault(at, f"`{number[:20]}` is no round")
                try:
                    half_points = 2 * parse_number(str(points))
                except TourneyError as fault:
                    raise self.fault(at, fault.message) from None
                if half_points.denominator != 1 or abs(half_points) > _MOST_EXTRA:
                    raise self.fault(at, f"{points} is not a number of points that can be given")
                if half_points:
                    rounds[self._round(int(number), at, least=1) - 1][player] = int(half_points)
        return tuple(rounds) if any(rounds) else ()

    def _best_of(self) -> int | None:
        best_of = self.beside.best_of
        if best_of is not None and not 1 <= best_of <= 99:
            raise self.fault("best_of", f"{best_of} is not a number of games (1 to 99)")
        return best_of

    def _doubted(self) -> Iterator[str]:
        """Tell what the matches say against the keys beside them; it may be so (a longer final, a cut), and is read."""
        for what, places in self._doubts.items():
            more = f" and {len(places) - _MOST_NAMED} more" if len(places) > _MOST_NAMED else ""
            yield f"{', '.join(places[:_MOST_NAMED])}{more}: {what}"
        planned = self.beside.planned_rounds
        if planned is not None and planned < len(self.tables):
            yield f"`planned_rounds` is {planned}, and there are {len(self.tables)}"

    def fault(self, place: str, message: str, hint: str | None = None) -> TourneyError:
        """Return a refusal at `place`, a match's or a key's (`drops.Mira`)."""
        line = self.lines.get(place.partition(".")[0].partition("[")[0])
        return TourneyError(f"{self.source}: {f'{line}: ' if line else ''}{place}: {message}", hint)


def _place_of(match: MatchLine) -> str:
    return f"{match.place} ({_games_text(match.wins)})" if match.wins else match.place


def _games_text(wins: Sequence[int] | None) -> str:
    return "–".join(map(str, wins or ()))


def _called(name: Name) -> str:
    return f"player {name}" if isinstance(name, int) else f"player `{name}`"


def _shown(name: Name) -> str:
    return f"player {name}" if isinstance(name, int) else f"`{name}`"


def one_game(outcomes: tuple[Outcome, Outcome]) -> tuple[int, int, int]:
    """Return the games (first side's, second's, drawn) of a match of which only the winner is known: one game."""
    first, second = outcomes
    return int(first is Outcome.WIN), int(second is Outcome.WIN), int(first is Outcome.DRAW)
