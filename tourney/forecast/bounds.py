"""The highest and the lowest place in which each player can still finish.

A table is *open* if it has no result yet. The *kind* of a result is what it means for a player: the outcome
and the points. For each kind of result at the player's own table, a player gets two *keys*. A key lists the
points and then the tie-breaks in the order of the profile, with greater values for higher ranks. So Python
compares keys as the ranking compares players. In the *high* key, each tie-break is computed as if all other
players at open tables got their best result; in the *low* key, as if they got their worst. No round ends like
that, because only one player of a table can win. But a tie-break either only rises or only falls when
opponents do better (`Tiebreak.monotone`), so its true value lies between its values in the two keys. This
requires that the best result of a seat is the best in points, in the outcome and in the share of games won,
and the worst result is the worst in all of them (`_measures_agree`). Therefore, a player whose high key is
below another player's low key always ends behind that player.

To count the players who can end ahead, the players of each table are considered together, because they cannot
all do well. For each number n of players, a table has one key: the greatest key that n of its players can all
reach after the same result. For n = 2, this is the second highest of their high keys after a result; of all
results, the greatest one counts. The keys of all tables are sorted once. A binary search then counts the
players who can reach a given key.

If two opponents of a player meet at a table, all results of that table are tried, while the other players
keep their best or worst results. This brings the two keys closer together.

Open results can change some tie-breaks in other ways (a head-to-head, or a sum of products of which some are
cut). Such a tie-break ends a key: from there on, the high key is above, and the low key below, all other
keys.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Container, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import chain, product
from math import inf
from typing import NamedTuple

from tourney.forecast.question import CutQuestion, Kind, OpenTable
from tourney.record import BY_PLAY, PlayerId, Table
from tourney.standings import tiebreaks
from tourney.standings.exact import Value
from tourney.standings.profile import LOT, POINTS
from tourney.standings.ranking import value_of
from tourney.standings.scorecards import Scorecards
from tourney.standings.tally import Tiebreak, TieBreakFunction

Key = tuple[Fraction | float, ...]
"""A key: 1 if the player stayed to the end, else 0; half points; the values of tie-breaks."""

Results = tuple[int, ...]
"""Results of an open table that have the same kind for every seat, as indexes.

The indexes are those of `OpenTable.results`.
"""

NO_VALUE = -(10**30)
"""The number in a key for a tie-break without a value, which ranks below every value."""

_MOST_CASES = 50
"""The maximum number of combinations of results tried to find the bounds of a value.

They are results of the tables where two opponents of the player meet.
"""


class Finish(NamedTuple):
    """Bounds for a player's final points and tie-breaks, given one kind of result at the table.

    Both bounds are tuples that sort as the ranking does: a greater `Key` has the better rank.
    """

    low: Key
    high: Key


class Ahead(NamedTuple):
    """How many other players can end ahead of a player, after one kind of result of the player.

    The numbers hold for all results of the other open tables.

    fewest_above:          at least this many players end above the player
    fewest_level_or_above: at least this many players end level with the player or above
    most_level_or_above:   at most this many players end level with the player or above
    """

    fewest_above: int
    fewest_level_or_above: int
    most_level_or_above: int


class _Seats(NamedTuple):
    """The players of an open table, or one player without a table, and the keys that they reach.

    A key has a player's points and tie-breaks, and sorts as the ranking does (see `Key`).

    highs: for each number n of players, the greatest key that n players of the table can all reach after the
           same result; in ascending order
    lows:  for each number n of players, the greatest key that at least n players of the table reach, whatever
           its result is; in ascending order. Players who perhaps left do not count.
    """

    players: Sequence[PlayerId]
    highs: Sequence[Key]
    lows: Sequence[Key]


class CutBounds:
    """Bounds on where each player can finish, and how many others can end ahead of a player.

    A *key* has the values by which the ranking compares players: points, then tie-breaks (see `Key`).

    question: the event and its cut; if results of earlier rounds are missing or rounds are still to be
              paired, keys have no tie-breaks
    lines:    the point totals, in half points, for which tie-breaks are computed; None for all totals. For
              other totals, only points are compared
    endings:  for each open table, its results grouped by kind
    finishes: (player, results of one kind at the player's table) → the player's lowest and highest key. For a
              player without an open table, the second item of the pair is empty
    codes:    the code of the value at each position of a key; empty at the first position
    """

    def __init__(self, question: CutQuestion, lines: Container[int] | None) -> None:
        self.question = question
        self.tables = question.tables
        self.table_of = {player: at for at, table in enumerate(self.tables) for player in table.seats}
        self.endings = [table.group_results() for table in self.tables]
        codes = [code for code in question.profile.order if code != LOT]
        self.codes = ("", *codes)
        self._led_by_points = codes[0] == POINTS
        self._rows = [tiebreaks.find(code) for code in codes[self._led_by_points :]]
        self._lines = lines
        self._values = _Values(question, self.table_of)
        self._certain = frozenset(question.players).difference(question.possible_drops)
        self.finishes = {
            (player, ending): self._finish(player, ending)
            for player in question.players
            for ending in self.endings_of(player)
        }
        alone = ((player,) for player in question.players if player not in self.table_of)
        seats = [self._seats(players) for players in (*(table.seats for table in self.tables), *alone)]
        self._seats_of = {player: table_seats for table_seats in seats for player in table_seats.players}
        self._highs = sorted(chain.from_iterable(table_seats.highs for table_seats in seats))
        self._lows = sorted(chain.from_iterable(table_seats.lows for table_seats in seats))

    def endings_of(self, player: PlayerId) -> Sequence[Results]:
        """Return the possible results at a player's open table, grouped by kind.

        For a player without an open table, return one empty group.
        """
        at = self.table_of.get(player)
        return [()] if at is None else self.endings[at]

    # -- counts

    def count_ahead(self, player: PlayerId, ending: Results) -> Ahead:
        """Return bounds for the number of players who end ahead of a player (see `Ahead`).

        The bounds hold after each of the results in `ending`.

        ending: a group of results of the player's open table. They can differ, for example in games won, but
                each player of the table has the same outcome and points in all of them. Empty if the player
                has no open table
        """
        low, high = self.finishes[player, ending]
        own_seats = self._seats_of[player]
        mate_finishes = [
            (other, self.finishes[other, ending]) for other in own_seats.players if other != player
        ]
        highs = self._highs, own_seats.highs, sorted(finish.high for _, finish in mate_finishes)
        lows = (
            self._lows,
            own_seats.lows,
            sorted(finish.low for other, finish in mate_finishes if other in self._certain),
        )
        return Ahead(
            fewest_above=_number_from(high, *lows, bisect_right),
            fewest_level_or_above=_number_from(high, *lows, bisect_left),
            most_level_or_above=_number_from(low, *highs, bisect_left),
        )

    def _seats(self, players: Sequence[PlayerId]) -> _Seats:
        """Return the players of a table who can make the cut, with the ranking keys they can reach."""
        candidates = [player for player in players if (player, self.endings_of(player)[0]) in self.finishes]
        endings = self.endings_of(players[0])
        high_keys = [
            sorted(self.finishes[player, ending].high for player in candidates) for ending in endings
        ]
        certain_players = [player for player in candidates if player in self._certain]
        low_keys = [
            sorted(self.finishes[player, ending].low for player in certain_players) for ending in endings
        ]
        # The n-th greatest keys of all results, over n. Sorted rows have them in the same column.
        highs = [max(keys) for keys in zip(*high_keys, strict=True)]
        lows = [min(keys) for keys in zip(*low_keys, strict=True)]
        return _Seats(candidates, highs, lows)

    # -- keys

    def _finish(self, player: PlayerId, ending: Results) -> Finish:
        points = self.points(player, ending)
        has_stayed = int(player not in self.question.record.left_early)
        low: list[Fraction | float] = [has_stayed]
        high: list[Fraction | float] = [has_stayed]
        if self._led_by_points:
            least, most = self.question.gains[player]
            low.append(points + least)
            high.append(points + most)
        compares_ties = self.question.is_exact and (self._lines is None or points in self._lines)
        for row in self._rows:
            if not (compares_ties and self._values.is_bounded(row)):
                return Finish((*low, -inf), (*high, inf))
            least_value, greatest_value = self._values.between(row, player, ending)
            low.append(least_value)
            high.append(greatest_value)
        return Finish(tuple(low), tuple(high))

    def points(self, player: PlayerId, ending: Results) -> int:
        """Return the half points that a player has after a kind of result at the player's table."""
        points = self._values.base.points[player]
        if not ending:
            return points
        table = self.tables[self.table_of[player]]
        seat = table.seats.index(player)
        return points + table.kinds[ending[0]][seat][1] - table.kinds[0][seat][1]


class _Values:
    """The least and greatest values of tie-breaks, computed by the functions of the standings.

    base: the scorecards in which every open table has its first possible result
    """

    def __init__(self, question: CutQuestion, table_of: Mapping[PlayerId, int]) -> None:
        self.question = question
        self.tables = question.tables
        self.table_of = table_of
        first = {table.place: table.results[0] for table in self.tables}
        self.base = Scorecards(question.complete_record(first), question.profile)
        self._extremes: dict[TieBreakFunction | None, tuple[Scorecards, Scorecards]] = {}
        self._extreme_results: dict[tuple[int, int, bool], Sequence[int]] = {}

    def is_bounded(self, row: Tiebreak) -> bool:
        """Return whether a tie-break's value always lies between the two extremes.

        The extremes are its values if all other players get their worst results, and if all get their best.
        """
        by_games = row.looks_at == "games"
        if row.player_function is None or row.looks_at == "scores" or (by_games and self.question.games_vary):
            return False
        if not row.reach:
            return True
        return row.monotone and self._better_results_help and (not by_games or self._games_have_floors)

    @cached_property
    def _better_results_help(self) -> bool:
        """Whether better results of opponents can never lower a monotone tie-break.

        For a tie-break that looks at games, `_games_have_floors` must be true, too.
        """
        profile = self.question.profile
        rules = [profile.outcomes[outcome] for outcome in BY_PLAY]
        if any(rule.match is None or not rule.meets for rule in rules):
            return False  # after some results an opponent does not count
        by_place = chain.from_iterable(of_size.values() for of_size in profile.placement.values())
        if any(points < 0 for points in chain((rule.points for rule in profile.outcomes.values()), by_place)):
            return False  # a product with negative points falls if the opponent does better
        return self._measures_agree

    @cached_property
    def _games_have_floors(self) -> bool:
        """Whether the profile has a floor (a least value) for every share of games.

        Without a floor, opponents who have not played a game yet do not count.
        """
        rule = self.question.profile.game_win
        return min([rule.floor, *rule.floor_by_size.values()]) > 0

    @cached_property
    def _measures_agree(self) -> bool:
        """Whether points, outcome and share of games give a seat the same best and worst result.

        For example, if a house profile gives fewer points for a draw than for a loss, the worst result is a
        draw by points, but a loss by outcome.
        """
        for table in {len(table.seats): table for table in self.tables}.values():
            worths = [self.base.scale.table(result) for result in table.results]
            for seat in range(len(table.seats)):
                measures = [
                    (*merit(kinds[seat]), worth[seat].share or 0)
                    for kinds, worth in zip(table.kinds, worths, strict=True)
                ]
                columns = list(zip(*measures, strict=True))
                if any(choose(measures) != tuple(map(choose, columns)) for choose in (min, max)):
                    return False
        return True

    def between(
        self, row: Tiebreak, player: PlayerId, ending: Results
    ) -> tuple[Fraction | float, Fraction | float]:
        """Return a lower and an upper bound for a player's value of a tie-break.

        If a lower value is better, both bounds are negated, so that a greater number always ranks higher. A
        bound can be a value that no combination of results gives.

        ending: the possible results at the player's table, which all give each seat the same outcome and
            points; empty for a player without an open table
        """
        by_games = row.looks_at == "games"
        tables: list[tuple[int, Sequence[int]]] = []
        if ending:
            tables.append((self.table_of[player], ending if by_games else ending[:1]))
        if row.reach:
            tables += self._shared_tables(player, by_games=by_games)
        values: list[Fraction | float] = []
        for extreme in self._extremes_of(row) if row.reach else (self.base,):
            for results in product(*(results for _, results in tables)):
                scorecards = extreme
                for (at, _), result in zip(tables, results, strict=True):
                    scorecards = self._with_result(scorecards, at, result)
                value = value_of(scorecards, row)(player)
                values.append(-value if row.low and value is not None else _number(value))
        return min(values), max(values)

    def _shared_tables(self, player: PlayerId, *, by_games: bool) -> list[tuple[int, Sequence[int]]]:
        """Return the open tables where two opponents of a player meet, and the results to try.

        Each item is the index of a table and the indexes of its results. The player's own table is left out.
        The opponents cannot both win, so trying the results gives closer bounds for a tie-break than assuming
        the best or the worst result for both. Further tables are left out if all combinations of results
        would be more than `_MOST_CASES`.

        by_games: whether to try every result of a table, not only one of each kind
        """
        opponents = set(self.base.counted_opponents(player))
        at_table = Counter(self.table_of[other] for other in opponents if other in self.table_of)
        shared_tables: list[tuple[int, Sequence[int]]] = []
        cases = 1
        for at, number in at_table.items():
            if number > 1 and at != self.table_of.get(player):
                table = self.tables[at]
                results = (
                    range(len(table.results)) if by_games else [kind[0] for kind in table.group_results()]
                )
                cases *= len(results)
                if cases > _MOST_CASES:
                    break
                shared_tables.append((at, results))
        return shared_tables

    def _with_result(self, scorecards: Scorecards, at: int, result: int) -> Scorecards:
        table = self.tables[at]
        return scorecards.with_table(
            self.base.rounds, Table(table.number, table.seats), table.results[result]
        )

    def _extremes_of(self, row: Tiebreak) -> tuple[Scorecards, Scorecards]:
        """Return scorecards with each player's worst result, and scorecards with each player's best.

        This concerns the players at open tables; the other scorecards are unchanged. Each player gets an
        extreme result regardless of the opponents, so two opponents can both have a win.

        Results are compared by points, then by outcome. There is one exception: some tie-breaks count a value
        of each opponent that depends on games, such as the game-win percentage. For these, the worst result
        is the one that gives the player the lowest such value, and the best result the highest.
        """
        share = row.opponent_function if row.looks_at == "games" else None
        if share not in self._extremes:
            worst, best = {}, {}
            for at, table in enumerate(self.tables):
                for seat, player in enumerate(table.seats):
                    results = self._extreme_results_of(at, seat, by_games=share is not None)
                    cards = [self._with_result(self.base, at, result) for result in results]
                    if share is not None:
                        cards.sort(key=lambda card: _number(share(card, player).value))
                    worst[player], best[player] = cards[0][player], cards[-1][player]
            self._extremes[share] = self.base.with_entries(worst), self.base.with_entries(best)
        return self._extremes[share]

    def _extreme_results_of(self, at: int, seat: int, *, by_games: bool) -> Sequence[int]:
        """Return those results of an open table that can be the worst or the best one for a seat.

        Each result is an index into the table's `results`. An index means the same result at all tables of
        the same size.

        at:       the index of the table in `tables`
        seat:     the index of the seat
        by_games: whether the player's share of games decides which result is worst or best. That share
                  depends on earlier games, too, so several results are returned if each can be the worst or
                  the best. If false, one worst and one best result are returned
        """
        table = self.tables[at]
        key = len(table.seats), seat, by_games
        if key not in self._extreme_results:
            by_merit = sorted(range(len(table.results)), key=lambda result: merit(table.kinds[result][seat]))
            extreme = self._extreme_games(table, seat) if by_games else (by_merit[0], by_merit[-1])
            self._extreme_results[key] = extreme
        return self._extreme_results[key]

    def _extreme_games(self, table: OpenTable, seat: int) -> list[int]:
        """Return the results that can give a seat its best or worst share of games.

        Each of them is a result that no other result beats, or that beats no other result (`_beats`).
        """
        draw = self.question.profile.game_win.draw
        games = []
        for result in table.results:
            wins, losses, draws = self.base.scale.table(result)[seat].games
            games.append((wins + draw * draws, losses + (1 - draw) * draws))
        best = [one for one in games if not any(_beats(other, one) for other in games)]
        worst = [one for one in games if not any(_beats(one, other) for other in games)]
        return [games.index(one) for one in dict.fromkeys([*worst, *best])]


def _beats(one: tuple[Fraction, Fraction], other: tuple[Fraction, Fraction]) -> bool:
    """Return whether `one` is better than `other` in games won or lost, and not worse in either.

    A result is a pair: games won and games lost. A drawn game counts in part as won and in part as lost, by
    the profile.
    """
    return one != other and one[0] >= other[0] and one[1] <= other[1]


def _number_from(
    line: Key,
    keys: Sequence[Key],
    own_keys: Sequence[Key],
    mate_keys: Sequence[Key],
    find: Callable[[Sequence[Key], Key], int],
) -> int:
    """Return how many other players' keys are greater than `line`, or equal to it (see `find`).

    line:      the key of the player with whom the others are compared
    keys:      the `highs` (or the `lows`) of all tables, sorted (see `_Seats`)
    own_keys:  those of the player's own table, sorted; they are not counted
    mate_keys: the keys of the other players at that table after the player's own result, sorted; they are
               counted instead of `own_keys`
    find:      `bisect_right` to count only greater keys, `bisect_left` to count equal keys, too
    """
    number, less, more = (
        len(sorted_keys) - find(sorted_keys, line) for sorted_keys in (keys, own_keys, mate_keys)
    )
    return number - less + more


def _number(value: Value) -> Fraction | int:
    return NO_VALUE if value is None else value


def merit(kind: Kind) -> tuple[int, int]:
    """Return the sort key of a kind of result: points, then outcome; higher is better."""
    outcome, points = kind
    return points, -BY_PLAY.index(outcome)
