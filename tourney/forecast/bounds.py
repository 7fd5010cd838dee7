"""How many others can pass a player, and how many surely do, whatever the open tables end in: the counts that proofs are made of.

A player is compared with every other tie-break after tie-break: the points first, then the least and the greatest difference
that the open tables can make of each tie-break. A table gives the count as many players as the result that lets most past
(or least, where somebody is to be above for certain); the sum over the tables is the bound.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple

from tourney.record import Outcome, PlayerId, Table
from tourney.standings import tiebreaks
from tourney.standings.completions import CutQuestion, Kind
from tourney.standings.exact import Value
from tourney.standings.profile import POINTS
from tourney.standings.ranking import levels_among, value_of
from tourney.standings.scorecards import Scorecards
from tourney.standings.tiebreaks import Tiebreak

Places = tuple[int, ...]
"""Results of one open table, by their places in `OpenTable.results`."""

State = tuple[Places, ...]
"""For each open table, the results it may still have."""

Question = Literal["may be level", "is level", "is above"]
"""What is asked of another player: whether they can end level or above, surely end so, or surely end above."""

_NONE = -Fraction(10**30)
"""What stands for no value: below every value."""


def is_none(value: Fraction | int) -> bool:
    """Whether a value, or what open tables make of it, stands for none."""
    return value < _NONE / 2


class Asker(NamedTuple):
    """The player who asks, the results of the own table that are looked at (None: no table), the half points then."""

    player: PlayerId
    results: Places | None
    least: int
    most: int


class TableCount(NamedTuple):
    """How many of a table are counted where it ends as one of these results."""

    number: int
    results: Places


@dataclass(frozen=True, slots=True)
class Stand:
    """What is looked at: every table, and those whose results are fixed in part."""

    state: State
    fixed: Mapping[int, Places]
    by_points: bool = False


@dataclass(frozen=True, slots=True)
class Headcount:
    """How many others are counted.

    tables:  for each table how many, by the result that decides: the most who may, the fewest who surely do
    tallies: for each table the number for each group of its results
    others:  how many of those without an open table
    """

    tables: tuple[int, ...]
    tallies: tuple[Sequence[TableCount], ...]
    others: int

    @property
    def total(self) -> int:
        """How many in all."""
        return sum(self.tables) + self.others


class _Split(NamedTuple):
    """What points alone say of a table's players: for each group of results who counts, and whom to compare.

    dull: whether nobody is to be compared
    """

    groups: Sequence[tuple[tuple[PlayerId, ...], tuple[PlayerId, ...], Places]]
    tallies: Sequence[TableCount]
    most: int
    least: int
    dull: bool


_Told = tuple[tuple[PlayerId, ...], tuple[PlayerId, ...]]
"""Who counts by points alone, and who is level on points."""

_Line = tuple[int, int, bool, Question]
"""What points are compared with: the least and the most half points of who asks, whether they left early, what is asked."""


class _Moving(NamedTuple):
    """A player's value over a denominator: at the base completion, and the change by each result of each table.

    ends: the least and the greatest change of each table; total: of all together
    """

    below: int
    base: int
    changes: Mapping[int, Mapping[int, int]]
    ends: Mapping[int, tuple[int, int]]
    total: tuple[int, int]


class _Column:
    """One tie-break's values of everybody, the greater the better, as open tables move them.

    They are worked out by the standings' own functions: at a completion, and with one table after another otherwise.
    """

    def __init__(self, bounds: Counting, row: Tiebreak) -> None:
        self.row = row
        self.bounds = bounds
        self.moves = row.moves if bounds.can_tell(row) else "unknown"
        self._moving: dict[PlayerId, _Moving] = {}
        self._ends: dict[tuple[PlayerId, int | None], tuple[Fraction | int, Fraction | int]] = {}
        self._classes: dict[int, Places] = {}
        self._distinct: dict[tuple[int, Places], Places] = {}
        self._extremes: dict[tuple[PlayerId, PlayerId, int], int] = {}

    def value(self, scorecards: Scorecards, player: PlayerId) -> Fraction | int:
        """Return the value at a completion."""
        value: Value = value_of(scorecards, self.row)(player)
        if value is None:
            return _NONE
        return -value if self.row.low else value

    def moving(self, player: PlayerId) -> _Moving:
        """Return the player's value at the base completion, and what each result of each table changes."""
        try:
            return self._moving[player]
        except KeyError:
            moving = self._moving[player] = self._worked_out(player)
            return moving

    def _worked_out(self, player: PlayerId) -> _Moving:
        bounds = self.bounds
        base = self.value(bounds.base, player)
        changes = {}
        for at in bounds.reached(player, self.row.reach):
            values = {
                like: self.value(bounds.with_result(at, like), player) - base
                for like in dict.fromkeys(self.classes(at))
            }
            if any(values.values()):
                changes[at] = values
        below = math.lcm(
            base.denominator,
            *(each.denominator for values in changes.values() for each in values.values()),
        )
        whole = {
            at: {like: int(value * below) for like, value in values.items()} for at, values in changes.items()
        }
        ends = {at: (min(values.values()), max(values.values())) for at, values in whole.items()}
        total = sum(least for least, _ in ends.values()), sum(most for _, most in ends.values())
        return _Moving(below, int(base * below), whole, ends, total)

    def classes(self, at: int) -> Places:
        """Return for each result of a table the first one that is the same to this tie-break."""
        if at not in self._classes:
            table = self.bounds.tables[at]
            if self.row.looks_at == "games":
                self._classes[at] = tuple(range(len(table.results)))
            else:
                self._classes[at] = tuple(table.kinds.index(kind) for kind in table.kinds)
        return self._classes[at]

    def distinct(self, at: int, results: Places) -> Places:
        """Return those of `results` that are not the same to this tie-break."""
        key = at, results
        if key not in self._distinct:
            classes = self.classes(at)
            self._distinct[key] = tuple(dict.fromkeys(classes[result] for result in results))
        return self._distinct[key]

    def extreme(self, player: PlayerId, other: PlayerId, fixed: Mapping[int, Places], sign: int) -> int:
        """Return a positive multiple of the greatest (1) or the least (-1) difference, the other's value minus the player's.

        fixed: the tables that may not have all their results, and those that they may have
        """
        mine, theirs = self.moving(player), self.moving(other)
        key = player, other, sign
        total = self._extremes.get(key)
        if total is None:
            total = self._extremes[key] = self._free(mine, theirs, sign)
        for at in fixed if len(fixed) < 8 else fixed.keys() & (theirs.changes.keys() | mine.changes.keys()):
            if at in theirs.changes or at in mine.changes:
                total += _part(mine, theirs, at, self.distinct(at, fixed[at]), sign)
                total -= self._free_part(mine, theirs, at, sign)
        return total

    def _free(self, mine: _Moving, theirs: _Moving, sign: int) -> int:
        best, worst = (1, 0) if sign > 0 else (0, 1)
        total = (theirs.base + theirs.total[best]) * mine.below - (
            mine.base + mine.total[worst]
        ) * theirs.below
        # Each table at its best for either alone; those that move both have to choose.
        for at in mine.changes.keys() & theirs.changes.keys():
            total += self._free_part(mine, theirs, at, sign)
            total -= theirs.ends[at][best] * mine.below - mine.ends[at][worst] * theirs.below
        return total

    def _free_part(self, mine: _Moving, theirs: _Moving, at: int, sign: int) -> int:
        if at not in mine.changes:
            return mine.below * theirs.ends[at][sign > 0]
        if at not in theirs.changes:
            return -theirs.below * mine.ends[at][sign < 0]
        return _part(mine, theirs, at, mine.changes[at], sign)

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
            for result in self.distinct(self.bounds.table_of[player], tuple(results))
        ]
        return min(least for least, _ in every), max(most for _, most in every)

    def _ends_with(self, player: PlayerId, result: int | None) -> tuple[Fraction | int, Fraction | int]:
        key = player, result
        if key not in self._ends:
            values = []
            for scorecards in self.bounds.relaxed:
                own = scorecards
                if result is not None:
                    own = self.bounds.changed(scorecards, self.bounds.table_of[player], result)
                values.append(self.value(own, player))
            self._ends[key] = values[0], values[1]
        return self._ends[key]

    def end(self, player: PlayerId, fixed: Mapping[int, Places], sign: int) -> Fraction:
        """Return the greatest (1) or the least (-1) value of a tie-break that adds up, where these tables may not have all their results."""
        moving = self.moving(player)
        choose = max if sign > 0 else min
        total = moving.base
        for at, values in moving.changes.items():
            left = self.distinct(at, fixed[at]) if at in fixed else values
            total += choose(values[result] for result in left)
        return Fraction(total, moving.below)


def _part(mine: _Moving, theirs: _Moving, at: int, results: Iterable[int], sign: int) -> int:
    """Return what one table makes of the difference at most (1) or at least (-1)."""
    choose = max if sign > 0 else min
    up, down = theirs.changes.get(at), mine.changes.get(at)
    if down is None:
        assert up is not None
        return mine.below * choose([up[result] for result in results])
    if up is None:
        return choose([-theirs.below * down[result] for result in results])
    return choose([mine.below * up[result] - theirs.below * down[result] for result in results])


class Counting:
    """The counts of one question; what was worked out once is kept."""

    def __init__(self, question: CutQuestion) -> None:
        self.question = question
        self.profile = question.profile
        self.tables = question.tables
        self.all: State = tuple(tuple(range(len(table.results))) for table in self.tables)
        self.table_of = {player: at for at, table in enumerate(self.tables) for player in table.seats}
        self.players = frozenset(question.players)
        self.ranked = frozenset(question.ranked)
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
        self._groups: dict[tuple[int, Places], tuple[Places, ...]] = {}
        self._splits: dict[_Line, tuple[list[_Split], _Told]] = {}
        self._split_in_part: dict[tuple[_Line, int, Places, PlayerId | None], _Split] = {}
        self._told_apart: dict[
            tuple[PlayerId, Places | None, PlayerId, Places | None, Question], tuple[bool, str]
        ] = {}
        self._points_at: dict[Places, dict[PlayerId, int]] = {}
        self._places: dict[tuple[Places, int], dict[PlayerId, tuple[int, int]]] = {}
        self.gains = question.gains
        self.points = self._points()
        self.led_by_points = self.profile.order[0] == POINTS

    # -- the standings' own functions, at completions

    @property
    def columns(self) -> tuple[_Column, ...]:
        """The tie-breaks, in their order."""
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
        """Return scorecards with another result of one table."""
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
                        result = choose(results, key=lambda r: rating(table.kinds[r][seat]))
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

    def points_with(self, player: PlayerId, members: Places | None, sign: int) -> int:
        """Return the most (1) or the fewest half points a player ends with, after one of these results of their table."""
        points = self.points[player] + self.gains[player][sign > 0]
        if members is None:
            return points
        table = self.tables[self.table_of[player]]
        return points + table.kinds[members[0]][table.seats.index(player)][1]

    def points_at(self, choice: Places) -> dict[PlayerId, int]:
        """Return everybody's half points at a completion."""
        if choice not in self._points_at:
            points = dict(self.points)
            for table, result in zip(self.tables, choice, strict=True):
                for player, (_, given) in zip(table.seats, table.kinds[result], strict=True):
                    points[player] += given
            self._points_at[choice] = points
        return self._points_at[choice]

    def own(self, player: PlayerId, kind: Kind | None, results: Places | None) -> Asker:
        """Return the player with one kind of own result."""
        points = self.points[player] + (kind[1] if kind else 0)
        least, most = self.gains[player]
        return Asker(player, results, points + least, points + most)

    def groups(self, at: int, results: Places) -> tuple[Places, ...]:
        """Part results of a table by what they are to its players, whatever the games."""
        key = at, results
        if key not in self._groups:
            parts: dict[tuple[Kind, ...], list[int]] = {}
            for result in results:
                parts.setdefault(self.tables[at].kinds[result], []).append(result)
            self._groups[key] = tuple(map(tuple, parts.values()))
        return self._groups[key]

    # -- one player against one other

    def _by_points(self, mine: Asker, other: PlayerId, members: Places | None, ask: Question) -> bool | None:
        """Say what points tell of another player; None: level on points, so that tie-breaks tell."""
        may = ask == "may be level"
        if not may and other in self.perhaps_gone:
            return False
        if (other in self.early) != (mine.player in self.early):
            return other not in self.early
        if not self.led_by_points:
            return None
        ahead = self.points_with(other, members, 1 if may else -1) - (mine.least if may else mine.most)
        return ahead > 0 if ahead else None

    def tie_break(
        self, mine: Asker, node: Stand, other: PlayerId, members: Places | None, ask: Question
    ) -> tuple[bool, str]:
        """Say of somebody level on points whether they count, with one of these results, and the code that tells; empty: none does."""
        may = ask == "may be level"
        if node.by_points:
            return may, ""
        key = mine.player, mine.results, other, members, ask
        told = self._told_apart.get(key)
        own = {} if mine.results is None else {self.table_of[mine.player]: mine.results}
        if told is None:
            told = self._told_apart[key] = self._tie_break(mine, own, other, members, ask)
        # Whoever cannot pass while everything is open cannot once some tables are fixed; nor is who surely does stopped.
        if told[0] is not may or node.fixed == own:
            return told
        return self._tie_break(mine, node.fixed, other, members, ask)

    def _tie_break(
        self, mine: Asker, fixed: Mapping[int, Places], other: PlayerId, members: Places | None, ask: Question
    ) -> tuple[bool, str]:
        may = ask == "may be level"
        sign = 1 if may else -1
        if members is not None:
            fixed = {**fixed, self.table_of[other]: members}
        for column in self.columns:
            if column.moves == "unknown":
                return may, ""
            if column.moves == "grows":
                met = self.table_of.get(other, -1) == self.table_of.get(mine.player)
                own = column.ends(mine.player, members if met else mine.results)
                theirs = column.ends(other, members)
                difference = theirs[1] - own[0] if may else theirs[0] - own[1]
            else:
                difference = column.extreme(mine.player, other, fixed, sign)
            if difference:
                return difference > 0, column.row.code
        return ask != "is above", ""

    # -- the bound

    def _split(self, mine: Asker, ask: Question) -> tuple[list[_Split], _Told]:
        """Return for each table what points alone say, and of those without one who counts and whom to compare."""
        line = self._line(mine, ask)
        if line not in self._splits:
            tables = [
                self._split_table(mine, at, every, ask, whole=True) for at, every in enumerate(self.all)
            ]
            self._splits[line] = tables, self._told(mine, self.settled_players, None, ask)
        return self._splits[line]

    def _split_table(
        self, mine: Asker, at: int, results: Places, ask: Question, *, whole: bool = False
    ) -> _Split:
        """whole: whoever asks is counted, too: the own table is always fixed, so that this is never looked at for them."""
        here = None if whole or at != self.table_of.get(mine.player) else mine.player
        key = self._line(mine, ask), at, results, here
        if key not in self._split_in_part:
            there = [player for player in self.tables[at].seats if player in self.players and player != here]
            groups = [
                (*self._told(mine, there, members, ask), members) for members in self.groups(at, results)
            ]
            tallies = [TableCount(len(past), members) for past, _, members in groups]
            counts = [tally.number for tally in tallies]
            dull = not any(level for _, level, _ in groups)
            self._split_in_part[key] = _Split(groups, tallies, max(counts), min(counts), dull)
        return self._split_in_part[key]

    def _line(self, mine: Asker, ask: Question) -> _Line:
        return mine.least, mine.most, mine.player in self.early, ask

    def _told(self, mine: Asker, players: Iterable[PlayerId], members: Places | None, ask: Question) -> _Told:
        past, level = [], []
        for player in players:
            told = self._by_points(mine, player, members, ask)
            if told is None:
                level.append(player)
            elif told:
                past.append(player)
        return tuple(past), tuple(level)

    def count(self, mine: Asker, node: Stand, ask: Question) -> Headcount:
        """Headcount, table by table, who may pass or surely does."""
        splits, (past, level) = self._split(mine, ask)
        may = ask == "may be level"
        counts = [split.most if may else split.least for split in splits]
        tallies = [split.tallies for split in splits]
        for at, whole in enumerate(splits):
            if whole.dull and at not in node.fixed:
                continue
            split = self._split_table(mine, at, node.state[at], ask) if at in node.fixed else whole
            tally = split.tallies
            if not split.dull:
                tally = [
                    TableCount(len(past) + self._counted(mine, node, to_compare, members, ask), members)
                    for past, to_compare, members in split.groups
                ]
            tallies[at] = tally
            counts[at] = (max if may else min)([each.number for each in tally])
        others = len(past) - (mine.player in past)
        others += self._counted(mine, node, [player for player in level if player != mine.player], None, ask)
        return Headcount(tuple(counts), tuple(tallies), others)

    def _counted(
        self, mine: Asker, node: Stand, players: Iterable[PlayerId], members: Places | None, ask: Question
    ) -> int:
        return sum(self.tie_break(mine, node, player, members, ask)[0] for player in players)

    def who(self, mine: Asker, node: Stand, ask: Question) -> tuple[list[PlayerId], dict[PlayerId, str]]:
        """Return who is counted with at least one result, in order of registration; and who is level on points and never is, and why.

        The reason is the code of a tie-break: of the result that decides last.
        """
        counted: set[PlayerId] = set()
        behind: dict[PlayerId, str] = {}
        _, alone = self._split(mine, ask)
        parts: list[tuple[tuple[PlayerId, ...], tuple[PlayerId, ...], Places | None]] = [(*alone, None)]
        for at in range(len(self.tables)):
            parts += self._split_table(mine, at, node.state[at], ask).groups
        for past, level, members in parts:
            counted.update(past)
            for player in level:
                does, code = self.tie_break(mine, node, player, members, ask)
                if does:
                    counted.add(player)
                else:
                    behind[player] = code
        counted.discard(mine.player)
        return sorted(counted), {
            player: code for player, code in sorted(behind.items()) if player not in counted | {mine.player}
        }

    def level_on_points(self, mine: Asker, node: Stand, ask: Question) -> list[PlayerId]:
        """Return those whom a tie-break alone may tell from the player and who may then be counted, in order of registration."""
        _, (_, alone) = self._split(mine, ask)
        parts: list[tuple[tuple[PlayerId, ...], Places | None]] = [(alone, None)]
        for at in range(len(self.tables)):
            for _, level, members in self._split_table(mine, at, node.state[at], ask).groups:
                parts.append((level, members))
        may = {
            player
            for level, members in parts
            for player in level
            if ask != "may be level" or self.tie_break(mine, node, player, members, ask)[0]
        }
        return sorted(may - {mine.player})

    # -- completions

    def places(self, choice: Places, player: PlayerId) -> Mapping[PlayerId, tuple[int, int]]:
        """Return, for one completion, how many stand above each and how many others level or above, by the real ranking.

        Of all who are level on points with the player; of everybody where the points do not come first.
        """
        points = self.points_at(choice)
        apart = self.led_by_points and not self.early
        line = points[player] if apart else 0
        key = choice, line
        if key not in self._places:
            there = [each for each in self.question.record.players if each in self.ranked]
            above, level = 0, 0
            if apart:
                ahead = [each for each in self.players if points[each] > line]
                above, level = sum(each not in self.perhaps_gone for each in ahead), len(ahead)
                groups = levels_among(self._at(choice), [each for each in there if points[each] == line])
            else:
                early = [each for each in there if each in self.early]
                first = [each for each in there if each not in self.early]
                groups = [group for part in (first, early) for group in levels_among(self._at(choice), part)]
            self._places[key] = dict(self._counted_off(groups, above, level))
        return self._places[key]

    def _counted_off(
        self, groups: Iterable[Sequence[PlayerId]], above: int, level: int
    ) -> Iterator[tuple[PlayerId, tuple[int, int]]]:
        for group in groups:
            there = [each for each in group if each in self.players]
            level += len(there)
            for each in there:
                yield each, (above, level - 1)
            above += sum(each not in self.perhaps_gone for each in there)

    def _at(self, choice: Places) -> Scorecards:
        """Return the scorecards of a completion."""
        entries = {
            player: self.with_result(at, result)[player]
            for at, result in enumerate(choice)
            for player in self.tables[at].seats
        }
        return self.base.with_entries(entries) if entries else self.base


def rating(kind: Kind) -> tuple[int, int]:
    """Say how good a result is for whoever has it: by points, then by outcome."""
    outcome, points = kind
    return points, [Outcome.LOSS, Outcome.DRAW, Outcome.WIN].index(outcome)
