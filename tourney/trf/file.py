"""What a Tournament Report File says, independent of the dialect it says it in.

Source: the FIDE Tournament Report File formats TRF16 and TRF26 (in force 1 September 2025), JaVaFo's
"Advanced User Manual" (XX records) and bbpPairings (BB records). Points are half points throughout.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

MOST_PLAYERS = 9999
"""Pairing numbers have four columns."""

MOST_ROUNDS = 999
"""Round numbers have three columns."""

GAME_RESULTS = frozenset("10=WDL+-")
BYE_RESULTS = frozenset("HFUZ")
"""Results of a cell with an opponent, and of one without; `Cell` says what each means."""

FIRST_ROUND_COLUMN = 92
"""Of a player line; a round takes ten columns."""


def round_column(round_number: int) -> int:
    """Return the column, from 1, in which a round of a player line begins."""
    return FIRST_ROUND_COLUMN + 10 * (round_number - 1)


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
"""Records of one line of text, and the field of `TrfHeader` that each fills."""

SCORING_CODES = ("W", "D", "L", "A", "P", "X")
"""What record 162 can say, in its order."""


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
