"""Tables for spreadsheets: no cell is a formula, and what we wrote we read back."""

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.spreadsheet import csv_text, guarded, unguarded

SIGNS = "=+-@＝＋－＠"
HOSTILE = st.text(alphabet="=+-@＝＋－＠﹣'\";,|\t \r\nab1.")


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("before", ["", "Bo;", "Bo\t", "Bo,", " ", "Bo; ", 'Bo;"', "Bo\n", "\t", "'"])
def test_a_sign_of_a_formula_is_never_the_first_in_a_cell(sign, before):
    """Whatever the cell is split at, an apostrophe stands before a sign, full-width ones too."""
    kept = guarded(f"{before}{sign}HYPERLINK(1)")
    assert kept.endswith(f"'{sign}HYPERLINK(1)")
    assert unguarded(kept) == f"{before}{sign}HYPERLINK(1)"


@given(HOSTILE)
def test_the_guard_can_be_taken_back(text):
    """Reading what was written gives the text; nothing that opens the table in another locale meets a formula."""
    assert unguarded(guarded(text)) == text
    for mark in ",;\t|":
        for cell in guarded(text).split(mark):
            bare = cell.strip(' \t\r\n"')
            assert not bare.startswith(tuple(SIGNS)) or re.fullmatch(r"[+-]\d+(\.\d+)?", text)


@given(st.lists(st.lists(HOSTILE, min_size=2, max_size=2), min_size=1))
def test_a_table_is_read_as_it_was_written(rows):
    """RFC 4180: quotation marks, line ends and separators in cells come back."""
    read = list(csv.reader(io.StringIO(csv_text(["one", "two"], rows), newline="")))
    assert [[unguarded(cell) for cell in row] for row in read[1:]] == rows


def test_numbers_stay_numbers():
    """A negative number is no formula."""
    assert [guarded(text) for text in ("-2", "-2.5", "+3", "2½", "–")] == ["-2", "-2.5", "+3", "2½", "–"]
