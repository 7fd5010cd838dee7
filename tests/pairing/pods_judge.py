"""Pods judged by their definitions: every way to seat a small field, and its cost."""

from collections import Counter
from itertools import combinations, permutations


def divisions(players, sizes):
    """Return all multisets of table sizes that seat most players, and the number left over."""
    for left in range(players):
        sums = list(_sums(players - left, sizes.fewest, sizes.most))
        if sums:
            return sums, left
    return [], players


def _sums(total, low, high):
    if total == 0:
        yield ()
    for size in range(low, min(total, high) + 1):
        for rest in _sums(total - size, size, high):
            yield (size, *rest)


def best_sizes(players, sizes):
    """Return the sizes nearest to the preferred one; of equal ones, more tables."""
    splits, left = divisions(players, sizes)
    return min(
        splits, key=lambda tables: (sum((s - sizes.preferred) ** 2 for s in tables), -len(tables))
    ), left


def partitions(players, sizes):
    """Yield every way to put the players at tables of exactly these sizes."""
    if not players:
        yield []
        return
    first, rest = players[0], players[1:]
    for size in set(sizes):
        left = list(sizes)
        left.remove(size)
        for mates in combinations(rest, size - 1):
            others = [player for player in rest if player not in mates]
            for tables in partitions(others, left):
                yield [(first, *mates), *tables]


def cost(entrants, tables, seats):
    """Return rematches, meetings, differences, shared groups and growth of uneven seats."""
    by_id = {entrant.id: entrant for entrant in entrants}
    pairs = [pair for table in tables for pair in combinations(table, 2)]
    met = [by_id[a].opponents.count(b) for a, b in pairs]
    return (
        sum(bool(times) for times in met),
        sum(met),
        sum((by_id[a].points - by_id[b].points) ** 2 for a, b in pairs),
        sum(len(set(by_id[a].tags) & set(by_id[b].tags)) for a, b in pairs),
        sum(_seats(table, seats) for table in tables),
    )


def _seats(table, seats):
    def growth(order):
        return sum(2 * Counter(seats[player])[seat] + 1 for seat, player in enumerate(order, 1))

    return min(map(growth, permutations(table)))


def best(entrants, sizes, seats, allowed=lambda tables: True):
    """Return the least cost of all rounds, after the byes by level 2: (earlier byes, points)."""
    tables_of, left = best_sizes(len(entrants), sizes)
    least = None
    for resting in combinations(entrants, left):
        level_2 = sorted((entrant.byes + entrant.awarded_byes, entrant.points) for entrant in resting)
        key = (sum(byes for byes, _ in level_2), sum(points for _, points in level_2))
        seated = [entrant.id for entrant in entrants if entrant not in resting]
        for tables in partitions(seated, tables_of):
            if allowed(tables):
                price = (key, cost(entrants, tables, seats))
                least = price if least is None or price < least else least
    return least
