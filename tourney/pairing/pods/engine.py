"""Pair a round of pods (tables of three and more), prove how good it is, and check a round.

The module has, in this order: the round with its cost, its proof and the check; the lower bound of the cost;
the search through all rounds of a small field; the local search for larger fields.

A *place* is the number of a player in the `PodField`, from 0, in the order of points. Players who *rest* get
one of the byes. An *exchange* of two players seats each of them at the other's table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import comb, factorial

from msgspec.structs import replace

from tourney.errors import Finding, Severity, TourneyError
from tourney.pairing import manual
from tourney.pairing.facts import Difference, Gaps
from tourney.pairing.manual import Sizes
from tourney.pairing.pairing import (
    MEETS_BOUND,
    PROVED_BY_SEARCH,
    Cost,
    Entrants,
    Options,
    Pairing,
    draw,
    number_of,
    number_tables,
    proof_within,
    shuffle,
)
from tourney.pairing.pods.field import (
    PodField,
    Split,
    division_key,
    order_seats,
    prepare,
    refuse_contradictions,
    seat_price,
    split,
    words_of_sizes,
)
from tourney.record import NameOf, PlayerId, Table
from tourney.wording import counted

_EFFORT = 40_000
"""The number of exchanges that the local search evaluates by default."""

MOST = 20_000
"""If a field has at most this many possible rounds, all of them are evaluated.

Otherwise a local search runs.
"""

Tables = tuple[tuple[int, ...], ...]
"""The players at each table, by their places in the `PodField`."""

LEVELS = (
    ("rematches", "pairs that share a table again", 0),
    ("times_met", "earlier meetings", 0),
    ("differences", "point differences", 2),
    ("apart", "shared groups", 3),
    ("imbalance", "unevenness of seats", 4),
)
"""The levels with a bound: (field of `Cost`, words for messages, `Pairing.exact_levels`).

The third value is the `exact_levels` of a round if this level is the first that is not proved optimal.
"""


def pair(
    entrants: Entrants,
    options: Options,
    seed: str,
    *,
    sizes: Sizes,
    seats_before: Mapping[PlayerId, Sequence[int]] | None = None,
    effort: int = _EFFORT,
    exhaustive: int = MOST,
    name: NameOf = number_of,
) -> Pairing:
    """Return a round of pods.

    sizes:        the minimum, preferred and maximum number of players at a table
    seats_before: the seats that each player had before, from 1
    effort:       how many exchanges the local search evaluates; a higher number finds better rounds, and
                  takes longer
    exhaustive:   if the number of possible rounds is at most this, all are evaluated, without a local search

    In `Cost`, values such as `rematches` and `differences` are sums over all pairs of players who share a
    table. `imbalance` says how much this round increases the sum of (times in the seat)² over all players and
    seats. Options for two-seat games have no effect.

    Raises TourneyError for contradictory options, for too few players for one table, and if no round that
    keeps the organizer's pairs exists or was found. The message says which of the two is the case.
    """
    refuse_contradictions(entrants, options, sizes, name)
    field = prepare(entrants, options, seed, _division(entrants, options, sizes), seats_before or {})
    is_proved = count_rounds(field) <= exhaustive
    tables, resting_places = best_round(field) if is_proved else _search_locally(field, seed, effort)
    _refuse_broken_wishes(field, tables, name, is_proved=is_proved)
    seat_orders = [order_seats(field, table, seed) for table in tables]
    byes = tuple(sorted((*field.byes, *(field.players[place] for place in resting_places))))
    seats = [tuple(field.players[place] for place in table) for table in seat_orders]
    numbered_tables = _number_seats(entrants, seats, options)
    cost = price(entrants, options, numbered_tables, byes, seats_before or {})
    bound = _bound(field, cost)
    proof, exact = _proof(cost, bound, is_proved=is_proved)
    method = "every round looked at" if is_proved else "local search"
    return Pairing(
        tables=numbered_tables, byes=byes, cost=cost, bound=bound, proof=proof, seed=seed, method=method,
        exact_levels=exact,
    )  # fmt: skip


def _division(entrants: Entrants, options: Options, sizes: Sizes) -> Split:
    return split(len(entrants), sizes, least_byes=int(options.forced_bye is not None))


def _search_locally(field: PodField, seed: str, effort: int) -> tuple[Tables, tuple[int, ...]]:
    rematches, meetings = rematch_bound(field)
    rematch, meeting, _ = field.prices
    search = _Search(field, seed, effort)
    search.run(rematches * rematch + meetings * meeting + difference_bound(field) * field.near)
    search.even_seats()
    resting_places = tuple(search.tables[search.rest_index]) if search.rest_index is not None else ()
    return tuple(tuple(table) for table in search.tables[: len(field.tables)]), resting_places


def _refuse_broken_wishes(
    field: PodField, tables: Sequence[Sequence[int]], name: NameOf, *, is_proved: bool
) -> None:
    claim = "there is no round" if is_proved else "no round was found"
    for table in tables:
        members = set(table)
        for one, other in combinations(sorted(table), 2):
            if field.extra[one].get(other, 0) >= field.hard:
                player_names = f"{name(field.players[one])} and {name(field.players[other])}"
                raise TourneyError(
                    f"{claim} that keeps all forbidden pairs apart: at best {player_names} share a table",
                    "allow one of the pairs that are kept apart, or remove a fixed table",
                )
        for member in table:
            if field.forced_mates[member] - members:
                other = min(field.forced_mates[member] - members)
                player_names = f"{name(field.players[member])} and {name(field.players[other])}"
                raise TourneyError(
                    f"{claim} that seats all forced pairs together: {player_names} are at different tables",
                    f"stop forcing the pair {player_names}",
                )


def _number_seats(
    entrants: Entrants, seats: Sequence[tuple[PlayerId, ...]], options: Options
) -> tuple[Table, ...]:
    """Return the tables, numbered by points from the top; fixed tables keep their numbers."""
    by_id = {entrant.id: entrant for entrant in entrants}
    ranking = sorted(seats, key=lambda table: (sorted(-by_id[player].points for player in table), min(table)))
    fixed_numbers = ([by_id[player].fixed_table for player in table] for table in ranking)
    wishes = [max(filter(None, numbers), default=None) for numbers in fixed_numbers]
    return number_tables(ranking, wishes, options.first_table)


def _bound(field: PodField, cost: Cost) -> Cost:
    """Return a lower bound for the cost of every possible round.

    Byes cost the same in all these rounds, so the bound has the same values for byes as `cost`.

    cost: the cost of the paired round
    """
    rematches, meetings = rematch_bound(field)
    return Cost(
        rematches=rematches,
        times_met=meetings,
        bye_earlier=cost.bye_earlier,
        bye_points=cost.bye_points,
        differences=difference_bound(field),
        imbalance=seat_bound(field),
    )


def _proof(cost: Cost, bound: Cost, *, is_proved: bool) -> tuple[str, int]:
    """Return what is proved about a round, in words, and its `Pairing.exact_levels`.

    A round that costs as much as the lower bound on all levels is proved optimal. So is the best round if all
    rounds were evaluated. Otherwise, only the levels before the first level that costs more are proved.

    is_proved: whether all rounds were evaluated
    """
    for level, words, exact in LEVELS:
        gap = getattr(cost, level) - getattr(bound, level)
        if gap:
            return (PROVED_BY_SEARCH, 7) if is_proved else (f"{proof_within(gap)} ({words})", exact)
    return MEETS_BOUND, 7


def price(
    entrants: Entrants,
    options: Options,
    tables: Sequence[Table],
    byes: Sequence[PlayerId],
    seats_before: Mapping[PlayerId, Sequence[int]],
) -> Cost:
    """Return the cost of a recorded round of pods, including the cost of its order of seats."""
    present = {entrant.id for entrant in entrants}
    complete = [table for table in tables if present.issuperset(table.seats)]
    seats = [(player, seat) for table in complete for seat, player in enumerate(table.seats, 1)]
    return replace(
        manual.cost_of(entrants, options, complete, [player for player in byes if player in present]),
        imbalance=sum(2 * list(seats_before.get(player, ())).count(seat) + 1 for player, seat in seats),
    )


def prove(entrants: Entrants, options: Options, seed: str, *, sizes: Sizes) -> list[list[PlayerId]]:
    """Return groups of players such that all players of a group have met each other.

    The groups prove the lower bound of the rematches (`Pairing.bound`). Each player is in one group, except
    the players who have a bye in every possible round. The other parts of the bound can be computed from
    points, meetings, sizes and seats.
    """
    field = prepare(entrants, options, seed, _division(entrants, options, sizes), {})
    return [[field.players[place] for place in group] for group in acquainted_groups(field)]


def check(
    entrants: Entrants,
    options: Options,
    tables: Sequence[Table],
    byes: Sequence[PlayerId],
    *,
    sizes: Sizes,
    best: Pairing | None = None,
    absent: Mapping[PlayerId, str] | None = None,
    name: NameOf = number_of,
) -> list[Finding]:
    """Return the faults of a round of pods, errors first.

    These are the faults that `manual.check_by_hand` returns. With `best`, the round is also compared with
    the engine's round. It is not compared if it leaves out a player, or seats a wrong player or a player
    twice.

    best:   the engine's round, if known; it shows which rematches and second byes are avoidable
    absent: for each player of the event who is not an entrant, the reason, such as `dropped after round 3`

    Errors with `best`: `rematch` and `second-bye` if the engine's round has fewer. Advice with `best`, at
    most one of: `byes` (more than needed), `sizes` (other sizes are nearer to the preferred size), `cost`
    (more rematches, earlier meetings, point differences or shared groups than the engine's round).
    """
    findings = manual.check_by_hand(entrants, options, tables, byes, sizes=sizes, absent=absent, name=name)
    seat_rules = {"not-in-round", "not-seated", "seated-twice"}
    if best is None or not seat_rules.isdisjoint(finding.rule for finding in findings):
        return findings
    cost = manual.cost_of(entrants, options, tables, byes)
    more_byes = len(byes) > len(best.byes)
    has_equal_division = is_division_as_good(tables, byes, best, sizes)
    findings = [
        _add_remark(finding, cost, best, more_byes=more_byes, has_equal_division=has_equal_division)
        for finding in findings
    ]
    if more_byes:
        message = f"{len(byes)} players have a bye; {len(best.byes)} would be enough"
        findings.append(_advice("byes", message, len(byes), len(best.byes)))
    elif not has_equal_division:
        sizes_text = f"{sizes_words(best.tables)} would be nearer to the preferred {sizes.preferred}"
        message = f"{sizes_words(tables)}; {sizes_text}"
        findings.append(_advice("sizes", message, _sizes(tables), _sizes(best.tables)))
    else:
        points = {entrant.id: entrant.points for entrant in entrants}
        gaps = Gaps.at(best.tables, points), Gaps.at(tables, points)
        levels = [level for level, _, _ in LEVELS[:4]]
        difference = Difference.between(best.cost, cost, gaps, levels=levels, noun="pair")
        if difference is not None and difference.other > difference.best:
            message = f"not the best round: it has {difference.text}"
            findings.append(_advice("cost", message, difference.other, difference.best))
    return sorted(findings, key=lambda finding: finding.severity is not Severity.ERROR)


def _add_remark(
    finding: Finding, cost: Cost, best: Pairing, *, more_byes: bool, has_equal_division: bool
) -> Finding:
    """Return a finding about a rematch or second bye with a remark on whether it was avoidable.

    The finding comes from `manual.check_by_hand`. It becomes an error if the engine's round (`best`) has
    fewer rematches, or gives its byes to players who had fewer byes in all. It is returned unchanged if it is
    about something else, or if a comparison with `best` adds nothing.

    cost:               the cost of the checked round
    more_byes:          whether the checked round has more byes than `best`, so that second byes are not
                        compared
    has_equal_division: whether the sizes of its tables and its number of byes are as good as in `best`
                        (`is_division_as_good`)
    """
    severity, rematches = finding.severity, counted(cost.rematches, "rematch", "rematches")
    if finding.rule == "second-bye" and not more_byes and cost.bye_earlier > best.cost.bye_earlier:
        severity, remark = Severity.ERROR, "the byes can go to players who have had fewer"
    elif finding.rule != "rematch":
        return finding
    elif cost.rematches > best.cost.rematches:
        fewer = f"only {counted(best.cost.rematches, 'rematch', 'rematches')}"
        severity = Severity.ERROR
        remark = f"a round with {fewer if best.cost.rematches else 'no rematch'} is possible"
    elif not has_equal_division:
        return finding  # the proof holds only for rounds with the engine's table sizes
    elif best.bound.rematches == best.cost.rematches or best.proof == PROVED_BY_SEARCH:
        remark = f"{rematches} cannot be avoided in this field"
    else:
        remark = f"a round with fewer than {rematches} was neither found nor proved impossible"
    return replace(finding, severity=severity, message=f"{finding.message}; {remark}")


def _advice(rule: str, message: str, have: int | str, allowed: int | str) -> Finding:
    return Finding(rule=rule, severity=Severity.ADVICE, message=message, have=str(have), allowed=str(allowed))


def _sizes(tables: Sequence[Table]) -> str:
    return ", ".join(map(str, sorted((len(table.seats) for table in tables), reverse=True)))


def is_division_as_good(
    tables: Sequence[Table], byes: Sequence[PlayerId], best: Pairing, sizes: Sizes
) -> bool:
    """Return whether a round has no more byes than `best`, and table sizes that are as good.

    Sizes are better the nearer they are to the preferred size.
    """
    key, best_key = (
        division_key([len(table.seats) for table in round_tables], len(round_byes), sizes)
        for round_tables, round_byes in ((tables, byes), (best.tables, best.byes))
    )
    return key <= best_key


def sizes_words(tables: Sequence[Table]) -> str:
    """Return the number of tables of each size, such as `2 tables of 4 and 1 table of 3`."""
    return words_of_sizes(len(table.seats) for table in tables)


# -- a bound for each level, without a search
#
# * Rematches: at a table of s, a player sits with s - 1 others. If the player has not met only u < s - 1
#   players, at least s - 1 - u of the others are rematches; each rematch is counted for both players. Times
#   met: the meetings are at least those of the opponents with the fewest earlier meetings. If the field falls
#   into c groups of players who have all met each other (such as the tables of one earlier round), a table of
#   s has at least as many pairs from one group as s players who are spread evenly over c groups.
# * Point differences: take a boundary between two scores, with u players above it. Some pairs share a table
#   across the boundary unless the sizes of some tables add up to u. c(u) is the least number of such pairs. A
#   pair across several boundaries costs (g1 + g2 + …)² ≥ g1² + g2² + …, so the sum of gap² · c(u) is a bound.
#   If all tables have the same size, filling them from the top is best: for two tables of equal size, the
#   cost is concave in the sum of the points at one table.
# * Seats: the cheapest seat of each player.


def rematch_bound(field: PodField) -> tuple[int, int]:
    """Return lower bounds for the rematches of a round, and for their earlier meetings.

    A rematch is a pair of players at the same table who have met before. The second bound is for the number
    of times that all these pairs together have met before. Both apply to every round with the field's table
    sizes.
    """
    pairs, meetings = _bounds_by_player(field)
    groups = len(acquainted_groups(field))
    spread = sum(_fewest_pairs(size, groups) for size in field.tables)
    return max(pairs, spread), max(meetings, spread)


def _fewest_pairs(size: int, groups: int) -> int:
    share, larger_groups = divmod(size, groups)
    return larger_groups * comb(share + 1, 2) + (groups - larger_groups) * comb(share, 2)


def acquainted_groups(field: PodField) -> list[list[int]]:
    """Divide the players into a few groups of players who have all met each other.

    Returns the groups. Each player is given as a place, the index in `PodField.players`.
    """
    rematch = field.prices[0]
    opponents = [
        {other for other, price in extra.items() if price % field.hard >= rematch} for extra in field.extra
    ]
    remaining = set(range(len(field.players)))
    groups = []
    while remaining:
        group = {min(remaining)}
        candidates = opponents[min(remaining)] & remaining
        while candidates:
            newcomer = max(sorted(candidates), key=lambda place: len(opponents[place] & candidates))
            group.add(newcomer)
            candidates &= opponents[newcomer]
        remaining -= group
        groups.append(sorted(group))
    return groups


def _bounds_by_player(field: PodField) -> tuple[int, int]:
    rematch, meeting, _ = field.prices
    shortfalls: list[tuple[int, int]] = []
    for place in range(len(field.players)):
        extra = field.extra[place].values()
        prices = [price % field.hard for price in extra]
        times = sorted(price % rematch // meeting for price in prices if price >= rematch)
        rematch_count = sum(price >= rematch for price in extra)
        new_opponents = len(field.players) - 1 - rematch_count
        missing = min(max(0, min(field.tables) - 1 - new_opponents), len(times))
        shortfalls.append((missing, sum(times[:missing])))
    shortfalls.sort(reverse=True)
    # A player who rests shares no table, and the players with the highest bounds may be the ones who rest.
    pairs = sum(missing for missing, _ in shortfalls[field.rest_count :])
    meetings = sorted((times for _, times in shortfalls), reverse=True)[field.rest_count :]
    return -(-pairs // 2), -(-sum(meetings) // 2)


def difference_bound(field: PodField) -> int:
    """Return a lower bound for the sum of squared point differences, ignoring earlier meetings."""
    points = _seated_points(field)
    bound = _boundary_bound(points, field.tables)
    if len(set(field.tables)) == 1:
        bound = max(bound, _cost_from_top(points, field.tables[0]))
    return bound


def _seated_points(field: PodField) -> list[int]:
    """Return the half points of all players who get a seat, the highest first.

    The players who get a bye are left out. All players who may get one have equal points, so the result does
    not depend on which of them get it.
    """
    points = list(field.points)
    if field.rest_count:
        bye_points = field.points[min(field.may_rest)]
        for _ in range(field.rest_count):
            points.remove(bye_points)
    return points


def _boundary_bound(points: Sequence[int], tables: Sequence[int]) -> int:
    if len(set(points)) < 2:
        return 0
    crossing = _least_crossing(tables)
    gaps = ((n, points[n - 1] - points[n]) for n in range(1, len(points)))
    return sum(gap**2 * crossing[above] for above, gap in gaps if gap)


def _least_crossing(tables: Sequence[int]) -> list[int]:
    """Return, for u = 0, 1, 2 …, the least number of pairs across the boundary after u players.

    A pair is across the boundary if its players share a table and exactly one of them is among the top u
    players.

    tables: the sizes of the tables
    """
    total = sum(tables)
    infinity = total * total
    least = [0] + [infinity] * total
    seated_count = 0
    for size in tables:
        seated_count += size
        least = [
            min(
                (least[above - part] + part * (size - part) for part in range(min(size, above) + 1)),
                default=infinity,
            )
            if above <= seated_count
            else infinity
            for above in range(total + 1)
        ]
    return least


def _cost_from_top(points: Sequence[int], size: int) -> int:
    tables = [points[start : start + size] for start in range(0, len(points), size)]
    return sum((a - b) ** 2 for table in tables for number, a in enumerate(table) for b in table[:number])


def seat_bound(field: PodField) -> int:
    """Return a lower bound for the sum of `seat_price` over all tables of a round.

    This sum is how much the round adds to the unevenness with which players get the seats.
    """
    most = max(field.tables)
    least = sorted(2 * min(seats[seat] for seat in range(1, most + 1)) + 1 for seats in field.seats)
    return sum(least[: len(least) - field.rest_count])


# -- small fields: the best of all rounds, proved by a search through all of them


def count_rounds(field: PodField) -> int:
    """Return the number of possible rounds: ways to divide the players into tables and byes."""
    count = comb(len(field.may_rest), field.rest_count)
    remaining = sum(field.tables)
    for size in field.tables:
        count *= comb(remaining, size)
        remaining -= size
    for size in set(field.tables):
        count //= factorial(field.tables.count(size))
    return count


def best_round(field: PodField) -> tuple[Tables, tuple[int, ...]]:
    """Return the tables of the best round, and the players of `field.may_rest` who get a bye.

    Each player is represented by a number: the player's place in `field`.

    The best round is the one with the lowest cost. Of rounds with equal costs, it is the one that adds the
    least to the unevenness of seats (`seat_price`). If these are equal, too, it is the first round that the
    search finds.
    """
    walk = _Walk(field)
    places = range(len(field.players))
    for resting in combinations(sorted(field.may_rest), field.rest_count):
        walk.fill([place for place in places if place not in resting], field.tables, (), (0, 0), resting)
    assert walk.best is not None, "a split leaves at least one way to fill the tables"
    return walk.best[1], walk.best[2]


class _Walk:
    """A search through all rounds.

    It abandons a branch that costs as much as the best round so far.
    """

    def __init__(self, field: PodField) -> None:
        self.field = field
        self.best: tuple[tuple[int, int], Tables, tuple[int, ...]] | None = None
        self.prices: dict[tuple[int, ...], tuple[int, int]] = {}

    def fill(
        self,
        places: Sequence[int],
        sizes: Sequence[int],
        filled_tables: Tables,
        price: tuple[int, int],
        resting: tuple[int, ...],
    ) -> None:
        """Complete `filled_tables` to a round in every possible way, and keep the best round.

        The function tries every table that the first player without a table can have. For each of these
        tables, it calls itself for the players who are left.

        places:        the players without a table
        sizes:         the sizes of the tables to fill
        filled_tables: the tables filled so far
        price:         the cost of these tables, and the unevenness of their seats
        resting:       the players who get a bye
        """
        if self.best is not None and price >= self.best[0]:
            return
        if not places:
            self.best = (price, filled_tables, resting)
            return
        for table, remaining_sizes in _tables_of_first(places, sizes):
            table_price = self._price(table)
            table_places = set(table)
            remaining_places = [place for place in places if place not in table_places]
            total_price = (price[0] + table_price[0], price[1] + table_price[1])
            self.fill(remaining_places, remaining_sizes, (*filled_tables, table), total_price, resting)

    def _price(self, table: tuple[int, ...]) -> tuple[int, int]:
        if table not in self.prices:
            self.prices[table] = (self.field.table_price(table), seat_price(self.field, table))
        return self.prices[table]


def _tables_of_first(
    places: Sequence[int], sizes: Sequence[int]
) -> Iterator[tuple[tuple[int, ...], list[int]]]:
    for size in sorted(set(sizes)):
        remaining_sizes = list(sizes)
        remaining_sizes.remove(size)
        for mates in combinations(places[1:], size - 1):
            yield (places[0], *mates), remaining_sizes


# -- larger fields: a local search that fills the tables from the top, then exchanges players
#
# The result depends only on the seed and the field, never on a clock. One step exchanges two players of
# different tables (or a resting player with one who may rest), or moves a player to a table that is smaller
# by one. `effort` limits the number of exchanges that are evaluated.


_REACH = 40
"""The maximum distance of two players who are exchanged, in places of the `PodField`.

Fields of at most three times as many players have no such limit.
"""


class _Search:
    """The state of the local search. A player is represented by an index in `field.players`.

    tables:           the players at each table; if players rest, one more list at the end has the resting
                      players
    rest_index:       the index of the list of resting players; None if no player rests
    table_index:      player → index in `tables` of the list with this player
    weights:          the cost of each table, without the cost of its seats; 0 for the resting players
    remaining_effort: the number of exchanges that may still be evaluated
    """

    def __init__(self, field: PodField, seed: str, effort: int) -> None:
        self.field = field
        self.seed = seed
        self.effort = self.remaining_effort = effort
        self.rest_index = len(field.tables) if field.rest_count else None
        self._seat(_first_tables(field))

    def _seat(self, tables: list[list[int]]) -> None:
        self.tables = tables
        self.table_index = {place: number for number, table in enumerate(tables) for place in table}
        self.weights = [self._weight(number) for number in range(len(tables))]

    @property
    def price(self) -> int:
        """The current cost of the round, without the cost of seats."""
        return sum(self.weights)

    def run(self, target: int) -> None:
        """Search for a cheaper round until its cost is at most `target`, and keep the best round.

        The search exchanges players between tables. It also ends when no exchange may be tried any more
        (`remaining_effort`).
        """
        if self.price <= target or len(self.tables) == 1:
            return
        self._descend(shuffle(self.seed, "first", range(len(self.field.players))))
        shake = 0
        while self.remaining_effort > 0 and self.price > target:
            shake += 1
            old_effort, old_price = self.remaining_effort, self.price
            old_tables = [list(table) for table in self.tables]
            self._descend(self._exchange_randomly(shake))
            if self.price > old_price:
                self._seat(old_tables)
            if self.remaining_effort == old_effort:  # no exchange was evaluated: the loop might never end
                self.remaining_effort -= 1

    def even_seats(self) -> None:
        """Exchange pairs of players to make their seats more even (see `seat_price`).

        Seats are even if each player has had every seat equally often. An exchange is kept if it makes the
        seats more even and does not change the rest of the round's cost. At most `effort // 10` exchanges are
        evaluated.
        """
        if not any(self.field.seats):
            return
        self.remaining_effort = self.effort // 10
        for one in range(len(self.field.players)):
            for other in self._within_reach(one):
                if self.remaining_effort <= 0:
                    return
                if other > one:
                    self.remaining_effort -= 1
                    if self._can_exchange(one, other) and self._new_price(one, other) == self._old_price(
                        one, other
                    ):
                        self._keep_if_more_even(one, other)

    def _keep_if_more_even(self, one: int, other: int) -> None:
        indexes = (self.table_index[one], self.table_index[other])
        tables = [number for number in indexes if number != self.rest_index]
        before = sum(seat_price(self.field, self.tables[number]) for number in tables)
        self._exchange(one, other)
        if sum(seat_price(self.field, self.tables[number]) for number in tables) >= before:
            self._exchange(one, other)

    def _weight(self, number: int) -> int:
        return 0 if number == self.rest_index else self.field.table_price(self.tables[number])

    def _descend(self, queue: list[int]) -> None:
        """Exchange or move players as long as that lowers the cost, the players of `queue` first.

        After a player has changed tables, the players at the new table are tried, too.
        """
        waiting = dict.fromkeys(queue)
        while waiting and self.remaining_effort > 0:
            one = next(iter(waiting))
            del waiting[one]
            if self._improve(one):
                waiting |= dict.fromkeys(self.tables[self.table_index[one]])
                waiting[one] = None

    def _improve(self, one: int) -> bool:
        for other in self._within_reach(one):
            if not self._old_price(one, other):
                continue  # two tables that cost nothing cannot be improved
            self.remaining_effort -= 1
            if self._can_exchange(one, other) and self._new_price(one, other) < self._old_price(one, other):
                self._exchange(one, other)
                return True
        return any(self._move_if_cheaper(one, number) for number in range(len(self.tables)))

    def _within_reach(self, one: int) -> Iterator[int]:
        """Yield the players who do not sit at this player's table, the nearest first.

        Distance is counted in the order of points. In large fields, only players at most `_REACH` places away
        are included.

        one: the player
        """
        count = len(self.field.players)
        reach = count if count <= 3 * _REACH else _REACH
        for distance in range(1, reach + 1):
            for other in (one - distance, one + distance):
                if 0 <= other < count and self.table_index[other] != self.table_index[one]:
                    yield other

    def _can_exchange(self, one: int, other: int) -> bool:
        if self.table_index[one] == self.table_index[other]:
            return False
        is_rest = self.rest_index in (self.table_index[one], self.table_index[other])
        return not is_rest or {one, other} <= self.field.may_rest

    def _old_price(self, one: int, other: int) -> int:
        return self.weights[self.table_index[one]] + self.weights[self.table_index[other]]

    def _new_price(self, one: int, other: int) -> int:
        return sum(
            self.field.table_price([comes if place == leaves else place for place in self.tables[number]])
            for number, leaves, comes in (
                (self.table_index[one], one, other),
                (self.table_index[other], other, one),
            )
            if number != self.rest_index
        )

    def _exchange(self, one: int, other: int) -> None:
        one_index, other_index = self.table_index[one], self.table_index[other]
        self.tables[one_index][self.tables[one_index].index(one)] = other
        self.tables[other_index][self.tables[other_index].index(other)] = one
        self.table_index[one], self.table_index[other] = other_index, one_index
        for index in (one_index, other_index):
            self.weights[index] = self._weight(index)

    def _move_if_cheaper(self, one: int, target: int) -> bool:
        """Move a player to a table with one player fewer, if that lowers the cost.

        Return whether the player was moved. The list of table sizes stays the same.
        """
        source = self.table_index[one]
        if self.rest_index in (source, target) or len(self.tables[target]) + 1 != len(self.tables[source]):
            return False
        self.remaining_effort -= 1
        smaller_table = [place for place in self.tables[source] if place != one]
        price = self.field.table_price(smaller_table) + self.field.table_price([*self.tables[target], one])
        if price >= self.weights[source] + self.weights[target]:
            return False
        self.tables[source] = smaller_table
        self.tables[target] = [*self.tables[target], one]
        self.table_index[one] = target
        self.weights[source], self.weights[target] = self._weight(source), self._weight(target)
        return True

    def _exchange_randomly(self, number: int) -> list[int]:
        """Make a few random exchanges of two players, so that the search can find better rounds.

        The first player is chosen from the tables that cost something, if there are any. Return the players
        whom the search examines next.

        number: a different number for each call; the random choices depend on it and on the seed
        """
        costly_places = sorted(place for place, table in self.table_index.items() if self.weights[table])
        costly_places = costly_places or sorted(self.table_index)
        changed_places: list[int] = []
        for step in range(2 + draw(self.seed, "kicks", number, below=3)):
            pool = costly_places if step == 0 else range(len(self.field.players))
            one = pool[draw(self.seed, "kick", number, step, below=len(pool))]
            partners = [other for other in self._within_reach(one) if self._can_exchange(one, other)]
            if partners:
                other = partners[draw(self.seed, "with", number, step, below=min(len(partners), 2 * _REACH))]
                self._exchange(one, other)
                # A slip: `partners[0]` should be `other`. A correction would change the rounds of
                # `PODS_ENGINE`.
                changed_places += (
                    self.tables[self.table_index[one]] + self.tables[self.table_index[partners[0]]]
                )
        return list(dict.fromkeys(changed_places))


def _first_tables(field: PodField) -> list[list[int]]:
    """Return the tables from which the search starts, filled with players from the top.

    Of the players who may rest (get a bye), the last ones rest.
    """
    resting_places = sorted(field.may_rest)[len(field.may_rest) - field.rest_count :]
    seated_places = [place for place in range(len(field.players)) if place not in resting_places]
    tables: list[list[int]] = []
    for size in field.tables:
        tables.append(seated_places[:size])
        seated_places = seated_places[size:]
    return [*tables, resting_places] if resting_places else tables
