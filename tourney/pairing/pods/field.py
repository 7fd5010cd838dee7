"""The players of a round of pods, by place, and what it costs to seat two of them together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from tourney.pairing.dice import draw
from tourney.pairing.entrant import Entrant
from tourney.pairing.manual import earlier_byes, shared_tags
from tourney.pairing.options import Options
from tourney.pairing.pods.split import Split
from tourney.pairing.swiss.field import met
from tourney.record import PlayerId


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
    """Prepare a round. The input must have passed `contradictions`."""
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
            if groups := shared_tags(mine, yours):
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
