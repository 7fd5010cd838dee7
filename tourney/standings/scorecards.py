"""The input of every tie-break: each player's rounds and what a profile gives for them.

`Scorecards` arranges the rounds of a record by player, and stores the values that tie-breaks have calculated.
`Scale` calculates what a result is worth. Points are counted in half points: 2 is one point.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence
from copy import copy
from fractions import Fraction
from itertools import accumulate
from typing import Any, NamedTuple, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from tourney.errors import TourneyError
from tourney.record import NOBODY, Outcome, PlayerId, Record, Result, Seat, Table
from tourney.standings.exact import Ratio, Value
from tourney.standings.profile import Games, Profile

K = TypeVar("K")
V = TypeVar("V")

VOLUNTARY = frozenset({Outcome.HALF_BYE, Outcome.ABSENT, Outcome.FORFEIT_LOSS})
"""Voluntary unplayed rounds of FIDE C.07: requested byes, absences and no-shows."""


class Scaled(Struct, frozen=True):
    """All players' values of a tie-break over one denominator, so that sums add whole numbers."""

    denominator: int
    numerators: Mapping[PlayerId, int | None]


class Scorecards:
    """All players' scorecards under one profile; `scorecards[player]` are the player's entries.

    rounds:           the number of rounds
    scale:            calculates what each kind of result is worth under the profile
    lines:            player → the player's `Rounds`
    open_tables:      (round, table) of tables without a result; their players have no entry for that round
    points:           player → half points
    extra:            player → round → half points given in addition to results, for players who have any
    uncounted_rounds: player → round → the table or bye that does not count, because a player left too early
    change:           if `with_table` made these scorecards: the original scorecards, the round, the table,
                      and the result that replaces the recorded one; otherwise None
    needs_few_values: whether values of only a few players will be needed. If so, values are not calculated
                      for all players in advance
    most_seats:       the number of seats of the largest table; 0 without a table
    has_only_large_tables: whether there are tables and all have three or more seats
    origin:           if these scorecards are a changed copy (`with_entries`): the original scorecards and two
                      groups of players; otherwise None. In a tie-break that depends only on a player's own
                      results, only values of the first group can differ from the original. In a tie-break
                      that also depends on the opponents' results, only values of the second group can differ
    memo, scaled_values, adjusted_scores, fore, earlier, most_games, tablemates: values that tie-breaks have
             calculated
    """

    def __init__(self, record: Record, profile: Profile, *, seed: str = "") -> None:
        """Arrange `record` by player.

        Raises a TourneyError that names the round and table if the record is impossible.
        """
        self.record = record
        self.profile = profile
        self.seed = seed
        self.scale = Scale(profile)
        self.rounds = len(record.rounds)
        self.open_tables: list[tuple[int, int]] = []
        self.uncounted_rounds: dict[PlayerId, dict[int, UncountedRound]] = {}
        self._open_rounds: dict[PlayerId, set[int]] = {}
        self.lines: dict[PlayerId, Rounds] = {player: Rounds() for player in record.players}
        if len(self.lines) != len(record.players):
            raise TourneyError("a player is in the record twice")
        for number in range(1, self.rounds + 1):
            self.add_round(number)
        sizes = {len(table.seats) for tables in record.rounds for table in tables}
        self.most_seats = max(sizes, default=0)
        self.has_only_large_tables = min(sizes, default=0) > 2
        self.extra = _extra(record)
        self.points = {
            player: _points(rounds) + self.extra_points(player) for player, rounds in self.lines.items()
        }
        self.origin: tuple[Scorecards, tuple[Container[PlayerId], ...]] | None = None
        self.change: tuple[Scorecards, int, Table, Result] | None = None
        self.needs_few_values = False
        self.forget_values()

    def forget_values(self) -> None:
        """Discard all values that tie-breaks have calculated."""
        self.memo: dict[Callable[..., Any], dict[PlayerId, Value]] = {}
        self.scaled_values: dict[Callable[..., Any], Scaled] = {}
        self.adjusted_scores: dict[PlayerId, int] = {}
        self.fore: Scorecards | None = None
        self.most_games: int | None = None
        self.earlier: dict[int, Scorecards] = {}
        self.entries: dict[PlayerId, Scorecard] = {}
        self.tablemates: dict[tuple[PlayerId, ...], frozenset[PlayerId]] = {}

    def __getitem__(self, player: PlayerId) -> Scorecard:
        try:
            return self.entries[player]
        except KeyError:
            line = self.lines[player]
            scorecard = self.entries[player] = tuple(
                _entry(number, player, place, worth)
                for number, place, worth in zip(line.numbers, line.places, line.worths, strict=True)
            )
            return scorecard

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """All players of the record, in order of registration."""
        return self.record.players

    def worths(self, player: PlayerId) -> list[Worth]:
        """Return the `Worth` of each of a player's rounds, in order of rounds.

        Missing and unfinished rounds are left out.
        """
        return self.lines[player].worths

    def counted_opponents(self, player: PlayerId) -> list[PlayerId]:
        """Return the opponents that count, in order of rounds; a player met twice is listed twice."""
        return self.lines[player].opponents

    def entry(self, player: PlayerId, round_number: int) -> RoundEntry:
        """Return a player's entry for a round. The player's scorecard must contain this round."""
        return self[player][bisect_left(self.lines[player].numbers, round_number)]

    def extra_points(self, player: PlayerId, upto: int | None = None) -> int:
        """Return the half points given to a player in addition to results.

        upto: the last round that counts; by default, all rounds count
        """
        if player not in self.extra:
            return 0
        points_by_round = self.extra[player].items()
        return sum(points for number, points in points_by_round if upto is None or number <= upto)

    def after(self, round_number: int) -> Scorecards:
        """Return the scorecards as they were after `round_number`."""
        if round_number >= self.rounds:
            return self
        if round_number not in self.earlier:
            self.earlier[round_number] = self._after(round_number)
        return self.earlier[round_number]

    def _after(self, round_number: int) -> Scorecards:
        if self.change is None:
            return Scorecards(self.record.after(round_number), self.profile, seed=self.seed)
        original, number, table, result = self.change
        earlier = original.after(round_number)
        return earlier if number > round_number else earlier.with_table(number, table, result)

    @property
    def round_robin(self) -> bool:
        """Whether the rules of round robins apply.

        Forfeits are then ordinary games, and free rounds do not count.
        """
        return self.record.round_robin or self.profile.round_robin

    @property
    def draw(self) -> int:
        """What a draw is worth, in half points."""
        return self.profile.outcomes[Outcome.DRAW].points

    def all_rounds(self, player: PlayerId) -> list[RoundEntry]:
        """Return an entry for each round, except those in which the player's table has no result.

        Any other round that is not on the player's scorecard counts as an absence.
        """
        entries = {entry.round: entry for entry in self[player]}
        open_rounds = self.open_rounds(player)
        return [
            entries.get(number) or missing_round(number)
            for number in range(1, self.rounds + 1)
            if number not in open_rounds
        ]

    def open_rounds(self, player: PlayerId) -> Collection[int]:
        """Return the rounds in which a player sits at a table without a result."""
        return self._open_rounds.get(player, ())

    def with_table(self, round_number: int, table: Table, result: Result) -> Scorecards:
        """Return the scorecards as if `table` had ended in `result`; `record` does not change."""
        new_scorecards: dict[PlayerId, Scorecard] = {}
        ended_table = Table(table.number, table.seats, result)
        for player, worth in zip(table.seats, self.scale.table(result), strict=True):
            scorecard, numbers = self[player], self.lines[player].numbers
            entry = _entry(round_number, player, ended_table, worth)
            at = bisect_left(numbers, round_number)
            if numbers[at : at + 1] == [round_number]:
                scorecard = (*scorecard[:at], entry, *scorecard[at + 1 :])
            new_scorecards[player] = scorecard
        changed_copy = self.with_entries(new_scorecards)
        changed_copy.change = self, round_number, table, result
        return changed_copy

    def around(self, players: tuple[PlayerId, ...]) -> frozenset[PlayerId]:
        """Return the players, and all players who sat at a table with one of them."""
        if players not in self.tablemates:
            tablemates = [entry.opponents for player in players for entry in self[player]]
            self.tablemates[players] = frozenset(players).union(*tablemates)
        return self.tablemates[players]

    def with_round(
        self, tables: Sequence[Table], byes: Mapping[PlayerId, Outcome], absent: Collection[PlayerId] = ()
    ) -> Scorecards:
        """Return the scorecards after one more round, all of whose tables have results.

        byes, absent: the byes and absences of this round, as in `Record`
        """
        record = replace(
            self.record,
            rounds=(*self.record.rounds, tuple(tables)),
            byes=(*_pad_rounds(self.record.byes, self.rounds, {}), byes),
            absences=(*_pad_rounds(self.record.absences, self.rounds, frozenset()), frozenset(absent)),
        )
        if record.left_early:
            return Scorecards(record, self.profile, seed=self.seed)
        other = copy(self)
        other.forget_values()
        last = self.rounds + 1
        other.record, other.rounds, other.origin = record, last, None
        other.earlier = {**self.earlier, self.rounds: self}
        other.lines = {player: line.copy() for player, line in self.lines.items()}
        other.add_round(last)
        other.points = {
            player: points + (lines.worths[-1].points if lines.numbers[-1:] == [last] else 0)
            for (player, points), lines in zip(self.points.items(), other.lines.values(), strict=True)
        }
        sizes = {len(table.seats) for table in tables}
        other.most_seats = max(sizes | {self.most_seats})
        other.has_only_large_tables = min(sizes, default=3) > 2 and (
            self.has_only_large_tables or (bool(sizes) and not self.most_seats)
        )
        return other

    def points_before(self) -> dict[PlayerId, list[int]]:
        """Return, for each player, the half points before each round and after the last.

        The first number is 0.
        """
        points_before = {}
        for player, line in self.lines.items():
            points_by_round = [0] * (self.rounds + 1)
            for number, worth in zip(line.numbers, line.worths, strict=True):
                points_by_round[number] = worth.points
            points_before[player] = list(accumulate(points_by_round))
        return points_before

    def with_entries(self, new_scorecards: Mapping[PlayerId, Scorecard]) -> Scorecards:
        """Return a copy in which the scorecards of some players are replaced.

        new_scorecards: player → all entries of the player's new scorecard

        The time for a copy does not depend on the number of players in the event, so that thousands of
        changes can be tried.
        """
        rounds = {player: Rounds.of(scorecard) for player, scorecard in new_scorecards.items()}
        points = {
            player: _points(player_rounds) + self.extra_points(player)
            for player, player_rounds in rounds.items()
        }
        other = Scorecards.__new__(Scorecards)
        vars(other).update(vars(self))  # faster than `copy`
        other.forget_values()
        other.lines = _Overlay(self.lines, rounds)
        other.points = _Overlay(self.points, points)
        other.entries = _Overlay(self.entries, new_scorecards)
        other.adjusted_scores = _Overlay(self.adjusted_scores, {}, hidden_keys=new_scorecards)
        other.most_games = self.most_games
        other.origin = self, (new_scorecards.keys(), self.around(tuple(new_scorecards)))
        other.needs_few_values = True
        return other

    # -- arranging the record

    def add_round(self, number: int) -> None:
        """Add round `number` of the record to the `Rounds` of the players in it.

        A table without a result is added to `open_tables` instead. Raises a TourneyError that names the round
        and table if the round is impossible.
        """
        record, listed_players = self.record, set[PlayerId]()
        for table in record.rounds[number - 1]:
            self._add_table(number, table, listed_players)
        for place, player, outcome in _without_table(record, number):
            self._list_players(number, place, (player,), listed_players)
            leaving_player = (
                None if outcome is Outcome.ABSENT else _leaving_player(record, number, player, outcome)
            )
            if leaving_player is None:
                self.lines[player].add(number, outcome, self.scale.alone(outcome))
            else:
                self._leave_out(number, player, UncountedRound(outcome, (), leaving_player))

    def _add_table(self, number: int, table: Table, listed_players: set[PlayerId]) -> None:
        seats, result = table.seats, table.result
        self._list_players(number, table.number, seats, listed_players)
        if result is None:
            self.open_tables.append((number, table.number))
            for player in seats:
                self._open_rounds.setdefault(player, set()).add(number)
            return
        if len(result.seats) != len(seats):
            raise _strangers(number, table)
        worths, left_early = self.scale.table(result), self.record.left_early
        leaving_player = (
            next((player for player in seats if player in left_early), None) if left_early else None
        )
        for at, seat in enumerate(result.seats):
            player = seats[at]
            if seat.player != player:
                raise _strangers(number, table)
            if leaving_player is not None:
                opponents = tuple(other for other in seats if other != player)
                self._leave_out(number, player, UncountedRound(seat.outcome, opponents, leaving_player))
                continue
            line, worth = self.lines[player], worths[at]
            line.numbers.append(number)
            line.worths.append(worth)
            line.places.append(table)
            if worth.meets:
                if len(seats) == 2:
                    line.opponents.append(seats[1 - at])
                else:
                    line.opponents += [other for other in seats if other != player]

    def _leave_out(self, number: int, player: PlayerId, uncounted_round: UncountedRound) -> None:
        self.uncounted_rounds.setdefault(player, {})[number] = uncounted_round
        self.lines[player].add(number, Outcome.ABSENT, _NOTHING)

    def _list_players(
        self, number: int, place: int | str, players: Sequence[PlayerId], listed_players: set[PlayerId]
    ) -> None:
        """Add players to `listed_players`, the players of the round who are already listed.

        place: where the record lists them: the table's number, or `byes` or `absences`

        Raises TourneyError for a player who is unknown or already listed in the round.
        """
        for player in players:
            if player in listed_players or player not in self.lines:
                location = f"round {number}, {place if isinstance(place, str) else f'table {place}'}"
                if player not in self.lines:
                    raise TourneyError(f"{location}: there is no player #{player}")
                if players.count(player) > 1:
                    raise TourneyError(f"{location}: player #{player} plays against themselves")
                raise TourneyError(f"{location}: player #{player} is in this round twice")
            listed_players.add(player)


def _pad_rounds(of_rounds: tuple[V, ...], rounds: int, nothing: V) -> tuple[V, ...]:
    return of_rounds + (nothing,) * (rounds - len(of_rounds))


class _Overlay(dict[K, V]):
    """A mapping whose missing keys are looked up in another mapping, `base`.

    hidden_keys: keys that are not looked up in `base`
    """

    __slots__ = ("base", "hidden_keys")

    def __init__(self, base: Mapping[K, V], items: Mapping[K, V], hidden_keys: Container[K] = ()) -> None:
        super().__init__(items)
        self.base = base
        self.hidden_keys = hidden_keys

    def __missing__(self, key: K) -> V:
        if key in self.hidden_keys:
            raise KeyError(key)
        return self.base[key]


def _extra(record: Record) -> dict[PlayerId, dict[int, int]]:
    extra: dict[PlayerId, dict[int, int]] = {}
    for number, points_by_player in enumerate(record.extra_points, 1):
        for player, points in points_by_player.items():
            extra.setdefault(player, {})[number] = points
    return extra


def _points(rounds: Rounds) -> int:
    return sum([worth.points for worth in rounds.worths])


# -- The record by player


class RoundEntry(NamedTuple):
    """What happened to one player in one round.

    opponents: all other players at the table, even after a forfeit; empty for a bye or absence
    worth:     what the outcome is worth under the standings profile, such as points and games
    side:      the seat, from 0 (in games with sides, 0 moves first)
    """

    round: int
    outcome: Outcome
    worth: Worth
    opponents: tuple[PlayerId, ...] = ()
    side: int = 0
    score: int | None = None

    @property
    def counted_opponents(self) -> tuple[PlayerId, ...]:
        """The other players at the table; empty if they do not count as opponents under the profile."""
        return self.opponents if self.worth.meets else ()

    @property
    def points(self) -> int:
        """The half points that the player gets for the outcome of this round."""
        return self.worth.points

    @property
    def games(self) -> Games:
        """Games won, lost and drawn, as the profile counts them."""
        return self.worth.games


def missing_round(number: int) -> RoundEntry:
    """Return an entry for a round in which the player did not take part."""
    return RoundEntry(number, Outcome.ABSENT, _NOTHING)


class UncountedRound(NamedTuple):
    """A player's round that does not count, because a player left before half of their games.

    opponents:      the other players at the table; empty for a bye
    leaving_player: the player who left: this player, an opponent, or the scheduled opponent (then this player
                    got a bye)
    """

    outcome: Outcome
    opponents: tuple[PlayerId, ...]
    leaving_player: PlayerId


Scorecard = tuple[RoundEntry, ...]
"""A player's entries in order of rounds, without missing and unfinished rounds."""


class Rounds(Struct):
    """One player's rounds in order, as parallel lists, which are fast to read while ranking.

    numbers:   the numbers of the rounds, without missing and unfinished rounds
    worths:    what each round was worth
    opponents: the opponents that count; a player met twice is listed twice
    places:    for each round the table, or the outcome if the player had no table
    """

    numbers: list[int] = field(default_factory=list)
    worths: list[Worth] = field(default_factory=list)
    opponents: list[PlayerId] = field(default_factory=list)
    places: list[Table | Outcome] = field(default_factory=list)

    def add(self, number: int, place: Table | Outcome, worth: Worth) -> None:
        """Add a round."""
        self.numbers.append(number)
        self.places.append(place)
        self.worths.append(worth)

    def copy(self) -> Rounds:
        """Return a copy to which rounds can be added without changing the original."""
        return Rounds(self.numbers.copy(), self.worths.copy(), self.opponents.copy(), self.places.copy())

    @classmethod
    def of(cls, scorecard: Scorecard) -> Rounds:
        """Convert a player's scorecard to `Rounds`. The list `places` is left empty."""
        return cls(
            [entry.round for entry in scorecard],
            [entry.worth for entry in scorecard],
            [opponent for entry in scorecard if entry.worth.meets for opponent in entry.opponents],
        )


def _strangers(number: int, table: Table) -> TourneyError:
    return TourneyError(
        f"round {number}, table {table.number}: the result is for players who are not at this table"
    )


def _leaving_player(record: Record, number: int, player: PlayerId, bye: Outcome) -> PlayerId | None:
    """Return the player whose early departure makes a bye not count; None if the bye counts.

    This is the player with the bye, or the player's scheduled opponent.
    """
    if player in record.left_early:
        return player
    scheduled_opponent = (
        record.no_opponent[number - 1].get(player) if number <= len(record.no_opponent) else None
    )
    return scheduled_opponent if bye is Outcome.BYE and scheduled_opponent in record.left_early else None


def _entry(number: int, player: PlayerId, place: Table | Outcome, worth: Worth) -> RoundEntry:
    if isinstance(place, Outcome):
        return RoundEntry(number, place, worth)
    assert place.result is not None
    seats = place.seats
    side = seats.index(player)
    seat = place.result.seats[side]
    opponents = (seats[1 - side],) if len(seats) == 2 else (*seats[:side], *seats[side + 1 :])
    return RoundEntry(number, seat.outcome, worth, opponents, side, seat.score)


def _without_table(record: Record, number: int) -> Iterator[tuple[str, PlayerId, Outcome]]:
    for byes in record.byes[number - 1 : number]:
        yield from (("byes", player, outcome) for player, outcome in byes.items())
    for absent in record.absences[number - 1 : number]:
        yield from (("absences", player, Outcome.ABSENT) for player in sorted(absent))


# -- What a result is worth under a profile


NO_GAMES: Games = (0, 0, 0)
"""Games won, lost and drawn if none was played."""


_RESULTS = {
    Outcome.WIN: "win",
    Outcome.FORFEIT_WIN: "win",
    Outcome.BYE: "win",
    Outcome.AWARDED_BYE: "win",
    Outcome.DRAW: "draw",
    Outcome.HALF_BYE: "draw",
    Outcome.LOSS: "loss",
    Outcome.FORFEIT_LOSS: "loss",
    Outcome.DOUBLE_LOSS: "loss",
    Outcome.ABSENT: "absent",
}


class Worth(NamedTuple):
    """What one outcome is worth to a player.

    points: half points
    share:  its part of a match-win percentage; None if the percentage skips the round
    ratio:  `share` as numerator and denominator
    games:  won, lost, drawn
    result: `win`, `loss`, `draw` or `absent`, as in a record such as 2-0-1
    meets:  whether the other players at the table count as opponents
    """

    points: int
    share: Fraction | None
    ratio: Ratio | None
    games: Games
    result: str
    meets: bool


_NOTHING = Worth(0, None, None, NO_GAMES, "absent", meets=False)


class Scale:
    """What results are worth under a profile, calculated once for each kind of result."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self._worths: dict[tuple[object, ...], tuple[Worth, ...]] = {}

    def table(self, result: Result) -> tuple[Worth, ...]:
        """Return the points and other values (`Worth`) of each seat of `result`, in order of seats."""
        seats = result.seats
        kind: tuple[object, ...]
        if len(seats) == 2:  # faster than the general case
            one, two = seats
            kind = (
                *(one.outcome, one.games, one.place, one.score),
                *(two.outcome, two.games, two.place, two.score),
                result.drawn_games,
            )
        else:
            parts = [(seat.outcome, seat.games, seat.place, seat.score) for seat in seats]
            kind = (result.drawn_games, *parts)
        worths = self._worths.get(kind)
        if worths is None:
            worths = self._worths[kind] = tuple(self._worth(seat, result) for seat in seats)
        return worths

    def alone(self, outcome: Outcome) -> Worth:
        """Return the points and other values of a round in which the player has no table.

        outcome: how the round counts, such as a bye, a half bye or an absence
        """
        (worth,) = self.table(Result((Seat(NOBODY, outcome),)))
        return worth

    def _worth(self, seat: Seat, result: Result) -> Worth:
        rule = self.profile.outcomes[seat.outcome]
        points, top = self._points(seat, result)
        share = rule.match if top is None or rule.match is None else Fraction(points, top)
        games_lost = sum(other.games for other in result.seats) - seat.games
        games = (seat.games, games_lost, result.drawn_games) if rule.games is None else rule.games
        if len(result.seats) > 2 and not (seat.games or games_lost):
            games = NO_GAMES  # only places were recorded, and byes and forfeits are not worth games here
        ratio = None if share is None else share.as_integer_ratio()
        return Worth(points, share, ratio, games, _RESULTS[seat.outcome], rule.meets)

    def _points(self, seat: Seat, result: Result) -> tuple[int, int | None]:
        """Return the half points of a seat, and the maximum that a seat at this table can get.

        The maximum is None if it is the profile's usual number of points for a win.
        """
        profile, size = self.profile, len(result.seats)
        usual = profile.outcomes[seat.outcome].points
        score_points = 2 * seat.score if profile.from_score and seat.score is not None else None
        if not seat.outcome.played:
            return usual if score_points is None else score_points, None
        by_place = profile.placement.get(size)
        if by_place is not None and seat.outcome is not Outcome.DOUBLE_LOSS:
            better = sum(other.place < seat.place for other in result.seats)
            sharing = sum(other.place == seat.place for other in result.seats)
            return by_place[better + 1, sharing], by_place[1, 1]
        if size in profile.win_by_size:
            top = profile.win_by_size[size]
            return top if seat.outcome is Outcome.WIN else usual, top
        if not profile.from_score or score_points is not None:
            return usual if score_points is None else score_points, None
        by_games = (
            seat.games * profile.points_per_game_win + result.drawn_games * profile.points_per_game_draw
        )
        return by_games or usual, None
