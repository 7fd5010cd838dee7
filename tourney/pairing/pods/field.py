"""The players of a round of pods, by place, and what it costs to seat two of them together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from tourney.errors import TourneyError
from tourney.pairing.manual import Sizes, groups_shared
from tourney.pairing.pairing import Entrant, Options, draw, earlier_byes, met, refuse_equal_tables
from tourney.record import NameOf, PlayerId


@dataclass(frozen=True)
class PodField:
    """A round to be made. Players are numbered by place, from 0: by points from the top, equals by the seed.

    players: who may be seated, by place
    points:  half points by place
    extra:   by place, what sharing a table costs besides the point difference: other place → price
    forced:  by place, who must share the table
    near:    what one unit of (point difference)² costs
    hard:    the price of breaking the organizer's word once, more than all else together
    prices:  the prices of a rematch, of one more earlier meeting, and of a shared group
    tables:  the sizes of the tables
    resting: how many of those in `may_rest` have a bye
    may_rest: places among whom the byes go: the last class of level 2 that is not used up
    byes:    who has a bye anyhow
    seats:   by place, how often each seat (from 1) was had before
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
        """Return what it costs to seat two players together."""
        return (self.points[one] - self.points[other]) ** 2 * self.near + self.extra[one].get(other, 0)

    def table_price(self, members: Sequence[int]) -> int:
        """Return what a table costs, the seats left aside."""
        total = sum(self.price(one, other) for one, other in combinations(members, 2))
        here = set(members)
        return total + self.hard * sum(len(self.forced[member] - here) for member in members)


def prepare(
    entrants: Sequence[Entrant],
    options: Options,
    seed: str,
    division: Split,
    seats_before: Mapping[PlayerId, Sequence[int]],
) -> PodField:
    """Prepare a round. The input must have passed `refuse_contradictions`."""
    byes, may_rest = _byes(entrants, options, division.byes)
    seated = [each for each in entrants if each.id not in byes]
    seated.sort(key=lambda each: (-each.points, draw(seed, "order", each.id, below=2**64), each.id))
    place = {each.id: number for number, each in enumerate(seated)}
    near, prices, hard = _digits(seated, options)
    return PodField(
        players=tuple(place),
        points=tuple(each.points for each in seated),
        extra=_extra(seated, place, options, prices, hard),
        forced=_forced(place, options),
        near=near,
        hard=hard,
        prices=prices,
        tables=division.tables,
        resting=division.byes - len(byes),
        may_rest=frozenset(place[player] for player in may_rest),
        byes=byes,
        seats=tuple(Counter(seats_before.get(each.id, ())) for each in seated),
    )


def _byes(
    entrants: Sequence[Entrant], options: Options, count: int
) -> tuple[tuple[PlayerId, ...], frozenset[PlayerId]]:
    """Return who has a bye by level 2, and the class among whom what is left of them is shared out."""
    due: tuple[PlayerId, ...] = () if options.forced_bye is None else (options.forced_bye,)
    forced = {player for pair in options.forced for player in pair}
    classes: dict[tuple[bool, int, int], list[PlayerId]] = {}
    for each in entrants:
        if each.id not in due:
            key = (each.id in forced, earlier_byes(each, options), each.points)
            classes.setdefault(key, []).append(each.id)
    for key in sorted(classes):
        if len(due) == count:
            break
        if len(due) + len(classes[key]) > count:
            return due, frozenset(classes[key])
        due += tuple(sorted(classes[key]))
    return due, frozenset()


def _digits(entrants: Sequence[Entrant], options: Options) -> tuple[int, tuple[int, int, int], int]:
    """Return the prices of a squared half point, of (rematch, meeting, shared group), and of a broken word.

    Each is more than everything below it can add up to: there are fewer than n² / 2 pairs at tables.
    """
    pairs = len(entrants) ** 2
    widest = max((each.points for each in entrants), default=0) - min(
        (each.points for each in entrants), default=0
    )
    most_tags = max((len(each.tags) for each in entrants), default=0)
    most_met = max((max(Counter(met(each, options)).values(), default=0) for each in entrants), default=0)
    near = 1 + pairs * most_tags
    meeting = near * (1 + pairs * widest**2)
    rematch = meeting * (1 + pairs * most_met)
    return near, (rematch, meeting, 1), rematch * (1 + pairs)


def _extra(
    entrants: Sequence[Entrant],
    place: Mapping[PlayerId, int],
    options: Options,
    prices: tuple[int, int, int],
    hard: int,
) -> tuple[dict[int, int], ...]:
    extra: tuple[dict[int, int], ...] = tuple({} for _ in entrants)
    rematch, meeting, shared = prices
    for number, each in enumerate(entrants):
        for opponent, times in Counter(met(each, options)).items():
            if opponent in place:
                extra[number][place[opponent]] = rematch + meeting * times
    for one, other in _kept_apart(entrants, options):
        if one in place and other in place:
            for here, there in ((place[one], place[other]), (place[other], place[one])):
                extra[here][there] = extra[here].get(there, 0) + hard
    if options.keeps_apart_now:
        tagged = [(number, each) for number, each in enumerate(entrants) if each.tags]
        for (here, mine), (there, yours) in combinations(tagged, 2):
            if groups := groups_shared(mine, yours):
                extra[here][there] = extra[here].get(there, 0) + groups * shared
                extra[there][here] = extra[there].get(here, 0) + groups * shared
    return extra


def _kept_apart(entrants: Sequence[Entrant], options: Options) -> set[tuple[PlayerId, PlayerId]]:
    """Return who must not share a table: the organizer's pairs, and players with different fixed tables."""
    apart = {(min(pair), max(pair)) for pair in options.forbidden}
    fixed = sorted(each.id for each in entrants if each.fixed_table is not None)
    return apart | set(combinations(fixed, 2))


def _forced(place: Mapping[PlayerId, int], options: Options) -> tuple[frozenset[int], ...]:
    forced: list[set[int]] = [set() for _ in place]
    for one, other in options.forced:
        forced[place[one]].add(place[other])
        forced[place[other]].add(place[one])
    return tuple(map(frozenset, forced))


# -- Which seat at the table: evenly over the rounds, then by the seed


_SHARE = 2**24
"""What a unit of unevenness weighs beside the seed: the draws of up to 64 seats stay below it."""


def seat_price(field: PodField, members: Sequence[int]) -> int:
    """Return by how much a table adds to the unevenness of seats: sum over players and seats of (times had)²."""
    return _best_order(field, members, None)[0]


def seated(field: PodField, members: Sequence[int], seed: str) -> tuple[int, ...]:
    """Return a table's members in the order of their seats: the least added unevenness, ties by the seed."""
    return _best_order(field, members, seed)[1]


def _best_order(field: PodField, members: Sequence[int], seed: str | None) -> tuple[int, tuple[int, ...]]:
    """Fill the seats one after the other, keeping the best way to have seated each set of players (2^k sets)."""
    count = len(members)
    ways: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for seat in range(1, count + 1):
        further: dict[int, tuple[int, tuple[int, ...]]] = {}
        for taken, (price, order) in ways.items():
            for index, member in enumerate(members):
                if taken >> index & 1:
                    continue
                more = 2 * field.seats[member][seat] + 1
                if seed is not None:
                    more = more * _SHARE + draw(seed, "seat", field.players[member], seat, below=_SHARE // 64)
                way = (price + more, (*order, member))
                if taken | 1 << index not in further or way < further[taken | 1 << index]:
                    further[taken | 1 << index] = way
        ways = further
    return ways[(1 << count) - 1]


# -- How many tables of which size, and how many byes


@dataclass(frozen=True, slots=True)
class Split:
    """Sizes of the tables, the largest first, and the number of players left over."""

    tables: tuple[int, ...]
    byes: int


def split(players: int, sizes: Sizes, *, least_byes: int = 0) -> Split:
    """Divide players into tables: the fewest byes, then sizes nearest to the preferred one, then smaller tables.

    Nearest: the least sum of squared distances from the preferred size. There are never as many byes as the fewest
    seats of a table, but for `least_byes`. Raises TourneyError if there is not even one table.

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
        f"a round needs {sizes.fewest} players at least; let players return or enter, or allow smaller tables",
    )


def place_of(tables: Sequence[int], byes: int, sizes: Sizes) -> tuple[int, int, int]:
    """Return where a division stands in the order of `split`: byes, distance from the preferred size, minus the tables."""
    return byes, sum((size - sizes.preferred) ** 2 for size in tables), -len(tables)


def _divisions(players: int, sizes: Sizes) -> list[tuple[int, int, tuple[int, ...]] | None]:
    """Return for each number of players: distance from the preferred size, minus the number of tables, the tables."""
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


# -- What makes a round of pods impossible before anybody is seated


def refuse_contradictions(entrants: Sequence[Entrant], options: Options, sizes: Sizes, name: NameOf) -> None:
    """Raise TourneyError if the entrants and options contradict each other or themselves."""
    present = {each.id for each in entrants}
    twice = [player for player, count in Counter(each.id for each in entrants).items() if count > 1]
    if twice:
        raise TourneyError(f"{name(twice[0])} is entered twice for this round")
    if not entrants:
        raise TourneyError("nobody is left to seat: every player has dropped or sits out")
    _refuse_strangers(present, options, name)
    refuse_equal_tables(entrants, name)
    for group in _groups(options):
        _refuse_group(group, options, sizes, entrants, name)


def _refuse_strangers(present: set[PlayerId], options: Options, name: NameOf) -> None:
    for pair in options.forced:
        for player in pair:
            if player not in present:
                text = "–".join(map(name, pair))
                raise TourneyError(
                    f"{text} must sit together, but {name(player)} is not in this round",
                    f"release the pair {text}",
                )
        if pair[0] == pair[1]:
            raise TourneyError(f"{name(pair[0])} cannot be paired with themselves")
    due = options.forced_bye
    if due is None:
        return
    if due not in present:
        raise TourneyError(
            f"{name(due)} is to have the bye, but is not in this round", "give the bye to somebody else"
        )
    if any(due in pair for pair in options.forced):
        raise TourneyError(
            f"{name(due)} is to have the bye and to sit with somebody",
            "release the pair, or give the bye to another",
        )


def _groups(options: Options) -> list[set[PlayerId]]:
    """Return who must sit together, directly or through others."""
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
    group: set[PlayerId], options: Options, sizes: Sizes, entrants: Sequence[Entrant], name: NameOf
) -> None:
    names = ", ".join(map(name, sorted(group)))
    if len(group) > sizes.most:
        raise TourneyError(
            f"{names} must all sit together, but a table seats {sizes}", "release one of their pairs"
        )
    for one, other in sorted(options.forbidden):
        if {one, other} <= group:
            both = f"{name(one)}–{name(other)}"
            raise TourneyError(
                f"{both} must sit together and are kept apart", f"release the pair {both}, or allow it"
            )
    fixed = [each for each in entrants if each.id in group and each.fixed_table is not None]
    if len(fixed) > 1:
        raise TourneyError(
            f"{name(fixed[0].id)} and {name(fixed[1].id)} must sit together, but have fixed tables "
            f"{fixed[0].fixed_table} and {fixed[1].fixed_table}",
            "lift one of the two fixed tables for this round",
        )
