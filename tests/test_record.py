"""Records, and the numbers and points that people type."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit import with_rows
from tourney.errors import TourneyError
from tourney.record import format_points, parse_half_points, parse_number, parse_whole_number


@given(st.integers(-(10**6), 10**6))
def test_parses_points_as_they_are_printed(half_points):
    """The sign of `-2½` applies to the half, too."""
    assert parse_half_points(format_points(half_points)) == half_points
    assert parse_half_points(format_points(half_points).replace("-", "−")) == half_points


@with_rows(
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
def test_parses_a_number_in_every_notation(text, number):
    assert parse_number(text) == number


@with_rows(
    "text",
    [
        *("", "-", "½½", "2½3", "1/0", "1/2/3", "--1", "1e9", "1e-99999999", "inf", "nan", "1_000"),
        *("٢", "2.5.5", "9" * 21, "1 2"),
    ],
)
def test_rejects_text_that_is_not_a_number(text):
    with pytest.raises(TourneyError, match="is not a number"):
        parse_number(text)


def test_rejects_a_comma_that_can_mean_thousands_or_decimals():
    with pytest.raises(TourneyError, match=r"`1,000` can mean 1000 or 1\.000; write one of them"):
        parse_number("1,000")


def test_rejects_points_that_are_not_halves():
    with pytest.raises(TourneyError, match="`1/3` is not a multiple of ½"):
        parse_half_points("1/3")


@with_rows(
    ("text", "number"),
    [("12", 12), ("１２", 12), (" 7 ", 7), ("+3", 3), ("-3", -3), ("−３", -3), ("－3", -3), ("0", 0)],
)
def test_parses_a_whole_number(text, number):
    assert parse_whole_number(text, least=None) == number


@with_rows("text", ["", "-", "1.0", "½", "²", "1 2", "1_000", "1e3", "1234567", "٣٣", "0x1", "--1"])
def test_rejects_text_that_is_not_a_whole_number(text):
    with pytest.raises(TourneyError, match="is not a whole number"):
        parse_whole_number(text, least=None)


def test_rejects_a_whole_number_that_is_too_small():
    with pytest.raises(TourneyError, match="`-1` is not a whole number of at least 0"):
        parse_whole_number("-1")
