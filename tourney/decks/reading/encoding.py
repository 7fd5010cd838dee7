"""From bytes to the lines of a text: encodings, line ends, invisible characters."""

from __future__ import annotations

import re
import unicodedata

from tourney.errors import TourneyError

MOST_BYTES = 4_000_000
LONGEST_LINE = 1_000
LONGEST_CARD = 300
"""No card's name and marks together are longer; the longest name printed has 141 letters."""

_MARKS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_ENCODING_NAMES = {"utf-16": "UTF-16", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16", "utf-32": "UTF-32"}
_LINE_END = re.compile(r"\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_WIDE_SPACES = re.compile(r"[^\S\t ]")


def decode(data: str | bytes, *, source: str) -> tuple[str, str | None]:
    """Give the text of `data`, and a sentence on its encoding where that is not plain UTF-8.

    UTF-8 first, by its byte order mark UTF-16 and UTF-32, UTF-16 without a mark where every other byte is zero, else
    Windows-1252 (of which Latin-1's letters are a part). Raises TourneyError for what is no text (pictures,
    archives, databases) or over 4 MB.
    """
    if len(data) > MOST_BYTES:
        raise TourneyError(
            f"{source}: {len(data):,} bytes, a decklist has at most {MOST_BYTES:,}",
            "give one deck in each file",
        )
    text, encoding = (data, "utf-8") if isinstance(data, str) else _decode_bytes(data, source=source)
    if "\x00" in text or len(_CONTROL.findall(text)) > len(text) // 50:
        raise TourneyError(f"{source}: not a text", "export the deck as text, CSV, JSON or XML")
    if encoding.startswith("utf-8"):
        return text.removeprefix("\ufeff"), None
    return (
        text,
        f"the file is {_ENCODING_NAMES.get(encoding, 'Windows-1252 or Latin-1')}, not UTF-8; read as such",
    )


def _decode_bytes(data: bytes, *, source: str) -> tuple[str, str]:
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), None) or _guess(data)
    try:
        return data.decode(encoding), encoding
    except UnicodeDecodeError:
        pass
    if encoding != "utf-8":
        raise TourneyError(f"{source}: begins like {encoding.upper()} and is not", "save it as UTF-8")
    return data.decode("cp1252", errors="replace"), "cp1252"


def _guess(data: bytes) -> str:
    """UTF-16 without a mark shows as a zero in every second byte of Western text."""
    head = data[:200]
    if len(head) >= 4 and head.count(0) >= len(head) // 3:
        return "utf-16-le" if head[1::2].count(0) > head[::2].count(0) else "utf-16-be"
    return "utf-8"


def split_lines(text: str) -> list[str]:
    """Give the lines of `text` as an editor numbers them, without their ends."""
    return _LINE_END.split(text)


def tidy(line: str) -> str:
    r"""Give the line with plain spaces for every kind of space and without what cannot be seen; tabs stay.

    >>> tidy(" 4\u00a0Kite\u200b ")
    '4 Kite'
    """
    if line.isascii() and line.isprintable():
        return line.strip()
    if not line.isascii():
        line = _WIDE_SPACES.sub(" ", line)
        line = "".join(letter for letter in line if unicodedata.category(letter) != "Cf")
    return _CONTROL.sub("", line).strip()


def squeeze(words: str) -> str:
    """Give the words with single spaces between them."""
    return " ".join(words.split())
