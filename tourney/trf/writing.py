"""TrfFile → text, in FIDE's own dialect (TRF26) or JaVaFo's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from typing import Literal

from tourney.errors import TourneyError
from tourney.trf.file import (
    FIRST_ROUND_COLUMN,
    MOST_PLAYERS,
    MOST_ROUNDS,
    SCORING_CODES,
    TEXT_RECORDS,
    Abnormal,
    Byes,
    Cell,
    TrfFile,
    TrfPlayer,
    gathered,
)

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
    return "".join(f"{line.rstrip()}\n" for line in _lines(file, dialect))


def _lines(file: TrfFile, dialect: Dialect) -> Iterator[str]:
    yield from _header(file)
    yield from (_trf26_settings(file) if dialect == "trf26" else _javafo_settings(file))
    players = file.players if dialect == "trf26" else _with_next_byes(file)
    yield from (_player_line(player) for player in players)
    yield from (_trf26_requests(file) if dialect == "trf26" else _javafo_requests(file))
    yield from (_abnormal(given) for given in file.abnormal)
    yield from file.others


def _check_sizes(file: TrfFile) -> None:
    for player in file.players:
        if not 1 <= player.number <= MOST_PLAYERS:
            raise TourneyError(
                f"pairing number {player.number} does not fit: a Tournament Report File holds 1 to {MOST_PLAYERS}"
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
    if max(file.rounds_paired, file.rounds_total or 0) > MOST_ROUNDS:
        raise TourneyError(f"a Tournament Report File holds at most {MOST_ROUNDS} rounds")


def _header(file: TrfFile) -> Iterator[str]:
    texts = {code: getattr(file.header, name) for code, name in TEXT_RECORDS.items()}
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
    finer = {code: points for code, points in file.scoring.items() if code not in SCORING_CODES}
    if finer:
        yield _scoring_xxs(finer)


def _scoring_162(scoring: Mapping[str, int]) -> Iterator[str]:
    cells = [f"{code}{_points_field(scoring[code]):>4}" for code in SCORING_CODES if code in scoring]
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
        last = MOST_ROUNDS if ban.last is None else ban.last
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


def _abnormal(given: Abnormal) -> str:
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
