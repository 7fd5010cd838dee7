"""Output to the terminal: color, control characters, errors, tables, JSON and QR codes.

Names and files come from outside. So control characters are written as escapes, and each table style escapes
its cells: a name is never markup in a post, a wiki or a document. Both streams are UTF-8.
"""

from __future__ import annotations

import io
import os
import re
import sys
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import nullcontext, suppress
from functools import cache
from itertools import zip_longest

import click

from tourney import __version__

# -- streams


def prepare_streams() -> None:
    """Make the streams UTF-8. Characters that cannot be encoded are escaped.

    A closed stream is replaced by the null device, so that a file opened later does not get the stream's
    number. For stdout, the null device is opened for reading only. Writing then fails, so that no answer is
    lost without notice.
    """
    for name, flags, mode in (
        ("stdin", os.O_RDONLY, "r"),
        ("stdout", os.O_RDONLY, "w"),
        ("stderr", os.O_WRONLY, "w"),
    ):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, flags), mode, encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def write(text: str, *, err: bool = False) -> None:
    """Write a line to stdout, or with `err` to stderr. Errors on stderr are ignored.

    Only terminals get color, unless $NO_COLOR is set, or the command has `--no-color` (the context's
    `color`).
    """
    color = False if os.environ.get("NO_COLOR") else None
    with suppress(OSError) if err else nullcontext():
        click.echo(visible(text).replace(_OUR_ESCAPE, "\x1b"), err=err, color=color)


def mute() -> None:
    """Point stdout at the null device, so that the last flush cannot fail.

    The flush would fail on a closed pipe or a full disk.
    """
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def terminal_width() -> int:
    """Return the width of the terminal in columns; 80 if there is none."""
    from shutil import get_terminal_size

    return get_terminal_size().columns


# -- color and control characters


def style_text(text: str, *, fg: str | None = None, bold: bool | None = None, dim: bool | None = None) -> str:
    """Return text in color or bold. The options are those of `click.style`."""
    start = click.style("", reset=False, fg=fg, bold=bold, dim=dim)
    return f"{start.replace(chr(27), _OUR_ESCAPE)}{text}{_OUR_ESCAPE}[0m"


def strip_style(text: str) -> str:
    """Return text without the colors of `style_text`.

    >>> strip_style(style_text("legal", fg="green"))
    'legal'
    """
    return click.unstyle(text.replace(_OUR_ESCAPE, "\x1b")) if _OUR_ESCAPE in text else text


def visible(text: str) -> str:
    r"""Return text with escapes for its control characters and direction marks.

    >>> visible("Mira\x07")
    'Mira\\x07'
    """
    return _HOSTILE.sub(lambda match: ascii(match[0])[1:-1], text)


_OUR_ESCAPE = f"\x1b{os.urandom(8).hex()}"
"""Stands for the escape character in our own colors, until `write` replaces it.

It is random, so that no text from outside can contain it.
"""


_HOSTILE = re.compile(
    # Control characters except newline and tab, and marks that change the direction of text: a name must not
    # be able to clear the screen or swap two columns.
    f"\x1b(?!{_OUR_ESCAPE[1:]}\\[[0-9;]*m)"
    "|[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)


# -- errors


def show_error(message: str, hint: str | None = None) -> None:
    """Write `error: …` to stderr, and after a blank line `hint: …` if there is a hint.

    If an address contains a password, only its scheme is shown.
    """
    with suppress(OSError):  # earlier output on stdout comes first, even if both streams go to one file
        sys.stdout.flush()
    message = _PASSWORD.sub(r"\1…", message)
    write(style_text("error:", fg="red", bold=True) + f" {message}", err=True)
    if hint:
        write("\n" + style_text("hint:", fg="cyan", bold=True) + f" {hint}", err=True)


_PASSWORD = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*://)(?:[^\s/?#@:]*:\S*@|\S*[?&]\w*password=)[^\s`')]*")
"""A pattern for an address with a password, before its host or in its query.

The match ends at the quotes that click puts around a value.
"""


def show_bug(exception: BaseException) -> None:
    """Write a report and show its path; with TOURNEY_DEBUG set, show the traceback instead."""
    if os.environ.get("TOURNEY_DEBUG"):
        write(_traceback(exception), err=True)
    else:
        show_error(f"this is {report_bug(exception)}", "TOURNEY_DEBUG=1 shows the traceback here")


def report_bug(exception: BaseException) -> str:
    """Write a report that a user can pass on, and return a short text about the bug.

    The text has the report's path.
    """
    import platform  # needed only for a bug report
    import tempfile

    name = _without_secrets(f"{type(exception).__name__}: {exception}").splitlines()[0][:200]
    version = f"tourney {__version__}, Python {platform.python_version()}, {platform.platform()}"
    report = f"{version}\narguments: {sys.argv[1:]!r}\n\n{_traceback(exception)}\n"
    try:
        handle, path = tempfile.mkstemp(prefix="tourney-report-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(_without_secrets(report))
    except OSError:
        return f"a bug in tourney ({name}); no report could be written"
    return f"a bug in tourney ({name}); report: {path}"


def _without_secrets(text: str) -> str:
    """Shorten each address to its scheme and host.

    The rest may be a password or the secret of a webhook.
    """
    return re.sub(
        r"([A-Za-z][A-Za-z0-9+.-]*://)(?:\S*@\S*|([^\s/?#'\"]*)[^\s'\"]*)",
        lambda address: f"{address[1]}…" if address[2] is None else f"{address[1]}{address[2]}/…",
        text,
    )


def _traceback(exception: BaseException) -> str:
    import traceback  # needed only for a bug report

    return "".join(traceback.format_exception(exception)).rstrip()


# -- JSON


def json_text(plain: object) -> str:
    """Return plain values as indented JSON. Characters that control a terminal are escaped."""
    import json  # most commands print text

    text = json.dumps(plain, ensure_ascii=False, indent=2)
    return _HOSTILE_IN_JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


_HOSTILE_IN_JSON = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Control characters and direction marks that `json.dumps` does not escape."""


# -- tables for the terminal, without tabulate: importing it is slow, and it gives 名 one column


def table_text(
    headers: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    right: Collection[int] = (),
    style: str = "plain",
) -> str:
    """Return a table as text.

    right: the indexes of right-aligned columns, from 0
    style: `plain`, or another result of `table_style`
    """
    cells = [["" if cell is None else str(cell) for cell in row] for row in rows]
    if style == "plain":
        return "\n".join(align_rows([list(headers), *cells] if headers else cells, right))
    if style == "csv":
        from tourney.spreadsheet import format_csv

        return format_csv(headers, [[strip_style(cell) for cell in row] for row in cells]).rstrip("\n")
    cells = [[escape_cell(cell, style) for cell in row] for row in cells]
    head = [escape_cell(cell, style) for cell in headers]
    if style == "tsv":
        return "\n".join("\t".join(row) for row in ([head, *cells] if head else cells))
    from tourney.publish.markdown import format_table

    text = format_table(head, cells, right=right, style=style)
    return "\n".join(line.rstrip() for line in text.splitlines())


def align_rows(rows: Iterable[Sequence[str]], right: Collection[int] = ()) -> list[str]:
    """Return each row as a line of a table; the columns in `right` (from 0) are right-aligned.

    >>> align_rows([["#", "player"], ["10", "Mira"]], right=(0,))
    [' #  player', '10  Mira']
    """
    cells = [[visible(cell).replace("\n", " ") for cell in row] for row in rows]
    widths = [max(map(width, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(
            pad_text(cell, widths[column], right=column in right) for column, cell in enumerate(row)
        ).rstrip()
        for row in cells
    ]


def pad_text(text: str, columns: int, *, right: bool = False) -> str:
    """Pad text with blanks to a width in terminal columns.

    >>> pad_text("名前", 6) + "|"
    '名前  |'
    """
    blanks = " " * (columns - width(text))
    return blanks + text if right else text + blanks


def width(text: str) -> int:
    r"""Return the width of a text in terminal columns.

    >>> width("Mira"), width("名前"), width("e\u0301"), width(style_text("Mira", fg="red"))
    (4, 4, 1, 4)
    """
    plain = strip_style(text)
    return len(plain) if plain.isascii() else sum(map(_columns_of, plain))


@cache
def _columns_of(letter: str) -> int:
    if unicodedata.combining(letter) or unicodedata.category(letter) in {"Cf", "Me", "Mn"}:
        return 0
    return 2 if unicodedata.east_asian_width(letter) in {"F", "W"} else 1


def arrange_columns(texts: Sequence[str], line_width: int, gap: int = 4) -> Iterator[str]:
    """Arrange texts in as many columns as fit a width, filled downwards; yield the lines.

    line_width: the width in terminal columns
    gap: the blanks between two columns
    """
    for number in range(line_width // (min(map(width, texts)) + gap) + 1, 0, -1):
        down = -(-len(texts) // number)
        columns = [texts[start : start + down] for start in range(0, len(texts), down)]
        widths = [max(map(width, column)) for column in columns]
        if sum(widths) + gap * (len(columns) - 1) <= line_width:
            break
    for cells in zip_longest(*columns, fillvalue=""):
        yield (" " * gap).join(map(pad_text, cells, widths)).rstrip()


# -- tables in other styles


def table_style(word: str) -> str:
    """Return the style that `--table WORD` means. Raises UsageError for an unknown one."""
    if word in {"text", "plain", "csv", "markdown", "github"}:
        return _STYLE_WORDS.get(word, word)
    from tabulate import tabulate_formats

    if word not in tabulate_formats or word in _UNSAFE_STYLES:
        raise click.UsageError(
            f"--table: `{word}` is not a style; the styles are text, markdown, csv, tsv, html, latex …"
        )
    return _STYLE_WORDS.get(word, word)


_STYLE_WORDS = {"text": "plain", "markdown": "github", "unsafehtml": "html", "latex_raw": "latex"}
"""Our names for styles of tabulate.

A style that does not escape is replaced by one that does.
"""


_UNSAFE_STYLES = frozenset({"moinmoin"})
"""Styles in which a name could be read as markup, as there is no way to escape it."""


def escape_cell(cell: str, style: str) -> str:
    r"""Escape a cell so that a table style shows its text, on one line.

    >>> escape_cell("<b>A|B*", "github"), escape_cell("a|b", "mediawiki"), escape_cell("=1+1", "tsv")
    ('\\<b\\>A\\|B\\*', 'a&#124;b', "'=1+1")
    """
    text = visible(strip_style(cell)).replace("\n", " ")
    if style in {"github", "pipe", "colon_grid"}:
        from tourney.publish.markdown import escape

        return escape(text)
    if style == "tsv":
        from tourney.spreadsheet import escape_formula

        return escape_formula(text.replace("\t", " "))
    return text.translate(_ESCAPES.get(style, {}))


_ENTITIES = {ord(letter): f"&#{ord(letter)};" for letter in "|{}[]<>&'\"*_=#^~+-`:@!%\\/"}


_ESCAPES: dict[str, dict[int, str]] = {
    "mediawiki": _ENTITIES,
    "asciidoc": _ENTITIES,
    "textile": _ENTITIES,
    "youtrack": _ENTITIES,
    "jira": {ord(letter): f"\\{letter}" for letter in r"\|{}[]*_-+^~?!"},
    "rst": {ord(letter): f"\\{letter}" for letter in r"\`*_|<>"},
    "orgtbl": {
        ord(letter): f"\\{name}{{}}"
        for letter, name in {
            "|": "vert", "[": "lbrack", "]": "rbrack", "<": "lt", ">": "gt", "\\": "backslash", "_": "under",
            "*": "ast", "/": "slash", "~": "tilde", "=": "equal", "+": "plus", "{": "lbrace", "}": "rbrace",
        }.items()
    },
}  # fmt: skip
"""Style → the code of a character → its escaped form.

Tabulate itself escapes HTML and LaTeX.
"""


# -- QR codes


def qr_code(address: str) -> str:
    """Return the QR code of an address as text, for a terminal with a dark background.

    The light squares of the code are drawn with block characters; the dark ones are left blank.
    """
    import segno

    rows = [[*row] for row in segno.make(address, micro=False, error="l").matrix_iter(border=2)]
    rows += [[0] * len(rows[0])] if len(rows) % 2 else []
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return "\n".join(
        "".join("█▀▄ "[up * 2 + down] for up, down in zip(upper, lower, strict=True))
        for upper, lower in pairs
    )
