"""The players who are certain to make or miss the cut, for all results of the open tables.

A *verdict* is `in` or `out` if it is proved for all these results, otherwise `open`. A *completion* gives
every open table a result. The *kind* of a result is what it means for a player: the outcome and the points.

Verdicts are found in three steps: by points alone; by points and tie-breaks; and by ranking the players in
every completion, if there are few completions. The module `bounds` has the first two steps. Each step counts
the other players who can end ahead (`Ahead`), and examines only players whose verdict is still open. A
verdict that no step proves stays open. The reasons for a verdict (`Grounds`) are searched only when they are
needed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import groupby, product
from math import prod
from typing import Literal, NamedTuple

from msgspec import Struct, field

from tourney.forecast.bounds import NO_VALUE, Ahead, CutBounds, Key, Results, merit
from tourney.forecast.question import CutQuestion, Kind, OpenTable
from tourney.record import Outcome, PlayerId, Record
from tourney.standings import tiebreaks
from tourney.standings.exact import Value
from tourney.standings.profile import POINTS
from tourney.standings.ranking import pause_collector, rank

Verdict = Literal["in", "out", "open"]

ShownVerdict = Literal["in", "out", "level", "open"]
"""A verdict for display.

`level`: nothing is left to play, but the player is level with the last place of the cut, so a lot or a match
decides.
"""

DrawEffect = Literal["suits", "open", "not enough", "in anyway", "out anyway"]
"""What a draw means to a player.

suits:      the player makes the cut with it, and is open otherwise
open:       the player stays open
not enough: the player is out with it
in anyway, out anyway: the draw changes nothing
"""

_MOST_RANKED = 20_000
"""The largest product of players and completions for which all completions are ranked.

Ranking this many takes about a second.
"""

_MOST_TABLES = 500
"""The maximum number of open tables for which reasons name the tables that decide a verdict."""


# -- Answers


class Ending(NamedTuple):
    """An open table, and a group of its results that do not differ in outcomes or points."""

    table: OpenTable
    results: Results

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """For each seat of the table, what these results mean for the player: outcome and points."""
        return self.table.kinds[self.results[0]]


class Margin(NamedTuple):
    """The tie-break that decides between a player and another who can be level on points.

    The values are those with which the two players come closest to each other.

    code:         the code of the tie-break
    player_value: the player's value; None if the tie-break has no value
    other_value:  the other player's value; None if the tie-break has no value
    """

    code: str
    player_value: Value
    other_value: Value


class Grounds(Struct, frozen=True, kw_only=True):
    """The reasons for the verdict `in` or `out`.

    points:       the player's half points: the fewest possible for `in`, the most possible for `out`
    other_count:  for `in`, the largest number of other players who can end level or above; for `out`, the
                  smallest number of other players who end above
    by:           what is compared: `points`, the whole `order` (with its tie-breaks), or the `ranking` of
                  every completion
    tables:       for `in`, the tables whose results change `other_count`, with the results that raise it most
    level:        another player who can be level on points → the tie-break that keeps that other player
                  behind (`in`) or ahead (`out`)
    tried_tables: the tables of which every result was tried
    cases:        the number of combinations of these results
    """

    points: int
    other_count: int
    by: Literal["points", "order", "ranking"]
    tables: tuple[Ending, ...] = ()
    level: Mapping[PlayerId, Margin] = field(default_factory=dict)
    tried_tables: tuple[OpenTable, ...] = ()
    cases: int = 1


class Case(Struct, frozen=True, kw_only=True, dict=True):
    """The verdict after one kind of result of the player's own table.

    outcome:      the player's outcome; None for a player without an open table
    find_grounds: a function that computes `grounds`; None if the verdict is `open`
    """

    outcome: Outcome | None
    verdict: Verdict
    find_grounds: Callable[[], Grounds] | None = None

    @cached_property
    def grounds(self) -> Grounds | None:
        """The reasons for `in` or `out`; None if the verdict is `open`."""
        return self.find_grounds() if self.find_grounds else None


class Outlook(Struct, frozen=True, kw_only=True):
    """The verdicts for one player.

    cases: the verdict after each kind of result at the player's own table, the best result first; a single
           verdict for a player without an open table
    at_best_level: whether it is proved that the player can at best tie for the last place of the cut; False
                   for a player who is certainly out or has perhaps left
    is_over: whether no result is open for any player
    has_missing_results: whether results of earlier rounds are missing
    """

    player: PlayerId
    cases: tuple[Case, ...]
    at_best_level: bool = False
    is_over: bool = False
    has_missing_results: bool = False

    @property
    def now(self) -> Verdict:
        """The verdict, if it is the same after every result at the player's table; else `open`."""
        return _together(case.verdict for case in self.cases)

    @property
    def shown_verdict(self) -> ShownVerdict:
        """The verdict to show: `level` if only a tie is left to be broken, otherwise `now`.

        `level` means that no result is open for any player, and that the player is level with the last place
        of the cut. A lot or an extra match then decides whether the player makes the cut.
        """
        return "level" if self.is_over and self.at_best_level else self.now

    def after(self, outcome: Outcome) -> Verdict | None:
        """Return the verdict if the player's own match ends with this outcome.

        Returns None if this outcome is not possible, or if the player has no open table.
        """
        verdicts = [case.verdict for case in self.cases if case.outcome is outcome]
        return _together(verdicts) if verdicts else None


class TableOutlook(NamedTuple):
    """An open table with the verdicts for its players.

    outlooks: the outlook of the player in each seat; None for a player who left
    """

    table: OpenTable
    outlooks: tuple[Outlook | None, ...]

    def draw_effects(self) -> list[tuple[DrawEffect, list[PlayerId]]]:
        """Return what a draw means to the players: each `DrawEffect` with its players.

        If some players have the word `suits` and all others `in anyway`, all of them get `suits`. The list
        is empty if a draw is impossible at this table.
        """
        if not any(Outcome.DRAW in (outcome for outcome, _ in kinds) for kinds in self.table.kinds):
            return []
        words = [_draw_effect(outlook) for outlook in self.outlooks]
        if set(words) == {"suits", "in anyway"}:
            words = ["suits"] * len(words)
        by_word: dict[DrawEffect, list[PlayerId]] = {}
        for word, player in zip(words, self.table.seats, strict=True):
            by_word.setdefault(word, []).append(player)
        return list(by_word.items())


class Forecast(Struct, frozen=True, kw_only=True, dict=True):
    """Verdicts about the cut for all players who can still make it, or for some of them.

    outlooks: the verdicts for each of these players, in order of registration
    """

    question: CutQuestion
    outlooks: tuple[Outlook, ...]

    @property
    def is_settled(self) -> bool:
        """Whether every player is certain to make or to miss the cut."""
        return all(outlook.now != "open" for outlook in self.outlooks)

    @cached_property
    def by_player(self) -> dict[PlayerId, Outlook]:
        """The verdicts about the cut (`Outlook`) by player."""
        return {outlook.player: outlook for outlook in self.outlooks}

    @cached_property
    def tables(self) -> tuple[TableOutlook, ...]:
        """The open tables of the last round that have at least one player of this forecast."""
        return tuple(
            TableOutlook(table, tuple(map(self.by_player.get, table.seats)))
            for table in self.question.tables
            if not self.by_player.keys().isdisjoint(table.seats)
        )

    def draws_that_suit(self) -> tuple[OpenTable, ...]:
        """Return the tables of two where both players are sure to make the cut with a draw.

        A table is left out if both players are sure to make the cut with every result.
        """
        return tuple(
            at.table
            for at in self.tables
            if len(at.outlooks) == 2 and [word for word, _ in at.draw_effects()] == ["suits"]
        )


def _draw_effect(outlook: Outlook | None) -> DrawEffect:
    """Return what a draw at the player's own table decides about making the cut.

    `suits`: the player is sure to make the cut with it; `not enough`: sure to miss it; `open`: neither is
    sure; `in anyway`, `out anyway`: the player is sure to make it, or to miss it, with every result.

    outlook: the verdicts for the player; None for a player who left
    """
    if outlook is None or outlook.now == "out":
        return "out anyway"
    if outlook.now == "in":
        return "in anyway"
    after = outlook.after(Outcome.DRAW)
    return "suits" if after == "in" else "not enough" if after == "out" else "open"


def _together(verdicts: Iterable[Verdict]) -> Verdict:
    different = set(verdicts)
    return different.pop() if len(different) == 1 else "open"


# -- The search


def forecast_cut(question: CutQuestion, players: Collection[PlayerId] | None = None) -> Forecast:
    """Return the verdicts for all players who can still make the cut, or only for `players`.

    Raises TourneyError as `rank` does, and for a table with more than `MOST_SEATS` seats.
    """
    selected_players = [player for player in question.players if players is None or player in players]
    with pause_collector():  # the values that are kept make no cycles
        return Forecast(question=question, outlooks=tuple(outlooks(question, selected_players)))


def outlooks(question: CutQuestion, players: Iterable[PlayerId]) -> Iterator[Outlook]:
    """Return an iterator over the players' verdicts about the cut (`Outlook`).

    The verdicts for a player are calculated when the iterator reaches the player.

    Raises TourneyError as `forecast_cut` does.
    """
    solver = _CaseByCase(question) if question.cases else _Solver(question, _MOST_RANKED)
    return map(solver.outlook, players)


class _Cell(NamedTuple):
    """The verdict for a player after one kind of result at the player's table.

    ending: the results of this kind
    ahead:  how many other players can end ahead, as counted by the method that settled the verdict; if the
            verdict is open, by the last method that was tried
    bounds: the bounds from which `ahead` was counted; None if `ahead` was counted by ranking the players for
            every combination of open results
    """

    ending: Results
    verdict: Verdict
    ahead: Ahead
    bounds: CutBounds | None

    @property
    def other_count(self) -> int:
        """The number of other players that supports the verdict.

        If the verdict is `in`, this is the largest possible number of players who end level or above.
        Otherwise, it is the smallest possible number of players who end above.
        """
        return self.ahead.most_level_or_above if self.verdict == "in" else self.ahead.fewest_above


class _Solver:
    """Finds out which players are certain to make or miss the cut of one `CutQuestion`.

    most_ranked: the limit for ranking the players in every completion (a result for each open table): the
                 largest allowed product of the number of players and the number of completions
    """

    def __init__(self, question: CutQuestion, most_ranked: int) -> None:
        self.question = question
        self.tables = question.tables
        self.by_points = CutBounds(question, lines=())
        self.most_ranked = most_ranked

    @cached_property
    def ahead_by_points(self) -> Mapping[tuple[PlayerId, Results], Ahead]:
        """How many others can end ahead of each player, counted by points alone.

        A key is (player, results at the player's table that all give each seat the same outcome and points).
        The results are empty for a player without an open table.
        """
        return {key: self.by_points.count_ahead(*key) for key in self.by_points.finishes}

    @cached_property
    def by_order(self) -> CutBounds:
        """Bounds on where each player can finish, by points and tie-breaks.

        Tie-breaks are computed only for the point totals with which points alone do not decide whether a
        player makes the cut.
        """
        still_open = [
            key for key, ahead in self.ahead_by_points.items() if self._verdict(key[0], ahead) == "open"
        ]
        return CutBounds(self.question, {self.by_points.points(*key) for key in still_open})

    @cached_property
    def ahead_by_ranking(self) -> Mapping[tuple[PlayerId, Results], Ahead]:
        """How many others can end ahead of each player, counted by ranking every completion.

        A completion gives every open table a result. The keys are (player, results): a group of results of
        the player's open table. Each player of the table has the same outcome and points in all results of a
        group. The group is empty if the player has no open table.

        The mapping is empty if there are too many completions, if more than the last round is open, or if
        the numbers of games are unknown.
        """
        question = self.question
        many = prod(len(table.results) for table in self.tables) * len(question.ranked_players)
        if not question.is_exact or question.games_vary or many > self.most_ranked:
            return {}
        return _rank_completions(question, self.by_points.endings)

    def outlook(self, player: PlayerId) -> Outlook:
        """Return the verdicts for a player."""
        cells = [self._cell(player, ending) for ending in self.by_points.endings_of(player)]
        cases = tuple(
            self._case(player, kind, kind_cells) for kind, kind_cells in self._by_kind(player, cells).items()
        )
        is_certain = self.question.is_exact and player not in self.question.possible_drops
        is_never_in = all(cell.ahead.fewest_level_or_above >= self.question.cut for cell in cells)
        return Outlook(
            player=player,
            cases=cases,
            at_best_level=is_certain and is_never_in and any(case.verdict == "open" for case in cases),
            is_over=self.question.is_over,
            has_missing_results=bool(self.question.earlier),
        )

    def _by_kind(self, player: PlayerId, cells: Sequence[_Cell]) -> Mapping[Kind | None, Sequence[_Cell]]:
        """Group a player's verdicts by what the result at the player's table means for the player.

        Each key is an outcome and the points for it. The best key comes first. If the player has no open
        table, all verdicts are under the key None.

        cells: the player's verdicts, one for each group of results at the table
        """
        at = self.by_points.table_of.get(player)
        if at is None:
            return {None: cells}
        table = self.tables[at]
        seat = table.seats.index(player)
        by_kind: dict[Kind, list[_Cell]] = {}
        for cell in cells:
            by_kind.setdefault(table.kinds[cell.ending[0]][seat], []).append(cell)
        return {kind: by_kind[kind] for kind in sorted(by_kind, key=merit, reverse=True)}

    def _case(self, player: PlayerId, kind: Kind | None, cells: Sequence[_Cell]) -> Case:
        verdict = _together(cell.verdict for cell in cells)
        return Case(
            outcome=kind[0] if kind else None,
            verdict=verdict,
            find_grounds=None if verdict == "open" else lambda: self._grounds(player, verdict, cells),
        )

    def _cell(self, player: PlayerId, ending: Results) -> _Cell:
        for bounds, ahead in self._counts(player, ending):
            cell = _Cell(ending, self._verdict(player, ahead), ahead, bounds)
            if cell.verdict != "open":
                break
        return cell

    def _counts(self, player: PlayerId, ending: Results) -> Iterator[tuple[CutBounds | None, Ahead]]:
        """Yield how many others can end ahead of a player, as counted by up to three methods.

        Each method is more exact than the one before: points alone; points and tie-breaks; ranking the
        players for every combination of open results. Each item is (bounds, count): the bounds that the
        method uses, and its count. The third method uses no bounds, so its item has None instead.
        """
        yield self.by_points, self.ahead_by_points[player, ending]
        if self.question.is_exact:
            yield self.by_order, self.by_order.count_ahead(player, ending)
            if self.ahead_by_ranking:
                yield None, self.ahead_by_ranking[player, ending]

    def _verdict(self, player: PlayerId, ahead: Ahead) -> Verdict:
        if ahead.most_level_or_above < self.question.cut and player not in self.question.possible_drops:
            return "in"
        return "out" if ahead.fewest_above >= self.question.cut else "open"

    def _grounds(self, player: PlayerId, verdict: Verdict, cells: Sequence[_Cell]) -> Grounds:
        """Return the reasons why a player is certain to make the cut (`in`) or to miss it (`out`).

        cells: one `_Cell` for each kind of result that the reasons cover, all with this verdict. The
               player's points and the number of other players come from one of them: for `in`, a cell with
               the most others; for `out`, a cell with the fewest
        """
        is_in = verdict == "in"
        cell = (max if is_in else min)(cells, key=lambda cell: cell.other_count)
        least, most = self.question.gains[player]
        points = self.by_points.points(player, cell.ending) + (least if is_in else most)
        if cell.bounds is None or any(cell.bounds is None for cell in cells):
            own_table = self.by_points.table_of.get(player)
            tried_tables = tuple(table for at, table in enumerate(self.tables) if at != own_table)
            own_results = sum(len(cell.ending) for cell in cells) or 1
            cases = own_results * prod(len(table.results) for table in tried_tables)
            return Grounds(
                points=points,
                other_count=cell.other_count,
                by="ranking",
                tried_tables=tried_tables,
                cases=cases,
            )
        by_points = self.question.profile.order[0] == POINTS and all(
            cell.bounds is self.by_points for cell in cells
        )
        names_ties = not by_points and len(cells) == 1
        return Grounds(
            points=points,
            other_count=cell.other_count,
            by="points" if by_points else "order",
            tables=_deciding_tables(cell.bounds, player, cell.ending) if is_in else (),
            level=_level_on_points(cell.bounds, player, cell.ending, is_in=is_in) if names_ties else {},
        )


def _rank_completions(
    question: CutQuestion, endings: Sequence[Sequence[Results]]
) -> dict[tuple[PlayerId, Results], Ahead]:
    """Rank the players for all combinations of open results; count the players ahead of each.

    Returns the counts for each player and each kind of result at the player's table.

    endings: for each open table, its results grouped by kind
    """
    ending_of = [{result: ending for ending in kinds for result in ending} for kinds in endings]
    counts: dict[tuple[PlayerId, Results], list[tuple[int, int]]] = {}
    for choice in product(*(range(len(table.results)) for table in question.tables)):
        own_endings: dict[PlayerId, Results] = {}
        results = {}
        for table, result, by_result in zip(question.tables, choice, ending_of, strict=True):
            own_endings |= dict.fromkeys(table.seats, by_result[result])
            results[table.place] = table.results[result]
        for player, number in _others_ahead(question, question.complete_record(results)):
            counts.setdefault((player, own_endings.get(player, ())), []).append(number)
    ahead = {}
    for key, numbers in counts.items():
        above, level_or_above = zip(*numbers, strict=True)
        ahead[key] = Ahead(min(above), min(level_or_above), max(level_or_above))
    return ahead


def _others_ahead(question: CutQuestion, record: Record) -> Iterator[tuple[PlayerId, tuple[int, int]]]:
    """Yield each player with two counts: the others ranked above, and those above or level.

    Players who have perhaps left (`CutQuestion.possible_drops`) are counted only in the second number.
    """
    playing = frozenset(question.players)
    certain = playing.difference(question.possible_drops)
    above = level = 0
    for _, rows in groupby(rank(record, question.profile).rows, key=lambda row: row.rank):
        group = [row.player for row in rows if row.player in playing]
        level += len(group)
        yield from ((player, (above, level - 1)) for player in group)
        above += sum(player in certain for player in group)


class _CaseByCase:
    """Finds verdicts if results of earlier rounds are missing.

    Each possible combination of the missing results gives a separate `CutQuestion` (`CutQuestion.cases`). If
    there are many combinations, results with the same outcomes and points are treated as one. The numbers of
    games are then unknown, so tie-breaks by games prove nothing.
    """

    def __init__(self, question: CutQuestion) -> None:
        self.question = question
        self.by_points = _Solver(question, most_ranked=0)
        cases = question.cases
        self.solvers = [_Solver(case, _MOST_RANKED // len(cases)) for case in cases]

    def outlook(self, player: PlayerId) -> Outlook:
        """Return the verdicts for a player."""
        case_outlooks: list[Outlook] = []
        cases = [
            self._case(player, at, case, case_outlooks) if case.verdict == "open" else case
            for at, case in enumerate(self.by_points.outlook(player).cases)
        ]
        return Outlook(player=player, cases=tuple(cases), has_missing_results=True)

    def _case(self, player: PlayerId, at: int, by_points: Case, case_outlooks: list[Outlook]) -> Case:
        """Return the verdict for a player after one kind of result at the player's own table.

        If the verdict is proved to be the same for all combinations of missing results, return it. Otherwise,
        return `by_points`.

        at:            the index of the kind of result (an outcome and its points) in `Outlook.cases`
        by_points:     the case from points alone; its verdict must be `open`
        case_outlooks: the player's verdicts that were calculated earlier: one `Outlook` for each of the
                       first combinations. This method appends each `Outlook` that it calculates
        """
        cases: list[Case] = []
        for number, solver in enumerate(self.solvers):
            if number == len(case_outlooks):
                case_outlooks.append(solver.outlook(player))
            cases.append(case_outlooks[number].cases[at])
            verdict = _together(case.verdict for case in cases)
            if verdict == "open":
                return by_points
        return Case(
            outcome=by_points.outcome,
            verdict=verdict,
            find_grounds=lambda: self._grounds(verdict, [case.grounds for case in cases if case.grounds]),
        )

    def _grounds(self, verdict: Verdict, grounds: Sequence[Grounds]) -> Grounds:
        is_in = verdict == "in"
        return Grounds(
            points=(min if is_in else max)(case.points for case in grounds),
            other_count=(max if is_in else min)(case.other_count for case in grounds),
            by="points" if all(case.by == "points" for case in grounds) else "order",
            tried_tables=self.question.earlier,
            cases=len(grounds),
        )


# -- The search for reasons


def _deciding_tables(bounds: CutBounds, player: PlayerId, ending: Results) -> tuple[Ending, ...]:
    """Return the other open tables that affect how many players can overtake or equal `player`.

    Each table comes with the group of results after which the largest number of its players can overtake or
    equal `player`. Empty if there are more than `_MOST_TABLES` open tables.

    ending: the results at the player's own table, which all give each seat the same outcome and points
    """
    if len(bounds.tables) > _MOST_TABLES:
        return ()
    low = bounds.finishes[player, ending].low
    deciding = []
    for at, table in enumerate(bounds.tables):
        if at == bounds.table_of.get(player):
            continue
        seats = [other for other in table.seats if (other, bounds.endings[at][0]) in bounds.finishes]
        numbers = {
            results: sum(bounds.finishes[other, results].high >= low for other in seats)
            for results in bounds.endings[at]
        }
        most = max(numbers, key=numbers.__getitem__)
        if numbers[most] > min(numbers.values()):
            deciding.append(Ending(table, most))
    return tuple(deciding)


def _level_on_points(
    bounds: CutBounds, player: PlayerId, ending: Results, *, is_in: bool
) -> dict[PlayerId, Margin]:
    """Return which others can be level on points with a player, and the tie-breaks that decide.

    The `Margin` of each returned player has the tie-break that decides between the two players, and their
    values when they come closest to each other.

    is_in: True if the verdict on `player` is `in`. Then only others who always end behind are returned.
           False if it is `out`. Then only others who always end ahead are returned
    """
    own_key = bounds.finishes[player, ending].low if is_in else bounds.finishes[player, ending].high
    own_table = bounds.table_of.get(player)
    margins = {}
    for other in bounds.question.players:
        if other == player or (not is_in and other in bounds.question.possible_drops):
            continue
        is_beside = own_table is not None and bounds.table_of.get(other) == own_table
        finishes = [
            bounds.finishes[other, results]
            for results in ([ending] if is_beside else bounds.endings_of(other))
        ]
        keys = [finish.high if is_in else finish.low for finish in finishes]
        level = [key for key in keys if _is_level(bounds, key, own_key)]
        if level and (max(keys) < own_key if is_in else min(keys) > own_key):
            margins[other] = _margin(bounds, own_key, max(level) if is_in else min(level))
    return margins


def _is_level(bounds: CutBounds, one: Key, other: Key) -> bool:
    """Return whether two ranking keys (`Key`) are equal before their first tie-break.

    The first value is whether the player stayed in the event to the end. If the ranking begins with points,
    they are the second value. Otherwise, only the first value is compared.
    """
    length = 2 if bounds.codes[1] == POINTS else 1
    return one[:length] == other[:length]


def _margin(bounds: CutBounds, own_key: Key, other_key: Key) -> Margin:
    """Return the first tie-break in which two keys differ, with both values."""
    at = next(at for at, (one, other) in enumerate(zip(own_key, other_key, strict=False)) if one != other)
    code = bounds.codes[at]
    sign = -1 if tiebreaks.find(code).low else 1
    one, other = (
        None if value == NO_VALUE else Fraction(sign * value) for value in (own_key[at], other_key[at])
    )
    return Margin(code, one, other)
