"""What the engine answers besides a round: reasons, prices, repairs, plans, verdicts. All values, all with numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tourney.pairing.pairing import Cost, Pairing
from tourney.record import PlayerId, Table

if TYPE_CHECKING:
    from tourney.pairing.facts import Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One sentence of an explanation and the numbers behind it.

    what:    the handle: `forced`, `group`, `float`, `rematch`, `bye`, `keep-apart`, `order`, `sides`, `seed`, `impossible` …
    text:    the sentence, in an organizer's words, without a full stop
    players: whom it is about
    numbers: the numbers it rests on, by name
    """

    what: str
    text: str
    players: tuple[PlayerId, ...] = ()
    numbers: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Why a table (or the bye) is as it is.

    table:      the table explained; None for the bye
    players:    who sits there
    decided_by: the level that decided: a field of `Cost`, or `forced`, `impossible`, `not-possible`, `seed`, `edited`
                (`facts.Decided`); of other systems `schedule`, `bracket`, `dutch` and the like
    reasons:    from the general to the particular
    facts:      the same as data, one for each reason: what `reasons` say is what these claim
    """

    table: Table | None
    players: tuple[PlayerId, ...]
    decided_by: str
    reasons: tuple[Reason, ...]
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What it would take to seat two players at one table, or to give a player the bye.

    players:  the two players, or the one for the bye
    possible: whether any round does it
    best:     the cost of the round as it is paired best
    forced:   the cost of the best round that does it; equal to `best` where it is free; None if impossible
    level:    the first level on which it costs more; `seed` if the costs are equal; None if impossible
    more:     by how much, in the unit of that level
    reasons:  in words
    facts:    the same as data, one for each reason
    """

    players: tuple[PlayerId, ...]
    possible: bool
    best: Cost
    forced: Cost | None
    level: str | None
    more: int
    reasons: tuple[Reason, ...]
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Repaired:
    """A round mended with as few changes as possible.

    pairing: the mended round; tables that stayed keep their number
    kept:    numbers of the tables that stayed, in order
    changed: numbers of tables whose players changed or that are new
    removed: numbers of tables that are no more
    fewest:  whether it is proved that no legal repair changes fewer tables
    reasons: why each of the lost tables could not stay
    """

    pairing: Pairing
    kept: tuple[int, ...]
    changed: tuple[int, ...]
    removed: tuple[int, ...]
    fewest: bool
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What `verify` says of a recorded round, three things apart.

    legal:   every player seated once, nobody forbidden, nothing avoidable
    optimal: the same cost as the engine's round
    same:    the same tables (seats and numbers) as the engine makes from the seed
    cost:    of the recorded round; None if it does not seat everybody once
    best:    of the engine's round
    """

    legal: bool
    optimal: bool
    same: bool
    cost: Cost | None
    best: Cost
