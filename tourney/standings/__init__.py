"""Standings: rank the players of a record exactly, under a named and dated profile.

    profile = parse_profile(text, source="mtr.toml", parent=no_parent)
    standings = rank(record, profile.on(day), seed="friday")

Points are half points. Tie-breaks are `Fraction`, `int` or `None` (no value: ranked last). Decimals exist
only in text (`tourney.standings.exact`).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tourney.standings.explaining import (
        Explained,
        Explanation,
        Neighbour,
        ScoreLine,
        why,
    )
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
        values,
    )
    from tourney.standings.scorecards import Scorecards
    from tourney.standings.swaps import MatchForm, Swap

__all__ = [
    "LOT", "Comparison", "Edition", "Explained", "Explanation", "Key", "MatchForm", "Neighbour", "OutcomeRule",
    "Profile", "Qualifiers", "Row", "ScoreLine", "Scorecards", "Standings", "Swap",
    "compare_cuts", "cut_at", "lacks_lot", "load_profile", "no_parent", "parse_profile", "points", "rank", "values",
    "why", "with_order",
]  # fmt: skip

_HOMES = {
    "explaining": {"Explained", "Explanation", "Neighbour", "ScoreLine", "why"},
    "profile": {"LOT", "Edition", "OutcomeRule", "Profile"},
    "profile_file": {"load_profile", "no_parent", "parse_profile", "with_order"},
    "ranking": {
        "Comparison", "Key", "Qualifiers", "Row", "Standings", "compare_cuts", "cut_at", "lacks_lot", "points",
        "rank", "values",
    },
    "scorecards": {"Scorecards"},
    "swaps": {"MatchForm", "Swap"},
}  # fmt: skip


def __getattr__(name: str) -> object:
    """Import each part when it is needed: reading results needs neither tie-breaks nor explanations."""
    home = next((module for module, names in _HOMES.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value
