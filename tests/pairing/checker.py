"""A checker of certificates that knows no engine: points, meetings and byes in, arithmetic only.

`players` is {player: (points, earlier byes, {opponent: times met, or None where kept apart})}, forced tables taken out;
`takers` are those who may have the bye (empty where the number is even); the bye is player 0.
"""

from itertools import accumulate, combinations, pairwise


def proves(certificate, players, takers, tables):
    """Whether the certificate proves that no round is better than `tables` (the bye as (player, 0)) on levels 1 to 3."""
    points = {player: each[0] for player, each in players.items()}
    met = {player: each[2] for player, each in players.items()}
    if any(met[a].get(b, 0) for a, b in tables):
        return proves_with_rematches(certificate, players, takers, tables)
    rank = {player: (players[player][1], points[player]) for player in takers}
    bye = next((a for a, b in tables if b == 0), None)
    better = {player for player in takers if rank[player] < rank[bye]}
    if certificate["bound"] is None or (
        better and left_over(certificate["bye"]["better"], [*players, 0], met, better) < 1
    ):
        return False
    takers = {player for player in takers if rank[player] == rank[bye]}
    at = points | ({0: points[bye]} if bye else {})  # the bye stands among the points it goes to
    scores, bound = sorted(set(at.values()), reverse=True), certificate["bound"]
    between = lambda high, low: [player for player in at if low <= at[player] <= high]  # noqa: E731
    least = [len(between(scores[0], score)) % 2 for score in scores[:-1]]
    for each in bound["crossings"]:
        side = (scores[0], each["above"]) if each["side"] == "above" else (each["below"], scores[-1])
        place = scores.index(each["above"])
        least[place] = max(least[place], left_over(each, between(*side), met, takers))
    runs = [(scores.index(each["from"]) - 1, scores.index(each["to"]), left_over(each, between(each["from"], each["to"]), met, takers)) for each in bound["runs"]]  # fmt: skip
    given = {(above, below): weight for above, below, weight in bound["weights"]}
    weights = [given.get(each, 0) for each in pairwise(scores)]
    if any(not 0 <= weight <= (above - below) ** 2 for (above, below), weight in given.items()):
        return False
    cost = sum((at[a] - at[b]) ** 2 for a, b in tables)
    gap = cost - least_sum(least, weights, runs)
    if gap <= 0:
        return gap == 0
    spanned = dict(zip(scores, accumulate(weights, initial=0), strict=True))
    slack = lambda a, b: (at[a] - at[b]) ** 2 - abs(spanned[at[a]] - spanned[at[b]])  # noqa: E731
    prices = {
        (a, b): (at[a] - at[b]) ** 2
        for a, b in combinations(players, 2)
        if b not in met[a] and slack(a, b) <= gap
    }
    return dual_value(certificate["duals"], at, prices | {(player, 0): 0 for player in takers}) > 2 * (
        cost - 1
    )


def left_over(witness, players, met, takers):
    """How many of `players` must be left over: odd parts between which nobody is unmet, less the players removed."""
    parts, removed = (witness["parts"], witness["removed"]) if witness else ([], [])
    if sorted([*removed, *(player for part in parts for player in part)]) != sorted(players):
        return 0
    for one, two in combinations(parts, 2):
        if any(max(a, b) in takers if 0 in (a, b) else b not in met[a] for a in one for b in two):
            return 0
    return sum(len(part) % 2 for part in parts) - len(removed)


def least_sum(least, weights, runs):
    """The least sum of weight · x over x ≥ least of the same parity with x[i] + x[j] ≥ need for each run (i, j, need)."""
    best = {(): 0}
    for place, lowest in enumerate(least):
        asked = max([need for i, j, need in runs if place in (i, j)], default=0)
        step = {}
        for crossed, total in best.items():
            for x in range(lowest, max(lowest, asked + 1) + 1, 2):
                if all(crossed[i] + x >= need for i, j, need in runs if j == place):
                    key = (
                        *(
                            c if any(i == n for i, j, _ in runs if j > place) else 0
                            for n, c in enumerate(crossed)
                        ),
                        x,
                    )
                    step[key] = min(step.get(key, total + weights[place] * x), total + weights[place] * x)
        best = step
    return min(best.values())


def dual_value(duals, vertices, prices):
    """Twice what every round on these tables costs at least; -1 where the duals prove nothing."""
    if duals is None:
        return -1
    y, z = dict(duals["Y"]), [(set(members), value) for members, value in duals["Z"]]
    if sorted(y) != sorted(vertices) or any(value < 0 or len(members) % 2 == 0 for members, value in z):
        return -1
    for (a, b), price in prices.items():
        if y[a] + y[b] - sum(value for members, value in z if a in members and b in members) > 2 * price:
            return -1
    return sum(y.values()) - sum(value * (len(members) - 1) // 2 for members, value in z)


def proves_with_rematches(certificate, players, takers, tables):
    """The same where rematches are needed: their number by a witness, levels 1 to 3 by duals on packed prices."""
    met = {player: each[2] for player, each in players.items()}
    vertices = [*players, 0] if takers else [*players]
    claim = certificate["rematches"]
    if (
        certificate["duals"] is None
        or left_over(claim["witness"], vertices, met, takers) < 2 * claim["at_least"]
    ):
        return False

    def levels(a, b):
        if b == 0:
            return (0, 0, players[a][1], players[a][0], 0)
        times = met[a].get(b, 0)
        return (min(times, 1), times, 0, 0, (players[a][0] - players[b][0]) ** 2)

    allowed = [(a, b) for a, b in combinations(players, 2) if met[a].get(b, 0) is not None] + [
        (a, 0) for a in takers
    ]
    bases = [
        len(tables) * max(column) + 1 for column in zip(*(levels(*each) for each in allowed), strict=True)
    ]
    if bases != certificate["duals"]["bases"]:
        return False

    def price(a, b):
        packed = 0
        for base, value in zip(bases, levels(a, b), strict=True):
            packed = packed * base + value
        return packed

    cost = sum(price(*each) for each in tables)
    return dual_value(certificate["duals"], vertices, {each: price(*each) for each in allowed}) > 2 * (
        cost - 1
    )
