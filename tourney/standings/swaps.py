"""A search for single results that would have swapped two players in the standings.

`search_swaps` tries every other result of every reported table, one at a time. A table is skipped if its
result cannot affect the values that separate the two players. In very large events the search stops when
`BUDGET` is used up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import combinations, permutations, product

from msgspec import Struct

from tourney.record import (
    DrawnGame,
    Outcome,
    PlayerId,
    Record,
    Result,
    Seat,
    Table,
    games_needed,
    most_decided_games,
)
from tourney.standings import tiebreaks
from tourney.standings.exact import Value, halves, ratios_of
from tourney.standings.profile import POINTS, Profile
from tourney.standings.ranking import Row, Standings, value_of
from tourney.standings.scorecards import Scorecards, Worth
from tourney.standings.tally import Tiebreak

BUDGET = 5_000
"""How many times a search may calculate the order of the two players.

This many calculations take about a second. In long events and at large tables, each one counts more than
once.
"""

MOST_ORDERED = 5
"""The maximum number of seats for which every order of places is tried.

For larger tables, only every first place is tried.
"""


_MOST_TRIED = 16
"""The maximum number of games in a match for which scores are tried.

A best of 99 has 130,000 scores.
"""


class MatchForm(Struct, frozen=True):
    """How a match between two players can end.

    best_of:         the number of games; if it is even, all games are played
    draws:           whether the match can end without a winner
    drawn_game_rule: what happens to a drawn game
    """

    best_of: int
    draws: bool = True
    drawn_game_rule: DrawnGame = "again"

    @property
    def games_to_win(self) -> int:
        """The number of games that wins the match: more than half of `best_of`."""
        return games_needed(self.best_of)

    @property
    def most_games(self) -> int:
        """The maximum number of games in a score that `scores` yields, including drawn games.

        It is `decided_games` (the maximum number of games with a winner), or one game more if drawn games are
        played again and `decided_games` is odd, but not more than `_MOST_TRIED`.
        """
        replays = self.decided_games % 2 if self.drawn_game_rule == "again" else 0
        return min(self.decided_games + replays, _MOST_TRIED)

    @property
    def decided_games(self) -> int:
        """The maximum number of games of one match that have a winner (`most_decided_games`)."""
        return most_decided_games(self.best_of, draws=self.draws)

    @classmethod
    def from_record(
        cls,
        record: Record,
        *,
        best_of: int | None = None,
        draws: bool | None = None,
        drawn_game_rule: DrawnGame = "again",
    ) -> MatchForm:
        """Return how a match can end; if `best_of` is None, infer it from the results of `record`.

        The maximum number of games that any player won in a match is then taken as the number that wins a
        match.

        draws: whether a match can end without a winner; None means that it can
        drawn_game_rule: what happens to a drawn game
        """
        win_counts = [
            seat.games
            for tables in record.rounds
            for table in tables
            if table.result is not None and len(table.seats) == 2
            for seat in table.result.seats
        ]
        return cls(best_of or max(2 * max(win_counts, default=1) - 1, 1), draws is not False, drawn_game_rule)

    def scores(self) -> Iterator[tuple[int, int, int]]:
        """Yield every score (wins, losses, draws) of up to `most_games` games.

        Scores of unfinished matches are included.
        """
        most = min(self.decided_games, self.most_games)
        for wins, losses in product(range(min(self.games_to_win, most) + 1), repeat=2):
            if (
                wins + losses > most
                or wins == losses == self.games_to_win
                or (wins == losses and not self.draws)
            ):
                continue
            for draws in range(1 if self.drawn_game_rule == "none" else self.most_games - wins - losses + 1):
                yield wins, losses, draws


def match_outcomes(one: int, other: int) -> tuple[tuple[Outcome, int], tuple[Outcome, int]]:
    """Return outcome and place of both players of a match, by their games or their scores."""
    if one == other:
        return (Outcome.DRAW, 1), (Outcome.DRAW, 1)
    winner, loser = (Outcome.WIN, 1), (Outcome.LOSS, 2)
    return (winner, loser) if one > other else (loser, winner)


def place_orders(players: int, levels: int) -> Iterator[tuple[int, ...]]:
    """Yield every possible ranking of a table's players once, as a place for each player.

    Players can share a place. If two share the first place, the next place is 3.

    levels: the maximum number of different places
    """
    orders = set()
    for ranks in product(range(levels), repeat=players):
        places = tuple(1 + sum(other < rank for other in ranks) for rank in ranks)
        if places not in orders:
            orders.add(places)
            yield places


class Swap(Struct, frozen=True):
    """A result that would have swapped two players in the standings.

    table:      the table with its recorded result
    new_result: the result that would have swapped the players, in the same order of seats
    """

    round: int
    table: Table
    new_result: Result


class SwapSearch(Struct, frozen=True, kw_only=True):
    """The swaps that a search has found, and the results that it tried.

    alternatives: for each table, the results that the search tries in place of the recorded one
    swaps: the results that would have swapped the two players. Results of their own matches come first, then
           results of other tables; both parts go from the last round to the first
    own_count: how many of `swaps` are in the two players' own matches
    is_complete: whether all of `alternatives` were tried; false if the search was stopped
    """

    alternatives: Alternatives
    swaps: tuple[Swap, ...] = ()
    own_count: int = 0
    is_complete: bool = True


def search_swaps(
    scorecards: Scorecards, levels: Levels, one: PlayerId, other: PlayerId, form: MatchForm
) -> SwapSearch:
    """Return the results that, each by itself, would have swapped players `one` and `other`.

    The search tries every other result of every table. If the two players are level, nothing is tried.

    levels: the players grouped by their values; pass the same object to every search in the same standings
    """
    pair = _Pair(scorecards, levels, one, other)
    alternatives = Alternatives(scorecards.record, scorecards.profile, form)
    if not pair.order:
        return SwapSearch(alternatives=alternatives)
    own_tables, other_tables = pair.tables()
    swaps: list[Swap] = []
    own_count = 0
    for tables in (own_tables, other_tables):
        for number, table in tables:
            if pair.is_stopped:
                break
            swaps += pair.find_swaps(number, table, alternatives.of(table))
        own_count = own_count if tables is other_tables else len(swaps)
    return SwapSearch(
        alternatives=alternatives, swaps=tuple(swaps), own_count=own_count, is_complete=not pair.is_stopped
    )


class Alternatives:
    """The results that each table could have had instead of its recorded result."""

    def __init__(self, record: Record, profile: Profile, form: MatchForm) -> None:
        self.form = form
        by_score = profile.from_score or any(
            tiebreaks.find(code).looks_at == "scores" for code in profile.order
        )
        results = [table.result for tables in record.rounds for table in tables if table.result is not None]
        self.sizes = {len(result.seats) for result in results}
        scored_results = [
            result for result in results if any(seat.score is not None for seat in result.seats)
        ]
        self.recorded_scores = dict.fromkeys(map(_sides_of, scored_results if by_score else ()))
        self._by_size: dict[int, tuple[_Sides, ...]] = {}

    @property
    def description(self) -> str:
        """A phrase that describes which results are tried, such as `every result of one game`."""
        parts = []
        if 2 in self.sizes or not self.sizes:
            match = f"a {'best' if self.form.best_of % 2 else 'match'} of {self.form.best_of}"
            draws = "" if self.form.draws else ", none a draw"
            if self.form.most_games == 1:
                parts.append(f"every result of one game{draws}")
            else:
                parts.append(f"every score of {match} with up to {self.form.most_games} games{draws}")
        if self.sizes - {2}:
            large = max(self.sizes) > MOST_ORDERED
            parts.append("every first place" if large else "every order of places, including shared places")
        if self.recorded_scores:
            parts.append("every score that is in the record")
        return f"{', '.join(parts)}, no-shows and double losses"

    def of(self, table: Table) -> Iterator[Result]:
        """Yield every result that the table could have had, except the recorded one."""
        assert table.result is not None
        for sides, draws in self._of_size(len(table.seats)):
            seats = tuple(Seat(player, *side) for player, side in zip(table.seats, sides, strict=True))
            result = Result(seats, draws)
            if result != table.result:
                yield result

    def _of_size(self, size: int) -> Iterable[_Sides]:
        if size > MOST_ORDERED:
            # The orders are not stored: for a hundred seats there are too many, and the search stops early.
            return self._all_results(size)
        if size not in self._by_size:
            self._by_size[size] = tuple(dict.fromkeys(self._all_results(size)))
        return self._by_size[size]

    def _all_results(self, size: int) -> Iterator[_Sides]:
        yield from _results_of_two(self.form) if size == 2 else _results_of_many(size, draws=self.form.draws)
        yield (((Outcome.DOUBLE_LOSS, 1, 0, None),) * size, 0)
        for sides, draws in self.recorded_scores:
            if len(sides) == size:
                yield from ((order, draws) for order in permutations(sides))


_Side = tuple[Outcome, int, int, int | None]
"""Outcome, place, games won and score of a seat."""

_Sides = tuple[tuple[_Side, ...], int]
"""A result without its players: the values of all seats, and the number of drawn games."""


def _sides_of(result: Result) -> _Sides:
    sides = tuple((seat.outcome, seat.place, seat.games, seat.score) for seat in result.seats)
    return sides, result.drawn_games


def _results_of_two(form: MatchForm) -> Iterator[_Sides]:
    for wins, losses, draws in form.scores():
        one, other = match_outcomes(wins, losses)
        yield ((*one, wins, None), (*other, losses, None)), draws
    present, missing = (Outcome.FORFEIT_WIN, 1, 0, None), (Outcome.FORFEIT_LOSS, 2, 0, None)
    yield (present, missing), 0
    yield (missing, present), 0
    yield ((Outcome.FORFEIT_LOSS, 1, 0, None),) * 2, 0


def _results_of_many(size: int, *, draws: bool) -> Iterator[_Sides]:
    """Yield every result of a table with `size` players: who is missing, and the others' places.

    If more than `MOST_ORDERED` players are present, they have at most two different places.

    draws: whether players can share first place
    """
    for missing in range(size + 1):
        for absent in combinations(range(size), missing):
            present = [seat for seat in range(size) if seat not in absent]
            for places in place_orders(len(present), len(present) if len(present) <= MOST_ORDERED else 2):
                places_by_seat = dict(zip(present, places, strict=True))
                if draws or places.count(1) < 2:
                    yield tuple(_side_of_seat(places_by_seat, seat) for seat in range(size)), 0


def _side_of_seat(places_by_seat: dict[int, int], seat: int) -> _Side:
    if seat not in places_by_seat:
        return Outcome.FORFEIT_LOSS, len(places_by_seat) + 1, 0, None
    if len(places_by_seat) == 1:
        return Outcome.FORFEIT_WIN, 1, 0, None
    if places_by_seat[seat] > 1:
        return Outcome.LOSS, places_by_seat[seat], 0, None
    is_shared = sum(place == 1 for place in places_by_seat.values()) > 1
    return Outcome.DRAW if is_shared else Outcome.WIN, 1, 0, None


class _Pair:
    """Two players, and their order: -1 if `one` is above, 1 if `other` is above, 0 if level.

    remaining_budget: how many more times the order may be calculated
    is_stopped: whether the search stopped because `remaining_budget` was used up
    """

    def __init__(self, scorecards: Scorecards, levels: Levels, one: PlayerId, other: PlayerId) -> None:
        self.scorecards = scorecards
        self.levels = levels
        self.ranked_players = levels.ranked_players
        self.places = {player: place for place, player in enumerate(self.ranked_players)}
        self.one = one
        self.other = other
        self.rules = [tiebreaks.find(code) for code in scorecards.profile.order]
        self.first_group_rule = next(
            (i for i, rule in enumerate(self.rules) if rule.group_function), len(self.rules)
        )
        self.first_fine = next((i for i, rule in enumerate(self.rules) if rule.looks_at), len(self.rules))
        self.reach = max((rule.reach for rule in self.rules), default=0)
        self.seats: tuple[PlayerId, ...] = ()
        self.affected_players: frozenset[PlayerId] = frozenset()
        self.is_far = False
        self.order, self.decided_by = 0, -1
        self.order, self.decided_by = self._order(scorecards)
        self.remaining_budget = BUDGET
        self.price = 1 + scorecards.rounds // 50
        self.is_stopped = False

    def tables(self) -> tuple[list[tuple[int, Table]], list[tuple[int, Table]]]:
        """Return the two players' own tables, and the other tables that can affect their order.

        Late rounds come first, because people ask about them most.
        """
        deciding = self.rules[: self.decided_by + 1]
        nearby_players: frozenset[PlayerId] | None = None
        if not any(rule.group_function for rule in deciding):
            nearby_players = self._nearby_players(
                (self.one, self.other), max(rule.reach for rule in deciding)
            )
        own_tables: list[tuple[int, Table]] = []
        other_tables: list[tuple[int, Table]] = []
        for number in range(self.scorecards.rounds, 0, -1):
            for table in self.scorecards.record.rounds[number - 1]:
                if self.scorecards.uncounted_rounds and number in self.scorecards.uncounted_rounds.get(
                    table.seats[0], ()
                ):
                    continue  # the result of this table does not count
                if table.result is None or (
                    nearby_players is not None and nearby_players.isdisjoint(table.seats)
                ):
                    continue
                is_own = self.one in table.seats or self.other in table.seats
                (own_tables if is_own else other_tables).append((number, table))
        return own_tables, other_tables

    def _nearby_players(self, players: tuple[PlayerId, ...], steps: int) -> frozenset[PlayerId]:
        """Return `players`, their opponents, the opponents of those, and so on, `steps` times.

        steps: 0 adds no players, 1 adds all who sat at a table with one of `players`, 2 also their opponents
        """
        if not steps:
            return frozenset(players)
        near = self.scorecards.around(players)
        for _ in range(steps - 1):
            near = near.union(*(entry.opponents for player in near for entry in self.scorecards[player]))
        return near

    def find_swaps(self, number: int, table: Table, results: Iterable[Result]) -> list[Swap]:
        """Return a `Swap` for each result of a table that would have reversed the players' order.

        If the order is decided before any tie-break that looks at games or scores, it is calculated only once
        for results that differ only in games or scores. If `remaining_budget` is used up, stops early and
        sets `is_stopped`.

        results: the results to try instead of the recorded one
        """
        scale = self.scorecards.scale
        coarse: dict[object, bool] = {}
        fine: dict[object, bool] = {}
        swaps: list[Swap] = []
        for result in results:
            kind = _kind(scale.table(result), result)
            is_swap = coarse.get(kind)
            if is_swap is None:
                finer = (kind, tuple([(seat.games, seat.score) for seat in result.seats]), result.drawn_games)
                is_swap = fine.get(finer)
            if is_swap is None:
                if self.remaining_budget <= 0:
                    self.is_stopped = True
                    return swaps
                self.remaining_budget -= self.price if len(table.seats) <= MOST_ORDERED else len(table.seats)
                if self._is_unmoved(number, table, result, finer):
                    order, decided_by = self.order, self.decided_by
                else:
                    order, decided_by = self._order(self.scorecards.with_table(number, table, result))
                is_swap = fine[finer] = order == -self.order
                if decided_by < self.first_fine:
                    coarse[kind] = is_swap
            if is_swap:
                swaps.append(Swap(number, table, result))
        return swaps

    def _order(self, scorecards: Scorecards) -> tuple[int, int]:
        """Return the order of the two players, and the position of the tie-break that decides it.

        If no tie-break decides the order, the position is the last one.
        """
        level, first_rule = self.ranked_players, 0
        for i, rule in enumerate(self.rules):
            if rule.group_function:
                if level is self.ranked_players:
                    level = self._level_of_all(scorecards, i)
                else:
                    level = self._level(scorecards, level, self.rules[first_rule:i])
                places = rule.group_function(scorecards, level).places
                order = _compare_values(places[self.one], places[self.other], rule)
                level, first_rule = [player for player in level if places[player] == places[self.one]], i + 1
            else:
                value = value_of(scorecards, rule)
                order = _compare_values(value(self.one), value(self.other), rule)
            if order:
                return order, i
        return 0, len(self.rules) - 1

    def _is_unmoved(self, number: int, table: Table, result: Result, key: object) -> bool:
        """Return whether `result` certainly leaves the order of the two players unchanged.

        A tie-break such as direct encounter depends on the group of players who are level with the two. The
        order cannot change if the result does not affect the two players or anyone in this group, and if no
        other player becomes level with them.

        key: identifies the result; results of this table with equal keys have equal effects on all tie-breaks
        """
        if self.first_group_rule > self.decided_by:
            return False
        if table.seats != self.seats:  # all results of a table are tried in turn
            self.seats, self.affected_players = table.seats, self._nearby_players(table.seats, self.reach)
            self.is_far = self.affected_players.isdisjoint({self.one, self.other, *self.level})
        if not self.is_far:
            return False
        join_key = self.one, number, table.seats, key
        if join_key not in self.levels.join_answers:
            scorecards = self.scorecards.with_table(number, table, result)
            self.levels.join_answers[join_key] = self._does_any_join(scorecards, table.seats)
        return not self.levels.join_answers[join_key]

    def _does_any_join(self, scorecards: Scorecards, seats: tuple[PlayerId, ...]) -> bool:
        """Return whether a changed result makes another player level with the two compared players.

        Level players are equal in all tie-breaks before the first one that counts only matches among level
        players, such as direct encounter.

        scorecards: the scorecards with the changed result
        seats: the players at the table with the changed result. Only for them, this compares tie-breaks that
               depend only on a player's own results; for other players, these tie-breaks do not change
        """
        at_table = seats
        others = [
            player for player in self.affected_players if player in self.candidates and player not in seats
        ]
        for rule, own_value in zip(
            self.rules[: self.first_group_rule], self.levels.values[self.one], strict=False
        ):
            value = value_of(scorecards, rule)
            at_table = tuple([player for player in at_table if value(player) == own_value])
            if rule.reach:
                others = [player for player in others if value(player) == own_value]
            if not (at_table or others):
                return False
        return True

    def _level_of_all(self, scorecards: Scorecards, count: int) -> list[PlayerId]:
        """Return the ranked players who equal the compared players in the first `count` tie-breaks.

        If `scorecards` have a changed result, values are calculated again only for players whose values it
        can change: those at the table, their opponents and so on (`_nearby_players`). For all other players,
        the values in the standings are used.
        """
        rules, affected_players = self.rules[:count], frozenset[PlayerId]()
        if scorecards.change is not None:
            reach = max((rule.reach for rule in rules), default=0)
            affected_players = self._nearby_players(scorecards.change[2].seats, reach)
        own_values = tuple(value_of(scorecards, rule)(self.one) for rule in rules)
        far_players = [
            player for player in self.levels.players_with(own_values) if player not in affected_players
        ]
        near_players = self._level(
            scorecards, [player for player in affected_players if player in self.places], rules
        )
        return sorted([*far_players, *near_players], key=self.places.__getitem__)

    @cached_property
    def level(self) -> frozenset[PlayerId]:
        """The players who are tied with `one` when a tie-break such as direct encounter is used.

        They equal `one` in every tie-break before the first one that counts only matches among tied players.
        If the ranking has no such tie-break, they equal `one` in all tie-breaks. The set includes `one`.
        """
        return frozenset(self.levels.players_with(self.levels.values[self.one][: self.first_group_rule]))

    @cached_property
    def candidates(self) -> frozenset[PlayerId]:
        """The players who can become level with `one` although their own results do not change.

        They equal `one` in every value that depends only on a player's own results. If a tie-break counts
        only matches among level players (such as direct encounter), it and all later values are ignored.
        The set includes `one`, and the players who are already level with `one`.
        """
        values = self.levels.values
        own_places = [
            place for place, rule in enumerate(self.rules[: self.first_group_rule]) if not rule.reach
        ]
        return frozenset(
            player
            for player in self.ranked_players
            if all(values[player][place] == values[self.one][place] for place in own_places)
        )

    def _level(
        self, scorecards: Scorecards, players: list[PlayerId], rules: Sequence[Tiebreak]
    ) -> list[PlayerId]:
        """Return those of `players` who equal the compared players in each tie-break in `rules`."""
        for rule in rules:
            value = value_of(scorecards, rule)
            own_value = value(self.one)
            players = [player for player in players if value(player) == own_value]
        return players


class Levels:
    """The players of standings, grouped by their values of the first tie-breaks.

    ranked_players: the players who can be compared, in order of rank
    values:         player → the values in the profile's order, including the points
    join_answers:   answers that were already found: (compared player, round, seats, result) → whether this
                    result would make any other player level with the compared player
    """

    def __init__(self, standings: Standings) -> None:
        self.ranked_players = [
            row.player for row in standings.rows if row.rank is not None and not row.left_early
        ]
        self.values = {row.player: _values_in_order(standings.profile, row) for row in standings.rows}
        self.join_answers: dict[tuple[PlayerId, int, tuple[PlayerId, ...], object], bool] = {}
        self._rows = sorted(standings.rows, key=lambda row: row.player)
        self._groups: dict[int, dict[object, list[PlayerId]]] = {}

    def players_with(
        self, values: Sequence[Value], *, without_rank: bool = False, left_early: bool = False
    ) -> list[PlayerId]:
        """Return the players with these values, in order of registration.

        values: the values of the first tie-breaks in the profile's order, including the points
        without_rank: whether to return players without a rank instead of players with one
        left_early: whether to return players who left early instead of the others
        """
        count = len(values)
        if count not in self._groups:
            groups = self._groups[count] = {}
            for row in self._rows:
                key = row.rank is None, row.left_early, ratios_of(self.values[row.player][:count])
                groups.setdefault(key, []).append(row.player)
        return self._groups[count].get((without_rank, left_early, ratios_of(values)), [])


def _values_in_order(profile: Profile, row: Row) -> tuple[Value, ...]:
    keys = iter(row.keys)
    return tuple(halves(row.points) if code == POINTS else next(keys).value for code in profile.order)


def _kind(worths: Sequence[Worth], result: Result) -> object:
    """Return a key of a result; results that differ only in games and scores have equal keys."""
    return tuple(
        [
            (seat.outcome, worth.points, worth.ratio, worth.meets)
            for seat, worth in zip(result.seats, worths, strict=True)
        ]
    )


def _compare_values(value: Value, other_value: Value, rule: Tiebreak) -> int:
    if value == other_value:
        return 0
    if value is None or other_value is None:
        return 1 if value is None else -1
    return -1 if (value < other_value) == rule.low else 1
