"""`ResultsSheet`: the content of a file of results, with the file's names for the players.

The reader of every form (file format) converts its file to this type: the players, the lines of each round,
the facts about the event (`keys`), and the file's own standings. `results.results_of` numbers the players and
checks the rest. Each line contains its position in the file, so that errors can name it.
"""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from msgspec import Struct, field

from tourney.errors import TourneyError
from tourney.record import Outcome

T = TypeVar("T")

Name = str | int
"""A player's name in the file; a number if the file numbers its players."""

PAIR_KINDS = {
    "p1": (Outcome.WIN, Outcome.LOSS),
    "p2": (Outcome.LOSS, Outcome.WIN),
    "draw": (Outcome.DRAW, Outcome.DRAW),
    "tie": (Outcome.DRAW, Outcome.DRAW),
    "intentional-draw": (Outcome.DRAW, Outcome.DRAW),
    "double-loss": (Outcome.DOUBLE_LOSS, Outcome.DOUBLE_LOSS),
    "forfeit1": (Outcome.FORFEIT_LOSS, Outcome.FORFEIT_WIN),
    "forfeit2": (Outcome.FORFEIT_WIN, Outcome.FORFEIT_LOSS),
    "double-forfeit": (Outcome.FORFEIT_LOSS, Outcome.FORFEIT_LOSS),
}
"""Kinds of matches of two, with the outcomes of both players.

Files are written with the first of several kinds that have the same outcomes.
"""

LONE_KINDS = {
    "bye": Outcome.BYE,
    "awarded-bye": Outcome.AWARDED_BYE,
    "full-bye": Outcome.AWARDED_BYE,
    "half-bye": Outcome.HALF_BYE,
    "absent": Outcome.ABSENT,
    "zero-bye": Outcome.ABSENT,
    "assigned-loss": Outcome.FORFEIT_LOSS,
    "loss": Outcome.FORFEIT_LOSS,
}
"""Kinds of rounds without an opponent, with their outcomes.

Files are written with the first of several kinds that have the same outcome.
"""

UNREPORTED = "unreported"
"""The kind of a match without a result."""

WINNER_GAMES = 1
"""The number of games won that files give to the winner of a table of three or more."""


class SourceFile(Struct, frozen=True, kw_only=True):
    """The content of a file.

    source: the file's name for messages
    text:   the content as text
    value:  the value of the file's JSON; None if the file is not JSON
    scores: how to read two numbers of a match if the file does not say what they are: True to read them as
            the score, as in Netrunner (`Profile.from_score`), False to read them as games won
    """

    text: str
    source: str
    value: Any = None
    scores: bool = False

    def error(self, place: str, message: str, hint: str | None = None) -> TourneyError:
        """Return an error that names the file and a place: a key path or line."""
        return TourneyError(f"{self.source}: {place}: {message}", hint)

    def check_both(self, numbers: Sequence[int | None], quantity: str, place: str) -> tuple[int, ...]:
        """Return the numbers of both players; empty if neither player has a number.

        quantity: the kind of number, for the message

        Raises TourneyError if only one of them has a number.
        """
        stated_numbers = tuple(number for number in numbers if number is not None)
        if stated_numbers and len(stated_numbers) < len(numbers):
            raise self.error(place, f"one player's {quantity} is missing")
        return stated_numbers

    def in_order(self, rounds: Mapping[int, T]) -> list[T]:
        """Return the rounds in order of their numbers. Raises TourneyError if a number is missing."""
        for number in range(1, len(rounds) + 1):
            if number not in rounds:
                message = f"round {number} is missing, but there is a round {max(rounds)}"
                raise TourneyError(f"{self.source}: {message}")
        return [rounds[number] for number in sorted(rounds)]


class MatchLine(Struct, frozen=True, kw_only=True):
    """One line of results: a match of two, a larger table, a bye or an absence.

    names:  the players at the table; only one if the player has no opponent
    place:  the place of the line in the file (`line 7`, `rounds[0][3]`); empty for a line to be written
    games:  the games won by each of two players, and the drawn games; None if not stated
    scores: the match score of each player, None for a player without a score; empty if there are no scores
    bare:   whether the two numbers of the match are read as scores only because the profile counts scores;
            the file itself does not say what they are
    kind:   the kind of result that the line states: a key of `PAIR_KINDS` or `LONE_KINDS`, or `unreported`;
            empty if the line does not state it, for example because games or scores show the winner
    places: the place that each player took at the table; empty if the line does not give places
    table:  the table's number; None for the next free number
    """

    names: tuple[Name, ...]
    place: str = ""
    games: tuple[int, int, int] | None = None
    scores: tuple[int | None, ...] = ()
    bare: bool = False
    kind: str = ""
    places: tuple[int, ...] = ()
    table: int | None = None

    @property
    def games_text(self) -> str:
        """The games as text: `2–1–0`."""
        return "–".join(map(str, self.games or ()))


class StandingClaim(NamedTuple):
    """A player's standing according to the file.

    place:  the place, from 1; places are not shared
    points: the points, in half points
    values: the code of a tie-break → its value and the number of decimals that the file gives
    """

    place: int | None = None
    points: int | None = None
    values: Mapping[str, tuple[Fraction, int]] = MappingProxyType({})

    @classmethod
    def of(
        cls, place: int | None, points: Fraction | None, values: Mapping[str, tuple[Fraction, int] | None]
    ) -> StandingClaim:
        """Return a player's standing, given the place, points and tie-breaks in the file.

        Tie-breaks without a value are left out. Points that are not a multiple of ½ become None.
        """
        half_points = None if points is None else 2 * points
        return cls(
            place,
            int(half_points) if half_points is not None and half_points.denominator == 1 else None,
            {code: value for code, value in values.items() if value is not None},
        )


class EventKeys(Struct, frozen=True, kw_only=True):
    """Facts about the event that a file can state besides its results.

    `README.md` explains each key.
    """

    name: str = ""
    date: datetime.date | None = None
    own_gw_floor: bool | None = None
    best_of: int | None = None
    draws: bool | None = None
    planned_rounds: int | None = None
    round_robin: bool | None = None
    registration_order: list[Name] | None = None
    drops: dict[str, int] | None = None
    drops_after_round: dict[str, int] | None = None
    disqualified: dict[str, int] | list[Name] = {}
    absent: dict[str, list[int]] = {}
    ratings: dict[Name, int] = {}
    extra_points: dict[str, dict[str, float | int | str]] = {}
    round_weights: list[float | int | str] = []
    weights: list[float | int | str] = []
    divisions: dict[str, list[Name]] = {}


class BracketLines(Struct, frozen=True, kw_only=True):
    """The bracket after the Swiss rounds, as lines.

    rounds:    the lines of each round; no rounds and no seeds mean no bracket
    seeds:     the players in seed order; empty if the file does not give the seeds
    place:     the place of the seeds in the file
    is_strict: whether an unclear match is an error. If False, a bracket with an unclear match is left out,
               and a line with only one player is a bye
    """

    rounds: Sequence[Sequence[MatchLine]] = ()
    seeds: Sequence[Name] = ()
    place: str = ""
    double: bool = False
    third_place: bool = False
    is_strict: bool = False


class ResultsSheet(Struct, frozen=True, kw_only=True):
    """The content of a file of results, with the file's own names for the players.

    players:  all players in order of registration. If the lines use keys for the players, a mapping of keys
              to names. If None, players are registered in the order in which the lines name them
    rounds:   the lines of each round
    keys:     facts that the file states besides its results
    lines:    key → the line that states it (`drops` → `line 2`), in forms that have lines
    claims:   the file's own standings: player → place, points and tie-breaks
    facts:    player → further facts by kind
    bracket:  the bracket after the Swiss rounds

    The remaining fields, such as `scoring` and `remarks`, are as in `Results`.
    """

    players: Mapping[Name, Name] | Iterable[Name] | None = None
    rounds: Sequence[Collection[MatchLine]]
    keys: EventKeys = field(default_factory=EventKeys)
    lines: Mapping[str, str] = field(default_factory=dict)
    claims: Mapping[Name, StandingClaim] = field(default_factory=dict)
    facts: Mapping[Name, Mapping[str, str]] = field(default_factory=dict)
    bracket: BracketLines = BracketLines()
    scoring: Mapping[Outcome, int] = field(default_factory=dict)
    profile: str = ""
    left_out: tuple[str, ...] = ()
    unread_keys: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
