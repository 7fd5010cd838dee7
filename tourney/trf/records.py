"""The other records: one reader a record type, each adding what it read to a Draft.

TRF26: 012 to 222 the event in words, 142 152 162 how it is paired, 240 byes, 250 acceleration, 260 forbidden
pairs, 299 abnormal points. JaVaFo: XXR XXC XXZ XXS XXA XXP. bbpPairings: BBW BBD BBL BBZ BBF BBU.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tourney.trf.columns import MOST_DIGITS, Line
from tourney.trf.file import MOST_ROUNDS, Abnormal, Byes, Forbidden, TrfPlayer
from tourney.trf.player import FIRST_ROUND_COLUMN, read_player

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
