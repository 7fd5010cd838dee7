"""What a player needs, as facts: which one thing is to be said of them, and what stands in it.

What is said is chosen here alone; `sentences` words it for a terminal, and the labels of pages word it in any language.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from tourney.forecast.cut import Outlook, Verdict
from tourney.forecast.help import Ending, Help
from tourney.record import Outcome, PlayerId
from tourney.standings.completions import score_text
from tourney.wording import MOST_NAMED

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
    "own",
    "help",
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
"""What is to be said of a player.

in, out:  whatever happens
is_in, is_out, level: nothing is open any more; level: with the last place
draw:     in with a draw; draw_not_loss: and out with a loss
win_only: in with a win, out with anything else
win:      in with a win; win_not_loss: and out with a loss; win_open_draw: with a draw it is open
own:      in with own results of `Need.scores`
help:     with the own result and what other tables end in
at_best_level: they cannot be in, and at best end level with the last place; with _win only if they win, with _draw only if
          they do not lose: else they are out
open:     nothing of that is proved; with _win and _draw as before
waits:    the same while results of earlier rounds are missing: what would help hangs on them
"""

End = Literal["drawn", "won", "shared", "scores"]
"""What tables end in: a draw, a win of the one player, a first place that the players share, one of the scores."""


class TablesEnd(NamedTuple):
    """What tables end in: several at once only where each is drawn.

    players: who wins, or who shares the first place; else none
    scores:  the results, as they are entered: `2-0`, the games of whoever sits first before; where those alone are meant
    """

    tables: tuple[int, ...]
    end: End
    players: tuple[PlayerId, ...] = ()
    scores: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Need:
    """What a player needs. Where nothing helps, or no help is needed, only `says` is told.

    own:    the own result with which the others are enough; None where none is to come
    scores: the own results that do, the own games first: `2-0`; none where each of that outcome does
    tables: what other tables have to end in, those that are drawn first
    least:  whether it is proved that no fewer other tables would do
    fewest: how many other tables it takes, as far as that is proved
    """

    says: Says
    own: Outcome | None = None
    scores: tuple[str, ...] = ()
    tables: tuple[TablesEnd, ...] = ()
    least: bool = False
    fewest: int = 0

    @property
    def count(self) -> int:
        """How many other tables have to end so."""
        return sum(len(each.tables) for each in self.tables)

    @property
    def named(self) -> bool:
        """Whether they are few enough to be named in a sentence."""
        return self.count <= MOST_NAMED


class Verdicts(NamedTuple):
    """What a player can still be, and what they need, without its proof: plain values that may be kept.

    now:  over all own results; win, draw, loss: after such a one, empty where there is none
    """

    now: str
    win: str
    draw: str
    loss: str
    need: Need


def verdicts_of(outlook: Outlook) -> Verdicts:
    """Return what is shown of an outlook."""
    win, draw, loss = (outlook.after(each) or "" for each in (Outcome.WIN, Outcome.DRAW, Outcome.LOSS))
    return Verdicts(outlook.now, win, draw, loss, need_of(outlook))


def need_of(outlook: Outlook) -> Need:
    """Return what a player needs."""
    if outlook.stands == "level":
        return Need("level")
    if outlook.now == "in":
        return Need("is_in" if outlook.over else "in")
    if outlook.now == "out":
        return Need("is_out" if outlook.over else "out")
    win, draw, loss = (outlook.after(each) for each in (Outcome.WIN, Outcome.DRAW, Outcome.LOSS))
    if draw == "in":
        return Need("draw" if loss == "open" else "draw_not_loss")
    if win == "in":
        return Need(_with_a_win(draw, loss))
    if outlook.help is not None:
        return _with_help(outlook, outlook.help)
    return Need(_without_help(draw, loss, outlook))


def _with_a_win(draw: Verdict | None, loss: Verdict | None) -> Says:
    if {draw, loss} <= {"out", None}:
        return "win_only"
    if loss == "open":
        return "win"
    return "win_open_draw" if draw == "open" else "win_not_loss"


def _with_help(outlook: Outlook, help_: Help) -> Need:
    best = outlook.cases[0].outcome
    scores = _own_scores(help_.own, outlook.player) if best and help_.own is not None else ()
    tables = tables_end(help_.tables)
    return Need("help" if tables else "own", best, scores, tables, help_.least, help_.fewest)


_WITHOUT_HELP: Mapping[str, tuple[Says, Says, Says]] = {
    "at best": ("at_best_level", "at_best_level_draw", "at_best_level_win"),
    "waits": ("waits", "waits_draw", "waits_win"),
    "": ("open", "open_draw", "open_win"),
}


def _without_help(draw: Verdict | None, loss: Verdict | None, outlook: Outlook) -> Says:
    why = "at best" if outlook.at_best_level else "waits" if outlook.waits else ""
    anyway, draw_or_win, win = _WITHOUT_HELP[why]
    if loss != "out":
        return anyway
    return draw_or_win if draw == "open" else win


def _own_scores(ending: Ending, player: PlayerId) -> tuple[str, ...]:
    """Return the scores, the player's own games first."""
    first = ending.table.seats[0] == player or len(ending.table.seats) > 2
    return tuple(_score(ending, at, own_first=first) for at in ending.results)


def _score(ending: Ending, at: int, *, own_first: bool) -> str:
    text = score_text(ending.table.results[at])
    if own_first:
        return text
    sign = ":" if ":" in text else "-"
    one, two, *drawn = text.split(sign)
    return sign.join([two, one, *drawn])


def tables_end(endings: Iterable[Ending]) -> tuple[TablesEnd, ...]:
    """Return what tables end in, those that are drawn first and together."""
    drawn: list[int] = []
    others = []
    for each in endings:
        number = (each.table.number,)
        if not each.of_one_kind:
            scores = tuple(_score(each, at, own_first=True) for at in each.results)
            others.append(TablesEnd(number, "scores", scores=scores))
        elif (shared := _first(each, Outcome.DRAW)) == each.table.seats:
            drawn += number
        elif winner := _first(each, Outcome.WIN):
            others.append(TablesEnd(number, "won", winner))
        else:
            others.append(TablesEnd(number, "shared", shared))
    return (*((TablesEnd(tuple(drawn), "drawn"),) if drawn else ()), *others)


def _first(ending: Ending, outcome: Outcome) -> tuple[PlayerId, ...]:
    """Return those whose outcome that is."""
    sides = zip(ending.table.seats, ending.kinds, strict=True)
    return tuple(player for player, (own, _) in sides if own is outcome)
