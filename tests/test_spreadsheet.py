"""Tables for spreadsheets: no cell runs as a formula, and a written table is read back."""

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit import with_rows
from tourney.decode import MAX_CELL, MAX_ROW_CELLS
from tourney.errors import TourneyError
from tourney.spreadsheet import escape_formula, format_csv, parse_csv, unescape_formula

SIGNS = "=+-@＝＋－＠"
HOSTILE = st.text(alphabet="=+-@＝＋－＠﹣'\";,|\t \r\nab1.")


# -- writing


@with_rows("sign", SIGNS)
@with_rows("start", ["", "Bo;", "Bo\t", "Bo,", " ", "Bo; ", 'Bo;"', "Bo\n", "\t", "'"])
def test_puts_an_apostrophe_before_every_formula_sign_at_the_start_of_a_cell(sign, start):
    escaped = escape_formula(f"{start}{sign}HYPERLINK(1)")
    assert escaped.endswith(f"'{sign}HYPERLINK(1)")
    assert unescape_formula(escaped) == f"{start}{sign}HYPERLINK(1)"


@given(HOSTILE)
def test_an_escaped_text_can_be_restored_and_has_no_formula(text):
    """Another program may split the text at any delimiter; no part begins with a formula sign."""
    assert unescape_formula(escape_formula(text)) == text
    for delimiter in ",;\t|":
        for cell in escape_formula(text).split(delimiter):
            start = cell.strip(' \t\r\n"')
            assert not start.startswith(tuple(SIGNS)) or re.fullmatch(r"[+-]\d+(\.\d+)?", text)


def test_does_not_escape_numbers():
    texts = ["-2", "-2.5", "+3", "2½", "–"]
    assert [escape_formula(text) for text in texts] == texts


@given(st.lists(st.lists(HOSTILE, min_size=2, max_size=2), min_size=1))
def test_a_written_table_is_valid_csv(rows):
    read = list(csv.reader(io.StringIO(format_csv(["one", "two"], rows), newline="")))
    assert [[unescape_formula(cell) for cell in row] for row in read[1:]] == rows


# -- reading


@given(
    st.lists(
        st.lists(st.text(st.sampled_from('a"; ,\n\tß\u2028'), max_size=6), min_size=2, max_size=3), max_size=6
    ),
    st.sampled_from(",;\t"),
)
def test_reads_every_cell_and_the_line_of_its_row(rows, delimiter):
    """Cells may contain line ends and quotation marks."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\r\n", quoting=csv.QUOTE_ALL)
    row_starts = []
    for row in rows:
        row_starts.append(out.getvalue().count("\n") + 1)
        writer.writerow(row)
    read = parse_csv(out.getvalue(), delimiter=delimiter, source="x")
    assert list(read) == list(zip(row_starts, rows, strict=True))


@with_rows(
    ("text", "options", "message"),
    [
        (
            'a,b\n"x,1\ny,2\n',
            {},
            "line 2: not readable as a table: a quotation mark is not closed "
            '(inside a quoted cell, write `""`)',
        ),
        (
            'a,b\n"x"y,1\n',
            {},
            "line 2: not readable as a table: text follows a closing quotation mark "
            '(inside a quoted cell, write `""`)',
        ),
        (
            "a\n" + "x" * (MAX_CELL + 1),
            {},
            "line 2: not readable as a table: a cell has more than 100,000 characters",
        ),
        (
            "a\n" + "x" * (MAX_CELL + 1),
            {"delimiter": "\t", "quotes": False},
            "line 2: not readable as a table: a cell has more than 100,000 characters",
        ),
        ("," * MAX_ROW_CELLS, {}, "line 1: 50,001 cells; the limit is 50,000"),
    ],
)
def test_an_unreadable_table_is_refused_with_its_line(text, options, message):
    with pytest.raises(TourneyError) as refusal:
        list(parse_csv(text, source="x.csv", **options))
    assert refusal.value.message == f"x.csv: {message}"


def test_lenient_reading_takes_a_misplaced_quotation_mark_literally():
    rows = list(parse_csv('a,b\n"x,1\ny,2\n', source="x", lenient=True))
    assert rows == [(1, ["a", "b"]), (2, ['"x', "1"]), (3, ["y", "2"])]


def test_tab_separated_cells_are_quoted_only_if_they_contain_a_line_end():
    text = '"Ant" and friends\t1\nBee\t"two\nlines ""of"" it"\t3\n"Left\t4\nRight"\t5\n'
    assert [cells for _, cells in parse_csv(text, delimiter="\t", source="x", quotes=False)] == [
        ['"Ant" and friends', "1"],
        ["Bee", 'two\nlines "of" it', "3"],
        ['"Left', "4"],
        ['Right"', "5"],
    ]
