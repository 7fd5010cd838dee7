"""Who makes the cut, whatever the open tables end in: proved, or not told.

For a player and the kind of result they get, every other player is compared with them tie-break after tie-break: the points
first, then the least and the greatest difference that the open tables can make of each tie-break. A table gives the cut as
many players at most as its best result for that lets past; the sum over the tables is a bound. Where the bound does not
settle it, one table after another is fixed, and completions that speak against it are looked for with the real ranking.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from tourney.record import Outcome, PlayerId, Table
from tourney.standings import tiebreaks
from tourney.standings.completions import CutQuestion, Kind, OpenTable, score_text
from tourney.standings.exact import Value
from tourney.standings.profile import POINTS
from tourney.standings.ranking import rank, value_of
from tourney.standings.scorecards import Scorecards
from tourney.standings.tiebreaks import Tiebreak

Verdict = Literal["in", "out", "open"]

Certificate = Mapping[str, Any]
"""A proof that `tourney.standings.cut_proofs` checks: plain values, as they go into JSON."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """What one kind of own result means. outcome: None where the player has no open table.

    proof:   of `in` or `out`
    settled: whether an `open` is proved, too: a completion with either end was found
    """

    outcome: Outcome | None
    verdict: Verdict
    proof: Certificate | None = None
    settled: bool = True


class Settled(NamedTuple):
    """One table and what it has to end in: the kinds of its results for its seats, all alike."""

    table: OpenTable
    kinds: tuple[Kind, ...]


@dataclass(frozen=True, kw_only=True)
class Outlook:
    """What a player can still be.

    cases: a kind of own result each; where nothing is open for them, one
    help:  for who is not in even with their best result: other tables that with it are enough, few of them; empty: none
           were found
    """

    player: PlayerId
    cases: tuple[Case, ...]
    help: tuple[Settled, ...] = ()

    @property
    def now(self) -> Verdict:
        """The verdict over all own results."""
        return _together(case.verdict for case in self.cases)

    def after(self, outcome: Outcome) -> Verdict | None:
        """Return the verdict over the own results of that kind; None where there is none."""
        verdicts = [case.verdict for case in self.cases if case.outcome is outcome]
        return _together(verdicts) if verdicts else None


@dataclass(frozen=True, kw_only=True)
class Forecast:
    """The answer for everybody who can still make the cut, in order of registration."""

    question: CutQuestion
    outlooks: tuple[Outlook, ...]

    @property
    def settled(self) -> bool:
        """Whether every player is in or out."""
        return all(outlook.now != "open" for outlook in self.outlooks)

    def draws_that_suit(self) -> tuple[OpenTable, ...]:
        """Return the tables of two where a draw puts both in, and neither is in whatever happens."""
        of = {outlook.player: outlook for outlook in self.outlooks}
        suited = []
        for table in self.question.tables:
            both = [of[player] for player in table.seats if player in of]
            drawn = [outlook.after(Outcome.DRAW) for outlook in both]
            if drawn == ["in", "in"] and any(outlook.now != "in" for outlook in both):
                suited.append(table)
        return tuple(suited)


def _together(verdicts: Iterable[Verdict]) -> Verdict:
    every = set(verdicts)
    return every.pop() if len(every) == 1 else "open"


def forecast_cut(question: CutQuestion) -> Forecast:
    """Answer for everybody, exactly as far as a proof reaches. Raises TourneyError as `rank` does."""
    solver = _Solver(question)
    outlooks = []
    for player in question.players:
        cases = tuple(solver.cases(player))
        help_ = solver.help_for(player) if cases[0].verdict == "open" and question.exact else ()
        outlooks.append(Outlook(player=player, cases=cases, help=help_))
    return Forecast(question=question, outlooks=tuple(outlooks))


# -- How values move


_NONE = -Fraction(10**30)
"""What stands for no value: below every value."""

_State = tuple[tuple[int, ...], ...]
"""For each open table, the places of the results it may still have."""


class _Column:
    """One tie-break's values of everybody, the greater the better, as open tables move them.

    They are worked out by the standings' own functions: at a completion, and with one table after another otherwise.
    """

    def __init__(self, solver: _Solver, row: Tiebreak) -> None:
        self.row = row
        self.solver = solver
        self.moves = row.moves if solver.can_tell(row) else "unknown"
        self._moving: dict[PlayerId, _Moving] = {}
        self._ends: dict[tuple[PlayerId, int | None], tuple[Fraction | int, Fraction | int]] = {}
        self._classes: dict[int, tuple[int, ...]] = {}
        self._distinct: dict[tuple[int, tuple[int, ...]], tuple[int, ...]] = {}
        self._extremes: dict[tuple[PlayerId, PlayerId, int], tuple[int, dict[int, int]]] = {}

    def value(self, scorecards: Scorecards, player: PlayerId) -> Fraction | int:
        """Return the value at a completion."""
        value: Value = value_of(scorecards, self.row)(player)
        if value is None:
            return _NONE
        return -value if self.row.low else value

    def moving(self, player: PlayerId) -> _Moving:
        """Return the player's value at the base completion, and what each result of each table changes."""
        if player not in self._moving:
            solver = self.solver
            base = self.value(solver.base, player)
            changes = {}
            for at in solver.reached(player, self.row.reach):
                values = {
                    like: self.value(solver.with_result(at, like), player) - base
                    for like in dict.fromkeys(self.classes(at))
                }
                if any(values.values()):
                    changes[at] = values
            below = math.lcm(
                base.denominator,
                *(each.denominator for values in changes.values() for each in values.values()),
            )
            self._moving[player] = _Moving(
                below,
                int(base * below),
                {
                    at: {like: int(value * below) for like, value in values.items()}
                    for at, values in changes.items()
                },
            )
        return self._moving[player]

    def classes(self, at: int) -> tuple[int, ...]:
        """Return for each result of a table the first one that is the same to this tie-break."""
        if at not in self._classes:
            table = self.solver.tables[at]
            if self.row.looks_at == "games":
                self._classes[at] = tuple(range(len(table.results)))
            else:
                self._classes[at] = tuple(table.kinds.index(kind) for kind in table.kinds)
        return self._classes[at]

    def distinct(self, at: int, results: tuple[int, ...]) -> tuple[int, ...]:
        """Return those of `results` that are not the same to this tie-break."""
        key = at, results
        if key not in self._distinct:
            classes = self.classes(at)
            self._distinct[key] = tuple(dict.fromkeys(classes[result] for result in results))
        return self._distinct[key]

    def extreme(
        self, player: PlayerId, other: PlayerId, fixed: Mapping[int, tuple[int, ...]], sign: int
    ) -> int:
        """Return a positive multiple of the greatest (1) or the least (-1) difference, the other's value minus the player's.

        fixed: the tables that may not have all their results, and those that they may have
        """
        mine, theirs = self.moving(player), self.moving(other)
        key = player, other, sign
        if key not in self._extremes:
            parts = {
                at: self._part(mine, theirs, at, self.distinct(at, self.solver.all[at]), sign)
                for at in mine.changes.keys() | theirs.changes.keys()
            }
            start = theirs.base * mine.below - mine.base * theirs.below
            self._extremes[key] = start + sum(parts.values()), parts
        total, parts = self._extremes[key]
        for at, results in fixed.items():
            if at in parts:
                total += self._part(mine, theirs, at, self.distinct(at, results), sign) - parts[at]
        return total

    def _part(self, mine: _Moving, theirs: _Moving, at: int, results: Iterable[int], sign: int) -> int:
        choose = max if sign > 0 else min
        up, down = theirs.changes.get(at), mine.changes.get(at)
        if down is None:
            assert up is not None
            return mine.below * choose([up[result] for result in results])
        if up is None:
            return choose([-theirs.below * down[result] for result in results])
        return choose([mine.below * up[result] - theirs.below * down[result] for result in results])

    def pull(self, player: PlayerId, other: PlayerId, at: int, result: int) -> float:
        """Return how far a result moves the other's value up against the player's: a hint where to look, never a proof."""
        like = self.classes(at)[result]
        mine, theirs = self.moving(player), self.moving(other)
        up, down = theirs.changes.get(at), mine.changes.get(at)
        return (up[like] / theirs.below if up else 0.0) - (down[like] / mine.below if down else 0.0)

    def ends(self, player: PlayerId, results: Iterable[int] | None) -> tuple[Fraction | int, Fraction | int]:
        """Return the least and the greatest value with one of these own results, all other seats doing their worst, their best."""
        if results is None:
            return self._ends_with(player, None)
        every = [
            self._ends_with(player, result)
            for result in self.distinct(self.solver.table_of[player], tuple(results))
        ]
        return min(least for least, _ in every), max(most for _, most in every)

    def _ends_with(self, player: PlayerId, result: int | None) -> tuple[Fraction | int, Fraction | int]:
        key = player, result
        if key not in self._ends:
            values = []
            for scorecards in self.solver.relaxed:
                own = scorecards
                if result is not None:
                    own = self.solver.changed(scorecards, self.solver.table_of[player], result)
                values.append(self.value(own, player))
            self._ends[key] = values[0], values[1]
        return self._ends[key]


class _Moving(NamedTuple):
    """A player's value over a denominator: at the base completion, and the change by each result of each table."""

    below: int
    base: int
    changes: Mapping[int, Mapping[int, int]]


class _Solver:
    """Works out one question."""

    def __init__(self, question: CutQuestion) -> None:
        self.question = question
        self.profile = question.profile
        self.tables = question.tables
        self.all: _State = tuple(tuple(range(len(table.results))) for table in self.tables)
        self.table_of = {player: at for at, table in enumerate(self.tables) for player in table.seats}
        self.players = frozenset(question.players)
        self.perhaps_gone = frozenset(question.perhaps_gone)
        self.settled_players = tuple(p for p in question.players if p not in self.table_of)
        self.early = frozenset(question.record.left_early)
        results = {table.number: table.results[0] for table in self.tables}
        record = question.completed(results) if self.tables else question.record
        self.base = Scorecards(record, self.profile)
        self._with: dict[tuple[int, int], Scorecards] = {}
        self._reached: dict[tuple[PlayerId, int], tuple[int, ...]] = {}
        self._columns: tuple[_Column, ...] | None = None
        self._relaxed: tuple[Scorecards, Scorecards] | None = None
        self._places: dict[tuple[int, ...], dict[PlayerId, tuple[int, int]]] = {}
        self._seen: dict[tuple[PlayerId, Kind | None], set[str]] = {}
        self._groups: dict[tuple[int, tuple[int, ...]], tuple[tuple[int, ...], ...]] = {}
        self._counted: dict[tuple[int, int, bool], tuple[list[int], int]] = {}
        self.gains = question.gains
        self.points = self._points()
        self.led_by_points = self.profile.order[0] == POINTS
        self.budget = 0

    # -- the standings' own functions, at completions

    @property
    def columns(self) -> tuple[_Column, ...]:
        if self._columns is None:
            rows = [tiebreaks.find(code) for code in self.profile.order]
            self._columns = tuple(_Column(self, row) for row in rows)
        return self._columns

    def with_result(self, at: int, result: int) -> Scorecards:
        """Return the base completion with another result of one table."""
        if (at, result) not in self._with:
            self._with[at, result] = self.changed(self.base, at, result)
        return self._with[at, result]

    def changed(self, scorecards: Scorecards, at: int, result: int) -> Scorecards:
        table = Table(self.tables[at].number, self.tables[at].seats)
        return scorecards.with_table(self.base.rounds, table, self.tables[at].results[result])

    @property
    def relaxed(self) -> tuple[Scorecards, Scorecards]:
        """The scorecards with every open seat at its worst, and with every one at its best: no completions, but bounds."""
        if self._relaxed is None:
            ends = []
            for choose in (min, max):
                entries = {}
                for at, table in enumerate(self.tables):
                    for seat, player in enumerate(table.seats):
                        results = range(len(table.results))
                        result = choose(results, key=lambda r: _rating(table.kinds[r][seat]))
                        entries[player] = self.with_result(at, result)[player]
                ends.append(self.base.with_entries(entries) if entries else self.base)
            self._relaxed = ends[0], ends[1]
        return self._relaxed

    def reached(self, player: PlayerId, reach: int) -> tuple[int, ...]:
        """Return the open tables at whose results a value of that reach looks: the own, the opponents', theirs."""
        if (player, reach) not in self._reached:
            there = {player}
            for _ in range(reach):
                there |= {
                    opponent for each in there for entry in self.base[each] for opponent in entry.opponents
                }
            at = {self.table_of[each] for each in there if each in self.table_of}
            if player in self.table_of:
                at.add(self.table_of[player])
            self._reached[player, reach] = tuple(sorted(at))
        return self._reached[player, reach]

    def can_tell(self, row: Tiebreak) -> bool:
        """Whether the row's way of moving holds here: no value comes or goes with a result, and no score is to be guessed.

        Without a floor a share of games has no value until a game is played.
        """
        rules = [self.profile.outcomes[outcome] for outcome in (Outcome.WIN, Outcome.DRAW, Outcome.LOSS)]
        if row.each is None or row.looks_at == "scores":
            return False
        if row.moves == "grows" and (row.low or any(len(table.seats) > 2 for table in self.tables)):
            return False
        if row.moves == "own":
            return True
        if any(rule.match is None or not rule.meets for rule in rules):
            return False
        if row.looks_at != "games" or row.moves != "adds":
            return True
        limits = self.profile.game_win
        return row.limited and min([limits.floor, *limits.floor_by_size.values()]) > 0

    # -- points

    def _points(self) -> dict[PlayerId, int]:
        """Return everybody's half points without their open table."""
        points = dict(self.base.points)
        for table in self.tables:
            for seat, player in enumerate(table.seats):
                points[player] -= table.kinds[0][seat][1]
        return points

    # -- one player against one other

    def compared(
        self, mine: _Own, node: _Node, other: PlayerId, members: tuple[int, ...] | None, sign: int
    ) -> bool:
        """Whether `other` can end level with the player or above (1), or surely ends above (-1), with one of these results."""
        if sign < 0 and other in self.perhaps_gone:
            return False
        if (other in self.early) != (mine.player in self.early):
            return other not in self.early
        if self.led_by_points:
            ahead = self._reach_of(other, members, sign) - (mine.least if sign > 0 else mine.most)
            if ahead or node.by_points:
                return ahead > 0 or (ahead == 0 and sign > 0)
        elif node.by_points:
            return sign > 0
        fixed = node.fixed if members is None else {**node.fixed, self.table_of[other]: members}
        for column in self.columns:
            if column.moves == "unknown":
                return sign > 0
            if column.moves == "grows":
                met = self.table_of.get(other, -1) == self.table_of.get(mine.player)
                own = column.ends(mine.player, members if met else mine.results)
                theirs = column.ends(other, members)
                difference = theirs[1] - own[0] if sign > 0 else theirs[0] - own[1]
            else:
                difference = column.extreme(mine.player, other, fixed, sign)
            if difference:
                return difference > 0
        return sign > 0

    def _reach_of(self, player: PlayerId, members: tuple[int, ...] | None, sign: int) -> int:
        points = self.points[player] + self.gains[player][sign > 0]
        if members is None:
            return points
        table = self.tables[self.table_of[player]]
        return points + table.kinds[members[0]][table.seats.index(player)][1]

    # -- the bound

    def leaf(self, mine: _Own, node: _Node, goal: Verdict) -> _Leaf:
        """Count, table by table, who may pass (for `in`) or who surely stands above (for `out`)."""
        sign = 1 if goal == "in" else -1
        counts: list[int] = []
        who: set[PlayerId] = set()
        tallies = []
        for at, table in enumerate(self.tables):
            there = [player for player in table.seats if player != mine.player and player in self.players]
            tally = []
            for members in self.groups(at, node.state[at]):
                past = [player for player in there if self.compared(mine, node, player, members, sign)]
                who.update(past)
                tally.append((len(past), members))
            tallies.append(tally)
            counts.append(sign * max(sign * count for count, _ in tally))
        others = [
            player
            for player in self.settled_players
            if player != mine.player and self.compared(mine, node, player, None, sign)
        ]
        who.update(others)
        total = sum(counts) + len(others)
        reached = total < self.question.cut if goal == "in" else total >= self.question.cut
        by = "points" if node.by_points else "order"
        return _Leaf(goal, by, tuple(counts), len(others), tuple(sorted(who)), reached, tuple(tallies))

    def _worst_of(self, mine: _Own, leaf: _Leaf) -> tuple[int, ...]:
        """Return a completion that speaks against the goal as much as the counts say: a guess, to be ranked."""
        sign = 1 if leaf.goal == "in" else -1
        column = next((each for each in self.columns if each.moves in ("adds", "grows")), None)
        rivals: list[PlayerId] = []
        if column is not None:
            points = sorted(leaf.who if leaf.goal == "in" else self.players)
            gap = {
                player: min(
                    abs(self._reach_of(player, members, sign) - mine.least)
                    for members in self._own_groups(player)
                )
                for player in points
                if player != mine.player
            }
            rivals = sorted((player for player, away in gap.items() if not away))[:_MOST_RIVALS]

        def against(at: int, count: int, members: tuple[int, ...]) -> tuple[int, float, int]:
            assert column is not None or not rivals
            pulled = [
                (
                    sum(column.pull(mine.player, rival, at, result) for rival in rivals) if column else 0.0,
                    -result,
                )
                for result in ([members[0]] if column is None or column.row.looks_at != "games" else members)
            ]
            best = max(pulled, key=lambda each: (sign * each[0], each[1]))
            return sign * count, sign * best[0], best[1]

        return tuple(
            -max(against(at, count, members) for count, members in tally)[2]
            for at, tally in enumerate(leaf.tallies)
        )

    def _own_groups(self, player: PlayerId) -> Iterable[tuple[int, ...] | None]:
        at = self.table_of.get(player)
        return [None] if at is None else self.groups(at, self.all[at])

    def places(self, choice: tuple[int, ...]) -> dict[PlayerId, tuple[int, int]]:
        """Return, for one completion, how many stand above each player and how many level or above, by the real ranking."""
        if choice not in self._places:
            results = {table.number: table.results[r] for table, r in zip(self.tables, choice, strict=True)}
            record = self.question.completed(results) if self.tables else self.question.record
            rows = [
                row
                for row in rank(record, self.profile).rows
                if row.player in self.players and row.rank is not None
            ]
            ranks = [row.rank or 0 for row in rows]
            sure = [row.rank or 0 for row in rows if row.player not in self.perhaps_gone]
            # Rows stand in order of rank: whoever is the last of one has as many level or above as its place says.
            level_at = {number: at for at, number in enumerate(ranks)}
            above_at = {number: bisect_left(sure, number) for number in ranks}
            self._places[choice] = {
                row.player: (above_at[number], level_at[number])
                for row, number in zip(rows, ranks, strict=True)
            }
            for player, (above, level) in self._places[choice].items():
                seen = self._seen.setdefault((player, self._kind(player, choice)), set())
                if above < self.question.cut:
                    seen.add("not out")
                if level >= self.question.cut:
                    seen.add("not in")
        return self._places[choice]

    def _kind(self, player: PlayerId, choice: tuple[int, ...]) -> Kind | None:
        at = self.table_of.get(player)
        if at is None:
            return None
        table = self.tables[at]
        return table.kinds[choice[at]][table.seats.index(player)]

    # -- the search

    def cases(self, player: PlayerId) -> Iterator[Case]:
        """Give what each kind of own result means."""
        for kind, results in self._kinds(player):
            yield self._case(player, kind, results)

    def _kinds(self, player: PlayerId) -> list[tuple[Kind | None, tuple[int, ...] | None]]:
        """Return the kinds of own results, the best first."""
        at = self.table_of.get(player)
        if at is None:
            return [(None, None)]
        kinds = self.tables[at].kinds_of(player)
        return [(kind, kinds[kind]) for kind in sorted(kinds, key=_rating, reverse=True)]

    def _own(
        self, player: PlayerId, kind: Kind | None, results: tuple[int, ...] | None
    ) -> tuple[_Own, _State]:
        points = self.points[player] + (kind[1] if kind else 0)
        least, most = self.gains[player]
        state = self.all if results is None else self._fixing(self.all, self.table_of[player], results)
        return _Own(player, results, points + least, points + most), state

    def _fixing(self, state: _State, at: int, results: tuple[int, ...]) -> _State:
        return (*state[:at], results, *state[at + 1 :])

    def help_for(self, player: PlayerId) -> tuple[Settled, ...]:
        """Return few other tables, and what they have to end in, so that with the best own result the player is in.

        The tables that let fewest past are taken together until that is enough: no fewer are by this count.
        """
        (kind, results), *_ = self._kinds(player)
        mine, start = self._own(player, kind, results)
        leaf = self.leaf(mine, self._node(start), "in")
        own = self.table_of.get(player)
        best = []
        for at, tally in enumerate(leaf.tallies):
            least, members = min(tally, key=lambda each: each[0])
            spared = leaf.counts[at] - least
            if at != own and spared:
                best.append((-spared, at, members))
        state, taken = start, []
        for _, at, members in sorted(best):
            state = self._fixing(state, at, members)
            taken.append(Settled(self.tables[at], self.tables[at].kinds[members[0]]))
            if self.leaf(mine, self._node(state), "in").reached:
                return tuple(taken)
        return ()

    def _case(self, player: PlayerId, kind: Kind | None, results: tuple[int, ...] | None) -> Case:
        outcome = kind[0] if kind else None
        mine, state = self._own(player, kind, results)
        seen = self._seen.setdefault((player, kind), set())
        goals: dict[Verdict, str] = dict(_GOALS)
        if player in self.perhaps_gone:
            del goals["in"]
            seen.add("not in")
        for goal in goals:
            if self._settled_by_points(mine, state, goal):
                leaf = self.leaf(mine, self._node(state, by_points=True), goal)
                return Case(outcome=outcome, verdict=goal, proof=self._certificate(mine, leaf))
        if not self.question.exact:
            return Case(outcome=outcome, verdict="open", settled=False)
        for goal, against in goals.items():
            self.budget = _budget(len(self.players), len(self.tables))
            if against not in seen and self._refuted_by_points(mine, state, goal):
                seen.add(against)
            if against not in seen and (tree := self._prove(mine, state, goal)):
                return Case(outcome=outcome, verdict=goal, proof=self._certificate(mine, tree))
        return Case(outcome=outcome, verdict="open", settled=len(seen) == len(_GOALS))

    def _settled_by_points(self, mine: _Own, state: _State, goal: Verdict) -> bool:
        if goal == "in":
            return self._by_points(mine, state, mine.least, 1, level=True) < self.question.cut
        return self._by_points(mine, state, mine.most, 0, level=False) >= self.question.cut

    def _refuted_by_points(self, mine: _Own, state: _State, goal: Verdict) -> bool:
        """Whether some completion speaks against it by points alone: each table can do its part, whatever the others do."""
        if goal == "in":
            return self._by_points(mine, state, mine.most, 1, level=False) >= self.question.cut
        return self._by_points(mine, state, mine.least, 0, level=True) < self.question.cut

    def _by_points(self, mine: _Own, state: _State, line: int, end: int, *, level: bool) -> int:
        """Count how many others there are at most (end 1) or at least (0) above a line of points, or level with it, too."""
        if not self.led_by_points or self.early:
            return len(self.players) if level else 0  # settles and refutes nothing

        counted = self.players if end else self.players - self.perhaps_gone

        def counts(player: PlayerId, members: tuple[int, ...] | None) -> bool:
            reach = self._reach_of(player, members, 1 if end else -1)
            return player in counted and (reach > line or (level and reach == line))

        def at_table(at: int, but: PlayerId | None) -> int:
            table = self.tables[at]
            tallies = (
                sum(counts(player, members) for player in table.seats if player != but)
                for members in self.groups(at, self.all[at] if but is None else state[at])
            )
            return max(tallies) if end else min(tallies)

        key = line, end, level
        if key not in self._counted:
            per_table = [at_table(at, None) for at in range(len(self.tables))]
            alone = sum(counts(player, None) for player in self.settled_players)
            self._counted[key] = per_table, sum(per_table) + alone
        per_table, total = self._counted[key]
        here = self.table_of.get(mine.player)
        if here is None:
            return total - counts(mine.player, None)
        return total - per_table[here] + at_table(here, mine.player)

    def _prove(self, mine: _Own, state: _State, goal: Verdict) -> _Leaf | _Branch | None:
        """Prove it by the bound, table after table fixed where that does not do; None: refuted, or given up."""
        self.budget -= 1
        if self.budget < 0:
            return None
        leaf = self.leaf(mine, self._node(state), goal)
        if leaf.reached:
            return leaf
        choice = self._worst_of(mine, leaf)
        above, level = self.places(choice)[mine.player]
        holds = level < self.question.cut if goal == "in" else above >= self.question.cut
        if not holds:
            return None
        free = [at for at, results in enumerate(state) if len(results) > 1]
        if not free:
            return _Leaf(goal, "ranking", reached=True)
        at = max(free, key=lambda at: (_spread(leaf.tallies[at]), len(leaf.tallies[at]), -at))
        parts: Sequence[tuple[int, ...]] = self.groups(at, state[at])
        if len(parts) == 1:
            parts = [(result,) for result in state[at]]
        cases = []
        for members in parts:
            proof = self._prove(mine, self._fixing(state, at, members), goal)
            if proof is None:
                return None
            cases.append((members, proof))
        return _Branch(at, tuple(cases))

    def _node(self, state: _State, *, by_points: bool = False) -> _Node:
        fixed = {at: results for at, results in enumerate(state) if results is not self.all[at]}
        return _Node(state, fixed, by_points)

    def groups(self, at: int, results: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
        """Part results of a table by what they are to its players, whatever the games."""
        key = at, results
        if key not in self._groups:
            parts: dict[tuple[Kind, ...], list[int]] = {}
            for result in results:
                parts.setdefault(self.tables[at].kinds[result], []).append(result)
            self._groups[key] = tuple(map(tuple, parts.values()))
        return self._groups[key]

    def _certificate(self, mine: _Own, tree: _Leaf | _Branch) -> Certificate:
        own = None
        if mine.results is not None:
            at = self.table_of[mine.player]
            table = self.tables[at]
            own = {
                "table": table.number,
                "seat": table.seats.index(mine.player) + 1,
                "results": self._texts(at, mine.results),
            }
        return {
            "player": int(mine.player),
            "own": own,
            "verdict": tree.goal,
            "cut": self.question.cut,
            "proof": self._tree(tree),
        }

    def _tree(self, tree: _Leaf | _Branch) -> Certificate:
        if isinstance(tree, _Branch):
            cases = [
                {"results": self._texts(tree.at, members), "proof": self._tree(proof)}
                for members, proof in tree.cases
            ]
            return {"table": self.tables[tree.at].number, "cases": cases}
        if tree.by == "ranking":
            return {"by": "ranking"}
        return {
            "by": tree.by,
            "tables": {
                str(table.number): count for table, count in zip(self.tables, tree.counts, strict=True)
            },
            "others": tree.others,
            "who": [int(player) for player in tree.who],
        }

    def _texts(self, at: int, results: Iterable[int]) -> list[str]:
        return [score_text(self.tables[at].results[result]) for result in results]


_GOALS: dict[Verdict, str] = {"in": "not in", "out": "not out"}
"""What is to be proved → what a completion against it shows."""


@dataclass(frozen=True, slots=True)
class _Own:
    """The player who asks, the results of the own table that are looked at (None: no table), the half points then."""

    player: PlayerId
    results: tuple[int, ...] | None
    least: int
    most: int


_Tally = tuple[int, tuple[int, ...]]
"""How many of a table are counted where it ends as one of these results."""


def _spread(tally: Sequence[_Tally]) -> int:
    counts = [count for count, _ in tally]
    return max(counts) - min(counts)


_MOST_RIVALS = 6
"""Players level on points whom a guessed completion is made against."""


@dataclass(frozen=True, slots=True)
class _Node:
    """What is looked at: every table, and those whose results are fixed in part."""

    state: _State
    fixed: Mapping[int, tuple[int, ...]]
    by_points: bool


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A count that settles it, or does not.

    by:     what was compared: `points` alone, the whole `order`, or the `ranking` of a single completion
    counts: for each table how many may pass (for `in`, the most) or surely stand above (for `out`, the least)
    others: how many of those without an open table; who: all of them by name
    tallies: for each table the count of each group of its results
    """

    goal: Verdict
    by: str
    counts: tuple[int, ...] = ()
    others: int = 0
    who: tuple[PlayerId, ...] = ()
    reached: bool = False
    tallies: tuple[Sequence[_Tally], ...] = ()


@dataclass(frozen=True, slots=True)
class _Branch:
    """One table fixed: a proof for each part of its results."""

    at: int
    cases: tuple[tuple[tuple[int, ...], _Leaf | _Branch], ...]

    @property
    def goal(self) -> Verdict:
        """What is proved: the same for each case."""
        return self.cases[0][1].goal


def _rating(kind: Kind) -> tuple[int, int]:
    """Say how good a result is for whoever has it: by points, then by outcome."""
    outcome, points = kind
    return points, [Outcome.LOSS, Outcome.DRAW, Outcome.WIN].index(outcome)


def _budget(players: int, tables: int) -> int:
    """Return how many nodes are looked at to settle one case: all that small fields can have, few of large ones."""
    return 4000 if tables <= 5 else max(24, 2000 // players)
