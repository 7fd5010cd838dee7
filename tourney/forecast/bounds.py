"""How many others can pass a player, and how many surely do, whatever the open tables end in: the counts that proofs are made of.

A player is compared with every other tie-break after tie-break: the points first, then the least and the greatest difference
that the open tables can make of each tie-break. A table gives the count as many players as the result that lets most past
(or least, where somebody is to be above for certain); the sum over the tables is the bound.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Literal, NamedTuple

from tourney.record import Outcome, PlayerId, Table
from tourney.standings import tiebreaks
from tourney.standings.completions import CutQuestion, Kind
from tourney.standings.exact import Value
from tourney.standings.profile import POINTS
from tourney.standings.ranking import levels_among, value_of
from tourney.standings.scorecards import Scorecards
from tourney.standings.tally import Tiebreak

Places = tuple[int, ...]
"""Results of one open table, by their places in `OpenTable.results`."""

State = tuple[Places, ...]
"""For each open table, the results it may still have."""

Question = Literal["may be level", "is level", "is above"]
"""What is asked of another player: whether they can end level or above, surely end so, or surely end above."""

Matters = Callable[[Sequence[PlayerId], Sequence[PlayerId]], bool]
"""Whether a group that is level so far is to be parted further, given who stands ahead of it."""

_NONE = -Fraction(10**30)
"""What stands for no value: below every value."""


def fixing(state: State, at: int, results: Places) -> State:
    """Return a state in which one table may have these results only."""
    return (*state[:at], results, *state[at + 1 :])


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
class Tallies:
    """The number for each group of a table's results, and by how much these differ."""

    numbers: tuple[TableCount, ...]
    spread: int

    @classmethod
    def of(cls, tallies: Iterable[TableCount]) -> Tallies:
        """Return them with their spread."""
        numbers = tuple(tallies)
        every = [tally.number for tally in numbers]
        return cls(numbers, max(every) - min(every))


@dataclass(frozen=True, slots=True)
class Stand:
    """What is looked at: every table, and those whose results are fixed in part.

    codes: a number for what each of these is fixed to
    """

    state: State
    fixed: Mapping[int, Places]
    codes: Mapping[int, int]
    by_points: bool = False


class _Known:
    """What is known of one player against another with fixed tables: it hangs on the tables that tie-breaks looked at.

    alone: while only the own table is fixed
    tables: those that the first of the tie-breaks look at, as many as were needed so far; told: by what these are fixed to
    """

    __slots__ = ("alone", "columns", "tables", "told")

    def __init__(self, alone: tuple[bool, str]) -> None:
        self.alone = alone
        self.columns = 0
        self.tables: tuple[int, ...] = ()
        self.told: dict[tuple[int | None, ...], tuple[bool, str]] = {}


class _Asked:
    """What is known of everybody against one player while that one asks.

    known: by the other and what the other's table ends in
    hang:  the other's table (None: those without one) → the tables on whose results the count there hangs
    alone: what is looked at where only the own table is fixed
    """

    __slots__ = ("alone", "hang", "known")

    def __init__(self, alone: Stand) -> None:
        self.alone = alone
        self.known: dict[tuple[PlayerId, Places | None], _Known] = {}
        self.hang: dict[int | None, set[int]] = {}

    def hanging_on(self, changed: set[int]) -> tuple[frozenset[int], bool]:
        """Return tables and those whose count hangs on them, and whether that of those without a table does, too."""
        hang = {at for at, on in self.hang.items() if not on.isdisjoint(changed)}
        return frozenset(changed.union(at for at in hang if at is not None)), None in hang


class Headcount:
    """How many others are counted.

    node:   what was looked at; asked: what was known of everybody then
    tables: for each table how many, by the result that decides: the most who may, the fewest who surely do
    others: how many of those without an open table
    """

    def __init__(
        self,
        node: Stand,
        asked: _Asked,
        tables: Sequence[int],
        others: int,
        tally: Callable[[int], Tallies | Iterable[TableCount]],
    ) -> None:
        self.node = node
        self.asked = asked
        self.tables = tables
        self.others = others
        self.total = sum(tables) + others
        self._tally = tally
        self._told: dict[int, Tallies] = {}
        self._first: dict[int, TableCount] = {}

    def tallies(self, at: int) -> Sequence[TableCount]:
        """Return the number for each group of a table's results; worked out when it is asked for."""
        return self._all_of(at).numbers

    def spread(self, at: int) -> int:
        """Return by how much a table's numbers differ."""
        return self._all_of(at).spread

    def deciding(self, at: int) -> Iterable[TableCount]:
        """Return the groups of a table's results that decide."""
        return (tally for tally in self.tallies(at) if tally.number == self.tables[at])

    def decides(self, at: int) -> TableCount:
        """Return the first of them; later ones are not worked out for it."""
        if at not in self._first:
            told = self._told.get(at) or self._tally(at)
            numbers = told.numbers if isinstance(told, Tallies) else told
            self._first[at] = next(tally for tally in numbers if tally.number == self.tables[at])
        return self._first[at]

    def _all_of(self, at: int) -> Tallies:
        if at not in self._told:
            told = self._tally(at)
            self._told[at] = told if isinstance(told, Tallies) else Tallies.of(told)
        return self._told[at]


class _Group(NamedTuple):
    """What points alone say where a table ends as one of these results, which are the same to its players.

    past:  how many count, whatever tie-breaks say
    level: the seats of those whom tie-breaks have to tell
    """

    past: int
    level: tuple[int, ...]
    members: Places

    @property
    def most(self) -> int:
        """How many count if all who are level do."""
        return self.past + len(self.level)


class _Split(NamedTuple):
    """What points alone say of a table's players. Tables of players who stand alike share it.

    keen:  the groups of results with somebody to compare, those first that can decide the count
    plain: the number that decides among the others; None: there are none
    told:  the numbers if nobody who is level counts: true where no group is keen
    past, most: the number that decides if nobody who is level counts, and if all do
    """

    groups: tuple[_Group, ...]
    keen: tuple[_Group, ...]
    told: Tallies
    plain: int | None
    past: int
    most: int

    @classmethod
    def of(cls, groups: Iterable[_Group], *, may: bool) -> _Split:
        """may: whether the most decide, else the fewest."""
        every = tuple(groups)
        decide = max if may else min
        keen = sorted((group for group in every if group.level), key=lambda g: -g.most if may else g.past)
        plain = [group.past for group in every if not group.level]
        return cls(
            groups=every,
            keen=tuple(keen),
            told=Tallies.of(TableCount(group.past, group.members) for group in every),
            plain=decide(plain) if plain else None,
            past=decide([group.past for group in every]),
            most=decide([group.most for group in every]),
        )


class _Line(NamedTuple):
    """What is to be said of everybody against a number of points.

    stands: how many half points more each has without their open table; None: points tell nothing
    splits: of each table; keen: the tables where somebody is to be compared
    tables: the number that decides of each that is not keen
    alone:  those without an open table: who counts, whom to compare
    past, most: how many in all if nobody who is level counts, and if all do
    """

    stands: Mapping[PlayerId, int | None]
    splits: Sequence[_Split]
    keen: frozenset[int]
    tables: Sequence[int]
    alone: tuple[tuple[PlayerId, ...], tuple[PlayerId, ...]]
    past: int
    most: int


_SURELY, _NEVER = 10**9, -(10**9)
"""What stands for half points where somebody counts, or does not, whatever the points."""


class _Moving(NamedTuple):
    """A player's value over a denominator: at the base completion, and the change by each result of each table.

    ends: the least and the greatest change of each table; total: of all together
    fixed: the same of tables whose results are fixed, by the number of what these are fixed to
    """

    below: int
    base: int
    changes: Mapping[int, Mapping[int, int]]
    ends: Mapping[int, tuple[int, int]]
    total: tuple[int, int]
    fixed: dict[int, tuple[int, int]]


class _Column:
    """One tie-break's values of everybody, the greater the better, as open tables move them.

    They are worked out by the standings' own functions: at a completion, and with one table after another otherwise.
    """

    def __init__(self, bounds: Counting, row: Tiebreak) -> None:
        self.row = row
        self.bounds = bounds
        self.moves = row.moves if bounds.can_tell(row) else "unknown"
        self.of = _Column(bounds, tiebreaks.find(row.mean_of)) if bounds.is_mean(row) else None
        self._moving: dict[PlayerId, _Moving] = {}
        self._ends: dict[tuple[PlayerId, int | None], tuple[Fraction | int, Fraction | int]] = {}
        self._classes: dict[int, Places] = {}
        self._distinct: dict[tuple[int, Places], Places] = {}
        self._shared: dict[tuple[PlayerId, PlayerId], tuple[int, ...]] = {}

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
        base = self.value(self.bounds.base, player)
        if self.of is not None:
            return self._mean(base, [self.of.moving(each) for each in self.bounds.base.met(player)])
        changes = {}
        for at in self.bounds.reached(player, self.row.reach):
            values = self._changes(player, at, base)
            if any(values.values()):
                changes[at] = values
        below = math.lcm(
            base.denominator,
            *(each.denominator for values in changes.values() for each in values.values()),
        )
        whole = {
            at: {like: int(value * below) for like, value in values.items()} for at, values in changes.items()
        }
        return self._moved(below, int(base * below), whole)

    def _mean(self, base: Fraction | int, of: Sequence[_Moving]) -> _Moving:
        """Return what moves the mean of values, which is `base` at the base completion, by what moves each of them."""
        counted = [each for each in of if not is_none(Fraction(each.base, each.below))]
        if is_none(base) or not counted:
            return self._moved(base.denominator, base.numerator, {})
        below = math.lcm(*(each.below for each in counted))
        sums: dict[int, dict[int, int]] = {}
        for each in counted:
            times = below // each.below
            for at, values in each.changes.items():
                total = sums.setdefault(at, dict.fromkeys(values, 0))
                for like, value in values.items():
                    total[like] += value * times
        above = sum(each.base * (below // each.below) for each in counted)
        moved = {at: values for at, values in sums.items() if any(values.values())}
        return self._moved(below * len(counted), above, moved)

    def _moved(self, below: int, base: int, whole: Mapping[int, Mapping[int, int]]) -> _Moving:
        ends = {at: (min(values.values()), max(values.values())) for at, values in whole.items()}
        total = sum(least for least, _ in ends.values()), sum(most for _, most in ends.values())
        return _Moving(below, base, whole, ends, total, {})

    def _changes(self, player: PlayerId, at: int, base: Fraction | int) -> dict[int, Fraction | int]:
        """Return what each result of a table changes; those that are the same to all whom the value looks at, once."""
        table = self.bounds.tables[at]
        seats = [
            seat
            for seat, each in enumerate(table.seats)
            if each in self.bounds.looked_at(player, self.row.reach)
        ]
        known: dict[object, Fraction | int] = {}
        changes = {}
        for like in dict.fromkeys(self.classes(at)):
            kinds = table.kinds[like]
            alike = like if self.row.looks_at == "games" else tuple(kinds[seat] for seat in seats)
            if alike not in known:
                known[alike] = self.value(self.bounds.with_result(at, like), player) - base
            changes[like] = known[alike]
        return changes

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

    def extreme(
        self, player: PlayerId, other: PlayerId, node: Stand, members: Places | None, sign: int
    ) -> int:
        """Return a positive multiple of the greatest (1) or the least (-1) difference, the other's value minus the player's.

        members: what the other's table ends in, whatever it is fixed to
        """
        mine, theirs = self.moving(player), self.moving(other)
        here = -1 if members is None else self.bounds.table_of[other]
        total = self._end(theirs, node, here, members, sign) * mine.below
        total -= self._end(mine, node, here, members, -sign) * theirs.below
        # Each table at its best for either alone; those that move both have to choose.
        shared = self._shared.get((player, other))
        if shared is None:
            shared = tuple(mine.changes.keys() & theirs.changes.keys())
            self._shared[player, other] = shared
        for at in shared:
            results = members if at == here else node.fixed.get(at)
            choice = theirs.changes[at] if results is None else self.distinct(at, results)
            up, down = theirs.changes[at], mine.changes[at]
            both = [mine.below * up[result] - theirs.below * down[result] for result in choice]
            total += max(both) if sign > 0 else min(both)
            total -= mine.below * self._part(theirs, at, node, results, sign)
            total += theirs.below * self._part(mine, at, node, results, -sign)
        return total

    def _end(self, moving: _Moving, node: Stand, here: int, members: Places | None, sign: int) -> int:
        """Return the greatest (1) or the least (-1) value over its denominator. members: of the table `here`."""
        greatest = sign > 0
        total = moving.base + moving.total[greatest]
        ends, fixed = moving.ends, node.fixed
        for at in ends if len(ends) < len(fixed) else fixed:
            if at != here and at in ends and at in fixed:
                total += self._part(moving, at, node, fixed[at], sign) - ends[at][greatest]
        if here in ends:
            total += self._part(moving, here, node, members, sign) - ends[here][greatest]
        return total

    def _part(self, moving: _Moving, at: int, node: Stand, results: Places | None, sign: int) -> int:
        """Return the greatest (1) or the least (-1) change by one table. results: that it may have; None: all."""
        if results is None:
            return moving.ends[at][sign > 0]
        code = node.codes[at] if node.fixed.get(at) is results else self.bounds.code(at, results)
        part = moving.fixed.get(code)
        if part is None:
            values = moving.changes[at]
            left = [values[result] for result in self.distinct(at, results)]
            part = moving.fixed[code] = min(left), max(left)
        return part[sign > 0]

    def pull(self, player: PlayerId, others: Iterable[PlayerId], at: int) -> Callable[[int], float]:
        """Return how far a result of a table moves the others' values up against the player's: a hint where to look, never a proof."""
        mine = self.moving(player)
        down = mine.changes.get(at)
        every = [(theirs.changes.get(at), theirs.below) for theirs in map(self.moving, others)]
        moved = [(up, below) for up, below in every if up or down]
        classes = self.classes(at)

        def of(result: int) -> float:
            like = classes[result]
            own = down[like] / mine.below if down else 0.0
            return sum((up[like] / below if up else 0.0) - own for up, below in moved)

        return of

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

    def at(self, player: PlayerId, choice: Places) -> tuple[int, int]:
        """Return the value of a tie-break that adds up at a completion, as numerator and denominator."""
        moving = self.moving(player)
        total = moving.base
        for at, values in moving.changes.items():
            total += values[self.classes(at)[choice[at]]]
        return total, moving.below

    def end(self, player: PlayerId, node: Stand, at: int, members: Places | None, sign: int) -> Fraction:
        """Return the greatest (1) or the least (-1) value of a tie-break that adds up. members: of the table `at`."""
        moving = self.moving(player)
        return Fraction(self._end(moving, node, -1 if members is None else at, members, sign), moving.below)


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
        self._looked_at: dict[tuple[PlayerId, int], frozenset[PlayerId]] = {}
        self._columns: tuple[_Column, ...] | None = None
        self._relaxed: tuple[Scorecards, Scorecards] | None = None
        numbers: dict[tuple[tuple[Kind, ...], ...], int] = {}
        self._form = [numbers.setdefault(table.kinds, len(numbers)) for table in self.tables]
        self._groups: dict[tuple[int, Places], tuple[Places, ...]] = {}
        self._lines: dict[tuple[int, bool, bool], _Line] = {}
        self._splits: dict[tuple[int, Places, tuple[int | None, ...], bool], _Split] = {}
        self._told_apart: dict[
            tuple[PlayerId, Places | None, PlayerId, Places | None, Question], tuple[tuple[bool, str], int]
        ] = {}
        self._codes: dict[tuple[int, Places], int] = {}
        self._asking: PlayerId | None = None
        self._asked: dict[tuple[Places | None, Question], _Asked] = {}
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
            there = self.looked_at(player, reach)
            self._reached[player, reach] = tuple(
                sorted({self.table_of[each] for each in there if each in self.table_of})
            )
        return self._reached[player, reach]

    def looked_at(self, player: PlayerId, reach: int) -> frozenset[PlayerId]:
        """Return those at whose results a value of that reach looks: the player, the opponents, theirs."""
        if (player, reach) not in self._looked_at:
            there = {player}
            for _ in range(reach):
                there |= {
                    opponent for each in there for entry in self.base[each] for opponent in entry.opponents
                }
            self._looked_at[player, reach] = frozenset(there)
        return self._looked_at[player, reach]

    def can_tell(self, row: Tiebreak) -> bool:
        """Whether the row's way of moving holds here: no value comes or goes with a result, and no score is to be guessed.

        Without a floor a share of games has no value until a game is played.
        """
        rules = [self.profile.outcomes[outcome] for outcome in (Outcome.WIN, Outcome.DRAW, Outcome.LOSS)]
        if row.each is None or row.looks_at == "scores":
            return False
        if row.looks_at == "games" and self.question.games_vary:
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

    def is_mean(self, row: Tiebreak) -> bool:
        """Whether the row is the plain mean of another one's values: each of the opponents counts alike, and none is frozen."""
        record, profile = self.question.record, self.profile
        frozen = record.drops and not {row.code, row.mean_of}.isdisjoint(profile.frozen)
        alike = not record.weights and profile.strength_by == "opponents" and profile.strength_rounds == "all"
        return bool(row.mean_of) and alike and not frozen and self.can_tell(row)

    # -- points

    def _points(self) -> dict[PlayerId, int]:
        """Return everybody's half points without their open table."""
        points = dict(self.base.points)
        for table in self.tables:
            for seat, player in enumerate(table.seats):
                points[player] -= table.kinds[0][seat][1]
        return points

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
        key = self._form[at], results
        if key not in self._groups:
            self._groups[key] = tuple(self.tables[at].alike(results))
        return self._groups[key]

    # -- one player against one other

    def tie_break(
        self, mine: Asker, node: Stand, other: PlayerId, members: Places | None, ask: Question
    ) -> tuple[bool, str]:
        """Say of somebody level on points whether they count, with one of these results, and the code that tells; empty: none does."""
        may = ask == "may be level"
        if node.by_points:
            return may, ""
        asked = self._asked_by(mine, ask)
        known = asked.known.get((other, members))
        if known is None:
            known = asked.known[other, members] = self._known(asked, mine, other, members, ask)
        # Whoever cannot pass while everything is open cannot once some tables are fixed; nor is who surely does stopped.
        codes = node.codes
        if known.alone[0] is not may or codes == asked.alone.codes:
            return known.alone
        told = known.told.get(tuple([codes.get(at) for at in known.tables]))
        if told is None:
            told, columns = self._compared(mine, node, other, members, ask)
            if columns > known.columns:
                self._look_further(asked, known, columns, mine.player, other)
            known.told[tuple([codes.get(at) for at in known.tables])] = told
        return told

    def _known(
        self, asked: _Asked, mine: Asker, other: PlayerId, members: Places | None, ask: Question
    ) -> _Known:
        key = mine.player, mine.results, other, members, ask
        if key not in self._told_apart:
            self._told_apart[key] = self._compared(mine, asked.alone, other, members, ask)
        alone, columns = self._told_apart[key]
        known = _Known(alone)
        if alone[0] is (ask == "may be level"):
            self._look_further(asked, known, columns, mine.player, other)
        return known

    def _asked_by(self, mine: Asker, ask: Question) -> _Asked:
        """Return what is known of everybody against a player: it is kept until somebody else asks."""
        if self._asking != mine.player:
            self._asking, self._asked = mine.player, {}
        key = mine.results, ask
        asked = self._asked.get(key)
        if asked is None:
            alone = self.all
            if mine.results is not None:
                alone = fixing(alone, self.table_of[mine.player], mine.results)
            asked = self._asked[key] = _Asked(self.stand(alone))
        return asked

    def _look_further(
        self, asked: _Asked, known: _Known, columns: int, player: PlayerId, other: PlayerId
    ) -> None:
        known.columns = columns
        known.tables = self._that_matter(player, other, columns)
        asked.hang.setdefault(self.table_of.get(other), set()).update(known.tables)

    def _that_matter(self, player: PlayerId, other: PlayerId, columns: int) -> tuple[int, ...]:
        """Return the tables whose results the first so many tie-breaks of either hang on."""
        tables: set[int] = set()
        for column in self.columns[self.led_by_points :][:columns]:
            if column.moves not in ("grows", "unknown"):
                tables.update(column.moving(player).changes, column.moving(other).changes)
        return tuple(tables)

    def stand(self, state: State, *, by_points: bool = False) -> Stand:
        """Return what is looked at where tables have these results."""
        every = self.all
        fixed = {at: results for at, results in enumerate(state) if results is not every[at]}
        codes = {at: self.code(at, results) for at, results in fixed.items()}
        return Stand(state, fixed, codes, by_points)

    def code(self, at: int, results: Places) -> int:
        """Return a number for results that a table is fixed to."""
        return self._codes.setdefault((at, results), len(self._codes))

    def _compared(
        self, mine: Asker, node: Stand, other: PlayerId, members: Places | None, ask: Question
    ) -> tuple[tuple[bool, str], int]:
        """Compare tie-break after tie-break; return how many were looked at, too."""
        may = ask == "may be level"
        sign = 1 if may else -1
        looked_at = self.columns[self.led_by_points :]  # whoever is compared is level on points
        for number, column in enumerate(looked_at, 1):
            if column.moves == "unknown":
                return (may, ""), number
            if column.moves == "grows":
                met = self.table_of.get(other, -1) == self.table_of.get(mine.player)
                own = column.ends(mine.player, members if met else mine.results)
                theirs = column.ends(other, members)
                difference = theirs[1] - own[0] if may else theirs[0] - own[1]
            else:
                difference = column.extreme(mine.player, other, node, members, sign)
            if difference:
                return (difference > 0, column.row.code), number
        return (ask != "is above", ""), len(looked_at)

    # -- the bound

    def line(self, mine: Asker, ask: Question) -> _Line:
        """Return what points alone say of everybody; of whoever asks, too, where they have no open table."""
        may = ask == "may be level"
        points = mine.least if may else mine.most
        key = points, mine.player in self.early, may
        if key not in self._lines:
            self._lines[key] = self._worked_out(points, early=mine.player in self.early, may=may)
        return self._lines[key]

    def _worked_out(self, points: int, *, early: bool, may: bool) -> _Line:
        stands = {
            player: self._stands(player, points, early=early, may=may) for player in self.question.players
        }
        splits = [self._split(stands, at, every, may=may) for at, every in enumerate(self.all)]
        past, level = [], []
        for player in self.settled_players:
            stand = stands[player]
            if not stand:
                level.append(player)
            elif stand > 0:
                past.append(player)
        return _Line(
            stands=stands,
            splits=splits,
            keen=frozenset(at for at, split in enumerate(splits) if split.keen),
            tables=[split.past for split in splits],
            alone=(tuple(past), tuple(level)),
            past=sum(split.past for split in splits) + len(past),
            most=sum(split.most for split in splits) + len(past) + len(level),
        )

    def _stands(self, player: PlayerId, points: int, *, early: bool, may: bool) -> int | None:
        if not may and player in self.perhaps_gone:
            return _NEVER
        if (player in self.early) != early:
            return _SURELY if early else _NEVER
        if not self.led_by_points:
            return None
        return self.points[player] + self.gains[player][may] - points

    def _split(
        self, stands: Mapping[PlayerId, int | None], at: int, results: Places, *, may: bool, but: int = -1
    ) -> _Split:
        """but: a seat that is not counted."""
        seats = self.tables[at].seats
        here = tuple(
            _NEVER if seat == but else stands.get(player, _NEVER) for seat, player in enumerate(seats)
        )
        key = self._form[at], results, here, may
        if key not in self._splits:
            groups = (self._group(at, here, members) for members in self.groups(at, results))
            self._splits[key] = _Split.of(groups, may=may)
        return self._splits[key]

    def _group(self, at: int, stands: Sequence[int | None], members: Places) -> _Group:
        kinds = self.tables[at].kinds[members[0]]
        ends = [
            0 if stand is None else stand + points for stand, (_, points) in zip(stands, kinds, strict=True)
        ]
        level = tuple(seat for seat, end in enumerate(ends) if end == 0)
        return _Group(sum(end > 0 for end in ends), level, members)

    def _split_at(self, line: _Line, mine: Asker, node: Stand, ask: Question, at: int) -> _Split:
        """Return what points say of a table as it is looked at, without whoever asks."""
        if at not in node.fixed:
            return line.splits[at]
        seats = self.tables[at].seats
        but = seats.index(mine.player) if mine.player in seats else -1
        return self._split(line.stands, at, node.state[at], may=ask == "may be level", but=but)

    def by_points(self, mine: Asker, state: State, ask: Question) -> tuple[int, int]:
        """Return the count by points alone if nobody who is level counts, and if all do; of the tables, the own alone is fixed."""
        line = self.line(mine, ask)
        at = self.table_of.get(mine.player)
        if at is None:
            _, level = line.alone
            counted = line.stands[mine.player]
            ahead = counted is not None and counted > 0
            return line.past - ahead, line.most - (ahead or mine.player in level)
        whole = line.splits[at]
        split = self._split_at(line, mine, Stand(state, {at: state[at]}, {}), ask, at)
        return line.past - whole.past + split.past, line.most - whole.most + split.most

    def count(self, mine: Asker, node: Stand, ask: Question, before: Headcount | None = None) -> Headcount:
        """Count, table by table, who may pass or surely does.

        before: the same count of another state; only what depends on a table that changed is counted again
        """
        line = self.line(mine, ask)
        asked = self._asked_by(mine, ask)
        if before is None or before.asked is not asked or before.node.by_points != node.by_points:
            again = line.keen.union(node.fixed)
            tables, others = list(line.tables), None
        else:
            changed = {at for at, left in enumerate(node.state) if left is not before.node.state[at]}
            again, alone = asked.hanging_on(changed)
            tables, others = list(before.tables), None if alone else before.others
        if others is None:
            past, level = line.alone
            others = len(past) - (mine.player in past)
            others += self._counted(mine, node, (each for each in level if each != mine.player), None, ask)
        for at in again:
            tables[at] = self._decided(line, mine, node, ask, at)
        return Headcount(node, asked, tables, others, partial(self._tallies, line, mine, node, ask))

    def _decided(self, line: _Line, mine: Asker, node: Stand, ask: Question, at: int) -> int:
        """Return the number of a table that decides: nobody is compared where it cannot change that."""
        split = self._split_at(line, mine, node, ask, at)
        number, may = split.plain, ask == "may be level"
        if node.by_points:
            return split.most if may else split.past
        for group in split.keen:
            if number is not None and (group.most <= number if may else group.past >= number):
                break
            here = self._of_group(mine, node, ask, at, group)
            number = here if number is None else max(number, here) if may else min(number, here)
        assert number is not None
        return number

    def _tallies(
        self, line: _Line, mine: Asker, node: Stand, ask: Question, at: int
    ) -> Tallies | Iterable[TableCount]:
        split = self._split_at(line, mine, node, ask, at)
        if not split.keen or (node.by_points and ask != "may be level"):
            return split.told
        return (
            TableCount(self._of_group(mine, node, ask, at, group), group.members) for group in split.groups
        )

    def _of_group(self, mine: Asker, node: Stand, ask: Question, at: int, group: _Group) -> int:
        seats = self.tables[at].seats
        level = [seats[seat] for seat in group.level]
        return group.past + (self._counted(mine, node, level, group.members, ask) if level else 0)

    def _counted(
        self, mine: Asker, node: Stand, players: Iterable[PlayerId], members: Places | None, ask: Question
    ) -> int:
        return sum(self.tie_break(mine, node, player, members, ask)[0] for player in players)

    def level_on_points(self, mine: Asker, node: Stand, ask: Question) -> list[PlayerId]:
        """Return the others level on points whom a tie-break may count, in order of registration."""
        may = {
            player
            for player, members in self._level_players(mine, node, ask)
            if ask != "may be level" or self.tie_break(mine, node, player, members, ask)[0]
        }
        return sorted(may - {mine.player})

    def _level_players(
        self, mine: Asker, node: Stand, ask: Question
    ) -> Iterator[tuple[PlayerId, Places | None]]:
        """Yield each player level on points, with the results of their table (None: no open table)."""
        line = self.line(mine, ask)
        yield from ((player, None) for player in line.alone[1])
        for at in line.keen.union(node.fixed):
            seats = self.tables[at].seats
            for group in self._split_at(line, mine, node, ask, at).groups:
                yield from ((seats[seat], group.members) for seat in group.level)

    # -- completions

    def places(self, choice: Places, player: PlayerId) -> Mapping[PlayerId, tuple[int, int]]:
        """Return, for one completion, how many stand above each and how many others level or above, by the real ranking.

        Of all who are level on points with the player; of everybody where the points do not come first. Those who all make the
        cut, or all miss it, however they are told apart, may be left together.
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
                level_there = [each for each in there if points[each] == line]
                at_line = partial(self._at_line, above, level)
                groups = self._levels(choice, level_there, at_line)
            else:
                early = [each for each in there if each in self.early]
                first = [each for each in there if each not in self.early]
                groups = [group for part in (first, early) for group in self._levels(choice, part)]
            self._places[key] = dict(self._counted_off(groups, above, level))
        return self._places[key]

    def _levels(
        self, choice: Places, players: Sequence[PlayerId], matters: Matters = lambda _ahead, _group: True
    ) -> list[list[PlayerId]]:
        """Return what `levels_among` does of a completion: where all tie-breaks add up, by their sums."""
        if any(column.moves not in ("own", "adds") for column in self.columns):
            return levels_among(self._at(choice), players, matters)
        groups = [list(players)] if players else []
        for column in self.columns:
            ahead: list[PlayerId] = []
            finer: list[list[PlayerId]] = []
            for group in groups:
                parted = len(group) > 1 and matters(ahead, group)
                finer += (
                    _parted(group, [column.at(player, choice) for player in group]) if parted else [group]
                )
                ahead += group
            groups = finer
        return groups

    def _at_line(self, above: int, level: int, ahead: Sequence[PlayerId], group: Sequence[PlayerId]) -> bool:
        """Whether some of a group may make the cut and others miss it. above, level: how many have more points."""
        cut = self.question.cut
        level += sum(each in self.players for each in ahead) + sum(each in self.players for each in group)
        above += sum(each in self.players and each not in self.perhaps_gone for each in ahead)
        return above < cut < level

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
        there = {
            player: self.with_result(at, result)
            for at, result in enumerate(choice)
            for player in self.tables[at].seats
        }
        return self.base.with_rounds_of(there) if there else self.base


def _parted(group: Sequence[PlayerId], values: Sequence[tuple[int, int]]) -> list[list[PlayerId]]:
    """Part players by values, numerators and denominators, the greatest first."""
    below = math.lcm(*{under for _, under in values})
    parts: dict[int, list[PlayerId]] = {}
    for player, (over, under) in zip(group, values, strict=True):
        parts.setdefault(over * (below // under), []).append(player)
    return [parts[value] for value in sorted(parts, reverse=True)]


def rating(kind: Kind) -> tuple[int, int]:
    """Say how good a result is for whoever has it: by points, then by outcome."""
    outcome, points = kind
    return points, [Outcome.LOSS, Outcome.DRAW, Outcome.WIN].index(outcome)
