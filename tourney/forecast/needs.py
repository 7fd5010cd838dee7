"""What a player needs, as a key: which sentence describes the player's outlook.

The key is chosen here alone. `sentences` words it for the terminal, and labels word it for the pages.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from tourney.forecast.cut import Outlook, Verdict
from tourney.record import Outcome

Says = Literal[
    "in",
    "out",
    "is_in",
    "is_out",
    "level",
    "draw",
    "draw_not_loss",
    "win_only",
    "win",
    "win_not_loss",
    "win_open_draw",
    "at_best_level",
    "at_best_level_win",
    "at_best_level_draw",
    "open",
    "open_win",
    "open_draw",
    "waits",
    "waits_win",
    "waits_draw",
]
"""Which sentence describes a player's outlook.

in, out:  whatever happens
is_in, is_out, level: every result is in; level: tied with the last place
draw:     in with a draw; draw_not_loss: and out with a loss
win_only: in with a win, out with anything else
win:      in with a win; win_not_loss: and out with a loss; win_open_draw: open with a draw
at_best_level: the player cannot be in, and at best ties with the last place; with _win only after a win,
          with _draw only after a win or a draw, otherwise out
open:     none of that is proved; _win and _draw as before
waits:    open, and results of earlier rounds are missing; _win and _draw as before
"""


class Verdicts(NamedTuple):
    """A player's verdicts and the sentence that describes them: plain values that can be stored.

    now:  over all own results; win, draw, loss: after such a result, empty if the table cannot end so
    """

    now: str
    win: str
    draw: str
    loss: str
    says: Says


def verdicts_of(outlook: Outlook) -> Verdicts:
    """Return what is shown of an outlook."""
    win, draw, loss = (outlook.after(each) or "" for each in (Outcome.WIN, Outcome.DRAW, Outcome.LOSS))
    return Verdicts(outlook.now, win, draw, loss, says_of(outlook))


def says_of(outlook: Outlook) -> Says:
    """Return the key of the sentence that describes an outlook."""
    if outlook.stands == "level":
        return "level"
    if outlook.now == "in":
        return "is_in" if outlook.over else "in"
    if outlook.now == "out":
        return "is_out" if outlook.over else "out"
    win, draw, loss = (outlook.after(each) for each in (Outcome.WIN, Outcome.DRAW, Outcome.LOSS))
    if draw == "in":
        return "draw" if loss == "open" else "draw_not_loss"
    if win == "in":
        return _with_a_win(draw, loss)
    return _open(draw, loss, outlook)


def _with_a_win(draw: Verdict | None, loss: Verdict | None) -> Says:
    if {draw, loss} <= {"out", None}:
        return "win_only"
    if loss == "open":
        return "win"
    return "win_open_draw" if draw == "open" else "win_not_loss"


_OPEN: Mapping[str, tuple[Says, Says, Says]] = {
    "at best": ("at_best_level", "at_best_level_draw", "at_best_level_win"),
    "waits": ("waits", "waits_draw", "waits_win"),
    "": ("open", "open_draw", "open_win"),
}


def _open(draw: Verdict | None, loss: Verdict | None, outlook: Outlook) -> Says:
    why = "at best" if outlook.at_best_level else "waits" if outlook.waits else ""
    anyway, draw_or_win, win = _OPEN[why]
    if loss != "out":
        return anyway
    return draw_or_win if draw == "open" else win
