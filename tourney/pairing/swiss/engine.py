"""Pair a round of card-game Swiss."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tourney.pairing.entrant import Entrant, NameOf, number_of
from tourney.pairing.options import Options, Pair
from tourney.pairing.pairing import MEETS_BOUND, PROVED_BY_SEARCH, Cost, Pairing
from tourney.pairing.swiss.bye import bye_class
from tourney.pairing.swiss.contradictions import refuse_contradictions
from tourney.pairing.swiss.field import Field, prepare, seats_of
from tourney.pairing.swiss.impossible import refuse_impossible, refuse_rematches
from tourney.pairing.swiss.levels import cost_of
from tourney.pairing.swiss.search import solve_window
from tourney.pairing.swiss.seating import seat
from tourney.pairing.swiss.whole import solve_whole
from tourney.pairing.swiss.window import whole_field


def pair(entrants: Sequence[Entrant], options: Options, seed: str, *, name: NameOf = number_of) -> Pairing:
    """Return the round that is best by the levels of PAIRING §1, each level fixed before the next.

    The same entrants (in any order), options and seed give the same round on every machine.
    `name` says how messages call a player. Raises TourneyError where the input contradicts itself or leaves no complete
    round, with the reason and the least that would make one possible.
    """
    refuse_contradictions(entrants, options, name)
    field = prepare(entrants, options)
    solution = solve(field, seed)
    if solution is None:
        refuse_impossible(field, name)
    paired = _finished(field, solution, seed)
    if not options.allow_rematches and solution.total is None:
        refuse_rematches(field, paired, name)
    return paired


@dataclass(frozen=True)
class Solution:
    """The free players' tables (the bye last in its own), and what is proved of them.

    total: the lower bound of the tables' point differences, forced tables not counted; None where conflicts remain
    """

    pairs: list[Pair]
    total: int | None
    method: str


def solve(field: Field, seed: str) -> Solution | None:
    """Return the best round of a field, or None if the organizer's pairs leave no complete one."""
    bye = bye_class(field)
    if bye is not None:
        solved = solve_window(whole_field(field, bye), seed, 2 * field.most_barred + 4)
        if solved is not None:
            return Solution(solved.pairs, solved.bound.total, "whole")
    pairs = solve_whole(field, seed)
    return None if pairs is None else Solution(pairs, None, "saturated")


def _finished(field: Field, solution: Solution, seed: str) -> Pairing:
    every = [seats_of(field, each) for each in (*field.forced, *solution.pairs)]
    tables, byes = seat(field, every, seed)
    cost = cost_of(field, every)
    forced = cost_of(field, [seats_of(field, each) for each in field.forced])
    bound = Cost(
        rematches=forced.rematches,
        times_met=forced.times_met,
        bye_earlier=cost.bye_earlier,
        bye_points=cost.bye_points,
        differences=forced.differences + (solution.total or 0),
    )
    levels_1_to_3 = ("rematches", "times_met", "bye_earlier", "bye_points", "differences")
    met = all(getattr(cost, level) == getattr(bound, level) for level in levels_1_to_3)
    return Pairing(
        tables=tables,
        byes=byes,
        cost=cost,
        bound=bound,
        proof=MEETS_BOUND if met else PROVED_BY_SEARCH,
        seed=seed,
        method=solution.method,
        exact_levels=7,
    )
