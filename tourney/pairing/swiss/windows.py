"""Windows: series of neighbouring score groups that are paired together.

A field of more than 600 players is cut at its large groups, the *separators*. The groups above, between and
below the separators form windows. One attempt to pair a field in this way is called a *pass*. The module has,
in this order:

* a pass over such a field (`Separation`)
* the best round of one window (`solve_window`)
* the *candidates*, which are the tables that the best round may have, and how to reduce their number
* the pairing of the players inside one separator (`_pair_inside`)

*Boundary*, *slack* and *bound* are explained in `bound`, *levels* in `levels`. The comments of this module
prove lemma 1 and lemma 3.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, combinations_with_replacement, compress, islice

from msgspec import Struct
from msgspec.structs import replace

from tourney.pairing.pairing import Mode, Pair, SeedHash, shared_tags
from tourney.pairing.swiss.bound import Bound, bound_of, potentials, window_deficiency, with_ends
from tourney.pairing.swiss.field import Field, Window, whole_field
from tourney.pairing.swiss.levels import (
    Columns,
    best_round,
    by_strength,
    columns,
    normalize_column,
    pack,
    sides_of,
)
from tourney.pairing.swiss.matching import cheapest_matching, largest_matching
from tourney.record import NOBODY, PlayerId

# -- fields of more than 600 players: large score groups separate windows whose optima add up
#
# A group of more than `size` + 2 players is a *separator*. It lends a few players (`lend`, or one more for
# parity) to the window above, and as many others to the window below. The other players of the group are
# paired with each other, together with lent players whom the window did not need. A *pass* does this once,
# with one `size` and one `lend`.
#
# Lemma 3. Let d be the maximum number of conflicts of a player. With size 7d + 6 and lend 2d + 1, the optima
# of the windows add up to the optimum of the field. In some best round, no table jumps over a separator, and
# at most d + 1 players from above and as many from below meet players of the separator. It does not matter
# which players of the separator these are: another player can take the seat at no cost, as long as the group
# has inner tables to swap with. Conversely, the windows use at most 4d + 4 players of a separator, and the
# others can be paired by lemma 1 (at the end of this module). The quick passes have smaller numbers and no
# such proof. Their round is kept if it meets the bound, which is a proof by itself.
#
# The construction depends only on the seed: players are shuffled by key (`SeedHash`). If the player with the
# bye is in a separator, it is the first of the class in that order. The players lent are the first who did
# not float that way in the last round.


QUICK = (40, 10)
MIDDLE = (150, 40)
"""The numbers (`size`, `lend`) of the two quick passes.

A group of more than `size` + 2 players is a separator. It lends `lend` players, or one more, to the window
above, and others to the window below. The quick passes come before the pass with `proved_sizes`, because
small windows are solved much faster.
"""


def proved_sizes(most_conflicts: int) -> tuple[int, int]:
    """Return (`size`, `lend`) for a `Separation` that surely has the least point differences.

    `size` decides which score groups are large enough to cut the field there, and `lend` how many players
    such a group lends (see `Separation`). Lemma 3, in a comment of this module, proves that the sum of
    squared point differences is then the least.

    most_conflicts: the maximum number of conflicts of a player (`Field.most_conflicts`)
    """
    return 7 * most_conflicts + 6, 2 * most_conflicts + 1


class FieldPairing(Struct, frozen=True):
    """The round of a large field, put together from parts that were paired separately.

    pairs: the tables, without those that the organizer set; the bye is a pair with `NOBODY`
    cost:  the sum of squared point differences at these tables, in half points
    """

    pairs: list[Pair]
    cost: int


class Separation:
    """One attempt (a *pass*) to pair a large field in parts, cut at its large score groups.

    A large group is called a *separator*. The groups above, between and below the separators form *windows*.

    sizes: the numbers (`size`, `lend`). A group of more than `size` + 2 players (the bye counts as one) is a
           separator. It lends `lend` players, or one more, to the window above, and others to the window
           below, to be paired there if the window needs them
    """

    def __init__(
        self, field: Field, bye_class: Sequence[PlayerId], seed_hash: SeedHash, sizes: tuple[int, int]
    ) -> None:
        self.field, self.seed_hash = field, seed_hash
        self.size, self.lend = sizes
        self.bye_class = bye_class
        self.whole = whole_field(field, bye_class)
        self.separators = [
            number for number, group in enumerate(self.whole.groups) if len(group) - 2 > self.size
        ]

    @cached_property
    def bye_in_separator(self) -> PlayerId | None:
        """The player who gets the bye, if the candidates for it are in a separator; else None.

        A separator is a large group of players with equal points, at which the field is cut into parts.
        """
        places = [number for number in self.separators if NOBODY in self.whole.groups[number][-1:]]
        if not places:
            return None
        if self.field.options.mode is Mode.RANDOM:
            return self.seed_hash.shuffle(self.bye_class)[0]
        return by_strength(self.field, self.bye_class)[-1]

    def solve(self, sure_size: int) -> FieldPairing | None:
        """Pair the parts into which the field is cut, and return the whole round.

        These parts are the large score groups (*separators*) and the *windows*. Returns None if no pairing
        without a conflict is found for one of the parts.

        sure_size: 2d + 4, where d is the maximum number of conflicts of a player. This many players or more
                   can always be paired without a conflict, except one player if their number is odd (lemma 1
                   in this module)
        """
        pools = {number: self._members(number) for number in self.separators}
        pairs = [] if self.bye_in_separator is None else [(self.bye_in_separator, NOBODY)]
        cost = 0
        for window in self._windows(pools):
            window_pairing = solve_window(window, self.seed_hash, bound_of(window, sure_size))
            if window_pairing is None:
                return None
            cost += window_pairing.cost
            pairs += self._final_tables(window_pairing, pools)
        for pool in pools.values():
            inner_pairs = _pair_inside(self.field, pool)
            if inner_pairs is None:
                return None
            pairs += inner_pairs
        return FieldPairing(pairs, cost)

    def _members(self, number: int) -> list[PlayerId]:
        """Return the players of a large score group in random order.

        The player who gets the bye is left out.

        number: the index of the group, which is a *separator*
        """
        excluded_players = {NOBODY, self.bye_in_separator}
        return self.seed_hash.shuffle(
            player for player in self.whole.groups[number] if player not in excluded_players
        )

    def _windows(self, pools: dict[int, list[PlayerId]]) -> Iterator[Window]:
        """Yield the windows, from the top: the parts of the field between its large score groups.

        Each large group (see `separators`) lends a few of its players to the window above, and others to the
        window below. These players belong to the window, and are removed from `pools`. Each window has an
        even number of players.

        pools: number of the large group → its players who are not lent yet
        """
        for upper, lower in zip([None, *self.separators], [*self.separators, None], strict=True):
            first = 0 if upper is None else upper + 1
            last = len(self.whole.groups) if lower is None else lower
            numbers = list(range(first, last))
            groups = [self.whole.groups[number] for number in numbers]
            is_alone = not groups and (upper is None or lower is None)
            if upper is not None:
                numbers.insert(0, upper)
                odd = len(pools[upper]) % 2
                groups.insert(0, [] if is_alone else self._lend_players(pools[upper], odd, down=True))
            if lower is not None:
                odd = sum(map(len, groups)) % 2
                numbers.append(lower)
                groups.append([] if is_alone else self._lend_players(pools[lower], odd, down=False))
            if not is_alone:
                yield Window(
                    self.field,
                    groups,
                    [self.whole.points[number] for number in numbers],
                    frozenset(self.bye_class),
                    frozenset(place for place, number in enumerate(numbers) if number in pools),
                )

    def _lend_players(self, pool: list[PlayerId], odd: int, *, down: bool) -> list[PlayerId]:
        """Choose the players whom a large group lends to a window, and remove them from `pool`.

        The number of these players is `lend`, or one more if `odd` requires it. In random rounds, players
        who did not float in the same direction in the last round are preferred. In other rounds, the weakest
        players are lent to the window below, and the strongest to the window above.

        pool: the players of the large group (a separator) who are not lent yet
        odd:  1 if the number of lent players must be odd, 0 if it must be even
        down: whether the players are lent to the window below; otherwise, to the window above
        """
        count = self.lend + (self.lend + odd) % 2
        if self.field.options.mode is Mode.RANDOM:
            recent_floaters = self.field.floated_down if down else self.field.floated_up
            fresh_players = (player for player in pool if player not in recent_floaters)
            lent_players = list(islice(fresh_players, count))
            floaters = [player for player in pool[: 2 * count] if player not in lent_players]
            lent_players += floaters[: count - len(lent_players)]
        else:
            ranking = by_strength(self.field, pool)
            lent_players = ranking[-count:] if down else ranking[:count]
        lent_set = set(lent_players)
        pool[:] = [player for player in pool if player not in lent_set]
        return lent_players

    def _final_tables(self, pairing: WindowPairing, pools: dict[int, list[PlayerId]]) -> list[Pair]:
        """Return the final tables of a window (a part of the field that was paired at once).

        Large groups of players with equal points lend players to windows. A table of two players lent by the
        same group is not final: both players go back to their group in `pools`, and are paired again there.

        pools: number of the large group → its players who are not lent to a window
        """
        points = self.field.points
        pool_by_points = {self.whole.points[number]: pools[number] for number in pools}
        tables = []
        for one, other in pairing.pairs:
            if other != NOBODY and points[one] == points[other] and points[one] in pool_by_points:
                pool_by_points[points[one]] += (one, other)
            else:
                tables.append((one, other))
        return tables


# -- the exact round of a window, on as few candidate tables as its bound allows
#
# Among few players, every table is a candidate.
#
# Among more players, the candidates are the tables whose slack is at most a number, the *reach*. A table of
# slack s cannot be in a round that costs less than bound + s. As soon as a round of cost ≤ bound + reach is
# found among the candidates, they contain every round that is best on level 3, so the levels below are exact,
# too. Reach 0 is tried first, and is nearly always enough.
#
# A window of more than `LARGE` players (without large groups, or with a club that is too large to be paired
# inside its group) has too many candidates for all levels at once. First, a few candidates are matched by
# point differences alone: for each player a few partners in each group, chosen by the seed and the levels
# below. If that round costs no more than the lower bound (of `bound_of` or `potentials`), it is the best.
# Otherwise more partners are tried, and in the end all candidates that the potentials allow. Then the levels
# below are decided among the few candidates and the tables of the best round; these levels are not proved.


_FEW = 32
"""The maximum number of players in a window in which every table is a candidate."""

LARGE = 600
"""The maximum number of players in a window in which all levels are solved at once.

More players can have over 180,000 candidate tables.
"""

PARTNERS = (12, 24)
"""How many candidate tables each player of a large window gets with each nearby group.

The window is paired with the first number. If that does not give the best round, the second is tried.
"""

_NEAR = 3
"""A group is nearby if it is at most this many groups further down.

Tables with players of other groups are expensive, so two for each player and group are enough.
"""

MANY = 65_000
"""If a window has more candidates than this, `_best_round_mask` reduces their number.

One large group, as in round 1, has more.
"""


class WindowPairing(Struct, frozen=True):
    """A complete pairing of a window, which is a series of neighbouring score groups.

    pairs: the tables; the bye is a pair with `NOBODY`
    cost:  the sum of squared point differences
    bound: a lower bound for the cost of a conflict-free pairing of the window
    """

    pairs: list[Pair]
    cost: int
    bound: Bound

    @property
    def is_fully_optimal(self) -> bool:
        """Whether the pairing is optimal on all levels of `Cost`, not only on levels 1 to 3."""
        return len(self.pairs) <= LARGE // 2


def solve_window(window: Window, seed_hash: SeedHash, bound: Bound) -> WindowPairing | None:
    """Return the best pairing of a window without a conflict; None if every pairing has one.

    A window is a series of neighbouring score groups. A conflict is a rematch or a forbidden pair.

    bound: the lower bound for the cost of the window's rounds, which `bound_of` returns
    """
    players = len(window.players)
    if players <= _FEW:
        return _solve_on_tables(list(window.tables()), window, seed_hash, bound)
    tighter = with_ends(window, bound)
    pairing = (_solve_large if players > LARGE else _widen)(window, seed_hash, tighter)
    return None if pairing is None else replace(pairing, bound=bound)


def _solve_large(window: Window, seed_hash: SeedHash, bound: Bound) -> WindowPairing | None:
    """Return a round that is best on levels 1 to 3.

    A few partners of each player are tried first. As long as no round is proved to be the best, more partners
    are tried, and at last all possible tables.
    """
    potential, least_cost = potentials(window)
    least_cost = max(least_cost, bound.total)
    reduced_costs = _ReducedCosts(window, potential)
    best = reduced_costs.pairing_of_cost(least_cost, bound)
    if best is None or best.cost > least_cost:
        least_cost += 2  # the sum of squared differences has the parity of the sum of points
    few_tables: list[Pair] = []
    for partners in PARTNERS:
        few_tables = _partners(window, seed_hash, partners)
        if best is None:
            best = reduced_costs.cheapest_pairing(few_tables, bound)
        elif best.cost > least_cost:
            best = reduced_costs.cheapest_pairing(
                [*reduced_costs.tables_within(few_tables, best.cost), *best.pairs], bound
            )
        if best is not None and best.cost == least_cost:
            break
    else:
        best = _solve_on_all_tables(window, bound, reduced_costs, best)
    return None if best is None else _decide_lower_levels(window, seed_hash, reduced_costs, few_tables, best)


def _decide_lower_levels(
    window: Window,
    seed_hash: SeedHash,
    reduced_costs: _ReducedCosts,
    few_tables: Sequence[Pair],
    best: WindowPairing,
) -> WindowPairing | None:
    """Return the best round among those with the same point differences as `best`.

    Rounds are compared on the levels below the point differences (see `Cost`); the seed decides between equal
    rounds. The search uses only tables in `few_tables`. If no round of these tables has the point differences
    of `best`, it also uses the tables of `best`.

    few_tables: candidate tables: a few for each player (see `_partners`)
    """
    useful_tables = reduced_costs.tables_within(few_tables, best.cost)
    for extra_tables in ([], best.pairs):
        tables = sorted(set(useful_tables).union(extra_tables))
        values = _values(window, tables, seed_hash) | {"differences": reduced_costs.prices(tables)}
        pairing = _cheapest(window, best.bound, tables, values)
        if pairing is not None and pairing.cost == best.cost:
            return pairing
    raise AssertionError("the best round is among its own tables")


class _ReducedCosts(Struct, frozen=True):
    """The reduced costs of a window's tables, which make the search for the best rounds faster.

    A table's reduced cost is its cost minus the potentials of its two players (`bound.potentials`). The
    prices are twice the reduced costs, and are never negative. Every round seats all players, so every round
    has the same sum of potentials. Therefore, the round with the lowest sum of prices also has the lowest
    cost.

    potential: twice the potential of each player and of the bye
    """

    window: Window
    potential: Mapping[PlayerId, int]

    def prices(self, tables: Sequence[Pair]) -> list[int]:
        """Return the price of each table: twice its cost, minus twice its players' potentials.

        The cost is the squared point difference. A bye is a table with `NOBODY`, and its cost is 0.
        """
        points, potential = self.window.field.points, self.potential
        return [
            (2 * (points[one] - points[other]) ** 2 if other else 0) - potential[one] - potential[other]
            for one, other in tables
        ]

    def pairing_of_cost(self, cost: int, bound: Bound) -> WindowPairing | None:
        """Return the cheapest round made of tables that can be in a round of cost `cost`.

        The method `cheapest_pairing` may improve this round further, with other tables, too. Return None if
        the tables that can be in a round of cost `cost` make no complete round.

        A table's reduced cost is its cost minus the potentials of its two players. If all potentials add up
        to `cost`, only tables with a reduced cost of 0 can be in a round of cost `cost`. Then every complete
        round of these tables costs `cost`, so the first one found is returned.

        cost: a lower bound for the cost of every round; so the returned round costs `cost` or more
        """
        tables = self.tables_within(candidates(self.window, bound, cost - bound.total)[0], cost)
        if sum(self.potential.values()) != 2 * cost:
            return self.cheapest_pairing(tables, bound)
        pairs = largest_matching(self.window.players, tables)
        return WindowPairing(pairs, cost, bound) if 2 * len(pairs) == len(self.window.players) else None

    def tables_within(self, tables: Sequence[Pair], cost: int) -> list[Pair]:
        """Return those of `tables` that can be in a round of cost `cost` or less."""
        room = 2 * cost - sum(self.potential.values())
        return [table for table, price in zip(tables, self.prices(tables), strict=True) if price <= room]

    def cheapest_pairing(self, tables: Sequence[Pair], bound: Bound) -> WindowPairing | None:
        """Return the round of these tables with the least point differences, improved if possible.

        To lower the differences further, pairs of tables exchange players. The tables that result need not be
        in `tables`. Return None if no complete round can be made of `tables`.
        """
        unique = list(dict.fromkeys(tables))
        pairs = cheapest_matching(self.window.players, unique, self.prices(unique))
        if pairs is None:
            return None
        better = _exchange_partners(self.window, pairs)
        return WindowPairing(better, _cost(self.window, better), bound)


def _solve_on_all_tables(
    window: Window, bound: Bound, reduced_costs: _ReducedCosts, best: WindowPairing | None
) -> WindowPairing | None:
    """Return the round with the least point differences among all possible tables, or None.

    best: the best round so far, or None; its cost limits the search
    """
    for reach in _reaches(bound):
        if best is not None:
            reach = best.cost - bound.total  # noqa: PLW2901  the best round so far limits the search
        tables = candidates(window, bound, reach)[0]
        pairing = reduced_costs.cheapest_pairing(
            tables if best is None else reduced_costs.tables_within(tables, best.cost), bound
        )
        if pairing is not None and pairing.cost - bound.total <= reach:
            return pairing
        best = best or pairing
    return best


def _exchange_partners(window: Window, pairs: Sequence[Pair]) -> list[Pair]:
    """Exchange partners between tables to lower the point differences, and return all tables."""
    order = {player: place for place, player in enumerate(window.players)}
    tables = list(pairs)
    waiting = [place for place, table in enumerate(tables) if _cost(window, [table])]
    while waiting:
        index = waiting.pop()
        other_index, new_tables = _find_exchange(window, tables, index)
        if new_tables:
            for place, (one, other) in zip((index, other_index), new_tables, strict=True):
                tables[place] = (one, other) if order[one] < order[other] else (other, one)
                waiting.append(place)
    return tables


def _find_exchange(window: Window, tables: Sequence[Pair], index: int) -> tuple[int, tuple[Pair, ...]]:
    """Find a table that can exchange a player with table `index` to lower the point differences.

    Returns the index of the first such table, and the two tables after the exchange. If no table
    fits, returns `index` and no tables.

    index: an index in `tables`
    """
    points, may_meet = window.field.points, window.may_meet
    one, other = tables[index]
    if not (cost := _cost(window, [tables[index]])):
        return index, ()
    for other_index, (first, second) in enumerate(tables):
        if other_index == index or NOBODY in (first, second):
            continue
        old_cost = cost + (points[first] - points[second]) ** 2
        for one_partner, other_partner in ((first, second), (second, first)):
            new_cost = (points[one] - points[one_partner]) ** 2 + (points[other] - points[other_partner]) ** 2
            if new_cost < old_cost and may_meet(one, one_partner) and may_meet(other, other_partner):
                return other_index, ((one, one_partner), (other, other_partner))
    return index, ()


def _cost(window: Window, pairs: Sequence[Pair]) -> int:
    points = window.field.points
    return sum((points[one] - points[other]) ** 2 for one, other in pairs if other)


def _partners(window: Window, seed_hash: SeedHash, count: int) -> list[Pair]:
    """Return candidate tables: a few for each player with each group, and all possible byes.

    Each player gets up to `count` tables with players of the same group, and as many with each of the next
    `_NEAR` groups below. With each group further below, the player gets up to two tables. Up to three times
    as many allowed tables are considered, in an order that depends on the seed. Those that cost least on
    levels 4 to 6 of `Cost` are kept.
    """
    order = {player: place for place, player in enumerate(window.players)}
    groups = [seed_hash.shuffle(player for player in group if player != NOBODY) for group in window.groups]
    chosen_tables: dict[Pair, None] = {}
    for upper, lower in combinations_with_replacement(range(len(groups)), 2):
        partners, is_free = groups[lower], upper == lower and upper in window.borrowed_groups
        limit = count if lower - upper <= _NEAR else 2
        for place, one in enumerate(groups[upper]):
            start = place + 1 if upper == lower else place * len(partners) // len(groups[upper])
            conflicts = () if is_free else window.field.conflicts[one]
            circle = chain(partners[start:], partners[:start])
            nearby = islice((other for other in circle if other != one and other not in conflicts), 3 * limit)
            tables = [(one, other) if order[one] < order[other] else (other, one) for other in nearby]
            chosen_tables |= dict.fromkeys(_least_below(window, tables, limit))
    if NOBODY in order:
        chosen_tables |= dict.fromkeys((player, NOBODY) for player in window.bye_class)
    return list(chosen_tables)


def _least_below(window: Window, tables: Sequence[Pair], count: int) -> Sequence[Pair]:
    """Return up to `count` tables: those that cost least on the levels after `differences`.

    These levels are the fields of `Cost` from `apart` to the last. Of tables with equal costs, the first are
    chosen.
    """
    if len(tables) <= count:
        return tables
    values = columns(window.field, tables)
    del values["differences"]
    prices = list(zip(*values.values(), strict=True)) if values else [()] * len(tables)
    order = sorted(range(len(tables)), key=lambda place: (prices[place], place))
    return [tables[place] for place in order[:count]]


def _widen(window: Window, seed_hash: SeedHash, bound: Bound) -> WindowPairing | None:
    """Return the best round of a window of score groups, trying more and more candidate tables.

    The function stops as soon as a round is proved to be the best. It returns None if the window has no
    conflict-free round.
    """
    for reach in _reaches(bound):
        pairing = _attempt(window, seed_hash, bound, reach)
        if pairing is not None:
            gap = pairing.cost - bound.total
            return pairing if gap <= reach else _attempt(window, seed_hash, bound, gap)
        if not reach and window_deficiency(window, window.players):
            return None  # more candidates would not help: too large a club is kept apart in the window
    return None


def _reaches(bound: Bound) -> Iterator[int]:
    """Yield increasing limits for the slack of the tables that the search considers, from 0.

    The module `bound` explains *slack*. The last limit includes every table.
    """
    reach: int | None = 0
    while reach is not None:
        yield reach
        reach = bound.next_reach(reach)


def _attempt(window: Window, seed_hash: SeedHash, bound: Bound, reach: int) -> WindowPairing | None:
    tables, slacks = candidates(window, bound, reach)
    if len(tables) <= MANY:
        return _solve_on_tables(tables, window, seed_hash, bound)
    values = _values(window, tables, seed_hash)
    mask = _best_round_mask(window, bound, tables, slacks, values)
    values = {level: list(compress(column, mask)) for level, column in values.items()}
    return _cheapest(window, bound, list(compress(tables, mask)), values)


def _solve_on_tables(
    tables: Sequence[Pair], window: Window, seed_hash: SeedHash, bound: Bound
) -> WindowPairing | None:
    return _cheapest(window, bound, tables, _values(window, tables, seed_hash))


def _values(window: Window, tables: Sequence[Pair], seed_hash: SeedHash) -> Columns:
    return columns(window.field, tables) | {"seed": seed_hash.of_pairs(tables)}


def _cheapest(window: Window, bound: Bound, tables: Sequence[Pair], values: Columns) -> WindowPairing | None:
    pairs = best_round(window.players, tables, values.values())
    if pairs is None:
        return None
    cost = _cost(window, pairs)
    assert cost >= bound.total, "no round beats the bound"
    return WindowPairing(pairs, cost, bound)


def _best_round_mask(
    window: Window, bound: Bound, tables: Sequence[Pair], slacks: Sequence[int], values: Columns
) -> Sequence[bool]:
    """Return, for each table, whether it can be in the best round.

    A trial round is paired from only the cheapest tables of each player (`_nearest`). A table is left out
    only if every round that has it costs more than the trial round. If no trial round exists, all tables are
    kept.

    The price of a table is its slack, followed by its costs on the levels below level 3 (point differences).
    On level 3, a round that has a table of slack s costs at least bound + s (see `bound`).
    """
    half = len(window.players) // 2
    lower = pack(
        [normalize_column(column) for level, column in values.items() if level != "differences"], half
    )
    width = half * max(lower) + 1
    floors = [slack * width + price for slack, price in zip(slacks, lower, strict=True)]
    near_mask = _nearest(tables, floors)
    few_values: Columns = {level: list(compress(column, near_mask)) for level, column in values.items()}
    trial = _cheapest(window, bound, list(compress(tables, near_mask)), few_values)
    if trial is None:
        return [True] * len(tables)
    trial_pairs = set(trial.pairs)
    trial_price = (trial.cost - bound.total) * width
    trial_price += sum(price for table, price in zip(tables, lower, strict=True) if table in trial_pairs)
    return _useful_mask(tables, floors, near_mask, trial_price)


def candidates(window: Window, bound: Bound, reach: int) -> tuple[list[Pair], list[int]]:
    """Return the candidate tables with a slack of at most `reach`, and the slack of each.

    If a conflict-free round of the window has a table with slack s, the round costs at least
    `bound.total` + s; see the module `bound`.
    """
    tables: list[Pair] = []
    slacks: list[int] = []
    for upper, lower, slack in bound.blocks(reach):
        tables.extend(window.block(upper, lower))
        slacks.extend([slack] * (len(tables) - len(slacks)))
    return tables, slacks


# -- fewer candidates for large fields: tables that cannot be in the best round, by linear-programming duality
#
# Give each player a number, the *potential*, such that no table costs less than the sum of its two players'
# potentials. Then a round costs at least the sum of all potentials. A round that uses a table costs at least
# that sum plus the table's reduced cost (its cost minus its two potentials). So, given a round of cost u, a
# table whose reduced cost is more than u minus the sum is not in a better round. The potentials need not be
# optimal: they only decide how many tables are left out.


_NEAREST = 12
"""How many of each player's cheapest tables are used to find out which tables to leave out."""

_PASSES = 6
"""How often each player's potential is raised.

A few times are enough, because the potentials need not be optimal.
"""

Neighbours = dict[PlayerId, list[tuple[int, PlayerId]]]
"""player → (price, other player) for each of the player's tables."""


def _nearest(tables: Sequence[Pair], prices: Sequence[int], count: int = _NEAREST) -> list[bool]:
    """Return, for each table, whether it is one of the `count` cheapest tables of either player."""
    rows: dict[PlayerId, list[int]] = {}
    for (one, other), price in zip(tables, prices, strict=True):
        rows.setdefault(one, []).append(price)
        rows.setdefault(other, []).append(price)
    reach = {player: sorted(row)[:count][-1] for player, row in rows.items()}
    return [
        price <= reach[one] or price <= reach[other]
        for (one, other), price in zip(tables, prices, strict=True)
    ]


def _useful_mask(
    tables: Sequence[Pair], prices: Sequence[int], near_mask: Sequence[bool], price_limit: int
) -> list[bool]:
    """Return, for each table, whether it may be in a round of price `price_limit` or less.

    False proves that no such round of these tables contains the table.

    prices:    a lower bound for the price of each table, non-negative
    near_mask: for each table, whether it is one of the cheapest tables of either player (`_nearest`)

    Each player gets a number, the *potential*. The price of a table is at least the sum of its two players'
    potentials, so the price of a round is at least the sum of all potentials. The potentials are computed
    from the tables that `near_mask` marks, and are then lowered if the price of another table requires it.
    """
    potentials = _raise_potentials(list(compress(tables, near_mask)), list(compress(prices, near_mask)))
    for (one, other), price in zip(tables, prices, strict=True):
        excess = potentials[one] + potentials[other] - price
        if excess > 0:
            potentials[one] -= excess
    room = price_limit - sum(potentials.values())
    return [
        price - potentials[one] - potentials[other] <= room
        for (one, other), price in zip(tables, prices, strict=True)
    ]


def _raise_potentials(tables: Sequence[Pair], prices: Sequence[int]) -> dict[PlayerId, int]:
    """Return a number for each player, called the *potential*.

    The price of each of `tables` is at least the sum of its two players' potentials. So the sum of all
    potentials is a lower bound for the price of a round that has only these tables. A larger sum is a better
    bound.

    In each of `_PASSES` steps, each player's potential is raised by half of the amount that is possible; in
    the last step, it is raised by the whole amount.
    """
    neighbours: Neighbours = {}
    for (one, other), price in zip(tables, prices, strict=True):
        neighbours.setdefault(one, []).append((price, other))
        neighbours.setdefault(other, []).append((price, one))
    potentials = {player: min(row)[0] // 2 for player, row in neighbours.items()}
    for number in range(_PASSES):
        share = 1 if number == _PASSES - 1 else 2
        for player, row in neighbours.items():
            free = min([price - potentials[other] for price, other in row]) - potentials[player]
            potentials[player] += free // share
    return potentials


# -- pairing inside one large group: shuffle by the seed; each player meets the first waiting player who is
# not an earlier opponent
#
# Lemma 1 (swap). An even pool of m ≥ 2d + 2 players with at most d conflicts each can be paired without a
# conflict. The greedy method leaves a clique of s players who have all met. For two of them, a and b, a table
# (c, e) is useless only if both a–c, b–e and a–e, b–c fail. Then c and e have at least two conflicts with a
# or b. Each of a and b has s - 1 conflicts inside the clique, so at most d - s + 1 at tables. Together that
# is 2 (d - s + 1), so at most d - s + 1 tables are useless. There are (m - s) / 2 ≥ d + 1 - s / 2 tables,
# which is more.


Conflicts = Mapping[PlayerId, Collection[PlayerId]]
"""player → the opponents with whom there is a conflict."""

_PATIENCE = 24
"""The maximum number of players who wait for a partner without cost in clubs or sides."""


def _pair_inside(field: Field, players: Sequence[PlayerId]) -> list[Pair] | None:
    """Return a conflict-free pairing of the players of one score group; None if none is found.

    A pairing is always found for 2d + 2 players or more, where d is the maximum number of conflicts of a
    player (lemma 1 in this module). In mode `RANDOM`, a simple search also tries to avoid tables with a
    shared club (level 4 of the cost) or uneven sides (level 6).

    players: an even number of players, in the random order that follows from the round's seed
    """
    pool = _order_players(field, players)
    price = _price(field, pool)
    pairs, waiting = (
        _pair_greedily(field.conflicts, pool)
        if price is None
        else _pair_patiently(field.conflicts, pool, price)
    )
    return _pair_by_swaps(field.conflicts, pairs, waiting)


def _order_players(field: Field, players: Sequence[PlayerId]) -> Sequence[PlayerId]:
    """Order the players so that neighbours (1 and 2, 3 and 4 …) are good opponents.

    The mode of the round decides who are good opponents. In mode RANDOM, they are players who can balance
    their sides. If the game has no sides, this mode keeps the order of `players`.
    """
    mode = field.options.mode
    if mode is Mode.RANK:
        return by_strength(field, players)
    if mode is Mode.SLIDE:
        ranking = by_strength(field, players)
        return _alternate(ranking, ranking[len(ranking) // 2 :])
    if mode is Mode.FOLD:
        ranking = by_strength(field, players)
        return _alternate(ranking, ranking[::-1])
    if field.options.sides:
        sides = {player: field.entrants[player].sides for player in players}
        balance = sorted(players, key=lambda player: (sum(sides[player]), sides[player][-1:]))
        return _alternate(balance, balance[::-1])
    return players


def _alternate(first: Sequence[PlayerId], second: Sequence[PlayerId]) -> list[PlayerId]:
    """Return the first half of `first` and as many players of `second`, alternately.

    The player at index i of `first` is followed by the player at index i of `second`.
    """
    return [player for pair in zip(first[: len(first) // 2], second, strict=False) for player in pair]


def _pair_greedily(conflicts: Conflicts, pool: Sequence[PlayerId]) -> tuple[list[Pair], list[PlayerId]]:
    pairs: list[Pair] = []
    waiting: list[PlayerId] = []
    for player in pool:
        opponents = conflicts[player]
        for place, other in enumerate(waiting):
            if other not in opponents:
                pairs.append((other, player))
                del waiting[place]
                break
        else:
            waiting.append(player)
    return pairs, waiting


def _price(field: Field, pool: Sequence[PlayerId]) -> Callable[[PlayerId, PlayerId], tuple[int, ...]] | None:
    """Return a function that returns the cost of a table on levels 4 (clubs) and 6 (sides).

    Return None if these levels do not matter for these players, or if the round is paired by rating or rank.
    """
    options, entrants = field.options, field.entrants
    has_tags = options.keeps_apart_now and not field.tags.keys().isdisjoint(pool)
    if options.mode is not Mode.RANDOM or not (has_tags or options.sides):
        return None

    def price(one: PlayerId, other: PlayerId) -> tuple[int, ...]:
        shared_count = len(shared_tags(entrants[one], entrants[other])) if has_tags else 0
        if not options.sides:
            return (shared_count,)
        seating = sides_of(field, one, other)
        old_imbalance = sum(map(abs, (sum(entrants[one].sides), sum(entrants[other].sides))))
        return (
            shared_count,
            max(0, seating.imbalance - (2 if old_imbalance % 2 == 0 else 1)),
            seating.repeats,
        )

    return price


def _pair_patiently(
    conflicts: Conflicts, pool: Sequence[PlayerId], price: Callable[[PlayerId, PlayerId], tuple[int, ...]]
) -> tuple[list[Pair], list[PlayerId]]:
    """Return the pairs, and the players left over.

    Each player is paired with a waiting player if that costs nothing (`price`). Otherwise the player waits,
    too. If `_PATIENCE` players are waiting already, the player is paired with the waiting player who costs
    least. At the end, the players who still wait are paired in the same way.
    """
    pairs: list[Pair] = []
    waiting: list[PlayerId] = []

    def seat_cheapest(player: PlayerId, *, free_only: bool) -> bool:
        offers = [
            (price(player, other), place)
            for place, other in enumerate(waiting)
            if other not in conflicts[player]
        ]
        best = min(offers, default=None)
        if best is None or (free_only and any(best[0])):
            return False
        pairs.append((waiting.pop(best[1]), player))
        return True

    for player in pool:
        if not seat_cheapest(player, free_only=len(waiting) < _PATIENCE):
            waiting.append(player)
    leftovers: list[PlayerId] = []
    while waiting:
        player = waiting.pop()
        if not seat_cheapest(player, free_only=False):
            leftovers.append(player)
    return pairs, leftovers


def _pair_by_swaps(conflicts: Conflicts, pairs: list[Pair], waiting: Sequence[PlayerId]) -> list[Pair] | None:
    """Pair the players in `waiting`, too, and return all pairs; None if that fails.

    The waiting players are paired two by two. If such a pair has a conflict, a pair from `pairs` is split,
    and each waiting player is paired with one player of the split pair. This fails if no pair can be split.
    """
    leftovers = list(waiting)
    while leftovers:
        one, other = leftovers.pop(), leftovers.pop()
        if other not in conflicts[one]:
            pairs.append((one, other))
            continue
        for place, (upper, lower) in enumerate(pairs):
            for first, second in ((upper, lower), (lower, upper)):
                if first not in conflicts[one] and second not in conflicts[other]:
                    pairs[place] = (one, first)
                    pairs.append((other, second))
                    break
            else:
                continue
            break
        else:
            return None
    return pairs
