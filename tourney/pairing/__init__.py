"""Make a round, check a round, explain a round: a library that knows players only as ids.

>>> from tourney.pairing import Entrant, Options, pair
>>> from tourney.record import PlayerId
>>> field = [Entrant(id=PlayerId(number)) for number in range(1, 5)]
>>> round_one = pair(field, Options(), seed="friday, round 1")
>>> [table.seats for table in round_one.tables], round_one.cost.rematches
([(2, 4), (1, 3)], 0)

Other questions to the Swiss engine, each a function of the same entrants and options:

    check(entrants, options, tables, bye, *, absent={}, best=None, name=number_of) -> list[Finding]
    why(entrants, options, pairing, table_number_or_None_for_the_bye, *, name=number_of, group=…) -> RoundExplanation
    why_not(entrants, options, seed, one, other_or_NOBODY, *, pairing=None, name=number_of, group=…) -> Price
    repair(entrants, options, tables, bye, *, locked, seed, moved=(), name=number_of) -> Repaired
    verify(entrants, options, tables, bye, seed) -> RoundVerdict
    price(entrants, options, tables, byes) -> Cost
    prove(entrants, options, pairing) -> dict[str, object]      (JSON-able certificate)
    plan(players, *, rounds=None, awarded=(), advice="own", rematches=False) -> Plan
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from tourney.pairing.plan import ADVICE, Plan, plan
from tourney.record import NOBODY

if TYPE_CHECKING:
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
        Price,
        Reason,
        Repaired,
        RoundExplanation,
        RoundVerdict,
        heeded,
        number_of,
        repair_engine,
        same_engine,
        swiss_engine,
        within,
    )
    from tourney.pairing.swiss.certificate import prove
    from tourney.pairing.swiss.check import check, price, verify
    from tourney.pairing.swiss.engine import pair
    from tourney.pairing.swiss.repair import repair
    from tourney.pairing.swiss.why import why, why_not

__all__ = [
    "ADVICE",
    "CORRECTION_ENGINE",
    "MEETS_BOUND",
    "NOBODY",
    "PROVED_BY_SEARCH",
    "REPAIRED",
    "REPAIRED_AROUND",
    "REPAIRED_BEST",
    "REPAIRED_UNPROVED",
    "WISHES",
    "Cost",
    "Entrant",
    "Mode",
    "Options",
    "Pair",
    "Pairing",
    "Plan",
    "Price",
    "Reason",
    "Repaired",
    "RoundExplanation",
    "RoundVerdict",
    "check",
    "heeded",
    "number_of",
    "pair",
    "plan",
    "price",
    "prove",
    "repair",
    "repair_engine",
    "same_engine",
    "swiss_engine",
    "verify",
    "why",
    "why_not",
    "within",
]

WISHES = frozenset({"forced", "forbidden", "fixed-table"})
"""What an organizer may wish of a round, by the rule of the finding that tells of a broken one.

forced: who meets, and who has the bye; forbidden: who is kept apart; fixed-table: where somebody sits. Which of them a
system looks at is said in its row (`tourney.event.systems`).
"""

_ENGINE = {
    "check": "check",
    "pair": "engine",
    "price": "check",
    "prove": "certificate",
    "repair": "repair",
    "verify": "check",
    "why": "why",
    "why_not": "why",
}
"""Where the Swiss engine answers each question."""


def __getattr__(name: str) -> object:
    """Load the types, and the Swiss engine, when they are asked for: whoever enters a result needs none of them."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = f"swiss.{_ENGINE[name]}" if name in _ENGINE else "pairing"
    value: object = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value
