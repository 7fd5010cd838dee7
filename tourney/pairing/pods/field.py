"""Prepare a round of pods for the engine: its players, table sizes, byes and costs.

A *pod* is a table of three or more players.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from msgspec import Struct

from tourney.errors import TourneyError
from tourney.pairing.manual import Sizes
from tourney.pairing.pairing import (
    Entrants,
    Options,
    draw,
    earlier_byes,
    earlier_opponents,
    pair_text,
    refuse_wishes,
    shared_tags,
)
from tourney.record import NameOf, PlayerId
from tourney.wording import counted, listed


class PodField(Struct, frozen=True):
    """A round of pods to be paired.

    Each player has a *place*, a number from 0, in the order of points from the top. Players with equal points
    are in the seed's order.

    players: the players who may be seated, by place
    points:  half points by place
    extra:   for each place, other place → the cost of sharing a table, besides the point difference
    forced:  for each place, the places that must share the table
    near:    the price of one unit of (point difference)²
    hard:    the price of each broken forced or forbidden pair; it is more than all other costs together
    prices:  the prices of a rematch, of each earlier meeting, and of a shared group
    tables:  the sizes of the tables
    resting: the number of byes that players in `may_rest` get
    may_rest: the places of the players who can get these byes; all have equal earlier byes and points
    byes:    the players who have a bye in every possible round
    seats:   for each place, how often the player had each seat (from 1) before
    """

    players: tuple[PlayerId, ...]
    points: tuple[int, ...]
    extra: tuple[Mapping[int, int], ...]
    forced: tuple[frozenset[int], ...]
    near: int
    hard: int
    prices: tuple[int, int, int]
    tables: tuple[int, ...]
    resting: int
    may_rest: frozenset[int]
    byes: tuple[PlayerId, ...]
    seats: tuple[Counter[int], ...]

    def price(self, one: int, other: int) -> int:
        """Return the cost of seating two players together."""
        return (self.points[one] - self.points[other]) ** 2 * self.near + self.extra[one].get(other, 0)

    def table_price(self, members: Sequence[int]) -> int:
        """Return the cost of a table, without the cost of its seats."""
        total = sum(self.price(one, other) for one, other in combinations(members, 2))
        table = set(members)
        return total + self.hard * sum(len(self.forced[member] - table) for member in members)


def prepare(
    entrants: Entrants,
    options: Options,
    seed: str,
    division: Split,
    seats_before: Mapping[PlayerId, Sequence[int]],
) -> PodField:
    """Prepare a round. The input must have passed `refuse_contradictions`.

    division:     the sizes of the tables and the number of byes
    seats_before: the seats that each player had before, from 1

    Raises TourneyError if a player of a forced pair would need a bye.
    """
    byes, may_rest = _byes(entrants, options, division.byes)
    if any(player in byes for pair in options.forced for player in pair):
        raise TourneyError(
            f"{len(entrants)} players need {counted(division.byes, 'bye')}, "
            "but too many of them must sit together",
            "stop forcing one of the pairs",
        )
    seated = [entrant for entrant in entrants if entrant.id not in byes]
    seated.sort(
        key=lambda entrant: (-entrant.points, draw(seed, "order", entrant.id, below=2**64), entrant.id)
    )
    place = {entrant.id: number for number, entrant in enumerate(seated)}
    near, prices, hard = _prices_of_faults(seated, options)
    return PodField(
        players=tuple(place),
        points=tuple(entrant.points for entrant in seated),
        extra=_extra(seated, place, options, prices, hard),
        forced=_forced(place, options),
        near=near,
        hard=hard,
        prices=prices,
        tables=division.tables,
        resting=division.byes - len(byes),
        may_rest=frozenset(place[player] for player in may_rest),
        byes=byes,
        seats=tuple(Counter(seats_before.get(entrant.id, ())) for entrant in seated),
    )


def _byes(
    entrants: Entrants, options: Options, count: int
) -> tuple[tuple[PlayerId, ...], frozenset[PlayerId]]:
    """Return the players with a bye in every possible round, and the candidates for other byes.

    All candidates have the same number of earlier byes and the same points; any of them can get one of the
    other byes. There are no candidates if no bye is left.
    """
    due: tuple[PlayerId, ...] = () if options.forced_bye is None else (options.forced_bye,)
    forced = {player for pair in options.forced for player in pair}
    classes: dict[tuple[bool, int, int], list[PlayerId]] = {}
    for entrant in entrants:
        if entrant.id not in due:
            key = (entrant.id in forced, earlier_byes(entrant, options), entrant.points)
            classes.setdefault(key, []).append(entrant.id)
    for key in sorted(classes):
        if len(due) == count:
            break
        if len(due) + len(classes[key]) > count:
            return due, frozenset(classes[key])
        due += tuple(sorted(classes[key]))
    return due, frozenset()


def _prices_of_faults(entrants: Entrants, options: Options) -> tuple[int, tuple[int, int, int], int]:
    """Return the prices of a round's faults: `near`, `prices` and `hard` of a `PodField`.

    One fault costs more than all less serious faults of a round together. From the most serious to the least,
    they are a broken forced or forbidden pair (`hard`), a pair of players who meet again, each earlier
    meeting of such a pair, one unit of (point difference)² (`near`), and a shared group (1). The prices are
    for n² pairs at the tables, with n entrants, which is more than a round can have.
    """
    pairs = len(entrants) ** 2
    widest = max((entrant.points for entrant in entrants), default=0) - min(
        (entrant.points for entrant in entrants), default=0
    )
    most_tags = max((len(entrant.tags) for entrant in entrants), default=0)
    most_met = max(
        (max(Counter(earlier_opponents(entrant, options)).values(), default=0) for entrant in entrants),
        default=0,
    )
    near = 1 + pairs * most_tags
    meeting = near * (1 + pairs * widest**2)
    rematch = meeting * (1 + pairs * most_met)
    return near, (rematch, meeting, 1), rematch * (1 + pairs)


def _extra(
    entrants: Entrants,
    place: Mapping[PlayerId, int],
    options: Options,
    prices: tuple[int, int, int],
    hard: int,
) -> tuple[dict[int, int], ...]:
    extra: tuple[dict[int, int], ...] = tuple({} for _ in entrants)
    rematch, meeting, shared = prices
    for number, entrant in enumerate(entrants):
        for opponent, times in Counter(earlier_opponents(entrant, options)).items():
            if opponent in place:
                extra[number][place[opponent]] = rematch + meeting * times
    for one, other in _kept_apart(entrants, options):
        if one in place and other in place:
            for here, there in ((place[one], place[other]), (place[other], place[one])):
                extra[here][there] = extra[here].get(there, 0) + hard
    if options.keeps_apart_now:
        tagged = [(number, entrant) for number, entrant in enumerate(entrants) if entrant.tags]
        for (here, mine), (there, yours) in combinations(tagged, 2):
            if groups := len(shared_tags(mine, yours)):
                extra[here][there] = extra[here].get(there, 0) + groups * shared
                extra[there][here] = extra[there].get(here, 0) + groups * shared
    return extra


def _kept_apart(entrants: Entrants, options: Options) -> set[tuple[PlayerId, PlayerId]]:
    """Return the pairs that must not share a table.

    These are the forbidden pairs, and every two players with fixed tables.
    """
    apart = {(min(pair), max(pair)) for pair in options.forbidden}
    fixed = sorted(entrant.id for entrant in entrants if entrant.fixed_table is not None)
    return apart | set(combinations(fixed, 2))


def _forced(place: Mapping[PlayerId, int], options: Options) -> tuple[frozenset[int], ...]:
    forced: list[set[int]] = [set() for _ in place]
    for one, other in options.forced:
        forced[place[one]].add(place[other])
        forced[place[other]].add(place[one])
    return tuple(map(frozenset, forced))


# -- seats at a table: as even as possible over the rounds, then by the seed


_SHARE = 2**24
"""The weight of one unit of unevenness, compared with the seed's random numbers.

It is larger than the sum of these numbers at a table of 64. So they decide only between equally even orders.
"""


def seat_price(field: PodField, members: Sequence[int]) -> int:
    """Return how much a table adds to the unevenness of seats.

    The unevenness is the sum, over players and seats, of (times in the seat)².
    """
    return _best_order(field, members, None)[0]


def seated(field: PodField, members: Sequence[int], seed: str) -> tuple[int, ...]:
    """Return a table's members in the order of their seats.

    Over the rounds, each player should have every seat about equally often. So this is the order that adds
    the least unevenness (`seat_price`). The seed decides between equally good orders.
    """
    return _best_order(field, members, seed)[1]


def _best_order(field: PodField, members: Sequence[int], seed: str | None) -> tuple[int, tuple[int, ...]]:
    """Find the cheapest order of seats at a table; return its cost and the members in order.

    The cost is the unevenness that the order adds (see `seat_price`). With a seed, it is scaled and includes
    random numbers. The seats are filled one after the other. For each set of members who are seated already
    (2^n sets for n members), only the cheapest order is kept.

    seed: decides between orders that add the same unevenness; if None, the first is taken
    """
    count = len(members)
    ways: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for seat in range(1, count + 1):
        further: dict[int, tuple[int, tuple[int, ...]]] = {}
        for chosen, (price, order) in ways.items():
            for index, member in enumerate(members):
                if chosen >> index & 1:
                    continue
                more = 2 * field.seats[member][seat] + 1
                if seed is not None:
                    more = more * _SHARE + draw(seed, "seat", field.players[member], seat, below=_SHARE // 64)
                way = (price + more, (*order, member))
                if chosen | 1 << index not in further or way < further[chosen | 1 << index]:
                    further[chosen | 1 << index] = way
        ways = further
    return ways[(1 << count) - 1]


# -- sizes of tables and number of byes


class Split(Struct, frozen=True):
    """The sizes of the tables, the largest first, and the number of players left over."""

    tables: tuple[int, ...]
    byes: int


def words_of_sizes(sizes: Iterable[int]) -> str:
    """Return the number of tables of each size in words, from their sizes.

    >>> words_of_sizes([3, 4, 4])
    '2 tables of 4 and 1 table of 3'
    """
    numbers = sorted(Counter(sizes).items(), reverse=True)
    return listed([f"{counted(number, 'table')} of {size}" for size, number in numbers]) or "no table"


def split(players: int, sizes: Sizes, *, least_byes: int = 0) -> Split:
    """Divide players into tables.

    The division has the fewest byes, then the sizes nearest to the preferred size (the least sum of squared
    distances), then the smallest tables.

    least_byes: the minimum number of byes. If it is 0, there are always fewer than `sizes.fewest` byes,
                because `sizes.fewest` players without a table could fill one

    Raises TourneyError if there are too few players for a table.

    >>> split(13, Sizes(2, 4, 6)), split(7, Sizes(3, 3, 3)), split(10, Sizes(3, 4, 5))
    (Split(tables=(5, 4, 4), byes=0), Split(tables=(3, 3), byes=1), Split(tables=(4, 3, 3), byes=0))
    """
    best = _divisions(players, sizes)
    for byes in range(least_byes, players - sizes.fewest + 1):
        division = best[players - byes]
        if division is not None:
            return Split(tuple(sorted(division[2], reverse=True)), byes)
    raise TourneyError(
        f"{players - least_byes} players cannot fill a table of {sizes}",
        f"a round needs at least {sizes.fewest} players; let players return or enter, "
        "or allow smaller tables",
    )


def place_of(tables: Sequence[int], byes: int, sizes: Sizes) -> tuple[int, int, int]:
    """Return the sort key of a round's table sizes and byes; the best round has the least key.

    The key has the number of byes, the sum of the squared distances from the preferred size, and the negated
    number of tables (more tables are better).
    """
    return byes, sum((size - sizes.preferred) ** 2 for size in tables), -len(tables)


def _divisions(players: int, sizes: Sizes) -> list[tuple[int, int, tuple[int, ...]] | None]:
    """Return the best division without byes for each number of players, from 0.

    A number of players who cannot fill tables has None in place of a division. A division is (squared
    distance from the preferred size, −number of tables, sizes of the tables).
    """
    best: list[tuple[int, int, tuple[int, ...]] | None] = [(0, 0, ())]
    for count in range(1, players + 1):
        options = []
        for size in range(sizes.fewest, min(sizes.most, count) + 1):
            rest = best[count - size]
            if rest is not None:
                distance = rest[0] + (size - sizes.preferred) ** 2
                options.append((distance, rest[1] - 1, (*rest[2], size)))
        best.append(min(options, default=None))
    return best


# -- contradictory input


def refuse_contradictions(entrants: Entrants, options: Options, sizes: Sizes, name: NameOf) -> None:
    """Raise TourneyError if entrants and options contradict each other."""
    if not entrants:
        raise TourneyError("no players can be seated: none is registered, or all have dropped or sit out")
    refuse_wishes(entrants, options, name, together="sit together", opponent="sit with another player")
    for group in _groups(options):
        _refuse_group(group, options, sizes, entrants, name)


def _groups(options: Options) -> list[set[PlayerId]]:
    """Return the groups of players who must sit together because of one or several forced pairs."""
    groups: list[set[PlayerId]] = []
    for pair in options.forced:
        joined = set(pair)
        apart = []
        for group in groups:
            if group & joined:
                joined |= group
            else:
                apart.append(group)
        groups = [*apart, joined]
    return groups


def _refuse_group(
    group: set[PlayerId], options: Options, sizes: Sizes, entrants: Entrants, name: NameOf
) -> None:
    names = ", ".join(map(name, sorted(group)))
    if len(group) > sizes.most:
        raise TourneyError(
            f"{names} must all sit together, but a table seats {sizes}", "stop forcing one of their pairs"
        )
    for one, other in sorted(options.forbidden):
        if {one, other} <= group:
            both = pair_text((one, other), name)
            raise TourneyError(
                f"{both} must sit together and are kept apart",
                f"stop forcing the pair {both}, or stop forbidding it",
            )
    fixed = [entrant for entrant in entrants if entrant.id in group and entrant.fixed_table is not None]
    if len(fixed) > 1:
        raise TourneyError(
            f"{name(fixed[0].id)} and {name(fixed[1].id)} must sit together, but have fixed tables "
            f"{fixed[0].fixed_table} and {fixed[1].fixed_table}",
            "remove one of the two fixed tables for this round",
        )
