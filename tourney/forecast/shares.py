"""A share of the runs of a simulation: its interval, and its words. It is never "in" or "out" by itself."""

from __future__ import annotations

import math
from typing import NamedTuple


class Share(NamedTuple):
    """A share, 0 to 1, and the ends of the interval that holds the true one in 95 of 100 cases (Wilson's)."""

    share: float
    low: float
    high: float

    @classmethod
    def of(cls, hits: int, runs: int) -> Share:
        """Return the share of so many hits in independent runs, at least one."""
        return cls(hits / runs, *wilson(hits / runs, runs))


_Z = 1.959963984540054
"""The quantile of the normal distribution for an interval of 95 %."""


def wilson(share: float, runs: float) -> tuple[float, float]:
    """Return the ends of Wilson's interval (E. B. Wilson 1927, Journal of the American Statistical Association 22).

    >>> [round(end, 4) for end in wilson(0.5, 100)], wilson(0, 10)[0], wilson(1, 10)[1]
    ([0.4038, 0.5962], 0.0, 1.0)
    """
    middle = share + _Z * _Z / (2 * runs)
    reach = _Z * math.sqrt(share * (1 - share) / runs + _Z * _Z / (4 * runs * runs))
    below = 1 + _Z * _Z / runs
    low = 0.0 if share <= 0 else max(0.0, (middle - reach) / below)
    return low, 1.0 if share >= 1 else min(1.0, (middle + reach) / below)


def chance_text(share: Share, runs: int) -> str:
    """Return an estimate with its interval.

    >>> chance_text(Share.of(8312, 10000), 10000), chance_text(Share.of(1000, 1000), 1000)
    ('83 % of 10,000 runs (82–84 %)', 'all of 1,000 runs (over 99 %)')
    """
    return f"{share_text(share)} of {runs:,} runs ({interval_text(share)})"


def share_text(share: Share) -> str:
    """Return a share of the runs; all or none of them is not a percentage, as that proves nothing.

    >>> [share_text(Share.of(hits, 1000)) for hits in (0, 830, 1000)]
    ['none', '83 %', 'all']
    """
    return {0.0: "none", 1.0: "all"}.get(share.share) or percent_text(share.share)


def percent_text(share: float) -> str:
    """Return a share as a percentage; only 0 and 1 are written as 0 % and 100 %.

    >>> [percent_text(share) for share in (0, 0.004, 0.5, 0.996, 1)]
    ['0 %', 'under 1 %', '50 %', 'over 99 %', '100 %']
    """
    if 0 < share < 0.01:
        return "under 1 %"
    if 0.99 < share < 1:
        return "over 99 %"
    return f"{100 * share:.0f} %"


def interval_text(share: Share) -> str:
    """Return the interval of a share.

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
