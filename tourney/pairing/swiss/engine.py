"""Pair a round of card-game Swiss."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tourney.pairing.entrant import Entrant, NameOf, number_of
from tourney.pairing.options import Options
from tourney.pairing.pairing import MEETS_BOUND, PROVED_BY_SEARCH, Cost, Pairing, upper_levels, within
from tourney.pairing.swiss.contradictions import refuse_contradictions
from tourney.pairing.swiss.field import Field, prepare, seats_of
from tourney.pairing.swiss.impossible import refuse_impossible, refuse_rematches
from tourney.pairing.swiss.levels import cost_of
from tourney.pairing.swiss.seating import seat
from tourney.pairing.swiss.solution import Solution, solve
from tourney.pairing.swiss.words import Words


def pair(entrants: Sequence[Entrant], options: Options, seed: str, *, name: NameOf = number_of) -> Pairing:
    """Return the round that is best by the levels of PAIRING §1, each level fixed before the next.

    The same entrants (in any order), options and seed give the same round on every machine.
    `name` says how messages call a player. Raises TourneyError where the input contradicts itself or leaves no complete
    round, with the reason and the least that would make one possible.
    """
    refuse_contradictions(entrants, options, name)
    return best_of(prepare(entrants, options), seed, name)


def best_of(field: Field, seed: str, name: NameOf) -> Pairing:
    """Return the best round of a field that has passed `contradictions`; the pairs fixed in it are part of the round."""
    words = Words(seed)
    solution = solve(field, words)
    if solution is None:
        refuse_impossible(field, name)
    paired = replace(_finished(field, solution, words), seed=seed)
    if not field.options.allow_rematches and solution.rematches:
        refuse_rematches(field, paired, name)
    return paired


def _finished(field: Field, solution: Solution, words: Words) -> Pairing:
    every = [seats_of(field, each) for each in (*field.forced, *solution.pairs)]
    tables, byes = seat(field, every, words)
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
    """Return what no round undercuts, the fixed cost of forced tables included; 0 on the levels that are only searched.

    Where a conflict is needed, each rematch is at least one earlier meeting, and nobody better than the best class has the
    bye; the point differences have no bound then.
    """
    forced = cost_of(field, [seats_of(field, each) for each in field.forced])
    best_class = field.bye_classes[0][0] if field.odd else None
    conflicts = solution.rematches > 0
    return Cost(
        rematches=forced.rematches + solution.rematches,
        times_met=forced.times_met + solution.rematches,
        bye_earlier=field.earlier_byes(best_class)
        if conflicts and best_class is not None
        else cost.bye_earlier,
        bye_points=field.points[best_class] if conflicts and best_class is not None else cost.bye_points,
        differences=forced.differences + solution.total,
    )


def _proof(solution: Solution, cost: Cost, bound: Cost) -> str:
    if upper_levels(cost) == upper_levels(bound):
        return MEETS_BOUND
    return PROVED_BY_SEARCH if solution.exact_levels else within(cost.differences - bound.differences)
