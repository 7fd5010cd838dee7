"""Who makes the cut, whatever the open tables end in: proved, or not told; and the least help of who cannot do it alone.

For a player and the kind of result they get, `bounds` counts who may pass them and who surely does. Where that does not
settle it, one table after another is fixed, and completions that speak against it are looked for with the real ranking.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import product
from typing import Any, Literal, NamedTuple

from tourney.forecast.bounds import (
    Asker,
    Counting,
    Headcount,
    Places,
    Question,
    Stand,
    State,
    rating,
)
from tourney.forecast.margins import Margin, told_apart
from tourney.record import Outcome, PlayerId
from tourney.standings.completions import CutQuestion, Kind, OpenTable, score_text
from tourney.wording import MOST_NAMED

Verdict = Literal["in", "out", "open"]

Stands = Literal["in", "out", "level", "open"]
"""A verdict in a word for people: level is open with nothing left to play, so that a lot or a match decides."""

Certificate = Mapping[str, Any]
"""A proof that `tourney.standings.cut_proofs` checks: plain values, as they go into JSON."""


class Ending(NamedTuple):
    """One table and what it ends in: some of its results, by their places in `OpenTable.results`."""

    table: OpenTable
    results: Places

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """What these results are to each seat, the first of them where they are not all of one kind."""
        return self.table.kinds[self.results[0]]

    @property
    def of_one_kind(self) -> bool:
        """Whether these are all the results of one kind, whatever the games."""
        alike = [at for at, kinds in enumerate(self.table.kinds) if kinds == self.kinds]
        return set(alike) == set(self.results)


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
    find_proof, find_grounds: of `in` or `out`
    """

    outcome: Outcome | None
    verdict: Verdict
    settled: bool = True
    find_proof: Callable[[], Certificate] | None = field(default=None, repr=False)
    find_grounds: Callable[[], Grounds] | None = field(default=None, repr=False)

    @cached_property
    def proof(self) -> Certificate | None:
        """The certificate of `in` or `out`."""
        return self.find_proof() if self.find_proof else None

    @cached_property
    def grounds(self) -> Grounds | None:
        """What `in` or `out` rests on, for people."""
        return self.find_grounds() if self.find_grounds else None


@dataclass(frozen=True, kw_only=True)
class Help:
    """Tables that, with the player's best own result, are enough to be in.

    own:    what the own result has to be where not any of the best kind will do
    tables: other tables and what they have to end in
    least:  whether it is proved that no fewer other tables would do, whoever wins or draws there
    fewest: how many other tables it takes, as far as that is proved, whoever wins or draws there
    """

    tables: tuple[Ending, ...]
    own: Ending | None = None
    least: bool = False
    fewest: int = 0


@dataclass(frozen=True, kw_only=True)
class Outlook:
    """What a player can still be.

    cases: a kind of own result each, the best first; where nothing is open for them, one
    help:  for who is not in even with their best result: what else is enough; None: nothing was found
    at_best_level: whether it is proved that they cannot be in, and at best end level with the last place
    is_level: whether they are level with it, and nothing is open any more
    """

    player: PlayerId
    cases: tuple[Case, ...]
    help: Help | None = None
    at_best_level: bool = False
    is_level: bool = False

    @property
    def now(self) -> Verdict:
        """The verdict over all own results."""
        return _together(case.verdict for case in self.cases)

    @property
    def stands(self) -> Stands:
        """The same as `now`, and `level` apart from `open`."""
        return "level" if self.is_level else self.now

    def after(self, outcome: Outcome) -> Verdict | None:
        """Return the verdict over the own results of that kind; None where there is none."""
        verdicts = [case.verdict for case in self.cases if case.outcome is outcome]
        return _together(verdicts) if verdicts else None


Drawn = Literal["suits", "open", "not enough", "in anyway", "out anyway"]
"""What a draw is to somebody: it puts them in, leaves them open or out, where another result would not; or nothing hangs on it."""


class TableOutlook(NamedTuple):
    """What an open table can mean to all who sit there. outlooks: seat by seat; None: who has left."""

    table: OpenTable
    outlooks: tuple[Outlook | None, ...]

    def drawn(self) -> list[tuple[Drawn, list[PlayerId]]]:
        """Say what a draw is to whom; nothing where there is none. Who is in anyway is suited, too, where all others are."""
        if not any(Outcome.DRAW in (outcome for outcome, _ in kinds) for kinds in self.table.kinds):
            return []
        words = [_drawn(outlook) for outlook in self.outlooks]
        if set(words) == {"suits", "in anyway"}:
            words = ["suits"] * len(words)
        by_word: dict[Drawn, list[PlayerId]] = {}
        for word, player in zip(words, self.table.seats, strict=True):
            by_word.setdefault(word, []).append(player)
        return list(by_word.items())


def _drawn(outlook: Outlook | None) -> Drawn:
    if outlook is None or outlook.now == "out":
        return "out anyway"
    if outlook.now == "in":
        return "in anyway"
    words: dict[Verdict | None, Drawn] = {"in": "suits", "out": "not enough"}
    return words.get(outlook.after(Outcome.DRAW), "open")


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
    return map((_CaseByCase(question) if question.missing else _Solver(question)).outlook, players)


_Goal = Literal["in", "out", "never in"]
"""What is to be proved; never in: at best level with the last place."""

_AGAINST: Mapping[_Goal, str] = {"in": "not in", "out": "not out", "never in": "in"}
"""What is to be proved → what a completion against it shows."""

_ASKS: Mapping[_Goal, Question] = {"in": "may be level", "out": "is above", "never in": "is level"}

_MOST_RIVALS = 6
"""Players level on points whom a guessed completion is made against."""

_FEWEST_COUNTS = 30
"""Counts that are made to find one player's help, however many others need some."""

_MANY = 128
"""Of more players a proof that cannot be paid for is given up at once; of fewer, what is looked at meanwhile may refute it."""

_FEW_TABLES = 3
"""So many tables, or so many more than are surely needed, are searched for help."""

_USUAL = 3
"""Scores that are usual: the first of a kind, which are tried where a large field allows no more."""

_GUESSES = 5
"""Completions guessed before a verdict is held for likely and worked for."""


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A count that settles it, or a ranking of the one completion that is left (`count`: None)."""

    goal: _Goal
    node: Stand
    count: Headcount | None


@dataclass(frozen=True, slots=True)
class _Branch:
    """One table fixed: a proof for each part of its results."""

    at: int
    cases: tuple[tuple[Places, _Leaf | _Branch], ...]


class _Solver:
    """Works out one question."""

    def __init__(self, question: CutQuestion) -> None:
        self.question = question
        self.bounds = Counting(question)
        self.tables = question.tables
        self.budget = 0
        self.searches = 100_000 // max(1, len(question.players))
        self._seen: dict[tuple[PlayerId, Kind | None], dict[str, Places]] = {}

    # -- what was seen of completions

    def seen(self, player: PlayerId, kind: Kind | None) -> dict[str, Places]:
        """Return what completions have shown of a player with that own result, each with one that shows it."""
        return self._seen.setdefault((player, kind), {})

    def ends_at(self, choice: Places, player: PlayerId) -> tuple[int, int]:
        """Return how many stand above the player at a completion, and how many others level or above."""
        known = self.bounds.places(choice, player)
        cut = self.question.cut
        for each, (above, level) in known.items():
            seen = self.seen(each, self._kind(each, choice))
            if above < cut:
                seen.setdefault("not out", choice)
            seen.setdefault("in" if level < cut else "not in", choice)
        return known[player]

    def _kind(self, player: PlayerId, choice: Places) -> Kind | None:
        at = self.bounds.table_of.get(player)
        if at is None:
            return None
        table = self.tables[at]
        return table.kinds[choice[at]][table.seats.index(player)]

    # -- the search

    def outlook(self, player: PlayerId) -> Outlook:
        """Return what a player can still be."""
        kinds = self._kinds(player)
        cases = tuple(self._case(player, kind, results) for kind, results in kinds)
        is_open = any(case.verdict == "open" for case in cases)
        if not is_open or not self.question.exact or player in self.bounds.perhaps_gone:
            return Outlook(player=player, cases=cases)
        if all(case.verdict != "in" for case in cases) and self._never_in(player, kinds, cases):
            return Outlook(player=player, cases=cases, at_best_level=True, is_level=not self.tables)
        help_ = self._help(player, *kinds[0]) if cases[0].verdict == "open" else None
        return Outlook(player=player, cases=cases, help=help_)

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
        seen = self.seen(player, kind)
        goals: list[Literal["in", "out"]] = ["in", "out"]
        if player in self.bounds.perhaps_gone:
            goals.remove("in")
            seen["not in"] = ()
        for goal in goals:
            if self._settled_by_points(mine, state, goal):
                node = self.node(state, by_points=True)
                return self._proved(outcome, goal, mine, self._leaf(mine, node, goal))
        if not self.question.exact:
            return Case(outcome=outcome, verdict="open", settled=False)
        for goal in goals:
            self.budget = _budget(len(self.bounds.players), len(self.tables))
            against = _AGAINST[goal]
            if against not in seen and self._refuted_by_points(mine, state, goal):
                seen[against] = ()
            if against not in seen and (tree := self.prove(mine, state, goal)):
                return self._proved(outcome, goal, mine, tree)
        return Case(outcome=outcome, verdict="open", settled={"not in", "not out"} <= seen.keys())

    def _proved(
        self, outcome: Outcome | None, goal: Literal["in", "out"], mine: Asker, tree: _Leaf | _Branch
    ) -> Case:
        return Case(
            outcome=outcome,
            verdict=goal,
            find_proof=lambda: self._certificate(mine, goal, tree),
            find_grounds=lambda: self._grounds(mine, goal, tree),
        )

    def _settled_by_points(self, mine: Asker, state: State, goal: _Goal) -> bool:
        past, most = self._by_points(mine, state, goal)
        return most < self.question.cut if goal == "in" else past >= self.question.cut

    def _refuted_by_points(self, mine: Asker, state: State, goal: _Goal) -> bool:
        """Whether some completion speaks against it by points alone: each table can do its part, whatever the others do."""
        past, most = self._by_points(mine, state, goal)
        return past >= self.question.cut if goal == "in" else most < self.question.cut

    def _by_points(self, mine: Asker, state: State, goal: _Goal) -> tuple[int, int]:
        bounds = self.bounds
        if not bounds.led_by_points or bounds.early:
            return 0, len(bounds.players)  # settles and refutes nothing
        return bounds.by_points(mine, state, _ASKS[goal])

    def node(self, state: State, *, by_points: bool = False) -> Stand:
        """Return what is looked at where tables have these results."""
        every = self.bounds.all
        fixed = {at: results for at, results in enumerate(state) if results is not every[at]}
        codes = {at: self.bounds.code(at, results) for at, results in fixed.items()}
        return Stand(state, fixed, codes, by_points)

    def _leaf(self, mine: Asker, node: Stand, goal: _Goal) -> _Leaf:
        return _Leaf(goal, node, self.bounds.count(mine, node, _ASKS[goal]))

    def _holds(self, goal: _Goal, above: int, level: int) -> bool:
        cut = self.question.cut
        return above >= cut if goal == "out" else level >= cut if goal == "never in" else level < cut

    def prove(self, mine: Asker, state: State, goal: _Goal, owed: int = 0) -> _Leaf | _Branch | None:
        """Prove it by the bound, table after table fixed where that does not do; None: refuted, or given up.

        owed: nodes that the proof of which this is a part needs besides; where they cannot be paid there is no proof
        """
        self.budget -= 1
        if self.budget < 0:
            return None
        leaf = self._leaf(mine, self.node(state), goal)
        assert leaf.count is not None
        if self._holds(goal, leaf.count.total, leaf.count.total):
            return leaf
        free = [at for at, results in enumerate(state) if len(results) > 1]
        guesses = _GUESSES if self.budget + 1 == _budget(len(self.bounds.players), len(self.tables)) else 1
        if self.against(mine, leaf.node, leaf.count, goal, guesses) is not None:
            return None
        if not free:
            return None if self.question.games_vary else _Leaf(goal, leaf.node, None)
        count = leaf.count
        at = max(free, key=lambda at: (count.spread(at), len(count.tallies(at)), -at))
        parts: Sequence[Places] = self.bounds.groups(at, state[at])
        if len(parts) == 1:
            parts = [(result,) for result in state[at]]
        if self.budget < owed + len(parts) and len(self.bounds.players) > _MANY:
            return None
        cases = []
        for to_come, members in zip(reversed(range(len(parts))), parts, strict=True):
            proof = self.prove(mine, fixing(state, at, members), goal, owed + to_come)
            if proof is None:
                return None
            cases.append((members, proof))
        return _Branch(at, tuple(cases))

    def against(
        self, mine: Asker, node: Stand, count: Headcount, goal: _Goal, guesses: int = 1
    ) -> Places | None:
        """Return a completion that shows that the goal does not hold, out of so many guesses; None: none of them does.

        Each further guess is made against those who stand level on points, and on the wrong side, at the last one.
        """
        rivals: list[PlayerId] = []
        tried = set()
        for _ in range(guesses):
            choice = self._worst_of(mine, node, count, goal, rivals)
            if not self._holds(goal, *self.ends_at(choice, mine.player)):
                return choice
            if choice in tried:
                return None
            tried.add(choice)
            known = self.bounds.places(choice, mine.player)
            points = self.bounds.points_at(choice)
            here = known[mine.player]
            wrong = [
                (abs(known[each][1] - here[1]), each)
                for each in known
                if points[each] == points[mine.player]
                and each != mine.player
                and (known[each][1] > here[1] if goal == "in" else known[each][1] <= here[1])
            ]
            rivals = [each for _, each in sorted(wrong)[:_MOST_RIVALS]]
        return None

    def _worst_of(
        self, mine: Asker, node: Stand, count: Headcount, goal: _Goal, rivals: Sequence[PlayerId]
    ) -> Places:
        """Return a completion that speaks against the goal as much as the counts say: a guess, to be ranked.

        rivals: players level on points whom it is made against; none: the first that may be
        """
        bounds = self.bounds
        sign = 1 if goal == "in" else -1
        column = next((each for each in bounds.columns if each.moves in ("adds", "grows")), None)
        moved: set[int] = set()
        if column is not None:
            rivals = rivals or bounds.level_on_points(mine, node, _ASKS[goal])[:_MOST_RIVALS]
            moved = (
                {at for each in (mine.player, *rivals) for at in column.moving(each).changes}
                if rivals
                else set()
            )

        def against(at: int) -> int:
            deciding = count.deciding(at)
            if at not in moved or column is None:
                return deciding[0].results[0]
            by_games = column.row.looks_at == "games"
            pull = column.pull(mine.player, rivals, at)
            _, result = max(
                (sign * pull(result), -result)
                for tally in deciding
                for result in (tally.results if by_games else tally.results[:1])
            )
            return -result

        return tuple(map(against, range(len(self.tables))))

    # -- help

    def _help(self, player: PlayerId, kind: Kind | None, results: Places | None) -> Help | None:
        mine, state = self._asked(player, kind, results)
        search = _HelpSearch(self, mine, state, self.seen(player, kind))
        given = search.left
        found = search.find()
        self.searches -= given - max(0, search.left)
        return found and self._with_usual_scores(mine, state, found, search.nodes)

    def _with_usual_scores(self, mine: Asker, start: State, found: Help, nodes: int) -> Help:
        """Return help that names, of single scores which do, as usual ones as do. nodes: to be looked at for each."""
        endings = [ending for ending in (found.own, *found.tables) if ending]
        if len(endings) > MOST_NAMED:
            return found  # they are counted, not named
        at_of = {ending.table.number: self.tables.index(ending.table) for ending in endings}
        state = start
        for ending in endings:
            state = fixing(state, at_of[ending.table.number], ending.results)
        for ending in endings:
            if ending.of_one_kind:
                continue
            at = at_of[ending.table.number]
            odd = map(self.question.oddness, ending.table.results)
            alike = [(how, each) for each, how in enumerate(odd) if ending.table.kinds[each] == ending.kinds]
            for _, result in sorted(alike)[: None if nodes > 1 else _USUAL]:
                if result in ending.results:
                    break
                usual = fixing(state, at, (result,))
                if self.proves_in(mine, usual, nodes):
                    state = usual
                    break
        own, *tables = [
            ending and Ending(ending.table, state[at_of[ending.table.number]])
            for ending in (found.own, *found.tables)
        ]
        return replace(found, own=own, tables=tuple(each for each in tables if each))

    def share_of_search(self) -> int:
        """Return how many counts may be made to find one player's help: a part of what is left for all."""
        return max(_FEWEST_COUNTS, self.searches // 8)

    def proves_in(self, mine: Asker, state: State, nodes: int) -> bool:
        """Whether so many nodes are enough to prove that the player is in where tables have these results; one: the count alone."""
        if nodes == 1 and any(len(results) > 1 for results in state):
            return self.bounds.fewer(mine, self.node(state), self.question.cut)
        self.budget = nodes
        return self.prove(mine, state, "in") is not None

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
                self.budget = _budget(len(self.bounds.players), len(self.tables))
                if "in" in self.seen(player, kind) or not self.prove(mine, state, "never in"):
                    return False
        return True

    # -- what was found, as it is told

    def _certificate(self, mine: Asker, goal: Verdict, tree: _Leaf | _Branch) -> Certificate:
        own = None
        if mine.results is not None:
            at = self.bounds.table_of[mine.player]
            table = self.tables[at]
            own = {
                "table": table.number,
                "seat": table.seats.index(mine.player) + 1,
                "results": self._texts(at, mine.results),
            }
        return {
            "player": int(mine.player),
            "own": own,
            "verdict": goal,
            "cut": self.question.cut,
            "proof": self._tree(mine, tree),
        }

    def _tree(self, mine: Asker, tree: _Leaf | _Branch) -> Certificate:
        if isinstance(tree, _Branch):
            cases = [
                {"results": self._texts(tree.at, members), "proof": self._tree(mine, proof)}
                for members, proof in tree.cases
            ]
            return {"table": self.tables[tree.at].number, "cases": cases}
        if tree.count is None:
            return {"by": "ranking"}
        who, _ = self.bounds.who(mine, tree.node, _ASKS[tree.goal])
        return {
            "by": "points" if tree.node.by_points else "order",
            "tables": {
                str(table.number): count for table, count in zip(self.tables, tree.count.tables, strict=True)
            },
            "others": tree.count.others,
            "who": [int(player) for player in who],
        }

    def _texts(self, at: int, results: Iterable[int]) -> list[str]:
        return [score_text(self.tables[at].results[result]) for result in results]

    def _grounds(self, mine: Asker, goal: Literal["in", "out"], tree: _Leaf | _Branch) -> Grounds:
        points = mine.least if goal == "in" else mine.most
        end = max if goal == "in" else min
        if isinstance(tree, _Leaf) and tree.count is not None:
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
                level=told_apart(self.bounds, mine, tree.node, _ASKS[goal]),
            )
        leaves = list(_leaves(tree))
        others = []
        for leaf in leaves:
            if leaf.count is not None:
                others.append(leaf.count.total)
            else:
                above, level = self.ends_at(tuple(left[0] for left in leaf.node.state), mine.player)
                others.append(level if goal == "in" else above)
        return Grounds(
            points=points,
            others=end(others),
            by="ranking" if all(leaf.count is None for leaf in leaves) else "order",
            apart=tuple(sorted({self.tables[at].number for at in _taken_apart(tree)})),
            cases=len(leaves),
        )


class _CaseByCase:
    """Works out a question in which results of earlier rounds are missing: each way they can end is a question of its own.

    Where only the kinds of results are gone through, shares of games decide nothing. No help is looked for.
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
        return Outlook(player=player, cases=tuple(cases))

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
            find_proof=lambda: self._certificate(found),
            find_grounds=lambda: self._grounds(verdict, found),
        )

    def _certificate(self, found: Mapping[tuple[Places, ...], Case]) -> Certificate:
        proofs = {endings: case.proof for endings, case in found.items() if case.proof}

        def tree(endings: tuple[Places, ...]) -> Certificate:
            if len(endings) == len(self.question.earlier):
                proof: Certificate = proofs[endings]["proof"]
                return proof
            table = self.question.earlier[len(endings)]
            cases = [
                {
                    "results": [score_text(table.results[result]) for result in results],
                    "proof": tree((*endings, results)),
                }
                for results in self.question.missing[len(endings)]
            ]
            return {"round": table.round, "table": table.number, "cases": cases}

        return {**next(iter(proofs.values())), "proof": tree(())}

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


def _leaves(tree: _Leaf | _Branch) -> Iterator[_Leaf]:
    if isinstance(tree, _Leaf):
        yield tree
        return
    for _, proof in tree.cases:
        yield from _leaves(proof)


def _taken_apart(tree: _Leaf | _Branch) -> Iterator[int]:
    if isinstance(tree, _Branch):
        yield tree.at
        for _, proof in tree.cases:
            yield from _taken_apart(proof)


def fixing(state: State, at: int, results: Places) -> State:
    """Return a state in which one table may have these results only."""
    return (*state[:at], results, *state[at + 1 :])


def _budget(players: int, tables: int) -> int:
    """Return how many nodes are looked at to settle one case: all that small fields can have, few of large ones."""
    return 4000 if tables <= 5 else max(24, 2000 // players)


# -- The least help


class _Spent(Exception):  # noqa: N818  no fault: the search has looked at as much as it may
    pass


class _HelpSearch:
    """Looks for the fewest other tables whose results, with the player's own, prove them in.

    A set of tables helps if no completion that agrees with it keeps the player out. So whenever a set is not enough there is
    such a completion, and in it some few results that keep the player out whatever the other tables do: every larger set that
    is enough has another result at one of these few tables. That is all that has to be tried.
    """

    def __init__(self, solver: _Solver, mine: Asker, start: State, seen: Mapping[str, Places]) -> None:
        self.solver = solver
        self.bounds = solver.bounds
        self.cut = solver.question.cut
        self.mine = mine
        self.start = start
        self.seen = seen
        self.here = self.bounds.table_of.get(mine.player)
        small = len(self.bounds.tables) <= 5
        self.nodes = 200 if small else 1
        self.left = 1500 if small else solver.share_of_search()
        self.complete = True
        self.fewest = 0
        self.tried: set[tuple[frozenset[tuple[int, Places]], int]] = set()

    def find(self) -> Help | None:
        """Return help, the least where that is found; None: none was found."""
        sure = self._sure({})
        size = self.fewest = self._at_least(sure)
        if size > len(self.start):
            return None
        most = self._greedy()
        found: State | None = None
        most_tables = len(self.start) if most is None else self._size(most) - 1
        if size > _FEW_TABLES and most_tables - size >= _FEW_TABLES:
            self.left = 0  # the sets between are too many
        try:
            while found is None and self.complete and size <= most_tables:
                found = self._search({}, size)
                size += 1
        except _Spent:
            self.complete = False
        if found is None:
            found = most or self._from_completion()
        return None if found is None else self._as_help(found)

    def _as_help(self, state: State) -> Help:
        endings = {
            at: Ending(self.bounds.tables[at], members)
            for at, members in enumerate(state)
            if members is not self.start[at]
        }
        own = endings.pop(self.here, None) if self.here is not None else None
        least = self.complete and own is None
        return Help(
            tables=tuple(endings.values()),
            own=own,
            least=least,
            fewest=len(endings) if least else self.fewest,
        )

    def _size(self, state: State) -> int:
        return sum(members is not self.start[at] for at, members in enumerate(state))

    def _sure(self, fixed: Mapping[int, Places], *, by_points: bool = False) -> Headcount:
        """Count who surely ends level or above, with these tables fixed."""
        node = self.solver.node(self._with(fixed), by_points=by_points)
        return self.bounds.count(self.mine, node, "is level")

    def _at_least(self, sure: Headcount, fixed: Collection[int] = ()) -> int:
        """Return how many more tables are needed at least: without them the others can still keep the player out."""
        spreads = [sure.spread(at) for at in range(len(self.start))]
        beyond = sure.total + sum(spreads) - self.cut
        spared = sorted(spread for at, spread in enumerate(spreads) if at != self.here and at not in fixed)
        for needed in range(len(self.start) + 1):
            if beyond < 0:
                return needed
            beyond -= spared.pop() if spared else 0
        return len(self.start) + 1

    def _search(self, fixed: Mapping[int, Places], more: int) -> State | None:
        """Return a state with at most so many more tables fixed that is enough; None: there is none, or `complete` is unset."""
        key = frozenset(fixed.items()), more
        if key in self.tried:
            return None
        self.tried.add(key)
        if self._at_least(self._sure(fixed, by_points=True), fixed) > more:
            return None
        self._spend()
        if self.solver.proves_in(self.mine, self._with(fixed), self.nodes):
            return self._with(fixed)
        for at, members in self._other_results(fixed, more) if more else ():
            found = self._search({**fixed, at: members}, more - 1)
            if found is not None:
                return found
        return None

    def _other_results(self, fixed: Mapping[int, Places], more: int) -> list[tuple[int, Places]]:
        """Return fixings of one table each: every set of so many more tables that is enough has one of them."""
        self._spend()
        sure = self._sure(fixed)
        if self._at_least(sure, fixed) > more:
            return []
        against = self._against(self._with(fixed), sure)
        if against is None:
            self.complete = False
            return []
        return [
            (at, members)
            for at, avoided in against.items()
            if at != self.here and at not in fixed
            for members in self.bounds.groups(at, self.start[at])
            if avoided not in members
        ]

    def _spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise _Spent

    def _against(self, state: State, sure: Headcount) -> dict[int, int] | None:
        """Return results of few tables, each a place, that keep the player out whatever the others do; None: none were found.

        Every larger set of tables that is enough has another result at one of them.
        """
        wanting = self.cut - sure.total
        found = {}
        for at in sorted(range(len(state)), key=lambda at: -sure.spread(at)):
            if wanting <= 0 or not sure.spread(at):
                break
            most = max(sure.tallies(at), key=lambda tally: tally.number)
            wanting -= sure.spread(at)
            found[at] = most.results[0]
        return found if wanting <= 0 else self._against_by_completion(state)

    def _against_by_completion(self, state: State) -> dict[int, int] | None:
        node = self.solver.node(state)
        count = self.bounds.count(self.mine, node, "may be level")
        choice = self.solver.against(self.mine, node, count, "in")
        if choice is None:
            return None
        free = [at for at in range(len(state)) if len(state[at]) > 1]

        def keeps_out(fixed: Iterable[int]) -> bool:
            self._spend()
            narrowed = {at: members for at, members in enumerate(state) if members is not self.start[at]}
            return self._sure({**narrowed, **{at: (choice[at],) for at in fixed}}).total >= self.cut

        kept = _fewer(free, keeps_out) if keeps_out(free) else free
        return {at: choice[at] for at in kept}

    def _greedy(self) -> State | None:
        """Return a state that is enough, the tables that let most past fixed, as many as are surely needed at a time; None: that does not do."""
        state = self.start
        while True:
            count = self.bounds.count(self.mine, self.solver.node(state), "may be level")
            beyond = count.total - self.cut
            if beyond < 0:
                return self._lessened(state)
            free = [at for at in range(len(state)) if at != self.here and state[at] is self.start[at]]
            widest = sorted((-count.spread(at), at) for at in free if count.spread(at))
            if not widest:
                return None
            for spread, at in widest:
                fewest = min(count.tallies(at), key=lambda tally: tally.number)
                state = fixing(state, at, fewest.results)
                beyond += spread
                if beyond < 0:
                    break

    def _lessened(self, state: State) -> State:
        """Return as much of a state that is enough as is still enough."""
        for at, members in enumerate(state):
            if members is not self.start[at]:
                wider = fixing(state, at, self.start[at])
                if self.bounds.fewer(self.mine, self.solver.node(wider), self.cut):
                    state = wider
        return state

    def _from_completion(self) -> State | None:
        """Return a state that is enough and agrees with a completion in which the player is in; None: no such is known."""
        self.complete = False
        choice = self.seen.get("in")
        if choice is None:
            node = self.solver.node(self.start)
            count = self.bounds.count(self.mine, node, "is level")
            choice = self.solver.against(self.mine, node, count, "never in", _GUESSES)
            if choice is None:
                return None
        wide = [
            next(part for part in self.bounds.groups(at, left) if choice[at] in part)
            for at, left in enumerate(self.start)
        ]
        for parts in (wide, [(result,) for result in choice]):
            free = [at for at, left in enumerate(self.start) if parts[at] != left]
            if self._proved_with(parts, free):
                fixed = _fewer(free, partial(self._proved_with, parts))
                return self._with({at: parts[at] for at in fixed})
        return None

    def _with(self, fixed: Mapping[int, Places]) -> State:
        return tuple(fixed.get(at, members) for at, members in enumerate(self.start))

    def _proved_with(self, parts: Sequence[Places], fixed: Iterable[int]) -> bool:
        state = self._with({at: parts[at] for at in fixed})
        return self.solver.proves_in(self.mine, state, self.nodes)


def _fewer(every: list[int], enough: Callable[[list[int]], bool]) -> list[int]:
    """Return few of those that are enough together: none of them can be left out alone."""
    kept, size = list(every), max(1, len(every) // 2)
    while True:
        at = 0
        while at < len(kept):
            without = kept[:at] + kept[at + size :]
            if enough(without):
                kept = without
            else:
                at += size
        if size == 1:
            return kept
        size = max(1, size // 2)
