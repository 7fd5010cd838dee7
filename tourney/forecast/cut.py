"""Who makes the cut, whatever the open tables end in.

For a player and the kind of result they get, `bounds` counts who may pass them and who surely does. Where that does not
settle it, one table after another is fixed, and completions that speak against it are looked for with the real ranking.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Literal, NamedTuple

from tourney.forecast.bounds import Asker, Places, State, fixing, rating
from tourney.forecast.margins import Margin, told_apart
from tourney.forecast.proving import (
    AGAINST,
    ASKS,
    Goal,
    Proof,
    Prover,
    Settled,
    leaves,
    taken_apart,
)
from tourney.record import Outcome, PlayerId
from tourney.standings.completions import CutQuestion, Drawn, Kind, OpenTable, drawn_to
from tourney.standings.ranking import collector_resting

Verdict = Literal["in", "out", "open"]

Stands = Literal["in", "out", "level", "open"]
"""A verdict in a word for people: level is open with nothing left to play, so that a lot or a match decides."""


class Ending(NamedTuple):
    """An open table and all its results of one kind, as indices into `OpenTable.results`."""

    table: OpenTable
    results: Places

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """What these results are to each seat."""
        return self.table.kinds[self.results[0]]


@dataclass(frozen=True, kw_only=True)
class Grounds:
    """What a verdict rests on.

    points: the player's half points then: for `in` the fewest, for `out` the most
    others: for `in`, how many others end level or above at most; for `out`, how many surely end above
    by:     what was compared: `points` alone, the whole `order`, or the `ranking` of single completions
    tables: the tables whose results make a difference to that, each with what speaks most against the verdict
    apart:  the numbers of tables that were taken apart; cases: into how many cases
    missing: tables of earlier rounds that were; how others were taken apart in these cases is not told
    level:  who can be level on points and stays behind (`in`) or ahead (`out`) → the tie-break that says so, and by how much
    """

    points: int
    others: int
    by: str
    tables: tuple[Ending, ...] = ()
    apart: tuple[int, ...] = ()
    missing: tuple[OpenTable, ...] = ()
    cases: int = 1
    level: Mapping[PlayerId, Margin] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Case:
    """What one kind of own result means. outcome: None where the player has no open table.

    settled: whether an `open` is proved, too: a completion with either end was found
    find_grounds: works out `grounds`; None for `open`
    """

    outcome: Outcome | None
    verdict: Verdict
    settled: bool = True
    find_grounds: Callable[[], Grounds] | None = field(default=None, repr=False)

    @cached_property
    def grounds(self) -> Grounds | None:
        """What `in` or `out` rests on, for people."""
        return self.find_grounds() if self.find_grounds else None


@dataclass(frozen=True, kw_only=True)
class Outlook:
    """What a player can still be.

    cases: a kind of own result each, the best first; where nothing is open for them, one
    at_best_level: whether it is proved that they cannot be in, and at best end level with the last place
    over:   whether nothing is open any more, for anybody
    waits: whether results of earlier rounds are missing
    """

    player: PlayerId
    cases: tuple[Case, ...]
    at_best_level: bool = False
    over: bool = False
    waits: bool = False

    @property
    def now(self) -> Verdict:
        """The verdict over all own results."""
        return _together(case.verdict for case in self.cases)

    @property
    def stands(self) -> Stands:
        """The same as `now`, and `level` apart from `open`."""
        return "level" if self.over and self.at_best_level else self.now

    def after(self, outcome: Outcome) -> Verdict | None:
        """Return the verdict over the own results of that kind; None where there is none."""
        verdicts = [case.verdict for case in self.cases if case.outcome is outcome]
        return _together(verdicts) if verdicts else None


class TableOutlook(NamedTuple):
    """What an open table can mean to all who sit there. outlooks: seat by seat; None: who has left."""

    table: OpenTable
    outlooks: tuple[Outlook | None, ...]

    def drawn(self) -> list[tuple[Drawn, list[PlayerId]]]:
        """Say what a draw is to whom; nothing where there is none. Who is in anyway is suited, too, where all others are."""
        if not any(Outcome.DRAW in (outcome for outcome, _ in kinds) for kinds in self.table.kinds):
            return []
        words = drawn_to(
            (each.now, each.after(Outcome.DRAW)) if each else (None, None) for each in self.outlooks
        )
        by_word: dict[Drawn, list[PlayerId]] = {}
        for word, player in zip(words, self.table.seats, strict=True):
            by_word.setdefault(word, []).append(player)
        return list(by_word.items())


@dataclass(frozen=True, kw_only=True)
class Forecast:
    """The answer for everybody who can still make the cut, or for those who were asked for, in order of registration."""

    question: CutQuestion
    outlooks: tuple[Outlook, ...]

    @property
    def settled(self) -> bool:
        """Whether every player is in or out."""
        return all(outlook.now != "open" for outlook in self.outlooks)

    @cached_property
    def tables(self) -> tuple[TableOutlook, ...]:
        """The tables of the last round that still play, those at which nobody was asked for left out."""
        of = {outlook.player: outlook for outlook in self.outlooks}
        return tuple(
            TableOutlook(table, tuple(map(of.get, table.seats)))
            for table in self.question.tables
            if not of.keys().isdisjoint(table.seats)
        )

    def draws_that_suit(self) -> tuple[OpenTable, ...]:
        """Return the tables of two where a draw puts both in, and not both are in whatever happens."""
        return tuple(
            each.table
            for each in self.tables
            if len(each.outlooks) == 2 and [word for word, _ in each.drawn()] == ["suits"]
        )


def _together(verdicts: Iterable[Verdict]) -> Verdict:
    every = set(verdicts)
    return every.pop() if len(every) == 1 else "open"


def forecast_cut(question: CutQuestion, players: Collection[PlayerId] | None = None) -> Forecast:
    """Answer for everybody, or for these only, exactly as far as a proof reaches.

    Raises TourneyError as `rank` does, and where a table is too large.
    """
    asking = [player for player in question.players if players is None or player in players]
    return Forecast(question=question, outlooks=tuple(outlooks(question, asking)))


def outlooks(question: CutQuestion, players: Iterable[PlayerId]) -> Iterator[Outlook]:
    """Answer for one of the players after the other, for who cannot wait for all; raises as `forecast_cut` does."""
    solver = _CaseByCase(question) if question.missing else _Solver(question)

    def outlook(player: PlayerId) -> Outlook:
        with collector_resting():  # what is kept until the end makes no cycles
            return solver.outlook(player)

    return map(outlook, players)


class _Solver:
    """Works out one question."""

    def __init__(self, question: CutQuestion) -> None:
        self.question = question
        self.prover = Prover(question)
        self.bounds = self.prover.bounds
        self.tables = question.tables

    def outlook(self, player: PlayerId) -> Outlook:
        """Return what a player can still be."""
        kinds = self._kinds(player)
        cases = tuple(self._case(player, kind, results) for kind, results in kinds)
        is_open = any(case.verdict == "open" for case in cases)
        if not is_open or not self.question.exact or player in self.bounds.perhaps_gone:
            waits = bool(self.question.earlier)
            return Outlook(player=player, cases=cases, waits=waits, over=self.question.over)
        if all(case.verdict != "in" for case in cases) and self._never_in(player, kinds, cases):
            return Outlook(player=player, cases=cases, at_best_level=True, over=self.question.over)
        return Outlook(player=player, cases=cases)

    def case(self, player: PlayerId, at: int) -> Case:
        """Return what one kind of own result means. at: its place among the kinds."""
        return self._case(player, *self._kinds(player)[at])

    def _kinds(self, player: PlayerId) -> list[tuple[Kind | None, Places | None]]:
        """Return the kinds of own results, the best first."""
        at = self.bounds.table_of.get(player)
        if at is None:
            return [(None, None)]
        kinds = self.tables[at].kinds_of(player)
        return [(kind, kinds[kind]) for kind in sorted(kinds, key=rating, reverse=True)]

    def _asked(self, player: PlayerId, kind: Kind | None, results: Places | None) -> tuple[Asker, State]:
        mine = self.bounds.own(player, kind, results)
        every = self.bounds.all
        return mine, every if results is None else fixing(every, self.bounds.table_of[player], results)

    def _case(self, player: PlayerId, kind: Kind | None, results: Places | None) -> Case:
        outcome = kind[0] if kind else None
        mine, state = self._asked(player, kind, results)
        seen = self.prover.seen(player, kind)
        goals: list[Literal["in", "out"]] = ["in", "out"]
        if player in self.bounds.perhaps_gone:
            goals.remove("in")
            seen.add("not in")
        for goal in goals:
            if self._settled_by_points(mine, state, goal):
                node = self.bounds.stand(state, by_points=True)
                leaf = Settled(goal, node, self.bounds.count(mine, node, ASKS[goal]))
                return self._proved(outcome, goal, mine, leaf)
        if not self.question.exact:
            return Case(outcome=outcome, verdict="open", settled=False)
        for goal in goals:
            against = AGAINST[goal]
            if against not in seen and self._refuted_by_points(mine, state, goal):
                seen.add(against)
            if against not in seen and (tree := self.prover.prove(mine, state, goal)):
                return self._proved(outcome, goal, mine, tree)
        return Case(outcome=outcome, verdict="open", settled={"not in", "not out"} <= seen)

    def _proved(self, outcome: Outcome | None, goal: Literal["in", "out"], mine: Asker, tree: Proof) -> Case:
        return Case(
            outcome=outcome,
            verdict=goal,
            find_grounds=lambda: self._grounds(mine, goal, tree),
        )

    def _settled_by_points(self, mine: Asker, state: State, goal: Goal) -> bool:
        past, most = self._by_points(mine, state, goal)
        return most < self.question.cut if goal == "in" else past >= self.question.cut

    def _refuted_by_points(self, mine: Asker, state: State, goal: Goal) -> bool:
        """Whether some completion speaks against it by points alone: each table can do its part, whatever the others do."""
        past, most = self._by_points(mine, state, goal)
        return past >= self.question.cut if goal == "in" else most < self.question.cut

    def _by_points(self, mine: Asker, state: State, goal: Goal) -> tuple[int, int]:
        bounds = self.bounds
        if not bounds.led_by_points or bounds.early:
            return 0, len(bounds.players)  # settles and refutes nothing
        return bounds.by_points(mine, state, ASKS[goal])

    def _never_in(
        self,
        player: PlayerId,
        kinds: Sequence[tuple[Kind | None, Places | None]],
        cases: Sequence[Case],
    ) -> bool:
        """Whether no own result can bring more than to be level with the last place."""
        for (kind, results), case in zip(kinds, cases, strict=True):
            if case.verdict == "open":
                mine, state = self._asked(player, kind, results)
                if "in" in self.prover.seen(player, kind) or not self.prover.prove(mine, state, "never in"):
                    return False
        return True

    # -- what was found, as it is told

    def _grounds(self, mine: Asker, goal: Literal["in", "out"], tree: Proof) -> Grounds:
        points = mine.least if goal == "in" else mine.most
        end = max if goal == "in" else min
        if isinstance(tree, Settled) and tree.count is not None:
            tables = []
            for at, (table, count) in enumerate(zip(self.tables, tree.count.tables, strict=True)):
                if tree.count.spread(at):
                    tallies = tree.count.tallies(at)
                    tables.append(
                        Ending(table, next(tally.results for tally in tallies if tally.number == count))
                    )
            return Grounds(
                points=points,
                others=tree.count.total,
                by="points" if tree.node.by_points else "order",
                tables=tuple(tables),
                level=told_apart(self.bounds, mine, tree.node, ASKS[goal]),
            )
        parts = list(leaves(tree))
        others = []
        for leaf in parts:
            if leaf.count is not None:
                others.append(leaf.count.total)
            else:
                above, level = self.prover.ends_at(tuple(left[0] for left in leaf.node.state), mine.player)
                others.append(level if goal == "in" else above)
        return Grounds(
            points=points,
            others=end(others),
            by="ranking" if all(leaf.count is None for leaf in parts) else "order",
            apart=tuple(sorted({self.tables[at].number for at in taken_apart(tree)})),
            cases=len(parts),
        )


class _CaseByCase:
    """Works out a question in which results of earlier rounds are missing: each way they can end is a question of its own.

    Where only the kinds of results are gone through, shares of games decide nothing.
    """

    def __init__(self, question: CutQuestion) -> None:
        self.question = question
        self.whole = _Solver(question)
        self.endings: dict[tuple[Places, ...], _Solver] = {}
        for endings in product(*question.missing):
            assumed = question
            for table, results in zip(question.earlier, endings, strict=True):
                assumed = assumed.assuming(table, results)
            self.endings[endings] = _Solver(assumed)

    def outlook(self, player: PlayerId) -> Outlook:
        """Return what a player can still be."""
        by_points = self.whole.outlook(player).cases
        cases = [
            self._case(player, at) if case.verdict == "open" else case for at, case in enumerate(by_points)
        ]
        return Outlook(player=player, cases=tuple(cases), waits=True)

    def _case(self, player: PlayerId, at: int) -> Case:
        """at: the place of the own result among the kinds there are."""
        found: dict[tuple[Places, ...], Case] = {}
        ends: set[str] = set()
        for endings, solver in self.endings.items():
            case = found[endings] = solver.case(player, at)
            ends.update({"in", "out"} if case.verdict == "open" and case.settled else {case.verdict})
            if len(ends) > 1:
                return Case(outcome=case.outcome, verdict="open", settled={"in", "out"} <= ends)
        verdict = case.verdict
        if verdict == "open":
            return Case(outcome=case.outcome, verdict=verdict, settled=False)
        return Case(
            outcome=case.outcome,
            verdict=verdict,
            find_grounds=lambda: self._grounds(verdict, found),
        )

    def _grounds(self, verdict: Verdict, found: Mapping[tuple[Places, ...], Case]) -> Grounds:
        grounds = [case.grounds for case in found.values() if case.grounds]
        least = verdict == "in"
        return Grounds(
            points=(min if least else max)(each.points for each in grounds),
            others=(max if least else min)(each.others for each in grounds),
            by="points" if all(each.by == "points" for each in grounds) else "order",
            missing=self.question.earlier,
            cases=len(found),
        )
