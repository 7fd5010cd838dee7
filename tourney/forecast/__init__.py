"""Forecasts: the players who are certain to make or miss the cut, and others' chances."""

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
