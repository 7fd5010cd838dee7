"""Exact values of tie-breaks: sums, arithmetic as text, and values as people read them.

Values are `Fraction` or `int`; decimals exist only in text. Half points are points times two, so that they
are whole numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tourney.standings.profile import Profile


Value = Fraction | int | None
"""A tie-break's value; None for a player without one, who is ranked last."""

Ratio = tuple[int, int]
"""A value as numerator and denominator."""


# -- Sums, faster than adding Fractions one by one


@cache
def halves(half_points: int) -> Fraction:
    """Return half points as points."""
    return Fraction(half_points, 2)


def exact_sum(values: Iterable[Fraction | int]) -> Fraction:
    """Return an exact sum.

    >>> exact_sum([Fraction(1, 3), Fraction(1, 6), 1])
    Fraction(3, 2)
    """
    return Fraction(*sum_of_ratios([value.as_integer_ratio() for value in values]))


def sum_of_ratios(ratios: Iterable[Ratio]) -> Ratio:
    """Return the exact sum of fractions, each given as (numerator, denominator)."""
    total, denominator = 0, 1
    for numerator, own_denominator in ratios:
        if own_denominator == denominator:
            total += numerator
        elif denominator % own_denominator == 0:
            total += numerator * (denominator // own_denominator)
        else:
            common = math.lcm(denominator, own_denominator)
            total = total * (common // denominator) + numerator * (common // own_denominator)
            denominator = common
    return total, denominator


def over_one_denominator(values: Sequence[Value]) -> tuple[int, list[int | None]]:
    """Return a common denominator of the values, and their numerators over it.

    The numerators sort in the same order as the values. A value of None stays None.

    >>> over_one_denominator([Fraction(1, 3), None, Fraction(1, 2), 1])
    (6, [2, None, 3, 6])
    """
    ratios = [None if value is None else value.as_integer_ratio() for value in values]
    denominator = math.lcm(*{ratio[1] for ratio in ratios if ratio})
    return denominator, [ratio and ratio[0] * (denominator // ratio[1]) for ratio in ratios]


def ratios_of(values: Iterable[Value]) -> tuple[Ratio | None, ...]:
    """Return each value as a pair (numerator, denominator); None stays None.

    As keys of a dictionary, pairs are hashed faster than fractions. Equal values have equal pairs.
    """
    return tuple(None if value is None else value.as_integer_ratio() for value in values)


# -- Arithmetic as text


def sum_text(values: Iterable[Fraction | int]) -> str:
    """Return a sum as text, `1 + 1/2 + 0`; empty for no values."""
    return " + ".join(map(number_text, values))


def quotient_text(numerator: str, denominator: int | str) -> str:
    """Return a quotient as text; empty for an empty numerator.

    >>> quotient_text("1 + 1/2", 2), quotient_text("1/2", 1), quotient_text("5", "3 + 2")
    ('(1 + 1/2)/2', '(1/2)/1', '5/(3 + 2)')
    """
    parts = [text if text.isdigit() else f"({text})" for text in (numerator, str(denominator))]
    return "/".join(parts) if numerator else ""


def number_text(value: Fraction | int) -> str:
    """Return a number inside arithmetic as text; a negative number is in parentheses."""
    return f"({value})" if value < 0 else str(value)


# -- Values as people read them


_NO_VALUE = "–"


def text_of(value: Value, unit: str, profile: Profile) -> str:
    """Return `value` as text in the unit of its tie-break."""
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


def decimal_text(value: Fraction | int, places: int) -> str:
    """Return a value with `places` decimals, rounded half away from zero.

    >>> [decimal_text(Fraction(n, 8), 2) for n in (1, -1, 5, 16)]
    ['0.13', '-0.13', '0.63', '2.00']
    """
    scaled_value = math.floor(abs(Fraction(value)) * 10**places + Fraction(1, 2))
    sign = "-" if value < 0 and scaled_value else ""
    digits = str(scaled_value).rjust(places + 1, "0")
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else f"{sign}{digits}"


def exact_text(value: Value) -> str:
    """Return the exact value as text, such as `7/12` or `3`; a dash for None."""
    return _NO_VALUE if value is None else str(value)


def json_value(value: Value) -> float | int | None:
    """Return a value for JSON: an int if it is a whole number, otherwise the nearest float."""
    if value is None or isinstance(value, int):
        return value
    return value.numerator if value.denominator == 1 else float(value)
