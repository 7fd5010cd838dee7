"""Pair a round of card-game Swiss."""

from __future__ import annotations

from collections.abc import Sequence

from tourney.pairing.entrant import Entrant, NameOf, number_of
from tourney.pairing.options import Options, Pair
from tourney.pairing.pairing import PROVED_BY_SEARCH, Cost, Pairing
from tourney.pairing.swiss.contradictions import refuse_contradictions
from tourney.pairing.swiss.field import Field, prepare, seats_of
from tourney.pairing.swiss.levels import cost_of
from tourney.pairing.swiss.seating import seat
from tourney.pairing.swiss.whole import solve_whole


def pair(entrants: Sequence[Entrant], options: Options, seed: str, *, name: NameOf = number_of) -> Pairing:
    """Return the round that is best by the levels of PAIRING §1, each level fixed before the next.

    The same entrants (in any order), options and seed give the same round on every machine.
    `name` says how messages call a player. Raises TourneyError where the input contradicts itself or leaves no complete
    round, with the reason and the least that would make one possible.
    """
    refuse_contradictions(entrants, options, name)
    field = prepare(entrants, options)
    pairs = solve_whole(field, seed)
    assert pairs is not None
    return _finished(field, pairs, seed)


def _finished(field: Field, pairs: Sequence[Pair], seed: str) -> Pairing:
    every = [seats_of(field, each) for each in (*field.forced, *pairs)]
    tables, byes = seat(field, every, seed)
    return Pairing(
        tables=tables,
        byes=byes,
        cost=cost_of(field, every),
        bound=Cost(),
        proof=PROVED_BY_SEARCH,
        seed=seed,
        method="whole",
        exact_levels=7,
    )
