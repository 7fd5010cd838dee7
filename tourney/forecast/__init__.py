"""What can still happen: who makes the cut, whatever the open tables end in. A library above standings and pairing; pure."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from tourney.forecast.cut import (
    Case,
    Ending,
    Forecast,
    Grounds,
    Outlook,
    TableOutlook,
    forecast_cut,
    outlooks,
)

if TYPE_CHECKING:
    from tourney.forecast.simulation import (
        Chances,
        Coming,
        Counts,
        Position,
        Share,
        chances_of,
        coming_rounds,
        play,
    )

__all__ = [
    "Case",
    "Chances",
    "Coming",
    "Counts",
    "Ending",
    "Forecast",
    "Grounds",
    "Outlook",
    "Position",
    "Share",
    "TableOutlook",
    "chances_of",
    "coming_rounds",
    "forecast_cut",
    "outlooks",
    "play",
]


def __getattr__(name: str) -> object:
    """Load the simulation, and the pairing engine with it, when it is asked for."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.simulation"), name)
    globals()[name] = value
    return value
