"""The values of a Tournament Report File, and their conversion to and from a `Record`.

The values are the same for every dialect. All points are counted in half points: 3 means 1½ points. A
*record* of a file is a line, named by its type, such as 001 for a player; a `Record` has the rounds of an
event. Sources: FIDE's formats TRF16 and TRF26 (in force from 1 September 2025), JaVaFo's "Advanced User
Manual" (records XX.) and bbpPairings (records BB.).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tourney.errors import TourneyError
from tourney.record import Outcome, PlayerId, Record, Result, Seat, Table, format_points


class ResultCode(NamedTuple):
    """The meaning of a result code.

    at_table: the outcome for a player with an opponent; None if the code is for byes only
    alone:    the outcome for a player without an opponent. Codes of games have one, too, because some
              programs also write these codes for byes and absent players
    kinds:    the kinds of record 299 (`AbnormalPoints.kind`) that apply to a result with this code
    """

    at_table: Outcome | None
    alone: Outcome
    kinds: str


RESULT_CODES = {
    "1": ResultCode(Outcome.WIN, Outcome.AWARDED_BYE, "W"),
    "=": ResultCode(Outcome.DRAW, Outcome.HALF_BYE, "D"),
    "0": ResultCode(Outcome.LOSS, Outcome.ABSENT, "L"),
    "W": ResultCode(Outcome.WIN, Outcome.AWARDED_BYE, "W"),
    "D": ResultCode(Outcome.DRAW, Outcome.HALF_BYE, "D"),
    "L": ResultCode(Outcome.LOSS, Outcome.ABSENT, "L"),
    "+": ResultCode(Outcome.FORFEIT_WIN, Outcome.AWARDED_BYE, "+"),
    "-": ResultCode(Outcome.FORFEIT_LOSS, Outcome.ABSENT, "-"),
    "H": ResultCode(None, Outcome.HALF_BYE, "H"),
    "F": ResultCode(None, Outcome.AWARDED_BYE, "F"),
    "U": ResultCode(None, Outcome.BYE, "PU"),
    "Z": ResultCode(None, Outcome.ABSENT, "Z"),
    "": ResultCode(None, Outcome.ABSENT, ""),
}

FIRST_ROUND_COLUMN = 92
"""The column of a player line in which round 1 begins; each round takes ten columns."""


def round_column(round_number: int) -> int:
    """Return the column of a player line in which a round begins. Columns count from 1."""
    return FIRST_ROUND_COLUMN + 10 * (round_number - 1)


@dataclass(frozen=True, slots=True)
class Cell:
    """One round of one player.

    opponent: the pairing number of the opponent; 0 if there is none
    side:     `w` (White), `b` (Black) or empty
    result:   `1` `=` `0` played · `W` `D` `L` played, not rated · `+` `-` forfeit ·
              `H` half-point bye, `F` full-point bye, `U` pairing bye, `Z` absent · empty: no result yet
    """

    opponent: int = 0
    side: str = ""
    result: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether the cell is blank."""
        return not (self.opponent or self.side or self.result)

    @property
    def is_absent(self) -> bool:
        """Whether the player has neither an opponent nor a bye."""
        return not self.opponent and self.outcome is Outcome.ABSENT

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the round.

        A player with an opponent has no outcome (None) if `result` is empty or the code of a bye (`HFUZ`).
        """
        code = RESULT_CODES[self.result]
        return code.at_table if self.opponent else code.alone


@dataclass(frozen=True, slots=True, kw_only=True)
class TrfPlayer:
    """A player line (001). If a field of the line is blank, its value is an empty text or None.

    number: the pairing number, 1 to 9999
    points: half points
    birth:  the date of birth as written, usually YYYY/MM/DD
    rounds: one cell for each round, without empty cells at the end
    line:   the number of the line in the text, ignored in comparisons; 0 if not read from a text
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
        """Return the opponent, side and result of the player in a round, as a `Cell`.

        round_number: counts from 1; after the player's last round, the cell is empty
        """
        return self.rounds[round_number - 1] if round_number <= len(self.rounds) else Cell()


@dataclass(frozen=True, slots=True, kw_only=True)
class TrfHeader:
    """The text records about the event (012 to 222), without the counts 062 and 072."""

    name: str = ""  # 012
    city: str = ""  # 022
    federation: str = ""  # 032
    start: str = ""  # 042, as written
    end: str = ""  # 052, as written
    kind: str = ""  # 092, free text
    arbiter: str = ""  # 102
    deputies: tuple[str, ...] = ()  # 112, one line each
    time_control: str = ""  # 122
    dates: tuple[str, ...] = ()  # 132, YY/MM/DD for each round; empty if blank
    start_rank_method: str = ""  # 172
    program: str = ""  # 182
    system: str = ""  # 192
    tie_breaks: str = ""  # 202
    standings_order: str = ""  # 212
    encoded_time_control: str = ""  # 222


@dataclass(frozen=True, slots=True)
class Byes:
    """Requested byes (record 240) of one round.

    kind:    `F`, `H` or `Z`
    players: pairing numbers, in order
    """

    kind: str
    round: int
    players: tuple[int, ...]
    line: int = field(default=0, compare=False)


def merge_byes(byes: Iterable[Byes]) -> tuple[Byes, ...]:
    """Return the byes merged into one entry for each round and kind, sorted by round, then kind.

    Entries without players are left out.
    """
    players_by_round: dict[tuple[int, str], set[int]] = {}
    for bye in byes:
        players_by_round.setdefault((bye.round, bye.kind), set()).update(bye.players)
    return tuple(
        Byes(kind, round_number, tuple(sorted(players)))
        for (round_number, kind), players in sorted(players_by_round.items())
        if players
    )


@dataclass(frozen=True, slots=True)
class ForbiddenPairs:
    """Players who may not be paired with each other (record types 260 and XXP).

    first, last: the rounds of the ban; `last` is None if it lasts to the end
    """

    players: tuple[int, ...]
    first: int = 1
    last: int | None = None

    def applies_in(self, round_number: int) -> bool:
        """Return whether the ban applies in a round."""
        return self.first <= round_number and (self.last is None or round_number <= self.last)


@dataclass(frozen=True, slots=True)
class AbnormalPoints:
    """Points that differ from the scoring of the file (record 299).

    kind:    the result whose points these replace (`W D L F H Z P U + -`); if empty, the points are
             added to the points of any result
    match_points, game_points: half points, negative for a penalty; None if the columns are blank
    round:   the number of the round; 0 for every round
    players: the pairing numbers; empty for all players
    """

    kind: str
    match_points: int | None
    game_points: int | None
    round: int
    players: tuple[int, ...]
    line: int = field(default=0, compare=False)

    @property
    def points(self) -> int:
        """The half points for a player: the game points, or if these are blank the match points."""
        return (self.match_points or 0) if self.game_points is None else self.game_points

    def applies_to(self, player: TrfPlayer, round_number: int) -> bool:
        """Return whether these points apply to the player in this round."""
        return self.round in (0, round_number) and (not self.players or player.number in self.players)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrfFile:
    """A whole Tournament Report File. Codes in parentheses are record types.

    rounds_total:    the planned number of rounds (142, XXR)
    initial_side:    the side of the first seed in round 1, as drawn: `w`, `b` or empty (152, XXC)
    by_rank:         whether the pairing follows the rank column instead of the pairing numbers (XXC rank)
    scoring:         code → half points (162, XXS, BB.). The codes of record 162 are W D L, A absent or
                     forfeit loss, P pairing bye, X unknown. JaVaFo adds WW BW WD BD WL BL (by side) and HPB
                     FPB FW FL
    absent_players:  players who must not be paired in the next round (XXZ); in TRF26 these players have byes
    byes:            the requested byes, in order of round, then kind (240)
    accelerations:   player → virtual half points in each round from 1, without zeros at the end (250, XXA)
    forbidden_pairs: the players who may not be paired with each other (260, XXP)
    abnormal_points: the points that differ from the scoring (299)
    unknown_lines:   lines of other record types (teams, national ratings, comments), kept unchanged
    source:          the name of the file in messages
    remarks:         contradictions in the text that do not prevent reading, each with its line
    """

    header: TrfHeader = field(default_factory=TrfHeader)
    players: tuple[TrfPlayer, ...] = ()
    rounds_total: int | None = None
    initial_side: str = ""
    by_rank: bool = False
    scoring: Mapping[str, int] = field(default_factory=dict)
    absent_players: tuple[int, ...] = ()
    byes: tuple[Byes, ...] = ()
    accelerations: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    forbidden_pairs: tuple[ForbiddenPairs, ...] = ()
    abnormal_points: tuple[AbnormalPoints, ...] = ()
    unknown_lines: tuple[str, ...] = ()
    source: str = field(default="", compare=False)
    remarks: tuple[str, ...] = field(default=(), compare=False)

    @property
    def rounds_paired(self) -> int:
        """The number of the last round in which any player has an opponent or pairing bye, or 0.

        A later round that has only requested byes and absences is not paired yet.
        """
        cells = (numbered_cell for player in self.players for numbered_cell in enumerate(player.rounds, 1))
        return max((number for number, cell in cells if cell.opponent or cell.result == "U"), default=0)

    @property
    def system(self) -> str:
        """The code of the pairing system, from record 192 or, if that is blank, from record 092.

        bbpPairings writes the code in record 092.
        """
        kind = self.header.kind
        is_code = kind.startswith(("FIDE_", "CUSTOM_", "BERGER_")) and " " not in kind
        return self.header.system or (kind if is_code else "")


# -- From a file to a record


def record_of(file: TrfFile) -> Record:
    """Return the rounds of a file as a record whose PlayerIds are the pairing numbers.

    The format has no table numbers, so tables are numbered by their smaller pairing number. White has the
    first seat. A last column of requested byes belongs to the next round and is left out. `drops` stays empty
    because the format does not distinguish a withdrawal from absences.

    Raises TourneyError with line and column if two players do not name each other as opponents, have the
    same side, or have results that contradict each other.
    """
    players = {player.number: player for player in sorted(file.players, key=lambda player: player.number)}
    rounds = range(1, file.rounds_paired + 1)
    unpaired_outcomes = [_unpaired_outcomes(players.values(), number) for number in rounds]
    return Record(
        players=tuple(map(PlayerId, players)),
        rounds=tuple(_tables(file.source, players, number) for number in rounds),
        byes=tuple(
            {player: bye for player, bye in byes.items() if bye is not Outcome.ABSENT}
            for byes in unpaired_outcomes
        ),
        absences=tuple(
            frozenset(player for player, bye in byes.items() if bye is Outcome.ABSENT)
            for byes in unpaired_outcomes
        ),
        ratings={PlayerId(number): player.rating for number, player in players.items() if player.rating},
        planned_rounds=file.rounds_total,
        extra_points=_extra_points(file),
    )


def _unpaired_outcomes(players: Iterable[TrfPlayer], round_number: int) -> dict[PlayerId, Outcome]:
    """Return the outcome of each player without an opponent: a bye or ABSENT."""
    cells = {PlayerId(player.number): player.cell(round_number) for player in players}
    return {player: RESULT_CODES[cell.result].alone for player, cell in cells.items() if not cell.opponent}


def _tables(source: str, players: Mapping[int, TrfPlayer], round_number: int) -> tuple[Table, ...]:
    tables: list[Table] = []
    for number, player in players.items():
        cell = player.cell(round_number)
        if not cell.opponent:
            continue
        opponent = players[cell.opponent]
        _check_opponent(source, player, opponent, round_number)
        if number < cell.opponent:
            is_black = cell.side != "w" and opponent.cell(round_number).side == "w"
            pair = (opponent, player) if is_black else (player, opponent)
            seats = (PlayerId(pair[0].number), PlayerId(pair[1].number))
            tables.append(Table(len(tables) + 1, seats, _result(source, pair, round_number)))
    return tuple(tables)


def _check_opponent(source: str, player: TrfPlayer, opponent: TrfPlayer, round_number: int) -> None:
    cell, opponent_cell = player.cell(round_number), opponent.cell(round_number)
    if opponent_cell.opponent != player.number:
        opponent_text = f"player {opponent_cell.opponent}" if opponent_cell.opponent else "no opponent"
        message = (
            f"player {player.number} names player {opponent.number}, but that player names {opponent_text}"
        )
        raise _refusal(source, player, round_number, 0, message)
    if cell.side and cell.side == opponent_cell.side:
        raise _refusal(source, player, round_number, 5, f"both players have the side `{cell.side}`")
    if cell.result and cell.outcome is None:
        message = f"`{cell.result}` is a bye, but the player has an opponent"
        raise _refusal(source, player, round_number, 7, message)


def _refusal(source: str, player: TrfPlayer, round_number: int, offset: int, message: str) -> TourneyError:
    """Return a TourneyError that names the line of a player, a column and the round.

    offset: the column, counted from the first column of the round
    """
    place = f"{source}: line {player.line}, column {round_column(round_number) + offset}"
    return TourneyError(f"{place}: round {round_number}: {message}")


_COMPATIBLE = {
    frozenset({Outcome.WIN, Outcome.LOSS}),
    frozenset({Outcome.DRAW}),
    frozenset({Outcome.DRAW, Outcome.LOSS}),  # a ruling: only one player gets the draw
    frozenset({Outcome.LOSS}),  # a ruling: both lose
    frozenset({Outcome.FORFEIT_WIN, Outcome.FORFEIT_LOSS}),
    frozenset({Outcome.FORFEIT_LOSS}),
}
"""The sets of outcomes that the two players of a table can have."""


def _result(source: str, pair: tuple[TrfPlayer, TrfPlayer], round_number: int) -> Result | None:
    """Return the result of a table, or None if it is still open."""
    cells = [player.cell(round_number) for player in pair]
    if not any(cell.result for cell in cells):
        return None
    outcomes = [cell.outcome for cell in cells if cell.outcome]
    if len(outcomes) < 2 or frozenset(outcomes) not in _COMPATIBLE:
        codes = " and ".join(f"`{cell.result or ' '}`" for cell in cells)
        numbers = " and ".join(str(player.number) for player in pair)
        message = f"the results {codes} of players {numbers} contradict each other"
        raise _refusal(source, pair[0], round_number, 7, message)
    if set(outcomes) == {Outcome.LOSS}:
        outcomes = [Outcome.DOUBLE_LOSS] * 2
    winners = [outcome.won for outcome in outcomes]
    seats = (
        Seat(
            PlayerId(player.number),
            outcome,
            place=2 if any(winners) and not is_winner else 1,
            games=int(outcome is Outcome.WIN),
        )
        for player, outcome, is_winner in zip(pair, outcomes, winners, strict=True)
    )
    return Result(tuple(seats), drawn_games=int(Outcome.DRAW in outcomes))


# -- Points


class _Scoring(NamedTuple):
    """How to find the points of an outcome in a file's scoring (code → half points).

    codes:       the codes of this outcome; the more specific codes come first
    replacement: the code to use if the scoring has none of `codes`, as in JaVaFo; empty for no such code
    default:     the half points if the scoring has neither `codes` nor `replacement`
    """

    codes: tuple[str, ...]
    replacement: str
    default: int


_WIN = 2
"""The half points of a win if the file does not state them."""

_SCORING = {
    Outcome.WIN: _Scoring(("W",), "", _WIN),
    Outcome.DRAW: _Scoring(("D",), "", 1),
    Outcome.LOSS: _Scoring(("L",), "", 0),
    Outcome.BYE: _Scoring(("P",), "W", _WIN),
    Outcome.ABSENT: _Scoring(("A",), "", 0),
    Outcome.FORFEIT_LOSS: _Scoring(("FL", "A"), "", 0),
    Outcome.HALF_BYE: _Scoring(("HPB",), "D", 1),
    Outcome.AWARDED_BYE: _Scoring(("FPB",), "W", _WIN),
    Outcome.FORFEIT_WIN: _Scoring(("FW",), "W", _WIN),
}


def scoring_of(file: TrfFile) -> dict[Outcome, int]:
    """Return how many half points each outcome is worth, by the file's scoring (162, XXS, BB.).

    Outcomes whose value the file does not state are left out.
    """
    return {
        outcome: file.scoring[code]
        for outcome, scoring in _SCORING.items()
        for code in reversed(scoring.codes)  # a more specific code overrides
        if code in file.scoring
    }


def check_points(file: TrfFile) -> tuple[str, ...]:
    """Return a remark for each player whose points differ from the sum of the player's results.

    The points of a result follow from the file's scoring and record 299.
    """
    paired_rounds = file.rounds_paired
    # Dialects differ in the value of a pairing bye that the file does not state: that of a win, or 1 point.
    scorings = (file.scoring, {"P": _WIN, **file.scoring})
    remarks: list[str] = []
    for player in file.players:
        totals = (
            []
            if player.points is None
            else [_total_points(file, player, scoring, paired_rounds) for scoring in scorings]
        )
        if totals and player.points not in totals:
            stated_points = _format_half_points(player.points or 0)
            remarks.append(
                f"line {player.line}: the points of player {player.number} are {stated_points}, "
                f"but the results in the file give {_format_half_points(totals[0])}"
            )
    return tuple(remarks)


def _format_half_points(half_points: int) -> str:
    return format_points(half_points).replace("-", "−")


def _total_points(file: TrfFile, player: TrfPlayer, scoring: Mapping[str, int], paired_rounds: int) -> int:
    rounds = range(1, max(len(player.rounds), paired_rounds) + 1)
    return sum(_round_points(file, player, scoring, number) for number in rounds)


def _extra_points(file: TrfFile) -> tuple[dict[PlayerId, int], ...]:
    """Return for each round how many half points records of type 299 add, by player."""
    if not file.abnormal_points:
        return ()
    rounds: list[dict[PlayerId, int]] = []
    for number in range(1, file.rounds_paired + 1):
        extra = {
            PlayerId(player.number): _round_points(file, player, file.scoring, number)
            - _value(file.scoring, player.cell(number))
            for player in file.players
        }
        rounds.append({player: points for player, points in extra.items() if points})
    return tuple(rounds) if any(rounds) else ()


def _round_points(file: TrfFile, player: TrfPlayer, scoring: Mapping[str, int], round_number: int) -> int:
    """Return a player's half points in one round.

    A line of type 299 in the file (abnormal points) can replace the points of a result or add to them.
    """
    cell = player.cell(round_number)
    abnormal_points = [record for record in file.abnormal_points if record.applies_to(player, round_number)]
    kinds = RESULT_CODES[cell.result].kinds
    replacements = [record.points for record in abnormal_points if record.kind and record.kind in kinds]
    points = replacements[0] if replacements else _value(scoring, cell)
    return points + sum(record.points for record in abnormal_points if not record.kind)


def _value(scoring: Mapping[str, int], cell: Cell) -> int:
    """Return the half points that a scoring gives to a player for the result in a cell.

    If several codes of the scoring apply, the most specific one decides: `WD`, a draw with White, before `D`.
    """
    outcome = cell.outcome
    if outcome is None:
        return scoring.get("X", 0)
    codes, replacement, default = _SCORING[outcome]
    specific = cell.side.upper() + codes[0]  # `WD` is a draw with White; only W, D and L have sides
    return next((scoring[code] for code in (specific, *codes, replacement) if code in scoring), default)


# -- From a record to a file


def file_of(
    record: Record,
    *,
    points: Mapping[PlayerId, int],
    names: Mapping[PlayerId, str],
    order: Sequence[PlayerId] = (),
    sides: bool = True,
    header: TrfHeader | None = None,
) -> TrfFile:
    """Return a record as a Tournament Report File (TRF).

    Byes and absences that players requested for the next rounds (record 240) are not included.

    points: half points by player
    order:  the players in the order of their pairing numbers, from 1; if empty, the PlayerIds are the
            pairing numbers
    sides:  whether the first seat of a table has White; if not, sides stay blank

    Raises TourneyError for a table of more than two players.
    """
    numbers = {player: int(player) for player in record.players}
    if order:
        numbers = {player: number for number, player in enumerate(order, 1)}
    rounds = [_cells(record, number, numbers, sides=sides) for number in range(1, len(record.rounds) + 1)]
    players = [
        TrfPlayer(
            number=number,
            name=names[player],
            rating=record.ratings.get(player),
            points=points[player],
            rounds=tuple(cells[player] for cells in rounds),
        )
        for player, number in numbers.items()
    ]
    extra_points = [
        AbnormalPoints(
            "",
            None,
            value,
            number,
            tuple(sorted(numbers[player] for player in extra if extra[player] == value)),
        )
        for number, extra in enumerate(record.extra_points, 1)
        for value in sorted(set(extra.values()))
    ]
    return TrfFile(
        header=header or TrfHeader(),
        rounds_total=record.planned_rounds,
        players=tuple(sorted(players, key=lambda player: player.number)),
        abnormal_points=tuple(extra_points),
    )


_CODE_OF_OUTCOME = {
    code.at_table or code.alone: letter for letter, code in reversed(RESULT_CODES.items()) if letter
} | {Outcome.DOUBLE_LOSS: "0"}
"""The code of each outcome: the first of its codes in `RESULT_CODES`."""


def _cells(
    record: Record, round_number: int, numbers: Mapping[PlayerId, int], *, sides: bool
) -> dict[PlayerId, Cell]:
    """Return each player's opponent, side and result (`Cell`) in a round of the record.

    Raises TourneyError for a table of more than two players.
    """
    byes = record.byes[round_number - 1] if round_number <= len(record.byes) else {}
    cells = {player: Cell(result=_CODE_OF_OUTCOME[byes.get(player, Outcome.ABSENT)]) for player in numbers}
    for table in record.rounds[round_number - 1]:
        if len(table.seats) != 2:
            raise TourneyError(
                f"round {round_number}, table {table.number} has {len(table.seats)} seats: "
                "a Tournament Report File can only hold tables of two"
            )
        for player, opponent, side in zip(table.seats, reversed(table.seats), "wb", strict=True):
            result = _CODE_OF_OUTCOME[table.result.seat_of(player).outcome] if table.result else ""
            cells[player] = Cell(numbers[opponent], side if sides else "", result)
    return cells
