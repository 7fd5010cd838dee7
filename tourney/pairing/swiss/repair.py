"""Repair a round, with few changed tables, after a correction, a no-show or a late entry."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tourney.pairing.pairing import (
    REPAIRED,
    REPAIRED_AROUND,
    REPAIRED_BEST,
    REPAIRED_UNPROVED,
    Cost,
    Entrants,
    Options,
    Pair,
    Pairing,
    Reason,
    Repaired,
    SeedHash,
    number_of,
    number_tables,
)
from tourney.pairing.swiss.engine import fixed_table_of, refuse_impossible, seat
from tourney.pairing.swiss.field import Field, prepare, refuse_contradictions, seats_of
from tourney.pairing.swiss.levels import best_round, candidates, columns, conflict_columns, cost_of, vertices
from tourney.pairing.swiss.matching import deficiency
from tourney.record import NOBODY, NameOf, PlayerId, Table


def repair(
    entrants: Entrants,
    options: Options,
    tables: Sequence[Table],
    bye: PlayerId | None,
    *,
    locked: Collection[int],
    seed: str,
    moved: Collection[PlayerId] = (),
    name: NameOf = number_of,
) -> Repaired:
    """Return the round with the fewest changed tables and no avoidable rematch or second bye.

    Of the rounds with equally few changed tables, it is the one with the least cost.

    If results were corrected (`moved`), the old tables were paired with wrong points. Then the function
    returns the best round instead, and of equally good rounds the one with the fewest changed tables.

    entrants: the players in the round now, including late players without a table, but not players who left
    tables, bye: the round as recorded
    locked: numbers of the tables that must be kept (those with a result); their players need not be entrants
    moved:  players whose results were corrected since the round was paired

    Tables that are kept have the same number and seats. Raises TourneyError if no complete round is possible.
    """
    finished = [table for table in tables if table.number in locked]
    at_finished = {player for table in finished for player in table.seats}
    free = [entrant for entrant in entrants if entrant.id not in at_finished]
    freed = _options_for(options, at_finished)
    refuse_contradictions(free, freed, name, least=0)
    field = prepare(free, freed)
    open_tables = [table for table in tables if table.number not in locked]
    old = [_pair(table) for table in open_tables] + ([] if bye is None else [(bye, NOBODY)])
    seed_hash = SeedHash(seed)
    solution = _solve(field, old, seed_hash, [player for player in moved if player in field.points])
    if solution is None:
        refuse_impossible(field, name)
    every = [seats_of(field, pair) for pair in (*field.forced, *solution.pairs)]
    seated = _Seated(field, finished, open_tables, every, seed_hash)
    paired = Pairing(
        tables=tuple(seated.tables()),
        byes=() if seated.bye is None else (seated.bye,),
        cost=_cost(entrants, options, seated),
        proof=_proof(solution, around=bool(finished)),
        seed=seed,
        method="repair",
    )
    before, after = _by_number(tables), _by_number(paired.tables)
    reasons = [*_reasons(field, open_tables, name), *_bye_reasons(field, bye, seated.bye, name)]
    return Repaired(
        pairing=paired,
        kept=tuple(number for number, seats in after.items() if before.get(number) == seats),
        changed=tuple(number for number, seats in after.items() if before.get(number) != seats),
        removed=tuple(sorted(before.keys() - after.keys())),
        fewest=solution.fewest,
        reasons=tuple(reasons),
    )


def _proof(solution: _Solution, *, around: bool) -> str:
    if solution.cheapest:
        return REPAIRED_AROUND if around else REPAIRED_BEST
    return REPAIRED if solution.fewest else REPAIRED_UNPROVED


class _Seated(Struct, frozen=True):
    """The new round that `repair` returns, before its tables are numbered.

    finished:    the tables of the old round that must be kept
    open_tables: the other tables of the old round
    pairs:       the pairs of the new round, except those at finished tables; includes the bye as a pair
    """

    field: Field
    finished: Sequence[Table]
    open_tables: Sequence[Table]
    pairs: Sequence[Pair]
    seed_hash: SeedHash

    @property
    def bye(self) -> PlayerId | None:
        return next((one for one, other in self.pairs if other == NOBODY), None)

    def tables(self) -> list[Table]:
        """Return all tables. New tables get the numbers that became free, the lowest first."""
        pairs = {frozenset(pair) for pair in self.pairs}
        staying = [table for table in self.open_tables if frozenset(table.seats) in pairs]
        stayed = {frozenset(table.seats) for table in staying}
        fresh = [pair for pair in self.pairs if NOBODY not in pair and frozenset(pair) not in stayed]
        kept = [*self.finished, *staying]
        new, _ = seat(self.field, fresh, self.seed_hash)
        wishes = [fixed_table_of(self.field, _pair(table)) for table in new]
        first, used = self.field.options.first_table, {table.number for table in kept}
        numbered = number_tables([table.seats for table in new], wishes, first, used)
        return sorted([*kept, *numbered], key=lambda table: table.number)


def _pair(table: Table) -> Pair:
    return (table.seats[0], table.seats[1])


def _options_for(options: Options, finished: Collection[PlayerId]) -> Options:
    """Return the options without the forced pairs and byes of players at finished tables."""
    forced = tuple(pair for pair in options.forced if not set(pair) & set(finished))
    bye = None if options.forced_bye in finished else options.forced_bye
    return replace(options, forced=forced, forced_bye=bye)


def _by_number(tables: Sequence[Table]) -> dict[int, frozenset[PlayerId]]:
    return {table.number: frozenset(table.seats) for table in sorted(tables, key=lambda table: table.number)}


def _cost(entrants: Entrants, options: Options, seated: _Seated) -> Cost:
    """Return the cost of the whole repaired round, including its finished tables and its bye.

    A finished table is left out if one of its players is not in `entrants`, such as a player who left.
    """
    field = prepare(entrants, options)
    finished = [
        _pair(table) for table in seated.finished if all(player in field.points for player in table.seats)
    ]
    return cost_of(field, [seats_of(field, pair) for pair in (*finished, *seated.pairs)])


def _reasons(field: Field, tables: Sequence[Table], name: NameOf) -> Iterator[Reason]:
    """Yield, for each old table that cannot be kept, the reason."""
    for table in tables:
        one, other = table.seats
        left = [player for player in table.seats if player not in field.points]
        if left:
            names = " and ".join(name(player) for player in left)
            text = f"table {table.number}: {names} {'is' if len(left) == 1 else 'are'} no longer in the round"
            yield Reason(what="gone", text=text, players=tuple(left), numbers={"table": table.number})
        elif not field.allowed(one, other):
            text = f"table {table.number}: {name(one)}–{name(other)} are kept apart by the organizer"
            yield Reason(what="forbidden", text=text, players=table.seats, numbers={"table": table.number})
        elif not field.unmet(one, other):
            text = f"table {table.number}: {name(one)}–{name(other)} have met before"
            yield Reason(what="rematch", text=text, players=table.seats, numbers={"table": table.number})


def _bye_reasons(
    field: Field, before: PlayerId | None, after: PlayerId | None, name: NameOf
) -> Iterator[Reason]:
    if before == after:
        return
    if before is not None and after is None:
        text = f"{name(before)} no longer has the bye: the number of players is even"
        yield Reason(what="bye", text=text, players=(before,))
    elif after is not None:
        earlier = field.earlier_byes(after)
        had = "none yet" if not earlier else "one already" if earlier == 1 else f"{earlier} already"
        rest = "" if before is None else f" instead of {name(before)}"
        text = f"{name(after)} has the bye{rest} (earlier byes: {had})"
        yield Reason(what="bye", text=text, players=(after,), numbers={"earlier_byes": earlier})


# -- the fewest changed tables: the old tables that are kept
#
# The levels are: rematches, times met, earlier byes of the player with the bye; then the number of new tables
# (a new bye counts as one); then the other levels as in any round. Players are `loose` if they have no old
# table that may be kept; the bye can be one of them. To *open* an old table is to give its two players other
# opponents. If at least d loose players are left over when loose players are paired with each other, at least
# d / 2 old tables must be opened, because an opened table gives two partners. If a round opens exactly that
# many, both players of each opened table meet a loose player. So every best round consists of tables of two
# loose players, tables of a loose player and a player from an opened table, and old tables.


_MOST_FREE = 600
"""The maximum number of free players for which every old table may be opened.

To open a table is to give its players other opponents. If there are more players, only the tables nearest in
points to the players without a table may be opened.
"""


class _Solution(Struct, frozen=True):
    """The free players' tables after a repair.

    pairs:    the tables; the bye is a pair with `NOBODY`
    fewest:   whether it is proved that a round with fewer changed tables would need more rematches or give
              the bye to a player with more earlier byes
    cheapest: whether it is proved that no round costs less (`Cost`), and that no round with the same cost has
              fewer changed tables
    """

    pairs: list[Pair]
    fewest: bool
    cheapest: bool = False


def _solve(
    field: Field, old: Sequence[Pair], seed_hash: SeedHash, moved: Collection[PlayerId] = ()
) -> _Solution | None:
    """Return the round that changes the fewest old tables; None if there is no complete round.

    Avoiding rematches and repeated byes is more important than keeping old tables.

    old:   the old tables, the bye last; tables with absent or forced players are ignored
    moved: players with corrected results. If there are any, the best round is returned, and the number of
           changes decides only between equally good rounds. If more than `_MOST_FREE` players are free, that
           would take too long: then the players at the tables of `moved` are paired anew, other players only
           if necessary, and neither the fewest changes nor the best round is proved
    """
    standing = [seats_of(field, table) for table in old if _is_standing(field, table)]
    if moved and len(field.free) <= _MOST_FREE:
        pairs = _cheapest(field, candidates(field), standing, seed_hash, set(), changes_last=True)
        return None if pairs is None else _Solution(pairs, fewest=False, cheapest=True)
    standing = [table for table in standing if not set(table) & set(moved)]
    loosening = _Loosening(field, standing)
    openable = loosening.nearest(_MOST_FREE // 2) if loosening.least_opened else []
    untouched = set(loosening.staying) - set(openable)
    pairs = _cheapest(field, loosening.tables(openable), standing, seed_hash, untouched)
    if (
        pairs is not None
        and len(loosening.staying) - len(set(loosening.staying) & set(pairs)) == loosening.least_opened
    ):
        return _Solution(pairs, fewest=not moved)
    if len(field.free) > _MOST_FREE and pairs is not None:
        return _Solution(pairs, fewest=False)
    pairs = _cheapest(field, candidates(field), standing, seed_hash, set())
    return None if pairs is None else _Solution(pairs, fewest=not moved)


def _is_standing(field: Field, table: Pair) -> bool:
    """Return whether all players of an old table or bye are free to be paired again.

    A player is free if the player is in the new round, but not in a forced pair. For a bye, the number of
    free players must also be odd. Conflicts between the players of a table are not checked here.
    """
    forced = {player for pair in field.forced for player in pair}
    players = [player for player in table if player != NOBODY]
    return all(player in field.points and player not in forced for player in players) and (
        len(players) == 2 or field.odd
    )


class _Loosening:
    """The tables of the old round that may be kept, and the players who need another table.

    The bye counts as a table of its player and `NOBODY`.

    takers:       the players who may have the bye: those with the fewest earlier byes
    staying:      the old tables that may be kept
    loose:        the players who are not at a table in `staying`. `NOBODY` is one of them if the bye must get
                  a new player
    least_opened: at least this many tables in `staying` must be broken up, so that their players get other
                  opponents
    """

    def __init__(self, field: Field, standing: Sequence[Pair]) -> None:
        self.field = field
        least = min(map(field.earlier_byes, field.bye_takers), default=0)
        self.takers = {player for player in field.bye_takers if field.earlier_byes(player) == least}
        self.staying = [table for table in standing if self.may_meet(*table)]
        seated = {player for table in self.staying for player in table}
        self.loose = [player for player in vertices(field) if player not in seated]
        self.least_opened = deficiency(self.loose, self.may_meet) // 2

    def may_meet(self, one: PlayerId, other: PlayerId) -> bool:
        """Return whether two players can meet without a conflict.

        If one of them is the bye, return whether the other may have it.
        """
        if NOBODY in {one, other}:
            return max(one, other) in self.takers
        return self.field.unmet(one, other)

    def nearest(self, most: int) -> list[Pair]:
        """Return the tables in `staying` that are nearest in points to the players in `loose`.

        The distance of a table is the least point difference between a player at the table and a player in
        `loose`.

        most: the maximum number of tables to return
        """
        points = self.field.points
        scores = sorted({points[player] for player in self.loose if player != NOBODY}) or [0]

        def distance(table: Pair) -> tuple[int, Pair]:
            return min(
                abs(points[player] - score) for player in table if player != NOBODY for score in scores
            ), table

        return self.staying if len(self.staying) <= most else sorted(self.staying, key=distance)[:most]

    def tables(self, openable: Sequence[Pair]) -> list[Pair]:
        """Return the tables that are allowed in the part of the round that may change.

        These are the tables in `openable`, and the possible new tables. At a new table, a player without an
        old table (`loose`) meets another such player, or a player of a table in `openable`.

        openable: the old tables whose players may get other opponents; all other old tables stay
        """
        return [*openable, *(seats_of(self.field, pair) for pair in self._new(openable))]

    def _new(self, openable: Sequence[Pair]) -> Iterator[Pair]:
        seated = [player for table in openable for player in table]
        for number, one in enumerate(self.loose):
            for other in (*self.loose[number + 1 :], *seated):
                if self.may_meet(one, other):
                    yield one, other


def _cheapest(
    field: Field,
    tables: Sequence[Pair],
    standing: Sequence[Pair],
    seed_hash: SeedHash,
    untouched: set[Pair],
    *,
    changes_last: bool = False,
) -> list[Pair] | None:
    """Return the best round that has all tables in `untouched`.

    The other tables are chosen from `tables`. Returns None if there is no such round.

    standing:     the tables of the old round that are still possible; all other tables count as changes
    changes_last: If true, the number of changes decides only between rounds of equal cost. If false, it is
                  less important than rematches and earlier byes, but more important than all other costs
    """
    sitting = {player for table in untouched for player in table}
    players = [player for player in vertices(field) if player not in sitting]
    unchanged = set(standing)
    levels = {**conflict_columns(field, tables), **columns(field, tables)}
    above = [levels.pop(level) for level in ("rematches", "times_met", "bye_earlier")]
    changed = [table not in unchanged for table in tables]
    below = [*levels.values(), changed] if changes_last else [changed, *levels.values()]
    pairs = best_round(players, tables, [*above, *below, seed_hash.of_pairs(tables)])
    return None if pairs is None else [*pairs, *untouched]
