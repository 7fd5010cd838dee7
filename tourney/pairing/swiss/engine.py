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
from tourney.pairing.swiss.matching import cheapest_matching, deficiency, largest_matching
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
    pairing = replace(_make_pairing(field, solution, seed_hash), seed=seed)
    if not field.options.allow_rematches and solution.rematches:
        _refuse_rematches(field, pairing, name)
    return pairing


def _make_pairing(field: Field, solution: Solution, seed_hash: SeedHash) -> Pairing:
    pairs = [seats_of(field, pair) for pair in (*field.forced_pairs, *solution.pairs)]
    tables, byes = seat(field, pairs, seed_hash)
    cost = cost_of(field, pairs)
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
    forced_cost = cost_of(field, [seats_of(field, pair) for pair in field.forced_pairs])
    bye_earlier, bye_points = cost.bye_earlier, cost.bye_points
    if solution.rematches and field.is_odd:
        first = field.bye_takers[0]
        bye_earlier, bye_points = field.earlier_byes(first), field.points[first]
    return Cost(
        rematches=forced_cost.rematches + solution.rematches,
        times_met=forced_cost.times_met + solution.rematches,
        bye_earlier=bye_earlier,
        bye_points=bye_points,
        differences=forced_cost.differences + solution.total,
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

    pairs:        the tables; a bye is a table with `NOBODY`
    total:        the lower bound of the tables' squared point differences
    rematches:    a lower bound for the number of rematches, proved by a largest matching of players who have
                  not met
    method:       how the tables were found
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
    bye_class = best_bye_class(field)
    solution = None if bye_class is None else _conflict_free(field, bye_class, seed_hash)
    if solution is not None:
        return solution
    pairs = solve_whole(field, seed_hash)
    return None if pairs is None else Solution(pairs, 0, least_rematches(field), "saturated", 7)


def best_bye_class(field: Field) -> list[PlayerId] | None:
    """Return the class of players (equal earlier byes and points) of whom one gets the bye.

    It is the best class (the fewest earlier byes, then the fewest points) such that a conflict-free round
    gives one of its players the bye. Return [] if the number of free players is even, and None if there is no
    conflict-free round.
    """
    classes = field.bye_classes or [[]]
    if field.is_surely_conflict_free:
        return classes[0]
    if not deficiency(vertices(field), field.may_meet_with_bye(frozenset(classes[0]))):
        return classes[0]
    rank = {player: number for number, players in enumerate(classes) for player in players}
    tables = [pair for pair in combinations(field.free, 2) if field.may_meet(*pair)]
    prices = [0] * len(tables) + list(rank.values())
    tables += [(player, NOBODY) for player in rank]
    matching = cheapest_matching(vertices(field), tables, prices)
    if matching is None:
        return None
    return next((classes[rank[one]] for one, other in matching if other == NOBODY), [])


def least_rematches(field: Field) -> int:
    """Return how many rematches every round of the free players has at least.

    Free players are those outside the organizer's pairs. Any player who may have the bye can get it. If as
    many players as possible are paired without a conflict, some are left over. The result is half their
    number. It is only a lower bound: forbidden pairs can make more rematches necessary.
    """
    tables = [pair for pair in combinations(field.free, 2) if field.may_meet(*pair)]
    tables += [(player, NOBODY) for player in field.bye_takers]
    players = vertices(field)
    return (len(players) - 2 * len(largest_matching(players, tables))) // 2


def _conflict_free(field: Field, bye_class: Sequence[PlayerId], seed_hash: SeedHash) -> Solution | None:
    sure_size = 2 * field.most_conflicts + 4
    window = whole_field(field, bye_class)
    bound = bound_of(window, sure_size)
    partial_solution = None
    if len(field.free) > WHOLE and not _exceeds_bound(window, bound.total):
        partial_solution = _solve_in_parts(field, bye_class, seed_hash, sure_size, bound.total)
        if partial_solution is not None and (partial_solution.exact_levels or _has_too_many_tables(window)):
            return partial_solution
    window_pairing = solve_window(window, seed_hash, bound)
    if window_pairing is None:
        return partial_solution
    method, exact_levels = ("whole", 7) if window_pairing.is_fully_optimal else ("whole, few partners", 3)
    return Solution(window_pairing.pairs, bound.total, 0, method, exact_levels)


def _exceeds_bound(window: Window, total: int) -> bool:
    """Return whether `potentials` proves that every round costs more than `total`.

    Then a round whose parts are paired separately (`windows.Separation`) cannot cost as little as `total`
    either. The proof is tried only if the organizer forbids pairs, such as all pairs of a club, and if there
    are not too many candidate tables (`_has_too_many_tables`). If it is not tried, return False.

    total: the lower bound for the sum of squared point differences
    """
    return bool(window.field.bans) and not _has_too_many_tables(window) and potentials(window)[1] > total


def _has_too_many_tables(window: Window) -> bool:
    return sum(len(group) ** 2 for group in window.groups) // 2 > MOST_CANDIDATES


def _solve_in_parts(
    field: Field, bye_class: Sequence[PlayerId], seed_hash: SeedHash, sure_size: int, total: int
) -> Solution | None:
    """Pair a large field in parts, in up to three passes.

    A pass cuts the field at its large score groups, and pairs each part (`windows.Separation`). Return the
    first resulting round that is proved optimal. If no proof succeeds, return the last resulting round;
    None if no pass gives a round.

    sure_size: 2d + 4, where d is the maximum number of conflicts of a player. By lemma 1 in `windows`, this
               many players or more can always be paired with each other, except one player if their number is
               odd
    total:     the lower bound for the sum of squared point differences. A round with this sum is proved
               optimal
    """
    exact_sizes = proved_sizes(field.most_conflicts)
    passes: list[Solution] = []
    for sizes in (QUICK, MIDDLE, exact_sizes):
        separation = Separation(field, bye_class, seed_hash, sizes)
        if not separation.separators or (sizes != exact_sizes and sizes >= exact_sizes):
            continue
        field_pairing = separation.solve(sure_size)
        if field_pairing is not None:
            method = f"separators {sizes[0]}/{sizes[1]}"
            is_exact = sizes == exact_sizes or field_pairing.cost == total
            passes.append(Solution(field_pairing.pairs, total, 0, method, 3 if is_exact else 0))
            if is_exact:
                return passes[-1]
    return passes[-1] if passes else None


# -- refusals: why a field has no complete round, and the least change that makes one possible


_MOST_PAIRS = 6
"""The maximum number of pairs that a refusal names. Further pairs are only counted."""


def refuse_impossible(field: Field, name: NameOf) -> NoReturn:
    """Raise the TourneyError for a field whose forbidden pairs allow no complete round."""
    pairs_to_lift = pairs_to_allow(field)
    options = field.options
    named_pairs = ", ".join(_pair_or_bye_text(one, other, name) for one, other in pairs_to_lift[:_MOST_PAIRS])
    more = len(pairs_to_lift) - _MOST_PAIRS
    more_text = f" and {more} more" if more > 0 else ""
    if len(options.forbidden) == 1 and not options.no_bye:
        message = f"no complete round is possible while {named_pairs} must not meet"
    else:
        wishes = f"{_count_all(len(options.forbidden), 'forbidden pair')} apart"
        wishes += f" and the bye from {_count_all(len(options.no_bye), 'player')}" if options.no_bye else ""
        message = f"no complete round keeps {wishes}: at least {len(pairs_to_lift)} of them must be allowed"
    hint = f"allow {named_pairs}{more_text}"
    free_options = replace(options, forced=())
    if field.forced_pairs and not pairs_to_allow(prepare(field.entrants.values(), free_options)):
        hint += "; or stop forcing " + ", ".join(pair_text(pair, name) for pair in field.forced_pairs)
    raise TourneyError(message, hint)


def _count_all(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"all {number} {noun}s"


def _pair_or_bye_text(one: PlayerId, other: PlayerId, name: NameOf) -> str:
    return f"the bye of {name(one)}" if other == NOBODY else pair_text((one, other), name)


def _refuse_rematches(field: Field, pairing: Pairing, name: NameOf) -> NoReturn:
    """Raise the TourneyError for a round that cannot be paired without a forbidden rematch."""
    pairs = [(table.seats[0], table.seats[1]) for table in pairing.tables]
    named_pairs = ", ".join(pair_text(pair, name) for pair in pairs if field.times_met(*pair))
    count = pairing.cost.rematches
    raise TourneyError(
        f"no round without a rematch is possible for these {len(field.entrants)} players: "
        f"at least {count} {'is' if count == 1 else 'are'} needed",
        f"allow rematches ({named_pairs}), let another player enter, or end here",
    )


def pairs_to_allow(field: Field) -> list[Pair]:
    """Return the fewest forbidden pairs that must be allowed to make a complete round possible.

    The list is empty if a round is possible without them. A bye for a player in `Options.no_bye` also counts
    as a forbidden pair.

    A largest matching of the allowed pairs leaves over players who are all kept apart from each other. In a
    round with k forbidden tables, the other tables are a matching of allowed pairs. So k is at least half the
    number of players left over.
    """
    bye_pair = {NOBODY, field.options.forced_bye} if field.options.forced_bye is not None else set()
    players = [player for player in vertices(field) if player not in bye_pair]
    tables = [table for table in candidates(field) if bye_pair.isdisjoint(table)]
    matched_players = {player for pair in largest_matching(players, tables) for player in pair}
    unmatched_players = [player for player in players if player not in matched_players]
    return list(zip(unmatched_players[::2], unmatched_players[1::2], strict=True))


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
    points, order_of_equals = field.points, _order_of_equals(field, seed_hash)
    rows = sorted(
        (-points[one], -points[other], order_of_equals(one, other), one, other)
        for one, other in pairs
        if other != NOBODY
    )
    if field.options.sides:
        seat_pairs = [_in_order_of_sides(field, one, other, seed_hash) for *_, one, other in rows]
    else:
        seat_pairs = [(one, other) for *_, one, other in rows]
    wishes = [fixed_table_of(field, pair) for pair in seat_pairs]
    return number_tables(seat_pairs, wishes, field.options.first_table), byes


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
