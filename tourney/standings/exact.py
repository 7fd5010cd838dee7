"""Exact values of tie-breaks: what they are made of, sums of them, their arithmetic in writing, and how they are printed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from typing import TYPE_CHECKING, Literal, NamedTuple

from tourney.record import PlayerId

if TYPE_CHECKING:
    from tourney.standings.profile import Profile
    from tourney.standings.scorecards import RoundEntry, Scorecards


Value = Fraction | int | None
"""A tie-break's value: exact; None is "has no value" and sorts last."""

Reach = Literal[0, 1, 2]
"""Whose results a player's value hangs on: 0 the own, 1 those of the opponents, too, 2 of their opponents."""


class Term(NamedTuple):
    """What one round gives to a tie-break.

    entry:    the round
    opponent: whose record the value is taken from; NOBODY: the player's own, or a dummy's
    value:    what is counted, floors and caps applied; None: it is shown and does not count
    worked:   the arithmetic that makes `raw` if there is one, else `value`, in numbers (`5/2 × 1/2`); empty: nothing to
              work out, or (for an opponent's value) what the opponent's own terms make
    raw:      the value before a limit changed it
    note:     why it counts so
    of:       how many games `value` games were won of, where that is what is counted
    """

    entry: RoundEntry
    opponent: PlayerId
    value: Fraction | int | None
    worked: str = ""
    raw: Value = None
    note: str = ""
    of: int | None = None


class Tally(NamedTuple):
    """A tie-break of one player.

    value:       exact; None: has none
    how:         how the terms make it: `mean`, `sum`, or in words
    list_terms:  gives the terms, in order of rounds
    list_worked: gives the arithmetic of the whole where it is neither mean nor sum, and a remark on it
    raw:         the value before a floor or a cap, where there may be one

    Ranking needs values only, so that neither is made before somebody asks.
    """

    value: Value
    how: str = ""
    list_terms: Callable[[], Sequence[Term]] = tuple
    list_worked: Callable[[], tuple[str, str]] | None = None
    raw: Value = None

    @property
    def terms(self) -> Sequence[Term]:
        """The terms that the value is made of, in the order of rounds."""
        return self.list_terms()

    @property
    def worked(self) -> tuple[str, str]:
        """The arithmetic on paper, and a remark on it; both may be empty."""
        if self.list_worked:
            return self.list_worked()
        values = [term.value for term in self.terms if term.value is not None]
        if self.how in ("sum", "count"):
            return added(values), ""
        return (over(added(values), len(values)) if self.how == "mean" else ""), ""


def with_extra(tally: Tally, half_points: int) -> Tally:
    """Return a sum of rounds to which points were added that no round gave; the value has them already."""
    if not half_points:
        return tally
    extra = halves(half_points)

    def worked() -> tuple[str, str]:
        values = [term.value for term in tally.terms if term.value is not None]
        verb = "given" if extra > 0 else "taken"
        return added([*values, extra]), f"{written(abs(extra))} {verb} beside the results"

    return tally._replace(list_worked=worked)


Meetings = Mapping[PlayerId, Mapping[PlayerId, Fraction]]
"""player → opponent → the player's mean points (not halves) in their matches against each other."""


class GroupTally(NamedTuple):
    """A tie-break of players who are level, worked out among them.

    places:   each one's place, 1 for the best; level players share the better one
    met:      what they made against each other, a player without a meeting among them; may be empty if unused
    forfeits: whether unplayed matches are meetings
    unused:   why it decides nothing; empty: it decides
    """

    places: Mapping[PlayerId, int]
    met: Meetings
    forfeits: bool
    unused: str = ""


TieBreakFunction = Callable[["Scorecards", PlayerId], Tally]
"""A tie-break that looks at one player at a time."""


# -- Exact sums, faster than Fractions added one by one


Ratio = tuple[int, int]
"""A value as numerator and denominator."""


@cache
def halves(half_points: int) -> Fraction:
    """Return half points as points, exactly."""
    return Fraction(half_points, 2)


def exact_sum(values: Iterable[Fraction | int]) -> Fraction:
    """Add exactly.

    >>> exact_sum([Fraction(1, 3), Fraction(1, 6), 1])
    Fraction(3, 2)
    """
    return Fraction(*sum_of_ratios([value.as_integer_ratio() for value in values]))


def sum_of_ratios(ratios: Iterable[Ratio]) -> Ratio:
    """Add exactly over one common denominator: several times faster than adding Fractions one by one."""
    total, below = 0, 1
    for over, under in ratios:
        if under == below:
            total += over
        elif below % under == 0:
            total += over * (below // under)
        else:
            common = math.lcm(below, under)
            total = total * (common // below) + over * (common // under)
            below = common
    return total, below


def over_one_denominator(values: Sequence[Value]) -> tuple[int, list[int | None]]:
    """Return a common denominator and the values' numerators over it: whole numbers of the same order.

    >>> over_one_denominator([Fraction(1, 3), None, Fraction(1, 2), 1])
    (6, [2, None, 3, 6])
    """
    ratios = [None if value is None else value.as_integer_ratio() for value in values]
    below = math.lcm(*{ratio[1] for ratio in ratios if ratio})
    return below, [ratio and ratio[0] * (below // ratio[1]) for ratio in ratios]


# -- The tallies that tie-breaks are made of; what is worked out of each player is remembered


def total(terms: Sequence[Term]) -> Tally:
    """Return the sum of the terms' values; those without one are shown and do not count."""
    return Tally(exact_sum([term.value for term in terms if term.value is not None]), "sum", lambda: terms)


def mean(terms: Sequence[Term]) -> Tally:
    """Return the mean of the terms' values; None without a term."""
    if not terms:
        return Tally(None)
    above, below = sum_of_ratios([term.value.as_integer_ratio() for term in terms if term.value is not None])
    return Tally(Fraction(above, below * len(terms)), "mean", lambda: terms)


def opponents_mean(
    scorecards: Scorecards, player: PlayerId, function: TieBreakFunction, reach: Reach
) -> Tally:
    """Return the mean of `function` over the opponents met: repeats count again, byes are skipped.

    reach: how far `function` itself looks; the mean looks one step further
    """
    met = scorecards.met(player)
    if scorecards.few:
        above, below, count = _sum_of_few(scorecards, met, function, reach)
    else:
        scaled = scorecards.scaled.get(function)
        if scaled is None:
            scaled = scorecards.scaled[function] = _scaled(scorecards, function, reach)
        numbers = [number for opponent in met if (number := scaled.above[opponent]) is not None]
        above, below, count = sum(numbers), scaled.below, len(numbers)
    if not count:
        return Tally(None)
    terms = partial(opponents_terms, scorecards, player, function, reach)
    return Tally(Fraction(above, below * count), "mean", terms)


def _sum_of_few(
    scorecards: Scorecards, players: Sequence[PlayerId], function: TieBreakFunction, reach: Reach
) -> tuple[int, int, int]:
    """Return the sum of the players' values as numerator and denominator, and how many players have a value.

    Values that are as they were in the scorecards below are taken from there, if all of them were prepared there.
    """
    ratios: list[Ratio] = []
    count = 0
    if scorecards.under is not None and reach < len(scorecards.under[1]):
        below, changed = scorecards.under[0].scaled.get(function), scorecards.under[1][reach]
        if below is not None:
            numbers = [
                number
                for player in players
                if player not in changed and (number := below.above[player]) is not None
            ]
            ratios.append((sum(numbers), below.below))
            count = len(numbers)
            players = [player for player in players if player in changed]
    for player in players:
        value = remembered(scorecards, player, function, reach)
        if value is not None:
            ratios.append(value.as_integer_ratio())
            count += 1
    return *sum_of_ratios(ratios), count


def opponents_terms(
    scorecards: Scorecards, player: PlayerId, function: TieBreakFunction, reach: Reach
) -> list[Term]:
    """Return the values of `function` of the opponents met, those without one left out."""
    return [
        Term(entry, opponent, value)
        for entry in scorecards[player]
        for opponent in entry.met
        if (value := remembered(scorecards, opponent, function, reach)) is not None
    ]


@dataclass(frozen=True, slots=True)
class Scaled:
    """All players' values over one denominator: sums of them are sums of whole numbers. None: no value."""

    below: int
    above: Mapping[PlayerId, int | None]


def _scaled(scorecards: Scorecards, function: TieBreakFunction, reach: Reach) -> Scaled:
    values = remembered_of(scorecards, scorecards.players, function, reach)
    below, above = over_one_denominator(values)
    return Scaled(below, dict(zip(scorecards.players, above, strict=True)))


def remembered(scorecards: Scorecards, player: PlayerId, function: TieBreakFunction, reach: Reach) -> Value:
    """Return the value of `function`, which looks as far as `reach`, worked out at most once for these scorecards.

    Where a few results differ from those of other scorecards, the values that do not hang on them are worked out there.
    """
    under = scorecards.under
    while under is not None and reach < len(under[1]) and player not in under[1][reach]:
        scorecards = under[0]
        under = scorecards.under
    memo = scorecards.memo.get(function)
    if memo is None:
        memo = scorecards.memo[function] = {}
    try:
        return memo[player]
    except KeyError:
        value = memo[player] = function(scorecards, player).value
        return value


def remembered_of(
    scorecards: Scorecards, players: Sequence[PlayerId], function: TieBreakFunction, reach: Reach
) -> list[Value]:
    """Return the values of several players, as `remembered` does of one."""
    if scorecards.under is not None:
        return [remembered(scorecards, player, function, reach) for player in players]
    memo = scorecards.memo.setdefault(function, {})
    for player in players:
        if player not in memo:
            memo[player] = function(scorecards, player).value
    return [memo[player] for player in players]


# -- Arithmetic as it is written on paper


def added(values: Sequence[Fraction | int]) -> str:
    """Write a sum: `1 + 1/2 + 0`; nothing for nothing."""
    return " + ".join(map(written, values))


def over(above: str, below: int | str) -> str:
    """Write a quotient: `(1 + 1/2)/2`.

    >>> over("1 + 1/2", 2), over("1/2", 1), over("5", "3 + 2")
    ('(1 + 1/2)/2', '(1/2)/1', '5/(3 + 2)')
    """
    if not above:
        return ""
    return f"{_bracketed(above)}/{_bracketed(str(below))}"


def _bracketed(text: str) -> str:
    return text if text.isdigit() else f"({text})"


def written(value: Fraction | int) -> str:
    """Write a number inside arithmetic: a negative one in parentheses."""
    return f"({value})" if value < 0 else str(value)


# -- Values as people read them: decimals half up at stated places, percentages, points, exact fractions


def text_of(value: Value, unit: str, profile: Profile) -> str:
    """Print `value` in the unit of a tie-break's row; without a value a dash."""
    if value is None:
        return _NO_VALUE
    if unit == "percent":
        return decimal_text(100 * value, max(0, profile.decimals - 2))
    if unit == "lot":
        return f"{value:012x}"[:6] if isinstance(value, int) else _NO_VALUE
    if unit == "points" and Fraction(value * 2).denominator == 1:
        return profile.points_text(int(value * 2))
    if Fraction(value).denominator == 1:
        return str(int(value))
    return decimal_text(value, profile.decimals)


_NO_VALUE = "–"
"""What stands where a tie-break has no value."""


def decimal_text(value: Fraction | int, places: int) -> str:
    """Print a value with `places` decimals, half up (away from zero), a plain minus before negative ones.

    >>> [decimal_text(Fraction(n, 8), 2) for n in (1, -1, 5, 16)]
    ['0.13', '-0.13', '0.63', '2.00']
    """
    scaled = math.floor(abs(Fraction(value)) * 10**places + Fraction(1, 2))
    sign = "-" if value < 0 and scaled else ""
    digits = str(scaled).rjust(places + 1, "0")
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else f"{sign}{digits}"


def exact_text(value: Value) -> str:
    """Print a value exactly: `7/12`, `3`; without a value a dash."""
    return _NO_VALUE if value is None else str(value)


def json_value(value: Value) -> float | int | None:
    """Return a value for JSON: whole numbers as they are, others as the nearest decimal; `exact_text` goes beside it."""
    if value is None or isinstance(value, int):
        return value
    return value.numerator if value.denominator == 1 else float(value)
