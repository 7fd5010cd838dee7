"""The question of which players make the cut, and the possible results of open tables.

A table is *open* if it has no result yet. A *completion* gives every open table one of its possible results.
Possible results have games or scores, and each player wins, draws or loses by play (`BY_PLAY`). No-shows,
double losses, penalties and drops are not considered. Results that no rule of the profile distinguishes count
as one result.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from math import prod

from msgspec import Struct, structs
from msgspec.structs import replace

from tourney.errors import TourneyError
from tourney.record import Outcome, PlayerId, Record, Result, Seat, Table
from tourney.standings import tiebreaks
from tourney.standings.profile import Profile
from tourney.standings.scorecards import Scale
from tourney.standings.swaps import MatchForm, match_outcomes, place_orders

MOST_SEATS = 6
"""The largest number of players at a table for which all orders of places are tried."""

_MOST_CASES = 1000
"""The limit for the number of players × combinations of missing results that are tried."""

Kind = tuple[Outcome, int]
"""The kind of a result, for one player: the outcome, and the half points that it gives."""


class CutQuestion(Struct, frozen=True, kw_only=True, dict=True):
    """The question of which players make the cut, for all possible results of open tables.

    record:         the record; tables without a result are open
    cut:            the number of players who make the cut
    late_drops:     players who left after the last round; they take no place in the cut
    possible_drops: players who seem to have left. The verdict for them is never `in`. A proof that another
                    player is in counts them as possibly ahead; a proof that a player is out ignores them
    match:          the number of games in a match, and whether a match can be drawn; each is None if unknown,
                    and then all usual possibilities are tried
    to_come:        the number of rounds still to be paired
    winner_games:   how many won games the winner of a table of three or more gets; players who share the
                    first place get none
    games_vary:     whether an assumed result in the record represents several results with the same outcomes
                    and points (see `assuming`). The numbers of games are then unknown
    """

    record: Record
    profile: Profile
    cut: int
    late_drops: Collection[PlayerId] = ()
    possible_drops: Collection[PlayerId] = ()
    match: tuple[int | None, bool | None] = (None, None)
    to_come: int = 0
    winner_games: int = 0
    games_vary: bool = False

    @cached_property
    def players(self) -> tuple[PlayerId, ...]:
        """The players who can still make the cut, in order of registration."""
        dropped_players = {*self.late_drops, *self.record.drops}.difference(self.possible_drops)
        never = () if self.to_come else self._never_ranked
        out = {*dropped_players, *self.record.disqualified, *never}
        return tuple(player for player in self.record.players if player not in out)

    @cached_property
    def ranked_players(self) -> tuple[PlayerId, ...]:
        """The players who get a rank, in order of registration, including those who left."""
        out = {*self.record.disqualified, *self._never_ranked}
        return tuple(player for player in self.record.players if player not in out)

    @property
    def _never_ranked(self) -> tuple[PlayerId, ...]:
        """The players who left before round 1, if the profile does not rank them."""
        if self.profile.rank_never_started:
            return ()
        return tuple(player for player, last in self.record.drops.items() if not last)

    @cached_property
    def tables(self) -> tuple[OpenTable, ...]:
        """The open tables of the last round."""
        return tuple(self._open_tables(len(self.record.rounds)))

    @cached_property
    def earlier(self) -> tuple[OpenTable, ...]:
        """The open tables of earlier rounds, whose results are missing."""
        numbers = range(1, len(self.record.rounds))
        return tuple(table for number in numbers for table in self._open_tables(number))

    def _open_tables(self, number: int) -> Iterator[OpenTable]:
        for table in self.record.rounds[number - 1] if number else ():
            if table.result is None and not self._is_void(table):
                yield self._open(number, table)

    @cached_property
    def cases(self) -> tuple[CutQuestion, ...]:
        """Copies of this question with assumed results for the open tables of earlier rounds.

        There is a copy for each combination of possible results. If there are too many combinations, results
        that give each seat the same outcome and points are treated as one. The tuple is empty if there are
        still too many combinations, if no result of an earlier round is missing, or if rounds are still to
        be paired.
        """
        if self.to_come or not (self.players and self.earlier):
            return ()
        most = _MOST_CASES // len(self.players)
        single = [[(at,) for at in range(len(table.results))] for table in self.earlier]
        kinds = [table.group_results() for table in self.earlier]
        groups = next((groups for groups in (single, kinds) if prod(map(len, groups)) <= most), None)
        return () if groups is None else tuple(map(self.assuming, product(*groups)))

    def assuming(self, missing: Sequence[Sequence[int]]) -> CutQuestion:
        """Return this question with assumed results at the open tables of earlier rounds.

        missing: for each of these tables, the indexes of the assumed results (in `OpenTable.results`). The
            first one becomes the result. If a table has several, they all give each seat the same outcome
            and points, and the numbers of games are treated as unknown
        """
        results = {
            table.place: table.results[indexes[0]]
            for table, indexes in zip(self.earlier, missing, strict=True)
        }
        varies = any(len(indexes) > 1 for indexes in missing)
        other = replace(self, record=self.complete_record(results), games_vary=varies)
        # The possible results of the other tables depend on the results so far, without assumed results.
        vars(other).update(tables=self.tables, earlier=())
        return other

    @property
    def is_exact(self) -> bool:
        """Whether earlier rounds have all results, and no more rounds will be paired.

        If not, forecasts compare players by points only, without tie-breaks.
        """
        return not self.earlier and not self.to_come

    @property
    def is_over(self) -> bool:
        """Whether all results are known and no more rounds will be paired."""
        return self.is_exact and not self.tables

    @cached_property
    def gains(self) -> dict[PlayerId, tuple[int, int]]:
        """For each player, the minimum and maximum half points that the player can still gain.

        They come from missing results and from rounds that are not paired yet.
        """
        by_place = [points for of_size in self.profile.placement.values() for points in of_size.values()]
        possible_points = [*(rule.points for rule in self.profile.outcomes.values()), *by_place]
        bottom = min([0, *possible_points])
        possible_points += self.profile.win_by_size.values()
        if self.profile.from_score:
            possible_points += [2 * score for scores in self._scores() for score in scores]
            possible_points += [points for kinds in self._endings_of(2)[1] for _, points in kinds]
        gains = dict.fromkeys(
            self.record.players, (self.to_come * bottom, self.to_come * max(possible_points))
        )
        for table in self.earlier:
            for seat, player in enumerate(table.seats):
                points = [kinds[seat][1] for kinds in table.kinds]
                least, most = gains[player]
                gains[player] = least + min(points), most + max(points)
        return gains

    def complete_record(self, results: Mapping[tuple[int, int], Result]) -> Record:
        """Return a copy of the record in which open tables have these results.

        An open table that counts for no player gets an arbitrary result. Any other open table stays open,
        unless `results` has a result for it.

        results: (round number, table number) → result
        """
        rounds = list(self._without_void.rounds)
        for number in {number for number, _ in results}:
            rounds[number - 1] = tuple(
                structs.replace(table, result=results.get((number, table.number)))
                if table.result is None
                else table
                for table in rounds[number - 1]
            )
        return replace(self.record, rounds=tuple(rounds))

    @cached_property
    def _without_void(self) -> Record:
        """The record, with an arbitrary result at each open table whose result would not count.

        A result does not count if a player at the table left a round robin early.
        """
        if not self.record.left_early:
            return self.record
        rounds = tuple(
            tuple(
                structs.replace(
                    table, result=_seat_players(self._endings[len(table.seats)][0][0], table.seats)
                )
                if table.result is None and self._is_void(table)
                else table
                for table in tables
            )
            for tables in self.record.rounds
        )
        return replace(self.record, rounds=rounds)

    def _is_void(self, table: Table) -> bool:
        """Return whether a table counts for no player, because a player left a round robin early."""
        return not self.record.left_early.keys().isdisjoint(table.seats)

    @cached_property
    def _scale(self) -> Scale:
        return Scale(self.profile)

    @cached_property
    def _games_count(self) -> bool:
        return any(tiebreaks.find(code).looks_at == "games" for code in self.profile.order)

    def _open(self, number: int, table: Table) -> OpenTable:
        seats = table.seats
        if len(seats) > MOST_SEATS:
            raise TourneyError(
                f"table {table.number} has {len(seats)} seats and no result:"
                f" forecasts cover tables of at most {MOST_SEATS} seats",
                "enter the result of the table, then ask again",
            )
        results, kinds = self._endings[len(seats)]
        return OpenTable(
            number=table.number,
            seats=seats,
            results=tuple(_seat_players(result, seats) for result in results),
            kinds=kinds,
            round=number,
        )

    @cached_property
    def _endings(self) -> dict[int, tuple[tuple[Result, ...], tuple[tuple[Kind, ...], ...]]]:
        """The possible results of open tables, by number of seats.

        Each value has the results and, for each result, the outcome and the half points of each seat.
        """
        tables = (table for tables in self.record.rounds for table in tables if table.result is None)
        sizes = {len(table.seats) for table in tables}
        return {size: self._endings_of(size) for size in sizes if size <= MOST_SEATS}

    def _endings_of(self, size: int) -> tuple[tuple[Result, ...], tuple[tuple[Kind, ...], ...]]:
        seats = tuple(map(PlayerId, range(1, size + 1)))
        distinct: dict[tuple[tuple[Kind, ...], object], Result] = {}
        for result in self._results_of_two(seats) if size == 2 else self._results_of_many(seats):
            worths = self._scale.table(result)
            kind = tuple(
                (seat.outcome, worth.points) for seat, worth in zip(result.seats, worths, strict=True)
            )
            games = tuple(worth.games for worth in worths) if self._games_count else ()
            distinct.setdefault((kind, games), result)
        return tuple(distinct.values()), tuple(kind for kind, _ in distinct)

    def _results_of_two(self, seats: Sequence[PlayerId]) -> Iterator[Result]:
        recorded_scores = self._recorded_scores if self.profile.from_score else ()
        if self.profile.from_score and (recorded_scores or not any(self._recorded_games)):
            for one, two in dict.fromkeys([*self._scores(), *recorded_scores]):
                yield _match(seats, one, two, 0, are_scores=True)
        else:
            for wins, losses, draws in self._possible_games():
                yield _match(seats, wins, losses, draws)

    def _possible_games(self) -> Iterator[tuple[int, int, int]]:
        """Yield each possible score of a match: games that the first player won, lost and drew."""
        best_of, draws = self.match
        if best_of is not None:
            yield from MatchForm(best_of, draws is not False).scores()
            return
        longest = max([1, *map(sum, self._recorded_games)])
        most = 1 if longest == 1 and self.record.rounds[:-1] else 3
        for wins, losses, drawn_games in product(range(most + 1), repeat=3):
            if self.profile.from_score and wins + losses + drawn_games > max(2, longest):
                continue  # a match has two games, each for points
            if wins + losses <= max(2, 2 * most - 1) and (wins != losses or draws is not False):
                yield wins, losses, drawn_games

    @cached_property
    def _recorded_games(self) -> tuple[tuple[int, ...], ...]:
        """The scores that matches of two players have had so far; each score is listed once.

        A score has the games that the first and the second player won, and the drawn games.
        """
        results = (table.result for tables in self.record.rounds for table in tables if len(table.seats) == 2)
        games = ((*(seat.games for seat in result.seats), result.drawn_games) for result in results if result)
        return tuple(dict.fromkeys(games))

    def _scores(self) -> Iterator[tuple[int, int]]:
        """Yield the possible scores of a match, for a profile that gives the score as points.

        See `Profile.from_score`. A match is assumed to have two games. It is assumed to have only one if the
        record has at least two rounds, at least one match gave points, and no match gave its two players
        together more points than one game can.
        """
        win, draw = self.profile.points_per_game_win // 2, self.profile.points_per_game_draw // 2
        game = ((win, 0), (0, win), (draw, draw), (0, 0))
        most = max(map(sum, self._recorded_scores), default=0)
        single = self.record.rounds[:-1] and 0 < most <= max(map(sum, game))
        for first, second in product(game, game[-1:] if single else game):
            yield first[0] + second[0], first[1] + second[1]

    @cached_property
    def _recorded_scores(self) -> tuple[tuple[int, int], ...]:
        """The different pairs of scores in played matches of two players, each in both orders."""
        scores: dict[tuple[int, int], None] = {}
        for tables in self.record.rounds:
            for table in tables:
                if table.result is not None and table.result.played and len(table.seats) == 2:
                    one, two = (seat.score for seat in table.result.seats)
                    if one is not None and two is not None:
                        scores.update({(one, two): None, (two, one): None})
        return tuple(scores)

    def _results_of_many(self, seats: Sequence[PlayerId]) -> Iterator[Result]:
        levels = len(seats) if self.profile.placement.get(len(seats)) else 2
        for places in place_orders(len(seats), levels):
            is_shared = places.count(1) > 1
            if is_shared and self.match[1] is False:
                continue
            first = Outcome.DRAW if is_shared else Outcome.WIN
            yield Result(
                tuple(
                    Seat(player, Outcome.LOSS, place)
                    if place > 1
                    else Seat(player, first, place, games=0 if is_shared else self.winner_games)
                    for player, place in zip(seats, places, strict=True)
                )
            )


class OpenTable(Struct, frozen=True):
    """A table without a result.

    results: its possible results; of results that no rule distinguishes, only one
    kinds:   for each result, its kind (outcome and half points) for each seat
    round:   the number of the round
    """

    number: int
    seats: tuple[PlayerId, ...]
    results: tuple[Result, ...]
    kinds: tuple[tuple[Kind, ...], ...]
    round: int

    @property
    def place(self) -> tuple[int, int]:
        """The round and the number of the table, as `CutQuestion.complete_record` takes them."""
        return self.round, self.number

    def group_results(self) -> list[tuple[int, ...]]:
        """Group the possible results by the outcome and the points that they give to each seat.

        In one group, all results give a seat the same outcome and the same points. Each result is returned as
        its index in `results`.
        """
        parts: dict[tuple[Kind, ...], list[int]] = {}
        for result, kind in enumerate(self.kinds):
            parts.setdefault(kind, []).append(result)
        return [tuple(part) for part in parts.values()]


def _seat_players(result: Result, players: Sequence[PlayerId]) -> Result:
    """Return a result with other players in its seats."""
    seats = zip(result.seats, players, strict=True)
    return Result(tuple(structs.replace(seat, player=player) for seat, player in seats), result.drawn_games)


def _match(seats: Sequence[PlayerId], one: int, two: int, draws: int, *, are_scores: bool = False) -> Result:
    """Return the result of a match of two.

    one, two:   the games that each player won
    draws:      the number of drawn games
    are_scores: whether `one` and `two` are scores instead of games won
    """
    return Result(
        tuple(
            Seat(player, *end, games=0 if are_scores else number, score=number if are_scores else None)
            for player, end, number in zip(seats, match_outcomes(one, two), (one, two), strict=True)
        ),
        draws,
    )
