"""An independent judge of rounds: levels, randomness, brute force.

It imports only the input and output types of the engine.
"""

from fractions import Fraction
from hashlib import sha256

from tourney.pairing import Mode

LEVELS = (
    "rematches",
    "times_met",
    "bye_earlier",
    "bye_points",
    "differences",
    "apart",
    "order",
    "floats",
    "imbalance",
    "side_repeats",
)


def matchings(players):
    """Yield all ways to split an even number of players into pairs."""
    if not players:
        yield []
        return
    first, rest = players[0], players[1:]
    for index, other in enumerate(rest):
        for others in matchings(rest[:index] + rest[index + 1 :]):
            yield [(first, other), *others]


def rounds(players):
    """Yield all complete rounds as (pairs, bye or None)."""
    if len(players) % 2 == 0:
        for pairs in matchings(players):
            yield pairs, None
        return
    for bye in players:
        for pairs in matchings([player for player in players if player != bye]):
            yield pairs, bye


def obeys(options, pairs, bye):
    """Return whether a round respects the organizer's options."""
    forbidden = {frozenset(pair) for pair in options.forbidden}
    made = {frozenset(pair) for pair in pairs}
    forced = {frozenset(pair) for pair in options.forced}
    return not made & forbidden and forced <= made and options.forced_bye in (None, bye)


def levels(entrants, options, pairs, bye):
    """Return the cost of a round, level by level, in the order of `LEVELS`."""
    of = {entrant.id: entrant for entrant in entrants}
    times = [meetings(of[a], options).count(b) for a, b in pairs]
    earlier = 0
    if bye is not None:
        earlier = (
            of[bye].byes
            + of[bye].awarded_byes * options.awarded_bye_counts
            + of[bye].half_byes * options.half_bye_counts
        )
    apart_now = options.keep_apart and not (
        options.keep_apart_rounds is not None and options.round_number > options.keep_apart_rounds
    )
    return (
        sum(1 for time in times if time),
        sum(times),
        earlier,
        0 if bye is None else of[bye].points,
        sum((of[a].points - of[b].points) ** 2 for a, b in pairs),
        sum(len(set(of[a].tags) & set(of[b].tags)) for a, b in pairs) if apart_now else 0,
        0 if options.mode is Mode.RANDOM else mode_distance(entrants, options, pairs, bye),
        sum(float_repeats(of[a], of[b]) for a, b in pairs) if options.float_repeats else 0,
        *(side_cost(of, pairs, bye) if options.sides else (0, 0)),
    )


def meetings(entrant, options):
    return list(entrant.opponents) + (list(entrant.no_shows) if options.no_show_meets else [])


def float_repeats(one, other):
    if one.points == other.points:
        return 0
    high, low = (one, other) if one.points > other.points else (other, one)
    return (high.floats[-1:] == (-1,)) + (low.floats[-1:] == (1,))


def side_cost(of, pairs, bye):
    imbalance = repeats = 0
    for a, b in pairs:
        ways = []
        for first, second in ((of[a], of[b]), (of[b], of[a])):
            squares = (sum(first.sides) + 1) ** 2 + (sum(second.sides) - 1) ** 2
            ways.append((squares, (first.sides[-1:] == (1,)) + (second.sides[-1:] == (-1,))))
        imbalance += min(ways)[0]
        repeats += min(ways)[1]
    if bye is not None:
        imbalance += sum(of[bye].sides) ** 2
    return imbalance, repeats


def mode_distance(entrants, options, pairs, bye):
    """Return the distance from a mode's order, by the definition in `swiss/levels.py`."""
    of = {entrant.id: entrant for entrant in entrants}
    set_apart = {player for pair in options.forced for player in pair}
    if options.mode is Mode.RANK:
        ranked = sorted(set(of) - set_apart, key=lambda player: (of[player].rank, player))
        places = [(ranked.index(a) - ranked.index(b)) ** 2 for a, b in pairs if not {a, b} & set_apart]
        return sum(places) + (
            0 if bye is None or bye in set_apart else (len(ranked) - 1 - ranked.index(bye)) ** 2
        )
    groups = {}
    for player, entrant in of.items():
        if player not in set_apart:
            groups.setdefault(entrant.points, []).append(player)
    for group in groups.values():
        group.sort(key=lambda player: (of[player].rating is None, -(of[player].rating or 0), player))
    total = 0
    for a, b in pairs:
        if {a, b} & set_apart:
            continue
        high, low = (a, b) if of[a].points >= of[b].points else (b, a)
        upper, lower = groups[of[high].points], groups[of[low].points]
        if of[a].points != of[b].points:
            total += (len(upper) - 1 - upper.index(high) + lower.index(low)) ** 2
        elif options.mode is Mode.FOLD:
            even = len(upper) // 2 * 2
            total += (upper.index(a) + upper.index(b) - even + 1) ** 2
        else:
            total += (abs(upper.index(a) - upper.index(b)) - len(upper) // 2) ** 2
    if bye is not None and bye not in set_apart:
        group = groups[of[bye].points]
        total += (len(group) - 1 - group.index(bye)) ** 2
    return total


def word(seed, a, b):
    """Return the random word of a pair, by the three sentences of the documentation."""
    i, j = min(a, b), max(a, b)
    digest = sha256(f"{seed}|e|{i}|{j // 8}".encode()).hexdigest()
    return int(digest[8 * (j % 8) : 8 * (j % 8) + 8], 16)


def brute(entrants, options, seed):
    """Return the best of all rounds as (levels, set of pairs, bye), or None."""
    best = None
    for pairs, bye in rounds(sorted(entrant.id for entrant in entrants)):
        if not obeys(options, pairs, bye):
            continue
        forced = {frozenset(pair) for pair in options.forced}
        free = [pair for pair in pairs if frozenset(pair) not in forced] + ([] if bye is None else [(0, bye)])
        key = (levels(entrants, options, pairs, bye), sum(word(seed, *pair) for pair in free))
        if best is None or key < best[0]:
            best = (key, {frozenset(pair) for pair in pairs}, bye)
    return None if best is None else (best[0][0], best[1], best[2])


def as_levels(cost):
    return tuple(cost.as_dict()[level] for level in LEVELS)


def mean(values):
    return Fraction(sum(values), len(values))
