"""Data from outside: the first fault is told with file and key path, in our words."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.door import from_csv, from_json, from_toml
from tourney.errors import TourneyError


class Limit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    max: int


class Sheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    limit: list[Limit]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('limit = [{max = "4"}]', "f.toml: limit[0].max: expected a whole number, found text"),
        ("limit = [{max = 4, mix = 1}]", "f.toml: limit[0]: there is no key `mix` here"),
        ("limit = [{}]", "f.toml: limit[0]: the key `max` is missing"),
        ("limit = 4", "f.toml: limit: expected a list, found a whole number"),
        ("limit = ", "f.toml: not readable as TOML: invalid value (at end of document)"),
    ],
)
def test_a_fault_in_toml_names_file_and_key_path(text, said):
    """The message starts with the file, then the key path, then what was expected and found."""
    with pytest.raises(TourneyError) as refusal:
        from_toml(text, Sheet, source="f.toml")
    assert refusal.value.message == said


def test_deep_json_is_refused_not_crashed():
    """A hundred thousand brackets are a refusal, not a RecursionError."""
    with pytest.raises(TourneyError, match=r"^f\.json: "):
        from_json("[" * 100_000, Sheet, source="f.json")


@given(
    st.lists(
        st.lists(st.text(st.sampled_from('a"; ,\n\tß\u2028'), max_size=6), min_size=2, max_size=3), max_size=6
    ),
    st.sampled_from(",;\t"),
)
def test_a_table_is_read_as_it_was_written(rows, delimiter):
    """Every cell comes back, line ends and quotation marks in it too, with the line its row begins on."""
    import csv
    import io

    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\r\n", quoting=csv.QUOTE_ALL)
    begins = []
    for row in rows:
        begins.append(out.getvalue().count("\n") + 1)
        writer.writerow(row)
    assert list(from_csv(out.getvalue(), delimiter=delimiter, source="x")) == list(
        zip(begins, rows, strict=True)
    )


def test_quotation_marks_that_do_not_fit():
    """Refused with the line that opens them; read as letters where the reader is lenient, and nothing is lost."""
    text = 'a,b\n"x,1\ny,2\n'
    with pytest.raises(
        TourneyError, match=r"x\.csv: line 2: not readable as a table: a quotation mark opens"
    ):
        list(from_csv(text, source="x.csv"))
    assert list(from_csv(text, source="x", lenient=True)) == [
        (1, ["a", "b"]),
        (2, ['"x', "1"]),
        (3, ["y", "2"]),
    ]


def test_tab_separated_cells_are_quoted_only_over_line_ends():
    """A quotation mark belongs to the text, unless the cell goes on on the next line and closes there."""
    text = '"Ant" and friends\t1\nBee\t"two\nlines ""of"" it"\t3\n"Left\t4\nRight"\t5\n'
    assert [cells for _, cells in from_csv(text, delimiter="\t", source="x", quotes=False)] == [
        ['"Ant" and friends', "1"],
        ["Bee", 'two\nlines "of" it', "3"],
        ['"Left', "4"],
        ['Right"', "5"],
    ]
