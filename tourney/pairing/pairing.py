"""The values that all pairing systems share: players, options, rounds, costs and verdicts.

An engine takes an `Entrant` for each player and the `Options` of the round, and returns a `Pairing` with its
`Cost`. The fields of `Cost` are the *levels*, the criteria of a round in order of importance. The end of the
module defines how random choices are computed from a seed, and the names of the engines, which are recorded
with their rounds.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import Enum
from hashlib import sha256
from itertools import count
from typing import TypeVar

from msgspec import Struct, field
from msgspec.structs import asdict, replace

from tourney.errors import TourneyError
from tourney.record import NameOf, Outcome, PlayerId, Table

# -- players: a number with points and a history, without name or deck


def number_of(player: PlayerId) -> str:
    """Return a player's number as a name, for callers that know no names.

    >>> number_of(PlayerId(7))
    '#7'
    """
    return f"#{player}"


class Entrant(Struct, frozen=True, kw_only=True):
    """A player to be paired in this round.

    Players with a requested or awarded bye are not entrants.

    points:       half points so far, by the event's standings profile
    opponents:    opponents at tables that were played, in round order, with repeats. Meetings are mutual: if
                  an opponent is an entrant, that entrant lists this player equally often.
    no_shows:     opponents at tables where a player did not show up; `Options.no_show_meets` decides whether
                  they count
    byes:         byes given by the pairing (to the odd player)
    awarded_byes: full-point byes given by the organizer; `Options.awarded_bye_counts` decides whether they
                  count
    half_byes:    half-point byes taken; `Options.half_bye_counts` decides whether they count
    floats:       for each round, in order: -1 if the player met an opponent with fewer points (floated down),
                  1 if the opponent had more points (floated up), otherwise 0
    sides:        for each table played in a game with sides, in round order: 1 if the player had the first
                  side, -1 if the second
    tags:         groups to keep apart if possible, as `kind:name` (`club:Ravens`)
    fixed_table:  the table at which this player must sit (for mobility), or None
    rating:       the rating, for first rounds paired by rating; None ranks below every rating
    rank:         the place in the standings from 1, for rounds paired by rank
    """

    id: PlayerId
    points: int = 0
    opponents: tuple[PlayerId, ...] = ()
    no_shows: tuple[PlayerId, ...] = ()
    byes: int = 0
    awarded_byes: int = 0
    half_byes: int = 0
    floats: tuple[int, ...] = ()
    sides: tuple[int, ...] = ()
    tags: tuple[str, ...] = ()
    fixed_table: int | None = None
    rating: int | None = None
    rank: int | None = None


Entrants = Sequence[Entrant]
"""The players to be paired in a round, in any order."""


def entrant_after(
    player: PlayerId,
    numbers: Sequence[int],
    places: Sequence[Table | Outcome],
    before: Mapping[PlayerId, Sequence[int]],
    *,
    sides: bool = False,
    tags: tuple[str, ...] = (),
    fixed_table: int | None = None,
    rating: int | None = None,
    rank: int | None = None,
) -> Entrant:
    """Return a player as an entrant of the next round.

    numbers: the numbers of the rounds in which the player took part, in order
    places:  for each of these rounds, the player's table with its result, or the outcome without a table
    before:  for every player, the half points before each round; the last value is for the next round
    sides:   whether the game has sides to balance
    """
    own_points = before[player]
    opponents: list[PlayerId] = []
    no_shows: list[PlayerId] = []
    played_sides: list[int] = []
    floats: list[int] = []
    outcomes: list[Outcome] = []
    for number, place in zip(numbers, places, strict=True):
        if isinstance(place, Outcome):
            outcomes.append(place)
            floats.append(0)
            continue
        seats, result = place.seats, place.result
        assert result is not None
        is_first = seats[0] == player
        if len(seats) == 2:  # the usual case, made fast
            first, second = result.seats
            is_played = first.outcome.played and second.outcome.played
            (opponents if is_played else no_shows).append(seats[is_first])
            has_played = (first if is_first else second).outcome.played
            points, opponent_points = own_points[number - 1], before[seats[is_first]][number - 1]
            floats.append((opponent_points > points) - (opponent_points < points))
        else:
            has_played = result.seats[seats.index(player)].outcome.played
            for seat in result.seats:
                if seat.player != player:
                    (opponents if has_played and seat.outcome.played else no_shows).append(seat.player)
            floats.append(0)
        if has_played:
            played_sides.append(1 if is_first else -1)
    return Entrant(
        id=player,
        points=own_points[-1],
        opponents=tuple(opponents),
        no_shows=tuple(no_shows),
        byes=outcomes.count(Outcome.BYE),
        awarded_byes=outcomes.count(Outcome.AWARDED_BYE),
        half_byes=outcomes.count(Outcome.HALF_BYE),
        floats=tuple(floats),
        sides=tuple(played_sides) if sides else (),
        tags=tags,
        fixed_table=fixed_table,
        rating=rating,
        rank=rank,
    )


# -- the organizer's decisions before a round is paired


Pair = tuple[PlayerId, PlayerId]
"""The two players of a table; for a bye, the player and `NOBODY`."""


class Mode(Enum):
    """The order by which a round pairs players with equal points.

    The order is a level of the cost (`Cost.order`): after rematches, byes, point differences and shared tags,
    and before floats and sides.

    RANDOM: no order (the default of card games)
    FOLD:   by rating; the first meets the last of the group (1–8, 2–7, 3–6, 4–5)
    SLIDE:  by rating; the upper half meets the lower (1–5, 2–6, 3–7, 4–8)
    RANK:   by standings; neighbours meet (1–2, 3–4 …), as some events play their last round
    """

    RANDOM = "random"
    FOLD = "fold"
    SLIDE = "slide"
    RANK = "rank"


class Options(Struct, frozen=True, kw_only=True):
    """The options of one round. The defaults are those of a card game (README.md).

    If the number of players is odd, the pairing gives one player a bye: the *odd bye*.

    round_number:       the round to be paired, from 1
    mode:               the order by which players with equal points are paired (see `Mode`; usually set only
                        for the first or last round); by default none
    forbidden:          pairs that must not meet, in either order
    forced:             pairs that must meet
    forced_bye:         the player who must have the odd bye
    no_bye:             players who must not have the odd bye
    allow_rematches:    whether a round may have rematches (as few as possible); if not, a round that needs a
                        rematch is refused
    keep_apart:         whether to avoid tables of players who share tags (level 4)
    keep_apart_rounds:  the last round in which level 4 applies; None if it applies in all rounds
    float_repeats:      whether to avoid floating twice in a row (level 5)
    sides:              whether the game has sides to balance (level 6); seat 1 then has the first side
    awarded_bye_counts: whether an awarded bye counts as an earlier bye
    half_bye_counts:    whether a half-point bye counts as an earlier bye
    no_show_meets:      whether a table where a player did not show up counts as a meeting
    first_table:        the number of the first table
    """

    round_number: int = 1
    mode: Mode = Mode.RANDOM
    forbidden: frozenset[Pair] = frozenset()
    forced: tuple[Pair, ...] = ()
    forced_bye: PlayerId | None = None
    no_bye: frozenset[PlayerId] = frozenset()
    allow_rematches: bool = True
    keep_apart: bool = True
    keep_apart_rounds: int | None = None
    float_repeats: bool = True
    sides: bool = False
    awarded_bye_counts: bool = True
    half_bye_counts: bool = False
    no_show_meets: bool = False
    first_table: int = 1

    @property
    def forced_players(self) -> frozenset[PlayerId]:
        """The players of all pairs that must meet."""
        return frozenset(player for pair in self.forced for player in pair)

    @property
    def keeps_apart_now(self) -> bool:
        """Whether this round avoids tables of players who share tags (level 4)."""
        return self.keep_apart and (
            self.keep_apart_rounds is None or self.round_number <= self.keep_apart_rounds
        )


def earlier_opponents(entrant: Entrant, options: Options) -> tuple[PlayerId, ...]:
    """Return the opponents whom a player has met, one entry for each meeting that counts."""
    return entrant.opponents + entrant.no_shows if options.no_show_meets else entrant.opponents


def earlier_byes(entrant: Entrant, options: Options) -> int:
    """Return how many byes a player has had.

    Awarded byes and half-point byes are included only if the options count them.
    """
    awarded_byes = entrant.awarded_byes if options.awarded_bye_counts else 0
    return entrant.byes + awarded_byes + (entrant.half_byes if options.half_bye_counts else 0)


def imbalance_of_sides(first: Sequence[int], second: Sequence[int]) -> tuple[int, int]:
    """Return how much a table adds to `Cost.imbalance` and `Cost.side_repeats` (level 6).

    first, second: the sides so far (`Entrant.sides`) of the players in seats 1 and 2
    """
    imbalance = (sum(first) + 1) ** 2 + (sum(second) - 1) ** 2
    return imbalance, (first[-1:] == (1,)) + (second[-1:] == (-1,))


def shared_tags(one: Entrant, other: Entrant) -> set[str]:
    """Return the tags that both players have. If possible, such players are kept apart."""
    return set(one.tags) & set(other.tags)


def keep_wishes(wishes: Collection[str], entrants: Entrants, options: Options) -> tuple[Entrants, Options]:
    """Return entrants and options with only some kinds of the organizer's wishes.

    wishes: the kinds to keep, from `tourney.pairing.WISHES`
    """
    if "fixed-table" not in wishes:
        entrants = [replace(entrant, fixed_table=None) for entrant in entrants]
    if "forced" not in wishes:
        options = replace(options, forced=(), forced_bye=None, no_bye=frozenset())
    if "forbidden" not in wishes:
        options = replace(options, forbidden=frozenset())
    return entrants, options


def refuse_wishes(
    entrants: Entrants, options: Options, name: NameOf, *, together: str, opponent: str
) -> None:
    """Raise TourneyError if the organizer's wishes contradict each other or cannot be kept.

    A wish cannot be kept, for example, if one of its players is not in the round. Also raises the error if a
    player is entered twice.

    together: what both players of a forced pair must do, in words for a message, such as `meet`
    opponent: what one player of a forced pair must do, such as `meet an opponent`
    """
    entry_counts = Counter(entrant.id for entrant in entrants)
    if len(entry_counts) < len(entrants):
        duplicate = next(player for player, count in entry_counts.items() if count > 1)
        raise TourneyError(f"{name(duplicate)} is entered twice for this round")
    bye = options.forced_bye
    if bye is not None and bye not in entry_counts:
        message = f"{name(bye)} must have the bye, but is not in this round"
        raise TourneyError(message, "give the bye to another player")
    for pair in options.forced:
        text = pair_text(pair, name)
        if pair[0] == pair[1]:
            raise TourneyError(f"{name(pair[0])} cannot be paired with themselves")
        for player in pair:
            if player not in entry_counts:
                message = f"{text} must {together}, but {name(player)} is not in this round"
                raise TourneyError(message, f"stop forcing the pair {text}")
        if bye in pair:
            raise TourneyError(
                f"{name(bye)} must have the bye and must {opponent}: {text}",
                "stop forcing the pair, or give the bye to another player",
            )
    _refuse_equal_tables(entrants, name)


def pair_text(pair: Pair, name: NameOf) -> str:
    """Return the names of a pair, such as `Ada–Ben`."""
    return f"{name(pair[0])}–{name(pair[1])}"


def _refuse_equal_tables(entrants: Entrants, name: NameOf) -> None:
    """Raise TourneyError if a fixed table is below 1, or two players have the same one."""
    owners: dict[int, PlayerId] = {}
    for entrant in entrants:
        table = entrant.fixed_table
        if table is None:
            continue
        if table < 1:
            raise TourneyError(f"{name(entrant.id)} has the fixed table {table}: tables are numbered from 1")
        if table in owners:
            player_names = f"{name(owners[table])} and {name(entrant.id)}"
            raise TourneyError(
                f"{player_names} have the same fixed table {table}", "give one of them another table"
            )
        owners[table] = entrant.id


def number_tables(
    seats: Iterable[tuple[PlayerId, ...]],
    wishes: Iterable[int | None],
    first: int,
    taken_numbers: Collection[int] = (),
) -> tuple[Table, ...]:
    """Return numbered tables in order of number.

    A table with a fixed number gets that number; the other tables get the free numbers in order.

    seats:         the players of each table
    wishes:        the fixed number of each table, or None
    first:         the lowest number that a table without a fixed number can get
    taken_numbers: numbers that no table may get
    """
    seats_and_wishes = list(zip(seats, wishes, strict=True))
    fixed_numbers = {wish for _, wish in seats_and_wishes if wish is not None}.difference(taken_numbers)
    free_numbers = (
        number for number in count(first) if number not in fixed_numbers and number not in taken_numbers
    )
    tables = [
        Table(wish if wish is not None and wish in fixed_numbers else next(free_numbers), players)
        for players, wish in seats_and_wishes
    ]
    return tuple(sorted(tables, key=lambda table: table.number))


# -- a paired round: its cost, and what is proved about it


class NoRoundError(TourneyError):
    """The rules of the pairing system allow no round with these players.

    The organizer must decide what to do.
    """


class Cost(Struct, frozen=True, kw_only=True, order=True):
    """The cost of a round, level by level. Costs compare in the order of the levels.

    rematches:    tables whose players have met before (level 1)
    times_met:    earlier meetings of these players, added up (level 1, after the rematches)
    bye_earlier:  earlier byes of the player with the bye (level 2)
    bye_points:   half points of the player with the bye (level 2)
    differences:  sum over tables of the squared point difference, in half points (level 3)
    apart:        shared tags at the tables, added up (level 4)
    order:        sum over tables of a squared distance, in places. For the modes fold and slide: from the
                  opponent that the mode prescribes to the actual one; for rank: between the two players in
                  the standings
    floats:       players floated twice in a row (level 5)
    imbalance:    sum over players of (first sides − second sides)² after this round (level 6)
    side_repeats: players with the same side twice in a row (level 6)
    """

    rematches: int = 0
    times_met: int = 0
    bye_earlier: int = 0
    bye_points: int = 0
    differences: int = 0
    apart: int = 0
    order: int = 0
    floats: int = 0
    imbalance: int = 0
    side_repeats: int = 0

    def as_dict(self) -> dict[str, int]:
        """Return the values of the cost by name, the most important value first."""
        return asdict(self)


def upper_levels(cost: Cost) -> tuple[int, ...]:
    """Return levels 1 to 3 of a cost: rematches, the bye and the point differences."""
    return (cost.rematches, cost.times_met, cost.bye_earlier, cost.bye_points, cost.differences)


MEETS_BOUND = "optimal (meets the bound)"
PROVED_BY_SEARCH = "optimal (proved by search)"
REPAIRED = "repaired with the fewest changes"
REPAIRED_UNPROVED = "repaired (fewest changes not proved)"
REPAIRED_BEST = "repaired: the best round again, with the fewest changes"
REPAIRED_AROUND = "repaired: the best round around the finished tables, with the fewest changes"
"""The values of `Pairing.proof`, besides the texts that `proof_within` returns.

They are recorded with rounds, so they never change.
"""


def proof_within(gap: int) -> str:
    """Return the text of `Pairing.proof` for a round that may cost more than the best round.

    gap: how much more the round costs than a proved lower bound, in the unit of the first level that is not
         proved

    >>> proof_within(4)
    'within 4 of the bound'
    """
    return f"within {gap} of the bound"


class Pairing(Struct, frozen=True, kw_only=True):
    """A paired round.

    tables:       the tables in order of number, without results; in a game with sides, seat 1 has the first
                  side
    byes:         the players with a bye; in a Swiss round, at most one
    cost:         the cost of the round
    bound:        a lower bound for the cost of every possible round, proved without a search
    proof:        what is proved about the round, in words: `MEETS_BOUND`, `PROVED_BY_SEARCH`, a text such as
                  `within 4 of the bound`, or for a repair one of the `REPAIRED` texts. A round robin or a
                  Dutch round names its method instead: `as the Berger tables have it`
    seed:         the round's seed, which determines all random choices
    method:       how the round was found; above 600 players, the result depends on the method
    exact_levels: the round is proved optimal on all levels up to this one (7: all levels, 3: down to the
                  point differences); 0 if the point differences are not proved
    """

    tables: tuple[Table, ...]
    byes: tuple[PlayerId, ...] = ()
    cost: Cost = field(default_factory=Cost)
    bound: Cost = field(default_factory=Cost)
    proof: str = ""
    seed: str = ""
    method: str = ""
    exact_levels: int = 0

    @property
    def bye(self) -> PlayerId | None:
        """The player with the bye, or None."""
        return self.byes[0] if self.byes else None


# -- other answers of an engine


class Reason(Struct, frozen=True, kw_only=True):
    """One sentence of an explanation, with its numbers.

    what:    the kind: `forced`, `group`, `float`, `rematch`, `bye`, `keep-apart`, `order`, `sides`, `seed` …
    text:    the sentence, without a full stop
    players: the players that the sentence is about
    numbers: the numbers in the sentence, by name
    """

    what: str
    text: str
    players: tuple[PlayerId, ...] = ()
    numbers: Mapping[str, int] = field(default_factory=dict)


class Repaired(Struct, frozen=True, kw_only=True):
    """A round repaired with as few changes as possible.

    pairing:         the repaired round; unchanged tables keep their numbers
    kept_numbers:    numbers of the unchanged tables, in order
    changed_numbers: numbers of tables that are new or have other players
    removed_numbers: numbers of tables that no longer exist
    is_fewest:       whether it is proved that no legal repair changes fewer tables
    reasons:         why each removed table could not be kept
    """

    pairing: Pairing
    kept_numbers: tuple[int, ...]
    changed_numbers: tuple[int, ...]
    removed_numbers: tuple[int, ...]
    is_fewest: bool
    reasons: tuple[Reason, ...]


class RoundVerdict(Struct, frozen=True, kw_only=True):
    """The three separate results of `verify` for a recorded round.

    legal:   whether `check` finds no error: every player has one seat, no pair is forbidden, and no rematch
             or second bye could have been avoided
    optimal: whether the round costs as much as the engine's round
    same:    whether the seats and table numbers are those of the engine's round for the seed
    cost:    the cost of the recorded round; None if a player does not have exactly one seat
    best:    the cost of the engine's round
    """

    legal: bool
    optimal: bool
    same: bool
    cost: Cost | None
    best: Cost


# -- randomness: only SHA-256 of a seed and integers, so that any program can repeat it
#
# Swiss rounds use `SeedHash`. The three sentences below are enough to repeat such a round. Numbers are
# written in decimal, texts in UTF-8, words are big-endian.
#
# * The key of player p is sha256(`<seed>|p|<p>`).
# * The word of the pair i < j is the 32-bit word number (j mod 8) of sha256(`<seed>|e|<i>|<j div 8>`); the
#   bye is player 0.
# * The coin of the pair i < j is the lowest bit of the first byte of sha256(`<seed>|s|<i>|<j>`); 1 gives i
#   the first side.
#
# Everything else uses `draw`: `draw(seed, *words, below=n)` is the big-endian number
# sha256(`<seed>|<word>|<word>…`), modulo n.


Thing = TypeVar("Thing")
Word = str | int
"""A word or number on which a random choice depends, besides the seed."""

_EIGHT_WORDS = struct.Struct(">8I")
"""The format of a digest as eight big-endian words. One digest is enough for eight pairs."""


class SeedHash:
    """The random keys, numbers and coins that are computed from a seed, cached.

    Keys put players in order, numbers decide between equally good rounds, and coins give the first side.

    >>> seed_hash = SeedHash("a")
    >>> seed_hash.key(PlayerId(1)).hex()[:16]
    '0674284df2896309'
    >>> seed_hash.of_pairs([(PlayerId(2), PlayerId(9)), (PlayerId(9), PlayerId(2))])
    [1220924705, 1220924705]
    """

    def __init__(self, seed: str) -> None:
        self._keys: dict[PlayerId, bytes] = {}
        self._blocks: dict[tuple[int, int], tuple[int, ...]] = {}
        self._key_prefix = f"{seed}|p|".encode()
        self._pair_prefix = f"{seed}|e|".encode()
        self._coin_prefix = f"{seed}|s|".encode()

    def key(self, player: PlayerId) -> bytes:
        """Return a player's random key of 32 bytes, by which `shuffle` sorts the players."""
        key = self._keys.get(player)
        if key is None:
            key = self._keys[player] = sha256(b"%b%d" % (self._key_prefix, player)).digest()
        return key

    def shuffle(self, players: Iterable[PlayerId]) -> list[PlayerId]:
        """Return the players in a random order that depends only on the seed.

        They are sorted by their random keys (see `key`), and by number if keys are equal.
        """
        prefix = self._key_prefix
        keys_and_players = sorted(
            [(sha256(b"%b%d" % (prefix, player)).digest(), player) for player in players]
        )
        order = [player for _, player in keys_and_players]
        self._keys.update(zip(order, (key for key, _ in keys_and_players), strict=True))
        return order

    def of_pairs(self, pairs: Iterable[tuple[PlayerId, PlayerId]]) -> list[int]:
        """Return the random 32-bit number of each pair, which decides between equally good rounds."""
        blocks, words = self._blocks, []
        for one, other in pairs:
            low, high = (one, other) if one < other else (other, one)
            place = (low, high >> 3)
            block = blocks.get(place)
            if block is None:
                text = b"%b%d|%d" % (self._pair_prefix, low, high >> 3)
                block = blocks[place] = _EIGHT_WORDS.unpack(sha256(text).digest())
            words.append(block[high & 7])
        return words

    def coin(self, one: PlayerId, other: PlayerId) -> bool:
        """Return whether the player with the lower number gets the first of a game's two sides.

        The choice is random, but fixed by the seed. It is used only if nothing else decides the sides.
        """
        text = b"%b%d|%d" % (self._coin_prefix, min(one, other), max(one, other))
        return bool(sha256(text).digest()[0] & 1)


def draw(seed: str, *words: Word, below: int) -> int:
    """Return a random number from 0 to `below` - 1 that depends only on the seed and `words`.

    words: texts and numbers that say what the number is for. Use different words for each purpose, so that
           the numbers are independent

    >>> draw("a", "coin", 1, below=2), draw("a", "die", 1, below=6)
    (0, 2)
    """
    if below == 1:
        return 0
    text = "|".join((seed, *map(str, words)))
    return int.from_bytes(sha256(text.encode()).digest(), "big") % below


def chance(seed: str, *words: Word, percent: int) -> bool:
    """Return True with a probability of `percent` %; it depends only on the seed and `words`.

    words: texts and numbers that say what the choice is for; each purpose has other words
    """
    return percent > 0 and draw(seed, *words, below=100) < percent


def shuffle(seed: str, word: Word, things: Iterable[Thing]) -> list[Thing]:
    """Return `things` as a list in random order, which depends only on the seed and `word`.

    word: a text or number that says what the order is for

    From the last item to the second, each item is swapped with a random item at or before its position.
    """
    order = list(things)
    for last in range(len(order) - 1, 0, -1):
        other = draw(seed, word, last, below=last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def order_by_weight(seed: str, word: Word, weights: Sequence[int]) -> list[int]:
    """Return the indexes of `weights` in random order, each drawn in proportion to its weight.

    weights: whole numbers from 1 up
    """
    indexes = list(range(len(weights)))
    order: list[int] = []
    while len(indexes) > 1:
        ticket = draw(seed, word, len(order), below=sum(weights[index] for index in indexes))
        for index in indexes:
            ticket -= weights[index]
            if ticket < 0:
                order.append(index)
                indexes.remove(index)
                break
    return order + indexes


# -- the names of engines


CORRECTION_ENGINE = "tourney correction 1"
PODS_ENGINE = "tourney pods 1"
BRACKET_ENGINE = "tourney brackets 1"
SIDED_BRACKET_ENGINE = "tourney brackets 2"
"""The names of the engines, which are recorded with their rounds.

`swiss_engine` and `repair_engine` return the names of the Swiss engines.

The number in a name is the version of the engine. It rises if the engine makes other tables for the same
players and seed. Otherwise `verify` would compare an old round with an engine that did not make it.
`tests/pairing/test_engines.py` pins the tables of each name.
"""

_ALWAYS_THE_SAME = 600
"""The maximum number of players for which all engines find the same optimum.

It is equal to `swiss.engine.WHOLE`.
"""


def swiss_engine(options: Options, players: int) -> str:
    """Return the name and version of the Swiss engine, which is recorded with a round.

    Version 2 differs from version 1 in two ways. In rounds paired by rating or rank, it orders tables with
    equal points by strength. In some rounds of more than 600 players, it considers fewer tables. Both
    versions pair a random round of up to 600 players in the same way, so version 1 is recorded for it.

    >>> swiss_engine(Options(), 64), swiss_engine(Options(mode=Mode.FOLD), 64), swiss_engine(Options(), 700)
    ('tourney swiss 1', 'tourney swiss 2', 'tourney swiss 2')
    """
    is_same = options.mode is Mode.RANDOM and players <= _ALWAYS_THE_SAME
    return "tourney swiss 1" if is_same else "tourney swiss 2"


def repair_engine(options: Options) -> str:
    """Return the name and version of the repair engine, which is recorded with a repaired round.

    In rounds by rating or rank, version 2 orders new tables by strength.
    """
    return "tourney repair 1" if options.mode is Mode.RANDOM else "tourney repair 2"


_NAMES_BEFORE = {
    "tourney 0.1.0": {"tourney swiss 1", "tourney pods 1", "tourney brackets 1"},
    "repair": {"tourney repair 1"},
}
"""Text recorded with an old round → the names of the engines that it can mean.

These texts were recorded before each engine had a name.
"""


def same_engine(recorded_name: str, engine: str) -> bool:
    """Return whether `engine` can have made a round.

    recorded_name: the name of the engine that is recorded with the round; older texts are understood, too

    >>> same_engine("tourney 0.1.0", "tourney pods 1"), same_engine("tourney pods 1", "tourney pods 2")
    (True, False)
    """
    return recorded_name == engine or engine in _NAMES_BEFORE.get(recorded_name, ())
