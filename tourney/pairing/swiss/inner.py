"""Pairing inside one large group: a seeded shuffle, then everybody meets the first who is waiting and unmet.

Lemma 1 (swap). An even pool of m ≥ 2d + 2 players with at most d conflicts each can be paired without a conflict. The greedy
leaves a clique of s players who have all met. For two of them, a and b, a table (c, e) is useless only if both a–c, b–e
and a–e, b–c fail; then c and e carry at least two conflicts with a or b. Each of the two has s - 1 conflicts inside the
clique, so at most d - s + 1 at tables: together 2 (d - s + 1), and at most d - s + 1 tables are useless. There are
(m - s) / 2 ≥ d + 1 - s / 2 tables, which is more.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from tourney.pairing.options import Mode, Pair
from tourney.pairing.swiss.field import Field
from tourney.pairing.swiss.levels import shared_tags, sides_of
from tourney.pairing.swiss.order import by_strength
from tourney.record import PlayerId

Barred = Mapping[PlayerId, Collection[PlayerId]]
PATIENCE = 24
"""How many players may wait for a partner who costs nothing on the levels below the point differences."""


def pair_inside(field: Field, shuffled: Sequence[PlayerId]) -> list[Pair] | None:
    """Return a conflict-free pairing of an even number of players of one group, or None if none is found.

    Levels 4 and 6 are kept where somebody among the next few makes it possible. None cannot come up for 2d + 2 players or
    more (lemma 1).
    """
    pool = _in_order(field, shuffled)
    price = _price(field, pool)
    pairs, waiting = _greedy(field.barred, pool) if price is None else _patient(field.barred, pool, price)
    return _swapped(field.barred, pairs, waiting)


def _in_order(field: Field, shuffled: Sequence[PlayerId]) -> Sequence[PlayerId]:
    """Return the pool so that neighbours are those whom the round's mode, or the balance of sides, wants at one table."""
    mode = field.options.mode
    if mode is Mode.RANK:
        return by_strength(field, shuffled)
    if mode is Mode.SLIDE:
        ranked = by_strength(field, shuffled)
        return _alternating(ranked, ranked[len(ranked) // 2 :])
    if mode is Mode.FOLD:
        ranked = by_strength(field, shuffled)
        return _alternating(ranked, ranked[::-1])
    if field.options.sides:
        sides = {player: field.entrants[player].sides for player in shuffled}
        balance = sorted(shuffled, key=lambda player: (sum(sides[player]), sides[player][-1:]))
        return _alternating(balance, balance[::-1])
    return shuffled


def _alternating(first: Sequence[PlayerId], second: Sequence[PlayerId]) -> list[PlayerId]:
    """Return the players of the first half of `first` each followed by the one at the same place of `second`."""
    return [player for pair in zip(first[: len(first) // 2], second, strict=False) for player in pair]


def _greedy(barred: Barred, pool: Sequence[PlayerId]) -> tuple[list[Pair], list[PlayerId]]:
    pairs: list[Pair] = []
    waiting: list[PlayerId] = []
    for player in pool:
        met = barred[player]
        for place, other in enumerate(waiting):
            if other not in met:
                pairs.append((other, player))
                del waiting[place]
                break
        else:
            waiting.append(player)
    return pairs, waiting


def _price(field: Field, pool: Sequence[PlayerId]) -> Callable[[PlayerId, PlayerId], tuple[int, ...]] | None:
    """Return what a table costs on levels 4 and 6, or None where they do not matter or the mode's order goes first."""
    options, entrants = field.options, field.entrants
    tags = options.keeps_apart_now and not field.tags.keys().isdisjoint(pool)
    if options.mode is not Mode.RANDOM or not (tags or options.sides):
        return None

    def price(one: PlayerId, other: PlayerId) -> tuple[int, ...]:
        shared = len(shared_tags(field, one, other)) if tags else 0
        if not options.sides:
            return (shared,)
        seating = sides_of(field, one, other)
        balanced = sum(map(abs, (sum(entrants[one].sides), sum(entrants[other].sides))))
        return (shared, max(0, seating.imbalance - (2 if balanced % 2 == 0 else 1)), seating.repeats)

    return price


def _patient(
    barred: Barred, pool: Sequence[PlayerId], price: Callable[[PlayerId, PlayerId], tuple[int, ...]]
) -> tuple[list[Pair], list[PlayerId]]:
    """Pair with whoever waits and costs nothing; with the cheapest once too many wait, and at the end."""
    pairs: list[Pair] = []
    waiting: list[PlayerId] = []

    def seat_cheapest(player: PlayerId, *, free_only: bool) -> bool:
        offers = [
            (price(player, other), place)
            for place, other in enumerate(waiting)
            if other not in barred[player]
        ]
        best = min(offers, default=None)
        if best is None or (free_only and any(best[0])):
            return False
        pairs.append((waiting.pop(best[1]), player))
        return True

    for player in pool:
        if not seat_cheapest(player, free_only=len(waiting) < PATIENCE):
            waiting.append(player)
    left: list[PlayerId] = []
    while waiting:
        player = waiting.pop()
        if not seat_cheapest(player, free_only=False):
            left.append(player)
    return pairs, left


def _swapped(barred: Barred, pairs: list[Pair], waiting: Sequence[PlayerId]) -> list[Pair] | None:
    """Seat those who are left over by opening one table for each two of them."""
    left = list(waiting)
    while left:
        one, other = left.pop(), left.pop()
        if other not in barred[one]:
            pairs.append((one, other))
            continue
        for place, (upper, lower) in enumerate(pairs):
            for first, second in ((upper, lower), (lower, upper)):
                if first not in barred[one] and second not in barred[other]:
                    pairs[place] = (one, first)
                    pairs.append((other, second))
                    break
            else:
                continue
            break
        else:
            return None
    return pairs
