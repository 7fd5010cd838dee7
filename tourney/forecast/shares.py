"""Shares of the runs of a simulation: numbers with their intervals, and their texts.

A share is an estimate: it never proves that a player makes or misses the cut.
"""

from __future__ import annotations

import math

import msgspec


class Share(msgspec.Struct, frozen=True):
    """An estimated share with its interval.

    share: the estimate, from 0 to 1
    low: the lower end of the 95 % interval (Wilson's)
    high: the upper end of the interval

    The numbers are rounded to six places. The share is exactly 0 only if no run is a hit, and exactly 1 only
    if every run is a hit.
    """

    share: float
    low: float
    high: float

    @classmethod
    def of(cls, hits: int, runs: int) -> Share:
        """Return the share of hits in independent runs.

        runs: the number of runs, at least 1
        """
        return cls.estimated(hits / runs, runs)

    @classmethod
    def estimated(cls, share: float, runs: float) -> Share:
        """Return the share with the interval that follows from a number of independent runs."""
        return cls(*map(_rounded, (share, *wilson(share, runs))))


def _rounded(share: float) -> float:
    least = 1e-6
    return share if share in {0.0, 1.0} else round(min(max(share, least), 1 - least), 6)


_Z = 1.959963984540054
"""The quantile of the normal distribution for a 95 % interval."""


def wilson(share: float, runs: float) -> tuple[float, float]:
    """Return the lower and upper end of Wilson's 95 % interval for a share of independent runs.

    Source: E. B. Wilson 1927, Journal of the American Statistical Association 22.

    >>> [round(end, 4) for end in wilson(0.5, 100)], wilson(0, 10)[0], wilson(1, 10)[1]
    ([0.4038, 0.5962], 0.0, 1.0)
    """
    middle = share + _Z * _Z / (2 * runs)
    reach = _Z * math.sqrt(share * (1 - share) / runs + _Z * _Z / (4 * runs * runs))
    below = 1 + _Z * _Z / runs
    low = 0.0 if share <= 0 else max(0.0, (middle - reach) / below)
    return low, 1.0 if share >= 1 else min(1.0, (middle + reach) / below)


def share_text(share: Share) -> str:
    """Return a share of the runs as a percentage, or as `none` or `all`.

    `0 %` and `100 %` would look like a proof.

    >>> [share_text(Share.of(hits, 1000)) for hits in (0, 830, 1000)]
    ['none', '83 %', 'all']
    """
    return {0.0: "none", 1.0: "all"}.get(share.share) or percent_text(share.share)


def percent_text(share: float) -> str:
    """Return a share as a percentage. Only exactly 0 and 1 are written as 0 % and 100 %.

    >>> [percent_text(share) for share in (0, 0.004, 0.5, 0.996, 1)]
    ['0 %', 'under 1 %', '50 %', 'over 99 %', '100 %']
    """
    if 0 < share < 0.01:
        return "under 1 %"
    if 0.99 < share < 1:
        return "over 99 %"
    return f"{100 * share:.0f} %"


def interval_text(share: Share) -> str:
    """Return the interval of a share in percent.

    >>> [interval_text(Share.of(hits, 1000)) for hits in (0, 3, 830, 1000)]
    ['under 1 %', 'under 1 %', '81–85 %', 'over 99 %']
    >>> interval_text(Share(0.5, 0.499, 0.502))
    '49.9–50.2 %'
    """
    low, high = 100 * share.low, 100 * share.high
    if high < 1 or low > 99:
        return "under 1 %" if high < 1 else "over 99 %"
    places = int(round(low) == round(high))
    return f"{low:.{places}f}–{high:.{places}f} %"
