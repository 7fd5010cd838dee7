"""Numbers as people write them, and points as they are printed."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.errors import TourneyError
from tourney.record import format_points, parse_half_points, parse_number, parse_whole_number


@given(st.integers(-(10**6), 10**6))
def test_points_are_read_as_they_are_printed(half_points):
    """`-2½` is minus two and a half: the sign belongs to the half, too."""
    assert parse_half_points(format_points(half_points)) == half_points
    assert parse_half_points(format_points(half_points).replace("-", "−")) == half_points


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("-2½", Fraction(-5, 2)),
        ("−2½", Fraction(-5, 2)),
        ("–2.5", Fraction(-5, 2)),
        ("-½", Fraction(-1, 2)),
        ("- 2 1/2", Fraction(-5, 2)),
        ("+2,5", Fraction(5, 2)),
        ("1/2", Fraction(1, 2)),
        ("½", Fraction(1, 2)),
        ("1⁄3", Fraction(1, 3)),
        ("２．５", Fraction(5, 2)),
        ("２½", Fraction(5, 2)),
        (".5", Fraction(1, 2)),
        (" 3 ", Fraction(3)),
        ("0.333", Fraction(333, 1000)),
    ],
)
def test_the_ways_to_write_a_number(text, number):
    """Halves, fractions, decimals with a point or a comma, full-width digits, every minus."""
    assert parse_number(text) == number


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-",
        "½½",
        "2½3",
        "1/0",
        "1/2/3",
        "--1",
        "1e9",
        "1e-99999999",
        "inf",
        "nan",
        "1_000",
        "٢",
        "2.5.5",
        "9" * 21,
        "1 2",
    ],
)
def test_what_is_no_number(text):
    """Refused, and quickly."""
    with pytest.raises(TourneyError, match="is not a number"):
        parse_number(text)


def test_thirds_are_no_points():
    """Points are multiples of one half."""
    with pytest.raises(TourneyError, match="`1/3` is not a multiple of ½"):
        parse_half_points("1/3")


@pytest.mark.parametrize(
    ("text", "number"),
    [("12", 12), ("１２", 12), (" 7 ", 7), ("+3", 3), ("-3", -3), ("−３", -3), ("－3", -3), ("0", 0)]
    + [
        (text, None)
        for text in ("", "-", "1.0", "½", "²", "1 2", "1_000", "1e3", "1234567", "٣٣", "0x1", "--1")
    ],
)
def test_whole_numbers_are_read_alike_everywhere(text, number):
    """Full-width digits and any minus as in every other number; six digits at most, no other script's, no underscores."""
    if number is None:
        with pytest.raises(TourneyError, match="is not a whole number"):
            parse_whole_number(text, least=None)
    else:
        assert parse_whole_number(text, least=None) == number
