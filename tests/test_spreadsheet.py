"""Tables for spreadsheets: no cell is a formula, and what we wrote we read back."""

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.spreadsheet import escape_formula, format_csv, unescape_formula

SIGNS = "=+-@＝＋－＠"
HOSTILE = st.text(alphabet="=+-@＝＋－＠﹣'\";,|\t \r\nab1.")


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("before", ["", "Bo;", "Bo\t", "Bo,", " ", "Bo; ", 'Bo;"', "Bo\n", "\t", "'"])
def test_a_sign_of_a_formula_is_never_the_first_in_a_cell(sign, before):
    """Whatever the cell is split at, an apostrophe stands before a sign, full-width ones too."""
    kept = escape_formula(f"{before}{sign}HYPERLINK(1)")
    assert kept.endswith(f"'{sign}HYPERLINK(1)")
    assert unescape_formula(kept) == f"{before}{sign}HYPERLINK(1)"


@given(HOSTILE)
def test_the_guard_can_be_taken_back(text):
    """Reading what was written gives the text; nothing that opens the table in another locale meets a formula."""
    assert unescape_formula(escape_formula(text)) == text
    for mark in ",;\t|":
        for cell in escape_formula(text).split(mark):
            bare = cell.strip(' \t\r\n"')
            assert not bare.startswith(tuple(SIGNS)) or re.fullmatch(r"[+-]\d+(\.\d+)?", text)


@given(st.lists(st.lists(HOSTILE, min_size=2, max_size=2), min_size=1))
def test_a_table_is_read_as_it_was_written(rows):
    """RFC 4180: quotation marks, line ends and separators in cells come back."""
    read = list(csv.reader(io.StringIO(format_csv(["one", "two"], rows), newline="")))
    assert [[unescape_formula(cell) for cell in row] for row in read[1:]] == rows


def test_numbers_stay_numbers():
    """A negative number is no formula."""
    assert [escape_formula(text) for text in ("-2", "-2.5", "+3", "2½", "–")] == [
        "-2",
        "-2.5",
        "+3",
        "2½",
        "–",
    ]
