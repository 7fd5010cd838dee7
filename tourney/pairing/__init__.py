"""Pair a round, check a round, explain a round. The library knows players only as numbers.

>>> from tourney.pairing import Entrant, Options, pair
>>> from tourney.record import PlayerId
>>> entrants = [Entrant(id=PlayerId(number)) for number in range(1, 5)]
>>> round_one = pair(entrants, Options(), seed="friday, round 1")
>>> [table.seats for table in round_one.tables], round_one.cost.rematches
([(2, 4), (1, 3)], 0)

The other functions of the Swiss engine, for the same entrants and options:

    check(entrants, options, tables, bye, *, absent=None, best=None, name=number_of) -> list[Finding]
    why(entrants, options, pairing, table_or_None_for_bye, *, names=Names()) -> RoundExplanation
    why_not(entrants, options, seed, one, other_or_NOBODY, *, pairing=None, names=Names()) -> Price
    repair(entrants, options, tables, bye, *, locked_tables, seed, corrected_players=(),
           name=number_of) -> Repaired
    verify(entrants, options, tables, bye, seed) -> RoundVerdict
    price(entrants, options, tables, byes) -> Cost
    prove(entrants, options, pairing) -> dict[str, object]      (a certificate as JSON values)
    plan(players, *, rounds=None, awarded_byes=(), advice="own", rematches=False) -> Plan
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tourney.lazy import lazy_names
from tourney.pairing.plan import ADVICE, Plan, plan
from tourney.record import NOBODY

if TYPE_CHECKING:  # imported lazily
    from tourney.pairing.facts import (
        Difference,
        Fact,
        Gaps,
        Names,
        Price,
        RoundExplanation,
        fact,
        meeting_fact,
    )
    from tourney.pairing.manual import Sizes, check_by_hand
    from tourney.pairing.pairers import (
        DutchPairer,
        Pairer,
        PodsPairer,
        RoundRobinPairer,
        SwissPairer,
    )
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
        Pairing,
        Reason,
        entrant_after,
        keep_wishes,
        number_of,
        repair_engine,
        same_engine,
        swiss_engine,
    )
    from tourney.pairing.round_robin import Schedule, schedule
    from tourney.pairing.swiss.certificate import prove
    from tourney.pairing.swiss.check import check, price, verify
    from tourney.pairing.swiss.engine import pair
    from tourney.pairing.swiss.repair import repair
    from tourney.pairing.swiss.why import why, why_not

WISHES = frozenset({"forced", "forbidden", "fixed-table"})
"""The kinds of wishes that the organizer can have for a round.

If a round breaks a wish, the finding has the kind as its `rule`.

* forced: pairs that must meet, and the player who must have the bye
* forbidden: pairs that must not meet
* fixed-table: players with a fixed table

Each pairing system lists the wishes that it respects (`tourney.event.systems`).
"""


if not TYPE_CHECKING:
    __getattr__ = lazy_names(__name__)
