"""Data from outside: the first fault is told with file and key path, in our words."""

import tomllib
from fractions import Fraction

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.decode import (
    MAX_DEPTH,
    MAX_DIGITS,
    MAX_KEY_PARTS,
    MAX_TOML,
    from_json,
    from_toml,
    parse_number_literal,
    parse_toml,
)
from tourney.errors import TourneyError
from tourney.spreadsheet import parse_csv


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
    assert list(parse_csv(out.getvalue(), delimiter=delimiter, source="x")) == list(
        zip(begins, rows, strict=True)
    )


def test_quotation_marks_that_do_not_fit():
    """Refused with the line that opens them; read as letters where the reader is lenient, and nothing is lost."""
    text = 'a,b\n"x,1\ny,2\n'
    with pytest.raises(
        TourneyError, match=r"x\.csv: line 2: not readable as a table: a quotation mark opens"
    ):
        list(parse_csv(text, source="x.csv"))
    assert list(parse_csv(text, source="x", lenient=True)) == [
        (1, ["a", "b"]),
        (2, ['"x', "1"]),
        (3, ["y", "2"]),
    ]


def test_tab_separated_cells_are_quoted_only_over_line_ends():
    """A quotation mark belongs to the text, unless the cell goes on on the next line and closes there."""
    text = '"Ant" and friends\t1\nBee\t"two\nlines ""of"" it"\t3\n"Left\t4\nRight"\t5\n'
    assert [cells for _, cells in parse_csv(text, delimiter="\t", source="x", quotes=False)] == [
        ['"Ant" and friends', "1"],
        ["Bee", 'two\nlines "of" it', "3"],
        ['"Left', "4"],
        ['Right"', "5"],
    ]


# -- limits


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = " + "9" * 5000, "a number of more than"),
        ("a = " + "9" * (MAX_DIGITS + 1), "a number of more than"),
        ("a = 0x" + "f" * 50_000, "a number of more than"),
        ("a = 1e999999", "or one of more than"),
        ("a = 1e-99999999", "or one of more than"),
        ("a = nan", "is not a number"),
        ("a = " + "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), "nested more than"),
        ("a = " + "[" * 5000 + "]" * 5000, "nested too deeply"),
        (".".join("a" * (MAX_KEY_PARTS + 1)) + " = 1", "line 1: a key of more than"),
        ("x = 1\n[" + " . ".join(['"a b"'] * (MAX_KEY_PARTS + 1)) + "]", "line 2: a key of more than"),
        ("x = {" + "a." * 20_000 + "a=1}", "a key of more than"),
        ("a." * 20_000 + "a=1\n", "a key of more than"),
        ('"\\""' + ".a" * 20_000 + "=1", "line 1: a key of more than"),
        ('x={\'a\'."b\\""' + ".a" * 20_000 + "=1}", "line 1: a key of more than"),
        ("y = '" + "'''.'" + "'\n" + "a." * 20_000 + "a=1", "not readable as TOML"),
        ("\n".join(f"[k{n}.{'.'.join('abcdefghijk')}]" for n in range(3_000)), "dots in keys"),
        (
            'a = ["x"]\nb = """" \\" """\nc = \'\'\'\'\'\'\n' + "a." * 20_000 + "a=1\n",
            "line 4: a key of more than",
        ),
        ('x = {a = """b"""", ' + "a." * 20_000 + 'a=1, c="d"}', "line 1: a key of more than"),
        ('a = ["x", "y\'", {z."' + '". "'.join("ab" * 20_000) + '" = 1}]', "line 1: a key of more than"),
        ("#" * (MAX_TOML + 1), "letters, a TOML file has at most"),
    ],
    ids=lambda text: text[:30],
)
def test_toml_that_would_use_up_the_machine_is_refused(text, said):
    """Endless numbers, endless nesting and endless keys are told with the file; none takes more than a moment."""
    with pytest.raises(TourneyError, match=r"^f\.toml: ") as refusal:
        parse_toml(text, source="f.toml")
    assert said in refusal.value.message
    assert len(refusal.value.message) < 200


_STATEMENTS = (
    '#  a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a = 1 """ \' "',
    "k{n} = \"a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a \\\" ''' # \\\\\"",
    "k{n} = 'a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a \" # \\'",
    'k{n} = """a.a.a.a.a.a.a.a.a.a.a.a.a.a.a\n"" \\"" \' # """""',
    "k{n} = '''a.a.a.a.a.a.a.a.a.a.a.a.a.a.a\n'' \\ # \" '''''",
    "k{n} = [1.5, 2026-10-04T14:00:00.123, {{ a.b = \"\" }}, '']",
    "\"'\".'\"'.k{n} = 1.5e3",
)
_PARTS = ("a", "a-1", '"a b"', '"\\""', '"\\\\"', "'\"'", "'\\'", '"#"', "'.'", '"a.b"', '""', "''")


@given(
    before=st.lists(st.sampled_from(_STATEMENTS), max_size=6),
    parts=st.lists(st.sampled_from(_PARTS), min_size=2, max_size=MAX_KEY_PARTS + 4),
    dot=st.sampled_from([".", " . ", "\t."]),
    shape=st.sampled_from(
        ["z.{} = 1", "[z.{}]", "[[z.{}]]", "z = {{ {} = 1 }}", "z = [{{ y = 1, z.{} = 1 }}]"]
    ),
)
def test_the_parts_of_a_key_are_counted_whatever_stands_before_it(before, parts, dot, shape):
    """Strings of every kind, remarks and escapes neither hide a long key nor make one."""
    lines = [line.format(n=number) for number, line in enumerate(before)]
    text = "\n".join([*lines, shape.format(dot.join(parts))])
    if len(parts) < MAX_KEY_PARTS:
        assert parse_toml(text, source="f.toml") == tomllib.loads(text)
    elif len(parts) > MAX_KEY_PARTS:
        with pytest.raises(TourneyError, match=f"a key of more than {MAX_KEY_PARTS} parts"):
            parse_toml(text, source="f.toml")


def test_what_is_long_but_honest_is_read():
    """The limits do not meet what people write: dots in texts, twelve levels, thirty digits."""
    text = 'note = "1.2.3.4.5.6.7.8.9.10.11.12.13.14.15.16 = sixteen parts"\nhash = "%s"\n' % ("9" * 200)
    dotted = "a." * 40 + "a"
    text += f'texts = ["x [{dotted}] = ", \'[{dotted}]\', """\n{dotted} = 1 "" \\"\n""", \'\'\'\n{dotted} = 1\'\'\']\n'
    text += f"# {{{dotted} = 1}}\n"
    text += ".".join("abcdefghijkl"[:MAX_KEY_PARTS]) + f" = {'9' * MAX_DIGITS}\n"
    assert parse_toml(text, source="f.toml")["hash"] == "9" * 200


@pytest.mark.parametrize(
    "text",
    [
        "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1),
        "9" * 5000,
        "9" * 60,
        '"\\ud800"',
        "1e999999",
    ],
)
def test_json_that_would_use_up_the_machine_is_refused(text):
    """The same limits hold for JSON, and half a letter is none."""
    with pytest.raises(TourneyError, match=r"^f\.json: "):
        from_json(f"[{text}]", list[list | int | str], source="f.json")


@given(st.from_regex(r"[-+]?[0-9]{1,40}(\.[0-9]{1,40})?([eE][-+]?[0-9]{1,9})?", fullmatch=True))
def test_numbers_are_exact_or_refused(text):
    """What is read is the number itself; what is refused is longer than anybody means."""
    try:
        value = parse_number_literal(text)
    except ValueError:
        digits, _, exponent = text.lower().partition("e")
        longest = max(len(part.lstrip("+-")) for part in digits.split("."))
        assert longest > MAX_DIGITS or abs(int(exponent or 0)) > MAX_DIGITS
    else:
        assert value == Fraction(text)
