"""A forecast in sentences that a player understands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from tourney.forecast.cut import Case, Ending, Grounds, Outlook, TableOutlook
from tourney.forecast.needs import Says, says_of
from tourney.record import NameOf, Outcome, PlayerId
from tourney.standings.completions import CutQuestion
from tourney.standings.exact import exact_text, text_of
from tourney.standings.profile import POINTS
from tourney.standings.tiebreaks import find
from tourney.wording import MAX_NAMED, counted, format_ranges, listed, listed_short

if TYPE_CHECKING:
    from tourney.forecast.margins import Margin
    from tourney.forecast.simulation import Share
    from tourney.standings.profile import Profile


def outlook_text(outlook: Outlook) -> str:
    """Describe what a player needs: `in with a draw`, `needs a win`, `open`."""
    return SENTENCES[says_of(outlook)]


SENTENCES: Mapping[Says, str] = {
    "in": "in whatever happens",
    "out": "out whatever happens",
    "is_in": "in",
    "is_out": "out",
    "level": "level with the last place",
    "draw": "in with a draw",
    "draw_not_loss": "in with a draw, out with a loss",
    "win_only": "needs a win",
    "win": "in with a win",
    "win_not_loss": "in with a win, out with a loss",
    "win_open_draw": "in with a win, open with a draw, out with a loss",
    "at_best_level": "level with the last place at best",
    "at_best_level_win": "level with the last place at best with a win, else out",
    "at_best_level_draw": "level with the last place at best with a win or a draw, else out",
    "open": "open",
    "open_win": "open with a win, else out",
    "open_draw": "open with a win or a draw, else out",
    "waits": "open (earlier results are missing)",
    "waits_win": "open with a win, else out (earlier results are missing)",
    "waits_draw": "open with a win or a draw, else out (earlier results are missing)",
}


def _endings_text(endings: Iterable[Ending], name: NameOf) -> str:
    """Say what tables end in, drawn tables first: `tables 3–5 are drawn and Mira wins at table 2`."""
    drawn, others = [], []
    for ending in endings:
        where = _tables([ending.table.number])
        shared = _seats_with(ending, Outcome.DRAW)
        if shared == ending.table.seats:
            drawn.append(ending.table.number)
        elif winners := _seats_with(ending, Outcome.WIN):
            others.append(f"{listed(map(name, winners))} wins at {where}")
        else:
            others.append(f"{listed(map(name, shared))} share the first place at {where}")
    first = [f"{_tables(drawn)} {'are' if drawn[1:] else 'is'} drawn"] if drawn else []
    return listed([*first, *others])


def _seats_with(ending: Ending, outcome: Outcome) -> tuple[PlayerId, ...]:
    seats = zip(ending.table.seats, ending.kinds, strict=True)
    return tuple(player for player, (own, _) in seats if own is outcome)


def _tables(numbers: Sequence[int]) -> str:
    return f"table{'s' if numbers[1:] else ''} {listed(format_ranges(numbers))}"


# -- A table, as all who sit there read it


def draw_text(at: TableOutlook, name: NameOf) -> str:
    """Say whom a draw suits: `a draw suits both`, `a draw suits Mira alone`; nothing where there are no draws."""
    parts = _draw_parts(at, name)
    said = listed([text for text, is_of_draw in parts if is_of_draw])
    return "; ".join(
        [*([f"a draw {said}"] if said else []), *(text for text, is_of_draw in parts if not is_of_draw)]
    )


def draw_parts(at: TableOutlook, name: NameOf) -> list[str]:
    """Say the same beneath the words `a draw`, in as many parts as there are players to whom it is something else."""
    return [text for text, _ in _draw_parts(at, name)]


def _draw_parts(at: TableOutlook, name: NameOf) -> list[tuple[str, bool]]:
    """Give each part, and whether it is said of the draw."""
    drawn = dict(at.drawn())
    two = len(at.outlooks) == 2
    alone = "suits" in drawn and "not enough" in drawn and "open" not in drawn
    parts = []
    for word, players in drawn.items():
        every = len(drawn) == 1
        who = ("both" if two else "all of them") if every else listed(map(name, players))
        if word == "suits":
            parts.append((f"suits {who}{' alone' if alone else ''}", True))
        elif word == "open":
            parts.append((f"leaves {who} open", True))
        elif word == "not enough":
            if every:
                parts.append((f"suits {'neither' if two else 'nobody'}", True))
            elif not alone:
                parts.append((f"is not enough for {who}", True))
        else:
            parts.append((f"{who} {'are' if every or players[1:] else 'is'} {word}", False))
    return parts


# -- Why


def because_text(question: CutQuestion, case: Case, name: NameOf) -> str:
    """Say what `in` or `out` of a cut rests on: `with a draw: even if table 3 is drawn, at most 6 others can reach 13½ points`; open: empty."""
    grounds = case.grounds
    if grounds is None:
        return ""
    points = question.profile.points_text(grounds.points)
    points = with_unit(points)
    with_ = f"with a {case.outcome.value}" if case.outcome else "as it stands"
    if case.verdict == "in":
        count = f"at most {counted(grounds.others, 'other')}" if grounds.others else "nobody else"
        what = f"reach {points}" if grounds.by == "points" else _ranked_text(question, points)
        return f"{with_}: {_even_if(question, grounds, name)}{count} can {what}{_level(question, case, name)}"
    end = "ends" if grounds.others == 1 else "end"
    what = f"with more than {points}"
    if grounds.by != "points":
        what = f"ahead, {what} or better tie-breaks"
    others = counted(grounds.others, "other")
    return (
        f"{with_}: {_whatever(question, grounds)}at least {others} {end} {what}{_level(question, case, name)}"
    )


def _ranked_text(question: CutQuestion, points: str) -> str:
    """Say that others are counted by the whole order: who only reaches the points may still stay behind on tie-breaks."""
    led_by_points = question.profile.order[0] == POINTS and not question.record.left_early
    least = f" ({points} or more)" if led_by_points else ""
    return f"end level or ahead by points and tie-breaks{least}"


def with_unit(points: str) -> str:
    """Say printed points with their unit.

    >>> [with_unit(points) for points in ("0", "½", "0.5", "1", "1½", "13")]
    ['0 points', '½ point', '0.5 points', '1 point', '1½ points', '13 points']
    """
    return f"{points} point{'' if points in {'½', '1'} else 's'}"


def _whatever(question: CutQuestion, grounds: Grounds) -> str:
    if grounds.missing:
        tables = [f"table {table.number} of round {table.round}" for table in grounds.missing]
        return f"in each of {counted(grounds.cases, 'case')} of {listed(tables)}, "
    if grounds.apart:
        return f"in each of {counted(grounds.cases, 'case')} of {_tables(grounds.apart)}, "
    return "" if question.over else "whatever happens, "


def _even_if(question: CutQuestion, grounds: Grounds, name: NameOf) -> str:
    if grounds.apart or grounds.missing or not grounds.tables:
        return _whatever(question, grounds)
    if len(grounds.tables) > MAX_NAMED:
        return f"whatever {_tables([each.table.number for each in grounds.tables])} end in, "
    return f"even if {_endings_text(grounds.tables, name)}, "


def _level(question: CutQuestion, case: Case, name: NameOf) -> str:
    """Say who can be level on points and stays behind all the same, or ahead, by which tie-break and how much."""
    assert case.grounds is not None
    by: dict[str, dict[str, Margin]] = {}
    for player, margin in case.grounds.level.items():
        by.setdefault(margin.code, {})[name(player)] = margin
    side = "behind" if case.verdict == "in" else "ahead"
    return "".join(
        f"; {listed_short(list(margins))} {'stays' if len(margins) == 1 else 'stay'} {side} on {code}"
        f"{_margin_text(question.profile, list(margins.values()), ahead=side == 'ahead')}"
        for code, margins in by.items()
    )


def _margin_text(profile: Profile, margins: Sequence[Margin], *, ahead: bool) -> str:
    """Say how far players stay behind or ahead by one tie-break: by the two values that come nearest, else by the difference."""
    row = find(margins[0].code)
    gaps = [each.gap for each in margins if each.gap is not None]
    mine = [each.mine for each in margins if each.mine is not None]
    theirs = [each.theirs for each in margins if each.theirs is not None]
    if len(gaps) < len(margins):
        return ""
    above = ahead is not row.low
    far, near = (min(theirs), max(mine)) if above else (max(theirs), min(mine))
    if all(each.alone for each in margins) and (far > near if above else far < near):
        words = ("at least", "at most") if above else ("at most", "at least")
        unit = " %" if row.unit == "percent" else ""
        said = [text_of(value, row.unit, profile) + unit for value in (far, near)]
        if said[0] == said[1]:
            said = [exact_text(far), exact_text(near)]
        return f": {words[0]} {said[0]} against {words[1]} {said[1]}"
    gap = min(gaps)
    text = text_of(gap, row.unit, profile)
    if not text.strip("0."):
        text = exact_text(100 * gap if row.unit == "percent" else gap)
    return f" by at least {text}{' percentage points' if row.unit == 'percent' else ''}"


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
