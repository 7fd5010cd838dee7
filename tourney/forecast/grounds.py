"""The reasons for a verdict: the count, the tables that matter, the tie-breaks that decide."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, NamedTuple

from tourney.forecast.bounds import NO_VALUE, CutBounds, Key, Results
from tourney.record import PlayerId
from tourney.standings import tiebreaks
from tourney.standings.completions import Kind, OpenTable
from tourney.standings.exact import Value
from tourney.standings.profile import POINTS

_MOST_TABLES = 500
"""The most open tables among which deciding tables are searched.

With more, sentences do not name tables.
"""


class Ending(NamedTuple):
    """An open table and one kind of its results."""

    table: OpenTable
    results: Results

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kind of these results for each seat."""
        return self.table.kinds[self.results[0]]


class Margin(NamedTuple):
    """The tie-break that keeps another player behind or ahead, and the two closest values.

    A value is None if the tie-break has no value.
    """

    code: str
    mine: Value
    theirs: Value


@dataclass(frozen=True, kw_only=True)
class Grounds:
    """The reasons for a verdict.

    points: the player's half points: the fewest possible for `in`, the most possible for `out`
    others: for `in`, the largest number of other players who can end level or above; for `out`, the smallest
            number of other players who end above
    by:     the comparison: `points`, the whole `order`, or the `ranking` of every completion
    tables: for `in`, the tables whose results change `others`, with the results that raise it most
    level:  player who can be level on points but stays behind (`in`) or ahead (`out`) → the tie-break
    tried:  the tables of which every result was tried
    cases:  the number of combinations of these results
    """

    points: int
    others: int
    by: Literal["points", "order", "ranking"]
    tables: tuple[Ending, ...] = ()
    level: Mapping[PlayerId, Margin] = field(default_factory=dict)
    tried: tuple[OpenTable, ...] = ()
    cases: int = 1


def deciding_tables(bounds: CutBounds, player: PlayerId, ending: Results) -> tuple[Ending, ...]:
    """Return the other tables whose results change how many players can end level or above."""
    if len(bounds.tables) > _MOST_TABLES:
        return ()
    low = bounds.finishes[player, ending].low
    deciding = []
    for at, table in enumerate(bounds.tables):
        if at == bounds.table_of.get(player):
            continue
        seats = [other for other in table.seats if (other, bounds.endings[at][0]) in bounds.finishes]
        numbers = {
            results: sum(bounds.finishes[other, results].high >= low for other in seats)
            for results in bounds.endings[at]
        }
        most = max(numbers, key=numbers.__getitem__)
        if numbers[most] > min(numbers.values()):
            deciding.append(Ending(table, most))
    return tuple(deciding)


def stays_behind(bounds: CutBounds, player: PlayerId, ending: Results) -> dict[PlayerId, Margin]:
    """Return the players who can be level on points but always stay behind on tie-breaks."""
    low = bounds.finishes[player, ending].low
    margins = {}
    for other in bounds.question.players:
        highs = [bounds.finishes[other, results].high for results in _together(bounds, player, ending, other)]
        level = [key for key in highs if _is_level(bounds, key, low)]
        if other != player and level and max(highs) < low:
            margins[other] = _margin(bounds, low, max(level))
    return margins


def stays_ahead(bounds: CutBounds, player: PlayerId, ending: Results) -> dict[PlayerId, Margin]:
    """Return the players who can be level on points but always stay ahead on tie-breaks."""
    high = bounds.finishes[player, ending].high
    margins = {}
    for other in bounds.question.players:
        if other in bounds.question.perhaps_gone:
            continue
        lows = [bounds.finishes[other, results].low for results in _together(bounds, player, ending, other)]
        level = [key for key in lows if _is_level(bounds, key, high)]
        if other != player and level and min(lows) > high:
            margins[other] = _margin(bounds, high, min(level))
    return margins


def _together(bounds: CutBounds, player: PlayerId, ending: Results, other: PlayerId) -> list[Results]:
    """Return the kinds of result that another player's table can have.

    If both players are at one table, the only kind is `ending`.
    """
    own = bounds.table_of.get(player)
    return [ending] if own is not None and bounds.table_of.get(other) == own else bounds.endings_of(other)


def _is_level(bounds: CutBounds, one: Key, other: Key) -> bool:
    """Return whether two keys have the same points.

    If points do not come first in the ranking, return whether both players stayed to the end or both left.
    """
    length = 2 if bounds.codes[1] == POINTS else 1
    return one[:length] == other[:length]


def _margin(bounds: CutBounds, mine: Key, theirs: Key) -> Margin:
    """Return the first tie-break in which two keys differ, with both values."""
    at = next(at for at, (one, other) in enumerate(zip(mine, theirs, strict=False)) if one != other)
    code = bounds.codes[at]
    sign = -1 if tiebreaks.find(code).low else 1
    one, other = (None if value == NO_VALUE else Fraction(sign * value) for value in (mine[at], theirs[at]))
    return Margin(code, one, other)
