"""Values as people read them."""

from fractions import Fraction

from tests.kit import with_rows
from tests.standings.profiles import shipped
from tourney.standings import Key, Row
from tourney.standings.exact import decimal_text, exact_text, json_value
from tourney.standings.ranking import note_text, record_text, value_text


@with_rows(
    ("value", "places", "text"),
    [
        ("1/8", 2, "0.13"),
        ("5/8", 2, "0.63"),
        ("3/8", 2, "0.38"),
        ("1/3", 4, "0.3333"),
        ("2/3", 4, "0.6667"),
        ("0.125", 3, "0.125"),
        ("0.0005", 3, "0.001"),
        ("-0.0004", 3, "0.000"),
        ("-1/8", 2, "-0.13"),
        ("7", 0, "7"),
        ("13/2", 0, "7"),
        ("-13/2", 0, "-7"),
        ("7", 2, "7.00"),
        ("123456789/2", 1, "61728394.5"),
    ],
)
def test_rounds_decimals_half_up(value, places, text):
    """Half goes away from zero, exactly: 0.125 is 0.13, which binary floats print as 0.12."""
    assert decimal_text(Fraction(value), places) == text


@with_rows(
    ("profile", "half_points", "text"),
    [
        ("tourney", 5, "2½"),
        ("tourney", 1, "½"),
        ("tourney", 4, "2"),
        ("mtr", 14, "7"),
        ("mtr", 15, "7.5"),
        ("fide", 5, "2.5"),
        ("mtr", -3, "-1.5"),
    ],
)
def test_prints_points_as_the_profile_says(profile, half_points, text):
    """Halves by sign or as a decimal; whole points without one."""
    assert shipped(profile).points_text(half_points) == text


@with_rows(
    ("profile", "code", "value", "text"),
    [
        ("mtr", "OMW", Fraction(7, 12), "58.33"),
        ("mtr", "OMW", Fraction(1), "100.00"),
        ("mtr", "OMW", None, "–"),
        ("cobra", "SOS", Fraction(91, 27), "3.3704"),
        ("cobra", "SOS", Fraction(3), "3"),
        ("tourney", "H2H", 1, "1"),
        ("tourney", "LOT", 0xABCDEF012345, "abcdef"),
        ("tourney", "LOT", 5, "000000"),
        ("tourney", "LOT", None, "–"),
        ("tourney", "VP", 61, "61"),
        ("tourney", "VPD", Fraction(5, 2), "2½"),
        ("fide", "BH/C1", Fraction(41, 2), "20.5"),
        ("fide", "SB", Fraction(41, 4), "10.25"),
        ("fide", "AOB", Fraction(35, 3), "11.67"),
        ("fide", "ARO", 1750, "1750"),
        ("kts", "KTS", 33726677009, "33726677009"),
    ],
)
def test_prints_values_in_their_unit(profile, code, value, text):
    """Percentages, points, places and numbers; no value is a dash."""
    assert value_text(Key(code, value), shipped(profile)) == text


def test_exact_and_json_values():
    """The fraction, and the nearest decimal."""
    assert [exact_text(value) for value in (Fraction(7, 12), Fraction(3), 4, None)] == ["7/12", "3", "4", "–"]
    assert [json_value(value) for value in (Fraction(1, 4), Fraction(3), 4, None)] == [0.25, 3, 4, None]


def test_prints_records_and_notes():
    """Draws only if there are any; a disqualification replaces a drop."""
    row = Row(rank=1, player=1, points=4, wins=2, losses=1, draws=0, keys=())
    assert record_text(row) == "2–1"
    gone = Row(
        rank=None,
        player=1,
        points=4,
        wins=2,
        losses=1,
        draws=3,
        keys=(),
        has_dropped=True,
        is_disqualified=True,
    )
    assert (record_text(gone), note_text(gone), note_text(row)) == ("2–1–3", "disqualified", "")
