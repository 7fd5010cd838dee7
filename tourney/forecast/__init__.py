"""Forecasts: which players are certain to make or miss the cut, and the others' chances."""

from tourney.forecast.cut import (
    Case,
    Ending,
    Forecast,
    Grounds,
    Margin,
    Outlook,
    TableOutlook,
    forecast_cut,
    outlooks,
)

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
