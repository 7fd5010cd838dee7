"""A forecast in sentences that a player understands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tourney.forecast.cut import Outlook, Settled
from tourney.record import NameOf, Outcome, PlayerId
from tourney.wording import listed

if TYPE_CHECKING:
    from tourney.forecast.simulation import Share


def outlook_text(outlook: Outlook, name: NameOf) -> str:
    """Say what a player needs: `in with a draw`, `needs a win`, `needs help: a win, and table 3 drawn`.

    What is not proved is not said: `in` and `out` are, and everything else is open.
    """
    if outlook.now != "open":
        return f"{outlook.now} whatever happens"
    win, draw, loss = (outlook.after(each) for each in (Outcome.WIN, Outcome.DRAW, Outcome.LOSS))
    if draw == "in":
        return "in with a draw" if loss == "open" else "in with a draw, out with a loss"
    if win == "in":
        if {draw, loss} <= {"out", None}:
            return "needs a win"
        return "in with a win" if loss == "open" else f"in with a win, {_open_after(draw)}out with a loss"
    help_ = _help_text(outlook, name)
    if win is None:
        return f"needs help: {help_}" if help_ else "open"
    if help_:
        return f"needs help: a win, and {help_}"
    if loss == "open":
        return "needs help"
    return "needs help and at least a draw" if draw == "open" else "needs help and a win"


def _open_after(draw: str | None) -> str:
    return "open with a draw, " if draw == "open" else ""


def _help_text(outlook: Outlook, name: NameOf) -> str:
    drawn = [each.table.number for each in outlook.help if _first(each, Outcome.DRAW) == each.table.seats]
    parts = [f"{_tables(drawn)} drawn"] if drawn else []
    for each in outlook.help:
        if winner := _first(each, Outcome.WIN):
            parts.append(f"{name(winner[0])} wins at table {each.table.number}")
        elif each.table.number not in drawn:
            shared = listed([name(player) for player in _first(each, Outcome.DRAW)])
            parts.append(f"{shared} share the first place at table {each.table.number}")
    return listed(parts)


def _tables(numbers: list[int]) -> str:
    return f"table{'s' if numbers[1:] else ''} {listed([str(number) for number in numbers])}"


def _first(settled: Settled, outcome: Outcome) -> tuple[PlayerId, ...]:
    """Return those whose outcome that is."""
    sides = zip(settled.table.seats, settled.kinds, strict=True)
    return tuple(player for player, (own, _) in sides if own is outcome)


# -- Estimates, which are never "in" or "out" by themselves


def chance_text(share: Share, runs: int) -> str:
    """Say an estimate.

    >>> from tourney.forecast.simulation import Share
    >>> chance_text(Share.of(8312, 10000), 10000), chance_text(Share.of(1000, 1000), 1000)
    ('83 % of 10,000 runs (82–84 %)', 'all of 1,000 runs (over 99 %)')
    """
    many = {0.0: "none", 1.0: "all"}.get(share.share) or percent_text(share.share)
    return f"{many} of {runs:,} runs ({interval_text(share)})"


def percent_text(share: float) -> str:
    """Write a share as a percentage; what is not nothing, or not all, is never written so.

    >>> [percent_text(share) for share in (0, 0.004, 0.5, 0.996, 1)]
    ['0 %', 'under 1 %', '50 %', 'over 99 %', '100 %']
    """
    if 0 < share < 0.01:
        return "under 1 %"
    if 0.99 < share < 1:
        return "over 99 %"
    return f"{100 * share:.0f} %"


def interval_text(share: Share) -> str:
    """Write the interval of a share.

    >>> from tourney.forecast.simulation import Share
    >>> [interval_text(Share.of(hits, 1000)) for hits in (0, 3, 830, 1000)], interval_text(Share(0.5, 0.499, 0.502))
    (['under 1 %', 'under 1 %', '81–85 %', 'over 99 %'], '49.9–50.2 %')
    """
    low, high = 100 * share.low, 100 * share.high
    if high < 1 or low > 99:
        return "under 1 %" if high < 1 else "over 99 %"
    places = int(round(low) == round(high))
    return f"{low:.{places}f}–{high:.{places}f} %"
