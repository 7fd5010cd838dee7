"""From bytes to text: encodings, invisible characters, data that is not text."""

import subprocess
import sys
from importlib.util import find_spec

import pytest

from tests.decks.kit import cards, rules
from tests.kit import ROOT, with_rows
from tourney.decks import decode, read
from tourney.decks.reading.text import MAX_BYTES, split_lines, tidy
from tourney.errors import TourneyError

TEXT = "4 Mühle\n2 Kite’s Tail\n"


@with_rows(
    ("data", "encoding"),
    [
        (TEXT.encode("utf-8"), None),
        (TEXT.encode("utf-8-sig"), None),
        (TEXT.encode("utf-16"), "UTF-16"),
        (b"\xfe\xff" + TEXT.encode("utf-16-be"), "UTF-16"),
        (TEXT.encode("utf-16-le"), "UTF-16"),
        (TEXT.encode("utf-16-be"), "UTF-16"),
        (TEXT.encode("utf-32"), "UTF-32"),
        (TEXT.encode("cp1252"), "Windows-1252"),
    ],
)
def test_reads_every_usual_encoding(data, encoding):
    """The cards are the same; a note names an encoding other than UTF-8."""
    made = read(data, source="deck")
    assert cards(made.lines) == ["4 Mühle", "2 Kite’s Tail"]
    assert [
        note.message for note in made.notes if encoding and encoding in note.message
    ] != [] or encoding is None
    assert (encoding is None) == (made.notes == ())


def test_reads_latin_1_letters():
    """Latin-1 is read as Windows-1252, which includes it."""
    assert cards(read("4 Café".encode("latin-1"), source="deck").lines) == ["4 Café"]


@with_rows(
    "data",
    [
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00",
        b"PK\x03\x04\x14\x00\x00\x00\x08\x00",
        b"SQLite format 3\x00",
        bytes(range(32)) * 4,
    ],
)
def test_refuses_data_that_is_not_text(data):
    """Pictures, archives and databases; the hint says what to export instead."""
    with pytest.raises(TourneyError, match="deck: not a text") as refused:
        read(data, source="deck")
    assert "export the deck" in (refused.value.hint or "")


def test_refuses_a_broken_encoding():
    """A file that claims to be UTF-16 and is not."""
    with pytest.raises(TourneyError, match="starts like UTF-16 but is not"):
        read(b"\xff\xfe4\x00 \x00K", source="deck")


def test_refuses_a_file_that_is_too_large():
    """Four megabytes are a thousand decks."""
    with pytest.raises(TourneyError, match="the limit is 4,000,000"):
        decode("x" * (MAX_BYTES + 1), source="deck")


def test_tidies_spaces_and_invisible_characters():
    """Every kind of space becomes a space; tabs stay."""
    assert tidy(" 4\u00a0Kite\u200b\u2009of\u3000the\x1b North\t") == "4 Kite of the North"
    assert tidy("4\tKite") == "4\tKite"


def test_splits_lines_like_an_editor():
    assert split_lines("a\r\nb\rc\nd\u2028e") == ["a", "b", "c", "d", "e"]


def test_refuses_a_text_with_a_zero_byte():
    """The text does not end at the zero byte."""
    with pytest.raises(TourneyError):
        read("4 Kite\x00\n", source="deck")


def test_reads_full_width_digits():
    """A note names the line."""
    made = read("４ Kite\n", source="deck")
    assert (cards(made.lines), [(note.line, note.message) for note in made.notes]) == (
        ["4 Kite"],
        [(1, "the count `４` was read as 4")],
    )


def test_reads_a_byte_order_mark():
    assert rules(read(b"\xef\xbb\xbf4 Kite", source="deck")) == []


def test_imports_no_parser_that_a_plain_list_does_not_need():
    """The forms are imported to be tried; the parser of XML only when a list needs it."""
    others = ("xml", "defusedxml", "base64")
    assert all(map(find_spec, others))
    script = f"""
import sys
from tourney.decks import read
assert read("Sky\\n\\nDeck\\n4 Kite\\n3 Bell (ABC) 12", source="list").cards == 7
print(*(name for name in {others} if name in sys.modules))
"""
    command, env = [sys.executable, "-c", script], {"PYTHONPATH": str(ROOT)}  # coverage would load parsers
    result = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == ""


def test_reading_has_the_folded_name():
    line = read("4 Lim\u2011D\u00fbl\u2019s  Vault [ABC]", source="list").lines[0]
    assert [reading.key for reading in line.readings] == ["lim-dul's vault [abc]", "lim-dul's vault"]
