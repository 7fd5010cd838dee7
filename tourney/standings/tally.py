"""The parts of a tie-break: `Tiebreak`, `Tally` and `Term`.

A `Tiebreak` is a row of the table of tie-breaks. A `Tally` is a player's value. A `Term` is what one round
adds to that value.

Each tie-break has a function `(scorecards, player) -> Tally`, and a row in the `ROWS` of the same module.
Ranking needs only values, so a tally lists its terms and writes its arithmetic only on request. Values that
other tie-breaks need are stored with the scorecards (`cached_value`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Literal, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from tourney.record import PlayerId
from tourney.standings.exact import (
    Ratio,
    Value,
    exact_sum,
    halves,
    number_text,
    over_one_denominator,
    quotient_text,
    sum_of_ratios,
    sum_text,
)
from tourney.standings.scorecards import RoundEntry, Scaled, Scorecards

Reach = Literal[0, 1, 2]
"""Whose results a value depends on.

0: the player's own results. 1: also those of the opponents. 2: also those of the opponents' opponents.
"""

Unit = Literal["percent", "points", "number", "rating", "place", "lot"]
"""How values are printed (`exact.text_of`).

Percentages are stored as numbers from 0 to 1, and points as points, not half points.
"""


class Term(Struct, frozen=True):
    """What one round gives to a tie-break.

    entry:          the round
    value:          the value counted, after floor and cap; None if the round is shown but does not count
    sources:        the opponents from whose records the value is calculated; empty if it comes from the
                    player's own record, or from a dummy opponent
    arithmetic:     the calculation (`5/2 × 1/2`) of `value`, or of `raw` if that is set; can be empty
    raw:            the value before a floor, a cap or a cut changed it; None if none did
    note:           the reason for the value: `raised to the floor from 1/4`, `bye`, `cut`, a dummy …
    games_played:   the number of games, if `value` is the number of games won
    opponent_terms: the opponents' own terms, from which `arithmetic` is calculated; only in explanations
    """

    entry: RoundEntry
    value: Fraction | int | None
    sources: tuple[PlayerId, ...] = ()
    arithmetic: str = ""
    raw: Value = None
    note: str = ""
    games_played: int | None = None
    opponent_terms: tuple[Term, ...] = ()

    @property
    def opponents(self) -> tuple[PlayerId, ...]:
        """The opponents to show: those from whose records the value is calculated.

        If `sources` is empty, these are all other players at the table.
        """
        return self.sources or self.entry.opponents


class Tally(NamedTuple):
    """One player's value for a tie-break.

    method:           how the value is calculated from the terms: `mean`, `sum`, `count`, or a phrase
    list_terms:       returns the terms in order of rounds
    write_arithmetic: returns the arithmetic, and a remark about it. If None, the arithmetic of a mean, sum or
                      count is written from the terms, and any other value has no arithmetic
    raw:              the value before a floor or cap changed it; None if the tie-break has neither
    """

    value: Value
    method: str = ""
    list_terms: Callable[[], Sequence[Term]] = tuple
    write_arithmetic: Callable[[], tuple[str, str]] | None = None
    raw: Value = None

    @property
    def terms(self) -> Sequence[Term]:
        """The terms that make the value, in order of rounds."""
        return self.list_terms()

    @property
    def arithmetic(self) -> tuple[str, str]:
        """The arithmetic as text, and a remark about it; both can be empty."""
        if self.write_arithmetic:
            return self.write_arithmetic()
        values = values_of_terms(self.terms)
        if self.method in ("sum", "count"):
            return sum_text(values), ""
        return (quotient_text(sum_text(values), len(values)) if self.method == "mean" else ""), ""


Meetings = Mapping[PlayerId, Mapping[PlayerId, Fraction]]
"""player → opponent → the player's mean points against that opponent.

These are points, not half points.
"""


class GroupTally(NamedTuple):
    """A tie-break among players who are level.

    places:          each player's place, from 1; players who stay level share the better place
    meetings:        each player's mean points against each of the others; can be empty if `reason_unused` is
                     set
    counts_forfeits: whether unplayed matches count as meetings
    reason_unused:   the reason why the tie-break does not apply; empty if it applies
    """

    places: Mapping[PlayerId, int]
    meetings: Meetings
    counts_forfeits: bool
    reason_unused: str = ""


TieBreakFunction = Callable[[Scorecards, PlayerId], Tally]
"""A tie-break that is calculated for one player at a time."""

GroupFunction = Callable[[Scorecards, Sequence[PlayerId]], GroupTally]
"""A tie-break that is calculated among players who are level."""


# -- Rows of the table


class Tiebreak(Struct, frozen=True):
    """A row of the table of tie-breaks. Either `player_function` or `group_function` is set.

    source:            the document and article that define the tie-break
    unit:              how a value is printed
    player_function:   calculates one player's value
    low:               whether the lower value is better
    group_function:    ranks a group of level players
    opponent_function: calculates the value that is counted for each opponent, before floor and cap; None if
                       the tie-break does not count a value of the opponents
    has_limits:        whether the value counted for an opponent, or the player's own value, has a floor and a
                       cap
    parts:             the codes of the tie-breaks that this one combines
    uncut_function:    for a row that leaves out some rounds, the function without that cut
    modifiers:         the codes that can follow the slash; `Ln` means an L and a number
    reach:             whose results the value depends on
    looks_at:          the facts about a match that the tie-break needs besides the outcome
    monotone:          whether better results of opponents, and of the opponents' opponents, can only raise
                       the value or can only lower it; forecasts depend on this
    """

    code: str
    name: str
    source: str
    unit: Unit
    player_function: TieBreakFunction | None = None
    low: bool = False
    group_function: GroupFunction | None = None
    opponent_function: TieBreakFunction | None = None
    has_limits: bool = False
    parts: tuple[str, ...] = ()
    uncut_function: TieBreakFunction | None = None
    modifiers: Mapping[str, Modifier] = field(default_factory=dict)
    reach: Reach = 0
    looks_at: Literal["", "games", "scores"] = ""
    monotone: bool = False


class Modifier(Struct, frozen=True):
    """A modifier of a code, such as `C1` in `BH/C1`, which makes a variant of a tie-break.

    name:   the text that is added to the tie-break's name. For a modifier with a variable number (`Ln`), `{}`
            is replaced with the number in the code, such as -2 in `KS/L-2`
    change: returns the variant, given the tie-break and that number; for other modifiers, the number is 0
    """

    name: str
    change: Callable[[Tiebreak, int], Tiebreak]


def cut_modifier(name: str, *, stays_monotone: bool = True, **cuts: int) -> Modifier:
    """Return a modifier that leaves out values: it calls a tie-break's function with `cuts`.

    cuts: keyword arguments such as `low=1`, which leaves out the lowest value
    stays_monotone: whether the variant of a monotone tie-break is monotone, too (see `Tiebreak.monotone`).
                    False if a better result of an opponent can change which value is left out
    """

    def change(row: Tiebreak, _: int) -> Tiebreak:
        assert row.player_function is not None
        monotone = row.monotone and stays_monotone
        return replace(
            row,
            player_function=partial(row.player_function, **cuts),
            uncut_function=row.player_function,
            monotone=monotone,
        )

    return Modifier(name, change)


LOW_CUTS = {"C1": cut_modifier("cut 1", low=1), "C2": cut_modifier("cut 2", low=2)}
REVERSED = {"R": Modifier("in reverse order", lambda row, _: replace(row, low=not row.low))}

FIDE = "FIDE C.07, in force 2026-03-01, article"
"""The source of FIDE's tie-breaks; a row adds the number of the article."""


# -- Tallies


def values_of_terms(terms: Sequence[Term]) -> list[Fraction | int]:
    """Return the values of `terms`. A term without a value does not count and is left out."""
    return [term.value for term in terms if term.value is not None]


def total(terms: Sequence[Term]) -> Tally:
    """Return the sum of the terms that count."""
    return Tally(exact_sum(values_of_terms(terms)), "sum", lambda: terms)


def mean(terms: Sequence[Term]) -> Tally:
    """Return the mean of the terms' values; a `Tally` without a value if `terms` is empty.

    Every term must have a value.
    """
    if not terms:
        return Tally(None)
    numerator, denominator = sum_of_ratios([value.as_integer_ratio() for value in values_of_terms(terms)])
    return Tally(Fraction(numerator, denominator * len(terms)), "mean", lambda: terms)


def with_extra(tally: Tally, half_points: int) -> Tally:
    """Return the tally, with points that do not come from results added to its explanation.

    half_points: these points, negative if they were taken away; the value of the tally already includes them
    """
    if not half_points:
        return tally
    extra = halves(half_points)

    def write_arithmetic() -> tuple[str, str]:
        verb = "given" if extra > 0 else "deducted"
        remark = f"{number_text(abs(extra))} {verb} in addition to the results"
        return sum_text([*values_of_terms(tally.terms), extra]), remark

    return tally._replace(write_arithmetic=write_arithmetic)


def opponents_mean(
    scorecards: Scorecards, player: PlayerId, function: TieBreakFunction, reach: Reach
) -> Tally:
    """Return the mean of the opponents' values of `function`.

    An opponent who was met twice counts twice. Byes, and opponents without a value, do not count.

    reach: the `Reach` of `function`: whose results its value for an opponent depends on
    """
    opponents = scorecards.counted_opponents(player)
    if scorecards.needs_few_values:
        numerator, denominator, count = _sum_of_few(scorecards, opponents, function, reach)
    else:
        scaled_values = scorecards.scaled_values.get(function)
        if scaled_values is None:
            values = cached_values(scorecards, scorecards.players, function, reach)
            denominator, numerators = over_one_denominator(values)
            scaled_values = Scaled(denominator, dict(zip(scorecards.players, numerators, strict=True)))
            scorecards.scaled_values[function] = scaled_values
        numbers = [
            number for opponent in opponents if (number := scaled_values.numerators[opponent]) is not None
        ]
        numerator, denominator, count = sum(numbers), scaled_values.denominator, len(numbers)
    if not count:
        return Tally(None)
    terms = partial(opponents_terms, scorecards, player, function, reach)
    return Tally(Fraction(numerator, denominator * count), "mean", terms)


def _sum_of_few(
    scorecards: Scorecards, players: Sequence[PlayerId], function: TieBreakFunction, reach: Reach
) -> tuple[int, int, int]:
    """Return the sum of the players' values, and how many players have a value.

    The sum is returned as its numerator and its denominator.

    If the scorecards are a changed copy, and the original scorecards store the values of all players, values
    that the change cannot affect are taken from the original.
    """
    ratios: list[Ratio] = []
    count = 0
    if scorecards.origin is not None and reach < len(scorecards.origin[1]):
        original_values = scorecards.origin[0].scaled_values.get(function)
        changed_players = scorecards.origin[1][reach]
        if original_values is not None:
            numbers = [
                number
                for player in players
                if player not in changed_players
                and (number := original_values.numerators[player]) is not None
            ]
            ratios.append((sum(numbers), original_values.denominator))
            count = len(numbers)
            players = [player for player in players if player in changed_players]
    for player in players:
        value = cached_value(scorecards, player, function, reach)
        if value is not None:
            ratios.append(value.as_integer_ratio())
            count += 1
    return *sum_of_ratios(ratios), count


def opponents_terms(
    scorecards: Scorecards, player: PlayerId, function: TieBreakFunction, reach: Reach
) -> list[Term]:
    """Return a `Term` for each opponent met in each round: the opponent's value of `function`.

    Opponents without a value are left out.
    """
    return [
        Term(entry, value, (opponent,))
        for entry in scorecards[player]
        for opponent in entry.counted_opponents
        if (value := cached_value(scorecards, opponent, function, reach)) is not None
    ]


def cached_value(scorecards: Scorecards, player: PlayerId, function: TieBreakFunction, reach: Reach) -> Value:
    """Return the player's value of `function`, which is calculated only once and then stored.

    If the scorecards are a changed copy (`Scorecards.origin`) and the change cannot affect the value, the
    value is calculated from the original scorecards and stored with them.
    """
    origin = scorecards.origin
    while origin is not None and reach < len(origin[1]) and player not in origin[1][reach]:
        scorecards = origin[0]
        origin = scorecards.origin
    values = scorecards.memo.get(function)
    if values is None:
        values = scorecards.memo[function] = {}
    try:
        return values[player]
    except KeyError:
        value = values[player] = function(scorecards, player).value
        return value


def cached_values(
    scorecards: Scorecards, players: Sequence[PlayerId], function: TieBreakFunction, reach: Reach
) -> list[Value]:
    """Return the values of several players, like `cached_value` for one player."""
    if scorecards.origin is not None:
        return [cached_value(scorecards, player, function, reach) for player in players]
    values = scorecards.memo.setdefault(function, {})
    for player in players:
        if player not in values:
            values[player] = function(scorecards, player).value
    return [values[player] for player in players]
