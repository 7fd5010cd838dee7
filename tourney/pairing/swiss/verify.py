"""Verify a recorded round: legal, optimal, the same tables; three things apart."""

from __future__ import annotations

from collections.abc import Sequence

from tourney.finding import Severity
from tourney.pairing.answers import Verdict
from tourney.pairing.entrant import NOBODY, Entrant, NameOf, number_of
from tourney.pairing.options import Options, Pair
from tourney.pairing.pairing import Cost, Pairing, upper_levels
from tourney.pairing.swiss.check import check
from tourney.pairing.swiss.engine import pair
from tourney.pairing.swiss.field import prepare, seats_of
from tourney.pairing.swiss.levels import cost_of
from tourney.record import PlayerId, Table


def verify(
    entrants: Sequence[Entrant],
    options: Options,
    tables: Sequence[Table],
    bye: PlayerId | None,
    seed: str,
    *,
    best: Pairing | None = None,
    name: NameOf = number_of,
) -> Verdict:
    """Return whether a round is legal, whether it is as good as the best one, and whether it is the seed's.

    best: the engine's round for this seed, where the caller has it; else it is made

    A round that seats somebody twice, or not at all, has no cost; it is neither legal nor optimal nor the same. Raises
    TourneyError where the entrants and options allow no round at all.
    """
    best = best or pair(entrants, options, seed, name=name)
    findings = check(entrants, options, tables, bye, best=best, name=name)
    errors = {each.rule for each in findings if each.severity is Severity.ERROR}
    if errors & {"seated-twice", "not-seated", "not-in-round", "table-size"}:
        return Verdict(legal=False, optimal=False, same=False, cost=None, best=best.cost)
    cost = price(entrants, options, tables, () if bye is None else (bye,))
    recorded = {(table.number, table.seats) for table in tables}
    return Verdict(
        legal=not errors,
        optimal=not errors and _up_to(best.exact_levels, cost) == _up_to(best.exact_levels, best.cost),
        same=bye == best.bye and recorded == {(table.number, table.seats) for table in best.tables},
        cost=cost,
        best=best.cost,
    )


def price(
    entrants: Sequence[Entrant], options: Options, tables: Sequence[Table], byes: Sequence[PlayerId]
) -> Cost:
    """Return what a round costs as it stands: what anybody can recompute from its tables, without an engine.

    Tables count whose two players are both entrants; in a round that is mended, one may have left after playing.
    """
    field = prepare(entrants, options)
    pairs: list[Pair] = [
        seats_of(field, (table.seats[0], table.seats[1]))
        for table in tables
        if len(table.seats) == 2 and field.entrants.keys() >= set(table.seats)
    ]
    return cost_of(field, pairs + [(player, NOBODY) for player in byes if player in field.entrants])


def _up_to(exact_levels: int, cost: Cost) -> tuple[int, ...]:
    """Return the levels that the engine answers for: all, or those down to the point differences."""
    return tuple(cost.as_dict().values()) if exact_levels == 7 else upper_levels(cost)
