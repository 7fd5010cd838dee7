"""The text of a file: every line is a record of fixed columns, read by its type, and written in one of two dialects.

TRF26: 001 the players, 012 to 222 the event in words, 142 152 162 how it is paired, 240 byes, 250 acceleration, 260
forbidden pairs, 299 abnormal points. JaVaFo: XXR XXC XXZ XXS XXA XXP. bbpPairings: BBW BBD BBL BBZ BBF BBU.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Literal, NoReturn

from tourney.errors import TourneyError
from tourney.trf.file import (
    BYE_RESULTS,
    FIRST_ROUND_COLUMN,
    Abnormal,
    Byes,
    Cell,
    ForbiddenPairs,
    TrfFile,
    TrfHeader,
    TrfPlayer,
    gathered,
    round_column,
)
from tourney.wording import counted

_MOST_PLAYERS = 9999
"""Pairing numbers have four columns."""

_MOST_ROUNDS = 999
"""Round numbers have three columns."""

_GAME_RESULTS = frozenset("10=WDL+-")
"""Results of a cell with an opponent."""

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
"""Records of one line of text, and the field of `TrfHeader` that each fills."""

_SCORING_CODES = ("W", "D", "L", "A", "P", "X")
"""What record 162 can say, in its order."""


def read(text: str, *, source: str) -> TrfFile:
    """Read a Tournament Report File of any dialect; `source` is how refusals name it (a file's name).

    Lines may end in LF, CR or CR LF. Records of unknown types are kept in `others`. Raises TourneyError with
    source, line and column for a field that cannot be read, a pairing number used twice, an opponent or another
    player named who is not in the file, and lines that contradict each other.
    """
    lines = _lines_of(text, source)
    draft = _Draft()
    for line in lines:
        _read_record(draft, line)
    if not draft.players:
        raise TourneyError(
            f"{source}: no player line (001) was found",
            "a Tournament Report File has one line `001 …` for each player",
        )
    by_number = {line.number: line for line in lines}
    _check_numbers(draft.players, by_number)
    _check_opponents(draft.players, by_number)
    _check_mentions(draft)
    _spread(draft)
    return _file(draft, source)


def _check_numbers(players: list[TrfPlayer], lines: dict[int, _Line]) -> None:
    seen: dict[int, int] = {}
    for player in players:
        if player.number in seen:
            earlier = seen[player.number]
            lines[player.line].refuse(
                5, f"pairing number {player.number} is used twice, first in line {earlier}"
            )
        seen[player.number] = player.line


def _check_opponents(players: list[TrfPlayer], lines: dict[int, _Line]) -> None:
    numbers = {player.number for player in players}
    for player in players:
        for round_number, cell in enumerate(player.rounds, 1):
            column = round_column(round_number)
            if cell.opponent and cell.opponent not in numbers:
                message = f"round {round_number}: opponent {cell.opponent} has no player line"
                lines[player.line].refuse(column, message)
            if cell.opponent == player.number:
                lines[player.line].refuse(column, f"round {round_number}: the player is their own opponent")


def _check_mentions(draft: _Draft) -> None:
    numbers = {player.number for player in draft.players}
    for number, line in draft.mentions:
        if number not in numbers:
            line.refuse(5, f"record {line.code} names player {number}, who has no player line")


def _spread(draft: _Draft) -> None:
    """Give the points of each 250 line to the players and rounds it covers."""
    numbers = sorted(player.number for player in draft.players)
    for points, first, last, low, high, line in draft.ranges:
        for number in numbers:
            if low <= number <= high:
                for round_number in range(first, last + 1):
                    _accelerate(draft, number, round_number, points, line)


def _file(draft: _Draft, source: str) -> TrfFile:
    return TrfFile(
        header=TrfHeader(
            **draft.header, deputies=tuple(draft.deputies), dates=_without_blank_end(draft.dates)
        ),
        players=tuple(draft.players),
        rounds_total=draft.rounds_total[0] if draft.rounds_total else None,
        initial_side=draft.initial_side[0] if draft.initial_side else "",
        by_rank=draft.by_rank,
        scoring=_sides_joined({code: points for code, (points, _) in draft.scoring.items()}),
        absent=tuple(sorted(set(draft.absent))),
        byes=gathered(draft.byes),
        accelerations=_accelerations(draft),
        forbidden=tuple(draft.forbidden),
        abnormal=tuple(draft.abnormal),
        others=tuple(draft.others),
        source=source,
        remarks=(*_played_byes(draft), *_rounds_beyond(draft)),
    )


def _played_byes(draft: _Draft) -> Iterator[str]:
    """Tell of byes (240) in rounds that the player's own line has an opponent in."""
    players = {player.number: player for player in draft.players}
    for bye in draft.byes:
        for number in bye.players:
            cell = players[number].cell(bye.round)
            if cell.opponent:
                yield (
                    f"line {bye.line}: player {number} has a bye `{bye.kind}` in round {bye.round}, and "
                    f"player {cell.opponent} as the opponent in line {players[number].line}"
                )


def _rounds_beyond(draft: _Draft) -> Iterator[str]:
    """Tell of byes (240), points (299) and virtual points (250, XXA) for rounds that the file does not have."""
    columns = max(len(player.rounds) for player in draft.players)
    announced = draft.rounds_total[0] if draft.rounds_total else 0
    rounds = max(columns, announced)
    has = f"the file has {counted(rounds, 'round')}"
    named = [(given.line, "299", given.round) for given in draft.abnormal]
    if announced:  # without a number of rounds another one may always follow
        named += [(bye.line, "240", bye.round) for bye in draft.byes]
        named += [(line.number, "250", last) for _, _, last, _, _, line in draft.ranges]
        named += [
            (line.number, line.code, number)
            for (_, number), (_, line) in draft.accelerations.items()
            if line.code == "XXA"
        ]
    for line, code, number in sorted(set(named)):
        if number > rounds:
            yield f"line {line}: record {code} speaks of round {number}, and {has}"


def _without_blank_end(dates: tuple[str, ...]) -> tuple[str, ...]:
    while dates and not dates[-1]:
        dates = dates[:-1]
    return dates


def _sides_joined(scoring: dict[str, int]) -> dict[str, int]:
    """Join what JaVaFo says for each side apart, where both sides get the same."""
    for code in "WDL":
        white, black = scoring.get("W" + code), scoring.get("B" + code)
        if white is not None and white == black and code not in scoring:
            scoring[code] = white
            del scoring["W" + code], scoring["B" + code]
    return dict(sorted(scoring.items()))


def _accelerations(draft: _Draft) -> dict[int, tuple[int, ...]]:
    last: dict[int, int] = {}
    for (player, round_number), (points, _) in draft.accelerations.items():
        if points:
            last[player] = max(last.get(player, 0), round_number)
    given = draft.accelerations
    return {
        player: tuple(given[player, n][0] if (player, n) in given else 0 for n in range(1, rounds + 1))
        for player, rounds in sorted(last.items())
    }


# -- A line of fixed columns: cutting fields out of it, and saying where one is wrong


_MOST_DIGITS = 9
"""No number of the format is longer; one of thousands of digits is no number but an attack."""

_POINTS = re.compile(r"(\d*)(?:[.,](\d+))?")


@dataclass(frozen=True, slots=True)
class _Line:
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
        if not (text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS):
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
        match = _POINTS.fullmatch(text) if text.isascii() else None
        if not match or not (match[1] or match[2]) or len(text) > _MOST_DIGITS:
            self.refuse(column, f"{what} should be a number of points like 1.5, found `{text[:20]}`")
        fraction = (match[2] or "").rstrip("0")
        if fraction not in ("", "5"):
            self.refuse(column, f"{what} should be a multiple of one half, found `{text}`")
        return int(match[1] or "0") * 2 + (1 if fraction else 0)

    def numbers_from(self, first: int, width: int, what: str) -> tuple[int, ...]:
        """Return the numbers in columns of `width` with one blank between, from `first` to the line's end; blanks skipped."""
        numbers = (
            self.number_at(start, start + width - 1, what)
            for start in range(first, len(self.text.rstrip()) + 1, width + 1)
        )
        return tuple(number for number in numbers if number)

    def words_from(self, first: int) -> list[tuple[int, str]]:
        """Return the words from a column on, each with its column."""
        return [(first + m.start(), m.group()) for m in re.finditer(r"\S+", self.text[first - 1 :])]

    def expect(self, *, column: int, value: int | None, what: str) -> int:
        """Return the value, or refuse the line because the columns are blank."""
        if value is None:
            self.refuse(column, f"{what} should stand here, found nothing")
        return value


def _lines_of(text: str, source: str) -> list[_Line]:
    """Cut a text into lines: LF, CR and CR LF all end one (bbpPairings writes bare CR). Blank lines are left out."""
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return [_Line(source, n, line) for n, line in enumerate(plain.split("\n"), 1) if line.strip()]


# -- One reader a record type, each adding what it read to the draft


_ABNORMAL_KINDS = frozenset({"", "W", "D", "L", "F", "H", "Z", "P", "U", "+", "-"})
"""What record 299 can be about; nothing: points added, whatever the result."""

_JAVAFO_SCORING = ("WW", "BW", "WD", "BD", "WL", "BL", "HPB", "FPB", "FW", "FL")
"""What only XXS can say."""

_JAVAFO_NAMES = {"PAB": "P", "ZPB": "A", **{code: code for code in (*_SCORING_CODES, *_JAVAFO_SCORING)}}
_BBP_NAMES = {"BBW": "W", "BBD": "D", "BBL": "L", "BBZ": "A", "BBF": "FL", "BBU": "P"}
_SIDES = {"white1": "w", "black1": "b"}


@dataclass(slots=True)
class _Draft:
    """What has been read so far, with the line that said it where a later line may contradict it."""

    header: dict[str, str] = field(default_factory=dict)
    deputies: list[str] = field(default_factory=list)
    dates: tuple[str, ...] = ()
    players: list[TrfPlayer] = field(default_factory=list)
    rounds_total: tuple[int, _Line] | None = None
    initial_side: tuple[str, _Line] | None = None
    by_rank: bool = False
    scoring: dict[str, tuple[int, _Line]] = field(default_factory=dict)
    absent: list[int] = field(default_factory=list)
    byes: list[Byes] = field(default_factory=list)
    accelerations: dict[tuple[int, int], tuple[int, _Line]] = field(default_factory=dict)
    ranges: list[tuple[int, int, int, int, int, _Line]] = field(default_factory=list)
    forbidden: list[ForbiddenPairs] = field(default_factory=list)
    abnormal: list[Abnormal] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    mentions: list[tuple[int, _Line]] = field(default_factory=list)

    def mention(self, numbers: tuple[int, ...], line: _Line) -> tuple[int, ...]:
        """Remember that a line names players, so that a stranger can be told at the end; return them."""
        self.mentions += [(number, line) for number in numbers]
        return numbers


def _read_record(draft: _Draft, line: _Line) -> None:
    """Add one line to the draft. A record of an unknown type is kept as it is, never a fault."""
    reader = _READERS.get(line.code)
    if line.code in _TEXT_RECORDS:
        draft.header[_TEXT_RECORDS[line.code]] = line.text[3:].strip()
    elif reader is not None:
        reader(draft, line)
    else:
        draft.others.append(line.text.rstrip())


def _player(draft: _Draft, line: _Line) -> None:
    number = line.expect(
        column=5,
        value=line.number_at(5, 8, "the pairing number"),
        what="the pairing number in columns 5 to 8",
    )
    if number == 0:
        line.refuse(5, "pairing numbers count from 1, found 0")
    player = TrfPlayer(
        number=number,
        sex=line.cut(10, 10),
        title=line.cut(11, 13),
        name=line.cut(15, 47),
        rating=line.number_at(49, 52, "the rating"),
        federation=line.cut(54, 56),
        fide_id=line.cut(58, 68),
        birth=line.cut(70, 79),
        points=line.points_at(81, 84, "the points", signed=True),
        rank=line.number_at(86, 89, "the rank"),
        rounds=_cells(line),
        line=line.number,
    )
    draft.players.append(player)


def _cells(line: _Line) -> tuple[Cell, ...]:
    starts = range(FIRST_ROUND_COLUMN, len(line.text.rstrip()) + 1, 10)
    cells = [_cell(line, start) for start in starts]
    while cells and cells[-1].empty:
        cells.pop()
    return tuple(cells)


_ALIGNMENT_HINT = (
    "columns shift when a file is read in another encoding than it was written in (try UTF-8 or Latin-1)"
)


def _cell(line: _Line, start: int) -> Cell:
    for gap in (start - 1, start + 4, start + 6):
        if line.cut(gap, gap):
            line.refuse(
                gap,
                f"a blank should stand here, between the fields of a round, found `{line.cut(gap, gap)}`",
                _ALIGNMENT_HINT,
            )
    opponent = line.number_at(start, start + 3, "the opponent") or 0
    side = line.cut(start + 5, start + 5).lower()
    if side not in ("", "-", "w", "b"):
        line.refuse(start + 5, f"the side should be `w`, `b` or `-`, found `{side}`", _ALIGNMENT_HINT)
    return Cell(opponent, side.strip("-"), _result(line, start + 7))


def _result(line: _Line, column: int) -> str:
    result = line.cut(column, column).upper()
    if result and result not in _GAME_RESULTS | BYE_RESULTS:
        line.refuse(
            column, f"the result should be one of 1 = 0 W D L + - H F U Z, found `{result}`", _ALIGNMENT_HINT
        )
    return result


def _derived(draft: _Draft, line: _Line) -> None:  # noqa: ARG001  062 and 072 follow from the players
    return


def _deputy(draft: _Draft, line: _Line) -> None:
    draft.deputies.append(line.text[3:].strip())


def _dates(draft: _Draft, line: _Line) -> None:
    starts = range(FIRST_ROUND_COLUMN, len(line.text.rstrip()) + 1, 10)
    draft.dates = tuple(line.cut(start, start + 7) for start in starts)


def _rounds_total(draft: _Draft, line: _Line) -> None:
    announced = line.number_at(4, len(line.text), "the number of rounds")
    number = line.expect(column=5, value=announced, what="the number of rounds")
    earlier = draft.rounds_total
    if earlier and earlier[0] != number:
        line.refuse(5, f"{number} rounds, but line {earlier[1].number} announces {earlier[0]}")
    draft.rounds_total = (number, line)


def _set_side(draft: _Draft, line: _Line, column: int, side: str) -> None:
    earlier = draft.initial_side
    if earlier and earlier[0] != side:
        line.refuse(column, f"the initial side contradicts line {earlier[1].number}")
    draft.initial_side = (side, line)


def _initial_side(draft: _Draft, line: _Line) -> None:
    side = line.text[3:].strip().lower()
    if side not in ("w", "b"):
        line.refuse(5, f"the initial side should be `W` or `B`, found `{line.text[3:].strip()}`")
    _set_side(draft, line, 5, side)


def _configuration(draft: _Draft, line: _Line) -> None:
    for column, word in line.words_from(4):
        if word.lower() in _SIDES:
            _set_side(draft, line, column, _SIDES[word.lower()])
        elif word.lower() == "rank":
            draft.by_rank = True
        else:
            line.refuse(column, f"XXC should say `rank`, `white1` or `black1`, found `{word}`")


def _set_score(draft: _Draft, line: _Line, column: int, code: str, half_points: int) -> None:
    earlier = draft.scoring.get(code)
    if earlier and earlier[0] != half_points:
        line.refuse(column, f"the points for `{code}` contradict line {earlier[1].number}")
    draft.scoring[code] = (half_points, line)


def _scoring(draft: _Draft, line: _Line) -> None:
    for column in range(6, len(line.text.rstrip()) + 1, 9):
        line.between(column - 1, *range(column + 5, column + 8))
        code = line.cut(column, column).upper()
        if not code:
            continue
        if code not in _SCORING_CODES:
            line.refuse(column, f"a result should be one of {' '.join(_SCORING_CODES)}, found `{code}`")
        points = line.points_at(column + 1, column + 4, f"the points for `{code}`")
        value = line.expect(column=column + 1, value=points, what=f"the points for `{code}`")
        _set_score(draft, line, column, code, value)


def _javafo_scoring(draft: _Draft, line: _Line) -> None:
    for column, word in line.words_from(4):
        name, equals, value = word.partition("=")
        code = _JAVAFO_NAMES.get(name.upper())
        if not code or not equals:
            line.refuse(column, f"XXS should say points like `W=1.0` or `PAB=0.5`, found `{word}`")
        points = line.points(value, column + len(name) + 1, f"the points for `{name}`")
        _set_score(draft, line, column, code, points)


def _bbp_scoring(draft: _Draft, line: _Line) -> None:
    points = line.points_at(4, len(line.text), "the points")
    value = line.expect(column=5, value=points, what=f"the value of {line.code}")
    _set_score(draft, line, 5, _BBP_NAMES[line.code], value)


def _absent(draft: _Draft, line: _Line) -> None:
    draft.absent += draft.mention(_listed(line), line)


def _listed(line: _Line) -> tuple[int, ...]:
    """Return the pairing numbers of a line that lists them with blanks between (JaVaFo's own records)."""
    for column, word in line.words_from(4):
        if not (word.isascii() and word.isdigit() and len(word) <= _MOST_DIGITS and int(word)):
            line.refuse(column, f"expected a pairing number, found `{word[:20]}`")
    return tuple(int(word) for _, word in line.words_from(4))


def _byes(draft: _Draft, line: _Line) -> None:
    line.between(4, 6, 10)
    kind = line.cut(5, 5).upper()
    if kind not in ("F", "H", "Z"):
        line.refuse(5, f"the bye should be `F`, `H` or `Z`, found `{kind}`")
    number = line.expect(
        column=7, value=line.number_at(7, 9, "the round"), what="the round in columns 7 to 9"
    )
    players = draft.mention(line.numbers_from(11, 4, "a pairing number"), line)
    draft.byes.append(Byes(kind, number, players, line.number))


def _acceleration_range(draft: _Draft, line: _Line) -> None:
    line.between(4, 9, 14, 18, 22, 27)
    match_points = line.points_at(5, 8, "the match points") or 0
    points = line.points_at(10, 13, "the game points")
    first = line.expect(column=15, value=line.number_at(15, 17, "the first round"), what="the first round")
    last = line.number_at(19, 21, "the last round") or first
    low = line.expect(column=23, value=line.number_at(23, 26, "the first player"), what="the first player")
    high = line.number_at(28, 31, "the last player") or low
    if last < first or high < low:
        line.refuse(15, f"rounds {first} to {last}, players {low} to {high}: the last comes before the first")
    draft.mention((low, high), line)
    draft.ranges.append((match_points if points is None else points, first, last, low, high, line))


def _acceleration_rounds(draft: _Draft, line: _Line) -> None:
    player = line.expect(
        column=5, value=line.number_at(5, 8, "the pairing number"), what="the pairing number"
    )
    draft.mention((player,), line)
    for round_number, start in enumerate(range(10, len(line.text.rstrip()) + 1, 5), 1):
        points = line.points_at(start, start + 3, f"the virtual points of round {round_number}")
        _accelerate(draft, player, round_number, points or 0, line)


def _accelerate(draft: _Draft, player: int, round_number: int, points: int, line: _Line) -> None:
    """Give a player virtual points in a round; refuse the line if an earlier one gives other points."""
    earlier = draft.accelerations.get((player, round_number))
    if earlier and earlier[0] != points:
        line.refuse(
            5,
            f"the virtual points of player {player} in round {round_number} contradict line {earlier[1].number}",
        )
    draft.accelerations[player, round_number] = (points, line)


def _forbidden(draft: _Draft, line: _Line) -> None:
    line.between(4, 8, 12)
    first = line.number_at(5, 7, "the first round") or 1
    last = line.number_at(9, 11, "the last round") or first
    players = draft.mention(line.numbers_from(13, 4, "a pairing number"), line)
    draft.forbidden.append(ForbiddenPairs(players, first, None if last == _MOST_ROUNDS else last))


def _forbidden_always(draft: _Draft, line: _Line) -> None:
    draft.forbidden.append(ForbiddenPairs(draft.mention(_listed(line), line)))


def _abnormal(draft: _Draft, line: _Line) -> None:
    line.between(4, 6, 7, 12, 13, 18, 19, 23)
    players = draft.mention(line.numbers_from(24, 4, "a pairing number"), line)
    kind = line.cut(5, 5).upper()
    if kind not in _ABNORMAL_KINDS:
        line.refuse(5, f"the result should be one of {' '.join(sorted(_ABNORMAL_KINDS))}, found `{kind}`")
    match_points = line.points_at(8, 11, "the match points", signed=True)
    game_points = line.points_at(14, 17, "the game points", signed=True)
    number = line.number_at(20, 22, "the round") or 0
    draft.abnormal.append(Abnormal(kind, match_points, game_points, number, players, line.number))


_READERS: dict[str, Callable[[_Draft, _Line], None]] = {
    "001": _player,
    "062": _derived,
    "072": _derived,
    "112": _deputy,
    "132": _dates,
    "142": _rounds_total,
    "152": _initial_side,
    "162": _scoring,
    "240": _byes,
    "250": _acceleration_range,
    "260": _forbidden,
    "299": _abnormal,
    "XXR": _rounds_total,
    "XXC": _configuration,
    "XXS": _javafo_scoring,
    "XXZ": _absent,
    "XXA": _acceleration_rounds,
    "XXP": _forbidden_always,
    **dict.fromkeys(_BBP_NAMES, _bbp_scoring),
}


# -- Back to text, in FIDE's own dialect (TRF26) or JaVaFo's


Dialect = Literal["trf26", "javafo"]
"""The 2026 format, or that of 2016 with the XX records that JaVaFo adds."""

_MOST_POINTS = 2 * 999
_LEAST_POINTS = -19
"""Half points in four columns with a sign: below 0 are those whom a penalty (299) took more than they had."""
_ONE_LINE = str.maketrans("\r\n\t", "   ")


def write(file: TrfFile, dialect: Dialect = "trf26") -> str:
    r"""Write a file, each line ended by `\n`.

    `read` gives the same file back, but for what a dialect says in another way: TRF26 writes those absent from the
    next round as byes (240 Z); JaVaFo speaks of the next round only, so byes asked for it go into the round columns
    and only pairs forbidden in it are named. Raises TourneyError where a number does not fit its columns.
    """
    _check_sizes(file)
    return "".join(f"{line.rstrip()}\n" for line in _lines_written(file, dialect))


def _lines_written(file: TrfFile, dialect: Dialect) -> Iterator[str]:
    yield from _header(file)
    yield from (_trf26_settings(file) if dialect == "trf26" else _javafo_settings(file))
    players = file.players if dialect == "trf26" else _with_next_byes(file)
    yield from (_player_line(player) for player in players)
    yield from (_trf26_requests(file) if dialect == "trf26" else _javafo_requests(file))
    yield from (_abnormal_line(given) for given in file.abnormal)
    yield from file.others


def _check_sizes(file: TrfFile) -> None:
    for player in file.players:
        if not 1 <= player.number <= _MOST_PLAYERS:
            raise TourneyError(
                f"pairing number {player.number} does not fit: a Tournament Report File holds 1 to {_MOST_PLAYERS}"
            )
        points = player.points or 0
        if not _LEAST_POINTS <= points <= _MOST_POINTS or (points >= 200 and points % 2):
            raise TourneyError(
                f"the points of player {player.number} do not fit the four columns of a player line"
            )
        for what, number in (("rating", player.rating), ("rank", player.rank)):
            if number is not None and not 0 <= number <= 9999:
                raise TourneyError(
                    f"the {what} of player {player.number} does not fit: 0 to 9999, found {number}"
                )
    for code, points in file.scoring.items():
        if not 0 <= points < 200:
            raise TourneyError(f"the points for `{code}` do not fit: 0 to 99.5")
    if max(file.rounds_paired, file.rounds_total or 0) > _MOST_ROUNDS:
        raise TourneyError(f"a Tournament Report File holds at most {_MOST_ROUNDS} rounds")


def _header(file: TrfFile) -> Iterator[str]:
    texts = {code: getattr(file.header, name) for code, name in _TEXT_RECORDS.items()}
    several = [("112", deputy) for deputy in file.header.deputies]
    counts = [("062", str(len(file.players))), ("072", str(sum(bool(p.rating) for p in file.players)))]
    for code, text in sorted([*texts.items(), *several, *counts], key=lambda pair: pair[0]):
        if text:
            yield f"{code} {text.translate(_ONE_LINE)}"
    if file.header.dates:
        lead = "132".ljust(FIRST_ROUND_COLUMN - 1)
        yield lead + "  ".join(f"{date:<8.8}" for date in file.header.dates)


def _trf26_settings(file: TrfFile) -> Iterator[str]:
    if file.rounds_total is not None:
        yield f"142 {file.rounds_total}"
    if file.initial_side:
        yield f"152 {file.initial_side.upper()}"
    if file.by_rank:
        yield "XXC rank"
    yield from _scoring_162(file.scoring)
    finer = {code: points for code, points in file.scoring.items() if code not in _SCORING_CODES}
    if finer:
        yield _scoring_xxs(finer)


def _scoring_162(scoring: Mapping[str, int]) -> Iterator[str]:
    cells = [f"{code}{_points_field(scoring[code]):>4}" for code in _SCORING_CODES if code in scoring]
    if cells:
        yield "162  " + "    ".join(cells)


def _scoring_xxs(scoring: Mapping[str, int]) -> str:
    names = {"P": ("PAB",), "A": ("ZPB",), "L": ("WL", "BL")}
    words = [
        f"{name}={_points_field(points)}"
        for code, points in sorted(scoring.items())
        for name in names.get(code, (code,))
    ]
    return "XXS " + " ".join(words)


def _javafo_settings(file: TrfFile) -> Iterator[str]:
    if file.rounds_total is not None:
        yield f"XXR {file.rounds_total}"
    side = {"w": ["white1"], "b": ["black1"]}.get(file.initial_side, [])
    words = (["rank"] if file.by_rank else []) + side
    if words:
        yield "XXC " + " ".join(words)
    scoring = {code: points for code, points in file.scoring.items() if code != "X"}
    if scoring:
        yield _scoring_xxs(scoring)
    yield from _scoring_162({code: points for code, points in file.scoring.items() if code == "X"})


def _trf26_requests(file: TrfFile) -> Iterator[str]:
    next_round = file.rounds_paired + 1
    away = [Byes("Z", next_round, file.absent)] if file.absent else []
    for bye in gathered((*file.byes, *away)):
        yield f"240 {bye.kind} {bye.round:>3} {_ids(bye.players)}"
    yield from _acceleration_ranges(file)
    for ban in file.forbidden:
        last = _MOST_ROUNDS if ban.last is None else ban.last
        yield f"260 {ban.first:>3} {last:>3} {_ids(ban.players)}"


def _ids(numbers: Iterable[int]) -> str:
    return " ".join(f"{number:>4}" for number in numbers)


def _acceleration_ranges(file: TrfFile) -> Iterator[str]:
    """Join neighbours in the list of players who get the same, and rounds that give the same."""
    numbers = sorted(player.number for player in file.players)
    for given, group in groupby(numbers, key=lambda number: file.accelerations.get(number, ())):
        members = list(group)
        start = 1
        for points, run in groupby(given):
            rounds = len(list(run))
            if points:
                ends = f"{start:>3} {start + rounds - 1:>3} {members[0]:>4} {members[-1]:>4}"
                yield f"250      {_points_field(points):>4} {ends}"
            start += rounds


def _javafo_requests(file: TrfFile) -> Iterator[str]:
    next_round = file.rounds_paired + 1
    if file.absent:
        yield "XXZ " + " ".join(str(number) for number in file.absent)
    for player, given in file.accelerations.items():
        yield f"XXA {player:>4} " + " ".join(f"{_points_field(points):>4}" for points in given)
    for ban in file.forbidden:
        if ban.holds_in(next_round):
            yield "XXP " + " ".join(str(number) for number in ban.players)


def _with_next_byes(file: TrfFile) -> Iterator[TrfPlayer]:
    """Put the byes asked for the next round into its column, the only place where JaVaFo looks for them."""
    next_round = file.rounds_paired + 1
    kinds = {number: bye.kind for bye in file.byes if bye.round == next_round for number in bye.players}
    for player in file.players:
        if player.number in kinds and player.cell(next_round).empty:
            padding = (Cell(),) * (next_round - 1 - len(player.rounds))
            kept = player.rounds[: next_round - 1]
            yield replace(player, rounds=(*kept, *padding, Cell(0, "", kinds[player.number])))
        else:
            yield player


def _abnormal_line(given: Abnormal) -> str:
    match_points = "" if given.match_points is None else _points_field(given.match_points)
    game_points = "" if given.game_points is None else _points_field(given.game_points)
    number = str(given.round) if given.round else ""
    return f"299 {given.kind:1.1}  {match_points:>4}  {game_points:>4}  {number:>3} {_ids(given.players)}"


def _player_line(player: TrfPlayer) -> str:
    """Write a player line, without blanks at the end; a name longer than its 33 columns is cut, as the format has it.

    A line end or a tab inside a text becomes a blank.
    """
    points = "" if player.points is None else _points_field(player.points)
    head = (
        f"001 {player.number:>4} {player.sex:1.1}{player.title:>3.3} {player.name:<33.33} {_blank(player.rating):>4} "
        f"{player.federation:3.3} {player.fide_id:>11.11} {player.birth:<10.10} {points:>4} {_blank(player.rank):>4}"
    )
    return (head.translate(_ONE_LINE) + "".join(_cell_text(cell) for cell in player.rounds)).rstrip()


def _points_field(half_points: int) -> str:
    """Write half points as the four columns have them: `11.5`; from 100 on without the decimal (`123`)."""
    if half_points < 0:
        return f"-{_points_field(-half_points)}"
    return (
        str(half_points // 2) if half_points >= 200 else f"{half_points // 2}.{5 if half_points % 2 else 0}"
    )


def _blank(number: int | None) -> str:
    return "" if number is None else str(number)


def _cell_text(cell: Cell) -> str:
    if cell.empty:
        return " " * 10
    opponent = str(cell.opponent) if cell.opponent else "0000"
    return f"  {opponent:>4} {cell.side or '-'} {cell.result or ' '}"
