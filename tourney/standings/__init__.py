"""Standings: rank the players of a record exactly, under a named and dated profile.

    profile = parse_profile(text, source="mtr.toml", parent=no_parent)
    standings = rank(record, profile.on(day), seed="friday")

Points are half points. Tie-breaks are `Fraction`, `int` or `None` (no value: ranked last). Decimals exist
only in text (`tourney.standings.exact`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tourney.lazy import lazy_names

if TYPE_CHECKING:  # imported lazily
    from tourney.standings.explaining import Explanation, Neighbour, TiebreakExplanation, explain_place
    from tourney.standings.profile import LOT, Edition, OutcomeRule, Profile
    from tourney.standings.profile_file import load_profile, no_parent, parse_profile, with_order
    from tourney.standings.ranking import (
        Comparison,
        Key,
        Qualifiers,
        Row,
        Standings,
        compare_cuts,
        cut_at,
        lacks_lot,
        points,
        rank,
        rank_scorecards,
        values,
    )
    from tourney.standings.scorecards import Scorecards
    from tourney.standings.swaps import MatchForm, Swap

if not TYPE_CHECKING:
    __getattr__ = lazy_names(__name__)
