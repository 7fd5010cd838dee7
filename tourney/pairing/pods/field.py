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

    players:      the players who may be seated, by place
    points:       half points by place
    extra:        for each place, other place → the cost of sharing a table, besides the point difference
    forced_mates: for each place, the places that must share the table
    near:         the price of one unit of (point difference)²
    hard:         the price of each broken forced or forbidden pair; it is more than all other costs together
    prices:       the prices of a rematch, of each earlier meeting, and of a shared group
    tables:       the sizes of the tables
    rest_count:   the number of byes that players in `may_rest` get
    may_rest:     the places of the players who can get these byes; all have equal earlier byes and points
    byes:         the players who have a bye in every possible round
    seats:        for each place, how often the player had each seat (from 1) before
    """

    players: tuple[PlayerId, ...]
    points: tuple[int, ...]
    extra: tuple[Mapping[int, int], ...]
    forced_mates: tuple[frozenset[int], ...]
    near: int
    hard: int
    prices: tuple[int, int, int]
    tables: tuple[int, ...]
    rest_count: int
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
        return total + self.hard * sum(len(self.forced_mates[member] - table) for member in members)


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
    if not options.forced_players.isdisjoint(byes):
        raise TourneyError(
            f"{len(entrants)} players need {counted(division.byes, 'bye')}, "
            "but too many of them must sit together",
            "stop forcing one of the pairs",
        )
    seated_entrants = [entrant for entrant in entrants if entrant.id not in byes]
    seated_entrants.sort(
        key=lambda entrant: (-entrant.points, draw(seed, "order", entrant.id, below=2**64), entrant.id)
    )
    place = {entrant.id: number for number, entrant in enumerate(seated_entrants)}
    near, prices, hard = _prices_of_faults(seated_entrants, options)
    return PodField(
        players=tuple(place),
        points=tuple(entrant.points for entrant in seated_entrants),
        extra=_extra(seated_entrants, place, options, prices, hard),
        forced_mates=_forced_mates(place, options),
        near=near,
        hard=hard,
        prices=prices,
        tables=division.tables,
        rest_count=division.byes - len(byes),
        may_rest=frozenset(place[player] for player in may_rest),
        byes=byes,
        seats=tuple(Counter(seats_before.get(entrant.id, ())) for entrant in seated_entrants),
    )


def _byes(
    entrants: Entrants, options: Options, count: int
) -> tuple[tuple[PlayerId, ...], frozenset[PlayerId]]:
    """Return the players with a bye in every possible round, and the candidates for other byes.

    All candidates have the same number of earlier byes and the same points; any of them can get one of the
    other byes. There are no candidates if no bye is left.
    """
    bye_players: tuple[PlayerId, ...] = () if options.forced_bye is None else (options.forced_bye,)
    forced_players = options.forced_players
    classes: dict[tuple[bool, int, int], list[PlayerId]] = {}
    for entrant in entrants:
        if entrant.id not in bye_players:
            key = (entrant.id in forced_players, earlier_byes(entrant, options), entrant.points)
            classes.setdefault(key, []).append(entrant.id)
    for key in sorted(classes):
        if len(bye_players) == count:
            break
        if len(bye_players) + len(classes[key]) > count:
            return bye_players, frozenset(classes[key])
        bye_players += tuple(sorted(classes[key]))
    return bye_players, frozenset()


def _prices_of_faults(entrants: Entrants, options: Options) -> tuple[int, tuple[int, int, int], int]:
    """Return the prices of a round's faults: `near`, `prices` and `hard` of a `PodField`.

    One fault costs more than all less serious faults of a round together. From the most serious to the least,
    they are a broken forced or forbidden pair (`hard`), a pair of players who meet again, each earlier
    meeting of such a pair, one unit of (point difference)² (`near`), and a shared group (1). The prices are
    for n² pairs at the tables, with n entrants, which is more than a round can have.
    """
    pairs = len(entrants) ** 2
    widest_gap = max((entrant.points for entrant in entrants), default=0) - min(
        (entrant.points for entrant in entrants), default=0
    )
    most_tags = max((len(entrant.tags) for entrant in entrants), default=0)
    most_met = max(
        (max(Counter(earlier_opponents(entrant, options)).values(), default=0) for entrant in entrants),
        default=0,
    )
    near = 1 + pairs * most_tags
    meeting = near * (1 + pairs * widest_gap**2)
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
    rematch, meeting, group_price = prices
    for number, entrant in enumerate(entrants):
        for opponent, times in Counter(earlier_opponents(entrant, options)).items():
            if opponent in place:
                extra[number][place[opponent]] = rematch + meeting * times
    for one, other in _pairs_to_separate(entrants, options):
        if one in place and other in place:
            for one_place, other_place in ((place[one], place[other]), (place[other], place[one])):
                extra[one_place][other_place] = extra[one_place].get(other_place, 0) + hard
    if options.keeps_apart_now:
        tagged_entrants = [(number, entrant) for number, entrant in enumerate(entrants) if entrant.tags]
        for (one_place, one_entrant), (other_place, other_entrant) in combinations(tagged_entrants, 2):
            if groups := len(shared_tags(one_entrant, other_entrant)):
                extra[one_place][other_place] = extra[one_place].get(other_place, 0) + groups * group_price
                extra[other_place][one_place] = extra[other_place].get(one_place, 0) + groups * group_price
    return extra


def _pairs_to_separate(entrants: Entrants, options: Options) -> set[tuple[PlayerId, PlayerId]]:
    """Return the pairs that must not share a table.

    These are the forbidden pairs, and every two players with fixed tables.
    """
    forbidden_pairs = {(min(pair), max(pair)) for pair in options.forbidden}
    fixed_players = sorted(entrant.id for entrant in entrants if entrant.fixed_table is not None)
    return forbidden_pairs | set(combinations(fixed_players, 2))


def _forced_mates(place: Mapping[PlayerId, int], options: Options) -> tuple[frozenset[int], ...]:
    mates: list[set[int]] = [set() for _ in place]
    for one, other in options.forced:
        mates[place[one]].add(place[other])
        mates[place[other]].add(place[one])
    return tuple(map(frozenset, mates))


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


def order_seats(field: PodField, members: Sequence[int], seed: str) -> tuple[int, ...]:
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
    orders: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for seat in range(1, count + 1):
        longer_orders: dict[int, tuple[int, tuple[int, ...]]] = {}
        for seated_mask, (price, order) in orders.items():
            for index, member in enumerate(members):
                if seated_mask >> index & 1:
                    continue
                added_price = 2 * field.seats[member][seat] + 1
                if seed is not None:
                    added_price *= _SHARE
                    added_price += draw(seed, "seat", field.players[member], seat, below=_SHARE // 64)
                candidate, new_mask = (price + added_price, (*order, member)), seated_mask | 1 << index
                if new_mask not in longer_orders or candidate < longer_orders[new_mask]:
                    longer_orders[new_mask] = candidate
        orders = longer_orders
    return orders[(1 << count) - 1]


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


def division_key(tables: Sequence[int], byes: int, sizes: Sizes) -> tuple[int, int, int]:
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
        candidates = []
        for size in range(sizes.fewest, min(sizes.most, count) + 1):
            smaller = best[count - size]
            if smaller is not None:
                distance = smaller[0] + (size - sizes.preferred) ** 2
                candidates.append((distance, smaller[1] - 1, (*smaller[2], size)))
        best.append(min(candidates, default=None))
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
        merged_group = set(pair)
        separate_groups = []
        for group in groups:
            if group & merged_group:
                merged_group |= group
            else:
                separate_groups.append(group)
        groups = [*separate_groups, merged_group]
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
            pair_names = pair_text((one, other), name)
            raise TourneyError(
                f"{pair_names} must sit together and are kept apart",
                f"stop forcing the pair {pair_names}, or stop forbidding it",
            )
    fixed_entrants = [
        entrant for entrant in entrants if entrant.id in group and entrant.fixed_table is not None
    ]
    if len(fixed_entrants) > 1:
        first, second = fixed_entrants[:2]
        raise TourneyError(
            f"{name(first.id)} and {name(second.id)} must sit together, but have fixed tables "
            f"{first.fixed_table} and {second.fixed_table}",
            "remove one of the two fixed tables for this round",
        )
