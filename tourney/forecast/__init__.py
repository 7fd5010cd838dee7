"""Forecasts: which players are certain to make or miss the cut, and the others' chances."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tourney.lazy import lazy_names

if TYPE_CHECKING:  # imported lazily
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

if not TYPE_CHECKING:
    __getattr__ = lazy_names(__name__)
