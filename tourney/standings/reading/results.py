"""What was read, and the draft that checks matches as they come in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from itertools import combinations

from tourney.errors import TourneyError
from tourney.record import Outcome, PlayerId, Record, Result, Seat, Table
from tourney.standings.profile import Profile

Name = str | int
"""A player as the file names them: text, or a number where the file has numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """A file's results.

    names:     player → the file's name for them
    day:       the event's day, where the file says it: it picks the edition of a profile
    own_floor: whether the source floored the own game-win %, where the file says so: it picks the edition too
    divisions: name → players who are ranked among themselves (opponents of all divisions count)
    unread:    keys of the file that mean nothing here
    """

    record: Record
    names: Mapping[PlayerId, Name]
    day: date | None = None
    own_floor: bool | None = None
    divisions: Mapping[str, tuple[PlayerId, ...]] = field(default_factory=dict)
    unread: tuple[str, ...] = ()

    def edition(self, profile: Profile, day: date | None = None) -> Profile:
        """Return the edition of `profile` for these results: of `day`, or the file's own, or the newest.

        Where the file says how its source treated the own game-win %, the latest edition up to that day which does
        so is taken, or the earliest one that does.
        """
        chosen = profile.on(day or self.day)
        if self.own_floor is None or chosen.game_win.own_floor == self.own_floor:
            return chosen
        editions = [profile.on(edition.since) for edition in profile.editions]
        fitting = [edition for edition in editions if edition.game_win.own_floor == self.own_floor]
        known = [
            edition for edition in fitting if (edition.edition or date.min) <= (day or self.day or date.max)
        ]
        return [*fitting[:1], *known][-1] if fitting else chosen


def number_columns_are_scores(profile: Profile) -> bool:
    """Return whether a match's two numbers are its scores under `profile` (Netrunner's prestige), not games."""
    return profile.from_score


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """One line of results, not yet checked.

    place:  where it stands (`line 7`, `rounds[0][3]`)
    second: None: nobody sat there
    wins:   games won by each and drawn games; None: not reported
    scores: the match's score for each, where the game has one
    kind:   what the line says it is (`bye`, `half-bye`, `double-loss` …); empty: what the numbers say
    """

    place: str
    first: Name
    second: Name | None
    wins: tuple[int, int, int] | None = None
    scores: tuple[int | None, int | None] | None = None
    kind: str = ""


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
_BETTER = frozenset({Outcome.WIN, Outcome.FORFEIT_WIN})
_WORSE = frozenset({Outcome.LOSS, Outcome.FORFEIT_LOSS})


class Draft:
    """Collects matches round by round and makes the record. Every fault names `source` and the match's place."""

    def __init__(self, source: str, players: Iterable[Name] | None = None) -> None:
        """Begin; `players` are all there are, in order of registration (None: whoever turns up, in that order)."""
        self.source = source
        self.closed = players is not None
        self.ids: dict[Name, PlayerId] = {}
        self.tables: list[list[Table]] = []
        self.byes: list[dict[PlayerId, Outcome]] = []
        self.absences: list[set[PlayerId]] = []
        self._seen: dict[PlayerId, str] = {}
        for name in players or ():
            if name in self.ids:
                raise self.fault("players", f"{_shown(name)} is there twice")
            self._enter(name)

    def fault(self, place: str, message: str, hint: str | None = None) -> TourneyError:
        """Return a refusal at `place`."""
        return TourneyError(f"{self.source}: {place}: {message}", hint)

    def open_round(self) -> None:
        """Begin the next round."""
        self.tables.append([])
        self.byes.append({})
        self.absences.append(set())
        self._seen = {}

    def add(self, match: Match) -> None:
        """Add a match to the open round. Raises TourneyError at its place."""
        if match.second is None:
            self._add_alone(match)
        elif match.first == match.second:
            raise self.fault(match.place, f"{_shown(match.first)} plays against themselves")
        else:
            self._add_pair(match, match.second)

    def add_table(self, place: str, names: list[Name], places: list[int], scores: list[int | None]) -> None:
        """Add a table of any number of seats by the places its players took (1 first; shared places are equal)."""
        seats = tuple(self._seat(name, place) for name in names)
        first = [place == min(places) for place in places]
        outcomes = [
            Outcome.LOSS if not best else Outcome.WIN if sum(first) == 1 else Outcome.DRAW for best in first
        ]
        self._table(
            [
                Seat(player, outcome, taken, games=int(outcome is Outcome.WIN), score=score)
                for player, outcome, taken, score in zip(seats, outcomes, places, scores, strict=True)
            ],
            0,
        )

    def player(self, name: Name, place: str) -> PlayerId:
        """Return the id of `name`; a newcomer is entered unless all players are known."""
        if name in self.ids:
            return self.ids[name]
        if self.closed:
            raise self.fault(place, f"there is no {_called(name)}", f"there are {len(self.ids)} players")
        return self._enter(name)

    def known(self, name: Name, place: str) -> PlayerId:
        """Return the id of `name`. Raises TourneyError if nobody is called so."""
        if name not in self.ids:
            raise self.fault(place, f"there is no {_called(name)}")
        return self.ids[name]

    def record(self) -> Record:
        """Return the record of all rounds; who is in none of the last ones has left after the last round they were in."""
        last = {player: number for number, players in enumerate(self._present(), 1) for player in players}
        return Record(
            players=tuple(self.ids.values()),
            drops={
                player: last.get(player, 0)
                for player in self.ids.values()
                if last.get(player, 0) < len(self.tables)
            },
            rounds=tuple(tuple(tables) for tables in self.tables),
            byes=tuple(self.byes),
            absences=tuple(frozenset(absent) for absent in self.absences),
            round_robin=self._everybody_met_everybody(),
        )

    def _present(self) -> Iterator[set[PlayerId]]:
        """Give for each round who had a table, a bye, or an absence that the file names."""
        for tables, byes, absent in zip(self.tables, self.byes, self.absences, strict=True):
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

    def _enter(self, name: Name) -> PlayerId:
        return self.ids.setdefault(name, PlayerId(len(self.ids) + 1))

    def _seat(self, name: Name, place: str) -> PlayerId:
        player = self.player(name, place)
        if player in self._seen:
            message = f"{_shown(name)} is in round {len(self.tables)} twice (also {self._seen[player]})"
            raise self.fault(place, message)
        self._seen[player] = place
        return player

    def _add_alone(self, match: Match) -> None:
        player = self._seat(match.first, match.place)
        outcome = self._alone(match)
        score = match.scores[0] if match.scores else None
        if outcome is Outcome.ABSENT:
            self.absences[-1].add(player)
        elif outcome is Outcome.FORFEIT_LOSS or score is not None:
            self._table([Seat(player, outcome, score=score)], 0)
        else:
            self.byes[-1][player] = outcome

    def _alone(self, match: Match) -> Outcome:
        if match.kind:
            if match.kind not in _ALONE:
                known = ", ".join(_ALONE)
                raise self.fault(match.place, f"`{match.kind}` is no kind of round without opponent", known)
            return _ALONE[match.kind]
        won, lost, drawn = match.wins or (0, 0, 0)
        if won < lost:
            return Outcome.FORFEIT_LOSS
        return Outcome.HALF_BYE if won == lost and won + drawn > 0 else Outcome.BYE

    def _add_pair(self, match: Match, second: Name) -> None:
        players = self._seat(match.first, match.place), self._seat(second, match.place)
        outcomes = self._outcomes(match)
        if outcomes is None:
            self.tables[-1].append(Table(len(self.tables[-1]) + 1, players))
            return
        won, lost, drawn = match.wins or self._games_of(outcomes)
        scores = match.scores or (None, None)
        beaten = not _BETTER.isdisjoint(outcomes)
        self._table(
            [
                Seat(player, outcome, 2 if beaten and outcome in _WORSE else 1, games, score)
                for player, outcome, games, score in zip(players, outcomes, (won, lost), scores, strict=True)
            ],
            drawn,
        )

    def _outcomes(self, match: Match) -> tuple[Outcome, Outcome] | None:
        """Return both sides' outcomes; None for a match that is not reported."""
        if match.kind == UNREPORTED:
            return None
        if match.kind:
            if match.kind not in _PAIRED:
                known = ", ".join([*_PAIRED, UNREPORTED])
                raise self.fault(match.place, f"`{match.kind}` is no result of a match", f"there are {known}")
            return _PAIRED[match.kind]
        numbers = match.wins[:2] if match.wins is not None else match.scores
        if numbers is None or None in numbers:
            return None
        first, second = (number or 0 for number in numbers)
        return _PAIRED["draw" if first == second else "p1" if first > second else "p2"]

    @staticmethod
    def _games_of(outcomes: tuple[Outcome, Outcome]) -> tuple[int, int, int]:
        """Return the games of a match of which only the winner is known: one game."""
        first, second = (int(outcome is Outcome.WIN) for outcome in outcomes)
        return first, second, int(outcomes[0] is Outcome.DRAW)

    def _table(self, seats: list[Seat], drawn: int) -> None:
        number = len(self.tables[-1]) + 1
        result = Result(tuple(seats), drawn)
        self.tables[-1].append(Table(number, tuple(seat.player for seat in seats), result))


def _called(name: Name) -> str:
    return f"player {name}" if isinstance(name, int) else f"player `{name}`"


def _shown(name: Name) -> str:
    return f"player {name}" if isinstance(name, int) else f"`{name}`"
