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
    place_of,
    prepare,
    refuse_contradictions,
    seat_price,
    seated,
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
    proved = rounds_there_are(field) <= exhaustive
    tables, resting = best_of_all(field) if proved else _searched(field, seed, effort)
    _refuse_broken_wishes(field, tables, name, proved=proved)
    ordered = [seated(field, table, seed) for table in tables]
    byes = tuple(sorted((*field.byes, *(field.players[place] for place in resting))))
    seats = [tuple(field.players[place] for place in table) for table in ordered]
    numbered = _numbered(entrants, seats, options)
    cost = price(entrants, options, numbered, byes, seats_before or {})
    bound = _bound(field, cost)
    proof, exact = _proof(cost, bound, proved=proved)
    method = "every round looked at" if proved else "local search"
    return Pairing(
        tables=numbered, byes=byes, cost=cost, bound=bound, proof=proof, seed=seed, method=method,
        exact_levels=exact,
    )  # fmt: skip


def _division(entrants: Entrants, options: Options, sizes: Sizes) -> Split:
    return split(len(entrants), sizes, least_byes=int(options.forced_bye is not None))


def _searched(field: PodField, seed: str, effort: int) -> tuple[Tables, tuple[int, ...]]:
    rematches, meetings = rematch_bound(field)
    rematch, meeting, _ = field.prices
    search = _Search(field, seed, effort)
    search.run(rematches * rematch + meetings * meeting + difference_bound(field) * field.near)
    search.even_seats()
    resting = tuple(search.tables[search.rest]) if search.rest is not None else ()
    return tuple(tuple(table) for table in search.tables[: len(field.tables)]), resting


def _refuse_broken_wishes(
    field: PodField, tables: Sequence[Sequence[int]], name: NameOf, *, proved: bool
) -> None:
    how = "there is no round" if proved else "no round was found"
    for table in tables:
        members = set(table)
        for one, other in combinations(sorted(table), 2):
            if field.extra[one].get(other, 0) >= field.hard:
                both = f"{name(field.players[one])} and {name(field.players[other])}"
                raise TourneyError(
                    f"{how} that keeps all forbidden pairs apart: at best {both} share a table",
                    "allow one of the pairs that are kept apart, or remove a fixed table",
                )
        for member in table:
            if field.forced[member] - members:
                other = min(field.forced[member] - members)
                both = f"{name(field.players[member])} and {name(field.players[other])}"
                raise TourneyError(
                    f"{how} that seats all forced pairs together: {both} are at different tables",
                    f"stop forcing the pair {both}",
                )


def _numbered(
    entrants: Entrants, seats: Sequence[tuple[PlayerId, ...]], options: Options
) -> tuple[Table, ...]:
    """Return the tables, numbered by points from the top; fixed tables keep their numbers."""
    by_id = {entrant.id: entrant for entrant in entrants}
    ranked = sorted(seats, key=lambda table: (sorted(-by_id[player].points for player in table), min(table)))
    fixed = ([by_id[player].fixed_table for player in table] for table in ranked)
    wishes = [max(filter(None, numbers), default=None) for numbers in fixed]
    return number_tables(ranked, wishes, options.first_table)


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


def _proof(cost: Cost, bound: Cost, *, proved: bool) -> tuple[str, int]:
    """Return what is proved about a round, in words, and its `Pairing.exact_levels`.

    A round that costs as much as the lower bound on all levels is proved optimal. So is the best round if all
    rounds were evaluated. Otherwise, only the levels before the first level that costs more are proved.

    proved: whether all rounds were evaluated
    """
    for level, words, exact in LEVELS:
        gap = getattr(cost, level) - getattr(bound, level)
        if gap:
            return (PROVED_BY_SEARCH, 7) if proved else (f"{proof_within(gap)} ({words})", exact)
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
    return [[field.players[place] for place in group] for group in groups_all_met(field)]


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
    misplaced = {"not-in-round", "not-seated", "seated-twice"}
    if best is None or not misplaced.isdisjoint(finding.rule for finding in findings):
        return findings
    have = manual.cost_of(entrants, options, tables, byes)
    more_byes = len(byes) > len(best.byes)
    alike = divided_alike(tables, byes, best, sizes)
    settled = [_settled(finding, have, best, more_byes=more_byes, alike=alike) for finding in findings]
    if more_byes:
        message = f"{len(byes)} players have a bye; {len(best.byes)} would be enough"
        settled.append(_advice("byes", message, len(byes), len(best.byes)))
    elif not alike:
        nearer = f"{sizes_words(best.tables)} would be nearer to the preferred {sizes.preferred}"
        message = f"{sizes_words(tables)}; {nearer}"
        settled.append(_advice("sizes", message, _sizes(tables), _sizes(best.tables)))
    else:
        points = {entrant.id: entrant.points for entrant in entrants}
        gaps = Gaps.at(best.tables, points), Gaps.at(tables, points)
        levels = [level for level, _, _ in LEVELS[:4]]
        dearer = Difference.between(best.cost, have, gaps, levels=levels, noun="pair")
        if dearer is not None and dearer.other > dearer.best:
            message = f"not the best round: it has {dearer.text}"
            settled.append(_advice("cost", message, dearer.other, dearer.best))
    return sorted(settled, key=lambda finding: finding.severity is not Severity.ERROR)


def _settled(finding: Finding, have: Cost, best: Pairing, *, more_byes: bool, alike: bool) -> Finding:
    """Return a finding about a rematch or second bye with a remark on whether it was avoidable.

    The finding comes from `manual.check_by_hand`. It becomes an error if the engine's round (`best`) has
    fewer rematches, or gives its byes to players who had fewer byes in all. It is returned unchanged if it is
    about something else, or if a comparison with `best` adds nothing.

    have:      the cost of the checked round
    more_byes: whether the checked round has more byes than `best`, so that second byes are not compared
    alike:     whether the sizes of its tables and its number of byes are as good as in `best`
               (`divided_alike`)
    """
    severity, rematches = finding.severity, counted(have.rematches, "rematch", "rematches")
    if finding.rule == "second-bye" and not more_byes and have.bye_earlier > best.cost.bye_earlier:
        severity, rest = Severity.ERROR, "the byes can go to players who have had fewer"
    elif finding.rule != "rematch":
        return finding
    elif have.rematches > best.cost.rematches:
        fewer = f"only {counted(best.cost.rematches, 'rematch', 'rematches')}"
        severity = Severity.ERROR
        rest = f"a round with {fewer if best.cost.rematches else 'no rematch'} is possible"
    elif not alike:
        return finding  # the proof holds only for rounds with the engine's table sizes
    elif best.bound.rematches == best.cost.rematches or best.proof == PROVED_BY_SEARCH:
        rest = f"{rematches} cannot be avoided in this field"
    else:
        rest = f"a round with fewer than {rematches} was neither found nor proved impossible"
    return replace(finding, severity=severity, message=f"{finding.message}; {rest}")


def _advice(rule: str, message: str, have: int | str, allowed: int | str) -> Finding:
    return Finding(rule=rule, severity=Severity.ADVICE, message=message, have=str(have), allowed=str(allowed))


def _sizes(tables: Sequence[Table]) -> str:
    return ", ".join(map(str, sorted((len(table.seats) for table in tables), reverse=True)))


def divided_alike(tables: Sequence[Table], byes: Sequence[PlayerId], best: Pairing, sizes: Sizes) -> bool:
    """Return whether a round has no more byes than `best`, and table sizes that are as good.

    Sizes are better the nearer they are to the preferred size.
    """
    key, best_key = (
        place_of([len(table.seats) for table in made], len(resting), sizes)
        for made, resting in ((tables, byes), (best.tables, best.byes))
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
    pairs, meetings = _by_player(field)
    groups = len(groups_all_met(field))
    spread = sum(_evenly_spread(size, groups) for size in field.tables)
    return max(pairs, spread), max(meetings, spread)


def _evenly_spread(size: int, groups: int) -> int:
    share, more = divmod(size, groups)
    return more * comb(share + 1, 2) + (groups - more) * comb(share, 2)


def groups_all_met(field: PodField) -> list[list[int]]:
    """Divide the players into a few groups of players who have all met each other.

    Returns the groups. Each player is given as a place, the index in `PodField.players`.
    """
    rematch = field.prices[0]
    met = [
        {other for other, price in extra.items() if price % field.hard >= rematch} for extra in field.extra
    ]
    left = set(range(len(field.players)))
    groups = []
    while left:
        group = {min(left)}
        common = met[min(left)] & left
        while common:
            joining = max(sorted(common), key=lambda place: len(met[place] & common))
            group.add(joining)
            common &= met[joining]
        left -= group
        groups.append(sorted(group))
    return groups


def _by_player(field: PodField) -> tuple[int, int]:
    rematch, meeting, _ = field.prices
    short: list[tuple[int, int]] = []
    for place in range(len(field.players)):
        extra = field.extra[place].values()
        prices = [price % field.hard for price in extra]
        times = sorted(price % rematch // meeting for price in prices if price >= rematch)
        barred = sum(price >= rematch for price in extra)
        unmet = len(field.players) - 1 - barred
        missing = min(max(0, min(field.tables) - 1 - unmet), len(times))
        short.append((missing, sum(times[:missing])))
    short.sort(reverse=True)
    # A player who rests shares no table, and the players with the highest bounds may be the ones who rest.
    pairs = sum(missing for missing, _ in short[field.resting :])
    meetings = sorted((times for _, times in short), reverse=True)[field.resting :]
    return -(-pairs // 2), -(-sum(meetings) // 2)


def difference_bound(field: PodField) -> int:
    """Return a lower bound for the sum of squared point differences, ignoring earlier meetings."""
    points = _seated_points(field)
    bound = _boundaries(points, field.tables)
    if len(set(field.tables)) == 1:
        bound = max(bound, _from_the_top(points, field.tables[0]))
    return bound


def _seated_points(field: PodField) -> list[int]:
    """Return the half points of all players who get a seat, the highest first.

    The players who get a bye are left out. All players who may get one have equal points, so the result does
    not depend on which of them get it.
    """
    points = list(field.points)
    if field.resting:
        shared = field.points[min(field.may_rest)]
        for _ in range(field.resting):
            points.remove(shared)
    return points


def _boundaries(points: Sequence[int], tables: Sequence[int]) -> int:
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
    never = total * total
    least = [0] + [never] * total
    seated = 0
    for size in tables:
        seated += size
        least = [
            min(
                (least[above - part] + part * (size - part) for part in range(min(size, above) + 1)),
                default=never,
            )
            if above <= seated
            else never
            for above in range(total + 1)
        ]
    return least


def _from_the_top(points: Sequence[int], size: int) -> int:
    tables = [points[start : start + size] for start in range(0, len(points), size)]
    return sum((a - b) ** 2 for table in tables for number, a in enumerate(table) for b in table[:number])


def seat_bound(field: PodField) -> int:
    """Return a lower bound for the sum of `seat_price` over all tables of a round.

    This sum is how much the round adds to the unevenness with which players get the seats.
    """
    most = max(field.tables)
    least = sorted(2 * min(seats[seat] for seat in range(1, most + 1)) + 1 for seats in field.seats)
    return sum(least[: len(least) - field.resting])


# -- small fields: the best of all rounds, proved by a search through all of them


def rounds_there_are(field: PodField) -> int:
    """Return the number of possible rounds: ways to divide the players into tables and byes."""
    ways = comb(len(field.may_rest), field.resting)
    left = sum(field.tables)
    for size in field.tables:
        ways *= comb(left, size)
        left -= size
    for size in set(field.tables):
        ways //= factorial(field.tables.count(size))
    return ways


def best_of_all(field: PodField) -> tuple[Tables, tuple[int, ...]]:
    """Return the tables of the best round, and the players of `field.may_rest` who get a bye.

    Each player is represented by a number: the player's place in `field`.

    The best round is the one with the lowest cost. Of rounds with equal costs, it is the one that adds the
    least to the unevenness of seats (`seat_price`). If these are equal, too, it is the first round that the
    search finds.
    """
    walk = _Walk(field)
    places = range(len(field.players))
    for resting in combinations(sorted(field.may_rest), field.resting):
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
        done: Tables,
        price: tuple[int, int],
        resting: tuple[int, ...],
    ) -> None:
        """Complete the tables in `done` to a round in every possible way, and keep the best round.

        The function tries every table that the first player without a table can have. For each of these
        tables, it calls itself for the players who are left.

        places:  the players without a table
        sizes:   the sizes of the tables to fill
        done:    the tables filled so far
        price:   the cost of these tables, and the unevenness of their seats
        resting: the players who get a bye
        """
        if self.best is not None and price >= self.best[0]:
            return
        if not places:
            self.best = (price, done, resting)
            return
        for table, left in _tables_of_first(places, sizes):
            added = self._price(table)
            seated = set(table)
            rest = [place for place in places if place not in seated]
            self.fill(rest, left, (*done, table), (price[0] + added[0], price[1] + added[1]), resting)

    def _price(self, table: tuple[int, ...]) -> tuple[int, int]:
        if table not in self.prices:
            self.prices[table] = (self.field.table_price(table), seat_price(self.field, table))
        return self.prices[table]


def _tables_of_first(
    places: Sequence[int], sizes: Sequence[int]
) -> Iterator[tuple[tuple[int, ...], list[int]]]:
    for size in sorted(set(sizes)):
        left = list(sizes)
        left.remove(size)
        for mates in combinations(places[1:], size - 1):
            yield (places[0], *mates), left


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

    tables:  the players at each table; if players rest, one more list at the end has the resting players
    rest:    the index of the list of resting players; None if no player rests
    at:      player → index in `tables` of the list with this player
    weights: the cost of each table, without the cost of its seats; 0 for the resting players
    left:    the number of exchanges that may still be evaluated
    """

    def __init__(self, field: PodField, seed: str, effort: int) -> None:
        self.field = field
        self.seed = seed
        self.effort = self.left = effort
        self.rest = len(field.tables) if field.resting else None
        self._seat(_start(field))

    def _seat(self, tables: list[list[int]]) -> None:
        self.tables = tables
        self.at = {place: number for number, table in enumerate(tables) for place in table}
        self.weights = [self._weight(number) for number in range(len(tables))]

    @property
    def price(self) -> int:
        """The current cost of the round, without the cost of seats."""
        return sum(self.weights)

    def run(self, target: int) -> None:
        """Search for a cheaper round until its cost is at most `target`, and keep the best round.

        The search exchanges players between tables. It also ends when no exchange may be tried any more
        (`left`).
        """
        if self.price <= target or len(self.tables) == 1:
            return
        self._descend(shuffle(self.seed, "first", range(len(self.field.players))))
        shake = 0
        while self.left > 0 and self.price > target:
            shake += 1
            left, price, tables = self.left, self.price, [list(table) for table in self.tables]
            self._descend(self._exchange_randomly(shake))
            if self.price > price:
                self._seat(tables)
            if self.left == left:  # no exchange was evaluated; without this, the loop might never end
                self.left -= 1

    def even_seats(self) -> None:
        """Exchange pairs of players to make their seats more even (see `seat_price`).

        Seats are even if each player has had every seat equally often. An exchange is kept if it makes the
        seats more even and does not change the rest of the round's cost. At most `effort // 10` exchanges are
        evaluated.
        """
        if not any(self.field.seats):
            return
        self.left = self.effort // 10
        for one in range(len(self.field.players)):
            for other in self._within_reach(one):
                if self.left <= 0:
                    return
                if other > one:
                    self.left -= 1
                    if self._allowed(one, other) and self._exchanged(one, other) == self._together(
                        one, other
                    ):
                        self._keep_if_more_even(one, other)

    def _keep_if_more_even(self, one: int, other: int) -> None:
        tables = [number for number in (self.at[one], self.at[other]) if number != self.rest]
        before = sum(seat_price(self.field, self.tables[number]) for number in tables)
        self._exchange(one, other)
        if sum(seat_price(self.field, self.tables[number]) for number in tables) >= before:
            self._exchange(one, other)

    def _weight(self, number: int) -> int:
        return 0 if number == self.rest else self.field.table_price(self.tables[number])

    def _descend(self, queue: list[int]) -> None:
        """Exchange or move players as long as that lowers the cost, the players of `queue` first.

        After a player has changed tables, the players at the new table are tried, too.
        """
        waiting = dict.fromkeys(queue)
        while waiting and self.left > 0:
            one = next(iter(waiting))
            del waiting[one]
            if self._improve(one):
                waiting |= dict.fromkeys(self.tables[self.at[one]])
                waiting[one] = None

    def _improve(self, one: int) -> bool:
        for other in self._within_reach(one):
            if not self._together(one, other):
                continue  # two tables that cost nothing cannot be improved
            self.left -= 1
            if self._allowed(one, other) and self._exchanged(one, other) < self._together(one, other):
                self._exchange(one, other)
                return True
        return any(self._move_helps(one, number) for number in range(len(self.tables)))

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
                if 0 <= other < count and self.at[other] != self.at[one]:
                    yield other

    def _allowed(self, one: int, other: int) -> bool:
        if self.at[one] == self.at[other]:
            return False
        resting = self.rest in (self.at[one], self.at[other])
        return not resting or {one, other} <= self.field.may_rest

    def _together(self, one: int, other: int) -> int:
        return self.weights[self.at[one]] + self.weights[self.at[other]]

    def _exchanged(self, one: int, other: int) -> int:
        return sum(
            self.field.table_price([comes if place == leaves else place for place in self.tables[number]])
            for number, leaves, comes in ((self.at[one], one, other), (self.at[other], other, one))
            if number != self.rest
        )

    def _exchange(self, one: int, other: int) -> None:
        here, there = self.at[one], self.at[other]
        self.tables[here][self.tables[here].index(one)] = other
        self.tables[there][self.tables[there].index(other)] = one
        self.at[one], self.at[other] = there, here
        self.weights[here], self.weights[there] = self._weight(here), self._weight(there)

    def _move_helps(self, one: int, there: int) -> bool:
        """Move a player to a table with one player fewer, if that lowers the cost.

        Return whether the player was moved. The list of table sizes stays the same.
        """
        here = self.at[one]
        if self.rest in (here, there) or len(self.tables[there]) + 1 != len(self.tables[here]):
            return False
        self.left -= 1
        without = [place for place in self.tables[here] if place != one]
        price = self.field.table_price(without) + self.field.table_price([*self.tables[there], one])
        if price >= self.weights[here] + self.weights[there]:
            return False
        self.tables[here] = without
        self.tables[there] = [*self.tables[there], one]
        self.at[one] = there
        self.weights[here], self.weights[there] = self._weight(here), self._weight(there)
        return True

    def _exchange_randomly(self, number: int) -> list[int]:
        """Make a few random exchanges of two players, so that the search can find better rounds.

        The first player is chosen from the tables that cost something, if there are any. Return the players
        whom the search examines next.

        number: a different number for each call; the random choices depend on it and on the seed
        """
        dear = sorted(place for place in self.at if self.weights[self.at[place]]) or sorted(self.at)
        touched: list[int] = []
        for step in range(2 + draw(self.seed, "kicks", number, below=3)):
            pool = dear if step == 0 else range(len(self.field.players))
            one = pool[draw(self.seed, "kick", number, step, below=len(pool))]
            near = [other for other in self._within_reach(one) if self._allowed(one, other)]
            if near:
                other = near[draw(self.seed, "with", number, step, below=min(len(near), 2 * _REACH))]
                self._exchange(one, other)
                # A slip: `near[0]` should be `other`. Correcting it would change the rounds of `PODS_ENGINE`.
                touched += self.tables[self.at[one]] + self.tables[self.at[near[0]]]
        return list(dict.fromkeys(touched))


def _start(field: PodField) -> list[list[int]]:
    """Return the tables from which the search starts, filled with players from the top.

    Of the players who may rest (get a bye), the last ones rest.
    """
    resting = sorted(field.may_rest)[len(field.may_rest) - field.resting :]
    seated = [place for place in range(len(field.players)) if place not in resting]
    tables: list[list[int]] = []
    for size in field.tables:
        tables.append(seated[:size])
        seated = seated[size:]
    return [*tables, resting] if resting else tables
