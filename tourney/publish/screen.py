"""The page for a projector: the list that players need now, in columns that fill the screen.

A long list is split into *leaves*, parts that fit on the screen. A style sheet shows the leaves one after the
other. After the last leaf the page loads again, even without a script.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import ceil
from unicodedata import east_asian_width, normalize

from msgspec import Struct, structs
from msgspec.structs import replace

from tourney.cards.names import fold
from tourney.event.view import BracketStageView, BracketView, EventView, RoundView, StandingsView, TableView
from tourney.publish.language import note_in_words
from tourney.publish.pictures import HALVES, BracketPicture, bracket_picture, part_of
from tourney.record import PlayerId
from tourney.wording import Message

SECONDS = 10
"""The number of seconds for which a leaf (a part of the list) is shown."""

AGAIN = 20
"""The minimum number of seconds after which the page loads again."""

WITH_MORE, ROWS_WITH_MORE = 30, 15
"""The maximum number of lines in a short list, and of rows in its one or two columns.

A short list of pairings has room to show opponents. A longer one shows only the tables.
"""

COLUMNS, ROWS = 4, 18
"""The maximum number of columns and rows in a leaf of a longer list.

Standings have fewer columns. A row is a twentieth of the screen's height, which is legible from a distance of
five times the screen's width.
"""

FEWEST_ROWS = 8
"""The number of rows for which letters are largest; fewer rows do not enlarge them further."""

IN_COLUMN = 8
"""The maximum number of seats that are legible in one column of a bracket.

Rounds with more seats are shown as lists of pairings.
"""

SHORT = 8
"""The maximum number of letters of a record that fit if there are three columns.

A longer text, such as an outcome in a bracket, needs the wider lines of two columns.
"""

MOST_SPANS = 9
"""The maximum number of leaves that are named by their first and last line.

More leaves are named by their first line only.
"""

MOST_COLUMNS = 3
"""The maximum number of rounds of a bracket that are legible.

Decided rounds are omitted first.
"""

SIZE, LEAST_SIZE = 5.4, 2.8
"""The largest and the smallest legible letters, in hundredths of the screen's height."""

LONG_NAMES = 0.1
"""The largest share of names that may be shown in smaller letters than the others.

If more names are too long, all letters are made smaller.
"""

MOST_OPEN = 12
"""The maximum number of open tables that are listed by their numbers."""


class LeafLine(Struct, frozen=True, kw_only=True):
    """A player's line in a list on the page for a projector.

    name: the last name, or the whole name
    first: the first name, which is shown after a comma
    number: the player's rank, or place in the final ranking, which is shown before the name
    table: the text after the name and the note: the player's table, or the points in standings
    more: the last text of the line, such as the opponents or the record
    mark: the CSS class of the line
    note: the note directly after the name, such as `dropped`
    long: `long` for a name in smaller letters, `longer` for a name on two lines; empty for most names
    words: whether `more` is shown in small letters on two lines, because it is long
    """

    name: str
    first: str = ""
    number: str = ""
    table: str = ""
    more: str = ""
    mark: str = ""
    note: str = ""
    long: str = ""
    words: bool = False

    @property
    def length(self) -> float:
        """The width of the name, as a multiple of the height of letters."""
        return _bold(self.name) + (_plain(f", {self.first}") if self.first else 0)


class Leaf(Struct, frozen=True, kw_only=True):
    """A part of a list, or a picture of a bracket, that fits on the projector's screen.

    span: the first and the last line, by the first letters of names (`Ada – Fen`) or by rank (`1 – 24`). With
        more than `MOST_SPANS` parts, only the first line. For a bracket, the name of its first round
    size: the size of letters, in the unit of `SIZE`
    picture: a bracket, shown instead of columns; None if there is none
    """

    title: str
    span: str
    columns: tuple[tuple[LeafLine, ...], ...] = ()
    rows: int = FEWEST_ROWS
    size: float = SIZE
    picture: BracketPicture | None = None


class Screen(Struct, frozen=True, kw_only=True):
    """The content of the page for a projector.

    ends: when the clock runs out; empty if there is no clock
    again: the seconds until the page loads again
    open: a sentence with the numbers of the open tables
    extended: the open tables that have extra time
    """

    title: str
    pages: tuple[Leaf, ...]
    ends: str
    again: int
    open: str
    extended: tuple[TableView, ...]


def screen(event: EventView) -> Screen:
    """Return the content of the page.

    Before round 1 the page lists the players; later it shows pairings, standings or brackets.
    """
    latest = event.rounds[-1] if event.rounds else None
    over = event.closed or (event.final is not None and event.final.finished)
    leaves = tuple(_leaves(event, latest, over=over))
    playing = [] if latest is None else [table for table in latest.tables if not table.result]
    numbers = ", ".join(str(table.number) for table in playing)
    return Screen(
        title=_title(event, latest, over=over),
        pages=leaves,
        ends=latest.ends if latest and playing else "",
        again=SECONDS * max(1, len(leaves)) * ceil(AGAIN / (SECONDS * max(1, len(leaves)))),
        open=Message.plural(
            "Still playing: table {tables}", "Still playing: tables {tables}", len(playing), tables=numbers
        )
        if 0 < len(playing) <= MOST_OPEN
        else "",
        extended=tuple(table for table in playing if table.extra),
    )


def registration_status(players: int) -> Message:
    """Return the status of an event before round 1: how many players are registered."""
    return Message.plural(
        "1 player registered; no round is paired yet",
        "{n} players registered; no round is paired yet",
        players,
    )


def _title(event: EventView, latest: RoundView | None, *, over: bool) -> str:
    if over:
        return Message("The event is over")
    if latest is None:
        return registration_status(len(event.players))
    return latest.title if latest.playing else Message("{round} · all results are in", round=latest.title)


def _leaves(event: EventView, latest: RoundView | None, *, over: bool) -> Iterator[Leaf]:
    if latest is None:
        names = (last_name(player.name) for player in event.players)
        lines = [LeafLine(name=last, first=first) for last, first in names]
        yield from _columns(lines, Message("Players by name"))
    elif over:
        yield from _final(event)
    elif event.bracket is not None:
        pictures = _pictures(event.bracket)
        drawn_tables = {
            (match.match.round, match.match.table)
            for picture in pictures
            for match in picture.matches
            if match.match.table
        }
        if latest.playing and not all((latest.number, number) in drawn_tables for number in latest.playing):
            yield from _pairings(latest)
        yield from (
            Leaf(title=Message("Bracket"), span=picture.stages[0].name, picture=picture)
            for picture in pictures
        )
        if not pictures and not latest.playing:
            yield from _standings(event.settled)
    elif latest.playing or not event.settled.rows:
        yield from _pairings(latest)
    else:
        yield from _standings(event.settled)


def _pairings(view: RoundView) -> Iterator[Leaf]:
    lines = [
        LeafLine(
            name=line.last,
            first=line.first,
            table=line.where,
            more=line.with_whom,
            note=note_in_words(line.note),
        )
        for line in lines_of_round(view)
    ]
    yield from _columns(lines, Message("Pairings"))


def _standings(view: StandingsView) -> Iterator[Leaf]:
    lines = [
        LeafLine(
            number="–" if row.rank is None else str(row.rank),
            name=row.name,
            table=row.points,
            more=row.record,
            mark="out" if row.note else "in-cut" if row.cut else "",
            note=note_in_words(row.note),
        )
        for row in view.rows
    ]
    yield from _columns(lines, Message("After round {n}", n=view.after), sort=False)


def _final(event: EventView) -> Iterator[Leaf]:
    if event.final is None:
        yield from _standings(event.settled)
        return
    lines = [
        LeafLine(
            number=row.place,
            name=row.name,
            more=row.prize or row.bracket or row.record,
            mark="out" if row.note else "in-cut" if row.first == 1 else "",
            note=note_in_words(row.note),
        )
        for row in event.final.rows
    ]
    title = Message("Final ranking") if event.final.finished else Message("Places so far")
    yield from _columns(lines, title, sort=False)


# -- players by last name


class NameLine(Struct, frozen=True, kw_only=True):
    """A player in a list by last name.

    last: the last name
    first: the rest of the name
    where: the player's table; a dash if there is none
    with_whom: the opponents, or the kind of bye
    match: the kind of match in the bracket, if the round has several kinds
    """

    last: str
    first: str
    player: PlayerId
    where: str = ""
    with_whom: str = ""
    match: str = ""
    side: str = ""
    note: str = ""

    @classmethod
    def of(cls, name: str, player: PlayerId, **more: str) -> NameLine:
        """Return a player's line for a list by last name; `name` is split into last name and rest.

        more: values for the other fields, such as `where`
        """
        last, first = last_name(name)
        return cls(last=last, first=first, player=player, **more)

    @property
    def key(self) -> tuple[str, str, PlayerId]:
        """The key for sorting lines by last name."""
        return fold(self.last), fold(self.first), self.player


def lines_of_round(view: RoundView) -> Iterator[NameLine]:
    """Yield the players of a round, with their tables and opponents, or their kinds of bye."""
    for table in view.tables:
        for seat in table.seats:
            yield NameLine.of(
                seat.name,
                seat.player,
                where=str(table.number),
                with_whom=", ".join(other.name for other in table.seats if other is not seat),
                match=table.label if view.mixed else "",
                side=seat.side,
                note=seat.note,
            )
    for bye in view.byes:
        yield NameLine.of(bye.name, bye.player, where="–", with_whom=bye.kind, note=bye.note)


def last_name(name: str) -> tuple[str, str]:
    """Split a name into the last name, with small words such as `van der`, and the rest.

    A comma splits the name if it has one. A name of one word, or in Chinese, Japanese or Korean letters,
    stays whole. The number that distinguishes players with the same name (`tourney.event.names.public`) goes
    to the end of the rest.

    >>> last_name("Mira Oake"), last_name("Vincent van der Berg"), last_name("Oake, Mira")
    (('Oake', 'Mira'), ('van der Berg', 'Vincent'), ('Oake', 'Mira'))
    >>> last_name("Jo Reed II"), last_name("Anna S. #2"), last_name("Bo #3")
    (('Reed II', 'Jo'), ('S.', 'Anna #2'), ('Bo #3', ''))
    """
    if numbered_name := _ALIKE.fullmatch(name):
        last, first = last_name(numbered_name[1])
        return (last, f"{first} {numbered_name[2]}") if first else (name, "")
    if "," in name:
        last, _, first = name.partition(",")
        return (last.strip(), first.strip()) if last.strip() else (name, "")
    words = name.split()
    if len(words) < 2 or _FAMILY_FIRST.search(name):
        return name, ""
    begin = len(words) - 1
    while begin > 1 and _NO_NAME.fullmatch(words[begin]):
        begin -= 1
    while begin > 1 and words[begin - 1].islower():
        begin -= 1
    return " ".join(words[begin:]), " ".join(words[:begin])


_ALIKE = re.compile(r"(.+) (#\d+)")
_NO_NAME = re.compile(r"\d+|[IVX]+|[JS]r\.?")
_FAMILY_FIRST = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


# -- lines in columns


def _columns(lines: Sequence[LeafLine], title: str, *, sort: bool = True) -> Iterator[Leaf]:
    """Split a list into parts that fit on the screen: few parts, of about equal length.

    sort: whether to sort the lines by name
    """
    if sort:
        lines = sorted(lines, key=lambda line: (fold(line.name), fold(line.first), line.table))
    columns, rows = _grid(lines)
    if len(lines) > WITH_MORE:
        lines = [line if line.number else replace(line, more="") for line in lines]
    number = ceil(len(lines) / (columns * rows))
    if number == 1:
        columns = min(columns, ceil(len(lines) / rows))  # use fewer, wider columns, so that whole names fit
    bounds = [round(len(lines) * leaf / number) for leaf in range(number + 1)] if number else []
    spans = _spans([lines[begin:end] for begin, end in pairwise(bounds)], by_name=sort)
    for (begin, end), span in zip(pairwise(bounds), spans, strict=True):
        high = ceil((end - begin) / columns)
        rows = max(high, FEWEST_ROWS)
        sized_lines, size = _fit_lines(lines[begin:end], columns, rows)
        yield Leaf(
            title=title,
            span=span,
            columns=tuple(tuple(sized_lines[at : at + high]) for at in range(0, len(sized_lines), high)),
            rows=rows,
            size=size,
        )


def _grid(lines: Sequence[LeafLine]) -> tuple[int, int]:
    """Return the maximum number of columns and of rows of a list that fit on the screen."""
    if len(lines) <= WITH_MORE:
        return 1 + (len(lines) > FEWEST_ROWS), ROWS_WITH_MORE
    if any(line.more and line.number for line in lines):  # places, records and points
        return 3 if all(len(line.more) <= SHORT for line in lines) else 2, ROWS
    return COLUMNS, ROWS


def _fit_lines(lines: Sequence[LeafLine], columns: int, rows: int) -> tuple[list[LeafLine], float]:
    """Return the lines, with long names marked, and the largest size in which most names fit."""
    size = min(52 / rows, SIZE)
    while size > LEAST_SIZE and sum(_length(line, columns, size) > 1 for line in lines) > LONG_NAMES * len(
        lines
    ):
        size = max(size - 0.1, LEAST_SIZE)
    lengths = (_length(line, columns, size) for line in lines)
    marks = ("" if length <= 1 else "long" if length <= 1.25 else "longer" for length in lengths)
    return [
        replace(line, long=mark, words=_is_small(line, columns, size))
        for line, mark in zip(lines, marks, strict=True)
    ], round(size, 2)


def _length(line: LeafLine, columns: int, size: float) -> float:
    """Return the width of a name in a wide font, as a fraction of the available width.

    `screen.css` sets the available width. If the result is above 1, the name does not fit.
    """
    column, used_width = _column_width(columns), 0.0
    for text, least in ((line.number, 2.2), (line.table, 2.6)):
        used_width += (_DIGIT * max(least, len(text)) * size + _GAP) if text else 0
    if line.more:
        side_width = _BESIDE_TABLE if line.table and not line.number else _BESIDE_PLACE
        short = line.number and not _is_small(line, columns, size)
        used_width += (0.75 * _plain(line.more) * size if short else side_width * column) + _GAP
    if line.note:
        used_width += 0.6 * _bold(f" {line.note}") * size
    return (line.length + _PADDING) * size / max(column - used_width, size)


def _is_small(line: LeafLine, columns: int, size: float) -> bool:
    """Return whether the text after a player's name must be shown small, on two lines.

    For the names of opponents, their width decides; for any other text, the number of letters.
    """
    if line.table and not line.number:
        return 0.75 * _plain(line.more) * size > _BESIDE_TABLE * _column_width(columns)
    return len(line.more) > SHORT


def _column_width(columns: int) -> float:
    """Return the width of a column, in hundredths of the screen's height."""
    return (95 - 2.2 * (columns - 1)) * _WIDE / columns


_WIDE = 16 / 9
_GAP = _WIDE
"""The gap between the parts of a line: a hundredth of the screen's width."""

_BESIDE_TABLE, _BESIDE_PLACE = 0.38, 0.3
"""The width of the text after the name, as a fraction of the column's width.

The first value is for opponents, after the table's number. The second is for a long record, after the place.
"""

_PADDING, _DIGIT = 0.12, 0.7
"""The space before a name and the width of a digit, as multiples of the height of letters."""

_WIDTHS = {
    letter: width
    for letters, width in (
        ("ijl'", 0.34), (" ,.IJ", 0.38), ("-f", 0.44), ("rt", 0.49), ("csz", 0.6), ("aekovxyEFLT", 0.69),
        ("bdghnpquCPSYZ0123456789", 0.73), ("ABKRVX", 0.77), ("DGHNOQU#", 0.85),
        ("wM", 1.0), ("m", 1.04), ("W", 1.1),
    )
    for letter in letters
}  # fmt: skip
"""The widths of bold letters in a wide font (DejaVu Sans), as multiples of their height."""


def _bold(text: str) -> float:
    return sum(map(_width, text))


def _plain(text: str) -> float:
    return 0.92 * _bold(text)


def _width(letter: str) -> float:
    """Return the width of a letter, as a multiple of its height.

    Combining accents have no width. A Chinese letter is as wide as it is high.
    """
    base = normalize("NFD", letter)[0]
    return _WIDTHS.get(base, 1.05 if east_asian_width(base) in "WF" else 0.85)


def _spans(parts: Sequence[Sequence[LeafLine]], *, by_name: bool) -> Iterator[str]:
    for lines in parts:
        names = [line.name[:3] for line in lines] if by_name else [line.number for line in lines]
        names = [name for name in names if by_name or name != "–"] or ["–"]
        first, last = names[0], names[-1]
        yield first if first == last or len(parts) > MOST_SPANS else f"{first} – {last}"


def _pictures(view: BracketView) -> list[BracketPicture]:
    """Return pictures of a bracket, without rounds that are too large to be legible.

    Rounds with more than `IN_COLUMN` seats are left out. If there are too many rounds, decided ones are left
    out, too. A double bracket has a picture of each half, and both show the final. A picture is left out if
    none of its players is known yet.
    """
    stages = [stage for stage in view.stages if sum(len(match.seats) for match in stage.matches) <= IN_COLUMN]
    if not view.double:
        parts = [stages]
    else:
        finals = [stage for stage in stages if part_of(stage) not in HALVES]
        parts = [[stage for stage in stages if part_of(stage) == half] + finals for half in HALVES]
    return [
        bracket_picture(structs.replace(view, stages=tuple(_to_come(part))), id=f"bracket-{number}")
        for number, part in enumerate(parts, 1)
        if part and any(seat.player for stage in part for match in stage.matches for seat in match.seats)
    ]


def _to_come(stages: Sequence[BracketStageView]) -> list[BracketStageView]:
    """Return the rounds of a bracket that fit on the screen.

    If there are too many, decided rounds are left out, the earliest first.
    """
    stages_left = list(stages)
    while sum(part_of(stage) != "third" for stage in stages_left) > MOST_COLUMNS and all(
        match.state in {"done", "bye", "empty"} for match in stages_left[0].matches
    ):
        del stages_left[0]
    return stages_left
