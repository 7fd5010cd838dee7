"""Repair a round, with few changed tables, after a correction, a no-show or a late entry."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tourney.pairing.facts import is_or_are
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
    pair_text,
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
    locked_tables: Collection[int],
    seed: str,
    corrected_players: Collection[PlayerId] = (),
    name: NameOf = number_of,
) -> Repaired:
    """Return the round with the fewest changed tables and no avoidable rematch or second bye.

    Of the rounds with equally few changed tables, it is the one with the least cost.

    If results were corrected (`corrected_players`), the old tables were paired with wrong points. Then the
    function returns the best round instead, and of equally good rounds the one with the fewest changed
    tables.

    entrants:          the players in the round now, including late players without a table, but not players
                       who left
    tables, bye:       the round as recorded
    locked_tables:     numbers of the tables that must be kept (those with a result); their players need not
                       be entrants
    corrected_players: players whose results were corrected since the round was paired

    Tables that are kept have the same number and seats. Raises TourneyError if no complete round is possible.
    """
    finished_tables = [table for table in tables if table.number in locked_tables]
    finished_players = {player for table in finished_tables for player in table.seats}
    free_entrants = [entrant for entrant in entrants if entrant.id not in finished_players]
    free_options = _options_without(options, finished_players)
    refuse_contradictions(free_entrants, free_options, name, least=0)
    field = prepare(free_entrants, free_options)
    open_tables = [table for table in tables if table.number not in locked_tables]
    old_pairs = [_pair(table) for table in open_tables] + ([] if bye is None else [(bye, NOBODY)])
    seed_hash = SeedHash(seed)
    solution = _solve(
        field, old_pairs, seed_hash, [player for player in corrected_players if player in field.points]
    )
    if solution is None:
        refuse_impossible(field, name)
    pairs = [seats_of(field, pair) for pair in (*field.forced_pairs, *solution.pairs)]
    new_round = _NewRound(field, finished_tables, open_tables, pairs, seed_hash)
    pairing = Pairing(
        tables=tuple(new_round.tables()),
        byes=() if new_round.bye is None else (new_round.bye,),
        cost=_cost(entrants, options, new_round),
        proof=_proof(solution, around=bool(finished_tables)),
        seed=seed,
        method="repair",
    )
    before, after = _by_number(tables), _by_number(pairing.tables)
    reasons = [*_reasons(field, open_tables, name), *_bye_reasons(field, bye, new_round.bye, name)]
    return Repaired(
        pairing=pairing,
        kept_numbers=tuple(number for number, seats in after.items() if before.get(number) == seats),
        changed_numbers=tuple(number for number, seats in after.items() if before.get(number) != seats),
        removed_numbers=tuple(sorted(before.keys() - after.keys())),
        is_fewest=solution.is_fewest,
        reasons=tuple(reasons),
    )


def _proof(solution: _Solution, *, around: bool) -> str:
    if solution.is_cheapest:
        return REPAIRED_AROUND if around else REPAIRED_BEST
    return REPAIRED if solution.is_fewest else REPAIRED_UNPROVED


class _NewRound(Struct, frozen=True):
    """The new round that `repair` returns, before its tables are numbered.

    finished_tables: the tables of the old round that must be kept
    open_tables:     the other tables of the old round
    pairs:           the pairs of the new round, except those at finished tables; includes the bye as a pair
    """

    field: Field
    finished_tables: Sequence[Table]
    open_tables: Sequence[Table]
    pairs: Sequence[Pair]
    seed_hash: SeedHash

    @property
    def bye(self) -> PlayerId | None:
        return next((one for one, other in self.pairs if other == NOBODY), None)

    def tables(self) -> list[Table]:
        """Return all tables. New tables get the numbers that became free, the lowest first."""
        pairs = {frozenset(pair) for pair in self.pairs}
        staying_tables = [table for table in self.open_tables if frozenset(table.seats) in pairs]
        staying_pairs = {frozenset(table.seats) for table in staying_tables}
        fresh_pairs = [
            pair for pair in self.pairs if NOBODY not in pair and frozenset(pair) not in staying_pairs
        ]
        kept_tables = [*self.finished_tables, *staying_tables]
        new_tables, _ = seat(self.field, fresh_pairs, self.seed_hash)
        wishes = [fixed_table_of(self.field, _pair(table)) for table in new_tables]
        first, used_numbers = self.field.options.first_table, {table.number for table in kept_tables}
        numbered_tables = number_tables([table.seats for table in new_tables], wishes, first, used_numbers)
        return sorted([*kept_tables, *numbered_tables], key=lambda table: table.number)


def _pair(table: Table) -> Pair:
    return (table.seats[0], table.seats[1])


def _options_without(options: Options, players: Collection[PlayerId]) -> Options:
    """Return the options without the forced pairs and byes of players at finished tables."""
    forced_pairs = tuple(pair for pair in options.forced if not set(pair) & set(players))
    bye = None if options.forced_bye in players else options.forced_bye
    return replace(options, forced=forced_pairs, forced_bye=bye)


def _by_number(tables: Sequence[Table]) -> dict[int, frozenset[PlayerId]]:
    return {table.number: frozenset(table.seats) for table in sorted(tables, key=lambda table: table.number)}


def _cost(entrants: Entrants, options: Options, new_round: _NewRound) -> Cost:
    """Return the cost of the whole repaired round, including its finished tables and its bye.

    A finished table is left out if one of its players is not in `entrants`, such as a player who left.
    """
    field = prepare(entrants, options)
    finished_pairs = [
        _pair(table)
        for table in new_round.finished_tables
        if all(player in field.points for player in table.seats)
    ]
    return cost_of(field, [seats_of(field, pair) for pair in (*finished_pairs, *new_round.pairs)])


def _reasons(field: Field, tables: Sequence[Table], name: NameOf) -> Iterator[Reason]:
    """Yield, for each old table that cannot be kept, the reason."""
    for table in tables:
        one, other = table.seats
        absent_players = [player for player in table.seats if player not in field.points]
        if absent_players:
            names = " and ".join(map(name, absent_players))
            text = f"table {table.number}: {names} {is_or_are(absent_players)} no longer in the round"
            yield Reason(
                what="gone", text=text, players=tuple(absent_players), numbers={"table": table.number}
            )
        elif not field.is_allowed(one, other):
            text = f"table {table.number}: {pair_text((one, other), name)} are kept apart by the organizer"
            yield Reason(what="forbidden", text=text, players=table.seats, numbers={"table": table.number})
        elif not field.may_meet(one, other):
            text = f"table {table.number}: {pair_text((one, other), name)} have met before"
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
        byes_text = "none yet" if not earlier else "one already" if earlier == 1 else f"{earlier} already"
        instead = "" if before is None else f" instead of {name(before)}"
        text = f"{name(after)} has the bye{instead} (earlier byes: {byes_text})"
        yield Reason(what="bye", text=text, players=(after,), numbers={"earlier_byes": earlier})


# -- the fewest changed tables: the old tables that are kept
#
# The levels are: rematches, times met, earlier byes of the player with the bye; then the number of new tables
# (a new bye counts as one); then the other levels as in any round. Players are *loose* if they have no old
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

    pairs:       the tables; the bye is a pair with `NOBODY`
    is_fewest:   whether it is proved that a round with fewer changed tables would need more rematches or give
                 the bye to a player with more earlier byes
    is_cheapest: whether it is proved that no round costs less (`Cost`), and that no round with the same cost
                 has fewer changed tables
    """

    pairs: list[Pair]
    is_fewest: bool
    is_cheapest: bool = False


def _solve(
    field: Field, old_pairs: Sequence[Pair], seed_hash: SeedHash, corrected_players: Collection[PlayerId] = ()
) -> _Solution | None:
    """Return the round that changes the fewest old tables; None if there is no complete round.

    Avoiding rematches and repeated byes is more important than keeping old tables.

    old_pairs:         the old tables, the bye last; tables with absent or forced players are ignored
    corrected_players: players with corrected results. If there are any, the best round is returned, and the
                       number of changes decides only between equally good rounds. If more than `_MOST_FREE`
                       players are free, that would take too long: then the players at the tables of
                       `corrected_players` are paired anew, other players only if necessary, and neither the
                       fewest changes nor the best round is proved
    """
    usable_pairs = [seats_of(field, table) for table in old_pairs if _is_usable(field, table)]
    if corrected_players and len(field.free) <= _MOST_FREE:
        pairs = _cheapest_round(field, candidates(field), usable_pairs, seed_hash, set(), changes_last=True)
        return None if pairs is None else _Solution(pairs, is_fewest=False, is_cheapest=True)
    usable_pairs = [table for table in usable_pairs if not set(table) & set(corrected_players)]
    loosening = _Loosening(field, usable_pairs)
    openable = loosening.nearest_pairs(_MOST_FREE // 2) if loosening.least_opened else []
    kept_pairs = set(loosening.staying_pairs) - set(openable)
    pairs = _cheapest_round(field, loosening.tables(openable), usable_pairs, seed_hash, kept_pairs)
    if pairs is not None and len(set(loosening.staying_pairs) - set(pairs)) == loosening.least_opened:
        return _Solution(pairs, is_fewest=not corrected_players)
    if len(field.free) > _MOST_FREE and pairs is not None:
        return _Solution(pairs, is_fewest=False)
    pairs = _cheapest_round(field, candidates(field), usable_pairs, seed_hash, set())
    return None if pairs is None else _Solution(pairs, is_fewest=not corrected_players)


def _is_usable(field: Field, table: Pair) -> bool:
    """Return whether all players of an old table or bye are free to be paired again.

    A player is free if the player is in the new round, but not in a forced pair. For a bye, the number of
    free players must also be odd. Conflicts between the players of a table are not checked here.
    """
    forced_players = {player for pair in field.forced_pairs for player in pair}
    players = [player for player in table if player != NOBODY]
    return all(player in field.points and player not in forced_players for player in players) and (
        len(players) == 2 or field.is_odd
    )


class _Loosening:
    """The tables of the old round that may be kept, and the players who need another table.

    The bye counts as a table of its player and `NOBODY`.

    takers:        the players who may have the bye: those with the fewest earlier byes
    staying_pairs: the old tables that may be kept
    loose_players: the players who are not at a table in `staying_pairs`. `NOBODY` is one of them if the bye
                   must get a new player
    least_opened:  at least this many tables in `staying_pairs` must be broken up, so that their players get
                   other opponents
    """

    def __init__(self, field: Field, usable_pairs: Sequence[Pair]) -> None:
        self.field = field
        least = min(map(field.earlier_byes, field.bye_takers), default=0)
        self.takers = {player for player in field.bye_takers if field.earlier_byes(player) == least}
        self.staying_pairs = [table for table in usable_pairs if self.may_meet(*table)]
        staying_players = {player for table in self.staying_pairs for player in table}
        self.loose_players = [player for player in vertices(field) if player not in staying_players]
        self.least_opened = deficiency(self.loose_players, self.may_meet) // 2

    def may_meet(self, one: PlayerId, other: PlayerId) -> bool:
        """Return whether two players can meet without a conflict.

        If one of them is the bye, return whether the other may have it.
        """
        if NOBODY in {one, other}:
            return max(one, other) in self.takers
        return self.field.may_meet(one, other)

    def nearest_pairs(self, most: int) -> list[Pair]:
        """Return the tables in `staying_pairs` nearest in points to the loose players.

        The distance of a table is the least point difference between a player at the table and a player in
        `loose_players`.

        most: the maximum number of tables to return
        """
        points = self.field.points
        scores = sorted({points[player] for player in self.loose_players if player != NOBODY}) or [0]

        def distance(table: Pair) -> tuple[int, Pair]:
            return min(
                abs(points[player] - score) for player in table if player != NOBODY for score in scores
            ), table

        pairs = self.staying_pairs
        return pairs if len(pairs) <= most else sorted(pairs, key=distance)[:most]

    def tables(self, openable: Sequence[Pair]) -> list[Pair]:
        """Return the tables that are allowed in the part of the round that may change.

        These are the tables in `openable`, and the possible new tables. At a new table, a player without an
        old table (`loose_players`) meets another such player, or a player of a table in `openable`.

        openable: the old tables whose players may get other opponents; all other old tables stay
        """
        return [*openable, *(seats_of(self.field, pair) for pair in self._new_pairs(openable))]

    def _new_pairs(self, openable: Sequence[Pair]) -> Iterator[Pair]:
        openable_players = [player for table in openable for player in table]
        for number, one in enumerate(self.loose_players):
            for other in (*self.loose_players[number + 1 :], *openable_players):
                if self.may_meet(one, other):
                    yield one, other


def _cheapest_round(
    field: Field,
    tables: Sequence[Pair],
    usable_pairs: Sequence[Pair],
    seed_hash: SeedHash,
    kept_pairs: set[Pair],
    *,
    changes_last: bool = False,
) -> list[Pair] | None:
    """Return the best round that has all tables in `kept_pairs`.

    The other tables are chosen from `tables`. Returns None if there is no such round.

    usable_pairs: the tables of the old round that are still possible; all other tables count as changes
    changes_last: If true, the number of changes decides only between rounds of equal cost. If false, it is
                  less important than rematches and earlier byes, but more important than all other costs
    """
    kept_players = {player for table in kept_pairs for player in table}
    players = [player for player in vertices(field) if player not in kept_players]
    old_tables = set(usable_pairs)
    levels = {**conflict_columns(field, tables), **columns(field, tables)}
    upper_columns = [levels.pop(level) for level in ("rematches", "times_met", "bye_earlier")]
    change_column = [table not in old_tables for table in tables]
    lower_columns = [*levels.values(), change_column] if changes_last else [change_column, *levels.values()]
    pairs = best_round(players, tables, [*upper_columns, *lower_columns, seed_hash.of_pairs(tables)])
    return None if pairs is None else [*pairs, *kept_pairs]
