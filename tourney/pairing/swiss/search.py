"""The exact round of a window, on as few candidate tables as its bound allows; of a very large one, exact in its levels 1 to 3.

A table of slack s cannot be in a round that costs less than bound + s. So the candidates of slack ≤ reach contain every
optimum, as soon as a round of cost ≤ bound + reach is found among them; and because they contain all optima of level 3, the
levels below are exact too. Reach 0 is tried first, which nearly always does.

A window of more than `LARGE` players (a field without large groups, or one with a club so large that no group can be paired
inside itself) has too many candidates for all levels at once. There a few of them are matched first, by the point differences
alone: a few partners in each group, whom the seed and the levels below put first. Where that round costs what the bound, or
the potentials of `transport`, say that none undercuts, nothing is cheaper; else more partners, and at last all candidates that
the potentials leave, are matched. Then the few, with the best round among them, decide the levels below, which are a good try.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations_with_replacement, compress, islice

from tourney.pairing.entrant import NOBODY
from tourney.pairing.options import Pair
from tourney.pairing.swiss.bound import Bound, left_over
from tourney.pairing.swiss.digits import normal, pack
from tourney.pairing.swiss.ends import with_ends
from tourney.pairing.swiss.levels import Columns, columns
from tourney.pairing.swiss.lexicographic import best_round
from tourney.pairing.swiss.matching import cheapest, most
from tourney.pairing.swiss.pruning import nearest, worth_keeping
from tourney.pairing.swiss.transport import potentials
from tourney.pairing.swiss.window import Window
from tourney.pairing.swiss.words import Words
from tourney.record import PlayerId

FEW = 32
LARGE = 600
PARTNERS = (12, 24)
NEAR = 3  # groups further down
MANY = 65_000  # candidates from which pruning pays: one large group, as in a first round


@dataclass(frozen=True)
class Solved:
    """The best round of a window: its tables (the bye last in its own), their point differences squared, the bound."""

    pairs: list[Pair]
    cost: int
    bound: Bound

    @property
    def every_level(self) -> bool:
        """Whether the levels below the point differences are the best, too."""
        return len(self.pairs) <= LARGE // 2


def solve_window(window: Window, words: Words, bound: Bound) -> Solved | None:
    """Return the best conflict-free round of a window, or None if there is none. `bound` is what `bound_of` gives."""
    tighter = with_ends(window, bound)
    large = len(window.players) > LARGE
    solved = _of_a_few(window, words, tighter) if large else _widen(window, words, tighter)
    return None if solved is None else replace(solved, bound=bound)


def _of_a_few(window: Window, words: Words, bound: Bound) -> Solved | None:
    """Return a round that is the best on levels 1 to 3, found on a few partners of each player."""
    potential, least = potentials(window)
    least = max(least, bound.total)
    beyond = _Beyond(window, potential)
    best = beyond.of_cost(least, bound)
    if best is None or best.cost > least:
        least += 2  # the sum of squared differences is odd or even as the sum of points is
    few: list[Pair] = []
    for partners in PARTNERS:
        few = _partners(window, words, partners)
        if best is None:
            best = beyond.least(few, bound)
        elif best.cost > least:
            best = beyond.least([*beyond.worth(few, best.cost), *best.pairs], bound)
        if best is not None and best.cost == least:
            break
    else:
        best = _of_all(window, bound, beyond, best)
    return None if best is None else _among_a_few(window, words, beyond, few, best)


def _among_a_few(
    window: Window, words: Words, beyond: _Beyond, few: Sequence[Pair], best: Solved
) -> Solved | None:
    """Return the round of the cost of `best` that is good on the levels below, and whose tables follow from the seed.

    Only where the few have no such round are the tables of `best` let in, which nothing but the matching chose.
    """
    worth = beyond.worth(few, best.cost)
    for more in ([], best.pairs):
        tables = sorted(set(worth).union(more))
        values = columns(window.field, tables) | {"differences": beyond.prices(tables)}
        values["seed"] = words.of_pairs(tables)
        solved = _cheapest(window, best.bound, tables, values)
        if solved is not None and solved.cost == best.cost:
            return solved
    raise AssertionError("the best round is among its own tables")


@dataclass(frozen=True)
class _Beyond:
    """Tables of a window priced by what they cost beyond the potentials of their two players, twice: never less than 0.

    That orders rounds as the point differences do, since every round has all the players.
    """

    window: Window
    potential: Mapping[PlayerId, int]

    def prices(self, tables: Sequence[Pair]) -> list[int]:
        points, potential = self.window.field.points, self.potential
        return [
            (2 * (points[one] - points[other]) ** 2 if other else 0) - potential[one] - potential[other]
            for one, other in tables
        ]

    def of_cost(self, cost: int, bound: Bound) -> Solved | None:
        """Return a round of a cost that no round undercuts; where there is none a dearer one, or None.

        Where it leaves its tables nothing beyond their potentials, who may meet at all is the question, which is answered
        faster than what is cheapest.
        """
        tables = self.worth(candidates(self.window, bound, cost - bound.total)[0], cost)
        if sum(self.potential.values()) != 2 * cost:
            return self.least(tables, bound)
        pairs = most(self.window.players, tables)
        return Solved(pairs, cost, bound) if 2 * len(pairs) == len(self.window.players) else None

    def worth(self, tables: Sequence[Pair], cost: int) -> list[Pair]:
        """Return the tables that a round of at most that cost can have."""
        room = 2 * cost - sum(self.potential.values())
        return [table for table, price in zip(tables, self.prices(tables), strict=True) if price <= room]

    def least(self, tables: Sequence[Pair], bound: Bound) -> Solved | None:
        """Return the round of least point differences on some tables, and what exchanges at two tables make of it."""
        unique = list(dict.fromkeys(tables))
        pairs = cheapest(self.window.players, unique, self.prices(unique))
        if pairs is None:
            return None
        better = _exchanged(self.window, pairs)
        return Solved(better, _cost(self.window, better), bound)


def _of_all(window: Window, bound: Bound, beyond: _Beyond, best: Solved | None) -> Solved | None:
    """Return the round of least point differences on all candidates. best: a round that is known."""
    for reach in _reaches(bound):
        if best is not None:
            reach = best.cost - bound.total  # noqa: PLW2901  what is known tells how far to look
        tables = candidates(window, bound, reach)[0]
        found = beyond.least(tables if best is None else beyond.worth(tables, best.cost), bound)
        if found is not None and found.cost - bound.total <= reach:
            return found
        best = best or found
    return best


def _exchanged(window: Window, pairs: Sequence[Pair]) -> list[Pair]:
    """Exchange partners between two tables as long as that makes the point differences less."""
    order = {player: place for place, player in enumerate(window.players)}
    tables = list(pairs)
    waiting = [place for place, table in enumerate(tables) if _cost(window, [table])]
    while waiting:
        here = waiting.pop()
        there, made = _exchange(window, tables, here)
        if made:
            for place, (one, other) in zip((here, there), made, strict=True):
                tables[place] = (one, other) if order[one] < order[other] else (other, one)
                waiting.append(place)
    return tables


def _exchange(window: Window, tables: Sequence[Pair], here: int) -> tuple[int, tuple[Pair, ...]]:
    """Return the first table with which an exchange helps a table, and the two tables that come of it; () for none."""
    points, unmet = window.field.points, window.unmet
    one, other = tables[here]
    if not (cost := _cost(window, [tables[here]])):
        return here, ()
    for there, (first, second) in enumerate(tables):
        if there == here or NOBODY in (first, second):
            continue
        both = cost + (points[first] - points[second]) ** 2
        for mine, yours in ((first, second), (second, first)):
            price = (points[one] - points[mine]) ** 2 + (points[other] - points[yours]) ** 2
            if price < both and unmet(one, mine) and unmet(other, yours):
                return there, ((one, mine), (other, yours))
    return here, ()


def _cost(window: Window, pairs: Sequence[Pair]) -> int:
    points = window.field.points
    return sum((points[one] - points[other]) ** 2 for one, other in pairs if other)


def _partners(window: Window, words: Words, count: int) -> list[Pair]:
    """Return `count` tables of each player with each group nearby, the own one included, and two with the others.

    Of thrice as many in the seed's order whom a player may meet, those are kept that cost least below the point
    differences.
    """
    order = {player: place for place, player in enumerate(window.players)}
    shuffled = [words.shuffled(player for player in group if player != NOBODY) for group in window.groups]
    found: dict[Pair, None] = {}
    for upper, lower in combinations_with_replacement(range(len(shuffled)), 2):
        others, free = shuffled[lower], upper == lower and upper in window.lent
        kept = count if lower - upper <= NEAR else 2
        for place, one in enumerate(shuffled[upper]):
            start = place + 1 if upper == lower else place * len(others) // len(shuffled[upper])
            met = () if free else window.field.barred[one]
            around = chain(others[start:], others[:start])
            nearby = islice((other for other in around if other != one and other not in met), 3 * kept)
            tables = [(one, other) if order[one] < order[other] else (other, one) for other in nearby]
            found |= dict.fromkeys(_least_below(window, tables, kept))
    if NOBODY in order:
        found |= dict.fromkeys((player, NOBODY) for player in window.bye_class)
    return list(found)


def _least_below(window: Window, tables: Sequence[Pair], count: int) -> Sequence[Pair]:
    """Return the tables that cost least on the levels below the point differences; equals as they stand."""
    if len(tables) <= count:
        return tables
    values = columns(window.field, tables)
    del values["differences"]
    prices = list(zip(*values.values(), strict=True)) if values else [()] * len(tables)
    ranked = sorted(range(len(tables)), key=lambda place: (prices[place], place))
    return [tables[place] for place in ranked[:count]]


def _widen(window: Window, words: Words, bound: Bound) -> Solved | None:
    """Try wider and wider candidates until a round is found that proves itself; among few players all, next."""
    few = len(window.players) <= FEW
    for reach in (0, bound.greatest_slack) if few else _reaches(bound):
        solved = _attempt(window, words, bound, reach)
        if solved is not None:
            gap = solved.cost - bound.total
            return solved if gap <= reach else _attempt(window, words, bound, gap)
        if not reach and left_over(window, window.players):
            return (
                None  # at no reach can everybody be paired: a club that is kept apart is most of the window
            )
    return None


def _reaches(bound: Bound) -> Iterator[int]:
    """Yield wider and wider reaches, from 0; the last one takes every table in."""
    reach: int | None = 0
    while reach is not None:
        yield reach
        reach = bound.next_reach(reach)


def _attempt(window: Window, words: Words, bound: Bound, reach: int) -> Solved | None:
    tables, slacks = candidates(window, bound, reach)
    values = columns(window.field, tables)
    values["seed"] = words.of_pairs(tables)
    if len(tables) > MANY:
        keep = _pruned(window, bound, tables, slacks, values)
        tables = list(compress(tables, keep))
        values = {level: list(compress(column, keep)) for level, column in values.items()}
    return _cheapest(window, bound, tables, values)


def _cheapest(window: Window, bound: Bound, tables: Sequence[Pair], values: Columns) -> Solved | None:
    pairs = best_round(window.players, tables, values.values())
    if pairs is None:
        return None
    cost = _cost(window, pairs)
    assert cost >= bound.total, "no round undercuts the bound"
    return Solved(pairs, cost, bound)


def _pruned(
    window: Window, bound: Bound, tables: Sequence[Pair], slacks: Sequence[int], values: Columns
) -> Sequence[bool]:
    """Mark the tables that can be in the best round, judged by a round found on few of them.

    A round of cost c on level 3 has slacks of c − bound at most; so (slack, lower levels) prices a table at least as low as
    it must be for the round found to be undercut.
    """
    half = len(window.players) // 2
    lower = pack([normal(column) for level, column in values.items() if level != "differences"], half)
    width = half * max(lower) + 1
    floors = [slack * width + price for slack, price in zip(slacks, lower, strict=True)]
    near = nearest(tables, floors)
    few: Columns = {level: list(compress(column, near)) for level, column in values.items()}
    found = _cheapest(window, bound, list(compress(tables, near)), few)
    if found is None:
        return [True] * len(tables)
    made = set(found.pairs)
    reached = (found.cost - bound.total) * width
    reached += sum(price for table, price in zip(tables, lower, strict=True) if table in made)
    return worth_keeping(tables, floors, near, reached)


def candidates(window: Window, bound: Bound, reach: int) -> tuple[list[Pair], list[int]]:
    """Return the candidate tables of a window whose slack is at most `reach`, and their slacks."""
    tables: list[Pair] = []
    slacks: list[int] = []
    for upper, lower, slack in bound.blocks(reach):
        tables.extend(window.block(upper, lower))
        slacks.extend([slack] * (len(tables) - len(slacks)))
    return tables, slacks
