"""A forecast in sentences that a player understands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from tourney.forecast.cut import Case, Ending, Grounds, Outlook
from tourney.record import NameOf, Outcome, PlayerId
from tourney.standings.completions import CutQuestion, score_text
from tourney.wording import MOST_NAMED, counted, listed, listed_short, runs

if TYPE_CHECKING:
    from tourney.forecast.simulation import Share


def outlook_text(outlook: Outlook, name: NameOf) -> str:
    """Say what a player needs: `in with a draw`, `needs a win`, `needs help: a win, and table 3 drawn (at least 1 table)`.

    `at least` is said where it is proved that fewer tables would not do. What is not proved is not said: `in` and `out` are, and everything else is open.
    """
    if outlook.now != "open":
        return f"{outlook.now} whatever happens"
    if outlook.is_level:
        return "level with the last place"
    win, draw, loss = (outlook.after(each) for each in (Outcome.WIN, Outcome.DRAW, Outcome.LOSS))
    if draw == "in":
        return "in with a draw" if loss == "open" else "in with a draw, out with a loss"
    if win == "in":
        return _with_a_win(draw, loss)
    return _help_text(outlook, name) or _without_help(outlook, draw, loss)


def _with_a_win(draw: str | None, loss: str | None) -> str:
    if {draw, loss} <= {"out", None}:
        return "needs a win"
    if loss == "open":
        return "in with a win"
    return f"in with a win, {'open with a draw, ' if draw == 'open' else ''}out with a loss"


def _without_help(outlook: Outlook, draw: str | None, loss: str | None) -> str:
    """Say it of somebody for whom no results are known that are enough."""
    then = "level with the last place at best" if outlook.at_best_level else "open"
    if loss != "out":
        return then
    return f"{then} with a {'win or a draw' if draw == 'open' else 'win'}, else out"


def _help_text(outlook: Outlook, name: NameOf) -> str:
    help_ = outlook.help
    if help_ is None:
        return ""
    best = outlook.cases[0].outcome
    own = f"a {best.value}" if best else ""
    if best and help_.own is not None:
        own = f"a {_scores_text(help_.own, outlook.player)} {best.value}"
    count = len(help_.tables)
    if not count:
        return f"in with {own}"
    tables = endings_text(help_.tables, name) if count <= MOST_NAMED else counted(count, "other table")
    much = f" (at least {counted(count, 'table')})" if help_.least else " (less may do)"
    return f"needs help: {own}, and {tables}{much}" if own else f"needs help: {tables}{much}"


def _scores_text(ending: Ending, player: PlayerId) -> str:
    """Say with which scores, the player's own games first: `2-0`."""
    first = ending.table.seats[0] == player or len(ending.table.seats) > 2
    return listed([_score(ending, at, own_first=first) for at in ending.results], "or")


def _score(ending: Ending, at: int, *, own_first: bool) -> str:
    text = score_text(ending.table.results[at])
    if own_first:
        return text
    sign = ":" if ":" in text else "-"
    one, two, *drawn = text.split(sign)
    return sign.join([two, one, *drawn])


def endings_text(endings: Iterable[Ending], name: NameOf, *, verb: bool = False) -> str:
    """Say what tables end in: `tables 3–5 drawn and Mira wins at table 2`. verb: `tables 3–5 are drawn …`."""
    is_, are = ("is ", "are ") if verb else ("", "")
    drawn, parts = [], []
    for each in endings:
        number = each.table.number
        if not each.of_one_kind:
            scores = listed([_score(each, at, own_first=True) for at in each.results], "or")
            parts.append(f"{scores} at table {number}")
        elif _first(each, Outcome.DRAW) == each.table.seats:
            drawn.append(number)
        elif winner := _first(each, Outcome.WIN):
            parts.append(f"{name(winner[0])} wins at table {number}")
        else:
            shared = listed([name(player) for player in _first(each, Outcome.DRAW)])
            parts.append(f"{shared} share the first place at table {number}")
    first = [f"{_tables(drawn)} {are if drawn[1:] else is_}drawn"] if drawn else []
    return listed([*first, *parts])


def _tables(numbers: Sequence[int]) -> str:
    return f"table{'s' if numbers[1:] else ''} {listed(runs(numbers))}"


def _first(ending: Ending, outcome: Outcome) -> tuple[PlayerId, ...]:
    """Return those whose outcome that is."""
    sides = zip(ending.table.seats, ending.kinds, strict=True)
    return tuple(player for player, (own, _) in sides if own is outcome)


# -- Why


def because_text(question: CutQuestion, case: Case, name: NameOf) -> str:
    """Say what `in` or `out` rests on: `with a draw: even if table 3 is drawn, at most 6 others can reach 13½ points, …`; open: empty."""
    grounds = case.grounds
    if grounds is None:
        return ""
    points = question.profile.points_text(grounds.points)
    points += " point" if points == "1" else " points"
    with_ = f"with a {case.outcome.value}" if case.outcome else "as it stands"
    cut = (
        f"and {counted(question.cut, 'player')} make the cut" if question.cut > 1 else "and one makes the cut"
    )
    if case.verdict == "in":
        count = f"at most {counted(grounds.others, 'other')}" if grounds.others else "nobody else"
        what = f"reach {points}" if grounds.by == "points" else f"end level with {points} or above"
        return f"{with_}: {_even_if(grounds, name)}{count} can {what}, {cut}{_behind(grounds, name)}"
    end = "ends" if grounds.others == 1 else "end"
    what = f"with more than {points}" if grounds.by == "points" else f"above {points} and these tie-breaks"
    return f"{with_}: {_whatever(grounds)}at least {counted(grounds.others, 'other')} {end} {what}, {cut}"


def _whatever(grounds: Grounds) -> str:
    if grounds.apart:
        return f"in each of {counted(grounds.cases, 'case')} of {_tables(grounds.apart)}, "
    return "whatever happens, "


def _even_if(grounds: Grounds, name: NameOf) -> str:
    if grounds.apart or not grounds.tables:
        return _whatever(grounds)
    if len(grounds.tables) > MOST_NAMED:
        return f"whatever {_tables([each.table.number for each in grounds.tables])} end in, "
    return f"even if {endings_text(grounds.tables, name, verb=True)}, "


def _behind(grounds: Grounds, name: NameOf) -> str:
    """Say who can be level on points and is never before the player, by which tie-break."""
    by: dict[str, list[str]] = {}
    for player, code in grounds.behind.items():
        if code:
            by.setdefault(code, []).append(name(player))
    return "".join(
        f"; {listed_short(names)} {'stays' if len(names) == 1 else 'stay'} behind on {code}"
        for code, names in by.items()
    )


# -- Estimates, which are never "in" or "out" by themselves


def chance_text(share: Share, runs: int) -> str:
    """Say an estimate.

    >>> from tourney.forecast.simulation import Share
    >>> chance_text(Share.of(8312, 10000), 10000), chance_text(Share.of(1000, 1000), 1000)
    ('83 % of 10,000 runs (82–84 %)', 'all of 1,000 runs (over 99 %)')
    """
    return f"{share_text(share)} of {runs:,} runs ({interval_text(share)})"


def share_text(share: Share) -> str:
    """Write the share of the runs that went so: where every run did, or none, that proves nothing, and is no percentage.

    >>> from tourney.forecast.simulation import Share
    >>> [share_text(Share.of(hits, 1000)) for hits in (0, 830, 1000)]
    ['none', '83 %', 'all']
    """
    return {0.0: "none", 1.0: "all"}.get(share.share) or percent_text(share.share)


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
