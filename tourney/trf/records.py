"""A file as the record of what happened, the points it gives by its own account, and a record as a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tourney.errors import TourneyError
from tourney.record import Outcome, PlayerId, Record, Result, Seat, Table, points_text
from tourney.trf.file import BYE_RESULTS, Abnormal, Cell, TrfFile, TrfHeader, TrfPlayer, round_column

_OUTCOMES = {
    "1": Outcome.WIN,
    "W": Outcome.WIN,
    "=": Outcome.DRAW,
    "D": Outcome.DRAW,
    "0": Outcome.LOSS,
    "L": Outcome.LOSS,
    "+": Outcome.FORFEIT_WIN,
    "-": Outcome.FORFEIT_LOSS,
}
# Files in the wild also write game results beside opponent 0000; what they are worth decides what they are.
_UNPAIRED = {
    "U": Outcome.BYE,
    "F": Outcome.AWARDED_BYE,
    "+": Outcome.AWARDED_BYE,
    "1": Outcome.AWARDED_BYE,
    "W": Outcome.AWARDED_BYE,
    "H": Outcome.HALF_BYE,
    "=": Outcome.HALF_BYE,
    "D": Outcome.HALF_BYE,
}
_TOGETHER = frozenset(
    {
        frozenset({Outcome.WIN, Outcome.LOSS}),
        frozenset({Outcome.DRAW}),
        frozenset({Outcome.DRAW, Outcome.LOSS}),  # by ruling: one is given the draw, the other is not
        frozenset({Outcome.LOSS}),  # by ruling: both lose
        frozenset({Outcome.FORFEIT_WIN, Outcome.FORFEIT_LOSS}),
        frozenset({Outcome.FORFEIT_LOSS}),
    }
)
_CODES = {
    Outcome.WIN: "1",
    Outcome.DRAW: "=",
    Outcome.LOSS: "0",
    Outcome.DOUBLE_LOSS: "0",
    Outcome.FORFEIT_WIN: "+",
    Outcome.FORFEIT_LOSS: "-",
    Outcome.BYE: "U",
    Outcome.AWARDED_BYE: "F",
    Outcome.HALF_BYE: "H",
    Outcome.ABSENT: "Z",
}


def record_of(file: TrfFile) -> Record:
    """Return what happened, with the pairing numbers as PlayerIds, in their order.

    Tables are numbered by their smaller pairing number (the format knows no table numbers); the first seat is White.
    A column of requested byes alone, after the last paired round, belongs to the next round and is left out. `drops`
    stays empty: the format does not tell a withdrawal from absences. Raises TourneyError with line and column where
    the two players of a table do not name each other, claim the same side, or have results that do not go together.
    """
    players = {player.number: player for player in sorted(file.players, key=lambda player: player.number)}
    numbers = range(1, file.rounds_paired + 1)
    return Record(
        players=tuple(PlayerId(number) for number in players),
        rounds=tuple(_tables(file.source, players, number) for number in numbers),
        byes=tuple(_byes(players, number) for number in numbers),
        absences=tuple(_absences(players, number) for number in numbers),
        ratings={PlayerId(number): player.rating for number, player in players.items() if player.rating},
        planned_rounds=file.rounds_total,
        extra_points=_extra_points(file),
    )


def _extra_points(file: TrfFile) -> tuple[dict[PlayerId, int], ...]:
    """Return what the 299 records give beside what the file's own scoring makes of the results, round by round."""
    if not file.abnormal:
        return ()
    bye = file.scoring.get("P", file.scoring.get("W", _WIN))
    rounds: list[dict[PlayerId, int]] = [{} for _ in range(file.rounds_paired)]
    for player in file.players:
        for number, given in enumerate(rounds, 1):
            cell = player.cell(number)
            worth = bye if cell.result == "U" else _worth(file.scoring, cell)
            extra = _given(file, player, number, bye) - worth + _added(file, player, number)
            if extra:
                given[PlayerId(player.number)] = extra
    return tuple(rounds) if any(rounds) else ()


_WIN = 2
"""Half points of a win where the file says nothing of it."""


def _added(file: TrfFile, player: TrfPlayer, round_number: int) -> int:
    """Return the half points that 299 records add to a round whatever its result; those of no round are of every round."""
    return sum(
        given.points for given in file.abnormal if not given.kind and _concerns(given, player, round_number)
    )


def _unpaired(player: TrfPlayer, round_number: int) -> Outcome | None:
    cell = player.cell(round_number)
    return None if cell.opponent else _UNPAIRED.get(cell.result, Outcome.ABSENT)


def _byes(players: Mapping[int, TrfPlayer], round_number: int) -> dict[PlayerId, Outcome]:
    outcomes = {PlayerId(n): _unpaired(player, round_number) for n, player in players.items()}
    return {player: outcome for player, outcome in outcomes.items() if outcome not in (None, Outcome.ABSENT)}


def _absences(players: Mapping[int, TrfPlayer], round_number: int) -> frozenset[PlayerId]:
    return frozenset(PlayerId(n) for n, p in players.items() if _unpaired(p, round_number) is Outcome.ABSENT)


def _tables(source: str, players: Mapping[int, TrfPlayer], round_number: int) -> tuple[Table, ...]:
    tables: list[Table] = []
    for number, player in players.items():
        cell = player.cell(round_number)
        if not cell.opponent:
            continue
        opponent = players[cell.opponent]
        _check_table(source, player, opponent, round_number)
        if number < cell.opponent:
            white_first = cell.side == "w" or opponent.cell(round_number).side != "w"
            pair = (player, opponent) if white_first else (opponent, player)
            tables.append(_table(source, len(tables) + 1, pair, round_number))
    return tuple(tables)


def _refuse(source: str, player: TrfPlayer, round_number: int, offset: int, message: str) -> TourneyError:
    place = f"{source}: line {player.line}, column {round_column(round_number) + offset}"
    return TourneyError(f"{place}: round {round_number}: {message}")


def _check_table(source: str, player: TrfPlayer, opponent: TrfPlayer, round_number: int) -> None:
    cell, other = player.cell(round_number), opponent.cell(round_number)
    if other.opponent != player.number:
        named = f"player {other.opponent}" if other.opponent else "nobody"
        message = f"player {player.number} names player {opponent.number}, who names {named}"
        raise _refuse(source, player, round_number, 0, message)
    if cell.side and cell.side == other.side:
        raise _refuse(
            source, player, round_number, 5, f"both players of the table have the side `{cell.side}`"
        )
    if cell.result in BYE_RESULTS:
        raise _refuse(source, player, round_number, 7, f"`{cell.result}` is a bye, but there is an opponent")


def _table(source: str, number: int, pair: tuple[TrfPlayer, TrfPlayer], round_number: int) -> Table:
    seats = (PlayerId(pair[0].number), PlayerId(pair[1].number))
    codes = [player.cell(round_number).result for player in pair]
    if not any(codes):
        return Table(number, seats)
    outcomes = [_OUTCOMES.get(code) for code in codes]
    if None in outcomes or frozenset(outcomes) not in _TOGETHER:
        results = " and ".join(f"`{code or ' '}`" for code in codes)
        names = f"{pair[0].number} and {pair[1].number}"
        raise _refuse(
            source, pair[0], round_number, 7, f"the results {results} of players {names} do not go together"
        )
    return Table(number, seats, _result(seats, [outcome for outcome in outcomes if outcome]))


def _result(seats: Sequence[PlayerId], outcomes: Sequence[Outcome]) -> Result:
    if all(outcome is Outcome.LOSS for outcome in outcomes):
        outcomes = [Outcome.DOUBLE_LOSS] * len(seats)
    beaten = Outcome.WIN in outcomes or Outcome.FORFEIT_WIN in outcomes
    lost = (Outcome.LOSS, Outcome.FORFEIT_LOSS)
    return Result(
        tuple(
            Seat(
                player,
                outcome,
                place=2 if beaten and outcome in lost else 1,
                games=int(outcome is Outcome.WIN),
            )
            for player, outcome in zip(seats, outcomes, strict=True)
        ),
        drawn_games=int(Outcome.DRAW in outcomes),
    )


SCORED = {
    "W": (Outcome.WIN,),
    "D": (Outcome.DRAW,),
    "L": (Outcome.LOSS,),
    "P": (Outcome.BYE,),
    "A": (Outcome.ABSENT, Outcome.FORFEIT_LOSS),
    "HPB": (Outcome.HALF_BYE,),
    "FPB": (Outcome.AWARDED_BYE,),
    "FW": (Outcome.FORFEIT_WIN,),
    "FL": (Outcome.FORFEIT_LOSS,),
}
"""What each code of the scoring is worth points for; the finer one says it where both do."""


def scoring_of(file: TrfFile) -> dict[Outcome, int]:
    """Return the half points that the file itself gives for outcomes (162, XXS, BB.), as far as it says."""
    return {
        outcome: file.scoring[code]
        for code, outcomes in SCORED.items()
        for outcome in outcomes
        if code in file.scoring
    }


def points_contradicted(file: TrfFile) -> tuple[str, ...]:
    """Tell whose points column does not say what the file's own results, scoring and 299 records make."""
    remarks = []
    for player in file.players:
        possible = _own_points(file, player)
        if player.points is not None and player.points not in possible:
            remarks.append(
                f"line {player.line}: the points of player {player.number} are {_points(player.points)}, "
                f"the file's results make {_points(possible[0])}"
            )
    return tuple(remarks)


def _points(half_points: int) -> str:
    return points_text(half_points).replace("-", "−")


def _own_points(file: TrfFile, player: TrfPlayer) -> tuple[int, ...]:
    """Return the half points a player has by the file's own account.

    The pairing's bye is worth a win, or 1 point whatever a win is worth: dialects differ where it is not said.
    """
    rounds = range(1, max(len(player.rounds), file.rounds_paired) + 1)
    made = []
    for bye in dict.fromkeys(
        (file.scoring.get("P", file.scoring.get("W", _WIN)), file.scoring.get("P", _WIN))
    ):
        given = sum(_given(file, player, number, bye) for number in rounds)
        made.append(given + sum(_added(file, player, number) for number in rounds))
    return tuple(dict.fromkeys(made))


def _given(file: TrfFile, player: TrfPlayer, round_number: int, bye: int) -> int:
    """Return the half points of one round by the file's own account."""
    cell = player.cell(round_number)
    for given in file.abnormal:
        if (
            given.kind
            and given.kind in _KINDS.get(cell.result, ())
            and _concerns(given, player, round_number)
        ):
            return given.points
    return bye if cell.result == "U" else _worth(file.scoring, cell)


def _worth(scoring: Mapping[str, int], cell: Cell) -> int:
    """Return the half points of a cell that is not the pairing's bye, by the finest code that the scoring has."""
    side = cell.side.upper()
    codes: tuple[str, ...]
    if cell.opponent:
        codes, usual = {
            **dict.fromkeys("1W", ((f"{side}W", "W"), 2)),
            **dict.fromkeys("=D", ((f"{side}D", "D"), 1)),
            **dict.fromkeys("0L", ((f"{side}L", "L"), 0)),
            "+": (("FW", "W"), 2),
            "-": (("FL", "A"), 0),
        }.get(cell.result, (("X",), 0))
    else:
        outcome = _UNPAIRED.get(cell.result, Outcome.ABSENT)
        codes, usual = {
            Outcome.AWARDED_BYE: (("FPB", "W"), 2),
            Outcome.HALF_BYE: (("HPB", "D"), 1),
        }.get(outcome, (("A",), 0))
    return next((scoring[code] for code in codes if code in scoring), usual)


_KINDS = {
    **dict.fromkeys("1W", "W"),
    **dict.fromkeys("=D", "D"),
    **dict.fromkeys("0L", "L"),
    "U": "PU",
    **{kind: kind for kind in "FHZ+-"},
}
"""Which records 299 speak of a cell's result."""


def _concerns(given: Abnormal, player: TrfPlayer, round_number: int) -> bool:
    return given.round in (0, round_number) and (not given.players or player.number in given.players)


def file_of(
    record: Record,
    *,
    points: Mapping[PlayerId, int],
    names: Mapping[PlayerId, str],
    order: Sequence[PlayerId] = (),
    sides: bool = True,
    header: TrfHeader | None = None,
) -> TrfFile:
    """Return the file of a record: results, ratings, planned rounds, points (half points); nothing asked for next rounds.

    order: the players from the first pairing number on (default: the order of registration, numbers as PlayerIds)
    sides: whether the seat order is the side order (seat 1 has White); without, sides stay blank

    Raises TourneyError for a table of more than two, which the format cannot say.
    """
    numbers = (
        {player: n for n, player in enumerate(order, 1)} if order else {p: int(p) for p in record.players}
    )
    cells = {
        player: [_cell_without_table(record, r, player) for r in range(len(record.rounds))]
        for player in numbers
    }
    for round_index, tables in enumerate(record.rounds):
        for table in tables:
            for player, cell in _seat_cells(table, numbers, round_index + 1, sides=sides):
                cells[player][round_index] = cell
    return TrfFile(
        header=header or TrfHeader(),
        rounds_total=record.planned_rounds,
        players=tuple(
            TrfPlayer(
                number=number,
                name=names[player],
                rating=record.ratings.get(player),
                points=points[player],
                rounds=tuple(cells[player]),
            )
            for player, number in sorted(numbers.items(), key=lambda pair: pair[1])
        ),
        abnormal=tuple(
            Abnormal("", None, points_of, at, tuple(sorted(numbers[each] for each in who)))
            for at, given in enumerate(record.extra_points, 1)
            for points_of, who in sorted(_by_points(given).items())
        ),
    )


def _by_points(given: Mapping[PlayerId, int]) -> dict[int, list[PlayerId]]:
    who: dict[int, list[PlayerId]] = {}
    for player, points in given.items():
        who.setdefault(points, []).append(player)
    return who


def _cell_without_table(record: Record, round_index: int, player: PlayerId) -> Cell:
    byes = record.byes[round_index] if round_index < len(record.byes) else {}
    return Cell(0, "", _CODES[byes.get(player, Outcome.ABSENT)])


def _seat_cells(
    table: Table, numbers: Mapping[PlayerId, int], round_number: int, *, sides: bool
) -> list[tuple[PlayerId, Cell]]:
    if len(table.seats) != 2:
        raise TourneyError(
            f"round {round_number}, table {table.number} has {len(table.seats)} seats: "
            "a Tournament Report File knows only tables of two"
        )
    blank = tuple(Cell(numbers[other], "") for other in reversed(table.seats))
    cells: list[tuple[PlayerId, Cell]] = []
    for player, cell, side in zip(table.seats, blank, "wb", strict=True):
        result = _CODES[table.result.seat_of(player).outcome] if table.result else ""
        cells.append((player, replace(cell, side=side if sides else "", result=result)))
    return cells
