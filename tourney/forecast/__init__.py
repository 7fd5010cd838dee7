"""What can still happen: who makes the cut, whatever the open tables end in. A library above standings and pairing; pure."""

from tourney.forecast.cut import Case, Forecast, Outlook, Settled, forecast_cut

__all__ = ["Case", "Forecast", "Outlook", "Settled", "forecast_cut"]
