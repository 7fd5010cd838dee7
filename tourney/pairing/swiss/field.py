"""The field: the players of a round, prepared for the engine.

A field knows which players are free (not at the organizer's tables), which pairs have a conflict, and who may
have the bye. A *conflict* is a rematch or a pair that the organizer forbids. `refuse_contradictions` refuses
contradictory input before the field is prepared.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations, combinations_with_replacement
from typing import NoReturn

from msgspec import Struct

from tourney.errors import TourneyError
from tourney.pairing.pairing import (
    Entrant,
    Entrants,
    Mode,
    Options,
    Pair,
    earlier_byes,
    earlier_opponents,
    pair_text,
    refuse_wishes,
)
from tourney.record import NOBODY, NameOf, PlayerId

Groups = list[list[PlayerId]]
"""Groups of players with equal points, from the top.

Each group is in order of registration.
"""


class Field(Struct, frozen=True, dict=True):
    """The entrants and options of a round, prepared for the engine. The bye is `NOBODY`.

    entrants:         the entrants by id
    points:           half points by id
    conflicts:        for each player, the opponents with whom there is a conflict: earlier opponents and
                      forbidden opponents
    bans:             for each player in a forbidden pair, the forbidden opponents
    forced_pairs:     pairs that are fixed before the others are matched: the organizer's pairs, and the pairs
                      that an explanation asks about (`extra_pairs` of `prepare`)
    free:             the players who are in no forced pair, in order of registration
    players_to_order: the players to sort by strength if the round is paired by rating or rank: all players
                      except those in the organizer's pairs
    """

    entrants: Mapping[PlayerId, Entrant]
    options: Options
    points: Mapping[PlayerId, int]
    conflicts: Mapping[PlayerId, Collection[PlayerId]]
    bans: Mapping[PlayerId, frozenset[PlayerId]]
    forced_pairs: tuple[Pair, ...]
    free: Sequence[PlayerId]
    players_to_order: Sequence[PlayerId]

    @property
    def is_odd(self) -> bool:
        """Whether the number of players in no forced pair is odd, so that one of them has the bye."""
        return len(self.free) % 2 == 1

    @cached_property
    def groups(self) -> Groups:
        """The free players in groups with equal points, the group with the most points first."""
        return self.by_points(self.free)

    def by_points(self, players: Iterable[PlayerId]) -> Groups:
        """Return groups of players with equal points, from the top.

        Each group keeps the order of `players`.
        """
        groups: dict[int, list[PlayerId]] = {}
        points = self.points
        for player in players:
            groups.setdefault(points[player], []).append(player)
        return [groups[score] for score in sorted(groups, reverse=True)]

    @cached_property
    def tags(self) -> dict[PlayerId, frozenset[str]]:
        """The tags of each player who has tags."""
        return {player: frozenset(entrant.tags) for player, entrant in self.entrants.items() if entrant.tags}

    @cached_property
    def floated_down(self) -> frozenset[PlayerId]:
        """The players who floated down in the round before."""
        return frozenset(player for player, entrant in self.entrants.items() if entrant.floats[-1:] == (-1,))

    @cached_property
    def floated_up(self) -> frozenset[PlayerId]:
        """The players who floated up in the round before."""
        return frozenset(player for player, entrant in self.entrants.items() if entrant.floats[-1:] == (1,))

    @cached_property
    def most_conflicts(self) -> int:
        """The largest number of opponents with whom one free player has a conflict.

        A conflict is a rematch or a forbidden pair. Opponents who have left the event count, too; an opponent
        whom the player met twice can count twice. This is the number d of lemma 1
        (`is_surely_conflict_free`).
        """
        conflicts = self.conflicts
        return max((len(conflicts[player]) for player in self.free), default=0)

    @property
    def is_surely_conflict_free(self) -> bool:
        """Whether the field is so large that every choice of the bye has a conflict-free round.

        Lemma 1: an even number m ≥ 2d + 2 of players with at most d conflicts each can all be paired without
        a conflict.
        """
        return len(self.free) - self.is_odd >= 2 * self.most_conflicts + 2

    def may_meet(self, one: PlayerId, other: PlayerId) -> bool:
        """Return whether two players have not met before and are not kept apart."""
        return other not in self.conflicts[one]

    def is_allowed(self, one: PlayerId, other: PlayerId) -> bool:
        """Return whether the organizer allows two players to meet."""
        return one not in self.bans or other not in self.bans[one]

    def may_meet_with_bye(self, takers: Collection[PlayerId]) -> Callable[[PlayerId, PlayerId], bool]:
        """Return a function that returns whether two players can be paired without a conflict.

        One of the two can be the bye.

        takers: the players who may have the bye
        """

        def may_meet(one: PlayerId, other: PlayerId) -> bool:
            if NOBODY in {one, other}:
                return max(one, other) in takers
            return self.may_meet(one, other)

        return may_meet

    def times_met(self, one: PlayerId, other: PlayerId) -> int:
        """Return how often two players met before."""
        return earlier_opponents(self.entrants[one], self.options).count(other)

    def earlier_byes(self, player: PlayerId) -> int:
        """Return how many byes the player has had, without kinds that the options do not count."""
        return earlier_byes(self.entrants[player], self.options)

    @cached_property
    def bye_classes(self) -> list[list[PlayerId]]:
        """The classes of players who may have the bye, the best first; empty if none needs the bye.

        The players of a class have equally many earlier byes and points. The class with the fewest byes comes
        first, then the class with the fewest points.
        """
        if not self.is_odd:
            return []
        if self.options.forced_bye is not None:
            return [[self.options.forced_bye]]
        classes: dict[tuple[int, int], list[PlayerId]] = {}
        for player in self.free:
            if player not in self.options.no_bye:
                classes.setdefault((self.earlier_byes(player), self.points[player]), []).append(player)
        return [classes[key] for key in sorted(classes)]

    @property
    def bye_takers(self) -> list[PlayerId]:
        """The players who may have the bye, in the order in which they should get it.

        The players with the fewest earlier byes come first; of these, the players with the fewest points.
        """
        return [player for bye_class in self.bye_classes for player in bye_class]


def prepare(entrants: Iterable[Entrant], options: Options, *, extra_pairs: Iterable[Pair] = ()) -> Field:
    """Prepare the players and options of a round for the engine.

    The input must have passed `refuse_contradictions`.

    extra_pairs: more pairs that must meet, so that an explanation can say what such a round costs. The
                 organizer's pairs (`options.forced`) are not counted on the level `order`, but these pairs
                 are
    """
    by_id = {entrant.id: entrant for entrant in entrants}
    bans = _collect_bans(options.forbidden)
    forced_pairs = tuple((min(pair), max(pair)) for pair in (*options.forced, *extra_pairs))
    paired_players = {player for pair in forced_pairs for player in pair}
    forced_players = options.forced_players
    conflicts: dict[PlayerId, Collection[PlayerId]] = {
        player: entrant.opponents for player, entrant in by_id.items()
    }
    if options.no_show_meets:
        conflicts = {player: earlier_opponents(entrant, options) for player, entrant in by_id.items()}
    for player, banned_opponents in bans.items():
        if player in conflicts:
            conflicts[player] = banned_opponents.union(conflicts[player])
    return Field(
        entrants=by_id,
        options=options,
        points={player: entrant.points for player, entrant in by_id.items()},
        conflicts=conflicts,
        bans=bans,
        forced_pairs=forced_pairs,
        free=sorted(player for player in by_id if player not in paired_players),
        players_to_order=sorted(player for player in by_id if player not in forced_players),
    )


def _collect_bans(forbidden_pairs: Iterable[Pair]) -> dict[PlayerId, frozenset[PlayerId]]:
    bans: dict[PlayerId, set[PlayerId]] = {}
    for one, other in forbidden_pairs:
        bans.setdefault(one, set()).add(other)
        bans.setdefault(other, set()).add(one)
    return {player: frozenset(opponents) for player, opponents in bans.items()}


def seats_of(field: Field, pair: Pair) -> Pair:
    """Return a pair in seat order: the player with more points first, the bye last.

    If the points are equal, the player who registered first comes first.
    """
    one, other = pair
    if NOBODY in pair:
        return (max(one, other), NOBODY)
    upper, lower = field.points[one], field.points[other]
    return pair if upper > lower or (upper == lower and one < other) else (other, one)


# -- a window: consecutive point groups that are solved together, and their candidate tables
#
# Up to 600 players the window is the whole field. With more players, windows lie between large groups
# (`windows.Separation`), which lend a few players to the window. If two players lent by one group are paired
# with each other in the window, they return to the group and are paired anew. So they may be paired even if
# they have met.


class Window(Struct, frozen=True):
    """Neighbouring score groups that are paired together, from the top group down.

    If the number of players is odd, the bye counts as one more player, `NOBODY`. It is the last player of the
    group with the points of `bye_class`.

    groups:          the players of each group
    points:          the half points of each group
    bye_class:       the players who may have the bye, all from one group
    borrowed_groups: the indexes of the groups that have only a few players of a large group. The field is cut
                     into windows at its large groups, which lend these players (`windows.Separation`)
    """

    field: Field
    groups: Groups
    points: Sequence[int]
    bye_class: frozenset[PlayerId] = frozenset()
    borrowed_groups: frozenset[int] = frozenset()

    @property
    def players(self) -> list[PlayerId]:
        """All players in these score groups, from the most points to the fewest.

        If the window has the bye, it is included as `NOBODY`.
        """
        return [player for group in self.groups for player in group]

    def may_meet(self, one: PlayerId, other: PlayerId) -> bool:
        """Return whether two players can be paired without a conflict. One of them may be the bye."""
        if other == NOBODY:
            return one in self.bye_class
        if one == NOBODY:
            return other in self.bye_class
        return other not in self.field.conflicts[one]

    def tables_inside(self, group: int) -> Iterator[Pair]:
        """Yield the candidate tables of two players of the same group."""
        pairs = combinations(self.groups[group], 2)
        return pairs if group in self.borrowed_groups else (pair for pair in pairs if self.may_meet(*pair))

    def tables_between(self, upper: int, lower: int) -> Iterator[Pair]:
        """Yield the candidate tables of a player of group `upper` with a player of group `lower`."""
        players = [player for player in self.groups[lower] if player != NOBODY]
        for one in self.groups[upper]:
            conflicts = players if one == NOBODY else self.field.conflicts[one]
            for other in players:
                if other not in conflicts:
                    yield one, other

    def tables(self) -> Iterator[Pair]:
        """Yield every candidate table: two players who can be paired, or a player with the bye."""
        for upper, lower in combinations_with_replacement(range(len(self.groups)), 2):
            yield from self.block(upper, lower)

    def block(self, upper: int, lower: int) -> Iterator[Pair]:
        """Yield the candidate tables of a player of group `upper` and a player of group `lower`.

        upper, lower: indexes in `groups`; if they are equal, each table has two players of this group
        """
        return self.tables_inside(upper) if upper == lower else self.tables_between(upper, lower)


def whole_field(field: Field, bye_class: Sequence[PlayerId]) -> Window:
    """Return one `Window` with all players who are not in a forced pair.

    bye_class: the players who may have the bye, all with equal points; the bye is added to their group. Empty
               if none of the players needs the bye.
    """
    points = [field.points[group[0]] for group in field.groups]
    groups = list(field.groups)
    if bye_class:
        place = points.index(field.points[bye_class[0]])
        groups[place] = [*groups[place], NOBODY]
    return Window(field, groups, points, frozenset(bye_class))


# -- contradictory input, refused before the field is prepared


def refuse_contradictions(entrants: Entrants, options: Options, name: NameOf, *, least: int = 2) -> None:
    """Raise TourneyError if entrants and options contradict each other, or entrants are too few.

    least: the minimum number of entrants
    """
    if min((entrant.id for entrant in entrants), default=1) <= NOBODY:
        raise TourneyError("players are numbered from 1; 0 is the bye")
    if len(entrants) < least:
        _refuse_too_few(entrants, name)
    refuse_wishes(entrants, options, name, together="meet", opponent="meet an opponent")
    _refuse_forced_pairs(options, name)
    if options.forced_bye is not None:
        _refuse_forced_bye(options.forced_bye, len(entrants), options, name)
    elif options.no_bye:
        _refuse_missing_bye(entrants, options, name)
    if options.mode is not Mode.RANDOM:
        _refuse_missing_order(entrants, options, name)


def _refuse_too_few(entrants: Entrants, name: NameOf) -> NoReturn:
    if not entrants:
        raise TourneyError(
            "no players can be paired: none is registered, or all have dropped or sit out",
            "let at least two players enter or return",
        )
    raise TourneyError(
        f"{name(entrants[0].id)} is the only player left: a round needs two",
        "let one more player return or enter, or close the event",
    )


def _refuse_forced_pairs(options: Options, name: NameOf) -> None:
    forbidden_pairs = {frozenset(pair) for pair in options.forbidden}
    pair_of: dict[PlayerId, Pair] = {}
    for pair in options.forced:
        text = pair_text(pair, name)
        for player in pair:
            if player in pair_of and set(pair_of[player]) != set(pair):
                raise TourneyError(
                    f"{name(player)} must meet two players: {pair_text(pair_of[player], name)} and {text}",
                    "stop forcing one of the two pairs",
                )
            if player in pair_of:
                raise TourneyError(f"{text} is set twice", "name the pair once")
        if frozenset(pair) in forbidden_pairs:
            raise TourneyError(
                f"the pair {text} is both forced and forbidden",
                f"stop forcing the pair {text}, or stop forbidding it",
            )
        pair_of |= dict.fromkeys(pair, pair)


def _refuse_forced_bye(player: PlayerId, count: int, options: Options, name: NameOf) -> None:
    if player in options.no_bye:
        raise TourneyError(
            f"{name(player)} must have the bye and must not have it", "withdraw one of the two"
        )
    if count % 2 == 0:
        raise TourneyError(
            f"{name(player)} must have the bye, but {count} is an even number of players: "
            "no player is left over",
            f"let {name(player)} sit out (an awarded bye); then another player gets the bye",
        )


def _refuse_missing_bye(entrants: Entrants, options: Options, name: NameOf) -> None:
    forced_players = options.forced_players
    free_players = [entrant.id for entrant in entrants if entrant.id not in forced_players]
    if len(free_players) % 2 and options.no_bye.issuperset(free_players):
        raise TourneyError(
            f"{len(free_players)} players are left to pair, and none of them may have the bye",
            f"let one of them have the bye, for instance {name(free_players[0])}",
        )


def _refuse_missing_order(entrants: Entrants, options: Options, name: NameOf) -> None:
    if options.mode is Mode.RANK:
        missing = [entrant.id for entrant in entrants if entrant.rank is None]
        if missing:
            raise TourneyError(f"pairing by rank needs the rank of every player; {name(missing[0])} has none")
    elif all(entrant.rating is None for entrant in entrants):
        raise TourneyError(
            f"pairing by rating ({options.mode.value}) needs ratings, and no player has one",
            "enter ratings, or pair at random",
        )
