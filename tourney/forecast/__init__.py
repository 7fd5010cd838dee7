"""What can still happen: who makes the cut, and how likely. A library above standings and pairing; pure."""

from tourney.forecast.cut import (
    Case,
    Forecast,
    Outlook,
    TableOutlook,
    forecast_cut,
    outlooks,
)
from tourney.forecast.grounds import Ending, Grounds, Margin

__all__ = [
    "Case",
    "Ending",
    "Forecast",
    "Grounds",
    "Margin",
    "Outlook",
    "TableOutlook",
    "forecast_cut",
    "outlooks",
]
