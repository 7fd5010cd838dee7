"""Fields of more than 600 players: large score groups separate the field into windows whose optima add up.

A group of more than `size` players is a separator. A few of its players (`lend`, or one more for parity) are lent to the
window above, as many others to the window below; the rest are paired among themselves, with lent players who come back.

Lemma 3. Let d be the most conflicts a player has. With size 7d + 6 and lend 2d + 1 the optima of the windows add up to the
optimum of the field: in some best round no table jumps over a separator, at most d + 1 players from above and as many from
below meet players of it, and these may be any: moving such a table to another player of the group costs nothing as long as
the group has inner tables to swap with. Conversely the windows use at most 4d + 4 players of a separator, and the rest can
be paired by lemma 1. The quick passes have smaller numbers and no such proof; their round is kept where it meets the bound, which needs none.

The whole construction is a function of the seed: players are shuffled by key (`words`), the player with the
bye in a separator is the first of the class in that order, and the players lent are the first who did not float that way
last round.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from tourney.pairing.entrant import NOBODY
from tourney.pairing.options import Mode, Pair
from tourney.pairing.swiss.bound import bound_of
from tourney.pairing.swiss.field import Field
from tourney.pairing.swiss.inner import pair_inside
from tourney.pairing.swiss.order import by_strength
from tourney.pairing.swiss.search import Solved, solve_window
from tourney.pairing.swiss.window import Window, whole_field
from tourney.pairing.swiss.words import Words
from tourney.record import PlayerId

QUICK = (40, 10)
MIDDLE = (150, 40)


def proved_sizes(most_barred: int) -> tuple[int, int]:
    """Return (size, lend) of lemma 3."""
    return 7 * most_barred + 6, 2 * most_barred + 1


@dataclass(frozen=True)
class Separated:
    """A round put together from windows: its tables (the bye last in its own) and their point differences squared."""

    pairs: list[Pair]
    cost: int


class Separation:
    """One pass over a field: which groups separate, whom they lend, what is left inside."""

    def __init__(
        self, field: Field, bye_class: Sequence[PlayerId], words: Words, sizes: tuple[int, int]
    ) -> None:
        self.field, self.words = field, words
        self.size, self.lend = sizes
        self.bye_class = bye_class
        self.whole = whole_field(field, bye_class)
        self.separators = [
            number for number, group in enumerate(self.whole.groups) if len(group) - 2 > self.size
        ]

    @cached_property
    def bye_in_separator(self) -> PlayerId | None:
        """Who has the bye, where its class is in a separator."""
        places = [number for number in self.separators if NOBODY in self.whole.groups[number][-1:]]
        if not places:
            return None
        if self.field.options.mode is Mode.RANDOM:
            return self.words.shuffled(self.bye_class)[0]
        return by_strength(self.field, self.bye_class)[-1]

    def solve(self, small: int) -> Separated | None:
        """Return the round of this pass, or None where a window or a rest cannot be paired without a conflict."""
        pools = {number: self._members(number) for number in self.separators}
        pairs = [] if self.bye_in_separator is None else [(self.bye_in_separator, NOBODY)]
        cost = 0
        for window in self._windows(pools):
            solved = solve_window(window, self.words, bound_of(window, small))
            if solved is None:
                return None
            cost += solved.cost
            pairs += self._settled(solved, pools)
        for pool in pools.values():
            inside = pair_inside(self.field, pool)
            if inside is None:
                return None
            pairs += inside
        return Separated(pairs, cost)

    def _members(self, number: int) -> list[PlayerId]:
        """Return the players of a separator in the seed's order, without the bye."""
        gone = {NOBODY, self.bye_in_separator}
        return self.words.shuffled(player for player in self.whole.groups[number] if player not in gone)

    def _windows(self, pools: dict[int, list[PlayerId]]) -> Iterator[Window]:
        """Yield the windows from the top, each with an even number of players; players lent leave the pools."""
        for upper, lower in zip([None, *self.separators], [*self.separators, None], strict=True):
            first = 0 if upper is None else upper + 1
            last = len(self.whole.groups) if lower is None else lower
            numbers = list(range(first, last))
            groups = [self.whole.groups[number] for number in numbers]
            alone = not groups and (upper is None or lower is None)
            if upper is not None:
                numbers.insert(0, upper)
                groups.insert(0, [] if alone else self._lent(pools[upper], len(pools[upper]) % 2, down=True))
            if lower is not None:
                odd = sum(map(len, groups)) % 2
                numbers.append(lower)
                groups.append([] if alone else self._lent(pools[lower], odd, down=False))
            if not alone:
                yield Window(
                    self.field,
                    groups,
                    [self.whole.points[number] for number in numbers],
                    frozenset(self.bye_class),
                    frozenset(place for place, number in enumerate(numbers) if number in pools),
                )

    def _lent(self, pool: list[PlayerId], odd: int, *, down: bool) -> list[PlayerId]:
        """Take players to lend out of a pool: `lend` of them, or one more to make their number odd or even."""
        count = self.lend + (self.lend + odd) % 2
        if self.field.options.mode is Mode.RANDOM:
            again = self.field.floated_down if down else self.field.floated_up
            fresh = (player for player in pool if player not in again)
            chosen = list(islice(fresh, count))
            chosen += [player for player in pool[: 2 * count] if player not in chosen][: count - len(chosen)]
        else:
            ranked = by_strength(self.field, pool)
            chosen = ranked[-count:] if down else ranked[:count]
        gone = set(chosen)
        pool[:] = [player for player in pool if player not in gone]
        return chosen

    def _settled(self, solved: Solved, pools: dict[int, list[PlayerId]]) -> list[Pair]:
        """Give pairs of two players lent by one separator back to it; return the others."""
        points = self.field.points
        home = {self.whole.points[number]: pools[number] for number in pools}
        settled = []
        for one, other in solved.pairs:
            if other != NOBODY and points[one] == points[other] and points[one] in home:
                home[points[one]] += (one, other)
            else:
                settled.append((one, other))
        return settled
