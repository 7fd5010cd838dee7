"""Points are multiples of one half and are counted as whole half points inside."""

from __future__ import annotations

from fractions import Fraction

from tourney.errors import TourneyError


def points_text(half_points: int) -> str:
    """Print half points as people write points.

    >>> [points_text(n) for n in (0, 1, 2, 5, -1)]
    ['0', '½', '1', '2½', '-½']
    """
    sign, whole, half = "-" if half_points < 0 else "", abs(half_points) // 2, abs(half_points) % 2
    return f"{sign}{whole if whole or not half else ''}{'½' if half else ''}"


def half_points_from_text(text: str) -> int:
    """Read `2½`, `2.5`, `5/2` or `3` as half points. Raises TourneyError if it is no multiple of one half.

    >>> [half_points_from_text(t) for t in ("½", "2½", "2.5", "5/2", "3")]
    [1, 5, 5, 5, 6]
    """
    plain = text.strip()
    half = plain.endswith("½")
    try:
        value = Fraction(plain.removesuffix("½") or "0")
    except (ValueError, ZeroDivisionError):
        raise TourneyError(f"`{text}` is not a number of points") from None
    doubled = value * 2 + (1 if half else 0)
    if doubled.denominator != 1:
        raise TourneyError(f"`{text}` is not a multiple of ½")
    return int(doubled)
