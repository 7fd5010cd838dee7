"""Fixed columns: cutting fields out of a line, and saying where one is wrong."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NoReturn

from tourney.errors import TourneyError

MOST_DIGITS = 9
"""No number of the format is longer; one of thousands of digits is no number but an attack."""

_POINTS = re.compile(r"(\d*)(?:[.,](\d+))?")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file. Columns are counted from 1 and inclusive, as the format's description counts them."""

    source: str
    number: int
    text: str

    @property
    def code(self) -> str:
        """The record's type: the first three columns."""
        return self.text[:3]

    def cut(self, first: int, last: int) -> str:
        """Return the text of the columns, without blanks around it."""
        return self.text[first - 1 : last].strip()

    def refuse(self, column: int, message: str, hint: str | None = None) -> NoReturn:
        """Refuse the file, naming the place. Raises TourneyError."""
        raise TourneyError(f"{self.source}: line {self.number}, column {column}: {message}", hint)

    def number_at(self, first: int, last: int, what: str) -> int | None:
        """Return the whole number in the columns, None if they are blank."""
        text = self.cut(first, last)
        if not text:
            return None
        if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
            message = f"{what} should be a whole number in columns {first} to {last}, found `{text[:20]}`"
            self.refuse(first, message)
        return int(text)

    def between(self, *columns: int) -> None:
        """Refuse the line if something stands in the columns between its fields: then the fields are shifted."""
        for column in columns:
            if self.cut(column, column):
                self.refuse(
                    column,
                    f"a blank should stand here, between two fields, found `{self.cut(column, column)}`",
                )

    def points_at(self, first: int, last: int, what: str, *, signed: bool = False) -> int | None:
        """Return the half points in the columns (`7.5` → 15), None if they are blank."""
        text = self.cut(first, last)
        return self.points(text, first, what, signed=signed) if text else None

    def points(self, text: str, column: int, what: str, *, signed: bool = False) -> int:
        """Read `1`, `0.5`, `.5` or `11,50` as half points; `signed`: also `-0.5`, where points may be taken away."""
        if signed and text[0] in "-−":
            return -self.points(text[1:].strip() or "-", column, what)
        found = _POINTS.fullmatch(text) if text.isascii() else None
        if not found or not (found[1] or found[2]) or len(text) > MOST_DIGITS:
            self.refuse(column, f"{what} should be a number of points like 1.5, found `{text[:20]}`")
        fraction = (found[2] or "").rstrip("0")
        if fraction not in ("", "5"):
            self.refuse(column, f"{what} should be a multiple of one half, found `{text}`")
        return int(found[1] or "0") * 2 + (1 if fraction else 0)

    def numbers_from(self, first: int, width: int, what: str) -> tuple[int, ...]:
        """Return the numbers in columns of `width` with one blank between, from `first` to the line's end; blanks skipped."""
        found = (
            self.number_at(start, start + width - 1, what)
            for start in range(first, len(self.text.rstrip()) + 1, width + 1)
        )
        return tuple(number for number in found if number)

    def words_from(self, first: int) -> list[tuple[int, str]]:
        """Return the words from a column on, each with its column."""
        return [(first + m.start(), m.group()) for m in re.finditer(r"\S+", self.text[first - 1 :])]

    def expect(self, *, column: int, value: int | None, what: str) -> int:
        """Return the value, or refuse the line because the columns are blank."""
        if value is None:
            self.refuse(column, f"{what} should stand here, found nothing")
        return value


def lines_of(text: str, source: str) -> list[Line]:
    """Cut a text into lines: LF, CR and CR LF all end one (bbpPairings writes bare CR). Blank lines are left out."""
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return [Line(source, n, line) for n, line in enumerate(plain.split("\n"), 1) if line.strip()]
