"""What happened in the matches: players, tables, outcomes, results, points."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from typing import Literal, NamedTuple, NewType

from tourney.errors import TourneyError


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """The rounds of a tournament as they happened. Round numbers count from 1; `rounds[0]` is round 1.

    players:  all who were ever in, in order of registration
    rounds:   the tables of each round; a table without a result is still playing
    byes:     for each round, who had no table but an outcome: BYE, AWARDED_BYE or HALF_BYE
    absences: for each round, who was in the event and neither seated nor given a bye (late, away)
    drops:    player → the last round the player was in before leaving (0: left before round 1)
    disqualified: players → the last round before the disqualification; out of the ranking, still opponents
    left_early: players whose games are in the record and count for nobody → the last round before they left; a round
                robin's, where they left before half of their games
    no_opponent: for each round, who had the bye because one of `left_early` was due: it does not count either
    extra_points: for each round, half points that somebody was given beside the results, or lost (a bonus, a penalty):
              part of the points and of what opponents see of them, and of no match
    ratings:  players → rating, where the event has ratings
    weights:  what a round weighs in strength of schedule, round by round; 1 where the list ends
    planned_rounds: how many rounds the tournament will have, where that is known
    round_robin: whether everybody meets everybody (some tie-breaks read unplayed rounds differently then)
    """

    players: tuple[PlayerId, ...]
    rounds: tuple[tuple[Table, ...], ...] = ()
    byes: tuple[Mapping[PlayerId, Outcome], ...] = ()
    absences: tuple[frozenset[PlayerId], ...] = ()
    drops: Mapping[PlayerId, int] = field(default_factory=dict)
    disqualified: Mapping[PlayerId, int] = field(default_factory=dict)
    left_early: Mapping[PlayerId, int] = field(default_factory=dict)
    no_opponent: tuple[Mapping[PlayerId, PlayerId], ...] = ()
    extra_points: tuple[Mapping[PlayerId, int], ...] = ()
    ratings: Mapping[PlayerId, int] = field(default_factory=dict)
    weights: tuple[Fraction, ...] = ()
    planned_rounds: int | None = None
    round_robin: bool = False

    def after(self, round_number: int) -> Record:
        """Return the record as it stood after `round_number` (0: before the first round)."""
        keep = slice(0, round_number)
        return replace(
            self,
            rounds=self.rounds[keep],
            byes=self.byes[keep],
            absences=self.absences[keep],
            drops={player: last for player, last in self.drops.items() if last <= round_number},
            disqualified={player: last for player, last in self.disqualified.items() if last <= round_number},
            left_early={player: last for player, last in self.left_early.items() if last <= round_number},
            no_opponent=self.no_opponent[keep],
            extra_points=self.extra_points[keep],
        )


def drops_before(last: int, left: Mapping[PlayerId, int]) -> dict[PlayerId, int]:
    """Return which of the players who left had done so before round `last`, as `Record.drops` has them.

    left: player → the last round before leaving. Who leaves after the last round so far has missed nothing yet: the
    standings are those of a player who stays until another round is paired.
    """
    return {player: after for player, after in left.items() if after < last}


# -- One table of one round: who sat where, and what came of it


PlayerId = NewType("PlayerId", int)
"""A player's number in order of registration, from 1. Names live elsewhere."""

NOBODY = PlayerId(0)
"""The opponent of whoever has the bye, and of whoever met none."""

DrawnGame = Literal["stands", "again", "none"]
"""What a drawn game is within a match: one of its games; one that counts for nobody and is played again; or there is none."""

NameOf = Callable[[PlayerId], str]
"""How a text says who is meant; engines know only ids."""


class Outcome(Enum):
    """One seat's side of one round. Ask `.played`, never "is it a bye?"."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"
    BYE = "bye"  # the odd player's bye, given by the pairing
    AWARDED_BYE = "awarded-bye"  # a full-point bye given by the organizer
    HALF_BYE = "half-bye"  # a requested bye worth half a win
    FORFEIT_WIN = "forfeit-win"  # the opponent did not show, or forfeited
    FORFEIT_LOSS = "forfeit-loss"  # paired, but did not show, or forfeited by a ruling
    DOUBLE_LOSS = "double-loss"  # both met, both lose by ruling
    ABSENT = "absent"  # not paired: not there, no points

    # Members are singletons: hashing by identity spares every set and table of outcomes a call into `enum`.
    __hash__ = object.__hash__

    @property
    def played(self) -> bool:
        """Whether the two sides met at the table (forfeits and byes are not played; a double loss is)."""
        return self in _PLAYED

    @property
    def words(self) -> OutcomeWords:
        """How it is said of the player who has it."""
        return _WORDS[self]


_PLAYED = frozenset({Outcome.WIN, Outcome.DRAW, Outcome.LOSS, Outcome.DOUBLE_LOSS})


class OutcomeWords(NamedTuple):
    """How an outcome is said.

    alone:   by itself, of a player whose opponent is not named
    result:  as what came of the player's match in an event, or of the round without one; of a forfeit by a ruling see
             `tourney.event.phrases`: a record alone does not say why there was no play
    against: before the opponent's name; empty where there is none
    given:   as what the player gets instead of a match; empty for matches
    """

    alone: str
    result: str
    against: str = ""
    given: str = ""


_WORDS = {
    Outcome.WIN: OutcomeWords("won", "won", "beat"),
    Outcome.DRAW: OutcomeWords("drew", "drew", "drew with"),
    Outcome.LOSS: OutcomeWords("lost", "lost", "lost to"),
    Outcome.FORFEIT_WIN: OutcomeWords(
        "won without play", "won, opponent did not show", "won without play against"
    ),
    Outcome.FORFEIT_LOSS: OutcomeWords("lost without play", "did not show", "lost without play to"),
    Outcome.DOUBLE_LOSS: OutcomeWords("double loss", "both lose", "double loss with"),
    Outcome.BYE: OutcomeWords("bye", "bye", given="the bye"),
    Outcome.AWARDED_BYE: OutcomeWords("awarded bye", "awarded bye", given="an awarded bye"),
    Outcome.HALF_BYE: OutcomeWords("half-point bye", "half-point bye", given="a half-point bye"),
    Outcome.ABSENT: OutcomeWords("absent", "absent", given="no match"),
}


@dataclass(frozen=True, slots=True)
class Seat:
    """One player's side of a result.

    place: 1 for the winner; shared places are equal (1, 1, 3)
    games: games won in the match
    score: victory points, diamonds …, where the game has them
    """

    player: PlayerId
    outcome: Outcome
    place: int = 1
    games: int = 0
    score: int | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one table: a seat for each player, in the table's seat order, and the drawn games."""

    seats: tuple[Seat, ...]
    drawn_games: int = 0

    def seat_of(self, player: PlayerId) -> Seat:
        """Return the seat of `player`; KeyError if the player did not sit here."""
        for seat in self.seats:
            if seat.player == player:
                return seat
        raise KeyError(player)

    @property
    def played(self) -> bool:
        """Whether anybody met anybody: at least one seat's outcome is a played one."""
        return any(seat.outcome.played for seat in self.seats)


@dataclass(frozen=True, slots=True)
class Table:
    """A numbered table of one round. In games with sides, the seat order is the side order (seat 1 moves first)."""

    number: int
    seats: tuple[PlayerId, ...]
    result: Result | None = None


# -- Points are multiples of one half and are counted as whole half points inside


def format_points(half_points: int) -> str:
    """Print half points as people write points.

    >>> [format_points(n) for n in (0, 1, 2, 5, -1)]
    ['0', '½', '1', '2½', '-½']
    """
    sign, whole, half = "-" if half_points < 0 else "", abs(half_points) // 2, abs(half_points) % 2
    return f"{sign}{whole if whole or not half else ''}{'½' if half else ''}"


_MINUS = str.maketrans("−‐‑‒–—", "------")


def normalize_digits(text: str) -> str:
    """Write full-width digits and signs as the usual ones, and any minus as `-`; `½` and its like stay.

    >>> normalize_digits("２−１"), normalize_digits("½－½"), normalize_digits("１，３，２")
    ('2-1', '½-½', '1,3,2')
    """
    if text.isascii():
        return text
    plain = (
        sign if unicodedata.category(sign) == "No" else unicodedata.normalize("NFKC", sign) for sign in text
    )
    return "".join(plain).translate(_MINUS)


def is_end_word(text: str) -> bool:
    """Say whether a text can be the word of how a game ended otherwise than by its score, as it is typed and kept.

    >>> is_end_word("deck"), is_end_word("time"), is_end_word("id"), is_end_word("two words")
    (True, True, False, False)
    """
    return re.fullmatch(r"[a-z][a-z-]{1,19}", text) is not None and text != "id"


_NUMBER = re.compile(
    r"(?P<sign>[+-]?) ?(?:(?P<whole>[0-9]{1,20})?(?:[.,](?P<tenths>[0-9]{1,20}))?"
    r"|(?:(?P<before>[0-9]{1,20}) )?(?P<over>[0-9]{1,20}) ?/ ?(?P<under>[0-9]{1,20}))"
)


_THOUSANDS = re.compile(r"[+-]? ?[1-9][0-9]{0,2},[0-9]{3}")
"""What is a thousand to some and one to others."""


def parse_number(text: str) -> Fraction:
    """Read a number as people write it: `2½`, `2 1/2`, `5/2`, `2.5`, `2,5`, `−2½` (full-width digits, any minus).

    Exponents are none of these. Raises TourneyError for what is no number, and for `1,000`, which may be two.

    >>> [str(parse_number(t)) for t in ("2½", "-2½", "−½", "2 1/2", "1/3", "⅓", "2,5", "２．５")]
    ['5/2', '-5/2', '-1/2', '5/2', '1/3', '1/3', '5/2', '5/2']
    """
    # `½` is a fraction of its own after the whole number, and the sign before both belongs to both.
    apart = "".join(f" {sign} " if unicodedata.category(sign) == "No" else sign for sign in text)
    plain = " ".join(unicodedata.normalize("NFKC", apart).replace("⁄", "/").translate(_MINUS).split())
    match = _NUMBER.fullmatch(plain)
    thousands = _THOUSANDS.fullmatch(plain)
    if thousands:
        raise TourneyError(f"`{text[:40]}` may be {plain.replace(',', '')} or {plain.replace(',', '.')}")
    if not match or not (match["whole"] or match["tenths"] or match["over"]):
        raise TourneyError(f"`{text[:40]}` is not a number (`2½`, `0.33`, `1/3`)")
    if match["over"]:
        if not int(match["under"]):
            raise TourneyError(f"`{text[:40]}` is not a number: a division by 0")
        value = int(match["before"] or 0) + Fraction(int(match["over"]), int(match["under"]))
    else:
        value = Fraction(f"{match['whole'] or 0}.{match['tenths'] or 0}")
    return -value if match["sign"] == "-" else value


def parse_whole_number(text: str, *, least: int | None = 0, digits: int = 6) -> int:
    """Read a whole number as people write it: full-width digits and any minus, too.

    least: what it must be at least; None: any number. digits: how many it may have; more are a slip of the hand. Raises TourneyError for what is no such number.

    >>> parse_whole_number("12"), parse_whole_number("１２"), parse_whole_number("−3", least=None)
    (12, 12, -3)
    """
    plain = normalize_digits(text).strip()
    number = plain[1:] if plain[:1] in ("+", "-") else plain
    if not (number.isascii() and number.isdigit() and len(number) <= digits):
        raise TourneyError(f"`{text[:40]}` is not a whole number")
    value = int(plain)
    if least is not None and value < least:
        raise TourneyError(f"`{text[:40]}` is not a whole number from {least} on")
    return value


def parse_half_points(text: str) -> int:
    """Read `2½`, `2.5`, `5/2` or `3` as half points. Raises TourneyError if it is no multiple of one half.

    >>> [parse_half_points(t) for t in ("½", "2½", "2.5", "5/2", "3", "-2½")]
    [1, 5, 5, 5, 6, -5]
    """
    doubled = 2 * parse_number(text)
    if doubled.denominator != 1:
        raise TourneyError(f"`{text}` is not a multiple of ½")
    return int(doubled)
