"""Pair a round of card-game Swiss, or explain why there is none.

The *free* players are those outside the organizer's forced pairs. They are paired level by level (`levels`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import NoReturn

from msgspec import Struct
from msgspec.structs import replace

from tourney.errors import TourneyError
from tourney.pairing.pairing import (
    MEETS_BOUND,
    PROVED_BY_SEARCH,
    Cost,
    Entrants,
    Mode,
    Options,
    Pair,
    Pairing,
    SeedHash,
    number_of,
    number_tables,
    pair_text,
    proof_within,
    upper_levels,
)
from tourney.pairing.swiss.bound import bound_of, potentials
from tourney.pairing.swiss.field import Field, Window, prepare, refuse_contradictions, seats_of, whole_field
from tourney.pairing.swiss.levels import by_strength, candidates, cost_of, sides_of, solve_whole, vertices
from tourney.pairing.swiss.matching import cheapest, deficiency, most
from tourney.pairing.swiss.windows import MIDDLE, QUICK, Separation, proved_sizes, solve_window
from tourney.record import NOBODY, NameOf, PlayerId, Table


def pair(entrants: Entrants, options: Options, seed: str, *, name: NameOf = number_of) -> Pairing:
    """Return the best round, level by level (`Cost`): each level is decided before the next.

    The same entrants (in any order), options and seed give the same round on every machine. Raises
    TourneyError if the input contradicts itself or allows no complete round. The message says why, and the
    hint says what would make a round possible.

    name: returns a player's name for messages
    """
    refuse_contradictions(entrants, options, name)
    return best_of(prepare(entrants, options), seed, name)


def best_of(field: Field, seed: str, name: NameOf) -> Pairing:
    """Return the best round of a field, including its forced pairs.

    The entrants and options of the field must have passed `refuse_contradictions`. Raises TourneyError if no
    complete round is possible, or if every round has a rematch and rematches are not allowed.
    """
    seed_hash = SeedHash(seed)
    solution = solve(field, seed_hash)
    if solution is None:
        refuse_impossible(field, name)
    paired = replace(_finished(field, solution, seed_hash), seed=seed)
    if not field.options.allow_rematches and solution.rematches:
        _refuse_rematches(field, paired, name)
    return paired


def _finished(field: Field, solution: Solution, seed_hash: SeedHash) -> Pairing:
    every = [seats_of(field, pair) for pair in (*field.forced, *solution.pairs)]
    tables, byes = seat(field, every, seed_hash)
    cost = cost_of(field, every)
    bound = _bound(field, solution, cost)
    return Pairing(
        tables=tables,
        byes=byes,
        cost=cost,
        bound=bound,
        proof=_proof(solution, cost, bound),
        method=solution.method,
        exact_levels=solution.exact_levels,
    )


def _bound(field: Field, solution: Solution, cost: Cost) -> Cost:
    """Return a lower bound for the cost of every round that has the forced tables.

    A level is 0 if only a search could prove a higher bound. If rematches of free players are unavoidable:

    * each of them adds 1 to the earlier meetings (`times_met`)
    * the bye of a free player costs as much as for the first player of `bye_takers`
    * only the forced tables count for the point differences
    """
    forced = cost_of(field, [seats_of(field, pair) for pair in field.forced])
    bye_earlier, bye_points = cost.bye_earlier, cost.bye_points
    if solution.rematches and field.odd:
        first = field.bye_takers[0]
        bye_earlier, bye_points = field.earlier_byes(first), field.points[first]
    return Cost(
        rematches=forced.rematches + solution.rematches,
        times_met=forced.times_met + solution.rematches,
        bye_earlier=bye_earlier,
        bye_points=bye_points,
        differences=forced.differences + solution.total,
    )


def _proof(solution: Solution, cost: Cost, bound: Cost) -> str:
    if upper_levels(cost) == upper_levels(bound):
        return MEETS_BOUND
    return PROVED_BY_SEARCH if solution.exact_levels else proof_within(cost.differences - bound.differences)


# -- the best tables for the free players: the whole field at once, windows between large groups, or, if a
# conflict is unavoidable, all allowed tables


WHOLE = 600
"""The maximum number of players for which all levels are solved at once."""
MOST_CANDIDATES = 500_000
"""The maximum number of candidate tables in a large field that is paired without separators.

More candidates would take minutes. Separators are large score groups that cut a field (see `windows`).
"""


class Solution(Struct, frozen=True):
    """The tables of the free players, and what is proved about them.

    pairs:     the tables; a bye is a table with `NOBODY`
    total:     the lower bound of the tables' squared point differences
    rematches: a lower bound for the number of rematches, proved by a largest matching of players who have
               not met
    method:    how the tables were found
    exact_levels: the tables are proved optimal on all levels up to this one; 0 if the point differences are
                  not proved
    """

    pairs: list[Pair]
    total: int
    rematches: int
    method: str
    exact_levels: int


def solve(field: Field, seed_hash: SeedHash) -> Solution | None:
    """Return the best tables of the free players (those who are in no forced pair).

    Returns None if fixed or forbidden pairs (or byes) make a complete round impossible.
    """
    if not field.free:
        return Solution([], 0, 0, "forced", 7)
    bye = bye_class(field)
    solution = None if bye is None else _conflict_free(field, bye, seed_hash)
    if solution is not None:
        return solution
    pairs = solve_whole(field, seed_hash)
    return None if pairs is None else Solution(pairs, 0, least_rematches(field), "saturated", 7)


def bye_class(field: Field) -> list[PlayerId] | None:
    """Return the class of players (equal earlier byes and points) of whom one gets the bye.

    It is the best class (the fewest earlier byes, then the fewest points) such that a conflict-free round
    gives one of its players the bye. Return [] if the number of free players is even, and None if there is no
    conflict-free round.
    """
    classes = field.bye_classes or [[]]
    if field.conflict_free_for_sure:
        return classes[0]
    if not deficiency(vertices(field), field.unmet_with_bye(frozenset(classes[0]))):
        return classes[0]
    rank = {player: number for number, players in enumerate(classes) for player in players}
    tables = [pair for pair in combinations(field.free, 2) if field.unmet(*pair)]
    prices = [0] * len(tables) + list(rank.values())
    tables += [(player, NOBODY) for player in rank]
    matched = cheapest(vertices(field), tables, prices)
    if matched is None:
        return None
    return next((classes[rank[one]] for one, other in matched if other == NOBODY), [])


def least_rematches(field: Field) -> int:
    """Return how many rematches every round of the free players has at least.

    Free players are those outside the organizer's pairs. Any player who may have the bye can get it. If as
    many players as possible are paired without a conflict, some are left over. The result is half their
    number. It is only a lower bound: forbidden pairs can make more rematches necessary.
    """
    unmet = [pair for pair in combinations(field.free, 2) if field.unmet(*pair)]
    unmet += [(player, NOBODY) for player in field.bye_takers]
    players = vertices(field)
    return (len(players) - 2 * len(most(players, unmet))) // 2


def _conflict_free(field: Field, bye: Sequence[PlayerId], seed_hash: SeedHash) -> Solution | None:
    small = 2 * field.most_barred + 4
    window = whole_field(field, bye)
    bound = bound_of(window, small)
    near = None
    if len(field.free) > WHOLE and not _pressed(window, bound.total):
        near = _separated(field, bye, seed_hash, small, bound.total)
        if near is not None and (near.exact_levels or _too_many(window)):
            return near
    solved = solve_window(window, seed_hash, bound)
    if solved is None:
        return near
    method, exact = ("whole", 7) if solved.every_level else ("whole, few partners", 3)
    return Solution(solved.pairs, bound.total, 0, method, exact)


def _pressed(window: Window, total: int) -> bool:
    """Return whether `potentials` proves that every round costs more than `total`.

    Then a round whose parts are paired separately (`windows.Separation`) cannot cost as little as `total`
    either. The proof is tried only if the organizer forbids pairs, such as all pairs of a club, and if there
    are not too many candidate tables (`_too_many`). If it is not tried, return False.

    total: the lower bound for the sum of squared point differences
    """
    return bool(window.field.apart) and not _too_many(window) and potentials(window)[1] > total


def _too_many(window: Window) -> bool:
    return sum(len(group) ** 2 for group in window.groups) // 2 > MOST_CANDIDATES


def _separated(
    field: Field, bye: Sequence[PlayerId], seed_hash: SeedHash, small: int, total: int
) -> Solution | None:
    """Pair a large field in parts, in up to three passes.

    A pass cuts the field at its large score groups, and pairs each part (`windows.Separation`). Return the
    first resulting round that is proved optimal. If no proof succeeds, return the last resulting round;
    None if no pass gives a round.

    small: 2d + 4, where d is the maximum number of conflicts of a player. By lemma 1 in `windows`, this many
           players or more can always be paired with each other, except one player if their number is odd
    total: the lower bound for the sum of squared point differences. A round with this sum is proved optimal
    """
    proved = proved_sizes(field.most_barred)
    passes: list[Solution] = []
    for sizes in (QUICK, MIDDLE, proved):
        separation = Separation(field, bye, seed_hash, sizes)
        if not separation.separators or (sizes != proved and sizes >= proved):
            continue
        made = separation.solve(small)
        if made is not None:
            exact = sizes == proved or made.cost == total
            passes.append(
                Solution(made.pairs, total, 0, f"separators {sizes[0]}/{sizes[1]}", 3 if exact else 0)
            )
            if exact:
                return passes[-1]
    return passes[-1] if passes else None


# -- refusals: why a field has no complete round, and the least change that makes one possible


_NAMED = 6
"""The maximum number of pairs that a refusal names. Further pairs are only counted."""


def refuse_impossible(field: Field, name: NameOf) -> NoReturn:
    """Raise the TourneyError for a field whose forbidden pairs allow no complete round."""
    lifted = pairs_to_allow(field)
    options = field.options
    named = ", ".join(_named_pair(one, other, name) for one, other in lifted[:_NAMED])
    more = f" and {len(lifted) - _NAMED} more" if len(lifted) > _NAMED else ""
    if len(options.forbidden) == 1 and not options.no_bye:
        message = f"no complete round is possible while {named} must not meet"
    else:
        wishes = f"{_all(len(options.forbidden), 'forbidden pair')} apart"
        wishes += f" and the bye from {_all(len(options.no_bye), 'player')}" if options.no_bye else ""
        message = f"no complete round keeps {wishes}: at least {len(lifted)} of them must be allowed"
    hint = f"allow {named}{more}"
    if field.forced and not pairs_to_allow(prepare(field.entrants.values(), replace(options, forced=()))):
        hint += "; or stop forcing " + ", ".join(pair_text(pair, name) for pair in field.forced)
    raise TourneyError(message, hint)


def _all(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"all {number} {noun}s"


def _named_pair(one: PlayerId, other: PlayerId, name: NameOf) -> str:
    return f"the bye of {name(one)}" if other == NOBODY else pair_text((one, other), name)


def _refuse_rematches(field: Field, paired: Pairing, name: NameOf) -> NoReturn:
    """Raise the TourneyError for a round that cannot be paired without a forbidden rematch."""
    pairs = [(table.seats[0], table.seats[1]) for table in paired.tables]
    named = ", ".join(f"{name(one)}–{name(other)}" for one, other in pairs if field.times_met(one, other))
    count = paired.cost.rematches
    raise TourneyError(
        f"no round without a rematch is possible for these {len(field.entrants)} players: "
        f"at least {count} {'is' if count == 1 else 'are'} needed",
        f"allow rematches ({named}), let another player enter, or end here",
    )


def pairs_to_allow(field: Field) -> list[Pair]:
    """Return the fewest forbidden pairs that must be allowed to make a complete round possible.

    The list is empty if a round is possible without them. A bye for a player in `Options.no_bye` also counts
    as a forbidden pair.

    A largest matching of the allowed pairs leaves over players who are all kept apart from each other. In a
    round with k forbidden tables, the other tables are a matching of allowed pairs. So k is at least half the
    number of players left over.
    """
    set_aside = {NOBODY, field.options.forced_bye} if field.options.forced_bye is not None else set()
    players = [player for player in vertices(field) if player not in set_aside]
    tables = [table for table in candidates(field) if set_aside.isdisjoint(table)]
    matched = {player for pair in most(players, tables) for player in pair}
    left = [player for player in players if player not in matched]
    return list(zip(left[::2], left[1::2], strict=True))


# -- numbered tables


def seat(
    field: Field, pairs: Sequence[Pair], seed_hash: SeedHash
) -> tuple[tuple[Table, ...], tuple[PlayerId, ...]]:
    """Return the tables in order of number, and the players with a bye.

    pairs: the pairs of the round, each in the order of `seats_of`

    Tables are ordered by points from the top. In a round by rating or rank, tables with equal points are
    ordered by their stronger player; in a random round, in an order that the seed decides. A pair in which
    only one player has a fixed table sits at that table. If both players have a fixed table, the pair sits
    at the fixed table of the player whom `seats_of` returns first. The other pairs get the free numbers.
    """
    byes = tuple(one for one, other in pairs if other == NOBODY)
    points, among_equals = field.points, _order_of_equals(field, seed_hash)
    ordered = sorted(
        (-points[one], -points[other], among_equals(one, other), one, other)
        for one, other in pairs
        if other != NOBODY
    )
    if field.options.sides:
        seated = [_in_order_of_sides(field, one, other, seed_hash) for *_, one, other in ordered]
    else:
        seated = [(one, other) for *_, one, other in ordered]
    wishes = [fixed_table_of(field, pair) for pair in seated]
    return number_tables(seated, wishes, field.options.first_table), byes


def _order_of_equals(field: Field, seed_hash: SeedHash) -> Callable[[PlayerId, PlayerId], int | bytes]:
    """Return a function that returns the sort key of a table among tables with equal points."""
    if field.options.mode is Mode.RANDOM:
        return lambda one, _: seed_hash.key(one)
    place = {player: number for number, player in enumerate(by_strength(field, list(field.entrants)))}
    return lambda one, other: min(place[one], place[other])


def _in_order_of_sides(field: Field, one: PlayerId, other: PlayerId, seed_hash: SeedHash) -> Pair:
    first = sides_of(field, one, other).first
    if first is None:
        first = min(one, other) if seed_hash.coin(one, other) else max(one, other)
    return (first, other if first == one else one)


def fixed_table_of(field: Field, pair: Pair) -> int | None:
    """Return the number of a pair's fixed table; None if neither player has one.

    If both players have one, it is that of the player whom `seats_of` puts first.
    """
    entrants, (one, other) = field.entrants, pair
    first, second = entrants[one].fixed_table, entrants[other].fixed_table
    if first is not None and second is not None:
        return entrants[seats_of(field, pair)[0]].fixed_table
    return second if first is None else first
