"""Standings: a record and a named, dated profile in, an exact ranking out. A library of its own.

    profile = parse_profile(text, source="mtr.toml", parent=no_parent)
    standings = rank(record, profile.on(day), seed="friday")

Points are whole half points, tie-breaks are `Fraction`, `int` or `None` (no value: sorted last); decimals exist only
in `tourney.standings.printing`.
"""

from tourney.standings.comparing import Comparison, Cut, compare
from tourney.standings.explaining import Explained, Explanation, Line, Neighbour, why
from tourney.standings.profile import Edition, OutcomeRule, Profile
from tourney.standings.profile_file import load_profile, no_parent, parse_profile
from tourney.standings.ranking import Key, Row, Standings, points, rank, values
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
    "Standings",
    "Swap",
    "compare",
    "load_profile",
    "no_parent",
    "parse_profile",
    "points",
    "rank",
    "values",
    "why",
]
