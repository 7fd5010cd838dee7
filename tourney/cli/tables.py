"""Columns for the terminal, two spaces apart, as wide as a terminal shows them.

Not tabulate, which is used for every other form of a table: importing it costs more than most commands take, and it
counts 名 as one place where a terminal needs two. What goes into those other forms is escaped here as each asks for: a
name is never markup in a post, a wiki or a document.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

import click

from tourney.cli.output import unstyled, visible
from tourney.wording import counted

if TYPE_CHECKING:
    from tourney.cli.session import Session
    from tourney.errors import Finding


def table_text(
    headers: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    right: Sequence[int] = (),
    style: str = "plain",
) -> str:
    """Return a table as text; see `Session.table`."""
    cells = [[("" if cell is None else str(cell)) for cell in row] for row in rows]
    if style == "plain":
        return "\n".join(aligned([list(headers), *cells] if headers else cells, right))
    if style == "csv":
        from tourney.spreadsheet import csv_text

        return csv_text(headers, [[unstyled(cell) for cell in row] for row in cells]).rstrip("\n")
    cells = [[escaped(cell, style) for cell in row] for row in cells]
    head = [escaped(cell, style) for cell in headers]
    if style == "tsv":
        return "\n".join("\t".join(row) for row in ([head, *cells] if head else cells))
    import tabulate

    tabulate.MIN_PADDING = 0  # a header needs no more room than its column
    columns = len(head) or (len(cells[0]) if cells else 0)
    align = ["right" if column in right else "left" for column in range(columns)]
    text: str = tabulate.tabulate(
        cells, headers=head, tablefmt=style, disable_numparse=True, colalign=align if cells else None
    )
    return "\n".join(line.rstrip() for line in text.splitlines())


def aligned(rows: Iterable[Sequence[str]], right: Collection[int] = ()) -> list[str]:
    """Return each row as a line; the columns in `right` (from 0) are set flush right.

    >>> aligned([["#", "player"], ["10", "Mira"]], right=(0,))
    [' #  player', '10  Mira']
    """
    cells = [[visible(cell).replace("\n", " ") for cell in row] for row in rows]
    widths = [max(map(width, column)) for column in zip(*cells, strict=True)]
    return ["  ".join(_set(row, widths, right)).rstrip() for row in cells]


def _set(row: Sequence[str], widths: Sequence[int], right: Collection[int]) -> Iterable[str]:
    for column, (cell, places) in enumerate(zip(row, widths, strict=True)):
        yield " " * (places - width(cell)) + cell if column in right else padded(cell, places)


def padded(text: str, places: int) -> str:
    """Return text with blanks behind it up to so many places of a terminal.

    >>> padded("名前", 6) + "|"
    '名前  |'
    """
    return text + " " * (places - width(text))


def width(text: str) -> int:
    r"""Return how many places of a terminal a text takes; colours take none.

    >>> from tourney.cli.output import styled
    >>> width("Mira"), width("名前"), width("e\u0301"), width(styled("Mira", fg="red"))
    (4, 4, 1, 4)
    """
    plain = unstyled(text)
    if plain.isascii():
        return len(plain)
    return sum(_places(letter) for letter in plain)


def _places(letter: str) -> int:
    if unicodedata.combining(letter) or unicodedata.category(letter) in {"Cf", "Me", "Mn"}:
        return 0
    return 2 if unicodedata.east_asian_width(letter) in {"F", "W"} else 1


# -- The other forms of a table


_WORDS = {"text": "plain", "markdown": "github", "unsafehtml": "html", "latex_raw": "latex"}
"""Our words for tabulate's styles, and its own that would not escape."""


_UNSAFE = frozenset({"moinmoin"})
"""Styles in which a name cannot be kept from being markup."""


def known_style(style: str) -> str:
    """Return tabulate's name of a style of tables, `csv` aside. Raises UsageError for one that is none."""
    if style in {"text", "plain", "csv", "markdown", "github"}:
        return _WORDS.get(style, style)
    from tabulate import tabulate_formats

    known = [each for each in tabulate_formats if each not in _UNSAFE]
    if style not in known:
        raise click.UsageError(
            f"--table: `{style}` is not a style; there are text, markdown, csv, tsv, html, latex …"
        )
    return _WORDS.get(style, style)


def escaped(cell: str, style: str) -> str:
    r"""Return a cell's text as a style of tables must have it to show just that, on one line.

    >>> escaped("<b>A|B*", "github"), escaped("a|b", "mediawiki"), escaped("=1+1", "tsv")
    ('\\<b\\>A\\|B\\*', 'a&#124;b', "'=1+1")
    """
    text = " ".join(visible(unstyled(cell)).split("\n"))
    if style in _MARKDOWN:
        from tourney.publish.text import escape

        return escape(text)
    if style in _BACKSLASHED:
        return "".join(f"\\{letter}" if letter in _BACKSLASHED[style] else letter for letter in text)
    if style in _AS_ENTITIES:
        return "".join(f"&#{ord(letter)};" if letter in _MARKUP else letter for letter in text)
    if style == "orgtbl":
        return "".join(f"\\{_ORG[letter]}{{}}" if letter in _ORG else letter for letter in text)
    if style == "tsv":
        from tourney.spreadsheet import guarded

        return guarded(text.replace("\t", " "))
    return text


_MARKDOWN = frozenset({"github", "pipe", "colon_grid"})


_BACKSLASHED = {
    "jira": r"\|{}[]*_-+^~?!",
    "rst": r"\`*_|<>",
}


_AS_ENTITIES = frozenset({"mediawiki", "asciidoc", "textile", "youtrack"})


_MARKUP = frozenset("|{}[]<>&'\"*_=#^~+-`:@!%\\/")


_ORG = {
    "|": "vert", "[": "lbrack", "]": "rbrack", "<": "lt", ">": "gt", "\\": "backslash", "_": "under", "*": "ast",
    "/": "slash", "~": "tilde", "=": "equal", "+": "plus", "{": "lbrace", "}": "rbrace",
}  # fmt: skip


# -- Findings as lines: the place, what is, and the rule's handle last


def say_findings(session: Session, findings: Sequence[Finding]) -> None:
    """Write a line for each finding, then how many there are."""
    rows = [[_place(finding), finding.message, finding.rule] for finding in findings]
    session.say(table_text([], rows))
    session.say(f"\n{counted(len(findings), 'problem')}")


def _place(finding: Finding) -> str:
    if finding.lines:
        return f"line {', '.join(map(str, finding.lines))}"
    return ", ".join(finding.subjects)
