"""The players of one round, prepared: who is free, who may meet whom, who may have the bye; what contradicts itself is refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import NoReturn

from tourney.errors import TourneyError
from tourney.pairing.pairing import Entrant, Mode, Options, Pair, earlier_byes, met, refuse_equal_tables
from tourney.record import NOBODY, NameOf, PlayerId

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
        """Each player's tags; without those who have none."""
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

    @property
    def conflict_free_for_sure(self) -> bool:
        """Whether size alone shows that a conflict-free round exists, whoever of the free players has the bye.

        Lemma 1: an even pool of m ≥ 2d + 2 players with at most d conflicts each has a conflict-free complete pairing.
        """
        return len(self.free) - self.odd >= 2 * self.most_barred + 2

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


# -- What contradicts itself: refused before the field is prepared


def refuse_contradictions(
    entrants: Sequence[Entrant], options: Options, name: NameOf, *, least: int = 2
) -> None:
    """Raise TourneyError if the entrants and options contradict each other or themselves, or are fewer than `least`."""
    _refuse_strange_ids(entrants, name)
    if len(entrants) < least:
        _refuse_too_few(entrants, name)
    _refuse_forced(entrants, options, name)
    _refuse_forced_bye(entrants, options, name)
    refuse_equal_tables(entrants, name)
    _refuse_missing_order(entrants, options, name)


def _refuse_strange_ids(entrants: Sequence[Entrant], name: NameOf) -> None:
    ids = {each.id for each in entrants}
    if len(ids) < len(entrants):
        twice = next(player for player, count in Counter(each.id for each in entrants).items() if count > 1)
        raise TourneyError(f"{name(twice)} is entered twice for this round")
    if min(ids, default=1) <= NOBODY:
        raise TourneyError("players are numbered from 1; 0 is the bye")


def _refuse_too_few(entrants: Sequence[Entrant], name: NameOf) -> NoReturn:
    if not entrants:
        raise TourneyError(
            "nobody is left to pair: every player has dropped or sits out", "let at least two players return"
        )
    raise TourneyError(
        f"{name(entrants[0].id)} is the only player left: a round needs two",
        "let one more player return or enter, or close the event",
    )


def _refuse_forced(entrants: Sequence[Entrant], options: Options, name: NameOf) -> None:
    if not options.forced:
        return
    present = {each.id for each in entrants}
    forbidden = {frozenset(pair) for pair in options.forbidden}
    seated: dict[PlayerId, Pair] = {}
    for pair in options.forced:
        text = _pair_text(pair, name)
        if pair[0] == pair[1]:
            raise TourneyError(f"{name(pair[0])} cannot be paired with themselves")
        for player in pair:
            if player not in present:
                raise TourneyError(
                    f"{text} must meet, but {name(player)} is not in this round", f"release the pair {text}"
                )
            if player in seated and set(seated[player]) != set(pair):
                other = _pair_text(seated[player], name)
                raise TourneyError(
                    f"{name(player)} must meet two players: {other} and {text}",
                    "release one of the two pairs",
                )
            if player in seated:
                raise TourneyError(f"{text} is set twice", "name the pair once")
        if frozenset(pair) in forbidden:
            raise TourneyError(f"{text} must meet and must not meet", f"release the pair {text}, or allow it")
        seated |= dict.fromkeys(pair, pair)


def _pair_text(pair: Pair, name: NameOf) -> str:
    return f"{name(pair[0])}–{name(pair[1])}"


def _refuse_forced_bye(entrants: Sequence[Entrant], options: Options, name: NameOf) -> None:
    player = options.forced_bye
    if player is None:
        _refuse_nobody_for_the_bye(entrants, options, name)
        return
    if player in options.no_bye:
        raise TourneyError(
            f"{name(player)} must have the bye and must not have it", "take back one of the two"
        )
    if player not in {each.id for each in entrants}:
        raise TourneyError(
            f"{name(player)} is to have the bye, but is not in this round", "give the bye to somebody else"
        )
    for pair in options.forced:
        if player in pair:
            raise TourneyError(
                f"{name(player)} is to have the bye and to meet somebody: {_pair_text(pair, name)}",
                "release the pair, or give the bye to somebody else",
            )
    if len(entrants) % 2 == 0:
        raise TourneyError(
            f"{name(player)} is to have the bye, but {len(entrants)} players are an even number: nobody is left over",
            f"let {name(player)} sit out (an awarded bye); then somebody else is the odd player",
        )


def _refuse_nobody_for_the_bye(entrants: Sequence[Entrant], options: Options, name: NameOf) -> None:
    if not options.no_bye:
        return
    taken = {player for pair in options.forced for player in pair}
    free = [each.id for each in entrants if each.id not in taken]
    if len(free) % 2 and options.no_bye.issuperset(free):
        raise TourneyError(
            f"{len(free)} players are left to pair, and none of them may have the bye",
            f"let one of them have it, for instance {name(free[0])}",
        )


def _refuse_missing_order(entrants: Sequence[Entrant], options: Options, name: NameOf) -> None:
    if options.mode is Mode.RANK:
        missing = [each.id for each in entrants if each.rank is None]
        if missing:
            raise TourneyError(f"pairing by rank needs everybody's rank; {name(missing[0])} has none")
    if options.mode in {Mode.FOLD, Mode.SLIDE} and all(each.rating is None for each in entrants):
        raise TourneyError(
            f"pairing by rating ({options.mode.value}) needs ratings, and nobody has one",
            "enter ratings, or pair at random",
        )
