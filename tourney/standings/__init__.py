"""Standings: a record and a named, dated profile in, an exact ranking out. A library of its own.

    profile = parse_profile(text, source="mtr.toml", parent=no_parent)
    standings = rank(record, profile.on(day), seed="friday")

Points are whole half points, tie-breaks are `Fraction`, `int` or `None` (no value: sorted last); decimals exist only
in `tourney.standings.printing`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from tourney.standings.profile import Edition, OutcomeRule, Profile

if TYPE_CHECKING:
    from tourney.standings.explaining import Explained, Explanation, Neighbour, ScoreLine, why
    from tourney.standings.profile_file import load_profile, no_parent, parse_profile, with_order
    from tourney.standings.ranking import (
        Comparison,
        Key,
        Qualifiers,
        Row,
        Standings,
        compare,
        compare_cuts,
        cut_at,
        points,
        rank,
        values,
    )
    from tourney.standings.scorecards import Scorecards
    from tourney.standings.swapping import MatchForm, Swap

__all__ = [
    "Comparison",
    "Edition",
    "Explained",
    "Explanation",
    "Key",
    "MatchForm",
    "Neighbour",
    "OutcomeRule",
    "Profile",
    "Qualifiers",
    "Row",
    "ScoreLine",
    "Scorecards",
    "Standings",
    "Swap",
    "compare",
    "compare_cuts",
    "cut_at",
    "load_profile",
    "no_parent",
    "parse_profile",
    "points",
    "rank",
    "values",
    "why",
    "with_order",
]

_HOMES = {
    "explaining": {"Explained", "Explanation", "Neighbour", "ScoreLine", "why"},
    "profile_file": {"load_profile", "no_parent", "parse_profile", "with_order"},
    "ranking": {
        "Comparison", "Key", "Qualifiers", "Row", "Standings", "compare", "compare_cuts", "cut_at", "points", "rank", "values",
    },
    "scorecards": {"Scorecards"},
    "swapping": {"MatchForm", "Swap"},
}  # fmt: skip


def __getattr__(name: str) -> object:
    """Load what ranks and explains when it is asked for: whoever enters a result only needs the profile."""
    home = next((module for module, names in _HOMES.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value
