"""Random fields to pair, with histories that make every level of the cost matter."""

from itertools import combinations

from tourney.pairing import Entrant, Mode, Options
from tourney.record import PlayerId

TAGS = ("club:Ravens", "club:Owls", "family:Oake", "country:NN")


def history(dice, players, rounds, *, wild):
    """Play random rounds, and return the entrants.

    wild: the probability that a pair is random and not near in points
    """
    points = dict.fromkeys(map(PlayerId, range(1, players + 1)), 0)
    opponents = {player: [] for player in points}
    no_shows = {player: [] for player in points}
    byes, floats, sides = dict.fromkeys(points, 0), {p: [] for p in points}, {p: [] for p in points}
    for _ in range(rounds):
        order = sorted(points, key=lambda player: (dice.random() < wild, -points[player], dice.random()))
        if dice.random() < 0.5:  # some players are late or absent
            order.remove(dice.choice(order))
        if len(order) % 2:
            byes[order[-1]] += 1
            points[order.pop()] += 2
        before = dict(points)
        while order:
            a = order.pop(0)
            fresh = [b for b in order if b not in opponents[a]]
            b = fresh[0] if fresh and dice.random() < 0.9 else order[0]
            order.remove(b)
            play(dice, a, b, points, opponents, no_shows, sides)
            floats[a].append((before[b] > before[a]) - (before[b] < before[a]))
            floats[b].append(-floats[a][-1])
    return [
        Entrant(id=p, points=points[p], opponents=tuple(opponents[p]), no_shows=tuple(no_shows[p]),
                byes=byes[p],
                floats=tuple(floats[p]), sides=tuple(sides[p]))
        for p in points
    ]  # fmt: skip


def play(dice, a, b, points, opponents, no_shows, sides):
    if dice.random() < 0.05:
        no_shows[a].append(b)
        no_shows[b].append(a)
        points[a] += 2
        return
    opponents[a].append(b)
    opponents[b].append(a)
    score = dice.choice([(2, 0), (2, 0), (0, 2), (1, 1)])
    points[a] += score[0]
    points[b] += score[1]
    side = dice.choice([1, -1])
    sides[a].append(side)
    sides[b].append(-side)


def dressed(dice, entrants, *, drops=0.1):
    """Give the entrants ratings, tags and other facts for pairing, and let some drop."""
    rated = dice.random() < 0.5
    ranks = sorted(entrants, key=lambda entrant: (-entrant.points, dice.random()))
    dressed = [
        Entrant(
            id=entrant.id, points=entrant.points, opponents=entrant.opponents, no_shows=entrant.no_shows,
            byes=entrant.byes, awarded_byes=int(dice.random() < 0.1), half_byes=int(dice.random() < 0.1),
            floats=entrant.floats, sides=entrant.sides,
            tags=tuple(tag for tag in TAGS if dice.random() < 0.2),
            rating=dice.randint(1000, 1010) if rated and dice.random() < 0.9 else None,
            rank=ranks.index(entrant) + 1,
        )
        for entrant in entrants
    ]  # fmt: skip
    stay = [entrant for entrant in dressed if dice.random() >= drops]
    return stay if len(stay) >= 2 else dressed


def options_for(dice, entrants, *, nasty=True):
    """Return random options; with `nasty`, also forced and forbidden pairs and a forced bye."""
    ids = [entrant.id for entrant in entrants]
    rated = any(entrant.rating is not None for entrant in entrants)
    mode = dice.choice([Mode.RANDOM] * 4 + [Mode.RANK] + ([Mode.FOLD, Mode.SLIDE] if rated else []))
    forced: tuple[tuple[PlayerId, PlayerId], ...] = ()
    forbidden, forced_bye = frozenset(), None
    if nasty:
        pairs = list(combinations(ids, 2))
        forbidden = frozenset(pair for pair in pairs if dice.random() < dice.choice([0, 0, 0.1, 0.3]))
        if dice.random() < 0.2 and len(ids) > 3:
            one, other = dice.sample(ids, 2)
            forced = ((one, other),)
            forbidden -= {tuple(sorted(pair)) for pair in forced}
        if len(ids) % 2 and dice.random() < 0.1:
            rest = [player for player in ids if all(player not in pair for pair in forced)]
            forced_bye = dice.choice(rest)
    return Options(
        round_number=dice.randint(1, 9), mode=mode, forbidden=forbidden, forced=forced, forced_bye=forced_bye,
        keep_apart=dice.random() < 0.8, keep_apart_rounds=dice.choice([None, None, 4]),
        float_repeats=dice.random() < 0.8, sides=dice.random() < 0.4,
        awarded_bye_counts=dice.random() < 0.7, half_bye_counts=dice.random() < 0.3,
        no_show_meets=dice.random() < 0.3,
    )  # fmt: skip
