"""A lower bound for the sum of squared point differences of a conflict-free round.

The bound follows from the number of tables that must cross each boundary between two scores. Its terms:

* A *conflict* is a rematch or a pair that the organizer forbids.
* A *window* (`field.Window`) is a series of neighbouring groups that are paired together, often the whole
  field. A group has the players with equal points. Groups are numbered from 0, from the top.
* *Boundary* k is between group k and group k+1, and gap_k is the difference of their points.
* A table *crosses* boundary k if one player is above it and the other below. x_k is the number of such
  tables, the *crossings* of the boundary. f_k is the least number that is possible.
* A *run* is a series of neighbouring groups i … j whose players cannot all be paired with each other.
* A *borrowed* group (`field.Window.borrowed_groups`) consists of a few players whom a large group lends to
  the window. Any two of them may be paired.

The constraints are:

* x_k ≥ f_k and x_k ≡ f_k (mod 2). f_k is 1 if the number of players above is odd, and 0 if it is even. It is
  larger if more of the players above (or of those below) are left over when as many as possible of them are
  paired with each other. Then f_k is the number of players left over. This number is only computed for a side
  with few players, because on a side with many players, at most one is left over.
* For a run of groups i … j: x_{i-1} + x_j ≥ the number of players who cannot be paired inside the run.
* A table that crosses several boundaries costs (sum of gap_k)² ≥ sum of gap_k². Each boundary has a *weight*
  w_k ≤ gap_k². The *slack* of a table is its cost minus the weights of the boundaries that it crosses. So the
  cost of a round = sum of slacks + sum of w_k · x_k.

Let `total` be the least sum of w_k · x_k under these constraints. No conflict-free round costs less than
`total`, and no round that uses a table of slack s costs less than total + s.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, combinations_with_replacement

from msgspec import Struct
from msgspec.structs import replace

from tourney.pairing.pairing import Pair
from tourney.pairing.swiss.field import Window
from tourney.pairing.swiss.matching import (
    MayMeet,
    deficiency,
    exact_deficiency,
    greedy_leftovers,
    heaviest_matching,
)
from tourney.record import NOBODY, PlayerId

_MANY_GROUPS = 2**31
"""A number that is larger than the number of groups in any window.

`Bound.low` has this value if there is no lower end.
"""


class Run(Struct, frozen=True):
    """Neighbouring groups whose players cannot all be paired with each other.

    first, last: the numbers of the first and the last group, from 0
    leavers:     the least number of players of these groups who must meet players of other groups
    """

    first: int
    last: int
    leavers: int


class Bound(Struct, frozen=True, dict=True):
    """The lower bound of a window, with its parts (see the module's docstring).

    points:    the half points of each group
    crossings: for each boundary, f_k: the least number of tables that cross it
    runs:      the runs whose players need more tables across their two boundaries than `crossings` has
    weights:   for each boundary, its weight w_k
    total:     the bound: no conflict-free round of the window costs less
    top, low:  the ends (see `with_ends`): the groups before `top`, and the groups from `low` to the last; by
               default no group is in an end
    charges:   for each group of an end, the cost charged to a player who meets an opponent outside that end;
               0 for other groups
    """

    points: tuple[int, ...]
    crossings: tuple[int, ...]
    runs: tuple[Run, ...]
    weights: tuple[int, ...]
    total: int
    top: int = 0
    low: int = _MANY_GROUPS
    charges: tuple[int, ...] = ()

    @cached_property
    def _weight_sums(self) -> list[int]:
        return list(accumulate(self.weights, initial=0))

    def slack(self, upper: int, lower: int) -> int:
        """Return the slack of a table: its cost minus the weights of the boundaries that it crosses.

        A boundary lies between two neighbouring groups. The *ends* of the window are the groups before
        `top`, and the groups from `low` on (see `with_ends`). If both players are in the same end, the slack
        is 0. If a player in an end meets an opponent outside that end, the charge of the player's group
        (`charges`) is subtracted, too. With the same `upper`, a greater `lower` gives an equal or greater
        slack.

        upper, lower: the numbers of the groups of the two players, from 0 for the top group
        """
        if lower < self.top or upper >= self.low:
            return 0
        charge = self.charges[upper] + self.charges[lower] if self.charges else 0
        return (
            (self.points[upper] - self.points[lower]) ** 2
            - self._weight_sums[lower]
            + self._weight_sums[upper]
            - charge
        )

    def blocks(self, reach: int) -> Iterator[tuple[int, int, int]]:
        """Yield the pairs of groups whose tables have a `slack` of at most `reach`.

        Each item is (upper, lower, slack): a table seats a player of group `upper` with a player of group
        `lower`, which can be the same group. All these tables have the same slack.
        """
        for upper in range(len(self.points)):
            for lower in range(upper, len(self.points)):
                slack = self.slack(upper, lower)
                if slack > reach:
                    break
                yield upper, lower, slack

    @property
    def greatest_slack(self) -> int:
        """The greatest `slack` that a table of the window can have."""
        last = len(self.points) - 1
        return max(self.slack(upper, last) for upper in range(last + 1))

    def next_reach(self, reach: int) -> int | None:
        """Return the limit on slack that the search tries after `reach`.

        The search uses only tables whose `slack` is at most the limit. The next limit is the least of
        all slacks above 2 × `reach`. If no table has such a slack, it is the greatest slack of all tables.
        Returns None if `reach` already includes all tables.
        """
        last, greatest = len(self.points) - 1, self.greatest_slack
        if greatest <= reach:
            return None
        next_slacks = [
            next(
                (
                    slack
                    for lower in range(upper, last + 1)
                    if (slack := self.slack(upper, lower)) > 2 * reach
                ),
                greatest,
            )
            for upper in range(last + 1)
        ]
        return min(next_slacks)


def bound_of(window: Window, sure_size: int) -> Bound:
    """Return the bound of a window: no conflict-free round of the window costs less.

    sure_size: 2d + 4, where d is the maximum number of conflicts of a player. By lemma 1 in `windows`, this
               many players or more can always be paired with each other, except one player if their number is
               odd.
    """
    crossings = _crossings(window, sure_size)
    runs = _runs(window, sure_size, crossings)
    gaps = [above - below for above, below in zip(window.points, window.points[1:], strict=False)]
    run_boundaries = {boundary for run in runs for boundary in (run.first - 1, run.last)}
    weights = [
        gap**2 if least or boundary in run_boundaries else 0
        for boundary, (gap, least) in enumerate(zip(gaps, crossings, strict=True))
    ]
    total = _least_sum(crossings, weights, runs)
    return Bound(tuple(window.points), tuple(crossings), tuple(runs), tuple(weights), total)


def _crossings(window: Window, sure_size: int) -> list[int]:
    """Return f_k for each boundary: the least number of tables that must cross it.

    A table crosses the boundary between two groups if one player is above it and the other below.
    """
    boundaries = len(window.groups) - 1
    above = list(accumulate(len(group) for group in window.groups))[:-1]
    crossings = [players % 2 for players in above]
    may_meet = _may_meet(window)
    for groups in (range(boundaries), range(boundaries, 0, -1)):
        players: list[PlayerId] = []
        leftovers: list[PlayerId] = []
        for group in groups:
            boundary = group if groups.step == 1 else group - 1
            players = players + window.groups[group]
            if len(players) - (NOBODY in players) >= sure_size:
                break
            leftovers = greedy_leftovers(window.groups[group], may_meet, leftovers)
            crossings[boundary] = max(crossings[boundary], exact_deficiency(players, may_meet, leftovers))
    return crossings


def window_deficiency(window: Window, players: Sequence[PlayerId]) -> int:
    """Return how many of `players` are left over when as many as possible of them are paired."""
    return deficiency(players, _may_meet(window))


def _may_meet(window: Window) -> MayMeet:
    """Return a function that returns whether two players of a window can be paired.

    Two players of the same borrowed group (`Window.borrowed_groups`) can always be paired, because such a
    pair goes back to its large group, where both are paired anew. Other players can be paired if they have no
    conflict.
    """
    if not window.borrowed_groups:
        return window.may_meet
    group_of = {player: number for number, group in enumerate(window.groups) for player in group}
    borrowed_groups = window.borrowed_groups

    def may_meet(one: PlayerId, other: PlayerId) -> bool:
        group = group_of[one]
        return (group == group_of[other] and group in borrowed_groups) or window.may_meet(one, other)

    return may_meet


def _runs(window: Window, sure_size: int, crossings: Sequence[int]) -> list[Run]:
    """Return a `Run` for each single group that needs more crossing tables than `crossings` has.

    A group has the players with equal points. Some of them cannot be paired within the group, so their tables
    cross one of its two boundaries. The group is included if these are more tables than `crossings` has for
    both boundaries together. The first and the last group, and groups of `sure_size` or more players, are
    left out.

    crossings: for each boundary of two groups, the least number of tables that must cross it
    """
    runs = []
    for place in range(1, len(window.groups) - 1):
        players = window.groups[place]
        if len(players) - (NOBODY in players[-1:]) < sure_size:
            leavers = window_deficiency(window, players)
            if leavers > crossings[place - 1] + crossings[place]:
                runs.append(Run(place, place, leavers))
    return runs


def _least_sum(crossings: Sequence[int], weights: Sequence[int], runs: Sequence[Run]) -> int:
    """Return the least sum of w_k · x_k that the constraints in the module's docstring allow.

    The function goes through the boundaries in order, and keeps the least sum for each combination of the
    last few x_k. It tries x_k = f_k, f_k + 2 and so on, up to the first value that satisfies every constraint
    x_{i-1} + x_j ≥ … of which x_k is one term, even if the other term is 0. A greater x_k would only cost
    more.

    crossings: f_k, the least x_k for each boundary
    """
    ending_runs: dict[int, list[Run]] = {}
    most_leavers = [0] * len(crossings)
    for run in runs:
        ending_runs.setdefault(run.last, []).append(run)
        for boundary in (run.first - 1, run.last):
            most_leavers[boundary] = max(most_leavers[boundary], run.leavers)
    memory = max((run.last - run.first + 1 for run in runs), default=0)
    best: dict[tuple[int, ...], int] = {(): 0}
    for boundary, least in enumerate(crossings):
        next_best: dict[tuple[int, ...], int] = {}
        for number in range(least, max(least, most_leavers[boundary] + 1) + 1, 2):
            for previous, total in best.items():
                if all(
                    previous[run.first - 1 - boundary] + number >= run.leavers
                    for run in ending_runs.get(boundary, ())
                ):
                    state = (*previous, number)[-memory:] if memory else ()
                    cost = total + weights[boundary] * number
                    next_best[state] = min(next_best.get(state, cost), cost)
        best = next_best
    return min(best.values())


# -- a tighter bound: the few players at the top, and at the bottom, are paired with each other exactly
#
# Late in a tournament the players at the top and at the bottom have met each other. Tables there jump over
# several scores, which the number of crossings does not count. An *end* is the first (or last) few groups
# together. A player who leaves the top end downwards (or the bottom end upwards) is charged the squared
# distance to the first group outside the end. One small matching gives the least cost of pairing an end if
# every player may leave at that charge: the weight of a table is what it saves compared with both players
# leaving. A table from an end to the outside costs at least the charge. Its slack is its cost minus its
# charges and the weights of the boundaries between the ends that it crosses. So
#
#     cost of a round ≥ least cost of both ends + least sum of weight · crossings between the ends
#                       + slack of any table of the round.
#
# Tables inside an end have slack 0, so all of them are candidates.


_MOST_PLAYERS = 32
"""The maximum number of players in an end: the first or last few groups of a window."""


def with_ends(window: Window, bound: Bound) -> Bound:
    """Return a better lower bound for a window's cost; `bound` if the new one is not higher.

    The *ends* of the window are its first few and its last few groups, without borrowed groups. The new bound
    uses the least cost of pairing the players of each end, which a matching computes. So the new bound cannot
    be verified by counting tables, as `bound` can.
    """
    groups, points = window.groups, window.points
    last = len(groups) - 1
    # At least one group stays between the ends.
    top = 0 if 0 in window.borrowed_groups else _count_end_groups(groups[:-1])
    low = last + 1 - (0 if last in window.borrowed_groups else _count_end_groups(groups[top + 1 :][::-1]))
    between = range(top, low - 1)  # the boundaries of groups outside the ends
    weights = [weight if place in between else 0 for place, weight in enumerate(bound.weights)]
    runs = [run for run in bound.runs if run.first - 1 in between and run.last in between]
    charges = [
        (points[place] - points[top]) ** 2
        if place < top
        else (points[low - 1] - points[place]) ** 2
        if place >= low
        else 0
        for place in range(len(groups))
    ]
    total = _least_sum(bound.crossings, weights, runs)
    total += _least_cost(window, range(top), charges) + _least_cost(window, range(low, len(groups)), charges)
    tighter = replace(
        bound, weights=tuple(weights), runs=tuple(runs), total=total, top=top, low=low, charges=tuple(charges)
    )
    return max(bound, tighter, key=lambda candidate: candidate.total)


def _count_end_groups(groups: Iterable[Sequence[int]]) -> int:
    """Return how many of the first `groups` have at most `_MOST_PLAYERS` players in all.

    groups: point groups of a window, from the top group downwards or from the bottom group upwards
    """
    players = count = 0
    for group in groups:
        players += len(group)
        if players > _MOST_PLAYERS:
            break
        count += 1
    return count


def _least_cost(window: Window, places: range, charges: Sequence[int]) -> int:
    """Return the least cost of pairing the players of one end: the first or the last few groups.

    Any player except the bye may also meet an opponent outside the end. This costs what `charges` has for the
    player's group.

    places:  the numbers of the end's groups
    charges: for each group of the window, the cost if a player meets an opponent outside the end
    """
    points = window.points
    players = [player for place in places for player in window.groups[place]]
    leave_cost = sum(
        charges[place] for place in places for player in window.groups[place] if player != NOBODY
    )
    bye_charge = leave_cost + 1  # the charge if the bye left
    savings: dict[Pair, int] = {}
    for upper, lower in combinations_with_replacement(places, 2):
        saving = charges[upper] + charges[lower] - (points[upper] - points[lower]) ** 2
        if saving > 0:
            savings |= dict.fromkeys(window.block(upper, lower), saving)
    for place in places:
        if NOBODY in window.groups[place]:
            savings |= dict.fromkeys(
                [(player, NOBODY) for player in window.bye_class], charges[place] + bye_charge
            )
    pairs = heaviest_matching(players, list(savings), list(savings.values()))
    return leave_cost + (bye_charge if NOBODY in players else 0) - sum(savings[pair] for pair in pairs)


# -- a bound by kinds of players: the cost of keeping a large club apart
#
# Players with the same points and the same club form a *kind*. If a club has more than half the players of a
# group, its members cannot all be paired inside the group. If most groups are like that, the members of the
# club float in chains that no single boundary can count. Now ignore earlier meetings, and allow a player to
# be half paired with each of two players. Pairing the players is then a transport problem between kinds: how
# many players of one kind meet players of another kind? The solution of the dual problem of linear
# programming (the *duals*) gives each player a number, the *potential*. A table of two players who may meet
# costs at least the sum of their potentials. So
#
#     cost of a round ≥ sum of all potentials.
#
# A matching by reduced costs (the cost of a table minus its two potentials) gives the same best rounds. It is
# much faster, because the tables of the best round usually have a reduced cost of 0. (This is the weak
# duality of linear programming. Because of the halves, the bound is not always the optimum.)


FEWEST_OF_A_CLUB = 20
"""The minimum number of members of a club that a `Kind` takes into account.

Smaller clubs are ignored. This can make the bound lower, but it is still a bound.
"""

_MOST_KINDS = 100
"""The maximum number of kinds of players (`Kind`) for which potentials are computed.

The computation needs a price for each pair of kinds.
"""

Kind = tuple[int, frozenset[PlayerId]]
"""A kind of players: their half points, and the members of their club.

The kind of the bye has -1 points.
"""

_NO_CLUB: frozenset[PlayerId] = frozenset()


def potentials(window: Window) -> tuple[dict[PlayerId, int], int]:
    """Return twice each player's potential (and the bye's), and a lower bound of a round's cost.

    No table costs less than the *potentials* of its two players together. So every round costs at least the
    sum of all potentials. The bound is this sum, rounded up to an even number if all rounds have even costs,
    or to an odd number if all have odd costs. If the window has more than `_MOST_KINDS` kinds of players, all
    these numbers are 0.
    """
    kind_of = _kinds(window)
    kinds = sorted(set(kind_of.values()), key=lambda kind: (-kind[0], len(kind[1]), min(kind[1], default=0)))
    if len(kinds) > _MOST_KINDS:
        return dict.fromkeys(kind_of, 0), 0
    counts = Counter(kind_of.values())
    takers = {kind_of[player] for player in window.bye_class}
    bye_kind = kind_of.get(NOBODY)

    def price(one: Kind, other: Kind) -> int | None:
        if bye_kind in (one, other):
            return 0 if (other if one == bye_kind else one) in takers and one != other else None
        if (one == other and counts[one] < 2) or (one[1] and one[1] == other[1]):
            return None
        return (one[0] - other[0]) ** 2

    prices = [[price(one, other) for other in kinds] for one in kinds]
    double_duals = _duals(prices, [counts[kind] for kind in kinds])
    dual_of_kind = dict(zip(kinds, double_duals, strict=True))
    total = -(-sum(dual_of_kind[kind] for kind in kind_of.values()) // 2)
    points = window.field.points
    parity_sum = sum(points[player] for player in kind_of if player != NOBODY)
    parity_sum -= points[next(iter(window.bye_class))] if bye_kind is not None else 0
    total += (total - parity_sum) % 2
    return {player: dual_of_kind[kind] for player, kind in kind_of.items()}, max(total, 0)


def _kinds(window: Window) -> dict[PlayerId, Kind]:
    """Return the `Kind` of each player of a window: the player's half points and club.

    A window is a series of neighbouring score groups that are paired together. Here, a club is a set of at
    least `FEWEST_OF_A_CLUB` players whom the organizer keeps apart from each other. All other players, and
    players whom a large group lends to the window (`Window.borrowed_groups`), count as players without a
    club.
    """
    field = window.field
    clubs: dict[PlayerId, frozenset[PlayerId]] = {}
    for player in window.players:
        if player not in clubs and len(field.bans.get(player, ())) >= FEWEST_OF_A_CLUB:
            club = field.bans[player] | {player}
            members = [member for member in club if field.bans.get(member, _NO_CLUB) | {member} == club]
            clubs |= dict.fromkeys(members, club if len(members) >= FEWEST_OF_A_CLUB else _NO_CLUB)
    borrowed_players = {player for number in window.borrowed_groups for player in window.groups[number]}
    return {
        player: (-1, _NO_CLUB)
        if player == NOBODY
        else (field.points[player], _NO_CLUB if player in borrowed_players else clubs.get(player, _NO_CLUB))
        for player in window.players
    }


def _duals(prices: Sequence[Sequence[int | None]], counts: Sequence[int]) -> list[int]:
    """Return twice the dual of each kind of players; zeros if the players cannot all be paired.

    A kind is a set of players with the same points and club (`_kinds`). The dual of a kind is the potential
    of each of its players (`potentials`).

    Each kind has a row and a column: the players of a row need partners, and the players of a column can be
    these partners. The algorithm is successive shortest augmenting paths, as in the Hungarian method: while a
    row has players without partners, they get partners along the cheapest path to a column that still has
    free players.

    prices: for each row and column, the cost of a table of these kinds; None if they may not meet
    counts: the number of players of each kind
    """
    size = range(len(counts))
    rows, columns = [0] * len(counts), [0] * len(counts)
    flow = [[0] * len(counts) for _ in size]
    leftovers, room = list(counts), list(counts)
    for start in size:
        while leftovers[start]:
            path = _path(start, prices, flow, room, (rows, columns))
            if path is None:
                return [0] * len(counts)
            amount = min(
                leftovers[start], room[path[-1][1]], *(flow[row][column] for row, column in path[1::2])
            )
            for place, (row, column) in enumerate(path):
                flow[row][column] += -amount if place % 2 else amount
            leftovers[start] -= amount
            room[path[-1][1]] -= amount
    return [row + column for row, column in zip(rows, columns, strict=True)]


def _path(
    start: int,
    prices: Sequence[Sequence[int | None]],
    flow: Sequence[Sequence[int]],
    room: Sequence[int],
    duals: tuple[list[int], list[int]],
) -> list[tuple[int, int]] | None:
    """Return the cheapest path from a row to a column with free players, or None.

    Rows and columns are kinds of players (see `_duals`). The path is a list of (row, column): first a table
    to add, then one to remove, and so on. The length of a step is the cost of the table minus the duals of
    its row and column. The function also updates `duals` by the distances: after that, each table on the path
    costs exactly the sum of its two duals.

    prices: for each row and column, the cost of a table of these kinds; None if they may not meet
    flow:   the number of tables of each row and column so far
    room:   the number of free players of each column
    duals:  the duals of the rows and of the columns
    """
    rows, columns = duals
    row_distances = {start: 0}  # rows and their distance
    row_entries = {start: -1}  # the column by which each row was reached
    column_entries: dict[int, tuple[int, int]] = {}  # columns, their distance and the row before
    final_distances: dict[int, int] = {}  # columns whose distance is final
    new_rows, distance = [start], 0
    while True:
        for row in new_rows:
            for column, price in enumerate(prices[row]):
                if price is not None and column not in final_distances:
                    new_distance = distance - rows[row] + price - columns[column]
                    if column not in column_entries or new_distance < column_entries[column][0]:
                        column_entries[column] = (new_distance, row)
        waiting = [
            (length, column)
            for column, (length, _) in column_entries.items()
            if column not in final_distances
        ]
        if not waiting:
            return None
        distance, column = min(waiting)
        final_distances[column] = distance
        if room[column]:
            break
        new_rows = [row for row in range(len(flow)) if flow[row][column] and row not in row_distances]
        row_distances |= dict.fromkeys(new_rows, distance)
        row_entries |= dict.fromkeys(new_rows, column)
    for row, length in row_distances.items():
        rows[row] += distance - length
    for final_column, length in final_distances.items():
        columns[final_column] -= distance - length
    return _path_to(column, column_entries, row_entries)


def _path_to(
    column: int, column_entries: Mapping[int, tuple[int, int]], row_entries: Mapping[int, int]
) -> list[tuple[int, int]]:
    """Return the path that `_path` found from its first row to a column, as (row, column) pairs.

    column_entries: for each column that was reached: its distance, and the row from which it was reached
    row_entries:    for each row that was reached: the column from which it was reached; -1 for the first row
    """
    path = [(column_entries[column][1], column)]
    while (before := row_entries[path[-1][0]]) != -1:
        path += [(path[-1][0], before), (column_entries[before][1], before)]
    return path[::-1]
