"""Everything standings need to know of a tournament: all rounds, and who was not at a table and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from tourney.record.match import Outcome, PlayerId, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """The rounds of a tournament as they happened. Round numbers count from 1; `rounds[0]` is round 1.

    players:  all who were ever in, in order of registration
    rounds:   the tables of each round; a table without a result is still playing
    byes:     for each round, who had no table but an outcome: BYE, AWARDED_BYE or HALF_BYE
    absences: for each round, who was in the event and neither seated nor given a bye (late, away)
    drops:    player → the last round the player was in before leaving (0: left before round 1)
    disqualified: players → the last round before the disqualification; out of the ranking, still opponents
    ratings:  players → rating, where the event has ratings
    weights:  what a round weighs in strength of schedule, round by round; 1 where the list ends
    planned_rounds: how many rounds the tournament will have, where that is known
    round_robin: whether everybody meets everybody (some tie-breaks read unplayed rounds differently then)
    """

    players: tuple[PlayerId, ...]
    rounds: tuple[tuple[Table, ...], ...] = ()
    byes: tuple[Mapping[PlayerId, Outcome], ...] = ()
    absences: tuple[frozenset[PlayerId], ...] = ()
    drops: Mapping[PlayerId, int] = field(default_factory=dict)
    disqualified: Mapping[PlayerId, int] = field(default_factory=dict)
    ratings: Mapping[PlayerId, int] = field(default_factory=dict)
    weights: tuple[Fraction, ...] = ()
    planned_rounds: int | None = None
    round_robin: bool = False

    def after(self, round_number: int) -> Record:
        """Return the record as it stood after `round_number` (0: before the first round)."""
        keep = slice(0, round_number)
        return replace(
            self,
            rounds=self.rounds[keep],
            byes=self.byes[keep],
            absences=self.absences[keep],
            drops={player: last for player, last in self.drops.items() if last <= round_number},
            disqualified={player: last for player, last in self.disqualified.items() if last <= round_number},
        )
