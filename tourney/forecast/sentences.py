"""A forecast in sentences that a player understands."""

from __future__ import annotations

from tourney.forecast.cut import Outlook, Settled
from tourney.record import NameOf, Outcome, PlayerId
from tourney.wording import listed


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
