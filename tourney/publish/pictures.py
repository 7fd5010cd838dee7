"""Coordinates for the pictures of the bracket and the field, which templates draw.

Lengths are in CSS pixels, for a picture that is not scaled. Words and colors are in the templates.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from msgspec import Struct

from tourney.event.view import (
    BracketMatchView,
    BracketSeatView,
    BracketStageView,
    BracketView,
    DeckKind,
    FieldView,
    MatchRecord,
)

BOX = 232
"""The width of the box of a match."""

GAP = 36
"""The space between two columns, for the lines."""

SEAT = 28
"""The height of a seat."""

LABEL = 20
"""The space above a match for its label."""

AIR = 14
"""The space between two matches."""

HEAD = 30
"""The space above a column, for the name of the round."""

MOST_DRAWN = 70
"""The maximum number of matches in a picture.

If a bracket has more, only its last rounds are drawn.
"""

NAME = 20
"""The maximum number of letters of a player's name that fit between the seed and the score."""


def shorten(text: str, letters: int) -> str:
    """Return a text, shortened to the width of `letters` letters if it is longer.

    Wide letters (CJK) count twice, and combining marks do not count.

    >>> shorten("Mira Oake", 10), shorten("Bartholomew Featherstone", 13), shorten("東京都庁", 5)
    ('Mira Oake', 'Bartholomew…', '東京…')
    """
    width, fitting = 0.0, 0
    for place, letter in enumerate(text):
        width += _letter_width(letter)
        if width <= letters - 1:
            fitting = place + 1
    return text if width <= letters else text[:fitting].rstrip() + "…"


def _letter_width(letter: str) -> float:
    if unicodedata.combining(letter) or unicodedata.category(letter) == "Cf":
        return 0
    if letter in "mwMWÆŒ@—":
        return 1.5
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


COLUMN = BOX + GAP
"""The distance between the left edges of two columns."""


class DrawnSeat(NamedTuple):
    """A seat in the picture of a match.

    x, y: the left end of its center line
    name: the shortened name
    """

    x: float
    y: float
    seat: BracketSeatView
    name: str


class DrawnMatch(Struct, frozen=True):
    """A match in the picture of a bracket.

    x, y: the upper left corner of its box, below the label
    """

    x: float
    y: float
    match: BracketMatchView
    seats: tuple[DrawnSeat, ...]
    width: int = BOX

    @property
    def height(self) -> int:
        """The height of the match's box."""
        return SEAT * len(self.seats)

    @property
    def middle(self) -> float:
        """The y coordinate of the line from this match to the next."""
        return self.y + self.height / 2


class Head(NamedTuple):
    """The name of a round, with its position above a column in the picture of a bracket."""

    x: float
    y: float
    text: str


class BracketPicture(Struct, frozen=True, kw_only=True):
    """A bracket to draw.

    lines: the SVG path of all lines
    earlier: the rounds that are not drawn because the bracket is too large
    stages: the rounds that are drawn
    id: the id of the picture's title
    """

    width: int
    height: int
    matches: tuple[DrawnMatch, ...]
    heads: tuple[Head, ...]
    lines: str
    earlier: tuple[BracketStageView, ...]
    stages: tuple[BracketStageView, ...]
    id: str


def bracket_picture(view: BracketView, id: str = "bracket") -> BracketPicture:  # noqa: A002
    """Lay out a bracket: a column for each round, each match centered on those that lead to it.

    In a double bracket, the lower part is below the upper one, and the final is to the right of both. The
    match for third place, or the second final, is below the final.
    """
    fitting = _fitting(view.stages)
    stages = [stage for stage in view.stages if len(stage.matches) <= fitting]
    areas: _Areas = {"upper": [], "lower": [], "right": [], "below": []}
    for stage in stages:
        areas[_area(stage, double=view.double)].append(stage)
    matches: dict[str, DrawnMatch] = {}
    heads: list[Head] = []
    top: float = HEAD
    for half in HALVES:
        height = max((len(stage.matches) * _slot(stage) for stage in areas[half]), default=0)
        heads += [Head(column * COLUMN, top - 14, stage.name) for column, stage in enumerate(areas[half])]
        matches |= _columns(areas[half], top, height)
        top += height + 2 * HEAD
    x, middle = _end_of_halves(areas, matches)
    for stage in areas["right"]:
        heads.append(Head(x, HEAD - 14, stage.name))
        matches |= {match.label: _match(match, x, middle) for match in stage.matches}
    for stage in areas["below"]:
        final = max(matches.values(), key=lambda match: match.x)
        middle = final.middle - LABEL / 2 + _slot(stage) * 1.25
        matches |= {match.label: _match(match, final.x, middle) for match in stage.matches}
    return BracketPicture(
        width=round(max((match.x for match in matches.values()), default=0) + BOX + 4),
        height=round(max((match.y + match.height for match in matches.values()), default=0) + 6),
        matches=tuple(match for match in matches.values() if match.match.state != "empty"),
        heads=tuple(heads),
        lines=" ".join(_lines(matches)),
        earlier=tuple(stage for stage in view.stages if len(stage.matches) > fitting),
        stages=tuple(stages),
        id=id,
    )


_Areas = dict[str, list[BracketStageView]]
"""The rounds in each area of the picture (`_area`)."""


def _fitting(stages: Sequence[BracketStageView]) -> int:
    """Return the maximum number of matches in a round that the picture shows.

    Larger rounds, which are the first ones, are left out, so that the picture has at most `MOST_DRAWN`
    matches in total.
    """
    sizes = [len(stage.matches) for stage in stages]
    most = max(sizes, default=0)
    while sum(size for size in sizes if size <= most) > MOST_DRAWN:
        most //= 2
    return most


def _end_of_halves(areas: _Areas, matches: Mapping[str, DrawnMatch]) -> tuple[float, float]:
    """Return where the final is drawn, as x and y.

    x is the column to the right of both halves; y is halfway between the last matches of the halves.
    """
    halves = [areas[half] for half in HALVES if areas[half]]
    ends = [matches[half[-1].matches[0].label].middle for half in halves]
    middle = sum(ends) / len(ends) - LABEL / 2 if ends else HEAD + SEAT
    return COLUMN * max(map(len, halves), default=0), middle


def _columns(stages: Sequence[BracketStageView], top: float, height: float) -> dict[str, DrawnMatch]:
    """Arrange the matches in evenly spaced columns, one for each round; return label → match."""
    return {
        match.label: _match(match, column * COLUMN, top + height * (place + 0.5) / len(stage.matches))
        for column, stage in enumerate(stages)
        for place, match in enumerate(stage.matches)
    }


Part = Literal["upper", "lower", "final", "third", ""]
"""The parts of a bracket; "" for the matches of a single bracket before the final."""

HALVES: tuple[Part, Part] = ("upper", "lower")
"""The parts of a double bracket before the final."""

_PARTS: Mapping[str, Part] = {"Final": "final", "Final reset": "final", "Third place": "third"}


def part_of_match(label: str) -> Part:
    """Return the part of the bracket to which a match belongs. label: its unique label."""
    for half in HALVES:
        if label.startswith(half.capitalize()):
            return half
    return _PARTS.get(label, "")


def part_of(stage: BracketStageView) -> Part:
    """Return the part of the bracket to which a round belongs."""
    return part_of_match(stage.matches[0].label) if stage.matches else ""


def _area(stage: BracketStageView, *, double: bool) -> str:
    """Return the area of a bracket's picture in which a round is drawn.

    `upper`: the upper bracket, or a single bracket with its final
    `lower`: the lower bracket
    `right`: to the right of both, for the final of a double bracket
    `below`: below the final, for the match for third place or the second final
    """
    part = part_of(stage)
    if part == "third" or (double and all(match.reset for match in stage.matches)):
        return "below"
    if not double:
        return "upper"
    return part if part in HALVES else "right"


def _slot(stage: BracketStageView) -> float:
    return LABEL + AIR + SEAT * max((len(match.seats) for match in stage.matches), default=2)


def _match(match: BracketMatchView, x: float, middle: float) -> DrawnMatch:
    seats = [view for view in match.seats if match.state != "bye" or view.player is not None]
    top = round(middle + LABEL / 2 - SEAT * len(seats) / 2, 1)
    drawn_seats = (
        DrawnSeat(x, top + SEAT * place + SEAT / 2, seat, shorten(seat.name, NAME))
        for place, seat in enumerate(seats)
    )
    return DrawnMatch(x, top, match, tuple(drawn_seats))


def _lines(matches: Mapping[str, DrawnMatch]) -> Iterator[str]:
    """Yield the SVG paths of a bracket's lines, along which winners advance.

    No lines lead from the upper to the lower bracket; texts in the picture say where losers go.
    """
    for to in matches.values():
        for label in dict.fromkeys(seat.of for seat in to.match.seats if seat.kind and seat.kind != "loser"):
            begin = matches.get(label)
            if begin is None or begin.x == to.x or "empty" in (begin.match.state, to.match.state):
                continue
            yield f"M{begin.x + BOX:g} {begin.middle:g}H{to.x - GAP / 2:g}V{to.middle:g}H{to.x:g}"


# -- the field


MOST_KINDS = 12
"""The maximum number of kinds of decks in the table of matches between kinds.

The table of shares has all kinds.
"""


FIELD = 358
"""The width of the picture of the field, which fits on a phone."""

SHARES_WIDE = 110
"""The width of the longest bar that shows a kind's share of the players."""

RATES, RATES_WIDE = 200, 150
"""The x coordinate and the width of the scale of win rates, from 0 to 100 percent."""

LINE, ABOVE = 46, 58
"""The height of the row for a kind of deck, and the y coordinate of the first row's center."""

KIND = 38
"""The maximum number of letters of the name of a kind that fit above its bar."""


class Bar(Struct, frozen=True):
    """A row of the picture for a kind of deck, with its share of the players and its win rate.

    y: the y coordinate of the row's center
    name: the shortened name
    share: the percentage of players who play this kind, of all whose kind is known, as text
    cut: the percentage of its players who are in the cut, as text
    rate: the win rate as text; empty if there was no match
    width: the width of the bar that shows the share
    reach: the SVG path that shows the confidence interval of the win rate
    middle: the x coordinate of the win rate
    """

    y: int
    kind: DeckKind
    name: str
    share: str
    cut: str
    rate: str
    width: float
    reach: str
    middle: float


class FieldPicture(Struct, frozen=True, kw_only=True):
    """A picture of the kinds of decks in an event, with a bar for each kind.

    met: a row for each of the most played kinds: its name, and its win rates against these kinds, as text
    """

    view: FieldView
    bars: tuple[Bar, ...]
    height: int
    met: tuple[tuple[str, tuple[str, ...]], ...]
    width: int = FIELD
    rates_x: tuple[int, int, int] = (RATES, RATES + RATES_WIDE // 2, RATES + RATES_WIDE)


def field_picture(view: FieldView) -> FieldPicture:
    """Lay out the picture of the kinds of decks in an event, and of their win rates."""
    most = max((kind.share for kind in view.kinds), default=1)
    shares = percentages([kind.players for kind in view.kinds])
    bars = tuple(
        Bar(
            y=ABOVE + LINE * place,
            kind=kind,
            name=shorten(kind.name, KIND),
            share=shares[place],
            cut=_percent(kind.cut, kind.players),
            rate=rate_text(kind.matches),
            width=round(SHARES_WIDE * kind.share / most, 1),
            reach="M{} {y}H{}".format(*map(_at, kind.matches.interval), y=ABOVE + LINE * place),
            middle=_at(kind.matches.rate or 0),
        )
        for place, kind in enumerate(view.kinds)
    )
    kinds = view.kinds[:MOST_KINDS]
    rate_rows = tuple(
        (kind.name, tuple(rate_text(rate) for rate in kind.against[: len(kinds)])) for kind in kinds
    )
    return FieldPicture(view=view, bars=bars, height=LINE * len(bars) + ABOVE - 34, met=rate_rows)


def percentages(parts: Sequence[int]) -> list[str]:
    """Return each part in percent of their sum, as text.

    The percentages are whole numbers if they add up to 100; otherwise all have one decimal.

    >>> percentages([4, 2, 1, 1]), percentages([3, 1]), percentages([1, 1, 1]), percentages([])
    (['50.0', '25.0', '12.5', '12.5'], ['75', '25'], ['33.3', '33.3', '33.3'], [])
    """
    whole = sum(parts)
    percents = [_percent(part, whole) for part in parts]
    return percents if sum(map(int, percents)) == 100 else [_percent(part, whole, 10) for part in parts]


def _percent(part: int, whole: int, steps: int = 1) -> str:
    """Return a share in percent, with halves rounded up.

    steps: the precision: 1 for whole percents, 10 for tenths
    """
    share = (200 * steps * part + whole) // (2 * whole)
    return str(share) if steps == 1 else f"{share / steps:.1f}"


def _at(rate: float) -> float:
    return round(RATES + RATES_WIDE * rate, 1)


def rate_text(tally: MatchRecord) -> str:
    """Return a win rate as text: `57 % (41–72), 12`; empty without any match.

    The text has the rate, its confidence interval and the number of matches.

    >>> rate_text(MatchRecord(won=8, lost=2)), rate_text(MatchRecord())
    ('80 % (49–94), 10', '')
    """
    if tally.rate is None:
        return ""
    low, high = (round(100 * end) for end in tally.interval)
    return f"{round(100 * tally.rate)} % ({low}–{high}), {tally.played}"
