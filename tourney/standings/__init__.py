"""Standings: a record and a named, dated profile in, an exact ranking out. A library of its own.

    profile = parse_profile(text, source="mtr.toml", parent=no_parent)
    standings = rank(record, profile.on(day), seed="friday")

Points are whole half points, tie-breaks are `Fraction`, `int` or `None` (no value: sorted last); decimals exist only
in `tourney.standings.printing`.
"""

from tourney.standings.comparing import Comparison, Cut, compare, compare_cuts
from tourney.standings.explaining import Explained, Explanation, Line, Neighbour, why
from tourney.standings.profile import Edition, OutcomeRule, Profile
from tourney.standings.profile_file import load_profile, no_parent, parse_profile, with_order
from tourney.standings.ranking import Key, Row, Standings, points, rank, values
from tourney.standings.sheets import Sheets
from tourney.standings.swapping import Swap

__all__ = [
    "Comparison",
    "Cut",
    "Edition",
    "Explained",
    "Explanation",
    "Key",
    "Line",
    "Neighbour",
    "OutcomeRule",
    "Profile",
    "Row",
    "Sheets",
    "Standings",
    "Swap",
    "compare",
    "compare_cuts",
    "load_profile",
    "no_parent",
    "parse_profile",
    "points",
    "rank",
    "values",
    "why",
    "with_order",
]
