"""The players who are certain to make or miss the cut, for all results of the open tables.

Verdicts are found in three steps: by points alone; by points and tie-breaks (both in `bounds`); and by
ranking every combination of open results, if there are few. Each step examines the players that the previous
step left open. A verdict that no step settles stays open.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby, product
from math import prod
from typing import Literal, NamedTuple

from tourney.forecast.bounds import CutBounds, Results, merit
from tourney.forecast.grounds import Grounds, deciding_tables, stays_ahead, stays_behind
from tourney.record import Outcome, PlayerId, Record
from tourney.standings.completions import CutQuestion, Drawn, Kind, OpenTable, drawn_to
from tourney.standings.profile import POINTS
from tourney.standings.ranking import collector_resting, rank

Verdict = Literal["in", "out", "open"]

Stands = Literal["in", "out", "level", "open"]
"""A verdict for display.

`level` is an open verdict with nothing left to play: a lot or a match decides.
"""

_MOST_RANKED = 20_000
"""The largest product of players and completions for which all completions are ranked.

This takes about a second.
"""


# -- Answers


@dataclass(frozen=True, kw_only=True)
class Case:
    """The verdict after one kind of result of the player's own table.

    outcome:      the player's outcome; None for a player without an open table
    find_grounds: a function that computes `grounds`; None if the verdict is `open`
    """

    outcome: Outcome | None
    verdict: Verdict
    find_grounds: Callable[[], Grounds] | None = field(default=None, repr=False)

    @cached_property
    def grounds(self) -> Grounds | None:
        """The reasons for `in` or `out`; None if the verdict is `open`."""
        return self.find_grounds() if self.find_grounds else None


@dataclass(frozen=True, kw_only=True)
class Outlook:
    """The verdicts for one player.

    cases: the verdict after each kind of own result, the best result first; a single verdict for a player
           without an open table
    at_best_level: whether the player is certainly not in, but may end level with the last place
    over:  whether no result is open for any player
    waits: whether results of earlier rounds are missing
    """

    player: PlayerId
    cases: tuple[Case, ...]
    at_best_level: bool = False
    over: bool = False
    waits: bool = False

    @property
    def now(self) -> Verdict:
        """The verdict if it is the same after every own result; otherwise `open`."""
        return _together(case.verdict for case in self.cases)

    @property
    def stands(self) -> Stands:
        """The verdict `now`, or `level` if a lot or a match will decide."""
        return "level" if self.over and self.at_best_level else self.now

    def after(self, outcome: Outcome) -> Verdict | None:
        """Return the verdict after the own results with an outcome.

        Returns None if there is no such result.
        """
        verdicts = [case.verdict for case in self.cases if case.outcome is outcome]
        return _together(verdicts) if verdicts else None


class TableOutlook(NamedTuple):
    """An open table with the verdicts for its players.

    outlooks: the outlook of the player in each seat; None for a player who left
    """

    table: OpenTable
    outlooks: tuple[Outlook | None, ...]

    def drawn(self) -> list[tuple[Drawn, list[PlayerId]]]:
        """Return the effects of a draw, each with its players.

        The list is empty if a draw is impossible.
        """
        if not any(Outcome.DRAW in (outcome for outcome, _ in kinds) for kinds in self.table.kinds):
            return []
        words = drawn_to(
            (outlook.now, outlook.after(Outcome.DRAW)) if outlook else (None, None)
            for outlook in self.outlooks
        )
        by_word: dict[Drawn, list[PlayerId]] = {}
        for word, player in zip(words, self.table.seats, strict=True):
            by_word.setdefault(word, []).append(player)
        return list(by_word.items())


@dataclass(frozen=True, kw_only=True)
class Forecast:
    """The outlooks of some players, or of all players who can still make the cut.

    outlooks: in order of registration
    """

    question: CutQuestion
    outlooks: tuple[Outlook, ...]

    @property
    def settled(self) -> bool:
        """Whether every player is in or out."""
        return all(outlook.now != "open" for outlook in self.outlooks)

    @cached_property
    def tables(self) -> tuple[TableOutlook, ...]:
        """The open tables of the last round with at least one of these players."""
        by_player = {outlook.player: outlook for outlook in self.outlooks}
        return tuple(
            TableOutlook(table, tuple(map(by_player.get, table.seats)))
            for table in self.question.tables
            if not by_player.keys().isdisjoint(table.seats)
        )

    def draws_that_suit(self) -> tuple[OpenTable, ...]:
        """Return the tables of two where a draw puts both players in, if they are not in anyway."""
        return tuple(
            at.table
            for at in self.tables
            if len(at.outlooks) == 2 and [word for word, _ in at.drawn()] == ["suits"]
        )


def _together(verdicts: Iterable[Verdict]) -> Verdict:
    different = set(verdicts)
    return different.pop() if len(different) == 1 else "open"


# -- The search


def forecast_cut(question: CutQuestion, players: Collection[PlayerId] | None = None) -> Forecast:
    """Return the outlooks of all players, or only of `players`.

    Raises TourneyError as `rank` does, and for a table with more than `MOST_SEATS` seats.
    """
    chosen = [player for player in question.players if players is None or player in players]
    with collector_resting():  # the values that are kept make no cycles
        return Forecast(question=question, outlooks=tuple(outlooks(question, chosen)))


def outlooks(question: CutQuestion, players: Iterable[PlayerId]) -> Iterator[Outlook]:
    """Return an iterator over the players' outlooks. Each is calculated when it is requested.

    Raises TourneyError as `forecast_cut` does.
    """
    solver = _CaseByCase(question) if question.missing else _Solver(question, _MOST_RANKED)
    return map(solver.outlook, players)


class _Cell(NamedTuple):
    """A verdict for one player and one kind of result at the player's table.

    others: as in `Grounds`
    bounds: the bounds that were compared; None if ranking every completion settled the verdict
    """

    ending: Results
    verdict: Verdict
    others: int = 0
    bounds: CutBounds | None = None


class _Solver:
    """Finds verdicts for one question.

    most_ranked: the largest product of players and completions for which all completions are ranked
    """

    def __init__(self, question: CutQuestion, most_ranked: int) -> None:
        self.question = question
        self.tables = question.tables
        self.by_points = CutBounds(question, lines=())
        self.most_ranked = most_ranked

    @cached_property
    def by_order(self) -> CutBounds:
        """The bounds with tie-breaks, computed only for the points of players that are still open."""
        keys = self.by_points.finishes
        still_open = [key for key in keys if self._bounded(self.by_points, *key).verdict == "open"]
        return CutBounds(self.question, {self.by_points.points(*key) for key in still_open})

    @cached_property
    def ranked(self) -> Mapping[tuple[PlayerId, Results], _Ranked]:
        """The counts from ranking every completion; empty if there are too many completions."""
        question = self.question
        many = prod(len(table.results) for table in self.tables) * len(question.ranked)
        if not question.exact or question.games_vary or many > self.most_ranked:
            return {}
        return _rank_completions(question, self.by_points.endings)

    def outlook(self, player: PlayerId) -> Outlook:
        """Return the verdicts for a player."""
        kinds = self.kinds(player)
        cases = tuple(self.case(player, kind) for kind in kinds)
        is_certain = self.question.exact and player not in self.question.perhaps_gone
        return Outlook(
            player=player,
            cases=cases,
            at_best_level=is_certain and self._is_level_at_best(player, cases),
            over=self.question.over,
            waits=bool(self.question.earlier),
        )

    def kinds(self, player: PlayerId) -> list[Kind | None]:
        """Return the kinds of result for a player, the best first; [None] without an open table."""
        at = self.by_points.table_of.get(player)
        if at is None:
            return [None]
        return [*sorted(self.tables[at].kinds_of(player), key=merit, reverse=True)]

    def case(self, player: PlayerId, kind: Kind | None) -> Case:
        """Return the verdict after one kind of own result."""
        cells = [self._cell(player, ending) for ending in self._endings(player, kind)]
        verdict = _together(cell.verdict for cell in cells)
        return Case(
            outcome=kind[0] if kind else None,
            verdict=verdict,
            find_grounds=None if verdict == "open" else lambda: self._grounds(player, verdict, cells),
        )

    def _endings(self, player: PlayerId, kind: Kind | None) -> Iterator[Results]:
        if kind is None:
            yield ()
            return
        at = self.by_points.table_of[player]
        seat = self.tables[at].seats.index(player)
        yield from (
            ending for ending in self.by_points.endings[at] if self.tables[at].kinds[ending[0]][seat] == kind
        )

    def _cell(self, player: PlayerId, ending: Results) -> _Cell:
        cell = self._bounded(self.by_points, player, ending)
        if cell.verdict != "open" or not self.question.exact:
            return cell
        cell = self._bounded(self.by_order, player, ending)
        if cell.verdict != "open" or not self.ranked:
            return cell
        counts = self.ranked[player, ending]
        if counts.most_level_or_above < self.question.cut and player not in self.question.perhaps_gone:
            return _Cell(ending, "in", counts.most_level_or_above)
        if counts.fewest_above >= self.question.cut:
            return _Cell(ending, "out", counts.fewest_above)
        return cell

    def _bounded(self, bounds: CutBounds, player: PlayerId, ending: Results) -> _Cell:
        if player not in self.question.perhaps_gone:
            number = bounds.most_level_or_above(player, ending)
            if number < self.question.cut:
                return _Cell(ending, "in", number, bounds)
        number = bounds.fewest_above(player, ending)
        return _Cell(ending, "out" if number >= self.question.cut else "open", number, bounds)

    def _is_level_at_best(self, player: PlayerId, cases: Sequence[Case]) -> bool:
        """Return whether the player can at best be level with the last place in the cut."""
        verdicts = {case.verdict for case in cases}
        return (
            "open" in verdicts
            and "in" not in verdicts
            and all(self._is_never_in(player, ending) for ending in self.by_points.endings_of(player))
        )

    def _is_never_in(self, player: PlayerId, ending: Results) -> bool:
        number = self.by_order.fewest_level_or_above(player, ending)
        if number < self.question.cut and self.ranked:
            number = self.ranked[player, ending].fewest_level_or_above
        return number >= self.question.cut

    # -- grounds

    def _grounds(self, player: PlayerId, verdict: Verdict, cells: Sequence[_Cell]) -> Grounds:
        """Return the reasons for `in` or `out`.

        They come from the cell that comes closest to another verdict.
        """
        choose = max if verdict == "in" else min
        cell = choose(cells, key=lambda cell: cell.others)
        points = self.by_points.points(player, cell.ending)
        least, most = self.question.gains[player]
        points += least if verdict == "in" else most
        if cell.bounds is None or any(cell.bounds is None for cell in cells):
            own = self.by_points.table_of.get(player)
            return Grounds(
                points=points,
                others=cell.others,
                by="ranking",
                tried=tuple(table for at, table in enumerate(self.tables) if at != own),
                cases=sum(self.ranked[player, cell.ending].cases for cell in cells),
            )
        by_points = self.question.profile.order[0] == POINTS and all(
            cell.bounds is self.by_points for cell in cells
        )
        subject = cell.bounds, player, cell.ending
        return Grounds(
            points=points,
            others=cell.others,
            by="points" if by_points else "order",
            tables=deciding_tables(*subject) if verdict == "in" else (),
            level={}
            if by_points or cells[1:]
            else (stays_behind if verdict == "in" else stays_ahead)(*subject),
        )


class _Ranked(NamedTuple):
    """The numbers of other players who rank above, and level or above, after one own result.

    The numbers are the extremes over all completions.

    cases: the number of completions
    """

    fewest_above: int
    fewest_level_or_above: int
    most_level_or_above: int
    cases: int


def _rank_completions(
    question: CutQuestion, endings: Sequence[Sequence[Results]]
) -> dict[tuple[PlayerId, Results], _Ranked]:
    """Rank the players in every completion. Return counts by player and kind of own result.

    endings: for each open table, its results grouped by kind
    """
    ending_of = [{result: ending for ending in kinds for result in ending} for kinds in endings]
    counts: dict[tuple[PlayerId, Results], list[tuple[int, int]]] = {}
    for choice in product(*(range(len(table.results)) for table in question.tables)):
        own: dict[PlayerId, Results] = {}
        results = {}
        for table, result, by_result in zip(question.tables, choice, ending_of, strict=True):
            own |= dict.fromkeys(table.seats, by_result[result])
            results[table.number] = table.results[result]
        for player, number in _others_ahead(question, question.completed(results)):
            counts.setdefault((player, own.get(player, ())), []).append(number)
    return {
        key: _Ranked(
            fewest_above=min(above for above, _ in numbers),
            fewest_level_or_above=min(level for _, level in numbers),
            most_level_or_above=max(level for _, level in numbers),
            cases=len(numbers),
        )
        for key, numbers in counts.items()
    }


def _others_ahead(question: CutQuestion, record: Record) -> Iterator[tuple[PlayerId, tuple[int, int]]]:
    """Yield (player, (others who rank above, others who rank level or above))."""
    playing = frozenset(question.players)
    certain = playing.difference(question.perhaps_gone)
    above = level = 0
    for _, rows in groupby(rank(record, question.profile).rows, key=lambda row: row.rank):
        group = [row.player for row in rows if row.player in playing]
        level += len(group)
        yield from ((player, (above, level - 1)) for player in group)
        above += sum(player in certain for player in group)


class _CaseByCase:
    """Finds verdicts if earlier results are missing.

    Each combination of the missing results is a question of its own.

    If only the kinds of results are tried (`CutQuestion.missing`), tie-breaks by games decide nothing.
    """

    def __init__(self, question: CutQuestion) -> None:
        self.question = question
        self.by_points = _Solver(question, most_ranked=0)
        self.solvers = []
        cases = list(product(*question.missing))
        for endings in cases:
            assumed = question
            for table, results in zip(question.earlier, endings, strict=True):
                assumed = assumed.assuming(table, results)
            self.solvers.append(_Solver(assumed, _MOST_RANKED // len(cases)))

    def outlook(self, player: PlayerId) -> Outlook:
        """Return the verdicts for a player."""
        cases = [
            case if case.verdict != "open" else self._case(player, kind)
            for kind, case in zip(
                self.by_points.kinds(player), self.by_points.outlook(player).cases, strict=True
            )
        ]
        return Outlook(player=player, cases=tuple(cases), waits=True)

    def _case(self, player: PlayerId, kind: Kind | None) -> Case:
        cases: list[Case] = []
        for solver in self.solvers:
            cases.append(solver.case(player, kind))
            verdict = _together(case.verdict for case in cases)
            if verdict == "open":
                return Case(outcome=kind[0] if kind else None, verdict="open")
        return Case(
            outcome=kind[0] if kind else None,
            verdict=verdict,
            find_grounds=lambda: self._grounds(verdict, [case.grounds for case in cases if case.grounds]),
        )

    def _grounds(self, verdict: Verdict, grounds: Sequence[Grounds]) -> Grounds:
        is_in = verdict == "in"
        return Grounds(
            points=(min if is_in else max)(case.points for case in grounds),
            others=(max if is_in else min)(case.others for case in grounds),
            by="points" if all(case.by == "points" for case in grounds) else "order",
            tried=self.question.earlier,
            cases=len(grounds),
        )
