"""What a Tournament Report File says, independent of the dialect it says it in; as a record of what happened, and back.

Source: the FIDE Tournament Report File formats TRF16 and TRF26 (in force 1 September 2025), JaVaFo's
"Advanced User Manual" (XX records) and bbpPairings (BB records). Points are half points throughout.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tourney.errors import TourneyError
from tourney.record import Outcome, PlayerId, Record, Result, Seat, Table, format_points

BYE_RESULTS = frozenset("HFUZ")
"""Results of a cell without an opponent; `Cell` says what each means."""

FIRST_ROUND_COLUMN = 92
"""Of a player line; a round takes ten columns."""


def round_column(round_number: int) -> int:
    """Return the column, from 1, in which a round of a player line begins."""
    return FIRST_ROUND_COLUMN + 10 * (round_number - 1)


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
class TrfHeader:
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
class ForbiddenPairs:
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

    header: TrfHeader = field(default_factory=TrfHeader)
    players: tuple[TrfPlayer, ...] = ()
    rounds_total: int | None = None
    initial_side: str = ""
    by_rank: bool = False
    scoring: Mapping[str, int] = field(default_factory=dict)
    absent: tuple[int, ...] = ()
    byes: tuple[Byes, ...] = ()
    accelerations: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    forbidden: tuple[ForbiddenPairs, ...] = ()
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


# -- What happened, and the points it gives by its own account


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


def is_absent(cell: Cell) -> bool:
    """Return whether a cell has neither an opponent nor a bye."""
    return not cell.opponent and cell.result not in _UNPAIRED


def _unpaired(player: TrfPlayer, round_number: int) -> Outcome | None:
    cell = player.cell(round_number)
    return None if cell.opponent else _UNPAIRED.get(cell.result, Outcome.ABSENT)


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


def scoring_of(file: TrfFile) -> dict[Outcome, int]:
    """Return the half points that the file itself gives for outcomes (162, XXS, BB.), as far as it says."""
    return {
        outcome: file.scoring[code]
        for code, outcomes in _SCORED.items()
        for outcome in outcomes
        if code in file.scoring
    }


_SCORED = {
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


def points_contradicted(file: TrfFile) -> tuple[str, ...]:
    """Tell whose points column does not say what the file's own results, scoring and 299 records make."""
    remarks, paired = [], file.rounds_paired
    for player in file.players:
        possible = _own_points(file, player, paired)
        if player.points is not None and player.points not in possible:
            remarks.append(
                f"line {player.line}: the points of player {player.number} are {_points(player.points)}, "
                f"the file's results make {_points(possible[0])}"
            )
    return tuple(remarks)


def _points(half_points: int) -> str:
    return format_points(half_points).replace("-", "−")


def _own_points(file: TrfFile, player: TrfPlayer, paired: int) -> tuple[int, ...]:
    """Return the half points a player has by the file's own account. paired: the file's `rounds_paired`.

    The pairing's bye is worth a win, or 1 point whatever a win is worth: dialects differ where it is not said.
    """
    rounds = range(1, max(len(player.rounds), paired) + 1)
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


# -- A record as a file


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
