"""Pair a round, check a round, explain a round. The library knows players only as numbers.

>>> from tourney.pairing import Entrant, Options, pair
>>> from tourney.record import PlayerId
>>> entrants = [Entrant(id=PlayerId(number)) for number in range(1, 5)]
>>> round_one = pair(entrants, Options(), seed="friday, round 1")
>>> [table.seats for table in round_one.tables], round_one.cost.rematches
([(2, 4), (1, 3)], 0)

The other functions of the Swiss engine, for the same entrants and options:

    check(entrants, options, tables, bye, *, absent={}, best=None, name=number_of) -> list[Finding]
    why(entrants, options, pairing, table_or_None_for_bye, *, name=number_of, group=…) -> RoundExplanation
    why_not(entrants, options, seed, one, other_or_NOBODY, *, pairing=None, name=number_of, group=…) -> Price
    repair(entrants, options, tables, bye, *, locked, seed, moved=(), name=number_of) -> Repaired
    verify(entrants, options, tables, bye, seed) -> RoundVerdict
    price(entrants, options, tables, byes) -> Cost
    prove(entrants, options, pairing) -> dict[str, object]      (a certificate as JSON values)
    plan(players, *, rounds=None, awarded=(), advice="own", rematches=False) -> Plan
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from tourney.pairing.plan import ADVICE, Plan, plan
from tourney.record import NOBODY

if TYPE_CHECKING:
    from tourney.pairing.facts import (
        Difference,
        Fact,
        Gaps,
        Meets,
        Names,
        Price,
        RoundExplanation,
        reasons_of,
    )
    from tourney.pairing.manual import Sizes, check_by_hand
    from tourney.pairing.pairers import DutchPairer, Pairer, PodsPairer, RoundRobinPairer, SwissPairer
    from tourney.pairing.pairing import (
        CORRECTION_ENGINE,
        MEETS_BOUND,
        PROVED_BY_SEARCH,
        REPAIRED,
        REPAIRED_AROUND,
        REPAIRED_BEST,
        REPAIRED_UNPROVED,
        Cost,
        Entrant,
        Mode,
        Options,
        Pair,
        Pairing,
        Repaired,
        RoundVerdict,
        entrant_after,
        keep_wishes,
        number_of,
        repair_engine,
        same_engine,
        swiss_engine,
        within,
    )
    from tourney.pairing.reasons import Reason
    from tourney.pairing.round_robin import Schedule, schedule
    from tourney.pairing.swiss.certificate import prove
    from tourney.pairing.swiss.check import check, price, verify
    from tourney.pairing.swiss.engine import pair
    from tourney.pairing.swiss.repair import repair
    from tourney.pairing.swiss.why import why, why_not

__all__ = [
    "ADVICE", "CORRECTION_ENGINE", "MEETS_BOUND", "NOBODY", "PROVED_BY_SEARCH", "REPAIRED",
    "REPAIRED_AROUND", "REPAIRED_BEST", "REPAIRED_UNPROVED", "WISHES", "Cost", "Difference", "DutchPairer",
    "Entrant", "Fact", "Gaps", "Meets", "Mode", "Names", "Options", "Pair", "Pairer", "Pairing", "Plan",
    "PodsPairer", "Price", "Reason", "Repaired", "RoundExplanation", "RoundRobinPairer", "RoundVerdict",
    "Schedule", "Sizes", "SwissPairer", "check", "check_by_hand", "entrant_after", "keep_wishes",
    "number_of", "pair", "plan", "price", "prove", "reasons_of", "repair", "repair_engine", "same_engine",
    "schedule", "swiss_engine", "verify", "why", "why_not", "within",
]  # fmt: skip

WISHES = frozenset({"forced", "forbidden", "fixed-table"})
"""The organizer's wishes for a round, by the rule of the finding for a broken one.

* forced: pairs that must meet, and the player who must have the bye
* forbidden: pairs that must not meet
* fixed-table: players with a fixed table

Each pairing system lists the wishes that it respects (`tourney.event.systems`).
"""

_HOMES = {
    "Difference": "facts",
    "DutchPairer": "pairers",
    "Fact": "facts",
    "Gaps": "facts",
    "Meets": "facts",
    "Names": "facts",
    "Pairer": "pairers",
    "PodsPairer": "pairers",
    "Price": "facts",
    "Reason": "reasons",
    "RoundExplanation": "facts",
    "RoundRobinPairer": "pairers",
    "Schedule": "round_robin",
    "Sizes": "manual",
    "SwissPairer": "pairers",
    "check": "swiss.check",
    "check_by_hand": "manual",
    "pair": "swiss.engine",
    "price": "swiss.check",
    "prove": "swiss.certificate",
    "reasons_of": "facts",
    "repair": "swiss.repair",
    "schedule": "round_robin",
    "verify": "swiss.check",
    "why": "swiss.why",
    "why_not": "swiss.why",
}
"""The module of each public name. Names that are missing here are in `pairing`."""


def __getattr__(name: str) -> object:
    """Import a public name when it is first used.

    Most commands need none of the types and no engine.
    """
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{_HOMES.get(name, 'pairing')}"), name)
    globals()[name] = value
    return value
