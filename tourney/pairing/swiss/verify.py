"""Verify a recorded round: legal, optimal, the same tables; three things apart."""

from __future__ import annotations

from collections.abc import Sequence

from tourney.finding import Severity
from tourney.pairing.answers import Verdict
from tourney.pairing.entrant import NOBODY, Entrant, NameOf, number_of
from tourney.pairing.options import Options, Pair
from tourney.pairing.pairing import Cost, upper_levels
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
    name: NameOf = number_of,
) -> Verdict:
    """Return whether a round is legal, whether it is as good as the best one, and whether it is the seed's.

    A round that seats somebody twice, or not at all, has no cost; it is neither legal nor optimal nor the same. Raises
    TourneyError where the entrants and options allow no round at all.
    """
    best = pair(entrants, options, seed, name=name)
    findings = check(entrants, options, tables, bye, best=best, name=name)
    errors = {each.rule for each in findings if each.severity is Severity.ERROR}
    if errors & {"seated-twice", "not-seated", "not-in-round", "table-size"}:
        return Verdict(legal=False, optimal=False, same=False, cost=None, best=best.cost)
    field = prepare(entrants, options)
    pairs: list[Pair] = [seats_of(field, (table.seats[0], table.seats[1])) for table in tables]
    cost = cost_of(field, pairs + ([] if bye is None else [(bye, NOBODY)]))
    recorded = {(table.number, table.seats) for table in tables}
    return Verdict(
        legal=not errors,
        optimal=not errors and _up_to(best.exact_levels, cost) == _up_to(best.exact_levels, best.cost),
        same=bye == best.bye and recorded == {(table.number, table.seats) for table in best.tables},
        cost=cost,
        best=best.cost,
    )


def _up_to(exact_levels: int, cost: Cost) -> tuple[int, ...]:
    """Return the levels that the engine answers for: all, or those down to the point differences."""
    return tuple(cost.as_dict().values()) if exact_levels == 7 else upper_levels(cost)
