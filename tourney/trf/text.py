"""Read the text of a Tournament Report File in any dialect, and write it in two dialects.

Each line is a record of fixed columns. Its first three columns are its type:

* TRF16 and TRF26: 001 players, 012 to 222 the event, 142 152 162 pairing settings, 240 byes,
  250 acceleration, 260 forbidden pairs, 299 abnormal points
* JaVaFo: XXR XXC XXS XXZ XXA XXP
* bbpPairings: BBW BBD BBL BBZ BBF BBU

`read` adds each line to a `_Draft` with the reader of its type (`_READERS`), then compares the lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Generic, Literal, NamedTuple, NoReturn, TypeVar

from tourney.errors import TourneyError
from tourney.trf.file import (
    FIRST_ROUND_COLUMN,
    RESULT_CODES,
    AbnormalPoints,
    Byes,
    Cell,
    ForbiddenPairs,
    TrfFile,
    TrfHeader,
    TrfPlayer,
    merge_byes,
    round_column,
)
from tourney.wording import counted

T = TypeVar("T")

_MOST_PLAYERS = 9999
"""The maximum pairing number. Pairing numbers have four columns."""

_MOST_ROUNDS = 999
"""The maximum round number. Round numbers have three columns.

If the last round of forbidden pairs (260) is 999, the pairs are forbidden to the end.
"""

_TEXT_RECORDS = {
    "012": "name",
    "022": "city",
    "032": "federation",
    "042": "start",
    "052": "end",
    "092": "kind",
    "102": "arbiter",
    "122": "time_control",
    "172": "start_rank_method",
    "182": "program",
    "192": "system",
    "202": "tie_breaks",
    "212": "standings_order",
    "222": "encoded_time_control",
}
"""The types of the records with one text, each with its field of `TrfHeader`."""

_SCORING_CODES = ("W", "D", "L", "A", "P", "X")
"""The codes of record 162, in the order in which they are written."""


def read(text: str, *, source: str) -> TrfFile:
    """Read a Tournament Report File of any dialect.

    Lines may end in LF, CR or CR LF. Lines of unknown types are kept in `unknown_lines`. `source` is the name
    of the file in messages.

    Raises TourneyError with source, line and column for a field that cannot be read, a pairing number that
    two player lines share, a pairing number without a player line, and lines that contradict each other.
    """
    # bbpPairings ends lines with a bare CR.
    normalized_text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    draft = _Draft()
    for number, line in enumerate(normalized_text.split("\n"), 1):
        if line.strip():
            _read_line(draft, _Line(source, number, line))
    if not draft.players:
        raise TourneyError(f"{source}: no player line (001), so it is not a Tournament Report File")
    _check_players(draft)
    _apply_acceleration_ranges(draft)
    return TrfFile(
        header=TrfHeader(**draft.header, deputies=tuple(draft.deputies), dates=draft.dates),
        players=tuple(player for player, _ in draft.players),
        rounds_total=draft.rounds_total.value if draft.rounds_total else None,
        initial_side=draft.initial_side.value if draft.initial_side else "",
        by_rank=draft.by_rank,
        scoring=_join_sides({code: stated_value.value for code, stated_value in draft.scoring.items()}),
        absent_players=tuple(sorted(set(draft.absent_players))),
        byes=merge_byes(draft.byes),
        accelerations=_accelerations(draft),
        forbidden_pairs=tuple(draft.forbidden_pairs),
        abnormal_points=tuple(draft.abnormal_points),
        unknown_lines=tuple(draft.unknown_lines),
        source=source,
        remarks=(*_byes_with_opponents(draft), *_unknown_rounds(draft)),
    )


def _check_players(draft: _Draft) -> None:
    """Raise TourneyError if a pairing number is used twice or has no player line.

    Also raises it if players are their own opponents.
    """
    lines: dict[int, int] = {}
    for player, line in draft.players:
        if player.number in lines:
            first = lines[player.number]
            line.refuse(5, f"pairing number {player.number} is used twice, first in line {first}")
        lines[player.number] = line.number
    for player, line in draft.players:
        for round_number, cell in enumerate(player.rounds, 1):
            column = round_column(round_number)
            if cell.opponent and cell.opponent not in lines:
                line.refuse(column, f"round {round_number}: opponent {cell.opponent} has no player line")
            if cell.opponent == player.number:
                line.refuse(column, f"round {round_number}: the player is their own opponent")
    for number, line in draft.named_players:
        if number not in lines:
            line.refuse(5, f"record {line.code} names player {number}, who has no player line")


def _apply_acceleration_ranges(draft: _Draft) -> None:
    """Add the points of all records of type 250 to the accelerations.

    Call this after the last line, because only then are all players known.
    """
    numbers = sorted(player.number for player, _ in draft.players)
    for (points, rounds, players), line in draft.acceleration_ranges:
        for number in numbers:
            for round_number in rounds if number in players else ():
                _accelerate(draft, number, round_number, points, line)


def _join_sides(scoring: dict[str, int]) -> dict[str, int]:
    """Return the scoring with one code (`W`) instead of two (`WW`, `BW`) that have equal points.

    JaVaFo has one code for each side.
    """
    for code in "WDL":
        white, black = scoring.get("W" + code), scoring.get("B" + code)
        if white is not None and white == black and code not in scoring:
            scoring[code] = white
            del scoring["W" + code], scoring["B" + code]
    return dict(sorted(scoring.items()))


def _accelerations(draft: _Draft) -> dict[int, tuple[int, ...]]:
    by_player: dict[int, dict[int, int]] = {}
    for (player, round_number), (points, _) in sorted(draft.accelerations.items(), key=lambda item: item[0]):
        if points:
            by_player.setdefault(player, {})[round_number] = points
    return {
        player: tuple(points.get(round_number, 0) for round_number in range(1, max(points) + 1))
        for player, points in by_player.items()
    }


def _byes_with_opponents(draft: _Draft) -> Iterator[str]:
    """Yield a remark for each requested bye of a player who has an opponent in that round."""
    players = {player.number: player for player, _ in draft.players}
    for bye in draft.byes:
        for player in (players[number] for number in bye.players):
            cell = player.cell(bye.round)
            if cell.opponent:
                yield (
                    f"line {bye.line}: player {player.number} has a bye `{bye.kind}` in round {bye.round}, "
                    f"but line {player.line} names player {cell.opponent} as the opponent"
                )


def _unknown_rounds(draft: _Draft) -> Iterator[str]:
    """Yield a remark for each line that names a round after the last round of the file."""
    played_rounds = max(len(player.rounds) for player, _ in draft.players)
    planned_rounds = draft.rounds_total.value if draft.rounds_total else 0
    rounds = max(played_rounds, planned_rounds)
    mentions = {(line.number, line.code, round_number) for round_number, line in draft.named_rounds}
    for number, code, round_number in sorted(mentions):
        # Without a planned number, a bye or an acceleration may be for a later round; points may not.
        if round_number > rounds and (planned_rounds or code == "299"):
            total = counted(rounds, "round")
            yield f"line {number}: record {code} names round {round_number}, but the file has {total}"


# -- The fields of a line


_MOST_DIGITS = 9
"""The maximum number of digits in a number.

The limit keeps Python from parsing thousands of digits.
"""

_POINTS = re.compile(r"(\d*)(?:[.,](\d+))?")
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class _Line:
    """One line of a file.

    Columns count from 1, and a range includes its last column, as in FIDE's description of the format.
    """

    source: str
    number: int
    text: str

    @property
    def code(self) -> str:
        """The record type."""
        return self.text[:3]

    def refuse(self, column: int, message: str) -> NoReturn:
        """Raise a TourneyError that names source, line and column."""
        raise TourneyError(f"{self.source}: line {self.number}, column {column}: {message}")

    def cut(self, first: int, last: int | None = None) -> str:
        """Return the text in columns `first` to `last`, without blanks around it.

        If `last` is None, return the text in the one column `first`.
        """
        return self.text[first - 1 : last or first].strip()

    def content(self) -> str:
        """Return the text after the record type."""
        return self.text[3:].strip()

    def field_columns(self, first: int, step: int) -> range:
        """Return the columns in which fields begin: every `step` columns from `first` to the end."""
        return range(first, len(self.text.rstrip()) + 1, step)

    def words(self) -> list[tuple[int, str]]:
        """Return the words after the record type, each with its column."""
        return [(match.start() + 1, match[0]) for match in _WORD.finditer(self.text, 3)]

    def check_blank(self, *columns: int, reason: str = "") -> None:
        """Refuse the line if one of these columns, which separate fields, is not blank.

        Text in such a column means that the fields have shifted.

        reason: text that is added to the message
        """
        for column in columns:
            if self.cut(column):
                message = f"expected a blank between two fields, found `{self.cut(column)}`"
                self.refuse(column, message + reason)

    def read_number(self, first: int, last: int, name: str) -> int | None:
        """Return the whole number in the columns, or None if they are blank."""
        text = self.cut(first, last)
        if text and not _is_number(text):
            message = f"{name} should be a whole number in columns {first} to {last}, found `{text[:20]}`"
            self.refuse(first, message)
        return int(text) if text else None

    def read_required_number(self, first: int, last: int, name: str) -> int:
        """Return the whole number in columns `first` to `last` of the line.

        Raises TourneyError if these columns are blank or contain something else.

        name: what the number means, for the message
        """
        return self.require(
            self.read_number(first, last, name), first, f"{name} in columns {first} to {last}"
        )

    def read_numbers(self, first: int, name: str) -> tuple[int, ...]:
        """Return the numbers from column `first` on, in fields of four columns with a blank between.

        Blank fields and zeros are left out.
        """
        numbers = [self.read_number(start, start + 3, name) for start in self.field_columns(first, 5)]
        return tuple(number for number in numbers if number)

    def read_points(self, first: int, last: int, name: str, *, is_signed: bool = False) -> int | None:
        """Return the half points in the columns (`7.5` → 15), or None if they are blank."""
        text = self.cut(first, last)
        return self.parse_points(text, first, name, is_signed=is_signed) if text else None

    def parse_points(self, text: str, column: int, name: str, *, is_signed: bool = False) -> int:
        """Return the half points of `1`, `0.5`, `.5` or `11,50`; if `is_signed`, also of `-0.5`."""
        if is_signed and text[0] in "-−":
            return -self.parse_points(text[1:].strip() or "-", column, name)
        match = _POINTS.fullmatch(text) if text.isascii() and text and len(text) <= _MOST_DIGITS else None
        if not match:
            self.refuse(column, f"{name} should be a number like 1.5, found `{text[:20]}`")
        fraction = (match[2] or "").rstrip("0")
        if fraction not in ("", "5"):
            self.refuse(column, f"{name} should be a multiple of 0.5, found `{text}`")
        return int(match[1] or "0") * 2 + (1 if fraction else 0)

    def require(self, value: int | None, column: int, name: str) -> int:
        """Return the value. If it is missing (None), raise a TourneyError that names the line."""
        if value is None:
            self.refuse(column, f"{name} is missing")
        return value


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS


# -- The readers of the record types


class _StatedValue(NamedTuple, Generic[T]):
    """A value, and the line from which it was read."""

    value: T
    line: _Line


def _check_agreement(
    earlier: _StatedValue[T] | None,
    stated_value: _StatedValue[T],
    column: int,
    name: str,
    show: Callable[[T], object] = str,
) -> _StatedValue[T]:
    """Compare `stated_value`, a new value with its line, with an earlier value; return it.

    Raises TourneyError with the new line if the values differ.

    earlier: the value from an earlier line, if any
    """
    value, line = stated_value
    if earlier and earlier.value != value:
        message = f"{name} is {show(value)} here, but {show(earlier.value)} in line {earlier.line.number}"
        line.refuse(column, message)
    return stated_value


@dataclass(slots=True)
class _Draft:
    """The values that were read so far, with their lines if a later check needs them.

    accelerations:       (pairing number, round) → virtual half points (XXA; the points from records of
                         type 250 are added after the last line)
    acceleration_ranges: half points, rounds and pairing numbers of each record of type 250
    named_players:       pairing numbers in lines other than player lines
    named_rounds:        rounds in lines other than player lines
    """

    header: dict[str, str] = field(default_factory=dict)
    deputies: list[str] = field(default_factory=list)
    dates: tuple[str, ...] = ()
    players: list[_StatedValue[TrfPlayer]] = field(default_factory=list)
    rounds_total: _StatedValue[int] | None = None
    initial_side: _StatedValue[str] | None = None
    by_rank: bool = False
    scoring: dict[str, _StatedValue[int]] = field(default_factory=dict)
    absent_players: list[int] = field(default_factory=list)
    byes: list[Byes] = field(default_factory=list)
    accelerations: dict[tuple[int, int], _StatedValue[int]] = field(default_factory=dict)
    acceleration_ranges: list[_StatedValue[tuple[int, range, range]]] = field(default_factory=list)
    forbidden_pairs: list[ForbiddenPairs] = field(default_factory=list)
    abnormal_points: list[AbnormalPoints] = field(default_factory=list)
    unknown_lines: list[str] = field(default_factory=list)
    named_players: list[_StatedValue[int]] = field(default_factory=list)
    named_rounds: list[_StatedValue[int]] = field(default_factory=list)

    def name_players(self, line: _Line, *numbers: int) -> tuple[int, ...]:
        """Record which pairing numbers a line mentions, and return them.

        After the last line, the reader checks that each of them has a player line.
        """
        self.named_players += [_StatedValue(number, line) for number in numbers]
        return numbers

    def name_round(self, line: _Line, round_number: int) -> int:
        """Record that a line mentions a round, and return the number of the round.

        After the last line, the reader checks whether the file has this round.
        """
        self.named_rounds.append(_StatedValue(round_number, line))
        return round_number


def _read_line(draft: _Draft, line: _Line) -> None:
    """Read one line, and add its values to those of the lines before (`draft`).

    Lines of unknown types are kept as they are.
    """
    if line.code in _TEXT_RECORDS:
        draft.header[_TEXT_RECORDS[line.code]] = line.content()
    elif line.code in _READERS:
        _READERS[line.code](draft, line)
    elif line.code not in _COUNTS:
        draft.unknown_lines.append(line.text.rstrip())


def _read_player(draft: _Draft, line: _Line) -> None:
    number = line.read_required_number(5, 8, "the pairing number")
    if number == 0:
        line.refuse(5, "pairing numbers count from 1, found 0")
    player = TrfPlayer(
        number=number,
        sex=line.cut(10),
        title=line.cut(11, 13),
        name=line.cut(15, 47),
        rating=line.read_number(49, 52, "the rating"),
        federation=line.cut(54, 56),
        fide_id=line.cut(58, 68),
        birth=line.cut(70, 79),
        points=line.read_points(81, 84, "the points", is_signed=True),
        rank=line.read_number(86, 89, "the rank"),
        rounds=_trim(
            [_read_cell(line, start) for start in line.field_columns(FIRST_ROUND_COLUMN, 10)], Cell()
        ),
        line=line.number,
    )
    draft.players.append(_StatedValue(player, line))


_SHIFT = " (a wrong encoding can shift the columns)"


def _read_cell(line: _Line, start: int) -> Cell:
    line.check_blank(start - 1, start + 4, start + 6, reason=_SHIFT)
    opponent = line.read_number(start, start + 3, "the opponent") or 0
    side = line.cut(start + 5).lower()
    if side not in ("", "-", "w", "b"):
        line.refuse(start + 5, f"the side should be `w`, `b` or `-`, found `{side}`{_SHIFT}")
    result = line.cut(start + 7).upper()
    if result not in RESULT_CODES:
        codes = " ".join(RESULT_CODES).strip()
        line.refuse(start + 7, f"the result should be one of {codes}, found `{result}`{_SHIFT}")
    return Cell(opponent, side.strip("-"), result)


def _trim(values: list[T], blank: T) -> tuple[T, ...]:
    """Return the values without blanks at the end."""
    while values and values[-1] == blank:
        values.pop()
    return tuple(values)


def _read_deputy(draft: _Draft, line: _Line) -> None:
    draft.deputies.append(line.content())


def _read_dates(draft: _Draft, line: _Line) -> None:
    dates = [line.cut(start, start + 7) for start in line.field_columns(FIRST_ROUND_COLUMN, 10)]
    draft.dates = _trim(dates, "")


def _read_rounds_total(draft: _Draft, line: _Line) -> None:
    name = "the number of rounds"
    number = line.require(line.read_number(4, len(line.text), name), 5, name)
    draft.rounds_total = _check_agreement(draft.rounds_total, _StatedValue(number, line), 5, name)


def _read_initial_side(draft: _Draft, line: _Line) -> None:
    side = line.content().lower()
    if side not in ("w", "b"):
        line.refuse(5, f"the initial side should be `W` or `B`, found `{line.content()}`")
    _set_initial_side(draft, line, 5, side)


def _read_configuration(draft: _Draft, line: _Line) -> None:
    for column, word in line.words():
        if word.lower() in ("white1", "black1"):
            _set_initial_side(draft, line, column, word[0].lower())
        elif word.lower() == "rank":
            draft.by_rank = True
        else:
            line.refuse(column, f"expected `rank`, `white1` or `black1` in record XXC, found `{word}`")


def _set_initial_side(draft: _Draft, line: _Line, column: int, side: str) -> None:
    draft.initial_side = _check_agreement(
        draft.initial_side, _StatedValue(side, line), column, "the initial side"
    )


def _read_scoring(draft: _Draft, line: _Line) -> None:
    for column in line.field_columns(6, 9):
        line.check_blank(column - 1, *range(column + 5, column + 8))
        code = line.cut(column).upper()
        if not code:
            continue
        if code not in _SCORING_CODES:
            line.refuse(column, f"a result should be one of {' '.join(_SCORING_CODES)}, found `{code}`")
        name = f"the value of `{code}`"
        points = line.require(line.read_points(column + 1, column + 4, name), column + 1, name)
        _set_score(draft, line, column, code, points)


_JAVAFO_CODES = {
    "PAB": "P",
    "ZPB": "A",
    **{code: code for code in _SCORING_CODES},
    **{code: code for code in ("WW", "BW", "WD", "BD", "WL", "BL", "HPB", "FPB", "FW", "FL")},
}
"""The names of values in record XXS, each with its code in `TrfFile.scoring`."""


def _read_javafo_scoring(draft: _Draft, line: _Line) -> None:
    for column, word in line.words():
        name, equals, value = word.partition("=")
        code = _JAVAFO_CODES.get(name.upper())
        if not code or not equals:
            line.refuse(column, f"expected values like `W=1.0` or `PAB=0.5` in record XXS, found `{word}`")
        points = line.parse_points(value, column + len(name) + 1, f"the value of `{name}`")
        _set_score(draft, line, column, code, points)


_BBP_CODES = {"BBW": "W", "BBD": "D", "BBL": "L", "BBZ": "A", "BBF": "FL", "BBU": "P"}
"""The scoring records of bbpPairings, each with its code in `TrfFile.scoring`."""


def _read_bbp_scoring(draft: _Draft, line: _Line) -> None:
    name = f"the value of {line.code}"
    points = line.require(line.read_points(4, len(line.text), name), 5, name)
    _set_score(draft, line, 5, _BBP_CODES[line.code], points)


def _set_score(draft: _Draft, line: _Line, column: int, code: str, points: int) -> None:
    stated_value, name = _StatedValue(points, line), f"the value of `{code}`"
    draft.scoring[code] = _check_agreement(draft.scoring.get(code), stated_value, column, name, _points_field)


def _read_absent(draft: _Draft, line: _Line) -> None:
    draft.absent_players += draft.name_players(line, *_number_words(line))


def _number_words(line: _Line) -> list[int]:
    """Return the pairing numbers after the record type, as JaVaFo lists them."""
    for column, word in line.words():
        if not _is_number(word) or int(word) == 0:
            line.refuse(column, f"expected a pairing number, found `{word[:20]}`")
    return [int(word) for _, word in line.words()]


def _read_byes(draft: _Draft, line: _Line) -> None:
    line.check_blank(4, 6, 10)
    kind = line.cut(5).upper()
    if kind not in ("F", "H", "Z"):
        line.refuse(5, f"the bye should be `F`, `H` or `Z`, found `{kind}`")
    number = draft.name_round(line, line.read_required_number(7, 9, "the round"))
    players = draft.name_players(line, *line.read_numbers(11, "a pairing number"))
    draft.byes.append(Byes(kind, number, players, line.number))


def _read_acceleration_range(draft: _Draft, line: _Line) -> None:
    line.check_blank(4, 9, 14, 18, 22, 27)
    match_points = line.read_points(5, 8, "the match points") or 0
    game_points = line.read_points(10, 13, "the game points")
    first = line.read_required_number(15, 17, "the first round")
    last = line.read_number(19, 21, "the last round") or first
    low = line.read_required_number(23, 26, "the first player")
    high = line.read_number(28, 31, "the last player") or low
    if last < first or high < low:
        line.refuse(
            15, f"rounds {first} to {last}, players {low} to {high}: the last number is less than the first"
        )
    draft.name_players(line, low, high)
    draft.name_round(line, last)
    points = match_points if game_points is None else game_points
    ranges = (points, range(first, last + 1), range(low, high + 1))
    draft.acceleration_ranges.append(_StatedValue(ranges, line))


def _read_accelerated_player(draft: _Draft, line: _Line) -> None:
    player = line.read_required_number(5, 8, "the pairing number")
    draft.name_players(line, player)
    for round_number, start in enumerate(line.field_columns(10, 5), 1):
        points = line.read_points(start, start + 3, f"the acceleration in round {round_number}") or 0
        _accelerate(draft, player, draft.name_round(line, round_number), points, line)


def _accelerate(draft: _Draft, player: int, round_number: int, points: int, line: _Line) -> None:
    earlier, stated_value = draft.accelerations.get((player, round_number)), _StatedValue(points, line)
    name = f"the acceleration of player {player} in round {round_number}"
    draft.accelerations[player, round_number] = _check_agreement(
        earlier, stated_value, 5, name, _points_field
    )


def _read_forbidden(draft: _Draft, line: _Line) -> None:
    line.check_blank(4, 8, 12)
    first = line.read_number(5, 7, "the first round") or 1
    last = line.read_number(9, 11, "the last round") or first
    players = draft.name_players(line, *line.read_numbers(13, "a pairing number"))
    draft.forbidden_pairs.append(ForbiddenPairs(players, first, None if last == _MOST_ROUNDS else last))


def _read_always_forbidden(draft: _Draft, line: _Line) -> None:
    draft.forbidden_pairs.append(ForbiddenPairs(draft.name_players(line, *_number_words(line))))


_ABNORMAL_KINDS = "+-DFHLPUWZ"
"""The result codes of record 299. Without a code, the points are added to any result."""


def _read_abnormal(draft: _Draft, line: _Line) -> None:
    line.check_blank(4, 6, 7, 12, 13, 18, 19, 23)
    players = draft.name_players(line, *line.read_numbers(24, "a pairing number"))
    kind = line.cut(5).upper()
    if kind not in _ABNORMAL_KINDS:
        line.refuse(5, f"the result should be one of {' '.join(_ABNORMAL_KINDS)}, found `{kind}`")
    match_points = line.read_points(8, 11, "the match points", is_signed=True)
    game_points = line.read_points(14, 17, "the game points", is_signed=True)
    number = draft.name_round(line, line.read_number(20, 22, "the round") or 0)
    draft.abnormal_points.append(
        AbnormalPoints(kind, match_points, game_points, number, players, line.number)
    )


_COUNTS = ("062", "072")
"""The types of the records that state the numbers of players and of rated players.

They are ignored when a file is read, because the player lines show these numbers.
"""

_READERS: dict[str, Callable[[_Draft, _Line], None]] = {
    "001": _read_player,
    "112": _read_deputy,
    "132": _read_dates,
    "142": _read_rounds_total,
    "152": _read_initial_side,
    "162": _read_scoring,
    "240": _read_byes,
    "250": _read_acceleration_range,
    "260": _read_forbidden,
    "299": _read_abnormal,
    "XXR": _read_rounds_total,
    "XXC": _read_configuration,
    "XXS": _read_javafo_scoring,
    "XXZ": _read_absent,
    "XXA": _read_accelerated_player,
    "XXP": _read_always_forbidden,
    **dict.fromkeys(_BBP_CODES, _read_bbp_scoring),
}


# -- Writing


Dialect = Literal["trf26", "javafo"]
"""The format to write: FIDE's format of 2026, or that of 2016 with JaVaFo's records."""


def write(file: TrfFile, dialect: Dialect = "trf26") -> str:
    r"""Return the text of a file, each line ended by `\n`.

    `read` returns an equal file from this text, with two exceptions. In TRF26, players who are absent from
    the next round get a bye (240 Z). JaVaFo knows only the next round: the byes of that round go into the
    columns of the round, and only the forbidden pairs of that round are written.

    Raises TourneyError if a number does not fit its columns.
    """
    _check_sizes(file)
    return "".join(f"{line.rstrip()}\n" for line in _lines(file, dialect))


def _lines(file: TrfFile, dialect: Dialect) -> Iterator[str]:
    yield from _header_lines(file)
    if dialect == "trf26":
        yield from _trf26_settings(file)
        yield from map(_player_line, file.players)
        yield from _trf26_requests(file)
    else:
        yield from _javafo_settings(file)
        yield from map(_player_line, _players_with_next_byes(file))
        yield from _javafo_requests(file)
    yield from map(_abnormal_line, file.abnormal_points)
    yield from file.unknown_lines


_MOST_POINTS = 2 * 999
_LEAST_POINTS = -19
"""The most and the fewest half points that fit four columns.

A penalty (299) can make points negative.
"""


def _check_sizes(file: TrfFile) -> None:
    for player in file.players:
        if not 1 <= player.number <= _MOST_PLAYERS:
            raise TourneyError(f"pairing number {player.number} is not between 1 and {_MOST_PLAYERS}")
        points = player.points or 0
        if not _LEAST_POINTS <= points <= _MOST_POINTS or (points >= 200 and points % 2):
            raise TourneyError(f"the points of player {player.number} do not fit four columns")
        for name, number in (("rating", player.rating), ("rank", player.rank)):
            if not 0 <= (number or 0) <= 9999:
                raise TourneyError(f"the {name} {number} of player {player.number} is not between 0 and 9999")
    for code, points in file.scoring.items():
        if not 0 <= points < 200:
            raise TourneyError(f"the value of `{code}` is not between 0 and 99.5")
    if max(file.rounds_paired, file.rounds_total or 0) > _MOST_ROUNDS:
        raise TourneyError(f"a Tournament Report File has at most {_MOST_ROUNDS} rounds")


_ONE_LINE = str.maketrans("\r\n\t", "   ")


def _header_lines(file: TrfFile) -> Iterator[str]:
    texts = [
        *((code, getattr(file.header, name)) for code, name in _TEXT_RECORDS.items()),
        *(("112", deputy) for deputy in file.header.deputies),
        ("062", str(len(file.players))),
        ("072", str(sum(bool(player.rating) for player in file.players))),
    ]
    for code, text in sorted(texts, key=lambda item: item[0]):
        if text:
            yield f"{code} {text.translate(_ONE_LINE)}"
    if file.header.dates:
        start = "132".ljust(FIRST_ROUND_COLUMN - 1)
        yield start + "  ".join(f"{date:<8.8}" for date in file.header.dates)


def _trf26_settings(file: TrfFile) -> Iterator[str]:
    if file.rounds_total is not None:
        yield f"142 {file.rounds_total}"
    if file.initial_side:
        yield f"152 {file.initial_side.upper()}"
    if file.by_rank:
        yield "XXC rank"
    yield from _scoring_line(file.scoring, codes=_SCORING_CODES)
    yield from _javafo_scoring_line(file.scoring, without=_SCORING_CODES)


def _javafo_settings(file: TrfFile) -> Iterator[str]:
    if file.rounds_total is not None:
        yield f"XXR {file.rounds_total}"
    words = ["rank"] * file.by_rank + [word for word in ("white1", "black1") if word[0] == file.initial_side]
    if words:
        yield "XXC " + " ".join(words)
    yield from _javafo_scoring_line(file.scoring, without=("X",))
    yield from _scoring_line(file.scoring, codes=("X",))


def _scoring_line(scoring: Mapping[str, int], *, codes: Sequence[str]) -> Iterator[str]:
    values = [f"{code}{_points_field(scoring[code]):>4}" for code in codes if code in scoring]
    if values:
        yield "162  " + "    ".join(values)


def _javafo_scoring_line(scoring: Mapping[str, int], *, without: Sequence[str]) -> Iterator[str]:
    names = {"P": ("PAB",), "A": ("ZPB",), "L": ("WL", "BL")}
    words = [
        f"{name}={_points_field(points)}"
        for code, points in sorted(scoring.items())
        for name in (() if code in without else names.get(code, (code,)))
    ]
    if words:
        yield "XXS " + " ".join(words)


def _trf26_requests(file: TrfFile) -> Iterator[str]:
    absences = Byes("Z", file.rounds_paired + 1, file.absent_players)
    for bye in merge_byes((*file.byes, absences)):
        yield f"240 {bye.kind} {bye.round:>3} {_number_fields(bye.players)}"
    yield from _acceleration_lines(file)
    for ban in file.forbidden_pairs:
        last = _MOST_ROUNDS if ban.last is None else ban.last
        yield f"260 {ban.first:>3} {last:>3} {_number_fields(ban.players)}"


def _acceleration_lines(file: TrfFile) -> Iterator[str]:
    """Yield the lines with extra points for accelerated pairings (record type 250).

    A line gives the same points in a range of rounds to a range of players. Players with neighbouring numbers
    share their lines if they get equal points in every round. Rounds without extra points have no line.
    """
    numbers = sorted(player.number for player in file.players)
    for accelerations, group in groupby(numbers, key=lambda number: file.accelerations.get(number, ())):
        players = list(group)
        first = 1
        for points, equal in groupby(accelerations):
            last = first + len(list(equal)) - 1
            if points:
                ends = _number_fields((players[0], players[-1]))
                yield f"250      {_points_field(points):>4} {first:>3} {last:>3} {ends}"
            first = last + 1


def _javafo_requests(file: TrfFile) -> Iterator[str]:
    if file.absent_players:
        yield "XXZ " + " ".join(map(str, file.absent_players))
    for player, accelerations in file.accelerations.items():
        yield f"XXA {player:>4} " + " ".join(f"{_points_field(points):>4}" for points in accelerations)
    for ban in file.forbidden_pairs:
        if ban.applies_in(file.rounds_paired + 1):
            yield "XXP " + " ".join(map(str, ban.players))


def _players_with_next_byes(file: TrfFile) -> Iterator[TrfPlayer]:
    """Yield the players, with the next round's byes in that round's column, as JaVaFo expects."""
    next_round = file.rounds_paired + 1
    kinds = {number: bye.kind for bye in file.byes if bye.round == next_round for number in bye.players}
    for player in file.players:
        if player.number in kinds and player.cell(next_round).is_empty:
            cells = tuple(player.cell(number) for number in range(1, next_round))
            yield replace(player, rounds=(*cells, Cell(result=kinds[player.number])))
        else:
            yield player


def _abnormal_line(record: AbnormalPoints) -> str:
    fields = "  ".join(f"{_points_field(points):>4}" for points in (record.match_points, record.game_points))
    return f"299 {record.kind:1.1}  {fields}  {record.round or '':>3} {_number_fields(record.players)}"


def _player_line(player: TrfPlayer) -> str:
    """Return a player line. Texts are cut to their columns; line ends and tabs become blanks."""
    rating, rank = ("" if number is None else number for number in (player.rating, player.rank))
    points = _points_field(player.points)
    head = (
        f"001 {player.number:>4} {player.sex:1.1}{player.title:>3.3} {player.name:<33.33} {rating:>4} "
        f"{player.federation:3.3} {player.fide_id:>11.11} {player.birth:<10.10} {points:>4} {rank:>4}"
    )
    return head.translate(_ONE_LINE) + "".join(map(_cell_field, player.rounds))


def _cell_field(cell: Cell) -> str:
    if cell.is_empty:
        return " " * 10
    return f"  {cell.opponent or '0000':>4} {cell.side or '-'} {cell.result or ' '}"


def _points_field(half_points: int | None) -> str:
    """Return points as text with one decimal (`11.5`), but from 100 on without (`123`).

    Fields for points are four characters wide, so a half point is dropped from 100 on. Returns an empty text
    for None.
    """
    if half_points is None:
        return ""
    if half_points < 0:
        return f"-{_points_field(-half_points)}"
    whole, half = divmod(half_points, 2)
    return str(whole) if whole >= 100 else f"{whole}.{5 * half}"


def _number_fields(numbers: Iterable[int]) -> str:
    return " ".join(f"{number:>4}" for number in numbers)
