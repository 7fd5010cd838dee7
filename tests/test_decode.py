"""Data from outside: error messages and limits of TOML and JSON, and the encodings of text."""

import tomllib
from fractions import Fraction
from typing import Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit import with_rows
from tourney.decode import (
    MAX_DEPTH,
    MAX_DIGITS,
    MAX_KEY_PARTS,
    MAX_TEXT,
    MAX_TOML,
    check_text,
    decode_text,
    from_json,
    from_toml,
    parse_number_literal,
    parse_toml,
)
from tourney.errors import TourneyError


class Limit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    max: int
    severity: Literal["error", "advice"] = "error"


class Sheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    limit: list[Limit]


@with_rows(
    ("text", "message"),
    [
        ('limit = [{max = "4"}]', "f.toml: limit[0].max: expected a whole number, found text"),
        ("limit = [{max = 4, mix = 1}]", "f.toml: limit[0]: unknown key `mix`; did you mean `max`?"),
        ("limit = [{}]", "f.toml: limit[0]: the key `max` is missing"),
        ("limit = 4", "f.toml: limit: expected a list, found a whole number"),
        (
            'limit = [{max = 4, severity = "fatal"}]',
            "f.toml: limit[0].severity: expected advice or error, found `fatal`",
        ),
        ("limit = ", "f.toml: not readable as TOML: invalid value (at end of document)"),
    ],
)
def test_an_error_in_toml_names_file_and_key_path(text, message):
    with pytest.raises(TourneyError) as refusal:
        from_toml(text, Sheet, source="f.toml")
    assert refusal.value.message == message


# -- limits


@with_rows(
    ("text", "message"),
    [
        ("a = " + "9" * 5000, "a number with more than"),
        ("a = " + "9" * (MAX_DIGITS + 1), "a number with more than"),
        ("a = 0x" + "f" * 50_000, "a number with more than"),
        ("a = 1e999999", "is not a number with at most"),
        ("a = 1e-99999999", "is not a number with at most"),
        ("a = nan", "is not a number"),
        ("a = " + "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), "nested more than"),
        ("a = " + "[" * 5000 + "]" * 5000, "nested too deeply"),
        (".".join("a" * (MAX_KEY_PARTS + 1)) + " = 1", "line 1: a key with more than"),
        ("x = 1\n[" + " . ".join(['"a b"'] * (MAX_KEY_PARTS + 1)) + "]", "line 2: a key with more than"),
        ("x = {" + "a." * 20_000 + "a=1}", "a key with more than"),
        ("a." * 20_000 + "a=1\n", "a key with more than"),
        ('"\\""' + ".a" * 20_000 + "=1", "line 1: a key with more than"),
        ('x={\'a\'."b\\""' + ".a" * 20_000 + "=1}", "line 1: a key with more than"),
        ("y = '" + "'''.'" + "'\n" + "a." * 20_000 + "a=1", "not readable as TOML"),
        ("\n".join(f"[k{n}.{'.'.join('abcdefghijk')}]" for n in range(3_000)), "dots in keys"),
        (
            'a = ["x"]\nb = """" \\" """\nc = \'\'\'\'\'\'\n' + "a." * 20_000 + "a=1\n",
            "line 4: a key with more than",
        ),
        ('x = {a = """b"""", ' + "a." * 20_000 + 'a=1, c="d"}', "line 1: a key with more than"),
        ('a = ["x", "y\'", {z."' + '". "'.join("ab" * 20_000) + '" = 1}]', "line 1: a key with more than"),
        ("#" * (MAX_TOML + 1), "characters; the limit is 2,000,000"),
    ],
)
def test_rejects_toml_that_would_use_up_the_machine(text, message):
    with pytest.raises(TourneyError, match=r"^f\.toml: ") as refusal:
        parse_toml(text, source="f.toml")
    assert message in refusal.value.message
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
_KEY_PARTS = ("a", "a-1", '"a b"', '"\\""', '"\\\\"', "'\"'", "'\\'", '"#"', "'.'", '"a.b"', '""', "''")


@given(
    statements=st.lists(st.sampled_from(_STATEMENTS), max_size=6),
    parts=st.lists(st.sampled_from(_KEY_PARTS), min_size=2, max_size=MAX_KEY_PARTS + 4),
    dot=st.sampled_from([".", " . ", "\t."]),
    form=st.sampled_from(
        ["z.{} = 1", "[z.{}]", "[[z.{}]]", "z = {{ {} = 1 }}", "z = [{{ y = 1, z.{} = 1 }}]"]
    ),
)
def test_strings_and_comments_before_a_key_do_not_change_its_number_of_parts(statements, parts, dot, form):
    lines = [line.format(n=number) for number, line in enumerate(statements)]
    text = "\n".join([*lines, form.format(dot.join(parts))])
    if len(parts) < MAX_KEY_PARTS:
        assert parse_toml(text, source="f.toml") == tomllib.loads(text)
    elif len(parts) > MAX_KEY_PARTS:
        with pytest.raises(TourneyError, match=f"a key with more than {MAX_KEY_PARTS} parts"):
            parse_toml(text, source="f.toml")


def test_reads_long_honest_toml():
    """Dots in texts and comments, twelve key parts and thirty digits are within the limits."""
    text = 'note = "1.2.3.4.5.6.7.8.9.10.11.12.13.14.15.16 = sixteen parts"\nhash = "%s"\n' % ("9" * 200)
    dotted = "a." * 40 + "a"
    text += f'texts = ["x [{dotted}] = ", \'[{dotted}]\', """\n{dotted} = 1 "" \\"\n""", '
    text += f"'''\n{dotted} = 1''']\n"
    text += f"# {{{dotted} = 1}}\n"
    text += ".".join("abcdefghijkl"[:MAX_KEY_PARTS]) + f" = {'9' * MAX_DIGITS}\n"
    assert parse_toml(text, source="f.toml")["hash"] == "9" * 200


@with_rows(
    "text",
    [
        "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1),
        "[" * 100_000,
        "9" * 5000,
        "9" * 60,
        '"\\ud800"',
        "1e999999",
    ],
)
def test_rejects_json_that_would_use_up_the_machine(text):
    with pytest.raises(TourneyError, match=r"^f\.json: "):
        from_json(f"[{text}]", list[list | int | str], source="f.json")


@given(st.from_regex(r"[-+]?[0-9]{1,40}(\.[0-9]{1,40})?([eE][-+]?[0-9]{1,9})?", fullmatch=True))
def test_a_number_literal_is_exact_or_refused(text):
    try:
        value = parse_number_literal(text)
    except ValueError:
        digits, _, exponent = text.lower().partition("e")
        longest = max(len(part.lstrip("+-")) for part in digits.split("."))
        assert longest > MAX_DIGITS or abs(int(exponent or 0)) > MAX_DIGITS
    else:
        assert value == Fraction(text)


@with_rows(("text", "unit"), [("x", "characters"), (b"x", "bytes")])
def test_rejects_a_text_over_the_limit(text, unit):
    check_text(text * MAX_TEXT, source="f")
    with pytest.raises(TourneyError, match=f"^f: 10,000,001 {unit}; the limit is 10,000,000$"):
        check_text(text * (MAX_TEXT + 1), source="f")


# -- encodings


@with_rows(
    ("codec", "name"),
    [
        ("utf-8", "UTF-8"),
        ("utf-8-sig", "UTF-8"),
        ("utf-16", "UTF-16"),
        ("utf-16-le", "UTF-16"),
        ("utf-16-be", "UTF-16"),
        ("utf-32", "UTF-32"),
        ("cp1252", "Windows-1252"),
    ],
)
def test_detects_the_encoding_of_a_text(codec, name):
    text = "Zoë, Weiß\nMüller, Ada\n"
    assert decode_text(text.encode(codec), source="f") == (text, name)


@with_rows("codec", ["utf-16-le", "utf-16-be"])
@with_rows("text", ["Ada", "名前,得点\n山田,3\n", "Имя;Клуб\n"])
def test_detects_utf_16_in_any_script_without_a_byte_order_mark(codec, text):
    assert decode_text(text.encode(codec), source="f") == (text, "UTF-16")


@with_rows(
    ("data", "options", "message"),
    [
        (b"a\n\x81", {}, "f:2: neither UTF-8 nor Windows-1252; save it as UTF-8"),
        (b"\xff\xfea\x00b", {}, "f: starts like UTF-16 but is not; save it as UTF-8"),
        (b"a\n\xe9", {"encoding": "utf8"}, "f:2: not UTF-8 text"),
        (
            b"a",
            {"encoding": "rot13"},
            "unknown encoding `rot13` (utf-8, utf-16, cp1252, cp1250, shift_jis …)",
        ),
    ],
)
def test_rejects_bytes_that_do_not_fit_the_encoding(data, options, message):
    with pytest.raises(TourneyError) as refusal:
        decode_text(data, source="f", **options)
    assert refusal.value.message == message


def test_lenient_reading_replaces_undefined_bytes():
    assert decode_text(b"Caf\xe9 \x81", source="f", lenient=True) == ("Café \ufffd", "Windows-1252")
