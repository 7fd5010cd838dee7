"""A paired round with its cost, the lower bound that proves it, and the seed it came from."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

from tourney.pairing.options import Mode, Options
from tourney.record import PlayerId, Table

MEETS_BOUND = "optimal (meets the bound)"
PROVED_BY_SEARCH = "optimal (proved by search)"
REPAIRED = "repaired with the fewest changes"
REPAIRED_UNPROVED = "repaired (fewest changes not proved)"
REPAIRED_BEST = "repaired: the best round again, with the fewest changes"
REPAIRED_AROUND = "repaired: the best round around the finished tables, with the fewest changes"


CORRECTION_ENGINE = "tourney correction 1"
PODS_ENGINE = "tourney pods 1"
BRACKET_ENGINE = "tourney brackets 1"
"""What each engine signs its rounds with; the Swiss ones: `swiss_engine`, `repair_engine`. One that makes other tables of the
same question and seed takes the next number: whoever verifies an old round must see that today's engine cannot be asked
about it. `tests/pairing/test_engines.py` pins the tables of each name."""

_ALWAYS_THE_SAME = 600


def swiss_engine(options: Options, players: int) -> str:
    """Return what a Swiss round of so many players is signed with.

    Number 2 numbers equal tables by strength where the round is by rating or rank, and looks at fewer tables in some fields
    of more than 600. Of every other question it makes what number 1 made, and keeps its name.

    >>> swiss_engine(Options(), 64), swiss_engine(Options(mode=Mode.FOLD), 64), swiss_engine(Options(), 700)
    ('tourney swiss 1', 'tourney swiss 2', 'tourney swiss 2')
    """
    as_ever = options.mode is Mode.RANDOM and players <= _ALWAYS_THE_SAME
    return "tourney swiss 1" if as_ever else "tourney swiss 2"


def repair_engine(options: Options) -> str:
    """Return what a repair is signed with: number 2 numbers new tables of a round by rating or rank by strength."""
    return "tourney repair 1" if options.mode is Mode.RANDOM else "tourney repair 2"


_SIGNED_BEFORE = {
    "tourney 0.1.0": {"tourney swiss 1", "tourney pods 1", "tourney brackets 1"},
    "repair": {"tourney repair 1"},
}
"""How the first engines signed, before each had a name of its own."""


def same_engine(signed: str, engine: str) -> bool:
    """Say whether a round signed so was made by `engine`.

    >>> same_engine("tourney 0.1.0", "tourney pods 1"), same_engine("tourney pods 1", "tourney pods 2")
    (True, False)
    """
    return signed == engine or engine in _SIGNED_BEFORE.get(signed, ())


def within(gap: int) -> str:
    """Say how far from a proved optimum a round can be at most, in the unit of the level that is open.

    >>> within(4)
    'within 4 of the bound'
    """
    return f"within {gap} of the bound"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Cost:
    """What a round costs, level by level; costs compare as the levels rank, the first difference decides.

    rematches:      tables whose players met before (level 1)
    times_met:      how often they met before, added up (level 1, second digit)
    bye_earlier:    earlier byes of the player who has the bye (level 2)
    bye_points:     half points of the player who has the bye (level 2)
    differences:    sum over tables of the squared difference, in half points (level 3)
    apart:          soft keep-aparts broken: shared tags at a table, added up (level 4)
    order:          how far the tables are from the round's mode (fold, slide, rank), squared places (below level 4)
    floats:         players floated twice running (level 5)
    imbalance:      sum over players of (first sides − second sides)² after this round (level 6)
    side_repeats:   players who have the same side twice running (level 6)
    """

    rematches: int = 0
    times_met: int = 0
    bye_earlier: int = 0
    bye_points: int = 0
    differences: int = 0
    apart: int = 0
    order: int = 0
    floats: int = 0
    imbalance: int = 0
    side_repeats: int = 0

    def as_dict(self) -> dict[str, int]:
        """Return the levels by name, in the order in which they rank."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


def upper_levels(cost: Cost) -> tuple[int, ...]:
    """Return levels 1 to 3 of a cost, those that are proved at any size."""
    return (cost.rematches, cost.times_met, cost.bye_earlier, cost.bye_points, cost.differences)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """One round.

    tables: in order of table number, without results; with sides, seat 1 has the first side
    byes:   who has the odd bye; at most one player, except in pods
    cost:   what the round costs
    bound:  what no round can undercut, as far as it is proved without a search
    proof:  `optimal (meets the bound)`, `optimal (proved by search)`, `within k of the bound`, or what a repair says
    seed:   the round's seed, from which all its randomness follows
    method: how it was found; above 600 players this is part of what the seed determines
    exact_levels: the last level up to which the round is the optimum (7: all, 3: point differences), 0 if not proved
    """

    tables: tuple[Table, ...]
    byes: tuple[PlayerId, ...] = ()
    cost: Cost = field(default_factory=Cost)
    bound: Cost = field(default_factory=Cost)
    proof: str = ""
    seed: str = ""
    method: str = ""
    exact_levels: int = 0

    @property
    def bye(self) -> PlayerId | None:
        """The one player with the bye, or None."""
        return self.byes[0] if self.byes else None
