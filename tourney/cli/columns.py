"""Columns for the terminal, two spaces apart, as wide as a terminal shows them.

Not tabulate, which is used for every other form of a table: importing it costs more than most commands take, and it
counts 名 as one place where a terminal needs two.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Sequence

import click

from tourney.cli.streams import visible


def width(text: str) -> int:
    r"""Return how many places of a terminal a text takes; colours take none.

    >>> width("Mira"), width("名前"), width("e\u0301"), width(click.style("Mira", fg="red"))
    (4, 4, 1, 4)
    """
    plain = click.unstyle(text)
    if plain.isascii():
        return len(plain)
    return sum(_places(letter) for letter in plain)


def _places(letter: str) -> int:
    if unicodedata.combining(letter) or unicodedata.category(letter) in {"Cf", "Me", "Mn"}:
        return 0
    return 2 if unicodedata.east_asian_width(letter) in {"F", "W"} else 1


def aligned(rows: Iterable[Sequence[str]], right: Collection[int] = ()) -> list[str]:
    """Return each row as a line; the columns in `right` (from 0) are set flush right.

    >>> aligned([["#", "player"], ["10", "Mira"]], right=(0,))
    [' #  player', '10  Mira']
    """
    cells = [[visible(cell).replace("\n", " ") for cell in row] for row in rows]
    widths = [max(map(width, column)) for column in zip(*cells, strict=True)]
    return ["  ".join(_set(row, widths, right)).rstrip() for row in cells]


def _set(row: Sequence[str], widths: Sequence[int], right: Collection[int]) -> Iterable[str]:
    for column, (cell, wanted) in enumerate(zip(row, widths, strict=True)):
        blank = " " * (wanted - width(cell))
        yield blank + cell if column in right else cell + blank
