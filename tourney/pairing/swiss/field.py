"""The players of one round, prepared: who is free, who may meet whom, who may have the bye."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from tourney.pairing.pairing import NOBODY, Entrant, Options, Pair, earlier_byes, met
from tourney.record import PlayerId

Groups = list[list[PlayerId]]
"""Players by equal points from the top; each group in order of registration."""


@dataclass(frozen=True)
class Field:
    """The entrants of a round under its options; the bye is the player `NOBODY`.

    entrants: by id
    points:   half points by id
    barred:   by id, whom a player may not meet without a conflict: earlier opponents and hard keep-aparts
    apart:    by id, hard keep-aparts only; players without any are not in it
    forced:   pairs that are set before anything is matched: the organizer's, and those a question fixes
    free:     everybody else, in order of registration
    ordered:  who has a place in the order of a round by rating or rank: everybody but the organizer's pairs
    """

    entrants: Mapping[PlayerId, Entrant]
    options: Options
    points: Mapping[PlayerId, int]
    barred: Mapping[PlayerId, Collection[PlayerId]]
    apart: Mapping[PlayerId, frozenset[PlayerId]]
    forced: tuple[Pair, ...]
    free: Sequence[PlayerId]
    ordered: Sequence[PlayerId]

    @property
    def odd(self) -> bool:
        """Whether somebody free must have the bye."""
        return len(self.free) % 2 == 1

    @cached_property
    def groups(self) -> Groups:
        """The free players by points, from the top."""
        return self.by_points(self.free)

    def by_points(self, players: Iterable[PlayerId]) -> Groups:
        """Return players by equal points from the top, each group in the order given."""
        by_points: dict[int, list[PlayerId]] = {}
        points = self.points
        for player in players:
            by_points.setdefault(points[player], []).append(player)
        return [by_points[each] for each in sorted(by_points, reverse=True)]

    @cached_property
    def tags(self) -> dict[PlayerId, frozenset[str]]:
        """The tags of those who have any."""
        return {player: frozenset(each.tags) for player, each in self.entrants.items() if each.tags}

    @cached_property
    def floated_down(self) -> frozenset[PlayerId]:
        """Who floated down in the round before."""
        return frozenset(player for player, each in self.entrants.items() if each.floats[-1:] == (-1,))

    @cached_property
    def floated_up(self) -> frozenset[PlayerId]:
        """Who floated up in the round before."""
        return frozenset(player for player, each in self.entrants.items() if each.floats[-1:] == (1,))

    @cached_property
    def most_barred(self) -> int:
        """The largest number of conflicts a free player can have (lemma 1's d; dropped opponents count along)."""
        barred = self.barred
        return max((len(barred[player]) for player in self.free), default=0)

    def unmet(self, one: PlayerId, other: PlayerId) -> bool:
        """Whether two players may meet without a conflict: not met before and not kept apart."""
        return other not in self.barred[one]

    def allowed(self, one: PlayerId, other: PlayerId) -> bool:
        """Whether two players may meet at all: not kept apart by the organizer."""
        return one not in self.apart or other not in self.apart[one]

    def unmet_with_bye(self, takers: Collection[PlayerId]) -> Callable[[PlayerId, PlayerId], bool]:
        """Return the question whether two may be paired without a conflict, where `takers` may have the bye."""

        def may_meet(one: PlayerId, other: PlayerId) -> bool:
            if NOBODY in {one, other}:
                return max(one, other) in takers
            return self.unmet(one, other)

        return may_meet

    def times_met(self, one: PlayerId, other: PlayerId) -> int:
        """How often two players met before."""
        return met(self.entrants[one], self.options).count(other)

    def earlier_byes(self, player: PlayerId) -> int:
        """How many earlier byes count for this player, by the options' switches."""
        return earlier_byes(self.entrants[player], self.options)

    @cached_property
    def bye_classes(self) -> list[list[PlayerId]]:
        """Who may have the bye, the best class first: fewest earlier byes, then lowest points. Empty when even."""
        if not self.odd:
            return []
        if self.options.forced_bye is not None:
            return [[self.options.forced_bye]]
        classes: dict[tuple[int, int], list[PlayerId]] = {}
        for player in self.free:
            if player not in self.options.no_bye:
                classes.setdefault((self.earlier_byes(player), self.points[player]), []).append(player)
        return [classes[key] for key in sorted(classes)]


def prepare(entrants: Iterable[Entrant], options: Options, *, fixed: Iterable[Pair] = ()) -> Field:
    """Prepare the field of a round. The input must have passed `refuse_contradictions`.

    fixed: pairs of a question (what would it cost if they met?); unlike the organizer's they cost what any table costs
    """
    by_id = {entrant.id: entrant for entrant in entrants}
    apart = _apart(options.forbidden)
    forced = tuple((min(pair), max(pair)) for pair in (*options.forced, *fixed))
    taken = {player for pair in forced for player in pair}
    set_apart = {player for pair in options.forced for player in pair}
    barred: dict[PlayerId, Collection[PlayerId]] = {player: each.opponents for player, each in by_id.items()}
    if options.no_show_meets:
        barred = {player: met(each, options) for player, each in by_id.items()}
    for player, kept_apart in apart.items():
        if player in barred:
            barred[player] = kept_apart.union(barred[player])
    return Field(
        entrants=by_id,
        options=options,
        points={player: each.points for player, each in by_id.items()},
        barred=barred,
        apart=apart,
        forced=forced,
        free=sorted(player for player in by_id if player not in taken),
        ordered=sorted(player for player in by_id if player not in set_apart),
    )


def _apart(forbidden: Iterable[Pair]) -> dict[PlayerId, frozenset[PlayerId]]:
    kept: dict[PlayerId, set[PlayerId]] = {}
    for one, other in forbidden:
        kept.setdefault(one, set()).add(other)
        kept.setdefault(other, set()).add(one)
    return {player: frozenset(others) for player, others in kept.items()}


def seats_of(field: Field, pair: Pair) -> Pair:
    """Return a pair as the levels read it: more points first, then the earlier registration; the bye last."""
    one, other = pair
    if NOBODY in pair:
        return (max(one, other), NOBODY)
    upper, lower = field.points[one], field.points[other]
    return pair if upper > lower or (upper == lower and one < other) else (other, one)


# -- A window: consecutive point groups that are solved together, and the candidate tables among them
#
# Up to 600 players the window is the whole field. Above, windows lie between large groups (`windows.Separation`), of which only a few
# representatives are borrowed by a window; what is borrowed and not used is given back, so representatives of one group may be
# paired with each other whether or not they have met.


@dataclass(frozen=True)
class Window:
    """Groups from the top; in an odd field the bye is the last player of the group whose points it gets.

    bye_class: who may have the bye: all of one group
    borrowed:  numbers of the groups of whom only a few players are here, borrowed from a separator
    """

    field: Field
    groups: Groups
    points: Sequence[int]
    bye_class: frozenset[PlayerId] = frozenset()
    borrowed: frozenset[int] = frozenset()

    @property
    def players(self) -> list[PlayerId]:
        """Everybody in it from the top, the bye included."""
        return [player for group in self.groups for player in group]

    def unmet(self, one: PlayerId, other: PlayerId) -> bool:
        """Whether two may be paired without a conflict; one of them may be the bye."""
        if other == NOBODY:
            return one in self.bye_class
        if one == NOBODY:
            return other in self.bye_class
        return other not in self.field.barred[one]

    def inside(self, group: int) -> Iterator[Pair]:
        """Yield the candidate tables inside a group."""
        pairs = combinations(self.groups[group], 2)
        return pairs if group in self.borrowed else (pair for pair in pairs if self.unmet(*pair))

    def between(self, upper: int, lower: int) -> Iterator[Pair]:
        """Yield the candidate tables of two groups."""
        barred = self.field.barred
        lower_group = [player for player in self.groups[lower] if player != NOBODY]
        for one in self.groups[upper]:
            if one != NOBODY:
                met = barred[one]
                for other in lower_group:
                    if other not in met:
                        yield one, other

    def block(self, upper: int, lower: int) -> Iterator[Pair]:
        """Yield the candidate tables of two groups, which may be the same one."""
        return self.inside(upper) if upper == lower else self.between(upper, lower)


def whole_field(field: Field, bye_class: Sequence[PlayerId]) -> Window:
    """Return the window that is the whole field, with the bye in the group of `bye_class` (empty: nobody has it)."""
    points = [field.points[group[0]] for group in field.groups]
    groups = list(field.groups)
    if bye_class:
        place = points.index(field.points[bye_class[0]])
        groups[place] = [*groups[place], NOBODY]
    return Window(field, groups, points, frozenset(bye_class))
