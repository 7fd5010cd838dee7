"""The player line (001): columns ⇄ TrfPlayer.

5-8 pairing number | 10 sex | 11-13 title | 15-47 name | 49-52 rating | 54-56 federation | 58-68 FIDE id |
70-79 birth | 81-84 points | 86-89 rank | round r from column 92 + 10(r - 1): opponent (4), side (6th), result (8th)
"""

from __future__ import annotations

from tourney.trf.columns import Line
from tourney.trf.file import BYE_RESULTS, GAME_RESULTS, Cell, TrfPlayer

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
