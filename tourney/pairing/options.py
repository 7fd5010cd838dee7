"""What the organizer decides about a round before it is paired."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tourney.record import PlayerId

Pair = tuple[PlayerId, PlayerId]


class Mode(Enum):
    """What decides among rounds of equal point differences and keep-aparts, before floats, sides and the seed.

    RANDOM: nothing (the default of card games)
    FOLD:   by rating, the first meets the last of the group (1–8, 2–7, 3–6, 4–5)
    SLIDE:  by rating, the upper half meets the lower (1–5, 2–6, 3–7, 4–8)
    RANK:   by standings, neighbours meet (1–2, 3–4 …), as some events play their last round
    """

    RANDOM = "random"
    FOLD = "fold"
    SLIDE = "slide"
    RANK = "rank"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The switches of one round; the defaults are those of PAIRING §1.

    round_number:       the round to be paired, from 1
    mode:               what decides inside equal points (usually set for the first or the last round only)
    forbidden:          pairs that must not meet (keep apart, hard), in either order
    forced:             pairs that must meet
    forced_bye:         the player who must have the odd bye
    no_bye:             players who must not have the odd bye
    allow_rematches:    False refuses a round that cannot be paired without a rematch instead of making the fewest
    keep_apart:         whether shared tags are avoided (level 4)
    keep_apart_rounds:  level 4 ends after this round; None: never
    float_repeats:      whether floating twice running is avoided (level 5)
    sides:              whether the game has sides to balance (level 6); then seat 1 has the first side
    awarded_bye_counts: an awarded bye counts as an earlier bye
    half_bye_counts:    a half-point bye counts as an earlier bye
    no_show_meets:      a table where somebody did not show counts as a meeting
    first_table:        the number of the first table
    """

    round_number: int = 1
    mode: Mode = Mode.RANDOM
    forbidden: frozenset[Pair] = frozenset()
    forced: tuple[Pair, ...] = ()
    forced_bye: PlayerId | None = None
    no_bye: frozenset[PlayerId] = frozenset()
    allow_rematches: bool = True
    keep_apart: bool = True
    keep_apart_rounds: int | None = None
    float_repeats: bool = True
    sides: bool = False
    awarded_bye_counts: bool = True
    half_bye_counts: bool = False
    no_show_meets: bool = False
    first_table: int = 1

    @property
    def keeps_apart_now(self) -> bool:
        """Whether level 4 applies to this round."""
        return self.keep_apart and (
            self.keep_apart_rounds is None or self.round_number <= self.keep_apart_rounds
        )
