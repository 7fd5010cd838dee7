"""The record of a tournament: players, tables, results and rounds.

The rounds of a `Record` are tuples of `Table`s. A table has the numbers of its players and, once it is
finished, a `Result`. A result has one `Seat` for each player, with that player's `Outcome`. Engines, such as
pairing and standings, read records and know nothing else about an event.

The journal and the event's state contain the same types; in the journal they are JSON arrays. For this
reason, a new field of `Table`, `Result` or `Seat` must be the last one and have a default.

Points are counted in half points, so that they are whole numbers. The end of the module parses and formats
numbers as people write them (`2½`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from enum import Enum
from fractions import Fraction
from typing import Literal, NamedTuple, NewType

from msgspec import Struct, field
from msgspec.structs import replace

from tourney.errors import TourneyError
from tourney.wording import Message

PlayerId = NewType("PlayerId", int)
"""A player's number in order of registration, from 1. A record has no names."""

NOBODY = PlayerId(0)
"""The number that stands for the opponent of a player who had no opponent, such as in a bye."""

NameOf = Callable[[PlayerId], str]
"""A function that returns a player's name. Engines use it to write sentences."""

DrawnGame = Literal["stands", "again", "none"]
"""What happens to a drawn game within a match.

stands: it counts as one of the match's games
again:  it does not count, and another game is played
none:   games cannot be drawn
"""


def games_needed(best_of: int) -> int:
    """Return the number of games that win a match: more than half of `best_of`."""
    return best_of // 2 + 1


def most_decided_games(best_of: int, *, draws: bool) -> int:
    """Return the maximum number of games in a match that have a winner.

    draws: whether the match can be drawn. If it cannot, an even `best_of` is followed by one deciding game
    """
    return best_of if draws else best_of | 1


class Outcome(Enum):
    """How one round ended for one player."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"
    BYE = "bye"  # for the odd player, given by the pairing
    AWARDED_BYE = "awarded-bye"  # given by the organizer, worth a win
    HALF_BYE = "half-bye"  # requested by the player, worth half a win
    FORFEIT_WIN = "forfeit-win"  # the opponent did not show up, or forfeited
    FORFEIT_LOSS = "forfeit-loss"  # paired, but did not show up, or forfeited by a ruling
    DOUBLE_LOSS = "double-loss"  # both played, and a ruling makes both lose
    ABSENT = "absent"  # not paired, no points

    # Engines hash outcomes in their inner loops, and the hash of `Enum` is a slow Python function. The hash
    # of `object` is correct, too, because members are singletons.
    __hash__ = object.__hash__

    @property
    def played(self) -> bool:
        """Whether the player met an opponent: false for forfeits and byes, true for a double loss."""
        return self in _PLAYED

    @property
    def won(self) -> bool:
        """Whether the player beat an opponent, including by forfeit. A bye is not a win."""
        return self in _WON

    @property
    def lost(self) -> bool:
        """Whether the player lost, including by forfeit or in a double loss."""
        return self in _LOST

    @property
    def words(self) -> OutcomeWords:
        """The phrases that describe the outcome, with the player as subject."""
        return _WORDS[self]


BY_PLAY = (Outcome.WIN, Outcome.DRAW, Outcome.LOSS)
"""The outcomes that a game itself decides, the best first.

The others come from byes, absence and rulings.
"""

_PLAYED = frozenset({*BY_PLAY, Outcome.DOUBLE_LOSS})
_WON = frozenset({Outcome.WIN, Outcome.FORFEIT_WIN})
_LOST = frozenset({Outcome.LOSS, Outcome.FORFEIT_LOSS, Outcome.DOUBLE_LOSS})


class OutcomeWords(NamedTuple):
    """The phrases for an outcome.

    alone:   the phrase without an opponent's name
    result:  the phrase for the result of the round. For a forfeit by a ruling, use `tourney.event.phrases`,
             because the outcome alone does not show the reason
    against: the words before the opponent's name; empty if there is no opponent
    award:   what the player gets instead of a match; empty for matches
    """

    alone: str
    result: str
    against: str = ""
    award: str = ""


_WORDS = {
    Outcome.WIN: OutcomeWords(Message("won"), Message("won"), "beat"),
    Outcome.DRAW: OutcomeWords(Message("drew"), Message("drew"), "drew with"),
    Outcome.LOSS: OutcomeWords(Message("lost"), Message("lost"), "lost to"),
    Outcome.FORFEIT_WIN: OutcomeWords(
        Message("won without play"), Message("won, opponent did not show"), "won without play against"
    ),
    Outcome.FORFEIT_LOSS: OutcomeWords(
        Message("lost without play"), Message("did not show"), "lost without play to"
    ),
    Outcome.DOUBLE_LOSS: OutcomeWords(Message("double loss"), Message("both lose"), "double loss with"),
    Outcome.BYE: OutcomeWords(Message("bye"), Message("bye"), award="the bye"),
    Outcome.AWARDED_BYE: OutcomeWords(Message("awarded bye"), Message("awarded bye"), award="an awarded bye"),
    Outcome.HALF_BYE: OutcomeWords(
        Message("half-point bye"), Message("half-point bye"), award="a half-point bye"
    ),
    Outcome.ABSENT: OutcomeWords(Message("absent"), Message("absent"), award="no match"),
}


class Seat(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One player's part of a result.

    place: 1 for the winner; players who share a place have the same number (1, 1, 3)
    games: the games that the player won in the match
    score: the victory points, diamonds or similar; None if the game has no score
    """

    player: PlayerId
    outcome: Outcome
    place: int = 1
    games: int = 0
    score: int | None = None


class Result(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The result of one table: a seat for each player, in the table's order.

    drawn_games: drawn games within the match
    ended: how the match ended, if not by its score: `id` (intentional draw), `time`, `ruling`, or a word of
           the format such as `concession`. A forfeit with `ruling` was a judge's ruling; without it, the
           player did not show up.
    """

    seats: tuple[Seat, ...]
    drawn_games: int = 0
    ended: str = ""

    def seat_of(self, player: PlayerId) -> Seat:
        """Return a player's seat. Raises KeyError if the player did not sit at this table."""
        for seat in self.seats:
            if seat.player == player:
                return seat
        raise KeyError(player)

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """The players, in seat order."""
        return tuple(seat.player for seat in self.seats)

    @property
    def played(self) -> bool:
        """Whether the match was played; false if every seat is a forfeit."""
        return any(seat.outcome.played for seat in self.seats)


class Table(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A numbered table of one round, with its players in seat order.

    In a game with sides, the seat order is the order of the sides: seat 1 moves first.

    result: None until the table is finished
    """

    number: int
    seats: tuple[PlayerId, ...]
    result: Result | None = None


class Record(Struct, frozen=True, kw_only=True):
    """All rounds of a tournament and what engines need to know about its players.

    Rounds are numbered from 1. A field with an entry for each round is a tuple whose first entry belongs to
    round 1.

    players:        every player who ever registered, in that order
    rounds:         for each round, its tables; a table without a result is still playing
    byes:           for each round, player → BYE, AWARDED_BYE or HALF_BYE
    absences:       for each round, players who were in the event and had neither a table nor a bye
    drops:          player → the last round before the player left (0: left before round 1)
    disqualified:   player → the last round before the disqualification. These players have no rank but remain
                    opponents
    left_early:     player → the last round before the player left a round robin with less than half of the
                    games played. Their games are in the record but count for no player
    no_opponent:    for each round, player with a bye → the scheduled opponent, who is in `left_early`. Like
                    the games of that opponent, the bye does not count
    extra_points:   for each round, player → half points added to or subtracted from the player's points (a
                    bonus, a penalty). They also count in opponents' tie-breaks, but do not belong to a match
    ratings:        player → rating, if the event has ratings
    weights:        for each round, its weight in strength of schedule; rounds without an entry weigh 1
    planned_rounds: the number of rounds that the tournament will have; None if unknown
    round_robin:    whether every player meets every other; some tie-breaks then treat unplayed rounds
                    differently
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
        """Return the record as it was after a round (0: before the first round)."""
        if round_number >= len(self.rounds):
            return self
        rounds = slice(0, round_number)

        def until(last_rounds: Mapping[PlayerId, int]) -> dict[PlayerId, int]:
            return {player: last for player, last in last_rounds.items() if last <= round_number}

        return replace(
            self,
            rounds=self.rounds[rounds],
            byes=self.byes[rounds],
            absences=self.absences[rounds],
            drops=until(self.drops),
            disqualified=until(self.disqualified),
            left_early=until(self.left_early),
            no_opponent=self.no_opponent[rounds],
            extra_points=self.extra_points[rounds],
        )


def drops_before(round_number: int, last_rounds: Mapping[PlayerId, int]) -> dict[PlayerId, int]:
    """Return the players who left before a round → their last round, for `Record.drops`.

    A player who leaves after the latest round is not included, because the player has not missed a round yet.
    Until the next round is paired, that player is ranked as if still in the event.

    last_rounds: player → the last round before the player left
    """
    return {player: last for player, last in last_rounds.items() if last < round_number}


def is_end_word(text: str) -> bool:
    """Return whether a format can use a text as its word for how a game ends.

    Examples of such words are `deck` and `time`. The word `id` is reserved for intentional draws.

    >>> is_end_word("deck"), is_end_word("time"), is_end_word("id"), is_end_word("two words")
    (True, True, False, False)
    """
    return re.fullmatch(r"[a-z][a-z-]{1,19}", text) is not None and text != "id"


# -- numbers as people write them


def format_points(half_points: int) -> str:
    """Return half points as text, in points.

    >>> [format_points(n) for n in (0, 1, 2, 5, -1)]
    ['0', '½', '1', '2½', '-½']
    """
    whole, half = divmod(abs(half_points), 2)
    digits = str(whole) if whole or not half else ""
    return f"{'-' if half_points < 0 else ''}{digits}{'½' if half else ''}"


def parse_half_points(text: str) -> int:
    """Parse points, and return them as half points. Raises TourneyError if not a multiple of ½.

    >>> [parse_half_points(text) for text in ("½", "2½", "2.5", "5/2", "3", "-2½")]
    [1, 5, 5, 5, 6, -5]
    """
    doubled = 2 * parse_number(text)
    if doubled.denominator != 1:
        raise TourneyError(f"`{text}` is not a multiple of ½")
    return int(doubled)


_MINUS_SIGNS = str.maketrans("−‐‑‒–—", "------")


def normalize_digits(text: str) -> str:
    """Replace full-width characters with ASCII ones, and any minus sign with `-`.

    Fractions such as `½` are kept.

    >>> normalize_digits("２−１"), normalize_digits("½－½"), normalize_digits("１，３，２")
    ('2-1', '½-½', '1,3,2')
    """
    if text.isascii():
        return text
    letters = (letter if _is_fraction(letter) else unicodedata.normalize("NFKC", letter) for letter in text)
    return "".join(letters).translate(_MINUS_SIGNS)


def _is_fraction(letter: str) -> bool:
    return unicodedata.category(letter) == "No"


_NUMBER = re.compile(
    r"(?P<sign>[+-]?) ?(?:(?P<whole>[0-9]{1,20})?(?:[.,](?P<decimals>[0-9]{1,20}))?"
    r"|(?:(?P<units>[0-9]{1,20}) )?(?P<numerator>[0-9]{1,20}) ?/ ?(?P<denominator>[0-9]{1,20}))"
)
_THOUSANDS_OR_DECIMALS = re.compile(r"[+-]? ?[1-9][0-9]{0,2},[0-9]{3}")
"""Matches numbers such as `1,000`, which is a thousand in English and one in German."""


def parse_number(text: str) -> Fraction:
    """Parse a number as people write it: `2½`, `2 1/2`, `5/2`, `2.5`, `2,5` or `−2½`.

    Digits may be full-width. Raises TourneyError for other text, such as an exponent, and for `1,000`, which
    has two meanings.

    >>> [str(parse_number(text)) for text in ("2½", "-2½", "−½", "2 1/2", "1/3", "⅓", "2,5", "２．５")]
    ['5/2', '-5/2', '-1/2', '5/2', '1/3', '1/3', '5/2', '5/2']
    """
    # NFKC turns `½` into `1⁄2`. The spaces separate it from the digits before it, so that `2½` is not `21/2`.
    spaced = "".join(f" {letter} " if _is_fraction(letter) else letter for letter in text)
    plain = " ".join(unicodedata.normalize("NFKC", spaced).replace("⁄", "/").translate(_MINUS_SIGNS).split())
    if _THOUSANDS_OR_DECIMALS.fullmatch(plain):
        raise TourneyError(
            f"`{text[:40]}` can mean {plain.replace(',', '')} or {plain.replace(',', '.')}; write one of them"
        )
    match = _NUMBER.fullmatch(plain)
    if not match or not (match["whole"] or match["decimals"] or match["numerator"]):
        raise TourneyError(f"`{text[:40]}` is not a number (`2½`, `0.33`, `1/3`)")
    if match["numerator"]:
        if not int(match["denominator"]):
            raise TourneyError(f"`{text[:40]}` is not a number: it divides by 0")
        value = int(match["units"] or 0) + Fraction(int(match["numerator"]), int(match["denominator"]))
    else:
        value = Fraction(f"{match['whole'] or 0}.{match['decimals'] or 0}")
    return -value if match["sign"] == "-" else value


def parse_whole_number(text: str, *, least: int | None = 0, digits: int = 6) -> int:
    """Parse a whole number, whose digits may be full-width. Raises TourneyError for other text.

    least:  the smallest number allowed; None for no limit
    digits: the maximum number of digits; a longer number is probably a typing error

    >>> parse_whole_number("12"), parse_whole_number("１２"), parse_whole_number("−3", least=None)
    (12, 12, -3)
    """
    plain = normalize_digits(text).strip()
    unsigned = plain[1:] if plain[:1] in ("+", "-") else plain
    if not (unsigned.isascii() and unsigned.isdigit() and len(unsigned) <= digits):
        raise TourneyError(f"`{text[:40]}` is not a whole number")
    value = int(plain)
    if least is not None and value < least:
        raise TourneyError(f"`{text[:40]}` is not a whole number of at least {least}")
    return value
