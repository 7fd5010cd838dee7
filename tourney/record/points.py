"""Points are multiples of one half and are counted as whole half points inside."""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction

from tourney.errors import TourneyError


def points_text(half_points: int) -> str:
    """Print half points as people write points.

    >>> [points_text(n) for n in (0, 1, 2, 5, -1)]
    ['0', '½', '1', '2½', '-½']
    """
    sign, whole, half = "-" if half_points < 0 else "", abs(half_points) // 2, abs(half_points) % 2
    return f"{sign}{whole if whole or not half else ''}{'½' if half else ''}"


_MINUS = str.maketrans("−‐‑‒–—", "------")


def typed_plainly(text: str) -> str:
    """Write full-width digits and signs as the usual ones, and any minus as `-`; `½` and its like stay.

    >>> typed_plainly("２−１"), typed_plainly("½－½"), typed_plainly("１，３，２")
    ('2-1', '½-½', '1,3,2')
    """
    plain = (
        sign if unicodedata.category(sign) == "No" else unicodedata.normalize("NFKC", sign) for sign in text
    )
    return "".join(plain).translate(_MINUS)


_NUMBER = re.compile(
    r"(?P<sign>[+-]?) ?(?:(?P<whole>[0-9]{1,20})?(?:[.,](?P<tenths>[0-9]{1,20}))?"
    r"|(?:(?P<before>[0-9]{1,20}) )?(?P<over>[0-9]{1,20}) ?/ ?(?P<under>[0-9]{1,20}))"
)


_THOUSANDS = re.compile(r"[+-]? ?[1-9][0-9]{0,2},[0-9]{3}")
"""What is a thousand to some and one to others."""


def number_from_text(text: str) -> Fraction:
    """Read a number as people write it: `2½`, `2 1/2`, `5/2`, `2.5`, `2,5`, `−2½` (full-width digits, any minus).

    Exponents are none of these. Raises TourneyError for what is no number, and for `1,000`, which may be two.

    >>> [str(number_from_text(t)) for t in ("2½", "-2½", "−½", "2 1/2", "1/3", "⅓", "2,5", "２．５")]
    ['5/2', '-5/2', '-1/2', '5/2', '1/3', '1/3', '5/2', '5/2']
    """
    # `½` is a fraction of its own after the whole number, and the sign before both belongs to both.
    apart = "".join(f" {sign} " if unicodedata.category(sign) == "No" else sign for sign in text)
    plain = " ".join(unicodedata.normalize("NFKC", apart).replace("⁄", "/").translate(_MINUS).split())
    found = _NUMBER.fullmatch(plain)
    thousands = _THOUSANDS.fullmatch(plain)
    if thousands:
        raise TourneyError(f"`{text[:40]}` may be {plain.replace(',', '')} or {plain.replace(',', '.')}")
    if not found or not (found["whole"] or found["tenths"] or found["over"]):
        raise TourneyError(f"`{text[:40]}` is not a number (`2½`, `0.33`, `1/3`)")
    if found["over"]:
        if not int(found["under"]):
            raise TourneyError(f"`{text[:40]}` is not a number: a division by 0")
        value = int(found["before"] or 0) + Fraction(int(found["over"]), int(found["under"]))
    else:
        value = Fraction(f"{found['whole'] or 0}.{found['tenths'] or 0}")
    return -value if found["sign"] == "-" else value


def whole_from_text(text: str, *, least: int | None = 0, digits: int = 6) -> int:
    """Read a whole number as people write it: full-width digits and any minus, too.

    least: what it must be at least; None: any number. digits: how many it may have; more are a slip of the hand. Raises TourneyError for what is no such number.

    >>> whole_from_text("12"), whole_from_text("１２"), whole_from_text("−3", least=None)
    (12, 12, -3)
    """
    plain = typed_plainly(text).strip()
    number = plain[1:] if plain[:1] in ("+", "-") else plain
    if not (number.isascii() and number.isdigit() and len(number) <= digits):
        raise TourneyError(f"`{text[:40]}` is not a whole number")
    value = int(plain)
    if least is not None and value < least:
        raise TourneyError(f"`{text[:40]}` is not a whole number from {least} on")
    return value


def half_points_from_text(text: str) -> int:
    """Read `2½`, `2.5`, `5/2` or `3` as half points. Raises TourneyError if it is no multiple of one half.

    >>> [half_points_from_text(t) for t in ("½", "2½", "2.5", "5/2", "3", "-2½")]
    [1, 5, 5, 5, 6, -5]
    """
    doubled = 2 * number_from_text(text)
    if doubled.denominator != 1:
        raise TourneyError(f"`{text}` is not a multiple of ½")
    return int(doubled)
