"""Turns bytes into a text and its lines.

`load_text` gives the `ListText` that every reader takes: the text, its lines and the format's vocabulary.
A reader declares itself as a `ListForm`.
`tidy` removes invisible characters from a line, and `unmark` the marks of mail, Markdown and forums.
"""

from __future__ import annotations

import html
import itertools
import re
import unicodedata
from collections.abc import Callable, Sequence

from msgspec import Struct

from tourney.decks.decklist import Decklist
from tourney.decks.reading.counts import split_count
from tourney.decks.reading.vocabulary import Vocabulary
from tourney.decks.reading.words import lazy_pattern, lines_like, pattern
from tourney.decode import decode_text
from tourney.errors import TourneyError

MAX_BYTES = 4_000_000
"""The maximum size of a decklist in bytes. A larger file is refused."""
MAX_LINES = 10_000
"""The maximum number of lines that are read. A finding says that the rest was not read."""
MAX_LINE = 1_000
"""The maximum length, in characters, of a line that can name a card."""


class ListText(Struct, frozen=True):
    """A text from which decks are read.

    lines:      the lines of the text
    source:     the name of the file in messages
    vocabulary: the format's vocabulary
    """

    text: str
    lines: Sequence[str]
    source: str
    vocabulary: Vocabulary


class ListForm(Struct, frozen=True):
    """A form of decklists: the `FORM` of a module whose name ends in `_form`.

    order:        forms are tried in ascending order of this number, from 10 for XML to 100 for plain text
    read:         returns the decks of a text. If the text does not have this form, it quickly returns an
                  empty list. Raises TourneyError for a text that must be refused
    searches_all: whether the reader looks for cards everywhere in the data, whatever its structure. If
                  so, finding no card is an error
    """

    order: int
    read: Callable[[ListText], list[Decklist]]
    searches_all: bool = False


def load_text(data: str | bytes, *, source: str, vocabulary: Vocabulary) -> tuple[ListText, str | None]:
    """Return the text of a list, and a sentence about its encoding (None for UTF-8).

    A table drawn with `│` and `─` is converted to the `|`, `-` and `+` of Markdown. If a line has tabs
    only after a bullet at its start, the bullet and the tabs are removed. If the bullet is a number such as
    `3.`, it stays, and a space replaces the tabs.
    """
    text, encoding = decode(data, source=source)
    if _BOX_ROW.search(text):
        text = text.translate(_BOX_SIGNS)
    lines = split_lines(text)
    if "\t" in text:
        lines = [_TABBED_BULLET.sub(_replace_bullet, line, count=1) for line in lines]
        text = "\n".join(lines)
    return ListText(text, lines, source, vocabulary), encoding


_BOX_ROW = re.compile(r"^[ \t]*[│┃║].*[│┃║][ \t]*$", re.M)
_BOX_SIGNS = (
    dict.fromkeys(map(ord, "│┃║"), "|")
    | dict.fromkeys(map(ord, "─━═┄┈╌"), "-")
    | dict.fromkeys(map(ord, "├┤┼┌┐└┘┬┴┝┥┿┠┨╂┣┫╋┏┓┗┛┳┻╭╮╯╰╞╡╪╟╢╫╠╣╬╔╗╚╝╦╩╒╕╘╛╤╧╓╖╙╜╥╨"), "+")
)
_TABBED_BULLET = re.compile(
    r"^\s*(?:[^\w\s\"“«'(\[{<#|,;]{1,2}|[oOüØqvn§]|\(?[a-zA-Z][.)]|[ivx]{1,4}[.)]|(?P<number>\d{1,3}[.)]))\t+"
    r"(?=[^\t\s][^\t]*$)"
)
"""A bullet and its tab, as word processors write them. A row of a table has more tabs."""


def _replace_bullet(bullet: re.Match[str]) -> str:
    return f"{bullet['number']} " if bullet["number"] else ""


_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")


def decode(data: str | bytes, *, source: str) -> tuple[str, str | None]:
    """Return the text of `data`, and a sentence about its encoding unless that is UTF-8.

    Tries UTF-8, then UTF-16 and UTF-32 (by byte order mark, or UTF-16 by its zero bytes), then Windows-1252,
    which includes the letters of Latin-1. Raises TourneyError for data that is not text (pictures, archives,
    databases) and for more than 4 MB.
    """
    if len(data) > MAX_BYTES:
        raise TourneyError(
            f"{source}: {len(data):,} bytes; the limit is {MAX_BYTES:,}", "give one deck in each file"
        )
    if isinstance(data, str):
        text, encoding = data.removeprefix("\ufeff"), "UTF-8"
    else:
        text, encoding = decode_text(data, source=source, lenient=True)
    if "\x00" in text or len(_CONTROL.findall(text)) > len(text) // 50:
        raise TourneyError(f"{source}: not a text", "export the deck as text, CSV, JSON or XML")
    if encoding == "UTF-8":
        return text, None
    name = "Windows-1252 or Latin-1" if encoding == "Windows-1252" else encoding
    return text, f"the file is {name}, not UTF-8; it was read as {name}"


_LINE_END = re.compile(r"\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]")


def split_lines(text: str) -> list[str]:
    """Return the lines of a text, split as in an editor, without line ends."""
    return _LINE_END.split(text)


def count_lines_to_read(lines: Sequence[str], letters: int, *, longest: int) -> int:
    """Return the number of lines to read: at most `MAX_LINES`, with at most `letters` letters.

    longest: the maximum length of a line that is examined; the letters of a longer line do not count
    """
    lengths = (len(line) if len(line) <= longest else 0 for line in lines[:MAX_LINES])
    return sum(1 for _ in itertools.takewhile(lambda total: total <= letters, itertools.accumulate(lengths)))


def unread_lines_message(lines_read: int, lines: Sequence[str]) -> str:
    """Return the message that only the first `lines_read` lines were read."""
    return f"only the lines up to here were read, {lines_read:,} of {len(lines):,}"


class Places(Struct):
    """Finds the line of each name in a text. Each search begins after the previous name."""

    text: str
    line: int = 1
    offset: int = 0
    misses: int = 0

    def find(self, *forms: str) -> int:
        """Return the number of the line with the next occurrence of a name.

        If the name is not found, returns the line of the name that was found last, or 1 if no name was
        found yet. After too many names that were not found, returns that line without a search.

        forms: the ways in which the name can be written; the first occurrence of any of them counts
        """
        if self.misses > _MAX_MISSES:
            return self.line
        nearest = -1
        for form in dict.fromkeys(forms):
            end = len(self.text) if nearest < 0 else nearest + len(form) - 1
            place = self.text.find(form, self.offset, end)
            nearest = place if place >= 0 else nearest
        if nearest < 0:
            self.misses += 1
        else:
            self.line += self.text.count("\n", self.offset, nearest)
            self.offset = nearest + 1
        return self.line


_MAX_MISSES = 50
"""The number of names that may be missing from the text before the slow search is abandoned.

Names that are written with escapes are missing.
"""


# -- one line


_WIDE_SPACES = lazy_pattern(r"[^\S\t ]")
_WIDE_BRACKETS = lazy_pattern(r" ?（([!-~][ -~]*)） ?")
"""Full-width brackets around plain letters: `Kite（ABC）12`."""


def tidy(line: str) -> str:
    r"""Return the line with plain spaces and without invisible characters; keep tabs.

    >>> tidy(" 4\u00a0Kite\u200b ")
    '4 Kite'
    """
    if line.isascii() and line.isprintable():
        return line.strip()
    if not line.isascii():
        line = _WIDE_SPACES.sub(" ", line)
        line = "".join(letter for letter in line if unicodedata.category(letter) != "Cf")
        line = _WIDE_BRACKETS.sub(r" (\1) ", line)
    return _CONTROL.sub("", line).strip()


RULE = lazy_pattern(r"={3,}|-{2,}|\*{3,}|_{3,}|~{3,}|[–—―─━═]+|[.·•]{3,}|\+{3,}|(?:[-=*] ){2,}[-=*]")
"""A line that is a rule across the page."""
_BULLET = pattern("bullet")
_WORD_BULLET = pattern("word-bullet")
_NUMBERED = pattern("numbered")
_CHECK_BOX = pattern("check-box")
_PICTURE = pattern("picture")
_KEYCAP = lazy_pattern(r"(\d)\ufe0f?\u20e3")
_CIRCLED = {ord(sign): f"{place % 10 + 1} " for place, sign in enumerate("①②③④⑤⑥⑦⑧⑨⑩❶❷❸❹❺❻❼❽❾❿")}
_QUOTE = lazy_pattern(r"(?:>\s?)+")
_LINK = pattern("link")
_WIKI_COUNTED = lazy_pattern(r"\[\[([^\[\]]+)\]\]\s*[:=-]?\s*[(\[]?[x×]?(\d{1,3})[x×]?[)\]]?", re.I)
_WIKI = lazy_pattern(r"\[\[(.+?)\]\](?!\])")
_BBCODE = pattern("bbcode")
_TAG = lazy_pattern(r"</?(?:li|ul|ol|p|div|span|b|i|em|strong|td|tr|br)(?:\s[^<>]*)?/?>", re.I)
_STRONG = lazy_pattern(r"(\*\*|__)(\d+\s?x?)\1", re.I)
_EMPHASIS = pattern("emphasis")


def unmark(line: str) -> str:
    """Remove the marks of mail, Markdown, wikis and forums around a line, and bullets."""
    if line.startswith(">"):
        line = _QUOTE.sub("", line, count=1)
    if "](" in line:
        line = _LINK.sub(r"\1", line)
    if "[[" in line:
        line = _WIKI_COUNTED.sub(r"\2 [[\1]]", line)
        line = _WIKI.sub(lambda link: re.split(r"(?<! )\|", link[1])[0], line)  # `[[page|words]]`
    if "[/" in line:
        line = _BBCODE.sub("", line).strip()
    if "<" in line:
        line = _TAG.sub("", line).strip()
    if "&" in line and ";" in line:
        line = html.unescape(line)
    line = _STRONG.sub(r"\2", line)
    line = line if RULE.fullmatch(line) else _remove_bullets(line)
    match = _EMPHASIS.fullmatch(line)
    if match and (match["before"] or split_count(match["inside"])[0] or match["sign"] not in ("**", "__")):
        line = f"{match['before']}{match['inside']}{match['after']}"  # `**Sideboard**` alone is a header
    return line


def _remove_bullets(line: str) -> str:
    """Remove bullets, numbers, check boxes and pictures, but never the whole line."""
    line = _KEYCAP.sub(r"\1 ", line)
    for _ in range(4):
        forms = (_BULLET, _CHECK_BOX, _NUMBERED, _PICTURE, _WORD_BULLET)
        match = next(filter(None, (form.match(line) for form in forms)), None)
        if match is None:
            break
        line = line[match.end() :]
    return line[0].translate(_CIRCLED) + line[1:].lstrip() if line[:1] and ord(line[0]) in _CIRCLED else line


def is_item(line: str) -> bool:
    """Return whether the line is an item of a list: after a bullet, a number or a check box."""
    return any(form.match(line) for form in (_BULLET, _CHECK_BOX, _NUMBERED, _WORD_BULLET))


def list_number(line: str) -> int | None:
    """Return the number that begins a line such as `3. Kite` or `3) Kite`.

    It may be a line number or the number of copies. None for any other line, and if the rest of the line has
    a count.

    >>> list_number("3. Kite"), list_number("- 3) Kite"), list_number("3. 4 Kite"), list_number("3 Kite")
    (3, 3, None, None)
    """
    if "." not in line and ")" not in line:
        return None
    bullet = _BULLET.match(line)
    line = line[bullet.end() :] if bullet else line
    match = _NUMBERED.match(line)
    return int(match["number"]) if match and split_count(line[match.end() :])[0] is None else None


# -- the time and the sender that chat programs put before a line


_MESSAGE = lines_like("message")
_SENT = lines_like("sent")
_HAS_TIME = lazy_pattern(r"\d{1,2}[:.h]\d{2}|\d[./-]\d{1,2}[./-]\d")


def remove_message_head(line: str) -> str:
    """Return the line without the time and the sender that a chat program puts before it.

    >>> remove_message_head("[12:03, 24/05/2024] Tom: 4 Kite")
    '4 Kite'
    >>> remove_message_head("24.05.24, 12:03 - Tom: 4 Kite")
    '4 Kite'
    >>> remove_message_head("Tom, [24.05.2024 12:03]"), remove_message_head("Soul [Exodus 15:16 - K]")
    ('', 'Soul [Exodus 15:16 - K]')
    """
    if not _HAS_TIME.search(line):
        return line
    return "" if _SENT.fullmatch(line) else _MESSAGE.sub("", line, count=1) if _MESSAGE.match(line) else line
