"""What a Tournament Report File says, independent of the dialect it says it in.

Source: the FIDE Tournament Report File formats TRF16 and TRF26 (in force 1 September 2025), JaVaFo's
"Advanced User Manual" (XX records) and bbpPairings (BB records). Points are half points throughout.

The player line (001): columns ⇄ TrfPlayer.

5-8 pairing number | 10 sex | 11-13 title | 15-47 name | 49-52 rating | 54-56 federation | 58-68 FIDE id |
70-79 birth | 81-84 points | 86-89 rank | round r from column 92 + 10(r - 1): opponent (4), side (6th), result (8th)

The other records: one reader a record type, each adding what it read to a Draft.

TRF26: 012 to 222 the event in words, 142 152 162 how it is paired, 240 byes, 250 acceleration, 260 forbidden
pairs, 299 abnormal points. JaVaFo: XXR XXC XXZ XXS XXA XXP. bbpPairings: BBW BBD BBL BBZ BBF BBU.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NoReturn

from tourney.errors import TourneyError

MOST_PLAYERS = 9999
"""Pairing numbers have four columns."""

MOST_ROUNDS = 999
"""Round numbers have three columns."""

GAME_RESULTS = frozenset("10=WDL+-")
BYE_RESULTS = frozenset("HFUZ")


@dataclass(frozen=True, slots=True)
class Cell:
    """One round of one player, as the file has it.

    opponent: a pairing number; 0 is nobody
    side:     `w`, `b` or `` (no side)
    result:   `1` `=` `0` played · `W` `D` `L` played, not rated · `+` `-` forfeit ·
              `H` half-point bye, `F` full-point bye, `U` the pairing's bye, `Z` absent · `` nothing yet
    """

    opponent: int = 0
    side: str = ""
    result: str = ""

    @property
    def empty(self) -> bool:
        """Whether the cell says nothing at all."""
        return not (self.opponent or self.side or self.result)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrfPlayer:
    """A player line (001). Text is empty and numbers are None where the columns are blank.

    number: pairing number, 1 to 9999
    points: half points
    birth:  as written, usually YYYY/MM/DD
    rounds: one cell a round, without empty ones at the end
    line:   where it stood in the text (0: nowhere); no part of what the player is
    """

    number: int
    name: str = ""
    sex: str = ""
    title: str = ""
    rating: int | None = None
    federation: str = ""
    fide_id: str = ""
    birth: str = ""
    points: int | None = None
    rank: int | None = None
    rounds: tuple[Cell, ...] = ()
    line: int = field(default=0, compare=False)

    def cell(self, round_number: int) -> Cell:
        """Return the cell of a round, counted from 1; an empty one beyond the last."""
        return self.rounds[round_number - 1] if round_number <= len(self.rounds) else Cell()


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The text records about the event (012 to 222); the counts 062 and 072 follow from the players."""

    name: str = ""  # 012
    city: str = ""  # 022
    federation: str = ""  # 032
    start: str = ""  # 042, as written
    end: str = ""  # 052, as written
    kind: str = ""  # 092, free text
    arbiter: str = ""  # 102
    deputies: tuple[str, ...] = ()  # 112, one a line
    time_control: str = ""  # 122
    dates: tuple[str, ...] = ()  # 132, YY/MM/DD for each round; empty text where not given
    start_rank_method: str = ""  # 172
    program: str = ""  # 182
    system: str = ""  # 192
    tie_breaks: str = ""  # 202
    standings_order: str = ""  # 212
    encoded_time_control: str = ""  # 222


@dataclass(frozen=True, slots=True)
class Byes:
    """Byes asked for (record 240): `F`, `H` or `Z`, the round, and who, in order of their numbers."""

    kind: str
    round: int
    players: tuple[int, ...]
    line: int = field(default=0, compare=False)


def gathered(byes: Iterable[Byes]) -> tuple[Byes, ...]:
    """Return the byes with one entry for each round and kind, by round, then kind; entries of nobody are left out."""
    players: dict[tuple[int, str], set[int]] = {}
    for bye in byes:
        players.setdefault((bye.round, bye.kind), set()).update(bye.players)
    return tuple(
        Byes(kind, number, tuple(sorted(who))) for (number, kind), who in sorted(players.items()) if who
    )


@dataclass(frozen=True, slots=True)
class Forbidden:
    """Players of whom no two may be paired (records 260 and XXP), in rounds `first` to `last`.

    `last` None: in every round from `first` on.
    """

    players: tuple[int, ...]
    first: int = 1
    last: int | None = None

    def holds_in(self, round_number: int) -> bool:
        """Whether the ban is in force in that round."""
        return self.first <= round_number and (self.last is None or round_number <= self.last)


@dataclass(frozen=True, slots=True)
class Abnormal:
    """Points given outside the scoring (record 299).

    kind:         the result that is worth these points instead (`W D L F H Z + -`), empty: points added (or taken)
    match_points, game_points: half points, negative for a penalty; None where the columns are blank
    round:        0: every round; players: empty: all
    """

    kind: str
    match_points: int | None
    game_points: int | None
    round: int
    players: tuple[int, ...]
    line: int = field(default=0, compare=False)

    @property
    def points(self) -> int:
        """The half points of a player: the game points, or the match points where only those are given."""
        return (self.match_points or 0) if self.game_points is None else self.game_points


@dataclass(frozen=True, slots=True, kw_only=True)
class TrfFile:
    """A whole file.

    rounds_total:  rounds announced (142, XXR)
    initial_side:  `w`, `b` or `` : the side drawn for the first seed of round 1 (152, XXC)
    by_rank:       the pairing follows the rank column instead of the pairing numbers (XXC rank)
    scoring:       code → half points (162, XXS, BB.). Codes of record 162: W D L, A absent or forfeit loss,
                   P the pairing's bye, X unknown; and JaVaFo's finer ones: WW BW WD BD WL BL HPB FPB FW FL
    absent:        not to be paired in the next round (XXZ); TRF26 says it as byes
    byes:          by round, then kind (240)
    accelerations: player → virtual half points in each round from 1, no zeros at the end (250, XXA)
    others:        lines of records unknown here (team records, national ratings, comments), kept as they were
    remarks:       what in the text does not fit together and was read all the same, each with its line
    """

    header: Header = field(default_factory=Header)
    players: tuple[TrfPlayer, ...] = ()
    rounds_total: int | None = None
    initial_side: str = ""
    by_rank: bool = False
    scoring: Mapping[str, int] = field(default_factory=dict)
    absent: tuple[int, ...] = ()
    byes: tuple[Byes, ...] = ()
    accelerations: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    forbidden: tuple[Forbidden, ...] = ()
    abnormal: tuple[Abnormal, ...] = ()
    others: tuple[str, ...] = ()
    source: str = field(default="", compare=False)
    remarks: tuple[str, ...] = field(default=(), compare=False)

    @property
    def rounds_paired(self) -> int:
        """The last round in which anybody had an opponent or the pairing's bye.

        A column that holds only requested byes and absences belongs to a round still to be paired.
        """
        return max((_last_paired(player) for player in self.players), default=0)

    @property
    def system(self) -> str:
        """The pairing system's code: record 192, or 092 where an engine writes it there (bbpPairings does)."""
        if self.header.system:
            return self.header.system
        kind = self.header.kind
        return kind if kind.startswith(("FIDE_", "CUSTOM_", "BERGER_")) and " " not in kind else ""


def _last_paired(player: TrfPlayer) -> int:
    paired = [n for n, cell in enumerate(player.rounds, 1) if cell.opponent or cell.result == "U"]
    return paired[-1] if paired else 0


# -- Fixed columns: cutting fields out of a line, and saying where one is wrong


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


# -- The player line (001): columns ⇄ TrfPlayer


FIRST_ROUND_COLUMN = 92
ONE_LINE = str.maketrans("\r\n\t", "   ")
_ALIGNMENT_HINT = (
    "columns shift when a file is read in another encoding than it was written in (try UTF-8 or Latin-1)"
)


def read_player(line: Line) -> TrfPlayer:
    """Read a player line. Raises TourneyError with line and column where a field cannot be read."""
    number = line.expect(
        column=5,
        value=line.number_at(5, 8, "the pairing number"),
        what="the pairing number in columns 5 to 8",
    )
    if number == 0:
        line.refuse(5, "pairing numbers count from 1, found 0")
    return TrfPlayer(
        number=number,
        sex=line.cut(10, 10),
        title=line.cut(11, 13),
        name=line.cut(15, 47),
        rating=line.number_at(49, 52, "the rating"),
        federation=line.cut(54, 56),
        fide_id=line.cut(58, 68),
        birth=line.cut(70, 79),
        points=line.points_at(81, 84, "the points"),
        rank=line.number_at(86, 89, "the rank"),
        rounds=_cells(line),
        line=line.number,
    )


def _cells(line: Line) -> tuple[Cell, ...]:
    starts = range(FIRST_ROUND_COLUMN, len(line.text.rstrip()) + 1, 10)
    cells = [_cell(line, start) for start in starts]
    while cells and cells[-1].empty:
        cells.pop()
    return tuple(cells)


def _cell(line: Line, start: int) -> Cell:
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


def _result(line: Line, column: int) -> str:
    result = line.cut(column, column).upper()
    if result and result not in GAME_RESULTS | BYE_RESULTS:
        line.refuse(
            column, f"the result should be one of 1 = 0 W D L + - H F U Z, found `{result}`", _ALIGNMENT_HINT
        )
    return result


def player_line(player: TrfPlayer) -> str:
    """Write a player line, without blanks at the end; a name longer than its 33 columns is cut, as the format has it.

    A line end or a tab inside a text becomes a blank.
    """
    points = "" if player.points is None else points_field(player.points)
    head = (
        f"001 {player.number:>4} {player.sex:1.1}{player.title:>3.3} {player.name:<33.33} {_blank(player.rating):>4} "
        f"{player.federation:3.3} {player.fide_id:>11.11} {player.birth:<10.10} {points:>4} {_blank(player.rank):>4}"
    )
    return (head.translate(ONE_LINE) + "".join(_cell_text(cell) for cell in player.rounds)).rstrip()


def points_field(half_points: int) -> str:
    """Write half points as the four columns have them: `11.5`; from 100 on without the decimal (`123`)."""
    if half_points < 0:
        return f"-{points_field(-half_points)}"
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


# -- The other records: one reader a record type, each adding what it read to a Draft


TEXT_RECORDS = {
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
SCORING_CODES = ("W", "D", "L", "A", "P", "X")
"""What record 162 can say, in its order."""

ABNORMAL_KINDS = frozenset({"", "W", "D", "L", "F", "H", "Z", "P", "U", "+", "-"})
"""What record 299 can be about; nothing: points added, whatever the result."""

JAVAFO_SCORING = ("WW", "BW", "WD", "BD", "WL", "BL", "HPB", "FPB", "FW", "FL")
"""What only XXS can say."""

_JAVAFO_NAMES = {"PAB": "P", "ZPB": "A", **{code: code for code in (*SCORING_CODES, *JAVAFO_SCORING)}}
_BBP_NAMES = {"BBW": "W", "BBD": "D", "BBL": "L", "BBZ": "A", "BBF": "FL", "BBU": "P"}
_SIDES = {"white1": "w", "black1": "b"}


@dataclass(slots=True)
class Draft:
    """What has been read so far, with the line that said it where a later line may contradict it."""

    header: dict[str, str] = field(default_factory=dict)
    deputies: list[str] = field(default_factory=list)
    dates: tuple[str, ...] = ()
    players: list[TrfPlayer] = field(default_factory=list)
    rounds_total: tuple[int, Line] | None = None
    initial_side: tuple[str, Line] | None = None
    by_rank: bool = False
    scoring: dict[str, tuple[int, Line]] = field(default_factory=dict)
    absent: list[int] = field(default_factory=list)
    byes: list[Byes] = field(default_factory=list)
    accelerations: dict[tuple[int, int], tuple[int, Line]] = field(default_factory=dict)
    ranges: list[tuple[int, int, int, int, int, Line]] = field(default_factory=list)
    forbidden: list[Forbidden] = field(default_factory=list)
    abnormal: list[Abnormal] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    mentions: list[tuple[int, Line]] = field(default_factory=list)

    def mention(self, numbers: tuple[int, ...], line: Line) -> tuple[int, ...]:
        """Remember that a line names players, so that a stranger can be told at the end; return them."""
        self.mentions += [(number, line) for number in numbers]
        return numbers


def read_record(draft: Draft, line: Line) -> None:
    """Add one line to the draft. A record of an unknown type is kept as it is, never a fault."""
    reader = _READERS.get(line.code)
    if line.code in TEXT_RECORDS:
        draft.header[TEXT_RECORDS[line.code]] = line.text[3:].strip()
    elif reader is not None:
        reader(draft, line)
    else:
        draft.others.append(line.text.rstrip())


def _player(draft: Draft, line: Line) -> None:
    draft.players.append(read_player(line))


def _derived(draft: Draft, line: Line) -> None:  # noqa: ARG001  062 and 072 follow from the players
    return


def _deputy(draft: Draft, line: Line) -> None:
    draft.deputies.append(line.text[3:].strip())


def _dates(draft: Draft, line: Line) -> None:
    starts = range(FIRST_ROUND_COLUMN, len(line.text.rstrip()) + 1, 10)
    draft.dates = tuple(line.cut(start, start + 7) for start in starts)


def _rounds_total(draft: Draft, line: Line) -> None:
    found = line.number_at(4, len(line.text), "the number of rounds")
    number = line.expect(column=5, value=found, what="the number of rounds")
    earlier = draft.rounds_total
    if earlier and earlier[0] != number:
        line.refuse(5, f"{number} rounds, but line {earlier[1].number} announces {earlier[0]}")
    draft.rounds_total = (number, line)


def _set_side(draft: Draft, line: Line, column: int, side: str) -> None:
    earlier = draft.initial_side
    if earlier and earlier[0] != side:
        line.refuse(column, f"the initial side contradicts line {earlier[1].number}")
    draft.initial_side = (side, line)


def _initial_side(draft: Draft, line: Line) -> None:
    side = line.text[3:].strip().lower()
    if side not in ("w", "b"):
        line.refuse(5, f"the initial side should be `W` or `B`, found `{line.text[3:].strip()}`")
    _set_side(draft, line, 5, side)


def _configuration(draft: Draft, line: Line) -> None:
    for column, word in line.words_from(4):
        if word.lower() in _SIDES:
            _set_side(draft, line, column, _SIDES[word.lower()])
        elif word.lower() == "rank":
            draft.by_rank = True
        else:
            line.refuse(column, f"XXC should say `rank`, `white1` or `black1`, found `{word}`")


def _set_score(draft: Draft, line: Line, column: int, code: str, half_points: int) -> None:
    earlier = draft.scoring.get(code)
    if earlier and earlier[0] != half_points:
        line.refuse(column, f"the points for `{code}` contradict line {earlier[1].number}")
    draft.scoring[code] = (half_points, line)


def _scoring(draft: Draft, line: Line) -> None:
    for column in range(6, len(line.text.rstrip()) + 1, 9):
        line.between(column - 1, *range(column + 5, column + 8))
        code = line.cut(column, column).upper()
        if not code:
            continue
        if code not in SCORING_CODES:
            line.refuse(column, f"a result should be one of {' '.join(SCORING_CODES)}, found `{code}`")
        found = line.points_at(column + 1, column + 4, f"the points for `{code}`")
        value = line.expect(column=column + 1, value=found, what=f"the points for `{code}`")
        _set_score(draft, line, column, code, value)


def _javafo_scoring(draft: Draft, line: Line) -> None:
    for column, word in line.words_from(4):
        name, equals, value = word.partition("=")
        code = _JAVAFO_NAMES.get(name.upper())
        if not code or not equals:
            line.refuse(column, f"XXS should say points like `W=1.0` or `PAB=0.5`, found `{word}`")
        points = line.points(value, column + len(name) + 1, f"the points for `{name}`")
        _set_score(draft, line, column, code, points)


def _bbp_scoring(draft: Draft, line: Line) -> None:
    found = line.points_at(4, len(line.text), "the points")
    value = line.expect(column=5, value=found, what=f"the value of {line.code}")
    _set_score(draft, line, 5, _BBP_NAMES[line.code], value)


def _absent(draft: Draft, line: Line) -> None:
    draft.absent += draft.mention(_listed(line), line)


def _listed(line: Line) -> tuple[int, ...]:
    """Return the pairing numbers of a line that lists them with blanks between (JaVaFo's own records)."""
    for column, word in line.words_from(4):
        if not (word.isascii() and word.isdigit() and len(word) <= MOST_DIGITS and int(word)):
            line.refuse(column, f"expected a pairing number, found `{word[:20]}`")
    return tuple(int(word) for _, word in line.words_from(4))


def _byes(draft: Draft, line: Line) -> None:
    line.between(4, 6, 10)
    kind = line.cut(5, 5).upper()
    if kind not in ("F", "H", "Z"):
        line.refuse(5, f"the bye should be `F`, `H` or `Z`, found `{kind}`")
    number = line.expect(
        column=7, value=line.number_at(7, 9, "the round"), what="the round in columns 7 to 9"
    )
    players = draft.mention(line.numbers_from(11, 4, "a pairing number"), line)
    draft.byes.append(Byes(kind, number, players, line.number))


def _acceleration_range(draft: Draft, line: Line) -> None:
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


def _acceleration_rounds(draft: Draft, line: Line) -> None:
    player = line.expect(
        column=5, value=line.number_at(5, 8, "the pairing number"), what="the pairing number"
    )
    draft.mention((player,), line)
    for round_number, start in enumerate(range(10, len(line.text.rstrip()) + 1, 5), 1):
        points = line.points_at(start, start + 3, f"the virtual points of round {round_number}")
        accelerate(draft, player, round_number, points or 0, line)


def accelerate(draft: Draft, player: int, round_number: int, points: int, line: Line) -> None:
    """Give a player virtual points in a round; refuse the line if an earlier one gives other points."""
    earlier = draft.accelerations.get((player, round_number))
    if earlier and earlier[0] != points:
        line.refuse(
            5,
            f"the virtual points of player {player} in round {round_number} contradict line {earlier[1].number}",
        )
    draft.accelerations[player, round_number] = (points, line)


def _forbidden(draft: Draft, line: Line) -> None:
    line.between(4, 8, 12)
    first = line.number_at(5, 7, "the first round") or 1
    last = line.number_at(9, 11, "the last round") or first
    players = draft.mention(line.numbers_from(13, 4, "a pairing number"), line)
    draft.forbidden.append(Forbidden(players, first, None if last == MOST_ROUNDS else last))


def _forbidden_always(draft: Draft, line: Line) -> None:
    draft.forbidden.append(Forbidden(draft.mention(_listed(line), line)))


def _abnormal(draft: Draft, line: Line) -> None:
    line.between(4, 6, 7, 12, 13, 18, 19, 23)
    players = draft.mention(line.numbers_from(24, 4, "a pairing number"), line)
    kind = line.cut(5, 5).upper()
    if kind not in ABNORMAL_KINDS:
        line.refuse(5, f"the result should be one of {' '.join(sorted(ABNORMAL_KINDS))}, found `{kind}`")
    match_points = line.points_at(8, 11, "the match points", signed=True)
    game_points = line.points_at(14, 17, "the game points", signed=True)
    number = line.number_at(20, 22, "the round") or 0
    draft.abnormal.append(Abnormal(kind, match_points, game_points, number, players, line.number))


_READERS: dict[str, Callable[[Draft, Line], None]] = {
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
